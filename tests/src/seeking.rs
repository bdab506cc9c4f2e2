//! Players who look for opponents.

use serde_json::{Value, json};

use crate::{Player, Service};

/// A wish to play a game with this many seats.
#[must_use]
pub fn wish(game: &str, seats: usize) -> Value {
    json!({"game": game, "seats": seats})
}

/// So many players, each on a device of its own.
pub async fn people(service: &Service, count: usize) -> Vec<Player> {
    let mut people = Vec::new();
    for number in 0..count {
        people.push(service.player(&format!("Seeker {number}")).await);
    }
    people
}

/// Asks for opponents a second later than whoever asked before: the order is told by the time.
pub async fn seek(service: &Service, player: &Player, wish: &Value) -> String {
    service.clock().advance(1_000);
    player.seek(wish).await.expect(201).text_at("/ticket_id")
}

/// The match that a ticket led to, or `None` while it waits.
pub async fn matched(player: &Player, ticket: &str) -> Option<String> {
    let ticket = player.ticket(ticket).await.expect(200);
    match ticket.text_at("/status").as_str() {
        "waiting" => {
            assert!(ticket.body.get("match_id").is_none());
            None
        }
        status => {
            assert_eq!(status, "matched", "{}", ticket.text);
            Some(ticket.text_at("/match_id"))
        }
    }
}

/// Waits for the sweeper, which looks once a second.
pub async fn matched_later(player: &Player, ticket: &str) -> String {
    let waiting = async {
        loop {
            if let Some(match_id) = matched(player, ticket).await {
                return match_id;
            }
            tokio::task::yield_now().await;
        }
    };
    let waiting = tokio::time::timeout(std::time::Duration::from_secs(60), waiting);
    waiting.await.expect("the ticket is matched")
}

/// Who sits in a match, in the order of the seats; bots are not named.
pub async fn seated(player: &Player, match_id: &str) -> Vec<String> {
    let view = player.view(match_id).await.expect(200);
    let seats = view.array("/seats").iter();
    seats
        .map(|seat| seat["player"]["player_id"].as_str().unwrap_or("bot").to_owned())
        .collect()
}

/// Who they are.
#[must_use]
pub fn ids(players: &[&Player]) -> Vec<String> {
    players.iter().map(|player| player.id.clone()).collect()
}
