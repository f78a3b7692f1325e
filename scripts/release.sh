#!/usr/bin/env bash
# Builds the archives of a release, for the systems that this machine has compilers for.
#
#     scripts/release.sh VERSION [DIR]
#
# DIR (target/release-VERSION by default) gets
#
#     yose-VERSION-x86_64-linux.tar.gz    static; all tiers in one executable
#     yose_VERSION-1_amd64.deb            the same, for Debian and Ubuntu
#     yose-VERSION-aarch64-linux.tar.gz   static
#     yose-VERSION-x86_64-windows.zip     one executable for each tier
#     yose-VERSION-SYSTEM-macos.tar.gz    on a Mac: for its own CPU
#     yose-VERSION.cdx.json               the bill of materials (CycloneDX), for all systems
#     SHA256SUMS
#
# Each archive has README, LICENSE, CHANGELOG, the licences of the libraries, the manual page and
# the completions for shells. The times in it are those of the last commit, but on macOS.
#
# It needs cargo-about and cargo-cyclonedx (`cargo install --locked --features cli cargo-about`,
# `cargo install --locked cargo-cyclonedx`), on Linux cargo-deb too. What cannot be built here is
# listed at the end, with the reason. On x86-64 Linux all of it takes 20 minutes of one core.
#
# - aarch64 Linux: Rust's library for the target (`rustup target add aarch64-unknown-linux-gnu`) and
#   the Debian packages gcc-aarch64-linux-gnu and libc6-dev-arm64-cross. RUSTC_AARCH64 names another
#   compiler, such as the one that scripts/emulate-aarch64.sh unpacks. With qemu-user the program is
#   run.
# - Windows: `rustup target add x86_64-pc-windows-gnu` and the packages mingw-w64 and zip. With
#   wine64 the programs are run, by scripts/emulate-windows.sh.
# - macOS: on a Mac with Xcode's command line tools (`xcode-select --install`), run this script. It
#   builds for the CPU of that Mac.
set -euo pipefail

