# For any UUID and any time, the readers, the filters and the bounds agree about which kind of version 7 a
# key is, and when it was generated.  QUERY_SEED repeats a run.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use lib $FindBin::RealBin;
use Kinds;

my $seed = $ENV{QUERY_SEED} // sprintf('%.6f', rand);
note("QUERY_SEED=$seed");
my ($random_ids, $random_moments) = $ENV{UUIDNEW_QUICK} ? (1000, 10) : (20000, 60);
start_kinds();
ids_and_moments($seed, $random_ids, $random_moments);
is( ask('SELECT string_agg(DISTINCT kind, $$ $$ ORDER BY kind) FROM ids'),
	'draft none rfc9562 v1 v6',
	'the UUIDs are of all kinds');

# Readers: the call, and the column of the time that it should give
my @drafts = qw(draft millisecond microsecond nanosecond);
my %reader = (
	'uuidv7_timestamp(id)' => 'rfc',
	q{uuid_v7_timestamp(id, 'rfc9562')} => 'rfc',
	q{date_trunc('milliseconds', uuidv7_timestamp_micros(id))} => 'rfc',
	'uuid_v7_timestamp(id)' => 'draft',
	(map { ("uuid_v7_timestamp(id, '$_')" => 'draft') } @drafts, 'DRAFT'),
	'uuid_v6_timestamp(id)' => 'v6',
	'uuid_v1_timestamp(id)' => 'v1',
	'uuid_time(id)' => 'coalesce(rfc, draft, v6, v1)',
	'id::timestamptz' => 'coalesce(rfc, draft, v6, v1)');
foreach my $reader (sort keys %reader)
{
	is_none("$reader gives the time of its kind, and NULL for any other UUID", <<~SQL);
		SELECT id, kind, $reader AS given, $reader{$reader} AS expected
		FROM ids WHERE $reader IS DISTINCT FROM $reader{$reader}
		SQL
}

# What reads more than the time
my %other_reader = (
	(map { ($_ => 'rfc') } '(uuidv7_fields(id))', q{(uuid_v7_fields(id, 'rfc9562'))}),
	(map { ($_ => 'draft') } '(uuid_v7_fields(id))', map { "(uuid_v7_fields(id, '$_'))" } @drafts));
foreach my $fields (sort keys %other_reader)
{
	foreach my $field (qw("timestamp" nanoseconds sequence node))
	{
		is_none("$fields.$field is NULL except for keys of the kind", <<~SQL);
			SELECT id, kind, $fields.$field FROM ids
			WHERE ($fields.$field IS NOT NULL) <> ($other_reader{$fields} IS NOT NULL)
			SQL
	}
}
foreach my $layout ('rfc9562', @drafts)
{
	my $time = $layout eq 'rfc9562' ? 'rfc' : 'draft';
	is_none("uuid_v7_node and uuid_machine_id with '$layout' are NULL except for keys of the kind", <<~SQL);
		SELECT id, kind FROM ids
		WHERE (uuid_v7_node(id, '$layout', 4) IS NOT NULL) <> ($time IS NOT NULL)
			OR (uuid_machine_id(id, 8, '$layout') IS NOT NULL) <> ($time IS NOT NULL)
		SQL
}
is_none('uuid_machine_id without a layout takes the default layout of the kind', <<~'SQL');
	SELECT id, kind FROM ids
	WHERE rfc IS NOT NULL AND uuid_machine_id(id, 8) IS DISTINCT FROM uuid_machine_id(id, 8, 'rfc9562')
		OR draft IS NOT NULL AND uuid_machine_id(id, 8) IS DISTINCT FROM uuid_machine_id(id, 8, 'microsecond')
		OR kind IN ('none', 'v1') AND substr(id::text, 15, 1) <> '8' AND uuid_machine_id(id, 8) IS NOT NULL
	SQL
is_none('uuid_v7_layout names the kind', <<~'SQL');
	SELECT id, kind, uuid_v7_layout(id) FROM ids
	WHERE uuid_v7_layout(id) IS DISTINCT FROM
		CASE WHEN kind IN ('rfc9562', 'draft') THEN kind WHEN id IS NOT NULL THEN 'none' END
	SQL

# Filters: each is true exactly where its reader gives a time.
my @v8 = (
	q{id},
	map({ "id, '$_'" } qw(unix32 unix48 gregorian60 unix64 ntp64 iso8601 ISO8601 julian64)),
	q{id, 'unix48', '2020-01-01'},
	q{id, 'unix48', '294276-01-01'},
	q{id, 'unix64', '294276-12-31'},
	q{id, 'custom(60s, 32, 12)'},
	q{id, 'custom(60s, 64, 8)'});
my %filter = (
	'uuidv7_is(id)' => 'uuidv7_timestamp(id)',
	'uuid_v7_is(id)' => 'uuid_v7_timestamp(id)',
	(map { ("uuid_v7_is(id, '$_')" => "uuid_v7_timestamp(id, '$_')") } 'rfc9562', 'RFC9562', @drafts),
	'uuid_v6_is(id)' => 'uuid_v6_timestamp(id)',
	(map { ("uuid_v8_is($_)" => "uuid_v8_timestamp($_)") } @v8));
foreach my $filter (sort keys %filter)
{
	is_none("$filter is true exactly where $filter{$filter} gives a time", <<~SQL);
		SELECT id, kind FROM ids
		WHERE $filter IS DISTINCT FROM CASE WHEN id IS NOT NULL THEN $filter{$filter} IS NOT NULL END
		SQL
}
is(ask( <<~'SQL'), '|||', 'a filter is NULL where the UUID, the layout or the epoch is');
	SELECT uuid_v7_is(NULL::uuid), uuid_v7_is(uuidv7(), NULL), uuid_v8_is(uuid_generate_v8(), NULL),
		uuid_v8_is(uuid_generate_v8(), 'unix48', NULL)
	SQL

# Bounds: of any key of the kind they say what its time says.
my %bounds = (
	'uuidv7_%s(ts)' => 'rfc',
	q{uuid_v7_%s(ts, 'rfc9562')} => 'rfc',
	'uuid_v7_%s(ts)' => 'draft',
	(map { ("uuid_v7_%s(ts, '$_')" => 'draft') } @drafts),
	'uuid_v6_%s(ts)' => 'v6');
foreach my $bounds (sort keys %bounds)
{
	my ($min, $max) = map { sprintf $bounds, $_ } qw(min max);
	my $time = $bounds{$bounds};
	is_none(sprintf("$bounds of any time agree with the time of any key", 'min, _max'), <<~SQL);
		SELECT ts, id, $min AS min, $max AS max
		FROM (SELECT ts, $min, $max FROM moments WHERE ts IS NOT NULL) bounds(ts, min, max), ids
		WHERE $time IS NOT NULL AND ((id >= min) <> ($time >= ts) OR (id <= max) <> ($time <= ts))
		SQL
	is(ask("SELECT $min, $max FROM (VALUES (NULL::timestamptz)) v(ts)"),
		'|', sprintf("$bounds of NULL are NULL", 'min, _max'));
}

done_testing();
