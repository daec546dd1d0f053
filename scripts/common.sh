# shellcheck shell=bash
# Shared by the scripts here: finds or installs a PostgreSQL, builds and installs uuidnew for it,
# and runs a throwaway cluster. Everything temporary is in $work, which is removed at exit.

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
no_main=

die() {
  echo "$(basename "$0"): $*" >&2
  exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

is_root() { [ "$(id -u)" = 0 ]; }

as_root() { if is_root; then "$@"; else sudo "$@"; fi; }

# A directory in /tmp, not in TMPDIR: the path of a socket is at most 107 characters, and the
# unprivileged user must be let in.
work=$(mktemp -d /tmp/uuidnew.XXXXXX)
chmod 1777 "$work"
export TMPDIR=$work

cleanup() {
  stop_cluster
  [ -z "$no_main" ] || as_root rm -f "$no_main"
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

# Prints why uuidnew cannot be built and tested with this pg_config; nothing if it can.
pg_problem() {
  local version major bin
  version=$("$1" --version 2>/dev/null) || version=
  major=$(sed -nE 's/^PostgreSQL ([0-9]+).*/\1/p' <<<"$version")
  bin=$("$1" --bindir 2>/dev/null) || bin=
  if [ -z "$major" ]; then
    echo "$1 is not the pg_config of a PostgreSQL."
  elif [ "$major" -lt 14 ]; then
    echo "$1 belongs to $version; uuidnew needs PostgreSQL 14 or newer."
  elif ! [ -e "$("$1" --includedir-server)/postgres.h" ] || ! [ -e "$("$1" --pgxs)" ]; then
    echo "$1 belongs to $version, whose server headers are not installed" \
      "(package postgresql-server-dev-$major on Debian and Ubuntu, postgresql$major-devel elsewhere)."
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

# Sets PG_CONFIG (the caller's own choice is kept) and PGBIN.
find_pg() {
  local problem dir
  if [ -n "${PG_CONFIG:-}" ]; then
    has "$PG_CONFIG" || die "PG_CONFIG is '$PG_CONFIG', which is no program that can be run."
    PG_CONFIG=$(realpath -s "$(command -v "$PG_CONFIG")")
    problem=$(pg_problem "$PG_CONFIG")
    [ -z "$problem" ] || die "$problem"
  else
    read -r PG_CONFIG < <(usable_pgs) || die "found no PostgreSQL (14 or newer) with its server headers;" \
      "install one, or set PG_CONFIG to its pg_config."
  fi
  PGBIN=$("$PG_CONFIG" --bindir)
  export PG_CONFIG PGBIN
  for dir in "$("$PG_CONFIG" --pkglibdir)" "$("$PG_CONFIG" --sharedir)/extension"; do
    [ -w "$dir" ] || has sudo ||
      die "cannot write to $dir, where the extension is to be installed: run this as root, or install sudo."
  done
  echo "Using $("$PG_CONFIG" --version) ($PGBIN)"
}

# ---- packages ----

# The packages that bring a PostgreSQL: the headers for the newest server that is installed,
# or else the server and the headers of the version that the system offers.
pg_packages() {
  local bin version
  for bin in $(printf '%s\n' /usr/lib/postgresql/*/bin | sort -rV); do
    version=$(basename "$(dirname "$bin")")
    if [ -x "$bin/initdb" ] && [ "$version" -ge 14 ]; then
      echo "postgresql-server-dev-$version"
      return
    fi
  done
  version=$(apt-cache depends postgresql | sed -nE 's/.*Depends: postgresql-([0-9]+)$/\1/p')
  [ -n "$version" ] || die "apt-get knows no package postgresql: is the system's package list complete?"
  echo "postgresql-$version postgresql-server-dev-$version"
}

apt_install() {
  as_root env DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1 \
    apt-get -qy -o DPkg::Lock::Timeout=300 install --no-install-recommends "$@"
}

has_libfuzzer() {
  echo 'int LLVMFuzzerTestOneInput(const char *data, unsigned long size) { return !data && size; }' |
    clang -x c -fsanitize=fuzzer,address - -o "$work/libfuzzer" >/dev/null 2>&1
}

# ensure_tools build|test|fuzz|plot|randomness|client-js|client-py|client-pl|client-java...:
# installs what is missing with apt-get. (libpq, for client-c, comes with PostgreSQL's headers.)
ensure_tools() {
  local group packages=() want_pg='' missing
  include() { has gcc && echo "#include <$1>" | gcc -E - >/dev/null 2>&1; }
  for group; do
    case $group in
      build)
        has gcc || packages+=(gcc)
        include stdlib.h || packages+=(libc6-dev)
        has make || packages+=(make)
        [ -n "${PG_CONFIG:-}" ] || [ -n "$(usable_pgs)" ] || want_pg=postgresql
        ;;
      test)
        has clang || packages+=(clang)
        has prove || packages+=(perl)
        include cmocka.h || packages+=(libcmocka-dev)
        [ "$(uname)" = Linux ] || continue # what is left out elsewhere: see scripts/test --quick
        has valgrind || packages+=(valgrind)
        perl -MIPC::Run -e 1 2>/dev/null || packages+=(libipc-run-perl)
        compgen -G '/usr/lib/*/faketime/libfaketime.so.1' >/dev/null || packages+=(libfaketime)
        ;;
      plot) has gnuplot || packages+=(gnuplot-nox) ;;
      fuzz) # is part of clang's package, or else one of its own
        has_libfuzzer || packages+=("libclang-rt-$(clang -dumpversion | cut -d . -f 1)-dev")
        ;;
      randomness)
        has ent || packages+=(ent)
        has dieharder || packages+=(dieharder)
        ;;
      client-js)
        has node || packages+=(nodejs)
        has npm || packages+=(npm)
        ;;
      client-py) /usr/bin/python3 -c 'import psycopg' 2>/dev/null || packages+=(python3-psycopg) ;;
      client-pl) /usr/bin/perl -MDBD::Pg -e 1 2>/dev/null || packages+=(libdbd-pg-perl) ;;
      client-java)
        has javac || packages+=(default-jdk-headless)
        [ -e /usr/share/java/postgresql.jar ] || packages+=(libpostgresql-jdbc-java)
        ;;
    esac
  done
  [ -n "${packages[*]}$want_pg" ] || return 0
  missing="${packages[*]}${want_pg:+ $want_pg}"
  has apt-get || die "missing here: $missing. There is no apt-get, so please install it by hand."
  is_root || has sudo || die "missing here: $missing. To have it installed, run this as root or install sudo."

  # A package list that cannot be renewed may still do: the installation itself decides.
  as_root apt-get -q update >"$work/log" 2>&1 || true
  if [ -n "$want_pg" ]; then
    # shellcheck disable=SC2207  # package names, split at blanks
    packages+=($(pg_packages)) || exit 1
    # Debian's package would create and start a cluster "main".
    no_main=/etc/postgresql-common/createcluster.d/uuidnew.conf
    as_root mkdir -p "${no_main%/*}"
    echo 'create_main_cluster = false' | as_root tee "$no_main" >/dev/null
  fi
  echo "Installing ${packages[*]}"
  apt_install "${packages[@]}" >"$work/log" 2>&1 || {
    sleep 5 # a mirror may have changed, or failed, in between
    as_root apt-get -q update >"$work/log" 2>&1 || true
    quietly "apt-get install ${packages[*]}" apt_install "${packages[@]}"
  }
  if [ -n "$no_main" ]; then
    as_root rm "$no_main"
    as_root rmdir --ignore-fail-on-non-empty "${no_main%/*}"
    no_main=
  fi
}

