// The service worker: starts the engine and hands it every event of the browser. All listeners are registered in
// the first turn, or the event that woke the worker would be lost; events that come before the engine is there wait
// for it in order.

import init, * as core from "./core/core.js";
import * as browser from "./chrome.js";

/** What the engine reads; its shape is `engine::Input`. @typedef {Record<string, unknown> & { input: string }} Input */

/** Events that wait for the engine; null once it is there. @type {Input[] | null} */
let waiting = [];

/** How often an instance was lost since the worker started. */
let panics = 0;

/** Methods of debugger events that the engine listens to. @type {Set<string> | null} */
let known = null;

/** @param {Input} input */
function deliver(input) {
  if (waiting) waiting.push(input);
  else core.deliver(JSON.stringify(input));
}

chrome.debugger.onEvent.addListener((source, method, params) => {
  if (source.tabId === undefined || (known && !known.has(method))) return;
  const session = /** @type {{ sessionId?: string }} */ (source).sessionId;
  deliver({ input: "event", tab: source.tabId, session, method, params: JSON.stringify(params ?? {}) });
});
chrome.debugger.onDetach.addListener((source, reason) => {
  if (source.tabId !== undefined) deliver({ input: "detached", tab: source.tabId, reason });
});
chrome.tabs.onCreated.addListener(({ id, windowId, pendingUrl, url }) =>
  deliver({ input: "tabCreated", tab: id, window: windowId, url: pendingUrl || url || "" }),
);
chrome.tabs.onActivated.addListener(({ tabId, windowId }) =>
  deliver({ input: "tabActivated", tab: tabId, window: windowId }),
);
chrome.tabs.onRemoved.addListener((tab) => deliver({ input: "tabRemoved", tab }));
chrome.tabs.onReplaced.addListener((added, removed) => deliver({ input: "tabReplaced", added, removed }));
chrome.tabs.onUpdated.addListener((tab, { url, title, discarded }) => {
  if (url ?? title ?? discarded) deliver({ input: "tabUpdated", tab, url, title, discarded });
});
chrome.alarms.onAlarm.addListener(() => deliver({ input: "woke" }));
chrome.runtime.onStartup.addListener(() => deliver({ input: "woke" }));
chrome.runtime.onInstalled.addListener(({ reason }) => {
  browser.createMenu();
  deliver({ input: reason === "install" ? "installed" : "woke" });
});
chrome.contextMenus.onClicked.addListener((_, tab) => {
  if (tab?.id !== undefined) deliver({ input: "pick", tab: tab.id });
});
chrome.commands.onCommand.addListener((_, tab) => {
  if (tab?.id !== undefined) deliver({ input: "pick", tab: tab.id });
});
chrome.runtime.onMessage.addListener((intent, sender, reply) => {
  // Our own pages only; `externally_connectable` lets in nobody else, and neither does this.
  if (sender.id !== chrome.runtime.id || !sender.url?.startsWith(chrome.runtime.getURL(""))) return false;
  deliver({ input: "asked", question: browser.question(reply), intent });
  return true;
});

browser.listen({
  message: (envelope) => deliver({ input: "port", envelope }),
  closed: ({ error }) => deliver({ input: "portClosed", error }),
  // The instance is lost. Any call makes a fresh one, and one is made at once: an answer that still came to the lost
  // one would else be taken to the fresh one's memory. It starts as after a restart of the worker, and the host is
  // told by the end of its port that what was under way has ended. What panics over and over is given time.
  panic: (message) => {
    core.knownEvents();
    waiting ??= [];
    browser.disconnectHost();
    setTimeout(() => start(message), Math.min(panics * 250, 5000));
    panics += 1;
  },
});

/** The scripts for documents, one after the other. */
async function script() {
  const sources = ["own", "mutations", "delta", "names", "element", "collector", "lookup", "portrait", "escape", "witness", "carry", "editor"].map((name) => `worker/${name}.js`);
  const texts = sources.map(async (path) => (await fetch(chrome.runtime.getURL(path))).text());
  return (await Promise.all(texts)).join("\n");
}

function browserName() {
  const brands = /** @type {any} */ (navigator).userAgentData?.brands ?? [];
  const brand = brands.find((/** @type {{ brand: string }} */ { brand }) => !/not.?a.?brand/i.test(brand.replace(/[^a-z]/gi, "")));
  return brand ? `${brand.brand} ${brand.version}` : "Chromium";
}

const loaded = Promise.all([
  init({ module_or_path: chrome.runtime.getURL("worker/core/core_bg.wasm") }),
  script(),
]);

/** @param {string | null} panic where the instance before this one panicked */
async function start(panic) {
  const [[, text], { session, requests, local }, fronts] = await Promise.all([loaded, browser.kept(), browser.fronts()]);
  const started = {
    script: text,
    version: chrome.runtime.getManifest().version,
    browser: browserName(),
    origin: chrome.runtime.getURL(""),
    session,
    requests,
    local,
    panic,
  };
  core.start(JSON.stringify(started));
  known ??= new Set(core.knownEvents());
  // No event tells what was in front before the worker started.
  for (const { tab, window } of fronts) core.deliver(JSON.stringify({ input: "tabActivated", tab, window }));
  const late = waiting ?? [];
  waiting = null;
  for (const input of late) deliver(input);
}

start(null).catch((error) => {
  // Without the engine nothing can be decided; the person sees that it is not there.
  console.error(error);
  browser.setBadgeText("err");
  browser.setTitle(JSON.stringify([{ key: "state_not_started", args: [String(error)] }]));
});
