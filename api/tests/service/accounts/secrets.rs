//! Nothing that proves who somebody is stands in the log, however much is logged.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use quartett_api::Seal;
use reqwest::{Client, Method};
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};

use crate::support::{Home, Process, SEAL_KEY};

const PASSWORDS: [&str; 3] = ["twelve grey geese", "nine green herons", "a wrong wrong word"];

/// Calls everything that takes or gives a secret, rightly and wrongly, and tells the secrets.
async fn whole_flow(url: &str) -> Vec<String> {
    let client = Client::new();
    let call = async |method: Method, path: &str, token: Option<&str>, body: Value| {
        let mut request = client.request(method, format!("{url}{path}")).json(&body);
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let answer = request.send().await.unwrap();
        let text = answer.text().await.unwrap();
        serde_json::from_str::<Value>(&text).unwrap_or(Value::Null)
    };
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let mut secrets: Vec<String> = PASSWORDS.map(str::to_owned).to_vec();

    let mut pair = call(Method::POST, "/v1/auth/guest", None, json!({})).await;
    for _ in 0..2 {
        secrets.extend([text(&pair["access_token"]), text(&pair["refresh_token"])]);
        pair = call(
            Method::POST,
            "/v1/auth/refresh",
            None,
            json!({"refresh_token": pair["refresh_token"]}),
        )
        .await;
    }
    let access = text(&pair["access_token"]);
    let credentials = |password: &str| json!({"username": "ann_k", "password": password});
    let pairs = [
        call(
            Method::POST,
            "/v1/me/upgrade",
            Some(&access),
            credentials(PASSWORDS[0]),
        )
        .await,
        call(Method::POST, "/v1/auth/login", None, credentials(PASSWORDS[0])).await,
    ];
    for pair in &pairs {
        secrets.extend([text(&pair["access_token"]), text(&pair["refresh_token"])]);
    }
    let change = json!({"current_password": PASSWORDS[0], "new_password": PASSWORDS[1]});
    call(Method::POST, "/v1/auth/password", Some(&access), change).await;
    // Wrongly: bad bodies, bad tokens, secrets where they do not belong.
    call(Method::POST, "/v1/auth/login", None, credentials(PASSWORDS[2])).await;
    call(
        Method::POST,
        "/v1/auth/login",
        None,
        json!({"username": PASSWORDS[1], "password": 7}),
    )
    .await;
    call(
        Method::POST,
        "/v1/auth/login",
        None,
        json!({"username": "x", "passwort": PASSWORDS[1]}),
    )
    .await;
    call(Method::POST, "/v1/auth/login", None, json!([PASSWORDS[1]])).await;
    call(
        Method::POST,
        "/v1/auth/refresh",
        None,
        json!({"refresh_token": [secrets[4]]}),
    )
    .await;
    call(
        Method::POST,
        "/v1/auth/refresh",
        None,
        json!({"refresh_token": access}),
    )
    .await;
    call(
        Method::GET,
        &format!("/v1/me?access_token={access}"),
        None,
        json!({}),
    )
    .await;
    call(
        Method::GET,
        &format!("/v1/players/{access}"),
        Some(&access),
        json!({}),
    )
    .await;
    call(Method::GET, &format!("/nowhere/{access}"), None, json!({})).await;
    let spoiled = format!("{}x", secrets[3]);
    call(Method::GET, "/v1/me", Some(&spoiled), json!({})).await;
    call(Method::GET, "/v1/me/export", Some(&access), json!({})).await;
    call(
        Method::POST,
        "/v1/auth/logout",
        Some(&access),
        json!({"refresh_token": secrets[4]}),
    )
    .await;
    call(Method::GET, "/v1/me", Some(&access), json!({})).await;
    secrets.push(access);
    secrets
}

/// What a player adds to the randomness of a deal.
const ENTROPY: &str = "a-word-nobody-knows";

