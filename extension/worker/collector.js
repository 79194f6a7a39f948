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

  const VERSION = 1;

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
  /** So many of one kind without a closed root speak for the rest of it; so many elements are asked at a time. */
  const ENOUGH = 3, MOST_SUSPECTS = 256;
  /** Elements whose children are never shown. */
  const CHILDLESS = new Set("textarea iframe frame video audio input img br hr embed area wbr progress meter".split(" "));
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
      };
    }
    return kept;
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

  /** What a bare XPath step finds an HTML document's element by: HTML's by local name in any case, others by nothing. @param {Node} element */
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
   * Everything about this document, as one string.
   * @param {number} proposed the number this document takes if it has none yet
   * @returns {string}
   */
  const facts = (proposed) => {
    const s = state();
    if (!s.number) s.number = proposed;
    const html = contentType(s.document) === "text/html";

    /** @type {string[]} */
    const strings = [];
    /** @type {Map<string, number>} */
    const places = new Map();
    /** @param {string} text */
    const intern = (text) => {
      let place = places.get(text);
      if (place === undefined) {
        place = strings.length;
        places.set(text, place);
        strings.push(text.isWellFormed() ? text : text.toWellFormed());
      }
      return place;
    };

    /** @type {number[]} */
    const out = [];
    const ids = referenced(s);
    let generates = mayGenerate([...sheetsOf(s.document), ...adoptedOf(s.document)]);
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
        const text = data(node);
        // White space alone is kept as it is where it may be a line's indentation in preformatted text.
        if (text) {
          const kept = text.length <= 128 || /\S/.test(text);
          out.push(-1 - intern(kept ? text : text.includes("\n") ? "\n" : " "), depth);
        }
        continue;
      }
      if (type !== 1) continue;

      const element = /** @type {Element} */ (node);
      const name = qualified(element);
      const space = namespace(element);
      const isHtml = space === HTML_NS;
      const plain = isPlain(html, element);
      const counter = positions[depth];
      const position = counter ? counter.next(element, name, plain) : slottedPosition(slotted, element, html);
      if (isHtml && SILENT.has(name)) continue;

      let flags = origins[depth];
      if (!isHtml) {
        flags |= space === "http://www.w3.org/2000/svg" ? SVG
          : space === "http://www.w3.org/1998/Math/MathML" ? MATHML : OTHER_NAMESPACE;
      }
      if (!plain) flags |= NAMED;
      const shadow = shadowOf(s, element);
      if (shadow) flags |= HOST;

      // Attributes.
      const from = out.length;
      out.push(intern(name), depth, numberIn(s, element), position, 0, 0);
      /** @type {number[]} */
      const extra = [];
      /** @type {number[]} */
      const kept = [];
      let secret = false;
      let before = "", complaint = "";
      if (isHtml && (name === "input" || name === "textarea")) {
        secret = isSecret(s, element, name === "input" ? inputType(element) : "");
      }
      if (hasAttributes(element)) {
        for (const attr of attributeNames(element)) {
          if (ATTRIBUTES.has(attr) || attr.startsWith("aria-")) {
            let value = attribute(element, attr) ?? "";
            if (attr === "href" && isHtml) {
              value = name === "a" ? anchorHref(element) : name === "area" ? areaHref(element) : value;
            }
            if (value.length > LONGEST_ATTRIBUTE) value = value.slice(0, LONGEST_ATTRIBUTE);
            kept.push(intern(attr), intern(value));
            if (attr === "id" && dark < depth && careful === Infinity && ids.has(value)) careful = depth;
          } else if (attr === "slot" && depth > 0 && origins[depth] === 0) {
            suspect(s, /** @type {Element} */ (parentNode(element)));
          } else if (HANDLERS.has(attr)) {
            kept.push(intern(attr), intern(""));
          } else if (attr === "value" && (name === "progress" || name === "meter" || name === "data" || name === "li")) {
            kept.push(intern(attr), intern(attribute(element, attr) ?? ""));
          }
        }
      }

      // Style and box.
      let display = "none";
      const lit = dark >= depth;
      if (lit || careful <= depth) {
        const style = styleOf(element);
        display = style.display;
        if (display === "") {
          // No slot takes it: its parent has a shadow root that we do not know.
          display = "none";
          if (depth > 0) suspect(s, /** @type {Element} */ (parentNode(element)));
        }
        if (style.visibility !== "visible") flags |= INVISIBLE;
        if (lit) {
          if (display === "none") {
            dark = depth;
            const id = attribute(element, "id");
            if (id && careful === Infinity && ids.has(id)) careful = depth;
          } else {
            const cursor = style.cursor;
            if (cursor === "pointer") flags |= POINTER;
            else if (cursor === "grab" || cursor === "move") flags |= GRAB;
            if (style.pointerEvents === "none") flags |= NO_POINTER_EVENTS;
            if (style.opacity === "0") flags |= TRANSPARENT;
            if (isHtml && (name === "td" || name === "th") && isBare(style)) flags |= BARE;
            if (display !== "contents") {
              const overflow = style.overflowY;
              if (overflow !== "visible") {
                const x = style.overflowX;
                if ((overflow === "auto" || overflow === "scroll") && scrollHeight(element) > clientHeight(element)) {
                  flags |= SCROLLS_Y;
                }
                if ((x === "auto" || x === "scroll") && scrollWidth(element) > clientWidth(element)) flags |= SCROLLS_X;
                if (overflow === "hidden" || overflow === "clip") flags |= CLIPPED;
              }
              const box = rect(element);
              flags |= BOX;
              extra.push(Math.round(box.x), Math.round(box.y), Math.round(box.width), Math.round(box.height));
              // Nothing in it, and yet it takes room.
              if (!shadow && isHtml && box.height > 0 && box.width > 0 && (name.includes("-") || !firstChild(element))) {
                suspect(s, element, Math.round(box.height));
              }
            }
            if (display !== "contents" && name !== "option" && name !== "optgroup" && !shown(element)) flags |= SKIPPED;
          }
        }
        if (generates && (lit || careful <= depth)) {
          before = generated(element, "::before");
        }
      }

      // Live state.
      if (isHtml) {
        switch (name) {
          case "input": {
            const kind = inputType(element);
            if (isChecked(element)) flags |= CHECKED;
            if (isIndeterminate(element)) flags |= INDETERMINATE;
            if (kind === "file") {
              const names = [...(inputFiles(element) ?? [])].map((file) => file.name);
              flags |= VALUE;
              extra.push(intern(names.join(", ")));
            } else if (secret) {
              flags |= SECRET;
              extra.push(inputValue(element).length);
            } else if (kind !== "checkbox" && kind !== "radio" && kind !== "hidden") {
              flags |= VALUE;
              extra.push(intern(inputValue(element)));
            }
            if (kind !== "hidden") flags |= controlFlags(element) | refusal(element);
            if (flags & (INVALID | REFUSED) && !secret) complaint = inputComplaint(element);
            break;
          }
          case "textarea":
            flags |= secret ? SECRET : VALUE;
            extra.push(secret ? textareaValue(element).length : intern(textareaValue(element)));
            flags |= controlFlags(element) | refusal(element);
            if (flags & (INVALID | REFUSED) && !secret) complaint = textareaComplaint(element);
            break;
          case "option":
            if (isSelected(element)) flags |= SELECTED;
            flags |= controlFlags(element);
            break;
          case "select":
          case "button":
          case "fieldset":
          case "optgroup":
            flags |= controlFlags(element);
            if (flags & INVALID && name === "select") complaint = selectComplaint(element);
            break;
          case "output":
            flags |= VALUE;
            extra.push(intern(outputValue(element)));
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
            if (name.includes("-") && matches(element, ":defined")) {
              kept.push(intern(":defined"), intern(""));
              if (matches(element, ":enabled,:disabled")) kept.push(intern(":form"), intern(""));
              flags |= controlFlags(element) | refusal(element);
            }
        }
        // What is no attribute goes by names that none has.
        if (complaint) kept.push(intern(":complaint"), intern(complaint));
        if (attribute(element, "popover") !== null && matches(element, ":popover-open")) flags |= POPOVER_OPEN;
      }
      if (generates) {
        if (before) {
          flags |= BEFORE;
          extra.push(intern(before));
        }
        const after = lit || careful <= depth ? generated(element, "::after") : "";
        if (after) {
          flags |= AFTER;
          extra.push(intern(after));
        }
      }

      out[from + 4] = flags;
      out[from + 5] = intern(display);
      for (const n of extra) out.push(n);
      out.push(kept.length / 2);
      for (const n of kept) out.push(n);

      // Children: those of the flat tree.
      if (isHtml && (CHILDLESS.has(name) || (flags & FRAME))) continue;
      if (shadow) {
        const sheets = mayGenerate([...rootSheetsOf(shadow), ...rootAdoptedOf(shadow)]);
        if (sheets && !generates) {
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

    const focus = active(s);
    const scroller = scrollingElement(s.document);
    return JSON.stringify({
      version: VERSION,
      document: s.number,
      url: address(s.document).toWellFormed(),
      title: title(s.document).toWellFormed(),
      html,
      editable: designMode(s.document) === "on",
      focused: hasFocus(s.document),
      active: focus && focus !== body(s.document) && focus !== root ? numberIn(s, focus) : 0,
      viewport: [globalThis.innerWidth, globalThis.innerHeight],
      scroll: scroller
        ? [scroller.scrollLeft, scroller.scrollTop, scrollWidth(scroller), scrollHeight(scroller)].map(Math.round)
        : [0, 0, 0, 0],
      suspects: s.suspects.size,
      strings,
      nodes: out,
    });
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
