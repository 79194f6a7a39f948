// The first steps after installing: each is ticked when the engine says that it is done.

import { element, inner, part, start } from "../ui/page.js";
import { openPanel } from "../ui/ways.js";
import { say, sentence } from "../ui/words.js";

part("panel").addEventListener("click", openPanel);
part("options").addEventListener("click", () => void chrome.runtime.openOptionsPage());

/** @param {import("../ui/page.js").View} view */
function draw(view) {
  part("state").textContent = sentence(view.state);
  for (const [step, done] of Object.entries(view.steps)) {
    const item = inner(document, `[data-step=${step}]`);
    const head = inner(item, "h2");
    item.classList.toggle("done", done);
    head.querySelector(".tick")?.remove();
    if (done) head.append(element("span", ` ✓ ${say("step_done")}`, "tick"));
  }
}

void start({ draw });
