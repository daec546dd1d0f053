# shellcheck shell=bash
# Jobs of scripts/test, side by side. A job is a function that makes checks, or a file of TAP tests.

declare -A running=() # their names by process

# side_by_side JOB...: twice as many at a time as there are processors, as they wait a lot.
side_by_side() {
  local job
  set -m # a process group each, so that a job can be ended with all that it has started
  for job; do
    ((${#running[@]} < 2 * $(nproc))) || job_result
    run_job "$job" >"$work/${job##*/}.log" 2>&1 </dev/null &
    running[$!]=${job##*/}
  done
  while ((${#running[@]})); do job_result; done
  set +m
}

# run_job JOB: with a directory of its own for all that is temporary
run_job() {
  trap stop_cluster EXIT
  work=$work/$(basename "$1" .pl)
  mkdir "$work"
  chmod 1777 "$work"
  export TMPDIR=$work
  passed=0 failed=0 skipped=()
  case $1 in
    *.pl) check_many "tap: $(basename "$1" .pl)" '^ok [0-9]' tap_test "$1" ;;
    *) "$1" ;;
  esac
  totals
}

# Waits for one of them.
job_result() {
  local pid=''
  wait -n -p pid "${!running[@]}" || true
  add_results "${running[$pid]}" '' <"$work/${running[$pid]}.log"
  unset "running[$pid]"
}

# Ends those that still run, and their servers.
end_jobs() {
  local pid file
  ((${#running[@]})) || return 0
  for pid in "${!running[@]}"; do
    kill -- "-$pid"
  done
  while read -r file; do
    if read -r pid <"$file" && grep -qsF "$work" "/proc/$pid/cmdline"; then
      kill -QUIT "$pid"
    fi
  done < <(find "$work" -name postmaster.pid) 2>/dev/null
  wait "${!running[@]}" || true
}
