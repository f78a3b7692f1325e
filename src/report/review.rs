//! The section of `review`: the players, and each game with its evaluation graph, its moves and a
//! board to step through it.

use maud::{Markup, html};

use super::page::{self, Column, Fact};
use super::plots::{Axis, Figure, Plot, Symbol, Unit};
use super::read::Review as ReadReview;
use super::stepper::{Step, stepper};
use crate::drawing::{Board, svg};
use crate::othello::{Colour, Move, Score, Square};
use crate::records::output::readable;
use crate::review::{PlayerSummary, Review, ReviewedMove, SideSummary, players};

/// The bytes of the games that can be stepped through.
const GAME_BYTES: usize = 1_400_000;

/// The number of the costliest mistakes that have a board.
const COSTLIEST: usize = 8;

/// The section.
pub fn section(id: &str, review: &ReadReview, heading: &str) -> Markup {
    let reviews = &review.stored.reviews;
    let run = review.stored.run.as_ref();
    let wanted = run.and_then(|run| run.player.as_deref());
    let settings: Vec<(String, String)> = [
        run.map(|run| ("Reviewed".to_owned(), format!("positions with {} empties", run.empties))),
        wanted.map(|part| ("Player".to_owned(), part.to_owned())),
    ]
    .into_iter()
    .flatten()
    .collect();
    let (mut articles, mut bytes) = (Vec::new(), 0);
    for (index, one) in reviews.iter().enumerate() {
        let article = article(&format!("{id}-{}", index + 1), one, wanted);
        bytes += article.0.len();
        if bytes > GAME_BYTES {
            break;
        }
        articles.push(article);
    }
    html! {
        section id=(id) {
            h2 { (page::text(heading)) }
            (page::key_figures(&figures(reviews, wanted)))
            (page::settings(&settings))
            @if review.stored.summary.is_none() {
                p.bad { "The review was interrupted: games are missing." }
            }
            @if reviews.is_empty() { p { "The review has no game." } }
            @else {
                (summary(reviews, wanted))
                (costliest(id, reviews, wanted, articles.len()))
                (games(id, reviews, articles.len()))
                @if articles.len() < reviews.len() {
                    p { "The first " (articles.len()) " of " (reviews.len())
                        " games can be stepped through." }
                }
            }
            @for article in &articles { (article) }
        }
    }
}

/// The moves of a game that are those of the player who was asked for, or of both.
fn own<'a>(
    review: &'a Review,
    wanted: Option<&str>,
) -> impl Iterator<Item = (usize, &'a ReviewedMove)> {
    let side = wanted.and_then(|part| review.game.colour_of(part));
    let is_own = move |(_, one): &(usize, &ReviewedMove)| {
        side.is_none_or(|side| one.turn.diagram.to_move == side)
    };
    review.moves.iter().enumerate().filter(is_own)
}

/// The key figures: those of the player who was asked for, or of all.
fn figures(reviews: &[Review], wanted: Option<&str>) -> Vec<Fact> {
    let mut sums = SideSummary::default();
    for review in reviews {
        own(review, wanted).for_each(|(_, one)| sums.add(one));
    }
    let share =
        sums.share().map_or_else(|| "none".to_owned(), |share| format!("{:.1}%", share * 100.0));
    vec![
        page::fact("Games", readable(reviews.len() as u64)),
        page::fact("Moves with a choice", readable(sums.moves)),
        page::fact("Perfect moves", share),
        page::fact("Mistakes", readable(sums.moves - sums.perfect)),
        page::fact("Discs lost", sums.lost.to_string()),
        page::fact("Turning points", readable(sums.turning_points)).note("the winner changes"),
    ]
}

