//! Access tokens: what is believed, and everything that is not.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use ed25519_dalek::{Signer, SigningKey, Verifier, VerifyingKey};
use hmac::{Hmac, KeyInit, Mac};
use quartett_api::Code;
use quartett_api::Seal;
use reqwest::Method;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};

use crate::support::{Player, SEAL_KEY, Service, json, nothing, problem};

/// What makes tokens as the service does, and as it must not.
struct Forge {
    kid: String,
    key: SigningKey,
    /// What a good token says.
    claims: Value,
}

impl Forge {
    /// With the service's own key, taken out of its database.
    async fn of(service: &Service, player: &Player) -> Self {
        let connection = service.home.connect().await;
        let statement = Statement::from_string(
            connection.get_database_backend(),
            "SELECT id, sealed_private FROM keys WHERE purpose = 'access' AND retired_at IS NULL",
        );
        let row = connection.query_one_raw(statement).await.unwrap().unwrap();
        let kid: String = row.try_get("", "id").unwrap();
        let sealed: Vec<u8> = row.try_get("", "sealed_private").unwrap();
        let private = Seal::new(&SEAL_KEY.parse().unwrap())
            .open("keys", kid.as_bytes(), &sealed)
            .unwrap();
        Self {
            kid,
            key: SigningKey::from_bytes(&private.try_into().unwrap()),
            claims: part(&player.access, 1),
        }
    }

    fn header(&self) -> Value {
        json!({"alg": "EdDSA", "typ": "JWT", "kid": self.kid})
    }

    fn sign(&self, header: &Value, claims: &Value) -> String {
        signed(header, claims, |text| self.key.sign(text).to_vec())
    }

    /// A good token but for one claim.
    fn claiming(&self, name: &str, value: Value) -> String {
        let mut claims = self.claims.clone();
        claims[name] = value;
        self.sign(&self.header(), &claims)
    }
}

fn part(token: &str, index: usize) -> Value {
    let text = token.split('.').nth(index).unwrap();
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(text).unwrap()).unwrap()
}

fn signed(header: &Value, claims: &Value, sign: impl Fn(&[u8]) -> Vec<u8>) -> String {
    let encoded = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let text = format!("{}.{}", encoded(header), encoded(claims));
    let signature = sign(text.as_bytes());
    format!("{text}.{}", URL_SAFE_NO_PAD.encode(signature))
}

fn hs256(secret: &[u8]) -> impl Fn(&[u8]) -> Vec<u8> {
    move |text| {
        let mut mac = Hmac::<sha2::Sha256>::new_from_slice(secret).unwrap();
        mac.update(text);
        mac.finalize().into_bytes().to_vec()
    }
}

async fn try_token(service: &Service, token: &str) -> reqwest::Response {
    let request = service.request(Method::GET, "/v1/me");
    request
        .header("authorization", format!("Bearer {token}"))
        .send()
        .await
        .unwrap()
}

#[tokio::test]
async fn tokens_say_what_the_contract_says_and_are_checked_with_the_published_keys() {
    let service = Service::start(&[("PUBLIC_URL", "https://play.example")]).await;
    let ann = service.guest("Ann").await;
    let (header, claims) = (part(&ann.access, 0), part(&ann.access, 1));
    let members = |value: &Value| {
        let mut names: Vec<String> = value.as_object().unwrap().keys().cloned().collect();
        names.sort();
        names
    };
    assert_eq!(members(&header), ["alg", "kid", "typ"]);
    assert_eq!(members(&claims), ["aud", "exp", "iat", "iss", "sid", "sub"]);
    assert_eq!(
        (&claims["iss"], &claims["sub"]),
        (&json!("https://play.example"), &json!(ann.id))
    );
    assert_eq!(
        claims["exp"].as_i64().unwrap() - claims["iat"].as_i64().unwrap(),
        15 * 60
    );

    let published = json(service.get("/.well-known/jwks.json").await, 200).await;
    let key = &published["keys"][0];
    assert_eq!((&key["kty"], &key["crv"]), (&json!("OKP"), &json!("Ed25519")));
    assert_eq!(key["kid"], header["kid"]);
    assert!(key.get("d").is_none(), "the private half");
    let public = URL_SAFE_NO_PAD.decode(key["x"].as_str().unwrap()).unwrap();
    let public = VerifyingKey::from_bytes(&public.try_into().unwrap()).unwrap();
    let (text, signature) = ann.access.rsplit_once('.').unwrap();
    let signature = URL_SAFE_NO_PAD.decode(signature).unwrap();
    public
        .verify(text.as_bytes(), &signature.as_slice().try_into().unwrap())
        .unwrap();
    service.stop().await;
}

