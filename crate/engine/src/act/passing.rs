//! What came and went while an act settled: a toast that is gone again by the time the page is looked at.

use super::Stage;
use crate::{place::Reach, task::all};

/// How many are told.
const MOST: usize = 5;

/// The documents that are watched.
pub struct Watch(Vec<Reach>);

/// Begins to watch every document that is known.
pub async fn watch(stage: &Stage) -> Watch {
    let places: Vec<_> = stage.tab.state.borrow().homes.values().cloned().collect();
    let asked = places.into_iter().map(|place| async move {
        let reach = Reach::new(&stage.core, &stage.tab, place);
        // A document that went meanwhile has nothing to tell.
        let watched = reach.ask::<bool>("attend()").await.is_ok();
        watched.then_some(reach)
    });
    Watch(all(asked).await.into_iter().flatten().collect())
}

impl Watch {
    /// What came and went, in the words of the page, quoted.
    pub async fn end(&self) -> Vec<String> {
        let asked = self.0.iter().map(|reach| async move { reach.ask::<Vec<String>>("passed()").await });
        let said = all(asked).await.into_iter().filter_map(Result::ok).flatten();
        said.take(MOST).map(|text| crate::reply::quoted(&crate::reply::clip(&text))).collect()
    }
}
