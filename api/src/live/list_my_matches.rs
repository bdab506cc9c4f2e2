//! The caller's matches.

use std::collections::HashMap;

use actix_web::{HttpRequest, HttpResponse, get, web};
use quartett_engine::Status;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::listening::Listening;
use super::player_news::PlayerNews;
use super::store::{self, MyMatchRow, SeatRow, Wanted, counted};
use crate::accounts::Caller;
use crate::app::App;
use crate::http::{Etag, Limit, Problem, RawQuery, Timestamp, Wait, cursor, position, tagged};
use crate::ids::{MatchId, PlayerId};
use crate::lobby::BOT_LEVELS;
use crate::play::phase_numbered;
use crate::wire::{
    BotLevelName, GameEvent, GameSetup, MatchResult, Payload, PhaseName, PlayerName, SeatKind, StatusName,
    TurnView,
};

/// Which matches.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ListMyMatches {
    /// Only matches that stand so.
    #[param(inline)]
    status: Option<StatusName>,
    /// Only matches in which it is so: `mine` means that the caller is to move.
    #[param(inline)]
    turn: Option<WhoseTurn>,
    /// Where to go on: the `next_cursor` of the page before.
    #[param(max_length = 512)]
    cursor: Option<String>,
    /// How many matches to give at most.
    #[serde(default)]
    #[param(value_type = Option<i32>, minimum = 1, maximum = 100, default = 20)]
    limit: Limit,
    /// How many seconds to wait for a change, if the caller says in `If-None-Match` what it has.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 0, maximum = 25, default = 0)]
    wait: Wait,
}

/// Whose turn it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum WhoseTurn {
    /// The caller's.
    Mine,
}

/// Somebody else at the table.
#[derive(Debug, Serialize, ToSchema)]
struct Opponent {
    /// The seat.
    #[schema(maximum = 5)]
    seat: u8,
    /// Who holds it.
    kind: SeatKind,
    /// The player, if one holds it and was not erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    player: Option<PlayerName>,
    /// `true` if the player was erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    erased: Option<bool>,
    /// How the bot plays, if a bot holds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    bot_level: Option<BotLevelName>,
}

/// A match of the caller's, in short.
#[derive(Debug, Serialize, ToSchema)]
struct MatchSummary {
    /// The match.
    match_id: MatchId,
    /// The number of its last entry.
    version: u64,
    /// The game with every option.
    game: GameSetup,
    /// The caller's seat.
    #[schema(maximum = 5)]
    my_seat: u8,
    /// Who holds the other seats; free ones are not among them.
    #[schema(max_items = 5)]
    opponents: Vec<Opponent>,
    /// Where it stands.
    status: StatusName,
    /// Which player is waited for, if one is.
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<TurnView>,
    /// Whether that is the caller.
    my_turn: bool,
    /// When that player's time is up.
    #[serde(skip_serializing_if = "Option::is_none")]
    deadline_at: Option<Timestamp>,
    /// The result, after the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<MatchResult>,
    /// When its last entry was accepted.
    updated_at: Timestamp,
}

/// Matches of the caller's.
#[derive(Debug, Serialize, ToSchema)]
struct MyMatches {
    /// The matches, the newest first.
    #[schema(max_items = 100)]
    items: Vec<MatchSummary>,
    /// In how many matches the caller is to move, listed here or not.
    #[schema(minimum = 0)]
    my_turn_count: i64,
    /// Where the next page begins; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// List the caller's matches
///
/// The matches in which the caller has a seat, the newest first: whose turn it is, until when, and how those ended
/// that are over. Send the entity tag back to learn cheaply that nothing has changed; with `wait` the answer then
/// comes as soon as something changes, or 304 when the time is over; a wait ends with 401 when the session is revoked
/// or the token expires.
#[utoipa::path(
    operation_id = "listMyMatches",
    tag = "live",
    params(
        ("If-None-Match" = Option<String>, Header, description = "The tag of the list the caller has.",
         max_length = 200),
        ListMyMatches,
    ),
    responses(
        (status = 200, description = "A page of the matches.", body = MyMatches,
         headers(("ETag" = String, description = "Names exactly this answer."))),
        (status = 304, description = "The caller has this answer."),
    ),
)]
#[get("/me/matches")]
pub(super) async fn list_my_matches(
    app: web::Data<App>,
    caller: Caller,
    query: RawQuery,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let ListMyMatches {
        status,
        turn,
        cursor,
        limit,
        wait,
    } = query.parse()?;
    let wanted = Wanted {
        player: caller.player_id,
        status: status.map(|status| status.0),
        is_my_turn: turn == Some(WhoseTurn::Mine),
        behind: cursor.as_deref().map(position).transpose()?,
        rows: i64::from(limit.0) + 1,
    };
    let until = app.now_millis() + wait.millis();
    // Watched before it is read: what changes in between is told.
    let mut waiting = if wait.0 > 0 {
        let listening = Listening::begin(&app, caller)?;
        Some((listening, app.hub.watch_player(&app, caller.player_id).await?))
    } else {
        None
    };
    loop {
        let told = waiting.as_ref().map(|(_, watch)| watch.newest(PlayerNews::told));
        let matches = my_matches(&app, wanted).await?;
        let etag = etag(caller.player_id, &matches)?;
        let nothing_new = waiting.as_mut().zip(told).filter(|_| etag.is_known_to(&request));
        let Some(((listening, watch), told)) = nothing_new else {
            return Ok(tagged(&request, &etag, &matches));
        };
        let news = watch.wait_for(|news| news.told() > told);
        if !listening.wait_for(news, until).await? {
            return Ok(etag.not_modified());
        }
    }
}

