//! Reading the query string.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::IntoParams;

use super::code::Code;
use super::cursor::{cursor, position};
use super::problem::Problem;

/// The query as a `T`. Reading it cannot fail, so that authorisation is judged first: the handler asks with
/// [`parse`](RawQuery::parse).
#[derive(Debug)]
pub(crate) struct RawQuery(String);

impl RawQuery {
    /// The parameters as a `T`.
    pub(crate) fn parse<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        web::Query::<T>::from_query(&self.0)
            .map(web::Query::into_inner)
            .map_err(|error| {
                let detail = error.to_string();
                Problem::new(Code::InvalidQuery).at(self.pointer(&detail), "invalid_value", detail)
            })
    }

    /// Serde names the parameter only in some of its messages; nothing is guessed in the others.
    fn pointer(&self, detail: &str) -> String {
        let named = detail.split('`').nth(1).filter(|_| detail.contains("field"));
        named.map_or_else(String::new, |name| format!("/{name}"))
    }
}

impl FromRequest for RawQuery {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self(request.query_string().to_owned())))
    }
}

/// How many items a list gives at most: 1 to `MOST`, or `DEFAULT` if nothing is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limit<const MOST: u32 = 100, const DEFAULT: u32 = 20>(pub(crate) u32);

impl<const MOST: u32, const DEFAULT: u32> Default for Limit<MOST, DEFAULT> {
    fn default() -> Self {
        Self(DEFAULT)
    }
}

impl<'de, const MOST: u32, const DEFAULT: u32> Deserialize<'de> for Limit<MOST, DEFAULT> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = u32::deserialize(deserializer)?;
        if (1..=MOST).contains(&number) {
            Ok(Self(number))
        } else {
            Err(serde::de::Error::custom(format_args!(
                "expected a `limit` field from 1 to {MOST}"
            )))
        }
    }
}

/// How many seconds an answer may wait for news: 0, which is also meant if nothing is said, to 25. Longer, and
/// proxies on the way would give up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Wait(pub(crate) u32);

impl Wait {
    const MOST_SECONDS: u32 = 25;

    /// The same in milliseconds.
    pub(crate) fn millis(self) -> i64 {
        i64::from(self.0) * 1000
    }
}

impl<'de> Deserialize<'de> for Wait {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let seconds = u32::deserialize(deserializer)?;
        if seconds <= Self::MOST_SECONDS {
            Ok(Self(seconds))
        } else {
            Err(serde::de::Error::custom(format_args!(
                "expected a `wait` field from 0 to {}",
                Self::MOST_SECONDS
            )))
        }
    }
}

/// What every list takes that has nothing to choose from: how much of it, and from where on.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Page {
    /// How many items to give at most.
    #[serde(default)]
    #[param(value_type = Option<i32>, minimum = 1, maximum = 100, default = 20)]
    pub(crate) limit: Limit,
    /// Where to go on: the `next_cursor` of the page before.
    #[param(max_length = 512)]
    pub(crate) cursor: Option<String>,
}

impl Page {
    /// How many rows to read: one more than is shown tells whether there is more.
    pub(crate) fn rows(&self) -> i64 {
        i64::from(self.limit.0) + 1
    }

    /// The position to go on behind, as `T`.
    pub(crate) fn position<T: DeserializeOwned>(&self) -> Result<Option<T>, Problem> {
        self.cursor.as_deref().map(position).transpose()
    }

    /// What is shown of the `rows` that were read, and the cursor behind it if there is more.
    pub(crate) fn cut<R, P: Serialize>(
        &self,
        mut rows: Vec<R>,
        position_of: impl Fn(&R) -> P,
    ) -> Result<(Vec<R>, Option<String>), Problem> {
        let most = usize::try_from(self.limit.0).map_err(Problem::internal)?;
        if rows.len() <= most {
            return Ok((rows, None));
        }
        rows.truncate(most);
        let next = rows.last().map(|last| cursor(&position_of(last))).transpose()?;
        Ok((rows, next))
    }
}

#[cfg(test)]
mod tests {
    use super::{Limit, RawQuery};
    use crate::http::Code;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Page {
        #[serde(default)]
        limit: Limit,
        cursor: Option<String>,
    }

    #[test]
    fn parameters_have_bounds_and_names() {
        let page: Page = RawQuery("cursor=a%20b".to_owned()).parse().unwrap();
        assert_eq!((page.limit.0, page.cursor.as_deref()), (20, Some("a b")));
        assert_eq!(
            RawQuery("limit=100".to_owned()).parse::<Page>().unwrap().limit.0,
            100
        );
        for wrong in [
            "limit=0",
            "limit=101",
            "limit=-1",
            "limit=x",
            "limit=1&limit=2",
            "page=2",
        ] {
            let problem = RawQuery(wrong.to_owned()).parse::<Page>().unwrap_err();
            assert_eq!(problem.code(), Code::InvalidQuery, "{wrong}");
        }
    }
}
