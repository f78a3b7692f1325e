//! WTHOR, the database of tournament games of the French Othello federation: one binary file for
//! each year, `WTH_1977.wtb` and following.
//!
//! Source: Fédération Française d'Othello, the page of the WTHOR database,
//! <https://www.ffothello.org/informatique/la-base-wthor/>. The layout was checked with the files
//! of 1977 to 2025.
//!
//! A file is a header of 16 bytes, and 68 bytes for each game. Numbers are little endian. This
//! module uses these bytes:
//!
//! | offset in the header | size | meaning |
//! |---|---|---|
//! | 0 | 1 | century of the file's date |
//! | 1 | 1 | year of the century |
//! | 2 | 1 | month |
//! | 3 | 1 | day |
//! | 4 | 4 | number of games |
//! | 10 | 2 | year of the games |
//! | 12 | 1 | size of the board: 0 or 8 means 8x8 |
//! | 13 | 1 | kind of the file: 0 or 1 |
//! | 14 | 1 | number of empties from which play is perfect |
//!
//! | offset in a game | size | meaning |
//! |---|---|---|
//! | 0 | 2 | number of the tournament |
//! | 2 | 2 | number of Black |
//! | 4 | 2 | number of White |
//! | 6 | 1 | Black's discs at the end |
//! | 7 | 1 | Black's discs after perfect play: the theoretical score |
//! | 8 | 60 | moves, 10 × row + column: a1 is 11, h8 is 88; then zeros |
//!
//! Both scores count empty squares for the winner. Passes are not stored.
//!
//! # Claims
//! The theoretical score is a claim about the position with the number of empties in the header. A
//! game gives this position unless others are selected. The score at the end is a claim about the
//! last position if the game is over there. The score of an abandoned game cannot be checked, and
//! is skipped.
//!
//! The names of the players stand in another file, `WTHOR.JOU`: a header of 16 bytes, and 20 bytes
//! for each player, ISO 8859-1, filled up with zeros. The first player has the number 0.
//!
//! # Leniency
//! - The name and the date of the file and the tournaments are skipped. A player without a name is
//!   called by the number.
//!
//! # Refused
//! - Boards other than 8x8. A file that ends before its last game, or has data after it.
//! - A move after the first zero, and a score above 64.
//! - A header without a number of empties, unless positions are selected by their empties. The
//!   positions of the theoretical scores are not guessed.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::Path;

use crate::othello::{Colour, Diagram, Move, Score, Square};

use super::entry::{Content, ReadOptions};
use super::error::{LineError, LineOrGame};
use super::format_reader::{EntryContent, EntryError, ParsedEntry, SourceReader, Stop};
use super::formats::{FormatInfo, FormatKind};
use super::game::{Game, GameMove, empties_of};
use super::notes::GameDetails;
use super::problem::{Claim, Statement, exactly};
use super::source::{FileError, Source};
use super::stream::Stream;
use super::text::printable;

/// The entry of this format in the list of formats.
pub(super) const FORMAT: FormatInfo = FormatInfo {
    name: "wthor",
    description: "WTHOR databases of tournament games, .wtb",
    kind: FormatKind::Binary { may_begin_with: DatabaseHeader::may_begin_with, open },
};

/// The length of the header in bytes.
pub(super) const HEADER: usize = 16;
/// The length of a game in bytes.
pub(super) const RECORD: usize = 68;

/// The mark before the number of a player who has no name.
const NUMBER: char = '#';
/// The length of a player's name in its file.
const NAME: usize = 20;

/// Offsets of the numbers of the players in a record.
const BLACK: usize = 2;
const WHITE: usize = 4;
/// Offset of the moves in a record.
const MOVES: usize = 8;
/// Offsets of the scores in a record.
const REAL: usize = 6;
const THEORETICAL: usize = 7;

