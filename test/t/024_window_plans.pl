# A window of time is never planned worse than its bounds written by hand: the
# same scans and joins, or fewer; no more tables opened, partitions read, or rows
# looked at; estimates near the truth; similar costs.  Nothing is timed.
use strict;
use warnings FATAL => 'all';

use FindBin;
use POSIX qw(strftime);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Session;

my $quick = $ENV{UUIDNEW_QUICK};

# Keys lie in the 60 days before this one, so that a histogram's bin is 14.4
# hours.  Windows are of several days: core knows no better than a bin where the
# bounds are written by hand.
my $count = $quick ? 30_000 : $ENV{UUIDNEW_SOAK} ? 100_000 : 50_000;
my $first = int(time / 86400) * 86400 - 60 * 86400;

# <12.5> is a time: so many days after the first
sub dated
{
	my ($text) = @_;
	$text =~
	  s{<(\d+(?:\.\d+)?)>}{strftime("'%Y-%m-%d %H:%M:%S+00'::timestamptz", gmtime($first + 86400 * $1))}ge;
	return $text;
}

# The functions: window, bound, and the arguments that come after the ends; the
# suffix of their tables
my %family = (
	'v7' => [ 'uuid_v7_between', 'uuid_v7_min', '', '' ],
	'v7 with a layout' => [ 'uuid_v7_between', 'uuid_v7_min', q{, 'microsecond'}, '' ],
	'RFC 9562' => [ 'uuidv7_between', 'uuidv7_min', '', '_rfc9562' ],
	'RFC 9562, operators' => [ undef, 'uuidv7_min', '', '_rfc9562' ],
	'RFC 9562 with a layout' => [ 'uuid_v7_between', 'uuid_v7_min', q{, 'rfc9562'}, '_rfc9562' ],
	'v6' => [ 'uuid_v6_between', 'uuid_v6_min', '', '_v6' ],
	'v8' => [ 'uuid_v8_between', 'uuid_v8_min', q{, 'unix48'}, '_v8' ]);

# {key; since; until} as a call, and by hand
sub as_call
{
	my ($query, $family) = @_;
	my ($between, $min, $more, $suffix) = @{ $family{$family} };
	$query =~ s/\{([^;{}]+); NULL; ([^;{}]+)\}/($1 < $2)/g if !defined $between;
	$query =~ s/\{([^;{}]+); ([^;{}]+); NULL\}/($1 >= $2)/g if !defined $between;
	$query =~ s/\{([^;{}]+); ([^;{}]+); ([^;{}]+)\}/($1 >= $2 AND $1 < $3)/g if !defined $between;
	$query =~ s/\{([^;{}]+); ([^;{}]+); ([^;{}]+)\}/$between($1, $2, $3$more)/g if defined $between;
	$query =~ s/\@(\w+)/$1$suffix/g;
	return dated($query);
}

sub by_hand
{
	my ($query, $family) = @_;
	my ($between, $min, $more, $suffix) = @{ $family{$family} };
	my $border = q{'03000000-0000-7000-8000-000000000000'};
	my $draft = $family =~ /^v7/;
	my $rfc9562 = $family =~ /^RFC/;
	$query =~ s{\{([^;{}]+); ([^;{}]+); ([^;{}]+)\}}{
		'(' . join(' AND ', $2 ne 'NULL' ? "$1 >= $min($2$more)" : $draft ? "$1 >= $border" : (),
			$3 ne 'NULL' ? "$1 < $min($3$more)" : $rfc9562 ? "$1 < $border" : ()) . ')'}ge;
	$query =~ s/\@(\w+)/$1$suffix/g;
	return dated($query);
}

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', <<~'CONF');
	autovacuum = off
	jit = off
	fsync = off
	max_parallel_workers_per_gather = 0
	default_statistics_target = 1000	# the sample is all rows: no estimate is chance
	timezone = 'UTC'
	statement_timeout = '100s'
	CONF
$node->start;
$node->safe_psql('postgres', <<~'SQL');
	CREATE EXTENSION uuidnew;

	-- What a statement is planned to do, and does.  Each time in a transaction that
	-- is rolled back.
	CREATE FUNCTION try(query text, settings text, types text, arguments text,
		OUT opened bigint, OUT nodes text, OUT estimate float, OUT actual float,
		OUT cost float, OUT looked_at float, OUT result text)
	LANGUAGE plpgsql AS $$
	DECLARE
		statement text := query;
		whole text := format($q$WITH r AS (%s)
			SELECT count(*) || ' ' || coalesce(md5(string_agg(r::text, ',' ORDER BY r::text)), '')
			FROM r$q$, query);
		plan jsonb;
	BEGIN
		IF types <> '' THEN
			statement := format('EXECUTE tried(%s)', arguments);
		END IF;

		BEGIN
			EXECUTE settings;
			IF types <> '' THEN
				EXECUTE format('PREPARE tried(%s) AS %s', types, query);
			END IF;
			EXECUTE 'EXPLAIN (FORMAT JSON) ' || statement INTO plan;
			SELECT count(DISTINCT relation) INTO opened
			FROM pg_locks JOIN pg_class ON pg_class.oid = relation
			WHERE pid = pg_backend_pid() AND relkind IN ('r', 'p')
				AND relnamespace = 'public'::regnamespace;
			RAISE SQLSTATE 'PLAN0';
		EXCEPTION WHEN SQLSTATE 'PLAN0' THEN NULL;
		END;
		cost := plan -> 0 -> 'Plan' ->> 'Total Cost';
		estimate := plan -> 0 -> 'Plan' ->> 'Plan Rows';

		BEGIN
			EXECUTE settings;
			EXECUTE 'EXPLAIN (ANALYZE, TIMING off, SUMMARY off, FORMAT JSON) ' || statement INTO plan;
			RAISE SQLSTATE 'PLAN0';
		EXCEPTION WHEN SQLSTATE 'PLAN0' THEN NULL;
		END;
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
			IF types <> '' THEN
				DEALLOCATE tried;
				EXECUTE format('PREPARE tried(%s) AS %s', types, whole);
				EXECUTE statement INTO result;
				DEALLOCATE tried;
			ELSE
				EXECUTE whole INTO result;
			END IF;
			RAISE SQLSTATE 'PLAN0';
		EXCEPTION WHEN SQLSTATE 'PLAN0' THEN NULL;
		END;
	END $$;
	SQL

# Tables of one family of functions; name, suffix and what makes a key of "at"
sub make_tables
{
	my ($family, $generate) = @_;
	my ($between, $min, $more, $suffix) = @{ $family{$family} };
	my $bound = sub { dated("$min(<$_[0]>$more)") };

	$node->safe_psql(
		'postgres', <<~SQL
			CREATE TABLE events$suffix (id uuid PRIMARY KEY, acct int, n int);
			INSERT INTO events$suffix
			SELECT $generate, i % 1000, i
			FROM (SELECT i, to_timestamp($first) + i * interval '60 days' / $count AS at
				FROM generate_series(0, $count - 1) i) times;
			CREATE INDEX ON events$suffix (acct);
			CREATE TABLE parted$suffix (id uuid, acct int, n int) PARTITION BY RANGE (id);
			CREATE INDEX ON parted$suffix (id);
			SQL
		  . join(
			'',
			map {
					"CREATE TABLE parted${suffix}_$_ PARTITION OF parted$suffix FOR VALUES "
				  . "FROM (${\ $bound->($_ * 5)}) TO (${\ $bound->($_ * 5 + 5)});"
			} 0 .. 11)
		  . <<~SQL);
			CREATE TABLE parted${suffix}_12 PARTITION OF parted$suffix DEFAULT;
			INSERT INTO parted$suffix SELECT * FROM events$suffix;
			VACUUM ANALYZE events$suffix, parted$suffix;
			SQL
}
make_tables('v7', 'uuid_generate_v7_at(at)');
make_tables('RFC 9562', 'uuidv7_at(at)');
make_tables('v6', 'uuid_generate_v6_at(at)');
make_tables('v8', q{uuid_generate_v8_at(at, 'unix48')});

