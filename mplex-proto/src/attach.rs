//! The binary attach protocol between the thin client and the server: framing, both lists of frames, their caps.
//!
//! A connection starts with a preface from each side: four magic bytes (the first is never `{`, which marks a control
//! connection) and a version. Only the preface and [`ToClient::Mismatch`] keep their layout for ever, so that two
//! programs of different versions can always say so. After it come frames: one byte of kind, four bytes of length (big
//! endian), the payload. Numbers are big endian, texts and lists carry a four byte length. It knows no socket and no
//! meaning of a command; decoding never panics, whatever the bytes.

use std::fmt;

/// The bytes a connection of this protocol starts with.
pub const MAGIC: [u8; 4] = [0xb7, b'M', b'P', b'X'];
/// The version this program speaks; any change of a frame's layout changes it.
pub const VERSION: u16 = 1;
/// Length of the preface.
pub const PREFACE: usize = 6;
/// Most bytes of a payload, but for [`ToServer::Hello`].
pub const MAX_PAYLOAD: usize = 1 << 20;
/// Most bytes of a [`ToServer::Hello`]: arguments and environment of a process fit.
pub const MAX_HELLO: usize = 4 << 20;
/// Most bytes of text or terminal output put in one frame; longer runs are split by the sender.
pub const CHUNK: usize = 64 << 10;

const HEADER: usize = 5;

/// Why bytes are no frame of this protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// The other side is not an mplex at all.
    Magic,
    /// A frame's length is over its cap.
    TooLong { kind: u8, length: usize },
    /// No frame of this version has this kind.
    Kind(u8),
    /// The payload ends early, goes on too long or holds no text where text is due.
    Payload(u8),
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Malformed::Magic => write!(f, "not the attach protocol of mplex"),
            Malformed::TooLong { kind, length } => write!(f, "frame of kind {kind} is too long ({length} bytes)"),
            Malformed::Kind(kind) => write!(f, "unknown frame of kind {kind}"),
            Malformed::Payload(kind) => write!(f, "malformed frame of kind {kind}"),
        }
    }
}

impl std::error::Error for Malformed {}

/// The preface this program sends.
pub fn preface() -> [u8; PREFACE] {
    let v = VERSION.to_be_bytes();
    [MAGIC[0], MAGIC[1], MAGIC[2], MAGIC[3], v[0], v[1]]
}

/// Reads the version from the start of `bytes`; `None` while more bytes are needed.
pub fn read_preface(bytes: &[u8]) -> Result<Option<u16>, Malformed> {
    let n = bytes.len().min(MAGIC.len());
    if bytes[..n] != MAGIC[..n] {
        return Err(Malformed::Magic);
    }
    match bytes {
        [_, _, _, _, a, b, ..] => Ok(Some(u16::from_be_bytes([*a, *b]))),
        _ => Ok(None),
    }
}

/// What two sides of different versions tell the person.
pub fn mismatch(client: u16, server: u16) -> String {
    format!("protocol version mismatch (client {client}, server {server})")
}

/// The terminal a client stands on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tty {
    /// Path of the device.
    pub path: String,
    /// `TERM`.
    pub term: String,
    /// Columns and rows.
    pub size: (u16, u16),
    /// Pixels of a cell, 0 where unknown.
    pub cell: (u16, u16),
}

/// What a client says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hello {
    pub argv: Vec<String>,
    pub pid: u32,
    pub cwd: String,
    pub env: Vec<(String, String)>,
    pub tty: Option<Tty>,
    /// 0, 1 (`-C`) or 2 (`-CC`).
    pub control: u8,
    pub features: Vec<String>,
    pub config: Option<Vec<String>>,
    pub as_tmux: bool,
}

/// Frames of the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToServer {
    /// The first frame. The terminal's descriptor travels beside the preface.
    Hello(Box<Hello>),
    Resize {
        size: (u16, u16),
        cell: (u16, u16),
    },
    /// Standard input, only after [`ToClient::WantStdin`].
    Stdin {
        bytes: Vec<u8>,
        eof: bool,
    },
    /// Bytes of the terminal, only between [`ToClient::Relay`] and [`ToClient::Detached`].
    TtyIn(Vec<u8>),
    /// Back from a suspension or a lock.
    Resumed,
    /// The client is about to end (a signal told it so); the terminal should be put in order meanwhile.
    Exiting,
}

