//! Settings as found in life: what is added, and that taking it away leaves all else.

use super::*;
use expect_test::{Expect, expect};

const PROGRAM: &str = "/opt/tabwright";

/// Adds to settings, shows them, sees that a second time changes nothing, and that removing restores them.
fn check(client: &str, before: Option<&str>, after: &Expect) {
    let client = Client::named(client).unwrap();
    let (text, made) = client.add(before, Path::new(PROGRAM)).unwrap().unwrap();
    after.assert_eq(&format!("{made:?}\n{text}"));
    assert_eq!(client.add(Some(&text), Path::new(PROGRAM)).unwrap(), None, "a second time");
    assert_eq!(client.find(&text).unwrap(), Some(Found { program: PROGRAM.into() }));
    let back = client.remove(&text, made).unwrap();
    match before {
        // What stood on one line may stand on several.
        Some(before) => {
            let Removed::Text(back) = back else { panic!("{back:?}") };
            let words = |text: &str| text.replace(char::is_whitespace, "");
            assert_eq!(words(&back), words(before));
        }
        None => assert_eq!(back, Removed::Nothing),
    }
}

#[test]
fn a_new_file() {
    check(
        "cursor",
        None,
        &expect![[r#"
        File
        {
          "mcpServers": {
            "tabwright": {
              "command": "/opt/tabwright",
              "args": ["mcp"]
            }
          }
        }
    "#]],
    );
    check(
        "claude-code",
        None,
        &expect![[r#"
        File
        {
          "mcpServers": {
            "tabwright": {
              "type": "stdio",
              "command": "/opt/tabwright",
              "args": ["mcp"]
            }
          }
        }
    "#]],
    );
    check(
        "vscode",
        None,
        &expect![[r#"
        File
        {
          "servers": {
            "tabwright": {
              "type": "stdio",
              "command": "/opt/tabwright",
              "args": ["mcp"]
            }
          }
        }
    "#]],
    );
    check(
        "zed",
        None,
        &expect![[r#"
        File
        {
          "context_servers": {
            "tabwright": {
              "source": "custom",
              "command": "/opt/tabwright",
              "args": ["mcp"]
            }
          }
        }
    "#]],
    );
    check(
        "opencode",
        None,
        &expect![[r#"
        File
        {
          "mcp": {
            "tabwright": {
              "type": "local",
              "command": ["/opt/tabwright", "mcp"]
            }
          }
        }
    "#]],
    );
    check(
        "codex",
        None,
        &expect![[r#"
        File
        [mcp_servers.tabwright]
        command = "/opt/tabwright"
        args = ["mcp"]
    "#]],
    );
}

#[test]
fn among_others() {
    let there = "{\n    \"mcpServers\": {\n        \"other\": {\n            \"command\": \"x\"\n        }\n    }\n}\n";
    check(
        "cursor",
        Some(there),
        &expect![[r#"
        Entry
        {
            "mcpServers": {
                "other": {
                    "command": "x"
                },
                "tabwright": {
                    "command": "/opt/tabwright",
                    "args": ["mcp"]
                }
            }
        }
    "#]],
    );
    check(
        "claude-desktop",
        Some("{\"mcpServers\":{\"other\":{\"command\":\"x\"}},\"a\":1}"),
        &expect![[r#"
        Entry
        {"mcpServers":{
            "other":{"command":"x"},
            "tabwright": {
              "command": "/opt/tabwright",
              "args": ["mcp"]
            }
          },"a":1}"#]],
    );
    check(
        "gemini",
        Some("{\n  \"theme\": \"dark\"\n}\n"),
        &expect![[r#"
        List
        {
          "theme": "dark",
          "mcpServers": {
            "tabwright": {
              "command": "/opt/tabwright",
              "args": ["mcp"]
            }
          }
        }
    "#]],
    );
    check(
        "gemini",
        Some("{}"),
        &expect![[r#"
        List
        {
          "mcpServers": {
            "tabwright": {
              "command": "/opt/tabwright",
              "args": ["mcp"]
            }
          }
        }"#]],
    );
}

#[test]
fn comments_and_trailing_commas_stay() {
    let there = "// Zed settings\n{\n  \"theme\": \"One\", // mine\n  /* servers */\n  \"context_servers\": {\n    // none yet\n  },\n}\n";
    check(
        "zed",
        Some(there),
        &expect![[r#"
        Entry
        // Zed settings
        {
          "theme": "One", // mine
          /* servers */
          "context_servers": {
            // none yet
            "tabwright": {
              "source": "custom",
              "command": "/opt/tabwright",
              "args": ["mcp"]
            }
          },
        }
    "#]],
    );
    let there = "// Zed settings\n{\n  \"vim_mode\": true, // mine\n}\n";
    check(
        "zed",
        Some(there),
        &expect![[r#"
        List
        // Zed settings
        {
          "vim_mode": true, // mine
          "context_servers": {
            "tabwright": {
              "source": "custom",
              "command": "/opt/tabwright",
              "args": ["mcp"]
            }
          },
        }
    "#]],
    );
}

#[test]
fn toml_keeps_its_form() {
    let there =
        "# mine\nmodel = \"o5\"\n\n[mcp_servers.other]  # first\ncommand = 'x'\nargs = [ 'a', 'b' ]\n";
    check(
        "codex",
        Some(there),
        &expect![[r#"
        Entry
        # mine
        model = "o5"

        [mcp_servers.other]  # first
        command = 'x'
        args = [ 'a', 'b' ]

        [mcp_servers.tabwright]
        command = "/opt/tabwright"
        args = ["mcp"]
    "#]],
    );
    check(
        "codex",
        Some("model = \"o5\"\n"),
        &expect![[r#"
        List
        model = "o5"

        [mcp_servers.tabwright]
        command = "/opt/tabwright"
        args = ["mcp"]
    "#]],
    );
    check(
        "codex",
        Some(""),
        &expect![[r#"
        List
        [mcp_servers.tabwright]
        command = "/opt/tabwright"
        args = ["mcp"]
    "#]],
    );
}

#[test]
fn an_entry_of_the_persons_keeps_its_arguments() {
    let there = "{\"mcpServers\": {\"tabwright\": {\"command\": \"/old\", \"args\": [\"mcp\", \"--max-tokens\", \"9000\"]}}}";
    let cursor = Client::named("cursor").unwrap();
    let (text, made) = cursor.add(Some(there), Path::new(PROGRAM)).unwrap().unwrap();
    assert_eq!(text, there.replace("/old", PROGRAM));
    assert_eq!(cursor.remove(&text, made).unwrap(), Removed::Gone, "it was there before us");
    let there = "[mcp_servers.tabwright]\ncommand = \"/old\" # mine\nargs = [\"mcp\", \"--label\", \"me\"]\n";
    let codex = Client::named("codex").unwrap();
    let (text, _) = codex.add(Some(there), Path::new(PROGRAM)).unwrap().unwrap();
    assert_eq!(codex.find(&text).unwrap(), Some(Found { program: PROGRAM.into() }));
    assert!(text.contains("args = [\"mcp\", \"--label\", \"me\"]"), "{text}");
}

#[test]
fn what_cannot_be_edited_is_left_alone() {
    for (client, text) in [
        ("cursor", "{\"mcpServers\": "),
        ("cursor", "[]"),
        ("cursor", "{\"mcpServers\": 7}"),
        ("cursor", "{\"mcpServers\": {\"tabwright\": 7}}"),
        ("codex", "mcp_servers = 7"),
        ("codex", "[mcp_servers"),
    ] {
        let edited = Client::named(client).unwrap().add(Some(text), Path::new(PROGRAM));
        assert!(edited.is_err(), "{text}: {edited:?}");
    }
}
