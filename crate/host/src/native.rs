//! The native-messaging host: started by Chrome with the extension's origin, speaks with the worker on stdin and
//! stdout, and with agents on its own local socket. Ends within two seconds of stdin's end; no signal comes.

use crate::{
    descriptor::Entry,
    files,
    journal::Journal,
    link::{Received, Receiver, Sender},
    pulse::{Pulse, Verdict},
    relay::{Arrival, Event, Relay, version_mismatch},
    secret,
    socket::{Accepted, Listener, parent_executable},
    trouble::Trouble,
};
use std::{env, fs, sync::Arc, time::Duration};
use tokio::{
    sync::{Semaphore, mpsc},
    time::{Instant, sleep_until, timeout},
};
use wire::{
    Chunker, ConnectionId, FromHost, FromWorker, HostHello, Keyring, Lane, PROTOCOL, Policy, REPLY_LIMIT,
    REQUEST_LIMIT, ToHost, ToWorker, chunk, frame,
};

/// Names a policy file for unattended runs, in the browser's environment.
const POLICY: &str = "TABWRIGHT_POLICY";

/// How long an agent has for its hello.
const HELLO_TIME: Duration = Duration::from_secs(5);

/// How long the worker has for its hello.
const WORKER_TIME: Duration = Duration::from_secs(10);

/// How long goodbyes may take. Chrome kills the process after two seconds.
const GOODBYE_TIME: Duration = Duration::from_secs(1);

/// How many agents may be connected at once.
const AGENTS: usize = 64;

/// After how many envelopes that were read the worker is told so.
const GRANT: u32 = chunk::CREDIT / 2;

/// Serves until the worker's port is gone.
pub async fn run(origin: &str) -> Result<(), Trouble> {
    if origin.trim_end_matches('/') != wire::extension_origin().trim_end_matches('/') {
        return Err(Trouble::WrongOrigin { origin: origin.to_owned() });
    }
    let mut entry = Entry::claim()?;
    let path = entry.socket_path();
    let listener =
        Listener::bind(&path).map_err(|source| Trouble::File { what: "cannot listen at", path, source })?;
    entry.publish(None)?;
    tracing::info!(instance = entry.instance(), "host started");

    let (worker, writing) = Sender::start(tokio::io::stdout(), Chunker::new(REQUEST_LIMIT), frame::TO_CHROME);
    let hello = HostHello {
        protocol: PROTOCOL,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        instance: entry.instance().to_owned(),
        policy: policy(),
    };
    if worker.send(Lane(u64::MAX), &ToWorker::Hello(hello)).is_err() {
        tracing::error!("the extension cannot be told hello");
    }
    let mut relay = Relay::new(entry.instance().to_owned(), worker);
    serve(&mut relay, &mut entry, listener).await;

    // Nobody new finds it from here on.
    drop(entry);
    let goodbyes = relay.close();
    let all_said = async {
        for goodbye in goodbyes {
            let _ = goodbye.await;
        }
    };
    if timeout(GOODBYE_TIME, all_said).await.is_err() {
        tracing::warn!("some agents did not hear the goodbye");
    }
    writing.abort();
    Ok(())
}

async fn serve(relay: &mut Relay, entry: &mut Entry, listener: Listener) {
    let mut worker = Receiver::new(tokio::io::stdin(), REPLY_LIMIT).counting();
    let (events_in, mut events) = mpsc::channel(AGENTS);
    let accepting = tokio::spawn(accept(listener, events_in));
    let journal = Journal::default();
    let silence = Instant::now() + WORKER_TIME;
    let mut greeted = false;
    let mut pulse = Pulse::new(Instant::now());
    let mut read = 0;
    loop {
        tokio::select! {
            said = worker.next::<FromWorker>() => {
                let said = match said {
                    Ok(Some(said)) => said,
                    Ok(None) => {
                        tracing::info!("the extension's port is gone");
                        break;
                    }
                    Err(error) => {
                        tracing::error!(%error, "the extension's port cannot be read");
                        break;
                    }
                };
                pulse.heard(Instant::now());
                read += 1;
                if read == GRANT {
                    read = 0;
                    tell_worker(relay, &ToWorker::Credit { envelopes: GRANT });
                }
                match said {
                    Received::Message(FromWorker::Look { question, roots, paths }) => {
                        look(relay.worker(), question, roots, paths);
                    }
                    Received::Message(FromWorker::ListSecrets { question }) => {
                        open(relay.worker(), question, secret::listed);
                    }
                    Received::Message(FromWorker::Reveal { question, name, origin }) => {
                        open(relay.worker(), question, move || secret::revealed(&name, &origin));
                    }
                    Received::Message(FromWorker::Journal(line)) => {
                        if let Err(trouble) = journal.write(line, relay.browser()) {
                            tracing::error!(%trouble, "the journal lacks a line");
                        }
                    }
                    Received::Message(said) => {
                        if let Some(hello) = relay.on_worker(said)
                            && let Err(error) = entry.publish(Some(hello))
                        {
                            tracing::error!(%error, "the descriptor could not be renewed");
                        }
                        greeted = true;
                    }
                    Received::Part => {}
                    Received::Lost(error) => relay.on_worker_lost(&error),
                }
            }
            Some(event) = events.recv() => relay.on_event(event),
            () = sleep_until(silence), if !greeted => {
                greeted = true;
                relay.on_silence();
            }
            () = sleep_until(pulse.due()) => match pulse.passed(Instant::now()) {
                Verdict::Ask { nonce } => tell_worker(relay, &ToWorker::Ping { nonce }),
                Verdict::Dead => {
                    tracing::error!("the extension does not answer: its port is given up");
                    break;
                }
            },
        }
    }
    accepting.abort();
}

