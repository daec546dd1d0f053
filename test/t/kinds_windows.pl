# A window of time matches the same keys whether it is a function call or is rewritten to bounds, with
# constants, with parameters, by a sequential scan or by an index: those of its kind whose time is in it.
# QUERY_SEED repeats a run.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use lib $FindBin::RealBin;
use Kinds;

my $seed = $ENV{QUERY_SEED} // sprintf('%.6f', rand);
note("QUERY_SEED=$seed");
my ($random_ids, $windows) = $ENV{UUIDNEW_QUICK} ? (500, 8) : (3000, 30);
start_kinds();
ids_and_moments($seed, $random_ids, 20);

ask($opaque);
ask(<<~"SQL");
	SELECT setseed($seed);
	CREATE TABLE windows AS
	SELECT row_number() OVER () AS w, since, until
	FROM ((SELECT a.ts AS since, b.ts AS until
			FROM (SELECT * FROM moments ORDER BY random() LIMIT 40) a, moments b
			ORDER BY a.ts IS NOT NULL AND b.ts IS NOT NULL AND a.ts <> ALL ('{-infinity, infinity}')
				AND random() < 0.95, random() LIMIT $windows)
		UNION ALL
		-- with the time of a key at their ends
		SELECT at + a * interval '1 us', at + b * interval '1 us'
		FROM ((SELECT rfc FROM ids WHERE rfc > '1970-01-02' ORDER BY random() LIMIT 2)
			UNION ALL (SELECT draft FROM ids WHERE kind = 'draft' ORDER BY random() LIMIT 2)) keys(at),
			unnest('{-1,0}'::int[]) a, unnest('{0,1}'::int[]) b) windows;
	SQL

# A window as calls, in place of K, A and B the key and the ends; the column of the time that it is about;
# what the time T should be
# (a range begins with its smaller end, where there are two)
my @ranges = map { "tstzrange(CASE WHEN A > B THEN B ELSE A END, CASE WHEN A > B THEN A ELSE B END, '$_')" }
  qw{[) [] (] ()};
my $between = q{T >= coalesce(A, '-infinity') AND T < coalesce(B, 'infinity')};
my @forms = (
	[ 'uuidv7_between(K, A, B)', 'rfc', $between ],
	[ q{uuid_v7_between(K, A, B, 'RFC9562')}, 'rfc', $between ],
	[ 'uuid_v7_between(K, A, B)', 'draft', $between ],
	[ q{uuid_v7_between(K, A, B, 'draft')}, 'draft', $between ],
	[ q{uuid_v7_between(K, A, B, 'nanosecond')}, 'draft', $between ],
	[ 'uuid_v6_between(K, A, B)', 'v6', $between ],
	[ 'uuid_v8_between(K, A, B)', 'uuid_v8_timestamp(id)', $between ],
	(   map { [ "uuid_v8_between(K, A, B, '$_')", "uuid_v8_timestamp(id, '$_')", $between ] }
		  qw(unix32 gregorian60 ntp64 iso8601)),
	[
		q{uuid_v8_between(K, A, B, 'unix48', '294276-01-01')},
		q{uuid_v8_timestamp(id, 'unix48', '294276-01-01')},
		$between
	],
	[ 'uuidv7_before(K, A)', 'rfc', 'T < A' ],
	[ 'uuidv7_upto(K, A)', 'rfc', 'T <= A' ],
	[ 'uuidv7_from(K, A)', 'rfc', 'T >= A' ],
	[ 'uuidv7_after(K, A)', 'rfc', 'T > A' ],
	[ 'uuid_v7_before(K, A)', 'draft', 'T < A' ],
	[ 'uuid_v7_from(K, A)', 'draft', 'T >= A' ],
	(map { [ "K $_ A", 'rfc', "T $_ A" ] } qw(< <= >= >)),
	[ 'K >= A AND K < B', 'rfc', 'T >= A AND T < B' ],
	[ 'K BETWEEN A AND B', 'rfc', 'T BETWEEN A AND B' ],
	[ 'K NOT BETWEEN A AND B', 'rfc', '(T < A OR T > B)' ],
	(map { [ "K <@ $_", 'rfc', "T <@ $_" ] } @ranges),
	[ "uuidv7_within(K, $ranges[1])", 'rfc', "T <@ $ranges[1]" ],
	(   map {
			[
				"uuidv7_is(K) AND K >= uuidv7_range_since($_) AND K < uuidv7_range_until($_)",
				'rfc', "T <@ $_"
			]
		} @ranges[ 1, 3 ]));

# What a form should give: for a NULL key NULL, for a key of another kind false
sub model
{
	my ($column, $expected) = @_;
	my $value = $expected =~ s/\bT\b/$column/gr =~ s/\bA\b/since/gr =~ s/\bB\b/until/gr;
	return "CASE WHEN id IS NULL THEN NULL WHEN $column IS NULL THEN false ELSE $value END";
}

