# What tests of a window's plan share: a server with tables of keys, windows as calls and as bounds written by
# hand, and how the plans of the two compare.
package WindowPlans;

use strict;
use warnings FATAL => 'all';

use Exporter qw(import);
use POSIX qw(strftime);
use Test::More;

use Server;

our @EXPORT = qw(start_plans make_tables dated as_call by_hand sql_literal is_no_worse %family $quick);

our $quick = $ENV{UUIDNEW_QUICK};
my $node;

# Keys lie in the 60 days before this one, so that a histogram's bin is 14.4 hours.  Windows are of several
# days: core knows no better than a bin where the bounds are written by hand.
my $count = $quick ? 30_000 : $ENV{UUIDNEW_SOAK} ? 100_000 : 50_000;
my $first = int(time / 86400) * 86400 - 60 * 86400;

# <12.5> is a time: so many days after the first
sub dated
{
	my ($text) = @_;
	my $day = sub { strftime("'%Y-%m-%d %H:%M:%S+00'::timestamptz", gmtime($first + 86400 * $_[0])) };
	return $text =~ s/<(\d+(?:\.\d+)?)>/$day->($1)/ger;
}

# The functions: window, bound, and the arguments that come after the ends; the suffix of their tables
our %family = (
	'v7' => [ 'uuid_v7_between', 'uuid_v7_min', '', '' ],
	'v7 with a layout' => [ 'uuid_v7_between', 'uuid_v7_min', q{, 'microsecond'}, '' ],
	'RFC 9562' => [ 'uuidv7_between', 'uuidv7_min', '', '_rfc9562' ],
	'RFC 9562, operators' => [ undef, 'uuidv7_min', '', '_rfc9562' ],
	'RFC 9562, ranges' => [ undef, 'uuidv7_min', '', '_rfc9562' ],
	'RFC 9562 with a layout' => [ 'uuid_v7_between', 'uuid_v7_min', q{, 'rfc9562'}, '_rfc9562' ],
	'v6' => [ 'uuid_v6_between', 'uuid_v6_min', '', '_v6' ],
	'v8' => [ 'uuid_v8_between', 'uuid_v8_min', q{, 'unix48'}, '_v8' ]);

# A query with each window as what the function gives for its key, since and until.  {key; since; until} is a
# window, and @events the table of the family.
sub with_windows
{
	my ($query, $family, $window) = @_;
	my $suffix = $family{$family}[3];
	$query =~ s/\{([^;{}]+); ([^;{}]+); ([^;{}]+)\}/$window->($1, $2, $3)/ge;
	return dated($query =~ s/\@(\w+)/$1$suffix/gr);
}

# As the family's calls
sub as_call
{
	my ($query, $family) = @_;
	my ($between, undef, $more) = @{ $family{$family} };
	return with_windows(
		$query, $family,
		sub {
			my ($key, $since, $until) = @_;
			return "$between($key, $since, $until$more)" if defined $between;
			return "$key <@ tstzrange($since, $until)" if $family =~ /ranges/;
			my @operators =
			  ($since eq 'NULL' ? () : "$key >= $since", $until eq 'NULL' ? () : "$key < $until");
			return '(' . join(' AND ', @operators) . ')';
		});
}

# By hand.  Nothing there tests the version, which the filter of a window does.
sub by_hand
{
	my ($query, $family) = @_;
	my (undef, $min, $more) = @{ $family{$family} };
	my $border = q{'03000000-0000-7000-8000-000000000000'};
	return with_windows(
		$query, $family,
		sub {
			my ($key, $since, $until) = @_;
			my @bounds = (
				$since ne 'NULL' ? "$key >= $min($since$more)" : $family =~ /^v7/ ? "$key >= $border" : (),
				$until ne 'NULL' ? "$key < $min($until$more)" : $family =~ /^RFC/ ? "$key < $border" : ());
			return '(' . join(' AND ', @bounds) . ')';
		});
}

sub sql_literal
{
	my ($text) = @_;
	return "'" . $text =~ s/'/''/gr . "'";
}

