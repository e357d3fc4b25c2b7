//! The files of the page, inside the program, and the headers that keep it to itself.

use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::http::{HeaderValue, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};

/// The files: name, type, content.
const FILES: [(&str, &str, &[u8]); 3] = [
    ("/", "text/html; charset=utf-8", include_bytes!("../page/index.html")),
    ("/app.js", "text/javascript; charset=utf-8", include_bytes!("../page/app.js")),
    ("/app.css", "text/css; charset=utf-8", include_bytes!("../page/app.css")),
];

/// Scripts come from here alone, and nothing goes elsewhere. Drawings bring their own style.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
     img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'";

/// A file of the page.
pub(crate) async fn file(uri: Uri) -> Response {
    match FILES.iter().find(|(name, ..)| *name == uri.path()) {
        Some((_, kind, content)) => ([(CONTENT_TYPE, *kind)], *content).into_response(),
        None => crate::routes::refused(StatusCode::NOT_FOUND, "there is nothing at this address"),
    }
}

/// Adds the headers that every answer has.
pub(crate) async fn sealed(mut response: Response) -> Response {
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (X_FRAME_OPTIONS, "DENY"),
        (CACHE_CONTROL, "no-store"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}
