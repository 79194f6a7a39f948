//! Does the host start as a browser starts it, and do both its sides answer? It is given an environment with nothing
//! but a minimal PATH, and a folder of its own to meet in, so that no agent takes it for a browser.

use super::{Report, View, fault::Fault};
use crate::{
    descriptor::Descriptor,
    folder::OVERRIDE,
    install::may_be_started,
    link::{Received, Receiver, Sender},
    socket,
    trouble::Trouble,
};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    process::Stdio,
    time::{Duration, Instant},
};
use tokio::{
    process::{Child, Command},
    time::{sleep, timeout},
};
use wire::{
    AgentKey, AgentKind, Chunker, FromHost, FromWorker, HostHello, Lane, PROTOCOL, REPLY_LIMIT,
    REQUEST_LIMIT, ToHost, ToWorker, WorkerHello, frame,
};

/// How long it all may take.
const TIME: Duration = Duration::from_secs(5);

/// How long the host may take to end once its port is gone: after that the browser kills it.
const END_TIME: Duration = Duration::from_secs(2);

/// What browsers have at least, on every system but Windows.
const MINIMAL_PATH: &str = "/usr/bin:/bin";

pub async fn check(view: &View<'_>, report: &mut Report) -> Result<(), Trouble> {
    let programs: BTreeSet<PathBuf> = view
        .registrations
        .iter()
        .filter_map(super::Registration::program)
        .filter(|program| may_be_started(program))
        .map(Path::to_owned)
        .collect();
    for program in programs {
        let began = Instant::now();
        match shake(&program).await? {
            Ok(()) => report.seen(format!(
                "started as a browser would, {} answered on both sides in {} ms",
                program.display(),
                began.elapsed().as_millis()
            )),
            Err(why) => {
                let what = format!("{}, started as a browser would: {why}", program.display());
                report.found(Fault::HostSilent, what, view.install());
            }
        }
    }
    Ok(())
}

/// How a handshake fails.
#[derive(Debug, thiserror::Error)]
enum Failed {
    #[error("cannot be started: {0}")]
    NotStarted(std::io::Error),
    #[error("it ended at once ({0})")]
    Ended(String),
    #[error("{0}")]
    Babbled(String),
    #[error("it is tabwright {version} with protocol {protocol}, this is protocol {PROTOCOL}")]
    Version { version: String, protocol: u32 },
    #[error("agents cannot reach it: {0}")]
    NoAgent(String),
    #[error("no answer within {} s", TIME.as_secs())]
    Silent,
    #[error("it lives on after its port is gone")]
    Stays,
}

async fn shake(program: &Path) -> Result<Result<(), Failed>, Trouble> {
    let mut folder = tempfile::Builder::new();
    folder.prefix("tabwright-doctor-");
    #[cfg(unix)]
    folder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    let folder = folder.tempdir()?;
    let mut host = match start(program, folder.path()) {
        Ok(host) => host,
        Err(error) => return Ok(Err(Failed::NotStarted(error))),
    };
    let talked = timeout(TIME, talk(&mut host, folder.path())).await.unwrap_or(Err(Failed::Silent));
    // With the talk its end of the port went.
    let ended = timeout(END_TIME, host.wait()).await;
    if ended.is_err() {
        let _ = host.kill().await;
    }
    Ok(match (talked, ended) {
        (Ok(()), Ok(_)) => Ok(()),
        (Ok(()), Err(_)) => Err(Failed::Stays),
        (Err(Failed::Ended(_)), Ok(Ok(status))) => Err(Failed::Ended(status.to_string())),
        (Err(failed), _) => Err(failed),
    })
}

fn start(program: &Path, folder: &Path) -> std::io::Result<Child> {
    let mut command = Command::new(program);
    command.arg(wire::extension_origin()).env_clear().env(OVERRIDE, folder);
    if cfg!(windows) {
        // Without these nothing starts there.
        for name in ["PATH", "SYSTEMROOT"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
    } else {
        command.env("PATH", MINIMAL_PATH);
    }
    if let Some(within) = program.parent() {
        command.current_dir(within);
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true).spawn()
}

/// As the worker on the one side, as an agent on the other.
async fn talk(host: &mut Child, folder: &Path) -> Result<(), Failed> {
    let (Some(stdin), Some(stdout)) = (host.stdin.take(), host.stdout.take()) else {
        return Err(Failed::Silent);
    };
    let (worker, _writing) = Sender::start(stdin, Chunker::new(REPLY_LIMIT), frame::FROM_PEER);
    let mut port = Receiver::new(stdout, REQUEST_LIMIT);
    let hello: HostHello = match port.next::<ToWorker>().await {
        Ok(Some(Received::Message(ToWorker::Hello(hello)))) => hello,
        Ok(Some(_)) => return Err(Failed::Babbled("it began without a hello".to_owned())),
        Ok(None) => return Err(Failed::Ended(String::new())),
        Err(error) => return Err(Failed::Babbled(format!("it says what no browser understands: {error}"))),
    };
    if hello.protocol != PROTOCOL {
        return Err(Failed::Version { version: hello.version, protocol: hello.protocol });
    }
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let browser = "doctor".to_owned();
    let ours = WorkerHello { protocol: PROTOCOL, version: version.clone(), browser, profile: None, id: None };
    let said = worker.send(Lane(0), &FromWorker::Hello(ours));
    said.map_err(|error| Failed::NoAgent(error.to_string()))?;
    published(folder, &hello.instance).await;

    let path = crate::descriptor::socket_path(folder, &hello.instance);
    let (read, write) = socket::connect(&path).await.map_err(|error| Failed::NoAgent(error.to_string()))?;
    let mut receiver = Receiver::new(read, REPLY_LIMIT);
    let (agent, _writing) = Sender::start(write, Chunker::new(REQUEST_LIMIT), frame::FROM_PEER);
    let (key, label) = (AgentKey("doctor".to_owned()), "doctor".to_owned());
    let greeting = ToHost::Hello { protocol: PROTOCOL, version, key, label, kind: AgentKind::Shell };
    agent.send(Lane(0), &greeting).map_err(|error| Failed::NoAgent(error.to_string()))?;
    match receiver.next::<FromHost>().await {
        Ok(Some(Received::Message(FromHost::Hello { instance, .. }))) if instance == hello.instance => Ok(()),
        Ok(Some(Received::Message(FromHost::Closed(closed)))) => Err(Failed::NoAgent(closed.what)),
        Ok(other) => Err(Failed::NoAgent(format!("it answered {other:?}"))),
        Err(error) => Err(Failed::NoAgent(error.to_string())),
    }
}

/// Until the host has told where it is, with the browser's name.
async fn published(folder: &Path, instance: &str) {
    let path = folder.join(format!("{instance}.json"));
    let named = || {
        let text = std::fs::read(&path).ok()?;
        serde_json::from_slice::<Descriptor>(&text).ok()?.browser
    };
    while named().is_none() {
        sleep(Duration::from_millis(2)).await;
    }
}
