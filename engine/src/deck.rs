//! Decks: parsed and checked once, never wrong later.
//!
//! A [`DeckDocument`] is what a deck file says; a [`Deck`] is a document that passed every check, with its
//! content hash and with each value turned into its rank, so that play compares small integers only.

mod document;
mod fault;
mod ranks;
mod value;

pub use document::{
    AttributeDocument, AttributeKind, CardDocument, Credit, DeckDocument, Direction, Fact, GroupDocument,
    Level, LevelValue, Plan, Text, ValueDocument,
};
pub use fault::{DeckError, DeckUnfit};
pub use value::{Value, ValueError};

use crate::card::{ATTRIBUTES_MAX, Attribute, CARDS_MAX, Card, CardSet, GROUPS_MAX, Group, GroupSet};
use crate::game::GameKind;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::sync::Arc;

/// The longest number, id or unit a deck may use, in bytes.
pub const NAME_BYTES_MAX: usize = 32;

/// A deck that passed every check.
#[derive(Debug)]
pub struct Deck {
    document: DeckDocument,
    canonical: Vec<u8>,
    hash: [u8; 32],
    cards: HashMap<String, Card>,
    attributes: HashMap<String, Attribute>,
    groups: HashMap<String, Group>,
    group_of: Vec<Group>,
    cards_of: Vec<CardSet>,
    groups_in_text_order: Vec<Group>,
    /// Per card and attribute: 0 for a missing value, else the better the higher.
    ranks: Vec<[u8; ATTRIBUTES_MAX]>,
    best_ranks: [u8; ATTRIBUTES_MAX],
}

impl Deck {
    /// Reads and checks a deck document (JSON).
    pub fn parse(json: &str) -> Result<Deck, DeckError> {
        let document = serde_json::from_str(json).map_err(|error| DeckError::Malformed(error.to_string()))?;
        Deck::new(document)
    }

    /// Checks a document: names unique and plain, at most 64 cards, 16 groups and 12 attributes, groups and
    /// cards agree, values exact decimals with no more decimals than declared, profiles complete.
    /// What a game needs beyond that is told by [`Deck::fits`].
    pub fn new(document: DeckDocument) -> Result<Deck, DeckError> {
        let (what_cards, what_groups, what_attributes) = ("cards", "groups", "attributes");
        within(what_cards, 1, CARDS_MAX, document.cards.len())?;
        within(what_groups, 0, GROUPS_MAX, document.groups.len())?;
        within(what_attributes, 0, ATTRIBUTES_MAX, document.attributes.len())?;
        let cards = by_name(what_cards, document.cards.iter().map(|card| &card.number), Card)?;
        let groups = by_name(
            what_groups,
            document.groups.iter().map(|group| &group.group),
            Group,
        )?;
        let attributes = by_name(
            what_attributes,
            document.attributes.iter().map(|a| &a.attribute),
            Attribute,
        )?;

        if let Some(profile) = document
            .attributes
            .iter()
            .find(|a| a.kind == AttributeKind::Profile && a.direction == Direction::Lower)
        {
            return Err(DeckError::ProfileDirection(profile.attribute.clone()));
        }

        let mut group_of = Vec::with_capacity(document.cards.len());
        let mut cards_of = vec![CardSet::EMPTY; document.groups.len()];
        for (index, card) in document.cards.iter().enumerate() {
            let group = match &card.group {
                None => Group::UNKNOWN,
                Some(name) => *groups.get(name).ok_or_else(|| DeckError::Unknown {
                    card: card.number.clone(),
                    name: name.clone(),
                })?,
            };
            if let Some(set) = cards_of.get_mut(group.index()) {
                set.insert(Card(index as u8));
            }
            group_of.push(group);
        }
        for (group, members) in document.groups.iter().zip(&cards_of) {
            let listed: CardSet = group
                .cards
                .iter()
                .filter_map(|number| cards.get(number).copied())
                .collect();
            if listed != *members || group.cards.len() != members.count() {
                return Err(DeckError::GroupMismatch(group.group.clone()));
            }
        }
        let (ranks, best_ranks) = ranks::ranks(&document, &attributes)?;

        let mut groups_in_text_order: Vec<Group> =
            (0..document.groups.len()).map(|i| Group(i as u8)).collect();
        groups_in_text_order.sort_by_key(|group| &document.groups[group.index()].group);
        let canonical = serde_json_canonicalizer::to_vec(&document)
            .map_err(|error| DeckError::Malformed(error.to_string()))?;
        let hash = Sha256::digest(&canonical).into();
        Ok(Deck {
            document,
            canonical,
            hash,
            cards,
            attributes,
            groups,
            group_of,
            cards_of,
            groups_in_text_order,
            ranks,
            best_ranks,
        })
    }

