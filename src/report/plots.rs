//! Plots as SVG, by the crate plotters.
//!
//! A plot has no colours of its own: those with which it is drawn are replaced by `currentColor`
//! and by variables of the page's style, which differ in light and dark.
//!
//! Both axes are linear for plotters. A value on a logarithmic axis is its decimal logarithm there,
//! and the ticks of both kinds of axes are chosen here.

use std::ops::Range;

use maud::{Markup, PreEscaped, html};
use plotters::chart::ChartContext;
use plotters::coord::Shift;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint};
use plotters::prelude::*;

/// The size of a plot in pixels, before the page scales it.
const SIZE: (u32, u32) = (560, 330);

/// The left and the right side of the axes, as shares of the width of a plot: the margin, and the
/// names on the vertical axis.
pub const SIDES: (f64, f64) = (92.0 / 560.0, 544.0 / 560.0);

/// The largest number of points of a plot.
pub const POINTS: usize = 1500;

/// The colours with which plots are drawn, and what replaces them.
const TEXT: RGBColor = RGBColor(1, 1, 1);
const GRID: RGBColor = RGBColor(2, 2, 2);
const FIRST: RGBColor = RGBColor(3, 3, 3);
const SECOND: RGBColor = RGBColor(4, 4, 4);
const FAINT: RGBColor = RGBColor(5, 5, 5);
const BACK: RGBColor = RGBColor(6, 6, 6);
const DASHES: RGBColor = RGBColor(7, 7, 7);
const REPLACED: [(&str, &str); 7] = [
    ("\"#070707\"", "\"var(--faint)\" stroke-dasharray=\"5 4\""),
    ("#010101", "currentColor"),
    ("#020202", "var(--grid)"),
    ("#030303", "var(--first)"),
    ("#040404", "var(--second)"),
    ("#050505", "var(--faint)"),
    ("#060606", "var(--back)"),
];

/// A figure: its caption, its legend, its plot, and what the plot shows in words.
#[derive(Debug)]
pub struct Figure {
    /// The caption.
    pub caption: String,
    /// The symbols of the plot, and what they mean.
    pub legend: Vec<(Symbol, String)>,
    /// What is to be seen, for readers that see no picture.
    pub description: String,
    /// The plot.
    pub plot: Plot,
}

/// A symbol of a legend.
#[derive(Clone, Copy, Debug)]
pub enum Symbol {
    /// A disc in the first colour.
    Point,
    /// A vertical bar with a tick in the second colour.
    Range,
    /// A dashed line.
    Reference,
    /// A bar of this shade.
    Bar(Shade),
    /// A mark, filled or not.
    Mark {
        /// Whether it is filled.
        filled: bool,
    },
}

/// The colour of a bar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shade {
    /// The first colour.
    First,
    /// The second colour.
    Second,
    /// Neither.
    Faint,
}

impl Shade {
    fn colour(self) -> RGBColor {
        match self {
            Shade::First => FIRST,
            Shade::Second => SECOND,
            Shade::Faint => FAINT,
        }
    }
}

/// A bar on the horizontal axis.
#[derive(Clone, Copy, Debug)]
pub struct Bar {
    /// Its sides.
    pub from: f64,
    /// See `from`.
    pub to: f64,
    /// Its height.
    pub height: f64,
    /// Its colour.
    pub shade: Shade,
}

/// The spread of some values at a place of the horizontal axis.
#[derive(Clone, Copy, Debug)]
pub struct Spread {
    /// The place.
    pub x: f64,
    /// The lower end, the middle, and the upper end.
    pub values: [f64; 3],
}

/// What is plotted.
#[derive(Debug)]
pub struct Plot {
    /// The axes.
    pub x: Axis,
    /// See `x`.
    pub y: Axis,
    /// Small discs.
    pub points: Vec<(f64, f64)>,
    /// Spreads of values.
    pub spreads: Vec<Spread>,
    /// Larger discs in the second colour, filled or not.
    pub marks: Vec<(f64, f64, bool)>,
    /// A line with the area between it and 0.
    pub area: Vec<(f64, f64)>,
    /// Dashed lines to compare with, from one point to another.
    pub references: Vec<[(f64, f64); 2]>,
    /// Bars from 0.
    pub bars: Vec<Bar>,
}

/// What an axis measures, as its ticks are named.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Things that are counted: `20`, `1.5k`, `2M`.
    Count,
    /// Seconds on a logarithmic axis: `10 ms`, `1 s`.
    Seconds,
    /// Scores: `+4`, `0`, `-10`.
    Score,
}

