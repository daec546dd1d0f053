# managed/uuidnew.sql gives what the extension gives: for random values, function by function, for errors,
# and new keys.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Session;

my $quick = $ENV{UUIDNEW_QUICK};
my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf',
	"timezone = 'UTC'\njit = off\nmax_parallel_workers_per_gather = 0\nautovacuum = off");
$node->start;
$node->safe_psql('postgres', $_) for 'CREATE ROLE app LOGIN', <<~'SQL';
	CREATE DATABASE compared OWNER app TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'
	SQL

# the plain functions in one schema, the extension in another
$node->psql(
	'compared', "CREATE SCHEMA plain;\nSET search_path = plain;\n\\i $FindBin::Bin/../../managed/uuidnew.sql",
	extra_params => [ '-U', 'app' ],
	on_error_die => 1);

sub ask
{
	my ($database, @statements) = @_;
	return Session->kept($database, $node, '-d', $node->connstr($database))
	  ->safe_script(join(";\n", @statements));
}
ask('compared', 'CREATE SCHEMA c', 'CREATE EXTENSION uuidnew SCHEMA c');

#
# Random values, function by function, and near the ends; in a soak five times as many
#
my $part = $quick ? 50 : $ENV{UUIDNEW_SOAK} ? 1 : 5;
my $near = $quick ? 50 : 500;
ask('compared', <<~SQL, <<~SQL, <<~'SQL');
	CREATE TABLE times AS
	SELECT timestamptz '1400-01-01' + random() * 10000 * interval '1 year'
		+ floor(random() * 1000000) * interval '1 us' AS ts
	FROM generate_series(1, 50000 / $part)
	UNION ALL SELECT timestamptz '1970-01-01' + random() * interval '100 years'
		FROM generate_series(1, 43000 / $part)
	UNION ALL SELECT e + d * interval '1 us'
	FROM unnest('{1582-10-15 00:00+00,5236-03-31 21:21:00.684697+00,1970-01-01 00:00+00,
		4147-08-20 07:32:16+00,
		10889-08-02 05:31:50.655+00,10889-08-02 05:31:50.656+00,2026-01-01 00:00+00}'::timestamptz[]) e,
		generate_series(-$near, $near) d
	UNION ALL
		SELECT unnest('{infinity,-infinity,294276-12-31 23:59:59.999999+00,4714-11-24 00:00+00 BC,
			NULL}'::timestamptz[])
	SQL
	-- a third of each version, with all variants
	CREATE TABLE ids AS
	SELECT overlay(CASE WHEN i % 10 = 0 THEN md5(i || random()::text)::uuid ELSE gen_random_uuid() END::text
				   PLACING (ARRAY['1', '6', '7', '7', '7', to_hex(i / 10 % 16)])[1 + i % 6]
				       FROM 15)::uuid AS id
	FROM generate_series(1, 100000 / $part) i
	UNION ALL SELECT unnest('{00000000-0000-0000-0000-000000000000,ffffffff-ffff-ffff-ffff-ffffffffffff,
		ffffffff-ffff-7fff-bfff-ffffffffffff,ffffffff-ffff-6fff-bfff-ffffffffffff,
		ffffffff-ffff-1fff-bfff-ffffffffffff,
		02ffffff-ffff-7fff-bfff-ffffffffffff,03000000-0000-7000-8000-000000000000,NULL}'::uuid[])
	SQL
	-- a result, or the whole error
	CREATE FUNCTION result_of(call text, ts timestamptz, id uuid, value text) RETURNS text
		LANGUAGE plpgsql AS $$
	DECLARE
		result text;
		detail text;
		hint text;
	BEGIN
		EXECUTE 'SELECT ' || call INTO result USING ts, id, value;
		RETURN result;
	EXCEPTION WHEN OTHERS THEN
		GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
		RETURN concat_ws(' ', SQLSTATE, SQLERRM, detail, hint);
	END $$
	SQL

# A call of the extension's functions, and one of the plain ones
sub in_both
{
	my ($call) = @_;
	return map { $call =~ s/%/$_/gr } 'c.', 'plain.';
}

