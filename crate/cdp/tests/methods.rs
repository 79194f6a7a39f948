//! Every method that can be sent to a page is on this list, and one module of the engine sends them. What would let an
//! agent at cookies, stored data, bodies of answers or a page's own world is not on it.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// The sources of a crate.
fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of sources").map(|entry| entry.expect("an entry")) {
        let path = entry.path();
        if path.is_dir() {
            all.extend(sources(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(&path).expect("it is there");
            all.push((path, text));
        }
    }
    all
}

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("it is there").to_owned()
}

/// Every text literal of the form `Domain.method`.
fn methods() -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for (path, text) in sources(&crates().join("cdp/src")) {
        // Events are not sent.
        if path.ends_with("event.rs") {
            continue;
        }
        for literal in text.split('"').skip(1).step_by(2) {
            let is_method = literal.split_once('.').is_some_and(|(domain, method)| {
                let plain =
                    |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphabetic());
                plain(domain) && plain(method) && domain.starts_with(|c: char| c.is_ascii_uppercase())
            });
            if is_method {
                all.insert(literal.to_owned());
            }
        }
    }
    all
}

#[test]
fn what_can_be_sent_is_listed() {
    let listed = methods().into_iter().collect::<Vec<_>>().join("\n");
    expect_test::expect![[r"
        Accessibility.getPartialAXTree
        DOM.describeNode
        DOM.disable
        DOM.discardSearchResults
        DOM.enable
        DOM.getBoxModel
        DOM.getSearchResults
        DOM.performSearch
        DOM.resolveNode
        DOM.scrollIntoViewIfNeeded
        DOM.setFileInputFiles
        DOMDebugger.getEventListeners
        Emulation.clearDeviceMetricsOverride
        Emulation.setDeviceMetricsOverride
        Emulation.setFocusEmulationEnabled
        Fetch.continueRequest
        Fetch.disable
        Fetch.enable
        Fetch.failRequest
        Input.dispatchDragEvent
        Input.dispatchKeyEvent
        Input.dispatchMouseEvent
        Input.insertText
        Input.setInterceptDrags
        Inspector.enable
        Network.enable
        Overlay.enable
        Overlay.hideHighlight
        Overlay.highlightNode
        Overlay.highlightQuad
        Overlay.setInspectMode
        Overlay.setShowHinge
        Page.addScriptToEvaluateOnNewDocument
        Page.captureScreenshot
        Page.createIsolatedWorld
        Page.enable
        Page.getFrameTree
        Page.getNavigationHistory
        Page.handleJavaScriptDialog
        Page.navigate
        Page.navigateToHistoryEntry
        Page.reload
        Page.removeScriptToEvaluateOnNewDocument
        Page.setInterceptFileChooserDialog
        Page.startScreencast
        Page.stopScreencast
        Performance.enable
        Performance.getMetrics
        Runtime.callFunctionOn
        Runtime.evaluate
        Runtime.getProperties
        Runtime.releaseObjectGroup
        Runtime.runIfWaitingForDebugger
        Target.setAutoAttach"]]
    .assert_eq(&listed);
}

#[test]
fn what_must_stay_absent_is_absent() {
    const DOMAINS: &[&str] = &[
        "Browser",
        "CacheStorage",
        "DOMStorage",
        "Debugger",
        "IndexedDB",
        "Security",
        "ServiceWorker",
        "Storage",
        "SystemInfo",
        "WebAuthn",
    ];
    const METHODS: &[&str] = &[
        "Fetch.continueResponse",
        "Fetch.fulfillRequest",
        "Fetch.getResponseBody",
        "Fetch.takeResponseBodyAsStream",
        "Network.getCookies",
        "Network.getAllCookies",
        "Network.getRequestPostData",
        "Network.getResponseBody",
        "Network.setCookie",
        "Network.setExtraHTTPHeaders",
        "Page.setBypassCSP",
        "Target.createTarget",
        "Target.exposeDevToolsProtocol",
    ];
    for method in methods() {
        let domain = method.split('.').next().unwrap();
        assert!(!DOMAINS.contains(&domain) && !METHODS.contains(&method.as_str()), "{method}");
    }
}

/// The way out is one: `session.rs` sends what implements `Command`, and nothing else makes a call of that kind.
#[test]
fn only_typed_commands_are_sent() {
    let senders: Vec<_> = sources(&crates().join("engine/src"))
        .into_iter()
        .filter(|(_, text)| text.contains("ChromeCall::Send"))
        .map(|(path, _)| path.file_name().unwrap().to_owned())
        .collect();
    assert_eq!(senders, ["session.rs"]);
}
