//! `Page`: frames, navigation, dialogs, scripts for new documents, pictures.

use crate::{ContextId, FrameId, LoaderId, Nothing, ScriptId, command::command};
use serde::Deserialize;

command!(/// Starts events of this domain. Must come before a dialog opens, or nothing can answer it.
    Enable = "Page.enable", false => Nothing {});

command!(/// The frames of this session's process, as a tree.
    GetFrameTree = "Page.getFrameTree", true => FrameTreeReply {});

command!(/// Makes, or gives again, the world of that name in a frame's present document.
CreateIsolatedWorld = "Page.createIsolatedWorld", true => WorldReply {
    /// The frame.
    frame_id: FrameId,
    /// The world's name.
    world_name: String,
});

command!(/// Runs a script in every new document of the session, before the page's own.
AddScript = "Page.addScriptToEvaluateOnNewDocument", false => ScriptReply {
    /// The script.
    source: String,
    /// The isolated world it runs in.
    world_name: String,
    /// Whether to run it in the documents that are there, too.
    run_immediately: bool,
});

command!(/// Takes such a script away.
RemoveScript = "Page.removeScriptToEvaluateOnNewDocument", false => Nothing {
    /// The script.
    identifier: ScriptId,
});

command!(/// Goes to an address. Answers when the navigation is committed or has failed.
Navigate = "Page.navigate", false => NavigateReply {
    /// The address.
    url: String,
});

command!(/// Loads the document again.
    Reload = "Page.reload", false => Nothing {});

command!(/// The tab's history.
    GetNavigationHistory = "Page.getNavigationHistory", false => HistoryReply {});

command!(/// Goes to an entry of the history.
NavigateToHistoryEntry = "Page.navigateToHistoryEntry", false => Nothing {
    /// The entry.
    entry_id: i64,
});

command!(/// Answers the open dialog.
HandleDialog = "Page.handleJavaScriptDialog", false => Nothing {
    /// Whether OK or Cancel.
    accept: bool,
    /// The answer to a prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt_text: Option<String>,
});

command!(/// Tells of a file chooser by an event instead of opening it.
SetInterceptFileChooser = "Page.setInterceptFileChooserDialog", false => Nothing {
    /// Whether.
    enabled: bool,
});

command!(/// Makes the browser draw the page although nobody looks at it: without, a tab in the background gets one frame a
/// second from some press on. The pictures themselves are not wanted: they are tiny, and the first is never
/// acknowledged, so that no more come.
StartScreencast = "Page.startScreencast", false => Nothing {
    /// `jpeg`
    format: &'static str,
    /// 0 to 100.
    quality: u8,
    /// Pixels.
    max_width: u32,
    /// Pixels.
    max_height: u32,
});

command!(/// Ends it.
StopScreencast = "Page.stopScreencast", false => Nothing {});

command!(/// A picture of the tab. Hangs in a background tab that is not drawn: see [`StartScreencast`].
CaptureScreenshot = "Page.captureScreenshot", true => ScreenshotReply {
    /// `png`
    format: &'static str,
    /// The part, in CSS pixels of the document; what is in view when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    clip: Option<Clip>,
    /// Whether the part may lie outside of what is in view. The page's layout stays as it is.
    capture_beyond_viewport: bool,
    /// Quick rather than small.
    optimize_for_speed: bool,
});

/// A part of the document.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Clip {
    /// CSS pixels from the left.
    pub x: f64,
    /// CSS pixels from the top.
    pub y: f64,
    /// CSS pixels across.
    pub width: f64,
    /// CSS pixels down.
    pub height: f64,
    /// Pixels of the picture for each device pixel.
    pub scale: f64,
}

impl StartScreencast {
    /// The least that keeps a page drawn.
    pub fn least() -> Self {
        Self { format: "jpeg", quality: 0, max_width: 8, max_height: 8 }
    }
}

/// A frame and the document in it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Frame {
    /// The frame.
    pub id: FrameId,
    /// Its parent, where that is of the same process.
    pub parent_id: Option<FrameId>,
    /// The load of its document.
    pub loader_id: LoaderId,
    /// The document's address, without its fragment.
    pub url: String,
    /// The address that could not be loaded, when this is an error page.
    pub unreachable_url: Option<String>,
}

/// A frame with its children.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FrameTree {
    /// The frame.
    pub frame: Frame,
    /// Its children of the same process.
    #[serde(default)]
    pub child_frames: Vec<FrameTree>,
}

impl FrameTree {
    /// All frames, parents before children.
    pub fn flatten(self) -> Vec<Frame> {
        let mut frames = Vec::new();
        let mut queue = std::collections::VecDeque::from([self]);
        while let Some(tree) = queue.pop_front() {
            frames.push(tree.frame);
            queue.extend(tree.child_frames);
        }
        frames
    }
}

/// Answer of [`GetFrameTree`].
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FrameTreeReply {
    /// The tree.
    pub frame_tree: FrameTree,
}

/// Answer of [`CreateIsolatedWorld`].
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WorldReply {
    /// The world.
    pub execution_context_id: ContextId,
}

/// Answer of [`AddScript`].
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ScriptReply {
    /// The script.
    pub identifier: ScriptId,
}

/// Answer of [`Navigate`].
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NavigateReply {
    /// The load; absent when only the fragment changed.
    pub loader_id: Option<LoaderId>,
    /// Why it failed.
    pub error_text: Option<String>,
    /// Whether it became a download.
    #[serde(default)]
    pub is_download: bool,
}

/// Answer of [`CaptureScreenshot`].
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ScreenshotReply {
    /// Base64 of the file.
    pub data: String,
}

/// An entry of the history.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct HistoryEntry {
    /// The entry.
    pub id: i64,
    /// Its address.
    pub url: String,
}

/// Answer of [`GetNavigationHistory`].
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HistoryReply {
    /// Where the tab is.
    pub current_index: usize,
    /// The entries, oldest first.
    pub entries: Vec<HistoryEntry>,
}
