//! The addresses of the server.

use crate::guard::{Guard, Token, guard};
use crate::jobs::Jobs;
use crate::{Api, Config, Kind, Limits, Refusal, language, page};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, State, WebSocketUpgrade};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::{from_fn_with_state, map_response};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use futures_core::Stream;
use serde_json::{Value as Json, json};
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::sync::Semaphore;

/// How often the files are looked at while somebody wants to know about their changes.
const WATCH: Duration = Duration::from_millis(300);

/// What all requests share.
pub(crate) struct Shared {
    pub(crate) api: Arc<dyn Api>,
    pub(crate) guard: Guard,
    jobs: Jobs,
    read_only: bool,
    requests: Semaphore,
    sockets: Arc<Semaphore>,
}

pub(crate) fn routes(api: Arc<dyn Api>, config: &Config, token: Token, port: u16) -> Router {
    let Config { read_only, limits, .. } = *config;
    let Limits { body, requests, sockets, .. } = limits;
    let shared = Arc::new(Shared {
        api,
        guard: Guard::new(token, port),
        jobs: Jobs::new(limits),
        read_only,
        requests: Semaphore::new(requests),
        sockets: Arc::new(Semaphore::new(sockets)),
    });
    Router::new()
        .route("/api/events", get(events))
        .route("/api/language", get(speak))
        .route("/api/jobs", get(jobs).post(start))
        .route("/api/jobs/{id}", get(job).delete(cancel))
        .route("/api/{name}", post(answer))
        .fallback(get(page::file))
        .layer(DefaultBodyLimit::max(body))
        .layer(from_fn_with_state(shared.clone(), guard))
        .layer(map_response(page::sealed))
        .with_state(shared)
}

/// A refusal with a reason.
pub(crate) fn refused(status: StatusCode, reason: &str) -> Response {
    document(status, &json!({ "error": reason }))
}

fn document(status: StatusCode, document: &Json) -> Response {
    (status, [(CONTENT_TYPE, "application/json")], document.to_string()).into_response()
}

fn answered(answer: Result<Json, Refusal>) -> Response {
    match answer {
        Ok(answer) => document(StatusCode::OK, &answer),
        Err(refusal) => document(refusal.status(), &refusal.document),
    }
}

/// The object that a request brings.
fn object(body: &Bytes) -> Result<Json, Refusal> {
    match serde_json::from_slice(body) {
        Ok(request @ Json::Object(_)) => Ok(request),
        Ok(_) => Err(Refusal::new(Kind::Malformed, "a request is a JSON object")),
        Err(error) => Err(Refusal::new(Kind::Malformed, format_args!("the request is not JSON: {error}"))),
    }
}

/// Does work that takes a while beside the answers to other requests.
async fn aside(
    shared: &Arc<Shared>,
    work: impl FnOnce(&Shared) -> Result<Json, Refusal> + Send + 'static,
) -> Response {
    let Ok(_permit) = shared.requests.try_acquire() else {
        return answered(Err(Refusal::new(Kind::Busy, "too many requests at a time; try again")));
    };
    let worker = shared.clone();
    let done = tokio::task::spawn_blocking(move || work(&worker)).await;
    answered(
        done.unwrap_or_else(|_| Err(Refusal::new(Kind::Failed, "the answer failed; please report this"))),
    )
}

async fn answer(State(shared): State<Arc<Shared>>, Path(name): Path<String>, body: Bytes) -> Response {
    if shared.read_only && shared.api.writes(&name) {
        let reason = "this server only shows files: it was started with --read-only";
        return answered(Err(Refusal::new(Kind::Forbidden, reason)));
    }
    match object(&body) {
        Ok(request) => aside(&shared, move |shared| shared.api.answer(&name, &request)).await,
        Err(refusal) => answered(Err(refusal)),
    }
}

async fn start(State(shared): State<Arc<Shared>>, body: Bytes) -> Response {
    let start = |request: &Json| {
        let name = request["name"].as_str().unwrap_or_default();
        shared.jobs.start(name, &shared.api.job(name, request)?)
    };
    answered(object(&body).and_then(|request| start(&request)))
}

async fn jobs(State(shared): State<Arc<Shared>>) -> Response {
    answered(Ok(shared.jobs.list()))
}

async fn job(State(shared): State<Arc<Shared>>, Path(id): Path<u64>) -> Response {
    answered(shared.jobs.state(id))
}

async fn cancel(State(shared): State<Arc<Shared>>, Path(id): Path<u64>) -> Response {
    answered(shared.jobs.cancel(id))
}

/// Tells when the files change.
async fn events(State(shared): State<Arc<Shared>>) -> Response {
    let Ok(permit) = shared.sockets.clone().try_acquire_owned() else { return crowded() };
    let (sender, receiver) = tokio::sync::mpsc::channel::<Event>(1);
    tokio::spawn(async move {
        let _permit = permit;
        let mut last = None;
        loop {
            let api = shared.api.clone();
            let stamp = tokio::task::spawn_blocking(move || api.stamp()).await.ok();
            if last.is_some_and(|last| last != stamp)
                && sender.send(Event::default().event("changed").data("{}")).await.is_err()
            {
                return;
            }
            last = Some(stamp);
            tokio::select! {
                () = tokio::time::sleep(WATCH) => {}
                () = sender.closed() => return,
            }
        }
    });
    Sse::new(Received(receiver)).keep_alive(KeepAlive::default()).into_response()
}

/// The events of a channel as a stream.
struct Received(tokio::sync::mpsc::Receiver<Event>);

impl Stream for Received {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|event| event.map(Ok))
    }
}

async fn speak(State(shared): State<Arc<Shared>>, upgrade: WebSocketUpgrade) -> Response {
    let Ok(permit) = shared.sockets.clone().try_acquire_owned() else { return crowded() };
    let api = shared.api.clone();
    upgrade.on_upgrade(move |socket| async move {
        let _permit = permit;
        language::speak(api, socket).await;
    })
}

fn crowded() -> Response {
    answered(Err(Refusal::new(Kind::Busy, "too many pages are open; close some")))
}
