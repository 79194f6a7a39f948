//! The local socket: bound for this user alone, each peer's user checked. Bytes only.

#[cfg(unix)]
pub use unix::{Listener, connect};
#[cfg(windows)]
pub use windows::{Listener, connect};

use tokio::io::{AsyncRead, AsyncWrite};

/// The reading half of a connection.
pub type ReadHalf = Box<dyn AsyncRead + Send + Unpin>;
/// The writing half of a connection.
pub type WriteHalf = Box<dyn AsyncWrite + Send + Unpin>;

/// A connection that was accepted.
pub struct Accepted {
    /// What comes from the peer.
    pub read: ReadHalf,
    /// What goes to the peer.
    pub write: WriteHalf,
    /// The peer's process, where the system tells.
    pub pid: Option<u32>,
}

/// The executable of a process's parent, where the system tells: what started the agent's front end.
pub fn parent_executable(pid: u32) -> Option<String> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name before it may hold anything, brackets included.
    let (_, after_name) = stat.rsplit_once(')')?;
    let parent: u32 = after_name.split_whitespace().nth(1)?.parse().ok()?;
    std::fs::read_link(format!("/proc/{parent}/exe")).ok()?.into_os_string().into_string().ok()
}

#[cfg(unix)]
mod unix {
    use super::{Accepted, ReadHalf, WriteHalf};
    use crate::folder::my_uid;
    use std::{fs, io, os::unix::fs::PermissionsExt, path::Path};
    use tokio::net::{UnixListener, UnixStream};

    /// A bound socket.
    pub struct Listener(UnixListener);

    impl Listener {
        /// Binds a socket that only this user opens.
        pub fn bind(path: &Path) -> io::Result<Self> {
            let listener = UnixListener::bind(path)?;
            // Until here the folder guards it.
            fs::set_permissions(path, fs::Permissions::from_mode(0o600))?;
            Ok(Self(listener))
        }

        /// The next peer of this user; others are dropped unheard.
        pub async fn accept(&self) -> io::Result<Accepted> {
            loop {
                let (stream, _) = self.0.accept().await?;
                let peer = match stream.peer_cred() {
                    Ok(peer) => peer,
                    Err(error) => {
                        tracing::warn!(%error, "a peer that cannot be identified was refused");
                        continue;
                    }
                };
                if peer.uid() != my_uid() {
                    tracing::warn!(uid = peer.uid(), "a peer of another user was refused");
                    continue;
                }
                let pid = peer.pid().and_then(|pid| u32::try_from(pid).ok());
                let (read, write) = stream.into_split();
                return Ok(Accepted { read: Box::new(read), write: Box::new(write), pid });
            }
        }
    }

    /// Connects to a host of this user.
    pub async fn connect(path: &Path) -> io::Result<(ReadHalf, WriteHalf)> {
        let stream = UnixStream::connect(path).await?;
        if stream.peer_cred()?.uid() != my_uid() {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the socket is another user's"));
        }
        let (read, write) = stream.into_split();
        Ok((Box::new(read), Box::new(write)))
    }
}

/// Written, not run.
#[cfg(windows)]
mod windows {
    use super::{Accepted, ReadHalf, WriteHalf};
    use interprocess::{
        local_socket::{
            ConnectOptions, GenericFilePath, ListenerOptions, ToFsName, tokio::Listener as PipeListener,
            traits::tokio::Listener as _,
        },
        os::windows::{local_socket::ListenerOptionsExt, security_descriptor::SecurityDescriptor},
    };
    use std::{ffi::OsString, io, path::Path};

    /// A named pipe: its first instance, which no remote client reaches (both are what interprocess does).
    pub struct Listener(PipeListener);

    /// Owner and system only; nothing is inherited.
    const OWNER_ONLY: &widestring::U16CStr = widestring::u16cstr!("D:P(A;;GA;;;OW)(A;;GA;;;SY)");

    fn pipe_name(path: &Path) -> OsString {
        let mut name = OsString::from(r"\\.\pipe\tabwright-");
        name.push(path.file_stem().unwrap_or_default());
        name
    }

    impl Listener {
        /// Makes a pipe that only this user opens.
        pub fn bind(path: &Path) -> io::Result<Self> {
            let name = pipe_name(path).to_fs_name::<GenericFilePath>()?;
            let descriptor = SecurityDescriptor::deserialize(OWNER_ONLY)?;
            ListenerOptions::new().name(name).security_descriptor(descriptor).create_tokio().map(Self)
        }

        /// The next peer.
        pub async fn accept(&self) -> io::Result<Accepted> {
            let (read, write) = tokio::io::split(self.0.accept().await?);
            Ok(Accepted { read: Box::new(read), write: Box::new(write), pid: None })
        }
    }

    /// Connects to a host of this user.
    pub async fn connect(path: &Path) -> io::Result<(ReadHalf, WriteHalf)> {
        let name = pipe_name(path).to_fs_name::<GenericFilePath>()?;
        let (read, write) = tokio::io::split(ConnectOptions::new().name(name).connect_tokio().await?);
        Ok((Box::new(read), Box::new(write)))
    }
}
