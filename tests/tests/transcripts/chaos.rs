//! Something goes wrong in the middle of an act, at each of its calls and in each of several ways. The act must be
//! answered in time, with a failure by name or with a success that what reached the page supports; nothing stays held
//! down; what was asked next is served.

mod scene;

use crate::killed::{gone, held};
use anyhow::{Context as _, Result, bail, ensure};
use engine::{CallId, ChromeCall, ChromeTab, Engine, Input, Instant, Intent, Millis, Output};
pub use scene::Fault;
use scene::{Record, Scene};
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};
use tests::transcript::{
    Entry, Point, Transcript, before_answer,
    port::{heard, replied, says, told},
};
use wire::{ConnectionId, FromWorker, Reply, RequestId, ToWorker};

/// No answer may take longer: no call of a tool does.
const LIMIT: Millis = Millis(50_000);

/// How long an answer may take where nothing is left to be asked: what may pass is waited for, two seconds and a look.
const AT_ONCE: Millis = Millis(2_500);

/// Numbers of requests that no transcript uses.
const OURS: u64 = 900_100;

/// What reached the page, and how often.
type Effects = BTreeMap<String, usize>;

/// One `act` of a transcript.
#[derive(Clone)]
pub struct Act {
    /// The number of its request.
    pub request: u64,
    connection: ConnectionId,
    kind: String,
    has_ref: bool,
    /// The calls made between the request and its answer.
    pub calls: Vec<CallId>,
    /// Whether it failed when it was recorded.
    failed: bool,
    /// What reached the page when it was recorded.
    effects: Effects,
}

/// The acts of a transcript, unless something went wrong already when it was recorded.
pub fn acts(transcript: &Transcript) -> Vec<Act> {
    const WRONG: [&str; 2] = ["Inspector.targetCrashed", "Page.javascriptDialogOpening"];
    let lives = transcript.inputs().filter(|input| matches!(input, Input::Started(_))).count();
    let wrong = transcript.inputs().any(|input| {
        matches!(
            input,
            Input::TabRemoved { .. }
                | Input::TabReplaced { .. }
                | Input::Detached { .. }
                | Input::PortClosed { .. }
        ) || matches!(input, Input::Event { method, .. } if WRONG.contains(&method.as_str()))
    });
    if lives != 1 || wrong {
        return Vec::new();
    }
    let mut acts: Vec<Act> = Vec::new();
    let mut under_way = false;
    let mut made = BTreeMap::new();
    let mut answered = BTreeSet::new();
    for line in &transcript.lines {
        match &line.entry {
            Entry::In(_, input) => {
                if let (Input::Answered { call, result: Ok(_) }, Some(act)) = (&**input, acts.last_mut())
                    && under_way
                    && let Some(call) = made.get(call)
                {
                    count(&mut act.effects, &act.kind, call);
                }
                if let Input::Answered { call, .. } = &**input {
                    answered.insert(*call);
                }
                let heard = heard(input);
                if let (Some(ToWorker::Left { connection }), Some(act)) = (&heard, acts.last_mut())
                    && under_way
                    && *connection == act.connection
                {
                    // Nobody waits for it any more.
                    under_way = false;
                    act.calls.retain(|call| answered.contains(call));
                }
                let Some(ToWorker::Request { connection, id, tool, arguments }) = heard else { continue };
                if tool == "act" {
                    under_way = true;
                    made.clear();
                    acts.push(Act {
                        request: id.0,
                        connection,
                        kind: arguments["kind"].as_str().unwrap_or_default().to_owned(),
                        has_ref: arguments.get("ref").or(arguments.get("fields")).is_some(),
                        calls: Vec::new(),
                        failed: false,
                        effects: Effects::new(),
                    });
                }
            }
            Entry::Out(text) => {
                let Some(act) = acts.last_mut().filter(|_| under_way) else { continue };
                match serde_json::from_str(text) {
                    Ok(Output::Call { id, call }) => {
                        act.calls.push(id);
                        made.insert(id, call);
                    }
                    Ok(output) => {
                        if let Some(reply) = answer(&output, act.connection, act.request) {
                            act.failed = reply.is_error;
                            under_way = false;
                        }
                    }
                    Err(_) => {}
                }
            }
        }
    }
    // One that is refused by what is known already asks nothing.
    acts.retain(|act| !act.calls.is_empty());
    acts
}

