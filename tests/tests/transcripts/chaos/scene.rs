//! The browser after something went wrong in the middle of a recorded act. It answers questions about documents that
//! are still there as it did when it was recorded, says of the others that they are gone, and shows the same page anew
//! where one is loaded. It counts what reached the page. Knows nothing of what the engine should do about it.

use engine::{Answer, CallError, CallId, CallResult, ChromeCall, ChromeTab, Input, Output};
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use tests::transcript::Transcript;
use tests::transcript::port::says;
use wire::{FromWorker, ToWorker};

/// What went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The tab was closed.
    Closed,
    /// Its renderer crashed.
    Crashed,
    /// The browser ended our hold on it.
    Detached,
    /// The person ended our hold on every tab, with the bar's button.
    Cancelled,
    /// It was put to sleep: it goes on under another number, empty.
    Discarded,
    /// The page shows a dialog.
    Dialog,
    /// Another document is in its place: it is the same page, loaded anew.
    Replaced,
    /// The sessions of its cross-process frames ended with the frames.
    FramesGone,
    /// A frame that nobody cares for came and went.
    Stray,
    /// The sessions of its cross-process frames ended, and others came for the same documents.
    Swapped,
}

impl Fault {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Closed,
        Self::Crashed,
        Self::Detached,
        Self::Cancelled,
        Self::Discarded,
        Self::Dialog,
        Self::Replaced,
        Self::FramesGone,
        Self::Stray,
        Self::Swapped,
    ];
}

/// The number of a tab after it was put to sleep, and of the next one that is opened.
const ASLEEP: ChromeTab = ChromeTab(900_001);
const OPENED: ChromeTab = ChromeTab(900_002);

/// Contexts that no recording has.
const FRESH: i64 = 900_000;

/// One call with its answer.
type Asked = (Option<String>, String, String);

/// What a transcript tells of its browser.
#[derive(Default)]
pub struct Record {
    /// What was answered, each with the place of the input that did.
    answers: Vec<(usize, Asked, CallResult)>,
    /// The facts of each document as a whole, by its number.
    facts: BTreeMap<String, Value>,
    /// What the host said of files.
    looked: Vec<ToWorker>,
    /// The number of the document in each context.
    documents: BTreeMap<(Option<String>, i64), String>,
    /// The last page of the tab.
    root: String,
    url: String,
}

impl Record {
    /// What a transcript tells.
    pub fn of(transcript: &Transcript) -> Self {
        let asked: BTreeMap<CallId, Asked> =
            transcript.outputs().filter_map(|output| asked(&output)).collect();
        let looked = transcript.heard().filter(|it| matches!(it, ToWorker::Looked { .. })).collect();
        let mut record = Self { looked, ..Self::default() };
        for (index, input) in transcript.inputs().enumerate() {
            let Input::Answered { call, result } = input else { continue };
            let Some(question) = asked.get(call) else { continue };
            record.answers.push((index, question.clone(), result.clone()));
            match result {
                Ok(Answer::Text(text)) if question.2.contains("c.facts(") => {
                    let facts = read(text);
                    let number = facts["document"].to_string();
                    if let Some(context) = read(&question.2)["contextId"].as_i64() {
                        record.documents.insert((question.0.clone(), context), number.clone());
                    }
                    if facts.is_object() && facts["edits"].is_null() {
                        record.facts.insert(number, facts);
                    }
                }
                Ok(Answer::Json(text)) if question.1 == "Page.getFrameTree" && question.0.is_none() => {
                    let frame = &read(text)["frameTree"]["frame"];
                    (record.url, record.root) = (word(frame, "url"), word(frame, "id"));
                }
                Ok(_) | Err(_) => {}
            }
        }
        record
    }
}

/// A browser with one tab that is worked.
#[allow(clippy::struct_excessive_bools, reason = "independent facts of one tab")]
pub struct Scene<'a> {
    tab: ChromeTab,
    is_open: bool,
    is_attached: bool,
    is_crashed: bool,
    dialog: bool,
    /// Sessions of cross-process frames, each with the one that it was recorded as and what was told of it.
    sessions: BTreeMap<String, (String, Value)>,
    root: String,
    url: String,
    /// How often the page was loaded anew since it was recorded.
    loads: i64,
    /// What is still to be answered as it was when it was recorded, by what is asked; the last of it over and over.
    answers: BTreeMap<Asked, VecDeque<CallResult>>,
    record: &'a Record,
    /// Whether the page is as it was recorded.
    undisturbed: bool,
    /// Calls that a dialog keeps waiting.
    waiting: Vec<(CallId, ChromeCall)>,
    /// What a press was seen to do, while it is guarded.
    guard: Option<(bool, bool)>,
    /// What is told to the engine next.
    pub told: VecDeque<Input>,
}

