# Many sessions and parallel workers at once: no UUID twice, and each session's
# in order.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Layouts;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION uuidnew');

# Eight sessions fill one table for each layout.
my $script = $node->basedir . '/insert.sql';
for (@layouts)
{
	my $generator = generator($_);
	$node->safe_psql(
		'postgres', qq{
CREATE TABLE "keys $_" (id uuid PRIMARY KEY DEFAULT $generator, n bigserial, pid int)}
	);
	append_to_file($script,
		qq{INSERT INTO "keys $_" (pid) SELECT pg_backend_pid() FROM generate_series(1, 100);\n}
	);
}
my $rounds = $ENV{UUIDNEW_QUICK} ? 5 : 50;
$node->command_ok(
	[
		'pgbench', '--no-vacuum',
		'--client=8', '--jobs=2',
		"--transactions=$rounds", "--file=$script",
		'postgres'
	],
	'eight sessions insert with no unique violation');
for (@layouts)
{
	is( $node->safe_psql(
			'postgres', qq{
SELECT count(*), count(DISTINCT pid), count(*) FILTER (WHERE NOT id > previous)
FROM (SELECT *, lag(id) OVER (PARTITION BY pid ORDER BY n) AS previous FROM "keys $_") pairs}
		),
		8 * $rounds * 100 . '|8|0',
		"$_: distinct in all sessions, in order in each");
}

# Parallel workers, here without their leader, have sequences of their own: their
# random bits and, in v6, where the sequence starts, must tell them apart.
$node->safe_psql(
	'postgres', q{
CREATE FUNCTION own_pid() RETURNS int LANGUAGE internal PARALLEL SAFE AS 'pg_backend_pid';
CREATE TABLE source AS SELECT FROM generate_series(1, 300000);
ALTER TABLE source SET (parallel_workers = 4);
ANALYZE source;
});
for (@layouts)
{
	my $generator = generator($_);
	is( $node->safe_psql(
			'postgres', qq{
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET max_parallel_workers_per_gather = 4;
SET parallel_leader_participation = off;
CREATE TEMP TABLE made AS SELECT own_pid() AS pid, $generator AS id FROM source;
SELECT count(DISTINCT id), count(*) FILTER (WHERE pid = pg_backend_pid())
FROM made}),
		'300000|0',
		"$_: distinct in parallel workers");
}

# Whatever loads the library, no two processes share random octets.  The octets
# after the sequence of a given time's UUIDs are nothing else.
for ('shared_preload_libraries', 'session_preload_libraries')
{
	$node->safe_psql('postgres', "ALTER SYSTEM RESET ALL");
	$node->safe_psql('postgres', "ALTER SYSTEM SET $_ = 'uuidnew'");
	$node->restart;
	my @octets = map {
		split /\n/, $node->safe_psql(
			'postgres', q{
SELECT right(uuid_generate_v7_at('2021-06-15 12:00:00+00')::text, 12)
FROM generate_series(1, 1000)})
	} 1 .. 5;
	my %distinct = map { $_ => 1 } @octets;

	is(scalar(@octets), 5000, "$_: five sessions make UUIDs");
	is(scalar(keys %distinct),
		5000, "$_: their random octets are all different");
}

$node->stop;
done_testing();
