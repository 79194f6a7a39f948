//! The events we listen to. Others are passed over.

use crate::{
    BackendId, FetchRequestId, FrameId, LoaderId, NetworkRequestId, SessionId, input::DragData, page::Frame,
};
use serde::Deserialize;

/// An event of one session.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub enum Event {
    /// A frame's new document was committed.
    #[serde(rename = "Page.frameNavigated")]
    FrameNavigated {
        /// The frame with its document.
        frame: Frame,
        /// `Navigation` or `BackForwardCacheRestore`.
        #[serde(rename = "type", default)]
        kind: String,
    },
    /// The address changed within the document.
    #[serde(rename = "Page.navigatedWithinDocument", rename_all = "camelCase")]
    NavigatedWithinDocument {
        /// The frame.
        frame_id: FrameId,
        /// The new address.
        url: String,
    },
    /// A frame appeared.
    #[serde(rename = "Page.frameAttached", rename_all = "camelCase")]
    FrameAttached {
        /// The frame.
        frame_id: FrameId,
    },
    /// A frame went, or moved to another process (`swap`).
    #[serde(rename = "Page.frameDetached", rename_all = "camelCase")]
    FrameDetached {
        /// The frame.
        frame_id: FrameId,
        /// `remove` or `swap`.
        reason: String,
    },
    /// A navigation that the page asked for is about to begin.
    #[serde(rename = "Page.frameRequestedNavigation", rename_all = "camelCase")]
    FrameRequestedNavigation {
        /// The frame.
        frame_id: FrameId,
        /// The address.
        url: String,
        /// `currentTab`, `newTab`, `newWindow` or `download`.
        disposition: String,
    },
    /// A navigation begins.
    #[serde(rename = "Page.frameStartedNavigating", rename_all = "camelCase")]
    FrameStartedNavigating {
        /// The frame.
        frame_id: FrameId,
        /// The address.
        url: String,
        /// The load.
        loader_id: LoaderId,
        /// `differentDocument`, `sameDocument`, `reload`, `restore`, …
        navigation_type: String,
    },
    /// A frame began to load.
    #[serde(rename = "Page.frameStartedLoading", rename_all = "camelCase")]
    FrameStartedLoading {
        /// The frame.
        frame_id: FrameId,
    },
    /// A frame has loaded, or given up.
    #[serde(rename = "Page.frameStoppedLoading", rename_all = "camelCase")]
    FrameStoppedLoading {
        /// The frame.
        frame_id: FrameId,
    },
    /// The document of the session's root frame is parsed.
    #[serde(rename = "Page.domContentEventFired")]
    DomContentLoaded {},
    /// The session's root frame has fired `load`.
    #[serde(rename = "Page.loadEventFired")]
    Loaded {},
    /// `document.open` in a frame.
    #[serde(rename = "Page.documentOpened")]
    DocumentOpened {
        /// The frame with its document.
        frame: Frame,
    },
    /// A dialog opened; the page's main thread stands still until it is answered.
    #[serde(rename = "Page.javascriptDialogOpening", rename_all = "camelCase")]
    DialogOpening {
        /// The address of the document that opened it.
        url: String,
        /// `alert`, `confirm`, `prompt` or `beforeunload`.
        #[serde(rename = "type")]
        kind: String,
        /// What it says.
        message: String,
        /// What a prompt is filled with.
        #[serde(default)]
        default_prompt: String,
    },
    /// A dialog was answered, by us or by the person.
    #[serde(rename = "Page.javascriptDialogClosed")]
    DialogClosed {
        /// OK or Cancel.
        result: bool,
    },
    /// The renderer crashed: from now on commands hang.
    #[serde(rename = "Inspector.targetCrashed")]
    Crashed {},
    /// A navigation revived it.
    #[serde(rename = "Inspector.targetReloadedAfterCrash")]
    Revived {},
    /// The page opens a tab or a window.
    #[serde(rename = "Page.windowOpen", rename_all = "camelCase")]
    WindowOpen {
        /// The address.
        url: String,
        /// Whether a press or a key led to it: without, the browser opens nothing.
        user_gesture: bool,
    },
    /// A file chooser would have opened.
    #[serde(rename = "Page.fileChooserOpened", rename_all = "camelCase")]
    FileChooserOpened {
        /// The frame whose page asked.
        frame_id: FrameId,
        /// `selectSingle` or `selectMultiple`
        mode: String,
        /// The field it is for; none where a script asked without one.
        backend_node_id: Option<BackendId>,
    },
    /// A drag began that was intercepted.
    #[serde(rename = "Input.dragIntercepted")]
    DragIntercepted {
        /// What is dragged.
        data: DragData,
    },
    /// A download begins.
    #[serde(rename = "Page.downloadWillBegin", rename_all = "camelCase")]
    DownloadWillBegin {
        /// Names it.
        guid: String,
        /// The address.
        url: String,
        /// The file's name, as the site or the page has it.
        suggested_filename: String,
    },
    /// A download goes on, or ended.
    #[serde(rename = "Page.downloadProgress", rename_all = "camelCase")]
    DownloadProgress {
        /// Names it.
        guid: String,
        /// `inProgress`, `completed` or `canceled`.
        state: String,
        /// Bytes so far.
        received_bytes: f64,
        /// Bytes in all; 0 where that is not known.
        total_bytes: f64,
    },
    /// The person picked a node with the mouse.
    #[serde(rename = "Overlay.inspectNodeRequested", rename_all = "camelCase")]
    NodePicked {
        /// The node.
        backend_node_id: BackendId,
    },
    /// A request leaves.
    #[serde(rename = "Network.requestWillBeSent", rename_all = "camelCase")]
    RequestWillBeSent {
        /// The request.
        request_id: NetworkRequestId,
        /// What asked for it.
        request: Request,
        /// `Document`, `XHR`, `Fetch`, `Script`, …
        #[serde(rename = "type", default)]
        kind: String,
        /// The frame it belongs to.
        frame_id: Option<FrameId>,
    },
    /// The head of an answer came.
    #[serde(rename = "Network.responseReceived", rename_all = "camelCase")]
    ResponseReceived {
        /// The request.
        request_id: NetworkRequestId,
        /// As in `RequestWillBeSent`.
        #[serde(rename = "type")]
        kind: String,
        /// The answer's head.
        response: Response,
        /// The frame it belongs to.
        frame_id: Option<FrameId>,
    },
    /// A request is done.
    #[serde(rename = "Network.loadingFinished", rename_all = "camelCase")]
    LoadingFinished {
        /// The request.
        request_id: NetworkRequestId,
    },
    /// A request failed.
    #[serde(rename = "Network.loadingFailed", rename_all = "camelCase")]
    LoadingFailed {
        /// The request.
        request_id: NetworkRequestId,
    },
    /// A request was stopped on its way.
    #[serde(rename = "Fetch.requestPaused", rename_all = "camelCase")]
    RequestPaused {
        /// The request.
        request_id: FetchRequestId,
        /// What asked for it.
        request: Request,
        /// The frame that it is for.
        frame_id: FrameId,
    },
    /// A cross-process frame has a session.
    #[serde(rename = "Target.attachedToTarget", rename_all = "camelCase")]
    AttachedToTarget {
        /// The session.
        session_id: SessionId,
        /// What it is of.
        target_info: TargetInfo,
        /// Whether it waits until we let it go on.
        waiting_for_debugger: bool,
    },
    /// Such a session ended.
    #[serde(rename = "Target.detachedFromTarget", rename_all = "camelCase")]
    DetachedFromTarget {
        /// The session.
        session_id: SessionId,
    },
}