/// Over everything that is shown, and to whom.
fn etag(player: PlayerId, matches: &MyMatches) -> Result<Etag, Problem> {
    let shown = serde_json::to_vec(matches).map_err(Problem::internal)?;
    Ok(Etag::over([player.as_uuid().as_bytes().as_slice(), &shown]))
}

async fn my_matches(app: &App, wanted: Wanted) -> Result<MyMatches, Problem> {
    let connection = app.db.read();
    let mut rows = store::my_matches(connection, wanted).await?;
    let has_more = i64::try_from(rows.len()).is_ok_and(|read| read >= wanted.rows);
    if has_more {
        rows.pop();
    }
    let next_cursor = rows
        .last()
        .filter(|_| has_more)
        .map(|last| cursor(&last.match_id))
        .transpose()?;
    let mut seats: HashMap<Uuid, Vec<SeatRow>> = HashMap::new();
    for row in store::seats(connection, &rows).await? {
        seats.entry(row.match_id).or_default().push(row);
    }
    let my_turn_count = match rows.first() {
        Some(row) => row.my_turn_count,
        None => store::my_turn_count(connection, wanted.player).await?,
    };
    let items = rows.into_iter().map(|row| {
        let seats = seats.remove(&row.match_id).unwrap_or_default();
        summary(row, seats)
    });
    Ok(MyMatches {
        items: items.collect::<Result<_, _>>()?,
        my_turn_count,
        next_cursor,
    })
}

fn summary(row: MyMatchRow, seats: Vec<SeatRow>) -> Result<MatchSummary, Problem> {
    let match_id = MatchId::from(row.match_id);
    let status = row.status();
    let payload = Payload::read(&row.payload).map_err(Problem::internal)?;
    let Some(GameEvent::Created(created)) = payload.events.into_iter().next() else {
        return Err(Problem::internal(format!(
            "match {match_id} does not begin with its creation"
        )));
    };
    let turn = row.turn.filter(|_| status == Status::Active);
    let deadline_at = turn.and(row.deadline_at).map(Timestamp);
    let others = seats.into_iter().filter(|other| other.seat != row.seat);
    Ok(MatchSummary {
        match_id,
        version: counted(row.version),
        game: created.game,
        my_seat: seat(row.seat)?,
        opponents: others.map(opponent).collect::<Result<_, _>>()?,
        status: StatusName(status),
        turn: turn
            .zip(row.phase.and_then(phase_numbered))
            .map(|(turn, phase)| {
                Ok::<_, Problem>(TurnView {
                    seat: seat(turn)?,
                    phase: PhaseName(phase),
                    deadline_at,
                })
            })
            .transpose()?,
        my_turn: turn == Some(row.seat),
        deadline_at,
        result: row
            .result
            .map(|text| serde_json::from_str(&text))
            .transpose()
            .map_err(Problem::internal)?,
        updated_at: Timestamp(row.updated_at),
    })
}

fn opponent(row: SeatRow) -> Result<Opponent, Problem> {
    let is_bot = row.bot_level.is_some();
    let level = row.bot_level.and_then(|number| usize::try_from(number).ok());
    let player = row
        .player_id
        .zip(row.display_name)
        .map(|(id, display_name)| PlayerName {
            player_id: PlayerId::from(id),
            display_name,
        });
    Ok(Opponent {
        seat: seat(row.seat)?,
        kind: if is_bot { SeatKind::Bot } else { SeatKind::Player },
        erased: (!is_bot && player.is_none()).then_some(true),
        player,
        bot_level: level
            .and_then(|number| BOT_LEVELS.get(number))
            .map(|level| BotLevelName(*level)),
    })
}

/// A seat as the database counts.
fn seat(number: i16) -> Result<u8, Problem> {
    u8::try_from(number).map_err(Problem::internal)
}
