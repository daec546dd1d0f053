# Which constraints are a guard, for how long and for which plans; and what it does not see.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use lib $FindBin::RealBin;
use GuardWorld;

start_world();

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

# What a constraint says is remembered until it changes, also in a transaction that is rolled back.
{
	my $window = q{uuidv7_between(id, '2026-01-01', '2026-01-03')};
	my $refused = <<~SQL;
		DO \$\$ BEGIN PERFORM * FROM guarded WHERE $window;
			RAISE 'not refused';
		EXCEPTION WHEN invalid_parameter_value THEN NULL; END \$\$;
		SQL
	my $guard = q{CONSTRAINT guard CHECK (uuid_v7_layout(id) = 'draft')};
	my $other_session = $node->connstr . ' dbname=postgres';
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
		[ 0, qq{\\! psql -Xq -d "$other_session" -c "ALTER TABLE guarded DROP CONSTRAINT guard"\n} ]);
	my $try = "SELECT is_refused(\$\$SELECT * FROM guarded WHERE $window\$\$);" x 2;
	my $refusals = $node->safe_psql('postgres', <<~'SQL' . join('', map { $_->[1] . $try } @steps));
		CREATE TABLE guarded (id uuid PRIMARY KEY, other uuid UNIQUE);
		CREATE FUNCTION is_refused(query text) RETURNS int LANGUAGE plpgsql AS $$
		BEGIN EXECUTE query; RETURN 0; EXCEPTION WHEN invalid_parameter_value THEN RETURN 1; END $$;
		SQL
	is( $refusals,
		join("\n", map { ($_->[0]) x 2 } @steps),
		'what a constraint says is remembered until it changes');
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
	SQL
my $number = 0;
foreach my $check (
	q{public.uuid_v7_layout(id) <> 'none'},
	q{NOT (public.uuid_v7_layout(id) = 'draft' AND n > 0)},
	q{public.uuid_v7_layout(id) = 'draft' OR public.uuid_v7_layout(id) = 'rfc9562'},
	q{n > 0 OR public.uuid_v7_layout(id) = 'draft'},
	q{public.uuid_v7_layout(id) IN ('draft', 'rfc9562')},
	q{public.uuid_v7_layout(id) IN ('draft', lower('RFC9562'))},
	q{public.uuid_v7_layout(id) NOT IN ('none', 'neither')},
	q{public.uuid_v7_layout(other) IN ('draft', 'none')},
	q{public.uuid_v7_layout(other) = 'draft' AND public.uuid_v7_layout(id) <> 'none'},
	q{CASE WHEN n > 100 THEN public.uuid_v7_layout(id) = 'draft' END},
	q{coalesce(public.uuid_v7_layout(other), public.uuid_v7_layout(id)) = 'draft'},
	q{(public.uuid_v7_layout(id) = 'draft') = (n > 100)},
	q{(public.uuid_v7_layout(id) = 'draft') IS NOT NULL},
	q{public.uuidv7_is(id) OR public.uuid_v7_is(id)},
	# functions of the name that are others
	q{public.uuid_v7_layout(id::text) = 'draft'},
	q{public.uuid_v7_layout(id, 1) = 'draft'},
	q{public.uuid_v7_layout(n) = 'draft'},
	q{rfc9562.uuid_v7_layout(id) = 'draft'},
	# readers, windows and bounds, which are no tests of the layout
	q{uuid_v7_timestamp(id) IS NOT NULL},
	q{uuidv7_timestamp(id) < now()},
	q{public.uuidv7_between(id, NULL, '2030-01-01 00:00+00'::timestamptz)},
	q{public.uuid_v7_between(id, '1970-01-01 00:00+00'::timestamptz, NULL)},
	q{public.uuid_v7_between(id, NULL, layout => 'rfc9562', until => '2030-01-01 00:00+00'::timestamptz)},
	q{NOT public.uuid_v7_between(id, '2020-01-01 00:00+00'::timestamptz, NULL)},
	q{id < '03000000-0000-7000-8000-000000000000'},
	q{id <= uuidv7_min('2070-01-01 00:00+00') AND n > 0},
	q{id < '2070-01-01 00:00+00'::timestamptz},
	# which would raise an error for keys that are not there
	q{1 / (CASE WHEN public.uuid_v7_is(id) THEN 0 ELSE 1 END) = 1})
{
	my $table = 'check_' . $number++;

	is_right("no layout: CHECK ($check)", <<~SQL, "20");
		CREATE TABLE $table (gone int, other uuid, n int, id uuid CHECK ($check));
		ALTER TABLE $table DROP gone;
		INSERT INTO $table (other, n, id) SELECT draft.plain.id, n, source.id
		FROM source JOIN draft.plain USING (n);
		SELECT count(*) FROM $table
		WHERE uuid_v7_between(id, NULL, now()) IS NOT NULL AND uuidv7_between(id, NULL, now())
			AND uuid_v7_timestamp(id) < uuidv7_timestamp(id);
		SQL
}
# Children do not have to satisfy such a constraint, so that it says nothing of a query that
# reads them too.
is_right('no layout: a constraint that children do not inherit', <<~'SQL', "20\n20\n20");
	CREATE TABLE bare (id uuid, CHECK (public.uuid_v7_layout(id) = 'draft') NO INHERIT);
	CREATE TABLE bare_child () INHERITS (bare);
	INSERT INTO bare_child SELECT id FROM source;
	SELECT count(uuidv7_timestamp(id)) FROM bare;
	SELECT count(*) FROM bare WHERE uuidv7_between(id, NULL, now());
	SELECT count(*) FROM bare_child WHERE uuidv7_between(id, NULL, now());
	SQL


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

	like(psql(<<~SQL), qr/^0\n$error$/, "a layout: CHECK ($check)");
		CREATE TABLE $table (n int, id uuid CHECK ($check));
		SELECT count(*) FROM $table WHERE uuidv7_between(id, NULL, now());
		SELECT count(*) FROM $table WHERE uuid_v7_between(id, NULL, now());
		SQL
}

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
# Wherever the key comes from
#

