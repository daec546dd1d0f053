# Twenty sessions, six in a quick test, write with delays, rollbacks, savepoints, COPY, cursors,
# prepared transactions and parallel workers, while readers read the table
# forward as doc/reading-forward.md says: each row that is committed is read
# once, in order of its key.  This also holds when a session is killed, which
# restarts the server, after an immediate stop, and when the clock is set back
# meanwhile.  A reader without a horizon misses rows, or this would prove nothing.
#
# Some ten thousand rows; UUIDNEW_SOAK makes millions.
use strict;
use warnings FATAL => 'all';

use FindBin;
use IPC::Run qw(start finish);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(sleep);

use lib $FindBin::RealBin;
use Session;
use SetClock;

my ($quick, $soak) = @ENV{qw(UUIDNEW_QUICK UUIDNEW_SOAK)};
my $writers = $quick ? 6 : 20;

# What writers do when nothing ends them, and after a crash: transactions of each, for few
# seconds may be too short on a busy machine
my ($long, $short) =
  $soak ? ('--time=120', '--time=1') : map { "--transactions=$_" } $quick ? (50, 10) : (100, 20);

# Transactions a second, where other tests run beside this one
my @rate = $soak ? () : $quick ? '--rate=400' : '--rate=800';

# Between two polls of a reader, in seconds
my $pause = $quick ? 0.02 : $soak ? 0.002 : 0.005;

# Readers that share a session, taking turns
my $in_session = $quick ? 3 : 1;

# Each with a new crash
my $crashes = $quick ? 1 : $soak ? 20 : 2;

# Readers: the column that each reads by, and its horizon
my %readers = (
	'no horizon' => [ 'v7', "'ffffffff-ffff-ffff-ffff-ffffffffffff'" ],
	'a column of xid8' => [ 'v7', 'NULL' ],
	'uuid_v7_horizon()' => [ 'v7', 'uuid_v7_horizon()' ],
	'uuidv7_horizon()' => [ 'rfc9562', 'uuidv7_horizon()' ],
	'uuid_v6_horizon()' => [ 'v6', 'uuid_v6_horizon()' ],
	'uuid_v8_horizon()' => [ 'v8', 'uuid_v8_horizon()' ],
	'one statement' => [ 'rfc9562', 'uuidv7_horizon()' ],
	'REPEATABLE READ' => [ 'v7', 'uuid_v7_horizon()' ]);

