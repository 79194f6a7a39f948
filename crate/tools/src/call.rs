//! The tools besides `act`, their arguments, and how a call is read: strictly, with the known names in the answer
//! to an unknown one.

use crate::{Act, RefName, TabName};
use serde::{Deserialize, Serialize};

/// What to do with tabs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TabsAction {
    /// Lists the agent's tabs and names the agent.
    #[default]
    List,
    /// Opens a tab in the background.
    Open,
    /// Asks the person for one of theirs.
    Request,
    /// Brings a tab to the front.
    Activate,
    /// Gives a tab back.
    Release,
    /// Closes a tab.
    Close,
}

/// Arguments of `tabs`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tabs {
    /// What to do; list when absent.
    #[serde(default)]
    pub action: TabsAction,
    /// The address to open.
    pub url: Option<String>,
    /// The tab to activate, release or close.
    pub tab: Option<TabName>,
}

/// Where to go in a tab's history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum To {
    /// One step back.
    Back,
    /// One step forward.
    Forward,
    /// The same address again.
    Reload,
}

/// Arguments of `navigate`: exactly one of `url` and `to`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Navigate {
    /// The address.
    pub url: Option<String>,
    /// A step in the tab's history.
    pub to: Option<To>,
    /// The tab; may be left out while the agent has at most one.
    pub tab: Option<TabName>,
    /// Budget of the snapshot in the reply, in tokens.
    pub max_tokens: Option<u32>,
    /// How long to wait for the page, in milliseconds.
    pub timeout_ms: Option<u32>,
}

/// How much of the page a snapshot shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Everything that a person can see and work.
    #[default]
    Full,
    /// Only what can be acted on, and the names around it.
    Interactive,
    /// Everything, wrappers included.
    Verbose,
}

/// Arguments of `snapshot`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    /// How much to show.
    #[serde(default)]
    pub mode: Mode,
    /// The part to show: a ref, a CSS selector, or an XPath (begins with `/`).
    pub scope: Option<String>,
    /// How many levels to show below the scope.
    pub depth: Option<u32>,
    /// Budget in tokens; 6,000 when absent.
    pub max_tokens: Option<u32>,
    /// Go on where an earlier reply was cut.
    pub cursor: Option<RefName>,
    /// Whether to show where links lead.
    #[serde(default)]
    pub links: bool,
    /// The tab.
    pub tab: Option<TabName>,
}

/// Arguments of `diff`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Diff {
    /// Only changes within this ref.
    pub scope: Option<RefName>,
    /// Budget in tokens; 1,500 when absent.
    pub max_tokens: Option<u32>,
    /// The tab.
    pub tab: Option<TabName>,
}

/// Arguments of `wait`: at least one condition; the first that holds wins.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wait {
    /// Texts of which one must appear.
    #[serde(default)]
    pub text: Vec<String>,
    /// A text that must go.
    pub text_gone: Option<String>,
    /// An element that must go.
    pub ref_gone: Option<RefName>,
    /// An address the tab must reach; `*` matches any run of characters.
    pub url: Option<String>,
    /// Just wait this long, in milliseconds.
    pub time_ms: Option<u32>,
    /// How long at most, in milliseconds; 10,000 when absent, 50,000 at most.
    pub timeout_ms: Option<u32>,
    /// The tab.
    pub tab: Option<TabName>,
}

/// A point of the viewport, in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// From the left.
    pub x: u32,
    /// From the top.
    pub y: u32,
}

/// Arguments of `locate`: exactly one of `ref`, `xpath`, `css` and `point`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Locate {
    /// A ref.
    #[serde(rename = "ref")]
    pub reference: Option<RefName>,
    /// An XPath, with the hops into frames and shadow roots that snapshots use.
    pub xpath: Option<String>,
    /// A CSS selector; looked for in every frame and open shadow root.
    pub css: Option<String>,
    /// A point of the viewport, `x,y` in CSS pixels.
    pub point: Option<Point>,
    /// The tab.
    pub tab: Option<TabName>,
}

/// What to do with a page's dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DialogAction {
    /// OK, or the text of a prompt.
    Accept,
    /// Cancel.
    Dismiss,
    /// Say what is open.
    #[default]
    Status,
}

/// Arguments of `dialog`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dialog {
    /// What to do; status when absent.
    #[serde(default)]
    pub action: DialogAction,
    /// The answer to a prompt.
    pub text: Option<String>,
    /// The tab.
    pub tab: Option<TabName>,
}

/// A call that was read and found well formed.
#[derive(Debug, Clone, PartialEq)]
pub enum Call {
    /// `tabs`
    Tabs(Tabs),
    /// `navigate`
    Navigate(Navigate),
    /// `snapshot`
    Snapshot(Snapshot),
    /// `act`
    Act(Act),
    /// `diff`
    Diff(Diff),
    /// `wait`
    Wait(Wait),
    /// `locate`
    Locate(Locate),
    /// `dialog`
    Dialog(Dialog),
}

/// A call that cannot be carried out as it is written. Nothing was done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct BadCall {
    /// `unknown_tool` or `bad_argument`.
    pub code: &'static str,
    /// What is wrong, with the name of it.
    pub what: String,
    /// What to write instead.
    pub next: String,
}
