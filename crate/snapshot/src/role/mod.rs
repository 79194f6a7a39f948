//! What an element is to an agent. Explicit roles and those of the host language are chosen in [`explicit`] and
//! [`html`]; here are the roles themselves and what is true of each.

pub mod explicit;
pub mod html;

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

macro_rules! roles {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// A role: those of WAI-ARIA, and a few for what HTML has and ARIA has not.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs)] // each is described where ARIA or HTML-AAM defines it
        pub enum Role { $($(#[$doc])* $variant,)* }

        impl Role {
            /// Every role.
            pub const ALL: &'static [Role] = &[$(Role::$variant,)*];

            /// The role as it is written.
            pub fn as_str(self) -> &'static str {
                match self { $(Role::$variant => $name,)* }
            }
        }
    };
}

roles! {
    Alert = "alert", AlertDialog = "alertdialog", Application = "application", Article = "article",
    Audio = "audio", Banner = "banner", Blockquote = "blockquote", Button = "button", Canvas = "canvas",
    Caption = "caption", Cell = "cell", Checkbox = "checkbox", Code = "code", ColorInput = "color",
    ColumnHeader = "columnheader", Combobox = "combobox", Comment = "comment",
    Complementary = "complementary", ContentInfo = "contentinfo", DateInput = "date", DateTimeInput = "datetime",
    Definition = "definition", Deletion = "deletion", Dialog = "dialog", Directory = "directory",
    Document = "document", Embed = "embed", Emphasis = "emphasis", Feed = "feed", Figure = "figure",
    FileInput = "file", Form = "form", Generic = "generic", GraphicsDocument = "graphics-document",
    GraphicsObject = "graphics-object", GraphicsSymbol = "graphics-symbol", Grid = "grid", GridCell = "gridcell",
    Group = "group", Heading = "heading", Iframe = "iframe", Image = "img", Insertion = "insertion",
    Label = "label", Legend = "legend", Link = "link", List = "list", Listbox = "listbox", ListItem = "listitem", Log = "log",
    Main = "main", Mark = "mark", Marquee = "marquee", Math = "math", Menu = "menu", Menubar = "menubar",
    MenuItem = "menuitem", MenuItemCheckbox = "menuitemcheckbox", MenuItemRadio = "menuitemradio", Meter = "meter",
    MonthInput = "month", Navigation = "navigation", None = "none", Note = "note", Option = "option",
    Paragraph = "paragraph", Progressbar = "progressbar", Radio = "radio", RadioGroup = "radiogroup",
    Region = "region", Row = "row", RowGroup = "rowgroup", RowHeader = "rowheader", Scrollbar = "scrollbar",
    Search = "search", Searchbox = "searchbox", SectionFooter = "sectionfooter", SectionHeader = "sectionheader",
    Separator = "separator", Slider = "slider", Spinbutton = "spinbutton", Status = "status", Strong = "strong",
    Subscript = "subscript", Suggestion = "suggestion", Summary = "summary", Superscript = "superscript",
    Switch = "switch", Tab = "tab", Table = "table", TabList = "tablist", TabPanel = "tabpanel", Term = "term",
    Text = "text", Textbox = "textbox", Time = "time", TimeInput = "inputtime", Timer = "timer", Toolbar = "toolbar",
    Tooltip = "tooltip", Tree = "tree", TreeGrid = "treegrid", TreeItem = "treeitem", Video = "video",
    WeekInput = "week",
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The word names no role.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no role is called {0:?}")]
pub struct NoSuchRole(pub String);

impl FromStr for Role {
    type Err = NoSuchRole;

    fn from_str(word: &str) -> Result<Self, NoSuchRole> {
        let lower = word.trim().to_ascii_lowercase();
        match lower.as_str() {
            "image" | "graphic" => return Ok(Role::Image),
            "presentation" => return Ok(Role::None),
            "frame" => return Ok(Role::Iframe),
            _ => {}
        }
        Role::ALL
            .iter()
            .copied()
            .find(|role| role.as_str() == lower)
            .ok_or_else(|| NoSuchRole(word.to_owned()))
    }
}

impl Role {
    /// Whether one acts on elements of this role.
    pub fn is_interactive(self) -> bool {
        self.is_input()
            || matches!(
                self,
                Role::Button
                    | Role::Link
                    | Role::MenuItem
                    | Role::MenuItemCheckbox
                    | Role::MenuItemRadio
                    | Role::Option
                    | Role::Summary
                    | Role::Tab
                    | Role::TreeItem
            )
    }

    /// Whether elements of this role hold a value or a state that one sets.
    pub fn is_input(self) -> bool {
        matches!(
            self,
            Role::Checkbox
                | Role::ColorInput
                | Role::Combobox
                | Role::DateInput
                | Role::DateTimeInput
                | Role::FileInput
                | Role::Listbox
                | Role::MonthInput
                | Role::Radio
                | Role::Searchbox
                | Role::Slider
                | Role::Spinbutton
                | Role::Switch
                | Role::Textbox
                | Role::TimeInput
                | Role::WeekInput
        )
    }

    /// Whether text is typed into elements of this role.
    pub fn is_text_entry(self) -> bool {
        matches!(self, Role::Textbox | Role::Searchbox | Role::Spinbutton | Role::Combobox)
    }

    /// Whether its value is a number between bounds.
    pub fn is_ranged(self) -> bool {
        matches!(self, Role::Meter | Role::Progressbar | Role::Scrollbar | Role::Slider | Role::Spinbutton)
    }

    /// Whether the name comes from what is inside (as Chrome has it: not for rows).
    pub fn is_named_by_content(self) -> bool {
        matches!(
            self,
            Role::Button
                | Role::Cell
                | Role::Checkbox
                | Role::ColumnHeader
                | Role::GridCell
                | Role::Heading
                | Role::Link
                | Role::MenuItem
                | Role::MenuItemCheckbox
                | Role::MenuItemRadio
                | Role::Option
                | Role::Radio
                | Role::RowHeader
                | Role::Summary
                | Role::Switch
                | Role::Tab
                | Role::Tooltip
                | Role::TreeItem
        )
    }

    /// Whether ARIA forbids an author to name it.
    pub fn forbids_name(self) -> bool {
        matches!(
            self,
            Role::Caption
                | Role::Code
                | Role::Deletion
                | Role::Emphasis
                | Role::Generic
                | Role::Insertion
                | Role::None
                | Role::Paragraph
                | Role::Strong
                | Role::Subscript
                | Role::Superscript
        )
    }

    /// Whether everything below is presentational: no roles of its own are seen inside (ARIA "children
    /// presentational").
    pub fn hides_roles_inside(self) -> bool {
        matches!(
            self,
            Role::Button
                | Role::Checkbox
                | Role::Image
                | Role::Math
                | Role::MenuItemCheckbox
                | Role::MenuItemRadio
                | Role::Meter
                | Role::Option
                | Role::Progressbar
                | Role::Radio
                | Role::Scrollbar
                | Role::Separator
                | Role::Slider
                | Role::Switch
                | Role::Tab
        )
    }

    /// Whether it parts the page into places one would name: landmarks.
    pub fn is_landmark(self) -> bool {
        matches!(
            self,
            Role::Banner
                | Role::Complementary
                | Role::ContentInfo
                | Role::Form
                | Role::Main
                | Role::Navigation
                | Role::Region
                | Role::Search
        )
    }

    /// Whether it is a cell of a table or grid.
    pub fn is_cell(self) -> bool {
        matches!(self, Role::Cell | Role::ColumnHeader | Role::GridCell | Role::RowHeader)
    }

    /// Whether it says nothing that its content does not.
    pub fn is_plain(self) -> bool {
        matches!(
            self,
            Role::Caption
                | Role::Code
                | Role::Definition
                | Role::Deletion
                | Role::Emphasis
                | Role::Generic
                | Role::Insertion
                | Role::Label
                | Role::Legend
                | Role::Mark
                | Role::None
                | Role::Paragraph
                | Role::RowGroup
                | Role::SectionFooter
                | Role::SectionHeader
                | Role::Strong
                | Role::Subscript
                | Role::Superscript
                | Role::Term
                | Role::Time
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_role_reads_back() {
        for role in Role::ALL {
            assert_eq!(role.as_str().parse(), Ok(*role));
        }
        assert_eq!("Presentation".parse(), Ok(Role::None));
        assert!("btn".parse::<Role>().is_err());
    }
}
