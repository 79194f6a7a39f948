//! What can be wrong with an installation: the stable word for each, and why it matters.

use serde::Serialize;

/// A kind of thing that is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// No browser has a profile folder.
    BrowserMissing,
    /// What was installed is not recorded.
    RecordMissing,
    /// What was installed is recorded, and cannot be read.
    RecordUnreadable,
    /// A browser has no manifest of ours.
    ManifestMissing,
    /// A manifest cannot be read.
    ManifestUnreadable,
    /// A manifest says something that browsers refuse.
    ManifestWrong,
    /// A manifest lets another extension in, and not ours.
    OriginMissing,
    /// A manifest names no absolute path.
    ProgramRelative,
    /// A manifest names a program that is not there.
    ProgramGone,
    /// A manifest names another build of this program, or another program.
    ProgramOther,
    /// The program may not be started.
    ProgramNotExecutable,
    /// The unpacked extension lacks files, or has others.
    ExtensionIncomplete,
    /// The unpacked extension is of another version.
    ExtensionOther,
    /// The folder of sockets is not trusted.
    FolderUnsafe,
    /// Hosts that died left their files.
    SocketStale,
    /// A running host is of another version.
    HostOther,
    /// A running extension is of another version.
    ExtensionRunningOther,
    /// The host was started as a browser would, and did not answer as it should.
    HostSilent,
    /// A policy forbids the host.
    HostBlocked,
    /// A policy forbids hosts that a user registers.
    UserHostsBlocked,
    /// A policy forbids the extension.
    ExtensionBlocked,
    /// A policy forbids to load unpacked extensions.
    DeveloperModeBlocked,
    /// A client's settings name a program that is not there.
    ClientProgramGone,
}

impl Fault {
    /// The stable word.
    pub fn word(self) -> &'static str {
        match self {
            Self::BrowserMissing => "browser_missing",
            Self::RecordMissing => "record_missing",
            Self::RecordUnreadable => "record_unreadable",
            Self::ManifestMissing => "manifest_missing",
            Self::ManifestUnreadable => "manifest_unreadable",
            Self::ManifestWrong => "manifest_wrong",
            Self::OriginMissing => "origin_missing",
            Self::ProgramRelative => "program_relative",
            Self::ProgramGone => "program_gone",
            Self::ProgramOther => "program_other",
            Self::ProgramNotExecutable => "program_not_executable",
            Self::ExtensionIncomplete => "extension_incomplete",
            Self::ExtensionOther => "extension_other",
            Self::FolderUnsafe => "folder_unsafe",
            Self::SocketStale => "socket_stale",
            Self::HostOther => "host_other",
            Self::ExtensionRunningOther => "extension_running_other",
            Self::HostSilent => "host_silent",
            Self::HostBlocked => "host_blocked",
            Self::UserHostsBlocked => "user_hosts_blocked",
            Self::ExtensionBlocked => "extension_blocked",
            Self::DeveloperModeBlocked => "developer_mode_blocked",
            Self::ClientProgramGone => "client_program_gone",
        }
    }

    /// Why it matters.
    pub fn why(self) -> &'static str {
        match self {
            Self::BrowserMissing => {
                "a browser is known by its profile folder, which it makes when it first starts"
            }
            Self::RecordMissing | Self::RecordUnreadable => {
                "without it, uninstall does not know what to take back"
            }
            Self::ManifestMissing => "the browser learns from it which program to start",
            Self::ManifestUnreadable | Self::ManifestWrong => {
                "the browser passes over it and says \"Specified native messaging host not found\""
            }
            Self::OriginMissing => {
                "the browser refuses the extension: \"Access to the specified native messaging host is forbidden\""
            }
            Self::ProgramRelative => "browsers start a host by its absolute path only",
            Self::ProgramGone => "the browser has nothing to start",
            Self::ProgramOther => {
                "what the browser starts is not what agents start: they may not understand each other"
            }
            Self::ProgramNotExecutable => "the system does not let the browser start it",
            Self::ExtensionIncomplete => "the extension fails when the browser loads it next",
            Self::ExtensionOther => "extension and program may not understand each other",
            Self::FolderUnsafe => "both halves refuse a folder that others can enter",
            Self::SocketStale => {
                "harmless: it is removed when hosts are next listed; something killed a host"
            }
            Self::HostOther => {
                "it still runs from before an update; agents of this version may be refused by it"
            }
            Self::ExtensionRunningOther => "the browser still runs the extension from before an update",
            Self::HostSilent => "so does the browser find it: agents wait and get no browser",
            Self::HostBlocked | Self::UserHostsBlocked => "the browser does not start the host",
            Self::ExtensionBlocked => "the browser disables the extension",
            Self::DeveloperModeBlocked => "an unpacked extension cannot be loaded",
            Self::ClientProgramGone => "the client cannot start the MCP server",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_is_documented_under_its_word() {
        let documented = include_str!("../../../../docs/install.md");
        let all = [
            Fault::BrowserMissing,
            Fault::RecordMissing,
            Fault::RecordUnreadable,
            Fault::ManifestMissing,
            Fault::ManifestUnreadable,
            Fault::ManifestWrong,
            Fault::OriginMissing,
            Fault::ProgramRelative,
            Fault::ProgramGone,
            Fault::ProgramOther,
            Fault::ProgramNotExecutable,
            Fault::ExtensionIncomplete,
            Fault::ExtensionOther,
            Fault::FolderUnsafe,
            Fault::SocketStale,
            Fault::HostOther,
            Fault::ExtensionRunningOther,
            Fault::HostSilent,
            Fault::HostBlocked,
            Fault::UserHostsBlocked,
            Fault::ExtensionBlocked,
            Fault::DeveloperModeBlocked,
            Fault::ClientProgramGone,
        ];
        for fault in all {
            let word = fault.word();
            assert!(documented.contains(&format!("`{word}`")), "{word} is not in docs/install.md");
            assert_eq!(serde_json::to_value(fault).unwrap(), word);
        }
    }
}
