# A hundred sessions that are forked at once from one postmaster: no two have the same random bits, whatever
# the postmaster has generated.  (Parallel workers are forked in the same way.)
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Faults;
use Server;

my $forked = $ENV{UUIDNEW_QUICK} ? 12 : 100;
my $connections = $forked + 20;

my $node = start_server(<<~CONF);
	max_connections = $connections
	max_logical_replication_workers = 0
	max_wal_senders = 0
	CONF
ask('CREATE EXTENSION uuidnew');

# A hundred sessions that begin at the same time: each has a thread of pgbench.
# The last 48 bits of unix48 are nothing but random, and version 6 starts its
# sequence, the 14 bits before its last 48, at random.
sub random_bits
{
	my ($name, $libraries) = @_;
	my $script = $node->basedir . '/octets.sql';

	unlink $script;
	append_to_file($script,
			"INSERT INTO pairs SELECT uuid_generate_v8('unix48', NULL, '2000-01-02 00:00+00'),"
		  . " uuid_generate_v8('unix48', NULL, '2000-01-02 00:00+00');\n"
		  . "INSERT INTO octets SELECT pg_backend_pid(), right(uuid_generate_v8('unix48')::text, 12)"
		  . " FROM generate_series(1, 100);\n"
		  . "INSERT INTO sequences SELECT get_byte(id, 8) << 8 | get_byte(id, 9)"
		  . " FROM (SELECT uuid_send(uuid_generate_v6()) AS id) made;\n");
	$node->append_conf('postgresql.conf', "shared_preload_libraries = '$libraries'");
	$node->restart;
	ask(<<~'SQL'
			DROP TABLE IF EXISTS octets, sequences, pairs;
			CREATE TABLE octets (pid int, octets text); CREATE TABLE sequences (sequence int);
			CREATE TABLE pairs (first uuid, second uuid)
			SQL
	);
	$node->command_ok(
		[
			'pgbench', '--no-vacuum', "--client=$forked", "--jobs=$forked",
			'--transactions=1', "--file=$script", 'postgres'
		],
		"$name: $forked sessions are forked at once");
	is( ask('SELECT count(DISTINCT pid), count(*), count(DISTINCT octets) FROM octets'),
		join('|', $forked, ($forked * 100) x 2),
		"$name: no two sessions have the same random bits");

	# 99.7 of a hundred are distinct in the mean
	is(ask('SELECT count(DISTINCT sequence) > 0.9 * count(*), count(*) FROM sequences'),
		"t|$forked", "$name: each session has a first sequence of its own");
	is(ask('SELECT count(*) FILTER (WHERE NOT second > first), count(*) FROM pairs'),
		"0|$forked", "$name: keys with an epoch are in order");
	return;
}

random_bits('library in the postmaster', 'uuidnew');

SKIP:
{
	my $library = $node->basedir . '/preforked.so';
	my ($include) = run_command([ 'pg_config', '--includedir-server' ]);
	skip 'no C compiler, or no headers of the server', 5 if !compile('preforked.c', $library, '-I', $include);

	my $log_start = -s $node->logfile;
	random_bits('octets left in the postmaster', qq{uuidnew, "$library"});
	my ($postmaster) = slurp_file($node->data_dir . '/postmaster.pid') =~ /^(\d+)/;
	like(
		slurp_file($node->logfile, $log_start),
		qr/made a UUID in process $postmaster$/m,
		'the postmaster had octets left');
}

done_testing();
