//! Two services that are the same for a viewer: what the viewer gets must be the same bytes.

use serde_json::{Value, json};

use crate::deals::{Twins, Untouchable};
use crate::scripted::Dice;
use crate::setups::open_match;
use crate::{Answer, Block, Client, Database, Service, Setup, Surface, Table, fresh_key};

/// Something a viewer got that was not the same in both worlds.
#[derive(Debug)]
pub struct Difference {
    /// Where it was seen.
    pub surface: Surface,
    /// In which request.
    pub what: String,
    /// What the viewer got in the two worlds.
    pub got: [String; 2],
}

/// How many answers were compared, and how many actions were played meanwhile.
#[derive(Debug, Default, Clone, Copy)]
pub struct Compared {
    /// Answers.
    pub answers: usize,
    /// Actions.
    pub actions: usize,
}

/// Two worlds and who looks.
pub struct Worlds {
    _databases: [Database; 2],
    services: [Service; 2],
    tables: [Table; 2],
    game: &'static str,
    viewer: usize,
    untouchable: Untouchable,
    dice: Dice,
    compared: Compared,
}

impl Worlds {
    /// A match of three in each world, with the deals of `twins`.
    pub async fn new(
        databases: [Database; 2],
        game: &'static str,
        deck_id: &str,
        viewer: usize,
        twins: &Twins,
        leak: Option<Surface>,
    ) -> Self {
        let setup = open_match(game, deck_id, 3);
        let start = async |world: usize| {
            let cards = twins.deals[world].cards.clone();
            let steered = Setup {
                deal: Some(cards),
                leak,
                ..Setup::default()
            };
            let service = Service::start_with(&databases[world], steered).await;
            let table = Table::new(&service, &setup, &[]).await;
            (service, table)
        };
        let (one, two) = (start(0).await, start(1).await);
        Self {
            services: [one.0, two.0],
            tables: [one.1, two.1],
            _databases: databases,
            game,
            viewer,
            untouchable: twins.untouchable.clone(),
            dice: Dice::new(11),
            compared: Compared::default(),
        }
    }

    /// Compares everything that the viewer can ask for, then plays an action, and so on for `steps` actions or
    /// until nothing is left that keeps the worlds the same for the viewer.
    ///
    /// # Errors
    ///
    /// [`Difference`]: the first one.
    pub async fn compare(&mut self, steps: usize) -> Result<Compared, Difference> {
        self.compare_everything().await?;
        while self.compared.actions < steps && self.act().await? {
            self.compare_everything().await?;
        }
        Ok(self.compared)
    }

    /// Stops both services.
    pub async fn stop(self) {
        for service in self.services {
            service.stop().await;
        }
    }

    /// The viewer's client in a world.
    fn eyes(&self, world: usize) -> &Client {
        &self.tables[world].players[self.viewer]
    }

    /// The viewer asks the same in both worlds.
    async fn ask(&self, path: &str) -> [Answer; 2] {
        [self.eyes(0).get(path).await, self.eyes(1).get(path).await]
    }

    async fn compare_everything(&mut self) -> Result<(), Difference> {
        let match_id = self.tables[0].match_id.clone();
        assert_eq!(
            match_id, self.tables[1].match_id,
            "the same randomness gives the same ids"
        );
        let path = format!("/v1/matches/{match_id}");
        let views = self.ask(&path).await.map(|view| view.expect(200));
        let version = views[0].number("/version");
        self.same_part(Surface::LegalActions, &path, &views, "/legal_actions")?;
        self.same(Surface::View, &path, &views)?;
        let path = format!("/v1/matches/{match_id}/history?limit=500");
        let history = self.ask(&path).await.map(|history| history.expect(200));
        self.same(Surface::History, &path, &history)?;
        for seen in [1, version - 1, version] {
            let path = format!("/v1/matches/{match_id}/replay/{seen}?seat={}", self.viewer);
            let replayed = self.ask(&path).await.map(|replayed| replayed.expect(200));
            self.same_part(Surface::LegalActions, &path, &replayed, "/legal_actions")?;
            self.same(Surface::View, &path, &replayed)?;
        }
        self.compare_streams(&match_id, version, &history).await?;
        for path in ["/v1/matches", "/v1/me", "/v1/me/matches"] {
            let lists = self.ask(path).await.map(|list| list.expect(200));
            self.same(Surface::View, path, &lists)?;
        }
        self.compare_refusals(&match_id, &views[0].body).await
    }

