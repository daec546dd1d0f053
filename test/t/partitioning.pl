# partitioning_steps: a table in use becomes partitioned with what it has; what is not carried is
# refused; beside writers, and when sessions and the server are killed.
use strict;
use warnings FATAL => 'all';

use FindBin;
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Session;
use Tables;

my $node = start_node('log_min_messages = fatal');
my $major = ask(q{SELECT current_setting('server_version_num')::int / 10000});
make('CREATE ROLE owner LOGIN; CREATE ROLE clerk; CREATE ROLE reader');
my @owner = ('-U', 'owner');

#
# What nearly every table has, with odd names, of an owner who is no superuser, in a schema that is in no
# search path
#
make(<<~'SQL');
	ALTER DEFAULT PRIVILEGES FOR ROLE owner GRANT SELECT ON TABLES TO reader;
	CREATE SCHEMA "A {b}" AUTHORIZATION owner;
	SET search_path = "A {b}", keys;
	CREATE TABLE customers (id int PRIMARY KEY);
	INSERT INTO customers SELECT generate_series(1, 10);
	GRANT REFERENCES ON customers TO owner;
	SET ROLE owner;
	CREATE TABLE "The or'ders" (
		dropped int,
		"the %id" uuid CONSTRAINT "pk $$" PRIMARY KEY DEFAULT keys.uuidv7() CHECK (keys.uuidv7_is("the %id")),
		cust int DEFAULT 1 CONSTRAINT "fk\" REFERENCES customers,
		twice int GENERATED ALWAYS AS (cust * 2) STORED,
		note text COLLATE "C" NOT NULL DEFAULT 'x' CONSTRAINT "new
	line" CHECK (note <> ''),
		UNIQUE ("the %id", cust) INCLUDE (note) DEFERRABLE);
	ALTER TABLE "The or'ders" DROP dropped;
	CREATE INDEX "a note" ON "The or'ders" (lower(note)) WITH (fillfactor = 70) WHERE note <> 'y';
	CREATE INDEX ON "The or'ders" (note DESC, cust);
	CREATE INDEX ON "The or'ders" (note DESC, cust);
	COMMENT ON TABLE "The or'ders" IS 'the table''s';
	COMMENT ON COLUMN "The or'ders".note IS 'its note';
	COMMENT ON INDEX "a note" IS 'its index';
	COMMENT ON CONSTRAINT "fk\" ON "The or'ders" IS 'its key';
	CREATE TABLE items (o uuid NOT NULL, no int);
	GRANT SELECT, UPDATE ON "The or'ders" TO clerk WITH GRANT OPTION;
	GRANT INSERT ON "The or'ders" TO PUBLIC;
	REVOKE SELECT ON "The or'ders" FROM reader;
	REVOKE TRUNCATE ON "The or'ders" FROM owner;
	INSERT INTO "The or'ders" ("the %id", cust)
	SELECT keys.uuidv7_at(now() - n * interval '1 h'), n % 10 + 1 FROM generate_series(1, 1000) n;
	INSERT INTO items SELECT "the %id", 1 FROM "The or'ders"
	SQL
# what the catalogs say, whatever kind of table it is
my $state = <<~'SQL';
	SET search_path = "A {b}";
	SELECT 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated,
		obj_description(oid, 'pg_constraint')
	FROM pg_constraint
	WHERE conrelid IN ('"The or''ders"'::regclass, 'items'::regclass)
		AND conparentid = 0 AND conname <> 'uuid_partitioning'
	ORDER BY conrelid::regclass::text COLLATE "C", 3;
	SELECT 'index', indexname, replace(indexdef, ' ON ONLY ', ' ON '),
		obj_description(format('%I.%I', schemaname, indexname)::regclass, 'pg_class')
	FROM pg_indexes
	WHERE tablename = 'The or''ders'
	ORDER BY 2;
	SELECT 'column', attname, attnotnull, attgenerated, attcollation::regcollation,
		pg_get_expr(adbin, adrelid), attacl, col_description(attrelid, attnum)
	FROM pg_attribute
	LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
	WHERE attrelid = '"The or''ders"'::regclass AND attnum > 0 AND NOT attisdropped
	ORDER BY attnum;
	SELECT 'table', relacl, relowner::regrole, obj_description(oid)
	FROM pg_class
	WHERE oid = '"The or''ders"'::regclass;
	SELECT 'rows', count(*), md5(string_agg(o::text, '' ORDER BY "the %id")),
		(SELECT count(*) FROM items JOIN "The or'ders" ON "the %id" = o)
	FROM "The or'ders" o
	SQL
