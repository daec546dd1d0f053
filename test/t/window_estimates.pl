# After ANALYZE the planner knows how many rows a window of time holds: a
# million keys over a good year, ten with UUIDNEW_SOAK, windows from a minute to a
# year.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use lib $FindBin::RealBin;
use Kinds;

my $count = $ENV{UUIDNEW_QUICK} ? 250_000 : $ENV{UUIDNEW_SOAK} ? 10_000_000 : 1_000_000;
my $fewer = $ENV{UUIDNEW_QUICK} ? 12_500 : $count / 40;

# 420 days, so that an hour holds a little less than 1/10000 of the rows.
my $first = '2025-01-01 00:00:00+00';
my $last = '2026-02-25 00:00:00+00';

my @lengths = ('1 minute', '10 minutes', '1 hour', '1 day', '1 week', '1 month', '1 year');

start_kinds();
# A table of so many keys at equal distances; $key makes one of "at".  Its rows are counted by the minute, by
# $time, which reads one key.
sub make_keys
{
	my ($table, $count, $key, $time) = @_;
	ask(<<~SQL);
		CREATE UNLOGGED TABLE $table AS
		SELECT $key AS id
		FROM (SELECT i, timestamptz '$first' + i * ((timestamptz '$last' - '$first') / $count) AS at
			FROM generate_series(0, $count - 1) i) times;
		CREATE INDEX ON $table (id);
		ANALYZE $table;
		CREATE TABLE ${table}_minutes AS SELECT date_trunc('minute', $time) AS minute, count(*) AS n
		FROM $table GROUP BY 1 HAVING count($time) > 0;
		CREATE UNIQUE INDEX ON ${table}_minutes (minute)
		SQL
	return;
}

# The windows: name, since and until as SQL, is it away from the ends?  Where
# ANALYZE takes its sample, it misses the first and the last of the keys, 1/30000
# of them on average.  In between, an estimate is near also where rows are few.
sub windows
{
	my @windows;
	my ($fifth, $before_last) = ('2025-01-01 05:00:00+00', '2026-02-24 19:00:00+00');
	foreach my $length (@lengths)
	{
		# the ends from which this length is counted
		my $since = sub { my ($n, $at) = @_; return "timestamptz '$at' + $n * interval '$length'" };
		foreach (
			[ 'at the start', [ 0, $first ], [ 1, $first ], 0 ],
			[ 'from the fifth hour on', [ 0, $fifth ], [ 1, $fifth ], 1 ],
			[ 'to the fifth hour from the end', [ -1, $before_last ], [ 0, $before_last ], 1 ],
			[ 'at the end', [ -1, $last ], [ 0, $last ], 0 ],
			[ 'across the start', [ -1, $first ], [ 1, $first ], 0 ],
			[ 'across the end', [ -1, $last ], [ 1, $last ], 0 ],
			[ 'before the start', [ -2, $first ], [ -1, $first ], 1 ],
			[ 'after the end', [ 1, $last ], [ 2, $last ], 1 ],
			[ 'in the middle', [ 0, '2025-08-01 12:34:00+00' ], [ 1, '2025-08-01 12:34:00+00' ], 1 ])
		{
			my ($where, $from, $to, $is_away) = @$_;
			push @windows, [ "$length $where", $since->(@$from), $since->(@$to), $is_away ]
			  unless "$length $where" eq '1 year in the middle';
		}
	}
	push @windows, [ "until $_", 'NULL', "'$_'", 1 ], [ "since $_", "'$_'", 'NULL', 1 ]
	  foreach ('2025-01-08', '2025-03-01', '2025-08-15 12:00', '2026-02-18');
	push @windows,
	  [ 'without bounds', 'NULL', 'NULL', 1 ], [ 'in all of time', "'-infinity'", "'infinity'", 1 ],
	  [
		'a stable expression',
		"now() - (now() - '2025-06-01'::date)",
		"now() - (now() - '2025-06-02'::date)",
		1
	  ];
	return @windows;
}

# test_windows(table, function, its further arguments, rows that an estimate may be off: at the ends,
# elsewhere; windows)
sub test_windows
{
	my ($table, $function, $arguments, $at_end, $elsewhere, @windows) = @_;
	are_near(
		$table,
		map {
			my ($name, $since, $until, $is_away) = @$_;
			[
				$name,
				"SELECT FROM $table WHERE $function(id, $since, $until$arguments)",
				"SELECT coalesce(sum(n), 0) FROM ${table}_minutes WHERE minute >= coalesce("
				  . "($since)::timestamptz, '-infinity') AND (minute < $until) IS NOT FALSE",
				$is_away ? $elsewhere : $at_end
			]
		} @windows);
	return;
}

make_keys('keys', $count, 'uuid_generate_v7_at(at)', 'uuid_v7_timestamp(id)');
is(ask('SELECT sum(n) FROM keys_minutes'), $count, 'all keys are counted');
test_windows('keys', 'uuid_v7_between', '', $count / 10000, 20, windows());

# Another version, another layout, and an epoch
foreach (
	[ 'keys_v6', 'v6', '', '' ],
	[ 'keys_rfc9562', 'v7', q{, 'rfc9562'}, q{, 'rfc9562'} ],
	[
		'keys_epoch', 'v8',
		q{, 'unix48', NULL, '2020-01-01 00:00:00+00'}, q{, 'unix48', '2020-01-01 00:00:00+00'}
	])
{
	my ($table, $version, $generate, $arguments) = @$_;
	make_keys(
		$table, $fewer,
		"uuid_generate_${version}_at(at$generate)",
		"uuid_${version}_timestamp(id$arguments)");
	test_windows($table, "uuid_${version}_between", $arguments, 30, 20, windows());
}

