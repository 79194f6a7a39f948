//! The part of the Windows registry that native messaging uses: keys below `HKEY_CURRENT_USER\Software` with one
//! path each. Written, not run.

use std::io;

/// A registry.
pub trait Registry {
    /// The path that a key holds.
    fn get(&self, key: &str) -> Option<String>;
    /// Makes the key, with this path.
    fn set(&mut self, key: &str, path: &str) -> io::Result<()>;
    /// Removes the key.
    fn remove(&mut self, key: &str) -> io::Result<()>;
}

/// The key of our host for a browser's own key.
pub fn host_key(browser: &str) -> String {
    format!(r"Software\{browser}\NativeMessagingHosts\{}", wire::HOST_NAME)
}

/// The registry of this user. There is none but on Windows.
#[derive(Debug, Default)]
pub struct OfThisUser;

#[cfg(windows)]
impl Registry for OfThisUser {
    fn get(&self, key: &str) -> Option<String> {
        let user = winreg::RegKey::predef(winreg::enums::HKEY_CURRENT_USER);
        user.open_subkey(key).ok()?.get_value("").ok()
    }

    fn set(&mut self, key: &str, path: &str) -> io::Result<()> {
        let user = winreg::RegKey::predef(winreg::enums::HKEY_CURRENT_USER);
        let (made, _) = user.create_subkey(key)?;
        made.set_value("", &path)
    }

    fn remove(&mut self, key: &str) -> io::Result<()> {
        winreg::RegKey::predef(winreg::enums::HKEY_CURRENT_USER).delete_subkey_all(key)
    }
}

#[cfg(not(windows))]
impl Registry for OfThisUser {
    fn get(&self, _: &str) -> Option<String> {
        None
    }

    fn set(&mut self, _: &str, _: &str) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn remove(&mut self, _: &str) -> io::Result<()> {
        Ok(())
    }
}
