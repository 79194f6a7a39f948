// Where keys and text arrive: what is typed for one element reaches no other, whoever has the focus by then. Runs
// behind witness.js and adds to what it answers.
// @ts-check

(() => {
  /** @type {any} */
  const world = globalThis;
  const witness = world[Symbol.for("witness")];
  if (!witness || witness.expectText) return;

  /** @type {{ find(n: number): Element | null, within(inner: Element, outer: Element): boolean,
   * brief(e: Element | null): unknown }} */
  const { find, within, brief } = witness.words;

  // Milliseconds after which keys that were called off are no longer waited for: the next ones are the person's.
  const GUARDED = 3000;

  /** @type {{ allowed: Element | null, strayed: Element | null, until: number } | null} */
  let guard = null;
  const watch = (/** @type {Event} */ event) => {
    if (guard && performance.now() > guard.until) guard = null;
    if (!guard || !event.isTrusted) return;
    const landed = event.composedPath()[0];
    if (!(landed instanceof Element)) return;
    // Out of a closed root events come under their host's name.
    const allowed = guard.allowed;
    if (!guard.strayed && allowed && (within(landed, allowed) || within(allowed, landed))) {
      guard.until = performance.now() + GUARDED;
      return;
    }
    guard.strayed ??= landed;
    event.preventDefault();
    event.stopImmediatePropagation();
  };

  Object.assign(witness, {
    /** Lets keys and text reach this element alone; 0: none here. @param {number} n */
    expectText(n) {
      // Where it is registered already this does nothing. `document.open` erases it.
      for (const type of ["keydown", "keypress", "beforeinput"]) window.addEventListener(type, watch, true);
      guard = { allowed: n ? find(n) : null, strayed: null, until: performance.now() + GUARDED };
      return true;
    },

    /** What keys or text came to instead, and were stopped; ends the guard. */
    strayed() {
      const was = guard;
      guard = null;
      return brief(was?.strayed ?? null);
    },
  });
})();
