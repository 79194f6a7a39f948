// The popup: draws the engine's view and sends what the person chose. It holds no rules.

import { ask, bind, element, front, inner, part, refresh, start } from "../ui/page.js";
import { agent, confirmations, visit } from "../ui/people.js";
import { openPanel } from "../ui/ways.js";
import { say, sentence } from "../ui/words.js";

const profile = /** @type {HTMLInputElement} */ (part("profile"));
profile.addEventListener("change", () => {
  void ask({ intent: "nameProfile", name: profile.value }).then(() => refresh());
});
part("panel").addEventListener("click", openPanel);
part("options").addEventListener("click", () => void chrome.runtime.openOptionsPage());
bind(part("pause"), { intent: "pause" });

/** @param {import("../ui/page.js").View} view */
function draw(view) {
  part("state").textContent = sentence(view.state);
  part("next").textContent = sentence(view.next);
  confirmations(part("questions"), view.questions);
  part("visits").replaceChildren(...view.visits.map(visit));
  part("agents").replaceChildren(
    ...view.agents.map((of) => {
      const item = agent(of);
      inner(item, ".tabs").replaceChildren(...of.tabs.map(({ title }) => element("li", title)));
      return item;
    }),
  );
  if (document.activeElement !== profile) profile.value = view.profile;
  const pick = part("pick");
  pick.hidden = !view.here?.holder && !view.here?.free;
  // The page has the mouse then, and this goes.
  pick.onclick = () => void ask({ intent: "pick", tab: view.here?.tab, send: true }).then(() => window.close());
  const held = view.stopped || view.paused;
  part("pause").hidden = held;
  const stop = part("stop");
  const fresh = /** @type {HTMLElement} */ (stop.cloneNode());
  fresh.textContent = say(held ? "go_on" : "stop");
  bind(fresh, { intent: held ? "resume" : "stop" });
  const focused = document.activeElement === stop;
  stop.replaceWith(fresh);
  if (focused) fresh.focus();
}

void start({ draw, beside: front, people: true });
