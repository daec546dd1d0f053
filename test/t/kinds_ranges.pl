# id <@ tstzrange is planned by the index, as a range has its ends: constants, parameters, columns.
# (kinds_windows has the keys that ranges match.)
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use lib $FindBin::RealBin;
use Kinds;

start_kinds();

# Plans: both ends in the index, and one filter
ask(<<~'SQL');
	CREATE TABLE events (id uuid PRIMARY KEY, n int);
	INSERT INTO events SELECT uuidv7_at('2026-01-01 00:00+00'::timestamptz + n * interval '1 minute'), n
	FROM generate_series(0, 19999) n;
	CREATE TABLE days AS
	SELECT n, tstzrange(day, day + interval '1 day') AS day, day AS since, day + interval '1 day' AS until
	FROM generate_series(0, 9) n, LATERAL (SELECT timestamptz '2026-01-02' + n * interval '1 day' AS day) d;
	ANALYZE events, days;
	SQL

my $day = q{'[2026-01-05 00:00+00, 2026-01-06 00:00+00)'};
my ($since, $until) = split /\|/, ask(q{SELECT uuidv7_min('2026-01-05'), uuidv7_min('2026-01-06')});
my $constants =
  qr/Index Cond: \(\(id >= '$since'::uuid\) AND \(id < '$until'::uuid\)\)\n\s+Filter: uuidv7_is\(id\)$/;
foreach my $range (
	"$day\::tstzrange",
	'tstzrange(timestamptz $$2026-01-05$$, $$2026-01-06$$)',
	q{'(2026-01-04 23:59:59.999999+00, 2026-01-05 23:59:59.999+00]'::tstzrange})
{
	like(plan_of("SELECT n FROM events WHERE id <@ $range"),
		$constants, "$range: an index scan from end to end");
}
like(
	plan_of(q{SELECT n FROM events WHERE id <@ '[2026-01-14 12:00+00,)'::tstzrange}),
	qr/Index Cond: \(\(id >= '[^']+'::uuid\) AND \(id < $border\)\)\n\s+Filter: uuidv7_is\(id\)$/,
	'a range without an end ends at the border');
my $generic = 'SET plan_cache_mode = force_generic_plan';
my ($range_since, $range_until) = ('id >= uuidv7_range_since($1)', 'id < uuidv7_range_until($1)');
like(
	plan_of('EXECUTE q(NULL)', "$generic; PREPARE q(tstzrange) AS SELECT n FROM events WHERE id <@ \$1"),
	qr/Index Cond: \(\(\Q$range_since\E\) AND \(\Q$range_until\E\)\)\n\s+Filter: uuidv7_is\(id\)$/,
	'a generic plan has the ends of a parameter in the index');
my ($day_since, $day_until) = (qr/id >= uuidv7_range_since\(\S*day\)/, qr/id < uuidv7_range_until\(\S*day\)/);
like(
	plan_of('SELECT count(*) FROM days JOIN events ON id <@ day WHERE days.n = 3'),
	qr/Nested Loop.*Index Cond: \(\($day_since\) AND \($day_until\)\)/s,
	'a join reads the keys of a range by the index');
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
is(ask(q{SELECT count(*) FROM events WHERE id <@ 'empty'::tstzrange}), '0', 'an empty range matches no key');
is(ask(q{SELECT count(id <@ NULL) + count(NULL::uuid <@ day) FROM events, days}), '0', 'NULL is in no range');
is(ask('SELECT uuidv7_range_since(NULL), uuidv7_range_until(NULL)'), '|',
	'the ends of a NULL range are NULL');
is(ask(q{SELECT uuidv7_since('2026-01-01 00:00+00') = uuidv7_min('2026-01-01 00:00+00')}),
	't', 'uuidv7_since takes an untyped time');
done_testing();
