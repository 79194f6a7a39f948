//! What can go wrong, each with a stable code, what happened, and what to do next. Knows no wire format but the
//! reply's.

use crate::{clock::Millis, io::CallError};
use cdp::ReadError;
use snapshot::Ref;
use wire::Reply;

/// What took too long. A command of the browser's protocol is one that the page did not answer.
fn timed_out(what: &str, after: Millis) -> String {
    let doing = match what.split_once('.') {
        None => return format!("{what} took longer than {after}"),
        Some(("Input", "dispatchMouseEvent")) => "the mouse was used on it",
        Some(("Input", _)) => "keys were sent to it",
        Some(("Runtime", _)) => "it was asked what is there",
        Some(("Page", "captureScreenshot")) => "a picture of it was taken",
        Some(_) => "something was asked of it",
    };
    format!("the page did not answer within {after} when {doing} ({what}): its scripts keep it busy")
}

/// A failure of a tool. `Display` says what happened and what was done; [`Failure::next`] says what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    // The tab and its processes.
    #[error("{}", timed_out(what, *after))]
    TimedOut { what: &'static str, after: Millis },
    #[error("the browser let go of the tab ({reason})")]
    Detached { reason: String },
    #[error("the person cancelled debugging in the browser; every tab was let go")]
    Cancelled,
    #[error("the page crashed")]
    Crashed,
    #[error("the tab was closed")]
    TabClosed,
    #[error("the page's {kind} is open: {message:?}")]
    DialogOpen { kind: String, message: String },
    #[error("no dialog is open")]
    NoDialog,
    #[error("the frame went while it was used")]
    FrameGone,
    #[error("the document changed while it was used")]
    DocumentChanged,
    #[error("the browser refused {method}: {message}")]
    Refused { method: &'static str, message: String },
    #[error("the page's part of the work threw: {message}")]
    Thrown { message: String },
    #[error("{0}")]
    Unreadable(String),

    // Names that lead nowhere.
    #[error("{reference} was never given out in this browser")]
    NeverGiven { reference: Ref },
    #[error("{reference} was of a document that is no longer shown. Nothing done")]
    WrongDocument { reference: Ref },
    #[error("{reference} is no longer in the page. Nothing done")]
    Gone { reference: Ref, was: String, candidates: Vec<String> },
    #[error("{target} went while it was worked")]
    Vanished { target: String },
    #[error("{reference} is gone, from its page or with it. Nothing done")]
    Forgotten { reference: Ref },
    #[error("{reference} is in {tab}, not in {named}. Nothing done")]
    WrongTab { reference: Ref, tab: String, named: String },
    #[error("{was}, is now {is}. Nothing done")]
    Changed { was: String, is: String, old_is_now: Option<Ref>, expect: String },
    #[error("{target} does not contain {expected:?}. Nothing done")]
    Unexpected { target: String, expected: String },
    #[error("{target} was not shown to you. Nothing done")]
    Unseen { target: String },
    #[error("the CSS selector {selector:?} is not valid: {why}")]
    BadSelector { selector: String, why: String },
    #[error("the XPath {path:?} does not read: {why}")]
    BadPath { path: String, why: String },
    #[error("nothing in the page matches {what}")]
    NotFound { what: String },
    #[error("the person points at nothing in this tab")]
    NothingSelected,
    #[error(
        "the person selected something in a frame that their developer tools do not let us ask, or in one of several \
         of the same address"
    )]
    SelectionUnseen,
    #[error("what the page says is selected in the developer tools is not there")]
    SelectionUnproven,

    // Acts that cannot happen.
    #[error("{target} has no box: it is not rendered. Nothing done")]
    NoBox { target: String },
    #[error("{target} cannot be brought into view. Nothing done")]
    Outside { target: String },
    #[error("{by} covers {target}. Nothing done")]
    Covered { target: String, by: String },
    #[error("{target} is disabled{by}. Nothing done")]
    Disabled { target: String, by: String },
    #[error("{target} is read-only. Nothing done")]
    ReadOnly { target: String },
    #[error("{target} is inert. Nothing done")]
    Inert { target: String },
    #[error("{target} keeps moving. Nothing done")]
    Moving { target: String },
    #[error("{target} cannot hold text. Nothing done")]
    NotEditable { target: String },
    #[error("the text has {length} characters, {target} takes at most {most}. Nothing done")]
    TooLong { target: String, length: usize, most: usize },
    #[error("{target} did not take the focus. Nothing typed")]
    NoFocus { target: String },
    #[error(
        "the focus went from {target} to {to}; {taken} characters went in before, the other keys were stopped"
    )]
    FocusMoved { target: String, to: String, taken: u32 },
    #[error("nothing has the focus. Nothing typed")]
    NothingFocused,
    #[error("the press landed on {on} instead of {target} and was stopped")]
    Missed { target: String, on: String },
    #[error("press {number} landed on {on} instead of {target} and was stopped; those before arrived")]
    MissedLater { target: String, on: String, number: u8 },
    #[error("the press did not reach {target}; the page was not clicked there")]
    NotArrived { target: String },
    #[error("{target} was pressed, but no click reached it: the page replaced or moved it under the pointer")]
    NoClick { target: String },
    #[error("{text:?} occurs {times} times in {target}, not once. Nothing done")]
    NotOnce { target: String, text: String, times: u32 },
    #[error("{target} is no {wanted}. Nothing done")]
    WrongKind { target: String, wanted: &'static str },
    #[error("{target} has no option {value:?}. Nothing chosen")]
    NoOption { target: String, value: String, options: Vec<String> },
    #[error("option {value:?} of {target} is disabled. Nothing chosen")]
    OptionDisabled { target: String, value: String },
    #[error("{value:?} is not a value that {target} takes. Nothing done")]
    BadValue { target: String, value: String, wanted: String },
    #[error("{target} holds {is:?} after the act, not {wanted:?}")]
    NotTaken { target: String, wanted: String, is: String },
    #[error("{x},{y} is outside of what is in view. Nothing done")]
    NoPoint { x: u32, y: u32 },
    #[error("{target} is a frame that is not read, or one that is turned. Nothing done")]
    FrameUnread { target: String },
    #[error("the drop landed on {on}, not on {target}")]
    Strayed { target: String, on: String },
    #[error("{target} did not take the drop: the page saw none")]
    NotDropped { target: String },
    #[error("{target} was pressed and opened no file chooser that could be answered")]
    NoChooser { target: String },
    #[error("uploads are not allowed: {why}. Nothing done")]
    UploadDenied { why: &'static str },
    #[error("{path:?} {why}. Nothing done")]
    BadFile { path: String, why: String },
    #[error("the browser gives the extension no files. Nothing done")]
    FilesForbidden,
    #[error("{target} took it and holds {is:?} since the page settled, not {wanted:?}")]
    NotKept { target: String, wanted: String, is: String },
    #[error("{target} has several options {value:?}. Nothing chosen")]
    ManyOptions { target: String, value: String, options: Vec<String> },
    #[error("there is no key {key:?}. Nothing done")]
    UnknownKey { key: String, known: String },
    #[error("the page went while {target} was pressed; whether the press reached it is not known")]
    WentAsPressed { target: String },
    #[error("the page went on: {what}")]
    WentOn { what: String },
    #[error("step 1 is done; step 2 found no {wanted} among what it added or changed")]
    ThenNone { wanted: String, candidates: Vec<String> },
    #[error("step 1 is done; step 2 found several {wanted} among what it added or changed")]
    ThenMany { wanted: String, candidates: Vec<String> },
    #[error("step 1 is done; step 2 failed: {what}")]
    ThenFailed { code: &'static str, what: String, next: String },
    #[error("filled: {}; {failed} failed: {what}", if done.is_empty() { "none".to_owned() } else { done.join(", ") })]
    FieldFailed {
        done: Vec<String>,
        failed: String,
        what: String,
        code: &'static str,
        next: String,
        untried: Vec<String>,
    },

    // Tabs and trust.
    #[error("you have no tab")]
    NoTab,
    #[error("you hold several tabs: {tabs}")]
    TabNeeded { tabs: String },
    #[error("there is no tab {tab}")]
    UnknownTab { tab: String },
    #[error("{tab} was closed")]
    ClosedTab { tab: String },
    #[error("{tab} was given back to the person")]
    ReleasedTab { tab: String },
    #[error(
        "{what} was given before the browser ended or its extension was reloaded; it has lapsed. Nothing done"
    )]
    Lapsed { what: String },
    #[error("{tab} is held by {holder}")]
    Held { tab: String, holder: String },
    #[error("{url} may not be driven: {why}")]
    NotDrivable { url: String, why: &'static str },
    #[error("{site} is not allowed for {agent}")]
    SiteDenied { site: String, agent: String },
    #[error("the address {url:?} does not read: {why}")]
    BadAddress { url: String, why: &'static str },
    #[error("{url} could not be loaded: {why}")]
    NavigationFailed { url: String, why: String },
    #[error("there is no page to go {way} to")]
    NoHistory { way: &'static str },
    #[error("the person has not allowed {agent} yet")]
    AwaitingPerson { agent: String },
    #[error("the person has not said yet whether {agent} may be at {site}")]
    AwaitingSite { agent: String, site: String },
    #[error("{agent} may not use this browser: {why}")]
    NotAllowed { agent: String, why: &'static str },
    #[error("the unattended policy does not list `{word}` in `acts`. Nothing done")]
    ActDenied { word: &'static str },
    #[error("an unattended policy is in force: nobody can be asked to type a secret. Nothing done")]
    NobodyToAsk,
    #[error("there is no secret {name:?} for {site}; for it: {}. Nothing done", if known.is_empty() { "none".to_owned() } else { known.join(", ") })]
    NoSecret { name: String, site: String, known: Vec<String> },
    #[error(
        "{target} is in a frame of {site}: secrets go only into pages with an origin of the web. Nothing done"
    )]
    NoOrigin { target: String, site: String },
    #[error("{why}. Nothing done")]
    NoKeyring { why: String, next: String },
    #[error("the person refused it: {what}. Nothing done")]
    NotConfirmed { what: String },
    #[error("the person was asked about it and has not answered: {what}. Nothing done")]
    AwaitingConfirmation { agent: String, what: String },
    #[error("the person allowed {was}; it is now {is}. Nothing done")]
    ChangedSinceAllowed { was: String, is: String },
    #[error("the person stopped all agents")]
    Stopped,
    #[error("the person paused all agents; what was under way was ended, and what was held down let go")]
    Paused,
    #[error("the person has taken {tab} over")]
    TakenOver { tab: String },
    #[error("the request was cancelled; what was held down was let go")]
    RequestCancelled,
    #[error("{0}")]
    BadArgument(String),
    #[error("the browser failed: {message}")]
    Browser { message: String },
}

impl Failure {
    /// The stable word.
    pub fn code(&self) -> &'static str {
        match self {
            Self::TimedOut { .. } => "timed_out",
            Self::Detached { .. } => "detached",
            Self::Cancelled => "cancelled_by_person",
            Self::Crashed => "crashed",
            Self::TabClosed | Self::ClosedTab { .. } => "tab_closed",
            Self::ReleasedTab { .. } => "tab_released",
            Self::DialogOpen { .. } => "dialog_open",
            Self::NoDialog => "no_dialog",
            Self::FrameGone => "frame_gone",
            Self::Refused { .. } => "browser_refused",
            Self::Thrown { .. } | Self::Unreadable(_) => "unreadable",
            Self::NeverGiven { .. } => "unknown_ref",
            Self::WrongDocument { .. } => "wrong_document",
            Self::Lapsed { .. } => "lapsed",
            Self::Gone { .. } | Self::Forgotten { .. } | Self::Vanished { .. } => "gone",
            Self::WrongTab { .. } => "wrong_tab",
            Self::Changed { .. } | Self::ChangedSinceAllowed { .. } => "changed",
            Self::Unexpected { .. } => "unexpected",
            Self::Unseen { .. } => "unseen",
            Self::BadSelector { .. } => "bad_selector",
            Self::BadPath { .. } => "bad_xpath",
            Self::NotFound { .. } => "not_found",
            Self::NothingSelected => "nothing_selected",
            Self::SelectionUnseen | Self::SelectionUnproven => "selection_unseen",
            Self::NoBox { .. } => "hidden",
            Self::Outside { .. } | Self::NoPoint { .. } => "outside",
            Self::Covered { .. } => "covered",
            Self::Disabled { .. } => "disabled",
            Self::ReadOnly { .. } => "read_only",
            Self::Inert { .. } => "inert",
            Self::Moving { .. } => "moving",
            Self::NotEditable { .. } => "not_editable",
            Self::TooLong { .. } => "too_long",
            Self::NoFocus { .. } | Self::NothingFocused => "no_focus",
            Self::FocusMoved { .. } => "focus_moved",
            Self::Missed { .. }
            | Self::MissedLater { .. }
            | Self::NotArrived { .. }
            | Self::NoClick { .. } => "missed",
            Self::NotOnce { .. } => "not_once",
            Self::WrongKind { .. } => "wrong_kind",
            Self::NoOption { .. } | Self::OptionDisabled { .. } | Self::ManyOptions { .. } => "no_option",
            Self::BadValue { .. } => "bad_value",
            Self::NotTaken { .. } | Self::NotKept { .. } => "not_taken",
            Self::FrameUnread { .. } => "frame_unread",
            Self::Strayed { .. } | Self::NotDropped { .. } => "not_dropped",
            Self::NoChooser { .. } => "no_chooser",
            Self::UploadDenied { .. } | Self::FilesForbidden => "upload_denied",
            Self::BadFile { .. } => "bad_file",
            Self::UnknownKey { .. } => "unknown_key",
            Self::DocumentChanged | Self::WentOn { .. } | Self::WentAsPressed { .. } => "document_changed",
            Self::ThenNone { .. } => "then_none",
            Self::ThenMany { .. } => "then_many",
            Self::ThenFailed { code, .. } | Self::FieldFailed { code, .. } => code,
            Self::NoTab => "no_tab",
            Self::TabNeeded { .. } => "tab_needed",
            Self::UnknownTab { .. } => "unknown_tab",
            Self::Held { .. } => "held",
            Self::NotDrivable { .. } => "not_drivable",
            Self::SiteDenied { .. } => "site_denied",
            Self::BadAddress { .. } | Self::BadArgument(_) => "bad_argument",
            Self::NavigationFailed { .. } => "navigation_failed",
            Self::NoHistory { .. } => "no_history",
            Self::AwaitingPerson { .. } | Self::AwaitingSite { .. } | Self::AwaitingConfirmation { .. } => {
                "awaiting_person"
            }
            Self::NotAllowed { .. } | Self::ActDenied { .. } | Self::NobodyToAsk => "not_allowed",
            Self::NoSecret { .. } | Self::NoOrigin { .. } => "no_secret",
            Self::NoKeyring { .. } => "no_keyring",
            Self::NotConfirmed { .. } => "refused_by_person",
            Self::Stopped => "stopped",
            Self::Paused => "paused",
            Self::TakenOver { .. } => "taken_over",
            Self::RequestCancelled => "cancelled",
            Self::Browser { .. } => "browser_failed",
        }
    }

    /// The next step.
    pub fn next(&self) -> String {
        match self {
            Self::TimedOut { what, .. } if what.starts_with("Input.") => "wait a few seconds, then take a snapshot: what was sent may still arrive".into(),
            Self::TimedOut { .. } => "take a snapshot to see how far it got; then try again, with a larger timeout_ms if the page is slow".into(),
            Self::Detached { .. } | Self::DocumentChanged | Self::WentAsPressed { .. } | Self::FrameGone | Self::Vanished { .. } => "take a snapshot and go on from there".into(),
            Self::Paused => "call again: calls wait until the person lets agents go on; then take a snapshot before going on".into(),
            Self::TakenOver { .. } => "leave this tab alone until the person gives it back; then take a snapshot, for they have worked in it".into(),
            Self::Cancelled | Self::Stopped => "ask the person to let agents go on (the extension's button), then try again".into(),
            Self::Crashed => "navigate, or navigate to=reload, brings the tab back".into(),
            Self::TabClosed | Self::ClosedTab { .. } | Self::ReleasedTab { .. } | Self::UnknownTab { .. } => "tabs lists your tabs; tabs action=open or navigate opens one".into(),
            Self::DialogOpen { .. } => "answer it: dialog action=accept or action=dismiss".into(),
            Self::NoDialog => "go on; snapshot shows the page".into(),
            Self::Refused { .. } | Self::Browser { .. } => "try once more; if it stays, take a snapshot and choose another way".into(),
            Self::Thrown { .. } | Self::Unreadable(_) => "try once more; if it stays, reload the page with navigate to=reload".into(),
            Self::NeverGiven { .. } => "take a snapshot and use a ref that it shows".into(),
            Self::Lapsed { .. } => "tabs lists what you hold now; tabs action=open or navigate opens one".into(),
            Self::WrongDocument { .. } => "take a snapshot: the page that is shown now has its own refs".into(),
            Self::Gone { candidates, .. } if candidates.is_empty() => "take a snapshot; nothing like it is in the page now".into(),
            Self::Gone { was, candidates, .. } => format!("it was {was}; like it now: {}", candidates.join(", ")),
            Self::Forgotten { .. } => "take a snapshot: what is there now has its own refs".into(),
            Self::WrongTab { tab, .. } => format!("leave tab out, or give tab={tab}"),
            Self::Changed { old_is_now: Some(reference), expect, .. } => format!("what you were shown is now {reference}. To act on what is there now, add expect={expect:?}"),
            Self::Changed { old_is_now: None, expect, .. } => format!("take a snapshot. To act on what is there now, add expect={expect:?}"),
            Self::Unexpected { .. } => "take a snapshot, or expect words that its name or row contains".into(),
            Self::Unseen { .. } => "take a snapshot, or add expect with words that its name or row contains".into(),
            Self::BadSelector { .. } => "write a CSS selector that querySelectorAll takes, like form input[name=\"q\"]".into(),
            Self::BadPath { .. } => "write an absolute path as locate shows it, like /html[1]/body[1]/main[1]".into(),
            Self::NotFound { .. } => "take a snapshot to see what is there".into(),
            Self::NothingSelected => {
                "ask the person to select it in the Elements panel of the developer tools, or to pick it with the \
                 extension (Show this to the agent)"
                    .into()
            }
            Self::SelectionUnseen | Self::SelectionUnproven => {
                "ask the person to pick it with the extension (Show this to the agent)".into()
            }
            Self::NoBox { .. } => "take a snapshot: something must open or show it first".into(),
            Self::Outside { .. } => "scroll the area it is in, or make room; force=true presses all the same".into(),
            Self::Covered { .. } => "close or answer what covers it, or scroll; force=true presses all the same".into(),
            Self::Disabled { .. } => "fill in what it waits for; wait until it is enabled".into(),
            Self::ReadOnly { .. } | Self::NotEditable { .. } => "choose another field; snapshot shows which can be edited".into(),
            Self::Inert { .. } => "close the dialog that makes the rest of the page inert".into(),
            Self::Moving { .. } => "wait until it has come to rest, then try again".into(),
            Self::TooLong { .. } => "shorten the text".into(),
            Self::NoFocus { .. } => "click it first, or choose the field inside it".into(),
            Self::FocusMoved { .. } => "look with diff: the page moved the focus; go on in the field that is meant".into(),
            Self::NothingFocused => "name the field with ref".into(),
            Self::Missed { .. } | Self::NotArrived { .. } | Self::NoClick { .. } => "take a snapshot: the page moved under the pointer; then try again".into(),
            Self::MissedLater { .. } => "take a snapshot: the first press changed the page".into(),
            Self::NotOnce { .. } => "give a longer piece of the text that occurs once".into(),
            Self::WrongKind { .. } => "use click, or the kind that fits its role".into(),
            Self::NoOption { options, .. } if options.is_empty() => "click it to see what it opens, and choose among that".into(),
            Self::NoOption { options, .. } => format!("choose among: {}", options.join(", ")),
            Self::OptionDisabled { .. } => "choose another option".into(),
            Self::BadValue { wanted, .. } => format!("write it as {wanted}"),
            Self::NotTaken { .. } | Self::NotKept { .. } => "the page changed it; take a snapshot and read what it asks for".into(),
            Self::ManyOptions { options, .. } => format!("name one by its value: {}", options.join(", ")),
            Self::NoPoint { .. } => "scroll there first; screenshot shows what is in view".into(),
            Self::FrameUnread { .. } => "snapshot says why it is not read; work something else".into(),
            Self::Strayed { .. } | Self::NotDropped { .. } => "take a snapshot to see where things are; drop on another element, or use the keys that the page offers".into(),
            Self::NoChooser { .. } => "name the file field itself or the drop zone; snapshot mode=verbose shows them".into(),
            Self::UploadDenied { .. } => "ask the person to name a folder in the extension's options; in unattended runs the policy must list the act and the folder".into(),
            Self::BadFile { .. } => "give the absolute path of a plain file in a folder that the person or the policy lists".into(),
            Self::FilesForbidden => "ask the person to switch on \"Allow access to file URLs\" for the extension (chrome://extensions)".into(),
            Self::UnknownKey { known, .. } => format!("keys are {known}"),
            Self::WentOn { .. } => "take a snapshot: the page that comes has its own refs".into(),
            Self::ThenNone { candidates, .. } if candidates.is_empty() => "nothing was added or changed; take a snapshot".into(),
            Self::ThenNone { candidates, .. } | Self::ThenMany { candidates, .. } => format!("act on one of: {}", candidates.join(", ")),
            Self::ThenFailed { next, .. } | Self::NoKeyring { next, .. } => next.clone(),
            Self::FieldFailed { next, untried, .. } if untried.is_empty() => next.clone(),
            Self::FieldFailed { next, untried, .. } => format!("{next}; not tried: {}", untried.join(", ")),
            Self::NoTab => "tabs action=open url=… or navigate url=… opens one".into(),
            Self::TabNeeded { .. } => "name one with tab".into(),
            Self::Held { .. } => "use a tab of your own: tabs action=open".into(),
            Self::NotDrivable { .. } => "open a page with an http or https address".into(),
            Self::SiteDenied { .. } => "use a site that is allowed, or ask the person to allow this one".into(),
            Self::BadAddress { .. } => "write the whole address, like https://example.com/".into(),
            Self::NavigationFailed { .. } => "check the address, or try again later".into(),
            Self::NoHistory { .. } => "navigate to an address instead".into(),
            Self::AwaitingPerson { .. } => "ask the person to click the extension's button and allow it; then call again".into(),
            Self::AwaitingSite { .. } => "ask the person to click the extension's button and answer; then call again".into(),
            Self::AwaitingConfirmation { agent, .. } => format!("ask the person to click the extension's button and answer what {agent} wants to do; then do it again"),
            Self::ActDenied { word } => format!("leave it to the person, or have them list `{word}` in the policy's `acts`"),
            Self::NobodyToAsk => "have the person store it (tabwright secret set), and list `secret` in the policy's `acts`".into(),
            Self::NoSecret { known, .. } if !known.is_empty() => "use one that is for this site, or secret=ask: the person types it".into(),
            Self::NoSecret { .. } => "use secret=ask: the person types it; or have them store it (tabwright secret set)".into(),
            Self::NoOrigin { .. } => "open the page where the field belongs".into(),
            Self::NotConfirmed { .. } => "ask the person what they want instead; do not look for another way to do it".into(),
            Self::ChangedSinceAllowed { .. } => "take a snapshot and tell the person what changed; doing it again asks them again".into(),
            Self::NotAllowed { .. } => "the person can change that with the extension's button".into(),
            Self::RequestCancelled => "take a snapshot before going on".into(),
            Self::BadArgument(_) => "call again, corrected".into(),
        }
    }

    /// The failure as a reply, its first line beginning with where it happened.
    pub fn reply(&self, place: Option<&str>) -> Reply {
        let mut reply = Reply::failure(self.code(), &format!("{self}."), &format!("{}.", self.next()));
        if let (Some(place), Some(wire::Content::Text { text })) = (place, reply.content.first_mut()) {
            text.insert_str(0, &format!("{place} "));
        }
        reply
    }
}

impl From<CallError> for Failure {
    fn from(error: CallError) -> Self {
        if error.is_session_gone() {
            Self::FrameGone
        } else if error.is_context_gone() {
            Self::DocumentChanged
        } else if error.is_detached() {
            Self::Detached { reason: error.message }
        } else {
            Self::Browser { message: error.message }
        }
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        Self::Unreadable(error.to_string())
    }
}
