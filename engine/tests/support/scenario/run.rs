//! Plays the steps of a case and compares what comes out.

use super::{Case, Outcome};
use quartett_engine::view::{Stack, TableView};
use quartett_engine::{Action, Event, InOrder, Match, Seat, Status, Viewer, notation};
use serde_json::{Map, Value, json};

/// A case as it is played.
pub(super) struct Run<'a> {
    case: &'a Case,
    played: Match,
    difference: Option<String>,
}

impl<'a> Run<'a> {
    pub(super) fn of(case: &'a Case, played: Match) -> Run<'a> {
        Run {
            case,
            played,
            difference: None,
        }
    }

    pub(super) fn play(mut self, opening: &[Event]) -> Outcome {
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
