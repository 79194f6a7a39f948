// Watches the mutations of a document and of its shadow roots: counts them, and hands them on. One of the scripts of our
// isolated world; the collector and the witness ask it.
// @ts-check

(() => {
  const KEY = Symbol.for("mutations");
  const world = /** @type {Record<symbol, unknown>} */ (/** @type {unknown} */ (globalThis));
  if (world[KEY]) return;

  const EVERYTHING = Object.freeze({ subtree: true, childList: true, attributes: true, characterData: true });

  /**
   * Begins to watch a document.
   * @param {Document} document
   * @param {(records: MutationRecord[]) => void} first is told of all mutations before any other listener
   */
  const watch = (document, first) => {
    /** @type {WeakSet<Node>} */
    const observed = new WeakSet();
    /** @type {Set<(records: MutationRecord[]) => void>} */
    const listeners = new Set();
    const watched = {
      /** Mutations that were told so far. */
      count: 0,
      /** When the last one was, as performance.now() counts. */
      at: -1e9,
      /** Are told of mutations as they come. */
      listeners,
      /** Watches a shadow root as well; says whether it is new. @param {Node} root */
      observe(root) {
        if (observed.has(root)) return false;
        observed.add(root);
        observer.observe(root, EVERYTHING);
        return true;
      },
      /** Tells of what came and was not told yet. */
      flush() {
        const records = observer.takeRecords();
        if (records.length) told(records);
      },
    };
    /** @param {MutationRecord[]} records */
    const told = (records) => {
      watched.count += records.length;
      watched.at = performance.now();
      first(records);
      for (const listener of listeners) listener(records);
    };
    const observer = new MutationObserver(told);
    watched.observe(document);
    return watched;
  };

  world[KEY] = watch;
})();