fn tell_worker(relay: &Relay, message: &ToWorker) {
    if let Err(error) = relay.worker().send(Lane(u64::MAX), message) {
        tracing::warn!(%error, "the extension cannot be told");
    }
}

/// A folder of another machine may take its time.
fn look(worker: Sender, question: u64, roots: Vec<String>, paths: Vec<String>) {
    tokio::task::spawn_blocking(move || {
        let files = files::look(&roots, &paths);
        if worker.send(Lane(u64::MAX), &ToWorker::Looked { question, files }).is_err() {
            tracing::warn!("the extension cannot be told of files");
        }
    });
}

/// A keyring that is locked waits for its person: beside everything else.
fn open(worker: Sender, question: u64, ask: impl FnOnce() -> Keyring + Send + 'static) {
    tokio::task::spawn_blocking(move || {
        let keyring = ask();
        if worker.send(Lane(u64::MAX), &ToWorker::Secrets { question, keyring }).is_err() {
            tracing::warn!("the extension cannot be told of secrets");
        }
    });
}

fn policy() -> Option<Policy> {
    let path = env::var_os(POLICY).filter(|path| !path.is_empty())?;
    let read = fs::read(&path).map_err(|error| error.to_string());
    match read.and_then(|text| serde_json::from_slice(&text).map_err(|error| error.to_string())) {
        Ok(policy) => Some(policy),
        Err(error) => {
            tracing::error!(path = %path.display(), error, "the policy file is not in force");
            None
        }
    }
}

async fn accept(listener: Listener, events: mpsc::Sender<Event>) {
    let free = Arc::new(Semaphore::new(AGENTS));
    let mut number = 0;
    loop {
        let Ok(place) = Arc::clone(&free).acquire_owned().await else { return };
        let accepted = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::error!(%error, "cannot accept an agent");
                // Too many open files, say: not at full speed.
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        number += 1;
        let connection = ConnectionId(number);
        let events = events.clone();
        tokio::spawn(async move {
            hear(connection, accepted, &events).await;
            drop(place);
        });
    }
}

/// Hears one agent until it goes.
async fn hear(connection: ConnectionId, accepted: Accepted, events: &mpsc::Sender<Event>) {
    let mut receiver = Receiver::new(accepted.read, REQUEST_LIMIT).of_agent();
    let (sender, writing) = Sender::start(accepted.write, Chunker::new(REPLY_LIMIT), frame::FROM_PEER);
    let hello = match timeout(HELLO_TIME, receiver.next::<ToHost>()).await {
        Ok(Ok(Some(Received::Message(hello)))) => hello,
        Ok(Ok(Some(Received::Lost(error)))) => return tracing::warn!(%error, "a peer was refused"),
        Ok(Ok(Some(Received::Part) | None)) => return,
        Ok(Err(error)) => return tracing::warn!(%error, "a peer was refused"),
        Err(_) => return tracing::warn!("a peer that said nothing was refused"),
    };
    let ToHost::Hello { protocol, version, key, label, kind } = hello else {
        return tracing::warn!("a peer that began without a hello was refused");
    };
    if protocol != PROTOCOL {
        tracing::warn!(version, protocol, "an agent of another version was refused");
        let closed = FromHost::Closed(version_mismatch("agent", &version, protocol));
        let _ = sender.send(Lane(0), &closed);
        drop(sender);
        let _ = timeout(GOODBYE_TIME, writing).await;
        return;
    }
    let executable = accepted.pid.and_then(parent_executable);
    let arrival = Arrival { sender, writing, key, label, kind, executable };
    if events.send(Event::Arrived(connection, arrival)).await.is_err() {
        return;
    }
    loop {
        let event = match receiver.next().await {
            Ok(Some(Received::Message(said))) => Event::Said(connection, said),
            Ok(Some(Received::Lost(error))) => Event::Lost(connection, error),
            // Not counted of agents.
            Ok(Some(Received::Part)) => continue,
            Ok(None) => break,
            Err(error) => {
                tracing::warn!(?connection, %error, "an agent's connection was ended");
                break;
            }
        };
        if events.send(event).await.is_err() {
            return;
        }
    }
    let _ = events.send(Event::Gone(connection)).await;
}
