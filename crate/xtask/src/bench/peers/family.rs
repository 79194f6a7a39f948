//! All that a peer started, however it cut itself loose: processes that carry its mark in their environment, and what
//! descends from them. They are ended one by one, by their numbers. Known on Linux only; elsewhere there is none, and
//! a peer is trusted to end its browser itself.

use std::{
    collections::BTreeSet,
    fs,
    path::Path,
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, Instant},
};

/// A process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    pub id: u32,
    parent: u32,
    /// When it began, in the system's ticks: tells it from a later one of the same number.
    begun: u64,
    /// The line it was started with.
    line: String,
}

impl Member {
    /// Whether it is of that program, which may be a script that names the true one.
    pub fn runs(&self, program: &str) -> bool {
        let name = Path::new(program).file_name().and_then(|name| name.to_str()).unwrap_or(program);
        let own = self.line.split('\0').next().unwrap_or_default();
        Path::new(own).file_name().is_some_and(|own| own.to_string_lossy().starts_with(name))
            || self.line.contains("--type=")
            || self.line.contains("--user-data-dir=")
            || own.contains("crashpad")
    }
}

/// Processes of one peer; they end when the value is dropped.
pub struct Family {
    mark: String,
}

impl Default for Family {
    fn default() -> Self {
        static LAST: AtomicU32 = AtomicU32::new(0);
        let number = LAST.fetch_add(1, Ordering::Relaxed);
        Self { mark: format!("{}-{number}", std::process::id()) }
    }
}

impl Family {
    /// The variable that carries the mark.
    pub const MARK: &str = "TABWRIGHT_BENCH_PEER";

    pub fn mark(&self) -> &str {
        &self.mark
    }

    /// Those that live now.
    pub fn members(&self) -> Vec<Member> {
        let marked = format!("{}={}", Self::MARK, self.mark);
        let all = processes();
        let mut ids: BTreeSet<u32> = all.iter().map(|it| it.id).filter(|id| carries(*id, &marked)).collect();
        loop {
            let more: Vec<u32> = all
                .iter()
                .filter(|it| ids.contains(&it.parent) && !ids.contains(&it.id))
                .map(|it| it.id)
                .collect();
            if more.is_empty() {
                break;
            }
            ids.extend(more);
        }
        all.into_iter().filter(|it| ids.contains(&it.id)).collect()
    }
}

impl Drop for Family {
    fn drop(&mut self) {
        let members = self.members();
        for member in &members {
            kill(member);
        }
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(3) && members.iter().any(is_alive) {
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

#[cfg(unix)]
fn kill(member: &Member) {
    let id = i32::try_from(member.id).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(id) = id.filter(|_| is_alive(member)) {
        // It may have ended meanwhile.
        let _ = rustix::process::kill_process(id, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill(_: &Member) {}

/// Whether it is still the process that it was.
fn is_alive(member: &Member) -> bool {
    read(member.id).is_some_and(|now| now.begun == member.begun)
}

fn processes() -> Vec<Member> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let ids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    ids.filter_map(read).collect()
}

/// None when it has gone, or waits only to be told of.
fn read(id: u32) -> Option<Member> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name before it may hold anything.
    let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
    if fields.first() == Some(&"Z") {
        return None;
    }
    let line = fs::read_to_string(format!("/proc/{id}/cmdline")).unwrap_or_default();
    Some(Member { id, parent: fields.get(1)?.parse().ok()?, begun: fields.get(19)?.parse().ok()?, line })
}

fn carries(id: u32, marked: &str) -> bool {
    let Ok(environment) = fs::read(format!("/proc/{id}/environ")) else { return false };
    environment.split(|byte| *byte == 0).any(|variable| variable == marked.as_bytes())
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn what_cut_itself_loose_is_ended_too() {
        let family = Family::default();
        // The outer shell ends at once; its child is nobody's.
        let mut shell = Command::new("sh");
        shell.args(["-c", "sleep 1000 & echo $!"]).env(Family::MARK, family.mark());
        shell.stderr(std::process::Stdio::null());
        let loose = shell.stdout(std::process::Stdio::piped()).spawn().unwrap();
        let mut loose = loose;
        let mut said = String::new();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(loose.stdout.take().unwrap()), &mut said)
            .unwrap();
        loose.wait().unwrap();
        let id: u32 = said.trim().parse().unwrap();
        let members = family.members();
        assert!(members.iter().any(|member| member.id == id), "{members:?}");
        drop(family);
        assert!(read(id).is_none_or(|now| !now.line.starts_with("sleep")));
    }
}
