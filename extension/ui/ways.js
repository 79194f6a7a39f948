// Ways from one of our pages to another.

/** Opens the side panel beside this window; where there are none, the same page in a tab. */
export function openPanel() {
  const inTab = () => void chrome.tabs.create({ url: chrome.runtime.getURL("panel/panel.html") });
  if (!chrome.sidePanel) return inTab();
  // The browser wants the person's press: nothing may be waited for in between.
  chrome.windows.getCurrent().then(({ id }) => (id === undefined ? inTab() : chrome.sidePanel.open({ windowId: id }).catch(inTab)));
}
