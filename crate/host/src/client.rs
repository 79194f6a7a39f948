//! An agent's side: finds the browser's host, keeps a connection to each browser that it uses, sends requests and gives
//! their replies. Every call ends: with a reply, or with what is known of its outcome. Nothing that may have been sent is
//! sent again: when the connection breaks, the worker is asked what became of it.

use crate::{
    address,
    descriptor::{self, Descriptor},
    install,
    link::{Received, Receiver, SendError, Sender},
    relay::version_mismatch,
    save::Written,
    socket::{self, ReadHalf},
    trouble::Trouble,
};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};
use tokio::{
    sync::oneshot,
    time::{Instant, sleep, timeout},
};
use tokio_util::sync::CancellationToken;
use tools::Call;
use wire::{
    AgentKey, AgentKind, Chunker, Closed, Content, FromHost, Lane, PROTOCOL, REPLY_LIMIT, REQUEST_LIMIT,
    Reply, RequestId, ToHost, chunk, frame,
};

/// How long to look for a host: one that was killed is back by then.
const SEARCH_TIME: Duration = Duration::from_millis(1500);
const SEARCH_STEP: Duration = Duration::from_millis(50);

/// How long a host has to answer a hello.
const HELLO_TIME: Duration = Duration::from_secs(2);

/// How long a browser that is back may take to say what became of a request.
const INQUIRY_TIME: Duration = Duration::from_secs(10);

/// How long a call may take: what the worker allows itself, and a margin.
const CALL_TIME: Duration = Duration::from_secs(53);

/// Who calls.
#[derive(Debug, Clone)]
pub struct Identity {
    /// What makes it the same again.
    pub key: AgentKey,
    /// What it calls itself.
    pub label: String,
    /// How it came in.
    pub kind: AgentKind,
}

#[derive(Debug, Default)]
struct Links {
    /// By the host's instance.
    connections: BTreeMap<String, Arc<Connection>>,
    /// The profiles that were used, whatever hosts they had.
    used: BTreeSet<String>,
    /// When the last search ended without one: calls that waited for it do not wait once more.
    missed: Option<Instant>,
}

/// An agent's way to the browsers.
#[derive(Debug)]
pub struct Client {
    /// Held while connecting, so that calls at the same time share one connection.
    links: tokio::sync::Mutex<Links>,
    next: AtomicU64,
    written: Written,
}

/// A request on its way.
struct Asked<'a> {
    id: RequestId,
    who: &'a Identity,
    tool: &'a str,
    /// The browser that the call names.
    word: Option<&'a str>,
}

impl Client {
    /// A client without a connection. Its requests have numbers that no other process of the agent gave.
    pub fn new() -> Result<Self, Trouble> {
        // Room for 2⁴⁸ numbers above, so that they never end.
        let first = getrandom::u64().map_err(std::io::Error::other)? >> 1 & !0xffff_ffff;
        Ok(Self {
            links: tokio::sync::Mutex::default(),
            next: AtomicU64::new(first),
            written: Written::default(),
        })
    }

    /// Calls a tool. Never fails: what goes wrong is a failing reply.
    pub async fn call(
        &self,
        who: &Identity,
        tool: &str,
        mut arguments: Value,
        cancel: CancellationToken,
    ) -> Reply {
        let word = address::taken_off(&mut arguments);
        let call = match Call::parse(tool, arguments.clone()) {
            Ok(call) => call,
            Err(bad) => return Reply::failure(bad.code, &bad.what, &bad.next),
        };
        let id = RequestId(self.next.fetch_add(1, Ordering::Relaxed));
        let asked = Asked { id, who, tool, word: word.as_deref() };
        let called = tokio::select! {
            called = timeout(CALL_TIME, self.try_call(&asked, arguments, &cancel)) => called,
            () = cancel.cancelled() => Ok(Err(Trouble::Cancelled { tool: tool.to_owned() })),
        };
        match called {
            Ok(Ok(reply)) => match call.file() {
                Some((path, append)) => self.written.carry(reply, path, append, who.kind),
                None => reply,
            },
            Ok(Err(trouble)) => trouble.reply(),
            Err(_) => Trouble::unanswered(tool, &format!("{} s passed", CALL_TIME.as_secs())).reply(),
        }
    }

