//! What players read about the games, in English and German.

use quartett_engine::GameKind;

use crate::http::Text;

/// The name of a game.
pub(super) fn title(game: GameKind) -> Text {
    Text::from(match game {
        GameKind::DuelQuartett => ["Duel Quartet", "Duell-Quartett"],
        GameKind::Supertrump => ["Supertrump", "Supertrumpf"],
        GameKind::Pairs => ["Pairs", "Paare"],
        GameKind::VdbSupertrumpf => [
            "Supertrump with playoffs (VDB)",
            "Supertrumpf mit Stichrunden (VDB)",
        ],
        GameKind::VdbQuartett => ["Classic Quartet (VDB)", "Klassisches Quartett (VDB)"],
    })
}

/// The question whose biggest answer starts, for the games whose sheet has one.
pub(super) fn opening_question(game: GameKind) -> Option<Text> {
    let question = match game {
        GameKind::DuelQuartett => [
            "How many inhabitants does your city have?",
            "Wie viele Einwohner hat deine Stadt?",
        ],
        GameKind::Supertrump => [
            "How many floors does the building you live in have?",
            "Wie viele Geschosse hat das Haus, in dem du wohnst?",
        ],
        GameKind::Pairs => [
            "How many metres is it from your home to the nearest station?",
            "Wie viele Meter sind es von dir zu Hause bis zum nächsten Bahnhof?",
        ],
        GameKind::VdbSupertrumpf | GameKind::VdbQuartett => return None,
    };
    Some(Text::from(question))
}

/// The rules of one game, then what holds for all of them.
macro_rules! rules {
    ($game:literal) => {
        [
            concat!(
                include_str!(concat!("rules/", $game, ".en.txt")),
                "\n",
                include_str!("rules/common.en.txt")
            ),
            concat!(
                include_str!(concat!("rules/", $game, ".de.txt")),
                "\n",
                include_str!("rules/common.de.txt")
            ),
        ]
    };
}

/// The rules of a game, for people.
pub(super) fn rules_text(game: GameKind) -> Text {
    let texts = match game {
        GameKind::DuelQuartett => rules!("duel_quartett"),
        GameKind::Supertrump => rules!("supertrump"),
        GameKind::Pairs => rules!("pairs"),
        GameKind::VdbSupertrumpf => rules!("vdb_supertrumpf"),
        GameKind::VdbQuartett => rules!("vdb_quartett"),
    };
    Text::from(texts.map(str::trim_end))
}

#[cfg(test)]
mod tests {
    use super::{opening_question, rules_text, title};
    use crate::http::Text;
    use quartett_engine::GameKind;
    use std::collections::BTreeSet;

    /// The first words of the paragraphs.
    fn headings(text: &str) -> Vec<&str> {
        text.split("\n\n")
            .map(|paragraph| {
                assert!(!paragraph.contains('\n') && !paragraph.is_empty(), "{paragraph}");
                paragraph.split('.').next().unwrap()
            })
            .collect()
    }

    #[test]
    fn every_game_is_told_in_both_languages_and_told_whole() {
        for game in GameKind::ALL {
            let Text { en, de } = rules_text(game);
            let (english, german) = (headings(&en), headings(&de));
            assert_eq!(english.len(), german.len(), "{game:?}");
            for heading in ["Aim", "What you see", "Limit", "At a distance", "Time", "Result"] {
                assert!(english.contains(&heading), "{game:?} says nothing of {heading}");
            }
            for heading in [
                "Ziel",
                "Was du siehst",
                "Grenze",
                "Aus der Ferne",
                "Zeit",
                "Ergebnis",
            ] {
                assert!(german.contains(&heading), "{game:?} sagt nichts über {heading}");
            }
            let question = opening_question(game);
            assert_eq!(question.is_some(), game.has_opening_question());
            assert_eq!(question.is_some(), en.contains("opening question"));
            assert_eq!(question.is_some(), de.contains("Eröffnungsfrage"));
            assert!(
                question.is_none_or(|Text { en, de }| en.ends_with('?') && de.ends_with('?') && en != de)
            );
        }
        let titles: BTreeSet<String> = GameKind::ALL
            .into_iter()
            .flat_map(|game| [title(game).en, title(game).de])
            .collect();
        assert_eq!(titles.len(), 10);
    }

    #[test]
    fn the_limits_that_the_rules_tell_are_the_engines() {
        for (game, numbers) in [
            (GameKind::DuelQuartett, vec!["12"]),
            (GameKind::Supertrump, vec!["200"]),
            (GameKind::Pairs, vec!["12"]),
            (GameKind::VdbSupertrumpf, vec!["60"]),
            (GameKind::VdbQuartett, vec!["3", "150"]),
        ] {
            let Text { en, de } = rules_text(game);
            for text in [en, de] {
                let limit = text
                    .split("\n\n")
                    .find(|paragraph| paragraph.starts_with("Limit") || paragraph.starts_with("Grenze"))
                    .unwrap();
                let told: Vec<&str> = limit
                    .split(|character: char| !character.is_ascii_digit())
                    .filter(|digits| !digits.is_empty())
                    .collect();
                assert_eq!(told, numbers, "{game:?}");
            }
        }
    }
}
