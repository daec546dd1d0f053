# How a window is planned, by the call alone: NULL ends, layouts that are parameters or unknown, filters
# that are more than a version, and the library under another name.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use lib $FindBin::RealBin;
use Kinds;

start_kinds();

ask(<<~'SQL');
	CREATE TABLE keys AS
	SELECT n, uuidv7_at(at) AS id, uuid_generate_v7_at(at) AS draft
	FROM generate_series(0, 9999) n,
		LATERAL (SELECT timestamptz '2026-01-01 00:00+00' + n * interval '1 hour' AS at) t;
	CREATE INDEX ON keys (id);
	CREATE INDEX ON keys (draft);
	ANALYZE keys;
	SQL
my $generic = 'SET plan_cache_mode = force_generic_plan';
my $custom = 'SET plan_cache_mode = force_custom_plan';

# What the planner is told of them
is(ask( <<~'SQL'), 'uuidnew_window_support|t|t|f', 'windows and filters have one support function');
	SELECT string_agg(DISTINCT prosupport::regproc::text, ' '),
		bool_and(proname ~ '_(is|between|before|from|upto|after|within)$'),
		bool_and(procost = CASE WHEN proname ~ '_is$' THEN 1.01 ELSE 1 END::real),
		bool_or(proname ~ '_(timestamp|fields|time)$')
	FROM pg_proc WHERE prosupport <> 0 AND proname ~ '^uuid_?v[678]' AND proname !~ 'horizon'
	SQL

# A NULL end alone folds in WHERE.
my @of_null = (
	'id < NULL::timestamptz',
	'id <= NULL::timestamptz',
	'id >= NULL::timestamptz',
	'id > NULL::timestamptz',
	'uuidv7_before(id, NULL)',
	'uuidv7_from(id, NULL)',
	'uuidv7_upto(id, NULL)',
	'uuidv7_after(id, NULL)',
	'uuid_v7_before(draft, NULL)',
	'uuid_v7_from(draft, NULL)',
	'id <@ NULL::tstzrange',
	'uuidv7_within(id, NULL)',
	'id < NULL::timestamptz AND n > 0');
foreach my $condition (@of_null)
{
	like(plan_of("$_ FROM keys WHERE $condition"), qr/One-Time Filter: false/, "$_: $condition reads no row")
	  foreach 'SELECT n', 'DELETE';
}
foreach my $case (
	[ 'timestamptz', 'id < $1' ],
	[ 'timestamptz', 'uuid_v7_from(draft, $1)' ],
	[ 'tstzrange', 'id <@ $1' ])
{
	my ($type, $condition) = @$case;
	my $prepare = "PREPARE q($type) AS DELETE FROM keys WHERE $condition";
	like(
		plan_of('EXECUTE q(NULL)', "$custom; $prepare"),
		qr/One-Time Filter: false/,
		"$condition with NULL reads no row in a custom plan");
	is(ask("$generic; BEGIN; $prepare; EXECUTE q(NULL); SELECT count(*) FROM keys; ROLLBACK"),
		'10000', "$condition with NULL deletes no row in a generic plan");
}

# A layout that is a parameter keeps the index.
my $prepare = 'PREPARE q(timestamptz, timestamptz, text) AS SELECT count(*) FROM keys WHERE '
  . 'uuid_v7_between(%s, $1, $2, $3)';
foreach my $column (qw(id draft))
{
	my $before = "$generic; " . sprintf $prepare, $column;
	my ($since, $until) = ("$column >= uuid_v7_since(\$1, \$3)", "$column < uuid_v7_until(\$2, \$3)");
	like(
		plan_of(q{EXECUTE q('2026-02-01 00:00+00', '2026-02-11 00:00+00', 'draft')}, $before),
		qr/Index Cond: \(\(\Q$since\E\) AND \(\Q$until\E\)\)\n\s+Filter: uuid_v7_is\($column, \$3\)/,
		"$column: a layout that is a parameter keeps the index");
	foreach my $mode ($generic, $custom)
	{
		my %rows = (id => [ 240, 0, 240, 0 ], draft => [ 0, 240, 0, 240 ]);
		is( ask("$before; $mode; " . join ';',
				map { "EXECUTE q('2026-02-01 00:00+00', '2026-02-11 00:00+00', '$_')" }
				  qw(rfc9562 draft RFC9562 millisecond)),
			join("\n", @{ $rows{$column} }),
			"$column: a layout that is a parameter has its rows ($mode)");
	}
}
is(ask("$generic; ${\ sprintf $prepare, 'id'}; EXECUTE q(now(), NULL, NULL)"),
	'0', 'a NULL layout matches no row');

# A layout that is unknown is an error where the call is reached, and only there.
my @unknown = (
	q{uuid_v7_timestamp(id, 'nope') < now()},
	q{uuid_v7_between(id, now(), NULL, 'nope')},
	q{uuid_v7_is(id, 'nope')},
	q{(uuid_v7_fields(id, 'nope')).sequence = 1},
	q{uuid_v8_between(id, now(), NULL, 'nope')},
	q{uuid_v8_between(id, now(), NULL, 'custom(1000/s, 48, 11)')},
	q{uuid_v8_between(id, now(), NULL, 'unix48', 'infinity')},
	q{uuid_v8_between(id, '2026-01-01 00:00+00', NULL, 'iso8601', '2020-01-01 00:00+00')},
	q{uuid_v8_is(id, 'nope')});
foreach my $condition (@unknown)
{
	is(error_of("SELECT CASE WHEN n < 0 THEN $condition END FROM keys"),
		'', "$condition is no error where no row comes to it");
	is(error_of("SELECT count(*) FROM keys WHERE n < -5 AND $condition"),
		'', "$condition is no error after a condition that no row meets");
	like(
		error_of("SELECT count(*) FROM keys WHERE $condition"),
		qr/ERROR:  22023: /,
		"$condition is an error where a row comes to it");
}

# The library by another name than CREATE EXTENSION writes
my $library = ask(q{SELECT setting || '/uuidnew' FROM pg_config WHERE name = 'PKGLIBDIR'});
my $window = q{SELECT n FROM keys WHERE uuidv7_between(id, '2026-02-01', '2026-02-02')};
my $as_usual = plan_of($window);
like($as_usual, qr/Index Cond/, 'a window is planned by the index');
ask("UPDATE pg_proc SET probin = '$library' WHERE probin = '\$libdir/uuidnew'");
is(plan_of($window), $as_usual, 'a window is planned alike where the library has another name');
is(ask("SELECT count(*) FROM ($window) w"), '24', 'a window has its rows where the library has another name');

done_testing();
