# managed/uuidv7.sql, a few functions for a migration: the same results as the extension's, nothing
# where they are there, and the extension's place once it is created.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $root = "$FindBin::Bin/../..";
my $script = "$root/managed/uuidv7.sql";

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "timezone = 'UTC'\njit = off");
$node->start;
$node->safe_psql('postgres',
	'CREATE ROLE app LOGIN; CREATE DATABASE plain OWNER app; CREATE DATABASE fresh OWNER app');

sub migrate
{
	my ($database, $before) = @_;
	$node->psql($database, "$before\n\\i $script", extra_params => [ '-U', 'app' ], on_error_die => 1);
	return;
}

sub ask
{
	my ($database, @statements) = @_;
	return $node->safe_psql($database, join(";\n", @statements));
}

# The functions of schema public that no extension has
my $own = <<'SQL';
SELECT string_agg(proname, ' ' ORDER BY proname)
FROM pg_proc p
WHERE pronamespace = 'public'::regnamespace
	AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = p.oid AND deptype = 'e')
SQL

# By a user who is no superuser
my $core = ask('plain', "SELECT to_regprocedure('pg_catalog.uuidv7()') IS NOT NULL") eq 't';
my $names = join ' ', $core ? () : 'uuidv7',
  qw(uuidv7_at uuidv7_before uuidv7_between uuidv7_from uuidv7_is uuidv7_max
  uuidv7_min uuidv7_timestamp);

$node->safe_psql('plain', 'GRANT ALL ON SCHEMA public TO app');
migrate('plain', '');
is(ask('plain', $own), $names, 'what the server lacks is created');
migrate('plain', '');
is(ask('plain', $own), $names, 'the script can be run again');
my @lines = split /\n/, slurp_file($script);
cmp_ok(scalar(@lines), '<=', 110, 'the script is short');
like(
	slurp_file("$root/doc/plain-sql.md"),
	qr/ has ${\ scalar @lines} lines\b/,
	'the page says how short the script is');

ask('plain', 'CREATE SCHEMA c', 'CREATE EXTENSION uuidnew SCHEMA c');
is(ask('plain', <<'SQL'), '10001', 'its keys are in order, and of RFC 9562');
SET search_path = '';
CREATE TEMP TABLE keys (n int, id uuid DEFAULT public.uuidv7_at(clock_timestamp()));
INSERT INTO keys SELECT n FROM generate_series(0, 10000) n;
SELECT count(*)
FROM (SELECT id, lag(id) OVER (ORDER BY n) AS last FROM keys) k
WHERE c.uuidv7_is(id)
	AND left(id::text, 18) >= left(coalesce(last, id)::text, 18)
	AND c.uuidv7_timestamp(id) BETWEEN clock_timestamp() - interval '5 min' AND clock_timestamp()
SQL
is(ask('plain', <<'SQL'), '0|10000', 'keys of uuidv7() are different, and of RFC 9562');
SELECT count(*) FILTER (WHERE NOT c.uuidv7_is(id)
		OR c.uuidv7_timestamp(id) NOT BETWEEN now() - interval '5 min' AND clock_timestamp()),
	count(DISTINCT id)
FROM (SELECT uuidv7() AS id FROM generate_series(1, 10000)) keys
SQL
like(
	ask('plain', <<'SQL'),
CREATE TEMP TABLE keys (id uuid);
EXPLAIN (VERBOSE) SELECT uuidv7(), uuidv7_timestamp(id) FROM keys
SQL
	$core ? qr/uuidv7\(\), .*'x0000'/s : qr/gen_random_uuid.*'x0000'/s,
	'what is called for each row is inlined');

# As the extension's

