//! An action on its way: judged on the cached match, appended at exactly that head, and counted once however
//! often it is sent.

use quartett_engine::{Event, Seat, Status};

use super::append::{self, Appended, Base, Intent, number};
use super::change::filled;
use super::submit_action::SubmitAction;
use super::table::{Draft, NewEntry, Recorded, Table};
use super::tables::{HeldTable, keep_names, refresh};
use super::{bots, due, replay, show};
use crate::app::App;
use crate::db::Failure;
use crate::http::{Code, Problem};
use crate::ids::{MatchId, PlayerId};
use crate::wire::{ActionResult, By, Hex32};

/// How often an action is tried again on a newer head before the caller is told to come back.
pub(super) const TRIES_MAX: u32 = 8;

/// How often a statement that was rolled back is sent again.
const APPEND_TRIES_MAX: u32 = 4;

/// A request to act, read but not yet judged: who may not know the match is not told what is wrong with it.
pub(super) struct Asked {
    pub(super) player: PlayerId,
    pub(super) match_id: MatchId,
    pub(super) body: Result<SubmitAction, Problem>,
    pub(super) key: Result<String, Problem>,
}

/// Carries the action out, or finds that it was. The flag tells which.
pub(super) async fn act(app: App, asked: Asked) -> Result<(ActionResult, bool), Problem> {
    let Asked {
        player,
        match_id,
        body,
        key,
    } = asked;
    let mut held = app.tables.hold(match_id).await?;
    // A remembered table may not know yet who sat down elsewhere.
    let mut is_fresh = held.as_ref().is_none_or(|table| table.seat_of(player).is_none());
    if is_fresh {
        let table = refresh(&app, &mut held, match_id)
            .await?
            .ok_or_else(Problem::not_found)?;
        table.must_be_visible_to(app.db.read(), player).await?;
    }
    let submitted = body?;
    let key = key?;
    for _ in 0..TRIES_MAX {
        let Some(table) = held.as_mut() else {
            refresh(&app, &mut held, match_id)
                .await?
                .ok_or_else(Problem::not_found)?;
            is_fresh = true;
            continue;
        };
        // Whoever is late is late: the clock's entry comes first, and the action meets another version.
        if due::is_due(table, app.now_millis()) {
            due::settle(&app, &mut held).await?;
            continue;
        }
        let intent = table
            .seat_of(player)
            .map(|seat| intent(seat, &key, &submitted))
            .transpose()?;
        match judge(table, player, &submitted) {
            Ok((seat, events)) => {
                let draft = Draft {
                    by: By::Player,
                    seat: Some(seat),
                    action: Some(submitted.action.clone()),
                    events,
                };
                match append_turn(&app, &mut held, draft, intent.as_ref()).await? {
                    Stored::Now(entries) => {
                        let table = filled(&mut held)?;
                        keep_names(&app, table).await;
                        return Ok((answer(&app, table, player, &entries), false));
                    }
                    // Another head, or a key used before: two simultaneous requests with one key look alike.
                    Stored::NotHere => {
                        if let Some(intent) = &intent
                            && let Some(result) =
                                replay::answered(&app, &mut held, match_id, player, intent).await?
                        {
                            return Ok((result, true));
                        }
                    }
                }
            }
            Err(refusal) => {
                if let Some(intent) = &intent
                    && let Some(result) = replay::answered(&app, &mut held, match_id, player, intent).await?
                {
                    return Ok((result, true));
                }
                if is_fresh {
                    return Err(refused(refusal, held.as_ref(), app.planted_leak));
                }
                refresh(&app, &mut held, match_id).await?;
                is_fresh = true;
            }
        }
    }
    Err(Code::Unavailable.into())
}

/// What identifies an action that may be sent again: the fingerprint covers the action, not the version it is
/// meant for, so that it may be sent again for a newer one.
fn intent(seat: Seat, key: &str, submitted: &SubmitAction) -> Result<Intent, Problem> {
    let action = serde_json::to_vec(&submitted.action).map_err(Problem::internal)?;
    Ok(Intent::new(seat.0, "submitAction", key, &action))
}

/// What the action leads to at this head, or the first reason against it in the order of the contract.
fn judge(table: &Table, player: PlayerId, submitted: &SubmitAction) -> Result<(Seat, Vec<Event>), Problem> {
    match table.state.status() {
        Status::Waiting => return Err(Code::MatchNotStarted.into()),
        Status::Ended | Status::Cancelled => return Err(Code::MatchOver.into()),
        Status::Active => {}
    }
    let current = table.version();
    let expected = submitted.expected_version;
    if expected > current {
        return Err(Problem::new(Code::VersionAhead).current_version(number(current)));
    }
    if expected < current && !submitted.action.is_taken_at_any_version() {
        return Err(Problem::new(Code::VersionConflict).current_version(number(current)));
    }
    let seat = table.seat_of(player).ok_or_else(Problem::not_found)?;
    let seen = table.state.seat(seat);
    if seen.is_some_and(|seat| seat.resigned) {
        return Err(Code::SeatResigned.into());
    }
    if seen.is_some_and(|seat| seat.away) || table.state.bot_of(seat).is_some() {
        return Err(Code::SeatHeldByBot.into());
    }
    let events = table.decide(seat, &submitted.action).map_err(rejected)?;
    Ok((seat, events))
}

