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
$node->append_conf('postgresql.conf', "autovacuum = off\njit = off");
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION uuidnew');

# Eight sessions fill one table for each layout.
my $script = $node->basedir . '/insert.sql';
$node->safe_psql(
	'postgres',
	join ";\n",
	map {
		qq{CREATE TABLE "keys $_" (id uuid PRIMARY KEY DEFAULT } . generator($_) . ', n bigserial, pid int)'
	} @layouts);
for (@layouts)
{
	append_to_file($script,
		qq{INSERT INTO "keys $_" (pid) SELECT pg_backend_pid() FROM generate_series(1, 100);\n});
}
my $rounds = $ENV{UUIDNEW_QUICK} ? 3 : 50;
$node->command_ok(
	[
		'pgbench', '--no-vacuum', '--client=8', '--jobs=2',
		"--transactions=$rounds", "--file=$script", 'postgres'
	],
	'eight sessions insert with no unique violation');
for (@layouts)
{
	is( $node->safe_psql(
			'postgres', <<~SQL
				SELECT count(*), count(DISTINCT pid), count(*) FILTER (WHERE NOT id > previous)
				FROM (SELECT *, lag(id) OVER (PARTITION BY pid ORDER BY n) AS previous FROM "keys $_") pairs
				SQL
		),
		8 * $rounds * 100 . '|8|0',
		"$_: UUIDs are distinct in all sessions, and in order in each");
}

# Parallel workers, here without their leader, have sequences of their own: their
# random bits and, in v6, where the sequence starts, must tell them apart.
my $rows = $ENV{UUIDNEW_QUICK} ? 50_000 : 300_000;
$node->safe_psql('postgres', <<~SQL);
	CREATE FUNCTION own_pid() RETURNS int LANGUAGE internal PARALLEL SAFE AS 'pg_backend_pid';
	CREATE TABLE source AS SELECT FROM generate_series(1, $rows);
	ALTER TABLE source SET (parallel_workers = 4);
	ANALYZE source;
	SQL
my ($workers, $by_leader, @distinct) = split /\|/, $node->safe_psql(
	'postgres', <<~'SQL'
		SET min_parallel_table_scan_size = 0;
		SET parallel_setup_cost = 0;
		SET parallel_tuple_cost = 0;
		SET max_parallel_workers_per_gather = 4;
		SET parallel_leader_participation = off;
		CREATE TABLE made AS SELECT own_pid() AS pid,
		SQL
	  . join(', ', map { generator($_) . qq{ AS "$_"} } @layouts)
	  . ' FROM source;'
	  . 'SELECT count(DISTINCT pid), count(*) FILTER (WHERE pid = pg_backend_pid()), '
	  . join(', ', map { qq{count(DISTINCT "$_")} } @layouts)
	  . ' FROM made');
ok($workers > 1 && $by_leader == 0, "$workers parallel workers make the UUIDs, and their leader none");
is(shift @distinct, $rows, "$_: distinct in parallel workers") for @layouts;

# Whatever loads the library, no two processes share random octets.  The octets
# after the sequence of a given time's UUIDs are nothing else.
my $sessions = $ENV{UUIDNEW_QUICK} ? 3 : 5;
for ('shared_preload_libraries', 'session_preload_libraries')
{
	$node->safe_psql('postgres', "ALTER SYSTEM RESET ALL; ALTER SYSTEM SET $_ = 'uuidnew'");
	$node->restart;
	my @octets = map {
		split /\n/,
		  $node->safe_psql('postgres', <<~'SQL')
			SELECT right(uuid_generate_v7_at('2021-06-15 12:00:00+00')::text, 12)
			FROM generate_series(1, 1000)
			SQL
	} 1 .. $sessions;
	my %distinct = map { $_ => 1 } @octets;

	is(scalar(@octets), $sessions * 1000, "$_: $sessions sessions make UUIDs");
	is(scalar(keys %distinct), $sessions * 1000, "$_: their random octets are all different");
}

$node->stop;
done_testing();
