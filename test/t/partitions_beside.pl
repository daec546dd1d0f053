# The commands for partitions beside readers, writers and each other, when sessions and the server are
# killed, and whatever the caller's search path has.
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

my $node = start_node();
make(<<~'SQL');
	CREATE ROLE owner LOGIN;
	GRANT ALL ON SCHEMA public TO owner
	SQL
my $soak = $ENV{UUIDNEW_SOAK};
my $quick = $ENV{UUIDNEW_QUICK};

#
# Whatever the caller's search path has
#
is(ask($traps . <<'SQL'), 't', 'traps are set');
SELECT count(*) > 100 FROM pg_proc WHERE pronamespace = 'evil'::regnamespace
SQL
my $this_week = ask(q{SELECT to_char(date_trunc('week', now()), '_YYYY_MM_DD')});
is(said(<<'SQL') =~ s/: since.*|: until.*//mgr, <<"SAID" =~ s/\n\z//r, 'none is called');
CREATE TABLE public.trapped (id uuid PRIMARY KEY DEFAULT keys.uuidv7(), line text) PARTITION BY RANGE (id);
CREATE TABLE public.trapped_rest PARTITION OF public.trapped DEFAULT;
INSERT INTO public.trapped
SELECT keys.uuidv7_at(timestamptz '2026-03-01' + n * interval '1 h') FROM generate_series(1, 300) n;
SET search_path = evil, pg_catalog;
CALL uuidnew_tables.create_partitions('public.trapped', 'week', interval '0 h');
CALL uuidnew_tables.drop_partitions('public.trapped', interval '1 day', false)
SQL
NOTICE:  created partition public.trapped$this_week
NOTICE:  created partition public.trapped_2026_02_23
NOTICE:  created partition public.trapped_2026_03_02
NOTICE:  created partition public.trapped_2026_03_09
NOTICE:  created 4 partitions of public.trapped
NOTICE:  dropped partition public.trapped_2026_02_23
NOTICE:  dropped partition public.trapped_2026_03_02
NOTICE:  dropped partition public.trapped_2026_03_09
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
	local $ENV{PGOPTIONS} = '-c deadlock_timeout=60s';    # for as long it waits for weak locks
	return IPC::Run::start([ 'psql', '-Xq', '-d', $node->connstr('postgres'), '-c', $call ], '2>', $said);
}

is(ask(<<'SQL'), '', 'there is a table without a default partition');
CREATE TABLE customers (id int PRIMARY KEY);
CREATE TABLE open (id uuid PRIMARY KEY
	CHECK (uuidv7_is(id)), customer int REFERENCES customers) PARTITION BY RANGE (id);
CREATE TABLE of_open (id uuid REFERENCES open)
SQL
my $reader = hold('SELECT count(*) FROM open, of_open, customers');
like(
	said(q{CALL uuidnew_tables.create_partitions('open', 'month', '3 months')}),
	qr/NOTICE:  created 4 partitions of public\.open/,
	'where there is no default partition, readers do not keep it from getting others');
let_go($reader);

# each call tries for as long as it does, so these are made at the same time
make(<<~'SQL');
	CREATE TABLE of_default (id uuid PRIMARY KEY CHECK (uuidv7_is(id))) PARTITION BY RANGE (id);
	CREATE TABLE of_default_default PARTITION OF of_default DEFAULT;
	CREATE TABLE old (id uuid PRIMARY KEY CHECK (uuidv7_is(id))) PARTITION BY RANGE (id);
	CREATE TABLE old_1 PARTITION OF old FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2020-01-01'));
	CREATE TABLE old_2 PARTITION OF old
	FOR VALUES FROM (uuidv7_min('2020-01-01')) TO (uuidv7_min('2021-01-01'))
	SQL
$reader = hold('LOCK TABLE of_default_default, old_1 IN ACCESS SHARE MODE');
my @calls = map { begin_call($_->[0], $_->[1]) }
  [ q{CALL uuidnew_tables.create_partitions('of_default', 'month', '3 months')}, \my $of_rest ],
  [ q{CALL uuidnew_tables.drop_partitions('old', '1 day', false)}, \my $of_old ];
$_->finish for @calls;
let_go($reader);
my $timeout =
  sub { return "canceling statement due to lock timeout: LOCK TABLE public\\.$_[0] IN \\w+ EXCLUSIVE MODE" };
my ($rest_lock, $old_lock) = map { $timeout->($_) } qw(of_default_default old_1);
like($of_rest, qr/\AERROR:  $rest_lock\n/, 'a reader of the default partition keeps partitions from it');
like(
	$of_old,
	qr/\AWARNING:  kept partition public\.old_1: $old_lock\nNOTICE:  dropped partition public\.old_2: /,
	'one of a partition keeps this one');