/// The mistakes that lost most, each with its board and a link to its game.
fn costliest(id: &str, reviews: &[Review], wanted: Option<&str>, linked: usize) -> Markup {
    let all = reviews
        .iter()
        .enumerate()
        .flat_map(|(game, review)| own(review, wanted).map(move |(step, one)| (game, step, one)));
    let mut mistakes: Vec<(usize, usize, &ReviewedMove)> =
        all.filter(|(_, _, one)| one.is_mistake()).collect();
    mistakes.sort_by_key(|(_, _, one)| -one.lost());
    html! {
        h3 { "The costliest mistakes" }
        @if mistakes.is_empty() { p.good { "No move has lost a disc." } }
        @else { (board_legend()) }
        div.boards {
            @for &(game, step, one) in mistakes.iter().take(COSTLIEST) {
                @let side = one.turn.diagram.to_move;
                @let review = &reviews[game];
                figure {
                    (svg::board(&board_of(review, one), &page::shortened(&name(review, side))))
                    figcaption {
                        strong { (page::side(side)) " " (page::text(review.game.player(side).unwrap_or(""))) }
                        (one.turn.number) ". " (one.turn.square) " " (one.score())
                        ", best " (best_text(one)) ": " span.bad { (discs(one.lost())) }
                        @if one.is_turning_point() { ", turning point" }
                        br;
                        @if game < linked {
                            a href={ "#" (id) "-" (game + 1) } data-step=(step) {
                                (page::text(&review.game.id))
                            }
                        } @else { (page::text(&review.game.id)) }
                    }
                }
            }
        }
    }
}

/// What the marks on a board of a game mean.
fn board_legend() -> Markup {
    html! {
        p.faint { "On the board: the score of each move, underlined where it is the best; a ring \
            around the move that was played; a dot on the move before." }
    }
}

/// A number of discs lost.
fn discs(lost: i32) -> String {
    format!("{lost} discs lost")
}

/// The best moves and their score.
fn best_text(one: &ReviewedMove) -> String {
    let best: Vec<String> = one.best_moves().map(|mv| mv.to_string()).collect();
    format!("{} {}", best.join(" "), one.best_score())
}

/// The move before another one of a game.
fn before(review: &Review, number: u64) -> Option<Square> {
    review.game.turns.iter().rfind(|turn| turn.number + 1 == number).map(|turn| turn.square)
}

/// The position of a move with the scores of all moves.
fn board_of(review: &Review, one: &ReviewedMove) -> Board {
    let board = Board {
        legal: false,
        last: before(review, one.turn.number),
        played: Some(one.turn.square),
        ..Board::new(one.turn.diagram)
    };
    board.with_scores(&one.scores)
}

/// The table of players. The player who was asked for comes first.
fn summary(reviews: &[Review], wanted: Option<&str>) -> Markup {
    let mut list = players(reviews);
    let is_wanted = |player: &PlayerSummary| {
        wanted.is_some_and(|part| player.name.to_lowercase().contains(&part.to_lowercase()))
    };
    list.sort_by_key(|player| !is_wanted(player));
    const SHOWN: usize = 200;
    let row = |player: &PlayerSummary| {
        let sums = &player.sums;
        vec![
            player.name.clone(),
            player.games.to_string(),
            sums.moves.to_string(),
            format!("{:.1}%", sums.share().unwrap_or(0.0) * 100.0),
            sums.lost.to_string(),
            format!("{:.1}", sums.lost as f64 / player.games as f64),
            sums.turning_points.to_string(),
            sums.first_mistake.map_or_else(String::new, |number| number.to_string()),
        ]
    };
    let rows: Vec<Vec<String>> = list.iter().take(SHOWN).map(row).collect();
    let columns = [
        Column::Words("player"),
        Column::Numbers("games"),
        Column::Numbers("moves"),
        Column::Numbers("perfect"),
        Column::Numbers("discs lost"),
        Column::Numbers("lost per game"),
        Column::Numbers("turning points"),
        Column::Numbers("first mistake at move"),
    ];
    html! {
        @if list.len() > SHOWN { p { "The first " (SHOWN) " players are listed." } }
        (page::table("Players", &columns, &rows))
    }
}

/// The name of a side.
fn name(review: &Review, colour: Colour) -> String {
    let name = review.game.player(colour);
    name.map_or_else(|| colour.to_string(), |name| format!("{name} ({colour})"))
}