/// An axis.
#[derive(Clone, Debug)]
pub struct Axis {
    /// What it measures.
    pub name: &'static str,
    /// Its unit.
    pub unit: Unit,
    /// Its ends.
    pub from: f64,
    /// See `from`.
    pub to: f64,
    /// Whether it is logarithmic.
    pub log: bool,
}

impl Axis {
    /// A linear axis that has room for these values.
    pub fn linear(name: &'static str, unit: Unit, values: impl Iterator<Item = f64>) -> Axis {
        let (from, to) = ends(values).unwrap_or((0.0, 10.0));
        Axis { name, unit, from: from - 0.8, to: to + 0.8, log: false }
    }

    /// A logarithmic axis that has room for those of these values that are above 0. It has ends
    /// with names: at least two ticks.
    pub fn log(name: &'static str, unit: Unit, values: impl Iterator<Item = f64>) -> Axis {
        let (from, to) = ends(values.filter(|value| *value > 0.0)).unwrap_or((1.0, 10.0));
        let (mut from, mut to) = (from / 1.4, to * 1.4);
        if to / from < 30.0 {
            (from, to) = (step_below(from), step_above(to));
        }
        Axis { name, unit, from, to, log: true }
    }

    /// A value as a place on the axis of plotters.
    fn place(&self, value: f64) -> f64 {
        if self.log { value.max(self.from * 1e-9).log10() } else { value }
    }

    /// The axis of plotters.
    fn scale(&self) -> Scale {
        let (from, to) = (self.place(self.from), self.place(self.to));
        Scale {
            from,
            to,
            ticks: if self.log { log_ticks(from, to) } else { whole_ticks(from, to) },
        }
    }

    /// The name of a place.
    fn tick(&self, place: f64) -> String {
        let value = if self.log { 10f64.powf(place) } else { place };
        match self.unit {
            Unit::Count => count(value),
            Unit::Seconds => duration(value),
            Unit::Score if value == 0.0 => "0".to_owned(),
            Unit::Score => format!("{value:+}"),
        }
    }
}

/// The axis of plotters: linear, with given ticks.
struct Scale {
    from: f64,
    to: f64,
    ticks: Vec<f64>,
}

impl Ranged for Scale {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (start, end): (i32, i32)) -> i32 {
        let share = (value - self.from) / (self.to - self.from);
        start + (share * f64::from(end - start)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() { Vec::new() } else { self.ticks.clone() }
    }

    fn range(&self) -> Range<f64> {
        self.from..self.to
    }
}

fn ends(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |ends, value| {
        let (from, to) = ends.unwrap_or((value, value));
        Some((from.min(value), to.max(value)))
    })
}

/// The steps of a decade.
const STEPS: [f64; 3] = [1.0, 2.0, 5.0];

/// The largest of 1, 2, 5, 10, 20 … and of their tenths, which is at most the value.
fn step_below(value: f64) -> f64 {
    let decade = 10f64.powf(value.log10().floor());
    STEPS.map(|step| step * decade).into_iter().rfind(|step| *step <= value).unwrap_or(decade)
}

/// The smallest of 1, 2, 5, 10, 20 …, which is at least the value.
fn step_above(value: f64) -> f64 {
    let decade = 10f64.powf(value.log10().floor());
    STEPS.map(|step| step * decade).into_iter().find(|step| *step >= value).unwrap_or(10.0 * decade)
}

/// Ticks between two logarithms: decades, or also their doubles and halves if there are few.
fn log_ticks(from: f64, to: f64) -> Vec<f64> {
    const MOST: f64 = 7.0;
    let decades = to - from;
    let steps: &[f64] = if decades < 1.9 { &STEPS } else { &STEPS[..1] };
    let stride = (decades / MOST).ceil().max(1.0) as i32;
    let (first, last) = (from.floor() as i32, to.ceil() as i32);
    let all = (first..=last)
        .filter(|decade| decade % stride == 0)
        .flat_map(|decade| steps.iter().map(move |step| f64::from(decade) + step.log10()));
    const ROUNDING: f64 = 1e-9;
    all.filter(|tick| (from - ROUNDING..=to + ROUNDING).contains(tick)).collect()
}

/// Whole numbers between two numbers, at most nine.
fn whole_ticks(from: f64, to: f64) -> Vec<f64> {
    const MOST: f64 = 8.0;
    let step = step_above(((to - from) / MOST).max(1.0));
    let (first, last) = ((from / step).ceil() as i64, (to / step).floor() as i64);
    (first..=last).map(|number| number as f64 * step).collect()
}

