// Code editors that draw their text themselves and take what is typed through a text area that nobody sees, or through an
// EditContext: how that area is drawn, what the editor around it shows, and text handed to it as a paste hands it over.
// Runs behind witness.js and adds to what it answers.
// @ts-check

(() => {
  /** @type {any} */
  const world = globalThis;
  const witness = world[Symbol.for("witness")];
  if (!witness || witness.drawnAround) return;

  const { rect, innerText, editContext } = /** @type {Own} */ (world[Symbol.for("own")]);
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
    // What has a context of its own may draw its text itself.
    let around = e instanceof HTMLElement && editContext(e) ? e : above(e);
    for (; around; around = above(around)) {
      const box = rect(around);
      if (box.width >= WIDE && box.height >= HIGH && around instanceof HTMLElement) break;
    }
    return {
      context: e instanceof HTMLElement && !!editContext(e),
      width: own.width,
      height: own.height,
      opacity: Number.parseFloat(getComputedStyle(e).opacity),
      apple: /Mac|iPhone|iPad/.test(navigator.platform),
      text: around instanceof HTMLElement ? innerText(around) : "",
    };
  };

  /** Tells an editor of a paste, as the browser does, without the clipboard; says whether it took it.
   * @param {number} n @param {string} text */
  witness.paste = (n, text) => {
    const e = find(n);
    if (!e) return null;
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    const paste = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true, composed: true });
    return !e.dispatchEvent(paste);
  };
})();
