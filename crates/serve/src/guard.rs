//! Who may ask: only a page of this server that was opened with its token.
//!
//! A page of another site cannot read what this server answers, but it can send requests to it, and a name that resolves to this
//! machine makes it the same site. So the host must be an address or `localhost`, the origin must be the host, and the token must be
//! known. The token is in the first address and then in a cookie that no other site sends.

use crate::routes::{Shared, refused};
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, COOKIE, HOST, LOCATION, ORIGIN, SET_COOKIE, UPGRADE};
use axum::http::{HeaderMap, HeaderName, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use std::fmt;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;

/// A secret that only those know who were told the address of the server.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    pub(crate) fn random() -> io::Result<Token> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        Ok(Token(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// Whether a text is the token; the time that it takes tells nothing about it.
    fn is(&self, text: &str) -> bool {
        let differences = self.0.bytes().zip(text.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
        text.len() == self.0.len() && differences == 0
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What the guard knows.
pub(crate) struct Guard {
    token: Token,
    port: u16,
}

/// What the guard says about a request.
#[derive(Debug, PartialEq, Eq)]
enum Judgement {
    Passes,
    /// It brings the token in its address.
    Enters,
    Refused(StatusCode, &'static str),
}

impl Guard {
    pub(crate) fn new(token: Token, port: u16) -> Guard {
        Guard { token, port }
    }

    fn judge(&self, method: &Method, path: &str, query: &str, headers: &HeaderMap) -> Judgement {
        let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        let Some(host) = text(HOST).filter(|host| self.is_own(host)) else {
            return Judgement::Refused(
                StatusCode::MISDIRECTED_REQUEST,
                "this server answers only to its own address; open the one that `shall serve` printed",
            );
        };
        let foreign =
            || Judgement::Refused(StatusCode::FORBIDDEN, "the request comes from a page of another site");
        match headers.get(ORIGIN) {
            Some(_) if text(ORIGIN) != Some(&format!("http://{host}")) => return foreign(),
            // Every browser tells where a WebSocket comes from.
            None if headers.contains_key(UPGRADE) => return foreign(),
            Some(_) | None => {}
        }
        let entering = query.split('&').find_map(|part| part.strip_prefix("token="));
        if *method == Method::GET && path == "/" && entering.is_some_and(|token| self.token.is(token)) {
            return Judgement::Enters;
        }
        let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut cookies = cookies.flat_map(|cookies| cookies.split(';'));
        let name = self.cookie();
        let brought = cookies.find_map(|cookie| cookie.trim().strip_prefix(&name)?.strip_prefix('='));
        let bearer = || text(AUTHORIZATION)?.strip_prefix("Bearer ");
        match brought.or_else(bearer).is_some_and(|token| self.token.is(token)) {
            true => Judgement::Passes,
            false => Judgement::Refused(
                StatusCode::UNAUTHORIZED,
                "open the whole address that `shall serve` printed: it contains the token",
            ),
        }
    }

    /// Whether a host is this server by its address: other names may resolve to it too, and belong to others.
    fn is_own(&self, host: &str) -> bool {
        let Some((name, port)) = host.rsplit_once(':') else { return false };
        let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        port.parse() == Ok(self.port)
            && (name.eq_ignore_ascii_case("localhost") || address.parse::<IpAddr>().is_ok())
    }

    /// The name of the cookie: cookies do not distinguish ports, and several servers may run.
    fn cookie(&self) -> String {
        format!("shall-{}", self.port)
    }
}

/// Lets requests through that may be answered.
pub(crate) async fn guard(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let guard = &shared.guard;
    let (path, query) = (request.uri().path(), request.uri().query().unwrap_or(""));
    match guard.judge(request.method(), path, query, request.headers()) {
        Judgement::Passes => next.run(request).await,
        Judgement::Enters => {
            let cookie = format!("{}={}; Path=/; HttpOnly; SameSite=Strict", guard.cookie(), guard.token);
            let headers = [(LOCATION, "/".to_string()), (SET_COOKIE, cookie)];
            (StatusCode::SEE_OTHER, headers, Body::empty()).into_response()
        }
        Judgement::Refused(status, reason) => refused(status, reason),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn judgements() {
        let guard = Guard::new(Token("secret".into()), 8000);
        let refused = |judgement: &Judgement| match judgement {
            Judgement::Passes => 200,
            Judgement::Enters => 303,
            Judgement::Refused(status, _) => status.as_u16(),
        };
        let cookie = "cookie: shall-8000=secret";
        for (request, headers, expected) in [
            ("GET /", vec!["host: 127.0.0.1:8000"], 401),
            ("GET /?token=secret", vec!["host: 127.0.0.1:8000"], 303),
            ("GET /?x=1&token=secret", vec!["host: localhost:8000"], 303),
            ("GET /?token=secre", vec!["host: localhost:8000"], 401),
            ("GET /?token=secret2", vec!["host: localhost:8000"], 401),
            ("GET /?token=", vec!["host: localhost:8000"], 401),
            ("POST /?token=secret", vec!["host: localhost:8000"], 401),
            ("GET /api/events?token=secret", vec!["host: localhost:8000"], 401),
            ("GET /", vec!["host: 127.0.0.1:8000", cookie], 200),
            ("GET /", vec!["host: [::1]:8000", "cookie: a=b; shall-8000=secret; c=d"], 200),
            ("GET /", vec!["host: 127.0.0.1:8000", "cookie: shall-8001=secret"], 401),
            ("GET /", vec!["host: 127.0.0.1:8000", "authorization: Bearer secret"], 200),
            ("GET /", vec!["host: 127.0.0.1:8000", "authorization: Basic secret"], 401),
            ("GET /", vec!["host: 192.168.1.7:8000", cookie], 200),
            ("GET /", vec![cookie], 421),
            ("GET /", vec!["host: 127.0.0.1", cookie], 421),
            ("GET /", vec!["host: 127.0.0.1:8001", cookie], 421),
            ("GET /", vec!["host: evil.example:8000", cookie], 421),
            ("GET /", vec!["host: localhost.evil.example:8000", cookie], 421),
            ("GET /?token=secret", vec!["host: evil.example:8000"], 421),
            ("POST /api/save", vec!["host: localhost:8000", "origin: http://localhost:8000", cookie], 200),
            ("POST /api/save", vec!["host: localhost:8000", "origin: http://evil.example", cookie], 403),
            ("POST /api/save", vec!["host: localhost:8000", "origin: http://localhost:8001", cookie], 403),
            ("POST /api/save", vec!["host: localhost:8000", "origin: https://localhost:8000", cookie], 403),
            ("POST /api/save", vec!["host: localhost:8000", "origin: null", cookie], 403),
            ("GET /api/language", vec!["host: localhost:8000", "upgrade: websocket", cookie], 403),
        ] {
            let (method, address) = request.split_once(' ').expect("a method and an address");
            let (path, query) = address.split_once('?').unwrap_or((address, ""));
            let mut map = HeaderMap::new();
            for header in headers.iter().filter_map(|header| header.split_once(": ")) {
                map.append(
                    HeaderName::try_from(header.0).expect("a name"),
                    header.1.parse().expect("a value"),
                );
            }
            let method = Method::try_from(method).expect("a method");
            let found = guard.judge(&method, path, query, &map);
            assert_eq!(refused(&found), expected, "{request} {headers:?}: {found:?}");
        }
    }
}
