#!/usr/bin/env python3
"""Whether DuckDB, Polars and pandas read the Parquet files of Yose as Yose has written them.

    scripts/parquet-test.py YOSE

YOSE is a program that was built with `--features parquet`. Of DuckDB, Polars, and pandas with pyarrow
(`pip install duckdb polars pandas pyarrow`), each that is missing is named and left out. The exit
status is 77 if all are missing.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

TEXT = {"id", "position", "status", "best_move", "pv", "wld", "moves", "error", "comment"}
TEXT |= {"file", "black", "white"}
SMALL = {"empties", "score", "lower", "upper", "real_score"}
LONG = {"nodes", "game", "move"}


def duckdb_rows(path):
    import duckdb

    table = duckdb.sql(f"SELECT * FROM '{path}'")
    types = dict(zip(table.columns, map(str, table.types)))
    for name, kind in types.items():
        wanted = "VARCHAR" if name in TEXT else "TINYINT" if name in SMALL else None
        wanted = "BIGINT" if name in LONG else "DOUBLE" if name == "seconds" else wanted
        assert kind == (wanted or "INTEGER"), (name, kind)
    mean = duckdb.sql(f"SELECT avg(score), sum(nodes) FROM '{path}'").fetchall()[0]
    rows = [dict(zip(table.columns, row)) for row in table.fetchall()]
    scores = [row["score"] for row in rows if row["score"] is not None]
    assert not scores or abs(mean[0] - sum(scores) / len(scores)) < 1e-9, mean
    assert mean[1] == sum(row["nodes"] or 0 for row in rows), mean
    return rows


def polars_rows(path):
    import polars

    frame = polars.read_parquet(path)
    assert frame.schema["score"] == polars.Int8 and frame.schema["nodes"] == polars.Int64
    assert frame.schema["position"] == polars.String and frame.schema["seconds"] == polars.Float64
    lazy = polars.scan_parquet(path).filter(polars.col("empties") <= 6).collect()
    assert lazy.height == sum(1 for empties in frame["empties"] if empties and empties <= 6)
    return frame.to_dicts()


def pandas_rows(path):
    import pandas
    import pyarrow.parquet

    meta = pyarrow.parquet.read_metadata(path)
    assert json.loads(meta.metadata[b"yose.run"])["type"] == "run"
    assert json.loads(meta.metadata[b"yose.summary"])["positions"] == meta.num_rows
    group = meta.row_group(0)
    encodings = {group.column(i).path_in_schema: group.column(i) for i in range(group.num_columns)}
    assert "RLE_DICTIONARY" in encodings["score"].encodings, encodings["score"].encodings
    assert encodings["score"].compression == "SNAPPY"
    frame = pandas.read_parquet(path, dtype_backend="pyarrow")
    assert str(frame["score"].dtype) == "int8[pyarrow]", frame["score"].dtype
    records = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return pyarrow.parquet.read_table(path).to_pylist() if records else []


def expected_rows(path):
    """The rows as JSON Lines have them."""
    for line in path.read_text().splitlines():
        record = json.loads(line)
        if record.pop("type") != "position":
            continue
        if record.get("moves"):
            record["moves"] = [(move["move"], move["score"]) for move in record["moves"]]
        yield record


def compare(reader, found, expected):
    assert len(found) == len(expected) > 0, (reader, len(found), len(expected))
    for row, record in zip(found, expected):
        for name, value in row.items():
            if name == "seconds":
                continue
            if name == "moves" and value is not None:
                moves = [move.split(":") for move in value.split(" ")]
                value = [(move, int(score)) for move, score in moves]
            assert value == record.get(name), (reader, row["id"], name, value, record.get(name))


def main():
    yose = pathlib.Path(sys.argv[1]).resolve()
    games = pathlib.Path(__file__).resolve().parent.parent / "positions" / "games.wtb"
    readers = {"duckdb": duckdb_rows, "polars": polars_rows, "pandas": pandas_rows}
    tested = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        files = []
        for case, options in {
            "notes": ["--game-columns", "--comments", "--all-moves"],
            "plain": [],
            "bounds": ["--window", "-1,1"],
        }.items():
            command = [yose, "solve", games, "--at-empties", "2-9", "-t", "1", "--deterministic"]
            command += ["--progress", "none", *options, "-o"]
            for end in ["parquet", "jsonl"]:
                subprocess.run([*command, folder / f"{case}.{end}"], check=True)
            files.append(case)
        for reader, read in readers.items():
            try:
                found = {case: read(str(folder / f"{case}.parquet")) for case in files}
            except ModuleNotFoundError as error:
                print(f"NOT TESTED: Parquet with {reader}: {error}")
                continue
            for case in files:
                compare(reader, found[case], list(expected_rows(folder / f"{case}.jsonl")))
            rows = sum(map(len, found.values()))
            print(f"{reader}: {rows} rows in {len(files)} files, as written")
            tested += 1
    sys.exit(0 if tested else 77)


if __name__ == "__main__":
    main()
