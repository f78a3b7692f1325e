//! Certificates: the prover's are accepted by both checkers, and files with a fault are not.

use std::process::Command;

use rand::rngs::SmallRng;
use rand::{Rng as _, RngExt, SeedableRng};
use yose::certificate::{CertificateOptions, certify};
use yose::othello::{Bitboard, Diagram, Position, Score, Symmetry};
use yose::search::{Bounds, Config, Request, Searcher, Window};
use yose_check::{Board, HEADER, check, read_claim, sha256};

use crate::common::{Folder, OVER, PASS, random_list};

/// The limits of each check here.
const LIMITS: [u64; 2] = [1 << 26, 1 << 28];

fn searcher() -> Searcher {
    Searcher::new(Config { table_bytes: 4 << 20, ..Config::default() }).expect("4 MiB")
}

fn position(text: &str) -> Position {
    let board: String = text.chars().take(66).collect();
    board.parse::<Diagram>().expect("a position").position
}

fn solve(searcher: &mut Searcher, position: Position, window: Window) -> Bounds {
    searcher.solve(&Request { position, window, all_moves: false }).bounds
}

fn certificate(
    searcher: &mut Searcher,
    position: Position,
    bounds: Bounds,
    leaf_empties: u32,
) -> Vec<u8> {
    let options = CertificateOptions { leaf_empties, ..CertificateOptions::default() };
    certify(searcher, &position, bounds, &options).expect("no abort").file
}

/// What a file claims, if the checker accepts it.
fn accepted(file: &[u8]) -> Result<(Position, Bounds), String> {
    let (claim, _) = check(file, LIMITS, &|| false)?;
    let Board { player, opponent } = claim.board;
    let score = |discs: i8| Score::new(discs.into());
    Ok((
        Position::new(Bitboard(player), Bitboard(opponent)),
        Bounds { lower: score(claim.lower), upper: score(claim.upper) },
    ))
}

