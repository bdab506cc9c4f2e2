//! The statements of this slice.

use sea_orm::{ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbErr, FromQueryResult};
use uuid::Uuid;

use super::names::{DeviceName, DisplayName, Locale, Username};
use super::player::{Me, PlayerKind};
use crate::db::sql;
use crate::http::Timestamp;
use crate::ids::{PlayerId, SessionId};

/// A player's row, as far as the player sees it.
#[derive(Debug, FromQueryResult)]
struct PlayerRow {
    id: Uuid,
    kind: i16,
    username_shown: Option<String>,
    display_name: String,
    locale: String,
    created_at: i64,
}

impl From<PlayerRow> for Me {
    fn from(row: PlayerRow) -> Self {
        let PlayerRow {
            id,
            kind,
            username_shown,
            display_name,
            locale,
            created_at,
        } = row;
        Self {
            player_id: id.into(),
            kind: PlayerKind::of(kind),
            username: username_shown,
            display_name,
            locale,
            created_at: Timestamp(created_at),
        }
    }
}

/// What a new player brings.
pub(super) struct NewPlayer {
    pub(super) id: PlayerId,
    pub(super) display_name: DisplayName,
    pub(super) locale: Locale,
    /// Username and password hash of a registered player.
    pub(super) credentials: Option<(Username, String)>,
    pub(super) created_at: i64,
}

/// Stores a new player.
pub(super) async fn insert_player(
    connection: &impl ConnectionTrait,
    player: &NewPlayer,
) -> Result<Me, DbErr> {
    let NewPlayer {
        id,
        display_name,
        locale,
        credentials,
        created_at,
    } = player;
    let kind = if credentials.is_some() {
        PlayerKind::Registered
    } else {
        PlayerKind::Guest
    };
    let (username, hash) = credentials
        .as_ref()
        .map(|(username, hash)| (username, hash.clone()))
        .unzip();
    let statement = sql(
        connection,
        "INSERT INTO players (id, kind, username, username_shown, display_name, locale, password_hash, revision,
             created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, 1, $8)",
        [
            id.as_uuid().into(),
            kind.number().into(),
            username.map(Username::folded).into(),
            username.map(|username| username.as_str().to_owned()).into(),
            display_name.as_str().into(),
            locale.as_str().into(),
            hash.into(),
            (*created_at).into(),
        ],
    );
    connection.execute_raw(statement).await?;
    Ok(Me {
        player_id: *id,
        kind,
        username: username.map(|username| username.as_str().to_owned()),
        display_name: display_name.as_str().to_owned(),
        locale: locale.as_str().to_owned(),
        created_at: Timestamp(*created_at),
    })
}

/// The player, unless erased.
pub(super) async fn player(connection: &impl ConnectionTrait, id: PlayerId) -> Result<Option<Me>, DbErr> {
    let statement = sql(
        connection,
        "SELECT id, kind, username_shown, display_name, locale, created_at FROM players
         WHERE id = $1 AND erased_at IS NULL",
        [id.as_uuid().into()],
    );
    Ok(PlayerRow::find_by_statement(statement)
        .one(connection)
        .await?
        .map(Me::from))
}

/// What a sign-in is judged by.
#[derive(Debug, FromQueryResult)]
pub(super) struct CredentialsRow {
    pub(super) id: Uuid,
    pub(super) password_hash: String,
}

/// The credentials under a folded username.
pub(super) async fn credentials(
    connection: &impl ConnectionTrait,
    folded_username: &str,
) -> Result<Option<CredentialsRow>, DbErr> {
    let statement = sql(
        connection,
        "SELECT id, password_hash FROM players
         WHERE username = $1 AND password_hash IS NOT NULL AND erased_at IS NULL",
        [folded_username.into()],
    );
    CredentialsRow::find_by_statement(statement).one(connection).await
}

/// Replaces a password hash by one at another cost, unless the password was changed meanwhile.
pub(super) async fn replace_hash(
    connection: &impl ConnectionTrait,
    id: PlayerId,
    old: &str,
    new: &str,
) -> Result<(), DbErr> {
    let statement = sql(
        connection,
        "UPDATE players SET password_hash = $3 WHERE id = $1 AND password_hash = $2",
        [id.as_uuid().into(), old.into(), new.into()],
    );
    connection.execute_raw(statement).await.map(|_| ())
}

/// What a new session brings.
pub(super) struct NewSession<'a> {
    pub(super) id: SessionId,
    pub(super) player_id: PlayerId,
    pub(super) device_name: Option<&'a DeviceName>,
    pub(super) salt: &'a [u8],
    pub(super) created_at: i64,
    pub(super) expires_at: i64,
}

/// Stores a new session.
pub(super) async fn insert_session(
    transaction: &DatabaseTransaction,
    session: &NewSession<'_>,
) -> Result<(), DbErr> {
    let NewSession {
        id,
        player_id,
        device_name,
        salt,
        created_at,
        expires_at,
    } = session;
    let statement = sql(
        transaction,
        "INSERT INTO sessions (id, player_id, device_name, salt, created_at, last_seen_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $5, $6)",
        [
            id.as_uuid().into(),
            player_id.as_uuid().into(),
            device_name.map(|name| name.as_str().to_owned()).into(),
            salt.to_vec().into(),
            (*created_at).into(),
            (*expires_at).into(),
        ],
    );
    transaction.execute_raw(statement).await.map(|_| ())
}

