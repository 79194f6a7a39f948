// What the engine asks of one document besides its facts: where an element is, what lies over it, whether an
// input event arrived at it, what a control holds, when the document went quiet. Runs behind collector.js in our
// isolated world, once per document. It reports and does single things it is told; it decides nothing about pages.
(() => {
  "use strict";
  /** @type {any} */
  const world = globalThis;
  const KEY = Symbol.for("witness");
  if (world[KEY] && world[KEY].of === document) return;
  /** @type {{ element(n: number): Element | null, number(e: Element): number, secret(e: Element): boolean, keepBack(e: Element): void,
   * shadow(e: Element): ShadowRoot | null | undefined,
   * changes(): number, recent(): number, counts(): number[], animations(): Animation[], changed(then: number): Promise<unknown>, mutations(): { count: number, at: number, flush(): void, listeners: Set<(records: MutationRecord[]) => void> } }} */
  const collector = world[Symbol.for("collector")];

  const {
    localName: tagOf, parentNode: parentOf, connected, assignedSlot: slotOf, activeIn: activeOf, body: bodyOf,
    rootElement: rootOf, scrollingElement: scrollerOf, fromPoint, closest, rect: boxOf, rects: boxesOf,
    attribute, matches, shown, ownerDocument: documentOf, rootOf: treeOf, queryDocument, queryRoot, textContent, innerText,
    isContentEditable, editContext, createElement, createTreeWalker, scrollIntoView, scrollIntoViewIfNeeded, scrollTo, scrollBy,
    scrollWidth, scrollHeight, scrollLeft, scrollTop, clientWidth, clientHeight,
  } = /** @type {Own} */ (world[Symbol.for("own")]);
  const shadowOf = (/** @type {Element} */ e) => collector.shadow(e);
  const giveFocus = (/** @type {Element} */ e) =>
    (e instanceof SVGElement ? SVGElement : HTMLElement).prototype.focus.call(e, { preventScroll: true });

  /** @param {number} n */
  const find = (n) => {
    const element = collector.element(n);
    return element && connected(element) && documentOf(element) === document ? element : null;
  };

  /** The parent in the flat tree. @param {Node} node @returns {Element | null} */
  const above = (node) => {
    const slot = node instanceof Element ? slotOf(node) : null;
    const parent = slot || parentOf(node);
    if (parent instanceof ShadowRoot) return parent.host;
    return parent instanceof Element ? parent : null;
  };

  /** @param {Element} inner @param {Element} outer */
  const within = (inner, outer) => {
    for (let e = /** @type {Element | null} */ (inner); e; e = above(e)) if (e === outer) return true;
    return false;
  };

  /**
   * The deepest element at a point, through shadow roots; from an element on, where one is given.
   * @param {number} x @param {number} y @param {Element | null} [from]
   */
  const deepest = (x, y, from) => {
    let hit = from || fromPoint(document, x, y);
    for (let root = hit && shadowOf(hit); hit && root; root = shadowOf(hit)) {
      const inner = root.elementFromPoint(x, y);
      if (!inner || inner === hit) break;
      hit = inner;
    }
    return hit;
  };

  /** The element that has the focus, through shadow roots. */
  const focused = () => {
    let active = activeOf(document);
    for (let inner; active && (inner = shadowOf(active)?.activeElement); ) active = inner;
    return active;
  };

  // What is worked by itself, wherever it stands.
  const WORKED = "a[href], area[href], button, input:not([type=hidden]), select, textarea, summary, label, [contenteditable=''], " +
    "[contenteditable=true], " + ["button", "link", "checkbox", "radio", "switch", "tab", "menuitem", "menuitemcheckbox",
    "menuitemradio", "option", "treeitem", "textbox", "searchbox", "combobox", "slider", "spinbutton"]
    .map((role) => `[role=${role}]`).join(", ");

  /** Whether a press on an inner element is one of the outer: nothing between them is worked by itself. What is in a
   * label and labelled by it is the label's. @param {Element} inner @param {Element} outer */
  const ownPart = (inner, outer) => {
    const labelled = outer instanceof HTMLLabelElement ? outer.control : null;
    for (let e = /** @type {Element | null} */ (inner); e; e = above(e)) {
      if (e === outer) return true;
      if (e !== labelled && matches(e, WORKED)) return false;
    }
    return false;
  };

  /** The nearest that is worked by itself. @param {Element} e */
  const worked = (e) => {
    for (let at = /** @type {Element | null} */ (e); at; at = above(at)) if (matches(at, WORKED)) return at;
    return e;
  };

  /** @param {Element} e */
  const labelsOf = (e) => [.../** @type {any} */ (e).labels instanceof NodeList ? /** @type {any} */ (e).labels : []];

  /** @param {Element} e */
  const visibleBoxes = (e) => [...boxesOf(e)].filter((r) => r.width > 0 && r.height > 0);

  /** The image that shows an area of its map. @param {HTMLAreaElement} area */
  const imageOf = (area) => {
    const map = closest(area, "map");
    const name = map && (attribute(map, "name") || attribute(map, "id"));
    const root = treeOf(area);
    if (!name || !(root instanceof ShadowRoot || root instanceof Document)) return null;
    const query = root instanceof ShadowRoot ? queryRoot : queryDocument;
    return [...query(root, "img[usemap]")].find((image) => attribute(image, "usemap") === "#" + name) || null;
  };

  /** What is drawn in an element's stead where it has no box of its own: the label of a control, the image of an area.
   * @param {Element} e @returns {Element} */
  const drawnFor = (e) => {
    if (e instanceof HTMLAreaElement) return imageOf(e) || e;
    if (visibleBoxes(e).length) return e;
    return (shown(e) && labelsOf(e).find((label) => visibleBoxes(label).length)) || e;
  };

  /** The boxes of what is drawn for an element; of one that is drawn by its content alone, those of that. @param {Element} e */
  const boxesFor = (e) => {
    const own = visibleBoxes(drawnFor(e));
    if (own.length || getComputedStyle(e).display !== "contents") return own;
    const range = document.createRange();
    range.selectNodeContents(e);
    return [...range.getClientRects()].filter((r) => r.width > 0 && r.height > 0);
  };

  /** Points that an area should cover (HTML §4.8.15), of which those on its edge or in a hollow may miss it.
   * @param {HTMLAreaElement} area @param {DOMRect} box the image's */
  const pointsOf = (area, box) => {
    const c = (attribute(area, "coords") || "").split(",").map(Number.parseFloat);
    const at = (/** @type {number} */ x, /** @type {number} */ y) => [box.left + x, box.top + y];
    const shape = (attribute(area, "shape") || "rect").toLowerCase();
    if (shape === "default") return [0.5, 0.05, 0.95].map((share) => at(box.width * share, box.height * share));
    if (shape.startsWith("circ") && c.length >= 3) return [at(c[0], c[1])];
    if (!shape.startsWith("poly") && c.length >= 4)
      return [0.5, 0.25, 0.75].map((share) => at(c[0] + (c[2] - c[0]) * share, c[1] + (c[3] - c[1]) * share));
    /** @type {number[][]} */
    const corners = [];
    for (let i = 0; i + 1 < c.length; i += 2) corners.push([c[i], c[i + 1]]);
    const middle = (/** @type {number[][]} */ of) =>
      at(of.reduce((sum, it) => sum + it[0], 0) / of.length, of.reduce((sum, it) => sum + it[1], 0) / of.length);
    // The middle of some three neighbours lies within, whatever the form.
    return [corners, ...corners.map((_, i) => [0, 1, 2].map((next) => corners[(i + next) % corners.length]))]
      .filter((of) => of.length).map(middle);
  };

  // While an act is watched: elements that were added, with what they said then. Bounded, for pages that add without end.
  /** @type {Map<HTMLElement, string> | null} */
  let added = null;
  const ADDED = 40;
  const SAID = 300;
  const LIST = "[role=listbox], [role=option]";
  const UNTOLD = `[aria-hidden="true"], ${LIST}`;
  const holdsOne = (/** @type {Element} */ e, /** @type {string} */ css) => !!Element.prototype.querySelector.call(e, css);
  /** @param {MutationRecord[]} records */
  const note = (records) => {
    for (const { addedNodes } of records)
      for (const node of addedNodes) {
        if (!added || added.size >= ADDED) return;
        if (!(node instanceof HTMLElement) || (textContent(node) || "").length > SAID || added.has(node)) continue;
        // What is typed is no news, nor is what nobody sees, what only draws something else, or a list to choose from.
        if (isContentEditable(node) || closest(node, UNTOLD) || !boxesOf(node).length || holdsOne(node, LIST)) continue;
        const said = innerText(node).replace(/\s+/g, " ").trim();
        if (said) added.set(node, said);
      }
  };
  const mutations = collector.mutations();
  mutations.listeners.add((records) => {
    if (added) note(records);
  });

  /** As of which count of mutations `calm` last fulfilled. */
  let calmed = -1;

  // A press in flight: which elements it may land on, how many mutations there were when that was said (null: they do
  // not matter), and what was seen of it.
  // `any`: parts that are worked by themselves are as good.
  /** @type {{ allowed: Element[], any: boolean, count: number | null, seen: boolean, clicked: boolean, stopped: Element | null,
   * changed: boolean, until: number, box: DOMRect | null, released: boolean } | null} */
  let guard = null;
  // Milliseconds after which a press that was called off is no longer waited for: the next one is the person's.
  const GUARDED = 3000;
  // Milliseconds after which a press comes late: the page did something else meanwhile, or showed a dialog.
  const LATE = 40;
  const PRESS = ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu"];
  /** What an event landed on, also in a closed shadow root, out of which events come under their host's name. */
  const landing = (/** @type {Event} */ event) => {
    const landed = event.composedPath()[0];
    if (!(landed instanceof Element)) return null;
    return event instanceof MouseEvent ? deepest(event.clientX, event.clientY, landed) : landed;
  };
  /** @param {Element} landed @param {Element} allowed @param {{ any: boolean }} armed */
  const fitsIn = (landed, allowed, armed) => (armed.any ? within(landed, allowed) : ownPart(landed, allowed));
  const watch = (/** @type {Event} */ event) => {
    // By when it was made: what waited behind a dialog or a busy script is still the one that was guarded.
    if (guard && event.timeStamp > guard.until) guard = null;
    if (!guard || !event.isTrusted) return;
    if (event.type === "pointerdown" || event.type === "mousedown") {
      const landed = landing(event);
      const fits = landed && guard.allowed.some((e) => fitsIn(landed, e, /** @type {NonNullable<typeof guard>} */ (guard)));
      mutations.flush();
      const late = performance.now() - event.timeStamp > LATE;
      if (!guard.seen && guard.count !== null && (late || guard.count !== mutations.count)) guard.changed = true;
      else if (fits) guard.seen = true;
      else if (!guard.seen) guard.stopped = landed || rootOf(document);
    }
    if (event.type === "mouseup") {
      const landed = landing(event);
      const armed = guard;
      armed.released = !!landed && armed.allowed.some((e) => fitsIn(landed, e, armed));
    }
    if (event.type === "click" || event.type === "auxclick" || event.type === "contextmenu") {
      const landed = landing(event);
      const armed = guard;
      if (landed && armed.allowed.some((e) => within(landed, e))) armed.clicked = true;
    }
    if (guard.stopped || guard.changed) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  };
  /** Whether an element that was pressed answered the press, and no click was needed: it went as the button came up over
   * it, or went down on an option, for many lists close with that; or it is where it was, and what it opens is open, or it
   * took the caret. @param {NonNullable<typeof guard>} was */
  const answered = ({ allowed: [e], box: before, released }) => {
    if (!e || !before) return false;
    if (!connected(e) || !visibleBoxes(e).length) return released || attribute(e, "role") === "option";
    const box = boxOf(e);
    if (box.x !== before.x || box.y !== before.y || box.width !== before.width || box.height !== before.height) return false;
    const popup = attribute(e, "aria-haspopup");
    const typed = e instanceof HTMLInputElement || e instanceof HTMLTextAreaElement || (e instanceof HTMLElement && isContentEditable(e));
    return attribute(e, "aria-expanded") === "true" || (!!popup && popup !== "false") || (typed && focused() === e);
  };

  // Keys under way: whose they are (null: nobody's here), how many characters it took, who would have got others.
  // `struck`: the key that went down last.
  /** @type {{ of: Element | null, taken: number, stopped: Element | null, until: number, struck: string } | null} */
  let keys = null;
  // Milliseconds after the last key after which keys are the person's again.
  const TYPING = 10_000;
  const KEYS = ["keydown", "keypress", "beforeinput"];
  const heed = (/** @type {Event} */ event) => {
    if (keys && performance.now() > keys.until) keys = null;
    if (!keys || !event.isTrusted) return;
    const at = focused();
    if (keys.stopped || !keys.of || !at || !within(at, keys.of)) {
      // The page answered the key by moving the focus: what is left of the same stroke goes nowhere, and nothing is lost.
      const rest = event instanceof KeyboardEvent && event.type === "keypress" && event.key === "Enter" && keys.struck === "Enter";
      if (!rest) keys.stopped ||= at || rootOf(document);
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    keys.until = performance.now() + TYPING;
    if (event instanceof KeyboardEvent && event.type === "keydown") keys.struck = event.key;
    if (event instanceof InputEvent && event.inputType.startsWith("insert"))
      keys.taken += [...(event.data || " ")].length;
  };
  const arm = () => {
    for (const type of KEYS) window.addEventListener(type, heed, true);
    // Where it is registered already this does nothing: it stays before the page's own. `document.open` erases it.
    for (const type of PRESS) window.addEventListener(type, watch, true);
  };
  arm();

  /** @param {Element} e */
  const name = (e) => {
    const words = attribute(e, "aria-label") || (e instanceof HTMLElement ? innerText(e) : textContent(e)) || "";
    return words.replace(/\s+/g, " ").trim().slice(0, 60);
  };
  /** @param {Element | null} e */
  const brief = (e) =>
    e && { element: collector.number(e), tag: tagOf(e), id: attribute(e, "id") || "", name: name(e) };

  // Milliseconds beyond which what moves is no coming or going, and the share of the viewport under which it is no layer.
  const UNFOLDING = 700;
  const LAYER = 0.01;
  /** Whether an animation lets something come or go that lies over the page: a dialog, a menu, what dims the rest.
   * @param {Animation} animation */
  const unfolds = (animation) => {
    const effect = animation.effect;
    const target = effect instanceof KeyframeEffect ? effect.target : null;
    if (animation.playState !== "running" || !effect || !target) return false;
    const left = Number(effect.getComputedTiming().endTime) - Number(animation.currentTime ?? 0);
    if (!(left <= UNFOLDING)) return false;
    const box = boxOf(target);
    if (box.width * box.height < LAYER * innerWidth * innerHeight || getComputedStyle(target).pointerEvents === "none") return false;
    for (let e = /** @type {Element | null} */ (target); e; e = above(e))
      if (getComputedStyle(e).position === "fixed" || matches(e, ":modal") || matches(e, ":popover-open")) return true;
    return false;
  };

  /** @param {Element} e */
  const held = (e) => {
    if (e instanceof HTMLInputElement && (e.type === "checkbox" || e.type === "radio")) return "";
    if (e instanceof HTMLInputElement || e instanceof HTMLTextAreaElement || e instanceof HTMLSelectElement)
      return e.value;
    return e instanceof HTMLElement && isContentEditable(e) ? innerText(e) : "";
  };

  const fire = (/** @type {Element} */ e) => {
    e.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    e.dispatchEvent(new Event("change", { bubbles: true }));
  };

  world[KEY] = {
    of: document,

    /** For carry.js, which reports with the same words. */
    words: { find, within, above, landing, brief },

    /** What lies at a point of the viewport. @param {number} x @param {number} y */
    at(x, y) {
      return brief(deepest(x, y));
    },

    /** How often the document changed so far, what only styles and sizes change not counted; how many nodes it has. */
    counts: collector.counts,
    changed: collector.changed,

    /** Begins to watch for what comes and goes. */
    attend: () => ((added = new Map()), true),

    /** What came and went since, as it read; ends the watch. */
    passed() {
      const gone = [...(added || [])].filter(([e]) => !connected(e)).map(([, said]) => said);
      added = null;
      return [...new Set(gone)];
    },

    /** What is true of a control now; null when it is gone. @param {number} n */
    control(n) {
      const e = find(n);
      if (!e) return null;
      const input = e instanceof HTMLInputElement ? e : null;
      const area = e instanceof HTMLTextAreaElement ? e : null;
      const select = e instanceof HTMLSelectElement ? e : null;
      const disabling = matches(e, ":disabled") ? closest(e, "fieldset:disabled") || e : closest(e, '[aria-disabled="true"]');
      return {
        tag: tagOf(e),
        type: input ? input.type : "",
        editable: e instanceof HTMLElement && (isContentEditable(e) || !!editContext(e)),
        drawnApart: !!area || (e instanceof HTMLElement && !!editContext(e)),
        disabled: !!disabling,
        disabledBy: disabling && disabling !== e ? brief(disabling) : null,
        readOnly: !!(input || area)?.readOnly || attribute(e, "aria-readonly") === "true",
        maxLength: (input || area)?.maxLength ?? -1,
        inert: !!closest(e, "[inert]"),
        multiple: !!select?.multiple || !!input?.multiple,
        secret: collector.secret(e),
        card: /(^|\s)cc-/i.test(attribute(e, "autocomplete") || ""),
        value: collector.secret(e) ? "•".repeat(held(e).length) : held(e),
        checked: input ? input.checked : attribute(e, "aria-checked") === "true",
        indeterminate: !!input?.indeterminate || attribute(e, "aria-checked") === "mixed",
        min: input?.min ?? "",
        max: input?.max ?? "",
        step: input?.step ?? "",
        focused: focused() === e,
        options: select
          ? [...select.options].map((o) => ({
              label: o.label.trim(),
              value: o.value,
              selected: o.selected,
              disabled: o.disabled || (o.parentElement instanceof HTMLOptGroupElement && o.parentElement.disabled),
              element: collector.number(o),
            }))
          : [],
        selectOf: e instanceof HTMLOptionElement && closest(e, "select") ? collector.number(/** @type {Element} */ (closest(e, "select"))) : 0,
        labels: labelsOf(e).map((l) => collector.number(l)),
      };
    },

    /** What pressing an element, or Enter in it, would send with its form: whether a field with a secret goes with it, where
     * to, and by which button of the form. Null where it sends nothing. @param {number} n */
    sends(n) {
      const e = find(n);
      const root = e && treeOf(e);
      if (!e || !(root instanceof ShadowRoot || root instanceof Document)) return null;
      const all = (/** @type {string} */ css) => [...(root instanceof ShadowRoot ? queryRoot : queryDocument)(root, css)];
      // Pages name fields as they like, and a form answers to those names: it is asked for none of its own members.
      const formOf = (/** @type {Element} */ it) =>
        it instanceof HTMLInputElement || it instanceof HTMLButtonElement || it instanceof HTMLSelectElement || it instanceof HTMLTextAreaElement
          ? it.form : closest(it, "form");
      const submits = (/** @type {Element} */ it) =>
        (it instanceof HTMLButtonElement && it.type === "submit") || (it instanceof HTMLInputElement && /^(submit|image)$/.test(it.type));
      const native = e instanceof HTMLButtonElement || (e instanceof HTMLInputElement && /^(submit|image|button|reset)$/.test(e.type));
      if (native && formOf(e) && !submits(e)) return null;
      const form = formOf(e);
      const fields = all("input, textarea").filter((it) => formOf(it) === form);
      const button = submits(e) ? e : form && all("button, input").find((it) => formOf(it) === form && submits(it));
      const to = form && ((button && attribute(button, "formaction")) || attribute(form, "action") || location.href);
      return {
        secret: fields.some((it) => collector.secret(it) && (it === e || held(it) !== "")),
        to: to ? new URL(to, document.baseURI).href : "",
        by: button && button !== e ? name(button) : "",
      };
    },

    /** How a text compares with what a field holds, for fields whose content must not leave the page: whether it is
     * all of it, and whether it is in it but for what a page may format. @param {number} n @param {string} text */
    compare(n, text) {
      const e = find(n);
      if (!e) return null;
      const bare = (/** @type {string} */ t) => t.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();
      return { same: held(e) === text, within: bare(text) !== "" && bare(held(e)).includes(bare(text)) };
    },

    /** The document's origin; `null` where it has none. */
    origin: () => globalThis.origin,

    /** From now on what a field holds must not leave the page; says the document's origin. @param {number} n */
    keepBack(n) {
      const e = find(n);
      if (!e) return null;
      collector.keepBack(e);
      return globalThis.origin;
    },

    /** Brings an element into view if it is not; says whether anything moved. @param {number} n @param {boolean} always */
    reveal(n, always) {
      const e = find(n);
      if (!e) return null;
      const contents = getComputedStyle(e).display === "contents" && [...e.querySelectorAll("*")].find((it) => visibleBoxes(it).length);
      const drawn = contents || (getComputedStyle(e).display === "contents" && above(e)) || drawnFor(e);
      const before = boxOf(drawn);
      const middle = always || deepest(before.x + before.width / 2, before.y + before.height / 2);
      const seen = middle instanceof Element && (within(middle, e) || within(middle, drawn));
      if (!seen) {
        const outside =
          before.top < 0 || before.left < 0 || before.bottom > innerHeight || before.right > innerWidth;
        if (always || outside) scrollIntoView(drawn, { block: "center", inline: "center", behavior: "instant" });
        else scrollIntoViewIfNeeded(drawn, true);
      }
      const after = boxOf(drawn);
      return { moved: before.x !== after.x || before.y !== after.y };
    },

    /** Where an element is, and what lies at points of it. @param {number} n */
    aim(n) {
      const e = find(n);
      if (!e) return null;
      const labels = labelsOf(e);
      const rects = boxesFor(e);
      /** @type {{ x: number, y: number, hit: ReturnType<typeof brief>, inside: boolean, label: boolean }[]} */
      const probes = [];
      for (const r of rects.slice(0, 4)) {
        const [left, top] = [Math.max(r.left, 0), Math.max(r.top, 0)];
        const [right, bottom] = [Math.min(r.right, innerWidth), Math.min(r.bottom, innerHeight)];
        if (right <= left || bottom <= top) continue;
        const points = [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.2], [0.5, 0.8]]
          .map(([fx, fy]) => [left + (right - left) * fx, top + (bottom - top) * fy]);
        // Where parts of it are worked by themselves, its own are mostly at its edges.
        const edge = (/** @type {number} */ size) => Math.min(6, size / 4);
        const [dx, dy] = [edge(right - left), edge(bottom - top)];
        const edges = [[left + dx, top + dy], [right - dx, top + dy], [left + dx, bottom - dy], [right - dx, bottom - dy],
          [(left + right) / 2, top + dy], [left + dx, (top + bottom) / 2]];
        for (const [x, y] of e instanceof HTMLAreaElement ? pointsOf(e, r) : [...points, ...edges]) {
          const hit = deepest(x, y);
          const inside = !!hit && ownPart(hit, e);
          const label = !!hit && !inside && labels.some((l) => ownPart(hit, l));
          const part = !!hit && !inside && within(hit, e) ? worked(hit) : null;
          probes.push({ x, y, hit: inside ? null : brief(part || hit), inside, label });
          if (inside) break;
        }
        if (probes.some((p) => p.inside)) break;
      }
      // Boxes of controls that nobody sees lie anywhere, one over the other; their labels are where one presses.
      if (!probes.some((p) => p.inside || p.label))
        for (const label of labels) {
          const r = visibleBoxes(label)[0];
          const [x, y] = r ? [r.left + r.width / 2, r.top + r.height / 2] : [-1, -1];
          const hit = x < 0 || y < 0 || x >= innerWidth || y >= innerHeight ? null : deepest(x, y);
          if (hit && ownPart(hit, label)) probes.push({ x, y, hit: brief(hit), inside: false, label: true });
        }
      return {
        boxes: rects.length,
        probes,
        restless: performance.now() - mutations.at < 100 || collector.animations().length > 0,
      };
    },

    /** The box of an element, for a mark over it. @param {number} n */
    spot(n) {
      const e = find(n);
      const r = e && boxesFor(e)[0];
      return r ? { x: r.left, y: r.top, width: r.width, height: r.height } : null;
    },

    /** Fulfils when the page's timers of so many milliseconds have come. @param {number} ms */
    later: (ms) => new Promise((come) => setTimeout(() => come(true), ms)),

    /** Whether an element keeps its place over two frames. @param {number} n */
    async still(n) {
      // A page that is not drawn at all does not move either.
      const frame = () => new Promise((go) => (requestAnimationFrame(go), setTimeout(go, 100)));
      const e = find(n);
      if (!e) return null;
      const a = boxOf(e);
      await frame();
      await frame();
      if (!connected(e)) return null;
      const b = boxOf(e);
      return { still: a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height };
    },

    /** Fulfils once an element keeps its place, after so long at most; at once where the page has not changed since this
     * was asked last. @param {number} n @param {number} ms */
    async calm(n, ms) {
      mutations.flush();
      const end = performance.now() + ms;
      while (mutations.count !== calmed && performance.now() < end) if ((await this.still(n))?.still !== false) break;
      mutations.flush();
      calmed = mutations.count;
      return true;
    },

    /** A point of a frame's document in the document that shows it, where nothing turns it, and what lies there.
     * @param {number} n the frame's element @param {number} x @param {number} y */
    through(n, x, y) {
      const view = this.view(n);
      if (!view) return null;
      const [px, py] = [view.x + x * view.sx, view.y + y * view.sy];
      return { view, x: px, y: py, lies: brief(deepest(px, py)) };
    },

    /** How a frame's document lies in the one that shows it: where its corner is, how it is scaled, whether nothing
     * turns or slants it, how large its own viewport is, and the box of its element. @param {number} n the frame's element */
    view(n) {
      const e = find(n);
      if (!(e instanceof HTMLElement)) return null;
      const r = boxOf(e);
      const style = getComputedStyle(e);
      const [sx, sy] = [r.width / (e.offsetWidth || 1), r.height / (e.offsetHeight || 1)];
      let straight = true;
      for (let at = /** @type {Element | null} */ (e); at; at = above(at)) {
        const { transform, rotate, perspective, offsetPath } = getComputedStyle(at);
        const matrix = transform === "none" ? null : new DOMMatrix(transform);
        if (matrix && (!matrix.is2D || matrix.b !== 0 || matrix.c !== 0 || matrix.a < 0 || matrix.d < 0)) straight = false;
        if (rotate !== "none" || perspective !== "none" || (offsetPath && offsetPath !== "none")) straight = false;
      }
      return {
        x: r.x + (e.clientLeft + parseFloat(style.paddingLeft)) * sx,
        y: r.y + (e.clientTop + parseFloat(style.paddingTop)) * sy,
        sx,
        sy,
        straight,
        inner: [
          e.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight),
          e.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom),
        ],
        box: [r.x, r.y, r.width, r.height],
      };
    },

    /** Lets the next press land on these elements only, and, if asked, only if nothing changed until then. An empty
     * list lets it land nowhere. `any`: also on parts of theirs that are worked by themselves.
     * @param {number[]} ns @param {boolean} still @param {boolean} any */
    guard(ns, still, any) {
      arm();
      mutations.flush();
      const allowed = /** @type {Element[]} */ (ns.map(find).filter((e) => e));
      guard = {
        allowed, any, count: still ? mutations.count : null, seen: false, clicked: false, stopped: null, changed: false,
        until: performance.now() + GUARDED, box: allowed.length ? boxOf(allowed[0]) : null, released: false,
      };
      return true;
    },

    /** All that a press of an element needs to know, and guards it if its middle is in view with nothing over it. Where
     * something moved a moment ago, once it kept its place over two frames. @param {number} n */
    async poise(n) {
      const bare = (/** @type {ReturnType<typeof this.aim>} */ it) => !!it && it.probes.length === 1 && it.probes[0].inside;
      let aimed = this.aim(n);
      const still = !aimed?.restless || (bare(aimed) && (await this.still(n))?.still === true);
      if (aimed?.restless && still) aimed = this.aim(n);
      const control = this.control(n);
      if (!control || !aimed) return null;
      return { control, aimed, changes: collector.recent(), guarded: still && bare(aimed) && this.guard([n], true, false) };
    },

    /** What became of the press, and ends the guard. */
    landed() {
      const was = guard;
      guard = null;
      if (!was) return null;
      const { seen, clicked, changed } = was;
      return { seen, clicked, stopped: brief(was.stopped), changed, answered: seen && !clicked && answered(was) };
    },

    /** A click without a place, for what is not drawn. @param {number} n */
    click(n) {
      const e = find(n);
      if (!e) return null;
      if (e instanceof HTMLElement) HTMLElement.prototype.click.call(e);
      else e.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, composed: true }));
      return true;
    },

    /** Lets keys go to an element only, and what is in it; 0: to nothing here. @param {number} n */
    heed(n) {
      arm();
      keys = { of: n ? find(n) : null, taken: 0, stopped: null, until: performance.now() + TYPING, struck: "" };
      return true;
    },

    /** What became of the keys, and lets them go where they will. */
    heeded() {
      const was = keys;
      keys = null;
      return was && { taken: was.taken, stopped: brief(was.stopped) };
    },

    /** Gives the focus, and says whether it was taken. @param {number} n */
    focus(n) {
      const e = find(n);
      if (!e) return null;
      if (focused() !== e) giveFocus(e);
      const active = focused();
      return { focused: !!active && (active === e || within(active, e)) };
    },

    /** Selects all that a field holds. @param {number} n */
    selectAll(n) {
      const e = find(n);
      if (!e) return null;
      if (e instanceof HTMLInputElement || e instanceof HTMLTextAreaElement) e.select();
      else getSelection()?.selectAllChildren(e);
      return { empty: held(e).trim() === "" };
    },

    /** Puts the caret at an end of a field, or at the first blank of a mask, where its value has one.
     * @param {number} n @param {boolean} start @param {string} blank */
    caret(n, start, blank) {
      const e = find(n);
      if (!e) return null;
      if (e instanceof HTMLInputElement || e instanceof HTMLTextAreaElement) {
        const at = start ? 0 : blank ? e.value.indexOf(blank) : e.value.length;
        try {
          e.setSelectionRange(at, at);
        } catch {
          // Number and e-mail fields have no selection: the caret stays where the browser put it.
        }
      } else {
        getSelection()?.selectAllChildren(e);
        if (start) getSelection()?.collapseToStart();
        else getSelection()?.collapseToEnd();
        // Into the line that is there: beside it, a line that is ended there would be another one.
        getSelection()?.modify("move", start ? "backward" : "forward", "lineboundary");
      }
      return true;
    },

    /** Selects a text within a field; says how often it occurs. @param {number} n @param {string} text */
    mark(n, text) {
      const e = find(n);
      if (!e) return null;
      const whole = held(e);
      const times = text === "" ? 0 : whole.split(text).length - 1;
      if (times !== 1) return { times };
      if (e instanceof HTMLInputElement || e instanceof HTMLTextAreaElement) {
        const at = whole.indexOf(text);
        e.setSelectionRange(at, at + text.length);
        return { times };
      }
      const walker = createTreeWalker(document, e, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const at = (node.nodeValue || "").indexOf(text);
        if (at < 0) continue;
        getSelection()?.setBaseAndExtent(node, at, node, at + text.length);
        return { times };
      }
      return { times: 0 };
    },

    /** What a control would make of a value, tried on a copy that nobody sees. @param {number} n @param {string} value */
    fits(n, value) {
      const e = find(n);
      if (!(e instanceof HTMLInputElement)) return null;
      const copy = /** @type {HTMLInputElement} */ (createElement(document, "input"));
      for (const name of ["type", "min", "max", "step"]) {
        const set = attribute(e, name);
        if (set !== null) copy.setAttribute(name, set);
      }
      copy.value = value;
      return { value: copy.value };
    },

    /** Sets a control that is not typed into (date, colour, range, …), as the browser's own picker does.
     * @param {number} n @param {string} value */
    set(n, value) {
      const e = find(n);
      if (!(e instanceof HTMLInputElement)) return null;
      giveFocus(e);
      const property = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
      property?.set?.call(e, value);
      fire(e);
      return { value: e.value };
    },

    /** Chooses options of a select by their place. @param {number} n @param {number[]} places */
    choose(n, places) {
      const e = find(n);
      if (!(e instanceof HTMLSelectElement)) return null;
      giveFocus(e);
      [...e.options].forEach((option, i) => {
        const on = places.includes(i);
        if (e.multiple) option.selected = on;
        else if (on) e.selectedIndex = i;
      });
      fire(e);
      const chosen = [...e.options].flatMap((option, i) => (option.selected ? [i] : []));
      return { places: chosen, selected: chosen.map((i) => e.options[i].label.trim()) };
    },

    /** Scrolls an element, or the document for 0. Amounts in CSS pixels; null: nine tenths of what is visible.
     * @param {number} n @param {number} dx @param {number} dy @param {number | null} amount @param {number | null} share */
    scroll(n, dx, dy, amount, share) {
      const page = scrollerOf(document) || rootOf(document);
      let e = n ? find(n) : page;
      if (!e) return null;
      const over = (/** @type {Element} */ s) =>
        dx ? scrollWidth(s) > clientWidth(s) + 1 : scrollHeight(s) > clientHeight(s) + 1;
      const moves = (/** @type {Element} */ s) => {
        if (s === page) return true;
        const style = getComputedStyle(s);
        return over(s) && /auto|scroll|overlay|hidden/.test(dx ? style.overflowX : style.overflowY);
      };
      for (let s = /** @type {Element | null} */ (e); s; s = above(s)) if (moves(s)) { e = s; break; }
      const where = () => [scrollLeft(e), scrollTop(e)];
      const [x, y] = where();
      if (share !== null) {
        const top = (scrollHeight(e) - clientHeight(e)) * share / 100;
        scrollTo(e, { top, behavior: "instant" });
      } else {
        const step = amount ?? Math.round((dx ? clientWidth(e) : clientHeight(e)) * 0.9);
        scrollBy(e, { left: dx * step, top: dy * step, behavior: "instant" });
      }
      const [nx, ny] = where();
      const left = {
        x: scrollWidth(e) - clientWidth(e) - nx,
        y: scrollHeight(e) - clientHeight(e) - ny,
      };
      return {
        scroller: e === page ? null : brief(e),
        moved: [nx - x, ny - y],
        at: [nx, ny],
        more: { up: ny > 0.5, down: left.y > 0.5, left: nx > 0.5, right: left.x > 0.5 },
      };
    },

    /** Who has the focus: null for nobody. */
    active() {
      const e = focused();
      return e && e !== bodyOf(document) && e !== rootOf(document) ? brief(e) : null;
    },

    /** For how long nothing changed, in milliseconds; 0 while something that lies over the page comes or goes. */
    rest() {
      mutations.flush();
      if (collector.animations().some(unfolds)) return 0;
      return Math.min(performance.now() - mutations.at, 1e9);
    },
  };
})();
