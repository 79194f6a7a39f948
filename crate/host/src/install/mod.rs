//! `install` and `uninstall`: unpacks the extension, registers this program with the browsers of this user, writes it
//! into settings of clients when asked, and takes exactly that back.

pub mod browsers;
pub mod clients;
pub mod extension;
pub mod plan;
pub mod record;
pub mod registry;
mod write;

#[cfg(test)]
pub mod tests;

use crate::{
    home::{Home, System},
    trouble::Trouble,
};
use clients::{CLIENTS, Client};
use plan::{Source, What, Whom, Write};
use record::Record;
use registry::Registry;
use std::{
    collections::BTreeSet,
    fmt::Write as _,
    fs, io,
    path::{Path, PathBuf},
};
pub use write::may_be_started;
use write::{Back, Came, Mode};

/// The folder of the extension, beside the record.
const EXTENSION: &str = "extension";

/// What `install` is asked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Clients whose settings are to name this program.
    pub clients: Vec<String>,
    /// Only tell.
    pub dry_run: bool,
}

/// Installs; gives what to print.
pub fn install(
    home: &Home,
    source: &Source,
    wanted: &Wanted,
    registry: &mut dyn Registry,
) -> Result<String, Trouble> {
    let clients: Vec<&'static Client> =
        wanted.clients.iter().filter_map(|name| Client::named(name)).collect();
    let data = home.data();
    // A record that cannot be read is no reason to stay broken: it is begun anew.
    let known = Record::read(&data).unwrap_or(None);
    let before = known.clone().unwrap_or_default();
    let plan = plan::plan(home, source, &clients, &before)?;
    let browsers = browsers::found(home);
    let mut told = String::new();
    if wanted.dry_run {
        tell_plan(&mut told, &plan, &*registry);
    } else {
        let mut made = before.folders.clone();
        let mut changed = false;
        let mut came = Vec::new();
        for write in &plan {
            let done = write::carry_out(write, &before, &mut made, registry).map_err(|source| {
                Trouble::File { what: "cannot write", path: write::place(write).into(), source }
            })?;
            changed |= done == Came::Written;
            came.push((write, done));
        }
        tell_done(&mut told, &came);
        let record = Record { folders: made, ..plan::record(&before, &plan, source.program) };
        changed |= keep(&data, record, known.as_ref())?;
        if !changed {
            told.push_str("nothing changed\n");
        }
    }
    if browsers.is_empty() {
        told.push_str("no browser of this user was found; ");
        told.push_str(match home.system() {
            System::Windows => "start one once, then install again\n",
            System::Linux | System::Mac => {
                "start one once, then install again, or name its profile folder: --user-data-dir DIR\n"
            }
        });
    }
    tell_cages(&mut told, &browsers);
    tell_next(&mut told, home, source);
    Ok(told)
}

/// Writes the record; whether that changed it.
fn keep(data: &Path, mut record: Record, before: Option<&Record>) -> Result<bool, Trouble> {
    let path = Record::path(data);
    let written =
        |record: &Record, made: &mut BTreeSet<PathBuf>| -> Result<(), Trouble> {
            write::put(&path, record.text()?.as_bytes(), Mode::Private, made)
                .map_err(|source| Trouble::File { what: "cannot write", path: path.clone(), source })
        };
    if before == Some(&record) {
        return Ok(false);
    }
    let mut made = record.folders.clone();
    written(&record, &mut made)?;
    if made != record.folders {
        record.folders = made;
        written(&record, &mut BTreeSet::new())?;
    }
    Ok(true)
}

/// Takes back what [`install`] wrote; gives what to print, and whether all of it is gone.
pub fn uninstall(home: &Home, registry: &mut dyn Registry) -> Result<(String, bool), Trouble> {
    let data = home.data();
    let Some(record) = Record::read(&data)? else {
        return Ok((format!("nothing was installed: no {}\n", Record::path(&data).display()), true));
    };
    let back = write::take_back(&record, registry).map_err(|(path, source)| Trouble::File {
        what: "cannot take back",
        path,
        source,
    })?;
    let path = Record::path(&data);
    fs::remove_file(&path).map_err(|source| Trouble::File { what: "cannot remove", path, source })?;
    write::take_back_folders(&record);
    let mut told = String::new();
    let mut all = true;
    let inside = extension::folder(&data);
    let inside = inside.display().to_string();
    let mut packed = 0;
    for back in back {
        match back {
            Back::Removed(line) if line.contains(&inside) => packed += 1,
            Back::Removed(line) => told.push_str(&(line + "\n")),
            Back::Changed(line) => {
                all = false;
                told.push_str(&(line + "\n"));
            }
        }
    }
    if packed > 0 {
        let _ = writeln!(told, "removed: the extension's {packed} files in {inside}");
    }
    if told.is_empty() {
        told.push_str("nothing was left to remove\n");
    }
    Ok((told, all))
}