my $setup = <<~SQL;
	CREATE EXTENSION uuidnew;
	CREATE TABLE events (
		v7 uuid PRIMARY KEY DEFAULT uuid_generate_v7(),
		rfc9562 uuid UNIQUE NOT NULL DEFAULT uuid_generate_v7('rfc9562'),
		v6 uuid UNIQUE NOT NULL DEFAULT uuid_generate_v6(),
		v8 uuid UNIQUE NOT NULL DEFAULT uuid_generate_v8(),
		how text,
		xid xid8 NOT NULL DEFAULT pg_current_xact_id());
	CREATE INDEX ON events (xid, v7);
	CREATE TABLE readers (
		name text PRIMARY KEY, key text, horizon text,
		last uuid DEFAULT '00000000-0000-0000-0000-000000000000', last_xid xid8 DEFAULT '0');
	CREATE TABLE seen (n bigint GENERATED ALWAYS AS IDENTITY, reader text, id uuid);
	CREATE TABLE control (stop boolean);
	INSERT INTO control VALUES (false);

	-- A poll: the rows below the horizon, and the reader's place, in one transaction.  Returns the
	-- number of rows.  One reader calls the horizon in the statement that reads, one some time after its
	-- snapshot was taken; the others in a statement before.
	CREATE FUNCTION poll(reader text) RETURNS bigint LANGUAGE plpgsql AS \$\$
	DECLARE
		r readers;
		horizon uuid;
		rows bigint;
	BEGIN
		SELECT * INTO STRICT r FROM readers WHERE name = reader FOR UPDATE;
		IF r.horizon = 'NULL' THEN
			WITH batch AS MATERIALIZED (
				SELECT xid, v7 FROM events
				WHERE (xid, v7) > (r.last_xid, r.last) AND xid < pg_snapshot_xmin(pg_current_snapshot())
				ORDER BY xid, v7 LIMIT 10000
			), noted AS (
				INSERT INTO seen (reader, id) SELECT r.name, v7 FROM batch ORDER BY xid, v7
			)
			UPDATE readers SET (last_xid, last) = (SELECT xid, v7 FROM batch
				ORDER BY xid DESC, v7 DESC LIMIT 1)
			WHERE name = reader AND EXISTS (SELECT FROM batch)
			RETURNING (SELECT count(*) FROM batch) INTO rows;
			RETURN coalesce(rows, 0);
		END IF;
		IF reader = 'REPEATABLE READ' THEN
			PERFORM pg_sleep(random() * 0.02);
		END IF;
		EXECUTE 'SELECT ' || r.horizon INTO STRICT horizon;
		EXECUTE format('
			WITH batch AS (
				INSERT INTO seen (reader, id)
				SELECT \$1, %1\$I FROM events WHERE %1\$I > \$2 AND %1\$I < %2\$s ORDER BY %1\$I LIMIT 10000
				RETURNING n, id)
			UPDATE readers SET last = id FROM (SELECT id FROM batch ORDER BY n DESC LIMIT 1) b
			WHERE name = \$1
			RETURNING (SELECT count(*) FROM batch)', r.key,
			CASE reader WHEN 'one statement' THEN r.horizon ELSE quote_literal(horizon) END)
		INTO rows USING reader, r.last;
		RETURN coalesce(rows, 0);
	END \$\$;

	CREATE PROCEDURE read_on(VARIADIC readers text[]) LANGUAGE plpgsql AS \$\$
	DECLARE
		reader text;
	BEGIN
		WHILE NOT (SELECT stop FROM control) LOOP
			FOREACH reader IN ARRAY readers LOOP
				PERFORM set_config('default_transaction_isolation',
					CASE reader WHEN 'REPEATABLE READ' THEN 'repeatable read' ELSE 'read committed' END,
					false);
				COMMIT;
				PERFORM poll(reader);
				COMMIT;
			END LOOP;
			PERFORM pg_sleep($pause);
			COMMIT;
		END LOOP;
	END \$\$;

	-- What a reader did wrong
	CREATE FUNCTION faults(reader text, OUT missed bigint, OUT twice bigint, OUT unordered bigint,
		OUT made_up bigint)
	LANGUAGE plpgsql AS \$\$
	BEGIN
		EXECUTE format('
			SELECT (SELECT count(*)
				FROM (SELECT %1\$I FROM events EXCEPT SELECT id FROM seen WHERE reader = \$1) m),
				   count(*) - count(DISTINCT id),
				   count(*) FILTER (WHERE NOT id > previous),
				   (SELECT count(*)
				       FROM (SELECT id FROM seen WHERE reader = \$1 EXCEPT SELECT %1\$I FROM events) m)
			FROM (SELECT id, lag(id) OVER (ORDER BY n) AS previous FROM seen WHERE reader = \$1) s',
			(SELECT key FROM readers WHERE name = reader))
		INTO missed, twice, unordered, made_up USING reader;
	END \$\$;
	SQL

# What writers do, and how often.  A delay is mostly short.
my $delay = <<~'SQL';
	\set d random(0, 100)
	\set ms :d * :d * :d / 20000
	\sleep :ms ms
	SQL
my $ids =
	q{uuid_generate_v7() AS v7, uuid_generate_v7('rfc9562') AS rfc9562, uuid_generate_v6() AS v6, }
  . q{uuid_generate_v8() AS v8};