    /// A stream tells exactly what the history does.
    async fn compare_streams(
        &mut self,
        match_id: &str,
        version: i64,
        history: &[Answer; 2],
    ) -> Result<(), Difference> {
        let mut told = [String::new(), String::new()];
        for world in 0..2 {
            let mut stream = self.eyes(world).stream(match_id, 0).await;
            let events = stream.events_up_to(version).await;
            let entries: Vec<Value> = events.iter().map(Block::json).collect();
            assert_eq!(entries, history[world].array("/entries"));
            let line = |event: &Block| format!("{:?} {}\n", event.id, event.data.as_deref().unwrap_or("-"));
            told[world] = without_hashes(&events.iter().map(line).collect::<String>());
        }
        self.compared.answers += 1;
        same_texts(Surface::History, "stream", told)
    }

    /// What is refused is refused in the same words.
    async fn compare_refusals(&mut self, match_id: &str, view: &Value) -> Result<(), Difference> {
        let version = view["version"].as_i64().expect("a version");
        let legal: Vec<Value> = view["legal_actions"].as_array().cloned().unwrap_or_default();
        let refused = refusable(self.game, &self.untouchable);
        let refused = refused.iter().filter(|action| !legal.contains(action));
        // An earlier and a later version are refused before anybody looks at the action.
        let versions = [version - 1, version + 1]
            .into_iter()
            .chain(std::iter::repeat(version));
        for (action, expected_version) in refused.zip(versions) {
            let key = fresh_key();
            let mut answers = Vec::new();
            for world in 0..2 {
                let eyes = self.eyes(world);
                answers.push(eyes.act(match_id, action, expected_version, &key).await);
            }
            let answers: [Answer; 2] = answers.try_into().expect("two worlds");
            assert!(
                answers[0].status >= 400,
                "{action} is not among the legal ones and was accepted"
            );
            self.same(Surface::Error, &action.to_string(), &answers)?;
        }
        Ok(())
    }

    /// The seat to move does something that is legal in both worlds and keeps them the same for the viewer.
    async fn act(&mut self) -> Result<bool, Difference> {
        let (seat, view) = self.tables[0].to_move().await;
        let (other_seat, other_view) = self.tables[1].to_move().await;
        assert_eq!(seat, other_seat, "whose turn it is, everybody sees");
        let legal = |view: &Value| view["legal_actions"].as_array().cloned().unwrap_or_default();
        let in_other = legal(&other_view);
        let mut legal = legal(&view);
        legal.retain(|action| in_other.contains(action) && !self.touches(action));
        if legal.is_empty() {
            return Ok(false);
        }
        let action = self.dice.pick(&legal).clone();
        let version = view["version"].as_i64().expect("a version");
        let mut answers = Vec::new();
        for table in &self.tables {
            let player = &table.players[seat];
            let answer = player.act(&table.match_id, &action, version, &fresh_key()).await;
            answers.push(answer.expect(200));
        }
        let answers: [Answer; 2] = answers.try_into().expect("two worlds");
        self.compared.actions += 1;
        if seat == self.viewer {
            let what = action.to_string();
            self.same_part(Surface::History, &what, &answers, "/entries")?;
            self.same_part(Surface::LegalActions, &what, &answers, "/view/legal_actions")?;
            self.same(Surface::View, &what, &answers)?;
        }
        Ok(answers[0].body["view"]["status"] == "active")
    }

