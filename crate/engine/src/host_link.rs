//! The port to the native-messaging host: hello, envelopes, and coming back after it broke.

use crate::{
    browser::Core,
    clock::{Instant, Millis},
    failure::Failure,
    io::{ChromeCall, Output},
    journal, request,
};
use futures::channel::oneshot;
use std::{collections::BTreeMap, rc::Rc};
use wire::{
    ConnectionId, FoundFile, FromWorker, HostHello, Keyring, PROTOCOL, Reply, ToWorker, WorkerHello,
    chunk::{Assembler, CREDIT, Chunker, Envelope, Lane, REPLY_LIMIT, REQUEST_LIMIT},
};

/// How the port stands.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Port {
    /// Not open, with what Chrome said last.
    #[default]
    Closed,
    /// Open; the host has not said hello.
    Open,
    /// The host said hello and speaks as we do.
    Greeted(HostHello),
    /// The host speaks another version.
    Mismatched(HostHello),
}

/// Who waits for an answer of the host.
enum Asker {
    /// About files.
    Files(oneshot::Sender<Vec<FoundFile>>),
    /// About secrets.
    Secrets(oneshot::Sender<Keyring>),
}

/// The port and what waits for it.
pub struct HostLink {
    /// How it stands.
    pub port: Port,
    /// What Chrome said when it last broke.
    pub error: Option<String>,
    attempts: u32,
    retry_at: Option<Instant>,
    /// When the host last said anything, and whether it was asked since.
    heard: Instant,
    asked: bool,
    /// Which port this is: whoever watches an earlier one stops.
    opened: u64,
    /// What the host was asked, and who waits for the answer.
    questions: BTreeMap<u64, Asker>,
    last_question: u64,
    chunker: Chunker,
    assembler: Assembler,
}

impl Default for HostLink {
    fn default() -> Self {
        Self {
            port: Port::Closed,
            error: None,
            attempts: 0,
            retry_at: None,
            heard: Instant(0),
            asked: false,
            opened: 0,
            questions: BTreeMap::new(),
            last_question: 0,
            chunker: Chunker::new(REPLY_LIMIT),
            assembler: Assembler::new(REQUEST_LIMIT),
        }
    }
}

/// How long to wait before the next try, by how many failed.
const BACKOFF: &[u64] = &[100, 250, 500, 1_000, 2_000, 5_000, 10_000];

/// After how long a silence the host is asked whether it lives. It asks us sooner.
const QUIET: Millis = Millis(25_000);

/// How long it may take to say anything then.
const PATIENCE: Millis = Millis(5_000);

/// Opens the port.
pub fn connect(core: &Rc<Core>) {
    if core.host.borrow().port != Port::Closed {
        return;
    }
    let opened = {
        let mut host = core.host.borrow_mut();
        host.port = Port::Open;
        host.chunker = Chunker::new(REPLY_LIMIT).on_credit(CREDIT);
        host.assembler = Assembler::new(REQUEST_LIMIT);
        host.heard = core.desk.now();
        host.asked = false;
        host.opened += 1;
        host.opened
    };
    // Its end is told by `PortClosed`; that it was asked for needs no answer.
    drop(core.desk.call(ChromeCall::ConnectHost));
    hello(core);
    core.desk.spawn(watch(core.clone(), opened));
}

/// Says who we are; again when that changed.
pub fn hello(core: &Rc<Core>) {
    let started = core.started.borrow();
    let hello = WorkerHello {
        protocol: PROTOCOL,
        version: started.version.clone(),
        browser: started.browser.clone(),
        profile: core.profile.borrow().name.clone(),
        id: core.profile.borrow().id.clone(),
    };
    post(core, None, &FromWorker::Hello(hello));
}

