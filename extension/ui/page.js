// What all our pages do alike: ask the engine for its view, draw it when it is another, send what the person chose.
// They hold no rules.

import { localise } from "./words.js";

/** @typedef {import("./words.js").Sentence} Sentence */
/** @typedef {{ everywhere: boolean, always: string[], never: string[], trusted: string[] }} Sites */
/** @typedef {{ tab: number, name: string, title: string, taken: boolean, shared: boolean }} TabView */
/** @typedef {{ label: string, program: string, standing: "waiting" | "allowed" | "refused", present: boolean, byPolicy: boolean,
 *   tabs: TabView[], sites: Sites }} AgentView */
/** @typedef {{ label: string, program: string, site: string }} Visit */
/** @typedef {{ number: number, label: string, program: string, site: string, what: string, why: string, trusting: boolean,
 *   typing: boolean }} Question */
/** @typedef {{ number: number, at: number, agent: string, tab: string, site: string, what: Sentence, on: string,
 *   refs: number[], outcome: Sentence | null, well: boolean }} Happening */
/** @typedef {{ tab: number, holder: string, taken: boolean, free: boolean }} HereView */
/** @typedef {{ connected: boolean, state: Sentence, next: Sentence | null, stopped: boolean, paused: boolean, profile: string,
 *   appearance: { outline: boolean }, steps: Record<string, boolean>, here: HereView | null,
 *   revealed: { tab: number, reference: number } | null, now: Happening[], happened: Happening[],
 *   agents: AgentView[], visits: Visit[], questions: Question[] }} View */

/** How long after a question appears a choice can be made: nobody allows by a click meant for something else. */
const ARMING = 600;

/** @param {string} id */
export const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @param {ParentNode} within @param {string} css */
export const inner = (within, css) => /** @type {HTMLElement} */ (within.querySelector(css));
/** @param {string} id of a template */
export const copy = (id) =>
  /** @type {DocumentFragment} */ (/** @type {HTMLTemplateElement} */ (part(id)).content.cloneNode(true));
/** @param {string} name @param {string} text @param {string} [css] its class */
export const element = (name, text, css = "") =>
  Object.assign(document.createElement(name), { textContent: text, className: css });

/** Asks the engine. @template T @param {Record<string, unknown>} intent @returns {Promise<T>} */
export const ask = (intent) => chrome.runtime.sendMessage(intent);

let armedAt = 0;

/** From now on nothing can be chosen for a moment. */
function arm() {
  armedAt = performance.now() + ARMING;
  document.body.classList.add("arming");
  setTimeout(() => document.body.classList.toggle("arming", performance.now() < armedAt), ARMING + 10);
}

/** What stops something is never too early. */
const AT_ONCE = ["stop", "pause", "takeOver", "takeBack"];

/** @param {HTMLElement} button @param {Record<string, unknown>} intent @param {() => Record<string, unknown>} [more] */
export function bind(button, intent, more) {
  button.addEventListener("click", (event) => {
    const early = !AT_ONCE.includes(String(intent.intent)) && performance.now() < armedAt;
    if (event.isTrusted && !early) void ask({ ...intent, ...more?.() }).then(() => refresh());
  });
}

/** @type {(view: View) => void} */
let draw = () => {};
/** @type {() => Promise<{ tab: number, url: string } | null>} */
let beside = async () => null;
/** Whether this is the panel. */
let panel = false;
/** Whether something is being pressed: what is under it stays until it comes up, or the press would be lost. */
let pressed = false;
/** What was drawn last, and what the person was asked then. */
let [drawn, asked] = ["", ""];

/** Draws the engine's view, if it is another than before. What had the focus has it again. */
export async function refresh() {
  const here = await beside();
  /** @type {View} */
  const view = await ask({ intent: "status", here, panel });
  const shape = JSON.stringify(view);
  if (shape === drawn || pressed) return;
  const first = drawn === "";
  drawn = shape;
  const asks = JSON.stringify([view.stopped, view.paused, view.questions, view.visits, view.agents.map(({ label, program, standing }) => [label, program, standing])]);
  // What is asked anew moves what was there: the click that is on its way is not for it.
  if (asks !== asked) arm();
  asked = asks;
  const held = document.activeElement?.getAttribute("data-key");
  draw(view);
  if (held) /** @type {HTMLElement | null} */ (document.querySelector(`[data-key=${CSS.escape(held)}]`))?.focus();
  if (first) document.body.classList.add("drawn");
}

/** Takes templates over from another page of ours. @param {string} name */
async function adopt(name) {
  const answer = await fetch(new URL(name, import.meta.url));
  const other = new DOMParser().parseFromString(await answer.text(), "text/html");
  document.body.append(...other.querySelectorAll("template"));
}

/**
 * Starts a page: its words first, then the view, again and again. One that lists people takes over their lines.
 * @param {{ draw: (view: View) => void, beside?: typeof beside, every?: number, panel?: boolean, people?: boolean }} page
 */
export async function start(page) {
  if (page.people) await adopt("people.html");
  localise(document);
  draw = page.draw;
  beside = page.beside ?? beside;
  panel = page.panel ?? false;
  addEventListener("pointerdown", () => (pressed = true), true);
  for (const end of ["pointerup", "pointercancel", "dragend"]) addEventListener(end, () => (pressed = false), true);
  void refresh();
  setInterval(() => void refresh(), page.every ?? 1000);
}

/** The tab in front of this window, unless it is this page. */
export async function front() {
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  if (!tab?.id || tab.url?.startsWith(chrome.runtime.getURL(""))) return null;
  return { tab: tab.id, url: tab.url ?? "" };
}
