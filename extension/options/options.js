// The options page: draws the engine's view and sends what the person changed. It holds no rules.

import { ask, copy, inner, part } from "../ui/page.js";
import { openPanel } from "../ui/ways.js";
import { localise, say, sentence } from "../ui/words.js";

/** @typedef {{ label: string, program: string, sites: import("../ui/page.js").Sites }} AgentView */
/** @typedef {{ profile: string, folders: string[], refused: string, secrets: { name: string, origins: string[] }[],
 *   secretsNote: import("../ui/words.js").Sentence | null, agents: AgentView[], byPolicy: boolean, outline: boolean }} View */

const profile = /** @type {HTMLInputElement} */ (part("profile"));
const folder = /** @type {HTMLInputElement} */ (part("folder"));
const outline = /** @type {HTMLInputElement} */ (part("outline"));

/** @param {Record<string, unknown>} change */
async function send(change) {
  draw(await ask({ intent: "settings", change }));
}

/** A line of a list; with a button where a change can be made of it.
 * @param {string} text @param {string} [name] @param {Record<string, unknown>} [change] */
function line(text, name, change) {
  const item = copy("line");
  inner(item, "span").textContent = text;
  const button = inner(item, "button");
  button.hidden = !name;
  button.textContent = name ?? "";
  button.setAttribute("aria-label", say("label_line", name ?? "", text));
  button.addEventListener("click", (event) => {
    if (event.isTrusted && change) void send(change);
  });
  return item;
}

/** Lines, or that there are none. @param {string} id @param {DocumentFragment[]} lines */
const list = (id, lines) => part(id).replaceChildren(...(lines.length ? lines : [line(say("options_none"))]));

/** @param {AgentView} agent @param {string} key @param {string} site */
const place = ({ label, program }, key, site) =>
  line(say(key, label, site), say("options_forget"), { change: "forgetSite", label, program, site });

/** @param {AgentView} agent */
function places(agent) {
  const { label, sites } = agent;
  const lines = [
    ...sites.always.map((site) => place(agent, "options_may", site)),
    ...sites.never.map((site) => place(agent, "options_may_not", site)),
  ];
  return sites.everywhere ? [line(say("options_anywhere", label)), ...lines] : lines;
}

/** @param {View} view */
function draw(view) {
  part("policy").hidden = !view.byPolicy;
  if (document.activeElement !== profile) profile.value = view.profile;
  outline.checked = view.outline;
  list("sites", view.agents.flatMap(places));
  list("confirmations", view.agents.flatMap((agent) => agent.sites.trusted.map((site) => place(agent, "options_trusts", site))));
  list("folders", view.folders.map((folder) => line(folder, say("options_remove"), { change: "removeFolder", folder })));
  part("refused").textContent = view.refused && say(view.refused);
  list("secrets", view.secrets.map(({ name, origins }) => line(`${name}: ${origins.join(", ")}`)));
  part("note").textContent = sentence(view.secretsNote);
  document.body.classList.add("drawn");
}

localise(document);
profile.addEventListener("change", async (event) => {
  if (!event.isTrusted) return;
  await ask({ intent: "nameProfile", name: profile.value });
  await send({ change: "nothing" });
});
outline.addEventListener("change", async (event) => {
  if (!event.isTrusted) return;
  await ask({ intent: "outline", on: outline.checked });
  await send({ change: "nothing" });
});
part("add").addEventListener("click", async (event) => {
  if (!event.isTrusted) return;
  await send({ change: "addFolder", folder: folder.value });
  if (!part("refused").textContent) folder.value = "";
});
part("panel").addEventListener("click", openPanel);
void send({ change: "nothing" });
