# One order for the server, attacked: commits that take long, transactions that
# end in every way, what others do to the origin, apply workers, a standby's
# standby, and starts that are no ordinary ones.
use strict;
use warnings FATAL => 'all';

use FindBin;
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(sleep);

use lib $FindBin::RealBin;
use Layouts;
use Session;
use SetClock;

# Where it can do without, the library is not preloaded.
my ($major) = qx(pg_config --version) =~ /(\d+)/;

sub new_node
{
	my ($name, %parameters) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name);
	$node->init(allows_streaming => $parameters{allows_streaming});
	$node->append_conf(
		'postgresql.conf', q{
uuidnew.order_scope = 'server'
max_prepared_transactions = 5
autovacuum = off
} . ($major < 17 && !$parameters{not_preloaded} ? "shared_preload_libraries = 'uuidnew'\n" : '')
		  . ($parameters{conf} // ''));
	$node->start;
	$node->safe_psql('postgres',
		"CREATE EXTENSION uuidnew; SELECT pg_replication_origin_create('uuidnew')");
	return $node;
}

sub error_of
{
	my ($node, $sql) = @_;
	my ($status, $out, $err) = $node->psql('postgres', $sql, on_error_stop => 1);
	return $status == 0 ? "no error: $out" : $err;
}

sub wait_until
{
	my ($node, $condition) = @_;
	$node->poll_query_until('postgres', "SELECT $condition") or die "never: $condition";
	return;
}

sub set_scope
{
	my ($node, $scope) = @_;
	$node->append_conf('postgresql.conf', "uuidnew.order_scope = '$scope'");
	$node->reload;
	wait_until($node, "current_setting('uuidnew.order_scope') = '$scope'");
	return;
}

my $node = new_node('server', allows_streaming => 1, conf => q{
wal_level = logical
logging_collector = on
min_parallel_table_scan_size = 0
parallel_setup_cost = 0
parallel_tuple_cost = 0
});
$node->safe_psql('postgres', qq{
$layout_functions
CREATE TABLE made (layout text COLLATE "C", id uuid);
CREATE TABLE keys (id uuid DEFAULT uuid_generate_v7(), n int);
CREATE TABLE source AS SELECT n FROM generate_series(1, 10000) n;
ANALYZE source;

-- makes a key when the transaction commits
CREATE TABLE deferred (n int);
CREATE FUNCTION make_late() RETURNS trigger LANGUAGE plpgsql AS \$\$
BEGIN
	INSERT INTO keys (n) VALUES (new.n);
	PERFORM pg_advisory_lock(1), pg_advisory_unlock(1);
	IF new.n < 0 THEN
		RAISE 'too small';
	END IF;
	RETURN NULL;
END \$\$;
CREATE CONSTRAINT TRIGGER make_late AFTER INSERT ON deferred
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION make_late();

CREATE PROCEDURE commit_and_roll_back() LANGUAGE plpgsql AS \$\$
DECLARE
	made record;
BEGIN
	FOR made IN SELECT n, uuid_generate_v7() AS id FROM generate_series(1, 5) n LOOP
		INSERT INTO keys VALUES (made.id, made.n), (uuid_generate_v7(), made.n);
		IF made.n % 2 = 0 THEN ROLLBACK; ELSE COMMIT; END IF;
	END LOOP;
END \$\$;});
my $all = q{SELECT layout, generate(layout) AS id FROM layouts};
my $not_greater = qq{SELECT count(*) FROM ($all OFFSET 0) new
WHERE id <= (SELECT id FROM made WHERE made.layout = new.layout ORDER BY id DESC LIMIT 1)};
my $held = q{EXISTS (SELECT FROM uuidnew_order() WHERE held_by_pid IS NOT NULL OR held_by_xid IS NOT NULL)};

# Only the configuration sets the scope, also before the library is loaded; and
# no session does without it.
{
	my $plain = new_node('not_preloaded', not_preloaded => 1);
	{
		local $ENV{PGOPTIONS} = '-c uuidnew.order_scope=session';
		like(error_of($plain, 'SELECT uuid_generate_v7()'), qr/the value of "uuidnew.order_scope" was refused/,
			'a session with a scope of its own makes no key');
	}
	$plain->safe_psql('postgres', 'ALTER DATABASE postgres SET uuidnew.order_scope = session');
	like(error_of($plain, 'SELECT uuid_generate_v8()'), qr/no session, role or database does/, '... nor does a database with one');
	$plain->safe_psql('postgres', 'ALTER DATABASE postgres RESET uuidnew.order_scope');
	$plain->append_conf('postgresql.conf', "uuidnew.order_scope = 'sever'");
	$plain->reload;
	wait_until($plain, q{current_setting('uuidnew.order_scope') = 'sever'});
	like(error_of($plain, 'SELECT uuid_generate_v7()'), qr/was refused/, '... and a mistake in the configuration is an error');
	$plain->stop('immediate');
}

# EXECUTE has its snapshot before its arguments.
for my $execute ('EXECUTE poll (uuid_v7_horizon())', 'CREATE TABLE polled AS EXECUTE poll (uuid_v7_horizon())',
	'EXPLAIN ANALYZE EXECUTE poll (uuid_v7_horizon())',
	'EXPLAIN ANALYZE CREATE TABLE polled AS EXECUTE poll (uuid_v7_horizon())')
{
	like(error_of($node, "PREPARE poll (uuid) AS SELECT count(*) FROM keys WHERE id < \$1; $execute"),
		qr/cannot be called in a statement that reads a table/, "a horizon in $execute: an error");
}
$node->safe_psql('postgres', 'PREPARE horizon AS SELECT uuid_v7_horizon(); EXECUTE horizon');

# A commit that waits for a standby, and is told not to
my ($one, $two) = map { Session->new($node) } 1 .. 2;
$node->safe_psql('postgres', q{ALTER SYSTEM SET synchronous_standby_names = 'nobody'; SELECT pg_reload_conf()});
wait_until($node, q{current_setting('synchronous_standby_names') = 'nobody'});
$one->begin('INSERT INTO keys (n) VALUES (1)');
wait_until($node, q{EXISTS (SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep')});
my $waiting = $two->query('SELECT uuid_v7_horizon()');
is($two->query("SELECT count(*) FROM keys WHERE id < '$waiting'"), '0', 'a commit that waits is above the horizon');
$two->query(q{SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'});
$one->result;
is($two->query("SELECT count(*), count(*) FILTER (WHERE id < '$waiting') FROM keys"), '1|0', '... and seen above it when the wait is cancelled');
my $ended = $two->query('SELECT uuid_v7_horizon()');
is($two->query("SELECT count(*) FROM keys WHERE id < '$ended'"), '1', '... and below the next one');
$node->safe_psql('postgres', q{SET synchronous_commit = local; ALTER SYSTEM RESET synchronous_standby_names; SELECT pg_reload_conf()});
wait_until($node, q{current_setting('synchronous_standby_names') = ''});

# A key that is made in COMMIT
$two->query('BEGIN; SELECT pg_advisory_lock(1)');
$one->begin('INSERT INTO deferred VALUES (2)');
wait_until($node, q{EXISTS (SELECT FROM pg_stat_activity WHERE wait_event = 'advisory')});
my $committing = $two->query('SELECT uuid_v7_horizon()');
$two->query('SELECT pg_advisory_unlock(1); COMMIT');
$one->result;
is($two->query("SELECT count(*) FROM keys WHERE n = 2 AND id >= '$committing'"), '1', 'a key made in COMMIT holds the horizon');

# However a transaction ends, it holds the horizon no longer.
my $in_parallel = 'SELECT count(uuid_generate_v7()), sum(1 / (n - 9999)) FROM source';
my $not_held = qq{SELECT CASE WHEN $held THEN 'held' ELSE 'free' END};
for (
	"BEGIN; $all; ROLLBACK",
	"BEGIN; $all; COMMIT AND CHAIN; COMMIT",
	"BEGIN; $all; ROLLBACK AND CHAIN; SELECT 1; ROLLBACK",
	"BEGIN; SAVEPOINT a; $all; ROLLBACK TO a; COMMIT",
	q{DO $$BEGIN FOR n IN 1 .. 100 LOOP BEGIN PERFORM uuid_generate_v7(), 1 / (n % 3); EXCEPTION WHEN division_by_zero THEN END; END LOOP; END$$},
	$in_parallel,
	"BEGIN; $in_parallel; ROLLBACK",
	"SET statement_timeout = 50; DO \$\$BEGIN LOOP PERFORM uuid_generate_v7('nanosecond'); END LOOP; END\$\$; RESET statement_timeout",
	'BEGIN; DECLARE c CURSOR WITH HOLD FOR SELECT uuid_generate_v7() FROM generate_series(1, 3); COMMIT',
	'CLOSE c',
	'CALL commit_and_roll_back()',
	'INSERT INTO deferred VALUES (-1)',
	"BEGIN; $all; CREATE TEMP TABLE t (); PREPARE TRANSACTION 'impossible'",
	"BEGIN; INSERT INTO deferred VALUES (-1); PREPARE TRANSACTION 'impossible'",
	"BEGIN; INSERT INTO deferred VALUES (3); PREPARE TRANSACTION 'possible'; COMMIT PREPARED 'possible'",
	"BEGIN; CREATE TABLE frozen (id uuid DEFAULT uuid_generate_v7(), n int); COPY frozen (n) FROM STDIN (FREEZE);\n1\n\\.\nDROP TABLE frozen; COMMIT",
	'BEGIN; SELECT uuid_generate_v7(); DROP EXTENSION uuidnew CASCADE; ROLLBACK',
	'BEGIN READ ONLY; SELECT uuid_generate_v7(); COMMIT',
	"$all; DISCARD ALL")
{
	$one->query($_);
	is($two->query($not_held), 'free', "holds nothing: $_");
}
like($one->errors, qr/division by zero.*statement timeout.*too small.*temporary objects.*too small/s, '... and those that should fail did');
$one->query("BEGIN; $all");
is($two->query($not_held), 'held', 'a transaction that is open does');
$two->query(q{SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction'});
wait_until($node, q{NOT EXISTS (SELECT FROM pg_stat_activity WHERE state = 'idle in transaction')});
is($two->query($not_held), 'free', '... until its session is ended');
$one->drop;
$two->quit;


# What was in the order of its session keeps the horizon from all: a transaction
# that has asked for it itself, and a procedure that is between two.
my $unknown = qr/Transactions that began before .* are running/;
$node->safe_psql('postgres', q{
CREATE PROCEDURE commit_until_free() LANGUAGE plpgsql AS $$
BEGIN
	WHILE NOT pg_try_advisory_xact_lock(1) LOOP
		COMMIT;
	END LOOP;
END $$;});
set_scope($node, 'session');
($one, $two) = map { Session->new($node) } 1 .. 2;
my $in_session = $one->query('BEGIN; SELECT uuid_generate_v7()');
set_scope($node, 'server');
$one->query('SAVEPOINT a; SELECT uuid_v7_horizon(); ROLLBACK TO a');
like($one->errors, $unknown, 'no horizon in a transaction that made keys in the order of its session');
like(error_of($node, 'SELECT uuid_v7_horizon()'), $unknown, '... nor in others');
$one->query('COMMIT');
cmp_ok($node->safe_psql('postgres', 'SELECT uuid_v7_horizon()'), 'gt', $in_session, '... until it has ended');

set_scope($node, 'session');
$two->query('SELECT pg_advisory_lock(1)');
$one->begin('CALL commit_until_free()');
wait_until($node, q{EXISTS (SELECT FROM pg_stat_activity WHERE query LIKE 'CALL%' AND state = 'active')});
set_scope($node, 'server');
is( $two->query(q{
DO $$
DECLARE
	until timestamptz;
BEGIN
	LOOP
		BEGIN
			PERFORM uuid_v7_horizon();
			RAISE 'there is a horizon';
		EXCEPTION WHEN object_not_in_prerequisite_state THEN
			until := coalesce(until, clock_timestamp() + interval '1 s');
			EXIT WHEN clock_timestamp() > until;
		END;
	END LOOP;
END $$;}) . $two->errors,
	'', 'no horizon while a procedure commits again and again that has not heard of the order');
$two->query('SELECT pg_advisory_unlock(1)');
$one->result;
is($two->query('SELECT uuid_v7_horizon() > uuid_generate_v7()'), 'f', '... until it has ended');

# A session that makes keys when it logs in has not heard of the change, and does
# not show yet that it is not tracked.
SKIP:
{
	skip 'there are no login event triggers', 2 if $major < 17;

	$node->safe_psql('postgres', q{
CREATE ROLE untracked SUPERUSER LOGIN;
ALTER ROLE untracked SET track_activities = off;
CREATE FUNCTION make_at_login() RETURNS event_trigger LANGUAGE plpgsql AS $$
BEGIN
	IF session_user = 'untracked' THEN
		INSERT INTO keys (n) VALUES (0);
		PERFORM pg_advisory_lock(1), pg_advisory_unlock(1);
	END IF;
END $$;
CREATE EVENT TRIGGER make_at_login ON login EXECUTE FUNCTION make_at_login();});
	set_scope($node, 'session');
	$two->query('SELECT pg_advisory_lock(1)');
	my $login = Session->new($node, '-U', 'untracked');
	wait_until($node, q{EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted)});
	set_scope($node, 'server');
	like(error_of($node, 'SELECT uuid_v7_horizon()'), $unknown, 'no horizon while a session that is not tracked logs in');
	$two->query('SELECT pg_advisory_unlock(1)');
	$login->quit;
	wait_until($node, 'uuid_v7_horizon() IS NOT NULL');
	my $horizon = $two->query('SELECT uuid_v7_horizon()');
	is($two->query("SELECT count(*) FROM keys WHERE n = 0 AND id < '$horizon'"), '1', '... until it has ended');
	$node->safe_psql('postgres', 'DROP EVENT TRIGGER make_at_login');
}

# The scope is another and server again, while a horizon waits for its time to be reserved.
$one->query('SELECT uuid_v7_horizon()');
my $dropping = Session->new($node);
$dropping->query(q{BEGIN; SELECT pg_replication_origin_drop('uuidnew')});
sleep 1.1;
$one->begin('SELECT uuid_v7_horizon()');
wait_until($node, q{EXISTS (SELECT FROM pg_stat_activity WHERE query LIKE 'SELECT uuid_v7_horizon()%' AND wait_event_type = 'Lock')});
set_scope($node, 'session');
$two->query('BEGIN; SELECT uuid_generate_v7()');
set_scope($node, 'server');
$dropping->query('ROLLBACK');
$dropping->quit;
is($one->result, '', 'no horizon from before two changes of the scope');
like($one->errors, qr/the horizon is not known yet\nDETAIL:  While this statement was running/, '... but an error');
$two->query('COMMIT');

# Who hears of a reload late reads the configuration as it is by then: a session
# that was in the order, and one that has not heard that there is one.
for my $reloads (['server'], [ 'session', 'server' ])
{
	my $session = Session->new($node);
	$session->query('SELECT uuid_generate_v7()');
	for my $scope (@$reloads)
	{
		my $reloaded = $node->safe_psql('postgres', 'SELECT clock_timestamp()');
		set_scope($node, $scope);
		wait_until($node, "pg_conf_load_time() > '$reloaded'");
		$session->query('SELECT uuid_generate_v7()') if $scope eq 'session';
	}
	wait_until($node, 'uuid_v7_horizon() IS NOT NULL');
	$node->append_conf('postgresql.conf', 'uuidnew.order_scope = session');
	my $early = $session->query('BEGIN; SELECT uuid_generate_v7()');
	is($session->query('SHOW uuidnew.order_scope'), 'session', "@$reloads, then edited: read before the reload");
	like(error_of($node, 'SELECT uuid_v7_horizon()'), qr/the horizon is not known yet/, '... no horizon');
	set_scope($node, 'server');
	like(error_of($node, 'SELECT uuid_v7_horizon()'), $unknown, '... nor after it');
	$session->query('COMMIT');
	wait_until($node, 'uuid_v7_horizon() IS NOT NULL');
	cmp_ok($node->safe_psql('postgres', 'SELECT uuid_v7_horizon()'), 'gt', $early, '... until the transaction has ended');
	$session->quit;
}

# Two spellings in one reading: each process is told session, then server.
$node->append_conf('postgresql.conf', "include_if_exists 'spelling.conf'\nuuidnew.order_scope = server");
append_to_file($node->data_dir . '/spelling.conf', "uuidnew.Order_Scope = session\n");
my $reloaded = $node->safe_psql('postgres', 'SELECT clock_timestamp()');
$node->reload;
wait_until($node, "pg_conf_load_time() > '$reloaded'");
like(error_of($node, 'SELECT uuid_v7_horizon()'), qr/^no error: /, 'a horizon where no process has left the order');
unlink $node->data_dir . '/spelling.conf';
$node->reload;
$_->quit for $one, $two;

# The process that writes the log has no shared memory.
unlike(join('', map { slurp_file($_) } glob $node->data_dir . '/log/*'), qr/was terminated by signal/, 'no process fails when the scope is changed');

# Who is dropping the origin lets others wait.
my $subscriber = new_node('subscriber');
my $first = $subscriber->safe_psql('postgres', 'SELECT uuid_generate_v7()');
$dropping = Session->new($subscriber);
$dropping->query(q{BEGIN; SELECT pg_replication_origin_drop('uuidnew')});
sleep 1.1;
like(error_of($subscriber, 'SET statement_timeout = 500; SELECT uuid_generate_v7()'), qr/statement timeout/,
	'a key waits while the origin is being dropped');
$dropping->query('ROLLBACK');
$dropping->quit;
cmp_ok($subscriber->safe_psql('postgres', 'SELECT uuid_generate_v7()'), 'gt', $first, '... and comes if it was not');

# Rows whose keys a logical replication worker makes, in a session with an origin
# of its own, are read once and in order.
$node->safe_psql('postgres', 'CREATE TABLE events (n int PRIMARY KEY); CREATE PUBLICATION events FOR TABLE events');
my $connection = $node->connstr . ' dbname=postgres';
$subscriber->safe_psql('postgres', qq{
CREATE TABLE events (n int PRIMARY KEY, id uuid DEFAULT uuid_generate_v7());

-- a transaction takes long enough to be overtaken
CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS \$\$BEGIN PERFORM pg_sleep(0.002); RETURN NULL; END\$\$;
CREATE TRIGGER wait AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION wait();
ALTER TABLE events ENABLE ALWAYS TRIGGER wait;

CREATE SUBSCRIPTION events CONNECTION '$connection' PUBLICATION events});
$subscriber->safe_psql('postgres', q{
CREATE TABLE seen (n bigserial, id uuid);
CREATE PROCEDURE read_forward() LANGUAGE plpgsql AS $$
DECLARE
	last uuid := '00000000-0000-0000-0000-000000000000';
	horizon uuid;
BEGIN
	LOOP
		horizon := uuid_v7_horizon();
		INSERT INTO seen (id) SELECT id FROM events WHERE id > last AND id < horizon ORDER BY id;
		last := coalesce((SELECT id FROM seen ORDER BY n DESC LIMIT 1), last);
		COMMIT;
		EXIT WHEN (SELECT count(*) FROM events WHERE id < horizon) = 400;
	END LOOP;
END $$;});
wait_until($subscriber, q{NOT EXISTS (SELECT FROM pg_subscription_rel WHERE srsubstate <> 'r')});
my $reader = Session->new($subscriber);
$reader->begin(qq{SET statement_timeout = '$PostgreSQL::Test::Utils::timeout_default s'; CALL read_forward()});
$node->safe_psql('postgres', q{
DO $$BEGIN
	FOR i IN 1 .. 200 LOOP
		INSERT INTO events VALUES (2 * i), (2 * i + 1);
		IF i % 50 = 0 THEN
			PERFORM pg_sleep(0.1);
		END IF;
		COMMIT;
	END LOOP;
END$$;});
$reader->result;
is($reader->errors, '', 'a reader of what is applied');
is( $subscriber->safe_psql('postgres', q{
SELECT count(*), count(DISTINCT id), (SELECT count(*) FROM events),
	count(*) FILTER (WHERE NOT EXISTS (SELECT FROM events WHERE events.id = pairs.id)), count(*) FILTER (WHERE id <= previous)
FROM (SELECT id, lag(id) OVER (ORDER BY n) AS previous FROM seen) pairs}),
	'400|400|400|0|0', '... reads each row once, in order');
$reader->quit;

# One that is behind does not hear that the scope was changed.
set_scope($subscriber, 'session');
$subscriber->safe_psql('postgres', q{
CREATE OR REPLACE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN PERFORM pg_sleep(0.1); RETURN NULL; END$$;});
$node->safe_psql('postgres', 'DO $$BEGIN FOR i IN 1001 .. 1040 LOOP INSERT INTO events VALUES (i); COMMIT; END LOOP; END$$');
wait_until($subscriber, 'EXISTS (SELECT FROM events WHERE n > 1000)');
set_scope($subscriber, 'server');
is( error_of($subscriber, q{
DO $$
DECLARE
	horizon uuid;
	before bigint;
BEGIN
	WHILE NOT EXISTS (SELECT FROM events WHERE n = 1040) LOOP
		BEGIN
			horizon := uuid_v7_horizon();
			before := (SELECT count(*) FROM events WHERE id < horizon);
			PERFORM pg_sleep(0.1);
			IF (SELECT count(*) FROM events WHERE id < horizon) > before THEN
				RAISE 'a row below the horizon came later';
			END IF;
		EXCEPTION WHEN object_not_in_prerequisite_state THEN
			PERFORM pg_sleep(0.01);
		END;
	END LOOP;
END$$;}),
	'no error: ', 'no horizon above what is applied in the order of a session');
wait_until($subscriber, 'uuid_v7_horizon() IS NOT NULL');
$subscriber->safe_psql('postgres', 'DROP SUBSCRIPTION events');
$subscriber->stop('immediate');

# A standby's standby, in a transaction that goes on when it is promoted.  Its
# clock is an hour behind.
SKIP:
{
	skip 'libfaketime is not installed', 1 if !$faketime;

	my $clock = PostgreSQL::Test::Utils::tempdir() . '/clock';
	append_to_file($clock, "-3600\n");
	$node->backup('backup');
	my $standby = PostgreSQL::Test::Cluster->new('standby');
	$standby->init_from_backup($node, 'backup', has_streaming => 1);
	$standby->start;
	my $second = PostgreSQL::Test::Cluster->new('second');
	$second->init_from_backup($node, 'backup', has_streaming => 1);
	$second->append_conf('postgresql.conf', q{primary_conninfo = '} . $standby->connstr . q{'});
	start_with_clock($second, $clock);
	$node->safe_psql('postgres', "INSERT INTO made $all; BEGIN; INSERT INTO made $all; PREPARE TRANSACTION 'before'");
	my $lsn = $node->safe_psql('postgres', 'SELECT pg_current_wal_insert_lsn()');
	$second->poll_query_until('postgres', "SELECT pg_last_wal_replay_lsn() >= '$lsn'") or die;

	my $session = Session->new($second);
	my $recovering = $session->query('BEGIN; SELECT uuid_generate_v7()');
	$node->stop('immediate');
	$second->promote;
	my $promoted = $session->query('SELECT uuid_generate_v7()');
	cmp_ok($recovering, 'lt', $promoted, 'a transaction goes on in order when its standby is promoted');
	is($session->query($not_greater), '0', '... beyond all that the primary has left');
	is($session->query($not_held), 'held', '... and holds the horizon');
	$session->query('COMMIT');
	is($session->query($not_held), 'free', '... until it ends');
	like(error_of($second, 'SELECT uuid_v7_horizon()'), qr/which keys they made: "before"/,
		'what the primary has prepared is not known');
	$session->query(q{COMMIT PREPARED 'before'});
	is($session->query($not_greater), '0', '... but its keys are below those to come');
	$session->query("INSERT INTO made $all");
	$session->quit;
	$standby->stop('immediate');

	# pg_resetwal, then a server for one user, each an hour further back
	$second->stop;
	system_or_bail('pg_resetwal', '-D', $second->data_dir);
	my ($out, $err) = ('', '');
	with_faked_clock(
		sub {
			my $statements = "$not_greater\nINSERT INTO made $all\n" =~ s/\n(WHERE)/ $1/r;
			IPC::Run::run([ 'postgres', '--single', '-D', $second->data_dir, 'postgres' ], '<', \$statements, '>', \$out, '2>', \$err);
		},
		FAKETIME => '-7200');
	# which preloads nothing before PostgreSQL 15
	like($out . $err, $major < 15 ? qr/there is no shared memory for it/ : qr/count = "0"/,
		'after pg_resetwal, in single-user mode: in order, or an error');
	append_to_file("$clock.new", "-10800\n");
	rename "$clock.new", $clock or die $!;
	start_with_clock($second, $clock);
	is($second->safe_psql('postgres', $not_greater), '0', '... and after it');
	$second->stop;
}

done_testing();
