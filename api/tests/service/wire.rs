//! What no HTTP library sends: requests that are cut off, slow or no requests at all.

use std::io::Read;
use std::net::Shutdown;
use std::sync::Arc;
use std::time::Duration;

use crate::support::{Home, Process, Service};
use quartett_api::clock::Clock;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Nothing that a test waits for takes longer.
const PATIENCE: Duration = Duration::from_secs(20);

/// A body has so much time.
const SLOWEST_MILLIS: i64 = 15_000;

const GUEST: &str = "POST /v1/auth/guest HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";

/// A body of which two bytes are there.
fn half_a_body() -> String {
    format!("{GUEST}Content-Length: 20\r\n\r\n{{}}")
}

async fn sent(url: &str, text: &str) -> TcpStream {
    let address = url.strip_prefix("http://").unwrap();
    let mut connection = TcpStream::connect(address).await.unwrap();
    connection.write_all(text.as_bytes()).await.unwrap();
    connection
}

/// Everything that comes until the connection is closed.
async fn rest(mut connection: TcpStream) -> String {
    let mut bytes = Vec::new();
    let read = connection.read_to_end(&mut bytes);
    // What was sent and not read may make the system reset the connection in the end.
    let _ = tokio::time::timeout(PATIENCE, read).await.unwrap();
    String::from_utf8(bytes).unwrap()
}

/// Checks that an answer is a problem with this status and code.
fn is_problem(answer: &str, status: u16, code: &str) {
    assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{answer}");
    assert!(
        answer.contains("content-type: application/problem+json"),
        "{answer}"
    );
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    let body: Value = serde_json::from_str(body).unwrap();
    assert_eq!(body["code"], code);
}

/// Sends half a body and waits until the service waits for the rest; with until when it does.
async fn begun(service: &Service) -> (TcpStream, i64) {
    let connection = sent(&service.url, &half_a_body()).await;
    let until = service.clock.now_millis() + SLOWEST_MILLIS;
    let waiting = service.clock.slept_until(until);
    tokio::time::timeout(PATIENCE, waiting).await.unwrap();
    (connection, until)
}

#[tokio::test]
async fn a_body_that_comes_too_slowly_is_not_waited_for() {
    let service = Service::start(&[]).await;
    let (connection, until) = begun(&service).await;
    service.clock.advance(SLOWEST_MILLIS - 1);
    assert!(service.clock.is_slept_until(until), "the body may still come");
    service.clock.advance(1);
    is_problem(&rest(connection).await, 408, "body_too_slow");
    service.stop().await;
}

#[tokio::test]
async fn a_service_that_stops_waits_shortly_for_a_body() {
    let service = Service::start(&[]).await;
    let (unfinished, _) = begun(&service).await;
    service.clock.advance(1);
    let (mut finished, _) = begun(&service).await;
    let clock = service.clock.clone();
    let stopped = tokio::spawn(service.stop());
    // What still comes in time is answered.
    finished.write_all(b"                  ").await.unwrap();
    assert!(rest(finished).await.starts_with("HTTP/1.1 201 "));
    assert!(!stopped.is_finished());
    clock.advance(2_000);
    is_problem(&rest(unfinished).await, 503, "unavailable");
    // The library by itself would wait ten seconds for a connection.
    tokio::time::timeout(Duration::from_secs(5), stopped)
        .await
        .unwrap()
        .unwrap();
}

#[tokio::test]
async fn a_chunk_that_is_none_is_a_problem() {
    let service = Service::start(&[]).await;
    let text = format!("{GUEST}Transfer-Encoding: chunked\r\n\r\nZZ\r\n{{}}\r\n0\r\n\r\n");
    is_problem(&rest(sent(&service.url, &text).await).await, 400, "bad_request");
    service.stop().await;
}

/// The limit of "every error is a problem": actix answers by itself what it cannot read as a request. It says
/// nothing then, so there is at least no text in another form, and it is no alarm.
#[tokio::test]
async fn what_is_no_request_gets_a_bare_status_and_raises_no_alarm() {
    let home = Arc::new(Home::new().await);
    let mut process = Process::start(&home, &[("RUST_LOG", "trace")]);
    let long = format!("GET / HTTP/1.1\r\nHost: x\r\nX: {}\r\n\r\n", "a".repeat(200_000));
    let many = format!("GET / HTTP/1.1\r\nHost: x\r\n{}\r\n", "X: a\r\n".repeat(200));
    for (text, status) in [
        ("garbage\r\n\r\n", 400),
        ("GET /healthz HTTP/1.1\r\n\r\n", 400),
        (&format!("{GUEST}Content-Length: x\r\n\r\n{{}}"), 400),
        (&format!("{GUEST}Transfer-Encoding: x\r\n\r\n{{}}"), 400),
        (&many, 431),
        (&long, 431),
    ] {
        let connection = std::net::TcpStream::connect(process.address());
        let mut connection = connection.unwrap();
        std::io::Write::write_all(&mut connection, text.as_bytes()).unwrap();
        let mut answer = Vec::new();
        let _ = connection.read_to_end(&mut answer);
        let _ = connection.shutdown(Shutdown::Both);
        let answer = String::from_utf8(answer).unwrap();
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{answer}");
        assert!(
            answer.ends_with("\r\n\r\n") && answer.contains("content-length: 0"),
            "{answer}"
        );
    }
    let log = process.kill();
    assert!(log.contains("parse error"), "it can be seen by who looks for it");
    let alarms: Vec<&str> = log.lines().filter(|line| line.contains("ERROR")).collect();
    assert!(alarms.is_empty(), "{alarms:?}");
}
