//! Changes of a match that also touch other tables: one transaction that moves the head by compare-and-set,
//! writes its entries and its other rows.

use super::append::{self, Appended, Base};
use super::store;
use super::table::{Draft, NewEntry, Table};
use super::tables::{HeldTable, Unreadable, catch_up, freeze};
use crate::app::App;
use crate::db::Transaction;
use crate::http::{Code, Problem};
use crate::ids::MatchId;

/// A change under way. Dropping it undoes everything in the database; memory knows the match as it was before
/// until [`Change::commit`].
pub(crate) struct Change {
    held: HeldTable,
    pub(crate) table: Table,
    pub(crate) transaction: Transaction,
    pub(crate) entries: Vec<NewEntry>,
    base: Base,
    pub(crate) now: i64,
}

impl Change {
    /// Holds the match against every other writer and brings its table to the head; `None` if there is none.
    pub(crate) async fn begin(app: &App, id: MatchId) -> Result<Option<Self>, Problem> {
        let mut held = app.tables.hold(id).await?;
        let transaction = app.db.transaction().await?;
        let Some(head) = store::lock_head(&transaction, id).await? else {
            *held = None;
            app.tables.forget(id);
            transaction.rollback().await?;
            return Ok(None);
        };
        let table = match catch_up(app, &transaction, held.take(), id, &head).await {
            Ok(table) => table,
            Err(Unreadable::Lost) => {
                // The head is locked, and SQLite has only one writer: freezing comes after.
                transaction.rollback().await?;
                return Err(freeze(app, id).await?);
            }
            Err(Unreadable::Other(problem)) => return Err(problem),
        };
        // Whoever is refused must not make others read the log again.
        *held = Some(table.clone());
        Ok(Some(Self {
            base: Base::of(&table),
            held,
            table,
            transaction,
            entries: Vec::new(),
            now: app.now_millis(),
        }))
    }

    /// Adds an entry.
    pub(crate) fn record(&mut self, draft: Draft) -> Result<(), Problem> {
        let entry = self.table.record(draft, self.now)?;
        self.entries.push(entry);
        Ok(())
    }

    /// Lets the bots that are to move play.
    pub(crate) fn play_bots(&mut self) -> Result<(), Problem> {
        self.table.play_bots(&mut self.entries, self.now)
    }

    /// Stores everything, and gives the table back to the cache.
    pub(crate) async fn commit(self, app: &App) -> Result<HeldTable, Problem> {
        let Self {
            mut held,
            table,
            transaction,
            entries,
            base,
            now: _,
        } = self;
        match append::write(&transaction, &base, &table, &entries, None).await? {
            Appended::Stored => {}
            Appended::Conflict | Appended::KeyUsed => {
                return Err(Problem::internal("the head moved under its lock"));
            }
        }
        transaction.commit().await?;
        app.failpoints.hit("after_change_commit").await;
        app.hub.committed(&table);
        *held = Some(table);
        Ok(held)
    }

    /// Stores what was written beside a match whose log did not change; the next one reads its table anew.
    pub(crate) async fn commit_beside(self, app: &App) -> Result<(), Problem> {
        let Self {
            mut held,
            transaction,
            ..
        } = self;
        *held = None;
        transaction.commit().await?;
        app.failpoints.hit("after_change_commit").await;
        Ok(())
    }

    /// Stores nothing: the match is as it was.
    pub(crate) async fn leave(self) -> Result<HeldTable, Problem> {
        let Self {
            held, transaction, ..
        } = self;
        transaction.rollback().await?;
        Ok(held)
    }
}

/// The table in a place that was just filled.
pub(crate) fn filled(held: &mut HeldTable) -> Result<&mut Table, Problem> {
    held.as_mut().ok_or_else(|| Problem::new(Code::Unavailable))
}
