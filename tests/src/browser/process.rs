//! The browser's processes: started as a group of their own with the debugging pipe, ended as a group. Only what
//! was started here is ever ended.

use crate::pipe::Pipe;
use anyhow::{Context as _, Result};
use std::{
    path::Path,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};
use tokio::process::{Child, Command};

/// The browser and what it started.
pub struct Group {
    leader: Mutex<Child>,
    id: u32,
}

/// Starts the browser as the leader of a new group, file descriptors 3 and 4 being the debugging pipe.
#[cfg(unix)]
pub fn spawn(mut command: Command) -> Result<(Group, Pipe)> {
    use command_fds::{CommandFdExt as _, FdMapping};
    use tokio::net::unix::pipe;

    let (their_read, our_write) = std::io::pipe()?;
    let (our_read, their_write) = std::io::pipe()?;
    command.fd_mappings(vec![
        FdMapping { parent_fd: their_read.into(), child_fd: 3 },
        FdMapping { parent_fd: their_write.into(), child_fd: 4 },
    ])?;
    command.process_group(0).kill_on_drop(true);
    let leader = command.spawn().context("the browser could not be started")?;
    // It holds our copies of the browser's two ends; the browser's death shows only once they are closed.
    drop(command);
    let id = leader.id().context("the browser ended at once")?;
    let read = pipe::Receiver::from_owned_fd(our_read.into())?;
    let write = pipe::Sender::from_owned_fd(our_write.into())?;
    Ok((Group { leader: Mutex::new(leader), id }, Pipe::open(read, write)))
}

/// Windows hands the pipe over by other means, which the standard library does not offer.
#[cfg(not(unix))]
pub fn spawn(_: Command) -> Result<(Group, Pipe)> {
    anyhow::bail!("starting a browser for trials works on Linux and macOS only, so far")
}

impl Group {
    /// Kills all members and waits until the leader is gone. Does nothing the second time.
    pub fn end(&self) {
        let mut leader = self.leader.lock().unwrap_or_else(PoisonError::into_inner);
        // Once the leader is reaped its number may belong to someone else.
        if !matches!(leader.try_wait(), Ok(None)) {
            return;
        }
        self.kill_all(&mut leader);
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(3) && matches!(leader.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits until the leader has ended by itself.
    pub async fn wait(&self, patience: Duration) {
        let start = Instant::now();
        while start.elapsed() < patience {
            let gone = {
                let mut leader = self.leader.lock().unwrap_or_else(PoisonError::into_inner);
                !matches!(leader.try_wait(), Ok(None))
            };
            if gone {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    #[cfg(unix)]
    fn kill_all(&self, leader: &mut Child) {
        let group = i32::try_from(self.id).ok().and_then(rustix::process::Pid::from_raw);
        let killed =
            group.map(|group| rustix::process::kill_process_group(group, rustix::process::Signal::KILL));
        if !matches!(killed, Some(Ok(()))) {
            let _ = leader.start_kill();
        }
    }

    #[cfg(not(unix))]
    fn kill_all(&self, leader: &mut Child) {
        let _ = leader.start_kill();
    }

    /// Sends a signal, as `kill` names it, to the members that run `executable`. Gives back how many there were.
    pub async fn signal_members(&self, executable: &Path, signal: &str) -> Result<usize> {
        let listed = Command::new("ps").args(["-A", "-o", "pid=,pgid=,args="]).output().await?;
        let mut reached = 0;
        for line in String::from_utf8_lossy(&listed.stdout).lines() {
            let mut words = line.split_whitespace();
            let (Some(process), Some(group)) = (words.next(), words.next()) else { continue };
            let runs = line.contains(&*executable.to_string_lossy());
            if runs && group.parse() == Ok(self.id) {
                let status = Command::new("kill").args([signal, process]).status().await?;
                reached += usize::from(status.success());
            }
        }
        Ok(reached)
    }
}

/// Removes a folder that dying processes may still write to.
pub fn remove_folder(folder: &Path) {
    for _ in 0..40 {
        let _ = std::fs::remove_dir_all(folder);
        if !folder.exists() {
            return;
        }
        std::thread::sleep(Duration::from_millis(25));
    }
}

/// Whether we run as root, where Chrome's sandbox refuses to work.
pub fn is_root() -> bool {
    #[cfg(unix)]
    return rustix::process::geteuid().is_root();
    #[cfg(not(unix))]
    return false;
}
