//! A panic poisons a wasm instance. The next call into it gets a fresh one (`schedule_reinit`); JavaScript is told,
//! and starts that one as after a restart of the worker.

use crate::{chrome, pump};
use std::panic;

/// Watches for panics of this instance.
pub fn watch() {
    panic::set_hook(Box::new(|info| {
        console_error_panic_hook::hook(info);
        wasm_bindgen::handler::schedule_reinit();
        pump::stop();
        let place = info.location().map(|at| format!("{}:{}", at.file(), at.line())).unwrap_or_default();
        chrome::panicked(&place);
    }));
}
