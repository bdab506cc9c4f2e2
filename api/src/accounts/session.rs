//! A signed-in device: how it begins, goes on and ends.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use sea_orm::DbErr;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::names::DeviceName;
use super::player::{Me, TokenPair};
use super::store::{self, NewSession, RefreshRow};
use super::tokens::LIFETIME_SECONDS;
use crate::app::App;
use crate::db::Transaction;
use crate::http::{Code, Problem};
use crate::ids::{PlayerId, SessionId};

/// A session that is not used for this long has ended.
const IDLE_MILLIS: i64 = 180 * 24 * 3_600_000;

/// A spent token still answers for this long after its successor was first used: the answer that carried the
/// successor may have been overtaken.
const GRACE_MILLIS: i64 = 60_000;

/// A token spent longer ago than this is forgotten, so that a session's history does not grow for ever.
const FORGOTTEN_MILLIS: i64 = 60 * 24 * 3_600_000;

/// Other instances learn from the rows of ended sessions, and a person may want to see that one has ended.
const HELD_AFTER_END_MILLIS: i64 = 24 * 3_600_000;

/// How often ended sessions are forgotten.
const SWEEP_MILLIS: i64 = 3_600_000;

/// A refresh token as the device holds it; the service keeps only its hash.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct RefreshToken([u8; 32]);

/// A text that cannot be a refresh token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected 43 characters of base64url")]
pub(super) struct InvalidRefreshToken;

impl TryFrom<String> for RefreshToken {
    type Error = InvalidRefreshToken;

    fn try_from(text: String) -> Result<Self, InvalidRefreshToken> {
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| InvalidRefreshToken)?;
        bytes.try_into().map(Self).map_err(|_| InvalidRefreshToken)
    }
}

impl std::fmt::Debug for RefreshToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RefreshToken(..)")
    }
}

impl RefreshToken {
    /// What is stored of it.
    pub(super) fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.0).into()
    }

    /// The token that replaces it. It can be derived again, so a lost answer can be given again.
    fn successor(&self, salt: &[u8]) -> Self {
        let mut mac = Hmac::<Sha256>::new_from_slice(salt).expect("HMAC takes keys of every length");
        mac.update(&self.0);
        Self(mac.finalize().into_bytes().into())
    }

    fn to_text(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }
}

/// Signs a device in.
pub(super) async fn begin(
    app: &App,
    transaction: &Transaction,
    player: Me,
    device_name: Option<&DeviceName>,
) -> Result<TokenPair, Problem> {
    let now = app.now_millis();
    let id = SessionId::new(&*app.clock, &*app.randomness);
    let token = RefreshToken(app.random());
    let salt: [u8; 32] = app.random();
    let session = NewSession {
        id,
        player_id: player.player_id,
        device_name,
        salt: &salt,
        created_at: now,
        expires_at: now + IDLE_MILLIS,
    };
    store::insert_session(transaction, &session).await?;
    store::insert_refresh_token(transaction, &token.hash(), id, 1, now).await?;
    pair(app, id, player, &token)
}

/// Gives the next pair for a refresh token, or ends the session if it was used once too often.
///
/// The outcome is stored either way, so a refusal is a value here and not an error that would roll it back.
pub(super) async fn go_on(
    app: &App,
    transaction: &Transaction,
    token: &RefreshToken,
) -> Result<Result<TokenPair, Refused>, Problem> {
    let now = app.now_millis();
    let Some(row) = store::refresh_token(transaction, &token.hash()).await? else {
        return Ok(Err(Refused::Invalid));
    };
    let session_id = SessionId::from(row.session_id);
    match judge(&row, now) {
        Judgement::Invalid => return Ok(Err(Refused::Invalid)),
        Judgement::Reused => {
            store::revoke_session(transaction, session_id, now).await?;
            return Ok(Err(Refused::Reused(session_id)));
        }
        Judgement::Again => {}
        Judgement::First => {
            store::spend(transaction, &token.hash(), session_id, row.generation, now).await?;
            let successor = token.successor(&row.salt);
            let generation = row.generation + 1;
            store::insert_refresh_token(transaction, &successor.hash(), session_id, generation, now).await?;
            store::forget_spent(transaction, session_id, now - FORGOTTEN_MILLIS).await?;
        }
    }
    store::touch_session(transaction, session_id, now, now + IDLE_MILLIS).await?;
    let Some(player) = store::player(transaction, PlayerId::from(row.player_id)).await? else {
        return Ok(Err(Refused::Invalid));
    };
    pair(app, session_id, player, &token.successor(&row.salt)).map(Ok)
}

