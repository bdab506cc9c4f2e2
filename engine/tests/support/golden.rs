//! Golden matches: what a match was dealt and everything that happened in it, as text.
//!
//! The first line holds the settings as `name=value` words; the second and following the deal; then one line
//! per entry: its version and the notation lines of its events, joined by ` | `.

use quartett_engine::card::{Side, TableCard};
use quartett_engine::deck::built_in;
use quartett_engine::{
    Board, BotLevel, Cards, DeadlinePolicy, Deal, Deck, Entry, Event, GameKind, GameSetup, Holder, Match,
    RulesVersion, Seat, Seats, Seed, StarterRule, Terms, duel_quartett, notation, pairs, supertrump,
    vdb_quartett, vdb_supertrumpf,
};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

/// The settings of a golden match.
pub(crate) struct Settings {
    pub(crate) deck: Arc<Deck>,
    pub(crate) terms: Terms,
    pub(crate) holders: Vec<Holder>,
    pub(crate) seed: Seed,
    entropies: Vec<Option<String>>,
}

type Words<'a> = BTreeMap<&'a str, &'a str>;

impl Settings {
    /// Reads the first line: `rules`, `game`, `deck`, `holders` (`player` or a bot's level, from seat A on),
    /// `seed` (one byte, repeated), `starter`, `policy`, `entropy` (from seat A on), and the game's options.
    pub(crate) fn read(line: &str) -> Result<Settings, String> {
        let words: Words<'_> = line
            .split_whitespace()
            .map(|word| word.split_once('=').ok_or(format!("{word:?} is no setting")))
            .collect::<Result<_, _>>()?;
        let word = |name: &str| words.get(name).copied().ok_or(format!("{name} is not set"));
        let deck = built_in()
            .iter()
            .find(|deck| Ok(deck.document().deck_id.as_str()) == word("deck").as_deref())
            .ok_or("there is no such deck")?;
        let holders = word("holders")?
            .split(',')
            .map(|holder| match holder {
                "player" => Ok(Holder::Player),
                "easy" => Ok(Holder::Bot(BotLevel::Easy)),
                "medium" => Ok(Holder::Bot(BotLevel::Medium)),
                "hard" => Ok(Holder::Bot(BotLevel::Hard)),
                _ => Err(format!("nobody is a {holder:?}")),
            })
            .collect::<Result<Vec<Holder>, String>>()?;
        let seats = u8::try_from(holders.len()).map_err(|error| error.to_string())?;
        let number = |name: &str| {
            word(name)?
                .parse::<u8>()
                .map_err(|error| format!("{name}: {error}"))
        };
        let (seed, match_id) = (Seed([number("seed")?; 32]), [number("seed")?; 16]);
        let terms = Terms {
            match_id,
            game: setup(&words, seats)?,
            deck_id: deck.document().deck_id.clone(),
            deck_hash: *deck.hash(),
            seats,
            starter_seat: None,
            starter: one_of(
                &words,
                "starter",
                &[("random", StarterRule::Random), ("host", StarterRule::Host)],
            )?,
            turn_seconds: 86_400,
            deadline_policy: one_of(
                &words,
                "policy",
                &[
                    ("bot_plays", DeadlinePolicy::BotPlays),
                    ("forfeit", DeadlinePolicy::Forfeit),
                ],
            )?,
            time_limit_seconds: None,
            rules: RulesVersion(number("rules")?.into()),
            seed_commitment: seed.commitment(&match_id),
        };
        let entropies = words.get("entropy").map_or_else(Vec::new, |entropies| {
            let given = entropies.split(',').map(str::to_owned);
            given
                .map(|entropy| Some(entropy).filter(|e| !e.is_empty()))
                .collect()
        });
        Ok(Settings {
            deck: deck.clone(),
            terms,
            holders,
            seed,
            entropies,
        })
    }

    /// The first entry: created, seats taken.
    pub(crate) fn created(&self) -> Vec<Event> {
        let mut events = vec![Event::Created(Box::new(self.terms.clone()))];
        for (holder, seat) in self.holders.iter().zip(0_u8..) {
            events.push(Event::SeatTaken {
                seat: Seat(seat),
                holder: *holder,
                entropy: self.entropies.get(usize::from(seat)).cloned().flatten(),
            });
        }
        events
    }
}

