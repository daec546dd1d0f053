# uuid_partitions, uuid_create_partitions and uuid_drop_partitions: periods in their time zone, both
# layouts, rows that wait in the default partition, children, odd names; beside each other, beside
# writers, and when sessions and the server are killed.
use strict;
use warnings FATAL => 'all';

use FindBin;
use IPC::Run;
use List::Util qw(shuffle);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Session 'kept after errors';

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "timezone = 'UTC'\njit = off\nautovacuum = off\nlog_min_messages = fatal");
$node->start;
$node->safe_psql('postgres', 'CREATE ROLE owner LOGIN; CREATE ROLE clerk LOGIN');
$node->safe_psql('postgres', $_)
  for 'CREATE SCHEMA keys; CREATE EXTENSION uuidnew SCHEMA keys; GRANT USAGE ON SCHEMA keys TO PUBLIC',
  'GRANT ALL ON SCHEMA public TO owner', 'ALTER DATABASE postgres SET search_path = public, keys';

# What psql gives: results, or the SQLSTATE and message of the error
sub ask
{
	my ($sql, @options) = @_;
	my ($status, $stdout, $stderr) = $node->psql('postgres', $sql, on_error_stop => 1, extra_params => \@options);
	return $status ? join "\n", grep { $_ ne '' } $stdout, $stderr =~ /ERROR:  (.*)/g : $stdout;
}

# What a procedure says
sub notices
{
	my ($sql, @options) = @_;
	my ($status, $stdout, $stderr) = $node->psql('postgres', $sql, on_error_stop => 1, extra_params => \@options);
	return join "\n", $stderr =~ /(?:NOTICE|ERROR):  (.*)/g;
}

my $soak = $ENV{UUIDNEW_SOAK};
my $quick = $ENV{UUIDNEW_QUICK};

#
# Periods.  130 days have a change of the clocks in them, and so has a year of months; but the more
# there are, the longer each takes.  In --quick time zones are drawn by lot, and so is a width with layout draft.
#
my $seed = $ENV{PARTITIONS_SEED} // int(rand(1_000_000));
note("PARTITIONS_SEED=$seed") if $quick;
srand($seed);
my ($of_draft) = shuffle(qw(hour day week month quarter year));
my @zones = ('America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu');
foreach my $layout ('rfc9562', 'draft')
{
	my $default = $layout eq 'draft' ? 'uuid_generate_v7()' : 'uuidv7()';
	foreach my $case (
		$quick
		? ([ hour => '11 hours' ], [ day => '11 days' ], [ week => '11 weeks' ], [ month => '1 year' ], [ quarter => '3 years' ], [ year => '11 years' ])
		: ([ hour => '1 day' ], [ day => '130 days' ], [ week => '30 weeks' ], [ month => '2 years' ], [ quarter => '5 years' ], [ year => '20 years' ]))
	{
		my ($width, $ahead) = @$case;
		next if $quick && $layout eq 'draft' && $width ne $of_draft;
		foreach my $zone ($quick && $layout ne 'draft' && $width =~ /hour|day|month/ ? $zones[ rand @zones ] : @zones)
		{
			next if $zone ne 'America/New_York' && ($layout eq 'draft' || $width !~ /hour|day|month/);
			my $name = "$layout, $width, $zone";
			ask(qq{DROP TABLE IF EXISTS t;
CREATE TABLE t (id uuid PRIMARY KEY DEFAULT $default CHECK (uuid_v7_layout(id) = '$layout')) PARTITION BY RANGE (id);
CALL uuid_create_partitions('t', '$width', '$ahead', '$zone')});
			is( ask(qq{
SELECT count(*) > 10, min(since) = date_trunc('$width', now(), '$zone'), max(until) >= now() + '$ahead' AND max(since) < now() + '$ahead',
	bool_and(since = date_trunc('$width', since, '$zone') OR '$width' = 'hour'),
	bool_and(lower = uuid_v7_min(since, '$layout') AND upper = uuid_v7_min(until, '$layout')),
	bool_and(next IS NULL OR upper = next),
	bool_and(until - since BETWEEN '30 min' AND '1 hour') OR '$width' <> 'hour', count(DISTINCT partition) = count(*)
FROM (SELECT *, lead(lower) OVER (ORDER BY lower) AS next FROM uuid_partitions('t')) p}),
				't|t|t|t|t|t|t|t', "$name: periods without a gap, from now on");
			is(ask("CALL uuid_create_partitions('t', '$width', '$ahead', '$zone'); SELECT count(*) > 10 FROM uuid_partitions('t')"),
				't', "$name: once more");
			is(ask(q{INSERT INTO t DEFAULT VALUES; SELECT tableoid = (SELECT partition FROM uuid_partitions('t') WHERE now() >= since AND now() < until) FROM t}),
				't', "$name: a row of now goes where it should");
		}
	}
}

# another width goes on where the last ended
ask(q{DROP TABLE t; CREATE TABLE t (id uuid PRIMARY KEY DEFAULT uuidv7()) PARTITION BY RANGE (id);
CALL uuid_create_partitions('t', 'month', '1 month'); CALL uuid_create_partitions('t', 'week', '4 months')});
is( ask(q{SELECT bool_and(next IS NULL OR upper = next), count(*) FILTER (WHERE until - since < '7 days') <= 1, max(until) > now() + interval '4 months'
FROM (SELECT *, lead(lower) OVER (ORDER BY lower) AS next FROM uuid_partitions('t')) p}), 't|t|t', 'from months to weeks');

#
# Bounds and layouts
#
ask(q{CREATE TABLE log (id uuid PRIMARY KEY, line text) PARTITION BY RANGE (id);
CREATE TABLE log_old PARTITION OF log FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2026-01-01'));
CREATE TABLE log_01 PARTITION OF log FOR VALUES FROM (uuidv7_min('2026-01-01')) TO (overlay(overlay(uuidv7_min('2026-02-01')::text PLACING '0' FROM 15) PLACING '0' FROM 20)::uuid);
CREATE TABLE log_late PARTITION OF log FOR VALUES FROM (uuidv7_min('2070-01-01')) TO (MAXVALUE);
CREATE TABLE log_default PARTITION OF log DEFAULT});
is( ask(q{SELECT partition, since, until, rows, lower IS NULL, upper IS NULL FROM uuid_partitions('log')}),
	"log_old|-infinity|2026-01-01 00:00:00+00|0|t|f\nlog_01|2026-01-01 00:00:00+00|2026-02-01 00:00:00+00|0|f|f\n"
	  . "log_late|2070-01-01 00:00:00+00|infinity|0|f|t\nlog_default|||0|t|t",
	'open ends are infinite, and a bound by hand has its time');
