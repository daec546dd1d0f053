# partitions and create_partitions: how they are written, periods in their time zone, draft keys, what a
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

is(ask(<<'SQL'), '"a {b}" || {c} {2} { }x {no}', 'a template is filled once, with what stands for nothing');
SELECT uuidnew_tables._fill('{name}{none} || {value_1} {2} { }x {no}',
	'{"name": "\"a {b}\"", "none": null, "value_1": "{c}"}')
SQL

#
# Periods.  130 days have a change of the clocks in them, and so has a year of months.
#
foreach (
	[ 'hour', '1 day', 'Australia/Lord_Howe' ],
	[ 'day', '130 days', 'America/New_York' ],
	[ 'week', '11 weeks', 'America/New_York' ],
	[ 'month', '1 year', 'Australia/Lord_Howe' ],
	[ 'quarter', '3 years', 'America/New_York' ],
	[ 'year', '11 years', 'Asia/Kathmandu' ])
{
	my ($width, $ahead, $zone) = @$_;
	my $name = "$width, $zone";
	my $call = "CALL uuidnew_tables.create_partitions('t', '$width', '$ahead', '$zone')";
	ask(<<"SQL");
DROP TABLE IF EXISTS t;
CREATE TABLE t (id uuid PRIMARY KEY DEFAULT uuidv7() CHECK (uuidv7_is(id))) PARTITION BY RANGE (id);
$call
SQL
	is(ask(<<"SQL"), 't|t|t|t|t|t|t|t', "$name: periods follow each other without a gap, from now on");
SELECT count(*) > 10,
	min(since) = date_trunc('$width', now(), '$zone'),
	max(until) >= now() + '$ahead' AND max(since) < now() + '$ahead',
	bool_and(since = date_trunc('$width', since, '$zone') OR '$width' = 'hour'),
	bool_and(lower = uuidv7_min(since) AND upper = uuidv7_min(until)),
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
}

is(ask(<<'SQL'), 't|01:00:00', 'the width in capitals is the same width, also when the clock is set back');
CREATE TABLE capitals (id uuid PRIMARY KEY CHECK (uuidv7_is(id))) PARTITION BY RANGE (id);
CREATE TABLE capitals_rest PARTITION OF capitals DEFAULT;
INSERT INTO capitals
SELECT uuidv7_at(ts)
FROM generate_series('2026-11-01 03:30+00', '2026-11-01 08:30+00', interval '30 min') ts;
CALL uuidnew_tables.create_partitions('capitals', 'HOUR', '0', 'America/New_York');
SELECT count(*) > 5, max(until - since) FROM uuidnew_tables.partitions('capitals')
SQL

