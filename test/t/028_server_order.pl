# One order of the keys of all sessions, uuidnew.order_scope = server: kept over
# sessions, restarts, crashes, failover and recovery to a point in time, with the
# clock set back meanwhile; and what changing the setting does.
use strict;
use warnings FATAL => 'all';

use FindBin;
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Layouts;
use Session;
use SetClock;

plan skip_all => 'libfaketime is not installed' if !$faketime;

my $clock = PostgreSQL::Test::Utils::tempdir() . '/clock';

sub set_clock
{
	# libfaketime ends a process that finds the file empty
	open my $file, '>', "$clock.new" or die $!;
	print $file "$_[0]\n";
	close $file;
	rename "$clock.new", $clock or die $!;
	return;
}

sub configure
{
	my ($node, $scope) = @_;
	$node->append_conf(
		'postgresql.conf', qq{
shared_preload_libraries = 'uuidnew'
uuidnew.order_scope = '$scope'
max_prepared_transactions = 5
restart_after_crash = on
});
	return;
}

# What a statement says when it fails
sub error_of
{
	my ($node, $sql, %parameters) = @_;
	my ($status, $out, $err) = $node->psql('postgres', $sql, %parameters);
	return $status == 0 ? "no error: $out" : $err;
}

my $make_all = q{INSERT INTO made (layout, id) SELECT layout, generate(layout) FROM layouts};

# Makes a key of each layout: how many layouts have one that is not greater than
# all that the table has?
sub not_greater
{
	my ($node) = @_;
	return $node->safe_psql(
		'postgres', qq{
SELECT count(*) FROM (SELECT layout, generate(layout) AS id FROM layouts OFFSET 0) new
WHERE id <= (SELECT id FROM made WHERE made.layout = new.layout ORDER BY id DESC LIMIT 1);
$make_all;});
}

sub set_scope
{
	my ($node, $scope) = @_;
	$node->append_conf('postgresql.conf', "uuidnew.order_scope = '$scope'");
	$node->reload;
	$node->poll_query_until('postgres',
		"SELECT current_setting('uuidnew.order_scope') = '$scope'")
	  or die "the setting was not changed";
	return;
}

set_clock('+0');
my $node = PostgreSQL::Test::Cluster->new('server');
$node->init(has_archiving => 1, allows_streaming => 1);
configure($node, 'server');

# without libfaketime, which hangs where a signal comes while it reads the clock
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION uuidnew');

# What is missing is an error, not another order.
my $missing = error_of($node, 'SELECT uuid_generate_v7()', on_error_stop => 1);
like($missing, qr/there is no replication origin "uuidnew"/, 'without an origin: an error');
like($missing, qr/pg_replication_origin_create\('uuidnew'\)/, '... with a hint');

like(
	error_of($node, q{BEGIN; SELECT pg_replication_origin_create('uuidnew'); SELECT uuid_generate_v7()}),
	qr/replication origin "uuidnew" was created in this transaction\nHINT:  Commit/,
	'an origin that may be rolled back: an error');
$node->safe_psql('postgres',
	"SELECT pg_replication_origin_create('uuidnew'); $layout_functions"
	  . 'CREATE TABLE made (n bigserial, layout text COLLATE "C", id uuid); CREATE INDEX ON made (layout, id)');
is($node->safe_psql('postgres', 'SELECT DISTINCT scope, reserved_until FROM uuidnew_order()'),
	'server|', 'no time is reserved before the first key');

# Only the configuration of the server sets it.
for (
	'SET uuidnew.order_scope = session',
	"LOAD 'uuidnew'; SET uuidnew.order_scope = session",
	'ALTER ROLE CURRENT_USER SET uuidnew.order_scope = session',
	'ALTER DATABASE postgres SET uuidnew.order_scope = session')
{
	like(error_of($node, $_), qr/parameter "uuidnew.order_scope" cannot be changed now/, $_);
}
{
	local $ENV{PGOPTIONS} = '-c uuidnew.order_scope=session';
	is(error_of($node, 'SHOW uuidnew.order_scope') =~ /session/ ? 1 : 0, 0, 'not by PGOPTIONS');
}

