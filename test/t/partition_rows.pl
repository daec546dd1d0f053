# create_partitions moves rows out of the default partition, and drop_partitions drops old partitions; with
# odd names, and with all that may stand in the way.
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
CREATE TABLE "a child" (log uuid NOT NULL, line text);
CREATE TABLE fired (op text, n int);
CREATE FUNCTION fire() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "A schema".fired VALUES (TG_OP, coalesce(NEW.n, OLD.n));
	RETURN NULL;
END $$;
CREATE TRIGGER fire AFTER INSERT OR DELETE OR UPDATE ON "The {n} ""log's"""
	FOR EACH ROW EXECUTE FUNCTION fire();
INSERT INTO "The {n} ""log's""" (n, "the key", kind) OVERRIDING SYSTEM VALUE
SELECT n, uuidv7_at(timestamptz '2026-03-05' + n * interval '40 min'), n % 10
FROM generate_series(1, 5000) n;
INSERT INTO "The {n} ""log's""" ("the key", kind)
VALUES (gen_random_uuid(), 1), (uuidv7_at('2050-01-01'), 2), ('019c0000-0000-4000-8000-000000000000', 3);
INSERT INTO "a child" SELECT "the key", n FROM "The {n} ""log's""";
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

my $dry =
  said("CALL uuidnew_tables.create_partitions($log, 'month', '2 months', 'Europe/Berlin', dry_run => true)");
like(
	$dry,
	qr/^NOTICE:  would create partition since 2026-02-28 23:00:00\+00, until 2026-03-31 22:00:00\+00, with/m,
	'a dry run says what would be created');
my $said = said(
	"SET search_path = public;\nCALL uuidnew_tables.create_partitions($log, 'month', '2 months', "
	  . "'Europe/Berlin')",
	'-U', 'owner');
is(() = $said =~ /^NOTICE:  created partition/mg, () = $dry =~ /would create partition/g, 'it was right');
my $march = '"A schema"."The {n} ""log\'s""_2026_03_01"';
my $of_march = 'since 2026-02-28 23:00:00+00, until 2026-03-31 22:00:00+00,';
like($said, qr/^NOTICE:  created partition \Q$march: $of_march\E/m, 'a partition is created, and says so');
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
		JOIN uuidnew_tables.partitions($log) p ON p.partition = l.tableoid
		WHERE since IS NOT NULL AND ("the key" < lower OR "the key" >= upper)),
	(SELECT count(*) FROM fired),
	(SELECT count(*) FROM "a child" JOIN $table ON log = "the key")
SQL
	'0|0|5003', 'each row is where it belongs, with its children, and no trigger has fired');