# days without a midnight, and with two; the table's name has 63 octets, two for most of the letters
is(ask( <<'SQL'), <<'ROWS' =~ s/\n\z//r, 'the next day begins at midnight, with a name that fits');
CREATE TABLE "ключиотвсехигрушекижелезокххххх1" (id uuid PRIMARY KEY CHECK (uuidv7_is(id)))
	PARTITION BY RANGE (id);
CREATE TABLE midnight PARTITION OF "ключиотвсехигрушекижелезокххххх1" DEFAULT;
INSERT INTO "ключиотвсехигрушекижелезокххххх1"
SELECT uuidv7_at(ts)
FROM unnest('{2020-03-08 12:00, 2020-03-09 04:30, 2020-11-01 04:30}'::timestamptz[]) ts;
CALL uuidnew_tables.create_partitions('"ключиотвсехигрушекижелезокххххх1"', 'day', '4 days',
	'America/Havana');
SELECT since, until FROM uuidnew_tables.partitions('"ключиотвсехигрушекижелезокххххх1"') LIMIT 3;
SELECT count(*), bool_and(partition::text ~ '_20\d\d_\d\d_\d\d"?$')
FROM uuidnew_tables.partitions('"ключиотвсехигрушекижелезокххххх1"')
WHERE since IS NOT NULL
SQL
2020-03-08 05:00:00+00|2020-03-09 04:00:00+00
2020-03-09 04:00:00+00|2020-03-10 04:00:00+00
2020-11-01 04:30:00+00|2020-11-02 05:00:00+00
8|t
ROWS
is(said(<<'SQL') =~ s/.*created partition.*\n//mgr, <<'SAID' =~ s/\n\z//r, 'missing ones are created');
CREATE TABLE gaps (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CALL uuidnew_tables.create_partitions('gaps', 'day', '4 days');
DO $$
BEGIN
	EXECUTE (
		SELECT 'DROP TABLE ' || string_agg(partition::text, ',')
		FROM uuidnew_tables.partitions('gaps')
		WHERE since > now() + '1 day' AND until < now() + '4 days');
END $$;
CALL uuidnew_tables.create_partitions('gaps', 'day', '4 days')
SQL
NOTICE:  created 5 partitions of public.gaps
NOTICE:  created 2 partitions of public.gaps
SAID

#
# Bounds and layouts
#
is(ask(<<'SQL'), <<'ROWS' =~ s/\n\z//r, 'open ends are infinite, and rows in the default are seen');
CREATE TABLE log (id uuid PRIMARY KEY DEFAULT uuidv7(), line text) PARTITION BY RANGE (id);
CREATE TABLE log_old PARTITION OF log FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2026-01-01'));
CREATE TABLE log_01 PARTITION OF log FOR VALUES FROM (uuidv7_min('2026-01-01'))
	TO (overlay(overlay(uuidv7_min('2026-02-01')::text PLACING '0' FROM 15) PLACING '0' FROM 20)::uuid);
CREATE TABLE log_late PARTITION OF log
	FOR VALUES FROM (uuidv7_min('2070-01-01')) TO (uuidv7_min('2074-07-11 11:41:23.328+00'));
CREATE TABLE log_end PARTITION OF log FOR VALUES FROM ('03000000-0000-7000-8000-000000000000') TO (MAXVALUE);
CREATE TABLE log_default PARTITION OF log DEFAULT;
SELECT partition, since, until, rows, left(lower::text, 8), left(upper::text, 8)
FROM uuidnew_tables.partitions('log');
INSERT INTO log VALUES (uuidv7_at('2026-05-01'));
SELECT rows > 0 FROM uuidnew_tables.partitions('log') WHERE since IS NULL
SQL
log_old|-infinity|2026-01-01 00:00:00+00|0|00000000|019b76da
log_01|2026-01-01 00:00:00+00|2026-02-01 00:00:00+00|0|019b76da|019c167f
log_late|2070-01-01 00:00:00+00|infinity|0|02dec1f4|03000000
log_end|infinity|infinity|0|03000000|ffffffff
log_default|||0||
t
ROWS

# a default of draft keys is an error
foreach (
	[
		q{DEFAULT uuid_generate_v7('microsecond')},
		'ERROR:  column "id" of table public.said has a default '
		  . 'that generates draft keys: partition it with pg_partman, or use uuidv7()'
	],
	[ q{DEFAULT uuid_generate_v7('RFC9562')}, 'rfc9562' ])
{
	my ($column, $result) = @$_;
	is(ask(<<"SQL"), $result, "id uuid $column");
DROP TABLE IF EXISTS said;
CREATE TABLE said (id uuid $column) PARTITION BY RANGE (id);
CALL uuidnew_tables.create_partitions('said', 'day', '0 days');
SELECT uuid_v7_layout(lower) FROM uuidnew_tables.partitions('said')
SQL
}
# partitions of them are never dropped
make(   'CREATE TABLE drafts (id uuid) PARTITION BY RANGE (id); CREATE TABLE drafts_1 PARTITION OF drafts '
	  . q{FOR VALUES FROM (uuid_v7_min('2010-01-01')) TO (uuid_v7_min('2020-01-01'))});
is(ask(q{SELECT since, until FROM uuidnew_tables.partitions('drafts')}),
	'infinity|infinity', 'bounds of draft keys are of no time');
foreach (split /\n/, <<~'CALLS')
	SELECT FROM uuidnew_tables.partitions('pg_class') -> table pg_class is not partitioned by ranges
	CALL uuidnew_tables.create_partitions('t', 'fortnight', '1 day') -> cannot partition by width "fortnight"
	CALL uuidnew_tables.create_partitions('t', NULL, '1 day') -> cannot partition by width ""
	CALL uuidnew_tables.create_partitions('t', 'day', '1 day', NULL) -> cannot partition by width "day"
	CALL uuidnew_tables.create_partitions(NULL, 'day', '1 day') -> table  is not partitioned by ranges
	CALL uuidnew_tables.create_partitions('t', 'day', NULL) -> partition until <NULL> is out of range
	CALL uuidnew_tables.create_partitions('t', 'day', 'infinity') -> (invalid input|.* is out of range)
	CALLS
{
	my ($call, $error) = split / -> /;
	like(ask($call), qr/^ERROR:  $error/, $_);
}

#
# The ends of the times that keys hold
#
my $to = sub { return "'$_[0]'::timestamptz - now()" };
make(<<~"SQL");
	CREATE TABLE ends (id uuid PRIMARY KEY DEFAULT uuidv7()) PARTITION BY RANGE (id);
	CREATE TABLE ends_now PARTITION OF ends
	FOR VALUES FROM (uuidv7_min('2000-01-01')) TO (uuidv7_min('2074-01-01'))
	SQL
is(ask(<<~"SQL"), <<~'ENDS' =~ s/\n\z//r, 'partitions are created up to the last key, and none beyond');
	CALL uuidnew_tables.create_partitions('ends', 'quarter', @{[ $to->('2074-03-01') ]});
	SELECT since, until FROM uuidnew_tables.partitions('ends') ORDER BY lower DESC LIMIT 1;
	CALL uuidnew_tables.create_partitions('ends', 'year', @{[ $to->('2074-07-01') ]})
	SQL
	2074-01-01 00:00:00+00|2074-04-01 00:00:00+00
	ERROR:  partition until 2075-01-01 00:00:00+00 is out of range
	ENDS
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
CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
CREATE TRIGGER row_trigger BEFORE INSERT ON model FOR EACH ROW EXECUTE FUNCTION nothing();
CREATE TRIGGER never AFTER UPDATE ON model FOR EACH ROW EXECUTE FUNCTION nothing();
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
CREATE TABLE hidden_rest PARTITION OF hidden DEFAULT;
ALTER TABLE hidden ENABLE ROW LEVEL SECURITY, REPLICA IDENTITY USING INDEX hidden_pkey
SQL
foreach my $role ('owner', 'postgres')
{
	ask(q{CALL uuidnew_tables.create_partitions('hidden', 'month', '0')}, '-U', $role);
	is(ask( <<'SQL'), 't|f|owner', "$role creates: the owner's alone, all columns its identity");
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
$node->stop;
done_testing();
