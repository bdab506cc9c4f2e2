//! Passwords: what is accepted, and hashing them without starving everything else.

use std::sync::Arc;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use futures_util::future::{Either, select};
use serde::Deserialize;
use tokio::sync::Semaphore;
use unicode_normalization::UnicodeNormalization;
use utoipa::openapi::schema::{KnownFormat, SchemaFormat, Type};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};

use crate::clock::{Clock, Randomness};
use crate::config::PasswordCost;
use crate::http::{Code, Problem};

/// A password that is found within so many guesses is too common: guesses begin with lists of passwords, names
/// and words, with the usual changes to them.
const FEWEST_GUESSES: u64 = 100_000;

/// So much of the beginning and of the end is judged: what is weak shows there, and a long text written with many
/// signs for letters would take seconds.
const JUDGED_CHARACTERS: usize = 32;

/// How long a request queues for its turn to hash before it is told to come back later.
const QUEUE_MILLIS: i64 = 5_000;

/// How many requests queue for each that hashes; the next one is told to come back later at once.
const QUEUE_PER_TURN: usize = 32;

/// When to come back: the queue is worked off by then.
const RETRY_AFTER_SECONDS: u32 = 5;

/// A password as it was typed, in Unicode's composed form; never printed.
#[derive(Clone, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Password(String);

/// A password that is too long to be one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum InvalidPassword {
    /// Outside what the schema says.
    #[error("expected 1 to 128 characters")]
    Length,
}

impl TryFrom<String> for Password {
    type Error = InvalidPassword;

    fn try_from(text: String) -> Result<Self, InvalidPassword> {
        if (1..=128).contains(&text.chars().count()) {
            // The same keys give other characters on other systems.
            Ok(Self(text.nfc().collect()))
        } else {
            Err(InvalidPassword::Length)
        }
    }
}

impl std::fmt::Debug for Password {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Password(..)")
    }
}

/// A password that may be chosen: at least eight characters.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct NewPassword(Password);

impl TryFrom<String> for NewPassword {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        const EXPECTED: &str = "expected 8 to 128 characters";
        if text.chars().count() < 8 {
            return Err(EXPECTED);
        }
        Password::try_from(text).map(Self).map_err(|_| EXPECTED)
    }
}

impl NewPassword {
    /// The password as it was typed, to compare it.
    pub(crate) fn into_typed(self) -> Password {
        self.0
    }

    /// Whether it is among what is guessed first by somebody who knows what is `told` about the account.
    fn is_common(&self, told: &[String]) -> bool {
        let told: Vec<&str> = told.iter().map(String::as_str).collect();
        let is_guessed = |text: &str| zxcvbn::zxcvbn(text, &told).guesses() < FEWEST_GUESSES;
        let text = &self.0.0;
        let (end_of_first, _) = text.char_indices().nth(JUDGED_CHARACTERS).unzip();
        let (start_of_last, _) = text.char_indices().nth_back(JUDGED_CHARACTERS - 1).unzip();
        is_guessed(&text[..end_of_first.unwrap_or(text.len())])
            && (end_of_first.is_none() || is_guessed(&text[start_of_last.unwrap_or(0)..]))
    }
}

impl utoipa::PartialSchema for Password {
    fn schema() -> RefOr<Schema> {
        schema(1).into()
    }
}

impl utoipa::ToSchema for Password {}

impl utoipa::PartialSchema for NewPassword {
    fn schema() -> RefOr<Schema> {
        schema(8).into()
    }
}

impl utoipa::ToSchema for NewPassword {}

fn schema(least: usize) -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Password)))
        .min_length(Some(least))
        .max_length(Some(128))
}

/// Whether a password was right, and whether its hash should be made anew.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Wrong, or there is no such account: indistinguishable, also in time.
    Wrong,
    /// Right.
    Right,
    /// Right, but hashed at another cost than is configured now.
    RightButOutdated,
}

