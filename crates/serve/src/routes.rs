//! The addresses of the server.

use crate::guard::{Guard, Token, guard};
use crate::jobs::Jobs;
use crate::{Api, Config, Kind, Limits, Refusal, language, page, talks, uploads};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::rejection::BytesRejection;
use axum::extract::ws::{Message, WebSocket};
use axum::extract::{DefaultBodyLimit, Path, State, WebSocketUpgrade};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::{from_fn_with_state, map_response};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post, put};
use serde_json::{Value as Json, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

/// How often the files are looked at while somebody wants to know about their changes.
const WATCH: Duration = Duration::from_millis(300);

/// What all requests share.
pub(crate) struct Shared {
    pub(crate) api: Arc<dyn Api>,
    pub(crate) guard: Guard,
    jobs: Jobs,
    pub(crate) limits: Limits,
    read_only: bool,
    requests: Semaphore,
    sockets: Arc<Semaphore>,
    talks: Arc<Semaphore>,
}

/// The body of a request, or why it was not taken.
type Taken = Result<Bytes, BytesRejection>;

impl Shared {
    /// The object that a request brings.
    fn taken(&self, body: Taken) -> Result<Json, Refusal> {
        match body {
            Ok(body) => object(&body),
            Err(error) if error.status() == StatusCode::PAYLOAD_TOO_LARGE => {
                let reason = format!("the request has more than {} bytes", self.limits.body);
                Err(Refusal::new(Kind::TooLarge, reason))
            }
            Err(error) => Err(Refusal::new(Kind::Malformed, error.body_text())),
        }
    }
}

pub(crate) fn routes(api: Arc<dyn Api>, config: &Config, token: Token, port: u16) -> Router {
    let Config { read_only, limits, .. } = *config;
    let Limits { body, requests, sockets, jobs: talks, .. } = limits;
    let shared = Arc::new(Shared {
        api,
        guard: Guard::new(token, port),
        jobs: Jobs::new(limits),
        limits,
        read_only,
        requests: Semaphore::new(requests),
        sockets: Arc::new(Semaphore::new(sockets)),
        talks: Arc::new(Semaphore::new(talks)),
    });
    Router::new()
        .route("/api/events", get(events))
        .route("/api/language", get(speak))
        .route("/api/talks/{name}", get(talk))
        .route("/api/files/{name}", put(upload))
        .route("/api/jobs", get(list).post(start))
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
    document(status, json!({ "error": reason }).to_string())
}

fn document(status: StatusCode, document: String) -> Response {
    (status, [(CONTENT_TYPE, "application/json")], document).into_response()
}

fn answered(answer: Result<String, Refusal>) -> Response {
    match answer {
        Ok(answer) => document(StatusCode::OK, answer),
        Err(refusal) => document(refusal.status(), refusal.document.to_string()),
    }
}

/// A JSON object.
pub(crate) fn object(body: &[u8]) -> Result<Json, Refusal> {
    match serde_json::from_slice(body) {
        Ok(request @ Json::Object(_)) => Ok(request),
        Ok(_) => Err(Refusal::new(Kind::Malformed, "a request is a JSON object")),
        Err(error) => Err(Refusal::new(Kind::Malformed, format_args!("the request is not JSON: {error}"))),
    }
}

/// Does work that takes a while beside the answers to other requests.
async fn aside(
    shared: &Arc<Shared>,
    work: impl FnOnce(&Shared) -> Result<String, Refusal> + Send + 'static,
) -> Response {
    let Ok(_permit) = shared.requests.try_acquire() else { return busy() };
    looking(shared, work).await
}

/// Answers what needs a look at files, but no long work.
async fn looking(
    shared: &Arc<Shared>,
    look: impl FnOnce(&Shared) -> Result<String, Refusal> + Send + 'static,
) -> Response {
    let worker = shared.clone();
    let done = tokio::task::spawn_blocking(move || look(&worker)).await;
    answered(done.unwrap_or_else(|_| Err(failed())))
}

/// What is answered where the program has a mistake.
pub(crate) fn failed() -> Refusal {
    Refusal::new(Kind::Failed, "the answer failed; please report this")
}

fn busy() -> Response {
    answered(Err(Refusal::new(Kind::Busy, "too many requests at a time; try again")))
}

fn read_only() -> Refusal {
    Refusal::new(Kind::Forbidden, "this server only shows files: it was started with --read-only")
}

async fn answer(State(shared): State<Arc<Shared>>, Path(name): Path<String>, body: Taken) -> Response {
    if shared.read_only && shared.api.writes(&name) {
        return answered(Err(read_only()));
    }
    match shared.taken(body) {
        Ok(request) => aside(&shared, move |shared| shared.api.answer(&name, &request)).await,
        Err(refusal) => answered(Err(refusal)),
    }
}

/// Takes a file.
async fn upload(State(shared): State<Arc<Shared>>, Path(name): Path<String>, body: Body) -> Response {
    if shared.read_only {
        return answered(Err(read_only()));
    }
    let Ok(_permit) = shared.requests.try_acquire() else { return busy() };
    answered(uploads::receive(shared.api.clone(), name, body, shared.limits.upload).await)
}

async fn start(State(shared): State<Arc<Shared>>, body: Taken) -> Response {
    let start = |shared: &Shared, request: &Json| {
        let name = request["name"].as_str().unwrap_or_default();
        if shared.read_only && shared.api.writes(name) {
            return Err(read_only());
        }
        let job = shared.api.job(name, request)?;
        Ok(shared.jobs.start(name, &job, shared.api.stamp())?.to_string())
    };
    match shared.taken(body) {
        Ok(request) => looking(&shared, move |shared| start(shared, &request)).await,
        Err(refusal) => answered(Err(refusal)),
    }
}

async fn list(State(shared): State<Arc<Shared>>) -> Response {
    answered(Ok(shared.jobs.list().to_string()))
}

async fn job(State(shared): State<Arc<Shared>>, Path(id): Path<u64>) -> Response {
    looking(&shared, move |shared| Ok(shared.jobs.state(id, shared.api.stamp())?.to_string())).await
}

async fn cancel(State(shared): State<Arc<Shared>>, Path(id): Path<u64>) -> Response {
    looking(&shared, move |shared| Ok(shared.jobs.cancel(id, shared.api.stamp())?.to_string())).await
}

/// Tells when the files change. This is a WebSocket, because browsers allow only a few other connections for all tabs together.
async fn events(State(shared): State<Arc<Shared>>, upgrade: WebSocketUpgrade) -> Response {
    let Ok(permit) = shared.sockets.clone().try_acquire_owned() else { return crowded() };
    upgrade.on_upgrade(move |socket| async move {
        let _permit = permit;
        watch(&shared.api, socket).await;
    })
}

async fn watch(api: &Arc<dyn Api>, mut socket: WebSocket) {
    let mut last = None;
    loop {
        let looking = api.clone();
        let stamp = tokio::task::spawn_blocking(move || looking.stamp()).await.ok();
        if last.is_some_and(|last| last != stamp)
            && socket.send(Message::Text("changed".into())).await.is_err()
        {
            return;
        }
        last = Some(stamp);
        tokio::select! {
            () = tokio::time::sleep(WATCH) => {}
            message = socket.recv() => if !matches!(message, Some(Ok(_))) { return },
        }
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

/// Lets the page talk with a program.
async fn talk(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let Ok(permit) = shared.talks.clone().try_acquire_owned() else { return crowded() };
    upgrade.on_upgrade(move |socket| async move {
        let _permit = permit;
        talks::talk(&*shared.api, &name, socket, shared.limits.output).await;
    })
}

fn crowded() -> Response {
    answered(Err(Refusal::new(Kind::Busy, "too many pages are open; close some")))
}
