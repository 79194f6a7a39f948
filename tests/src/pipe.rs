//! A client of Chrome's debugging protocol over the browser's pipe: messages are JSON, each ended by a NUL.
//! It is the judge's line to the browser; what it is used for never goes through the product. Knows nothing of
//! tabs or extensions.

use anyhow::{Result, anyhow, bail};
use serde::Deserialize;
use serde_json::{Value, json};
use std::{collections::HashMap, time::Duration};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader},
    sync::{broadcast, mpsc, oneshot},
};

/// How long the browser may take to answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// One attachment to a target (flat mode).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct SessionId(pub String);

/// What the browser says unasked.
#[derive(Debug, Clone, Deserialize)]
pub struct Event {
    /// The session it belongs to; none for the browser itself.
    #[serde(rename = "sessionId")]
    pub session: Option<SessionId>,
    /// As in `Page.loadEventFired`.
    pub method: String,
    /// What it says.
    #[serde(default)]
    pub params: Value,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Incoming {
    Failure { id: u64, error: Failure },
    Answer { id: u64, result: Value },
    Event(Event),
}

#[derive(Deserialize)]
struct Failure {
    code: i64,
    message: String,
}

struct Call {
    message: Value,
    answer: oneshot::Sender<Result<Value>>,
}

/// The line to one browser. Clones share it; it closes with the last of them, and the browser then ends.
#[derive(Clone)]
pub struct Pipe {
    calls: mpsc::UnboundedSender<Call>,
    events: broadcast::Sender<Event>,
}

impl Pipe {
    /// Begins to speak over the two ends.
    pub fn open<R, W>(read: R, write: W) -> Self
    where
        R: AsyncRead + Unpin + Send + 'static,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        let (calls, queue) = mpsc::unbounded_channel();
        let events = broadcast::Sender::new(4096);
        tokio::spawn(carry(read, write, queue, events.clone()));
        Self { calls, events }
    }

    /// Asks the browser itself.
    pub async fn call(&self, method: &str, params: Value) -> Result<Value> {
        self.send(json!({ "method": method, "params": params })).await
    }

    /// Asks a target.
    pub async fn call_in(&self, session: &SessionId, method: &str, params: Value) -> Result<Value> {
        self.send(json!({ "sessionId": session.0, "method": method, "params": params })).await
    }

    /// What the browser says from now on.
    pub fn events(&self) -> broadcast::Receiver<Event> {
        self.events.subscribe()
    }

    async fn send(&self, message: Value) -> Result<Value> {
        let method = message["method"].as_str().unwrap_or_default().to_owned();
        let (answer, arrival) = oneshot::channel();
        self.calls.send(Call { message, answer }).map_err(|_| anyhow!("{method}: the browser has gone"))?;
        match tokio::time::timeout(PATIENCE, arrival).await {
            Ok(Ok(result)) => result.map_err(|error| error.context(method)),
            Ok(Err(_)) => bail!("{method}: the browser closed the debugging pipe"),
            Err(_) => bail!("{method}: no answer within {} s", PATIENCE.as_secs()),
        }
    }
}

/// Owns both ends of the pipe and the calls in flight; ends when either side has gone.
async fn carry<R, W>(
    read: R,
    mut write: W,
    mut queue: mpsc::UnboundedReceiver<Call>,
    events: broadcast::Sender<Event>,
) where
    R: AsyncRead + Unpin + Send + 'static,
    W: AsyncWrite + Unpin,
{
    let (arrived, mut messages) = mpsc::unbounded_channel();
    // Its own task: `read_until` may not be dropped half-way, as `select!` would.
    tokio::spawn(read_messages(read, arrived));
    let mut in_flight: HashMap<u64, oneshot::Sender<Result<Value>>> = HashMap::new();
    let mut last = 0;
    loop {
        tokio::select! {
            call = queue.recv() => {
                let Some(Call { mut message, answer }) = call else { return };
                last += 1;
                message["id"] = last.into();
                in_flight.insert(last, answer);
                let mut bytes = message.to_string().into_bytes();
                bytes.push(0);
                if write.write_all(&bytes).await.is_err() {
                    return;
                }
            }
            message = messages.recv() => match message {
                None => return,
                Some(Incoming::Event(event)) => { let _ = events.send(event); }
                Some(Incoming::Answer { id, result }) => answer_with(&mut in_flight, id, Ok(result)),
                Some(Incoming::Failure { id, error }) => {
                    answer_with(&mut in_flight, id, Err(anyhow!("{} ({})", error.message, error.code)));
                }
            }
        }
    }
}

fn answer_with(in_flight: &mut HashMap<u64, oneshot::Sender<Result<Value>>>, id: u64, result: Result<Value>) {
    if let Some(answer) = in_flight.remove(&id) {
        // Who asked may have stopped waiting.
        let _ = answer.send(result);
    }
}

async fn read_messages<R: AsyncRead + Unpin>(read: R, arrived: mpsc::UnboundedSender<Incoming>) {
    let mut read = BufReader::with_capacity(1 << 16, read);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match read.read_until(0, &mut bytes).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let text = bytes.strip_suffix(&[0]).unwrap_or(&bytes);
        // What does not parse answers none of our calls.
        let Ok(message) = serde_json::from_slice(text) else { continue };
        if arrived.send(message).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt as _, duplex};

    #[tokio::test]
    async fn answers_reach_their_calls_and_events_everyone() {
        let (ours, mut theirs) = duplex(4096);
        let (read, write) = tokio::io::split(ours);
        let pipe = Pipe::open(read, write);
        let mut events = pipe.events();
        let browser = async {
            let mut seen = vec![0; 256];
            let length = theirs.read(&mut seen).await.unwrap();
            assert_eq!(seen[length - 1], 0);
            let asked: Value = serde_json::from_slice(&seen[..length - 1]).unwrap();
            assert_eq!(asked["method"], "Browser.getVersion");
            let said = format!(
                "{}\0{}\0",
                json!({ "method": "Target.targetCreated", "params": { "n": 1 } }),
                json!({ "id": asked["id"], "result": { "product": "x" } }),
            );
            theirs.write_all(said.as_bytes()).await.unwrap();
        };
        let (answer, ()) = tokio::join!(pipe.call("Browser.getVersion", json!({})), browser);
        assert_eq!(answer.unwrap()["product"], "x");
        assert_eq!(events.recv().await.unwrap().method, "Target.targetCreated");
    }

    #[tokio::test]
    async fn a_call_in_flight_fails_when_the_browser_goes() {
        let (ours, theirs) = duplex(64);
        let (read, write) = tokio::io::split(ours);
        let pipe = Pipe::open(read, write);
        drop(theirs);
        let error = pipe.call("Browser.getVersion", json!({})).await.unwrap_err();
        assert!(error.to_string().contains("Browser.getVersion"), "{error}");
    }
}