/// Hashes passwords, a few at a time: each takes much memory and a processor for itself.
pub(crate) struct PasswordHashing {
    argon2: Argon2<'static>,
    cost: PasswordCost,
    turns: Arc<Semaphore>,
    /// One for each that hashes or queues.
    places: Arc<Semaphore>,
    clock: Arc<dyn Clock>,
    randomness: Arc<dyn Randomness>,
    /// Verified in place of a hash that does not exist: no password gives it, but trying takes as long.
    decoy: String,
}

impl PasswordHashing {
    /// Hashing at `cost`, on half of the processors at most.
    pub(crate) fn new(cost: PasswordCost, clock: Arc<dyn Clock>, randomness: Arc<dyn Randomness>) -> Self {
        let params = Params::new(cost.memory_kib, cost.passes, 1, None)
            .expect("the configuration bounds both within what Argon2 takes");
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let turns = (processors / 2).max(1);
        Self {
            argon2: Argon2::new(Algorithm::Argon2id, Version::V0x13, params),
            cost,
            turns: Arc::new(Semaphore::new(turns)),
            places: Arc::new(Semaphore::new(turns * (1 + QUEUE_PER_TURN))),
            clock,
            randomness,
            decoy: format!(
                "$argon2id$v=19$m={},t={},p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                cost.memory_kib, cost.passes
            ),
        }
    }

    /// The hash to store.
    pub(crate) async fn hash(&self, password: Password) -> Result<String, Problem> {
        let (argon2, salt) = (self.argon2.clone(), self.salt());
        self.in_turn(move || hashed(&argon2, &password, &salt)).await
    }

    /// The hash to store of a password that was just chosen, unless it is too common. What is `told` about the
    /// account, such as its username, is no password either.
    pub(crate) async fn hash_new(&self, password: NewPassword, told: Vec<String>) -> Result<String, Problem> {
        let (argon2, salt) = (self.argon2.clone(), self.salt());
        self.in_turn(move || {
            // Guessing takes a processor for a while as well: that is why it waits for its turn.
            if password.is_common(&told) {
                return Err(Code::PasswordCommon.into());
            }
            hashed(&argon2, &password.0, &salt)
        })
        .await
    }

    fn salt(&self) -> [u8; 16] {
        let mut salt = [0; 16];
        self.randomness.fill(&mut salt);
        salt
    }

    /// Compares with the stored hash; with a decoy if there is none, so that it takes as long.
    pub(crate) async fn verify(
        &self,
        password: Password,
        stored: Option<String>,
    ) -> Result<Verdict, Problem> {
        let exists = stored.is_some();
        let stored = stored.unwrap_or_else(|| self.decoy.clone());
        let argon2 = self.argon2.clone();
        let cost = self.cost;
        self.in_turn(move || {
            let hash = PasswordHash::new(&stored).map_err(Problem::internal)?;
            let right = argon2.verify_password(password.0.as_bytes(), &hash).is_ok();
            Ok(match (right && exists, is_current(&hash, cost)) {
                (false, _) => Verdict::Wrong,
                (true, true) => Verdict::Right,
                (true, false) => Verdict::RightButOutdated,
            })
        })
        .await
    }

    /// Runs `work` on a thread of its own when it is its turn.
    async fn in_turn<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let busy = |cause: &str| {
            Problem::new(Code::Unavailable)
                .detail("Too many people are signing in at this moment.")
                .retry_after_seconds(RETRY_AFTER_SECONDS)
                .cause(cause)
        };
        let place = self
            .places
            .clone()
            .try_acquire_owned()
            .map_err(|_| busy("the queue for hashing is full"))?;
        let turn = std::pin::pin!(self.turns.clone().acquire_owned());
        let too_long = self.clock.sleep_until(self.clock.now_millis() + QUEUE_MILLIS);
        let turn = match select(turn, too_long).await {
            Either::Left((Ok(turn), _)) => turn,
            Either::Left((Err(closed), _)) => return Err(Problem::internal(closed)),
            Either::Right(((), _)) => {
                return Err(busy("the queue for hashing is too slow"));
            }
        };
        let hashing = tokio::task::spawn_blocking(move || {
            let outcome = work();
            drop((turn, place));
            outcome
        });
        hashing.await.map_err(Problem::internal)?
    }
}

