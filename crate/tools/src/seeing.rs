//! The arguments of `find`, `read` and `screenshot`: ways to see a page besides its tree. A declaration each, as in
//! `call`; nothing here is done.

use crate::{RefName, TabName, lenient};
use serde::{Deserialize, Serialize};

/// Arguments of `find`: at least one of `text`, `pattern` and `role`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct Find {
    /// Words in a name, value or text, in any case.
    #[serde(default, deserialize_with = "lenient::some_text")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub text: Option<String>,
    /// Instead of `text`: a regular expression; `(?i)` for any case.
    #[serde(default, deserialize_with = "lenient::some_text")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub pattern: Option<String>,
    /// Only what has this role.
    #[serde(default, deserialize_with = "lenient::some_text")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub role: Option<String>,
    /// Matches shown at most; 20 when absent.
    #[serde(default, deserialize_with = "lenient::some_number")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub limit: Option<u32>,
    /// The tab.
    #[cfg_attr(feature = "cli", arg(long))]
    pub tab: Option<TabName>,
}

/// What `read` makes of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum), value(rename_all = "snake_case"))]
pub enum Format {
    /// Headings, lists, tables, links, code.
    #[default]
    Markdown,
    /// The words alone.
    Text,
    /// The links.
    Links,
    /// The tables, as comma-separated values.
    Csv,
}

/// Arguments of `read`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct Read {
    /// The form; markdown when absent, csv is the tables alone.
    #[serde(default)]
    #[cfg_attr(feature = "cli", arg(long, value_enum, default_value_t))]
    pub format: Format,
    /// The part to read: a ref, a CSS selector, or an XPath. When absent, the main content.
    #[serde(default, deserialize_with = "lenient::some_text")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub scope: Option<String>,
    /// Budget in tokens; 6,000 when absent, none with `path`.
    #[serde(default, deserialize_with = "lenient::some_number")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub max_tokens: Option<u32>,
    /// Go on where an earlier reply was cut.
    #[serde(default, deserialize_with = "lenient::some_number")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub cursor: Option<u32>,
    /// A new file to write to instead of the reply.
    #[serde(default, deserialize_with = "lenient::some_text")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub path: Option<String>,
    /// Whether to add to a file that you had written before.
    #[serde(default)]
    #[cfg_attr(feature = "cli", arg(long))]
    pub append: bool,
    /// The tab.
    #[cfg_attr(feature = "cli", arg(long))]
    pub tab: Option<TabName>,
}

/// The form of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum), value(rename_all = "snake_case"))]
pub enum Picture {
    /// Exact.
    #[default]
    Png,
    /// Small.
    Jpeg,
    /// Smaller.
    Webp,
}

/// Arguments of `screenshot`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct Screenshot {
    /// Only this element, scrolled into view.
    #[serde(rename = "ref")]
    #[cfg_attr(feature = "cli", arg(long = "ref", value_name = "REF"))]
    pub reference: Option<RefName>,
    /// The whole page, not only what is in view.
    #[serde(default)]
    #[cfg_attr(feature = "cli", arg(long))]
    pub full_page: bool,
    /// Whether to draw refs and boxes on it.
    #[serde(default)]
    #[cfg_attr(feature = "cli", arg(long))]
    pub annotate: bool,
    /// The form of the file; png when absent.
    #[serde(default)]
    #[cfg_attr(feature = "cli", arg(long, value_enum, default_value_t))]
    pub format: Picture,
    /// Of jpeg and webp, 1 to 100; 80 when absent.
    #[serde(default, deserialize_with = "lenient::some_number")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub quality: Option<u32>,
    /// Pixels of its longer side at most; 1,568 when absent.
    #[serde(default, deserialize_with = "lenient::some_number")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub max_side: Option<u32>,
    /// A new file to write to instead of the reply.
    #[serde(default, deserialize_with = "lenient::some_text")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub path: Option<String>,
    /// The tab.
    #[cfg_attr(feature = "cli", arg(long))]
    pub tab: Option<TabName>,
}
