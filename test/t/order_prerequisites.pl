# What uuidnew.order_scope = server needs: preloading, and a slot for a replication
# origin.  What is missing is an error with a hint, never another order.  (Who sets the
# scope is asked in order_scope, what pg_upgrade takes along in upgrade_to_18.)
use strict;
use warnings FATAL => 'all';

use File::Copy;
use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Session;

my ($major) = qx(pg_config --version) =~ /(\d+)/;
my $preload = "shared_preload_libraries = 'uuidnew'\n";
my $scope = "uuidnew.order_scope = server\n";

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(allows_streaming => 1);
$node->append_conf('postgresql.conf',
	"jit = off\nautovacuum = off\nmax_logical_replication_workers = 0\n$scope");

# What a statement says when it fails
sub error_of
{
	my ($sql, %parameters) = @_;
	my ($status, $out, $err) = $node->psql('postgres', $sql, on_error_stop => 1, %parameters);
	return $status == 0 ? "no error: $out" : $err;
}

sub restart_with
{
	my ($conf) = @_;
	$node->append_conf('postgresql.conf', $conf);
	$node->restart;
	return;
}

sub fails_with
{
	my ($sql, $message, $hint) = @_;
	like(error_of($sql), qr/ERROR:  $message.*^HINT:  $hint/ms, "$sql: $message");
	return;
}

# Not preloaded
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION uuidnew');
fails_with(
	$_,
	'"uuidnew.order_scope" is "server", but "uuidnew" is not preloaded',
	'Add "uuidnew" to "shared_preload_libraries" and restart')
  for 'SELECT uuid_generate_v7()', 'SELECT uuid_generate_v6()',
  q{SELECT uuid_generate_v8('custom(60s, 32, 12)')},
  'SELECT uuid_v6_horizon()', 'SELECT * FROM uuidnew_order()',
  q{LOAD 'uuidnew'; SELECT uuid_generate_v7()};
$node->append_conf('postgresql.conf', "session_preload_libraries = 'uuidnew'");
$node->safe_psql('postgres', 'SELECT pg_reload_conf()');
my (undef, $key, $error) = $node->psql(
	'postgres', <<~'SQL',
		SELECT uuid_generate_v7_at(now());
		SELECT uuid_generate_v7()
		SQL
	on_error_stop => 1);
like($error, qr/ERROR:  .*is not preloaded.*^HINT:  Add "uuidnew"/ms, 'nor by a session');
like($key, qr/^.{13}-7/, 'a key for a given time is made');

# Now preloaded: slots of origins, on a primary and on its standby
my $slots = $major < 18 ? 'max_replication_slots' : 'max_active_replication_origins';
my @no_slot = ('could not find free replication state slot', qq{Increase "?$slots"?});
if (!$ENV{UUIDNEW_QUICK})    # --quick asks only with all slots taken: the error is the same
{
	restart_with("$preload$scope$slots = 0");
	fails_with('SELECT uuid_generate_v7()', @no_slot);
}

restart_with("$preload$scope$slots = 1");
$node->safe_psql(
	'postgres', q{SELECT pg_replication_origin_create('another');
SELECT pg_replication_origin_advance('another', '0/1')});
fails_with('SELECT uuid_generate_v7()', @no_slot);
$node->safe_psql('postgres', q{SELECT pg_replication_origin_drop('another')});
$node->backup('backup');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'backup', has_streaming => 1);
$standby->append_conf('postgresql.conf', "$slots = 0\nshared_preload_libraries = ''");
$standby->start;
like(error_of(<<~'SQL'), qr/^no error/, 'with a slot: no error');
	CREATE TABLE kept AS SELECT uuid_generate_v7() AS id
	SQL
my $log;

for my $try (1 .. 10 * $PostgreSQL::Test::Utils::timeout_default)
{
	$log = slurp_file($standby->logfile);
	last if $log =~ /shut down/;
	select undef, undef, undef, 0.1;
}
like(
	$log,
	qr/FATAL:  could not find free replication state slot.*\n.*HINT:  Increase "?$slots"?/,
	'a standby without one stops, and says why');
$standby->{_pid} = undef;
$standby->append_conf('postgresql.conf', "$slots = 1");
$standby->start;
$node->wait_for_catchup($standby);
is($standby->safe_psql('postgres', <<~'SQL'), '1', 'a standby that stopped goes on with a slot');
	SELECT count(*) FROM pg_replication_origin_status
	SQL
$standby->stop('immediate');

$node->restart;
is($node->safe_psql('postgres', 'SELECT count(*) FROM kept WHERE id >= (SELECT uuid_generate_v7())'),
	'0', 'the order continues where it was after a restart');

# Another file with the library, as an update may leave one behind, is no second order.
my ($library) = map { chomp; $_ } qx(pg_config --pkglibdir);
copy("$library/uuidnew.so", $node->basedir . '/another.so') or die $!;
chmod 0755, $node->basedir . '/another.so';
like(
	error_of("LOAD '" . $node->basedir . "/another.so'"),
	qr/attempt to redefine parameter/,
	'the library from another file is refused');
like(
	error_of('SELECT uuid_generate_v7() IS NULL'),
	qr/^no error: f/,
	'the library that was preloaded goes on when another is refused');

# The place where the order is kept has no name: nobody has to create it, or can drop it.
is($node->safe_psql('postgres', 'SELECT count(*) FROM pg_replication_origin'),
	'0', 'there is no replication origin');
is($node->safe_psql('postgres', 'SELECT local_id, external_id FROM pg_replication_origin_status'),
	'65534|', 'there is the progress of an origin without a name');

# All that it takes of memory
cmp_ok($node->safe_psql('postgres', q{SELECT max(shared_bytes) FROM uuidnew_order()}),
	'<', 300_000, 'less than 300 kB of shared memory');

$node->stop('immediate');

done_testing();