# (Bounds and times are compared in key_times.)
my $times = <<'SQL';
SELECT ts
FROM (SELECT to_timestamp(random() * 3.29e9) FROM generate_series(1, 5000)
	UNION ALL
	SELECT timestamptz '1970-01-01 00:00+00' + n * interval '1 us' FROM generate_series(0, 6000) n
	UNION ALL
	SELECT NULL
	UNION ALL
	SELECT timestamptz '2074-07-11 11:41:23.326+00' + n * interval '1 us' FROM generate_series(0, 3000) n
	UNION ALL
	SELECT unnest('{-infinity, infinity, 4713-01-01 BC, 1969-12-31 23:59:59.999999+00, 2100-01-01,
		290000-01-01}'::timestamptz[])) t (ts)
SQL
is(ask('plain', <<"SQL"), 't|0', 'a key for a time has its bits');
SELECT count(*) > 11000,
	count(*) FILTER (WHERE left(uuidv7_at(ts)::text, 18) <> left(c.uuidv7_at(ts)::text, 18))
FROM ($times) t
WHERE ts >= '1970-01-01' AND ts < '2074-07-11 11:41:23.328+00'
SQL
foreach my $ts ('1969-12-31 23:59:59.999999+00', '2074-07-11 11:41:23.328+00', '-infinity', 'infinity')
{
	my ($status, $stdout, $stderr) =
	  $node->psql('plain', "\\set VERBOSITY sqlstate\nSELECT uuidv7_at('$ts')", on_error_stop => 0);
	like($stderr, qr/ERROR:\s+22008/, "$ts is out of range");
}
is(ask('plain', 'SELECT uuidv7_at(NULL) IS NULL, uuidv7_timestamp(NULL) IS NULL'), 't|t', 'NULL is NULL');
# Keys of both kinds, of other versions, and what is none
my $ids = <<"SQL";
SELECT c.uuidv7_min(ts) AS id FROM ($times) t
UNION ALL
SELECT c.uuid_generate_v7_at(ts) FROM ($times) t
	WHERE ts > '1995-07-10' AND ts < '2074-07-11 11:41:23.328+00'
UNION ALL
SELECT unnest(ARRAY[gen_random_uuid(), c.uuid_generate_v6(), '019b76da-a87b-7000-c000-000000000000',
	'03000000-0000-7000-8000-000000000000', '02ffffff-ffff-7fff-bfff-ffffffffffff',
	'ffffffff-ffff-7fff-bfff-ffffffffffff', NULL]::uuid[])
SQL
is(ask('plain', <<"SQL"), 't|0|0|0', 'windows are those of the extension, with NULL and infinite ends');
WITH id AS MATERIALIZED (
	SELECT id FROM ($ids) t ORDER BY random() LIMIT 3000
), ts(ts) AS MATERIALIZED (
	(SELECT ts FROM ($times) t ORDER BY random() LIMIT 40)
	UNION ALL
	SELECT unnest('{-infinity, infinity, NULL}'::timestamptz[])
), pair AS (
	SELECT id, ts, lag(ts) OVER (PARTITION BY id ORDER BY random()) AS other FROM id, ts
	UNION ALL
	SELECT id, c.uuidv7_timestamp(id), NULL FROM id
)
SELECT count(*) > 100000,
	count(*) FILTER (WHERE uuidv7_between(id, other, ts) IS DISTINCT FROM c.uuidv7_between(id, other, ts)),
	count(*) FILTER (WHERE uuidv7_before(id, ts) IS DISTINCT FROM c.uuidv7_before(id, ts)),
	count(*) FILTER (WHERE uuidv7_from(id, ts) IS DISTINCT FROM c.uuidv7_from(id, ts))
FROM pair
SQL

# On to the extension
my $create = slurp_file("$root/managed/to-extension.sql");

ask('plain', 'DROP EXTENSION uuidnew');
ask('plain', <<'SQL');
CREATE TABLE tickets (
	id uuid PRIMARY KEY DEFAULT uuidv7(),
	made timestamptz GENERATED ALWAYS AS (uuidv7_timestamp(id)) STORED
) PARTITION BY RANGE (id);
CREATE TABLE tickets_old PARTITION OF tickets
	FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2026-01-01 00:00+00'));
CREATE TABLE tickets_new PARTITION OF tickets
	FOR VALUES FROM (uuidv7_min('2026-01-01 00:00+00')) TO (MAXVALUE);
CREATE INDEX ON tickets (uuidv7_timestamp(id));
INSERT INTO tickets
SELECT uuidv7_at(timestamptz '2025-12-31' + n * interval '1 min') FROM generate_series(1, 3000) n;
SQL
my $before = <<'SQL';
SELECT string_agg(relfilenode::text, ' ' ORDER BY oid)
FROM pg_class
WHERE relname LIKE 'tickets%'
SQL
my $files = ask('plain', $before);
ask('plain', $create);
is(ask('plain', $before), $files, 'no table is rewritten when the extension takes over');
is(ask('plain', <<'SQL'), 't|3001|f', 'defaults, columns and indexes work on, in order');
INSERT INTO tickets DEFAULT VALUES;
SELECT bool_and(made = uuidnew.uuidv7_timestamp(id)), count(*),
	bool_or(uuidnew.uuidv7_is(id) IS NOT TRUE)
FROM tickets
SQL
is(ask('plain', <<'SQL'), $names, 'the functions of the script call those of the extension');
SELECT string_agg(proname, ' ' ORDER BY proname)
FROM pg_proc
WHERE pronamespace = 'public'::regnamespace
	AND strpos(pg_get_functiondef(oid), format('RETURN uuidnew.%s(', proname)) > 0
SQL
like(ask('plain', <<'SQL'), qr/Index Cond: \(\(id >= .*\) AND \(id < /, 'windows are bounds of the key');
SET enable_seqscan = off;
EXPLAIN SELECT FROM tickets WHERE public.uuidv7_between(id, now() - interval '1 h', now())
SQL
migrate('plain', '');
is(ask('plain', $own), $names, 'the migration has no effect beside the extension');

# Where the extension is there first
$node->safe_psql('fresh', 'GRANT ALL ON SCHEMA public TO app; CREATE EXTENSION uuidnew');
migrate('fresh', '');
is(ask('fresh', $own), '', "nothing is created beside the extension's functions");
ask('fresh',
	'CREATE SCHEMA uuidnew',
	'ALTER EXTENSION uuidnew SET SCHEMA uuidnew',
	'GRANT USAGE ON SCHEMA uuidnew TO app');
migrate('fresh', 'SET search_path = public, uuidnew;');
is(ask('fresh', $own), '', 'nothing is created where the functions are in another schema of search_path');

done_testing();
