//! One link to another of our processes: messages in and out over any byte stream, framed and chunked as `wire`
//! says. Knows nothing of what the messages mean. A peer that does not read is cut off, not waited for.

use serde::{Serialize, de::DeserializeOwned};
use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    sync::mpsc,
    task::JoinHandle,
    time::timeout,
};
use wire::{Assembler, ChunkError, Chunker, Decoder, Envelope, FrameError, Lane, TooLarge, frame};

/// How long one frame may take to be written: a peer that takes longer does not read.
const WRITE_TIME: Duration = Duration::from_secs(30);

/// How much may wait for one peer.
const QUEUE_LIMIT: usize = 3 * wire::REPLY_LIMIT;

const READ_SIZE: usize = 64 * 1024;

/// Why a link cannot be read on.
#[derive(Debug, thiserror::Error)]
pub enum LinkError {
    /// The stream failed.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// What came is no frame of ours.
    #[error("{0}")]
    Frame(#[from] FrameError),
    /// What came is no message of ours.
    #[error("not a message of ours: {0}")]
    Json(#[from] serde_json::Error),
}

/// Why a message was not sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// It is too large; the link stays usable.
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    /// The link is gone, or its peer does not read.
    #[error("the link is gone")]
    Gone,
}

/// The sending end of a link. Dropping the last one ends the writing, after what was queued.
#[derive(Debug, Clone)]
pub struct Sender {
    queue: mpsc::UnboundedSender<(Lane, String)>,
    waiting: Arc<AtomicUsize>,
    limit: usize,
}

impl Sender {
    /// Starts writing to a stream. `limit` bounds a message, `frame_limit` a frame.
    pub fn start(
        stream: impl AsyncWrite + Unpin + Send + 'static,
        limit: usize,
        frame_limit: usize,
    ) -> (Self, JoinHandle<()>) {
        let (queue, messages) = mpsc::unbounded_channel();
        let waiting = Arc::new(AtomicUsize::new(0));
        let carried = write(stream, messages, Arc::clone(&waiting), Chunker::new(limit), frame_limit);
        let task = tokio::spawn(async move {
            if let Err(error) = carried.await {
                tracing::debug!(%error, "a link can no longer be written");
            }
        });
        (Self { queue, waiting, limit }, task)
    }

    /// Queues a message.
    pub fn send(&self, lane: Lane, message: &impl Serialize) -> Result<(), SendError> {
        let text = serde_json::to_string(message).map_err(|error| {
            tracing::error!(%error, "a message of ours cannot be written as JSON");
            SendError::Gone
        })?;
        let size = text.len();
        if size > self.limit {
            return Err(TooLarge { size, limit: self.limit }.into());
        }
        if self.waiting.fetch_add(size, Ordering::Relaxed) > QUEUE_LIMIT {
            return Err(SendError::Gone);
        }
        self.queue.send((lane, text)).map_err(|_| SendError::Gone)
    }

    /// Whether nothing can be sent any more.
    pub fn is_gone(&self) -> bool {
        self.queue.is_closed()
    }
}

async fn write(
    mut stream: impl AsyncWrite + Unpin,
    mut messages: mpsc::UnboundedReceiver<(Lane, String)>,
    waiting: Arc<AtomicUsize>,
    mut chunker: Chunker,
    frame_limit: usize,
) -> Result<(), LinkError> {
    loop {
        if chunker.is_empty() {
            let Some((lane, text)) = messages.recv().await else { break };
            queue(&mut chunker, lane, text);
        }
        // What was queued meanwhile takes its turn at once.
        while let Ok((lane, text)) = messages.try_recv() {
            queue(&mut chunker, lane, text);
        }
        while let Some(envelope) = chunker.next_envelope() {
            waiting.fetch_sub(size(&envelope), Ordering::Relaxed);
            let bytes = frame::encode(&serde_json::to_vec(&envelope)?, frame_limit)?;
            let written = async {
                stream.write_all(&bytes).await?;
                stream.flush().await
            };
            timeout(WRITE_TIME, written).await.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))??;
            if !messages.is_empty() {
                break;
            }
        }
    }
    stream.shutdown().await?;
    Ok(())
}

fn queue(chunker: &mut Chunker, lane: Lane, text: String) {
    // The sender measured it by the same limit.
    if let Err(error) = chunker.push(lane, text) {
        tracing::error!(%error, "a message was dropped");
    }
}

fn size(envelope: &Envelope) -> usize {
    match envelope {
        Envelope::Whole(text) | Envelope::Part { data: text, .. } => text.len(),
    }
}

/// What came over a link.
#[derive(Debug)]
pub enum Received<T> {
    /// A message.
    Message(T),
    /// A message that was lost; the next may come.
    Lost(ChunkError),
}

/// The receiving end of a link.
#[derive(Debug)]
pub struct Receiver<R> {
    stream: R,
    buffer: Vec<u8>,
    decoder: Decoder,
    assembler: Assembler,
}

impl<R: AsyncRead + Unpin> Receiver<R> {
    /// Reads from a stream; `limit` bounds a message.
    pub fn new(stream: R, limit: usize) -> Self {
        Self {
            stream,
            buffer: vec![0; READ_SIZE],
            decoder: Decoder::new(frame::FROM_PEER),
            assembler: Assembler::new(limit),
        }
    }

    /// The next thing that comes; nothing at the stream's end. May be dropped while it waits: nothing is lost.
    pub async fn next<T: DeserializeOwned>(&mut self) -> Result<Option<Received<T>>, LinkError> {
        loop {
            while let Some(payload) = self.decoder.next_frame()? {
                match self.assembler.take(serde_json::from_slice(&payload)?) {
                    Ok(Some(text)) => return Ok(Some(Received::Message(serde_json::from_str(&text)?))),
                    Ok(None) => {}
                    Err(lost) => return Ok(Some(Received::Lost(lost))),
                }
            }
            let read = self.stream.read(&mut self.buffer).await?;
            if read == 0 {
                if !self.decoder.is_between_frames() || !self.assembler.is_empty() {
                    tracing::debug!("a link ended within a message");
                }
                return Ok(None);
            }
            self.decoder.feed(self.buffer.get(..read).unwrap_or_default());
        }
    }
}