impl<'a> Scene<'a> {
    /// The browser of a transcript at a moment: what the engine was given and put out until then, working `tab`.
    pub fn of(record: &'a Record, tab: ChromeTab, inputs: &[Input], outputs: &[Output]) -> Self {
        let mut answers = BTreeMap::<_, VecDeque<_>>::new();
        for (index, question, result) in &record.answers {
            let left = answers.entry(question.clone()).or_default();
            if *index < inputs.len() {
                left.clear();
            }
            left.push_back(result.clone());
        }
        let mut scene = Self {
            tab,
            is_open: true,
            is_attached: true,
            is_crashed: false,
            dialog: false,
            sessions: BTreeMap::new(),
            root: record.root.clone(),
            url: record.url.clone(),
            loads: 0,
            answers,
            record,
            undisturbed: true,
            waiting: Vec::new(),
            guard: None,
            told: VecDeque::new(),
        };
        for input in inputs {
            if let Input::Event { method, params, .. } = input {
                let told = read(params);
                let session = word(&told, "sessionId");
                match method.as_str() {
                    "Target.attachedToTarget" => {
                        scene.sessions.insert(session.clone(), (session, told));
                    }
                    "Target.detachedFromTarget" => drop(scene.sessions.remove(&session)),
                    _ => {}
                }
            }
        }
        for output in outputs {
            if let Output::Call { call: ChromeCall::Send { method, params, .. }, .. } = output {
                scene.notice(method, params);
            }
        }
        scene
    }

    /// Whether this can go wrong here.
    pub fn has(&self, fault: Fault) -> bool {
        !matches!(fault, Fault::FramesGone | Fault::Swapped) || !self.sessions.is_empty()
    }

    /// It goes wrong. `open` are the calls that were not answered yet.
    /// They come back with whether they reached the page, or will.
    pub fn strike(
        &mut self,
        fault: Fault,
        open: Vec<(CallId, ChromeCall)>,
    ) -> Vec<(CallId, ChromeCall, bool)> {
        self.undisturbed = matches!(fault, Fault::Stray | Fault::Swapped);
        match fault {
            Fault::Closed => {
                self.is_open = false;
                self.detach("target_closed");
                self.told.push_back(Input::TabRemoved { tab: self.tab });
            }
            Fault::Crashed => {
                self.is_crashed = true;
                self.event("Inspector.targetCrashed", &json!({}));
            }
            Fault::Detached => self.detach("target_closed"),
            Fault::Cancelled => self.detach("canceled_by_user"),
            Fault::Discarded => {
                self.is_attached = false;
                self.loads += 1;
                self.told.push_back(Input::TabReplaced { removed: self.tab, added: ASLEEP });
                self.tab = ASLEEP;
            }
            Fault::Dialog => {
                self.dialog = true;
                let opened = json!({ "url": self.url, "message": "Stay?", "type": "alert", "hasBrowserHandler": false });
                self.event("Page.javascriptDialogOpening", &opened);
            }
            Fault::Replaced => self.load(),
            Fault::FramesGone => {
                for session in std::mem::take(&mut self.sessions).into_keys() {
                    self.event("Target.detachedFromTarget", &json!({ "sessionId": session }));
                }
            }
            Fault::Swapped => {
                for (session, (recorded, mut told)) in std::mem::take(&mut self.sessions) {
                    self.event("Target.detachedFromTarget", &json!({ "sessionId": session }));
                    let again = format!("{session}-AGAIN");
                    told["sessionId"] = json!(again);
                    self.event("Target.attachedToTarget", &told);
                    self.sessions.insert(again, (recorded, told));
                }
            }
            Fault::Stray => {
                self.event("Page.frameAttached", &json!({ "frameId": "STRAY", "parentFrameId": self.root }));
                self.event("Page.frameDetached", &json!({ "frameId": "STRAY", "reason": "remove" }));
            }
        }
        let mut made = Vec::new();
        for (id, call) in open {
            let detached =
                matches!(fault, Fault::Closed | Fault::Detached | Fault::Cancelled | Fault::Discarded);
            let is_page = matches!(call, ChromeCall::Send { .. });
            let reached = if detached && is_page {
                self.answer(id, Err(plainly("Detached while handling command.")));
                false
            } else {
                self.call(id, call.clone())
            };
            made.push((id, call, reached));
        }
        made
    }