#[test]
fn scores_and_bounds_are_proved() {
    let mut searcher = searcher();
    let mut list = random_list(60, 0..=15, 31);
    list.extend([PASS, OVER].map(str::to_owned));
    for file in ["edge-cases.obf", "ffo-1-19.obf"] {
        let path = format!("{}/positions/{file}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("a suite");
        list.extend(text.lines().filter(|line| !line.starts_with('%')).map(str::to_owned));
    }
    let list = list.iter().filter(|line| line.len() > 65).map(|line| position(line));
    for (number, at) in list.filter(|at| at.empties().count() <= 16).enumerate() {
        let windows = [
            Window::FULL,
            Window::WIN_LOSS_DRAW,
            Window::new(Score::new(4), Score::new(5)).expect("a window"),
        ];
        for window in windows {
            let bounds = solve(&mut searcher, at, window);
            if bounds == Bounds::UNKNOWN {
                continue;
            }
            let leaf = [0, 4, 7, 10, 14][number % 5];
            let leaf = if at.empties().count() > 14 { leaf.max(4) } else { leaf };
            let file = certificate(&mut searcher, at, bounds, leaf);
            assert_eq!(accepted(&file), Ok((at, bounds)), "{at:?} {window:?} {leaf}");
        }
    }
}

#[test]
fn little_memory_makes_larger_leaves_and_no_wrong_file() {
    let mut searcher = searcher();
    for text in random_list(4, 13..=14, 9) {
        let at = position(&text);
        let bounds = solve(&mut searcher, at, Window::FULL);
        let options = CertificateOptions { leaf_empties: 2, memory: 4000 };
        let made = certify(&mut searcher, &at, bounds, &options).expect("no abort");
        let claim = read_claim(&made.file).expect("a certificate");
        assert!(claim.leaf_empties.into_iter().max() > Some(2), "{claim:?}");
        assert_eq!(accepted(&made.file), Ok((at, bounds)));
    }
}

/// The parts of a certificate, to be changed and put together again.
struct Parts {
    header: Vec<u8>,
    moves: Vec<u8>,
}

impl Parts {
    fn of(file: &[u8]) -> Parts {
        let moves = miniz_oxide::inflate::decompress_to_vec_zlib(&file[HEADER..]).expect("moves");
        Parts { header: file[..HEADER].to_vec(), moves }
    }

    /// A file whose digest and number of moves are right.
    fn file(&self) -> Vec<u8> {
        let mut file = self.header.clone();
        file[64..72].copy_from_slice(&(self.moves.len() as u64).to_le_bytes());
        file.extend(miniz_oxide::deflate::compress_to_vec_zlib(&self.moves, 1));
        with_digest(file)
    }
}

fn with_digest(mut file: Vec<u8>) -> Vec<u8> {
    let digest = sha256(&file[44..]);
    file[12..44].copy_from_slice(&digest);
    file
}

/// A corrupted certificate. The digest is right, so that the rest is looked at.
fn corrupted(file: &[u8], rng: &mut SmallRng) -> Vec<u8> {
    let mut parts = Parts::of(file);
    let place = rng.random_range(0..parts.moves.len().max(1));
    match rng.random_range(0..12) {
        0 => {
            let mut file = file.to_vec();
            let bit = rng.random_range(44 * 8..file.len() * 8);
            file[bit / 8] ^= 1 << (bit % 8);
            return with_digest(file);
        }
        1 => {
            let end = rng.random_range(0..file.len());
            let mut file = file[..end].to_vec();
            if end > 44 {
                file = with_digest(file);
            }
            return file;
        }
        // Another move.
        2 | 3 => {
            for byte in parts.moves.get_mut(place).into_iter() {
                *byte = rng.random_range(0..4);
            }
        }
        4 => parts.moves.truncate(place),
        5 if !parts.moves.is_empty() => drop(parts.moves.remove(place)),
        6 => parts.moves.insert(place, rng.random_range(0..3)),
        // Two moves exchanged.
        7 if parts.moves.len() > 1 => parts.moves.swap(place, 0),
        // A better lower or upper bound.
        8 => parts.header[60] = parts.header[60].wrapping_add(2),
        9 => parts.header[61] = parts.header[61].wrapping_sub(2),
        // Another position: a disc of the other colour, or on another square.
        10 => {
            let (bit, both) = (rng.random_range(0..64), rng.random_bool(0.7));
            parts.header[44 + bit / 8] ^= 1 << (bit % 8);
            if both {
                parts.header[52 + bit / 8] ^= 1 << (bit % 8);
            }
        }
        // Other leaves, or many zeros.
        _ => match rng.random_bool(0.9) {
            true => parts.header[62 + rng.random_range(0..2)] = rng.random_range(0..16),
            false => parts.moves = vec![0; 1 << rng.random_range(16..22)],
        },
    }
    parts.file()
}

/// Corrupts certificates `count` times. Returns how many files were accepted: their claims are
/// true.
fn corrupt(count: usize, seed: u64) -> usize {
    let (mut rng, mut searcher, mut judge) =
        (SmallRng::seed_from_u64(seed), searcher(), searcher());
    let list = random_list(20, 6..=12, seed);
    let files: Vec<Vec<u8>> = list
        .iter()
        .map(|text| {
            let at = position(text);
            let bounds = solve(&mut searcher, at, Window::FULL);
            let leaf = (rng.next_u32() % 4) + 1;
            certificate(&mut searcher, at, bounds, leaf)
        })
        .collect();
    let mut kept = 0;
    for number in 0..count {
        let original = &files[number % files.len()];
        let file = corrupted(original, &mut rng);
        let Ok((at, bounds)) = accepted(&file) else { continue };
        let score = solve(&mut judge, at, Window::FULL).lower;
        assert!((bounds.lower..=bounds.upper).contains(&score), "{at:?} {bounds:?} is {score}");
        kept += usize::from(file != *original);
    }
    kept
}

#[test]
fn no_corrupted_file_proves_a_wrong_claim() {
    let kept = corrupt(1000, 5);
    assert!(kept < 500, "{kept} of 1000 are accepted");
}

#[test]
#[ignore = "some minutes without optimisation"]
fn no_corrupted_file_of_ten_thousand_proves_a_wrong_claim() {
    let kept = corrupt(10_000, 6);
    println!("{kept} of 10,000 are accepted, and true");
    assert!(kept < 5000);
}

/// Rules with a fault, for a prover that believes in them.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Fault {
    None,
    /// One of the flipped discs stays.
    WrongFlip,
    /// The game ends where one side must pass.
    NoPass,
    /// Empty squares count for the loser.
    EmptiesToTheLoser,
    /// Empty squares count for nobody.
    EmptiesToNobody,
    /// One of the loser's replies is overlooked.
    MissingReply,
    /// The score is taken for better by two than it is.
    WrongBound,
    /// The winner's first move is taken, whatever it leads to.
    AnyMove,
    /// The winner changes sides where one side must pass.
    PassChangesWinner,
    /// Two positions with the same discs are taken for one, whoever is to move.
    ColoursExchanged,
    /// Moves are numbered in the order of their squares.
    NumberedBySquare,
    /// Levels are in the order of their boards before normalisation.
    WrongOrder,
}

