# One order for the server, attacked: a disk that stalls, commits that take long,
# transactions that end in every way, apply workers, a standby's standby, and starts
# that are no ordinary ones.
use strict;
use warnings FATAL => 'all';

use FindBin;
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(sleep);

use lib $FindBin::RealBin;
use Faults;
use Layouts;
use ServerOrder;
use Session;
use SetClock;

my ($major) = qx(pg_config --version) =~ /(\d+)/;

my $node = order_node('server', <<~'CONF');
	wal_level = logical
	max_connections = 50
	max_logical_replication_workers = 0
	logging_collector = on
	CONF
$node->start;

sub wait_until
{
	my ($condition) = @_;
	$node->poll_query_until('postgres', "SELECT $condition") or die "never: $condition";
	return;
}

ask("CREATE EXTENSION uuidnew; $layout_functions");
ask(<<~'SQL');
	CREATE TABLE made (layout text COLLATE "C", id uuid);
	CREATE TABLE keys (id uuid DEFAULT uuid_generate_v7(), n int);
	CREATE TABLE source AS SELECT n FROM generate_series(1, 10000) n;
	ANALYZE source;

	-- makes a key when the transaction commits
	CREATE TABLE deferred (n int);
	CREATE FUNCTION make_late() RETURNS trigger LANGUAGE plpgsql AS $$
	BEGIN
		INSERT INTO keys (n) VALUES (new.n);
		PERFORM pg_advisory_lock(1), pg_advisory_unlock(1);
		IF new.n < 0 THEN
			RAISE 'too small';
		END IF;
		RETURN NULL;
	END $$;
	CREATE CONSTRAINT TRIGGER make_late AFTER INSERT ON deferred
	DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION make_late();

	CREATE PROCEDURE commit_and_roll_back() LANGUAGE plpgsql AS $$
	DECLARE
		made record;
	BEGIN
		FOR made IN SELECT n, uuid_generate_v7() AS id FROM generate_series(1, 5) n LOOP
			INSERT INTO keys VALUES (made.id, made.n), (uuid_generate_v7(), made.n);
			IF made.n % 2 = 0 THEN ROLLBACK; ELSE COMMIT; END IF;
		END LOOP;
	END $$;
	SQL
my $all = q{SELECT layout, generate(layout) AS id FROM layouts};
my $not_greater = <<~SQL;
	SELECT count(*) FROM ($all OFFSET 0) new
	WHERE id <= (SELECT id FROM made WHERE made.layout = new.layout ORDER BY id DESC LIMIT 1)
	SQL
my $held = q{EXISTS (SELECT FROM uuidnew_order() WHERE held_by_pid IS NOT NULL OR held_by_xid IS NOT NULL)};

