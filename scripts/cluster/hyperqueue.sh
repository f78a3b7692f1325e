#!/usr/bin/env bash
# Solves a plan with HyperQueue (https://github.com/It4innovations/hyperqueue), 0.27 or later, by its
# Python package (`pip install hyperqueue`).
#
#   scripts/cluster/hyperqueue.sh PLAN [--server DIR | --workers N --cpus N] [--rounds N] [-- OPTIONS]
#
# PLAN is the folder that `yose plan` made. --server names the folder of a running HyperQueue server
# (`hq server start`, workers by `hq worker start` or `hq alloc`). Without it, a server and --workers
# (2) workers with --cpus (1) cores each are started on this machine, and ended afterwards. The
# OPTIONS go to `yose task`. PYTHON names the interpreter.
#
# Tasks with a single expensive position have the highest priority and all --cpus of a worker, the
# others have one core each. A task whose worker is lost is started again by HyperQueue. One that
# ended without its marker is submitted again in the next round, up to --rounds (5) times.
set -euo pipefail

usage() {
    sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}" >&2
    exit 2
}

(($# > 0)) && [[ $1 != -* ]] || usage
plan=$(cd "$1" && pwd)
shift
server='' workers=2 cpus=1 rounds=5
while (($# > 0)); do
    case $1 in
    --server) server=$2 ;;
    --workers) workers=$2 ;;
    --cpus) cpus=$2 ;;
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

"${PYTHON:-python3}" - "$yose" "$plan" "$server" "$workers" "$cpus" "$rounds" "$@" <<'PYTHON'
import json
import pathlib
import sys

from hyperqueue import Client, Job, LocalCluster
from hyperqueue.cluster import WorkerConfig
from hyperqueue.ffi.protocol import ResourceRequest

yose, plan, server, workers, cpus, rounds, *options = sys.argv[1:]
plan, workers, cpus, rounds = pathlib.Path(plan), int(workers), int(cpus), int(rounds)
alone = json.loads((plan / "plan.json").read_text())["alone"]
tasks = sorted(plan.glob("tasks/*/*.csv"))


def left():
    return [task for task in tasks if not task.with_suffix(".done").exists()]


def solve(client):
    for _ in range(rounds):
        if not left():
            return
        # One failure must not end the others.
        job = Job(max_fails=None, name=f"yose {plan.name}")
        for task in left():
            number = int(task.stem)
            cores = cpus if number <= alone else 1
            job.program(
                [yose, "task", str(task), "--progress", "none", "--threads", str(cores), *options],
                stdout=None,
                stderr=str(task.with_suffix(".log")),
                # The first tasks are the most expensive. (32 bits.)
                priority=max(1_000_000 - number, 0),
                resources=ResourceRequest(cpus=cores),
                crash_limit=100,
            )
        submitted = client.submit(job)
        client.wait_for_jobs([submitted], raise_on_error=False)


if server:
    solve(Client(server))
else:
    with LocalCluster() as cluster:
        for _ in range(workers):
            cluster.start_worker(WorkerConfig(cores=cpus))
        solve(cluster.client())
if left():
    sys.exit(f"{len(left())} tasks are not finished after {rounds} rounds")
PYTHON
"$yose" merge "$plan" --status
