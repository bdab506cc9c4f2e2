//! Who is asking.

use std::future::Future;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::{FromRequest, HttpRequest, web};

use super::revocations;
use super::tokens::Bearer;
use crate::app::App;
use crate::http::{Code, Counted, Problem};
use crate::ids::{PlayerId, SessionId};

/// The player and session that an access token proves. Taking it refuses everybody else with 401.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Caller {
    /// Who.
    pub(crate) player_id: PlayerId,
    /// On which device.
    pub(crate) session_id: SessionId,
    /// When the token is no longer good: what goes on longer than a request ends then.
    pub(crate) expires_at: i64,
}

impl FromRequest for Caller {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Problem>>>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move { caller(&request).await })
    }
}

async fn caller(request: &HttpRequest) -> Result<Caller, Problem> {
    let app = app_of(request)?;
    let token = token_of(request)?;
    let Bearer {
        player_id,
        session_id,
        expires_at,
    } = app.tokens.read(token).await?;
    let now = app.now_millis();
    if now >= expires_at {
        return Err(Code::TokenExpired.into());
    }
    if revocations::is_revoked(app, session_id).await? {
        return Err(Code::SessionRevoked.into());
    }
    app.rate_limits.admit(request, Counted::Account(player_id), now)?;
    Ok(Caller {
        player_id,
        session_id,
        expires_at,
    })
}

fn app_of(request: &HttpRequest) -> Result<&App, Problem> {
    let app = request
        .app_data::<web::Data<App>>()
        .ok_or_else(|| Problem::internal("no App in this server"))?;
    Ok(app.get_ref())
}

/// The token in `Authorization: Bearer …`.
fn token_of(request: &HttpRequest) -> Result<&str, Problem> {
    let value = request
        .headers()
        .get(header::AUTHORIZATION)
        .ok_or(Code::Unauthenticated)?;
    let (scheme, token) = value
        .to_str()
        .ok()
        .and_then(|text| text.split_once(' '))
        .ok_or(Code::Unauthenticated)?;
    if scheme.eq_ignore_ascii_case("bearer") {
        Ok(token.trim())
    } else {
        Err(Code::Unauthenticated.into())
    }
}

/// The session that an access token names even if it has expired, for signing out. `None` without a token.
///
/// Taking it refuses nobody: a token may have expired so long ago that its key is gone, and signing out has
/// another way to tell which session is meant.
#[derive(Debug)]
pub(super) struct LapsedCaller(pub(super) Option<Result<SessionId, Problem>>);

impl FromRequest for LapsedCaller {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Problem>>>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move {
            if !request.headers().contains_key(header::AUTHORIZATION) {
                return Ok(Self(None));
            }
            Ok(Self(Some(lapsed_session(&request).await)))
        })
    }
}

async fn lapsed_session(request: &HttpRequest) -> Result<SessionId, Problem> {
    let bearer = app_of(request)?.tokens.read(token_of(request)?).await?;
    Ok(bearer.session_id)
}
