//! A match: its seats, its game, its result, and the log it is a fold of.

use crate::action::Action;
use crate::card::TableCard;
use crate::deck::Deck;
use crate::event::{CancelReason, EndReason, Event, Holder, Standing, Terms};
use crate::game::{Decision, Ending, Game, Turn};
use crate::rejection::Rejection;
use crate::seat::{Seat, Seats};
use crate::shuffle::Mixer;
use crate::view::{MatchResult, SeatHolder, SeatView, Sight, Status, View, Viewer};
use std::sync::Arc;

/// A match at one version: what the engine makes of the log up to there.
///
/// It holds every hidden card and therefore has no serialised form: [`Match::view`] is the only way out.
#[derive(Debug, Clone)]
pub struct Match {
    pub(crate) deck: Arc<Deck>,
    pub(crate) terms: Terms,
    pub(crate) seats: Seats<SeatState>,
    pub(crate) host: Seat,
    pub(crate) version: u64,
    pub(crate) status: Status,
    pub(crate) game: Game,
    /// The seat whose present turn was missed: a bot plays on until the turn leaves it.
    pub(crate) late: Option<Seat>,
    resignations: u8,
    result: Option<MatchResult>,
    cancelled: Option<CancelReason>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SeatState {
    pub(crate) holder: SeatHolder,
    pub(crate) entropy: Option<String>,
    /// A bot holds the seat until its player returns.
    pub(crate) away: bool,
    /// Deadlines missed in a row.
    pub(crate) missed: u8,
    /// The how-manieth resignation of the match.
    pub(crate) resigned: Option<u8>,
}

impl Match {
    /// The match that `terms` create: waiting, all seats open, version 0 until the first entry is complete.
    pub fn new(terms: Terms, deck: Arc<Deck>) -> Match {
        let count = usize::from(terms.seats);
        let open = |_| SeatState {
            holder: SeatHolder::Open,
            entropy: None,
            away: false,
            missed: 0,
            resigned: None,
        };
        Match {
            game: Game::new(&terms.game, count),
            seats: Seats::build(count, open),
            deck,
            terms,
            host: Seat(0),
            version: 0,
            status: Status::Waiting,
            late: None,
            resignations: 0,
            result: None,
            cancelled: None,
        }
    }

    /// Takes in the next entry.
    pub fn apply_entry(&mut self, events: &[Event]) {
        self.version += 1;
        for event in events {
            self.apply(event);
        }
    }

    /// Takes in an event of the entry that is the present version. Total: it decides nothing and never fails;
    /// an event about seats that this match does not have is none of its own and changes nothing.
    pub fn apply(&mut self, event: &Event) {
        if !event.fits_ring(self.seats.count()) {
            return;
        }
        self.note_presence(event);
        match event {
            Event::SeatTaken {
                seat,
                holder,
                entropy,
            } => {
                if let Some(state) = self.seats.get_mut(*seat) {
                    state.holder = match holder {
                        Holder::Player => SeatHolder::Player,
                        Holder::Bot(level) => SeatHolder::Bot(*level),
                    };
                    state.entropy.clone_from(entropy);
                }
            }
            Event::SeatLeft { seat } => {
                if let Some(state) = self.seats.get_mut(*seat) {
                    state.holder = SeatHolder::Open;
                    state.entropy = None;
                }
                if *seat == self.host {
                    self.host = self.next_host().unwrap_or(self.host);
                }
            }
            Event::Started { entropy, .. } => {
                self.status = Status::Active;
                if let (Some(host), Some(_)) = (self.seats.get_mut(self.host), entropy) {
                    host.entropy.clone_from(entropy);
                }
            }
            Event::DeadlinePassed { seat } => {
                self.late = Some(*seat);
                if let Some(state) = self.seats.get_mut(*seat) {
                    state.missed = state.missed.saturating_add(1);
                }
            }
            Event::SeatAway { seat } => self.set_away(*seat, true),
            Event::SeatReturned { seat } => {
                self.set_away(*seat, false);
                self.late = self.late.filter(|late| late != seat);
            }
            Event::SeatResigned { seat } => {
                self.set_away(*seat, false);
                self.resignations = self.resignations.saturating_add(1);
                if let Some(state) = self.seats.get_mut(*seat) {
                    state.resigned = Some(self.resignations);
                }
            }
            Event::Ended {
                reason, standings, ..
            } => {
                self.status = Status::Ended;
                self.result = Some(MatchResult {
                    reason: *reason,
                    standings: standings.clone(),
                });
                self.game.apply(&self.deck, event, self.version);
            }
            Event::Cancelled { reason, .. } => {
                self.status = Status::Cancelled;
                self.cancelled = Some(*reason);
            }
            Event::Created(_) => {}
            Event::Dealt(_)
            | Event::CardAsked { .. }
            | Event::AskAnswered { .. }
            | Event::DuelFought { .. }
            | Event::CardGiven { .. }
            | Event::QuartetLaid { .. }
            | Event::CardsShown { .. }
            | Event::CardsTaken { .. }
            | Event::RoundTied { .. }
            | Event::SeatOut { .. }
            | Event::TurnBegun { .. }
            | Event::CardFlipped { .. }
            | Event::PairTaken { .. }
            | Event::CardsClosed { .. }
            | Event::LimitReached { .. } => self.game.apply(&self.deck, event, self.version),
        }
    }

