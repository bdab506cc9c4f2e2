//! What every request passes on its way in and out: the request id, the limits, the log line, and the one
//! place where errors get their form.

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, HttpResponse, web};

use super::client_address::{ClientAddress, client_address};
use super::code::Code;
use super::problem::{PROBLEM_JSON, Problem};
use super::rate_limit::{Counted, Standing};
use super::{cors, pages};
use crate::app::App;
use crate::clock::new_uuid;

/// Where credentials are made and tried. Refreshing and signing out are not among them: what they take cannot be
/// guessed, and everybody behind one address does it all the time.
const CREDENTIALS: [&str; 5] = [
    "/v1/auth/guest",
    "/v1/auth/register",
    "/v1/auth/login",
    "/v1/auth/password",
    "/v1/me/upgrade",
];

/// The middleware around everything.
pub(crate) async fn edge(
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let Some(app) = request.app_data::<web::Data<App>>().cloned() else {
        return Ok(request.into_response(HttpResponse::InternalServerError().finish()));
    };
    let began_millis = app.clock.now_millis();
    // Made here, never taken from the client: what stands in the log must be ours.
    let request_id = new_uuid(&*app.clock, &*app.randomness).to_string();
    let method = request.method().clone();
    if method == Method::HEAD {
        // Whatever can be read can be asked about; the server leaves the body out.
        request.head_mut().method = Method::GET;
    }
    let address = client_address(&request, &app.config.trusted_proxies);
    request.extensions_mut().insert(ClientAddress(address));
    let origin = cors::allowed_origin(&request, &app.config.cors_origins);

    let mut response = if origin.is_some() && cors::is_preflight(&request) {
        request.into_response(cors::preflight())
    } else {
        let judged = admit(&app, &request, address, began_millis)
            .and_then(|()| app.published.representations.judge(&request));
        match judged {
            Err(problem) => {
                log_problem(&request_id, &problem);
                request.into_response(problem.answer(&request_id))
            }
            Ok(()) => answered(request, next, &request_id).await?,
        }
    };

    let standing = response.request().extensions().get::<Standing>().copied();
    let headers = response.headers_mut();
    if let Some(standing) = standing {
        for (name, value) in standing.headers() {
            headers.insert(name, value);
        }
    }
    if !app.config.cors_origins.is_empty() {
        cors::open_to(origin, headers);
    }
    guard(headers, app.config.public_url.as_deref());
    if let Ok(value) = HeaderValue::from_str(&request_id) {
        headers.insert(HeaderName::from_static("x-request-id"), value);
    }
    if method == Method::HEAD && response.response().body().size() == BodySize::Stream {
        // A stream would be polled for a body that nobody is sent.
        response = response.map_body(|_, _| BoxBody::new(()));
    }
    log_answer(
        &response,
        &method,
        &request_id,
        app.clock.now_millis() - began_millis,
    );
    Ok(response)
}

/// Counts the request against the limits of its address.
fn admit(
    app: &App,
    request: &ServiceRequest,
    address: std::net::IpAddr,
    now_millis: i64,
) -> Result<(), Problem> {
    if pages::is_probe(request.path()) {
        return Ok(());
    }
    let mut counted = vec![Counted::Address(address)];
    // The path as the router reads it: written otherwise, `%6Cogin` say, it is counted all the same.
    if CREDENTIALS.contains(&request.match_info().as_str()) && request.method() == Method::POST {
        counted.push(Counted::Credentials(address));
    }
    for counted in counted {
        app.rate_limits.admit(request, counted, now_millis)?;
    }
    Ok(())
}

/// Calls the service and gives every error its form.
async fn answered(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
    request_id: &str,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let response = match next.call(request).await {
        Ok(response) => response.map_into_boxed_body(),
        Err(error) => {
            let problem = problem_of(&error, error.as_response_error().status_code());
            log_problem(request_id, &problem);
            // The request went with the call, so the error must carry the answer out by itself.
            return Err(problem.of_request(request_id).into());
        }
    };
    let status = response.status();
    if !status.is_client_error() && !status.is_server_error() || has_form(response.headers()) {
        return Ok(response);
    }
    let foreign;
    let problem = match response
        .response()
        .error()
        .and_then(|error| error.as_error::<Problem>())
    {
        Some(problem) => problem,
        None => {
            foreign = response
                .response()
                .error()
                .map_or_else(|| plain(status), |error| problem_of(error, status));
            &foreign
        }
    };
    log_problem(request_id, problem);
    let answer = problem.answer(request_id);
    Ok(response.into_response(answer))
}

fn has_form(headers: &HeaderMap) -> bool {
    headers
        .get(header::CONTENT_TYPE)
        .is_some_and(|value| value == PROBLEM_JSON)
}

/// The problem for an error of the framework. Its words are logged, not sent.
fn problem_of(error: &Error, status: StatusCode) -> Problem {
    plain(status).cause(error)
}

fn plain(status: StatusCode) -> Problem {
    let code = match status {
        StatusCode::NOT_FOUND => Code::NotFound,
        StatusCode::METHOD_NOT_ALLOWED => Code::MethodNotAllowed,
        StatusCode::NOT_ACCEPTABLE => Code::NotAcceptable,
        StatusCode::REQUEST_TIMEOUT => Code::BodyTooSlow,
        StatusCode::PAYLOAD_TOO_LARGE => Code::BodyTooLarge,
        StatusCode::UNSUPPORTED_MEDIA_TYPE => Code::UnsupportedMediaType,
        StatusCode::UNAUTHORIZED => Code::Unauthenticated,
        StatusCode::FORBIDDEN => Code::Forbidden,
        StatusCode::TOO_MANY_REQUESTS => Code::RateLimited,
        StatusCode::SERVICE_UNAVAILABLE => Code::Unavailable,
        status if status.is_client_error() => Code::BadRequest,
        _ => Code::Internal,
    };
    Problem::new(code)
}

/// Headers that make browsers careful.
fn guard(headers: &mut HeaderMap, public_url: Option<&str>) {
    const ALWAYS: [(HeaderName, &str); 3] = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ];
    const UNLESS_SET: [(HeaderName, &str); 2] = [
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; frame-ancestors 'none'",
        ),
        (header::CACHE_CONTROL, "no-store"),
    ];
    for (name, value) in ALWAYS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    for (name, value) in UNLESS_SET {
        if !headers.contains_key(&name) {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
    if public_url.is_some_and(|url| url.starts_with("https://")) {
        headers.insert(
            header::STRICT_TRANSPORT_SECURITY,
            HeaderValue::from_static("max-age=31536000"),
        );
    }
}

/// The cause of a fault stands in the log and nowhere else.
fn log_problem(request_id: &str, problem: &Problem) {
    let code = problem.code();
    if code.status().is_server_error() {
        tracing::error!(
            request_id,
            code = code.name(),
            cause = problem.logged_cause(),
            "request failed"
        );
    } else {
        tracing::debug!(
            request_id,
            code = code.name(),
            cause = problem.logged_cause(),
            "request refused"
        );
    }
}

/// One line per request. It names the route, not the path: paths hold invite codes.
fn log_answer(response: &ServiceResponse, method: &Method, request_id: &str, took_millis: i64) {
    tracing::info!(
        request_id,
        %method,
        // In here it is found out only if the line is written.
        route = response.request().match_pattern().as_deref().unwrap_or("-"),
        status = response.status().as_u16(),
        took_millis,
        "answered"
    );
}
