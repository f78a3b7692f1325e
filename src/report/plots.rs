//! Plots as SVG, by the crate plotters.
//!
//! A plot has no colours of its own: those with which it is drawn are replaced by `currentColor`
//! and by variables of the page's style, which differ in light and dark.

use maud::{Markup, PreEscaped, html};
use plotters::chart::ChartContext;
use plotters::coord::Shift;
use plotters::prelude::*;

/// The size of a plot in pixels, before the page scales it.
const SIZE: (u32, u32) = (640, 360);

/// The left and the right side of the axes, as shares of the width of a plot: the margin, and the
/// names on the vertical axis.
pub const SIDES: (f64, f64) = (72.0 / 640.0, 632.0 / 640.0);

/// The largest number of points of a plot.
pub const POINTS: usize = 1500;

/// The colours with which plots are drawn, and what replaces them.
const TEXT: RGBColor = RGBColor(1, 1, 1);
const GRID: RGBColor = RGBColor(2, 2, 2);
const FIRST: RGBColor = RGBColor(3, 3, 3);
const SECOND: RGBColor = RGBColor(4, 4, 4);
const REPLACED: [(&str, &str); 4] = [
    ("#010101", "currentColor"),
    ("#020202", "var(--grid)"),
    ("#030303", "var(--first)"),
    ("#040404", "var(--second)"),
];

/// A figure: its caption, its plot, and what the plot shows in words.
#[derive(Debug)]
pub struct Figure {
    /// The caption.
    pub caption: String,
    /// What is to be seen, for readers that see no picture.
    pub description: String,
    /// The plot.
    pub plot: Plot,
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
    /// Larger discs in the second colour.
    pub marks: Vec<(f64, f64)>,
    /// Lines in the second colour.
    pub lines: Vec<Vec<(f64, f64)>>,
    /// Bars from 0, as the centre and the height.
    pub bars: Vec<(f64, f64)>,
}

/// An axis.
#[derive(Debug)]
pub struct Axis {
    /// What it measures.
    pub name: &'static str,
    /// Its ends.
    pub from: f64,
    /// See `from`.
    pub to: f64,
    /// Whether it is logarithmic.
    pub log: bool,
}

impl Axis {
    /// An axis that has room for these values.
    pub fn of(name: &'static str, log: bool, values: impl Iterator<Item = f64>) -> Axis {
        let (mut from, mut to) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|&value| !log || value > 0.0) {
            (from, to) = (from.min(value), to.max(value));
        }
        if from > to {
            (from, to) = (1.0, 10.0);
        }
        if log {
            Axis { name, from: from / 1.5, to: to * 1.5, log }
        } else {
            Axis { name, from: from - 0.8, to: to + 0.8, log }
        }
    }
}

impl Plot {
    /// A plot without content.
    pub fn new(x: Axis, y: Axis) -> Plot {
        Plot { x, y, points: Vec::new(), marks: Vec::new(), lines: Vec::new(), bars: Vec::new() }
    }
}

impl Figure {
    /// The figure as an element of a page.
    pub fn markup(&self) -> Markup {
        html! {
            figure.plot {
                figcaption { (self.caption) }
                div role="img" aria-label=(self.description) { (PreEscaped(self.plot.svg())) }
            }
        }
    }
}

impl Plot {
    /// The plot as SVG.
    pub fn svg(&self) -> String {
        let mut svg = String::new();
        {
            let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
            // Drawing into memory fails only for ranges without a length, which no axis has.
            let drawn = match (self.x.log, self.y.log) {
                (false, false) => self.linear(&area),
                (false, true) => self.log_y(&area),
                (true, _) => self.log_log(&area),
            };
            debug_assert!(drawn.is_ok(), "{drawn:?}");
        }
        REPLACED.iter().fold(svg, |svg, (from, to)| svg.replace(from, to))
    }

    fn linear(&self, area: &Area<'_>) -> Drawn {
        let mut chart =
            builder(area).build_cartesian_2d(self.x.from..self.x.to, self.y.from..self.y.to)?;
        self.mesh(&mut chart)?;
        self.content(&mut chart)
    }

    fn log_y(&self, area: &Area<'_>) -> Drawn {
        let y = (self.y.from..self.y.to).log_scale();
        let mut chart = builder(area).build_cartesian_2d(self.x.from..self.x.to, y)?;
        self.mesh(&mut chart)?;
        self.content(&mut chart)
    }

