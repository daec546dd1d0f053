# A CHECK that says which layout of version 7 a table's keys have: a query that
# reads them as the other is refused when it is planned, in whatever shape it
# comes, and no other query is.  Without a CHECK, an open end finds no key of the other.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Session;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', <<~'CONF');
	autovacuum = off
	jit = off
	timezone = 'UTC'
	CONF
$node->start;
my $version = $node->safe_psql('postgres', 'SHOW server_version_num');
my $has_assertions = $node->safe_psql('postgres', 'SHOW debug_assertions') eq 'on';
my $has_fdw =
  $node->safe_psql('postgres', q{SELECT count(*) FROM pg_available_extensions WHERE name = 'postgres_fdw'});

# The same tables twice: in schema rfc9562 with keys of RFC 9562, in schema draft
# with the draft's.  Rows 1 to 10 are older than 90 days, 11 to 20 are not.
my %world = (
	rfc9562 => {
		make => 'uuidv7_at(ts)',
		min => 'uuidv7_min',
		window => 'uuidv7_between(%s, %s)',
		reader => 'uuidv7_timestamp(%s)',
		also => [ [ q{uuid_v7_between(%s, %s, 'RFC9562')}, q{uuid_v7_timestamp(%s, 'rfc9562')} ] ],
		# window, reader, hint
		wrong => [
			[ 'uuid_v7_between(%s, %s)', 'uuid_v7_timestamp(%s)', 'uuidv7_%s()' ],
			[ q{uuid_v7_between(%s, %s, 'Draft')}, q{uuid_v7_timestamp(%s, 'nanosecond')}, 'uuidv7_%s()' ]
		],
		plain => 'public.plain_uuidv7_between(%s, %s)'
	},
	draft => {
		make => 'uuid_generate_v7_at(ts)',
		min => 'uuid_v7_min',
		window => 'uuid_v7_between(%s, %s)',
		reader => 'uuid_v7_timestamp(%s)',
		also => [ [ q{uuid_v7_between(%s, %s, 'millisecond')}, q{uuid_v7_timestamp(%s, 'DRAFT')} ] ],
		wrong => [
			[ 'uuidv7_between(%s, %s)', 'uuidv7_timestamp(%s)', 'uuid_v7_%s()' ],
			[
				q{uuid_v7_between(%s, %s, 'rfc9562')},
				q{uuid_v7_timestamp(%s, 'RFC9562')},
				'uuid_v7_%s() without that layout'
			]
		],
		plain => 'public.plain_uuid_v7_between(%s, %s)'
	});

$node->safe_psql('postgres', <<~'SQL');
	CREATE EXTENSION uuidnew;
	CREATE FUNCTION plain_uuid_v7_between(uuid, timestamptz, timestamptz) RETURNS boolean
	AS '$libdir/uuidnew', 'uuid_v7_between' LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE;
	CREATE FUNCTION plain_uuidv7_between(uuid, timestamptz, timestamptz) RETURNS boolean
	AS '$libdir/uuidnew', 'uuidv7_between' LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE;
	CREATE ROLE reader;

	-- What a statement, or several, comes to: first column of the first row and number of
	-- rows of the last, or what the error says.  Nothing of it stays.
	CREATE TYPE outcome AS (state text, message text, detail text, hint text);
	CREATE FUNCTION outcome(path text, role text, statements text) RETURNS outcome
		LANGUAGE plpgsql AS $$
	DECLARE
		result outcome;
		value text;
		n int;
	BEGIN
		PERFORM set_config('search_path', path || ', public', false);
		BEGIN
			PERFORM set_config('role', role, true);
			BEGIN
				EXECUTE statements INTO value;
				GET DIAGNOSTICS n = ROW_COUNT;
			EXCEPTION WHEN syntax_error THEN
				IF SQLERRM !~ '^INTO used' THEN
					RAISE;
				END IF;
				EXECUTE statements;
				GET DIAGNOSTICS n = ROW_COUNT;
			END;
			RAISE EXCEPTION USING ERRCODE = 'UND0N', MESSAGE = coalesce(value, '') || '/' || n;
		EXCEPTION WHEN OTHERS THEN
			GET STACKED DIAGNOSTICS result.state = RETURNED_SQLSTATE, result.message = MESSAGE_TEXT,
				result.detail = PG_EXCEPTION_DETAIL, result.hint = PG_EXCEPTION_HINT;
		END;
		PERFORM set_config('search_path', 'public', false);
		RETURN result;
	END $$;
	SQL