$node->safe_psql('postgres', dated(<<~'SQL'));
	CREATE TABLE accounts (acct int PRIMARY KEY, name text);
	INSERT INTO accounts SELECT i, 'name ' || i FROM generate_series(0, 999) i;
	CREATE TABLE spans (span int, since timestamptz, until timestamptz);
	INSERT INTO spans
		SELECT i, <10> + i * interval '1 day', <10> + i * interval '1 day' + interval '10 minutes'
		FROM generate_series(1, 30) i;

	CREATE TABLE not_null (id uuid, acct int, n int);
	INSERT INTO not_null SELECT id, acct, n FROM events;
	CREATE INDEX not_null_id ON not_null (id) WHERE id IS NOT NULL;
	CREATE TABLE late (id uuid, acct int, n int);
	INSERT INTO late SELECT * FROM events;
	DO $$ BEGIN EXECUTE format('CREATE INDEX late_id ON late (id) WHERE id >= %L', uuid_v7_min(<30>)); END $$;
	CREATE DOMAIN key AS uuid CHECK (VALUE IS NOT NULL);
	CREATE TABLE domains (id key PRIMARY KEY, acct int, n int);
	INSERT INTO domains SELECT * FROM events;
	CREATE TABLE domains_parted (id key, acct int, n int) PARTITION BY RANGE (id);
	CREATE INDEX ON domains_parted (id);
	CREATE TABLE hashed (id uuid, acct int, n int) PARTITION BY HASH (acct);
	CREATE INDEX ON hashed (id);
	CREATE TABLE twice (id uuid, acct int, n int) PARTITION BY RANGE (id);
	CREATE TABLE inherited (id uuid, acct int, n int);
	DO $$
	DECLARE
		since uuid;
		until uuid;
	BEGIN
		FOR i IN 0 .. 3 LOOP
			since := uuid_v7_min(<0> + i * interval '15 days');
			until := uuid_v7_min(<15> + i * interval '15 days');
			EXECUTE format(
				'CREATE TABLE hashed_%s PARTITION OF hashed FOR VALUES WITH (MODULUS 4, REMAINDER %s)', i,
					i);
			EXECUTE format(
				'CREATE TABLE domains_parted_%s PARTITION OF domains_parted FOR VALUES FROM (%L) TO (%L)',
					i, since, until);
			EXECUTE format(
				'CREATE TABLE twice_%s PARTITION OF twice FOR VALUES FROM (%L) TO (%L)'
				' PARTITION BY HASH (acct)', i, since, until);
			EXECUTE format(
				'CREATE TABLE twice_%s_0 PARTITION OF twice_%s FOR VALUES WITH (MODULUS 2, REMAINDER 0)', i,
					i);
			EXECUTE format(
				'CREATE TABLE twice_%s_1 PARTITION OF twice_%s FOR VALUES WITH (MODULUS 2, REMAINDER 1)', i,
					i);
			EXECUTE format('CREATE TABLE inherited_%s (CHECK (id >= %L AND id < %L)) INHERITS (inherited)',
				i, since, until);
			EXECUTE format('INSERT INTO inherited_%s SELECT * FROM events WHERE id >= %L AND id < %L', i,
				since, until);
			EXECUTE format('CREATE INDEX ON inherited_%s (id)', i);
		END LOOP;
	END $$;
	CREATE INDEX ON twice (id);
	INSERT INTO hashed SELECT * FROM events;
	INSERT INTO domains_parted SELECT * FROM events;
	INSERT INTO twice SELECT * FROM events;
	CREATE VIEW united AS SELECT id, acct, n FROM parted UNION ALL SELECT id, acct, n FROM twice;
	CREATE VIEW recent AS SELECT * FROM events WHERE uuid_v7_between(id, <20>, NULL);
	CREATE VIEW recent_by_hand AS SELECT * FROM events WHERE id >= uuid_v7_min(<20>);
	CREATE TABLE brin (id uuid, acct int, n int);
	INSERT INTO brin SELECT * FROM events;
	CREATE INDEX ON brin USING brin (id) WITH (pages_per_range = 8);
	CREATE TABLE by_account (id uuid, acct int, n int);
	INSERT INTO by_account SELECT id, acct % 20, n FROM events;
	CREATE INDEX ON by_account (acct, id);
	CREATE TABLE checked (id uuid PRIMARY KEY CHECK (uuid_v7_layout(id) = 'draft'), acct int, n int);
	INSERT INTO checked SELECT * FROM events;

	CREATE TABLE checked_parted (id uuid
		CHECK (uuid_v7_layout(id) = 'draft'), acct int, n int) PARTITION BY RANGE (id);
	CREATE INDEX ON checked_parted (id);
	CREATE TABLE documents (body jsonb, acct int, n int);
	CREATE INDEX ON documents (((body ->> 'id')::uuid));
	CREATE TABLE documents_parted (body jsonb, acct int,
		n int) PARTITION BY RANGE (((body ->> 'id')::uuid));
	DO $$ BEGIN
		FOR i IN 0 .. 3 LOOP
			EXECUTE format(
				'CREATE TABLE checked_parted_%s PARTITION OF checked_parted FOR VALUES FROM (%L) TO (%L)',
					i,
				uuid_v7_min(<0> + i * interval '15 days'), uuid_v7_min(<15> + i * interval '15 days'));
			EXECUTE format(
				'CREATE TABLE documents_parted_%s PARTITION OF documents_parted FOR VALUES FROM (%L) TO (%L)',
				i,
				uuid_v7_min(<0> + i * interval '15 days'), uuid_v7_min(<15> + i * interval '15 days'));
		END LOOP;
	END $$;
	INSERT INTO checked_parted SELECT * FROM events;
	INSERT INTO documents SELECT jsonb_build_object('id', id), acct, n FROM events;
	INSERT INTO documents_parted SELECT * FROM documents;

	CREATE TABLE changed (LIKE checked INCLUDING INDEXES);
	INSERT INTO changed SELECT * FROM events;

	CREATE VIEW barrier WITH (security_barrier) AS SELECT * FROM events WHERE acct >= 100;
	CREATE VIEW barrier_parted WITH (security_barrier) AS SELECT * FROM parted WHERE acct >= 100;
	CREATE TABLE secured (LIKE events INCLUDING ALL);
	INSERT INTO secured SELECT * FROM events;
	ALTER TABLE secured ENABLE ROW LEVEL SECURITY;
	CREATE POLICY visible ON secured USING (acct >= 100);
	CREATE ROLE reader;

	-- the last rows come after ANALYZE
	CREATE TABLE grown_1 (id uuid PRIMARY KEY, acct int, at timestamptz);
	INSERT INTO grown_1
	SELECT uuid_generate_v7_at(at), i % 1000, at
	FROM (SELECT i, now() - i * interval '1 minute' AS at FROM generate_series(54999, 5000, -1) i) times;
	CREATE TABLE grown_2 (LIKE grown_1 INCLUDING ALL);
	INSERT INTO grown_2 SELECT * FROM grown_1;
	CREATE TABLE updated (LIKE events INCLUDING ALL);
	INSERT INTO updated SELECT * FROM events;
	SELECT format('VACUUM ANALYZE %s', string_agg(oid::regclass::text, ', ')) FROM pg_class
	WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
		AND relname !~ '^(events|parted)(_|$)' \gexec
	UPDATE updated SET n = -n WHERE acct < 500;
	INSERT INTO grown_1
	SELECT uuid_generate_v7_at(at), i % 1000, at
	FROM (SELECT i, now() - i * interval '1 minute' AS at FROM generate_series(4999, 1, -1) i) times;
	INSERT INTO grown_2 SELECT * FROM grown_1 WHERE at > now() - interval '5000 minutes';

	-- some keys of another version; far more room than rows
	CREATE TABLE among_others (LIKE events INCLUDING ALL);
	INSERT INTO among_others SELECT * FROM events WHERE n % 500 = 0;
	INSERT INTO among_others
		SELECT overlay(uuid_v7_min(<30> + i * interval '1 day')::text PLACING '4' FROM 15 FOR 1)::uuid, i, i
		FROM generate_series(1, 3) i;
	ANALYZE among_others;
	BEGIN;
	INSERT INTO among_others SELECT uuid_generate_v7_at(<10>), acct, n FROM events;
	ROLLBACK;
	GRANT SELECT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO reader;
	SQL

# The shapes: a name, and a query.  By hand, nothing tests the version, which the
# filter of a window does; with a NOT, that keeps a window from the index.  Further
#   set			settings
#   types, args	of a prepared statement
#   hand		the twin, where it is another query
#   rows		0: the first node's estimate is not that of the window
#   like_core	1: that estimate may be wrong, if core's is no better
#   cost		how many times the twin's, instead of 1.1; 0: not compared
#   layout_cost	the same, where the call has a layout
#   nodes		0: scans and joins are not compared
my $generic = 'SET LOCAL plan_cache_mode = force_generic_plan';
my $custom = 'SET LOCAL plan_cache_mode = force_custom_plan';

