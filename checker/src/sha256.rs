//! SHA-256 (FIPS 180-4, <https://doi.org/10.6028/NIST.FIPS.180-4>).

/// The first 32 bits of the fractions of the roots of the first `count` primes.
fn root_fractions(degree: u32, count: usize) -> Vec<u32> {
    let primes = (2u64..).filter(|&n| (2..n).all(|divisor| n % divisor != 0));
    // The greatest whole number with root^degree <= prime * 2^(32 * degree), bit by bit.
    let root = |prime: u64| {
        (0..37).rev().fold(0u128, |root, bit| {
            let more = root | 1 << bit;
            if more.pow(degree) <= u128::from(prime) << (32 * degree) { more } else { root }
        })
    };
    primes.take(count).map(|prime| root(prime) as u32).collect()
}

/// The SHA-256 of `bytes`.
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    let constants = root_fractions(3, 64);
    let mut state: [u32; 8] = root_fractions(2, 8).try_into().expect("eight of them");
    let whole = bytes.len() / 64 * 64;
    // The bits 1 0 0 ... 0 up to 8 bytes before the end of a block, then the length in bits.
    let mut end = bytes[whole..].to_vec();
    end.push(0x80);
    end.resize(if end.len() <= 56 { 56 } else { 120 }, 0);
    end.extend((bytes.len() as u64 * 8).to_be_bytes());
    for block in bytes[..whole].chunks_exact(64).chain(end.chunks_exact(64)) {
        compress(&mut state, block, &constants);
    }
    std::array::from_fn(|byte| state[byte / 4].to_be_bytes()[byte % 4])
}

/// Adds a block of 64 bytes to the state.
fn compress(state: &mut [u32; 8], block: &[u8], constants: &[u32]) {
    let word = |bytes: &[u8]| bytes.iter().fold(0, |word, &byte| word << 8 | u32::from(byte));
    let mut words: Vec<u32> = block.chunks_exact(4).map(word).collect();
    for t in 16..64 {
        let (a, b) = (words[t - 15], words[t - 2]);
        let small0 = a.rotate_right(7) ^ a.rotate_right(18) ^ a >> 3;
        let small1 = b.rotate_right(17) ^ b.rotate_right(19) ^ b >> 10;
        let terms = [small0, words[t - 7], small1];
        words.push(terms.into_iter().fold(words[t - 16], u32::wrapping_add));
    }
    let mut s = *state;
    for t in 0..64 {
        let [a, b, c, d, e, f, g, h] = s;
        let large1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let large0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let terms = [large1, e & f ^ !e & g, constants[t], words[t]];
        let one = terms.into_iter().fold(h, u32::wrapping_add);
        let two = large0.wrapping_add(a & b ^ a & c ^ b & c);
        s = [one.wrapping_add(two), a, b, c, d.wrapping_add(one), e, f, g];
    }
    for (word, new) in state.iter_mut().zip(s) {
        *word = word.wrapping_add(new);
    }
}
