//! A network of addresses.

use std::net::IpAddr;
use std::str::FromStr;

/// One address, or all that share its first bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    prefix_bits: u32,
}

/// A text that names no network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected addresses such as 10.1.2.3 or networks such as 10.0.0.0/8")]
pub struct InvalidNetwork;

impl Network {
    /// Whether `address` lies in it.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(ours), IpAddr::V4(theirs)) => {
                let differing = ours.to_bits() ^ theirs.to_bits();
                differing.leading_zeros() >= self.prefix_bits
            }
            (IpAddr::V6(ours), IpAddr::V6(theirs)) => {
                let differing = ours.to_bits() ^ theirs.to_bits();
                differing.leading_zeros() >= self.prefix_bits
            }
            (IpAddr::V4(_), IpAddr::V6(_)) | (IpAddr::V6(_), IpAddr::V4(_)) => false,
        }
    }
}

impl FromStr for Network {
    type Err = InvalidNetwork;

    fn from_str(text: &str) -> Result<Self, InvalidNetwork> {
        let (address, prefix) = text.split_once('/').map_or((text, None), |(a, p)| (a, Some(p)));
        let address: IpAddr = address.parse().map_err(|_| InvalidNetwork)?;
        let most_bits = if address.is_ipv4() { 32 } else { 128 };
        let prefix_bits = match prefix {
            Some(prefix) => prefix.parse().map_err(|_| InvalidNetwork)?,
            None => most_bits,
        };
        if prefix_bits > most_bits {
            Err(InvalidNetwork)
        } else {
            Ok(Self { address, prefix_bits })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Network;

    #[test]
    fn a_network_holds_the_addresses_that_share_its_first_bits() {
        let network: Network = "10.1.0.0/16".parse().unwrap();
        assert!(network.contains("10.1.255.3".parse().unwrap()));
        assert!(network.contains("::ffff:10.1.2.3".parse().unwrap()));
        assert!(!network.contains("10.2.0.1".parse().unwrap()));
        assert!(!network.contains("::1".parse().unwrap()));
        let everything: Network = "::/0".parse().unwrap();
        assert!(everything.contains("2001:db8::1".parse().unwrap()));
        assert!("10.0.0.0/33".parse::<Network>().is_err());
    }
}
