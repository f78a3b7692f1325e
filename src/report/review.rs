//! The section of `review`: the players, and each game with its evaluation graph, its moves and a
//! board to step through it.

use maud::{Markup, html};

use super::page::{self, Step};
use super::plots::{Axis, Figure, Plot};
use super::read::Review as ReadReview;
use crate::othello::{Colour, Move, Score};
use crate::records::output::readable;
use crate::review::{PlayerSummary, Review, ReviewedMove, players};

/// The bytes of the games that can be stepped through.
const GAME_BYTES: usize = 1_400_000;

/// The section.
pub fn section(id: &str, review: &ReadReview) -> Markup {
    let reviews = &review.stored.reviews;
    let mistakes = |one: &Review| one.moves.iter().filter(|one| one.is_mistake()).count();
    let facts = [
        page::fact("Games", readable(reviews.len() as u64)),
        page::fact("Moves", readable(reviews.iter().map(|one| one.moves.len() as u64).sum())),
        page::fact("Mistakes", readable(reviews.iter().map(mistakes).sum::<usize>() as u64)),
        page::fact(
            "Positions",
            review
                .stored
                .run
                .as_ref()
                .map_or_else(String::new, |run| format!("those with {} empties", run.empties)),
        ),
    ];
    let wanted = review.stored.run.as_ref().and_then(|run| run.player.as_deref());
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
            h2 { (page::text(&review.name)) }
            (page::facts(&facts))
            @if review.stored.summary.is_none() {
                p.bad { "The review was interrupted: games are missing." }
            }
            (summary(reviews, wanted))
            (games(id, reviews, articles.len()))
            @if articles.len() < reviews.len() {
                p { "The first " (articles.len()) " of " (reviews.len())
                    " games can be stepped through." }
            }
            @for article in &articles { (article) }
        }
    }
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
        ("player", false),
        ("games", true),
        ("moves", true),
        ("perfect", true),
        ("discs lost", true),
        ("lost per game", true),
        ("turning points", true),
        ("first mistake", true),
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
    html! {
        @if reviews.len() > SHOWN { p { "The first " (SHOWN) " games are listed." } }
        div.scroll tabindex="0" role="region" aria-label="Games" {
            table.sortable id={ (id) "-games" } {
                caption { "Games; results are those of X" }
                thead {
                    tr {
                        @for name in
                            ["game", "X", "O", "year", "played", "perfect", "X lost", "O lost"]
                        { th scope="col" { (name) } }
                    }
                }
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
                            td { @if let Some(year) = one.game.details.year { (year) } }
                            td { (black(one.game.details.real_score)) }
                            td { (black(one.theoretical_result())) }
                            td { (one.side(Colour::Black).lost) }
                            td { (one.side(Colour::White).lost) }
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
    let side = wanted.and_then(|part| review.game.colour_of(part));
    let is_worth_seeing = |one: &&ReviewedMove| {
        one.is_mistake() && side.is_none_or(|side| one.turn.diagram.to_move == side)
    };
    let worst = review.moves.iter().filter(is_worth_seeing).max_by_key(|one| one.lost());
    let first = review.moves.first().map_or(0, |one| one.turn.number);
    let at = worst.map_or(0, |one| (one.turn.number - first) as usize);
    html! {
        article.game id=(id) {
            h3 { (page::text(&title)) }
            p.faint {
                (page::text(&review.game.id))
                @if let Some(year) = review.game.details.year { ", " (year) }
                @if let Some(score) = review.game.details.real_score { ", played " (score) }
                @if let Some(score) = review.theoretical_result() { ", perfect " (score) }
                @if !review.complete { "; not complete" }
            }
            @if review.moves.is_empty() { p { "No move is reviewed." } }
            @else {
                div.pair {
                    (page::stepper(&title, &steps(review), at))
                    (graph(review))
                }
                details open[review.moves.len() <= 24] {
                    summary { "Moves" }
                    (moves(review, first))
                }
            }
        }
    }
}

/// The positions of the reviewed moves, each with the scores of its moves, and the last one.
fn steps(review: &Review) -> Vec<Step> {
    let before = |number: u64| {
        review.game.turns.iter().rfind(|turn| turn.number + 1 == number).map(|turn| turn.square)
    };
    let mut steps: Vec<Step> = review
        .moves
        .iter()
        .map(|one| Step {
            diagram: one.turn.diagram,
            last: before(one.turn.number),
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
    let best: Vec<String> = one.best_moves().map(|mv| mv.to_string()).collect();
    let turning = if one.is_turning_point() { ", a turning point" } else { "" };
    format!(
        "{number}. {side} plays {square}, {score}, and loses {} discs{turning}; best {} {}",
        one.lost(),
        best.join(" "),
        one.best_score()
    )
}

/// The theoretical result after each move, with the mistakes.
fn graph(review: &Review) -> Markup {
    let moves = &review.moves;
    let number = |one: &ReviewedMove| one.turn.number as f64;
    let mut line = vec![(number(&moves[0]) - 1.0, f64::from(moves[0].result_before().discs()))];
    line.extend(moves.iter().map(|one| (number(one), f64::from(one.result_after().discs()))));
    let mistakes = moves.iter().filter(|one| one.is_mistake());
    let marks: Vec<(f64, f64)> =
        mistakes.map(|one| (number(one), f64::from(one.result_after().discs()))).collect();
    let x = Axis::of("move", false, line.iter().map(|point| point.0));
    let y = Axis::of("result for X", false, line.iter().map(|point| point.1).chain([0.0]));
    let zero = vec![(x.from, 0.0), (x.to, 0.0)];
    let places: Vec<f64> = line.iter().map(|point| place(&x, point.0)).collect();
    let description = format!(
        "Line of the theoretical result for X after each move, from {:+} to {:+}, with {} mistakes.",
        line[0].1,
        line[line.len() - 1].1,
        marks.len()
    );
    let figure = Figure {
        caption: "Theoretical result for X; discs mark mistakes".to_owned(),
        description,
        plot: Plot { points: zero.clone(), marks, lines: vec![line, zero], ..Plot::new(x, y) },
    };
    html! {
        figure.plot {
            figcaption { (figure.caption) }
            div role="img" aria-label=(figure.description) {
                (maud::PreEscaped(figure.plot.svg()))
                div.cursor data-places=(serde_json::json!(places).to_string()) hidden {}
            }
        }
    }
}

/// The place of a value on the horizontal axis of a plot, in percent of its width.
fn place(axis: &Axis, value: f64) -> f64 {
    let (left, right) = super::plots::SIDES;
    let share = (value - axis.from) / (axis.to - axis.from);
    ((left + share * (right - left)) * 1e4).round() / 100.0
}

/// The table of moves. A row shows its position.
fn moves(review: &Review, first: u64) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Moves" {
            table {
                caption { "Moves; scores are those of the side to move" }
                thead {
                    tr {
                        @for (name, numbers) in [
                            ("move", true), ("side", false), ("played", false), ("score", true),
                            ("lost", true), ("best", false), ("result for X", true),
                        ] { th.n[numbers] scope="col" { (name) } }
                    }
                }
                tbody {
                    @for one in &review.moves {
                        tr data-step=(one.turn.number - first) {
                            td.n { (one.turn.number) }
                            td { (one.turn.diagram.to_move) }
                            td { (one.turn.square) }
                            td.n { (one.score()) }
                            td.n { @if one.is_mistake() { span.bad { (one.lost())
                                @if one.is_turning_point() { "!" } } } }
                            td { (one.best_score()) " "
                                (one.best_moves().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")) }
                            td.n { (one.result_after()) }
                        }
                    }
                }
            }
        }
    }
}
