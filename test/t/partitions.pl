# partitions and create_partitions: how they are written, periods in their time zone, layouts, what a
# partition is, and whom it is open to.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Session;
use Tables;

my $node = start_node();
make(<<~'SQL');
	CREATE ROLE owner LOGIN;
	CREATE ROLE clerk LOGIN;
	GRANT ALL ON SCHEMA public TO owner
	SQL
my $quick = $ENV{UUIDNEW_QUICK};

#
# How the functions are written
#
my (@wide, @long);
foreach my $file (glob "$FindBin::Bin/../../tables/*/*.sql")
{
	my @lines = split /\n/, slurp_file($file);
	push @wide, map { "$file: $_" } grep { length(s/\t/    /gr) > 100 } @lines;
	push @long, $file if @lines > 80;
}
is("@wide", '', 'no line is wider than 100 columns');
is("@long", '', 'no file is longer than 80 lines');

is(ask(<<'SQL'), '"a {b}" || {c} {2} { }x', 'a template is filled once, with what stands for nothing too');
SELECT uuidnew_tables._fill('{name}{none} || {value_1} {2} { }x',
	'{"name": "\"a {b}\"", "none": null, "value_1": "{c}"}')
SQL
is( ask(q{SELECT uuidnew_tables._fill('{a} {b}', '{"a": 1}')}),
	'ERROR:  no value for {b}',
	'a place without a value is an error');

#
# Periods.  130 days have a change of the clocks in them, and so has a year of months.
#
my %ahead = (
	hour => '1 day',
	day => $quick ? '11 days' : '130 days',
	week => '11 weeks',
	month => '1 year',
	quarter => '3 years',
	year => '11 years');
my @zones = ('America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu');

sub check_periods
{
	my ($layout, $width, $zone) = @_;
	my $name = "$layout, $width, $zone";
	my $default = $layout eq 'draft' ? 'uuid_generate_v7()' : 'uuidv7()';
	my $call = "CALL uuidnew_tables.create_partitions('t', '$width', '$ahead{$width}', '$zone')";
	ask(<<"SQL");
DROP TABLE IF EXISTS t;
CREATE TABLE t (id uuid PRIMARY KEY DEFAULT $default CHECK (uuid_v7_layout(id) = '$layout'))
	PARTITION BY RANGE (id);
$call
SQL
	is(ask(<<"SQL"), 't|t|t|t|t|t|t|t', "$name: periods follow each other without a gap, from now on");
SELECT count(*) > 10,
	min(since) = date_trunc('$width', now(), '$zone'),
	max(until) >= now() + '$ahead{$width}' AND max(since) < now() + '$ahead{$width}',
	bool_and(since = date_trunc('$width', since, '$zone') OR '$width' = 'hour'),
	bool_and(lower = uuid_v7_min(since, '$layout') AND upper = uuid_v7_min(until, '$layout')),
	bool_and(next IS NULL OR upper = next),
	bool_and(until - since BETWEEN '30 min' AND '1 hour') OR '$width' <> 'hour',
	count(DISTINCT partition) = count(*)
FROM (SELECT *, lead(lower) OVER (ORDER BY lower) AS next FROM uuidnew_tables.partitions('t')) p
SQL
	like(
		said($call),
		qr/^NOTICE:  created [01] partitions of public\.t$/m,
		"$name: a second call has nothing to do");
	is(ask(<<'SQL'), 't', "$name: a row of now goes where it should");
INSERT INTO t DEFAULT VALUES;
SELECT tableoid = (
	SELECT partition FROM uuidnew_tables.partitions('t') WHERE now() >= since AND now() < until)
FROM t
SQL
	return;
}
foreach my $width (qw(hour day week month quarter year))
{
	check_periods('rfc9562', $width, $_) for $quick || $width !~ /hour|day|month/ ? $zones[0] : @zones;
	check_periods('draft', $width, $zones[0]);
}

is(ask(<<'SQL'), 't|t|t', 'from months to weeks there is no gap');
DROP TABLE t;
CREATE TABLE t (id uuid PRIMARY KEY DEFAULT uuidv7()) PARTITION BY RANGE (id);
CALL uuidnew_tables.create_partitions('t', 'month', '1 month');
CALL uuidnew_tables.create_partitions('t', 'week', '4 months');
SELECT bool_and(next IS NULL OR upper = next),
	count(*) FILTER (WHERE until - since < '7 days') <= 1,
	max(until) > now() + interval '4 months'
FROM (SELECT *, lead(lower) OVER (ORDER BY lower) AS next FROM uuidnew_tables.partitions('t')) p
SQL

