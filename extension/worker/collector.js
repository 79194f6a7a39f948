// Reports what a document holds, as facts: elements, text, attributes, live state, style, boxes. It judges nothing
// (no role, no name, no verdict on what is visible) and changes nothing in the page.
//
// It runs in an isolated world of one frame, possibly evaluated there several times. The world's prototypes are out of
// the page's reach, but named properties are not (`form.attributes` may be an <input>): every property that such a name
// could hide is read through the prototype's own getter.
//
// The shape of the string that `facts` returns is read by the crate `snapshot` (module `facts`).
// @ts-check

/**
 * @typedef {object} Mutations
 * @property {number} count
 * @property {number} at
 * @property {Set<(records: MutationRecord[]) => void>} listeners
 * @property {(root: Node) => boolean} observe
 * @property {() => void} flush
 */

/**
 * What is kept of one document.
 * @typedef {object} State
 * @property {Document} document
 * @property {number} number the document's number, 0 until one is adopted
 * @property {number} last the last element number given
 * @property {WeakMap<Element, number>} numbers
 * @property {Map<number, WeakRef<Element>>} elements
 * @property {WeakMap<Element, ShadowRoot>} closed closed shadow roots that were handed in
 * @property {WeakSet<Element>} secret fields that held a secret once: showing a password does not unmake it
 * @property {Mutations} mutations
 * @property {Memory} memory
 * @property {string} unseen what `unseen` gave last
 * @property {number} changes how often `unseen` gave something else
 * @property {number} pointed the element that the person points at, 0 for none
 * @property {{ found: ShadowRoot[], at: number }} roots the shadow roots, as of a count of mutations
 * @property {number} counted when that was last looked at, as performance.now() counts
 */

