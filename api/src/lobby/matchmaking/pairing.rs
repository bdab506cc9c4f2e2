//! Making matches of tickets: who waits longest is served first.
//!
//! Pairing for one game happens in one transaction at a time, on whichever instance; a ticket that is paired
//! is closed in the transaction that makes its match.

use quartett_engine::{
    BotLevel, DeadlinePolicy, GameKind, GameSetup, RulesVersion, Seed, StarterRule, Terms,
};
use sea_orm::DatabaseTransaction;

use super::store::{self, TicketRow};
use super::ticket::TicketStatus;
use crate::accounts::blocked_between;
use crate::app::App;
use crate::http::Problem;
use crate::ids::{MatchId, PlayerId};
use crate::lobby::founding::{self, Founding, Place, Refused, found};
use crate::play::{Intent, Table};
use crate::wire::{By, Visibility};

/// How many waiting tickets one pairing looks at.
const LOOKED_AT_MAX: i64 = 500;

/// Names the lock under which instances take turns; the game is added to it.
const PAIRING_LOCK: i64 = 0x0071_7061_6972_0000;

/// Who plays in a match that is to be made.
struct Group {
    tickets: Vec<TicketRow>,
    seats: u8,
}

/// Pairs everybody who can be paired now, in every game for which somebody has waited long enough for bots;
/// tickets that have waited too long expire.
pub(crate) async fn pair_whoever_waits(app: &App) -> Result<(), Problem> {
    if !store::anybody_waits(app.db.read()).await? {
        return Ok(());
    }
    let now = app.now_millis();
    store::expire(app.db.write(), now).await?;
    for game in store::games_to_fill(app.db.read(), now).await? {
        if let Some(game) = GameKind::from_id(&game) {
            let transaction = app.db.transaction().await?;
            let made = pair(app, &transaction, game).await?;
            founding::commit(transaction).await?;
            tell(app, made).await;
        }
    }
    Ok(())
}

/// Makes every match of a game that the waiting tickets allow. The transaction is the caller's to commit;
/// then comes [`tell`].
pub(super) async fn pair(
    app: &App,
    transaction: &DatabaseTransaction,
    game: GameKind,
) -> Result<Vec<Table>, Problem> {
    let lock = GameKind::ALL
        .into_iter()
        .zip(PAIRING_LOCK..)
        .find(|(kind, _)| *kind == game);
    app.db
        .lock(transaction, lock.map_or(PAIRING_LOCK, |(_, lock)| lock))
        .await?;
    let now = app.now_millis();
    let mut waiting = store::waiting(transaction, game.id(), now, LOOKED_AT_MAX).await?;
    let mut made = Vec::new();
    let mut passed = 0;
    while passed < waiting.len() {
        match group(transaction, &waiting[passed..], now).await? {
            Some(group) => {
                let chosen: Vec<_> = group.tickets.iter().map(TicketRow::id).collect();
                waiting.retain(|ticket| !chosen.contains(&ticket.id()));
                made.push(make(app, transaction, game, group).await?);
            }
            None => passed += 1,
        }
    }
    Ok(made)
}

/// Tells of matches that were committed.
pub(super) async fn tell(app: &App, made: Vec<Table>) {
    for table in made {
        founding::founded(app, table).await;
    }
}

/// The match that the first of `waiting` can have now: as many players as it accepts and finds, or the
/// fewest and bots if it has waited long enough. Those behind it are asked in their order.
async fn group(
    transaction: &DatabaseTransaction,
    waiting: &[TicketRow],
    now: i64,
) -> Result<Option<Group>, Problem> {
    let Some((first, behind)) = waiting.split_first() else {
        return Ok(None);
    };
    let (least, most) = first.seats();
    for seats in (least..=most).rev() {
        let tickets = together(transaction, first, behind, seats, |_| true).await?;
        if tickets.len() == usize::from(seats) {
            return Ok(Some(Group { tickets, seats }));
        }
    }
    let takes_bots = |ticket: &TicketRow| ticket.fill_at.is_some_and(|at| at <= now);
    if !takes_bots(first) {
        return Ok(None);
    }
    // Nobody plays with bots sooner than they said.
    let tickets = together(transaction, first, behind, least, takes_bots).await?;
    Ok(Some(Group {
        tickets,
        seats: least,
    }))
}

/// The first ticket and those behind it, up to `seats`, that accept this many and among whom nobody has
/// blocked another.
async fn together(
    transaction: &DatabaseTransaction,
    first: &TicketRow,
    behind: &[TicketRow],
    seats: u8,
    also: impl Fn(&TicketRow) -> bool,
) -> Result<Vec<TicketRow>, Problem> {
    let mut chosen = vec![first.clone()];
    for ticket in behind
        .iter()
        .filter(|ticket| ticket.accepts(seats) && also(ticket))
    {
        if chosen.len() == usize::from(seats) {
            break;
        }
        let others: Vec<PlayerId> = chosen.iter().map(TicketRow::player_id).collect();
        let is_new = !others.contains(&ticket.player_id());
        if is_new && !blocked_between(transaction, ticket.player_id(), &others).await? {
            chosen.push(ticket.clone());
        }
    }
    Ok(chosen)
}

/// Makes the match of a group, and closes its tickets.
async fn make(
    app: &App,
    transaction: &DatabaseTransaction,
    game: GameKind,
    group: Group,
) -> Result<Table, Problem> {
    let Group { tickets, seats } = group;
    let deck = app.decks.offered().iter().find(|deck| deck.fits(game).is_ok());
    let deck = deck
        .ok_or_else(|| Problem::internal("no deck fits the game"))?
        .clone();
    let id = MatchId::new(&*app.clock, &*app.randomness);
    let seed = Seed(app.random());
    let terms = Terms {
        match_id: id.as_uuid().into_bytes(),
        game: GameSetup::default_for(game, seats),
        deck_id: deck.document().deck_id.clone(),
        deck_hash: *deck.hash(),
        seats,
        starter: StarterRule::Random,
        starter_seat: None,
        turn_seconds: 86_400,
        deadline_policy: DeadlinePolicy::BotPlays,
        time_limit_seconds: None,
        rules: RulesVersion::CURRENT,
        seed_commitment: seed.commitment(id.as_uuid().as_bytes()),
    };
    let players = tickets
        .iter()
        .map(|ticket| Place::Player(ticket.player_id(), None));
    let bots = std::iter::repeat(Place::Bot(BotLevel::Medium));
    let creator = tickets.first().map(TicketRow::player_id);
    let creator = creator.ok_or_else(|| Problem::internal("a match of nobody"))?;
    let intent = Intent::new(u8::MAX, "createTicket", &id.to_string(), id.as_uuid().as_bytes());
    let founding = Founding {
        terms,
        deck,
        seed,
        places: players.chain(bots).take(usize::from(seats)).collect(),
        by: By::Service,
        seat: None,
        visibility: Visibility::Invite,
        auto_start: true,
        creator,
        intent: &intent,
        rematch_of: None,
    };
    let table = found(app, transaction, id, founding)
        .await
        .map_err(|refused| match refused {
            Refused::Other(problem) => problem,
            Refused::MadeBefore | Refused::RematchMade => Problem::internal("a new match was made before"),
        })?;
    for ticket in &tickets {
        if !store::close(transaction, ticket.id(), TicketStatus::Matched, Some(id)).await? {
            return Err(Problem::internal("a ticket that was held is closed"));
        }
    }
    Ok(table)
}
