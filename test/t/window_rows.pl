# Whatever query a window of time stands in, its result is that of a function that the planner knows nothing
# about.  No query is refused, whichever kind of version 7 a table holds.  Random queries; QUERY_SEED repeats
# a run.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Kinds qw($opaque);
use RandomWindows;
use Server;
use Session;

my $seed = $ENV{QUERY_SEED} // (time ^ $$);
my $queries = $ENV{UUIDNEW_SOAK} ? 20000 : $ENV{UUIDNEW_QUICK} ? 150 : 600;
note("QUERY_SEED=$seed");
srand($seed);

my $node = start_server('client_min_messages = error');

# A planner that does not come to an end takes all memory first.
my ($postmaster) = slurp_file($node->data_dir . '/postmaster.pid') =~ /^(\d+)/;
system('prlimit', "--pid=$postmaster", '--as=4000000000') == 0
  or note('the memory of the server has no limit');

my $version = ask('SHOW server_version_num');

# Two schemas with the same tables and rows, views, policies and indexes: in one the windows are the
# extension's, in the other the same C functions, of which the planner knows nothing.
ask("CREATE EXTENSION uuidnew; $opaque");
ask('SELECT setseed(' . rand() . ');' . <<~'SQL');
	CREATE SCHEMA known;
	CREATE DOMAIN key AS uuid;
	CREATE FUNCTION volatile_time(timestamptz) RETURNS timestamptz
		LANGUAGE plpgsql VOLATILE AS 'BEGIN RETURN $1; END';
	CREATE TABLE source AS
	SELECT uuid_generate_v7_at(ts, layout) AS id, (random() * 20)::int AS n, ts
	FROM generate_series(timestamptz '2026-01-01', '2026-01-09 23:00', '5 hours') ts,
		unnest(ARRAY['microsecond', 'rfc9562']) layout;
	CREATE TABLE of_all AS
	SELECT * FROM source
	UNION ALL
	SELECT gen_random_uuid(), 3, now() FROM generate_series(1, 3);
	CREATE TABLE others AS
	SELECT id, (random() * 20)::int AS n, ts
	FROM generate_series(timestamptz '2026-01-01', '2026-01-09 23:00', '9 hours') ts,
		LATERAL (VALUES (uuid_generate_v6_at(ts)), (uuid_generate_v8_at(ts)),
			(uuid_generate_v8_at(ts, 'iso8601')),
			(uuid_generate_v8_at(ts, 'unix48', NULL, '2020-01-01'))) v(id);
	CREATE TABLE many AS
	SELECT uuid_generate_v7_at(ts) AS id, i % 1000 AS n, ts
	FROM generate_series(0, 1295) i, LATERAL (SELECT timestamptz '2026-01-01' + i * interval '10 min') t(ts);
	CREATE ROLE reader;
	GRANT USAGE ON SCHEMA known, opaque TO reader;
	SQL