    fn touches(&self, action: &Value) -> bool {
        let card = |kind: &str| action[kind]["card"].as_str();
        let named = card("ask_card").or_else(|| card("fight_duel"));
        let place = action["flip_card"]["place"]
            .as_u64()
            .and_then(|at| usize::try_from(at).ok());
        named.is_some_and(|card| self.untouchable.cards.iter().any(|other| other == card))
            || place.is_some_and(|place| self.untouchable.places.contains(&place))
    }

    /// The whole answers are the same bytes.
    fn same(&mut self, surface: Surface, what: &str, answers: &[Answer; 2]) -> Result<(), Difference> {
        self.compared.answers += 1;
        same_texts(surface, what, answers.each_ref().map(seen))
    }

    /// A part of the answers is the same.
    fn same_part(
        &self,
        surface: Surface,
        what: &str,
        answers: &[Answer; 2],
        pointer: &str,
    ) -> Result<(), Difference> {
        let part = |answer: &Answer| {
            answer
                .body
                .pointer(pointer)
                .map_or_else(String::new, Value::to_string)
        };
        same_texts(
            surface,
            what,
            answers.each_ref().map(|answer| without_hashes(&part(answer))),
        )
    }
}

fn same_texts(surface: Surface, what: &str, got: [String; 2]) -> Result<(), Difference> {
    if got[0] == got[1] {
        return Ok(());
    }
    Err(Difference {
        surface,
        what: what.to_owned(),
        got,
    })
}

/// What an answer tells: its status, and the body's bytes with hashes and the request's id blotted out. Its tag is
/// made of the head's hash, which is blinded.
fn seen(answer: &Answer) -> String {
    let own_id = answer.header("x-request-id").unwrap_or("-");
    format!(
        "{} {}",
        answer.status,
        without_hashes(&answer.text.replace(own_id, "request"))
    )
}

/// Blots out every string of 64 hex digits: hashes and commitments depend on the whole deal.
fn without_hashes(text: &str) -> String {
    let parts = text.split('"').map(|part| {
        let is_hash = part.len() == 64 && part.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_hash { "hash" } else { part }
    });
    parts.collect::<Vec<_>>().join("\"")
}

/// Actions of every kind, most of which are refused at any time, those about untouchable things among them.
fn refusable(game: &str, untouchable: &Untouchable) -> Vec<Value> {
    let of = |kind: &str, members: Value| json!({"type": kind, kind: members});
    let mut actions = vec![
        of("lay_quartet", json!({"group": "no such group"})),
        of("choose_attribute", json!({"attribute": "no such attribute"})),
        of("flip_card", json!({"place": 200})),
        of("ask_card", json!({"seat": 1, "card": "no such card"})),
    ];
    if game.ends_with("quartett") {
        let group = untouchable.cards.iter().take(2).cloned();
        for card in group.chain(["W01".to_owned()]) {
            actions.extend((0..3).map(|seat| of("ask_card", json!({"seat": seat, "card": card}))));
            actions.push(of("fight_duel", json!({"card": card, "attribute": "year"})));
        }
        actions.extend(["towers", "slabs"].map(|group| of("lay_quartet", json!({"group": group}))));
    } else if game == "pairs" {
        let places = untouchable.places.iter().copied().chain([1, 2]);
        actions.extend(places.map(|place| of("flip_card", json!({"place": place}))));
    } else {
        actions.extend(
            ["year", "energy", "weight"].map(|name| of("choose_attribute", json!({"attribute": name}))),
        );
    }
    actions
}

#[cfg(test)]
mod tests {
    use super::without_hashes;

    #[test]
    fn hashes_are_blotted_out_and_nothing_else() {
        let hash = "0123456789abcdef".repeat(4);
        let text = format!(r#"{{"hash":"{hash}","card":"W01","short":"{}"}}"#, &hash[1..]);
        let blotted = without_hashes(&text);
        assert_eq!(
            blotted,
            format!(r#"{{"hash":"hash","card":"W01","short":"{}"}}"#, &hash[1..])
        );
    }
}
