// Whether the person presses Escape while they pick an element. The key does not go on to the page.
// @ts-check

(() => {
  const KEY = Symbol.for("escape");
  const world = /** @type {Record<symbol, unknown>} */ (/** @type {unknown} */ (globalThis));
  if (world[KEY]) return;

  /** Who waits, and is told whether it was pressed. @type {((pressed: boolean) => void) | null} */
  let tell = null;

  /** @param {KeyboardEvent} event */
  const heed = (event) => {
    if (!event.isTrusted || event.key !== "Escape") return;
    event.preventDefault();
    event.stopImmediatePropagation();
    end(true);
  };

  /** @param {boolean} pressed */
  const end = (pressed) => {
    globalThis.removeEventListener("keydown", heed, true);
    tell?.(pressed);
    tell = null;
  };

  world[KEY] = Object.freeze({
    /** Fulfils with whether it was pressed: true when it is, false when nobody needs to know any more. */
    heed: () => {
      end(false);
      globalThis.addEventListener("keydown", heed, true);
      return new Promise((fulfil) => (tell = fulfil));
    },
    /** Nobody needs to know any more. */
    end: () => end(false),
  });
})();