$node->safe_psql('postgres', <<~'SQL');
	SET search_path = rfc9562, public;
	CREATE VIEW with_plain AS WITH x AS (SELECT id FROM plain) SELECT id FROM x;
	CREATE FUNCTION old_plain() RETURNS SETOF plain LANGUAGE sql STABLE
		AS 'SELECT * FROM rfc9562.plain WHERE public.uuid_v7_before(id, now())';
	SQL
foreach my $sql (
	'WITH x AS MATERIALIZED (SELECT id FROM plain) SELECT uuid_v7_timestamp(id) FROM x',
	'SELECT * FROM (WITH x AS (SELECT id FROM plain) SELECT uuid_v7_timestamp(id) FROM x) y',
	'SELECT uuid_v7_timestamp(id) FROM with_plain',
	'DELETE FROM plain WHERE id IN (SELECT id FROM with_plain WHERE uuid_v7_before(id, now()))',
	'WITH x AS (DELETE FROM plain RETURNING id) SELECT uuid_v7_timestamp(id) FROM x',
	'INSERT INTO plain WITH x AS (SELECT * FROM plain) SELECT * FROM x WHERE uuid_v7_before(id, now())',
	<<~'SQL',
		WITH
			m AS MATERIALIZED (SELECT max(uuidv7_timestamp(id)) AS last FROM plain),
			x AS (SELECT id FROM plain)
		SELECT count(*) FROM m, x WHERE uuid_v7_between(x.id, NULL, m.last)
		SQL
	<<~'SQL',
		WITH x AS (SELECT id FROM plain), y AS MATERIALIZED (SELECT id AS key FROM x)
		SELECT count(*) FROM others WHERE EXISTS (SELECT FROM y WHERE uuid_v7_before(key, now()))
		SQL
	'SELECT now() UNION ALL SELECT uuid_v7_timestamp(id) FROM plain',
	'SELECT 1, true UNION ALL SELECT n, uuid_v7_before(id, now()) FROM plain ORDER BY 1',
	# in the body of a function that core puts into a sub-query, or there after another was looked at
	'SELECT count(*) FROM old_plain()',
	'SELECT (SELECT count(*) FROM old_plain())',
	'SELECT * FROM (SELECT count(*) FROM old_plain()) x',
	'WITH x AS MATERIALIZED (SELECT * FROM old_plain()) SELECT count(*) FROM x',
	'SELECT count(*) FROM (SELECT * FROM old_plain() UNION SELECT * FROM old_plain()) x',
	'DELETE FROM plain WHERE id = ANY (ARRAY(SELECT id FROM old_plain() LIMIT 10000))',
	<<~'SQL',
		WITH x AS MATERIALIZED (SELECT max(uuidv7_timestamp(id)) FROM plain)
		SELECT count(*) FROM x, old_plain()
		SQL
	'SELECT count(*) FROM plain WHERE id < now() AND (SELECT count(*) FROM old_plain()) > 0',
	# in a UNION ALL that is a part of another operation
	'(SELECT now() UNION ALL SELECT uuid_v7_timestamp(id) FROM plain LIMIT 9) UNION SELECT now()',
	'SELECT now() UNION (SELECT now() UNION ALL SELECT uuid_v7_timestamp(id) FROM plain ORDER BY 1)',
	'(SELECT now() UNION ALL SELECT uuid_v7_timestamp(id) FROM plain LIMIT 9) EXCEPT SELECT now()',
	<<~'SQL')
		(WITH x AS (SELECT * FROM plain) SELECT now() UNION ALL SELECT uuid_v7_timestamp(id) FROM x LIMIT 9)
		UNION SELECT now()
		SQL
{
	like(psql("BEGIN; $sql; ROLLBACK"), qr/ERROR: .* holds layout "rfc9562"/, "refused: $sql");
}
is_right('a function of another library is none of the windows', <<~'SQL', '20');
	DO $$
	BEGIN
		EXECUTE format('CREATE FUNCTION elsewhere(uuid) RETURNS timestamptz STRICT LANGUAGE c AS %L, %L',
			(SELECT setting FROM pg_config WHERE name = 'PKGLIBDIR') || '/uuidnew', 'uuid_v7_timestamp');
	END $$;
	SELECT count(elsewhere(id)) FROM plain WHERE uuidv7_before(id, 'infinity')
	SQL

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
	CREATE FUNCTION rows_of_plain() RETURNS SETOF plain
		LANGUAGE sql VOLATILE AS 'SELECT * FROM rfc9562.plain';
	CREATE DOMAIN guarded_key AS uuid CHECK (uuidv7_is(VALUE));
	CREATE TABLE of_guarded_key (id guarded_key, n int);
	CREATE TABLE alone (id uuid, CHECK (uuidv7_is(id)) NO INHERIT);
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
	q{DELETE FROM plain WHERE uuid_v7_between(id, NULL, now(), lower('DRAFT'))},
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
	<<~'SQL',
		WITH RECURSIVE x AS (SELECT id FROM plain UNION SELECT id FROM x)
		SELECT uuid_v7_timestamp(id) FROM x
		SQL
	'SELECT * FROM (SELECT count(uuid_v7_timestamp(k)) FROM plain, LATERAL (VALUES (id), (id)) v(k)) y',
	'SELECT * FROM (SELECT count(uuid_v7_timestamp(id)) FROM rows_of_plain()) y',
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
	'SELECT uuid_v7_timestamp(id) FROM of_guarded_key',
	'SELECT uuid_v7_timestamp(id) FROM alone')
{
	unlike(psql("BEGIN; $unseen; ROLLBACK"), qr/ERROR/, "not seen: $unseen");
}


$node->stop;
done_testing();
