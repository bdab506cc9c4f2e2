//! Events on the wire: what happened, as far as the viewer may see it.

use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, schema::Type};
use utoipa::{PartialSchema, ToSchema};

use super::Hex32;
use super::card_shapes::{Pile, SeatCard, ShownCard, TableCard};
use super::keyed_union::keyed_union;
use super::match_view::{DeckRef, SeatStanding};
use super::names::{
    BotLevelName, CancelReasonName, DeadlinePolicyName, EndReasonName, LimitName, PhaseName, StarterName,
};
use super::setup::GameSetup;

/// Whether a seat is held by a player or a bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum HolderKind {
    /// A player.
    Player,
    /// A bot.
    Bot,
}

/// Shorthand for the bodies below: each is written, read and documented alike.
macro_rules! bodies {
    ($( $(#[$doc:meta])* $Name:ident { $( $(#[$member:meta])* $field:ident: $Type:ty, )+ } )+) => { $(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
        pub(crate) struct $Name { $( $(#[$member])* pub(crate) $field: $Type, )+ }
    )+ };
}

bodies! {
    /// The match was created.
    CreatedEvent {
        /// The game with every option.
        game: GameSetup,
        /// The deck it is played with.
        deck: DeckRef,
        /// How many seats.
        #[schema(minimum = 2, maximum = 6)]
        seats: u8,
        /// What binds the seed of the deal before anyone joins.
        seed_commitment: Hex32,
        /// The rules it is played by.
        rules_version: u16,
        /// How the starter is found.
        starter: StarterName,
        /// Who starts, where that is settled beforehand: a rematch moves the starter one seat on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(maximum = 5)]
        starter_seat: Option<u8>,
        /// Time for one turn.
        turn_seconds: u32,
        /// What a missed deadline does.
        deadline_policy: DeadlinePolicyName,
        /// Time for the whole match from its start, if limited.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time_limit_seconds: Option<u32>,
    }
    /// A seat was taken.
    SeatTakenEvent {
        /// Which.
        #[schema(maximum = 5)]
        seat: u8,
        /// By a player or a bot.
        kind: HolderKind,
        /// How the bot plays.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bot_level: Option<BotLevelName>,
        /// What the player adds to the randomness of the deal.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        entropy: Option<String>,
    }
    /// Something happened to a seat.
    SeatEvent {
        /// Which.
        #[schema(maximum = 5)]
        seat: u8,
    }
    /// The match began.
    StartedEvent {
        /// The seat that moves first and is dealt to first.
        #[schema(maximum = 5)]
        starter: u8,
        /// What the host adds to the randomness of the deal.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        entropy: Option<String>,
    }
    /// The cards were dealt: hands, stacks or places, depending on the game.
    DealtEvent {
        /// The hands.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(max_items = 6)]
        hands: Option<Vec<Pile>>,
        /// The stacks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(max_items = 6)]
        stacks: Option<Vec<Pile>>,
        /// How many places the table has.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(maximum = 128)]
        places: Option<u8>,
        /// The cards of the table from place 1, once the match has ended.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(max_items = 128)]
        board: Option<Vec<TableCard>>,
        /// How many cards were set aside.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(maximum = 64)]
        aside_size: Option<u8>,
        /// The numbers of the cards set aside, once the match has ended.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(max_items = 64)]
        aside: Option<Vec<String>>,
    }
    /// A seat asked another for a card.
    CardAskedEvent {
        /// Who asked.
        #[schema(maximum = 5)]
        seat: u8,
        /// Who was asked.
        #[schema(maximum = 5)]
        asked_seat: u8,
        /// The number of the card.
        #[schema(examples("W07"))]
        card: String,
    }
    /// The asked seat's answer, given by the service.
    AskAnsweredEvent {
        /// Whether it holds the card.
        has_card: bool,
    }
    /// A duel was fought; both cards are shown.
    DuelFoughtEvent {
        /// The asker's card.
        asker: ShownCard,
        /// The asked seat's card.
        asked: ShownCard,
        /// What was compared.
        #[schema(examples("floors"))]
        attribute: String,
        /// Who takes both; absent if they are equal.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(maximum = 5)]
        winner: Option<u8>,
    }
    /// A card was handed over openly.
    CardGivenEvent {
        /// By whom.
        #[schema(maximum = 5)]
        from_seat: u8,
        /// To whom.
        #[schema(maximum = 5)]
        to_seat: u8,
        /// The number of the card.
        #[schema(examples("1c"))]
        card: String,
    }
    /// A whole group was laid down.
    QuartetLaidEvent {
        /// In front of which seat.
        #[schema(maximum = 5)]
        seat: u8,
        /// Which group.
        #[schema(examples("W"))]
        group: String,
    }
    /// Top cards were shown and compared.
    CardsShownEvent {
        /// What was compared.
        #[schema(examples("floors"))]
        attribute: String,
        /// Clockwise from the seat that chose.
        #[schema(max_items = 6)]
        shown: Vec<ShownCard>,
    }
    /// A seat took the shown cards and the centre under its stack.
    CardsTakenEvent {
        /// Who.
        #[schema(maximum = 5)]
        seat: u8,
        /// How many.
        #[schema(maximum = 64)]
        count: u8,
        /// Their numbers; in deck order while the match runs, for their true order is hidden.
        #[schema(max_items = 64)]
        cards: Vec<String>,
    }
    /// Several seats were best; the shown cards went to the centre.
    RoundTiedEvent {
        /// Who were best, in seat order.
        #[schema(max_items = 6)]
        seats: Vec<u8>,
        /// Cards now in the centre.
        #[schema(maximum = 64)]
        centre_size: u8,
    }
    /// A seat is to move.
    TurnBegunEvent {
        /// Which.
        #[schema(maximum = 5)]
        seat: u8,
        /// What it must do.
        phase: PhaseName,
        /// `supertrump`: the number of its open top card.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(examples("W07"))]
        card: Option<String>,
        /// `vdb_supertrumpf`: top cards; while the match runs each seat sees its own alone.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(max_items = 6)]
        tops: Option<Vec<SeatCard>>,
    }
    /// A card of the table was turned up.
    CardFlippedEvent {
        /// By whom.
        #[schema(maximum = 5)]
        seat: u8,
        /// Where, from 1.
        #[schema(minimum = 1, maximum = 128)]
        place: u8,
        /// What was seen; absent for an earlier flip that is no longer shown.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        card: Option<TableCard>,
    }
    /// A pair was found and taken.
    PairTakenEvent {
        /// By whom.
        #[schema(maximum = 5)]
        seat: u8,
        /// The number of both cards.
        #[schema(examples("W1"))]
        number: String,
    }
    /// Two cards that are no pair were closed again.
    CardsClosedEvent {
        /// Their places, in the order of flipping.
        #[schema(min_items = 2, max_items = 2)]
        places: Vec<u8>,
    }
    /// A limit ended the match.
    LimitReachedEvent {
        /// Which.
        limit: LimitName,
    }
    /// The match ended; from here on everything is open.
    EndedEvent {
        /// Why.
        reason: EndReasonName,
        /// The result, in seat order.
        #[schema(max_items = 6)]
        ranks: Vec<SeatStanding>,
        /// The seed of the deal, revealed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seed: Option<Hex32>,
    }
    /// The match was cancelled before its start.
    CancelledEvent {
        /// Why.
        reason: CancelReasonName,
        /// The seed of the deal that never was, revealed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seed: Option<Hex32>,
    }
}

keyed_union! {
    /// Something that happened in a match. What the viewer may not see is left out.
    pub(crate) enum GameEvent read as KeyedGameEvent {
        /// The match was created.
        created => Created(CreatedEvent),
        /// A seat was taken.
        seat_taken => SeatTaken(SeatTakenEvent),
        /// A seat was left before the start.
        seat_left => SeatLeft(SeatEvent),
        /// The match began.
        started => Started(StartedEvent),
        /// The cards were dealt.
        dealt => Dealt(DealtEvent),
        /// A seat asked another for a card.
        card_asked => CardAsked(CardAskedEvent),
        /// The asked seat's answer.
        ask_answered => AskAnswered(AskAnsweredEvent),
        /// A duel was fought.
        duel_fought => DuelFought(DuelFoughtEvent),
        /// A card was handed over openly.
        card_given => CardGiven(CardGivenEvent),
        /// A whole group was laid down.
        quartet_laid => QuartetLaid(QuartetLaidEvent),
        /// Top cards were shown and compared.
        cards_shown => CardsShown(CardsShownEvent),
        /// A seat took cards under its stack.
        cards_taken => CardsTaken(CardsTakenEvent),
        /// Several seats were best.
        round_tied => RoundTied(RoundTiedEvent),
        /// A seat is out.
        seat_out => SeatOut(SeatEvent),
        /// A seat is to move.
        turn_begun => TurnBegun(TurnBegunEvent),
        /// A card of the table was turned up.
        card_flipped => CardFlipped(CardFlippedEvent),
        /// A pair was found and taken.
        pair_taken => PairTaken(PairTakenEvent),
        /// Two cards were closed again.
        cards_closed => CardsClosed(CardsClosedEvent),
        /// A limit ended the match.
        limit_reached => LimitReached(LimitReachedEvent),
        /// The seat to move let its time pass.
        deadline_passed => DeadlinePassed(SeatEvent),
        /// A bot holds the seat until its player returns.
        seat_away => SeatAway(SeatEvent),
        /// The player of a seat is back.
        seat_returned => SeatReturned(SeatEvent),
        /// The player of a seat gave up; a bot holds it to the end.
        seat_resigned => SeatResigned(SeatEvent),
        /// The match ended.
        ended => Ended(EndedEvent),
        /// The match was cancelled.
        cancelled => Cancelled(CancelledEvent),
    }
}

/// An event with its line of notation, as every answer carries it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NotedEvent {
    /// What happened.
    pub(crate) event: GameEvent,
    /// The same as one line of text.
    pub(crate) notation: String,
}

impl Serialize for NotedEvent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_map(Some(3))?;
        members.serialize_entry("type", self.event.tag())?;
        members.serialize_entry("notation", &self.notation)?;
        self.event.write_member(&mut members)?;
        members.end()
    }
}

/// The schema of `GameEvent`, with the notation beside the keyed members.
impl PartialSchema for NotedEvent {
    fn schema() -> RefOr<Schema> {
        let mut schema = GameEvent::schema();
        if let RefOr::T(Schema::Object(object)) = &mut schema {
            let notation = ObjectBuilder::new()
                .schema_type(Type::String)
                .description(Some("The event as one line of notation, for people."))
                .examples(["ask A>B W07"])
                .build();
            object.properties.insert("notation".to_owned(), notation.into());
            object.required.push("notation".to_owned());
        }
        schema
    }
}

impl ToSchema for NotedEvent {
    fn name() -> std::borrow::Cow<'static, str> {
        "GameEvent".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        GameEvent::schemas(schemas);
    }
}
