// Reads one element: its attributes, its style, where it is, what it holds. Reports, and judges nothing.
// @ts-check

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
 * What `element.js` can do.
 * @typedef {object} ElementReader
 * @property {Record<string, number>} FLAGS
 * @property {number} UNREAD @property {number} NAMING @property {number} ALL
 * @property {(memory: Memory, text: string) => number} intern
 * @property {(s: State, element: Element, type: string) => boolean} isSecret
 * @property {(sheets: Iterable<CSSStyleSheet>) => boolean} mayGenerate
 * @property {(memory: Memory, element: Element, html: boolean, number: number) => Kept} meet
 * @property {(s: State, element: Element, known: Kept) => void} readAttributes
 * @property {(element: Element, known: Kept) => void} readBox
 * @property {(memory: Memory, element: Element, known: Kept, out: number[], more: number[]) => number} readLive
 * @property {(memory: Memory, element: Element, known: Kept, much: number, generates: boolean) => void} readStyle
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
 * @property {string} look its class
 * @property {boolean} slotted says which slot it is for
 * @property {boolean} unassigned no slot takes it
 * @property {number} styled how its style was read
 * @property {CSSStyleDeclaration | null} computed its computed style, which is live
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

(() => {
  const KEY = Symbol.for("element");
  const world = /** @type {Record<symbol, unknown>} */ (/** @type {unknown} */ (globalThis));
  if (world[KEY]) return;

  const {
    data, namespace, attributeNames, attribute, hasAttributes, matches, rect, shown, scrollWidth, scrollHeight,
    clientWidth, clientHeight, inputValue, inputType, inputFiles, isChecked, isIndeterminate, textareaValue,
    inputComplaint, textareaComplaint, selectComplaint, isSelected, outputValue, anchorHref, areaHref, objectWindow,
    title, styleOf, innerText, parentNode, editContext,
  } = /** @type {Own} */ (world[Symbol.for("own")]);
  const { HTML_NS, qualified, isPlain } = /** @type {XPathNames} */ (world[Symbol.for("names")]);

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
  const UNTAKEN = 1 << 30; // no slot that is known takes it

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
  const LONGEST_ATTRIBUTE = 8192;
  const LONGEST_LOOK = 256;

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

  /** Whether a field's value must not leave the page. @param {State} s @param {Element} element @param {string} type */
  const isSecret = (s, element, type) => {
    if (s.secret.has(element)) return true;
    const fill = attribute(element, "autocomplete");
    const secret = type === "password" ||
      (!!fill && /(^|\s)(cc-\S+|one-time-code|current-password|new-password)(\s|$)/i.test(fill));
    if (secret) s.secret.add(element);
    return secret;
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

  /** What is known of an element for good. @param {Memory} memory @param {Element} element @param {boolean} html
   * @param {number} number @returns {Kept} */
  const meet = (memory, element, html, number) => {
    const name = qualified(element);
    const space = namespace(element);
    const isHtml = space === HTML_NS;
    let flags = isPlain(html, element) ? 0 : NAMED;
    if (!isHtml) {
      flags |= space === "http://www.w3.org/2000/svg" ? SVG
        : space === "http://www.w3.org/1998/Math/MathML" ? MATHML : OTHER_NAMESPACE;
    }
    return {
      number,
      name,
      tag: intern(memory, name),
      flags,
      isHtml,
      attributes: null,
      id: null,
      secret: false,
      popover: false,
      look: "",
      slotted: false,
      unassigned: false,
      styled: UNREAD,
      computed: null,
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
    known.look = "";
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
        } else if (attr === "class") {
          known.look = (attribute(element, attr) ?? "").slice(0, LONGEST_LOOK);
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
      const style = (known.computed ??= styleOf(element));
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
            // Overflow is no matter of inline boxes (CSS Overflow 3).
            const overflow = display === "inline" ? "visible" : style.overflowY;
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
        flags |= FRAME;
        if (attribute(element, "loading") === "lazy") add(":lazy", "");
        break;
      case "frame":
      case "embed":
        flags |= FRAME;
        break;
      case "object":
        if (objectWindow(element)) flags |= FRAME;
        break;
      case "div":
      case "canvas":
        if (editContext(element)) add(":drawn", drawnAround(element));
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

  // CSS pixels from which on a box holds text that a person reads.
  const WIDE = 60;
  const HIGH = 16;

  /** What is drawn for an element that takes text without holding it: in it, or in the nearest box around it.
   * @param {Element} element */
  const drawnAround = (element) => {
    for (let at = /** @type {Node | null} */ (element); at instanceof HTMLElement; at = parentNode(at)) {
      const box = rect(at);
      if (box.width >= WIDE && box.height >= HIGH) return innerText(at).toWellFormed();
    }
    return "";
  };

  /** Flags that controls share. @param {Element} element */
  const controlFlags = (element) =>
    (matches(element, ":disabled") ? DISABLED : 0) | (matches(element, ":user-invalid") ? INVALID : 0);

  /** Whether what a field holds would not be accepted. @param {Element} element */
  const refusal = (element) => (matches(element, ":invalid") ? REFUSED : 0);

  world[KEY] = Object.freeze({
    FLAGS: Object.freeze({ NAMED, HOST, ROOT_CHILD, SLOTTED, BOX, BEFORE, AFTER, FRAME, UNTAKEN }),
    UNREAD, NAMING, ALL, intern, isSecret, mayGenerate, meet, readAttributes, readBox, readLive, readStyle,
  });
})();
