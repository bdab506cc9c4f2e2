//! What must be true of a match that has ended, whoever asks.

use serde_json::Value;

use crate::{Player, fairness};

/// Checks everything that the players of an ended match can check, and gives its history.
pub async fn check(match_id: &str, players: &[&Player]) -> Vec<Value> {
    let view = players[0].view(match_id).await.expect(200);
    assert_eq!(view.body["status"], "ended", "{}", view.text);
    let version = view.number("/version");
    let entries = players[0].history(match_id, 0).await;
    check_log(&entries, version);
    check_result(&view.body, &entries);
    fairness::check(match_id, &view.body, &entries);
    for player in players {
        assert_eq!(
            player.history(match_id, 0).await,
            entries,
            "after the end everyone sees everything"
        );
        check_replay(match_id, player, &entries).await;
    }
    let act = serde_json::json!({"type": "lay_quartet", "lay_quartet": {"group": "A"}});
    players[0]
        .act(match_id, &act, version, &crate::fresh_key())
        .await
        .problem(409, "match_over");
    entries
}

/// The log of a match as far as it has come, checked by [`check_log`].
pub async fn log_of(player: &Player, match_id: &str) -> Vec<Value> {
    let entries = player.history(match_id, 0).await;
    let view = player.view(match_id).await.expect(200);
    check_log(&entries, view.number("/version"));
    entries
}

/// Versions 1..n without gaps, times that never go back, a notation line for every event.
pub fn check_log(entries: &[Value], version: i64) {
    let versions: Vec<i64> = entries
        .iter()
        .filter_map(|entry| entry["version"].as_i64())
        .collect();
    assert_eq!(
        versions,
        (1..=version).collect::<Vec<_>>(),
        "versions 1..n without gaps"
    );
    let mut hashes = std::collections::BTreeSet::new();
    for (index, entry) in entries.iter().enumerate() {
        let events = entry["events"].as_array().expect("an entry has events");
        assert!(!events.is_empty(), "an entry says what happened: {entry}");
        for event in events {
            assert!(event["notation"].is_string(), "every event has its line: {event}");
        }
        let hash = entry["hash"].as_str().expect("an entry has a hash");
        assert!(is_hash(hash), "{hash}");
        assert!(hashes.insert(hash), "every entry has a hash of its own");
        if index > 0 {
            let earlier = entries[index - 1]["at"].as_str();
            assert!(earlier <= entry["at"].as_str(), "times never go back");
        }
    }
}

fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// The result is the one that the last entry tells, with a rank for every seat.
pub(crate) fn check_result(view: &Value, entries: &[Value]) {
    let last = &entries[entries.len() - 1];
    assert_eq!(view["head_hash"], last["hash"]);
    let ended = find(entries, "ended");
    assert_eq!(ended["reason"], view["result"]["reason"]);
    assert_eq!(ended["ranks"], view["result"]["ranks"]);
    assert_eq!(ended["seed"], view["seed"]);
    assert!(view.get("turn").is_none(), "nobody is to move");
    assert!(view.get("legal_actions").is_none(), "nothing is left to do");
    let ranks = view["result"]["ranks"].as_array().expect("a result has ranks");
    let seats = view["seats"].as_array().expect("a view has seats");
    assert_eq!(ranks.len(), seats.len(), "every seat has a rank");
    for rank in ranks {
        let better = ranks
            .iter()
            .filter(|other| rank_of(other) < rank_of(rank))
            .count();
        assert_eq!(rank_of(rank), better + 1, "equal results share a rank: {ranks:?}");
    }
}

fn rank_of(rank: &Value) -> usize {
    rank["rank"]
        .as_u64()
        .and_then(|rank| usize::try_from(rank).ok())
        .expect("a rank")
}

/// The rank of each seat in the result of a view.
#[must_use]
pub fn ranks(view: &Value) -> Vec<usize> {
    let ranks = view["result"]["ranks"].as_array().expect("a result has ranks");
    for (rank, seat) in ranks.iter().zip(0..) {
        assert_eq!(rank["seat"], seat, "ranks stand in the order of the seats");
    }
    ranks.iter().map(rank_of).collect()
}

/// The first event of a kind.
#[must_use]
pub fn find<'a>(entries: &'a [Value], kind: &str) -> &'a Value {
    events(entries)
        .find(|event| event["type"] == kind)
        .map_or(&Value::Null, |event| &event[kind])
}

/// All events in their order.
pub fn events(entries: &[Value]) -> impl Iterator<Item = &Value> {
    entries
        .iter()
        .flat_map(|entry| entry["events"].as_array().into_iter().flatten())
}

/// How many events of a kind there are.
#[must_use]
pub fn count(entries: &[Value], kind: &str) -> usize {
    events(entries).filter(|event| event["type"] == kind).count()
}

/// The notation of an entry, line by line.
#[must_use]
pub fn lines(entry: &Value) -> Vec<&str> {
    let events = entry["events"].as_array().into_iter().flatten();
    events.filter_map(|event| event["notation"].as_str()).collect()
}

async fn check_replay(match_id: &str, player: &Player, entries: &[Value]) {
    let view = player.view(match_id).await.expect(200);
    let version = view.number("/version");
    let seat = view.number("/my_seat");
    for entry in entries {
        let at = entry["version"].as_i64().expect("a version");
        let then = player.replay(match_id, at, Some(seat)).await.expect(200);
        assert_eq!(then.body["version"], at);
        assert_eq!(then.body["head_hash"], entry["hash"]);
    }
    let last = player.replay(match_id, version, Some(seat)).await.expect(200);
    assert_eq!(last.body, view.body, "the replay ends where the match stands");
    let everything = player.replay(match_id, version, None).await.expect(200);
    assert_eq!(
        everything.body["table"], view.body["table"],
        "after the end all is open"
    );
    player
        .replay(match_id, version + 1, Some(seat))
        .await
        .problem(409, "version_ahead");
    assert_eq!(player.replay(match_id, 0, Some(seat)).await.status, 400);
}