/// A score of Black, or nothing.
fn black(score: Option<Score>) -> String {
    score.map_or_else(String::new, |score| score.to_string())
}

/// The table of games, with links to those that can be stepped through.
fn games(id: &str, reviews: &[Review], linked: usize) -> Markup {
    const SHOWN: usize = 2000;
    let columns = [
        Column::Words("game"),
        Column::Words("X"),
        Column::Words("O"),
        Column::Numbers("year"),
        Column::Numbers("result"),
        Column::Numbers("perfect play"),
        Column::Numbers("X lost"),
        Column::Numbers("O lost"),
    ];
    html! {
        @if reviews.len() > SHOWN { p { "The first " (SHOWN) " games are listed." } }
        div.scroll tabindex="0" role="region" aria-label="Games" {
            table.sortable id={ (id) "-games" } {
                caption { "Games " small { "Results are those of X; a heading sorts." } }
                (page::head(&columns))
                tbody {
                    @for (index, one) in reviews.iter().enumerate().take(SHOWN) {
                        tr {
                            td {
                                @if index < linked {
                                    a href={ "#" (id) "-" (index + 1) } { (page::text(&one.game.id)) }
                                } @else { (page::text(&one.game.id)) }
                            }
                            td { (page::text(one.game.player(Colour::Black).unwrap_or(""))) }
                            td { (page::text(one.game.player(Colour::White).unwrap_or(""))) }
                            td.n { @if let Some(year) = one.game.details.year { (year) } }
                            td.n { (black(one.game.details.real_score)) }
                            td.n { (black(one.theoretical_result())) }
                            td.n { (one.side(Colour::Black).lost) }
                            td.n { (one.side(Colour::White).lost) }
                        }
                    }
                }
            }
        }
    }
}

/// A game.
fn article(id: &str, review: &Review, wanted: Option<&str>) -> Markup {
    let title = format!("{} - {}", name(review, Colour::Black), name(review, Colour::White));
    let mistakes = own(review, wanted).filter(|(_, one)| one.is_mistake());
    // Of equal ones the first.
    let worst =
        mistakes.reduce(|worst, one| if one.1.lost() > worst.1.lost() { one } else { worst });
    let at = worst.map_or(0, |(step, _)| step);
    html! {
        article.game id=(id) {
            h3 { (page::text(&title)) }
            p.faint {
                (page::text(&review.game.id))
                @if let Some(year) = review.game.details.year { ", " (year) }
                @if let Some(score) = review.game.details.real_score { "; result " (score) }
                @if let Some(score) = review.theoretical_result() { ", with perfect play " (score) }
                @if !review.complete { "; not complete" }
            }
            @if review.moves.is_empty() { p { "No move is reviewed." } }
            @else {
                div.pair {
                    (stepper(&title, &steps(review), at))
                    div {
                        (graph(review))
                        details open[review.moves.len() <= 24] {
                            summary { "Moves" }
                            (moves(review))
                        }
                    }
                }
            }
        }
    }
}

/// The positions of the reviewed moves, each with the scores of its moves, and the last one.
fn steps(review: &Review) -> Vec<Step> {
    let mut steps: Vec<Step> = review
        .moves
        .iter()
        .map(|one| Step {
            diagram: one.turn.diagram,
            last: before(review, one.turn.number),
            caption: caption(one),
            scores: one.scores.clone(),
            played: Some(one.turn.square),
        })
        .collect();
    if let Some(last) = review.moves.last()
        && let Some(end) = last.turn.diagram.make(Move::Place(last.turn.square))
    {
        let square = last.turn.square;
        steps.push(Step {
            diagram: end,
            last: Some(square),
            caption: format!(
                "After {square}: X {}, O {}",
                end.black().count(),
                end.white().count()
            ),
            scores: Vec::new(),
            played: None,
        });
    }
    steps
}

fn caption(one: &ReviewedMove) -> String {
    let side = one.turn.diagram.to_move;
    let (number, square, score) = (one.turn.number, one.turn.square, one.score());
    if !one.is_mistake() {
        return format!("{number}. {side} plays {square}, {score}: perfect");
    }
    let turning = if one.is_turning_point() { ", a turning point" } else { "" };
    format!(
        "{number}. {side} plays {square}, {score}: {}{turning}; best {}",
        discs(one.lost()),
        best_text(one)
    )
}

