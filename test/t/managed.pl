# Where no extension can be installed, as doc/plain-sql.md has it: doc/uuidv7.sql creates what the server
# lacks, until the extension takes its place, and psql runs the script of uuidnew_tables.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Server qw(start_server);
use Session;

my $root = "$FindBin::Bin/../..";
my $script = "$root/doc/uuidv7.sql";
my $node = start_server('max_parallel_workers_per_gather = 0');
$node->safe_psql('postgres', $_)
  foreach 'CREATE ROLE app LOGIN',
  map { "CREATE DATABASE $_ OWNER app" } qw(plain fresh hosted);

sub ask
{
	my ($database, @statements) = @_;
	return $node->safe_psql($database, join(";\n", @statements));
}

sub migrate
{
	my ($database, $before) = @_;
	$node->psql($database, "$before\n\\i $script", extra_params => [ '-U', 'app' ], on_error_die => 1);
	return;
}

# The functions of schema public that no extension has
my $own = <<'SQL';
SELECT string_agg(proname, ' ' ORDER BY proname)
FROM pg_proc p
WHERE pronamespace = 'public'::regnamespace
	AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = p.oid AND deptype = 'e')
SQL

# By a user who is no superuser
my $core = ask('plain', "SELECT to_regprocedure('pg_catalog.uuidv7()') IS NOT NULL") eq 't';
my $names = join ' ', $core ? () : 'uuidv7',
  qw(uuidv7_at uuidv7_before uuidv7_between uuidv7_from uuidv7_is uuidv7_max
  uuidv7_min uuidv7_timestamp);

$node->safe_psql('plain', 'GRANT ALL ON SCHEMA public TO app');
migrate('plain', '');
is(ask('plain', $own), $names, 'what the server lacks is created');
migrate('plain', '');
is(ask('plain', $own), $names, 'the script can be run again');
my @lines = split /\n/, slurp_file($script);
cmp_ok(scalar(@lines), '<=', 110, 'the script is short');
like(
	slurp_file("$root/doc/plain-sql.md"),
	qr/ has ${\ scalar @lines} lines\b/,
	'the page says how short the script is');

ask('plain', 'CREATE SCHEMA c', 'CREATE EXTENSION uuidnew SCHEMA c');
is(ask('plain', <<'SQL'), '0|10000', 'keys of uuidv7() are different, and of RFC 9562');
SELECT count(*) FILTER (WHERE NOT c.uuidv7_is(id)
		OR c.uuidv7_timestamp(id) NOT BETWEEN now() - interval '5 min' AND clock_timestamp()),
	count(DISTINCT id)
FROM (SELECT uuidv7() AS id FROM generate_series(1, 10000)) keys
SQL
like(
	ask('plain', <<'SQL'),
CREATE TEMP TABLE keys (id uuid);
EXPLAIN (VERBOSE) SELECT uuidv7(), uuidv7_timestamp(id) FROM keys
SQL
	$core ? qr/uuidv7\(\), .*'x0000'/s : qr/gen_random_uuid.*'x0000'/s,
	'what is called for each row is inlined');

# (key_times compares bounds, times and windows with those of the extension.)
foreach my $ts ('1969-12-31 23:59:59.999999+00', '2074-07-11 11:41:23.328+00', '-infinity', 'infinity')
{
	is($node->Session::answer('plain', "SELECT uuidv7_at('$ts')"), '22008', "$ts is out of range");
}
is(ask('plain', 'SELECT uuidv7_at(NULL) IS NULL, uuidv7_timestamp(NULL) IS NULL'), 't|t', 'NULL is NULL');

# On to the extension
my $create = slurp_file("$root/doc/uuidv7-to-extension.sql");

ask('plain', 'DROP EXTENSION uuidnew');
ask('plain', <<'SQL');
CREATE TABLE tickets (
	id uuid PRIMARY KEY DEFAULT uuidv7(),
	made timestamptz GENERATED ALWAYS AS (uuidv7_timestamp(id)) STORED
) PARTITION BY RANGE (id);
CREATE TABLE tickets_old PARTITION OF tickets
	FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2026-01-01 00:00+00'));
CREATE TABLE tickets_new PARTITION OF tickets
	FOR VALUES FROM (uuidv7_min('2026-01-01 00:00+00')) TO (MAXVALUE);
CREATE INDEX ON tickets (uuidv7_timestamp(id));
INSERT INTO tickets
SELECT uuidv7_at(timestamptz '2025-12-31' + n * interval '1 min') FROM generate_series(1, 3000) n;
SQL
my $before = <<'SQL';
SELECT string_agg(relfilenode::text, ' ' ORDER BY oid)
FROM pg_class
WHERE relname LIKE 'tickets%'
SQL
my $files = ask('plain', $before);
ask('plain', $create);
is(ask('plain', $before), $files, 'no table is rewritten when the extension takes over');
is(ask('plain', <<'SQL'), 't|3001|f', 'defaults, columns and indexes work on, in order');
INSERT INTO tickets DEFAULT VALUES;
SELECT bool_and(made = uuidnew.uuidv7_timestamp(id)), count(*),
	bool_or(uuidnew.uuidv7_is(id) IS NOT TRUE)
