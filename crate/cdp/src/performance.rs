//! `Performance`: how often a page computed its style and its layout.

use crate::{Nothing, command::command};
use serde::Deserialize;

command!(/// Starts counting; before, every count is 0.
    Enable = "Performance.enable", false => Nothing {});

command!(/// Asks for the counts of a session's documents.
    GetMetrics = "Performance.getMetrics", true => Metrics {});

/// All counts.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Metrics {
    /// Each with its name.
    pub metrics: Vec<Metric>,
}

/// One count.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Metric {
    /// Its name.
    pub name: String,
    /// How much.
    pub value: f64,
}

impl Metrics {
    /// A count by its name.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.metrics.iter().find(|metric| metric.name == name).map(|metric| metric.value)
    }
}
