//! What is sent twice, at once, or too late counts once or not at all.

use quartett_tests::scripted::{Scripted, play};
use quartett_tests::setups::small_match;
use quartett_tests::{
    Answer, Client, Database, Request, Service, Setup, Table, at_once, both, finished, fresh_key,
};
use serde_json::{Value, json};

both!(
    an_action_sent_again_is_answered_again,
    an_action_sent_again_after_a_restart_is_answered_again,
    an_action_sent_again_later_is_answered_as_it_was_then,
    an_action_sent_many_times_at_once_counts_once,
    a_key_belongs_to_its_player,
    a_key_belongs_to_its_action,
    a_key_stays_used_when_the_action_is_legal_again,
    a_refusal_does_not_use_the_key_up,
    a_key_is_required_and_has_a_form,
    an_action_for_another_version_is_refused,
    fifty_clients_on_one_version,
    two_services_accept_an_action_once,
);

/// A started match of two, the player to move, an action it may take, and the version.
struct Ready {
    table: Table,
    seat: usize,
    actions: Vec<Value>,
    version: i64,
}

impl Ready {
    async fn new(service: &Service) -> Self {
        Self::at(Table::new(service, &small_match(), &[]).await).await
    }

    async fn at(table: Table) -> Self {
        let (seat, view) = table.to_move().await;
        let actions = view["legal_actions"]
            .as_array()
            .expect("the seat to move may act");
        assert!(actions.len() > 1, "there is a choice");
        Self {
            seat,
            actions: actions.clone(),
            version: view["version"].as_i64().expect("a version"),
            table,
        }
    }

    fn player(&self) -> &Client {
        &self.table.players[self.seat]
    }

    fn opponent(&self) -> &Client {
        &self.table.players[1 - self.seat]
    }

    /// The first legal action under `key`.
    fn request(&self, key: &str) -> Request {
        self.player()
            .act_request(&self.table.match_id, &self.actions[0], self.version, key)
    }

    /// The head's version, after checking that the log has no gap.
    async fn head(&self) -> i64 {
        let entries = self.player().history(&self.table.match_id, 0).await;
        let version = i64::try_from(entries.len()).expect("a short log");
        finished::check_log(&entries, version);
        version
    }
}

/// The receipt of an answer to an action, and its entries.
fn receipt(answer: &Answer) -> (i64, String, Vec<Value>) {
    (
        answer.number("/version"),
        answer.text_at("/head_hash"),
        answer.array("/entries").to_vec(),
    )
}

async fn an_action_sent_again_is_answered_again(database: Database) {
    let service = Service::start(&database).await;
    let ready = Ready::new(&service).await;
    let key = fresh_key();
    let first = ready.request(&key).send().await.expect(200);
    assert!(!first.is_replayed());
    let again = ready.request(&key).send().await.expect(200);
    assert!(again.is_replayed());
    assert_eq!(again.body, first.body, "nothing happened in between");
    assert_eq!(ready.head().await, first.number("/version"));
    service.stop().await;
}

async fn an_action_sent_again_after_a_restart_is_answered_again(database: Database) {
    let service = Service::start(&database).await;
    let mut ready = Ready::new(&service).await;
    let key = fresh_key();
    let first = ready.request(&key).send().await.expect(200);
    let service = service.restart(&database).await;
    ready.table = ready.table.moved_to(service.url());
    let again = ready.request(&key).send().await.expect(200);
    assert!(again.is_replayed());
    assert_eq!(again.body, first.body);
    service.stop().await;
}

async fn an_action_sent_again_later_is_answered_as_it_was_then(database: Database) {
    let service = Service::start(&database).await;
    let ready = Ready::new(&service).await;
    let key = fresh_key();
    let first = ready.request(&key).send().await.expect(200);
    let mut scripted: Vec<Scripted> = ready
        .table
        .players
        .iter()
        .map(|player| Scripted::new(player, 2))
        .collect();
    play(&ready.table.match_id, &mut scripted, 3).await;
    let again = ready.request(&key).send().await.expect(200);
    assert!(again.is_replayed());
    assert_eq!(receipt(&again), receipt(&first));
    let view = &again.body["view"];
    assert_eq!(
        view["version"], first.body["version"],
        "the view at the end of that append"
    );
    assert_eq!(view["table"], first.body["view"]["table"]);
    assert!(
        view.get("legal_actions").is_none(),
        "what is legal is told at the head only"
    );
    service.stop().await;
}

