# shellcheck shell=bash
# Other major versions of PostgreSQL, for scripts/test: in throwaway chroots of the releases of
# Debian that have them. Other architectures go the same way. All mounts are in namespaces of their own.
# shellcheck disable=SC2034,SC2154  # scripts/test's and common.sh's

known_majors=({14..20})                                 # those of src/compat.h
suites=(stable oldstable unstable testing experimental) # a major version is taken from the first that has it
declare -A suite_of=()                                  # by major version
mirror=
chroot_pid= # what is being installed or tested
chroots=   # the directory, not in /tmp: that may be in memory, or allow no devices

end_majors() {
  [ -z "$chroot_pid" ] || { kill "$chroot_pid" && wait "$chroot_pid"; } 2>/dev/null || true
  [ -z "$chroots" ] || rm -rf --one-file-system "$chroots"
}

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

# sources SUITE...
sources() { printf "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror %s main\n" "$@"; }

# archive COMMAND...: apt-get or apt-cache, with lists of all suites in place of the machine's own.
archive() {
  local command=$1 dir=${archive_dir:-$work/archive}
  shift
  "$command" -q -o Dir::Etc::SourceList="$dir/sources" -o Dir::Etc::SourceParts=- \
    -o Dir::State::Lists="$dir/lists" -o Dir::Cache="$dir" -o Acquire::Languages=none "$@" 2>/dev/null
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
  mkdir -p "$work/archive/lists/partial" "$work/archive/archives/partial"
  sources "${suites[@]}" >"$work/archive/sources"
  archive apt-get update >"$work/log" || true
  # package | version | URI suite/main architecture Packages
  while read -r _ _ version _ _ suite _; do
    : "${suite_of[${version%%[!0-9]*}]:=${suite%/*}}"
  done < <(for suite in "${suites[@]}"; do
    archive apt-cache madison "${known_majors[@]/#/postgresql-server-dev-}" | grep -F " $suite/main "
  done)
  ((${#suite_of[@]})) && chroots=$(mktemp -d /var/tmp/uuidnew.XXXXXX)
}

# make_chroot DIR SUITE ARCHITECTURE
make_chroot() {
  quietly "debootstrap $2 $3" in_namespace env -u TMPDIR \
    debootstrap --arch="$3" --variant=minbase --include=ca-certificates "$2" "$1" "$mirror"
  copy_source "$1/uuidnew"
  # what is set here for the use of the archive
  { apt-config dump | grep -E '^Acquire::(Check-|https?::)' || true; } >"$1/etc/apt/apt.conf.d/uuidnew"
  printf '%s\n' force-unsafe-io 'path-exclude=/usr/share/doc/*' 'path-exclude=/usr/share/man/*' \
    >"$1/etc/dpkg/dpkg.cfg.d/uuidnew"
  # no package starts a service
  printf '%s\n' '#!/bin/sh' 'exit 101' >"$1/usr/sbin/policy-rc.d"
  chmod +x "$1/usr/sbin/policy-rc.d"
}

# test_in_chroot ARCHITECTURE MAJOR [NAME...]
test_in_chroot() {
  local architecture=$1 major=$2 suite=${suite_of[$2]} base=${suite_of[$2]} dir
  shift 2
  [ "$suite" != experimental ] || base=unstable # what it is on top of
  dir=$chroots/$base-$architecture
  echo "Installing PostgreSQL $major from Debian's $suite ($architecture) in a chroot"
  [ -e "$dir" ] || make_chroot "$dir" "$base" "$architecture"
  sources "$base" "$suite" | uniq >"$dir/etc/apt/sources.list"
  # of experimental, nothing else
  printf '%s\n' "Package: src:postgresql-$major" "Pin: release a=$suite" 'Pin-Priority: 990' \
    >"$dir/etc/apt/preferences.d/uuidnew"
  quietly "the installation of PostgreSQL $major from $suite" \
    in_chroot "$dir" /uuidnew/scripts/install-tools "postgresql-$major" build test
  quietly "the installation of pg_partman and pg_cron for PostgreSQL $major" \
    in_chroot "$dir" env PG_CONFIG="/usr/lib/postgresql/$major/bin/pg_config" /uuidnew/scripts/install-tools partman
  [ -z "$packages" ] || [ "$architecture" != "$(dpkg --print-architecture)" ] || set -- --packages "$@"
  in_chroot "$dir" env PG_CONFIG="/usr/lib/postgresql/$major/bin/pg_config" \
    /uuidnew/scripts/test --quick "$@"
}
