//! Sets aside the one article that a page's main part is: `main` says it. An article tells where one of several ends, or
//! has a name; this one only moves everything in it a level down.

use crate::role::Role;
use crate::tree::{At, Cut, Tree};

pub(super) fn pass(tree: &mut Tree) {
    let mains: Vec<At> =
        tree.shown().filter(|(_, node)| node.role() == Role::Main).map(|(at, _)| at).collect();
    for main in mains {
        let mut articles = tree.shown_children(main).filter(|at| tree.node(*at).role() == Role::Article);
        let (Some(only), None) = (articles.next(), articles.next()) else { continue };
        let node = tree.node(only);
        let says = node.is_referable()
            || !node.name().is_empty()
            || !node.description().is_empty()
            || !node.states().is_empty();
        if !says {
            tree.nodes_mut()[only.index()].cut = Some(Cut::Wrapper);
        }
    }
}
