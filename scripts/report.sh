# shellcheck shell=bash
# How scripts/test says what was tested: a line for each test, and the totals at the end.

passed=0
failed=0
skipped=()

skip() {
  skipped+=("$1")
  echo "skip $1"
}

totals() {
  ((${#skipped[@]} == 0)) || printf 'not tested: %s\n' "${skipped[@]}"
  echo "$passed passed, $failed failed"
}

# check NAME COMMAND...: one test, which passes if the command succeeds. (Commands run in a
# subshell, so that die ends only them; and without set -e, as in any condition.)
check() {
  local name=$1
  shift
  if ("$@") >"$work/check.log" 2>&1; then
    passed=$((passed + 1))
    echo "ok   $name"
  else
    fail "$name"
  fi
}

# check_many NAME REGEX COMMAND...: the same, for a command that runs several tests and prints
# a line that matches REGEX for each that passes. None at all is a failure.
check_many() {
  local name=$1 regex=$2 count reason
  shift 2
  SECONDS=0
  if ("$@") >"$work/check.log" 2>&1 && count=$(grep -cE "$regex" "$work/check.log"); then
    passed=$((passed + count))
    echo "ok   $name ($count tests, $SECONDS s)"
  elif reason=$(sed -n 's/^1\.\.0 # SKIP //p' "$work/check.log") && [ -n "$reason" ]; then
    skip "$name: $reason"
  else
    passed=$((passed + $(grep -cE "$regex" "$work/check.log" || true)))
    fail "$name" "$regex"
  fi
}

# fail NAME [REGEX]: shows the end of what was printed, without the lines that match REGEX.
fail() {
  failed=$((failed + 1))
  echo "FAIL $1"
  grep -vE "${2:-.^}" "$work/check.log" | tail -n 80 | sed 's/^/     | /' || true
}

# add_results NAME LABEL: what another scripts/test, or a job, printed; with the label before what
# was tested.
add_results() {
  local line result='' ok bad
  while IFS= read -r line; do
    case $line in
      'ok   '* | 'FAIL '* | 'skip '*) echo "${line:0:5}$2${line:5}" ;;
      'not tested: '*) skipped+=("$2${line#*: }") ;;
      [0-9]*' passed, '*' failed') result=$line ;;
      *) echo "$line" ;;
    esac
  done
  if [ -n "$result" ]; then
    read -r ok _ bad _ <<<"$result"
    passed=$((passed + ok))
    failed=$((failed + bad))
  else
    failed=$((failed + 1))
    echo "FAIL $1: the tests did not come to an end"
  fi
}
