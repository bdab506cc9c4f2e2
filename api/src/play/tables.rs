//! The matches in memory, and how they are read from the log.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use lru::LruCache;
use quartett_engine::{Event, Seat, Seed};
use sea_orm::{ConnectionTrait, DbErr};
use tokio::sync::OwnedMutexGuard;

use super::append::{number, status_number};
use super::store::{self, EntryRow, FROZEN, HeadRow};
use super::table::{Invitation, Recorded, Table};
use crate::app::App;
use crate::http::{Code, Problem};
use crate::ids::{MatchId, PlayerId};
use crate::lobby::catalogue::DeckHash;
use crate::wire::Payload;

/// No table takes more memory: a state is bounded by the deck and the flips that are remembered.
const TABLE_BYTES_MAX: usize = 16 * 1024;

/// What all tables together may take.
const CACHE_BYTES_MAX: usize = 128 * 1024 * 1024;

/// A long log is read in pieces of this many entries.
const PIECE: i64 = 500;

/// How long somebody waits for the one who holds a match, before being told to come back later: while the database
/// is slow, whoever wants the same match must not queue up without end.
const HOLD_TIMEOUT: Duration = Duration::from_secs(5);

/// The place of one match in memory: one writer at a time, and nothing in it until it is asked for.
type Slot = Arc<tokio::sync::Mutex<Option<Table>>>;

/// The place of one match, held. What is taken out and not put back is read again by the next.
pub(crate) type HeldTable = OwnedMutexGuard<Option<Table>>;

/// The matches this instance remembers, the longest unused forgotten first.
pub(crate) struct Tables {
    slots: Mutex<LruCache<MatchId, Slot>>,
}

impl Tables {
    /// Remembers nothing yet.
    pub(crate) fn new() -> Self {
        let most = NonZeroUsize::new(CACHE_BYTES_MAX / TABLE_BYTES_MAX).unwrap_or(NonZeroUsize::MIN);
        Self {
            slots: Mutex::new(LruCache::new(most)),
        }
    }

    /// Holds the place of a match.
    ///
    /// # Errors
    ///
    /// `unavailable` if somebody else holds it for too long.
    pub(crate) async fn hold(&self, id: MatchId) -> Result<HeldTable, Problem> {
        let slot = {
            // Nothing in here can panic half-way, so a poisoned lock guards whole slots all the same.
            let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
            slots.get_or_insert(id, Slot::default).clone()
        };
        let held = tokio::time::timeout(HOLD_TIMEOUT, slot.lock_owned()).await;
        held.map_err(|_| Problem::new(Code::Unavailable).cause("somebody else holds the match"))
    }

    /// Forgets a place in which there is no match, so that made-up ids do not drive out real ones.
    pub(super) fn forget(&self, id: MatchId) {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner).pop(&id);
    }
}

/// Brings the table in `held` to the head that the database tells of; `None` if there is no such match.
///
/// # Errors
///
/// `match_frozen` if stored data was lost: the table knew a later head than the database.
pub(crate) async fn refresh<'a>(
    app: &App,
    held: &'a mut HeldTable,
    id: MatchId,
) -> Result<Option<&'a mut Table>, Problem> {
    let Some(head) = store::head(app.db.read(), id).await? else {
        **held = None;
        app.tables.forget(id);
        return Ok(None);
    };
    match catch_up(app, app.db.read(), held.take(), id, &head).await {
        Ok(table) => Ok(Some(held.insert(table))),
        Err(Unreadable::Lost) => Err(freeze(app, id).await?),
        Err(Unreadable::Other(problem)) => Err(problem),
    }
}

/// Why a match cannot be brought to its head.
pub(super) enum Unreadable {
    /// What is stored is not what was stored: a later head was known, or the log does not lead to this one.
    Lost,
    /// Anything else.
    Other(Problem),
}

impl<E: Into<Problem>> From<E> for Unreadable {
    fn from(error: E) -> Self {
        Self::Other(error.into())
    }
}

/// Stops a match whose log was lost or altered, until an operator has looked at it.
pub(super) async fn freeze(app: &App, id: MatchId) -> Result<Problem, Problem> {
    tracing::error!(match_id = %id, "ALARM: the log of a match was lost or altered; the match is frozen");
    store::freeze(app.db.write(), id).await?;
    Ok(Code::MatchFrozen.into())
}

/// Brings `table` to `head`, or reads all of it.
pub(super) async fn catch_up(
    app: &App,
    connection: &impl ConnectionTrait,
    table: Option<Table>,
    id: MatchId,
    head: &HeadRow,
) -> Result<Table, Unreadable> {
    if head.status == FROZEN {
        return Err(Code::MatchFrozen.into());
    }
    let mut table = match table {
        Some(table) => table,
        None => open(app, connection, id).await?,
    };
    if number(table.version()) < head.version {
        read_on(app, connection, &mut table, head.version).await?;
    }
    let is_same = number(table.version()) == head.version
        && table.head_hash.as_slice() == head.head_hash
        && status_number(table.state.status()) == head.status;
    if is_same {
        table.invitation.invite_code.clone_from(&head.invite_code);
        Ok(table)
    } else {
        tracing::error!(match_id = %id, known = table.version(), stored = head.version, "two heads of one match");
        Err(Unreadable::Lost)
    }
}

