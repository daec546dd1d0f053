# What uuidnew.order_scope = server needs: preloading, the configuration's value,
# and a slot for a replication origin.  What is missing is an error with a hint,
# never another order.  And what is kept where 1.1 kept it, and by pg_upgrade.
use strict;
use warnings FATAL => 'all';

use FindBin;
use File::Copy;
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Layouts;
use Session 'kept';
use SetClock;

my $node;
my ($major) = qx(pg_config --version) =~ /(\d+)/;
my $preload = "shared_preload_libraries = 'uuidnew'\n";
my $scope = "uuidnew.order_scope = server\n";

sub new_server
{
	my ($name, $conf, %parameters) = @_;
	$node = PostgreSQL::Test::Cluster->new($name);
	$node->init(%parameters);
	$node->append_conf('postgresql.conf', $conf);
	return;
}

# What a statement says when it fails
sub error_of
{
	my ($sql, $server, %parameters) = @_;
	my ($status, $out, $err) = ($server // $node)->psql('postgres', $sql, on_error_stop => 1, %parameters);
	return $status == 0 ? "no error: $out" : $err;
}

# In a session that begins with a configuration just read again
sub new_error_of
{
	my ($sql) = @_;
	return error_of($sql, $node, connstr => $node->connstr('postgres'));
}

sub fails_with
{
	my ($sql, $message, $hint) = @_;
	like(error_of($sql), qr/ERROR:  $message.*^HINT:  $hint/ms, "$sql: $message");
	return;
}

# Not preloaded
new_server('not_preloaded', $scope, allows_streaming => 1);
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION uuidnew');
fails_with($_, '"uuidnew.order_scope" is "server", but "uuidnew" is not preloaded',
	'Add "uuidnew" to "shared_preload_libraries" and restart')
  for 'SELECT uuid_generate_v7()', 'SELECT uuid_generate_v6()', q{SELECT uuid_generate_v8('custom(60s, 32, 12)')},
  'SELECT uuid_v6_horizon()', 'SELECT * FROM uuidnew_order()',
  q{LOAD 'uuidnew'; SELECT uuid_generate_v7()};
$node->append_conf('postgresql.conf', "session_preload_libraries = 'uuidnew'");
$node->reload;
like(new_error_of('SELECT uuid_generate_v7()'), qr/ERROR:  .*is not preloaded.*^HINT:  Add "uuidnew"/ms, 'nor by a session');
like(new_error_of('SELECT uuid_generate_v7_at(now())'), qr/^no error: .*-7/, 'a key for a given time is made');

# ... where a session, role or database had a value of its own
$node->append_conf('postgresql.conf', "session_preload_libraries = ''");
$node->reload;
my $refused = qr/the value of "uuidnew.order_scope" was refused\n.*no session, role or database does/;
{
	local $ENV{PGOPTIONS} = '-c uuidnew.order_scope=session';
	like(new_error_of('SELECT uuid_generate_v7()'), $refused, 'a session with a scope of its own makes no key');
	$ENV{PGOPTIONS} = '-c uuidnew.order_scope=';
	like(new_error_of('SELECT uuid_generate_v7()'), $refused, '... nor one with none');
}
$node->safe_psql('postgres', 'ALTER DATABASE postgres SET uuidnew.order_scope = session');
like(new_error_of('SELECT uuid_generate_v8()'), $refused, '... nor does a database with one');
$node->safe_psql('postgres', 'ALTER DATABASE postgres RESET uuidnew.order_scope');
$node->append_conf('postgresql.conf', "uuidnew.order_scope = 'sever'");
$node->reload;
like(new_error_of('SELECT uuid_generate_v7()'), $refused, '... and a mistake in the configuration is an error');
$node->append_conf('postgresql.conf', "uuidnew.order_scope = 'session'");
$node->reload;
like(new_error_of('SELECT uuid_generate_v7() IS NULL, (SELECT scope FROM uuidnew_order())'),
	qr/^no error: f\|session/, 'the scope "session" needs nothing');

# Now preloaded: slots of origins, on a primary and on its standby
my $slots = $major < 18 ? 'max_replication_slots' : 'max_active_replication_origins';
$node->append_conf('postgresql.conf', "$preload$scope$slots = 1");
$node->restart;
$node->safe_psql('postgres', q{
SELECT pg_replication_origin_create('another');
SELECT pg_replication_origin_advance('another', '0/1')});
fails_with('SELECT uuid_generate_v7()', 'could not find free replication state slot', qq{Increase "?$slots"?});
$node->append_conf('postgresql.conf', "$slots = 0");
$node->restart;
fails_with('SELECT uuid_generate_v7()', 'could not find free replication state slot', qq{Increase "?$slots"?});
$node->append_conf('postgresql.conf', "$slots = 2");
$node->restart;
$node->backup('backup');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'backup', has_streaming => 1);
$standby->append_conf('postgresql.conf', "$slots = 0\nshared_preload_libraries = ''");
$standby->start;
like(error_of('SELECT uuid_generate_v7() IS NULL'), qr/^no error: f/, 'with a slot: no error');
my $log;
for my $try (1 .. 10 * $PostgreSQL::Test::Utils::timeout_default)
{
	$log = slurp_file($standby->logfile);
	last if $log =~ /shut down/;
	select undef, undef, undef, 0.1;
}
like($log, qr/FATAL:  could not find free replication state slot.*\n.*HINT:  Increase "?$slots"?/, 'a standby without one stops, and says why');
$standby->{_pid} = undef;
$standby->append_conf('postgresql.conf', "$slots = 2");
$standby->start;
$node->wait_for_catchup($standby);
is($standby->safe_psql('postgres', 'SELECT count(*) FROM pg_replication_origin_status'), '2', '... and goes on with one');
$standby->stop;
$node->stop;

