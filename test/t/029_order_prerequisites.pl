# What uuidnew.order_scope = server needs: shared memory, which from PostgreSQL 17
# on needs no preloading, and a replication origin with a slot.  What is missing is
# an error with a hint.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Layouts;
use Session;
use SetClock;

my $node;
my ($major) = qx(pg_config --version) =~ /(\d+)/;
my $preload = "shared_preload_libraries = 'uuidnew'\n";
my $create_origin = q{SELECT pg_replication_origin_create('uuidnew')};

sub new_server
{
	my ($name, $conf) = @_;
	$node = PostgreSQL::Test::Cluster->new($name);
	$node->init;
	$node->append_conf('postgresql.conf',
		"uuidnew.order_scope = server\nrestart_after_crash = on\n$conf");
	return;
}

# What a statement says when it fails
sub error_of
{
	my ($sql) = @_;
	my ($status, $out, $err) = $node->psql('postgres', $sql);
	return $status == 0 ? "no error: $out" : $err;
}

sub fails_with
{
	my ($sql, $message, $hint) = @_;
	like(error_of($sql), qr/ERROR:  $message.*^HINT:  $hint/ms, "$sql: $message");
	return;
}

# Slots of origins
new_server('slots', $preload);
my $slots = $major < 18 ? 'max_replication_slots' : 'max_active_replication_origins';
$node->append_conf('postgresql.conf', "$slots = 1");
$node->start;
$node->safe_psql('postgres', "CREATE EXTENSION uuidnew; $create_origin");
$node->safe_psql('postgres', q{
SELECT pg_replication_origin_create('another');
SELECT pg_replication_origin_advance('another', '0/1')});
fails_with('SELECT uuid_generate_v7()', 'could not find free replication state slot', qq{Increase "?$slots"?});
$node->append_conf('postgresql.conf', "$slots = 0");
$node->restart;
fails_with('SELECT uuid_generate_v7()', 'could not find free replication state slot', qq{Increase "?$slots"?});
$node->append_conf('postgresql.conf', "$slots = 2");
$node->restart;
like(error_of('SELECT uuid_generate_v7() IS NULL'), qr/^no error: f/, 'with a slot: no error');

# Snapshots
fails_with("BEGIN ISOLATION LEVEL $_; SELECT uuid_v7_horizon()",
	'the snapshot of this transaction is older than a horizon',
	'Use the isolation level READ COMMITTED')
  for 'REPEATABLE READ', 'SERIALIZABLE';
like(error_of('BEGIN ISOLATION LEVEL READ COMMITTED; SELECT uuid_v7_horizon() IS NULL'),
	qr/^no error: f/, 'READ COMMITTED: no error');
$node->stop;

# Shared memory
new_server('not_preloaded', 'max_prepared_transactions = 2');
my $clock = $node->basedir . '/clock';

sub start_server
{
	my ($offset) = @_;
	return $node->start if !$faketime;
	append_to_file("$clock.new", "$offset\n");
	rename "$clock.new", $clock or die $!;
	return start_with_clock($node, $clock);
}

start_server('+0');
$node->safe_psql('postgres', "CREATE EXTENSION uuidnew; $layout_functions");
if ($major < 17)
{
	$node->safe_psql('postgres', $create_origin);
	fails_with($_, '.*but there is no shared memory for it',
		'Add "uuidnew" to "shared_preload_libraries"')
	  for 'SELECT uuid_generate_v7()', 'SELECT uuid_v6_horizon()', 'SELECT * FROM uuidnew_order()';
	$node->stop;
	done_testing();
	exit;
}

fails_with('SELECT uuid_generate_v7()', '.*there is no replication origin "uuidnew"', 'As a superuser');
$node->safe_psql('postgres',
	"$create_origin; CREATE TABLE made (n bigserial, layout text COLLATE \"C\", id uuid)");
my $make = 'INSERT INTO made (layout, id) SELECT layout, generate(layout) FROM layouts';

sub unordered
{
	return $node->safe_psql('postgres', q{
SELECT count(*) FROM (SELECT id, lag(id) OVER (PARTITION BY layout ORDER BY n) AS previous FROM made) m
WHERE id <= previous});
}

sub set_scope
{
	my ($scope) = @_;
	$node->append_conf('postgresql.conf', "uuidnew.order_scope = $scope");
	$node->reload;
	$node->poll_query_until('postgres', "SELECT current_setting('uuidnew.order_scope') = '$scope'")
	  or die 'the setting was not changed';
	return;
}

