//! A panic poisons a wasm instance. The next call into it gets a fresh one (`schedule_reinit`); JavaScript is told,
//! makes such a call at once (one without arguments: those would be written to the lost instance), and starts the
//! fresh one as after a restart of the worker. What still comes back to the lost instance is thrown away by
//! wasm-bindgen's glue, which knows whose each closure is.

use crate::chrome;
use std::panic;

/// Watches for panics of this instance.
pub fn watch() {
    panic::set_hook(Box::new(|info| {
        console_error_panic_hook::hook(info);
        wasm_bindgen::handler::schedule_reinit();
        let place = info.location().map(|at| format!("{}:{}", at.file(), at.line())).unwrap_or_default();
        chrome::panicked(&place);
    }));
}