# The order begins where 1.1 has left it, in an origin with a name: here an hour
# ahead of the clock.
new_server('preloaded', $preload . $scope);
$node->start;
$node->safe_psql('postgres', q{
CREATE EXTENSION uuidnew;
SELECT pg_replication_origin_create('uuidnew');
SELECT pg_replication_origin_advance('uuidnew',
	'0/0'::pg_lsn + (extract(epoch FROM now() + interval '1 hour') * 1000000)::numeric(20))});
my $ahead = q{ahead BETWEEN interval '59 min' AND interval '61 min'};
my $not_above = 'SELECT count(*) FROM kept WHERE id >= (SELECT uuid_generate_v7())';
$node->safe_psql('postgres', 'CREATE TABLE kept AS SELECT uuid_generate_v7() AS id');
is($node->safe_psql('postgres', "SELECT $ahead FROM uuidnew_order()"), 't', 'the order begins where 1.1 has left it');
$node->safe_psql('postgres', q{SELECT pg_replication_origin_drop('uuidnew')});

# It is set at the start, and then by nobody.
for (
	'SET uuidnew.order_scope = session',
	"SELECT set_config('uuidnew.order_scope', 'session', true)",
	'ALTER ROLE CURRENT_USER SET uuidnew.order_scope = session',
	'ALTER DATABASE postgres SET uuidnew.order_scope = session')
{
	like(error_of($_), qr/parameter "uuidnew.order_scope" cannot be changed without restarting the server/, $_);
}
{
	local $ENV{PGOPTIONS} = '-c uuidnew.order_scope=session';
	like(error_of('SELECT 1'), qr/"uuidnew.order_scope" cannot be changed without restarting/, 'not by PGOPTIONS');
}
$node->safe_psql('postgres', 'ALTER SYSTEM SET uuidnew.order_scope = session');
$node->reload;
$node->poll_query_until('postgres', q{SELECT pending_restart FROM pg_settings WHERE name = 'uuidnew.order_scope'})
  or die 'the change is not waiting';
is($node->safe_psql('postgres', 'SELECT DISTINCT scope FROM uuidnew_order()'), 'server', 'not by a reload');
$node->restart;
is($node->safe_psql('postgres', 'SELECT scope FROM uuidnew_order()'), 'session', '... but by a restart');
$node->safe_psql('postgres', 'ALTER SYSTEM RESET uuidnew.order_scope');
$node->append_conf('postgresql.conf', "uuidnew.order_scope = 'sever'");
$node->restart;
like(error_of('SELECT uuid_generate_v7()'), $refused, 'a mistake in the configuration is an error');
$node->append_conf('postgresql.conf', $scope);
$node->restart;
is($node->safe_psql('postgres', $not_above), '0', '... also when that is dropped');
is($node->safe_psql('postgres', "SELECT $ahead FROM uuidnew_order()"), 't', '... and stays there through a restart');