/// Every so many of the faults is tried at a call, each call beginning with the next one: all of them at every call
/// where `TABWRIGHT_CHAOS` is set, which takes a minute and a half.
const SHARE: usize = 3;

/// Lets things go wrong at each of its calls.
pub fn everywhere(transcript: &Transcript, act: &Act) -> Result<()> {
    let share = if std::env::var_os("TABWRIGHT_CHAOS").is_some() { 1 } else { SHARE };
    let record = Record::of(transcript);
    let mut wrong = String::new();
    let mut tried = 0;
    for (first, call) in act.calls.iter().enumerate() {
        for fault in Fault::ALL.into_iter().skip(first % share).step_by(share) {
            match at(&record, act, before_answer(transcript, *call), *call, fault) {
                Ok(outcome) => tried += usize::from(outcome.is_some()),
                // All of them tell more than the first.
                Err(error) => writeln!(wrong, "{fault:?} at call {}: {error:#}", call.0)?,
            }
        }
    }
    ensure!(wrong.is_empty(), "{wrong}");
    ensure!(tried >= act.calls.len(), "only {tried} faults could happen at {} calls", act.calls.len());
    Ok(())
}

/// Whether an act is begun again when a session is lost, and whether it is for what was done already: how many came
/// through of those that had reached nothing, and of those that had.
pub fn begun_again(transcript: &Transcript, act: &Act, fault: Fault) -> Result<[usize; 2]> {
    let record = Record::of(transcript);
    let mut through = [0, 0];
    for call in &act.calls {
        let outcome = at(&record, act, before_answer(transcript, *call), *call, fault)
            .map_err(|error| error.context(format!("{fault:?} at call {}", call.0)))?;
        if let Some(outcome) = outcome.filter(|outcome| outcome.succeeded && outcome.all_later) {
            through[usize::from(outcome.begun)] += 1;
        }
    }
    Ok(through)
}

/// What came of a fault.
struct Outcome {
    /// Whether the act was answered as done.
    succeeded: bool,
    /// Whether something had reached the page before.
    begun: bool,
    /// Whether all that reached it did so afterwards.
    all_later: bool,
}

/// One run with its fault.
struct Run<'a> {
    engine: Engine,
    now: Instant,
    scene: Scene<'a>,
    act: &'a Act,
    /// All calls, with whether they reached the page.
    made: Vec<(CallId, ChromeCall, bool)>,
    outputs: Vec<Output>,
    inputs: Vec<Input>,
}

fn at(record: &Record, act: &Act, point: Point, call: CallId, fault: Fault) -> Result<Option<Outcome>> {
    let Point { engine, now, outputs, inputs, rest: _ } = point;
    let Some(tab) = outputs.iter().rev().find_map(tab_of) else { bail!("no tab was worked") };
    let mut scene = Scene::of(record, tab, &inputs, &outputs);
    let left = |it: ToWorker| matches!(it, ToWorker::Left { connection } if connection == act.connection);
    if !scene.has(fault) || inputs.iter().filter_map(heard).any(left) {
        return Ok(None);
    }
    let answered = |id: CallId| {
        inputs.iter().find_map(|input| {
            let Input::Answered { call, result } = input else { return None };
            (*call == id).then_some(result.is_ok())
        })
    };
    let first = act.calls.first().copied().unwrap_or(call);
    let mut made = Vec::new();
    let mut open = Vec::new();
    for output in &outputs {
        let Output::Call { id, call } = output else { continue };
        match answered(*id) {
            Some(reached) if *id >= first => made.push((*id, call.clone(), reached)),
            Some(_) => {}
            None => open.push((*id, call.clone())),
        }
    }
    let answer_before = outputs.iter().find_map(|output| answer(output, act.connection, act.request));
    for (id, call, reached) in scene.strike(fault, open) {
        if id >= first {
            made.push((id, call, reached));
        }
    }
    let answered = |asked: &FromWorker| {
        let FromWorker::Look { question, .. } = asked else { return true };
        inputs
            .iter()
            .filter_map(heard)
            .any(|it| matches!(it, ToWorker::Looked { question: of, .. } if of == *question))
    };
    for output in &outputs {
        if let Some(asked) = told(output).filter(|asked| !answered(asked)) {
            scene.host(Some(&asked));
        }
    }
    let struck = made.len();
    let before = reached(act, &made);
    let mut run = Run { engine, now, scene, act, made, outputs, inputs };
    let begun = run.now;
    while let Some(input) = run.scene.told.pop_front() {
        run.give(input);
    }
    let reply = match answer_before {
        Some(reply) => reply,
        None => run.until_answered(act.request).context("the act")?,
    };
    let took = run.now - begun;
    let ended = !matches!(fault, Fault::Replaced | Fault::FramesGone | Fault::Stray | Fault::Swapped);
    ensure!(!ended || took <= AT_ONCE, "the answer took {took:?}: {}", reply.joined_text());
    run.judge(&reply, fault, struck)?;
    let all = reached(act, &run.made);
    let later = reached(act, &run.made[struck..]);
    run.is_served(fault).with_context(|| format!("after {:?}", reply.joined_text()))?;
    Ok(Some(Outcome { succeeded: !reply.is_error, begun: !before.is_empty(), all_later: later == all }))
}

