#!/usr/bin/env python3
"""The measurements of docs/scale.md: samples of positions, their nodes, and what follows.

    scripts/scale.py sample WTHOR-FOLDER SAMPLES     lists of positions, in random order
    scripts/scale.py measure YOSE CLASSES RESULTS    solves them one by one
    scripts/scale.py summary RESULTS...              means with intervals, and an extrapolation
    scripts/scale.py censored RESULTS...             36 empties by a line through all searches
    scripts/scale.py costs YOSE RESULTS...           rows of scripts/records/costs.csv
    scripts/scale.py predicted COSTS                 predictions beside what was measured

`sample` draws from tournament games (`tour36.obf`, `game24.obf` to `game35.obf`), from random play
(`rand36.obf`), and the roots of `examples/proof_leaves.rs` (`roots50.obf`): positions of 50 empties
in games whose theoretical score is at most 4 discs. All positions of a list differ by more than
symmetry. A line of CLASSES has a name, a list, a window or `-`, a limit of nodes or `-`, and a
weight: the class with the fewest positions for its weight is next, so the order does not depend on
the costs. Within a class it is that of the list, so what is finished is a random sample. `measure`
ends when there is a file `stop`. RESULTS is a journal: it goes on with it. Times are processor
times.
"""

import glob
import json
import math
import os
import random
import struct
import subprocess
import sys

STEPS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
RAYS = [
    [
        [
            (row + down * k) * 8 + column + right * k
            for k in range(1, 8)
            if 0 <= row + down * k < 8 and 0 <= column + right * k < 8
        ]
        for down, right in STEPS
    ]
    for row in range(8)
    for column in range(8)
]
START = "-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27
OTHER = {"X": "O", "O": "X"}
CUT = ("limit", "interrupted")


def flips(board, square, side):
    found = []
    if board[square] == "-":
        for ray in RAYS[square]:
            line = []
            for on in ray:
                if board[on] == OTHER[side]:
                    line.append(on)
                    continue
                if board[on] == side:
                    found += line
                break
    return found


def play(board, square, side):
    """The board after a move; `None` if it is not legal."""
    turned = flips(board, square, side)
    if not turned:
        return None
    board = list(board)
    for on in [square, *turned]:
        board[on] = side
    return board


def moves(board, side):
    return [square for square in range(64) if flips(board, square, side)]


def at_empties(squares, empties):
    """The position of a game with so many empties; `None` if there is none, or the game is over."""
    board, side = list(START), "X"
    for square in squares:
        if board.count("-") == empties:
            break
        after = play(board, square, side)
        if after is None:
            side = OTHER[side]
            after = play(board, square, side)
        if after is None:
            return None
        board, side = after, OTHER[side]
    if board.count("-") != empties:
        return None
    if not moves(board, side):
        side = OTHER[side]
    return ("".join(board), side) if moves(board, side) else None


def random_game(rng, empties):
    board, side = list(START), "X"
    while board.count("-") > empties:
        legal = moves(board, side)
        if not legal:
            side = OTHER[side]
            legal = moves(board, side)
            if not legal:
                return None
        board, side = play(board, rng.choice(legal), side), OTHER[side]
    if not moves(board, side):
        side = OTHER[side]
    return ("".join(board), side) if moves(board, side) else None


def canonical(board, side):
    if side == "O":
        board = board.translate(str.maketrans("XO", "OX"))
    images = []
    for symmetry in range(8):
        squares = []
        for number in range(64):
            row, column = number // 8 ^ 7 * (symmetry & 1), number % 8 ^ 7 * (symmetry >> 1 & 1)
            squares.append(column * 8 + row if symmetry & 4 else row * 8 + column)
        images.append("".join(board[square] for square in squares))
    return min(images)


