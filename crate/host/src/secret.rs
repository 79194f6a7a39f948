//! Stored secrets: in the keyring of the system, each with the origins where it may be typed, and nowhere else. Where
//! there is no keyring, there are no secrets: no file takes its place. Speaks no protocol; prints no value.

use crate::trouble::Trouble;
use keyring_core::{CredentialStore, Entry, Error};
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeSet,
    io::{IsTerminal as _, Read as _, stdin},
    sync::Arc,
};
use wire::{Hidden, Keyring, Secret};

/// Under what the keyring keeps secrets.
const SERVICE: &str = "dev.tabwright.secret";

/// Under what it keeps the list of their names, which not every keyring can tell.
const NAMES: (&str, &str) = ("dev.tabwright", "names of secrets");

/// What means that the person types it: no stored secret can be called so.
pub const ASK: &str = "ask";

/// The longest name, in bytes.
const LONGEST: usize = 64;

/// What one entry of the keyring holds.
#[derive(Serialize, Deserialize)]
struct Stored {
    origins: Vec<String>,
    value: Hidden,
}

/// The secrets of this user.
pub struct Secrets {
    store: Arc<CredentialStore>,
}

impl Secrets {
    /// Those in the system's keyring.
    ///
    /// # Errors
    /// When there is none, or it cannot be reached.
    pub fn of_this_user() -> Result<Self, Trouble> {
        Ok(Self { store: native().map_err(|error| unusable(&error))? })
    }

    /// Stores a secret, in place of one of that name.
    ///
    /// # Errors
    /// When its name or an origin does not read, or the keyring does not take it.
    pub fn set(&self, name: &str, origins: &[String], value: Hidden) -> Result<Vec<String>, Trouble> {
        let bad = |why: String| Err(Trouble::BadSecret { why });
        let letters = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if name.is_empty() || name.len() > LONGEST || !name.chars().all(letters) || name == ASK {
            return bad(format!(
                "{name:?} cannot be its name: letters, digits, `-`, `_` and `.`, {LONGEST} at most, and not `{ASK}`"
            ));
        }
        if value.0.is_empty() || value.0.contains(['\n', '\r', '\0']) {
            return bad("its value is empty, or more than one line".into());
        }
        let mut exact = BTreeSet::new();
        for origin in origins {
            match self::origin(origin) {
                Some(origin) => exact.insert(origin),
                None => return bad(format!("{origin:?} is no origin: write it like https://bank.example")),
            };
        }
        let origins: Vec<_> = exact.into_iter().collect();
        let text = json(&Stored { origins: origins.clone(), value })?;
        // Its name first: what is listed and not there is found out, what is there and not listed is not.
        let mut names = self.names()?;
        if names.insert(name.to_owned()) {
            self.keep(&names)?;
        }
        self.entry(SERVICE, name)?.set_password(&text).map_err(|error| unusable(&error))?;
        Ok(origins)
    }

    /// Takes a secret out; says whether there was one.
    ///
    /// # Errors
    /// When the keyring cannot be used.
    pub fn remove(&self, name: &str) -> Result<bool, Trouble> {
        let removed = match self.entry(SERVICE, name)?.delete_credential() {
            Ok(()) => true,
            Err(Error::NoEntry) => false,
            Err(error) => return Err(unusable(&error)),
        };
        let mut names = self.names()?;
        if names.remove(name) {
            self.keep(&names)?;
        }
        Ok(removed)
    }

    /// What is stored, by name.
    ///
    /// # Errors
    /// When the keyring cannot be used.
    pub fn list(&self) -> Result<Vec<Secret>, Trouble> {
        let mut secrets = Vec::new();
        for name in self.names()? {
            if let Some(Stored { origins, .. }) = self.get(&name)? {
                secrets.push(Secret { name, origins });
            }
        }
        Ok(secrets)
    }

    /// A secret, if it may be typed at this origin.
    fn reveal(&self, name: &str, origin: &str) -> Result<Keyring, Trouble> {
        Ok(match self.get(name)? {
            Some(Stored { origins, value }) if origins.iter().any(|it| it == origin) => {
                Keyring::Value { value, origins }
            }
            Some(_) | None => Keyring::Absent,
        })
    }

