//! What somebody does next in a world.

use serde_json::Value;

use super::{Simulated, World, rests};
use crate::{Answer, Request, at_once, fresh_key, millis};

/// The seat to move in a view of a running match.
fn to_move(view: &Value) -> usize {
    let seat = view["turn"]["seat"]
        .as_u64()
        .and_then(|seat| usize::try_from(seat).ok());
    seat.unwrap_or_else(|| panic!("nobody is to move: {view}"))
}

impl World<'_> {
    /// Something happens in one of the running matches.
    pub(super) async fn step(&mut self, at: usize) {
        let view = self.settle(at).await;
        if view["status"] == "ended" {
            let over = self.running.swap_remove(at);
            self.over.push(over);
            return;
        }
        if rests(&view) {
            self.come_back_or_not(at, &view).await;
            return;
        }
        match self.dice.below(100) {
            0 => self.restart().await,
            1 => self.resign(at).await,
            2..=4 => {
                let seat = self.dice.below(self.running[at].seated.len());
                let absent = &mut self.running[at].absent[seat];
                *absent = !*absent;
            }
            5..=9 => self.return_if_away(at, &view).await,
            10..=12 => {
                let millis = self.dice.below(40_000);
                self.pass(i64::try_from(millis).unwrap_or(0)).await;
            }
            13..=18 => self.act_out_of_turn(at, &view).await,
            _ => self.act(at, &view).await,
        }
    }

    /// The player to move acts, or does not come.
    async fn act(&mut self, at: usize, view: &Value) {
        let seat = to_move(view);
        if self.running[at].absent[seat] {
            let due = millis(&view["turn"]["deadline_at"]);
            self.pass(due - self.now()).await;
            return;
        }
        let version = view["version"].as_i64().expect("a version");
        let match_id = self.running[at].match_id.clone();
        let person = self.running[at].seated[seat];
        let own = match seat {
            0 => view.clone(),
            _ => self.person(person).view(&match_id).await.expect(200).body,
        };
        let legal = own["legal_actions"]
            .as_array()
            .expect("the seat to move may act")
            .clone();
        let action = self.dice.pick(&legal).clone();
        let key = fresh_key();
        let mut requests = vec![self.person(person).act_request(&match_id, &action, version, &key)];
        let kind = self.dice.below(8);
        let other = self.dice.pick(&legal).clone();
        match kind {
            // The same twice or more at the same moment.
            0 | 1 => {
                for _ in 0..=kind {
                    requests.push(self.person(person).act_request(&match_id, &action, version, &key));
                }
            }
            // Something else at the same moment, unless it would be taken at any version.
            2 if action["type"] != "lay_quartet" && other["type"] != "lay_quartet" => {
                requests.push(
                    self.person(person)
                        .act_request(&match_id, &other, version, &fresh_key()),
                );
            }
            _ => {}
        }
        let is_race = kind == 2 && requests.len() == 2;
        let sent = requests.len();
        let answers = at_once::all(requests.into_iter().map(Request::send)).await;
        let mut accepted: Vec<&Answer> = answers.iter().filter(|answer| answer.status == 200).collect();
        if is_race {
            assert_eq!(accepted.len(), 1, "one of two is taken");
            self.tally.conflicts += 1;
        } else {
            assert_eq!(
                accepted.len(),
                sent,
                "{:?}",
                answers.iter().map(|answer| &answer.text).collect::<Vec<_>>()
            );
            self.tally.duplicates += sent - 1;
        }
        for refused in answers.iter().filter(|answer| answer.status != 200) {
            assert_eq!(refused.status, 409, "{}", refused.text);
        }
        accepted.sort_by_key(|answer| answer.is_replayed());
        let fresh = accepted.iter().filter(|answer| !answer.is_replayed()).count();
        assert_eq!(fresh, 1, "one is carried out");
        for again in &accepted[1..] {
            for same in ["version", "head_hash", "entries"] {
                assert_eq!(again.body[same], accepted[0].body[same], "the same answer");
            }
        }
        let entry = accepted[0].body["entries"][0].clone();
        assert_eq!(entry["version"], version + 1);
        self.acknowledge(at, entry);
    }

    fn acknowledge(&mut self, at: usize, entry: Value) {
        self.tally.actions += 1;
        let version = entry["version"].as_i64().expect("a version");
        let before = self.running[at]
            .acknowledged
            .insert(version, entry["action"].clone());
        assert!(before.is_none(), "version {version} was acknowledged twice");
    }

    /// Somebody else acts: a quartet may be laid at any time, anything else is refused.
    async fn act_out_of_turn(&mut self, at: usize, view: &Value) {
        let seat = self.dice.below(self.running[at].seated.len());
        if seat == to_move(view) {
            return;
        }
        let match_id = self.running[at].match_id.clone();
        let player = self.person(self.running[at].seated[seat]);
        let own = player.view(&match_id).await.expect(200).body;
        let version = own["version"].as_i64().expect("a version");
        let legal = own["legal_actions"].as_array().cloned().unwrap_or_default();
        if let Some(action) = legal.first() {
            let laid = player
                .act(&match_id, action, version, &fresh_key())
                .await
                .expect(200);
            self.acknowledge(at, laid.body["entries"][0].clone());
        } else {
            let action = serde_json::json!({"type": "flip_card", "flip_card": {"place": 1}});
            let refused = player.act(&match_id, &action, version, &fresh_key()).await;
            assert!(matches!(refused.status, 409 | 422), "{}", refused.text);
        }
    }

    /// Somebody resigns, twice at the same moment.
    async fn resign(&mut self, at: usize) {
        let seat = self.dice.below(self.running[at].seated.len());
        let match_id = self.running[at].match_id.clone();
        let person = self.running[at].seated[seat];
        let path = format!("/v1/matches/{match_id}/resignation");
        let requests = [(); 2].map(|()| self.person(person).request(reqwest::Method::POST, &path));
        let answers = at_once::all(requests.map(Request::send)).await;
        let written = answers.iter().filter(|answer| {
            assert_eq!(answer.status, 200, "{}", answer.text);
            !answer.array("/entries").is_empty()
        });
        let written = written.count();
        assert!(written <= 1, "one resigns once");
        self.tally.resignations += written;
    }

    /// A player who is away returns.
    async fn return_if_away(&mut self, at: usize, view: &Value) {
        let away = |seat: &usize| {
            view["seats"][*seat]["away"] == true && view["seats"][*seat]["state"] != "resigned"
        };
        let Some(seat) = (0..self.running[at].seated.len()).find(away) else {
            return;
        };
        let match_id = self.running[at].match_id.clone();
        let person = self.running[at].seated[seat];
        let path = format!("/v1/matches/{match_id}/return");
        let requests = [(); 2].map(|()| self.person(person).request(reqwest::Method::POST, &path));
        let answers = at_once::all(requests.map(Request::send)).await;
        let is_written = |answer: &&Answer| answer.status == 200 && !answer.array("/entries").is_empty();
        let written = answers.iter().filter(is_written).count();
        assert_eq!(written, 1, "one returns once");
        for answer in answers.iter().filter(|answer| answer.status != 200) {
            // Bots may have played the match to its end right after the return.
            assert_eq!(answer.body["code"], "match_over", "{}", answer.text);
        }
        self.tally.returns += 1;
        self.running[at].absent[seat] = false;
    }

    /// In a match that rests: mostly somebody returns, sometimes nobody ever does.
    async fn come_back_or_not(&mut self, at: usize, view: &Value) {
        if self.dice.below(2) == 0 {
            self.running[at].is_left = true;
        } else {
            self.return_if_away(at, view).await;
        }
    }

    /// Of the matches that are over some are played again, at most `most`; everybody asks at the same moment.
    pub(super) async fn rematch_some(&mut self, most: usize) -> usize {
        let Some(over) = self.over.last() else {
            return 0;
        };
        if most == 0 || self.dice.below(60) > 0 {
            return 0;
        }
        let Simulated { match_id, seated, .. } = over;
        let (path, seated) = (format!("/v1/matches/{match_id}/rematch"), seated.clone());
        let people = seated
            .iter()
            .map(|person| self.person(*person))
            .collect::<Vec<_>>();
        let requests = people
            .iter()
            .map(|person| person.request(reqwest::Method::POST, &path));
        let answers = at_once::all(requests.map(Request::send)).await;
        let made: Vec<&Answer> = answers.iter().filter(|answer| answer.status == 201).collect();
        for answer in &answers {
            assert!(matches!(answer.status, 200 | 201), "{}", answer.text);
            assert_eq!(
                answer.body["match_id"], answers[0].body["match_id"],
                "one rematch"
            );
        }
        assert!(made.len() <= 1, "made once");
        let Some(made) = made.first() else {
            return 0;
        };
        self.tally.rematches += 1;
        let absent = vec![false; seated.len()];
        self.add(made.text_at("/match_id"), seated, absent).await;
        1
    }
}
