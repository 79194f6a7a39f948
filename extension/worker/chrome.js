// One function for each call of a browser API. No decision is made here: arguments go in, answers come out.

const HOST = "dev.tabwright.host";

/** @type {chrome.runtime.Port | null} */
let port = null;

/** @type {(closed: { error: string | null }) => void} */
let onPortClosed = () => {};
/** @type {(envelope: string) => void} */
let onPortMessage = () => {};
/** @type {(message: string) => void} */
let onPanic = () => {};

/**
 * Who is told of what comes back by itself.
 * @param {{ message: typeof onPortMessage, closed: typeof onPortClosed, panic: typeof onPanic }} listeners
 */
export function listen(listeners) {
  onPortMessage = listeners.message;
  onPortClosed = listeners.closed;
  onPanic = listeners.panic;
}

/** @param {number} tab @param {string | undefined} session @param {string} method @param {string} params */
export function sendCommand(tab, session, method, params) {
  // An absent session must be left out: null would reach the root.
  const target = session === undefined ? { tabId: tab } : { tabId: tab, sessionId: session };
  return chrome.debugger.sendCommand(target, method, JSON.parse(params));
}

/** @param {number} tab */
export const attach = (tab) => chrome.debugger.attach({ tabId: tab }, "1.3");

/** @param {number} tab */
export const detach = (tab) => chrome.debugger.detach({ tabId: tab });

/** Opens a tab in the background; in a window of its own where there is none. @param {string} url */
export async function createTab(url) {
  const windows = await chrome.windows.getAll({ windowTypes: ["normal"] });
  if (windows.length > 0) return { id: (await chrome.tabs.create({ url, active: false })).id };
  const window = await chrome.windows.create({ url, focused: false });
  return { id: window?.tabs?.[0]?.id };
}

/** @param {number} tab */
export const getTab = (tab) => chrome.tabs.get(tab);

/** @param {number} tab */
export const removeTab = (tab) => chrome.tabs.remove(tab);

/** @param {number} tab */
export async function activateTab(tab) {
  const { windowId } = await chrome.tabs.update(tab, { active: true }) ?? {};
  if (windowId !== undefined) await chrome.windows.update(windowId, { focused: true });
}

/** @param {number} tab */
export const showTab = (tab) => chrome.tabs.update(tab, { active: true });

/** @param {number} tab */
export const reloadTab = (tab) => chrome.tabs.reload(tab);

/** @param {number} tab @param {number | undefined} group @param {string} title @param {string} color */
export async function groupTab(tab, group, title, color) {
  const id = await chrome.tabs.group(group === undefined ? { tabIds: tab } : { tabIds: tab, groupId: group });
  await chrome.tabGroups.update(id, { title, color: /** @type {chrome.tabGroups.Color} */ (color) });
  return { group: id };
}

/** @param {number} tab */
export const ungroupTab = (tab) => chrome.tabs.ungroup(tab);

export function connectHost() {
  const opened = chrome.runtime.connectNative(HOST);
  port = opened;
  opened.onMessage.addListener((envelope) => onPortMessage(JSON.stringify(envelope)));
  opened.onDisconnect.addListener(() => {
    if (port !== opened) return;
    port = null;
    onPortClosed({ error: chrome.runtime.lastError?.message ?? null });
  });
}

/** @param {string} envelope */
export function post(envelope) {
  port?.postMessage(JSON.parse(envelope));
}

/** Ends the port; nobody is told, since who asks knows. */
export function disconnectHost() {
  const was = port;
  port = null;
  was?.disconnect();
}

/** @param {string} text */
export const keepSession = (text) => void chrome.storage.session.set({ kept: text });

/** @param {string} text */
export const keepLocal = (text) => void chrome.storage.local.set({ kept: text });

/** What was kept. */
export async function kept() {
  const [session, local] = await Promise.all([chrome.storage.session.get("kept"), chrome.storage.local.get("kept")]);
  return { session: session.kept, local: local.kept };
}

/** @param {string} text @param {string} title */
export function setBadge(text, title) {
  void chrome.action.setBadgeText({ text });
  void chrome.action.setTitle({ title });
}

/** @param {number} minutes */
export const setAlarm = (minutes) => void chrome.alarms.create("wake", { periodInMinutes: minutes });

/** Questions of our pages that wait for their answers. @type {Map<number, (view: unknown) => void>} */
const questions = new Map();
let lastQuestion = 0;

/** @param {(view: unknown) => void} reply */
export function question(reply) {
  lastQuestion += 1;
  questions.set(lastQuestion, reply);
  return lastQuestion;
}

/** @param {number} question @param {string} view */
export function answerPage(question, view) {
  questions.get(question)?.(JSON.parse(view));
  questions.delete(question);
}

/** @param {string} message */
export const panicked = (message) => onPanic(message);
