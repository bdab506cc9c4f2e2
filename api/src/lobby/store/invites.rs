//! Codes that lead to matches.

use sea_orm::{ConnectionTrait, DbErr, FromQueryResult};
use uuid::Uuid;

use crate::db::{Transaction, sql};
use crate::ids::MatchId;

/// An invite as it is stored.
#[derive(Debug, FromQueryResult)]
pub(in crate::lobby) struct InviteRow {
    match_id: Uuid,
    pub(in crate::lobby) invite_expires_at: Option<i64>,
}

impl InviteRow {
    pub(in crate::lobby) fn match_id(&self) -> MatchId {
        self.match_id.into()
    }
}

/// The match that a code leads to.
pub(in crate::lobby) async fn invite(
    connection: &impl ConnectionTrait,
    code: &str,
) -> Result<Option<InviteRow>, DbErr> {
    let statement = sql(
        connection,
        "SELECT match_id, invite_expires_at FROM match_setups WHERE invite_code = $1",
        [code.into()],
    );
    InviteRow::find_by_statement(statement).one(connection).await
}

/// Gives a match another code, or none.
pub(in crate::lobby) async fn set_invite(
    transaction: &Transaction,
    id: MatchId,
    invite: Option<(&str, i64)>,
) -> Result<(), DbErr> {
    let (code, expires_at) = invite
        .map(|(code, expires_at)| (code.to_owned(), expires_at))
        .unzip();
    let statement = sql(
        transaction,
        "UPDATE match_setups SET invite_code = $2, invite_expires_at = $3 WHERE match_id = $1",
        [id.as_uuid().into(), code.into(), expires_at.into()],
    );
    transaction.execute_raw(statement).await.map(|_| ())
}
