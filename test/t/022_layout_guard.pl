# A CHECK that says which layout of version 7 a table's keys have: a query that reads them as the other is
# refused when it is planned, in whatever shape it comes, and one that reads them rightly is not.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use lib $FindBin::RealBin;
use GuardWorld;

start_world();

# Shapes of statements.  W{key} is a window that ends 90 days ago, T{key} what
# reads the time.
my $old = q{now() - interval '90 days'};

my @tables = qw(plain moved tested parted half parent of_domain secured);
my @foreign = $has_fdw ? ('elsewhere') : ();
my @views = qw(a_view nested barrier limited distinct_keys grouped numbered offset_zero united
  united_once without common common_to joined merged full_merged full_barrier);
my @shapes = (
	map({
			my $t = $_;
			(   "SELECT count(*), sum(n) FROM $t WHERE W{id}",
				"SELECT count(*) FROM $t x WHERE NOT W{x.id}",
				"SELECT count(*) FROM $t WHERE T{id} < $old",
				"SELECT count(*) FROM $t t1 JOIN $t t2 USING (n) WHERE W{t2.id}",
				"SELECT count(*) FROM keep WHERE EXISTS (SELECT FROM $t WHERE W{id} AND n = k)",
				"WITH t AS (SELECT * FROM $t) SELECT count(*) FROM t WHERE W{id}")
		} @tables,
		@foreign,
		@views),
	map({
			my $t = $_;
			(   "DELETE FROM $t WHERE W{id}",
				"DELETE FROM $t WHERE T{id} < $old",
				"UPDATE $t SET n = n + 1 WHERE W{id}",
				"DELETE FROM $t t USING keep WHERE k = 1 " . "AND W{t.id}")
		} @tables,
		@foreign, 'a_view', 'nested',
		'barrier'),
	# readers in select lists and elsewhere; not of half, whose other partition may be read
	map({
			my $t = $_;
			(   "SELECT count(T{id}) FROM $t",
				"SELECT min(T{id}) FROM $t",
				"SELECT count(*) FILTER (WHERE W{id}) FROM $t",
				"SELECT array_agg(n ORDER BY T{id}) FROM $t",
				"SELECT n FROM $t ORDER BY T{id}, n LIMIT 1",
				"SELECT count(*) FROM (SELECT W{id}, count(*) FROM $t GROUP BY 1) x",
				"SELECT count(*) FROM (SELECT DISTINCT T{id} FROM $t) x",
				"INSERT INTO others SELECT id, n FROM $t WHERE W{id}",
				"INSERT INTO keep SELECT n, T{id} FROM $t",
				"UPDATE keep SET cutoff = T{id} FROM $t WHERE n = k")
		} (grep { $_ ne 'half' } @tables),
		@views),

	# the retention job
	"DELETE FROM plain WHERE W{id} RETURNING n",
	"WITH gone AS (DELETE FROM plain WHERE W{id} RETURNING n) SELECT count(*) FROM gone",
	"WITH gone AS (DELETE FROM plain RETURNING id) SELECT count(*) FROM gone WHERE W{id}",
	"WITH gone AS (DELETE FROM plain RETURNING *) INSERT INTO others SELECT id, n FROM gone "
	  . "WHERE T{id} < $old",
	"WITH made AS (INSERT INTO plain (id, n) SELECT id, n FROM source LIMIT 0 RETURNING id) "
	  . "SELECT count(*) FROM made WHERE W{id}",
	"WITH changed AS (UPDATE plain SET n = 0 RETURNING id AS k) SELECT count(*) FROM changed WHERE W{k}",
	"DELETE FROM plain WHERE n IN (SELECT n FROM plain WHERE W{id} ORDER BY n LIMIT 5)",
	"DELETE FROM plain WHERE (SELECT W{plain.id} FROM keep WHERE k = 1)",
	"DELETE FROM plain WHERE NOT EXISTS (SELECT FROM keep WHERE T{plain.id} >= cutoff)",
	"DELETE FROM plain p WHERE EXISTS (SELECT FROM keep a WHERE EXISTS (SELECT FROM keep b WHERE b.k = a.k "
	  . "AND T{p.id} < b.cutoff OFFSET 0) OFFSET 0)",
	"DELETE FROM ONLY parent WHERE W{id}",
	"COPY (SELECT n FROM plain WHERE W{id}) TO '/dev/null'",
	"CREATE TABLE copied AS SELECT n FROM plain WHERE W{id}",
	"DELETE FROM plain WHERE CASE WHEN n > 0 THEN W{id} ELSE false END",
	"DELETE FROM plain WHERE date_trunc('day', T{id}) < $old",
	"SELECT n FROM plain GROUP BY id, n HAVING W{id} ORDER BY n",
	"SELECT sum(n) OVER (ORDER BY T{id}) AS s FROM plain ORDER BY s LIMIT 1",
	"SELECT count(*) FROM plain GROUP BY GROUPING SETS ((id), ()) HAVING W{id} OR id IS NULL",
	"EXPLAIN (COSTS OFF) SELECT n FROM plain WHERE W{id}",

	# names in a call, casts
	map({
			my $key = $_;
			(   "DELETE FROM of_domain WHERE W{$key}",
				"DELETE FROM of_domain WHERE T{$key} < $old",
				"SELECT count(T{$key}) FROM of_domain")
		} 'id::uuid',
		'(id::key)',
		'CAST(id AS uuid)'),
	"SELECT count(T{id}) FROM of_domain JOIN plain USING (id)",
	"SELECT count(T{id}) FROM (of_domain JOIN plain USING (id)) AS j",

	# joins, on either side, in ON and in WHERE
	map({
			my $join = $_;
			(   "SELECT count(*) FROM keep $join plain ON n = k AND W{id}",
				"SELECT count(*) FROM plain $join keep ON n = k AND W{id}",
				"SELECT count(*) FROM keep $join plain ON n = k WHERE W{id} IS NOT TRUE",
				"SELECT count(T{plain.id}) FROM others $join plain USING (id)",
				"SELECT count(T{plain.id}) FROM plain $join others USING (id)")
		} 'JOIN',
		'LEFT JOIN',
		'RIGHT JOIN'),
	# USING: the column is that of the side whose rows are all there, or of both
	map({
			my $join = $_;
			(   "SELECT count(T{id}) FROM $join USING (id)",
				"DELETE FROM others USING (SELECT id FROM $join USING (id)) x WHERE others.id = x.id "
				  . "AND W{x.id}",
				"SELECT count(T{j.id}) FROM ($join USING (id)) AS j")
		} 'plain JOIN others',
		'plain LEFT JOIN others',
		'others RIGHT JOIN plain',
		'plain FULL JOIN others',
		'others FULL JOIN plain'),
	"SELECT count(*) FROM keep FULL JOIN plain ON n = k WHERE W{id} IS NOT TRUE",
	"SELECT count(*) FROM plain p CROSS JOIN keep WHERE W{p.id}",
	"SELECT count(*) FROM plain NATURAL FULL JOIN others WHERE W{id}",
	"SELECT count(*) FROM keep, LATERAL (SELECT id FROM plain WHERE n = k OFFSET 0) s WHERE W{id}",
	"SELECT count(*) FROM plain, LATERAL (SELECT plain.id AS k OFFSET 0) s WHERE W{s.k}",
	"SELECT count(*) FROM plain, LATERAL (SELECT x FROM (SELECT plain.id AS x OFFSET 0) y OFFSET 0) s "
	  . "WHERE W{s.x}",
	"SELECT count(*) FROM (SELECT id FROM plain LIMIT 20) s WHERE W{id}",
	"SELECT (SELECT count(*) FROM plain WHERE W{id}) FROM keep",
	"SELECT count(*) FROM keep WHERE k NOT IN (SELECT n FROM plain WHERE W{id})",
	"SELECT count(*) FROM keep WHERE NOT EXISTS (SELECT FROM plain WHERE W{id} AND n > k) OR k = 1",
	"SELECT count(*) FROM (VALUES (1)) v(x) WHERE EXISTS (SELECT FROM (SELECT id FROM plain OFFSET 0) s "
	  . "WHERE W{id})",

	# all fields, by the function beside the reader
	"SELECT count((F{id}).sequence) FROM plain",
	"SELECT count(*) FROM plain WHERE (F{id}).timestamp < $old",
	"SELECT count(f.node) FROM plain, F{id} f",
	"SELECT count(f.node) FROM parted, LATERAL F{id} f WHERE f.timestamp < $old",

	# set operations and CTEs
	"SELECT id FROM plain WHERE W{id} UNION ALL SELECT id FROM others",
	"SELECT count(*) FROM (SELECT T{id} AS ts FROM plain UNION ALL SELECT cutoff FROM keep) s "
	  . "WHERE ts < now()",
	"SELECT count(*) FROM (SELECT id, EXISTS (SELECT FROM plain y WHERE y.n = o.n AND W{y.id}) AS old "
	  . "FROM others o UNION ALL SELECT id, true FROM others) s WHERE old",
	"WITH t AS MATERIALIZED (SELECT * FROM plain) SELECT count(*) FROM t WHERE W{id}",
	"WITH t AS NOT MATERIALIZED (SELECT * FROM plain) SELECT count(*) FROM t a, t b WHERE W{a.id}",
	"WITH t AS MATERIALIZED (SELECT id FROM plain) SELECT count(*) FROM keep, "
	  . "LATERAL (WITH u AS MATERIALIZED (SELECT id FROM t) SELECT id FROM u OFFSET k - k) s WHERE W{id}",
	"WITH RECURSIVE t AS (SELECT id, 1 AS i FROM plain UNION ALL SELECT id, i + 1 FROM t WHERE i < 3) "
	  . "SELECT count(*) FROM t WHERE W{id}",

	# views and functions that have it in them
	"CREATE VIEW v AS SELECT n, T{id} AS ts FROM plain; SELECT count(*) FROM v WHERE ts < $old",
	"CREATE VIEW v AS SELECT n FROM plain WHERE W{id}; SELECT count(*) FROM v",
	"CREATE VIEW v WITH (security_barrier) AS SELECT n FROM plain WHERE W{id}; DELETE FROM v",
	"CREATE MATERIALIZED VIEW v AS SELECT n FROM plain WHERE W{id}",
	"CREATE FUNCTION f() RETURNS SETOF int LANGUAGE sql STABLE AS \$\$SELECT n FROM plain WHERE W{id}\$\$; "
	  . "SELECT count(*) FROM f()",
	"CREATE FUNCTION f() RETURNS bigint LANGUAGE sql VOLATILE AS \$\$DELETE FROM plain WHERE W{id}; "
	  . "SELECT count(*) FROM plain\$\$; SELECT f()",
	"CREATE FUNCTION f() RETURNS bigint LANGUAGE plpgsql AS \$\$DECLARE n bigint; BEGIN DELETE FROM plain "
	  . "WHERE W{id}; GET DIAGNOSTICS n = ROW_COUNT; RETURN n; END\$\$; SELECT f()",
	# an assertion of core fails where PL/pgSQL does that, whatever is selected
	$has_assertions ? () : "DECLARE c CURSOR FOR SELECT n FROM plain WHERE W{id}; FETCH ALL FROM c",
	"DEALLOCATE ALL; PREPARE q AS SELECT n FROM plain WHERE W{id}; EXECUTE q",
	"CREATE POLICY recent ON secured AS RESTRICTIVE USING (W{id} OR n > 0); SET ROLE reader; "
	  . "SELECT count(*) FROM secured",
	"CREATE POLICY recent ON secured AS RESTRICTIVE FOR UPDATE USING (true) WITH CHECK (T{id} < now()); "
	  . "SET ROLE reader; UPDATE secured SET n = 0 WHERE n = 1",

	# ON CONFLICT, whose EXCLUDED row has the same column
	"INSERT INTO plain SELECT id, n FROM source ON CONFLICT (id) DO UPDATE SET n = 0 WHERE W{plain.id}",
	"INSERT INTO plain SELECT id, n FROM source ON CONFLICT (id) DO UPDATE SET n = 0 WHERE W{excluded.id}",
	"INSERT INTO plain SELECT id, n FROM source WHERE false RETURNING T{id}",
	"UPDATE plain SET n = 0 RETURNING T{id}",
	"DELETE FROM plain RETURNING T{id}",

	# the same, where the statement has sub-selects
	"DELETE FROM plain WHERE n IN (SELECT k FROM keep) RETURNING T{id}",
	"WITH gone AS (DELETE FROM plain WHERE n IN (SELECT k FROM keep) RETURNING T{id})"
	  . " SELECT count(*) FROM keep",
	"INSERT INTO plain SELECT id, n FROM source WHERE n IN (SELECT k FROM keep)"
	  . " ON CONFLICT (id) DO UPDATE SET n = 0 WHERE T{plain.id} < now()",
	"INSERT INTO plain SELECT id, n FROM source WHERE n IN (SELECT k FROM keep)"
	  . " ON CONFLICT (id) DO UPDATE SET n = date_part('year', T{excluded.id})",
	"INSERT INTO plain SELECT id, n FROM source WHERE n IN (SELECT k FROM keep)"
	  . " ON CONFLICT (id) DO UPDATE SET n = 0 RETURNING T{id}");