    /// The next seat clockwise that a player holds.
    fn next_host(&self) -> Option<Seat> {
        self.seats
            .after(self.host)
            .find(|seat| self.seats[*seat].holder == SeatHolder::Player)
    }

    fn set_away(&mut self, seat: Seat, away: bool) {
        if let Some(state) = self.seats.get_mut(seat) {
            state.away = away;
            state.missed = 0;
        }
    }

    /// What an action of a seat leads to, or why the rules refuse it. Reads only: the state is the same after.
    /// Whether the seat's player or a bot may act for it now is the caller's to know, from [`Match::bot_of`].
    pub fn decide(
        &self,
        seat: Seat,
        action: &Action,
        mixer: &mut impl Mixer,
    ) -> Result<Vec<Event>, Rejection> {
        if self.status != Status::Active {
            return Err(Rejection::MatchOver);
        }
        if !self.seats.has(seat) {
            return Err(Rejection::UnknownSeat);
        }
        Ok(self.settle(self.game.decide(&self.deck, seat, action, mixer)?))
    }

    /// Ends a running match at its time limit: the game's limit rule decides.
    pub fn time_up(&self) -> Vec<Event> {
        self.end(EndReason::Limit(crate::event::Limit::Time))
    }

    /// Ends a running match for a reason of its own; present scores decide.
    pub fn end(&self, reason: EndReason) -> Vec<Event> {
        if self.status == Status::Active {
            self.settle(self.game.wind_up(&self.deck, reason))
        } else {
            Vec::new()
        }
    }

    /// Adds the end of the match to what a game decided, if it ended.
    pub(crate) fn settle(&self, decision: Decision) -> Vec<Event> {
        let mut events = decision.events;
        if let Some(ending) = decision.ending {
            let standings = self.standings(&ending);
            events.push(Event::Ended {
                reason: ending.reason,
                standings,
                seed: None,
            });
        }
        events
    }

    /// Rank 1 are the seats the end rule names, else those of the best score; the others by score, equal
    /// scores sharing a rank; resigned seats last, the later resignation higher.
    fn standings(&self, ending: &Ending) -> Seats<Standing> {
        let resigned = |seat: Seat| self.seats.get(seat).and_then(|state| state.resigned);
        let named = ending.winners.unwrap_or_default();
        // The better the higher: named winners, then scores, then resigned seats by when they resigned.
        let merit = |seat: Seat| match resigned(seat) {
            Some(order) => (0, u16::from(order)),
            None if named.has(seat) => (2, 0),
            None => (1, ending.scores[seat]),
        };
        ending.scores.map(|seat, score| {
            let better = self
                .seats
                .seats()
                .filter(|other| merit(*other) > merit(seat))
                .count();
            Standing {
                score: *score,
                rank: better as u8 + 1,
            }
        })
    }

