//! Acting in a match.

use actix_web::{HttpResponse, post, web};
use serde::{Deserialize, Deserializer};
use utoipa::ToSchema;

use super::act::{Asked, act};
use crate::accounts::Caller;
use crate::app::App;
use crate::http::{IdempotencyKey, Problem, RawBody, RequiredIdempotencyKeyHeader, problems, replayed};
use crate::ids::MatchId;
use crate::wire::{ActionResult, GameAction};

/// An action and the version it is meant for.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SubmitAction {
    /// What to do; the legal actions of a view can be sent as they are.
    pub(super) action: GameAction,
    /// The version the caller saw. At any other the action is refused, even if it would still be legal;
    /// only `lay_quartet` is taken at any version up to the present one.
    #[serde(deserialize_with = "version_number")]
    #[schema(minimum = 1)]
    pub(super) expected_version: u64,
}

/// A version: from 1, and below what JavaScript cannot count.
fn version_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let number = u64::deserialize(deserializer)?;
    if (1..1 << 53).contains(&number) {
        Ok(number)
    } else {
        Err(serde::de::Error::custom("expected a version from 1 to 2^53 - 1"))
    }
}

problems! {
    SubmitActionProblems: VersionConflict, VersionAhead, MatchOver, MatchNotStarted, SeatHeldByBot, SeatResigned,
    IdempotencyKeyReused, NotYourTurn, WrongPhase, UnknownSeat, UnknownCard, UnknownAttribute, UnknownGroup,
    UnknownPlace, CannotAskYourself, CardInOwnHand, NoCardOfGroup, TargetOut, WrongGroup, NotYourCard,
    IncompleteQuartet, NoValue, HopelessAsk, PlaceAlreadyOpen, PlaceEmpty, ActionNotInThisGame, OutcomeUnknown,
    MatchFrozen
}

/// Act in a match
///
/// Takes one action of the caller's seat, at exactly the version the caller saw. The answer holds the entry
/// of the action, those of the bot turns that followed, and the match after them. Sent again with the same
/// key it counts once and gives the same answer, with `Idempotency-Replayed: true`.
#[utoipa::path(
    operation_id = "submitAction",
    tag = "play",
    params(
        ("match_id" = MatchId, Path, description = "The match."),
        RequiredIdempotencyKeyHeader,
    ),
    request_body(
        content = SubmitAction,
        examples(
            ("ask_card" = (value = json!({
                "action": {"type": "ask_card", "ask_card": {"seat": 1, "card": "W07"}}, "expected_version": 12}))),
            ("fight_duel" = (value = json!({
                "action": {"type": "fight_duel", "fight_duel": {"card": "W05", "attribute": "floors"}},
                "expected_version": 13}))),
            ("lay_quartet" = (value = json!({
                "action": {"type": "lay_quartet", "lay_quartet": {"group": "W"}}, "expected_version": 14}))),
            ("choose_attribute" = (value = json!({
                "action": {"type": "choose_attribute", "choose_attribute": {"attribute": "floors"}},
                "expected_version": 3}))),
            ("flip_card" = (value = json!({
                "action": {"type": "flip_card", "flip_card": {"place": 17}}, "expected_version": 3}))),
        ),
    ),
    responses(
        (
            status = 200,
            description = "The action was taken, now or when it was first sent.",
            body = ActionResult,
            headers(("Idempotency-Replayed" = String, description = "`true` if this was answered before.")),
        ),
        SubmitActionProblems,
    ),
)]
#[post("/matches/{match_id}/actions")]
pub(super) async fn submit_action(
    app: web::Data<App>,
    caller: Caller,
    match_id: web::Path<MatchId>,
    key: IdempotencyKey,
    body: RawBody,
) -> Result<HttpResponse, Problem> {
    let asked = Asked {
        player: caller.player_id,
        match_id: match_id.into_inner(),
        body: body.parse(),
        key: key.require().map(str::to_owned),
    };
    let (result, is_replay) = app.carry_through(act((**app).clone(), asked)).await?;
    Ok(replayed(HttpResponse::Ok(), is_replay).json(result))
}
