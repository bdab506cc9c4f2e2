//! Stored events back to the engine's.

use quartett_engine::card::TableCard as EngineTableCard;
use quartett_engine::{
    Attribute, Board, Card, Cards, Commitment, Deal, Deck, Event, Face, Group, Holder, RulesVersion, Seat,
    SeatCard as EngineSeatCard, Seats, Seed, Standing, Terms,
};

use super::card_shapes::{Pile, ShownCard, TableCard};
use super::event::{CreatedEvent, DealtEvent, GameEvent, HolderKind};
use super::match_view::SeatStanding;

/// A stored event that names what the deck does not have, or is not complete.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not what this deck and game know")]
pub(crate) struct Misfit(String);

fn misfit<T>(what: impl Into<String>) -> Result<T, Misfit> {
    Err(Misfit(what.into()))
}

impl GameEvent {
    /// The engine's event; the match id stands in no event.
    pub(crate) fn to_engine(&self, match_id: [u8; 16], deck: &Deck) -> Result<Event, Misfit> {
        Ok(match self {
            Self::Created(created) => Event::Created(Box::new(terms(created, match_id)?)),
            Self::SeatTaken(taken) => Event::SeatTaken {
                seat: Seat(taken.seat),
                holder: match (taken.kind, taken.bot_level) {
                    (HolderKind::Player, _) => Holder::Player,
                    (HolderKind::Bot, Some(level)) => Holder::Bot(level.0),
                    (HolderKind::Bot, None) => return misfit("a bot without a level"),
                },
                entropy: taken.entropy.clone(),
            },
            Self::SeatLeft(of) => Event::SeatLeft { seat: Seat(of.seat) },
            Self::Started(started) => Event::Started {
                starter: Seat(started.starter),
                entropy: started.entropy.clone(),
            },
            Self::Dealt(dealt) => Event::Dealt(deal(dealt, deck)?),
            Self::CardAsked(asked) => Event::CardAsked {
                seat: Seat(asked.seat),
                asked: Seat(asked.asked_seat),
                card: card(&asked.card, deck)?,
            },
            Self::AskAnswered(answered) => Event::AskAnswered {
                has_card: answered.has_card,
            },
            Self::DuelFought(duel) => Event::DuelFought {
                asker: seat_card(&duel.asker, deck)?,
                asked: seat_card(&duel.asked, deck)?,
                attribute: attribute(&duel.attribute, deck)?,
                winner: duel.winner.map(Seat),
            },
            Self::CardGiven(given) => Event::CardGiven {
                from: Seat(given.from_seat),
                to: Seat(given.to_seat),
                card: card(&given.card, deck)?,
            },
            Self::QuartetLaid(laid) => Event::QuartetLaid {
                seat: Seat(laid.seat),
                group: group(&laid.group, deck)?,
            },
            Self::CardsShown(shown) => Event::CardsShown {
                attribute: attribute(&shown.attribute, deck)?,
                shown: each(&shown.shown, |card| seat_card(card, deck))?
                    .into_iter()
                    .collect(),
            },
            Self::CardsTaken(taken) => Event::CardsTaken {
                seat: Seat(taken.seat),
                cards: each(&taken.cards, |number| card(number, deck))?,
            },
            Self::RoundTied(tied) => Event::RoundTied {
                seats: tied.seats.iter().copied().map(Seat).collect(),
                centre_size: tied.centre_size,
            },
            Self::SeatOut(of) => Event::SeatOut { seat: Seat(of.seat) },
            Self::TurnBegun(turn) => Event::TurnBegun {
                seat: Seat(turn.seat),
                phase: turn.phase.0,
                open: turn.card.as_ref().map(|number| card(number, deck)).transpose()?,
                tops: each(turn.tops.as_deref().unwrap_or_default(), |top| {
                    Ok(EngineSeatCard {
                        seat: Seat(top.seat),
                        card: card(&top.card, deck)?,
                    })
                })?
                .into_iter()
                .collect(),
            },
            Self::CardFlipped(flipped) => Event::CardFlipped {
                seat: Seat(flipped.seat),
                place: flipped.place,
                face: match &flipped.card {
                    Some(card) => Face::Open(table_card(card, deck)?),
                    None => Face::Forgotten,
                },
            },
            Self::PairTaken(taken) => Event::PairTaken {
                seat: Seat(taken.seat),
                card: card(&taken.number, deck)?,
            },
            Self::CardsClosed(closed) => match closed.places.as_slice() {
                [first, second] => Event::CardsClosed {
                    places: [*first, *second],
                },
                _ => return misfit("not two places"),
            },
            Self::LimitReached(reached) => Event::LimitReached {
                limit: reached.limit.0,
            },
            Self::DeadlinePassed(of) => Event::DeadlinePassed { seat: Seat(of.seat) },
            Self::SeatAway(of) => Event::SeatAway { seat: Seat(of.seat) },
            Self::SeatReturned(of) => Event::SeatReturned { seat: Seat(of.seat) },
            Self::SeatResigned(of) => Event::SeatResigned { seat: Seat(of.seat) },
            Self::Ended(ended) => Event::Ended {
                reason: ended.reason.0,
                standings: standings(&ended.ranks)?,
                seed: ended.seed.map(|seed| Seed(seed.0)),
            },
            Self::Cancelled(cancelled) => Event::Cancelled {
                reason: cancelled.reason.0,
                seed: cancelled.seed.map(|seed| Seed(seed.0)),
            },
        })
    }
}