#[tokio::test]
async fn a_token_with_a_wrong_claim_is_refused() {
    let service = Service::start(&[]).await;
    let ann = service.guest("Ann").await;
    let forge = Forge::of(&service, &ann).await;
    assert_eq!(
        try_token(&service, &forge.sign(&forge.header(), &forge.claims))
            .await
            .status(),
        200,
        "the forge makes good tokens"
    );
    for (name, value) in [
        ("iss", json!("https://evil.example")),
        ("iss", json!("")),
        ("aud", json!("another-api")),
        ("aud", json!(["another-api"])),
        ("sub", json!("me")),
        ("sub", json!(7)),
        ("sid", json!("018f2f6e7c3a7b3e9a550d8f5d9b7a10")),
        ("exp", json!("tomorrow")),
        ("iat", json!("yesterday")),
    ] {
        let token = forge.claiming(name, value.clone());
        let told = problem(try_token(&service, &token).await, Code::TokenInvalid).await;
        assert!(!told.to_string().contains("evil"), "{name}: {value}");
    }
    for name in ["iss", "aud", "sub", "sid", "exp", "iat"] {
        let mut claims = forge.claims.clone();
        claims.as_object_mut().unwrap().remove(name);
        let token = forge.sign(&forge.header(), &claims);
        problem(try_token(&service, &token).await, Code::TokenInvalid).await;
    }
    service.stop().await;
}

#[tokio::test]
async fn clocks_may_differ_a_minute_and_no_more() {
    let service = Service::start(&[]).await;
    let ann = service.guest("Ann").await;
    let forge = Forge::of(&service, &ann).await;
    let now = forge.claims["iat"].as_i64().unwrap();
    let made = |at: i64| {
        let mut claims = forge.claims.clone();
        claims["iat"] = json!(at);
        claims["exp"] = json!(at + 900);
        forge.sign(&forge.header(), &claims)
    };
    for (at, code) in [
        (now + 60, None),
        (now + 61, Some(Code::TokenInvalid)),
        (now + 86_400, Some(Code::TokenInvalid)),
        (i64::MAX - 900, Some(Code::TokenInvalid)),
        (now - 899, None),
        (now - 900, Some(Code::TokenExpired)),
        (0, Some(Code::TokenExpired)),
    ] {
        let answer = try_token(&service, &made(at)).await;
        match code {
            None => assert_eq!(answer.status(), 200, "{at}"),
            Some(code) => {
                problem(answer, code).await;
            }
        }
    }
    service.stop().await;
}

#[tokio::test]
async fn a_token_that_another_key_or_no_key_signed_is_refused() {
    let service = Service::start(&[]).await;
    let ann = service.guest("Ann").await;
    let forge = Forge::of(&service, &ann).await;
    let claims = &forge.claims;
    let foreign = SigningKey::from_bytes(&[7; 32]);
    let by_foreign = |header: &Value| signed(header, claims, |text| foreign.sign(text).to_vec());
    let public = forge.key.verifying_key().to_bytes();
    let x = URL_SAFE_NO_PAD.encode(public);
    // The key as a file would have it: 12 bytes that say Ed25519, then the key.
    let der = [
        &[
            0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00,
        ],
        public.as_slice(),
    ]
    .concat();
    let pem = format!(
        "-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----\n",
        STANDARD.encode(&der)
    );
    let foreign_x = URL_SAFE_NO_PAD.encode(foreign.verifying_key().to_bytes());
    let with = |name: &str, value: Value| {
        let mut header = forge.header();
        header[name] = value;
        header
    };

    let mut tokens = vec![
        by_foreign(&forge.header()),
        by_foreign(&with("kid", json!("0000000000000000"))),
        by_foreign(&with("kid", json!("../../../dev/null"))),
        by_foreign(&with("kid", json!("' OR 1=1 --"))),
        by_foreign(&with("kid", json!(""))),
        by_foreign(&with(
            "jwk",
            json!({"kty": "OKP", "crv": "Ed25519", "x": foreign_x}),
        )),
        by_foreign(&with(
            "jku",
            json!(format!("{}/.well-known/jwks.json", service.url)),
        )),
        by_foreign(&with("x5u", json!("https://evil.example/key.pem"))),
        // Without a name, no key is tried.
        forge.sign(&json!({"alg": "EdDSA", "typ": "JWT"}), claims),
        // Signed for another text.
        format!(
            "{}.{}",
            forge
                .claiming("sub", json!("018f2f6e-7c3a-7b3e-9a55-0d8f5d9b7a10"))
                .rsplit_once('.')
                .unwrap()
                .0,
            ann.access.rsplit_once('.').unwrap().1
        ),
    ];
    for algorithm in ["none", "None", "NONE", "nOnE"] {
        let header = with("alg", json!(algorithm));
        tokens.push(signed(&header, claims, |_| Vec::new()));
        tokens.push(forge.sign(&header, claims));
    }
    for algorithm in [
        "HS256", "HS384", "HS512", "RS256", "ES256", "PS256", "Ed25519", "EDDSA",
    ] {
        let header = with("alg", json!(algorithm));
        for secret in [
            public.as_slice(),
            x.as_bytes(),
            &der,
            pem.as_bytes(),
            pem.trim().as_bytes(),
            b"",
        ] {
            tokens.push(signed(&header, claims, hs256(secret)));
        }
        tokens.push(forge.sign(&header, claims));
    }
    for token in &tokens {
        problem(try_token(&service, token).await, Code::TokenInvalid).await;
    }
    service.stop().await;
}

