// What becomes of a drag and of files: whether the page began a drag of HTML's, what a drop or a release landed on,
// which files a field was given. Runs behind witness.js and adds to what it answers. It reports; it decides nothing.
// @ts-check

(() => {
  /** @type {any} */
  const world = globalThis;
  const witness = world[Symbol.for("witness")];
  if (!witness || witness.carry) return;

  /** @type {{ find(n: number): Element | null, within(inner: Element, outer: Element): boolean,
   * landing(event: Event): Element | null, brief(e: Element | null): unknown }} */
  const { find, within, landing, brief } = witness.words;

  // A drag that is watched. The event itself is kept: whether it was prevented is known only after the page's listeners.
  /** @type {{ start: Event | null, drop: Element | null, files: number, up: Element | null } | null} */
  let watched = null;
  const watch = (/** @type {Event} */ event) => {
    if (!watched || !event.isTrusted) return;
    if (event.type === "dragstart") watched.start = event;
    else if (event.type === "drop") {
      watched.drop = landing(event);
      watched.files = /** @type {DragEvent} */ (event).dataTransfer?.files.length ?? 0;
    } else watched.up = landing(event);
  };

  /** The names of the files that a field was given last, as it told then: pages like to empty it at once.
   * @type {string[] | null} */
  let given = null;

  Object.assign(witness, {
    /** Begins to watch a drag. */
    carry() {
      // Where it is registered already this does nothing. `document.open` erases it.
      for (const type of ["dragstart", "drop", "pointerup", "mouseup"]) window.addEventListener(type, watch, true);
      watched = { start: null, drop: null, files: 0, up: null };
      return true;
    },

    /** Whether the page began a drag of HTML's. */
    lifted() {
      return { started: !!watched?.start && !watched.start.defaultPrevented };
    },

    /** What a drop and a release landed on, and whether that is in one of these elements or around one; ends the watch.
     * @param {number[]} ns */
    carried(ns) {
      const was = watched;
      watched = null;
      const wanted = /** @type {Element[]} */ (ns.map(find).filter((e) => e));
      const told = (/** @type {Element | null | undefined} */ e) =>
        e ? { on: brief(e), inside: wanted.some((w) => within(e, w)), around: wanted.some((w) => within(w, e)) } : null;
      return { drop: told(was?.drop), files: was?.files ?? 0, up: told(was?.up) };
    },

    /** The middle of an element, in view or not. @param {number} n */
    centre(n) {
      const e = find(n);
      if (!e) return null;
      const box = e.getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    },

    /** Whether one of two elements is in the other. @param {number} a @param {number} b */
    related(a, b) {
      const [one, other] = [find(a), find(b)];
      return !!one && !!other && (within(one, other) || within(other, one));
    },

    /** Listens for the files that a field is given; says what kind of field it is. @param {Element} e */
    expectFiles(e) {
      given = null;
      if (!(e instanceof HTMLInputElement) || e.type !== "file") return { field: false, multiple: false, folder: false };
      const told = () => (given = [...(e.files ?? [])].map((file) => file.name));
      for (const type of ["input", "change"]) e.addEventListener(type, told, { capture: true, once: true });
      return { field: true, multiple: e.multiple, folder: e.webkitdirectory };
    },

    /** The names of those files; null where the field told of none. */
    given: () => given,
  });
})();
