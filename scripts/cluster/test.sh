#!/usr/bin/env bash
# Solves a plan with an engine on this machine, kills processes in the middle of their tasks, and
# compares the results with those of one run: record by record, all columns that are proven.
#
#   scripts/cluster/test.sh parallel|hyperqueue|slurm|all
#
# parallel    GNU parallel, two logins without ssh (Debian: `apt-get install parallel`)
# hyperqueue  a server and two workers (`pip install hyperqueue`; PYTHON names the interpreter)
# slurm       a controller and two nodes on this machine, one of which is lost (Debian:
#             `apt-get install slurm-wlm munge`; it needs root, and no other Slurm)
#
# `all` tests the engines that are installed, and names the others. YOSE names the program. The last
# test fills a disk, a small file system in memory, which needs root.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

made=$(mktemp -d)
cleanup=()
trap 'exit 1' INT TERM
# Daemons write their state when they end, so it may take some time until the folder can be removed.
clean_up() {
    local command
    for command in "${cleanup[@]}"; do eval "$command" || true; done
    for _ in {1..50}; do
        rm -rf "$made" 2>/dev/null && return
        sleep 0.2
    done
    echo "$made could not be removed" >&2
}
trap clean_up EXIT
export YOSE=${YOSE:-target/release/yose} PYTHON=${PYTHON:-python3}
YOSE=$(realpath "$YOSE")
# Some seconds of search, with positions that occur twice.
head -n 18 positions/ffo-20-39.obf >"$made/list.obf"
list=("$made/list.obf" positions/ffo-1-19.obf positions/games.txt positions/games.wtb
    --at-empties 10-18)
kills=6

# prove FILE: the columns that are proven.
prove() { cut -d, -f 1-7 "$1"; }

# A plan with some twenty tasks, and the results of one run.
"$YOSE" solve "${list[@]}" -o "$made/one.csv" --progress none
nodes=$("$YOSE" plan "${list[@]}" -o "$made/whole" --nodes-per-second 1e7 |
    sed -n 's/ nodes; 8 of 10.*//p' | tr -d ,)
minutes=$(awk -v nodes="$nodes" 'BEGIN { print nodes / 1e7 / 60 / 20 }')

new_plan() {
    "$YOSE" plan "${list[@]}" -o "$1" --nodes-per-second 1e7 --task-minutes "$minutes"
}

# killed_program PLAN: writes a program that is Yose, but every second run of a task is killed with -9
# soon after its start, until there were $kills. Processes that another one looks for and kills would
# have ended on a busy machine before it finds them.
killed_program() {
    mkdir "$1/runs"
    cat >"$1/yose" <<PROGRAM
#!/usr/bin/env bash
if [[ \$1 == task ]]; then
    run=1
    until mkdir "$1/runs/\$run" 2>/dev/null; do run=\$((run + 1)); done
    if ((run % 2 == 0 && run <= 2 * $kills)); then
        (sleep "0.0\$((run % 10))" && kill -9 \$\$ && echo \$\$ >>"$1/kills") 2>/dev/null &
    fi
fi
exec "$YOSE" "\$@"
PROGRAM
    chmod +x "$1/yose"
}

# expect_equal PLAN: merges, and compares with the one run.
expect_equal() {
    "$YOSE" merge "$1" -o "$1/merged.csv"
    if ! cmp <(prove "$made/one.csv") <(prove "$1/merged.csv"); then
        diff <(prove "$made/one.csv") <(prove "$1/merged.csv") | head
        return 1
    fi
    "$YOSE" verify "$1/merged.csv" -o "$1/verdicts.csv" --progress none
}

# report PLAN ENGINE SECONDS: what happened.
report() {
    local tasks killed seconds
    tasks=$(find "$1/tasks" -name '*.done' | wc -l)
    seconds=$(cat "$1"/tasks/*/*.done | sed 's/.*"seconds":\([0-9.e-]*\).*/\1/' |
        awk '{ sum += $1 } END { printf "%.1f", sum }')
    killed=$(wc -l <"$1/kills")
    ((killed * 2 >= kills)) || { echo "only $killed processes were killed" >&2 && return 1; }
    echo "$2: $tasks tasks, $killed processes killed, $3 s; the tasks searched $seconds s;" \
        "$(($(wc -l <"$1/merged.csv") - 1)) records: 0 differences, 0 lost, 0 doubled"
}

# test_engine ENGINE COMMAND...: runs the recipe with the plan's folder in place of `PLAN`.
test_engine() {
    local engine=$1 plan=$made/$1 start=$SECONDS
    shift
    new_plan "$plan"
    touch "$plan/kills"
    killed_program "$plan"
    YOSE=$plan/yose "${@//PLAN/$plan}"
    expect_equal "$plan"
    report "$plan" "$engine" $((SECONDS - start))
}

test_parallel() {
    # Two logins that run a shell here, in place of ssh. An ssh server sets SHELL, on which GNU
    # parallel relies there.
    cat >"$made/login" <<'LOGIN'
#!/usr/bin/env bash
# ssh HOST COMMAND, without ssh.
export SHELL=$BASH
while [[ $1 == -* ]]; do shift; done
shift
[[ $1 != -- ]] || shift
exec bash -c "$*"
LOGIN
    chmod +x "$made/login"
    test_engine parallel scripts/cluster/parallel.sh PLAN --jobs 1 \
        --sshlogin "1/$made/login one,1/$made/login two"
}