    /// Whether a game can be played with this deck.
    pub fn fits(&self, game: GameKind) -> Result<(), DeckUnfit> {
        let asks = matches!(game, GameKind::DuelQuartett | GameKind::VdbQuartett);
        if asks
            && !(self.group_of.iter().all(|g| *g != Group::UNKNOWN)
                && self.cards_of.iter().all(|c| c.count() == 4))
        {
            return Err(DeckUnfit::GroupsOfFour);
        }
        let compares = matches!(
            game,
            GameKind::DuelQuartett | GameKind::Supertrump | GameKind::VdbSupertrumpf
        );
        if compares && self.document.cards.iter().any(|card| card.values.is_empty()) {
            return Err(DeckUnfit::Values);
        }
        if game == GameKind::Pairs && self.document.cards.iter().any(|card| card.plan.is_none()) {
            return Err(DeckUnfit::PlanCards);
        }
        Ok(())
    }

    /// What the deck file says.
    pub fn document(&self) -> &DeckDocument {
        &self.document
    }

    /// The document in RFC 8785 form: what the hash is taken of.
    pub fn canonical(&self) -> &[u8] {
        &self.canonical
    }

    /// SHA-256 of [`Deck::canonical`].
    pub fn hash(&self) -> &[u8; 32] {
        &self.hash
    }

    /// How many cards (without plan cards).
    pub fn size(&self) -> usize {
        self.group_of.len()
    }

    /// Every card, in deck order.
    pub fn cards(&self) -> impl DoubleEndedIterator<Item = Card> + Clone + use<> {
        (0..self.size()).map(|index| Card(index as u8))
    }

    /// Every attribute, in deck order.
    pub fn attributes(&self) -> impl DoubleEndedIterator<Item = Attribute> + Clone + use<> {
        (0..self.document.attributes.len()).map(|index| Attribute(index as u8))
    }

    /// Every group, in deck order.
    pub fn groups(&self) -> impl DoubleEndedIterator<Item = Group> + Clone + use<> {
        (0..self.cards_of.len()).map(|index| Group(index as u8))
    }

    /// Every group, by id in ascending text order.
    pub fn groups_in_text_order(&self) -> &[Group] {
        &self.groups_in_text_order
    }

    /// Whether the deck has the card.
    pub fn has_card(&self, card: Card) -> bool {
        card.index() < self.size()
    }

    /// Whether the deck has the attribute.
    pub fn has_attribute(&self, attribute: Attribute) -> bool {
        attribute.index() < self.document.attributes.len()
    }

    /// Whether the deck has the group.
    pub fn has_group(&self, group: Group) -> bool {
        group.index() < self.cards_of.len()
    }

    /// The card with this number, or [`Card::UNKNOWN`].
    pub fn card(&self, number: &str) -> Card {
        self.cards.get(number).copied().unwrap_or(Card::UNKNOWN)
    }

    /// The attribute with this id, or [`Attribute::UNKNOWN`].
    pub fn attribute(&self, id: &str) -> Attribute {
        self.attributes.get(id).copied().unwrap_or(Attribute::UNKNOWN)
    }

    /// The group with this id, or [`Group::UNKNOWN`].
    pub fn group(&self, id: &str) -> Group {
        self.groups.get(id).copied().unwrap_or(Group::UNKNOWN)
    }

    /// A card's number; `?` for a card the deck does not have.
    pub fn number(&self, card: Card) -> &str {
        self.document
            .cards
            .get(card.index())
            .map_or("?", |card| &card.number)
    }

