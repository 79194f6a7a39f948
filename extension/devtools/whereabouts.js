// Tells where nodes are: paths of child indices, with the names of what stands there. Evaluated in the page's own world,
// for nothing else knows what the developer tools have selected; what it answers is what the page says. Changes nothing
// in the page.
// @ts-check

/**
 * JSON text: for each node null, or the address of the outermost document that can be reached from it, whether that is
 * the tab's, and the parts of its path, outermost first. A part is what it goes on in (`document`, `shadow`, `frame`) and
 * its steps.
 * @param {any[]} nodes
 */
export function whereabouts(nodes) {
  /** @param {object} prototype @param {string} name */
  const getter = (prototype, name) => {
    const get = Object.getOwnPropertyDescriptor(prototype, name)?.get;
    return (/** @type {any} */ target) => get?.call(target);
  };
  const parent = getter(Node.prototype, "parentNode");
  const before = getter(Node.prototype, "previousSibling");
  const type = getter(Node.prototype, "nodeType");
  const called = getter(Node.prototype, "nodeName");
  const address = getter(Document.prototype, "URL");
  const view = getter(Document.prototype, "defaultView");
  const host = getter(ShadowRoot.prototype, "host");
  /** @param {any} node */
  const path = (node) => {
    /** @type {[string, [number, string][]][]} */
    const parts = [];
    /** @type {[number, string][]} */
    let steps = [];
    for (let at = node, left = 5000; at && left > 0; left--) {
      const outer = parent(at);
      if (outer) {
        let index = 0;
        for (let sibling = before(at); sibling; sibling = before(sibling)) index++;
        steps.unshift([index, called(at)]);
        at = outer;
      } else if (type(at) === 11) {
        parts.unshift(["shadow", steps]);
        steps = [];
        at = host(at);
      } else if (type(at) === 9) {
        const window = view(at);
        let frame = null;
        try {
          frame = window?.frameElement;
        } catch {
          // Of another origin: the path begins here.
        }
        if (frame) {
          parts.unshift(["frame", steps]);
          steps = [];
          at = frame;
        } else {
          parts.unshift(["document", steps]);
          return { url: address(at), top: !!window && window.top === window, parts };
        }
      } else return null;
    }
    return null;
  };
  return JSON.stringify(nodes.map((node) => (node ? path(node) : null)));
}