sub same
{
	my ($table, $count, @calls) = @_;
	my @answers = split /\n/, ask(
		'compared',
		map {
			my ($c, $plain) = in_both($_);
			<<~SQL
				SELECT count(*), count(c) > 0, count(*) FILTER (WHERE c IS DISTINCT FROM plain)
				FROM (SELECT $c AS c, $plain AS plain FROM $table) t
				SQL
		} @calls);
	foreach my $call (@calls)
	{
		my ($of, $not_null, $wrong) = split /\|/, shift @answers;
		ok($of >= $count / $part && $not_null eq 't' && $wrong == 0, "$call of $of")
		  or diag("$wrong are different");
	}
}
same('times', 100000, map { ("%${_}_min(ts)", "%${_}_max(ts)") } qw(uuid_v6 uuid_v7 uuidv7));
same('times', 100000, map { ("%uuid_v7_min(ts, '$_')", "%uuid_v7_max(ts, '$_')") } qw(millisecond RFC9562));
same(
	'ids', 100000,
	map { "%$_(id)" }
	  qw(uuid_v1_timestamp uuid_v6_timestamp uuid_v7_timestamp uuidv7_timestamp
	  uuidv7_timestamp_micros uuid_time uuid_v7_layout));
same('ids', 100000, map { "%uuid_v7_timestamp(id, '$_')" } qw(nanosecond rfc9562));
same('ids', 100000, '%uuidv7_is(id)', '%uuid_v7_is(id)');

# windows of one end agree with the time that the extension reads, as operators too
ask('compared', <<'SQL');
CREATE TABLE pairs AS
SELECT id, ts FROM (SELECT id FROM ids ORDER BY random() LIMIT 300) i, (SELECT ts FROM times LIMIT 300) t
UNION ALL
SELECT id, c.uuidv7_timestamp(id) FROM ids
SQL
is(ask('compared', <<'SQL'), '0|0|0|0|t', 'windows of one end agree with the time, as operators too');
SET search_path = plain, public;
SELECT count(*) FILTER (WHERE (id < ts) IS TRUE <> (time < ts) IS TRUE),
	count(*) FILTER (WHERE (id <= ts) IS TRUE <> (time <= ts) IS TRUE),
	count(*) FILTER (WHERE (id >= ts) IS TRUE <> (time >= ts AND is_rfc9562) IS TRUE),
	count(*) FILTER (WHERE (id > ts) IS TRUE <> (time > ts AND is_rfc9562) IS TRUE),
	count(*) FILTER (WHERE time = ts) > 100
