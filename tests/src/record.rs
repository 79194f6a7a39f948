//! What pages say happened to them. It is kept on the server's side, so that a test judges by it and never by what
//! the product reports.

use crate::shop::{Card, Order};
use serde::{Deserialize, Serialize};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

/// One thing that happened on a page.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct Entry {
    /// `click`, `change`, `submit`, or a page's own word.
    pub event: String,
    /// The `id` of the element, or of the nearest element around it that has one.
    #[serde(default)]
    pub id: String,
    /// A value, where there is one.
    #[serde(default)]
    pub value: String,
    /// The page's file name.
    #[serde(default)]
    pub page: String,
    /// Whether the event came from the browser and not from a script.
    #[serde(default)]
    pub trusted: bool,
}

/// Everything that one visit left behind.
#[derive(Debug, Default)]
pub struct Run {
    pub entries: Vec<Entry>,
    /// What was asked for of its pages, with the host that it was asked of.
    pub asked: Vec<String>,
    /// Cards by the token given for them.
    pub cards: HashMap<String, Card>,
    pub orders: Vec<Order>,
}

/// The records of all visits. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct Records(Arc<Mutex<HashMap<String, Run>>>);

impl Records {
    pub fn read<T>(&self, run: &str, look: impl FnOnce(&Run) -> T) -> T {
        self.write(run, |run| look(run))
    }

    pub fn write<T>(&self, run: &str, change: impl FnOnce(&mut Run) -> T) -> T {
        let mut runs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        change(runs.entry(run.to_owned()).or_default())
    }
}
