# One order of the keys of all sessions, uuidnew.order_scope = server: kept over
# sessions, restarts, crashes, base backups, failover and recovery to a point in
# time, with the clock set back meanwhile.  Nothing is set up but the setting.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Layouts;
use ServerOrder;
use Session;
use SetClock;

plan skip_all => 'libfaketime is not installed' if !$faketime;

# Have two keys of version 7 the same time?
sub same_tick
{
	my (@keys) = @_;
	return ask("SELECT uuid_v7_timestamp('$keys[0]') = uuid_v7_timestamp('$keys[1]')");
}

my $make_all = q{INSERT INTO made (layout, id) SELECT layout, generate(layout) FROM layouts};

# Makes a key of each layout: how many layouts have one that is not greater than
# all that the table has?
sub not_greater
{
	my ($of) = @_;
	return $of->safe_psql('postgres', <<~SQL);
		SELECT count(*) FROM (SELECT layout, generate(layout) AS id FROM layouts OFFSET 0) new
		WHERE id <= (SELECT id FROM made WHERE made.layout = new.layout ORDER BY id DESC LIMIT 1);
		$make_all;
		SQL
}

set_clock('+0');
my $node = order_node('server', 'restart_after_crash = on', has_archiving => 1);

# without libfaketime, which hangs where a signal comes while it reads the clock
$node->start;
ask("CREATE EXTENSION uuidnew; $layout_functions");
ask('CREATE TABLE made (layout text COLLATE "C", id uuid); CREATE INDEX ON made (layout, id)');
is(ask('SELECT DISTINCT scope, reserved_until FROM uuidnew_order()'),
	'server|', 'no time is reserved before the first key');
is(not_greater($node), 0, 'there is a first key');
is(ask(<<~'SQL'), 't|t', 'time is reserved ahead, and not far');
	SELECT reserved_until > last_time, reserved_until - last_time <= '2 s'
	FROM uuidnew_order() WHERE layout = 'nanosecond'
	SQL

# A machine id stands in each, also where the sequence is used up.
is(ask(<<~'SQL'), 20000 * @layouts . '|0', 'each has the machine id');
	SET uuidnew.machine_id_bits = 8;
	SET uuidnew.machine_id = 5;
	SELECT count(*), count(*) FILTER (WHERE CASE layout
		WHEN 'v6' THEN uuid_machine_id(id, 8) ELSE uuid_machine_id(id, 8, substr(layout, 4)) END <> 5)
	FROM (SELECT layout, generate(layout) AS id FROM generate_series(1, 20000), layouts) made
	SQL

# Layouts by numbers are not in the order: anyone can make up any number of them.
for ("uuid_generate_v8('custom(1000/s, 48, 12)')", "uuid_v8_horizon('custom(60s, 32, 12)', '2020-01-01')")
{
	like(error_of("SELECT $_"),
		qr/0A000: custom layouts are not supported when .*\nHINT:  Use a built-in layout/,
		"$_: an error");
}

# The epochs of a layout share its times.
my $epochs = ask(<<~'SQL');
	SELECT count(*)
	FROM (SELECT n % 3 AS epoch, id, lag(id) OVER (PARTITION BY n % 3 ORDER BY n) AS previous
		FROM (SELECT n,
			uuid_generate_v8('unix48', NULL, '2020-01-01'::timestamptz + n % 3 * interval '1 hour') AS id
			FROM generate_series(1, 3000) n OFFSET 0) made) pairs
	WHERE id <= previous
	SQL
is($epochs, '0', 'three epochs in turns: each in order');

# Parallel workers make keys, and their leader has made none, or one after theirs: no session that is kept
# and has made some.
my $leader = Session->new($node);
$leader->query(<<~'SQL');
	SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
	SET parallel_leader_participation = off;
	CREATE TABLE source AS SELECT n FROM generate_series(1, 10000) n; ANALYZE source
	SQL
for (
	[
		'keys of parallel workers hold the horizon when it is prepared',
		q{PREPARE TRANSACTION 'parallel'},
		q{COMMIT PREPARED 'parallel'}
	],
	[
		'keys of parallel workers hold the horizon after a key of their leader',
		'SELECT uuid_generate_v7() AS leaders \gset', 'COMMIT'
	])
{
	my ($name, $then, $end) = @$_;
	my $first = $leader->query('BEGIN; CREATE TABLE parallel AS SELECT uuid_generate_v7() AS id FROM source;'
		  . " SELECT min(id::text) FROM parallel; $then");
	my $running = ask('SELECT uuid_v7_horizon()');
	is(same_tick($running, $first), 't', $name);
	cmp_ok($running, 'le', $first, "$name: it is not above them");
	$leader->query($end);
	cmp_ok(
		ask('SELECT uuid_v7_horizon()'),
		'gt',
		$leader->query('SELECT max(id::text) FROM parallel'),
		"$name: until the transaction has ended");
	$leader->query('DROP TABLE parallel');
}
is($leader->errors, '', 'keys of parallel workers: no error');
$leader->quit;

# Stopped, and started with the clock an hour behind: each time further.
my $behind = 0;

sub back_by_an_hour
{
	$behind -= 3600;
	set_clock($behind);
	return;
}

is(not_greater($node), 0, 'before a stop');

# A prepared transaction holds the horizon; over a restart it is not known which
# keys it made.
ask("BEGIN; $make_all; PREPARE TRANSACTION 'one'");
is(ask('SELECT count(DISTINCT h) FROM (SELECT uuid_v7_horizon() h FROM generate_series(1, 3)) x'),
	'1', 'a prepared transaction holds the horizon');
is( ask(<<~'SQL'),
	SELECT count(*) FROM uuidnew_order() WHERE held_by_xid IS NOT NULL AND held_by_pid IS NULL
	SQL
	scalar(@layouts), 'a prepared transaction that holds the horizon is named');
