# A horizon is right for the snapshot that is active where it is called: a statement that compares
# keys with it misses no row, whatever has been committed since the statement, or the transaction,
# began.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use ServerOrder;
use Session;

my $node = order_node('main', 'max_connections = 1000');
$node->start;
$node->safe_psql('postgres', <<~'SQL');
	CREATE EXTENSION uuidnew;
	CREATE TABLE events (id uuid PRIMARY KEY DEFAULT public.uuidv7(), n int);
	CREATE TABLE unrelated (n int);

	-- Waits for the test, if it has the lock
	CREATE FUNCTION pause() RETURNS boolean LANGUAGE plpgsql AS $$
	BEGIN
		PERFORM pg_advisory_lock_shared(1), pg_advisory_unlock_shared(1);
		RETURN true;
	END $$;

	CREATE VIEW current_horizon AS SELECT uuidv7_horizon() AS h;
	CREATE FUNCTION in_sql() RETURNS uuid LANGUAGE sql AS 'SELECT uuidv7_horizon()';
	CREATE FUNCTION in_stable_sql() RETURNS uuid LANGUAGE sql STABLE AS 'SELECT uuidv7_horizon()';
	CREATE FUNCTION in_stable() RETURNS uuid LANGUAGE plpgsql STABLE AS $$
	BEGIN
		RETURN uuidv7_horizon();
	END $$;
	CREATE FUNCTION in_volatile() RETURNS uuid LANGUAGE plpgsql AS $$
	BEGIN
		RETURN uuidv7_horizon();
	END $$;
	CREATE FUNCTION poll(OUT h uuid, OUT rows bigint) LANGUAGE plpgsql STABLE AS $$
	BEGIN
		PERFORM pause();
		h := uuidv7_horizon();
		SELECT count(*) INTO rows FROM events WHERE id < h;
	END $$;
	CREATE FUNCTION poll_later(OUT h uuid, OUT rows bigint) LANGUAGE plpgsql AS $$
	BEGIN
		PERFORM pause();
		h := uuidv7_horizon();
		SELECT count(*) INTO rows FROM events WHERE id < h;
	END $$;
	SQL

my ($reader, $writer, $other) = map { Session->new($node) } 1 .. 3;

# Runs a statement of the reader, and something else while it is in pause().
sub meanwhile
{
	my ($statement, $something) = @_;
	$other->query('SELECT pg_advisory_lock(1)');
	$reader->begin($statement);
	$node->poll_query_until('postgres',
		q{SELECT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event = 'advisory')})
	  or die "no pause: $statement";
	$something->();
	$other->query('SELECT pg_advisory_unlock(1)');
	return $reader->result;
}

# How many rows below a horizon has a reader missed, who saw so many?
sub missed
{
	my ($result, $name) = @_;
	my ($horizon, $rows) = $result =~ /^([0-9a-f-]{36})\|(\d+)$/m;
	is($reader->errors, '', "$name: no error");
	return "no horizon: $result" if !defined $horizon;
	return ask("SELECT count(*) FROM events WHERE id < '$horizon'") - $rows;
}

sub insert { return $writer->query('INSERT INTO events (n) VALUES (1)') }