/// Plays a match by invite, and tells its secrets: the code, the keys, the seed, and the hands as they were.
async fn whole_match(url: &str) -> (Vec<String>, BTreeSet<String>) {
    let client = Client::new();
    let (mut secrets, mut cards) = (Vec::new(), BTreeSet::new());
    let mut keys = Vec::new();
    let mut call = async |token: &str, method: Method, path: &str, body: Value| {
        let key = format!("key-of-an-intent-{:04}", keys.len());
        keys.push(key.clone());
        let request = client.request(method, format!("{url}{path}")).bearer_auth(token);
        let answer = request
            .header("idempotency-key", key)
            .json(&body)
            .send()
            .await
            .unwrap();
        serde_json::from_str::<Value>(&answer.text().await.unwrap()).unwrap_or(Value::Null)
    };
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let mut views = Vec::new();
    let mut tokens = Vec::new();
    for _ in 0..3 {
        let pair = call("none", Method::POST, "/v1/auth/guest", json!({})).await;
        tokens.push(text(&pair["access_token"]));
        secrets.push(text(&pair["refresh_token"]));
    }
    let setup = json!({
        "game": {"type": "duel_quartett", "duel_quartett": {}}, "deck_id": "demo", "seats": 3, "visibility": "invite",
    });
    let created = call(&tokens[0], Method::POST, "/v1/matches", setup).await;
    let path = format!("/v1/matches/{}", text(&created["match_id"]));
    let code = text(&created["invite_code"]);
    let acceptance = format!("/v1/invites/{code}/acceptance");
    for token in &tokens[1..] {
        let taking = json!({"entropy": ENTROPY});
        call(token, Method::POST, &acceptance, taking).await;
    }
    for _ in 0..12 {
        for token in &tokens {
            let view = call(token, Method::GET, &path, json!({})).await;
            views.push(view.to_string());
            let hands = view["table"]["duel_quartett"]["hands"].as_array().unwrap();
            for hand in hands {
                let shown = hand["cards"].as_array().into_iter().flatten();
                cards.extend(shown.map(&text));
            }
            let Some(action) = view["legal_actions"].get(0) else {
                continue;
            };
            let acting = json!({"action": action, "expected_version": view["version"]});
            call(token, Method::POST, &format!("{path}/actions"), acting.clone()).await;
            // What is refused is looked at as closely.
            call(token, Method::POST, &format!("{path}/actions"), acting).await;
        }
    }
    call(&tokens[0], Method::GET, &format!("{path}/history"), json!({})).await;
    for token in &tokens[..2] {
        call(token, Method::POST, &format!("{path}/resignation"), json!({})).await;
    }
    let ended = call(&tokens[2], Method::GET, &path, json!({})).await;
    assert_eq!(ended["status"], "ended", "{ended}");
    secrets.extend([text(&ended["seed"]), code, ENTROPY.to_owned()]);
    secrets.extend(tokens);
    secrets.extend(keys);
    assert!(cards.len() > 10, "{cards:?} {views:#?}");
    (secrets, cards)
}

#[tokio::test]
async fn no_secret_stands_in_the_log_of_a_whole_run() {
    for format in ["text", "json"] {
        let home = Arc::new(Home::new().await);
        let mut process = Process::start(&home, &[("LOG_FORMAT", format), ("RUST_LOG", "trace")]);
        let mut secrets = whole_flow(&process.url).await;
        let (of_match, cards) = whole_match(&process.url).await;
        secrets.extend(of_match);
        let logged = process.kill();

        // What is at rest is as secret.
        let connection = home.connect().await;
        let rows = async |query: &str| {
            let statement = Statement::from_string(connection.get_database_backend(), query);
            connection.query_all_raw(statement).await.unwrap()
        };
        for row in rows("SELECT password_hash FROM players WHERE password_hash IS NOT NULL").await {
            secrets.push(row.try_get("", "password_hash").unwrap());
        }
        for row in rows("SELECT salt FROM sessions").await {
            secrets.push(hex::encode(row.try_get::<Vec<u8>>("", "salt").unwrap()));
        }
        let seal = Seal::new(&SEAL_KEY.parse().unwrap());
        for row in rows("SELECT id, sealed_private FROM keys").await {
            let id: String = row.try_get("", "id").unwrap();
            let sealed: Vec<u8> = row.try_get("", "sealed_private").unwrap();
            secrets.push(hex::encode(seal.open("keys", id.as_bytes(), &sealed).unwrap()));
        }
        secrets.push(SEAL_KEY.to_owned());

        assert!(
            logged.lines().count() > 30,
            "hardly anything was logged:\n{logged}"
        );
        assert!(logged.contains("answered") && logged.contains("/v1/auth/refresh"));
        assert!(secrets.len() > 15);
        let words: HashSet<&str> = logged.split(|letter: char| !letter.is_alphanumeric()).collect();
        for card in &cards {
            assert!(
                !words.contains(card.as_str()),
                "the card {card} stands in the log"
            );
        }
        for secret in &secrets {
            // Neither whole nor in recognisable parts.
            for part in secret.split('.').filter(|part| part.len() >= 8) {
                // The header of a token is the same for all and says nothing.
                let is_header = secret.starts_with(part) && part.len() < secret.len();
                assert!(is_header || !logged.contains(part), "{part} stands in the log");
            }
        }
    }
}
