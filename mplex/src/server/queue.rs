//! Bytes waiting for a descriptor that does not take them yet.

use std::collections::VecDeque;
use std::io;
use std::os::fd::AsFd;

use rustix::io::Errno;

/// What became of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    /// Nothing is left.
    Empty,
    /// The descriptor takes no more for now.
    Blocked,
}

/// A queue of pieces, each written in order.
#[derive(Debug, Default)]
pub(super) struct Queue {
    pieces: VecDeque<Vec<u8>>,
    /// Bytes of the first piece already written.
    done: usize,
    len: usize,
}

impl Queue {
    /// Bytes that wait.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(super) fn push(&mut self, bytes: Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        self.len += bytes.len();
        // Small pieces join: fewer writes, and the list stays short.
        match self.pieces.back_mut() {
            Some(last) if last.len() + bytes.len() <= 4096 => last.extend_from_slice(&bytes),
            _ => self.pieces.push_back(bytes),
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Queue::default();
    }

    /// Writes what the descriptor takes; any error but "later" is the descriptor's end.
    pub(super) fn write_to(&mut self, fd: impl AsFd) -> io::Result<Flow> {
        let fd = fd.as_fd();
        while let Some(piece) = self.pieces.front() {
            match rustix::io::write(fd, &piece[self.done..]) {
                Ok(n) => {
                    self.done += n;
                    self.len -= n;
                    if self.done == piece.len() {
                        self.pieces.pop_front();
                        self.done = 0;
                    }
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return Ok(Flow::Blocked),
                Err(e) => return Err(e.into()),
            }
        }
        Ok(Flow::Empty)
    }
}