# with all functions
my @common = (
	[ 'a window', 'SELECT * FROM @events WHERE {id; <10>; <15>}' ],
	[ 'since', 'SELECT * FROM @events WHERE {id; <50>; NULL}' ],
	[ 'until', 'SELECT * FROM @events WHERE {id; NULL; <10>}' ],
	[ 'less than a bin', 'SELECT * FROM @events WHERE {id; <10.1>; <10.25>}' ],
	[ 'less than a bin, partitions', 'SELECT * FROM @parted WHERE {id; <12.1>; <12.25>}' ],
	[ 'less than a bin, OR', 'SELECT * FROM @events WHERE {id; <10.1>; <10.25>} OR {id; <30.1>; <30.25>}' ],
	[ 'less than a bin, overlap', 'SELECT * FROM @events WHERE {id; <10.1>; <13>} AND {id; NULL; <10.25>}' ],
	[ 'stable ends', q[SELECT * FROM @events WHERE {id; now() - (now() - <20>); now() - (now() - <25>)}] ],
	[ 'most of the table', 'SELECT * FROM @events WHERE {id; <2>; <58>}' ],
	[
		'no index',
		'SELECT * FROM @events WHERE {id; <10>; <20>}',
		set => 'SET LOCAL enable_indexscan = off; SET LOCAL enable_bitmapscan = off'
	],
	[ 'bitmap', 'SELECT * FROM @events WHERE {id; <10>; <15>}', set => 'SET LOCAL enable_indexscan = off' ],
	[ 'index only', 'SELECT id FROM @events WHERE {id; <10>; <15>}' ],
	[
		'a bitmap of two indexes',
		'SELECT * FROM @events WHERE {id; <10>; <15>} AND acct BETWEEN 100 AND 140'
	],
	[ 'partitions', 'SELECT * FROM @parted WHERE {id; <12>; <22>}' ],
	[ 'partitions, since', 'SELECT * FROM @parted WHERE {id; <42>; NULL}' ],
	[
		'partitions, stable ends',
		'SELECT * FROM @parted WHERE {id; now() - (now() - <12>); now() - (now() - <22>)}'
	],
	[
		'P1: LEFT JOIN',
		'SELECT * FROM accounts a LEFT JOIN @events e ON e.acct = a.acct WHERE {e.id; <10>; <15>}'
	],
	[
		'P1: RIGHT JOIN',
		'SELECT * FROM @events e RIGHT JOIN accounts a ON e.acct = a.acct WHERE {e.id; <10>; <15>}'
	],
	[
		'P1: FULL JOIN',
		'SELECT * FROM @events e FULL JOIN accounts a ON e.acct = a.acct WHERE {e.id; <10>; <15>}'
	],
	[
		'P1: LEFT JOIN of partitions',
		'SELECT * FROM accounts a LEFT JOIN @parted e ON e.acct = a.acct WHERE {e.id; <10>; <15>}'
	],
	[
		'a window in ON',
		'SELECT * FROM accounts a LEFT JOIN @events e ON e.acct = a.acct AND {e.id; <10>; <15>}'
	],
	[ 'E1: OR', 'SELECT * FROM @events WHERE {id; <10>; <13>} OR {id; <30>; <33>}' ],
	[ 'E1: OR, partitions', 'SELECT * FROM @parted WHERE {id; <10>; <13>} OR {id; <30>; <33>}' ],
	[ 'E2: half-open windows', 'SELECT * FROM @events WHERE {id; <10>; NULL} AND {id; NULL; <15>}' ],
	[ 'E2: windows that overlap', 'SELECT * FROM @events WHERE {id; <5>; <15>} AND {id; <10>; <20>}' ],
	[ 'E2: windows that do not', 'SELECT * FROM @parted WHERE {id; <5>; <10>} AND {id; <15>; <20>}' ],
	[ 'a window that ends before it begins', 'SELECT * FROM @events WHERE {id; <20>; <10>}', like_core => 1 ],
	[
		'a window that ends before it begins, LEFT JOIN of partitions',
		'SELECT * FROM accounts a LEFT JOIN @parted e ON e.acct = a.acct WHERE {e.id; <20>; <10>}'
	],
	[
		'generic plan', 'SELECT * FROM @parted WHERE {id; $1; $2}',
		set => $generic,
		types => 'timestamptz, timestamptz',
		args => '<12>, <22>',
		rows => 0
	],
	[
		'generic plan, no index', 'SELECT * FROM @events WHERE {id; $1; $2}',
		set => "$generic; SET LOCAL enable_indexscan = off; SET LOCAL enable_bitmapscan = off",
		types => 'timestamptz, timestamptz',
		args => '<12>, <22>',
		rows => 0
	],
	[
		'custom plan', 'SELECT * FROM @parted WHERE {id; $1; $2}',
		set => $custom,
		types => 'timestamptz, timestamptz',
		args => '<12>, <22>'
	],
	[
		'E4: generic plan, since', 'SELECT * FROM @events WHERE {id; $1; NULL}',
		set => $generic,
		types => 'timestamptz',
		args => '<40>',
		like_core => 1
	],
	[ 'ends from a table', 'SELECT * FROM spans s JOIN @events e ON {e.id; s.since; s.until}', rows => 0 ],
	[ 'the last ones', 'SELECT * FROM @events WHERE {id; <10>; <20>} ORDER BY id DESC LIMIT 10' ],
	[ 'aggregate', 'SELECT count(*), min(n) FROM @events WHERE {id; <10>; <20>}', rows => 0 ],
	[ 'DELETE', 'DELETE FROM @parted WHERE {id; <10>; <14>} RETURNING n' ]);

