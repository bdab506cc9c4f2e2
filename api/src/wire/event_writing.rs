//! The engine's events in the words of the wire.

use quartett_engine::card::TableCard as EngineTableCard;
use quartett_engine::{
    Attribute, Board, Cards, Deal, Deck, Event, Face, Holder, Seat, SeatCard as EngineSeatCard, Seats,
    Standing, Terms, notation,
};

use super::Hex32;
use super::card_shapes::{Pile, SeatCard, ShownCard, TableCard};
use super::event::{
    AskAnsweredEvent, CancelledEvent, CardAskedEvent, CardFlippedEvent, CardGivenEvent, CardsClosedEvent,
    CardsShownEvent, CardsTakenEvent, CreatedEvent, DealtEvent, DuelFoughtEvent, EndedEvent, GameEvent,
    HolderKind, LimitReachedEvent, NotedEvent, PairTakenEvent, QuartetLaidEvent, RoundTiedEvent, SeatEvent,
    SeatTakenEvent, StartedEvent, TurnBegunEvent,
};
use super::match_view::{DeckRef, SeatStanding};
use super::names::{
    BotLevelName, CancelReasonName, DeadlinePolicyName, EndReasonName, LimitName, PhaseName, SideName,
    StarterName,
};
use super::setup::GameSetup;

/// An event as an answer carries it.
pub(crate) fn noted(event: &Event, deck: &Deck) -> NotedEvent {
    NotedEvent {
        notation: notation::line(event, deck).to_string(),
        event: GameEvent::of(event, deck),
    }
}

impl GameEvent {
    /// The event in the names of `deck`; what it does not show is left out.
    pub(crate) fn of(event: &Event, deck: &Deck) -> Self {
        let number = |card| deck.number(card).to_owned();
        let of_seat = |seat: &Seat| SeatEvent { seat: seat.0 };
        match event {
            Event::Created(terms) => Self::Created(created(terms)),
            Event::SeatTaken {
                seat,
                holder,
                entropy,
            } => Self::SeatTaken(SeatTakenEvent {
                seat: seat.0,
                kind: match holder {
                    Holder::Player => HolderKind::Player,
                    Holder::Bot(_) => HolderKind::Bot,
                },
                bot_level: match holder {
                    Holder::Player => None,
                    Holder::Bot(level) => Some(BotLevelName(*level)),
                },
                entropy: entropy.clone(),
            }),
            Event::SeatLeft { seat } => Self::SeatLeft(of_seat(seat)),
            Event::Started { starter, entropy } => Self::Started(StartedEvent {
                starter: starter.0,
                entropy: entropy.clone(),
            }),
            Event::Dealt(deal) => Self::Dealt(dealt(deal, deck)),
            Event::CardAsked { seat, asked, card } => Self::CardAsked(CardAskedEvent {
                seat: seat.0,
                asked_seat: asked.0,
                card: number(*card),
            }),
            Event::AskAnswered { has_card } => Self::AskAnswered(AskAnsweredEvent { has_card: *has_card }),
            Event::DuelFought {
                asker,
                asked,
                attribute,
                winner,
            } => Self::DuelFought(DuelFoughtEvent {
                asker: shown(asker, *attribute, deck),
                asked: shown(asked, *attribute, deck),
                attribute: deck.attribute_id(*attribute).to_owned(),
                winner: winner.map(|seat| seat.0),
            }),
            Event::CardGiven { from, to, card } => Self::CardGiven(CardGivenEvent {
                from_seat: from.0,
                to_seat: to.0,
                card: number(*card),
            }),
            Event::QuartetLaid { seat, group } => Self::QuartetLaid(QuartetLaidEvent {
                seat: seat.0,
                group: deck.group_id(*group).to_owned(),
            }),
            Event::CardsShown {
                attribute,
                shown: cards,
            } => Self::CardsShown(CardsShownEvent {
                attribute: deck.attribute_id(*attribute).to_owned(),
                shown: cards.iter().map(|card| shown(card, *attribute, deck)).collect(),
            }),
            Event::CardsTaken { seat, cards } => Self::CardsTaken(CardsTakenEvent {
                seat: seat.0,
                count: count(cards.len()),
                cards: cards.iter().map(|card| number(*card)).collect(),
            }),
            Event::RoundTied { seats, centre_size } => Self::RoundTied(RoundTiedEvent {
                seats: seats.iter().map(|seat| seat.0).collect(),
                centre_size: *centre_size,
            }),
            Event::SeatOut { seat } => Self::SeatOut(of_seat(seat)),
            Event::TurnBegun {
                seat,
                phase,
                open,
                tops,
            } => Self::TurnBegun(TurnBegunEvent {
                seat: seat.0,
                phase: PhaseName(*phase),
                card: open.map(number),
                tops: (!tops.is_empty()).then(|| {
                    let tops = tops.iter().map(|top| SeatCard {
                        seat: top.seat.0,
                        card: number(top.card),
                    });
                    tops.collect()
                }),
            }),
            Event::CardFlipped { seat, place, face } => Self::CardFlipped(CardFlippedEvent {
                seat: seat.0,
                place: *place,
                card: match face {
                    Face::Open(card) => Some(TableCard::of(*card, deck)),
                    Face::Forgotten => None,
                },
            }),
            Event::PairTaken { seat, card } => Self::PairTaken(PairTakenEvent {
                seat: seat.0,
                number: number(*card),
            }),
            Event::CardsClosed { places } => Self::CardsClosed(CardsClosedEvent {
                places: places.to_vec(),
            }),
            Event::LimitReached { limit } => Self::LimitReached(LimitReachedEvent {
                limit: LimitName(*limit),
            }),
            Event::DeadlinePassed { seat } => Self::DeadlinePassed(of_seat(seat)),
            Event::SeatAway { seat } => Self::SeatAway(of_seat(seat)),
            Event::SeatReturned { seat } => Self::SeatReturned(of_seat(seat)),
            Event::SeatResigned { seat } => Self::SeatResigned(of_seat(seat)),
            Event::Ended {
                reason,
                standings,
                seed,
            } => Self::Ended(EndedEvent {
                reason: EndReasonName(*reason),
                ranks: ranks(standings),
                seed: seed.map(|seed| Hex32(seed.0)),
            }),
            Event::Cancelled { reason, seed } => Self::Cancelled(CancelledEvent {
                reason: CancelReasonName(*reason),
                seed: seed.map(|seed| Hex32(seed.0)),
            }),
        }
    }
}

