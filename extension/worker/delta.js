// Says a capture's nodes by those of the capture before: runs that are the same but for a shift of their boxes, and what
// is new between them. Pure; knows of a node's record only where its number, its flags and its box stand.
//
// The crate `snapshot` (module `facts`) puts them together again.
// @ts-check

(() => {
  const KEY = Symbol.for("delta");
  const world = /** @type {Record<symbol, unknown>} */ (/** @type {unknown} */ (globalThis));
  if (world[KEY]) return;

  // Where these stand in an element's record. A text's record begins with a negative number.
  const NUMBER = 2, FLAGS = 4, X = 6, Y = 7;
  const BOX = 1 << 6;

  /**
   * A capture's nodes: all records, one after the other, and where each begins.
   * @typedef {{ nodes: number[], starts: number[] }} Records
   */

  /** Which record an element has. @param {Records} records */
  const placesOf = ({ nodes, starts }) => {
    /** @type {Map<number, number>} */
    const places = new Map();
    for (let i = 0; i < starts.length; i++) {
      const start = starts[i];
      if (nodes[start] >= 0) places.set(nodes[start + NUMBER], i);
    }
    return places;
  };

  /**
   * @param {Records} before @param {Records} now
   * @returns {{ edits: number[], nodes: number[] }} edits: [from, count, dx, dy, fresh] over and over: that many records
   * of the former capture from a place on, their boxes moved; then so many new records, taken from `nodes` in turn
   */
  const delta = (before, now) => {
    const { nodes: was, starts: whence } = before;
    const { nodes: is, starts } = now;
    /** @type {number[]} */
    const edits = [];
    /** @type {number[]} */
    const fresh = [];
    /** @type {Map<number, number> | undefined} */
    let places;
    // The open run; `shifted` once a box told by how much. How many new records came after it.
    let from = 0, count = 0, dx = 0, dy = 0, shifted = false, added = 0;
    const close = () => {
      if (count || added) edits.push(from, count, dx, dy, added);
      added = 0;
    };
    // What the last comparison told of the box, if there is one.
    let boxed = false, x = 0, y = 0;

    /** Whether two records are the same but for where the box is. @param {number} old @param {number} at @param {number} length */
    const same = (old, at, length) => {
      if (old >= whence.length) return false;
      const start = whence[old];
      if ((old + 1 < whence.length ? whence[old + 1] : was.length) - start !== length) return false;
      boxed = is[at] >= 0 && (is[at + FLAGS] & BOX) !== 0;
      for (let i = 0; i < length; i++) {
        if (was[start + i] !== is[at + i] && !(boxed && (i === X || i === Y))) return false;
      }
      if (boxed) {
        x = is[at + X] - was[start + X];
        y = is[at + Y] - was[start + Y];
      }
      return true;
    };

    for (let i = 0; i < starts.length; i++) {
      const at = starts[i];
      const length = (i + 1 < starts.length ? starts[i + 1] : is.length) - at;
      if (!added && same(from + count, at, length) && (!boxed || !shifted || (x === dx && y === dy))) {
        if (boxed) [dx, dy, shifted] = [x, y, true];
        count++;
        continue;
      }
      let old = from + count + added;
      if (is[at] >= 0) {
        places ??= placesOf(before);
        old = places.get(is[at + NUMBER]) ?? Infinity;
      }
      if (same(old, at, length)) {
        close();
        [from, count, dx, dy, shifted] = [old, 1, boxed ? x : 0, boxed ? y : 0, boxed];
        continue;
      }
      for (let n = 0; n < length; n++) fresh.push(is[at + n]);
      added++;
    }
    close();
    return { edits, nodes: fresh };
  };

  world[KEY] = delta;
})();
