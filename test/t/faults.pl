# A server without random octets, without a clock, without memory; statements
# that are cancelled; a server that crashes and is restarted.
use strict;
use warnings FATAL => 'all';

use FindBin;
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

use lib $FindBin::RealBin;
use Layouts;
use Session;

# With --quick each layout in one of three statements that end early, by the seed
my $quick = $ENV{UUIDNEW_QUICK};
my $seed = $ENV{FAULTS_SEED} // int(rand(3));
note("FAULTS_SEED=$seed") if $quick;

sub ended_early
{
	my ($number) = @_;
	return map { !$quick || ($_ + $number + $seed) % 3 == 0 ? $layouts[$_] : () } 0 .. $#layouts;
}

my $node = PostgreSQL::Test::Cluster->new('main');
my $faults = $node->basedir;
my $preload = "$faults/faults.so";
my $compiler_output = '';
my $can_fail = $^O eq 'linux' && eval {
	IPC::Run::run(
		[ $ENV{CC} // 'cc', '-shared', '-fPIC', '-o', $preload, "$FindBin::RealBin/faults.c", '-ldl' ],
		'>&', \$compiler_output);
};
note $@, $compiler_output if !$can_fail;

# The line of psql that makes something fail, or no longer.
sub fail_now { my ($what) = @_; return "\\! touch '$faults/$what'\n"; }
sub work_again { my ($what) = @_; return "\\! rm '$faults/$what'\n"; }

$node->init;
$node->append_conf('postgresql.conf', <<~'CONF');
	autovacuum = off
	max_logical_replication_workers = 0
	restart_after_crash = on
	jit = off					# LLVM does not survive a lack of memory
	CONF
{
	local %ENV = %ENV;
	@ENV{ 'LD_PRELOAD', 'UUIDNEW_FAULTS' } = ($preload, $faults) if $can_fail;
	$node->start;
}

$node->safe_psql('postgres', "CREATE EXTENSION uuidnew; $layout_functions");
$node->safe_psql('postgres', <<~'SQL');
	-- The SQLSTATE of the first error in so many calls, or none.
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
	return <<"SQL";
INSERT INTO made (step, layout, unit, id, after)
SELECT '$step', layout, unit, generate(layout), clock_timestamp()
FROM generate_series(1, $count), layouts;
SQL
}

SKIP:
{
	skip 'no C compiler, or a system without LD_PRELOAD', 1 if !$can_fail;

	# gen_random_uuid() asks the same source.
	my $source = $node->safe_psql('postgres',
		fail_now('random') . "SELECT first_error('gen_random_uuid()', 1);\n" . work_again('random'));
	skip "the server's random octets are not OpenSSL's", 1
	  if $source eq 'none';

	# A session may have some octets left.  Then it fails, with each layout and
	# for good: there is no weaker source.
	my $rounds = $quick ? 200 : 2000;
	is( $node->safe_psql('postgres', <<~SQL),
		$made
		@{[ make('before', 100) . fail_now('random') ]}
		SELECT first_error('uuid_generate_v7()', 100000);
		SELECT string_agg(DISTINCT first_error(format('generate(%L)', layout), 1), ', ')
		FROM layouts;
		SELECT string_agg(DISTINCT first_error(format('generate_at(%L)', layout), 1), ', ')
		FROM layouts;
		SELECT string_agg(DISTINCT first_error('uuid_generate_v7()', 1), ', ')
		FROM generate_series(1, $rounds);
		@{[ work_again('random') . make('after', 100) ]}
		SELECT count(DISTINCT id) FROM made;
		$unordered
		SQL
		"XX000\nXX000\nXX000\nXX000\n" . 200 * @layouts . "\nunordered|0",
		'without random octets there is no UUID, and with them again all is as before');
}