# A column that holds other versions too, the same UUIDs in each run, and NULL: some of the histogram's
# bounds are theirs, and the first and the last hundredth of the keys may lie
# next to one of them.
make_keys(
	'keys_mixed', $fewer,
	q{CASE WHEN i % 10 < 3 THEN overlay(md5(i::text) placing '4' from 13 for 1)::uuid
		WHEN i % 10 > 3 THEN uuid_generate_v7_at(at) END},
	'uuid_v7_timestamp(id)');
test_windows('keys_mixed', 'uuid_v7_between', '', $fewer / 100, 20,
	map { $_->[3] = 0 if $_->[0] =~ /before the start|after the end|^until 2025-01/; $_ }
	grep { $_->[0] !~ /^since/ } windows());

# There, keys are taken to be as dense as in the bin beside it.
test_windows('keys_mixed', 'uuid_v7_between', '', 30, 20,
	grep { $_->[0] =~ /^1 week at the (start|end)/ } windows());

# A table that had one row when it was analyzed has statistics, but no histogram.
foreach my $where (
	q{id >= timestamptz '2026-01-01'},
	q{id < timestamptz '2040-01-01'},
	q{uuidv7_between(id, '2026-01-01', NULL)})
{
	my ($estimate, $by_hand) = split /\|/, ask(<<~SQL);
		CREATE TABLE was_one (id uuid) WITH (autovacuum_enabled = off);
		INSERT INTO was_one VALUES (uuidv7());
		ANALYZE was_one;
		INSERT INTO was_one SELECT uuidv7() FROM generate_series(1, 100000);
		SELECT estimate(\$\$SELECT FROM was_one WHERE $where\$\$),
			estimate(\$\$SELECT FROM was_one WHERE id >= uuidv7_min('2026-01-01')\$\$);
		DROP TABLE was_one
		SQL

	cmp_ok($estimate, '>=', 0.5 * $by_hand, "a table that had one row, $where: estimated as by hand");
}

# Statistics that are imported may have anything in them, from 18 on.  Where they say nothing,
# a window is estimated as its bounds are.
SKIP:
{
	skip 'no statistics can be imported', 1
	  if ask('SHOW server_version_num') < 180000;

	my @keys = split /\n/, ask(<<~'SQL');
		CREATE TABLE imported AS
		SELECT uuidv7_at(timestamptz '2026-01-01' + n * interval '1 minute') AS id
		FROM generate_series(1, 9999) n;
		ANALYZE imported;
		SELECT uuidv7_at(timestamptz '2026-01-01' + n * interval '1 day') FROM generate_series(0, 6) n
		SQL
	my @windows =
	  ([ q{'2026-01-03'}, 'NULL' ], [ 'NULL', q{'2026-01-03'} ], [ q{'2026-01-03'}, q{'2026-01-04'} ]);

	foreach my $statistics (
		[ 'no histogram', q{'null_frac', 0::real} ],
		[ 'one value', qq{'null_frac', 0::real, 'histogram_bounds', '{$keys[3]}'}, 1 ],
		[ 'no value', q{'null_frac', 0::real, 'histogram_bounds', '{}'} ],
		[ 'one value twice', qq{'null_frac', 0::real, 'histogram_bounds', '{$keys[3], $keys[3]}'} ],
		[
			'values in no order',
			qq{'null_frac', 0::real, 'histogram_bounds', '{$keys[5], $keys[1], $keys[3], $keys[0]}'}
		],
		[
			'values of another version', q{'null_frac', 0::real, 'histogram_bounds',
			'{00000000-0000-0000-0000-000000000000, 11111111-1111-4111-8111-111111111111}'}
		],
		[ 'only NULL', qq{'null_frac', 1::real, 'histogram_bounds', '{$keys[0], $keys[6]}'} ],
		[
			'common values that are more than all',
			qq{'null_frac', 0.5::real, 'most_common_vals', '{$keys[0], $keys[1]}',
			'most_common_freqs', '{1, 1}'::real[], 'histogram_bounds', '{$keys[0], $keys[6]}'}
		])
	{
		my ($name, $values, $as_by_hand) = @$statistics;

		foreach my $window (@windows)
		{
			my ($since, $until) = @$window;
			my $condition = join ' AND ', $since eq 'NULL' ? () : "id >= uuidv7_min($since)",
			  $until eq 'NULL' ? () : "id < uuidv7_min($until)";
			my ($estimate, $by_hand) = split /\|/, ask(<<~SQL);
				DO \$\$BEGIN PERFORM pg_clear_attribute_stats('public', 'imported', 'id', false); END\$\$;
				DO \$\$BEGIN PERFORM pg_restore_attribute_stats('schemaname', 'public', 'relname',
					'imported',
					'attname', 'id', 'inherited', false, 'avg_width', 16, 'n_distinct', -1::real,
						$values); END\$\$;
				SELECT estimate(\$\$SELECT FROM imported WHERE uuidv7_between(id, $since, $until)\$\$),
					estimate(\$\$SELECT FROM imported WHERE $condition\$\$)
				SQL

			ok($estimate >= 1 && $estimate <= 9999,
				"imported statistics, $name: $estimate rows from $since to $until");
			cmp_ok($estimate, '==', $by_hand,
				"imported statistics, $name: the estimate is that of bounds by hand")
			  if $as_by_hand;
		}
	}
}

done_testing();