my ($one, $two) = map { Session->new($node) } 1 .. 2;
($_ % 2 ? $one : $two)->query($make) for 1 .. 20;
is($one->errors . $two->errors, '', 'not preloaded: no error');
is(unordered(), 0, 'two sessions in turns: in order');
is( $node->safe_psql('postgres', q{
SELECT count(*), bool_and(scope = 'server' AND last_time IS NOT NULL AND reserved_until IS NOT NULL AND shared_bytes > 0)
FROM uuidnew_order()}),
	@layouts . '|t', 'the state of all layouts is shown');

# A horizon
my $first = $one->query('BEGIN; SELECT uuid_generate_v7()');
my $pid = $one->query('SELECT pg_backend_pid()');
is($two->query('SELECT uuid_v7_horizon()'), $first, 'a horizon is held by a key in flight');
is($two->query(q{SELECT held_by_pid FROM uuidnew_order() WHERE layout = 'microsecond'}), $pid, '... which is shown');
$one->query("PREPARE TRANSACTION 'one'");
is($two->query('SELECT uuid_v7_horizon()'), $first, '... also when it is prepared');
$one->query("COMMIT PREPARED 'one'");
cmp_ok($two->query('SELECT uuid_v7_horizon()'), 'gt', $first, '... until it has ended');

# Any reload may be a change.  A session that is known to be in the order goes on.
my $three = Session->new($node);
my $unknown = $three->query('BEGIN; SELECT pg_backend_pid()');
$first = $one->query('BEGIN; SELECT uuid_generate_v7()');
$node->reload;
sleep 1;
like(error_of('SELECT uuid_v7_horizon()'),
	qr/the horizon is not known yet\nDETAIL:.* process $unknown\.\nHINT:/,
	'after a reload: no horizon while a transaction from before runs');
$three->query('COMMIT');
is($two->query('SELECT uuid_v7_horizon()'), $first, '... until it has ended');
$one->query('COMMIT');
$three->quit;

my $reload = 'kill -HUP `head -n 1 ' . $node->data_dir . '/postmaster.pid`';
$two->query(qq{\\! (sleep 1; $reload) >/dev/null &
DO \$\$BEGIN PERFORM uuid_v7_horizon(); PERFORM pg_sleep(3); PERFORM uuid_v7_horizon(); END\$\$});
like($two->errors, qr/the horizon is not known yet\nDETAIL:  While this statement was running/,
	'a statement that has not heard of a reload: no horizon');
is($two->query('SELECT uuid_v7_horizon() IS NULL') . $two->errors, 'f', '... and the next one has one');

# The setting is changed.
set_scope('session');
$_->query($make) for $one, $two;
like(error_of('SELECT uuid_v7_horizon()'), qr/no horizon with "uuidnew.order_scope" = "session"/, 'session: no horizon');
is($node->safe_psql('postgres', 'SELECT scope, layout FROM uuidnew_order()'), 'session|', '... and no state');
$node->safe_psql('postgres', 'TRUNCATE made');
$one->query("BEGIN; $make");
set_scope('server');
like(error_of('SELECT uuid_v7_horizon()'), qr/the horizon is not known yet/, 'server: no horizon while a transaction from before runs');
$one->query('COMMIT');
my $last = $node->safe_psql('postgres', q{SELECT id FROM made WHERE layout = 'v7 microsecond'});
cmp_ok($node->safe_psql('postgres', 'SELECT uuid_v7_horizon()'), 'gt', $last, '... until it has ended');
($_ % 2 ? $one : $two)->query($make) for 1 .. 4;
is($one->errors . $two->errors, '', 'no error');
is(unordered(), 0, 'sessions go on after their own keys, in one order');
$_->quit for $one, $two;

# It is kept, and the memory is made anew.
for my $mode ('fast', 'immediate')
{
	$node->stop($mode);
	start_server($mode eq 'fast' ? -3600 : -7200);
	$node->safe_psql('postgres', $make);
	is(unordered(), 0, "stopped ($mode), and the clock set back: in order");
	cmp_ok($node->safe_psql('postgres', 'SELECT uuid_v7_horizon()'), 'gt',
		$node->safe_psql('postgres', q{SELECT max(id::text) FROM made WHERE layout = 'v7 microsecond'}),
		'... and there is a horizon');
}
$node->stop;
done_testing();
