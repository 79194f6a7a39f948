// The popup: draws the engine's view and sends what the person chose. It holds no rules.

/** @typedef {{ everywhere: boolean, always: string[], never: string[], trusted: string[] }} Sites */
/** @typedef {{ label: string, program: string, standing: "waiting" | "allowed" | "refused", present: boolean, byPolicy: boolean,
 *   tabs: string[], sites: Sites }} AgentView */
/** @typedef {{ label: string, program: string, site: string }} Visit */
/** @typedef {{ number: number, label: string, program: string, site: string, what: string, why: string, trusting: boolean, typing: boolean }} Question */
/** @typedef {{ connected: boolean, state: string, next: string, stopped: boolean, profile: string,
 *   agents: AgentView[], visits: Visit[], questions: Question[] }} View */

/** How long after a question appears a choice can be made: nobody allows by a click meant for something else. */
const ARMING = 600;

/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @param {ParentNode} within @param {string} css */
const inner = (within, css) => /** @type {HTMLElement} */ (within.querySelector(css));

const WORDS = { waiting: "asks to be let in", allowed: "allowed", refused: "refused" };
let armedAt = 0;

/** From now on nothing can be chosen for a moment. */
function arm() {
  armedAt = performance.now() + ARMING;
  document.body.classList.add("arming");
  setTimeout(() => document.body.classList.toggle("arming", performance.now() < armedAt), ARMING + 10);
}

/** @param {Record<string, unknown>} intent */
async function send(intent) {
  draw(await chrome.runtime.sendMessage(intent));
}

/** @param {HTMLElement} button @param {Record<string, unknown>} intent @param {() => Record<string, unknown>} [more] */
function bind(button, intent, more) {
  button.addEventListener("click", (event) => {
    // Stopping is never too early.
    if (event.isTrusted && (intent.intent === "stop" || performance.now() >= armedAt)) void send({ ...intent, ...more?.() });
  });
}

const profile = /** @type {HTMLInputElement} */ (part("profile"));
profile.addEventListener("change", (event) => {
  if (event.isTrusted) void send({ intent: "nameProfile", name: profile.value });
});

/** @type {string} */
let drawn = "";

/** What the person was asked when it was last drawn. @type {string | null} */
let asked = null;

/** The questions about acts as they were last drawn. */
let confirming = "";

/** @param {string} id of a template */
const copy = (id) =>
  /** @type {DocumentFragment} */ (/** @type {HTMLTemplateElement} */ (part(id)).content.cloneNode(true));

/** @param {Question} shown */
function confirmation(shown) {
  const item = copy("confirmation");
  inner(item, ".asked").textContent = `“${shown.label}” wants to: ${shown.what}`;
  inner(item, ".where").textContent = `at ${shown.site}`;
  inner(item, ".why").textContent = shown.why;
  inner(item, ".typing").hidden = !shown.typing;
  const typed = /** @type {HTMLInputElement} */ (inner(item, ".typing input"));
  for (const button of item.querySelectorAll("button")) {
    const answer = /** @type {string} */ (button.dataset.answer);
    button.hidden = answer === "trust" && !shown.trusting;
    const more = () => (shown.typing && answer === "once" ? { typed: typed.value } : {});
    button.setAttribute("aria-label", `${button.textContent}: ${shown.label}, ${shown.what}`);
    // The answer repeats what was shown: it is for nothing else.
    bind(button, { intent: "confirm", ...shown, answer }, more);
  }
  return item;
}

/** @param {Visit} visit */
function question({ label, program, site }) {
  const item = copy("visit");
  inner(item, ".asked").textContent = `“${label}” wants to be at ${site}`;
  for (const button of item.querySelectorAll("button")) {
    const answer = /** @type {string} */ (button.dataset.answer);
    button.setAttribute("aria-label", `${button.textContent}: ${label} at ${site}`);
    bind(button, { intent: "visit", label, program, site, answer });
  }
  return item;
}

/** @param {HTMLElement} list @param {Sites} sites */
function places(list, { everywhere, always, never, trusted }) {
  /** @param {string} text */
  const line = (text) => Object.assign(document.createElement("li"), { textContent: text });
  const lines = [...always.map((site) => line(`may be at ${site}`)), ...never.map((site) => line(`not at ${site}`))];
  lines.push(...trusted.map((site) => line(`trusted: ${site}`)));
  if (everywhere) lines.unshift(line(never.length ? "may be at any other site" : "may be at any site"));
  list.replaceChildren(...lines);
}

/** @param {View} view */
function draw(view) {
  const shape = JSON.stringify(view);
  if (shape === drawn) return;
  drawn = shape;
  const asks = JSON.stringify([view.stopped, view.questions, view.visits, view.agents.map(({ label, program, standing }) => [label, program, standing])]);
  // What is asked anew moves what was there: the click that is on its way is not for it.
  if (asks !== asked) arm();
  asked = asks;
  part("state").textContent = view.state;
  part("next").textContent = view.next;
  const questions = JSON.stringify(view.questions);
  // Drawn anew only when they change: something may be being typed there.
  if (questions !== confirming) part("questions").replaceChildren(...view.questions.map(confirmation));
  confirming = questions;
  part("visits").replaceChildren(...view.visits.map(question));
  part("agents").replaceChildren(
    ...view.agents.map((agent) => {
      const item = copy("agent");
      inner(item, "strong").textContent = `“${agent.label}”`;
      inner(item, ".standing").textContent = WORDS[agent.standing] + (agent.present ? " · connected" : "");
      inner(item, ".program").textContent = agent.program && `started by ${agent.program}`;
      inner(item, ".tabs").replaceChildren(
        ...agent.tabs.map((title) => Object.assign(document.createElement("li"), { textContent: title })),
      );
      places(inner(item, ".sites"), agent.sites);
      /** @param {string} css @param {boolean} shown @param {string} name @param {Record<string, unknown>} intent */
      const button = (css, shown, name, intent) => {
        const found = inner(item, css);
        found.hidden = agent.byPolicy || !shown;
        found.setAttribute("aria-label", `${name} ${agent.label}`);
        bind(found, { ...intent, label: agent.label, program: agent.program });
      };
      const { standing, sites } = agent;
      const decided = sites.everywhere || sites.always.length + sites.never.length + sites.trusted.length > 0;
      button(".allow", standing !== "allowed", "Allow", { intent: "allow" });
      button(".everywhere", standing !== "allowed", "Allow at every site:", { intent: "allow", everywhere: true });
      button(".refuse", standing !== "refused", "Refuse", { intent: "refuse" });
      button(".forget", standing === "allowed" && decided, "Ask again about sites:", { intent: "forgetSites" });
      return item;
    }),
  );
  if (document.activeElement !== profile) profile.value = view.profile;
  const stop = part("stop");
  const fresh = /** @type {HTMLElement} */ (stop.cloneNode());
  fresh.textContent = view.stopped ? "Let agents go on" : "Stop all agents";
  bind(fresh, { intent: view.stopped ? "resume" : "stop" });
  stop.replaceWith(fresh);
}

part("options").addEventListener("click", () => void chrome.runtime.openOptionsPage());

const refresh = () => send({ intent: "status" });
void refresh();
setInterval(refresh, 1000);