# Statements in which the horizon is called after a row was committed that they do not see
sub statement
{
	my ($horizon, $before) = @_;
	return ($before // '') . <<~SQL;
		WITH paused AS MATERIALIZED (SELECT pause()),
			h AS MATERIALIZED (SELECT CASE WHEN pause THEN $horizon END AS h FROM paused)
		SELECT h, (SELECT count(*) FROM events WHERE id < h) FROM h
		SQL
}
for (
	[ 'a CTE', statement('uuidv7_horizon()') ],
	[ 'a view', statement('(SELECT h FROM current_horizon)') ],
	[ 'an SQL function', statement('in_sql()') ],
	[ 'a STABLE SQL function', statement('in_stable_sql()') ],
	[ 'a STABLE function', statement('in_stable()') ],
	[ 'a STABLE function that reads', 'SELECT * FROM poll()' ],
	[ 'a VOLATILE function that reads', 'SELECT * FROM poll_later()' ],
	[
		'an argument of EXECUTE',
		'PREPARE poll (boolean, uuid) AS SELECT $2, count(*) FROM events WHERE id < $2;'
		  . 'EXECUTE poll (pause(), uuidv7_horizon()); DEALLOCATE poll'
	],
	[
		'a cursor opened before',
		'BEGIN; DECLARE c CURSOR FOR ' . statement('uuidv7_horizon()') . '; FETCH c; COMMIT'
	],
	[
		'a subquery in INSERT',
		'CREATE TEMP TABLE polled (h uuid, rows bigint); INSERT INTO polled '
		  . statement('uuidv7_horizon()')
		  . '; SELECT * FROM polled; DROP TABLE polled'
	],
	map { [ $_, statement('uuidv7_horizon()', "BEGIN ISOLATION LEVEL $_; ") . '; COMMIT' ] } 'READ COMMITTED',
	'REPEATABLE READ',
	'SERIALIZABLE')
{
	my ($name, $statement) = @$_;
	is(missed(meanwhile($statement, \&insert), $name), 0, "$name: no row is missed");
}

# A function with a snapshot of its own is right for what it reads itself, not for the statement.
is(missed(meanwhile(statement('in_volatile()'), \&insert), 'its own'),
	1, 'a VOLATILE function that returns a horizon has a newer snapshot than the statement');

# The snapshot of a transaction, taken before another transaction ended
sub snapshot
{
	return $reader->query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) >= 0 FROM unrelated');
}
my $poll = 'SELECT uuidv7_horizon(), count(*) FROM events WHERE id < uuidv7_horizon()';
my $poll_and_end = "$poll; COMMIT";

sub many_subtransactions
{
	$writer->query("SAVEPOINT s$_; INSERT INTO events (n) VALUES ($_)") for 1 .. 70;
	return;
}
my $parallel = <<~'SQL';
	SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
	SET parallel_leader_participation = off;
	CREATE TABLE made AS SELECT public.uuidv7() AS id FROM source;
	INSERT INTO events SELECT id FROM made LIMIT 3;
	DROP TABLE made
	SQL
ask('CREATE TABLE source AS SELECT n FROM generate_series(1, 10000) n; ANALYZE source');
for (
	[ 'a transaction', \&insert ],
	[ 'subtransactions', \&many_subtransactions ],
	[
		'a subtransaction',
		sub { $writer->query('SAVEPOINT s; INSERT INTO events (n) VALUES (1); RELEASE s') }
	],
	[ 'keys of parallel workers', sub { $writer->query($parallel) } ])
{
	my ($name, $make) = @$_;
	$writer->query('BEGIN');
	$make->();
	snapshot();
	$writer->query('COMMIT');
	is(missed($reader->query($poll_and_end), $name), 0, "$name: not seen by a snapshot, no row is missed");

	snapshot();
	$writer->query('BEGIN');
	$make->();
	$writer->query('COMMIT');
	is(missed($reader->query($poll_and_end), $name), 0, "$name: later than a snapshot, no row is missed");
}
is($writer->errors, '', 'transactions in many forms: no error');

# Prepared transactions, whose places other transactions then use
my @reuse = (
	[ 'with a key', 'INSERT INTO events (n) VALUES (1)' ],
	[ 'without a key', 'INSERT INTO unrelated VALUES (1)' ]);

