#![expect(clippy::cast_possible_truncation, reason = "there are at most six seats")]
//! Reads rule cases (see `tests/cases`), plays them and says the first difference.
//!
//! A case starts from an exact position, plays steps and says what must come out, line by line.

use quartett_engine::deck::{
    AttributeDocument, AttributeKind, CardDocument, DeckDocument, Direction, GroupDocument, Text,
    ValueDocument,
};
use quartett_engine::view::{Stack, TableView};
use quartett_engine::{
    Action, Board, Cards, Deal, Deck, Event, GameSetup, InOrder, Match, Position, Seat, Seats, Status,
    Viewer, card::TableCard, duel_quartett, notation, pairs, supertrump, vdb_quartett, vdb_supertrumpf,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A file of cases.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CaseFile {
    #[serde(default)]
    decks: BTreeMap<String, SmallDeck>,
    /// The cases, in order.
    pub(crate) cases: Vec<Case>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SmallDeck {
    #[serde(default)]
    attributes: BTreeMap<String, Direction>,
    cards: BTreeMap<String, SmallCard>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct SmallCard {
    #[serde(default)]
    group: Option<String>,
    #[serde(default)]
    values: BTreeMap<String, String>,
}

/// One worked case.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    /// Its id.
    pub(crate) id: String,
    #[serde(default, rename = "title")]
    _title: Option<String>,
    mode: String,
    #[serde(default)]
    deck: Option<String>,
    seats: Vec<String>,
    turn: String,
    #[serde(default)]
    options: Map<String, Value>,
    #[serde(default)]
    hands: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    stacks: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    board: Vec<String>,
    #[serde(default)]
    laid: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    score: BTreeMap<String, Score>,
    #[serde(default)]
    start_events: Option<Vec<String>>,
    #[serde(default)]
    steps: Vec<Step>,
    #[serde(default)]
    after: Map<String, Value>,
}

/// What was won before: how many, or which.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Score {
    Count(usize),
    Which(Vec<String>),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    #[serde(rename = "do")]
    action: Vec<Value>,
    #[serde(default)]
    events: Option<Vec<String>>,
    #[serde(default)]
    rejection: Option<String>,
}

/// What came out of a case: what it printed, and the first difference from what it says.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// `{"id", "start_events", "steps", "after"}`.
    pub(crate) trace: Value,
    /// The first difference, if there is one.
    pub(crate) difference: Option<String>,
}

impl CaseFile {
    /// Reads YAML or JSON.
    pub(crate) fn parse(text: &str) -> Result<CaseFile, String> {
        serde_saphyr::from_str(text).map_err(|error| error.to_string())
    }

    /// Plays one case of the file.
    pub(crate) fn play(&self, case: &Case) -> Outcome {
        match self.set_up(case) {
            Ok((played, opening)) => Run {
                case,
                played,
                difference: None,
            }
            .play(&opening),
            Err(reason) => Outcome {
                trace: json!({"id": case.id, "error": reason}),
                difference: Some(reason),
            },
        }
    }

