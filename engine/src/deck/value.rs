//! Exact decimals.

/// Decimals that a value may have at most.
const DECIMALS_MAX: u8 = 6;
/// Digits that a value may have before the point at most.
const WHOLE_DIGITS_MAX: usize = 12;

/// An exact decimal, compared as a number: never as text, never as a float. `1.50` equals `1.5`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Value {
    /// The value times 10^[`DECIMALS_MAX`]: at most 18 digits, so it always fits.
    scaled: i64,
}

/// Why a text is no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ValueError {
    /// Not `-?digits(.digits)?` with at most 12 digits before and 6 after the point.
    #[error("{0:?} is not an exact decimal")]
    Malformed(String),
    /// More decimals than the attribute declares.
    #[error("{value:?} has more than {decimals} decimals")]
    Decimals {
        /// The value.
        value: String,
        /// What the attribute declares.
        decimals: u8,
    },
}

impl Value {
    /// Reads `-?digits(.digits)?` with at most `decimals` digits after the point.
    pub fn parse(text: &str, decimals: u8) -> Result<Value, ValueError> {
        let malformed = || ValueError::Malformed(text.to_owned());
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let pointless = digits.contains('.') && fraction.is_empty();
        if whole.is_empty()
            || whole.len() > WHOLE_DIGITS_MAX
            || fraction.len() > usize::from(DECIMALS_MAX)
            || pointless
            || !all_digits(whole)
            || !all_digits(fraction)
        {
            return Err(malformed());
        }
        if fraction.len() > usize::from(decimals) {
            return Err(ValueError::Decimals {
                value: text.to_owned(),
                decimals,
            });
        }
        let scaled: i64 = format!("{whole}{fraction:0<width$}", width = usize::from(DECIMALS_MAX))
            .parse()
            .map_err(|_| malformed())?;
        Ok(Value {
            scaled: if negative { -scaled } else { scaled },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Value {
        Value::parse(text, DECIMALS_MAX).expect(text)
    }

    #[test]
    fn compares_as_exact_decimals() {
        assert_eq!(value("1.50"), value("1.5"));
        assert!(value("10.2") > value("9.8"));
        assert!(value("-3") < value("-2.999999"));
        assert_eq!(value("-0"), value("0"));
        assert!(value("999999999999.999999") > value("999999999999.999998"));
    }

    #[test]
    fn refuses_what_is_no_exact_decimal() {
        for text in [
            "",
            "-",
            "4,0",
            "1e3",
            "1.",
            ".5",
            "+1",
            " 1",
            "1 ",
            "NaN",
            "1.2.3",
            "1234567890123",
            "0.1234567",
        ] {
            assert!(
                matches!(Value::parse(text, DECIMALS_MAX), Err(ValueError::Malformed(_))),
                "{text:?}"
            );
        }
        assert!(matches!(
            Value::parse("1.25", 1),
            Err(ValueError::Decimals { .. })
        ));
    }
}
