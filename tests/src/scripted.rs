//! Players that know nothing but the contract: they read the view, choose one of its legal actions and send it.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::{Answer, Player, fresh_key};

/// No match takes more actions than this.
const MOST_ACTIONS: usize = 5_000;

/// Chooses at random, the same with the same seed.
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    /// Dice that always fall the same way.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// An index below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        usize::try_from(mixed % count.max(1) as u64).unwrap_or(0)
    }

    /// One of `items`, which are not empty.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// A player of one match and what it remembers.
pub struct Scripted<'a> {
    player: &'a Player,
    dice: Dice,
    /// Pairs: the number seen at each place.
    seen: BTreeMap<i64, String>,
    remembers: bool,
}

impl<'a> Scripted<'a> {
    /// Chooses at random.
    #[must_use]
    pub const fn new(player: &'a Player, seed: u64) -> Self {
        Self {
            player,
            dice: Dice::new(seed),
            seen: BTreeMap::new(),
            remembers: false,
        }
    }

    /// Remembers the cards of Pairs that were turned up, and takes the pairs it knows.
    #[must_use]
    pub fn remembering(player: &'a Player, seed: u64) -> Self {
        Self {
            remembers: true,
            ..Self::new(player, seed)
        }
    }

    /// What it does now; `None` if the view gives it nothing to do.
    pub fn choose(&mut self, view: &Value) -> Option<Value> {
        let legal: Vec<&Value> = view["legal_actions"].as_array()?.iter().collect();
        assert!(!legal.is_empty(), "legal actions are absent when there are none");
        assert!(legal.len() <= 320, "{} legal actions", legal.len());
        if self.remembers
            && let Some(action) = self.known_pair(view, &legal)
        {
            return Some(action);
        }
        Some((*self.dice.pick(&legal)).clone())
    }

    /// In Pairs: the partner of the open card, a card of a known pair, or a place never seen.
    fn known_pair(&mut self, view: &Value, legal: &[&Value]) -> Option<Value> {
        let table = &view["table"]["pairs"];
        for flip in table["recent_flips"].as_array()? {
            self.see(&flip["place"], &flip["card"]);
        }
        let mut open = None;
        for place in table["places"].as_array()? {
            if place["state"] == "open" {
                self.see(&place["place"], &place["card"]);
                open = Some(place["card"]["number"].as_str()?.to_owned());
            }
        }
        let place = |action: &Value| action["flip_card"]["place"].as_i64();
        let closed = |number: &str| {
            let of_number = legal.iter().filter(|action| {
                place(action)
                    .and_then(|at| self.seen.get(&at))
                    .map(String::as_str)
                    == Some(number)
            });
            of_number.copied().collect::<Vec<_>>()
        };
        let partner = match &open {
            Some(number) => closed(number).first().copied().cloned(),
            None => self
                .seen
                .values()
                .map(|number| closed(number))
                .find(|places| places.len() == 2)
                .map(|places| places[0].clone()),
        };
        let new = legal
            .iter()
            .find(|action| place(action).is_some_and(|at| !self.seen.contains_key(&at)));
        partner.or_else(|| new.map(|action| (*action).clone()))
    }

    fn see(&mut self, place: &Value, card: &Value) {
        if let (Some(place), Some(number)) = (place.as_i64(), card["number"].as_str()) {
            self.seen.insert(place, number.to_owned());
        }
    }
}

/// An action that was accepted, and the answer to it.
pub struct Accepted {
    /// Index of the player in the list that was given.
    pub by: usize,
    /// What was sent.
    pub action: Value,
    /// The version it was sent for.
    pub expected_version: i64,
    /// Its key.
    pub key: String,
    /// What came back.
    pub answer: Answer,
}

/// Plays a running match until it ends or `most` actions were accepted. The scripted players hold all seats
/// that no bot holds.
pub async fn play(match_id: &str, scripted: &mut [Scripted<'_>], most: usize) -> Vec<Accepted> {
    let mut played = Vec::new();
    while played.len() < most {
        assert!(played.len() < MOST_ACTIONS, "the match does not end");
        let Some(accepted) = turn(match_id, scripted).await else {
            return played;
        };
        played.push(accepted);
    }
    played
}

/// Plays a running match until it ends.
pub async fn play_out(match_id: &str, scripted: &mut [Scripted<'_>]) -> Vec<Accepted> {
    play(match_id, scripted, usize::MAX).await
}

/// One action of whoever has something to do; `None` after the end.
async fn turn(match_id: &str, scripted: &mut [Scripted<'_>]) -> Option<Accepted> {
    for (by, scripted) in scripted.iter_mut().enumerate() {
        let view = scripted.player.view(match_id).await.expect(200);
        if view.body["status"] == "ended" {
            return None;
        }
        assert_eq!(view.body["status"], "active", "{}", view.text);
        let Some(action) = scripted.choose(&view.body) else {
            continue;
        };
        let expected_version = view.number("/version");
        let key = fresh_key();
        let answer = scripted
            .player
            .act(match_id, &action, expected_version, &key)
            .await
            .expect(200);
        check_accepted(
            match_id,
            &action,
            expected_version,
            &view.body["my_seat"],
            &answer,
        );
        return Some(Accepted {
            by,
            action,
            expected_version,
            key,
            answer,
        });
    }
    panic!("the match runs and nobody has anything to do");
}

/// What is true of every answer to an action that was accepted for the first time.
fn check_accepted(match_id: &str, action: &Value, expected_version: i64, seat: &Value, answer: &Answer) {
    assert!(!answer.is_replayed());
    assert_eq!(answer.body["match_id"], match_id);
    let entries = answer.array("/entries");
    for (entry, version) in entries.iter().zip(expected_version + 1..) {
        assert_eq!(entry["version"], version, "entries follow each other");
    }
    let first = &entries[0];
    assert_eq!(first["by"], "player");
    assert_eq!(&first["seat"], seat);
    assert_eq!(&first["action"], action, "the entry holds the action");
    for bot in &entries[1..] {
        assert_eq!(bot["by"], "bot", "only bots move without being asked");
    }
    let last = &entries[entries.len() - 1];
    let view = &answer.body["view"];
    assert_eq!(answer.body["version"], last["version"]);
    assert_eq!(answer.body["head_hash"], last["hash"]);
    assert_eq!(view["version"], answer.body["version"]);
    assert_eq!(view["head_hash"], answer.body["head_hash"]);
}

#[cfg(test)]
mod tests {
    use super::Dice;

    #[test]
    fn dice_fall_the_same_way_and_reach_every_side() {
        let throws = |seed| {
            let mut dice = Dice::new(seed);
            (0..60).map(|_| dice.below(6)).collect::<Vec<_>>()
        };
        assert_eq!(throws(1), throws(1));
        assert_ne!(throws(1), throws(2));
        assert!((0..6).all(|side| throws(1).contains(&side)));
    }
}
