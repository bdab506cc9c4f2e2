//! A match: its seats, its game, its result, and the log it is a fold of.

use crate::action::Action;
use crate::card::TableCard;
use crate::deck::Deck;
use crate::event::{BotLevel, EndReason, Event, Holder, Standing, StarterRule, Terms};
use crate::game::{Decision, Ending, Game, Turn};
use crate::rejection::Rejection;
use crate::seat::{Seat, SeatSet, Seats};
use crate::shuffle::{DealKey, Mixer, Purpose, Seed};
use crate::view::{MatchResult, SeatHolder, SeatView, Sight, Status, View, Viewer};
use std::sync::Arc;

/// A match at one version: what the engine makes of the log up to there.
///
/// It holds every hidden card and therefore has no serialised form: [`Match::view`] is the only way out.
#[derive(Debug, Clone)]
pub struct Match {
    deck: Arc<Deck>,
    terms: Terms,
    seats: Seats<SeatState>,
    host: Seat,
    version: u64,
    status: Status,
    game: Game,
    resignations: u8,
    result: Option<MatchResult>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct SeatState {
    holder: SeatHolder,
    entropy: Option<String>,
    away: bool,
    /// Deadlines missed in a row.
    missed: u8,
    /// The how-manieth resignation of the match.
    resigned: Option<u8>,
}

/// An accepted entry of a match's log, as far as the engine is concerned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// From 1 without gaps.
    pub version: u64,
    /// What happened.
    pub events: Vec<Event>,
}

/// Where and why a log is not the log of a match.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("entry {version}: {fault}")]
pub struct ReplayError {
    /// The first entry that is wrong.
    pub version: u64,
    /// What is wrong with it.
    pub fault: ReplayFault,
}

/// What is wrong with an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ReplayFault {
    /// The log does not begin with the creation of a match.
    #[error("a log begins with the creation of its match, and only begins with it")]
    Creation,
    /// A version is missing or stands twice.
    #[error("versions go from 1 without gaps")]
    Version,
    /// The match was made for another deck.
    #[error("the match was made for another deck")]
    Deck,
    /// Something happened after the end.
    #[error("nothing happens after the end")]
    AfterEnd,
    /// Cards appeared or vanished.
    #[error("cards appeared or vanished")]
    Cards,
}

