//! A connection to the socket: its two faces, and how bytes and descriptors are taken from it.
//!
//! Limits: a control line has at most [`LINE`] bytes, longer ones are skipped and told of; attach frames have the
//! protocol's caps; what waits to be sent is at most [`QUEUE`] bytes, a peer slower than that is let go.

use std::io::{self, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;

use mplex_proto::attach::Decoder;
use rustix::io::Errno;
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, recvmsg};

use super::queue::Queue;
use crate::base::ClientId;
use crate::control::Peer;

/// Longest control line.
pub(super) const LINE: usize = 1 << 20;
/// Most bytes waiting for a peer.
pub(super) const QUEUE: usize = 64 << 20;

pub(super) struct Conn {
    pub(super) stream: UnixStream,
    pub(super) peer: Peer,
    pub(super) face: Face,
    pub(super) out: Queue,
    /// Whether we poll for it to take more.
    pub(super) waiting: bool,
    /// Close it once `out` is empty.
    pub(super) closing: bool,
}

/// Who speaks.
pub(super) enum Face {
    /// Nothing was said yet.
    New,
    Attach(Attach),
    Control(Lines),
}

/// The attach protocol's state.
#[derive(Default)]
pub(super) struct Attach {
    pub(super) decoder: Decoder,
    pub(super) greeted: bool,
    /// The terminal that came beside the preface.
    pub(super) passed: Option<OwnedFd>,
    /// Once the hello was read.
    pub(super) client: Option<ClientId>,
}

/// What one look at the stream gave.
pub(super) enum Got {
    Bytes(usize),
    /// Nothing for now.
    Later,
    End,
}

/// Reads once, and takes descriptors that came along: at most one is kept, by `passed` if that is free.
pub(super) fn receive(stream: impl AsFd, buf: &mut [u8], passed: &mut Option<OwnedFd>) -> Got {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(4))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    #[cfg(target_os = "linux")]
    let flags = RecvFlags::CMSG_CLOEXEC | RecvFlags::DONTWAIT;
    #[cfg(not(target_os = "linux"))]
    let flags = RecvFlags::DONTWAIT;
    let n = loop {
        match recvmsg(&stream, &mut [IoSliceMut::new(buf)], &mut ancillary, flags) {
            Ok(message) => break message.bytes,
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => return Got::Later,
            Err(_) => return Got::End,
        }
    };
    for message in ancillary.drain() {
        if let RecvAncillaryMessage::ScmRights(fds) = message {
            for fd in fds {
                if passed.is_none() {
                    // Already so on Linux; programs we start must not get it.
                    let _ = rustix::io::fcntl_setfd(&fd, rustix::io::FdFlags::CLOEXEC);
                    *passed = Some(fd);
                }
            }
        }
    }
    if n == 0 { Got::End } else { Got::Bytes(n) }
}

/// Who is on the other side.
pub(super) fn peer_of(stream: &UnixStream) -> io::Result<Peer> {
    #[cfg(target_os = "linux")]
    {
        let cred = rustix::net::sockopt::socket_peercred(stream)?;
        Ok(Peer { uid: cred.uid.as_raw(), pid: cred.pid.as_raw_pid().cast_unsigned() })
    }
    #[cfg(not(target_os = "linux"))]
    {
        use std::os::fd::AsRawFd;
        let (mut uid, mut gid) = (0, 0);
        // SAFETY: both places are ours and live for the call.
        if unsafe { libc::getpeereid(stream.as_raw_fd(), &mut uid, &mut gid) } != 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(Peer { uid, pid: 0 })
    }
}

/// One piece of a control connection.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    Whole(Vec<u8>),
    TooLong(usize),
}

/// Cuts lines.
#[derive(Default)]
pub(super) struct Lines {
    part: Vec<u8>,
    /// Bytes of a line over the limit that were skipped so far.
    skipped: usize,
}

impl Lines {
    pub(super) fn push(&mut self, mut bytes: &[u8], mut each: impl FnMut(Line)) {
        while !bytes.is_empty() {
            let end = memchr::memchr(b'\n', bytes);
            let piece = &bytes[..end.unwrap_or(bytes.len())];
            bytes = &bytes[end.map_or(bytes.len(), |e| e + 1)..];
            if self.skipped > 0 || self.part.len() + piece.len() > LINE {
                self.skipped += self.part.len() + piece.len();
                self.part = Vec::new();
            } else {
                self.part.extend_from_slice(piece);
            }
            if end.is_some() {
                if self.skipped > 0 {
                    each(Line::TooLong(std::mem::take(&mut self.skipped)));
                } else {
                    each(Line::Whole(std::mem::take(&mut self.part)));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_and_capped() {
        let mut lines = Lines::default();
        let mut got = Vec::new();
        for piece in [b"{a}\n{".as_slice(), b"b", b"}\n\n", b"tail"] {
            lines.push(piece, |l| got.push(l));
        }
        let whole = |t: &str| Line::Whole(t.as_bytes().to_vec());
        assert_eq!(got, [whole("{a}"), whole("{b}"), whole("")]);
        got.clear();
        lines.push(b"\n", |l| got.push(l));
        lines.push(&vec![b'x'; LINE], |l| got.push(l));
        assert_eq!(got, [whole("tail")]);
        lines.push(b"xy", |l| got.push(l));
        assert!(lines.part.is_empty(), "a long line is not kept");
        lines.push(b"z\nok\n", |l| got.push(l));
        assert_eq!(got[1..], [Line::TooLong(LINE + 3), whole("ok")]);
    }
}