    /// An attribute's id; `?` for one the deck does not have.
    pub fn attribute_id(&self, attribute: Attribute) -> &str {
        self.document
            .attributes
            .get(attribute.index())
            .map_or("?", |attribute| &attribute.attribute)
    }

    /// A group's id; `?` for one the deck does not have.
    pub fn group_id(&self, group: Group) -> &str {
        self.document
            .groups
            .get(group.index())
            .map_or("?", |group| &group.group)
    }

    /// The group a card belongs to; [`Group::UNKNOWN`] if it has none.
    pub fn group_of(&self, card: Card) -> Group {
        self.group_of.get(card.index()).copied().unwrap_or(Group::UNKNOWN)
    }

    /// The cards of a group; none for a group the deck does not have.
    pub fn cards_of(&self, group: Group) -> CardSet {
        self.cards_of
            .get(group.index())
            .copied()
            .unwrap_or(CardSet::EMPTY)
    }

    /// The groups that some of these cards belong to.
    pub fn groups_among(&self, cards: CardSet) -> GroupSet {
        self.groups()
            .filter(|group| !self.cards_of(*group).both(cards).is_empty())
            .collect()
    }

    /// The groups whose cards are all among these and are four, the size of a quartet.
    pub fn quartets_among(&self, cards: CardSet) -> GroupSet {
        self.groups()
            .filter(|group| {
                let members = self.cards_of(*group);
                members.count() == 4 && cards.has_all(members)
            })
            .collect()
    }

    /// How good a card is in an attribute: 0 without a value, else the better the higher; equal values have
    /// equal ranks. The attribute's direction is already in it.
    pub fn rank(&self, card: Card, attribute: Attribute) -> u8 {
        self.ranks
            .get(card.index())
            .and_then(|ranks| ranks.get(attribute.index()))
            .copied()
            .unwrap_or(0)
    }

    /// The card's value as printed, or `None` if it is missing.
    pub fn value(&self, card: Card, attribute: Attribute) -> Option<&str> {
        let id = self.attribute_id(attribute);
        let card = self.document.cards.get(card.index())?;
        card.values
            .iter()
            .find(|value| value.attribute == id)
            .map(|value| value.value.as_str())
    }

    /// Whether the card bears the Supertrumpf mark in an attribute: no card of the deck is better there.
    pub fn bears_mark(&self, card: Card, attribute: Attribute) -> bool {
        let rank = self.rank(card, attribute);
        rank > 0 && self.best_ranks.get(attribute.index()) == Some(&rank)
    }
}

/// The decks that come with the service, by id: `wohnbau`, `sportwaffen`, `demo`, `ties`.
pub fn built_in() -> &'static [Arc<Deck>] {
    static DECKS: std::sync::LazyLock<Vec<Arc<Deck>>> = std::sync::LazyLock::new(|| {
        [
            include_str!("../decks/wohnbau.json"),
            include_str!("../decks/sportwaffen.json"),
            include_str!("../decks/demo.json"),
            include_str!("../decks/ties.json"),
        ]
        .iter()
        .map(|json| {
            Arc::new(Deck::parse(json).expect("built-in decks pass the deck check: a test reads them"))
        })
        .collect()
    });
    &DECKS
}

fn within(what: &'static str, min: usize, max: usize, count: usize) -> Result<(), DeckError> {
    if (min..=max).contains(&count) {
        Ok(())
    } else {
        Err(DeckError::Count { what, max, count })
    }
}

fn by_name<'a, T>(
    what: &'static str,
    names: impl Iterator<Item = &'a String>,
    place: fn(u8) -> T,
) -> Result<HashMap<String, T>, DeckError> {
    let mut places = HashMap::new();
    for (index, name) in names.enumerate() {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
        if name.is_empty() || name.len() > NAME_BYTES_MAX || !name.bytes().all(plain) {
            return Err(DeckError::Name(name.clone()));
        }
        if places.insert(name.clone(), place(index as u8)).is_some() {
            return Err(DeckError::Twice {
                what,
                name: name.clone(),
            });
        }
    }
    Ok(places)
}