/// The bytes of a header that this program uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct DatabaseHeader {
    /// The number of games.
    pub games: u32,
    /// The number of squares along an edge of the board.
    pub size: u8,
    /// The number of empties of the positions with theoretical scores; `None` if it is missing.
    pub empties: Option<u64>,
    /// The year of the games; `None` if it is missing.
    pub year: Option<u16>,
}

impl DatabaseHeader {
    /// Whether a file that begins with this byte may be a database. The byte is the century, a
    /// control character with which no text begins.
    pub fn may_begin_with(byte: u8) -> bool {
        (19..=21).contains(&byte)
    }

    /// Reads a header; `None` if the bytes are not a header.
    pub fn read(bytes: &[u8; HEADER]) -> Option<DatabaseHeader> {
        let date = DatabaseHeader::may_begin_with(bytes[0])
            && bytes[1] < 100
            && (1..=12).contains(&bytes[2]);
        let day = (1..=31).contains(&bytes[3]);
        let (size, kind, empties) = (bytes[12], bytes[13], bytes[14]);
        let board = matches!(size, 0 | 8 | 10) && kind <= 1 && empties <= 60;
        (date && day && board).then(|| DatabaseHeader {
            games: u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]),
            size: if size == 0 { 8 } else { size },
            empties: (empties > 0).then_some(u64::from(empties)),
            year: Some(u16::from_le_bytes([bytes[10], bytes[11]])).filter(|&year| year > 0),
        })
    }
}

/// The reader of the games after the header.
#[derive(Debug)]
struct WthorReader {
    header: DatabaseHeader,
    /// The number of games that were read.
    games: u64,
}

/// Reads the header, and returns the reader of the games.
fn open(stream: &mut Stream, options: &ReadOptions) -> Result<Box<dyn SourceReader>, Stop> {
    let mut bytes = [0; HEADER];
    let length = stream.fill(&mut bytes)?;
    let header = Some(&bytes).filter(|_| length == bytes.len()).and_then(DatabaseHeader::read);
    let file = |error: fn(String) -> FileError| {
        Stop::new(move |location| error(location.file.to_string()))
    };
    match header {
        None if options.format.is_some() => Err(file(|file| FileError::NotWthor { file })),
        None => Err(Stop::not_text()),
        Some(DatabaseHeader { size, .. }) if size != 8 => Err(Stop::new(move |location| {
            FileError::BoardSize { file: location.file.to_string(), size }
        })),
        Some(DatabaseHeader { empties: None, .. }) if options.selection.empties.is_none() => {
            Err(file(|file| FileError::UnknownScoreEmpties { file }))
        }
        Some(header) => Ok(Box::new(WthorReader { header, games: 0 })),
    }
}

impl SourceReader for WthorReader {
    fn next(&mut self, stream: &mut Stream) -> Result<Option<Vec<ParsedEntry>>, Stop> {
        let games = self.header.games;
        if self.games == u64::from(games) {
            return match stream.peek()? {
                None => Ok(None),
                Some(_) => Err(Stop::new(move |location| FileError::TrailingData {
                    file: location.file.to_string(),
                    games,
                })),
            };
        }
        self.games += 1;
        let mut record = [0; RECORD];
        if stream.fill(&mut record)? < record.len() {
            return Err(Stop::new(move |location| FileError::Truncated { location, games }));
        }
        let at = self.at();
        let game = read(&record, &self.header).map_err(|error| EntryError {
            at,
            column: error.offset + 1,
            error,
        });
        let content = EntryContent::Game { id: None, game, numbered: true };
        Ok(Some(vec![ParsedEntry { at, content, comment: None }]))
    }

    fn at(&self) -> LineOrGame {
        LineOrGame::Game(self.games)
    }

    fn content(&self) -> Content {
        Content::DatabaseHeader
    }
}

