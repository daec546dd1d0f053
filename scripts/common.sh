# shellcheck shell=bash
# Shared by the scripts here: finds a PostgreSQL, builds and installs uuidnew for it, and runs a
# throwaway cluster. Temporary files are in $work, which is removed at exit.

umask 022 # the user that runs the server must be able to read the files
export LC_ALL=C PSQLRC=/dev/null # the scripts read the output of apt and of pg_regress
for name in "${!PG@}"; do # no variable may lead to another server
  [ "$name" = PG_CONFIG ] || unset "$name"
done
build_cc=${CC:-} # only for the extension: sanitizers and valgrind need their own compiler
unset name MAKEFLAGS CC

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cluster=

die() {
  echo "$(basename "$0"): $*" >&2
  exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

is_root() { ((EUID == 0)); }

as_root() { if is_root; then "$@"; else sudo "$@"; fi; }

apt_get() {
  as_root env DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1 \
    apt-get -qy -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@"
}

# In /tmp, not in TMPDIR: the path of a socket has at most 107 characters, and the user that runs
# the server must have access.
work=$(mktemp -d /tmp/uuidnew.XXXXXX)
chmod 1777 "$work"
export TMPDIR=$work

cleanup() {
  stop_cluster
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# quietly WHAT COMMAND...: shows the command's output only if it fails.
quietly() {
  local what=$1
  shift
  "$@" >"$work/log" 2>&1 || {
    tail -n 30 "$work/log" >&2
    die "$what failed (its last lines are above)."
  }
}

# ---- PostgreSQL ----

# pg_major [PG_CONFIG]: 15, for example
pg_major() { "${1:-$PG_CONFIG}" --version 2>/dev/null | sed -nE 's/^PostgreSQL ([0-9]+).*/\1/p'; }

# usable PG_CONFIG: whether uuidnew can be built and tested with it
usable() {
  [ "$(pg_major "$1")" -ge 14 ] 2>/dev/null && [ -e "$("$1" --includedir-server)/postgres.h" ] &&
    [ -x "$("$1" --bindir)/initdb" ]
}

# Prints the newest usable pg_config.
newest_pg() {
  local config
  for config in $(printf '%s\n' /usr/lib/postgresql/*/bin/pg_config | sort -rV) pg_config; do
    ! usable "$config" || { command -v "$config" && return; }
  done
}

# Sets PG_CONFIG, unless the caller has, PGBIN, and pg_user for the server.
find_pg() {
  PG_CONFIG=${PG_CONFIG:-$(newest_pg)}
  usable "$PG_CONFIG" ||
    die "'$PG_CONFIG' does not belong to a PostgreSQL (14 or later) with a server and headers:" \
      "install postgresql-NN and postgresql-server-dev-NN, or set PG_CONFIG to its pg_config."
  PG_CONFIG=$(realpath -s "$(command -v "$PG_CONFIG")")
  PGBIN=$("$PG_CONFIG" --bindir)
  export PG_CONFIG PGBIN
  if id postgres >/dev/null 2>&1; then pg_user=postgres; else pg_user=nobody; fi
  echo "Using $("$PG_CONFIG" --version) ($PGBIN)"
}

# ---- the extension ----

# copy_source DIR: the scripts build and run a copy, so that the checkout remains as it is.
copy_source() {
  rm -rf "$1" && mkdir "$1" &&
    tar -C "$root" --exclude=./.git --exclude='*.o' --exclude='*.bc' --exclude='*.so' \
      --exclude='*.dylib' --exclude=./results --exclude=tmp_check -cf - . |
    tar -C "$1" --no-same-owner -xf - &&
    chmod -R a+rX "$1"
}

# pg_make DIR ARGUMENTS...
pg_make() {
  local dir=$1 clang
  shift
  # A server with JIT wants the extension as bitcode, but not every machine has its clang.
  clang=$(sed -nE 's/^CLANG *= *//p' "$(dirname "$("$PG_CONFIG" --pgxs)")/../Makefile.global")
  has "${clang:-none}" || set -- with_llvm=no "$@"
  ${make_as:-} make -C "$dir" PG_CONFIG="$PG_CONFIG" "$@"
}

# Another compiler may not support all flags of the PostgreSQL build, and clang cannot link with
# the flags for gcc's link-time optimization (Ubuntu).
foreign_flags='-fno-lto -Wno-unknown-warning-option -Wno-ignored-optimization-argument'

source=$work/src # of the installed extension

build() {
  copy_source "$source" &&
    pg_make "$source" -j2 all ${build_cc:+CC="$build_cc" COPT="$foreign_flags"} "$@"
}

# A script that scripts/test runs beside its tests must not replace the installed files.
install_built() {
  if [ -n "${UUIDNEW_INSTALLED:-}" ]; then
    return
  elif [ -w "$("$PG_CONFIG" --pkglibdir)" ]; then
    pg_make "$source" install
  else
    make_as=sudo pg_make "$source" install
  fi
}

build_install() {
  quietly "the build" build
  quietly "the installation" install_built
  echo "Installed uuidnew in $("$PG_CONFIG" --sharedir)/extension"
}

# ---- a throwaway cluster ----

as_pg() (
  cd "$work" || exit # the caller's directory may be closed to that user
  is_root || exec "$@"
  HOME=$work exec runuser -u "$pg_user" -- "$@"
)

# start_cluster [SETTING...]: a new cluster with a socket in $work. $server, if set, is the command
# to run in place of postgres.
start_cluster() {
  cluster=$work/cluster
  as_pg mkdir "$cluster"
  quietly initdb as_pg "$PGBIN/initdb" -D "$cluster/data" -U postgres -A trust --no-sync \
    --no-locale -E UTF8
  printf '%s\n' "listen_addresses = ''" "unix_socket_directories = '$cluster'" 'port = 5432' \
    'fsync = off' "$@" >>"$cluster/data/postgresql.conf"
  printf '%s\n' '#!/bin/sh' "exec ${server:-"$PGBIN/postgres"} \"\$@\"" >"$work/server"
  chmod +x "$work/server"
  export PGHOST=$cluster PGPORT=5432 PGUSER=postgres PGDATABASE=postgres
  as_pg "$PGBIN/pg_ctl" -D "$cluster/data" -l "$cluster/log" -p "$work/server" -w -t 120 start \
    >/dev/null 2>&1 || {
    tail -n 30 "$cluster/log" >&2
    die "the server did not start (the last lines of its log are above)."
  }
}

stop_cluster() {
  local mode
  [ -n "$cluster" ] || return 0
  for mode in fast immediate; do
    as_pg "$PGBIN/pg_ctl" -D "$cluster/data" -m "$mode" -t 30 -w stop >/dev/null 2>&1 && break
  done
  rm -rf "$cluster"
  cluster=
}
