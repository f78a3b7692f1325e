#!/usr/bin/env bash
# Solves a plan with Slurm (https://slurm.schedmd.com/), as arrays of jobs.
#
#   scripts/cluster/slurm.sh PLAN [--limit N] [--rounds N] [-- SBATCH OPTIONS]
#
# PLAN is the folder that `yose plan` made, on a file system that all nodes share. --limit is the
# number of jobs at once (by default no limit). The SBATCH OPTIONS go to every job, such as
# `--partition=short --time=2:00:00 --mem-per-cpu=2G`.
#
# A task is a job with one core; one with a single expensive position is a job with a whole node. At
# the end of its time a job gets SIGTERM a minute before, ends within a second with the status 75 and
# is queued again; so is a job whose node fails. Tasks without a marker after that are submitted
# again, up to --rounds (5) times. The script waits for all jobs; their messages are in PLAN/slurm.
set -euo pipefail

usage() {
    sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}" >&2
    exit 2
}

(($# > 0)) && [[ $1 != -* ]] || usage
plan=$(cd "$1" && pwd)
shift
limit='' rounds=5
while (($# > 0)); do
    case $1 in
    --limit) limit="%$2" ;;
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
largest=$(scontrol show config | sed -n 's/^MaxArraySize *= *//p')
mkdir -p "$plan/slurm"

# left: the numbers of the tasks without a marker.
left() {
    find "$plan/tasks" -name '*.csv' | sort | while read -r task; do
        [[ -e ${task%.csv}.done ]] || basename "$task" .csv
    done | sed 's/^0*//'
}

# The job: the line of the list that its number names is a task. SIGTERM goes to this shell first.
# shellcheck disable=SC2016
job='#!/usr/bin/env bash
number=$(sed -n "$((SLURM_ARRAY_TASK_ID + 1))p" "$YOSE_LIST")
"$YOSE" task "$YOSE_PLAN" --number "$number" --progress none \
    --threads "$SLURM_CPUS_ON_NODE" &
trap "kill -TERM $! 2>/dev/null" TERM
while wait $!; status=$?; kill -0 $! 2>/dev/null; do :; done
if ((status == 75)); then
    scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"
    sleep 60
fi
exit $status'

# submit NAME SBATCH_ARGUMENTS...: an array over the numbers on standard input; waits for its end.
submit() {
    local name=$1 list pids=() part
    shift
    rm -f "$plan/slurm/$name".list.*
    split -l "$((largest - 1))" - "$plan/slurm/$name.list."
    for list in "$plan/slurm/$name".list.*; do
        [[ -s $list ]] || continue
        part=$(wc -l <"$list")
        sbatch --wait --quiet --job-name="yose-$name" --array="0-$((part - 1))$limit" --requeue \
            --open-mode=append --signal=B:TERM@60 --output="$plan/slurm/%A_%a.log" \
            --export="ALL,YOSE=$yose,YOSE_PLAN=$plan,YOSE_LIST=$list" "$@" <<<"$job" &
        pids+=($!)
    done
    # The status of a job is not that of its task: the markers decide.
    for pid in ${pids[@]+"${pids[@]}"}; do wait "$pid" || true; done
}

for ((round = 1; round <= rounds; round++)); do
    [[ -n $(left) ]] || break
    left | awk -v alone="$alone" '$1 <= alone' | submit "alone-$round" --exclusive "$@" &
    left | awk -v alone="$alone" '$1 > alone' | submit "cores-$round" --cpus-per-task=1 "$@" &
    wait
done
[[ -z $(left) ]] || {
    echo "$(left | wc -l) tasks are not finished after $rounds rounds" >&2
    exit 1
}
"$yose" merge "$plan" --status
