//! Whether the pages hold what there is: every element of HTML, every role and every attribute of ARIA 1.2.

use anyhow::{Result, ensure};
use std::collections::BTreeSet;

/// The elements of HTML (§4, the index of elements), and the roots of SVG and `MathML`.
const ELEMENTS: &str = "a abbr address area article aside audio b base bdi bdo blockquote body br button canvas caption \
    cite code col colgroup data datalist dd del details dfn dialog div dl dt em embed fieldset figcaption figure footer \
    form h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map mark math \
    menu meta meter nav noscript object ol optgroup option output p picture pre progress q rp rt ruby s samp script \
    search section select slot small source span strong style sub summary sup svg table tbody td template textarea tfoot \
    th thead time title tr track u ul var video wbr";

/// The roles of ARIA 1.2 that authors may write (§5.4, abstract ones apart).
const ROLES: &str = "alert alertdialog application article banner blockquote button caption cell checkbox code \
    columnheader combobox complementary contentinfo definition deletion dialog directory document emphasis feed figure \
    form generic grid gridcell group heading img insertion link list listbox listitem log main marquee math menu menubar \
    menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar radio \
    radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong \
    subscript superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid \
    treeitem";

/// The states and properties of ARIA 1.2 (§6.6), and `description` of 1.3.
const ATTRIBUTES: &str = "activedescendant atomic autocomplete busy checked colcount colindex colspan controls current \
    describedby description details disabled dropeffect errormessage expanded flowto grabbed haspopup hidden invalid \
    keyshortcuts label labelledby level live modal multiline multiselectable orientation owns placeholder posinset \
    pressed readonly relevant required roledescription rowcount rowindex rowspan selected setsize sort valuemax valuemin \
    valuenow valuetext";

/// Says what no page holds.
pub fn check(pages: &[String]) -> Result<()> {
    let mut tags = BTreeSet::new();
    let mut roles = BTreeSet::new();
    let mut attributes = BTreeSet::new();
    for page in pages {
        for tag in page.split('<').skip(1) {
            let word = |c: char| !c.is_ascii_alphanumeric();
            tags.insert(tag.split(word).next().unwrap_or_default().to_owned());
            for written in tag.split("aria-").skip(1) {
                attributes.insert(written.split(word).next().unwrap_or_default().to_owned());
            }
            for written in tag.split("role=").skip(1) {
                let value = written.trim_start_matches(['"', '\'']);
                let end = value.find(['"', '\'', '>']).unwrap_or(value.len());
                roles.extend(value[..end].split_whitespace().map(str::to_owned));
            }
        }
    }
    let missing = |all: &str, held: &BTreeSet<String>| -> Vec<String> {
        all.split_whitespace().filter(|each| !held.contains(*each)).map(str::to_owned).collect()
    };
    let missing = [missing(ELEMENTS, &tags), missing(ROLES, &roles), missing(ATTRIBUTES, &attributes)];
    ensure!(missing.iter().all(Vec::is_empty), "no page holds the elements, roles, attributes {missing:?}");
    Ok(())
}
