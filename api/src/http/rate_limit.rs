//! How much one address, one account and one username may ask for.
//!
//! Each is a bucket that refills steadily. Buckets live in this instance's memory, and only a bounded number
//! of them: the limits protect the service, they are no accounting.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use actix_web::HttpMessage;
use actix_web::http::header::{HeaderName, HeaderValue};

use super::client_address::ClientAddress;
use super::code::Code;
use super::problem::Problem;
use crate::ids::PlayerId;

/// How many buckets are kept at most.
const MOST_BUCKETS: usize = 100_000;

/// Looking through all of them takes a while, so it is not done for every newcomer.
const SWEEP_MILLIS: i64 = 1_000;

/// So many requests in so long a time; all of them may come at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Policy {
    name: &'static str,
    quota: i64,
    window_seconds: i64,
}

impl Policy {
    const ADDRESS: Self = Self {
        name: "address",
        quota: 1200,
        window_seconds: 60,
    };
    const ACCOUNT: Self = Self {
        name: "account",
        quota: 600,
        window_seconds: 60,
    };
    const CREDENTIALS: Self = Self {
        name: "credentials",
        quota: 40,
        window_seconds: 60,
    };
    const USERNAME_THERE: Self = Self {
        name: "username",
        quota: 20,
        window_seconds: 120,
    };
    /// So much more than one network can use up that a few attackers do not lock the owner out, and still far too
    /// little to guess a password.
    const USERNAME: Self = Self {
        name: "username-anywhere",
        quota: 100,
        window_seconds: 120,
    };

    const fn emission_millis(self) -> i64 {
        self.window_seconds * 1000 / self.quota
    }
}

/// Whose requests are counted together.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Counted {
    /// All requests of an address.
    Address(IpAddr),
    /// All requests of a player, from wherever.
    Account(PlayerId),
    /// Requests of an address that try or make credentials.
    Credentials(IpAddr),
    /// Tries at a case-folded username from the network of an address.
    UsernameThere(String, IpAddr),
    /// The same from wherever.
    Username(String),
}

impl Counted {
    const fn policy(&self) -> Policy {
        match self {
            Self::Address(_) => Policy::ADDRESS,
            Self::Account(_) => Policy::ACCOUNT,
            Self::Credentials(_) => Policy::CREDENTIALS,
            Self::UsernameThere(..) => Policy::USERNAME_THERE,
            Self::Username(_) => Policy::USERNAME,
        }
    }

    /// A customer's whole IPv6 network counts as one address: it has more addresses than there are buckets. Tries
    /// at one username are counted by what one attacker can rent, so that it takes several.
    fn folded(self) -> Self {
        match self {
            Self::Address(address) => Self::Address(network(address, 32, 64)),
            Self::Credentials(address) => Self::Credentials(network(address, 32, 64)),
            Self::UsernameThere(username, address) => Self::UsernameThere(username, network(address, 24, 48)),
            Self::Account(_) | Self::Username(_) => self,
        }
    }
}

/// The network of an address: so many bits of it.
fn network(address: IpAddr, bits_v4: u32, bits_v6: u32) -> IpAddr {
    match address {
        IpAddr::V4(address) => IpAddr::V4((address.to_bits() & (u32::MAX << (32 - bits_v4))).into()),
        IpAddr::V6(address) => IpAddr::V6((address.to_bits() & (u128::MAX << (128 - bits_v6))).into()),
    }
}

/// What is left after a request was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Standing {
    policy: Policy,
    left: i64,
    full_in_seconds: i64,
}

