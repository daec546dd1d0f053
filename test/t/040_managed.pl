# managed/uuidnew.sql, the functions in plain SQL: the same results as the extension's, in the
# project's own SQL tests and for random values; windows by index; and the ways on to the
# extension, with the statements of doc/managed.md.
use strict;
use warnings FATAL => 'all';

use FindBin;
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Session;

my $root = "$FindBin::Bin/../..";
my $script = "$root/managed/uuidnew.sql";
my $text = slurp_file($script);

my $quick = $ENV{UUIDNEW_QUICK};

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf',
	"timezone = 'UTC'\njit = off\nmax_parallel_workers_per_gather = 0\nautovacuum = off");
$node->start;

# Whatever those of the server are
my $encoding = q{TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'};
$node->safe_psql(
	'postgres', join ";\n",
	'CREATE ROLE app LOGIN',
	map { "CREATE DATABASE $_ $encoding" } 'plain OWNER app',
	'compared OWNER app',
	qw(target later));

# A database of its owner's gets the plain functions in schema "$schema".
sub fill_database
{
	my ($database, $schema) = @_;
	$node->safe_psql($database, "CREATE SCHEMA $schema AUTHORIZATION app; GRANT ALL ON SCHEMA public TO app");
	load($database, $schema);
}

sub load
{
	my ($database, $schema) = @_;
	$node->psql(
		$database, "SET search_path = $schema, public;\n\\i $script",
		extra_params => [ '-U', 'app' ],
		on_error_die => 1);
}

sub ask
{
	my ($database, @statements) = @_;
	return Session->kept($database, $node, '-d', $node->connstr($database))
	  ->safe_script(join(";\n", @statements));
}

# The message of the error that the statements end with
sub failure
{
	my ($database, @statements) = @_;
	# a script is not gone on with
	my (undef, $stdout, $stderr) =
	  $node->psql($database, join(";\n", @statements), on_error_stop => "@statements" =~ /^\\i / ? 1 : 0);
	return $stderr =~ /ERROR:  (.*)$/m ? $1 : "no error: $stdout";
}

#
# Installed by a user who is no superuser, twice, and removed
#
my $functions = q{SELECT count(*) FROM pg_proc WHERE pronamespace = 'uuidnew'::regnamespace};

fill_database('plain', 'uuidnew');
load('plain', 'uuidnew');
cmp_ok(ask('plain', $functions), '>', 40, 'the functions are there');
my ($drop) = $text =~ /^--\s+(DROP OPERATOR .*?;\n.*?DROP ROUTINE\n.*?;)$/ms;
ask('plain', "CREATE TABLE public.held (id uuid DEFAULT uuidnew.uuidv7())");
like(
	failure('plain', 'SET search_path = uuidnew', $drop =~ s/^--//mgr),
	qr/other objects depend/,
	'they are not removed while a table uses one');
ask('plain', 'DROP TABLE public.held', 'SET search_path = uuidnew', $drop =~ s/^--//mgr);
is(ask('plain', $functions), '0', 'the list in the script removes all');
load('plain', 'uuidnew');

is( ask('plain', <<~'SQL'),
	SELECT p.oid::regprocedure FROM pg_proc p
	WHERE pronamespace = 'uuidnew'::regnamespace
		AND prosqlbody IS NULL
			AND NOT coalesce(proconfig && ARRAY['search_path=pg_catalog',
				'search_path=pg_catalog, pg_temp'], false)
		-- 034_partitions and 035_rekey have those that cannot have one
		AND NOT (prolang = (SELECT oid FROM pg_language WHERE lanname = 'plpgsql')
			AND substring(prosrc
				FROM 'BEGIN\s+(\S[^\n]*)') =
				$$PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);$$)
	SQL
	'', 'no function looks a name up by the search path of its caller');
is( ask('plain', <<~'SQL'),
	CREATE SCHEMA evil;
	CREATE FUNCTION evil.uuid_send(uuid) RETURNS bytea LANGUAGE plpgsql AS 'BEGIN RAISE ''caught''; END';
	CREATE FUNCTION evil.to_hex(bigint) RETURNS text LANGUAGE plpgsql AS 'BEGIN RAISE ''caught''; END';
	CREATE FUNCTION evil.substr(text, int, int) RETURNS text
		LANGUAGE plpgsql AS 'BEGIN RAISE ''caught''; END';
	CREATE FUNCTION evil.format(text, text) RETURNS text LANGUAGE plpgsql AS 'BEGIN RAISE ''caught''; END';
	SET search_path = evil, pg_catalog;
	SELECT uuidnew.uuid_v7_layout(uuidnew.uuid_generate_v7()),
		uuidnew.typeid_prefix(uuidnew.uuid_to_typeid('01890a5d-ac96-774b-bcce-b302099a8057', 'user')),
		uuidnew.base32hex_to_uuid(uuidnew.uuid_to_base32hex('01890a5d-ac96-774b-bcce-b302099a8057'))
	SQL
	'draft|user|01890a5d-ac96-774b-bcce-b302099a8057',
	'whatever else is in it');
is( failure('plain', 'SET search_path = evil, pg_catalog', q{SELECT uuidnew.uuid_generate_v7('x')}),
	'unknown layout "x" for UUID version 7',
	'with an error too');

#
# The SQL tests: what they give with the plain functions in front of the extension's is what they
# give with the extension's alone, but for what is left out here.
#
fill_database('compared', 'plain');
ask('compared', 'CREATE SCHEMA c', 'CREATE EXTENSION uuidnew SCHEMA c');
my %left_out = (
	errors => [],
	tables => [],
	skew => [],

	# a query that the guard refuses
	timestamps => [qr/^SELECT uuidv7_timestamp_micros\(id\) FROM of_draft;$/m],

	# the bits of keys that only the extension makes
	v1 => [qr/^SELECT bit, (?:(?!;\n).)*;\n/ms],
	v6 => [],

	# neighbours by each bit, which only the extension converts
	v7_convert => [qr/^INSERT INTO uuids SELECT layout,\n\tuuid_in\(encode(?:(?!;\n).)*;\n/ms],
	vectors => [],
	v7 => [],

	# queries that the guard refuses
	v7_layout =>
	  [qr/^SELECT count\((?:\*|uuid_v7_timestamp\(id[^\n]*)\) FROM of_(?:rfc9562|draft)\b[^\n]*;$/m],

	# another extension's end, and what it makes again
	text_forms => [qr/^-- A database that has made min\(uuid\) itself.*/ms],

	# plans, which name the functions, and estimates; and grouping sets, which PostgreSQL before 18 gets
	# wrong where it inlines what is grouped by; and windows of version 8, and in quick tests by all kinds
	# of indexes
	time_window => [
		qr/,\n\t\('uuid_v8_%s.*?(?=;$)/ms,
		$quick ? qr/^CREATE INDEX keys_(?!btree).*?^DROP INDEX [^\n]*\n/ms : (),
		qr/^CREATE STATISTICS (?:(?!;\n).)*;\nANALYZE events;\n/ms,
		qr/^SELECT (?:(?!;\n).)*?\b(?:plan_of|estimate_of)\((?:(?!;\n).)*;\n/ms,
		qr/^SELECT (?:(?!;\n).)*?\bGROUP BY ROLLUP (?:(?!;\n).)*;\n/ms
	]);

# An SQL test, with what is left out
sub regress_sql
{
	my ($name) = @_;
	my $sql = slurp_file("$root/sql/$name.sql");
	foreach (@{ $left_out{$name} })
	{
		$sql =~ s/$_//g or die "nothing to leave out of sql/$name.sql";
	}

	# a tenth of the rows, and hundreds of thousands; windows need all of their time
	if ($quick && $name eq 'time_window')
	{
		$sql =~ s/generate_series\(0, (?:19)?999(?=\))/$&, 7/g or die;
	}
	elsif ($quick)
	{
		$sql =~ s/(generate_series\([01], \d{2,3})\d+(?=\))/$1/g;
	}
	return $sql;
}

# psql's output of each SQL test, as pg_regress calls it, in a session and a schema of its own
sub regress
{
	my ($search_path) = @_;
	local $ENV{PG_ABS_SRCDIR} = $root;
	local $ENV{PGDATESTYLE} = 'Postgres, MDY';
	local $ENV{PGOPTIONS} = "-c search_path=$search_path";
	my $sql = join '', map {
		"DROP SCHEMA public CASCADE;\nCREATE SCHEMA public;\n\\c -\n\\unset SHOW_CONTEXT\n\\echo begin $_\n"
		  . regress_sql($_)
		  . "\n\\echo end $_\nROLLBACK;\nDISCARD ALL;\n"
	} sort keys %left_out;
	my $output = '';
	IPC::Run::run([ 'psql', '-XAaq', '-d', $node->connstr('compared') ], '<', \$sql, '>&', \$output);

	# only the plain functions have lines
	$output =~ s/^(?:CONTEXT:  |PL\/pgSQL function |SQL function )[^\n]*\n//mg;
	return $output =~ /^begin (\w+)\n(.*?)^end \1\n/msg;
}
my %by_plain = regress('public,plain,c');
my %by_c = regress('public,c');
foreach my $name (sort keys %left_out)
{
	my @plain = split /^/, $by_plain{$name} // '';
	my @c = split /^/, $by_c{$name} // '';
	my @different = grep { ($plain[$_] // '') ne ($c[$_] // '') } 0 .. (@plain > @c ? $#plain : $#c);

	cmp_ok(scalar(@c), '>', 20, "sql/$name.sql has a result");
	ok(!@different, "sql/$name.sql: as the extension")
	  or diag(
		"line $different[0]:\n",
		@plain[ $different[0] .. $different[0] + 5 ],
		"extension:\n", @c[ $different[0] .. $different[0] + 5 ]);
}

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

#
# Windows are bounds of the key: an index condition, and pruning
#
ask('plain', <<~'SQL', <<~'SQL', <<~'SQL', <<~'SQL', <<~'SQL', <<~'SQL');
	CREATE TABLE events (id uuid PRIMARY KEY, n int) PARTITION BY RANGE (id)
	SQL
	CREATE TABLE events_old PARTITION OF events
		FOR VALUES FROM (MINVALUE) TO ('06955b90-0000-7000-8000-000000000000')
	SQL
	CREATE TABLE events_new PARTITION OF events
		FOR VALUES FROM ('06955b90-0000-7000-8000-000000000000') TO (MAXVALUE)
	SQL
	INSERT INTO events
		SELECT uuidnew.uuid_generate_v7_at(timestamptz '2025-12-01' + n * interval '10 min'), n
		FROM generate_series(1, 10000) n
	SQL
	INSERT INTO events SELECT gen_random_uuid(), -n FROM generate_series(1, 100) n
	SQL
	ANALYZE events
	SQL
foreach (
	[ q{'2026-01-10', '2026-01-11'}, 144, 'constants' ],
	[
		q{now() - now() + timestamptz '2026-01-10', now() - now() + timestamptz '2026-01-11'},
		144, 'times of the transaction'
	],
	[ q{(SELECT timestamptz '2026-01-10'), '2026-01-11'}, 144, 'a subquery' ],
	[ q{'2026-01-10', '2026-01-11', 'Nanosecond'}, 144, 'a layout' ],
	[ q{'2026-02-08', NULL}, 64, 'an open end', 65 ])
{
	my ($ends, $rows, $name, $exactly) = @$_;
	my $from = "FROM events WHERE uuidnew.uuid_v7_between(id, $ends)";
	my $plan = ask('plain', "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) SELECT id $from");
	like($plan, qr/Index Cond: \(\(id >= .*\) AND \(id < /, "$name: an index condition");
	unlike($plan, qr/events_old\S* (?!.*never executed)/, "$name: one partition");
	is(ask('plain', "SELECT count(*) $from"), $exactly // $rows, "$name: the rows");
	my ($estimate) = ask('plain', "EXPLAIN SELECT id $from") =~ /rows=(\d+)/;
	ok($estimate > $rows / 5 && $estimate < $rows * 5, "$name: an estimate of $estimate for $rows rows")
	  unless $name eq 'a subquery';
}
is( ask('plain',
		q{SET plan_cache_mode = force_generic_plan},
		q{PREPARE in_window AS SELECT count(*) FROM events WHERE uuidnew.uuid_v7_between(id, $1, $2)},
		q{EXECUTE in_window('2026-01-10', '2026-01-11')},
		q{EXECUTE in_window(NULL, '2025-12-02')},
		q{EXECUTE in_window(NULL, NULL)}),
	"144\n143\n10000",
	'with parameters, NULL among them, and no key of another version');
like(
	ask('plain', <<~'SQL',
		CREATE VIEW guarded WITH (security_barrier) AS SELECT id FROM events WHERE n > random() - 1
		SQL
		q{EXPLAIN (COSTS OFF) SELECT * FROM guarded WHERE uuidnew.uuid_v7_between(id, }
		  . q{now() - now() + timestamptz '2026-01-10', '2026-01-11')}),
	qr/Index Cond: \(\(id >= /,
	'also through a security barrier');

#
# On to the extension, as the page says
#
my $page = slurp_file("$root/doc/managed.md");

sub block
{
	my ($regex) = @_;
	my @found = grep { /$regex/ } $page =~ /^```\w*\n(.*?)^```$/msg;
	@found == 1 or die scalar(@found) . " blocks with $regex";
	return $found[0];
}

ask('plain', 'DROP SCHEMA evil CASCADE', 'DROP TABLE events CASCADE');
ask('plain', <<~'SQL', <<~'SQL', <<~'SQL', <<~'SQL', <<~'SQL', <<~'SQL', <<~'SQL', <<~'SQL');
	CREATE TABLE orders (
		id uuid PRIMARY KEY DEFAULT uuidnew.uuid_generate_v7() CONSTRAINT draft
			CHECK (uuidnew.uuid_v7_layout(id) = 'draft'),
		made timestamptz GENERATED ALWAYS AS (uuidnew.uuid_v7_timestamp(id)) STORED,
		mail uuid DEFAULT uuidnew.uuid_generate_v7('rfc9562')
	) PARTITION BY RANGE (id)
	SQL
	CREATE TABLE orders_2025 PARTITION OF orders
		FOR VALUES FROM (MINVALUE) TO (uuidnew.uuid_v7_min('2026-01-01 00:00:00+00'))
	SQL
	CREATE TABLE orders_later PARTITION OF orders
		FOR VALUES FROM (uuidnew.uuid_v7_min('2026-01-01 00:00:00+00')) TO (MAXVALUE)
	SQL
	CREATE INDEX orders_mail ON orders (uuidnew.uuidv7_timestamp(mail))
	SQL
	CREATE VIEW a_day AS SELECT * FROM orders
		WHERE uuidnew.uuid_v7_between(id, '2026-01-10 00:00:00+00', '2026-01-11 00:00:00+00')
	SQL
	INSERT INTO orders (id)
		SELECT uuidnew.uuid_generate_v7_at(timestamptz '2025-12-01 00:00:00+00' + n * interval '10 min')
		FROM generate_series(3000, 7000) n
	SQL
	INSERT INTO orders DEFAULT VALUES
	SQL
	ANALYZE orders
	SQL
my $rows = ask('plain', 'SELECT md5(string_agg(o::text, $$ $$ ORDER BY id)) FROM orders o');

sub works
{
	my ($database, $rows, $name) = @_;
	is( ask($database, q{SELECT partition, since, until FROM uuidnew.uuid_partitions('orders')}),
		"orders_2025|-infinity|2026-01-01 00:00:00+00\norders_later|2026-01-01 00:00:00+00|infinity",
		"$name: partitions have their times");
	ask($database, <<~'SQL', 'INSERT INTO numbered SELECT generate_series(1, 300)');
		CREATE TABLE numbered (id int GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
			at timestamptz DEFAULT now()) WITH (autovacuum_enabled = off)
		SQL
	my $steps = q{uuidnew.uuid_rekey_steps('numbered', 'uuidnew.uuidv7_at(at)', 'uuidnew.uuidv7()')};
	is( ask($database, <<~'SQL',
		SELECT count(*) FROM uuidnew.uuid_rekey_check('numbered', 'uuidnew.uuidv7_at(at)',
			'uuidnew.uuidv7()')
		WHERE kind <> 'note'
		SQL
			map { "SELECT statement FROM $steps WHERE phase = '$_' ORDER BY step \\gexec\nSELECT" }
			  qw(prepare swap)) =~ s/\n+$//r,
		'0',
		"$name: a table gets new keys");
	is( ask($database, <<~'SQL', 'DROP TABLE numbered'),
		SELECT guard, keys, problem FROM uuidnew.uuid_columns() WHERE tab = 'numbered'::regclass
		SQL
		'|rfc9562 100 %|no guard', "$name: all keys at a glance");
	is( ask($database,
			q{BEGIN},
			q{CREATE TABLE late (id uuid DEFAULT uuidnew.uuidv7()) PARTITION BY RANGE (id)},
			'COMMIT',
			q{CALL uuidnew.uuid_create_partitions('late', 'month', '2 months')},
			q{CREATE TABLE late_old PARTITION OF late FOR VALUES }
			  . q{FROM (MINVALUE) TO (uuidnew.uuid_v7_min('2020-01-01', 'rfc9562'))},
			q{CALL uuidnew.uuid_drop_partitions('late', '1 year', false)},
			q{SELECT count(*), bool_and(until > now()) FROM uuidnew.uuid_partitions('late')},
			'DROP TABLE late'),
		'3|t',
		"$name: partitions are created and dropped");
	is(ask($database, <<~'SQL'), $rows, "$name: the rows are there");
		SELECT md5(string_agg(o::text, $$ $$ ORDER BY id)) FROM orders o
		SQL
	is( ask($database, q{SELECT count(*) FROM a_day}, <<~'SQL' =~ s/max\(id\)/id/r), "144\n1000|t",
		SELECT max(id) AS last FROM (SELECT id FROM orders ORDER BY id DESC LIMIT 1) o \gset
		INSERT INTO orders SELECT FROM generate_series(1, 1000);
		SELECT count(*), bool_and(made = uuidnew.uuid_v7_timestamp(id)) FROM orders WHERE id > :'last'
		SQL
		"$name: defaults, generated columns and views work, and the order goes on");
	like(
		failure($database, q{INSERT INTO orders VALUES (uuidnew.uuidv7())}),
		qr/violates check constraint "draft"/,
		"$name: the CHECK too");
	# in a new session, where one is from before a function became C and keeps the index's expression
	like(
		$node->safe_psql(
			$database, <<~'SQL',
				SET enable_seqscan = off;
				EXPLAIN (COSTS OFF) SELECT * FROM orders WHERE uuidnew.uuidv7_timestamp(mail) > now()
				SQL
		),
		qr/orders_later_uuidv7_timestamp_idx.*Index Cond/s,
		"$name: the index on an expression");
	like(
		ask($database, q{EXPLAIN (COSTS OFF) SELECT id FROM a_day}),
		qr/\A(?!.*orders_2025).*Index Cond/s,
		"$name: windows by index and partition");
}

# a dump, into a database that has the extension
my ($create) = block(qr/pg_dump/) =~ /-c "(CREATE SCHEMA .*?)"/;
my ($exclude) = block(qr/pg_dump/) =~ /pg_dump (\S+) /;
ask('target', $create);
my $dump = PostgreSQL::Test::Utils::tempdir() . '/dump.sql';
$node->command_ok([ 'pg_dump', $exclude, '-f', $dump, '-d', $node->connstr('plain') ], 'a dump');
works('plain', $rows, 'plain');
is($node->psql('target', "\\i $dump", on_error_stop => 1), 0, 'is restored without an error');
works('target', $rows, 'dump');
is(ask('target', <<~'SQL'), 'c', 'dump: with the extension');
	SELECT DISTINCT l.lanname FROM pg_proc p JOIN pg_language l ON l.oid = prolang
	WHERE proname IN ('uuid_generate_v7', 'uuid_v7_between', 'uuid_v7_layout')
	SQL

# the same database, where the plain functions become names for the extension's
my $filenodes =
  q{SELECT string_agg(oid || ':' || relfilenode, ' ' ORDER BY oid) FROM pg_class WHERE relname ~ '^orders'};
my $before = ask('plain', $filenodes);
$rows = ask('plain', 'SELECT md5(string_agg(o::text, $$ $$ ORDER BY id)) FROM orders o');
ask('plain', block(qr/CREATE EXTENSION.*CREATE OR REPLACE/s));
works('plain', $rows, 'same database');
is(ask('plain', $filenodes), $before, 'same database: no table and no index was rewritten');
is( ask('plain', <<~'SQL'),
	SELECT p.oid::regprocedure FROM pg_proc p JOIN pg_proc c USING (proname, proargtypes)
	WHERE p.pronamespace = 'uuidnew'::regnamespace AND c.pronamespace = 'uuidnew_c'::regnamespace
		AND pg_get_functiondef(p.oid) !~ format('RETURN uuidnew_c.%s\(', p.proname) AND p.provolatile <> 's'
			AND p.prokind = 'f' AND NOT p.proretset
	ORDER BY p.oid::regprocedure::text COLLATE "C"
	SQL
	join("\n",
		map { "uuidnew.$_" } 'uuid_refuse_skew()',
		'uuid_v6_between(uuid,timestamp with time zone,timestamp with time zone)',
		'uuid_v7_between(uuid,timestamp with time zone,timestamp with time zone)',
		'uuid_v7_between(uuid,timestamp with time zone,timestamp with time zone,text)',
		'uuidv7_between(uuid,timestamp with time zone,timestamp with time zone)'),
	'same database: all but the windows and the trigger are in C');
is( ask('plain',
		q{SELECT string_agg(partition::text, ' ') FROM uuidnew.uuid_partitions('orders')},
		q{CALL uuidnew.uuid_drop_partitions('orders', '0 s')},
		q{SELECT count(*) FROM uuidnew_c.uuid_partitions('orders')}),
	"orders_2025 orders_later\n2",
	'same database: partitions are seen by both');
like(
	ask('plain', 'EXPLAIN (VERBOSE, COSTS OFF) INSERT INTO orders DEFAULT VALUES'),
	qr/uuidnew_c\.uuid_generate_v7\(\)/,
	'same database: a default calls C at once');
like(
	failure('plain', 'DROP EXTENSION uuidnew'),
	qr/other objects depend/,
	'same database: the extension is held');

# and its dump
$rows = ask('plain', 'SELECT md5(string_agg(o::text, $$ $$ ORDER BY id)) FROM orders o');
$node->command_ok([ 'pg_dump', '-f', $dump, '-d', $node->connstr('plain') ], 'a dump after that');
is($node->psql('later', "\\i $dump", on_error_stop => 1), 0, 'is restored without an error');
works('later', $rows, 'dump after that');

# never in place of an extension's
ask('postgres', 'CREATE EXTENSION uuidnew');
like(
	failure('postgres', "\\i $script"),
	qr/an extension has a function uuid_generate_v7 in schema "public"/,
	"the script does not replace an extension's functions");

$node->stop;
done_testing();
