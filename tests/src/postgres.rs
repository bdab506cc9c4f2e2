//! A Postgres server for the tests of this process: the one that is named, or a private one.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use sea_orm::{ConnectOptions, ConnectionTrait, DbErr};
use tokio::sync::OnceCell;

use crate::{Wiretap, environment};

/// A server that databases are made on.
pub(crate) struct Server {
    /// The URL of a database, with `{}` where its name stands.
    url: String,
    /// The database that is connected to for making others.
    maintenance: String,
    /// Keeps the private server as long as its input is open: until this process is gone, however it ends.
    _keeper: Option<Child>,
}

static SERVER: OnceCell<Option<Server>> = OnceCell::const_new();

impl Server {
    /// The server of this process, started when it is first asked for; `None` if there is none to be had.
    pub(crate) async fn of_this_process() -> Option<&'static Server> {
        SERVER.get_or_init(Server::find).await.as_ref()
    }

    async fn find() -> Option<Server> {
        let server = match environment::test_database_url() {
            Some(url) => Some(Server::named(&url)),
            None => programs().map(|programs| Server::private(&programs, FORGETFUL)),
        };
        match &server {
            Some(server) => {
                let version = server.version().await;
                report(&format!(
                    "Postgres {version}: these tests run on it and on SQLite"
                ));
            }
            None => {
                assert!(
                    !environment::requires_postgres(),
                    "REQUIRE_POSTGRES is set, but there is no Postgres server program below \
                     /usr/lib/postgresql and no TEST_DATABASE_URL"
                );
                report("no Postgres server program and no TEST_DATABASE_URL: these tests run on SQLite ONLY");
            }
        }
        server
    }

    /// A server that runs already.
    fn named(url: &str) -> Server {
        let (address, query) = url.split_once('?').unwrap_or((url, ""));
        let (server, maintenance) = address
            .rsplit_once('/')
            .filter(|(server, _)| server.contains("://") && !server.ends_with('/'))
            .unwrap_or((address, "postgres"));
        let query = if query.is_empty() {
            String::new()
        } else {
            format!("?{query}")
        };
        Server {
            url: format!("{server}/{{}}{query}"),
            maintenance: maintenance.to_owned(),
            _keeper: None,
        }
    }

    /// A private server that keeps its promises as one in production does, to measure against; `None` if there
    /// are no server programs.
    pub(crate) fn durable() -> Option<Server> {
        programs().map(|programs| Server::private(&programs, DURABLE))
    }

    /// A server of this process's own, reached through a socket in its folder.
    fn private(programs: &Path, settings: &str) -> Server {
        let folder = tempfile::Builder::new()
            .prefix("quartett-postgres-")
            .tempdir()
            .expect("a temporary folder can be made")
            .keep();
        let user = other_user();
        if let Some(user) = &user {
            let given = Command::new("chown").arg(user).arg(&folder).status();
            assert!(
                given.is_ok_and(|status| status.success()),
                "chown of the server's folder"
            );
        }
        let mut command = match &user {
            Some(user) => {
                let mut command = Command::new("setpriv");
                command.args([
                    "--reuid",
                    user,
                    "--regid",
                    &group_of(user),
                    "--clear-groups",
                    "sh",
                ]);
                command
            }
            None => Command::new("sh"),
        };
        let mut keeper = command
            .args(["-c", KEEPER, "keeper"])
            .arg(programs)
            .arg(&folder)
            .arg(settings)
            .current_dir(&folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            // In a group of its own, so that Ctrl-C does not stop the keeper before it has cleaned up.
            .process_group(0)
            .spawn()
            .expect("a shell can be started");
        let mut outcome = String::new();
        let said = keeper.stdout.take().expect("its output is piped");
        BufReader::new(said)
            .read_line(&mut outcome)
            .expect("the keeper says how it went");
        assert_eq!(
            outcome.trim(),
            "ready",
            "the private Postgres server did not start; its log: {}",
            std::fs::read_to_string(folder.join("log")).unwrap_or_default()
        );
        Server {
            url: format!("postgres://quartett@localhost/{{}}?host={}", folder.display()),
            maintenance: "postgres".to_owned(),
            _keeper: Some(keeper),
        }
    }

    /// The same server, with somebody who listens in between; `None` if it is not a private one.
    pub(crate) fn tapped(&self) -> Option<(Server, Wiretap)> {
        let (_, folder) = self.url.split_once("?host=")?;
        let tap = Wiretap::before(format!("{folder}/.s.PGSQL.5432"));
        let server = Server {
            url: tap.url(),
            maintenance: self.maintenance.clone(),
            _keeper: None,
        };
        Some((server, tap))
    }

    /// The URL of a database on this server.
    pub(crate) fn url(&self, database: &str) -> String {
        self.url.replace("{}", database)
    }

    /// Runs one statement that makes or removes databases.
    pub(crate) async fn administer(&self, statement: &str) -> Result<(), DbErr> {
        let connection = sea_orm::Database::connect(self.maintenance()).await?;
        let outcome = connection.execute_unprepared(statement).await;
        connection.close().await?;
        outcome.map(drop)
    }

    fn maintenance(&self) -> ConnectOptions {
        let mut options = ConnectOptions::new(self.url(&self.maintenance));
        options.max_connections(1).sqlx_logging(false);
        options
    }

    async fn version(&self) -> String {
        let version = async {
            let connection = sea_orm::Database::connect(self.maintenance()).await?;
            let statement =
                sea_orm::Statement::from_string(connection.get_database_backend(), "SHOW server_version");
            let row = connection.query_one_raw(statement).await?;
            connection.close().await?;
            row.map_or(Ok(String::new()), |row| row.try_get_by_index(0))
        };
        version.await.expect("the Postgres server can be reached")
    }
}

