// The members of the DOM that our scripts use, as they are in our isolated world, as functions of the object. A page
// can hide a property behind a named one (`form.attributes` may be an <input>), not a prototype's own getter.
// @ts-check

/** @typedef {Record<string, (target: any, ...rest: any[]) => any>} Own */

(() => {
  const KEY = Symbol.for("own");
  const world = /** @type {Record<symbol, unknown>} */ (/** @type {unknown} */ (globalThis));
  if (world[KEY]) return;

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
  const nodeName = getter(Node.prototype, "nodeName");
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
  const closest = method(Element.prototype.closest);
  const matches = method(Element.prototype.matches);
  const textContent = getter(Node.prototype, "textContent");
  const innerText = getter(HTMLElement.prototype, "innerText");
  const isContentEditable = getter(HTMLElement.prototype, "isContentEditable");
  const scrollIntoView = method(Element.prototype.scrollIntoView);
  const scrollIntoViewIfNeeded = method(/** @type {any} */ (Element.prototype).scrollIntoViewIfNeeded);
  const scrollTo = method(Element.prototype.scrollTo);
  const scrollBy = method(Element.prototype.scrollBy);
  const rect = method(Element.prototype.getBoundingClientRect);
  const rects = method(Element.prototype.getClientRects);
  const shown = method(Element.prototype.checkVisibility);
  const scrollWidth = getter(Element.prototype, "scrollWidth");
  const scrollHeight = getter(Element.prototype, "scrollHeight");
  const scrollLeft = getter(Element.prototype, "scrollLeft");
  const scrollTop = getter(Element.prototype, "scrollTop");
  const clientWidth = getter(Element.prototype, "clientWidth");
  const clientHeight = getter(Element.prototype, "clientHeight");
  const assignedSlot = getter(Element.prototype, "assignedSlot");
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
  const createElement = method(Document.prototype.createElement);
  const createTreeWalker = method(Document.prototype.createTreeWalker);
  const animationsIn = method(Document.prototype.getAnimations);
  const rootAnimationsIn = method(ShadowRoot.prototype.getAnimations);
  // What text goes to instead of the element itself; browsers before Chrome 121 have none.
  const editContext = "editContext" in HTMLElement.prototype ? getter(HTMLElement.prototype, "editContext") : () => null;
  const evaluateXPath = method(Document.prototype.evaluate);
  const numberOf = getter(XPathResult.prototype, "numberValue");
  const styleOf = globalThis.getComputedStyle.bind(globalThis);
  const sheetsOf = getter(Document.prototype, "styleSheets");
  const rootSheetsOf = getter(ShadowRoot.prototype, "styleSheets");
  const adoptedOf = getter(Document.prototype, "adoptedStyleSheets");
  const rootAdoptedOf = getter(ShadowRoot.prototype, "adoptedStyleSheets");

  world[KEY] = Object.freeze({
    nodeType, nodeName, firstChild, nextSibling, parentNode, connected, ownerDocument, rootOf, data, localName, prefix,
    namespace, openRoot, attributeNames, attribute, hasAttributes, closest, matches, rect, rects, shown, scrollWidth, scrollHeight,
    scrollLeft, scrollTop, clientWidth, clientHeight, assignedSlot, assignedNodes, inputValue, inputType, inputFiles, isChecked,
    isIndeterminate, textareaValue, inputComplaint, textareaComplaint, selectComplaint, isSelected, outputValue,
    anchorHref, areaHref, objectWindow, rootElement, body, title, address, baseAddress, contentType, designMode,
    scrollingElement, activeIn, activeInRoot, hostOf, hasFocus, fromPoint, rootFromPoint, queryDocument, queryRoot,
    textContent, innerText, isContentEditable, scrollIntoView, scrollIntoViewIfNeeded, scrollTo, scrollBy, createElement,
    createTreeWalker, animationsIn, rootAnimationsIn, editContext, evaluateXPath, numberOf, styleOf, sheetsOf, rootSheetsOf, adoptedOf, rootAdoptedOf,
  });
})();