/// Stores a refresh token; storing the same one again changes nothing.
pub(super) async fn insert_refresh_token(
    transaction: &DatabaseTransaction,
    hash: &[u8],
    session_id: SessionId,
    generation: i64,
    issued_at: i64,
) -> Result<(), DbErr> {
    let statement = sql(
        transaction,
        "INSERT INTO refresh_tokens (hash, session_id, generation, issued_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (hash) DO NOTHING",
        [
            hash.to_vec().into(),
            session_id.as_uuid().into(),
            generation.into(),
            issued_at.into(),
        ],
    );
    transaction.execute_raw(statement).await.map(|_| ())
}

/// A refresh token with its session.
#[derive(Debug, FromQueryResult)]
pub(super) struct RefreshRow {
    pub(super) session_id: Uuid,
    pub(super) player_id: Uuid,
    pub(super) salt: Vec<u8>,
    pub(super) generation: i64,
    pub(super) spent_at: Option<i64>,
    pub(super) successor_used_at: Option<i64>,
    pub(super) expires_at: i64,
    pub(super) revoked_at: Option<i64>,
}

/// The refresh token with this hash. On Postgres its session is locked: two refreshes take turns.
pub(super) async fn refresh_token(
    transaction: &DatabaseTransaction,
    hash: &[u8],
) -> Result<Option<RefreshRow>, DbErr> {
    const QUERY: &str =
        "SELECT t.session_id, s.player_id, s.salt, t.generation, t.spent_at, t.successor_used_at,
             s.expires_at, s.revoked_at
         FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id
         WHERE t.hash = $1";
    let on_postgres = transaction.get_database_backend() == sea_orm::DbBackend::Postgres;
    // Locked first and read afterwards: what was read while waiting for a lock would be old.
    if on_postgres {
        let lock = sql(
            transaction,
            "SELECT s.id FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id WHERE t.hash = $1 FOR UPDATE OF s",
            [hash.to_vec().into()],
        );
        transaction.query_one_raw(lock).await?;
    }
    RefreshRow::find_by_statement(sql(transaction, QUERY, [hash.to_vec().into()]))
        .one(transaction)
        .await
}

/// Marks a refresh token as spent and its predecessor's successor as used.
pub(super) async fn spend(
    transaction: &DatabaseTransaction,
    hash: &[u8],
    session_id: SessionId,
    generation: i64,
    now: i64,
) -> Result<(), DbErr> {
    let spent = sql(
        transaction,
        "UPDATE refresh_tokens SET spent_at = $2 WHERE hash = $1 AND spent_at IS NULL",
        [hash.to_vec().into(), now.into()],
    );
    transaction.execute_raw(spent).await?;
    let used = sql(
        transaction,
        "UPDATE refresh_tokens SET successor_used_at = $3
         WHERE session_id = $1 AND generation = $2 AND successor_used_at IS NULL",
        [session_id.as_uuid().into(), (generation - 1).into(), now.into()],
    );
    transaction.execute_raw(used).await.map(|_| ())
}

/// Forgets tokens of a session that were spent before `before`: they are refused as unknown from now on.
pub(super) async fn forget_spent(
    transaction: &DatabaseTransaction,
    session_id: SessionId,
    before: i64,
) -> Result<(), DbErr> {
    let statement = sql(
        transaction,
        "DELETE FROM refresh_tokens WHERE session_id = $1 AND spent_at < $2 AND successor_used_at < $2",
        [session_id.as_uuid().into(), before.into()],
    );
    transaction.execute_raw(statement).await.map(|_| ())
}

/// Notes that a session was used.
pub(super) async fn touch_session(
    transaction: &DatabaseTransaction,
    session_id: SessionId,
    now: i64,
    expires_at: i64,
) -> Result<(), DbErr> {
    let statement = sql(
        transaction,
        "UPDATE sessions SET last_seen_at = $2, expires_at = $3 WHERE id = $1",
        [session_id.as_uuid().into(), now.into(), expires_at.into()],
    );
    transaction.execute_raw(statement).await.map(|_| ())
}

/// Ends a session; ending it again changes nothing.
pub(super) async fn revoke_session(
    connection: &impl ConnectionTrait,
    session_id: SessionId,
    now: i64,
) -> Result<(), DbErr> {
    let statement = sql(
        connection,
        "UPDATE sessions SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL",
        [session_id.as_uuid().into(), now.into()],
    );
    connection.execute_raw(statement).await.map(|_| ())
}

#[derive(Debug, FromQueryResult)]
struct SessionRow {
    id: Uuid,
}

/// The session a refresh token belongs to.
pub(super) async fn session_of_token(
    connection: &impl ConnectionTrait,
    hash: &[u8],
) -> Result<Option<SessionId>, DbErr> {
    let statement = sql(
        connection,
        "SELECT session_id AS id FROM refresh_tokens WHERE hash = $1",
        [hash.to_vec().into()],
    );
    Ok(SessionRow::find_by_statement(statement)
        .one(connection)
        .await?
        .map(|row| row.id.into()))
}

/// Whether a session has not been revoked.
pub(super) async fn is_live(connection: &DatabaseConnection, session_id: SessionId) -> Result<bool, DbErr> {
    let statement = sql(
        connection,
        "SELECT id FROM sessions WHERE id = $1 AND revoked_at IS NULL",
        [session_id.as_uuid().into()],
    );
    Ok(SessionRow::find_by_statement(statement)
        .one(connection)
        .await?
        .is_some())
}

/// The sessions revoked at or after `since`.
pub(super) async fn revoked_since(
    connection: &DatabaseConnection,
    since: i64,
) -> Result<Vec<SessionId>, DbErr> {
    let statement = sql(
        connection,
        "SELECT id FROM sessions WHERE revoked_at IS NOT NULL AND revoked_at >= $1",
        [since.into()],
    );
    let rows = SessionRow::find_by_statement(statement).all(connection).await?;
    Ok(rows.into_iter().map(|row| row.id.into()).collect())
}
