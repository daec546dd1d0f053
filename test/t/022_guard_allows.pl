# The guard refuses no query that reads each column as what it holds, whatever else is in the query.
# Without a guard, an open end finds no key of the other layout.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use lib $FindBin::RealBin;
use GuardWorld;

start_world();

# Tables of both layouts in one query, with the same column numbers.  In a clause, INNER and OUTER are tables
# of the two; W_INNER and W_OUTER read a key in a window, T_INNER its time, each as its table holds them.
my %window = (draft => 'uuid_v7_between', rfc9562 => 'uuidv7_between');
my %time = (draft => 'uuid_v7_timestamp', rfc9562 => 'uuidv7_timestamp');
my @pairs = (
	[qw(plain plain)], [qw(moved moved)], [qw(parted parted)], [qw(plain parent)],
	[qw(half half)], [qw(a_view numbered)], [qw(of_domain secured)]);
my $inner = 'SELECT y.n FROM INNER y WHERE';
my $clauses = 0;
foreach my $clause (
	map({
			my $sub = $_;
			(   "EXISTS ($sub)",
				"(NOT EXISTS ($sub) OR x.n = 3)",
				"CASE WHEN EXISTS ($sub) THEN true ELSE x.n = 3 END",
				"(SELECT count(*) FROM ($sub) s) > 0")
		} "$inner y.n = x.n AND W_INNER(y.id, NULL, now())",
		"$inner y.n = x.n AND T_INNER(y.id) < now()",
		"$inner W_INNER(y.id, NULL, now()) AND W_OUTER(x.id, NULL, now()) AND x.n = y.n",
		"$inner y.n = x.n AND W_INNER(y.id, NULL, now()) AND EXISTS (SELECT FROM OUTER z "
		  . 'WHERE z.n = y.n AND (W_OUTER(z.id, NULL, now()) OR z.n = x.n))',
		'SELECT 1 FROM keep LEFT JOIN INNER y ON y.n = k AND T_INNER(y.id) < cutoff WHERE k = x.n'),
	map({ ("x.n IN ($_)", "x.n NOT IN ($_)") } "$inner W_INNER(y.id, NULL, now())",
		"$inner T_INNER(y.id) < now() AND W_OUTER(x.id, NULL, now())"))
{
	my @queries;
	foreach my $outer (qw(rfc9562 draft))
	{
		my $inner = $outer eq 'draft' ? 'rfc9562' : 'draft';
		foreach my $pair (@pairs)
		{
			my %word = (
				INNER => "$inner.$pair->[1]",
				OUTER => "$outer.$pair->[0]",
				W_INNER => $window{$inner},
				W_OUTER => $window{$outer},
				T_INNER => $time{$inner});

			foreach my $condition ($clause, "W_OUTER(x.id, NULL, now()) AND $clause")
			{
				push @queries,
				  map { s/\b((?:[WT]_)?(?:INNER|OUTER))\b/$word{$1}/gr }
				  "SELECT count(*) FROM OUTER x WHERE $condition",
				  "SELECT count(*) FROM keep JOIN OUTER x ON true WHERE $condition",
				  "SELECT count(*) FROM (SELECT x.id, $condition AS c FROM OUTER x UNION ALL "
				  . 'SELECT id, true FROM OUTER) u WHERE c';
			}
		}
	}
	# in a soak all; else some, in each clause others
	@queries = @queries[ grep { ($_ + $clauses) % ($ENV{UUIDNEW_QUICK} ? 11 : 3) == 0 } 0 .. $#queries ]
	  if !$ENV{UUIDNEW_SOAK};
	$clauses++;
	my @outcomes =
	  outcomes('SET constraint_exclusion = on', 'rfc9562', 'none', map { "EXPLAIN $_" } @queries);
	list_wrong("both layouts are read in one query: $clause",
		map { "$queries[$_]: @{$outcomes[$_]}" } grep { $outcomes[$_][0] ne 'UND0N' } 0 .. $#queries);
}

# A table's constraints and statistics, which core asks about with the number 1, are
# not the query's.
$node->safe_psql('postgres', <<~'SQL');
	SET search_path = draft, public;
	ALTER TABLE plain ADD CHECK (uuid_v7_timestamp(id) IS NOT NULL), ADD
		CHECK (uuid_v7_between(id, '2020-01-01 00:00+00', NULL));
	ALTER TABLE parted ADD CHECK (uuid_v7_between(id, '2020-01-01 00:00+00', NULL));
	CREATE STATISTICS draft_time ON (uuid_v7_timestamp(id)) FROM plain;
	CREATE INDEX ON plain (uuid_v7_timestamp(id));
	CREATE INDEX ON plain (n) WHERE uuid_v7_between(id, '2026-01-01 00:00+00', NULL);
	ANALYZE plain;
	-- from 1.0: all keys are of version 7, whichever layout it is
	ALTER TABLE rfc9562.moved ADD CHECK (uuid_v7_timestamp(id) IS NOT NULL);
	ALTER TABLE rfc9562.parted ADD CHECK (uuid_v7_timestamp(id) IS NOT NULL);
	SQL
foreach my $exclusion (qw(on partition off))
{
	is_right("constraint_exclusion = $exclusion: constraints of another table, and others of the same",
		<<~SQL, "20\n20\n20\n20\n20");
			SET constraint_exclusion = $exclusion;
			SELECT count(*) FROM rfc9562.plain r, draft.plain d WHERE r.n = d.n AND d.n > 0;
			SELECT count(*) FROM rfc9562.parted r JOIN draft.parted d USING (n)
			WHERE uuidv7_between(r.id, NULL, now()) AND uuid_v7_between(d.id, NULL, now());
			SELECT count(*) FROM rfc9562.plain r
			WHERE EXISTS (SELECT FROM draft.plain d WHERE d.n = r.n AND uuid_v7_timestamp(d.id) < now());
			SELECT count(*) FROM moved WHERE uuidv7_between(id, NULL, now()) AND n > 0;
			SELECT count(*) FROM parted WHERE n > 0 AND uuidv7_timestamp(id) < now();
			SQL
}

# Rights: none are needed for what the guard says, and the planner's work is the same
is_right('a role without EXECUTE and USAGE', <<~'SQL', "20\n20");
	CREATE SCHEMA locked;
	ALTER EXTENSION uuidnew SET SCHEMA locked;
	CREATE VIEW locked_view AS SELECT n, locked.uuidv7_between(id, NULL, now()) AS old FROM plain;
	GRANT SELECT ON locked_view TO reader;
	SET ROLE reader;
	SELECT count(*) FROM rfc9562.locked_view WHERE old;
	RESET ROLE;
	ALTER EXTENSION uuidnew SET SCHEMA public;
	DROP VIEW locked_view;
	REVOKE EXECUTE ON FUNCTION public.uuid_v7_layout(uuid), uuidv7_min(timestamptz) FROM public;
	SET ROLE reader;
	SELECT count(*) FROM plain WHERE uuidv7_between(id, NULL, now());
	RESET ROLE;
	GRANT EXECUTE ON FUNCTION public.uuid_v7_layout(uuid), uuidv7_min(timestamptz) TO public;
	SQL

# Partitions: the table that a query names is asked, as the planner can't always tell which
# partitions are read.
$node->safe_psql('postgres', <<~'SQL');
	SET search_path = rfc9562, public;
	CREATE TABLE kinds (kind text, n int, id uuid) PARTITION BY LIST (kind);
	CREATE TABLE kinds_draft (id uuid CHECK (uuid_v7_is(id)), n int, kind text);
	ALTER TABLE kinds ATTACH PARTITION kinds_draft FOR VALUES IN ('draft');
	CREATE TABLE kinds_rfc PARTITION OF kinds (CHECK (uuidv7_is(id))) FOR VALUES IN ('rfc');
	CREATE TABLE sides (id uuid) PARTITION BY RANGE (id);
	CREATE TABLE sides_rfc PARTITION OF sides (CHECK (uuidv7_is(id)))
		FOR VALUES FROM (MINVALUE) TO ('03000000-0000-7000-8000-000000000000');
	CREATE TABLE sides_draft PARTITION OF sides (CHECK (uuid_v7_is(id)))
		FOR VALUES FROM ('03000000-0000-7000-8000-000000000000') TO (MAXVALUE);
	INSERT INTO kinds (kind, id) SELECT 'rfc', id FROM source UNION ALL SELECT 'draft', id
	FROM draft.source;
	INSERT INTO sides SELECT id FROM kinds;
	SQL
foreach my $mode (qw(force_custom_plan force_generic_plan))
{
	is_right("partitions that hold different layouts, $mode", <<~SQL, "20\n40\n40\n20\n20");
		SET plan_cache_mode = $mode;
		PREPARE q(text) AS SELECT count(*) FROM kinds WHERE kind = \$1 AND uuid_v7_between(id, NULL, now());
		EXECUTE q('draft');
		SELECT count(*) FROM kinds
		WHERE kind = 'draft' AND uuid_v7_between(id, NULL, now()) OR kind = 'rfc'
			AND uuidv7_between(id, NULL, now());
		SELECT count(CASE kind WHEN 'draft' THEN uuid_v7_timestamp(id) ELSE uuidv7_timestamp(id) END)
		FROM kinds;
		PREPARE r(timestamptz) AS SELECT count(*) FROM sides WHERE uuid_v7_between(id, \$1, NULL);
		EXECUTE r('2020-01-01');
		SELECT count(*) FROM sides WHERE uuidv7_between(id, now() - interval '1 year', NULL);
		SQL
}
like(psql(<<~'SQL'), $error, '... one partition alone is asked');
	SELECT count(*) FROM kinds_rfc WHERE uuid_v7_between(id, '-infinity', now())
	SQL


#
# Without a constraint: an open end does not reach the keys of the other layout.
#

foreach my $layout (sort keys %world)
{
	my $wrong = $world{$layout}{wrong}[0][0];
	my $explicit = sprintf $wrong, 'id', $layout eq 'draft' ? "now(), 'infinity'" : "'-infinity', now()";
	my $open = sprintf $wrong, 'id', $layout eq 'draft' ? 'now(), NULL' : 'NULL, now()';

	is( $node->safe_psql('postgres', <<~SQL),
		SET search_path = $layout, public;
		CREATE TABLE unguarded AS TABLE source;
		WITH gone AS (DELETE FROM unguarded WHERE $open RETURNING *) SELECT count(*) FROM gone;
		PREPARE q(timestamptz, timestamptz) AS SELECT count(*) FROM unguarded
			WHERE ${\ sprintf $wrong, 'id', '$1, $2'};
		SET plan_cache_mode = force_generic_plan;
		EXECUTE q(${\ ($layout eq 'draft' ? 'now(), NULL' : 'NULL, now()')});
		SELECT count(*) FROM unguarded WHERE $explicit;
		WITH gone AS (DELETE FROM unguarded WHERE ${\ sprintf $world{$layout}{window}, 'id', 'NULL, now()'}
			RETURNING *) SELECT count(*) FROM gone
		SQL
		"0\n0\n20\n20", "$layout: the wrong window finds nothing from an open end on, but from infinity");
}


$node->stop;
done_testing();
