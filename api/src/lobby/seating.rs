//! Sitting down and starting: what several operations of the lobby do to a match that waits.

use quartett_engine::{Event, Holder, LobbyRefusal, Seat, Status};

use super::entropy::Entropy;
use super::store;
use crate::app::App;
use crate::db::Transaction;
use crate::http::{Code, Problem};
use crate::ids::PlayerId;
use crate::play::{Change, Draft, NewEntry, Table, filled, play_on_behind, read_players, show, wake_at};
use crate::wire::{By, MatchView};

/// What a player brings along to a seat.
#[derive(Debug, Clone)]
pub(super) struct Newcomer {
    pub(super) player: PlayerId,
    pub(super) opening_answer: Option<i64>,
    pub(super) entropy: Option<Entropy>,
}

/// Why the engine does not let someone sit down or start.
pub(super) fn refused(refusal: LobbyRefusal) -> Problem {
    match refusal {
        LobbyRefusal::Started => Code::MatchStarted,
        LobbyRefusal::Full => Code::MatchFull,
        LobbyRefusal::SeatsFree => Code::SeatsFree,
        LobbyRefusal::NotHeld => Code::NotSeated,
    }
    .into()
}

/// Seats a newcomer, starts the match if that filled it, and answers with the match after all of it. Who
/// sits there already, sits there: joining twice is the same join. That the newcomer may meet the others was judged
/// before, in the same transaction.
pub(super) async fn sit_down(
    app: &App,
    mut change: Change,
    newcomer: Newcomer,
) -> Result<MatchView, Problem> {
    let Newcomer {
        player,
        opening_answer,
        entropy,
    } = newcomer;
    if change.table.seat_of(player).is_some() {
        let mut held = change.leave().await?;
        return view_for(app, filled(&mut held)?, player).await;
    }
    match change.table.state.status() {
        Status::Waiting => {}
        Status::Active => return Err(Code::MatchFull.into()),
        Status::Ended | Status::Cancelled => return Err(Code::MatchOver.into()),
    }
    if store::count_unfinished(&change.transaction, player).await? >= store::UNFINISHED_MAX {
        return Err(Code::TooManyMatches.into());
    }
    let entropy = entropy.map(|entropy| entropy.0);
    let events = change
        .table
        .state
        .take_seat(Holder::Player, entropy)
        .map_err(refused)?;
    let seat = seats_in(&events)
        .next()
        .ok_or_else(|| Problem::internal("a seat taken without a seat"))?;
    let seated = store::seated_player(&change.transaction, player).await?;
    let seated = seated.ok_or(Code::Unauthenticated)?;
    let (id, now) = (change.table.id, change.now);
    store::insert_player_seat(&change.transaction, id, seat, player, opening_answer, now).await?;
    change.record(Draft {
        by: By::Player,
        seat: Some(seat),
        action: None,
        events,
    })?;
    if let Some(holder) = change.table.players.get_mut(seat) {
        *holder = Some(seated);
    }
    let is_full = change.table.is_full();
    if is_full && store::starts_by_itself(&change.transaction, id).await? {
        start(app, &mut change, By::Service, None).await?;
    }
    finish(app, change, player).await
}

/// Starts a full match: deals, and lets bots play if they are to move.
pub(super) async fn start(
    app: &App,
    change: &mut Change,
    by: By,
    host_entropy: Option<Entropy>,
) -> Result<(), Problem> {
    let Change {
        table,
        transaction,
        entries,
        now,
        ..
    } = change;
    start_table(app, table, transaction, entries, *now, by, host_entropy).await
}

/// The same for a table that no change holds yet.
pub(super) async fn start_table(
    app: &App,
    table: &mut Table,
    transaction: &Transaction,
    entries: &mut Vec<NewEntry>,
    now: i64,
    by: By,
    host_entropy: Option<Entropy>,
) -> Result<(), Problem> {
    let answers = store::take_opening_answers(transaction, table.id, table.players.count()).await?;
    let host_entropy = host_entropy.map(|entropy| entropy.0);
    let events = table
        .start(host_entropy, &answers, app.fixed_deal.as_ref())
        .map_err(refused)?;
    let seat = match by {
        By::Player => Some(table.state.host()),
        By::Bot | By::Clock | By::Service => None,
    };
    let started = Draft {
        by,
        seat,
        action: None,
        events,
    };
    entries.push(table.record(started, now)?);
    table.play_bots(entries, now)?;
    let due = if table.bot_to_move().is_some() {
        now
    } else {
        table.deadline_at().unwrap_or(now)
    };
    wake_at(transaction, table.id, due).await?;
    Ok(())
}

/// Stores a change of a waiting match and shows the match after it.
pub(super) async fn finish(app: &App, change: Change, player: PlayerId) -> Result<MatchView, Problem> {
    store::note_lobby(&change.transaction, &change.table).await?;
    let mut held = change.commit(app).await?;
    let table = filled(&mut held)?;
    play_on_behind(app, table);
    view_for(app, table, player).await
}

/// The match as `player` sees it.
pub(super) async fn view_for(app: &App, table: &mut Table, player: PlayerId) -> Result<MatchView, Problem> {
    read_players(app, app.db.read(), table).await?;
    Ok(show::view(
        table,
        &show::Onlooker::of(table, player, app.planted_leak),
    ))
}

/// The seats taken in these events.
pub(super) fn seats_in(events: &[Event]) -> impl Iterator<Item = Seat> + '_ {
    events.iter().filter_map(|event| {
        if let Event::SeatTaken { seat, .. } = event {
            Some(*seat)
        } else {
            None
        }
    })
}
