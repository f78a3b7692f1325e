#!/usr/bin/env bash
# Compares the speed of two revisions of Yose on a list of positions.
#
#     scripts/compare.sh A B [LIST [OPTIONS of yose solve]]
#
# A and B are revisions (branches, tags, commits), or `.` for the working tree as it is. Each is
# built in a worktree of its own, which is removed at the end. Both solve LIST
# (positions/ffo-20-39.obf by default) in turn, A B A B ..., on one core. The report has the nodes,
# the CPU seconds and the nodes per second of every run, the medians, and the time of B for each
# second of A.
#
# Seconds are user time, so other processes that run in between do not count. What those do to the
# caches does count: compare the least values as well as the medians. A list should take some
# seconds or more.
#
# Environment:
#
# - ROUNDS: the number of runs of each (5).
# - CORE: the core (the last one).
# - FOLDER: where programs are built (a new folder, removed at the end). With a folder that stays, a
#   second call with the same revisions builds nothing.
# - RUSTFLAGS: chooses the tier, as for any build.
#
# This makes a new list, in a format that all revisions read:
#
#     yose train positions --empties 18-20 --count 60 --seed 77 -o list.pos
set -euo pipefail
shopt -s inherit_errexit

if [[ $# -lt 2 ]]; then
    echo "usage: scripts/compare.sh A B [LIST [OPTIONS of yose solve]]" >&2
    exit 2
fi
root=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
revisions=("$1" "$2")
list=$(realpath "${3:-$root/positions/ffo-20-39.obf}")
options=(--hash 1GiB "${@:4}")
rounds=${ROUNDS:-5}
core=${CORE:-$(($(nproc) - 1))}

scratch=$(mktemp -d)
folder=${FOLDER:-$scratch}
mkdir -p "$folder"
folder=$(realpath "$folder")
clean_up() {
    git -C "$root" worktree remove --force "$scratch/tree" 2>/dev/null || true
    rm -rf "$scratch"
}
trap clean_up EXIT

# build DIR: builds the source in DIR.
build() {
    (cd "$1" && CARGO_TARGET_DIR=$folder/target cargo build --quiet --release --bin yose) >&2
}

# binary_of REVISION: prints the path of its program, and builds it where it is missing.
binary_of() {
    if [[ $1 == . ]]; then
        build "$root"
        cp "$folder/target/release/yose" "$folder/yose-here"
        echo "$folder/yose-here"
        return
    fi
    local commit
    commit=$(git -C "$root" rev-parse --verify --short=12 "$1^{commit}")
    if [[ ! -x $folder/yose-$commit ]]; then
        git -C "$root" worktree add --quiet --detach "$scratch/tree" "$commit"
        build "$scratch/tree"
        cp "$folder/target/release/yose" "$folder/yose-$commit"
        git -C "$root" worktree remove --force "$scratch/tree"
    fi
    echo "$folder/yose-$commit"
}

a=$(binary_of "$1")
b=$(binary_of "$2")
binaries=("$a" "$b")

TIMEFORMAT=%U
for ((round = 1; round <= rounds; round++)); do
    for side in 0 1; do
        { time taskset -c "$core" "${binaries[side]}" solve "$list" "${options[@]}" --format csv \
            --progress none -o "$scratch/records" --force 2>"$scratch/errors"; } \
            2>"$scratch/seconds" || {
            cat "$scratch/errors" >&2
            exit 1
        }
        # The columns are found by their names; no field before `nodes` holds a comma.
        nodes=$(awk -F, '
            NR == 1 { for (i = 1; i <= NF; i++) if ($i == "nodes") column = i; next }
            { sum += $column }
            END { print sum }' "$scratch/records")
        echo "$side $round $nodes $(tail -1 "$scratch/seconds")"
    done
done | awk -v a="${revisions[0]}" -v b="${revisions[1]}" '
    function median(values, n,    i, j, swap) {
        for (i = 2; i <= n; i++)
            for (j = i; j > 1 && values[j - 1] > values[j]; j--) {
                swap = values[j]; values[j] = values[j - 1]; values[j - 1] = swap
            }
        return n % 2 ? values[(n + 1) / 2] : (values[n / 2] + values[n / 2 + 1]) / 2
    }
    function line(name, nodes, seconds) {
        printf "%-24s %14d %9.2f %8.1f\n", name, nodes, seconds, nodes / seconds / 1e6
    }
    BEGIN { printf "%-24s %14s %9s %8s\n", "", "nodes", "seconds", "M/s" }
    {
        n[$1]++
        if ($1 == 0) first[n[0]] = $4; else second[n[1]] = $4
        nodes[$1] = $3
        line(($1 == 0 ? a : b) ", run " $2, $3, $4)
        fflush()
    }
    END {
        if (!n[1]) exit 1
        sa = median(first, n[0]); sb = median(second, n[1])
        print ""
        line(a ", median", nodes[0], sa); line(b ", median", nodes[1], sb)
        line(a ", least", nodes[0], first[1]); line(b ", least", nodes[1], second[1])
        printf "\n%s for each 1 of %s: %.3f of the nodes, ", b, a, nodes[1] / nodes[0]
        printf "%.3f of the seconds (medians), %.3f (least)\n", sb / sa, second[1] / first[1]
    }'
