//! The browsers that we know, and where each looks for native-messaging hosts. A browser exists for a user once it
//! has a profile folder. What is known of each comes from its makers' documentation, from tracing what it reads on
//! Linux, or from what other installers write; macOS and Windows are written, not run.

use crate::home::{Home, System};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The folder of manifests within a profile folder.
const HOSTS: &str = "NativeMessagingHosts";

/// A make of browser.
#[derive(Debug)]
struct Make {
    name: &'static str,
    /// Its profile folder, below the folder of profiles. Nothing where it does not exist.
    linux: Option<&'static str>,
    mac: Option<&'static str>,
    windows: Option<&'static str>,
    /// The key below `HKEY_CURRENT_USER\Software` where it looks on Windows.
    key: &'static str,
    /// Folders that it reads in place of, or beside, its profile folder, below the same.
    reads: Reads,
    /// Its names as a Flatpak, with its profile folder below `config`.
    flatpak: &'static [(&'static str, &'static str)],
    /// Its name as a Snap, with its profile folder below `~/snap/NAME`.
    snap: Option<(&'static str, &'static str)>,
    /// The folder of its policies, system-wide, on Linux.
    policies: &'static str,
}

/// In whose folder a browser looks.
#[derive(Debug, Clone, Copy)]
enum Reads {
    /// In its own.
    Own,
    /// In Chrome's on Linux, in both on macOS.
    Chromes,
    /// On macOS in this one as well.
    Also(&'static str),
}

const CHROME: &str = r"Google\Chrome";
const EDGE: &str = r"Microsoft\Edge";

const PLAIN: Make = Make {
    name: "",
    linux: None,
    mac: None,
    windows: None,
    key: CHROME,
    reads: Reads::Own,
    flatpak: &[],
    snap: None,
    policies: "etc/opt/chrome/policies",
};

const MAKES: [Make; 21] = [
    Make {
        name: "Google Chrome",
        linux: Some("google-chrome"),
        mac: Some("Google/Chrome"),
        windows: Some("Google/Chrome/User Data"),
        flatpak: &[("com.google.Chrome", "google-chrome")],
        ..PLAIN
    },
    Make {
        name: "Google Chrome Beta",
        linux: Some("google-chrome-beta"),
        mac: Some("Google/Chrome Beta"),
        windows: Some("Google/Chrome Beta/User Data"),
        ..PLAIN
    },
    Make {
        name: "Google Chrome Dev",
        linux: Some("google-chrome-unstable"),
        mac: Some("Google/Chrome Dev"),
        windows: Some("Google/Chrome Dev/User Data"),
        flatpak: &[("com.google.ChromeDev", "google-chrome-unstable")],
        ..PLAIN
    },
    Make {
        name: "Google Chrome Canary",
        linux: Some("google-chrome-canary"),
        mac: Some("Google/Chrome Canary"),
        windows: Some("Google/Chrome SxS/User Data"),
        ..PLAIN
    },
    Make {
        name: "Chrome for Testing",
        linux: Some("google-chrome-for-testing"),
        mac: Some("Google/Chrome for Testing"),
        windows: Some("Google/Chrome for Testing/User Data"),
        key: r"Google\ChromeForTesting",
        reads: Reads::Also("Google/ChromeForTesting"),
        policies: "etc/opt/chrome_for_testing/policies",
        ..PLAIN
    },
    Make {
        name: "Chromium",
        linux: Some("chromium"),
        mac: Some("Chromium"),
        windows: Some("Chromium/User Data"),
        key: "Chromium",
        flatpak: &[
            ("org.chromium.Chromium", "chromium"),
            ("io.github.ungoogled_software.ungoogled_chromium", "chromium"),
        ],
        snap: Some(("chromium", "common/chromium")),
        policies: "etc/chromium/policies",
        ..PLAIN
    },
    Make {
        name: "Microsoft Edge",
        linux: Some("microsoft-edge"),
        mac: Some("Microsoft Edge"),
        windows: Some("Microsoft/Edge/User Data"),
        flatpak: &[("com.microsoft.Edge", "microsoft-edge")],
        ..EDGES
    },
    Make {
        name: "Microsoft Edge Beta",
        linux: Some("microsoft-edge-beta"),
        mac: Some("Microsoft Edge Beta"),
        windows: Some("Microsoft/Edge Beta/User Data"),
        ..EDGES
    },
    Make {
        name: "Microsoft Edge Dev",
        linux: Some("microsoft-edge-dev"),
        mac: Some("Microsoft Edge Dev"),
        windows: Some("Microsoft/Edge Dev/User Data"),
        flatpak: &[("com.microsoft.EdgeDev", "microsoft-edge-dev")],
        ..EDGES
    },
    Make {
        name: "Microsoft Edge Canary",
        linux: Some("microsoft-edge-canary"),
        mac: Some("Microsoft Edge Canary"),
        windows: Some("Microsoft/Edge SxS/User Data"),
        ..EDGES
    },
    Make {
        name: "Brave",
        linux: Some("BraveSoftware/Brave-Browser"),
        mac: Some("BraveSoftware/Brave-Browser"),
        windows: Some("BraveSoftware/Brave-Browser/User Data"),
        flatpak: &[("com.brave.Browser", "BraveSoftware/Brave-Browser")],
        snap: Some(("brave", "current/.config/BraveSoftware/Brave-Browser")),
        ..BRAVES
    },
    Make {
        name: "Brave Beta",
        linux: Some("BraveSoftware/Brave-Browser-Beta"),
        mac: Some("BraveSoftware/Brave-Browser-Beta"),
        windows: Some("BraveSoftware/Brave-Browser-Beta/User Data"),
        ..BRAVES
    },
    Make {
        name: "Brave Nightly",
        linux: Some("BraveSoftware/Brave-Browser-Nightly"),
        mac: Some("BraveSoftware/Brave-Browser-Nightly"),
        windows: Some("BraveSoftware/Brave-Browser-Nightly/User Data"),
        ..BRAVES
    },
    Make {
        name: "Vivaldi",
        linux: Some("vivaldi"),
        mac: Some("Vivaldi"),
        windows: Some("Vivaldi/User Data"),
        flatpak: &[("com.vivaldi.Vivaldi", "vivaldi")],
        ..VIVALDIS
    },
    Make {
        name: "Vivaldi Snapshot",
        linux: Some("vivaldi-snapshot"),
        mac: Some("Vivaldi Snapshot"),
        windows: Some("Vivaldi Snapshot/User Data"),
        ..VIVALDIS
    },
    Make {
        name: "Opera",
        linux: Some("opera"),
        mac: Some("com.operasoftware.Opera"),
        windows: Some("../Roaming/Opera Software/Opera Stable"),
        flatpak: &[("com.opera.Opera", "opera")],
        snap: Some(("opera", "current/.config/opera")),
        ..OPERAS
    },
    Make {
        name: "Opera Beta",
        linux: Some("opera-beta"),
        mac: Some("com.operasoftware.OperaNext"),
        windows: Some("../Roaming/Opera Software/Opera Next"),
        ..OPERAS
    },
    Make {
        name: "Opera Developer",
        linux: Some("opera-developer"),
        mac: Some("com.operasoftware.OperaDeveloper"),
        windows: Some("../Roaming/Opera Software/Opera Developer"),
        ..OPERAS
    },
    Make {
        name: "Opera GX",
        mac: Some("com.operasoftware.OperaGX"),
        windows: Some("../Roaming/Opera Software/Opera GX Stable"),
        ..OPERAS
    },
    Make {
        name: "Arc",
        mac: Some("Arc/User Data"),
        windows: Some("Packages/TheBrowserCompany.Arc_ttt1ap7aakyb4/LocalCache/Local/Arc/User Data"),
        ..PLAIN
    },
    Make {
        name: "Yandex Browser",
        linux: Some("yandex-browser"),
        mac: Some("Yandex/YandexBrowser"),
        windows: Some("Yandex/YandexBrowser/User Data"),
        policies: "etc/opt/yandex/browser/policies",
        ..PLAIN
    },
];

const EDGES: Make = Make { key: EDGE, policies: "etc/opt/edge/policies", ..PLAIN };
const BRAVES: Make = Make { policies: "etc/brave/policies", ..PLAIN };
const VIVALDIS: Make = Make { policies: "etc/opt/vivaldi/policies", ..PLAIN };
const OPERAS: Make = Make { reads: Reads::Chromes, policies: "etc/opt/opera/policies", ..PLAIN };

/// What a browser is locked up in: it sees and starts only what lies in its own folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cage {
    /// "Flatpak" or "Snap".
    pub kind: &'static str,
    /// The folder of the user's that the browser sees, and where it may start programs.
    pub folder: PathBuf,
}