/// What is told of a request.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Request {
    /// The address.
    pub url: String,
}

/// What is told of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Response {
    /// The address it came from.
    pub url: String,
    /// The status.
    pub status: u16,
}

/// What is told of a target.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TargetInfo {
    /// Of a frame: the frame's id.
    pub target_id: FrameId,
    /// `iframe`
    #[serde(rename = "type")]
    pub kind: String,
    /// The address; empty while the frame waits.
    pub url: String,
}

impl Event {
    /// Reads an event; nothing for those we do not listen to. An event we know in a shape we do not know is
    /// passed over as well: Chrome adds values, and an event is no answer to anything.
    pub fn read(method: &str, params: &str) -> Option<Self> {
        if !Self::KNOWN.contains(&method) {
            return None;
        }
        // The method is one of ours: it needs no escaping.
        serde_json::from_str(&format!("{{\"{method}\":{params}}}")).ok()
    }

    /// The methods we listen to: the shell drops the others before they are copied.
    pub const KNOWN: &'static [&'static str] = &[
        "Page.frameNavigated",
        "Page.navigatedWithinDocument",
        "Page.frameAttached",
        "Page.frameDetached",
        "Page.frameRequestedNavigation",
        "Page.frameStartedNavigating",
        "Page.frameStartedLoading",
        "Page.frameStoppedLoading",
        "Page.domContentEventFired",
        "Page.loadEventFired",
        "Page.documentOpened",
        "Page.javascriptDialogOpening",
        "Page.javascriptDialogClosed",
        "Page.windowOpen",
        "Page.fileChooserOpened",
        "Page.downloadWillBegin",
        "Page.downloadProgress",
        "Input.dragIntercepted",
        "Inspector.targetCrashed",
        "Inspector.targetReloadedAfterCrash",
        "Fetch.requestPaused",
        "Overlay.inspectNodeRequested",
        "Network.requestWillBeSent",
        "Network.responseReceived",
        "Network.loadingFinished",
        "Network.loadingFailed",
        "Target.attachedToTarget",
        "Target.detachedFromTarget",
    ];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_events_and_unknown_shapes_are_passed_over() {
        assert_eq!(Event::read("Page.lifecycleEvent", "{}"), None);
        assert_eq!(Event::read("Page.frameDetached", r#"{"frameId":7}"#), None);
        assert_eq!(
            Event::read("Page.frameDetached", r#"{"frameId":"F","reason":"swap","new":1}"#),
            Some(Event::FrameDetached { frame_id: FrameId("F".into()), reason: "swap".into() })
        );
    }

    #[test]
    fn an_event_without_content_reads() {
        assert_eq!(Event::read("Inspector.targetCrashed", "{}"), Some(Event::Crashed {}));
        assert_eq!(Event::read("Page.loadEventFired", r#"{"timestamp":1.5}"#), Some(Event::Loaded {}));
    }
}
