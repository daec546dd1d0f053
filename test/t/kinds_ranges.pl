# id <@ tstzrange matches the RFC 9562 keys whose time is in the range, by the index, as a range has its
# bounds: constants, parameters, columns; empty, unbounded, infinite and NULL; with each inclusivity.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use lib $FindBin::RealBin;
use Kinds;

my $node = start_kinds();

# Keys around each millisecond of some, at the ends of the kind, and others between them
ask(<<~'SQL');
	CREATE TABLE keys AS
	SELECT row_number() OVER () AS n, id, uuidv7_timestamp(id) AS at
	FROM (
		SELECT unnest(ARRAY[uuidv7_min(ts), uuidv7_at(ts), uuidv7_max(ts),
			overlay(uuidv7_min(ts)::text PLACING '4' FROM 15)::uuid, uuid_generate_v6_at(ts)])
		FROM (SELECT timestamptz '2026-01-01 12:00+00' + i * interval '1 ms' FROM generate_series(-3, 3) i
			UNION ALL VALUES (timestamptz '1970-01-01 00:00+00'), ('2074-07-11 11:41:23.327+00')) t(ts)
		UNION ALL SELECT uuid_generate_v7_at('2026-01-01 12:00+00') FROM generate_series(1, 3)
		UNION ALL SELECT unnest('{00000000-0000-0000-0000-000000000000, 03000000-0000-7000-8000-000000000000,
			02ffffff-ffff-7fff-bfff-ffffffffffff, ffffffff-ffff-ffff-ffff-ffffffffffff,
			NULL}'::uuid[])) k(id);
	CREATE INDEX ON keys (id);
	CREATE TABLE ranges AS
	SELECT row_number() OVER () AS r, range
	FROM (
		SELECT DISTINCT CASE WHEN a <= b OR a IS NULL OR b IS NULL THEN tstzrange(a, b, bounds) END AS range
		FROM unnest('{2026-01-01 11:59:59.998+00, 2026-01-01 12:00+00, 2026-01-01 12:00:00.000001+00,
				2026-01-01 12:00:00.000999+00, 1970-01-01 00:00+00, 1960-01-01 00:00+00, -infinity, infinity,
				NULL, 4714-11-24 00:00+00 BC}'::timestamptz[]) a,
			unnest('{2026-01-01 12:00+00, 2026-01-01 12:00:00.000999+00, 2026-01-01 12:00:00.002+00,
				1970-01-01 00:00+00, 2074-07-11 11:41:23.327+00, 2074-07-11 11:41:23.328+00,
				2100-01-01 00:00+00,
				-infinity, infinity, NULL, 294276-12-31 23:59:59.999999+00}'::timestamptz[]) b,
			unnest('{[),[],(],()}'::text[]) bounds
		UNION ALL VALUES ('empty'::tstzrange)) ranges(range);

	CREATE FUNCTION as_it_is(uuid, tstzrange) RETURNS boolean
		AS '$libdir/uuidnew', 'uuidv7_within' LANGUAGE C IMMUTABLE PARALLEL SAFE;
	SQL
cmp_ok(ask('SELECT count(DISTINCT (SELECT count(*) FROM keys WHERE at <@ range)) FROM ranges'),
	'>', 10, 'ranges match different rows');

# In three-valued logic; other scans, constants and NOT are in kinds_windows.
foreach my $condition (
	'as_it_is(id, range)',
	'id <@ range',
	'uuidv7_within(id, range)',
	'NOT (NOT (id <@ range))',
	'id >= uuidv7_range_since(range) AND id < uuidv7_range_until(range) AND uuidv7_is(id)')
{
	is(ask(<<~SQL), '', "$condition matches the keys whose time is in each range");
		SELECT id, range, $condition FROM keys, ranges
		WHERE ($condition) IS DISTINCT FROM
			CASE WHEN id IS NULL THEN NULL WHEN at IS NULL THEN false ELSE at <@ range END
		SQL
}
is(ask(q{SELECT count(*) FROM keys WHERE id <@ 'empty'::tstzrange}), '0', 'an empty range matches no key');

# Plans: both ends in the index, and one filter
ask(<<~'SQL');
	CREATE TABLE events (id uuid PRIMARY KEY, n int);
	INSERT INTO events SELECT uuidv7_at('2026-01-01 00:00+00'::timestamptz + n * interval '1 minute'), n
	FROM generate_series(0, 19999) n;
	CREATE TABLE days AS
	SELECT n, tstzrange(day, day + interval '1 day') AS day, day AS since, day + interval '1 day' AS until
	FROM generate_series(0, 9) n, LATERAL (SELECT timestamptz '2026-01-02' + n * interval '1 day' AS day) d;
	CREATE TABLE parted (LIKE events) PARTITION BY RANGE (id);
	CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2026-01-05'));
	CREATE TABLE parted_2 PARTITION OF parted FOR VALUES FROM (uuidv7_min('2026-01-05')) TO (MAXVALUE);
	INSERT INTO parted TABLE events;
	CREATE VIEW barrier WITH (security_barrier) AS SELECT * FROM events WHERE n % 2 = 0;
	ANALYZE events, days, parted;
	SQL

my $day = q{'[2026-01-05 00:00+00, 2026-01-06 00:00+00)'};
my ($since, $until) = split /\|/, ask(q{SELECT uuidv7_min('2026-01-05'), uuidv7_min('2026-01-06')});
my $constants =
  qr/Index Cond: \(\(id >= '$since'::uuid\) AND \(id < '$until'::uuid\)\)\n\s+Filter: uuidv7_is\(id\)$/;
foreach my $range (
	"$day\::tstzrange",
	'tstzrange(timestamptz $$2026-01-05$$, $$2026-01-06$$)',
	q{tstzrange('2026-01-05', '2026-01-06 00:00+00')},
	q{'[2026-01-04 23:59:59.999001+00, 2026-01-05 23:59:59.999+00]'::tstzrange},
	q{'(2026-01-04 23:59:59.999999+00, 2026-01-06)'::tstzrange})
{
	like(plan_of("SELECT n FROM events WHERE id <@ $range"),
		$constants, "$range: an index scan from end to end");
}
like(
	plan_of(q{SELECT n FROM events WHERE id <@ '[2026-01-14 12:00+00,)'::tstzrange}),
	qr/Index Cond: \(\(id >= '[^']+'::uuid\) AND \(id < $border\)\)\n\s+Filter: uuidv7_is\(id\)$/,
	'a range without an end ends at the border');
my $generic = 'SET plan_cache_mode = force_generic_plan';
like(
	plan_of(
		'EXECUTE q(NULL, NULL)',
		"$generic; PREPARE q(timestamptz, timestamptz) AS "
		  . 'SELECT n FROM events WHERE id <@ tstzrange($1, $2)'),
	qr/Index Cond: .*id >= .*\$1.*id < .*\$2.*\n\s+Filter: uuidv7_is\(id\)$/,
	'a generic plan has both ends in the index');
like(
	plan_of('EXECUTE q(NULL)', "$generic; PREPARE q(tstzrange) AS SELECT n FROM events WHERE id <@ \$1"),
	qr/Index Cond: \(\(id >= uuidv7_range_since\(\$1\)\) AND \(id < uuidv7_range_until\(\$1\)\)\)\n\s+Filter: uuidv7_is\(id\)$/,
	'a generic plan has the ends of a parameter in the index');
like(
	plan_of('SELECT count(*) FROM days JOIN events ON id <@ day WHERE days.n = 3'),
	qr/Nested Loop.*Index Cond: \(\(id >= uuidv7_range_since\(\S*day\)\) AND \(id < uuidv7_range_until\(\S*day\)\)\)/s,
	'a join reads the keys of a range by the index');
unlike(plan_of("SELECT n FROM parted WHERE id <@ $day\::tstzrange"),
	qr/parted_1/, 'a range prunes partitions');
like(
	plan_of("SELECT n FROM barrier WHERE id <@ $day\::tstzrange"),
	qr/Index Cond: .*$since/,
	'a constant range comes before what a security barrier hides');

# A range without columns is computed once a scan, however dear.
ask(q{CREATE FUNCTION dear() RETURNS tstzrange STABLE LANGUAGE plpgsql
	AS $$ BEGIN RETURN '[2026-01-05 00:00+00, 2026-01-06 00:00+00)'; END $$});
like(
	plan_of('SELECT n FROM events WHERE id <@ dear()'),
	qr/Index Cond: .*dear\(\)/,
	'a dear range is in the index condition');

# A range that each look may change, or that costs a sub-plan, is asked once a row, and so not rewritten.
ask(<<~'SQL');
	CREATE SEQUENCE asked;
	CREATE FUNCTION asked_range() RETURNS tstzrange LANGUAGE sql VOLATILE AS $$
		SELECT tstzrange('2026-01-05 00:00+00', '2026-01-06 00:00+00') FROM nextval('asked') $$;
	SQL
is(ask('SELECT count(*) FROM events WHERE id <@ asked_range()'), '1440', 'a volatile range has its rows');
is(ask('SELECT last_value FROM asked'), '20000', 'a volatile range is evaluated once for each row');
my $subquery =
  'SELECT count(*) FROM events WHERE id <@ (SELECT day FROM days WHERE days.n = events.n % 1 + 3)';
is(ask($subquery), '1440', 'a range of a sub-select has its rows');
unlike(plan_of($subquery), qr/SubPlan.*SubPlan.*SubPlan/s, 'a range of a sub-select is planned once');

# What there is not
is(ask('SELECT uuidv7_range_since(NULL), uuidv7_range_until(NULL)'), '|',
	'the ends of a NULL range are NULL');
is(ask(q{SELECT uuidv7_since('2026-01-01 00:00+00') = uuidv7_min('2026-01-01 00:00+00')}),
	't', 'uuidv7_since takes an untyped time');
$node->stop;
done_testing();