fn hashed(argon2: &Argon2<'_>, password: &Password, salt: &[u8]) -> Result<String, Problem> {
    argon2
        .hash_password_with_salt(password.0.as_bytes(), salt)
        .map(|hash: PasswordHash| hash.to_string())
        .map_err(Problem::internal)
}

fn is_current(hash: &PasswordHash, cost: PasswordCost) -> bool {
    hash.algorithm.as_str() == "argon2id"
        && hash.params.get_decimal("m") == Some(cost.memory_kib)
        && hash.params.get_decimal("t") == Some(cost.passes)
        && hash.params.get_decimal("p") == Some(1)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{NewPassword, Password, PasswordHashing, Verdict};
    use crate::clock::{ManualClock, SeededRandomness};
    use crate::config::PasswordCost;
    use crate::http::Code;

    fn hashing(passes: u32) -> PasswordHashing {
        // Far below the least cost: this tests the logic, not the strength.
        let cost = PasswordCost {
            memory_kib: 64,
            passes,
        };
        PasswordHashing::new(
            cost,
            Arc::new(ManualClock::at(0)),
            Arc::new(SeededRandomness::new(1)),
        )
    }

    fn password(text: &str) -> Password {
        text.to_owned().try_into().unwrap()
    }

    #[tokio::test]
    async fn the_right_password_is_told_from_others_and_from_none() {
        let hashing = hashing(1);
        let hash = hashing.hash(password("Zoe\u{308}'s own")).await.unwrap();
        assert!(hash.starts_with("$argon2id$"));
        let verify =
            |text: &str, stored: Option<&str>| hashing.verify(password(text), stored.map(str::to_owned));
        assert_eq!(
            verify("Zo\u{eb}'s own", Some(&hash)).await.unwrap(),
            Verdict::Right
        );
        assert_eq!(verify("another", Some(&hash)).await.unwrap(), Verdict::Wrong);
        assert_eq!(verify("no account has this", None).await.unwrap(), Verdict::Wrong);
    }

    #[tokio::test]
    async fn a_hash_at_another_cost_is_outdated() {
        let hash = hashing(1).hash(password("long ago")).await.unwrap();
        let verdict = hashing(2).verify(password("long ago"), Some(hash)).await.unwrap();
        assert_eq!(verdict, Verdict::RightButOutdated);
    }

    #[test]
    fn common_passwords_and_what_is_told_are_refused() {
        let told = ["Ann.Example".to_owned(), "Zaphod Quux".to_owned()];
        let is_common = |text: &str| NewPassword::try_from(text.to_owned()).unwrap().is_common(&told);
        for common in [
            "password1",
            "PASSWORD1",
            "P@ssw0rd",
            "12345678",
            "qwertyuiop",
            "aaaaaaaa",
            "ann.example",
            "Ann.Example1",
            "zaphod quux",
            &"p4ssw0rd".repeat(16),
        ] {
            assert!(is_common(common), "{common}");
        }
        for rare in [
            "twelve grey geese",
            "nine green herons",
            "xk7!Qm2#vT",
            "Kartoffelsuppe am See",
            &format!("{} twelve grey geese", "a".repeat(64)),
        ] {
            assert!(!is_common(rare), "{rare}");
        }
        assert!(NewPassword::try_from("short".to_owned()).is_err());
        assert!(NewPassword::try_from("x".repeat(129)).is_err());
    }

    #[tokio::test]
    async fn who_finds_the_queue_full_is_sent_away_at_once() {
        let hashing = hashing(1);
        let all = hashing.places.available_permits();
        let held = hashing
            .places
            .clone()
            .acquire_many_owned(u32::try_from(all).unwrap());
        let _held = held.await.unwrap();
        let refused = hashing.verify(password("whatever"), None).await.unwrap_err();
        assert_eq!(refused.code(), Code::Unavailable);
    }
}
