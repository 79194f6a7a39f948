// The popup: draws the engine's view and sends what the person chose. It holds no rules.

/** @typedef {{ label: string, standing: "waiting" | "allowed" | "refused", present: boolean, byPolicy: boolean, tabs: string[] }} AgentView */
/** @typedef {{ connected: boolean, state: string, next: string, stopped: boolean, agents: AgentView[] }} View */

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

/** @type {string} */
let drawn = "";

/** @param {View} view */
function draw(view) {
  const shape = JSON.stringify(view);
  if (shape === drawn) return;
  drawn = shape;
  part("state").textContent = view.state;
  part("next").textContent = view.next;
  const template = /** @type {HTMLTemplateElement} */ (part("agent"));
  part("agents").replaceChildren(
    ...view.agents.map((agent) => {
      const item = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
      inner(item, "strong").textContent = `“${agent.label}”`;
      inner(item, ".standing").textContent = WORDS[agent.standing] + (agent.present ? " · connected" : "");
      inner(item, ".tabs").replaceChildren(
        ...agent.tabs.map((title) => Object.assign(document.createElement("li"), { textContent: title })),
      );
      const [allow, refuse] = [inner(item, ".allow"), inner(item, ".refuse")];
      allow.hidden = agent.byPolicy || agent.standing === "allowed";
      refuse.hidden = agent.byPolicy || agent.standing === "refused";
      allow.setAttribute("aria-label", `Allow ${agent.label}`);
      refuse.setAttribute("aria-label", `Refuse ${agent.label}`);
      bind(allow, { intent: "allow", label: agent.label });
      bind(refuse, { intent: "refuse", label: agent.label });
      return item;
    }),
  );
  const stop = part("stop");
  const fresh = /** @type {HTMLElement} */ (stop.cloneNode());
  fresh.textContent = view.stopped ? "Let agents go on" : "Stop all agents";
  bind(fresh, { intent: view.stopped ? "resume" : "stop" });
  stop.replaceWith(fresh);
}

const refresh = () => send({ intent: "status" });
void refresh();
setInterval(refresh, 1000);