/// The result in seat order.
pub(super) fn ranks(standings: &Seats<Standing>) -> Vec<SeatStanding> {
    let ranks = standings.iter().map(|(seat, standing)| SeatStanding {
        seat: seat.0,
        rank: standing.rank,
        score: standing.score,
    });
    ranks.collect()
}

/// A number of cards: a deck has at most 64, a table twice as many.
pub(super) fn count(cards: usize) -> u8 {
    u8::try_from(cards).unwrap_or(u8::MAX)
}

impl TableCard {
    /// The card in the names of `deck`.
    pub(super) fn of(card: EngineTableCard, deck: &Deck) -> Self {
        Self {
            number: deck.number(card.card).to_owned(),
            side: SideName(card.side),
        }
    }
}

fn created(terms: &Terms) -> CreatedEvent {
    let Terms {
        match_id: _,
        game,
        deck_id,
        deck_hash,
        seats,
        starter,
        starter_seat,
        turn_seconds,
        deadline_policy,
        time_limit_seconds,
        rules,
        seed_commitment,
    } = terms;
    CreatedEvent {
        game: GameSetup::of(game),
        deck: DeckRef {
            deck_id: deck_id.clone(),
            hash: Hex32(*deck_hash),
        },
        seats: *seats,
        seed_commitment: Hex32(seed_commitment.0),
        rules_version: rules.0,
        starter: StarterName(*starter),
        starter_seat: starter_seat.map(|seat| seat.0),
        turn_seconds: *turn_seconds,
        deadline_policy: DeadlinePolicyName(*deadline_policy),
        time_limit_seconds: *time_limit_seconds,
    }
}

fn dealt(deal: &Deal, deck: &Deck) -> DealtEvent {
    let nothing = DealtEvent {
        hands: None,
        stacks: None,
        places: None,
        board: None,
        aside_size: None,
        aside: None,
    };
    match deal {
        Deal::Hands(hands) => DealtEvent {
            hands: Some(piles(hands, deck)),
            ..nothing
        },
        Deal::Stacks { stacks, aside } => DealtEvent {
            stacks: Some(piles(stacks, deck)),
            aside_size: Some(count(aside.count())),
            aside: numbers(aside, deck),
            ..nothing
        },
        Deal::Table(Board::Open(cards)) => DealtEvent {
            places: Some(count(cards.len())),
            board: Some(cards.iter().map(|card| TableCard::of(*card, deck)).collect()),
            ..nothing
        },
        Deal::Table(Board::Size(places)) => DealtEvent {
            places: Some(*places),
            ..nothing
        },
    }
}

fn piles(piles: &Seats<Cards>, deck: &Deck) -> Vec<Pile> {
    let piles = piles.iter().map(|(seat, cards)| Pile {
        seat: seat.0,
        size: count(cards.count()),
        cards: numbers(cards, deck),
    });
    piles.collect()
}

/// The numbers of cards that are shown.
pub(super) fn numbers(cards: &Cards, deck: &Deck) -> Option<Vec<String>> {
    match cards {
        Cards::Open(cards) => Some(cards.iter().map(|card| deck.number(*card).to_owned()).collect()),
        Cards::Size(_) => None,
    }
}

fn shown(card: &EngineSeatCard, attribute: Attribute, deck: &Deck) -> ShownCard {
    ShownCard {
        seat: card.seat.0,
        card: deck.number(card.card).to_owned(),
        value: deck.value(card.card, attribute).map(str::to_owned),
    }
}