is(ask(q{INSERT INTO log VALUES (gen_random_uuid()), (uuidv7_at('2026-05-01')); SELECT rows > 0 FROM uuid_partitions('log') WHERE since IS NULL}),
	't', 'rows in the default partition are seen');
my $cannot = qr/^column "id" of table public.log holds layout "rfc9562", not "draft"$/;
foreach (
	[ q{ALTER TABLE log ADD CHECK (uuid_v7_layout(id) = 'rfc9562') NOT VALID}, $cannot ],
	[ q{ALTER TABLE log ADD CHECK (keys.uuid_v7_layout(id) <> 'draft') NOT VALID}, $cannot ],
	[ q{ALTER TABLE log ADD CHECK (uuid_v7_layout(id) IN ('rfc9562', 'none'))}, $cannot ],
	[ q{ALTER TABLE log ALTER id SET DEFAULT uuidv7()}, $cannot ],
	[ q{ALTER TABLE log ALTER id SET DEFAULT uuid_generate_v7('rfc9562')}, $cannot ],
	[ q{ALTER TABLE log ADD CHECK (uuid_v7_layout(id) <> 'rfc9562') NOT VALID}, qr/holds layout "draft", not "rfc9562"/, 'rfc9562' ],
	[ q{ALTER TABLE log ALTER id SET DEFAULT uuid_generate_v7()}, qr/holds layout "draft", not "rfc9562"/, 'rfc9562' ],
	[ 'SELECT', qr/^a bound of partition public.log_old is of layout "rfc9562", but column "id" of table public.log holds layout "draft"/ ],
	[ q{ALTER TABLE log ADD CHECK (uuid_v7_layout(id) = 'draft') NOT VALID}, qr/^a bound of partition public.log_old is of layout "rfc9562"/, undef ],
	[ q{ALTER TABLE log ADD CHECK (uuid_v7_layout(id) <> 'draft' OR line = 'x')}, qr/^a bound of/ ],
	[ 'SELECT', qr/^unknown layout "dratf"/, 'dratf' ])
{
	my ($statement, $error, @layout) = @$_;
	my $layout = @layout ? $layout[0] : 'draft';
	my $argument = defined $layout ? ", layout => '$layout'" : '';
	like(ask("BEGIN; $statement; SELECT FROM uuid_partitions('log'$argument)"), $error, "$statement: bounds of another layout are refused");
	like(ask("BEGIN; $statement; CALL uuid_create_partitions('log', 'day', '1 day'$argument)"), $error, 'nor is anything created') if $statement eq 'SELECT';
}
like(ask('CREATE TABLE bare (id uuid) PARTITION BY RANGE (id); SELECT * FROM uuid_partitions($$bare$$)'),
	qr/^cannot tell the layout of column "id" of table public.bare/, 'nothing says the layout');
is(ask(q{CALL uuid_create_partitions('bare', 'day', '0 days', layout => 'nanosecond'); SELECT count(*) FROM uuid_partitions('bare')}),
	'1', 'the period of now');
is(ask(q{CALL uuid_create_partitions('bare', 'DAY', '1 hour', layout => 'nanosecond'); SELECT sum(rows) FROM uuid_partitions('bare') WHERE lower > '06000000-0000-0000-0000-000000000000'}),
	'0', 'an argument does, and then the bounds');
like(ask(q{CALL uuid_create_partitions('t', 'day', 'infinity')}), qr/^(cannot create partitions of width|invalid input syntax for type interval)/, 'there is an end');
like(ask('SELECT * FROM uuid_partitions($$pg_class$$)'), qr/^table pg_class is not partitioned by ranges of a uuid column/, 'no such table');
like(ask($_), qr/^cannot create partitions of width/, $_)
  for q{CALL uuid_create_partitions('t', 'fortnight', '1 day')}, q{CALL uuid_create_partitions('t', 'day', NULL)},
  q{CALL uuid_create_partitions('t', NULL, '1 day')}, q{CALL uuid_create_partitions('t', 'day', '1 day', batch => 0)};

#
# Rows that wait in the default partition, with all that may be attached to a table; by an owner who is no superuser
#
my $make = q{
CREATE SCHEMA "A schema" AUTHORIZATION owner;
SET ROLE owner;
SET search_path = "A schema", public, keys;
CREATE TABLE kinds (kind int PRIMARY KEY);
INSERT INTO kinds SELECT generate_series(0, 9);
CREATE TABLE "The ""log's""" (
	n int GENERATED ALWAYS AS IDENTITY, dropped int, "the key" uuid DEFAULT uuidv7() CONSTRAINT "a check" CHECK (uuid_v7_layout("the key") <> 'draft'),
	kind int NOT NULL REFERENCES kinds, half int GENERATED ALWAYS AS (kind / 2) STORED, PRIMARY KEY ("the key")
) PARTITION BY RANGE ("the key");
ALTER TABLE "The ""log's""" DROP dropped;
CREATE TABLE "the rest" (kind int NOT NULL, more int, "the key" uuid NOT NULL CONSTRAINT "a check" CHECK (uuid_v7_layout("the key") <> 'draft'), n int NOT NULL, half int GENERATED ALWAYS AS (kind / 2) STORED);
ALTER TABLE "the rest" DROP more;
ALTER TABLE "The ""log's""" ATTACH PARTITION "the rest" DEFAULT;
CREATE INDEX "an index" ON "The ""log's""" (kind);
CREATE TABLE "a child" (log uuid NOT NULL REFERENCES "The ""log's""" ON DELETE CASCADE, line text);
CREATE TABLE other (log uuid REFERENCES "The ""log's""", line text);
ALTER TABLE other DROP CONSTRAINT other_log_fkey, ADD CONSTRAINT "a key" FOREIGN KEY (log) REFERENCES "The ""log's""" DEFERRABLE NOT VALID;
CREATE TABLE fired (op text, n int);
CREATE FUNCTION fire() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN INSERT INTO "A schema".fired VALUES (TG_OP, coalesce(NEW.n, OLD.n)); RETURN NULL; END$$;
CREATE TRIGGER fire AFTER INSERT OR DELETE OR UPDATE ON "The ""log's""" FOR EACH ROW EXECUTE FUNCTION fire();
CREATE TRIGGER never AFTER INSERT OR DELETE OR UPDATE ON "The ""log's""" FOR EACH ROW EXECUTE FUNCTION fire();
ALTER TABLE "The ""log's""" DISABLE TRIGGER never;
GRANT SELECT ON "The ""log's""" TO clerk;
INSERT INTO "The ""log's""" (n, "the key", kind) OVERRIDING SYSTEM VALUE
	SELECT n, uuidv7_at(timestamptz '2026-03-05' + n * interval '40 min'), n % 10 FROM generate_series(1, 5000) n;
INSERT INTO "The ""log's""" ("the key", kind) VALUES (gen_random_uuid(), 1), (uuidv7_at('2050-01-01'), 2), ('019c0000-0000-4000-8000-000000000000', 3);
INSERT INTO "a child" SELECT "the key", n FROM "The ""log's""";
INSERT INTO other SELECT "the key", n FROM "The ""log's""" WHERE n % 3 = 0;
TRUNCATE fired;
CREATE TABLE before AS SELECT * FROM "The ""log's""";
};
my $rows = q{SELECT count(*), md5(string_agg(concat_ws(',', n, "the key", kind, half), ' ' ORDER BY n, "the key")) FROM };
my $log = q{'"A schema"."The ""log''s"""'};
is(ask($make), '', 'a table with odd names');
my $before = ask("$rows \"A schema\".before");
my $said = notices("SET search_path = public; CALL keys.uuid_create_partitions($log, 'month', '2 months', 'Europe/Berlin', batch => 300)", '-U', 'owner');
like($said, qr/^created partition "A schema"\."The ""log's""_2026_03": since 2026-02-28 23:00:00\+00, until 2026-03-31 22:00:00\+00, with 9\d\d rows from the default partition$/m,
	'a partition is created, and says so');
