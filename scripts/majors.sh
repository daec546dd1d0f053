# shellcheck shell=bash
# Other major versions of PostgreSQL, for scripts/test: each in a chroot of the release that has it.

# other_majors all|newest|MAJOR... : those that can be had, but for the one that is tested here
# anyway
other_majors() {
  local wanted=("$@") own='' major
  if ! find_majors; then
    skip "other major versions of PostgreSQL: $no_majors"
    return
  fi
  [[ $1 == [0-9]* ]] || own=$(pg_major)
  case $1 in
    all) wanted=("${known_majors[@]}") ;;
    newest) mapfile -t wanted < <(printf '%s\n' "${!suite_of[@]}" | sort -n | tail -n 1) ;;
  esac
  for major in "${wanted[@]}"; do
    if [ "$major" = "$own" ]; then
      continue
    elif [ -n "${suite_of[$major]:-}" ]; then
      tests_elsewhere "PostgreSQL $major" test_in_chroot "$(dpkg --print-architecture)" "$major" \
        ${clients:+--clients=packaged} "${names[@]}"
    else
      skip "PostgreSQL $major: no release of Debian has it"
    fi
  done
}
