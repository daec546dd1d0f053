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

part_clients() {
  local r clients no variant
  quiet_cluster 'shared_buffers = 1GB' 'fsync = on' 'max_connections = 60'
  run_sql lib.sql
  "$PGBIN/psql" -XqAt -v ON_ERROR_STOP=1 -c "
    DO \$\$
    DECLARE k keys;
    BEGIN
      FOR k IN SELECT * FROM keys LOOP
        CALL create_table(k);
        EXECUTE 'INSERT INTO events (payload)
          SELECT i FROM generate_series(1, $(pick 10000 1000000)) i';
        EXECUTE format('ALTER TABLE events RENAME TO events_%s', k.no);
        EXECUTE format('ALTER INDEX events_pkey RENAME TO events_%s_pkey', k.no);
      END LOOP;
    END \$\$" -c CHECKPOINT
  "$PGBIN/psql" -XAt -F ' ' -c 'SELECT no, variant FROM keys ORDER BY no' >"$work/keys"
  mkdir -p "$work/pgbench"
  for ((r = 1; r <= repetitions; r++)); do
    for clients in $(pick '1 8' '1 8 32'); do
      while read -r no variant; do
        echo "INSERT INTO events_$no (payload) VALUES (1);" >"$work/insert.sql"
        rm -f "$work"/pgbench/*
        "$PGBIN/pgbench" -n -M prepared -f "$work/insert.sql" -c "$clients" -j 2 \
          -T "$(pick 1 4)" --log --log-prefix="$work/pgbench/log" </dev/null \
          >"$work/pgbench.out" 2>&1 || die "pgbench: $(cat "$work/pgbench.out")"
        # a line's third field is the latency in microseconds
        cut -d ' ' -f 3 "$work"/pgbench/log* | sort -n |
          awk -v variant="$variant" -v clients="$clients" -v r="$r" -v tps="$(tps)" '
          { latency[NR] = $1 }
          function percentile(p) { return latency[int((NR - 1) * p) + 1] / 1000 }
          END {
            OFS = "\t"
            print variant, "tps", clients, r, tps
            print variant, "p50", clients, r, percentile(0.5)
            print variant, "p99", clients, r, percentile(0.99)
          }' >>"$work/samples.tsv"
      done <"$work/keys"
    done
  done
  run_sql clients.sql <"$work/samples.tsv"
}

# What pgbench says: transactions a second
tps() { sed -nE 's/^tps = ([0-9.]+).*/\1/p' "$work/pgbench.out" | tail -n 1; }

# set_scope SCOPE: the server is started with it.
set_scope() {
  as_pg "$PGBIN/pg_ctl" -D "$cluster/data" -m fast -w stop >/dev/null
  echo "uuidnew.order_scope = $1" >>"$cluster/data/postgresql.conf"
  as_pg "$PGBIN/pg_ctl" -D "$cluster/data" -l "$cluster/log" -p "$work/server" -w start >/dev/null
  # two seconds are reserved: keys are in the clock's time again
  "$PGBIN/psql" -XqAt -c 'SELECT public.uuidv7()' -c 'SELECT pg_sleep(2)' >/dev/null
}

# pgbench_rate SQL CLIENTS SECONDS: transactions a second
pgbench_rate() {
  echo "$1" >"$work/order.pgbench"
  "$PGBIN/pgbench" -n -M prepared -f "$work/order.pgbench" -c "$2" -j 2 -T "$3" </dev/null \
    >"$work/pgbench.out" 2>&1 || die "pgbench: $(cat "$work/pgbench.out")"
  tps
}

# cpu_ns SQL CALLS: the processor time of a call, which other processes do not disturb
cpu_ns() {
  local cpu="split_part(pg_read_file('/proc/self/schedstat'), ' ', 1)::float8"
  "$PGBIN/psql" -XAtq -v ON_ERROR_STOP=1 <<END
$1 \g /dev/null
SELECT $cpu AS before \gset
$(for _ in {1..20}; do echo "$1 \g /dev/null"; done)
SELECT ($cpu - :before) / 20 / $2;
END
}

part_order() {
  local r scope clients rate many=500 crowd keys=10000 calls memory
  local statement='SELECT count(CALL()), count(CALL()), count(CALL()), count(CALL()), count(CALL()),
    count(CALL()), count(CALL()), count(CALL()), count(CALL()), count(CALL())
    FROM generate_series(1, ROWS)'
  start_cluster "shared_preload_libraries = 'uuidnew'" 'uuidnew.order_scope = server'
  memory="SELECT 'memory', 'bytes', current_setting('max_connections'), 1, max(shared_bytes)
    FROM uuidnew_order()"
  "$PGBIN/psql" -XqAt -v ON_ERROR_STOP=1 -c 'CREATE EXTENSION uuidnew' \
    -c 'SELECT public.uuidv7()' >/dev/null
  "$PGBIN/psql" -XAt -F $'\t' -c "$memory" >"$work/order.tsv"
  stop_cluster

  quiet_cluster 'shared_buffers = 1GB' 'fsync = on' "max_connections = $((many + 50))" \
    "shared_preload_libraries = 'uuidnew'"
  run_sql lib.sql
  "$PGBIN/psql" -XqAt -v ON_ERROR_STOP=1 \
    -c "CREATE FUNCTION bench_empty() RETURNS uuid
      AS '$source/bench/uuidnew_bench' LANGUAGE C VOLATILE STRICT" \
    -c 'CREATE TABLE events (id uuid PRIMARY KEY DEFAULT public.uuidv7(), payload int)' \
    -c "INSERT INTO events (payload)
      SELECT i FROM generate_series(1, $(pick 10000 1000000)) i" \
    -c CHECKPOINT >/dev/null

  # processor time of one session, and keys a second of two at once
  calls=${statement//ROWS/$keys}
  for ((r = 1; r <= $(pick 1 7); r++)); do
    printf 'empty\tns\t1\t%s\t%s\n' "$r" "$(cpu_ns "${calls//CALL/bench_empty}" $((keys * 10)))"
    for scope in session server; do
      set_scope "$scope"
      printf '%s\tns\t1\t%s\t%s\n' "$scope" "$r" \
        "$(cpu_ns "${calls//CALL/public.uuidv7}" $((keys * 10)))"
      rate=$(pgbench_rate "SELECT count(public.uuidv7()) FROM generate_series(1, $keys)" 2 \
        "$(pick 1 2)")
      printf '%s\tkeys\t2\t%s\t%s\n' "$scope" "$r" "$(awk "BEGIN { print $rate * $keys }")"
      rate=$(pgbench_rate "${calls//CALL/public.uuidv7}" 2 "$(pick 1 2)")
      printf '%s\tkeys of ten a row\t2\t%s\t%s\n' "$scope" "$r" \
        "$(awk "BEGIN { print $rate * $keys * 10 }")"
    done
  done >>"$work/order.tsv"

  for ((r = 1; r <= repetitions; r++)); do
    for clients in $(pick '1 8' '1 8 32'); do
      for scope in session server; do
        set_scope "$scope"
        rate=$(pgbench_rate 'INSERT INTO events (payload) VALUES (1);' "$clients" "$(pick 1 4)")
        printf '%s\ttps\t%s\t%s\t%s\n' "$scope" "$clients" "$r" "$rate"
      done
    done
  done >>"$work/order.tsv"

  # horizons beside sessions that are idle, or have a key in flight
  set_scope server
  calls=${statement//ROWS/1000}
  for crowd in 'none' 'idle' 'in flight'; do
    case $crowd in
      idle) printf '%s\n' 'SELECT public.uuidv7();' '\sleep 1000 s' ;;
      *) printf '%s\n' 'BEGIN;' 'SELECT public.uuidv7();' '\sleep 1000 s' ;;
    esac >"$work/crowd.pgbench"
    if [ "$crowd" != none ]; then
      "$PGBIN/pgbench" -n -f "$work/crowd.pgbench" -c "$many" -T 1000 >"$work/crowd.out" 2>&1 &
      until [ "$("$PGBIN/psql" -XAtc "SELECT count(*) >= $many FROM pg_stat_activity
        WHERE state LIKE 'idle%' AND query LIKE '%uuidv7()%'")" = t ]; do
        sleep 0.5
      done
    fi
    for ((r = 1; r <= repetitions; r++)); do
      rate=$(pgbench_rate "${calls//CALL/uuidv7_horizon}" 1 "$(pick 1 2)")
      printf '%s\thorizon\t%s\t%s\t%s\n' "$crowd" 0 "$r" \
        "$(awk "BEGIN { print 1e6 / 10000 / $rate }")"
    done
    if [ "$crowd" != none ]; then
      kill $!
      wait $! || true
    fi
  done >>"$work/order.tsv"
  "$PGBIN/psql" -XAt -F $'\t' -c "$memory" >>"$work/order.tsv"
  run_sql order.sql many="$many" <"$work/order.tsv"
}

part_reading() {
  local r
  quiet_cluster 'shared_buffers = 2GB' 'work_mem = 512MB'
  run_sql reading.sql rows="$(pick 20000 2000000)"
  for ((r = 1; r <= repetitions; r++)); do
    # What the system caches of a file goes when a reader says that it is done with it.
    as_pg "$PGBIN/pg_ctl" -D "$cluster/data" -m fast -w stop >/dev/null
    find "$cluster/data/base" -type f -exec dd if={} iflag=nocache count=0 status=none \;
    as_pg "$PGBIN/pg_ctl" -D "$cluster/data" -l "$cluster/log" -p "$work/server" -w start >/dev/null
    run_sql cold.sql
  done
  run_sql reading_report.sql
}

part_memory() {
  local state_bytes
  quiet_cluster
  # what the library keeps is what it has in writable sections
  state_bytes=$(size -A "$("$PG_CONFIG" --pkglibdir)/uuidnew.so" |
    awk '$1 == ".data" || $1 == ".bss" { n += $2 } END { print n }')
  run_sql memory.sql calls="$(pick 1000000 10000000)" state_bytes="$state_bytes"
}

# What is compared is in memory; a table of more than a quarter of shared_buffers would be read past
# them.
loaded_cluster() {
  start_cluster "shared_buffers = $1" 'jit = off' 'max_parallel_workers_per_gather = 0' \
    'autovacuum = off' 'maintenance_work_mem = 512MB' 'wal_level = minimal' 'max_wal_senders = 0' \
    'max_wal_size = 4GB'
}

part_windows() {
  loaded_cluster 3GB
  run_sql time-windows.sql rows="${ROWS:-$(pick 200000 10000000)}" \
    repetitions="$(pick 3 11)" >"$results/time-windows.txt"
}

part_systems() {
  loaded_cluster 1GB
  run_sql systems.sql library="$source/bench/uuidnew_bench" \
    rows="${ROWS:-$(pick 20000 1000000)}" repetitions="$(pick 1 7)" \
    >"$results/systems.txt"
}

# The buffers are smaller than the tables, so that what is read shows.
part_rekey() {
  start_cluster 'shared_buffers = 64MB' 'jit = off' 'max_parallel_workers_per_gather = 0' \
    'max_wal_size = 8GB' 'track_io_timing = on'
  run_sql rekey.sql rows="${ROWS:-$(pick 20000 2000000)}" script="$work/rekey-steps.sql" \
    >"$work/rekey.txt"
}

part_partitions() {
  quiet_cluster
  run_sql partitions.sql rows="${ROWS:-$(pick 20000 1000000)}" days="$(pick 20 400)" \
    script="$work/partitions-steps.sql" >"$work/partitions.txt"
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
          VALUES (1, 'an item of an order, 32 octets')" "$clients" "$seconds")
        printf '%s\ttps\t%s\t%s\t%s\n' "$variant" "$clients" "$r" "$rate"
        printf '%s\tWAL\t%s\t%s\t%s\n' "$variant" "$clients" "$r" "$("$PGBIN/psql" -XAtq -c "
          SELECT (pg_current_wal_insert_lsn() - '${before%|*}') / (count(*) - ${before#*|})
          FROM events_$no" </dev/null)"
      done <"$work/kinds"
    done
  done >"$work/tables.tsv"
  run_sql tables_report.sql <"$work/tables.tsv"
}
