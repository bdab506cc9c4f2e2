//! How much better one level of bots plays than another.

use quartett_engine::deck::built_in;
use quartett_engine::{
    BotLevel, DeadlinePolicy, Event, GameKind, GameSetup, Holder, Match, Purpose, RulesVersion, Seat, Seed,
    StarterRule, Terms, bot,
};

/// What is compared: two levels at a table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Contest {
    game: GameKind,
    seats: u8,
    better: BotLevel,
    worse: BotLevel,
}

/// The share of wins of the better level over many deals, with its 95 % interval.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Share {
    pub(crate) low: f64,
    mean: f64,
    high: f64,
}

impl std::fmt::Display for Share {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.3}   {:.3} to {:.3}", self.mean, self.low, self.high)
    }
}

impl std::fmt::Display for Contest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (game, better, worse) = (self.game.id(), self.better.id(), self.worse.id());
        write!(f, "{game:17} {:5}  {better:6} over {worse:6}", self.seats)
    }
}

/// Every game with every number of seats, each level against the one below.
pub(crate) fn contests() -> Vec<Contest> {
    let mut contests = Vec::new();
    for game in GameKind::ALL {
        for seats in game.seats() {
            for (better, worse) in [
                (BotLevel::Medium, BotLevel::Easy),
                (BotLevel::Hard, BotLevel::Medium),
            ] {
                contests.push(Contest {
                    game,
                    seats,
                    better,
                    worse,
                });
            }
        }
    }
    contests
}

impl Contest {
    /// Plays each of the deals `0..deals` twice, levels alternating by seat and exchanged the second time, so
    /// that both levels hold every seat of every deal once. A shared win counts by share; equal strength gives
    /// one half. The interval is the normal one over deals.
    pub(crate) fn play(self, deals: u32) -> Share {
        let shares: Vec<f64> = (0..deals)
            .map(|deal| (self.share(deal, false) + self.share(deal, true)) / 2.0)
            .collect();
        let count = f64::from(deals);
        let mean = shares.iter().sum::<f64>() / count;
        let variance = shares.iter().map(|share| (share - mean).powi(2)).sum::<f64>() / (count - 1.0);
        let reach = 1.96 * (variance / count).sqrt();
        Share {
            low: mean - reach,
            mean,
            high: mean + reach,
        }
    }

    fn share(self, deal: u32, exchanged: bool) -> f64 {
        let is_better = |seat: usize| seat.is_multiple_of(2) != exchanged;
        let levels: Vec<BotLevel> = (0..usize::from(self.seats))
            .map(|seat| if is_better(seat) { self.better } else { self.worse })
            .collect();
        let played = play(self.game, &levels, deal);
        let result = played.result().expect("it ended");
        let winners: Vec<usize> = result
            .standings
            .iter()
            .filter(|(_, standing)| standing.rank == 1)
            .map(|(seat, _)| seat.index())
            .collect();
        let won = winners.iter().filter(|seat| is_better(**seat)).count();
        won as f64 / winners.len() as f64
    }
}

/// Plays the deal of this number to its end, with the deck the game was built for.
fn play(game: GameKind, levels: &[BotLevel], deal: u32) -> Match {
    let deck = match game {
        GameKind::VdbSupertrumpf | GameKind::VdbQuartett => &built_in()[1],
        GameKind::DuelQuartett | GameKind::Supertrump | GameKind::Pairs => &built_in()[0],
    };
    let mut seed = Seed([0; 32]);
    seed.0[..4].copy_from_slice(&deal.to_le_bytes());
    let seats = u8::try_from(levels.len()).expect("at most six");
    let terms = Terms {
        match_id: [0; 16],
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
        seed_commitment: seed.commitment(&[0; 16]),
    };
    let mut played = Match::new(terms, deck.clone());
    let taken: Vec<Event> = levels
        .iter()
        .zip(0..)
        .map(|(level, seat)| Event::SeatTaken {
            seat: Seat(seat),
            holder: Holder::Bot(*level),
            entropy: None,
        })
        .collect();
    played.apply_entry(&taken);
    let started = played.start(&seed, None, &[], None).expect("full");
    let key = played.deal_key(&seed, None);
    played.apply_entry(&started);
    while let Some(turn) = played.turn() {
        let version = played.version() + 1;
        let level = played.bot_of(turn.seat).expect("all seats are bots");
        let action = bot::choose(&played, turn.seat, level, &mut key.stream(Purpose::Bot, version));
        let action = action.expect("the seat to move can do something");
        let events = played
            .decide(turn.seat, &action, &mut key.stream(Purpose::Mix, version))
            .expect("legal");
        played.apply_entry(&events);
    }
    played
}