like($said, qr/^created \d+ partitions of "A schema"\."The ""log's"""$/m, 'and how many');
is(ask(qq{SET search_path = "A schema"; $rows "The ""log's"""}), $before, 'all rows are there');
is( ask(qq{SET search_path = "A schema"; SELECT tableoid::regclass, n FROM "The ""log's""" l WHERE tableoid = '"the rest"'::regclass AND n BETWEEN 4 AND 1000}),
	'', 'those of these periods have left the default partition')
  or diag $said;
is( ask(qq{SET search_path = "A schema"; SELECT count(*) FROM "the rest"}), '3', 'where random keys and a time beyond stay');
is( ask(qq{SET search_path = "A schema"; SELECT count(*) FROM "The ""log's""" l JOIN keys.uuid_partitions($log) p ON p.partition = l.tableoid
WHERE since IS NOT NULL AND ("the key" < lower OR "the key" >= upper);
SELECT count(*) FROM fired;
SELECT conrelid::regclass, conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE confrelid = $log\::regclass AND conparentid = 0 ORDER BY 1;
SELECT count(*), (SELECT count(*) FROM other) FROM "a child" JOIN "The ""log's""" ON log = "the key";
SELECT tgname, count(*) - 1 = (SELECT count(*) FROM keys.uuid_partitions($log)), string_agg(DISTINCT tgenabled::text, '') FROM pg_trigger
WHERE NOT tgisinternal AND tgrelid::regclass::text ~ 'log|rest' GROUP BY 1 ORDER BY 1;
SELECT DISTINCT relowner::regrole FROM pg_class WHERE oid IN (SELECT partition FROM keys.uuid_partitions($log))}),
	join("\n", 0, 0, qq{"a child"|a child_log_fkey|FOREIGN KEY (log) REFERENCES "The ""log's"""("the key") ON DELETE CASCADE},
		qq{other|a key|FOREIGN KEY (log) REFERENCES "The ""log's"""("the key") DEFERRABLE NOT VALID},
		'5003|1667', 'fire|t|O', 'never|t|D', 'owner'),
	'rows, foreign keys, children and triggers are as before, and no trigger fired');
is(notices("CALL uuid_create_partitions($log, 'month', '2 months', 'Europe/Berlin')"),
	qq{created 0 partitions of "A schema"."The ""log's"""}, 'once more, nothing');

#
# Dropping
#
my $count = "SELECT count(*) FROM uuid_partitions($log)";
my $partitions = ask($count);
like(notices("CALL uuid_drop_partitions($log, '100 days')"), qr/^kept partition "A schema"\."The ""log's""_2026_03": 9\d\d rows of "A schema"\."a child" refer to it$/m,
	'children are not deleted unasked');
like(notices("CALL uuid_drop_partitions($log, '100 days', delete_children => true)"),
	qr/^would drop partition "A schema"\."The ""log's""_2026_03": until 2026-03-31 22:00:00\+00, about \d+ rows, \d+ kB, with 9\d\d rows of "A schema"\."a child", with \d+ rows of "A schema"\.other$/m,
	'a dry run by default');
is(ask("$count; SET search_path = \"A schema\"; $rows \"The \"\"log's\"\"\""), "$partitions\n$before", 'which drops nothing');
ask(qq{SET search_path = "A schema"; CREATE TABLE february AS SELECT "the key" FROM "The ""log's""" WHERE n IN (1, 1000)});
unlike(notices("SET search_path = public; CALL keys.uuid_drop_partitions($log, '100 days', dry_run => false, delete_children => true, batch => 500)", '-U', 'owner'),
	qr/kept|would|ERROR/, 'the old are dropped');
is( ask(qq{SET search_path = "A schema"; $count - 1 FROM keys.uuid_partitions($log) WHERE until <= now() - interval '100 days'} =~ s/SELECT count\(\*\) FROM uuid_partitions\(.*?\) - 1/SELECT count(*)/r), '0', 'none is left');
is( ask(qq{SET search_path = "A schema";
SELECT (SELECT count(*) FROM before WHERE keys.uuidv7_timestamp("the key") < (SELECT min(since) FROM keys.uuid_partitions($log))) + (SELECT count(*) FROM "The ""log's""") = (SELECT count(*) FROM before) + 0,
	(SELECT count(*) FROM "a child" WHERE log NOT IN (SELECT "the key" FROM "The ""log's""")), (SELECT count(*) FROM other WHERE log NOT IN (SELECT "the key" FROM "The ""log's""")),
	(SELECT count(*) FROM "a child") = (SELECT count(*) FROM "The ""log's""")}), 't|0|0|t', 'with their children and no others');
ask(qq{DROP SCHEMA "A schema" CASCADE});

ask(q{TRUNCATE log; INSERT INTO log VALUES (uuidv7_at('2025-06-01')), (uuidv7_at('2026-01-15')), (uuidv7_at('2080-01-01'))});
is(notices(q{CALL uuid_drop_partitions('log', NULL, false)}), '', 'no age, nothing dropped');
is( notices(q{INSERT INTO log VALUES ('00000000-0000-4000-8000-000000000000'); CALL uuid_drop_partitions('log', '0 s', false)}) =~ s/about.*//gr,
	"kept partition public.log_old: it holds keys of another version or layout, whose age is not known\n"
	  . 'dropped partition public.log_01: until 2026-02-01 00:00:00+00, ', 'keys without a time are kept');
