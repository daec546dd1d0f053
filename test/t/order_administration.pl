# What an administrator does to the order of the server: moves it forward while the server runs, gives it
# up, and asks which tables are outside it.
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

my $node = order_node('main', '');
$node->start;
$node->safe_psql('postgres', "CREATE EXTENSION uuidnew; $layout_functions");
# A restored table whose last key is old: the clock does not look like a leap.
ask(q{SELECT uuidnew_order_begin_after(uuidv7_at(now() - interval '2 years'))});

sub restart_with
{
	my ($scope) = @_;
	my $from = -s $node->logfile;
	$node->append_conf('postgresql.conf', "uuidnew.order_scope = $scope");
	$node->restart;
	ask('SELECT');
	return $from;
}

# Moved forward: keys of all sessions and layouts are after the key, at once, and after a crash too.
my ($one, $two) = map { Session->new($node) } 1 .. 2;
my $all = q{SELECT string_agg(generate(layout)::text, ' ' ORDER BY layout) FROM layouts};
$_->query($all) for $one, $two;
my $after = q{
SELECT count(*) FROM layouts WHERE read_time(layout, generate(layout)) <=
	date_trunc('second', uuid_time('%s'))};
for (
	[ 'version 7', 'uuidv7_at', '1 hour' ],
	[ 'the draft', 'uuid_generate_v7_at', '2 hours' ],
	[ 'version 6', 'uuid_generate_v6_at', '3 hours' ])
{
	my ($name, $generate, $ahead) = @$_;
	my $key = ask("SELECT $generate(now() + interval '$ahead')");
	my $messages = error_of("SELECT uuidnew_order_begin_after('$key')");
	my $begins = qr/the order of the server begins \d+ seconds ahead of the system clock/;
	like(
		$messages,
		qr/^psql:<stdin>:2: NOTICE:  00000: $begins/,
		"$name: a key that is ahead of the clock gets a notice");
	is($_->query(sprintf $after, $key), '0', "$name: each session's keys are after the key") for $one, $two;
	ok($one->query("SELECT $generate(now()) IS NOT NULL") eq 't', "$name: keys for a time go on");
	my $horizon = ask('SELECT uuidv7_horizon()');
	is(ask("SELECT uuidv7_timestamp('$horizon') >= date_trunc('second', uuid_time('$key'))"),
		't', "$name: the horizon goes on too");
	is($_->errors, '', "$name: no error") for $one, $two;
	my $last = $two->query('SELECT public.uuidv7()');
	$_->quit for $one, $two;
	$node->stop('immediate');
	$node->start;
	($one, $two) = map { Session->new($node) } 1 .. 2;
	cmp_ok($one->query('SELECT public.uuidv7()'), 'gt', $last, "$name: keys go on there after a crash");
}

# A crash does not undo it, even before the first key.
my $unused = ask(q{SELECT uuidv7_at(now() + interval '4 hours')});
ask("SELECT uuidnew_order_begin_after('$unused')");
$_->quit for $one, $two;
$node->stop('immediate');
$node->start;
($one, $two) = map { Session->new($node) } 1 .. 2;
cmp_ok($one->query('SELECT public.uuidv7()'), 'gt', $unused, 'a crash before the first key does not undo it');

# ... and never back
my $last = ask('SELECT public.uuidv7()');
is(error_of('SELECT uuidnew_order_begin_after(uuidv7_at(now()))'),
	'', 'an earlier key moves nothing, without an error');
cmp_ok(ask('SELECT public.uuidv7()'), 'gt', $last, 'an earlier key moves nothing');
my $beside = $one->query('BEGIN; SELECT public.uuidv7()');
ask(q{SELECT uuidnew_order_begin_after(uuidv7_at(now() + interval '5 hours'))});
cmp_ok(ask('SELECT uuidv7_horizon()'), 'le', $beside, 'a key in flight still holds the horizon');
$one->query('COMMIT');

# Rows of another server, whose clock was ahead: a reader misses none.
ask(q{CREATE TABLE events (id uuid PRIMARY KEY DEFAULT public.uuidv7());
	INSERT INTO events VALUES (uuidv7_at(now() + interval '10 hours'))});
my $read = ask('SELECT max(id::text) FROM events');
ask('SELECT uuidnew_order_begin_after(max(id::text)::uuid) FROM events');
ask('INSERT INTO events DEFAULT VALUES');
is(ask("SELECT count(*) FROM events WHERE id > '$read' AND id < uuidv7_horizon()"),
	'1', 'a reader of restored rows gets new ones');

