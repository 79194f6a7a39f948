//! Where to press so that the press reaches an element: in view, at rest, with nothing over it, in its own document
//! and in every document that shows it.

use super::{
    Stage,
    control::{Control, named},
    turned,
};
use crate::{
    clock::Millis,
    consent::deed,
    failure::Failure,
    place::Reach,
    session::Session,
    target::{Target, said},
};
use futures::future::join;
use serde::Deserialize;
use snapshot::{DocumentNo, ElementNo, Ref};
use tools::RefName;

/// A point to press at, and who guards the press.
pub struct Aim {
    /// The session whose viewport the point is in.
    pub session: Session,
    /// CSS pixels from the left.
    pub x: f64,
    /// CSS pixels from the top.
    pub y: f64,
    /// The same point in CSS pixels of the tab's own viewport.
    pub outer: (f64, f64),
    /// What lies over the element and takes the press, where that was forced.
    pub instead: Option<String>,
    /// Each document on the way, with the elements that the press may land on there.
    pub guards: Vec<(Reach, Vec<ElementNo>)>,
}

/// What lies at a point instead.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Brief {
    /// Its number.
    pub element: ElementNo,
    /// Its tag.
    pub tag: String,
    /// Its id attribute.
    pub id: String,
    /// What it says.
    pub name: String,
}

#[derive(Debug, Deserialize)]
struct Probe {
    x: f64,
    y: f64,
    hit: Option<Brief>,
    inside: bool,
    label: bool,
}

#[derive(Debug, Deserialize)]
struct Aimed {
    boxes: u32,
    probes: Vec<Probe>,
    restless: bool,
}

#[derive(Debug, Deserialize)]
struct Poise {
    control: Control,
    aimed: Aimed,
    changes: u64,
    guarded: bool,
}

/// An element that was asked all at once whether it can be pressed, while what it stands for was looked up.
pub struct Poised {
    reach: Reach,
    document: DocumentNo,
    element: ElementNo,
    poise: Poise,
}

#[derive(Debug, Deserialize)]
struct Revealed {
    moved: bool,
}

#[derive(Debug, Deserialize)]
struct Stillness {
    still: bool,
}

/// What may take the press besides the element itself and what is inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accept {
    /// Nothing.
    Itself,
    /// Its label: pressing it is pressing the control.
    Label,
}

/// How often it is looked at meanwhile.
const PACE: Millis = Millis(60);

/// Asks the element of a ref for all that a press needs to know, before it is known what the ref stands for. None where
/// that takes more than one question: in a frame, or where checks are passed over.
pub async fn poise(stage: &Stage, on: RefName) -> Option<Poised> {
    let (document, element) = stage.core.refs.borrow().lookup(Ref(on.0))?;
    let place = {
        let known = stage.tab.state.borrow();
        let alone = !stage.force && !known.owners.contains_key(&document);
        known.homes.get(&document).filter(|_| alone).cloned()?
    };
    let reach = Reach::new(&stage.core, &stage.tab, place);
    // What keeps it from answering is met again by whoever asks next.
    let poise = reach.ask::<Option<Poise>>(&format!("poise({})", element.0)).await.ok()??;
    Some(Poised { reach, document, element, poise })
}

impl Poised {
    /// Where to press at once, with what the control is: if it is the element that was found, in a document that did not
    /// change between the look and the question, and nothing is to be waited for. It is guarded then.
    pub fn ready(&self, target: &Target) -> Option<(Aim, &Control)> {
        let Poise { control, aimed, changes, guarded } = &self.poise;
        let seen = {
            let state = target.reach.session.tab.state.borrow();
            state.known.get(&self.document).map(crate::reading::Known::changes)
        };
        let same =
            target.document == self.document && target.element == self.element && seen == Some(*changes);
        let probe = aimed.probes.first()?;
        if !same || !guarded || control.disabled || control.inert || control.select_of != 0 {
            return None;
        }
        let guards = vec![(self.reach.clone(), vec![self.element])];
        let session = self.reach.session.clone();
        let (x, y) = (probe.x, probe.y);
        Some((Aim { session, x, y, outer: (x, y), instead: None, guards }, control))
    }