/// Why a seat, start or cancellation is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LobbyRefusal {
    /// The match is no longer waiting.
    #[error("the match has started")]
    Started,
    /// No seat is free, or not this one.
    #[error("no seat is free")]
    Full,
    /// Seats are still free.
    #[error("seats are still free")]
    SeatsFree,
    /// The seat is not held.
    #[error("the seat is not held")]
    NotHeld,
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
            resignations: 0,
            result: None,
        }
    }

    /// What creating a match leads to, its first entry: the host sits down on seat 0, bots on the last seats.
    pub fn creation(terms: Terms, bots: &[BotLevel]) -> Vec<Event> {
        let first_bot = terms.seats.saturating_sub(bots.len() as u8);
        let host = Event::SeatTaken {
            seat: Seat(0),
            holder: Holder::Player,
            entropy: None,
        };
        let seated = bots.iter().zip(first_bot..).map(|(level, seat)| Event::SeatTaken {
            seat: Seat(seat),
            holder: Holder::Bot(*level),
            entropy: None,
        });
        let created = Event::Created(Box::new(terms));
        [created, host].into_iter().chain(seated).collect()
    }

    /// Folds a whole log. The state is that of the last entry; a bad log names its first wrong entry.
    pub fn replay<'a>(
        deck: Arc<Deck>,
        log: impl IntoIterator<Item = &'a Entry>,
    ) -> Result<Match, ReplayError> {
        let at = |version, fault| ReplayError { version, fault };
        let mut log = log.into_iter();
        let first = log.next().ok_or(at(1, ReplayFault::Creation))?;
        let Some(Event::Created(terms)) = first.events.first() else {
            return Err(at(1, ReplayFault::Creation));
        };
        if terms.deck_hash != *deck.hash() {
            return Err(at(1, ReplayFault::Deck));
        }
        let mut replayed = Match::new((**terms).clone(), deck);
        let mut dealt = None;
        for entry in std::iter::once(first).chain(log) {
            let fault = |fault| at(entry.version, fault);
            if entry.version != replayed.version + 1 {
                return Err(fault(ReplayFault::Version));
            }
            if matches!(replayed.status, Status::Ended | Status::Cancelled) {
                return Err(fault(ReplayFault::AfterEnd));
            }
            if entry.version > 1
                && entry
                    .events
                    .iter()
                    .any(|event| matches!(event, Event::Created(_)))
            {
                return Err(fault(ReplayFault::Creation));
            }
            replayed.apply_entry(&entry.events);
            if dealt.is_none() && replayed.status == Status::Active {
                dealt = Some(replayed.game.all_cards(&replayed.deck).len());
            }
        }
        if dealt.is_some_and(|dealt| replayed.game.all_cards(&replayed.deck).len() != dealt) {
            return Err(at(replayed.version, ReplayFault::Cards));
        }
        Ok(replayed)
    }

    /// Takes in the next entry.
    pub fn apply_entry(&mut self, events: &[Event]) {
        self.version += 1;
        for event in events {
            self.apply(event);
        }
    }

    /// Takes in an event of the entry that is the present version. Total: it decides nothing and never fails.
    pub fn apply(&mut self, event: &Event) {
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
                if let Some(state) = self.seats.get_mut(*seat) {
                    state.missed = state.missed.saturating_add(1);
                }
            }
            Event::SeatAway { seat } => self.set_away(*seat, true),
            Event::SeatReturned { seat } => self.set_away(*seat, false),
            Event::SeatResigned { seat } => {
                self.resignations += 1;
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
            Event::Cancelled { .. } => self.status = Status::Cancelled,
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

    /// A player takes a free seat, the first one clockwise from seat 0.
    pub fn take_seat(&self, holder: Holder, entropy: Option<String>) -> Result<Vec<Event>, LobbyRefusal> {
        self.check_waiting()?;
        let open = self
            .seats
            .iter()
            .find(|(_, state)| state.holder == SeatHolder::Open);
        let (seat, _) = open.ok_or(LobbyRefusal::Full)?;
        Ok(vec![Event::SeatTaken {
            seat,
            holder,
            entropy,
        }])
    }

    /// A seat is given back before the start.
    pub fn leave_seat(&self, seat: Seat) -> Result<Vec<Event>, LobbyRefusal> {
        self.check_waiting()?;
        match self.seats.get(seat).map(|state| state.holder) {
            Some(SeatHolder::Player | SeatHolder::Bot(_)) => Ok(vec![Event::SeatLeft { seat }]),
            Some(SeatHolder::Open) | None => Err(LobbyRefusal::NotHeld),
        }
    }

    /// Starts a full match as the entry after the present version: draws the starter, deals, lays, and begins
    /// the first turn. `answers` are those to the opening question; `order`, for tests, is a deck order in
    /// place of the shuffle (places in the deck; for Pairs plan cards count on behind the cards).
    pub fn start(
        &self,
        seed: &Seed,
        host_entropy: Option<String>,
        answers: &[Option<u64>],
        order: Option<&[usize]>,
    ) -> Result<Vec<Event>, LobbyRefusal> {
        self.check_waiting()?;
        if self
            .seats
            .iter()
            .any(|(_, state)| state.holder == SeatHolder::Open)
        {
            return Err(LobbyRefusal::SeatsFree);
        }
        let key = self.deal_key(seed, host_entropy.as_deref());
        let version = self.version + 1;
        let starter = self.starter(&key, version, answers);
        let mut cards = self.full_deck();
        match order {
            Some(order) => {
                cards = order
                    .iter()
                    .filter_map(|index| cards.get(*index).copied())
                    .collect()
            }
            None => key.stream(Purpose::Deal, version).shuffle(&mut cards),
        }
        let dealt = Event::Dealt(self.game.deal(&cards, self.seats.count(), starter));
        let mut game = Game::new(&self.terms.game, self.seats.count());
        game.apply(&self.deck, &dealt, version);
        let mut events = vec![
            Event::Started {
                starter,
                entropy: host_entropy,
            },
            dealt,
        ];
        events.extend(self.settle(game.open(&self.deck, starter)));
        Ok(events)
    }

    /// The key of all randomness of this match; the host's entropy is what it gave at the start.
    pub fn deal_key(&self, seed: &Seed, host_entropy: Option<&str>) -> DealKey {
        let own = self.seats.iter().map(|(_, state)| state.entropy.as_deref());
        let host = self.host.index();
        let entropies = own
            .enumerate()
            .map(|(index, own)| if index == host { host_entropy.or(own) } else { own });
        seed.deal_key(&self.terms.match_id, entropies)
    }

    fn starter(&self, key: &DealKey, version: u64, answers: &[Option<u64>]) -> Seat {
        let answer = |seat: &Seat| answers.get(seat.index()).copied().flatten();
        let best = self.seats.seats().filter_map(|seat| answer(&seat)).max();
        let candidates: Vec<Seat> = match self.terms.starter {
            StarterRule::Host => return self.host,
            StarterRule::Question if best.is_some() => {
                self.seats.seats().filter(|seat| answer(seat) == best).collect()
            }
            StarterRule::Question | StarterRule::Random => self.seats.seats().collect(),
        };
        key.stream(Purpose::Starter, version)
            .pick(&candidates)
            .unwrap_or(Seat(0))
    }

    /// The deck in its own order; for Pairs all cards, then all plan cards.
    fn full_deck(&self) -> Vec<TableCard> {
        let cards = self.deck.cards().map(TableCard::card);
        match self.game {
            Game::Pairs(_) => cards.chain(self.deck.cards().map(TableCard::plan)).collect(),
            Game::DuelQuartett(_) | Game::Supertrump(_) | Game::VdbSupertrumpf(_) | Game::VdbQuartett(_) => {
                cards.collect()
            }
        }
    }

    fn check_waiting(&self) -> Result<(), LobbyRefusal> {
        if self.status == Status::Waiting {
            Ok(())
        } else {
            Err(LobbyRefusal::Started)
        }
    }

    /// Adds the end of the match to what a game decided, if it ended.
    fn settle(&self, decision: Decision) -> Vec<Event> {
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
        let staying: SeatSet = self
            .seats
            .seats()
            .filter(|seat| resigned(*seat).is_none())
            .collect();
        let named: SeatSet = ending
            .winners
            .unwrap_or_default()
            .iter()
            .filter(|seat| staying.has(*seat))
            .collect();
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

    /// The level of the bot that moves for a seat now, if one does.
    pub fn bot_of(&self, seat: Seat) -> Option<BotLevel> {
        let state = self.seats.get(seat)?;
        match state.holder {
            SeatHolder::Bot(level) => Some(level),
            SeatHolder::Player if state.away || state.resigned.is_some() => Some(BotLevel::Medium),
            SeatHolder::Player | SeatHolder::Open => None,
        }
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

    /// The result, after the end.
    pub fn result(&self) -> Option<&MatchResult> {
        self.result.as_ref()
    }

    /// Every card's whereabouts, sorted, for the law that cards are conserved.
    pub fn all_cards(&self) -> Vec<TableCard> {
        self.game.all_cards(&self.deck)
    }

    pub(crate) fn game_mut(&mut self) -> &mut Game {
        &mut self.game
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    /// Begins play from a position set up by hand: the state is running, nothing has been dealt yet.
    pub(crate) fn set_running(&mut self) {
        self.status = Status::Active;
    }

    pub(crate) fn settle_opening(&self, first: Seat) -> Vec<Event> {
        self.settle(self.game.open(&self.deck, first))
    }
}

impl PartialEq for Match {
    /// Equal states; the deck by its hash.
    fn eq(&self, other: &Match) -> bool {
        let parts = |m: &Match| (*m.deck.hash(), m.host, m.version, m.status, m.resignations);
        parts(self) == parts(other)
            && self.terms == other.terms
            && self.seats == other.seats
            && self.game == other.game
            && self.result == other.result
    }
}
