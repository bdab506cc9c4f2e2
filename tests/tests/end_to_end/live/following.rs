//! Following matches: long polls, streams and plain reading tell the same, with the same numbers.

use quartett_api::clock::Clock;
use quartett_tests::scripted::{Dice, Scripted, play, play_out};
use quartett_tests::setups::{open_match, small_match};
use quartett_tests::{Answer, Block, Database, EventStream, Service, Table, Ticking, both, fresh_key};
use reqwest::Method;
use serde_json::{Value, json};

both!(
    the_three_ways_tell_the_same,
    who_comes_back_goes_on_behind_the_last_id,
    a_cursor_that_does_not_fit_is_refused,
    who_joins_during_an_action_sees_it_once,
    a_long_poll_ends_when_its_time_is_over,
    a_stream_is_kept_alive_and_ends_with_the_token,
    a_stream_ends_with_the_session,
    streams_and_long_polls_end_when_the_service_stops,
    a_slow_reader_holds_nobody_up,
    very_many_streams_of_one_session_are_refused,
    hints_follow_every_match_of_a_player,
);

/// Sends the first legal action of the seat to move.
async fn act(table: &Table) -> Answer {
    let (seat, view) = table.to_move().await;
    let version = view["version"].as_i64().expect("a version");
    let action = &view["legal_actions"][0];
    let player = &table.players[seat];
    let answer = player.act(&table.match_id, action, version, &fresh_key()).await;
    answer.expect(200)
}

/// The entries in events, which must be called so and numbered like them.
fn entries(events: &[Block]) -> Vec<Value> {
    let entry = |event: &Block| {
        assert_eq!(event.event.as_deref(), Some("entry"));
        let entry = event.json();
        assert_eq!(entry["version"].as_i64(), event.id, "an id is a version");
        entry
    };
    events.iter().map(entry).collect()
}

/// After each action, every player gets the new entries in three ways at the same version of the match: what is shown
/// depends on nothing else, so it must be the same to the last byte.
async fn the_three_ways_tell_the_same(database: Database) {
    let service = Service::start(&database).await;
    for (game, actions) in [("pairs", 16), ("duel_quartett", 10), ("supertrump", 6)] {
        let table = Table::new(&service, &open_match(game, "demo", 3), &["easy"]).await;
        let mut version = table.view(0).await["version"].as_i64().expect("a version");
        let mut streams = Vec::new();
        for player in &table.players {
            let mut stream = player.stream(&table.match_id, 0).await;
            let told = entries(&stream.events_up_to(version).await);
            assert_eq!(told, player.history(&table.match_id, 0).await);
            streams.push(stream);
        }
        let mut dice = Dice::new(5);
        for _ in 0..actions {
            let (seat, view) = table.to_move().await;
            let legal = view["legal_actions"].as_array().expect("something to do");
            let action = dice.pick(legal).clone();
            let key = fresh_key();
            let (acted, one, other) = tokio::join!(
                table.players[seat].act(&table.match_id, &action, version, &key),
                table.players[0].long_poll(&table.match_id, version, 25),
                table.players[1].long_poll(&table.match_id, version, 25),
            );
            let reached = acted.expect(200).number("/version");
            for ((player, stream), polled) in table.players.iter().zip(&mut streams).zip([one, other]) {
                let told = entries(&stream.events_up_to(reached).await);
                let listed = player.history(&table.match_id, version).await;
                assert_eq!(told, listed, "{game}: the stream");
                assert_eq!(
                    polled.expect(200).array("/entries"),
                    listed,
                    "{game}: the long poll"
                );
            }
            version = reached;
        }
    }
    service.stop().await;
}