# with version 7, and the layout of its tables
my @shapes = (
	[
		'P1: LEFT JOIN of a join',
		'SELECT * FROM accounts a LEFT JOIN (@events e '
		  . 'JOIN accounts b ON b.acct = e.acct + 1) ON e.acct = a.acct WHERE {e.id; <10>; <15>}'
	],
	[
		'P1: FULL JOIN, both sides',
		'SELECT * FROM @events e FULL JOIN not_null f USING (n) WHERE {e.id; <10>; <13>} AND {f.id; <11>; '
		  . '<15>}',
		rows => 0
	],
	[ 'P3: index WHERE id IS NOT NULL', 'SELECT * FROM not_null WHERE {id; <10>; <15>}' ],
	[ 'P3: index WHERE id >= constant', 'SELECT * FROM late WHERE {id; <40>; <45>}' ],
	[ 'P3: index WHERE id >= constant, too late', 'SELECT * FROM late WHERE {id; <25>; <32>}' ],
	[ 'P4: UNION ALL', 'SELECT * FROM united WHERE {id; <10>; <14>}' ],
	[
		'P4: UNION ALL, stable ends',
		'SELECT * FROM united WHERE {id; now() - (now() - <10>); now() - (now() - <14>)}'
	],
	[
		'P4: UNION ALL, joined',
		'SELECT * FROM accounts a JOIN united u USING (acct) WHERE {u.id; <10>; <14>}'
	],
	[ 'P5: domain', 'SELECT * FROM domains WHERE {id; <10>; <15>}' ],
	[ 'P5: domain, partitions', 'SELECT * FROM domains_parted WHERE {id; <16>; <20>}' ],
	[ 'P5: domain, OR', 'SELECT * FROM domains WHERE {id; <10>; <13>} OR {id; <30>; <33>}' ],
	[
		'P5: domain, LEFT JOIN',
		'SELECT * FROM accounts a LEFT JOIN domains e ON e.acct = a.acct WHERE {e.id; <10>; <15>}'
	],
	[ 'P6: security barrier', 'SELECT * FROM barrier WHERE {id; <10>; <15>}' ],
	[ 'P6: security barrier, partitions', 'SELECT * FROM barrier_parted WHERE {id; <10>; <15>}' ],
	[
		'P6: row-level security',
		'SELECT * FROM secured WHERE {id; <10>; <15>}',
		set => 'SET LOCAL ROLE reader'
	],
	[ 'P7: inheritance', 'SELECT * FROM inherited WHERE {id; <16>; <20>}' ],
	[ 'P7: inheritance, OR', 'SELECT * FROM inherited WHERE {id; <1>; <4>} OR {id; <16>; <20>}' ],
	[
		'E2: a view and a filter',
		'SELECT * FROM recent WHERE {id; NULL; <25>}',
		hand => 'SELECT * FROM recent_by_hand WHERE {id; NULL; <25>}'
	],
	[
		'E2: a page',
		q[SELECT * FROM @events WHERE id < uuid_v7_min(<25>) AND {id; <20>; NULL} ORDER BY id DESC]
	],
	[
		'E2: a page, LIMIT',
		q[SELECT * FROM @parted WHERE id < uuid_v7_min(<25>) AND {id; <20>; NULL} ORDER BY id DESC LIMIT 50]
	],
	[
		'E2: a page, custom plan',
		q[SELECT * FROM @events WHERE id < $1 AND {id; <20>; NULL} ORDER BY id DESC],
		set => $custom,
		types => 'uuid',
		args => 'uuid_v7_min(<25>)'
	],
	[
		'E2: a page, generic plan',
		q[SELECT * FROM @parted WHERE id < $1 AND {id; <20>; NULL} ORDER BY id DESC LIMIT 50],
		set => $generic,
		types => 'uuid',
		args => 'uuid_v7_min(<25>)',
		rows => 0
	],
	[ 'E3: partitions by another column', 'SELECT * FROM hashed WHERE {id; <10>; <15>}' ],
	[
		'E3: partitions by another column, which is known',
		'SELECT * FROM hashed WHERE {id; <10>; <30>} AND acct = 5'
	],
	[ 'partitions of partitions', 'SELECT * FROM twice WHERE {id; <16>; <22>}' ],
	[ 'partitions of partitions, both', 'SELECT * FROM twice WHERE {id; <16>; <29>} AND acct = 5' ],
	[
		'E4: generic plan, until', 'SELECT * FROM @parted WHERE {id; NULL; $1}',
		set => $generic,
		types => 'timestamptz',
		args => '<22>',
		rows => 0
	],
	[
		'E4: generic plan, NULL until', 'SELECT * FROM @parted WHERE {id; $1; $2}',
		set => $generic,
		types => 'timestamptz, timestamptz',
		args => '<42>, NULL',
		hand => q[SELECT * FROM @parted WHERE id >= uuid_v7_min($1) AND $2 IS NULL],
		rows => 0
	],
	[
		'E4: generic plan, NULL both', 'SELECT * FROM @parted WHERE {id; $1; $2}',
		set => $generic,
		types => 'timestamptz, timestamptz',
		args => 'NULL, NULL',
		hand => q[SELECT * FROM @parted WHERE ($1 IS NULL OR id >= uuid_v7_min($1)) AND ($2 IS NULL ]
		  . q[OR id < uuid_v7_min($2))],
		rows => 0,
		cost => 0,
		nodes => 0
	],
	[
		'E4: generic plan, since, joined',
		'SELECT * FROM accounts a JOIN @events e USING (acct) WHERE {e.id; $1; NULL}',
		set => $generic,
		types => 'timestamptz',
		args => '<40>',
		like_core => 1
	],
	[
		'generic plan, a join', 'SELECT * FROM accounts a JOIN @parted e USING (acct) WHERE {e.id; $1; $2}',
		set => $generic,
		types => 'timestamptz, timestamptz',
		args => '<16>, <19>',
		rows => 0
	],
	[
		'generic plan, stable arithmetic', q[SELECT * FROM @parted WHERE {id; $1 - interval '5 days'; $1}],
		set => $generic,
		types => 'timestamptz',
		args => '<19>',
		rows => 0
	],
	[
		'ends from a table, partitions',
		'SELECT * FROM spans s JOIN @parted e ON {e.id; s.since; s.until} WHERE s.span = 3',
		rows => 0
	],
	[
		'ends from a table, LATERAL',
		'SELECT * FROM spans s, LATERAL (SELECT count(*) FROM @events e WHERE {e.id; s.since; s.until}) e',
		rows => 0
	],
	[
		'ends from a table, LEFT JOIN',
		'SELECT * FROM spans s LEFT JOIN @events e ON {e.id; s.since; s.until}',
		rows => 0
	],
	[
		'EXISTS',
		'SELECT * FROM accounts a WHERE EXISTS (SELECT FROM @events e WHERE e.acct = a.acct AND {e.id; '
		  . '<10>; <15>})'
	],
	[
		'NOT EXISTS',
		'SELECT * FROM accounts a WHERE NOT EXISTS (SELECT FROM @parted e WHERE e.acct = a.acct AND {e.id; '
		  . '<10>; <10.2>})',
		rows => 0
	],
	[ 'IN', 'SELECT * FROM accounts WHERE acct IN (SELECT acct FROM @events WHERE {id; <10>; <15>})' ],
	[
		'IN, partitions',
		'SELECT * FROM @parted WHERE {id; <10>; <15>} AND acct IN (SELECT acct FROM accounts)'
	],
	[
		'a join of two windows',
		'SELECT * FROM @events e JOIN not_null f USING (n) WHERE {e.id; <10>; <15>} AND {f.id; <10>; <15>}',
		rows => 0
	],
	[
		'a join of windows of partitions',
		'SELECT * FROM @parted e JOIN twice f USING (id) WHERE {e.id; <16>; <20>} AND {f.id; <16>; <20>}',
		rows => 0
	],
	[ 'DESC LIMIT, partitions', 'SELECT * FROM @parted WHERE {id; <10>; <30>} ORDER BY id DESC LIMIT 10' ],
	[ 'DESC LIMIT, open', 'SELECT * FROM @parted WHERE {id; <42>; NULL} ORDER BY id DESC LIMIT 10' ],
	[ 'min and max', 'SELECT min(id::text), max(acct) FROM @parted WHERE {id; <10>; <20>}', rows => 0 ],
	[ 'GROUP BY', 'SELECT acct, count(*) FROM @events WHERE {id; <10>; <20>} GROUP BY acct' ],
	[ 'BRIN', 'SELECT * FROM brin WHERE {id; <10>; <15>}' ],
	[ 'BRIN, OR', 'SELECT * FROM brin WHERE {id; <10>; <11>} OR {id; <20>; <21>}' ],
	[ 'index (acct, id)', 'SELECT * FROM by_account WHERE acct = 5 AND {id; <10>; <40>}' ],
	[
		'index (acct, id), the last',
		'SELECT * FROM by_account WHERE acct = 5 AND {id; <10>; <40>} ORDER BY id DESC LIMIT 5'
	],
	[ 'index (acct, id), index only', 'SELECT id FROM by_account WHERE acct IN (5, 6) AND {id; <10>; <40>}' ],
	[
		'index (acct, id), a join',
		'SELECT * FROM accounts a LEFT JOIN by_account e ON e.acct = a.acct WHERE a.acct < 3 AND {e.id; '
		  . '<10>; <40>}',
		rows => 0
	],
	# the table grows each time
	[ 'UPDATE', 'UPDATE changed SET n = -n WHERE {id; <10>; <15>} RETURNING n', cost => 0, rows => 0 ],
	[
		'UPDATE FROM',
		'UPDATE changed e SET n = -e.n FROM accounts a WHERE a.acct = e.acct AND {e.id; <30>; <35>} '
		  . 'RETURNING e.n',
		cost => 0,
		rows => 0
	],
	[
		'DELETE USING',
		'DELETE FROM events e USING accounts a WHERE a.acct = e.acct AND {e.id; <10>; <15>} RETURNING e.n'
	],
	[ 'a CHECK', 'SELECT * FROM checked WHERE {id; <10>; <15>}' ],
	[
		'a CHECK, LEFT JOIN',
		'SELECT * FROM accounts a LEFT JOIN checked e ON e.acct = a.acct WHERE {e.id; <10>; <15>}'
	],
	[ 'NOT', 'SELECT * FROM @events WHERE NOT {id; <10>; <15>}' ],
	[ 'IS NOT TRUE', 'SELECT * FROM @parted WHERE {id; <10>; <15>} IS NOT TRUE' ],
	[ 'a CHECK, IS NOT TRUE', 'SELECT * FROM checked WHERE {id; <2>; <59>} IS NOT TRUE' ],
	[ 'a CHECK, partitions, IS TRUE', 'SELECT * FROM checked_parted WHERE {id; <16>; <20>} IS TRUE' ],
	# the filter computes the key once more
	[ 'an expression', q[SELECT * FROM documents WHERE {(body ->> 'id')::uuid; <10>; <15>}], cost => 1.25 ],
	[
		'an expression, OR',
		q[SELECT * FROM documents WHERE {(body ->> 'id')::uuid; <10>; <13>} ]
		  . q[OR {(body ->> 'id')::uuid; <30>; <33>}]
	],
	[
		'an expression, LEFT JOIN',
		q[SELECT * FROM accounts a LEFT JOIN documents e ON e.acct = a.acct ]
		  . q[WHERE {(e.body ->> 'id')::uuid; <10>; <15>}],
		cost => 1.25
	],
	[
		'an expression, the last ones',
		q[SELECT * FROM documents WHERE {(body ->> 'id')::uuid; <10>; now()} ]
		  . q[ORDER BY (body ->> 'id')::uuid DESC LIMIT 10]
	],
	[
		'an expression, partitions',
		q[SELECT * FROM documents_parted WHERE {(body ->> 'id')::uuid; <16>; <20>}],
		rows => 0
	],
	[
		'an expression, partitions, generic plan',
		q[SELECT * FROM documents_parted WHERE {(body ->> 'id')::uuid; $1; $2}],
		set => $generic,
		types => 'timestamptz, timestamptz',
		args => '<16>, <20>',
		rows => 0,
		cost => 1.25
	],
	[
		'an expression of a sub-query',
		q[SELECT * FROM (SELECT coalesce(id, gen_null) AS id, n FROM (SELECT *, NULL::uuid AS gen_null ]
		  . q[FROM @events) e) e WHERE {id; <10>; <15>}],
		rows => 0
	],
	[ 'WITH', 'WITH e AS (SELECT * FROM @parted WHERE {id; <10>; <20>}) SELECT * FROM e WHERE acct < 100' ],
	[
		'a sub-query',
		'SELECT * FROM (SELECT id, count(*) FROM @parted GROUP BY id) e WHERE {e.id; <10>; <15>}'
	],
	[ 'DISTINCT', 'SELECT * FROM (SELECT DISTINCT id, acct FROM @parted) e WHERE {e.id; <10>; <15>}' ],
	[ 'HAVING', 'SELECT id, count(*) FROM @parted GROUP BY id HAVING {id; <10>; <15>}' ],
	[
		'HAVING with grouping sets',
		'SELECT n, count(*) FROM @parted WHERE {id; <10>; <15>} GROUP BY GROUPING SETS ((id, n), (n)) '
		  . 'HAVING {id; <12>; NULL}',
		like_core => 1
	],
	[
		'HAVING with grouping sets, no row',
		'SELECT n, count(*) FROM @parted WHERE {id; <10>; <15>} AND {id; NULL; <9>} '
		  . 'GROUP BY GROUPING SETS ((id, n), (n)) HAVING {id; <12>; NULL}',
		rows => 0
	],
	[
		'a window in FILTER with grouping sets',
		'SELECT n, count(*) FILTER (WHERE {id; <12>; <13>}) FROM @parted WHERE {id; <10>; <15>} '
		  . 'GROUP BY ROLLUP (n)',
		rows => 0,
		cost => 1.2    # two filters
	],
	[ 'a column of USING', 'SELECT * FROM @parted e JOIN domains f USING (id) WHERE {id; <10>; <15>}' ],
	[
		'P2: rows since ANALYZE',
		q[SELECT * FROM grown_1 WHERE {id; now() - interval '4000 minutes'; NULL}],
		like_core => 1
	],
	[
		'P2: rows since ANALYZE, until',
		q[SELECT * FROM grown_1 WHERE {id; now() - interval '4000 minutes'; now() - interval '1000 minutes'}],
		like_core => 1
	],
	[ 'P2: a table that grew by updates', 'SELECT * FROM updated WHERE {id; <50>; NULL}' ],
	[
		'P2: a window of another version, of a table that has grown',
		q[SELECT * FROM grown_1 WHERE uuid_v8_between(id, <10>, <15>, 'iso8601')],
		hand => q[SELECT * FROM grown_1 WHERE id >= uuid_v8_min(<10>, 'iso8601') AND id < uuid_v8_min(<15>, ]
		  . q['iso8601')]
	],
	[
		'P2: a window of another version, since',
		q[SELECT * FROM grown_1 WHERE uuid_v6_between(id, <10>, NULL)],
		hand => q[SELECT * FROM grown_1 WHERE id >= uuid_v6_min(<10>)],
		cost => 2
	],    # a page
	[ 'P2: rows across ANALYZE', q[SELECT * FROM grown_1 WHERE {id; now() - interval '7000 minutes'; NULL}] ],
	[ 'before the first key, with others after it', q[SELECT * FROM among_others WHERE {id; NULL; <0>}] ],
	[
		'before the first key, twice',
		q[SELECT * FROM among_others t WHERE {t.id; NULL; <0>} AND {(t).id; NULL; <20>}]
	],
	[
		'P2: a join of rows since ANALYZE',
		q[SELECT * FROM grown_1 a JOIN grown_2 b USING (acct, at) ]
		  . q[WHERE {a.id; now() - interval '4900 minutes'; NULL} ]
		  . q[AND {b.id; now() - interval '4900 minutes'; NULL}],
		rows => 0
	]);

