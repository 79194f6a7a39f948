//! The demo as a person runs it: to its end, and with Ctrl-C on its way, after which nothing of it may be left.

use super::tally::Tally;
use crate::workspace::Workspace;
use anyhow::{Context as _, Result, bail};
use std::process::Command;

/// It orders the right thing and says so.
pub fn whole(workspace: &Workspace) -> Result<Tally> {
    let output = demo(workspace)?.output()?;
    let (said, told) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if !output.status.success() || !said.contains("the right order, once") {
        bail!("the demo failed ({})\n{told}{said}", output.status);
    }
    Ok(Tally::PASSED)
}

fn demo(workspace: &Workspace) -> Result<Command> {
    let mut demo = Command::new(std::env::current_exe().context("xtask does not know where it is")?);
    demo.arg("demo").current_dir(&workspace.root);
    Ok(demo)
}

/// Ctrl-C while it writes `dist/`, and while it orders.
#[cfg(unix)]
pub fn interrupted(workspace: &Workspace) -> Tally {
    let mut sum = Tally::default();
    for moment in [unix::Moment::Writing, unix::Moment::Ordering] {
        sum += match unix::interrupt(workspace, moment) {
            Ok(()) => Tally::PASSED,
            Err(error) => {
                eprintln!("interrupted while {moment:?}: {error:#}");
                Tally::FAILED
            }
        };
    }
    sum
}

/// There are no such signals there.
#[cfg(not(unix))]
pub fn interrupted(_: &Workspace) -> Tally {
    Tally::default()
}

#[cfg(unix)]
mod unix {
    use super::demo;
    use crate::{interrupt, process, workspace::Workspace};
    use anyhow::{Context as _, Result, ensure};
    use rustix::process::{Pid, Signal, kill_process_group};
    use std::{
        collections::BTreeSet,
        fs,
        io::{BufRead as _, BufReader, Read as _},
        os::unix::process::CommandExt as _,
        path::{Path, PathBuf},
        process::{Child, Command, Stdio},
        thread,
        time::{Duration, Instant},
    };

    /// How long it may take to get to the moment: it may have to build.
    const PATIENCE: Duration = Duration::from_mins(2);

    /// How long it may take to end.
    const SOON: Duration = Duration::from_secs(10);

    /// When.
    #[derive(Debug, Clone, Copy)]
    pub enum Moment {
        Writing,
        Ordering,
    }

    /// Starts it, waits for the moment, presses Ctrl-C, and looks for what is left.
    pub fn interrupt(workspace: &Workspace, moment: Moment) -> Result<()> {
        // A short name: sockets lie below it.
        let temporary = tempfile::Builder::new().prefix("tw-").tempdir()?;
        let mut demo = demo(workspace)?;
        // A group of its own, as a terminal gives it one.
        demo.process_group(0).env("TMPDIR", temporary.path());
        let mut child = demo.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let group = child.id();
        let reached = match moment {
            Moment::Writing => until_it_writes(&workspace.root, &mut child).map(|()| BTreeSet::new()),
            // The browser has a group of its own.
            Moment::Ordering => until_it_orders(&mut child)
                .and_then(|()| running(|line| line.contains(&*temporary.path().to_string_lossy()))),
        };
        // The whole group, as a terminal does.
        press(group, Signal::INT)?;
        let ended = end(&mut child);
        if ended.is_err() {
            press(group, Signal::KILL)?;
        }
        let mut groups = reached?;
        groups.insert(group.to_string());
        let code = ended?;
        ensure!(code == Some(interrupt::EXIT.into()), "it ended with {code:?}");

        let left = staging(&workspace.root)?;
        ensure!(left.is_empty(), "it left {left:?}");
        let left: Vec<_> = fs::read_dir(temporary.path())?.collect::<Result<_, _>>()?;
        ensure!(left.is_empty(), "it left {left:?}");
        let start = Instant::now();
        loop {
            let left = running(|line| line.split_whitespace().nth(1).is_some_and(|of| groups.contains(of)))?;
            if left.is_empty() {
                return Ok(());
            }
            ensure!(start.elapsed() < SOON, "processes of the groups {left:?} go on");
            thread::sleep(Duration::from_millis(20));
        }
    }

    fn press(group: u32, signal: Signal) -> Result<()> {
        let group = i32::try_from(group).ok().and_then(Pid::from_raw).context("no group has this number")?;
        Ok(kill_process_group(group, signal)?)
    }

    fn until_it_writes(root: &Path, child: &mut Child) -> Result<()> {
        let start = Instant::now();
        while staging(root)?.is_empty() {
            ensure!(child.try_wait()?.is_none(), "it ended before it wrote");
            ensure!(start.elapsed() < PATIENCE, "it writes nothing");
            thread::yield_now();
        }
        Ok(())
    }

    /// Two replies have come when it is told the second time what one cost.
    fn until_it_orders(child: &mut Child) -> Result<()> {
        let mut said = BufReader::new(child.stdout.take().context("it says nothing")?);
        let (mut costs, mut line) = (0, String::new());
        while costs < 2 {
            line.clear();
            ensure!(said.read_line(&mut line)? > 0, "it ended before it ordered");
            costs += usize::from(line.contains(" ms, ") && line.trim_end().ends_with(" tokens"));
        }
        // What else it says must go somewhere, or it would wait.
        thread::spawn(move || said.read_to_end(&mut Vec::new()));
        Ok(())
    }

    fn end(child: &mut Child) -> Result<Option<i32>> {
        let start = Instant::now();
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(status.code());
            }
            ensure!(start.elapsed() < SOON, "it does not end");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// The folders in which `dist/` is put together.
    fn staging(root: &Path) -> Result<Vec<PathBuf>> {
        let mut found = Vec::new();
        for entry in fs::read_dir(root)? {
            let entry = entry?;
            if entry.file_name().to_string_lossy().starts_with(".dist-") {
                found.push(entry.path());
            }
        }
        Ok(found)
    }

    /// The groups of the running processes whose line (state, group, arguments) fits.
    fn running(fits: impl Fn(&str) -> bool) -> Result<BTreeSet<String>> {
        let listed = process::output(Command::new("ps").args(["-A", "-o", "stat=,pgid=,args="]))?;
        // What has ended and is not yet waited for does no more.
        let lines = listed.lines().filter(|line| !line.trim_start().starts_with('Z') && fits(line));
        Ok(lines.filter_map(|line| line.split_whitespace().nth(1).map(str::to_owned)).collect())
    }
}