ask("SET search_path = $_, public;" . <<~'SQL') foreach 'known', 'opaque';
	-- Partitions of a table by its key, before and from a bound
	CREATE PROCEDURE split(name text, bound uuid) LANGUAGE plpgsql AS $$
	BEGIN
		EXECUTE format('CREATE TABLE %s_1 PARTITION OF %1$s FOR VALUES FROM (MINVALUE) TO (%L)', name, bound);
		EXECUTE format('CREATE TABLE %s_2 PARTITION OF %1$s FOR VALUES FROM (%L) TO (MAXVALUE)', name, bound);
	END $$;

	CREATE TABLE plain (LIKE of_all, PRIMARY KEY (id));
	CREATE TABLE mixed AS TABLE of_all UNION ALL TABLE others UNION ALL SELECT NULL, 4, NULL;
	CREATE INDEX ON mixed (id);
	CREATE TABLE v6 AS SELECT * FROM others WHERE uuid_v6_timestamp(id) IS NOT NULL;
	ALTER TABLE v6 ADD PRIMARY KEY (id);
	CREATE TABLE v8 (LIKE others) PARTITION BY RANGE (id);
	CALL split('v8', uuid_v8_min('2026-01-04'));
	CREATE INDEX ON v8 (id);

	-- kinds of indexes, and of keys
	CREATE TABLE late AS TABLE mixed;
	CREATE INDEX ON late (id) WHERE id >= uuid_v7_min('2026-01-04');
	CREATE INDEX ON late (n) WHERE uuid_v7_between(id, '2026-01-02', '2026-01-07');
	CREATE INDEX ON late (uuid_v7_timestamp(id));
	CREATE TABLE domains (id key PRIMARY KEY, n int, ts timestamptz);
	CREATE TABLE arbiter AS TABLE of_all;
	CREATE UNIQUE INDEX ON arbiter (id, uuid_v7_between(id, '2026-01-03', NULL));
	CREATE TABLE arbiter_late AS TABLE of_all;
	CREATE UNIQUE INDEX ON arbiter_late (id) WHERE uuid_v7_between(id, '2026-01-03', NULL);

	-- partitions; inheritance
	CREATE TABLE parted (LIKE source, PRIMARY KEY (id)) PARTITION BY RANGE (id);
	CREATE TABLE parted_1 PARTITION OF parted
		FOR VALUES FROM (uuid_v7_min('2026-01-01')) TO (uuid_v7_min('2026-01-04'));
	CREATE TABLE parted_2 PARTITION OF parted
		FOR VALUES FROM (uuid_v7_min('2026-01-04')) TO (uuid_v7_min('2026-01-06'))
		PARTITION BY HASH (id);
	CREATE TABLE parted_2_0 PARTITION OF parted_2 FOR VALUES WITH (MODULUS 2, REMAINDER 0);
	CREATE TABLE parted_2_1 PARTITION OF parted_2 FOR VALUES WITH (MODULUS 2, REMAINDER 1);
	CREATE TABLE parted_3 PARTITION OF parted DEFAULT;
	CREATE TABLE heirs (LIKE source);
	CREATE TABLE heirs_1 (CHECK (id < uuid_v7_min('2026-01-05'))) INHERITS (heirs);
	CREATE TABLE heirs_2 (CHECK (id >= uuid_v7_min('2026-01-05'))) INHERITS (heirs);
	CREATE INDEX ON heirs_1 (id);
	CREATE INDEX ON heirs_2 (id);
	CREATE TABLE secured (LIKE source, PRIMARY KEY (id));
	CREATE TABLE secured_parted (LIKE source, PRIMARY KEY (id)) PARTITION BY RANGE (id);
	CALL split('secured_parted', uuid_v7_min('2026-01-05'));

	-- tables that refuse other kinds
	CREATE TABLE draft (LIKE source, PRIMARY KEY (id), CHECK (uuid_v7_layout(id) = 'draft'));
	CREATE TABLE draft_many (LIKE draft INCLUDING ALL);
	CREATE INDEX ON draft_many (n);
	CREATE TABLE draft_days (LIKE source, CHECK (uuid_v7_layout(id) = 'draft')) PARTITION BY RANGE (id);
	SELECT format('CREATE TABLE draft_days_%s PARTITION OF draft_days FOR VALUES FROM (%L) TO (%L)', day,
		uuid_v7_min(make_timestamptz(2026, 1, day, 0, 0, 0)),
		uuid_v7_min(make_timestamptz(2026, 1, day + 1, 0, 0, 0)))
	FROM generate_series(1, 9) day \gexec
	CREATE INDEX ON draft_days (id);
	CREATE INDEX ON draft_days (n);
	CREATE TABLE rfc9562 (LIKE source, PRIMARY KEY (id), CHECK (uuid_v7_layout(id) = 'rfc9562'));
	CREATE TABLE rfc9562_parted (LIKE rfc9562 INCLUDING ALL) PARTITION BY RANGE (id);
	CALL split('rfc9562_parted', uuidv7_min('2026-01-05'));

	SELECT format('INSERT INTO %s SELECT * FROM %s', name, rows)
	FROM (VALUES ('plain', 'of_all'), ('v8', 'others'), ('domains', 'of_all'),
		('parted', 'of_all'),
		('heirs_1', 'of_all WHERE id < uuid_v7_min(''2026-01-05'')'),
		('heirs_2', 'of_all WHERE id >= uuid_v7_min(''2026-01-05'')'),
		('secured', 'source'), ('secured_parted', 'source'),
		('draft', 'source WHERE uuid_v7_layout(id) = ''draft'''),
		('draft_many', 'many'), ('draft_days', 'many'),
		('rfc9562', 'source WHERE uuid_v7_layout(id) = ''rfc9562'''),
		('rfc9562_parted', 'rfc9562')) inserts(name, rows) \gexec

	CREATE VIEW draft_since AS SELECT * FROM draft_days
		WHERE uuid_v7_between(id, '2026-01-03', NULL) WITH CHECK OPTION;
	CREATE VIEW rfc9562_distinct AS SELECT DISTINCT id, n, ts FROM rfc9562_parted;
	CREATE VIEW barrier WITH (security_barrier) AS SELECT * FROM parted WHERE n <> 8;
	CREATE VIEW barrier_days WITH (security_barrier) AS SELECT * FROM draft_days
		WHERE uuid_v7_between(id, NULL, '2026-01-08');
	CREATE VIEW united AS SELECT * FROM parted UNION ALL SELECT * FROM plain;
	CREATE VIEW checked_option AS SELECT * FROM plain
		WHERE uuid_v7_between(id, '2026-01-02', '2026-01-08') WITH LOCAL CHECK OPTION;
	CREATE STATISTICS draft_time ON (uuid_v7_timestamp(id)) FROM draft;
	ALTER TABLE secured ENABLE ROW LEVEL SECURITY;
	CREATE POLICY visible ON secured USING (n <> 9);
	ALTER TABLE secured_parted ENABLE ROW LEVEL SECURITY;
	CREATE POLICY visible ON secured_parted
		USING (n <> 10 AND (id IS NULL OR uuid_v7_between(id, '2026-01-02', NULL)));
	SELECT format('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA %I TO reader',
		current_schema) \gexec
	SQL
