# shellcheck shell=bash
# Tests with other servers and machines, for scripts/test: other major versions of PostgreSQL and
# i386 (32 bits) in throwaway chroots of Debian's releases, s390x (big-endian) under QEMU, and a
# server with assertions, which no package has.

known_majors=({14..20})
# a major version is taken from the first that has it
suites=(stable oldstable unstable testing experimental)
declare -A suite_of=() # by major version
here=$(dpkg --print-architecture 2>/dev/null) || here=
mirror=
chroots= # the directory, not in /tmp, which may be in memory or allow no devices

# ---- Debian's archive ----

# sources TYPE SUITE...
sources() {
  local keys=/usr/share/keyrings/debian-archive-keyring.gpg
  printf "$1 [signed-by=$keys] $mirror %s main\n" "${@:2}"
}

# new_archive NAME ARCHITECTURE SOURCES
new_archive() {
  mkdir -p "$work/$1/lists/partial" "$work/$1/archives/partial"
  echo "$3" >"$work/$1/sources"
  archive "$1" "$2" apt-get update || true # a suite may be missing
}

# archive NAME ARCHITECTURE COMMAND...: apt-get or apt-cache, for that archive and architecture
# instead of the machine's.
archive() {
  local dir=$work/$1
  "$3" -q -o Dir::Etc::SourceList="$dir/sources" -o Dir::Etc::SourceParts=- -o Dir::Cache="$dir" \
    -o Dir::State::Lists="$dir/lists" -o Dir::State::status=/dev/null -o APT::Architecture="$2" \
    -o APT::Architectures= -o APT::Sandbox::User=root -o Acquire::Languages=none "${@:4}"
}

