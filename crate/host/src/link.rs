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
    time::{Instant, timeout, timeout_at},
};
use wire::{
    Assembler, ChunkError, Chunker, Decoder, Envelope, FrameError, Lane, TooLarge, chunk::AGENT_STREAMS,
    frame,
};

/// How long one frame may take to be written: a peer that takes longer does not read.
const WRITE_TIME: Duration = Duration::from_secs(30);

/// How long an agent may take to finish a frame or a message that it began.
const FINISH_TIME: Duration = Duration::from_secs(10);

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
    /// Something was begun and not finished in time.
    #[error("a message was begun and not finished within {} s", FINISH_TIME.as_secs())]
    Unfinished,
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
    /// Starts writing to a stream. `frame_limit` bounds a frame.
    pub fn start(
        stream: impl AsyncWrite + Unpin + Send + 'static,
        chunker: Chunker,
        frame_limit: usize,
    ) -> (Self, JoinHandle<()>) {
        let (queue, messages) = mpsc::unbounded_channel();
        let waiting = Arc::new(AtomicUsize::new(0));
        let limit = chunker.limit();
        let carried = write(stream, messages, Arc::clone(&waiting), chunker, frame_limit);
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
    /// An envelope that ends no message; told only where they are counted.
    Part,
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
    counts: bool,
    /// How long what was begun may stay unfinished, if there is a limit.
    patience: Option<Duration>,
    /// When the frame and the message that are unfinished were begun.
    frame_begun: Option<Instant>,
    message_begun: Option<Instant>,
}

impl<R: AsyncRead + Unpin> Receiver<R> {
    /// Reads from a stream; `limit` bounds a message.
    pub fn new(stream: R, limit: usize) -> Self {
        Self {
            stream,
            buffer: vec![0; READ_SIZE],
            decoder: Decoder::new(frame::FROM_PEER),
            assembler: Assembler::new(limit),
            counts: false,
            patience: None,
            frame_begun: None,
            message_begun: None,
        }
    }

    /// The peer is an agent, which may be anything: one message under way, and finished in time.
    #[must_use]
    pub fn of_agent(mut self) -> Self {
        self.assembler = self.assembler.with_streams(AGENT_STREAMS);
        self.patience = Some(FINISH_TIME);
        self
    }

    /// Tells of every envelope: for a peer that sends on credit.
    #[must_use]
    pub fn counting(mut self) -> Self {
        self.counts = true;
        self
    }

    /// The next thing that comes; nothing at the stream's end. May be dropped while it waits: nothing is lost.
    pub async fn next<T: DeserializeOwned>(&mut self) -> Result<Option<Received<T>>, LinkError> {
        loop {
            while let Some(payload) = self.decoder.next_frame()? {
                self.frame_begun = None;
                let taken = self.assembler.take(serde_json::from_slice(&payload)?);
                if self.assembler.is_empty() {
                    self.message_begun = None;
                } else {
                    self.message_begun.get_or_insert_with(Instant::now);
                }
                match taken {
                    Ok(Some(text)) => return Ok(Some(Received::Message(serde_json::from_str(&text)?))),
                    Ok(None) if self.counts => return Ok(Some(Received::Part)),
                    Ok(None) => {}
                    Err(lost) => return Ok(Some(Received::Lost(lost))),
                }
            }
            if !self.decoder.is_between_frames() {
                self.frame_begun.get_or_insert_with(Instant::now);
            }
            let begun = self.frame_begun.into_iter().chain(self.message_begun).min();
            let reading = self.stream.read(&mut self.buffer);
            let read = match self.patience.and_then(|patience| begun.map(|begun| begun + patience)) {
                Some(end) => timeout_at(end, reading).await.map_err(|_| LinkError::Unfinished)??,
                None => reading.await?,
            };
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