async fn who_comes_back_goes_on_behind_the_last_id(database: Database) {
    let service = Service::start(&database).await;
    let table = Table::new(&service, &small_match(), &[]).await;
    let ann = &table.players[0];
    act(&table).await;
    let mut stream = ann.stream(&table.match_id, 0).await;
    let mut told = vec![stream.event().await, stream.event().await];
    drop(stream);
    act(&table).await;
    let path = format!("/v1/matches/{}/stream", table.match_id);
    for _ in 0..3 {
        let last_id = told
            .last()
            .and_then(|last| last.id)
            .expect("entries have ids")
            .to_string();
        // A client comes back to the address it began with: the header counts.
        let request = ann.request(Method::GET, &format!("{path}?after=0"));
        let mut stream = request.header("last-event-id", &last_id).open().await;
        let opening = stream.block().await.expect("it begins");
        assert_eq!((opening.retry, opening.data), (Some(2000), None));
        let version = act(&table).await.number("/version");
        told.extend(stream.events_up_to(version).await);
    }
    let listed = ann.history(&table.match_id, 0).await;
    let numbers = |entries: &[Value]| -> Vec<i64> {
        entries
            .iter()
            .filter_map(|entry| entry["version"].as_i64())
            .collect()
    };
    assert_eq!(numbers(&entries(&told)), numbers(&listed));
    // An empty id is none.
    let request = ann.request(Method::GET, &path).header("last-event-id", "");
    assert_eq!(request.open().await.event().await.id, Some(1));
    service.stop().await;
}

async fn a_cursor_that_does_not_fit_is_refused(database: Database) {
    let service = Service::start(&database).await;
    let table = Table::new(&service, &small_match(), &[]).await;
    let ann = &table.players[0];
    let version = table.view(0).await["version"].as_i64().expect("a version");
    let path = format!("/v1/matches/{}/stream", table.match_id);
    for wrong in ["x", "-1", "+1", "1.0", "1:2", "99999999999999999999"] {
        let request = ann.request(Method::GET, &path).header("last-event-id", wrong);
        request.send().await.problem(400, "invalid_cursor");
    }
    let ahead = (version + 1).to_string();
    let request = ann.request(Method::GET, &path).header("last-event-id", &ahead);
    let refused = request.send().await.problem(409, "version_ahead");
    assert_eq!(refused.number("/current_version"), version);
    let refused = ann.get(&format!("{path}?after={ahead}")).await;
    refused.problem(409, "version_ahead");
    ann.get(&format!("{path}?after=x"))
        .await
        .problem(400, "invalid_query");
    ann.get(&format!("{path}?wait=1"))
        .await
        .problem(400, "invalid_query");
    let history = format!("/v1/matches/{}/history?after=1&wait=26", table.match_id);
    ann.get(&history).await.problem(400, "invalid_query");
    let mallory = service.player("Mallory").await;
    mallory.get(&path).await.problem(404, "not_found");
    mallory.get(&history).await.problem(404, "not_found");
    service
        .anonymous()
        .get(&path)
        .await
        .problem(401, "unauthenticated");
    service.stop().await;
}

async fn who_joins_during_an_action_sees_it_once(database: Database) {
    let service = Service::start(&database).await;
    let table = Table::new(&service, &small_match(), &[]).await;
    let mut streams = Vec::new();
    for _ in 0..6 {
        let (ann, bob) = (&table.players[0], &table.players[1]);
        let (_, one, other) = tokio::join!(
            act(&table),
            ann.stream(&table.match_id, 0),
            bob.stream(&table.match_id, 0),
        );
        streams.extend([one, other]);
    }
    let version = act(&table).await.number("/version");
    for stream in &mut streams {
        let told = stream.events_up_to(version).await;
        let numbers: Vec<i64> = told.iter().filter_map(|event| event.id).collect();
        assert_eq!(numbers, (1..=version).collect::<Vec<_>>());
    }
    service.stop().await;
}