# What is refused
for (
	[
		q{SELECT uuidnew_order_begin_after(uuidv7_at(now() + interval '400 days'))},
		qr/22008: the time of the UUID is more than a year ahead of the system clock\nHINT: /
	],
	[
		q{SELECT uuidnew_order_begin_after(gen_random_uuid())},
		qr/22023: the time of the UUID is not known\nHINT: /
	],
	[
		q{SELECT uuidnew_order_begin_after(uuid_generate_v8())},
		qr/22023: the time of the UUID is not known\nHINT: /
	],
	[
		'SELECT uuidnew_order_give_up()',
		qr/55000: the order of the server is in use\nHINT:  Set .* to "session"/
	])
{
	my ($sql, $error) = @$_;
	like(error_of($sql), qr/ERROR:  $error/, "$sql: refused");
}
ask('CREATE ROLE anyone');
for my $call ("uuidnew_order_begin_after('$last')", 'uuidnew_order_give_up()', 'uuidnew_state_of_order(0)')
{
	like(
		error_of("SET ROLE anyone; SELECT $call"),
		qr/ERROR:  42501: permission denied for function/,
		"$call: not by anyone");
}
is(ask('SELECT uuidnew_order_begin_after(NULL) IS NULL'), 't', 'NULL moves nothing');

# Tables whose keys are core's.  (Before 18, as if there were such a function.)
ask(q{SET allow_system_table_mods = on;
	CREATE FUNCTION pg_catalog.uuidv7() RETURNS uuid LANGUAGE sql AS 'SELECT pg_catalog.gen_random_uuid()'}
) if ask(q{SELECT to_regprocedure('pg_catalog.uuidv7()') IS NULL}) eq 't';
ask(q{CREATE TABLE "of core" (id uuid DEFAULT pg_catalog.uuidv7(), other uuid DEFAULT pg_catalog.uuidv7());
	CREATE TABLE of_ours (id uuid DEFAULT public.uuidv7(), n int DEFAULT 6432);
	CREATE TABLE in_expression (id text DEFAULT 'x' || pg_catalog.uuidv7())});
is( ask('SELECT DISTINCT outside_tables FROM uuidnew_order()'),
	'{"\\"of core\\"",in_expression}',
	'tables whose default is core\'s uuidv7() are named');
ask('GRANT pg_monitor TO anyone');
is( ask('SET ROLE anyone; SELECT DISTINCT outside_tables FROM uuidnew_order()'),
	'{"\\"of core\\"",in_expression}',
	'... to a monitor');
ask('DROP TABLE "of core", in_expression');
is(ask('SELECT DISTINCT outside_tables IS NULL FROM uuidnew_order()'), 't', '... and none if there is none');

# A standby has the origin, and may neither move it nor give it up.
$node->backup('backup');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'backup', has_streaming => 1);
$standby->append_conf('postgresql.conf', 'uuidnew.order_scope = session');
$standby->start;
$node->wait_for_catchup($standby);
for my $call ("uuidnew_order_begin_after('$last')", 'uuidnew_order_give_up()')
{
	my (undef, undef, $error) = $standby->psql('postgres', "SELECT $call");
	like(
		$error,
		qr/cannot execute (uuidnew_order_begin_after\(\) during recovery|INSERT in a read-only)/,
		"$call: not on a standby");
}

# A start with scope "session" says that an order was kept, once; a standby when it is promoted.
my $said = qr/LOG:  "uuidnew.order_scope" is "session", but the server has kept an order before\n/;

sub times_said
{
	my ($of, $from) = @_;
	$of->safe_psql('postgres', 'SELECT public.uuidv7()') for 1 .. 3;
	return scalar(() = slurp_file($of->logfile, $from) =~ /$said/g);
}
is(times_said($standby, 0), 0, 'a standby with scope "session" says nothing');
my $from = -s $standby->logfile;
$standby->promote;
wait_for_log($standby, $said, $from);
is(times_said($standby, $from), 1, 'a standby that is promoted with scope "session" says so once');
$standby->stop('immediate');

$_->quit for $one, $two;
$from = restart_with('session');
wait_for_log($node, $said, $from);
is(times_said($node, $from), 1, 'a start with scope "session" says so once');
my $no_order = qr/ERROR:  55000: there is no order to move.*\nHINT:  Set it to "server"/;
like(error_of("SELECT uuidnew_order_begin_after('$last')"), $no_order, 'there is nothing to move');
my $origins = 'SELECT count(*) FROM pg_replication_origin_status';
is(ask($origins), '1', 'the origin is still there');

# Given up, for good: after a crash too, and the next order begins with the clock.
ask(q{BEGIN; SELECT uuidnew_order_give_up(); COMMIT});
is(ask($origins), '0', 'an order that is given up has no origin');
is(ask('SELECT count(*) FROM pg_replication_origin'), '0', '... nor a name');
is(error_of('SELECT uuidnew_order_give_up()'), '', 'it is given up twice without an error');
$node->stop('immediate');
$from = -s $node->logfile;
$node->start;
is(ask($origins), '0', 'the origin does not come back after a crash');
is(times_said($node, $from), 0, 'an order that was given up is not mentioned');
restart_with('server');
is(ask('SELECT uuidv7_timestamp(public.uuidv7()) < clock_timestamp() + interval \'3 s\''),
	't', 'the next order begins with the clock');
restart_with('session');
$node->append_conf('postgresql.conf', "shared_preload_libraries = ''");
$node->restart;
ask('SELECT uuidnew_order_give_up()');
is(ask($origins), '0', 'an order is given up without preloading');

$node->stop;
done_testing();
