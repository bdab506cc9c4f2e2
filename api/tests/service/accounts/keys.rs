//! Keys at rest: listed, replaced and sealed anew by an operator, and never overwritten by accident.

use std::process::Command;
use std::sync::Arc;

use quartett_api::clock::ManualClock;
use quartett_api::{Application, KeyCommandError, Parts, Resealed, Seal, keys};
use reqwest::Method;
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement, Value};

use crate::support::{BEGINNING_MILLIS, Home, SEAL_KEY, Service};

const NEW_KEY: &str = "a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1";

/// Everything that is sealed, as it is stored.
async fn sealed(connection: &DatabaseConnection) -> Vec<(String, Vec<u8>)> {
    let statement = Statement::from_string(
        connection.get_database_backend(),
        "SELECT id, sealed_private FROM keys ORDER BY id",
    );
    let rows = connection.query_all_raw(statement).await.unwrap();
    rows.iter()
        .map(|row| {
            (
                row.try_get("", "id").unwrap(),
                row.try_get("", "sealed_private").unwrap(),
            )
        })
        .collect()
}

async fn put_seed(connection: &DatabaseConnection, match_id: uuid::Uuid, seed: &[u8], key: &str) {
    let seal = Seal::new(&key.parse().unwrap());
    let sealed = seal.seal(
        &quartett_api::clock::SystemRandomness,
        "match_secrets",
        match_id.as_bytes(),
        seed,
    );
    let values: [Value; 2] = [match_id.into(), sealed.into()];
    let statement = Statement::from_sql_and_values(
        connection.get_database_backend(),
        "INSERT INTO match_secrets (match_id, sealed_seed) VALUES ($1, $2)",
        values,
    );
    connection.execute_raw(statement).await.unwrap();
}

async fn seed(connection: &DatabaseConnection, match_id: uuid::Uuid) -> Vec<u8> {
    let statement = Statement::from_sql_and_values(
        connection.get_database_backend(),
        "SELECT sealed_seed FROM match_secrets WHERE match_id = $1",
        [match_id.into()],
    );
    let row = connection.query_one_raw(statement).await.unwrap().unwrap();
    row.try_get("", "sealed_seed").unwrap()
}

#[tokio::test]
async fn a_key_is_replaced_by_command_and_nobody_is_signed_out() {
    let service = Service::start(&[]).await;
    let ann = service.guest("Ann").await;
    let (home, clock) = (service.home.clone(), service.clock.clone());
    service.stop().await;
    let parts = Parts {
        clock: Arc::new(clock.clone()),
        ..Parts::real()
    };
    let config = home.config(&[]);
    let before = keys::list(&config, &parts).await.unwrap();
    assert_eq!(before.lines().count(), 1);
    assert!(before.starts_with("access ") && before.ends_with(" made at 2026-07-01T12:00:00.000Z, signs\n"));
    clock.advance(1_000);
    let kid = keys::rotate(&config, &parts, false).await.unwrap();
    let record_kid = keys::rotate(&config, &parts, true).await.unwrap();
    let after = keys::list(&config, &parts).await.unwrap();
    let lines: Vec<&str> = after.lines().collect();
    assert_eq!(lines.len(), 3, "{after}");
    assert!(lines[0].starts_with(&format!("access {kid} ")) && lines[0].ends_with(", signs"));
    assert!(lines[1].ends_with(", retired at 2026-07-01T12:00:01.000Z"));
    assert!(lines[2].starts_with(&format!("record {record_kid} ")));

    let service = Service::start_in(&home, clock, &[]).await;
    assert_eq!(service.call(&ann, Method::GET, "/v1/me").await.status(), 200);
    let published = service.get("/.well-known/jwks.json").await.text().await.unwrap();
    assert!(published.contains(&kid) && !published.contains(&record_kid));
    service.stop().await;
}

