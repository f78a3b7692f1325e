//! The checker's own rules and digest, and what it says about small certificates.

use yose_check::{Board, HEADER, MAGIC, check, read_claim, sha256};

const START: Board = Board { player: 0x0000_0008_1000_0000, opponent: 0x0000_0010_0800_0000 };
const LIMITS: [u64; 2] = [1 << 24, 1 << 20];

fn perft(board: Board, depth: u32) -> u64 {
    let moves = board.moves();
    match (depth, moves) {
        (0, _) => 1,
        (_, 0) if board.passed().moves() == 0 => 1,
        (_, 0) => perft(board.passed(), depth - 1),
        _ => {
            let squares = (0..64).map(|square| 1 << square).filter(|square| moves & square != 0);
            let children: Vec<Board> = board.children().collect();
            assert!(squares.filter_map(|square| board.play(square)).eq(children.iter().copied()));
            children.into_iter().map(|child| perft(child, depth - 1)).sum()
        }
    }
}

/// The numbers of move sequences are known: <https://www.aartbik.com/strategy.php>.
#[test]
fn the_numbers_of_move_sequences_are_right() {
    let counts: Vec<u64> = (1..=8).map(|depth| perft(START, depth)).collect();
    assert_eq!(counts, [4, 12, 56, 244, 1396, 8200, 55092, 390216]);
}

/// The board after a disc on a square, by walking from it to the next square in each direction.
fn walked(board: Board, square: i32) -> Option<Board> {
    let disc = |set: u64, file: i32, rank: i32| {
        (0..8).contains(&file) && (0..8).contains(&rank) && set >> (8 * rank + file) & 1 == 1
    };
    let mut flips = 0u64;
    for (right, up) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
        let (mut file, mut rank, mut row) = (square % 8 + right, square / 8 + up, 0);
        while disc(board.opponent, file, rank) {
            row |= 1 << (8 * rank + file);
            (file, rank) = (file + right, rank + up);
        }
        if disc(board.player, file, rank) {
            flips |= row;
        }
    }
    let opponent = board.player | flips | 1 << square;
    (flips != 0).then_some(Board { player: board.opponent ^ flips, opponent })
}

#[test]
fn moves_are_those_of_a_walk_over_the_board() {
    let mut state = 27u64;
    let mut random = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state ^ state >> 31
    };
    for number in 0..20_000 {
        // Boards with many and with few empty squares, also such as no game has.
        let few = [!0, random(), random() | random(), random() & random()][number % 4];
        let player = random() & few;
        let board = Board { player, opponent: (random() | random()) & few & !player };
        let mut moves = 0;
        for square in (0..64).filter(|square| (player | board.opponent) >> square & 1 == 0) {
            let child = board.play(1 << square);
            assert_eq!(child, walked(board, square), "{} {square}", board.text());
            moves |= u64::from(child.is_some()) << square;
        }
        assert_eq!(board.moves(), moves, "{}", board.text());
    }
}