my %scripts = (
	alone => [ 30, q{INSERT INTO events (how) VALUES ('alone');} ],
	several => [ 15, <<~SQL ],
		BEGIN;
		INSERT INTO events (how) VALUES ('several');
		$delay
		INSERT INTO events (how) SELECT 'several' FROM generate_series(1, 5);
		$delay
		COMMIT;
		SQL
	slow => [ 5, <<~'SQL' ],
		INSERT INTO events (how) SELECT 'slow'
		FROM (SELECT pg_sleep(0.001) FROM generate_series(1, 10)) s;
		SQL
	rolled_back => [ 10, <<~SQL ],
		BEGIN;
		INSERT INTO events (how) VALUES ('rolled back');
		$delay
		ROLLBACK;
		SQL
	savepoints => [ 10, <<~SQL ],
		BEGIN;
		SAVEPOINT a;
		INSERT INTO events (how) VALUES ('rolled back to a savepoint');
		ROLLBACK TO a;
		$delay
		INSERT INTO events (how) VALUES ('savepoint');
		SAVEPOINT b;
		INSERT INTO events (how) VALUES ('savepoint');
		RELEASE b;
		$delay
		COMMIT;
		SQL
	copy => [ 5, q{COPY events (how) FROM '%s/copy';} ],
	cursor => [ 5, <<~SQL ],
		BEGIN;
		DECLARE c CURSOR FOR SELECT $ids FROM generate_series(1, 10);
		FETCH FROM c \\gset
		$delay
		INSERT INTO events VALUES (':v7', ':rfc9562', ':v6', ':v8', 'cursor');
		FETCH FROM c \\gset
		INSERT INTO events VALUES (':v7', ':rfc9562', ':v6', ':v8', 'cursor');
		COMMIT;
		SQL
	parallel => [ 4, <<~SQL ],
		BEGIN;
		SET LOCAL %s = on;
		CREATE TEMP TABLE made ON COMMIT DROP AS SELECT $ids FROM generate_series(1, 20);
		$delay
		INSERT INTO events SELECT *, 'parallel' FROM made;
		COMMIT;
		SQL
	prepared => [ 4, <<~SQL ],
		BEGIN;
		INSERT INTO events (how) VALUES ('prepared');
		$delay
		PREPARE TRANSACTION 'of:client_id';
		$delay
		COMMIT PREPARED 'of:client_id';
		SQL
	prepared_rolled_back => [ 1, <<~SQL ]);
		BEGIN;
		INSERT INTO events (how) VALUES ('prepared and rolled back');
		PREPARE TRANSACTION 'of:client_id';
		$delay
		ROLLBACK PREPARED 'of:client_id';
		SQL

my (@sessions, $load, $load_output);

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', <<~'CONF');
	shared_preload_libraries = 'uuidnew'
	uuidnew.order_scope = server
	autovacuum = off
	jit = off
	max_connections = 50
	max_logical_replication_workers = 0
	max_prepared_transactions = 30
	max_worker_processes = 20
	restart_after_crash = on
	log_statement = none
	CONF
append_to_file($node->basedir . '/copy', "copy\n" x 20);

sub write_scripts
{
	# the setting's name since PostgreSQL 16, and before
	my $parallel = $node->safe_psql('postgres',
		q{SELECT name FROM pg_settings WHERE name IN ('debug_parallel_query', 'force_parallel_mode')});
	my %fill = (copy => $node->basedir, parallel => $parallel);
	for my $name (keys %scripts)
	{
		my $script = $scripts{$name}[1];
		$script = sprintf $script, $fill{$name} if $fill{$name};
		append_to_file($node->basedir . "/$name.sql", $script);
	}
	return;
}