async fn a_long_poll_ends_when_its_time_is_over(database: Database) {
    let service = Service::start(&database).await;
    let table = Table::new(&service, &small_match(), &[]).await;
    let ann = &table.players[0];
    let view = table.view(0).await;
    let version = view["version"].as_i64().expect("a version");
    let beginning = ann.long_poll(&table.match_id, version - 1, 25).await.expect(200);
    assert_eq!(
        beginning.array("/entries").len(),
        1,
        "what is there comes at once"
    );
    let before = service.clock().now_millis();
    let _running = Ticking::new(service.clock(), 50);
    let empty = ann.long_poll(&table.match_id, version, 20).await.expect(200);
    assert!(empty.array("/entries").is_empty());
    assert_eq!(
        (empty.number("/version"), &empty.body["has_more"]),
        (version, &json!(false))
    );
    assert!(service.clock().now_millis() - before >= 20_000);
    service.stop().await;
}

/// The blocks besides events.
fn others(blocks: &[Block]) -> Vec<&Block> {
    blocks.iter().filter(|block| block.data.is_none()).collect()
}

#[track_caller]
fn ends_cleanly(blocks: &[Block]) {
    let last = blocks.last().expect("a farewell");
    assert!(last.retry.is_some_and(|millis| millis >= 1000), "{last:?}");
    assert!(last.comment.is_some() && last.data.is_none(), "{last:?}");
}

async fn a_stream_is_kept_alive_and_ends_with_the_token(database: Database) {
    let service = Service::start(&database).await;
    let table = Table::new(&service, &small_match(), &[]).await;
    let ann = &table.players[0];
    let version = table.view(0).await["version"].as_i64().expect("a version");
    let mut of_match = ann.stream(&table.match_id, version - 1).await;
    of_match.event().await;
    let mut of_player = ann.my_stream().await;
    of_player.event().await;
    for stream in [&mut of_match, &mut of_player] {
        let clock = service.clock().clone();
        clock.advance(15_000);
        let comment = stream.block().await.expect("it goes on");
        assert_eq!(comment.comment.as_deref(), Some(""));
        assert_eq!(comment.data, None);
    }
    service.clock().advance(15 * 60_000);
    for stream in [of_match, of_player] {
        let rest = stream.rest().await;
        assert!(others(&rest).len() == rest.len() && rest.len() <= 2, "{rest:?}");
        ends_cleanly(&rest);
    }
    ann.get("/v1/me").await.problem(401, "token_expired");
    service.stop().await;
}

async fn a_stream_ends_with_the_session(database: Database) {
    let service = Service::start(&database).await;
    let table = Table::new(&service, &small_match(), &[]).await;
    let [ann, bob] = [&table.players[0], &table.players[1]];
    let mut of_match = ann.stream(&table.match_id, 0).await;
    of_match.event().await;
    let mut of_player = ann.my_stream().await;
    of_player.event().await;
    let mut of_bob = bob.my_stream().await;
    of_bob.event().await;
    ann.post("/v1/auth/logout", &json!({})).await.expect(204);
    // Without any time passing.
    for stream in [of_match, of_player] {
        ends_cleanly(&stream.rest().await);
    }
    service.clock().advance(15_000);
    assert_eq!(of_bob.block().await.expect("it goes on").data, None);
    service.stop().await;
}

async fn streams_and_long_polls_end_when_the_service_stops(database: Database) {
    let service = Service::start(&database).await;
    let table = Table::new(&service, &small_match(), &[]).await;
    let ann = table.players[0].clone();
    let version = table.view(0).await["version"].as_i64().expect("a version");
    let mut of_match = ann.stream(&table.match_id, version - 1).await;
    of_match.event().await;
    let mut of_player = ann.my_stream().await;
    of_player.event().await;
    let list = ann.my_matches("").await.expect(200);
    let tag = list.header("etag").expect("a list has a tag").to_owned();
    let same = ann
        .request(Method::GET, "/v1/me/matches?wait=25")
        .header("if-none-match", &tag);
    let (polled, listed, ()) =
        tokio::join!(ann.long_poll(&table.match_id, version, 25), same.send(), async {
            // Both are on their way once the service has answered what was asked after them.
            ann.get("/v1/me").await.expect(200);
            service.begin_to_stop();
        },);
    assert!(polled.expect(200).array("/entries").is_empty());
    listed.expect(304);
    for stream in [of_match, of_player] {
        ends_cleanly(&stream.rest().await);
    }
    service.stop().await;
}

