//! All that goes into the engine and comes out of it. A transcript of a run is a list of these.

use crate::pointing::Report;
use crate::{
    clock::Millis,
    consent::{
        Who,
        confirm::{self, Question},
        sites::{Answer as VisitAnswer, Visit},
    },
    settings::Change,
    words::Sentence,
};
use cdp::{Answer, SessionId};
use serde::{Deserialize, Serialize};
use wire::Hidden;

/// A window as Chrome numbers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WindowId(pub i32);

/// Names one call to the browser in its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CallId(pub u64);

/// A tab as Chrome numbers it. Changes when the tab is discarded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ChromeTab(pub i32);

/// A tab group as Chrome numbers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GroupId(pub i32);

/// A place in the record of requests: see `ledger`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Slot(pub u16);

/// What a call to the browser failed with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{message}")]
pub struct CallError {
    /// The protocol's code, where it gave one.
    pub code: Option<i64>,
    /// What it said.
    pub message: String,
}

impl CallError {
    /// Reads what `chrome.debugger` throws: a JSON object in the message, or plain text.
    pub fn read(thrown: &str) -> Self {
        #[derive(Deserialize)]
        struct Protocol {
            code: i64,
            message: String,
            data: Option<String>,
        }
        match serde_json::from_str::<Protocol>(thrown) {
            Ok(p) => {
                let message = p.data.map_or(p.message.clone(), |data| format!("{} ({data})", p.message));
                Self { code: Some(p.code), message }
            }
            Err(_) => Self { code: None, message: thrown.to_owned() },
        }
    }

    /// Whether the session the command went to is no more.
    pub fn is_session_gone(&self) -> bool {
        self.code == Some(-32001)
    }

    /// Whether the document the command was for is no more.
    pub fn is_context_gone(&self) -> bool {
        [
            "Cannot find context",
            "Execution context was destroyed",
            "navigated or closed",
            "No frame for given id",
            "uniqueContextId not found",
            "Could not find object",
            "Frame with the given id",
        ]
        .iter()
        .any(|part| self.message.contains(part))
    }

    /// Whether a page that no debugger of an extension may see is in the tab.
    pub fn is_foreign(&self) -> bool {
        self.message.starts_with("Cannot access a chrome")
    }

    /// Whether our hold on the tab is no more.
    pub fn is_detached(&self) -> bool {
        ["Debugger is not attached", "Detached while handling", "No tab with given id", "No tab with id"]
            .iter()
            .any(|part| self.message.contains(part))
    }
}

/// What an awaited call answers: JSON text, mostly.
pub type CallResult = Result<Answer, CallError>;

/// What the shell gives at its start.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Started {
    /// The scripts for our isolated world, joined.
    pub script: String,
    /// Version of the extension.
    pub version: String,
    /// Name and version of the browser.
    pub browser: String,
    /// The extension's own address, `chrome-extension://…/`.
    pub origin: String,
    /// What `storage.session` held: lost when the browser ends or the extension reloads.
    pub session: Option<String>,
    /// What `storage.session` held of requests, in any order.
    #[serde(default)]
    pub requests: Vec<String>,
    /// What `storage.local` held.
    pub local: Option<String>,
    /// Why the instance before this one ended, when it ended by a panic.
    pub panic: Option<String>,
}