    /// Everything `decide` would accept from this seat now.
    pub fn legal_actions(&self, seat: Seat) -> Vec<Action> {
        if self.status == Status::Active && self.seats.has(seat) {
            self.game.legal_actions(&self.deck, seat)
        } else {
            Vec::new()
        }
    }

    /// How far a viewer sees at the present version. After the end everything is open.
    pub fn sight(&self, viewer: Viewer) -> Sight {
        match viewer {
            Viewer::Seat(seat) if self.status != Status::Ended => Sight::of_seat(
                seat,
                match &self.game {
                    Game::Pairs(table) => table.flips_from(seat),
                    Game::DuelQuartett(_)
                    | Game::Supertrump(_)
                    | Game::VdbSupertrumpf(_)
                    | Game::VdbQuartett(_) => 0,
                },
            ),
            Viewer::Outsider if self.status != Status::Ended => Sight::OUTSIDE,
            Viewer::Seat(_) | Viewer::Outsider | Viewer::Everything => Sight::EVERYTHING,
        }
    }

    /// What a viewer sees: the only way out to a player.
    pub fn view(&self, viewer: Viewer) -> View {
        self.view_through(viewer, &self.sight(viewer))
    }

    /// What a viewer sees of this state through the eyes it has at a later version: what is shown of the past
    /// depends on where the match stands now.
    pub fn view_through(&self, viewer: Viewer, sight: &Sight) -> View {
        View {
            version: self.version,
            status: self.status,
            seats: self.seats.map(|seat, state| self.seat_view(seat, state)),
            turn: self.turn(),
            table: self.game.view(sight),
            legal_actions: match viewer {
                Viewer::Seat(seat) => self.legal_actions(seat),
                Viewer::Outsider | Viewer::Everything => Vec::new(),
            },
            result: self.result.clone(),
        }
    }

    /// A seat as everyone sees it, if there is such a seat.
    pub fn seat(&self, seat: Seat) -> Option<SeatView> {
        self.seats.get(seat).map(|state| self.seat_view(seat, state))
    }

    fn seat_view(&self, seat: Seat, state: &SeatState) -> SeatView {
        SeatView {
            holder: state.holder,
            out: self.status != Status::Waiting && self.game.is_out(seat),
            resigned: state.resigned.is_some(),
            away: state.away,
        }
    }

    /// The seat whose holder may start or cancel the match: seat 0, or the next one clockwise when it is left.
    pub fn host(&self) -> Seat {
        self.host
    }

    /// Whose move it is.
    pub fn turn(&self) -> Option<Turn> {
        self.game.turn()
    }

    /// The version: how many entries the state is a fold of.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Where the match stands.
    pub fn status(&self) -> Status {
        self.status
    }

    /// What was agreed at creation.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The deck it is played with.
    pub fn deck(&self) -> &Arc<Deck> {
        &self.deck
    }

    /// Why the match was cancelled, if it was.
    pub fn cancel_reason(&self) -> Option<CancelReason> {
        self.cancelled
    }

    /// The result, after the end.
    pub fn result(&self) -> Option<&MatchResult> {
        self.result.as_ref()
    }

    /// Every card's whereabouts, sorted, for the law that cards are conserved.
    pub fn all_cards(&self) -> Vec<TableCard> {
        self.game.all_cards(&self.deck)
    }
}

impl PartialEq for Match {
    /// Equal states; the deck by its hash.
    fn eq(&self, other: &Match) -> bool {
        let parts = |m: &Match| {
            (
                *m.deck.hash(),
                m.host,
                m.version,
                m.status,
                m.late,
                m.resignations,
            )
        };
        parts(self) == parts(other)
            && self.terms == other.terms
            && self.seats == other.seats
            && self.game == other.game
            && self.result == other.result
            && self.cancelled == other.cancelled
    }
}
