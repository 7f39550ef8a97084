//! The seal of the cache's files, for files that are planted: a mark, and the SHA-256 of name and content.

use tensorsmith::emit::digest;

const MARK: &str = "\ntensorsmith unit sha256 ";

/// Length of the seal: its mark and 64 digits.
pub const SEAL: usize = MARK.len() + 64;

/// What a file of the cache holds.
pub fn unsealed(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.len() - SEAL]
}

/// A content as the cache keeps it under a name.
pub fn sealed(name: &str, content: &[u8]) -> Vec<u8> {
    let digits = digest(&[name.as_bytes(), b"\n", content].concat());
    [content, MARK.as_bytes(), digits.as_bytes()].concat()
}
