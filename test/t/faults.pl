# A server without random octets, without a clock, without memory; sessions before and after a crash.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Faults;
use Layouts;
use Session;

my $quick = $ENV{UUIDNEW_QUICK};

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', <<~'CONF');
	autovacuum = off
	max_logical_replication_workers = 0
	restart_after_crash = on
	jit = off					# LLVM does not survive a lack of memory
	CONF
my $faults = start_with_faults($node);

# The line of psql that makes something fail, or no longer
sub fail_now { my ($what) = @_; return "\\! touch '$faults/$what'\n"; }
sub work_again { my ($what) = @_; return "\\! rm '$faults/$what'\n"; }

sub ask
{
	my ($sql, %parameters) = @_;
	return ($node->psql('postgres', $sql, on_error_stop => 0, %parameters))[1];
}

ask("CREATE EXTENSION uuidnew; $layout_functions");
ask(<<~'SQL');
	-- The SQLSTATE of the first error in so many calls, or none
	CREATE FUNCTION first_error(expression text, calls int) RETURNS text
	LANGUAGE plpgsql AS $$
	BEGIN
		FOR i IN 1 .. calls LOOP
			EXECUTE 'SELECT ' || expression;
		END LOOP;
		RETURN 'none';
	EXCEPTION WHEN OTHERS THEN
		RETURN SQLSTATE;
	END $$;
	SQL

my $made = <<~'SQL';
	CREATE TEMP TABLE made (
		n bigint GENERATED ALWAYS AS IDENTITY, step text, layout text, unit interval,
		id uuid, after timestamptz);
	SQL
my $unordered = <<~'SQL';
	SELECT 'unordered', count(*)
	FROM (SELECT id, lag(id) OVER (PARTITION BY layout ORDER BY n) AS previous FROM made) pairs
	WHERE NOT id > previous;
	SQL

sub make
{
	my ($step, $count) = @_;
	return <<~SQL;
		INSERT INTO made (step, layout, unit, id, after)
		SELECT '$step', layout, unit, generate(layout), clock_timestamp()
		FROM generate_series(1, $count), layouts;
		SQL
}

# Errors of one call with each layout
my $errors = <<~'SQL';
	SELECT string_agg(DISTINCT first_error(format('generate(%L)', layout), 1), ', ') FROM layouts;
	SQL

SKIP:
{
	skip 'no C compiler, or a system without LD_PRELOAD', 7 if !$faults;

	# A session may have some octets left.  Then it fails, with each layout and
	# for good: there is no weaker source.
	my $rounds = $quick ? 200 : 2000;
	my $without = ask(<<~SQL);
		$made
		@{[ make('before', 100) . fail_now('random') ]}
		SELECT first_error('gen_random_uuid()', 1);
		SELECT first_error('uuid_generate_v7()', 100000);
		$errors
		SELECT string_agg(DISTINCT first_error(format('generate_at(%L)', layout), 1), ', ')
		FROM layouts;
		SELECT string_agg(DISTINCT first_error('uuid_generate_v7()', 1), ', ')
		FROM generate_series(1, $rounds);
		@{[ work_again('random') . make('after', 100) ]}
		SELECT count(DISTINCT id) FROM made;
		$unordered
		SQL
	is( $without =~ s/^XX000\n//r,
		"XX000\nXX000\nXX000\nXX000\n" . 200 * @layouts . "\nunordered|0",
		'without random octets there is no UUID, and with them again all is as before'
	) if $without !~ /^none/;    # where core's random octets are not OpenSSL's

	# What the server itself calls the time does not fail here.  Of many UUIDs in
	# one tick some may need the next ticks, which are microseconds in all.
	my $many = $quick ? 300 : 1000;
	is( ask(    $made
			  . make('before', 100)
			  . fail_now('clock')
			  . make('failing', $many)
			  . work_again('clock')
			  . make('again', 100)
			  . <<~'SQL' . $unordered),
				SELECT step, count(*), count(*) FILTER (
					WHERE CASE step WHEN 'failing' THEN read_time(layout, id) <= last + interval '1 ms'
						  ELSE read_time(layout, id) >= to_unit(unit, last) END)
				FROM made, (SELECT max(after) AS last FROM made WHERE step = 'before') clock
				WHERE step <> 'before' GROUP BY step ORDER BY step DESC;
				SQL
		sprintf("failing|%1\$d|%1\$d\nagain|%2\$d|%2\$d\nunordered|0", $many * @layouts, 100 * @layouts),
		'without the clock a session goes on from the time it knows');

	# The time that it knows is the last, not the latest: version 1 with random
	# bits keeps no order, and shows it.
	my $time = 'uuid_v1_timestamp(uuid_generate_v1_random())';
	is( ask(    "SELECT $time AS latest \\gset\n"
			  . fail_now('hour')
			  . "SELECT $time AS last \\gset\n"
			  . fail_now('clock')
			  . "SELECT :'last' < timestamptz :'latest' - interval '59 minutes', $time - :'last';\n"
			  . work_again('hour')
			  . work_again('clock')),
		't|00:00:00',
		'without the clock the time is the last one read');

	is(ask(fail_now('clock') . $errors . work_again('clock') . $errors),
		"58000\nnone", 'without the clock a new session has no UUIDs');

	# Collecting UUIDs takes memory that is not there.
	is( ask(    $made
			  . make('before', 1000)
			  . fail_now('memory')
			  . "SELECT string_agg(generate(layout) || repeat(' ', 100), '') "
			  . "FROM generate_series(1, 1e8), layouts;\n"
			  . "\\echo :SQLSTATE\n$errors"
			  . work_again('memory')
			  . make('after', 1000)
			  . $unordered),
		"53200\nnone\nunordered|0",
		'after a lack of memory UUIDs go on in order');

	# A session is stopped where it has read the clock, for longer than the clock may leap.
	my $stopped = Session->new($node);
	my $key = 'SELECT uuid_generate_v7() IS NOT NULL';
	my $of = $stopped->query('SET uuidnew.max_clock_leap = 2; SELECT pg_backend_pid()');
	$stopped->query("$key; SELECT pg_sleep(1.1)");
	append_to_file("$faults/pause.$of", '');
	$stopped->begin($key);
	for (1 .. 1000) { last if -e "$faults/paused"; select undef, undef, undef, 0.01 }
	sleep 4;
	unlink "$faults/paused";
	is($stopped->result, 't', 'a session that was stopped generates a UUID');
	is($stopped->query("SELECT pg_sleep(1.1) \\g /dev/null\n$key"), 't', '... and another one');
	$stopped->quit;
}

