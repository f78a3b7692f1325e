#!/usr/bin/env bash
# Builds one executable with all tiers of x86-64, which runs the fastest one for the CPU.
#
#     scripts/build-all-tiers.sh [DIR]
#
# DIR (target/all-tiers by default) gets `yose`, and beside it the build for each tier, `yose-TIER`.
# All are static: they need no library of the system, and run on every Linux since 3.2. For Linux on
# x86-64, with the static C library (Debian: libc6-dev). PROFILE is the profile of Cargo, `release`
# by default. It takes four minutes on one core.
set -euo pipefail
dir=$(realpath -m "${1:-target/all-tiers}")
cd "$(dirname "${BASH_SOURCE[0]}")/.."

target=x86_64-unknown-linux-gnu
profile=${PROFILE:-release}
built=${CARGO_TARGET_DIR:-target}/$target/${profile/#dev/debug}
mkdir -p "$dir"

# build CPU ARGUMENTS...: a static build for that CPU. With the target named, the flags are not for
# build scripts.
build() {
    local cpu=$1
    shift
    RUSTFLAGS="-C target-cpu=$cpu -C target-feature=+crt-static" \
        cargo build --locked --profile "$profile" --target $target "$@"
}

for cpu in x86-64 x86-64-v3 x86-64-v4; do
    build $cpu --bin yose
    tier=${cpu/%x86-64/portable}
    cp "$built/yose" "$dir/yose-$tier"
done
YOSE_IMAGE_PORTABLE=$dir/yose-portable \
    YOSE_IMAGE_V3=$dir/yose-x86-64-v3 \
    YOSE_IMAGE_V4=$dir/yose-x86-64-v4 \
    build x86-64 -p yose-launcher
cp "$built/yose-all-tiers" "$dir/yose"
ls -l "$dir"
