//! What must be true when all matches of a world are over.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Simulated, World};
use crate::cards::check_conserved;
use crate::{fairness, finished, stored};

/// How many versions of each match are looked at again.
const LOOKED_AT_AGAIN: usize = 4;

impl World<'_> {
    /// Checks what is stored, what is told, that both are the same, and that another process tells the same.
    pub(super) async fn check(&mut self) {
        let over = std::mem::take(&mut self.over);
        let mut told = BTreeMap::new();
        for simulated in &over {
            told.insert(simulated.match_id.clone(), self.check_match(simulated).await);
        }
        let before = self.everything_told(&over).await;
        self.restart().await;
        assert_eq!(
            self.everything_told(&over).await,
            before,
            "what is read from the log is what was shown"
        );
        assert_eq!(
            stored::check(self.database).await,
            told,
            "what is stored is what is told"
        );
    }

    /// The bytes that the players get of each match: the views, and the history, which is the same for all of
    /// them after the end.
    async fn everything_told(&self, over: &[Simulated]) -> Vec<String> {
        let mut told = Vec::new();
        for Simulated { match_id, seated, .. } in over {
            let mut histories = Vec::new();
            for person in seated {
                let player = &self.people[*person];
                told.push(player.view(match_id).await.expect(200).text);
                histories.push(player.history_page(match_id, 0, 500).await.expect(200).text);
            }
            histories.dedup();
            assert_eq!(histories.len(), 1, "after the end everyone sees everything");
            told.append(&mut histories);
        }
        told
    }

    /// Checks a match that is over, and gives its version.
    async fn check_match(&mut self, simulated: &Simulated) -> i64 {
        let player = self.person(simulated.seated[0]);
        let id = &simulated.match_id;
        let view = player.view(id).await.expect(200);
        assert_eq!(view.body["status"], "ended", "{}", view.text);
        let version = view.number("/version");
        let entries = player.history(id, 0).await;
        finished::check_log(&entries, version);
        finished::check_result(&view.body, &entries);
        fairness::check(id, &view.body, &entries);
        self.tally.entries += entries.len();
        let deadlines = finished::events(&entries).filter(|event| event["type"] == "deadline_passed");
        self.tally.deadlines += deadlines.count();
        check_acknowledged(simulated, &entries);
        let began = entries.iter().position(|entry| {
            let entry = std::slice::from_ref(entry);
            finished::events(entry).any(|event| event["type"] == "dealt")
        });
        let began = began.expect("every match was dealt");
        for look in 0..LOOKED_AT_AGAIN {
            let at = match look {
                0 => entries.len() - 1,
                _ => began + self.dice.below(entries.len() - began),
            };
            let at = i64::try_from(at + 1).expect("a short log");
            let everything = player.replay(id, at, None).await.expect(200);
            check_conserved(&everything.body);
        }
        let seat = view.body["my_seat"].as_i64();
        let last = player.replay(id, version, seat).await.expect(200);
        assert_eq!(last.body, view.body, "the replay ends where the match stands");
        version
    }
}

/// What was acknowledged is stored as it was, and nothing else is stored as an action of a player.
fn check_acknowledged(simulated: &Simulated, entries: &[Value]) {
    let of_players = entries
        .iter()
        .filter(|entry| entry["by"] == "player" && entry["action"].is_object());
    let of_players: BTreeMap<i64, Value> = of_players
        .map(|entry| {
            (
                entry["version"].as_i64().expect("a version"),
                entry["action"].clone(),
            )
        })
        .collect();
    assert_eq!(of_players, simulated.acknowledged, "each action counts once");
}