# A statement that would take long can be canceled.
is( ask(    $made
		  . make('before', 1000)
		  . "SELECT clock_timestamp() AS begin \\gset\n"
		  . "SET statement_timeout = '100ms';\n"
		  . "SELECT count(generate(layout)) FROM generate_series(1, 1e8), layouts;\n"
		  . "\\echo :SQLSTATE\n"
		  . "RESET statement_timeout;\n"
		  . "SELECT clock_timestamp() - :'begin' < interval '10 s';\n"
		  . make('after', 1000)
		  . $unordered),
	"57014\nt\nunordered|0",
	'after a statement_timeout UUIDs go on in order');

# Sessions divided by crashes: none generates a UUID that is committed already, and each generates greater
# ones than those before the crash.  To the coarse unix32 and iso8601 it might be the same moment, so that
# these are only distinct.
ask(    'CREATE TABLE crashed (life int, '
	  . join(', ', map { qq("$_" uuid DEFAULT generate('$_')) } @layouts)
	  . ')');

# Inserts rows without end; returns when there are some.
sub live
{
	my ($life) = @_;
	my $session = Session->new($node);
	my $pid = $session->query('SELECT pg_backend_pid()');
	$session->begin("DO \$\$BEGIN LOOP INSERT INTO crashed (life) VALUES ($life); COMMIT; END LOOP; END\$\$");
	$node->poll_query_until('postgres', "SELECT count(*) > 100 FROM crashed WHERE life = $life")
	  or die 'no rows';
	return ($session, $pid);
}

my ($killed, $pid) = live(1);
my $log_start = -s $node->logfile;
is(kill('KILL', $pid), 1, 'a session is killed while it generates UUIDs');
for (1 .. 10 * $PostgreSQL::Test::Utils::timeout_default)
{
	last if slurp_file($node->logfile, $log_start) =~ /reinitializing.*ready to accept connections/s;
	select undef, undef, undef, 0.1;
}
my ($stopped) = live(2);
$node->stop('immediate');
$node->start;
my ($last) = live(3);
$_->drop foreach $killed, $stopped, $last;
is(ask('SELECT count(DISTINCT life) FROM crashed'), '3', 'UUIDs are generated before and after two crashes');
foreach my $layout (@layouts)
{
	my ($twice, $unordered) = split /\|/, ask(<<~SQL);
		SELECT (SELECT count(*) - count(DISTINCT "$layout") FROM crashed),
			count(*) FILTER (WHERE first <= last)
		FROM (SELECT min("$layout"::text) AS first,
				lag(max("$layout"::text)) OVER (ORDER BY life) AS last
			FROM crashed GROUP BY life) lives
		SQL
	is($twice, 0, "$layout: no UUID is one from before a crash");
	is($unordered, 0, "$layout: UUIDs are in order through the crashes") if $layout !~ /unix32|iso8601/;
}

done_testing();
