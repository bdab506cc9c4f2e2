//! The match as it was: states folded from the log, and the answers that were given before.

use quartett_engine::{Event, Match, Seat, SeatSet, Status};

use super::act::answer;
use super::append::{Intent, number};
use super::show::{self, Moment, Onlooker};
use super::store::{self, AppendRow};
use super::table::{Recorded, Table};
use super::tables::{HeldTable, read, read_players, refresh};
use crate::app::App;
use crate::http::{Code, Problem};
use crate::ids::{MatchId, PlayerId};
use crate::wire::{ActionResult, Hex32, MatchView};

/// What an intent led to, if it was carried out before: the entries of that append and the view at its end,
/// both as the player may see them now.
///
/// # Errors
///
/// `idempotency_key_reused` if the key came with another action.
pub(super) async fn answered(
    app: &App,
    held: &mut HeldTable,
    id: MatchId,
    player: PlayerId,
    intent: &Intent,
) -> Result<Option<ActionResult>, Problem> {
    let Some(row) = store::append_of_key(app.db.read(), id, &intent.key).await? else {
        return Ok(None);
    };
    if row.fingerprint.as_deref() != Some(&intent.fingerprint) {
        return Err(Code::IdempotencyKeyReused.into());
    }
    let table = refresh(app, held, id).await?.ok_or_else(Problem::not_found)?;
    if row.append_last == number(table.version()) {
        return Ok(Some(latest(app, table, player, &row).await?));
    }
    let onlooker = Onlooker::of(table, player, app.planted_leak);
    let past = Past::read(app, table, row.append_last).await?;
    let first = usize::try_from(row.append_first - 1).unwrap_or(0);
    let recorded = past.entries.get(first..).unwrap_or_default();
    Ok(Some(ActionResult {
        match_id: id,
        version: past.state.version(),
        head_hash: Hex32(past.head_hash),
        entries: show::entries(table, &onlooker, recorded),
        view: past.view(table, &onlooker),
    }))
}

/// The answer to the append that the match stands at, as of most that are sent again: the state is at hand, and
/// the log need not be read from its beginning.
async fn latest(
    app: &App,
    table: &mut Table,
    player: PlayerId,
    row: &AppendRow,
) -> Result<ActionResult, Problem> {
    read_players(app, app.db.read(), table).await?;
    let (after, last) = (row.append_first - 1, row.append_last);
    let rows = store::entries(app.db.read(), table.id, after, last, last - after).await?;
    let recorded: Vec<Recorded> = rows
        .iter()
        .map(|row| read(row, table.id, table.deck()))
        .collect::<Result<_, _>>()?;
    Ok(answer(app, table, player, &recorded))
}

/// More comings and goings before a start are not looked through.
const WAITING_ENTRIES: i64 = 500;

/// A match at an earlier version, with every entry up to there.
pub(crate) struct Past {
    state: Match,
    entries: Vec<Recorded>,
    head_hash: [u8; 32],
    started_at: Option<i64>,
    ended_at: Option<i64>,
    /// Seats that were left after this version.
    left_later: SeatSet,
}

impl Past {
    /// Folds the log of a match up to `version`, which is at most that of `table`.
    pub(crate) async fn read(app: &App, table: &mut Table, version: i64) -> Result<Self, Problem> {
        read_players(app, app.db.read(), table).await?;
        let rows = store::entries(app.db.read(), table.id, 0, version, version).await?;
        let deck = table.deck();
        let entries: Vec<Recorded> = rows
            .iter()
            .map(|row| read(row, table.id, deck))
            .collect::<Result<_, _>>()?;
        let mut state = Match::new(table.state.terms().clone(), deck.clone());
        for entry in &entries {
            state.apply_entry(&entry.events);
        }
        if number(state.version()) != version {
            return Err(Problem::internal(format!(
                "match {} has no entry {version}",
                table.id
            )));
        }
        let left_later = if state.status() == Status::Waiting {
            left_after(app, table, version).await?
        } else {
            SeatSet::EMPTY
        };
        let at = |is_it: fn(&Event) -> bool| {
            let entry = entries.iter().find(|entry| entry.events.iter().any(is_it));
            entry.map(|entry| entry.at)
        };
        Ok(Self {
            state,
            head_hash: entries
                .last()
                .map_or(quartett_engine::chain::FIRST_PREVIOUS_HASH, |last| last.hash),
            started_at: at(|event| matches!(event, Event::Started { .. })),
            ended_at: at(|event| matches!(event, Event::Ended { .. } | Event::Cancelled { .. })),
            entries,
            left_later,
        })
    }

    /// Who started, if the match has.
    pub(crate) fn starter(&self) -> Option<Seat> {
        let mut events = self.entries.iter().flat_map(|entry| &entry.events);
        events.find_map(|event| {
            if let Event::Started { starter, .. } = event {
                Some(*starter)
            } else {
                None
            }
        })
    }

    /// The state then.
    pub(crate) const fn state(&self) -> &Match {
        &self.state
    }

    /// As the onlooker may see it.
    pub(crate) fn view(&self, table: &Table, onlooker: &Onlooker) -> MatchView {
        let moment = Moment {
            state: &self.state,
            head_hash: self.head_hash,
            started_at: self.started_at,
            ended_at: self.ended_at,
            deadline_at: table.deadline_at(),
            left_later: self.left_later,
        };
        show::view_at(table, onlooker, &moment)
    }
}

/// The seats that were left after `version`, which lies before the start: there are few entries until then.
async fn left_after(app: &App, table: &Table, version: i64) -> Result<SeatSet, Problem> {
    let mut left = SeatSet::EMPTY;
    for row in store::entries(
        app.db.read(),
        table.id,
        version,
        number(table.version()),
        WAITING_ENTRIES,
    )
    .await?
    {
        for event in read(&row, table.id, table.deck())?.events {
            if let Event::SeatLeft { seat } = event {
                left = left.with(seat);
            } else if matches!(event, Event::Started { .. }) {
                return Ok(left);
            }
        }
    }
    Ok(left)
}