/// A host that hangs keeps its pipe open: what says nothing, also when asked, is given up.
async fn watch(core: Rc<Core>, opened: u64) {
    loop {
        let due = {
            let host = core.host.borrow();
            host.heard + if host.asked { QUIET + PATIENCE } else { QUIET }
        };
        core.desk.sleep(due - core.desk.now()).await;
        let silent = {
            let host = core.host.borrow();
            if host.opened != opened || host.port == Port::Closed {
                return;
            }
            core.desk.now() - host.heard
        };
        let asked = core.host.borrow().asked;
        if asked && silent >= QUIET + PATIENCE {
            drop(core.desk.call(ChromeCall::DisconnectHost));
            return closed(&core, Some("the host does not answer".into()));
        }
        if !asked && silent >= QUIET {
            core.host.borrow_mut().asked = true;
            post(&core, None, &FromWorker::Ping { nonce: opened });
        }
    }
}

/// The worker was woken by time or an alarm: a port that is not open is tried again.
pub fn wake(core: &Rc<Core>) {
    let due = core.host.borrow().retry_at.is_none_or(|at| core.desk.now() >= at);
    if due {
        connect(core);
    }
}

/// The port ended: agents are gone until the next one, and their work stops.
pub fn closed(core: &Rc<Core>, error: Option<String>) {
    let wait = {
        let mut host = core.host.borrow_mut();
        host.port = Port::Closed;
        host.questions.clear();
        host.error = error;
        let wait = BACKOFF.get(host.attempts as usize).copied().unwrap_or(30_000);
        host.attempts = host.attempts.saturating_add(1);
        host.retry_at = Some(core.desk.now() + Millis(wait));
        Millis(wait)
    };
    request::cancel_all(core);
    core.agents.borrow_mut().all_left();
    core.show_state();
    let again = core.clone();
    core.desk.spawn(async move {
        again.desk.sleep(wait).await;
        connect(&again);
    });
}

/// An envelope came.
pub fn received(core: &Rc<Core>, text: &str) {
    {
        let mut host = core.host.borrow_mut();
        host.heard = core.desk.now();
        host.asked = false;
    }
    let taken = match serde_json::from_str::<Envelope>(text) {
        Ok(envelope) => core.host.borrow_mut().assembler.take(envelope),
        // Not of our protocol; the host logs what it sends.
        Err(_) => return,
    };
    let Ok(Some(message)) = taken else { return };
    if let Ok(message) = serde_json::from_str::<ToWorker>(&message) {
        heard(core, message);
    }
}

fn heard(core: &Rc<Core>, message: ToWorker) {
    match message {
        ToWorker::Hello(hello) => {
            let mut host = core.host.borrow_mut();
            host.attempts = 0;
            host.error = None;
            let instance = hello.instance.clone();
            let fits = hello.protocol == PROTOCOL;
            *core.consent.policy.borrow_mut() = if fits { hello.policy.clone() } else { None };
            host.port = if fits { Port::Greeted(hello) } else { Port::Mismatched(hello) };
            drop(host);
            core.consent.changed.raise();
            if fits {
                journal::catch_up(core);
            }
            core.show_state();
            if core.profile.borrow().id.is_none() {
                core.profile.borrow_mut().id = Some(instance);
                core.keep();
                self::hello(core);
            }
        }
        ToWorker::Joined { connection, key, label, kind, executable } => {
            core.agents.borrow_mut().joined(connection, key, &label, kind, executable, core.desk.now());
            // Its requests are written down under its number.
            core.keep();
            core.show_state();
        }
        ToWorker::Left { connection } => {
            request::cancel_connection(core, connection);
            let holders = core.tabs.borrow().values().filter_map(|tab| tab.state.borrow().owner).collect();
            core.agents.borrow_mut().left(connection, &holders);
            let agents = core.agents.borrow();
            core.ledger.borrow_mut().retain(|agent| agents.all.contains_key(&agent));
            drop(agents);
            core.keep();
            core.show_state();
        }
        ToWorker::Request { connection, id, tool, arguments } => {
            request::begin(core, connection, id, tool, arguments);
        }
        ToWorker::Cancel { connection, id } => request::cancel(core, connection, id),
        ToWorker::Inquire { connection, id } => request::inquire(core, connection, id),
        // Whoever asked may have been stopped meanwhile.
        ToWorker::Looked { question, files } => {
            if let Some(Asker::Files(asker)) = core.host.borrow_mut().questions.remove(&question) {
                drop(asker.send(files));
            }
        }
        ToWorker::Secrets { question, keyring } => {
            if let Some(Asker::Secrets(asker)) = core.host.borrow_mut().questions.remove(&question) {
                drop(asker.send(keyring));
            }
        }
        ToWorker::Credit { envelopes } => {
            core.host.borrow_mut().chunker.grant(envelopes);
            flush(core);
        }
        ToWorker::Ping { nonce } => post(core, None, &FromWorker::Pong { nonce }),
        // That it came is all.
        ToWorker::Pong { .. } => {}
    }
}

