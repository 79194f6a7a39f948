// One function for each call of a browser API. No decision is made here: arguments go in, answers come out.

import { sentence } from "../ui/words.js";

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

/** The tab in front of each window. */
export const fronts = async () =>
  (await chrome.tabs.query({ active: true })).map(({ id, windowId }) => ({ tab: id, window: windowId }));

/** @param {string} page */
export const openPage = (page) => chrome.tabs.create({ url: chrome.runtime.getURL(page) });

/** @param {number} tab */
export const getTab = (tab) => chrome.tabs.get(tab);

/** The entry of the context menu, on pages of the web. The browser keeps it. */
export const createMenu = () =>
  chrome.contextMenus.create(
    { id: "pick", title: chrome.i18n.getMessage("menu_pick"), contexts: ["all"], documentUrlPatterns: ["http://*/*", "https://*/*"] },
    // That it is there already is as well.
    () => void chrome.runtime.lastError,
  );

/** @param {string} url */
export const createTab = (url) => chrome.tabs.create({ url, active: false });

/** @param {string} url */
export const createWindow = async (url) => (await chrome.windows.create({ url, focused: false }))?.tabs?.[0];

/** @param {number} window */
export const focusWindow = (window) => chrome.windows.update(window, { focused: true });

/** @param {number} tab */
export const removeTab = (tab) => chrome.tabs.remove(tab);

/** @param {number} tab */
export const showTab = (tab) => chrome.tabs.update(tab, { active: true });

/** @param {number} tab */
export const emptyTab = (tab) => chrome.tabs.update(tab, { url: "about:blank" });

/** @param {number} tab */
export const reloadTab = (tab) => chrome.tabs.reload(tab);

/** @param {number} tab @param {number | undefined} group */
export const groupTab = async (tab, group) => ({
  group: await chrome.tabs.group(group === undefined ? { tabIds: tab } : { tabIds: tab, groupId: group }),
});

/** @param {number} group @param {string} title @param {string} color */
export const nameGroup = (group, title, color) =>
  chrome.tabGroups.update(group, { title, color: /** @type {chrome.tabGroups.Color} */ (color) });

/** @param {number} tab */
export const ungroupTab = (tab) => chrome.tabs.ungroup(tab);

/**
 * Crops, scales and marks a picture, on a canvas that no page can see. Lengths are CSS pixels of the picture's page.
 * @typedef {{ x: number, y: number, width: number, height: number }} Box
 * @typedef {object} Painting
 * @property {string} picture base64 of a PNG
 * @property {number} across how much of the page it shows
 * @property {Box} crop
 * @property {number} width of the result, in its pixels @property {number} height
 * @property {Box[]} masks @property {(Box & { text: string })[]} labels
 * @property {string} kind @property {number} quality
 * @param {string} order
 */
export async function paint(order) {
  const { picture, across, crop, width, height, masks, labels, kind, quality } = /** @type {Painting} */ (
    JSON.parse(order)
  );
  const bytes = Uint8Array.from(atob(picture), (c) => c.charCodeAt(0));
  const source = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const density = source.width / across;
  const canvas = new OffscreenCanvas(width, height);
  const pen = canvas.getContext("2d", { alpha: false });
  if (!pen) throw new Error("no canvas");
  pen.imageSmoothingQuality = "high";
  const [x, y, w, h] = [crop.x, crop.y, crop.width, crop.height].map((length) => length * density);
  pen.drawImage(source, x, y, w, h, 0, 0, width, height);
  source.close();
  const [across2, down] = [width / crop.width, height / crop.height];
  /** @param {Box} box @returns {[number, number, number, number]} */
  const placed = (box) => {
    const [left, top] = [Math.floor((box.x - crop.x) * across2), Math.floor((box.y - crop.y) * down)];
    return [left, top, Math.ceil(box.width * across2), Math.ceil(box.height * down)];
  };
  pen.fillStyle = "#404040";
  for (const mask of masks) {
    const [left, top, wide, high] = placed(mask);
    // One pixel more: smoothing spreads an edge.
    pen.fillRect(left - 1, top - 1, wide + 2, high + 2);
  }
  pen.font = "bold 11px sans-serif";
  pen.textBaseline = "top";
  pen.lineWidth = 1;
  for (const label of labels) {
    const [left, top, wide, high] = placed(label);
    pen.strokeStyle = "#d0006f";
    pen.strokeRect(left + 0.5, top + 0.5, wide - 1, high - 1);
    const long = Math.ceil(pen.measureText(label.text).width) + 4;
    const at = [Math.max(0, Math.min(left, width - long)), top >= 13 ? top - 13 : Math.max(0, top)];
    pen.fillStyle = "#d0006f";
    pen.fillRect(at[0], at[1], long, 13);
    pen.fillStyle = "#ffffff";
    pen.fillText(label.text, at[0] + 2, at[1] + 1);
  }
  const painted = new Uint8Array(await (await canvas.convertToBlob({ type: kind, quality })).arrayBuffer());
  let text = "";
  for (let from = 0; from < painted.length; from += 0x8000) {
    text += String.fromCharCode(...painted.subarray(from, from + 0x8000));
  }
  return { data: btoa(text) };
}

/** Shows the popup where the browser lets us (from 127 on, in a window that is in front). */
export const openPopup = async () => chrome.action.openPopup();

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
export const keepSession = (text) => void chrome.storage.session.set({ kept: text }).catch(console.error);

const REQUEST = "request";

/** @param {number} slot @param {string} text */
export const keepRequest = (slot, text) =>
  void chrome.storage.session.set({ [REQUEST + slot]: text }).catch(console.error);

/** @param {string} text */
export const keepLocal = (text) => void chrome.storage.local.set({ kept: text }).catch(console.error);

/** What was kept. */
export async function kept() {
  const [session, local] = await Promise.all([chrome.storage.session.get(null), chrome.storage.local.get("kept")]);
  const requests = Object.keys(session).filter((key) => key.startsWith(REQUEST)).map((key) => session[key]);
  return { session: session.kept, requests, local: local.kept };
}

/** @param {string} text */
export const setBadgeText = (text) => void chrome.action.setBadgeText({ text });

/** @param {string} says sentences of the tooltip */
export const setTitle = (says) =>
  void chrome.action.setTitle({ title: `Tabwright: ${JSON.parse(says).map(sentence).join(" ")}` });

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
