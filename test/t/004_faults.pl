# A server without random octets, without a clock, and one that crashes.
use strict;
use warnings FATAL => 'all';

use FindBin;
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

my $node = PostgreSQL::Test::Cluster->new('main');
my $faults = $node->basedir;
my $preload = "$faults/faults.so";
my $compiler_output = '';
my $can_fail = $^O eq 'linux' && eval {
	IPC::Run::run(
		[
			$ENV{CC} // 'cc',
			'-shared', '-fPIC', '-o', $preload, "$FindBin::RealBin/faults.c",
			'-ldl'
		],
		'>&',
		\$compiler_output);
};
note $@, $compiler_output if !$can_fail;

# The line of psql that makes something fail, or no longer.
sub fail_now   { my ($what) = @_; return "\\! touch '$faults/$what'\n"; }
sub work_again { my ($what) = @_; return "\\! rm '$faults/$what'\n"; }

$node->init;
$node->append_conf('postgresql.conf', 'restart_after_crash = on');
{
	local %ENV = %ENV;
	@ENV{ 'LD_PRELOAD', 'UUIDNEW_FAULTS' } = ($preload, $faults) if $can_fail;
	$node->start;
}

$node->safe_psql(
	'postgres', q{
CREATE EXTENSION uuidnew;

CREATE TABLE layouts (layout text, unit interval);
INSERT INTO layouts VALUES
	('v6', '1 us'), ('v7 millisecond', '1 ms'), ('v7 microsecond', '1 us'),
	('v7 nanosecond', '1 us'), ('v7 rfc9562', '1 ms'), ('v8 unix32', '1 s'),
	('v8 unix48', '1 ms'), ('v8 gregorian60', '1 us'), ('v8 unix64', '1 us'),
	('v8 ntp64', '1 us'), ('v8 iso8601', '100 ms');

CREATE FUNCTION generate(layout text) RETURNS uuid
RETURN CASE left(layout, 2)
	WHEN 'v6' THEN uuid_generate_v6()
	WHEN 'v7' THEN uuid_generate_v7(substr(layout, 4))
	ELSE uuid_generate_v8(substr(layout, 4)) END;

CREATE FUNCTION generate_at(layout text) RETURNS uuid
RETURN CASE left(layout, 2)
	WHEN 'v6' THEN uuid_generate_v6_at(now())
	WHEN 'v7' THEN uuid_generate_v7_at(now(), substr(layout, 4))
	ELSE uuid_generate_v8_at(now(), substr(layout, 4)) END;

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

CREATE FUNCTION read_time(layout text, id uuid) RETURNS timestamptz
RETURN CASE left(layout, 2)
	WHEN 'v6' THEN uuid_v6_timestamp(id)
	WHEN 'v7' THEN uuid_v7_timestamp(id, substr(layout, 4))
	ELSE uuid_v8_timestamp(id, substr(layout, 4)) END;

CREATE FUNCTION to_unit(unit interval, t timestamptz) RETURNS timestamptz
RETURN date_bin(unit, t, '2000-01-01 00:00:00+00');
});

my $made = q{
CREATE TEMP TABLE made (
	n bigint GENERATED ALWAYS AS IDENTITY, step text, layout text, unit interval,
	id uuid, after timestamptz);
};
my $unordered = q{
SELECT 'unordered', count(*)
FROM (SELECT id, lag(id) OVER (PARTITION BY layout ORDER BY n) AS previous FROM made) pairs
WHERE NOT id > previous;
};

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
			fail_now('random')
		  . "SELECT first_error('gen_random_uuid()', 1);\n"
		  . work_again('random'));
	skip "the server's random octets are not OpenSSL's", 1
	  if $source eq 'none';

	# A session may have some octets left.  Then it fails, with each layout and
	# for good: there is no weaker source.
	is( $node->safe_psql(
			'postgres',
			$made
			  . make('before', 100)
			  . fail_now('random') . q{
SELECT first_error('uuid_generate_v7()', 100000);
SELECT string_agg(DISTINCT first_error(format('generate(%L)', layout), 1), ', ')
FROM layouts;
SELECT string_agg(DISTINCT first_error(format('generate_at(%L)', layout), 1), ', ')
FROM layouts;
SELECT string_agg(DISTINCT first_error('uuid_generate_v7()', 1), ', ')
FROM generate_series(1, 2000);
}
			  . work_again('random')
			  . make('after', 100)
			  . "SELECT count(DISTINCT id) FROM made;"
			  . $unordered),
		"XX000\nXX000\nXX000\nXX000\n2200\nunordered|0",
		'without random octets no UUID, and with them again as before');
}

