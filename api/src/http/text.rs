//! Words for people, in both languages of the service.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A text for people, in English and German.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Text {
    /// In English.
    pub(crate) en: String,
    /// In German.
    pub(crate) de: String,
}

impl Text {
    /// A text in both languages.
    pub(crate) fn new(en: impl Into<String>, de: impl Into<String>) -> Self {
        Self {
            en: en.into(),
            de: de.into(),
        }
    }
}

impl From<[&str; 2]> for Text {
    /// English, then German.
    fn from([en, de]: [&str; 2]) -> Self {
        Self::new(en, de)
    }
}

impl From<&quartett_engine::deck::Text> for Text {
    fn from(text: &quartett_engine::deck::Text) -> Self {
        Self::new(&text.en, &text.de)
    }
}
