# Three descriptions of a version 7 key's time agree: the extension's in C, those of uuidnew_tables, and
# doc/uuidv7.sql.  So do the windows of the first and the last.  KEY_TIMES_SEED repeats a run.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use lib $FindBin::RealBin;
use Server;

my $seed = $ENV{KEY_TIMES_SEED} // int(rand(1_000_000));
note("KEY_TIMES_SEED=$seed");
my $count = $ENV{UUIDNEW_SOAK} ? 200_000 : $ENV{UUIDNEW_QUICK} ? 2_000 : 30_000;

start_server();
ask($_)
  for 'CREATE SCHEMA c; CREATE EXTENSION uuidnew SCHEMA c; CREATE EXTENSION uuidnew_tables',
  "CREATE SCHEMA plain; SET search_path = plain;\n\\i $FindBin::Bin/../../doc/uuidv7.sql";
ask(<<~"SQL");
	SELECT setseed($seed / 1000000.0);
	CREATE TABLE kinds (layout text, first timestamptz, last timestamptz, before uuid, beyond uuid);
	INSERT INTO kinds VALUES
		('rfc9562', '1970-01-01 00:00+00', '2074-07-11 11:41:23.327+00',
			'00000000-0000-7000-8000-000000000000', '03000000-0000-7000-8000-000000000000'),
		('draft', '1995-07-09 16:12:48+00', '4147-08-20 07:32:15.999999+00',
			'03000000-0000-7000-8000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff');
	-- within a kind: anywhere, and by microseconds near its ends and two times between
	CREATE TABLE times AS
	SELECT layout, first + random() * (last - first) AS ts FROM kinds, generate_series(1, $count)
	UNION ALL
	SELECT layout, ts FROM (
		SELECT layout, around + n * interval '1 us' AS ts, first, last
		FROM kinds, unnest(ARRAY[first, last, '2026-01-01', '2038-01-19 03:14:07.999999+00']) around,
			generate_series(-1500, 1500) n) t
	WHERE ts BETWEEN first AND last;
	CREATE TABLE ends AS
	SELECT layout, ts FROM kinds, unnest(ARRAY[first - interval '1 us', last + interval '1 us',
		first - interval '1 year', last + interval '1 year', '-infinity', 'infinity',
		'4713-01-01 BC', '294276-12-31', NULL]) ts;
	-- of all versions and variants, most of version 7, of both kinds
	CREATE TABLE ids AS
	SELECT overlay(overlay(
			CASE WHEN n % 2 = 0 THEN '0' || (random() * 3.99)::int % 4 || substr(random_id::text, 3)
				ELSE random_id::text END
			PLACING (ARRAY['7', '7', '7', '6', '1', to_hex(n / 7 % 16)])[1 + n / 2 % 6] FROM 15)
			PLACING CASE WHEN n % 11 = 0 THEN to_hex(n / 11 % 16) ELSE to_hex(8 + n % 4) END
			FROM 20)::uuid AS id
	FROM generate_series(1, $count) n, LATERAL CAST(md5(n || random()::text) AS uuid) random_id
	UNION ALL
	SELECT c.uuid_v7_min(ts, layout) FROM times WHERE random() < 0.3
	UNION ALL
	SELECT unnest('{
		00000000-0000-0000-0000-000000000000, 00000000-0000-7000-8000-000000000000,
		02ffffff-ffff-7fff-bfff-ffffffffffff, 03000000-0000-7000-8000-000000000000,
		ffffffff-ffff-7fff-bfff-ffffffffffff, ffffffff-ffff-ffff-ffff-ffffffffffff,
		00000000-0000-1000-8000-000000000000, ffffffff-ffff-1fff-bfff-ffffffffffff,
		00000000-0000-6000-8000-000000000000, ffffffff-ffff-6fff-bfff-ffffffffffff, NULL}'::uuid[]);
	SQL

# agree(name, rows, at least, columns): each gives the same as the one before it
sub agree
{
	my ($name, $rows, $least, @calls) = @_;
	my $first = shift @calls;
	my $wrong = join ' OR ', map { "$_ IS DISTINCT FROM $first" } @calls;
	my ($of, $different, $example) = split /\|/, ask(<<~"SQL"), 3;
		SELECT count(*) >= $least, count(*) FILTER (WHERE wrong), min(t::text) FILTER (WHERE wrong)
		FROM (SELECT *, $wrong AS wrong FROM $rows) t
		SQL
	ok($of eq 't' && $different eq '0', $name) or diag("enough: $of, $different wrong, such as $example");
	return;
}

# Bounds
my $times = '(TABLE times UNION ALL TABLE ends) t';
agree(
	'the least key of a time of a layout',
	"(SELECT * FROM $times WHERE layout = 'rfc9562' AND ts <= '2074-07-11 11:41:23.328+00') t",
	$count, 'uuidnew_tables._key_min(ts)', 'c.uuid_v7_min(ts, layout)');
agree(
	'the least key of RFC 9562',
	"(SELECT * FROM $times WHERE layout = 'rfc9562') t",
	$count, q{c.uuid_v7_min(ts, 'rfc9562')},
	'c.uuidv7_min(ts)', 'plain.uuidv7_min(ts)');
agree(
	'the least key of the draft',
	"(SELECT * FROM $times WHERE layout = 'draft') t",
	$count, q{c.uuid_v7_min(ts, 'draft')},
	'c.uuid_v7_min(ts)');
