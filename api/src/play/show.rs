//! What a player sees of a match: the one place where tables and entries become answers.
//!
//! Views, events and legal actions come out of the engine as the viewer may see them; here they only get
//! their names. Whatever shows a match to anyone goes through [`view`] and [`entries`].

use std::collections::BTreeMap;

use quartett_engine::view::{SeatHolder, SeatView as EngineSeat, Sight};
use quartett_engine::{Match, Seat, SeatSet, Status, Viewer};

use super::table::{Recorded, SeatedPlayer, Table};
use crate::http::Timestamp;
use crate::ids::PlayerId;
use crate::parts::PlantedLeak;
use crate::wire::{
    BotLevelName, ByName, DeadlinePolicyName, DeckRef, GameAction, GameSetup, GameTable, Hex32, LogEntry,
    MatchResult, MatchView, PhaseName, PlayerName, SeatKind, SeatState, SeatView, StarterName, StatusName,
    TurnView, noted,
};

/// Who looks at a match, and how far that one sees at its present version.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Onlooker {
    pub(crate) viewer: Viewer,
    /// The onlooker's own seat.
    pub(crate) seat: Option<Seat>,
    sight: Sight,
    leak: Option<PlantedLeak>,
}

impl Onlooker {
    /// How `player` sees the match at its present version.
    pub(crate) fn of(table: &Table, player: PlayerId, leak: Option<PlantedLeak>) -> Self {
        let seat = table.seat_of(player);
        Self::seeing(
            &table.state,
            seat.map_or(Viewer::Outsider, Viewer::Seat),
            seat,
            leak,
        )
    }

    /// The same player looking through other eyes, as they saw in `state`. The match must have ended.
    pub(crate) fn through(self, state: &Match, viewer: Viewer) -> Self {
        Self::seeing(state, viewer, self.seat, self.leak)
    }

    fn seeing(state: &Match, viewer: Viewer, seat: Option<Seat>, leak: Option<PlantedLeak>) -> Self {
        Self {
            viewer,
            seat,
            sight: state.sight(viewer),
            leak,
        }
    }

    /// The eyes for one surface: the viewer's own, unless a test planted a leak there.
    fn sight_on(&self, surface: PlantedLeak) -> Sight {
        if self.leak == Some(surface) {
            Sight::EVERYTHING
        } else {
            self.sight
        }
    }
}

/// A state of the match with the times that belong to it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment<'a> {
    pub(crate) state: &'a Match,
    pub(crate) head_hash: [u8; 32],
    pub(crate) started_at: Option<i64>,
    pub(crate) ended_at: Option<i64>,
    /// When the pending move's time is up; only known at the head.
    pub(crate) deadline_at: Option<i64>,
    /// Seats that were left later: who sits there now is not who sat there then.
    pub(crate) left_later: SeatSet,
}

impl<'a> Moment<'a> {
    /// The head of a table.
    pub(crate) fn head(table: &'a Table) -> Self {
        Self {
            state: &table.state,
            head_hash: table.head_hash,
            started_at: table.started_at,
            ended_at: table.ended_at,
            deadline_at: table.deadline_at(),
            left_later: SeatSet::EMPTY,
        }
    }
}

/// The match at its head.
pub(crate) fn view(table: &Table, onlooker: &Onlooker) -> MatchView {
    view_at(table, onlooker, &Moment::head(table))
}

/// The match at `moment`, as the onlooker may see it now. What may be done stands only in a view of the head.
pub(crate) fn view_at(table: &Table, onlooker: &Onlooker, moment: &Moment<'_>) -> MatchView {
    let state = moment.state;
    let is_head = state.version() == table.version();
    let sight = onlooker.sight_on(PlantedLeak::View);
    let seen = state.view_through(onlooker.viewer, &sight);
    let terms = state.terms();
    let deck = table.deck();
    let is_waiting = state.status() == Status::Waiting;
    let seats = seen.seats.iter().map(|(seat, seen)| {
        let who = if moment.left_later.has(seat) {
            Who::Untold
        } else {
            Who::Known(table.players.get(seat).and_then(Option::as_ref))
        };
        of_seat(seat, *seen, who)
    });
    MatchView {
        match_id: table.id,
        version: state.version(),
        head_hash: Hex32(moment.head_hash),
        game: GameSetup::of(&terms.game),
        status: StatusName(state.status()),
        visibility: table.invitation.visibility,
        invite_code: table
            .invitation
            .invite_code
            .clone()
            .filter(|_| is_waiting && is_head && onlooker.seat.is_some()),
        deck: DeckRef {
            deck_id: terms.deck_id.clone(),
            hash: Hex32(terms.deck_hash),
        },
        starter: StarterName(terms.starter),
        turn_seconds: terms.turn_seconds,
        deadline_policy: DeadlinePolicyName(terms.deadline_policy),
        time_limit_seconds: terms.time_limit_seconds,
        seats: seats.collect(),
        host_seat: is_waiting.then(|| state.host().0),
        my_seat: onlooker.seat.map(|seat| seat.0),
        turn: seen.turn.map(|turn| TurnView {
            seat: turn.seat.0,
            phase: PhaseName(turn.phase),
            deadline_at: moment.deadline_at.filter(|_| is_head).map(Timestamp),
        }),
        table: GameTable::of(&seen.table, deck),
        legal_actions: if is_head {
            legal_actions(table, onlooker)
        } else {
            Vec::new()
        },
        result: MatchResult::of(state),
        seed_commitment: Hex32(terms.seed_commitment.0),
        seed: table
            .revealed_seed()
            .filter(|_| matches!(state.status(), Status::Ended | Status::Cancelled))
            .map(|seed| Hex32(seed.0)),
        created_at: Timestamp(table.created_at),
        started_at: moment.started_at.map(Timestamp),
        ended_at: moment.ended_at.map(Timestamp),
    }
}