# A commit that waits for a standby, and is told not to
my ($one, $two) = map { Session->new($node) } 1 .. 2;
$two->query(q{ALTER SYSTEM SET synchronous_standby_names = 'nobody'; SELECT pg_reload_conf()});
wait_until(q{current_setting('synchronous_standby_names') = 'nobody'});
$one->begin('INSERT INTO keys (n) VALUES (1)');
wait_until(q{EXISTS (SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep')});
my $waiting = $two->query('SELECT uuid_v7_horizon()');
is($two->query(<<~SQL), '0', 'a commit that waits is above the horizon');
	SELECT count(*) FROM keys WHERE id < '$waiting'
	SQL
$two->query(q{SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'});
$one->result;
is($two->query(<<~SQL), '1|0', 'a commit whose wait is cancelled is seen above the horizon');
	SELECT count(*), count(*) FILTER (WHERE id < '$waiting') FROM keys
	SQL
my $ended = $two->query('SELECT uuid_v7_horizon()');
is($two->query("SELECT count(*) FROM keys WHERE id < '$ended'"),
	'1', 'a commit whose wait was cancelled is below the next horizon');
$two->query('ALTER SYSTEM RESET synchronous_standby_names; SELECT pg_reload_conf()');
wait_until(q{current_setting('synchronous_standby_names') = ''});

# A key that is made in COMMIT
$two->query('BEGIN; SELECT pg_advisory_lock(1)');
$one->begin('INSERT INTO deferred VALUES (2)');
wait_until(q{EXISTS (SELECT FROM pg_stat_activity WHERE wait_event = 'advisory')});
my $committing = $two->query('SELECT uuid_v7_horizon()');
$two->query('SELECT pg_advisory_unlock(1); COMMIT');
$one->result;
is($two->query(<<~SQL), '1', 'a key made in COMMIT holds the horizon');
	SELECT count(*) FROM keys WHERE n = 2 AND id >= '$committing'
	SQL

# However a transaction ends, it holds the horizon no longer.
my $in_parallel = 'SELECT count(uuid_generate_v7()), sum(1 / (n - 9999)) FROM source';
$one->query('SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0');
my $not_held = qq{SELECT CASE WHEN $held THEN 'held' ELSE 'free' END};
for (
	"BEGIN; $all; ROLLBACK",
	"BEGIN; $all; COMMIT AND CHAIN; COMMIT",
	"BEGIN; $all; ROLLBACK AND CHAIN; SELECT 1; ROLLBACK",
	"BEGIN; SAVEPOINT a; $all; ROLLBACK TO a; COMMIT",
	q{DO $$BEGIN FOR n IN 1 .. 100 LOOP BEGIN PERFORM uuid_generate_v7(), 1 / (n % 3); }
	. q{EXCEPTION WHEN division_by_zero THEN END; END LOOP; END$$},
	$in_parallel,
	"BEGIN; $in_parallel; ROLLBACK",
	"SET statement_timeout = 50; DO \$\$BEGIN LOOP PERFORM uuid_generate_v7('nanosecond'); END LOOP; "
	. "END\$\$; RESET statement_timeout",
	'BEGIN; DECLARE c CURSOR WITH HOLD FOR SELECT uuid_generate_v7() FROM generate_series(1, 3); COMMIT',
	'CLOSE c',
	'CALL commit_and_roll_back()',
	'INSERT INTO deferred VALUES (-1)',
	"BEGIN; $all; CREATE TEMP TABLE t (); PREPARE TRANSACTION 'impossible'",
	"BEGIN; INSERT INTO deferred VALUES (-1); PREPARE TRANSACTION 'impossible'",
	"BEGIN; INSERT INTO deferred VALUES (3); PREPARE TRANSACTION 'possible'; COMMIT PREPARED 'possible'",
	"BEGIN; CREATE TABLE frozen (id uuid DEFAULT uuid_generate_v7(), n int); COPY frozen (n) "
	. "FROM STDIN (FREEZE);\n1\n\\.\nDROP TABLE frozen; COMMIT",
	'BEGIN; SELECT uuid_generate_v7(); DROP EXTENSION uuidnew CASCADE; ROLLBACK',
	'BEGIN READ ONLY; SELECT uuid_generate_v7(); COMMIT',
	"$all; DISCARD ALL")
{
	$one->query($_);
	is($two->query($not_held), 'free', "holds nothing: $_");
}
like(
	$one->errors,
	qr/division by zero.*statement timeout.*too small.*temporary objects.*too small/s,
	'the statements that should fail did');
$one->query("BEGIN; $all");
is($two->query($not_held), 'held', 'a transaction that is open holds the horizon');
$two->query(q{SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction'});
wait_until(q{NOT EXISTS (SELECT FROM pg_stat_activity WHERE state = 'idle in transaction')});
is($two->query($not_held), 'free', 'a transaction whose session is ended holds nothing');
$one->drop;

# A transaction's first key is of a layout whose time is ahead of the clock, as its
# ticks were used up; its second is of another, and from before that time.
my ($ahead_key, $second);
for (1 .. 20)
{
	$two->query(<<~'SQL');
		SELECT count(uuid_generate_v8('unix32', decode(lpad(to_hex(n), 12, '0'), 'hex')))
		FROM generate_series(1, 5000) n
		SQL
	$two->query('BEGIN');
	($ahead_key, $second) = map { $two->query("SELECT $_") } q{uuid_generate_v8('unix32')},
	  'uuid_generate_v7()';
	last if $two->query(<<~SQL) eq 't';
		SELECT uuid_v8_timestamp('$ahead_key', 'unix32') > uuid_v7_timestamp('$second')
		SQL
	$two->query('COMMIT');
	sleep 0.1;
}
is($two->query(<<~SQL), 't', 'a layout that is ahead of another');
	SELECT uuid_v8_timestamp('$ahead_key', 'unix32') > uuid_v7_timestamp('$second')
	SQL
cmp_ok(
	ask(<<~'SQL') =~ s/^\s+//r, 'le', $second,
		SELECT pg_sleep(1.1);
		SELECT uuid_v7_horizon()
		SQL
	'a layout that is ahead does not let a horizon pass the other\'s key');
cmp_ok(ask(q{SELECT uuid_v8_horizon('unix32')}),
	'le', $ahead_key, 'a layout that is ahead does not let a horizon pass its own key');
$two->query('COMMIT');
$two->quit;

# A disk that stalls for longer than time is reserved: keys come, if slowly, and
# hear that they are not wanted any more.
my $slow = order_node('slow', "fsync = on\nwal_sync_method = fdatasync\ncheckpoint_timeout = 1h");
my $faults = start_with_faults($slow);
$slow->safe_psql('postgres', 'CREATE EXTENSION uuidnew; SELECT uuid_generate_v7()');
SKIP:
{
	skip 'no C compiler, or a system without LD_PRELOAD', 9 if !$faults;

	append_to_file("$faults/disk", '');
	my @waiting = map { Session->new($slow) } 1 .. ($ENV{UUIDNEW_QUICK} ? 2 : 4);
	for my $round (1 .. 2)
	{
		sleep 3;
		$_->begin(<<~'SQL') for @waiting;
			SET statement_timeout = '60 s'; SELECT clock_timestamp() AS begun \gset
			SELECT uuid_v7_timestamp(uuid_generate_v7()) BETWEEN :'begun' AND clock_timestamp()
			SQL
		is( join(' ', map { $_->result } @waiting),
			join(' ', ('t') x @waiting),
			"a disk that stalls: keys come, of a time at which they were made, $round");
	}
	$_->begin('SELECT count(uuid_generate_v7()) FROM generate_series(1, 10000)') for @waiting;
	is( join(' ', map { $_->result } @waiting),
		join(' ', (10000) x @waiting),
		'not each of those that wait together waits for the disk');
	is(join('', map { $_->errors } @waiting), '', 'those that wait for the disk have no error');
	$_->quit for @waiting;
	unlink "$faults/disk";

	# After a start with the clock an hour back, a session has read the clock when
	# another makes the first key, of another layout.
	my $last = $slow->safe_psql('postgres', q{SELECT uuid_generate_v7('microsecond')});
	$slow->stop('immediate');
	append_to_file("$faults/hour", '');
	start_with_faults($slow);
	my $early = Session->new($slow);
	my $pid = $early->query(q{LOAD 'uuidnew'; SELECT pg_backend_pid()});
	append_to_file("$faults/pause.$pid", '');
	$early->begin(q{SELECT uuid_generate_v7('microsecond')});
	for (1 .. 1000) { last if -e "$faults/paused"; select undef, undef, undef, 0.01 }
	ok(-e "$faults/paused", 'a session waits with a time from before the order');
	$slow->safe_psql('postgres', 'SELECT public.uuidv7()');
	unlink "$faults/paused";
	cmp_ok($early->result, 'gt', $last,
		'a key with a time from before the order is above those from before the start');
	unlink "$faults/hour";

	# A session is stopped after it has read the clock, and then checks the clock for all.  First the clock
	# passes what was reserved before the start.
	my $reserved = $slow->safe_psql('postgres', 'SELECT max(reserved_until) FROM uuidnew_order()');
	$slow->poll_query_until('postgres',
		"SELECT public.uuidv7() IS NOT NULL AND max(reserved_until) > '$reserved' FROM uuidnew_order()")
	  or die;
	$early->query('SELECT public.uuidv7()');
	sleep 3;
	append_to_file("$faults/pause.$pid", '');
	$early->begin('SELECT public.uuidv7() IS NOT NULL');
	for (1 .. 1000) { last if -e "$faults/paused"; select undef, undef, undef, 0.01 }
	sleep 4;
	unlink "$faults/paused";
	is($early->result, 't', 'a session that was stopped generates a key');
	sleep 3;
	is($slow->Session::error_of('SET uuidnew.max_clock_leap = 2; SELECT public.uuidv7()'),
		'', 'a session that was stopped does not make the clock leap for others');

	# The clock leaps, and is right again before a session that has read it checks it.
	append_to_file("$faults/day", '');
	append_to_file("$faults/pause.$pid", '');
	$early->begin('SELECT public.uuidv7() IS NOT NULL');
	for (1 .. 1000) { last if -e "$faults/paused"; select undef, undef, undef, 0.01 }
	unlink "$faults/day", "$faults/paused";
	$early->result;
	is( $slow->safe_psql('postgres', <<~'SQL'),
		SELECT max(reserved_until) < clock_timestamp() + interval '1 min' FROM uuidnew_order()
		SQL
		't', 'a leap between two readings of the clock reserves no time');
	$early->quit;
}

# Keys that a logical replication worker generates, in a session with an origin of its own, are in order and
# below the horizon once they are visible.
ask('CREATE TABLE events (n int PRIMARY KEY); CREATE PUBLICATION events FOR TABLE events');
my $connection = $node->connstr . ' dbname=postgres';
$slow->safe_psql('postgres', <<~SQL);
	CREATE TABLE events (n int PRIMARY KEY, id uuid DEFAULT uuid_generate_v7());
	CREATE SUBSCRIPTION events CONNECTION '$connection' PUBLICATION events WITH (copy_data = false)
	SQL
ask(<<~'SQL');
	DO $$BEGIN
		FOR i IN 1 .. 200 LOOP
			INSERT INTO events VALUES (2 * i), (2 * i + 1);
			COMMIT;
		END LOOP;
	END$$
	SQL
$slow->poll_query_until('postgres', 'SELECT count(*) = 400 FROM events') or die 'no replication';
is( $slow->safe_psql('postgres', <<~'SQL'),
	SELECT count(*) FILTER (WHERE id <= previous),
		count(*) FILTER (WHERE id >= (SELECT uuid_v7_horizon() OFFSET 0))
	FROM (SELECT id, lag(id) OVER (ORDER BY n) AS previous FROM events) pairs
	SQL
	'0|0', 'the keys of an apply worker are in order, and below the horizon');
$slow->safe_psql('postgres', 'DROP SUBSCRIPTION events');
$slow->stop('immediate');

# A standby's standby, in a transaction that goes on when it is promoted.  Its
# clock is an hour behind.
SKIP:
{
	skip 'libfaketime is not installed', 1 if !$faketime;

	set_clock('-3600');
	$node->backup('backup');
	my $standby = PostgreSQL::Test::Cluster->new('standby');
	$standby->init_from_backup($node, 'backup', has_streaming => 1);
	$standby->start;
	my $second = PostgreSQL::Test::Cluster->new('second');
	$second->Session::init_from_moved_backup($node, 'backup', has_streaming => 1);
	$second->append_conf('postgresql.conf', q{primary_conninfo = '} . $standby->connstr . q{'});
	start_with_clock($second, $clock);
	ask(<<~SQL);
		INSERT INTO made $all;
		BEGIN;
		INSERT INTO made $all;
		PREPARE TRANSACTION 'before'
		SQL
	my $lsn = ask('SELECT pg_current_wal_insert_lsn()');
	$second->poll_query_until('postgres', "SELECT pg_last_wal_replay_lsn() >= '$lsn'") or die;

	my $session = Session->new($second);
	my $recovering = $session->query('BEGIN; SELECT uuid_generate_v7()');
	$node->stop('immediate');
	$second->promote;
	my $unknown = qr/Transaction \d+ may have been prepared/;
	$session->query('SAVEPOINT first; SELECT uuid_v7_horizon()');
	like($session->errors, $unknown, 'the first horizon after a promotion is an error too');
	my $promoted = $session->query('ROLLBACK TO first; SELECT uuid_generate_v7()');
	cmp_ok($recovering, 'lt', $promoted, 'a transaction goes on in order when its standby is promoted');
	is($session->query($not_greater), '0', 'after a promotion keys are beyond all that the primary has left');
	is($session->query($not_held), 'held',
		'a transaction that goes on through a promotion holds the horizon');
	$session->query('COMMIT');
	is($session->query($not_held),
		'free', 'a transaction that went on through a promotion holds nothing when it has ended');
	my $before = $session->query(q{SELECT transaction FROM pg_prepared_xacts WHERE gid = 'before'});
	like(
		$second->Session::error_of('SELECT uuid_v7_horizon()'),
		qr/Transaction $before may have been prepared/,
		'what the primary has prepared is not known');
	$session->query(q{COMMIT PREPARED 'before'});
	is($session->query($not_greater),
		'0', 'the keys of what the primary has prepared are below those to come');
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
			IPC::Run::run([ 'postgres', '--single', '-D', $second->data_dir, 'postgres' ],
				'<', \$statements, '>', \$out, '2>', \$err);
		},
		FAKETIME => '-7200');
	# which preloads nothing before PostgreSQL 15
	like(
		$out . $err,
		$major < 15 ? qr/is not preloaded/ : qr/count = "0"/,
		'after pg_resetwal, in single-user mode: in order, or an error');
	set_clock('-10800');
	start_with_clock($second, $clock);
	is($second->safe_psql('postgres', $not_greater),
		'0', 'after pg_resetwal, and single-user mode, keys are in order');
	$second->stop;
}

done_testing();