sub start_server
{
	my ($offset) = @_;
	return $faketime ? start_with_offset($node, $offset // '+0') : $node->start;
}

sub start_readers
{
	$node->safe_psql('postgres', 'UPDATE control SET stop = false');
	my @names = sort keys %readers;
	for (my $n = 0; my @together = splice @names, 0, $in_session; $n++)
	{
		$sessions[$n] //= Session->new($node);
		$sessions[$n]->begin("CALL read_on('" . join("', '", @together) . "')");
	}
	return;
}

sub start_writers
{
	my ($length) = @_;
	$load_output = '';
	$load = start(
		[
			'pgbench',
			'--no-vacuum',
			"--client=$writers",
			'--jobs=2',
			$length,
			@rate,
			(map { "--file=" . $node->basedir . "/$_.sql\@$scripts{$_}[0]" } sort keys %scripts),
			$node->connstr('postgres') . ' application_name=writer'
		],
		'>&',
		\$load_output);
	return;
}

# Until there are some in transactions
sub wait_for_writers
{
	$node->poll_query_until('postgres',
			q{SELECT count(*) > 0 FROM pg_stat_activity WHERE application_name = 'writer' }
		  . q{AND xact_start IS NOT NULL})
	  or die 'nobody writes';
	return;
}

# Writers and readers go on for a while.
sub go_on
{
	my ($name, $length) = @_;
	start_readers();
	start_writers($length);
	ok(finish($load), "$name: writers have no error") or diag($load_output);
	stop_readers($name);
	return;
}

sub stop_readers
{
	my ($name) = @_;
	$node->safe_psql('postgres', 'UPDATE control SET stop = true');
	for my $session (@sessions)
	{
		$session->result;
		is($session->errors, '', "$name: a reader has no error");
	}
	return;
}

# Sessions end with the server, with errors.
sub drop_sessions
{
	finish($load);
	$_->drop for splice @sessions;
	return;
}

# Read what is left, and compare.
sub check
{
	my ($name) = @_;
	my $rows = $node->safe_psql('postgres', 'SELECT count(*) FROM events');
	note "$name: $rows rows";

	# any transaction keeps the other way to read from moving
	is( $node->safe_psql('postgres', <<~SQL),
		SELECT name FROM readers
		WHERE (SELECT count(*) FROM seen WHERE reader = name) < $rows * CASE name
			WHEN 'a column of xid8' THEN 0.01 ELSE 0.3 END
		SQL
		'',
		"$name: readers have read while rows were written");
	my $poll_all = join ";\n", map { "SELECT poll('$_')" } keys %readers;
	1 while $node->safe_psql('postgres', $poll_all) =~ /[1-9]/;
	# those that end_prepared() commits may be of a writer that never does
	is( $node->safe_psql(
			'postgres', q{SELECT count(DISTINCT how) FROM events WHERE how <> 'prepared and rolled back'}),
		8,
		"$name: rows of all ways to write");
	my @faults = split /\n/,
	  $node->safe_psql('postgres', join ";\n", map { "SELECT * FROM faults('$_')" } sort keys %readers);
	for my $reader (sort keys %readers)
	{
		my $faults = shift @faults;
		if ($reader eq 'no horizon')
		{
			like($faults, qr/^[1-9]\d*\|0\|0\|0$/, "$name: without a horizon, rows are missed: $faults");
		}
		elsif ($reader eq 'a column of xid8')
		{
			like($faults, qr/^0\|0\|\d+\|0$/, "$name: $reader: each row is read once, in another order");
		}
		else
		{
			is($faults, '0|0|0|0', "$name: $reader: each row is read once, in order");
		}
	}
	return;
}

# Prepared transactions that are left.  If the server was restarted, there is no
# horizon until they have ended.
sub end_prepared
{
	my ($name) = @_;
	my @gids =
	  split /\n/,
	  $node->safe_psql('postgres', 'SELECT gid FROM pg_prepared_xacts');
	note "$name: " . @gids . ' prepared transactions are left';
	return if !@gids;
	isnt($node->Session::error_of('SELECT uuid_v7_horizon()'), '', "$name: no horizon while one is left");
	while (my ($n, $gid) = each @gids)
	{
		$node->safe_psql('postgres', ($n % 2 ? 'COMMIT' : 'ROLLBACK') . " PREPARED '$gid'");
	}
	return;
}

start_server();
$node->safe_psql('postgres', $setup);
write_scripts();
$node->safe_psql('postgres', join ";\n",
	map { "INSERT INTO readers VALUES ('$_', '$readers{$_}[0]', \$\$$readers{$_}[1]\$\$)" } keys %readers);
go_on('server', $long);
check('server');

# A session is killed, and the server restarts by itself.
for my $crash (1 .. $crashes)
{
	start_readers();
	start_writers('--time=60');
	wait_for_writers();
	sleep +($quick ? 0.1 : 1) + rand 0.4;
	my $victim = $node->safe_psql('postgres', <<~'SQL');
		SELECT pid FROM pg_stat_activity WHERE application_name = 'writer' ORDER BY random() LIMIT 1
		SQL
	kill KILL => $victim;
	drop_sessions();
	$node->poll_query_until('postgres', 'SELECT true') or die 'the server is not restarted';
	end_prepared("killed, $crash");
}
go_on('killed', $short);
check('killed');

# The server is stopped at once, and the clock is set back meanwhile.
for my $crash (1 .. $crashes)
{
	start_readers();
	start_writers('--time=60');
	wait_for_writers();
	sleep +($quick ? 0.1 : 1) + rand 0.4;
	$node->stop('immediate');
	drop_sessions();
	start_server('-' . 3600 * $crash);
	end_prepared("stopped, $crash");
}
go_on('stopped', $short);
check($faketime ? 'stopped, and the clock set back' : 'stopped');
$_->quit for splice @sessions;
$node->stop;

done_testing();