    fn set_up(&self, case: &Case) -> Result<(Match, Vec<Event>), String> {
        let document = match &case.deck {
            Some(name) => small_deck(
                name,
                self.decks
                    .get(name)
                    .ok_or_else(|| format!("there is no deck {name:?}"))?,
            ),
            None => board_deck(&case.board, &case.score)?,
        };
        let deck = Arc::new(Deck::new(document).map_err(|error| error.to_string())?);
        let seat = |name: &String| {
            let index = case.seats.iter().position(|seat| seat == name);
            index
                .map(|index| Seat(index as u8))
                .ok_or_else(|| format!("there is no seat {name:?}"))
        };
        let card = |number: &String| {
            let card = deck.card(number);
            if deck.has_card(card) {
                Ok(card)
            } else {
                Err(format!("there is no card {number:?}"))
            }
        };
        let piles = |of: &BTreeMap<String, Vec<String>>| -> Result<Seats<Cards>, String> {
            let mut piles = Seats::build(case.seats.len(), |_| Cards::Open(Vec::new()));
            for (name, numbers) in of {
                piles[seat(name)?] = Cards::Open(numbers.iter().map(card).collect::<Result<_, _>>()?);
            }
            Ok(piles)
        };
        let setup = setup(&case.mode, &case.options)?;
        let deal = match setup {
            GameSetup::DuelQuartett(_) | GameSetup::VdbQuartett(_) => Deal::Hands(piles(&case.hands)?),
            GameSetup::Supertrump(_) | GameSetup::VdbSupertrumpf(_) => Deal::Stacks {
                stacks: piles(&case.stacks)?,
                aside: Cards::Open(Vec::new()),
            },
            GameSetup::Pairs(_) => {
                let place = |text: &String| match text.split_once(':') {
                    Some(("q", number)) => card(&number.to_owned()).map(TableCard::card),
                    Some(("p", number)) => card(&number.to_owned()).map(TableCard::plan),
                    _ => Err(format!("{text:?} is no place")),
                };
                Deal::Table(Board::Open(
                    case.board.iter().map(place).collect::<Result<_, _>>()?,
                ))
            }
        };
        let mut position = Position {
            deal,
            laid: Vec::new(),
            taken: Vec::new(),
            turn: seat(&case.turn)?,
        };
        for (name, groups) in &case.laid {
            for group in groups {
                position.laid.push((seat(name)?, deck.group(group)));
            }
        }
        for (name, score) in &case.score {
            match score {
                Score::Count(count) => {
                    let earlier = (0..*count).map(|n| deck.card(&earlier_pair(name, n)));
                    let seat = seat(name)?;
                    position.taken.extend(earlier.map(|card| (seat, card)));
                }
                Score::Which(names) => {
                    for won in names {
                        match setup {
                            GameSetup::Pairs(_) => position.taken.push((seat(name)?, card(won)?)),
                            GameSetup::DuelQuartett(_)
                            | GameSetup::VdbQuartett(_)
                            | GameSetup::Supertrump(_)
                            | GameSetup::VdbSupertrumpf(_) => {
                                position.laid.push((seat(name)?, deck.group(won)))
                            }
                        }
                    }
                }
            }
        }
        Ok(Match::from_position(
            setup,
            deck,
            u8::try_from(case.seats.len()).map_err(|error| error.to_string())?,
            &position,
        ))
    }
}

/// The number of a pair that a seat took before, when only the count is told.
fn earlier_pair(seat: &str, index: usize) -> String {
    format!("earlier-{seat}-{index}")
}

fn text(text: &str) -> Text {
    Text {
        en: text.to_owned(),
        de: text.to_owned(),
    }
}

fn small_deck(name: &str, small: &SmallDeck) -> DeckDocument {
    let mut groups: BTreeMap<&String, Vec<String>> = BTreeMap::new();
    for (number, card) in &small.cards {
        if let Some(group) = &card.group {
            groups.entry(group).or_default().push(number.clone());
        }
    }
    document(
        name,
        small
            .attributes
            .iter()
            .map(|(attribute, direction)| AttributeDocument {
                attribute: attribute.clone(),
                label: text(attribute),
                hint: None,
                unit: None,
                direction: *direction,
                kind: AttributeKind::Number,
                decimals: 6,
                editorial: false,
                levels: Vec::new(),
            })
            .collect(),
        groups
            .into_iter()
            .map(|(group, cards)| GroupDocument {
                group: group.clone(),
                label: text(group),
                cards,
            })
            .collect(),
        small
            .cards
            .iter()
            .map(|(number, card)| card_document(number, card))
            .collect(),
    )
}

