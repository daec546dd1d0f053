# shellcheck shell=bash
# The parts of bench/run.

run_sql() { # FILE VARIABLE=VALUE...
  local file=$1 settings=() setting
  shift
  for setting; do settings+=(-v "$setting"); done
  "$PGBIN/psql" -X -q -v ON_ERROR_STOP=1 -v results="$results" -v repetitions="$repetitions" \
    "${settings[@]}" -f "$root/bench/$file"
}

# No other process than the one measured, and no checkpoint in between.
quiet_cluster() {
  start_cluster 'jit = off' 'max_parallel_workers_per_gather = 0' 'autovacuum = off' \
    'checkpoint_timeout = 1h' 'max_wal_size = 20GB' "$@"
}

part_calls() {
  quiet_cluster 'shared_buffers = 256MB'
  run_sql calls.sql library="$source/bench/uuidnew_bench" repetitions="$(pick 3 11)"
}

part_insert() {
  quiet_cluster 'shared_buffers = 2GB' 'maintenance_work_mem = 512MB'
  run_sql insert.sql rows="$(pick 50000 2000000)"
}

part_growth() {
  # Checkpoints as a busy server has them: each makes the next change of a page write all of it.
  start_cluster 'jit = off' 'autovacuum = off' "shared_buffers = $(pick 4MB 32MB)" \
    "max_wal_size = $(pick 64MB 256MB)" 'checkpoint_timeout = 30s'
  run_sql growth.sql rows="$(pick 200000 5000000)" batches="$(pick 4 20)"
}

# pgbench_rate SQL CLIENTS SECONDS: transactions per second
pgbench_rate() {
  echo "$1" >"$work/script"
  "$PGBIN/pgbench" -n -M prepared -f "$work/script" -c "$2" -j 2 -T "$3" </dev/null \
    >"$work/pgbench.out" 2>&1 || die "pgbench: $(cat "$work/pgbench.out")"
  sed -nE 's/^tps = ([0-9.]+).*/\1/p' "$work/pgbench.out" | tail -n 1
}

part_windows() {
  # all in memory: a table of more than a quarter of shared_buffers would be read past them
  quiet_cluster 'shared_buffers = 3GB' 'maintenance_work_mem = 512MB' 'wal_level = minimal' \
    'max_wal_senders = 0'
  run_sql windows.sql rows="${ROWS:-$(pick 200000 10000000)}" repetitions="$(pick 3 11)"
}

# Keys per second with each scope, in a query that does nothing else; the scopes take turns.
part_order() {
  local r scope clients
  quiet_cluster "shared_preload_libraries = 'uuidnew'"
  run_sql lib.sql
  for ((r = 1; r <= repetitions; r++)); do
    for scope in session server; do
      as_pg "$PGBIN/pg_ctl" -D "$cluster/data" -w stop >/dev/null
      echo "uuidnew.order_scope = $scope" >>"$cluster/data/postgresql.conf"
      as_pg "$PGBIN/pg_ctl" -D "$cluster/data" -l "$cluster/log" -p "$work/server" -w start \
        >/dev/null
      # two seconds are reserved: then keys are in the clock's time again
      "$PGBIN/psql" -XqAt -c 'SELECT public.uuidv7()' -c 'SELECT pg_sleep(2)' >/dev/null
      for clients in 1 2; do
        printf '%s\tqueries\t%s\t%s\t%s\n' "$scope" "$clients" "$r" "$(pgbench_rate \
          'SELECT count(public.uuidv7()) FROM generate_series(1, 10000)' "$clients" "$(pick 1 3)")"
      done
    done
  done >"$work/order.tsv"
  run_sql order.sql <"$work/order.tsv"
}

part_tables() {
  local r no variant clients before rate rows seconds=3
  rows=${ROWS:-$(pick 20000 1000000)}
  [ -z "$quick" ] || seconds=1
  quiet_cluster 'shared_buffers = 4GB' 'maintenance_work_mem = 512MB' 'fsync = on' \
    'max_parallel_maintenance_workers = 0'
  run_sql tables.sql rows="$rows"
  "$PGBIN/psql" -XAt -F ' ' -c 'SELECT no, variant FROM kinds ORDER BY no' >"$work/kinds"
  for ((r = 1; r <= repetitions; r++)); do
    for clients in 1 8; do
      while read -r no variant; do
        before=$("$PGBIN/psql" -XAtq -c CHECKPOINT \
          -c "SELECT pg_current_wal_insert_lsn(), count(*) FROM events_$no" </dev/null)
        rate=$(pgbench_rate "INSERT INTO events_$no (customer, item)
          VALUES (1, 'an item of an order, in 32 bytes')" "$clients" "$seconds")
        printf '%s\ttps\t%s\t%s\t%s\n' "$variant" "$clients" "$r" "$rate"
        printf '%s\tWAL\t%s\t%s\t%s\n' "$variant" "$clients" "$r" "$("$PGBIN/psql" -XAtq -c "
          SELECT (pg_current_wal_insert_lsn() - '${before%|*}') / (count(*) - ${before#*|})
          FROM events_$no" </dev/null)"
      done <"$work/kinds"
    done
  done >"$work/tables.tsv"
  run_sql tables_report.sql <"$work/tables.tsv"
}