# ---- the extension ----

# copy_source DIR: what is built and run is a copy, so that the checkout stays as it is.
copy_source() {
  rm -rf "$1" && mkdir "$1" && tar -C "$root" --exclude=./.git --exclude='*.o' --exclude='*.bc' --exclude='*.so' \
    --exclude='*.dylib' --exclude=./results --exclude=tmp_check -cf - . | tar -C "$1" --no-same-owner -xf - &&
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

# The caller's CC may not know all the flags that PostgreSQL was built with.
build() {
  copy_source "$work/src" && pg_make "$work/src" -j2 all ${build_cc:+CC="$build_cc" \
    COPT='-fno-lto -Wno-unknown-warning-option -Wno-ignored-optimization-argument'}
}

install_built() {
  pg_make "$work/src" install || { ! is_root && has sudo && prefix=sudo pg_make "$work/src" install; }
}

build_install() {
  quietly "the build" build
  quietly "the installation" install_built
  echo "Installed uuidnew in $("$PG_CONFIG" --sharedir)/extension"
}

# ---- a throwaway cluster ----

# The user for what refuses to run as root.
pg_user() { if id postgres >/dev/null 2>&1; then echo postgres; else echo nobody; fi; }

as_pg() (
  cd "$work" || exit # the caller's directory may be closed to that user
  is_root || exec "$@"
  export HOME=$work
  ! has runuser || exec runuser -u "$(pg_user)" -- "$@"
  exec setpriv --reuid "$(pg_user)" --regid "$(id -g "$(pg_user)")" --clear-groups "$@"
)

# start_cluster [SETTING...]: a new cluster, reached only through a socket in $work.
# $server, if set, is the command to run in place of postgres.
start_cluster() {
  cluster=$work/cluster
  as_pg mkdir "$cluster"
  quietly initdb as_pg "$PGBIN/initdb" -D "$cluster/data" -U postgres -A trust --no-sync --no-locale -E UTF8
  printf '%s\n' "listen_addresses = ''" "unix_socket_directories = '$cluster'" 'port = 5432' \
    'fsync = off' "$@" >>"$cluster/data/postgresql.conf"
  printf '%s\n' '#!/bin/sh' "echo \$\$ >$cluster/pid" "exec ${server:-"$PGBIN/postgres"} \"\$@\"" >"$work/server"
  chmod +x "$work/server"
  export PGHOST=$cluster PGPORT=5432 PGUSER=postgres PGDATABASE=postgres
  as_pg "$PGBIN/pg_ctl" -D "$cluster/data" -l "$cluster/log" -p "$work/server" -w -t 120 start >/dev/null 2>&1 || {
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
