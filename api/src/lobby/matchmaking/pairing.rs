//! Making matches of tickets: who waits longest is served first.
//!
//! Pairing for one game happens in one transaction at a time, on whichever instance; a ticket that is paired
//! is closed in the transaction that makes its match.

use quartett_engine::{
    BotLevel, DeadlinePolicy, GameKind, GameSetup, RulesVersion, Seed, StarterRule, Terms,
};
use tokio::sync::{Mutex, MutexGuard};

use super::store::{self, TicketRow};
use super::ticket::TicketStatus;
use crate::accounts::{Blocks, blocks_among};
use crate::app::App;
use crate::db::Transaction;
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
    let mut outcome = Ok(());
    for game in store::games_to_fill(app.db.read(), now).await? {
        if let Some(game) = GameKind::from_id(&game) {
            // One game's trouble is not the others'.
            outcome = pair_now(app, game).await.and(outcome);
        }
    }
    outcome
}

async fn pair_now(app: &App, game: GameKind) -> Result<(), Problem> {
    let _turn = app.pairing_turns.take(game).await;
    let transaction = app.db.transaction().await?;
    let made = pair(app, &transaction, game).await?;
    founding::commit(transaction).await?;
    tell(app, made).await;
    Ok(())
}

/// Makes every match of a game that the waiting tickets allow. The transaction is the caller's to commit;
/// then comes [`tell`].
pub(super) async fn pair(
    app: &App,
    transaction: &Transaction,
    game: GameKind,
) -> Result<Vec<Table>, Problem> {
    take_turn(app, transaction, game).await?;
    let now = app.now_millis();
    let mut waiting = store::waiting(transaction, game.id(), now, LOOKED_AT_MAX).await?;
    let players: Vec<PlayerId> = waiting.iter().map(TicketRow::player_id).collect();
    let blocks = blocks_among(transaction, &players).await?;
    let mut made = Vec::new();
    let mut passed = 0;
    while passed < waiting.len() {
        match group(&blocks, &waiting[passed..], now) {
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

/// Whose turn it is to pair within this instance. They wait here before they take a connection, so that those
/// who wait for their turn do not hold all of them.
#[derive(Debug, Default)]
pub(crate) struct PairingTurns([Mutex<()>; GameKind::ALL.len()]);

impl PairingTurns {
    /// Waits for a turn at a game; it ends when this is dropped.
    pub(super) async fn take(&self, game: GameKind) -> Option<MutexGuard<'_, ()>> {
        let mut turns = GameKind::ALL.into_iter().zip(&self.0);
        let (_, turn) = turns.find(|(kind, _)| *kind == game)?;
        Some(turn.lock().await)
    }
}

/// Waits until nobody else pairs for this game, and keeps others waiting until the transaction ends.
pub(super) async fn take_turn(app: &App, transaction: &Transaction, game: GameKind) -> Result<(), Problem> {
    let mut locks = GameKind::ALL.into_iter().zip(PAIRING_LOCK..);
    let lock = locks.find(|(kind, _)| *kind == game);
    let name = lock.map_or(PAIRING_LOCK, |(_, lock)| lock);
    Ok(app.db.lock(transaction, name).await?)
}

/// Tells of matches that were committed.
pub(super) async fn tell(app: &App, made: Vec<Table>) {
    for table in made {
        founding::founded(app, table).await;
    }
}

/// The match that the first of `waiting` can have now: as many players as it accepts and finds, or the
/// fewest and bots if it has waited long enough. Those behind it are asked in their order.
fn group(blocks: &Blocks, waiting: &[TicketRow], now: i64) -> Option<Group> {
    let (first, behind) = waiting.split_first()?;
    let (least, most) = first.seats();
    for seats in (least..=most).rev() {
        let tickets = together(blocks, first, behind, seats, |_| true);
        if tickets.len() == usize::from(seats) {
            return Some(Group { tickets, seats });
        }
    }
    let takes_bots = |ticket: &TicketRow| ticket.fill_at.is_some_and(|at| at <= now);
    if !takes_bots(first) {
        return None;
    }
    // Nobody plays with bots sooner than they said.
    let tickets = together(blocks, first, behind, least, takes_bots);
    Some(Group {
        tickets,
        seats: least,
    })
}

/// The first ticket and those behind it, up to `seats`, that accept this many and among whom nobody has
/// blocked another.
fn together(
    blocks: &Blocks,
    first: &TicketRow,
    behind: &[TicketRow],
    seats: u8,
    also: impl Fn(&TicketRow) -> bool,
) -> Vec<TicketRow> {
    let mut chosen = vec![first.clone()];
    for ticket in behind
        .iter()
        .filter(|ticket| ticket.accepts(seats) && also(ticket))
    {
        if chosen.len() == usize::from(seats) {
            break;
        }
        let player = ticket.player_id();
        let goes_with = |other: &TicketRow| {
            let other = other.player_id();
            other != player && !blocks.contains(&(player, other)) && !blocks.contains(&(other, player))
        };
        if chosen.iter().all(goes_with) {
            chosen.push(ticket.clone());
        }
    }
    chosen
}

/// Makes the match of a group, and closes its tickets.
async fn make(app: &App, transaction: &Transaction, game: GameKind, group: Group) -> Result<Table, Problem> {
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
            return Err(Problem::internal("a ticket that is held was closed"));
        }
    }
    Ok(table)
}
