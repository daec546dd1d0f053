# What tests of the guard share: a server with the same tables in two schemas, one of each kind of layout,
# and what statements come to there.
package GuardWorld;

use strict;
use warnings FATAL => 'all';

use Exporter qw(import);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

our @EXPORT =
  qw(start_world $node $version $has_assertions $has_fdw %world $error outcomes refused list_wrong settings
  psql is_right);

our ($node, $version, $has_assertions, $has_fdw);

# The same tables twice: in schema rfc9562 with keys of RFC 9562, in schema draft
# with the draft's.  Rows 1 to 10 are older than 90 days, 11 to 20 are not.
our %world = (
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

# Starts the server, and makes the tables
sub start_world
{
	$node = PostgreSQL::Test::Cluster->new('main');
	$node->init;
	$node->append_conf('postgresql.conf', <<~'CONF');
	autovacuum = off
	jit = off
	timezone = 'UTC'
	CONF
	$node->start;
	$version = $node->safe_psql('postgres', 'SHOW server_version_num');
	$has_assertions = $node->safe_psql('postgres', 'SHOW debug_assertions') eq 'on';
	$has_fdw =
	  $node->safe_psql('postgres',
		q{SELECT count(*) FROM pg_available_extensions WHERE name = 'postgres_fdw'});

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
	return;
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

# What psql prints, without the line numbers before messages.  Errors are at the end of a script, or come
# out in its result: the session may go on.
sub psql
{
	my ($sql) = @_;
	my ($status, $stdout, $stderr) =
	  $node->psql('postgres', "SET search_path = rfc9562, public;\n$sql", on_error_stop => 0);

	return $stdout . ($stdout ne '' && $stderr ne '' ? "\n" : '') . $stderr =~ s/^psql:\S* //mgr;
}

our $error =
  qr/ERROR:  uuid_v7_(?:between|timestamp)\(\) reads layout "draft", but column "id" of table "\w+" holds layout "rfc9562"\nDETAIL:  The CHECK constraint "\w+" of the table says so\.\nHINT:  Use uuidv7_(?:between|timestamp)\(\)\./;

# What a script prints
sub is_right
{
	my ($name, $sql, $expected) = @_;
	my $got = psql($sql);

	is($got, $expected, $name);
}

1;
