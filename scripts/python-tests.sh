#!/usr/bin/env bash
# Builds the Python package without pip, and runs its tests with python3, or with another
# interpreter: PYTHON=python3.9 scripts/python-tests.sh. It needs Python 3.9 or later and nothing
# else; tests of pandas, Polars and mypy are skipped with a message where these are missing.
# Arguments are those of `python -m unittest`. It writes to target/ only.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

python=${PYTHON:-python3}
target=${CARGO_TARGET_DIR:-target}
case "$(uname)" in
Darwin) # The symbols of Python are found when the module is loaded.
    library=lib_native.dylib
    export RUSTFLAGS="${RUSTFLAGS:--C target-cpu=native} -C link-arg=-undefined -C link-arg=dynamic_lookup"
    ;;
*) library=lib_native.so ;;
esac

# The dev profile, which other steps have compiled the dependencies for.
export PYO3_BUILD_EXTENSION_MODULE=1 PYO3_NO_PYTHON=1
cargo build --quiet -p yose-python

package=$target/python-package
rm -rf "$package"
mkdir -p "$package"
cp -R python/yose "$package/yose"
cp "$target/${CARGO_BUILD_TARGET:-}/debug/$library" "$package/yose/_native.abi3.so"

export PYTHONPATH=$package PYTHONDONTWRITEBYTECODE=1
if [[ $# -eq 0 ]]; then
    set -- discover -s python/tests
fi
"$python" -m unittest "$@"

if "$python" -c 'import mypy' 2>/dev/null; then
    settings=$PWD/python/pyproject.toml cache=$PWD/$target/mypy-cache
    MYPYPATH=$package "$python" -m mypy --cache-dir "$cache" --config-file "$settings" \
        "$package/yose" python/tests
    (cd "$package" && "$python" -m mypy.stubtest --mypy-config-file "$settings" yose)
else
    echo 'NOT TESTED: the types of the Python package: mypy is missing'
fi
