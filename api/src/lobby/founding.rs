//! Making a match: its terms, who sits where from the beginning, its first entry and its rows.

use std::sync::Arc;

use quartett_engine::{BotLevel, Deck, Holder, Match, Seat, Seed, Terms};

use super::invite_code::InviteCode;
use super::store::{self, NewMatch};
use super::{INVITE_GOOD_FOR_MILLIS, seating, waiting_millis};
use crate::app::App;
use crate::db::{Transaction, violates};
use crate::http::{Code, Problem};
use crate::ids::{MatchId, PlayerId};
use crate::play::{Draft, Intent, Invitation, NewEntry, Table, insert, play_on_behind, wake_at};
use crate::wire::{By, Visibility};

/// Who sits at a place from the beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Nobody yet.
    Open,
    /// A player, with the answer to the opening question.
    Player(PlayerId, Option<i64>),
    /// A bot.
    Bot(BotLevel),
}

/// Everything a new match is made of.
pub(super) struct Founding<'a> {
    pub(super) terms: Terms,
    pub(super) deck: Arc<Deck>,
    pub(super) seed: Seed,
    /// One per seat.
    pub(super) places: Vec<Place>,
    /// Who makes it: a player, or the service for several.
    pub(super) by: By,
    pub(super) seat: Option<Seat>,
    pub(super) visibility: Visibility,
    pub(super) auto_start: bool,
    /// One creator's intent makes one match.
    pub(super) creator: PlayerId,
    pub(super) intent: &'a Intent,
    pub(super) rematch_of: Option<MatchId>,
}

/// Why nothing was stored.
pub(super) enum Refused {
    /// The creator's intent made a match before.
    MadeBefore,
    /// The match has a rematch already.
    RematchMade,
    /// Anything else.
    Other(Problem),
}

impl<E: Into<Problem>> From<E> for Refused {
    fn from(error: E) -> Self {
        Self::Other(error.into())
    }
}

/// Stores a new match, started if it is full. The transaction is the caller's to commit; then comes
/// [`founded`].
pub(super) async fn found(
    app: &App,
    transaction: &Transaction,
    id: MatchId,
    founding: Founding<'_>,
) -> Result<Table, Refused> {
    let Founding {
        terms,
        deck,
        seed,
        places,
        by,
        seat,
        visibility,
        auto_start,
        creator,
        intent,
        rematch_of,
    } = founding;
    let now = app.now_millis();
    let invite_code = match visibility {
        Visibility::Open => None,
        Visibility::Invite => Some(InviteCode::draw(app).as_str().to_owned()),
    };
    let invite_expires_at = invite_code.as_ref().map(|_| now + INVITE_GOOD_FOR_MILLIS);
    let invitation = Invitation {
        visibility,
        invite_code,
    };
    let holders: Vec<Option<Holder>> = places.iter().map(|place| place.holder()).collect();
    let events = Match::creation(terms.clone(), &holders);
    let mut table = Table::new(id, terms, deck, seed, invitation);
    let first = Draft {
        by,
        seat,
        action: None,
        events,
    };
    let mut entries: Vec<NewEntry> = vec![table.record(first, now)?];
    for (place, seat) in places.iter().zip((0..).map(Seat)) {
        take(transaction, &mut table, seat, *place, now).await?;
    }
    if table.is_full() && auto_start {
        seating::start_table(app, &mut table, transaction, &mut entries, now, By::Service, None).await?;
    } else {
        wake_at(transaction, id, now + waiting_millis(app)).await?;
    }
    let id_bytes = id.as_uuid();
    let new = NewMatch {
        table: &table,
        creator,
        intent,
        invite_expires_at,
        sealed_seed: app
            .seal
            .seal(&*app.randomness, "match_secrets", id_bytes.as_bytes(), &seed.0),
        auto_start,
        rematch_of,
    };
    store::insert_match(transaction, &new).await.map_err(|error| {
        if violates(&error, "match_setups_creator_key", "match_setups.create_key") {
            Refused::MadeBefore
        } else if violates(&error, "match_setups_rematch_of_key", "match_setups.rematch_of") {
            Refused::RematchMade
        } else {
            Refused::Other(error.into())
        }
    })?;
    insert(transaction, id, &entries, None).await?;
    Ok(table)
}

impl Place {
    const fn holder(self) -> Option<Holder> {
        match self {
            Self::Open => None,
            Self::Player(..) => Some(Holder::Player),
            Self::Bot(level) => Some(Holder::Bot(level)),
        }
    }
}

/// Writes down who sits at a place.
async fn take(
    transaction: &Transaction,
    table: &mut Table,
    seat: Seat,
    place: Place,
    now: i64,
) -> Result<(), Problem> {
    match place {
        Place::Open => {}
        Place::Player(player, opening_answer) => {
            let seated = store::seated_player(transaction, player).await?;
            // Erased at this very moment: the next try knows it beforehand.
            let seated = seated.ok_or(Code::Unavailable)?;
            store::insert_player_seat(transaction, table.id, seat, player, opening_answer, now).await?;
            if let Some(holder) = table.players.get_mut(seat) {
                *holder = Some(seated);
            }
        }
        Place::Bot(level) => store::insert_bot_seat(transaction, table.id, seat, level, now).await?,
    }
    Ok(())
}

/// Commits what [`found`] wrote.
pub(super) async fn commit(transaction: Transaction) -> Result<(), Problem> {
    use crate::db::Failure;
    transaction
        .commit()
        .await
        .map_err(|error| match Failure::of(&error) {
            Failure::Unknown => Problem::new(Code::OutcomeUnknown).cause(error),
            Failure::RolledBack | Failure::Deterministic | Failure::Unavailable => error.into(),
        })
}

/// Tells of a match that was committed, and remembers it.
pub(super) async fn founded(app: &App, table: Table) {
    app.failpoints.hit("after_change_commit").await;
    app.hub.committed(&table);
    play_on_behind(app, &table);
    let id = table.id;
    // Not remembered, it is read from the log by the next who asks.
    if let Ok(mut held) = app.tables.hold(id).await {
        *held = Some(table);
    }
}
