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
    /// A count by its name. Chrome sends all as floating-point numbers; what counts is whole.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it saturates, as is meant")]
    pub fn count(&self, name: &str) -> Option<u64> {
        self.metrics.iter().find(|metric| metric.name == name).map(|metric| metric.value as u64)
    }
}