my $before = ask($state);
like($before, qr/^rows\|1000\|\w+\|1000\z/m, 'a table is there');

my $table = q{'"A {b}"."The or''ders"'};
my $steps = "uuidnew_tables.partitioning_steps($table)";
my $left = "SELECT string_agg(phase, ' ' ORDER BY step) FROM $steps WHERE NOT done";
is(ask($left, @owner), 'prepare prepare swap', 'the steps');
like(run_phase($steps, 'swap', @owner), qr/prepare, then swap/, 'swap comes after prepare');
is(run_phase($steps, 'prepare', @owner), '', 'it is prepared');
like(ask(<<~'SQL'), qr/violates check constraint "uuid_partitioning"/, 'a key of a later time is refused');
	INSERT INTO "A {b}"."The or'ders" ("the %id") VALUES (uuidv7_at(now() + interval '70 days'))
	SQL
my $reader = Session->new($node);
$reader->query(q{BEGIN; SELECT count(*) FROM "A {b}"."The or'ders"});
like(
	ask("SELECT statement FROM $steps WHERE phase = 'swap'\n\\gexec", @owner),
	qr/canceling statement due to lock timeout/,
	'a swap gives up a lock that it does not get');
$reader->quit;
like(
	ask("BEGIN ISOLATION LEVEL REPEATABLE READ; CALL uuidnew_tables._partitioning_exchange($table)", @owner),
	qr/in READ COMMITTED transactions only/,
	'a snapshot that may be old is refused');
my (undef, undef, $debug) = $node->psql('postgres', <<~"SQL", extra_params => \@owner);
	SET client_min_messages = debug1;
	SELECT statement FROM $steps WHERE phase = 'swap' AND NOT done
	\\gexec
	SQL
like(
	join("\n", $debug =~ /((?:ERROR:|DEBUG:.*(?:implied|verifying|rewriting)).*)/g),
	qr/^DEBUG:  partition constraint for table "The or'ders" is implied by existing constraints\z/,
	'it is swapped, and no row is read');
is(ask($state), $before, 'all is as before');
is(ask(<<~SQL), 'p|The or\'ders_first', 'the table is partitioned');
	SELECT relkind, (
		SELECT relname FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE inhparent = t.oid)
	FROM pg_class t
	WHERE oid = $table\::regclass
	SQL
is(ask("SELECT count(*) FROM $steps"), '0', 'there is no further step');
is(ask(<<~SQL), 't|t', 'partitions are created where the first one ends');
	CALL uuidnew_tables.create_partitions($table, 'month', '3 months');
	SELECT count(*) > 1, min(until) = date_trunc('month', now() + interval '2 months')
	FROM uuidnew_tables.partitions($table)
	SQL
make('DROP SCHEMA "A {b}" CASCADE; DROP OWNED BY owner');

#
# What is not carried
#
anew(<<~'SQL');
	CREATE TABLE log (id uuid PRIMARY KEY DEFAULT uuidv7(), line text, of uuid, n int);
	CREATE TABLE others (id int PRIMARY KEY, at uuid) PARTITION BY RANGE (id);
	CREATE FUNCTION no() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
	CREATE SUBSCRIPTION s CONNECTION '' PUBLICATION p WITH (connect = false, slot_name = NONE)
	SQL