sub call
{
	my ($form, $key, $since, $until) = @_;
	return $form =~ s/\bK\b/$key/gr =~ s/\bA\b/$since/gr =~ s/\bB\b/$until/gr;
}

# Values of the call for all ids and windows, in three-valued logic: as a function, and as bounds and a
# filter
foreach my $form (@forms)
{
	my ($text, $column, $expected) = @$form;
	my $model = model($column, $expected);
	foreach my $schema ('opaque', 'public')
	{
		my $how = $schema eq 'opaque' ? 'as a function' : 'rewritten';
		my $query = call($text, 'id', 'since', 'until');
		is(ask(<<~SQL), '', "$text, $how, is what the time says");
			SET search_path = $schema, public;
			SELECT id, since, until FROM ids, windows WHERE ($query) IS DISTINCT FROM ($model) LIMIT 5
			SQL
	}
}

# Rows: with constants and with ends from a table, by each scan; and the rows of the negation
ask(<<~'SQL');
	CREATE FUNCTION found_by(condition text) RETURNS text LANGUAGE plpgsql AS $$
	DECLARE
		result text;
	BEGIN
		EXECUTE format('SELECT concat_ws($q$ $q$, count(*), sum(n), sum(n * n)) FROM ids WHERE %s', condition)
		INTO result;
		RETURN result;
	END $$;
	CREATE TABLE expected (form int, w bigint, matches text, not_matches text);
	SQL
foreach my $n (0 .. $#forms)
{
	my $model = model(@{ $forms[$n] }[ 1, 2 ]);
	ask(<<~SQL);
		INSERT INTO expected
		SELECT $n, w, concat_ws(' ', count(*) FILTER (WHERE c), sum(n) FILTER (WHERE c),
				sum(n * n) FILTER (WHERE c)),
			concat_ws(' ', count(*) FILTER (WHERE NOT c), sum(n) FILTER (WHERE NOT c),
				sum(n * n) FILTER (WHERE NOT c))
		FROM windows, ids, LATERAL (SELECT $model OFFSET 0) model(c)
		GROUP BY w
		SQL
}
my @some = grep { $forms[$_][0] =~ /^(uuidv7_between|uuid_v7_between.*B|K <@|K [<>])/ } 0 .. $#forms;
my $by_bitmap = 'SET enable_seqscan = off; SET enable_indexscan = off;';
foreach my $scan (
	[ 'a sequential scan', 'SET enable_indexscan = off; SET enable_bitmapscan = off;' ],
	[ 'an index scan', 'SET enable_seqscan = off; SET enable_bitmapscan = off;' ],
	[ 'a bitmap scan', $by_bitmap ],
	# the last two can find no window
	[ 'a descending index', $by_bitmap, '(id DESC NULLS LAST)' ],
	[ 'BRIN', $by_bitmap, 'USING brin (id) WITH (pages_per_range = 1)' ],
	[ 'BRIN of several ranges', $by_bitmap, 'USING brin (id uuid_minmax_multi_ops)' ],
	[ 'BRIN of a Bloom filter', $by_bitmap, 'USING brin (id uuid_bloom_ops)' ],
	[ 'hash', $by_bitmap, 'USING hash (id)' ])
{
	my ($name, $settings, $index) = @$scan;
	ask("DROP INDEX ids_id_idx; CREATE INDEX ids_id_idx ON ids $index") if $index;
	foreach my $n ($index ? @some : 0 .. $#forms)
	{
		my ($text) = @{ $forms[$n] };
		my $quoted = sub { "'" . $_[0] =~ s/'/''/gr . "'" };
		my $constants =
			'replace(replace('
		  . $quoted->(call($text, 'id', '{A}', '{B}'))
		  . q[, '{A}', format('%L::timestamptz', since)), '{B}', format('%L::timestamptz', until))];
		my $columns = call($text, 'id', 'since', 'until');
		is(ask("$settings\n" . <<~SQL), '', "$text matches by $name what the time says");
			SET enable_indexonlyscan = off;
			SELECT w, since, until, matches, by_constants, by_columns, not_matches, not_by_constants
			FROM expected JOIN windows USING (w)
				LEFT JOIN (SELECT w, concat_ws(' ', count(*), sum(n), sum(n * n)) AS by_columns
					FROM windows JOIN ids ON $columns GROUP BY w) by_columns USING (w),
				LATERAL (SELECT found_by($constants) AS by_constants,
					found_by('NOT (' || $constants || ')') AS not_by_constants) found
			WHERE form = $n AND (by_constants <> matches OR coalesce(by_columns, '0') <> matches
				OR not_by_constants <> not_matches)
			LIMIT 3
			SQL
	}
}
is(ask(q{SELECT count(*) > 100 FROM expected WHERE matches NOT LIKE '0%'}), 't', 'many windows match rows');

done_testing();
