//! What an operator does with the keys, from the command line.
//!
//! Rotating by hand is safe beside running instances: they take the new key up within a minute, and the old one
//! goes on being believed for longer than any token lives. Resealing is not, because a running instance would go
//! on sealing with the old key: it refuses to begin while one is connected.

use std::path::PathBuf;

use sea_orm::{ConnectionTrait, DbErr, FromQueryResult};
use uuid::Uuid;

use super::keys::{self, KEYS_LOCK, KeyError, Purpose, ensure_key};
use crate::application::{BuildError, open_seal};
use crate::config::{Config, DatabaseLocation};
use crate::db::{self, Database, OpenError, Transaction, sql};
use crate::http::Timestamp;
use crate::parts::Parts;
use crate::seal::{self, Seal, SealKeyFileError};

/// Why a command about keys was not carried out. Nothing was changed then.
#[derive(Debug, thiserror::Error)]
pub enum KeyCommandError {
    /// The database or the present seal key cannot be used.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The signing keys cannot be used.
    #[error(transparent)]
    Keys(#[from] KeyError),
    /// No new seal key was given.
    #[error("SEAL_KEY_NEW is required: the 64 hex digits to seal with from now on")]
    NewKeyMissing,
    /// Others would go on sealing with the old key.
    #[error(
        "{connections} connections of running instances: stop them first, and start them with the new key"
    )]
    InUse {
        /// How many.
        connections: i64,
    },
    /// A seed was sealed with another key.
    #[error("cannot open the seed of match {match_id}: {source}; nothing was changed")]
    Seed {
        /// The match.
        match_id: Uuid,
        /// What sealing says.
        source: seal::SealBroken,
    },
    /// The file with the new key cannot be written.
    #[error(transparent)]
    File(#[from] SealKeyFileError),
}

impl From<DbErr> for KeyCommandError {
    fn from(error: DbErr) -> Self {
        Self::Keys(error.into())
    }
}

impl From<OpenError> for KeyCommandError {
    fn from(error: OpenError) -> Self {
        Self::Build(error.into())
    }
}

/// One line per key: what it signs, its name, and since when.
///
/// # Errors
///
/// [`KeyCommandError`], also when a key does not open.
pub async fn list(config: &Config, parts: &Parts) -> Result<String, KeyCommandError> {
    let database = Database::open(config).await?;
    let seal = open_seal(config, &database, &*parts.randomness).await?;
    let mut lines = String::new();
    for purpose in Purpose::ALL {
        for key in keys::load(database.read(), &seal, purpose).await? {
            let made = Timestamp(key.created_at);
            let state = match key.retired_at {
                None => "signs".to_owned(),
                Some(at) => format!("retired at {}", Timestamp(at)),
            };
            lines.push_str(&format!(
                "{} {} made at {made}, {state}\n",
                purpose.name(),
                key.kid
            ));
        }
    }
    database.close().await;
    Ok(lines)
}

/// Makes a new key that signs from now on, and tells its name. For `record` instead of access tokens if asked.
///
/// # Errors
///
/// [`KeyCommandError`]; no key was made then.
pub async fn rotate(config: &Config, parts: &Parts, record: bool) -> Result<String, KeyCommandError> {
    let database = Database::open(config).await?;
    let seal = open_seal(config, &database, &*parts.randomness).await?;
    let purpose = if record { Purpose::Record } else { Purpose::Access };
    // No key is as young as this, so a new one is made in any case.
    let youngest = i64::MAX;
    let keys = ensure_key(
        &database,
        &seal,
        &parts.clock,
        &parts.randomness,
        purpose,
        youngest,
    )
    .await?;
    database.close().await;
    Ok(keys.first().map(|key| key.kid.clone()).unwrap_or_default())
}

/// How much was sealed with the new key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Resealed {
    /// Signing keys.
    pub keys: usize,
    /// Seeds of matches.
    pub seeds: usize,
}

/// Seals everything with `SEAL_KEY_NEW`, in one transaction, and keeps the new key where the old one was kept if
/// that is a file.
///
/// What the new key opens already is left as it is, so that the command can be repeated after an interruption.
///
/// # Errors
///
/// [`KeyCommandError`]; everything is sealed as before then.
pub async fn reseal(config: &Config, parts: &Parts) -> Result<Resealed, KeyCommandError> {
    let new_key = config
        .seal_key_new
        .clone()
        .ok_or(KeyCommandError::NewKeyMissing)?;
    let alone = Config {
        pool_size: 1,
        ..config.clone()
    };
    let database = Database::open(&alone).await?;
    refuse_beside_others(&database).await?;
    let new = Seal::new(&new_key);
    let old = open_seal(config, &database, &*parts.randomness).await?;
    let key_file = key_file(config);
    if let Some(path) = &key_file {
        // Written before anything is sealed with it: a crash must not lose the only copy.
        seal::write_next_key(path, &new_key)?;
    }
    let transaction = database.transaction().await?;
    database.lock(&transaction, KEYS_LOCK).await?;
    let both = Both { old, new };
    let resealed = Resealed {
        keys: reseal_keys(&transaction, &both, parts).await?,
        seeds: reseal_seeds(&transaction, &both, parts).await?,
    };
    transaction.commit().await?;
    if let Some(path) = &key_file {
        seal::adopt_next_key(path)?;
    }
    database.close().await;
    Ok(resealed)
}

