//! What an action asks of Postgres.

use quartett_tests::setups::{open_match, with_options};
use quartett_tests::{Database, Service, Table, Wiretap};
use serde_json::json;

/// Actions of a match in memory.
const ACTIONS: usize = 30;

#[tokio::test]
async fn an_accepted_action_is_one_statement() {
    let Some(database) = Database::postgres().await else {
        return;
    };
    let Some((tapped, tap)) = Wiretap::before(&database) else {
        return;
    };
    let service = Service::start(&tapped).await;
    let setup = with_options(
        open_match("vdb_supertrumpf", "sportwaffen", 2),
        &json!({"rounds": 1000}),
    );
    let table = Table::new(&service, &setup, &[]).await;
    let (mut seat, mut view) = table.to_move().await;
    for action in 0..ACTIONS {
        let before = tap.heard();
        let answer = table.act_on(seat, &view).await.expect(200);
        let statements = tap.heard();
        // The clock stands still, so that nothing happens by itself.
        assert_eq!(
            statements.len(),
            1,
            "action {action}: {statements:#?}, after {before:#?}"
        );
        assert!(
            statements[0].starts_with("WITH head AS (UPDATE matches"),
            "{statements:?}"
        );
        assert!(answer.body["view"]["turn"].is_object(), "the match goes on");
        (seat, view) = table.to_move().await;
    }
    service.stop().await;
}
