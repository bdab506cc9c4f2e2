//! A part of a match's log, as a player may see it now: the same for pages, long polls and streams.

use crate::app::App;
use crate::http::{Code, Problem};
use crate::ids::{MatchId, PlayerId};
use crate::play::show::{self, Onlooker};
use crate::play::{HeldTable, Recorded, filled, number, read, refresh, store};
use crate::wire::LogEntry;

/// Entries that follow each other.
pub(crate) struct Part {
    /// The version of the match: its last entry, in this part or after it.
    pub(crate) version: u64,
    /// The version of the last entry in this part, or the one it was to begin after.
    pub(crate) last: u64,
    pub(crate) entries: Vec<LogEntry>,
}

/// Holds a match at its head, if the player may know of it.
pub(crate) async fn hold(app: &App, id: MatchId, player: PlayerId) -> Result<HeldTable, Problem> {
    let mut held = app.tables.hold(id).await?;
    let table = refresh(app, &mut held, id)
        .await?
        .ok_or_else(Problem::not_found)?;
    table.must_be_visible_to(app.db.read(), player).await?;
    Ok(held)
}

/// The entries after the version `after`, at most `limit`.
///
/// # Errors
///
/// `version_ahead` if the match has no such version.
pub(crate) async fn part(
    app: &App,
    held: &mut HeldTable,
    player: PlayerId,
    after: u64,
    limit: u32,
) -> Result<Part, Problem> {
    let table = filled(held)?;
    let version = table.version();
    if after > version {
        return Err(Problem::new(Code::VersionAhead).current_version(number(version)));
    }
    if after == version {
        return Ok(Part {
            version,
            last: after,
            entries: Vec::new(),
        });
    }
    let onlooker = Onlooker::of(table, player, app.planted_leak);
    let rows = store::entries(
        app.db.read(),
        table.id,
        number(after),
        number(version),
        i64::from(limit),
    )
    .await?;
    let recorded: Vec<Recorded> = rows
        .iter()
        .map(|row| read(row, table.id, table.deck()))
        .collect::<Result<_, _>>()?;
    Ok(Part {
        version,
        last: recorded.last().map_or(after, |last| last.version),
        entries: show::entries(table, &onlooker, &recorded),
    })
}
