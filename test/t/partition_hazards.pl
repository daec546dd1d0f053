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
my $waiting = q{SELECT rows FROM uuidnew_tables.partitions('orders') WHERE since IS NULL};

sub waits_for_lock
{
	return wait_for(q{count(*) > 0 FROM pg_stat_activity WHERE wait_event_type = 'Lock'});
}

my ($holder, $caller) = map { Session->new($node) } 1, 2;
$_->query(q{SELECT}) for $holder, $caller;

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
	  counted(q{CALL uuidnew_tables.create_partitions('orders', 'month', } . q{'0')},
		'sum(seq_tup_read) FROM pg_stat_user_tables');
	is(ask($waiting), '0', "$rows rows are moved");
}
cmp_ok($reads[1], '<', 6 * $reads[0], 'to move four times the rows, about four times as many are read');

anew(<<~SQL);
	$orders_and_rest;
	CALL uuidnew_tables.create_partitions('orders', 'day', '20 days');
	CREATE TABLE child1 (id uuid REFERENCES orders);
	CREATE TABLE child2 (id uuid REFERENCES orders);
	INSERT INTO orders SELECT uuidv7_at('2026-03-02'::timestamptz + n * interval '1 s')
	FROM generate_series(1, 22000) n;
	SQL
my $added = counted(
	q{CALL uuidnew_tables.create_partitions('orders', 'day', '0')},
	q{n_tup_ins FROM pg_stat_sys_tables WHERE relname = 'pg_constraint'});
cmp_ok($added, '<', 4 * 24, 'foreign keys are dropped and added once for a period');

# A lock that cannot be had is named, and the partition is not read for nothing
anew(<<~'SQL');
	CREATE TABLE customers (id int PRIMARY KEY);
	CREATE TABLE orders (id uuid PRIMARY KEY, customer int REFERENCES customers) PARTITION BY RANGE (id);
	CREATE TABLE orders_old PARTITION OF orders FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2026-01-01'));
	INSERT INTO orders SELECT uuidv7_at('2025-03-02'::timestamptz + n * interval '1 s')
	FROM generate_series(1, 1000) n
	SQL
$holder->query('BEGIN; SELECT count(*) FROM customers');
my $drop = q{CALL uuidnew_tables.drop_partitions('orders', '1 day', false)};
my $read = q{seq_tup_read FROM pg_stat_user_tables WHERE relname = 'orders_old'};
my $kept;
is(counted(q{SELECT}, $read), '0', 'the partition is read by nobody else');
my $reads = ask("SELECT pg_sleep(1); SELECT $read") =~ s/\A\n//r;
$kept = said($drop);
like(
	$kept,
	qr/kept .* due to lock timeout: LOCK TABLE public\.customers IN ACCESS EXCLUSIVE MODE$/m,
	'a partition is kept, and the table is named that another session holds');
is(counted('SELECT', $read) + (ask("SELECT $read") - $reads), '0', 'it has not been read at each try');
$holder->query('COMMIT');
like(said($drop), qr/dropped partition public\.orders_old/, 'then it is dropped');

# A partition whose DETACH CONCURRENTLY was interrupted
anew(<<~'SQL');
	CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT uuidv7()) PARTITION BY RANGE (id);
	CALL uuidnew_tables.create_partitions('orders', 'month', '2 months')
	SQL
my ($half) = split /\n/, ask(q{SELECT partition FROM uuidnew_tables.partitions('orders')});
$holder->query('BEGIN; SELECT count(*) FROM orders');
ask("SET statement_timeout = '1s'; ALTER TABLE orders DETACH PARTITION $half CONCURRENTLY");
$holder->query('COMMIT');
my $create = q{CALL uuidnew_tables.create_partitions('orders', 'month', '3 months')};
is( said($create),
	"ERROR:  partition public.$half of table public.orders is half detached",
	'creation says which partition is half detached');
make("ALTER TABLE orders DETACH PARTITION $half FINALIZE");
like(said($create), qr/created/, 'and goes on when that is finished');

# Readers with a snapshot of before a move see the row as it was then, or not at all: PostgreSQL's own way
anew(qq{$orders_and_rest; INSERT INTO orders SELECT uuidv7_at('2026-03-05 12:00+00'), 1});
my $id = ask('SELECT id FROM orders');
$holder->query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1');
make(q{CALL uuidnew_tables.create_partitions('orders', 'month', '0')});
$holder->query('SELECT count(*) FROM orders');
$holder->query('COMMIT');
is($holder->query(qq{SELECT count(*) FROM orders WHERE id = '$id'}),
	'1', 'who begins after a move finds the row by its key');
ok($page =~ /REPEATABLE READ/, 'who began before is named on the page');

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

# Another session's view
anew($log);
$holder->query('CREATE TEMP VIEW v AS SELECT * FROM log');
unlike(outcome($to_partition, 'prepare', 'swap'), qr/:/,
	q{another session's temporary view fails in no step});
$holder->query('DROP VIEW IF EXISTS v');

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

$_->quit for $holder, $caller;
$node->stop;
done_testing();