$node->stop;
back_by_an_hour();
start_with_clock($node, $clock);
is(not_greater($node), 0, 'a clean restart');
my $one = ask(q{SELECT transaction FROM pg_prepared_xacts WHERE gid = 'one'});
like(
	error_of('SELECT uuid_v7_horizon()'),
	qr/the horizon is not known yet\n.*Transaction $one may have been prepared/,
	'after a restart the horizon is an error, which has the number of the transaction');
ask("COMMIT PREPARED 'one'");
is(ask(q{SELECT uuid_v7_horizon() > '00000000-0000-0000-0000-000000000000'}), 't', 'until it is committed');
is(not_greater($node), 0, 'a prepared transaction\'s keys too');

# The postmaster is killed, and its children notice.
my @pids = split /\n/, ask('SELECT pid FROM pg_stat_activity');
kill 'KILL', $node->{_pid};
$node->{_pid} = undef;
for (1 .. 10 * $PostgreSQL::Test::Utils::timeout_default)
{
	last if !grep { kill 0, $_ } @pids;
	select undef, undef, undef, 0.1;
}
unlink $node->data_dir . '/postmaster.pid';
back_by_an_hour();
start_with_clock($node, $clock);
is(not_greater($node), 0, 'kill -9 of the postmaster');

# A backend is killed in the middle of calls: the server starts over, and nothing
# is locked.
my $busy = Session->new($node);
my $pid = $busy->query('SELECT pg_backend_pid()');
$busy->begin('DO $$BEGIN LOOP PERFORM generate(layout) FROM layouts; END LOOP; END$$');
$node->poll_query_until('postgres', "SELECT state = 'active' FROM pg_stat_activity WHERE pid = $pid") or die;
back_by_an_hour();
kill 'KILL', $pid;
wait_for_log($node, qr/all server processes terminated; reinitializing/);
$busy->drop;
$node->poll_query_until('postgres', 'SELECT true') or die;
is(not_greater($node), 0, 'kill -9 of a backend');

# A standby whose clock is an hour behind, first in recovery, then promoted
$node->backup('backup');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'backup', has_streaming => 1);
$standby->append_conf('postgresql.conf', 'archive_mode = off');
my $standby_clock = PostgreSQL::Test::Utils::tempdir() . '/clock';
set_clock($behind - 3600, $standby_clock);
start_with_clock($standby, $standby_clock);
is(not_greater($node), 0, 'the primary goes on');
$node->wait_for_catchup($standby);

# Its sessions are in order, and what they made is known when it is promoted.
my $made_here = q{SELECT string_agg(generate(layout)::text, ' ' ORDER BY layout) FROM layouts};
my @on_standby = ($standby->safe_psql('postgres', $made_here));
set_clock($behind - 7200, $standby_clock);
push @on_standby, $standby->safe_psql('postgres', $made_here);
like(
	$standby->Session::error_of('SELECT uuid_v7_horizon()'),
	qr/no horizon during recovery/,
	'a standby has no horizon');
like(
	$standby->Session::error_of(q{SELECT uuid_generate_v8('unix64', NULL, '2100-01-01')}),
	qr/22008: timestamp out of range/,
	'an epoch in the future is an error on a standby');
ask(q{SELECT uuidnew_order_begin_after(uuidv7_at(uuid_time(uuidv7()) + interval '1 minute'))});
my $target = ask('SELECT pg_current_wal_lsn()');
ask($make_all);
my $segment = ask('SELECT pg_walfile_name(pg_switch_wal())');
$node->poll_query_until('postgres', "SELECT last_archived_wal >= '$segment' FROM pg_stat_archiver") or die;
$node->wait_for_catchup($standby);
$node->stop('immediate');
my $reader = Session->new($standby);
$reader->query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM made');
$standby->promote;
$reader->query('SELECT uuid_v7_horizon()');
like(
	$reader->errors,
	qr/ERROR:  there is no horizon for a snapshot that was taken during recovery\nHINT:  /,
	'a snapshot from before a promotion has no horizon');
$reader->query('ROLLBACK; SELECT uuid_v7_horizon()');
is($reader->errors, '', 'a snapshot from after a promotion has a horizon');
$reader->quit;
push @on_standby, $standby->safe_psql('postgres', $made_here);

for my $n (0 .. $#layouts)
{
	my @keys = map { (split / /)[$n] } @on_standby;
	ok($keys[0] lt $keys[1] && $keys[1] lt $keys[2],
		"$layouts[$n]: in order in two sessions of a standby and after its promotion");
}
is(not_greater($standby), 0, 'a promoted standby goes on after the primary\'s keys');
is($standby->safe_psql('postgres', 'SELECT uuid_v7_horizon() > uuid_generate_v7()'),
	'f', 'a promoted standby has a horizon');
$standby->stop('immediate');

# A point in time, before the last keys
my $restored = PostgreSQL::Test::Cluster->new('restored');
$restored->Session::init_from_moved_backup($node, 'backup', has_restoring => 1, standby => 0);
$restored->append_conf('postgresql.conf',
		"recovery_target_lsn = '$target'\nrecovery_target_action = promote\n"
	  . "recovery_target_timeline = current\narchive_mode = off");
start_with_clock($restored, $standby_clock);
$restored->poll_query_until('postgres', 'SELECT NOT pg_is_in_recovery()') or die;
is(not_greater($restored), 0,
	'a server restored to a time before the last keys makes greater keys than those it has');
$restored->stop;

back_by_an_hour();
start_with_clock($node, $clock);
is(not_greater($node), 0, 'an immediate stop: the old primary, started again');
$node->stop;
done_testing();
