//! Keeps what went in and came out of the engine, as lines of a transcript, and lets a test force a panic. Only in
//! builds for tests: it is never shipped.

use engine::{Input, Instant, Output};
use js_sys::{Object, Reflect, global};
use std::cell::{Cell, RefCell};
use wasm_bindgen::prelude::*;

thread_local! {
    static LINES: RefCell<String> = const { RefCell::new(String::new()) };
    static PANIC_NEXT: Cell<bool> = const { Cell::new(false) };
}

/// Writes an input down: `< time json`. Panics if it was told to, as a fault of the engine would.
pub fn input(now: Instant, input: &Input) {
    assert!(!PANIC_NEXT.get(), "forced by a test");
    line('<', &format!("{} {}", now.0, serde_json::to_string(input).unwrap_or_default()));
}

/// Writes an output down: `> json`.
pub fn output(output: &Output) {
    line('>', &serde_json::to_string(output).unwrap_or_default());
}

fn line(mark: char, text: &str) {
    LINES.with_borrow_mut(|lines| {
        lines.push(mark);
        lines.push(' ');
        lines.push_str(text);
        lines.push('\n');
    });
}

/// Makes both reachable as `globalThis.probe`, for a debugger attached to the worker: `takeRecording()` gives the
/// lines so far, which are then forgotten; `forcePanic()` panics at once, `panicNext()` at the next input, when the
/// pump runs.
#[allow(clippy::panic, reason = "it is what this is for")]
pub fn expose() {
    let probe = Object::new();
    let set = |name: &str, value: &JsValue| {
        // A fresh object takes any property.
        let _ = Reflect::set(&probe, &name.into(), value);
    };
    set("takeRecording", &Closure::<dyn Fn() -> String>::new(|| LINES.take()).into_js_value());
    set("forcePanic", &Closure::<dyn Fn()>::new(|| panic!("forced by a test")).into_js_value());
    set("panicNext", &Closure::<dyn Fn()>::new(|| PANIC_NEXT.set(true)).into_js_value());
    let _ = Reflect::set(&global(), &"probe".into(), &probe);
}
