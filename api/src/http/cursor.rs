//! Where a list goes on: opaque to clients.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::code::Code;
use super::problem::Problem;

/// No cursor is longer.
const LONGEST_CHARACTERS: usize = 512;

/// The cursor that continues behind `position`.
pub(crate) fn cursor(position: &impl Serialize) -> Result<String, Problem> {
    let bytes = serde_json::to_vec(position).map_err(Problem::internal)?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

/// The position in a cursor; one that was not made here for such a list is refused.
pub(crate) fn position<T: DeserializeOwned>(cursor: &str) -> Result<T, Problem> {
    let refused =
        || Problem::new(Code::InvalidCursor).at("/cursor", "invalid_value", "not a cursor of this list");
    if cursor.len() > LONGEST_CHARACTERS {
        return Err(refused());
    }
    let bytes = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| refused())?;
    serde_json::from_slice(&bytes).map_err(|_| refused())
}

#[cfg(test)]
mod tests {
    use super::{cursor, position};
    use crate::http::Code;

    #[test]
    fn a_cursor_gives_its_position_back_and_nothing_else_does() {
        let text = cursor(&(1_700_000_000_000_i64, "id")).unwrap();
        assert_eq!(
            position::<(i64, String)>(&text).unwrap(),
            (1_700_000_000_000, "id".to_owned())
        );
        for wrong in ["", "%", "e30", &text[1..], &"A".repeat(513)] {
            let problem = position::<(i64, String)>(wrong).unwrap_err();
            assert_eq!(problem.code(), Code::InvalidCursor, "{wrong}");
        }
    }
}