/// A browser of this user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Browser {
    /// What people call it.
    pub name: String,
    /// The folders in which it looks for manifests. None on Windows.
    pub hosts: Vec<PathBuf>,
    /// The registry key in which it looks, on Windows.
    pub key: Option<String>,
    /// What it is locked up in.
    pub cage: Option<Cage>,
    /// The folder of its policies. Linux only.
    pub policies: Option<PathBuf>,
    /// Its key below `Software\Policies`, or its domain of preferences.
    pub make_key: &'static str,
}

impl Browser {
    /// The program that it is to start: this one, or a copy that it can see.
    pub fn program(&self, ours: &Path) -> PathBuf {
        match &self.cage {
            Some(cage) => cage.folder.join("tabwright").join(program_name(ours)),
            None => ours.to_owned(),
        }
    }
}

fn program_name(ours: &Path) -> &Path {
    ours.file_name().map_or(Path::new("tabwright"), Path::new)
}

/// The names of all cages: Flatpaks, then Snaps.
#[cfg(unix)]
pub fn cages() -> (impl Iterator<Item = &'static str>, impl Iterator<Item = &'static str>) {
    let flatpaks = MAKES.iter().flat_map(|make| make.flatpak).map(|(id, _)| *id);
    let snaps = MAKES.iter().filter_map(|make| make.snap).map(|(name, _)| name);
    (flatpaks, snaps)
}

