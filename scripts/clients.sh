# shellcheck shell=bash
# The drivers and ORMs of test/clients, for scripts/test --clients.

has_npm() {
  node -e 'const [a, b] = process.versions.node.split(".");
    process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' && timeout 60 npm view pg name
}

npm_install() {
  cd "$source/test/clients" &&
    npm install --no-package-lock --no-audit --no-fund --ignore-scripts --no-update-notifier \
      --cache="$work/npm" --fetch-retries=1 --fetch-timeout=60000
}

# An unused port, below the ports of outgoing connections
free_port() {
  perl -MIO::Socket::INET -e 'do { $port = 10000 + int rand 20000 } until IO::Socket::INET->new(
    LocalAddr => "127.0.0.1", LocalPort => $port, Listen => 1); print $port'
}

# client FILE: a program that connects to its own database, as the environment says.
client() {
  local name
  name=$(basename "${1%.*}")
  # here, so that a package that cannot be installed fails only this client
  "$root/scripts/install-tools" "client-${1##*.}" || return
  "$PGBIN/psql" -Xqc "CREATE DATABASE $name" || return
  export PGDATABASE=$name
  cd "$source/test/clients" || return
  # neither the client nor the server is in UTC, where a wrong conversion would not be seen
  export TZ=Asia/Kathmandu
  case $1 in
    *.js) timeout 300 node "$name.js" ;;
    *.ts)
      node node_modules/typescript/bin/tsc --strict --target es2022 --module nodenext \
        --skipLibCheck "$name.ts" &&
        timeout 300 node "$name.js"
      ;;
    # Debian builds its packages for its own Python, Perl and Ruby.
    *.py) timeout 300 /usr/bin/python3 "$name.py" ;;
    *.pl) timeout 300 /usr/bin/perl "$name.pl" ;;
    *.rb) timeout 300 /usr/bin/ruby "$name.rb" ;;
    *.php) timeout 300 /usr/bin/php "$name.php" ;;
    *.c)
      gcc -Wall -Wextra -Werror -I"$("$PG_CONFIG" --includedir)" "$name.c" -o "$work/$name" \
        -L"$("$PG_CONFIG" --libdir)" -Wl,-rpath,"$("$PG_CONFIG" --libdir)" -lpq &&
        timeout 300 "$work/$name"
      ;;
    *.cs) # Debian has no driver
      mcs -out:"$work/$name.exe" "$name.cs" &&
        "$PGBIN/psql" -Xq -v ON_ERROR_STOP=1 -c 'CREATE EXTENSION uuidnew' -c "COPY (
          SELECT us, uuidv7_min(to_timestamp(0) + us * interval '1 us')
          FROM (SELECT (random() * 3e15)::bigint AS us FROM generate_series(1, 10000)) times
          ) TO STDOUT" | timeout 300 mono "$work/$name.exe"
      ;;
    *.java) # the driver does not support Unix sockets
      PGHOST=127.0.0.1 timeout 300 java -cp /usr/share/java/postgresql.jar "$name.java"
      ;;
    *.go)
      [ -e /usr/share/gocode/src/github.com/jackc/pgx/v5 ] ||
        sed -i s,pgx/v5,pgx/v4, "$name.go" || return
      GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE=$work/go GOFLAGS='' CGO_ENABLED=0 \
        go build -o "$work/$name" "$name.go" && timeout 300 "$work/$name"
      ;;
  esac
}

client_tests() {
  local file port
  if [[ "${client_files[*]}" == *.[jt]s* ]]; then
    if has_npm >"$work/log" 2>&1; then
      check 'clients: npm install' npm_install
    else
      say "skip the clients for Node: they need Node.js 20.19 and npm's registry"
      mapfile -t client_files < <(printf '%s\n' "${client_files[@]}" | grep -v '[jt]s$')
    fi
  fi
  port=$(free_port)
  start_cluster "listen_addresses = '127.0.0.1'" "port = $port" "timezone = 'America/St_Johns'"
  export PGPORT=$port
  for file in "${client_files[@]}"; do
    check_many "client: $(basename "${file%.*}")" '^ok ' client "$file"
  done
  stop_cluster
}
