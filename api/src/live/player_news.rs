//! What is new in the matches of one player.

use std::collections::HashMap;

use crate::ids::MatchId;

/// So many matches of a player are followed one by one. For changes in others the player's streams say `sync`.
pub(crate) const MATCHES_MAX: usize = 256;

/// How one of a player's matches stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Standing {
    pub(crate) match_id: MatchId,
    pub(crate) version: u64,
    pub(crate) my_turn: bool,
}

/// The newest of each of a player's matches, in the order in which it was told. Readers keep the number up to
/// which they have read and no list of their own, so a slow one costs nothing: it gets the newest, not each.
#[derive(Debug, Default)]
pub(crate) struct PlayerNews {
    /// How often something was told.
    told: u64,
    /// Who has not read up to here has missed something that is no longer here, and must list again.
    forgotten: u64,
    matches: HashMap<MatchId, Told>,
    /// Whether `matches` has everything that ran when it was first compared with the database.
    is_complete: bool,
}

#[derive(Debug)]
struct Told {
    number: u64,
    version: u64,
    my_turn: bool,
    is_over: bool,
}

/// What a reader has not read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unread {
    /// Too much to tell one by one: list again.
    All,
    /// These, the oldest first.
    Some(Vec<Standing>),
}

impl PlayerNews {
    /// The number up to which somebody has read who reads now.
    pub(crate) const fn told(&self) -> u64 {
        self.told
    }

    /// Whether it was compared with the database before.
    pub(crate) const fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// What was told after `read`.
    pub(crate) fn unread(&self, read: u64) -> Unread {
        if read < self.forgotten {
            return Unread::All;
        }
        let mut unread: Vec<(u64, Standing)> = self
            .matches
            .iter()
            .filter(|(_, told)| told.number > read)
            .map(|(id, told)| {
                let standing = Standing {
                    match_id: *id,
                    version: told.version,
                    my_turn: told.my_turn,
                };
                (told.number, standing)
            })
            .collect();
        unread.sort_unstable_by_key(|(number, _)| *number);
        Unread::Some(unread.into_iter().map(|(_, standing)| standing).collect())
    }

    /// Takes a new standing in; `false` if it is none.
    pub(super) fn note(&mut self, standing: Standing, is_over: bool) -> bool {
        let Standing {
            match_id,
            version,
            my_turn,
        } = standing;
        let is_full = self.matches.len() >= MATCHES_MAX;
        let known = self.matches.get_mut(&match_id);
        if known.as_ref().is_some_and(|known| known.version >= version) {
            return false;
        }
        self.told += 1;
        let told = Told {
            number: self.told,
            version,
            my_turn,
            is_over,
        };
        match known {
            Some(known) => *known = told,
            None if is_full => self.forgotten = self.told,
            None => {
                self.matches.insert(match_id, told);
            }
        }
        true
    }

    /// Compares with what runs according to the database, which was asked after `as_of` had been told. `false`
    /// if there is nothing new.
    pub(super) fn compare(&mut self, running: &[Standing], as_of: u64) -> bool {
        let before = self.told;
        let mut is_one_gone = false;
        let Self {
            matches, forgotten, ..
        } = self;
        matches.retain(|id, told| {
            // What was told since the database was asked is newer than its answer.
            if told.number > as_of || running.iter().any(|standing| standing.match_id == *id) {
                return true;
            }
            if told.is_over {
                *forgotten = told.number.max(*forgotten);
            } else {
                is_one_gone = true;
            }
            false
        });
        if is_one_gone {
            // It ended, or the player left it, and nobody told: at which version, only the list can say.
            self.told += 1;
            self.forgotten = self.told;
        }
        for standing in running.iter().take(MATCHES_MAX) {
            if self.is_complete || self.matches.contains_key(&standing.match_id) {
                self.note(*standing, false);
            } else {
                let told = Told {
                    number: 0,
                    version: standing.version,
                    my_turn: standing.my_turn,
                    is_over: false,
                };
                self.matches.insert(standing.match_id, told);
            }
        }
        self.is_complete = true;
        self.told != before
    }
}

#[cfg(test)]
mod tests {
    use super::{MATCHES_MAX, PlayerNews, Standing, Unread};
    use crate::ids::MatchId;
    use uuid::Uuid;

    fn at(number: u128, version: u64) -> Standing {
        Standing {
            match_id: MatchId::from(Uuid::from_u128(number)),
            version,
            my_turn: false,
        }
    }

    #[test]
    fn a_reader_gets_the_newest_of_each_match_once() {
        let mut news = PlayerNews::default();
        assert!(news.note(at(1, 5), false));
        let read = news.told();
        assert!(news.note(at(2, 1), false));
        assert!(news.note(at(1, 6), false));
        assert!(news.note(at(2, 2), false));
        for old in [at(1, 6), at(2, 1)] {
            assert!(!news.note(old, false), "doubled or late");
        }
        assert_eq!(news.unread(read), Unread::Some(vec![at(1, 6), at(2, 2)]));
        assert_eq!(news.unread(news.told()), Unread::Some(Vec::new()));
    }

    #[test]
    fn what_no_notice_told_is_found_by_comparing() {
        let mut news = PlayerNews::default();
        assert!(
            !news.compare(&[at(1, 5), at(2, 1)], news.told()),
            "the beginning is no news"
        );
        let read = news.told();
        assert!(news.compare(&[at(1, 6), at(2, 1), at(3, 1)], news.told()));
        assert_eq!(news.unread(read), Unread::Some(vec![at(1, 6), at(3, 1)]));
        let read = news.told();
        assert!(news.compare(&[at(1, 6), at(3, 1)], news.told()), "one is gone");
        assert_eq!(news.unread(read), Unread::All);
    }

    #[test]
    fn what_was_told_while_the_database_answered_is_not_taken_back() {
        let mut news = PlayerNews::default();
        news.compare(&[], 0);
        let as_of = news.told();
        news.note(at(1, 1), false);
        assert!(!news.compare(&[], as_of));
        assert_eq!(news.unread(as_of), Unread::Some(vec![at(1, 1)]));
    }

    #[test]
    fn an_ended_match_is_told_and_then_forgotten() {
        let mut news = PlayerNews::default();
        news.compare(&[at(1, 5)], 0);
        let read = news.told();
        news.note(at(1, 6), true);
        assert_eq!(news.unread(read), Unread::Some(vec![at(1, 6)]));
        let has_read = news.told();
        assert!(!news.compare(&[], has_read));
        assert_eq!(news.unread(has_read), Unread::Some(Vec::new()));
        assert_eq!(news.unread(read), Unread::All, "who has not read it lists again");
        assert!(news.matches.is_empty());
    }

    #[test]
    fn more_matches_than_are_followed_say_list_again() {
        let mut news = PlayerNews::default();
        let running: Vec<_> = (0..400).map(|number| at(number, 1)).collect();
        news.compare(&running, 0);
        let read = news.told();
        assert!(news.note(at(399, 2), false));
        assert_eq!(news.unread(read), Unread::All);
        assert_eq!(news.matches.len(), MATCHES_MAX);
    }
}