# Starts the server, with what keys are joined to.
sub start_plans
{
	$node = start_server(<<~'CONF');
		fsync = off
		max_parallel_workers_per_gather = 0
		default_statistics_target = 1000	# the sample is all rows: no estimate is chance
		statement_timeout = '100s'
		CONF
	ask(dated(<<~'SQL'));
		CREATE EXTENSION uuidnew;
		CREATE TABLE accounts AS SELECT acct, 'name ' || acct AS name FROM generate_series(0, 999) acct;
		ALTER TABLE accounts ADD PRIMARY KEY (acct);
		CREATE TABLE spans AS SELECT i AS span, <10> + i * interval '1 day' AS since,
			<10> + i * interval '1 day' + interval '10 minutes' AS until
		FROM generate_series(1, 30) i;
		VACUUM ANALYZE accounts, spans;

		-- What a statement is planned to do, and does.  Each time in a transaction that is rolled back.
		CREATE FUNCTION try(query text, settings text, types text, arguments text,
			OUT opened bigint, OUT nodes text, OUT estimate float, OUT actual float,
			OUT cost float, OUT looked_at float, OUT result text)
		LANGUAGE plpgsql AS $$
		DECLARE
			plan jsonb;
		BEGIN
			BEGIN
				EXECUTE settings;
				EXECUTE format('PREPARE tried%s AS %s', types, query);
				EXECUTE 'EXPLAIN (ANALYZE, TIMING off, SUMMARY off, FORMAT JSON) EXECUTE tried' || arguments
				INTO plan;
				SELECT count(DISTINCT relation) INTO opened
				FROM pg_locks JOIN pg_class ON pg_class.oid = relation
				WHERE pid = pg_backend_pid() AND relkind IN ('r', 'p')
					AND relnamespace = 'public'::regnamespace;
				RAISE SQLSTATE 'PLAN0';
			EXCEPTION WHEN SQLSTATE 'PLAN0' THEN
				DEALLOCATE tried;
			END;
			cost := plan -> 0 -> 'Plan' ->> 'Total Cost';
			estimate := plan -> 0 -> 'Plan' ->> 'Plan Rows';
			actual := plan -> 0 -> 'Plan' ->> 'Actual Rows';
			SELECT coalesce(string_agg(kind, '; ' ORDER BY kind), ''), coalesce(sum(n), 0)
			INTO nodes, looked_at
			FROM (SELECT concat_ws(' ', nullif(node ->> 'Join Type', 'Inner'), node ->> 'Node Type',
						node ->> 'Relation Name', node ->> 'Index Name') AS kind,
					CASE WHEN node ? 'Relation Name' THEN
						(node ->> 'Actual Loops')::float * ((node ->> 'Actual Rows')::float +
							coalesce((node ->> 'Rows Removed by Filter')::float, 0) +
							coalesce((node ->> 'Rows Removed by Index Recheck')::float, 0)) END AS n
				FROM jsonb_path_query(plan, 'strict $.** ? (exists (@."Node Type"))') node
				WHERE (node ->> 'Actual Loops')::float > 0
					AND node ->> 'Node Type' ~ 'Scan|Join|Loop'
					AND node ->> 'Node Type' !~ 'Subquery|CTE|Function|Values') nodes;

			BEGIN
				EXECUTE settings;
				EXECUTE format(
					$q$PREPARE tried%s AS WITH r AS (%s)
					SELECT count(*) || ' ' || coalesce(md5(string_agg(r::text, ',' ORDER BY r::text)), '')
					FROM r$q$, types, query);
				EXECUTE 'EXECUTE tried' || arguments INTO result;
				RAISE SQLSTATE 'PLAN0';
			EXCEPTION WHEN SQLSTATE 'PLAN0' THEN
				DEALLOCATE tried;
			END;
		END $$;

		-- So many partitions, by the key, of the sixty days that have keys
		CREATE PROCEDURE split(name text, first timestamptz, n int, bound text, more text DEFAULT '')
		LANGUAGE plpgsql AS $$
		DECLARE
			length interval := interval '60 days' / n;
			since uuid;
			until uuid;
		BEGIN
			FOR i IN 0 .. n - 1 LOOP
				EXECUTE format('SELECT %s, %s', format(bound, '$1'), format(bound, '$2')) INTO since, until
				USING first + i * length, first + (i + 1) * length;
				EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L) %s',
					name || '_' || i, name, since, until, more);
			END LOOP;
		END $$;
		SQL
	return $node;
}

# Tables of one family of functions, one of them with partitions, where this makes a key of "at"
sub make_tables
{
	my ($family, $generate) = @_;
	my (undef, $min, $more, $suffix) = @{ $family{$family} };
	my $bound = sql_literal("$min(%s$more)");

	ask(dated(<<~SQL));
		CREATE TABLE events$suffix (id uuid PRIMARY KEY, acct int, n int);
		INSERT INTO events$suffix
		SELECT $generate, i % 1000, i
		FROM (SELECT i, <0> + i * interval '60 days' / $count AS at
			FROM generate_series(0, $count - 1) i) times;
		CREATE INDEX ON events$suffix (acct);
		CREATE TABLE parted$suffix (id uuid, acct int, n int) PARTITION BY RANGE (id);
		CREATE INDEX ON parted$suffix (id);
		CALL split('parted$suffix', <0>, 12, $bound);
		CREATE TABLE parted${suffix}_12 PARTITION OF parted$suffix DEFAULT;
		INSERT INTO parted$suffix SELECT * FROM events$suffix;
		VACUUM ANALYZE events$suffix, parted$suffix;
		SQL
	return;
}