/// A prover by plain minimax, with a fault.
struct FaultyProver {
    fault: Fault,
    moves: Vec<u8>,
}

impl FaultyProver {
    /// The positions after the legal moves, in the order of the format.
    fn children(&self, at: Position) -> Vec<Position> {
        let mut list: Vec<_> = at
            .moves()
            .into_iter()
            .map(|square| {
                let flips = at.flips(square);
                let kept = Bitboard(flips.0 & flips.0.wrapping_sub(1));
                let wrong = self.fault == Fault::WrongFlip && !kept.is_empty();
                at.after(square, if wrong { kept } else { flips })
            })
            .map(|child| (child.moves().count(), child))
            .collect();
        if self.fault != Fault::NumberedBySquare {
            list.sort_by_key(|(replies, _)| *replies);
        }
        list.into_iter().map(|(_, child)| child).collect()
    }

    fn is_over(&self, at: Position) -> bool {
        at.is_over() || self.fault == Fault::NoPass && at.must_pass()
    }

    fn score(&self, at: Position) -> i32 {
        if self.is_over(at) {
            let difference = at.player.count() as i32 - at.opponent.count() as i32;
            let empties = at.empties().count() as i32 * difference.signum();
            return match self.fault {
                Fault::EmptiesToTheLoser => difference - empties,
                Fault::EmptiesToNobody => difference,
                _ => difference + empties,
            };
        }
        if at.must_pass() {
            return -self.score(at.passed());
        }
        self.children(at).into_iter().map(|child| -self.score(child)).max().expect("a move")
    }

    /// The moves of a proof, with leaves that have no empties.
    fn prove(&mut self, root: Position, winner_to_move: bool, bound: i32) {
        let mut level = vec![(root, winner_to_move)];
        while !level.is_empty() {
            let mut nodes: Vec<(Position, bool)> = level
                .drain(..)
                .filter(|(at, _)| !self.is_over(*at))
                .map(|(at, winner)| match at.must_pass() {
                    true if self.fault == Fault::PassChangesWinner => (at.passed(), winner),
                    true => (at.passed(), !winner),
                    false => (at, winner),
                })
                .map(|(at, winner)| match self.fault {
                    Fault::WrongOrder => (at, winner),
                    _ => (Symmetry::canonical(at).0, winner),
                })
                .collect();
            nodes.sort();
            match self.fault {
                Fault::ColoursExchanged => {
                    nodes.dedup_by_key(|(at, _)| at.player.0.min(at.opponent.0));
                }
                _ => nodes.dedup(),
            }
            for (at, winner) in nodes {
                let mut children = self.children(at);
                if winner {
                    let suffices = |&child: &Position| -self.score(child) >= bound;
                    let number = match self.fault {
                        Fault::AnyMove => 0,
                        _ => children.iter().position(suffices).unwrap_or(0),
                    };
                    self.moves.push(number as u8);
                    level.push((children[number], false));
                } else {
                    if self.fault == Fault::MissingReply && children.len() > 1 {
                        children.pop();
                    }
                    level.extend(children.into_iter().map(|child| (child, true)));
                }
            }
        }
    }

