//! What a host leaves beside its socket so that agents find it: who it is, and a lock held for as long as it
//! lives. Whoever lists hosts removes what the dead left. Process ids are for people: nothing is decided by them.

use crate::{folder, trouble::Trouble};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
    time::SystemTime,
};
use wire::WorkerHello;

/// A running host.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Descriptor {
    /// Its random id: the names of its files, echoed in its hello.
    pub instance: String,
    /// Its process.
    pub pid: u32,
    /// When it started, in milliseconds since 1970.
    #[serde(default)]
    pub since: u64,
    /// The browser, once the extension has said it.
    pub browser: Option<String>,
    /// What the person calls the profile, if anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// What makes the profile the same one again, once the extension has said it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The extension's version, once it has said it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extension: Option<String>,
    /// Version of this program.
    pub version: String,
    /// Version of the messages it speaks.
    pub protocol: u32,
    /// The folder that it lies in.
    #[serde(skip)]
    pub folder: PathBuf,
}

impl Descriptor {
    /// The name by which people know it.
    pub fn label(&self) -> String {
        let browser = self.browser.as_deref().unwrap_or("a browser");
        match &self.profile {
            Some(profile) => format!("{profile} ({browser})"),
            None => browser.to_owned(),
        }
    }

    /// The word by which agents call it, where no other has the same: the person's name for the profile, else the
    /// browser's without its version.
    fn word(&self) -> String {
        let browser = self.browser.as_deref().unwrap_or("browser");
        let name = self
            .profile
            .as_deref()
            .unwrap_or_else(|| browser.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.').trim_end());
        let word: String =
            name.to_lowercase().chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
        let word = word.trim_matches('-');
        if word.is_empty() { "browser".to_owned() } else { word.to_owned() }
    }

    /// Where it listens.
    pub fn socket(&self) -> PathBuf {
        socket_path(&self.folder, &self.instance)
    }

    /// Whether it lives, as far as its lock tells.
    pub fn is_living(&self) -> bool {
        !is_dead(&self.folder, &self.instance)
    }
}

/// Where a host listens.
pub fn socket_path(folder: &Path, instance: &str) -> PathBuf {
    folder.join(format!("{instance}.sock"))
}

fn descriptor_path(folder: &Path, instance: &str) -> PathBuf {
    folder.join(format!("{instance}.json"))
}

fn lock_path(folder: &Path, instance: &str) -> PathBuf {
    folder.join(format!("{instance}.lock"))
}

/// 128 random bits, as text.
pub fn random_word() -> Result<String, Trouble> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
    Ok(format!("{:032x}", u128::from_ne_bytes(bytes)))
}

/// A host's own entry; removed when dropped.
#[derive(Debug)]
pub struct Entry {
    folder: PathBuf,
    descriptor: Descriptor,
    /// Held for life.
    _lock: File,
}

impl Entry {
    /// Takes the lock of a new entry. Nobody sees the entry before it is published.
    pub fn claim() -> Result<Self, Trouble> {
        let folder = folder::made()?;
        let instance = random_word()?;
        let path = lock_path(&folder, &instance);
        // Locked before it has its name: whoever sees it free knows that its host is dead.
        let locked = || {
            let file = tempfile::NamedTempFile::new_in(&folder)?;
            file.as_file().lock()?;
            Ok(file.persist(&path)?)
        };
        let lock =
            locked().map_err(|source| Trouble::File { what: "cannot lock", path: path.clone(), source })?;
        let descriptor = Descriptor {
            instance,
            pid: std::process::id(),
            since: now(),
            browser: None,
            profile: None,
            id: None,
            extension: None,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            protocol: wire::PROTOCOL,
            folder: folder.clone(),
        };
        Ok(Self { folder, descriptor, _lock: lock })
    }

    /// Where this host listens.
    pub fn socket_path(&self) -> PathBuf {
        socket_path(&self.folder, &self.descriptor.instance)
    }

    /// Its random id.
    pub fn instance(&self) -> &str {
        &self.descriptor.instance
    }

    /// Lets agents see it, whole or not at all; again with what the extension says of itself once that is known.
    pub fn publish(&mut self, hello: Option<WorkerHello>) -> Result<(), Trouble> {
        if let Some(WorkerHello { browser, version, profile, id, protocol: _ }) = hello {
            self.descriptor.browser = Some(browser);
            self.descriptor.extension = Some(version);
            self.descriptor.profile = profile;
            self.descriptor.id = id;
        }
        let path = descriptor_path(&self.folder, &self.descriptor.instance);
        let written = || {
            let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
            serde_json::to_writer(&mut file, &self.descriptor)?;
            file.flush()?;
            file.persist(&path)?;
            Ok(())
        };
        written().map_err(|source| Trouble::File { what: "cannot write", path: path.clone(), source })
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        remove(&self.folder, &self.descriptor.instance);
    }
}

/// The hosts that live, in a steady order; what dead ones left is removed.
pub fn living() -> Result<Vec<Descriptor>, Trouble> {
    let mut all = Vec::new();
    for folder in folder::all()? {
        let Listed { living, dead } = listed(&folder)?;
        for instance in dead {
            tracing::info!(instance, "removing what a dead host left");
            remove(&folder, &instance);
        }
        all.extend(living);
    }
    one_of_each_profile(&mut all);
    sort(&mut all);
    Ok(all)
}