is( notices(q{DELETE FROM log WHERE id < '00000001-0000-0000-0000-000000000000'; CALL uuid_drop_partitions('log', '0 s', false, detach_only => true)}) =~ s/about.*//gr,
	'detached partition public.log_old: until 2026-01-01 00:00:00+00, ', 'an open beginning is dropped, or detached');
is(ask(q{SELECT partition FROM uuid_partitions('log'); SELECT count(*) FROM log_old}), "log_late\nlog_default\n1", 'never an open end nor the default partition');
is(notices(q{CREATE VIEW late AS SELECT * FROM log_old; ALTER TABLE log ATTACH PARTITION log_old FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2026-01-01'));
CALL uuid_drop_partitions('log', '0 s', false)}), 'kept partition public.log_old: view public.late depends on it', 'nor with CASCADE');
is(ask(q{SELECT count(*) FROM uuid_partitions('log') WHERE until <= now()}), '1', 'which leaves it attached');

#
# What stands in the way, and what is somebody's own
#
is( ask(q{
CREATE TABLE trips (id uuid PRIMARY KEY, after uuid REFERENCES trips) PARTITION BY RANGE (id);
CREATE TABLE trips_old PARTITION OF trips FOR VALUES FROM (uuidv7_min('2025-01-01')) TO (uuidv7_min('2025-02-01')) PARTITION BY RANGE (id);
CREATE TABLE trips_oldest PARTITION OF trips_old FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
CREATE TABLE stops (trip uuid REFERENCES trips, line text);
INSERT INTO trips VALUES (uuidv7_at('2025-01-15'));
INSERT INTO stops SELECT id FROM trips;
CREATE TABLE before_trips AS SELECT * FROM stops}), '', 'a partition with children');
my $drop = q{CALL uuid_drop_partitions('trips', '1 day', false, true)};
foreach (
	[ 'CREATE VIEW in_way AS SELECT id FROM trips_old', 'view public.in_way depends on it', 'DROP VIEW in_way' ],
	[ 'CREATE MATERIALIZED VIEW in_way AS SELECT * FROM trips_oldest', 'materialized view public.in_way depends on it', 'DROP MATERIALIZED VIEW in_way' ],
	[ 'CREATE TABLE in_way (trip uuid REFERENCES trips_old)', 'constraint in_way_trip_fkey on table public.in_way depends on it', 'DROP TABLE in_way' ],
	[ 'ALTER EXTENSION uuidnew ADD TABLE trips_old', 'extension uuidnew depends on it', 'ALTER EXTENSION uuidnew DROP TABLE trips_old' ],
	[ 'CREATE TABLE in_way (trip trips_old)', 'column trip of table public.in_way depends on it', 'DROP TABLE in_way' ],
	[ 'UPDATE trips SET after = id', '1 rows of public.trips refer to it', 'UPDATE trips SET after = NULL' ])
{
	my ($statement, $reason, $away) = @$_;
	is(ask($statement), '', $statement);
	is(notices($_), "kept partition public.trips_old: $reason", 'in the way of a partition') for $drop, $drop =~ s/false/true/r;
	is(ask('TABLE stops EXCEPT TABLE before_trips; SELECT count(*) FROM stops'), '1', 'whose children stay');
	is(ask($away), '', $away);
}
like(notices("CREATE VIEW in_way AS SELECT id FROM trips_old; $drop" =~ s/true\)/true, detach_only => true)/r), qr/^detached partition public\.trips_old: .* with 1 rows of public\.stops$/,
	'a view does not keep it from being detached');

# A partition by hand ends where it ends; one that a stopped call left goes on
is( ask(q{
CREATE TABLE visits (id uuid PRIMARY KEY DEFAULT uuidv7()) PARTITION BY RANGE (id);
CREATE TABLE visits_hand PARTITION OF visits FOR VALUES FROM (uuidv7_min('2026-03-01')) TO ('019cac4a-5c00-7123-8123-123456789abc');
CREATE TABLE visits_rest PARTITION OF visits DEFAULT;
CREATE TABLE looks (id uuid REFERENCES visits);
COMMENT ON CONSTRAINT looks_id_fkey ON looks IS 'a look''s';
INSERT INTO visits SELECT uuidv7_at(timestamptz '2026-03-01' + n * interval '1 h') FROM generate_series(1, 300) n;
INSERT INTO looks SELECT id FROM visits;
CREATE TABLE visits_before AS SELECT p.partition, p.lower, p.upper FROM uuid_partitions('visits') p WHERE partition = 'visits_hand'::regclass;
CALL uuid_create_partitions('visits', 'month', '1 month', batch => 100);
SELECT count(*) FROM visits_before JOIN uuid_partitions('visits') p USING (partition, lower, upper);
SELECT since < '2026-03-04', until FROM uuid_partitions('visits') WHERE since > '2026-03-01' AND since < '2026-04-01';
SELECT count(*) FROM visits_rest; SELECT count(*) FROM visits;
SELECT obj_description(oid, 'pg_constraint'), convalidated FROM pg_constraint WHERE conrelid = 'looks'::regclass AND contype = 'f' AND conparentid = 0;
SELECT partition FROM uuid_partitions('visits') WHERE obj_description(partition, 'pg_class') IS NOT NULL}),
	"1\nt|2026-04-01 00:00:00+00\n0\n300\na look's|t", 'rows go to a partition beside that made by hand, and the foreign key has its comment');

# A child that is partitioned cannot have its foreign key dropped and added again before PostgreSQL 18
is( ask(q{
CREATE TABLE runs (id uuid PRIMARY KEY DEFAULT uuidv7(), line text) PARTITION BY RANGE (id);
CREATE TABLE runs_rest PARTITION OF runs DEFAULT;
CREATE TABLE laps (run uuid REFERENCES runs) PARTITION BY HASH (run);
CREATE TABLE laps_1 PARTITION OF laps FOR VALUES WITH (MODULUS 1, REMAINDER 0);
INSERT INTO runs VALUES (uuidv7_at('2026-01-15')), (uuidv7_at('2026-02-15')), (uuidv7_at(now()));
INSERT INTO laps SELECT id FROM runs}), '', 'rows in the default partition, and a partitioned child');
my $can_move = ask('SELECT current_setting($$server_version_num$$)::int >= 180000') eq 't';
$said = notices(q{CALL uuid_create_partitions('runs', 'month', '3 months')});
unlike($said, qr/ERROR/, 'are no error');
is(() = $said =~ /^rows since .* stay in partition public\.runs_rest: the foreign key of partitioned table public\.laps cannot be added again NOT VALID before PostgreSQL 18$/mg,
	$can_move ? 0 : 1, 'rows that cannot be moved stay, and it says why, once');
