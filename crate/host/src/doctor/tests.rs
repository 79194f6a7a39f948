//! What the doctor says of homes of all three systems, faked: before and after installing. (The program in them is no
//! program, and is not started.)

use super::*;
use crate::{
    home::System,
    install::{Wanted, tests::Faked},
};
use expect_test::{ExpectFile, expect_file};

fn said(faked: &Faked) -> String {
    let view = View::new(&faked.home, &faked.program, &faked.extension, &faked.registry);
    let mut report = Report::default();
    look_at_files(&view, &mut report);
    faked.named(&report.text()) + "\n"
}

fn check(system: System, user: &str, profile: &str, shown: &ExpectFile) {
    let mut faked = Faked::new(system, user, &[profile]);
    let before = said(&faked);
    faked.install(&Wanted { clients: vec!["vscode".to_owned()], dry_run: false });
    shown.assert_eq(&format!("=== before\n{before}=== installed\n{}", said(&faked)));
    faked.uninstall();
    assert_eq!(said(&faked), before);
}

#[test]
fn linux() {
    check(System::Linux, "home/ada", ".config/microsoft-edge-dev", &expect_file!["homes/linux.txt"]);
}

#[test]
fn mac() {
    let profile = "Library/Application Support/Arc/User Data";
    check(System::Mac, "Users/ada", profile, &expect_file!["homes/mac.txt"]);
}

#[test]
fn windows() {
    let profile = "AppData/Local/BraveSoftware/Brave-Browser/User Data";
    check(System::Windows, "Users/ada", profile, &expect_file!["homes/windows.txt"]);
}
