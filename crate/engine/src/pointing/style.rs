//! Which of an element's computed styles are worth telling: those that are not what they would be without any style of the
//! page's (CSS's initial values, what is inherited, and what browsers give an element of its kind: HTML, "Rendering").

/// A property: its name, its initial value as computed, and whether it is inherited.
struct Property(&'static str, &'static str, bool);

const PROPERTIES: &[Property] = &[
    Property("display", "inline", false),
    Property("position", "static", false),
    Property("top", "auto", false),
    Property("right", "auto", false),
    Property("bottom", "auto", false),
    Property("left", "auto", false),
    Property("z-index", "auto", false),
    Property("float", "none", false),
    Property("flex-direction", "row", false),
    Property("flex-wrap", "nowrap", false),
    Property("flex-grow", "0", false),
    Property("justify-content", "normal", false),
    Property("align-items", "normal", false),
    Property("align-self", "auto", false),
    Property("gap", "normal", false),
    Property("grid-template-columns", "none", false),
    Property("grid-template-rows", "none", false),
    Property("margin", "0px", false),
    Property("padding", "0px", false),
    Property("border", "0px none", false),
    Property("border-radius", "0px", false),
    Property("box-sizing", "content-box", false),
    Property("min-width", "auto", false),
    Property("max-width", "none", false),
    Property("min-height", "auto", false),
    Property("max-height", "none", false),
    Property("overflow", "visible", false),
    Property("background-color", "rgba(0, 0, 0, 0)", false),
    Property("background-image", "none", false),
    Property("box-shadow", "none", false),
    Property("opacity", "1", false),
    Property("transform", "none", false),
    Property("filter", "none", false),
    Property("clip-path", "none", false),
    Property("transition", "all", false),
    Property("animation-name", "none", false),
    Property("outline-style", "none", false),
    Property("pointer-events", "auto", true),
    Property("user-select", "auto", false),
    Property("visibility", "visible", true),
    Property("cursor", "auto", true),
    Property("color", "rgb(0, 0, 0)", true),
    Property("font-family", "", true),
    Property("font-size", "16px", true),
    Property("font-weight", "400", true),
    Property("font-style", "normal", true),
    Property("line-height", "normal", true),
    Property("letter-spacing", "normal", true),
    Property("text-align", "start", true),
    Property("text-transform", "none", true),
    Property("text-decoration-line", "none", false),
    Property("white-space", "normal", true),
    Property("list-style-type", "disc", true),
];

/// The names, as the page script is asked for them.
pub fn names() -> Vec<&'static str> {
    PROPERTIES.iter().map(|Property(name, _, _)| *name).collect()
}

/// Of what the page script answered, what differs from the default for an element of this tag.
pub fn telling(tag: &str, values: &[(String, String)]) -> Vec<(&'static str, String)> {
    let both = PROPERTIES.iter().zip(values);
    let differs = both.filter(|(Property(name, initial, inherited), (value, outer))| {
        let inherits = *inherited && !outer.is_empty();
        let default = if inherits { outer.as_str() } else { initial };
        !value.is_empty() && value != default && !is_usual(tag, name, value)
    });
    differs.map(|(Property(name, _, _), (value, _))| (*name, value.chars().take(200).collect())).collect()
}

/// What browsers give elements of these tags by themselves.
const USUAL: &[(&str, &[&str], &str)] = &[
    (
        "display",
        &["block"],
        "html body address article aside blockquote center dialog dd details div dl dt fieldset figcaption figure footer \
         form h1 h2 h3 h4 h5 h6 header hgroup hr legend main menu nav ol optgroup option p pre search section summary ul",
    ),
    ("display", &["inline-block"], "button input select textarea meter progress img"),
    ("display", &["list-item"], "li summary"),
    ("display", &["table"], "table"),
    ("display", &["table-row"], "tr"),
    ("display", &["table-cell"], "td th"),
    ("display", &["table-row-group", "table-header-group", "table-footer-group"], "thead tbody tfoot"),
    ("display", &["none"], "head title meta link style script template base"),
    ("font-weight", &["700"], "b strong th h1 h2 h3 h4 h5 h6"),
    ("font-style", &["italic"], "i em cite dfn address var"),
    ("cursor", &["pointer"], "a"),
    ("cursor", &["text"], "input textarea"),
    ("cursor", &["default"], "button input select"),
    ("text-decoration-line", &["underline"], "a u ins"),
    ("text-align", &["center"], "button th"),
    ("text-align", &["start", "-webkit-auto"], "input select textarea"),
    ("padding", &["1px 6px"], "button"),
    ("padding", &["1px 2px"], "input"),
    ("padding", &["2px"], "textarea"),
    ("padding", &["1px"], "td th"),
    ("border", &["2px outset rgb(0, 0, 0)", "2px outset buttonborder"], "button"),
    ("border", &["2px inset rgb(118, 118, 118)"], "input"),
    ("background-color", &["rgb(239, 239, 239)"], "button"),
    ("background-color", &["rgb(255, 255, 255)"], "input select textarea"),
    ("box-sizing", &["border-box"], "button select"),
    ("white-space", &["pre"], "pre"),
    ("overflow", &["clip", "auto"], "input textarea"),
    ("font-size", &["13.3333px"], "button input select textarea"),
    ("font-family", &["Arial"], "button input select textarea"),
    ("line-height", &["normal"], "button input select textarea"),
    ("letter-spacing", &["normal"], "button input select textarea"),
    ("color", &["rgb(0, 0, 0)"], "button input select textarea"),
];

/// Whether browsers give an element of this tag that value by themselves.
fn is_usual(tag: &str, name: &str, value: &str) -> bool {
    // A used value: what `auto` and a border without a style come to.
    let is_used = matches!(name, "min-width" | "min-height") && value == "0px"
        || name == "border" && value.starts_with("0px none");
    let given = |(of, values, tags): &(&str, &[&str], &str)| {
        *of == name && values.contains(&value) && tags.split(' ').any(|each| each == tag)
    };
    is_used || USUAL.iter().any(given)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(tag: &str, given: &[(&str, &str, &str)]) -> String {
        let values: Vec<_> = PROPERTIES
            .iter()
            .map(|Property(name, initial, _)| {
                let found = given.iter().find(|(of, _, _)| of == name);
                let (value, outer) = found.map_or((*initial, *initial), |(_, value, outer)| (*value, *outer));
                (value.to_owned(), outer.to_owned())
            })
            .collect();
        let told: Vec<_> =
            telling(tag, &values).into_iter().map(|(name, value)| format!("{name}: {value}")).collect();
        told.join("; ")
    }

    #[test]
    fn only_what_a_page_styled_is_told() {
        assert_eq!(told("div", &[("display", "block", "block")]), "");
        assert_eq!(told("span", &[("display", "block", "block")]), "display: block");
        assert_eq!(told("p", &[("color", "rgb(1, 2, 3)", "rgb(1, 2, 3)")]), "", "inherited");
        assert_eq!(told("p", &[("color", "rgb(1, 2, 3)", "rgb(0, 0, 0)")]), "color: rgb(1, 2, 3)");
        assert_eq!(told("div", &[("opacity", "0.5", "0.5")]), "opacity: 0.5", "never inherited");
        assert_eq!(
            told("html", &[("color", "rgb(9, 9, 9)", "")]),
            "color: rgb(9, 9, 9)",
            "nothing around it"
        );
        assert_eq!(told("th", &[("font-weight", "700", "400"), ("display", "table-cell", "table-row")]), "");
    }
}
