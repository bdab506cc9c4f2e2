//! The command line of Quartett.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use quartett_api::{Application, Config, Parts, Resealed, demo, keys, logging, openapi};

const USAGE: &str = "\
Usage: quartett [COMMAND]

  serve            answer requests (the default)
  migrate          bring the database's schema up to date and stop
  keys             list the signing keys
  keys rotate      make a new key for access tokens; beside running instances as well
  keys rotate record   make a new key for the records of matches
  keys reseal      seal all private keys and seeds with SEAL_KEY_NEW instead of SEAL_KEY
  openapi [DIR]    write the API documents to DIR (default: openapi)
  demo             play a match of each game against a service of its own, and check it
  help             show this

Settings are read from the environment; see the README.
";

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        [] | ["serve"] => serve().await,
        ["migrate"] => migrate().await,
        ["keys"] => list_keys().await,
        ["keys", "rotate"] => rotate_key(false).await,
        ["keys", "rotate", "record"] => rotate_key(true).await,
        ["keys", "reseal"] => reseal().await,
        ["openapi"] => write_documents("openapi"),
        ["openapi", folder] => write_documents(folder),
        ["demo"] => demo::run(&mut std::io::stdout()).await.map_err(Into::into),
        ["help" | "--help" | "-h"] => say(USAGE),
        [..] => Err(USAGE.into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to do if even this cannot be written.
            let _ = writeln!(std::io::stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}

type Outcome = Result<(), Box<dyn std::error::Error>>;

async fn serve() -> Outcome {
    let config = Config::from_environment()?;
    logging::start(&config);
    let application = Application::build(config, Parts::real()).await?;
    let shutdown = application.shutdown();
    tokio::spawn(async move {
        shutdown.begin_on_signal().await;
    });
    let url = application.url();
    say(&format!(
        "listening on {url}\n  the API as a document: {url}/openapi.json\n  the API to read: {url}/docs\n"
    ))?;
    application.run().await?;
    Ok(())
}

async fn migrate() -> Outcome {
    let config = Config::from_environment()?;
    logging::start(&config);
    Application::migrate(&config).await?;
    say("the schema is up to date\n")
}

async fn list_keys() -> Outcome {
    let config = Config::from_environment()?;
    logging::start(&config);
    say(&keys::list(&config, &Parts::real()).await?)
}

async fn rotate_key(record: bool) -> Outcome {
    let config = Config::from_environment()?;
    logging::start(&config);
    let kid = keys::rotate(&config, &Parts::real(), record).await?;
    say(&format!("{kid} signs from now on\n"))
}

async fn reseal() -> Outcome {
    let config = Config::from_environment()?;
    logging::start(&config);
    let Resealed { keys, seeds } = keys::reseal(&config, &Parts::real()).await?;
    say(&format!(
        "sealed anew: {keys} keys and {seeds} seeds; from now on SEAL_KEY is what SEAL_KEY_NEW was\n"
    ))
}

fn write_documents(folder: &str) -> Outcome {
    let folder = PathBuf::from(folder);
    std::fs::create_dir_all(&folder)?;
    for (name, text) in openapi::files() {
        std::fs::write(folder.join(name), text)?;
    }
    Ok(())
}

fn say(text: &str) -> Outcome {
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(())
}
