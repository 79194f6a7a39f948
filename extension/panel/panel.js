// The side panel: who is there, what they do, and the reins. It draws the engine's view and sends what the person
// chose; it holds no rules.

import { bind, copy, front, inner, part, refresh, start } from "../ui/page.js";
import { agent, confirmations, visit } from "../ui/people.js";
import { say, sentence } from "../ui/words.js";
import * as sight from "./sight.js";

/** @typedef {import("../ui/page.js").View} View */

/** The tab that is shown where this page stands beside none: it was chosen here. @type {{ tab: number, url: string } | null} */
let chosen = null;
const beside = async () => (await front()) ?? chosen;

/** Puts a button in with what it does now; what it did before is forgotten. @param {string} id @param {boolean} shown @param {Record<string, unknown>} intent */
function button(id, shown, intent) {
  const old = part(id);
  const fresh = /** @type {HTMLElement} */ (old.cloneNode(true));
  fresh.hidden = !shown;
  fresh.dataset.key = id;
  bind(fresh, intent);
  old.replaceWith(fresh);
}

/** @param {import("../ui/page.js").TabView} tab */
function line({ tab, name, title, taken, shared }) {
  const item = copy("tab");
  const show = inner(item, ".title");
  show.textContent = title;
  show.setAttribute("aria-label", say("label_see", title));
  show.dataset.key = `see ${name}`;
  show.addEventListener("click", () => {
    chosen = { tab, url: "" };
    void sight.see(tab).then(() => refresh());
  });
  inner(item, ".mark").textContent = [shared && say("yours"), taken && say("taken")].filter(Boolean).join(" · ");
  const hold = inner(item, ".hold");
  hold.textContent = say(taken ? "give_back" : "take_over");
  hold.setAttribute("aria-label", say(taken ? "label_give_back" : "label_take_over", title));
  hold.dataset.key = `hold ${name}`;
  bind(hold, { intent: taken ? "giveBack" : "takeOver", tab });
  return item;
}

/** @param {import("../ui/page.js").Happening} of */
function happening({ number, at, agent, tab, what, on, refs, outcome, well }) {
  const item = copy("happening");
  const li = inner(item, "li");
  li.dataset.key = `happening ${number}`;
  li.classList.toggle("badly", !well);
  const when = outcome ? new Date(at).toLocaleTimeString([], { timeStyle: "medium" }) : "";
  inner(item, ".when").textContent = [when, tab].filter(Boolean).join(" ");
  inner(item, ".what").textContent = [agent && `“${agent}”`, sentence(what)].filter(Boolean).join(" ");
  inner(item, ".on").textContent = on;
  inner(item, ".outcome").textContent = outcome ? `· ${sentence(outcome)}` : "…";
  if (refs[0] === undefined) li.removeAttribute("tabindex");
  else sight.points(li, refs[0]);
  return item;
}

/** @param {View} view */
function drawHere({ here, agents }) {
  const said = !here ? "here_none" : here.holder ? (here.taken ? "here_taken" : "here_held") : here.free ? "here_free" : "here_closed";
  part("here").textContent = say(said, here?.holder ?? "");
  const held = !!here?.holder;
  const tab = here?.tab ?? 0;
  button("take-over", held && !here.taken, { intent: "takeOver", tab });
  button("give-back", held && here.taken, { intent: "giveBack", tab });
  button("take-back", held && agents.some((it) => it.tabs.some((its) => its.tab === tab && its.shared)), { intent: "takeBack", tab });
  const pick = part("pick");
  pick.hidden = !held && !here?.free;
  pick.onclick = () => void sight.pick(tab);
  const see = part("see");
  see.hidden = !held;
  see.onclick = () => void sight.see(tab);
}

/** @param {View} view */
function draw(view) {
  part("state").textContent = sentence(view.state);
  part("next").textContent = sentence(view.next);
  const held = view.stopped || view.paused;
  button("pause", !held, { intent: "pause" });
  button("stop", !view.stopped, { intent: "stop" });
  button("resume", held, { intent: "resume" });
  confirmations(part("questions"), view.questions);
  part("visits").replaceChildren(...view.visits.map(visit));
  drawHere(view);
  part("nobody").hidden = view.agents.length > 0;
  part("agents").replaceChildren(
    ...view.agents.map((of) => {
      const item = agent(of);
      inner(item, ".tabs").replaceChildren(...of.tabs.map(line));
      const share = inner(item, ".share");
      share.hidden = !(view.here?.free && of.present && of.standing === "allowed");
      share.setAttribute("aria-label", say("label_share", of.label));
      share.dataset.key = `share ${of.label} ${of.program}`;
      bind(share, { intent: "share", tab: view.here?.tab, label: of.label, program: of.program });
      return item;
    }),
  );
  part("idle").hidden = view.now.length > 0;
  part("now").replaceChildren(...view.now.map(happening));
  part("nothing").hidden = view.happened.length > 0;
  if (view.revealed) void sight.reveal(view.revealed);
  part("journal").replaceChildren(...view.happened.map(happening));
}

void start({ draw, beside, every: 500, panel: true, people: true });