test_hyperqueue() {
    test_engine hyperqueue scripts/cluster/hyperqueue.sh PLAN --workers 2 --cpus 1
}

# lose_a_node: kills a node, with all that runs on it, and starts it again after Slurm has missed it.
lose_a_node() {
    sleep 2
    local daemon
    daemon=$(cat "$made/slurmd-two.pid")
    echo "node two is lost: slurmd $daemon"
    # Its steps are processes of their own.
    kill -9 "$daemon" $(pgrep -f "slurmstepd: \[.*" | while read -r step; do
        grep -q SLURMD_NODENAME=two <(tr '\0' '\n' <"/proc/$step/environ") && echo "$step"
    done) 2>/dev/null || true
    sleep 15
    slurmd -f "$made/slurm.conf" -N two
    # Slurm lets a job that was queued again wait for two minutes.
    local job
    for _ in {1..20}; do
        sleep 1
        for job in $(squeue --noheader --array --format=%i --states=PENDING); do
            scontrol update JobId="$job" StartTime=now || true
        done
    done
}

test_slurm() {
    [[ $(id -u) == 0 ]] || { echo "slurm needs root" >&2 && return 1; }
    local host
    host=$(hostname -s)
    mkdir -p "$made/state" "$made/spool-one" "$made/spool-two" "$made/munge" /run/munge
    dd if=/dev/urandom of="$made/munge/key" bs=1024 count=1 status=none
    chmod 600 "$made/munge/key"
    munged --force --key-file="$made/munge/key" --socket="$made/munge/socket" \
        --pid-file="$made/munge/pid" --log-file="$made/munge/log" --seed-file="$made/munge/seed"
    cleanup+=("kill \$(cat $made/munge/pid)")
    cat >"$made/slurm.conf" <<CONFIG
ClusterName=test
SlurmctldHost=$host
AuthType=auth/munge
AuthInfo=socket=$made/munge/socket
CryptoType=crypto/munge
SlurmUser=root
StateSaveLocation=$made/state
SlurmdSpoolDir=$made/spool-%n
SlurmctldPidFile=$made/slurmctld.pid
SlurmdPidFile=$made/slurmd-%n.pid
SlurmctldLogFile=$made/slurmctld.log
SlurmdLogFile=$made/slurmd-%n.log
SlurmctldPort=16817
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
ReturnToService=2
SlurmdTimeout=5
KillWait=3
MinJobAge=30
SchedulerParameters=batch_sched_delay=1,sched_min_interval=100000
RequeueExit=75
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
NodeName=one NodeHostname=$host Port=17001 CPUs=1
NodeName=two NodeHostname=$host Port=17002 CPUs=1
PartitionName=test Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONFIG
    export SLURM_CONF=$made/slurm.conf
    slurmctld -f "$made/slurm.conf"
    slurmd -f "$made/slurm.conf" -N one
    slurmd -f "$made/slurm.conf" -N two
    cleanup+=("kill \$(cat $made/slurmd-one.pid $made/slurmd-two.pid $made/slurmctld.pid)")
    for _ in {1..50}; do
        [[ $(sinfo -h -o %t | sort -u) == idle ]] && break
        sleep 0.2
    done
    sinfo
    lose_a_node &
    local loser=$!
    test_engine slurm scripts/cluster/slurm.sh PLAN -- --mem=0
    wait "$loser"
}

# A task on a full disk ends with the status 2, and the same command goes on when there is room.
test_full_disk() {
    mkdir "$made/disk"
    if [[ $(id -u) != 0 ]] || ! mount -t tmpfs -o size=2m tmpfs "$made/disk"; then
        echo "NOT TESTED: a full disk, which needs root and a file system in memory"
        return
    fi
    cleanup=("umount $made/disk" "${cleanup[@]}")
    new_plan "$made/disk/plan" >/dev/null
    local tasks task status=0
    tasks=("$made"/disk/plan/tasks/*/*.csv)
    dd if=/dev/zero of="$made/disk/filler" bs=1k count=9999 status=none 2>/dev/null || true
    "$YOSE" task "${tasks[-1]}" --progress none || status=$?
    ((status == 2)) || { echo "the status is $status" >&2 && return 1; }
    rm "$made/disk/filler"
    for task in "${tasks[@]}"; do "$YOSE" task "$task" --progress none; done
    expect_equal "$made/disk/plan"
    echo "full disk: a task ended with the status 2, and went on; 0 differences"
}

# installed ENGINE: whether it is there.
installed() {
    case $1 in
    parallel) command -v parallel >/dev/null ;;
    hyperqueue) "$PYTHON" -c 'import hyperqueue' 2>/dev/null ;;
    slurm) command -v slurmctld slurmd munged sbatch >/dev/null && [[ $(id -u) == 0 ]] ;;
    esac
}

case ${1:-} in
parallel | hyperqueue | slurm) "test_$1" ;;
all)
    for engine in parallel hyperqueue slurm; do
        if installed "$engine"; then "test_$engine"; else echo "NOT TESTED: $engine is not installed"; fi
    done
    test_full_disk
    ;;
full-disk) test_full_disk ;;
*)
    sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}" >&2
    exit 2
    ;;
esac
