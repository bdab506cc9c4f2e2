//! What the service says of its games is what it does.

use quartett_tests::setups::{GAMES, open_match, with_options};
use quartett_tests::{Answer, Database, Player, Service, both};
use serde_json::{Value, json};

both!(
    seats_are_those_the_game_says,
    options_are_those_the_game_says,
    decks_have_no_values_that_are_no_decimals,
);

/// A deck that fits a game.
fn deck_for(game: &str) -> &'static str {
    if game.starts_with("vdb") {
        "sportwaffen"
    } else {
        "wohnbau"
    }
}

async fn games(player: &Player) -> Vec<Value> {
    let games = player.get("/v1/games").await.expect(200);
    let ids: Vec<_> = games
        .array("/items")
        .iter()
        .map(|game| game["game"].clone())
        .collect();
    assert_eq!(ids, GAMES);
    games.array("/items").to_vec()
}

/// Creates a match and cancels it again.
async fn create(player: &Player, setup: &Value) -> Answer {
    let created = player.create_match(setup).await;
    if created.status == 201 {
        player.cancel(&created.text_at("/match_id")).await.expect(204);
    }
    created
}

async fn seats_are_those_the_game_says(database: Database) {
    let service = Service::start(&database).await;
    let ann = service.player("Ann").await;
    for described in games(&ann).await {
        let game = described["game"].as_str().expect("an id");
        for seats in 1..8 {
            let fits = (described["seats_min"].as_u64() <= Some(seats))
                && (Some(seats) <= described["seats_max"].as_u64());
            let seats = usize::try_from(seats).expect("few seats");
            let answer = create(&ann, &open_match(game, deck_for(game), seats)).await;
            if fits {
                answer.expect(201);
            } else {
                answer.problem(422, "seats_out_of_range");
            }
        }
    }
    service.stop().await;
}

async fn options_are_those_the_game_says(database: Database) {
    let service = Service::start(&database).await;
    let ann = service.player("Ann").await;
    let mut tried = 0;
    for described in games(&ann).await {
        let game = described["game"].as_str().expect("an id");
        let create_with = async |option: &str, value: Value| {
            let mut options = json!({});
            options[option] = value;
            create(&ann, &with_options(open_match(game, deck_for(game), 3), &options)).await
        };
        for option in described["options"].as_array().expect("options") {
            let name = option["option"].as_str().expect("a name");
            if let (Some(least), Some(most)) = (option["minimum"].as_i64(), option["maximum"].as_i64()) {
                for value in [least, most] {
                    let view = create_with(name, json!(value)).await.expect(201);
                    assert_eq!(
                        view.body["game"][game][name], value,
                        "the view tells every option"
                    );
                }
                create_with(name, json!(most + 1))
                    .await
                    .problem(422, "option_out_of_range");
                create_with(name, json!(least - 1))
                    .await
                    .problem(422, "option_out_of_range");
            }
            for value in option["values"].as_array().into_iter().flatten() {
                let value = &value["value"];
                let view = create_with(name, value.clone()).await.expect(201);
                assert_eq!(&view.body["game"][game][name], value);
            }
            if option["values"].is_array() {
                create_with(name, json!("no such value"))
                    .await
                    .problem(400, "invalid_body");
            }
            tried += 1;
        }
    }
    assert_eq!(tried, 10, "options of all games");
    service.stop().await;
}

async fn decks_have_no_values_that_are_no_decimals(database: Database) {
    let service = Service::start(&database).await;
    let ann = service.player("Ann").await;
    for deck_id in ["wohnbau", "sportwaffen", "demo", "ties"] {
        let deck = ann.get(&format!("/v1/decks/{deck_id}")).await.expect(200);
        for card in deck.array("/cards") {
            for value in card["values"].as_array().expect("a card has values") {
                let text = value["value"].as_str().expect("values are texts");
                assert!(
                    text.trim_start_matches('-')
                        .split('.')
                        .all(|part| { !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()) }),
                    "{deck_id}: {text}"
                );
            }
        }
    }
    service.stop().await;
}