# Sets suite_of, or problem.
find_majors() {
  local suite version
  problem='chroots need root, and the right to mount'
  is_root && unshare --mount --pid --fork true 2>/dev/null || return
  problem="the machine's packages do not come from Debian's archive"
  [ -n "$here" ] || return
  scripts/install-tools elsewhere
  # shellcheck disable=SC2016  # apt-get's
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' \
    'Label: Debian' | head -n 1)
  [ -n "$mirror" ] || return
  new_archive majors "$here" "$(sources deb "${suites[@]}")" >"$work/log" 2>&1
  # package | version | URI suite/main architecture Packages
  while read -r _ _ version _ _ suite _; do
    : "${suite_of[${version%%[!0-9]*}]:=${suite%/*}}"
  done < <(for suite in "${suites[@]}"; do
    archive majors "$here" apt-cache madison "${known_majors[@]/#/postgresql-server-dev-}" |
      grep -F " $suite/main "
  done)
  problem="Debian's archive is out of reach"
  ((${#suite_of[@]})) && chroots=$(mktemp -d /var/tmp/uuidnew.XXXXXX) && chmod 755 "$chroots"
}

# ---- chroots ----

# in_namespace COMMAND...: its mounts and all of its processes end with it, or with this shell.
in_namespace() {
  local pid
  unshare --mount --pid --fork --kill-child "$@" &
  pid=$!
  # shellcheck disable=SC2064  # this process; unshare ignores other signals
  trap "kill -KILL $pid; exit 143" INT TERM HUP
  wait "$pid"
}

# in_chroot DIR COMMAND...
in_chroot() {
  # shellcheck disable=SC2016  # expanded there
  in_namespace sh -ec '
    mount -t proc proc "$0/proc"
    mount -t tmpfs tmpfs "$0/dev/shm"
    exec chroot "$0" "$@"' "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "${@:2}"
}

# make_chroot ENVIRONMENT: a major version of PostgreSQL, or i386
make_chroot() {
  local dir=$chroots/$1 major=$1 architecture=$here suite base
  [ "$1" != i386 ] || major=$debian_major architecture=i386
  suite=${suite_of[$major]} base=${suite_of[$major]}
  [ "$suite" != experimental ] || base=unstable # experimental has only a few packages
  in_namespace env -u TMPDIR debootstrap --arch="$architecture" --variant=minbase \
    --include=ca-certificates "$base" "$dir" "$mirror" || return
  copy_source "$dir/uuidnew"
  sources deb "$base" "$suite" | uniq >"$dir/etc/apt/sources.list"
  { apt-config dump | grep -E '^Acquire::(Check-|https?::)' || true; } \
    >"$dir/etc/apt/apt.conf.d/uuidnew"
  printf '%s\n' force-unsafe-io 'path-exclude=/usr/share/doc/*' 'path-exclude=/usr/share/man/*' \
    >"$dir/etc/dpkg/dpkg.cfg.d/uuidnew"
  printf '%s\n' "Package: src:postgresql-$major" "Pin: release a=$suite" 'Pin-Priority: 990' \
    >"$dir/etc/apt/preferences.d/uuidnew"
  in_chroot "$dir" env PG_CONFIG=chosen \
    /uuidnew/scripts/install-tools "postgresql-$major" build test clang
}

label() { if [[ $1 == [0-9]* ]]; then echo "PostgreSQL $1"; else echo "$1"; fi; }

prepare_server() {
  local label server=make_chroot
  label=$(label "$1")
  [ "$1" != assertions ] || server=assertions_server
  check "$label: there is a server" $server "$1"
  [ "$1" != "$packages" ] || check_many "$label: packages" ': built, installed and tested$' \
    in_chroot "$chroots/$1" /uuidnew/scripts/package deb volume
}

# ---- s390x ----

# Headers and cmocka for that machine, and the C library to run with
emulated_tree() {
  local major=$debian_major file
  scripts/install-tools s390x && copy_source "$work/src" &&
    new_archive s390x s390x "$(sources deb "${suite_of[$major]}")" && cd "$work/s390x/archives" &&
    archive s390x s390x apt-get download "postgresql-server-dev-$major" \
      libcmocka-dev libcmocka0 libc6 || return
  for file in *.deb; do
    dpkg-deb -x "$file" "$work/root" || return
  done
  printf '%s\n' '#!/bin/sh' \
    "echo $work/root/usr/include/postgresql/$major/server" >"$work/pg_config"
  chmod +x "$work/pg_config"
}

# emulated_make DIR ARGUMENTS...
emulated_make() {
  UNIT_DIVISOR=20 make -s -C "$work/src/test/$1" CC=s390x-linux-gnu-gcc \
    PG_CONFIG="$work/pg_config" CPPFLAGS="-isystem $work/root/usr/include" \
    LDFLAGS="-L$work/root/usr/lib/s390x-linux-gnu" RUN="qemu-s390x -L $work/root" "${@:2}"
}

test_s390x() {
  check "s390x: compiler, headers and emulator" emulated_tree
  [ -e "$work/pg_config" ] || return 0
  check_many "s390x: unit tests" '^\[ +OK \]' \
    emulated_make unit check ${unit[0]:+TESTS="${unit[*]}"}
  check "s390x: the fuzzers, with random input" emulated_make fuzz run-random
}

# ---- assertions ----

assertions_server() {
  scripts/install-tools assertions && cd "$work" &&
    new_archive debian "$here" "$(sources deb-src "${suite_of[$debian_major]}")" &&
    archive debian "$here" apt-get source --download-only "postgresql-$debian_major" &&
    mkdir source && tar -xf postgresql-*.orig.tar.* -C source --strip-components=1 && cd source &&
    ./configure --prefix="$chroots/assertions" --enable-cassert --enable-debug \
      --enable-tap-tests --without-icu --without-readline --without-zlib CFLAGS='-O1 -g' &&
    make -s -j2 install && make -s -j2 -C contrib install
}

# ---- what is tested ----

# Not every kernel for x86-64 runs such programs.
runs_i386() {
  [ "$(uname -m)" = x86_64 ] &&
    gcc -m32 -nostdlib -static -x c - -o "$work/i386-program" <<'END' && "$work/i386-program"
void _start(void) { __asm__("int $0x80" : : "a"(1), "b"(0)); }
END
}

# plan_elsewhere all|ENVIRONMENT...: adds to the jobs preparations and elsewhere.
plan_elsewhere() {
  local environment problem='' majors
  find_majors || { say "skip other servers and machines ($*): $problem" && return; }
  mapfile -t majors < <(printf '%s\n' "${!suite_of[@]}" | sort -n)
  newest=${majors[-1]}
  debian_major=$(pg_major) # or another one, if no release has it
  [ -n "${suite_of[$debian_major]:-}" ] || debian_major=${majors[0]}
  if [ "$1" = all ]; then
    packages=$newest
    mapfile -t majors < <(printf '%s\n' "${majors[@]}" | grep -vx "$(pg_major)")
    set -- "${majors[@]}" i386 s390x assertions
  fi
  for environment; do
    if [[ $environment == [0-9]* && -z ${suite_of[$environment]:-} ]]; then
      say "skip PostgreSQL $environment: no release of Debian has it"
    elif [ "$environment" = i386 ] && ! runs_i386 2>/dev/null; then
      say "skip i386: the kernel here does not run 32-bit programs"
    elif [ "$environment" = s390x ]; then
      preparations+=(test_s390x)
    else
      preparations+=("prepare_server $environment")
      elsewhere+=("test_elsewhere $environment")
    fi
  done
}

# names_elsewhere ENVIRONMENT: the newest version, i386 and assertions have all tests that a server
# can change, and other versions a few.
names_elsewhere() {
  basename -a -s .sql sql/*.sql
  if [[ $1 == [0-9]* && $1 != "$newest" ]]; then
    printf '%s\n' key_order window_plans partitions partman_cron tables_extension upgrade_to_18
  else
    basename -a -s .pl test/t/*.pl |
      grep -vxE 'conformance|duplicate_chances|layout_figures|vector_scripts|partman_cron'
  fi
  [ "$1" != i386 ] || basename -a -s _test.c test/unit/*_test.c
}

test_elsewhere() {
  local named=("${names[@]}") run
  ((${#named[@]})) || mapfile -t named < <(names_elsewhere "$1")
  if [ "$1" = assertions ]; then
    run=(env PG_CONFIG="$chroots/assertions/bin/pg_config" scripts/test)
  else
    run=(in_chroot "$chroots/$1" env UNIT_DIVISOR=100 /uuidnew/scripts/test)
  fi
  "${run[@]}" --quick "${named[@]}" 2>&1 | labeled "$(label "$1"): " scripts/test || true
}