    /// The engine tells the host something, which is read. What it asks about files is answered as it was when it was
    /// recorded.
    pub fn host(&mut self, told: Option<&FromWorker>) {
        self.host_says(&ToWorker::Credit { envelopes: 1 });
        match told {
            Some(FromWorker::Ping { nonce }) => self.host_says(&ToWorker::Pong { nonce: *nonce }),
            Some(FromWorker::Look { question, .. }) => {
                let of =
                    |it: &&ToWorker| matches!(it, ToWorker::Looked { question: of, .. } if of == question);
                let known = self.record.looked.iter().find(of).or(self.record.looked.last());
                if let Some(ToWorker::Looked { files, .. }) = known.cloned() {
                    self.host_says(&ToWorker::Looked { question: *question, files });
                }
            }
            Some(
                FromWorker::Hello(_)
                | FromWorker::Journal(_)
                // No transcript stores a secret: nobody asks for one.
                | FromWorker::ListSecrets { .. }
                | FromWorker::Reveal { .. }
                | FromWorker::Reply { .. }
                | FromWorker::Pong { .. },
            )
            | None => {}
        }
    }

    fn host_says(&mut self, message: &ToWorker) {
        self.told.push_back(says(message).expect("a message is JSON"));
    }

    /// The engine calls. Gives back whether what it asked for reached the page, or will.
    pub fn call(&mut self, id: CallId, call: ChromeCall) -> bool {
        let result = match &call {
            ChromeCall::Attach { tab } | ChromeCall::Send { tab, .. } if !self.knows(*tab) => {
                Err(no_tab(*tab))
            }
            ChromeCall::Attach { .. } => {
                self.is_attached = true;
                Ok(nothing())
            }
            ChromeCall::Detach { .. } => {
                self.is_attached = false;
                Ok(nothing())
            }
            ChromeCall::CreateTab { .. } | ChromeCall::CreateWindow { .. } => {
                (self.tab, self.is_open, self.is_attached, self.is_crashed) = (OPENED, true, false, false);
                self.url = "about:blank".into();
                self.loads += 1;
                Ok(Answer::Json(json!({ "id": OPENED }).to_string()))
            }
            ChromeCall::EmptyTab { .. } => {
                self.url = "about:blank".into();
                self.loads += 1;
                Ok(nothing())
            }
            ChromeCall::ReloadTab { .. } => {
                self.loads += 1;
                Ok(nothing())
            }
            ChromeCall::ShowTab { .. } => Ok(Answer::Json(r#"{"windowId":1}"#.into())),
            ChromeCall::Group { .. } => Ok(Answer::Json(r#"{"group":1}"#.into())),
            ChromeCall::GetTab { .. } => {
                Ok(Answer::Json(json!({ "url": self.url, "title": "" }).to_string()))
            }
            ChromeCall::OpenPopup
            | ChromeCall::OpenPage { .. }
            | ChromeCall::RemoveTab { .. }
            | ChromeCall::FocusWindow { .. }
            | ChromeCall::NameGroup { .. }
            | ChromeCall::Ungroup { .. }
            | ChromeCall::Paint { .. }
            | ChromeCall::ConnectHost
            | ChromeCall::DisconnectHost => Ok(nothing()),
            ChromeCall::Send { tab, .. } if !self.is_attached => {
                Err(plainly(&format!("Debugger is not attached to the tab with id: {}.", tab.0)))
            }
            ChromeCall::Send { session, method, params, .. } => {
                let session = session.as_ref().map(|session| word(&json!({ "id": session }), "id"));
                let waits = (self.is_crashed || self.dialog) && needs_page(method);
                if self.is_crashed && waits {
                    return false;
                }
                if self.dialog && waits {
                    self.waiting.push((id, call));
                    return true;
                }
                self.send(session.as_deref(), method, params)
            }
        };
        let reached = result.is_ok();
        self.answer(id, result);
        reached
    }

    fn send(&mut self, session: Option<&str>, method: &str, params: &str) -> CallResult {
        let known = session.map(|session| self.sessions.get(session));
        let session = match known {
            None => None,
            Some(Some((recorded, _))) => Some(recorded.clone()),
            Some(None) => {
                let message = "Session with given id not found.".into();
                return Err(CallError { code: Some(-32001), message });
            }
        };
        self.notice(method, params);
        let asked = read(params);
        match method {
            "Page.navigate" => {
                self.is_crashed = false;
                self.url = word(&asked, "url");
                self.load();
                return Ok(told(&json!({ "frameId": self.root, "loaderId": self.loader() })));
            }
            "Page.reload" => {
                self.is_crashed = false;
                self.load();
                return Ok(told(&json!({})));
            }
            "Page.handleJavaScriptDialog" => {
                self.dialog = false;
                self.event("Page.javascriptDialogClosed", &json!({ "result": true, "userInput": "" }));
                for (id, call) in std::mem::take(&mut self.waiting) {
                    self.call(id, call);
                }
                return Ok(told(&json!({})));
            }
            _ => {}
        }
        if self.is_gone(session.as_deref(), &asked) {
            let message = "Cannot find context with specified id".into();
            return Err(CallError { code: Some(-32000), message });
        }
        let asks_guard = asked["expression"].as_str().is_some_and(|text| text.contains("w.landed()"));
        if asks_guard && !self.undisturbed {
            let landed = self.guard.take();
            let landed = landed.map(|(seen, clicked)| {
                json!({ "seen": seen, "clicked": clicked, "answered": false, "stopped": null, "changed": false })
            });
            return Ok(Answer::Text(json!(landed).to_string()));
        }
        let fresh = session.is_none() && self.loads > 0;
        let question = (session, method.to_owned(), params.to_owned());
        if !fresh && let Some(left) = self.answers.get_mut(&question) {
            let next = if left.len() > 1 { left.pop_front() } else { left.front().cloned() };
            if let Some(answer) = next {
                return answer;
            }
        }
        Ok(self.anew(question.0, method, &asked))
    }

    /// The answers of a page that was loaded anew, and of what was never asked.
    fn anew(&self, session: Option<String>, method: &str, asked: &Value) -> Answer {
        match method {
            "Page.getFrameTree" => {
                let frame = json!({ "id": self.root, "loaderId": self.loader(), "url": self.url });
                told(&json!({ "frameTree": { "frame": frame } }))
            }
            "Page.createIsolatedWorld" => told(&json!({ "executionContextId": FRESH + self.loads })),
            "Page.addScriptToEvaluateOnNewDocument" => told(&json!({ "identifier": "1" })),
            "Performance.getMetrics" => {
                let names = ["JSEventListeners", "LayoutCount", "RecalcStyleCount"];
                told(&json!({ "metrics": names.map(|name| json!({ "name": name, "value": 1 })) }))
            }
            "DOMDebugger.getEventListeners" => told(&json!({ "listeners": [] })),
            "DOM.performSearch" => told(&json!({ "searchId": "1", "resultCount": 1 })),
            "DOM.getSearchResults" => told(&json!({ "nodeIds": [] })),
            "DOM.describeNode" => told(&json!({ "node": { "backendNodeId": 2 } })),
            "DOM.resolveNode" => told(&json!({ "object": { "type": "object", "objectId": "1" } })),
            "Runtime.getProperties" => told(&json!({ "result": [] })),
            "Accessibility.getPartialAXTree" => told(&json!({ "nodes": [] })),
            "Runtime.evaluate" if asked["objectGroup"].is_string() => {
                told(&json!({ "result": { "type": "object", "objectId": "1" } }))
            }
            "Runtime.callFunctionOn" => {
                let none = vec![0; asked["arguments"].as_array().map_or(0, Vec::len)];
                Answer::Text(json!(none).to_string())
            }
            "Runtime.evaluate" => self.evaluated(session, asked),
            _ => told(&json!({})),
        }
    }

    fn evaluated(&self, session: Option<String>, asked: &Value) -> Answer {
        let expression = word(asked, "expression");
        let after = |word: &str| expression.split_once(word).map(|(_, rest)| rest);
        if let Some(rest) = after("c.facts(") {
            let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
            let facts = &self.record.facts;
            let here = (session, asked["contextId"].as_i64().unwrap_or_default());
            if let Some(facts) = self.record.documents.get(&here).and_then(|document| facts.get(document)) {
                return Answer::Text(facts.to_string());
            }
            let mut facts = facts.values().next().cloned().unwrap_or_default();
            facts["document"] = json!(number.parse::<u32>().unwrap_or_default());
            return Answer::Text(facts.to_string());
        }
        let said = match after("Promise.resolve(w.").and_then(|rest| rest.split('(').next()) {
            Some("rest") => json!(1_000),
            Some("counts") => json!([1, 1]),
            Some("passed" | "given") => json!([]),
            Some("attend" | "heed" | "carry" | "guard") => json!(true),
            Some(_) | None => Value::Null,
        };
        Answer::Text(said.to_string())
    }

    /// What reaches the page's guard.
    fn notice(&mut self, method: &str, params: &str) {
        let kind = word(&read(params), "type");
        match (method, kind.as_str(), &mut self.guard) {
            ("Runtime.evaluate", _, _) if params.contains("w.guard(") || params.contains("w.poise(") => {
                self.guard = Some((false, false));
            }
            ("Input.dispatchMouseEvent", "mousePressed", Some((seen, _))) => *seen = true,
            ("Input.dispatchMouseEvent", "mouseReleased", Some((seen, clicked))) => *clicked = *seen,
            _ => {}
        }
    }

    fn is_gone(&self, session: Option<&str>, asked: &Value) -> bool {
        let of = asked["contextId"].as_i64().or(asked["executionContextId"].as_i64());
        session.is_none() && self.loads > 0 && of.is_some_and(|context| context != FRESH + self.loads)
    }

    fn load(&mut self) {
        self.loads += 1;
        self.guard = None;
        for session in std::mem::take(&mut self.sessions).into_keys() {
            self.event("Target.detachedFromTarget", &json!({ "sessionId": session }));
        }
        let frame = json!({ "id": self.root, "loaderId": self.loader(), "url": self.url });
        self.event("Page.frameStartedLoading", &json!({ "frameId": self.root }));
        self.event("Page.frameNavigated", &json!({ "frame": frame, "type": "Navigation" }));
        self.event("Page.frameStoppedLoading", &json!({ "frameId": self.root }));
    }

    fn loader(&self) -> String {
        format!("LOADER-{}", self.loads)
    }

    fn knows(&self, tab: ChromeTab) -> bool {
        self.is_open && tab == self.tab
    }

    fn detach(&mut self, reason: &str) {
        self.is_attached = false;
        self.told.push_back(Input::Detached { tab: self.tab, reason: reason.into() });
    }

    fn answer(&mut self, call: CallId, result: CallResult) {
        self.told.push_back(Input::Answered { call, result });
    }

    fn event(&mut self, method: &str, params: &Value) {
        let (tab, params) = (self.tab, params.to_string());
        self.told.push_back(Input::Event { tab, session: None, method: method.into(), params });
    }
}

fn asked(output: &Output) -> Option<(CallId, Asked)> {
    let Output::Call { id, call: ChromeCall::Send { session, method, params, .. } } = output else {
        return None;
    };
    let session = session.as_ref().map(|session| word(&json!({ "id": session }), "id"));
    Some((*id, (session, method.clone(), params.clone())))
}

/// What the page's own thread answers: not while it shows a dialog, nor once it crashed.
fn needs_page(method: &str) -> bool {
    const ASKED: &[&str] = &[
        "Page.getFrameTree",
        "Page.createIsolatedWorld",
        "Page.captureScreenshot",
        "Performance.getMetrics",
        "Runtime.evaluate",
        "Runtime.callFunctionOn",
        "Runtime.getProperties",
    ];
    let whole = ["Input.", "DOM.", "DOMDebugger.", "Accessibility."];
    ASKED.contains(&method) || whole.iter().any(|domain| method.starts_with(domain))
}

fn told(value: &Value) -> Answer {
    Answer::Json(value.to_string())
}

fn nothing() -> Answer {
    Answer::Json("null".into())
}

fn no_tab(tab: ChromeTab) -> CallError {
    plainly(&format!("No tab with given id {}.", tab.0))
}

fn plainly(message: &str) -> CallError {
    CallError { code: None, message: message.into() }
}

fn read(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}

fn word(value: &Value, name: &str) -> String {
    value[name].as_str().unwrap_or_default().to_owned()
}
