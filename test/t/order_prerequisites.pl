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
use ServerOrder;

my ($major) = qx(pg_config --version) =~ /(\d+)/;
my $preload = "shared_preload_libraries = 'uuidnew'\n";

my $node = order_node('main', "shared_preload_libraries = ''\nmax_logical_replication_workers = 0");

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
	like(error_of($sql), qr/ERROR:  \w{5}: $message.*^HINT:  $hint/ms, "$sql: $message");
	return;
}

# Not preloaded
$node->start;
ask('CREATE EXTENSION uuidnew');
fails_with(
	$_,
	'"uuidnew.order_scope" is "server", but "uuidnew" is not preloaded',
	'Add "uuidnew" to "shared_preload_libraries" and restart')
  for 'SELECT uuid_generate_v7()', 'SELECT uuid_generate_v6()',
  q{SELECT uuid_generate_v8('custom(60s, 32, 12)')},
  'SELECT uuid_v6_horizon()', 'SELECT * FROM uuidnew_order()',
  q{LOAD 'uuidnew'; SELECT uuid_generate_v7()};
$node->append_conf('postgresql.conf', "session_preload_libraries = 'uuidnew'");
ask('SELECT pg_reload_conf()');
fails_with(
	'SELECT uuid_generate_v7()',
	'"uuidnew.order_scope" is "server", but "uuidnew" is not preloaded',
	'Add "uuidnew"');
like(ask('SELECT uuid_generate_v7_at(now())'), qr/^.{13}-7/, 'a key for a given time is generated');

# Now preloaded: slots of origins, on a primary and on its standby
my $slots = $major < 18 ? 'max_replication_slots' : 'max_active_replication_origins';
my @no_slot = ('could not find free replication state slot', qq{Increase "?$slots"?});
if (!$ENV{UUIDNEW_QUICK})    # --quick asks only with all slots taken: the error is the same
{
	restart_with("$preload$slots = 0");
	fails_with('SELECT uuid_generate_v7()', @no_slot);
}

restart_with("$preload$slots = 1");
ask(q{SELECT pg_replication_origin_create('another');
	SELECT pg_replication_origin_advance('another', '0/1')});
fails_with('SELECT uuid_generate_v7()', @no_slot);
ask(q{SELECT pg_replication_origin_drop('another')});
$node->backup('backup');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'backup', has_streaming => 1);
$standby->append_conf('postgresql.conf', "$slots = 0\nshared_preload_libraries = ''");
$standby->start;
is(error_of('CREATE TABLE kept AS SELECT uuid_generate_v7() AS id'), '', 'with a slot keys are generated');
wait_for_log($standby, qr/shut down/);
like(
	slurp_file($standby->logfile),
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
is(ask('SELECT count(*) FROM kept WHERE id >= (SELECT uuid_generate_v7())'),
	'0', 'the order continues where it was after a restart');

# Another file with the library, as an update may leave one behind, is no second order.
my ($library) = map { chomp; $_ } qx(pg_config --pkglibdir);
copy("$library/uuidnew.so", $node->basedir . '/another.so') or die $!;
chmod 0755, $node->basedir . '/another.so';
like(
	error_of("LOAD '" . $node->basedir . "/another.so'"),
	qr/attempt to redefine parameter/,
	'the library from another file is refused');

# The place where the order is kept has no name: nobody has to create it, or can drop it.
is(ask('SELECT count(*) FROM pg_replication_origin'), '0', 'there is no replication origin');
is(ask('SELECT local_id, external_id FROM pg_replication_origin_status'),
	'65534|', 'there is the progress of an origin without a name');

# All that it takes of memory
cmp_ok(ask(q{SELECT size FROM pg_shmem_allocations WHERE name = 'uuidnew'}),
	'<', 300_000, 'less than 300 kB of shared memory');

$node->stop('immediate');

done_testing();
