//! A Postgres server that is there and cannot do what it should: it takes no writes, has no connection left, waits
//! for somebody else, or has no room.

use quartett_tests::outages::{Attempt, in_time, once_available, refused};
use quartett_tests::setups::{open_match, small_match};
use quartett_tests::{Database, OwnServer, Service, Table, Ticking};
use sea_orm::{ConnectOptions, ConnectionTrait, DatabaseConnection, TransactionTrait};
use serde_json::json;

/// Runs each with a database on the server that tests share.
macro_rules! on_postgres {
    ($($test:ident),+ $(,)?) => {
        mod postgres { $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() {
                if let Some(database) = quartett_tests::Database::postgres().await {
                    super::$test(database).await;
                }
            }
        )+ }
    };
}

on_postgres!(
    what_takes_no_writes_is_read_and_found_again,
    what_is_locked_is_given_up_on,
    what_is_full_takes_nothing_and_loses_nothing,
);

/// How many want the same match, or any match, while nothing moves: far more than there are connections.
const CROWD: usize = 60;

/// As after a failover: connections lead to a server that has become a standby, and stay open.
async fn what_takes_no_writes_is_read_and_found_again(database: Database) {
    let service = Service::start(&database).await;
    let table = Table::new(&service, &small_match(), &[]).await;
    let attempt = Attempt::at(&table).await;
    database
        .run(
            "DO $$ BEGIN
                 EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database());
                 PERFORM pg_terminate_backend(pid) FROM pg_stat_activity
                     WHERE datname = current_database() AND pid <> pg_backend_pid();
             END $$",
        )
        .await;
    let (player, somebody) = (&table.players[0], service.anonymous());
    let guest = json!({"display_name": "Late"});
    let view = once_available(|| player.view(&table.match_id)).await.expect(200);
    for _ in 0..3 {
        attempt.send().await.problem(503, "unavailable");
        let created = player.create_match(&small_match()).await;
        refused(created);
        refused(in_time(somebody.post("/v1/auth/guest", &guest)).await);
        let again = once_available(|| player.view(&table.match_id)).await;
        assert_eq!(again.expect(200).body, view.body);
        player.history(&table.match_id, 0).await;
    }
    // Everybody comes at once, so that every connection of the service is one that takes no writes.
    let crowd: Vec<_> = (0..CROWD)
        .map(|_| {
            let player = player.clone();
            tokio::spawn(async move { in_time(player.create_match(&small_match())).await })
        })
        .collect();
    for answer in crowd {
        refused(answer.await.expect("an answer"));
    }
    // Connections that began read-only stay so: the service has to find out.
    database
        .run(
            "BEGIN READ WRITE;
             DO $$ BEGIN
                 EXECUTE format('ALTER DATABASE %I RESET default_transaction_read_only', current_database());
             END $$;
             COMMIT",
        )
        .await;
    assert!(!attempt.taken().await.is_replayed(), "nothing was stored before");
    service.stop().await;
}

async fn what_is_locked_is_given_up_on(database: Database) {
    let service = Service::start(&database).await;
    let table = Table::new(&service, &small_match(), &[]).await;
    let attempt = Attempt::at(&table).await;
    let beside = database.connect().await;
    let lock = beside.begin().await.expect("a transaction begins");
    lock.execute_unprepared("LOCK TABLE match_entries IN ACCESS EXCLUSIVE MODE")
        .await
        .expect("the table can be locked");
    let first = tokio::spawn({
        let attempt = attempt.clone();
        async move { attempt.send().await }
    });
    let somebody = service.anonymous();
    for path in ["/healthz", "/v1/games", "/openapi.json"] {
        somebody.get(path).await.expect(200);
        assert!(!first.is_finished(), "{path} waits for no database");
    }
    // The database gave the statement up, so it is known that nothing was stored.
    let first = first.await.expect("an answer");
    first.problem(503, "unavailable");
    // Everybody else comes as well: to the same match, which somebody holds, and to others.
    let crowd: Vec<_> = (0..CROWD)
        .map(|number| {
            let player = table.players[number % 2].clone();
            let match_id = table.match_id.clone();
            tokio::spawn(async move {
                match number % 3 {
                    0 => in_time(player.create_match(&small_match())).await,
                    1 => in_time(player.history_page(&match_id, 0, 100)).await,
                    _ => in_time(player.resign(&match_id)).await,
                }
            })
        })
        .collect();
    for answer in crowd {
        refused(answer.await.expect("an answer"));
    }
    lock.rollback().await.expect("the lock can be let go");
    assert!(!attempt.taken().await.is_replayed(), "nothing was stored before");
    beside.close().await.expect("the connection can be closed");
    service.stop().await;
}