async fn an_action_sent_many_times_at_once_counts_once(database: Database) {
    let service = Service::start(&database).await;
    let ready = Ready::new(&service).await;
    let key = fresh_key();
    let answers = at_once::all((0..12).map(|_| ready.request(&key).send())).await;
    let mut fresh = 0;
    for answer in answers {
        let answer = answer.expect(200);
        assert_eq!(answer.number("/version"), ready.version + 1);
        fresh += i32::from(!answer.is_replayed());
    }
    assert_eq!(fresh, 1, "one was carried out, the others were told so");
    assert_eq!(ready.head().await, ready.version + 1);
    service.stop().await;
}

async fn a_key_belongs_to_its_player(database: Database) {
    let service = Service::start(&database).await;
    let ready = Ready::new(&service).await;
    let key = fresh_key();
    // The opponent sends the same key and action first: not its turn, and the key stays free.
    let match_id = &ready.table.match_id;
    let refused = ready
        .opponent()
        .act(match_id, &ready.actions[0], ready.version, &key)
        .await;
    refused.problem(422, "not_your_turn");
    let first = ready.request(&key).send().await.expect(200);
    assert!(!first.is_replayed());
    let head = first.number("/version");
    // Afterwards it gets nothing of that answer.
    let stale = ready
        .opponent()
        .act(match_id, &ready.actions[0], ready.version, &key)
        .await;
    let stale = stale.problem(409, "version_conflict");
    assert_eq!(stale.body["current_version"], head);
    assert!(!stale.is_replayed());
    // On its own turn the same key is one of its own.
    let owner = ready.seat;
    let mut ready = Ready::at(ready.table).await;
    while ready.seat == owner {
        ready.request(&fresh_key()).send().await.expect(200);
        ready = Ready::at(ready.table).await;
    }
    let own = ready.request(&key).send().await.expect(200);
    assert!(!own.is_replayed());
    assert_eq!(own.number("/version"), ready.version + 1);
    service.stop().await;
}

async fn a_key_belongs_to_its_action(database: Database) {
    let service = Service::start(&database).await;
    let ready = Ready::new(&service).await;
    let key = fresh_key();
    let match_id = &ready.table.match_id;
    let first = ready.request(&key).send().await.expect(200);
    let head = first.number("/version");
    for version in [ready.version, head] {
        let other = ready
            .player()
            .act(match_id, &ready.actions[1], version, &key)
            .await;
        other.problem(422, "idempotency_key_reused");
    }
    // The fingerprint covers the action and not the version.
    let again = ready
        .player()
        .act(match_id, &ready.actions[0], head, &key)
        .await
        .expect(200);
    assert!(again.is_replayed());
    assert_eq!(receipt(&again), receipt(&first));
    assert_eq!(ready.head().await, head);
    service.stop().await;
}

/// On the player's next turn the same choice could be made again: under the old key it is the old choice.
async fn a_key_stays_used_when_the_action_is_legal_again(database: Database) {
    let service = Service::start(&database).await;
    let ready = Ready::new(&service).await;
    let (key, action, owner) = (fresh_key(), ready.actions[0].clone(), ready.seat);
    let first = ready.request(&key).send().await.expect(200);
    let mut ready = Ready::at(ready.table).await;
    while ready.seat != owner {
        ready.request(&fresh_key()).send().await.expect(200);
        ready = Ready::at(ready.table).await;
    }
    assert!(ready.actions.contains(&action));
    let match_id = &ready.table.match_id;
    let again = ready
        .player()
        .act(match_id, &action, ready.version, &key)
        .await
        .expect(200);
    assert!(again.is_replayed());
    assert_eq!(receipt(&again), receipt(&first));
    let other = ready
        .player()
        .act(match_id, &ready.actions[1], ready.version, &key)
        .await;
    other.problem(422, "idempotency_key_reused");
    assert_eq!(ready.head().await, ready.version);
    service.stop().await;
}

async fn a_refusal_does_not_use_the_key_up(database: Database) {
    let service = Service::start(&database).await;
    let ready = Ready::new(&service).await;
    let key = fresh_key();
    let match_id = &ready.table.match_id;
    let impossible = json!({"type": "choose_attribute", "choose_attribute": {"attribute": "shoe size"}});
    for _ in 0..2 {
        let refused = ready
            .player()
            .act(match_id, &impossible, ready.version, &key)
            .await;
        refused.problem(422, "unknown_attribute");
    }
    assert_eq!(ready.head().await, ready.version, "a refusal stores nothing");
    let accepted = ready.request(&key).send().await.expect(200);
    assert!(!accepted.is_replayed());
    service.stop().await;
}