fn board_deck(board: &[String], score: &BTreeMap<String, Score>) -> Result<DeckDocument, String> {
    let mut numbers: Vec<String> = Vec::new();
    for place in board {
        let (_, number) = place
            .split_once(':')
            .ok_or_else(|| format!("{place:?} is no place"))?;
        numbers.push(number.to_owned());
    }
    for (seat, score) in score {
        match score {
            Score::Count(count) => numbers.extend((0..*count).map(|n| earlier_pair(seat, n))),
            Score::Which(which) => numbers.extend(which.iter().cloned()),
        }
    }
    numbers.sort_unstable();
    numbers.dedup();
    let cards = numbers
        .iter()
        .map(|number| card_document(number, &SmallCard::default()))
        .collect();
    Ok(document("board", Vec::new(), Vec::new(), cards))
}

fn document(
    name: &str,
    attributes: Vec<AttributeDocument>,
    groups: Vec<GroupDocument>,
    cards: Vec<CardDocument>,
) -> DeckDocument {
    let (title, description) = (text(name), text(name));
    DeckDocument {
        deck_id: name.to_owned(),
        title,
        description,
        attributes,
        groups,
        cards,
        credits: Vec::new(),
    }
}

fn card_document(number: &str, card: &SmallCard) -> CardDocument {
    CardDocument {
        number: number.to_owned(),
        group: card.group.clone(),
        name: text(number),
        values: card
            .values
            .iter()
            .map(|(attribute, value)| ValueDocument {
                attribute: attribute.clone(),
                value: value.clone(),
                levels: Vec::new(),
                marked: None,
            })
            .collect(),
        facts: Vec::new(),
        plan: None,
    }
}

/// The game with the options of a case; a limit that is absent means: no such limit.
fn setup(mode: &str, options: &Map<String, Value>) -> Result<GameSetup, String> {
    let mut known: Vec<&str> = Vec::new();
    let mut limit = |name: &'static str| {
        known.push(name);
        match options.get(name) {
            None => Ok(None),
            Some(value) => value
                .as_u64()
                .and_then(|value| u32::try_from(value).ok())
                .map(Some)
                .ok_or_else(|| format!("option {name} is no number")),
        }
    };
    let setup = match mode {
        "duel_quartett" => {
            let stall = limit("stall")?;
            let lay = one_of(
                options,
                &mut known,
                "lay",
                &[
                    ("auto", duel_quartett::Lay::Auto),
                    ("manual", duel_quartett::Lay::Manual),
                ],
            )?;
            GameSetup::DuelQuartett(duel_quartett::Options { lay, stall })
        }
        "supertrump" => {
            let rounds = limit("rounds")?;
            let end = one_of(
                options,
                &mut known,
                "end",
                &[
                    ("all_cards", supertrump::End::AllCards),
                    ("first_out", supertrump::End::FirstOut),
                ],
            )?;
            one_of(
                options,
                &mut known,
                "won_order",
                &[("fixed", ()), ("shuffled", ())],
            )?;
            GameSetup::Supertrump(supertrump::Options {
                won_order: supertrump::WonOrder::Fixed,
                rounds,
                end,
            })
        }
        "pairs" => {
            let idle = limit("idle")?;
            let memory = one_of(
                options,
                &mut known,
                "memory",
                &[
                    ("since_last_turn", pairs::Memory::SinceLastTurn),
                    ("full_log", pairs::Memory::FullLog),
                ],
            )?;
            GameSetup::Pairs(pairs::Options { memory, idle })
        }
        "vdb_supertrumpf" => GameSetup::VdbSupertrumpf(vdb_supertrumpf::Options {
            rounds: limit("rounds")?,
        }),
        "vdb_quartett" => GameSetup::VdbQuartett(vdb_quartett::Options {
            guard_misses: limit("guard_misses")?,
            guard_asks: limit("guard_asks")?,
        }),
        _ => return Err(format!("there is no game {mode:?}")),
    };
    match options.keys().find(|name| !known.contains(&name.as_str())) {
        Some(name) => Err(format!("{mode} has no option {name:?}")),
        None => Ok(setup),
    }
}