impl Plot {
    /// A plot without content.
    pub fn new(x: Axis, y: Axis) -> Plot {
        Plot {
            x,
            y,
            points: Vec::new(),
            spreads: Vec::new(),
            marks: Vec::new(),
            area: Vec::new(),
            references: Vec::new(),
            bars: Vec::new(),
        }
    }

    /// The plot as SVG.
    pub fn svg(&self) -> String {
        let mut svg = String::new();
        {
            let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
            // Drawing into memory fails only for ranges without a length, which no axis has.
            let drawn = self.draw(&area);
            debug_assert!(drawn.is_ok(), "{drawn:?}");
        }
        // The page scales it.
        let size = format!("width=\"{}\" height=\"{}\" viewBox", SIZE.0, SIZE.1);
        let svg = svg.replacen(&size, "viewBox", 1);
        REPLACED.iter().fold(svg, |svg, (from, to)| svg.replace(from, to))
    }

    fn draw(&self, area: &Area<'_>) -> Drawn {
        let mut builder = ChartBuilder::on(area);
        builder.margin(16).margin_bottom(4).x_label_area_size(46).y_label_area_size(76);
        let mut chart = builder.build_cartesian_2d(self.x.scale(), self.y.scale())?;
        let font = || ("sans-serif", 16).into_font().color(&TEXT);
        chart
            .configure_mesh()
            .axis_style(FAINT)
            .bold_line_style(GRID)
            .light_line_style(TRANSPARENT)
            .label_style(font())
            .axis_desc_style(font())
            .x_desc(self.x.name)
            .y_desc(self.y.name)
            .x_label_formatter(&|place| self.x.tick(*place))
            .y_label_formatter(&|place| self.y.tick(*place))
            .draw()?;
        self.content(&mut chart)
    }

    /// Draws the content: what is compared with, below everything else.
    fn content(&self, chart: &mut Chart<'_, '_>) -> Drawn {
        let at = |(x, y): (f64, f64)| (self.x.place(x), self.y.place(y));
        let is_visible =
            |&(x, y): &(f64, f64)| (!self.x.log || x > 0.0) && (!self.y.log || y > 0.0);
        for ends in &self.references {
            chart.draw_series([PathElement::new(ends.map(at), DASHES.stroke_width(1))])?;
        }
        let bars = self.bars.iter().map(|bar| {
            let corners = [at((bar.from, self.y.from.max(0.0))), at((bar.to, bar.height))];
            Rectangle::new(corners, bar.shade.colour().filled())
        });
        chart.draw_series(bars)?;
        if let [first, .., last] = &self.area[..] {
            let line: Vec<(f64, f64)> = self.area.iter().copied().map(at).collect();
            let mut outline = line.clone();
            outline.extend([at((last.0, 0.0)), at((first.0, 0.0))]);
            chart.draw_series([Polygon::new(outline, FIRST.mix(0.15).filled())])?;
            chart.draw_series([PathElement::new(line, FIRST.stroke_width(2))])?;
        }
        let disc = |point: (f64, f64)| Circle::new(at(point), 3, FIRST.mix(0.55).filled());
        chart.draw_series(self.points.iter().copied().filter(is_visible).map(disc))?;
        for spread in &self.spreads {
            let [low, middle, high] = spread.values.map(|value| at((spread.x, value)));
            let style = SECOND.stroke_width(2);
            chart.draw_series([PathElement::new(vec![low, high], style)])?;
            let reach = 0.3;
            let tick = vec![(middle.0 - reach, middle.1), (middle.0 + reach, middle.1)];
            chart.draw_series([PathElement::new(tick, SECOND.stroke_width(3))])?;
        }
        for &(x, y, filled) in &self.marks {
            let fill = if filled { SECOND } else { BACK };
            chart.draw_series([Circle::new(at((x, y)), 5, fill.filled())])?;
            chart.draw_series([Circle::new(at((x, y)), 5, SECOND.stroke_width(2))])?;
        }
        Ok(())
    }
}

impl Figure {
    /// The figure as an element of a page.
    pub fn markup(&self) -> Markup {
        self.with(&html! {})
    }

    /// The figure with something that is laid over the plot.
    pub fn with(&self, over: &Markup) -> Markup {
        html! {
            figure.plot {
                figcaption {
                    (self.caption)
                    @if !self.legend.is_empty() {
                        span.legend {
                            @for (symbol, meaning) in &self.legend {
                                span { (symbol.markup()) (meaning) } " "
                            }
                        }
                    }
                }
                div.drawing {
                    div role="img" aria-label=(self.description) { (PreEscaped(self.plot.svg())) }
                    (over)
                }
            }
        }
    }
}