sub prepare
{
	my ($gid) = @_;
	return $writer->query("BEGIN; INSERT INTO events (n) VALUES (1); PREPARE TRANSACTION '$gid'");
}
for my $when ('before', 'after')
{
	for my $end ('COMMIT', 'ROLLBACK')
	{
		for (undef, @reuse)
		{
			my ($how, $insert) = @{ $_ // ['by none'] };
			my $name = "prepared $when the snapshot, then $end, place used again $how";
			if ($when eq 'before') { prepare('a'); snapshot() }
			else { snapshot(); prepare('a') }
			$writer->query("$end PREPARED 'a'");
			for my $n (1 .. 3)
			{
				next if !defined $insert;
				$writer->query("BEGIN; $insert; PREPARE TRANSACTION 'b$n'; ROLLBACK PREPARED 'b$n'");
			}
			is(missed($reader->query($poll_and_end), $name), 0, "$name: no row is missed");
			is(ask('SELECT count(*) FROM uuidnew_order() WHERE held_by_xid IS NOT NULL'),
				0, "$name: nothing is held for a new snapshot");
		}
	}
}
is($writer->errors, '', 'prepared transactions: no error');

# A statement has one horizon, even if what held it ends meanwhile.
my $for_each_row = <<~'SQL';
	SELECT count(*), count(DISTINCT h) FROM (
		SELECT n, uuidv7_horizon() AS h, CASE WHEN n = 2 THEN pause() END
		FROM generate_series(1, 3) n OFFSET 0) rows
	SQL
for my $begin ('BEGIN; INSERT INTO events (n) VALUES (1)', 'BEGIN; SELECT public.uuidv7()')
{
	$writer->query($begin);
	is(meanwhile($for_each_row, sub { $writer->query('ROLLBACK') }),
		'3|1', "one horizon for all rows, although this is rolled back: $begin");
}

# ... but the next statement has its own.
$writer->query('BEGIN; INSERT INTO events (n) VALUES (1)');
my $held = ask('SELECT uuidv7_horizon()');
$writer->query('COMMIT');
$reader->query('BEGIN');
my $free = $reader->query('SELECT uuidv7_horizon()');
cmp_ok($free, 'gt', $held, 'a horizon advances when a transaction has ended');
insert();
cmp_ok($reader->query('SELECT uuidv7_horizon()'),
	'gt', $free, '... and within a transaction when another has ended');
$reader->query('COMMIT');

# While PREPARE waits for a standby, its transaction ID is in a snapshot twice, so two snapshots with as many
# IDs differ.
my $preparing = Session->new($node);
my $poll_later =
  'SELECT h, (SELECT count(*) FROM events WHERE id < h) FROM (SELECT uuidv7_horizon() AS h OFFSET 0) h';
$preparing->query('BEGIN; INSERT INTO unrelated VALUES (1)');
$writer->query('BEGIN');
insert();
ask('INSERT INTO events (n) VALUES (1)');
$reader->query("BEGIN; DECLARE c CURSOR FOR $poll_later");
$writer->query('COMMIT');
$other->query(q{ALTER SYSTEM SET synchronous_standby_names = 'nobody'; SELECT pg_reload_conf()});
$node->poll_query_until('postgres', q{SELECT current_setting('synchronous_standby_names') = 'nobody'})
  or die 'no reload';
$preparing->begin(q{SELECT pg_sleep(0.1); PREPARE TRANSACTION 'waiting'});
$node->poll_query_until('postgres',
	q{SELECT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep')})
  or die 'PREPARE does not wait';
$reader->query('SELECT uuidv7_horizon()');
is(missed($reader->query('FETCH c; COMMIT'), 'a cursor'),
	0, 'a cursor with an earlier snapshot, of as many IDs: no row is missed');
$other->query('ALTER SYSTEM RESET synchronous_standby_names; SELECT pg_reload_conf()');
$preparing->result;
$preparing->query(q{ROLLBACK PREPARED 'waiting'});
$preparing->quit;

# A transaction keeps 32 horizons: a snapshot has the same one later, or an error.
my $too_many = qr/ERROR:  the transaction has requested too many horizons\nHINT:  /;
for ([ 31, qr/^$/ ], [ 32, $too_many ])
{
	my ($count, $error) = @$_;
	$reader->query('BEGIN; DECLARE c CURSOR FOR SELECT uuidv7_horizon() FROM generate_series(1, 2)');
	my $first = $reader->query('FETCH c');
	for (1 .. $count)
	{
		insert();
		$reader->query('SELECT uuidv7_horizon()');
	}
	is($reader->errors, '', "a transaction with 1 + $count horizons: no error");
	my $second = $reader->query('FETCH c');
	is($second, $first, 'a cursor has one horizon') if $count == 31;
	like($reader->errors, $error, "... or an error, after $count others");
	$reader->query('ROLLBACK');
}
my $of_epochs = q{SELECT count(uuid_v8_horizon('unix48', '2020-01-01'::timestamptz + n * interval '1 day'))};
is($reader->query("$of_epochs FROM generate_series(1, 32) n"), 32, 'a statement has 32 horizons');
$reader->query("$of_epochs FROM generate_series(1, 33) n");
like($reader->errors, $too_many, '... but not 33');

# A function that is declared PARALLEL SAFE, but requests a horizon
$reader->query(<<~'SQL');
	CREATE FUNCTION in_parallel() RETURNS uuid STABLE PARALLEL SAFE LANGUAGE plpgsql AS $$
	BEGIN
		RETURN uuidv7_horizon();
	END $$;
	SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
	SET parallel_leader_participation = off;
	SELECT in_parallel() FROM source;
	RESET ALL
	SQL
like(
	$reader->errors,
	qr/ERROR:  there is no horizon during recovery or in a parallel worker\nHINT:  /,
	'parallel workers, which would have a horizon each, get an error');

# An index gets it as a bound, in all plans.
my $plan = ask(<<~'SQL');
	SET enable_seqscan = off;
	EXPLAIN (COSTS off) SELECT id FROM events
	WHERE id > '00000000-0000-0000-0000-000000000000' AND id < uuidv7_horizon() ORDER BY id LIMIT 5
	SQL
like($plan, qr/Index Cond: .*id < uuidv7_horizon\(\)/, 'a horizon is an index condition');
# More transactions with keys than are kept, and transactions without keys
sub commits
{
	my ($count, $statement) = @_;
	return $writer->query(<<~SQL);
		SET synchronous_commit = off;
		DO \$\$BEGIN FOR i IN 1 .. $count LOOP $statement; COMMIT; END LOOP; END\$\$
		SQL
}
my $insert = 'INSERT INTO events (n) VALUES (i)';
$other->query('BEGIN; INSERT INTO unrelated VALUES (1)');
commits(2_000, $insert);
snapshot();
commits(16_000, $insert);
is(missed($reader->query($poll_and_end), '16,000 commits'), 0, '16,000 transactions later no row is missed');
snapshot();
commits(18_000, $insert);
$reader->query($poll);
like(
	$reader->errors,
	qr/ERROR:  the snapshot is too old for a horizon\nDETAIL:  .* 16384 .*\nHINT:  /,
	'a snapshot that more transactions have passed gets an error');
$reader->query('ROLLBACK');
is(missed($reader->query($poll), 'a new snapshot'), 0, 'a new snapshot has a horizon');
snapshot();
commits(18_000, 'INSERT INTO unrelated VALUES (i)');
is(missed($reader->query($poll_and_end), 'without keys'), 0, 'transactions without keys do not count');

# An old transaction without keys holds nothing back.
my $last = $writer->query('INSERT INTO events (n) VALUES (1) RETURNING id');
cmp_ok(ask('SELECT uuidv7_horizon()'), 'gt', $last, 'an old transaction without keys holds nothing back');
$other->query('COMMIT');

# Prepared before a restart: which keys it generated is unknown, to snapshots too that do not see it.
prepare('recovered');
my $xid = ask('SELECT transaction FROM pg_prepared_xacts');
$_->quit for $reader, $writer, $other;
$node->restart;
($reader, $writer) = map { Session->new($node) } 1 .. 2;
my $unknown =
  qr/ERROR:  the horizon is not known yet\nDETAIL:  Transaction $xid may have been prepared .*\nHINT:  /;
snapshot();
$reader->query('SAVEPOINT s; SELECT uuidv7_horizon()');
like($reader->errors, $unknown, 'a transaction was prepared before a restart: an error');
$writer->query(q{COMMIT PREPARED 'recovered'});
$reader->query('ROLLBACK TO s; SELECT uuidv7_horizon()');
like($reader->errors, $unknown, '... after its end too, for a snapshot that does not see it');
$reader->query('ROLLBACK');
is(missed($reader->query($poll), 'recovered'), 0, '... and a horizon for a new snapshot');

$_->quit for $reader, $writer;
$node->stop;
done_testing();