my $cases = <<~'SQL';
	CREATE VIEW v AS SELECT id FROM ONLY log
	-> rule _RETURN on view v depends on table log
	CREATE RULE r AS ON UPDATE TO log DO NOTHING
	-> rule r on table log depends on table log
	CREATE POLICY p ON log USING (true)
	-> policy p on table log depends on table log
	CREATE POLICY p ON others USING (id IN (SELECT n FROM log))
	-> policy p on table others depends on table log
	ALTER TABLE log ENABLE ROW LEVEL SECURITY
	-> table would lose its row-level security
	CREATE TABLE of_log (whole log)
	-> column whole of table of_log depends on type log
	CREATE FUNCTION f(log[]) RETURNS int LANGUAGE sql AS $$SELECT 1$$
	-> function f.* depends on type log.*
	CREATE FUNCTION f() RETURNS bigint LANGUAGE sql BEGIN ATOMIC SELECT count(*) FROM log; END
	-> function f.* depends on table log
	CREATE TABLE heirs () INHERITS (log)
	-> table heirs depends on table log
	CREATE TABLE up (id uuid); ALTER TABLE log INHERIT up
	-> table log depends on table up
	ALTER EXTENSION plpgsql ADD TABLE log
	-> table log depends on extension plpgsql
	ALTER TABLE log ADD m int GENERATED ALWAYS AS IDENTITY
	-> sequence log_m_seq depends on table log
	ALTER TABLE log ADD m serial
	-> sequence log_m_seq depends on table log
	ALTER TABLE log ADD FOREIGN KEY (of) REFERENCES log
	-> foreign key "log_of_fkey" of table log refers to table log: drop it, .*
	ALTER TABLE others ADD FOREIGN KEY (at) REFERENCES log
	-> foreign key "others_at_fkey" of table others refers to table log: drop it, .*
	CREATE TABLE to_log (id int PRIMARY KEY); ALTER TABLE log ADD FOREIGN KEY (n) REFERENCES to_log NOT VALID
	-> foreign key "log_n_fkey" of table log cannot be created again as it is
	ALTER TABLE log ADD FOREIGN KEY (n) REFERENCES others; ALTER TABLE log DISABLE TRIGGER ALL
	-> foreign key "log_n_fkey" of table log cannot be created again as it is
	CREATE TABLE theirs (id int PRIMARY KEY); ALTER TABLE log ADD FOREIGN KEY (n) REFERENCES theirs;
	ALTER TABLE log OWNER TO owner; SET ROLE owner
	-> foreign key "log_n_fkey" of table log cannot be created again as it is
	ALTER TABLE log ADD CONSTRAINT c CHECK (n > 0) NOT VALID
	-> constraint c CHECK .* NOT VALID would be lost
	ALTER TABLE log ADD CHECK (n > 0) NO INHERIT
	-> .*NO INHERIT.*
	CREATE UNIQUE INDEX once ON log (line) INCLUDE (id)
	-> unique index once lacks column id: .*
	ALTER TABLE log ADD EXCLUDE USING hash (line WITH =)
	-> .*(?:exclusion|EXCLUDE) constraint.*
	COMMENT ON CONSTRAINT log_pkey ON log IS $$k$$
	-> constraint PRIMARY KEY .id. would lose its comment
	ALTER TABLE log ALTER line SET STATISTICS 7
	-> column "line" would lose its statistics target
	ALTER TABLE log REPLICA IDENTITY USING INDEX log_pkey
	-> table would lose its replica identity
	ALTER TABLE log SET UNLOGGED
	-> table would lose its persistence
	CREATE TRIGGER t BEFORE INSERT ON log EXECUTE FUNCTION no()
	-> trigger t on table log depends on table log
	CREATE TABLE u ();
	CREATE CONSTRAINT TRIGGER t AFTER INSERT ON u FROM log FOR EACH ROW EXECUTE FUNCTION no()
	-> trigger t on table u depends on table log
	GRANT INSERT (line) ON log TO clerk
	-> column "line" would lose its privileges
	ALTER INDEX log_pkey DEPENDS ON EXTENSION plpgsql
	-> index log_pkey depends on extension plpgsql
	CREATE PUBLICATION p FOR TABLE log
	-> publication of table log in publication p depends on table log
	CREATE PUBLICATION p FOR ALL TABLES
	-> publication "p" would publish partitions by their names
	INSERT INTO pg_subscription_rel SELECT oid, 'log'::regclass, 'r' FROM pg_subscription
	-> a subscription writes to it
	INSERT INTO pg_seclabel VALUES ('log'::regclass, 'pg_class'::regclass, 2, 'anon', 'x')
	-> column "line" would lose its security labels
	INSERT INTO pg_seclabel VALUES ('log'::regclass, 'pg_class'::regclass, 0, 'anon', 'x')
	-> table would lose its security labels
	SQL
$cases .= <<~'SQL' if $major >= 18;
	ALTER TABLE log ADD NOT NULL n NOT VALID
	-> constraint NOT NULL n NOT VALID would be lost
	CREATE TABLE c (o uuid REFERENCES log NOT ENFORCED)
	-> foreign key "c_o_fkey" of table c refers to table log: drop it, .*
	SQL
my @cases = split /\n-> (.*)\n/, $cases;
while (my ($statement, $told) = splice @cases, 0, 2)
{
	my $found = ask(<<~"SQL") =~ s/public\.//gr;
		SET client_min_messages = error;
		SET allow_system_table_mods = on;
		BEGIN;
		$statement;
		SELECT obstacle FROM uuidnew_tables.partitioning_check('log')
		SQL
	like($found, qr/^$told$/m, "in the way: $statement");
}
my $all = q{SELECT string_agg(statement, '' ORDER BY step) FROM uuidnew_tables.partitioning_steps('log')};
is( ask("SET timezone = 'Pacific/Auckland'; $all"),
	ask("SET timezone = 'UTC'; $all"),
	'the first partition ends with a month in UTC');
