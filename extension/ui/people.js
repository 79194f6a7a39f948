// Agents and what they ask for: the same lines in the popup, the panel and the options.

import { bind, copy, element, inner } from "./page.js";
import { say } from "./words.js";

/** @typedef {import("./page.js").AgentView} AgentView */

/** What was asked about acts when it was last drawn. */
let confirming = "";

/** Draws what is asked about acts, only when that changes: something may be being typed there.
 * @param {HTMLElement} list @param {import("./page.js").Question[]} questions */
export function confirmations(list, questions) {
  const asked = JSON.stringify(questions);
  if (asked !== confirming) list.replaceChildren(...questions.map(confirmation));
  confirming = asked;
}

/** @param {import("./page.js").Question} shown */
function confirmation(shown) {
  const item = copy("confirmation");
  inner(item, ".asked").textContent = say("asks_act", shown.label, shown.what);
  inner(item, ".where").textContent = say("asks_where", shown.site);
  inner(item, ".why").textContent = say(shown.why);
  inner(item, ".typing").hidden = !shown.typing;
  const typed = /** @type {HTMLInputElement} */ (inner(item, ".typing input"));
  for (const button of item.querySelectorAll("button")) {
    const answer = /** @type {string} */ (button.dataset.answer);
    const more = () => (shown.typing && answer === "once" ? { typed: typed.value } : {});
    button.hidden = answer === "trust" && !shown.trusting;
    button.setAttribute("aria-label", say("label_answer", button.textContent, shown.label, shown.what));
    // The answer repeats what was shown: it is for nothing else.
    bind(button, { intent: "confirm", ...shown, answer }, more);
  }
  return item;
}

/** @param {import("./page.js").Visit} visit */
export function visit({ label, program, site }) {
  const item = copy("visit");
  inner(item, ".asked").textContent = say("asks_visit", label, site);
  for (const button of item.querySelectorAll("button")) {
    const answer = /** @type {string} */ (button.dataset.answer);
    button.setAttribute("aria-label", say("label_visit", button.textContent, label, site));
    bind(button, { intent: "visit", label, program, site, answer });
  }
  return item;
}

const STANDING = { waiting: "standing_waiting", allowed: "standing_allowed", refused: "standing_refused" };

/** @param {AgentView} agent */
export function agent(agent) {
  const item = copy("agent");
  inner(item, "strong").textContent = `“${agent.label}”`;
  inner(item, ".standing").textContent = say(STANDING[agent.standing]) + (agent.present ? ` · ${say("connected")}` : "");
  inner(item, ".program").textContent = agent.program && say("started_by", agent.program);
  places(inner(item, ".sites"), agent.sites);
  /** @param {string} css @param {boolean} shown @param {string} name @param {Record<string, unknown>} intent */
  const button = (css, shown, name, intent) => {
    const found = inner(item, css);
    found.hidden = agent.byPolicy || !shown;
    found.setAttribute("aria-label", name);
    found.dataset.key = `${css} ${agent.label} ${agent.program}`;
    bind(found, { ...intent, label: agent.label, program: agent.program });
  };
  const { standing, sites, label } = agent;
  const decided = sites.everywhere || sites.always.length + sites.never.length + sites.trusted.length > 0;
  button(".allow", standing !== "allowed", say("label_allow", label), { intent: "allow" });
  button(".everywhere", standing !== "allowed", say("label_everywhere", label), { intent: "allow", everywhere: true });
  button(".refuse", standing !== "refused", say("label_refuse", label), { intent: "refuse" });
  button(".forget", standing === "allowed" && decided, say("label_forget", label), { intent: "forgetSites" });
  return item;
}

/** @param {HTMLElement} list @param {import("./page.js").Sites} sites */
function places(list, { everywhere, always, never, trusted }) {
  const lines = [...always.map((site) => say("may_be_at", site)), ...never.map((site) => say("not_at", site))];
  lines.push(...trusted.map((site) => say("trusted_at", site)));
  if (everywhere) lines.unshift(say(never.length ? "may_be_elsewhere" : "may_be_anywhere"));
  list.replaceChildren(...lines.map((line) => element("li", line)));
}
