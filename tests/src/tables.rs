//! Bringing players to a table.

use serde_json::{Value, json};

use crate::setups::{open_match, with};
use crate::{Answer, Player, Service, fresh_key};

/// A match of `seats` that waits for its players: what its host was told.
pub async fn waiting(host: &Player, seats: usize, settings: &Value) -> Answer {
    let setup = with(open_match("pairs", "demo", seats), settings);
    let created = host.create_match(&setup).await.expect(201);
    assert_eq!(created.body["status"], "waiting");
    created
}

/// A match with its players in the order of their seats; bots hold the last seats.
pub struct Table {
    /// The match.
    pub match_id: String,
    /// Who sits where.
    pub players: Vec<Player>,
}

impl Table {
    /// Creates the match of `setup`, with players in all seats that `bots` leave. A full match starts by itself.
    pub async fn new(service: &Service, setup: &Value, bots: &[&str]) -> Self {
        let seats = usize::try_from(setup["seats"].as_u64().expect("a number of seats")).expect("few seats");
        let mut players = Vec::new();
        for seat in 0..seats - bots.len() {
            players.push(service.player(&format!("Player {seat}")).await);
        }
        Self::of(players, setup, bots).await
    }

    /// The same with players who are there already; the first is the host.
    pub async fn of(players: Vec<Player>, setup: &Value, bots: &[&str]) -> Self {
        let bots: Vec<Value> = bots.iter().map(|level| json!({ "level": level })).collect();
        let setup = if bots.is_empty() {
            setup.clone()
        } else {
            with(setup.clone(), &json!({ "bots": bots }))
        };
        let created = players[0].create_match(&setup).await.expect(201);
        let match_id = created.text_at("/match_id");
        assert_eq!(
            created.header("location"),
            Some(format!("/v1/matches/{match_id}").as_str())
        );
        assert_eq!(created.body["my_seat"], 0);
        for (player, seat) in players.iter().zip(0..).skip(1) {
            let joined = player.join(&match_id).await.expect(200);
            assert_eq!(joined.body["my_seat"], seat, "joiners sit down clockwise");
        }
        Self { match_id, players }
    }

    /// The view of a seat.
    pub async fn view(&self, seat: usize) -> Value {
        self.players[seat].view(&self.match_id).await.expect(200).body
    }

    /// The seat to move, and the view of its player.
    pub async fn to_move(&self) -> (usize, Value) {
        let view = self.view(0).await;
        let seat = view["turn"]["seat"]
            .as_u64()
            .and_then(|seat| usize::try_from(seat).ok());
        let seat = seat.unwrap_or_else(|| panic!("nobody is to move: {view}"));
        (seat, if seat == 0 { view } else { self.view(seat).await })
    }

    /// Whoever is to move does the first of what is possible.
    pub async fn act(&self) -> Answer {
        let (seat, view) = self.to_move().await;
        self.act_on(seat, &view).await.expect(200)
    }

    /// Sends the first of what was possible in a seat's view, which may be old by now.
    pub async fn act_on(&self, seat: usize, view: &Value) -> Answer {
        let version = view["version"].as_i64().expect("a version");
        let action = &view["legal_actions"][0];
        assert!(action.is_object(), "the seat may do something: {view}");
        self.players[seat]
            .act(&self.match_id, action, version, &fresh_key())
            .await
    }

    /// The players act until it is the turn of `seat`.
    pub async fn until_turn_of(&self, seat: usize) -> Value {
        loop {
            let (to_move, view) = self.to_move().await;
            if to_move == seat {
                return view;
            }
            self.act_on(to_move, &view).await.expect(200);
        }
    }

    /// The players act until this phase is pending; `None` if the match ended before.
    pub async fn brought_to(&self, phase: &str) -> Option<(usize, Value)> {
        while self.view(0).await["status"] == "active" {
            let (seat, view) = self.to_move().await;
            if view["turn"]["phase"] == phase {
                return Some((seat, view));
            }
            self.act_on(seat, &view).await.expect(200);
        }
        None
    }

    /// The player of `seat` acts until the turn has left it.
    pub async fn until_turn_leaves(&self, seat: usize) {
        while self.to_move().await.0 == seat {
            self.act().await;
        }
    }

    /// References to the players.
    #[must_use]
    pub fn everyone(&self) -> Vec<&Player> {
        self.players.iter().collect()
    }

    /// The same table at another service on the same database.
    #[must_use]
    pub fn moved_to(&self, url: &str) -> Self {
        Self {
            match_id: self.match_id.clone(),
            players: self.players.iter().map(|player| player.moved_to(url)).collect(),
        }
    }
}