make('CREATE VIEW v AS SELECT id FROM log; CREATE TABLE log_first ()');
like(
	ask(q{SELECT FROM uuidnew_tables.partitioning_steps('log')}),
	qr/cannot partition table public\.log/,
	'the steps are refused then');
is(ask(<<~'SQL'), 'p|log_first_2', 'what depends on it may be created again in the transaction of the swap');
	BEGIN;
	DROP VIEW v;
	SELECT statement FROM uuidnew_tables.partitioning_steps('log') WHERE phase = 'prepare'
	\gexec
	SELECT statement FROM uuidnew_tables.partitioning_steps('log') WHERE phase = 'swap'
	\gexec
	CREATE VIEW v AS SELECT id FROM log;
	COMMIT;
	SELECT relkind, inhrelid::regclass
	FROM pg_class JOIN pg_inherits ON inhparent = oid
	WHERE oid = 'log'::regclass
	SQL
foreach (split /\n/, <<~'CASES')
	, now() -> SELECT -> the time must be a day ahead.*
	, NULL -> SELECT -> the time must be a day ahead.*
	-> ALTER TABLE log ALTER id SET DEFAULT uuid_generate_v7() -> column "id" .* generates draft keys: .*
	-> ALTER TABLE log DROP CONSTRAINT log_pkey -> table log is .*has no primary key.*
	-> ALTER TABLE log ALTER id DROP DEFAULT, ALTER id TYPE text -> table log .* begins with a uuid
	CASES
{
	my ($until, $statement, $error) = split / ?-> /;
	anew('CREATE TABLE log (id uuid PRIMARY KEY DEFAULT uuidv7(), line text)');
	like(ask(<<~SQL) =~ s/public\.//gr, qr/\A$error\z/, "in the way: 'log'$until after $statement");
		$statement;
		SELECT obstacle FROM uuidnew_tables.partitioning_check('log'$until)
		SQL
	like(ask("SELECT FROM uuidnew_tables.partitioning_steps('log'$until)"), qr/^ERROR:  /, 'no step then');
}

# All obstacles at once
anew(<<~'SQL');
	CREATE TABLE log (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), line text UNIQUE);
	CREATE VIEW v AS SELECT id FROM log;
	ALTER TABLE log ALTER line SET STATISTICS 7;
	INSERT INTO log VALUES ('ffffffff-ffff-4fff-bfff-ffffffffffff')
	SQL
