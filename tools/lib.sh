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

# kept_folder NAME FILE...: a folder that outlives the run, for what is built from
# these files: another one as soon as a file, the compiler or R is another. It
# counts as built once it holds the file `complete`; what was left half built is
# removed, and after a day what was built from other files, which may be in use.
kept_folder() {
  name=$1
  shift
  kept=${XDG_CACHE_HOME:-${HOME:-$work}/.cache}/linkrank
  mkdir -p "$kept" 2>/dev/null && [ -w "$kept" ] || kept=$work
  key=$({ printf '%s\n' "$@"; cat "$@"; R --version; $(R CMD config CC) --version
    R CMD config CFLAGS; } | sha256sum | cut -c1-16)
  find "$kept" -maxdepth 1 -name "$name-*" ! -name "$name-$key" -mtime +0 \
    -exec rm -rf {} +
  [ -f "$kept/$name-$key/complete" ] || rm -rf "$kept/$name-$key"
  mkdir -p "$kept/$name-$key"
  echo "$kept/$name-$key"
}

# keep_objects: what is compiled from here on is compiled once for these sources,
# with the user's own settings.
keep_objects() {
  LINKRANK_OBJECTS=$(cd "$root" && kept_folder objects src/*.[ch] src/Makevars)
  touch "$LINKRANK_OBJECTS/complete"
  settings=${R_MAKEVARS_USER:-${HOME:-}/.R/Makevars}
  {
    [ ! -f "$settings" ] || cat "$settings"
    echo "CC = sh $root/tools/cc-kept $(R CMD config CC)"
  } >"$work/Makevars.kept"
  R_MAKEVARS_USER=$work/Makevars.kept
  export LINKRANK_OBJECTS R_MAKEVARS_USER
}

# build_library: a library with the package of the work tree, in $library.
build_library() {
  # shellcheck disable=SC2046 # no blank in a name
  library=$(cd "$root" && kept_folder library DESCRIPTION NAMESPACE \
    $(git ls-files R src data inst 2>/dev/null || find R src data inst -type f))
  use_library "$library"
  [ ! -f "$library/complete" ] || return 0
  copy_sources "$work/sources"
  # beside its place, as another process may build the same
  mkdir -p "$library.$$"
  (keep_objects && quietly "Building linkrank ..." \
    install_package "$work/sources" "$library.$$" --no-docs) || return 1
  touch "$library.$$/complete"
  if rmdir "$library" 2>/dev/null; then mv "$library.$$" "$library"
  else rm -rf "$library.$$"; fi
}

# sum_of WORD FILE: adds up the numbers before WORD in lines `N passed, N failed`.
sum_of() {
  awk -v word="$1" '
    /^[0-9]+ passed, [0-9]+ failed/ {
      for (i = 2; i <= NF; i++) if (index($i, word) == 1) sum += $(i - 1)
    }
    END { print sum + 0 }' "$2"
}

# part TITLE COMMAND...: its closing line goes into the file $counts; a failure
# without one is one.
part() {
  title=$1
  shift
  echo
  echo "$title ..."
  "$@" >"$work/part.log" 2>&1 </dev/null && status=0 || status=$?
  tail -n 60 "$work/part.log"
  grep -E '^[0-9]+ passed, [0-9]+ failed' "$work/part.log" | tail -n 1 \
    >"$work/part.count" || true
  if [ "$status" -ne 0 ] && [ "$(sum_of failed "$work/part.count")" -eq 0 ]; then
    echo "0 passed, 1 failed, 0 skipped" >>"$work/part.count"
    echo "$title failed."
  fi
  # shellcheck disable=SC2154 # set by the caller
  cat "$work/part.count" >>"$counts"
}

# The closing line over all parts, and whether nothing failed.
close_counts() {
  echo
  echo "$(sum_of passed "$counts") passed, $(sum_of failed "$counts") failed," \
    "$(sum_of skipped "$counts") skipped"
  [ "$(sum_of failed "$counts")" -eq 0 ]
}