/// A refusal by the rules. Every one of their codes is one of ours: a test holds them against each other.
fn rejected(rejection: quartett_engine::Rejection) -> Problem {
    match Code::named(rejection.code()) {
        Some(code) => Problem::new(code),
        None => Problem::internal(rejection),
    }
}

fn refused(refusal: Problem, table: Option<&Table>, leak: Option<crate::parts::PlantedLeak>) -> Problem {
    match table.and_then(|table| show::refusal_detail(table, leak)) {
        Some(detail) => refusal.detail(detail),
        None => refusal,
    }
}

/// What came of storing a turn.
pub(super) enum Stored {
    /// It is stored; these are its entries.
    Now(Vec<Recorded>),
    /// The head was another, or the key had been used: look again.
    NotHere,
}

/// Records an entry and the bot turns that follow, and stores them. Whatever goes wrong, the place in memory
/// is left empty then, and the next one reads the log.
pub(super) async fn append_turn(
    app: &App,
    held: &mut HeldTable,
    draft: Draft,
    intent: Option<&Intent>,
) -> Result<Stored, Problem> {
    let Some(mut table) = held.take() else {
        return Ok(Stored::NotHere);
    };
    let base = Base::of(&table);
    let now = app.now_millis();
    let mut entries = vec![table.record(draft, now)?];
    table.play_bots(&mut entries, now)?;
    store_turn(app, held, base, table, entries, intent).await
}

/// Stores entries that were made on `base`.
pub(super) async fn store_turn(
    app: &App,
    held: &mut HeldTable,
    base: Base,
    table: Table,
    entries: Vec<NewEntry>,
    intent: Option<&Intent>,
) -> Result<Stored, Problem> {
    if table.bot_to_move().is_some() {
        bots::will_go_on(app, table.id).await?;
    }
    for attempt in 1.. {
        app.failpoints.hit("before_append").await;
        match append::append(&app.db, &base, &table, &entries, intent).await {
            Ok(Appended::Stored) => break,
            Ok(Appended::Conflict | Appended::KeyUsed) => return Ok(Stored::NotHere),
            Err(error) => match Failure::of(&error) {
                Failure::RolledBack if attempt < APPEND_TRIES_MAX => pause(app, attempt).await,
                Failure::RolledBack | Failure::Unavailable | Failure::Deterministic => {
                    return Err(error.into());
                }
                Failure::Unknown => return settle_unknown(app, held, table, entries, error).await,
            },
        }
    }
    app.failpoints.hit("after_append_commit").await;
    app.hub.committed(&table);
    bots::play_on_behind(app, &table);
    **held = Some(table);
    Ok(Stored::Now(recorded(entries)))
}

fn recorded(entries: Vec<NewEntry>) -> Vec<Recorded> {
    entries.into_iter().map(|entry| entry.recorded).collect()
}

/// The connection was lost on the way: looks on another whether the entries are there.
async fn settle_unknown(
    app: &App,
    held: &mut HeldTable,
    table: Table,
    entries: Vec<NewEntry>,
    error: sea_orm::DbErr,
) -> Result<Stored, Problem> {
    let unknown = || Problem::new(Code::OutcomeUnknown).cause(&error);
    let head = super::store::head(app.db.read(), table.id)
        .await
        .map_err(|_| unknown())?;
    let is_ours = head.is_some_and(|head| head.head_hash.as_slice() == table.head_hash);
    if is_ours {
        app.hub.committed(&table);
        bots::play_on_behind(app, &table);
        **held = Some(table);
        Ok(Stored::Now(recorded(entries)))
    } else {
        // It may still be on its way to the log: only the client's next try can tell.
        Err(unknown())
    }
}

/// A few milliseconds, by chance, before a statement that was rolled back is sent again.
async fn pause(app: &App, attempt: u32) {
    let [chance] = app.random::<1>();
    let millis = i64::from(attempt) * (2 + i64::from(chance) / 16);
    app.clock.sleep_until(app.now_millis() + millis).await;
}

/// The answer to an append that the match stands at.
pub(super) fn answer(app: &App, table: &Table, player: PlayerId, entries: &[Recorded]) -> ActionResult {
    let onlooker = show::Onlooker::of(table, player, app.planted_leak);
    ActionResult {
        match_id: table.id,
        version: table.version(),
        head_hash: Hex32(table.head_hash),
        entries: show::entries(table, &onlooker, entries),
        view: show::view(table, &onlooker),
    }
}
