# uuid_partitioning_steps: a table in use becomes partitioned with all that it has, and back; beside
# writers, and when sessions and the server are killed.
use strict;
use warnings FATAL => 'all';

use FindBin;
use IPC::Run;
use List::Util qw(shuffle);
use lib $FindBin::Bin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Session;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf',
	"timezone = 'UTC'\njit = off\nwal_level = logical\nautovacuum = off\nlog_min_messages = fatal");
$node->start;
$node->safe_psql('postgres', 'CREATE ROLE owner LOGIN; CREATE ROLE clerk LOGIN; CREATE ROLE reader');
$node->safe_psql('postgres', $_)
  for 'CREATE SCHEMA keys; CREATE EXTENSION uuidnew SCHEMA keys; GRANT USAGE ON SCHEMA keys TO PUBLIC',
  'GRANT ALL ON SCHEMA public TO owner', 'ALTER DATABASE postgres SET search_path = public, keys';
my $major = $node->safe_psql('postgres', 'SELECT current_setting($$server_version_num$$)::int / 10000');

sub ask
{
	my ($sql, @options) = @_;
	my ($status, $stdout, $stderr) = Session->kept("@options", $node, @options)->script($sql);
	return $status ? join "\n", grep { $_ ne '' } $stdout, $stderr =~ /ERROR:  (.*)/g : $stdout;
}

