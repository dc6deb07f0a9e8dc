//! A 64-bit checksum, quick on 8-byte words. Not cryptographic.
//!
//! Each step is a bijection of the state for a fixed word and of the word for a fixed state, so
//! two inputs of one length that differ in a single word never agree.

const K0: u64 = 0x9E37_79B9_7F4A_7C15; // 2^64 / golden ratio, odd
const K1: u64 = 0xC2B2_AE3D_27D4_EB4F; // a prime of xxHash64

#[inline]
fn step(h: u64, w: u64) -> u64 {
    (h ^ w).wrapping_mul(K0).rotate_left(29)
}

#[inline]
fn word(b: &[u8]) -> u64 {
    let mut x = [0; 8];
    x.copy_from_slice(&b[..8]);
    u64::from_le_bytes(x)
}

/// Hashes bytes on top of a seed.
#[inline(never)]
pub fn hash(seed: u64, bytes: &[u8]) -> u64 {
    let mut h = step(seed ^ K1, bytes.len() as u64);
    let mut blocks = bytes.chunks_exact(32);
    if bytes.len() >= 32 {
        // Four lanes, so that the multiplications overlap.
        let mut a = h;
        let mut b = h ^ K0;
        let mut c = h.rotate_left(17);
        let mut d = h.rotate_left(41) ^ K1;
        for block in &mut blocks {
            a = step(a, word(block));
            b = step(b, word(&block[8..]));
            c = step(c, word(&block[16..]));
            d = step(d, word(&block[24..]));
        }
        h = step(step(step(a, b), c), d);
    }
    let mut words = blocks.remainder().chunks_exact(8);
    for w in &mut words {
        h = step(h, word(w));
    }
    let rest = words.remainder();
    if !rest.is_empty() {
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        h = step(h, u64::from_le_bytes(last));
    }
    h ^ (h >> 32)
}
