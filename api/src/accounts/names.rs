//! What players call themselves and their devices: parsed once, never wrong later.

use serde::Deserialize;
use unicode_normalization::UnicodeNormalization;
use utoipa::openapi::schema::Type;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};

/// What a schema can say about shown text: visible characters with single spaces between them.
///
/// The ranges are those of [`is_refused`]; what lies above them no pattern in common use can name.
const SHOWN_PATTERN: &str = concat!(
    r"^[^\u0000-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f",
    r"\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ue000-\uf8ff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff]",
    r"+(?: [^\u0000-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f",
    r"\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ue000-\uf8ff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff]+)*$",
);

/// Characters that are invisible, change how others look, or mean something else on every machine.
const fn is_refused(character: char) -> bool {
    matches!(character,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{a0}' | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}'
        | '\u{1680}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{2000}'..='\u{200f}'
        | '\u{2028}'..='\u{202f}' | '\u{205f}'..='\u{206f}' | '\u{2800}' | '\u{3000}' | '\u{3164}'
        | '\u{e000}'..='\u{f8ff}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{ffff}')
}

/// Invisible characters above the basic plane. No pattern can refuse them, so a name shows that they are there.
const fn is_replaced(character: char) -> bool {
    matches!(character,
        '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d159}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{10ffff}')
}

/// A text that people will see, in Unicode's composed form.
fn shown(text: &str, least: usize, most: usize) -> Result<String, InvalidName> {
    let fits = |text: &str| (least..=most).contains(&text.chars().count());
    // Before and after: the schema counts what was sent, people what is shown.
    if !fits(text) {
        return Err(InvalidName::Length { least, most });
    }
    if text.chars().any(is_refused) || text.starts_with(' ') || text.ends_with(' ') || text.contains("  ") {
        return Err(InvalidName::Characters);
    }
    let text: String = text
        .chars()
        .map(|character| if is_replaced(character) { '□' } else { character })
        .nfc()
        .collect();
    if fits(&text) {
        Ok(text)
    } else {
        Err(InvalidName::Length { least, most })
    }
}

/// The schema of a text that people will see.
fn shown_schema(least: usize, most: usize, example: &str) -> ObjectBuilder {
    ObjectBuilder::new()
        .min_length(Some(least))
        .max_length(Some(most))
        .pattern(Some(SHOWN_PATTERN))
        .examples([example])
}

/// Why a name is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum InvalidName {
    /// Too short or too long.
    #[error("expected {least} to {most} characters")]
    Length {
        /// The least number of characters.
        least: usize,
        /// The most.
        most: usize,
    },
    /// Something in it cannot be seen, or spaces stand where none may.
    #[error("expected visible characters with single spaces between them")]
    Characters,
    /// A username with something else in it.
    #[error("expected 3 to 30 of the characters A-Z a-z 0-9 _ . -")]
    Username,
    /// Not a language tag.
    #[error("expected a language tag such as en or de-CH")]
    Locale,
}

macro_rules! names {
    ($($(#[$doc:meta])* $Name:ident($parse:expr, $schema:expr);)+) => { $(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
        #[serde(try_from = "String")]
        pub(crate) struct $Name(String);

        impl $Name {
            /// Reads one from outside.
            pub(crate) fn parse(text: &str) -> Result<Self, InvalidName> {
                let parse: fn(&str) -> Result<String, InvalidName> = $parse;
                parse(text).map(Self)
            }

            /// As it is shown.
            pub(crate) fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl utoipa::PartialSchema for $Name {
            fn schema() -> RefOr<Schema> {
                let schema: ObjectBuilder = $schema;
                schema.schema_type(Type::String).into()
            }
        }

        impl utoipa::ToSchema for $Name {}

        impl TryFrom<String> for $Name {
            type Error = InvalidName;
            fn try_from(text: String) -> Result<Self, InvalidName> {
                Self::parse(&text)
            }
        }
    )+ };
}

names! {
    /// What opponents see of a player: 2 to 30 visible characters.
    DisplayName(|text| shown(text, 2, 30), shown_schema(2, 30, "Ann"));

    /// What a player calls a device: 1 to 60 visible characters.
    DeviceName(|text| shown(text, 1, 60), shown_schema(1, 60, "Ann's phone"));

    /// What a registered player signs in with. Two that differ only in case are the same.
    Username(username, username_schema());

    /// The language a player reads, as a tag.
    Locale(locale, locale_schema());
}

fn username(text: &str) -> Result<String, InvalidName> {
    let fits = (3..=30).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-'));
    if fits {
        Ok(text.to_owned())
    } else {
        Err(InvalidName::Username)
    }
}

fn username_schema() -> ObjectBuilder {
    ObjectBuilder::new()
        .pattern(Some("^[A-Za-z0-9_.-]{3,30}$"))
        .min_length(Some(3))
        .max_length(Some(30))
        .examples(["Ann_K"])
}

fn locale(text: &str) -> Result<String, InvalidName> {
    let mut parts = text.split('-');
    let language = parts.next().unwrap_or_default();
    let fits = text.len() <= 35
        && (2..=3).contains(&language.len())
        && language.bytes().all(|byte| byte.is_ascii_lowercase())
        && parts.all(|part| {
            (2..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
        });
    if fits {
        Ok(text.to_owned())
    } else {
        Err(InvalidName::Locale)
    }
}

fn locale_schema() -> ObjectBuilder {
    ObjectBuilder::new()
        .pattern(Some("^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$"))
        .max_length(Some(35))
        .examples(["en"])
}

impl Username {
    /// The form that decides whether two usernames are the same.
    pub(crate) fn folded(&self) -> String {
        self.0.to_ascii_lowercase()
    }
}

impl Default for Locale {
    fn default() -> Self {
        Self("en".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::{DisplayName, InvalidName, Locale, Username};

    #[test]
    fn a_display_name_is_composed_and_visible() {
        assert_eq!(DisplayName::parse("Zoe\u{308} K").unwrap().as_str(), "Zo\u{eb} K");
        assert_eq!(DisplayName::parse("Ann 🎴").unwrap().as_str(), "Ann 🎴");
        assert_eq!(DisplayName::parse("A\u{e0041}").unwrap().as_str(), "A□");
        for wrong in [
            "A",
            "",
            &"a".repeat(31),
            " Ann",
            "Ann ",
            "A  B",
            "A\u{200b}B",
            "A\u{202e}B",
            "A\nB",
            "\u{3164}\u{3164}",
        ] {
            assert!(DisplayName::parse(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn usernames_fold_their_case() {
        assert_eq!(Username::parse("Ann_K.9").unwrap().folded(), "ann_k.9");
        for wrong in ["ab", &"a".repeat(31), "ann k", "änn", "ann\u{0}"] {
            assert_eq!(Username::parse(wrong), Err(InvalidName::Username), "{wrong}");
        }
    }

    #[test]
    fn locales_are_language_tags() {
        for right in ["en", "de-CH", "zh-Hant-TW"] {
            assert!(Locale::parse(right).is_ok(), "{right}");
        }
        for wrong in [
            "",
            "e",
            "EN",
            "en_US",
            "en-",
            "en-x",
            &format!("en{}", "-abcdefgh".repeat(4)),
        ] {
            assert!(Locale::parse(wrong).is_err(), "{wrong}");
        }
    }
}