# Another file with the library, as an update may leave one behind, is no second order.
my ($library) = map { chomp; $_ } qx(pg_config --pkglibdir);
copy("$library/uuidnew.so", $node->basedir . '/another.so') or die $!;
chmod 0755, $node->basedir . '/another.so';
like(error_of("LOAD '" . $node->basedir . "/another.so'"), qr/attempt to redefine parameter/, 'the library from another file is refused');
like(error_of('SELECT uuid_generate_v7() IS NULL'), qr/^no error: f/, '... and the one that was preloaded goes on');

# Snapshots
fails_with("BEGIN ISOLATION LEVEL $_; SELECT uuid_v7_horizon()",
	'the snapshot of this transaction is older than a horizon',
	'Use the isolation level READ COMMITTED')
  for 'REPEATABLE READ', 'SERIALIZABLE';
like(error_of('BEGIN ISOLATION LEVEL READ COMMITTED; SELECT uuid_v7_horizon() IS NULL'),
	qr/^no error: f/, 'READ COMMITTED: no error');

# The place where the order is kept has no name: nobody has to create it, or can drop it.
is($node->safe_psql('postgres', 'SELECT count(*) FROM pg_replication_origin'), '0', 'there is no replication origin');
is( $node->safe_psql('postgres', 'SELECT local_id, external_id FROM pg_replication_origin_status'),
	'65534|', '... but the progress of one');

# All that it takes of memory
cmp_ok($node->safe_psql('postgres', q{SELECT max(shared_bytes) FROM uuidnew_order()}), '<', 20_000, 'some kilobytes of shared memory');
my $reserved = $node->safe_psql('postgres', 'SELECT reserved_until FROM uuidnew_order()');
$node->stop;

# pg_upgrade takes nothing along: the new server begins with its clock, or where it
# is told to.
my $bin = qx(pg_config --bindir);
chomp $bin;
my $new = PostgreSQL::Test::Cluster->new('new');
$new->init;
command_ok(
	[
		'sh', '-c', 'cd "$0" && exec "$@"', $node->basedir,
		'pg_upgrade', '--no-sync', '--link',
		'--old-datadir', $node->data_dir, '--new-datadir', $new->data_dir,
		'--old-bindir', $bin, '--new-bindir', $bin,
		'--old-port', $node->port, '--new-port', $new->port,
		'--socketdir', $new->host
	],
	'pg_upgrade');
$new->append_conf('postgresql.conf', $preload);
$new->start;
$new->safe_psql('postgres', "SELECT uuidnew_order_begin_at('$reserved')");
$new->append_conf('postgresql.conf', $scope);
$new->stop('immediate');
$new->start;
is($new->safe_psql('postgres', $not_above), '0', '... and the order goes on where it is told to');
is($new->safe_psql('postgres', "SELECT $ahead FROM uuidnew_order()"), 't', '... an hour ahead');
like(error_of('SELECT uuid_v7_horizon() > uuid_generate_v7()', $new), qr/^no error: f/, '... with a horizon');

# An order that is ahead of the clock is told to come back.
like(error_of('SELECT uuidnew_order_begin_at(now())', $new), qr/the order has begun\nHINT:  Set it to "session"/, 'not while it runs');
$new->append_conf('postgresql.conf', 'uuidnew.order_scope = session');
$new->restart;
for my $time ('-infinity', 'infinity', '1969-12-31', '10000-01-01 UTC')
{
	like(error_of("SELECT uuidnew_order_begin_at('$time')", $new), qr/cannot begin before 1970 or after the year 9999/, "not at $time");
}
$new->safe_psql('postgres', 'CREATE ROLE other');
like(error_of('SET ROLE other; SELECT uuidnew_order_begin_at(now())', $new), qr/permission denied/, 'not by anyone');
$new->safe_psql('postgres', q{SELECT pg_replication_origin_create('uuidnew');
SELECT pg_replication_origin_advance('uuidnew',
	'0/0'::pg_lsn + (extract(epoch FROM now() + interval '1 hour') * 1000000)::numeric)});
$new->safe_psql('postgres', 'SELECT uuidnew_order_begin_at(now())');
$new->append_conf('postgresql.conf', $scope);
$new->restart;
is($new->safe_psql('postgres', q{SELECT uuid_v7_timestamp(uuid_generate_v7()) < clock_timestamp() + interval '3 s'}), 't',
	'an order that was ahead comes back to the clock');
$new->stop;

done_testing();