#[tokio::test]
async fn everything_is_sealed_anew_or_nothing() {
    let service = Service::start(&[]).await;
    let ann = service.guest("Ann").await;
    let (home, clock) = (service.home.clone(), service.clock.clone());
    service.stop().await;
    let parts = Parts::real();
    keys::rotate(&home.config(&[]), &parts, true).await.unwrap();
    let connection = home.connect().await;
    let [first, second] = [1, 2].map(uuid::Uuid::from_u128);
    put_seed(&connection, first, b"the first seed", SEAL_KEY).await;
    put_seed(
        &connection,
        second,
        b"the second seed",
        NEW_KEY.replace('1', "2").as_str(),
    )
    .await;
    let before = sealed(&connection).await;
    let reseal = async || keys::reseal(&home.config(&[("SEAL_KEY_NEW", NEW_KEY)]), &parts).await;

    let none_given = keys::reseal(&home.config(&[]), &parts).await;
    assert!(matches!(none_given, Err(KeyCommandError::NewKeyMissing)));
    // One seed does not open: nothing at all is changed.
    assert!(matches!(reseal().await, Err(KeyCommandError::Seed { match_id, .. }) if match_id == second));
    assert_eq!(sealed(&connection).await, before);
    let wrong = [("SEAL_KEY", NEW_KEY), ("SEAL_KEY_NEW", SEAL_KEY)];
    let message = keys::reseal(
        &home.config(&[("SEAL_KEY", &"7".repeat(64)), ("SEAL_KEY_NEW", NEW_KEY)]),
        &parts,
    )
    .await
    .unwrap_err()
    .to_string();
    assert!(
        message.contains("cannot open") && message.contains("nothing was changed"),
        "{message}"
    );
    assert_eq!(sealed(&connection).await, before);

    let delete = Statement::from_sql_and_values(
        connection.get_database_backend(),
        "DELETE FROM match_secrets WHERE match_id = $1",
        [second.into()],
    );
    connection.execute_raw(delete).await.unwrap();
    assert_eq!(reseal().await.unwrap(), Resealed { keys: 2, seeds: 1 });
    // Again, after an interruption say, finds nothing left to do.
    assert_eq!(reseal().await.unwrap(), Resealed::default());
    let new = Seal::new(&NEW_KEY.parse().unwrap());
    let opened = new.open("match_secrets", first.as_bytes(), &seed(&connection, first).await);
    assert_eq!(opened.unwrap(), b"the first seed");
    connection.close().await.unwrap();

    let message = Application::build(home.config(&[]), parts.clone())
        .await
        .map(drop)
        .unwrap_err()
        .to_string();
    assert!(message.contains("SEAL_KEY is not the one"), "{message}");
    let service = Service::start_in(&home, clock, &wrong[..1]).await;
    assert_eq!(service.call(&ann, Method::GET, "/v1/me").await.status(), 200);
    service.stop().await;
}

#[tokio::test]
async fn a_start_with_a_wrong_key_changes_nothing() {
    let service = Service::start(&[]).await;
    let home = service.home.clone();
    service.stop().await;
    let connection = home.connect().await;
    let before = sealed(&connection).await;
    let message = Application::build(home.config(&[("SEAL_KEY", NEW_KEY)]), Parts::real())
        .await
        .map(drop)
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("cannot open signing key") && message.contains("SEAL_KEY"),
        "{message}"
    );
    assert!(!message.contains(NEW_KEY));
    assert_eq!(sealed(&connection).await, before);
    connection.close().await.unwrap();
    Service::start_in(&home, ManualClock::at(BEGINNING_MILLIS), &[])
        .await
        .stop()
        .await;
}

/// The whole command, with the key in the file beside the database.
#[tokio::test]
async fn the_key_file_is_replaced_together_with_what_it_seals() {
    let home = Home::new().await;
    if home.is_shared() {
        return;
    }
    let run = |words: &[&str], variables: &[(&str, &str)]| {
        let output = Command::new(env!("CARGO_BIN_EXE_quartett"))
            .args(words)
            .env_clear()
            .env("DATABASE_URL", &home.database_url)
            .envs(variables.iter().copied())
            .output()
            .unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.success(), text(output.stdout), text(output.stderr))
    };
    let (succeeded, out, _) = run(&["keys", "rotate"], &[]);
    assert!(succeeded && out.ends_with(" signs from now on\n"), "{out}");
    let key_file = home.folder().join("q.db.seal-key");
    let old = std::fs::read_to_string(&key_file).unwrap();
    let (succeeded, listed, _) = run(&["keys"], &[]);
    assert!(succeeded);

    let (succeeded, _, error) = run(&["keys", "reseal"], &[]);
    assert!(
        !succeeded && error.contains("SEAL_KEY_NEW is required"),
        "{error}"
    );
    let (succeeded, _, error) = run(&["keys", "reseal"], &[("SEAL_KEY_NEW", "secret")]);
    assert!(!succeeded && error.contains("expected 64 hex digits") && !error.contains("secret"));
    assert_eq!(std::fs::read_to_string(&key_file).unwrap(), old);

    let (succeeded, out, error) = run(&["keys", "reseal"], &[("SEAL_KEY_NEW", NEW_KEY)]);
    assert!(
        succeeded && out.starts_with("sealed anew: 1 keys and 0 seeds"),
        "{out}{error}"
    );
    assert_eq!(std::fs::read_to_string(&key_file).unwrap().trim(), NEW_KEY);
    assert_eq!(run(&["keys"], &[]), (true, listed, String::new()));
    let old = old.trim().to_owned();
    let (succeeded, _, error) = run(&["keys"], &[("SEAL_KEY", old.as_str())]);
    assert!(!succeeded && error.contains("SEAL_KEY is not the one"), "{error}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(&key_file).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "others may read the key");
    }
}

#[tokio::test]
async fn keys_are_not_sealed_anew_beside_a_running_instance() {
    let service = Service::start(&[]).await;
    let config = service.home.config(&[("SEAL_KEY_NEW", NEW_KEY)]);
    let refused = keys::reseal(&config, &Parts::real())
        .await
        .unwrap_err()
        .to_string();
    let expected = if service.home.is_shared() {
        "stop them first"
    } else {
        "in use by another process"
    };
    assert!(refused.contains(expected), "{refused}");
    service.stop().await;
}
