# Comparing a key with a time does in every statement what it does in a query.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Cluster;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "timezone = 'UTC'\njit = off\nautovacuum = off");
$node->start;
$node->safe_psql('postgres', <<~'SQL');
	CREATE EXTENSION uuidnew;
	CREATE ROLE reader;
	-- a key each minute of two weeks, and as many of version 4 with the same bytes elsewhere
	CREATE TABLE events AS
	SELECT n, CASE WHEN n % 2 = 0 THEN id ELSE overlay(id::text PLACING '4' FROM 15)::uuid END AS id
	FROM generate_series(0, 40319) n,
		LATERAL (SELECT uuidv7_at('2026-01-01'::timestamptz + n / 2 * interval '1 minute') AS id) key;
	GRANT SELECT ON events TO reader;
	ANALYZE events;
	SQL

sub ask
{
	my ($sql) = @_;
	return $node->safe_psql('postgres', $sql);
}

# BRIN: the operator's bounds are what the index is asked for.
ask('CREATE INDEX events_brin ON events USING brin (id) WITH (pages_per_range = 8)');
my $first = ask(q{SELECT uuidv7_min('2026-01-05'::timestamptz)});
my $day = q{id >= '2026-01-05'::timestamptz AND id < '2026-01-06'::timestamptz};
like(
	ask("SET enable_seqscan = off; EXPLAIN (COSTS OFF) SELECT FROM events WHERE $day"),
	qr/Bitmap Index Scan on events_brin\s+Index Cond: .*id >= '$first'/,
	'a BRIN index is asked for the bounds of a day');
is(ask("SET enable_seqscan = off; SELECT count(*) FROM events WHERE $day"),
	1440, 'a day found by a BRIN index has a key for each minute');
ask('DROP INDEX events_brin');

# Policies: what a user may see ends at a time, by the index too.
ask(<<~'SQL');
	CREATE INDEX ON events (id);
	CREATE POLICY of_late ON events TO reader USING (id >= '2026-01-14'::timestamptz);
	ALTER TABLE events ENABLE ROW LEVEL SECURITY;
	SQL
is(ask('SET ROLE reader; SELECT count(*) FROM events'), 1440, 'a policy shows the keys of the last day');
is(ask("SET ROLE reader; SELECT count(*) FROM events WHERE id <= '2026-01-14 00:59'::timestamptz"),
	60, 'a condition narrows what a policy shows');
like(
	ask('SET ROLE reader; EXPLAIN (COSTS OFF) SELECT FROM events'),
	qr/Index (Only )?Scan/,
	'a policy is planned with the index');

# MERGE: in the condition of the join, and of each action.
SKIP:
{
	skip 'MERGE came with PostgreSQL 15', 2 if ask('SHOW server_version_num') < 150000;

	ask(<<~'SQL');
		MERGE INTO events USING (SELECT id AS other FROM events WHERE id < '2026-01-03'::timestamptz) old
			ON id = other AND id >= '2026-01-02'::timestamptz
		WHEN MATCHED AND id < '2026-01-02 12:00'::timestamptz THEN DELETE
		WHEN MATCHED AND id > '2026-01-02 12:00'::timestamptz THEN UPDATE SET n = -1
		SQL
	is(ask(q{SELECT count(*) FROM events WHERE id::timestamptz::date = '2026-01-02'}),
		720, 'MERGE deletes the keys of half a day');
	is( ask('SELECT count(*), min(id::timestamptz) FROM events WHERE n = -1'),
		'719|2026-01-02 12:01:00+00',
		'MERGE changes the keys after noon, without that of noon itself');
}

$node->stop;
done_testing();