FROM tickets
SQL
is(ask('plain', <<'SQL'), $names, 'the functions of the script call those of the extension');
SELECT string_agg(proname, ' ' ORDER BY proname)
FROM pg_proc
WHERE pronamespace = 'public'::regnamespace
	AND strpos(pg_get_functiondef(oid), format('RETURN uuidnew.%s(', proname)) > 0
SQL
like(ask('plain', <<'SQL'), qr/Index Cond: \(\(id >= .*\) AND \(id < /, 'windows are bounds of the key');
SET enable_seqscan = off;
EXPLAIN SELECT FROM tickets WHERE public.uuidv7_between(id, now() - interval '1 h', now())
SQL
migrate('plain', '');
is(ask('plain', $own), $names, 'the migration has no effect beside the extension');

# Where the extension is there first
$node->safe_psql('fresh', 'GRANT ALL ON SCHEMA public TO app; CREATE EXTENSION uuidnew');
migrate('fresh', '');
is(ask('fresh', $own), '', "nothing is created beside the extension's functions");
ask('fresh',
	'CREATE SCHEMA uuidnew',
	'ALTER EXTENSION uuidnew SET SCHEMA uuidnew',
	'GRANT USAGE ON SCHEMA uuidnew TO app');
migrate('fresh', 'SET search_path = public, uuidnew;');
is(ask('fresh', $own), '', 'nothing is created where the functions are in another schema of search_path');

# What psql gives the owner of a database, who is no superuser; or the error
sub hosted
{
	my ($sql) = @_;
	my ($status, $stdout, $stderr) =
	  $node->psql('hosted', $sql, extra_params => [ '-U', 'app' ], on_error_stop => 1);
	return $status ? join "\n", $stderr =~ /(?:ERROR|DETAIL):  (.*)/g : $stdout;
}

# Windows use the key's index.
is(hosted(<<~SQL), '', 'there is a partitioned table with keys of both kinds and of version 4');
	SET client_min_messages = warning;
	\\i $script
	CREATE TABLE events (id uuid PRIMARY KEY DEFAULT uuidv7(), n int) PARTITION BY RANGE (id);
	CREATE TABLE events_old PARTITION OF events FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2026-01-01'));
	CREATE TABLE events_new PARTITION OF events
		FOR VALUES FROM (uuidv7_min('2026-01-01')) TO (MAXVALUE);
	INSERT INTO events
		SELECT uuidv7_at(timestamptz '2025-12-01' + n * interval '10 min'), n
		FROM generate_series(1, 10000) n;
	INSERT INTO events SELECT gen_random_uuid(), -n FROM generate_series(1, 100) n;
	INSERT INTO events VALUES ('06955b90-0000-7000-8000-000000000000', -101);
	ANALYZE events
	SQL
foreach (
	[ q{between(id, '2026-01-10', '2026-01-11')}, 144, 'constants' ],
	[
		q{between(id, now() - now() + timestamptz '2026-01-10', now() - now() + timestamptz '2026-01-11')},
		144, 'times of the transaction'
	],
	[ q{between(id, (SELECT timestamptz '2026-01-10'), '2026-01-11')}, 144, 'a subquery' ],
	[ q{between(id, '2026-02-08', NULL)}, 65, 'an open end' ],
	[ q{from(id, '2026-02-08')}, 65, 'from a time on' ])
{
	my ($window, $rows, $name) = @$_;
	my $from = "FROM events WHERE uuidv7_$window";
	my $plan = hosted("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) SELECT id $from");
	like($plan, qr/Index Cond: \(\(id >= .*\) AND \(id < /, "$name: an index condition");
	unlike($plan, qr/events_old\S* (?!.*never executed)/, "$name: one partition");
	is(hosted("SELECT count(*) $from"), $rows, "$name: the rows");
	my ($estimate) = hosted("EXPLAIN SELECT id $from") =~ /rows=(\d+)/;
	ok($estimate > $rows / 5 && $estimate < $rows * 5, "$name: an estimate of $estimate for $rows rows")
	  unless $name eq 'a subquery';
}
is(hosted(<<~'SQL'), "144\n143\n10000\n143\n0", 'parameters, NULL among them, match no other UUID');
	SET plan_cache_mode = force_generic_plan;
	PREPARE in_window AS SELECT count(*) FROM events WHERE uuidv7_between(id, $1, $2);
	EXECUTE in_window('2026-01-10', '2026-01-11');
	EXECUTE in_window(NULL, '2025-12-02');
	EXECUTE in_window(NULL, NULL);
	PREPARE before AS SELECT count(*) FROM events WHERE uuidv7_before(id, $1);
	EXECUTE before('2025-12-02');
	EXECUTE before(NULL)
	SQL
is(hosted(q{SELECT count(*) FROM events WHERE uuidv7_before(id, 'infinity')}),
	'10000', 'keys of other kinds have no time before any');
# uuidnew_tables by psql
my ($install) =
  slurp_file("$root/doc/plain-sql.md") =~ /^```sql\n(BEGIN;\nCREATE SCHEMA uuidnew_tables;\n.*?COMMIT;)$/ms;
chomp(my $sharedir = qx(pg_config --sharedir));
$install =~ s{^\\i }{\\i $sharedir/extension/}m;

ask('hosted', 'CREATE SCHEMA uuidnew_tables; GRANT ALL ON SCHEMA uuidnew_tables TO PUBLIC');
is(hosted($install =~ s/^CREATE SCHEMA.*$//mr), '', 'a schema that a superuser has created will do');
ask('hosted', 'DROP SCHEMA uuidnew_tables CASCADE; CREATE ROLE mallory');
ask('hosted', 'CREATE SCHEMA uuidnew_tables AUTHORIZATION mallory');
ask('hosted', 'GRANT ALL ON SCHEMA uuidnew_tables TO app');
is( hosted($install =~ s/^CREATE SCHEMA.*$//mr),
	'schema "uuidnew_tables" is owned by role "mallory"',
	q{another role's schema is refused});
ask('hosted', 'DROP SCHEMA uuidnew_tables');
is(hosted($install), '', 'the owner of the database installs it');
is(hosted(<<~'SQL'), 'app|t|0', 'functions are hers, and everyone may use them');
	SELECT string_agg(DISTINCT proowner::regrole::text, ' '),
		has_schema_privilege('mallory', 'uuidnew_tables', 'USAGE'), count(*) FILTER (WHERE prosecdef)
	FROM pg_proc
	WHERE pronamespace = 'uuidnew_tables'::regnamespace
	SQL

is(hosted(<<~'SQL'), "4\nevents_old|-infinity|2026-01-01 00:00:00+00", 'partitions are created');
	SET client_min_messages = warning;
	CREATE TABLE log (id uuid PRIMARY KEY DEFAULT uuidv7(), line text) PARTITION BY RANGE (id);
	CREATE TABLE log_rest PARTITION OF log DEFAULT;
	INSERT INTO log VALUES (uuidv7_at(now() - interval '70 days'), 'late');
	CALL uuidnew_tables.create_partitions('log', 'month', '2 months');
	SELECT count(*) FROM uuidnew_tables.partitions('log') WHERE rows > 0 OR since IS NOT NULL;
	SELECT partition, since, until FROM uuidnew_tables.partitions('events') LIMIT 1
	SQL
is(hosted(<<~'SQL'), "p|300\nuuid|300", 'a table in use is partitioned, and another one gets new keys');
	SET client_min_messages = warning;
	CREATE TABLE lines (id uuid PRIMARY KEY DEFAULT uuidv7(), n int);
	INSERT INTO lines (n) SELECT generate_series(1, 300);
	CREATE TABLE numbered (id int GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
		at timestamptz DEFAULT now());
	INSERT INTO numbered SELECT generate_series(1, 300);
	\set lines 'uuidnew_tables.partitioning_steps(\'lines\')'
	\set numbered 'uuidnew_tables.rekey_steps(\'numbered\', \'uuidv7_at(at)\', \'uuidv7()\')'
	\o /dev/null
	SELECT statement FROM :lines WHERE phase = 'prepare' ORDER BY step \gexec
	SELECT statement FROM :lines WHERE phase = 'swap' \gexec
	SELECT statement FROM :numbered WHERE phase = 'prepare' ORDER BY step \gexec
	SELECT statement FROM :numbered WHERE phase = 'swap' \gexec
	SELECT statement FROM :numbered WHERE phase = 'finish' \gexec
	\o
	SELECT relkind, (SELECT count(*) FROM lines) FROM pg_class WHERE oid = 'lines'::regclass;
	SELECT pg_typeof(min(id::text)::uuid), count(DISTINCT id) FROM numbered
	SQL

# Later the extension takes its place
my $partitions = q{SELECT partition, since, until FROM uuidnew_tables.partitions('log')};
my $before_extension = hosted($partitions);
my ($extension) = slurp_file("$root/doc/plain-sql.md") =~
  /^```sql\n(BEGIN;\n[^\n]*\nDROP SCHEMA uuidnew_tables CASCADE;\nCREATE EXTENSION .*?COMMIT;)$/ms;
like(hosted('CREATE EXTENSION uuidnew_tables'), qr/already exists/, 'the extension does not replace it');
is(hosted($extension), '', 'the extension replaces the functions in one transaction');
is(hosted($partitions), $before_extension, 'tables keep their partitions under the extension');

done_testing();