async fn a_slow_reader_holds_nobody_up(database: Database) {
    let service = Service::start(&database).await;
    let table = Table::new(&service, &small_match(), &[]).await;
    let (ann, bob) = (&table.players[0], &table.players[1]);
    let slow: Vec<EventStream> = vec![
        ann.stream(&table.match_id, 0).await,
        bob.stream(&table.match_id, 0).await,
        ann.my_stream().await,
    ];
    let mut quick = ann.stream(&table.match_id, 0).await;
    let mut scripted = [Scripted::new(ann, 3), Scripted::new(bob, 4)];
    loop {
        let played = play(&table.match_id, &mut scripted, 1).await;
        let Some(last) = played.last() else { break };
        quick.events_up_to(last.answer.number("/version")).await;
    }
    let version = table.view(0).await["version"].as_i64().expect("a version");
    let [mut one, mut other, mut of_player]: [EventStream; 3] = slow.try_into().ok().expect("three");
    for stream in [&mut one, &mut other] {
        let told = stream.events_up_to(version).await;
        let numbers: Vec<i64> = told.iter().filter_map(|event| event.id).collect();
        assert_eq!(numbers, (1..=version).collect::<Vec<_>>());
    }
    assert_eq!(of_player.event().await.event.as_deref(), Some("sync"));
    service.stop().await;
}

async fn very_many_streams_of_one_session_are_refused(database: Database) {
    let service = Service::start(&database).await;
    let ann = service.player("Ann").await;
    let mut open = Vec::new();
    for _ in 0..32 {
        let mut stream = ann.my_stream().await;
        stream.event().await;
        open.push(stream);
    }
    ann.get("/v1/me/stream").await.problem(429, "rate_limited");
    // Who hangs up makes room, though nothing is sent that could not arrive.
    drop(open);
    loop {
        // The service hears of it when the system has told it.
        let request = ann.request(Method::GET, "/v1/me/stream");
        if request.is_accepted().await {
            break;
        }
    }
    // Another device has its own.
    let bob = service.player("Bob").await;
    bob.my_stream().await.event().await;
    service.stop().await;
}

/// The next hint, which must be about this match.
async fn hint(stream: &mut EventStream, match_id: &str) -> Value {
    let event = stream.event().await;
    assert_eq!((event.event.as_deref(), event.id), (Some("hint"), None));
    let hint = event.json();
    assert_eq!(hint["match_id"], match_id);
    hint
}

async fn hints_follow_every_match_of_a_player(database: Database) {
    let service = Service::start(&database).await;
    let (ann, bob) = (service.player("Ann").await, service.player("Bob").await);
    let mut stream = ann.my_stream().await;
    let first = stream.event().await;
    assert_eq!((first.event.as_deref(), first.id), (Some("sync"), None));
    let table = Table::of(vec![ann.clone(), bob.clone()], &small_match(), &[]).await;
    let created = hint(&mut stream, &table.match_id).await;
    assert_eq!(created["my_turn"], false, "it waits");
    let started = hint(&mut stream, &table.match_id).await;
    assert_eq!(started["my_turn"], true, "the host begins");
    let mut scripted = [Scripted::new(&ann, 1), Scripted::new(&bob, 2)];
    for accepted in play_out(&table.match_id, &mut scripted).await {
        let told = hint(&mut stream, &table.match_id).await;
        assert_eq!(told["version"], accepted.answer.body["version"]);
        let view = &accepted.answer.body["view"];
        assert_eq!(told["my_turn"], json!(view["turn"]["seat"] == 0), "{view}");
    }
    // Matches of others are not told of: the next hint is about one of Ann's.
    let others = vec![bob, service.player("Cleo").await];
    Table::of(others, &small_match(), &[]).await;
    let created = ann
        .create_match(&open_match("pairs", "demo", 3))
        .await
        .expect(201);
    hint(&mut stream, &created.text_at("/match_id")).await;
    service.stop().await;
}
