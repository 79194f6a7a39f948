//! A point of the viewport, as agents write it: `120,45`, or as a pair or an object of numbers.

use crate::lenient;
use crate::word::Misspelt;
use serde::{Deserialize, Deserializer, Serialize, de};
use std::{fmt, str::FromStr};

/// A point of the viewport, in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(into = "String")]
pub struct Point {
    /// From the left.
    pub x: u32,
    /// From the top.
    pub y: u32,
}

impl From<Point> for String {
    fn from(point: Point) -> Self {
        format!("{},{}", point.x, point.y)
    }
}

impl FromStr for Point {
    type Err = Misspelt;
    fn from_str(text: &str) -> Result<Self, Misspelt> {
        let pair =
            text.split_once(',').and_then(|(x, y)| Some((x.trim().parse().ok()?, y.trim().parse().ok()?)));
        let (x, y) = pair
            .ok_or_else(|| Misspelt(format!("{text:?} is no point; write x,y in CSS pixels, like 120,45")))?;
        Ok(Self { x, y })
    }
}

/// For an argument that may be absent.
pub(crate) fn some_point<'de, D: Deserializer<'de>>(source: D) -> Result<Option<Point>, D::Error> {
    Point::deserialize(source).map(Some)
}

impl<'de> Deserialize<'de> for Point {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        source.deserialize_any(PointVisitor)
    }
}

/// One coordinate: a whole number, also as text.
struct Coordinate(u32);

impl<'de> Deserialize<'de> for Coordinate {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        lenient::number(source).map(Self)
    }
}

struct PointVisitor;

impl<'de> de::Visitor<'de> for PointVisitor {
    type Value = Point;
    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a point `x,y` in CSS pixels")
    }
    fn visit_str<E: de::Error>(self, value: &str) -> Result<Point, E> {
        value.parse().map_err(E::custom)
    }
    fn visit_seq<A: de::SeqAccess<'de>>(self, mut items: A) -> Result<Point, A::Error> {
        let (x, y): (Option<Coordinate>, Option<Coordinate>) = (items.next_element()?, items.next_element()?);
        let rest: Option<de::IgnoredAny> = items.next_element()?;
        match (x, y, rest) {
            (Some(Coordinate(x)), Some(Coordinate(y)), None) => Ok(Point { x, y }),
            _ => Err(de::Error::invalid_type(de::Unexpected::Seq, &self)),
        }
    }
    fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Point, A::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Pair {
            x: Coordinate,
            y: Coordinate,
        }
        let pair = Pair::deserialize(de::value::MapAccessDeserializer::new(map))?;
        Ok(Point { x: pair.x.0, y: pair.y.0 })
    }
}

#[cfg(feature = "schema")]
mod schema {
    crate::schema::text_schema!(super::Point);
}
