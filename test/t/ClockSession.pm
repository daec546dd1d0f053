# Sessions that make UUIDs of all layouts while the clock of their server is set.
package ClockSession;

use strict;
use warnings FATAL => 'all';

use Exporter 'import';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use Layouts;
use Session;
use SetClock;

our @EXPORT = qw($node $some clock_at in make not_in run_script session start_clock_node stop_clock_node);

our $node;

# UUIDs of each layout in a step: the clock is a file, which is read for each
our $some = $ENV{UUIDNEW_SOAK} ? 1000 : $ENV{UUIDNEW_QUICK} ? 30 : 150;

# The line of a script that does so
sub clock_at
{
	my ($time) = @_;
	return "\\clock $time\n";
}

# The server, with the clock right
sub start_clock_node
{
	plan skip_all => 'libfaketime is not installed' if !$faketime;

	$node = PostgreSQL::Test::Cluster->new('main');
	set_clock('+0');
	$node->init;
	$node->append_conf('postgresql.conf', <<~'CONF');
		autovacuum = off
		jit = off
		max_logical_replication_workers = 0
		uuidnew.max_clock_leap = 0
		CONF
	start_with_clock($node, $clock);

	$node->safe_psql('postgres', "CREATE EXTENSION uuidnew; $layout_functions");
	$node->safe_psql('postgres', <<~'SQL');
		CREATE FUNCTION try_generate(layout text) RETURNS text
		LANGUAGE plpgsql AS $$
		BEGIN
			PERFORM generate(layout);
			RETURN 'success';
		EXCEPTION WHEN OTHERS THEN
			RETURN SQLSTATE;
		END $$;
		SQL
	return;
}

# The statement that makes UUIDs of all layouts in turn.  A target list is
# evaluated from left to right, so each stands between two looks at the clock.
sub make
{
	my ($step, $count, $where) = @_;
	$where //= 'true';
	return <<"SQL";
INSERT INTO made (step, layout, unit, before, id, after)
SELECT '$step', layout, unit, clock_timestamp(), generate(layout), clock_timestamp()
FROM generate_series(1, $count), layouts WHERE $where;
SQL
}

# Conditions on layouts
sub in
{
	return 'layout IN (' . join(', ', map { "'$_'" } @_) . ')';
}

sub not_in
{
	return @_ ? 'NOT ' . in(@_) : 'true';
}

my $made = <<~'SQL';
	CREATE TEMP TABLE made (
		n bigint GENERATED ALWAYS AS IDENTITY, step text,
		layout text COLLATE "C", unit interval,
		before timestamptz, id uuid, after timestamptz);
	SQL

# What is wrong with UUIDs of a session, and for each step how their times stand
# to the clock:
#   follows  the time is the clock's
#   keeps    the clock is behind, the time is not later than it ever was, but for
#            what thousands of UUIDs in one tick need of the next ticks
#   runs ahead, lags  what must not be
my $report = <<~'SQL';
	SELECT count(*) FILTER (WHERE NOT id > previous),
		   count(*) FILTER (WHERE get_byte(uuid_send(id), 6) >> 4 <> substr(layout, 2, 1)::int OR
							get_byte(uuid_send(id), 8) >> 6 <> 2)
	FROM (SELECT *, lag(id) OVER (PARTITION BY layout ORDER BY n) AS previous FROM made) pairs;
	SELECT step || ': ' || string_agg(DISTINCT state, ', ')
	FROM (SELECT n, step,
				 CASE WHEN time < to_unit(unit, before) THEN 'lags'
					  WHEN time <= after THEN 'follows'
					  WHEN time <= max(after) OVER (ORDER BY n) + interval '1 ms' THEN 'keeps'
					  ELSE 'runs ahead' END AS state
		  FROM (SELECT *, to_unit(unit, read_time(layout, id)) AS time FROM made) times
		  WHERE after IS NOT NULL) states
	GROUP BY step ORDER BY min(n);
	SQL

# What a script prints in a new session, and what psql says of errors.  psql itself stays.
my $psql;

sub run_script
{
	my ($script) = @_;
	my $output = '';

	$psql //= Session->new($node);
	foreach my $part (split /^(?=\\clock )/m, "\\c\n$script")
	{
		set_clock($1) if $part =~ s/^\\clock (.*)\n//;
		$output .= $psql->query($part) =~ s/(?<=.)\z/\n/sr;
	}
	$psql->query('\warn done');
	$psql->{run}->pump until $psql->{err} =~ s/^done\n//m;
	return $output, $psql->errors;
}

# Run a session that starts at the right time, or another, and makes UUIDs.
# Returns what its own queries say, and the seconds in the log's messages.
sub session
{
	my ($name, $script, %expected) = @_;
	my $start = $expected{start} // '+0';
	my $log_start = -s $node->logfile;

	set_clock($start);
	my ($output, $error) = run_script("$made\n$script\n\\echo ---\n" . $report =~ s/;/;\n\\echo ---/r);
	my ($own, $faults, $steps) = split /^---\n/m, $output;
	is($error, '', "$name: the session ends without an error");
	is($faults, "0|0\n", "$name: UUIDs increase and have their version");
	is( $steps,
		join('', map { "$_\n" } @{ $expected{steps} }),
		"$name: their time follows the clock, or stays") if $expected{steps};

	my @log =
	  slurp_file($node->logfile, $log_start) =~ /LOG:  system clock went back by (\d+\.\d{3}) seconds$/mg;
	is(scalar(@log), $expected{log}, "$name: the log has $expected{log} messages")
	  if defined $expected{log};
	return $own, @log;
}

# The end of the test
sub stop_clock_node
{
	$psql->quit;
	$node->stop;
	return;
}

1;