SKIP:
{
	skip 'no C compiler, or a system without LD_PRELOAD', 2 if !$can_fail;

	# What the server itself calls the time does not fail here.  Of 1000 UUIDs in
	# one tick some may need the next ticks, which are microseconds in all.
	is( $node->safe_psql(
			'postgres',
			$made
			  . make('before', 100)
			  . fail_now('clock')
			  . make('failing', 1000)
			  . work_again('clock')
			  . make('again', 100) . q{
SELECT step, count(*), count(*) FILTER (
	WHERE CASE step WHEN 'failing' THEN read_time(layout, id) <= last + interval '1 ms'
		  ELSE read_time(layout, id) >= to_unit(unit, last) END)
FROM made, (SELECT max(after) AS last FROM made WHERE step = 'before') clock
WHERE step <> 'before' GROUP BY step ORDER BY step DESC;
} . $unordered),
		"failing|11000|11000\nagain|1100|1100\nunordered|0",
		'without the clock a session goes on from the time it knows');

	# A new session knows none.
	is( $node->safe_psql(
			'postgres',
			fail_now('clock') . q{
SELECT string_agg(DISTINCT first_error(format('generate(%L)', layout), 1), ', ')
FROM layouts;
}
			  . work_again('clock') . q{
SELECT string_agg(DISTINCT first_error(format('generate(%L)', layout), 1), ', ')
FROM layouts;
}),
		"58000\nnone",
		'without the clock a new session has no UUIDs');
}

# Sessions one after the other, divided by crashes: each makes greater UUIDs
# than those before it committed.  To the coarse unix32 and iso8601 it might be
# the same moment, so they are left out.  n skips some numbers in a crash, but
# never goes back.
my @layouts = split /\n/,
  $node->safe_psql('postgres',
	q{SELECT layout FROM layouts WHERE unit <= '1 ms' ORDER BY layout});
$node->safe_psql(
	'postgres',
	'CREATE TABLE crashed (n bigserial PRIMARY KEY, pid int DEFAULT pg_backend_pid(), '
	  . join(
		', ', map { qq("$_" uuid UNIQUE DEFAULT generate('$_')) } @layouts)
	  . ')');
my $insert = 'INSERT INTO crashed DEFAULT VALUES';

my $endless = "DO \$\$ BEGIN LOOP $insert; COMMIT; END LOOP; END \$\$";
my ($output, $errors) = ('', '');
my $session = IPC::Run::start(
	[ 'psql', '-XAtq', '-d', $node->connstr('postgres'), '-c', $endless ],
	'>', \$output, '2>', \$errors);
$node->poll_query_until('postgres', 'SELECT count(*) > 1000 FROM crashed')
  or die 'no rows';
my $log_start = -s $node->logfile;
my $pid = $node->safe_psql('postgres', 'SELECT pid FROM crashed LIMIT 1');
is(kill('KILL', $pid), 1, 'a session is killed while it makes UUIDs');
$session->finish;

my $deadline = time + $PostgreSQL::Test::Utils::timeout_default;
usleep(10_000)
  until slurp_file($node->logfile, $log_start) =~ /reinitializing/
  || time > $deadline;
$node->poll_query_until('postgres', 'SELECT true') or die 'no recovery';
$node->safe_psql('postgres', "$insert;" x 100);

$node->stop('immediate');
$node->start;
$node->safe_psql('postgres', "$insert;" x 100);

cmp_ok($node->safe_psql('postgres', 'SELECT count(*) FROM crashed'),
	'>', 1200, 'committed rows outlive the crashes');
for my $layout (@layouts)
{
	is( $node->safe_psql(
			'postgres', qq{
SELECT count(DISTINCT pid), count(*) FILTER (WHERE NOT id > previous)
FROM (SELECT pid, "$layout" AS id, lag("$layout") OVER (ORDER BY n) AS previous
	  FROM crashed) pairs}),
		'3|0',
		"$layout: in order through the crashes");
}

$node->stop;
done_testing();
