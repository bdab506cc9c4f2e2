//! A Postgres server of this process's own, and the shell that keeps it.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// For what need not survive the machine: nothing waits for the disk.
pub(super) const FAST: &str = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off \
     -c max_connections=400 -c shared_buffers=64MB -c max_wal_size=256MB";

/// A server that is reached through a socket in its folder. It and the folder are removed when this is dropped or
/// this process is gone, however it ends.
pub(crate) struct Private {
    folder: PathBuf,
    orders: ChildStdin,
    answers: BufReader<ChildStdout>,
    _keeper: Child,
}

impl Private {
    /// Starts a server with these settings; panics if that fails.
    pub(crate) fn start(programs: &Path, settings: &str) -> Self {
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
        let orders = keeper.stdin.take().expect("its input is piped");
        let answers = keeper.stdout.take().expect("its output is piped");
        let mut server = Self {
            folder,
            orders,
            answers: BufReader::new(answers),
            _keeper: keeper,
        };
        server.hear("start the private Postgres server");
        server
    }

    /// The URL of a database, with `{}` where its name stands.
    pub(crate) fn url(&self) -> String {
        format!(
            "postgres://quartett@localhost/{{}}?host={}",
            self.folder.display()
        )
    }

    /// Has the keeper carry out an order, and waits until it has.
    pub(crate) fn order(&mut self, order: &str) {
        writeln!(self.orders, "{order}").expect("the keeper takes orders");
        self.hear(order);
    }

    fn hear(&mut self, order: &str) {
        let mut outcome = String::new();
        self.answers
            .read_line(&mut outcome)
            .expect("the keeper says how it went");
        assert_eq!(
            outcome.trim(),
            "ready",
            "cannot {order}; the server's log: {}",
            std::fs::read_to_string(self.folder.join("log")).unwrap_or_default()
        );
    }
}

/// Starts a server in the folder `$2` with the programs in `$1` and the settings `$3`, says `ready`, carries out
/// the orders on its input, and removes everything when its input ends.
const KEEPER: &str = r#"
programs=$1 folder=$2 settings=$3
trap '' PIPE
start() {
    "$programs/pg_ctl" -D "$folder/data" -l "$folder/log" -w -t 60 \
        -o "-c listen_addresses='' -c unix_socket_directories='$folder' $settings" start
}
make() {
    "$programs/initdb" -D "$folder/data" -U quartett -A trust -E UTF8 --locale=C --no-sync && start
}
stop() {
    "$programs/pg_ctl" -D "$folder/data" -m immediate -w -t 60 stop
}
signal() {
    first=$(head -n 1 "$folder/data/postmaster.pid") && kill "-$1" "$first" &&
        kill "-$1" $(cat "/proc/$first/task/$first/children")
}
tell() {
    "$@" >>"$folder/log" 2>&1 </dev/null && echo ready || echo failed
}
tell make
while read -r order; do
    case $order in
    stop) tell stop ;;
    start) tell start ;;
    hang) tell signal STOP ;;
    "go on") tell signal CONT ;;
    *) echo unknown ;;
    esac
done
exec >/dev/null 2>&1
signal CONT
stop
rm -rf "$folder"
"#;

/// A program that comes with the server, such as `pgbench`; `None` if it is not there.
#[must_use]
pub fn program(name: &str) -> Option<PathBuf> {
    programs()
        .map(|programs| programs.join(name))
        .filter(|program| program.exists())
}

/// The folder with the newest server programs.
pub(super) fn programs() -> Option<PathBuf> {
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
