#!/usr/bin/env bash
# Runs the executable with all tiers on emulated CPUs, from Core 2 on: which tier the launcher runs,
# what it answers to `--tier`, and whether each build searches the nodes of the fingerprint.
#
#     scripts/build-all-tiers.sh DIR && scripts/emulate-tiers.sh DIR
#
# For Linux on x86-64, with qemu-x86_64 (Debian: qemu-user). QEMU names another executable: version
# 10 knows all CPUs of the list. Debian 13 has it, as a static program that also runs on older
# systems. It takes five minutes on one core. Exit status 0 if everything is as it must be.
#
# QEMU emulates no AVX-512 and hides it, so the last CPUs appear as CPUs of tier x86-64-v3. The
# choice for them is tested with their CPUID words in src/tier/cpu.rs, the tier itself by
# scripts/emulate-v4.sh. The launcher is emulated until it executes a build, which then runs on this
# machine; so the builds are emulated by themselves too.
set -euo pipefail
dir=$(realpath "${1:-target/all-tiers}")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
qemu=${QEMU:-qemu-x86_64}
known=$("$qemu" -cpu help || true)
failed=0
unset YOSE_TIER

# CPU and the tier that the launcher must run there.
cpus='core2duo portable
Penryn portable
Nehalem portable
Westmere portable
SandyBridge portable
IvyBridge portable
Opteron_G5 portable
Haswell x86-64-v3
Broadwell x86-64-v3
Skylake-Client x86-64-v3
EPYC x86-64-v3
EPYC-Rome x86-64-v3
EPYC-Milan x86-64-v3
Skylake-Server x86-64-v3
Cascadelake-Server x86-64-v3
Icelake-Server x86-64-v3
SapphireRapids x86-64-v3
EPYC-Genoa x86-64-v3'

# emulate CPU PROGRAM ARGUMENTS...: its output without QEMU's remarks on features it does not have.
emulate() {
    local cpu=$1
    shift
    "$qemu" -cpu "$cpu" "$@" 2>&1 | grep -v "TCG doesn't support requested feature" || true
}

# answer TEXT: what became of a run: the nodes are right, the build refuses the CPU, or neither.
answer() {
    case $1 in
    *'the same as in positions/fingerprint.txt') echo 'same nodes' ;;
    *'this binary was built for a CPU with'*) echo 'refused' ;;
    *'which this CPU cannot run'*) echo 'refused' ;;
    *'ncaught target signal 4'*) echo 'illegal instruction' ;;
    *) echo "FAILED: ${1: -200}" ;;
    esac
}

echo '| CPU | launcher runs | launcher, --tier x86-64-v4 | portable | x86-64-v3 | x86-64-v4 |'
echo '|---|---|---|---|---|---|'
while read -r cpu expected; do
    if ! grep -qw -- "$cpu" <<<"$known"; then
        echo "| $cpu | not known to this emulator | | | | |"
        continue
    fi
    tier=$(emulate "$cpu" "$dir/yose" --version | sed -n 's/^build tier: //p')
    refused=$(answer "$(emulate "$cpu" "$dir/yose" --tier x86-64-v4 --version)")
    line="| $cpu | $tier | $refused |"
    [[ $tier == "$expected" && $refused == refused ]] || failed=1
    for build in portable x86-64-v3 x86-64-v4; do
        answer=$(answer "$(emulate "$cpu" "$dir/yose-$build" \
            fingerprint -t 1 --check positions/fingerprint.txt)")
        line+=" $answer |"
        # Without AVX, the start-up code of the standard library may be the first to use it.
        case $expected,$build,$answer in
        *,portable,'same nodes' | x86-64-v3,x86-64-v3,'same nodes') ;;
        x86-64-v3,x86-64-v4,refused | portable,x86-64-v?,refused) ;;
        portable,x86-64-v?,'illegal instruction') ;;
        *) failed=1 ;;
        esac
    done
    echo "$line"
done <<<"$cpus"
exit $failed
