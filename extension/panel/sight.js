// What an agent sees of a page, line by line; each line shows where its element is, and is found by its element.

import { ask, element, part } from "../ui/page.js";
import { sentence } from "../ui/words.js";

/** @typedef {{ depth: number, text: string, reference: number | null }} Line */

const list = part("lines");
const search = /** @type {HTMLInputElement} */ (part("search"));

/** Shows in the page where an element is. @param {number | null} reference */
const pointOut = (reference) => void ask({ intent: "pointOut", reference });

/** Has an element of ours show where a page's is. @param {HTMLElement} ours @param {number} reference */
export function points(ours, reference) {
  ours.classList.add("points");
  for (const event of ["mouseenter", "focus"]) ours.addEventListener(event, () => pointOut(reference));
  for (const event of ["mouseleave", "blur"]) ours.addEventListener(event, () => pointOut(null));
}

/** Shows what the agent of a tab sees there. @param {number} tab */
export async function see(tab) {
  /** @type {{ lines: Line[], trouble: import("../ui/words.js").Sentence | null }} */
  const { lines, trouble } = await ask({ intent: "see", tab });
  part("sight").hidden = false;
  part("trouble").textContent = sentence(trouble);
  list.replaceChildren(
    ...lines.map(({ depth, text, reference }, index) => {
      const option = element("div", "  ".repeat(depth) + text);
      option.id = `line-${index}`;
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", "false");
      if (reference !== null) option.dataset.reference = String(reference);
      return option;
    }),
  );
  sift();
  part("sight").scrollIntoView({ block: "nearest" });
}

/** Leaves what holds the words searched for. */
function sift() {
  const wanted = search.value.toLowerCase();
  for (const option of options()) option.hidden = !option.textContent.toLowerCase().includes(wanted);
}

const options = () => /** @type {HTMLElement[]} */ ([...list.children]);
const shown = () => options().filter((option) => !option.hidden);

/** @param {HTMLElement | undefined} option */
function select(option) {
  for (const other of list.querySelectorAll("[aria-selected=true]")) other.setAttribute("aria-selected", "false");
  if (!option) return;
  option.setAttribute("aria-selected", "true");
  list.setAttribute("aria-activedescendant", option.id);
  option.scrollIntoView({ block: "nearest" });
  const { reference } = option.dataset;
  pointOut(reference === undefined ? null : Number(reference));
}

/** Finds the line of an element. @param {number} reference */
const find = (reference) => select(options().find((option) => option.dataset.reference === String(reference)));

/** Shows the line of an element. @param {{ tab: number, reference: number }} revealed */
export async function reveal({ tab, reference }) {
  await see(tab);
  find(reference);
}

/** Lets the person pick an element in the page, sends it to agents, and finds its line. @param {number} tab */
export async function pick(tab) {
  const look = () => /** @type {Promise<{ picking: boolean, ended: number, element: { reference: string } | null }>} */ (
    ask({ intent: "pointed", tab }));
  const before = await look();
  await ask({ intent: "pick", tab, send: true });
  // It ends with a press, Escape or by itself, within a minute.
  for (let asked = 0; asked < 400; asked += 1) {
    const { ended, element } = await look();
    if (ended !== before.ended) return element ? reveal({ tab, reference: Number(element.reference.slice(1)) }) : undefined;
    await new Promise((go) => setTimeout(go, 200));
  }
}

/** Which line a key leads to. @type {Record<string, (at: number, last: number) => number>} */
const KEYS = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
};

search.addEventListener("input", sift);
list.addEventListener("keydown", (event) => {
  const go = KEYS[event.key];
  if (!go) return;
  event.preventDefault();
  const lines = shown();
  select(lines[go(lines.findIndex((option) => option.getAttribute("aria-selected") === "true"), lines.length - 1)]);
});
list.addEventListener("mouseover", (event) => {
  const option = /** @type {HTMLElement} */ (event.target).closest("[role=option]");
  if (option) select(/** @type {HTMLElement} */ (option));
});
list.addEventListener("mouseleave", () => pointOut(null));
