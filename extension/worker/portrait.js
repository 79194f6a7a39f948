// What one element looks like to who writes the page: a short selector, the styles asked for, its HTML without what is
// secret. Reports, and judges nothing.
// @ts-check

(() => {
  const KEY = Symbol.for("portrait");
  const world = /** @type {Record<symbol, unknown>} */ (/** @type {unknown} */ (globalThis));
  if (world[KEY]) return;

  const {
    nodeType, firstChild, nextSibling, parentNode, data, localName, namespace, attribute, attributeNames, rootOf,
    queryDocument, queryRoot, styleOf, hostOf, inputType,
  } = /** @type {Own} */ (world[Symbol.for("own")]);
  const { HTML_NS, qualified } = /** @type {XPathNames} */ (world[Symbol.for("names")]);
  const collector = /** @type {{ element(n: number): Element | null, secret(e: Element): boolean }} */ (world[Symbol.for("collector")]);

  /** Attributes that are given to be found by, the best first. */
  const TELLING = ["data-testid", "data-test", "data-cy", "name", "aria-label", "for", "href", "type", "role", "title", "alt"];
  /** So many steps up are tried. */
  const STEPS = 6;
  /** Longer values are cut. */
  const LONGEST_VALUE = 160;
  /** Longer texts are cut. */
  const LONGEST_TEXT = 200;
  /** Deeper elements are left out. */
  const DEEPEST = 6;
  /** Elements whose content is no part of the page's structure. */
  const OPAQUE = new Set("script style template noscript".split(" "));
  /** Elements without an end tag. */
  const VOID = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));

  /** @param {Element} element */
  const isHtml = (element) => namespace(element) === HTML_NS;

  /** @param {string} value */
  const quoted = (value) => `"${value.replace(/["\\]/g, "\\$&").replace(/\n/g, "\\a ")}"`;

  /** Selectors for an element by itself, the shortest first. @param {Element} element */
  const own = (element) => {
    const tag = CSS.escape(localName(element));
    const found = [];
    const id = attribute(element, "id");
    if (id) found.push(`#${CSS.escape(id)}`);
    for (const name of TELLING) {
      const value = attribute(element, name);
      if (value && value.length <= 60) found.push(`${tag}[${name}=${quoted(value)}]`);
    }
    const classes = (attribute(element, "class") ?? "").split(/\s+/).filter(Boolean).slice(0, 4);
    for (const name of classes) found.push(`${tag}.${CSS.escape(name)}`);
    if (classes.length > 1) found.push(tag + classes.map((/** @type {string} */ name) => `.${CSS.escape(name)}`).join(""));
    found.push(tag);
    return found;
  };

  /** The selector of a place among siblings. @param {Element} element */
  const placed = (element) => {
    const tag = localName(element);
    let [place, of] = [0, 0];
    for (let at = firstChild(parentNode(element)); at; at = nextSibling(at)) {
      if (nodeType(at) !== 1 || localName(at) !== tag || namespace(at) !== namespace(element)) continue;
      of++;
      if (at === element) place = of;
    }
    return of === 1 ? CSS.escape(tag) : `${CSS.escape(tag)}:nth-of-type(${place})`;
  };

  world[KEY] = Object.freeze({
    /** A selector that finds this element alone among those of its document or shadow root. @param {number} n */
    selector: (n) => {
      const element = collector.element(n);
      if (!element) return "";
      const root = rootOf(element);
      /** @param {string} css */
      const alone = (css) => {
        const found = nodeType(root) === 11 ? queryRoot(root, css) : queryDocument(root, css);
        return found.length === 1 && found[0] === element;
      };
      for (const css of own(element)) if (alone(css)) return css;
      let below = placed(element);
      let outer = parentNode(element);
      for (let step = 0; outer && nodeType(outer) === 1; step++) {
        if (step < STEPS) for (const css of own(outer)) if (alone(`${css} > ${below}`)) return `${css} > ${below}`;
        below = `${placed(outer)} > ${below}`;
        if (alone(below)) return below;
        outer = parentNode(outer);
      }
      return below;
    },

    /** The computed values of an element, each with that of what it inherits from. @param {number} n @param {string[]} names */
    styles: (n, names) => {
      const element = collector.element(n);
      if (!element) return [];
      const above = parentNode(element);
      const outer = above && nodeType(above) === 11 ? hostOf(above) : above && nodeType(above) === 1 ? above : null;
      const [its, those] = [styleOf(element), outer ? styleOf(outer) : null];
      return names.map((name) => [its.getPropertyValue(name), those?.getPropertyValue(name) ?? ""]);
    },

    /** The element's HTML, cut to so many characters, without values that are secret. @param {number} n @param {number} most */
    html: (n, most) => {
      const element = collector.element(n);
      if (!element) return "";
      let out = "";
      /** @param {string} text */
      const say = (text) => {
        if (out.length < most) out += text.slice(0, most - out.length);
      };
      /** @param {string} text @param {number} longest */
      const cut = (text, longest) => (text.length > longest ? `${text.slice(0, longest)}…` : text);
      /** @param {string} text */
      const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");
      /** @param {Element} each @param {number} depth */
      const tell = (each, depth) => {
        if (out.length >= most) return;
        const name = qualified(each);
        const html = isHtml(each);
        const hides = collector.secret(each) || (html && name === "input" && inputType(each) === "hidden");
        say(`<${name}`);
        for (const key of attributeNames(each)) {
          // What a field holds that is secret, and what lets a script in, are nobody's to read.
          const kept = key === "nonce" || (hides && key === "value");
          const value = kept ? "…" : cut(attribute(each, key) ?? "", LONGEST_VALUE);
          say(value === "" ? ` ${key}` : ` ${key}="${escaped(value)}"`);
        }
        say(">");
        if (html && VOID.has(name)) return;
        if (firstChild(each) && (hides || (html && OPAQUE.has(name)) || depth >= DEEPEST)) say("…");
        else {
          for (let at = firstChild(each); at && out.length < most; at = nextSibling(at)) {
            if (nodeType(at) === 1) tell(at, depth + 1);
            else if (nodeType(at) === 3) say(escaped(cut(String(data(at)).replace(/\s+/g, " "), LONGEST_TEXT)));
          }
        }
        say(`</${name}>`);
      };
      tell(element, 0);
      return (out.length >= most ? `${out}…` : out).toWellFormed();
    },
  });
})();