/// Frames of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToClient {
    /// Another version was met: the text says which. The layout of this frame never changes.
    Mismatch(String),
    /// Bytes for standard output.
    Out(Vec<u8>),
    /// Bytes for standard error.
    Err(Vec<u8>),
    /// Send standard input until its end.
    WantStdin,
    /// The terminal is attached: raw from now on.
    Attached,
    /// As `Attached`, but the server cannot reach the terminal itself: relay its bytes both ways.
    Relay,
    /// Bytes for a relayed terminal.
    TtyOut(Vec<u8>),
    /// The terminal is the client's own again.
    Detached,
    /// Stop as by C-z.
    Suspend,
    /// Run this command on the terminal.
    Lock(String),
    /// Print the message, end with this status.
    Exit { status: u8, message: Option<String> },
    /// As `Exit` with 0, and hang up the parent.
    Hangup(Option<String>),
    /// Become this shell command.
    Exec { shell: String, command: String },
    /// Before `Exit` to a control client: wait for an empty line or the end of standard input before going.
    Linger,
}

/// A list of frames, for [`Decoder`].
pub trait Frame: Sized {
    /// The kind's byte and the payload.
    fn write(&self, payload: &mut Vec<u8>) -> u8;
    /// The other way round.
    fn read(kind: u8, payload: &[u8]) -> Result<Self, Malformed>;
    /// Most bytes of a payload of this kind.
    fn cap(kind: u8) -> usize;

    /// Appends the frame to `out`.
    fn encode(&self, out: &mut Vec<u8>) {
        let start = out.len();
        out.extend_from_slice(&[0; HEADER]);
        let kind = self.write(out);
        let length = u32::try_from(out.len() - start - HEADER).unwrap_or(u32::MAX);
        out[start] = kind;
        out[start + 1..start + HEADER].copy_from_slice(&length.to_be_bytes());
    }
}

/// Cuts a stream of bytes into frames. Holds at most one frame and what was pushed after it.
#[derive(Debug, Default)]
pub struct Decoder {
    buf: Vec<u8>,
    pos: usize,
}

impl Decoder {
    pub fn push(&mut self, bytes: &[u8]) {
        if self.pos > 0 && self.pos == self.buf.len() {
            self.buf.clear();
            self.pos = 0;
        } else if self.pos > CHUNK {
            self.buf.drain(..self.pos);
            self.pos = 0;
        }
        self.buf.extend_from_slice(bytes);
    }

    /// What was pushed and not taken.
    pub fn rest(&self) -> &[u8] {
        &self.buf[self.pos..]
    }

    /// Skips bytes (the preface).
    pub fn skip(&mut self, n: usize) {
        self.pos = (self.pos + n).min(self.buf.len());
    }

    /// The next whole frame; `None` while more bytes are needed. After an error the stream is of no more use.
    pub fn take<F: Frame>(&mut self) -> Result<Option<F>, Malformed> {
        let rest = &self.buf[self.pos..];
        let [kind, a, b, c, d, ..] = *rest else { return Ok(None) };
        let length = u32::from_be_bytes([a, b, c, d]) as usize;
        if length > F::cap(kind) {
            return Err(Malformed::TooLong { kind, length });
        }
        let Some(payload) = rest.get(HEADER..HEADER + length) else { return Ok(None) };
        let frame = F::read(kind, payload)?;
        self.pos += HEADER + length;
        Ok(Some(frame))
    }
}

const HELLO: u8 = 1;

impl Frame for ToServer {
    fn cap(kind: u8) -> usize {
        if kind == HELLO { MAX_HELLO } else { MAX_PAYLOAD }
    }

    fn write(&self, out: &mut Vec<u8>) -> u8 {
        match self {
            ToServer::Hello(h) => {
                put_list(out, &h.argv);
                out.extend_from_slice(&h.pid.to_be_bytes());
                put_text(out, &h.cwd);
                put_len(out, h.env.len());
                for (k, v) in &h.env {
                    put_text(out, k);
                    put_text(out, v);
                }
                out.push(u8::from(h.tty.is_some()));
                if let Some(t) = &h.tty {
                    put_text(out, &t.path);
                    put_text(out, &t.term);
                    put_pair(out, t.size);
                    put_pair(out, t.cell);
                }
                out.push(h.control);
                put_list(out, &h.features);
                out.push(u8::from(h.config.is_some()));
                if let Some(c) = &h.config {
                    put_list(out, c);
                }
                out.push(u8::from(h.as_tmux));
                HELLO
            }
            ToServer::Resize { size, cell } => {
                put_pair(out, *size);
                put_pair(out, *cell);
                2
            }
            ToServer::Stdin { bytes, eof } => {
                out.push(u8::from(*eof));
                out.extend_from_slice(bytes);
                3
            }
            ToServer::TtyIn(bytes) => {
                out.extend_from_slice(bytes);
                4
            }
            ToServer::Resumed => 5,
            ToServer::Exiting => 6,
        }
    }

