//! What the person points at.

use super::*;
use crate::tree::Pointed;

#[test]
fn what_is_pointed_at_is_listed_and_takes_in_what_was_listed_inside_it() {
    let drawing = r#"
        main#1 aria-label=Shop
          div#2
            div#3
              p#4 "Tea"
              button#5 "Buy"
          table#6
            tr#7
              td#8 "Oat"
              td#9 "€3"
          p#10 :none "Unseen"
    "#;
    let mut refs = Refs::new();
    let mut tree = Tree::build(&Page::single(sketch(1, drawing)), &mut refs);
    let before = render::page(&tree, &Options::default()).text;
    let mut point =
        |tree: &mut Tree, element| tree.point_at(DocumentNo(1), ElementNo(element), &mut refs).unwrap();
    let (plain, cell) = (point(&mut tree, 3), point(&mut tree, 9));
    let text = render::page(&tree, &Options::default()).text;
    expect![[r#"
        e1 main "Shop"
         "Tea"
         e2 button "Buy"
         e3 table
          e4 "Oat|€3"
        ---
        e1 main "Shop"
         e5 generic
          "Tea"
          e2 button "Buy"
         e3 table
          e4 "Oat"
           e6 cell "€3"
    "#]]
    .assert_eq(&format!("{before}---\n{text}"));
    assert_eq!(tree.node_of(cell).unwrap().name(), "€3");
    // What a person does not meet gets a ref and no line.
    let unseen = point(&mut tree, 10);
    assert!(tree.node_of(unseen).unwrap().is_hidden());
    assert_eq!(render::page(&tree, &Options::default()).text, text);
    // It stays listed in the trees that follow.
    let next = Tree::build_after(&Page::single(sketch(1, drawing)), &mut refs, &tree);
    assert!(render::page(&next, &Options::default()).text.contains(&format!("{plain} generic\n")));
    assert_eq!(tree.point_at(DocumentNo(1), ElementNo(99), &mut refs), None);
}

#[test]
fn what_the_person_points_at_is_marked_and_listed_even_if_nobody_meets_it() {
    let drawing = r#"
        main#1 aria-label=Shop
          button#2 "Buy"
          div#3 :none
            p#4 "Unseen"
          table#5
            tr#6
              td#7 "Oat"
              td#8 "€3"
    "#;
    let mut refs = Refs::new();
    let mut tree = Tree::build(&Page::single(sketch(1, drawing)), &mut refs);
    let text = |tree: &Tree| render::page(tree, &Options::default()).text;
    let before = text(&tree);
    let mut told = String::new();
    for (element, how) in
        [(2, Pointed::DevTools), (3, Pointed::DevTools), (4, Pointed::Picked), (8, Pointed::Picked)]
    {
        let reference = tree.select(DocumentNo(1), ElementNo(element), how, &mut refs).unwrap();
        assert_eq!(tree.pointed(), Some((reference, how)));
        told.push_str(&text(&tree));
        told.push_str("---\n");
    }
    expect![[r#"
        e1 main "Shop"
         e2 button "Buy" [selected in DevTools]
         e3 table
          e4 "Oat|€3"
        ---
        e1 main "Shop"
         e2 button "Buy"
         e5 generic hidden [selected in DevTools]
         e3 table
          e4 "Oat|€3"
        ---
        e1 main "Shop"
         e2 button "Buy"
         e6 paragraph hidden [picked by the person]
         e3 table
          e4 "Oat|€3"
        ---
        e1 main "Shop"
         e2 button "Buy"
         e3 table
          e4 "Oat"
           e7 cell "€3" [picked by the person]
        ---
    "#]]
    .assert_eq(&told);
    // Pointing at something else by a ref leaves the mark where it is; taking it away leaves the ref.
    tree.point_at(DocumentNo(1), ElementNo(2), &mut refs).unwrap();
    assert!(tree.pointed().is_some());
    tree.unselect(&mut refs);
    assert_eq!(tree.pointed(), None);
    assert_ne!(text(&tree), before);
    assert!(!text(&tree).contains('['));
    assert_eq!(tree.select(DocumentNo(1), ElementNo(99), Pointed::Picked, &mut refs), None);
}