/// Where the present key is kept, unless the environment gives it.
fn key_file(config: &Config) -> Option<PathBuf> {
    match (&config.seal_key, &config.database) {
        (None, DatabaseLocation::Sqlite(path)) => Some(db::beside(path, "seal-key")),
        (Some(_), DatabaseLocation::Sqlite(_)) | (_, DatabaseLocation::Postgres(_)) => None,
    }
}

/// A file is locked by whoever has it open; on Postgres other instances are found by the name they give.
async fn refuse_beside_others(database: &Database) -> Result<(), KeyCommandError> {
    if !database.is_postgres() {
        return Ok(());
    }
    let connection = database.read();
    let statement = sql(
        connection,
        "SELECT COUNT(*) AS connections FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'quartett' AND pid <> pg_backend_pid()",
        [],
    );
    let row = connection.query_one_raw(statement).await?;
    match row.map(|row| row.try_get("", "connections")).transpose()? {
        None | Some(0_i64) => Ok(()),
        Some(connections) => Err(KeyCommandError::InUse { connections }),
    }
}

struct Both {
    old: Seal,
    new: Seal,
}

impl Both {
    /// What was sealed, sealed anew; `None` if it is sealed with the new key already.
    fn turn(
        &self,
        parts: &Parts,
        table: &str,
        row_id: &[u8],
        sealed: &[u8],
    ) -> Result<Option<Vec<u8>>, seal::SealBroken> {
        match self.old.open(table, row_id, sealed) {
            Ok(plain) => Ok(Some(self.new.seal(&*parts.randomness, table, row_id, &plain))),
            Err(broken) => match self.new.open(table, row_id, sealed) {
                Ok(_) => Ok(None),
                Err(_) => Err(broken),
            },
        }
    }
}

#[derive(FromQueryResult)]
struct SealedKey {
    id: String,
    sealed_private: Vec<u8>,
}

async fn reseal_keys(
    transaction: &Transaction,
    both: &Both,
    parts: &Parts,
) -> Result<usize, KeyCommandError> {
    let select = sql(transaction, "SELECT id, sealed_private FROM keys", []);
    let mut count = 0;
    for SealedKey { id, sealed_private } in SealedKey::find_by_statement(select).all(transaction).await? {
        let turned = both
            .turn(parts, keys::TABLE, id.as_bytes(), &sealed_private)
            .map_err(|source| KeyError::Sealed {
                kid: id.clone(),
                source,
            })?;
        if let Some(sealed) = turned {
            let update = sql(
                transaction,
                "UPDATE keys SET sealed_private = $2 WHERE id = $1",
                [id.into(), sealed.into()],
            );
            transaction.execute_raw(update).await?;
            count += 1;
        }
    }
    Ok(count)
}

#[derive(FromQueryResult)]
struct SealedSeed {
    match_id: Uuid,
    sealed_seed: Vec<u8>,
}

/// The table of the seeds of running matches, as sealed values are bound to it; the row is the match id's bytes.
const SEEDS: &str = "match_secrets";

async fn reseal_seeds(
    transaction: &Transaction,
    both: &Both,
    parts: &Parts,
) -> Result<usize, KeyCommandError> {
    let select = sql(transaction, "SELECT match_id, sealed_seed FROM match_secrets", []);
    let mut count = 0;
    let rows = SealedSeed::find_by_statement(select).all(transaction).await?;
    for SealedSeed {
        match_id,
        sealed_seed,
    } in rows
    {
        let turned = both
            .turn(parts, SEEDS, match_id.as_bytes(), &sealed_seed)
            .map_err(|source| KeyCommandError::Seed { match_id, source })?;
        if let Some(sealed) = turned {
            let update = sql(
                transaction,
                "UPDATE match_secrets SET sealed_seed = $2 WHERE match_id = $1",
                [match_id.into(), sealed.into()],
            );
            transaction.execute_raw(update).await?;
            count += 1;
        }
    }
    Ok(count)
}
