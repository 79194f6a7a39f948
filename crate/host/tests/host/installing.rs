//! Installing as a person does, with the real program on a home of its own.

use crate::browser::{command, folder, soon};
use serde_json::json;
use std::{fs, path::Path, process::Output};

async fn run(home: &Path, words: &[&str]) -> Output {
    soon("its end", command(home).args(words).output()).await.unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8([&output.stdout[..], &output.stderr].concat()).unwrap()
}

#[tokio::test]
async fn a_profile_folder_is_registered_and_taken_back() {
    let folder = folder();
    let profile = folder.path().join("profile");
    let profile_words = ["--user-data-dir", profile.to_str().unwrap()];
    let first = run(folder.path(), &[&["install"], &profile_words[..]].concat()).await;
    assert!(first.status.success(), "{first:?}");
    let path = profile.join("NativeMessagingHosts/dev.tabwright.host.json");
    let manifest: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    assert_eq!(manifest["name"], "dev.tabwright.host");
    assert_eq!(manifest["path"], env!("CARGO_BIN_EXE_tabwright"));
    assert_eq!(manifest["allowed_origins"], json!([wire::extension_origin()]));
    let again = run(folder.path(), &[&["install"], &profile_words[..]].concat()).await;
    assert!(said(&again).contains("registered already") && said(&again).contains("nothing changed"));
    let removed = run(folder.path(), &[&["uninstall"], &profile_words[..]].concat()).await;
    assert!(removed.status.success() && !profile.exists(), "{removed:?}");
    let nothing = run(folder.path(), &[&["uninstall"], &profile_words[..]].concat()).await;
    assert!(said(&nothing).starts_with("nothing was installed"));

    // Nothing but the folder was touched.
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn what_goes_wrong_is_told_by_exit_code_and_in_two_lines() {
    let folder = folder();
    let cases = [
        (&["install"][..], 1, "no browser of this user was found"),
        (&["browsers"], 1, "error host_missing: "),
        (&["tabs"], 1, "error host_missing: "),
        (&["browse"], 2, "error usage: unrecognized subcommand 'browse'.\nnext: did you mean browsers?"),
        (&[], 2, "error usage: say what to do.\nnext: "),
        (&["help", "act"], 0, "Usage: tabwright act"),
        (&["--version"], 0, "tabwright "),
    ];
    for (words, code, start) in cases {
        let output = run(folder.path(), words).await;
        assert_eq!(output.status.code(), Some(code), "{words:?}: {output:?}");
        assert!(said(&output).contains(start), "{words:?}: {output:?}");
    }
    fs::create_dir(folder.path().join(".cursor")).unwrap();
    fs::write(folder.path().join(".cursor/mcp.json"), "{oh").unwrap();
    let output = run(folder.path(), &["install", "--client", "cursor"]).await;
    assert!(said(&output).starts_with("error settings_unreadable: the settings of Cursor"), "{output:?}");
    assert_eq!(fs::read_to_string(folder.path().join(".cursor/mcp.json")).unwrap(), "{oh");
}
