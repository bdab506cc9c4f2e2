//! Moments on the wire.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use time::format_description::BorrowedFormatItem;
use time::macros::format_description;
use time::{OffsetDateTime, PrimitiveDateTime};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, SchemaFormat, schema::KnownFormat, schema::Type};

/// A moment, in milliseconds since 1970 UTC; on the wire RFC 3339 with milliseconds and `Z`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timestamp(pub i64);

const FORMAT: &[BorrowedFormatItem<'_>] =
    format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z");

impl std::fmt::Display for Timestamp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let moment = OffsetDateTime::from_unix_timestamp_nanos(i128::from(self.0) * 1_000_000)
            .ok()
            .and_then(|moment| moment.format(FORMAT).ok())
            .ok_or(std::fmt::Error)?;
        f.write_str(&moment)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let moment = PrimitiveDateTime::parse(&text, FORMAT).map_err(D::Error::custom)?;
        let millis = moment.assume_utc().unix_timestamp_nanos() / 1_000_000;
        i64::try_from(millis).map(Self).map_err(D::Error::custom)
    }
}

impl utoipa::PartialSchema for Timestamp {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
            .description(Some("A moment: RFC 3339 in UTC with milliseconds."))
            .max_length(Some(24))
            .examples(["2026-07-01T12:00:00.000Z"])
            .into()
    }
}

impl utoipa::ToSchema for Timestamp {}

#[cfg(test)]
mod tests {
    use super::Timestamp;

    #[test]
    fn a_moment_has_milliseconds_and_a_z() {
        assert_eq!(Timestamp(0).to_string(), "1970-01-01T00:00:00.000Z");
        assert_eq!(
            Timestamp(1_782_907_200_007).to_string(),
            "2026-07-01T12:00:00.007Z"
        );
        assert_eq!(
            serde_json::to_string(&Timestamp(1)).unwrap(),
            r#""1970-01-01T00:00:00.001Z""#
        );
        for millis in [0, 1, 1_782_907_200_007] {
            let written = serde_json::to_string(&Timestamp(millis)).unwrap();
            assert_eq!(
                serde_json::from_str::<Timestamp>(&written).unwrap(),
                Timestamp(millis)
            );
        }
    }
}