foreach my $layout (sort keys %world)
{
	my $w = $world{$layout};
	my $guard = "CHECK (uuid_v7_layout(id) = '$layout')";
	my $min = $w->{min};

	$node->safe_psql('postgres', <<~SQL);
		CREATE SCHEMA $layout;
		SET search_path = $layout, public;
		CREATE TABLE source AS
		SELECT n, $w->{make} AS id
		FROM (SELECT n, now() - interval '100 days' + CASE WHEN n > 10 THEN interval '95 days'
			ELSE interval '0' END + n * interval '1 hour' AS ts
			  FROM generate_series(1, 20) n) t;
		CREATE TABLE keep (k int, cutoff timestamptz);
		INSERT INTO keep VALUES (1, now() - interval '90 days'), (2, now() - interval '90 days');
		CREATE TABLE others (id uuid, n int);
		INSERT INTO others SELECT id, n FROM source WHERE n % 2 = 0;

		CREATE TABLE plain (id uuid PRIMARY KEY $guard, n int);
		-- another column number than in the others, and a constraint that comes before
		CREATE TABLE moved (a int, b uuid, n int CHECK (n > 0), id uuid $guard);
		ALTER TABLE moved DROP a, DROP b;
		CREATE TABLE tested (n int, id uuid);
		CREATE TABLE parted (id uuid PRIMARY KEY $guard, n int) PARTITION BY RANGE (id);
		CREATE TABLE parted_1 PARTITION OF parted
			FOR VALUES FROM (MINVALUE) TO ($min(now() - interval '30 days'));
		CREATE TABLE parted_2 PARTITION OF parted
			FOR VALUES FROM ($min(now() - interval '30 days')) TO (MAXVALUE);
		-- a guard on one partition alone, whose columns are in another order
		CREATE TABLE half (n int, id uuid) PARTITION BY RANGE (n);
		CREATE TABLE half_1 (x int, id uuid $guard, n int);
		ALTER TABLE half_1 DROP x;
		ALTER TABLE half ATTACH PARTITION half_1 FOR VALUES FROM (0) TO (15);
		CREATE TABLE half_2 PARTITION OF half FOR VALUES FROM (15) TO (100);
		CREATE TABLE parent (id uuid $guard, n int);
		CREATE TABLE child (more text) INHERITS (parent);
		CREATE DOMAIN key AS uuid;
		CREATE TABLE of_domain (n int, id key $guard);
		CREATE TABLE secured (id uuid $guard, n int);
		ALTER TABLE secured ENABLE ROW LEVEL SECURITY;
		CREATE POLICY visible ON secured USING (n <> 7);
		INSERT INTO plain SELECT id, n FROM source;
		INSERT INTO moved SELECT n, id FROM source;
		INSERT INTO tested SELECT n, id FROM source;
		INSERT INTO parted SELECT id, n FROM source;
		INSERT INTO half SELECT n, id FROM source;
		INSERT INTO parent SELECT id, n FROM source WHERE n % 2 = 0;
		INSERT INTO child SELECT id, n FROM source WHERE n % 2 = 1;
		INSERT INTO of_domain SELECT n, id FROM source;
		INSERT INTO secured SELECT id, n FROM source;
		CREATE VIEW a_view AS SELECT * FROM plain;
		CREATE VIEW nested AS SELECT n, id AS id FROM a_view WHERE n <> 5;
		CREATE VIEW barrier WITH (security_barrier) AS SELECT * FROM plain;
		CREATE VIEW limited AS SELECT id, n FROM plain ORDER BY n LIMIT 15;
		CREATE VIEW distinct_keys AS SELECT DISTINCT id, n FROM plain;
		CREATE VIEW grouped AS SELECT id, count(*) AS n FROM plain GROUP BY id;
		CREATE VIEW numbered AS SELECT id, row_number() OVER (ORDER BY n) AS n FROM plain;
		CREATE VIEW offset_zero AS SELECT id, n FROM nested OFFSET 0;
		CREATE VIEW united AS SELECT id, n FROM plain UNION ALL SELECT id, n FROM moved;
		CREATE VIEW united_once AS SELECT id, n FROM plain UNION SELECT id, n FROM others;
		CREATE VIEW without AS SELECT id, n FROM plain EXCEPT SELECT id, n FROM others;
		CREATE VIEW common AS SELECT id, n FROM others INTERSECT SELECT id, n FROM plain;
		CREATE VIEW common_to AS SELECT id, n FROM plain INTERSECT SELECT id, n FROM others;
		CREATE VIEW joined AS SELECT plain.id, o.n FROM others o LEFT JOIN plain ON plain.n = o.n;
		CREATE VIEW merged AS SELECT id, p.n FROM plain p LEFT JOIN others o USING (id);
		CREATE VIEW full_merged AS SELECT id, p.n FROM others o FULL JOIN plain p USING (id);
		CREATE VIEW full_barrier AS SELECT id, p.n FROM others o FULL JOIN plain p USING (id) OFFSET 0;
		CREATE MATERIALIZED VIEW kept AS SELECT * FROM plain;
		GRANT USAGE ON SCHEMA $layout TO reader;
		GRANT ALL ON ALL TABLES IN SCHEMA $layout TO reader;
		ANALYZE;
		SQL

	# a guard among others, in other words
	my $is = $layout eq 'draft' ? 'uuid_v7_is' : 'uuidv7_is';
	$node->safe_psql('postgres', "ALTER TABLE $layout.tested ADD CHECK ($is(id) AND n > 0)");
	next if !$has_fdw;
	$node->safe_psql('postgres', <<~SQL);
		CREATE EXTENSION IF NOT EXISTS postgres_fdw SCHEMA public;
		SET search_path = $layout, public;
		CREATE SERVER ${layout}_server FOREIGN DATA WRAPPER postgres_fdw
			OPTIONS (host '@{[ $node->host ]}', port '@{[ $node->port ]}', dbname 'postgres');
		CREATE USER MAPPING FOR PUBLIC SERVER ${layout}_server
			OPTIONS (user '@{[ $node->safe_psql('postgres', 'SELECT current_user') ]}');
		CREATE FOREIGN TABLE elsewhere (id uuid $guard,
			n int) SERVER ${layout}_server OPTIONS (schema_name '$layout', table_name 'plain');
		SQL
}

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
	"DELETE FROM plain WHERE ctid = ANY (ARRAY(SELECT ctid FROM plain WHERE W{id} ORDER BY n LIMIT 5))",
	"DELETE FROM plain WHERE id IN (SELECT id FROM plain WHERE W{id} FOR UPDATE SKIP LOCKED)",
	"DELETE FROM plain USING (SELECT id AS old FROM plain) x WHERE id = old AND W{old}",
	"DELETE FROM plain WHERE (SELECT W{plain.id} FROM keep WHERE k = 1)",
	"DELETE FROM plain WHERE EXISTS (SELECT FROM keep WHERE T{plain.id} < cutoff)",
	"DELETE FROM plain WHERE EXISTS (SELECT FROM keep WHERE T{plain.id} < cutoff OFFSET 0)",
	"DELETE FROM plain WHERE NOT EXISTS (SELECT FROM keep WHERE T{plain.id} >= cutoff)",
	"DELETE FROM plain p WHERE n IN (SELECT p.n FROM keep WHERE T{p.id} < cutoff OFFSET 0)",
	"DELETE FROM plain p WHERE EXISTS (SELECT FROM keep a WHERE EXISTS (SELECT FROM keep b WHERE b.k = a.k "
	  . "AND T{p.id} < b.cutoff OFFSET 0) OFFSET 0)",
	"DELETE FROM ONLY parent WHERE W{id}",
	"COPY (SELECT n FROM plain WHERE W{id}) TO '/dev/null'",
	"CREATE TABLE copied AS SELECT n FROM plain WHERE W{id}",
	"DELETE FROM plain WHERE W{id} OR n < 0",
	"DELETE FROM plain WHERE CASE WHEN n > 0 THEN W{id} ELSE false END",
	"DELETE FROM plain WHERE COALESCE(W{id}, false)",
	"DELETE FROM plain WHERE W{id} IS NOT FALSE",
	"DELETE FROM plain WHERE (W{id}) = (n = n)",
	"DELETE FROM plain WHERE GREATEST(T{id}, '-infinity') < $old",
	"DELETE FROM plain WHERE date_trunc('day', T{id}) < $old",
	"DELETE FROM plain WHERE extract(epoch FROM T{id}) < extract(epoch FROM $old)",
	"SELECT n FROM plain GROUP BY id, n HAVING W{id} ORDER BY n",
	"SELECT count(*) FROM plain GROUP BY id HAVING T{id} < $old AND count(*) > 0",
	"SELECT sum(n) OVER (ORDER BY T{id}) AS s FROM plain ORDER BY s LIMIT 1",
	"SELECT count(*) FROM plain GROUP BY GROUPING SETS ((id), ()) HAVING W{id} OR id IS NULL",
	"EXPLAIN (COSTS OFF) SELECT n FROM plain WHERE W{id}",
	"EXPLAIN (COSTS OFF) DELETE FROM plain WHERE W{id}",

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
	"SELECT count(*) FROM plain NATURAL JOIN others WHERE W{id}",
	"SELECT count(*) FROM plain NATURAL FULL JOIN others WHERE W{id}",
	"SELECT count(*) FROM keep, LATERAL (SELECT id FROM plain WHERE n = k OFFSET 0) s WHERE W{id}",
	"SELECT count(*) FROM plain, LATERAL (SELECT plain.id AS k OFFSET 0) s WHERE W{s.k}",
	"SELECT count(*) FROM plain, LATERAL (SELECT T{plain.id} AS k OFFSET 0) s WHERE k IS NOT NULL",
	"SELECT count(*) FROM keep LEFT JOIN plain ON true LEFT JOIN LATERAL (SELECT plain.id AS k "
	  . "FROM keep) s ON true WHERE W{s.k}",
	"SELECT count(*) FROM plain, LATERAL (SELECT x FROM (SELECT plain.id AS x OFFSET 0) y OFFSET 0) s "
	  . "WHERE W{s.x}",
	"SELECT count(*) FROM (SELECT id FROM plain LIMIT 20) s WHERE W{id}",
	"SELECT (SELECT count(*) FROM plain WHERE W{id}) FROM keep",
	"SELECT count(*) FROM keep WHERE (SELECT W{id} FROM plain WHERE n = k)",
	"SELECT count(*) FROM keep WHERE k NOT IN (SELECT n FROM plain WHERE W{id})",
	"SELECT count(*) FROM keep WHERE k = ANY (SELECT n FROM plain WHERE W{id})",
	"SELECT count(*) FROM keep WHERE NOT EXISTS (SELECT FROM plain WHERE W{id} AND n = k)",
	"SELECT count(*) FROM keep WHERE NOT EXISTS (SELECT FROM plain WHERE W{id} AND n > k) OR k = 1",
	"SELECT count(*) FROM others WHERE EXISTS (SELECT FROM plain WHERE plain.n = others.n AND W{plain.id}) "
	  . "OR n = 1",
	"SELECT count(*) FROM (VALUES (1)) v(x) WHERE EXISTS (SELECT FROM (SELECT id FROM plain OFFSET 0) s "
	  . "WHERE W{id})",

	# all fields, by the function beside the reader
	"SELECT count((F{id}).sequence) FROM plain",
	"SELECT count(*) FROM plain WHERE (F{id}).timestamp < $old",
	"SELECT count(f.node) FROM plain, F{id} f",
	"SELECT count(f.node) FROM parted, LATERAL F{id} f WHERE f.timestamp < $old",
	"DELETE FROM plain WHERE EXISTS (SELECT FROM F{id} f WHERE f.timestamp < $old)",

	# set operations and CTEs
	"SELECT id FROM plain WHERE W{id} UNION ALL SELECT id FROM others",
	"SELECT count(*) FROM (SELECT T{id} AS ts FROM plain UNION ALL SELECT cutoff FROM keep) s "
	  . "WHERE ts < now()",
	"SELECT count(*) FROM (SELECT id, EXISTS (SELECT FROM plain y WHERE y.n = o.n AND W{y.id}) AS old "
	  . "FROM others o UNION ALL SELECT id, true FROM others) s WHERE old",
	"WITH t AS MATERIALIZED (SELECT * FROM plain) SELECT count(*) FROM t WHERE W{id}",
	"WITH t AS NOT MATERIALIZED (SELECT * FROM plain) SELECT count(*) FROM t a, t b WHERE W{a.id}",
	"WITH t AS MATERIALIZED (SELECT id FROM plain), u AS MATERIALIZED (SELECT id AS k FROM t) "
	  . "SELECT count(T{k}) FROM u",
	"WITH t AS MATERIALIZED (SELECT id FROM plain) SELECT (SELECT count(*) FROM t WHERE W{id})",
	"WITH t AS MATERIALIZED (SELECT id FROM plain) SELECT count(*) FROM (SELECT id FROM t LIMIT 30) s "
	  . "WHERE W{id}",
	"WITH t AS MATERIALIZED (SELECT id FROM plain) SELECT count(*) FROM keep, "
	  . "LATERAL (WITH u AS MATERIALIZED (SELECT id FROM t) SELECT id FROM u OFFSET k - k) s WHERE W{id}",
	"WITH RECURSIVE t AS (SELECT id, 1 AS i FROM plain UNION ALL SELECT id, i + 1 FROM t WHERE i < 3) "
	  . "SELECT count(*) FROM t WHERE W{id}",
	"WITH RECURSIVE t AS (SELECT id, 1 AS i FROM others UNION ALL SELECT plain.id, i + 1 FROM t, plain "
	  . "WHERE i < 2) SELECT count(*) FROM t WHERE W{id}",
	"WITH RECURSIVE t AS (SELECT id, 1 AS i FROM plain UNION ALL SELECT id, i + 1 FROM t WHERE i < 3 "
	  . "AND W{id}) SELECT count(*) FROM t",

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
	"CREATE FUNCTION f() RETURNS bigint LANGUAGE plpgsql AS \$\$DECLARE r record; n bigint := 0; "
	  . "BEGIN FOR r IN SELECT id FROM plain WHERE T{id} < $old LOOP n := n + 1; END LOOP; RETURN n; "
	  . "END\$\$; SELECT f()",
	"CREATE FUNCTION f() RETURNS bigint LANGUAGE plpgsql AS \$\$BEGIN EXECUTE \$q\$DELETE FROM plain "
	  . "WHERE W{id}\$q\$; RETURN 1; END\$\$; SELECT f()",
	# an assertion of core fails where PL/pgSQL does that, whatever is selected
	$has_assertions ? () : "DECLARE c CURSOR FOR SELECT n FROM plain WHERE W{id}; FETCH ALL FROM c",
	"DEALLOCATE ALL; PREPARE q AS SELECT n FROM plain WHERE W{id}; EXECUTE q",
	"CREATE POLICY recent ON secured AS RESTRICTIVE USING (W{id} OR n > 0); SET ROLE reader; "
	  . "SELECT count(*) FROM secured",
	"CREATE POLICY recent ON secured AS RESTRICTIVE USING (T{id} < now()); SET ROLE reader; DELETE "
	  . "FROM secured WHERE n = 1",
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
	"DELETE FROM plain RETURNING (SELECT T{id})",
	"WITH gone AS (DELETE FROM plain WHERE n IN (SELECT k FROM keep) RETURNING T{id})"
	  . " SELECT count(*) FROM keep",
	"UPDATE plain SET n = 0 WHERE EXISTS (SELECT FROM keep WHERE k = n) RETURNING T{id}",
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
  . " WHEN MATCHED AND W{p.id} THEN DELETE",
  "MERGE INTO plain p USING (SELECT k FROM keep WHERE k IN (SELECT k FROM keep)) s ON n = k"
  . " WHEN MATCHED THEN UPDATE SET n = date_part('year', T{p.id})",
  "MERGE INTO others o USING (SELECT id, n FROM plain WHERE n IN (SELECT k FROM keep)) p ON p.id = o.id"
  . " WHEN NOT MATCHED AND T{p.id} < $old THEN INSERT VALUES (p.id, p.n)",
  "MERGE INTO plain USING keep ON n = k AND W{id} WHEN MATCHED THEN DELETE",
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