FROM pairs, LATERAL (SELECT c.uuidv7_timestamp(id), c.uuidv7_is(id)) of_id(time, is_rfc9562)
SQL
is(ask('compared', <<'SQL'), 't|t', 'and use the index of the key');
SET search_path = plain, public;
CREATE TABLE keyed AS
SELECT plain.uuidv7_at(timestamptz '2026-01-01' + n * interval '1 s') AS id FROM generate_series(1, 10000) n;
CREATE INDEX ON keyed (id);
ANALYZE keyed;
CREATE FUNCTION plan(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	lines text = '';
	line text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN ' || query LOOP
		lines := lines || line;
	END LOOP;
	RETURN lines;
END $$;
SELECT plan(
	$$SELECT FROM keyed
		WHERE id >= now() - now() + timestamptz '2026-01-01 01:00' AND id < timestamptz '2026-01-02'$$
	) ~ 'Index Cond: .*id >= .*id < ',
	plan($$SELECT FROM keyed
		WHERE id > timestamptz '2026-01-01 01:00' AND id <= timestamptz '2026-01-01 01:01'$$)
	~ 'Index Cond: .*id > .*id <= '
SQL
same(
	"(SELECT id FROM ids WHERE c.uuid_v7_layout(id) = 'none' AND get_byte(uuid_send(id), 6) >> 4 = 1 "
	  . "AND get_byte(uuid_send(id), 8) >> 6 = 2) v1",
	10000, '%uuid_v1_to_v6(id)');
same("(SELECT id FROM ids WHERE c.uuid_v6_timestamp(id) IS NOT NULL) v6", 10000, '%uuid_v6_to_v1(id)');
same(
	"(SELECT id FROM ids LIMIT 10000 / $part) few",
	10000,
	'%uuid_to_base32hex(id)',
	"%uuid_to_typeid(id, 'a_b')",
	"%uuid_to_typeid(id, '')",
	'%base32hex_to_uuid(c.uuid_to_base32hex(id))',
	"%typeid_to_uuid(c.uuid_to_typeid(id, 'a'))",
	"%typeid_to_uuid(c.uuid_to_typeid(id, 'a_b'), 'a_b')",
	"%typeid_to_uuid(c.uuid_to_typeid(id, ''), '')",
	"%typeid_prefix(c.uuid_to_typeid(id, 'a'))");
my %time_digits = (v6 => 18, draft => 18, millisecond => 13, nanosecond => 23, rfc9562 => 18);
same(
	"(SELECT ts FROM times WHERE ts >= '1970-01-01' AND ts < '4147-08-20 07:32:16+00') holdable",
	50000,
	'left(%uuid_generate_v6_at(ts)::text, 18)',
	map { "left(%uuid_generate_v7_at(ts, '$_')::text, $time_digits{$_})" }
	  qw(draft millisecond nanosecond rfc9562));

# windows of NULL, infinite and ordinary ends over all kinds of IDs
same(
	qq{(SELECT id, since, until
FROM (SELECT id FROM (SELECT id FROM ids LIMIT 20000 / $part OFFSET 80000 / $part) i
	  UNION ALL
	      SELECT unnest(ARRAY[c.uuid_v6_min(e), c.uuid_v7_min(e), c.uuidv7_min(e), c.uuid_v6_max(e),
	          c.uuid_v7_max(e), c.uuidv7_max(e)])
	  FROM unnest('{2100-01-01,3000-01-01,2500-01-01,3500-01-01}'::timestamptz[]) e) i,
	(VALUES (NULL::timestamptz, NULL::timestamptz), ('2100-01-01', NULL), (NULL, '3000-01-01'),
		('-infinity', 'infinity'),
			('infinity', NULL), (NULL, '-infinity'), ('2500-01-01', '3500-01-01'),
				('3500-01-01', '2500-01-01')) w(since, until)) windows},
	160000, map { "%${_}_between(id, since, until)" } qw(uuid_v6 uuid_v7 uuidv7));
same(
	qq{(SELECT id, layout
		FROM (SELECT id FROM ids WHERE id < 'fff00000-0000-0000-0000-000000000000' LIMIT 10000 / $part) i,
	unnest('{millisecond,DRAFT,rfc9562,NULL}'::text[]) layout) layouts},
	40000, "%uuid_v7_between(id, '2100-01-01', '3000-01-01', layout)");

# errors, with message, detail and hint
sub same_errors
{
	my ($argument, $values, @calls) = @_;
	my $arguments = join ', ', map { $_ eq $argument ? 'v' : 'NULL' } qw(ts id value);
	my @answers = split /\n/, ask(
		'compared',
		map {
			my ($c, $plain) = in_both($_);
			<<~SQL
				SELECT bool_or(c ~ '^22(023|008|P02) '),
					translate(string_agg(concat_ws(' -> ', left(v::text, 40), c, plain),
						'; ') FILTER (WHERE c IS DISTINCT FROM plain), E'\n', ' ')
				FROM (SELECT v, result_of('$c', $arguments) AS c, result_of('$plain', $arguments) AS plain
					FROM $values v) r
				SQL
		} @calls);
	foreach my $call (@calls)
	{
		my ($some, $different) = split /\|/, shift @answers, 2;
		is($different, '', "errors of $call");
		is($some, 't', 'of which there are some');
	}
}
same_errors(
	'ts',
	q{unnest('{infinity,-infinity,1582-10-14 23:59:59.999999+00,5236-03-31 21:21:00.684698+00,
		4714-11-24 00:00+00 BC}'::timestamptz[])},
	'%uuid_generate_v6_at($1)');
same_errors(
	'ts',
	q{unnest('{infinity,-infinity,1969-12-31 23:59:59.999999+00,10889-08-02 05:31:50.656+00,
		NULL}'::timestamptz[])},
	'%uuid_generate_v7_at($1)',
	'%uuidv7_at($1)',
	map { "%uuid_generate_v7_at(\$1, ''$_'')" } qw(millisecond nanosecond RFC9562));
same_errors(
	'id', q{unnest('{00000000-0000-0000-0000-000000000000,ffffffff-ffff-ffff-ffff-ffffffffffff,
	c232ab00-9414-41ec-b3c8-9f6bdeced846,c232ab00-9414-11ec-c3c8-9f6bdeced846,
		c232ab00-9414-f1ec-b3c8-9f6bdeced846}'::uuid[])},
	'%uuid_v1_to_v6($2)', '%uuid_v6_to_v1($2)');
same_errors(
	'value',
	q{unnest(ARRAY['', 'x', ' draft', 'Drafts', E'rfc9562\n', NULL])},
	'(%uuid_generate_v7($3) IS NULL)',
	q{%uuid_v7_min(''2026-01-01'', $3)},
	q{%uuid_v7_max(''2026-01-01'', $3)},
	q{(%uuid_generate_v7_at(''2026-01-01'', $3) IS NULL)},
	q{%uuid_v7_timestamp(%uuid_v7_min(''2026-01-01''), $3)},
	q{%uuid_v7_between(%uuid_v7_min(''2026-01-01''), NULL, NULL, $3)});
same_errors(
	'value',
	q{unnest(ARRAY['', 'a', 'ab', 'a_b', 'a__b', repeat('a', 63), repeat('a', 64), 
		'_', '_a', 'a_', 'A', 'é', 'a1', ' ', E'a\n', NULL])},
	q{%uuid_to_typeid(''01890a5d-ac96-774b-bcce-b302099a8057'', $3)});
same_errors(
	'value',
	q{unnest(ARRAY(SELECT unnest(ARRAY[v, '', substr(v, 2), v || '0', '0' || v, v || E'\n', upper(v),
		lower(v), '_' || v, 'a_' || v, 'A_' || v, left(v, 25) || 'U',
	left(v, 25) || 'o', left(v, 25) || '1', left(v, 25) || 'é', '8' || substr(v, 2), translate(v, '0', 'l')])
	FROM unnest('{00000000000000000000000000,064GKNDCIPRKNF6EMC10J6K0AS,
		01h455vb4pex5vsknk084sn02q}'::text[]) v))},
	'%base32hex_to_uuid($3)', '%typeid_to_uuid($3)', '%typeid_prefix($3)',
	map { "%typeid_to_uuid(\$3, ''$_'')" } '', 'a', 'A');
same_errors(
	'value',
	q{unnest(ARRAY['', 'user', 'order', 'users', 'User', '_', NULL])},
	q{%typeid_to_uuid(''user_01h455vb4pex5vsknk084sn02q'', $3)});

#
# New keys: version and variant, time, randomness, order
#
my $keys = $quick ? 2000 : 5000;
foreach my $call ('uuid_generate_v6()', 'uuid_generate_v7()', 'uuidv7()',
	map { "uuid_generate_v7('$_')" } qw(millisecond nanosecond rfc9562 Draft))
{
	my $read =
		$call =~ /v6/ ? 'uuid_v6_timestamp(id)'
	  : $call =~ /uuidv7|rfc/ ? 'uuidv7_timestamp(id)'
	  : 'uuid_v7_timestamp(id)';
	my $version = $call =~ /v6/ ? 6 : 7;
	my $slack = $call =~ /uuidv7|rfc|milli/ ? '1 ms' : '0';

	# the last 48 bits: each set in about half
	my $off = 4 * sqrt($keys);

	# compared with the key so many before, which is of an earlier tick as the clock says
	my $lag = $call =~ /milli/ ? $keys * 0.4 : 5;
	my $tick = $call =~ /milli/ ? '1 ms' : '0';
	my ($properties, $ordered, $off_clock) = split /\n/, ask('compared', <<~SQL, <<~SQL, <<~SQL, <<~SQL);
		CREATE TEMP TABLE made AS
		SELECT n, clock_timestamp() AS before, plain.$call AS id, clock_timestamp() AS after
		FROM generate_series(1, $keys) n
		SQL
		SELECT count(DISTINCT id), bool_and(id::text ~ '^.{14}$version.{4}[89ab]'),
			min(c.$read) >= min(before) - interval '1 s' AND max(c.$read) <= max(after) + interval '$slack',
			(SELECT count(*)
				FROM (SELECT 1
					FROM (SELECT uuid_send(id) AS octets FROM made) m, generate_series(80, 127) bit
				GROUP BY bit HAVING abs(sum(get_bit(octets, bit)) - $keys / 2) > $off) b)
		FROM made
		SQL
		SELECT count(*), count(*) FILTER (WHERE id < earlier)
		FROM (SELECT id, lag(id, $lag) OVER w AS earlier, before,
			lag(after, $lag) OVER w + interval '$tick' AS tick_end
			FROM made WINDOW w AS (ORDER BY n)) o
		WHERE before > tick_end
		SQL
		SELECT count(*)
		FROM (SELECT plain.$call AS id, pg_sleep(0.002) FROM generate_series(1, 20) OFFSET 0) m,
			LATERAL (SELECT c.$read AS at) t
				WHERE at NOT BETWEEN now() - interval '1 ms' AND clock_timestamp()
		SQL
	is($properties, "$keys|t|t|0", "$call: $keys keys, of version $version, of now, random");
	my ($compared, $wrong) = split /\|/, $ordered;
	ok($compared > $keys * 0.4 && $wrong == 0, "$call: in the order of the clock's ticks")
	  or diag("$wrong of $compared");
	is($off_clock, '0', "$call: the time is that of the clock");
}

$node->stop;
done_testing();
