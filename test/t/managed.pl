# Where no extension can be installed: windows of managed/uuidv7.sql use the key's index, and psql runs the
# script of uuidnew_tables, as doc/plain-sql.md has it.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $root = "$FindBin::Bin/../..";
my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf',
	"timezone = 'UTC'\njit = off\nmax_parallel_workers_per_gather = 0\nautovacuum = off");
$node->start;
$node->safe_psql('postgres', 'CREATE ROLE app LOGIN; CREATE DATABASE plain OWNER app');

# What psql gives the owner of the database, who is no superuser; or the error
sub ask
{
	my ($sql) = @_;
	my ($status, $stdout, $stderr) =
	  $node->psql('plain', $sql, extra_params => [ '-U', 'app' ], on_error_stop => 1);
	return $status ? join "\n", $stderr =~ /(?:ERROR|DETAIL):  (.*)/g : $stdout;
}

# Windows
is(ask(<<~SQL), '', 'there is a partitioned table with keys of both kinds and of version 4');
	SET client_min_messages = warning;
	\\i $root/managed/uuidv7.sql
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
	my $plan = ask("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) SELECT id $from");
	like($plan, qr/Index Cond: \(\(id >= .*\) AND \(id < /, "$name: an index condition");
	unlike($plan, qr/events_old\S* (?!.*never executed)/, "$name: one partition");
	is(ask("SELECT count(*) $from"), $rows, "$name: the rows");
	my ($estimate) = ask("EXPLAIN SELECT id $from") =~ /rows=(\d+)/;
	ok($estimate > $rows / 5 && $estimate < $rows * 5, "$name: an estimate of $estimate for $rows rows")
	  unless $name eq 'a subquery';
}
is(ask(<<~'SQL'), "144\n143\n10000\n143\n0", 'parameters, NULL among them, match no other UUID');
	SET plan_cache_mode = force_generic_plan;
	PREPARE in_window AS SELECT count(*) FROM events WHERE uuidv7_between(id, $1, $2);
	EXECUTE in_window('2026-01-10', '2026-01-11');
	EXECUTE in_window(NULL, '2025-12-02');
	EXECUTE in_window(NULL, NULL);
	PREPARE before AS SELECT count(*) FROM events WHERE uuidv7_before(id, $1);
	EXECUTE before('2025-12-02');
	EXECUTE before(NULL)
	SQL
is(ask(q{SELECT count(*) FROM events WHERE uuidv7_before(id, 'infinity')}),
	'10000', 'keys of other kinds have no time before any');
# uuidnew_tables by psql
my ($install) =
  slurp_file("$root/doc/plain-sql.md") =~ /^```sql\n(BEGIN;\nCREATE SCHEMA uuidnew_tables;\n.*?COMMIT;)$/ms;
chomp(my $sharedir = qx(pg_config --sharedir));
$install =~ s{^\\i }{\\i $sharedir/extension/}m;

$node->safe_psql('plain', 'CREATE SCHEMA uuidnew_tables; GRANT ALL ON SCHEMA uuidnew_tables TO PUBLIC');
is(ask($install =~ s/^CREATE SCHEMA.*$//mr), '', 'a schema that a superuser has created will do');
$node->safe_psql('plain', 'DROP SCHEMA uuidnew_tables CASCADE; CREATE ROLE mallory');
$node->safe_psql('plain', 'CREATE SCHEMA uuidnew_tables AUTHORIZATION mallory');
$node->safe_psql('plain', 'GRANT ALL ON SCHEMA uuidnew_tables TO app');
is( ask($install =~ s/^CREATE SCHEMA.*$//mr),
	'schema "uuidnew_tables" is owned by role "mallory"',
	q{another role's schema is refused});
$node->safe_psql('plain', 'DROP SCHEMA uuidnew_tables');
is(ask($install), '', 'the owner of the database installs it');
is(ask(<<~'SQL'), 'app|t|0', 'functions are hers, and everyone may use them');
	SELECT string_agg(DISTINCT proowner::regrole::text, ' '),
		has_schema_privilege('mallory', 'uuidnew_tables', 'USAGE'), count(*) FILTER (WHERE prosecdef)
	FROM pg_proc
	WHERE pronamespace = 'uuidnew_tables'::regnamespace
	SQL

is(ask(<<~'SQL'), "4\nevents_old|-infinity|2026-01-01 00:00:00+00", 'partitions are created');
	SET client_min_messages = warning;
	CREATE TABLE log (id uuid PRIMARY KEY DEFAULT uuidv7(), line text) PARTITION BY RANGE (id);
	CREATE TABLE log_rest PARTITION OF log DEFAULT;
	INSERT INTO log VALUES (uuidv7_at(now() - interval '70 days'), 'late');
	CALL uuidnew_tables.create_partitions('log', 'month', '2 months');
	SELECT count(*) FROM uuidnew_tables.partitions('log') WHERE rows > 0 OR since IS NOT NULL;
	SELECT partition, since, until FROM uuidnew_tables.partitions('events') LIMIT 1
	SQL
is(ask(<<~'SQL'), "p|300\nuuid|300", 'a table in use is partitioned, and another one gets new keys');
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
my $before = ask($partitions);
my ($extension) = slurp_file("$root/doc/plain-sql.md") =~
  /^```sql\n(BEGIN;\n[^\n]*\nDROP SCHEMA uuidnew_tables CASCADE;\nCREATE EXTENSION .*?COMMIT;)$/ms;
like(ask('CREATE EXTENSION uuidnew_tables'), qr/already exists/, 'the extension does not replace it');
is(ask($extension), '', 'the extension replaces the functions in one transaction');
is(ask($partitions), $before, 'tables keep their partitions under the extension');

$node->stop;
done_testing();