#[test]
fn digests_are_those_of_the_standard() {
    let hex =
        |text: &[u8]| -> String { sha256(text).iter().map(|byte| format!("{byte:02x}")).collect() };
    // FIPS 180-4, examples; a block and its end in the same and in another block.
    assert_eq!(hex(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_eq!(hex(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_eq!(
        hex(b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    );
    assert_eq!(
        hex(&[b'a'; 1_000_000]),
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    );
}

#[test]
fn a_finished_game_has_its_empties_with_the_winner() {
    let score = |player, opponent| Board { player, opponent }.final_score();
    assert_eq!((score(0xff, 0), score(0, 0xff), score(1, 2)), (64, -64, 0));
    assert_eq!((score(7, 8), score(!7, 1)), (62, 61 - 1 + 2));
}

#[test]
fn eight_images_have_the_same_normalised_board() {
    let board = Board { player: 0x0123_4567_89ab_cdef & !0x1010, opponent: 0x1010 };
    let turn = |set: u64| {
        let to = |square: u32| (square % 8) * 8 + 7 - square / 8;
        (0..64).filter(|square| set >> square & 1 == 1).fold(0, |all, square| all | 1 << to(square))
    };
    let mut image = board;
    for _ in 0..4 {
        image = Board { player: turn(image.player), opponent: turn(image.opponent) };
        let mirrored =
            Board { player: image.player.swap_bytes(), opponent: image.opponent.swap_bytes() };
        assert_eq!(image.normalised(), board.normalised());
        assert_eq!(mirrored.normalised(), board.normalised());
    }
    assert_eq!(image, board);
}

/// A certificate with these bounds and moves.
fn certificate(board: Board, bounds: [i8; 2], leaf: u8, moves: &[u8]) -> Vec<u8> {
    let mut file = MAGIC.to_vec();
    file.extend([0; 32]);
    for number in [board.player, board.opponent] {
        file.extend(number.to_le_bytes());
    }
    file.extend([bounds[0] as u8, bounds[1] as u8, leaf, leaf]);
    for number in [moves.len() as u64, 100, 10_000] {
        file.extend(u64::to_le_bytes(number));
    }
    assert_eq!(file.len(), HEADER);
    file.extend(miniz_oxide::deflate::compress_to_vec_zlib(moves, 6));
    let digest = sha256(&file[44..]);
    file[12..44].copy_from_slice(&digest);
    file
}

fn verdict(file: &[u8]) -> Result<(), String> {
    check(file, LIMITS, &|| false).map(|_| ())
}

/// X passes, O plays a1 and wins all.
const PASS: Board = Board { player: 0x7e, opponent: !0x7f };

#[test]
fn a_pass_and_the_end_of_the_game_need_no_move_of_the_loser() {
    // O's only move, in the proof of the upper bound.
    assert_eq!(verdict(&certificate(PASS, [-64, -64], 0, &[0])), Ok(()));
    // A leaf has none.
    assert_eq!(verdict(&certificate(PASS, [-64, -64], 1, &[])), Ok(()));
    for (bounds, leaf, moves) in [
        ([-64, -64], 0, &[][..]),
        ([-64, -64], 0, &[1][..]),
        ([-64, -64], 0, &[0, 0][..]),
        ([-62, 64], 1, &[][..]),
        ([-62, 64], 0, &[][..]),
        ([-63, 64], 0, &[][..]),
        ([-64, -64], 15, &[][..]),
    ] {
        let verdict = verdict(&certificate(PASS, bounds, leaf, moves));
        assert!(verdict.is_err(), "{bounds:?} {leaf} {moves:?}");
    }
}

#[test]
fn a_claim_names_its_position_and_a_fault_names_its_own() {
    let file = certificate(PASS, [-64, -64], 1, &[]);
    let claim = read_claim(&file).expect("a certificate");
    let board = format!("-XXXXXX{} X", "O".repeat(57));
    assert_eq!(claim.to_string(), format!("-64, {board}"));
    let fault = verdict(&certificate(PASS, [-62, 64], 1, &[])).expect_err("it is wrong");
    assert!(fault.starts_with("not proved: XXXXXXXX"), "{fault}");
    assert!(fault.contains("OOOOOO- X gets at most +62, 1 empties: "), "{fault}");
}

#[test]
fn a_check_ends_when_it_is_stopped_or_over_its_limits() {
    let file = certificate(PASS, [-64, -64], 1, &[]);
    assert!(check(&file, [1 << 24, 9_999], &|| false).is_err());
    assert!(check(&file, [1 << 10, 10_000], &|| false).is_err());
    // Zeros, a thousand to a byte, declared as they are, and as fewer.
    let bomb = certificate(PASS, [-64, -64], 0, &vec![0; 1 << 24]);
    assert!(bomb.len() < 1 << 15 && verdict(&bomb).is_err());
    let mut small = bomb.clone();
    small[64..72].copy_from_slice(&100u64.to_le_bytes());
    let digest = sha256(&small[44..]);
    small[12..44].copy_from_slice(&digest);
    assert!(verdict(&small).is_err());
}

/// A file with other bytes from some offset on, and the right digest.
fn changed(mut file: Vec<u8>, at: usize, bytes: &[u8]) -> Vec<u8> {
    file.splice(at..(at + bytes.len()).min(file.len()), bytes.iter().copied());
    let digest = sha256(&file[44..]);
    file[12..44].copy_from_slice(&digest);
    file
}

#[test]
fn a_header_that_declares_too_much_is_refused_before_the_check() {
    let file = certificate(PASS, [-64, -64], 0, &[0]);
    assert_eq!(verdict(&file), Ok(()));
    let most = u64::MAX.to_le_bytes();
    for (at, what) in [(64, "moves"), (72, "width"), (80, "work")] {
        let fault = verdict(&changed(file.clone(), at, &most)).expect_err(what);
        assert!(fault.starts_with("over the limits: "), "{what}: {fault}");
        // Without limits, only the width and the work are left to the file.
        let free = check(&changed(file.clone(), at, &most), [u64::MAX; 2], &|| false);
        assert_eq!(free.is_ok(), what != "moves", "{what}");
    }
    // A narrower level than the proof has, and less work.
    for at in [72, 80] {
        let leaf = certificate(PASS, [-64, -64], 1, &[]);
        assert!(verdict(&changed(leaf, at, &[0; 8])).is_err(), "{at}");
    }
}

#[test]
fn nothing_follows_the_moves() {
    let file = certificate(PASS, [-64, -64], 0, &[0]);
    let end = file.len();
    for more in [&[0][..], &[0; 8], &file[HEADER..]] {
        assert!(verdict(&changed(file.clone(), end, more)).is_err(), "{more:?}");
    }
    // Without the checksum of the stream, or with another one.
    assert!(
        verdict(&changed(file[..end - 4].to_vec(), HEADER, &file[HEADER..HEADER + 1])).is_err()
    );
    assert!(verdict(&changed(file.clone(), end - 1, &[file[end - 1] ^ 1])).is_err());
    // No stream at all.
    assert!(verdict(&changed(file[..HEADER].to_vec(), 44, &file[44..45])).is_err());
}

#[test]
fn every_truncation_is_refused() {
    let file = certificate(PASS, [-64, -64], 0, &[0]);
    for end in 0..file.len() {
        let torn = file[..end].to_vec();
        assert!(verdict(&torn).is_err(), "{end}");
        if end > 44 {
            assert!(verdict(&changed(torn, 44, &file[44..45])).is_err(), "{end}");
        }
    }
}
