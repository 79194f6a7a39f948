// The options page: draws the engine's view and sends what the person changed. It holds no rules.

/** @typedef {{ everywhere: boolean, always: string[], never: string[], trusted: string[] }} Sites */
/** @typedef {{ label: string, program: string, sites: Sites }} AgentView */
/** @typedef {{ profile: string, folders: string[], refused: string, secrets: { name: string, origins: string[] }[],
 *   secretsNote: string, agents: AgentView[], byPolicy: boolean }} View */

/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const profile = /** @type {HTMLInputElement} */ (part("profile"));
const folder = /** @type {HTMLInputElement} */ (part("folder"));

/** @param {Record<string, unknown>} change */
async function send(change) {
  draw(await chrome.runtime.sendMessage({ intent: "settings", change }));
}

/** A line of a list; with a button where a change can be made of it.
 * @param {string} text @param {string} [name] @param {Record<string, unknown>} [change] */
function line(text, name, change) {
  const item = /** @type {DocumentFragment} */ (/** @type {HTMLTemplateElement} */ (part("line")).content.cloneNode(true));
  /** @type {HTMLElement} */ (item.querySelector("span")).textContent = text;
  const button = /** @type {HTMLButtonElement} */ (item.querySelector("button"));
  button.hidden = !name;
  button.textContent = name ?? "";
  button.setAttribute("aria-label", `${name}: ${text}`);
  button.addEventListener("click", (event) => {
    if (event.isTrusted && change) void send(change);
  });
  return item;
}

/** @param {AgentView} agent */
function places({ label, program, sites }) {
  /** @param {string} words @param {string} site */
  const place = (words, site) =>
    line(`“${label}” ${words} ${site}`, "Forget", { change: "forgetSite", label, program, site });
  const lines = [
    ...sites.always.map((site) => place("may be at", site)),
    ...sites.never.map((site) => place("not at", site)),
    ...sites.trusted.map((site) => place("is trusted at", site)),
  ];
  return sites.everywhere ? [line(`“${label}” may be at any site but those it is denied`), ...lines] : lines;
}

/** @param {View} view */
function draw(view) {
  part("policy").hidden = !view.byPolicy;
  if (document.activeElement !== profile) profile.value = view.profile;
  const folders = view.folders.map((folder) => line(folder, "Remove", { change: "removeFolder", folder }));
  part("folders").replaceChildren(...(folders.length ? folders : [line("none")]));
  part("refused").textContent = view.refused;
  const secrets = view.secrets.map(({ name, origins }) => line(`${name}: ${origins.join(", ")}`));
  part("secrets").replaceChildren(...(secrets.length ? secrets : [line("none")]));
  part("note").textContent = view.secretsNote;
  const sites = view.agents.flatMap(places);
  part("sites").replaceChildren(...(sites.length ? sites : [line("none yet")]));
}

profile.addEventListener("change", async (event) => {
  if (!event.isTrusted) return;
  await chrome.runtime.sendMessage({ intent: "nameProfile", name: profile.value });
  await send({ change: "nothing" });
});
part("add").addEventListener("click", async (event) => {
  if (!event.isTrusted) return;
  await send({ change: "addFolder", folder: folder.value });
  if (!part("refused").textContent) folder.value = "";
});
void send({ change: "nothing" });
