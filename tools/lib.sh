# Shared by the scripts of this folder and by .ci/run: sourced, not run, with
# `set -eu`.
# shellcheck shell=sh

# The folder of the package: all who source this stand one level below it.
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)

# A folder that is gone when the script ends, however it ends.
work=$(mktemp -d "${TMPDIR:-/tmp}/linkrank.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 141' PIPE
trap 'exit 143' TERM

# quietly WHAT COMMAND...: prints WHAT, and what the command printed only if it fails.
quietly() {
  echo "$1"
  shift
  if "$@" >"$work/log" 2>&1 </dev/null; then
    return 0
  fi
  cat "$work/log"
  return 1
}

# The sources without anything that was built from them: objects of another
# compiler or other flags would be taken over, and the tree stays as it is.
copy_sources() {
  mkdir -p "$1"
  tar -C "$root" -cf - --exclude=./.git --exclude=./.ci --exclude='*.o' \
    --exclude='*.so' --exclude='*.Rcheck' --exclude='*.tar.gz' \
    --exclude=./tests/kernels/build . | tar -C "$1" -xf -
}

# use_library FOLDER: packages go there, and R looks there first.
use_library() {
  mkdir -p "$1"
  R_LIBS=$1${R_LIBS:+:$R_LIBS}
  export R_LIBS
}

# install_package SOURCE LIBRARY [OPTIONS]: a folder or a tarball.
install_package() {
  package=$1
  library=$2
  shift 2
  MAKEFLAGS=${MAKEFLAGS:--j$(nproc 2>/dev/null || echo 1)} \
    R CMD INSTALL --no-test-load --library="$library" "$@" "$package"
}

# sum_of WORD FILE: adds up the numbers before WORD in lines `N passed, N failed`.
sum_of() {
  awk -v word="$1" '
    /^[0-9]+ passed, [0-9]+ failed/ {
      for (i = 2; i <= NF; i++) if (index($i, word) == 1) sum += $(i - 1)
    }
    END { print sum + 0 }' "$2"
}