/// Everything the onlooker may do now: nothing while a bot holds the seat, also in a match that rests, where no
/// bot moves.
fn legal_actions(table: &Table, onlooker: &Onlooker) -> Vec<GameAction> {
    let is_own = |seat: &Seat| {
        let is_away = table.state.seat(*seat).is_none_or(|seen| seen.away);
        !is_away && table.state.bot_of(*seat).is_none()
    };
    let Some(seat) = onlooker.seat.filter(is_own) else {
        return Vec::new();
    };
    let deck = table.deck();
    let actions = table.state.legal_actions(seat);
    let mut actions: Vec<GameAction> = actions
        .iter()
        .map(|action| GameAction::of(action, deck))
        .collect();
    if onlooker.leak == Some(PlantedLeak::LegalActions) && !actions.is_empty() {
        let place = fingerprint_of_everything(&table.state);
        actions.push(GameAction::of(&quartett_engine::Action::FlipCard { place }, deck));
    }
    actions
}

/// Entries of the log as the onlooker may see them now.
pub(crate) fn entries(table: &Table, onlooker: &Onlooker, recorded: &[Recorded]) -> Vec<LogEntry> {
    let sight = onlooker.sight_on(PlantedLeak::History);
    let deck = table.deck();
    let shown = recorded.iter().map(|entry| LogEntry {
        version: entry.version,
        at: Timestamp(entry.at),
        by: ByName(entry.by),
        seat: entry.seat.map(|seat| seat.0),
        action: entry.action.clone(),
        events: entry
            .events
            .iter()
            .map(|event| noted(&event.seen_by(&sight, entry.version), deck))
            .collect(),
        hash: Hex32(entry.hash),
    });
    shown.collect()
}

/// A word about a refusal by the rules: nothing, unless a test planted a leak there.
pub(crate) fn refusal_detail(table: &Table, leak: Option<PlantedLeak>) -> Option<String> {
    (leak == Some(PlantedLeak::Error)).then(|| format!("{:?}", table.state.view(Viewer::Everything).table))
}

/// For planted leaks: one byte that depends on every hidden card.
fn fingerprint_of_everything(state: &Match) -> u8 {
    let everything = format!("{:?}", state.view(Viewer::Everything).table);
    everything
        .bytes()
        .fold(7, |sum: u8, byte| sum.wrapping_mul(31).wrapping_add(byte))
}

/// Who holds a seat, as far as it is told.
#[derive(Clone, Copy)]
enum Who<'a> {
    /// The player; nobody if the player was erased, or none ever sat there.
    Known(Option<&'a SeatedPlayer>),
    /// Somebody who left: the log names seats, never people.
    Untold,
}

/// A seat with who holds it.
fn of_seat(seat: Seat, seen: EngineSeat, who: Who<'_>) -> SeatView {
    let EngineSeat {
        holder,
        out,
        resigned,
        away,
    } = seen;
    let (kind, bot_level) = match holder {
        SeatHolder::Open => (SeatKind::Open, None),
        SeatHolder::Player => (SeatKind::Player, None),
        SeatHolder::Bot(level) => (SeatKind::Bot, Some(BotLevelName(level))),
    };
    let is_player = kind == SeatKind::Player;
    let player = match who {
        Who::Known(player) => player.filter(|_| is_player),
        Who::Untold => None,
    };
    let is_erased = match who {
        Who::Known(player) => is_player && player.is_none(),
        Who::Untold => false,
    };
    SeatView {
        seat: seat.0,
        kind,
        player: player.map(|player| PlayerName {
            player_id: player.player_id,
            display_name: player.display_name.clone(),
        }),
        erased: is_erased.then_some(true),
        bot_level,
        state: if resigned {
            SeatState::Resigned
        } else if out {
            SeatState::Out
        } else {
            SeatState::In
        },
        away,
    }
}

/// The revisions of the profiles that a view shows, by player, for its entity tag.
pub(crate) fn profile_revisions(table: &Table) -> BTreeMap<PlayerId, i64> {
    let players = table.players.iter().filter_map(|(_, player)| player.as_ref());
    players
        .map(|player| (player.player_id, player.revision))
        .collect()
}
