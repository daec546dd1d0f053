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

my $node = start_node('max_prepared_transactions = 5');
my $major = ask(q{SELECT current_setting('server_version_num')::int / 10000});
make('CREATE ROLE reporting');

my $orders = <<~'SQL';
	CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT uuidv7() CHECK (uuidv7_is(id)), n int)
	PARTITION BY RANGE (id);
	SQL
my $orders_and_rest = "$orders; CREATE TABLE orders_default PARTITION OF orders DEFAULT";
my $log = <<~'SQL';
	CREATE TABLE log (id uuid PRIMARY KEY DEFAULT uuidv7() CHECK (uuidv7_is(id)), line text);
	SQL
my $to_partition = q{uuidnew_tables.partitioning_steps('log')};

my ($holder, $caller) = map { Session->new($node) } 1, 2;
$_->query(q{SELECT}) for $holder, $caller;

# A count of the statistics, when the sessions before have told theirs
sub settled
{
	my ($count) = @_;
	return ask("SELECT pg_sleep(1); SELECT $count") =~ s/\A\n//r;
}

# A lock that cannot be had is named, and the partition is not read for nothing
anew(<<~'SQL');
	CREATE TABLE customers (id int PRIMARY KEY);
	CREATE TABLE orders (id uuid PRIMARY KEY, customer int REFERENCES customers) PARTITION BY RANGE (id);
	CREATE TABLE orders_old PARTITION OF orders FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2026-01-01'));
	CREATE TABLE orders_1 PARTITION OF orders
	FOR VALUES FROM (uuidv7_min('2026-01-01')) TO (uuidv7_min('2026-02-01'));
	INSERT INTO orders SELECT uuidv7_at('2025-03-02'::timestamptz + n * interval '1 s')
	FROM generate_series(1, 1000) n
	SQL
make(q{BEGIN; SELECT count(*) FROM customers; PREPARE TRANSACTION 'forgotten'});
my $drop = q{CALL uuidnew_tables.drop_partitions('orders', '1 day', false)};
like(
	said($drop),
	qr/\A.*kept .* due to lock timeout: LOCK TABLE public\.customers IN ACCESS EXCLUSIVE MODE\n.*kept 2\Z/,
	'partitions are kept, and the table is named, once, that a prepared transaction holds');
is(settled(q{seq_tup_read FROM pg_stat_user_tables WHERE relname = 'orders_old'}),
	'1000', 'it has been read once');
make(q{COMMIT PREPARED 'forgotten'});
like(
	said("SET DateStyle = 'SQL'; SET TimeZone = 'Asia/Jakarta'; $drop"),
	qr/dropped partition public\.orders_old/,
	'then it is dropped');