/// The value of an option by its name; the first is the default.
fn one_of<T: Copy>(
    options: &Map<String, Value>,
    known: &mut Vec<&str>,
    name: &'static str,
    values: &[(&str, T)],
) -> Result<T, String> {
    known.push(name);
    let Some(chosen) = options.get(name) else {
        return Ok(values[0].1);
    };
    let found = values.iter().find(|(value, _)| chosen.as_str() == Some(value));
    found
        .map(|(_, value)| *value)
        .ok_or_else(|| format!("option {name} has no value {chosen}"))
}

struct Run<'a> {
    case: &'a Case,
    played: Match,
    difference: Option<String>,
}

impl Run<'_> {
    fn play(mut self, opening: &[Event]) -> Outcome {
        let start = self.lines(opening);
        if let Some(expected) = &self.case.start_events {
            self.compare("start", &json!(expected), &json!(start));
        }
        let mut steps = Vec::new();
        for (index, step) in self.case.steps.iter().enumerate() {
            let at = format!("step {}", index + 1);
            let before = self.played.clone();
            match self.take(&step.action) {
                Err(reason) => self.differ(format!("{at}: {reason}")),
                Ok(Err(code)) => {
                    steps.push(json!({"rejection": code}));
                    if before != self.played {
                        self.differ(format!("{at}: a refusal changed the position"));
                    }
                    match &step.rejection {
                        Some(expected) => self.compare(&at, &json!(expected), &json!(code)),
                        None => self.differ(format!("{at}: refused as {code}")),
                    }
                }
                Ok(Ok(events)) => {
                    let lines = self.lines(&events);
                    self.played.apply_entry(&events);
                    if let Some(expected) = &step.rejection {
                        self.differ(format!("{at}: expected {expected}, came {lines:?}"));
                    } else if let Some(expected) = &step.events {
                        self.compare(&at, &json!(expected), &json!(lines));
                    }
                    steps.push(json!({"events": lines}));
                }
            }
        }
        let after = self.after();
        for (key, expected) in &self.case.after {
            match expected {
                Value::Object(members) => {
                    for (seat, expected) in members {
                        let came = after[key].get(seat).cloned().unwrap_or(Value::Null);
                        let sets = key == "hands" || key == "laid";
                        let (expected, came) = if sets {
                            (sorted(expected), sorted(&came))
                        } else {
                            (expected.clone(), came)
                        };
                        self.compare(&format!("after: {key} {seat}"), &expected, &came);
                    }
                }
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                    self.compare(&format!("after: {key}"), expected, &after[key]);
                }
            }
        }
        let trace = json!({"id": self.case.id, "start_events": start, "steps": steps, "after": after});
        Outcome {
            trace,
            difference: self.difference,
        }
    }

    /// Carries a step out: its events, or the code of its rejection; an error if it cannot be read.
    fn take(&self, step: &[Value]) -> Result<Result<Vec<Event>, &'static str>, String> {
        let words: Vec<String> = step
            .iter()
            .map(|word| word.as_str().map_or_else(|| word.to_string(), str::to_owned))
            .collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let deck = self.played.deck();
        let seat = |name: &str| {
            self.case
                .seats
                .iter()
                .position(|seat| seat == name)
                .map_or(u8::MAX, |i| i as u8)
        };
        let (by, action) = match words[..] {
            ["time_up"] => {
                let over = self.played.status() != Status::Active;
                return Ok(if over {
                    Err("match_over")
                } else {
                    Ok(self.played.time_up())
                });
            }
            ["ask", by, asked, card] => (
                by,
                Action::AskCard {
                    seat: seat(asked),
                    card: deck.card(card),
                },
            ),
            ["duel", by, card, attribute] => (
                by,
                Action::FightDuel {
                    card: deck.card(card),
                    attribute: deck.attribute(attribute),
                },
            ),
            ["lay", by, group] => (
                by,
                Action::LayQuartet {
                    group: deck.group(group),
                },
            ),
            ["choose", by, attribute] => (
                by,
                Action::ChooseAttribute {
                    attribute: deck.attribute(attribute),
                },
            ),
            ["flip", by, place] => {
                let place = place
                    .parse::<u64>()
                    .map_err(|error| format!("{place:?}: {error}"))?;
                (
                    by,
                    Action::FlipCard {
                        place: u8::try_from(place).unwrap_or(0),
                    },
                )
            }
            _ => return Err(format!("{words:?} is no step")),
        };
        Ok(self
            .played
            .decide(Seat(seat(by)), &action, &mut InOrder)
            .map_err(|rejection| rejection.code()))
    }

    fn lines(&self, events: &[Event]) -> Vec<String> {
        events
            .iter()
            .map(|event| notation::line(event, self.played.deck()).to_string())
            .collect()
    }

    fn after(&self) -> Value {
        let deck = self.played.deck();
        let by_seat = |value: &dyn Fn(Seat) -> Value| -> Value {
            self.case
                .seats
                .iter()
                .enumerate()
                .map(|(i, name)| (name.clone(), value(Seat(i as u8))))
                .collect::<Map<_, _>>()
                .into()
        };
        let numbers = |cards: Vec<quartett_engine::Card>| -> Value {
            cards.into_iter().map(|c| deck.number(c)).collect()
        };
        let mut after = Map::new();
        match self.played.view(Viewer::Everything).table {
            TableView::DuelQuartett { hands, quartets, .. }
            | TableView::VdbQuartett { hands, quartets, .. } => {
                let cards = |seat: Seat| match hands[seat] {
                    quartett_engine::view::Hand::Own(cards) => cards.iter().collect(),
                    quartett_engine::view::Hand::Size(_) => Vec::new(),
                };
                after.insert("hands".into(), by_seat(&|seat| numbers(cards(seat))));
                after.insert("counts".into(), by_seat(&|seat| json!(hands[seat].size())));
                let groups = |seat: Seat| {
                    quartets[seat]
                        .iter()
                        .map(|group| deck.group_id(group))
                        .collect::<Value>()
                };
                after.insert("laid".into(), by_seat(&groups));
                after.insert("score".into(), by_seat(&|seat| json!(quartets[seat].count())));
                after.insert("pot".into(), json!(0));
            }
            TableView::Supertrump { stacks, centre, .. }
            | TableView::VdbSupertrumpf { stacks, centre, .. } => {
                let cards = |seat: Seat| match &stacks[seat] {
                    Stack::Open(cards) => cards.clone(),
                    Stack::Closed(_) | Stack::Top(..) => Vec::new(),
                };
                after.insert("stacks".into(), by_seat(&|seat| numbers(cards(seat))));
                after.insert("counts".into(), by_seat(&|seat| json!(cards(seat).len())));
                after.insert("laid".into(), by_seat(&|_| json!([])));
                let score = |seat: Seat| {
                    let result = self.played.result().map(|result| result.standings[seat].score);
                    json!(result.map_or(cards(seat).len(), usize::from))
                };
                after.insert("score".into(), by_seat(&score));
                after.insert("pot".into(), json!(centre.len()));
            }
            TableView::Pairs { pairs, .. } => {
                after.insert("counts".into(), by_seat(&|seat| json!(pairs[seat].len())));
                after.insert("laid".into(), by_seat(&|_| json!([])));
                after.insert("score".into(), by_seat(&|seat| json!(pairs[seat].len())));
                after.insert("pot".into(), json!(0));
            }
        }
        let turn = self
            .played
            .turn()
            .map(|turn| self.case.seats[turn.seat.index()].clone());
        after.insert("turn".into(), json!(turn));
        after.into()
    }

    fn compare(&mut self, at: &str, expected: &Value, came: &Value) {
        if expected != came {
            self.differ(format!("{at}: expected {expected}, came {came}"));
        }
    }

    fn differ(&mut self, difference: String) {
        self.difference.get_or_insert(difference);
    }
}

fn sorted(list: &Value) -> Value {
    let mut items: Vec<String> = list
        .as_array()
        .into_iter()
        .flatten()
        .map(ToString::to_string)
        .collect();
    items.sort_unstable();
    json!(items)
}