    fn get(&self, name: &str) -> Result<Option<Stored>, Trouble> {
        match self.entry(SERVICE, name)?.get_password() {
            Ok(text) => Ok(serde_json::from_str(&text).ok()),
            Err(Error::NoEntry) => Ok(None),
            Err(error) => Err(unusable(&error)),
        }
    }

    fn names(&self) -> Result<BTreeSet<String>, Trouble> {
        match self.entry(NAMES.0, NAMES.1)?.get_password() {
            Ok(text) => Ok(serde_json::from_str(&text).unwrap_or_default()),
            Err(Error::NoEntry) => Ok(BTreeSet::new()),
            Err(error) => Err(unusable(&error)),
        }
    }

    fn keep(&self, names: &BTreeSet<String>) -> Result<(), Trouble> {
        let text = json(names)?;
        self.entry(NAMES.0, NAMES.1)?.set_password(&text).map_err(|error| unusable(&error))
    }

    fn entry(&self, service: &str, user: &str) -> Result<Entry, Trouble> {
        Entry::new_in_store(&self.store, service, user).map_err(|error| unusable(&error))
    }
}

/// What the worker is told when it asks what is stored.
pub fn listed() -> Keyring {
    answer(
        Secrets::of_this_user().and_then(|secrets| secrets.list()).map(|secrets| Keyring::Listed { secrets }),
    )
}

/// What the worker is told when it asks for one.
pub fn revealed(name: &str, origin: &str) -> Keyring {
    answer(Secrets::of_this_user().and_then(|secrets| secrets.reveal(name, origin)))
}

fn answer(asked: Result<Keyring, Trouble>) -> Keyring {
    asked.unwrap_or_else(|trouble| Keyring::Unavailable { why: trouble.to_string(), next: trouble.next() })
}

/// Reads a value from the terminal, which does not show it, or from what is piped in. A line end after it is none of it.
///
/// # Errors
/// When there is nothing to read from.
pub fn ask_value(name: &str) -> Result<Hidden, Trouble> {
    let value = if stdin().is_terminal() {
        rpassword::prompt_password(format!("Value of {name} (is not shown): "))?
    } else {
        let mut piped = String::new();
        stdin().read_to_string(&mut piped)?;
        piped
    };
    Ok(Hidden(value.trim_end_matches(['\n', '\r']).to_owned()))
}

/// An origin in the form in which the worker tells it: with its port, lower case; of the web alone.
fn origin(text: &str) -> Option<String> {
    let (scheme, rest) = text.trim().split_once("://")?;
    let (scheme, host) = (scheme.to_ascii_lowercase(), rest.trim_end_matches('/').to_ascii_lowercase());
    let default = match scheme.as_str() {
        "https" => 443,
        "http" => 80,
        _ => return None,
    };
    let readable = |c: char| c.is_ascii_alphanumeric() || "-._:[]".contains(c);
    if host.is_empty() || host.starts_with(':') || !host.chars().all(readable) {
        return None;
    }
    match host.rsplit_once(':') {
        Some((_, port)) if port.parse::<u16>().is_ok() => Some(format!("{scheme}://{host}")),
        Some((name, _)) if !name.starts_with('[') || !host.ends_with(']') => None,
        Some(_) | None => Some(format!("{scheme}://{host}:{default}")),
    }
}

fn json(value: &impl Serialize) -> Result<String, Trouble> {
    Ok(serde_json::to_string(value).map_err(std::io::Error::from)?)
}

#[allow(clippy::wildcard_enum_match_arm, reason = "the enum is the crate's own, and more kinds may come")]
fn unusable(error: &Error) -> Trouble {
    // Some kinds carry the value along: those are told by their kind alone.
    let why = match error {
        Error::PlatformFailure(why) | Error::NoStorageAccess(why) => why.to_string(),
        Error::BadEncoding(_) | Error::BadDataFormat(..) => "what it holds does not read".into(),
        Error::TooLong(what, most) => format!("{what} is longer than the {most} that it takes"),
        other => other.to_string(),
    };
    Trouble::NoKeyring { why }
}

#[cfg(target_os = "macos")]
fn native() -> keyring_core::Result<Arc<CredentialStore>> {
    Ok(apple_native_keyring_store::keychain::Store::new()?)
}

