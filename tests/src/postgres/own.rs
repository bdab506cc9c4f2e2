//! A server of one test's own, to be stopped.

use super::private::{Private, programs};
use super::report;
use crate::{Database, environment};

/// A Postgres server that nobody else uses. Unlike the server that tests share, it keeps what it has acknowledged:
/// it waits for the disk.
pub struct OwnServer {
    private: Private,
}

impl OwnServer {
    /// Starts one with these settings besides its own; `None`, and a line on the output, where there is no server
    /// program.
    #[must_use]
    pub fn start(settings: &str) -> Option<Self> {
        let Some(programs) = programs() else {
            assert!(
                !environment::requires_postgres(),
                "REQUIRE_POSTGRES is set, but there is no Postgres server program below /usr/lib/postgresql"
            );
            report("no Postgres server program: what needs a server of its own is NOT tested");
            return None;
        };
        let settings = format!("-c fsync=on -c synchronous_commit=on -c shared_buffers=32MB {settings}");
        Some(Self {
            private: tokio::task::block_in_place(|| Private::start(&programs, &settings)),
        })
    }

    /// The one database on it.
    #[must_use]
    pub fn database(&self) -> Database {
        Database::elsewhere(self.private.url().replace("{}", "postgres"))
    }

    /// Stops it as a crash would: connections break off, and the next start recovers from the log.
    pub fn crash(&mut self) {
        self.order("stop");
    }

    /// Starts it again.
    pub fn start_again(&mut self) {
        self.order("start");
    }

    /// From now on it takes what is sent and answers nothing.
    pub fn hang(&mut self) {
        self.order("hang");
    }

    /// Goes on where it hung.
    pub fn go_on(&mut self) {
        self.order("go on");
    }

    fn order(&mut self, order: &str) {
        tokio::task::block_in_place(|| self.private.order(order));
    }
}
