//! Access tokens: short-lived JWTs signed with EdDSA, checked without a query.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, PoisonError, RwLock};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::pkcs8::EncodePrivateKey;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use lru::LruCache;
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;

use super::keys::{self, KeyError, Purpose, StoredKey, ensure_key};
use crate::app::App;
use crate::clock::{Clock, Randomness};
use crate::db::Database;
use crate::http::{Code, Problem};
use crate::ids::{PlayerId, SessionId};
use crate::seal::Seal;

/// How long an access token is good for.
pub(super) const LIFETIME_SECONDS: u32 = 15 * 60;

/// For whom tokens are made: this service's API.
const AUDIENCE: &str = "quartett-api";

/// A signing key is replaced after this long.
const ROTATION_MILLIS: i64 = 30 * 24 * 3_600_000;

/// How often it is looked whether a key is due, and whether another instance or an operator made one: a retired
/// key signs here no longer than this.
const ROTATION_CHECK_MILLIS: i64 = 60_000;

/// A retired key is believed for this long: longer than a token lives and an instance goes on signing with it.
const RETIRED_MILLIS: i64 = LIFETIME_SECONDS as i64 * 2000;

/// A token may have been made this far in the future: the clocks of instances differ a little. When it expires is
/// judged without any leeway.
const LEEWAY_MILLIS: i64 = 60_000;

/// An unknown key makes an instance look for new ones, but not more often than this: anybody can name one.
const RELOAD_MILLIS: i64 = 1_000;

/// So many tokens are remembered as good, those of whoever asked last.
const PROVEN_MAX: NonZeroUsize = NonZeroUsize::new(20_000).expect("not zero");

/// What a token says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Claims {
    iss: String,
    aud: String,
    sub: PlayerId,
    sid: SessionId,
    iat: i64,
    exp: i64,
}

/// Who a valid token names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bearer {
    pub(super) player_id: PlayerId,
    pub(super) session_id: SessionId,
    pub(super) expires_at: i64,
}

/// What a token proves, apart from the time: that passes.
#[derive(Debug, Clone, Copy)]
struct Proven {
    bearer: Bearer,
    issued_at: i64,
}

/// Makes and checks access tokens.
pub(crate) struct Tokens {
    database: Database,
    seal: Arc<Seal>,
    clock: Arc<dyn Clock>,
    randomness: Arc<dyn Randomness>,
    issuer: String,
    validation: Validation,
    keyring: RwLock<Arc<Keyring>>,
    reloaded_at: Mutex<i64>,
}

/// The keys in use.
struct Keyring {
    kid: String,
    signing: EncodingKey,
    verifying: HashMap<String, DecodingKey>,
    public: Vec<PublicKey>,
    /// Tokens found to be good, by their whole text: a signature costs as much as the rest of a request, and a
    /// player sends the same token with each. Gone with the keys that were believed.
    proven: std::sync::Mutex<LruCache<String, Proven>>,
}

/// The public half of a key, as a JSON Web Key has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PublicKey {
    pub(crate) kid: String,
    pub(crate) x: String,
}

impl Keyring {
    /// `keys` begin with the newest, which signs.
    fn new(keys: &[StoredKey]) -> Result<Self, KeyError> {
        let newest = keys.first().ok_or_else(|| KeyError::Malformed {
            kid: "none".to_owned(),
        })?;
        let malformed = |key: &StoredKey| KeyError::Malformed { kid: key.kid.clone() };
        let der = newest.signing.to_pkcs8_der().map_err(|_| malformed(newest))?;
        let public: Vec<PublicKey> = keys
            .iter()
            .map(|key| PublicKey {
                kid: key.kid.clone(),
                x: URL_SAFE_NO_PAD.encode(key.signing.verifying_key().as_bytes()),
            })
            .collect();
        let verifying = public
            .iter()
            .zip(keys)
            .map(|(public, key)| {
                let decoding = DecodingKey::from_ed_components(&public.x).map_err(|_| malformed(key))?;
                Ok((public.kid.clone(), decoding))
            })
            .collect::<Result<_, KeyError>>()?;
        Ok(Self {
            kid: newest.kid.clone(),
            signing: EncodingKey::from_ed_der(der.as_bytes()),
            verifying,
            public,
            proven: std::sync::Mutex::new(LruCache::new(PROVEN_MAX)),
        })
    }

    /// What a token was found to prove.
    fn proven(&self, token: &str) -> Option<Proven> {
        let mut proven = self.proven.lock().unwrap_or_else(PoisonError::into_inner);
        proven.get(token).copied()
    }

    fn remember(&self, token: &str, found: Proven) {
        let mut proven = self.proven.lock().unwrap_or_else(PoisonError::into_inner);
        proven.put(token.to_owned(), found);
    }
}

