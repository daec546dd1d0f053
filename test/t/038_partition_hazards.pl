# What could go wrong with partitions, and with a table in use that becomes partitioned: each ends right,
# or is refused before anything has changed.  What is PostgreSQL's own way is said on the page.
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
my $major = ask(q{SELECT current_setting('server_version_num')::int / 10000});
my $page = slurp_file("$FindBin::RealBin/../../doc/partitions.md");
make('CREATE ROLE reporting');

my $orders = <<~'SQL';
	CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT uuidv7() CHECK (uuidv7_is(id)), n int)
	PARTITION BY RANGE (id);
	SQL
my $orders_and_rest = "$orders; CREATE TABLE orders_default PARTITION OF orders DEFAULT";
my $log = <<~'SQL';
	CREATE TABLE log (id uuid PRIMARY KEY DEFAULT uuidv7() CHECK (uuidv7_is(id)), line text);
	SQL
my $to_partition = partitioning_of('log');
my $waiting = q{SELECT rows FROM uuid_partitions('orders') WHERE since IS NULL};

sub waits_for_lock
{
	return wait_for(q{count(*) > 0 FROM pg_stat_activity WHERE wait_event_type = 'Lock'});
}

# A partition, by its name of before a retry
anew(<<~SQL);
	$orders;
	CREATE TABLE orders_old PARTITION OF orders
	FOR VALUES FROM (uuidv7_min('2026-01-01')) TO (uuidv7_min('2026-02-01'));
	CREATE TABLE orders_new PARTITION OF orders
	FOR VALUES FROM (uuidv7_min('2026-02-01')) TO (uuidv7_min('2070-01-01'));
	INSERT INTO orders DEFAULT VALUES;
	SQL
my $holder = Session->new($node);
my $caller = Session->new($node);
$_->query(q{SELECT}) for $holder, $caller;
$holder->query('BEGIN; LOCK TABLE ONLY orders IN ACCESS SHARE MODE');
$caller->begin(q{CALL uuid_drop_partitions('orders', '30 days', dry_run => false)});
waits_for_lock();
$holder->query(<<~'SQL');
	ALTER TABLE orders_old RENAME TO orders_archived;
	ALTER TABLE orders_new RENAME TO orders_old;
	COMMIT
	SQL
$caller->result;
is(ask('SELECT count(*) FROM orders'),
	'1', 'a partition renamed between two tries is not dropped in place of another');
is(ask(q{SELECT to_regclass('orders_old') IS NOT NULL}), 't', 'nor detached');

# What commits while the swap waits for its lock
anew($log);
is(run_phase($to_partition, 'prepare'), '', 'a table is prepared');
$holder->query(q{BEGIN; INSERT INTO log (line) VALUES ('acknowledged')});
like(ask(<<~SQL), qr/in READ COMMITTED transactions only$/, 'a swap with an old snapshot is refused');
	SET default_transaction_isolation = 'repeatable read';
	SELECT statement FROM $to_partition WHERE phase = 'swap'
	\\gexec
	SQL
$caller->begin("SELECT statement FROM $to_partition WHERE phase = 'swap'\n\\gexec");
waits_for_lock();
$holder->query('COMMIT');
$caller->result;
is(ask('SELECT line FROM log'), 'acknowledged', 'a row that commits while it waits for its lock is there');

# Children of children
anew(<<~SQL);
	$orders;
	CREATE TABLE orders_1 PARTITION OF orders
	FOR VALUES FROM (uuidv7_min('2026-01-01')) TO (uuidv7_min('2026-02-01'));
	CREATE TABLE orders_2 PARTITION OF orders
	FOR VALUES FROM (uuidv7_min('2026-02-01')) TO (uuidv7_min('2026-03-01'));
	CREATE TABLE payments (id int PRIMARY KEY, order_id uuid REFERENCES orders);
	CREATE TABLE refunds (payment int REFERENCES payments);
	INSERT INTO orders SELECT uuidv7_at('2026-01-10'::timestamptz + n * interval '1 min')
	FROM generate_series(1, 1000) n;
	INSERT INTO payments SELECT row_number() OVER (ORDER BY id), id FROM orders;
	INSERT INTO refunds VALUES (900);
	SQL
like(
	ask(q{CALL uuid_drop_partitions('orders', '30 days', delete_children => true, dry_run => false)}),
	qr/does not exist$/,
	'no command deletes what refers to a partition');
unlike(
	notices(q{CALL uuid_drop_partitions('orders', '30 days')}),
	qr/would drop partition \S*orders_1\b/,
	'a dry run does not say that it would drop what it keeps');
make(q{CALL uuid_drop_partitions('orders', '30 days', dry_run => false)});
is(ask('SELECT (SELECT count(*) FROM orders), (SELECT count(*) FROM payments)'),
	'1000|1000', 'what is referred to through two tables is kept, all of it');
