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
    use crate::pipe::{self, GUARD};
    use interprocess::os::windows::{
        named_pipe::{
            PipeListenerOptions, PipeMode, pipe_mode,
            tokio::{DuplexPipeStream, PipeListener},
        },
        security_descriptor::SecurityDescriptor,
    };
    use std::{io, path::Path};
    use widestring::U16CString;

    /// A named pipe.
    pub struct Listener(PipeListener<pipe_mode::Bytes, pipe_mode::Bytes>);

    impl Listener {
        /// Makes a pipe that only this user opens. Fails if there is one of the name: whoever made it before would
        /// hear our agents. (What makes a listener asks for the first instance, always.)
        pub fn bind(path: &Path) -> io::Result<Self> {
            let sddl = U16CString::from_str(GUARD.sddl).map_err(io::Error::other)?;
            let descriptor = SecurityDescriptor::deserialize(&sddl)?;
            PipeListenerOptions::new()
                .path(pipe::name(path))
                .mode(PipeMode::Bytes)
                .accept_remote(GUARD.accept_remote)
                .inheritable(GUARD.inheritable)
                .security_descriptor(Some(descriptor))
                .create_tokio_duplex()
                .map(Self)
        }

        /// The next peer.
        pub async fn accept(&self) -> io::Result<Accepted> {
            let (read, write) = tokio::io::split(self.0.accept().await?);
            Ok(Accepted { read: Box::new(read), write: Box::new(write), pid: None })
        }
    }

    /// Connects to a host of this user.
    pub async fn connect(path: &Path) -> io::Result<(ReadHalf, WriteHalf)> {
        let stream = DuplexPipeStream::<pipe_mode::Bytes>::connect_by_path(pipe::name(path)).await?;
        let (read, write) = tokio::io::split(stream);
        Ok((Box::new(read), Box::new(write)))
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[tokio::test]
        async fn the_first_instance_is_ours_or_there_is_none() {
            let path =
                std::env::temp_dir().join(format!("{}.sock", crate::descriptor::random_word().unwrap()));
            let first = Listener::bind(&path).unwrap();
            assert!(Listener::bind(&path).is_err());
            drop(first);
            assert!(Listener::bind(&path).is_ok());
        }
    }
}