    async fn try_call(
        &self,
        asked: &Asked<'_>,
        arguments: Value,
        cancel: &CancellationToken,
    ) -> Result<Reply, Trouble> {
        let request = ToHost::Request { id: asked.id, tool: asked.tool.to_owned(), arguments };
        // A connection found dead before anything went out: once more, on a new one.
        for _ in 0..2 {
            if cancel.is_cancelled() {
                break;
            }
            let (connection, word) = self.connected(asked.who, asked.word).await?;
            match connection.request(asked.id, &request) {
                Ok(waiting) => {
                    let reply = match waiting.reply().await {
                        Ok(reply) => reply,
                        Err(Broken { why }) => self.inquire(asked, &why).await?,
                    };
                    return Ok(match word {
                        Some(word) => said_of(&word, reply),
                        None => reply,
                    });
                }
                Err(SendError::TooLarge(large)) => {
                    return Err(Trouble::RequestTooLarge { size: large.size, limit: large.limit });
                }
                Err(SendError::Gone) => {}
            }
        }
        Err(Trouble::NoBrowser)
    }

    /// The connection broke under a request: what became of it?
    async fn inquire(&self, asked: &Asked<'_>, why: &str) -> Result<Reply, Trouble> {
        let unknown = || Trouble::unanswered(asked.tool, why);
        // What changes nothing can be called again whatever became of it.
        if Trouble::is_harmless(asked.tool) {
            return Err(unknown());
        }
        let (connection, _) = self.connected(asked.who, asked.word).await.map_err(|_| unknown())?;
        let inquiry = ToHost::Inquire { id: asked.id };
        let waiting = connection.request(asked.id, &inquiry).map_err(|_| unknown())?;
        match timeout(INQUIRY_TIME, waiting.reply()).await {
            Ok(Ok(reply)) => Ok(reply),
            Ok(Err(Broken { .. })) | Err(_) => Err(unknown()),
        }
    }

    /// The connection to the browser that is meant, old or new; and the browser's word where there are several.
    async fn connected(
        &self,
        who: &Identity,
        word: Option<&str>,
    ) -> Result<(Arc<Connection>, Option<String>), Trouble> {
        let asked = Instant::now();
        let mut links = self.links.lock().await;
        let until = match links.missed {
            Some(missed) if missed > asked => missed,
            Some(_) | None => asked + SEARCH_TIME,
        };
        loop {
            links.connections.retain(|_, connection| !connection.is_gone());
            let trouble = match find(word, &mut links, Instant::now() >= until) {
                Ok((host, word)) => {
                    if let Some(connection) = links.connections.get(&host.instance) {
                        return Ok((Arc::clone(connection), word));
                    }
                    match Connection::open(&host, who).await {
                        Ok(connection) => {
                            let connection = Arc::new(connection);
                            links.used.extend(host.id);
                            links.connections.insert(host.instance, Arc::clone(&connection));
                            return Ok((connection, word));
                        }
                        Err(trouble) => trouble,
                    }
                }
                Err(trouble) => trouble,
            };
            // A host that is just going or coming is worth a second look; the rest stays as it is.
            let passing =
                matches!(trouble, Trouble::NoBrowser | Trouble::NotInstalled | Trouble::NoHandshake { .. });
            // The browser that was used is not among them: its host may be on its way.
            let missed = matches!(trouble, Trouble::SeveralBrowsers(_) | Trouble::UnknownBrowser { .. });
            let passing = passing || (missed && !links.used.is_empty());
            if !passing || Instant::now() >= until {
                links.missed = Some(Instant::now());
                return Err(trouble);
            }
            sleep(SEARCH_STEP).await;
        }
    }
}

