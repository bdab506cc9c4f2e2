//! Players who stay away: missed deadlines, returns, resignations, matches that rest.

#[path = "support/played.rs"]
mod played;

use played::{Opening, Played, terms};
use proptest::prelude::*;
use quartett_engine::deck::built_in;
use quartett_engine::{
    AbsenceRefusal, Action, BotLevel, Card, DeadlinePolicy, EndReason, Event, GameKind, GameSetup, Group,
    Holder, Match, Phase, Purpose, Seat, Seed, StarterRule, Status, Viewer, bot, duel_quartett,
};

const A: Seat = Seat(0);
const B: Seat = Seat(1);
const C: Seat = Seat(2);
const PLAYER: Holder = Holder::Player;
const BOT: Holder = Holder::Bot(BotLevel::Hard);

fn begin_with(setup: GameSetup, holders: &[Holder], policy: DeadlinePolicy, seed: u8) -> Played {
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

fn begin(game: GameKind, holders: &[Holder]) -> Played {
    let seats = u8::try_from(holders.len()).expect("at most six");
    begin_with(
        GameSetup::default_for(game, seats),
        holders,
        DeadlinePolicy::BotPlays,
        7,
    )
}

impl Played {
    fn turn(&self) -> Seat {
        self.now.turn().expect("the match runs").seat
    }

    fn act(&mut self, action: &Action) {
        let events = self.decide(self.turn(), action).expect("legal");
        self.take_in(events);
    }

    /// The player to move does something legal of its own.
    fn act_somehow(&mut self) {
        let seat = self.turn();
        assert_eq!(self.now.bot_of(seat), None, "the player moves");
        let legal = self.now.legal_actions(seat);
        let some = usize::try_from(self.now.version()).expect("small") * 7 % legal.len();
        self.act(&legal[some]);
    }

    fn bot_acts(&mut self) {
        let seat = self.turn();
        let level = self.now.bot_of(seat).expect("a bot moves");
        let action = bot::choose(&self.now, seat, level, &mut self.stream(Purpose::Bot));
        self.act(&action.expect("the seat to move can do something"));
    }

    /// Plays until it is `seat`'s own turn, everyone by themselves and bots where bots move; `None` if the
    /// match ends before.
    fn play_until_turn_of(&mut self, seat: Seat) -> Option<()> {
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
    fn play_missed_turn(&mut self) -> Option<()> {
        let seat = self.turn();
        while self.now.turn()?.seat == seat {
            self.bot_acts();
        }
        Some(())
    }

    fn miss(&mut self) -> Vec<Event> {
        let events = self.now.miss_deadline().expect("a deadline runs");
        self.take_in(events.clone());
        events
    }

    fn resign(&mut self, seat: Seat) -> Vec<Event> {
        let events = self.now.resign(seat).expect("may resign");
        self.take_in(events.clone());
        events
    }

    fn ranks(&self) -> Vec<u8> {
        let result = self.now.result().expect("it ended");
        result
            .standings
            .iter()
            .map(|(_, standing)| standing.rank)
            .collect()
    }

    fn assert_replays(&self) {
        let replayed = Match::replay(self.now.deck().clone(), &self.log).expect("own logs replay");
        assert_eq!(replayed, self.now);
    }
}

fn away(played: &mut Played, seat: Seat) -> Option<()> {
    for _ in 0..2 {
        played.play_until_turn_of(seat)?;
        played.miss();
    }
    Some(())
}

/// Tells a story in every game. A deal in which the match ends before the story does tells nothing; enough
/// others must.
fn in_every_game(holders: &[Holder], story: impl Fn(&mut Played, &str) -> Option<()>) {
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

#[test]
fn a_resignation_of_two_ends_the_match_and_the_resigned_seat_is_last_whatever_it_holds() {
    let mut played = begin(GameKind::Supertrump, &[PLAYER, PLAYER]);
    for _ in 0..5 {
        played.act_somehow();
    }
    for seat in [A, B] {
        let mut played = played.clone();
        let events = played.resign(seat);
        assert_eq!(events.first(), Some(&Event::SeatResigned { seat }));
        let result = played.now.result().expect("too few are left");
        assert_eq!(result.reason, EndReason::TooFewPlayers);
        assert_eq!(played.ranks(), if seat == A { [2, 1] } else { [1, 2] });
        assert_eq!(played.now.resign(A), Err(AbsenceRefusal::NotRunning));
        played.assert_replays();
    }
}

#[test]
fn of_three_players_the_second_resignation_ends_the_match_and_ranks_above_the_first() {
    let mut played = begin(GameKind::DuelQuartett, &[PLAYER, PLAYER, PLAYER]);
    assert_eq!(
        played.resign(C),
        [Event::SeatResigned { seat: C }],
        "two players are left"
    );
    assert_eq!(played.now.bot_of(C), Some(BotLevel::Medium));
    assert_eq!(played.now.resign(C), Err(AbsenceRefusal::Resigned));
    assert_eq!(played.now.return_to(C), Err(AbsenceRefusal::Resigned));
    played.resign(A);
    assert_eq!(played.now.status(), Status::Ended);
    assert_eq!(played.ranks(), [2, 1, 3]);
    played.assert_replays();
}

/// The bot of a resigned seat may take every card: the seat is last all the same, and the best others win.
#[test]
fn a_resigned_seat_never_wins() {
    let mut took_all = 0;
    for seed in 0..60 {
        let setup = GameSetup::default_for(GameKind::Supertrump, 3);
        let mut played = begin_with(setup, &[PLAYER, PLAYER, PLAYER], DeadlinePolicy::BotPlays, seed);
        played.resign(C);
        while let Some(turn) = played.now.turn() {
            match played.now.bot_of(turn.seat) {
                Some(_) => played.bot_acts(),
                None => played.act_somehow(),
            }
        }
        let ranks = played.ranks();
        assert_eq!(ranks[C.index()], 3);
        let standings = &played.now.result().expect("it ended").standings;
        if standings[A].score == 0 && standings[B].score == 0 && standings[C].score > 0 {
            took_all += 1;
            assert_eq!(ranks, [1, 1, 3], "those with nothing share the win");
        }
        played.assert_replays();
    }
    assert!(took_all > 0, "some bot took every card");
}

#[test]
fn a_bot_from_the_start_counts_as_left_but_bots_alone_do_not_play_on() {
    let mut with_a_player = begin(GameKind::Pairs, &[PLAYER, PLAYER, BOT]);
    assert_eq!(
        with_a_player.resign(A).len(),
        1,
        "a player and a bot are two that are left"
    );
    let mut alone = begin(GameKind::Pairs, &[PLAYER, BOT, BOT]);
    alone.resign(A);
    assert_eq!(alone.now.status(), Status::Ended, "no player is left");
    assert_eq!(alone.ranks(), [3, 1, 1]);
}

#[test]
fn what_is_refused() {
    let deck = &built_in()[0];
    let seed = Seed([1; 32]);
    let setup = GameSetup::default_for(GameKind::Pairs, 2);
    let waiting = Match::new(terms(setup, deck, 2, &seed), deck.clone());
    assert_eq!(waiting.resign(A), Err(AbsenceRefusal::NotRunning));
    assert_eq!(waiting.return_to(A), Err(AbsenceRefusal::NotRunning));
    assert_eq!(waiting.miss_deadline(), Err(AbsenceRefusal::NotRunning));

    let mut played = begin(GameKind::Pairs, &[PLAYER, BOT]);
    assert_eq!(
        played.now.resign(B),
        Err(AbsenceRefusal::NotAPlayer),
        "a bot from the start"
    );
    assert_eq!(
        played.now.resign(Seat(2)),
        Err(AbsenceRefusal::NotAPlayer),
        "no such seat"
    );
    assert_eq!(played.now.return_to(Seat(255)), Err(AbsenceRefusal::NotAPlayer));
    assert_eq!(played.now.return_to(A), Err(AbsenceRefusal::NotAway));
    played.miss();
    assert_eq!(
        played.now.miss_deadline(),
        Err(AbsenceRefusal::NoDeadline),
        "the bot moves"
    );
    assert_eq!(
        played.now.return_to(A),
        Err(AbsenceRefusal::NotAway),
        "one miss is no absence"
    );
    let over = played.now.time_up();
    played.take_in(over);
    assert_eq!(played.now.return_to(A), Err(AbsenceRefusal::NotRunning));
    assert_eq!(played.now.miss_deadline(), Err(AbsenceRefusal::NotRunning));
}

#[test]
fn a_bot_stands_in_for_a_missed_turn_only() {
    in_every_game(&[PLAYER, PLAYER, PLAYER], |played, game| {
        assert_eq!(played.miss(), [Event::DeadlinePassed { seat: A }]);
        assert_eq!(played.now.bot_of(A), Some(BotLevel::Medium));
        assert_eq!(played.now.waits_for(), None, "{game}: nobody is waited for");
        played.play_missed_turn()?;
        assert_eq!(played.now.bot_of(A), None, "{game}: the turn has left the seat");
        assert_eq!(played.now.waits_for(), Some(played.turn()));
        played.assert_replays();
        Some(())
    });
}

/// A missed turn may hold several steps; the bot completes them all.
#[test]
fn the_bot_completes_a_pending_duel_a_second_flip_and_a_playoff() {
    let mut reached = Vec::new();
    for (game, phase) in [
        (GameKind::DuelQuartett, Phase::Duel),
        (GameKind::Pairs, Phase::FlipSecond),
        (GameKind::VdbSupertrumpf, Phase::Playoff),
        (GameKind::Supertrump, Phase::ChooseBlind),
    ] {
        for leaves in ["misses", "resigns"] {
            for seed in 0..40 {
                let setup = GameSetup::default_for(game, 3);
                let holders = [PLAYER, PLAYER, PLAYER];
                let mut played = begin_with(setup, &holders, DeadlinePolicy::BotPlays, seed);
                for _ in 0..60 {
                    if played.now.turn().is_none_or(|turn| turn.phase == phase) {
                        break;
                    }
                    played.act_somehow();
                }
                let Some(turn) = played.now.turn().filter(|turn| turn.phase == phase) else {
                    continue;
                };
                if leaves == "misses" {
                    played.miss();
                } else {
                    played.resign(turn.seat);
                }
                assert_eq!(played.now.turn(), Some(turn), "the step is still pending");
                assert_eq!(played.now.bot_of(turn.seat), Some(BotLevel::Medium));
                played.bot_acts();
                let after = played.now.turn();
                assert!(
                    after.is_none_or(|after| after.phase != phase || after.seat != turn.seat)
                        || game == GameKind::VdbSupertrumpf,
                    "{game:?}: the step is done; only a playoff may be tied again"
                );
                played.assert_replays();
                reached.push((game.id(), leaves));
                break;
            }
        }
    }
    assert_eq!(reached.len(), 8, "{reached:?}");
}

#[test]
fn two_misses_in_a_row_give_the_seat_to_a_bot_until_the_player_returns() {
    in_every_game(&[PLAYER, PLAYER, PLAYER], |played, game| {
        played.miss();
        played.play_until_turn_of(A)?;
        assert_eq!(
            played.miss(),
            [Event::DeadlinePassed { seat: A }, Event::SeatAway { seat: A }]
        );
        played.play_missed_turn()?;
        assert_eq!(
            played.now.bot_of(A),
            Some(BotLevel::Medium),
            "{game}: beyond that turn"
        );
        let back = played.now.return_to(A).expect("away");
        assert_eq!(back, [Event::SeatReturned { seat: A }]);
        played.take_in(back);
        assert_eq!(played.now.bot_of(A), None);
        played.play_until_turn_of(A)?;
        let anew = [Event::DeadlinePassed { seat: A }];
        assert_eq!(played.miss(), anew, "{game}: counted anew");
        played.assert_replays();
        Some(())
    });
}

#[test]
fn an_own_turn_between_two_misses_counts_anew() {
    in_every_game(&[PLAYER, PLAYER, PLAYER], |played, game| {
        played.miss();
        played.play_until_turn_of(A)?;
        played.act_somehow();
        played.play_until_turn_of(A)?;
        let anew = [Event::DeadlinePassed { seat: A }];
        assert_eq!(played.miss(), anew, "{game}: not in a row");
        Some(())
    });
}

#[test]
fn a_first_flip_of_ones_own_counts_although_the_second_is_missed() {
    let mut played = begin(GameKind::Pairs, &[PLAYER, PLAYER]);
    played.miss();
    played.play_until_turn_of(A).expect("the match is long");
    played.act_somehow();
    assert_eq!(played.now.turn().expect("runs").phase, Phase::FlipSecond);
    assert_eq!(played.miss(), [Event::DeadlinePassed { seat: A }]);
}

/// A holds all but one card of the first group and misses a turn; whoever has that card then fights for the
/// group and loses it, so that it becomes whole in A's hand without an action of A. With `Manual` A lays it.
/// Tells how many of the deals went so, and in how many of these A is away after its next miss.
fn whole_then_missed(lay: duel_quartett::Lay) -> (usize, usize) {
    let deck = &built_in()[3];
    let group: Vec<Card> = deck.cards_of(Group(0)).iter().collect();
    let wanted = deck.cards_of(Group(0));
    // Seat A is dealt every third card from the first on, seat B from the second.
    let mut order: Vec<usize> = deck.cards().map(Card::index).collect();
    order.retain(|card| group.iter().all(|own| own.index() != *card));
    for (place, card) in [(0, 0), (1, 3), (3, 1), (6, 2)] {
        order.insert(place, group[card].index());
    }
    let mut whole_and_away = (0, 0);
    for seed in 0..200 {
        let seed = Seed([seed; 32]);
        let options = duel_quartett::Options {
            lay,
            ..duel_quartett::Options::default_for(3)
        };
        let mut terms = terms(GameSetup::DuelQuartett(options), deck, 3, &seed);
        terms.starter = StarterRule::Host;
        let opening = Opening {
            order: Some(&order),
            ..Opening::default()
        };
        let mut played = Played::begin(terms, deck, &[PLAYER, PLAYER, PLAYER], &seed, opening);
        played.miss();
        let Some(()) = played.play_missed_turn() else {
            continue;
        };
        while let Some(turn) = played.now.turn().filter(|turn| turn.seat != A) {
            let legal = played.now.legal_actions(turn.seat);
            let of_group = |card: &Card| wanted.has(*card);
            let losing = |action: &&Action| match action {
                Action::AskCard { seat, card } => *seat == A.0 && of_group(card),
                Action::FightDuel { card, attribute } => group
                    .iter()
                    .filter(|other| of_group(card) && *other != card)
                    .any(|other| deck.rank(*other, *attribute) > deck.rank(*card, *attribute)),
                Action::LayQuartet { .. } | Action::ChooseAttribute { .. } | Action::FlipCard { .. } => false,
            };
            match legal.iter().find(losing) {
                Some(action) => played.act(action),
                None => played.act_somehow(),
            }
        }
        if played.now.turn().is_none() {
            continue;
        }
        let own = |event: &Event| matches!(event, Event::QuartetLaid { seat: A, .. });
        let mut whole = played.log.last().expect("a log").events.iter().any(own);
        let laying = |action: &&Action| matches!(action, Action::LayQuartet { .. });
        if let Some(lay) = played.now.legal_actions(A).iter().find(laying) {
            let laid = played.decide(A, lay).expect("legal");
            played.take_in(laid);
            whole = true;
        }
        if whole && played.now.waits_for() == Some(A) {
            whole_and_away.0 += 1;
            whole_and_away.1 += usize::from(played.miss().len() == 2);
        }
    }
    whole_and_away
}

#[test]
fn laying_is_an_action_of_ones_own_and_being_laid_for_is_not() {
    let (whole, away) = whole_then_missed(duel_quartett::Lay::Manual);
    assert!(whole > 0 && away == 0, "{away} of {whole}");
    let (whole, away) = whole_then_missed(duel_quartett::Lay::Auto);
    assert!(whole > 0 && away == whole, "{away} of {whole}");
}

#[test]
fn with_forfeit_a_missed_deadline_resigns_the_seat() {
    for game in GameKind::ALL {
        let setup = GameSetup::default_for(game, 3);
        let mut played = begin_with(setup, &[PLAYER, PLAYER, PLAYER], DeadlinePolicy::Forfeit, 3);
        let late = played.turn();
        assert_eq!(
            played.miss(),
            [
                Event::DeadlinePassed { seat: late },
                Event::SeatResigned { seat: late }
            ]
        );
        while played.now.bot_of(played.turn()).is_some() {
            played.bot_acts();
        }
        let second = played.turn();
        let events = played.miss();
        assert!(matches!(
            events.last(),
            Some(Event::Ended {
                reason: EndReason::TooFewPlayers,
                ..
            })
        ));
        let ranks = played.ranks();
        assert_eq!(
            (ranks[late.index()], ranks[second.index()]),
            (3, 2),
            "{game:?}: the later resignation ranks higher"
        );
        played.assert_replays();
    }
}

#[test]
fn a_match_rests_while_every_remaining_player_is_away() {
    in_every_game(&[PLAYER, PLAYER, BOT], |played, game| {
        assert!(!played.now.is_resting());
        away(played, A)?;
        assert!(!played.now.is_resting(), "{game}: B is there");
        away(played, B)?;
        assert!(played.now.is_resting());
        assert_eq!(played.turn(), B, "the missed turn is still pending");
        for seat in [A, B, C] {
            assert_eq!(played.now.bot_of(seat), None, "{game}: nobody moves");
        }
        assert_eq!(played.now.waits_for(), None);
        assert_eq!(played.now.miss_deadline(), Err(AbsenceRefusal::NoDeadline));

        let mut woken = played.clone();
        let back = woken.now.return_to(A).expect("away");
        woken.take_in(back);
        assert!(!woken.now.is_resting());
        let completes = woken.now.bot_of(B);
        assert_eq!(completes, Some(BotLevel::Medium), "{game}: B's turn goes on");
        woken.bot_acts();
        woken.assert_replays();

        let mut own = played.clone();
        let back = own.now.return_to(B).expect("away");
        own.take_in(back);
        assert_eq!(own.now.waits_for(), Some(B), "{game}: B takes its turn up again");

        let ended = played.now.end(EndReason::Abandoned);
        played.take_in(ended);
        let result = played.now.result().expect("ended");
        assert_eq!(result.reason, EndReason::Abandoned);
        assert!(!played.now.is_resting());
        played.assert_replays();
        Some(())
    });
}

#[test]
fn a_resignation_may_leave_only_the_away() {
    let mut played = begin(GameKind::Pairs, &[PLAYER, PLAYER, BOT]);
    away(&mut played, A).expect("the match is long");
    played.play_until_turn_of(B).expect("the match is long");
    assert_eq!(
        played.resign(B).len(),
        1,
        "A may come back, and a bot from the start is left"
    );
    assert!(played.now.is_resting());
    let mut gone = played.clone();
    gone.resign(A);
    let seat = gone.now.view(Viewer::Outsider).seats[A];
    assert!(seat.resigned && !seat.away, "nobody waits for its return");
    assert_eq!(gone.now.status(), Status::Ended, "one may also resign while away");
    let back = played.now.return_to(A).expect("away");
    played.take_in(back);
    assert_eq!(played.now.bot_of(played.turn()), Some(BotLevel::Medium));
}

#[test]
fn bots_alone_never_rest() {
    assert!(!begin(GameKind::Pairs, &[BOT, BOT]).now.is_resting());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, failure_persistence: None, ..ProptestConfig::default() })]

    /// However players come and go: while a match runs, it rests, waits for one player, or a bot moves, and
    /// exactly one of these; it ends; its log replays.
    #[test]
    fn a_match_always_knows_who_is_next(
        game in 0..5_usize, bots in 0..3_u8, forfeit in any::<bool>(), seed in any::<u8>(), choices in any::<u64>(),
    ) {
        let game = GameKind::ALL[game];
        let holders: Vec<Holder> = (0..3).map(|seat| if seat < bots { BOT } else { PLAYER }).collect();
        let policy = if forfeit { DeadlinePolicy::Forfeit } else { DeadlinePolicy::BotPlays };
        let mut played = begin_with(GameSetup::default_for(game, 3), &holders, policy, seed);
        let cards = played.now.all_cards();
        let mut choice = choices;
        let mut draw = |below: usize| {
            choice = choice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (choice >> 33) as usize % below
        };
        for step in 0.. {
            let Some(turn) = played.now.turn() else { break };
            prop_assert!(step < 20_000, "no end in sight");
            let now = &played.now;
            let states = [now.is_resting(), now.waits_for().is_some(), now.bot_of(turn.seat).is_some()];
            prop_assert_eq!(states.iter().filter(|state| **state).count(), 1, "{:?}", states);
            let seat = Seat(u8::try_from(draw(3)).expect("small"));
            let came_or_went = match draw(40) {
                0 => now.resign(seat).ok(),
                1..=4 => now.return_to(seat).ok(),
                _ if now.is_resting() => now.return_to(seat).ok(),
                5..=9 => now.miss_deadline().ok(),
                _ => None,
            };
            if let Some(events) = came_or_went {
                played.take_in(events);
            } else if states[1] {
                let legal = now.legal_actions(turn.seat);
                let action = legal[draw(legal.len())];
                played.act(&action);
            } else if states[2] {
                played.bot_acts();
            }
            prop_assert_eq!(&played.now.all_cards(), &cards);
        }
        prop_assert_eq!(played.now.status(), Status::Ended);
        played.assert_replays();
    }
}
