//! Properties of everything that is read, and of certificates, whatever the bytes.

use std::borrow::Cow;

use yose::othello::{Bitboard, Position};
use yose::records::{
    Entry, FileError, Format, Item, Problem, ReadOptions, Reader, Selection, Source, Span,
    Statement, obf,
};

/// Checks the bytes as a file whose format is recognised, and as a file of each format of the list.
///
/// # Panics
/// If a property does not hold.
pub fn check_all_formats(bytes: &[u8]) {
    check(bytes, None);
    for format in Format::ALL {
        check(bytes, Some(format));
    }
}

/// Reads the bytes as a file of this format (`None`: recognised from the content), and checks the
/// items.
///
/// # Panics
/// If a property does not hold.
pub fn check(bytes: &[u8], format: Option<Format>) {
    let usual = read(bytes, format, Selection::default());
    let again = read(bytes, format, Selection::default());
    assert_eq!(words(&usual), words(&again), "the same bytes give the same items");
    // Each line that is not blank has at least one byte and an end. It gives one entry, or one for
    // each of its games.
    assert!(usual.len() <= bytes.len() + 1);
    for item in &usual {
        if let Item::Entry(Entry { id, location, problem, .. }) = item {
            assert!(
                !id.is_empty() && !id.contains(char::is_control),
                "{id:?} is not an identifier"
            );
            assert_eq!(&*location.file, NAME);
            match problem {
                Ok(problem) => check_problem(problem),
                Err(error) => assert!(
                    error.column > 0 && !error.to_string().contains(char::is_control),
                    "{error:?}"
                ),
            }
        }
    }
    // All positions of all games: those of the first run, and more.
    let every =
        read(bytes, format, Selection { games: None, empties: Some(Span { first: 0, last: 64 }) });
    for item in &every {
        if let Item::Entry(Entry { problem: Ok(problem), .. }) = item {
            check_problem(problem);
        }
    }
    let positions =
        |items: &[Item]| items.iter().filter(|item| matches!(item, Item::Entry(_))).count();
    assert!(positions(&every) >= positions(&usual));
}

/// Checks the bytes as a certificate: as they are, and as the header and the moves of one.
///
/// # Panics
/// If the checker panics or accepts a wrong claim.
pub fn check_certificate(bytes: &[u8]) {
    const LIMITS: [u64; 2] = [1 << 24, 1 << 20];
    let _ = yose_check::check(bytes, LIMITS, &|| false);
    let Some((header, moves)) = bytes.split_at_checked(20) else { return };
    let mut file = yose_check::MAGIC.to_vec();
    file.extend([0; 32]);
    // At most eight empties, so that the score of the position is found soon.
    let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|byte| header[at + byte]));
    let holes = (0..8).fold(0, |holes, byte| holes | 1 << (header[8 + byte] % 64));
    let (player, opponent) = (word(0) & !holes, !word(0) & !holes);
    file.extend([player, opponent].into_iter().flat_map(u64::to_le_bytes));
    file.extend(&header[16..20]);
    let numbers = [moves.len() as u64, 1 << 10, 1 << 20];
    file.extend(numbers.into_iter().flat_map(u64::to_le_bytes));
    file.extend(miniz_oxide::deflate::compress_to_vec_zlib(moves, 1));
    let digest = yose_check::sha256(&file[44..]);
    file[12..44].copy_from_slice(&digest);
    if let Ok((claim, _)) = yose_check::check(&file, LIMITS, &|| false) {
        let score = score(player, opponent);
        let claimed = i32::from(claim.lower)..=i32::from(claim.upper);
        assert!(claimed.contains(&score), "{claim} is accepted, and the score is {score}");
    }
}

/// The score of a position by plain minimax.
fn score(player: u64, opponent: u64) -> i32 {
    fn minimax(position: &Position) -> i32 {
        if position.is_over() {
            return position.final_score().discs();
        }
        if position.must_pass() {
            return -minimax(&position.passed());
        }
        let moves = position.moves().into_iter().filter_map(|square| position.play(square));
        moves.map(|child| -minimax(&child)).max().expect("a move")
    }
    minimax(&Position::new(Bitboard(player), Bitboard(opponent)))
}

/// The name of the file.
const NAME: &str = "bytes";

fn read(bytes: &[u8], format: Option<Format>, selection: Selection) -> Vec<Item> {
    let source = Source::Memory { name: NAME, bytes: Cow::Owned(bytes.to_vec()) };
    let options = ReadOptions { format, selection, notes: true, ..ReadOptions::default() };
    let mut reader = Reader::new(vec![source], options);
    let items: Vec<Item> = reader.by_ref().collect();
    let failed = items.iter().any(
        |item| matches!(item, Item::Failure(error) if !matches!(error, FileError::NoPositions)),
    );
    assert_ne!(
        reader.inputs()[0].sha256.is_some(),
        failed,
        "a source that was read to its end has a digest"
    );
    items
}

fn words(items: &[Item]) -> Vec<String> {
    items.iter().map(|item| format!("{item:?}")).collect()
}

/// Checks that claims are legal, and that the position with its exact scores reads back from OBF.
fn check_problem(problem: &Problem) {
    let Position { player, opponent } = problem.diagram.position;
    assert_eq!(player.0 & opponent.0, 0, "a square has at most one disc");
    for claim in &problem.claims {
        assert!(claim.column > 0);
        match &claim.statement {
            Statement::Score(bounds) | Statement::MoveScore(_, bounds) => {
                assert!(
                    bounds.lower <= bounds.upper
                        && bounds.lower.discs() % 2 == 0
                        && bounds.upper.discs() % 2 == 0
                );
            }
            Statement::BestMoves(moves) => assert!(!moves.is_empty()),
        }
        let moves = match &claim.statement {
            Statement::Score(_) => &[][..],
            Statement::MoveScore(mv, _) => std::slice::from_ref(mv),
            Statement::BestMoves(moves) => moves,
        };
        assert!(moves.iter().all(|&mv| problem.diagram.make(mv).is_some()), "{problem:?}");
    }
    let line = obf::write(problem);
    let again = obf::read(line.split('%').next().unwrap_or_default()).expect("it was written");
    assert_eq!(again.diagram, problem.diagram);
    let exact = |problem: &Problem| -> Vec<_> {
        problem.claims.iter().filter_map(|claim| claim.statement.exact()).collect()
    };
    assert_eq!(exact(&again), exact(problem), "{line}");
}