/// The host that is meant: the one of that word. Without a word the one that this agent uses, for all that it was shown
/// came from there; of an agent that has used none, the only one there is. Its word too, where there are several.
fn find(
    word: Option<&str>,
    links: &mut Links,
    at_last: bool,
) -> Result<(Descriptor, Option<String>), Trouble> {
    let living = descriptor::living()?;
    if living.is_empty() {
        return Err(install::why_no_browser());
    }
    let words = descriptor::words(&living);
    let several = living.len() > 1;
    let in_use = |host: &Descriptor, links: &Links| {
        links.connections.contains_key(&host.instance)
            || host.id.as_ref().is_some_and(|id| links.used.contains(id))
    };
    let in_hand = living.iter().filter(|host| links.connections.contains_key(&host.instance));
    let now_used: Vec<_> = in_hand.filter_map(|host| host.id.clone()).collect();
    links.used.extend(now_used);
    // The only one there is may not have said yet which it is.
    let unsaid = !several && at_last && living.iter().all(|host| host.id.is_none());
    let all: Vec<_> = living.into_iter().zip(words.iter().cloned()).collect();
    let mut meant: Vec<_> = match word {
        Some(word) => all.into_iter().filter(|(_, its)| its == word).collect(),
        None if links.used.is_empty() && !several || unsaid => all,
        None => all.into_iter().filter(|(host, _)| in_use(host, links)).collect(),
    };
    match (meant.pop(), meant.is_empty(), word) {
        (Some((host, word)), true, _) => Ok((host, several.then_some(word))),
        (_, _, Some(word)) => Err(Trouble::UnknownBrowser { word: word.to_owned(), connected: words }),
        (_, _, None) => Err(Trouble::SeveralBrowsers(words)),
    }
}

/// A reply of one of several browsers says first which: its tabs and refs are named with that word.
fn said_of(word: &str, mut reply: Reply) -> Reply {
    let text = format!("of browser {word}: write {word}/t3 for a tab, {word}/e12 for a ref");
    reply.content.insert(0, Content::Text { text });
    reply
}

/// Who waits on a connection.
#[derive(Debug)]
enum Waiters {
    Open(BTreeMap<RequestId, oneshot::Sender<Reply>>),
    /// Whoever waited has been told; why it broke.
    Broken(String),
}

impl Waiters {
    fn open(&mut self) -> Option<&mut BTreeMap<RequestId, oneshot::Sender<Reply>>> {
        match self {
            Self::Open(waiters) => Some(waiters),
            Self::Broken(_) => None,
        }
    }
}

/// A connection to one host.
#[derive(Debug)]
struct Connection {
    host: Descriptor,
    sender: Sender,
    waiters: Arc<Mutex<Waiters>>,
    reading: tokio::task::JoinHandle<()>,
}

impl Connection {
    async fn open(host: &Descriptor, who: &Identity) -> Result<Self, Trouble> {
        let opened = timeout(HELLO_TIME, Self::open_unbounded(host, who)).await;
        opened.unwrap_or_else(|_| Err(no_handshake(host, "no answer in time")))
    }

    async fn open_unbounded(host: &Descriptor, who: &Identity) -> Result<Self, Trouble> {
        let path = host.socket();
        let (read, write) =
            socket::connect(&path).await.map_err(|error| no_handshake(host, &error.to_string()))?;
        let mut receiver = Receiver::new(read, REPLY_LIMIT);
        let chunker = Chunker::new(REQUEST_LIMIT).with_streams(chunk::AGENT_STREAMS);
        let (sender, _) = Sender::start(write, chunker, frame::FROM_PEER);
        let hello = ToHost::Hello {
            protocol: PROTOCOL,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            key: who.key.clone(),
            label: who.label.clone(),
            kind: who.kind,
        };
        sender.send(Lane(u64::MAX), &hello).map_err(|error| no_handshake(host, &error.to_string()))?;
        match receiver.next::<FromHost>().await {
            Ok(Some(Received::Message(FromHost::Hello { protocol, version, instance, extension: _ }))) => {
                if protocol != PROTOCOL {
                    return Err(Trouble::Refused(version_mismatch("host", &version, protocol)));
                }
                if instance != host.instance {
                    return Err(no_handshake(host, "it is another one than its descriptor says"));
                }
            }
            Ok(Some(Received::Message(FromHost::Closed(closed)))) => return Err(Trouble::Refused(closed)),
            Ok(Some(Received::Message(FromHost::Reply { .. }) | Received::Part | Received::Lost(_))) => {
                return Err(no_handshake(host, "it began without a hello"));
            }
            Ok(None) => return Err(no_handshake(host, "it ended the connection")),
            Err(error) => return Err(no_handshake(host, &error.to_string())),
        }
        let waiters = Arc::new(Mutex::new(Waiters::Open(BTreeMap::new())));
        let reading = tokio::spawn(read_replies(receiver, Arc::clone(&waiters)));
        Ok(Self { host: host.clone(), sender, waiters, reading })
    }

