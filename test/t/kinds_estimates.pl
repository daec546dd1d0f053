# After ANALYZE the planner knows how many keys are of a kind: of a filter alone, of its negation, of a
# window or a range beside it, within a factor of two.  And it reads the keys of a kind by the index, from
# the border on.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use lib $FindBin::RealBin;
use Kinds;

start_kinds();
my $n = $ENV{UUIDNEW_QUICK} ? 20_000 : 100_000;

# One key of each kind for each n, so that a third of version 7 is of another version: and mixtures of
# fewer
ask(<<~SQL);
	CREATE TABLE source AS
	SELECT n, kind, CASE kind WHEN 'rfc' THEN uuidv7_at(at) WHEN 'draft' THEN uuid_generate_v7_at(at)
		WHEN 'v6' THEN uuid_generate_v6_at(at) WHEN 'v8' THEN uuid_generate_v8_at(at, 'unix48')
		WHEN 'v4' THEN gen_random_uuid()
		ELSE overlay(uuidv7_at(at)::text PLACING '4' FROM 15)::uuid END AS id
	FROM generate_series(1, $n) n, unnest('{rfc,draft,v6,v8,v4,near}'::text[]) kind,
		LATERAL (SELECT '2025-01-01 00:00+00'::timestamptz + n * interval '400 days' / $n AS at) t;
	CREATE TABLE third AS SELECT id FROM source WHERE kind IN ('rfc', 'draft', 'v4');
	CREATE TABLE both_kinds AS SELECT id FROM source WHERE kind IN ('rfc', 'draft');
	CREATE TABLE rfc AS SELECT id FROM source WHERE kind = 'rfc';
	CREATE TABLE draft AS SELECT id FROM source WHERE kind = 'draft';
	CREATE TABLE dense AS SELECT id FROM source WHERE kind = 'rfc' OR kind = 'near' AND n % 2 = 0;
	CREATE TABLE few AS SELECT id FROM source WHERE kind = 'v4' OR kind = 'draft' AND n % 20 = 0;
	CREATE TABLE versions AS SELECT id FROM source WHERE kind IN ('v6', 'v8', 'v4');
	CREATE TABLE with_nulls AS SELECT CASE WHEN n % 2 = 0 THEN id END AS id FROM source
		WHERE kind IN ('rfc', 'v4');
	DROP TABLE source;
	SQL
my @tables = qw(third both_kinds rfc draft dense few versions with_nulls);
ask("CREATE INDEX ON $_ (id); ALTER TABLE $_ ALTER id SET STATISTICS 300; VACUUM ANALYZE $_") foreach @tables;

my $day = q{tstzrange('2025-06-01 00:00+00', '2025-06-11 00:00+00')};
my @filters = (
	'uuidv7_is(id)',
	'NOT uuidv7_is(id)',
	'uuid_v7_is(id)',
	'NOT uuid_v7_is(id)',
	q{uuid_v7_is(id, 'nanosecond')},
	'uuid_v6_is(id)',
	q{uuid_v8_is(id, 'unix48')},
	'uuidv7_is(id) IS TRUE',
	'uuidv7_is(id) IS NOT TRUE',
	'uuidv7_is(id) OR uuid_v7_is(id)');
my @windows = (
	'uuidv7_between(id, NULL, NULL)',
	q{uuidv7_between(id, '-infinity', 'infinity')},
	q{uuidv7_between(id, '2025-06-01 00:00+00', '2025-06-11 00:00+00')},
	q{uuid_v7_between(id, '2025-06-01 00:00+00', '2025-06-11 00:00+00')},
	q{uuid_v7_between(id, '2025-06-01 00:00+00', '2025-06-11 00:00+00', 'rfc9562')},
	q{NOT uuidv7_between(id, '2025-06-01 00:00+00', '2025-06-11 00:00+00')},
	q{uuidv7_before(id, '2025-03-01 00:00+00')},
	q{uuidv7_from(id, '2025-12-01 00:00+00')},
	q{uuid_v7_before(id, '2025-03-01 00:00+00')},
	q{uuid_v7_from(id, '2025-12-01 00:00+00')},
	q{id >= timestamptz '2025-06-01 00:00+00'},
	q{id >= timestamptz '2025-06-01 00:00+00' AND id < timestamptz '2025-06-11 00:00+00'},
	"id <@ $day",
	"NOT id <@ $day",
	q{id <@ tstzrange('2025-12-01 00:00+00', NULL)},
	q{id <@ tstzrange('2025-06-01 00:00+00', '2025-06-11 00:00+00', '[]')},
	q{NOT (id >= timestamptz '2025-06-01 00:00+00')},
	q{uuidv7_is(id) AND id >= uuidv7_min('2025-06-01 00:00+00') AND id < uuidv7_min('2025-06-11 00:00+00')});