is( ask(q{SELECT count(*) FROM runs_rest; SELECT count(*) BETWEEN 3 AND 4 FROM uuid_partitions('runs') WHERE since > now(); SELECT max(until) >= now() + interval '3 months' FROM uuid_partitions('runs') WHERE until IS NOT NULL;
SELECT count(*), min(convalidated::text) FROM pg_constraint WHERE conrelid = 'laps'::regclass AND contype = 'f' AND conparentid = 0; SELECT count(*) FROM laps JOIN runs ON run = id}),
	($can_move ? 0 : 3) . "\nt\nt\n1|true\n3", 'partitions of times to come are created');

# A foreign key to the default partition, or to a table above, would take the rows that are moved for deleted
is( notices(q{
CREATE TABLE tree (id uuid PRIMARY KEY CHECK (uuidv7_is(id))) PARTITION BY RANGE (id);
CREATE TABLE branch PARTITION OF tree FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2100-01-01')) PARTITION BY RANGE (id);
CREATE TABLE branch_rest PARTITION OF branch DEFAULT;
CREATE TABLE leaves (id uuid REFERENCES tree ON DELETE CASCADE);
INSERT INTO tree SELECT uuidv7_at(now() - interval '100 days'); INSERT INTO leaves SELECT id FROM tree;
CALL uuid_create_partitions('branch', 'year', '0');
ALTER TABLE leaves DROP CONSTRAINT leaves_id_fkey, ADD FOREIGN KEY (id) REFERENCES branch_rest ON DELETE CASCADE;
CALL uuid_create_partitions('branch', 'day', '0')}) =~ s/^created.*\n?//mgr =~ s/since .* stay/since then stay/gr,
	"rows since then stay in partition public.branch_rest: a foreign key of table public.leaves refers to another table of the partition tree\n" x 2,
	'rows stay if a foreign key to another table of the tree would fire');
is(ask('SELECT count(*) FROM leaves JOIN tree USING (id)'), '1', 'and what refers to them is there');

# The first of two midnights; a name of many octets
is( ask(q{
CREATE TABLE "ключикупленныхигрушекижелезок" (id uuid PRIMARY KEY CHECK (uuidv7_is(id))) PARTITION BY RANGE (id);
CREATE TABLE midnight PARTITION OF "ключикупленныхигрушекижелезок" DEFAULT;
INSERT INTO "ключикупленныхигрушекижелезок" VALUES (uuidv7_at('2020-11-01 04:30+00'));
CALL uuid_create_partitions('"ключикупленныхигрушекижелезок"', 'day', '2 days', 'America/Havana');
SELECT since, until FROM uuid_partitions('"ключикупленныхигрушекижелезок"') LIMIT 1;
SELECT count(*), bool_and(partition::text ~ '_20\d\d_\d\d_\d\d"?$') FROM uuid_partitions('"ключикупленныхигрушекижелезок"') WHERE since IS NOT NULL}),
	"2020-10-31 04:00:00+00|2020-11-01 05:00:00+00\n4|t", 'two midnights of a day, and a name of many octets');

# Neither yes nor no drops nothing, nor does an age that is to come
is( ask(q{
CREATE TABLE ages (id uuid PRIMARY KEY CHECK (uuidv7_is(id))) PARTITION BY RANGE (id);
CREATE TABLE ages_old PARTITION OF ages FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2020-01-01'));
CREATE TABLE aged (id uuid REFERENCES ages); INSERT INTO ages SELECT uuidv7_at('2019-01-01'); INSERT INTO aged SELECT id FROM ages}), '', 'a table with old rows');
is(ask("CALL uuid_drop_partitions('ages', $_); SELECT"), 'an age is not negative, and dry_run, delete_children and detach_only are true or false', "$_: refused")
  for q{'1 year', NULL}, q{'1 year', false, NULL}, q{'1 year', false, true, NULL}, q{'-1 year', false};
is(ask('SELECT count(*) FROM aged JOIN ages USING (id)'), '1', 'and nothing is deleted');

#
# Whatever the caller's search path has
#
is( ask(q{
CREATE SCHEMA evil;
DO $do$
DECLARE
	r record;
BEGIN
	FOR r IN SELECT oprname, oprleft::regtype AS l, oprright::regtype AS r, oprresult::regtype AS result FROM pg_operator
		WHERE oprname IN ('=', '<>', '<', '<=', '>', '>=', '+', '-', '||', '*', '/', '%') AND oprleft <> 0 AND oprresult <> 0
	LOOP
		BEGIN
			EXECUTE format('CREATE FUNCTION evil.trap(%s, %s) RETURNS %s LANGUAGE plpgsql AS $f$BEGIN RAISE ''caught''; END$f$', r.l, r.r, r.result);
		EXCEPTION WHEN duplicate_function OR invalid_function_definition THEN
			CONTINUE;
		END;
		EXECUTE format('CREATE OPERATOR evil.%s (FUNCTION = evil.trap, LEFTARG = %s, RIGHTARG = %s)', r.oprname, r.l, r.r);
	END LOOP;
	FOR r IN SELECT DISTINCT ON (proname, proargtypes) proname, pg_get_function_identity_arguments(oid) AS args, prorettype::regtype AS result FROM pg_proc
		WHERE pronamespace = 'pg_catalog'::regnamespace AND NOT '"any"'::regtype = ANY (proargtypes::oid[]) AND proname IN ('now', 'lower', 'set_config', 'current_setting', 'date_trunc', 'coalesce',
			'pg_get_constraintdef', 'to_char', 'pg_sleep', 'random', 'greatest', 'array_agg', 'string_agg', 'left', 'pg_size_pretty', 'array_position') AND prokind = 'f'
	LOOP
		EXECUTE format('CREATE FUNCTION evil.%I(%s) RETURNS %s LANGUAGE plpgsql AS $f$BEGIN RAISE ''caught''; END$f$', r.proname, regexp_replace(r.args, '[a-z_]+ (?=anyarray|text)', '', 'g'), r.result);
	END LOOP;
END $do$;
CREATE TYPE evil.text AS ENUM ('caught'); CREATE TYPE evil.timestamptz AS ENUM ('caught'); CREATE TYPE evil.uuid AS ENUM ('caught'); CREATE TYPE evil.record AS ENUM ('caught');
CREATE TYPE evil.int4 AS ENUM ('caught'); CREATE TYPE evil.int8 AS ENUM ('caught'); CREATE TYPE evil.bool AS ENUM ('caught');
SELECT count(*) > 100 FROM pg_proc WHERE pronamespace = 'evil'::regnamespace}), 't', 'traps are set');
is( notices(q{CREATE TABLE public.trapped (id uuid PRIMARY KEY, line text) PARTITION BY RANGE (id);
CREATE TABLE public.trapped_rest PARTITION OF public.trapped DEFAULT;
CREATE TABLE public.of_trapped (id uuid REFERENCES public.trapped);
INSERT INTO public.trapped SELECT keys.uuidv7_at(timestamptz '2026-03-01' + n * interval '1 h') FROM generate_series(1, 300) n;
INSERT INTO public.of_trapped SELECT id FROM public.trapped;
SET search_path = evil, pg_catalog;
CALL keys.uuid_create_partitions('public.trapped', 'week', pg_catalog.interval(0) '0 h', layout => 'rfc9562', batch => 50);
CALL keys.uuid_drop_partitions('public.trapped', pg_catalog.interval(0) '1 day', false, true)} =~ s/pg_catalog\.interval\(0\)/interval/gr) =~ s/:.*//gr,
	"created partition public.trapped_2026w09\ncreated partition public.trapped_2026w10\ncreated partition public.trapped_2026w11\ncreated partition public.trapped_"
	  . ask(q{SELECT to_char(now(), 'IYYY"w"IW')}) . "\ncreated 4 partitions of public.trapped\n"
	  . "dropped partition public.trapped_2026w09\ndropped partition public.trapped_2026w10\ndropped partition public.trapped_2026w11",
	'none is called');

