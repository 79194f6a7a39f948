//! The end-to-end tests (to come with the pages).
fn main() {}