/// The table of a match with its first entry taken in.
async fn open(app: &App, connection: &impl ConnectionTrait, id: MatchId) -> Result<Table, Problem> {
    let gone = |what: &str| Problem::internal(format!("{what} of match {id} is not there"));
    let setup = store::setup(connection, id)
        .await?
        .ok_or_else(|| gone("the setup"))?;
    let deck_hash = bytes32(&setup.deck_hash)?;
    let deck = app
        .decks
        .by_hash(DeckHash(deck_hash))
        .await?
        .ok_or_else(|| gone("the deck"))?;
    let row = store::entries(connection, id, 0, 1, 1).await?;
    let first = row.first().ok_or_else(|| gone("the first entry"))?;
    let first = read(first, id, &deck)?;
    let Some(Event::Created(terms)) = first.events.first() else {
        return Err(gone("the creation"));
    };
    let seed = match &setup.sealed_seed {
        Some(sealed) => {
            let opened = app.seal.open("match_secrets", id.as_uuid().as_bytes(), sealed);
            Seed(bytes32(&opened.map_err(Problem::internal)?)?)
        }
        None => revealed(connection, id, &deck)
            .await?
            .ok_or_else(|| gone("the seed"))?,
    };
    let invitation = Invitation {
        visibility: setup.visibility(),
        invite_code: setup.invite_code,
    };
    let mut table = Table::new(id, (**terms).clone(), deck, seed, invitation);
    table.take_in(&first);
    read_players(app, connection, &mut table).await?;
    Ok(table)
}

/// The seed in the entry that ended or cancelled a match, the last one.
async fn revealed(
    connection: &impl ConnectionTrait,
    id: MatchId,
    deck: &quartett_engine::Deck,
) -> Result<Option<Seed>, Problem> {
    let Some(head) = store::head(connection, id).await? else {
        return Ok(None);
    };
    let rows = store::entries(connection, id, head.version - 1, head.version, 1).await?;
    let last = rows.first().map(|row| read(row, id, deck)).transpose()?;
    let events = last.into_iter().flat_map(|last| last.events);
    Ok(events.into_iter().find_map(|event| {
        if let Event::Ended { seed, .. } | Event::Cancelled { seed, .. } = event {
            seed
        } else {
            None
        }
    }))
}

/// Takes in the entries up to `last`, and who holds the seats if that changed.
async fn read_on(
    app: &App,
    connection: &impl ConnectionTrait,
    table: &mut Table,
    last: i64,
) -> Result<(), Problem> {
    let mut seats_changed = false;
    while number(table.version()) < last {
        let rows = store::entries(connection, table.id, number(table.version()), last, PIECE).await?;
        if rows.is_empty() {
            break;
        }
        for row in &rows {
            let entry = read(row, table.id, table.deck())?;
            if entry.version != table.version() + 1 {
                return Ok(());
            }
            seats_changed |= entry.events.iter().any(changes_holders);
            table.take_in(&entry);
        }
    }
    if seats_changed {
        read_players(app, connection, table).await?;
    }
    Ok(())
}

/// Reads anew who holds the seats, with their names.
pub(crate) async fn read_players(
    app: &App,
    connection: &impl ConnectionTrait,
    table: &mut Table,
) -> Result<(), DbErr> {
    // As of before the reading: what is learned during it may not be in it.
    let as_of = app.profile_changes.as_of_now();
    table.players = store::players(connection, table.id, table.players.count()).await?;
    table.players_as_of = as_of;
    Ok(())
}

/// Brings the names at a table up to date: profiles change without an entry. Asks the database only if one of
/// these players may have another profile by now. What was stored is answered with the names of before rather
/// than not at all.
pub(super) async fn keep_names(app: &App, table: &mut Table) {
    let holders: Vec<(Seat, PlayerId)> = table
        .players
        .iter()
        .filter_map(|(seat, player)| Some((seat, player.as_ref()?.player_id)))
        .collect();
    // Whoever is erased leaves with an entry, but for those who had resigned. They are gone at once all the same.
    let has_resigned = |seat| table.state.seat(seat).is_some_and(|seen| seen.resigned);
    let may_be_gone = holders.iter().any(|(seat, _)| has_resigned(*seat));
    let ids = holders.iter().map(|(_, id)| *id);
    let now = app.now_millis();
    let may_differ = may_be_gone || app.profile_changes.may_outdate(table.players_as_of, ids, now);
    if may_differ && let Err(error) = read_players(app, app.db.read(), table).await {
        tracing::warn!(match_id = %table.id, %error, "names were not read");
    }
}

/// Whether after this event another player may hold a seat.
fn changes_holders(event: &Event) -> bool {
    matches!(
        event,
        Event::SeatTaken { .. }
            | Event::SeatLeft { .. }
            | Event::SeatResigned { .. }
            | Event::SeatAway { .. }
            | Event::SeatReturned { .. }
    )
}

/// An entry read from its stored bytes.
pub(crate) fn read(row: &EntryRow, id: MatchId, deck: &quartett_engine::Deck) -> Result<Recorded, Problem> {
    let broken = |error: super::PayloadError| {
        Problem::internal(format!("entry {} of match {id}: {error}", row.version))
    };
    let payload = Payload::read(&row.payload).map_err(broken)?;
    Ok(Recorded {
        version: u64::try_from(row.version).map_err(Problem::internal)?,
        at: payload.at.0,
        by: payload.by.0,
        seat: payload.engine_seat(),
        events: payload
            .engine_events(id.as_uuid().into_bytes(), deck)
            .map_err(broken)?,
        action: payload.action,
        hash: bytes32(&row.hash)?,
    })
}

/// 32 stored bytes.
pub(crate) fn bytes32(bytes: &[u8]) -> Result<[u8; 32], Problem> {
    bytes.try_into().map_err(Problem::internal)
}
