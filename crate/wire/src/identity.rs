//! The fixed names by which Chrome, the host and the extension find each other. Nothing here is read from a
//! file: `xtask tidy` holds them against the manifest's key.

/// The extension's id: what Chrome makes of the `key` in `manifest.json`.
pub const EXTENSION_ID: &str = "beblpbbhiieclfgnineacfcdfpkkllod";

/// The native-messaging host's name, as registered with browsers and named by the worker.
pub const HOST_NAME: &str = "dev.tabwright.host";

/// The origin that Chrome names as the host's first argument.
pub fn extension_origin() -> String {
    format!("chrome-extension://{EXTENSION_ID}/")
}