#
# Beside writers, beside each other, and killed.  What a writer was told is committed stands in "told".
#
my $writer = $node->basedir . '/writer.sql';
append_to_file($writer, q{
\set late random(0, 4000)
BEGIN;
INSERT INTO orders (id, n) VALUES (uuidv7_at(now() - :late * interval '1 hour'), :client_id) RETURNING id AS id \gset
INSERT INTO items VALUES (':id', 1), (':id', 2);
INSERT INTO told VALUES (':id');
COMMIT;
});
my @rate = $quick ? ('-c', '2', '-R', '40') : ('-c', '4');	# which leaves other tests a processor
my $kept = $soak ? 100000 : $quick ? 6000 : 25000;	# in so many batches, whichever
my $batches = $quick ? 12 : 50;
my $batch = $kept / $batches;
foreach my $round (1 .. ($soak ? 20 : 1))
{
	ask(qq{
DROP TABLE IF EXISTS items, orders, told;
CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT uuidv7() CHECK (uuid_v7_layout(id) = 'rfc9562'), n int) PARTITION BY RANGE (id);
CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
CREATE TABLE items (id uuid NOT NULL REFERENCES orders ON DELETE CASCADE, no int, PRIMARY KEY (id, no));
CREATE TABLE told (id uuid);
INSERT INTO orders SELECT uuidv7_at(now() - n * interval '14 days' / $kept) FROM generate_series(1, $kept) n;
INSERT INTO items SELECT id, 1 FROM orders;
INSERT INTO told SELECT id FROM orders});
	my $out = '';
	my $start = sub {
		# nobody waits for longer than some batches take
		local $ENV{PGOPTIONS} = '-c lock_timeout=20s';
		return IPC::Run::start([ 'pgbench', '-n', '-T', '600', @rate, '-f', $writer, $node->connstr('postgres') ], '>', \$out, '2>&1');
	};
	my $call = "CALL uuid_create_partitions('orders', 'week', '1 month', batch => $batch)";
	my $pgbench = $start->();
	$node->poll_query_until('postgres', "SELECT count(*) > $kept + 50 FROM orders") or die 'nobody writes';
	my $tries = $soak ? 8 : $quick ? 2 : 4;
	my $cut = 0;
	for my $try (1 .. $tries)
	{
		my ($o, $o2) = ('', '');
		my @both = map { IPC::Run::start([ 'psql', '-Xq', '-d', $node->connstr('postgres'), '-c', $call ], '>', \$o, '2>', \$o2) } 1, 2;
		# in a batch that is drawn by lot
		my $left = ask('SELECT count(*) FROM orders_rest') - $batch * int rand $batches / $tries;
		my $go_on = sub { return grep { my $run = $_; eval { $run->pump_nb; 1 } } @both };
		select undef, undef, undef, 0.02 until ask("SELECT count(*) < $left FROM orders_rest") eq 't' || !$go_on->();
		select undef, undef, undef, rand 0.05;
		$cut++ if $go_on->();
		if ($try % 2)
		{
			$node->safe_psql('postgres', q{SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'CALL uuid_create%'});
			$_->finish for @both;
		}
		else
		{
			$node->stop('immediate');
			$_->finish for @both;
			$pgbench->finish;
			$node->start;
			$pgbench = $start->();
		}
		is( $node->safe_psql('postgres', q{SELECT count(*) FROM told WHERE NOT EXISTS (SELECT FROM orders o WHERE o.id = told.id)}),
			'0', "round $round, kill $try: no row is missing");
	}
	cmp_ok($cut, '>', 0, "round $round: kills in the middle");
	my $end = '';
	my @both = map { IPC::Run::start([ 'psql', '-Xq', '-d', $node->connstr('postgres'), '-c', $call ], '2>', \$end) } 1 .. 3;
	$_->finish for @both;
	unlike($end, qr/ERROR/, "round $round: three at a time come to their end");
	$pgbench->signal('TERM');
	$pgbench->finish;
	unlike($out, qr/lock timeout|deadlock|violates/, "round $round: no writer failed or waited for long");
	ask($call);
	is( ask(q{
SELECT (SELECT count(*) FROM told WHERE NOT EXISTS (SELECT FROM orders o WHERE o.id = told.id)), (SELECT count(*) FROM orders) - (SELECT count(*) FROM told),
	(SELECT count(*) FROM items i WHERE NOT EXISTS (SELECT FROM orders o WHERE o.id = i.id)), (SELECT count(*) FROM orders_rest),
	(SELECT count(*) FROM orders) > } . ($kept + 50) . q{, (SELECT count(*) FROM pg_constraint WHERE conrelid = 'items'::regclass AND contype = 'f' AND conparentid = 0),
	(SELECT count(*) FROM orders) - count(DISTINCT id) FROM orders}),
		'0|0|0|0|t|1|0', "round $round: at the end all rows are in their partitions, once, with their children");
}

#
# A day that has no midnight; a month that is missing among others
#
is( ask(q{
CREATE TABLE havana (id uuid PRIMARY KEY CHECK (uuidv7_is(id))) PARTITION BY RANGE (id);
CREATE TABLE havana_rest PARTITION OF havana DEFAULT;
INSERT INTO havana VALUES (uuidv7_at('2020-03-08 12:00+00')), (uuidv7_at('2020-03-09 04:30+00'));
CALL uuid_create_partitions('havana', 'day', '0', 'America/Havana');
SELECT since, until, count(*) FROM uuid_partitions('havana') JOIN havana h ON partition = h.tableoid GROUP BY 1, 2 ORDER BY 1}),
	"2020-03-08 05:00:00+00|2020-03-09 04:00:00+00|1\n2020-03-09 04:00:00+00|2020-03-10 04:00:00+00|1", 'the next begins at midnight again');
