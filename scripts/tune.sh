#!/usr/bin/env bash
# Fits the scalars of the search (src/search/tuning.rs) to node counts:
#
#     scripts/tune.sh DIR [OPTIONS of yose train tune]
#
# DIR/tune.pos is the list, 300 positions of 16-20 empties from games of Yose against itself; DIR/tune.jsonl is the log and the state:
# interrupted, the same command goes on where it stood. The result is printed, and to be kept is written into SCALES by hand, with
# the new fingerprint. What it is worth is measured elsewhere, on FFO 40-59 and hard-20, which no scalar has seen.
#
#     scripts/tune.sh DIR --scalar square --scalar odd-quadrant --log DIR/two.jsonl    only these, with a log of their own
#     YOSE=path/to/yose scripts/tune.sh DIR                                            with a program that is built already
set -euo pipefail

if [[ $# -lt 1 ]]; then
    echo "usage: scripts/tune.sh DIR [OPTIONS of yose train tune]" >&2
    exit 2
fi
mkdir -p "$1"
dir=$(realpath "$1")
shift

if [[ -z ${YOSE:-} ]]; then
    root=$(dirname "${BASH_SOURCE[0]}")/..
    cargo build --release --manifest-path "$root/Cargo.toml"
    YOSE=${CARGO_TARGET_DIR:-$root/target}/release/yose
fi

log=(--log "$dir/tune.jsonl")
for option; do
    case $option in --log | --log=* | -l*) log=() ;; esac
done
"$YOSE" train positions --empties 16-20 --count 300 --seed 30 -o "$dir/tune.pos"
"$YOSE" train tune "$dir/tune.pos" ${log[@]+"${log[@]}"} "$@"