SKIP:
{
	skip 'no C compiler, or a system without LD_PRELOAD', 3 if !$can_fail;

	# What the server itself calls the time does not fail here.  Of many UUIDs in
	# one tick some may need the next ticks, which are microseconds in all.
	my $many = $quick ? 300 : 1000;
	is( $node->safe_psql(
			'postgres',
			$made
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
	is( $node->safe_psql(
			'postgres',
			"SELECT uuid_v1_timestamp(uuid_generate_v1_random()) AS latest \\gset\n"
			  . fail_now('hour')
			  . "SELECT uuid_v1_timestamp(uuid_generate_v1_random()) AS last \\gset\n"
			  . fail_now('clock')
			  . "SELECT :'last' < timestamptz :'latest' - interval '59 minutes', "
			  . "uuid_v1_timestamp(uuid_generate_v1_random()) - :'last';\n"
			  . work_again('hour')
			  . work_again('clock')
			  . "SELECT uuid_v1_timestamp(uuid_generate_v1_random()) AS latest \\gset\n"
			  . fail_now('clock')
			  . "SELECT uuid_v1_timestamp(uuid_generate_v1_random()) - :'latest';\n"
			  . work_again('clock')),
		"t|00:00:00\n00:00:00",
		'without the clock the time is the last one read');

	# A new session knows none.
	is( $node->safe_psql(
			'postgres',
			fail_now('clock')
			  . <<~'SQL'
				SELECT string_agg(DISTINCT first_error(format('generate(%L)', layout), 1), ', ')
				FROM layouts;
				SQL
			  . work_again('clock') . <<~'SQL'),
				SELECT string_agg(DISTINCT first_error(format('generate(%L)', layout), 1), ', ')
				FROM layouts;
				SQL
		"58000\nnone",
		'without the clock a new session has no UUIDs');
}

# UUIDs of each layout that a session makes before and after a fault
my $enough = $ENV{UUIDNEW_SOAK} ? 10_000 : $quick ? 200 : 1_000;

# A hundred million UUIDs of a layout in one statement
sub hundred_million
{
	my ($aggregate, $layout) = @_;
	return
		"SELECT $aggregate FROM (SELECT generate_series(1, 100000000), "
	  . generator($layout)
	  . " AS id) made;\n";
}

SKIP:
{
	skip 'no C compiler, or a system without LD_PRELOAD', 1 if !$can_fail;

	# Collecting them takes memory that is not there.  Both while it is short and
	# later the session goes on.
	my @short = ended_early(0);
	my $short = join '', map {
			hundred_million(q{string_agg(id || repeat(' ', 100), '')}, $_)
		  . "\\echo :SQLSTATE\n"
		  . 'SELECT count('
		  . generator($_)
		  . ") FROM generate_series(1, 1000);\n"
	} @short;
	my (undef, $output) = $node->psql(
		'postgres',
		$made
		  . make('before', $enough)
		  . fail_now('memory')
		  . $short
		  . work_again('memory')
		  . make('after', $enough)
		  . 'SELECT count(DISTINCT id) FROM made;'
		  . $unordered,
		on_error_stop => 0);
	is( $output,
		"53200\n1000\n" x @short . 2 * @layouts * $enough . "\nunordered|0",
		'after a lack of memory UUIDs go on in order');
}

# Statements that end early, by themselves and by another session.  A hundred
# million UUIDs would take longer than is allowed here by far.
my $soon = 10;
my $at_once = $quick ? '30ms' : '100ms';

{
	my @timed_out = ended_early(1);
	my $cancelled = join '', map {
			"SET statement_timeout = '$at_once';\n"
		  . hundred_million('count(id)', $_)
		  . "\\echo :SQLSTATE\n"
		  . "RESET statement_timeout;\n"
		  . 'SELECT count('
		  . generator($_)
		  . ") FROM generate_series(1, 1000);\n"
	} @timed_out;
	my (undef, $output) = $node->psql(
		'postgres',
		$made
		  . make('before', $enough)
		  . "SELECT clock_timestamp() AS begin \\gset\n"
		  . $cancelled
		  . "SELECT clock_timestamp() - :'begin' < 11 * interval '$soon s';\n"
		  . make('after', $enough)
		  . 'SELECT count(DISTINCT id) FROM made;'
		  . $unordered,
		on_error_stop => 0);
	is( $output,
		"57014\n1000\n" x @timed_out . "t\n" . 2 * @layouts * $enough . "\nunordered|0",
		'after a statement_timeout UUIDs go on in order');
}

my $session = Session->new($node);
my $canceller = Session->new($node);
my $pid = $session->query('SELECT pg_backend_pid()');
for my $layout (ended_early(2))
{
	$session->begin(hundred_million('count(id)', $layout)
		  . "\\echo :SQLSTATE\nSELECT count("
		  . generator($layout)
		  . ') FROM generate_series(1, 1000)');
	until ($canceller->query(<<~SQL))
		SELECT count(*) FROM pg_stat_activity
		WHERE pid = $pid AND state = 'active' AND query LIKE '%100000000%'
			AND query LIKE \$\$%${\ generator($layout)}%\$\$
		SQL
	{
		usleep(1000);
	}
	my $begin = time;
	is($canceller->query("SELECT pg_cancel_backend($pid)"), 't', "$layout: the statement is cancelled");
	my $output = $session->result;
	cmp_ok(time - $begin, '<', $soon, "$layout: pg_cancel_backend is heard soon");
	is($output, "57014\n1000", "$layout: the next call after pg_cancel_backend works");
}
$_->quit foreach $session, $canceller;

# Sessions divided by crashes and restarts, several at a time: none makes a UUID
# that is committed already, and each makes greater ones than those before the
# crash.  To the coarse unix32 and iso8601 it might be the same moment, so that
# these are only distinct.  n skips some numbers in a crash, but never goes back.
my @fine_layouts = split /\n/,
  $node->safe_psql('postgres', q{SELECT layout FROM layouts WHERE unit <= '1 ms' ORDER BY layout});
$node->safe_psql('postgres',
		'CREATE TABLE crashed (n bigserial PRIMARY KEY, life int, pid int DEFAULT pg_backend_pid(), '
	  . join(', ', map { qq("$_" uuid UNIQUE DEFAULT generate('$_')) } @layouts)
	  . ')');

my $life = 0;
my (@sessions, @pids);
my $session_errors = '';

# Sessions at a time, and rows that they make before the end
my ($together, $rows) = $quick ? (2, 100) : (4, 1000);

# Sessions insert without end; return when they have made some rows.
sub live
{
	$life++;
	@sessions = map {
		IPC::Run::start(
			[
				'psql', '-XAtq', '-d', $node->connstr('postgres'),
				'-c',
				"DO \$\$ BEGIN LOOP INSERT INTO crashed (life) VALUES ($life); COMMIT; END LOOP; END \$\$"
			],
			'>',
			\my $output,
			'2>>',
			\$session_errors)
	} 1 .. $together;

	until (
		$node->safe_psql('postgres',
			"SELECT count(*) > $rows AND count(DISTINCT pid) = $together FROM crashed WHERE life = $life") eq
		  't')
	{
		usleep(10_000);
	}
	@pids = split /\n/, $node->safe_psql('postgres', "SELECT DISTINCT pid FROM crashed WHERE life = $life");
	return;
}

sub died
{
	$_->finish for @sessions;
	return;
}

live();
my $log_start = -s $node->logfile;
is(kill('KILL', $pids[0]), 1, 'a session is killed while it makes UUIDs');
died();
my $deadline = time + $PostgreSQL::Test::Utils::timeout_default;
usleep(10_000)
  until slurp_file($node->logfile, $log_start) =~ /reinitializing.*ready to accept connections/s
  || time > $deadline;

live();
$node->stop('immediate');
died();
$node->start;

live();
$node->restart;    # fast
died();

live();
$node->safe_psql('postgres',
	"SELECT pg_terminate_backend(pid) FROM unnest('{@{[ join ',', @pids ]}}'::int[]) pid");
died();

unlike($session_errors, qr/ERROR/, 'after a crash no UUID is one that was committed before');
my @distinct = split /\n/,
  $node->safe_psql('postgres', join ";\n",
	map { qq{SELECT count(DISTINCT life), count(DISTINCT "$_") - count(*) FROM crashed} } @layouts);
is(shift @distinct, '4|0', "$_: distinct through the crashes") for @layouts;
my @in_order = split /\n/, $node->safe_psql('postgres', join ";\n", map { <<~SQL } @fine_layouts);
	SELECT count(DISTINCT pid), count(*) FILTER (WHERE NOT id > previous)
	FROM (SELECT pid, "$_" AS id, lag("$_") OVER (PARTITION BY pid ORDER BY n) AS previous
		  FROM crashed) pairs;
	SELECT count(*) FROM (SELECT max("$_"::text) AS last, life FROM crashed GROUP BY life) a
		JOIN (SELECT min("$_"::text) AS first, life FROM crashed GROUP BY life) b ON b.life = a.life + 1
	WHERE first > last
	SQL
for my $layout (@fine_layouts)
{
	is(shift @in_order, 4 * $together . '|0', "$layout: UUIDs are in order in each session");
	is(shift @in_order, 3, "$layout: UUIDs are in order through the crashes");
}

$node->stop;
done_testing();
