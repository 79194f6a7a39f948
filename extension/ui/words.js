// Words in the person's language, out of `_locales`. Pages and the engine name messages; the words are nowhere else.

/** What the engine says; see `engine::Sentence`. @typedef {{ key: string, args?: string[] }} Sentence */

/** @param {string} key @param {...string} args what goes into its places */
export const say = (key, ...args) => chrome.i18n.getMessage(key, args);

/** @param {Sentence | null | undefined} sentence */
export const sentence = (sentence) => (sentence ? say(sentence.key, ...(sentence.args ?? [])) : "");

/**
 * Puts a page's words in: `data-say` names what an element says, `data-label` its accessible name, `data-hint` its
 * placeholder; `data-paste` is the same in every language.
 * @param {Document | DocumentFragment} page
 */
export function localise(page) {
  for (const element of page.querySelectorAll("[data-say]")) element.textContent = say(element.getAttribute("data-say") ?? "");
  for (const element of page.querySelectorAll("[data-paste]")) element.textContent = element.getAttribute("data-paste");
  for (const element of page.querySelectorAll("[data-label]"))
    element.setAttribute("aria-label", say(element.getAttribute("data-label") ?? ""));
  for (const element of page.querySelectorAll("[data-hint]"))
    element.setAttribute("placeholder", say(element.getAttribute("data-hint") ?? ""));
  for (const template of page.querySelectorAll("template")) localise(template.content);
  if (page instanceof Document) page.documentElement.lang = say("language");
}