# Within two bins of the histogram, or a factor of two
sub conditions_are_near
{
	my ($table, @conditions) = @_;
	my $bin = ask("SELECT count(*) FROM $table") / 300;
	are_near($table,
		map { [ $_, "SELECT FROM $table WHERE $_", "SELECT count(*) FROM $table WHERE $_", 2 * $bin ] }
		  @conditions);
	return;
}

# Core counts NULL among what NOT matches, whatever the condition is.  Other versions between the bounds
# of a window count as its keys.
conditions_are_near($_, @filters) foreach grep { $_ ne 'with_nulls' } @tables;
conditions_are_near('with_nulls', grep { !/NOT / } @filters);
conditions_are_near($_, @windows) foreach qw(both_kinds rfc draft dense);

# A column with both kinds: the index is read from the border on, or up to it.
sub read_by
{
	my ($condition, $table) = @_;
	return ask("SET enable_bitmapscan = off; EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) "
		  . "SELECT id FROM ${\ ($table // 'both_kinds')} WHERE $condition");
}
my $shown = "'03000000-0000-7000-8000-000000000000'::uuid";
foreach my $window (
	[
		q{uuid_v7_before(id, '2025-02-01 00:00+00')},
		qr/Index Cond: \(\(id >= $shown\) AND \(id < '[^']+'::uuid\)\)\n\s+Filter: uuid_v7_is\(id\)/
	],
	[
		q{uuidv7_from(id, '2026-01-01 00:00+00')},
		qr/Index Cond: \(\(id >= '[^']+'::uuid\) AND \(id < $shown\)\)\n\s+Filter: uuidv7_is\(id\)/
	])
{
	my ($condition, $expected) = @$window;
	my $plan = read_by($condition);
	like($plan, $expected, "both kinds, $condition: an index scan to the border");
	unlike($plan, qr/Rows Removed/, "both kinds, $condition: the scan reads no key of the other kind");
}

# What is expected without statistics
ask('CREATE TABLE fresh (id uuid) WITH (autovacuum_enabled = off); INSERT INTO fresh TABLE rfc');
cmp_ok(ask(q{SELECT estimate('SELECT FROM fresh WHERE uuidv7_is(id)')}),
	'>', $n / 10, 'without statistics, a filter may match many rows');
cmp_ok(ask(q{SELECT estimate('SELECT FROM fresh WHERE NOT uuidv7_is(id)')}),
	'>', 1, 'without statistics, the negation of a filter may match many rows');
cmp_ok(ask(q{SELECT estimate($$SELECT FROM fresh WHERE uuidv7_from(id, '2026-01-01 00:00+00')$$)}),
	'>', $n / 10, 'without statistics, a window of one end may match many rows');

# A column without values
ask('CREATE TABLE empty AS SELECT NULL::uuid AS id, i FROM generate_series(1, 1000) i; ANALYZE empty');
is(ask(qq{SELECT estimate(\$\$SELECT FROM empty WHERE $windows[1]\$\$)}),
	'1', 'a window of NULLs matches none');

# Statistics may contain anything, because they can be imported since PostgreSQL 18.
ask(<<~'SQL');
	CREATE TABLE imported AS TABLE rfc;
	ANALYZE imported;
	UPDATE pg_statistic SET stanullfrac = -1 WHERE starelid = 'imported'::regclass;
	SQL
is(ask(qq{SELECT estimate(\$\$SELECT FROM imported WHERE $_\$\$)}),
	$n, "with a share of NULLs below 0, $_ matches at most all rows")
  foreach 'uuidv7_is(id)', q{id < timestamptz '2040-01-01 00:00+00'};

# A partial index of the filter serves every window.
ask('CREATE TABLE partial AS TABLE third; CREATE INDEX partial_rfc ON partial (id) WHERE uuidv7_is(id);
	ANALYZE partial'
);
like(
	read_by($_, 'partial'),
	qr/Index (Only )?Scan using partial_rfc/,
	"a partial index of the filter serves $_")
  foreach q{uuidv7_between(id, '2025-06-01 00:00+00', '2025-06-02 00:00+00')},
  q{id >= timestamptz '2026-01-30 00:00+00'},
  q{id <@ tstzrange('2025-06-01 00:00+00', '2025-06-02 00:00+00')};

done_testing();
