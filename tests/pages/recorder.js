// Tells the server what happened to the page it stands in: clicks, changes, submissions, and what the page itself
// passes to `record`. The server's list is what tests judge by.
(() => {
  const address = new URL('../record', document.currentScript.src);
  const page = location.pathname.split('/').pop();

  /** The id of the element that an event came from, or of the nearest around it; through open shadow roots. */
  const idOf = (event) => event.composedPath().find((it) => it.id)?.id ?? '';

  function record(event, id = '', value = '', trusted = false) {
    const entry = JSON.stringify({ event, id, value: String(value), page, trusted });
    fetch(address, { method: 'POST', body: entry, keepalive: true, mode: 'no-cors' });
  }

  globalThis.record = record;
  addEventListener('click', (event) => record('click', idOf(event), event.detail, event.isTrusted), true);
  addEventListener('change', (event) => {
    const it = event.composedPath()[0];
    const checkable = it.type === 'checkbox' || it.type === 'radio';
    const many = it.multiple && it.selectedOptions;
    const value = checkable ? it.checked : many ? [...many].map((o) => o.value).join(',') : it.value;
    record('change', idOf(event), value, event.isTrusted);
  }, true);
  addEventListener('submit', (event) => {
    record('submit', idOf(event), JSON.stringify([...new FormData(event.target)]), event.isTrusted);
  }, true);
})();