/// Asks the host what files there are at some paths, within some folders.
///
/// # Errors
/// When the port breaks meanwhile.
pub async fn look(
    core: &Rc<Core>,
    roots: Vec<String>,
    paths: Vec<String>,
) -> Result<Vec<FoundFile>, Failure> {
    let (asker, answer) = oneshot::channel();
    let question = question(core, Asker::Files(asker));
    post(core, None, &FromWorker::Look { question, roots, paths });
    answer.await.map_err(|_| gone())
}

/// Asks the host which secrets are stored.
///
/// # Errors
/// When the port breaks meanwhile.
pub async fn secrets(core: &Rc<Core>) -> Result<Keyring, Failure> {
    let (asker, answer) = oneshot::channel();
    let question = question(core, Asker::Secrets(asker));
    post(core, None, &FromWorker::ListSecrets { question });
    answer.await.map_err(|_| gone())
}

/// Asks the host for the value of a secret that an origin is to get.
///
/// # Errors
/// When the port breaks meanwhile.
pub async fn reveal(core: &Rc<Core>, name: String, origin: String) -> Result<Keyring, Failure> {
    let (asker, answer) = oneshot::channel();
    let question = question(core, Asker::Secrets(asker));
    post(core, None, &FromWorker::Reveal { question, name, origin });
    answer.await.map_err(|_| gone())
}

/// A number for a question. Without a port nobody waits: the answer is that the host is gone.
fn question(core: &Rc<Core>, asker: Asker) -> u64 {
    let mut host = core.host.borrow_mut();
    host.last_question += 1;
    let question = host.last_question;
    if host.port.is_greeted() {
        host.questions.insert(question, asker);
    }
    question
}

fn gone() -> Failure {
    Failure::Browser { message: "the host went away".into() }
}

/// Sends a message. A reply over the limit becomes a failure that says so.
pub fn post(core: &Core, connection: Option<ConnectionId>, message: &FromWorker) {
    let mut host = core.host.borrow_mut();
    if host.port == Port::Closed {
        return;
    }
    let lane = Lane(connection.map_or(0, |connection| u64::from(connection.0) + 1));
    let text = serde_json::to_string(message).unwrap_or_default();
    if let (Err(too_large), FromWorker::Reply { connection, id, .. }) =
        (host.chunker.push(lane, text), message)
    {
        let reply = Reply::failure(
            "too_large",
            &format!("{too_large}."),
            "ask for less: scope, depth or max_tokens.",
        );
        let failure = FromWorker::Reply { connection: *connection, id: *id, reply };
        // A failure of two lines is never too large.
        let _ = host.chunker.push(lane, serde_json::to_string(&failure).unwrap_or_default());
    }
    drop(host);
    flush(core);
}

/// Sends what may be sent; the rest goes when the host has read some of it.
fn flush(core: &Core) {
    let mut host = core.host.borrow_mut();
    while let Some(envelope) = host.chunker.next_envelope() {
        if let Ok(envelope) = serde_json::to_string(&envelope) {
            core.desk.tell(Output::Post { envelope });
        }
    }
}