#[tokio::test]
async fn what_is_no_token_is_refused() {
    let service = Service::start(&[]).await;
    let ann = service.guest("Ann").await;
    let good = &ann.access;
    let parts: Vec<&str> = good.split('.').collect();
    let (shorter, longer) = (&good[..good.len() - 2], format!("{good}AA"));
    for token in [
        "x",
        ".",
        "..",
        "null",
        shorter,
        &longer,
        &format!("{good}."),
        &format!("{}.{}", parts[0], parts[1]),
        &format!("{}.{}.", parts[0], parts[1]),
        &format!("{good}="),
        &format!("{good}.{good}"),
        &parts.join(".."),
        &format!("{}.e30.{}", parts[0], parts[2]),
        &format!("e30.{}.{}", parts[1], parts[2]),
        &ann.refresh,
        &"A".repeat(4000),
    ] {
        problem(try_token(&service, token).await, Code::TokenInvalid).await;
    }
    for value in [
        "",
        "Bearer",
        "Basic YTpi",
        good.as_str(),
        &format!("Token {good}"),
    ] {
        let request = service
            .request(Method::GET, "/v1/me")
            .header("authorization", value);
        problem(request.send().await.unwrap(), Code::Unauthenticated).await;
    }
    let in_url = service.get(&format!("/v1/me?access_token={good}")).await;
    problem(in_url, Code::Unauthenticated).await;
    problem(service.refresh(good).await, Code::RefreshTokenInvalid).await;
    // The scheme's name is written in any case.
    let request = service
        .request(Method::GET, "/v1/me")
        .header("authorization", format!("bearer {good}"));
    assert_eq!(request.send().await.unwrap().status(), 200);
    nothing(service.call(&ann, Method::POST, "/v1/auth/logout").await).await;
    service.stop().await;
}

async fn published_kids(service: &Service) -> Vec<String> {
    let published = json(service.get("/.well-known/jwks.json").await, 200).await;
    let keys = published["keys"].as_array().unwrap().iter();
    keys.map(|key| key["kid"].as_str().unwrap().to_owned()).collect()
}

/// Waits until a background task has seen the moved clock; how long that takes is the machine's business.
async fn until_published(service: &Service, count: usize) -> Vec<String> {
    let published = async {
        loop {
            let kids = published_kids(service).await;
            if kids.len() == count {
                return kids;
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(60), published)
        .await
        .unwrap_or_else(|_| panic!("never {count} keys"))
}

#[tokio::test]
async fn keys_are_replaced_by_age_and_the_old_one_is_believed_until_its_last_token_is_gone() {
    const MINUTE: i64 = 60_000;
    let service = Service::start(&[("RATE_LIMITS", "off")]).await;
    let ann = service.guest("Ann").await;
    let old_kid = published_kids(&service).await.remove(0);
    service.clock.advance(30 * 24 * 60 * MINUTE - MINUTE);
    let last: Player = json(service.refresh(&ann.refresh).await, 200).await.into();
    assert_eq!(part(&last.access, 0)["kid"], old_kid);

    service.clock.advance(2 * MINUTE);
    let kids = until_published(&service, 2).await;
    assert_eq!(kids[1], old_kid, "the newest key stands first");
    let next: Player = json(service.refresh(&last.refresh).await, 200).await.into();
    assert_eq!(part(&next.access, 0)["kid"], kids[0]);
    service.clock.advance(12 * MINUTE + MINUTE / 2);
    assert_eq!(try_token(&service, &last.access).await.status(), 200);
    assert_eq!(published_kids(&service).await.len(), 2);
    service.clock.advance(MINUTE);
    problem(try_token(&service, &last.access).await, Code::TokenExpired).await;
    service.clock.advance(20 * MINUTE);
    assert_eq!(until_published(&service, 1).await, kids[..1]);
    problem(try_token(&service, &last.access).await, Code::TokenInvalid).await;
    service.stop().await;
}