is(notices(q{CALL uuid_create_partitions('havana', 'day', '4 days');
DO $$BEGIN EXECUTE (SELECT 'DROP TABLE ' || string_agg(partition::text, ',') FROM uuid_partitions('havana') WHERE since > now() + '1 day' AND until < now() + '4 days'); END$$;
CALL uuid_create_partitions('havana', 'day', '4 days')}) =~ s/^created partition.*\n//mgr, "created 5 partitions of havana\ncreated 2 partitions of havana", 'missing ones are created');

#
# Row-level security hides no row from these commands; a partition lets nobody in beside the policies
#
is( ask(q{
SET ROLE owner;
CREATE TABLE hidden (id uuid PRIMARY KEY CHECK (uuidv7_is(id))) PARTITION BY RANGE (id);
CREATE TABLE hidden_old PARTITION OF hidden FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2026-01-01'));
CREATE TABLE hidden_rest PARTITION OF hidden DEFAULT;
CREATE TABLE of_hidden (id uuid REFERENCES hidden);
INSERT INTO hidden SELECT uuidv7_at('2025-05-01'); INSERT INTO of_hidden TABLE hidden;
ALTER TABLE of_hidden ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE hidden ENABLE ROW LEVEL SECURITY, REPLICA IDENTITY FULL}), '', 'a table with row-level security');
is(notices("CALL uuid_drop_partitions('hidden', '1 day', false$_)", '-U', 'owner'), 'query would be affected by row-level security policy for table "of_hidden"', 'a child that is not seen is not left behind') for '', ', true';
is( ask(q{SELECT count(*) FROM of_hidden JOIN hidden USING (id);
CALL uuid_create_partitions('hidden', 'month', '0'); INSERT INTO hidden SELECT uuidv7_at('2030-01-01');
SELECT bool_and(relrowsecurity), bool_and(relreplident = 'f') FROM pg_class WHERE relname ~ '^hidden_2' AND relkind = 'r';
ALTER TABLE hidden_rest ENABLE ROW LEVEL SECURITY; GRANT SELECT ON hidden_rest TO clerk}), "1\nt|t", 'partitions have it too, and what replicas need');
is(ask(q{SELECT rows FROM uuid_partitions('hidden') WHERE since IS NULL}, '-U', 'clerk'), 'query would be affected by row-level security policy for table "hidden_rest"', 'rows that are not seen are not said to be none');
is(ask(q{ALTER TABLE hidden_rest DISABLE ROW LEVEL SECURITY; REVOKE SELECT ON hidden_rest FROM clerk; SET ROLE clerk; SELECT rows FROM uuid_partitions('hidden') WHERE since IS NULL}), 'permission denied for table hidden_rest', 'nor without the right to');

# A dry run leaves the transaction as it was; a partition without tables
is( ask(q{
CREATE TABLE kinds_of (id uuid CHECK (uuidv7_is(id))) PARTITION BY RANGE (id);
CREATE TABLE kinds_of_none PARTITION OF kinds_of FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2020-01-01')) PARTITION BY RANGE (id);
BEGIN; CALL uuid_drop_partitions('kinds_of', '1 day'); SELECT current_setting('search_path'), current_setting('row_security'); COMMIT;
SELECT rows, bytes FROM uuid_partitions('kinds_of')}), "public, keys|on\n0|0", 'a dry run in a transaction');
if (ask(q{SELECT count(*) FROM pg_available_extensions WHERE name = 'file_fdw'}))
{
	like(notices(q{CREATE EXTENSION file_fdw; CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
CREATE FOREIGN TABLE kinds_of_far PARTITION OF kinds_of FOR VALUES FROM (uuidv7_min('2021-01-01')) TO (uuidv7_min('2022-01-01')) SERVER files OPTIONS (filename '/dev/null');
CALL uuid_drop_partitions('kinds_of', '1 day', false)}), qr/^dropped partition public\.kinds_of_none:.*\ndropped partition public\.kinds_of_far:[^\n]*\z/, 'a foreign partition is dropped');
}

#
# A partition whose end is moved, or that is gone, when its turn to be dropped comes
#
is( ask(q{
CREATE TABLE turns (id uuid PRIMARY KEY CHECK (uuidv7_is(id))) PARTITION BY RANGE (id);
CREATE TABLE turns_1 PARTITION OF turns FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2020-01-01'));
CREATE TABLE turns_2 PARTITION OF turns FOR VALUES FROM (uuidv7_min('2020-01-01')) TO (uuidv7_min('2021-01-01'));
CREATE TABLE turns_3 PARTITION OF turns FOR VALUES FROM (uuidv7_min('2022-01-01')) TO (uuidv7_min('2023-01-01'));
CREATE TABLE turns_4 PARTITION OF turns FOR VALUES FROM (uuidv7_min('2023-01-01')) TO (uuidv7_min('2024-01-01'))}), '', 'old partitions');
{
	my ($held, $said) = ('', '');
	my $in = "BEGIN; LOCK TABLE turns_1 IN ACCESS SHARE MODE; SELECT 'held';\n";
	my $holder = IPC::Run::start([ 'psql', '-XqAt', '-d', $node->connstr('postgres') ], '<', \$in, '>', \$held);
	$holder->pump until $held =~ /held/;
	my $drop = IPC::Run::start([ 'psql', '-Xq', '-d', $node->connstr('postgres'), '-c', q{SET lock_timeout = '20s'; }, '-c', q{CALL uuid_drop_partitions('turns', '1 day', false)} ], '2>', \$said);
	$node->poll_query_until('postgres', q{SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND relation = 'turns_1'::regclass)}) or die 'nobody waits';
	my $change = q{SET lock_timeout = '20s'; BEGIN; ALTER TABLE turns DETACH PARTITION turns_2; ALTER TABLE turns ATTACH PARTITION turns_2 FOR VALUES FROM (uuidv7_min('2020-01-01')) TO (uuidv7_min('2022-01-01'));
INSERT INTO turns SELECT uuidv7_at('2021-06-01'); DROP TABLE turns_3; COMMIT};
	my $changer = IPC::Run::start([ 'psql', '-Xq', '-d', $node->connstr('postgres'), '-c', $change ], '2>', \my $changed);
	$node->poll_query_until('postgres', q{SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND relation = 'turns'::regclass)}) or die 'nobody waits';
	$in = "COMMIT;\n\\q\n";
	$_->finish for $holder, $changer, $drop;
	is($said =~ s/^.*NOTICE:  |: until.*$//mgr, "dropped partition public.turns_1\nkept partition public.turns_2: another session has changed it\ndropped partition public.turns_4\n", 'what another session has changed is kept');
	is(ask('SELECT count(*) FROM turns'), '1', 'with rows that it was not asked about');
}