impl Standing {
    /// `RateLimit-Policy` and `RateLimit`, as the IETF draft spells them.
    pub(crate) fn headers(self) -> [(HeaderName, HeaderValue); 2] {
        let Self {
            policy:
                Policy {
                    name,
                    quota,
                    window_seconds,
                },
            left,
            full_in_seconds,
        } = self;
        let value =
            |text: String| HeaderValue::from_str(&text).expect("names and numbers are a header value");
        [
            (
                HeaderName::from_static("ratelimit-policy"),
                value(format!("\"{name}\";q={quota};w={window_seconds}")),
            ),
            (
                HeaderName::from_static("ratelimit"),
                value(format!("\"{name}\";r={left};t={full_in_seconds}")),
            ),
        ]
    }

    /// Leaves this for the edge to tell the client; the narrowest one counts.
    pub(crate) fn note(self, message: &impl HttpMessage) {
        let mut extensions = message.extensions_mut();
        if extensions
            .get::<Self>()
            .is_none_or(|noted| self.left < noted.left)
        {
            extensions.insert(self);
        }
    }
}

/// A request too many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Refusal {
    standing: Standing,
    wait_seconds: u32,
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        let Refusal {
            standing,
            wait_seconds,
        } = refusal;
        Self::new(Code::RateLimited)
            .detail(format!("Too many requests counted per {}.", standing.policy.name))
            .retry_after_seconds(wait_seconds)
    }
}

/// The buckets that are not full.
#[derive(Default)]
struct Buckets {
    /// For each, when it will be full again; no entry means full.
    full_at_millis: HashMap<Counted, i64>,
    swept_at_millis: i64,
}

impl Buckets {
    fn insert(&mut self, counted: Counted, full_at_millis: i64, now_millis: i64) {
        let is_known = self.full_at_millis.contains_key(&counted);
        if !is_known
            && self.full_at_millis.len() >= MOST_BUCKETS
            && now_millis - self.swept_at_millis >= SWEEP_MILLIS
        {
            self.swept_at_millis = now_millis;
            self.full_at_millis.retain(|_, full_at| *full_at > now_millis);
        }
        // When every bucket is in use by somebody, newcomers pass uncounted: memory stays bounded, and a
        // flood of addresses does not shut everybody else out.
        if is_known || self.full_at_millis.len() < MOST_BUCKETS {
            self.full_at_millis.insert(counted, full_at_millis);
        }
    }
}

/// All buckets of this instance.
pub(crate) struct RateLimits {
    buckets: Option<Mutex<Buckets>>,
}

impl RateLimits {
    /// Limits that count, or none at all.
    pub(crate) fn new(on: bool) -> Self {
        Self {
            buckets: on.then(Mutex::default),
        }
    }

    /// Counts one request, or refuses it; either way the client is told how it stands.
    pub(crate) fn admit(
        &self,
        message: &impl HttpMessage,
        counted: Counted,
        now_millis: i64,
    ) -> Result<(), Problem> {
        match self.count(counted, now_millis) {
            Ok(None) => Ok(()),
            Ok(Some(standing)) => {
                standing.note(message);
                Ok(())
            }
            Err(refusal) => {
                refusal.standing.note(message);
                Err(refusal.into())
            }
        }
    }

    /// Counts one try at a username, or refuses it: for the network it comes from and, if that lets it pass, for all
    /// of them together. So whoever tries too often is slowed, and the owner elsewhere still signs in.
    pub(crate) fn admit_try(
        &self,
        message: &impl HttpMessage,
        username: &str,
        now_millis: i64,
    ) -> Result<(), Problem> {
        let address = message.extensions().get::<ClientAddress>().copied();
        let ClientAddress(address) = address.ok_or_else(|| Problem::internal("a request without address"))?;
        let there = Counted::UsernameThere(username.to_owned(), address);
        self.admit(message, there, now_millis)?;
        self.admit(message, Counted::Username(username.to_owned()), now_millis)
    }