impl Run<'_> {
    fn give(&mut self, input: Input) {
        self.inputs.push(input.clone());
        self.engine.handle(self.now, input);
        while let Some(output) = self.engine.poll() {
            match &output {
                Output::Call { id, call } => {
                    let reached = self.scene.call(*id, call.clone());
                    self.made.push((*id, call.clone(), reached));
                }
                Output::Post { .. } => self.scene.host(told(&output).as_ref()),
                Output::KeepSession { .. }
                | Output::KeepRequest { .. }
                | Output::KeepLocal { .. }
                | Output::Badge { .. }
                | Output::Answer { .. }
                | Output::Alarm { .. } => {}
            }
            self.outputs.push(output);
        }
    }

    /// Goes on until a request is answered.
    fn until_answered(&mut self, request: u64) -> Result<Reply> {
        let last = self.now + LIMIT + Millis(1_000);
        let connection = self.act.connection;
        for _ in 0..20_000 {
            if let Some(input) = self.scene.told.pop_front() {
                self.give(input);
                continue;
            }
            if let Some(reply) = self.outputs.iter().find_map(|output| answer(output, connection, request)) {
                return Ok(reply);
            }
            match self.engine.next_wake() {
                Some(at) if at <= last => self.now = at.max(self.now),
                Some(_) | None => bail!("is never answered"),
            }
            self.give(Input::Woke);
        }
        bail!("does not come to rest")
    }

    fn judge(&self, reply: &Reply, fault: Fault, struck: usize) -> Result<()> {
        let text = reply.joined_text();
        let reached = reached(self.act, &self.made);
        if reply.is_error {
            ensure!(
                text.contains(" error ") || text.starts_with("error "),
                "a failure without its name: {text}"
            );
            ensure!(text.contains("\nnext: "), "a failure without the next step: {text}");
            // Of several steps or fields, what failed says it of itself.
            let claims = text.contains("Nothing done")
                && !text.contains("step 1 is done")
                && !text.contains("filled: ");
            ensure!(!claims || reached.is_empty(), "says that nothing was done, but {reached:?}: {text}");
        } else {
            // Where the hold was taken again, the page reads as it did at first.
            let refused = self.act.failed && fault != Fault::Detached;
            ensure!(!refused, "a success of what was refused when it was recorded: {text}");
            let short = self.act.effects.iter().find(|(what, times)| reached.get(*what) < Some(times));
            ensure!(short.is_none(), "a success, but {short:?} was needed, and {reached:?} is all: {text}");
        }
        let twice = reached
            .iter()
            .find(|(what, times)| self.act.effects.get(*what).is_some_and(|once| once < *times));
        ensure!(
            twice.is_none(),
            "{twice:?} where {:?} was done when it was recorded: {text}",
            self.act.effects
        );
        if fault == Fault::Replaced && self.act.has_ref {
            let later = self.made[struck..].iter().find(|(_, call, _)| is_down(call));
            ensure!(later.is_none(), "the page after it gets {later:?}: {text}");
        }
        let gone = gone(&self.inputs);
        let held = held(&self.outputs, &gone);
        ensure!(held.is_empty(), "still down: {held:?}: {text}");
        Ok(())
    }

    /// What is asked next is done.
    fn is_served(&mut self, fault: Fault) -> Result<()> {
        if fault == Fault::Cancelled {
            self.give(Input::Asked { question: 1, intent: Intent::Resume });
        }
        let way_back = match fault {
            Fault::Closed => Some(("tabs", json!({ "action": "open", "url": "http://127.0.0.1:8000/" }))),
            Fault::Crashed => Some(("navigate", json!({ "to": "reload" }))),
            Fault::Dialog => Some(("dialog", json!({ "action": "dismiss" }))),
            Fault::Detached
            | Fault::Cancelled
            | Fault::Discarded
            | Fault::Replaced
            | Fault::FramesGone
            | Fault::Stray
            | Fault::Swapped => None,
        };
        let mut asked = Vec::from_iter(way_back);
        asked.push(("snapshot", json!({})));
        asked.push(("act", json!({ "kind": "press", "key": "Shift+F2" })));
        for (number, (tool, arguments)) in (OURS..).zip(asked) {
            let presses = self.presses();
            self.give(request(self.act.connection, number, tool, arguments)?);
            let reply = self.until_answered(number).with_context(|| tool.to_owned())?;
            ensure!(!reply.is_error, "{tool} fails: {}", reply.joined_text());
            ensure!(
                tool != "act" || self.presses() == presses + 2,
                "the keys of the next act did not arrive"
            );
        }
        Ok(())
    }

    fn presses(&self) -> usize {
        self.made.iter().filter(|(_, call, reached)| *reached && is_down(call)).count()
    }
}

