# A system clock that is set back by a second, an hour or ten years, or forward
# and back, in the middle of a statement that makes many UUIDs: 20,000 of
# each layout while the clock is behind; UUIDNEW_SOAK makes a million.
# 003_clock_steps.pl has short sessions with many more steps.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Layouts;
use Session;
use SetClock;

plan skip_all => 'libfaketime is not installed' if !$faketime;

# UUIDs of each layout: while the clock is behind, and before and after it
my $behind = $ENV{UUIDNEW_SOAK} ? 1_000_000 : $ENV{UUIDNEW_QUICK} ? 2_000 : 20_000;
my $right = $ENV{UUIDNEW_SOAK} ? 10_000 : $ENV{UUIDNEW_QUICK} ? 200 : 2_000;

# One after the other, as a server has one clock: the offsets of the clock in the
# three parts of the statement, what times do in the middle one,
# and messages in the log.
my @cases = (
	{
		# By the next UUID the clock is behind by less: not worth a message.  It
		# also catches up on its own while they are made.
		name => 'back by a second',
		offsets => [ '+0', '-1', '+0' ],
		middle => qr/^(follows|keeps|follows, keeps)$/,
		log => 0
	},
	{
		name => 'back by an hour',
		offsets => [ '+0', '-3600', '+0' ],
		middle => qr/^keeps$/,
		log => 1
	},
	{
		name => 'back by ten years',
		offsets => [ '+0', '-315576000', '+0' ],
		middle => qr/^keeps$/,
		log => 1
	},
	{
		name => 'forward by a year and back',
		offsets => [ '+31536000', '+0', '+31540000' ],
		middle => qr/^keeps$/,
		log => 1
	});

# One row is one UUID of each layout; n counts along.  A target list is
# evaluated from left to right: the clock before a step, the step, the clock
# before and after the UUIDs of some of the rows.
my $first_behind = $right + 1;
my $last_behind = $right + $behind;
my $total = $last_behind + $right;

# What is not greater than the one before; and for each part of the statement
# how times stand to the clock (see 003_clock_steps.pl).  While the clock is
# behind, many UUIDs in one tick may need the next ones, but these must do for
# 5 million a second.
sub measure
{
	my ($layout) = @_;
	my $unit = $unit{$layout};
	my $time = "to_unit('$unit', " . reader($layout, qq{"$layout"}) . ')';
	my $allowed = "stepped + $behind / 5e6::float8 * interval '1 s'";
	my $state = qq{
CASE WHEN $time BETWEEN to_unit('$unit', before) AND after THEN 'follows'
	 WHEN part = 2 AND before < $allowed AND $time <= $allowed THEN 'keeps'
	 ELSE 'is wrong' END};

	return join ', ',
	  qq{count(*) FILTER (WHERE n > 1 AND ("$layout" > "previous $layout") IS NOT TRUE)},
	  map { qq{string_agg(DISTINCT $state, ', ') FILTER (WHERE part = $_ AND before IS NOT NULL)} } 1 .. 3;
}

sub statement
{
	my ($offsets) = @_;
	my $sampled = "n <= $right OR n > $last_behind OR n % 100 = 0";

	return
		"SELECT count(*), count(*) FILTER (WHERE n > 1 AND n <> previous_n + 1), "
	  . join(', ', map { measure($_) } @layouts)
	  . <<~SQL
		FROM (SELECT *, lag(n) OVER () AS previous_n,
					 CASE WHEN n <= $right THEN 1 WHEN n <= $last_behind THEN 2 ELSE 3 END AS part,
					 max(stepping) OVER (ROWS UNBOUNDED PRECEDING) AS stepped,
		SQL
	  . join(', ', map { qq{lag("$_") OVER () AS "previous $_"} } @layouts) . <<~SQL
		  FROM (SELECT n, CASE WHEN n = $first_behind THEN clock_timestamp() END AS stepping,
					   CASE n WHEN $first_behind THEN set_clock('$offsets->[1]')
							  WHEN $last_behind + 1 THEN set_clock('$offsets->[2]') END,
					   CASE WHEN $sampled THEN clock_timestamp() END AS before,
		SQL
	  . join(', ', map { generator($_) . qq{ AS "$_"} } @layouts) . qq{,
				   CASE WHEN $sampled THEN clock_timestamp() END AS after
			FROM (SELECT generate_series(1, $total) AS n) numbers OFFSET 0) made) pairs;
};
}

my $node = PostgreSQL::Test::Cluster->new('main');
my $clock = $node->basedir . '/clock';

append_to_file($clock, "+0\n");
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\njit = off\nmax_logical_replication_workers = 0");
start_with_clock($node, $clock);
$node->safe_psql('postgres', <<~SQL);
	CREATE EXTENSION uuidnew;
	$layout_functions
	-- The file is replaced at once, as other processes read it too.
	CREATE FUNCTION set_clock(value text) RETURNS void
	LANGUAGE plpgsql AS \$\$
	BEGIN
		EXECUTE format('COPY (SELECT %L) TO PROGRAM %L', value,
					   'read offset && echo "\$offset" >$clock.new && exec mv $clock.new $clock');
	END \$\$;
	SQL

my $psql = Session->new($node);
for my $case (@cases)
{
	my $name = $case->{name};
	my $log_start = -s $node->logfile;

	$psql->query("SELECT set_clock('$case->{offsets}[0]')");
	# in a new session
	my ($rows, $disordered, @measured) = split /\|/, $psql->query("\\c\n" . statement($case->{offsets}));

	is($psql->errors, '', "$name: the session ends without an error");
	is($rows, $total, "$name: there are $total UUIDs of each layout");
	is($disordered, 0, "$name: UUIDs come in the order of their making");
	for my $layout (@layouts)
	{
		my ($unordered, @states) = splice @measured, 0, 4;

		is($unordered, 0, "$name: $layout: each is greater than the one before");
		is($states[0], 'follows', "$name: $layout: times before the step are right");
		like($states[1], $case->{middle}, "$name: $layout: the time stays while the clock is behind");
		is($states[2], 'follows', "$name: $layout: times afterwards are right");
	}

	my $log = slurp_file($node->logfile, $log_start);
	my $messages = () = $log =~ /LOG:  system clock went back by /g;
	is($messages, $case->{log}, "$name: the log has $case->{log} messages");
}

$psql->quit;
$node->stop;
done_testing();
