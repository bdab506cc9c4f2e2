//! The same match again.

use actix_web::{HttpResponse, post, web};
use quartett_engine::view::SeatHolder;
use quartett_engine::{BotLevel, RulesVersion, Seat, Seats, Seed, Status, Terms};

use super::founding::{Founding, Place, Refused, found};
use super::{founding, seating, store};
use crate::accounts::{Caller, blocks_among};
use crate::app::App;
use crate::http::{Code, IdempotencyKey, IdempotencyKeyHeader, Problem, created, problems};
use crate::ids::{MatchId, PlayerId};
use crate::play::{Intent, Past, Table, number, refresh};
use crate::wire::{By, MatchView, Visibility};

problems! { RematchProblems: MatchNotOver, MatchOver, Forbidden, OutcomeUnknown, MatchFrozen }

/// Play the same match again
///
/// Makes a new match with the same game, deck, seats and times, and starts it at once; the starter moves one
/// seat on. A match has one rematch, however many ask for it. Seats of players who are gone go to bots. There is
/// none if one of the players has blocked another, whoever asks.
#[utoipa::path(
    operation_id = "rematch",
    tag = "lobby",
    params(
        ("match_id" = MatchId, Path, description = "The match that has ended."),
        IdempotencyKeyHeader,
    ),
    responses(
        (status = 200, description = "The rematch, made before.", body = MatchView),
        (status = 201, description = "The rematch.", body = MatchView),
        RematchProblems,
    ),
)]
#[post("/matches/{match_id}/rematch")]
pub(super) async fn rematch(
    app: web::Data<App>,
    caller: Caller,
    match_id: web::Path<MatchId>,
    key: IdempotencyKey,
) -> Result<HttpResponse, Problem> {
    key.optional()?;
    let id = match_id.into_inner();
    let (view, is_new) = app
        .carry_through(play_again((**app).clone(), id, caller.player_id))
        .await?;
    Ok(if is_new {
        created(&format!("/v1/matches/{}", view.match_id), &view)
    } else {
        HttpResponse::Ok().json(view)
    })
}

/// The rematch of a match, and whether it was made just now.
async fn play_again(app: App, id: MatchId, player: PlayerId) -> Result<(MatchView, bool), Problem> {
    let (terms, places, seat) = {
        let mut held = app.tables.hold(id).await?;
        let table = refresh(&app, &mut held, id)
            .await?
            .ok_or_else(Problem::not_found)?;
        let seat = table.seat_of(player).ok_or_else(Problem::not_found)?;
        match table.state.status() {
            Status::Ended => {}
            Status::Waiting | Status::Active => return Err(Code::MatchNotOver.into()),
            Status::Cancelled => return Err(Code::MatchOver.into()),
        }
        if let Some(made) = made_before(&app, id, player).await? {
            return Ok((made, false));
        }
        let past = Past::read(&app, table, number(table.version())).await?;
        let next_starter = past
            .starter()
            .and_then(|starter| table.players.after(starter).next());
        (again(table, next_starter), places(table), seat)
    };
    let players = places.iter().filter_map(|(_, place)| match place {
        Place::Player(player, _) => Some(*player),
        Place::Open | Place::Bot(_) => None,
    });
    let players: Vec<PlayerId> = players.collect();
    // Nobody is asked whether to play again, so whoever asks, no two are brought together of whom one has blocked the
    // other. Everybody who asks is told the same, and not who it is about.
    if !blocks_among(app.db.read(), &players).await?.is_empty() {
        return Err(Code::Forbidden.into());
    }
    let new_id = MatchId::new(&*app.clock, &*app.randomness);
    let seed = Seed(app.random());
    let deck = app
        .decks
        .by_hash(crate::lobby::catalogue::DeckHash(terms.deck_hash))
        .await?
        .ok_or_else(|| Problem::internal("the deck of a match is gone"))?;
    let terms = Terms {
        match_id: new_id.as_uuid().into_bytes(),
        seed_commitment: seed.commitment(new_id.as_uuid().as_bytes()),
        ..terms
    };
    // The constraint on `rematch_of` decides who makes it; the creator's own key is one of a kind.
    let intent = Intent::new(u8::MAX, "rematch", &new_id.to_string(), id.as_uuid().as_bytes());
    let founding = Founding {
        terms,
        deck,
        seed,
        places: places.iter().map(|(_, place)| *place).collect(),
        by: By::Player,
        seat: Some(seat),
        visibility: Visibility::Invite,
        auto_start: true,
        creator: player,
        intent: &intent,
        rematch_of: Some(id),
    };
    let transaction = app.db.transaction().await?;
    match found(&app, &transaction, new_id, founding).await {
        Ok(mut table) => {
            founding::commit(transaction).await?;
            let view = seating::view_for(&app, &mut table, player).await;
            founding::founded(&app, table).await;
            Ok((view?, true))
        }
        Err(Refused::RematchMade | Refused::MadeBefore) => {
            transaction.rollback().await?;
            let made = made_before(&app, id, player).await?;
            made.map(|view| (view, false))
                .ok_or_else(|| Code::Unavailable.into())
        }
        Err(Refused::Other(problem)) => Err(problem),
    }
}

/// The rematch that was made before.
async fn made_before(app: &App, id: MatchId, player: PlayerId) -> Result<Option<MatchView>, Problem> {
    let Some(made) = store::rematch_of(app.db.read(), id).await? else {
        return Ok(None);
    };
    let mut held = app.tables.hold(made).await?;
    let table = refresh(app, &mut held, made)
        .await?
        .ok_or_else(Problem::not_found)?;
    seating::view_for(app, table, player).await.map(Some)
}

/// The same terms, under the rules of today.
fn again(table: &Table, starter_seat: Option<Seat>) -> Terms {
    Terms {
        starter_seat,
        rules: RulesVersion::CURRENT,
        ..table.state.terms().clone()
    }
}

/// The same seats; a medium bot where a player is gone.
fn places(table: &Table) -> Seats<Place> {
    table.players.map(|seat, player| {
        let holder = table.state.seat(seat).map(|seen| seen.holder);
        match (holder, player) {
            (Some(SeatHolder::Bot(level)), _) => Place::Bot(level),
            (_, Some(player)) => Place::Player(player.player_id, None),
            (_, None) => Place::Bot(BotLevel::Medium),
        }
    })
}
