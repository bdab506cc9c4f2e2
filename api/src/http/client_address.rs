//! Where a request comes from.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use actix_web::dev::ServiceRequest;

use crate::config::Network;

/// The address of a request, left at it by the edge.
#[derive(Debug, Clone, Copy)]
pub(super) struct ClientAddress(pub(super) IpAddr);

/// The address a request is counted under: the peer's, or, if the peer is a trusted proxy, the last one in
/// `X-Forwarded-For` that is not. What stands further left was written by the client and means nothing.
pub(super) fn client_address(request: &ServiceRequest, trusted: &[Network]) -> IpAddr {
    let peer = request
        .peer_addr()
        .map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.ip().to_canonical());
    let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.contains(address));
    if !is_trusted(peer) {
        return peer;
    }
    let forwarded: Vec<&str> = request
        .headers()
        .get_all("x-forwarded-for")
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .collect();
    forwarded
        .iter()
        .rev()
        .map_while(|text| address(text.trim()))
        .map(|address| address.to_canonical())
        .find(|address| !is_trusted(*address))
        .unwrap_or(peer)
}

/// An address as proxies write it: with or without a port, IPv6 with or without brackets.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    bare.unwrap_or(text)
        .parse()
        .ok()
        .or_else(|| text.parse().ok().map(|with_port: SocketAddr| with_port.ip()))
}

#[cfg(test)]
mod tests {
    use super::client_address;
    use actix_web::test::TestRequest;

    fn seen(peer: &str, forwarded: &str, trusted: &str) -> String {
        let trusted: Vec<_> = trusted
            .split_terminator(',')
            .map(|text| text.parse().unwrap())
            .collect();
        let request = TestRequest::get()
            .peer_addr(format!("{peer}:9999").parse().unwrap())
            .insert_header(("X-Forwarded-For", forwarded))
            .to_srv_request();
        client_address(&request, &trusted).to_string()
    }

    #[test]
    fn only_what_trusted_proxies_wrote_is_believed() {
        assert_eq!(seen("203.0.113.9", "10.9.9.9", ""), "203.0.113.9");
        assert_eq!(seen("10.0.0.1", "198.51.100.7", "10.0.0.0/8"), "198.51.100.7");
        assert_eq!(
            seen("10.0.0.1", "1.2.3.4, 198.51.100.7, 10.0.0.2", "10.0.0.0/8"),
            "198.51.100.7"
        );
        for (written, address) in [
            ("198.51.100.7:1234", "198.51.100.7"),
            ("[2001:db8::7]:1234", "2001:db8::7"),
            ("[2001:db8::7]", "2001:db8::7"),
            ("2001:db8::7", "2001:db8::7"),
            ("::ffff:198.51.100.7", "198.51.100.7"),
        ] {
            assert_eq!(seen("10.0.0.1", written, "10.0.0.0/8"), address, "{written}");
        }
        assert_eq!(seen("10.0.0.1", "1.2.3.4, nonsense", "10.0.0.0/8"), "10.0.0.1");
    }
}
