//! Players and what they sign in with.

use sea_orm::{ConnectionTrait, DbErr, FromQueryResult};
use uuid::Uuid;

use crate::accounts::names::{DisplayName, Locale, Username};
use crate::accounts::player::{Me, Player, PlayerKind};
use crate::db::{Transaction, sql};
use crate::http::Timestamp;
use crate::ids::PlayerId;

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
pub(crate) struct NewPlayer {
    pub(crate) id: PlayerId,
    pub(crate) display_name: DisplayName,
    pub(crate) locale: Locale,
    /// Username and password hash of a registered player.
    pub(crate) credentials: Option<(Username, String)>,
    pub(crate) created_at: i64,
}

/// Stores a new player.
pub(crate) async fn insert_player(
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
pub(crate) async fn player(connection: &impl ConnectionTrait, id: PlayerId) -> Result<Option<Me>, DbErr> {
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
pub(crate) struct CredentialsRow {
    pub(crate) id: Uuid,
    pub(crate) password_hash: String,
}

/// The credentials under a folded username.
pub(crate) async fn credentials(
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

/// What the player signs in with; `None` for a guest.
pub(crate) async fn credentials_of(
    connection: &impl ConnectionTrait,
    id: PlayerId,
) -> Result<Option<OwnCredentials>, DbErr> {
    let statement = sql(
        connection,
        "SELECT username, password_hash FROM players
         WHERE id = $1 AND username IS NOT NULL AND password_hash IS NOT NULL AND erased_at IS NULL",
        [id.as_uuid().into()],
    );
    OwnCredentials::find_by_statement(statement).one(connection).await
}

/// A player's own credentials.
#[derive(Debug, FromQueryResult)]
pub(crate) struct OwnCredentials {
    /// Folded.
    pub(crate) username: String,
    pub(crate) password_hash: String,
}

/// Replaces the password hash `old`. `false` if that is no longer the player's: nothing changes then.
pub(crate) async fn replace_hash(
    transaction: &Transaction,
    id: PlayerId,
    old: &str,
    new: &str,
) -> Result<bool, DbErr> {
    let statement = sql(
        transaction,
        "UPDATE players SET password_hash = $3 WHERE id = $1 AND password_hash = $2 AND erased_at IS NULL",
        [id.as_uuid().into(), old.into(), new.into()],
    );
    Ok(transaction.execute_raw(statement).await?.rows_affected() == 1)
}

/// Whether the password hash is still `hash`, and stays so until the transaction ends.
pub(crate) async fn confirm_hash(transaction: &Transaction, id: PlayerId, hash: &str) -> Result<bool, DbErr> {
    // Writing the same value locks the row: a change of the password waits, and then ends the session
    // that is begun meanwhile.
    replace_hash(transaction, id, hash, hash).await
}

/// Makes a guest a registered player. `false` if the player is no guest.
pub(crate) async fn upgrade(
    transaction: &Transaction,
    id: PlayerId,
    username: &Username,
    hash: &str,
    now: i64,
) -> Result<bool, DbErr> {
    let statement = sql(
        transaction,
        "UPDATE players SET kind = $2, username = $3, username_shown = $4, password_hash = $5,
             revision = revision + 1, profile_changed_at = $7
         WHERE id = $1 AND kind = $6 AND erased_at IS NULL",
        [
            id.as_uuid().into(),
            PlayerKind::Registered.number().into(),
            username.folded().into(),
            username.as_str().into(),
            hash.into(),
            PlayerKind::Guest.number().into(),
            now.into(),
        ],
    );
    Ok(transaction.execute_raw(statement).await?.rows_affected() == 1)
}

/// Changes what is given of a profile and gives the player as it is then.
pub(crate) async fn change_profile(
    transaction: &Transaction,
    id: PlayerId,
    display_name: Option<&DisplayName>,
    locale: Option<&Locale>,
    now: i64,
) -> Result<Option<Me>, DbErr> {
    let statement = sql(
        transaction,
        "UPDATE players SET display_name = COALESCE($2, display_name), locale = COALESCE($3, locale),
             revision = revision + 1, profile_changed_at = $4
         WHERE id = $1 AND erased_at IS NULL",
        [
            id.as_uuid().into(),
            display_name.map(|name| name.as_str().to_owned()).into(),
            locale.map(|locale| locale.as_str().to_owned()).into(),
            now.into(),
        ],
    );
    transaction.execute_raw(statement).await?;
    player(transaction, id).await
}

/// A change of a profile.
#[derive(Debug, Clone, Copy, FromQueryResult)]
pub(crate) struct ChangeRow {
    pub(crate) player_id: PlayerId,
    pub(crate) profile_changed_at: i64,
}

/// The profiles that were changed, or erased, at `since` or later.
pub(crate) async fn profiles_changed_since(
    connection: &impl ConnectionTrait,
    since: i64,
) -> Result<Vec<ChangeRow>, DbErr> {
    let statement = sql(
        connection,
        "SELECT id AS player_id, profile_changed_at FROM players
         WHERE profile_changed_at IS NOT NULL AND profile_changed_at >= $1",
        [since.into()],
    );
    ChangeRow::find_by_statement(statement).all(connection).await
}

/// A player's row, as far as everybody sees it.
#[derive(Debug, FromQueryResult)]
pub(super) struct PublicRow {
    pub(super) player_id: PlayerId,
    pub(super) kind: i16,
    pub(super) display_name: String,
    pub(super) player_created_at: i64,
}

impl From<PublicRow> for Player {
    fn from(row: PublicRow) -> Self {
        let PublicRow {
            player_id,
            kind,
            display_name,
            player_created_at,
        } = row;
        Self {
            player_id,
            display_name,
            kind: PlayerKind::of(kind),
            created_at: Timestamp(player_created_at),
        }
    }
}

/// What everybody may know of the player, unless erased.
pub(crate) async fn public_player(
    connection: &impl ConnectionTrait,
    id: PlayerId,
) -> Result<Option<Player>, DbErr> {
    let statement = sql(
        connection,
        "SELECT id AS player_id, kind, display_name, created_at AS player_created_at FROM players
         WHERE id = $1 AND erased_at IS NULL",
        [id.as_uuid().into()],
    );
    Ok(PublicRow::find_by_statement(statement)
        .one(connection)
        .await?
        .map(Player::from))
}

/// Whether there is such a player, and not erased.
pub(crate) async fn exists(connection: &impl ConnectionTrait, id: PlayerId) -> Result<bool, DbErr> {
    public_player(connection, id).await.map(|found| found.is_some())
}
