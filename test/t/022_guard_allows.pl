# The guard refuses no query that reads each column as what it holds, whatever else is in the query.
# Without a guard, an open end finds no key of the other layout.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use lib $FindBin::RealBin;
use GuardWorld;

start_world();

# Tables of both layouts in one query, with the same column numbers: core asks about
# an EXISTS that it can't turn into a join with the outer query's tables.
my $clauses = 0;
foreach my $clause (
	map({
			my $sub = $_;
			(   "EXISTS ($sub)",
				"NOT EXISTS ($sub)",
				"(EXISTS ($sub) OR x.n = 3)",
				"(NOT EXISTS ($sub) OR x.n = 3)",
				"CASE WHEN EXISTS ($sub) THEN true ELSE x.n = 3 END",
				"(SELECT count(*) FROM ($sub) s) > 0")
		} 'SELECT y.n FROM INNER y WHERE y.n = x.n AND WINDOW_OF_INNER(y.id, NULL, now())',
		'SELECT y.n FROM INNER y WHERE y.n = x.n AND TIME_OF_INNER(y.id) < now()',
		'SELECT y.n FROM INNER y WHERE WINDOW_OF_INNER(y.id, NULL, now()) AND WINDOW_OF_OUTER(x.id, NULL, '
		  . 'now()) AND x.n = y.n',
		'SELECT y.n FROM INNER y WHERE y.n = x.n AND WINDOW_OF_INNER(y.id, NULL, now()) AND EXISTS (SELECT '
		  . 'FROM OUTER z WHERE z.n = y.n AND (WINDOW_OF_OUTER(z.id, NULL, now()) OR z.n = x.n))',
		'SELECT y.n FROM INNER_VIEW y WHERE y.n = x.n AND WINDOW_OF_INNER(y.id, NULL, now())',
		'SELECT 1 FROM keep LEFT JOIN INNER y ON y.n = k AND TIME_OF_INNER(y.id) < cutoff WHERE k = x.n'),
	map({
			;
			"x.n IN ($_)", "x.n NOT IN ($_)", "x.n = ANY ($_)", "(x.n, 1) IN (SELECT s.n, 1 FROM ($_) s(n))"
		} 'SELECT y.n FROM INNER y WHERE WINDOW_OF_INNER(y.id, NULL, now())',
		'SELECT y.n FROM INNER y WHERE TIME_OF_INNER(y.id) < now() AND WINDOW_OF_OUTER(x.id, NULL, now())',
		'SELECT y.n FROM INNER y WHERE WINDOW_OF_INNER(y.id, NULL, now()) AND y.n = x.n'))
{
	my @wrong;

	foreach my $pair ([qw(rfc9562 draft)], [qw(draft rfc9562)])
	{
		my %window = (draft => 'uuid_v7_between', rfc9562 => 'uuidv7_between');
		my %time = (draft => 'uuid_v7_timestamp', rfc9562 => 'uuidv7_timestamp');
		my ($outer, $inner) = @$pair;

		foreach my $tables (
			[qw(plain plain)], [qw(moved moved)], [qw(parted parted)], [qw(plain parent)],
			[qw(half half)], [qw(a_view numbered)], [qw(of_domain secured)])
		{
			foreach my $more ('', ", (SELECT n AS m FROM OUTER LIMIT 1) first")
			{
				foreach my $condition (
					$clause,
					"WINDOW_OF_OUTER(x.id, NULL, now()) AND $clause",
					"TIME_OF_OUTER(x.id) < now() AND $clause")
				{
					foreach my $sql (
						"SELECT count(*) FROM OUTER x$more WHERE $condition",
						"SELECT count(*) FROM keep JOIN OUTER x ON true$more WHERE $condition",
						"SELECT count(*) FROM (SELECT x.id, $condition AS c FROM OUTER x$more UNION ALL "
						. "SELECT id, true FROM OUTER) u WHERE c")
					{
						my %word = (
							INNER_VIEW => "$inner.a_view",
							INNER => "$inner.$tables->[1]",
							OUTER => "$outer.$tables->[0]",
							WINDOW_OF_INNER => $window{$inner},
							WINDOW_OF_OUTER => $window{$outer},
							TIME_OF_INNER => $time{$inner},
							TIME_OF_OUTER => $time{$outer});

						$sql =~ s/\b(INNER_VIEW|INNER|OUTER|(?:WINDOW|TIME)_OF_(?:INNER|OUTER))\b/$word{$1}/g;
						push @wrong, $sql;
					}
				}
			}
		}
	}
	# in a soak all; else some, in each clause others
	@wrong = @wrong[ grep { ($_ + $clauses) % ($ENV{UUIDNEW_QUICK} ? 17 : 5) == 0 } 0 .. $#wrong ]
	  if !$ENV{UUIDNEW_SOAK};
	$clauses++;
	my @outcomes = outcomes('SET constraint_exclusion = on', 'rfc9562', 'none', map { "EXPLAIN $_" } @wrong);
	list_wrong("both layouts: $clause",
		map { "$wrong[$_]: @{$outcomes[$_]}" } grep { $outcomes[$_][0] ne 'UND0N' } 0 .. $#wrong);
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
