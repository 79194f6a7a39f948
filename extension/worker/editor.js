// Code editors that draw their text themselves and take what is typed through a text area that nobody sees: how that
// area is drawn, and what the editor around it shows. Runs behind witness.js and adds to what it answers.
// @ts-check

(() => {
  /** @type {any} */
  const world = globalThis;
  const witness = world[Symbol.for("witness")];
  if (!witness || witness.drawnAround) return;

  const { rect, innerText } = /** @type {Own} */ (world[Symbol.for("own")]);
  /** @type {{ find(n: number): Element | null, above(node: Node): Element | null }} */
  const { find, above } = witness.words;

  // CSS pixels from which on a box holds text that a person reads.
  const WIDE = 60;
  const HIGH = 16;

  /** How a field is drawn, and what is drawn in the nearest box around it that holds text. @param {number} n */
  witness.drawnAround = (n) => {
    const e = find(n);
    if (!e) return null;
    const own = rect(e);
    let around = above(e);
    for (; around; around = above(around)) {
      const box = rect(around);
      if (box.width >= WIDE && box.height >= HIGH && around instanceof HTMLElement) break;
    }
    return {
      width: own.width,
      height: own.height,
      opacity: Number.parseFloat(getComputedStyle(e).opacity),
      apple: /Mac|iPhone|iPad/.test(navigator.platform),
      text: around instanceof HTMLElement ? innerText(around) : "",
    };
  };
})();