(() => {
  const KEY = Symbol.for("collector");
  const world = /** @type {Record<symbol, unknown>} */ (/** @type {unknown} */ (globalThis));
  // The object looks at the current document at each call, so an earlier one serves a later document as well.
  if (world[KEY]) return;

  const VERSION = 3;
  const {
    nodeType, firstChild, nextSibling, parentNode, connected, ownerDocument, rootOf, data, localName, namespace,
    openRoot, attribute, matches, rect, shown, scrollWidth, scrollHeight, scrollLeft, scrollTop, assignedNodes,
    inputType, rootElement, body, title, address, baseAddress, contentType, designMode, scrollingElement, activeIn,
    activeInRoot, hostOf, hasFocus, queryDocument, queryRoot, animationsIn,
    rootAnimationsIn, sheetsOf, rootSheetsOf, adoptedOf,
    rootAdoptedOf, evaluateXPath, numberOf,
  } = /** @type {Own} */ (world[Symbol.for("own")]);
  const { HTML_NS, Positions, slottedPosition } = /** @type {XPathNames} */ (world[Symbol.for("names")]);
  const { FLAGS, UNREAD, NAMING, ALL, intern, isSecret, mayGenerate, meet, readAttributes, readBox, readLive, readStyle } =
    /** @type {ElementReader} */ (world[Symbol.for("element")]);
  const { NAMED, HOST, ROOT_CHILD, SLOTTED, BOX, BEFORE, AFTER, FRAME, UNTAKEN } = FLAGS;
  /** @type {(document: Document, first: (records: MutationRecord[]) => void) => Mutations} */
  const watch = /** @type {any} */ (world[Symbol.for("mutations")]);
  /** @type {(before: Memory["records"], now: Memory["records"]) => { edits: number[], nodes: number[] }} */
  const delta = /** @type {any} */ (world[Symbol.for("delta")]);

  /** Elements that say nothing to a person, with all they hold. */
  const SILENT = new Set("script style template link meta head base noscript".split(" "));
  /** Elements whose children are never shown. */
  const CHILDLESS = new Set("textarea iframe frame video audio input img br hr embed area wbr progress meter".split(" "));
  /** Milliseconds in which a question follows another that was asked with it. */
  const MOMENT = 20;
  /** Elements whose state changes without a mutation. */
  const LIVE = "input,textarea,select,option,output,dialog,[popover]";

  /** @type {State | undefined} */
  let kept;

  /** The state of the document that is here now. @returns {State} */
  const state = () => {
    const now = globalThis.document;
    if (kept?.document !== now) {
      kept = {
        document: now,
        number: 0,
        last: 0,
        numbers: new WeakMap(),
        elements: new Map(),
        closed: new WeakMap(),
        secret: new WeakSet(),
        mutations: watch(now, (records) => mark(records)),
        memory: blank(),
        unseen: "",
        changes: 0,
        pointed: 0,
        counted: -Infinity,
        roots: { found: [], at: -1 },
      };
    }
    return kept;
  };

  /** @returns {Memory} */
  const blank = () => ({
    epoch: 0,
    base: "",
    elements: new WeakMap(),
    texts: new WeakMap(),
    strings: [],
    places: new Map(),
    told: 0,
    enough: Infinity,
    records: { nodes: [], starts: [] },
    generates: true,
    generating: new WeakMap(),
    scrollers: [],
    scrolled: "",
  });

  /** Forgets what mutations made untrue. @param {MutationRecord[]} records */
  const mark = (records) => {
    const { memory } = /** @type {State} */ (kept);
    for (const record of records) {
      const target = record.target;
      if (record.type === "attributes") {
        const known = memory.elements.get(/** @type {Element} */ (target));
        if (known) known.attributes = null;
      } else if (record.type === "characterData") {
        memory.texts.delete(target);
      } else {
        // While it is outside the document nothing tells what becomes of it.
        for (const nodes of [record.addedNodes, record.removedNodes]) for (const node of nodes) forget(memory, node);
      }
    }
  };

  /** Forgets a node and what is in it. @param {Memory} memory @param {Node} top */
  const forget = (memory, top) => {
    /** @type {Node | null} */
    let at = top;
    while (at) {
      if (nodeType(at) === 1) memory.elements.delete(/** @type {Element} */ (at));
      else memory.texts.delete(at);
      /** @type {Node | null} */
      let next = firstChild(at);
      while (!next && at && at !== top) {
        next = nextSibling(at);
        if (!next) at = parentNode(at);
      }
      at = next;
    }
  };

  /** @param {State} s @param {Element} element */
  const numberIn = (s, element) => {
    let n = s.numbers.get(element);
    if (n === undefined) {
      n = ++s.last;
      s.numbers.set(element, n);
      s.elements.set(n, new WeakRef(element));
    }
    return n;
  };

  /** @param {State} s @param {Element} element @returns {ShadowRoot | undefined} */
  const shadowOf = (s, element) => openRoot(element) ?? s.closed.get(element);

  /** Whether an element holds nothing, or nothing before a drawing: its class may tell what it is. @param {Element} element */
  const isBlank = (element) => {
    let first = firstChild(element);
    if (first && nodeType(first) === 3 && !/\S/.test(data(first))) first = nextSibling(first);
    return !first || (nodeType(first) === 1 && localName(/** @type {Element} */ (first)) === "svg");
  };

  /** The element that has focus, through shadow roots. @param {State} s @returns {Element | null} */
  const active = (s) => {
    let at = activeIn(s.document);
    for (;;) {
      const root = at && shadowOf(s, at);
      const inner = root && activeInRoot(root);
      if (!inner) return at;
      at = inner;
    }
  };

  /** Ids that some element takes its name or description from. @param {State} s */
  const referenced = (s) => {
    const ids = new Set();
    for (const element of queryDocument(s.document, "[aria-labelledby],[aria-describedby]")) {
      for (const name of ["aria-labelledby", "aria-describedby"]) {
        for (const id of (attribute(element, name) ?? "").split(/\s+/)) ids.add(id);
      }
    }
    return ids;
  };

  /**
   * Whether rules of a root may make ::before or ::after boxes, as known or read anew.
   * @param {Memory} memory @param {ShadowRoot} root @param {boolean} anew
   */
  const generatesIn = (memory, root, anew) => {
    let known = anew ? undefined : memory.generating.get(root);
    if (known === undefined) {
      known = mayGenerate([...rootSheetsOf(root), ...rootAdoptedOf(root)]);
      memory.generating.set(root, known);
    }
    return known;
  };

  /** What is known of an element, its attributes as they are now. @param {State} s @param {Element} element @param {boolean} html */
  const met = (s, element, html) => {
    let known = s.memory.elements.get(element);
    if (!known) s.memory.elements.set(element, (known = meet(s.memory, element, html, numberIn(s, element))));
    if (!known.attributes) readAttributes(s, element, known);
    return known;
  };

  /**
   * What the person points at in a part that says nothing (a title, a style sheet), with what it is in: it is told
   * without what else is there.
   * @param {State} s
   */
  const toPointed = (s) => {
    /** @type {Set<Node>} */
    const way = new Set();
    if (!s.pointed) return way;
    let silent = false;
    /** @type {Node | null | undefined} */
    let at = s.elements.get(s.pointed)?.deref();
    while (at) {
      way.add(at);
      silent ||= nodeType(at) === 1 && namespace(at) === HTML_NS && SILENT.has(localName(at));
      at = parentNode(at) ?? (nodeType(at) === 11 ? hostOf(at) : null);
    }
    if (!silent) way.clear();
    return way;
  };

  /** Every animation there is. A document's own list leaves out those in shadow roots.
   * @param {State} s @returns {Animation[]} */
  const animations = (s) => {
    if (s.roots.at !== s.mutations.count) s.roots = { found: roots(s), at: s.mutations.count };
    return [...animationsIn(s.document), ...s.roots.found.flatMap((root) => rootAnimationsIn(root))];
  };

  /** Whether an animation is running: it may move what no count tells of. @param {State} s */
  const moving = (s) => animations(s).some((each) => each.playState === "running");

  /** How far everything that scrolls is scrolled, as one line. @param {State} s */
  const scrolled = (s) => {
    const page = scrollingElement(s.document);
    const at = [globalThis.innerWidth, globalThis.innerHeight];
    if (page) at.push(scrollLeft(page), scrollTop(page));
    for (const held of s.memory.scrollers) {
      const element = held.deref();
      if (element) at.push(scrollLeft(element), scrollTop(element));
    }
    return at.join(" ");
  };

  /**
   * Everything about this document, as one string: whole, or by what the capture before gave.
   * @param {number} proposed the number this document takes if it has none yet
   * @param {number} since the capture (`epoch`) that the caller has, if any
   * @param {boolean} styles whether style may have been computed anew since that capture
   * @param {boolean} layout the same of layout
   * @returns {string}
   */
  const facts = (proposed, since = 0, styles = true, layout = true) => {
    const s = state();
    if (!s.number) s.number = proposed;
    const html = contentType(s.document) === "text/html";
    s.mutations.flush();
    const base = baseAddress(s.document);
    if (s.memory.base !== base || s.memory.strings.length > s.memory.enough) {
      const { epoch } = s.memory;
      s.memory = { ...blank(), epoch: epoch + 1, base };
    }
    const { memory } = s;
    const warm = since !== 0 && since === memory.epoch;
    if (!warm) styles = layout = true;
    if (moving(s)) styles = layout = true;
    const boxes = styles || layout || memory.scrolled !== scrolled(s);

    /** @type {number[]} */
    const out = [];
    /** @type {number[]} */
    const starts = [];
    /** @type {number[]} */
    const more = [];
    /** @type {WeakRef<Element>[]} */
    const scrollers = [];
    const ids = referenced(s);
    if (styles) memory.generates = mayGenerate([...sheetsOf(s.document), ...adoptedOf(s.document)]);
    let generates = memory.generates;
    /** @type {[number, boolean][]} where `generates` goes back to what it was */
    const scopes = [];

    // One entry a level: the next node, or the list it comes from; what flags its children start with; positions.
    const root = rootElement(s.document);
    /** @type {(Node | null)[]} */
    const upcoming = [root];
    /** @type {(Node[] | null)[]} */
    const lists = [root ? [root] : []];
    const reached = [0];
    const origins = [0];
    /** @type {(SiblingPositions | null)[]} */
    const positions = [new Positions(html)];
    /** Positions of slotted elements, which are not walked in the order of their siblings. @type {Map<Node, number>} */
    const slotted = new Map();
    let depth = 0;
    // Below this level nothing is rendered; styles are read there only where a name may come from it.
    let dark = Infinity;
    let careful = Infinity;
    // Below this level only the way to what the person points at is told.
    const way = toPointed(s);
    let mute = Infinity;

    while (depth >= 0) {
      const list = lists[depth];
      let node;
      if (list) {
        node = list[reached[depth]++] ?? null;
      } else {
        node = upcoming[depth];
        if (node) upcoming[depth] = nextSibling(node);
      }
      if (!node) {
        depth--;
        while (scopes.length && depth <= scopes[scopes.length - 1][0]) {
          generates = /** @type {[number, boolean]} */ (scopes.pop())[1];
        }
        continue;
      }
      // Whatever hid a former sibling is over.
      if (depth <= dark) dark = Infinity;
      if (depth <= careful) careful = Infinity;
      if (depth <= mute) mute = Infinity;
      const type = nodeType(node);
      if (mute < depth && type !== 1) continue;
      if (type === 3 || type === 4) {
        let place = memory.texts.get(node);
        if (place === undefined) {
          const text = data(node);
          // White space alone is kept as it is where it may be a line's indentation in preformatted text.
          const whole = text.length <= 128 || /\S/.test(text);
          place = text ? intern(memory, whole ? text : text.includes("\n") ? "\n" : " ") : -1;
          memory.texts.set(node, place);
        }
        if (place >= 0) {
          starts.push(out.length);
          out.push(-1 - place, depth);
        }
        continue;
      }
      if (type !== 1) continue;

      const element = /** @type {Element} */ (node);
      const it = met(s, element, html);
      const { name, isHtml } = it;
      const counter = positions[depth];
      const position = counter
        ? counter.next(element, name, !(it.flags & NAMED))
        : slottedPosition(slotted, element, html);
      if (mute < depth && !way.has(element)) continue;
      if (isHtml && SILENT.has(name)) {
        if (!way.has(element)) continue;
        mute = depth;
      }

      let flags = origins[depth] | it.flags;
      const shadow = shadowOf(s, element);
      if (shadow) flags |= HOST;
      const attributes = /** @type {number[]} */ (it.attributes);

      // Style and box.
      const named = it.id !== null && careful === Infinity && ids.has(it.id);
      if (named && dark < depth) careful = depth;
      const lit = dark >= depth;
      const much = lit ? ALL : careful <= depth ? NAMING : UNREAD;
      if (styles || it.styled !== much) readStyle(memory, element, it, much, generates);
      if (lit && it.isNone) {
        dark = depth;
        if (named) careful = depth;
      }
      if (it.unassigned || (it.slotted && origins[depth] === 0)) flags |= UNTAKEN;
      if (!it.boxless) {
        if (boxes || !it.boxed) readBox(element, it);
        flags |= BOX | it.scrolls;
        if (it.overflow) scrollers.push(new WeakRef(element));
      }
      flags |= it.style;

      const from = out.length;
      starts.push(from);
      out.push(it.tag, depth, it.number, position, 0, it.display);
      if (!it.boxless) out.push(it.x, it.y, it.width, it.height);
      more.length = 0;
      if (isHtml) flags |= readLive(memory, element, it, out, more);
      if (it.look && (isHtml ? !CHILDLESS.has(name) && isBlank(element) : name === "svg")) {
        more.push(intern(memory, "class"), intern(memory, it.look));
      }
      if (it.before >= 0) {
        flags |= BEFORE;
        out.push(it.before);
      }
      if (it.after >= 0) {
        flags |= AFTER;
        out.push(it.after);
      }
      out[from + 4] = flags;
      out.push((attributes.length + more.length) / 2);
      for (let i = 0; i < attributes.length; i++) out.push(attributes[i]);
      for (let i = 0; i < more.length; i++) out.push(more[i]);

      // Children: those of the flat tree.
      if (isHtml && (CHILDLESS.has(name) || (flags & FRAME))) continue;
      if (shadow) {
        s.mutations.observe(shadow);
        if (!generates && generatesIn(memory, shadow, styles)) {
          scopes.push([depth, generates]);
          generates = true;
        }
      }
      /** @type {Node[] | null} */
      let assigned = null;
      if (isHtml && name === "slot" && nodeType(rootOf(element)) === 11) {
        assigned = assignedNodes(element);
        if (!assigned?.length) assigned = null;
      }
      depth++;
      upcoming[depth] = assigned ? null : firstChild(shadow ?? element);
      lists[depth] = assigned;
      reached[depth] = 0;
      origins[depth] = assigned ? SLOTTED : shadow ? ROOT_CHILD : 0;
      positions[depth] = assigned ? null : new Positions(html);
    }

    if (s.elements.size > 2 * starts.length + 4096) sweep(s);

    const now = { nodes: out, starts };
    const before = memory.told;
    memory.told = memory.strings.length;
    const told = warm ? delta(memory.records, now) : { edits: null, nodes: out };
    memory.records = now;
    memory.epoch += 1;
    memory.scrollers = scrollers;
    memory.scrolled = scrolled(s);
    if (memory.enough === Infinity) memory.enough = 2 * memory.strings.length + 4096;

    const focus = active(s);
    const scroller = scrollingElement(s.document);
    return JSON.stringify({
      version: VERSION,
      document: s.number,
      epoch: memory.epoch,
      url: address(s.document).toWellFormed(),
      title: title(s.document).toWellFormed(),
      html,
      editable: designMode(s.document) === "on",
      focused: hasFocus(s.document),
      active: focus && focus !== body(s.document) && focus !== root ? numberIn(s, focus) : 0,
      viewport: [globalThis.innerWidth, globalThis.innerHeight],
      scroll: scroller
        ? [scrollLeft(scroller), scrollTop(scroller), scrollWidth(scroller), scrollHeight(scroller)].map(Math.round)
        : [0, 0, 0, 0],
      strings: warm ? memory.strings.slice(before) : memory.strings,
      ...told,
    });
  };

  /**
   * How often this document changed so far, as far as style and layout do not tell: computes both where they are due,
   * so that what the browser counts of them afterwards is up to date.
   */
  const changes = () => {
    const s = state();
    return changesIn(s, roots(s));
  };

  /** What `changes` gives, and how many nodes there are. */
  const counts = () => {
    const s = state();
    const inner = roots(s);
    return [changesIn(s, inner), nodesIn(s, inner)];
  };

  /** @param {State} s @param {ShadowRoot[]} inner its shadow roots */
  const changesIn = (s, inner) => {
    const top = rootElement(s.document);
    if (top) rect(top);
    s.mutations.flush();
    const html = contentType(s.document) === "text/html";
    const focus = active(s);
    s.roots = { found: inner, at: s.mutations.count };
    /** @type {unknown[]} */
    const now = [address(s.document), focus ? numberIn(s, focus) : 0, hasFocus(s.document), designMode(s.document),
      scrolled(s), moving(s) ? performance.now() : 0, s.pointed];
    for (const root of [s.document, ...inner]) {
      if (root !== s.document && s.mutations.observe(root)) s.changes++;
      const found = root === s.document ? queryDocument(root, LIVE) : queryRoot(root, LIVE);
      for (const element of found) {
        /** @type {number[]} */
        const held = [];
        /** @type {number[]} */
        const more = [];
        now.push(readLive(s.memory, element, met(s, element, html), held, more), ...held, ...more);
      }
    }
    const unseen = now.join(" ");
    if (unseen !== s.unseen) s.changes++;
    s.unseen = unseen;
    s.counted = performance.now();
    return s.mutations.count + s.changes;
  };

  /** As `changes`; what no mutation shows is not looked at again if it was a moment ago. */
  const recent = () => {
    const s = state();
    if (performance.now() - s.counted > MOMENT) return changes();
    s.mutations.flush();
    return s.mutations.count + s.changes;
  };

  // The browser counts the same, but for processing instructions.
  const WITHIN = "count(descendant-or-self::node()) - count(descendant-or-self::processing-instruction())";

  /** How many nodes the document has from its first element on, those of shadow roots with it.
   * @param {State} s @param {ShadowRoot[]} inner its shadow roots */
  const nodesIn = (s, inner) => {
    let nodes = 0;
    /** @param {Node} top */
    const count = (top) => {
      nodes += numberOf(evaluateXPath(s.document, WITHIN, top, null, XPathResult.NUMBER_TYPE, null));
    };
    const root = rootElement(s.document);
    if (root) count(root);
    for (const each of inner) for (let at = firstChild(each); at; at = nextSibling(at)) count(at);
    return nodes;
  };

  /** Lets go of numbers whose element is no more. @param {State} s */
  const sweep = (s) => {
    for (const [n, held] of s.elements) if (!held.deref()) s.elements.delete(n);
  };

  /** The element of that number, or null if it is no more or lives in another document now. @param {number} n */
  const element = (n) => {
    const s = state();
    const found = s.elements.get(n)?.deref();
    return found && ownerDocument(found) === s.document ? found : null;
  };

  /** Every shadow root of the document that can be entered, outer ones first. @param {State} s */
  const roots = (s) => {
    /** @type {ShadowRoot[]} */
    const found = [];
    /** @param {Iterable<Element>} elements */
    const take = (elements) => {
      for (const each of elements) {
        const root = shadowOf(s, each);
        if (root) found.push(root);
      }
    };
    take(queryDocument(s.document, "*"));
    for (let i = 0; i < found.length; i++) take(queryRoot(found[i], "*"));
    return found;
  };

  /** Fulfils once a mutation has come since `changes` gave this count. @param {number} then */
  const changed = (then) => new Promise((fulfil) => {
    const s = state();
    const look = () => {
      if (s.mutations.count + s.changes === then) return;
      s.mutations.listeners.delete(look);
      fulfil(true);
    };
    s.mutations.listeners.add(look);
    look();
  });

  world[KEY] = Object.freeze({
    facts,
    changes,
    recent,
    counts,
    changed,
    animations: () => animations(state()),
    /** Makes the next capture read everything anew, and find the closed roots again. */
    forget: () => {
      const s = state();
      s.closed = new WeakMap();
      s.memory = { ...blank(), epoch: s.memory.epoch + 1 };
      s.changes++;
    },
    /** The watch over this document's mutations. */
    mutations: () => state().mutations,
    element,
    /** Whether what a field holds must not leave the page. @param {Element} given */
    secret: (given) => isSecret(state(), given, localName(given) === "input" ? inputType(given) : ""),
    /** From now on what a field holds must not leave the page. @param {Element} given */
    keepBack: (given) => {
      const s = state();
      s.secret.add(given);
      const known = s.memory.elements.get(given);
      if (known) known.secret = true;
      s.changes++;
    },
    /** Every shadow root of the document that can be entered. */
    roots: () => roots(state()),
    /** The element's number; assigns one. @param {Element} given */
    number: (given) => numberIn(state(), given),
    /** The person points at that element from now on, at none for 0. @param {number} n */
    point: (n) => (state().pointed = n),
    /** This document's number, 0 if it has none yet. */
    document: () => state().number,
    /** The shadow root of an element that can be entered, open or handed in. @param {Element} given */
    shadow: (given) => shadowOf(state(), given),
    /** Numbers of given nodes, 0 for what is no element of this document; before them, how many closed roots that they
     * are, or are in, came to light. @param {Node[]} given */
    numbers: (...given) => {
      const s = state();
      let fresh = 0;
      const numbers = given.map((node) => {
        if (!node || ownerDocument(node) !== s.document || !connected(node)) return 0;
        for (let root = rootOf(node); nodeType(root) === 11; root = rootOf(hostOf(root))) {
          const host = hostOf(root);
          if (shadowOf(s, host)) continue;
          s.closed.set(host, root);
          fresh++;
        }
        return nodeType(node) === 1 ? numberIn(s, /** @type {Element} */ (node)) : 0;
      });
      return [fresh, ...numbers];
    },
  });
})();
