//! The keys that sign for the service. They live in the database, so that every instance signs alike; their
//! private halves are sealed.

use std::sync::Arc;

use ed25519_dalek::SigningKey;
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult};
use sha2::{Digest, Sha256};

use crate::clock::{Clock, Randomness};
use crate::db::{Database, Transaction, sql};
use crate::seal::{Seal, SealBroken};

/// The table, as sealed values are bound to it.
pub(super) const TABLE: &str = "keys";

/// The lock under which instances that need a new key take turns.
pub(super) const KEYS_LOCK: i64 = 0x0071_6b65_7973;

/// What a key signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Access tokens. Rotated; old ones are dropped.
    Access,
    /// The heads of ended matches. Their public halves are served for ever.
    Record,
}

impl Purpose {
    /// Every purpose.
    pub(super) const ALL: [Self; 2] = [Self::Access, Self::Record];

    /// As it is stored.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Access => "access",
            Self::Record => "record",
        }
    }
}

/// Why the keys cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The database does not answer.
    #[error("cannot read the keys: {0}")]
    Database(#[from] DbErr),
    /// They were sealed with another key.
    #[error("cannot open signing key {kid}: {source}; nothing was changed")]
    Sealed {
        /// The key's name.
        kid: String,
        /// What sealing says.
        source: SealBroken,
    },
    /// What was sealed is no key.
    #[error("signing key {kid} is malformed")]
    Malformed {
        /// The key's name.
        kid: String,
    },
}

/// A signing key with its name.
#[derive(Clone)]
pub(crate) struct StoredKey {
    /// The `kid`.
    pub(crate) kid: String,
    /// Signs.
    pub(crate) signing: SigningKey,
    /// When it was made.
    pub(crate) created_at: i64,
    /// When a newer one took over.
    pub(crate) retired_at: Option<i64>,
}

#[derive(Debug, FromQueryResult)]
struct KeyRow {
    id: String,
    sealed_private: Vec<u8>,
    created_at: i64,
    retired_at: Option<i64>,
}

/// Whether the database holds any key, and so anything sealed.
pub(crate) async fn any_keys(database: &Database) -> Result<bool, KeyError> {
    let connection = database.read();
    Ok(connection
        .query_one_raw(sql(connection, "SELECT id FROM keys LIMIT 1", []))
        .await?
        .is_some())
}

/// Every key of a purpose, the newest first.
pub(crate) async fn load(
    connection: &impl ConnectionTrait,
    seal: &Seal,
    purpose: Purpose,
) -> Result<Vec<StoredKey>, KeyError> {
    let statement = sql(
        connection,
        "SELECT id, sealed_private, created_at, retired_at FROM keys WHERE purpose = $1 ORDER BY created_at DESC, id",
        [purpose.name().into()],
    );
    KeyRow::find_by_statement(statement)
        .all(connection)
        .await?
        .into_iter()
        .map(|row| open(seal, row))
        .collect()
}

fn open(seal: &Seal, row: KeyRow) -> Result<StoredKey, KeyError> {
    let KeyRow {
        id: kid,
        sealed_private,
        created_at,
        retired_at,
    } = row;
    let private = seal
        .open(TABLE, kid.as_bytes(), &sealed_private)
        .map_err(|source| KeyError::Sealed {
            kid: kid.clone(),
            source,
        })?;
    match <[u8; 32]>::try_from(private) {
        Ok(private) => Ok(StoredKey {
            signing: SigningKey::from_bytes(&private),
            kid,
            created_at,
            retired_at,
        }),
        Err(_) => Err(KeyError::Malformed { kid }),
    }
}

/// Every key of a purpose, the newest first, after making one if there is none younger than `youngest_created_at`.
///
/// Instances that start together agree on one key: they take turns, and the second finds the first one's.
pub(crate) async fn ensure_key(
    database: &Database,
    seal: &Seal,
    clock: &Arc<dyn Clock>,
    randomness: &Arc<dyn Randomness>,
    purpose: Purpose,
    youngest_created_at: i64,
) -> Result<Vec<StoredKey>, KeyError> {
    let transaction = database.transaction().await?;
    database.lock(&transaction, KEYS_LOCK).await?;
    let mut keys = load(&transaction, seal, purpose).await?;
    if keys
        .first()
        .is_none_or(|newest| newest.created_at < youngest_created_at)
    {
        let now = clock.now_millis();
        let mut private = [0; 32];
        randomness.fill(&mut private);
        let signing = SigningKey::from_bytes(&private);
        let public = signing.verifying_key().to_bytes();
        let kid = hex::encode(&Sha256::digest(public)[..8]);
        let sealed = seal.seal(&**randomness, TABLE, kid.as_bytes(), &private);
        insert(&transaction, &kid, purpose, &public, sealed, now).await?;
        for older in &mut keys {
            older.retired_at.get_or_insert(now);
        }
        keys.insert(
            0,
            StoredKey {
                kid,
                signing,
                created_at: now,
                retired_at: None,
            },
        );
    }
    transaction.commit().await?;
    Ok(keys)
}

async fn insert(
    transaction: &Transaction,
    kid: &str,
    purpose: Purpose,
    public: &[u8],
    sealed: Vec<u8>,
    now: i64,
) -> Result<(), DbErr> {
    let retire = sql(
        transaction,
        "UPDATE keys SET retired_at = $2 WHERE purpose = $1 AND retired_at IS NULL",
        [purpose.name().into(), now.into()],
    );
    transaction.execute_raw(retire).await?;
    let insert = sql(
        transaction,
        "INSERT INTO keys (id, purpose, public_key, sealed_private, created_at) VALUES ($1, $2, $3, $4, $5)",
        [
            kid.into(),
            purpose.name().into(),
            public.to_vec().into(),
            sealed.into(),
            now.into(),
        ],
    );
    transaction.execute_raw(insert).await.map(|_| ())
}

/// Drops access keys that no living token can name.
pub(crate) async fn drop_access_keys_retired_before(database: &Database, before: i64) -> Result<(), DbErr> {
    let connection = database.write();
    let statement = sql(
        connection,
        "DELETE FROM keys WHERE purpose = $1 AND retired_at < $2",
        [Purpose::Access.name().into(), before.into()],
    );
    connection.execute_raw(statement).await.map(|_| ())
}
