//! The tools besides `act` and their arguments, each declared once: the MCP schema, the shell's flags, the reference
//! page and the readers derive from these structs. How a call is read and checked is in `parse`.

pub use crate::point::Point;
pub use crate::seeing::{Find, Format, Picture, Read, Screenshot};
use crate::{Act, RefName, TabName, lenient, point::some_point};
use serde::{Deserialize, Serialize};

/// What to do with tabs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum), value(rename_all = "snake_case"))]
pub enum TabsAction {
    /// Lists the agent's tabs and names the agent.
    #[default]
    List,
    /// Opens a tab in the background.
    Open,
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct Tabs {
    /// What to do; list when absent.
    #[serde(default)]
    #[cfg_attr(feature = "cli", arg(long, value_enum, default_value_t))]
    pub action: TabsAction,
    /// The address to open.
    #[serde(default, deserialize_with = "lenient::some_text")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub url: Option<String>,
    /// The tab to activate, release or close.
    #[cfg_attr(feature = "cli", arg(long))]
    pub tab: Option<TabName>,
}

/// Where to go in a tab's history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum), value(rename_all = "snake_case"))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct Navigate {
    /// The address.
    #[serde(default, deserialize_with = "lenient::some_text")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub url: Option<String>,
    /// A step in the tab's history.
    #[cfg_attr(feature = "cli", arg(long))]
    pub to: Option<To>,
    /// The tab, where there are several.
    #[cfg_attr(feature = "cli", arg(long))]
    pub tab: Option<TabName>,
    /// Budget of the snapshot in the reply, in tokens.
    #[serde(default, deserialize_with = "lenient::some_number")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub max_tokens: Option<u32>,
    /// Milliseconds.
    #[serde(default, deserialize_with = "lenient::some_number")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub timeout_ms: Option<u32>,
}

/// How much of the page a snapshot shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum), value(rename_all = "snake_case"))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct Snapshot {
    /// How much to show.
    #[serde(default)]
    #[cfg_attr(feature = "cli", arg(long, value_enum, default_value_t))]
    pub mode: Mode,
    /// The part to show: a ref, a CSS selector, or an XPath (begins with `/`).
    #[serde(default, deserialize_with = "lenient::some_text")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub scope: Option<String>,
    /// How many levels to show below the scope.
    #[serde(default, deserialize_with = "lenient::some_number")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub depth: Option<u32>,
    /// Budget in tokens; 6,000 when absent.
    #[serde(default, deserialize_with = "lenient::some_number")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub max_tokens: Option<u32>,
    /// Go on where an earlier reply was cut, or unfold what it folded.
    #[serde(default, deserialize_with = "lenient::some_text")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub cursor: Option<String>,
    /// Whether to show where links lead.
    #[serde(default)]
    #[cfg_attr(feature = "cli", arg(long))]
    pub links: bool,
    /// A new file to write the tree to, whole unless `max_tokens` says otherwise.
    #[serde(default, deserialize_with = "lenient::some_text")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub path: Option<String>,
    /// The tab.
    #[cfg_attr(feature = "cli", arg(long))]
    pub tab: Option<TabName>,
}

/// Arguments of `diff`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct Diff {
    /// Only changes within this ref.
    #[cfg_attr(feature = "cli", arg(long))]
    pub scope: Option<RefName>,
    /// Budget in tokens; 1,500 when absent.
    #[serde(default, deserialize_with = "lenient::some_number")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub max_tokens: Option<u32>,
    /// The tab.
    #[cfg_attr(feature = "cli", arg(long))]
    pub tab: Option<TabName>,
}

/// Arguments of `wait`: at least one condition; the first that holds wins.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct Wait {
    /// Texts of which one must appear.
    #[serde(default, deserialize_with = "lenient::texts")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub text: Vec<String>,
    /// A text that must go.
    #[serde(default, deserialize_with = "lenient::some_text")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub text_gone: Option<String>,
    /// An element that must go.
    #[cfg_attr(feature = "cli", arg(long))]
    pub ref_gone: Option<RefName>,
    /// An address the tab must reach; `*` matches any run of characters.
    #[serde(default, deserialize_with = "lenient::some_text")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub url: Option<String>,
    /// A download must end.
    #[serde(default)]
    #[cfg_attr(feature = "cli", arg(long))]
    pub download: bool,
    /// Milliseconds to pass.
    #[serde(default, deserialize_with = "lenient::some_number")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub time_ms: Option<u32>,
    /// Milliseconds; 10,000 when absent.
    #[serde(default, deserialize_with = "lenient::some_number")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub timeout_ms: Option<u32>,
    /// The tab.
    #[cfg_attr(feature = "cli", arg(long))]
    pub tab: Option<TabName>,
}

/// Arguments of `locate`: exactly one of `ref`, `xpath`, `css` and `point`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct Locate {
    /// A ref.
    #[serde(rename = "ref")]
    #[cfg_attr(feature = "cli", arg(long = "ref", value_name = "REF"))]
    pub reference: Option<RefName>,
    /// An XPath, also with hops into frames and shadow roots.
    #[serde(default, deserialize_with = "lenient::some_text")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub xpath: Option<String>,
    /// A CSS selector; in every frame and shadow root.
    #[serde(default, deserialize_with = "lenient::some_text")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub css: Option<String>,
    /// A point of the viewport, `x,y` in CSS pixels.
    #[serde(default, deserialize_with = "some_point")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub point: Option<Point>,
    /// The tab.
    #[cfg_attr(feature = "cli", arg(long))]
    pub tab: Option<TabName>,
}

/// Arguments of `selection`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct Selection {
    /// Also styles, HTML, component, source line.
    #[serde(default)]
    #[cfg_attr(feature = "cli", arg(long))]
    pub detail: bool,
    /// Budget of its subtree; 800 when absent.
    #[serde(default, deserialize_with = "lenient::some_number")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub max_tokens: Option<u32>,
    /// The tab.
    #[cfg_attr(feature = "cli", arg(long))]
    pub tab: Option<TabName>,
}

/// What to do with a page's dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum), value(rename_all = "snake_case"))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct Dialog {
    /// What to do; status when absent.
    #[serde(default)]
    #[cfg_attr(feature = "cli", arg(long, value_enum, default_value_t))]
    pub action: DialogAction,
    /// The answer to a prompt.
    #[serde(default, deserialize_with = "lenient::some_text")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub text: Option<String>,
    /// The tab.
    #[cfg_attr(feature = "cli", arg(long))]
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
    /// `find`
    Find(Find),
    /// `read`
    Read(Read),
    /// `act`
    Act(Act),
    /// `diff`
    Diff(Diff),
    /// `wait`
    Wait(Wait),
    /// `locate`
    Locate(Locate),
    /// `selection`
    Selection(Selection),
    /// `dialog`
    Dialog(Dialog),
    /// `screenshot`
    Screenshot(Screenshot),
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