is( ask(q{SELECT obstacle FROM uuidnew_tables.partitioning_check('log')}) =~ s/ before .*: (give.*),.*/: $1/r,
	<<~'ALL' =~ s/\n\z//r, 'all that is in the way is told at once');
	key ffffffff-ffff-4fff-bfff-ffffffffffff is not of a time: give such rows new keys
	unique index public.log_line_key lacks column id: a partitioned table is unique only with it
	rule _RETURN on view public.v depends on table public.log
	column "line" would lose its statistics target
	ALL

#
# Beside a writer, with kills
#
my ($soak, $quick) = @ENV{qw(UUIDNEW_SOAK UUIDNEW_QUICK)};
my $kept = $soak ? 50000 : $quick ? 2500 : 15000;
my @rate = $quick ? ('-c', '2', '-R', '40') : ('-c', '3');    # which leaves other tests a processor
my $writer = $node->basedir . '/writer.sql';
append_to_file($writer, <<~'SQL');
	\set n random(1, 1000000000)
	\set some random(1, 1000)
	BEGIN;
	INSERT INTO orders (note) VALUES (:n) RETURNING id AS id \gset
	INSERT INTO items (id, no) VALUES (':id', 1), (':id', 2);
	INSERT INTO told VALUES (':id');
	COMMIT;
	BEGIN;
	SELECT id AS other FROM orders WHERE note = :some FOR KEY SHARE \gset
	INSERT INTO items (id, no) VALUES (':other', :n);
	UPDATE orders SET at = now() WHERE id = ':id';
	COMMIT;
	SQL
my $right = <<~'SQL';
	SELECT (SELECT count(*) FROM told FULL JOIN orders USING (id) WHERE told IS NULL OR orders IS NULL),
		(SELECT count(*) FROM items LEFT JOIN orders USING (id) WHERE orders IS NULL),
		(SELECT count(*) FROM items WHERE no < 3) - 2 * (SELECT count(*) FROM orders)
	SQL
my $orders = q{uuidnew_tables.partitioning_steps('orders')};

foreach my $round (1 .. ($soak ? 10 : 1))
{
	anew(<<~"SQL");
		CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT uuidv7()
			CHECK (uuidv7_is(id)), note int, at timestamptz);
		CREATE INDEX ON orders (note);
		CREATE TABLE items (id uuid NOT NULL, no int, PRIMARY KEY (id, no));
		CREATE TABLE told (id uuid PRIMARY KEY);
		INSERT INTO orders (id, note) SELECT uuidv7_at(now() - n * interval '12 s'), n
		FROM generate_series(1, $kept) n;
		INSERT INTO items SELECT id, no FROM orders, generate_series(1, 2) no;
		INSERT INTO told SELECT id FROM orders
		SQL
	my $out = '';
	my $start = sub {
		# a lock that is held for longer than the steps may hold one is an error
		local $ENV{PGOPTIONS} = '-c lock_timeout=10s';
		return IPC::Run::start(
			[ 'pgbench', '-n', '-T', '600', @rate, '-f', $writer, $node->connstr('postgres') ],
			'>', \$out, '2>&1');
	};
	my $pgbench = $start->();
	my $writes = sub {
		my $rows = ask('SELECT count(*) FROM told');
		wait_for("count(*) > $rows + 20 FROM told");
	};
	$writes->();
	# a plain table again, as the page has it
	my $back = sub {
		return if ask(q{SELECT relkind FROM pg_class WHERE oid = 'orders'::regclass}) eq 'r';
		make(<<~'SQL');
			BEGIN;
			LOCK TABLE orders;
			ALTER TABLE orders DETACH PARTITION orders_first;
			DROP TABLE orders;
			ALTER TABLE orders_first RENAME TO orders;
			COMMIT
			SQL
		return;
	};
	# killed at any time: a session, or the server
	my ($cut, $again, $ended) = (0, 0, 0);
	foreach my $kill ($quick ? (1, 3, 4) : 1 .. ($soak ? 16 : 8))
	{
		my $step = 1 + int rand 3;
		my ($in, $o) = ('', '');
		$in .= <<~"SQL" for qw(prepare swap);
			SELECT '/* step *' || '/ ' || statement FROM $orders WHERE phase = '$_' AND NOT done ORDER BY step
			\\gexec
			SQL
		$in .= "\\q\n";

		# on a fast machine, the first step has to wait to be ended in the middle
		my $holder = $kill % 3 && $again > 3 && Session->new($node);
		$holder->query('BEGIN; LOCK TABLE orders IN ROW SHARE MODE') if $holder;
		$step = 1 if $holder;
		my $psql =
		  IPC::Run::start(
			[ 'psql', '-Xqa', '-d', $node->connstr . ' dbname=postgres application_name=victim' ],
			'<', \$in, '>', \$o, '2>&1');
		$psql->pump while length $in;            # else it would wait for its input
		$psql->pump while $psql->pumpable && (() = $o =~ m{^/\* step \*/}mg) < $step;
		select undef, undef, undef, rand 0.05;
		$cut++ if eval { $psql->pump_nb; 1 };    # it goes on

		if ($kill % 3)
		{
			my $found = ask(<<~'SQL');
				SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
				WHERE application_name = 'victim'
				SQL
			$holder->quit if $holder;
			$psql->finish;
			if (!$found && $again++ < 20)    # it had come to its end
			{
				$back->();
				redo;
			}
			$ended += $found;
		}
		else
		{
			$node->stop('immediate');
			$_->finish for $psql, $pgbench;
			$node->start;
			$pgbench = $start->();
		}
		is(ask($right), '0|0|0', "round $round, kill $kill: all is there");
		$back->();
	}
	cmp_ok($cut, '>', 0, "round $round: kills in the middle");
	cmp_ok($ended, '>', 0, "round $round: sessions were ended");
	foreach my $phase (qw(prepare swap))
	{
		is(run_phase($orders, $phase), '', "round $round: $phase");
		$writes->();
	}
	$pgbench->signal('TERM');
	$pgbench->finish;
	unlike(
		$out,
		qr/ERROR|aborted|failed transactions: [1-9]/,
		"round $round: no writer had an error or waited for long") or diag $out;
	is(ask($right), '0|0|0', "round $round: at the end all is there");
	is(ask(q{SELECT relkind FROM pg_class WHERE oid = 'orders'::regclass}), 'p', "round $round: partitioned");
}

$node->stop;
done_testing();