# Are all scans and joins of a plan in another one?
sub is_part_of
{
	my ($nodes, $others) = @_;
	my %left;
	$left{$_}++ for split /; /, $others;
	return !grep { --$left{$_} < 0 } split /; /, $nodes;
}

# How far is an estimate from the truth, as a factor?
sub distance
{
	my ($estimate, $truth) = map { $_ < 1 ? 1 : $_ } @_;
	return $estimate > $truth ? $estimate / $truth : $truth / $estimate;
}

# What is worse in a plan than in that of its twin by hand: a list of sentences
sub what_is_worse
{
	my ($window, $twin, $count, %option) = @_;
	my @wrong;

	push @wrong, "results $window->{result} and $twin->{result}" if $window->{result} ne $twin->{result};
	push @wrong, "$window->{opened} tables opened, $twin->{opened} by hand"
	  if $window->{opened} > $twin->{opened};
	push @wrong, "scans and joins: $window->{nodes}\nby hand: $twin->{nodes}"
	  if ($option{nodes} // 1) && !is_part_of($window->{nodes}, $twin->{nodes});
	push @wrong, "$window->{looked_at} rows looked at, $twin->{looked_at} by hand"
	  if $window->{looked_at} > 1.1 * $twin->{looked_at} + 10;

	my $distance = distance($window->{estimate}, $window->{actual});
	my $twins_distance = distance($twin->{estimate}, $twin->{actual});
	push @wrong, "$window->{estimate} rows estimated, $window->{actual} are true, $twin->{estimate} by hand"
	  if ($option{rows} // 1)
	  && $distance > 2
	  && abs($window->{estimate} - $window->{actual}) > 20
	  && !($option{like_core} && $distance < 1.02 * $twins_distance);

	# each window's filter costs as much as a comparison, for each row
	push @wrong, "costs $window->{cost}, $twin->{cost} by hand"
	  if $option{compares_costs}
	  && $window->{cost} > ($option{cost} // 1.1) * $twin->{cost} + 0.0026 * $window->{looked_at} * $count;
	return @wrong;
}

# is_no_worse(family, [name, query, options], ...): runs queries with the windows of a family, and by hand.  A
# query without a verb is the rest of SELECT * FROM.  Options:
#   set			settings
#   generic, custom	the arguments of a prepared statement with such a plan, times or of these types
#   types
#   hand		the twin, where it is another query
#   rows		0: the first node's estimate is not that of the window
#   like_core	1: that estimate may be wrong, if core's is no better
#   cost		how many times the twin's, instead of 1.1; 0: not compared
#   nodes		0: scans and joins are not compared
sub is_no_worse
{
	my ($family, @cases) = @_;
	my @sql;

	foreach my $case (@cases)
	{
		my ($name, $query, %option) = @$case;
		my $settings = $option{set} // '';
		my ($types, $arguments) = ('', '');
		foreach my $kind (grep { defined $option{$_} } qw(generic custom))
		{
			$settings .= ";SET LOCAL plan_cache_mode = force_${kind}_plan";
			$arguments = dated("($option{$kind})");
			$types = $option{types} // join ', ', ('timestamptz') x split /,/, $option{$kind};
			$types = "($types)";
		}
		foreach (as_call($query, $family), by_hand($option{hand} // $query, $family))
		{
			my $whole = /^(?:SELECT|WITH|UPDATE|DELETE|MERGE) / ? $_ : "SELECT * FROM $_";
			my @arguments = map { sql_literal($_) } $whole, $settings, $types, $arguments;
			push @sql, 'SELECT * FROM try(' . join(', ', @arguments) . ");\n";
		}
	}
	my @lines = split /\n/, ask(join '', @sql);
	is(scalar(@lines), 2 * @cases, "all queries with $family are planned and run");

	my $costs = 0;
	foreach my $case (@cases)
	{
		my ($name, $query, %option) = @$case;
		my @field = qw(opened nodes estimate actual cost looked_at result);
		my (%window, %twin);
		@window{@field} = split /\|/, shift @lines;
		@twin{@field} = split /\|/, shift @lines;

		# two operators have two filters, and a bound at the border; a range is computed for each end
		my $count = (() = $query =~ /\{/g) * ($family =~ /operators|ranges/ ? 3 : 1);
		$option{compares_costs} = ($option{cost} // 1)
		  && (distance($twin{estimate}, $twin{actual}) <= 1.3
			|| defined $option{generic} && distance($window{estimate}, $twin{estimate}) < 1.02);
		$costs++ if $option{compares_costs};
		my @wrong = what_is_worse(\%window, \%twin, $count, %option);
		ok(!@wrong, "$family, $name: no worse than by hand") or diag(join "\n", @wrong, $query);
	}
	cmp_ok($costs, '>', @cases / 2, "the costs of most queries with $family are compared");
	return;
}

1;
