//! How much memory processes hold, as the system says.

use crate::process;
use std::{fs, process::Command};
use tests::{Product, browser::Browser};

/// The host of this browser, by what `tabwright browsers` says of it.
pub fn host(browser: &Browser, product: &Product) -> Option<u32> {
    let mut list = Command::new(&product.host);
    list.arg("browsers").env("TABWRIGHT_RUNTIME_DIR", browser.runtime());
    let said = process::output(&mut list).ok()?;
    said.rsplit_once("process ")?.1.split(')').next()?.parse().ok()
}

/// The largest resident size that a process has had, in bytes, where the system tells.
pub fn peak(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}
