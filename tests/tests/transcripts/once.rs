//! Exactly once, or said: the worker or the host ends after each output of a transcript. Asked then what became of each
//! request, the engine must tell one that did anything as done or as unknown, and one that did nothing as not started; and
//! whatever it says was begun it must not carry out when the same request comes again.

use anyhow::{Context as _, Result, ensure};
use engine::{ChromeCall, Engine, Input, Instant, Output, Started};
use std::collections::BTreeMap;
use tests::transcript::port::{heard, replied, says};
use tests::transcript::{Entry, Transcript};
use wire::{AgentKey, AgentKind, ConnectionId, HostHello, PROTOCOL, RequestId, ToWorker};

/// How many times the host ends in a transcript: each replays it from its beginning.
const HOSTS: usize = 20;

/// Ends both everywhere.
pub fn everywhere(transcript: &Transcript) -> Result<()> {
    let mut number = 0_usize;
    let inputs = transcript.inputs().count();
    play(transcript, inputs, |story, at| {
        number += 1;
        story.worker_ends(at).with_context(|| format!("the worker ends after output {number}"))
    })?;
    for cut in (1..=inputs).step_by(inputs.div_ceil(HOSTS)) {
        let (mut engine, mut story, now) = play(transcript, cut, |_, _| Ok(()))?;
        let closed = Input::PortClosed { error: None };
        story.take_in(&closed);
        engine.handle(now, closed);
        while engine.poll().is_some() {}
        story.ask(&mut engine, now).with_context(|| format!("the host ends after input {cut}"))?;
    }
    Ok(())
}

/// Plays the transcript up to an input; what happened is told after each output.
fn play(
    transcript: &Transcript,
    inputs: usize,
    mut after: impl FnMut(&Story, Instant) -> Result<()>,
) -> Result<(Engine, Story, Instant)> {
    let (mut engine, mut story, mut now) = (Engine::default(), Story::default(), Instant(0));
    let lines = transcript.lines.iter().filter_map(|line| match &line.entry {
        Entry::In(at, input) => Some((*at, input)),
        Entry::Out(_) => None,
    });
    for (at, input) in lines.take(inputs) {
        now = at;
        if matches!(**input, Input::Started(_)) {
            engine = Engine::default();
        }
        story.take_in(input);
        engine.handle(at, (**input).clone());
        for output in std::iter::from_fn(|| engine.poll()) {
            story.take_out(&output);
            after(&story, at)?;
        }
    }
    Ok((engine, story, now))
}

/// A request as the transcript has it.
struct Asked {
    key: AgentKey,
    kind: AgentKind,
    request: (RequestId, String, serde_json::Value),
    connection: ConnectionId,
    /// Whether it can still be told a reply.
    open: bool,
    did: Did,
    /// What it was told.
    told: Option<String>,
}

/// What was done while a request was open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Did {
    Nothing,
    /// By this one: no other was open.
    Something,
    /// By this or another.
    Perhaps,
}

/// What the browser keeps, and who asked for what.
#[derive(Default)]
struct Story {
    started: Started,
    slots: BTreeMap<u16, String>,
    agents: BTreeMap<ConnectionId, (AgentKey, AgentKind)>,
    asked: Vec<Asked>,
    /// Whether it was just written down that a request is begun: what it does must come next.
    imminent: bool,
}

impl Story {
    fn take_in(&mut self, input: &Input) {
        match input {
            Input::Started(started) => {
                if started.session.is_none() {
                    *self = Self::default();
                }
                self.started = started.clone();
                self.port_ends();
            }
            Input::PortClosed { .. } => self.port_ends(),
            Input::Port { .. } => match heard(input) {
                Some(ToWorker::Joined { connection, key, kind, .. }) => {
                    self.agents.insert(connection, (key, kind));
                }
                Some(ToWorker::Left { connection }) => {
                    self.agents.remove(&connection);
                    // An agent that has gone asks nothing.
                    self.asked.retain(|asked| asked.connection != connection);
                }
                Some(ToWorker::Request { connection, id, tool, arguments }) => {
                    let Some((key, kind)) = self.agents.get(&connection).cloned() else { return };
                    let request = (id, tool, arguments);
                    let (open, did, told) = (true, Did::Nothing, None);
                    self.asked.push(Asked { key, kind, request, connection, open, did, told });
                }
                Some(ToWorker::Cancel { connection, id }) => {
                    let of = |asked: &&mut Asked| asked.connection == connection && asked.request.0 == id;
                    self.asked.iter_mut().filter(of).for_each(|asked| asked.open = false);
                }
                Some(
                    ToWorker::Hello(_)
                    | ToWorker::Inquire { .. }
                    | ToWorker::Credit { .. }
                    | ToWorker::Looked { .. }
                    | ToWorker::Secrets { .. }
                    | ToWorker::Ping { .. }
                    | ToWorker::Pong { .. },
                )
                | None => {}
            },
            Input::Answered { .. }
            | Input::Event { .. }
            | Input::Detached { .. }
            | Input::TabCreated { .. }
            | Input::TabActivated { .. }
            | Input::TabRemoved { .. }
            | Input::TabReplaced { .. }
            | Input::TabUpdated { .. }
            | Input::Asked { .. }
            | Input::Installed
            | Input::Pick { .. }
            | Input::Woke => {}
        }
    }

    fn port_ends(&mut self) {
        self.agents.clear();
        self.asked.iter_mut().for_each(|asked| asked.open = false);
    }

