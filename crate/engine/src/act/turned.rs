//! Frames that a page turns, slants, mirrors or shows in perspective: where a point of their document is in the document
//! that shows them, and back, by the four corners that the browser gives for what an element holds.

use super::aim::Brief;
use crate::{failure::Failure, place::Reach};
use cdp::dom;
use serde::Deserialize;
use snapshot::ElementNo;

/// How a frame's document lies in the one that shows it, as the page's script reports it.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct View {
    /// Where its corner is, in CSS pixels from the left of the outer viewport.
    pub x: f64,
    /// The same from the top.
    pub y: f64,
    /// How it is scaled, across.
    pub sx: f64,
    /// The same, down.
    pub sy: f64,
    /// Whether nothing turns, slants or mirrors it: else the above says nothing.
    pub straight: bool,
    /// How large its own viewport is, in its own CSS pixels.
    pub inner: (f64, f64),
}

/// A flat rectangle as it is seen: a projective map of the unit square (Heckbert 1989, §2.2.3).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quad([[f64; 3]; 3]);

impl Quad {
    /// Of its corners, clockwise from the one that is above left where nothing turns it. None where they lie in a line.
    pub fn new(corners: [(f64, f64); 4]) -> Option<Self> {
        let [(x0, y0), (x1, y1), (x2, y2), (x3, y3)] = corners;
        let (dx1, dx2, sx) = (x1 - x2, x3 - x2, x0 - x1 + x2 - x3);
        let (dy1, dy2, sy) = (y1 - y2, y3 - y2, y0 - y1 + y2 - y3);
        let whole = dx1 * dy2 - dx2 * dy1;
        if whole.abs() < 1e-6 {
            return None;
        }
        let (g, h) = ((sx * dy2 - dx2 * sy) / whole, (dx1 * sy - sx * dy1) / whole);
        Some(Self([
            [x1 - x0 + g * x1, x3 - x0 + h * x3, x0],
            [y1 - y0 + g * y1, y3 - y0 + h * y3, y0],
            [g, h, 1.0],
        ]))
    }

    /// Where a point of the unit square is seen.
    pub fn seen(&self, (u, v): (f64, f64)) -> (f64, f64) {
        project(&self.0, u, v)
    }

    /// Which point of the unit square is seen there.
    pub fn back(&self, (x, y): (f64, f64)) -> (f64, f64) {
        // What the rows' cross products make is the inverse but for a scale, and a projection has none.
        let [across, down, depth] = self.0;
        let columns = [cross(down, depth), cross(depth, across), cross(across, down)];
        project(&[0, 1, 2].map(|row| columns.map(|column| column[row])), x, y)
    }
}

fn cross(one: [f64; 3], other: [f64; 3]) -> [f64; 3] {
    [(1, 2), (2, 0), (0, 1)].map(|(next, last)| one[next] * other[last] - one[last] * other[next])
}

fn project(by: &[[f64; 3]; 3], x: f64, y: f64) -> (f64, f64) {
    let [across, down, depth] = by.map(|row| row[0] * x + row[1] * y + row[2]);
    (across / depth, down / depth)
}

/// The corners of what a frame's element shows. Where the document that shows it is itself within another of the same
/// process, the browser counts from there: none then.
async fn quad(outer: &Reach, element: ElementNo) -> Result<Option<Quad>, Failure> {
    let nested = {
        let state = outer.session.tab.state.borrow();
        let document =
            state.homes.iter().find(|(_, place)| **place == outer.place).map(|(document, _)| *document);
        let around = document.and_then(|document| state.owners.get(&document));
        let around = around.and_then(|(document, _)| state.homes.get(document));
        around.is_some_and(|around| around.session == outer.place.session)
    };
    if nested {
        return Ok(None);
    }
    let object_id = outer.object(element).await?;
    let model = outer.session.call(&dom::GetBoxModel { object_id }).await?.model;
    outer.release();
    let [x0, y0, x1, y1, x2, y2, x3, y3] = model.content;
    Ok(Quad::new([(x0, y0), (x1, y1), (x2, y2), (x3, y3)]))
}