/// What is stored need not survive the machine, so nothing waits for the disk.
const FORGETFUL: &str = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_connections=400 \
    -c shared_buffers=64MB -c max_wal_size=256MB";

/// Every commit waits for the disk, which is what Postgres does if nobody says otherwise.
const DURABLE: &str = "-c max_connections=200 -c shared_buffers=512MB";

/// Starts a server with the settings `$3` in the folder `$2` with the programs in `$1`, says `ready`, and removes
/// both when its input ends.
const KEEPER: &str = r#"
programs=$1 folder=$2 settings=$3
trap '' PIPE
{
    "$programs/initdb" -D "$folder/data" -U quartett -A trust -E UTF8 --locale=C --no-sync &&
    "$programs/pg_ctl" -D "$folder/data" -l "$folder/log" -w -t 60 -o "-c listen_addresses='' \
        -c unix_socket_directories='$folder' $settings" start
} >>"$folder/log" 2>&1 </dev/null && echo ready || echo failed
exec >/dev/null
cat >/dev/null
"$programs/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1
rm -rf "$folder"
"#;

/// A program that comes with the server, such as `pgbench`; `None` if there is none.
#[must_use]
pub fn program(name: &str) -> Option<PathBuf> {
    programs()
        .map(|programs| programs.join(name))
        .filter(|program| program.exists())
}

/// The folder with the newest server programs.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?;
    versions
        .filter_map(|version| {
            let version = version.ok()?;
            let number: f32 = version.file_name().to_str()?.parse().ok()?;
            let programs = version.path().join("bin");
            programs.join("initdb").exists().then_some((number, programs))
        })
        .max_by(|(one, _), (other, _)| one.total_cmp(other))
        .map(|(_, programs)| programs)
}

/// Postgres refuses to run as root: the user it runs as instead, if that is who we are.
fn other_user() -> Option<String> {
    if answer_of("id", &["-u"])? != "0" {
        return None;
    }
    let user = ["postgres", "nobody"]
        .into_iter()
        .find(|user| answer_of("id", &["-u", user]).is_some());
    Some(user.expect("a user besides root").to_owned())
}

fn group_of(user: &str) -> String {
    answer_of("id", &["-g", user]).expect("a user has a group")
}

fn answer_of(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let said = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| said.trim().to_owned())
}

/// Past the test runner, which keeps what tests print to itself.
/// Writes a line to the output of the tests.
pub fn report(line: &str) {
    // A closed output hears nothing, and that is no fault of a test.
    let _ = writeln!(std::io::stdout(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::Server;

    #[test]
    fn a_named_server_gets_databases_beside_the_named_one() {
        let server = Server::named("postgres://me:secret@db.example:5433/work?sslmode=disable");
        assert_eq!(
            server.url("t"),
            "postgres://me:secret@db.example:5433/t?sslmode=disable"
        );
        assert_eq!(server.maintenance, "work");
        let server = Server::named("postgres://db.example");
        assert_eq!(server.url("t"), "postgres://db.example/t");
        assert_eq!(server.maintenance, "postgres");
    }
}
