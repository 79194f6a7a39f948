//! `screenshot`: what a tab shows, with what must not be seen painted over. Chrome takes the picture; the worker crops,
//! scales and marks it on a canvas of its own, out of every page's sight. Where fields with secrets stand is read before
//! and after: a picture during which one moved is thrown away. A frame that cannot be read is painted over whole.
//!
//! Absent: fields in closed shadow roots, which nobody here sees, and secrets that a page shows outside of fields.

use crate::{
    agent::AgentId,
    browser::Core,
    capture,
    failure::Failure,
    io::ChromeCall,
    look,
    overlay::{self, Area},
    reply,
    session::Session,
    tab::Tab,
    tabs,
    target::{self, Care},
};
use cdp::{dom, page};
use serde::{Deserialize, Serialize};
use snapshot::{Ref, Tree};
use std::rc::Rc;
use tools::call::{Picture, Screenshot};
use wire::{Content, Reply, Save};

/// Pixels of the longer side when the agent does not say: what models take in without scaling.
const SIDE: u32 = 1_568;

/// Of jpeg and webp when the agent does not say.
const QUALITY: u32 = 80;

/// More of a page, in CSS pixels, no picture shows.
const LONGEST: i32 = 60_000;

/// How often a picture is taken again because a secret moved.
const TRIES: u32 = 4;

/// Refs drawn at most.
const MOST_LABELS: usize = 300;

/// What is painted; `chrome.js` reads it.
#[derive(Serialize)]
struct Painting {
    picture: String,
    across: i32,
    crop: Area,
    width: i32,
    height: i32,
    masks: Vec<Area>,
    labels: Vec<overlay::Label>,
    kind: &'static str,
    quality: f64,
}

#[derive(Deserialize)]
struct Painted {
    data: String,
}

#[derive(Deserialize)]
struct Still {
    #[expect(dead_code, reason = "whether it stands still is seen by the boxes; only the wait is wanted")]
    still: bool,
}

/// Carries out `screenshot`.
pub async fn screenshot(core: &Rc<Core>, agent: AgentId, arguments: Screenshot) -> Reply {
    let reference = arguments.reference.map(|name| Ref(name.0));
    let tab = match tabs::meant(core, agent, reference, arguments.tab) {
        Ok(tab) => tab,
        Err(failure) => return failure.reply(None),
    };
    let _turn = tabs::turn(core, &tab).await;
    match take(core, agent, &tab, &arguments).await {
        Ok(reply) => reply,
        Err(failure) => failure.reply(Some(&tab.to_string())),
    }
}

/// What a picture shows: a part of the root document's viewport, which may lie outside of what is in view.
struct Shot {
    tree: Rc<Tree>,
    crop: Area,
    masks: Vec<Area>,
    picture: String,
    /// What the untreated picture shows.
    from: Area,
}

async fn take(
    core: &Rc<Core>,
    agent: AgentId,
    tab: &Rc<Tab>,
    arguments: &Screenshot,
) -> Result<Reply, Failure> {
    // Has the page drawn: without that, no picture of a tab in the background ever comes.
    tabs::ready(core, agent, tab).await?;
    crate::mark::clear(core, tab).await;
    let (of, said) = match arguments.reference {
        Some(name) => {
            let target = target::find(core, agent, tab, Ref(name.0), None, false, Care::Look).await?;
            reveal(&target).await?;
            (Some(target.reference), target.said)
        }
        None if arguments.full_page => (None, "the whole page".to_owned()),
        None => (None, "what is in view".to_owned()),
    };
    let side = i32::try_from(arguments.max_side.unwrap_or(SIDE)).unwrap_or(i32::MAX);
    let shot = shoot(core, tab, of, arguments.full_page, side).await?;
    let longest = shot.crop.width.max(shot.crop.height);
    let scale = (f64::from(side) / f64::from(longest)).min(1.0);
    let (width, height) = (scaled(shot.crop.width, scale), scaled(shot.crop.height, scale));
    let labels = if arguments.annotate {
        overlay::labels(core, tab, &shot.tree, &shot.crop, MOST_LABELS).await?
    } else {
        Vec::new()
    };
    let refs: Vec<Ref> = labels.iter().map(|label| label.reference).collect();
    let hidden = shot.masks.iter().filter(|mask| mask.meets(&shot.crop)).count();
    let from = shot.from;
    let painting = Painting {
        picture: shot.picture,
        across: from.width,
        crop: shot.crop.moved(-from.x, -from.y),
        width,
        height,
        masks: shot.masks.iter().map(|mask| mask.moved(-from.x, -from.y)).collect(),
        labels: labels.into_iter().map(|label| label.moved(-from.x, -from.y)).collect(),
        kind: mime(arguments.format),
        quality: f64::from(arguments.quality.unwrap_or(QUALITY)) / 100.0,
    };
    let order = serde_json::to_string(&painting).map_err(|why| Failure::Unreadable(why.to_string()))?;
    drop(painting);
    let painted: Painted = reply::read(core.desk.call(ChromeCall::Paint { order }).await?)?;
    let mut head = format!("{} · screenshot of {said}, {width}x{height} px", reply::heading(tab));
    if scale < 1.0 {
        head.push_str(&format!(", {scale:.3} px a CSS px"));
    }
    if hidden > 0 {
        head.push_str(&format!(" · painted over: {hidden} (secret fields, unread frames)"));
    }
    if !refs.is_empty() {
        head.push_str(&format!(" · {} refs drawn", refs.len()));
        look::record(core, agent, tab, &shot.tree, &refs, false);
    }
    let mut reply = Reply::text(head);
    if arguments.path.is_some() {
        reply.save = Some(Save::Image { data: painted.data });
    } else {
        reply.content.push(Content::Image { data: painted.data, mime: mime(arguments.format).into() });
    }
    Ok(reply)
}