/// A profile that has a new host has given the old one up, also if that hangs and still holds its lock.
fn one_of_each_profile(all: &mut Vec<Descriptor>) {
    let newest: BTreeMap<_, _> = {
        let mut by_age: Vec<_> = all.iter().filter_map(|host| Some((host.since, host.id.clone()?))).collect();
        by_age.sort();
        by_age.into_iter().map(|(since, id)| (id, since)).collect()
    };
    all.retain(|host| {
        host.id.as_ref().and_then(|id| newest.get(id)).is_none_or(|since| *since == host.since)
    });
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or_default()
}

/// The words by which agents call these hosts, in their order, each its own. Namesakes are told apart by the beginning of
/// the profile's random id.
pub fn words(hosts: &[Descriptor]) -> Vec<String> {
    let plain: Vec<_> = hosts.iter().map(Descriptor::word).collect();
    let told = plain.iter().zip(hosts).map(|(word, host)| {
        let alone = plain.iter().filter(|other| *other == word).count() == 1;
        let id = host.id.as_deref().unwrap_or(&host.instance);
        if alone { word.clone() } else { format!("{word}-{}", id.get(..4).unwrap_or_default()) }
    });
    told.collect()
}

/// What lies in the folder.
#[derive(Debug, Default)]
pub struct Listed {
    /// Hosts that live, in a steady order.
    pub living: Vec<Descriptor>,
    /// The instances of hosts that died and left something.
    pub dead: Vec<String>,
}

/// Who lives and who died. Removes nothing.
pub fn listed(folder: &Path) -> Result<Listed, Trouble> {
    let mut listed = Listed::default();
    for instance in instances(folder)? {
        if is_dead(folder, &instance) {
            listed.dead.push(instance);
            continue;
        }
        let path = descriptor_path(folder, &instance);
        match fs::read(&path).map(|text| serde_json::from_slice::<Descriptor>(&text)) {
            Ok(Ok(descriptor)) if descriptor.instance == instance => {
                listed.living.push(Descriptor { folder: folder.to_owned(), ..descriptor });
            }
            Ok(Ok(_) | Err(_)) => tracing::warn!(path = %path.display(), "not a descriptor of ours"),
            // Not published yet, or gone meanwhile.
            Err(_) => {}
        }
    }
    sort(&mut listed.living);
    Ok(listed)
}

fn sort(living: &mut [Descriptor]) {
    living.sort_by(|a, b| (a.label(), &a.instance).cmp(&(b.label(), &b.instance)));
}

/// Whose files lie in the folder.
fn instances(folder: &Path) -> Result<BTreeSet<String>, Trouble> {
    let entries = fs::read_dir(folder).map_err(|source| Trouble::File {
        what: "cannot list",
        path: folder.to_owned(),
        source,
    })?;
    let ours = entries.flatten().filter_map(|entry| {
        let path = entry.path();
        let kind = path.extension()?;
        let instance = path.file_stem()?.to_str()?;
        let word = instance.len() == 32 && instance.bytes().all(|byte| byte.is_ascii_hexdigit());
        (word && (kind == "json" || kind == "lock")).then(|| instance.to_owned())
    });
    Ok(ours.collect())
}

/// Whether nobody holds the lock.
fn is_dead(folder: &Path, instance: &str) -> bool {
    match File::open(lock_path(folder, instance)) {
        Ok(lock) => lock.try_lock().is_ok(),
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}

fn remove(folder: &Path, instance: &str) {
    // The lock's file last: as long as it is there, the entry can be told to be dead.
    for path in
        [descriptor_path(folder, instance), socket_path(folder, instance), lock_path(folder, instance)]
    {
        if let Err(error) = fs::remove_file(&path)
            && error.kind() != std::io::ErrorKind::NotFound
        {
            tracing::warn!(path = %path.display(), %error, "cannot remove");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_profile_the_newest_host_counts() {
        let host = |instance: &str, id: Option<&str>, since| Descriptor {
            instance: instance.to_owned(),
            since,
            id: id.map(str::to_owned),
            ..Descriptor::default()
        };
        let mut all = vec![
            host("hangs", Some("a"), 1),
            host("other", Some("b"), 2),
            host("fresh", None, 1),
            host("next", Some("a"), 3),
            host("new", None, 4),
        ];
        one_of_each_profile(&mut all);
        let left: Vec<_> = all.iter().map(|host| host.instance.as_str()).collect();
        assert_eq!(left, ["other", "fresh", "next", "new"]);
    }

    #[test]
    fn browsers_are_called_by_their_profile_or_their_kind_and_never_alike() {
        let host = |instance: &str, browser: Option<&str>, profile: Option<&str>| Descriptor {
            instance: instance.to_owned(),
            browser: browser.map(str::to_owned),
            profile: profile.map(str::to_owned),
            ..Descriptor::default()
        };
        let called = words(&[
            host("aaaa1", Some("Chromium 156"), Some("My Work!")),
            host("bbbb1", Some("Google Chrome 156.0"), None),
            host("cccc1", Some("Chromium 156"), None),
            host("dddd1", Some("Chromium 155"), None),
            host("eeee1", None, Some("/")),
        ]);
        assert_eq!(called, ["my-work", "google-chrome", "chromium-cccc", "chromium-dddd", "browser"]);
    }
}
