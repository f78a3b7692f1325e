//! What must hold of everything that is read, whatever the bytes. The targets differ in the format
//! alone.

use std::borrow::Cow;

use yose::othello::Position;
use yose::records::{Entry, Format, Item, Problem, Reader, ReadOptions, Selection, Source, Span, Statement, obf};

/// Reads the bytes as a file of this format (none: of whatever they look like), and checks what
/// comes of it.
///
/// # Panics
/// If something does not hold.
pub fn check(bytes: &[u8], format: Option<Format>) {
    let usual = read(bytes, format, Selection::default());
    let again = read(bytes, format, Selection::default());
    assert_eq!(words(&usual), words(&again), "the same bytes give the same");
    // No line that can be read is shorter than a byte and its end, and each gives one entry or one
    // of each of its games.
    assert!(usual.len() <= bytes.len() + 1);
    for item in &usual {
        if let Item::Entry(Entry { id, location, problem }) = item {
            assert!(!id.is_empty() && !id.contains(char::is_control), "{id:?} is no identifier");
            assert_eq!(&*location.file, NAME);
            match problem {
                Ok(problem) => check_problem(problem),
                Err(error) => assert!(error.column > 0 && !error.to_string().contains(char::is_control), "{error:?}"),
            }
        }
    }
    // Every position of every game: the same ones as before, and more.
    let every = read(bytes, format, Selection { games: None, empties: Some(Span { first: 0, last: 64 }) });
    for item in &every {
        if let Item::Entry(Entry { problem: Ok(problem), .. }) = item {
            check_problem(problem);
        }
    }
    let positions = |items: &[Item]| items.iter().filter(|item| matches!(item, Item::Entry(_))).count();
    assert!(positions(&every) >= positions(&usual));
}

/// What the file is called.
const NAME: &str = "bytes";

fn read(bytes: &[u8], format: Option<Format>, selection: Selection) -> Vec<Item> {
    let source = Source::Memory { name: NAME, bytes: Cow::Owned(bytes.to_vec()) };
    let mut reader = Reader::new(vec![source], ReadOptions { format, side: None, selection });
    let items: Vec<Item> = reader.by_ref().collect();
    let failed = items.iter().any(|item| matches!(item, Item::Failure(_)));
    assert_ne!(reader.inputs()[0].sha256.is_some(), failed, "there is a digest of what was read to its end");
    items
}

fn words(items: &[Item]) -> Vec<String> {
    items.iter().map(|item| format!("{item:?}")).collect()
}

/// Claims are about what can be, and what OBF can hold reads back from it.
fn check_problem(problem: &Problem) {
    let Position { player, opponent } = problem.diagram.position;
    assert_eq!(player.0 & opponent.0, 0, "a square holds one disc");
    for claim in &problem.claims {
        assert!(claim.column > 0);
        match &claim.statement {
            Statement::Score(bounds) | Statement::MoveScore(_, bounds) => {
                assert!(bounds.lower <= bounds.upper && bounds.lower.discs() % 2 == 0 && bounds.upper.discs() % 2 == 0);
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
    let exact =
        |problem: &Problem| -> Vec<_> { problem.claims.iter().filter_map(|claim| claim.statement.exact()).collect() };
    assert_eq!(exact(&again), exact(problem), "{line}");
}