is(ask(q{SELECT to_regclass('orders_2') IS NULL}), 't', 'and later partitions are dropped nonetheless');

# More rows of one key than might be moved at a time
anew(<<~'SQL');
	CREATE TABLE items (order_id uuid CHECK (uuidv7_is(order_id)), no int, PRIMARY KEY (order_id, no))
	PARTITION BY RANGE (order_id);
	CREATE TABLE items_default PARTITION OF items DEFAULT;
	INSERT INTO items SELECT id, n FROM uuidv7_at('2026-03-05 12:00+00') id, generate_series(1, 12000) n;
	SQL
is(ask(q{SET statement_timeout = '20s'; CALL uuid_create_partitions('items', 'month', '1 month')}),
	'', 'many rows of one key are no endless loop');
is(ask('SELECT count(*) - (SELECT count(*) FROM items_default) FROM items'), '12000', 'they are moved');

# What it costs to move rows: rows read in full, and definitions written
sub counted
{
	my ($sql, $count) = @_;
	my $before = ask("SELECT pg_sleep(1); SELECT $count") =~ s/\A\n//r;
	my $session = Session->new($node);
	$session->query($sql);
	$session->quit;    # which tells its counts
	return (ask("SELECT pg_sleep(1); SELECT $count") =~ s/\A\n//r) - $before;
}
my @reads;
foreach my $rows (20_000, 80_000)
{
	anew(<<~SQL);
		$orders_and_rest;
		INSERT INTO orders SELECT uuidv7_at('2026-03-02'::timestamptz + n * interval '2 s')
		FROM generate_series(1, $rows) n;
		VACUUM ANALYZE orders
		SQL
	push @reads,
	  counted(q{CALL uuid_create_partitions('orders', 'month', } . q{'0')},
		'sum(seq_tup_read) FROM pg_stat_user_tables');
	is(ask($waiting), '0', "$rows rows are moved");
}
cmp_ok($reads[1], '<', 6 * $reads[0], 'to move four times the rows, about four times as many are read');

anew(<<~SQL);
	$orders_and_rest;
	CALL uuid_create_partitions('orders', 'day', '20 days');
	CREATE TABLE child1 (id uuid REFERENCES orders);
	CREATE TABLE child2 (id uuid REFERENCES orders);
	INSERT INTO orders SELECT uuidv7_at('2026-03-02'::timestamptz + n * interval '1 s')
	FROM generate_series(1, 22000) n;
	SQL
my $added = counted(q{CALL uuid_create_partitions('orders', 'day', '0')},
	q{n_tup_ins FROM pg_stat_sys_tables WHERE relname = 'pg_constraint'});
cmp_ok($added, '<', 4 * 24, 'foreign keys are dropped and added once for a period');

# Readers with a snapshot of before a move see the row as it was then, or not at all: PostgreSQL's own way
anew(qq{$orders_and_rest; INSERT INTO orders SELECT uuidv7_at('2026-03-05 12:00+00'), 1});
my $id = ask('SELECT id FROM orders');
$holder->query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1');
make(q{CALL uuid_create_partitions('orders', 'month', '0')});
$holder->query('SELECT count(*) FROM orders');
$holder->query('COMMIT');
is($holder->query(qq{SELECT count(*) FROM orders WHERE id = '$id'}),
	'1', 'who begins after a move finds the row by its key');
ok($page =~ /REPEATABLE READ/, 'who began before is named on the page');

# Views of the table alone
anew(qq{$log; CREATE VIEW lines AS SELECT * FROM ONLY log; INSERT INTO log (line) VALUES ('x')});
unlike(outcome($to_partition, 'prepare', 'swap'), qr/:/, 'a view of ONLY the table fails in no step');
is(ask('SELECT count(*) FROM lines'), '1', 'and has its row');

# Keys made by a BEFORE trigger: rows find their partition before it fires
anew(<<~'SQL');
	CREATE TABLE log (id uuid PRIMARY KEY CHECK (uuidv7_is(id)), line text);
	CREATE FUNCTION make_id() RETURNS trigger LANGUAGE plpgsql
	AS $$ BEGIN NEW.id := coalesce(NEW.id, uuidv7()); RETURN NEW; END $$;
	CREATE TRIGGER make_id BEFORE INSERT ON log FOR EACH ROW EXECUTE FUNCTION make_id();
	INSERT INTO log (line) VALUES ('before');
	SQL
is(outcome($to_partition, 'prepare', 'swap'), 'refused', 'a trigger that makes the key is refused');
is(ask(q{INSERT INTO log (line) VALUES ('after')}), '', 'and goes on making keys');

# Readers of a child, and of the table
anew(<<~SQL);
	$orders_and_rest;
	CREATE TABLE payments (id uuid REFERENCES orders);
	INSERT INTO orders SELECT uuidv7_at('2026-03-05 12:00+00'), 1
	SQL
$holder->query('BEGIN; SELECT count(*) FROM payments');
unlike(notices(q{CALL uuid_create_partitions('orders', 'month', '3 months')}),
	qr/ERROR/, 'a late row, and a long query on what refers to the table, are no error');
is(ask(<<~'SQL'), 't', 'partitions are created for what comes');
	SELECT count(*) > 2 FROM uuid_partitions('orders') WHERE until > now()
	SQL
$holder->query('COMMIT');

anew($orders);
$holder->query('BEGIN; SELECT count(*) FROM orders');
is( ask(<<~'SQL'),
	CALL uuid_create_partitions('orders', 'month', '3 months');
	SELECT count(*) > 2 FROM uuid_partitions('orders')
	SQL
	't', 'a reader that stays does not hinder creation, where there is no default partition');
$holder->query('COMMIT');

# Rows with deferred foreign keys; before PostgreSQL 18 a table that refers to itself keeps its rows, as the
# page says
my $parent = $major < 18 ? '' : ', parent uuid REFERENCES orders DEFERRABLE INITIALLY DEFERRED';
anew(<<~"SQL");
	CREATE TABLE customers (id int PRIMARY KEY);
	INSERT INTO customers VALUES (1);
	CREATE TABLE orders (
		id uuid PRIMARY KEY DEFAULT uuidv7() CHECK (uuidv7_is(id)),
		customer int REFERENCES customers DEFERRABLE INITIALLY DEFERRED$parent)
	PARTITION BY RANGE (id);
	CREATE TABLE orders_default PARTITION OF orders DEFAULT;
	CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
	CREATE TRIGGER f BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION f();
	INSERT INTO orders SELECT uuidv7_at('2026-03-05 12:00+00'), 1;
	CALL uuid_create_partitions('orders', 'month', '0')
	SQL
is(ask($waiting), '0', 'rows with deferred foreign keys, and a trigger, are moved');

# A default partition that is partitioned
anew();
my $told = notices(<<~SQL);
	$orders;
	CREATE TABLE orders_default PARTITION OF orders DEFAULT PARTITION BY HASH (id);
	CREATE TABLE orders_default_0 PARTITION OF orders_default FOR VALUES WITH (MODULUS 1, REMAINDER 0);
	INSERT INTO orders SELECT uuidv7(), 1;
	CALL uuid_create_partitions('orders', 'month', '3 months')
	SQL
unlike($told, qr/ERROR/, 'a default partition that is partitioned is no error');
ok(ask($waiting) eq '0' || $told =~ /stay/, 'its rows are moved, or said to stay');
is(ask(<<~'SQL'), 't', 'the partitions after them are created');
	SELECT count(*) > 1 FROM uuid_partitions('orders') WHERE until > now()
	SQL

# Rights by default
anew(<<~SQL);
	ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO reporting;
	$log;
	REVOKE ALL ON log FROM reporting;
	SQL
is(outcome($to_partition, 'prepare', 'swap', 'finish'), 'done', 'default privileges are no obstacle');
make(q{CALL uuid_create_partitions('log', 'month', '3 months')});
is(ask(<<~'SQL'), '', 'who may not read the table may read none of its partitions');
	SELECT oid::regclass FROM pg_class
	WHERE relname ~ '^log' AND relkind IN ('r', 'p') AND has_table_privilege('reporting', oid, 'SELECT')
	SQL
make('DROP OWNED BY reporting');

# Labels and statistics targets
anew(<<~SQL);
	$log;
	ALTER TABLE log ALTER line SET STATISTICS 1000, ALTER line SET (n_distinct = -0.05);
	SET allow_system_table_mods = on;	-- as SECURITY LABEL FOR anon ON COLUMN does
	INSERT INTO pg_seclabel
	VALUES ('log'::regclass, 'pg_class'::regclass, 2, 'anon', 'MASKED WITH VALUE ''x''');
	SQL
my $column = <<~'SQL';
	SELECT attstattarget, substring(attoptions::text, 'n_distinct=[-.0-9]+'),
		(SELECT label FROM pg_seclabel WHERE objoid = attrelid AND objsubid = attnum)
	FROM pg_attribute
	WHERE attrelid = 'log'::regclass AND attname = 'line'
	SQL
my $before = ask($column);
is(outcome($to_partition, 'prepare', 'swap'),
	'refused', 'a table with security labels, statistics targets and n_distinct is refused');
is(ask($column), $before, 'and has them');
make(q{SET allow_system_table_mods = on; DELETE FROM pg_seclabel});

# Locks of several tables, one after the other
anew($log);
make("CREATE TABLE child$_ (id uuid REFERENCES log)") for 1 .. 8;
is(run_phase($to_partition, 'prepare'), '', 'a table with eight children is prepared');
my @readers = map { Session->new($node) } 1 .. 8;
$readers[ $_ - 1 ]->query("BEGIN; SELECT count(*) FROM child$_") for 1 .. 8;
$readers[ $_ - 1 ]->begin(sprintf 'SELECT pg_sleep(%s); COMMIT', 0.4 * $_) for 1 .. 8;
$caller->begin("SELECT statement FROM $to_partition WHERE phase = 'swap' AND NOT done\n\\gexec");
waits_for_lock();
is(ask(<<~'SQL'), '0', 'a reader does not wait for the locks of all of them in turn');
	SET lock_timeout = '2s';
	SELECT count(*) FROM log
	SQL
$_->quit for @readers;
$caller->result;

# A width in any case
anew();
my $periods = <<~'SQL';
	CREATE TABLE %1$s (id uuid PRIMARY KEY CHECK (uuidv7_is(id))) PARTITION BY RANGE (id);
	CREATE TABLE %1$s_default PARTITION OF %1$s DEFAULT;
	INSERT INTO %1$s SELECT uuidv7_at(ts)
	FROM generate_series('2026-11-01 03:30+00', '2026-11-01 08:30+00', interval '30 min') ts;
	CALL uuid_create_partitions('%1$s', '%2$s', '0', 'America/New_York');
	SELECT since, until FROM uuid_partitions('%1$s') WHERE since < '2026-11-01 08:30+00' ORDER BY since
	SQL
is( ask(sprintf $periods, 'b', 'HOUR'),
	ask(sprintf $periods, 'a', 'hour'),
	'HOUR is hour, also when clocks are set back');

# Another session's view
anew($log);
$holder->query('CREATE TEMP VIEW v AS SELECT * FROM log');
unlike(outcome($to_partition, 'prepare', 'swap'), qr/:/,
	q{another session's temporary view fails in no step});
$holder->query('DROP VIEW IF EXISTS v');

# A look at what would be dropped
anew(<<~SQL);
	$orders;
	CREATE TABLE orders_1 PARTITION OF orders
	FOR VALUES FROM (uuidv7_min('2026-01-01')) TO (uuidv7_min('2026-03-01'));
	INSERT INTO orders SELECT uuidv7_at('2026-01-01'::timestamptz + n * interval '1 s'), n
	FROM generate_series(1, 50000) n;
	VACUUM ANALYZE orders
	SQL
my $reads =
  counted(q{CALL uuid_drop_partitions('orders', '30 days')}, 'sum(seq_tup_read) FROM pg_stat_user_tables');
ok( $reads < 50000 || $page =~ /reads (?:each|every|the|all)[^.|]*partition/i,
	'a dry run reads no partition in full, or the page says so');

# Names of NOT NULL constraints
SKIP:
{
	skip 'NOT NULL has no name before PostgreSQL 18', 2 if $major < 18;
	anew();
	make(<<~'SQL');
		CREATE TABLE log (
			id uuid CONSTRAINT "an id" NOT NULL DEFAULT uuidv7() CHECK (uuidv7_is(id)),
			line text CONSTRAINT "a line" NOT NULL,
			PRIMARY KEY (id));
		COMMENT ON CONSTRAINT "an id" ON log IS 'c';
		COMMENT ON CONSTRAINT "a line" ON log IS 'c2';
		SQL
	is(outcome($to_partition, 'prepare', 'swap', 'finish'),
		'done', 'NOT NULL constraints with names are no obstacle');
	is(ask(<<~'SQL'), "a line|c2\nan id|c", 'they and their comments are not lost');
		SELECT conname, obj_description(oid, 'pg_constraint')
		FROM pg_constraint
		WHERE contype = 'n' AND conrelid = 'log'::regclass
		ORDER BY 1
		SQL
}

# Replica identity of new partitions
anew(<<~'SQL');
	CREATE TABLE events (id uuid NOT NULL DEFAULT uuidv7()
		CHECK (uuidv7_is(id)), n int) PARTITION BY RANGE (id);
	CREATE UNIQUE INDEX events_id ON events (id);
	ALTER TABLE events REPLICA IDENTITY USING INDEX events_id;
	CREATE PUBLICATION p FOR TABLE events WITH (publish_via_partition_root);
	CALL uuid_create_partitions('events', 'month', '0');
	INSERT INTO events DEFAULT VALUES
	SQL
is(ask('UPDATE events SET n = 1'),
	'', 'rows of new partitions have the replica identity of the table, ' . 'by index too');

$_->quit for $holder, $caller;
$node->stop;
done_testing();
