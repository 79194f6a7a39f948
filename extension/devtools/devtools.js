// In the developer tools: adds our pane to the Elements panel, and tells the engine what is selected there. It decides
// nothing: which frame has the selection, and what its path means, is the engine's to say.

import { whereabouts } from "./whereabouts.js";

const { inspectedWindow, panels } = chrome.devtools;

panels.elements.createSidebarPane("Tabwright", (pane) => pane.setPage("devtools/pane.html"));

/** The last nodes that were selected, the newest first, as the page tells them. */
const QUESTION = `(${whereabouts})([$0, $1, $2, $3, $4])`;

/** @typedef {{ frame: string, nodes?: string, error?: string }} Report */

/** @param {string} frame its address; "" for the tab's own document @returns {Promise<Report>} */
const asked = (frame) =>
  new Promise((tell) => {
    const options = frame ? { frameURL: frame } : {};
    inspectedWindow.eval(QUESTION, /** @type {any} */ (options), (nodes, failure) => {
      const error = failure && String(failure.value ?? failure.description ?? failure.code ?? "failed");
      tell(error ? { frame, error } : { frame, nodes: String(nodes) });
    });
  });

/** The addresses of the frames that the developer tools know. @returns {Promise<string[]>} */
const frames = () =>
  new Promise((tell) => {
    inspectedWindow.getResources((resources) => {
      const documents = resources.filter((each) => /** @type {any} */ (each).type === "document").map(({ url }) => url);
      tell(documents.filter((url) => /^https?:/.test(url)));
    });
  });

let telling = false;
let again = false;
/** How often something was selected since that was told. */
let events = 0;

/** Tells what is selected now; what is selected meanwhile is told after it. */
async function tell() {
  again = true;
  if (telling) return;
  telling = true;
  while (again) {
    again = false;
    const since = events;
    events = 0;
    const known = await frames();
    const reports = await Promise.all(["", ...new Set(known)].map(asked));
    // Of several frames of one address only the first can be asked.
    const several = known.filter((url, place) => known.indexOf(url) !== place);
    for (const frame of several) reports.push({ frame, error: "one of several" });
    await chrome.runtime.sendMessage({ intent: "selected", tab: inspectedWindow.tabId, events: since, reports });
  }
  telling = false;
}

panels.elements.onSelectionChanged.addListener(() => {
  events++;
  void tell();
});
// What the tools were opened on was selected before anybody listened.
void tell();
