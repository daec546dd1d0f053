# managed/uuidnew.sql, the functions in plain SQL: the same results as the extension's in the project's
# own SQL tests; windows by index; and the ways on to the extension, with the statements of
# doc/managed.md.
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
		SQL
			map { "SELECT statement FROM $steps WHERE phase = '$_' ORDER BY step \\gexec\nSELECT" }
			  qw(prepare swap)) =~ s/\n+$//r,
		'0',
		"$name: a table gets new keys");
	ask($database, 'DROP TABLE numbered');
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
