// Which component of a framework's development build an element belongs to. Called on an element in the page's own
// world, where alone it can be read: what it answers is what the page says. JSON text, or "".
// @ts-check

/** @this {any} */
function component() {
  /** @param {unknown} value */
  const text = (value) => (typeof value === "string" ? value.slice(0, 300) : "");
  /** @param {any} type */
  const named = (type) =>
    text(typeof type === "function" || (type && typeof type === "object") ? type.displayName || type.name || type.__name || type.render?.name : "");
  /** @type {{ framework: string, names: string[], file: string, line: number, column: number, stack: string }} */
  const found = { framework: "", names: [], file: "", line: 0, column: 0, stack: "" };
  /** @param {any} file @param {any} line @param {any} column */
  const at = (file, line, column) => {
    found.file = text(file);
    found.line = Number(line) || 0;
    found.column = Number(column) || 0;
  };
  for (let node = this, up = 0; node && up < 40 && !found.framework; node = node.parentNode ?? node.host, up++) {
    const keys = Object.keys(node);
    const fiberKey = keys.find((key) => key.startsWith("__reactFiber$") || key.startsWith("__reactInternalInstance$"));
    const meta = node.__svelte_meta;
    const vue = node.__vueParentComponent;
    const vue2 = node.__vue__;
    if (fiberKey) {
      const fiber = node[fiberKey];
      found.framework = "React";
      const source = fiber._debugSource;
      if (source) at(source.fileName, source.lineNumber, source.columnNumber);
      found.stack = text(String(fiber._debugStack?.stack ?? "")) && String(fiber._debugStack.stack).slice(0, 3000);
      for (let outer = fiber.return; outer && found.names.length < 5; outer = outer.return) {
        const name = named(outer.type?.render ?? outer.type?.type ?? outer.type) || named(outer.type);
        if (name && typeof outer.type !== "string") found.names.push(name);
      }
    } else if (vue) {
      found.framework = "Vue";
      at(vue.type?.__file, 0, 0);
      for (let outer = vue; outer && found.names.length < 5; outer = outer.parent) {
        const name = named(outer.type);
        if (name) found.names.push(name);
      }
    } else if (vue2?.$options) {
      found.framework = "Vue";
      at(vue2.$options.__file, 0, 0);
      for (let outer = vue2; outer && found.names.length < 5; outer = outer.$parent) {
        const name = text(outer.$options?.name || outer.$options?._componentTag);
        if (name) found.names.push(name);
      }
    } else if (meta?.loc) {
      found.framework = "Svelte";
      at(meta.loc.file, meta.loc.line, meta.loc.column);
    } else {
      const angular = /** @type {any} */ (globalThis).ng;
      const inner = angular?.getComponent?.(node) ?? angular?.getOwningComponent?.(node);
      if (inner) {
        found.framework = "Angular";
        const type = inner.constructor;
        found.names.push(named(type));
        const debug = type?.ɵcmp?.debugInfo;
        at(debug?.filePath, debug?.lineNumber, 0);
      }
    }
  }
  return found.framework ? JSON.stringify(found) : "";
}