# The outcomes of many statements: [state, message, detail, hint] each
sub outcomes
{
	my ($settings, $path, $role, @statements) = @_;
	my $sql = join '', map { "SELECT * FROM outcome('$path', '$role', \$st\$$_\$st\$);\n" } @statements;
	my $out =
	  $node->safe_psql('postgres', "$settings;\n$sql", extra_params => [ '-F', "\x1f", '-R', "\x1e" ]);
	my @rows = map { [ split /\x1f/, $_, -1 ] } split /\x1e/, $out;

	# each statement's result ends with a line feed
	@rows = map { [ split /\x1f/, $_, -1 ] } split /\n/, $out if @rows != @statements;
	die "no outcome for each statement" if @rows != @statements;
	return @rows;
}

sub refused
{
	my ($outcome, $layout, $hint) = @_;
	my $other = $layout eq 'draft' ? 'rfc9562' : 'draft';
	my $right = $layout eq 'draft' ? 'uuid_v7' : 'uuidv7';

	return $outcome->[0] eq '22023'
	  && $outcome->[1] =~
	  /^uuidv?_?\w+\(\) reads layout "$other", but column "id" of table "\w+" holds layout "$layout"$/
	  && $outcome->[2] =~ /^The CHECK constraint "\w+" of the table says so\.$/
	  && !!grep { $outcome->[3] eq "Use $_." } "${right}_between()",
	  map { sprintf $hint, $_ } qw(between timestamp fields);
}

