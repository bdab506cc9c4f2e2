//! The service that tests kill: the same application as the product's, which can be held at a failpoint.
//!
//! It reads the same environment. A line `hold NAME` on its input makes whoever comes to that failpoint stay
//! there, and the first to come is told on the output as `reached NAME`. When its input ends it ends too, so
//! that it never outlives the test.

use std::collections::BTreeSet;
use std::io::{BufRead, Write};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use quartett_api::parts::Failpoints;
use quartett_api::{Application, Config, Parts, logging};

/// The failpoints at which everybody is held.
type Held = Arc<Mutex<BTreeSet<String>>>;

#[tokio::main]
async fn main() -> ExitCode {
    match serve().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to do if even this cannot be written.
            let _ = writeln!(std::io::stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve() -> Result<(), Box<dyn std::error::Error>> {
    let config = Config::from_environment()?;
    logging::start(&config);
    let held = Held::default();
    let parts = Parts {
        failpoints: failpoints(held.clone()),
        ..Parts::real()
    };
    let application = Application::build(config, parts).await?;
    let shutdown = application.shutdown();
    say(&format!("listening on {}", application.url()));
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if let Some(name) = line.strip_prefix("hold ") {
                lock(&held).insert(name.to_owned());
                say(&format!("holding at {name}"));
            }
        }
        shutdown.begin();
    });
    application.run().await?;
    Ok(())
}

fn failpoints(held: Held) -> Failpoints {
    let told = Held::default();
    Failpoints::reacting(move |name| {
        let is_held = lock(&held).contains(name);
        if is_held && lock(&told).insert(name.to_owned()) {
            say(&format!("reached {name}"));
        }
        Box::pin(async move {
            if is_held {
                std::future::pending::<()>().await;
            }
        })
    })
}

fn lock(names: &Held) -> std::sync::MutexGuard<'_, BTreeSet<String>> {
    names.lock().unwrap_or_else(PoisonError::into_inner)
}

fn say(line: &str) {
    let mut output = std::io::stdout().lock();
    // Whoever listened is gone; the end of the input tells as well.
    let _ = writeln!(output, "{line}").and_then(|()| output.flush());
}