    /// Where a guard was set that nobody needs.
    pub fn guarded(&self) -> Option<&Reach> {
        self.poise.guarded.then_some(&self.reach)
    }
}

/// Finds a point, waiting a little for what may pass.
///
/// # Errors
/// When the element has no box, is covered, stays out of view or keeps moving.
pub async fn aim(stage: &Stage, target: &Target, accept: Accept) -> Result<Aim, Failure> {
    let desk = &stage.core.desk;
    let limit = desk.now() + stage.patience();
    let mut centred = false;
    loop {
        let failure = match aim_once(target, accept, stage.force).await {
            Ok(aim) => {
                stage.waits_for(None);
                return Ok(aim);
            }
            Err(failure) => failure,
        };
        if matches!(failure, Failure::Covered { .. } | Failure::Outside { .. })
            && !std::mem::replace(&mut centred, true)
        {
            // What sticks to an edge covers less of the middle.
            reveal(target, true).await?;
            continue;
        }
        let passing = matches!(
            failure,
            Failure::Covered { .. }
                | Failure::Moving { .. }
                | Failure::NoBox { .. }
                | Failure::Outside { .. }
        );
        if !passing || desk.now() >= limit {
            return Err(failure);
        }
        stage.waits_for(Some(failure));
        desk.sleep(PACE).await;
    }
}

/// Whether an element has a box now, wherever it is.
///
/// # Errors
/// When the element or its document went.
pub async fn is_drawn(target: &Target) -> Result<bool, Failure> {
    let aimed: Option<Aimed> = target.reach.ask(&format!("aim({})", target.element.0)).await?;
    let aimed = aimed.ok_or_else(|| Failure::Vanished { target: target.said.clone() })?;
    Ok(aimed.boxes > 0)
}

/// What keeps a press from an element now, without waiting, scrolling or pressing.
///
/// # Errors
/// When the element or its document went.
pub async fn cover(target: &Target) -> Result<Option<String>, Failure> {
    let aimed: Option<Aimed> = target.reach.ask(&format!("aim({})", target.element.0)).await?;
    let Some(aimed) = aimed else { return Ok(Some("it is no longer in the page".into())) };
    if aimed.boxes == 0 {
        return Ok(Some("it is not rendered".into()));
    }
    if aimed.probes.iter().any(|probe| probe.inside || probe.label) {
        return Ok(None);
    }
    // Out of view is no reason: acts scroll.
    let hit = aimed.probes.first().and_then(|probe| probe.hit.as_ref());
    Ok(hit.map(|hit| format!("{} covers it", named(target, Some(hit), target.document))))
}

/// The documents that show a document, from the nearest to the root's, each with the element that does.
pub fn way_out(target: &Target) -> Vec<(Reach, ElementNo)> {
    let (core, tab) = (&target.reach.session.core, &target.reach.session.tab);
    let state = tab.state.borrow();
    let mut way = Vec::new();
    let mut at: DocumentNo = target.document;
    while let Some((outer, element)) = state.owners.get(&at) {
        let Some(place) = state.homes.get(outer) else { break };
        way.push((Reach::new(core, tab, place.clone()), *element));
        at = *outer;
    }
    way
}

/// Brings an element into view, through every document that shows its own; says whether anything moved. `always`
/// puts it in the middle even if it is in view.
///
/// # Errors
/// When the element or a document on the way went.
pub async fn reveal(target: &Target, always: bool) -> Result<bool, Failure> {
    let mut moved = false;
    for (outer, element) in way_out(target).iter().rev() {
        let revealed: Option<Revealed> = outer.ask(&format!("reveal({},{always})", element.0)).await?;
        moved |= revealed.is_some_and(|revealed| revealed.moved);
    }
    let revealed: Option<Revealed> =
        target.reach.ask(&format!("reveal({},{always})", target.element.0)).await?;
    let revealed = revealed.ok_or_else(|| Failure::Vanished { target: target.said.clone() })?;
    let moved = moved || revealed.moved;
    if moved {
        crate::mark::element(target);
    }
    Ok(moved)
}

