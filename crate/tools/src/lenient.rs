//! Readers of argument values: strict about meaning, lenient about spelling where nothing can be misread (a
//! number written as text, one text where a list is meant). Each says what it expects in the agent's words.

use serde::{Deserialize, Deserializer, de};
use std::{fmt, marker::PhantomData, str::FromStr};

/// Text; a number or a boolean is taken as its text.
pub(crate) fn text<'de, D: Deserializer<'de>>(source: D) -> Result<String, D::Error> {
    source.deserialize_any(TextVisitor)
}

/// [`text`], for an argument that may be absent.
pub(crate) fn some_text<'de, D: Deserializer<'de>>(source: D) -> Result<Option<String>, D::Error> {
    text(source).map(Some)
}

/// A whole number, also one written as text.
pub(crate) fn number<'de, D: Deserializer<'de>>(source: D) -> Result<u32, D::Error> {
    source.deserialize_any(NumberVisitor)
}

/// [`number`], for an argument that may be absent.
pub(crate) fn some_number<'de, D: Deserializer<'de>>(source: D) -> Result<Option<u32>, D::Error> {
    number(source).map(Some)
}

/// A list, or one item of it, for an argument that may be absent.
pub(crate) fn list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(source: D) -> Result<Vec<T>, D::Error> {
    source.deserialize_any(ListVisitor(PhantomData))
}

/// A list of texts, or one text.
pub(crate) fn texts<'de, D: Deserializer<'de>>(source: D) -> Result<Vec<String>, D::Error> {
    Ok(list::<D, Text>(source)?.into_iter().map(|item| item.0).collect())
}

/// Something written as text, a number taken as its text; [`FromStr`] says what is wrong with it.
pub(crate) fn some_parsed<'de, D: Deserializer<'de>, T: FromStr<Err = crate::word::Misspelt>>(
    source: D,
) -> Result<Option<T>, D::Error> {
    text(source)?.parse().map(Some).map_err(de::Error::custom)
}

struct Text(String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        text(source).map(Self)
    }
}

struct TextVisitor;

impl de::Visitor<'_> for TextVisitor {
    type Value = String;
    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("text")
    }
    fn visit_str<E: de::Error>(self, value: &str) -> Result<String, E> {
        Ok(value.to_owned())
    }
    fn visit_bool<E: de::Error>(self, value: bool) -> Result<String, E> {
        Ok(value.to_string())
    }
    fn visit_u64<E: de::Error>(self, value: u64) -> Result<String, E> {
        Ok(value.to_string())
    }
    fn visit_i64<E: de::Error>(self, value: i64) -> Result<String, E> {
        Ok(value.to_string())
    }
    fn visit_f64<E: de::Error>(self, value: f64) -> Result<String, E> {
        Ok(value.to_string())
    }
}

struct NumberVisitor;

impl de::Visitor<'_> for NumberVisitor {
    type Value = u32;
    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a whole number, 0 or more")
    }
    fn visit_u64<E: de::Error>(self, value: u64) -> Result<u32, E> {
        u32::try_from(value).map_err(|_| E::invalid_value(de::Unexpected::Unsigned(value), &self))
    }
    fn visit_i64<E: de::Error>(self, value: i64) -> Result<u32, E> {
        u32::try_from(value).map_err(|_| E::invalid_value(de::Unexpected::Signed(value), &self))
    }
    fn visit_f64<E: de::Error>(self, value: f64) -> Result<u32, E> {
        // 5.0 is 5: some clients have no other numbers.
        format!("{value}").parse().map_err(|_| E::invalid_value(de::Unexpected::Float(value), &self))
    }
    fn visit_str<E: de::Error>(self, value: &str) -> Result<u32, E> {
        value.trim().parse().map_err(|_| E::invalid_value(de::Unexpected::Str(value), &self))
    }
}

struct ListVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> de::Visitor<'de> for ListVisitor<T> {
    type Value = Vec<T>;
    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a list")
    }
    fn visit_seq<A: de::SeqAccess<'de>>(self, mut items: A) -> Result<Vec<T>, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(list)
    }
    fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Vec<T>, A::Error> {
        T::deserialize(de::value::MapAccessDeserializer::new(map)).map(|item| vec![item])
    }
    fn visit_str<E: de::Error>(self, value: &str) -> Result<Vec<T>, E> {
        T::deserialize(de::value::StrDeserializer::new(value)).map(|item| vec![item])
    }
    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Vec<T>, E> {
        T::deserialize(de::value::U64Deserializer::new(value)).map(|item| vec![item])
    }
    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Vec<T>, E> {
        T::deserialize(de::value::I64Deserializer::new(value)).map(|item| vec![item])
    }
    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Vec<T>, E> {
        T::deserialize(de::value::F64Deserializer::new(value)).map(|item| vec![item])
    }
    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Vec<T>, E> {
        T::deserialize(de::value::BoolDeserializer::new(value)).map(|item| vec![item])
    }
}