sub list_wrong
{
	my ($name, @wrong) = @_;
	ok(!@wrong, $name) or diag(join "\n", @wrong[ 0 .. ($#wrong > 3 ? 3 : $#wrong) ]);
}

# With --quick only the first of them
sub settings
{
	return @_[ 0 .. ($ENV{UUIDNEW_QUICK} ? 0 : $#_) ];
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


#
# Plans that are kept, parameters
#

# What psql prints, without the line numbers before messages.  Errors are at the end of a script, or come
# out in its result: the session may go on.
sub psql
{
	my ($sql) = @_;
	my ($status, $stdout, $stderr) =
	  $node->psql('postgres', "SET search_path = rfc9562, public;\n$sql", on_error_stop => 0);

	return $stdout . ($stdout ne '' && $stderr ne '' ? "\n" : '') . $stderr =~ s/^psql:\S* //mgr;
}

my $error =
  qr/ERROR:  uuid_v7_(?:between|timestamp)\(\) reads layout "draft", but column "id" of table "\w+" holds layout "rfc9562"\nDETAIL:  The CHECK constraint "\w+" of the table says so\.\nHINT:  Use uuidv7_(?:between|timestamp)\(\)\./;

foreach my $mode (qw(force_custom_plan force_generic_plan auto))
{
	my ($status, $stdout, $stderr);
	my @calls = ("EXECUTE q('-infinity', now())") x 7;

	($status, $stdout, $stderr) = $node->psql(
		'postgres',
		join(";\n",
			'SET search_path = rfc9562, public',
			"SET plan_cache_mode = $mode",
			'CREATE TABLE later AS SELECT id, n FROM source',
			'PREPARE q(timestamptz, timestamptz) AS SELECT count(*) FROM later WHERE uuid_v7_between(id, '
			  . '$1, $2)',
			@calls,
			q{ALTER TABLE later ADD CONSTRAINT late CHECK (uuid_v7_layout(id) = 'rfc9562') NOT VALID},
			@calls,
			'ALTER TABLE later VALIDATE CONSTRAINT late',
			$calls[0]),
		on_error_stop => 0);
	is($stdout, join("\n", (20) x 14), "$mode: no error before the constraint is there, and is validated");
	like($stderr, $error, "$mode: and then one, for a plan that is kept");
	$node->safe_psql('postgres', 'DROP TABLE rfc9562.later');
}

# Arguments by their names, in another order
foreach my $condition (
	'uuid_v7_between(until => now(), since => NULL, id => id)',
	q{uuid_v7_between(layout => 'nanosecond', until => now(), since => NULL, id => id)},
	q{uuid_v7_timestamp(layout => 'draft', id => plain.id) IS NOT NULL})
{
	foreach my $sql ("SELECT count(*) FROM plain WHERE $condition", "DELETE FROM plain RETURNING $condition")
	{
		like(psql($sql), $error, "refused: $sql");
	}
}

#
# No false error
#

sub is_right
{
	my ($name, $sql, $expected) = @_;
	my $got = psql($sql);

	is($got, $expected, $name);
}

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

# EXCEPT gives keys of its left side only.
is_right('EXCEPT', <<~'SQL', "20\n20");
	SELECT count(*) FROM (SELECT id FROM draft.plain EXCEPT SELECT id FROM rfc9562.plain) s
	WHERE uuid_v7_between(id, NULL, now());
	SELECT count(*)
	FROM (SELECT id
		FROM rfc9562.plain EXCEPT ALL (SELECT id FROM draft.plain UNION SELECT id FROM draft.moved)) s
			WHERE uuidv7_timestamp(id) < now();
	SQL

# Constraints that say nothing of the column's layout
$node->safe_psql('postgres', <<~'SQL');
	SET search_path = rfc9562, public;
	CREATE FUNCTION uuid_v7_layout(id uuid) RETURNS text LANGUAGE sql IMMUTABLE AS $$SELECT 'draft'$$;
	CREATE FUNCTION public.uuid_v7_layout(id text) RETURNS text
		LANGUAGE sql IMMUTABLE AS $$SELECT 'draft'$$;
	CREATE FUNCTION public.uuid_v7_layout(id uuid, more int) RETURNS text
		LANGUAGE sql IMMUTABLE AS $$SELECT 'draft'$$;
	CREATE FUNCTION public.uuid_v7_layout(id int) RETURNS text
		LANGUAGE sql IMMUTABLE AS $$SELECT 'draft'$$;
	CREATE FUNCTION public.uuid_v7_between(id uuid, since date, until date) RETURNS boolean
		LANGUAGE sql IMMUTABLE AS 'SELECT true';
	CREATE FUNCTION public.uuidv7_between(id text, since timestamptz, until timestamptz) RETURNS boolean
		LANGUAGE sql IMMUTABLE AS 'SELECT true';
	SQL
my $number = 0;
foreach my $check (
	q{public.uuid_v7_layout(id) <> 'none'}, q{NOT (public.uuid_v7_layout(id) = 'draft' AND n > 0)},
	q{public.uuid_v7_layout(id) = 'draft' OR public.uuid_v7_layout(id) = 'rfc9562'},
	q{public.uuid_v7_layout(id) = 'draft' OR n > 0}, q{n > 0 OR public.uuid_v7_layout(id) = 'draft'},
	q{public.uuid_v7_layout(id) IN ('draft', 'rfc9562')}, q{public.uuid_v7_layout(other) = 'draft'},
	q{public.uuid_v7_layout(id) IN ('draft', }
	. q{lower('RFC9562'))}, q{public.uuid_v7_layout(id) NOT IN ('none', 'neither')},
	q{public.uuid_v7_layout(other) IN ('draft', 'none')},
	q{public.uuid_v7_layout(other) = 'draft' AND public.uuid_v7_layout(id) <> 'none'},
	q{CASE WHEN n > 100 THEN public.uuid_v7_layout(id) = 'draft' END},
	q{coalesce(public.uuid_v7_layout(other), public.uuid_v7_layout(id)) = 'draft'},
	q{(public.uuid_v7_layout(id) = 'draft') = (n > 100)},
	q{(public.uuid_v7_layout(id) = 'draft') IS NOT NULL},
	q{public.uuid_v7_layout(id) = lower('RFC9562') }
	. q{OR n > 0}, q{public.uuid_v7_layout(id::text) = 'draft'}, q{id < uuidv7_min('2200-01-01 00:00+00')},
	q{other >= '03000000-0000-7000-8000-000000000000'}, q{public.uuid_v7_layout(id, 1) = 'draft'},
	q{public.uuid_v7_layout(n) = 'draft'}, q{rfc9562.uuid_v7_layout(id) = 'draft'},
	q{public.uuid_v7_between(id, '-infinity', }
	. q{'2200-01-01 00:00+00'::timestamptz)}, q{public.uuid_v7_between(id, }
	. q{'1970-01-01 00:00+00'::timestamptz, NULL)},
	q{public.uuid_v7_between(other, '2020-01-01 00:00+00'::timestamptz, NULL)},
	q{public.uuid_v7_between(id, '2020-01-01 00:00+00'::timestamptz, NULL) }
	. q{OR n > 0}, q{NOT public.uuid_v7_between(id, '2020-01-01 00:00+00'::timestamptz, NULL)},
	q{public.uuid_v7_between(id, '2030-01-01'::date, NULL)}, q{public.uuidv7_between(id::text, now(), NULL)},
	q{public.uuid_v7_between(id, until => 'infinity'::timestamptz, since => '-infinity')},
	q{public.uuidv7_between(until => now() + interval '1000 years', since => NULL, id => id)},
	q{public.uuid_v7_between(id, at - interval '1000 years', NULL)}, q{public.uuid_v7_between(id, }
	. q{'2020-01-01 00:00+00'::timestamptz, NULL, lay)},
	q{public.uuid_v7_between(id, '2020-01-01 00:00+00'::timestamptz, NULL, }
	. q{NULL)}, q{uuid_v7_timestamp(id) IS NOT NULL}, q{uuidv7_timestamp(id) IS NOT NULL},
	q{uuid_v7_timestamp(id) < now()}, q{uuid_v7_timestamp(id, lay) IS NOT NULL},
	q{public.uuidv7_is(id) OR public.uuid_v7_is(id)},
	# windows and bounds, which are no tests of the layout
	q{public.uuidv7_between(id, NULL, NULL)},
	q{public.uuidv7_between(id, NULL, '2030-01-01 00:00+00'::timestamptz)},
	q{public.uuid_v7_between(id, NULL, layout => 'rfc9562', until => '2030-01-01 00:00+00'::timestamptz)},
	q{id < '03000000-0000-7000-8000-000000000000'},
	q{id <= uuidv7_min('2070-01-01 00:00+00') AND n > 0},
	q{id < '2070-01-01 00:00+00'::timestamptz},
	# which would raise an error for keys that are not there
	q{1 / (CASE WHEN public.uuid_v7_is(id) THEN 0 ELSE 1 END) = 1})
{
	my $table = 'check_' . $number++;

	is_right("no layout: CHECK ($check)", <<~SQL, "20\n");
		CREATE TABLE $table (lay text, gone int, other uuid, n int, at timestamptz DEFAULT now(), id uuid
			CHECK ($check));
		ALTER TABLE $table DROP gone;
		INSERT INTO $table (lay, other, n, id) SELECT 'rfc9562', draft.plain.id, n, source.id
		FROM source JOIN draft.plain USING (n);
		SELECT count(*) FROM $table
		WHERE uuid_v7_between(id, NULL, now()) IS NOT NULL AND uuidv7_between(id, NULL, now())
			AND uuid_v7_timestamp(id) < uuidv7_timestamp(id);
		SELECT uuidnew_column_guard('$table', attnum) FROM pg_attribute
		WHERE attrelid = '$table'::regclass AND attname = 'id';
		SQL
}
# Children do not have to satisfy such a constraint, so that it says nothing of a query that
# reads them too.
is_right('no layout: a constraint that children do not inherit', <<~'SQL', "20\n20\n20\nt|t");
	CREATE TABLE bare (id uuid, CHECK (public.uuid_v7_layout(id) = 'draft') NO INHERIT);
	CREATE TABLE bare_child () INHERITS (bare);
	INSERT INTO bare_child SELECT id FROM source;
	SELECT count(uuidv7_timestamp(id)) FROM bare;
	SELECT count(*) FROM bare WHERE uuidv7_between(id, NULL, now());
	SELECT count(*) FROM bare_child WHERE uuidv7_between(id, NULL, now());
	SELECT uuidnew_column_guard('bare', 1) IS NULL, uuidnew_column_guard('bare_child', 1) IS NULL;
	SQL
foreach my $query ('SELECT count(*) FROM ONLY bare WHERE uuidv7_between(id, NULL, ' . 'now())',
	'SELECT count(uuidv7_timestamp(id)) FROM ONLY bare')
{
	like(psql($query), qr/reads layout "rfc9562", but column "id" of table "bare" holds layout "draft"/,
		"... $query");
}

# Constraints in other words that do say it
foreach my $check (
	q{'rfc9562' = public.uuid_v7_layout(id)},
	q{public.uuid_v7_layout(id => id) = 'rfc9562'},
	q{n > 0 AND public.uuid_v7_layout(id) = 'rfc9562'},
	q{public.uuid_v7_layout(id) <> 'draft'},
	q{public.uuid_v7_layout(id) IN ('rfc9562', 'none')},
	q{public.uuid_v7_layout(id) NOT IN ('draft', 'none')},
	q{public.uuid_v7_layout(id) NOT IN ('none') } . q{AND 'draft' <> public.uuid_v7_layout(id)},
	q{uuidv7_is(id)},
	q{public.uuidv7_is(id) AND n > 0},
	q{(n > 0 AND (n < 100 } . q{AND public.uuid_v7_layout(id) = 'rfc9562'))},
	q{NOT (public.uuid_v7_layout(id) = 'draft')},
	q{public.uuid_v7_layout(id) = lower('RFC9562')},
	q{public.uuid_v7_layout(id) > 'draft'},
	q{public.uuid_v7_layout(id) > ANY (ARRAY['draft'])},
	q{(public.uuid_v7_layout(id) = 'draft') IS FALSE},
	q{uuidv7_is(id) OR public.uuid_v7_layout(id) = 'none'},
	q{CASE WHEN n > 0 THEN public.uuidv7_is(id) ELSE false END IS NOT FALSE AND NOT public.uuid_v7_is(id)})
{
	my $table = 'check_' . $number++;

	like(psql(<<~SQL), qr/^\|rfc9562\n0\n$error$/, "a layout: CHECK ($check)");
		CREATE TABLE $table (n int, id uuid CHECK ($check));
		SELECT uuidnew_column_guard('$table', 1), uuidnew_column_guard('$table', 2);
		SELECT count(*) FROM $table WHERE uuidv7_between(id, NULL, now());
		SELECT count(*) FROM $table WHERE uuid_v7_between(id, NULL, now());
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
	REVOKE EXECUTE ON FUNCTION uuid_v7_layout(uuid), uuidv7_min(timestamptz) FROM public;
	SET ROLE reader;
	SELECT count(*) FROM plain WHERE uuidv7_between(id, NULL, now());
	RESET ROLE;
	GRANT EXECUTE ON FUNCTION uuid_v7_layout(uuid), uuidv7_min(timestamptz) TO public;
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

# A sub-query that core pulls up asks with the number of a table outside.
is_right('a function of a key, in a sub-query', <<~'SQL', "800\n20\n20");
	CREATE FUNCTION days(uuid) RETURNS SETOF date LANGUAGE sql IMMUTABLE AS
	$$SELECT d::date FROM generate_series(public.uuid_v7_timestamp($1),
		public.uuid_v7_timestamp($1) + interval '1 day', '1 day') d$$;
	SELECT sum((SELECT count(*) FROM draft.plain d, days(d.id))) FROM plain;
	SELECT count(*) FROM plain WHERE n IN (SELECT d.n FROM draft.plain d, days(d.id) GROUP BY 1);
	SELECT count(*)
	FROM plain,
		(SELECT d.n
			FROM draft.plain d,
				LATERAL (SELECT *
					FROM generate_series(1, uuid_v7_between(d.id, NULL, NULL)::int)) x LIMIT 1) q;
	SQL


# No function of another's runs when a query is planned: a constraint may call any.
$node->safe_psql('postgres', <<~'SQL');
	SET search_path = rfc9562, public;
	CREATE FUNCTION told(int) RETURNS int
		LANGUAGE plpgsql IMMUTABLE AS $$BEGIN RAISE WARNING 'told'; RETURN 1; END$$;
	CREATE FUNCTION is_one(int, int) RETURNS boolean
		LANGUAGE sql IMMUTABLE AS 'SELECT rfc9562.told($1) = $2';
	CREATE OPERATOR === (LEFTARG = int, RIGHTARG = int, FUNCTION = is_one);
	CREATE DOMAIN told_one AS int CHECK (told(VALUE) = 1);
	SQL
my $telling = 0;
foreach my $check (
	'told(1) = 1', '1 OPERATOR(rfc9562.===) 1',
	'is_one(1, 1)',
	'1::told_one = 1',
	"'1'::text::told_one = 1",
	'CASE WHEN public.uuidv7_is(id) THEN told(1) = 1 ELSE told(2) = 1 END')
{
	my $table = 'telling_' . $telling++;

	$node->safe_psql('postgres', <<~SQL);
		SET search_path = rfc9562, public;
		CREATE TABLE $table (id uuid, CHECK (uuidv7_is(id) AND $check), CHECK ($check))
		SQL
	is(psql("SELECT count(uuidv7_timestamp(id)) FROM $table"), '0', "CHECK ($check) is not evaluated");
	is(psql(<<~SQL), '0', '... nor when the owner adds it to the extension');
		BEGIN;
		ALTER EXTENSION uuidnew ADD FUNCTION told(int);
		ALTER TABLE $table RENAME TO told;
		SELECT count(uuidv7_timestamp(id)) FROM told;
		ROLLBACK
		SQL
	like(psql(<<~SQL), qr/^$error$/m, '... nor when another is found wrong');
		SELECT count(uuid_v7_timestamp(id)) FROM $table
		SQL
}

#
# What the guard does not see, as doc/two-layouts.md lists it.
#

$node->safe_psql('postgres', <<~'SQL');
	SET search_path = rfc9562, public;
	CREATE FUNCTION in_plpgsql(key uuid) RETURNS timestamptz
		LANGUAGE plpgsql AS 'BEGIN RETURN public.uuid_v7_timestamp(key); END';
	CREATE FUNCTION inlined(key uuid) RETURNS timestamptz
		LANGUAGE sql IMMUTABLE AS 'SELECT public.uuid_v7_timestamp($1)';
	CREATE FUNCTION inlined_rows(key uuid) RETURNS SETOF timestamptz
		LANGUAGE sql STABLE AS 'SELECT public.uuid_v7_timestamp($1)';
	CREATE DOMAIN guarded_key AS uuid CHECK (uuidv7_is(VALUE));
	CREATE TABLE of_guarded_key (id guarded_key, n int);
	CREATE TABLE like_plain (LIKE plain);
	CREATE TABLE copy_of_plain AS TABLE plain;
	CREATE TABLE stored (id uuid
		CHECK (uuidv7_is(id)), at timestamptz GENERATED ALWAYS AS (uuid_v7_timestamp(id)) STORED);
	CREATE INDEX ON stored (uuid_v7_timestamp(id));
	SQL
foreach my $unseen (
	q{DELETE FROM plain WHERE id < uuid_v7_min('2200-01-01 00:00+00')},
	'SELECT uuid_extract_timestamp(id) FROM draft.plain',
	map({ <<~SQL }
		SET plan_cache_mode = $_; PREPARE q(text) AS
		SELECT uuid_v7_timestamp(id, \$1) FROM plain; EXECUTE q('draft')
		SQL
		'force_generic_plan', 'force_custom_plan'),
	q{PREPARE r(text) AS DELETE FROM plain RETURNING uuid_v7_timestamp(id, $1); EXECUTE r('draft')},
	'SELECT uuid_v7_timestamp(max(id)) FROM plain',
	'SELECT uuid_v7_timestamp(coalesce(others.id, plain.id)) FROM plain, others',
	'SELECT in_plpgsql(id) FROM plain',
	'SELECT uuid_v7_timestamp(id) FROM plain FULL JOIN others USING (id)',
	'DELETE FROM plain RETURNING inlined(id)',
	'SELECT inlined(id) FROM plain',
	'DELETE FROM plain WHERE inlined(id) < now()',
	'SELECT count(*) FROM plain, LATERAL inlined_rows(id)',
	'SELECT uuid_v7_timestamp(id) FROM (SELECT id FROM plain UNION SELECT id FROM plain) x',
	'SELECT uuid_v7_timestamp(id) FROM (SELECT id FROM plain UNION ALL SELECT id FROM plain) x',
	'WITH x AS MATERIALIZED (SELECT id FROM plain) SELECT uuid_v7_timestamp(id) FROM x',
	'SELECT uuid_v7_timestamp(id) FROM half',
	'SELECT count(*) FROM draft.plain WHERE id < ANY (ARRAY[now()])',
	'INSERT INTO stored VALUES (uuidv7())',
	q{COPY plain FROM PROGRAM 'true' WHERE uuid_v7_before(id, now())},
	'ALTER TABLE plain ADD at text; ALTER TABLE plain ALTER at TYPE timestamptz USING uuid_v7_timestamp(id)',
	<<~'SQL',
		CREATE TRIGGER t BEFORE UPDATE ON plain FOR EACH ROW WHEN (uuid_v7_before(old.id, now()))
		EXECUTE FUNCTION suppress_redundant_updates_trigger(); UPDATE plain SET n = n
		SQL
	'SELECT uuid_v7_timestamp(id) FROM copy_of_plain',
	'SELECT uuid_v7_timestamp(id) FROM like_plain',
	'SELECT uuid_v7_timestamp(id) FROM of_guarded_key')
{
	unlike(psql("BEGIN; $unseen; ROLLBACK"), qr/ERROR/, "not seen: $unseen");
}

#
# A function is what its C function is, whatever its owner makes of it.
#

$node->safe_psql('postgres', <<~'SQL');
	SET search_path = rfc9562, public;
	CREATE SCHEMA elsewhere;
	CREATE TABLE altered (id uuid PRIMARY KEY, n int);
	INSERT INTO altered
	SELECT id, n
	FROM generate_series(1, 9) n, make_timestamptz(2026, 1, n, 0, 0, 0, 'UTC') ts,
		LATERAL (VALUES (uuid_generate_v6_at(ts)), (uuid_generate_v7_at(ts)), (uuidv7_at(ts)),
			(uuid_generate_v8_at(ts)), (gen_random_uuid())) keys(id);
	SQL
my $two = q{'2026-01-03 00:00+00', '2026-01-06 00:00+00'};
my $one = q{'2026-01-04 00:00+00'};
my @functions = (
	# the function, its arguments after the key, the other kind's, a condition on its result
	[ 'uuid_v6_between(uuid, timestamptz, timestamptz)', $two ],
	[ 'uuid_v7_between(uuid, timestamptz, timestamptz)', $two, 'rfc9562', 'uuidv7_between' ],
	[ 'uuid_v7_between(uuid, timestamptz, timestamptz, text)', "$two, 'draft'", 'rfc9562', 'uuidv7_between' ],
	[ 'uuidv7_between(uuid, timestamptz, timestamptz)', $two, 'draft', 'uuid_v7_between' ],
	[
		'uuid_v8_between(uuid, timestamptz, timestamptz, text, timestamptz)',
		"$two, 'unix64', '1970-01-01 00:00+00'"
	],
	[ 'uuid_v7_before(uuid, timestamptz)', $one, 'rfc9562', 'uuidv7_before' ],
	[ 'uuid_v7_from(uuid, timestamptz)', $one, 'rfc9562', 'uuidv7_from' ],
	[ 'uuidv7_before(uuid, timestamptz)', $one, 'draft', 'uuid_v7_before' ],
	[ 'uuidv7_from(uuid, timestamptz)', $one, 'draft', 'uuid_v7_from' ],
	[ 'uuidv7_upto(uuid, timestamptz)', $one, 'draft', 'uuid_v7_between' ],
	[ 'uuidv7_after(uuid, timestamptz)', $one, 'draft', 'uuid_v7_between' ],
	[ 'uuid_v7_timestamp(uuid)', '', 'rfc9562', 'uuidv7_timestamp', "< $one" ],
	[ 'uuid_v7_timestamp(uuid, text)', q{'nanosecond'}, 'rfc9562', 'uuidv7_timestamp', "< $one" ],
	[ 'uuidv7_timestamp(uuid)', '', 'draft', 'uuid_v7_timestamp', "< $one" ],
	[ 'uuidv7_timestamp_micros(uuid)', '', 'draft', 'uuid_v7_timestamp', "< $one" ],
	[ 'uuid_v7_fields(uuid)', '', 'rfc9562', 'uuidv7_fields', 'IS NOT NULL' ],
	[ 'uuid_v7_fields(uuid, text)', q{'draft'}, 'rfc9562', 'uuidv7_fields', 'IS NOT NULL' ],
	[ 'uuidv7_fields(uuid)', '', 'draft', 'uuid_v7_fields', 'IS NOT NULL' ],
	map({ [ $_, undef ] } 'uuidv7()',
		'uuid_generate_v7()', 'uuid_generate_v7(text)',
		'uuid_generate_v6()', 'uuid_generate_v8(text, bytea, timestamptz)',
		'uuid_generate_v1_random()', 'uuid_generate_vb(text, macaddr)'));
foreach my $case (@functions)
{
	my ($function, $arguments, $holds, $right, $condition) = @$case;
	my ($name) = $function =~ /^(\w+)/;
	# what it finds, by index and by what removes rows; of a generator, whether its UUIDs differ
	my $try = sub {
		my ($called, $key) = (@_, 'id');
		my $call = "$called(" . join(', ', $key, $arguments || ()) . ')' . ($condition ? " $condition" : '');
		my $layout = $function =~ /v7\(text/ ? q{'draft'} : '';

		return "SELECT count(DISTINCT $called($layout)) FROM generate_series(1, 9)" if !defined $arguments;
		return
			"SELECT array_agg(n ORDER BY n) FROM altered WHERE $call; "
		  . "WITH gone AS (DELETE FROM altered WHERE $call RETURNING n) SELECT array_agg(n ORDER BY n) "
		  . "FROM gone";
	};
	my $expected = psql('BEGIN; SET LOCAL enable_seqscan = off; ' . $try->($name) . '; ROLLBACK');

	like(
		$expected,
		$arguments && !$condition ? qr/^\{[\d,]{3,}\}\n/ : qr/^(\{|9$)/,
		"$function finds something");
	foreach my $alter (
		[ 'SET search_path = pg_catalog', $name ],
		[ 'SECURITY DEFINER', $name ],
		[ 'RENAME TO other_name', 'other_name' ],
		[ 'SET SCHEMA elsewhere', "elsewhere.$name" ])
	{
		my ($what, $called) = @$alter;
		my $altered = "BEGIN; ALTER FUNCTION public.$function $what; SET LOCAL enable_seqscan = off;";

		is(psql("$altered " . $try->($called) . '; ROLLBACK'), $expected, "... and the same after $what");
		next if !$holds;
		like(
			psql("$altered " . $try->($called) =~ s/\baltered\b/$holds.plain/gr . '; ROLLBACK'),
			qr/^ERROR:  \w+\(\) reads layout .* holds layout "$holds".*^HINT:  Use $right\(\)\./ms,
			"... refused where it is the wrong one");
	}
	like(
		psql(
			<<~SQL
				BEGIN;
				ALTER FUNCTION public.$function SET search_path = '';
				SET LOCAL enable_seqscan = off;
				EXPLAIN
				SQL
			  . $try->($name) =~ s/;.*//r
			  . '; ROLLBACK'),
		qr/Index Cond: /,
		"... and is still planned by its bounds") if $arguments && !$condition;
}

# Operators are their functions.
my %of_operator = ('<' => 'before', '<=' => 'upto', '>=' => 'from', '>' => 'after');
foreach my $operator (sort keys %of_operator)
{
	foreach my $statement (
		'SELECT count(*) FROM TABLE WHERE id OP now()',
		'SELECT count(*) FILTER (WHERE id OP now()) FROM TABLE',
		'DELETE FROM TABLE WHERE id OP now()',
		'DELETE FROM TABLE WHERE n IN (SELECT k FROM keep) RETURNING id OP now()',
		'UPDATE TABLE SET n = n WHERE NOT id OP now() AND EXISTS (SELECT FROM keep)',
		'SELECT count(*) FROM keep WHERE EXISTS (SELECT FROM TABLE WHERE n = k AND id OP cutoff)',
		'SELECT (SELECT TABLE.id OP cutoff FROM keep WHERE k = 1) FROM TABLE',
		"PREPARE q(timestamptz) AS SELECT count(*) FROM TABLE WHERE id OP \$1; EXECUTE q('2026-01-01')",
		"PREPARE q(date) AS SELECT count(*) FROM TABLE WHERE id OP \$1; EXECUTE q('2026-01-01')")
	{
		my $sql = $statement =~ s/OP/$operator/gr =~ s/TABLE/plain/gr;

		like(
			psql("BEGIN; SET search_path = draft, public; $sql; ROLLBACK"),
			qr/ERROR:  uuidv7_$of_operator{$operator}\(\) reads layout "rfc9562", but column "id" of table "plain" holds layout "draft"/,
			"refused: $sql");
		unlike(psql("BEGIN; $sql; ROLLBACK; DEALLOCATE ALL"), qr/ERROR/, '... not of RFC 9562');
	}
}

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

#
# As strangers tried it
#

# 1. Retention with the wrong reader empties a table
foreach my $make ('uuidv7()', q{uuid_generate_v7('rfc9562')})
{
	$node->safe_psql('postgres', <<~SQL);
		DROP TABLE IF EXISTS ev;
		CREATE TABLE ev (id uuid PRIMARY KEY DEFAULT $make
			CHECK (uuid_v7_layout(id) = 'rfc9562'), what text);
		INSERT INTO ev (what) SELECT 'event ' || i FROM generate_series(1, 1000) i;
		ANALYZE ev
		SQL
	my ($status, $stdout, $stderr) = $node->psql('postgres', <<~'SQL', on_error_stop => 0);
		DELETE FROM ev WHERE uuid_v7_between(id, NULL, now() - interval '90 days')
		SQL

	like(
		$stderr,
		qr/ERROR:  uuid_v7_between\(\) reads layout "draft", but column "id" of table "ev" holds layout "rfc9562"/,
		"users 1: the retention job with the wrong reader is refused, DEFAULT $make");
	is( $node->safe_psql('postgres',
			<<~'SQL'), 1000, 'users 1: with the right one it deletes nothing that is new');
				DELETE FROM ev WHERE uuidv7_between(id, NULL, now() - interval '90 days');
				SELECT count(*) FROM ev
				SQL
	is($node->safe_psql('postgres', <<~'SQL'), 1000, 'users 1: without a guard it deletes nothing');
		ALTER TABLE ev DROP CONSTRAINT ev_id_check;
		DELETE FROM ev WHERE uuid_v7_between(id, NULL, now() - interval '90 days');
		SELECT count(*) FROM ev
		SQL
	($status, $stdout, $stderr) = $node->psql('postgres', <<~'SQL', on_error_stop => 0);
		SELECT uuid_v7_convert(id, 'draft', 'rfc9562') FROM ev LIMIT 1
		SQL
	like(
		$stderr,
		qr/ERROR:  UUID \S+ is not of layout "microsecond"/,
		'users 1: a key is not converted twice');
}

# 2. A dump of pg_uuidv7: the default has the same name, and means the draft's here
{
	my ($status, $stdout, $stderr) = $node->psql('postgres', <<~'SQL', on_error_stop => 0);
		CREATE TABLE from_pg_uuidv7 (id uuid DEFAULT public.uuid_generate_v7() NOT NULL, n int);
		COPY from_pg_uuidv7 (id, n) FROM stdin;
		018fc251-b1b5-7a21-9d31-d1f1ae1b8b0c	1
		018fc251-b1b6-7a21-9d31-d1f1ae1b8b0d	2
		\.
		ALTER TABLE from_pg_uuidv7 ADD CONSTRAINT of_rfc9562 CHECK (uuid_v7_layout(id) = 'rfc9562');
		INSERT INTO from_pg_uuidv7 (n) VALUES (3);
		SQL
	like(
		$stderr,
		qr/ERROR:  new row for relation "from_pg_uuidv7" violates check constraint "of_rfc9562"/,
		'users 2: a guarded column of pg_uuidv7 takes no key of the draft');
	is($node->safe_psql('postgres', <<~'SQL'), '3|t', 'users 2: with another default it does');
		ALTER TABLE from_pg_uuidv7 ALTER id SET DEFAULT uuidv7(); INSERT INTO from_pg_uuidv7 (n) VALUES (3);
		SELECT count(*), bool_and(uuidv7_timestamp(id) BETWEEN '2024-05-01' AND clock_timestamp())
		FROM from_pg_uuidv7
		SQL
}

# 8. Mistakes: names in another case are taken, the rest is an error, never silent
is( $node->safe_psql('postgres', <<~'SQL'),
	SELECT uuid_v7_layout(uuid_generate_v7('draft')), uuid_v7_layout(uuid_generate_v7('RFC9562')),
		uuid_v7_layout(uuid_generate_v7('Rfc9562'))
	SQL
	'draft|rfc9562|rfc9562', q{users 8: 'draft' and 'RFC9562' are layouts});
foreach my $mistake (
	[ 'a text parameter for the key', q{PREPARE q(text) AS SELECT uuid_v7_timestamp($1)}, '42883' ],
	[ 'a text column', q{SELECT uuid_v7_timestamp(id::text) FROM ev}, '42883' ],
	[ 'a window without ends', q{SELECT count(*) FROM ev WHERE uuid_v7_between(id)}, '42883' ],
	[ 'a window without an end', q{SELECT count(*) FROM ev WHERE uuidv7_between(id, now())}, '42883' ],
	[
		'tstzrange',
		q{SELECT count(*) FROM ev WHERE uuidv7_between(id, tstzrange(now() - interval '1 day', } . q{now()))},
		'42883'
	],
	[
		'a layout for uuidv7_between',
		q{SELECT count(*) FROM ev WHERE uuidv7_between(id, NULL, now(), } . q{'rfc9562')}, '42883'
	],
	[
		'a layout that is none',
		q{SELECT count(*) FROM ev WHERE uuid_v7_between(id, NULL, now(), } . q{'rfc')}, '22023'
	])
{
	my ($name, $sql, $state) = @$mistake;
	my ($status, $stdout, $stderr) =
	  $node->psql('postgres', "\\set VERBOSITY verbose\n$sql", on_error_stop => 0);

	like($stderr, qr/ERROR:  $state:/, "users 8: $name is an error");
}

# EXISTS in EXISTS: its table has the number of one outside, which another window
# reads as what it is.
is( $node->safe_psql('postgres', <<~'SQL'),
	CREATE TABLE outside (id uuid CHECK (uuid_v7_layout(id) = 'rfc9562'), n int, ts timestamptz);
	CREATE TABLE inside (id uuid);
	SELECT n, count(*) FROM outside o
	WHERE NOT EXISTS (SELECT FROM inside WHERE NOT EXISTS (
		SELECT FROM inside i WHERE uuid_v7_between(i.id, '2026-01-01', o.ts, 'microsecond')))
	GROUP BY 1 HAVING bool_or(uuid_v7_between(o.id, now(), NULL, 'rfc9562'))
	SQL
	'',
	'two windows of tables with the same number are not mixed up');

$node->stop;
done_testing();