# Runs the steps of a phase that are not done, as often as one fails.  Gives the errors, and what DEBUG1 says.
sub run_steps
{
	my ($steps, $phase, $tries, @options) = @_;
	my @told;
	foreach (1 .. $tries // 1)
	{
		my ($status, $stdout, $stderr) = $node->psql(
			'postgres',
			"SET client_min_messages = debug1;\nSELECT statement FROM keys.uuid_partitioning_steps($steps) "
			  . "WHERE phase OPERATOR(pg_catalog.~) '$phase' AND NOT done ORDER BY step \\gexec",
			on_error_stop => 1,
			extra_params => \@options);
		push @told, map { s/^ERROR:  //r } $stderr =~ /(?:ERROR:  .*|DEBUG:  .* is implied by .*)/g;
		return join "\n", @told unless $status;
		last if $stderr !~ /lock timeout|deadlock/;
		select undef, undef, undef, 0.1 + rand 0.3;
	}
	return join "\n", @told, ' not done';
}

#
# All that a table may have, with odd names, of an owner who is no superuser, in a schema that is in no
# search path
#
is(ask(<<~'SQL'), '', 'a table with all that there is');
	ALTER DEFAULT PRIVILEGES FOR ROLE CURRENT_USER, owner GRANT SELECT ON TABLES TO reader;
	CREATE SCHEMA "A b" AUTHORIZATION owner;
	SET search_path = "A b", keys;
	CREATE TABLE customers (id int PRIMARY KEY);
	INSERT INTO customers SELECT generate_series(1, 10);
	GRANT REFERENCES ON customers TO owner;
	CREATE FUNCTION "f'" () RETURNS trigger LANGUAGE plpgsql
	AS 'BEGIN NEW.note := NEW.note || ''!''; RETURN NEW; END';
	CREATE TABLE "The or'ders" (n int GENERATED ALWAYS AS IDENTITY (INCREMENT 5), dropped int,
		"the %id" uuid CONSTRAINT orders_pkey PRIMARY KEY DEFAULT keys.uuidv7() CHECK (keys.uuidv7_is("the %id")),
		cust int REFERENCES customers DEFAULT 1,
			parent uuid REFERENCES "The or'ders" ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED, s serial,
		twice int GENERATED ALWAYS AS (cust * 2) STORED, note text NOT NULL DEFAULT 'x',
			UNIQUE ("the %id", n) INCLUDE (s));
	GRANT SELECT (dropped) ON "The or'ders" TO clerk;
	ALTER TABLE "The or'ders" DROP dropped;
	GRANT USAGE ON SEQUENCE "The or'ders_n_seq" TO clerk;
	COMMENT ON SEQUENCE "The or'ders_n_seq" IS 'its numbers';
	CREATE INDEX "a note" ON "The or'ders" (lower(note)) WHERE note <> 'y';
	COMMENT ON TABLE "The or'ders" IS 'the table''s';
	COMMENT ON COLUMN "The or'ders".note IS 'its note';
	COMMENT ON INDEX "a note" IS 'its index';
	COMMENT ON CONSTRAINT "The or'ders_parent_fkey" ON "The or'ders" IS 'its parent';
	CREATE TABLE items (o uuid NOT NULL CONSTRAINT "an item's" REFERENCES "The or'ders" ON DELETE CASCADE,
		no int, PRIMARY KEY (o, no));
	COMMENT ON CONSTRAINT "an item's" ON items IS 'an item''s';
	CREATE TABLE laps (o uuid REFERENCES "The or'ders") PARTITION BY HASH (o);
	CREATE TABLE laps0 PARTITION OF laps FOR VALUES WITH (MODULUS 2, REMAINDER 0);
	CREATE TABLE laps1 PARTITION OF laps FOR VALUES WITH (MODULUS 2, REMAINDER 1);
	COMMENT ON CONSTRAINT laps_o_fkey ON laps IS 'a lap''s';
	CREATE VIEW v WITH (security_barrier) AS SELECT "the %id", note FROM "The or'ders" GROUP BY "the %id";
	CREATE VIEW vv AS SELECT count(*) FROM v;
	GRANT SELECT ON v TO clerk;
	REVOKE ALL ON "The or'ders" FROM reader;
	GRANT SELECT, UPDATE ON "The or'ders" TO clerk WITH GRANT OPTION;
	GRANT INSERT (note) ON "The or'ders" TO clerk;
	CREATE TRIGGER "tr'" BEFORE INSERT ON "The or'ders" FOR EACH ROW EXECUTE FUNCTION "f'"();
	CREATE TRIGGER off BEFORE INSERT ON "The or'ders" FOR EACH ROW EXECUTE FUNCTION "f'"();
	ALTER TABLE "The or'ders" DISABLE TRIGGER off;
	ALTER TABLE "The or'ders" ENABLE ROW LEVEL SECURITY;
	CREATE POLICY p ON "The or'ders" FOR SELECT TO clerk USING (note <> 'secret');
	COMMENT ON POLICY p ON "The or'ders" IS 'its policy';
	COMMENT ON TRIGGER off ON "The or'ders" IS 'its trigger';
	CREATE PUBLICATION pub WITH (publish_via_partition_root, publish = 'insert');
	GRANT CREATE ON DATABASE postgres TO owner;
	ALTER PUBLICATION pub OWNER TO owner;
	CREATE SEQUENCE "a sequence" OWNED BY "The or'ders".note;
	ALTER TABLE "The or'ders" OWNER TO owner;
	ALTER VIEW v OWNER TO owner;
	ALTER TABLE items OWNER TO owner;
	ALTER TABLE laps OWNER TO owner;
	ALTER TABLE laps0 OWNER TO owner;
	ALTER TABLE laps1 OWNER TO owner;
	INSERT INTO "The or'ders" ("the %id", cust)
	SELECT keys.uuidv7_at(now() - n * interval '1 h'), n % 10 + 1 FROM generate_series(1, 1000) n;
	UPDATE "The or'ders" SET parent = "the %id";
	INSERT INTO items SELECT "the %id", 1 FROM "The or'ders";
	INSERT INTO laps SELECT "the %id" FROM "The or'ders";
	CREATE TABLE rows AS TABLE "The or'ders"
	SQL
if ($major >= 18)    # NOT ENFORCED stays so
{
	ask(<<~'SQL');
		CREATE TABLE lax (id uuid PRIMARY KEY DEFAULT uuidv7() CHECK (keys.uuidv7_is(id)), n int,
			CHECK (n > 0) NOT ENFORCED);
		CREATE TABLE of_lax (lax uuid REFERENCES lax NOT ENFORCED); INSERT INTO lax (n) VALUES (-1);
		ALTER TABLE lax ADD NOT NULL n NOT VALID
		SQL
	unlike(run_steps(q{'lax', 'month'}, $_),
		qr/^(?!DEBUG:|$)/m, "beside constraints that are not enforced: $_")
	  for qw(prepare swap);
	is(ask(<<~'SQL'), "lax_n_check|f\nof_lax_lax_fkey|f", 'which they stay');
		SELECT conname, conenforced FROM pg_constraint
		WHERE 'lax'::regclass IN (conrelid, confrelid) AND NOT conenforced ORDER BY 1;
		DROP TABLE of_lax, lax
		SQL
}
my $name = q{'"A b"."The or''ders"'};
is( ask(    qq{SET search_path = "A b"; }
		  . qq{ALTER PUBLICATION pub ADD TABLE "The or'ders"}
		  . ($major >= 15 ? q{ ("the %id", cust) WHERE (cust > 0)} : '')),
	'',
	'and is published');
my $state = <<~SQL;
	SET search_path = "A b";
	SELECT 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated, CASE
		WHEN contype <> 'c' THEN obj_description(oid, 'pg_constraint') END FROM pg_constraint
	WHERE conrelid IN ($name\::regclass, 'items'::regclass, 'laps'::regclass) AND contype <> 'n'
		AND conparentid = 0 ORDER BY conrelid::regclass::text COLLATE "C", 3;
	SELECT 'index', indexname, replace(indexdef, ' ON ONLY ', ' ON '),
		obj_description(format('%I.%I', schemaname, indexname)::regclass, 'pg_class') FROM pg_indexes
	WHERE tablename = 'The or''ders' ORDER BY 2;
	SELECT 'trigger', tgname, pg_get_triggerdef(oid), tgenabled, obj_description(oid, 'pg_trigger')
	FROM pg_trigger WHERE NOT tgisinternal AND tgrelid = $name\::regclass ORDER BY 2;
	SELECT 'view', viewname, definition, viewowner, c.reloptions, c.relacl
	FROM pg_views JOIN pg_class c ON c.oid = viewname::regclass WHERE schemaname = 'A b' ORDER BY 2;
	SELECT 'table', relacl, relowner::regrole, relrowsecurity, relforcerowsecurity, obj_description(oid)
	FROM pg_class c WHERE oid = $name\::regclass;
	SELECT 'sequence', relacl, obj_description(oid) FROM pg_class
	WHERE oid = '"The or''ders_n_seq"'::regclass;
	SELECT 'policy', polname, polcmd, polroles::regrole[], pg_get_expr(polqual, polrelid),
		obj_description(oid, 'pg_policy') FROM pg_policy WHERE polrelid = $name\::regclass;
	SELECT 'column', attname, format_type(atttypid, atttypmod), attidentity, attgenerated, attnotnull,
		pg_get_expr(adbin, adrelid), attacl, pg_get_serial_sequence($name, attname),
			col_description(attrelid, attnum)
	FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
	WHERE attrelid = $name\::regclass AND attnum > 0 AND NOT attisdropped ORDER BY 2;
	SELECT 'sequence', c.oid::regclass, q.*, c.relowner::regrole
	FROM pg_class c JOIN pg_sequences q ON sequencename = relname WHERE relkind = 'S'
	ORDER BY c.oid::regclass::text COLLATE "C";
	SELECT 'publication', to_jsonb(p) FROM pg_publication_tables p;
	SELECT 'rows', count(*), md5(string_agg(o::text, '' ORDER BY "the %id")), (SELECT count FROM vv),
		(SELECT count(*) FROM items JOIN "The or'ders" ON "the %id" = o),
		(SELECT count(*) FROM laps JOIN "The or'ders" ON "the %id" = o) FROM "The or'ders" o
	SQL
my $before = ask($state);
like($before, qr/^rows\|1000\|\w+\|1000\|1000\|1000\z/m, 'which is known');

my $steps = qq{$name, 'month', 'Europe/Berlin'};
my @owner = ('-U', 'owner');
is( ask("SELECT phase, lock, done FROM uuid_partitioning_steps($steps) ORDER BY step"),
	join("\n",
		'prepare|ACCESS EXCLUSIVE, for a moment|f',
		'prepare|SHARE UPDATE EXCLUSIVE: others read and write|f',
		'swap|ACCESS EXCLUSIVE on the table, what refers to it, and views, ' . 'for a moment|f',
		'undo|ACCESS EXCLUSIVE, for a moment|t'),
	'the steps');
is( run_steps($steps, 'swap', 1, @owner),
	"run the steps of phase prepare before\n not done",
	'a swap that would read the table is refused');
is(run_steps($steps, 'prepare', 1, @owner), '', 'prepared');
is(ask(<<~SQL), 'swap undo', 'which is seen');
	SELECT string_agg(phase, ' ' ORDER BY step) FROM uuid_partitioning_steps($name, 'day') WHERE NOT done
	SQL
like(ask(<<~'SQL'), qr/violates check constraint "uuid_partitioning"/, 'a key of a later time is refused');
	INSERT INTO "A b"."The or'ders" (n, s, "the %id") OVERRIDING SYSTEM VALUE
	VALUES (1, 1, uuidv7_at(now() + interval '70 days'))
	SQL

# a step does not wait for long
my $other = Session->new($node);
$other->query('BEGIN; SELECT count(*) FROM "A b"."The or\'ders"');
is( run_steps($steps, 'swap', 1, @owner),
	"canceling statement due to lock timeout\n not done",
	'a step gives up a lock that it does not get');
$other->query('COMMIT');
$other->quit;
is(ask($state) =~ s/^constraint.*uuid_partitioning.*\n//mr, $before, 'and changes nothing');
foreach my $round (1, 2)
{
	like(
		run_steps($steps, 'swap', 1, @owner),
		qr/^DEBUG:  partition constraint for table "The or'ders_first" is implied by existing constraints\z/,
		"round $round: swapped, and no row was read");
	my $swapped = ask($state);
	is(ask('SELECT relkind FROM pg_class WHERE oid = ' . $name . '::regclass'),
		'p', "round $round: it is partitioned");
	my $pending =
	  qr/^constraint\|(?:items\|an item's|laps\|laps_o_fkey|"The or'ders"\|The or'ders_parent_fkey)\|.*\n/m;
	is( $swapped =~ s/$pending//gr,
		$before =~ s/$pending//gr,
		"round $round: all is as before, " . "but for foreign keys");
	like(
		ask(q{INSERT INTO "A b".items VALUES (uuidv7(), 1)}),
		qr/violates foreign key constraint/,
		"round $round: which are enforced");
	like(
		ask(q{INSERT INTO "A b".laps VALUES (uuidv7())}),
		qr/violates foreign key constraint/,
		"round $round: $_") for 'also of a partitioned table';
	like(ask(<<~'SQL'), qr/violates foreign key constraint/, "round $round: and of its own");
		UPDATE "A b"."The or'ders" SET parent = uuidv7() WHERE n = 1
		SQL
	like(
		ask(q{DELETE FROM "A b"."The or'ders" WHERE n = 1}),
		qr/violates foreign key constraint "laps[01]?_o_fkey/,
		"round $round: from both sides");
	ok( ask(    "SELECT string_agg(statement, E'\n' ORDER BY step) FROM uuid_partitioning_steps($steps) "
			  . "WHERE phase = 'finish'") =~ /DROP CONSTRAINT uuid_partitioning'\)\z/m,
		'the last step is the last');
	my $no_way_back = "phase = 'finish' AND NOT done AND why <> 'no way leads back from here'";
	is(ask(<<~SQL, @owner), '', "round $round: finished but for the last step");
		SELECT statement FROM uuid_partitioning_steps($steps) WHERE $no_way_back ORDER BY step \\gexec
		SQL
	is(ask($state), $before, "round $round: all is as before");
	is(ask(<<~SQL), 't|-infinity|t|t|t', "round $round: partitions for what comes");
		SELECT count(*) > 2, min(since), sum(rows) >= 1000, max(until) > now() + interval '2 months',
			count(*) FILTER (WHERE since AT TIME ZONE 'Europe/Berlin' = date_trunc('month',
				since AT TIME ZONE 'Europe/Berlin')) = count(*)
		FROM uuid_partitions($name)
		SQL
	is(ask(<<~SQL), 'finish undo', "round $round: what is left");
		SELECT string_agg(phase, ' ' ORDER BY step) FROM uuid_partitioning_steps($steps) WHERE NOT done
		SQL
	is( ask(<<~'SQL'),
		BEGIN;
		SET CONSTRAINTS ALL IMMEDIATE;
		INSERT INTO "A b"."The or'ders" DEFAULT VALUES RETURNING n, s, note, twice, tableoid::regclass;
		ROLLBACK;
		SELECT last_value FROM "A b"."The or'ders_n_seq"
		SQL
		join('|', 4991 + 10 * $round, 999 + 2 * $round, 'x!', 2, q{"A b"."The or'ders_first"}) . "\n"
		  . (4991 + 10 * $round), "round $round: identity, serial, default, trigger go on");
	is(ask(<<~'SQL'), '', "round $round: a later row");
		INSERT INTO "A b"."The or'ders" ("the %id") VALUES (uuidv7_at(now() + interval '70 days'))
		SQL
	is( run_steps($steps, 'undo', 1, @owner),
		qq{table "A b"."The or'ders" has rows in other partitions\n not done},
		"round $round: with rows in other partitions there is no way back");
	is(ask(<<~'SQL'), '', "round $round: without");
		DELETE FROM "A b"."The or'ders" WHERE "the %id" > uuidv7_min(now() + interval '1 hour')
		SQL
	is(ask('SELECT relacl::text ~ $$reader$$ FROM pg_class ' . 'WHERE oid = ' . $name . '::regclass'),
		'f', "round $round: nobody may read it who might not before");
	last if $round == 2;
	is(run_steps($steps, 'undo', 1, @owner), '', 'undone');
	is(ask(<<~SQL), 't', 'but for foreign keys that are to be validated');
		SELECT count(*) > 3 FROM uuid_partitioning_steps($steps) WHERE phase = 'undo' AND NOT done
		SQL
	is(run_steps($steps, 'undo', 1, @owner), '', 'undone');
	is(ask($state) =~ s/^sequence.*\n//mgr, $before =~ s/^sequence.*\n//mgr, 'and as before');
	is(ask(<<~'SQL'), '0', 'nothing is left');
		SELECT count(*) FROM pg_class WHERE relname ~ '_first|uuid_partitioning'
		SQL
	is(ask(<<~SQL), 'prepare prepare swap', 'once more');
		SELECT string_agg(phase, ' ' ORDER BY step) FROM uuid_partitioning_steps($steps) WHERE NOT done
		SQL
	$before = ask($state);
	is(run_steps($steps, 'prepare', 1, @owner), '', 'prepared again');
}
is(run_steps($steps, 'finish', 1, @owner), '', 'finished');
is( ask("SELECT * FROM uuid_partitioning_steps($steps)"),
	qq{cannot partition table "A b"."The or'ders" by width "month"},
	'a table that is partitioned is refused');
is(ask(<<~'SQL'), '980', 'rows are deleted with their children');
	UPDATE "A b"."The or'ders" SET parent = NULL;
	DELETE FROM "A b".laps;
	DELETE FROM "A b"."The or'ders" WHERE n < 100;
	SELECT count(*) FROM "A b".items
	SQL
ask('DROP SCHEMA "A b" CASCADE; DROP PUBLICATION pub');

#
# What stands in the way
#
is(ask(<<~'SQL'), '', 'a table');
	CREATE TABLE log (id uuid PRIMARY KEY DEFAULT uuidv7(), line text);
	CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'
	SQL
foreach (
	[
		'CREATE MATERIALIZED VIEW m AS SELECT id FROM log',
		qr/^rule _RETURN on materialized view m depends on it$/m
	],
	[ 'CREATE RULE r AS ON UPDATE TO log DO NOTHING', qr/^rule r on table log would be lost$/m ],
	[
		'CREATE FUNCTION f() RETURNS bigint LANGUAGE sql BEGIN ATOMIC SELECT count(*) FROM log; ' . 'END',
		qr/^function f\(\) depends on it$/m
	],
	[ 'CREATE TABLE of_log (whole log)', qr/^column whole of table of_log depends on it$/m ],
	[
		'CREATE FUNCTION f(log[]) RETURNS int LANGUAGE sql AS $$SELECT 1$$',
		qr/^function f\(log\[\]\) depends on it$/m
	],
	[
		'CREATE UNIQUE INDEX once ON log (line) INCLUDE (id)',
		qr/^swap: (?i:unique) constraint on partitioned table must include all partitioning columns/m
	],
	[
		'ALTER TABLE log ADD EXCLUDE ' . 'USING hash (line WITH =)',
		qr/^swap: .*(?:exclusion|EXCLUDE) constraint/m
	],
	[
		'ALTER TABLE log ADD CONSTRAINT c CHECK (line IS NOT NULL) NO INHERIT',
		qr/^swap: cannot add NO INHERIT constraint to partitioned table "log"$/m
	],
	[
		'CREATE PUBLICATION all_of_them FOR ALL TABLES',
		qr/^publication "all_of_them" publishes partitions by their own names: SET \(publish_via_partition_root\)$/m
	],
	[ 'ALTER TABLE log SET UNLOGGED', qr/^it is unlogged or temporary$/m ],
	[ 'CREATE TABLE heirs () INHERITS (log)', qr/^table heirs depends on it$/m ])
{
	my ($statement, $told) = @$_;
	my (undef, undef, $stderr) = $node->psql('postgres', <<~SQL);
		BEGIN;
		$statement;
		SELECT * FROM uuid_partitioning_steps('log', 'day')
		SQL
	like(
		$stderr =~ /ERROR:  (.*)/ ? $1 : '',
		qr/^cannot partition table public\.log$/,
		"$statement: is in the way");
	like($stderr =~ s/^DETAIL:  //mr =~ s/public\.(?!once)//gr, $told, 'which is told');
}
foreach (
	[ q{'log', 'fortnight'}, 'SELECT', 'cannot partition by width "fortnight"' ],
	[ q{'log', NULL}, 'SELECT', 'cannot partition by width ""' ],
	[
		q{'log', 'day', 'UTC', 'draft'},
		'SELECT', 'column "id" of table log holds layout "rfc9562", ' . 'not "draft"'
	],
	[
		q{'log', 'day'},
		'ALTER TABLE log DROP CONSTRAINT log_pkey',
		'cannot partition table log by width "day"'
	],
	[
		q{'log', 'day'},
		'ALTER TABLE log ALTER id DROP DEFAULT',
		'cannot tell the layout of column "id" of table log'
	],
	[
		q{'log', 'day'},
		q{INSERT INTO log VALUES ('ffffffff-ffff-4fff-bfff-ffffffffffff')},
		'the greatest key of table log, ffffffff-ffff-4fff-bfff-ffffffffffff, is not of layout "rfc9562"'
	])
{
	my ($arguments, $statement, $error) = @$_;
	is(ask(<<~SQL) =~ s/public\.//gr, $error, $error);
		BEGIN;
		$statement;
		SELECT FROM uuid_partitioning_steps($arguments)
		SQL
}

# each width, in --quick two by lot; a layout that is told; a border that has come too near
my $quick = $ENV{UUIDNEW_QUICK};
my $seed = $ENV{PARTITIONING_SEED} // int(rand(1_000_000));
note("PARTITIONING_SEED=$seed") if $quick;
srand($seed);
my @widths = shuffle(qw(hour day week month quarter YEAR));
foreach my $width (@widths[ 0 .. ($quick ? 1 : $#widths) ])
{
	is( ask( <<~SQL) . run_steps("'log', '$width', 'UTC', 'draft'", 'prepare')
				DROP TABLE log;
				CREATE TABLE log (id uuid PRIMARY KEY, line text);
				INSERT INTO log SELECT uuid_generate_v7() FROM generate_series(1, 10)
				SQL
		  . run_steps("'log', '$width', layout => 'draft'", 'swap')
		  . run_steps("'log', '$width'", 'finish'),
		qq{DEBUG:  partition constraint for table "log_first" is implied by existing constraints},
		"$width: partitioned");
	is( ask(<<~SQL),
		SELECT min(until) > now() + interval '1 month',
			bool_and(since = date_trunc('$width', since)) FILTER (WHERE since > '-infinity'),
				max(until) >= min(until) + 2 * ('1 ' || replace(lower('$width'), 'quarter',
					'month'))::interval FROM uuid_partitions('log')
		SQL
		't|t|t', "$width: since a month from now");
}
is( ask(<<~'SQL') . run_steps(q{'log', 'day'}, 'prepare|swap')
	DROP TABLE log;
	CREATE TABLE log (id uuid PRIMARY KEY DEFAULT uuidv7() CONSTRAINT uuid_partitioning
		CHECK (id < '00000000-0001-7000-8000-000000000000'), line text)
	SQL
	  . ask( <<~'SQL'),
			INSERT INTO log DEFAULT VALUES;
			SELECT count(*) FROM log
			SQL
	qq{DEBUG:  partition constraint for table "log_first" is implied by existing constraints1},
	'an end that has come is put off');
ask('DROP TABLE log');

#
# Beside a writer, with kills
#
my $soak = $ENV{UUIDNEW_SOAK};
my $kept = $soak ? 50000 : $quick ? 2500 : 15000;
my @rate = $quick ? ('-c', '2', '-R', '40') : ('-c', '3');    # which leaves other tests a processor
my $writer = $node->basedir . '/writer.sql';
append_to_file($writer, <<~'SQL');
	\set n random(1, 1000000000)
	\set some random(1, 1000)
	BEGIN;
	INSERT INTO orders (note) VALUES (:n) RETURNING id AS id \gset
	INSERT INTO items (id, no) VALUES (':id', 1), (':id', 2);
	INSERT INTO laps VALUES (':id');
	INSERT INTO told VALUES (':id');
	COMMIT;
	BEGIN;
	SELECT id AS other FROM orders WHERE note = :some FOR KEY SHARE \gset
	UPDATE orders SET parent = ':other' WHERE id = ':id';
	INSERT INTO laps VALUES (':other');
	COMMIT;
	SELECT count(*) FROM noted WHERE note = :n;
	SQL
my $right = <<~'SQL';
	SELECT (SELECT count(*) FROM told WHERE NOT EXISTS (SELECT FROM orders o WHERE o.id = told.id)),
		(SELECT count(*) FROM orders) - (SELECT count(*) FROM told),
	(SELECT count(*) FROM items) - 2 * (SELECT count(*) FROM items JOIN orders USING (id) WHERE no = 1),
		(SELECT count(*) FROM laps) - (SELECT count(*) FROM laps JOIN orders USING (id)),
	(SELECT count(parent) FROM orders) - (SELECT count(*) FROM orders o JOIN orders p ON p.id = o.parent),
		(SELECT count(*) FROM noted) - (SELECT count(*) FROM orders)
	SQL
my $orders = q{'orders', 'week'};

foreach my $round (1 .. ($soak ? 10 : 1))
{
	is(ask(<<~SQL), '', "round $round: tables");
		DROP TABLE IF EXISTS orders, items, laps, told CASCADE;
		CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT uuidv7()
			CHECK (uuidv7_is(id)), parent uuid REFERENCES orders, note int);
		CREATE INDEX ON orders (note);
		CREATE TABLE items (id uuid REFERENCES orders ON DELETE CASCADE, no int, PRIMARY KEY (id, no));
		CREATE TABLE laps (id uuid NOT NULL REFERENCES orders) PARTITION BY HASH (id);
		CREATE TABLE laps0 PARTITION OF laps FOR VALUES WITH (MODULUS 2, REMAINDER 0);
		CREATE TABLE laps1 PARTITION OF laps FOR VALUES WITH (MODULUS 2, REMAINDER 1);
		CREATE VIEW noted AS SELECT * FROM orders;
		CREATE TABLE told (id uuid);
		INSERT INTO orders (id, note) SELECT uuidv7_at(now() - n * interval '12 s'), n
		FROM generate_series(1, $kept) n;
		INSERT INTO items SELECT id, no FROM orders, generate_series(1, 2) no;
		INSERT INTO laps SELECT id FROM orders;
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
		$node->poll_query_until('postgres', "SELECT count(*) > $rows + 20 FROM told") or die 'nobody writes';
	};
	$writes->();
	# there and back, killed at any time, and to the end at last
	my $cut = 0;
	# with --quick a session and the server on the way there, and a session on the way back
	foreach my $kill ($quick ? (1, 3, 4) : 1 .. ($soak ? 16 : 8))
	{
		my $step = 1 + int rand 4;
		my ($in, $o) = (
			"SELECT '/* step *' || '/ ' || statement FROM uuid_partitioning_steps($orders) "
			  . "WHERE phase = '%s' AND NOT done AND why <> 'no way leads back from here' "
			  . "ORDER BY step \\gexec\n",
			'');
		$in = join '', map { sprintf $in, $_ } $kill % 4 ? qw(prepare swap finish) : 'undo';
		$in .= "\\q\n";
		my $psql =
		  IPC::Run::start([ 'psql', '-Xqa', '-d', $node->connstr('postgres') ], '<', \$in, '>', \$o, '2>&1');
		$psql->pump while length $in;            # else it would wait for its input
		$psql->pump while $psql->pumpable && (() = $o =~ m{^/\* step \*/}mg) < $step;
		select undef, undef, undef, rand 0.05;
		$cut++ if eval { $psql->pump_nb; 1 };    # it goes on

		if ($kill % 3)
		{
			$node->safe_psql('postgres', <<~'SQL');
				SELECT pg_terminate_backend(pid) FROM pg_stat_activity
				WHERE application_name = 'psql' AND pid <> pg_backend_pid()
				SQL
			$psql->finish;
		}
		else
		{
			$node->stop('immediate');
			$_->finish for $psql, $pgbench;
			$node->start;
			$pgbench = $start->();
		}
		is(ask($right), '0|0|0|0|0|0', "round $round, kill $kill: all is there");
	}
	cmp_ok($cut, '>', 0, "round $round: kills in the middle");
	unlike(run_steps($orders, 'prepare', 40), qr/not done/, "round $round: prepared");
	unlike(run_steps($orders, 'swap', 40), qr/not done/, "round $round: swapped");
	$writes->();
	unlike(run_steps($orders, 'undo', 40) . run_steps($orders, 'undo', 40),
		qr/not done/, "round $round: undone");
	is(ask(<<~'SQL'), "r\n0", "round $round: it is a table");
		SELECT relkind FROM pg_class WHERE oid = 'orders'::regclass;
		SELECT count(*) FROM pg_constraint
		WHERE contype = 'f' AND (NOT convalidated OR obj_description(oid, 'pg_constraint') <> '')
		SQL
	$writes->();
	unlike(
		run_steps($orders, 'prepare', 40) . run_steps($orders, 'swap', 40) . run_steps($orders, 'finish', 40),
		qr/not done/,
		"round $round: once more, to the end");
	$writes->();
	$pgbench->signal('TERM');
	$pgbench->finish;
	unlike($out, qr/ERROR|aborted/, "round $round: no writer had an error or waited for long") or diag $out;
	is(ask($right), '0|0|0|0|0|0', "round $round: at the end all is there");
	is( ask(<<~'SQL'),
		SELECT count(*) > 2, min(until) > now() FROM uuid_partitions('orders');
		SELECT conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated FROM pg_constraint
		WHERE confrelid = 'orders'::regclass AND conparentid = 0 ORDER BY 1, 2;
		SELECT count(*) FROM pg_constraint WHERE conname = 'uuid_partitioning';
		SELECT conname FROM pg_constraint WHERE conrelid = 'orders'::regclass AND contype = 'p'
		SQL
		join("\n",
			't|t',
			'orders|orders_parent_fkey|FOREIGN KEY (parent) REFERENCES orders(id)|t',
			'items|items_id_fkey|FOREIGN KEY (id) REFERENCES orders(id) ON DELETE CASCADE|t',
			'laps|laps_id_fkey|FOREIGN KEY (id) REFERENCES orders(id)|t',
			0,
			'orders_pkey') =~ s/(.*\n)(orders\|.*\n)(items.*\n)(laps.*\n)/$1$3$4$2/r,
		"round $round: partitioned, with all foreign keys");
}

#
# What else would be lost; the way back leads to what the table has by then
#
is(ask(<<~'SQL'), '', 'a table whose name has many octets');
	CREATE TABLE "ключикупленныхигрушекижелезокхх1" (
		id uuid CONSTRAINT toys_key PRIMARY KEY DEFAULT uuidv7() CONSTRAINT toys_check CHECK (uuidv7_is(id)),
		line text DEFAULT 'x');
	ALTER TABLE "ключикупленныхигрушекижелезокхх1" OWNER TO owner;
	COMMENT ON CONSTRAINT "toys_key" ON "ключикупленныхигрушекижелезокхх1" IS 'its key';
	ALTER TABLE "ключикупленныхигрушекижелезокхх1" REPLICA IDENTITY FULL, ENABLE ROW LEVEL SECURITY;
	CREATE POLICY before ON "ключикупленныхигрушекижелезокхх1" FOR
		SELECT TO clerk USING (id IN (SELECT id FROM "ключикупленныхигрушекижелезокхх1"));
	GRANT SELECT ON "ключикупленныхигрушекижелезокхх1" TO clerk WITH GRANT OPTION;
	GRANT UPDATE (line) ON "ключикупленныхигрушекижелезокхх1" TO reader;
	SET ROLE clerk; GRANT SELECT ON "ключикупленныхигрушекижелезокхх1" TO reader; RESET ROLE;
	CREATE TABLE others (id uuid); CREATE VIEW keys_of AS SELECT id FROM "ключикупленныхигрушекижелезокхх1";
	ALTER VIEW keys_of OWNER TO owner
	SQL
my $toys = q{'"ключикупленныхигрушекижелезокхх1"'};
foreach (
	[
		q{CREATE POLICY p ON others USING (id IN (SELECT id } . q{FROM "ключикупленныхигрушекижелезокхх1"))},
		qr/^DETAIL:  policy p on table others depends on it$/m
	],
	[
		q{CREATE RULE r AS ON DELETE TO keys_of DO INSTEAD DELETE FROM "ключикупленныхигрушекижелезокхх1" k }
		  . q{WHERE k.id = OLD.id},
		qr/^DETAIL:  rule r on view keys_of depends on it$/m
	],
	[
		q{CREATE TRIGGER t AFTER INSERT ON "ключикупленныхигрушекижелезокхх1" REFERENCING NEW TABLE AS made FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()},
		qr/^DETAIL:  swap: .*ROW triggers with transition tables are not supported on partitioned tables/m
	])
{
	my (undef, undef, $stderr) = $node->psql('postgres', <<~SQL);
		BEGIN;
		$_->[0];
		SELECT * FROM uuid_partitioning_steps($toys, 'day')
		SQL
	like($stderr, $_->[1], "$_->[0]: is in the way");
}
is( run_steps("$toys, 'year'", 'prepare', 1, @owner) . run_steps("$toys, 'year'", 'swap', 1, @owner) =~
	  s/^DEBUG.*//r,
	'', 'partitioned');
is(ask(<<~'SQL'), "f|its key|1", 'with its replica identity, and the comment of its key');
	SELECT relreplident,
		(SELECT obj_description(oid, 'pg_constraint') FROM pg_constraint
			WHERE conrelid = c.oid AND contype = 'p'),
				(SELECT count(*) FROM pg_inherits WHERE inhparent = c.oid)
	FROM pg_class c WHERE relname = 'ключикупленныхигрушекижелезокхх1'
	SQL
is(ask(<<~'SQL'), '', 'changed since');
	DROP POLICY before ON "ключикупленныхигрушекижелезокхх1";
	CREATE POLICY after ON "ключикупленныхигрушекижелезокхх1" TO clerk USING (line <> 'y');
	REVOKE ALL ON "ключикупленныхигрушекижелезокхх1" FROM clerk CASCADE;
	REVOKE ALL ON "ключикупленныхигрушекижелезокхх1" FROM reader;
	GRANT INSERT ON "ключикупленныхигрушекижелезокхх1" TO reader;
	GRANT SELECT (line) ON "ключикупленныхигрушекижелезокхх1" TO clerk;
	COMMENT ON TABLE "ключикупленныхигрушекижелезокхх1" IS 'by now';
	COMMENT ON COLUMN "ключикупленныхигрушекижелезокхх1".line IS 'its line';
	ALTER TABLE "ключикупленныхигрушекижелезокхх1" ADD more int CONSTRAINT more_check
		CHECK (more > 0), ALTER line SET DEFAULT 'z';
	CREATE INDEX more ON "ключикупленныхигрушекижелезокхх1" (more);
	ALTER TABLE "ключикупленныхигрушекижелезокхх1" ADD CONSTRAINT self FOREIGN KEY (id)
		REFERENCES "ключикупленныхигрушекижелезокхх1", FORCE ROW LEVEL SECURITY;
	CALL uuid_create_partitions('"ключикупленныхигрушекижелезокхх1"', 'year', '2 years');
	INSERT INTO "ключикупленныхигрушекижелезокхх1" DEFAULT VALUES;
	INSERT INTO "ключикупленныхигрушекижелезокхх1" SELECT uuidv7_at(now() + interval '700 days')
	SQL
is( run_steps("$toys, 'year'", 'undo', 1, @owner),
	qq{query would be affected by row-level security policy for table "ключикупленныхигрушекижелезокхх1"\n not done},
	'rows that are not seen are not dropped');
is(ask(<<~'SQL') . run_steps("$toys, 'year'", 'undo') . run_steps("$toys, 'year'", 'undo'), '', 'undone');
	DELETE FROM "ключикупленныхигрушекижелезокхх1" WHERE id > uuidv7_min(now() + interval '699 days')
	SQL
is( ask(<<~'SQL') =~ s/arwdDxtm?/all/r,
	SELECT relkind, relacl, relowner::regrole, relrowsecurity, relforcerowsecurity, relreplident,
		obj_description(oid, 'pg_class'),
			(SELECT string_agg(polname, ' ') FROM pg_policy WHERE polrelid = c.oid),
	(SELECT string_agg(concat_ws(' ', attname, attacl, col_description(c.oid, attnum)), ', '
		ORDER BY attnum) FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0),
	(SELECT string_agg(conname || convalidated, ' ' ORDER BY conname) FROM pg_constraint
		WHERE conrelid = c.oid AND contype IN ('c', 'f')), to_regclass('more')
	FROM pg_class c WHERE relname = 'ключикупленныхигрушекижелезокхх1';
	SELECT line FROM "ключикупленныхигрушекижелезокхх1"
	SQL
	'r|{owner=all/owner,reader=a/owner}|owner|t|t|f|by now|after|id, line {clerk=r/owner} its line, '
	  . 'more|more_checktrue selftrue toys_checktrue|more'
	  . "\nz", 'with what it has by then');

# Names of indexes that begin as the table's does, and rights that the owner has given up
is(ask(<<~'SQL'), '', 'a table whose name is long');
	CREATE SCHEMA clerks AUTHORIZATION clerk; SET ROLE clerk;
	CREATE TABLE clerks."a table whose name is nearly as long as a name may be, namely" (
		n int GENERATED ALWAYS AS IDENTITY, id uuid PRIMARY KEY DEFAULT keys.uuidv7(),
		reference_of_a_customer_first int, reference_of_a_customer_second int);
	CREATE INDEX ON clerks."a table whose name is nearly as long as a name may be, namely"
		(reference_of_a_customer_first);
	CREATE INDEX ON clerks."a table whose name is nearly as long as a name may be, namely"
		(reference_of_a_customer_first, n);
	REVOKE TRUNCATE ON clerks."a table whose name is nearly as long as a name may be, namely" FROM clerk
	SQL
my $long = q{'clerks."a table whose name is nearly as long as a name may be, namely"'};
my $rights =
	qq{SELECT relacl::text !~ 'D', (SELECT string_agg(indexrelid::regclass::text, ' ' }
  . qq{ORDER BY indexrelid::regclass::text) FROM pg_index WHERE indrelid = c.oid) FROM pg_class c }
  . qq{WHERE oid = $long\::regclass};
my $held = ask($rights);
like(
	$held,
	qr/^t\|.*a table whose name.*a table whose name.*a table whose name/,
	'which its owner may not truncate');
foreach (qw(prepare swap undo))
{
	unlike(run_steps("$long, 'month'", $_, 1, '-U', 'clerk'), qr/^(?!DEBUG:|$)/m, "$_: done");
	is(ask($rights), $held, "$_: nor then, and indexes have their names");
}

# Nobody may attach the function that reads keys for its owner, whatever default privileges say
is(ask(<<~'SQL'), 't|f', 'no right by default to a function that reads keys');
	ALTER DEFAULT PRIVILEGES GRANT EXECUTE ON FUNCTIONS TO clerk;
	CREATE TABLE kept (id int PRIMARY KEY); CREATE TABLE of_kept (id int REFERENCES kept);
	SELECT statement FROM uuid_rekey_steps('kept', 'uuidv7_at(now())')
	WHERE phase = 'prepare' AND statement ~ 'ADD COLUMN|TRIGGER uuid_rekey' ORDER BY step \gexec
	SELECT prosecdef, has_function_privilege('clerk', oid, 'EXECUTE') FROM pg_proc p
	WHERE EXISTS (SELECT FROM pg_trigger
		WHERE tgfoid = p.oid AND tgrelid = 'of_kept'::regclass AND NOT tgisinternal)
	SQL

$node->stop;
done_testing();