/// The browsers of this user, in a steady order.
pub fn found(home: &Home) -> Vec<Browser> {
    if let Some(profiles) = home.profiles() {
        return vec![Browser {
            name: profiles.display().to_string(),
            hosts: vec![profiles.join(HOSTS)],
            key: None,
            cage: None,
            policies: None,
            make_key: CHROME,
        }];
    }
    let mut found: Vec<Browser> = MAKES.iter().filter_map(|make| plain(home, make)).collect();
    if home.system() == System::Linux {
        found.extend(MAKES.iter().flat_map(|make| caged(home, make)));
    }
    found
}

fn plain(home: &Home, make: &Make) -> Option<Browser> {
    let config = home.config();
    let below = match home.system() {
        System::Linux => make.linux,
        System::Mac => make.mac,
        System::Windows => make.windows,
    }?;
    // What roams is beside what stays.
    let profiles = match below.strip_prefix("../Roaming/") {
        Some(roaming) => home.settings().join(roaming),
        None => config.join(below),
    };
    if !is_profile_folder(&profiles) {
        return None;
    }
    let hosts = match (home.system(), make.reads) {
        (System::Windows, _) => Vec::new(),
        (System::Linux, Reads::Chromes) => vec![config.join("google-chrome")],
        (System::Mac, Reads::Chromes) => vec![profiles, config.join("Google/Chrome")],
        (System::Mac, Reads::Also(other)) => vec![profiles, config.join(other)],
        (System::Linux, Reads::Own | Reads::Also(_)) | (System::Mac, Reads::Own) => vec![profiles],
    };
    Some(Browser {
        name: make.name.to_owned(),
        hosts: hosts.into_iter().map(|folder| folder.join(HOSTS)).collect(),
        key: (home.system() == System::Windows).then(|| make.key.to_owned()),
        cage: None,
        policies: (home.system() == System::Linux).then(|| home.system_wide(make.policies)),
        make_key: make.key,
    })
}

/// As Flatpaks and Snaps.
fn caged(home: &Home, make: &Make) -> Vec<Browser> {
    let flatpaks = make.flatpak.iter().map(|(id, profiles)| {
        let app = home.user().join(".var/app").join(id);
        let hosts = match make.reads {
            Reads::Chromes => app.join("config/google-chrome"),
            Reads::Own | Reads::Also(_) => app.join("config").join(profiles),
        };
        ("Flatpak", app.join("config").join(profiles), hosts, app.join("data"))
    });
    let snaps = make.snap.iter().map(|(name, profiles)| {
        let snap = home.user().join("snap").join(name);
        let hosts = match make.reads {
            Reads::Chromes => snap.join("current/.config/google-chrome"),
            Reads::Own | Reads::Also(_) => snap.join(profiles),
        };
        ("Snap", snap.join(profiles), hosts, snap.join("common"))
    });
    let there = flatpaks.chain(snaps).filter(|(_, profiles, ..)| is_profile_folder(profiles));
    there
        .map(|(kind, _, hosts, folder)| Browser {
            name: format!("{} ({kind})", make.name),
            hosts: vec![hosts.join(HOSTS)],
            key: None,
            cage: Some(Cage { kind, folder }),
            policies: None,
            make_key: make.key,
        })
        .collect()
}

/// Other installers make the folder for manifests of browsers that are not there: it alone is no browser.
fn is_profile_folder(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|entries| entries.flatten().any(|entry| entry.file_name() != HOSTS))
}