push @shapes,
  "MERGE INTO plain p USING keep ON n = k WHEN MATCHED AND T{p.id} < now() AND EXISTS (SELECT FROM keep)"
  . " THEN DELETE",
  "MERGE INTO plain p USING (SELECT k FROM keep WHERE k IN (SELECT k FROM keep)) s ON n = k"
  . " WHEN MATCHED THEN UPDATE SET n = date_part('year', T{p.id})",
  "MERGE INTO others o USING (SELECT id, n FROM plain WHERE n IN (SELECT k FROM keep)) p ON p.id = o.id"
  . " WHEN NOT MATCHED AND T{p.id} < $old THEN INSERT VALUES (p.id, p.n)",
  "MERGE INTO plain USING keep ON n = k WHEN MATCHED AND W{id} THEN DELETE WHEN MATCHED THEN UPDATE "
  . "SET n = 0",
  "MERGE INTO others o USING plain p ON p.id = o.id AND W{p.id} WHEN MATCHED THEN DELETE",
  "MERGE INTO others o USING plain p ON p.id = o.id WHEN NOT MATCHED "
  . "AND T{p.id} < $old THEN INSERT VALUES (p.id, p.n)"
  if $version >= 150000;

# Where a key does not come from a table's column, nor out of a plain sub-query: set
# operations, CTEs that are not part of the query, both sides of a FULL JOIN; and a guard
# that only a partition has.  There the guard asks nobody.
my $beyond = join '|', '\b(?:FROM|JOIN|UPDATE|INTO) half\b',
  '\b(?:united|united_once|without|common|common_to|full_merged|full_barrier)\b', 'FULL JOIN',
  '^WITH (?:RECURSIVE|gone AS .* (?:FROM gone|INTO others)|made|changed)\b', 'AS MATERIALIZED';

