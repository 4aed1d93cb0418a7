//! Bytes that are no UTF-8, kept in text without loss.
//!
//! Names, arguments and files of Unix are bytes; everything here is text. [`text`] keeps each byte that belongs to no
//! valid character as a character of its own at the very end of the last private plane, [`bytes`] turns it back. It must
//! not know who wants to refuse such bytes: [`is_clean`] tells them.

/// The character that stands for byte 0. Only bytes from 0x80 on occur.
const BASE: u32 = 0x10_ff00;

fn stands_for(c: char) -> Option<u8> {
    u32::from(c).checked_sub(BASE).and_then(|n| u8::try_from(n).ok()).filter(|b| *b >= 0x80)
}

/// Text for any bytes. The few characters that stand for bytes are themselves taken apart into bytes.
pub fn text(bytes: &[u8]) -> String {
    let keep = |out: &mut String, bytes: &[u8]| {
        out.extend(bytes.iter().filter_map(|b| char::from_u32(BASE + u32::from(*b))));
    };
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match stands_for(c) {
                None => out.push(c),
                Some(_) => keep(&mut out, c.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        keep(&mut out, chunk.invalid());
    }
    out
}

/// The bytes again.
pub fn bytes(text: &str) -> Vec<u8> {
    // What stands for a byte begins with this one.
    if !text.as_bytes().contains(&0xf4) {
        return text.as_bytes().to_vec();
    }
    let mut out = Vec::with_capacity(text.len());
    for c in text.chars() {
        match stands_for(c) {
            Some(b) => out.push(b),
            None => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    out
}

/// Whether all of a text was UTF-8 when it came in.
pub fn is_clean(text: &str) -> bool {
    !text.contains(|c| stands_for(c).is_some() || c == char::REPLACEMENT_CHARACTER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bytes_come_back() {
        for b in [&b"abc"[..], b"a\xffb", b"\xc2", b"\xed\xa0\x80 \xc3\xa9", "\u{10ffc3}".as_bytes(), b"\xf4\x8f\xbf"] {
            let t = text(b);
            assert_eq!(bytes(&t), b, "{t:?}");
            assert_eq!(is_clean(&t), std::str::from_utf8(b).is_ok() && !b.starts_with(b"\xf4"), "{t:?}");
        }
        assert_eq!(text("é😀".as_bytes()), "é😀");
    }
}