# Two sessions in turns, in all layouts
my @session = map { Session->new($node) } 1 .. 2;
for my $turn (1 .. 20)
{
	$session[ $turn % 2 ]->query($make_all);
}
is(join('', map { $_->errors } @session), '', 'two sessions in turns: no error');
$_->quit for @session;
is( $node->safe_psql(
		'postgres', q{SELECT count(*) FROM
(SELECT id, lag(id) OVER (PARTITION BY layout ORDER BY n) AS previous FROM made) pairs WHERE id <= previous}),
	'0', 'two sessions in turns: in order');

# Many at once: each time and sequence once, whatever the random bits are.
$node->safe_psql('postgres', 'CREATE TABLE many (nano uuid, micro uuid)');
my $per_call = $ENV{UUIDNEW_QUICK} ? 500 : 5_000;
$node->pgbench(
	'--no-vacuum --client=4 --jobs=2 --transactions=10',
	0, [qr/actually processed/], [qr/^/],
	'4 clients make keys',
	{
		'028_many' => "INSERT INTO many SELECT uuid_generate_v7('nanosecond'), uuid_generate_v7() FROM generate_series(1, $per_call)"
	});
is( $node->safe_psql('postgres', q{
SELECT count(*) - count(DISTINCT left(nano::text, 26)), count(*) - count(DISTINCT left(micro::text, 23))
FROM many}),
	'0|0', 'no time and sequence twice');
like(
	$node->safe_psql('postgres',
		q{SELECT reserved_until > last_time, reserved_until - last_time <= '2 s', shared_bytes > 0
FROM uuidnew_order() WHERE layout = 'nanosecond'}),
	qr/^t\|t\|t$/,
	'time is reserved ahead, and not far');

# A machine id stands in each, also where the sequence is used up.
is( $node->safe_psql('postgres', q{
SET uuidnew.machine_id_bits = 8;
SET uuidnew.machine_id = 5;
SELECT count(*), count(*) FILTER (WHERE CASE layout
	WHEN 'v6' THEN uuid_machine_id(id, 8) ELSE uuid_machine_id(id, 8, substr(layout, 4)) END <> 5)
FROM (SELECT layout, generate(layout) AS id FROM generate_series(1, 20000), layouts) made}),
	20000 * @layouts . '|0', 'each has the machine id');

# Layouts by numbers too, with their epochs, as long as there is room for them.
my $by_numbers = q{uuid_generate_v8('custom(1000/s, 48, 12)', NULL, '2020-01-01')};
my $before = $node->safe_psql('postgres', "SELECT $by_numbers");
my $between = $node->safe_psql('postgres', q{SELECT uuid_v8_horizon('custom(1000/s, 48, 12)', '2020-01-01')});
my $after = $node->safe_psql('postgres', "SELECT $by_numbers");
ok($before lt $between && $between lt $after, 'a layout by numbers: order and horizon');
# Ticks of a minute: one that began 50 s ago, and another epoch's that is later.
my $minutes = $node->safe_psql('postgres', q{
SELECT count(*) FROM (SELECT id, lag(id) OVER (ORDER BY n) AS previous
	FROM (SELECT n, n <> 101 AS first_epoch, uuid_generate_v8('custom(60s, 32, 12)', NULL,
			date_trunc('second', now()) - CASE n WHEN 101 THEN interval '10 s' ELSE interval '50 s' END
			- interval '24000 h') AS id
		FROM generate_series(1, 200) n OFFSET 0) made WHERE first_epoch) pairs
WHERE id <= previous});
is($minutes, '0', 'ticks of a minute, counted from two epochs: in order');

# A coarse layout whose ticks are used up, by nodes that change: its time runs
# ahead of the clock, but not far, and takes no other layout along.
my $burn = q{SELECT uuid_generate_v8('custom(60s, 32, 12)', decode(lpad(to_hex(n), 12, '0'), 'hex'), '2021-01-01')
FROM generate_series(1, 50000) n};
my $too_far = error_of($node, $burn);
like($too_far, qr/UUIDs of version 8 are too far ahead of the clock/, 'ticks used up far ahead: an error');
like($too_far, qr/DETAIL:  Ticks of the layout "custom\(60s, 32, 12\)".*\nHINT:  Wait, or/, '... with a hint');
is( $node->safe_psql('postgres', q{
SELECT max(ahead) > interval '9 min', max(ahead) < interval '11 min', max(ahead) FILTER (WHERE layout NOT LIKE 'custom%') < interval '1 min'
FROM uuidnew_order()}),
	't|t|t', '... ten minutes, and one layout');
