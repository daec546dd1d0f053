# shellcheck shell=bash
# Throwaway chroots of Debian's releases, for scripts/test: other major versions of PostgreSQL, and
# other architectures, are tested there. All mounts are in namespaces of their own.

known_majors=({14..20}) # those of src/compat.h
# a major version is taken from the first that has it
suites=(stable oldstable unstable testing experimental)
declare -A suite_of=() # by major version
mirror=
chroots=   # the directory, not in /tmp: that may be in memory, or allow no devices
elsewhere= # the process of what is tested there

end_chroots() {
  [ -z "$elsewhere" ] || { kill "$elsewhere" && wait "$elsewhere"; } 2>/dev/null || true
  [ -z "$chroots" ] || rm -rf --one-file-system "$chroots"
}

# ---- Debian's archive ----

# sources SUITE...
sources() {
  printf "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror %s main\n" "$@"
}

# archive DIR COMMAND...: apt-get or apt-cache, with DIR/sources and lists in DIR in place of the
# machine's own.
archive() {
  local dir=$1 command=$2
  shift 2
  "$command" -q -o Dir::Etc::SourceList="$dir/sources" -o Dir::Etc::SourceParts=- \
    -o Dir::State::Lists="$dir/lists" -o Dir::Cache="$dir" -o Acquire::Languages=none "$@" \
    2>/dev/null
}

# new_archive DIR SOURCES
new_archive() {
  mkdir -p "$1/lists/partial" "$1/archives/partial"
  echo "$2" >"$1/sources"
}

# The archive that this machine has its packages from.
find_mirror() {
  # shellcheck disable=SC2016  # apt-get's
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' \
    'Label: Debian' 2>/dev/null | head -n 1)
  [ -n "$mirror" ]
}

# Sets suite_of, or no_majors: why nothing can be had.
find_majors() {
  local suite version
  ((${#suite_of[@]} == 0)) || return 0
  no_majors='chroots need root, and the right to mount'
  is_root && has unshare && unshare --mount --pid --fork true 2>/dev/null || return
  no_majors='there is no archive of Debian here'
  has apt-get || return
  find_mirror || { apt_get update >"$work/log" 2>&1 && find_mirror; } || return
  no_majors='debootstrap cannot be installed'
  scripts/install-tools majors >"$work/log" 2>&1 || return
  no_majors="Debian's archive is out of reach"
  new_archive "$work/archive" "$(sources "${suites[@]}")"
  archive "$work/archive" apt-get update >"$work/log" || true
  # package | version | URI suite/main architecture Packages
  while read -r _ _ version _ _ suite _; do
    : "${suite_of[${version%%[!0-9]*}]:=${suite%/*}}"
  done < <(for suite in "${suites[@]}"; do
    archive "$work/archive" apt-cache madison "${known_majors[@]/#/postgresql-server-dev-}" |
      grep -F " $suite/main "
  done)
  ((${#suite_of[@]})) && chroots=$(mktemp -d /var/tmp/uuidnew.XXXXXX)
}

# ---- chroots ----

# in_namespace COMMAND...: its mounts and all of its processes end with it, or with this shell.
in_namespace() {
  local pid
  unshare --mount --pid --fork --kill-child "$@" &
  pid=$!
  # shellcheck disable=SC2064  # this process
  trap "kill -KILL $pid" INT TERM HUP # unshare heeds no other signal
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

# make_chroot DIR SUITE ARCHITECTURE
make_chroot() {
  quietly "debootstrap $2 $3" in_namespace env -u TMPDIR \
    debootstrap --arch="$3" --variant=minbase --include=ca-certificates "$2" "$1" "$mirror"
  copy_source "$1/uuidnew"
  # what is set here for the use of the archive
  { apt-config dump | grep -E '^Acquire::(Check-|https?::)' || true; } \
    >"$1/etc/apt/apt.conf.d/uuidnew"
  printf '%s\n' force-unsafe-io 'path-exclude=/usr/share/doc/*' 'path-exclude=/usr/share/man/*' \
    >"$1/etc/dpkg/dpkg.cfg.d/uuidnew"
  # no package starts a service
  printf '%s\n' '#!/bin/sh' 'exit 101' >"$1/usr/sbin/policy-rc.d"
  chmod +x "$1/usr/sbin/policy-rc.d"
}

# test_in_chroot ARCHITECTURE MAJOR [NAME...]
test_in_chroot() {
  local architecture=$1 major=$2 suite=${suite_of[$2]} base=${suite_of[$2]} dir run
  shift 2
  [ "$suite" != experimental ] || base=unstable # what it is on top of
  dir=$chroots/$base-$architecture
  run=(in_chroot "$dir" env PG_CONFIG="/usr/lib/postgresql/$major/bin/pg_config")
  echo "Installing PostgreSQL $major from Debian's $suite ($architecture) in a chroot"
  [ -e "$dir" ] || make_chroot "$dir" "$base" "$architecture"
  sources "$base" "$suite" | uniq >"$dir/etc/apt/sources.list"
  # of experimental, nothing else
  printf '%s\n' "Package: src:postgresql-$major" "Pin: release a=$suite" 'Pin-Priority: 990' \
    >"$dir/etc/apt/preferences.d/uuidnew"
  quietly "the installation of PostgreSQL $major from $suite" \
    "${run[@]}" /uuidnew/scripts/install-tools "postgresql-$major" build test partman
  [ -z "$packages" ] || [ "$architecture" != "$(dpkg --print-architecture)" ] ||
    set -- --packages "$@"
  "${run[@]}" /uuidnew/scripts/test --quick "$@"
}

# tests_elsewhere LABEL COMMAND...: what another scripts/test prints is printed here, with the
# label.
tests_elsewhere() {
  local label=$1 output
  shift
  exec {output}< <("$@" 2>&1)
  elsewhere=$!
  add_results "$label" "$label: " <&"$output"
  exec {output}<&-
  elsewhere=
}
