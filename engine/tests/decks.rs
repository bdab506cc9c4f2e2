//! The deck check: what is refused and why, and what the ranks of a deck that passed say.

use quartett_engine::deck::{
    AttributeKind, DeckDocument, DeckError, DeckUnfit, Direction, Level, LevelValue, Text, ValueDocument,
    ValueError, built_in,
};
use quartett_engine::{Card, Deck, GameKind};

/// A small deck that passes every check.
fn document() -> DeckDocument {
    built_in()[2].document().clone()
}

/// The error of a deck that is spoilt in one way.
fn refused(spoil: impl FnOnce(&mut DeckDocument)) -> DeckError {
    let mut document = document();
    spoil(&mut document);
    Deck::new(document).expect_err("spoilt decks are refused")
}

#[test]
fn names_are_unique_and_plain() {
    let twice = refused(|deck| deck.cards[1].number = deck.cards[0].number.clone());
    assert!(matches!(twice, DeckError::Twice { what: "cards", .. }));
    let twice = refused(|deck| deck.attributes[1].attribute = deck.attributes[0].attribute.clone());
    assert!(matches!(
        twice,
        DeckError::Twice {
            what: "attributes",
            ..
        }
    ));
    let twice = refused(|deck| deck.groups[1].group = deck.groups[0].group.clone());
    assert!(matches!(twice, DeckError::Twice { what: "groups", .. }));
    for name in ["", "A 1", "A|1", "Ä1", "A1\n", &"A".repeat(33)] {
        let error = refused(|deck| deck.cards[0].number = name.to_owned());
        assert_eq!(error, DeckError::Name(name.to_owned()));
    }
}

#[test]
fn a_deck_has_at_most_64_cards_16_groups_and_12_attributes_and_some_card() {
    let none = refused(|deck| {
        deck.cards.clear();
        deck.groups.clear();
    });
    assert!(matches!(
        none,
        DeckError::Count {
            what: "cards",
            count: 0,
            ..
        }
    ));
    let many = refused(|deck| {
        let card = deck.cards[0].clone();
        deck.cards.resize(65, card);
    });
    assert!(matches!(
        many,
        DeckError::Count {
            what: "cards",
            max: 64,
            count: 65
        }
    ));
    let many = refused(|deck| {
        let group = deck.groups[0].clone();
        deck.groups.resize(17, group);
    });
    assert!(matches!(
        many,
        DeckError::Count {
            what: "groups",
            max: 16,
            ..
        }
    ));
    let many = refused(|deck| {
        let attribute = deck.attributes[0].clone();
        deck.attributes.resize(13, attribute);
    });
    assert!(matches!(
        many,
        DeckError::Count {
            what: "attributes",
            max: 12,
            ..
        }
    ));
}

#[test]
fn groups_and_cards_agree() {
    let group = document().groups[0].group.clone();
    let lost = refused(|deck| {
        deck.groups[0].cards.pop();
    });
    assert_eq!(lost, DeckError::GroupMismatch(group.clone()));
    let doubled = refused(|deck| {
        let first = deck.groups[0].cards[0].clone();
        deck.groups[0].cards.push(first);
    });
    assert_eq!(doubled, DeckError::GroupMismatch(group));
    let unknown = refused(|deck| deck.cards[0].group = Some("nowhere".to_owned()));
    assert!(matches!(unknown, DeckError::Unknown { name, .. } if name == "nowhere"));
    let unknown = refused(|deck| deck.cards[0].values[0].attribute = "taste".to_owned());
    assert!(matches!(unknown, DeckError::Unknown { name, .. } if name == "taste"));
}

#[test]
fn values_are_exact_decimals_as_declared() {
    for text in ["4,0", "1e3", "", "1.", "٣", "0x10", "1 000"] {
        let error = refused(|deck| deck.cards[0].values[0].value = text.to_owned());
        assert!(
            matches!(
                &error,
                DeckError::Value {
                    error: ValueError::Malformed(found),
                    ..
                } if found == text
            ),
            "{text:?}: {error}"
        );
    }
    let decimals = refused(|deck| {
        deck.attributes[0].decimals = 0;
        deck.cards[0].values[0].value = "1.5".to_owned();
    });
    assert!(matches!(
        decimals,
        DeckError::Value {
            error: ValueError::Decimals { decimals: 0, .. },
            ..
        }
    ));
    let twice = refused(|deck| {
        let value = deck.cards[0].values[0].clone();
        deck.cards[0].values.push(value);
    });
    assert!(matches!(twice, DeckError::Twice { what: "value of", .. }));
}

