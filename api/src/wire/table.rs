//! What lies on the table, per game.

use quartett_engine::card::GroupSet;
use quartett_engine::view::{Hand, PlaceView, Stack, TableView};
use quartett_engine::{Card, Deck, Seats};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::card_shapes::{Pile, TableCard};
use super::event_writing::{count, numbers};
use super::keyed_union::keyed_union;

/// The groups a seat has laid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct SeatQuartets {
    /// The seat.
    #[schema(maximum = 5)]
    seat: u8,
    /// Its groups, in deck order.
    #[schema(max_items = 16)]
    groups: Vec<String>,
}

/// A stack: its size, and as much of it as the viewer may see.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct SeatStack {
    /// Whose.
    #[schema(maximum = 5)]
    seat: u8,
    /// How many cards.
    #[schema(maximum = 64)]
    size: u8,
    /// The number of its top card, if the viewer may see it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(examples("W07"))]
    top: Option<String>,
    /// All its cards, the top first, once the match has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_items = 64)]
    cards: Option<Vec<String>>,
}

/// A duel that must be fought now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct PendingDuel {
    /// The seat that must fight.
    #[schema(maximum = 5)]
    asker_seat: u8,
    /// The seat that holds the card.
    #[schema(maximum = 5)]
    asked_seat: u8,
    /// The number of the card asked for.
    #[schema(examples("W07"))]
    card: String,
}

/// Whether a place of the table is closed, open or taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PlaceState {
    /// A closed card lies there.
    Closed,
    /// An open card lies there.
    Open,
    /// Its pair was taken.
    Taken,
}

/// A place of the Pairs table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct TablePlace {
    /// Its number, from 1.
    #[schema(minimum = 1, maximum = 128)]
    place: u8,
    /// What lies there.
    state: PlaceState,
    /// The open card.
    #[serde(skip_serializing_if = "Option::is_none")]
    card: Option<TableCard>,
}

/// The pairs a seat has taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct SeatPairs {
    /// The seat.
    #[schema(maximum = 5)]
    seat: u8,
    /// The numbers of its pairs, in the order of taking.
    #[schema(max_items = 64)]
    numbers: Vec<String>,
}

/// An earlier flip that the viewer is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct RecentFlip {
    /// Who flipped.
    #[schema(maximum = 5)]
    seat: u8,
    /// Where, from 1.
    #[schema(minimum = 1, maximum = 128)]
    place: u8,
    /// What was seen.
    card: TableCard,
}

/// A pending playoff.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Playoff {
    /// The seats that play it.
    #[schema(max_items = 4)]
    seats: Vec<u8>,
}

/// The table of `duel_quartett`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct DuelQuartettTable {
    /// Every hand; the cards of one's own.
    #[schema(max_items = 6)]
    hands: Vec<Pile>,
    /// The laid groups of every seat.
    #[schema(max_items = 6)]
    quartets: Vec<SeatQuartets>,
    /// The duel that must be fought now.
    #[serde(skip_serializing_if = "Option::is_none")]
    duel: Option<PendingDuel>,
    /// Asks left before the stall limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    asks_left: Option<u32>,
}

/// The table of `supertrump`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct SupertrumpTable {
    /// Every stack; the active seat's top card lies open.
    #[schema(max_items = 6)]
    stacks: Vec<SeatStack>,
    /// The numbers of the cards between the players, the oldest first.
    #[schema(max_items = 64)]
    centre: Vec<String>,
    /// Whether the choice is made before anyone sees the next card.
    blind: bool,
    /// Rounds left.
    #[serde(skip_serializing_if = "Option::is_none")]
    rounds_left: Option<u32>,
    /// How many cards were set aside.
    #[schema(maximum = 64)]
    aside_size: u8,
    /// Their numbers, once the match has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_items = 64)]
    aside: Option<Vec<String>>,
}

/// The table of `pairs`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct PairsTable {
    /// Every place, from 1; none before the deal.
    #[schema(max_items = 128)]
    places: Vec<TablePlace>,
    /// The pairs of every seat.
    #[schema(max_items = 6)]
    pairs: Vec<SeatPairs>,
    /// Earlier flips that the viewer is shown, the oldest first; older ones stand in the history.
    #[schema(max_items = 256)]
    recent_flips: Vec<RecentFlip>,
    /// Misses of known places left before the idle limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    misses_left: Option<u32>,
}

/// The table of `vdb_supertrumpf`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct VdbSupertrumpfTable {
    /// Every stack; each seat sees its own top card.
    #[schema(max_items = 4)]
    stacks: Vec<SeatStack>,
    /// The numbers of the cards between the players, the oldest first.
    #[schema(max_items = 64)]
    centre: Vec<String>,
    /// The seat that opened this round.
    #[schema(maximum = 3)]
    opener: u8,
    /// The pending playoff.
    #[serde(skip_serializing_if = "Option::is_none")]
    playoff: Option<Playoff>,
    /// Rounds left.
    #[serde(skip_serializing_if = "Option::is_none")]
    rounds_left: Option<u32>,
}

/// The table of `vdb_quartett`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct VdbQuartettTable {
    /// Every hand; the cards of one's own.
    #[schema(max_items = 4)]
    hands: Vec<Pile>,
    /// The laid groups of every seat.
    #[schema(max_items = 4)]
    quartets: Vec<SeatQuartets>,
    /// Whether hopeless asks are refused.
    guard_on: bool,
    /// Misses in a row until the guard switches on.
    #[serde(skip_serializing_if = "Option::is_none")]
    misses_to_guard: Option<u32>,
    /// Asks until the guard switches on at the next miss.
    #[serde(skip_serializing_if = "Option::is_none")]
    asks_to_guard: Option<u32>,
}

