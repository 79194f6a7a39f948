//! The web that trials visit: one server on this machine, reached as `127.0.0.1` and as `localhost`, which browsers
//! take for two sites. Each visit has its own path, and with it its own record, so that trials do not see each
//! other. Pages come from `tests/pages`, `tests/shop` and `tests/libraries` as they are; in HTML, `{{other-site}}` becomes the same
//! path on the other of the two names. `endless` is a page that never finishes loading.

mod serve;

use crate::{record::Records, shop::Order};
use anyhow::Result;
use std::{
    net::{Ipv4Addr, Ipv6Addr},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};
use tokio::{net::TcpListener, task::JoinSet};

pub use crate::record::Entry;
pub(crate) use serve::State;

/// The running server; it ends when the value is dropped.
pub struct Site {
    port: u16,
    last: AtomicU32,
    records: Records,
    // Aborts the servers when dropped.
    _servers: JoinSet<()>,
}

impl Site {
    /// Starts to serve on a port that the system chooses.
    pub async fn start() -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let port = listener.local_addr()?.port();
        let records = Records::default();
        let folder: Arc<Path> = PathBuf::from(env!("CARGO_MANIFEST_DIR")).into();
        let app = serve::app(State { folder, records: records.clone() });

        let mut servers = JoinSet::new();
        // Browsers may try IPv6 first for `localhost`: nobody else shall answer there. Some machines have no IPv6.
        if let Ok(second) = TcpListener::bind((Ipv6Addr::LOCALHOST, port)).await {
            let app = app.clone();
            servers.spawn(async move { axum::serve(second, app).await.unwrap_or_default() });
        }
        servers.spawn(async move { axum::serve(listener, app).await.unwrap_or_default() });
        Ok(Self { port, last: AtomicU32::new(0), records, _servers: servers })
    }

    /// The port it is reached at.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// A visit with an empty record.
    pub fn visit(&self) -> Visit {
        let run = format!("v{}", self.last.fetch_add(1, Ordering::Relaxed) + 1);
        Visit { port: self.port, run, records: self.records.clone() }
    }
}

/// One visit: addresses of its own and the record of what happened there.
#[derive(Clone)]
pub struct Visit {
    port: u16,
    run: String,
    records: Records,
}

impl Visit {
    /// What tells it from other visits.
    pub fn name(&self) -> &str {
        &self.run
    }

    /// The address of a page of `tests/pages`; of one that begins with `libraries/`, of `tests/libraries`.
    pub fn page(&self, name: &str) -> String {
        let folder = if name.starts_with("libraries/") { "" } else { "pages/" };
        format!("{}{folder}{name}", self.root())
    }

    /// What the addresses of all its pages begin with.
    pub fn root(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.run)
    }

    /// The shop's address.
    pub fn shop(&self) -> String {
        format!("http://127.0.0.1:{}/{}/shop/index.html", self.port, self.run)
    }

    /// What the pages of this visit recorded so far, in the order of arrival.
    pub fn record(&self) -> Vec<Entry> {
        self.records.read(&self.run, |run| run.entries.clone())
    }

    /// The pages that the server was asked for, as `host:port/page`, in the order in which it was.
    pub fn asked(&self) -> Vec<String> {
        self.records.read(&self.run, |run| run.asked.clone())
    }

    /// The orders that the shop took.
    pub fn orders(&self) -> Vec<Order> {
        self.records.read(&self.run, |run| run.orders.clone())
    }

    /// Waits until the record holds, and gives it back; else the record as it is, for the judge to refuse.
    pub async fn record_once(&self, holds: impl Fn(&[Entry]) -> bool) -> Vec<Entry> {
        for _ in 0..100 {
            let record = self.record();
            if holds(&record) {
                return record;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        self.record()
    }
}
