//! `cargo xtask record`: plays short scenes in a real browser and keeps what went into the engine and came out of it
//! as `tests/transcripts/NAME.txt`. Each scene has a browser of its own, so that its transcript begins at the
//! beginning. What is written has been replayed once: a recording that does not hold is not kept.

mod acts;
mod scene;
mod scenes;

use crate::{demo, dist, workspace::Workspace};
use anyhow::{Context as _, Result, ensure};
use scene::Scene;
use std::{fs, pin::Pin, process::ExitCode, time::Instant};
use tests::{
    Product, browser,
    site::Site,
    transcript::{self, Transcript},
};

#[derive(clap::Args, Debug)]
pub struct Options {
    /// Record only the scenes whose name contains this
    #[arg(long)]
    only: Option<String>,
}

/// A transcript that is larger holds more page than it needs.
const LARGEST: usize = 160_000;

/// The build that keeps what goes in and out: unoptimised, in a folder of its own.
pub fn product(workspace: &Workspace) -> Result<Product> {
    let options = dist::Options {
        dev: true,
        features: vec!["record".to_owned()],
        out: Some(workspace.target.join("dist-record")),
    };
    demo::build(workspace, &options)
}

/// The command.
pub fn run(options: &Options) -> Result<ExitCode> {
    let product = product(&Workspace::find()?)?;
    let executable = browser::find_or_install()?;
    let folder = transcript::folder();
    fs::create_dir_all(&folder)?;
    let wanted = |name: &str| options.only.as_ref().is_none_or(|only| name.contains(only.as_str()));
    let scenes: Vec<&Take> =
        [acts::ALL, scenes::ALL].into_iter().flatten().filter(|take| wanted(take.name)).collect();
    let runtime = tokio::runtime::Runtime::new()?;
    let mut failed = Vec::new();
    for take in &scenes {
        let start = Instant::now();
        let recorded = runtime.block_on(async {
            let site = Site::start().await?;
            let mut scene = Scene::open(&executable, &product, &site).await?;
            let played = (take.play)(&mut scene).await;
            let recorded = scene.close().await?;
            played.map(|()| recorded)
        });
        match recorded.and_then(|recorded| keep(take, &recorded)) {
            Ok(size) => {
                let took = start.elapsed().as_secs_f32();
                eprintln!("{}: {} kB, {took:.1} s", take.name, size / 1000);
            }
            Err(error) => {
                eprintln!("{}: {error:#}", take.name);
                failed.push(take.name);
            }
        }
    }
    if options.only.is_none() {
        forget_others(&scenes)?;
    }
    ensure!(failed.is_empty(), "not recorded: {}", failed.join(", "));
    eprintln!("{} transcripts written to {}", scenes.len(), folder.display());
    Ok(ExitCode::SUCCESS)
}

/// One scene: its name, what it shows, how it is played.
struct Take {
    name: &'static str,
    shows: &'static str,
    play: Play,
}

type Play = for<'a> fn(&'a mut Scene) -> Pin<Box<dyn Future<Output = Result<()>> + 'a>>;

/// Lists the scenes of a file: a name, what it shows, the async function that plays it.
macro_rules! takes {
    ($($name:literal: $shows:literal by $play:ident,)+) => {
        pub const ALL: &[$crate::record::Take] = &[$($crate::record::Take {
            name: $name,
            shows: $shows,
            play: |scene| Box::pin($play(scene)),
        }),+];
    };
}
use takes;

/// What came of playing: the browser's version, the site's port, the lines.
struct Recorded {
    version: String,
    port: u16,
    lines: String,
}

/// Redacts, replays, writes. Gives back the size.
fn keep(take: &Take, recorded: &Recorded) -> Result<usize> {
    let lines = transcript::redact(&recorded.lines, recorded.port)?;
    let text = format!("# browser: {}\n# shows: {}\n{lines}", recorded.version, take.shows);
    let path = transcript::folder().join(format!("{}.txt", take.name));
    let replayed = Transcript::read(take.name, &text).and_then(|read| transcript::strictly(&read));
    if let Err(error) = replayed {
        let refused = std::env::temp_dir().join(format!("{}.refused.txt", take.name));
        fs::write(&refused, &text)?;
        return Err(error.context(format!("the recording, kept as {}, does not replay", refused.display())));
    }
    ensure!(text.len() <= LARGEST, "{} bytes: show less page", text.len());
    fs::write(&path, &text).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(text.len())
}

/// Removes transcripts of scenes that are no more.
fn forget_others(scenes: &[&Take]) -> Result<()> {
    for old in transcript::all()? {
        if !scenes.iter().any(|take| take.name == old.name) {
            fs::remove_file(transcript::folder().join(format!("{}.txt", old.name)))?;
        }
    }
    Ok(())
}