#[derive(Debug, Deserialize)]
struct Through {
    view: View,
    x: f64,
    y: f64,
    lies: Option<Brief>,
}

/// A point of a frame's document in the document that shows it, and what lies there.
pub struct Passed {
    /// CSS pixels from the left.
    pub x: f64,
    /// CSS pixels from the top.
    pub y: f64,
    /// What lies there instead of the frame.
    pub instead: Option<Brief>,
}

/// Where a point of a frame's document is in the document that shows it; none where the frame's element is gone.
///
/// # Errors
/// [`Failure::FrameUnread`] when it is turned in a way that cannot be followed.
pub async fn outwards(
    outer: &Reach,
    element: ElementNo,
    (x, y): (f64, f64),
    said: impl FnOnce() -> String,
) -> Result<Option<Passed>, Failure> {
    let asked: Option<Through> = outer.ask(&format!("through({},{x},{y})", element.0)).await?;
    let Some(Through { view, x: mut at_x, y: mut at_y, mut lies }) = asked else { return Ok(None) };
    if !view.straight {
        let quad = quad(outer, element).await?.ok_or_else(|| Failure::FrameUnread { target: said() })?;
        (at_x, at_y) = quad.seen((x / view.inner.0, y / view.inner.1));
        lies = outer.ask(&format!("at({at_x},{at_y})")).await?;
    }
    let instead = lies.filter(|lies| lies.element != element);
    Ok(Some(Passed { x: at_x, y: at_y, instead }))
}

/// Where a point of a document is in that of a frame that it shows; none where that cannot be followed.
///
/// # Errors
/// When the frame's element is gone.
pub async fn inwards(
    outer: &Reach,
    element: ElementNo,
    (x, y): (f64, f64),
) -> Result<Option<(f64, f64)>, Failure> {
    let view: Option<View> = outer.ask(&format!("view({})", element.0)).await?;
    let view = view.ok_or(Failure::DocumentChanged)?;
    if view.straight {
        let plain = ((x - view.x) / view.sx, (y - view.y) / view.sy);
        return Ok((view.sx != 0.0 && view.sy != 0.0).then_some(plain));
    }
    let Some(quad) = quad(outer, element).await? else { return Ok(None) };
    let (u, v) = quad.back((x, y));
    Ok(Some((u * view.inner.0, v * view.inner.1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn near(one: (f64, f64), other: (f64, f64)) {
        assert!((one.0 - other.0).abs() < 1e-6 && (one.1 - other.1).abs() < 1e-6, "{one:?} {other:?}");
    }

    #[test]
    fn a_quarter_turn_is_followed_both_ways() {
        let quad = Quad::new([(10.0, 0.0), (10.0, 20.0), (0.0, 20.0), (0.0, 0.0)]).unwrap();
        near(quad.seen((0.25, 0.0)), (10.0, 5.0));
        near(quad.back((10.0, 5.0)), (0.25, 0.0));
    }

    #[test]
    fn a_perspective_is_followed_both_ways() {
        // A square of which the far edge is half as long as the near one.
        let quad = Quad::new([(1.0, 0.0), (3.0, 0.0), (4.0, 2.0), (0.0, 2.0)]).unwrap();
        for at in [(0.0, 0.0), (1.0, 1.0), (0.5, 0.5), (0.2, 0.9)] {
            near(quad.back(quad.seen(at)), at);
        }
        near(quad.seen((1.0, 1.0)), (4.0, 2.0));
    }

    #[test]
    fn what_is_seen_from_its_edge_has_no_points() {
        assert_eq!(Quad::new([(0.0, 0.0), (0.0, 5.0), (0.0, 5.0), (0.0, 0.0)]), None);
    }
}