/// What reached the page of these calls.
fn reached(act: &Act, made: &[(CallId, ChromeCall, bool)]) -> Effects {
    let mut effects = Effects::new();
    for (_, call, _) in made.iter().filter(|(_, _, reached)| *reached) {
        count(&mut effects, &act.kind, call);
    }
    effects
}

/// What a call does to a page, counted.
fn count(effects: &mut Effects, kind: &str, call: &ChromeCall) {
    const DOES: &[&str] = &["set", "choose", "scroll", "click"];
    let ChromeCall::Send { method, params, .. } = call else { return };
    let params: Value = serde_json::from_str(params).unwrap_or_default();
    let word = |name: &str| params[name].as_str().unwrap_or_default();
    let what = match (method.as_str(), word("type")) {
        ("Input.dispatchMouseEvent", "mouseMoved") if !kind.starts_with("hover") => return,
        ("Input.dispatchMouseEvent" | "Input.dispatchDragEvent", what) => what.to_owned(),
        ("Input.dispatchKeyEvent", what) => format!("{what} {}", word("key")),
        ("Input.insertText", _) => format!("insert {}", word("text")),
        ("DOM.setFileInputFiles", _) => "files".to_owned(),
        ("Runtime.evaluate", _) => {
            let asked = word("expression").split_once("Promise.resolve(w.").map_or("", |(_, rest)| rest);
            let name = asked.split('(').next().unwrap_or_default();
            let is_done = DOES.contains(&name) || (kind == "focus" && name == "focus");
            if !is_done {
                return;
            }
            name.to_owned()
        }
        _ => return,
    };
    *effects.entry(what).or_default() += 1;
}

/// Whether a button or key goes down, or text goes in.
fn is_down(call: &ChromeCall) -> bool {
    const DOWN: &[&str] = &["\"mousePressed\"", "\"keyDown\"", "\"rawKeyDown\""];
    let ChromeCall::Send { method, params, .. } = call else { return false };
    method == "Input.insertText"
        || (method.starts_with("Input.") && DOWN.iter().any(|word| params.contains(word)))
}

fn tab_of(output: &Output) -> Option<ChromeTab> {
    if let Output::Call { call: ChromeCall::Send { tab, .. }, .. } = output { Some(*tab) } else { None }
}

fn request(connection: ConnectionId, id: u64, tool: &str, arguments: Value) -> Result<Input> {
    Ok(says(&ToWorker::Request { connection, id: RequestId(id), tool: tool.to_owned(), arguments })?)
}

/// The answer to a request, if the output is that.
fn answer(output: &Output, connection: ConnectionId, request: u64) -> Option<Reply> {
    replied(output).filter(|(of, _)| *of == (connection, RequestId(request))).map(|(_, reply)| reply)
}