like(error_of($node, q{SELECT uuid_generate_v8('custom(3600s, 32, 12)')}),
	qr/a tick of 3600 seconds is too long/, 'a tick that is longer: an error');
my $too_many = error_of($node,
	q{SELECT uuid_generate_v8('custom(' || n || '/s, 60, 8)') FROM generate_series(1000, 1040) n});
like($too_many, qr/too many layouts by numbers/, 'too many layouts by numbers: an error');
ok($node->safe_psql('postgres', "SELECT $by_numbers") gt $after, '... for new ones');

# Parallel workers make keys, and their leader has made none, or one after theirs.
my $in_parallel = q{SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
SET parallel_leader_participation = off};
my $horizon_elsewhere = q{\! psql -XAtqc 'SELECT uuid_v7_horizon()'};
$node->safe_psql('postgres', 'CREATE TABLE source AS SELECT n FROM generate_series(1, 10000) n; ANALYZE source');
{
	local $ENV{PGHOST} = $node->host;
	local $ENV{PGPORT} = $node->port;
	local $ENV{PGDATABASE} = 'postgres';

	for my $leaders ('', 'SELECT uuid_generate_v7() AS leaders \gset')
	{
		my ($running, $first, $ended, $last) = split /\n/,
		  $node->safe_psql('postgres', qq{$in_parallel;
BEGIN;
CREATE TABLE parallel AS SELECT uuid_generate_v7() AS id FROM source;
$leaders
$horizon_elsewhere
SELECT min(id::text) FROM parallel;
COMMIT;
$horizon_elsewhere
SELECT max(id::text) FROM parallel;
DROP TABLE parallel;});
		is($running, $first, 'keys of parallel workers hold the horizon' . ($leaders ? ', the leader\'s do not' : ''));
		cmp_ok($ended, 'gt', $last, '... until the transaction has ended');
	}

	# it is not known which transaction was prepared
	$node->safe_psql('postgres', qq{$in_parallel;
BEGIN;
CREATE TABLE parallel AS SELECT uuid_generate_v7() AS id FROM source;
PREPARE TRANSACTION 'parallel';});
	for (1 .. 2)
	{
		like(error_of($node, 'SELECT uuid_v7_horizon()'), qr/which keys they made: "parallel"/,
			'... and was prepared: no horizon');
	}
	$node->safe_psql('postgres', "COMMIT PREPARED 'parallel'");
	cmp_ok($node->safe_psql('postgres', 'SELECT uuid_v7_horizon()'), 'gt',
		$node->safe_psql('postgres', 'SELECT max(id::text) FROM parallel'), '... until it is committed');
	$node->safe_psql('postgres', 'DROP TABLE parallel');
}

# Stopped, and started with the clock an hour behind: each time further.
my $behind = 0;
sub back_by_an_hour
{
	$behind -= 3600;
	set_clock($behind);
	return;
}

is(not_greater($node), 0, 'before a stop');
$node->stop;
back_by_an_hour();
start_with_clock($node, $clock);
is(not_greater($node), 0, 'a clean restart');

$node->stop('immediate');
back_by_an_hour();
start_with_clock($node, $clock);
is(not_greater($node), 0, 'an immediate stop');

sub kill_postmaster
{
	my ($killed) = @_;
	my @pids = split /\n/, $killed->safe_psql('postgres', 'SELECT pid FROM pg_stat_activity');
	kill 'KILL', $killed->{_pid};
	$killed->{_pid} = undef;

	# its children notice
	for my $try (1 .. 10 * $PostgreSQL::Test::Utils::timeout_default)
	{
		last if !grep { kill 0, $_ } @pids;
		select undef, undef, undef, 0.1;
	}
	unlink $killed->data_dir . '/postmaster.pid';
	return;
}

kill_postmaster($node);
back_by_an_hour();
start_with_clock($node, $clock);
is(not_greater($node), 0, 'kill -9 of the postmaster');