    fn read(kind: u8, payload: &[u8]) -> Result<ToServer, Malformed> {
        let mut r = Reader { bytes: payload, bad: false };
        let frame = match kind {
            HELLO => ToServer::Hello(Box::new(Hello {
                argv: r.list(),
                pid: r.u32(),
                cwd: r.text(),
                env: {
                    let n = r.u32();
                    // Grows only with bytes that are there, never by what the count claims.
                    let mut env = Vec::new();
                    for _ in 0..n {
                        if r.bad {
                            break;
                        }
                        env.push((r.text(), r.text()));
                    }
                    env
                },
                tty: r.flag().then(|| Tty { path: r.text(), term: r.text(), size: r.pair(), cell: r.pair() }),
                control: r.u8(),
                features: r.list(),
                config: r.flag().then(|| r.list()),
                as_tmux: r.flag(),
            })),
            2 => ToServer::Resize { size: r.pair(), cell: r.pair() },
            3 => {
                let eof = r.flag();
                ToServer::Stdin { bytes: r.all(), eof }
            }
            4 => ToServer::TtyIn(r.all()),
            5 => ToServer::Resumed,
            6 => ToServer::Exiting,
            _ => return Err(Malformed::Kind(kind)),
        };
        r.end(kind, frame)
    }
}

impl Frame for ToClient {
    fn cap(_: u8) -> usize {
        MAX_PAYLOAD
    }

    fn write(&self, out: &mut Vec<u8>) -> u8 {
        match self {
            ToClient::Mismatch(text) => {
                out.extend_from_slice(text.as_bytes());
                0
            }
            ToClient::Out(bytes) => {
                out.extend_from_slice(bytes);
                1
            }
            ToClient::Err(bytes) => {
                out.extend_from_slice(bytes);
                2
            }
            ToClient::WantStdin => 3,
            ToClient::Attached => 4,
            ToClient::Relay => 5,
            ToClient::TtyOut(bytes) => {
                out.extend_from_slice(bytes);
                6
            }
            ToClient::Detached => 7,
            ToClient::Suspend => 8,
            ToClient::Lock(command) => {
                put_text(out, command);
                9
            }
            ToClient::Exit { status, message } => {
                out.push(*status);
                put_option(out, message);
                10
            }
            ToClient::Hangup(message) => {
                put_option(out, message);
                11
            }
            ToClient::Exec { shell, command } => {
                put_text(out, shell);
                put_text(out, command);
                12
            }
            ToClient::Linger => 13,
        }
    }

    fn read(kind: u8, payload: &[u8]) -> Result<ToClient, Malformed> {
        let mut r = Reader { bytes: payload, bad: false };
        let frame = match kind {
            0 => ToClient::Mismatch(String::from_utf8_lossy(&r.all()).into_owned()),
            1 => ToClient::Out(r.all()),
            2 => ToClient::Err(r.all()),
            3 => ToClient::WantStdin,
            4 => ToClient::Attached,
            5 => ToClient::Relay,
            6 => ToClient::TtyOut(r.all()),
            7 => ToClient::Detached,
            8 => ToClient::Suspend,
            9 => ToClient::Lock(r.text()),
            10 => ToClient::Exit { status: r.u8(), message: r.option() },
            11 => ToClient::Hangup(r.option()),
            12 => ToClient::Exec { shell: r.text(), command: r.text() },
            13 => ToClient::Linger,
            _ => return Err(Malformed::Kind(kind)),
        };
        r.end(kind, frame)
    }
}

fn put_len(out: &mut Vec<u8>, n: usize) {
    out.extend_from_slice(&u32::try_from(n).unwrap_or(u32::MAX).to_be_bytes());
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    put_len(out, text.len());
    out.extend_from_slice(text.as_bytes());
}

fn put_list(out: &mut Vec<u8>, list: &[String]) {
    put_len(out, list.len());
    for text in list {
        put_text(out, text);
    }
}

fn put_option(out: &mut Vec<u8>, text: &Option<String>) {
    out.push(u8::from(text.is_some()));
    if let Some(text) = text {
        put_text(out, text);
    }
}

fn put_pair(out: &mut Vec<u8>, (a, b): (u16, u16)) {
    out.extend_from_slice(&a.to_be_bytes());
    out.extend_from_slice(&b.to_be_bytes());
}