def games(folder):
    """The theoretical score and the squares of each game."""
    found = []
    for path in sorted(glob.glob(os.path.join(folder, "*.wtb"))):
        data = open(path, "rb").read()
        for game in range(struct.unpack("<I", data[4:8])[0]):
            record = data[16 + 68 * game : 84 + 68 * game]
            squares = [(move // 10 - 1) * 8 + move % 10 - 1 for move in record[8:] if move]
            found.append((2 * record[7] - 64, squares))
    return found


def write_list(path, positions, count):
    seen = set()
    with open(path, "w") as out:
        for position in positions:
            if position is None or canonical(*position) in seen:
                continue
            seen.add(canonical(*position))
            print(f"{position[0]} {position[1]};", file=out)
            if len(seen) == count:
                return


def sample(folder, target):
    rng = random.Random(20261124)
    all_games = games(folder)
    rng.shuffle(all_games)
    os.makedirs(target, exist_ok=True)
    listed = iter(all_games)
    write_list(f"{target}/tour36.obf", (at_empties(game[1], 36) for game in listed), 2000)
    for empties in range(24, 36):
        # Each list has games of its own.
        found = (at_empties(game[1], empties) for game in listed)
        write_list(f"{target}/game{empties}.obf", found, 1200)
    write_list(f"{target}/rand36.obf", (random_game(rng, 36) for _ in range(3000)), 2000)
    even = (game for game in all_games if abs(game[0]) <= 4)
    write_list(f"{target}/roots50.obf", (at_empties(game[1], 50) for game in even), 10**6)


def measure(yose, classes, results):
    done = {}
    for record in read([results]) if os.path.exists(results) else []:
        done[record["class"]] = done.get(record["class"], 0) + 1
    while not os.path.exists("stop"):
        lines = [line.split() for line in open(classes) if line.strip()]
        waiting = [line for line in lines if done.get(line[0], 0) < sum(1 for _ in open(line[1]))]
        if not waiting:
            return
        name, path, window, limit, _ = min(
            waiting, key=lambda line: done.get(line[0], 0) / float(line[4])
        )
        number = done.get(name, 0)
        position = open(path).read().splitlines()[number].split(";")[0]
        command = [yose, "solve", "-p", position, "-t", "1", "--hash", "256MiB"]
        command += ["--format", "jsonl", "--progress", "none"]
        command += [] if window == "-" else ["--window", window]
        command += [] if limit == "-" else ["--node-limit", limit]
        before = os.times()
        output = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE).stdout
        after = os.times()
        cpu = sum(after[2:4]) - sum(before[2:4])
        records = [json.loads(line) for line in output.splitlines()]
        (record,) = [record for record in records if record["type"] == "position"]
        head = {"class": name, "k": number, "window": window, "limit": limit, "cpu": round(cpu, 3)}
        with open(results, "a") as out:
            print(json.dumps(head | record), file=out)
        done[name] = number + 1


def read(paths):
    return [json.loads(line) for path in paths for line in open(path)]


def interval(values):
    """The middle 95 of 100 values."""
    values = sorted(values)
    return values[int(0.025 * len(values))], values[int(0.975 * len(values))]


def drawn(rng, values):
    return [values[rng.randrange(len(values))] for _ in values]


def mean(values):
    return sum(values) / len(values)


def slope(points):
    """The line through (x, y, weight): its slope, and its value at x = 0."""
    total = sum(weight for _, _, weight in points)
    x0 = sum(x * weight for x, _, weight in points) / total
    y0 = sum(y * weight for _, y, weight in points) / total
    rise = sum((x - x0) * (y - y0) * weight for x, y, weight in points)
    rise /= sum((x - x0) ** 2 * weight for x, _, weight in points)
    return rise, y0 - rise * x0


def ladder(samples, empties=36):
    """The slope of the logarithm of the mean nodes, and the mean nodes with so many empties."""
    points = [(at, math.log(mean(nodes)), len(nodes)) for at, nodes in samples.items()]
    rise, start = slope(points)
    return rise, math.exp(start + rise * empties)


def lognormal(values):
    """The mean, and the deviation of the logarithm, of a log-normal distribution with values of
    which some are only lower bounds: expectation and maximisation (Dempster, Laird and Rubin,
    "Maximum Likelihood from Incomplete Data via the EM Algorithm", 1977)."""
    logs = [(math.log(nodes), cut) for nodes, cut in values]
    middle = mean([log for log, _ in logs])
    deviation = max(0.1, mean([(log - middle) ** 2 for log, _ in logs]) ** 0.5)
    for _ in range(100):
        first = second = 0.0
        for log, cut in logs:
            if not cut:
                first, second = first + log, second + log * log
                continue
            # The moments of a normal distribution above a bound.
            at = (log - middle) / deviation
            above = max(0.5 * math.erfc(at / 2**0.5), 1e-300)
            ratio = math.exp(-at * at / 2) / (2 * math.pi) ** 0.5 / above
            expected = middle + deviation * ratio
            variance = deviation**2 * max(0.0, 1 + at * ratio - ratio**2)
            first, second = first + expected, second + expected**2 + variance
        middle = first / len(logs)
        deviation = max(0.1, second / len(logs) - middle**2) ** 0.5
    return math.exp(middle + deviation**2 / 2), deviation


def censored_line(points):
    """The line of ln(nodes) by empties, and the deviation about it, where some nodes are only lower
    bounds: the same method as `lognormal`. A point is (empties, ln(nodes), whether it is cut)."""
    filled = [(at, log, 0.0) for at, log, _ in points]
    rise, start, deviation = 0.0, 0.0, 1.0
    for _ in range(60):
        rise, start = slope([(at, log, 1) for at, log, _ in filled])
        squares = [(log - start - rise * at) ** 2 + variance for at, log, variance in filled]
        deviation = max(0.1, mean(squares)) ** 0.5
        filled = []
        for at, log, cut in points:
            if not cut:
                filled.append((at, log, 0.0))
                continue
            middle = start + rise * at
            z = (log - middle) / deviation
            above = max(0.5 * math.erfc(z / 2**0.5), 1e-300)
            ratio = math.exp(-z * z / 2) / (2 * math.pi) ** 0.5 / above
            variance = deviation**2 * max(0.0, 1 + z * ratio - ratio**2)
            filled.append((at, middle + deviation * ratio, variance))
    return rise, start, deviation


def censored(paths):
    """The nodes with 36 empties in the window, by the positions of tournament games that were
    searched there, those that were cut short included as lower bounds."""
    rng = random.Random(1)
    points = [
        (record["empties"], math.log(record["nodes"]), record["status"] in CUT)
        for record in read(paths)
        if record["class"].startswith(("ladder", "tour"))
    ]

    def fit(points):
        rise, start, deviation = censored_line(points)
        median = math.exp(start + 36 * rise)
        return rise, deviation, median, median * math.exp(deviation**2 / 2)

    again = [fit(drawn(rng, points)) for _ in range(400)]
    names = ("growth of the logarithm", "deviation", "median at 36", "mean at 36")
    print(f"{len(points)} positions, {sum(cut for _, _, cut in points)} cut short")
    for column, (name, value) in enumerate(zip(names, fit(points))):
        low, high = interval([values[column] for values in again])
        print(f"{name}: {value:.3g} ({low:.3g} to {high:.3g})")


def summary(paths):
    rng = random.Random(1)
    classes = {}
    for record in read(paths):
        classes.setdefault(record["class"].rstrip("b"), []).append(record)
    print("class, positions, cut short: mean nodes (95 of 100), median, nodes a second")
    ladders = {}
    for name, records in sorted(classes.items()):
        nodes = [record["nodes"] for record in records]
        cut = sum(record["status"] in CUT for record in records)
        low, high = interval([mean(drawn(rng, nodes)) for _ in range(10_000)])
        speed = sum(nodes) / max(sum(record["cpu"] for record in records), 1e-9)
        print(
            f"{name}, {len(nodes)}, {cut}: {'at least ' if cut else ''}{mean(nodes):.3g}"
            f" ({low:.3g} to {high:.3g}), {sorted(nodes)[len(nodes) // 2]:.3g}, {speed:.3g}"
        )
        again = {record["position"]: record["nodes"] for record in classes.get(f"{name}deep", [])}
        if again:
            # Of those that were cut short, some were searched again, with a higher limit.
            values = [(record["status"] in CUT, record["nodes"]) for record in records]
            cuts = [again.get(record["position"], 0) for record in records]
            cuts = [nodes for nodes, (is_cut, _) in zip(cuts, values) if is_cut]
            deep = [nodes for nodes in cuts if nodes]

            def joined(values, deep):
                whole = sum(nodes for is_cut, nodes in values if not is_cut)
                return (whole + sum(is_cut for is_cut, _ in values) * mean(deep)) / len(values)

            middle = joined(values, deep)
            low, high = interval(
                [joined(drawn(rng, values), drawn(rng, deep)) for _ in range(10_000)]
            )
            print(
                f"{name}: with {len(deep)} of the {len(cuts)} searched again, at least"
                f" {middle:.3g} ({low:.3g} to {high:.3g})"
            )
        if 0 < cut < len(nodes) - 2 and len(nodes) >= 20:
            values = list(zip(nodes, (record["status"] in CUT for record in records)))
            estimate, deviation = lognormal(values)
            low, high = interval([lognormal(drawn(rng, values))[0] for _ in range(1000)])
            print(
                f"{name}: if the nodes are log-normal, a mean of {estimate:.3g} ({low:.3g} to"
                f" {high:.3g}), with a deviation of the logarithm of {deviation:.2f}"
            )
        kind = name.rstrip("0123456789")
        if cut < 2 and len(nodes) > 4:
            ladders.setdefault(kind, {})[records[0]["empties"]] = nodes
    for kind, samples in ladders.items():
        if len(samples) < 2:
            continue
        rise, at_36 = ladder(samples)
        again = [
            ladder({at: drawn(rng, nodes) for at, nodes in samples.items()}) for _ in range(10_000)
        ]
        low, high = interval([rise for rise, _ in again])
        print(f"{kind}: ln of the mean grows by {rise:.3f} an empty ({low:.3f} to {high:.3f})")
        low, high = interval([nodes for _, nodes in again])
        print(f"{kind}: at 36 empties {at_36:.3g} nodes ({low:.3g} to {high:.3g})")


def costs(yose, paths):
    """The predicted nodes are those of `yose estimate`: one position in each run."""
    for record in read(paths):
        if record["window"] != "-" or record["status"] not in ("exact", "limit"):
            continue
        command = [yose, "estimate", "--trial", "1ms", "-p", record["position"]]
        text = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
        (row,) = [line.split() for line in text.splitlines() if line.split()[:1] == ["all"]]
        print(f"{record['empties']},{row[2].replace(',', '')},{record['nodes']}")


def ranks(values):
    order = sorted(range(len(values)), key=lambda index: values[index])
    return [rank for _, rank in sorted(zip(order, range(len(values))))]


def correlation(one, other):
    one, other = [[value - mean(values) for value in values] for values in (one, other)]
    square = lambda values: sum(value * value for value in values)
    return sum(x * y for x, y in zip(one, other)) / (square(one) * square(other)) ** 0.5


def predicted(path):
    """By empties: the rank correlation, and ln(measured / predicted): its mean and deviation."""
    rows = [list(map(float, line.split(","))) for line in open(path).read().splitlines()[1:]]
    print("empties, positions: rank correlation, mean of the logarithm, deviation")
    groups = [("all", rows), ("24 and more", [row for row in rows if row[0] >= 24])]
    for empties in sorted({row[0] for row in rows}):
        groups.append((f"{empties:.0f}", [row for row in rows if row[0] == empties]))
    for name, group in groups:
        if len(group) < 10:
            print(f"{name}, {len(group)}: too few")
            continue
        logs = [math.log(nodes / guess) for _, guess, nodes in group]
        middle = mean(logs)
        deviation = mean([(log - middle) ** 2 for log in logs]) ** 0.5
        rank = correlation(*(ranks([row[column] for row in group]) for column in (1, 2)))
        print(f"{name}, {len(group)}: {rank:.2f}, {middle:+.2f}, {deviation:.2f}")


def main():
    match sys.argv[1:]:
        case ["sample", folder, target]:
            sample(folder, target)
        case ["measure", yose, classes, results]:
            measure(yose, classes, results)
        case ["costs", yose, *paths] if paths:
            costs(yose, paths)
        case ["predicted", path]:
            predicted(path)
        case ["censored", *paths] if paths:
            censored(paths)
        case ["summary", *paths] if paths:
            summary(paths)
        case _:
            sys.exit(__doc__.strip())


if __name__ == "__main__":
    main()
