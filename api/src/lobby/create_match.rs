//! Making a match for others to join, or to play with bots at once.

use std::ops::RangeInclusive;
use std::sync::Arc;

use actix_web::{HttpResponse, post, web};
use quartett_engine::{BotLevel, DeadlinePolicy, Deck, RulesVersion, Seat, Seed, StarterRule, Terms};
use serde::Deserialize;
use utoipa::ToSchema;

use super::founding::{Founding, Place, Refused, found};
use super::{founding, seating, store};
use crate::accounts::Caller;
use crate::app::App;
use crate::http::{
    Code, IdempotencyKey, Problem, RawBody, RequiredIdempotencyKeyHeader, created, problems, replayed_created,
};
use crate::ids::{MatchId, PlayerId};
use crate::play::{Intent, Past, refresh, show};
use crate::wire::{BotLevelName, By, DeadlinePolicyName, GameSetup, MatchView, StarterName, Visibility};

/// How long one turn may take: a minute to thirty days.
const TURN_SECONDS: RangeInclusive<u32> = 60..=2_592_000;

/// The least that a whole match may be limited to, in turns.
const LEAST_TURNS: u32 = 10;

/// The most that a whole match may be limited to: a year and a day.
const TIME_LIMIT_SECONDS_MAX: u32 = 31_622_400;

/// A seat that a bot takes.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct BotSeat {
    /// How it plays.
    level: BotLevelName,
}

/// A new match.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CreateMatch {
    /// The game and its options.
    game: GameSetup,
    /// The deck to play with, by its id.
    #[schema(max_length = 64, examples("wohnbau"))]
    deck_id: String,
    /// How many seats, the caller's and those of bots included.
    #[schema(examples(3))]
    seats: u8,
    /// Bots that play along; they take the last seats.
    #[serde(default)]
    #[schema(required = false, max_items = 5)]
    bots: Vec<BotSeat>,
    /// Who may join.
    visibility: Visibility,
    /// How the starter is found; drawn if absent.
    starter: Option<StarterName>,
    /// The caller's answer to the opening question of the game.
    #[schema(minimum = 0)]
    opening_answer: Option<u64>,
    /// Time for one turn; a day if absent.
    #[schema(minimum = 60, maximum = 2_592_000)]
    turn_seconds: Option<u32>,
    /// What a missed deadline does; `bot_plays` if absent.
    deadline_policy: Option<DeadlinePolicyName>,
    /// Time for the whole match from its start: at least ten turns; no limit if absent.
    #[schema(minimum = 600, maximum = 31_622_400)]
    time_limit_seconds: Option<u32>,
    /// Whether the match starts by itself when it is full; `true` if absent.
    auto_start: Option<bool>,
}

/// What was asked for, checked.
struct Wanted {
    terms: Terms,
    deck: Arc<Deck>,
    seed: Seed,
    bots: Vec<BotLevel>,
    visibility: Visibility,
    opening_answer: Option<i64>,
    auto_start: bool,
}

problems! {
    CreateMatchProblems: NotFound, UnknownDeck, DeckUnfit, SeatsOutOfRange, OptionOutOfRange, IdempotencyKeyReused,
    OutcomeUnknown, TooManyMatches
}

