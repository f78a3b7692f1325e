#!/usr/bin/env bash
# Solves a plan with GNU parallel (https://www.gnu.org/software/parallel/), on this machine or by ssh.
#
#   scripts/cluster/parallel.sh PLAN [--jobs N] [--sshlogin LIST] [--rounds N] [-- OPTIONS]
#
# PLAN is the folder that `yose plan` made. --jobs is the number of tasks at once on each machine (by
# default its number of cores), --sshlogin that of GNU parallel (by default this machine). The
# OPTIONS go to `yose task`. All machines need PLAN under the same path.
#
# Tasks with a single expensive position come first, one on each machine, with all of its cores. All
# others have one core each. A task that ended without its marker, for whatever reason, is started
# again in the next round, up to --rounds (5) times. The log of all starts is PLAN/parallel.log.
set -euo pipefail

usage() {
    sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}" >&2
    exit 2
}

(($# > 0)) && [[ $1 != -* ]] || usage
plan=$(cd "$1" && pwd)
shift
jobs=100% logins=() rounds=5
while (($# > 0)); do
    case $1 in
    --jobs) jobs=$2 ;;
    --sshlogin) logins+=(--sshlogin "$2") ;;
    --rounds) rounds=$2 ;;
    --)
        shift
        break
        ;;
    *) usage ;;
    esac
    shift 2
done
yose=$(command -v "${YOSE:-yose}") || { echo "there is no yose; YOSE names it" >&2 && exit 2; }
yose=$(realpath "$yose")
alone=$(sed -n 's/^ *"alone": \([0-9]*\),$/\1/p' "$plan/plan.json")

# left FIRST COUNT: the tasks of this range, of a sorted list, that have no marker.
left() {
    find "$plan/tasks" -name '*.csv' | sort | tail -n "+$1" | head -n "$2" |
        while read -r task; do [[ -e ${task%.csv}.done ]] || echo "$task"; done
}

# run FIRST COUNT JOBS ARGUMENTS...: solves the tasks of a range.
run() {
    local first=$1 count=$2 jobs=$3 round
    shift 3
    for ((round = 1; round <= rounds; round++)); do
        [[ -n $(left "$first" "$count") ]] || return 0
        # A log of its own for each round: GNU parallel would not start a task again that is in it.
        left "$first" "$count" |
            parallel --will-cite --retries 3 --jobs "$jobs" "${logins[@]}" --termseq TERM,2000,KILL,100 \
                --joblog "$plan/parallel.log.new" "$yose" task {} --progress none "$@" || true
        cat "$plan/parallel.log.new" >>"$plan/parallel.log"
        rm "$plan/parallel.log.new"
    done
    [[ -z $(left "$first" "$count") ]] || {
        echo "$(left "$first" "$count" | wc -l) tasks are not finished after $rounds rounds;" \
            "$plan/parallel.log has each start" >&2
        exit 1
    }
}

((alone == 0)) || run 1 "$alone" 1 "$@"
run $((alone + 1)) 999999999 "$jobs" --threads 1 "$@"
"$yose" merge "$plan" --status
