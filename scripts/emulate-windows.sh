#!/usr/bin/env bash
# Runs the program for Windows in wine: scores, invalid lines, names of files, an interruption and
# its continuation, and the fingerprint.
#
#     cargo build --release --target x86_64-pc-windows-gnu && scripts/emulate-windows.sh [YOSE.EXE]
#
# For Linux on x86-64, with Rust's library for the target (`rustup target add
# x86_64-pc-windows-gnu`) and the Debian packages mingw-w64 and wine64. WINE names another
# executable of wine. It takes a minute. Exit status 0 if everything is as it must be.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
program=$(realpath "${1:-target/x86_64-pc-windows-gnu/release/yose.exe}")
positions=$PWD/positions
wine=${WINE:-$(command -v wine || command -v wine64 || echo /usr/lib/wine/wine64)}
folder=$(mktemp -d)
# The processes of wine end a moment after the program.
clean_up() {
    "$wine" wineboot -k >/dev/null 2>&1 || true
    for _ in 1 2 3 4 5; do
        ! rm -rf "$folder" 2>/dev/null || return 0
        sleep 1
    done
}
trap clean_up EXIT
export WINEPREFIX=$folder/prefix WINEDEBUG=-all YOSE_HASH=16MiB
unset YOSE_TIER
"$wine" wineboot -i >/dev/null 2>&1
cp "$program" "$folder/yose.exe"
program=$folder/yose.exe
# Rust's library takes random numbers from a library that wine has since version 9.
if [[ ! -e $WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll ]]; then
    cat >"$folder/random.c" <<'END'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T count)
{
    return SystemFunction036(bytes, (ULONG)count);
}
END
    x86_64-w64-mingw32-gcc -shared -O1 -o "$folder/bcryptprimitives.dll" "$folder/random.c" \
        -ladvapi32
fi
mkdir "$folder/a folder"
cd "$folder"
failed=0

# yose ARGUMENTS...: the program for Windows.
yose() {
    "$wine" "$program" "$@"
}

# check WHAT EXPECTED FOUND
check() {
    if [[ $2 == "$3" ]]; then
        echo "ok      $1"
    else
        printf 'FAILED  %s\n  expected: %s\n  found:    %s\n' "$1" "$2" "$3"
        failed=1
    fi
}

# status COMMAND...: its exit status.
status() {
    local status=0
    "$@" >out 2>err || status=$?
    echo $status
}

# scores FILE: the identifiers, positions and scores of a CSV file.
scores() {
    cut -d, -f1,2,5 "$1"
}

check version "yose $(sed -n 's/^version = "\(.*\)"/\1/p' "$OLDPWD/Cargo.toml" | head -1)" \
    "$(yose --version | head -1)"

grep -v '^%' "$positions/ffo-20-39.obf" | head -11 >ffo.obf
check 'FFO 20-30: status' 0 "$(status yose verify ffo.obf --progress none)"
check 'FFO 20-30: claims that are not confirmed' '' \
    "$(grep '^ffo' out | grep -v ',confirmed,' || true)"

sed 's/$/\r/' ffo.obf >crlf.obf
check 'FFO 20-30: status of solve' 0 "$(status yose solve ffo.obf --format csv --progress none)"
cp out plain.csv
check 'lines that end in CR LF: status' 0 \
    "$(status yose solve crlf.obf --format csv --progress none)"
check 'lines that end in CR LF' "$(cut -d, -f2,5 plain.csv)" "$(cut -d, -f2,5 out)"
check 'lines of the output' 0 "$(grep -c $'\r' plain.csv || true)"
check 'standard input: status' 0 "$(status yose solve - --format csv --progress none <ffo.obf)"
check 'standard input' "$(cut -d, -f2,5 plain.csv)" "$(cut -d, -f2,5 out)"

{ head -1 ffo.obf && echo 'XO?'; } >bad.obf
check 'a bad line: status' 3 "$(status yose solve bad.obf)"
check 'a bad line: message' 1 "$(grep -c '^bad.obf:2:3: ' err || true)"
check 'a file that is missing' 2 "$(status yose solve none.obf)"

cp ffo.obf 'a folder/list 1.obf'
check 'a path with backslashes and spaces' 0 \
    "$(status yose solve 'a folder\list 1.obf' -o 'a folder\scores 1.csv')"
check 'its output' "$(cut -d, -f2,5 plain.csv)" "$(cut -d, -f2,5 'a folder/scores 1.csv')"
check 'the output exists' 2 "$(status yose solve ffo.obf -o 'a folder\scores 1.csv')"
check 'a table' 0 "$(status yose solve ffo.obf -o 'a folder\table.txt' --format table)"
check 'a table is replaced' 0 \
    "$(status yose solve ffo.obf -o 'a folder\table.txt' --format table --force)"
check 'a CSV file is replaced' 0 "$(status yose solve ffo.obf -o 'a folder\scores 1.csv' --force)"
check 'files in the folder' 'list 1.obf scores 1.csv table.txt ' "$(ls -A 'a folder' | tr '\n' ' ')"

# A list that takes some seconds, and its results without an interruption.
for _ in $(seq 12); do cat ffo.obf; done >long.obf
yose solve long.obf -o whole.csv --deterministic --hash 1MiB --progress none

# interrupted NAME HOW: the status of a run that HOW ends, called with its process id, as soon as
# some of its results are there.
interrupted() {
    local process status=0
    "$wine" "$program" solve long.obf -o "$1" --deterministic --hash 1MiB --progress none \
        2>err >out </dev/null &
    process=$!
    until [[ -e $1 && $(wc -l <"$1") -gt 12 ]]; do
        kill -0 $process 2>/dev/null || break
        sleep 0.02
    done
    "$2" $process
    wait $process 2>/dev/null || status=$?
    echo $status
}

# continued NAME: solves the rest, and compares.
continued() {
    local solved
    solved=$(grep -c ,exact, "$1")
    check "$1: it ended early" true \
        "$( ((solved < $(grep -c ,exact, whole.csv))) && echo true || echo "$solved solved")"
    check "$1: status of --resume" 0 "$(status yose solve long.obf -o "$1" --deterministic \
        --hash 1MiB --progress none --resume)"
    check "$1: results" "$(scores whole.csv | sha256sum)" "$(scores "$1" | sha256sum)"
}

kill_at_once() { kill -KILL "$1"; }
press_ctrl_c() { kill -INT "$1"; }

interrupted killed.csv kill_at_once >killed
# The processes of wine end a moment later, and with them the lock on the file.
sleep 2
continued killed.csv
check 'Ctrl-C: status' 130 "$(interrupted stopped.csv press_ctrl_c)"
check 'Ctrl-C: message' 1 "$(grep -c '^yose: interrupted: ' err || true)"
continued stopped.csv

check 'fingerprint: status' 0 "$(status yose fingerprint --check "$positions/fingerprint.txt")"
check fingerprint 'the same as in positions/fingerprint.txt' \
    "$(tail -1 out | sed 's/ as in .*positions/ as in positions/')"
exit $failed