/// Create a match
///
/// Makes a match and seats the caller as its host. It waits until its seats are taken; with only bots and the
/// host it starts at once. Sent again with the same key it makes no second match and gives the same answer.
#[utoipa::path(
    operation_id = "createMatch",
    tag = "lobby",
    params(RequiredIdempotencyKeyHeader),
    request_body(
        content = CreateMatch,
        examples(
            ("two_players" = (value = json!({
                "game": {"type": "duel_quartett"}, "deck_id": "wohnbau", "seats": 2, "visibility": "open"}))),
            ("with_bots" = (value = json!({
                "game": {"type": "vdb_supertrumpf", "vdb_supertrumpf": {"rounds": 60}}, "deck_id": "sportwaffen",
                "seats": 3, "bots": [{"level": "easy"}, {"level": "hard"}], "visibility": "invite"}))),
            ("invite_only" = (value = json!({
                "game": {"type": "pairs", "pairs": {"memory": "full_log"}}, "deck_id": "wohnbau", "seats": 4,
                "visibility": "invite", "starter": "question", "opening_answer": 120, "turn_seconds": 3600}))),
        ),
    ),
    responses(
        (
            status = 201,
            description = "The match, after its start if it was full at once.",
            body = MatchView,
            headers(("Idempotency-Replayed" = String, description = "`true` if this was answered before.")),
        ),
        CreateMatchProblems,
    ),
)]
#[post("/matches")]
pub(super) async fn create_match(
    app: web::Data<App>,
    caller: Caller,
    key: IdempotencyKey,
    body: RawBody,
) -> Result<HttpResponse, Problem> {
    let request: CreateMatch = body.parse()?;
    let key = key.require()?;
    let intent = Intent::new(u8::MAX, "createMatch", key, &body.canonical()?);
    let player = caller.player_id;
    let (view, is_replay) = app
        .carry_through(create((**app).clone(), player, request, intent))
        .await?;
    let location = format!("/v1/matches/{}", view.match_id);
    Ok(if is_replay {
        replayed_created(&location, &view)
    } else {
        created(&location, &view)
    })
}

async fn create(
    app: App,
    player: PlayerId,
    request: CreateMatch,
    intent: Intent,
) -> Result<(MatchView, bool), Problem> {
    // A key that was used is looked up before anything is judged: what was allowed then may no longer be.
    if let Some(view) = made_before(&app, player, &intent).await? {
        return Ok((view, true));
    }
    let id = MatchId::new(&*app.clock, &*app.randomness);
    let wanted = check(&app, id, request)?;
    match store_match(&app, id, player, wanted, &intent).await {
        Err(Refused::MadeBefore) => match made_before(&app, player, &intent).await? {
            Some(view) => Ok((view, true)),
            None => Err(Code::Unavailable.into()),
        },
        Err(Refused::RematchMade) => Err(Problem::internal("a rematch of nothing")),
        Err(Refused::Other(problem)) => Err(problem),
        Ok(view) => Ok((view, false)),
    }
}

/// The match that this intent made before, as it was then.
async fn made_before(app: &App, player: PlayerId, intent: &Intent) -> Result<Option<MatchView>, Problem> {
    let Some(row) = store::created_with(app.db.read(), player, &intent.key).await? else {
        return Ok(None);
    };
    if row.create_fingerprint != intent.fingerprint {
        return Err(Code::IdempotencyKeyReused.into());
    }
    let id = row.match_id();
    let mut held = app.tables.hold(id).await?;
    let table = refresh(app, &mut held, id)
        .await?
        .ok_or_else(Problem::not_found)?;
    // Whoever left since may know no more of it than others.
    table.must_be_visible_to(app.db.read(), player).await?;
    let onlooker = show::Onlooker::of(table, player, app.planted_leak);
    let past = Past::read(app, table, row.append_last).await?;
    Ok(Some(past.view(table, &onlooker)))
}