/// The whole record of a match with these settings: what a golden file holds.
pub(crate) fn record(settings: &str, played: &Match, log: &[Entry]) -> String {
    let mut record = format!("{}\n", settings.trim());
    let deck = played.deck();
    for entry in log {
        for event in &entry.events {
            if let Event::Dealt(deal) = event {
                record.push_str(&dealt(deck, deal));
            }
        }
    }
    for entry in log {
        let lines: Vec<String> = entry
            .events
            .iter()
            .map(|event| notation::line(event, deck).to_string())
            .collect();
        // Writing to a string cannot fail.
        let _ = writeln!(record, "{} {}", entry.version, lines.join(" | "));
    }
    record
}

fn dealt(deck: &Deck, deal: &Deal) -> String {
    let pile = |cards: &Cards| match cards {
        Cards::Open(cards) => cards
            .iter()
            .map(|card| format!(" {}", deck.number(*card)))
            .collect(),
        Cards::Size(size) => format!(" {size}"),
    };
    let piles = |piles: &Seats<Cards>| -> String {
        piles
            .iter()
            .map(|(seat, cards)| format!("dealt {}{}\n", seat.letter(), pile(cards)))
            .collect()
    };
    let place = |card: &TableCard| {
        let side = if card.side == Side::Card { 'q' } else { 'p' };
        format!(" {side}:{}", deck.number(card.card))
    };
    match deal {
        Deal::Hands(hands) => piles(hands),
        Deal::Stacks { stacks, aside } => format!("{}dealt aside{}\n", piles(stacks), pile(aside)),
        Deal::Table(Board::Open(cards)) => {
            format!("dealt table{}\n", cards.iter().map(place).collect::<String>())
        }
        Deal::Table(Board::Size(size)) => format!("dealt table {size}\n"),
    }
}

fn setup(words: &Words<'_>, seats: u8) -> Result<GameSetup, String> {
    let game = words.get("game").and_then(|id| GameKind::from_id(id));
    let limit = |name: &str, default: Option<u32>| match words.get(name) {
        None => Ok(default),
        Some(&"none") => Ok(None),
        Some(limit) => limit
            .parse()
            .map(Some)
            .map_err(|error| format!("{name}: {error}")),
    };
    Ok(
        match GameSetup::default_for(game.ok_or("there is no such game")?, seats) {
            GameSetup::DuelQuartett(default) => GameSetup::DuelQuartett(duel_quartett::Options {
                lay: one_of(
                    words,
                    "lay",
                    &[
                        ("auto", duel_quartett::Lay::Auto),
                        ("manual", duel_quartett::Lay::Manual),
                    ],
                )?,
                stall: limit("stall", default.stall)?,
            }),
            GameSetup::Supertrump(default) => GameSetup::Supertrump(supertrump::Options {
                won_order: one_of(
                    words,
                    "won_order",
                    &[
                        ("shuffled", supertrump::WonOrder::Shuffled),
                        ("fixed", supertrump::WonOrder::Fixed),
                    ],
                )?,
                rounds: limit("rounds", default.rounds)?,
                end: one_of(
                    words,
                    "end",
                    &[
                        ("all_cards", supertrump::End::AllCards),
                        ("first_out", supertrump::End::FirstOut),
                    ],
                )?,
            }),
            GameSetup::Pairs(default) => GameSetup::Pairs(pairs::Options {
                memory: one_of(
                    words,
                    "memory",
                    &[
                        ("since_last_turn", pairs::Memory::SinceLastTurn),
                        ("full_log", pairs::Memory::FullLog),
                    ],
                )?,
                idle: limit("idle", default.idle)?,
            }),
            GameSetup::VdbSupertrumpf(default) => GameSetup::VdbSupertrumpf(vdb_supertrumpf::Options {
                rounds: limit("rounds", default.rounds)?,
            }),
            GameSetup::VdbQuartett(default) => GameSetup::VdbQuartett(vdb_quartett::Options {
                guard_misses: limit("guard_misses", default.guard_misses)?,
                guard_asks: limit("guard_asks", default.guard_asks)?,
            }),
        },
    )
}

/// The value of a setting by its name; the first is the default.
fn one_of<T: Copy>(words: &Words<'_>, name: &str, values: &[(&str, T)]) -> Result<T, String> {
    let Some(chosen) = words.get(name) else {
        return Ok(values[0].1);
    };
    let found = values.iter().find(|(value, _)| value == chosen);
    found
        .map(|(_, value)| *value)
        .ok_or(format!("{name} cannot be {chosen:?}"))
}