impl Tokens {
    /// Loads the keys, or makes the first one.
    pub(crate) async fn open(
        database: &Database,
        seal: &Arc<Seal>,
        clock: Arc<dyn Clock>,
        randomness: Arc<dyn Randomness>,
        issuer: &str,
    ) -> Result<Self, KeyError> {
        let keys = ensure_key(database, seal, &clock, &randomness, Purpose::Access, i64::MIN).await?;
        let mut validation = Validation::new(Algorithm::EdDSA);
        validation.set_issuer(&[issuer]);
        validation.set_audience(&[AUDIENCE]);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        // Judged below by the clock that everything else goes by; the library would read the machine's.
        validation.validate_exp = false;
        Ok(Self {
            database: database.clone(),
            seal: seal.clone(),
            clock,
            randomness,
            issuer: issuer.to_owned(),
            validation,
            keyring: RwLock::new(Arc::new(Keyring::new(&keys)?)),
            reloaded_at: Mutex::new(i64::MIN),
        })
    }

    /// A token for a session of a player.
    pub(super) fn issue(&self, player_id: PlayerId, session_id: SessionId) -> Result<String, Problem> {
        let now_seconds = self.clock.now_millis().div_euclid(1000);
        let claims = Claims {
            iss: self.issuer.clone(),
            aud: AUDIENCE.to_owned(),
            sub: player_id,
            sid: session_id,
            iat: now_seconds,
            exp: now_seconds + i64::from(LIFETIME_SECONDS),
        };
        let keyring = self.keyring();
        let mut header = Header::new(Algorithm::EdDSA);
        header.kid = Some(keyring.kid.clone());
        jsonwebtoken::encode(&header, &claims, &keyring.signing).map_err(Problem::internal)
    }

    /// Who a token names, expired or not.
    pub(super) async fn read(&self, token: &str) -> Result<Bearer, Problem> {
        let proven = match self.keyring().proven(token) {
            Some(proven) => proven,
            None => self.prove(token).await?,
        };
        if proven.issued_at > self.clock.now_millis() + LEEWAY_MILLIS {
            return Err(Problem::new(Code::TokenInvalid).cause("made in the future"));
        }
        Ok(proven.bearer)
    }

    /// Checks a token against the keys.
    async fn prove(&self, token: &str) -> Result<Proven, Problem> {
        let invalid = |cause: jsonwebtoken::errors::Error| Problem::new(Code::TokenInvalid).cause(cause);
        let header = jsonwebtoken::decode_header(token).map_err(invalid)?;
        let kid = header.kid.ok_or(Code::TokenInvalid)?;
        let mut keyring = self.keyring();
        if !keyring.verifying.contains_key(&kid) {
            self.reload().await?;
            keyring = self.keyring();
        }
        let key = keyring.verifying.get(&kid).ok_or(Code::TokenInvalid)?;
        let claims = jsonwebtoken::decode::<Claims>(token, key, &self.validation)
            .map_err(invalid)?
            .claims;
        let proven = Proven {
            bearer: Bearer {
                player_id: claims.sub,
                session_id: claims.sid,
                expires_at: claims.exp.saturating_mul(1000),
            },
            issued_at: claims.iat.saturating_mul(1000),
        };
        keyring.remember(token, proven);
        Ok(proven)
    }

    /// The public halves, for whoever wants to check tokens.
    pub(super) fn public_keys(&self) -> Vec<PublicKey> {
        self.keyring().public.clone()
    }

    fn keyring(&self) -> Arc<Keyring> {
        self.keyring
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn replace(&self, keys: &[StoredKey]) -> Result<(), KeyError> {
        *self.keyring.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(Keyring::new(keys)?);
        Ok(())
    }

    /// Another instance may have made a key since.
    async fn reload(&self) -> Result<(), Problem> {
        let mut reloaded_at = self.reloaded_at.lock().await;
        let now = self.clock.now_millis();
        if now.saturating_sub(*reloaded_at) < RELOAD_MILLIS {
            return Ok(());
        }
        *reloaded_at = now;
        let keys = keys::load(self.database.read(), &self.seal, Purpose::Access)
            .await
            .map_err(problem)?;
        self.replace(&keys).map_err(problem)
    }

    /// Replaces an old signing key and drops those that no token can name any more.
    async fn rotate(&self) -> Result<(), KeyError> {
        let now = self.clock.now_millis();
        let oldest = now - ROTATION_MILLIS;
        let keys = ensure_key(
            &self.database,
            &self.seal,
            &self.clock,
            &self.randomness,
            Purpose::Access,
            oldest,
        )
        .await?;
        let gone = now - RETIRED_MILLIS;
        keys::drop_access_keys_retired_before(&self.database, gone).await?;
        let living: Vec<StoredKey> = keys
            .into_iter()
            .filter(|key| key.retired_at.is_none_or(|at| at >= gone))
            .collect();
        self.replace(&living)
    }
}

fn problem(error: KeyError) -> Problem {
    match error {
        KeyError::Database(error) => error.into(),
        KeyError::Sealed { .. } | KeyError::Malformed { .. } => Problem::internal(error),
    }
}

/// Rotates the signing keys as long as the service runs.
pub(crate) async fn rotate_keys(app: App) {
    loop {
        let began_millis = app.now_millis();
        if let Err(error) = app.tokens.rotate().await {
            tracing::warn!(%error, "signing keys were not rotated");
        }
        let next = app.clock.sleep_until(began_millis + ROTATION_CHECK_MILLIS);
        futures_util::future::select(std::pin::pin!(app.shutdown.begun()), next).await;
        if app.shutdown.has_begun() {
            return;
        }
    }
}
