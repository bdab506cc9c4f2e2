//! Listing the decks.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, get, web};
use quartett_engine::deck::built_in;
use quartett_engine::{Deck, GameKind};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::deck_hash::DeckHash;
use crate::app::App;
use crate::http::{Code, Etag, Limit, Problem, RawQuery, Text, cursor, position, tagged};
use crate::wire::GameName;

/// Which part of the list.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct DeckListQuery {
    /// Where to go on: the `next_cursor` of the list before.
    #[param(max_length = 512)]
    cursor: Option<String>,
    /// How many decks at most; 20 if nothing is said.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20, example = 20)]
    limit: Limit,
}

/// Decks, without their cards.
#[derive(Serialize, ToSchema)]
pub(super) struct DeckList {
    /// The decks.
    #[schema(max_items = 100)]
    items: Vec<DeckSummary>,
    /// Where the list goes on; absent at its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 512, examples("ImRlbW8i"))]
    next_cursor: Option<String>,
}

/// A deck in short.
#[derive(Serialize, ToSchema)]
pub(super) struct DeckSummary {
    /// Its id.
    #[schema(max_length = 32, examples("demo"))]
    deck_id: String,
    /// Names exactly the content it has now.
    hash: DeckHash,
    /// Its title.
    title: Text,
    /// What it shows, and how far its figures can be trusted.
    description: Text,
    /// How many cards it has, without plan cards.
    #[schema(minimum = 1, maximum = 64, examples(16))]
    card_count: u8,
    /// How many groups it has.
    #[schema(minimum = 0, maximum = 16, examples(4))]
    group_count: u8,
    /// How many attributes it has.
    #[schema(minimum = 0, maximum = 12, examples(4))]
    attribute_count: u8,
    /// The games it fits.
    #[schema(max_items = 16)]
    games: Vec<FittingGame>,
}

/// A game that a deck fits.
#[derive(Serialize, ToSchema)]
pub(super) struct FittingGame {
    /// The game.
    game: GameName,
    /// The fewest seats it can be played with.
    #[schema(minimum = 1, maximum = 8, examples(2))]
    seats_min: u8,
    /// The most seats it can be played with, so that each gets a card of this deck.
    #[schema(minimum = 1, maximum = 8, examples(6))]
    seats_max: u8,
}

impl From<&Deck> for DeckSummary {
    fn from(deck: &Deck) -> Self {
        let document = deck.document();
        Self {
            deck_id: document.deck_id.clone(),
            hash: DeckHash(*deck.hash()),
            title: (&document.title).into(),
            description: (&document.description).into(),
            card_count: count(document.cards.len()),
            group_count: count(document.groups.len()),
            attribute_count: count(document.attributes.len()),
            games: GameKind::ALL
                .into_iter()
                .filter_map(|game| fitting(deck, game))
                .collect(),
        }
    }
}

/// As many as a deck can have fit a byte.
fn count(size: usize) -> u8 {
    u8::try_from(size).unwrap_or(u8::MAX)
}

/// The game, if the deck fits it and is large enough: every seat gets at least one card.
fn fitting(deck: &Deck, game: GameKind) -> Option<FittingGame> {
    deck.fits(game).ok()?;
    let seats = game.seats();
    let cards = count(deck.size());
    let seats_max = if game == GameKind::Pairs {
        *seats.end()
    } else {
        cards.min(*seats.end())
    };
    (seats_max >= *seats.start()).then_some(FittingGame {
        game: GameName(game),
        seats_min: *seats.start(),
        seats_max,
    })
}

/// List the decks
///
/// The decks that a new match can be played with, each with the games it fits.
#[utoipa::path(
    operation_id = "listDecks",
    tag = "lobby",
    security(()),
    params(DeckListQuery),
    responses((status = 200, description = "The decks.", body = DeckList, example = json!(example()))),
)]
#[get("/decks")]
pub(super) async fn list_decks(
    app: web::Data<App>,
    request: HttpRequest,
    query: RawQuery,
) -> Result<HttpResponse, Problem> {
    let DeckListQuery {
        cursor: after,
        limit: Limit(limit),
    } = query.parse()?;
    let offered = app.decks.offered();
    let first = after.map_or(Ok(0), |after| place_behind(offered, &after))?;
    let most = usize::try_from(limit).map_err(Problem::internal)?;
    let page: Vec<&Arc<Deck>> = offered.iter().skip(first).take(most).collect();
    let list = DeckList {
        next_cursor: match page.last() {
            Some(last) if first + page.len() < offered.len() => Some(cursor(&last.document().deck_id)?),
            Some(_) | None => None,
        },
        items: page.into_iter().map(|deck| DeckSummary::from(&**deck)).collect(),
    };
    let body = serde_json::to_vec(&list).map_err(Problem::internal)?;
    Ok(tagged(&request, &Etag::over([body.as_slice()]), &list))
}

/// Where the list goes on behind the deck that a cursor names.
fn place_behind(offered: &[Arc<Deck>], after: &str) -> Result<usize, Problem> {
    let last: String = position(after)?;
    let place = offered.iter().position(|deck| deck.document().deck_id == last);
    // A deck that is no longer offered is no place in this list.
    place.map(|place| place + 1).ok_or_else(|| {
        Problem::new(Code::InvalidCursor).at("/cursor", "invalid_value", "not a place in this list")
    })
}

/// The first page, cut down to one deck.
fn example() -> DeckList {
    DeckList {
        items: built_in()
            .iter()
            .take(1)
            .map(|deck| DeckSummary::from(&**deck))
            .collect(),
        next_cursor: None,
    }
}

#[cfg(test)]
mod tests {
    use super::DeckSummary;
    use quartett_engine::Deck;
    use quartett_engine::deck::built_in;
    use serde_json::{Value, json};

    fn games(deck: &Deck) -> Vec<Value> {
        let summary = serde_json::to_value(DeckSummary::from(deck)).unwrap();
        summary["games"].as_array().unwrap().clone()
    }

    #[test]
    fn a_deck_is_offered_for_what_it_fits() {
        let fits = |deck: &Deck| -> Vec<String> {
            games(deck)
                .iter()
                .map(|game| game["game"].as_str().unwrap().to_owned())
                .collect()
        };
        let all = [
            "duel_quartett",
            "supertrump",
            "pairs",
            "vdb_supertrumpf",
            "vdb_quartett",
        ];
        assert_eq!(fits(&built_in()[0]), all);
        let without_plans: Vec<&str> = all.into_iter().filter(|game| *game != "pairs").collect();
        assert_eq!(fits(&built_in()[1]), without_plans);
        assert_eq!(
            games(&built_in()[0])[3],
            json!({"game": "vdb_supertrumpf", "seats_min": 2, "seats_max": 4})
        );
    }

    #[test]
    fn every_seat_gets_a_card() {
        let mut document = built_in()[2].document().clone();
        document.cards.truncate(3);
        document.groups.truncate(1);
        document.groups[0].cards.truncate(3);
        let three = Deck::new(document.clone()).unwrap();
        assert_eq!(
            games(&three),
            [
                json!({"game": "supertrump", "seats_min": 2, "seats_max": 3}),
                json!({"game": "pairs", "seats_min": 2, "seats_max": 6}),
                json!({"game": "vdb_supertrumpf", "seats_min": 2, "seats_max": 3}),
            ]
        );
        document.cards.truncate(1);
        document.groups[0].cards.truncate(1);
        let one = Deck::new(document).unwrap();
        assert_eq!(
            games(&one),
            [json!({"game": "pairs", "seats_min": 2, "seats_max": 6})]
        );
    }
}
