# shellcheck shell=bash
# The tests that scripts/test runs with servers: SQL and TAP tests, and SQL tests under sanitizers
# and valgrind.

# ---- SQL tests ----

# pg_regress prints "test NAME ... ok" until PostgreSQL 15, then "ok 1 - NAME".
regress_ok='^(test)? +[^ ]+ +\.\.\. ok|^ok +[0-9]'

# installcheck [TEST...]: on the cluster; without TESTs, all.
installcheck() {
  copy_source "$work/regress" || return
  pg_make "$work/regress" -s installcheck TAP_TESTS= ${1+REGRESS="$*" ISOLATION=} ||
    { head -n 60 "$work/regress/regression.diffs" && return 1; }
}

# With JIT, which is on by default and takes long to begin
all_regress_tests() {
  start_cluster ${quick:+"jit = off"}
  check_many regress "$regress_ok" installcheck ${regress_tests[0]:+"${regress_tests[@]}"}
  stop_cluster
}

# ---- TAP tests ----

pgxs_dir() { realpath "$(dirname "$("$PG_CONFIG" --pgxs)")/.."; }

# tap_test FILE
tap_test() {
  local pgxs
  pgxs=$(pgxs_dir)
  # the variables of PGXS's prove_installcheck
  as_pg env -C "$source" PATH="$tap/bin:$PGBIN:$PATH" PG_TEST_PORT_DIR="$tap/ports" \
    PG_REGRESS="$pgxs/test/regress/pg_regress" TESTDIR="$work" \
    TESTDATADIR="$work/tmp_check" TESTLOGDIR="$work/tmp_check/log" \
    perl -I "$pgxs/test/perl" "$1" >"$work/tap.log" 2>"$work/tap.err" || {
    head -n 40 "$work/tap.err"
    tail -n 15 "$work"/tmp_check/log/*
    grep '^ok ' "$work/tap.log"
    return 1
  }
  cat "$work/tap.log"
}

# A new cluster is a copy of one that initdb has made. Since PostgreSQL 16, PostgreSQL::Test copies
# the template; for earlier versions, a script in place of initdb does.
prepare_tap() {
  tap=$work/tap
  export INITDB_TEMPLATE=$tap/template
  as_pg mkdir -p "$tap/bin" "$tap/ports"
  quietly initdb as_pg "$PGBIN/initdb" -D "$INITDB_TEMPLATE" -A trust -N
  as_pg tee "$tap/bin/initdb" >/dev/null <<END
#!/bin/sh
if [ "\$#" = 5 ] && [ "\$1 \$3 \$4 \$5" = "-D -A trust -N" ]; then
  mkdir -p "\${2%/*}" && exec cp -RPp "$INITDB_TEMPLATE" "\$2"
fi
exec "$PGBIN/initdb" "\$@"
END
  as_pg chmod +x "$tap/bin/initdb"
}

# ---- SQL tests under sanitizers ----

# A server finds its library directory from its own path, so a copy of the program can have another
# uuidnew than the installed one.
sanitized_tree() {
  local dir
  for dir in "$("$PG_CONFIG" --pkglibdir)" "$("$PG_CONFIG" --sharedir)"; do
    mkdir -p "$work/tree${dir%/*}" && cp -rs "$dir" "$work/tree$dir" || return
  done
  mkdir -p "$work/tree$PGBIN" && cp "$PGBIN/postgres" "$work/tree$PGBIN" &&
    find "$work/tree" -name 'uuidnew*' -prune -exec rm -rf {} + && copy_source "$work/asan" &&
    pg_make "$work/asan" -j2 install DESTDIR="$work/tree" with_llvm=no CC=gcc \
      COPT='-fsanitize=address,undefined -fno-sanitize-recover=undefined' &&
    # Debian's libgpg-error, a library of the server, calls gettext before AddressSanitizer is
    # ready, and would hang: a library that is loaded first calls malloc.
    echo 'void *malloc(unsigned long);
      __attribute__((constructor)) static void first(void) { malloc(1); }' |
    gcc -shared -fPIC -O0 -fno-builtin -Wl,-z,initfirst -x c - -o "$work/tree/first.so"
}

# PostgreSQL loads such a library only if the sanitizers are loaded.
sanitizer_is_on() {
  "$PGBIN/psql" -XAtc "SELECT setting FROM pg_config() WHERE name = 'PKGLIBDIR'" |
    grep -Fx "$work/tree$("$PG_CONFIG" --pkglibdir)"
}

no_sanitizer_report() {
  ! grep -E -m 1 -A 30 'AddressSanitizer|runtime error:' "$cluster/log"
}

sanitized_server() {
  local server
  check 'build with AddressSanitizer and UBSan' sanitized_tree
  [ -e "$work/tree/first.so" ] || return 0
  server="env ASAN_OPTIONS=detect_leaks=0 \
    LD_PRELOAD=$(gcc -print-file-name=libasan.so):$work/tree/first.so $work/tree$PGBIN/postgres"
  start_cluster 'jit = off'
  check 'the server has the library with the sanitizers' sanitizer_is_on
  check_many 'with sanitizers' "$regress_ok" installcheck
  check 'no report of a sanitizer in the server log' no_sanitizer_report
  stop_cluster
}

# ---- SQL tests under valgrind ----

# Reports about PostgreSQL's code have other paths.
no_valgrind_report() {
  compgen -G "$work/valgrind.*" >/dev/null &&
    ! grep -E -B 8 "$source|/uuidnew\.so" "$work"/valgrind.*
}

# Four tests of very many UUIDs would take minutes, and run under the sanitizers.
valgrind_server() {
  local server tests
  server="valgrind -q --leak-check=no --num-callers=40 --fullpath-after= \
    --log-file=$work/valgrind.%p $PGBIN/postgres"
  start_cluster 'jit = off'
  mapfile -t tests < <(basename -s .sql sql/*.sql | grep -vxE 'layouts|v7|info|text_forms')
  check_many 'under valgrind' "$regress_ok" installcheck "${tests[@]}"
  stop_cluster
  check 'no report of valgrind about uuidnew' no_valgrind_report
}