fn mime(format: Picture) -> &'static str {
    match format {
        Picture::Png => "image/png",
        Picture::Jpeg => "image/jpeg",
        Picture::Webp => "image/webp",
    }
}

#[allow(clippy::cast_possible_truncation, reason = "a length of at most 60,000")]
fn scaled(length: i32, scale: f64) -> i32 {
    ((f64::from(length) * scale).round() as i32).max(1)
}

/// Brings the element into view, through frames of any origin, and waits until it has come to rest.
async fn reveal(target: &target::Target) -> Result<(), Failure> {
    let object = target.reach.object(target.element).await?;
    let scrolled = target.reach.session.call(&dom::ScrollIntoViewIfNeeded { object_id: object }).await;
    target.reach.release();
    match scrolled {
        Ok(_) => {}
        Err(Failure::Refused { .. }) => return Err(Failure::NoBox { target: target.said.clone() }),
        Err(failure) => return Err(failure),
    }
    let still: Option<Still> = target.reach.ask(&format!("still({})", target.element.0)).await?;
    still.map(|_| ()).ok_or(Failure::DocumentChanged)
}

/// Takes the picture; again when a secret moved while it was taken.
async fn shoot(
    core: &Rc<Core>,
    tab: &Rc<Tab>,
    of: Option<Ref>,
    whole: bool,
    side: i32,
) -> Result<Shot, Failure> {
    let mut tree = capture::capture(core, tab).await?;
    for _ in 0..TRIES {
        let masks = overlay::masks(core, tab, &tree).await?;
        let (view, content) = overlay::sizes(&tree)?;
        let crop = match of {
            None if whole => content.limited(LONGEST),
            None => view,
            Some(reference) => {
                let area = overlay::area(core, tab, &tree, reference).await?;
                area.filter(|area| area.width > 0 && area.height > 0)
                    .ok_or_else(|| Failure::NoBox { target: target::said(&tree, reference) })?
                    .limited(LONGEST)
            }
        };
        let beyond = !view.holds(&crop);
        let longest = crop.width.max(crop.height);
        let clip = beyond.then(|| page::Clip {
            x: f64::from(crop.x - content.x),
            y: f64::from(crop.y - content.y),
            width: f64::from(crop.width),
            height: f64::from(crop.height),
            scale: (f64::from(side) / f64::from(longest)).min(1.0),
        });
        let command = page::CaptureScreenshot {
            format: "png",
            clip,
            capture_beyond_viewport: beyond,
            optimize_for_speed: true,
        };
        let picture = Session::root(core, tab).call(&command).await?.data;
        let after = capture::capture(core, tab).await?;
        let stayed = after.document() == tree.document()
            && overlay::sizes(&after)? == (view, content)
            && overlay::masks(core, tab, &after).await? == masks;
        if stayed {
            let from = if beyond { crop } else { view };
            return Ok(Shot { tree, crop, masks, picture, from });
        }
        tree = after;
    }
    Err(Failure::Moving { target: "a field with a secret, or the page's size,".into() })
}