# A partition whose DETACH CONCURRENTLY was interrupted
anew($orders);
make(q{CREATE TABLE orders_old PARTITION OF orders FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2026-01-01'))});
$holder->query('BEGIN; SELECT count(*) FROM orders');
ask("SET statement_timeout = '1s'; ALTER TABLE orders DETACH PARTITION orders_old CONCURRENTLY");
$holder->query('COMMIT');
my $create = q{CALL uuidnew_tables.create_partitions('orders', 'month', '3 months')};
is( said($create),
	'ERROR:  partition public.orders_old of table public.orders is half detached',
	'creation says which partition is half detached');
like(said($drop), qr/^WARNING:  kept partition public\.orders_old: cannot detach partition/, 'it is kept');
make('ALTER TABLE orders DETACH PARTITION orders_old FINALIZE');
like(said($create), qr/created 4/, 'creation continues when that is finished');

# Locks are taken in the order in which writers take them, and not only tried: while a table that the
# table refers to is not to be had, neither it nor what refers to it is locked.
anew(<<~'SQL');
	CREATE TABLE customers (id int PRIMARY KEY);
	CREATE TABLE orders (id uuid PRIMARY KEY, customer int REFERENCES customers) PARTITION BY RANGE (id);
	CREATE TABLE orders_1 PARTITION OF orders FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2020-01-01'));
	CREATE TABLE orders_2 PARTITION OF orders
	FOR VALUES FROM (uuidv7_min('2020-01-01')) TO (uuidv7_min('2026-01-01'));
	CREATE TABLE orders_default PARTITION OF orders DEFAULT;
	CREATE TABLE payments (id uuid REFERENCES orders);
	CREATE TABLE log (id uuid PRIMARY KEY DEFAULT uuidv7(), customer int REFERENCES customers);
	SQL
is(run_phase($to_partition, 'prepare'), '', 'a table is prepared');
foreach (
	[ 'creation', q{CALL uuidnew_tables.create_partitions('orders', 'month', '1 month')} ],
	[ 'detaching', q{CALL uuidnew_tables.drop_partitions('orders', '6 years', false, true)} ],
	[ 'dropping', q{CALL uuidnew_tables.drop_partitions('orders', '1 day', false)} ],
	[ 'the swap', "SELECT statement FROM $to_partition WHERE phase = 'swap'\n\\gexec" ])
{
	my ($name, $call) = @$_;
	make('DROP TABLE IF EXISTS payments') if $name =~ /ing$/;
	$holder->query('BEGIN; INSERT INTO customers VALUES (1)');
	$caller->begin($call);
	my $waits = q{FROM pg_locks WHERE relation = 'customers'::regclass AND NOT granted};
	wait_for("count(*) > 0 $waits AND mode ~ '^(Acc|ShareRow)'");
	is(ask(<<~"SQL"), '', "$name waits for the referred table, and has no strong lock on another");
		SELECT relation::regclass, mode FROM pg_locks
		WHERE granted AND mode IN ('AccessExclusiveLock', 'ShareRowExclusiveLock')
			AND pid = (SELECT pid $waits)
			AND relation IN (SELECT oid FROM pg_class WHERE relname ~ '^(orders|payments|log)')
		SQL
	$holder->query('ROLLBACK');
	$caller->result;
}

# Event triggers run with a search_path of pg_catalog
anew("$orders_and_rest; $log");
make(<<~'SQL');
	CREATE TABLE ddl (what text);
	CREATE FUNCTION audit() RETURNS event_trigger LANGUAGE plpgsql AS
		$$BEGIN INSERT INTO ddl VALUES (TG_TAG); END$$;
	CREATE EVENT TRIGGER audit ON ddl_command_end EXECUTE FUNCTION audit()
	SQL
my $month = q{CALL uuidnew_tables.create_partitions('orders', 'month', '0')};
like(said($month), qr/^ERROR:  relation "ddl" does not exist/, 'one that names no schema keeps partitions');
is( ask(q{SELECT obstacle FROM uuidnew_tables.partitioning_check('log')}),
	'relation "ddl" does not exist',
	'and is in the way of partitioning');
make(<<~'SQL');
	DROP EVENT TRIGGER audit;
	ALTER FUNCTION audit() SET search_path = public;
	CREATE EVENT TRIGGER audit ON ddl_command_end EXECUTE FUNCTION audit();
	INSERT INTO orders SELECT uuidv7_at('2026-03-05');
	SQL
like(said($month), qr/created partition .*, with 1 row .*created 2 partitions/s,
	'one that names it does not');
is(outcome($to_partition, 'prepare', 'swap'), 'done', 'nor of partitioning');
is(ask(q{SELECT count(*) FROM ddl WHERE what = 'CREATE TABLE'}) > 2, 1, 'and sees what happens');
make('DROP EVENT TRIGGER audit');

# An index that a new partition cannot have
anew($orders);
make(<<~'SQL');
	CREATE FUNCTION f(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1; END';
	CREATE INDEX ON orders (f(n));
	ALTER FUNCTION f STABLE
	SQL
like(said($month), qr/^ERROR:  functions in index expression must be /, 'is not passed over in silence');

# Creation beside many partitions reads no catalog as a whole
anew("$orders; " . q{CALL uuidnew_tables.create_partitions('orders', 'hour', '200 hours')});
is(ask(<<~'SQL'), 't|', 'a partition that another session has just created is left alone');
	SELECT uuidnew_tables._add_partition('orders', 'id', NULL, lower, upper, '_again', false, '') IS NULL,
		to_regclass('orders_again')
	FROM uuidnew_tables.partitions('orders') LIMIT 1
	SQL
my $constraints = q{seq_tup_read + idx_tup_fetch FROM pg_stat_sys_tables WHERE relname = 'pg_constraint'};
my $before = settled($constraints);
make(q{CALL uuidnew_tables.create_partitions('orders', 'hour', '210 hours')});
cmp_ok(settled($constraints) - $before,
	'<', 3000, 'ten more partitions are created without a look at the constraints of all the others');

# Names of NOT NULL constraints
SKIP:
{
	skip 'NOT NULL has no name before PostgreSQL 18', 3 if $major < 18;
	anew();
	make(<<~'SQL');
		CREATE TABLE log (
			id uuid CONSTRAINT "an id" NOT NULL DEFAULT uuidv7() CHECK (uuidv7_is(id)),
			line text CONSTRAINT "a line" NOT NULL,
			PRIMARY KEY (id));
		COMMENT ON CONSTRAINT "an id" ON log IS 'c';
		COMMENT ON CONSTRAINT "a line" ON log IS 'c2';
		SQL
	is(outcome($to_partition, 'prepare', 'swap'), 'done', 'NOT NULL constraints with names are no obstacle');
	is(ask(<<~'SQL'), "a line|c2\nan id|c", 'they and their comments are not lost');
		SELECT conname, obj_description(oid, 'pg_constraint')
		FROM pg_constraint
		WHERE contype = 'n' AND conrelid = 'log'::regclass
		ORDER BY 1
		SQL
	make('CREATE TABLE own (id uuid PRIMARY KEY, n int CONSTRAINT mine NOT NULL NO INHERIT)');
	is( ask(q{SELECT * FROM uuidnew_tables.partitioning_check('own')}),
		'constraint mine is NO INHERIT',
		'but one that partitions would not have');
}

$_->quit for $holder, $caller;
$node->stop;
done_testing();
