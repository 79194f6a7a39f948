// The pane beside the Elements panel: draws the engine's view of what is selected there, and sends what the person
// chose. It holds no rules.

import { localise, say } from "../ui/words.js";

/** @typedef {{ how: "devTools" | "picked", part: [string, string] | null, reference: string, line: string, role: string, name: string,
 *   states: string[], xpath: string, css: string, context: string | null, bounds: string | null, frames: string[], standing: string }} Element */
/** @typedef {{ styles: [string, string][], html: string, component: string | null }} Detail */
/** @typedef {{ standing: "private" | "sent" | "held", picking: boolean, note: string | null, why: string | null,
 *   element: Element | null, detail: Detail | null, lines: string, sentence: string | null }} View */

const tab = chrome.devtools.inspectedWindow.tabId;

/** @param {string} id */
const part = (id) => /** @type {HTMLButtonElement} */ (document.getElementById(id));

localise(document);

/** What agents may do with the tab. */
const GRANTS = { private: "pane_tab_private", sent: "pane_tab_sent", held: "pane_tab_held" };

/** What is drawn. @type {View | null} */
let drawn = null;

/** @param {string} text @param {string} word the message that says that it was */
function copy(text, word) {
  const field = Object.assign(document.createElement("textarea"), { value: text });
  document.body.append(field);
  field.select();
  // The tools let their pages have no clipboard of the newer kind.
  const copied = document.execCommand("copy");
  field.remove();
  part("done").textContent = say(copied ? word : "pane_not_copied", text);
}

/** @param {string} key @param {string | null | undefined} value */
function fact(key, value) {
  if (!value) return [];
  return [
    Object.assign(document.createElement("dt"), { textContent: say(key) }),
    Object.assign(document.createElement("dd"), { textContent: value }),
  ];
}

/** @param {View} view */
function draw(view) {
  if (JSON.stringify(view) === JSON.stringify(drawn)) return;
  if (view.element?.reference !== drawn?.element?.reference) part("done").textContent = "";
  drawn = view;
  const { element, detail } = view;
  part("note").textContent = view.picking ? say("pane_picking") : view.note ? say(view.note, view.why ?? "") : "";
  part("element").hidden = part("facts").hidden = !element;
  part("send").disabled = part("copyRef").disabled = part("copyXpath").disabled = part("show").disabled = !element;
  part("pick").textContent = say(view.picking ? "pane_pick_end" : "pane_pick");
  if (!element) return;
  part("line").textContent = element.line;
  part("how").textContent = say(element.how === "picked" ? "pane_how_picked" : "pane_how_devtools");
  part("part").textContent = element.part ? say("pane_part", ...element.part) : "";
  part("standing").textContent = element.standing;
  part("grant").textContent = say(GRANTS[view.standing]);
  part("list").replaceChildren(
    ...fact("pane_ref", element.reference),
    ...fact("pane_role", element.role),
    ...fact("pane_name", element.name),
    ...fact("pane_states", element.states.join(" ")),
    ...fact("pane_xpath", element.xpath),
    ...fact("pane_css", element.css),
    ...fact("pane_context", element.context),
    ...fact("pane_box", element.bounds),
    ...fact("pane_frames", element.frames.join(" › ")),
    ...fact("pane_component", detail?.component),
    ...fact("pane_styles", detail?.styles.map(([name, value]) => `${name}: ${value}`).join("; ")),
  );
  part("lines").textContent = view.lines;
  part("html").textContent = detail?.html ?? "";
}

/** @param {Record<string, unknown>} intent */
const ask = (intent) => chrome.runtime.sendMessage({ tab, ...intent });

async function refresh() {
  draw(await ask({ intent: "pointed" }));
}

/** @param {string} id @param {() => unknown} deed */
function bind(id, deed) {
  part(id).addEventListener("click", (event) => {
    if (event.isTrusted) void deed();
  });
}

bind("send", async () => {
  await ask({ intent: "send" });
  await refresh();
  if (drawn?.sentence) copy(drawn.sentence, "pane_sent");
});
bind("copyRef", () => copy(drawn?.element?.reference ?? "", "pane_copied"));
bind("copyXpath", () => copy(drawn?.element?.xpath ?? "", "pane_copied"));
bind("show", () => ask({ intent: "reveal", reference: Number(drawn?.element?.reference.slice(1)) }));
bind("pick", async () => {
  await ask({ intent: drawn?.picking ? "endPick" : "pick" });
  await refresh();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && drawn?.picking) void ask({ intent: "endPick" });
});

/** Asks as long as somebody sees it: the tab is held for that time. */
async function follow() {
  if (document.visibilityState === "visible") await refresh().catch(console.error);
  setTimeout(follow, 500);
}
void follow();