# A backend is killed in the middle of calls: the server starts over, and nothing
# is locked.
my $busy = $node->connstr('postgres');
my ($in, $out, $err) = ('', '', '');
my $run = IPC::Run::start(
	[
		'psql', '-XAtq', '-d', $busy, '-c',
		'DO $$BEGIN LOOP PERFORM generate(layout) FROM layouts; END LOOP; END$$'
	],
	'<', \$in, '>', \$out, '2>', \$err);
$node->poll_query_until('postgres',
	q{SELECT count(*) = 1 FROM pg_stat_activity WHERE query LIKE 'DO %' AND state = 'active' AND pid <> pg_backend_pid()});
my $pid = $node->safe_psql('postgres',
	q{SELECT pid FROM pg_stat_activity WHERE query LIKE 'DO %' AND pid <> pg_backend_pid()});
back_by_an_hour();
kill 'KILL', $pid;
$run->finish;
for my $try (1 .. 10 * $PostgreSQL::Test::Utils::timeout_default)
{
	# a query that is given to psql on its input could meet a broken pipe
	last
	  if slurp_file($node->logfile) =~ /all server processes terminated; reinitializing/
	  && IPC::Run::run([ 'pg_isready', '-q', '-d', $busy ]);
	select undef, undef, undef, 0.1;
}
is(not_greater($node), 0, 'kill -9 of a backend');

# A prepared transaction holds the horizon; over a restart it is not known which
# keys it made.
$node->safe_psql('postgres', "BEGIN; $make_all; PREPARE TRANSACTION 'one'");
is( $node->safe_psql(
		'postgres', q{SELECT count(DISTINCT h) FROM (SELECT uuid_v7_horizon() h FROM generate_series(1, 3)) x}),
	'1', 'a prepared transaction holds the horizon');
is($node->safe_psql('postgres', q{SELECT count(*) FROM uuidnew_order() WHERE held_by_xid IS NOT NULL AND held_by_pid IS NULL}),
	scalar(@layouts), '... of all layouts, and is named');
$node->stop;
start_with_clock($node, $clock);
my $unknown = error_of($node, 'SELECT uuid_v7_horizon()');
like($unknown, qr/the horizon is not known yet/, 'after a restart it is an error');
like($unknown, qr/which keys they made: "one"/, '... that names it');
$node->safe_psql('postgres', "COMMIT PREPARED 'one'");
is( $node->safe_psql('postgres', q{SELECT uuid_v7_horizon() > '00000000-0000-0000-0000-000000000000'}),
	't', 'until it is committed');
is(not_greater($node), 0, 'a prepared transaction\'s keys too');

# A standby whose clock is an hour behind, first in recovery, then promoted
$node->backup('backup');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'backup', has_streaming => 1);
$standby->append_conf('postgresql.conf', 'archive_mode = off');
my $standby_clock = PostgreSQL::Test::Utils::tempdir() . '/clock';
{
	open my $file, '>', $standby_clock or die $!;
	print $file $behind - 3600, "\n";
	close $file;
}
start_with_clock($standby, $standby_clock);
is(not_greater($node), 0, 'the primary goes on');
$node->wait_for_catchup($standby);
is( $standby->safe_psql(
		'postgres',
		q{SELECT count(*) FROM (SELECT id, lag(id) OVER (ORDER BY n) AS previous
FROM (SELECT n, uuid_generate_v7() AS id FROM generate_series(1, 1000) n OFFSET 0) m) p WHERE id <= previous}),
	'0', 'a standby makes keys in order');

# Its sessions too, and what they made is known when it is promoted.
my $made_here = q{SELECT string_agg(generate(layout)::text, ' ' ORDER BY layout) FROM layouts};
my @on_standby = ($standby->safe_psql('postgres', $made_here));
append_to_file("$standby_clock.new", $behind - 7200 . "\n");
rename "$standby_clock.new", $standby_clock or die $!;
push @on_standby, $standby->safe_psql('postgres', $made_here);
like(error_of($standby, 'SELECT uuid_v7_horizon()'), qr/no horizon during recovery/, '... but has no horizon');
my $target = $node->safe_psql('postgres', 'SELECT pg_current_wal_lsn()');
$node->safe_psql('postgres', $make_all);
my $segment = $node->safe_psql('postgres', 'SELECT pg_walfile_name(pg_switch_wal())');
$node->poll_query_until('postgres',
	"SELECT last_archived_wal >= '$segment' FROM pg_stat_archiver") or die;
