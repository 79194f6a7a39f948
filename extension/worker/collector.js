// Reports what a document holds, as facts: elements, text, attributes, live state, style, boxes. It judges nothing
// (no role, no name, no verdict on what is visible) and changes nothing in the page.
//
// It runs in an isolated world of one frame, possibly evaluated there several times. The world's prototypes are out of
// the page's reach, but named properties are not (`form.attributes` may be an <input>): every property that such a name
// could hide is read through the prototype's own getter.
//
// The shape of the string that `facts` returns is read by the crate `snapshot` (module `facts`).
// @ts-check

(() => {
  const KEY = Symbol.for("collector");
  const world = /** @type {Record<symbol, unknown>} */ (/** @type {unknown} */ (globalThis));
  // The object looks at the current document at each call, so an earlier one serves a later document as well.
  if (world[KEY]) return;

  const VERSION = 2;
  /** @type {(document: Document, first: (records: MutationRecord[]) => void) => Mutations} */
  const watch = /** @type {any} */ (world[Symbol.for("mutations")]);
  /** @type {(before: Memory["records"], now: Memory["records"]) => { edits: number[], nodes: number[] }} */
  const delta = /** @type {any} */ (world[Symbol.for("delta")]);

  // What an element's record says, one bit each. The two lowest bits are the namespace.
  const SVG = 1, MATHML = 2, OTHER_NAMESPACE = 3;
  const NAMED = 1 << 2; // its XPath step needs name()
  const HOST = 1 << 3; // children are those of its shadow root
  const ROOT_CHILD = 1 << 4; // child of its flat parent's shadow root
  const SLOTTED = 1 << 5; // its flat parent is the slot it is assigned to
  const BOX = 1 << 6; // x, y, width, height follow
  const INVISIBLE = 1 << 7; // visibility: hidden or collapse
  const POINTER = 1 << 8; // cursor: pointer
  const NO_POINTER_EVENTS = 1 << 9;
  const TRANSPARENT = 1 << 10; // opacity: 0
  const CHECKED = 1 << 11;
  const INDETERMINATE = 1 << 12;
  const SELECTED = 1 << 13;
  const DISABLED = 1 << 14;
  const INVALID = 1 << 15; // the person was shown that it is: :user-invalid
  const SCROLLS_X = 1 << 16;
  const SCROLLS_Y = 1 << 17;
  const VALUE = 1 << 18; // the live value follows
  const SECRET = 1 << 19; // the value's length follows instead
  const MODAL = 1 << 20;
  const POPOVER_OPEN = 1 << 21;
  const SKIPPED = 1 << 22; // content-visibility hides it
  const BEFORE = 1 << 23; // ::before content follows
  const AFTER = 1 << 24; // ::after content follows
  const FRAME = 1 << 25; // holds a frame
  const GRAB = 1 << 26; // cursor: grab, move and the like
  const CLIPPED = 1 << 27; // overflow other than visible, without scrolling
  const BARE = 1 << 28; // a table's cell without a border or a background of its own
  const REFUSED = 1 << 29; // :invalid

  /** Attributes that may matter to role, name, state or use; `aria-*` besides. */
  const ATTRIBUTES = new Set(
    ("role alt title placeholder for id name type href xlink:href tabindex contenteditable readonly required open " +
      "draggable scope multiple size list autocomplete hidden inert label usemap min max step summary popover " +
      "popovertarget datetime controls abbr colspan rowspan rules headers download is lang border shape maxlength")
      .split(" "),
  );
  /** Attributes of which only the presence is told. */
  const HANDLERS = new Set(
    "onclick onmousedown onmouseup onpointerdown onpointerup ondblclick ondrop ondragover".split(" "));
  /** Elements that say nothing to a person, with all they hold. */
  const SILENT = new Set("script style template link meta head base noscript".split(" "));
  /** Elements of HTML that may be given a shadow root; custom elements besides (DOM §4.9). */
  const HOSTS = new Set("article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split(" "));
  /** So many of one kind without a closed root speak for the rest of it. */
  const ENOUGH = 3;
  /** So many are asked for a closed root at a time. */
  const MOST_SUSPECTS = 256;
  /** Elements whose children are never shown. */
  const CHILDLESS = new Set("textarea iframe frame video audio input img br hr embed area wbr progress meter".split(" "));
  /** Elements whose state changes without a mutation. */
  const LIVE = "input,textarea,select,option,output,dialog,[popover]";
  const HTML_NS = "http://www.w3.org/1999/xhtml";
  const LONGEST_ATTRIBUTE = 8192;

  /**
   * The getter of a prototype's property, as a function of the object.
   * @param {object} prototype @param {string} name
   * @returns {(target: any) => any}
   */
  const getter = (prototype, name) => {
    const get = Object.getOwnPropertyDescriptor(prototype, name)?.get;
    if (!get) return () => undefined;
    return Function.prototype.call.bind(get);
  };
  /** @param {any} method @returns {(target: any, ...rest: any[]) => any} */
  const method = (method) => Function.prototype.call.bind(method);

  const nodeType = getter(Node.prototype, "nodeType");
  const firstChild = getter(Node.prototype, "firstChild");
  const nextSibling = getter(Node.prototype, "nextSibling");
  const parentNode = getter(Node.prototype, "parentNode");
  const connected = getter(Node.prototype, "isConnected");
  const ownerDocument = getter(Node.prototype, "ownerDocument");
  const rootOf = method(Node.prototype.getRootNode);
  const data = getter(CharacterData.prototype, "data");
  const localName = getter(Element.prototype, "localName");
  const prefix = getter(Element.prototype, "prefix");
  const namespace = getter(Element.prototype, "namespaceURI");
  const openRoot = getter(Element.prototype, "shadowRoot");
  const attributeNames = method(Element.prototype.getAttributeNames);
  const attribute = method(Element.prototype.getAttribute);
  const hasAttributes = method(Element.prototype.hasAttributes);
  const matches = method(Element.prototype.matches);
  const rect = method(Element.prototype.getBoundingClientRect);
  const shown = method(Element.prototype.checkVisibility);
  const scrollWidth = getter(Element.prototype, "scrollWidth");
  const scrollHeight = getter(Element.prototype, "scrollHeight");
  const scrollLeft = getter(Element.prototype, "scrollLeft");
  const scrollTop = getter(Element.prototype, "scrollTop");
  const clientWidth = getter(Element.prototype, "clientWidth");
  const clientHeight = getter(Element.prototype, "clientHeight");
  const assignedNodes = method(HTMLSlotElement.prototype.assignedNodes);
  const inputValue = getter(HTMLInputElement.prototype, "value");
  const inputType = getter(HTMLInputElement.prototype, "type");
  const inputFiles = getter(HTMLInputElement.prototype, "files");
  const isChecked = getter(HTMLInputElement.prototype, "checked");
  const isIndeterminate = getter(HTMLInputElement.prototype, "indeterminate");
  const textareaValue = getter(HTMLTextAreaElement.prototype, "value");
  // What the browser would tell the person of a value that it does not accept.
  const inputComplaint = getter(HTMLInputElement.prototype, "validationMessage");
  const textareaComplaint = getter(HTMLTextAreaElement.prototype, "validationMessage");
  const selectComplaint = getter(HTMLSelectElement.prototype, "validationMessage");
  const isSelected = getter(HTMLOptionElement.prototype, "selected");
  const outputValue = getter(HTMLOutputElement.prototype, "value");
  const anchorHref = getter(HTMLAnchorElement.prototype, "href");
  const areaHref = getter(HTMLAreaElement.prototype, "href");
  const objectWindow = getter(HTMLObjectElement.prototype, "contentWindow");
  const rootElement = getter(Document.prototype, "documentElement");
  const body = getter(Document.prototype, "body");
  const title = getter(Document.prototype, "title");
  const address = getter(Document.prototype, "URL");
  const baseAddress = getter(Node.prototype, "baseURI");
  const contentType = getter(Document.prototype, "contentType");
  const designMode = getter(Document.prototype, "designMode");
  const scrollingElement = getter(Document.prototype, "scrollingElement");
  const activeIn = getter(Document.prototype, "activeElement");
  const activeInRoot = getter(ShadowRoot.prototype, "activeElement");
  const hostOf = getter(ShadowRoot.prototype, "host");
  const hasFocus = method(Document.prototype.hasFocus);
  const fromPoint = method(Document.prototype.elementFromPoint);
  const rootFromPoint = method(ShadowRoot.prototype.elementFromPoint);
  const queryDocument = method(Document.prototype.querySelectorAll);
  const queryRoot = method(DocumentFragment.prototype.querySelectorAll);
  const animationsIn = method(Document.prototype.getAnimations);
  const evaluateXPath = method(Document.prototype.evaluate);
  const styleOf = globalThis.getComputedStyle.bind(globalThis);
  const sheetsOf = getter(Document.prototype, "styleSheets");
  const rootSheetsOf = getter(ShadowRoot.prototype, "styleSheets");
  const adoptedOf = getter(Document.prototype, "adoptedStyleSheets");
  const rootAdoptedOf = getter(ShadowRoot.prototype, "adoptedStyleSheets");

  /**
   * What is kept of one document.
   * @typedef {object} State
   * @property {Document} document
   * @property {number} number the document's number, 0 until one is adopted
   * @property {number} last the last element number given
   * @property {WeakMap<Element, number>} numbers
   * @property {Map<number, WeakRef<Element>>} elements
   * @property {WeakMap<Element, ShadowRoot>} closed closed shadow roots that were handed in
   * @property {Set<Element>} suspects elements that may have a closed shadow root and were not asked
   * @property {WeakMap<Element, number>} asked elements that had none when they were asked, and how high they were
   * @property {Map<string, number>} without how many of a kind had none
   * @property {WeakSet<Element>} secret fields that held a secret once: showing a password does not unmake it
   * @property {Mutations} mutations
   * @property {Memory} memory
   * @property {string} unseen what `unseen` gave last
   * @property {number} changes how often `unseen` gave something else
   */

  /**
   * @typedef {object} Mutations
   * @property {number} count
   * @property {number} at
   * @property {Set<(records: MutationRecord[]) => void>} listeners
   * @property {(root: Node) => boolean} observe
   * @property {() => void} flush
   */

  /**
   * What is kept of the last capture, so that the next one costs less. Holds no node.
   * @typedef {object} Memory
   * @property {number} epoch which capture it was; 0 for none
   * @property {string} base the address that relative ones were resolved against
   * @property {WeakMap<Element, Kept>} elements
   * @property {WeakMap<Node, number>} texts the string of each text
   * @property {string[]} strings
   * @property {Map<string, number>} places where a string stands
   * @property {number} told how many strings the caller was told of
   * @property {number} enough strings beyond this number are mostly of the past
   * @property {{ nodes: number[], starts: number[] }} records
   * @property {boolean} generates whether the document's sheets may make ::before or ::after boxes
   * @property {WeakMap<ShadowRoot, boolean>} generating the same of a shadow root's sheets
   * @property {WeakRef<Element>[]} scrollers elements that are scrolled or may be
   * @property {string} scrolled how far everything was scrolled
   */

  /**
   * What was read of one element. Its attributes hold until a mutation; its style and its box until the caller says that
   * style or layout was computed anew.
   * @typedef {object} Kept
   * @property {number} number
   * @property {string} name
   * @property {number} tag its name, as string
   * @property {number} flags namespace, and whether the name is plain
   * @property {boolean} isHtml
   * @property {number[] | null} attributes pairs of strings; null when they must be read
   * @property {string | null} id
   * @property {boolean} secret
   * @property {boolean} popover
   * @property {boolean} slotted says which slot it is for
   * @property {boolean} unassigned no slot takes it
   * @property {number} styled how its style was read
   * @property {number} style flags
   * @property {number} display string
   * @property {boolean} isNone display: none
   * @property {boolean} boxless no box of its own
   * @property {number} overflow 1: may scroll up and down, 2: sideways, 4: cuts off
   * @property {number} before string of ::before, -1 for none
   * @property {number} after the same of ::after
   * @property {boolean} boxed whether the box was read
   * @property {number} scrolls flags
   * @property {number} x @property {number} y @property {number} width @property {number} height
   */

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
        suspects: new Set(),
        asked: new WeakMap(),
        without: new Map(),
        secret: new WeakSet(),
        mutations: watch(now, (records) => mark(records)),
        memory: blank(),
        unseen: "",
        changes: 0,
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

  /** The kind an element is of: what holds of some of it holds of all. One with an id alone is its own. @param {Element} element */
  const kindOf = (element) => {
    const name = localName(element);
    // One that is not defined yet says nothing of those that are.
    if (name.includes("-")) return matches(element, ":defined") ? name : name + "?";
    const look = attribute(element, "class");
    if (look || attribute(element, "id")) return look ? name + "." + look : "";
    const outer = /** @type {any} */ (parentNode(element));
    return nodeType(outer) === 1 ? name + "<" + localName(outer) + "." + attribute(outer, "class") : "";
  };

  /** Notes an element that may have a closed shadow root; one that was asked, only if its height is another now.
   * @param {State} s @param {Element} element @param {number} [height] */
  const suspect = (s, element, height) => {
    const asked = s.asked.get(element);
    if (shadowOf(s, element) || (asked !== undefined && (height === undefined || asked === height))) return;
    const name = localName(element);
    if (namespace(element) !== HTML_NS || !(HOSTS.has(name) || name.includes("-"))) return;
    const kind = kindOf(element);
    const without = s.without.get(kind) ?? 0;
    if (without >= ENOUGH || s.suspects.has(element)) return;
    if (kind) s.without.set(kind, without + 1);
    s.suspects.add(element);
  };

  /** The element's name as XPath's name() gives it. @param {Element} element */
  const qualified = (element) => {
    const before = prefix(element);
    return before ? before + ":" + localName(element) : localName(element);
  };

  /** Whether a bare name is a sound XPath test for it. @param {boolean} html @param {Element} element */
  const isPlain = (html, element) =>
    html && namespace(element) === HTML_NS && /^[a-z][a-z0-9_-]*$/.test(localName(element)) && !prefix(element);

  /**
   * The name by which a bare XPath step finds an element of an HTML document, or "": those of HTML by their local name,
   * in any case and whatever their prefix; those of other namespaces, or of none, not at all.
   * @param {Node} element
   */
  const bareName = (element) => (namespace(element) === HTML_NS ? localName(element).toLowerCase() : "");

  /** Counts siblings by the XPath test that will tell them apart. */
  class Positions {
    /** @param {boolean} html */
    constructor(html) {
      this.html = html;
      /** @type {Map<string, number>} */
      this.plain = new Map();
      /** @type {Map<string, number>} */
      this.named = new Map();
    }

    /** The position of the next sibling. @param {Element} element @param {string} name @param {boolean} plain */
    next(element, name, plain) {
      const named = (this.named.get(name) ?? 0) + 1;
      this.named.set(name, named);
      // What the bare test matches counts, whether or not it is told by it itself.
      const bare = plain ? name : this.html ? bareName(element) : "";
      if (!bare) return named;
      const position = (this.plain.get(bare) ?? 0) + 1;
      this.plain.set(bare, position);
      return plain ? position : named;
    }
  }

  /**
   * Whether rules of a root may make ::before or ::after boxes; true when a sheet cannot be read.
   * @param {Iterable<CSSStyleSheet>} sheets
   */
  const mayGenerate = (sheets) => {
    /** @param {CSSRuleList} rules @param {number} depth @returns {boolean} */
    const within = (rules, depth) => {
      for (const rule of rules) {
        const held = /** @type {any} */ (rule);
        if (held.selectorText !== undefined && /:(before|after)/.test(held.selectorText)) return true;
        if (held.styleSheet && depth < 8 && reads(held.styleSheet, depth + 1)) return true;
        if (held.cssRules?.length && depth < 8 && within(held.cssRules, depth + 1)) return true;
      }
      return false;
    };
    /** @param {CSSStyleSheet} sheet @param {number} depth */
    const reads = (sheet, depth) => {
      try {
        return within(sheet.cssRules, depth);
      } catch {
        return true; // from another origin
      }
    };
    for (const sheet of sheets) if (reads(sheet, 0)) return true;
    return false;
  };

  /** Whether a cell has neither a border nor a background of its own. @param {CSSStyleDeclaration} style */
  const isBare = (style) =>
    style.borderTopWidth === "0px" && style.borderLeftWidth === "0px" && style.borderBottomWidth === "0px" &&
    style.borderRightWidth === "0px" && style.backgroundColor === "rgba(0, 0, 0, 0)";

  /** The text that generated content shows, or "". @param {Element} element @param {string} pseudo */
  const generated = (element, pseudo) => {
    const style = styleOf(element, pseudo);
    const content = style.content;
    if (content === "none" || content === "normal" || content === "" || style.display === "none") return "";
    if (style.visibility !== "visible") return "";
    // Block-like boxes part words.
    const gap = style.display === "inline" ? "" : " ";
    return gap + content + gap;
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

  /** Whether a field's value must not leave the page. @param {State} s @param {Element} element @param {string} type */
  const isSecret = (s, element, type) => {
    if (s.secret.has(element)) return true;
    const fill = attribute(element, "autocomplete");
    const secret = type === "password" ||
      (!!fill && /(^|\s)(cc-\S+|one-time-code|current-password|new-password)(\s|$)/i.test(fill));
    if (secret) s.secret.add(element);
    return secret;
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

  /** @param {Memory} memory @param {string} text */
  const intern = (memory, text) => {
    let place = memory.places.get(text);
    if (place === undefined) {
      place = memory.strings.length;
      memory.places.set(text, place);
      memory.strings.push(text.isWellFormed() ? text : text.toWellFormed());
    }
    return place;
  };

  /** What is known of an element for good. @param {State} s @param {Element} element @param {boolean} html @returns {Kept} */
  const meet = (s, element, html) => {
    const name = qualified(element);
    const space = namespace(element);
    const isHtml = space === HTML_NS;
    let flags = isPlain(html, element) ? 0 : NAMED;
    if (!isHtml) {
      flags |= space === "http://www.w3.org/2000/svg" ? SVG
        : space === "http://www.w3.org/1998/Math/MathML" ? MATHML : OTHER_NAMESPACE;
    }
    return {
      number: numberIn(s, element),
      name,
      tag: intern(s.memory, name),
      flags,
      isHtml,
      attributes: null,
      id: null,
      secret: false,
      popover: false,
      slotted: false,
      unassigned: false,
      styled: UNREAD,
      style: 0,
      display: 0,
      isNone: false,
      boxless: true,
      overflow: 0,
      before: -1,
      after: -1,
      boxed: false,
      scrolls: 0,
      x: 0,
      y: 0,
      width: 0,
      height: 0,
    };
  };

  /** Reads the attributes. @param {State} s @param {Element} element @param {Kept} known */
  const readAttributes = (s, element, known) => {
    const { memory } = s;
    const { name, isHtml } = known;
    /** @type {number[]} */
    const pairs = [];
    known.id = null;
    known.popover = known.slotted = false;
    if (isHtml && (name === "input" || name === "textarea")) {
      known.secret = isSecret(s, element, name === "input" ? inputType(element) : "");
    }
    if (hasAttributes(element)) {
      for (const attr of attributeNames(element)) {
        if (ATTRIBUTES.has(attr) || attr.startsWith("aria-")) {
          let value = attribute(element, attr) ?? "";
          if (attr === "id") known.id = value;
          else if (attr === "popover") known.popover = isHtml;
          else if (attr === "href" && isHtml) {
            value = name === "a" ? anchorHref(element) : name === "area" ? areaHref(element) : value;
          }
          if (value.length > LONGEST_ATTRIBUTE) value = value.slice(0, LONGEST_ATTRIBUTE);
          pairs.push(intern(memory, attr), intern(memory, value));
        } else if (attr === "slot") {
          known.slotted = true;
        } else if (HANDLERS.has(attr)) {
          pairs.push(intern(memory, attr), intern(memory, ""));
        } else if (attr === "value" && (name === "progress" || name === "meter" || name === "data" || name === "li")) {
          pairs.push(intern(memory, attr), intern(memory, attribute(element, attr) ?? ""));
        }
      }
    }
    known.attributes = pairs;
  };

  /** What is known of an element, its attributes as they are now. @param {State} s @param {Element} element @param {boolean} html */
  const met = (s, element, html) => {
    let known = s.memory.elements.get(element);
    if (!known) s.memory.elements.set(element, (known = meet(s, element, html)));
    if (!known.attributes) readAttributes(s, element, known);
    return known;
  };

  // How much of an element's style is read: none; what its text is named by; all.
  const UNREAD = 0, NAMING = 1, ALL = 2;
  const SEEN = Object.freeze({ opacityProperty: true, visibilityProperty: true });

  /**
   * Reads the style.
   * @param {Memory} memory @param {Element} element @param {Kept} known @param {number} much @param {boolean} generates
   */
  const readStyle = (memory, element, known, much, generates) => {
    const { name } = known;
    known.styled = much;
    known.boxed = false;
    known.boxless = true;
    known.isNone = known.unassigned = false;
    known.before = known.after = -1;
    known.overflow = known.scrolls = 0;
    let flags = 0;
    let display = "none";
    if (much !== UNREAD) {
      const style = styleOf(element);
      display = style.display;
      if (display === "") {
        known.unassigned = true;
        display = "none";
      }
      const seen = shown(element, SEEN);
      if (!seen && style.visibility !== "visible") flags |= INVISIBLE;
      if (much === ALL) {
        known.isNone = display === "none";
        if (!known.isNone) {
          const cursor = style.cursor;
          if (cursor === "pointer") flags |= POINTER;
          else if (cursor === "grab" || cursor === "move") flags |= GRAB;
          if (style.pointerEvents === "none") flags |= NO_POINTER_EVENTS;
          if (!seen && style.opacity === "0") flags |= TRANSPARENT;
          if (known.isHtml && (name === "td" || name === "th") && isBare(style)) flags |= BARE;
          if (display !== "contents") {
            known.boxless = false;
            const overflow = style.overflowY;
            if (overflow !== "visible") {
              const x = style.overflowX;
              if (overflow === "auto" || overflow === "scroll") known.overflow |= 1;
              if (x === "auto" || x === "scroll") known.overflow |= 2;
              if (overflow === "hidden" || overflow === "clip") {
                known.overflow |= 4;
                flags |= CLIPPED;
              }
            }
            if (!seen && name !== "option" && name !== "optgroup" && !shown(element)) flags |= SKIPPED;
          }
        }
      }
      if (generates) {
        const before = generated(element, "::before"), after = generated(element, "::after");
        if (before) known.before = intern(memory, before);
        if (after) known.after = intern(memory, after);
      }
    }
    known.style = flags;
    known.display = intern(memory, display);
  };

  /** Reads where an element is, and whether there is more in it than is seen. @param {Element} element @param {Kept} known */
  const readBox = (element, known) => {
    known.boxed = true;
    known.scrolls = 0;
    if ((known.overflow & 1) && scrollHeight(element) > clientHeight(element)) known.scrolls |= SCROLLS_Y;
    if ((known.overflow & 2) && scrollWidth(element) > clientWidth(element)) known.scrolls |= SCROLLS_X;
    const box = rect(element);
    known.x = Math.round(box.x);
    known.y = Math.round(box.y);
    known.width = Math.round(box.width);
    known.height = Math.round(box.height);
  };

  /**
   * What an element holds that no mutation tells of: pushes its value, and gives flags. Read at each capture.
   * @param {Memory} memory @param {Element} element @param {Kept} known @param {number[]} out
   * @param {number[]} more takes pairs of strings besides: facts that are no attributes, under names that none has
   */
  const readLive = (memory, element, known, out, more) => {
    let flags = 0;
    /** @param {string} name @param {string} value */
    const add = (name, value) => more.push(intern(memory, name), intern(memory, value));
    switch (known.name) {
      case "input": {
        const kind = inputType(element);
        if (isChecked(element)) flags |= CHECKED;
        if (isIndeterminate(element)) flags |= INDETERMINATE;
        if (kind === "file") {
          const names = [...(inputFiles(element) ?? [])].map((file) => file.name);
          flags |= VALUE;
          out.push(intern(memory, names.join(", ")));
        } else if (known.secret) {
          flags |= SECRET;
          out.push(inputValue(element).length);
        } else if (kind !== "checkbox" && kind !== "radio" && kind !== "hidden") {
          flags |= VALUE;
          out.push(intern(memory, inputValue(element)));
        }
        if (kind !== "hidden") flags |= controlFlags(element) | refusal(element);
        if (flags & (INVALID | REFUSED) && !known.secret) add(":complaint", inputComplaint(element));
        break;
      }
      case "textarea":
        flags |= known.secret ? SECRET : VALUE;
        out.push(known.secret ? textareaValue(element).length : intern(memory, textareaValue(element)));
        flags |= controlFlags(element) | refusal(element);
        if (flags & (INVALID | REFUSED) && !known.secret) add(":complaint", textareaComplaint(element));
        break;
      case "option":
        if (isSelected(element)) flags |= SELECTED;
        flags |= controlFlags(element);
        break;
      case "select":
        flags |= controlFlags(element);
        if (flags & INVALID) add(":complaint", selectComplaint(element));
        break;
      case "button":
      case "fieldset":
      case "optgroup":
        flags |= controlFlags(element);
        break;
      case "output":
        flags |= VALUE;
        out.push(intern(memory, outputValue(element)));
        break;
      case "dialog":
        if (matches(element, ":modal")) flags |= MODAL;
        break;
      case "iframe":
      case "frame":
      case "embed":
        flags |= FRAME;
        break;
      case "object":
        if (objectWindow(element)) flags |= FRAME;
        break;
      default:
        if (known.name.includes("-") && matches(element, ":defined")) {
          // Facts of its class.
          add(":defined", "");
          if (matches(element, ":enabled,:disabled")) add(":form", "");
          flags |= controlFlags(element) | refusal(element);
        }
    }
    if (known.popover && matches(element, ":popover-open")) flags |= POPOVER_OPEN;
    return flags;
  };

  /** Whether an animation is running: it may move what no count tells of. @param {State} s */
  const moving = (s) => animationsIn(s.document).some((/** @type {Animation} */ each) => each.playState === "running");

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
    /** @type {(Positions | null)[]} */
    const positions = [new Positions(html)];
    /** Positions of slotted elements, which are not walked in the order of their siblings. @type {Map<Node, number>} */
    const slotted = new Map();
    let depth = 0;
    // Below this level nothing is rendered; styles are read there only where a name may come from it.
    let dark = Infinity;
    let careful = Infinity;

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
      const type = nodeType(node);
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
      if (isHtml && SILENT.has(name)) continue;

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
      // No slot takes it: its parent has a shadow root, which we may not know.
      if (it.unassigned || (it.slotted && origins[depth] === 0)) {
        if (depth > 0) suspect(s, /** @type {Element} */ (parentNode(element)));
      }
      if (!it.boxless) {
        if (boxes || !it.boxed) {
          readBox(element, it);
          // Nothing in it, and yet it takes room.
          if (!shadow && isHtml && it.height > 0 && it.width > 0 && (name.includes("-") || !firstChild(element))) {
            suspect(s, element, it.height);
          }
        }
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

    if (s.elements.size > 4096) sweep(s);

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
      suspects: s.suspects.size,
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
    const top = rootElement(s.document);
    if (top) rect(top);
    s.mutations.flush();
    const html = contentType(s.document) === "text/html";
    const focus = active(s);
    /** @type {unknown[]} */
    const now = [address(s.document), focus ? numberIn(s, focus) : 0, hasFocus(s.document), designMode(s.document),
      scrolled(s), moving(s) ? performance.now() : 0];
    for (const root of [s.document, ...roots(s)]) {
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
    return s.mutations.count + s.changes;
  };

  /** Flags that controls share. @param {Element} element */
  const controlFlags = (element) =>
    (matches(element, ":disabled") ? DISABLED : 0) | (matches(element, ":user-invalid") ? INVALID : 0);

  /** Whether what a field holds would not be accepted. @param {Element} element */
  const refusal = (element) => (matches(element, ":invalid") ? REFUSED : 0);

  /**
   * The position of an element among its own siblings, all of which are counted at the first question.
   * @param {Map<Node, number>} known @param {Element} element @param {boolean} html
   */
  const slottedPosition = (known, element, html) => {
    let position = known.get(element);
    if (position === undefined) {
      const counter = new Positions(html);
      for (let at = firstChild(parentNode(element)); at; at = nextSibling(at)) {
        if (nodeType(at) === 1) known.set(at, counter.next(at, qualified(at), isPlain(html, at)));
      }
      position = known.get(element) ?? 1;
    }
    return position;
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

  world[KEY] = Object.freeze({
    facts,
    changes,
    /** Makes the next capture read everything anew. */
    forget: () => {
      const s = state();
      s.memory = { ...blank(), epoch: s.memory.epoch + 1 };
      s.changes++;
    },
    /** The watch over this document's mutations. */
    mutations: () => state().mutations,
    element,
    /** Whether what a field holds must not leave the page. @param {Element} given */
    secret: (given) => isSecret(state(), given, localName(given) === "input" ? inputType(given) : ""),
    /** Every shadow root of the document that can be entered. */
    roots: () => roots(state()),
    /** The element's number; assigns one. @param {Element} given */
    number: (given) => numberIn(state(), given),
    /** This document's number, 0 if it has none yet. */
    document: () => state().number,
    /** The shadow root of an element that can be entered, open or handed in. @param {Element} given */
    shadow: (given) => shadowOf(state(), given),
    /** Elements that may have a closed shadow root, to be asked now. What has none is not asked again as it is. */
    suspects: () => {
      const s = state();
      /** @type {Element[]} */
      const asked = [];
      for (const each of s.suspects) {
        if (asked.length === MOST_SUSPECTS) break;
        s.suspects.delete(each);
        if (!connected(each) || ownerDocument(each) !== s.document) continue;
        s.asked.set(each, Math.round(rect(each).height));
        asked.push(each);
      }
      return asked;
    },
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
          s.without.set(kindOf(host), -Infinity);
          fresh++;
        }
        return nodeType(node) === 1 ? numberIn(s, /** @type {Element} */ (node)) : 0;
      });
      return [fresh, ...numbers];
    },
    /** Numbers of the elements a selector matches, in this document and its shadow roots. @param {string} css */
    find: (css) => {
      const s = state();
      /** @type {Element[]} */
      const found = [...queryDocument(s.document, css)];
      for (const root of roots(s)) found.push(...queryRoot(root, css));
      return found.map((each) => numberIn(s, each));
    },
    /** Numbers of the elements that an XPath of one's own finds outside shadow roots. @param {string} xpath */
    evaluate: (xpath) => {
      const s = state();
      const result = evaluateXPath(s.document, xpath, s.document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
      const found = [];
      for (let i = 0; i < result.snapshotLength; i++) {
        const node = result.snapshotItem(i);
        if (node && nodeType(node) === 1) found.push(numberIn(s, /** @type {Element} */ (node)));
      }
      return found;
    },
    /** The deepest element at a point of the viewport, 0 if there is none. @param {number} x @param {number} y */
    at: (x, y) => {
      const s = state();
      let found = fromPoint(s.document, x, y);
      for (;;) {
        const root = found && shadowOf(s, found);
        const inner = root && rootFromPoint(root, x, y);
        if (!inner || inner === found) break;
        found = inner;
      }
      return found ? numberIn(s, found) : 0;
    },
    /**
     * The element at the end of a positional path, 0 if a step leads nowhere. Each part after the first starts in the
     * shadow root of the element the part before ended on. A step is [name, position, whether name() is compared].
     * @param {[string, number, boolean][][]} parts
     */
    resolve: (parts) => {
      const s = state();
      /** @type {Node} */
      let at = s.document;
      for (let i = 0; i < parts.length; i++) {
        if (i > 0) {
          const root = shadowOf(s, /** @type {Element} */ (at));
          if (!root) return 0;
          at = root;
        }
        for (const [name, position, named] of parts[i]) {
          let left = position;
          let child = firstChild(at);
          for (; child; child = nextSibling(child)) {
            if (nodeType(child) !== 1) continue;
            if (named ? qualified(child) !== name : bareName(child) !== name) continue;
            if (--left === 0) break;
          }
          if (!child) return 0;
          at = child;
        }
      }
      return nodeType(at) === 1 ? numberIn(s, /** @type {Element} */ (at)) : 0;
    },
  });
})();
