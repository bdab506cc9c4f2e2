//! Looking for opponents at the same moment, on one instance and on two.

use quartett_tests::seeking::{ids, matched_later, people, seated, seek, wish};
use quartett_tests::{Database, Instances, at_once, both, fresh_key, later};

both!(
    many_taps_at_once_are_one_ticket_and_never_a_match_against_oneself,
    taking_back_and_matching_at_once_has_one_outcome,
    two_instances_pair_each_ticket_once,
);

async fn many_taps_at_once_are_one_ticket_and_never_a_match_against_oneself(database: Database) {
    let instances = Instances::start(&database).await;
    let (one, there) = (instances.one(), instances.other().url());
    for round in 0..6 {
        let ann = one.player("Ann").await;
        let wish = wish("vdb_supertrumpf", 2);
        let hands = [ann.clone(), ann.moved_to(there)];
        let taps = hands.iter().cycle().take(8).map(|player| {
            let request = player.request(reqwest::Method::POST, "/v1/matchmaking/tickets");
            request.key(&fresh_key()).json(&wish).send()
        });
        let (mut ids, mut made) = (Vec::new(), 0);
        for answer in at_once::all(taps).await {
            assert!(matches!(answer.status, 200 | 201), "{}", answer.text);
            assert_eq!(
                answer.body["status"], "waiting",
                "round {round}: nobody else looks"
            );
            made += usize::from(answer.status == 201);
            ids.push(answer.text_at("/ticket_id"));
        }
        ids.dedup();
        assert_eq!((ids.len(), made), (1, 1));
        ann.cancel_ticket(&ids[0]).await.expect(204);
    }
    instances.stop().await;
}

async fn taking_back_and_matching_at_once_has_one_outcome(database: Database) {
    let instances = Instances::start(&database).await;
    let (one, there) = (instances.one(), instances.other().url());
    let wish = wish("pairs", 2);
    for round in 0..16 {
        let (ann, bob) = (one.player("Ann").await, one.player("Bob").await.moved_to(there));
        let of_ann = seek(one, &ann, &wish).await;
        one.clock().advance(1_000);
        let (cancels, looks) = (later!(ann.cancel_ticket(of_ann)), later!(bob.seek(wish)));
        let (cancel, found) = at_once::race(round, cancels, looks).await;
        let found = found.expect(201);
        let ticket = ann.ticket(&of_ann).await.expect(200);
        if cancel.status == 204 {
            assert_eq!(ticket.body["status"], "cancelled", "{}", ticket.text);
            assert_eq!(found.body["status"], "waiting");
            bob.cancel_ticket(&found.text_at("/ticket_id")).await.expect(204);
        } else {
            cancel.problem(409, "ticket_closed");
            assert_eq!(ticket.body["match_id"], found.body["match_id"]);
            let match_id = found.text_at("/match_id");
            assert_eq!(seated(&ann, &match_id).await, ids(&[&ann, &bob]));
        }
    }
    instances.stop().await;
}

async fn two_instances_pair_each_ticket_once(database: Database) {
    let instances = Instances::start(&database).await;
    let (one, there) = (instances.one(), instances.other().url());
    let people = people(one, 24).await;
    let wish = wish("duel_quartett", 2);
    let looks = people.iter().zip(0..).map(|(person, number)| {
        let person = if number % 2 == 0 {
            person.clone()
        } else {
            person.moved_to(there)
        };
        later!(person.seek(wish))
    });
    let sent = at_once::all(looks).await;
    let mut matches: std::collections::BTreeMap<String, usize> = std::collections::BTreeMap::new();
    for (person, ticket) in people.iter().zip(sent) {
        let ticket = ticket.expect(201).text_at("/ticket_id");
        let match_id = matched_later(person, &ticket).await;
        let seated = seated(person, &match_id).await;
        assert!(
            seated.contains(&person.id),
            "everybody sits in the match of the ticket"
        );
        assert_ne!(seated[0], seated[1], "nobody plays against oneself");
        *matches.entry(match_id).or_default() += 1;
    }
    assert!(matches.values().all(|players| *players == 2), "{matches:?}");
    for person in &people {
        let mine = person.get("/v1/me/matches").await.expect(200);
        assert_eq!(mine.array("/items").len(), 1, "one match each");
    }
    instances.stop().await;
}
