//! Looking for opponents at the same moment, on one instance and on two.

use quartett_tests::seeking::{ids, matched_later, people, seated, seek, wish};
use quartett_tests::{Answer, Database, Service, both, fresh_key};

both!(
    many_taps_at_once_are_one_ticket_and_never_a_match_against_oneself,
    taking_back_and_matching_at_once_has_one_outcome,
    two_instances_pair_each_ticket_once,
);

async fn many_taps_at_once_are_one_ticket_and_never_a_match_against_oneself(database: Database) {
    let (one, two) = Service::start_two(&database).await;
    let there = two.as_ref().unwrap_or(&one).url().to_owned();
    for round in 0..6 {
        let ann = one.player("Ann").await;
        let wish = wish("vdb_supertrumpf", 2);
        let sent: Vec<_> = (0..8)
            .map(|tap| {
                let player = if tap % 2 == 0 {
                    ann.clone()
                } else {
                    ann.moved_to(&there)
                };
                let wish = wish.clone();
                let key = fresh_key();
                tokio::spawn(async move {
                    let request = player.request(reqwest::Method::POST, "/v1/matchmaking/tickets");
                    request.key(&key).json(&wish).send().await
                })
            })
            .collect();
        let (mut ids, mut made) = (Vec::new(), 0);
        for answer in sent {
            let answer: Answer = answer.await.expect("an answer");
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
    one.stop().await;
    if let Some(two) = two {
        two.stop().await;
    }
}

async fn taking_back_and_matching_at_once_has_one_outcome(database: Database) {
    let (one, two) = Service::start_two(&database).await;
    let there = two.as_ref().unwrap_or(&one).url().to_owned();
    let wish = wish("pairs", 2);
    let mut outcomes = [0, 0];
    for round in 0..16 {
        let (ann, bob) = (one.player("Ann").await, one.player("Bob").await.moved_to(&there));
        let of_ann = seek(&one, &ann, &wish).await;
        one.clock().advance(1_000);
        let cancel = {
            let (ann, ticket) = (ann.clone(), of_ann.clone());
            async move { ann.cancel_ticket(&ticket).await }
        };
        let look = {
            let (bob, wish) = (bob.clone(), wish.clone());
            async move { bob.seek(&wish).await }
        };
        let (cancel, look) = if round % 2 == 0 {
            let cancel = tokio::spawn(cancel);
            (cancel, tokio::spawn(look))
        } else {
            let look = tokio::spawn(look);
            (tokio::spawn(cancel), look)
        };
        let (cancel, found) = (
            cancel.await.expect("an answer"),
            look.await.expect("an answer").expect(201),
        );
        let ticket = ann.ticket(&of_ann).await.expect(200);
        if cancel.status == 204 {
            assert_eq!(ticket.body["status"], "cancelled", "{}", ticket.text);
            assert_eq!(found.body["status"], "waiting");
            bob.cancel_ticket(&found.text_at("/ticket_id")).await.expect(204);
            outcomes[0] += 1;
        } else {
            cancel.problem(409, "ticket_closed");
            assert_eq!(ticket.body["match_id"], found.body["match_id"]);
            let match_id = found.text_at("/match_id");
            assert_eq!(seated(&ann, &match_id).await, ids(&[&ann, &bob]));
            outcomes[1] += 1;
        }
    }
    assert_eq!(outcomes.iter().sum::<i32>(), 16);
    one.stop().await;
    if let Some(two) = two {
        two.stop().await;
    }
}

async fn two_instances_pair_each_ticket_once(database: Database) {
    let (one, two) = Service::start_two(&database).await;
    let there = two.as_ref().unwrap_or(&one).url().to_owned();
    let people = people(&one, 24).await;
    let wish = wish("duel_quartett", 2);
    let sent: Vec<_> = people
        .iter()
        .zip(0..)
        .map(|(person, number)| {
            let person = if number % 2 == 0 {
                person.clone()
            } else {
                person.moved_to(&there)
            };
            let wish = wish.clone();
            tokio::spawn(async move { person.seek(&wish).await.expect(201).text_at("/ticket_id") })
        })
        .collect();
    let mut matches: std::collections::BTreeMap<String, usize> = std::collections::BTreeMap::new();
    for (person, ticket) in people.iter().zip(sent) {
        let ticket = ticket.await.expect("an answer");
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
    one.stop().await;
    if let Some(two) = two {
        two.stop().await;
    }
}
