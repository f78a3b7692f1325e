//! The parameters of the search in arguments and tables.

use clap::builder::{PossibleValuesParser, TypedValueParser};

use yose::records::output::readable;
use yose::search::{PARAMETERS, Parameters};
use yose::training::node_counts::NodeTotal;

/// The index of a parameter in [`PARAMETERS`].
pub type ParameterIndex = usize;

/// A parser for names of parameters. The help text lists the names.
pub fn parameter_parser() -> impl TypedValueParser<Value = ParameterIndex> {
    PossibleValuesParser::new(PARAMETERS.map(|spec| spec.name))
        .map(|name| index_of(&name).expect("clap accepts only names of parameters"))
}

fn index_of(name: &str) -> Option<ParameterIndex> {
    PARAMETERS.iter().position(|spec| spec.name == name)
}

/// Reads `NAME=VALUE`.
pub fn parse_value(text: &str) -> Result<(ParameterIndex, i32), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| format!("write a name and a value, such as {}=100", PARAMETERS[0].name))?;
    let names = || PARAMETERS.map(|spec| spec.name).join(", ");
    let index =
        index_of(name).ok_or_else(|| format!("`{name}` is no parameter; there are {}", names()))?;
    let allowed = PARAMETERS[index].range();
    match value.parse() {
        Ok(value) if allowed.contains(&value) => Ok((index, value)),
        _ => Err(format!(
            "write a whole number from {} to {} for {name}",
            allowed.start(),
            allowed.end()
        )),
    }
}

/// These parameters, with the given values in place of their own.
pub fn with_values(parameters: &Parameters, values: &[(ParameterIndex, i32)]) -> Parameters {
    let mut all = *parameters.values();
    values.iter().for_each(|&(index, value)| all[index] = value);
    Parameters::new(all)
}

/// The parameters in the form that `--values` reads.
pub fn format_values(parameters: &Parameters) -> String {
    let pairs = PARAMETERS
        .iter()
        .zip(parameters.values())
        .map(|(spec, value)| format!("{}={value}", spec.name));
    pairs.collect::<Vec<_>>().join(",")
}

/// A table of the parameters and of the nodes with them, before and after a fit.
pub fn table(before: &(Parameters, NodeTotal), after: &(Parameters, NodeTotal)) -> String {
    let row = |name: &str, before: &str, after: &str, change: &str| {
        let row = format!("{name:<20}{before:>16}{after:>16}{change:>10}");
        format!("{}\n", row.trim_end())
    };
    let mut text = row("", "start", "now", "change");
    for (spec, (old, new)) in PARAMETERS.iter().zip(before.0.values().iter().zip(after.0.values()))
    {
        text += &row(spec.name, &old.to_string(), &new.to_string(), "");
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
    fn a_value_is_read_with_the_name_of_its_parameter() {
        for (index, spec) in PARAMETERS.iter().enumerate() {
            assert_eq!(parse_value(&format!("{}=7", spec.name)), Ok((index, 7)));
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
    fn formatted_values_are_read_back() {
        let parameters = with_values(&Parameters::default(), &[(1, 5), (2, 77)]);
        let text = format_values(&parameters);
        let values: Result<Vec<_>, _> = text.split(',').map(parse_value).collect();
        assert_eq!(with_values(&Parameters::default(), &values.expect("valid values")), parameters);
        assert_ne!(parameters, Parameters::default());
    }

    #[test]
    fn the_table_has_every_parameter_and_the_change_of_the_nodes() {
        let start = (Parameters::default(), NodeTotal { nodes: 2_000_000, mean_ln: 10.0 });
        let now = (
            with_values(&Parameters::default(), &[(1, 5)]),
            NodeTotal { nodes: 1_900_000, mean_ln: 9.99 },
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
