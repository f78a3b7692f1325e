//! The parameters of the search, as arguments and in tables.

use clap::builder::{PossibleValuesParser, TypedValueParser};

use yose::records::output::readable;
use yose::search::{PARAMETERS, Parameters};
use yose::training::nodes::Total;

/// A parameter's place in [`PARAMETERS`].
pub type Place = usize;

/// Reads the name of a parameter; `--help` lists them.
pub fn place_parser() -> impl TypedValueParser<Value = Place> {
    PossibleValuesParser::new(PARAMETERS.map(|scale| scale.name))
        .map(|name| place(&name).expect("only the names of parameters are possible"))
}

fn place(name: &str) -> Option<Place> {
    PARAMETERS.iter().position(|scale| scale.name == name)
}

/// Reads `NAME=VALUE`.
pub fn parse_value(text: &str) -> Result<(Place, i32), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| format!("write a name and a value, such as {}=100", PARAMETERS[0].name))?;
    let names = || PARAMETERS.map(|scale| scale.name).join(", ");
    let place =
        place(name).ok_or_else(|| format!("`{name}` is no parameter; there are {}", names()))?;
    let allowed = PARAMETERS[place].range();
    match value.parse() {
        Ok(value) if allowed.contains(&value) => Ok((place, value)),
        _ => Err(format!(
            "write a whole number from {} to {} for {name}",
            allowed.start(),
            allowed.end()
        )),
    }
}

/// These parameters, with some values instead of their own.
pub fn with_values(parameters: &Parameters, values: &[(Place, i32)]) -> Parameters {
    let mut all = *parameters.values();
    values.iter().for_each(|&(place, value)| all[place] = value);
    Parameters::new(all)
}

/// The parameters as `--values` takes them.
pub fn written(parameters: &Parameters) -> String {
    let pairs = PARAMETERS
        .iter()
        .zip(parameters.values())
        .map(|(scale, value)| format!("{}={value}", scale.name));
    pairs.collect::<Vec<_>>().join(",")
}

/// A line for each parameter and for what all of them take together, before and after.
pub fn table(before: &(Parameters, Total), after: &(Parameters, Total)) -> String {
    let row = |name: &str, before: &str, after: &str, change: &str| {
        let row = format!("{name:<20}{before:>16}{after:>16}{change:>10}");
        format!("{}\n", row.trim_end())
    };
    let mut text = row("", "start", "now", "change");
    for (scale, (old, new)) in PARAMETERS.iter().zip(before.0.values().iter().zip(after.0.values()))
    {
        text += &row(scale.name, &old.to_string(), &new.to_string(), "");
    }
    let percent = |ratio: f64| format!("{:+.2} %", 100.0 * (ratio - 1.0));
    let (old, new) = (before.1, after.1);
    let sums = new.nodes as f64 / old.nodes as f64;
    text += &row("nodes", &readable(old.nodes), &readable(new.nodes), &percent(sums));
    let means = [old, new].map(|total| format!("{:.4}", total.mean_ln));
    text + &row("mean ln nodes", &means[0], &means[1], &percent((new.mean_ln - old.mean_ln).exp()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_read_with_their_names() {
        for (place, scale) in PARAMETERS.iter().enumerate() {
            assert_eq!(parse_value(&format!("{}=7", scale.name)), Ok((place, 7)));
        }
        let name = PARAMETERS[0].name;
        for (text, part) in [
            (name.to_owned(), "write a name and a value"),
            ("speed=1".to_owned(), "`speed` is no parameter; there are "),
            (format!("{name}=-1"), "write a whole number from 0 to "),
            (format!("{name}=1000000000"), "write a whole number from 0 to "),
            (format!("{name}=1.5"), "write a whole number from 0 to "),
        ] {
            let error = parse_value(&text).expect_err(&text);
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        let parameters = with_values(&Parameters::default(), &[(1, 5), (2, 77)]);
        let text = written(&parameters);
        let values: Result<Vec<_>, _> = text.split(',').map(parse_value).collect();
        assert_eq!(with_values(&Parameters::default(), &values.expect("it is right")), parameters);
        assert_ne!(parameters, Parameters::default());
    }

    #[test]
    fn tables_tell_the_change() {
        let start = (Parameters::default(), Total { nodes: 2_000_000, mean_ln: 10.0 });
        let now = (
            with_values(&Parameters::default(), &[(1, 5)]),
            Total { nodes: 1_900_000, mean_ln: 9.99 },
        );
        let table = table(&start, &now);
        let lines: Vec<Vec<&str>> =
            table.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines.len(), PARAMETERS.len() + 3);
        assert_eq!(lines[0], ["start", "now", "change"]);
        assert_eq!(lines[2], [PARAMETERS[1].name, &PARAMETERS[1].start.to_string(), "5"]);
        assert_eq!(lines[PARAMETERS.len() + 1], ["nodes", "2,000,000", "1,900,000", "-5.00", "%"]);
        assert_eq!(
            lines[PARAMETERS.len() + 2],
            ["mean", "ln", "nodes", "10.0000", "9.9900", "-1.00", "%"]
        );
    }
}
