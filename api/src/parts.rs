//! What an [`Application`](crate::Application) is built from besides its configuration.
//!
//! These are parameters, never cargo features: a workspace would unify features into the product. The
//! product uses [`Parts::real`]; tests replace what they want to steer.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use quartett_engine::Deck;

use crate::clock::{Clock, Randomness, SystemClock, SystemRandomness};

/// The replaceable parts of an application.
#[derive(Clone)]
pub struct Parts {
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
    /// Gives random bytes.
    pub randomness: Arc<dyn Randomness>,
    /// Stops, delays or kills at a named place.
    pub failpoints: Failpoints,
    /// Shows a hidden card on purpose, so that tests of secrecy prove that they can see.
    pub planted_leak: Option<PlantedLeak>,
    /// Replaces the shuffle, so that a test knows every hand.
    pub fixed_deal: Option<FixedDeal>,
}

impl Parts {
    /// What the product runs with: the machine's clock and randomness, nothing steered.
    #[must_use]
    pub fn real() -> Self {
        Self {
            clock: Arc::new(SystemClock),
            randomness: Arc::new(SystemRandomness),
            failpoints: Failpoints::none(),
            planted_leak: None,
            fixed_deal: None,
        }
    }
}

/// What to do when a failpoint of that name is reached.
type Reaction = dyn Fn(&'static str) -> BoxFuture<'static, ()> + Send + Sync;

/// Named places in the code where a test may stop, delay or kill the service.
#[derive(Clone)]
pub struct Failpoints {
    reaction: Option<Arc<Reaction>>,
}

impl Failpoints {
    /// Every place is passed at once.
    #[must_use]
    pub const fn none() -> Self {
        Self { reaction: None }
    }

    /// Calls `reaction` with the name of each place that is reached, and goes on when it is done.
    pub fn reacting(
        reaction: impl Fn(&'static str) -> BoxFuture<'static, ()> + Send + Sync + 'static,
    ) -> Self {
        Self {
            reaction: Some(Arc::new(reaction)),
        }
    }

    /// Passes the place called `name`.
    pub fn hit(&self, name: &'static str) -> BoxFuture<'static, ()> {
        self.reaction
            .as_ref()
            .map_or_else(|| std::future::ready(()).boxed(), |reaction| reaction(name))
    }
}

impl std::fmt::Debug for Failpoints {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Failpoints")
            .field("steered", &self.reaction.is_some())
            .finish()
    }
}

/// Where a test build shows a hidden card on purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlantedLeak {
    /// In every view.
    View,
    /// In every event of the history.
    History,
    /// In the list of legal actions.
    LegalActions,
    /// In the detail of every refusal by the rules.
    Error,
}

/// The order of the cards of every deal, from the first dealt on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FixedDeal {
    /// Card numbers, the first one dealt to the starter; for Pairs `q:` and `p:` before the number tell the
    /// card and its plan card, from place 1 on.
    pub cards: Vec<String>,
}

impl FixedDeal {
    /// As places in the deck's own order, plan cards counted on behind the cards. What the deck does not have
    /// is left out.
    pub(crate) fn order(&self, deck: &Deck) -> Vec<usize> {
        let place = |name: &String| {
            let (number, behind) = match name.strip_prefix("p:") {
                Some(number) => (number, deck.size()),
                None => (name.strip_prefix("q:").unwrap_or(name), 0),
            };
            let card = deck.card(number);
            deck.has_card(card).then(|| card.index() + behind)
        };
        self.cards.iter().filter_map(place).collect()
    }
}