/// Reads the record of a game.
///
/// # Errors
/// With the offset of the first byte that is not valid.
fn read(record: &[u8; RECORD], header: &DatabaseHeader) -> Result<Game, LineError> {
    let (mut moves, mut ended) = (Vec::with_capacity(60), false);
    for (offset, &byte) in record.iter().enumerate().skip(MOVES) {
        match square(byte) {
            None if byte == 0 => ended = true,
            None => {
                let what = format!("move {}: {byte} is not a square", moves.len() + 1);
                return Err(LineError::new(
                    offset,
                    what,
                    "a square is 10 × row + column, from 11 to 88",
                ));
            }
            Some(square) if ended => {
                let what = format!("{square} stands after the end of the moves");
                return Err(LineError::new(offset, what, "all that follows the last move is 0"));
            }
            Some(square) => moves.push(GameMove { mv: Move::Place(square), by: None, offset }),
        }
    }
    let mut game = Game::play(Diagram::START, &moves)?;
    let (real, theoretical) = (black_score(record, REAL)?, black_score(record, THEORETICAL)?);
    for problem in &mut game.positions {
        let (black, offset) = if header.empties == Some(empties_of(problem)) {
            (theoretical, THEORETICAL)
        } else if problem.diagram.position.is_over() {
            (real, REAL)
        } else {
            continue;
        };
        let score = if problem.diagram.to_move == Colour::Black { black } else { -black };
        problem
            .claims
            .push(Claim { column: offset + 1, statement: Statement::Score(exactly(score)) });
    }
    game.usual = header.empties;
    let player =
        |at: usize| format!("{NUMBER}{}", u16::from_le_bytes([record[at], record[at + 1]])).into();
    game.details = GameDetails {
        year: header.year,
        black: Some(player(BLACK)),
        white: Some(player(WHITE)),
        real_score: Some(real),
    };
    Ok(game)
}

/// The names of the players, from the file `WTHOR.JOU` in the folder of a database.
#[derive(Debug, Default)]
pub(super) struct Players(Vec<Box<str>>);

impl Players {
    /// Reads the names that belong to a database. There are none if the folder has no such file.
    /// The error is that of a file that cannot be read, or not to its end.
    pub fn beside(database: &Path) -> (Players, Option<FileError>) {
        let folder = database.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let failed = |path: &Path, error| {
            let file = Source::File(path.to_owned()).name();
            Some(FileError::Names { file, error })
        };
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => return (Players::default(), failed(folder, error)),
        };
        let is_names = |name: &OsStr| name.eq_ignore_ascii_case("WTHOR.JOU");
        let mut paths = entries.flatten().map(|entry| entry.path());
        let Some(path) = paths.find(|path| path.file_name().is_some_and(is_names)) else {
            return (Players::default(), None);
        };
        match fs::read(&path) {
            Ok(bytes) => {
                let whole = bytes.len().checked_sub(HEADER).is_some_and(|size| size % NAME == 0);
                let torn = || io::Error::other("it ends within a name");
                (Players::of(&bytes), (!whole).then(torn).and_then(|error| failed(&path, error)))
            }
            Err(error) => (Players::default(), failed(&path, error)),
        }
    }

    /// The names in the bytes of the file, which are ISO 8859-1.
    fn of(bytes: &[u8]) -> Players {
        let records = bytes.get(HEADER..).unwrap_or_default().chunks_exact(NAME);
        let name = |record: &[u8]| {
            let bytes = record.iter().take_while(|&&byte| byte != 0);
            let text: String = bytes.map(|&byte| char::from(byte)).collect();
            printable(text.trim()).into()
        };
        Players(records.map(name).collect())
    }

    /// Replaces the numbers of the players by their names, as far as these are known.
    pub fn named(&self, mut details: GameDetails) -> GameDetails {
        for player in [&mut details.black, &mut details.white].into_iter().flatten() {
            let number: Option<usize> =
                player.strip_prefix(NUMBER).and_then(|number| number.parse().ok());
            let name = number.and_then(|number| self.0.get(number));
            if let Some(name) = name.filter(|name| !name.is_empty()) {
                player.clone_from(name);
            }
        }
        details
    }
}

