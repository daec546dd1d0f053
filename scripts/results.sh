# shellcheck shell=bash
# How scripts/test runs its tests and reports them: a line for each, and the totals at the end.

# say LINE: prints the line and keeps it for the totals.
say() { echo "$1" | tee -a "$work/results"; }

# check NAME COMMAND...: one test, which passes if the command succeeds. (Commands run in a
# subshell, so that die ends only them; and without set -e, as in any condition.)
check() {
  local name=$1
  shift
  if ("$@") >"$work/check.log" 2>&1; then say "ok   $name"; else fail "$name"; fi
}

# check_many NAME REGEX COMMAND...: the same for a command that runs several tests, and prints a
# line that matches REGEX for each test that passes.
check_many() {
  local name=$1 regex=$2 count reason
  shift 2
  SECONDS=0
  if ("$@") >"$work/check.log" 2>&1 && count=$(grep -cE "$regex" "$work/check.log"); then
    say "ok   $name ($count tests, $SECONDS s)"
  elif reason=$(sed -n 's/^1\.\.0 # SKIP //p' "$work/check.log") && [ -n "$reason" ]; then
    say "skip $name: $reason"
  else
    fail "$name" "$regex"
  fi
}

# fail NAME [REGEX]: shows the end of the output, without the lines that match REGEX.
fail() {
  say "FAIL $1"
  grep -vE "${2:-.^}" "$work/check.log" | tail -n 80 | sed 's/^/     | /' || true
}

# Fails if a test has failed.
totals() {
  sed -n 's/^skip /not tested: /p' "$work/results"
  awk '
    /^ok / { passed += match($0, /\([0-9]+ tests/) ? substr($0, RSTART + 1) : 1 }
    /^FAIL / { failed++ }
    END {
      printf "%d passed, %d failed\n", passed, failed
      exit failed != 0
    }' "$work/results"
}

# labeled LABEL NAME: the output of a job or of another scripts/test, with the label before the
# name of each test.
labeled() {
  awk -v label="$1" -v name="$2" '
    /^(ok  |FAIL|skip) / { $0 = substr($0, 1, 5) label substr($0, 6) }
    /^not tested: / { next }
    /^end$|^[0-9]+ passed, [0-9]+ failed$/ { ended = 1; next }
    { print }
    END { if (!ended) print "FAIL " label name " did not come to an end" }'
}

# ---- jobs, side by side ----

declare -A running=() # the jobs by process
job_number=0

# side_by_side COUNT JOB...: COUNT jobs at a time. A job is a function that makes checks, with its
# arguments, or a file of TAP tests.
side_by_side() {
  local count=$1 job
  shift
  set -m # a process group each, so that a job can be ended with its children
  for job; do
    ((${#running[@]} < count)) || job_result
    job_number=$((job_number + 1))
    run_job "$job" $job_number >"$work/$job_number.log" 2>&1 </dev/null &
    running[$!]="$work/$job_number.log $job"
  done
  while ((${#running[@]})); do job_result; done
  set +m
}

# run_job JOB NUMBER: with its own directory for temporary files
run_job() {
  trap stop_cluster EXIT
  trap 'exit 143' TERM
  work=$work/$2
  mkdir "$work"
  chmod 1777 "$work"
  export TMPDIR=$work
  if [[ $1 == *.pl ]]; then
    check_many "tap: $(basename "$1" .pl)" '^ok [0-9]' tap_test "$1"
  else
    $1 # a function and its arguments
  fi
  rm -rf "$work"
  echo end
}

# Waits for one of them.
job_result() {
  local pid='' log job
  wait -n -p pid "${!running[@]}" || true
  read -r log job <<<"${running[$pid]}"
  labeled '' "$job" <"$log" >"$work/labeled"
  cat "$work/labeled"
  grep -E '^(ok  |FAIL|skip) ' "$work/labeled" >>"$work/results" || true
  unset "running[$pid]"
}

# Ends the running jobs and their servers.
end_jobs() {
  local pid file
  ((${#running[@]})) || return 0
  for pid in "${!running[@]}"; do
    kill -- "-$pid"
  done
  wait "${!running[@]}" || true
  while read -r file; do
    ! read -r pid <"$file" || ! grep -qsF "$work" "/proc/$pid/cmdline" || kill -QUIT "$pid"
  done < <(find "$work" -name postmaster.pid) 2>/dev/null
}