# The triggers of children find names as those of the caller's own statements do; a child of a table above keeps a partition
is( ask(q{
SET ROLE owner;
CREATE TABLE heard (id uuid PRIMARY KEY CHECK (uuidv7_is(id))) PARTITION BY RANGE (id);
CREATE TABLE heard_of PARTITION OF heard FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2100-01-01')) PARTITION BY RANGE (id);
CREATE TABLE heard_1 PARTITION OF heard_of FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2024-01-01'));
CREATE TABLE heard_2 PARTITION OF heard_of FOR VALUES FROM (uuidv7_min('2024-01-01')) TO (uuidv7_min('2025-01-01'));
CREATE TABLE heard_3 PARTITION OF heard_of FOR VALUES FROM (uuidv7_min('2025-01-01')) TO (uuidv7_min('2026-01-01'));
CREATE TABLE hears (id uuid REFERENCES heard); CREATE TABLE ears (id uuid); CREATE INDEX ON hears (id);
CREATE FUNCTION hear() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN INSERT INTO ears VALUES (OLD.id); RETURN OLD; END$$;
CREATE TRIGGER hear AFTER DELETE ON hears FOR EACH ROW EXECUTE FUNCTION hear();
INSERT INTO heard SELECT uuidv7_at(ts) FROM unnest('{2023-05-01, 2024-05-01}'::timestamptz[]) ts; INSERT INTO hears SELECT id FROM heard}), '', 'a table below another that is referred to');
is(notices("CALL uuid_drop_partitions('heard_of', '1 day', $_)", '-U', 'owner') =~ s/: until.*, with/ with/gr =~ s/: until.*//gr,
	"kept partition public.heard_1: 1 rows of public.hears refer to it\nkept partition public.heard_2: 1 rows of public.hears refer to it\n" . (/true/ ? 'would drop' : 'dropped') . ' partition public.heard_3',
	"children of the table above: $_") for 'true', 'false';
is(notices("CALL uuid_drop_partitions('heard_of', '1 day', false, true)", '-U', 'owner') =~ s/: until.*, with/ with/gr,
	"dropped partition public.heard_1 with 1 rows of public.hears\ndropped partition public.heard_2 with 1 rows of public.hears", 'are deleted');
is(ask('SELECT count(*), (SELECT count(*) FROM hears) FROM ears'), '2|0', 'with their triggers');

# What cannot be detached or moved keeps nobody from the rest
is( ask(q{
SET ROLE owner;
CREATE TABLE stuck (id uuid PRIMARY KEY CHECK (uuidv7_is(id)), n int) PARTITION BY RANGE (id);
CREATE TABLE stuck_1 PARTITION OF stuck FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2024-01-01'));
CREATE TABLE stuck_2 PARTITION OF stuck FOR VALUES FROM (uuidv7_min('2024-01-01')) TO (uuidv7_min('2025-01-01'))}), '', 'a table');
{
	my $held = '';
	my $in = "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 'held' FROM stuck RIGHT JOIN (VALUES (1)) v ON true;\n";
	my $holder = IPC::Run::start([ 'psql', '-XqAt', '-d', $node->connstr('postgres') ], '<', \$in, '>', \$held);
	$holder->pump until $held =~ /held/;
	$node->psql('postgres', q{ALTER TABLE stuck DETACH PARTITION stuck_1 CONCURRENTLY}, connstr => $node->connstr('postgres') . q{ options='-c statement_timeout=1s'});
	$in = "COMMIT;\n\\q\n";
	$holder->finish;
}
is(notices("CALL uuid_drop_partitions('stuck', '1 day', false)", '-U', 'owner') =~ s/: until.*//gr,
	"kept partition public.stuck_1: The partition is being detached concurrently or has an unfinished detach.\ndropped partition public.stuck_2", 'a partition that is being detached');
is( ask(q{
ALTER TABLE stuck DETACH PARTITION stuck_1 FINALIZE;
SET ROLE owner;
CREATE TABLE stuck_rest PARTITION OF stuck DEFAULT;
INSERT INTO stuck SELECT uuidv7_at(ts), CASE WHEN ts < '2026-02-01' THEN -1 ELSE 1 END FROM generate_series(timestamptz '2026-01-15', '2026-03-15', '1 day') ts;
ALTER TABLE stuck ADD CONSTRAINT positive CHECK (n > 0) NOT VALID}), '', 'rows that a constraint of later would refuse');
my $stuck = notices(q{CALL uuid_create_partitions('stuck', 'month', '1 day', batch => 10)}, '-U', 'owner');
like($stuck, qr/^created partition public\.stuck_2026_02: .*, with 28 rows from the default partition\ncreated partition public\.stuck_2026_03: .*, with 15 rows from the default partition\n(created partition .*, with 0 rows .*\n)+rows since 2026-01-01 00:00:00\+00 stay in partition public\.stuck_rest: new row for relation "stuck_2026_01" violates check constraint "positive"\ncreated \d partitions of stuck\z/,
	'stay, and the others are moved');
is( ask(q{SELECT count(*), (SELECT count(*) FROM stuck_rest) FROM stuck WHERE now() < (SELECT max(until) FROM uuid_partitions('stuck'));
ALTER TABLE stuck DROP CONSTRAINT positive; CREATE TABLE of_stuck (id uuid REFERENCES stuck); INSERT INTO of_stuck SELECT id FROM stuck_rest; ALTER TABLE of_stuck OWNER TO clerk}), '60|17', 'none is lost');
like(notices(q{CALL uuid_create_partitions('stuck', 'month', '3 months')}, '-U', 'owner'), qr/^(created partition .*\n)+rows since 2026-01-01 00:00:00\+00 stay in partition public\.stuck_rest: must be owner of table of_stuck\ncreated/, 'nor is anything stopped by a child of somebody else');
like(notices(q{CALL uuid_create_partitions('stuck', 'month', '3 months')}), qr/^created partition public\.stuck_2026_01: .*, with 17 rows/, 'whose owner may move them');
is(ask(q{SELECT count(*), (SELECT count(*) FROM stuck_rest), (SELECT bool_and(convalidated) FROM pg_constraint WHERE conrelid = 'of_stuck'::regclass AND conparentid = 0) FROM stuck}), '60|0|t', 'and they are moved');
like(ask($_), qr/^cannot /, $_) for q{CALL uuid_create_partitions('stuck', 'month', '1 day', NULL)}, q{CALL uuid_create_partitions(NULL, 'month', '1 day')}, q{CREATE TABLE lone (id uuid PRIMARY KEY CHECK (uuidv7_is(id))); SELECT count(*) FROM uuid_partitioning_steps('lone', 'month', NULL)};

$node->stop;
done_testing();
