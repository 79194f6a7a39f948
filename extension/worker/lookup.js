// Finds elements of the document that is here now: by selector, by XPath, at a point, at the end of a positional path.
// @ts-check

(() => {
  const KEY = Symbol.for("lookup");
  const world = /** @type {Record<symbol, unknown>} */ (/** @type {unknown} */ (globalThis));
  if (world[KEY]) return;

  const {
    nodeType, nodeName, firstChild, nextSibling, parentNode, hostOf, data, matches, rootElement, fromPoint, rootFromPoint, queryDocument, queryRoot, evaluateXPath,
  } = /** @type {Own} */ (world[Symbol.for("own")]);
  const { qualified, bareName } = /** @type {XPathNames} */ (world[Symbol.for("names")]);
  const collector = /** @type {{ number(e: Element): number, shadow(e: Element): ShadowRoot | undefined, roots(): ShadowRoot[] }} */ (
    world[Symbol.for("collector")]);

  /** What a step's name is compared with. @param {Node} node */
  const kind = (node) => String(nodeName(node));

  world[KEY] = Object.freeze({
    /** Numbers of the elements a selector matches, in this document and its shadow roots. @param {string} css */
    find: (css) => {
      /** @type {Element[]} */
      const found = [...queryDocument(document, css)];
      for (const root of collector.roots()) found.push(...queryRoot(root, css));
      return found.map((each) => collector.number(each));
    },
    /** Numbers of the elements that an XPath of one's own finds outside shadow roots. @param {string} xpath */
    evaluate: (xpath) => {
      const result = evaluateXPath(document, xpath, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
      const found = [];
      for (let i = 0; i < result.snapshotLength; i++) {
        const node = result.snapshotItem(i);
        if (node && nodeType(node) === 1) found.push(collector.number(/** @type {Element} */ (node)));
      }
      return found;
    },
    /** The deepest element at a point of the viewport, 0 if there is none. @param {number} x @param {number} y */
    at: (x, y) => {
      let found = fromPoint(document, x, y);
      for (;;) {
        const root = found && collector.shadow(found);
        const inner = root && rootFromPoint(root, x, y);
        if (!inner || inner === found) break;
        found = inner;
      }
      return found ? collector.number(found) : 0;
    },
    /**
     * The element at the end of a positional path, 0 if a step leads nowhere. Each part after the first starts in the
     * shadow root of the element the part before ended on. A step is [name, position, whether name() is compared].
     * @param {[string, number, boolean][][]} parts
     */
    resolve: (parts) => {
      /** @type {Node} */
      let at = document;
      for (let i = 0; i < parts.length; i++) {
        if (i > 0) {
          const root = collector.shadow(/** @type {Element} */ (at));
          if (!root) return 0;
          at = root;
        }
        for (const [name, position, named] of parts[i]) {
          let left = position;
          let child = firstChild(at);
          for (; child; child = nextSibling(child)) {
            if (nodeType(child) !== 1) continue;
            if (named ? qualified(/** @type {Element} */ (child)) !== name : bareName(child) !== name) continue;
            if (--left === 0) break;
          }
          if (!child) return 0;
          at = child;
        }
      }
      return nodeType(at) === 1 ? collector.number(/** @type {Element} */ (at)) : 0;
    },
    /**
     * What stands at the end of a path of child indices, each with the name of what stood there when the path was made.
     * Each part after the first starts in the shadow root of the node the part before ended on; `closed` is the number of
     * an element whose root is not known. Of what is no element (a text, a comment) the number is that of the element it
     * is in, and `text` what it says.
     * @param {[number, string][][]} parts
     */
    descend: (parts) => {
      const none = { number: 0, closed: 0, kind: "", text: "" };
      /** @type {Node} */
      let at = document;
      for (let i = 0; i < parts.length; i++) {
        if (i > 0) {
          const root = nodeType(at) === 1 ? collector.shadow(/** @type {Element} */ (at)) : undefined;
          if (!root) return nodeType(at) === 1 ? { ...none, closed: collector.number(/** @type {Element} */ (at)) } : none;
          at = root;
        }
        for (const [index, name] of parts[i]) {
          let child = firstChild(at);
          for (let left = index; child && left > 0; left--) child = nextSibling(child);
          if (!child || kind(child) !== name) return none;
          at = child;
        }
      }
      const type = nodeType(at);
      if (type === 1) return { ...none, number: collector.number(/** @type {Element} */ (at)), kind: "element" };
      const outer = type === 11 ? hostOf(at) : type === 9 ? null : parentNode(at);
      const holder = outer && nodeType(outer) === 11 ? hostOf(outer) : outer && nodeType(outer) === 1 ? outer : rootElement(document);
      if (!holder) return none;
      const text = type === 3 || type === 4 || type === 8 ? String(data(at)).trim().slice(0, 400).toWellFormed() : "";
      return { number: collector.number(holder), closed: 0, kind: kind(at), text };
    },
  });
})();