fn tell_plan(told: &mut String, plan: &[Write], registry: &dyn Registry) {
    told.push_str("nothing is written; this would be:\n");
    let mut packed = (0, 0);
    for write in plan {
        let so = write::is_so(write, registry);
        if write::of_extension(write) {
            packed.0 += 1;
            packed.1 += usize::from(so);
            continue;
        }
        let verb = if so { "is there already" } else { "write" };
        let _ = writeln!(told, "{}: {verb}: {}", name(&write.whom), write::place(write));
        if so {
            continue;
        }
        let content = match &write.what {
            What::File { program: true, .. } => "(a copy of this program)".to_owned(),
            What::File { content, .. } => String::from_utf8_lossy(content).into_owned(),
            What::Key { path, .. } => path.display().to_string(),
            What::Settings { text, .. } => text.clone(),
            What::NoFile { .. } | What::SettingsKept { .. } => continue,
        };
        for line in content.lines() {
            let _ = writeln!(told, "    {line}");
        }
    }
    if packed.0 > 0 {
        let _ = writeln!(told, "extension: {} files, {} there already", packed.0, packed.1);
    }
}

fn tell_done(told: &mut String, came: &[(&Write, Came)]) {
    let (packed, rest): (Vec<_>, Vec<_>) = came.iter().partition(|(write, _)| write::of_extension(write));
    if !packed.is_empty() {
        let written = packed.iter().filter(|(_, came)| *came == Came::Written).count();
        let _ = match written {
            0 => writeln!(told, "extension: unpacked already, {} files", packed.len()),
            _ => writeln!(told, "extension: unpacked, {written} of {} files written", packed.len()),
        };
    }
    for (write, came) in rest {
        let what = match (&write.whom, came) {
            (Whom::Client(_), Came::Written) => "written",
            (Whom::Client(_), Came::Unchanged) => "written already",
            (Whom::Extension | Whom::Browser(_), Came::Written) => "registered",
            (Whom::Extension | Whom::Browser(_), Came::Unchanged) => "registered already",
        };
        let _ = writeln!(told, "{}: {what}: {}", name(&write.whom), write::place(write));
    }
}

fn name(whom: &Whom) -> &str {
    match whom {
        Whom::Extension => "extension",
        Whom::Browser(name) => name,
        Whom::Client(name) => name,
    }
}

fn tell_cages(told: &mut String, browsers: &[browsers::Browser]) {
    for browser in browsers {
        if let Some(cage) = &browser.cage {
            let _ = writeln!(
                told,
                "{}: a {} starts only what lies in its own folder: it got a copy of this program; install again \
                 after each update (written, not run)",
                browser.name, cage.kind
            );
        }
    }
}

/// What to do next: the extension, once, and the agents.
fn tell_next(told: &mut String, home: &Home, source: &Source) {
    let folder = if source.extension.is_empty() {
        "this build carries no extension: choose the repository's dist folder (`cargo xtask dist`)".to_owned()
    } else {
        extension::folder(&home.data()).display().to_string()
    };
    let _ = writeln!(
        told,
        "\nnext, once in each browser: open chrome://extensions, switch on Developer mode, press \"Load unpacked\", \
         choose\n    {folder}\nthen tell your agent, by one of these lines:"
    );
    for client in &CLIENTS {
        let _ = writeln!(told, "    {:<15} {}", client.name, client.line(home, source.program));
    }
    told.push_str("or have it written: tabwright install --client NAME\n");
}

/// A path as a word of the system's shell.
pub fn quoted(system: System, path: &Path) -> String {
    let path = path.display().to_string();
    match system {
        System::Windows if path.contains([' ', '&', '(', ')']) => format!("\"{path}\""),
        System::Windows => path,
        System::Linux | System::Mac => shlex::try_quote(&path).map_or(path.clone(), Into::into),
    }
}

/// Why no browser is connected: what to do about it differs.
pub fn why_no_browser() -> Trouble {
    let registered = Home::of_this_user().is_ok_and(|home| is_registered(&home, &registry::OfThisUser));
    if registered { Trouble::NoBrowser } else { Trouble::NotInstalled }
}

/// Whether any browser of this user knows the host.
fn is_registered(home: &Home, registry: &dyn Registry) -> bool {
    browsers::found(home).iter().any(|browser| match &browser.key {
        Some(key) => registry.get(&registry::host_key(key)).is_some(),
        None => plan::manifests(home, browser).iter().any(|manifest| manifest.exists()),
    })
}

/// This program, by its real path.
pub fn this_program() -> Result<PathBuf, Trouble> {
    let program = std::env::current_exe().map_err(Trouble::Io)?;
    if program.is_absolute() { Ok(program) } else { Err(io::Error::from(io::ErrorKind::NotFound).into()) }
}
