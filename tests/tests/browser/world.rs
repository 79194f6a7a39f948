//! What all tests share: one browser, one site, one runtime. The browser starts with the first test that needs it
//! and ends with the last one, also on Ctrl-C.

use crate::trial::Trial;
use anyhow::{Context as _, Result, anyhow};
use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};
use tests::{
    Product,
    browser::{self, Browser, Setting},
    client::Agent,
    site::Site,
};
use tokio::{
    runtime::Runtime,
    sync::{OnceCell, RwLock, RwLockReadGuard, RwLockWriteGuard},
};

/// How many of the slowest tests are told.
const SLOWEST: usize = 12;

/// A test's turn, held until it ends.
enum Turn<'world> {
    /// Beside others.
    Shared(#[expect(dead_code, reason = "held, not read")] RwLockReadGuard<'world, ()>),
    /// Alone.
    Whole(#[expect(dead_code, reason = "held, not read")] RwLockWriteGuard<'world, ()>),
}

/// No test takes this long unless something hangs.
const PATIENCE: Duration = Duration::from_secs(90);

/// A test, under its name.
pub struct Case {
    pub name: String,
    pub test: Test,
}

/// How a test is run: next to others, or while all others rest (it stops what they stand on).
pub enum Test {
    Beside(Run),
    Alone(Run),
}

type Run = Box<dyn FnOnce(&Runtime, &mut Trial) -> Result<()> + Send>;

/// Makes a test of an async function.
pub fn run(test: impl AsyncFnOnce(&mut Trial) -> Result<()> + Send + 'static) -> Run {
    Box::new(move |runtime, trial| {
        runtime.block_on(async {
            tokio::time::timeout(PATIENCE, test(trial))
                .await
                .unwrap_or_else(|_| Err(anyhow!("not done within {} s", PATIENCE.as_secs())))
        })
    })
}

/// Lists the tests of a file: `cases!(beside: a, b; alone: c)`.
#[macro_export]
macro_rules! cases {
    ($(beside: $($beside:ident),+ $(,)?)? $(;)? $(alone: $($alone:ident),+ $(,)?)?) => {
        pub fn cases() -> Vec<$crate::world::Case> {
            use $crate::world::{Case, Test, run};
            let group = module_path!().rsplit("::").next().unwrap_or_default();
            vec![
                $($(Case { name: format!("{group}::{}", stringify!($beside)), test: Test::Beside(run($beside)) },)+)?
                $($(Case { name: format!("{group}::{}", stringify!($alone)), test: Test::Alone(run($alone)) },)+)?
            ]
        }
    };
}

/// The shared things.
pub struct World {
    runtime: Runtime,
    /// Tests that run alone hold it for writing.
    turn: RwLock<()>,
    stage: OnceCell<Arc<Stage>>,
    /// How long each test took, its waiting for a turn left out.
    times: Mutex<Vec<(Duration, String)>>,
}

/// The browser and the pages.
pub struct Stage {
    pub browser: Browser,
    pub site: Site,
    pub product: Product,
}

impl World {
    pub fn new() -> Result<Self> {
        Ok(Self {
            runtime: Runtime::new()?,
            turn: RwLock::new(()),
            stage: OnceCell::new(),
            times: Mutex::default(),
        })
    }

    /// [`Self::run`], with the time it takes kept for [`Self::tell_slowest`].
    pub fn timed(&self, name: &str, test: Test) -> Result<()> {
        let _turn = match test {
            Test::Beside(_) => Turn::Shared(self.runtime.block_on(self.turn.read())),
            Test::Alone(_) => Turn::Whole(self.runtime.block_on(self.turn.write())),
        };
        let begun = Instant::now();
        let outcome = self.run(name, test);
        self.times.lock().unwrap_or_else(PoisonError::into_inner).push((begun.elapsed(), name.to_owned()));
        outcome
    }

    /// Says which tests took longest, and how long all took together.
    pub fn tell_slowest(&self) {
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        times.sort_unstable_by(|one, other| other.cmp(one));
        let sum: Duration = times.iter().map(|(took, _)| *took).sum();
        eprintln!("{:.0} s in all, of them:", sum.as_secs_f64());
        for (took, name) in times.iter().take(SLOWEST) {
            eprintln!("{:6.1} s  {name}", took.as_secs_f64());
        }
    }

    /// Runs a test, whose turn it is, with an agent of its own. What the test heard last is part of its failure; the rest is kept.
    fn run(&self, name: &str, test: Test) -> Result<()> {
        let stage = self.runtime.block_on(self.stage())?;
        let prepare = async {
            let agent = Agent::connect(&stage.product.host, &stage.browser.runtime(), name).await?;
            anyhow::Ok(Trial::new(Arc::clone(&stage), agent))
        };
        let carry_out = |run: Run, stays_behind: bool| {
            let mut trial = self.runtime.block_on(prepare)?;
            let outcome =
                run(&self.runtime, &mut trial)
                    .and_then(|()| {
                        if stays_behind { self.runtime.block_on(trial.stayed_behind()) } else { Ok(()) }
                    })
                    .map_err(|error| self.runtime.block_on(trial.keep(name, &error)));
            self.runtime.block_on(trial.close());
            outcome
        };
        match test {
            Test::Beside(run) => carry_out(run, true),
            Test::Alone(run) => carry_out(run, false),
        }
    }

    /// Ends the browser.
    pub fn end(&self) {
        if let Some(stage) = self.stage.get() {
            stage.browser.end();
        }
    }

    async fn stage(&self) -> Result<Arc<Stage>> {
        let start = async || {
            let stage = Arc::new(Stage::start().await?);
            let watched = Arc::clone(&stage);
            tokio::spawn(async move {
                if tokio::signal::ctrl_c().await.is_ok() {
                    watched.browser.end();
                    std::process::exit(130);
                }
            });
            Ok(stage)
        };
        self.stage.get_or_try_init(start).await.cloned()
    }
}

impl Stage {
    /// As all tests share one.
    pub async fn start() -> Result<Self> {
        Self::of(product()?, Setting::default()).await
    }

    /// A stage of its own where the person is asked: no unattended policy is in force.
    pub async fn attended() -> Result<Self> {
        Self::of(product()?, Setting { unattended: false, ..Setting::default() }).await
    }

    /// A stage of its own whose browser knows no host.
    pub async fn hostless() -> Result<Self> {
        Self::of(product()?, Setting { registered: false, ..Setting::default() }).await
    }

    /// A stage of its own for a test that needs the recording build.
    pub async fn recording() -> Result<Self> {
        let mut product = product()?;
        product.extension = match std::env::var_os("TABWRIGHT_RECORDING_DIST") {
            Some(named) => PathBuf::from(named),
            None => beside()?.with_file_name("dist-record"),
        };
        Self::of(product, Setting::default()).await
    }

    async fn of(product: Product, setting: Setting) -> Result<Self> {
        let executable = browser::find_or_install()?;
        let browser = Browser::launch_as(&executable, &product, setting).await?;
        if setting.registered {
            browser.wait_for_host().await?;
        }
        eprintln!("in {}", browser.version());
        Ok(Self { browser, site: Site::start().await?, product })
    }
}

/// Whether we were told which product to test.
pub fn is_product_named() -> bool {
    std::env::var_os("TABWRIGHT_DIST").is_some() && std::env::var_os("TABWRIGHT_HOST").is_some()
}

/// The product that `cargo xtask test` names, or what the usual folders hold.
fn product() -> Result<Product> {
    let named = |variable: &str| std::env::var_os(variable).map(PathBuf::from);
    let top = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let extension = named("TABWRIGHT_DIST").unwrap_or_else(|| top.with_file_name("dist"));
    let beside = beside()?.join(format!("tabwright{}", std::env::consts::EXE_SUFFIX));
    let host = named("TABWRIGHT_HOST").unwrap_or(beside);
    Ok(Product { extension, host })
}

/// The folder of the binaries: this program stands in `target/debug/deps`.
pub fn beside() -> Result<PathBuf> {
    Ok(std::env::current_exe()?.ancestors().nth(2).context("no folder of binaries")?.to_path_buf())
}
