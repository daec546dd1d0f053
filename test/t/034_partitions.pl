# uuid_partitions, uuid_create_partitions and uuid_drop_partitions: periods in their time zone, both
# layouts, rows that wait in the default partition, children, odd names; beside each other, beside
# writers and readers, and when sessions and the server are killed.
use strict;
use warnings FATAL => 'all';

use FindBin;
use IPC::Run;
use List::Util qw(shuffle);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Session;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', <<'CONF');
timezone = 'UTC'
jit = off
autovacuum = off
log_min_messages = fatal
CONF
$node->start;
$node->safe_psql('postgres', $_) for <<'SQL', <<'SQL';
CREATE ROLE owner LOGIN;
CREATE ROLE clerk LOGIN
SQL
CREATE SCHEMA keys;
CREATE EXTENSION uuidnew SCHEMA keys;
GRANT USAGE ON SCHEMA keys TO PUBLIC;
GRANT ALL ON SCHEMA public TO owner;
ALTER DATABASE postgres SET search_path = public, keys
SQL
my $major = $node->safe_psql('postgres', 'SHOW server_version_num') / 10000;

# What psql gives: results, and the message of the error if there is one
sub ask
{
	my ($sql, @options) = @_;
	my ($status, $stdout, $stderr) =
	  Session->kept("@options", $node, @options)->script($sql);
	return $stdout unless $status;
	return join "\n", grep { $_ ne '' } $stdout, $stderr =~ /ERROR:  (.*)/g;
}

# What a procedure says
sub said
{
	my ($sql, @options) = @_;
	my (undef, undef, $stderr) =
	  Session->kept("@options", $node, @options)->script($sql);
	return join "\n", $stderr =~ /((?:NOTICE|WARNING|ERROR):  .*)/g;
}