if [[ $# -lt 1 || $# -gt 2 || $1 == -* ]]; then
    echo "usage: scripts/release.sh VERSION [DIR]" >&2
    exit 2
fi
version=$1
dir=${2:-target/release-$version}
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() {
    echo "scripts/release.sh: $1" >&2
    exit 1
}
grep -qx "version = \"$version\"" Cargo.toml || fail "Cargo.toml has another version than $version"
[[ -z $(git status --porcelain) ]] || fail "there are changes that are not committed"
for tool in cargo-about cargo-cyclonedx; do
    command -v $tool >/dev/null || fail "$tool is missing; the head of this script has the command"
done

SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH CARGO_TERM_COLOR=never
unset RUSTFLAGS CARGO_TARGET_DIR CARGO_BUILD_TARGET YOSE_TIER
# The libraries for all systems, which the lists of licences and materials cover.
cargo fetch --quiet --locked
work=$PWD/target/release-files
rm -rf "$work"
mkdir -p "$work/common/completions"
missing=()

# static_build TARGET CPU: a release build without libraries of the system.
static_build() {
    RUSTFLAGS="-C target-cpu=$2 -C target-feature=+crt-static" \
        cargo build --release --locked --bin yose --target "$1"
}

# has_target RUSTC TARGET: whether this compiler has the standard library for the target.
has_target() {
    local folder
    folder=$("$1" --print target-libdir --target "$2" 2>/dev/null) &&
        compgen -G "$folder/libstd-*.rlib" >/dev/null
}

# common YOSE: the files that all archives have; the program prints some of them.
common() {
    local files=$work/common
    [[ ! -e $files/README.md ]] || return 0
    "$1" man >"$files/yose.1"
    "$1" completions bash >"$files/completions/yose.bash"
    "$1" completions zsh >"$files/completions/_yose"
    "$1" completions fish >"$files/completions/yose.fish"
    "$1" completions powershell >"$files/completions/yose.ps1"
    "$1" completions elvish >"$files/completions/yose.elv"
    cargo about generate --offline --locked scripts/about.hbs >"$files/THIRD-PARTY.md"
    cp LICENSE CHANGELOG.md README.md "$files/"
}

# bill_of_materials: a file for each member of the workspace, of which that of Yose counts.
bill_of_materials() {
    cargo cyclonedx --quiet --format json --target all --no-build-deps --override-filename bom
    mv bom.json "$dir/yose-$version.cdx.json"
    rm -f */bom.json
}

# archive SYSTEM FILE...: a tar archive of the common files and the programs.
archive() {
    local name=yose-$version-$1 options=()
    shift
    mkdir "$work/$name"
    cp -R "$work/common/." "$@" "$work/$name/"
    # The tar of macOS has no such options.
    if tar --version | grep -q GNU; then
        options=(--sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH")
    fi
    tar -C "$work" ${options[@]+"${options[@]}"} -cf - "$name" | gzip -9n >"$dir/$name.tar.gz"
}

# alone SYSTEM: the program of this archive solves FFO 20-39 where there is nothing else: no
# library, no /proc and no /tmp.
alone() {
    local name=yose-$version-$1 root=$work/root-$1 user=()
    mkdir "$root"
    tar -C "$root" -xzf "$dir/$name.tar.gz"
    [[ $(id -u) == 0 ]] || user=(unshare --map-root-user)
    if ${user[@]+"${user[@]}"} chroot "$root" "/$name/yose" --version >/dev/null; then
        ${user[@]+"${user[@]}"} chroot "$root" "/$name/yose" bench ffo-20-39 >/dev/null
    else
        missing+=("a run with nothing but the archive: chroot is not allowed")
    fi
}

linux_x86() {
    scripts/build-all-tiers.sh "$work/x86_64"
    common "$work/x86_64/yose"
    [[ $("$work/x86_64/yose" -V) == "yose $version" ]]
    "$work/x86_64/yose" fingerprint --check positions/fingerprint.txt >/dev/null
    archive x86_64-linux "$work/x86_64/yose"
    alone x86_64-linux
    if command -v cargo-deb >/dev/null; then
        cargo deb --quiet --no-build --no-strip --output "$dir/"
    else
        missing+=("the Debian package: cargo-deb is missing")
    fi
}

linux_aarch64() {
    local target=aarch64-unknown-linux-gnu RUSTC=${RUSTC_AARCH64:-rustc}
    if ! has_target "$RUSTC" $target; then
        missing+=("aarch64 Linux: $RUSTC has no standard library for $target")
        return
    fi
    if ! command -v aarch64-linux-gnu-gcc >/dev/null; then
        missing+=("aarch64 Linux: aarch64-linux-gnu-gcc is missing")
        return
    fi
    export RUSTC CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
    static_build $target generic
    export -n RUSTC
    if command -v qemu-aarch64 >/dev/null; then
        qemu-aarch64 target/$target/release/yose \
            fingerprint --check positions/fingerprint.txt >/dev/null
    else
        missing+=("a run of the program for aarch64 Linux: qemu-aarch64 is missing")
    fi
    archive aarch64-linux target/$target/release/yose
}

# There is no launcher on Windows: `yose.exe` runs on every CPU, and the others are beside it.
windows() {
    local target=x86_64-pc-windows-gnu name=yose-$version-x86_64-windows cpu tier program
    if ! has_target rustc $target; then
        missing+=("Windows: rustc has no standard library for $target")
        return
    fi
    for tool in x86_64-w64-mingw32-gcc zip; do
        if ! command -v $tool >/dev/null; then
            missing+=("Windows: $tool is missing")
            return
        fi
    done
    mkdir "$work/$name"
    for cpu in x86-64 x86-64-v3 x86-64-v4; do
        static_build $target $cpu
        program=$work/$name/yose${cpu#x86-64}.exe
        cp target/$target/release/yose.exe "$program"
        tier=${cpu/%x86-64/portable}
        if ! command -v wine wine64 >/dev/null && [[ ! -x /usr/lib/wine/wine64 ]]; then
            missing+=("a run of ${program##*/}: wine is missing")
        # The launcher refuses a tier that this CPU cannot run.
        elif ! "$work/x86_64/yose" --tier "$tier" --version >/dev/null 2>&1; then
            missing+=("a run of ${program##*/}: this CPU cannot run $tier")
        else
            scripts/emulate-windows.sh "$program"
        fi
    done
    cp -R "$work/common/." "$work/$name/"
    rm -f "$dir/$name.zip"
    (
        cd "$work"
        find "$name" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
        find "$name" | LC_ALL=C sort | TZ=UTC zip -qX "$dir/$name.zip" -@
    )
}

macos() {
    local cpu=x86-64
    [[ $(uname -m) != arm64 ]] || cpu=apple-m1
    RUSTFLAGS="-C target-cpu=$cpu" cargo build --release --locked --bin yose
    common target/release/yose
    target/release/yose fingerprint --check positions/fingerprint.txt >/dev/null
    archive "$(uname -m)-macos" target/release/yose
}

rm -f "$dir"/yose[-_]"$version"* "$dir/SHA256SUMS"
case "$(uname -sm)" in
'Linux x86_64')
    linux_x86
    linux_aarch64
    windows
    missing+=("macOS: run this script on a Mac")
    ;;
Darwin*) macos ;;
*) fail "releases are built on x86-64 Linux and on macOS" ;;
esac
bill_of_materials
cd "$dir"
if command -v sha256sum >/dev/null; then
    sha256sum yose[-_]"$version"* >SHA256SUMS
else
    shasum -a 256 yose[-_]"$version"* >SHA256SUMS
fi
ls -l "$dir"
for what in ${missing[@]+"${missing[@]}"}; do
    echo "not made: $what"
done