async fn a_key_is_required_and_has_a_form(database: Database) {
    let service = Service::start(&database).await;
    let ready = Ready::new(&service).await;
    let path = format!("/v1/matches/{}/actions", ready.table.match_id);
    let body = json!({"action": ready.actions[0], "expected_version": ready.version});
    ready
        .player()
        .post(&path, &body)
        .await
        .problem(400, "idempotency_key_missing");
    for key in ["short", &"k".repeat(129), "with spaces in between"] {
        let answer = ready.request(key).send().await;
        answer.problem(400, "idempotency_key_invalid");
    }
    ready
        .player()
        .post("/v1/matches", &small_match())
        .await
        .problem(400, "idempotency_key_missing");
    service.stop().await;
}

async fn an_action_for_another_version_is_refused(database: Database) {
    let service = Service::start(&database).await;
    let ready = Ready::new(&service).await;
    let match_id = &ready.table.match_id;
    let act = async |version| {
        ready
            .player()
            .act(match_id, &ready.actions[0], version, &fresh_key())
            .await
    };
    let stale = act(ready.version - 1).await.problem(409, "version_conflict");
    assert_eq!(
        stale.body["current_version"], ready.version,
        "though it would be legal"
    );
    let ahead = act(ready.version + 1).await.problem(409, "version_ahead");
    assert_eq!(ahead.body["current_version"], ready.version);
    assert_eq!(ready.head().await, ready.version);
    act(ready.version).await.expect(200);
    service.stop().await;
}

async fn fifty_clients_on_one_version(database: Database) {
    let service = Service::start(&database).await;
    let mut table = Table::new(&service, &small_match(), &[]).await;
    for _ in 0..3 {
        let ready = Ready::at(table).await;
        let answers = at_once::all((0..50).map(|_| ready.request(&fresh_key()).send())).await;
        check_one_accepted(&ready, answers).await;
        table = ready.table;
    }
    service.stop().await;
}

async fn two_services_accept_an_action_once(database: Database) {
    if !database.is_postgres() {
        return;
    }
    let one = Service::start(&database).await;
    let setup = Setup {
        seed: 2,
        clock: one.clock().clone(),
        ..Setup::default()
    };
    let two = Service::start_with(&database, setup).await;
    let mut table = Table::new(&one, &small_match(), &[]).await;
    for _ in 0..3 {
        let ready = Ready::at(table).await;
        let elsewhere = ready.table.players[ready.seat].moved_to(two.url());
        let there =
            |key: &str| elsewhere.act_request(&ready.table.match_id, &ready.actions[0], ready.version, key);
        let requests = (0..20).flat_map(|_| [ready.request(&fresh_key()), there(&fresh_key())]);
        let answers = at_once::all(requests.map(Request::send)).await;
        check_one_accepted(&ready, answers).await;

        // The same request at both at once: one append, the same answer twice.
        let ready = Ready::at(ready.table).await;
        let elsewhere = ready.table.players[ready.seat].moved_to(two.url());
        let key = fresh_key();
        let there = elsewhere.act_request(&ready.table.match_id, &ready.actions[0], ready.version, &key);
        let answers = at_once::all([ready.request(&key).send(), there.send()]).await;
        let receipts: Vec<_> = answers
            .into_iter()
            .map(|answer| receipt(&answer.expect(200)))
            .collect();
        assert_eq!(receipts[0], receipts[1]);
        assert_eq!(ready.head().await, ready.version + 1);
        table = ready.table;
    }
    one.stop().await;
    two.stop().await;
}

/// One is accepted, every other one is told the version it has become.
async fn check_one_accepted(ready: &Ready, answers: Vec<Answer>) {
    let (accepted, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 200);
    assert_eq!(accepted.len(), 1, "exactly one is accepted");
    assert!(!accepted[0].is_replayed());
    for answer in refused {
        let conflict = answer.problem(409, "version_conflict");
        assert_eq!(conflict.body["current_version"], ready.version + 1);
    }
    assert_eq!(ready.head().await, ready.version + 1);
}
