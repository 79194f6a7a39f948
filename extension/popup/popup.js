// The popup: draws the engine's view and sends what the person chose. It holds no rules.

/** @typedef {{ everywhere: boolean, always: string[], never: string[] }} Sites */
/** @typedef {{ label: string, standing: "waiting" | "allowed" | "refused", present: boolean, byPolicy: boolean,
 *   tabs: string[], sites: Sites }} AgentView */
/** @typedef {{ label: string, site: string }} Visit */
/** @typedef {{ connected: boolean, state: string, next: string, stopped: boolean, profile: string,
 *   agents: AgentView[], visits: Visit[] }} View */

/** How long after it appears a choice can be made: nobody allows by a click meant for something else. */
const ARMING = 600;

/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @param {ParentNode} within @param {string} css */
const inner = (within, css) => /** @type {HTMLElement} */ (within.querySelector(css));

const WORDS = { waiting: "asks to be let in", allowed: "allowed", refused: "refused" };
const armedAt = performance.now() + ARMING;

/** @param {Record<string, unknown>} intent */
async function send(intent) {
  draw(await chrome.runtime.sendMessage(intent));
}

/** @param {HTMLElement} button @param {Record<string, unknown>} intent */
function bind(button, intent) {
  button.addEventListener("click", (event) => {
    if (event.isTrusted && performance.now() >= armedAt) void send(intent);
  });
}

const profile = /** @type {HTMLInputElement} */ (part("profile"));
profile.addEventListener("change", (event) => {
  if (event.isTrusted) void send({ intent: "nameProfile", name: profile.value });
});

/** @type {string} */
let drawn = "";

/** @param {string} id of a template */
const copy = (id) =>
  /** @type {DocumentFragment} */ (/** @type {HTMLTemplateElement} */ (part(id)).content.cloneNode(true));

/** @param {Visit} visit */
function question({ label, site }) {
  const item = copy("visit");
  inner(item, ".asked").textContent = `“${label}” wants to be at ${site}`;
  for (const button of item.querySelectorAll("button")) {
    const answer = /** @type {string} */ (button.dataset.answer);
    button.setAttribute("aria-label", `${button.textContent}: ${label} at ${site}`);
    bind(button, { intent: "visit", label, site, answer });
  }
  return item;
}

/** @param {HTMLElement} list @param {Sites} sites */
function places(list, { everywhere, always, never }) {
  /** @param {string} text */
  const line = (text) => Object.assign(document.createElement("li"), { textContent: text });
  const lines = [...always.map((site) => line(`may be at ${site}`)), ...never.map((site) => line(`not at ${site}`))];
  if (everywhere) lines.unshift(line(never.length ? "may be at any other site" : "may be at any site"));
  list.replaceChildren(...lines);
}

/** @param {View} view */
function draw(view) {
  const shape = JSON.stringify(view);
  if (shape === drawn) return;
  drawn = shape;
  part("state").textContent = view.state;
  part("next").textContent = view.next;
  part("visits").replaceChildren(...view.visits.map(question));
  part("agents").replaceChildren(
    ...view.agents.map((agent) => {
      const item = copy("agent");
      inner(item, "strong").textContent = `“${agent.label}”`;
      inner(item, ".standing").textContent = WORDS[agent.standing] + (agent.present ? " · connected" : "");
      inner(item, ".tabs").replaceChildren(
        ...agent.tabs.map((title) => Object.assign(document.createElement("li"), { textContent: title })),
      );
      places(inner(item, ".sites"), agent.sites);
      /** @param {string} css @param {boolean} shown @param {string} name @param {Record<string, unknown>} intent */
      const button = (css, shown, name, intent) => {
        const found = inner(item, css);
        found.hidden = agent.byPolicy || !shown;
        found.setAttribute("aria-label", `${name} ${agent.label}`);
        bind(found, { ...intent, label: agent.label });
      };
      const { standing, sites } = agent;
      const decided = sites.everywhere || sites.always.length + sites.never.length > 0;
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

const refresh = () => send({ intent: "status" });
void refresh();
setInterval(refresh, 1000);
