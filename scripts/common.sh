# shellcheck shell=bash
# Shared by the scripts here: finds a PostgreSQL, builds and installs uuidnew for it, and runs a
# throwaway cluster. Everything temporary is in $work, which is removed at exit.

umask 022        # the user that runs the server must be able to read what root makes
export LC_ALL=C  # the output of apt and of pg_regress is read here: no translations
for name in "${!PG@}"; do # nothing may lead to another server than the one started here
  [ "$name" = PG_CONFIG ] || unset "$name"
done
build_cc=${CC:-} # for the extension: sanitizers and valgrind want the compiler that they go with
unset name MAKEFLAGS CC
export PSQLRC=/dev/null

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
    apt-get -qy -o DPkg::Lock::Timeout=300 "$@"
}

# A directory in /tmp, not in TMPDIR: the path of a socket is at most 107 characters, and the
# unprivileged user must be let in.
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

# pg_major [PG_CONFIG]: 15, for example; nothing if that is no pg_config
pg_major() { "${1:-$PG_CONFIG}" --version 2>/dev/null | sed -nE 's/^PostgreSQL ([0-9]+).*/\1/p'; }

# Prints why uuidnew cannot be built and tested with this pg_config; nothing if it can.
pg_problem() {
  local version major bin
  version=$("$1" --version 2>/dev/null) || version=
  major=$(pg_major "$1")
  bin=$("$1" --bindir 2>/dev/null) || bin=
  if [ -z "$major" ]; then
    echo "$1 is not the pg_config of a PostgreSQL."
  elif [ "$major" -lt 14 ]; then
    echo "$1 belongs to $version; uuidnew needs PostgreSQL 14 or newer."
  elif ! [ -e "$("$1" --includedir-server)/postgres.h" ] || ! [ -e "$("$1" --pgxs)" ]; then
    echo "$1 belongs to $version, whose server headers are not installed (package" \
      "postgresql-server-dev-$major on Debian and Ubuntu, postgresql$major-devel elsewhere)."
  elif ! [ -x "$bin/initdb" ] || ! [ -x "$bin/postgres" ]; then
    echo "$1 belongs to $version, whose server is not installed: no initdb in $bin" \
      "(package postgresql-$major on Debian and Ubuntu, postgresql$major-server elsewhere)."
  fi
}

# The pg_config of every PostgreSQL that uuidnew can be built and tested with, newest first.
usable_pgs() {
  local config seen=:
  for config in $(printf '%s\n' /usr/lib/postgresql/*/bin/pg_config | sort -rV) pg_config; do
    if has "$config" && [ -z "$(pg_problem "$config")" ]; then
      # Debian's /usr/bin/pg_config stands for one of the others
      [[ $seen == *:$("$config" --bindir):* ]] || command -v "$config"
      seen+=$("$config" --bindir):
    fi
  done
}

# Sets PG_CONFIG (the caller's own choice is kept), PGBIN and, for what refuses to run as root,
# pg_user.
find_pg() {
  local problem dir
  if [ -n "${PG_CONFIG:-}" ]; then
    has "$PG_CONFIG" || die "PG_CONFIG is '$PG_CONFIG', which is no program that can be run."
    PG_CONFIG=$(realpath -s "$(command -v "$PG_CONFIG")")
    problem=$(pg_problem "$PG_CONFIG")
    [ -z "$problem" ] || die "$problem"
  else
    read -r PG_CONFIG < <(usable_pgs) || die "found no PostgreSQL (14 or newer) with its server" \
      "headers; install one, or set PG_CONFIG to its pg_config."
  fi
  PGBIN=$("$PG_CONFIG" --bindir)
  export PG_CONFIG PGBIN
  if id postgres >/dev/null 2>&1; then pg_user=postgres; else pg_user=nobody; fi
  for dir in "$("$PG_CONFIG" --pkglibdir)" "$("$PG_CONFIG" --sharedir)/extension"; do
    [ -w "$dir" ] || has sudo ||
      die "cannot write to $dir, where the extension is to be installed: run this as root, or" \
        "install sudo."
  done
  echo "Using $("$PG_CONFIG" --version) ($PGBIN)"
}

# ---- the extension ----

# copy_source DIR: what is built and run is a copy, so that the checkout stays as it is.
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
  # A server with JIT wants the extension as bitcode too, for which not every machine has the clang.
  clang=$(sed -nE 's/^CLANG *= *//p' "$(dirname "$("$PG_CONFIG" --pgxs)")/../Makefile.global")
  has "${clang:-none}" || set -- with_llvm=no "$@"
  ${prefix:-} make -C "$dir" PG_CONFIG="$PG_CONFIG" "$@"
}

# Another compiler may not know all the flags that PostgreSQL was built with, and Clang cannot link
# with those for gcc's link-time optimization (Ubuntu).
foreign_flags='-fno-lto -Wno-unknown-warning-option -Wno-ignored-optimization-argument'

source=$work/src # of what is installed

build() {
  copy_source "$source" &&
    pg_make "$source" -j2 all ${build_cc:+CC="$build_cc" COPT="$foreign_flags"}
}

install_built() {
  pg_make "$source" install || { ! is_root && has sudo && prefix=sudo pg_make "$source" install; }
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
  export HOME=$work
  ! has runuser || exec runuser -u "$pg_user" -- "$@"
  exec setpriv --reuid "$pg_user" --regid "$(id -g "$pg_user")" --clear-groups "$@"
)

# start_cluster [SETTING...]: a new cluster, reached only through a socket in $work.
# $server, if set, is the command to run in place of postgres.
start_cluster() {
  cluster=$work/cluster
  as_pg mkdir "$cluster"
  quietly initdb as_pg "$PGBIN/initdb" -D "$cluster/data" -U postgres -A trust --no-sync \
    --no-locale -E UTF8
  printf '%s\n' "listen_addresses = ''" "unix_socket_directories = '$cluster'" 'port = 5432' \
    'fsync = off' "$@" >>"$cluster/data/postgresql.conf"
  printf '%s\n' '#!/bin/sh' "echo \$\$ >$cluster/pid" \
    "exec ${server:-"$PGBIN/postgres"} \"\$@\"" >"$work/server"
  chmod +x "$work/server"
  export PGHOST=$cluster PGPORT=5432 PGUSER=postgres PGDATABASE=postgres
  as_pg "$PGBIN/pg_ctl" -D "$cluster/data" -l "$cluster/log" -p "$work/server" -w -t 120 start \
    >/dev/null 2>&1 || {
    tail -n 30 "$cluster/log" >&2
    die "the server did not start (the last lines of its log are above)."
  }
}

stop_cluster() {
  local mode pid
  [ -n "$cluster" ] || return 0
  for mode in fast immediate; do
    as_pg "$PGBIN/pg_ctl" -D "$cluster/data" -m "$mode" -t 30 -w stop >/dev/null 2>&1 && break
  done
  # A server that hangs before it has written its own pid file
  if read -r pid 2>/dev/null <"$cluster/pid" && grep -qsF "$cluster" "/proc/$pid/cmdline"; then
    kill -KILL "$pid"
  fi
  rm -rf "$cluster"
  cluster=
}