#[cfg(windows)]
fn native() -> keyring_core::Result<Arc<CredentialStore>> {
    Ok(windows_native_keyring_store::Store::new()?)
}

#[cfg(all(unix, not(target_os = "macos")))]
fn native() -> keyring_core::Result<Arc<CredentialStore>> {
    Ok(zbus_secret_service_keyring_store::Store::new()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use keyring_core::mock;

    fn secrets() -> Secrets {
        Secrets { store: mock::Store::new().unwrap() }
    }

    fn at(origin: &str) -> Vec<String> {
        vec![origin.to_owned()]
    }

    #[test]
    fn a_secret_is_given_for_its_exact_origins_alone() {
        let secrets = secrets();
        let origins = [at("https://Bank.example"), at("http://127.0.0.1:8080/")].concat();
        let told = secrets.set("bank", &origins, Hidden("hunter2".into())).unwrap();
        assert_eq!(told, ["http://127.0.0.1:8080", "https://bank.example:443"]);
        let reveal = |name: &str, origin: &str| secrets.reveal(name, origin).unwrap();
        let Keyring::Value { value, origins } = reveal("bank", "https://bank.example:443") else { panic!() };
        assert_eq!((value.0.as_str(), origins), ("hunter2", told));
        for origin in [
            "http://bank.example:80",
            "https://bank.example:8443",
            "https://www.bank.example:443",
            "https://bank.example.evil.example:443",
            "http://127.0.0.1:80",
            "",
        ] {
            assert_eq!(reveal("bank", origin), Keyring::Absent, "{origin}");
        }
        assert_eq!(reveal("other", "https://bank.example:443"), Keyring::Absent);
    }

    #[test]
    fn what_is_listed_has_no_value_and_what_is_removed_is_gone() {
        let secrets = secrets();
        for name in ["b", "a"] {
            secrets.set(name, &at("https://a.example"), Hidden("hunter2".into())).unwrap();
        }
        let listed = secrets.list().unwrap();
        assert_eq!(listed.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
        assert!(!serde_json::to_string(&listed).unwrap().contains("hunter2"));
        assert!(secrets.remove("a").unwrap());
        assert!(!secrets.remove("a").unwrap());
        assert_eq!(secrets.list().unwrap().len(), 1);
        assert_eq!(secrets.reveal("a", "https://a.example:443").unwrap(), Keyring::Absent);
        // What was taken out by other means is not listed.
        secrets.entry(SERVICE, "b").unwrap().delete_credential().unwrap();
        assert!(secrets.list().unwrap().is_empty());
    }

    #[test]
    fn names_values_and_origins_must_read() {
        let secrets = secrets();
        let value = || Hidden("hunter2".into());
        for name in ["", "ask", "a b", "a/b", &"x".repeat(65)] {
            assert!(secrets.set(name, &at("https://a.example"), value()).is_err(), "{name}");
        }
        for text in ["", "a\nb"] {
            assert!(secrets.set("a", &at("https://a.example"), Hidden(text.into())).is_err());
        }
        for origin in [
            "bank.example",
            "ftp://a.example",
            "https://",
            "https://a.example/login",
            "https://a:b@c.example",
            "https://a.example:99999",
            "https://*.example",
            "javascript:alert(1)",
        ] {
            assert!(secrets.set("a", &at(origin), value()).is_err(), "{origin}");
        }
        assert_eq!(origin("http://[::1]").as_deref(), Some("http://[::1]:80"));
        assert_eq!(origin("http://[::1]:9").as_deref(), Some("http://[::1]:9"));
        assert!(secrets.list().unwrap().is_empty());
    }

    #[test]
    fn a_keyring_that_is_locked_is_a_failure_without_the_value() {
        let secrets = secrets();
        secrets.set("a", &at("https://a.example"), Hidden("hunter2".into())).unwrap();
        let entry = secrets.entry(SERVICE, "a").unwrap();
        let cred: &mock::Cred = entry.as_any().downcast_ref().unwrap();
        cred.set_error(Error::BadEncoding(b"hunter2".to_vec()));
        let trouble = secrets.reveal("a", "https://a.example:443").unwrap_err();
        let Keyring::Unavailable { why, next } = answer(Err(trouble)) else { panic!() };
        assert!(why.contains("does not read") && !why.contains("hunter2") && !next.is_empty(), "{why}");
    }
}
