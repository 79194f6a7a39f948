//! How the named pipe on Windows is called and guarded: values alone, so that they are asserted on every system.

use std::{ffi::OsString, path::Path};

/// What guards a pipe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guard {
    /// Who may do what, in Windows' language for it.
    pub sddl: &'static str,
    /// Whether other machines may connect (without it, `PIPE_REJECT_REMOTE_CLIENTS` is set).
    pub accept_remote: bool,
    /// Whether programs that we start get it.
    pub inheritable: bool,
}

/// The owner and the system may do everything, nobody else anything, and no folder's rules are inherited.
pub const GUARD: Guard =
    Guard { sddl: "D:P(A;;GA;;;OW)(A;;GA;;;SY)", accept_remote: false, inheritable: false };

/// The pipe's name for a host's socket path: the host's random id is in it.
pub fn name(path: &Path) -> OsString {
    let mut name = OsString::from(r"\\.\pipe\tabwright-");
    name.push(path.file_stem().unwrap_or_default());
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_owner_alone_is_let_in() {
        // A protected list of who may: nothing of what contains it is inherited.
        let entries = GUARD.sddl.strip_prefix("D:P").unwrap();
        let entries: Vec<_> = entries.trim_matches(['(', ')']).split(")(").collect();
        // Allowed, all rights: the owner (OW) and the system (SY). Not everybody (WD), not the network (NU), not
        // anonymous (AN).
        assert_eq!(entries, ["A;;GA;;;OW", "A;;GA;;;SY"]);
        let Guard { sddl: _, accept_remote, inheritable } = GUARD;
        assert!(!accept_remote && !inheritable);
    }

    #[test]
    fn names_are_on_this_machine_and_carry_the_hosts_id() {
        let id = "0123456789abcdef0123456789abcdef";
        let name = name(Path::new("folder").join(format!("{id}.sock")).as_path());
        assert_eq!(name.to_str(), Some(format!(r"\\.\pipe\tabwright-{id}").as_str()));
    }
}
