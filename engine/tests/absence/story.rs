//! How a story of players who come and go is told: a match, and what somebody does in it.

use crate::played::{Opening, Played, terms};
use quartett_engine::deck::built_in;
use quartett_engine::{
    Action, BotLevel, DeadlinePolicy, Event, GameKind, GameSetup, Holder, Match, Purpose, Seat, Seed,
    StarterRule, bot,
};

pub(crate) const A: Seat = Seat(0);
pub(crate) const B: Seat = Seat(1);
pub(crate) const C: Seat = Seat(2);
pub(crate) const PLAYER: Holder = Holder::Player;
pub(crate) const BOT: Holder = Holder::Bot(BotLevel::Hard);

pub(crate) fn begin_with(setup: GameSetup, holders: &[Holder], policy: DeadlinePolicy, seed: u8) -> Played {
    // Ties are frequent in this deck, so that playoffs are.
    let deck = &built_in()[3];
    let seed = Seed([seed; 32]);
    let mut terms = terms(
        setup,
        deck,
        u8::try_from(holders.len()).expect("at most six"),
        &seed,
    );
    terms.starter = StarterRule::Host;
    terms.deadline_policy = policy;
    Played::begin(terms, deck, holders, &seed, Opening::default())
}

pub(crate) fn begin(game: GameKind, holders: &[Holder]) -> Played {
    let seats = u8::try_from(holders.len()).expect("at most six");
    begin_with(
        GameSetup::default_for(game, seats),
        holders,
        DeadlinePolicy::BotPlays,
        7,
    )
}

impl Played {
    pub(crate) fn turn(&self) -> Seat {
        self.now.turn().expect("the match runs").seat
    }

    pub(crate) fn act(&mut self, action: &Action) {
        let events = self.decide(self.turn(), action).expect("legal");
        self.take_in(events);
    }

    /// The player to move does something legal of its own.
    pub(crate) fn act_somehow(&mut self) {
        let seat = self.turn();
        assert_eq!(self.now.bot_of(seat), None, "the player moves");
        let legal = self.now.legal_actions(seat);
        let some = usize::try_from(self.now.version()).expect("small") * 7 % legal.len();
        self.act(&legal[some]);
    }

    pub(crate) fn bot_acts(&mut self) {
        let seat = self.turn();
        let level = self.now.bot_of(seat).expect("a bot moves");
        let action = bot::choose(&self.now, seat, level, &mut self.stream(Purpose::Bot));
        self.act(&action.expect("the seat to move can do something"));
    }

    /// Plays until it is `seat`'s own turn, everyone by themselves and bots where bots move; `None` if the
    /// match ends before.
    pub(crate) fn play_until_turn_of(&mut self, seat: Seat) -> Option<()> {
        loop {
            let turn = self.now.turn()?;
            if self.now.bot_of(turn.seat).is_some() {
                self.bot_acts();
            } else if turn.seat == seat {
                return Some(());
            } else {
                self.act_somehow();
            }
        }
    }

    /// Lets the bot play on until a missed turn leaves the seat; `None` if the match ends before.
    pub(crate) fn play_missed_turn(&mut self) -> Option<()> {
        let seat = self.turn();
        while self.now.turn()?.seat == seat {
            self.bot_acts();
        }
        Some(())
    }

    pub(crate) fn miss(&mut self) -> Vec<Event> {
        let events = self.now.miss_deadline().expect("a deadline runs");
        self.take_in(events.clone());
        events
    }

    pub(crate) fn resign(&mut self, seat: Seat) -> Vec<Event> {
        let events = self.now.resign(seat).expect("may resign");
        self.take_in(events.clone());
        events
    }

    pub(crate) fn ranks(&self) -> Vec<u8> {
        let result = self.now.result().expect("it ended");
        result
            .standings
            .iter()
            .map(|(_, standing)| standing.rank)
            .collect()
    }

    pub(crate) fn assert_replays(&self) {
        let replayed = Match::replay(self.now.deck().clone(), &self.log).expect("own logs replay");
        assert_eq!(replayed, self.now);
    }
}

pub(crate) fn away(played: &mut Played, seat: Seat) -> Option<()> {
    for _ in 0..2 {
        played.play_until_turn_of(seat)?;
        played.miss();
    }
    Some(())
}

/// Tells a story in every game. A deal in which the match ends before the story does tells nothing; enough
/// others must.
pub(crate) fn in_every_game(holders: &[Holder], story: impl Fn(&mut Played, &str) -> Option<()>) {
    for game in GameKind::ALL {
        let seats = u8::try_from(holders.len()).expect("at most six");
        let setup = GameSetup::default_for(game, seats);
        let told = (0..40).filter(|seed| {
            let mut played = begin_with(setup, holders, DeadlinePolicy::BotPlays, *seed);
            story(&mut played, game.id()).is_some()
        });
        assert!(told.count() >= 5, "{game:?}: the story is seldom told");
    }
}