is(ask(<<'SQL'), 't|01:00:00', 'the width in capitals is the same width, also when the clock is set back');
CREATE TABLE capitals (id uuid PRIMARY KEY CHECK (uuidv7_is(id))) PARTITION BY RANGE (id);
CREATE TABLE capitals_rest PARTITION OF capitals DEFAULT;
INSERT INTO capitals
SELECT uuidv7_at(ts)
FROM generate_series('2026-11-01 03:30+00', '2026-11-01 08:30+00', interval '30 min') ts;
CALL uuidnew_tables.create_partitions('capitals', 'HOUR', '0', 'America/New_York');
SELECT count(*) > 5, max(until - since) FROM uuidnew_tables.partitions('capitals')
SQL

is(ask(<<'SQL'), <<'ROWS' =~ s/\n\z//r, 'after a day that has no midnight the next begins at midnight again');
CREATE TABLE havana (id uuid PRIMARY KEY CHECK (uuidv7_is(id))) PARTITION BY RANGE (id);
CREATE TABLE havana_rest PARTITION OF havana DEFAULT;
INSERT INTO havana VALUES (uuidv7_at('2020-03-08 12:00+00')), (uuidv7_at('2020-03-09 04:30+00'));
CALL uuidnew_tables.create_partitions('havana', 'day', '-1 day', 'America/Havana');
SELECT since, until FROM uuidnew_tables.partitions('havana') WHERE since IS NOT NULL
SQL
2020-03-08 05:00:00+00|2020-03-09 04:00:00+00
2020-03-09 04:00:00+00|2020-03-10 04:00:00+00
ROWS
is( said( <<'SQL') =~ s/^NOTICE:  created partition.*\n//mgr, <<'SAID' =~ s/\n\z//r,
CALL uuidnew_tables.create_partitions('havana', 'day', '4 days');
DO $$
BEGIN
	EXECUTE (
		SELECT 'DROP TABLE ' || string_agg(partition::text, ',')
		FROM uuidnew_tables.partitions('havana')
		WHERE since > now() + '1 day' AND until < now() + '4 days');
END $$;
CALL uuidnew_tables.create_partitions('havana', 'day', '4 days')
SQL
NOTICE:  created 5 partitions of public.havana
NOTICE:  created 2 partitions of public.havana
SAID
	'missing ones are created');

# of 63 octets, two for most of the letters
is( ask( <<'SQL'),
CREATE TABLE "ключикупленныхигрушекижелезок" (id uuid PRIMARY KEY CHECK (uuidv7_is(id)))
	PARTITION BY RANGE (id);
CREATE TABLE midnight PARTITION OF "ключикупленныхигрушекижелезок" DEFAULT;
INSERT INTO "ключикупленныхигрушекижелезок" VALUES (uuidv7_at('2020-11-01 04:30+00'));
CALL uuidnew_tables.create_partitions('"ключикупленныхигрушекижелезок"', 'day', '2 days', 'America/Havana');
SELECT since, until FROM uuidnew_tables.partitions('"ключикупленныхигрушекижелезок"') LIMIT 1;
SELECT count(*), bool_and(partition::text ~ '_20\d\d_\d\d_\d\d"?$')
FROM uuidnew_tables.partitions('"ключикупленныхигрушекижелезок"')
WHERE since IS NOT NULL
SQL
	"2020-10-31 04:00:00+00|2020-11-01 05:00:00+00\n4|t", 'a day with two midnights, and a long name');

#
# Bounds and layouts
#
is(ask(<<'SQL'), <<'ROWS' =~ s/\n\z//r, 'open ends are infinite, and a bound by hand has its time');
CREATE TABLE log (id uuid PRIMARY KEY DEFAULT uuidv7(), line text) PARTITION BY RANGE (id);
CREATE TABLE log_old PARTITION OF log FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2026-01-01'));
CREATE TABLE log_01 PARTITION OF log FOR VALUES FROM (uuidv7_min('2026-01-01'))
	TO (overlay(overlay(uuidv7_min('2026-02-01')::text PLACING '0' FROM 15) PLACING '0' FROM 20)::uuid);
CREATE TABLE log_late PARTITION OF log FOR VALUES FROM (uuidv7_min('2070-01-01')) TO (MAXVALUE);
CREATE TABLE log_default PARTITION OF log DEFAULT;
SELECT partition, since, until, rows, left(lower::text, 8), left(upper::text, 8)
FROM uuidnew_tables.partitions('log')
SQL
log_old|-infinity|2026-01-01 00:00:00+00|0|00000000|019b76da
log_01|2026-01-01 00:00:00+00|2026-02-01 00:00:00+00|0|019b76da|019c167f
log_late|2070-01-01 00:00:00+00|infinity|0|02dec1f4|ffffffff
log_default|||0||
ROWS
is(ask(<<'SQL'), 't', 'rows in the default partition are seen');
INSERT INTO log VALUES (gen_random_uuid()), (uuidv7_at('2026-05-01'));
SELECT rows > 0 FROM uuidnew_tables.partitions('log') WHERE since IS NULL
SQL

# what says the layout, and what the argument may be then; undef is none
my $holds = 'ERROR:  column "id" of table public.said holds layout';
foreach (
	[ 'DEFAULT uuidv7()', undef, 'rfc9562' ],
	[ 'DEFAULT pg_catalog.gen_random_uuid() CHECK (uuidv7_is(id))', undef, 'rfc9562' ],
	[ 'DEFAULT uuid_generate_v7()', 'nanosecond', 'draft' ],
	[ 'DEFAULT uuid_generate_v7()', 'rfc9562', qq{$holds "draft", not "rfc9562"} ],
	[ q{DEFAULT uuid_generate_v7('microsecond')}, undef, 'draft' ],
	[ 'CHECK (uuid_v7_is(id))', 'draft', 'draft' ],
	[ q{CHECK (uuid_v7_layout(id) <> 'draft')}, undef, 'rfc9562' ],
	[ q{DEFAULT uuid_generate_v7('RFC9562')}, undef, 'rfc9562' ],
	[ '', undef, 'rfc9562' ],
	[ '', 'RFC9562', 'rfc9562' ],
	[ '', 'draft', 'draft' ])
{
	my ($column, $layout, $expected) = @$_;
	my $argument = defined $layout ? ", layout => '$layout'" : '';
	like(ask(<<"SQL"), qr/^$expected/, "id uuid $column$argument: $expected");
DROP TABLE IF EXISTS said;
CREATE TABLE said (id uuid $column) PARTITION BY RANGE (id);
CALL uuidnew_tables.create_partitions('said', 'day', '0 days'$argument);
SELECT uuid_v7_layout(lower) FROM uuidnew_tables.partitions('said')
SQL
}
is( ask(q{CALL uuidnew_tables.create_partitions('said', 'day', '0 days', layout => 'rfc9562')}),
	qq{$holds "draft", not "rfc9562"},
	'what bounds say is not changed by an argument');
foreach (split /\n/, <<~'CALLS')
	SELECT FROM uuidnew_tables.partitions('pg_class') -> table pg_class is not partitioned by ranges
	SELECT FROM uuidnew_tables.partitions('log', 'dratf') -> unrecognized layout "dratf"
	CALL uuidnew_tables.create_partitions('t', 'fortnight', '1 day') -> cannot partition by width "fortnight"
	CALL uuidnew_tables.create_partitions('t', NULL, '1 day') -> cannot partition by width ""
	CALL uuidnew_tables.create_partitions('t', 'day', '1 day', NULL) -> cannot partition by width "day"
	CALL uuidnew_tables.create_partitions(NULL, 'day', '1 day') -> table  is not partitioned by ranges
	CALL uuidnew_tables.create_partitions('t', 'day', NULL) -> cannot create partitions  ahead
	CALL uuidnew_tables.create_partitions('t', 'day', 'infinity') -> (invalid input|cannot create partitions)
	CALLS
{
	my ($call, $error) = split / -> /;
	like(ask($call), qr/^ERROR:  $error/, $_);
}

#
# The ends of the times that keys hold
#
foreach (
	[ 'rfc9562', 'uuidv7()', 2074, '2074-07-11 11:41:23.328+00' ],
	[ 'draft', 'uuid_generate_v7()', 4147, '4147-08-20 07:32:16+00' ])
{
	my ($layout, $default, $year, $end) = @$_;
	my $next = $year + 1;
	my $to = sub { return "'$_[0]'::timestamptz - now()" };
	make(<<~"SQL");
		DROP TABLE IF EXISTS ends;
		CREATE TABLE ends (id uuid PRIMARY KEY DEFAULT $default) PARTITION BY RANGE (id);
		CREATE TABLE ends_now PARTITION OF ends FOR VALUES
			FROM (uuidnew_tables._key_min('2000-01-01', '$layout'))
			TO (uuidnew_tables._key_min('$year-01-01', '$layout'))
		SQL
	is(ask(<<~"SQL"), <<~"ERROR" =~ s/\n\z//r, "$layout: a period beyond the last key is an error");
		CALL uuidnew_tables.create_partitions('ends', 'year', @{[ $to->("$year-03-01") ]})
		SQL
		ERROR:  partition since $year-01-01 00:00:00+00, until $next-01-01 00:00:00+00 is out of range
		ERROR
	like(ask(<<~"SQL"), qr/^ERROR:  partition since $year-07-01 /, "$layout: even if others come before it");
		CALL uuidnew_tables.create_partitions('ends', 'quarter', @{[ $to->("$next-01-01") ]})
		SQL
	is(ask(q{SELECT count(*) FROM uuidnew_tables.partitions('ends')}), '1', "$layout: nothing is created");
	is(ask(<<~"SQL"), "$year-01-01 00:00:00+00|$year-04-01 00:00:00+00", "$layout: those before are");
		CALL uuidnew_tables.create_partitions('ends', 'quarter', @{[ $to->("$year-03-01") ]});
		SELECT since, until FROM uuidnew_tables.partitions('ends') ORDER BY lower DESC LIMIT 1
		SQL
	is(ask(<<~"SQL"), 'infinity', "$layout: a partition of all the rest has no end");
		CREATE TABLE ends_rest PARTITION OF ends FOR VALUES
			FROM (uuidnew_tables._key_min('$year-04-01', '$layout'))
			TO (uuidnew_tables._key_min('$end', '$layout'));
		SELECT until FROM uuidnew_tables.partitions('ends') ORDER BY lower DESC LIMIT 1
		SQL
}
is(ask(<<~'SQL'), "1970-01-01 00:00:00+00|1970-01-05 00:00:00+00|1\n0", 'a first key is moved like others');
	DROP TABLE ends;
	CREATE TABLE ends (id uuid PRIMARY KEY DEFAULT uuidv7()) PARTITION BY RANGE (id);
	CREATE TABLE ends_rest PARTITION OF ends DEFAULT;
	INSERT INTO ends VALUES ('00000000-0000-7000-8000-000000000000');
	CALL uuidnew_tables.create_partitions('ends', 'week', '0');
	ANALYZE ends;
	SELECT since, until, rows FROM uuidnew_tables.partitions('ends') WHERE since < now() - interval '1 year';
	SELECT count(*) FROM ends_rest
	SQL
make('CREATE TABLE kept (id uuid PRIMARY KEY DEFAULT uuidv7())');
is( ask(q{SELECT FROM uuidnew_tables.partitioning_steps('kept', '2080-01-01')}),
	'ERROR:  partition until 2080-01-01 00:00:00+00 is out of range',
	'a table in use is not partitioned beyond the last key');

#
# A partition is what PARTITION OF makes, by the catalogs
#
my $like = <<'SQL';
SET ROLE owner;
CREATE TABLE kinds (kind int PRIMARY KEY);
CREATE TABLE model (
	dropped int,
	id uuid DEFAULT uuidv7() CONSTRAINT "a {check}" CHECK (uuidv7_is(id)),
	kind int CONSTRAINT "never null" NOT NULL REFERENCES kinds,
	double int GENERATED ALWAYS AS (kind * 2) STORED,
	line text COLLATE "C" DEFAULT 'x' CHECK (line <> 'y'),
	n int GENERATED ALWAYS AS IDENTITY,
	PRIMARY KEY (id)
) PARTITION BY RANGE (id);
ALTER TABLE model DROP dropped, ALTER line SET STORAGE EXTERNAL, ALTER line SET STATISTICS 7;
COMMENT ON COLUMN model.line IS 'a comment';
CREATE INDEX model_upper ON model (upper(line)) WHERE kind > 1;
CREATE UNIQUE INDEX model_unique ON model (id, kind);
CREATE STATISTICS model_statistics ON id, kind FROM model;
CREATE TABLE of_model (id uuid REFERENCES model);
CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
CREATE TRIGGER row_trigger BEFORE INSERT ON model FOR EACH ROW EXECUTE FUNCTION nothing();
CREATE TRIGGER never AFTER UPDATE ON model FOR EACH ROW EXECUTE FUNCTION nothing();
ALTER TABLE model DISABLE TRIGGER never;
CREATE TABLE model_by_hand PARTITION OF model
	FOR VALUES FROM (uuidv7_min('2020-01-01')) TO (uuidv7_min('2020-02-01'))
SQL
is(ask($like), '', 'there is a table with much of what a table may have');
is(ask(<<'SQL', '-U', 'owner'), 't', 'it gets a partition');
CALL uuidnew_tables.create_partitions('model', 'month', '-1 day');
CREATE TABLE model_rest PARTITION OF model DEFAULT;
INSERT INTO kinds VALUES (1);
INSERT INTO model (id, kind) VALUES (uuidv7_at('2020-03-05'), 1);
CALL uuidnew_tables.create_partitions('model', 'month', '-1 day');
SELECT to_regclass('model_2020_03_01') IS NOT NULL
SQL
# What pg_dump says of a table, without its name and bounds
sub dumped
{
	my ($table) = @_;
	my ($out, $err) = run_command([ 'pg_dump', '-s', '-t', $table, '-d', $node->connstr('postgres') ]);
	die $err if $err ne '';
	return $out =~ s/^\\(?:un)?restrict .*\n|FOR VALUES .*|OID \d+//mgr =~ s/\Q$table\E/it/gr;
}
my $by_hand = dumped('model_by_hand');
like($by_hand, qr/^ALTER .*EXTERNAL/m, 'much is dumped of one that is created by hand');
is(dumped('model_2020_03_01'), $by_hand, 'it is as PARTITION OF creates one');
is(ask('SELECT count(*) FROM pg_statistic_ext'), '1', 'and has no statistics of its own');

#
# Rights
#
is(ask(<<'SQL'), '', 'there is a table with row-level security, and default privileges that are wider');
ALTER DEFAULT PRIVILEGES FOR ROLE owner GRANT SELECT ON TABLES TO clerk;
ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO PUBLIC;
SET ROLE owner;
CREATE TABLE hidden (id uuid PRIMARY KEY CHECK (uuidv7_is(id))) PARTITION BY RANGE (id);
REVOKE ALL ON hidden FROM clerk;
CREATE TABLE hidden_old PARTITION OF hidden FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2026-01-01'));
CREATE TABLE hidden_rest PARTITION OF hidden DEFAULT;
CREATE TABLE of_hidden (id uuid REFERENCES hidden);
INSERT INTO hidden SELECT uuidv7_at('2025-05-01');
INSERT INTO of_hidden TABLE hidden;
ALTER TABLE of_hidden ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE hidden ENABLE ROW LEVEL SECURITY, REPLICA IDENTITY FULL
SQL
is( said("CALL uuidnew_tables.drop_partitions('hidden', '1 day', $_)", '-U', 'owner'),
	'ERROR:  query would be affected by row-level security policy for table "of_hidden"',
	"a child that is not seen is not left behind: dry_run => $_") for 'true', 'false';
foreach my $role ('owner', 'postgres')
{
	ask(q{CALL uuidnew_tables.create_partitions('hidden', 'month', '0')}, '-U', $role);
	is(ask(<<'SQL'), 't|f|owner', "a partition that $role creates is the owner's alone");
SELECT relreplident = 'f', has_table_privilege('clerk', oid, 'SELECT'), relowner::regrole
FROM pg_class WHERE relname ~ '^hidden_2' AND relkind = 'r';
SELECT format('ALTER TABLE hidden DETACH PARTITION %1$s; DROP TABLE %1$s', oid::regclass)
FROM pg_class WHERE relname ~ '^hidden_2' AND relkind = 'r' \gexec
SQL
}
ask(<<'SQL');
ALTER DEFAULT PRIVILEGES REVOKE SELECT ON TABLES FROM PUBLIC;
INSERT INTO hidden SELECT uuidv7_at('2030-01-01');
ALTER TABLE hidden_rest ENABLE ROW LEVEL SECURITY;
GRANT SELECT ON hidden_rest TO clerk
SQL
is( ask(q{SELECT rows FROM uuidnew_tables.partitions('hidden') WHERE since IS NULL}, '-U', 'clerk'),
	'ERROR:  query would be affected by row-level security policy for table "hidden_rest"',
	'rows that are not seen are not said to be none');
is(ask(<<'SQL'), 'ERROR:  permission denied for table hidden_rest', 'nor are they without the right to');
ALTER TABLE hidden_rest DISABLE ROW LEVEL SECURITY;
REVOKE SELECT ON hidden_rest FROM clerk;
SET ROLE clerk;
SELECT rows FROM uuidnew_tables.partitions('hidden') WHERE since IS NULL
SQL
is(ask(<<'SQL'), 'f', 'a partition of a table whose replica identity is an index has all columns for it');
CREATE TABLE changes (id uuid NOT NULL CHECK (uuidv7_is(id)), n int) PARTITION BY RANGE (id);
CREATE UNIQUE INDEX changes_id ON changes (id);
ALTER TABLE changes REPLICA IDENTITY USING INDEX changes_id;
CALL uuidnew_tables.create_partitions('changes', 'month', '0');
SELECT relreplident FROM pg_class WHERE relname ~ '^changes_2' AND relkind = 'r'
SQL

$node->stop;
done_testing();
