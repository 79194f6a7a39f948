// What one element looks like to who writes the page: what selectors can be made of, the styles asked for, its HTML without what is
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

  /** The place of an element among its siblings of its type, from 1, and how many they are. @param {Element} element */
  const placed = (element) => {
    const tag = localName(element);
    let [place, of] = [0, 0];
    for (let at = firstChild(parentNode(element)); at; at = nextSibling(at)) {
      if (nodeType(at) !== 1 || localName(at) !== tag || namespace(at) !== namespace(element)) continue;
      of++;
      if (at === element) place = of;
    }
    return { place, of };
  };

  world[KEY] = Object.freeze({
    /** What selectors can be made of: of the element and those around it, up to its document or shadow root.
     * @param {number} n @param {string[]} names attributes */
    way: (n, names) => {
      const found = [];
      for (let at = collector.element(n); at && nodeType(at) === 1; at = parentNode(at)) {
        /** @param {string} name */
        const value = (name) => attribute(at, name) ?? "";
        const classes = value("class").split(/\s+/).filter(Boolean).map((/** @type {string} */ name) => CSS.escape(name));
        found.push({ tag: CSS.escape(localName(at)), id: CSS.escape(value("id")), classes, telling: names.map(value), ...placed(at) });
      }
      return found;
    },

    /** Which of some selectors is the first that finds the element alone; null for none.
     * @param {number} n @param {string[]} selectors */
    first: (n, selectors) => {
      const element = collector.element(n);
      const root = element && rootOf(element);
      const at = selectors.findIndex((css) => {
        const found = nodeType(root) === 11 ? queryRoot(root, css) : queryDocument(root, css);
        return found.length === 1 && found[0] === element;
      });
      return at < 0 ? null : at;
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