# The same without what changes from day to day: the partitions of times to come, and sizes
sub said_of_late
{
	my @lines = split /\n/, said(@_);
	return join "\n", map { s/: until .*//r } grep { !/NOTICE:  created (?!.* rows from)/ } @lines;
}

# A session that holds what its statements lock until it is let go
sub hold
{
	my ($sql, @options) = @_;
	my $holder = Session->new($node, @options);
	$holder->query("BEGIN;\n$sql");
	return $holder;
}

sub let_go
{
	my ($holder) = @_;
	$holder->query('COMMIT');
	$holder->quit;
	return;
}

my $soak = $ENV{UUIDNEW_SOAK};
my $quick = $ENV{UUIDNEW_QUICK};

#
# How the functions are written
#
foreach my $file (glob "$FindBin::Bin/../../tables/*/*.sql")
{
	my ($name) = $file =~ m{([^/]*/[^/]*)\.sql$};
	next unless $name =~ m{^(?:shared|partitions|rehearsal|partitioning)/};
	my $text = slurp_file($file);
	my @wide = grep { length(s/\t/    /gr) > 100 } split /\n/, $text;
	my ($function) = $text =~ /^(CREATE .*?)^COMMENT ON/ms;
	ok(!@wide, "$name: no line is wider than 100 columns") or diag(@wide);
	cmp_ok($function =~ tr/\n//, '<=', 80, "$name: its function has 80 lines at most");
}

is(ask(<<'SQL'), '"a {b}" || {c} {2} { }x', 'a template is filled once, with what stands for nothing too');
SELECT uuidnew_fill('{name}{none} || {value_1} {2} { }x',
	'{"name": "\"a {b}\"", "none": null, "value_1": "{c}"}')
SQL
is( ask(q{SELECT uuidnew_fill('{a} {b}', '{"a": 1}')}),
	'no value for {b}',
	'a place without a value is an error');

#
# Periods.  130 days have a change of the clocks in them, and so has a year of months; but the more
# there are, the longer each takes.  In --quick time zones are drawn by lot, and so is a width with
# layout draft.
#
my $seed = $ENV{PARTITIONS_SEED} // int(rand(1_000_000));
note("PARTITIONS_SEED=$seed") if $quick;
srand($seed);
my %ahead =
  $quick
  ? (
	hour => '11 hours',
	day => '11 days',
	week => '11 weeks',
	month => '1 year',
	quarter => '3 years',
	year => '11 years')
  : (
	hour => '1 day',
	day => '130 days',
	week => '30 weeks',
	month => '2 years',
	quarter => '5 years',
	year => '20 years');
my ($of_draft) = shuffle(sort keys %ahead);
my @zones = ('America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu');

sub check_periods
{
	my ($layout, $width, $zone) = @_;
	my $name = "$layout, $width, $zone";
	my $default = $layout eq 'draft' ? 'uuid_generate_v7()' : 'uuidv7()';
	my $call = "CALL uuid_create_partitions('t', '$width', '$ahead{$width}', '$zone')";
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
FROM (SELECT *, lead(lower) OVER (ORDER BY lower) AS next FROM uuid_partitions('t')) p
SQL
	like(
		said($call),
		qr/^NOTICE:  created [01] partitions of public\.t$/m,
		"$name: a second call has nothing to do");
	is(ask(<<'SQL'), 't', "$name: a row of now goes where it should");
INSERT INTO t DEFAULT VALUES;
SELECT tableoid = (SELECT partition FROM uuid_partitions('t') WHERE now() >= since AND now() < until)
FROM t
SQL
	return;
}
foreach my $width (qw(hour day week month quarter year))
{
	my @here = $width !~ /hour|day|month/ ? $zones[0] : $quick ? $zones[ rand @zones ] : @zones;
	check_periods('rfc9562', $width, $_) for @here;
	check_periods('draft', $width, $zones[0]) if !$quick || $width eq $of_draft;
}

is(ask(<<'SQL'), 't|t|t', 'from months to weeks there is no gap');
DROP TABLE t;
CREATE TABLE t (id uuid PRIMARY KEY DEFAULT uuidv7()) PARTITION BY RANGE (id);
CALL uuid_create_partitions('t', 'month', '1 month');
CALL uuid_create_partitions('t', 'week', '4 months');
SELECT bool_and(next IS NULL OR upper = next),
	count(*) FILTER (WHERE until - since < '7 days') <= 1,
	max(until) > now() + interval '4 months'
FROM (SELECT *, lead(lower) OVER (ORDER BY lower) AS next FROM uuid_partitions('t')) p
SQL

is(ask(<<'SQL'), 't|01:00:00', 'the width in capitals is the same width, also when the clock is set back');
CREATE TABLE capitals (id uuid PRIMARY KEY CHECK (uuidv7_is(id))) PARTITION BY RANGE (id);
CREATE TABLE capitals_rest PARTITION OF capitals DEFAULT;
INSERT INTO capitals
SELECT uuidv7_at(ts)
FROM generate_series('2026-11-01 03:30+00', '2026-11-01 08:30+00', interval '30 min') ts;
CALL uuid_create_partitions('capitals', 'HOUR', '0', 'America/New_York');
SELECT count(*) > 5, max(until - since) FROM uuid_partitions('capitals')
SQL

is(ask(<<'SQL'), <<'ROWS' =~ s/\n\z//r, 'after a day that has no midnight the next begins at midnight again');
CREATE TABLE havana (id uuid PRIMARY KEY CHECK (uuidv7_is(id))) PARTITION BY RANGE (id);
CREATE TABLE havana_rest PARTITION OF havana DEFAULT;
INSERT INTO havana VALUES (uuidv7_at('2020-03-08 12:00+00')), (uuidv7_at('2020-03-09 04:30+00'));
CALL uuid_create_partitions('havana', 'day', '-1 day', 'America/Havana');
SELECT since, until FROM uuid_partitions('havana') WHERE since IS NOT NULL
SQL
2020-03-08 05:00:00+00|2020-03-09 04:00:00+00
2020-03-09 04:00:00+00|2020-03-10 04:00:00+00
ROWS
is( said( <<'SQL') =~ s/^NOTICE:  created partition.*\n//mgr, <<'SAID' =~ s/\n\z//r,
CALL uuid_create_partitions('havana', 'day', '4 days');
DO $$
BEGIN
	EXECUTE (
		SELECT 'DROP TABLE ' || string_agg(partition::text, ',')
		FROM uuid_partitions('havana')
		WHERE since > now() + '1 day' AND until < now() + '4 days');
END $$;
CALL uuid_create_partitions('havana', 'day', '4 days')
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
CALL uuid_create_partitions('"ключикупленныхигрушекижелезок"', 'day', '2 days', 'America/Havana');
SELECT since, until FROM uuid_partitions('"ключикупленныхигрушекижелезок"') LIMIT 1;
SELECT count(*), bool_and(partition::text ~ '_20\d\d_\d\d_\d\d"?$')
FROM uuid_partitions('"ключикупленныхигрушекижелезок"')
WHERE since IS NOT NULL
SQL
	"2020-10-31 04:00:00+00|2020-11-01 05:00:00+00\n4|t", 'a day with two midnights, and a long name');

#
# Bounds and layouts
#
is(ask(<<'SQL'), <<'ROWS' =~ s/\n\z//r, 'open ends are infinite, and a bound by hand has its time');
CREATE TABLE log (id uuid PRIMARY KEY, line text) PARTITION BY RANGE (id);
CREATE TABLE log_old PARTITION OF log FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2026-01-01'));
CREATE TABLE log_01 PARTITION OF log FOR VALUES FROM (uuidv7_min('2026-01-01'))
	TO (overlay(overlay(uuidv7_min('2026-02-01')::text PLACING '0' FROM 15) PLACING '0' FROM 20)::uuid);
CREATE TABLE log_late PARTITION OF log FOR VALUES FROM (uuidv7_min('2070-01-01')) TO (MAXVALUE);
CREATE TABLE log_default PARTITION OF log DEFAULT;
SELECT partition, since, until, rows, lower IS NULL, upper IS NULL FROM uuid_partitions('log')
SQL
log_old|-infinity|2026-01-01 00:00:00+00|0|t|f
log_01|2026-01-01 00:00:00+00|2026-02-01 00:00:00+00|0|f|f
log_late|2070-01-01 00:00:00+00|infinity|0|f|t
log_default|||0|t|t
ROWS
is(ask(<<'SQL'), 't', 'rows in the default partition are seen');
INSERT INTO log VALUES (gen_random_uuid()), (uuidv7_at('2026-05-01'));
SELECT rows > 0 FROM uuid_partitions('log') WHERE since IS NULL
SQL

# what says that the column holds one layout, and what it says of another; without an argument if undef
my $not_draft = qr/^column "id" of table public.log holds layout "rfc9562", not "draft"$/;
my $not_rfc = qr/^column "id" of table public.log holds layout "draft", not "rfc9562"$/;
my $bound = qr/^a bound of partition public.log_old is of layout "rfc9562", but column "id"/;
foreach (
	[ q{ADD CHECK (uuid_v7_layout(id) = 'rfc9562')}, $not_draft ],
	[ q{ADD CHECK (keys.uuid_v7_layout(id) <> 'draft')}, $not_draft ],
	[ q{ADD CHECK (uuid_v7_layout(id) IN ('rfc9562', 'none'))}, $not_draft ],
	[ q{ADD CHECK (uuidv7_is(id))}, $not_draft ],
	[ q{ADD CHECK (uuidv7_between(id, NULL, NULL))}, $not_draft ],
	[ q{ADD CHECK (uuidv7_from(id, '2026-01-01'))}, $not_draft ],
	[ q{ALTER id SET DEFAULT uuidv7()}, $not_draft ],
	[ q{ALTER id SET DEFAULT uuid_generate_v7('rfc9562')}, $not_draft ],
	[ q{ADD CHECK (uuid_v7_layout(id) <> 'rfc9562')}, $not_rfc, 'rfc9562' ],
	[ q{ADD CHECK (uuid_v7_between(id, NULL, '2026-01-01'))}, $not_rfc, 'rfc9562' ],
	[ q{ALTER id SET DEFAULT uuid_generate_v7()}, $not_rfc, 'rfc9562' ],
	[ q{ADD CHECK (uuid_v7_layout(id) = 'draft')}, $bound, undef ],
	[ q{ADD CHECK (uuid_v7_layout(id) <> 'draft' OR line = 'x')}, $bound ],
	[ q{ADD CHECK (uuid_v7_between(id, NULL, NULL, 'rfc9562'))}, $not_draft ],
	[ q{ADD CHECK (uuidv7_is(id)) NOT VALID}, $bound ],
	[ q{ALTER line SET STATISTICS 1}, qr/^unknown layout "dratf"/, 'dratf' ])
{
	my ($change, $error, @layout) = @$_;
	my $layout = @layout ? $layout[0] : 'draft';
	my $argument = defined $layout ? ", layout => '$layout'" : '';
	like(ask("BEGIN; TRUNCATE log; ALTER TABLE log $change; SELECT FROM uuid_partitions('log'$argument)"),
		$error, "bounds of another layout are refused: $change");
}
like(ask(q{CALL uuid_create_partitions('log', 'day', '1 day', layout => 'draft')}),
	$bound, 'nor are partitions created beside such bounds');
like(
	ask('SELECT * FROM uuid_partitions($$pg_class$$)'),
	qr/^table pg_class is not partitioned by ranges of a uuid column/,
	'a table without partitions is refused');

like(
	ask(<<'SQL'), qr/^cannot tell the layout of column "id" of table public.bare/, 'nothing says the layout');
CREATE TABLE bare (id uuid) PARTITION BY RANGE (id);
SELECT * FROM uuid_partitions('bare')
SQL
is(ask(<<'SQL'), '1', 'an argument says the layout, and the period of now is created');
CALL uuid_create_partitions('bare', 'day', '0 days', layout => 'nanosecond');
SELECT count(*) FROM uuid_partitions('bare')
SQL
is(ask(<<'SQL'), '0', 'then the bounds say it');
CALL uuid_create_partitions('bare', 'day', '1 hour');
SELECT sum(rows) FROM uuid_partitions('bare') WHERE lower > '06000000-0000-0000-0000-000000000000'
SQL

like(ask("CALL uuid_create_partitions($_)"), qr/^cannot create partitions of width/, "$_ is refused")
  for q{'t', 'day', NULL}, q{'t', 'day', '1 day', NULL}, q{NULL, 'day', '1 day'},
  q{'t', 'day', '1 day', dry_run => NULL};
like(ask("CALL uuid_create_partitions('t', $_, '1 day')"), qr/^cannot partition by width/, "$_ is refused")
  for q{'fortnight'}, 'NULL';
like(
	ask(q{CALL uuid_create_partitions('t', 'day', 'infinity')}),
	qr/^(cannot create partitions of width|invalid input syntax for type interval)/,
	'there is an end');

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
CALL uuid_create_partitions('model', 'month', '-1 day');
CREATE TABLE model_rest PARTITION OF model DEFAULT;
INSERT INTO kinds VALUES (1);
INSERT INTO model (id, kind) VALUES (uuidv7_at('2020-03-05'), 1);
CALL uuid_create_partitions('model', 'month', '-1 day');
SELECT to_regclass('model_2020_03') IS NOT NULL
SQL
# without numbers, names of its own, and what changes with its use
my $catalogs = <<'SQL';
CREATE FUNCTION words(tab text) RETURNS SETOF text LANGUAGE sql AS $$
SELECT regexp_replace((row - '{
	oid, attrelid, indexrelid, indrelid, conrelid, stxrelid, tgrelid, adrelid, relfilenode, reltype,
		relfrozenxid,
	relminmxid, reltoastrelid, relpages, reltuples, relallvisible, relallfrozen, conindid, conparentid,
		conbin,
	tgconstraint, tgconstrindid, tgparentid, attoptions, indexprs, indpred, relpartbound}'::text[])::text,
	tab || '|RI_ConstraintTrigger_._\d+', '', 'g')
FROM (
	SELECT to_jsonb(c) FROM pg_class c
	WHERE oid = tab::regclass OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = tab::regclass)
	UNION ALL
	SELECT to_jsonb(a) FROM pg_attribute a WHERE attrelid = tab::regclass
	UNION ALL
	SELECT to_jsonb(i) FROM pg_index i WHERE indrelid = tab::regclass
	UNION ALL
	SELECT to_jsonb(c) || jsonb_build_object('text', pg_get_constraintdef(oid))
	FROM pg_constraint c WHERE conrelid = tab::regclass
	UNION ALL
	SELECT to_jsonb(t) FROM pg_trigger t WHERE tgrelid = tab::regclass
	UNION ALL
	SELECT jsonb_build_object('number', adnum, 'text', pg_get_expr(adbin, adrelid))
	FROM pg_attrdef WHERE adrelid = tab::regclass
	UNION ALL
	SELECT to_jsonb(s) FROM pg_statistic_ext s WHERE stxrelid = tab::regclass
	UNION ALL
	SELECT to_jsonb(d) - 'objoid' FROM pg_description d WHERE objoid = tab::regclass) r(row)
$$;
SQL
ask($catalogs);
is(ask(<<"SQL"), '', "which differs in nothing from one by PARTITION OF: $_") for qw(model_2020_03);
(SELECT words('model_by_hand') EXCEPT ALL SELECT words('$_'))
UNION ALL
(SELECT words('$_') EXCEPT ALL SELECT words('model_by_hand'))
SQL
cmp_ok(ask(q{SELECT count(*) FROM words('model_by_hand')}), '>', 20, 'and much was compared');

#
# Rows that wait in the default partition, with all that may be attached to a table; by an owner who
# is no superuser
#
my $make = <<'SQL';
CREATE SCHEMA "A schema" AUTHORIZATION owner;
SET ROLE owner;
SET search_path = "A schema", public, keys;
CREATE TABLE kinds (kind int PRIMARY KEY);
INSERT INTO kinds SELECT generate_series(0, 9);
CREATE TABLE "The {n} ""log's""" (
	n int GENERATED ALWAYS AS IDENTITY,
	dropped int,
	"the key" uuid DEFAULT uuidv7() CONSTRAINT "a check" CHECK (uuid_v7_layout("the key") <> 'draft'),
	kind int NOT NULL REFERENCES kinds,
	half int GENERATED ALWAYS AS (kind / 2) STORED,
	PRIMARY KEY ("the key")
) PARTITION BY RANGE ("the key");
ALTER TABLE "The {n} ""log's""" DROP dropped;
CREATE TABLE "the rest" (
	kind int NOT NULL,
	more int,
	"the key" uuid NOT NULL CONSTRAINT "a check" CHECK (uuid_v7_layout("the key") <> 'draft'),
	n int NOT NULL,
	half int GENERATED ALWAYS AS (kind / 2) STORED
);
ALTER TABLE "the rest" DROP more;
ALTER TABLE "The {n} ""log's""" ATTACH PARTITION "the rest" DEFAULT;
CREATE INDEX "an index" ON "The {n} ""log's""" (kind);
CREATE TABLE "a child" (log uuid NOT NULL REFERENCES "The {n} ""log's""" ON DELETE CASCADE, line text);
CREATE TABLE other (log uuid, line text,
	CONSTRAINT "a key" FOREIGN KEY (log) REFERENCES "The {n} ""log's""" DEFERRABLE);
ALTER TABLE other ALTER CONSTRAINT "a key" DEFERRABLE INITIALLY DEFERRED;
CREATE TABLE unchecked (log uuid);
ALTER TABLE unchecked ADD FOREIGN KEY (log) REFERENCES "The {n} ""log's""" NOT VALID;
COMMENT ON CONSTRAINT "a key" ON other IS 'a log''s';
CREATE TABLE fired (op text, n int);
CREATE FUNCTION fire() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "A schema".fired VALUES (TG_OP, coalesce(NEW.n, OLD.n));
	RETURN NULL;
END $$;
CREATE TRIGGER fire AFTER INSERT OR DELETE OR UPDATE ON "The {n} ""log's"""
	FOR EACH ROW EXECUTE FUNCTION fire();
CREATE TRIGGER never AFTER INSERT OR DELETE OR UPDATE ON "The {n} ""log's"""
	FOR EACH ROW EXECUTE FUNCTION fire();
ALTER TABLE "The {n} ""log's""" DISABLE TRIGGER never;
CREATE TRIGGER always AFTER DELETE ON "the rest" FOR EACH ROW EXECUTE FUNCTION fire();
ALTER TABLE "the rest" ENABLE ALWAYS TRIGGER always;
INSERT INTO "The {n} ""log's""" (n, "the key", kind) OVERRIDING SYSTEM VALUE
SELECT n, uuidv7_at(timestamptz '2026-03-05' + n * interval '40 min'), n % 10
FROM generate_series(1, 5000) n;
INSERT INTO "The {n} ""log's""" ("the key", kind)
VALUES (gen_random_uuid(), 1), (uuidv7_at('2050-01-01'), 2), ('019c0000-0000-4000-8000-000000000000', 3);
INSERT INTO "a child" SELECT "the key", n FROM "The {n} ""log's""";
INSERT INTO other SELECT "the key", n FROM "The {n} ""log's""" WHERE n % 3 = 0;
TRUNCATE fired;
CREATE TABLE before AS SELECT * FROM "The {n} ""log's"""
SQL
my $in = 'SET search_path = "A schema", keys;';
my $rows = q{SELECT count(*), md5(string_agg(concat_ws(',', n, "the key", kind, half), ' ' ORDER BY n, }
  . q{"the key"))};
my $table = q{"A schema"."The {n} ""log's"""};
my $log = q{'"A schema"."The {n} ""log''s"""'};
is(ask($make), '', 'there is a table with odd names');
my $before = ask("$rows FROM \"A schema\".before");

my $dry = said("CALL uuid_create_partitions($log, 'month', '2 months', 'Europe/Berlin', dry_run => true)");
like(
	$dry,
	qr/^NOTICE:  would create a partition: since 2026-02-28 23:00:00\+00, until 2026-03-31 22:00:00\+00, with/m,
	'a dry run says what would be created');
is(ask(qq{SELECT count(*) FROM uuid_partitions($log)}), '1', 'and creates nothing');
my $said = said(
	"SET search_path = public;\nCALL keys.uuid_create_partitions($log, 'month', '2 months', "
	  . "'Europe/Berlin')",
	'-U', 'owner');
is(() = $said =~ /^NOTICE:  created partition/mg, () = $dry =~ /would create/g, 'it was right');
my $march = '"A schema"."The {n} ""log\'s""_2026_03"';
like(
	$said,
	qr/^NOTICE:  created partition \Q$march\E: since 2026-02-28 23:00:00\+00, until 2026-03-31 22:00:00\+00,/m,
	'a partition is created, and says so');
like(
	$said,
	qr/, with 9\d\d rows from the default partition\n(.*\n)*NOTICE:  created \d+ partitions of \Q$table\E$/m,
	'with its rows, and at the end how many there are');
like(
	$said,
	qr/\A(NOTICE:  created (?!.* with).*\n)+(NOTICE:  created .* with.*\n)+.*\z/,
	'those to come go first');
is(ask("$in $rows FROM $table"), $before, 'all rows are there');
is(ask("$in SELECT count(*) FROM \"the rest\""),
	'3', 'random keys and a time beyond are still in the default');
is( ask( <<"SQL"),
$in
SELECT (
		SELECT count(*)
		FROM $table l
		JOIN uuid_partitions($log) p ON p.partition = l.tableoid
		WHERE since IS NOT NULL AND ("the key" < lower OR "the key" >= upper)),
	(SELECT count(*) FROM fired),
	(SELECT count(*) FROM "a child" JOIN $table ON log = "the key"),
	(SELECT count(*) FROM other JOIN $table ON log = "the key")
SQL
	'0|0|5003|1667', 'each row is where it belongs, with its children, and no trigger has fired');
is(ask(<<"SQL"), <<'ROWS' =~ s/\n\z//r, 'foreign keys are as before');
$in
SELECT conrelid::regclass, conname, convalidated, condeferrable, condeferred, confdeltype,
	obj_description(oid)
FROM pg_constraint
WHERE confrelid = $log\::regclass AND conparentid = 0
ORDER BY 1
SQL
"a child"|a child_log_fkey|t|f|f|c|
other|a key|t|t|t|a|a log's
unchecked|unchecked_log_fkey|f|f|f|a|
ROWS
is(ask(<<"SQL"), <<'ROWS' =~ s/\n\z//r, 'triggers and owners are as before');
$in
SELECT tgname, count(*) - 1 = (SELECT count(*) FROM uuid_partitions($log)),
	string_agg(DISTINCT tgenabled::text, '')
FROM pg_trigger
JOIN pg_class ON pg_class.oid = tgrelid
WHERE NOT tgisinternal AND relnamespace = '"A schema"'::regnamespace
GROUP BY 1
ORDER BY 1;
SELECT DISTINCT relowner::regrole FROM pg_class WHERE oid IN (SELECT partition FROM uuid_partitions($log))
SQL
always|f|A
fire|t|O
never|t|D
owner
ROWS
is( said("CALL uuid_create_partitions($log, 'month', '2 months', 'Europe/Berlin')"),
	"NOTICE:  created 0 partitions of $table",
	'once more, there is nothing to do');

#
# Dropping
#
my $partitions = ask("SELECT count(*) FROM uuid_partitions($log)");
like(
	said("CALL uuid_drop_partitions($log, '100 days', false)", '-U', 'owner'),
	qr/^NOTICE:  kept partition \Q$march\E: 9\d\d rows of "A schema"\."a child" refer to it$/m,
	'a partition that rows refer to is kept, and says how many');
is(ask("$in SELECT count(*) FROM uuid_partitions($log); $rows " . "FROM $table"),
	"$partitions\n$before", 'nothing is dropped');
ask("$in DELETE FROM \"a child\"; DELETE FROM other");
like(
	said("CALL uuid_drop_partitions($log, '100 days')"),
	qr/^NOTICE:  would drop partition \Q$march\E: until 2026-03-31 22:00:00\+00, about \d+ rows, \d+ kB$/m,
	'a dry run by default');
is(ask("$in SELECT count(*) FROM uuid_partitions($log); $rows " . "FROM $table"),
	"$partitions\n$before", 'drops nothing');
like(
	said(
		"SET search_path = public;\nCALL keys.uuid_drop_partitions($log, '100 days', " . "false)",
		'-U', 'owner'),
	qr/\A(NOTICE:  dropped partition .*\n)+NOTICE:  dropped \d+ partitions of \Q$table\E, kept 0\z/,
	'the old are dropped');
is(ask(<<"SQL"), 't|0', 'with their rows, and no others');
$in
SELECT count(*) = (SELECT count(*) FROM before WHERE uuidv7_timestamp("the key")
		>= (SELECT min(since) FROM uuid_partitions($log)) OR uuidv7_timestamp("the key") IS NULL),
	(SELECT count(*) FROM uuid_partitions($log) WHERE until <= now() - interval '100 days')
FROM $table
SQL
ask('DROP SCHEMA "A schema" CASCADE');

ask(<<~'SQL');
	TRUNCATE log;
	INSERT INTO log VALUES (uuidv7_at('2025-06-01')), (uuidv7_at('2026-01-15')), (uuidv7_at('2080-01-01'))
	SQL
is( said(q{CALL uuid_drop_partitions('log', NULL, false)}),
	'NOTICE:  dropped 0 partitions of public.log, kept 0',
	'without an age nothing is dropped');
is(said(<<'SQL') =~ s/: until.*//mgr, <<'SAID' =~ s/\n\z//r, 'a partition with a key without a time is kept');
INSERT INTO log VALUES ('00000000-0000-4000-8000-000000000000');
CALL uuid_drop_partitions('log', '0 s', false)
SQL
NOTICE:  kept partition public.log_old: it holds keys of another version or layout, whose age is not known
NOTICE:  dropped partition public.log_01
NOTICE:  dropped 1 partitions of public.log, kept 1
SAID
is(said(<<'SQL') =~ s/, about.*//mgr, <<'SAID' =~ s/\n\z//r, 'one with an open beginning is detached');
DELETE FROM log WHERE id < '00000001-0000-0000-0000-000000000000';
CALL uuid_drop_partitions('log', '0 s', false, detach_only => true)
SQL
NOTICE:  detached partition public.log_old: until 2026-01-01 00:00:00+00
NOTICE:  detached 1 partitions of public.log, kept 0
SAID
is( ask(<<~'SQL'), "log_late\nlog_default\n1",
	SELECT partition FROM uuid_partitions('log');
	SELECT count(*) FROM log_old
	SQL
	'one with an open end, or the default, never is');

# what stands in the way
is(ask(<<'SQL'), '', 'there is a partition with a table below');
CREATE TABLE trips (id uuid PRIMARY KEY, after uuid REFERENCES trips) PARTITION BY RANGE (id);
CREATE TABLE trips_old PARTITION OF trips
	FOR VALUES FROM (uuidv7_min('2025-01-01')) TO (uuidv7_min('2025-02-01')) PARTITION BY RANGE (id);
CREATE TABLE trips_oldest PARTITION OF trips_old FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
INSERT INTO trips VALUES (uuidv7_at('2025-01-15'))
SQL
my $drop = q{CALL uuid_drop_partitions('trips', '1 day', false)};
foreach (
	[ 'CREATE VIEW in_way AS SELECT id FROM trips_old', 'view public.in_way depends on', 'DROP VIEW in_way' ],
	[
		'CREATE MATERIALIZED VIEW in_way AS TABLE trips_oldest',
		'materialized view public.in_way depends on',
		'DROP MATERIALIZED VIEW in_way'
	],
	[
		'CREATE TABLE in_way (trip uuid REFERENCES trips_old)',
		'constraint in_way_trip_fkey on table public.in_way',
		'DROP TABLE in_way'
	],
	[
		'ALTER EXTENSION uuidnew ADD TABLE trips_old',
		'cannot drop table .* because extension uuidnew requires it',
		'ALTER EXTENSION uuidnew DROP TABLE trips_old'
	],
	[
		'CREATE TABLE in_way (trip trips_old)',
		'column trip of table public.in_way depends on type',
		'DROP TABLE in_way'
	],
	[ 'UPDATE trips SET after = id', '1 rows of public.trips refer to it', 'UPDATE trips SET after = NULL' ])
{
	my ($statement, $reason, $away) = @$_;
	is(ask($statement), '', $statement);
	like(said($drop), qr/^NOTICE:  kept partition public\.trips_old: $reason/, 'it keeps a partition');
	is(ask("SELECT count(*) FROM trips; $away"), '1', 'with its rows');
}
like(
	said("CREATE VIEW in_way AS SELECT id FROM trips_old; $drop" =~ s/false\)/false, true)/r),
	qr/^NOTICE:  detached partition public\.trips_old: /,
	'a view does not keep it from being detached');

# children of a table above; more than one foreign key column
is(ask(<<'SQL'), '', 'there is a table below another that is referred to');
SET ROLE owner;
CREATE TABLE heard (id uuid PRIMARY KEY CHECK (uuidv7_is(id))) PARTITION BY RANGE (id);
CREATE TABLE heard_of PARTITION OF heard
	FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2100-01-01')) PARTITION BY RANGE (id);
CREATE TABLE heard_1 PARTITION OF heard_of FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2024-01-01'));
CREATE TABLE heard_2 PARTITION OF heard_of
	FOR VALUES FROM (uuidv7_min('2024-01-01')) TO (uuidv7_min('2025-01-01'));
CREATE TABLE heard_3 PARTITION OF heard_of
	FOR VALUES FROM (uuidv7_min('2025-01-01')) TO (uuidv7_min('2026-01-01'));
CREATE TABLE hears (id uuid REFERENCES heard);
INSERT INTO heard SELECT uuidv7_at(ts) FROM unnest('{2023-05-01, 2024-05-01}'::timestamptz[]) ts;
INSERT INTO hears SELECT id FROM heard;
CREATE TABLE pairs (id uuid CHECK (uuidv7_is(id)), no int, PRIMARY KEY (id, no)) PARTITION BY RANGE (id);
CREATE TABLE pairs_1 PARTITION OF pairs FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2024-01-01'));
CREATE TABLE of_pairs (id uuid, no int, FOREIGN KEY (no, id) REFERENCES pairs (no, id));
SQL
foreach ('true', 'false')
{
	my $verb = /true/ ? 'would drop' : 'dropped';
	is( said("CALL uuid_drop_partitions('heard_of', '1 day', $_)", '-U', 'owner') =~ s/: until.*//gr,
		<<"SAID" =~ s/\n\z//r, "children of the table above keep partitions: dry_run => $_");
NOTICE:  kept partition public.heard_1: 1 rows of public.hears refer to it
NOTICE:  kept partition public.heard_2: 1 rows of public.hears refer to it
NOTICE:  $verb partition public.heard_3
NOTICE:  $verb 1 partitions of public.heard_of, kept 2
SAID
}
like(
	said( <<'SQL'),
ALTER TABLE of_pairs DISABLE TRIGGER ALL;
INSERT INTO of_pairs VALUES (uuidv7_at('2023-01-01'), NULL);
ALTER TABLE of_pairs ENABLE TRIGGER ALL;
CALL uuid_drop_partitions('pairs', '1 day', false)
SQL
	qr/^NOTICE:  dropped partition public.pairs_1/, 'a key with a NULL in it refers to nothing');

is(ask(<<'SQL'), '', 'there is a table with old rows');
CREATE TABLE ages (id uuid PRIMARY KEY CHECK (uuidv7_is(id))) PARTITION BY RANGE (id);
CREATE TABLE ages_old PARTITION OF ages FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2020-01-01'));
INSERT INTO ages SELECT uuidv7_at('2019-01-01')
SQL
is( ask("CALL uuid_drop_partitions('ages', $_)"),
	'an age is not negative, and dry_run and detach_only are true or false',
	"$_ is refused") for q{'1 year', NULL}, q{'1 year', false, NULL}, q{'-1 year', false};
is(ask('SELECT count(*) FROM ages_old'), '1', 'and nothing is dropped');

is(said(<<'SQL'), <<'SAID' =~ s/\n\z//r, 'a guard that admits other versions does not give them away');
CREATE TABLE mixed (id uuid PRIMARY KEY CHECK (uuid_v7_layout(id) <> 'draft')) PARTITION BY RANGE (id);
CREATE TABLE mixed_1 PARTITION OF mixed FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2020-01-01'));
INSERT INTO mixed VALUES ('01600000-0000-4000-8000-000000000000');
CALL uuid_drop_partitions('mixed', '1 day', false)
SQL
NOTICE:  kept partition public.mixed_1: it holds keys of another version or layout, whose age is not known
NOTICE:  dropped 0 partitions of public.mixed, kept 1
SAID
is(ask(<<'SQL'), '0', 'a dry run does not read the partitions');
BEGIN;
SELECT seq_scan + idx_scan AS scans FROM pg_stat_xact_user_tables WHERE relid = 'ages_old'::regclass \gset
CALL uuid_drop_partitions('ages', '1 day');
SELECT seq_scan + idx_scan - :scans FROM pg_stat_xact_user_tables WHERE relid = 'ages_old'::regclass;
COMMIT
SQL

# foreign tables and tables without a leaf; a dry run within a transaction
is(ask(<<'SQL'), "public, keys|on\n0|0", 'a dry run leaves a transaction as it was');
CREATE TABLE kinds_of (id uuid CHECK (uuidv7_is(id))) PARTITION BY RANGE (id);
CREATE TABLE kinds_of_none PARTITION OF kinds_of
	FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2020-01-01')) PARTITION BY RANGE (id);
BEGIN ISOLATION LEVEL REPEATABLE READ;
CALL uuid_drop_partitions('kinds_of', '1 day');
SELECT current_setting('search_path'), current_setting('row_security');
COMMIT;
SELECT rows, bytes FROM uuid_partitions('kinds_of')
SQL
if (ask(q{SELECT count(*) FROM pg_available_extensions WHERE name = 'file_fdw'}))
{
	like(
		said( <<'SQL'),
CREATE EXTENSION file_fdw;
CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
CREATE FOREIGN TABLE kinds_of_far PARTITION OF kinds_of
	FOR VALUES FROM (uuidv7_min('2021-01-01')) TO (uuidv7_min('2022-01-01'))
	SERVER files OPTIONS (filename '/dev/null');
CALL uuid_drop_partitions('kinds_of', '1 day', false)
SQL
		qr/^NOTICE:  dropped partition public\.kinds_of_none:.*\n.*dropped partition public\.kinds_of_far:/,
		'a foreign partition is dropped');
}

#
# What keeps rows in the default partition, and what does not
#
is(ask(<<'SQL'), <<'ROWS' =~ s/\n\z//r, 'rows go to a partition beside one made by hand');
CREATE TABLE visits (id uuid PRIMARY KEY DEFAULT uuidv7()) PARTITION BY RANGE (id);
CREATE TABLE visits_hand PARTITION OF visits
	FOR VALUES FROM (uuidv7_min('2026-03-01')) TO ('019cac4a-5c00-7123-8123-123456789abc');
CREATE TABLE visits_rest PARTITION OF visits DEFAULT;
INSERT INTO visits SELECT uuidv7_at(timestamptz '2026-03-01' + n * interval '1 h')
FROM generate_series(1, 300) n;
CREATE TABLE visits_before AS SELECT * FROM uuid_partitions('visits') p
	WHERE partition = 'visits_hand'::regclass;
CALL uuid_create_partitions('visits', 'month', '1 month');
SELECT count(*) FROM visits_before JOIN uuid_partitions('visits') p USING (partition, lower, upper);
SELECT lower, until FROM uuid_partitions('visits') WHERE since > '2026-03-01' AND since < '2026-04-01';
SELECT count(*), (SELECT count(*) FROM visits_rest) FROM visits
SQL
1
019cac4a-5c00-7123-8123-123456789abc|2026-04-01 00:00:00+00
300|0
ROWS

is(ask(<<'SQL'), '500|0', 'more rows of one key than one would think are moved');
CREATE TABLE items (order_id uuid CHECK (uuidv7_is(order_id)), no int, PRIMARY KEY (order_id, no))
	PARTITION BY RANGE (order_id);
CREATE TABLE items_rest PARTITION OF items DEFAULT;
INSERT INTO items SELECT id, n FROM uuidv7_at('2026-03-05 12:00+00') id, generate_series(1, 500) n;
CALL uuid_create_partitions('items', 'month', '1 month');
SELECT count(*), (SELECT count(*) FROM items_rest) FROM items
SQL
is(ask(<<'SQL'), '2|0|O,D', 'so are those of a default partition that is partitioned, whose triggers stay');
CREATE TABLE deep (id uuid PRIMARY KEY CHECK (uuidv7_is(id)), n int) PARTITION BY RANGE (id);
CREATE TABLE deep_rest PARTITION OF deep DEFAULT PARTITION BY HASH (id);
CREATE TABLE deep_rest_0 PARTITION OF deep_rest FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE deep_rest_1 PARTITION OF deep_rest FOR VALUES WITH (MODULUS 2, REMAINDER 1);
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RAISE 'refused'; END$$;
CREATE TRIGGER refuse BEFORE DELETE ON deep FOR EACH ROW EXECUTE FUNCTION refuse();
ALTER TABLE deep_rest_1 DISABLE TRIGGER refuse;
INSERT INTO deep SELECT uuidv7_at(ts), 1 FROM unnest('{2026-03-05, 2026-03-06}'::timestamptz[]) ts;
CALL uuid_create_partitions('deep', 'month', '1 month');
SELECT count(*), (SELECT count(*) FROM deep_rest),
	(SELECT string_agg(tgenabled::text, ',' ORDER BY tgrelid) FROM pg_trigger
		WHERE tgrelid::regclass::text ~ '_rest_' AND NOT tgisinternal)
FROM deep
SQL
is(ask(<<'SQL'), '1|0', 'so are those of a table with a deferred foreign key and a trigger');
CREATE TABLE customers (id int PRIMARY KEY);
INSERT INTO customers VALUES (1);
CREATE TABLE sales (
	id uuid PRIMARY KEY DEFAULT uuidv7() CHECK (uuidv7_is(id)),
	customer int REFERENCES customers DEFERRABLE INITIALLY DEFERRED
) PARTITION BY RANGE (id);
CREATE TABLE sales_rest PARTITION OF sales DEFAULT;
CREATE TRIGGER refuse BEFORE DELETE ON sales FOR EACH ROW EXECUTE FUNCTION refuse();
INSERT INTO sales VALUES (uuidv7_at('2026-03-05 12:00+00'), 1);
CALL uuid_create_partitions('sales', 'month', '0');
SELECT count(*), (SELECT count(*) FROM sales_rest) FROM sales
SQL

# A partitioned child, and one of the table itself, cannot have its foreign key added again NOT VALID
# before 18
is(ask(<<'SQL'), '', 'there are rows in a default partition, and a partitioned child');
CREATE TABLE runs (id uuid PRIMARY KEY DEFAULT uuidv7(),
	after uuid REFERENCES runs DEFERRABLE INITIALLY DEFERRED)
	PARTITION BY RANGE (id);
CREATE TABLE runs_rest PARTITION OF runs DEFAULT;
CREATE TABLE laps (run uuid REFERENCES runs) PARTITION BY HASH (run);
CREATE TABLE laps_1 PARTITION OF laps FOR VALUES WITH (MODULUS 1, REMAINDER 0);
INSERT INTO runs SELECT uuidv7_at(ts) FROM unnest(ARRAY['2026-01-15', '2026-02-15', now()]) ts;
UPDATE runs SET after = id;
INSERT INTO laps SELECT id FROM runs
SQL
my $cannot =
  qr/rows since 2026-01-01 00:00:00\+00 stay in partition public\.runs_rest: the foreign key of partitioned table/;
like(
	said(q{CALL uuid_create_partitions('runs', 'month', '3 months')}),
	$major >= 18
	? qr/with 1 rows.*created 6 partitions/s
	: qr/\A(NOTICE:  created .*\n)+WARNING:  $cannot .*\nNOTICE:  created 3 .*\z/,
	'before PostgreSQL 18 they stay, with one warning, and the partitions to come are created');
is(ask(<<'SQL'), ($major >= 18 ? 0 : 3) . '|t|2|t|3', 'foreign keys and rows are as before');
SELECT (SELECT count(*) FROM runs_rest),
	(SELECT max(until) >= now() + interval '3 months' FROM uuid_partitions('runs') WHERE until IS NOT NULL),
	count(*),
	bool_and(convalidated),
	(SELECT count(*) FROM laps JOIN runs ON run = id)
FROM pg_constraint
WHERE confrelid = 'runs'::regclass AND contype = 'f' AND conparentid = 0
SQL

is( said_of_late( <<'SQL') =~ s/since .* stay/stay/gr, <<'SAID' =~ s/\n\z//r,
CREATE TABLE tree (id uuid PRIMARY KEY CHECK (uuidv7_is(id))) PARTITION BY RANGE (id);
CREATE TABLE branch PARTITION OF tree
	FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2100-01-01')) PARTITION BY RANGE (id);
CREATE TABLE branch_rest PARTITION OF branch DEFAULT;
CREATE TABLE leaves (id uuid REFERENCES tree ON DELETE CASCADE);
INSERT INTO tree SELECT uuidv7_at('2026-03-05');
INSERT INTO leaves SELECT id FROM tree;
CALL uuid_create_partitions('branch', 'day', '-1 day');
ALTER TABLE leaves DROP CONSTRAINT leaves_id_fkey,
	ADD FOREIGN KEY (id) REFERENCES branch_rest ON DELETE CASCADE;
CALL uuid_create_partitions('branch', 'day', '-1 day')
SQL
WARNING:  rows stay in partition public.branch_rest: a foreign key of table public.leaves refers to another table of the partition tree
WARNING:  rows stay in partition public.branch_rest: a foreign key of table public.leaves refers to another table of the partition tree
SAID
	'rows stay that a foreign key to another table of the tree would take for deleted');
is(ask('SELECT count(*) FROM leaves JOIN tree USING (id)'), '1', 'and what refers to them is there');

is(ask(<<'SQL'), '', 'there are rows that a constraint of later would refuse');
SET ROLE owner;
CREATE TABLE stuck (id uuid PRIMARY KEY CHECK (uuidv7_is(id)), n int) PARTITION BY RANGE (id);
CREATE TABLE stuck_rest PARTITION OF stuck DEFAULT;
INSERT INTO stuck
SELECT uuidv7_at(ts), CASE WHEN ts < '2026-02-01' THEN -1 ELSE 1 END
FROM generate_series(timestamptz '2026-01-15', '2026-03-15', '1 day') ts;
ALTER TABLE stuck ADD CONSTRAINT positive CHECK (n > 0) NOT VALID
SQL
my $refused = qr/new row for relation "stuck_2026_01" violates check constraint "positive"/;
like(
	said(q{CALL uuid_create_partitions('stuck', 'month', } . q{'1 day')}, '-U', 'owner'),
	qr/\A(NOTICE:\ \ created\ partition\ [^\n]*\n)+
	WARNING:\ \ rows\ since\ 2026-01-01\ 00:00:00\+00\ stay\ in\ partition\ public\.stuck_rest:\ $refused\n
	[^\n]*stuck_2026_02:\ [^\n]*,\ with\ 28\ rows\ [^\n]*\n[^\n]*stuck_2026_03:\ [^\n]*,\ with\ 15\ rows/x,
	'they stay, and the others are moved');
is(ask(<<'SQL'), '60|17', 'none is lost');
SELECT count(*), (SELECT count(*) FROM stuck_rest) FROM stuck;
ALTER TABLE stuck DROP CONSTRAINT positive;
CREATE TABLE of_stuck (id uuid REFERENCES stuck);
INSERT INTO of_stuck SELECT id FROM stuck_rest;
ALTER TABLE of_stuck OWNER TO clerk
SQL
like(
	said(q{CALL uuid_create_partitions('stuck', 'month', '3 months')}, '-U', 'owner'),
	qr/^WARNING:  rows since 2026-01-01 00:00:00\+00 stay in partition public\.stuck_rest: permission denied for table of_stuck\n/m,
	'somebody else\'s child keeps rows');
like(
	said(q{CALL uuid_create_partitions('stuck', 'month', '3 months')}),
	qr/^NOTICE:  created partition public\.stuck_2026_01: .*, with 17 rows/m,
	'whose owner may move them');
is( ask(<<~'SQL'),
	SELECT count(*), (SELECT count(*) FROM stuck_rest),
		(SELECT convalidated FROM pg_constraint WHERE conrelid = 'of_stuck'::regclass AND conparentid = 0)
			FROM stuck
	SQL
	'60|0|t', 'and they are moved');

is( ask("BEGIN ISOLATION LEVEL $_;\nCALL uuid_create_partitions('stuck', 'month', '1 day')"),
	'partitions are created in READ COMMITTED transactions only',
	"$_ is refused") for 'REPEATABLE READ', 'SERIALIZABLE';
is( ask(    "SET default_transaction_isolation = 'repeatable read';\nCALL uuid_drop_partitions('stuck', "
		  . "'1 day', false)"),
	'partitions are dropped in READ COMMITTED transactions only',
	'so it is for dropping');

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
is( said("CALL uuid_drop_partitions('hidden', '1 day', $_)", '-U', 'owner'),
	'ERROR:  query would be affected by row-level security policy for table "of_hidden"',
	"a child that is not seen is not left behind: dry_run => $_") for 'true', 'false';
foreach my $role ('owner', 'postgres')
{
	ask(q{CALL uuid_create_partitions('hidden', 'month', '0')}, '-U', $role);
	is(ask(<<'SQL'), 't|t|f|owner', "a partition that $role creates is as closed as the table");
SELECT relrowsecurity, relreplident = 'f', has_table_privilege('clerk', oid, 'SELECT'), relowner::regrole
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
is( ask(q{SELECT rows FROM uuid_partitions('hidden') WHERE since IS NULL}, '-U', 'clerk'),
	'query would be affected by row-level security policy for table "hidden_rest"',
	'rows that are not seen are not said to be none');
is(ask(<<'SQL'), 'permission denied for table hidden_rest', 'nor are they without the right to see them');
ALTER TABLE hidden_rest DISABLE ROW LEVEL SECURITY;
REVOKE SELECT ON hidden_rest FROM clerk;
SET ROLE clerk;
SELECT rows FROM uuid_partitions('hidden') WHERE since IS NULL
SQL
is(ask(<<'SQL'), 'i|1', 'a partition has the replica identity of the table by an index of its own');
CREATE TABLE changes (id uuid NOT NULL CHECK (uuidv7_is(id)), n int) PARTITION BY RANGE (id);
CREATE UNIQUE INDEX changes_id ON changes (id);
ALTER TABLE changes REPLICA IDENTITY USING INDEX changes_id;
CALL uuid_create_partitions('changes', 'month', '0');
SELECT relreplident, (SELECT count(*) FROM pg_index WHERE indrelid = pg_class.oid AND indisreplident)
FROM pg_class
WHERE relname ~ '^changes_2' AND relkind = 'r'
SQL

#
# Whatever the caller's search path has
#
is(ask(<<'SQL'), 't', 'traps are set');
CREATE SCHEMA evil;
DO $do$
DECLARE
	here record;
BEGIN
	FOR here IN
		SELECT oprname, oprleft::regtype AS l, oprright::regtype AS r, oprresult::regtype AS result
		FROM pg_operator
		WHERE oprname IN ('=', '<>', '<', '<=', '>', '>=', '+', '-', '||', '*', '/', '%')
			AND oprleft <> 0
			AND oprresult <> 0
	LOOP
		BEGIN
			EXECUTE format('CREATE FUNCTION evil.trap(%s, %s) RETURNS %s LANGUAGE plpgsql AS '
				'$f$BEGIN RAISE ''caught''; END$f$', here.l, here.r, here.result);
		EXCEPTION WHEN duplicate_function OR invalid_function_definition THEN
			CONTINUE;
		END;
		EXECUTE format('CREATE OPERATOR evil.%s (FUNCTION = evil.trap, LEFTARG = %s, RIGHTARG = %s)',
			here.oprname, here.l, here.r);
	END LOOP;
	FOR here IN
		SELECT DISTINCT ON (proname, proargtypes) proname, prorettype::regtype AS result,
			regexp_replace(pg_get_function_identity_arguments(oid), '[a-z_]+ (?=anyarray|text)', '',
				'g') AS args
		FROM pg_proc
		WHERE pronamespace = 'pg_catalog'::regnamespace
			AND NOT '"any"'::regtype = ANY (proargtypes::oid[])
			AND prokind = 'f'
			AND proname IN ('now', 'lower', 'set_config', 'current_setting', 'date_trunc', 'array_position',
				'pg_get_constraintdef', 'to_char', 'pg_sleep', 'random', 'left', 'pg_size_pretty',
					'isfinite',
				'pg_get_expr', 'unnest', 'length')
	LOOP
		EXECUTE format('CREATE FUNCTION evil.%I(%s) RETURNS %s LANGUAGE plpgsql AS '
			'$f$BEGIN RAISE ''caught''; END$f$', here.proname, here.args, here.result);
	END LOOP;
	FOR here IN SELECT unnest('{text, timestamptz, uuid, record, int4, int8, bool}'::text[]) AS name LOOP
		EXECUTE format('CREATE TYPE evil.%I AS ENUM (''caught'')', here.name);
	END LOOP;
END $do$;
SELECT count(*) > 100 FROM pg_proc WHERE pronamespace = 'evil'::regnamespace
SQL
my $this_week = ask(q{SELECT to_char(now(), 'IYYY"w"IW')});
is(said(<<'SQL') =~ s/: since.*|: until.*//mgr, <<"SAID" =~ s/\n\z//r, 'none is called');
CREATE TABLE public.trapped (id uuid PRIMARY KEY, line text) PARTITION BY RANGE (id);
CREATE TABLE public.trapped_rest PARTITION OF public.trapped DEFAULT;
CREATE TABLE public.of_trapped (id uuid REFERENCES public.trapped);
INSERT INTO public.trapped
SELECT keys.uuidv7_at(timestamptz '2026-03-01' + n * interval '1 h') FROM generate_series(1, 300) n;
INSERT INTO public.of_trapped SELECT id FROM public.trapped;
SET search_path = evil, pg_catalog;
CALL keys.uuid_create_partitions('public.trapped', 'week', interval '0 h', layout => 'rfc9562');
DELETE FROM public.of_trapped;
CALL keys.uuid_drop_partitions('public.trapped', interval '1 day', false)
SQL
NOTICE:  created partition public.trapped_$this_week
NOTICE:  created partition public.trapped_2026w09
NOTICE:  created partition public.trapped_2026w10
NOTICE:  created partition public.trapped_2026w11
NOTICE:  created 4 partitions of public.trapped
NOTICE:  dropped partition public.trapped_2026w09
NOTICE:  dropped partition public.trapped_2026w10
NOTICE:  dropped partition public.trapped_2026w11
NOTICE:  dropped 3 partitions of public.trapped, kept 0
SAID
ask('RESET search_path; DROP SCHEMA evil CASCADE');

#
# Beside others: readers of the table, of a child, of the default; renames
#

# A call in a session of its own, begun; its messages come with finish
sub begin_call
{
	my ($call, $said) = @_;
	return IPC::Run::start([ 'psql', '-Xq', '-d', $node->connstr('postgres'), '-c', $call ], '2>', $said);
}

# Waits until somebody waits for a lock on a table.
sub wait_for_lock
{
	my ($relation) = @_;
	$node->poll_query_until('postgres', <<"SQL") or die "nobody waits for $relation";
SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND relation = '$relation'::regclass)
SQL
	return;
}

is(ask(<<'SQL'), '', 'there is a table without a default partition');
CREATE TABLE open (id uuid PRIMARY KEY
	CHECK (uuidv7_is(id)), customer int REFERENCES customers) PARTITION BY RANGE (id);
CREATE TABLE of_open (id uuid REFERENCES open)
SQL
my $reader = hold('SELECT count(*) FROM open, of_open, customers');
like(
	said(q{SET lock_timeout = '1ms'; CALL uuid_create_partitions('open', 'month', '3 months')}),
	qr/NOTICE:  created 4 partitions of public\.open/,
	'where there is no default partition, ' . 'readers do not keep it from getting others');
let_go($reader);

is(ask(<<'SQL'), '', 'there is a table with a late row and a child');
CREATE TABLE late (id uuid PRIMARY KEY CHECK (uuidv7_is(id))) PARTITION BY RANGE (id);
CREATE TABLE late_rest PARTITION OF late DEFAULT;
CREATE TABLE of_late (id uuid REFERENCES late);
INSERT INTO late SELECT uuidv7_at(ts) FROM unnest('{2026-03-05, 2026-04-05}'::timestamptz[]) ts
SQL
$reader = hold('SELECT count(*) FROM of_late');
my $of_lock =
  qr/rows since 2026-03-01 00:00:00\+00 stay in partition public\.late_rest: canceling statement due to lock timeout/;
like(
	said(q{SET lock_timeout = '10ms'; CALL uuid_create_partitions('late', 'month', '3 months')}),
	qr/\A(NOTICE:  created partition .*\n){4}WARNING:  $of_lock\nNOTICE:  created 4 partitions of public\.late\z/,
	'a reader of a child keeps rows, but no partition to come');
let_go($reader);
$reader = hold('SELECT count(*) FROM late_rest');
is( said(q{SET lock_timeout = '10ms'; CALL uuid_create_partitions('late', 'month', '5 months')}),
	'ERROR:  canceling statement due to lock timeout',
	'one of the default partition keeps both');
let_go($reader);

# the locks of a move do not wait for longer than half a second all together
my $children = join ', ', map { "of_late_$_" } 1 .. 8;
ask(join ";\n", map { "CREATE TABLE $_ (id uuid REFERENCES late)" } split /, /, $children);
$reader = hold("LOCK TABLE $children IN ACCESS SHARE MODE");
my $call = begin_call(q{CALL uuid_create_partitions('late', 'month', '3 months')}, \my $of_wait);
wait_for_lock('of_late_1');
is(ask(<<~'SQL'), '2', 'a reader of the table goes on within half a second');
	SET statement_timeout = '600ms';
	SELECT count(*) FROM late
	SQL
let_go($reader);
$call->finish;
like($of_wait, qr/with 1 rows.*with 1 rows/s, 'and the rows are moved then');

is(ask(<<'SQL'), '', 'there are old partitions');
CREATE TABLE turns (id uuid PRIMARY KEY CHECK (uuidv7_is(id))) PARTITION BY RANGE (id);
CREATE TABLE turns_1 PARTITION OF turns FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2020-01-01'));
CREATE TABLE turns_2 PARTITION OF turns
	FOR VALUES FROM (uuidv7_min('2020-01-01')) TO (uuidv7_min('2021-01-01'));
CREATE TABLE turns_3 PARTITION OF turns
	FOR VALUES FROM (uuidv7_min('2022-01-01')) TO (uuidv7_min('2023-01-01'));
CREATE TABLE turns_4 PARTITION OF turns
	FOR VALUES FROM (uuidv7_min('2023-01-01')) TO (uuidv7_min('2024-01-01'))
SQL
{
	my $holder = hold('LOCK TABLE turns_1 IN ACCESS SHARE MODE');
	local $ENV{PGOPTIONS} = '-c lock_timeout=20s';
	my $drop = begin_call(q{CALL uuid_drop_partitions('turns', '1 day', false)}, \my $of_drop);
	wait_for_lock('turns_1');
	my $changer = begin_call(<<'SQL', \my $changed);
BEGIN;
ALTER TABLE turns DETACH PARTITION turns_2;
ALTER TABLE turns ATTACH PARTITION turns_2
	FOR VALUES FROM (uuidv7_min('2020-01-01')) TO (uuidv7_min('2022-01-01'));
INSERT INTO turns SELECT uuidv7_at('2021-06-01');
DROP TABLE turns_3;
COMMIT
SQL
	wait_for_lock('turns');
	let_go($holder);
	$_->finish for $changer, $drop;
	is($of_drop =~ s/: until.*$//mgr, <<'SAID', 'what another session has changed meanwhile is kept');
NOTICE:  dropped partition public.turns_1
NOTICE:  kept partition public.turns_2: another session has changed it
NOTICE:  dropped partition public.turns_4
NOTICE:  dropped 2 partitions of public.turns, kept 1
SAID
	is(ask('SELECT count(*) FROM turns'), '1', 'with rows that it was not asked about');
}
is(ask(<<'SQL'), '', 'there are an old partition and a new one');
CREATE TABLE names (id uuid PRIMARY KEY CHECK (uuidv7_is(id))) PARTITION BY RANGE (id);
CREATE TABLE names_old PARTITION OF names FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2020-01-01'));
CREATE TABLE names_new PARTITION OF names
	FOR VALUES FROM (uuidv7_min('2020-01-01')) TO (uuidv7_min('2070-01-01'));
INSERT INTO names SELECT uuidv7()
SQL
{
	my $holder = hold('LOCK TABLE ONLY names IN ACCESS SHARE MODE');
	my $drop = begin_call(q{CALL uuid_drop_partitions('names', '1 day', false)}, \my $of_drop);
	wait_for_lock('names');
	$holder->query('ALTER TABLE names_old RENAME TO names_gone; ALTER TABLE names_new RENAME TO names_old');
	let_go($holder);
	$drop->finish;
	like(
		$of_drop,
		qr/^NOTICE:  dropped partition public\.names_gone: /,
		'a partition that is renamed meanwhile is dropped');
	is(ask(<<~'SQL'), '1|1', 'and not the one that has its name');
		SELECT count(*), (SELECT count(*) FROM names_old) FROM names
		SQL
}
is(ask(<<'SQL'), '', 'there is a table with two old partitions');
SET ROLE owner;
CREATE TABLE pending (id uuid PRIMARY KEY CHECK (uuidv7_is(id)), n int) PARTITION BY RANGE (id);
CREATE TABLE pending_1 PARTITION OF pending FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2024-01-01'));
CREATE TABLE pending_2 PARTITION OF pending
	FOR VALUES FROM (uuidv7_min('2024-01-01')) TO (uuidv7_min('2025-01-01'))
SQL
my $holder = hold('SELECT count(*) FROM pending');
$node->psql(
	'postgres',
	'ALTER TABLE pending DETACH PARTITION pending_1 CONCURRENTLY',
	connstr => $node->connstr('postgres') . q{ options='-c statement_timeout=1s'});
let_go($holder);
is( said(q{CALL uuid_drop_partitions('pending', '1 day', false)}, '-U', 'owner') =~ s/: until.*//gr,
	<<'SAID' =~ s/\n\z//r, 'a partition that is being detached is kept');
NOTICE:  kept partition public.pending_1: The partition is being detached concurrently or has an unfinished detach.
NOTICE:  dropped partition public.pending_2
NOTICE:  dropped 1 partitions of public.pending, kept 1
SAID

#
# Beside writers, beside each other, and killed.  What a writer was told is committed stands in "told".
#
my $writer = $node->basedir . '/writer.sql';
append_to_file($writer, <<'SQL');
\set late random(0, 4000)
BEGIN;
INSERT INTO orders (id, n) VALUES (uuidv7_at(now() - :late * interval '1 hour'), :client_id)
RETURNING id AS id \gset
INSERT INTO items VALUES (':id', 1), (':id', 2);
INSERT INTO told VALUES (':id');
COMMIT;
SQL
my @rate = $quick ? ('-c', '2', '-R', '40') : ('-c', '4');    # which leaves other tests a processor
my $kept = $soak ? 200000 : $quick ? 20000 : 50000;
my $tries = $soak ? 8 : $quick ? 2 : 4;

sub start_writers
{
	my ($out) = @_;

	# nobody waits for longer than a period is moved
	local $ENV{PGOPTIONS} = '-c lock_timeout=20s';
	return IPC::Run::start([ 'pgbench', '-n', '-T', '600', @rate, '-f', $writer, $node->connstr('postgres') ],
		'>', $out, '2>&1');
}
foreach my $round (1 .. ($soak ? 20 : 1))
{
	ask(<<"SQL");
DROP TABLE IF EXISTS items, orders, told;
CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT uuidv7() CHECK (uuid_v7_layout(id) = 'rfc9562'), n int)
	PARTITION BY RANGE (id);
CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
CREATE TABLE items (id uuid NOT NULL REFERENCES orders ON DELETE CASCADE, no int, PRIMARY KEY (id, no));
CREATE TABLE told (id uuid);
INSERT INTO orders SELECT uuidv7_at(now() - n * interval '160 days' / $kept)
FROM generate_series(1, $kept) n;
INSERT INTO items SELECT id, 1 FROM orders;
INSERT INTO told SELECT id FROM orders
SQL
	my $out = '';
	my $pgbench = start_writers(\$out);
	my $call = q{CALL uuid_create_partitions('orders', 'week', '1 month')};
	$node->poll_query_until('postgres', "SELECT count(*) > $kept + 50 FROM orders") or die 'nobody writes';
	my $cut = 0;
	for my $try (1 .. $tries)
	{
		my @both = map { begin_call($call, \my $discarded) } 1, 2;

		# after some more periods, by lot, or soon where few are left
		my $end = ask('SELECT count(*) FROM orders_rest') - (1 + int rand 4) * $kept / 24;
		my $running = sub {
			return grep {
				my $run = $_;
				eval { $run->pump_nb; 1 }
			} @both;
		};
		select undef, undef, undef, 0.02
		  until ask("SELECT count(*) < $end FROM orders_rest") eq 't' || !$running->();
		select undef, undef, undef, rand 0.05;
		$cut++ if $running->();
		if ($try % 2)
		{
			ask(<<~'SQL');
				SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'CALL uuid_create%'
				SQL
			$_->finish for @both;
		}
		else
		{
			$node->stop('immediate');
			$_->finish for @both, $pgbench;
			$node->start;
			$pgbench = start_writers(\$out);
		}
		is(ask('SELECT count(*) FROM told WHERE NOT EXISTS (SELECT FROM orders o WHERE o.id = told.id)'),
			'0', "round $round, kill $try: no row is missing");
	}
	cmp_ok($cut, '>', 0, "round $round: kills came in the middle");
	my @end = ('') x 3;
	$_->finish for map { begin_call($call, \$end[$_]) } 0 .. 2;
	unlike("@end", qr/ERROR/, "round $round: three at a time come to their end");
	$pgbench->signal('TERM');
	$pgbench->finish;
	unlike($out, qr/lock timeout|deadlock|violates/, "round $round: no writer failed or waited for long");
	ask($call);
	is( ask( <<"SQL"),
SELECT (SELECT count(*) FROM told WHERE NOT EXISTS (SELECT FROM orders o WHERE o.id = told.id)),
	(SELECT count(*) FROM orders) - (SELECT count(*) FROM told),
	(SELECT count(*) FROM items i WHERE NOT EXISTS (SELECT FROM orders o WHERE o.id = i.id)),
	(SELECT count(*) FROM orders_rest),
	(SELECT count(*) FROM orders) > $kept + 50,
	(SELECT count(*) FROM pg_constraint
		WHERE conrelid = 'items'::regclass AND contype = 'f' AND conparentid = 0),
	(SELECT count(*) FROM orders) - count(DISTINCT id)
FROM orders
SQL
		'0|0|0|0|t|1|0', "round $round: all rows are in their partitions, once, with their children");
}

$node->stop;
done_testing();