/// What the person asks for in our pages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "intent", rename_all = "camelCase")]
pub enum Intent {
    /// Tell how things are.
    Status {
        /// The tab that the page stands beside.
        #[serde(default)]
        here: Option<Here>,
        /// Whether it is the panel that asks.
        #[serde(default)]
        panel: bool,
    },
    /// Show an element among what an agent sees, in the panel.
    Reveal {
        /// Its tab.
        tab: ChromeTab,
        /// The ref.
        reference: u32,
    },
    /// Tell what an agent sees of the page in its tab.
    See {
        /// The tab.
        tab: ChromeTab,
    },
    /// Show where an element is; none: no longer.
    PointOut {
        /// The ref.
        #[serde(default)]
        reference: Option<u32>,
    },
    /// Hand a tab of the person's over to an agent, at the site it shows.
    Share {
        /// The tab.
        tab: ChromeTab,
        /// The agent.
        #[serde(flatten)]
        who: Who,
    },
    /// Take a tab away from its agent.
    TakeBack {
        /// The tab.
        tab: ChromeTab,
    },
    /// Keep the agent of a tab from working it, for now.
    TakeOver {
        /// The tab.
        tab: ChromeTab,
    },
    /// Let the agent of a tab go on.
    GiveBack {
        /// The tab.
        tab: ChromeTab,
    },
    /// Outline what is worked, or do not.
    Outline {
        /// Whether.
        on: bool,
    },
    /// Have all agents wait, until lifted.
    Pause,
    /// Let an agent in, by its label and program.
    Allow {
        /// The agent.
        #[serde(flatten)]
        who: Who,
        /// Whether it may be at any site but those it is denied.
        #[serde(default)]
        everywhere: bool,
    },
    /// Say whether an agent may be at a site.
    Visit {
        /// Which, and where.
        #[serde(flatten)]
        visit: Visit,
        /// What the person says.
        answer: VisitAnswer,
    },
    /// Answer a question about an act.
    Confirm {
        /// The question, as it was shown.
        #[serde(flatten)]
        shown: Question,
        /// What the person says.
        answer: confirm::Answer,
        /// What they typed, where they were asked to.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        typed: Option<Hidden>,
    },
    /// Show or change what the person set: the options page.
    Settings {
        /// What is changed.
        #[serde(default)]
        change: Change,
    },
    /// Forget what was said about the sites of an agent.
    ForgetSites {
        /// The agent.
        #[serde(flatten)]
        who: Who,
    },
    /// Keep an agent out, by its label; takes an earlier yes back.
    Refuse {
        /// The agent's label.
        label: String,
    },
    /// Call this profile so, among several browsers; by the browser's name if empty.
    NameProfile {
        /// The name.
        name: String,
    },
    /// Let the person pick an element of a tab with the mouse.
    Pick {
        /// The tab.
        tab: ChromeTab,
        /// Whether what is picked is sent to agents at once.
        #[serde(default)]
        send: bool,
    },
    /// End that without a choice.
    EndPick {
        /// The tab.
        tab: ChromeTab,
    },
    /// The developer tools of a tab tell what is selected in them.
    Selected {
        /// The tab.
        tab: ChromeTab,
        /// How often something was selected since they told the last time.
        events: u32,
        /// What its frames answered.
        reports: Vec<Report>,
    },
    /// Tell what the person points at in a tab.
    Pointed {
        /// The tab.
        tab: ChromeTab,
    },
    /// Let agents have what the person points at in a tab.
    Send {
        /// The tab.
        tab: ChromeTab,
    },
    /// Stop everything, until lifted.
    Stop,
    /// Lift the stop and the pause.
    Resume,
}

/// The tab that a page of ours stands beside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Here {
    /// The tab.
    pub tab: ChromeTab,
    /// Its address.
    #[serde(default)]
    pub url: String,
}

/// What happens to the engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "input", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Input {
    /// The first input.
    Started(Started),
    /// A call was answered.
    Answered {
        /// Which.
        call: CallId,
        /// With what.
        result: CallResult,
    },
    /// An event of `chrome.debugger`.
    Event {
        /// The tab.
        tab: ChromeTab,
        /// The session; the tab's own when absent.
        session: Option<SessionId>,
        /// `Domain.event`.
        method: String,
        /// Its parameters as JSON text.
        params: String,
    },
    /// Chrome ended our hold on a tab.
    Detached {
        /// The tab.
        tab: ChromeTab,
        /// `target_closed` or `canceled_by_user`.
        reason: String,
    },
    /// A tab appeared.
    TabCreated {
        /// The tab.
        tab: ChromeTab,
        /// Its window.
        window: WindowId,
        /// Where it goes.
        url: String,
    },
    /// A tab came to the front of its window.
    TabActivated {
        /// The tab.
        tab: ChromeTab,
        /// Its window.
        window: WindowId,
    },
    /// A tab went.
    TabRemoved {
        /// The tab.
        tab: ChromeTab,
    },
    /// A tab goes on under another number (it was discarded).
    TabReplaced {
        /// The old number.
        removed: ChromeTab,
        /// The new one.
        added: ChromeTab,
    },
    /// A tab's address or title changed.
    TabUpdated {
        /// The tab.
        tab: ChromeTab,
        /// The address.
        url: Option<String>,
        /// The title.
        title: Option<String>,
        /// Whether the tab was emptied to save memory.
        discarded: Option<bool>,
    },
    /// An envelope came from the host.
    Port {
        /// JSON text of the envelope.
        envelope: String,
    },
    /// The port to the host ended.
    PortClosed {
        /// What Chrome says of it.
        error: Option<String>,
    },
    /// The person asked for something in one of our pages.
    Asked {
        /// Names the question in its answer.
        question: u32,
        /// What is asked for.
        intent: Intent,
    },
    /// The extension was installed, for the first time in this profile.
    Installed,
    /// The person wants to pick an element of a tab and show it to the agent, by the shortcut or the menu.
    Pick {
        /// The tab.
        tab: ChromeTab,
    },
    /// Time has come, or a browser event woke us for nothing in particular.
    Woke,
}

