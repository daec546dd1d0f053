# shellcheck shell=bash
# Other machines than this one, for scripts/test: a big-endian one under QEMU, a 32-bit one in a
# chroot (or under QEMU), and a server with assertions. What they need comes from the release of
# Debian that has the PostgreSQL tested here.

known_machines=(i386 s390x assertions)

# other_machines MACHINE...
other_machines() {
  local machine machine_dir machine_major no_machine
  for machine; do
    machine_dir=$work/$machine
    if find_machine; then
      "test_$machine"
    else
      skip "$machine: $no_machine"
    fi
  done
}

# Finds what $machine is to be made of, or sets no_machine: why nothing can be had.
find_machine() {
  local suite list
  find_majors || { no_machine=$no_majors && return 1; }
  no_machine='i386 runs on x86-64 alone'
  [ "$machine" != i386 ] || [ "$(uname -m)" = x86_64 ] || return
  machine_major=$(pg_major)
  # a version that no release has: the oldest of the others
  [ -n "${suite_of[$machine_major]:-}" ] ||
    machine_major=$(printf '%s\n' "${!suite_of[@]}" | sort -n | head -n 1)
  suite=${suite_of[$machine_major]}
  no_machine="Debian's $suite has no PostgreSQL $machine_major for it"
  list=$(sources "$suite")
  [ "$machine" != assertions ] || list=${list/#deb /deb-src }
  new_archive "$machine_dir" "$list"
  machine_archive apt-get update >"$work/log" || true
  machine_archive apt-cache madison "postgresql-$machine_major" | grep -q .
}

# machine_archive COMMAND...: apt-get or apt-cache, for that machine
machine_archive() {
  local architecture=$machine
  [ "$machine" != assertions ] || architecture=$(dpkg --print-architecture)
  archive "$machine_dir" "$1" -o APT::Architecture="$architecture" -o APT::Architectures= \
    -o Dir::State::status=/dev/null -o APT::Sandbox::User=root "${@:2}"
}

# ---- pure code, cross-compiled and run under QEMU ----

# Headers and cmocka of that machine, and the C library to run with
emulated_tree() {
  local file
  scripts/install-tools "$machine" && copy_source "$machine_dir/src" &&
    machine_archive apt-get install -y --no-install-recommends --download-only libcmocka-dev &&
    (cd "$machine_dir/archives" &&
      machine_archive apt-get download "postgresql-server-dev-$machine_major") || return
  for file in "$machine_dir"/archives/*.deb; do
    dpkg-deb -x "$file" "$machine_dir/root" || return
  done
  printf '%s\n' '#!/bin/sh' \
    "echo $machine_dir/root/usr/include/postgresql/$machine_major/server" >"$machine_dir/pg_config"
  chmod +x "$machine_dir/pg_config"
}

# emulated_make DIR COMPILER ARGUMENTS...
emulated_make() {
  local tree=$machine_dir/root
  UNIT_DIVISOR=10 make -s -C "$machine_dir/src/test/$1" CC="$2" PG_CONFIG="$machine_dir/pg_config" \
    CPPFLAGS="-isystem $tree/usr/include" LDFLAGS="-L$tree/usr/lib/$machine-linux-gnu" \
    RUN="qemu-$machine -L $tree" "${@:3}"
}

# emulated_tests COMPILER [COMPILER]: the second one for the unit tests, whose 128-bit numbers not
# every compiler has
emulated_tests() {
  check "$machine: compiler, headers and emulator" emulated_tree
  [ -e "$machine_dir/pg_config" ] || return 0
  if ((${#unit[@]} || ${#names[@]} == 0)); then
    check_many "$machine: unit tests" '^\[ +OK \]' \
      emulated_make unit "${2:-$1}" check ${unit[0]+TESTS="${unit[*]}"}
  fi
  if ((${#fuzzers[@]} || ${#names[@]} == 0)); then
    check "$machine: the fuzzers, with random input" \
      emulated_make fuzz "$1" run-random ${fuzzers[0]+FUZZERS="${fuzzers[*]}"}
  fi
}

# ---- s390x: big-endian ----

test_s390x() { emulated_tests s390x-linux-gnu-gcc; }

# ---- i386: 32 bits, where no int8 or timestamptz fits a Datum ----

# Not every kernel for x86-64 runs such programs.
runs_i386() {
  gcc -m32 -nostdlib -static -x c - -o "$work/i386-program" <<'END' && "$work/i386-program"
void _start(void) { __asm__("int $0x80" : : "a"(1), "b"(0)); }
END
}

test_i386() {
  if runs_i386 2>/dev/null; then
    tests_elsewhere i386 test_in_chroot i386 "$machine_major" "${names[@]}"
  else
    skip 'i386: all that needs a server: the kernel here runs no 32-bit programs'
    emulated_tests i686-linux-gnu-gcc 'clang --target=i686-linux-gnu'
  fi
}

# ---- assertions: no package has a server with them ----

assertions_server() {
  scripts/install-tools source && cd "$machine_dir" &&
    machine_archive apt-get source --download-only "postgresql-$machine_major" &&
    mkdir source && tar -xf postgresql-*.orig.tar.* -C source --strip-components=1 && cd source &&
    ./configure --prefix="$machine_dir/pg" --enable-cassert --enable-debug --enable-tap-tests \
      --without-icu --without-readline --without-zlib CFLAGS='-O1 -g' &&
    make -s -j2 install && make -s -j2 -C contrib install
}

test_assertions() {
  local named=("${names[@]}")
  check 'assertions: a server that has them' assertions_server
  [ -x "$machine_dir/pg/bin/pg_config" ] || return 0
  ((${#named[@]})) ||
    mapfile -t named < <(basename -a -s .sql sql/*.sql && basename -a -s .pl test/t/*.pl)
  tests_elsewhere assertions env PG_CONFIG="$machine_dir/pg/bin/pg_config" \
    scripts/test --quick "${named[@]}"
}
