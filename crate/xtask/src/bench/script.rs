//! What is asked of a page from outside the product: scripts that change one text of it, name a button that is ready,
//! and keep the moments of a press. They fit any page, and our peers are given the same ones.

use serde_json::json;

/// Gives one text of the page other words: the one in the middle of all that can be seen and is no part of a control.
/// The value is whether there was one.
pub fn change(words: &str) -> String {
    let words = json!(words);
    format!(
        "(() => {{
            const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            const apart = 'a, button, label, select, textarea, summary, svg, script, style, [aria-hidden=true], \
                [role=button], [role=option], [role=tab], [role=img], [role=treeitem], [hidden]';
            const texts = [];
            for (let text = walker.nextNode(); text; text = walker.nextNode()) {{
                const around = text.parentElement;
                if (text.data.trim().length < 3 || around.closest(apart)) continue;
                if (around.checkVisibility({{ visibilityProperty: true, opacityProperty: true }})) texts.push(text);
            }}
            const text = texts[Math.floor(texts.length / 2)];
            if (text) text.data = {words};
            return Boolean(text);
        }})()"
    )
}

/// The words on a button that is in view, uncovered, and the only one of that name; null when there is none.
pub const BUTTON: &str = "(() => {
    const words = (it) => (it.textContent ?? '').trim().replace(/\\s+/g, ' ');
    const all = [...document.querySelectorAll('button, [role=button]')];
    const counts = new Map();
    for (const it of all) counts.set(words(it), (counts.get(words(it)) ?? 0) + 1);
    const ready = all.find((it) => {
        const name = words(it);
        if (!name || name.includes('\"') || counts.get(name) > 1 || it.children.length > 0) return false;
        if (it.disabled || it.getAttribute('aria-disabled') === 'true') return false;
        if (it.hasAttribute('aria-label') || it.hasAttribute('aria-labelledby')) return false;
        if (it.tagName === 'BUTTON' && it.form && it.type === 'submit') return false;
        const box = it.getBoundingClientRect();
        if (box.width < 4 || box.top < 0 || box.bottom > innerHeight || box.right > innerWidth) return false;
        return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2) === it;
    });
    return ready ? words(ready) : null;
})()";

/// Keeps, from now on, when the mouse was pressed and when the page last changed after it.
pub const WATCH: &str = "(() => {
    globalThis.pressed = globalThis.changed = null;
    const note = () => { globalThis.pressed = globalThis.changed = Date.now(); };
    addEventListener('mousedown', note, { capture: true, once: true });
    new MutationObserver(() => { globalThis.changed = Date.now(); })
        .observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
})()";

/// What [`WATCH`] kept, in milliseconds since 1970.
pub const WATCHED: &str = "({ pressed: globalThis.pressed, changed: globalThis.changed })";

/// In the worker: keeps, from now on, when it was last given an act to do. It reads each message as text first.
pub const WATCH_ARRIVAL: &str = "(() => {
    if (globalThis.arrived !== undefined) return;
    globalThis.arrived = null;
    const write = JSON.stringify;
    JSON.stringify = (value, ...more) => {
        const message = value?.whole;
        if (typeof message === 'string' && message.includes('\"tool\":\"act\"')) globalThis.arrived = Date.now();
        return write(value, ...more);
    };
})()";

/// What [`WATCH_ARRIVAL`] kept, in milliseconds since 1970.
pub const ARRIVED: &str = "globalThis.arrived";

/// How many elements the document has.
pub const ELEMENTS: &str = "document.querySelectorAll('*').length";

/// The text that can be seen.
pub const TEXT: &str = "document.body.innerText";

/// How many things can be acted on, by what every agent would take for such a thing: controls, what takes the focus,
/// and what has the hand for a pointer where what is around it has not.
pub const CONTROLS: &str = "(() => {
    const plain = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [contenteditable=true], \
        [tabindex], [role=button], [role=link], [role=checkbox], [role=radio], [role=switch], [role=tab], \
        [role=option], [role=menuitem], [role=menuitemradio], [role=treeitem]';
    const hand = (it) => getComputedStyle(it).cursor === 'pointer';
    return [...document.body.querySelectorAll('*')].filter((it) =>
        (it.matches(plain) || (hand(it) && !hand(it.parentElement))) &&
        it.checkVisibility({ visibilityProperty: true })).length;
})()";