sub fill
{
	my ($shape, $window, $reader) = @_;
	my $ends = "NULL, $old";
	my $fields = $reader =~ s/timestamp/fields/r;

	$shape =~ s/W\{(.*?)\}/sprintf $window, $1, $ends/ge;
	$shape =~ s/T\{(.*?)\}/sprintf $reader, $1/ge;
	$shape =~ s/F\{(.*?)\}/sprintf $fields, $1/ge;
	return $shape;
}

# With --quick a part of the shapes, each time another one: the layouts have all of them together
my %times;

sub some_shapes
{
	my ($parts) = @_;
	return @shapes if !$ENV{UUIDNEW_QUICK};
	my $part = $times{$parts}++ % $parts;
	return @shapes[ grep { $_ % $parts == $part } 0 .. $#shapes ];
}

foreach my $layout (sort keys %world)
{
	my $w = $world{$layout};
	my ($window, $reader) = @$w{qw(window reader)};

	# The wrong functions: each shape is refused, with several planner settings
	foreach my $wrong (@{ $w->{wrong} })
	{
		foreach my $settings (
			settings(
				'SET enable_seqscan = off',
				'SET constraint_exclusion = on; '
				  . 'SET enable_hashjoin = off; SET plan_cache_mode = force_generic_plan'))
		{
			# nor where a constraint shows that there can be no row, before the guard is asked again
			my @some = some_shapes(3);
			my @statements = map { fill($_, @$wrong[ 0, 1 ]) }
			  grep { !/$beyond/ && !($settings =~ /constraint_exclusion/ && /EXISTS \(SELECT FROM tested/) }
			  @some;
			my @outcomes = outcomes($settings, $layout, 'none', @statements);

			cmp_ok(scalar(@statements), '>', 0.7 * @some, "$layout: most shapes are plain");
			list_wrong(
				"$layout: $wrong->[0] is refused in each of " . @statements . " shapes ($settings)",
				map { "$statements[$_]: @{$outcomes[$_]}" }
				  grep { !refused($outcomes[$_], $layout, $wrong->[2]) } 0 .. $#statements);
		}
	}

	# The right ones: none is, and all give what a function gives that the planner
	# knows nothing about
	foreach my $settings (
		settings(
			'SET enable_seqscan = off',
			'SET constraint_exclusion = on',
			'SET plan_cache_mode = force_generic_plan'))
	{
		my @comparable = grep { !/^EXPLAIN/ } some_shapes(2);
		my @plain = outcomes($settings, $layout, 'none', map { fill($_, $w->{plain}, $reader) } @comparable);

		foreach my $right ([ $window, $reader ], @{ $w->{also} })
		{
			my @statements = map { fill($_, @$right) } @comparable;
			my @known = outcomes($settings, $layout, 'none', @statements);

			list_wrong(
				"$layout: $right->[0] is refused in no shape ($settings)",
				map { "$statements[$_]: @{$known[$_]}" } grep { $known[$_][0] ne 'UND0N' } 0 .. $#statements);
			list_wrong(
				"$layout: $right->[0] gives the same as a plain function ($settings)",
				map { "$statements[$_]: @{$known[$_]}, plain: @{$plain[$_]}" }
				  grep { "@{$known[$_]}" ne "@{$plain[$_]}" } 0 .. $#statements);
			cmp_ok(
				scalar(grep { $_->[1] =~ /[1-9]/ } @known),
				'>',
				@comparable * 0.9,
				"$layout: nearly all of the results are of rows");
		}
	}
}



$node->stop;
done_testing();