ask('ANALYZE');

my $parallel = $version < 160000 ? 'force_parallel_mode' : 'debug_parallel_query';
my @settings = (
	('') x 4,
	'SET enable_seqscan = off;',
	'SET enable_seqscan = off; SET enable_bitmapscan = off;',
	'SET enable_hashjoin = off; SET enable_mergejoin = off;',
	'SET enable_hashjoin = off; SET enable_nestloop = off;',
	'SET enable_partitionwise_join = on; SET enable_partitionwise_aggregate = on;',
	'SET enable_partition_pruning = off;',
	'SET from_collapse_limit = 1; SET join_collapse_limit = 1;',
	'SET geqo_threshold = 2;',
	'SET constraint_exclusion = on;',
	'SET random_page_cost = 0.1;',
	rand() < 0.5
	? "SET $parallel = on;"
	: 'SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0; '
	  . 'SET min_parallel_index_scan_size = 0;',
	q{SET default_transaction_isolation = 'repeatable read';});

# What the statements print, or their errors.  A session for each schema begins again each time, but for what
# the library and the server remember in it.
my %session;

sub result
{
	my ($schema, $timeout, $statements) = @_;
	my $session = $session{$schema} //= Session->new($node);
	my $text = $session->query(<<~SQL);
		ROLLBACK;
		DISCARD ALL;
		SET statement_timeout = '$timeout';
		SET search_path = $schema, public;
		$statements
		;
		\\warn done
		SQL

	$session->{run}->pump until $session->{err} =~ s/^done\n//m;
	my $errors = $session->errors;
	return $errors eq '' ? $text : $errors =~ s/^psql:\S* //mgr;
}

sub new_sessions
{
	$_->quit foreach values %session;
	%session = ();
	return;
}

my ($rows, $slow, $errors, $wrong) = (0, 0, 0, 0);
for my $number (1 .. $queries)
{
	new_sessions() if $number % 500 == 0;
	my $settings = any(@settings) . any('', 'SET ROLE reader;');
	my ($run, $explain) = random_statement($version);
	my $sql = $settings . with_functions($run);

	# what takes long anyway is left out, so that no result depends on the time
	my $unknown = result('opaque', $ENV{UUIDNEW_QUICK} ? '200ms' : '1 s', $sql);
	my $known = $unknown =~ /statement timeout/ ? undef : result('known', '1 s', $sql);
	if (defined $known && $known =~ /statement timeout/)
	{
		# and where core itself expects the plan to be dear
		my $plan = result('known', '60 s', $settings . with_functions($explain));
		$known = $plan =~ /"Total Cost": (\d+)/ && $1 > 1e6 ? undef : result('known', '120 s', $sql);
	}
	if (!defined $known)
	{
		$slow++;
		next;
	}

	if ($unknown =~ /ERROR/)
	{
		$errors++;
		next if $known =~ /ERROR/ && $known !~ /memory|timeout|server/;
	}
	$rows++ if $known =~ /^[1-9]/m;
	if ($known ne $unknown)
	{
		$wrong++;
		diag("$sql\n$known\nwith opaque functions:\n$unknown");
		last if $wrong > 5;
	}
}
is($wrong, 0, "$queries queries give what they do with functions that the planner does not know");
note("$rows with rows, $slow take long, $errors with errors");
cmp_ok($rows, '>', $queries / 3, 'many queries have rows');
cmp_ok($errors, '<', $queries / 20, 'few queries end in an error, with either function');

new_sessions();
done_testing();