is(ask(<<"SQL"), <<'ROWS' =~ s/\n\z//r, 'triggers and owners are as before');
$in
SELECT tgname, count(*) - 1 = (SELECT count(*) FROM uuidnew_tables.partitions($log)),
	string_agg(DISTINCT tgenabled::text, '')
FROM pg_trigger
JOIN pg_class ON pg_class.oid = tgrelid
WHERE NOT tgisinternal AND relnamespace = '"A schema"'::regnamespace
GROUP BY 1
ORDER BY 1;
SELECT DISTINCT relowner::regrole FROM pg_class
WHERE oid IN (SELECT partition FROM uuidnew_tables.partitions($log))
SQL
fire|t|O
owner
ROWS

#
# Dropping
#
like(
	said("CALL uuidnew_tables.drop_partitions($log, '100 days')"),
	qr/^NOTICE:  would drop partition \Q$march\E: until 2026-03-31 22:00:00\+00, about \d+ rows, \d+ kB$/m,
	'a dry run by default');
like(
	said(
		"SET search_path = public;\nCALL uuidnew_tables.drop_partitions($log, '100 days', " . "false)",
		'-U', 'owner'),
	qr/\A(NOTICE:  dropped partition .*\n)+NOTICE:  dropped \d+ partitions of \Q$table\E, kept 0\z/,
	'the old are dropped');
is(ask(<<"SQL"), 't|0', 'with their rows, and no others');
$in
SELECT count(*) = (SELECT count(*) FROM before WHERE uuidv7_timestamp("the key")
		>= (SELECT min(since) FROM uuidnew_tables.partitions($log)) OR uuidv7_timestamp("the key") IS NULL),
	(SELECT count(*) FROM uuidnew_tables.partitions($log) WHERE until <= now() - interval '100 days')
FROM $table
SQL
ask('DROP SCHEMA "A schema" CASCADE');

make(<<~'SQL');
	CREATE TABLE log (id uuid PRIMARY KEY DEFAULT uuidv7()) PARTITION BY RANGE (id);
	CREATE TABLE log_old PARTITION OF log FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2026-01-01'));
	CREATE TABLE log_01 PARTITION OF log
	FOR VALUES FROM (uuidv7_min('2026-01-01')) TO (uuidv7_min('2026-02-01'));
	CREATE TABLE log_late PARTITION OF log FOR VALUES FROM (uuidv7_min('2070-01-01')) TO (MAXVALUE);
	CREATE TABLE log_default PARTITION OF log DEFAULT;
	INSERT INTO log VALUES (uuidv7_at('2025-06-01')), (uuidv7_at('2026-01-15')), (uuidv7_at('2073-01-01'))
	SQL
is( said(q{CALL uuidnew_tables.drop_partitions('log', NULL, false)}),
	'NOTICE:  dropped 0 partitions of public.log, kept 0',
	'without an age nothing is dropped');
is(said( <<'SQL') =~ s/: until.*//mgr, <<'SAID' =~ s/\n\z//r, 'a key of another version keeps a partition');
INSERT INTO log VALUES ('00000000-0000-4000-8000-000000000000');
CALL uuidnew_tables.drop_partitions('log', '0 s', false)
SQL
WARNING:  kept partition public.log_old: it holds keys that are younger, or not of RFC 9562's version 7
NOTICE:  dropped partition public.log_01
NOTICE:  dropped 1 partition of public.log, kept 1
SAID
is(said(<<'SQL') =~ s/, about.*//mgr, <<'SAID' =~ s/\n\z//r, 'one with an open beginning is detached');
DELETE FROM log WHERE id < '00000001-0000-0000-0000-000000000000';
CALL uuidnew_tables.drop_partitions('log', '0 s', false, detach_only => true)
SQL
NOTICE:  detached partition public.log_old: until 2026-01-01 00:00:00+00
NOTICE:  detached 1 partition of public.log, kept 0
SAID
is( ask(<<~'SQL'), "log_late\nlog_default\n1",
	SELECT partition FROM uuidnew_tables.partitions('log');
	SELECT count(*) FROM log_old
	SQL
	'one with an open end, or the default, never is');
like(said(<<~'SQL'), qr/with 1 row .*created 2 partitions/s, 'a version 4 key moves with its period');
	INSERT INTO log
	VALUES (overlay(uuidv7_at(now() + interval '1 month')::text PLACING '4' FROM 15 FOR 1)::uuid);
	CALL uuidnew_tables.create_partitions('log', 'month', '1 month')
	SQL

# what stands in the way
is(ask(<<'SQL'), '', 'there is a partition with a table below');
CREATE TABLE trips (id uuid PRIMARY KEY CHECK (uuidv7_is(id))) PARTITION BY RANGE (id);
CREATE TABLE trips_old PARTITION OF trips
	FOR VALUES FROM (uuidv7_min('2025-01-01')) TO (uuidv7_min('2025-02-01')) PARTITION BY RANGE (id);
CREATE TABLE trips_oldest PARTITION OF trips_old FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
INSERT INTO trips VALUES (uuidv7_at('2025-01-15'))
SQL
my $drop = q{CALL uuidnew_tables.drop_partitions('trips', '1 day', false)};
foreach (split /\n/, <<~'CASES')
	CREATE VIEW v AS SELECT id FROM trips_old -> cannot drop .* view public.v depends on -> DROP VIEW v
	CREATE TABLE v (trip uuid REFERENCES trips_old) -> cannot drop .*v_trip_fkey -> DROP TABLE v
	ALTER EXTENSION plpgsql ADD TABLE trips_old -> .*requires -> ALTER EXTENSION plpgsql DROP TABLE trips_old
	CASES
{
	my ($statement, $reason, $away) = split / -> /;
	make($statement);
	like(said($drop), qr/^WARNING:  kept partition public\.trips_old: $reason/, "it is kept: $statement");
	is(ask("SELECT count(*) FROM trips; $away"), '1', 'with its rows');
}
like(
	said("CREATE VIEW v AS SELECT id FROM trips_old; $drop" =~ s/false\)/false, true)/r),
	qr/^NOTICE:  detached partition public\.trips_old: /,
	'a view does not keep it from being detached');

# children of a table above; more than one foreign key column
make(<<~'SQL');
	SET ROLE owner;
	CREATE TABLE heard (id uuid PRIMARY KEY CHECK (uuidv7_is(id))) PARTITION BY RANGE (id);
	CREATE TABLE heard_of PARTITION OF heard
	FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2100-01-01')) PARTITION BY RANGE (id);
	CREATE TABLE heard_1 PARTITION OF heard_of FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2024-01-01'));
	CREATE TABLE heard_2 PARTITION OF heard_of
	FOR VALUES FROM (uuidv7_min('2024-01-01')) TO (uuidv7_min('2025-01-01'));
	CREATE TABLE hears (id uuid REFERENCES heard)
	SQL
my $in_way =
	'foreign key "hears_id_fkey" of table public.hears refers to table public.heard: drop it, and '
  . 'add it again afterwards, NOT VALID, then VALIDATE it, or detach the partition by hand, which reads both '
  . 'tables';
foreach ([ 'true', 'would drop' ], [ 'false', 'dropped' ])
{
	my ($dry_run, $verb) = @$_;
	is( said("CALL uuidnew_tables.drop_partitions('heard_of', '1 day', $dry_run)", '-U', 'owner') =~
		  s/: until.*//gr,
		<<"SAID" =~ s/\n\z//r, "a foreign key to the table above keeps partitions: dry_run => $dry_run");
WARNING:  kept partition public.heard_1: $in_way
WARNING:  kept partition public.heard_2: $in_way
NOTICE:  $verb 0 partitions of public.heard_of, kept 2
SAID
}
is( ask(q{SELECT uuidnew_tables._drop_partition('heard_of', 'id', 'heard_2', uuidv7(), true)}),
	'ERROR:  it cannot be detached',
	'even if it has come after the list was made');

# foreign tables and tables without a leaf; a dry run within a transaction; NULL is neither true nor false
is(ask(<<'SQL'), "public, keys|on\n0|0", 'nothing to do leaves a transaction and the table as they were');
CREATE TABLE kinds_of (id uuid CHECK (uuidv7_is(id))) PARTITION BY RANGE (id);
CREATE TABLE kinds_of_none PARTITION OF kinds_of
	FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2020-01-01')) PARTITION BY RANGE (id);
BEGIN ISOLATION LEVEL REPEATABLE READ;
CALL uuidnew_tables.drop_partitions('kinds_of', '1 day');
CALL uuidnew_tables.create_partitions('kinds_of', 'day', '1 day', dry_run => true);
CALL uuidnew_tables.drop_partitions('kinds_of', '1000 years', dry_run => false);
SELECT current_setting('search_path'), current_setting('row_security');
COMMIT;
CALL uuidnew_tables.drop_partitions('kinds_of', '1 year', NULL);
SELECT rows, bytes FROM uuidnew_tables.partitions('kinds_of')
SQL
SKIP:
{
	skip 'there is no file_fdw', 1
	  unless ask(q{SELECT count(*) FROM pg_available_extensions WHERE name = 'file_fdw'});
	my $kinds_of = qr/partition public\.kinds_of/;
	like(
		said( <<'SQL'),
CREATE EXTENSION file_fdw;
CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
CREATE FOREIGN TABLE kinds_of_far PARTITION OF kinds_of
	FOR VALUES FROM (uuidv7_min('2021-01-01')) TO (uuidv7_min('2022-01-01'))
	SERVER files OPTIONS (filename '/dev/null');
CALL uuidnew_tables.drop_partitions('kinds_of', '1 day', false)
SQL
		qr/^NOTICE:  dropped ${kinds_of}_none:.*\nWARNING:  kept ${kinds_of}_far: /,
		'a foreign partition is kept');
}

#
# What keeps rows in the default partition, and what does not
#
is(ask(<<'SQL'), <<'ROWS' =~ s/\n\z//r, 'rows go to a partition beside one made by hand');
CREATE TABLE visits (id uuid PRIMARY KEY DEFAULT uuidv7()) PARTITION BY RANGE (id);
CREATE TABLE visits_hand PARTITION OF visits
	FOR VALUES FROM (uuidv7_min('2026-03-01')) TO ('019cac4a-5c00-7123-8123-123456789abc');
CREATE TABLE visits_rest PARTITION OF visits DEFAULT;
INSERT INTO visits SELECT uuidv7_at(timestamptz '2026-02-27' + n * interval '1 h')
FROM generate_series(1, 300) n;
CALL uuidnew_tables.create_partitions('visits', 'week', '1 week');
SELECT lower, until FROM uuidnew_tables.partitions('visits')
WHERE since < '2026-03-08' AND partition <> 'visits_hand'::regclass;
SELECT count(*), (SELECT count(*) FROM visits_rest) FROM visits
SQL
019c87cb-b400-7000-8000-000000000000|2026-03-01 00:00:00+00
019cac4a-5c00-7123-8123-123456789abc|2026-03-09 00:00:00+00
300|0
ROWS

like(
	said(<<'SQL'), qr/rows cannot be moved: trigger refuse of table public\.deep_rest_1 is disabled/,
CREATE TABLE customers (id int PRIMARY KEY);
INSERT INTO customers VALUES (1);
CREATE TABLE deep (id uuid PRIMARY KEY CHECK (uuidv7_is(id)),
	customer int REFERENCES customers DEFERRABLE INITIALLY DEFERRED) PARTITION BY RANGE (id);
CREATE TABLE deep_rest PARTITION OF deep DEFAULT PARTITION BY HASH (id);
CREATE TABLE deep_rest_0 PARTITION OF deep_rest FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE deep_rest_1 PARTITION OF deep_rest FOR VALUES WITH (MODULUS 2, REMAINDER 1);
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RAISE 'refused'; END$$;
CREATE TRIGGER refuse BEFORE DELETE ON deep FOR EACH ROW EXECUTE FUNCTION refuse();
ALTER TABLE deep_rest_1 DISABLE TRIGGER refuse;
INSERT INTO deep SELECT uuidv7_at(ts), 1 FROM unnest('{2026-03-05, 2026-03-06}'::timestamptz[]) ts;
CALL uuidnew_tables.create_partitions('deep', 'month', '1 month')
SQL
	'a trigger that is not enabled as others are keeps rows');
is(ask( <<'SQL'), '2|0|O', 'rows of a partitioned default are moved, and its triggers stay');
ALTER TABLE deep_rest_1 ENABLE TRIGGER refuse;
CALL uuidnew_tables.create_partitions('deep', 'month', '1 month');
SELECT count(*), (SELECT count(*) FROM deep_rest),
	(SELECT string_agg(DISTINCT tgenabled::text, ',') FROM pg_trigger
		WHERE tgrelid::regclass::text ~ '^deep' AND NOT tgisinternal)
FROM deep
SQL
# for whom rows that move are deleted
make(<<~'SQL');
	CREATE TABLE tree (id uuid PRIMARY KEY CHECK (uuidv7_is(id))) PARTITION BY RANGE (id);
	CREATE TABLE branch PARTITION OF tree
	FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2100-01-01')) PARTITION BY RANGE (id);
	CREATE TABLE branch_rest PARTITION OF branch DEFAULT;
	CREATE TABLE leaves (id uuid);
	INSERT INTO tree SELECT uuidv7_at('2026-03-05');
	INSERT INTO leaves SELECT id FROM tree
	SQL
foreach my $table ('tree', 'branch_rest')
{
	my $in_way = 'foreign key "leaves_id_fkey" of table public.leaves refers to table public.'
	  . "$table: drop it, and add it again afterwards, NOT VALID, then VALIDATE it";
	make("ALTER TABLE leaves ADD FOREIGN KEY (id) REFERENCES $table ON DELETE CASCADE");
	is( said(q{CALL uuidnew_tables.create_partitions('branch', 'day', '-1 day')}) =~
		  s/ since .*?(?=: foreign)//r,
		"WARNING:  created no partition: $in_way\nNOTICE:  created 0 partitions of public.branch",
		"rows stay that $table\'s foreign key would take for deleted");
	make('ALTER TABLE leaves DROP CONSTRAINT leaves_id_fkey');
}
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
my $refused = 'new row for relation "stuck_2026_01_01" violates check constraint "positive": .*';
like(
	said(q{CALL uuidnew_tables.create_partitions('stuck', 'month', '1 day')}, '-U', 'owner'),
	qr/^WARNING:  created no partition since 2026-01-01 .*: $refused
[^\n]*stuck_2026_02_01: [^\n]*, with 28 rows [^\n]*
[^\n]*stuck_2026_03_01: [^\n]*, with 15 rows/m,
	'they stay, and the others are moved');
is(ask(<<'SQL'), '60|17', 'none is lost');
SELECT count(*), (SELECT count(*) FROM stuck_rest) FROM stuck
SQL

foreach my $level ('repeatable read', 'serializable')
{
	my $error = 'ERROR:  tables are changed in READ COMMITTED transactions only';
	is(ask(<<~"SQL"), $error, "$level is refused");
		SET default_transaction_isolation = '$level';
		CALL uuidnew_tables.create_partitions('stuck', 'month', '1 year')
		SQL
}

$node->stop;
done_testing();