/// Reads fields one after the other; once something is missing everything reads as empty and `bad` stays set.
struct Reader<'a> {
    bytes: &'a [u8],
    bad: bool,
}

impl<'a> Reader<'a> {
    fn take(&mut self, n: usize) -> &'a [u8] {
        match self.bytes.split_at_checked(n) {
            Some((head, tail)) if !self.bad => {
                self.bytes = tail;
                head
            }
            _ => {
                self.bad = true;
                &[]
            }
        }
    }

    fn u8(&mut self) -> u8 {
        self.take(1).first().copied().unwrap_or(0)
    }

    fn u16(&mut self) -> u16 {
        self.take(2).try_into().map_or(0, u16::from_be_bytes)
    }

    fn u32(&mut self) -> u32 {
        self.take(4).try_into().map_or(0, u32::from_be_bytes)
    }

    fn pair(&mut self) -> (u16, u16) {
        (self.u16(), self.u16())
    }

    fn flag(&mut self) -> bool {
        match self.u8() {
            0 => false,
            1 => true,
            _ => {
                self.bad = true;
                false
            }
        }
    }

    fn text(&mut self) -> String {
        let n = self.u32() as usize;
        match std::str::from_utf8(self.take(n)) {
            Ok(text) => text.to_owned(),
            Err(_) => {
                self.bad = true;
                String::new()
            }
        }
    }

    fn option(&mut self) -> Option<String> {
        self.flag().then(|| self.text())
    }

    fn list(&mut self) -> Vec<String> {
        let n = self.u32();
        let mut list = Vec::new();
        for _ in 0..n {
            if self.bad {
                break;
            }
            list.push(self.text());
        }
        list
    }

    fn all(&mut self) -> Vec<u8> {
        self.take(self.bytes.len()).to_vec()
    }

    fn end<F>(self, kind: u8, frame: F) -> Result<F, Malformed> {
        if self.bad || !self.bytes.is_empty() { Err(Malformed::Payload(kind)) } else { Ok(frame) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes_of<F: Frame>(frame: &F) -> Vec<u8> {
        let mut out = Vec::new();
        frame.encode(&mut out);
        out
    }

    /// The frame has exactly these bytes, and they read back as the frame.
    fn check<F: Frame + PartialEq + fmt::Debug>(frame: F, expect: &[u8]) {
        let bytes = bytes_of(&frame);
        assert_eq!(bytes, expect, "bytes of {frame:?}");
        let mut d = Decoder::default();
        for b in &bytes[..bytes.len() - 1] {
            d.push(&[*b]);
            assert_eq!(d.take::<F>().unwrap(), None);
        }
        d.push(&bytes[bytes.len() - 1..]);
        assert_eq!(d.take::<F>().unwrap(), Some(frame));
        assert_eq!(d.rest(), b"");
    }

    fn hello() -> Hello {
        Hello {
            argv: vec!["new".into(), "-s".into()],
            pid: 258,
            cwd: "/".into(),
            env: vec![("A".into(), "b".into())],
            tty: Some(Tty { path: "/t".into(), term: "x".into(), size: (80, 24), cell: (8, 16) }),
            control: 2,
            features: vec!["RGB".into()],
            config: Some(vec![]),
            as_tmux: true,
        }
    }

    #[test]
    fn frames_have_their_bytes() {
        check(ToServer::Resize { size: (80, 24), cell: (0, 258) }, b"\x02\0\0\0\x08\0\x50\0\x18\0\0\x01\x02");
        check(ToServer::Stdin { bytes: b"ab".to_vec(), eof: true }, b"\x03\0\0\0\x03\x01ab");
        check(ToServer::TtyIn(b"\x1b".to_vec()), b"\x04\0\0\0\x01\x1b");
        check(ToServer::Resumed, b"\x05\0\0\0\0");
        check(ToServer::Exiting, b"\x06\0\0\0\0");
        check(
            ToServer::Hello(Box::new(hello())),
            b"\x01\0\0\0\x4e\0\0\0\x02\0\0\0\x03new\0\0\0\x02-s\0\0\x01\x02\0\0\0\x01/\0\0\0\x01\0\0\0\x01A\0\0\0\x01b\
              \x01\0\0\0\x02/t\0\0\0\x01x\0\x50\0\x18\0\x08\0\x10\x02\0\0\0\x01\0\0\0\x03RGB\x01\0\0\0\0\x01",
        );
        check(ToServer::Hello(Box::default()), &[b"\x01\0\0\0\x18".as_slice(), &[0; 24]].concat());
        check(ToClient::Mismatch("no".into()), b"\0\0\0\0\x02no");
        check(ToClient::Out(b"x".to_vec()), b"\x01\0\0\0\x01x");
        check(ToClient::Err(vec![]), b"\x02\0\0\0\0");
        check(ToClient::WantStdin, b"\x03\0\0\0\0");
        check(ToClient::Attached, b"\x04\0\0\0\0");
        check(ToClient::Relay, b"\x05\0\0\0\0");
        check(ToClient::TtyOut(b"x".to_vec()), b"\x06\0\0\0\x01x");
        check(ToClient::Detached, b"\x07\0\0\0\0");
        check(ToClient::Suspend, b"\x08\0\0\0\0");
        check(ToClient::Lock("vlock".into()), b"\x09\0\0\0\x09\0\0\0\x05vlock");
        check(ToClient::Exit { status: 3, message: Some("[x]".into()) }, b"\x0a\0\0\0\x09\x03\x01\0\0\0\x03[x]");
        check(ToClient::Linger, b"\x0d\0\0\0\0");
        check(ToClient::Hangup(None), b"\x0b\0\0\0\x01\0");
        check(ToClient::Exec { shell: "/s".into(), command: "c".into() }, b"\x0c\0\0\0\x0b\0\0\0\x02/s\0\0\0\x01c");
    }

    #[test]
    fn the_preface_names_the_version() {
        assert_eq!(preface(), *b"\xb7MPX\0\x01");
        assert_eq!(read_preface(b""), Ok(None));
        assert_eq!(read_preface(b"\xb7MPX\0"), Ok(None));
        assert_eq!(read_preface(b"\xb7MPX\x01\x02rest"), Ok(Some(258)));
        assert_eq!(read_preface(b"{\"v\":1}"), Err(Malformed::Magic));
        assert_eq!(read_preface(b"\xb7MPQ"), Err(Malformed::Magic));
    }

    #[test]
    fn wrong_frames_are_errors() {
        let mut d = Decoder::default();
        d.push(b"\x02\xff\xff\xff\xff");
        assert_eq!(d.take::<ToServer>(), Err(Malformed::TooLong { kind: 2, length: u32::MAX as usize }));
        for (bytes, error) in [
            (b"\x63\0\0\0\0".as_slice(), Malformed::Kind(99)),
            (b"\x05\0\0\0\x01x", Malformed::Payload(5)),
            (b"\x03\0\0\0\0", Malformed::Payload(3)),
            (b"\x03\0\0\0\x01\x02", Malformed::Payload(3)),
            (b"\x01\0\0\0\x04\xff\xff\xff\xff", Malformed::Payload(1)),
        ] {
            let mut d = Decoder::default();
            d.push(bytes);
            assert_eq!(d.take::<ToServer>(), Err(error));
        }
        let mut d = Decoder::default();
        d.push(b"\x09\0\0\0\x05\0\0\0\x01\xff");
        assert_eq!(d.take::<ToClient>(), Err(Malformed::Payload(9)));
    }

    /// xorshift: enough for noise, and the seed says it all.
    fn noise(seed: &mut u64) -> u64 {
        *seed ^= *seed << 13;
        *seed ^= *seed >> 7;
        *seed ^= *seed << 17;
        *seed
    }

    #[test]
    fn random_bytes_never_panic() {
        let seed = 0x9e37_79b9_7f4a_7c15;
        let mut s = seed;
        let good = bytes_of(&ToServer::Hello(Box::new(hello())));
        for round in 0..20_000 {
            let mut bytes = if round % 2 == 0 {
                (0..noise(&mut s) % 64).map(|_| noise(&mut s) as u8).collect()
            } else {
                good.clone()
            };
            for _ in 0..1 + noise(&mut s) % 3 {
                if !bytes.is_empty() {
                    let at = noise(&mut s) as usize % bytes.len();
                    bytes[at] = noise(&mut s) as u8;
                }
            }
            let mut a = Decoder::default();
            a.push(&bytes);
            while let Ok(Some(frame)) = a.take::<ToServer>() {
                let mut again = Decoder::default();
                again.push(&bytes_of(&frame));
                assert_eq!(again.take::<ToServer>(), Ok(Some(frame)), "seed {seed:#x} round {round}");
            }
            let mut b = Decoder::default();
            b.push(&bytes);
            while let Ok(Some(_)) = b.take::<ToClient>() {}
        }
    }
}