/// Holds what was asked for against the deck, the game and the bounds.
fn check(app: &App, id: MatchId, request: CreateMatch) -> Result<Wanted, Problem> {
    let CreateMatch {
        game,
        deck_id,
        seats,
        bots,
        visibility,
        starter,
        opening_answer,
        turn_seconds,
        deadline_policy,
        time_limit_seconds,
        auto_start,
    } = request;
    let out_of_range = |pointer: String, detail: String| {
        Problem::new(Code::OptionOutOfRange).at(pointer, "invalid_value", detail)
    };
    let kind = game.kind();
    let deck = app.decks.by_id(&deck_id).ok_or_else(|| {
        Problem::new(Code::UnknownDeck).at("/deck_id", "invalid_value", "no deck has this id")
    })?;
    deck.fits(kind)
        .map_err(|unfit| Problem::new(Code::DeckUnfit).detail(unfit.to_string()))?;
    let possible = kind.seats();
    if !possible.contains(&seats) || usize::from(seats) > deck.size() {
        let detail = format!("expected {} to {}", possible.start(), possible.end());
        return Err(Problem::new(Code::SeatsOutOfRange).at("/seats", "invalid_value", detail));
    }
    if bots.len() >= usize::from(seats) {
        let detail = "one seat is the host's: the bots need fewer than there are";
        return Err(Problem::new(Code::SeatsOutOfRange).at("/bots", "invalid_value", detail));
    }
    let game = game.resolve(seats).map_err(|wrong| {
        out_of_range(
            format!("/game/{}/{}", wrong.game, wrong.option),
            "expected 1 to 1000".to_owned(),
        )
    })?;
    let starter = starter.map_or(StarterRule::Random, |starter| starter.0);
    if starter == StarterRule::Question && !kind.has_opening_question() {
        let detail = "this game's sheet has no opening question".to_owned();
        return Err(out_of_range("/starter".to_owned(), detail));
    }
    let turn_seconds = turn_seconds.unwrap_or(86_400);
    if !TURN_SECONDS.contains(&turn_seconds) {
        let detail = format!("expected {} to {}", TURN_SECONDS.start(), TURN_SECONDS.end());
        return Err(out_of_range("/turn_seconds".to_owned(), detail));
    }
    let least = turn_seconds.saturating_mul(LEAST_TURNS);
    if time_limit_seconds.is_some_and(|limit| !(least..=TIME_LIMIT_SECONDS_MAX.max(least)).contains(&limit)) {
        let detail = format!("expected at least ten turns, {least}, and at most {TIME_LIMIT_SECONDS_MAX}");
        return Err(out_of_range("/time_limit_seconds".to_owned(), detail));
    }
    let opening_answer = opening_answer.map(super::opening_answer).transpose()?;
    let seed = Seed(app.random());
    let terms = Terms {
        match_id: id.as_uuid().into_bytes(),
        game,
        deck_id,
        deck_hash: *deck.hash(),
        seats,
        starter,
        starter_seat: None,
        turn_seconds,
        deadline_policy: deadline_policy.map_or(DeadlinePolicy::BotPlays, |policy| policy.0),
        time_limit_seconds,
        rules: RulesVersion::CURRENT,
        seed_commitment: seed.commitment(id.as_uuid().as_bytes()),
    };
    Ok(Wanted {
        terms,
        deck,
        seed,
        bots: bots.iter().map(|bot| bot.level.0).collect(),
        visibility,
        opening_answer,
        auto_start: auto_start.unwrap_or(true),
    })
}

async fn store_match(
    app: &App,
    id: MatchId,
    player: PlayerId,
    wanted: Wanted,
    intent: &Intent,
) -> Result<MatchView, Refused> {
    let Wanted {
        terms,
        deck,
        seed,
        bots,
        visibility,
        opening_answer,
        auto_start,
    } = wanted;
    // The host sits first, bots last.
    let open = usize::from(terms.seats).saturating_sub(bots.len() + 1);
    let places = std::iter::once(Place::Player(player, opening_answer))
        .chain(std::iter::repeat_n(Place::Open, open))
        .chain(bots.into_iter().map(Place::Bot));
    let founding = Founding {
        terms,
        deck,
        seed,
        places: places.collect(),
        by: By::Player,
        seat: Some(Seat(0)),
        visibility,
        auto_start,
        creator: player,
        intent,
        rematch_of: None,
    };
    let transaction = app.db.transaction().await?;
    let mut table = found(app, &transaction, id, founding).await?;
    // Only now: a creation that is sent again is told of the match it made.
    if store::count_unfinished(&transaction, player).await? > store::UNFINISHED_MAX {
        return Err(Problem::new(Code::TooManyMatches).into());
    }
    founding::commit(transaction).await?;
    let view = seating::view_for(app, &mut table, player).await;
    founding::founded(app, table).await;
    Ok(view?)
}