    fn log_log(&self, area: &Area<'_>) -> Drawn {
        let (x, y) = ((self.x.from..self.x.to).log_scale(), (self.y.from..self.y.to).log_scale());
        let mut chart = builder(area).build_cartesian_2d(x, y)?;
        self.mesh(&mut chart)?;
        self.content(&mut chart)
    }

    fn mesh<X, Y>(&self, chart: &mut Chart<'_, '_, X, Y>) -> Drawn
    where
        X: Ranged<ValueType = f64> + plotters::coord::ranged1d::ValueFormatter<f64>,
        Y: Ranged<ValueType = f64> + plotters::coord::ranged1d::ValueFormatter<f64>,
    {
        let font = || ("sans-serif", 14).into_font().color(&TEXT);
        let (x_log, y_log) = (self.x.log, self.y.log);
        chart
            .configure_mesh()
            .axis_style(TEXT)
            .bold_line_style(GRID)
            .light_line_style(TRANSPARENT)
            .label_style(font())
            .x_labels(8)
            .y_labels(6)
            .axis_desc_style(font())
            .x_desc(self.x.name)
            .y_desc(self.y.name)
            .x_label_formatter(&|value| tick(*value, x_log))
            .y_label_formatter(&|value| tick(*value, y_log))
            .draw()
    }

    fn content<X, Y>(&self, chart: &mut Chart<'_, '_, X, Y>) -> Drawn
    where
        X: Ranged<ValueType = f64>,
        Y: Ranged<ValueType = f64>,
    {
        let visible = |&&(x, y): &&(f64, f64)| (!self.x.log || x > 0.0) && (!self.y.log || y > 0.0);
        let bars = self.bars.iter().map(|&(x, height)| {
            Rectangle::new([(x - 0.8, self.y.from.max(0.0)), (x + 0.8, height)], FIRST.filled())
        });
        chart.draw_series(bars)?;
        for line in &self.lines {
            let points = line.iter().filter(visible).copied();
            chart.draw_series(LineSeries::new(points, SECOND.stroke_width(2)))?;
        }
        let disc = |&point: &(f64, f64)| Circle::new(point, 2, FIRST.filled());
        chart.draw_series(self.points.iter().filter(visible).map(disc))?;
        let mark = |&point: &(f64, f64)| Circle::new(point, 5, SECOND.filled());
        chart.draw_series(self.marks.iter().filter(visible).map(mark))?;
        Ok(())
    }
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a, 'b, X, Y> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<X, Y>>;
type Drawn = Result<(), DrawingAreaErrorKind<<SVGBackend<'static> as DrawingBackend>::ErrorType>>;

fn builder<'a, 'b>(area: &'a Area<'b>) -> ChartBuilder<'a, 'b, SVGBackend<'b>> {
    let mut builder = ChartBuilder::on(area);
    builder.margin(8).x_label_area_size(44).y_label_area_size(64);
    builder
}

/// The name of a value on an axis.
fn tick(value: f64, log: bool) -> String {
    let units = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    for (unit, name) in units {
        if value.abs() >= unit {
            return format!("{}{name}", trimmed(value / unit));
        }
    }
    match log {
        true if value < 1.0 => format!("{value:e}"),
        // What linear axes measure is whole.
        false if value.fract() != 0.0 => String::new(),
        _ => trimmed(value),
    }
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
            let axis = |name, log| Axis::of(name, log, values.into_iter());
            let mut plot = Plot::new(axis("empties", x_log), axis("nodes", y_log));
            plot.points = values.map(|value| (value, value)).to_vec();
            plot.marks = vec![(2.0, 3.0)];
            plot.lines = vec![vec![(1.0, 1.0), (20.0, 30.0)]];
            let svg = plot.svg();
            assert_eq!(svg.matches("<circle").count(), 4, "{svg}");
            assert!(svg.contains("var(--first)") && svg.contains("currentColor"), "{svg}");
            assert!(!svg.contains("#0"), "{svg}");
        }
    }

    #[test]
    fn an_axis_without_values_has_a_length() {
        let axis = || Axis::of("nodes", true, std::iter::empty());
        assert!(Plot::new(axis(), axis()).svg().contains("<svg"));
        assert_eq!(
            [tick(1500.0, true), tick(0.001, true), tick(-4.0, false)],
            ["1.5k", "1e-3", "-4"]
        );
    }
}
