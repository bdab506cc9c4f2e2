//! What clients may keep, and how they find out that it is still true.

use quartett_tests::setups::{open_match, small_match};
use quartett_tests::{Answer, Client, Database, Service, Table, both, fresh_key};
use reqwest::Method;

both!(
    a_view_that_has_not_changed_is_not_sent_again,
    history_of_a_running_match_is_not_kept,
    decks_by_hash_are_kept_for_a_year,
);

async fn unless(client: &Client, path: &str, tag: &str) -> Answer {
    let request = client.request(Method::GET, path);
    request.header("if-none-match", tag).send().await
}

async fn a_view_that_has_not_changed_is_not_sent_again(database: Database) {
    let service = Service::start(&database).await;
    let table = Table::new(&service, &small_match(), &[]).await;
    let path = format!("/v1/matches/{}", table.match_id);
    let (ann, bob) = (&table.players[0], &table.players[1]);
    let of_ann = ann.get(&path).await.expect(200);
    assert_eq!(of_ann.header("cache-control"), Some("private, no-cache"));
    let tag = of_ann.header("etag").expect("a view has a tag");
    assert!(tag.starts_with('"'), "a strong tag: {tag}");
    let same = unless(ann, &path, tag).await.expect(304);
    assert_eq!(same.header("etag"), Some(tag));
    unless(ann, &path, &format!("\"other\", {tag}")).await.expect(304);
    unless(ann, &path, "\"other\"").await.expect(200);
    // The other player sees something else, so the tag is another.
    let of_bob = unless(bob, &path, tag).await.expect(200);
    assert_ne!(of_bob.header("etag"), Some(tag));
    let (seat, view) = table.to_move().await;
    let version = view["version"].as_i64().expect("a version");
    let acted = table.players[seat]
        .act(&table.match_id, &view["legal_actions"][0], version, &fresh_key())
        .await;
    acted.expect(200);
    let later = unless(ann, &path, tag).await.expect(200);
    assert_ne!(later.header("etag"), Some(tag));
    service.stop().await;
}

async fn history_of_a_running_match_is_not_kept(database: Database) {
    let service = Service::start(&database).await;
    let table = Table::new(&service, &open_match("pairs", "demo", 2), &[]).await;
    let history = table.players[0]
        .history_page(&table.match_id, 0, 10)
        .await
        .expect(200);
    assert_eq!(history.header("cache-control"), Some("no-store"));
    service.stop().await;
}

async fn decks_by_hash_are_kept_for_a_year(database: Database) {
    let service = Service::start(&database).await;
    let ann = service.player("Ann").await;
    let table = Table::new(&service, &small_match(), &[]).await;
    let hash = table.view(0).await["deck"]["hash"]
        .as_str()
        .expect("a hash")
        .to_owned();
    let deck = ann.get(&format!("/v1/decks/by-hash/{hash}")).await.expect(200);
    let kept = deck.header("cache-control").unwrap_or_default();
    assert!(
        kept.contains("max-age=31536000") && kept.contains("immutable"),
        "{kept}"
    );
    service.stop().await;
}
