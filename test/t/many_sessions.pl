# Two hundred sessions at once, and two hundred parallel workers: no UUID twice,
# and each process's in order.  A hundred sessions forked at once from one
# postmaster: no two have the same random bits.  UUIDNEW_QUICK has twenty, and twelve.
#
# 2 million UUIDs; UUIDNEW_SOAK makes 100 million.
use strict;
use warnings FATAL => 'all';

use FindBin;
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Layouts;

my ($sessions, $forked) = $ENV{UUIDNEW_QUICK} ? (20, 12) : (200, 100);
my $connections = $sessions + 20;

# Rows of a UUID of each layout that a session makes, and as many that its
# parallel worker makes
my $rows = $ENV{UUIDNEW_QUICK} ? 50 : 500;
$rows = 23_000 if $ENV{UUIDNEW_SOAK};
my $rows_at_a_time = 50;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', <<~CONF);
	autovacuum = off
	jit = off
	max_connections = $connections
	max_logical_replication_workers = 0
	max_worker_processes = $connections
	max_parallel_workers = $connections
	max_wal_senders = 0
	min_dynamic_shared_memory = '256MB'
	max_wal_size = '4GB'
	work_mem = '64MB'
	CONF
$node->start;

# The setting's name since PostgreSQL 16, and before
my $parallel = $node->safe_psql('postgres', <<~'SQL');
	SELECT name FROM pg_settings WHERE name IN ('debug_parallel_query', 'force_parallel_mode')
	SQL

$node->safe_psql(
	'postgres', <<~'SQL'
		CREATE EXTENSION uuidnew;
		CREATE FUNCTION own_pid() RETURNS int LANGUAGE internal PARALLEL SAFE AS 'pg_backend_pid';
		CREATE UNLOGGED TABLE made (worker boolean, session int, pid int, n bigint,
		SQL
	  . join(', ', map { qq{"$_" uuid} } @layouts) . ')');
my $ids = join ', ', map { generator($_) . qq{ AS "$_"} } @layouts;

# pgbench waits until all are connected.  Each makes few UUIDs at a time, so that
# they take turns, and then has as many made by a worker.
my $insert = $node->basedir . '/insert.sql';
append_to_file(
	$insert, qq{
\\if :from < $rows
\\set from :from + $rows_at_a_time
INSERT INTO made SELECT false, pg_backend_pid(), pg_backend_pid(), :from + n, $ids
	FROM generate_series(1, $rows_at_a_time) AS n;
\\else
SET $parallel = on;
CREATE TEMP TABLE from_worker AS
	SELECT own_pid() AS pid, n, $ids FROM generate_series(1, $rows) AS n;
RESET $parallel;
INSERT INTO made SELECT true, pg_backend_pid(), * FROM from_worker;
\\endif
});
$node->command_ok(
	[
		'pgbench', '--no-vacuum', "--client=$sessions", '--jobs=2',
		'--define=from=0', '--transactions=' . (1 + $rows / $rows_at_a_time),
		"--file=$insert", 'postgres'
	],
	"$sessions sessions make UUIDs at once, and have them made by parallel workers");

my $all = 2 * $sessions * $rows;
note $all * @layouts . ' UUIDs';
is( $node->safe_psql('postgres', <<~'SQL'),
	SELECT worker, count(DISTINCT session), count(DISTINCT (session, pid)),
		   count(*) FILTER (WHERE pid = session), count(*)
	FROM made GROUP BY worker ORDER BY worker
	SQL
	join("\n",
		join('|', 'f', $sessions, $sessions, $all / 2, $all / 2),
		join('|', 't', $sessions, $sessions, 0, $all / 2)),
	'each session, and each worker, made its part');

my @unordered = split /\|/,
  $node->safe_psql('postgres',
		'SELECT '
	  . join(', ', map { qq{count(*) FILTER (WHERE NOT "$_" > "previous $_")} } @layouts)
	  . ' FROM (SELECT *, '
	  . join(', ', map { qq{lag("$_") OVER process AS "previous $_"} } @layouts)
	  . ' FROM made WINDOW process AS (PARTITION BY worker, session, pid ORDER BY n)) pairs');
my @distinct = split /\|/,
  $node->safe_psql('postgres',
	'SELECT ' . join(', ', map { qq{count(DISTINCT "$_")} } @layouts) . ' FROM made');
for (@layouts)
{
	is(shift @unordered, 0, "$_: UUIDs are in order in each process");
	is(shift @distinct, $all, "$_: UUIDs are distinct in all processes");
}

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
	$node->safe_psql(
		'postgres',
		<<~'SQL'
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
	is( $node->safe_psql(
			'postgres', 'SELECT count(DISTINCT pid), count(*), count(DISTINCT octets) FROM octets'),
		join('|', $forked, ($forked * 100) x 2),
		"$name: no two sessions have the same random bits");

	# 99.7 of a hundred are distinct in the mean
	is( $node->safe_psql(
			'postgres', 'SELECT count(DISTINCT sequence) > 0.9 * count(*), count(*) FROM sequences'),
		"t|$forked",
		"$name: each session has a first sequence of its own");
	is( $node->safe_psql(
			'postgres', 'SELECT count(*) FILTER (WHERE NOT second > first), count(*) FROM pairs'),
		"0|$forked",
		"$name: keys with an epoch are in order");
	return;
}

random_bits('library in the postmaster', 'uuidnew');

SKIP:
{
	my $library = $node->basedir . '/preforked.so';
	my $compiler_output = '';
	my ($include) = run_command([ 'pg_config', '--includedir-server' ]);
	my $built = eval {
		IPC::Run::run(
			[
				$ENV{CC} // 'cc',
				'-shared', '-fPIC', '-I', $include, '-o', $library, "$FindBin::RealBin/preforked.c"
			],
			'>&',
			\$compiler_output);
	};
	note $@, $compiler_output if !$built;
	skip 'no C compiler, or no headers of the server', 5 if !$built;

	my $log_start = -s $node->logfile;
	random_bits('octets left in the postmaster', qq{uuidnew, "$library"});
	my $postmaster =
	  (split /\n/, slurp_file($node->data_dir . '/postmaster.pid'))[0];
	like(
		slurp_file($node->logfile, $log_start),
		qr/made a UUID in process $postmaster$/m,
		'the postmaster had octets left');
}

$node->stop;
done_testing();
