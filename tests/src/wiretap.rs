//! What a service says to Postgres, heard by somebody who stands in between.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex, PoisonError};

use crate::Database;

/// Passes everything on and notes the statements that are carried out, in their order.
#[derive(Clone, Default)]
pub struct Wiretap {
    heard: Arc<Mutex<Vec<String>>>,
}

impl Wiretap {
    /// The same database, reached past somebody who listens for as long as this process runs; `None` if it is not
    /// on a server that is reached through a socket.
    #[must_use]
    pub fn before(database: &Database) -> Option<(Database, Self)> {
        let url = database.url();
        let (address, folder) = url.split_once("?host=")?;
        let (_, name) = address.rsplit_once('/')?;
        let socket = format!("{folder}/.s.PGSQL.5432");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let port = listener.local_addr().expect("it listens").port();
        let tap = Self::default();
        let heard = tap.heard.clone();
        std::thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let server = UnixStream::connect(&socket).expect("the server listens");
                pass(client, server, heard.clone());
            }
        });
        let url = format!("postgres://quartett@127.0.0.1:{port}/{name}?sslmode=disable");
        Some((Database::elsewhere(url), tap))
    }

    /// The statements since the last time.
    #[must_use]
    pub fn heard(&self) -> Vec<String> {
        std::mem::take(&mut *self.heard.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Passes on what both sides of a connection say until one has nothing more to say.
fn pass(client: TcpStream, server: UnixStream, heard: Arc<Mutex<Vec<String>>>) {
    let both = (client.try_clone(), server.try_clone());
    let (mut to_client, mut from_server) = (both.0.expect("a handle"), both.1.expect("a handle"));
    std::thread::spawn(move || {
        // It ends with the connection, however that ends.
        let _ = std::io::copy(&mut from_server, &mut to_client);
        let _ = to_client.shutdown(Shutdown::Both);
    });
    std::thread::spawn(move || {
        let mut spoken = Spoken::new(client, server);
        while let Some(statement) = spoken.next_statement() {
            heard
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(statement);
        }
        let _ = spoken.server.shutdown(Shutdown::Both);
    });
}

/// The messages of one client, passed on.
struct Spoken {
    client: TcpStream,
    server: UnixStream,
    has_begun: bool,
    /// The texts of prepared statements by their names.
    prepared: HashMap<Vec<u8>, String>,
    bound: String,
}

impl Spoken {
    fn new(client: TcpStream, server: UnixStream) -> Self {
        Self {
            client,
            server,
            has_begun: false,
            prepared: HashMap::new(),
            bound: String::new(),
        }
    }

    /// Passes messages on up to the next one that carries a statement out; `None` at the end.
    fn next_statement(&mut self) -> Option<String> {
        loop {
            let (kind, body) = self.message()?;
            let mut texts = body.split(|byte| *byte == 0);
            let mut text = || texts.next().unwrap_or_default().to_vec();
            let readable = |text: Vec<u8>| String::from_utf8(text).expect("statements are text");
            match kind {
                b'Q' => return Some(readable(text())),
                b'P' => {
                    let name = text();
                    self.prepared.insert(name, readable(text()));
                }
                b'B' => {
                    let _portal = text();
                    self.bound = self.prepared.get(&text()).cloned().unwrap_or_default();
                }
                b'E' => return Some(self.bound.clone()),
                _ => {}
            }
        }
    }

    /// The next message, once it is passed on. The first has no kind.
    fn message(&mut self) -> Option<(u8, Vec<u8>)> {
        let mut kind = [0];
        if self.has_begun {
            self.client.read_exact(&mut kind).ok()?;
            self.server.write_all(&kind).ok()?;
        }
        self.has_begun = true;
        let mut length = [0; 4];
        self.client.read_exact(&mut length).ok()?;
        let rest = usize::try_from(u32::from_be_bytes(length)).ok()?.checked_sub(4)?;
        let mut body = vec![0; rest];
        self.client.read_exact(&mut body).ok()?;
        self.server.write_all(&length).ok()?;
        self.server.write_all(&body).ok()?;
        Some((kind[0], body))
    }
}