# 17 made MERGE return rows
push @shapes,
  [
	'MERGE',
	'MERGE INTO changed e USING (SELECT * FROM domains WHERE {id; <10>; <15>}) d ON e.id = d.id AND {e.id; '
	  . '<10>; <15>} WHEN MATCHED THEN UPDATE SET n = -e.n RETURNING e.n',
	cost => 0,
	rows => 0
  ]
  if $node->safe_psql('postgres', q{SELECT current_setting('server_version_num')::int >= 170000}) eq 't';

sub sql_literal
{
	return "'" . $_[0] =~ s/'/''/gr . "'";
}

# Are all scans and joins of a plan in another one?
sub is_part_of
{
	my ($nodes, $others) = @_;
	my %left;
	$left{$_}++ for split /; /, $others;
	return !grep { --$left{$_} < 0 } split /; /, $nodes;
}

# How far is an estimate from the truth?  As a factor, and in rows
sub distance
{
	my ($estimate, $truth) = map { $_ < 1 ? 1 : $_ } @_;
	return $estimate > $truth ? $estimate / $truth : $truth / $estimate;
}

my @cases;
my $third = 0;    # with --quick, of the other families
foreach my $family ($quick ? ('v7', 'RFC 9562', 'RFC 9562, operators', 'v6', 'v8') : sort keys %family)
{
	my $suffix = $family{$family}[3];
	foreach (
		  $suffix eq '' && !($quick && $family ne 'v7') ? (@common, @shapes)
		: $quick ? @common[ grep { $_ % 3 == $third } 0 .. $#common ]
		: @common)
	{
		my ($name, $query, %option) = @$_;
		my @query = (as_call($query, $family), by_hand($option{hand} // $query, $family));
		push @cases, {
			%option,
			name => "$family, $name",
			# two operators have two filters, and a bound at the border
			windows => scalar(() = $query =~ /\{/g) * ($family =~ /operators/ ? 3 : 1),
			query => \@query,
			sql => join '',
			map {
				'SELECT * FROM try('
				  . join(', ',
					map { sql_literal($_) } $_,
					$option{set} // '',
					$option{types} // '',
					dated($option{args} // ''))
				  . ");\n"
			} @query
		};
	}
	$third = ($third + 1) % 3;
}

my @lines = split /\n/, $node->safe_psql('postgres', join '', map { $_->{sql} } @cases);
is(scalar(@lines), 2 * @cases, 'all are planned and run');

my ($estimates, $costs) = (0, 0);
foreach my $case (@cases)
{
	my @field = qw(opened nodes estimate actual cost looked_at result);
	my (%window, %twin);
	@window{@field} = split /\|/, shift @lines;
	@twin{@field} = split /\|/, shift @lines;
	my @wrong;

	push @wrong, "results $window{result} and $twin{result}"
	  if $window{result} ne $twin{result};
	push @wrong, "$window{opened} tables opened, $twin{opened} by hand"
	  if $window{opened} > $twin{opened};
	push @wrong, "scans and joins: $window{nodes}\nby hand: $twin{nodes}"
	  if ($case->{nodes} // 1) && !is_part_of($window{nodes}, $twin{nodes});
	push @wrong, "$window{looked_at} rows looked at, $twin{looked_at} by hand"
	  if $window{looked_at} > 1.1 * $twin{looked_at} + 10;

	if ($case->{rows} // 1)
	{
		my $distance = distance($window{estimate}, $window{actual});

		$estimates++;
		push @wrong, "$window{estimate} rows estimated, $window{actual} are true, $twin{estimate} by hand"
		  if $distance > 2
		  && abs($window{estimate} - $window{actual}) > 20
		  && !($case->{like_core} && $distance < 1.02 * distance($twin{estimate}, $twin{actual}));
	}
	if (($case->{cost} // 1.1)
		&& (distance($twin{estimate}, $twin{actual}) <= 1.3
			|| ($case->{set} // '') =~ /generic/ && distance($window{estimate}, $twin{estimate}) < 1.02))
	{
		$costs++;
		# each window's filter costs as much as a comparison, for each row
		push @wrong, "costs $window{cost}, $twin{cost} by hand"
		  if $window{cost} >
		  ($case->{cost} // 1.1) * $twin{cost} + 0.0026 * $window{looked_at} * $case->{windows};
	}
	ok(!@wrong, $case->{name}) or diag(join "\n", @wrong, map { "$_;" } @{ $case->{query} });
}
cmp_ok($costs, '>', @cases / 2, 'costs of most are compared');
note("$estimates estimates, $costs costs");

# E5: how often the planner evaluates an end
$node->safe_psql('postgres', <<~'SQL');
	CREATE SEQUENCE calls;
	CREATE FUNCTION counted(at timestamptz) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
	BEGIN
		PERFORM nextval('calls');
		RETURN at;
	END $$;
	CREATE FUNCTION calls_of(statement text) RETURNS bigint LANGUAGE plpgsql AS $$
	DECLARE
		plan json;
		before bigint := nextval('calls');
	BEGIN
		EXECUTE 'EXPLAIN (FORMAT JSON) ' || statement INTO plan;
		RETURN nextval('calls') - before - 1;
	END $$;
	CREATE TABLE many (id uuid) PARTITION BY RANGE (id);
	DO $$ BEGIN
		FOR i IN 0 .. 99 LOOP
			EXECUTE format('CREATE TABLE many_%s PARTITION OF many FOR VALUES FROM (%L) TO (%L)', i,
				uuid_v7_min(timestamptz '2020-01-01' + i * interval '1 day'),
					uuid_v7_min(timestamptz '2020-01-02' + i * interval '1 day'));
		END LOOP;
	END $$;
	ANALYZE many;
	SQL
foreach (
	[ '100 partitions', q[SELECT * FROM many WHERE {id; counted('2020-01-05'); counted('2020-03-01')}] ],
	[ 'partitions, since', 'SELECT * FROM parted WHERE {id; counted(<20>); NULL}' ],
	[ 'a table', 'SELECT * FROM events WHERE {id; counted(<20>); counted(<30>)}' ],
	[
		'two windows',
		'SELECT * FROM events WHERE {id; counted(<20>); counted(<30>)} AND {id; counted(<25>); NULL}'
	],
	[
		'OR',
		'SELECT * FROM events WHERE {id; counted(<20>); counted(<30>)} OR {id; counted(<35>); counted(<40>)}'
	],
	[ 'a join', 'SELECT * FROM events e JOIN parted USING (n) WHERE {e.id; counted(<20>); counted(<30>)}' ])
{
	my ($name, $query) = @$_;
	my ($window, $twin) =
	  split /\n/,
	  $node->safe_psql(
		'postgres', join '',
		map { 'SELECT calls_of(' . sql_literal($_) . ');' } as_call($query, 'v7'),
		by_hand($query, 'v7'));
	cmp_ok($twin, '>', 0, "E5: $name: an end is evaluated");
	cmp_ok($window, '<=', $twin, "E5: $name: no oftener than by hand");
}

# and once when the query runs, not for each row
is( $node->safe_psql(
		'postgres', dated(<<~'SQL')
			SET enable_seqscan = off;
			SELECT setval('calls', 1);
			SELECT count(*) > 1000 FROM events WHERE uuid_v7_between(id, counted(<20>), counted(<30>));
			SELECT nextval('calls') < 20
			SQL
	),
	"1\nt\nt",
	'E5: ends are not evaluated for each row');

# W1: a generic plan gives what a custom plan does, and what a function gives that
# the planner knows nothing about: for any end and layout that is NULL.
$node->safe_psql('postgres', <<~'SQL');
	CREATE FUNCTION plain_between(uuid, timestamptz, timestamptz, text) RETURNS boolean
	AS '$libdir/uuidnew', 'uuid_v7_between' LANGUAGE C IMMUTABLE PARALLEL SAFE;
	CREATE FUNCTION plain_between(uuid, timestamptz, timestamptz) RETURNS boolean
	AS '$libdir/uuidnew', 'uuid_v7_between' LANGUAGE C IMMUTABLE PARALLEL SAFE;
	CREATE TABLE edges (id uuid) PARTITION BY RANGE (id);
	CREATE TABLE edges_1 PARTITION OF edges DEFAULT;
	INSERT INTO edges
	VALUES ('00000000-0000-0000-0000-000000000000'), ('ffffffff-ffff-ffff-ffff-ffffffffffff'),
		('ffffffff-ffff-7fff-bfff-ffffffffffff'), (gen_random_uuid()), (uuid_generate_v7_at('2026-01-01')),
			(NULL);
	SQL
my %edges;
foreach my $mode ('force_generic_plan', 'force_custom_plan', 'plain')
{
	my $function = $mode eq 'plain' ? 'plain_between' : 'uuid_v7_between';
	my @windows = (
		"$function(id, \$1, \$2, \$3)",
		"$function(id, \$1, \$2) AND \$3 IS NULL",
		"$function(id, \$1 + interval '1 day', \$2 - interval '1 day', \$3)",
		"$function(id, \$1 + interval '1 day', NULL, 'microsecond') AND \$2 IS NULL AND \$3 IS NULL");
	my $sql = $mode eq 'plain' ? '' : "SET plan_cache_mode = $mode;\n";
	my $n = 0;

	foreach my $window (@windows)
	{
		foreach my $condition ($window, "NOT ($window)", "($window) IS NULL", "($window) IS NOT TRUE")
		{
			$n++;
			$sql .=
				"PREPARE q$n(timestamptz, timestamptz, text) AS SELECT count(*), string_agg(left(id::text, "
			  . "8), ' ' ORDER BY id) FROM edges WHERE $condition;\n";
			foreach my $since ('NULL', q{'2025-01-01'}, q{'2027-01-01'})
			{
				foreach my $until ('NULL', q{'2025-02-01'}, q{'2027-02-01'})
				{
					$sql .= "EXECUTE q$n($since, $until, $_);\n" foreach 'NULL', q{'microsecond'};
				}
			}
		}
	}
	# random, but for its version
	$edges{$mode} = $node->safe_psql('postgres', <<~SQL);
		UPDATE edges SET id = '11111111-1111-4111-8111-111111111111' WHERE id::text LIKE '________-____-4%';
		$sql
		SQL
}
like($edges{plain}, qr/^6\|/m, 'W1: there are results');
is($edges{force_generic_plan}, $edges{plain}, 'W1: generic plans');
is($edges{force_custom_plan}, $edges{plain}, 'W1: custom plans');

# The filter of a window is evaluated after bounds that are constants, and where no index
# finds these.
sub plan_of
{
	my ($settings, $query) = @_;
	return $node->safe_psql('postgres', dated("$settings; EXPLAIN (COSTS OFF) $query"));
}
my %scan = (
	'a sequential scan' =>
	  'SET enable_indexscan = off; SET enable_bitmapscan = off; SET enable_indexonlyscan = off',
	'an index scan' => 'SET enable_seqscan = off; SET enable_bitmapscan = off',
	'a bitmap scan' => 'SET enable_seqscan = off; SET enable_indexscan = off; SET enable_indexonlyscan = off'
);
my $filter = qr/uuid_v7_between\(id, '-infinity'[^()]*, 'infinity'[^()]*\)/;
foreach my $scan (sort keys %scan)
{
	foreach my $window ('uuid_v7_between(id, <10>, <20>)', q{uuid_v7_between(id, NULL, <10>, 'DRAFT')})
	{
		my $plan = plan_of($scan{$scan}, "SELECT * FROM events WHERE $window");

		like(
			$plan,
			$scan eq 'a sequential scan'
			? qr/Filter: \(\(id >= [^()]*\) AND \(id < [^()]*\) AND $filter\)/
			: qr/Index Cond: \(\(id >= [^()]*\) AND \(id < [^()]*\)\)/,
			"$scan: the bounds of $window");
		like($plan, qr/Filter: \(*$filter/, "$scan: the filter") if $scan ne 'a sequential scan';
	}
}
# The same expression for all: by a partial index, and whatever name the layout has
is( plan_of(
		$scan{'an index scan'}, q{SELECT * FROM events WHERE uuid_v7_between(id, <10>, now(), 'Microsecond')}
	),
	plan_of($scan{'an index scan'}, q{SELECT * FROM events WHERE uuid_v7_between(id, <10>, now())}),
	'a layout that is known is left out');
like(
	plan_of(
		"CREATE INDEX n_early ON events (n) WHERE uuid_v7_between(id, <5>, <15>); $scan{'an index scan'}",
		q{SELECT * FROM events WHERE n = 5 AND uuid_v7_between(id, <10>, <11>, 'draft')}),
	qr/Index Scan using n_early/,
	'a partial index of a window that the window is in');
$node->safe_psql('postgres', 'DROP INDEX n_early');

# What cannot stand in a query three times keeps the call as it is.
foreach my $key ('volatile_key(id)', '(SELECT id)', 'nullif(id, (SELECT max(id) FROM late))', 'dear_key(id)')
{
	my $sql = <<~SQL;
		CREATE OR REPLACE FUNCTION volatile_key(uuid) RETURNS uuid
			LANGUAGE plpgsql VOLATILE AS 'BEGIN RETURN \$1; END';
		CREATE OR REPLACE FUNCTION dear_key(uuid) RETURNS uuid
			LANGUAGE plpgsql IMMUTABLE COST 1000 AS 'BEGIN RETURN \$1; END'
		SQL
	$sql =~ s/max\(id\)/max(id::text)::uuid/;

	like(
		plan_of(
			$sql,
			"SELECT * FROM events WHERE uuid_v7_between(${\ $key =~ s/max\(id\)/max(id::text)::uuid/r}, "
			  . "<10>, <15>)"),
		qr/Filter: uuid_v7_between\(.*, '[^']*[0-9]/,
		"a window of $key stays as it is");
}

# W2: a constraint that is younger than the snapshot says nothing of rows that
# were deleted before it was added.
{
	my $connection = $node->connstr;
	my $other =
		q{DELETE FROM younger WHERE id::text LIKE '________-____-4%'; }
	  . q{ALTER TABLE younger ADD CHECK (uuid_v7_layout(id) = 'draft')};
	my $bound = $node->safe_psql('postgres', <<~'SQL');
		SELECT left(uuid_v7_min('2026-01-02')::text, 13) || '-4000-8000-000000000000'
		SQL
	my $count = q{SELECT count(*) FROM younger WHERE uuid_v7_between(id, '2026-01-01', '2026-01-03');};

	$node->safe_psql('postgres', <<~SQL);
		CREATE TABLE younger (id uuid PRIMARY KEY);
		INSERT INTO younger SELECT uuid_generate_v7_at(at)
		FROM generate_series(timestamptz '2025-12-20', '2026-01-20', '1 hour') at;
		INSERT INTO younger VALUES ('$bound');
		ANALYZE younger
		SQL
	is( $node->safe_psql('postgres', <<~SQL)
		SET enable_seqscan = off;
		SET enable_bitmapscan = off;
		BEGIN ISOLATION LEVEL REPEATABLE READ;
		SELECT 1;
		\\! psql -Xq -d "$connection dbname=postgres" -c "$other"
		SELECT count(*) FROM younger WHERE id = '$bound';
		$count
		SET LOCAL enable_indexonlyscan = off;
		$count
		SET LOCAL enable_bitmapscan = on;
		SET LOCAL enable_indexscan = off;
		$count
		SET LOCAL enable_seqscan = on;
		SET LOCAL enable_bitmapscan = off;
		$count
		SELECT count(*) FROM younger WHERE NOT uuid_v7_between(id, '2026-01-01', '2026-01-03');
		COMMIT;
		$count
		SELECT count(*) FROM younger WHERE id = '$bound'
		SQL
		, "1\n1\n48\n48\n48\n48\n698\n48\n0",
		'W2: a constraint younger than the snapshot');

	# a sub-select's table, at the same place as the one with a constraint
	is( $node->safe_psql('postgres', <<~SQL),
		CREATE TABLE strangers (id uuid, n int);
		INSERT INTO strangers VALUES ('$bound', 1);
		CREATE TABLE friends (id uuid CHECK (uuid_v7_layout(id) = 'draft'), n int);
		INSERT INTO friends SELECT uuid_generate_v7_at('2025-01-01'), 1
		FROM generate_series(1, 1000);
		ANALYZE strangers, friends;
		SELECT count(*) FROM friends f WHERE NOT uuid_v7_between(f.id, '2026-01-01', NULL)
			AND EXISTS (SELECT FROM strangers s
				WHERE s.n = f.n AND NOT uuid_v7_between(s.id, '2026-01-01', '2026-01-03'));
		SELECT count(*) FROM friends f WHERE NOT uuid_v7_between(f.id, '2026-01-01', NULL)
			AND (f.n > 1
				OR EXISTS (SELECT FROM strangers s
					WHERE s.n = f.n AND NOT uuid_v7_between(s.id, '2026-01-01', '2026-01-03')));
		CREATE VIEW no_friends AS SELECT * FROM friends f
			WHERE NOT uuid_v7_between(f.id, '2026-01-01', NULL)
			AND (f.n > 1
				OR EXISTS (SELECT FROM strangers s
					WHERE s.n = f.n AND NOT uuid_v7_between((s).id, '2026-01-01', '2026-01-03')));
		SELECT count(*) FROM no_friends
		SQL
		"1000\n1000\n1000", 'the constraint of another table');

	# the same place in the text of a function, too
	my $outer =
		q{SELECT bool_and(old) FROM friends f, everybody() a(n, old) WHERE NOT uuid_v7_between(f.id, NULL, }
	  . q{NULL) OR f.n = 1};
	my $inner = <<~'SQL';
		SELECT d.n,
			EXISTS (SELECT FROM strangers s
				WHERE NOT uuid_v7_between(s.id, '2026-01-01', '2026-01-03') AND s.n = d.n)
		FROM friends d UNION ALL SELECT 0, true FROM friends
		SQL
	my $spaces = ' ' x (index($outer, 'f.id') - index($inner, 's.id'));
	is( $node->safe_psql('postgres',
			<<~SQL), 't', 'the constraint of a table in the query that calls a function');
				CREATE FUNCTION everybody() RETURNS TABLE (n int, old boolean)
					LANGUAGE sql STABLE AS \$\$$spaces$inner\$\$;
				$outer
				SQL

	# a partition that comes later, with a constraint that does
	my $attach =
		qq{DELETE FROM later WHERE id = '$bound'; }
	  . qq{ALTER TABLE later ADD CONSTRAINT guard CHECK (uuid_v7_layout(id) = 'draft'); }
	  . qq{ALTER TABLE older ATTACH PARTITION later DEFAULT};
	is( $node->safe_psql('postgres', <<~SQL),
		CREATE TABLE older (id uuid CONSTRAINT guard
			CHECK (uuid_v7_layout(id) = 'draft')) PARTITION BY RANGE (id);
		CREATE TABLE later (id uuid);
		INSERT INTO later VALUES ('$bound'), (uuid_generate_v7_at('2026-01-02'));
		BEGIN ISOLATION LEVEL REPEATABLE READ;
		SELECT 1;
		\\! psql -Xq -d "$connection dbname=postgres" -c "$attach"
		SELECT count(*), count(*) FILTER (WHERE id = '$bound') FROM older
		WHERE NOT uuid_v7_between(id, '2026-01-01', '2026-01-03');
		COMMIT;
		SELECT count(*) FROM older WHERE NOT uuid_v7_between(id, '2026-01-01', '2026-01-03')
		SQL
		"1\n1|1\n0",
		'W2: a partition younger than the snapshot');

}

# What a constraint says is remembered, until it changes.
{
	my $try =
	  q{SELECT outcome($$SELECT * FROM guarded WHERE uuidv7_between(id, '2026-01-01', '2026-01-03')$$);};
	my $refused = <<~'SQL';
		DO $$ BEGIN PERFORM * FROM guarded WHERE uuidv7_between(id, '2026-01-01', '2026-01-03');
			RAISE 'not refused';
		EXCEPTION WHEN invalid_parameter_value THEN NULL; END $$;
		SQL
	my $guard = q{CONSTRAINT guard CHECK (uuid_v7_layout(id) = 'draft')};
	my @steps = (
		[ 0, '' ],
		[ 1, "ALTER TABLE guarded ADD $guard;$refused" ],
		[ 0, 'BEGIN; ALTER TABLE guarded DROP CONSTRAINT guard;' ],
		[ 1, 'ROLLBACK;' ],
		[ 0, 'BEGIN; SAVEPOINT s; ALTER TABLE guarded DROP CONSTRAINT guard;' ],
		[ 1, "ROLLBACK TO s;$refused" ],
		[ 0, "COMMIT; ALTER TABLE guarded DROP CONSTRAINT guard; ALTER TABLE guarded ADD $guard NOT VALID;" ],
		[ 1, 'ALTER TABLE guarded VALIDATE CONSTRAINT guard;' ],
		[ 0, 'ALTER TABLE guarded RENAME id TO old; ALTER TABLE guarded RENAME other TO id;' ],
		[ 1, 'ALTER TABLE guarded RENAME id TO other; ALTER TABLE guarded RENAME old TO id;' ],
		[ 0, 'ALTER TABLE guarded RENAME TO gone; CREATE TABLE guarded (LIKE gone INCLUDING INDEXES);' ],
		[ 1, 'DROP TABLE guarded; ALTER TABLE gone RENAME TO guarded;' ],
		[
			0,
			'\\! psql -Xq -d "'
			  . $node->connstr
			  . ' dbname=postgres" -c "ALTER TABLE guarded DROP CONSTRAINT guard"' . "\n"
		]);
	my $outcomes = $node->safe_psql('postgres', <<~'SQL' . join('', map { $_->[1] . $try x 2 } @steps));
		CREATE TABLE guarded (id uuid PRIMARY KEY, other uuid UNIQUE);
		CREATE FUNCTION outcome(query text) RETURNS int LANGUAGE plpgsql AS $f$
		BEGIN EXECUTE query; RETURN 0; EXCEPTION WHEN invalid_parameter_value THEN RETURN 1; END $f$;
		SQL

	is( $outcomes =~ s/\n/ /gr,
		join(' ', map { ($_->[0]) x 2 } @steps),
		'what a constraint says is remembered until it changes');
}

# What is grouped by is NULL in the rows of other grouping sets: a window that comes out
# of an SQL function, and an end that is never NULL elsewhere
foreach my $function ('plain_between', 'uuid_v7_between')
{
	is( $node->safe_psql('postgres', <<~SQL),
		CREATE OR REPLACE FUNCTION is_inside(uuid) RETURNS boolean
			LANGUAGE sql IMMUTABLE AS \$\$SELECT $function(\$1, '2026-01-02', '2026-01-03')\$\$;
		CREATE TEMP TABLE grouped AS SELECT uuid_generate_v7_at(at) AS id
			FROM generate_series(timestamptz '2026-01-01', '2026-01-03', '1 hour') at;
		SELECT is_inside(id), count(*) FROM grouped WHERE $function(id, '2026-01-01', NULL)
		GROUP BY ROLLUP (1) HAVING is_inside(id) IS NULL;
		SELECT count(*)
		FROM (SELECT id, now(), count(*) FROM grouped WHERE $function(id, '2026-01-02', NULL)
			GROUP BY GROUPING SETS ((id, now()), (id)) HAVING $function(id, NULL, now())) x
		SQL
		"|49\n50", "grouping sets, with $function");
}

# W4: a plan is used by another role, whose rights are others.  No statement fails for a
# function that it does not name, and none runs without the right to one that it names.
$node->safe_psql('postgres', <<~'SQL');
	CREATE TABLE shared_keys (id uuid PRIMARY KEY, n int);
	INSERT INTO shared_keys SELECT uuidv7_at(timestamptz '2026-01-01' + n * interval '1 day'), n
	FROM generate_series(1, 9) n;
	CREATE ROLE other_reader;
	GRANT SELECT ON shared_keys TO reader, other_reader;
	SQL
foreach my $mode ('force_generic_plan', 'auto')
{
	foreach my $window (
		'uuidv7_between(id, $1, NULL)',
		'uuidv7_from(id, $1)',
		q{uuid_v7_between(id, $1, NULL, 'rfc9562')})
	{
		my ($name) = $window =~ /^(\w+)/;
		my $execute = q{EXECUTE q('2026-01-05');};
		my $all_types = '(uuid, timestamptz, timestamptz, text)';

		is( $node->safe_psql(
				'postgres', <<~SQL =~ s/GRANT EXECUTE ON FUNCTION uuid_v7_between\K/$all_types/r),
					BEGIN;
					SET LOCAL plan_cache_mode = $mode;
					REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA public FROM PUBLIC;
					GRANT EXECUTE ON FUNCTION $name TO reader;
					PREPARE q(timestamptz) AS SELECT count(*) FROM shared_keys WHERE $window;
					${\ ($execute x 7)}
					SET ROLE reader;
					$execute
					RESET ROLE;
					$execute
					ROLLBACK;
					DEALLOCATE q
					SQL
			join("\n", (6) x 9),
			"W4: $mode: $window is planned for each role");
		my ($status, $stdout, $stderr) = $node->psql('postgres', <<~SQL, on_error_stop => 0);
			BEGIN;
			SET LOCAL plan_cache_mode = $mode;
			REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA public FROM PUBLIC;
			PREPARE q(timestamptz) AS SELECT count(*) FROM shared_keys WHERE $window;
			${\ ($execute x 7)}
			SET ROLE other_reader;
			$execute
			SQL
		like(
			$stderr,
			qr/ERROR:  permission denied for function $name$/m,
			'... and refused where the role may not call it');
	}
}

# W3: a window in a unique index is found by ON CONFLICT
foreach ([ 'table', '' ], [ 'partitioned table', 'PARTITION BY LIST (k)' ])
{
	my ($kind, $by) = @$_;
	my $table = $kind =~ s/ /_/r;

	is( $node->safe_psql('postgres', <<~SQL),
		CREATE TABLE unique_$table (k int, id uuid, n int) $by;
		${\ ($by ? "CREATE TABLE unique_1 PARTITION OF unique_$table FOR
			VALUES IN (1); CREATE TABLE unique_2 PARTITION OF unique_$table DEFAULT;" : '')}
		CREATE UNIQUE INDEX ON unique_$table (k, uuid_v7_between(id, '2026-01-01', NULL));
		INSERT INTO unique_$table SELECT i % 3, uuid_generate_v7_at('2026-02-01'), i
		FROM generate_series(1, 9) i
		ON CONFLICT (k, uuid_v7_between(id, '2026-01-01', NULL)) DO NOTHING;
		INSERT INTO unique_$table SELECT i % 3, uuid_generate_v7_at('2025-02-01'), i
		FROM generate_series(1, 3) i
		ON CONFLICT (k, uuid_v7_between(id, '2026-01-01', NULL)) DO UPDATE SET n = -1
			WHERE uuid_v7_between(excluded.id, '2025-01-01', NULL);
		INSERT INTO unique_$table SELECT i % 3, uuid_generate_v7_at('2025-02-01'), i
		FROM generate_series(1, 2) i
		ON CONFLICT (k, uuid_v7_between(id, '2026-01-01', NULL)) DO UPDATE SET n = -1
			WHERE uuid_v7_between(excluded.id, '2025-01-01', NULL);
		-- a call with an expression, which might become the arbiter's column
		INSERT INTO unique_$table SELECT k, id
		FROM (SELECT i % 3 AS k, uuid_generate_v7_at('2026-02-01') AS id
			FROM generate_series(1, 3) i OFFSET 0) keys
		WHERE uuid_v7_between(coalesce(id, id), '2026-01-01', NULL)
		ON CONFLICT (k, uuid_v7_between(id, '2026-01-01', NULL)) DO NOTHING;
		-- an arbiter that comes out of an SQL function
		CREATE OR REPLACE FUNCTION is_late(uuid) RETURNS boolean
			LANGUAGE sql IMMUTABLE AS \$\$SELECT public.uuid_v7_between(\$1, '2026-01-02',
				NULL)\$\$;
		CREATE UNIQUE INDEX ON unique_$table (k, is_late(id));
		INSERT INTO unique_$table SELECT k, id
		FROM (SELECT i % 3 AS k, uuid_generate_v7_at('2026-02-01') AS id
			FROM generate_series(1, 3) i OFFSET 0) keys
		WHERE uuid_v7_between(coalesce(id, id), '2026-01-01', NULL) ON CONFLICT (k,
			is_late(id)) DO NOTHING;
		SELECT count(*), count(*) FILTER (WHERE n = -1) FROM unique_$table
		SQL
		'6|2',
		"W3: ON CONFLICT, $kind");
}

$node->stop;
done_testing();