keyed_union! {
    /// What lies on the table, per game. What the viewer may not see is left out.
    pub(crate) enum GameTable read as KeyedGameTable {
        /// The table of `duel_quartett`.
        duel_quartett => DuelQuartett(DuelQuartettTable),
        /// The table of `supertrump`.
        supertrump => Supertrump(SupertrumpTable),
        /// The table of `pairs`.
        pairs => Pairs(PairsTable),
        /// The table of `vdb_supertrumpf`.
        vdb_supertrumpf => VdbSupertrumpf(VdbSupertrumpfTable),
        /// The table of `vdb_quartett`.
        vdb_quartett => VdbQuartett(VdbQuartettTable),
    }
}

impl GameTable {
    /// The table in the names of `deck`.
    pub(crate) fn of(table: &TableView, deck: &Deck) -> Self {
        match table {
            TableView::DuelQuartett {
                hands,
                quartets,
                duel,
                asks_left,
            } => Self::DuelQuartett(DuelQuartettTable {
                hands: of_hands(hands, deck),
                quartets: of_quartets(quartets, deck),
                duel: duel.map(|duel| PendingDuel {
                    asker_seat: duel.asker.0,
                    asked_seat: duel.asked.0,
                    card: deck.number(duel.card).to_owned(),
                }),
                asks_left: *asks_left,
            }),
            TableView::Supertrump {
                stacks,
                centre,
                blind,
                rounds_left,
                aside,
            } => Self::Supertrump(SupertrumpTable {
                stacks: of_stacks(stacks, deck),
                centre: of_cards(centre, deck),
                blind: *blind,
                rounds_left: *rounds_left,
                aside_size: count(aside.count()),
                aside: numbers(aside, deck),
            }),
            TableView::Pairs {
                places,
                pairs,
                recent_flips,
                misses_left,
            } => {
                let recent_flips = recent_flips.iter().map(|flip| RecentFlip {
                    seat: flip.seat.0,
                    place: flip.place,
                    card: TableCard::of(flip.card, deck),
                });
                let pairs = pairs.iter().map(|(seat, cards)| SeatPairs {
                    seat: seat.0,
                    numbers: of_cards(cards, deck),
                });
                Self::Pairs(PairsTable {
                    places: (1..)
                        .zip(places)
                        .map(|(place, seen)| of_place(place, *seen, deck))
                        .collect(),
                    pairs: pairs.collect(),
                    recent_flips: recent_flips.collect(),
                    misses_left: *misses_left,
                })
            }
            TableView::VdbSupertrumpf {
                stacks,
                centre,
                opener,
                playoff,
                rounds_left,
            } => Self::VdbSupertrumpf(VdbSupertrumpfTable {
                stacks: of_stacks(stacks, deck),
                centre: of_cards(centre, deck),
                opener: opener.0,
                playoff: playoff.map(|seats| Playoff {
                    seats: seats.iter().map(|seat| seat.0).collect(),
                }),
                rounds_left: *rounds_left,
            }),
            TableView::VdbQuartett {
                hands,
                quartets,
                guard_on,
                misses_to_guard,
                asks_to_guard,
            } => Self::VdbQuartett(VdbQuartettTable {
                hands: of_hands(hands, deck),
                quartets: of_quartets(quartets, deck),
                guard_on: *guard_on,
                misses_to_guard: *misses_to_guard,
                asks_to_guard: *asks_to_guard,
            }),
        }
    }
}

fn of_cards(cards: &[Card], deck: &Deck) -> Vec<String> {
    cards.iter().map(|card| deck.number(*card).to_owned()).collect()
}

fn of_hands(hands: &Seats<Hand>, deck: &Deck) -> Vec<Pile> {
    let hands = hands.iter().map(|(seat, hand)| Pile {
        seat: seat.0,
        size: count(hand.size()),
        cards: match hand {
            Hand::Own(cards) => Some(cards.iter().map(|card| deck.number(card).to_owned()).collect()),
            Hand::Size(_) => None,
        },
    });
    hands.collect()
}

fn of_quartets(quartets: &Seats<GroupSet>, deck: &Deck) -> Vec<SeatQuartets> {
    let quartets = quartets.iter().map(|(seat, groups)| SeatQuartets {
        seat: seat.0,
        groups: groups
            .iter()
            .map(|group| deck.group_id(group).to_owned())
            .collect(),
    });
    quartets.collect()
}

fn of_stacks(stacks: &Seats<Stack>, deck: &Deck) -> Vec<SeatStack> {
    let stacks = stacks.iter().map(|(seat, stack)| {
        let seat = seat.0;
        match stack {
            Stack::Closed(size) => SeatStack {
                seat,
                size: *size,
                top: None,
                cards: None,
            },
            Stack::Top(size, top) => SeatStack {
                seat,
                size: *size,
                top: Some(deck.number(*top).to_owned()),
                cards: None,
            },
            Stack::Open(cards) => SeatStack {
                seat,
                size: count(cards.len()),
                top: cards.first().map(|top| deck.number(*top).to_owned()),
                cards: Some(of_cards(cards, deck)),
            },
        }
    });
    stacks.collect()
}

fn of_place(place: u8, seen: PlaceView, deck: &Deck) -> TablePlace {
    let (state, card) = match seen {
        PlaceView::Closed => (PlaceState::Closed, None),
        PlaceView::Open(card) => (PlaceState::Open, Some(TableCard::of(card, deck))),
        PlaceView::Taken => (PlaceState::Taken, None),
    };
    TablePlace { place, state, card }
}