    /// Also by its lock: a host that was just killed is told from a living one before anything is sent to it.
    fn is_gone(&self) -> bool {
        self.sender.is_gone() || lock(&self.waiters).open().is_none() || !self.host.is_living()
    }

    fn request(self: &Arc<Self>, id: RequestId, request: &ToHost) -> Result<Waiting, SendError> {
        let (answer, answered) = oneshot::channel();
        lock(&self.waiters).open().ok_or(SendError::Gone)?.insert(id, answer);
        let waiting = Waiting { id, answered, connection: Arc::clone(self), done: false };
        self.sender.send(Lane(id.0), request)?;
        Ok(waiting)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.reading.abort();
    }
}

/// A request that was sent. Dropped before its reply, it is cancelled.
struct Waiting {
    id: RequestId,
    answered: oneshot::Receiver<Reply>,
    connection: Arc<Connection>,
    done: bool,
}

/// The connection broke before the reply.
struct Broken {
    why: String,
}

impl Waiting {
    async fn reply(mut self) -> Result<Reply, Broken> {
        let answered = (&mut self.answered).await;
        self.done = true;
        answered.map_err(|_| {
            let why = match &*lock(&self.connection.waiters) {
                Waiters::Broken(why) => why.clone(),
                Waiters::Open(_) => "the reply was lost".to_owned(),
            };
            Broken { why }
        })
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let known = lock(&self.connection.waiters).open().and_then(|waiters| waiters.remove(&self.id));
        if !self.done && known.is_some() {
            let _ = self.connection.sender.send(Lane(self.id.0), &ToHost::Cancel { id: self.id });
        }
    }
}

async fn read_replies(mut receiver: Receiver<ReadHalf>, waiters: Arc<Mutex<Waiters>>) {
    let mut why = "the connection to the browser broke".to_owned();
    loop {
        match receiver.next::<FromHost>().await {
            Ok(Some(Received::Message(FromHost::Reply { id, reply }))) => {
                let waiter = lock(&waiters).open().and_then(|waiters| waiters.remove(&id));
                if let Some(waiter) = waiter {
                    let _ = waiter.send(reply);
                }
            }
            Ok(Some(Received::Message(FromHost::Closed(Closed { code, what, .. })))) => {
                // What is still on its way comes; then the stream ends.
                tracing::info!(code, what, "the host says goodbye");
                why = what;
            }
            Ok(Some(Received::Message(FromHost::Hello { .. }) | Received::Part)) => {}
            Ok(Some(Received::Lost(error))) => {
                tracing::error!(%error, "a reply was lost");
                // Which one is unknown: none of those that wait can be relied on.
                break;
            }
            Ok(None) => break,
            Err(error) => {
                tracing::warn!(%error, "the connection to the host broke");
                break;
            }
        }
    }
    // Those who wait find their senders gone.
    *lock(&waiters) = Waiters::Broken(why);
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn no_handshake(host: &Descriptor, why: &str) -> Trouble {
    Trouble::NoHandshake { browser: host.label(), why: why.to_owned() }
}
