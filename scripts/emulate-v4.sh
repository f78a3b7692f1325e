#!/usr/bin/env bash
# Runs the tier x86-64-v4 on a machine without AVX-512: in a small Linux inside Bochs, which
# emulates these instructions.
#
#     scripts/emulate-v4.sh DIR
#
# For Debian 12, as root (packages are installed and device files made), with rustup and a C++
# compiler. It takes half an hour, most of it to build the emulator and Yose. DIR keeps what is
# built, and the output of the guest (DIR/serial.txt). Exit status 0 if all that was run passed.
#
# The guest needs 50 to 100 seconds for the work of a second, so the tests that take longest are
# left out: the models of split points, the proven bounds after selective passes, and all but three
# tests of `tests/it/exactness.rs`.
set -euo pipefail

if [[ $# != 1 ]]; then
    echo "usage: scripts/emulate-v4.sh DIR" >&2
    exit 2
fi
mkdir -p "$1"
dir=$(realpath "$1")
source=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
cd "$dir"

# ---- The emulator. Bochs 2.7, of Debian 12, refuses a gather whose index is in ZMM16 to ZMM31: it
# takes the top bit of the index for a bit of an operand that must not be used. So does 3.0, whose
# line is corrected here.
BOCHS=3.0+dfsg-1
TARBALL=bochs_3.0+dfsg.orig.tar.xz
SHA256=78f6c73d4a6472d5130a87ab9dc306d02c7c71ed8e25b3a8ef642e2a7acd282b
packages=(bochsbios vgabios busybox-static xorriso grub-pc-bin grub-common mtools cpio)
if ! dpkg -s "${packages[@]}" &>/dev/null; then
    apt-get update -q
    apt-get install -yq --no-install-recommends "${packages[@]}"
fi
if [[ ! -x bochs/bochs ]]; then
    mkdir -p lists/partial parts bochs-build
    cat >parts/source.sources <<'END'
Types: deb-src
URIs: http://deb.debian.org/debian
Suites: sid trixie
Components: main
END
    apt=(apt-get -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$dir/parts"
        -o "Dir::State::lists=$dir/lists")
    if [[ ! -e $TARBALL ]]; then
        "${apt[@]}" update -q
        # It may fail on the file of checksums. The tarball is checked below.
        "${apt[@]}" source -q --download-only bochs=$BOCHS || true
    fi
    echo "$SHA256  $TARBALL" | sha256sum --check
    tar xf $TARBALL -C bochs-build --strip-components=1
    cd bochs-build
    decoder=cpu/decoder/fetchdecode32.cc
    line='      i->setSibIndex(i->sibIndex() . (vvv & 0x10));'
    sed -i "s|^$line\$|&\\n      vvv \\&= 0xf; // no operand|" $decoder
    grep -q '// no operand' $decoder
    ./configure --enable-x86-64 --enable-cpu-level=6 --enable-evex --enable-avx \
        --enable-all-optimizations --enable-pci --disable-debugger --disable-debugger-gui \
        --disable-smp --disable-plugins --disable-docbook --with-nogui >configure.log 2>&1
    make >make.log 2>&1 || [[ -x bochs ]]
    cd ..
    mkdir -p bochs
    cp bochs-build/bochs bochs/bochs
fi

# ---- The guest's kernel.
if ! compgen -G 'k/boot/vmlinuz-*' >/dev/null; then
    mkdir -p kernel
    package=$(apt-cache depends linux-image-cloud-amd64 | awk '/Depends: linux-image/ { print $2 }')
    (cd kernel && apt-get download "$package")
    dpkg -x kernel/linux-image-*.deb k
fi

# ---- Yose: the program as it is released, and the tests with assertions. They are static, so that
# the guest needs nothing else.
target=x86_64-unknown-linux-musl
rustup target add $target
export RUSTFLAGS="-C target-cpu=x86-64-v4" CARGO_TARGET_DIR=$dir/target
export CC_x86_64_unknown_linux_musl=gcc
rm -rf bin
mkdir bin
cd "$source"
cargo build --release --locked --target $target
cp "$dir/target/$target/release/yose" "$dir/bin/yose"
export CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS=true CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS=true
cargo test --release --locked --target $target --no-run --lib --test it --message-format=json |
    python3 -c 'import json, shutil, sys
for line in sys.stdin:
    message = json.loads(line)
    if message.get("executable") and message["profile"]["test"]:
        name = "/test-" + message["target"]["name"]
        shutil.copy(message["executable"], sys.argv[1] + name)' "$dir/bin"
cd "$dir"

# ---- What the guest does: its seconds at most, a name, a command.
tests='--test-threads=1'
search="$tests --skip search::parallel::models --skip what_selective_passes"
cat >jobs <<E
5|version|yose --version
10|suite|yose solve positions/ffo-1-19.obf -t 1 --hash 64MiB --progress none
20|fingerprint|yose fingerprint -t 1 --check positions/fingerprint.txt
20|rules|test-yose othello:: $tests
20|evaluation|test-yose eval:: $tests
20|search|test-yose search:: tier:: table:: $search
20|others|test-yose verify:: training:: batch:: records:: $tests
5|exactness-cleared|test-it exactness::a_cleared $tests
10|exactness-moves|test-it exactness::every_move $tests
5|exactness-symmetries|test-it exactness::the_eight_symmetries $tests
E
rm -rf root iso
mkdir -p root/{bin,proc,sys,dev,tmp,work} "root$source" iso/boot/grub
cp /bin/busybox bin/* jobs root/bin/
strip root/bin/yose root/bin/test-*
cp -r "$source/positions" root/work/
# Snapshots are looked for where the tests were built.
cp -r "$source"/{src,tests,positions} "root$source/"
for device in "console 5 1" "null 1 3" "zero 1 5" "random 1 8" "urandom 1 9" "ttyS0 4 64"; do
    read -r name major minor <<<"$device"
    mknod "root/dev/$name" c "$major" "$minor"
done
cat >root/init <<E
#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin HOME=/tmp TERM=dumb INSTA_WORKSPACE_ROOT=$source
mount -t proc proc /proc
exec </dev/null >/dev/ttyS0 2>&1
stty -F /dev/ttyS0 -opost
grep -m1 'model name' /proc/cpuinfo
cd /work
while IFS='|' read -r limit name command; do
    echo "@@ \$name: \$command"
    timeout -s KILL \$limit sh -c "\$command" </dev/null
    echo "@@ \$name ends: \$?"
done </bin/jobs
sleep 1
poweroff -f
E
chmod +x root/init
cp k/boot/vmlinuz-* iso/boot/vmlinuz
(cd root && find . | cpio -o -H newc --quiet) >iso/boot/initrd
# Without XSAVEC and XSAVES: Linux finds their sizes wrong in this emulator, and would turn AVX off.
cat >iso/boot/grub/grub.cfg <<'E'
set timeout=0
linux /boot/vmlinuz console=ttyS0,115200 nokaslr mitigations=off nosmp tsc=reliable nowatchdog \
    no_timer_check random.trust_cpu=on noxsaves clearcpuid=xsaves,xsavec panic=1 init=/init
initrd /boot/initrd
boot
E
grub-mkrescue -d /usr/lib/grub/i386-pc -o disk.iso iso >grub.log 2>&1
cat >bochsrc <<E
config_interface: textconfig
display_library: nogui
romimage: file=/usr/share/bochs/BIOS-bochs-latest
vgaromimage: file=/usr/share/vgabios/vgabios.bin
cpu: model=corei7_skylake_x, count=1, ips=100000000, reset_on_triple_fault=0, ignore_bad_msrs=1
memory: guest=2048, host=2048
clock: sync=none, time0=utc
ata0-master: type=cdrom, path=$dir/disk.iso, status=inserted
boot: cdrom
com1: enabled=1, mode=file, dev=$dir/serial.txt
log: $dir/bochs.log
panic: action=fatal
E
rm -f serial.txt
# It does not end with 0 when the guest switches itself off.
timeout 3600 bochs/bochs -q -f bochsrc </dev/null >bochs.txt 2>&1 || true

grep -aE '^model name|^@@ .* ends|^test result|FAILED|panicked|^digest|^the same|^build tier' \
    serial.txt
passed=$(grep -ac '^@@ .* ends: 0' serial.txt || true)
echo "$passed of $(wc -l <jobs) passed"
[[ $passed == "$(wc -l <jobs)" ]]