impl Symbol {
    fn markup(self) -> Markup {
        let class = match self {
            Symbol::Point => "dot",
            Symbol::Range => "range",
            Symbol::Reference => "dashes",
            Symbol::Bar(Shade::First) => "bar",
            Symbol::Bar(Shade::Second) => "bar second",
            Symbol::Bar(Shade::Faint) => "bar neither",
            Symbol::Mark { filled: true } => "mark filled",
            Symbol::Mark { filled: false } => "mark",
        };
        html! { i class=(class) aria-hidden="true" {} }
    }
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<Scale, Scale>>;
type Drawn = Result<(), DrawingAreaErrorKind<<SVGBackend<'static> as DrawingBackend>::ErrorType>>;

/// A count with the prefix of its unit.
fn count(value: f64) -> String {
    let units = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    for (unit, name) in units {
        // The logarithm of a round number may be a little less than that of the number.
        if value.abs() >= unit * 0.999 {
            return format!("{}{name}", trimmed(value / unit));
        }
    }
    trimmed(value)
}

/// A time with its unit.
fn duration(seconds: f64) -> String {
    let units = [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs")];
    for (unit, name) in units {
        if seconds >= unit * 0.999 {
            return format!("{} {name}", trimmed(seconds / unit));
        }
    }
    format!("{} ns", trimmed(seconds * 1e9))
}

/// A number with at most two decimals.
fn trimmed(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_is_drawn_without_colours() {
        for (x_log, y_log) in [(false, false), (false, true), (true, true)] {
            let values = [1.0, 20.0, 4e6];
            let axis = |name, log| match log {
                true => Axis::log(name, Unit::Count, values.into_iter()),
                false => Axis::linear(name, Unit::Count, values.into_iter()),
            };
            let mut plot = Plot::new(axis("empties", x_log), axis("nodes", y_log));
            plot.points = values.map(|value| (value, value)).to_vec();
            plot.marks = vec![(2.0, 3.0, true)];
            plot.references = vec![[(1.0, 1.0), (20.0, 30.0)]];
            plot.spreads = vec![Spread { x: 2.0, values: [1.0, 2.0, 3.0] }];
            plot.bars = vec![Bar { from: 1.0, to: 2.0, height: 3.0, shade: Shade::Faint }];
            let svg = plot.svg();
            // A mark is a disc with a border.
            assert_eq!(svg.matches("<circle").count(), 5, "{svg}");
            assert!(svg.contains("var(--first)") && svg.contains("currentColor"), "{svg}");
            assert!(!svg.contains("#0") && svg.contains("<svg viewBox="), "{svg}");
        }
    }

    #[test]
    fn an_axis_without_values_has_a_length() {
        let axis = || Axis::log("nodes", Unit::Count, std::iter::empty());
        assert!(Plot::new(axis(), axis()).svg().contains("<svg"));
    }

    fn names(axis: &Axis) -> String {
        let (from, to) = (axis.place(axis.from), axis.place(axis.to));
        let ticks = if axis.log { log_ticks(from, to) } else { whole_ticks(from, to) };
        ticks.into_iter().map(|tick| axis.tick(tick)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn ticks_are_round_and_few() {
        let log = |unit, values: [f64; 2]| names(&Axis::log("", unit, values.into_iter()));
        assert_eq!(log(Unit::Count, [1.3e6, 1.4e6]), "500k 1M 2M");
        assert_eq!(log(Unit::Count, [8e3, 9e6]), "10k 100k 1M 10M");
        assert_eq!(log(Unit::Count, [1.0, 1e12]), "1 100 10k 1M 100M 10G 1T");
        assert_eq!(log(Unit::Seconds, [4e-4, 0.7]), "1 ms 10 ms 100 ms");
        assert_eq!(log(Unit::Seconds, [8e-7, 150.0]), "1 µs 100 µs 10 ms 1 s 100 s");
        let linear = |unit, values: [f64; 2]| names(&Axis::linear("", unit, values.into_iter()));
        assert_eq!(linear(Unit::Count, [20.0, 20.0]), "20");
        assert_eq!(linear(Unit::Score, [-8.0, 22.0]), "-5 0 +5 +10 +15 +20");
        assert_eq!(linear(Unit::Count, [4.0, 9.0]), "4 5 6 7 8 9");
    }
}