/// Gives a session that goes on the next pair without taking its refresh token.
///
/// If the answer is lost, the token the device still has stays good. Once the new one is used, the old one is
/// spent like any predecessor.
pub(super) async fn renew(
    app: &App,
    transaction: &Transaction,
    session_id: SessionId,
    player: Me,
) -> Result<TokenPair, Problem> {
    let now = app.now_millis();
    let last = store::last_generation(transaction, session_id)
        .await?
        .ok_or(Code::SessionRevoked)?;
    let token = RefreshToken(app.random());
    store::insert_refresh_token(transaction, &token.hash(), session_id, last + 1, now).await?;
    store::touch_session(transaction, session_id, now, now + IDLE_MILLIS).await?;
    pair(app, session_id, player, &token)
}

/// Forgets ended sessions as long as the service runs.
pub(crate) async fn sweep_sessions(app: App) {
    loop {
        let began_millis = app.now_millis();
        if let Err(error) = sweep(&app).await {
            tracing::warn!(%error, "ended sessions were not forgotten");
        }
        let next = app.clock.sleep_until(began_millis + SWEEP_MILLIS);
        futures_util::future::select(std::pin::pin!(app.shutdown.begun()), next).await;
        if app.shutdown.has_begun() {
            return;
        }
    }
}

async fn sweep(app: &App) -> Result<(), DbErr> {
    let transaction = app.db.transaction().await?;
    store::sweep(&transaction, app.now_millis() - HELD_AFTER_END_MILLIS).await?;
    transaction.commit().await
}

/// Why a refresh token gives nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refused {
    /// Unknown, or of a session that has ended.
    Invalid,
    /// Used once too often: this session was ended just now.
    Reused(SessionId),
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Invalid => Code::RefreshTokenInvalid.into(),
            Refused::Reused(_) => Code::RefreshTokenReused.into(),
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Judgement {
    Invalid,
    First,
    Again,
    Reused,
}

fn judge(row: &RefreshRow, now: i64) -> Judgement {
    if row.revoked_at.is_some() || now >= row.expires_at {
        return Judgement::Invalid;
    }
    match (row.spent_at, row.successor_used_at) {
        (_, Some(used_at)) if now >= used_at + GRACE_MILLIS => Judgement::Reused,
        (None, _) => Judgement::First,
        (Some(_), _) => Judgement::Again,
    }
}

fn pair(
    app: &App,
    session_id: SessionId,
    player: Me,
    refresh_token: &RefreshToken,
) -> Result<TokenPair, Problem> {
    Ok(TokenPair {
        access_token: app.tokens.issue(player.player_id, session_id)?,
        token_type: "Bearer",
        expires_in_seconds: LIFETIME_SECONDS,
        refresh_token: refresh_token.to_text(),
        player,
    })
}

#[cfg(test)]
mod tests {
    use super::{GRACE_MILLIS, Judgement, RefreshRow, RefreshToken, judge};

    fn row(spent_at: Option<i64>, successor_used_at: Option<i64>) -> RefreshRow {
        RefreshRow {
            session_id: uuid::Uuid::nil(),
            player_id: uuid::Uuid::nil(),
            salt: vec![1; 32],
            generation: 4,
            spent_at,
            successor_used_at,
            expires_at: 10_000_000,
            revoked_at: None,
        }
    }

    #[test]
    fn a_spent_token_answers_until_its_successor_was_in_use_for_a_minute() {
        assert_eq!(judge(&row(None, None), 0), Judgement::First);
        assert_eq!(judge(&row(Some(1), None), 9_999_999), Judgement::Again);
        assert_eq!(
            judge(&row(Some(1), Some(100)), 100 + GRACE_MILLIS - 1),
            Judgement::Again
        );
        assert_eq!(
            judge(&row(Some(1), Some(100)), 100 + GRACE_MILLIS),
            Judgement::Reused
        );
        // Renewed past it: good until the new one was in use for a minute.
        assert_eq!(judge(&row(None, Some(100)), 101), Judgement::First);
        assert_eq!(
            judge(&row(None, Some(100)), 100 + GRACE_MILLIS),
            Judgement::Reused
        );
        assert_eq!(judge(&row(None, None), 10_000_000), Judgement::Invalid);
        assert_eq!(
            judge(
                &RefreshRow {
                    revoked_at: Some(1),
                    ..row(None, None)
                },
                2
            ),
            Judgement::Invalid
        );
    }

    #[test]
    fn a_successor_is_derived_again_and_differs_by_session() {
        let token = RefreshToken([7; 32]);
        assert_eq!(token.successor(&[1; 32]), token.successor(&[1; 32]));
        assert_ne!(token.successor(&[1; 32]), token.successor(&[2; 32]));
        assert_eq!(RefreshToken::try_from(token.to_text()).unwrap(), token);
        assert!(RefreshToken::try_from("short".to_owned()).is_err());
    }
}