agree(
	'the greatest key of RFC 9562',
	"(SELECT * FROM $times WHERE layout = 'rfc9562') t",
	$count, 'plain.uuidv7_max(ts)', 'c.uuidv7_max(ts)');
is(ask(<<~'SQL'), '0|0|0', 'beyond a kind, bounds are its ends');
	SELECT count(*) FILTER (WHERE c.uuid_v7_min(ts, layout) IS DISTINCT FROM
			CASE WHEN ts < first THEN before WHEN ts > last THEN beyond END),
		count(*) FILTER (WHERE layout = 'rfc9562' AND plain.uuidv7_min(ts) IS DISTINCT FROM
			CASE WHEN ts < first THEN before WHEN ts > last THEN beyond END),
		count(*) FILTER (WHERE layout = 'rfc9562' AND plain.uuidv7_max(ts) IS DISTINCT FROM
			CASE WHEN ts < first THEN '00000000-0000-0000-0000-000000000000'::uuid
				WHEN ts > last THEN '02ffffff-ffff-7fff-bfff-ffffffffffff' END)
	FROM ends JOIN kinds USING (layout)
	SQL

# Times
agree('kinds', 'ids', $count, 'uuidnew_tables._key_is(id)', q{c.uuid_v7_layout(id) = 'rfc9562'});
agree('keys of RFC 9562', 'ids', $count, 'plain.uuidv7_is(id)', 'c.uuidv7_is(id)');
agree(
	'times of layout rfc9562',
	'ids',
	$count,
	'CASE WHEN uuidnew_tables._key_is(id) THEN uuidnew_tables._bound_time(id) END',
	q{c.uuid_v7_timestamp(id, 'rfc9562')},
	'c.uuidv7_timestamp(id)',
	'plain.uuidv7_timestamp(id)');
agree('times of layout draft', 'ids', $count, q{c.uuid_v7_timestamp(id, 'draft')}, 'c.uuid_v7_timestamp(id)');

# Windows and keys of doc/uuidv7.sql
ask(<<~'SQL');
	CREATE TABLE pairs AS
	SELECT id, ts, lag(ts) OVER (PARTITION BY id ORDER BY random()) AS other
	FROM (SELECT id FROM ids ORDER BY random() LIMIT 3000) i,
		((SELECT ts FROM times ORDER BY random() LIMIT 40) UNION ALL SELECT DISTINCT ts FROM ends) t
	UNION ALL
	SELECT id, c.uuidv7_timestamp(id), NULL FROM ids
	SQL
foreach my $window ('uuidv7_between(id, other, ts)', 'uuidv7_before(id, ts)', 'uuidv7_from(id, ts)')
{
	agree($window, 'pairs', 100_000, "plain.$window", "c.$window");
}
agree(
	'the time of a new key',
	"(SELECT ts FROM times WHERE layout = 'rfc9562') t",
	$count,
	'left(plain.uuidv7_at(ts)::text, 18)',
	'left(c.uuidv7_at(ts)::text, 18)');

# Bounds agree with times, for times anywhere
is(ask(<<~'SQL'), 't|0', 'a key is of a time or later if it is the least of that time or greater');
	SELECT count(*) > 100000,
		count(*) FILTER (WHERE (uuidnew_tables._bound_time(id) >= ts) <> (id >= uuidnew_tables._key_min(ts)))
	FROM (
		SELECT id, ts
		FROM (SELECT id FROM ids WHERE c.uuidv7_is(id) ORDER BY random() LIMIT 1500) i
		CROSS JOIN (
			(SELECT ts FROM times WHERE layout = 'rfc9562' ORDER BY random() LIMIT 100)
			UNION ALL
			SELECT ts FROM ends) t
		UNION ALL
		SELECT id, uuidnew_tables._bound_time(id) + n * interval '1 us'
		FROM ids, generate_series(-1, 1) n
		WHERE c.uuidv7_is(id)) pair
	WHERE ts <= '2074-07-11 11:41:23.328+00'
	SQL

# Bounds of partitions, by hand too
is(ask(<<~'SQL'), <<~'ROWS' =~ s/\n\z//r, 'bounds beyond a kind are infinite');
	SELECT bound, uuidnew_tables._bound_time(bound)
	FROM unnest('{
		00000000-0000-0000-0000-000000000000, 00000000-0000-7000-8000-000000000000,
		019b76da-a800-0000-0000-000000000000, 02ffffff-ffff-7fff-bfff-ffffffffffff,
		03000000-0000-0000-0000-000000000000, 06955b90-0000-0000-0000-000000000000,
		ffffffff-ffff-7fff-bfff-ffffffffffff, ffffffff-ffff-ffff-ffff-ffffffffffff}'::uuid[]) bound
	SQL
	00000000-0000-0000-0000-000000000000|-infinity
	00000000-0000-7000-8000-000000000000|1970-01-01 00:00:00+00
	019b76da-a800-0000-0000-000000000000|2026-01-01 00:00:00+00
	02ffffff-ffff-7fff-bfff-ffffffffffff|2074-07-11 11:41:23.327+00
	03000000-0000-0000-0000-000000000000|infinity
	06955b90-0000-0000-0000-000000000000|infinity
	ffffffff-ffff-7fff-bfff-ffffffffffff|infinity
	ffffffff-ffff-ffff-ffff-ffffffffffff|infinity
	ROWS

done_testing();
