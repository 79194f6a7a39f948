//! JSON made of other JSON: what is near enough to the right form to get past the first look.

use arbitrary::{Result, Unstructured};
use serde_json::{Map, Value};

/// Numbers that are at the edge of something.
const EDGES: [i64; 12] =
    [0, 1, -1, 2, 7, 0x7f, 0xffff, 0x7fff_ffff, -0x8000_0000, 0xffff_ffff, i64::MAX, i64::MIN];

/// Texts that are something else somewhere.
const WORDS: [&str; 10] =
    ["", "e1", "t1", "\n", "\"", "\u{202e}", "input", "aria-labelledby", "constructor", "a b c d"];

/// Changes a value in a few places.
///
/// # Errors
/// When no bytes are left to choose by.
pub fn value(value: &mut Value, given: &mut Unstructured<'_>) -> Result<()> {
    for _ in 0..given.int_in_range(1..=12)? {
        at_some_place(value, given, 0)?;
    }
    Ok(())
}

fn at_some_place(value: &mut Value, given: &mut Unstructured<'_>, depth: usize) -> Result<()> {
    let inside = match value {
        Value::Array(items) => items.len(),
        Value::Object(fields) => fields.len(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    };
    // Mostly further in: what is outside is soon refused.
    if inside > 0 && depth < 12 && !given.ratio(1, 24)? {
        let at = given.choose_index(inside)?;
        let inner = match value {
            Value::Array(items) => items.get_mut(at),
            Value::Object(fields) => fields.values_mut().nth(at),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
        };
        return inner.map_or(Ok(()), |inner| at_some_place(inner, given, depth + 1));
    }
    change(value, given)
}

fn change(value: &mut Value, given: &mut Unstructured<'_>) -> Result<()> {
    match value {
        Value::Array(items) if !items.is_empty() && given.ratio(3, 4)? => {
            let (one, other) = (given.choose_index(items.len())?, given.choose_index(items.len())?);
            match given.int_in_range(0..=2)? {
                0 => items.swap(one, other),
                1 => drop(items.remove(one)),
                _ => items.insert(one, items[other].clone()),
            }
        }
        Value::Object(fields) if !fields.is_empty() && given.ratio(3, 4)? => {
            let at = given.choose_index(fields.len())?;
            let name = fields.keys().nth(at).cloned().unwrap_or_default();
            if given.arbitrary()? {
                fields.remove(&name);
            } else {
                let any = any(given, 2)?;
                fields.insert(name, any);
            }
        }
        Value::Number(number) if given.ratio(3, 4)? => {
            let near = number.as_i64().unwrap_or(0).saturating_add(given.int_in_range(-3..=3)?);
            *value = if given.arbitrary()? { near.into() } else { (*given.choose(&EDGES)?).into() };
        }
        Value::String(text) if given.ratio(3, 4)? => {
            text.push_str(given.choose(&WORDS)?);
        }
        Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::Array(_)
        | Value::Object(_) => {
            *value = any(given, 2)?;
        }
    }
    Ok(())
}

/// Any JSON, so deep at most.
///
/// # Errors
/// When no bytes are left to choose by.
pub fn any(given: &mut Unstructured<'_>, depth: usize) -> Result<Value> {
    Ok(match given.int_in_range(0..=if depth == 0 { 4 } else { 6 })? {
        0 => Value::Null,
        1 => given.arbitrary::<bool>()?.into(),
        2 => (*given.choose(&EDGES)?).into(),
        3 => given.arbitrary::<f32>()?.into(),
        4 => if given.arbitrary()? { *given.choose(&WORDS)? } else { given.arbitrary::<&str>()? }.into(),
        5 => {
            let mut items = Vec::new();
            for _ in 0..given.int_in_range(0..=3)? {
                items.push(any(given, depth - 1)?);
            }
            items.into()
        }
        _ => {
            let mut fields = Map::new();
            for _ in 0..given.int_in_range(0..=3)? {
                fields.insert((*given.choose(&WORDS)?).to_owned(), any(given, depth - 1)?);
            }
            fields.into()
        }
    })
}