/// What would have to be asked about is not pressed in the stead of something else, forced or not.
fn not_weighty(target: &Target, hit: Option<&Brief>) -> Result<(), Failure> {
    match hit.and_then(|hit| deed::of(None, &hit.name)) {
        Some(_) => {
            let by = named(target, hit, target.document);
            Err(Failure::Covered { target: target.said.clone(), by })
        }
        None => Ok(()),
    }
}

async fn aim_once(target: &Target, accept: Accept, force: bool) -> Result<Aim, Failure> {
    let n = target.element.0;
    let gone = || Failure::Vanished { target: target.said.clone() };
    let way = way_out(target);
    // A session answers in turn: it is aimed at where it is then.
    let question = format!("aim({n})");
    let (moved, aimed) = join(reveal(target, false), target.reach.ask::<Option<Aimed>>(&question)).await;
    let (moved, mut aimed) = (moved?, aimed?.ok_or_else(gone)?);
    if aimed.boxes == 0 {
        return Err(Failure::NoBox { target: target.said.clone() });
    }
    if (moved || aimed.restless) && !force {
        let stillness: Option<Stillness> = target.reach.ask(&format!("still({n})")).await?;
        if !stillness.ok_or_else(gone)?.still {
            return Err(Failure::Moving { target: target.said.clone() });
        }
        aimed = target.reach.ask::<Option<Aimed>>(&format!("aim({n})")).await?.ok_or_else(gone)?;
    }
    let fits = |probe: &&Probe| force || probe.inside || (accept == Accept::Label && probe.label);
    let Some(probe) = aimed.probes.iter().find(fits) else {
        return Err(match aimed.probes.first() {
            None => Failure::Outside { target: target.said.clone() },
            Some(probe) => Failure::Covered {
                target: target.said.clone(),
                by: named(target, probe.hit.as_ref(), target.document),
            },
        });
    };
    let mut instead = None;
    let mut allowed = vec![target.element];
    if accept == Accept::Label && probe.label {
        allowed.extend(probe.hit.as_ref().map(|hit| hit.element));
    }
    if force && !probe.inside {
        not_weighty(target, probe.hit.as_ref())?;
        instead = Some(named(target, probe.hit.as_ref(), target.document));
        allowed.extend(probe.hit.as_ref().map(|hit| hit.element));
    }
    let mut guards = vec![(target.reach.clone(), allowed)];
    let (mut x, mut y) = (probe.x, probe.y);
    let (mut at_x, mut at_y) = (x, y);
    for (outer, element) in way {
        let document = {
            let state = target.reach.session.tab.state.borrow();
            let home = state.homes.iter().find(|(_, place)| **place == outer.place);
            home.map_or(target.document, |(document, _)| *document)
        };
        let said = || {
            let known = outer.session.core.refs.borrow().get(document, element);
            known.map_or_else(|| "its frame".to_owned(), |frame| said(&target.tree, frame))
        };
        let passed = turned::outwards(&outer, element, (x, y), said).await?.ok_or_else(gone)?;
        let hit = passed.instead.as_ref();
        if hit.is_some() && !force {
            return Err(Failure::Covered { target: target.said.clone(), by: named(target, hit, document) });
        }
        let mut allowed = Vec::new();
        if let Some(hit) = hit {
            not_weighty(target, Some(hit))?;
            instead = Some(format!("<{}>", hit.tag));
            allowed.push(hit.element);
        }
        (x, y) = (passed.x, passed.y);
        if outer.place.session == target.reach.place.session {
            (at_x, at_y) = (x, y);
        }
        guards.push((outer, allowed));
    }
    Ok(Aim { session: target.reach.session.clone(), x: at_x, y: at_y, outer: (x, y), instead, guards })
}
