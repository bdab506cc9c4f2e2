//! Codes that people read to each other.

use crate::app::App;

/// Digits and letters that nobody mistakes for one another.
const ALPHABET: &[u8; 31] = b"23456789ABCDEFGHJKMNPQRSTUVWXYZ";

/// Eight of 31: 850 billion codes, so guessing one finds nothing within the rate limits.
const CHARACTERS: usize = 8;

/// The code of an invite, in the one form it is stored in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct InviteCode(String);

impl InviteCode {
    /// A new code.
    pub(crate) fn draw(app: &App) -> Self {
        let mut code = String::with_capacity(CHARACTERS);
        while code.len() < CHARACTERS {
            let [byte] = app.random::<1>();
            // 248 is the largest multiple of 31 in a byte: what lies above would favour the first letters.
            if byte < 248 {
                code.push(char::from(ALPHABET[usize::from(byte) % ALPHABET.len()]));
            }
        }
        Self(code)
    }

    /// The code somebody typed: lower case and blanks do not matter.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let code: String = text
            .chars()
            .filter(|character| !matches!(character, ' ' | '-'))
            .map(|character| character.to_ascii_uppercase())
            .collect();
        let is_code = code.len() == CHARACTERS && code.bytes().all(|byte| ALPHABET.contains(&byte));
        is_code.then_some(Self(code))
    }

    /// As it is stored and shown.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::InviteCode;

    #[test]
    fn a_code_is_read_as_people_type_it() {
        assert_eq!(InviteCode::parse("k7mw x2pq").unwrap().as_str(), "K7MWX2PQ");
        assert_eq!(InviteCode::parse("K7MW-X2PQ").unwrap().as_str(), "K7MWX2PQ");
        for wrong in ["", "K7MWX2P", "K7MWX2PQQ", "K7MWX2P0", "K7MWX2PI", "ÄÄÄÄ"] {
            assert_eq!(InviteCode::parse(wrong), None, "{wrong}");
        }
    }
}