# the locks of a move do not wait for longer than half a second all together
make(<<~'SQL');
	CREATE TABLE late (id uuid PRIMARY KEY CHECK (uuidv7_is(id))) PARTITION BY RANGE (id);
	CREATE TABLE late_rest PARTITION OF late DEFAULT;
	INSERT INTO late SELECT uuidv7_at(ts) FROM unnest('{2026-03-05, 2026-04-05}'::timestamptz[]) ts
	SQL
my @holders;
foreach (map { "of_late_$_" } 1 .. 8)
{
	make("CREATE TABLE $_ (id uuid REFERENCES late)");
	push @holders, hold("LOCK TABLE $_ IN ROW EXCLUSIVE MODE");
}
$holders[$_]->begin("SELECT pg_sleep(0.4 * ($_ + 1)); COMMIT") for 0 .. $#holders;
my $call = begin_call(q{CALL uuidnew_tables.create_partitions('late', 'month', '-1 month')}, \my $of_wait);
wait_for(q{count(*) > 0 FROM pg_locks WHERE NOT granted AND relation::regclass::text ~ '^of_late_'});
is(ask(<<~'SQL'), '2', 'a reader of the table goes on within half a second');
	SET statement_timeout = '600ms';
	SELECT count(*) FROM late
	SQL
$_->quit for @holders;
$call->finish;
like($of_wait, qr/^WARNING:  created no .*: its rows cannot be moved: foreign key/, 'then the rows stay');

make(<<~'SQL');
	CREATE TABLE turns (id uuid PRIMARY KEY CHECK (uuidv7_is(id))) PARTITION BY RANGE (id);
	CREATE TABLE turns_1 PARTITION OF turns FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2020-01-01'));
	CREATE TABLE turns_2 PARTITION OF turns
	FOR VALUES FROM (uuidv7_min('2020-01-01')) TO (uuidv7_min('2021-01-01'));
	CREATE TABLE turns_3 PARTITION OF turns
	FOR VALUES FROM (uuidv7_min('2022-01-01')) TO (uuidv7_min('2023-01-01'));
	CREATE TABLE turns_new PARTITION OF turns
	FOR VALUES FROM (uuidv7_min('2070-01-01')) TO (uuidv7_min('2071-01-01'));
	INSERT INTO turns VALUES (uuidv7_at('2070-06-01'))
	SQL
$reader = hold('LOCK TABLE turns_1 IN SHARE UPDATE EXCLUSIVE MODE');
$call = begin_call(q{CALL uuidnew_tables.drop_partitions('turns', '1 day', false)}, \my $of_drop);
wait_for(q{count(*) > 0 FROM pg_locks WHERE NOT granted AND relation = 'turns_1'::regclass});
$reader->query(<<~'SQL');
	DROP TABLE turns_3;
	ALTER TABLE turns DETACH PARTITION turns_2;
	ALTER TABLE turns ATTACH PARTITION turns_2 FOR VALUES FROM (uuidv7_min('2022-01-01'))
		TO (uuidv7_min('2070-01-01'));
	INSERT INTO turns SELECT uuidv7();
	ALTER TABLE turns_1 RENAME TO turns_0;
	ALTER TABLE turns_new RENAME TO turns_1
	SQL
let_go($reader);
$call->finish;
is($of_drop =~ s/: until.*$//mgr, <<'SAID', 'what another session has changed meanwhile is kept');
WARNING:  kept partition public.turns_1: another session has renamed it
WARNING:  kept partition public.turns_2: it holds keys that are younger, or not of RFC 9562's version 7
WARNING:  kept partition public.turns_3: another session has dropped it
NOTICE:  dropped 0 partitions of public.turns, kept 3
SAID
is(ask('SELECT count(*), (SELECT count(*) FROM turns_1) FROM turns'), '2|1', 'with its rows and by any name');

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
	make(<<"SQL");
DROP TABLE IF EXISTS items, orders, told;
CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT uuidv7() CHECK (uuid_v7_layout(id) = 'rfc9562'), n int)
	PARTITION BY RANGE (id);
CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
CREATE TABLE items (id uuid NOT NULL, no int, PRIMARY KEY (id, no));
CREATE TABLE told (id uuid);
INSERT INTO orders SELECT uuidv7_at(now() - n * interval '160 days' / $kept)
FROM generate_series(1, $kept) n;
INSERT INTO items SELECT id, 1 FROM orders;
INSERT INTO told SELECT id FROM orders
SQL
	my $out = '';
	my $pgbench = start_writers(\$out);
	my $call = q{CALL uuidnew_tables.create_partitions('orders', 'week', '1 month')};
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
				SELECT pg_terminate_backend(pid) FROM pg_stat_activity
				WHERE query LIKE 'CALL uuidnew_tables.create%'
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
	(SELECT count(*) FROM orders) - count(DISTINCT id)
FROM orders
SQL
		'0|0|0|0|t|0', "round $round: all rows are in their partitions, once, with their children");
}

$node->stop;
done_testing();
