#!/usr/bin/env bash
# Makes the weights of the evaluation without any data, and fits the parameters of the search
# (src/search/parameters.rs) to them:
#
#     scripts/train.sh DIR
#
# DIR/weights.bin has both. As src/eval/weights.bin it is embedded in the program. DIR/record.txt
# has the commands and what they printed. After an interruption the same command continues. All
# seeds are fixed: the same program makes the same weights on every machine, with any number of
# cores. About 70 minutes on two cores.
#
#     SCALE=0.01 scripts/train.sh DIR         a hundredth of the positions, a minute: a test
#     YOSE=path/to/yose scripts/train.sh DIR  with a program that is already built
set -euo pipefail

if [[ $# != 1 ]]; then
    echo "usage: scripts/train.sh DIR" >&2
    exit 2
fi
mkdir -p "$1"
dir=$(cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# ---- The number of positions of each file.
SCALE=${SCALE:-1}
FIRST=200000  # 8-13 empties, exact scores, from games with weights that are all 0
BAND=150000   # each band above, searches of BAND_DEPTH plies with the weights of the bands below
END=1200000   # 8-13 empties again, exact scores, from games with these weights
MIDDLE=160000 # 17-24 empties again, searches of DEPTH plies
ROOTS=1500    # positions of 18-21 empties whose search trees are sampled
TREE=300000   # 11-20 empties from those trees, exact up to TREE_EXACT empties, DEPTH plies above
JUDGE_ROOTS=60 # positions of 21-22 empties
JUDGES=4400   # 10-20 empties from their trees, exact scores: the test set, never fitted to
TUNED=160      # positions of 20-22 empties for the fit of the parameters
ITERATIONS=240 # of that fit, with TUNED_BATCH positions each
TUNED_BATCH=40
BAND_DEPTH=6
DEPTH=8
TREE_EXACT=15

# ---- The stages, by empties.
STAGES=(10 14 18 22 26 30 36 44)

if [[ -z ${YOSE:-} ]]; then
    cargo build --release
    YOSE=${CARGO_TARGET_DIR:-target}/release/yose
fi
YOSE=$(realpath "$YOSE")
cd "$dir"

# count SIZE [LEAST]: SIZE times SCALE, at least LEAST.
count() {
    awk -v n="$1" -v s="$SCALE" -v least="${2:-300}" \
        'BEGIN { n = int(n * s); print n < least ? least : n }'
}

# stages COUNT: the first COUNT stages, separated by commas.
stages() { local IFS=,; echo "${STAGES[*]:0:$1}"; }

# step OUTPUT COMMAND ARGUMENTS...: makes OUTPUT with `yose train COMMAND`, unless it exists, and
# records what was printed.
step() {
    local output=$1 begun=$SECONDS
    shift
    [[ ! -e $output ]] || return 0
    echo "\$ yose train $* -o $output" | tee -a record.txt
    "$YOSE" train "$@" -o "$output" | tee -a record.txt
    echo "($((SECONDS - begun)) s)" >>record.txt
}

# positions NAME EMPTIES COUNT SEED WEIGHTS [ARGUMENTS...]: makes NAME.pos from games.
positions() {
    step "$1.pos" positions --empties "$2" --count "$3" --seed "$4" --weights "$5" "${@:6}"
}

# ---- The first round, from the end of the game upward.
if [[ ! -e record.txt ]]; then
    {
        "$YOSE" --version
        echo "scripts/train.sh with SCALE=$SCALE, begun $(date -u '+%F %T') UTC"
    } >record.txt
fi

positions first 8-13 "$(count $FIRST)" 1 zero
step first.lab label first.pos --exact-to 13 --weights zero
labels=(first.lab)
step first.bin fit "${labels[@]}" --stages "$(stages 2)"
weights=first.bin

seed=2
# The empties of each band, and the number of stages that have data when it is labelled.
for band in 14-19:3 20-25:5 26-31:7 32-40:8 41-56:8; do
    with_data=${band#*:} band=${band%:*}
    positions "band-$band" "$band" "$(count $BAND)" $seed $weights
    step "band-$band.lab" label "band-$band.pos" --exact-to 0 --depth $BAND_DEPTH --weights $weights
    labels+=("band-$band.lab")
    step "band-$band.bin" fit "${labels[@]}" --stages "$(stages "$with_data")"
    weights=band-$band.bin
    seed=$((seed + 1))
done

# ---- The second round: better games, better labels, and positions from search trees.
positions judge-roots 21-22 "$(count $JUDGE_ROOTS 6)" 20 $weights
step judges.pos sample judge-roots.pos --empties 10-20 --count "$(count $JUDGES 110)" --one-in 2 \
    --weights $weights
step judges.lab label judges.pos --exact-to 20 --weights $weights

positions end 8-13 "$(count $END)" 10 $weights --exclude judges.pos
step end.lab label end.pos --exact-to 13 --weights $weights
positions middle 17-24 "$(count $MIDDLE)" 11 $weights --exclude judges.pos
step middle.lab label middle.pos --exact-to 0 --depth $DEPTH --weights $weights
step second.bin fit end.lab middle.lab "${labels[@]:3}" --stages "$(stages ${#STAGES[@]})"

positions roots 18-21 "$(count $ROOTS 40)" 12 second.bin --exclude judge-roots.pos
step tree.pos sample roots.pos --empties 11-20 --count "$(count $TREE)" --one-in 2 \
    --weights second.bin --exclude judges.pos
step tree.lab label tree.pos --exact-to $TREE_EXACT --depth $DEPTH --weights second.bin
step third.bin fit end.lab middle.lab tree.lab "${labels[@]:3}" --stages "$(stages ${#STAGES[@]})"

step fourth.bin deviation judges.lab --weights third.bin

# ---- The parameters of the search. No suite by which the search is judged is used here.
positions tune 20-22 "$(count $TUNED 4)" 30 fourth.bin --exclude judge-roots.pos
step weights.bin tune tune.pos --log tune.jsonl --iterations "$(count $ITERATIONS 2)" \
    --batch "$(count $TUNED_BATCH 2)" --weights fourth.bin

# ---- The result.
if ! grep -q '^finished' record.txt; then
    {
        echo "\$ yose train check judges.lab --weights weights.bin"
        "$YOSE" train check judges.lab --weights weights.bin
        echo "\$ yose train show weights.bin"
        "$YOSE" train show weights.bin
        echo "finished $(date -u '+%F %T') UTC"
    } | tee -a record.txt
fi