    fn take_out(&mut self, output: &Output) {
        self.imminent = matches!(output, Output::KeepRequest { .. });
        match output {
            Output::KeepSession { text } => self.started.session = Some(text.clone()),
            Output::KeepLocal { text } => self.started.local = Some(text.clone()),
            Output::KeepRequest { slot, text } => drop(self.slots.insert(slot.0, text.clone())),
            Output::Call { call, .. } if is_deed(call) => {
                let open = self.asked.iter().filter(|asked| asked.open).count();
                for asked in self.asked.iter_mut().filter(|asked| asked.open) {
                    if asked.did != Did::Something {
                        asked.did = if open == 1 { Did::Something } else { Did::Perhaps };
                    }
                }
            }
            Output::Post { .. } => {
                if let Some(((connection, id), reply)) = replied(output) {
                    let of = |asked: &&mut Asked| {
                        asked.open && (asked.connection, asked.request.0) == (connection, id)
                    };
                    for asked in self.asked.iter_mut().filter(of) {
                        asked.open = false;
                        asked.told = Some(reply.joined_text());
                    }
                }
            }
            Output::Call { .. } | Output::Badge { .. } | Output::Answer { .. } | Output::Alarm { .. } => {}
        }
    }

    /// The worker ends here and starts again with what was kept.
    fn worker_ends(&self, now: Instant) -> Result<()> {
        let mut engine = Engine::default();
        let requests = self.slots.values().cloned().collect();
        engine.handle(now, Input::Started(Started { requests, ..self.started.clone() }));
        while engine.poll().is_some() {}
        self.ask(&mut engine, now)
    }

    /// A host comes, the agents come, and each asks what became of its requests.
    fn ask(&self, engine: &mut Engine, now: Instant) -> Result<()> {
        let hello = HostHello {
            protocol: PROTOCOL,
            version: String::new(),
            instance: "next".to_owned(),
            policy: None,
        };
        say(engine, now, &ToWorker::Hello(hello))?;
        let mut agents: Vec<&AgentKey> = Vec::new();
        for asked in &self.asked {
            let place = agents.iter().position(|key| **key == asked.key).unwrap_or_else(|| {
                agents.push(&asked.key);
                agents.len() - 1
            });
            let connection = ConnectionId(u32::try_from(place)? + 1);
            let (id, tool, arguments) = asked.request.clone();
            let joined = ToWorker::Joined {
                connection,
                key: asked.key.clone(),
                label: "again".to_owned(),
                kind: asked.kind,
                executable: None,
            };
            say(engine, now, &joined)?;
            let said = say(engine, now, &ToWorker::Inquire { connection, id })?;
            let told = reply(&said, id).context("no answer to what became of a request")?;
            asked.judge(&told, self.imminent).with_context(|| format!("{id:?} {tool} {arguments}"))?;
            if told.starts_with("error not_started:") {
                continue;
            }
            let said = say(engine, now, &ToWorker::Request { connection, id, tool, arguments })?;
            let again = reply(&said, id);
            ensure!(again.as_deref() == Some(&told), "it became {told}, and when it comes again: {again:?}");
            ensure!(!said.iter().any(is_deed_of), "a request was carried out again");
        }
        Ok(())
    }
}

impl Asked {
    fn judge(&self, told: &str, imminent: bool) -> Result<()> {
        let not_started = told.starts_with("error not_started:");
        let unknown = told.starts_with("error outcome_unknown:");
        let lost = told.starts_with("error reply_lost:");
        match self.did {
            Did::Nothing if imminent && self.open => {
                ensure!(not_started || unknown, "it does something, but: {told}");
            }
            Did::Nothing => ensure!(not_started, "it did nothing, but: {told}"),
            Did::Something => ensure!(!not_started, "it did something, but: {told}"),
            Did::Perhaps => {}
        }
        match &self.told {
            Some(before) if self.did == Did::Something => {
                ensure!(lost || told == before, "it was told {before}, and now: {told}");
            }
            Some(before) => {
                ensure!(not_started || lost || unknown || told == before, "another's answer: {told}");
            }
            None => {}
        }
        Ok(())
    }
}

/// What a page, a server or a person may notice.
fn is_deed(call: &ChromeCall) -> bool {
    match call {
        ChromeCall::Send { method, params, .. } => {
            let script = ["w.set(", "w.choose(", "w.focus(", "w.scroll(", "w.click("];
            cdp::DEEDS.contains(&method.as_str())
                || (method == "Runtime.evaluate" && script.iter().any(|deed| params.contains(deed)))
        }
        ChromeCall::CreateTab { .. }
        | ChromeCall::CreateWindow { .. }
        | ChromeCall::EmptyTab { .. }
        | ChromeCall::RemoveTab { .. } => true,
        ChromeCall::Attach { .. }
        | ChromeCall::Detach { .. }
        | ChromeCall::FocusWindow { .. }
        | ChromeCall::ShowTab { .. }
        | ChromeCall::ReloadTab { .. }
        | ChromeCall::Group { .. }
        | ChromeCall::NameGroup { .. }
        | ChromeCall::Ungroup { .. }
        | ChromeCall::Paint { .. }
        | ChromeCall::OpenPopup
        | ChromeCall::OpenPage { .. }
        | ChromeCall::GetTab { .. }
        | ChromeCall::ConnectHost
        | ChromeCall::DisconnectHost => false,
    }
}

fn is_deed_of(output: &Output) -> bool {
    matches!(output, Output::Call { call, .. } if is_deed(call))
}

fn say(engine: &mut Engine, now: Instant, message: &ToWorker) -> Result<Vec<Output>> {
    // All that is said back is read.
    for message in [&ToWorker::Credit { envelopes: 1 }, message] {
        engine.handle(now, says(message)?);
    }
    Ok(std::iter::from_fn(|| engine.poll()).collect())
}

fn reply(outputs: &[Output], id: RequestId) -> Option<String> {
    outputs.iter().filter_map(replied).find(|((_, of), _)| *of == id).map(|(_, reply)| reply.joined_text())
}