    /// Counts one request, or refuses it. `None` when limits are off.
    fn count(&self, counted: Counted, now_millis: i64) -> Result<Option<Standing>, Refusal> {
        let Some(buckets) = &self.buckets else {
            return Ok(None);
        };
        let counted = counted.folded();
        let policy = counted.policy();
        // A panic elsewhere leaves nothing half-done in a map of numbers.
        let mut buckets = buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let full_at = buckets
            .full_at_millis
            .get(&counted)
            .copied()
            .unwrap_or(now_millis)
            .max(now_millis);
        let next = full_at + policy.emission_millis();
        let over_millis = next - now_millis - policy.window_seconds * 1000;
        if over_millis > 0 {
            let wait_seconds = u32::try_from(seconds(over_millis)).unwrap_or(u32::MAX);
            return Err(Refusal {
                standing: Standing {
                    policy,
                    left: 0,
                    full_in_seconds: seconds(full_at - now_millis),
                },
                wait_seconds,
            });
        }
        buckets.insert(counted, next, now_millis);
        let used_millis = next - now_millis;
        Ok(Some(Standing {
            policy,
            left: (policy.window_seconds * 1000 - used_millis) / policy.emission_millis(),
            full_in_seconds: seconds(used_millis),
        }))
    }
}

/// The first whole second at which `millis` have passed.
const fn seconds(millis: i64) -> i64 {
    (millis + 999).div_euclid(1000)
}

#[cfg(test)]
mod tests {
    use super::{Counted, MOST_BUCKETS, Policy, RateLimits, SWEEP_MILLIS};
    use crate::http::{Code, Problem};

    fn address(text: &str) -> Counted {
        Counted::Credentials(text.parse().unwrap())
    }

    #[test]
    fn a_bucket_empties_refills_and_leaves_others_alone() {
        let limits = RateLimits::new(true);
        for left in (0..Policy::CREDENTIALS.quota).rev() {
            assert_eq!(limits.count(address("192.0.2.1"), 0).unwrap().unwrap().left, left);
        }
        let refusal = limits.count(address("192.0.2.1"), 0).unwrap_err();
        assert_eq!((refusal.standing.left, refusal.wait_seconds), (0, 2));
        assert_eq!(Problem::from(refusal).code(), Code::RateLimited);
        assert!(limits.count(address("192.0.2.2"), 0).is_ok());
        assert!(
            limits
                .count(Counted::Address("192.0.2.1".parse().unwrap()), 0)
                .is_ok()
        );
        assert!(
            limits
                .count(address("192.0.2.1"), Policy::CREDENTIALS.emission_millis())
                .is_ok()
        );
        assert!(
            limits
                .count(address("192.0.2.1"), Policy::CREDENTIALS.emission_millis())
                .is_err()
        );
    }

    #[test]
    fn a_whole_ipv6_network_is_one_address() {
        let limits = RateLimits::new(true);
        for host in 0..Policy::CREDENTIALS.quota {
            limits.count(address(&format!("2001:db8::{host:x}")), 0).unwrap();
        }
        assert!(limits.count(address("2001:db8::ffff"), 0).is_err());
        assert!(limits.count(address("2001:db8:0:1::1"), 0).is_ok());
    }

    #[test]
    fn memory_is_bounded_and_full_buckets_make_room() {
        let limits = RateLimits::new(true);
        for number in 0..MOST_BUCKETS {
            limits.count(Counted::Username(number.to_string()), 0).unwrap();
        }
        let newcomer = || Counted::Username("newcomer".to_owned());
        let uncounted = limits.count(newcomer(), 1).unwrap();
        assert_eq!(limits.count(newcomer(), 1).unwrap(), uncounted);
        let later = Policy::USERNAME.emission_millis().max(SWEEP_MILLIS);
        let first = limits.count(newcomer(), later).unwrap().unwrap();
        let second = limits.count(newcomer(), later).unwrap().unwrap();
        assert_eq!(first.left - second.left, 1);
    }

    #[test]
    fn limits_can_be_off() {
        let limits = RateLimits::new(false);
        for _ in 0..1000 {
            assert_eq!(limits.count(address("192.0.2.1"), 0).unwrap(), None);
        }
    }
}
