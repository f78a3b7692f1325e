#!/usr/bin/env python3
"""Compares Yose with another solver on one list of positions: time, nodes and scores.

    scripts/versus.py [OPTIONS] LIST -- COMMAND ...

COMMAND is the other solver. `{list}` in its arguments stands for the path of LIST. Both programs
solve LIST as often as `--pairs` says. By default they run in turn (A B, B A, A B, ...); with
`--together` both programs of a pair run at the same time, each on a core of its own.

The report has the medians of user and wall time, and the ratio Yose / other of each pair: its
median and quartiles. A ratio below 1 means that Yose is faster. The times are those of the whole
process, with start-up and clearing of tables. The scores of both programs must be equal, position
by position: a difference is an error. So is a score that Yose does not prove.

The other solver's scores are found in its standard output with `--score`, a regular expression with
one group; the node counts with `--nodes`, whose matches are added up. The defaults read the table of
Edax. Numbers may have commas. For example, with Edax-AVX in ../edax:

    scripts/versus.py --in ../edax positions/ffo-40-59.obf -- ./bin/lEdax-x86-64-v4 -l 60 -h 23 \\
        -n-tasks 1 -eval-file eval.dat -solve {list}

Only Python's standard library is needed. The exit status is 1 if a score differs or a run fails.
"""

import argparse
import csv
import io
import os
import re
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Run:
    """One run of a program: seconds of the whole process, and what it printed."""

    user: float
    system: float
    wall: float
    output: str


def run(command, folder, core):
    """Runs `command` in `folder`, on `core` alone unless that is None."""
    pin = None if core is None else lambda: os.sched_setaffinity(0, {core})
    start = time.monotonic()
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, preexec_fn=pin
    )
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - start
    if status != 0:
        sys.exit(f"{command[0]} failed with wait status {status}")
    return Run(usage.ru_utime, usage.ru_stime, wall, output.decode(errors="replace"))


def number(text):
    return int(text.replace(",", "").replace("+", ""))


def scores_of_yose(output):
    """The scores in the order of the list, and the sum of the nodes."""
    rows = list(csv.DictReader(io.StringIO(output)))
    open_rows = [row["id"] for row in rows if row["status"] != "exact"]
    if open_rows:
        sys.exit(f"Yose has no exact score for {', '.join(open_rows)}")
    return [int(row["score"]) for row in rows], sum(int(row["nodes"]) for row in rows)


def scores_of_other(output, score, nodes):
    scores = [number(match) for match in re.findall(score, output, re.MULTILINE)]
    return scores, sum(number(match) for match in re.findall(nodes, output, re.MULTILINE))


def quartiles(values):
    if len(values) == 1:
        return values * 3
    return statistics.quantiles(values, n=4, method="inclusive")


def report(name, runs, nodes):
    user, system, wall = (
        statistics.median(getattr(run, field) for run in runs)
        for field in ("user", "system", "wall")
    )
    print(f"{name:6} {user:9.2f} {system:9.2f} {wall:9.2f} {nodes:17,} {nodes / user:14,.0f}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("list", type=Path, metavar="LIST")
    parser.add_argument("command", nargs="+", metavar="COMMAND")
    parser.add_argument("--pairs", type=int, default=5, help="pairs of runs (default: 5)")
    parser.add_argument("--together", action="store_true", help="run both of a pair at once")
    parser.add_argument("--yose", default="target/release/yose", help="the program yose")
    parser.add_argument(
        "--options", default="-t 1 --hash 256MiB", help='options of yose (default: "%(default)s")'
    )
    parser.add_argument("--in", dest="folder", default=".", help="the other solver's folder")
    parser.add_argument(
        "--score",
        default=r"^ *\d+\| +\d+ +([+-]\d+) ",
        help="regular expression for a score (default: Edax)",
    )
    parser.add_argument(
        "--nodes",
        default=r"^ *\d+\| +\d+ +[+-]\d+ +[\d:.]+ +(\d+) ",
        help="regular expression for a node count (default: Edax)",
    )
    arguments = parser.parse_args()

    path = str(arguments.list.resolve())
    yose = [str(Path(arguments.yose).resolve()), "solve", path, "--format", "csv"]
    yose += ["--progress", "none", *arguments.options.split()]
    other = [argument.replace("{list}", path) for argument in arguments.command]
    cores = sorted(os.sched_getaffinity(0))
    if arguments.together and len(cores) < 2:
        sys.exit("--together needs two cores")

    runs = {"Yose": [], "other": []}
    expected = None
    for pair in range(arguments.pairs):
        jobs = [("Yose", yose, "."), ("other", other, arguments.folder)]
        if pair % 2:
            jobs.reverse()
        if arguments.together:
            with ThreadPoolExecutor(2) as pool:
                pinned = [(*job, core) for job, core in zip(jobs, cores)]
                done = list(pool.map(lambda job: run(*job[1:]), pinned))
        else:
            done = [run(command, folder, None) for _, command, folder in jobs]
        for (name, _, _), result in zip(jobs, done):
            runs[name].append(result)
        scores, nodes = scores_of_yose(runs["Yose"][-1].output)
        theirs, their_nodes = scores_of_other(
            runs["other"][-1].output, arguments.score, arguments.nodes
        )
        if scores != theirs:
            differing = [n for n, both in enumerate(zip(scores, theirs), 1) if len(set(both)) > 1]
            sys.exit(
                f"{len(scores)} scores of Yose and {len(theirs)} of the other; "
                f"different at positions {differing}"
            )
        if expected not in (None, scores):
            sys.exit("scores differ between runs")
        expected = scores

    print(f"{len(expected)} positions, {arguments.pairs} pairs, all scores equal; medians:")
    print(f"{'':6} {'user s':>9} {'system s':>9} {'wall s':>9} {'nodes':>17} {'nodes/s':>14}")
    report("Yose", runs["Yose"], nodes)
    report("other", runs["other"], their_nodes)
    for field in ("user", "wall"):
        ratios = [
            getattr(ours, field) / getattr(theirs, field)
            for ours, theirs in zip(runs["Yose"], runs["other"])
        ]
        low, middle, high = quartiles(ratios)
        print(f"Yose / other, {field} time: {middle:.3f} (quartiles {low:.3f} to {high:.3f})")


if __name__ == "__main__":
    main()
