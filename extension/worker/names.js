// Names elements the way XPath steps do, and counts siblings by them.
// @ts-check

/**
 * What `names.js` can do.
 * @typedef {object} XPathNames
 * @property {string} HTML_NS
 * @property {(element: Element) => string} qualified
 * @property {(html: boolean, element: Element) => boolean} isPlain
 * @property {(element: Node) => string} bareName
 * @property {new (html: boolean) => SiblingPositions} Positions
 * @property {(known: Map<Node, number>, element: Element, html: boolean) => number} slottedPosition
 */
/** @typedef {{ next(element: Element, name: string, plain: boolean): number }} SiblingPositions */

(() => {
  const KEY = Symbol.for("names");
  const world = /** @type {Record<symbol, unknown>} */ (/** @type {unknown} */ (globalThis));
  if (world[KEY]) return;

  const {
    nodeType, firstChild, nextSibling, parentNode, localName, prefix, namespace, matches,
  } = /** @type {Own} */ (world[Symbol.for("own")]);
  const HTML_NS = "http://www.w3.org/1999/xhtml";

  /** The element's name as XPath's name() gives it. @param {Element} element */
  const qualified = (element) => {
    const before = prefix(element);
    return before ? before + ":" + localName(element) : localName(element);
  };

  /** Whether a bare name is a sound XPath test for it. @param {boolean} html @param {Element} element */
  const isPlain = (html, element) =>
    html && namespace(element) === HTML_NS && /^[a-z][a-z0-9_-]*$/.test(localName(element)) && !prefix(element);

  /**
   * The name by which a bare XPath step finds an element of an HTML document, or "": those of HTML by their local name,
   * in any case and whatever their prefix; those of other namespaces, or of none, not at all.
   * @param {Node} element
   */
  const bareName = (element) => (namespace(element) === HTML_NS ? localName(element).toLowerCase() : "");

  /** Counts siblings by the XPath test that will tell them apart. */
  class Positions {
    /** @param {boolean} html */
    constructor(html) {
      this.html = html;
      /** @type {Map<string, number>} */
      this.plain = new Map();
      /** @type {Map<string, number>} */
      this.named = new Map();
    }

    /** The position of the next sibling. @param {Element} element @param {string} name @param {boolean} plain */
    next(element, name, plain) {
      const named = (this.named.get(name) ?? 0) + 1;
      this.named.set(name, named);
      // What the bare test matches counts, whether or not it is told by it itself.
      const bare = plain ? name : this.html ? bareName(element) : "";
      if (!bare) return named;
      const position = (this.plain.get(bare) ?? 0) + 1;
      this.plain.set(bare, position);
      return plain ? position : named;
    }
  }

  /**
   * The position of an element among its own siblings, all of which are counted at the first question.
   * @param {Map<Node, number>} known @param {Element} element @param {boolean} html
   */
  const slottedPosition = (known, element, html) => {
    let position = known.get(element);
    if (position === undefined) {
      const counter = new Positions(html);
      for (let at = firstChild(parentNode(element)); at; at = nextSibling(at)) {
        if (nodeType(at) === 1) known.set(at, counter.next(at, qualified(at), isPlain(html, at)));
      }
      position = known.get(element) ?? 1;
    }
    return position;
  };

  world[KEY] = Object.freeze({ HTML_NS, qualified, isPlain, bareName, Positions, slottedPosition });
})();
