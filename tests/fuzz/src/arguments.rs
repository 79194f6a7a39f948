//! Arguments of tools: any JSON, under the names that the tools' schemas know.

use crate::{Memory, mutate};
use arbitrary::{Result, Unstructured};
use serde_json::{Map, Value};
use std::sync::LazyLock;
use tools::{Call, Tool};
use wire::chunk::REQUEST_LIMIT;

/// How long the words of a refusal may be at most, in bytes: what was given is quoted, not repeated.
const WORDS: usize = 8 * 1024;

/// The tools with the schemas of their arguments.
static TOOLS: LazyLock<Vec<(&'static str, Value)>> =
    LazyLock::new(|| tools::table().iter().map(|tool: &Tool| (tool.name, tool.schema().into())).collect());

/// The bytes choose a tool and its arguments.
///
/// # Panics
/// When they are refused without saying what and what next, or with too many words.
pub fn check(bytes: &[u8]) {
    let mut given = Unstructured::new(bytes);
    let Ok((tool, arguments)) = call(&mut given) else { return };
    let taken = Memory::now().bounded(REQUEST_LIMIT, || Call::parse(tool, arguments));
    if let Err(refused) = taken {
        assert!(!refused.what.is_empty() && !refused.next.is_empty(), "{refused:?} says too little");
        assert!(refused.what.len() <= WORDS, "a refusal of {} bytes", refused.what.len());
    }
}

fn call(given: &mut Unstructured<'_>) -> Result<(&'static str, Value)> {
    let (tool, schema) = given.choose(&TOOLS)?;
    if given.ratio(1, 16)? {
        return Ok((tool, serde_json::from_slice(given.bytes(given.len())?).unwrap_or(Value::Null)));
    }
    let mut arguments = Map::new();
    let properties = schema.get("properties").and_then(Value::as_object);
    let properties: Vec<(&String, &Value)> = properties.into_iter().flatten().collect();
    for _ in 0..given.int_in_range(0..=5)? {
        if properties.is_empty() {
            break;
        }
        let (name, schema) = given.choose(&properties)?;
        arguments.insert((*name).clone(), argument(given, schema)?);
    }
    Ok((tool, arguments.into()))
}

/// One that fits, often: a word that the schema lists, or a value of its type.
fn argument(given: &mut Unstructured<'_>, schema: &Value) -> Result<Value> {
    if let Some(words) = schema.get("enum").and_then(Value::as_array)
        && given.ratio(3, 4)?
    {
        return Ok(given.choose(words)?.clone());
    }
    Ok(match schema.get("type").and_then(Value::as_str) {
        Some("integer") if given.arbitrary()? => given.arbitrary::<i32>()?.into(),
        Some("boolean") if given.arbitrary()? => given.arbitrary::<bool>()?.into(),
        Some("string") if given.arbitrary()? => {
            given.choose(&["e12", "t3", "main", "https://a.example/"])?.to_string().into()
        }
        _ => mutate::any(given, 3)?,
    })
}