/// A call to the browser that is answered by [`Input::Answered`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "call", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ChromeCall {
    /// `chrome.debugger.sendCommand`
    Send {
        /// The tab.
        tab: ChromeTab,
        /// The session; the tab's own when absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        session: Option<SessionId>,
        /// `Domain.method`.
        method: String,
        /// JSON text.
        params: String,
    },
    /// `chrome.debugger.attach`
    Attach {
        /// The tab.
        tab: ChromeTab,
    },
    /// `chrome.debugger.detach`
    Detach {
        /// The tab.
        tab: ChromeTab,
    },
    /// `chrome.tabs.create`, in front, with a page of ours.
    OpenPage {
        /// Its path in the extension.
        page: String,
    },
    /// `chrome.tabs.get`; answers the tab.
    GetTab {
        /// The tab.
        tab: ChromeTab,
    },
    /// `chrome.tabs.create`, in the background; answers the tab.
    CreateTab {
        /// The address.
        url: String,
    },
    /// `chrome.tabs.remove`
    RemoveTab {
        /// The tab.
        tab: ChromeTab,
    },
    /// `chrome.windows.create`, in the background; answers the tab in it.
    CreateWindow {
        /// The address.
        url: String,
    },
    /// `chrome.windows.update`: to the front.
    FocusWindow {
        /// The window.
        window: WindowId,
    },
    /// `chrome.tabs.update`: to the front of its window, which stays where it is; answers the tab.
    ShowTab {
        /// The tab.
        tab: ChromeTab,
    },
    /// `chrome.tabs.update`: to an empty page.
    EmptyTab {
        /// The tab.
        tab: ChromeTab,
    },
    /// `chrome.tabs.reload`: revives a tab that was discarded.
    ReloadTab {
        /// The tab.
        tab: ChromeTab,
    },
    /// `chrome.tabs.group`; answers the group.
    Group {
        /// The tab.
        tab: ChromeTab,
        /// The group; a new one when absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        group: Option<GroupId>,
    },
    /// `chrome.tabGroups.update`
    NameGroup {
        /// The group.
        group: GroupId,
        /// Its title.
        title: String,
        /// Its colour.
        color: String,
    },
    /// `chrome.tabs.ungroup`
    Ungroup {
        /// The tab.
        tab: ChromeTab,
    },
    /// Crops, scales and marks a picture on a canvas of the worker's own, which no page can see. The order is JSON
    /// text: see `screenshot`.
    Paint {
        /// What to paint.
        order: String,
    },
    /// `chrome.action.openPopup`: shows the person that they are asked.
    OpenPopup,
    /// `chrome.runtime.connectNative`
    ConnectHost,
    /// `disconnect` of that port: no [`Input::PortClosed`] comes for it.
    DisconnectHost,
}

/// What comes out of the engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "output", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Output {
    /// Call the browser and answer with [`Input::Answered`].
    Call {
        /// Names the call.
        id: CallId,
        /// The call.
        #[serde(flatten)]
        call: ChromeCall,
    },
    /// Send an envelope to the host.
    Post {
        /// JSON text.
        envelope: String,
    },
    /// Keep in `storage.session`.
    KeepSession {
        /// Replaces what was kept.
        text: String,
    },
    /// Keep in `storage.session`, each slot for itself.
    KeepRequest {
        /// Which slot.
        slot: Slot,
        /// Replaces what the slot held.
        text: String,
    },
    /// Keep in `storage.local`.
    KeepLocal {
        /// Replaces what was kept.
        text: String,
    },
    /// Show the state on the toolbar button.
    Badge {
        /// At most four characters.
        text: String,
        /// The sentences of its tooltip.
        says: Vec<Sentence>,
    },
    /// Answer a page of ours.
    Answer {
        /// The question.
        question: u32,
        /// JSON text.
        view: String,
    },
    /// Wake me so often even if the worker was ended (`chrome.alarms`).
    Alarm {
        /// How often. Chrome lets alarms fire every 30 s at most.
        every: Millis,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thrown_errors_read_both_ways() {
        let json = CallError::read(
            r#"{"code":-32602,"data":"Failed to deserialize","message":"Invalid parameters"}"#,
        );
        assert_eq!(json.to_string(), "Invalid parameters (Failed to deserialize)");
        assert!(
            CallError::read(r#"{"code":-32001,"message":"Session with given id not found."}"#)
                .is_session_gone()
        );
        assert!(CallError::read("Debugger is not attached to the tab with id: 7.").is_detached());
    }

    #[test]
    fn inputs_and_outputs_are_plain_json() {
        let out = Output::Call { id: CallId(3), call: ChromeCall::Attach { tab: ChromeTab(9) } };
        let text = serde_json::to_string(&out).unwrap();
        assert_eq!(text, r#"{"output":"call","id":3,"call":"attach","tab":9}"#);
        assert_eq!(serde_json::from_str::<Output>(&text).unwrap(), out);
    }
}