/// The theoretical result after each move, with the mistakes.
fn graph(review: &Review) -> Markup {
    let moves = &review.moves;
    let number = |one: &ReviewedMove| one.turn.number as f64;
    let after = |one: &ReviewedMove| f64::from(one.result_after().discs());
    let mut area = vec![(number(&moves[0]) - 1.0, f64::from(moves[0].result_before().discs()))];
    area.extend(moves.iter().map(|one| (number(one), after(one))));
    let marks: Vec<(f64, f64, bool)> = moves
        .iter()
        .filter(|one| one.is_mistake())
        .map(|one| (number(one), after(one), one.turn.diagram.to_move == Colour::Black))
        .collect();
    let x = Axis::linear("move", Unit::Count, area.iter().map(|point| point.0));
    let results = area.iter().map(|point| point.1).chain([-4.0, 4.0]);
    let y = Axis::linear("result for X", Unit::Score, results);
    let references = vec![[(x.from, 0.0), (x.to, 0.0)]];
    // The position before a move stands at the move, the last one after it.
    let end = moves.last().map(|one| number(one) + 0.5);
    let places: Vec<f64> = moves.iter().map(number).chain(end).map(|at| place(&x, at)).collect();
    let description = format!(
        "Line of the theoretical result for X after each move, from {:+} to {:+}, with {} mistakes.",
        area[0].1,
        area[area.len() - 1].1,
        marks.len()
    );
    let mut legend = Vec::new();
    for (filled, name) in [(true, "mistake of X"), (false, "mistake of O")] {
        if marks.iter().any(|mark| mark.2 == filled) {
            legend.push((Symbol::Mark { filled }, name.to_owned()));
        }
    }
    let figure = Figure {
        caption: "Result with perfect play from there on".to_owned(),
        legend,
        description,
        plot: Plot { references, marks, area, ..Plot::new(x, y) },
    };
    let places = serde_json::json!(places).to_string();
    figure.with(&html! { div.cursor data-places=(places) hidden {} })
}

/// The place of a value on the horizontal axis of a plot, in percent of its width.
fn place(axis: &Axis, value: f64) -> f64 {
    let (left, right) = super::plots::SIDES;
    let share = (value - axis.from) / (axis.to - axis.from);
    ((left + share * (right - left)) * 1e4).round() / 100.0
}

/// The table of moves. A row shows its position.
fn moves(review: &Review) -> Markup {
    let columns = [
        Column::Numbers("move"),
        Column::Words("side"),
        Column::Words("played"),
        Column::Numbers("score"),
        Column::Numbers("lost"),
        Column::Moves("best"),
        Column::Numbers("result for X"),
    ];
    html! {
        div.scroll tabindex="0" role="region" aria-label="Moves" {
            table {
                caption { "Moves " small { "Scores are those of the side to move. A row shows its \
                    position; ! is a turning point." } }
                (page::head(&columns))
                tbody {
                    @for (step, one) in review.moves.iter().enumerate() {
                        tr data-step=(step) {
                            td.n { (one.turn.number) }
                            td { (page::side(one.turn.diagram.to_move)) }
                            td { (one.turn.square) }
                            td.n { (one.score()) }
                            td.n { @if one.is_mistake() { span.bad { (one.lost())
                                @if one.is_turning_point() { "!" } } } }
                            td.m { @if one.is_mistake() { (best_text(one)) } @else { (others(one)) } }
                            td.n { (one.result_after()) }
                        }
                    }
                }
            }
        }
    }
}

/// The other moves that are as good as a perfect one.
fn others(one: &ReviewedMove) -> String {
    let played = Move::Place(one.turn.square);
    let others: Vec<String> =
        one.best_moves().filter(|mv| *mv != played).map(|mv| mv.to_string()).collect();
    if others.is_empty() { String::new() } else { format!("also {}", others.join(" ")) }
}