    /// A certificate of what this prover takes for the score.
    fn certificate(mut self, at: Position, score: i32) -> Vec<u8> {
        self.prove(at, true, score);
        self.prove(at, false, -score);
        let mut header = yose_check::MAGIC.to_vec();
        header.extend([0; 32]);
        header.extend(at.player.0.to_le_bytes());
        header.extend(at.opponent.0.to_le_bytes());
        header.extend([score as i8 as u8, score as i8 as u8, 0, 0]);
        for number in [0u64, 1 << 12, 1 << 20] {
            header.extend(number.to_le_bytes());
        }
        Parts { header, moves: self.moves }.file()
    }
}

#[test]
fn the_certificates_of_a_prover_with_a_fault_are_refused() {
    let faults = [
        Fault::WrongFlip,
        Fault::NoPass,
        Fault::EmptiesToTheLoser,
        Fault::EmptiesToNobody,
        Fault::MissingReply,
        Fault::WrongBound,
        Fault::AnyMove,
        Fault::PassChangesWinner,
        Fault::ColoursExchanged,
        Fault::NumberedBySquare,
        Fault::WrongOrder,
    ];
    let mut list = random_list(250, 3..=5, 77);
    list.extend([PASS, OVER].map(str::to_owned));
    for fault in faults {
        let (mut wrong, mut refused, mut accepted_and_true) = (0, 0, 0);
        for text in &list {
            let at = position(text);
            let right = FaultyProver { fault: Fault::None, moves: Vec::new() };
            let score = right.score(at);
            // A prover without its fault is believed.
            if wrong == 0 {
                assert!(accepted(&right.certificate(at, score)).is_ok(), "{text}");
            }
            let mut prover = FaultyProver { fault, moves: Vec::new() };
            let claimed = match fault {
                // They believe more than is true.
                Fault::MissingReply | Fault::WrongBound => score + 2,
                _ => prover.score(at),
            };
            if claimed % 2 != 0 || claimed > 64 {
                continue;
            }
            prover.moves.clear();
            let is_accepted = accepted(&prover.certificate(at, claimed)).is_ok();
            assert!(!is_accepted || claimed == score, "{fault:?} {text}: {claimed} for {score}");
            wrong += usize::from(claimed != score);
            refused += usize::from(!is_accepted);
            accepted_and_true += usize::from(is_accepted);
        }
        assert!(refused >= 1, "{fault:?} is never noticed");
        println!(
            "{fault:?}: {wrong} wrong claims; {refused} certificates refused, {accepted_and_true} \
             accepted, whose claims are true"
        );
    }
}

/// The checker in Python accepts and refuses the same files.
#[test]
fn the_checker_in_python_agrees() {
    let python = Command::new("python3").arg("--version").output();
    if !python.is_ok_and(|output| output.status.success()) {
        println!("not tested: there is no python3");
        return;
    }
    let (mut searcher, mut rng) = (searcher(), SmallRng::seed_from_u64(3));
    let (folder, mut expected) = (Folder::new(), String::new());
    let mut names = Vec::new();
    for (number, text) in random_list(8, 5..=9, 55).iter().enumerate() {
        let at = position(text);
        let bounds = solve(&mut searcher, at, Window::FULL);
        let original = certificate(&mut searcher, at, bounds, 2 + number as u32 % 3);
        for change in 0..4 {
            let file = match change {
                0 => original.clone(),
                _ => corrupted(&original, &mut rng),
            };
            let name = format!("{number}-{change}");
            std::fs::write(folder.path(&name), &file).expect("a file");
            // Its limits are lower, which these files do not reach.
            expected += if accepted(&file).is_ok() { "proved\n" } else { "refused\n" };
            names.push(name);
        }
    }
    let program = format!("{}/checker/check.py", env!("CARGO_MANIFEST_DIR"));
    let output = Command::new("python3")
        .arg(program)
        .args(&names)
        .current_dir(folder.path("."))
        .output()
        .expect("python3");
    let text = String::from_utf8(output.stdout).expect("a text");
    let is_proof = |line: &str| line.split(": ").nth(1) == Some("proved");
    let verdicts: String =
        text.lines().map(|line| if is_proof(line) { "proved\n" } else { "refused\n" }).collect();
    assert_eq!(verdicts, expected, "{text}{}", String::from_utf8_lossy(&output.stderr));
}
