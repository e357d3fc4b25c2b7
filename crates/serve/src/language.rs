//! The language server over a WebSocket: one message of the protocol in each text.

use crate::Api;
use axum::extract::ws::{Message, WebSocket};
use std::sync::Arc;
use std::sync::mpsc;
use std::thread;
use tokio::sync::mpsc as asynchronous;

/// The most answers that wait until the page takes them.
const MAX_WAITING: usize = 256;

/// Passes messages on until the page goes away.
pub(crate) async fn speak(api: Arc<dyn Api>, mut socket: WebSocket) {
    let (to_server, messages) = mpsc::channel();
    let (answers, from_server) = mpsc::channel();
    let (to_page, mut waiting) = asynchronous::channel(MAX_WAITING);
    thread::spawn(move || api.speak(messages, answers));
    thread::spawn(move || from_server.into_iter().try_for_each(|answer| to_page.blocking_send(answer)));
    loop {
        tokio::select! {
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => {
                    if to_server.send(text.to_string()).is_err() {
                        return;
                    }
                }
                Some(Ok(Message::Binary(_) | Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
            },
            answer = waiting.recv() => match answer {
                Some(answer) => {
                    if socket.send(Message::Text(String::into(answer))).await.is_err() {
                        return;
                    }
                }
                None => return,
            },
        }
    }
}