#[test]
fn a_profile_shows_its_marked_level_and_the_higher_wins() {
    let text = Text {
        en: "level".to_owned(),
        de: "Stufe".to_owned(),
    };
    let make_profile = |deck: &mut DeckDocument| {
        let attribute = &mut deck.attributes[0];
        attribute.kind = AttributeKind::Profile;
        attribute.direction = Direction::Higher;
        attribute.levels = ["low", "top"]
            .map(|level| Level {
                level: level.to_owned(),
                label: text.clone(),
            })
            .to_vec();
        for card in &mut deck.cards {
            let value = &mut card.values[0];
            value.levels = [("low", "1"), ("top", value.value.as_str())]
                .map(|(level, value)| LevelValue {
                    level: level.to_owned(),
                    value: value.to_owned(),
                })
                .to_vec();
            value.marked = Some("top".to_owned());
        }
    };
    let mut whole = document();
    make_profile(&mut whole);
    let by_value = Deck::new(document()).expect("passes");
    let by_profile = Deck::new(whole).expect("passes");
    for card in by_value.cards() {
        let attribute = by_value.attributes().next().expect("an attribute");
        assert_eq!(by_value.rank(card, attribute), by_profile.rank(card, attribute));
    }

    let lower = refused(|deck| {
        make_profile(deck);
        deck.attributes[0].direction = Direction::Lower;
    });
    assert!(matches!(lower, DeckError::ProfileDirection(_)));
    let spoilt: [fn(&mut ValueDocument); 4] = [
        |value| value.marked = None,
        |value| value.marked = Some("middle".to_owned()),
        |value| value.levels.reverse(),
        |value| value.marked = Some("low".to_owned()),
    ];
    for spoil in spoilt {
        let error = refused(|deck| {
            make_profile(deck);
            deck.cards[0].values[0].value = "1.5".to_owned();
            deck.attributes[0].decimals = 1;
            deck.cards[0].values[0].levels[1].value = "1.5".to_owned();
            spoil(&mut deck.cards[0].values[0]);
        });
        assert!(matches!(error, DeckError::Levels { .. }), "{error}");
    }
    let number_with_mark = refused(|deck| deck.cards[0].values[0].marked = Some("top".to_owned()));
    assert!(matches!(number_with_mark, DeckError::Levels { .. }));
}

/// 10.2 beats 9.8 and 1.50 equals 1.5, in the direction of the attribute; a missing value is below any; the
/// best of the deck bears the mark, several may.
#[test]
fn ranks_follow_numbers_directions_and_gaps() {
    let mut document = document();
    document.attributes[0].decimals = 2;
    let values = ["9.8", "10.2", "1.50", "1.5", "10.20", "-3"];
    for (card, value) in document.cards.iter_mut().zip(values) {
        card.values[0].value = value.to_owned();
    }
    document.cards.truncate(6);
    document.groups.clear();
    for card in &mut document.cards {
        card.group = None;
    }
    document.cards[5].values.remove(0);
    for (direction, order) in [
        (Direction::Higher, [2, 3, 1, 1, 3, 0]),
        (Direction::Lower, [2, 1, 3, 3, 1, 0]),
    ] {
        document.attributes[0].direction = direction;
        let deck = Deck::new(document.clone()).expect("passes");
        let attribute = deck.attributes().next().expect("an attribute");
        let ranks: Vec<u8> = deck.cards().map(|card| deck.rank(card, attribute)).collect();
        assert_eq!(ranks, order);
        let marked: Vec<bool> = deck
            .cards()
            .map(|card| deck.bears_mark(card, attribute))
            .collect();
        let best: Vec<bool> = order.iter().map(|rank| *rank == 3).collect();
        assert_eq!(marked, best);
        assert_eq!(deck.value(Card(5), attribute), None);
    }
}

#[test]
fn games_say_what_a_deck_lacks() {
    let mut document = document();
    for group in &mut document.groups {
        group.cards.retain(|number| *number != document.cards[0].number);
    }
    document.cards.remove(0);
    let deck = Deck::new(document.clone()).expect("a deck all the same");
    assert_eq!(deck.fits(GameKind::VdbQuartett), Err(DeckUnfit::GroupsOfFour));
    assert_eq!(deck.fits(GameKind::DuelQuartett), Err(DeckUnfit::GroupsOfFour));
    assert_eq!(deck.fits(GameKind::Supertrump), Ok(()));
    document.cards[0].values.clear();
    document.cards[1].plan = None;
    let deck = Deck::new(document).expect("a deck all the same");
    assert_eq!(deck.fits(GameKind::Supertrump), Err(DeckUnfit::Values));
    assert_eq!(deck.fits(GameKind::VdbSupertrumpf), Err(DeckUnfit::Values));
    assert_eq!(deck.fits(GameKind::Pairs), Err(DeckUnfit::PlanCards));
}

#[test]
fn what_is_no_document_is_malformed() {
    for text in ["", "[]", "{}", r#"{"deck_id": 1}"#] {
        assert!(
            matches!(Deck::parse(text), Err(DeckError::Malformed(_))),
            "{text}"
        );
    }
}
