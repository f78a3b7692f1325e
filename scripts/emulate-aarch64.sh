#!/usr/bin/env bash
# Tests the tier aarch64-neon on an x86-64 machine: with QEMU, which runs a program for 64-bit ARM
# Linux as a process of its own.
#
#     scripts/emulate-aarch64.sh [--only-if-there] DIR
#
# It takes five minutes on two cores. DIR keeps what is built. The kernels are compared with their
# plain versions, scores with the plain negamax, and the fingerprint with the recorded one. Exit
# status 0 if all passed. It needs two things, and gets what is missing:
#
# - QEMU and a linker for ARM: the Debian packages qemu-user, gcc-aarch64-linux-gnu and
#   libc6-dev-arm64-cross, installed as root.
# - A Rust compiler with the standard library for ARM: the one in use, if it has that target or
#   rustup can add it. Otherwise that of Debian testing (0.7 GB), which is unpacked into DIR/rust
#   with the libraries that it needs; nothing of it is installed. Cargo is the one in use.
#
# With --only-if-there nothing is fetched: if something is missing, a line says so, and the exit
# status is 77. `.ci/run` does so with the folder target/aarch64.
set -euo pipefail

only_if_there=
if [[ ${1-} == --only-if-there ]]; then
    only_if_there=yes
    shift
fi
if [[ $# != 1 || $1 == -* ]]; then
    echo "usage: scripts/emulate-aarch64.sh [--only-if-there] DIR" >&2
    exit 2
fi
target=aarch64-unknown-linux-gnu
libraries=/usr/aarch64-linux-gnu
dir=$(realpath -m "$1")
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/.."

# missing WHAT: ends here if nothing may be fetched.
missing() {
    [[ -n $only_if_there ]] || return 0
    echo "there is no $1; scripts/emulate-aarch64.sh gets it"
    exit 77
}

# ---- QEMU and the linker.
if ! command -v qemu-aarch64 >/dev/null || ! command -v aarch64-linux-gnu-gcc >/dev/null ||
    [[ ! -e $libraries/lib/libc.so.6 ]]; then
    missing "emulator or linker for 64-bit ARM"
    apt-get update -q
    apt-get install -yq --no-install-recommends \
        qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross
fi

# ---- The compiler.
# has_target RUSTC: whether this compiler has the standard library for the target.
has_target() {
    local folder
    folder=$("$1" --print target-libdir --target $target 2>/dev/null) &&
        compgen -G "$folder/libstd-*.rlib" >/dev/null
}

# Unpacks the compiler of Debian testing for this machine, and its standard library for ARM. It is
# run with the C library of its own release, which is newer than that of other releases. apt has
# lists of its own here, and checks their signature.
unpack_compiler() {
    local apt=$dir/apt rust=$dir/rust package packages
    rm -rf "$apt" "$rust"
    mkdir -p "$apt"/{lists/partial,archives/partial,sources,debs} "$rust/bin"
    touch "$apt/status"
    cat >"$apt/sources/testing.sources" <<END
Types: deb
URIs: http://deb.debian.org/debian
Suites: testing
Components: main
Architectures: amd64 arm64
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
END
    cat >"$apt/conf" <<END
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$apt/sources";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
Dir::State::lists "$apt/lists";
Dir::State::status "$apt/status";
Dir::Cache "$apt";
APT::Architectures { "amd64"; "arm64"; };
Acquire::Languages "none";
END
    (
        export APT_CONFIG=$apt/conf
        cd "$apt/debs"
        apt-get update -q
        # The package with the compiler's own library needs all the other libraries.
        package=$(apt-cache depends libstd-rust-dev | awk '/Depends:/ { print $2 }')
        packages=$(apt-cache depends --recurse --important "$package" | grep '^[a-z]')
        # shellcheck disable=SC2086 # a list of words
        apt-get download -q rustc libstd-rust-dev libstd-rust-dev:arm64 $packages
    )
    for package in "$apt"/debs/*.deb; do
        dpkg-deb -x "$package" "$rust"
    done
    rm -rf "$apt"
    cat >"$rust/bin/rustc" <<END
#!/bin/sh
exec "$rust/usr/lib64/ld-linux-x86-64.so.2" --library-path "$rust/usr/lib/x86_64-linux-gnu" \\
    "$rust/usr/bin/rustc" "\$@"
END
    chmod +x "$rust/bin/rustc"
}

if ! has_target "${RUSTC:-rustc}"; then
    if ! has_target "$dir/rust/bin/rustc"; then
        missing "Rust compiler with the target $target"
        if ! rustup target add $target || ! has_target rustc; then
            unpack_compiler
        fi
    fi
    if [[ -x $dir/rust/bin/rustc ]]; then
        export RUSTC=$dir/rust/bin/rustc
    fi
fi

# ---- The tests, with all checks. The emulator is slow, but so is optimisation: level 1 is the
# quickest.
qemu="qemu-aarch64 -L $libraries"
export CARGO_BUILD_TARGET=$target CARGO_TARGET_DIR=$dir/target
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER=$qemu
export CARGO_PROFILE_DEV_OPT_LEVEL=1 CARGO_PROFILE_TEST_OPT_LEVEL=1
export RUSTFLAGS="-C target-cpu=generic" CI=true INSTA_UPDATE=no
yose=$CARGO_TARGET_DIR/$target/debug/yose
set -x
cargo test --lib -- othello:: eval:: tier:: table:: large_pages:: search::nodes
# One test takes half their time and is about tables, which are the same in all builds.
cargo test --bin yose --test it -- exactness:: --skip no_table_changes_a_score
$qemu "$yose" fingerprint --check positions/fingerprint.txt
$qemu "$yose" --version | grep '^build tier: aarch64-neon$'