fn each<T, U>(items: &[T], read: impl Fn(&T) -> Result<U, Misfit>) -> Result<Vec<U>, Misfit> {
    items.iter().map(read).collect()
}

fn card(number: &str, deck: &Deck) -> Result<Card, Misfit> {
    match deck.card(number) {
        Card::UNKNOWN => misfit(number),
        card => Ok(card),
    }
}

fn attribute(id: &str, deck: &Deck) -> Result<Attribute, Misfit> {
    match deck.attribute(id) {
        Attribute::UNKNOWN => misfit(id),
        attribute => Ok(attribute),
    }
}

fn group(id: &str, deck: &Deck) -> Result<Group, Misfit> {
    match deck.group(id) {
        Group::UNKNOWN => misfit(id),
        group => Ok(group),
    }
}

fn seat_card(shown: &ShownCard, deck: &Deck) -> Result<EngineSeatCard, Misfit> {
    Ok(EngineSeatCard {
        seat: Seat(shown.seat),
        card: card(&shown.card, deck)?,
    })
}

fn table_card(shown: &TableCard, deck: &Deck) -> Result<EngineTableCard, Misfit> {
    Ok(EngineTableCard {
        card: card(&shown.number, deck)?,
        side: shown.side.0,
    })
}

fn terms(created: &CreatedEvent, match_id: [u8; 16]) -> Result<Terms, Misfit> {
    let game = created.game.resolve(created.seats);
    Ok(Terms {
        match_id,
        game: game.map_err(|wrong| Misfit(wrong.option.to_owned()))?,
        deck_id: created.deck.deck_id.clone(),
        deck_hash: created.deck.hash.0,
        seats: created.seats,
        starter: created.starter.0,
        starter_seat: created.starter_seat.map(Seat),
        turn_seconds: created.turn_seconds,
        deadline_policy: created.deadline_policy.0,
        time_limit_seconds: created.time_limit_seconds,
        rules: RulesVersion(created.rules_version),
        seed_commitment: Commitment(created.seed_commitment.0),
    })
}

fn deal(dealt: &DealtEvent, deck: &Deck) -> Result<Deal, Misfit> {
    if let Some(hands) = &dealt.hands {
        return Ok(Deal::Hands(piles(hands, deck)?));
    }
    if let Some(stacks) = &dealt.stacks {
        return Ok(Deal::Stacks {
            stacks: piles(stacks, deck)?,
            aside: cards(dealt.aside.as_deref(), dealt.aside_size.unwrap_or(0), deck)?,
        });
    }
    match (&dealt.board, dealt.places) {
        (Some(board), _) => Ok(Deal::Table(Board::Open(each(board, |card| {
            table_card(card, deck)
        })?))),
        (None, Some(places)) => Ok(Deal::Table(Board::Size(places))),
        (None, None) => misfit("a deal of nothing"),
    }
}

fn piles(piles: &[Pile], deck: &Deck) -> Result<Seats<Cards>, Misfit> {
    let piles = each(piles, |pile| cards(pile.cards.as_deref(), pile.size, deck))?;
    Ok(by_seat(piles))
}

fn cards(shown: Option<&[String]>, size: u8, deck: &Deck) -> Result<Cards, Misfit> {
    match shown {
        Some(numbers) => Ok(Cards::Open(each(numbers, |number| card(number, deck))?)),
        None => Ok(Cards::Size(size)),
    }
}

fn standings(ranks: &[SeatStanding]) -> Result<Seats<Standing>, Misfit> {
    let standings = each(ranks, |standing| {
        Ok(Standing {
            score: standing.score,
            rank: standing.rank,
        })
    })?;
    Ok(by_seat(standings))
}

/// One value per seat; they are written in seat order.
fn by_seat<T: Clone>(values: Vec<T>) -> Seats<T> {
    Seats::build(values.len(), |seat| values[seat.index()].clone())
}