async fn what_is_full_takes_nothing_and_loses_nothing(database: Database) {
    let service = Service::start(&database).await;
    let tables = [
        Table::new(&service, &small_match(), &[]).await,
        Table::new(&service, &open_match("duel_quartett", "wohnbau", 3), &["hard"]).await,
    ];
    for code in ["53100", "53200", "58030"] {
        database
            .run(&format!(
                "CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                     RAISE EXCEPTION 'no room' USING ERRCODE = '{code}';
                 END $$;
                 CREATE TRIGGER no_room BEFORE INSERT ON match_entries EXECUTE FUNCTION no_room()"
            ))
            .await;
        let mut attempts = Vec::new();
        for table in &tables {
            let attempt = Attempt::at(table).await;
            attempt.send().await.problem(503, "unavailable");
            let player = &table.players[0];
            let refusal = player.create_match(&small_match()).await;
            refusal.problem(503, "unavailable");
            player.view(&table.match_id).await.expect(200);
            attempts.push(attempt);
        }
        database.run("DROP FUNCTION no_room() CASCADE").await;
        let created = tables[0].players[0].create_match(&small_match()).await;
        created.expect(201);
        assert!(
            !attempts[0].taken().await.is_replayed(),
            "nothing was stored before"
        );
        // Where bots follow, the log goes on by itself.
        let answer = attempts[1].send().await.expect(200);
        assert!(!answer.is_replayed());
        assert!(attempts[1].send().await.expect(200).is_replayed());
    }
    service.stop().await;
}

/// So many connections the server has in all.
const CONNECTIONS: usize = 16;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_without_connections_is_waited_for() {
    let settings = format!("-c max_connections={CONNECTIONS} -c superuser_reserved_connections=0");
    let Some(server) = OwnServer::start(&settings) else {
        return;
    };
    let database = server.database();
    let service = Service::start(&database).await;
    let table = Table::new(&service, &small_match(), &[]).await;
    let attempt = Attempt::at(&table).await;
    let taken = take_all(&database).await;
    let somebody = service.anonymous();
    let player = &table.players[0];
    let guest = json!({"display_name": "Late"});
    let (acted, viewed, made, ready) = tokio::join!(
        attempt.send(),
        in_time(player.view(&table.match_id)),
        in_time(somebody.post("/v1/auth/guest", &guest)),
        in_time(somebody.get("/readyz")),
    );
    for answer in [acted, viewed, made, ready] {
        refused(answer);
    }
    somebody.get("/healthz").await.expect(200);
    for connection in taken {
        connection.close().await.expect("a connection can be closed");
    }
    let _ticking = Ticking::new(service.clock(), 1);
    attempt.taken().await;
    once_available(|| somebody.get("/readyz")).await.expect(200);
    service
        .player("New")
        .await
        .create_match(&small_match())
        .await
        .expect(201);
    service.stop().await;
}

/// Takes every connection, those on which the service answers as well. The one that listens it may keep: it would
/// be back faster than anybody else.
async fn take_all(database: &Database) -> Vec<DatabaseConnection> {
    let mut taken = vec![database.connect().await];
    loop {
        let mut options = ConnectOptions::new(database.url());
        // It tries for this long, and then there is none.
        options
            .max_connections(1)
            .acquire_timeout(std::time::Duration::from_millis(500))
            .sqlx_logging(false);
        if let Ok(connection) = sea_orm::Database::connect(options).await {
            taken.push(connection);
            continue;
        }
        let cut = taken[0]
            .execute_unprepared(
                "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
                 WHERE application_name IN ('quartett', 'quartett notices')",
            )
            .await
            .expect("connections can be cut");
        if cut.rows_affected() == 0 {
            return taken;
        }
    }
}
