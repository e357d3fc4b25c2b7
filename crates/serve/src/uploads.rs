//! Files that the page brings: taken in pieces, up to a limit, whole or not at all.

use crate::routes::failed;
use crate::{Api, Kind, Refusal, Upload};
use axum::body::{Body, BodyDataStream, Bytes};
use futures_core::Stream as _;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use tokio::sync::mpsc;

/// The most pieces that wait until they are written.
const MAX_WAITING: usize = 16;

/// What comes from the page.
enum Piece {
    Bytes(Bytes),
    End,
}

/// Takes a file from the body of a request.
pub(crate) async fn receive(
    api: Arc<dyn Api>,
    name: String,
    body: Body,
    limit: u64,
) -> Result<String, Refusal> {
    let (sender, pieces) = mpsc::channel(MAX_WAITING);
    let writer = tokio::task::spawn_blocking(move || write(api.receive(&name)?, pieces));
    let sent = send(body.into_data_stream(), &sender, limit).await;
    drop(sender);
    let written = writer.await.unwrap_or_else(|_| Err(failed()));
    // If the writer stops first, it knows why.
    sent.and(written)
}

/// Sends the pieces of a body, until it ends or nobody takes them any more.
async fn send(mut body: BodyDataStream, to: &mpsc::Sender<Piece>, limit: u64) -> Result<(), Refusal> {
    let mut length = 0;
    while let Some(piece) = poll_fn(|context| Pin::new(&mut body).poll_next(context)).await {
        let piece = piece.map_err(|error| {
            Refusal::new(Kind::Malformed, format_args!("the file did not arrive: {error}"))
        })?;
        length += piece.len() as u64;
        if length > limit {
            let reason =
                format_args!("the file has more than {limit} bytes; put it into the folder").to_string();
            return Err(Refusal::new(Kind::TooLarge, reason));
        }
        if to.send(Piece::Bytes(piece)).await.is_err() {
            return Ok(());
        }
    }
    let _ = to.send(Piece::End).await;
    Ok(())
}

fn write(mut upload: Box<dyn Upload>, mut pieces: mpsc::Receiver<Piece>) -> Result<String, Refusal> {
    while let Some(piece) = pieces.blocking_recv() {
        match piece {
            Piece::Bytes(bytes) => upload.take(&bytes)?,
            Piece::End => return upload.finish(),
        }
    }
    Err(Refusal::new(Kind::Malformed, "the file did not arrive as a whole"))
}