/// The square of a byte; `None` if it is not a square.
fn square(byte: u8) -> Option<Square> {
    let (row, column) = (byte / 10, byte % 10);
    let board = 1..=8;
    (board.contains(&row) && board.contains(&column))
        .then(|| Square::new(8 * (row - 1) + column - 1))
}

/// Black's score from the byte at `offset`, the number of Black's discs.
fn black_score(record: &[u8; RECORD], offset: usize) -> Result<Score, LineError> {
    let discs = record[offset];
    Score::try_new(2 * i32::from(discs) - 64).ok_or_else(|| {
        let hint = "a score is from 0 to 64 discs of Black, empties to the winner";
        LineError::new(offset, format!("Black's score is {discs} discs"), hint)
    })
}

#[cfg(test)]
pub(super) mod samples {
    //! Databases for tests.

    use super::*;

    pub fn header(games: u32, empties: u8) -> [u8; HEADER] {
        let [a, b, c, d] = games.to_le_bytes();
        [20, 26, 11, 21, a, b, c, d, 0, 0, 0xea, 7, 8, 0, empties, 0]
    }

    pub fn record(moves: &[Move], real: u8, theoretical: u8) -> [u8; RECORD] {
        let mut record = [0; RECORD];
        (record[REAL], record[THEORETICAL]) = (real, theoretical);
        let squares = moves.iter().filter_map(|mv| match mv {
            Move::Place(square) => Some(10 * (square.rank() as u8 + 1) + square.file() as u8 + 1),
            Move::Pass => None,
        });
        for (target, byte) in record[MOVES..].iter_mut().zip(squares) {
            *target = byte;
        }
        record
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::game::samples as games;
    use super::super::transcript;
    use super::samples::record;
    use super::*;

    const AT_24: DatabaseHeader =
        DatabaseHeader { games: 1, size: 8, empties: Some(24), year: Some(2026) };

    fn moves(text: &str) -> Vec<Move> {
        text.split(' ').map(|mv| mv.parse().expect("a move")).collect()
    }

    fn claims(game: Game) -> Vec<(u64, usize, i32)> {
        let claims = game
            .positions
            .iter()
            .flat_map(|problem| problem.claims.iter().map(move |claim| (problem, claim)));
        claims
            .map(|(problem, claim)| {
                let (_, score) = claim.statement.exact().expect("an exact score");
                (empties_of(problem), claim.column, score.discs())
            })
            .collect()
    }

    #[test]
    fn a_header_is_recognised_from_its_content() {
        let good = samples::header(12, 24);
        assert_eq!(DatabaseHeader::read(&good), Some(DatabaseHeader { games: 12, ..AT_24 }));
        assert_eq!(
            DatabaseHeader::read(&samples::header(1, 0)),
            Some(DatabaseHeader { empties: None, ..AT_24 })
        );
        for (byte, wrong) in [
            (0, b'-'),
            (0, 0),
            (1, 100),
            (2, 0),
            (2, 13),
            (3, 0),
            (3, 32),
            (12, 7),
            (13, 2),
            (14, 61),
        ] {
            let mut bytes = good;
            bytes[byte] = wrong;
            assert_eq!(DatabaseHeader::read(&bytes), None, "byte {byte} is {wrong}");
        }
    }

    #[test]
    fn scores_are_from_the_point_of_view_of_the_side_to_move() {
        // A wipeout after nine moves: Black has all, with 51 empties. The score at the end is
        // White's, who would be to move.
        let wipeout = moves("e6 f4 e3 f6 g5 d6 e7 f5 c5");
        let game =
            |header: DatabaseHeader| read(&record(&wipeout, 64, 40), &header).expect("a game");
        assert_eq!(claims(game(AT_24)), [(51, 7, -64)]);
        assert_eq!(
            claims(game(DatabaseHeader { empties: Some(58), ..AT_24 })),
            [(58, 8, 16), (51, 7, -64)],
            "X is to move"
        );
        assert_eq!(
            claims(game(DatabaseHeader { empties: Some(59), ..AT_24 })),
            [(59, 8, -16), (51, 7, -64)],
            "O is to move"
        );
        assert_eq!(game(AT_24).usual, Some(24));
        assert_eq!(
            claims(read(&record(&wipeout[..5], 33, 33), &AT_24).expect("a game")),
            [],
            "it was given up"
        );
    }

    #[test]
    fn errors_have_the_offset_of_their_byte() {
        let error = |edit: &dyn Fn(&mut [u8; RECORD]), empties| {
            let mut record = record(&moves("f5 d6 c3"), 40, 40);
            edit(&mut record);
            read(&record, &DatabaseHeader { empties, ..AT_24 }).expect_err("a bad record")
        };
        assert_eq!(error(&|record| record[9] = 19, None).what, "move 2: 19 is not a square");
        let illegal = error(&|record| record[9] = 11, None);
        assert_eq!((illegal.offset, illegal.what.as_str()), (9, "move 2: O cannot play a1"));
        assert_eq!(illegal.hint, "the legal moves are f4 d6 f6");
        assert_eq!(
            error(&|record| record[20] = 11, None).what,
            "a1 stands after the end of the moves"
        );
        let score = error(&|record| record[7] = 65, Some(59));
        assert_eq!((score.offset, score.what.as_str()), (7, "Black's score is 65 discs"));
    }

    #[test]
    fn a_game_has_its_year_players_and_score() {
        let mut record = record(&moves("f5 d6 c3"), 40, 40);
        (record[BLACK], record[WHITE]) = (1, 2);
        let mut names = [0; HEADER + 3 * NAME];
        names[HEADER..HEADER + 3].copy_from_slice(b"???");
        names[HEADER + NAME..][..7].copy_from_slice(b"Andr\xe9 B");
        let details = |players: &Players| {
            let details = read(&record, &AT_24).expect("a game").details;
            let details = players.named(details);
            let score = details.real_score.map(Score::discs);
            (details.year, details.black.unwrap(), details.white.unwrap(), score)
        };
        let named = details(&Players::of(&names));
        assert_eq!(named, (Some(2026), "André B".into(), "#2".into(), Some(16)));
        let unnamed = details(&Players::of(&names[..9]));
        assert_eq!((&*unnamed.1, &*unnamed.2), ("#1", "#2"));
    }

    proptest! {
        #[test]
        fn a_written_record_reads_back(
            choices in prop::collection::vec(any::<u8>(), 0..64),
            discs in 0u8..=64,
            empties in 1u64..=60,
        ) {
            let moves = games::random(&choices);
            let header = DatabaseHeader { empties: Some(empties), ..AT_24 };
            let game = read(&record(&moves, 64 - discs, discs), &header).expect("a game");
            let line: String = moves.iter().map(Move::to_string).collect();
            let same = transcript::read(&line).expect("the same game");
            prop_assert_eq!(game.positions.len(), same.positions.len());
            for (own, other) in game.positions.iter().zip(&same.positions) {
                prop_assert_eq!(own.diagram, other.diagram);
            }
            for (at, column, score) in claims(game.clone()) {
                let mut positions = game.positions.iter();
                let problem =
                    positions.find(|problem| empties_of(problem) == at).expect("its position");
                let black = if problem.diagram.to_move == Colour::Black { score } else { -score };
                let expected = if at == empties { (8, discs) } else { (7, 64 - discs) };
                prop_assert_eq!((column, black), (expected.0, 2 * i32::from(expected.1) - 64));
            }
        }

        #[test]
        fn no_record_panics(
            bytes in prop::array::uniform32(any::<u8>()),
            real: u8,
            theoretical: u8,
            empties in 0u64..=60,
        ) {
            let mut record = [0; RECORD];
            (record[REAL], record[THEORETICAL]) = (real, theoretical);
            record[MOVES..MOVES + 32].copy_from_slice(&bytes);
            let header = DatabaseHeader { empties: Some(empties), ..AT_24 };
            let _ = read(&record, &header);
        }
    }
}
