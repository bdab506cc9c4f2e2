//! Acting as fast as the service answers, at so little cost that it is the service that is measured: a thread and
//! a connection per match, requests made of prepared texts, and of the answers only what the next action needs.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::Value;

use crate::{Player, fresh_key};

/// The service hangs up when nothing is asked for a few seconds: before that a connection is replaced.
const IDLE_MAX: Duration = Duration::from_secs(2);

/// A match of two players, played over one connection that is kept.
pub struct Driver {
    host: String,
    /// With the time when it was last used.
    connection: Option<(TcpStream, Instant)>,
    /// Per seat the beginning of its requests.
    seats: [Heads; 2],
    sending: Vec<u8>,
    received: Vec<u8>,
    /// What was seen last.
    pub seen: Seen,
    /// By which seat.
    pub seen_by: usize,
}

struct Heads {
    act: String,
    look: String,
}

/// What a view says of what may be done next.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Seen {
    /// The version.
    pub version: u64,
    /// Who is to move; nobody if the match is over.
    pub turn: Option<Turn>,
    /// What the viewer may do.
    #[serde(default)]
    pub legal_actions: Vec<Value>,
}

/// Whose move it is.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct Turn {
    /// The seat.
    pub seat: usize,
}

#[derive(Deserialize)]
struct Acted {
    view: Seen,
}

/// A request that was sent and can be sent again.
#[derive(Debug, Clone)]
pub struct Sent {
    seat: usize,
    key: String,
    body: String,
}

impl Driver {
    /// Takes over a match at the service at `url`; `players` sit in seats 0 and 1.
    #[must_use]
    pub fn new(url: &str, match_id: &str, players: &[Player; 2]) -> Self {
        let host = url.strip_prefix("http://").expect("a URL begins with http://");
        let stream = TcpStream::connect(host).expect("the service listens");
        stream.set_nodelay(true).expect("a connection can send at once");
        let heads = |player: &Player| {
            let rest = format!(
                "HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {}\r\n",
                player.token()
            );
            Heads {
                act: format!("POST /v1/matches/{match_id}/actions {rest}content-type: application/json\r\n"),
                look: format!("GET /v1/matches/{match_id} {rest}\r\n"),
            }
        };
        let mut driver = Self {
            host: host.to_owned(),
            connection: None,
            seats: [heads(&players[0]), heads(&players[1])],
            sending: Vec::new(),
            received: Vec::with_capacity(16 * 1024),
            seen: Seen::default(),
            seen_by: 0,
        };
        driver.look(0);
        driver
    }

    /// Looks at the match from a seat.
    pub fn look(&mut self, seat: usize) {
        self.sending.clear();
        self.sending.extend_from_slice(self.seats[seat].look.as_bytes());
        let (status, body) = self.exchange();
        assert_eq!(status, 200, "{}", String::from_utf8_lossy(body));
        self.seen = serde_json::from_slice(body).expect("a view");
        self.seen_by = seat;
    }

    /// Sends an action of a seat for the version that was seen, and takes in the view after it; the status tells
    /// whether it was taken.
    pub fn act(&mut self, seat: usize, action: &str) -> (u16, Sent) {
        let version = self.seen.version;
        let sent = Sent {
            seat,
            key: fresh_key(),
            body: format!(r#"{{"action":{action},"expected_version":{version}}}"#),
        };
        (self.send(&sent), sent)
    }

    /// Sends what may have been sent before.
    pub fn send(&mut self, sent: &Sent) -> u16 {
        let Sent { seat, key, body } = sent;
        self.sending.clear();
        self.sending.extend_from_slice(self.seats[*seat].act.as_bytes());
        let length = body.len();
        write!(
            self.sending,
            "idempotency-key: {key}\r\ncontent-length: {length}\r\n\r\n{body}"
        )
        .expect("memory can be written to");
        let (status, body) = self.exchange();
        if status == 200 {
            let acted: Acted = serde_json::from_slice(body).expect("the result of an action");
            self.seen = acted.view;
            self.seen_by = *seat;
        }
        status
    }

    /// What was answered last.
    #[must_use]
    pub fn answer(&self) -> String {
        String::from_utf8_lossy(&self.received).into_owned()
    }

    /// Sends what lies ready; the status and the body of the answer.
    fn exchange(&mut self) -> (u16, &[u8]) {
        let mut stream = match self.connection.take() {
            Some((stream, used_at)) if used_at.elapsed() < IDLE_MAX => stream,
            Some(_) | None => connect(&self.host),
        };
        stream.write_all(&self.sending).expect("the service reads");
        self.received.clear();
        let (body_at, length) = loop {
            receive(&mut stream, &mut self.received);
            if let Some(found) = head(&self.received) {
                break found;
            }
        };
        while self.received.len() < body_at + length {
            receive(&mut stream, &mut self.received);
        }
        self.connection = Some((stream, now()));
        let status = std::str::from_utf8(&self.received[9..12])
            .ok()
            .and_then(|text| text.parse().ok());
        (
            status.expect("an answer begins with a status"),
            &self.received[body_at..],
        )
    }
}

fn connect(host: &str) -> TcpStream {
    let stream = TcpStream::connect(host).expect("the service listens");
    stream.set_nodelay(true).expect("a connection can send at once");
    stream
}

fn receive(stream: &mut TcpStream, received: &mut Vec<u8>) {
    let mut piece = [0; 16 * 1024];
    let length = stream.read(&mut piece).expect("the service answers");
    assert_ne!(length, 0, "the service hung up");
    received.extend_from_slice(&piece[..length]);
}

#[expect(clippy::disallowed_methods, reason = "the service goes by the time as it is")]
fn now() -> Instant {
    Instant::now()
}

/// Where the body begins, and how long it is; `None` while the head is not whole.
fn head(received: &[u8]) -> Option<(usize, usize)> {
    let end = received.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&received[..end]).expect("a head is text");
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case("content-length")
            .then(|| value.parse().expect("a length"))
    });
    Some((end + 4, length.expect("an answer says how long it is")))
}