$node->wait_for_catchup($standby);
$node->stop('immediate');
$standby->promote;
push @on_standby, $standby->safe_psql('postgres', $made_here);
for my $n (0 .. $#layouts)
{
	my @keys = map { (split / /)[$n] } @on_standby;
	ok($keys[0] lt $keys[1] && $keys[1] lt $keys[2],
		"$layouts[$n]: in order in two sessions of a standby and after its promotion");
}
is(not_greater($standby), 0, 'a promoted standby goes on after the primary\'s keys');
is($standby->safe_psql('postgres', 'SELECT uuid_v7_horizon() > uuid_generate_v7()'),
	'f', '... and has a horizon');
$standby->stop('immediate');

# A point in time
my $restored = PostgreSQL::Test::Cluster->new('restored');
$restored->init_from_backup($node, 'backup', has_restoring => 1, standby => 0);
$restored->append_conf('postgresql.conf', "recovery_target_lsn = '$target'\nrecovery_target_action = promote\n"
	  . "recovery_target_timeline = current\narchive_mode = off");
start_with_clock($restored, $standby_clock);
$restored->poll_query_until('postgres', 'SELECT NOT pg_is_in_recovery()') or die;
is(not_greater($restored), 0, 'a server restored to a point in time');
$restored->stop;

# The setting is changed while sessions run.  A statement that has begun goes on
# in the order of its session: there is no horizon until it has ended.
start_with_clock($node, $clock);
is(not_greater($node), 0, 'the old primary, started again');
set_scope($node, 'session');
like(error_of($node, 'SELECT uuid_v7_horizon()'), qr/no horizon with "uuidnew.order_scope" = "session"/,
	'no horizon in the order of a session');
$run = IPC::Run::start(
	[
		'psql', '-XAtq', '-d', "$busy application_name=old", '-c', q{
INSERT INTO made (layout, id) SELECT 'v7 microsecond', uuid_generate_v7()
FROM generate_series(1, 40) n, LATERAL pg_sleep(0.1 + n * 0)}
	],
	'<', \$in, '>', \$out, '2>', \$err);
$node->poll_query_until('postgres', q{SELECT count(*) = 1 FROM pg_stat_activity WHERE application_name = 'old' AND state = 'active' AND wait_event = 'PgSleep'});
set_scope($node, 'server');
my $early = error_of($node, 'SELECT uuid_v7_horizon()');
like($early, qr/the horizon is not known yet/, 'a statement from before is running: no horizon');
like($early, qr/Transactions that began before.*process \d+/, '... and it is named');
$run->finish;
is( $node->safe_psql('postgres', q{SELECT uuid_v7_horizon()}) gt
	  $node->safe_psql('postgres', q{SELECT max(id::text) FROM made WHERE layout = 'v7 microsecond'}),
	1, 'when it has ended, the horizon is above its keys');

# A transaction from before is found by one that has looked at pg_stat_activity earlier.
my $conf = $node->data_dir . '/postgresql.conf';
my $data = $node->data_dir;
my $to = sub {
	return qq{printf "uuidnew.order_scope = '$_[0]'\\n" >>$conf && kill -HUP `head -n 1 $data/postmaster.pid` && sleep 1};
};
set_scope($node, 'session');
my $to_server = $to->('server');
my ($status, $seen, $stderr) = $node->psql('postgres', qq{
BEGIN;
SELECT count(*) > 0 FROM pg_stat_activity;
\\! psql -XAtq -d '$busy' -c 'INSERT INTO made (layout, id) SELECT layout, generate(layout) FROM layouts, pg_sleep(4)' >/dev/null &
\\! sleep 1; $to_server
SELECT uuid_v7_horizon();});
like($stderr, qr/the horizon is not known yet/, '... also where statistics were read before');
$node->poll_query_until('postgres',
	q{SELECT count(*) = 0 FROM pg_stat_activity WHERE query LIKE 'INSERT%pg_sleep(4)' AND state = 'active'});

# A statement that asks again and again does not hear that others have left the order.
my $to_session = $to->('session');
($status, $seen, $stderr) = $node->psql('postgres', qq{
SELECT uuid_v7_horizon() > '00000000-0000-0000-0000-000000000000';
\\! (sleep 1; $to_session) >/dev/null &
DO \$\$BEGIN PERFORM uuid_v7_horizon(); PERFORM pg_sleep(3); PERFORM uuid_v7_horizon(); END\$\$;});
is($seen, 't', 'a horizon before the scope is session again');
like($stderr, qr/the horizon is not known yet\nDETAIL:  While this statement was running/, '... and none in a statement that has not heard of it');

# A session that made keys in its own order goes on after them.
set_scope($node, 'session');
my $script = q{CREATE TEMP TABLE mine (n serial, layout text, id uuid);
CREATE FUNCTION pg_temp.make() RETURNS void LANGUAGE sql AS $$INSERT INTO mine (layout, id) SELECT layout, generate(layout) FROM layouts$$;
SELECT pg_temp.make();
\! echo FORWARD
SELECT pg_temp.make();
\! echo BACK
SELECT pg_temp.make();
\! echo SERVER
SELECT pg_temp.make();
\! echo SESSION
SELECT pg_temp.make();
SELECT count(*) FROM (SELECT id, lag(id) OVER (PARTITION BY layout ORDER BY n) AS previous FROM mine) p WHERE id <= previous;
};
my $forward = "echo +0 >$clock.new && mv $clock.new $clock";
my $back = "echo $behind >$clock.new && mv $clock.new $clock";
$script =~ s/echo FORWARD/$forward/;
$script =~ s/echo BACK/$back/;
$script =~ s/echo SERVER/$to->('server')/e;
$script =~ s/echo SESSION/$to->('session')/e;
is($node->safe_psql('postgres', $script), "\n\n\n\n\n0", 'a session keeps its order through changes')
  or diag $node->safe_psql('postgres', 'SHOW uuidnew.order_scope');

# What sessions remember of their own orders: more layouts by numbers and epochs
# than there is room for, and times that were used up far ahead.
set_scope($node, 'server');
$script = qq{
CREATE FUNCTION pg_temp.tenths() RETURNS timestamptz LANGUAGE sql AS
	\$\$SELECT max(uuid_v8_timestamp(uuid_generate_v8('custom(10/s, 48, 20)', NULL, epoch), 'custom(10/s, 48, 20)', epoch))
	FROM (SELECT '2020-01-01'::timestamptz + n * interval '1 day' AS epoch FROM generate_series(1, 32) n) e\$\$;
\\! FORWARD
SELECT count(uuid_generate_v8('custom(1000000/s, 60, 12)', NULL, '2020-01-01'::timestamptz + n * interval '1 day'))
FROM generate_series(1, 32) n;
SELECT pg_temp.tenths() AS before \\gset
\\! BACK
\\! SESSION
SELECT pg_temp.tenths() - :'before' BETWEEN interval '0' AND interval '10 s';
};
$script =~ s/FORWARD/$forward/;
$script =~ s/BACK/$back/;
$script =~ s/SESSION/$to_session/;
like($node->safe_psql('postgres', $script), qr/^\s*32\s+t$/, 'states that were given to another layout');

set_scope($node, 'session');
($status, $seen, $stderr) = $node->psql('postgres', qq{
$burn OFFSET 50000;
\\! $to_server
SELECT uuid_generate_v8('custom(60s, 32, 12)', NULL, '2021-01-01');});
like($stderr, qr/are too far ahead of the clock\nDETAIL.*\nHINT:  Disconnect/, 'a session that used up ticks on its own stays out');
is(error_of($node, q{SELECT uuid_generate_v8('custom(60s, 32, 12)', NULL, '2021-01-01') IS NULL}), 'no error: f', '... and others do not wait');

# A first key that fails leaves no sequence that all such sessions begin with.
$node->safe_psql('postgres', q{SELECT pg_replication_origin_drop('uuidnew')});
$node->restart;
($status, $seen, $stderr) = $node->psql('postgres', qq{
SELECT uuid_generate_v6();
\\! $to_session
SELECT (uuid_v6_fields(uuid_generate_v6())).sequence;}, on_error_stop => 0);
like($stderr, qr/there is no replication origin/, 'no origin any more');
cmp_ok($seen, '>', 1, '... and then a session begins at random, on its own');

$node->stop;
done_testing();
