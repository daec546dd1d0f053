# What tests of the two kinds of version 7 share: UUIDs and times at and around the ends of both kinds,
# and the time that each reader should give for them, computed from the digits without the extension.
package Kinds;

use strict;
use warnings FATAL => 'all';

use Exporter qw(import);
use Test::More;

use Server;

our @EXPORT = qw($border $opaque start_kinds are_near ask error_of plan_of is_none ids_and_moments);

our $border = q{'03000000-0000-7000-8000-000000000000'::uuid};
my $node;

# Schema opaque: the windows and operators without planner support, which are called as they are
our $opaque = <<~'SQL';
	CREATE SCHEMA opaque;
	SELECT replace(regexp_replace(pg_get_functiondef(oid), ' SUPPORT \S+', ''), 'FUNCTION public.',
		'FUNCTION opaque.')
	FROM pg_proc
	WHERE pronamespace = 'public'::regnamespace
		AND proname ~ '^uuid_?v[678]_(between|before|from|upto|after|within)$' \gexec
	SELECT format('CREATE OPERATOR opaque.%s (LEFTARG = uuid, RIGHTARG = %s, FUNCTION = opaque.%I)', oprname,
		oprright::regtype, (SELECT proname FROM pg_proc WHERE oid = oprcode))
	FROM pg_operator
	WHERE oprleft = 'uuid'::regtype AND oprright IN ('timestamptz'::regtype, 'tstzrange'::regtype) \gexec
	SQL

# The server, with the extension.  The database has
#   model_kind(uuid)		'rfc9562', 'draft', 'v1', 'v6', or 'none'
#   model_time(uuid)		the time of a UUID of these kinds
#   estimate(query)			the rows that the planner expects
sub start_kinds
{
	$node = start_server('max_parallel_workers_per_gather = 0');
	ask(<<~"SQL");
		CREATE EXTENSION uuidnew;
		CREATE FUNCTION number(digits text) RETURNS bigint LANGUAGE sql IMMUTABLE
			RETURN ('x' || lpad(digits, 16, '0'))::bit(64)::bigint;
		CREATE FUNCTION after(since timestamptz, seconds bigint, micros bigint) RETURNS timestamptz
			LANGUAGE sql IMMUTABLE
			RETURN since + seconds * interval '1 second' + micros * interval '1 microsecond';
		CREATE FUNCTION model_kind(id uuid) RETURNS text LANGUAGE sql IMMUTABLE
			RETURN CASE
				WHEN substr(id::text, 20, 1) !~ '[89ab]' THEN 'none'
				WHEN substr(id::text, 15, 1) = '7' THEN CASE WHEN id < $border THEN 'rfc9562' ELSE 'draft' END
				WHEN substr(id::text, 15, 1) ~ '[16]' THEN 'v' || substr(id::text, 15, 1)
				ELSE 'none' END;
		CREATE FUNCTION model_time(id uuid) RETURNS timestamptz LANGUAGE plpgsql IMMUTABLE AS \$\$
		DECLARE
			digits text := replace(id::text, '-', '');
			part bigint;
		BEGIN
			CASE model_kind(id)
				WHEN 'rfc9562' THEN
					part := number(left(digits, 12));
					RETURN after('1970-01-01 00:00:00+00', part / 1000, part % 1000 * 1000);
				WHEN 'draft' THEN	-- 38 bits of a second
					part := (number(substr(digits, 10, 3) || substr(digits, 14, 3)) << 14)
						+ (number(substr(digits, 17, 4)) & 16383);
					RETURN after('1970-01-01 00:00:00+00', number(left(digits, 9)), part * 1000000 >> 38);
				WHEN 'v1' THEN
					part := number(substr(digits, 14, 3) || substr(digits, 9, 4) || left(digits, 8)) / 10;
					RETURN after('1582-10-15 00:00:00+00', part / 1000000, part % 1000000);
				WHEN 'v6' THEN
					part := number(left(digits, 12) || substr(digits, 14, 3)) / 10;
					RETURN after('1582-10-15 00:00:00+00', part / 1000000, part % 1000000);
				ELSE RETURN NULL;
			END CASE;
		END \$\$;
		CREATE FUNCTION estimate(query text) RETURNS bigint LANGUAGE plpgsql AS \$\$
		DECLARE
			plan json;
		BEGIN
			EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
			RETURN plan -> 0 -> 'Plan' ->> 'Plan Rows';
		END \$\$;
		SQL
	return $node;
}

# The error that ends them, with its SQLSTATE, detail and hint, or nothing
sub error_of
{
	my ($sql) = @_;
	my (undef, undef, $error) = $node->psql('postgres', "\\set VERBOSITY verbose\n$sql", on_error_stop => 1);
	return $error =~ s/^psql:\S* //mgr =~ s/^LOCATION.*\n?//mgr;
}

# The plan of a query, after other statements
sub plan_of
{
	my ($query, $before) = @_;
	return ask(($before // '') . "; EXPLAIN (COSTS OFF) $query");
}

# Tables ids (n, id, kind, and its time as rfc, draft, v6, v1) and moments (ts), drawn by lot with a seed
# between 0 and 1: so many random UUIDs, and so many random times
sub ids_and_moments
{
	my ($seed, $random_ids, $random_moments) = @_;
	ask(<<~SQL);
		SELECT setseed($seed);
		CREATE TABLE ids AS
		SELECT row_number() OVER () AS n, id, kind, CASE kind WHEN 'rfc9562' THEN at END AS rfc,
			CASE kind WHEN 'draft' THEN at END AS draft, CASE kind WHEN 'v6' THEN at END AS v6,
			CASE kind WHEN 'v1' THEN at END AS v1
		FROM (
			-- every version and variant around each end, nil and max
			SELECT overlay(overlay(head || tail PLACING version FROM 13) PLACING variant FROM 17)::uuid AS id
			FROM unnest('{000000000000, 000000000001, 019b76daa800, 02fffffffffe, 02ffffffffff,
					030000000000, 030000000001, 06955b900000, ffffffffffff}'::text[]) head,
				(VALUES (repeat('0', 20)), (repeat('f', 20)), (left(md5(random()::text), 20))) t(tail),
				unnest('{0,1,2,3,4,5,6,7,8,f}'::text[]) version,
				unnest('{0,7,8,b,c,f}'::text[]) variant
			UNION ALL
			-- random ones, many of them of version 7, and of the years of this century
			SELECT overlay(overlay(
				CASE i % 3 WHEN 0 THEN md5(random()::text)
					ELSE '0' || floor(random() * 8) || left(md5(random()::text), 30) END
				PLACING substr('146777778', i % 9 + 1, 1) FROM 13)
				PLACING substr('89ab', 1 + floor(random() * 4)::int, 1) FROM 17)::uuid
			FROM generate_series(1, $random_ids) i
			UNION ALL SELECT NULL) ids, LATERAL (SELECT model_kind(id) AS kind, model_time(id) AS at) model;
		ALTER TABLE ids ADD PRIMARY KEY (n);
		CREATE INDEX ON ids (id);

		CREATE TABLE moments AS
		SELECT DISTINCT ts FROM (
			SELECT ts + away * interval '1 microsecond' AS ts
			FROM unnest('{1582-10-15 00:00:00, 1970-01-01 00:00:00, 1995-07-09 16:12:48,
					2026-01-01 00:00:00, 2074-07-11 11:41:23.328, 4147-08-20 07:32:16,
					5236-03-31 21:21:00.684697, 10889-08-02 05:31:50.656}'::timestamptz[]) ts,
				unnest('{-1000, -1, 0, 1}'::int[]) away
			UNION ALL SELECT unnest('{-infinity, infinity, NULL, 4714-11-24 00:00:00+00 BC,
				294276-12-31 23:59:59.999999+00}'::timestamptz[])
			UNION ALL SELECT timestamptz '1970-01-01' + random() * interval '150 years'
			FROM generate_series(1, $random_moments)
			UNION ALL SELECT timestamptz '1500-01-01' + random() * interval '4000 years'
			FROM generate_series(1, $random_moments)
			UNION ALL (SELECT coalesce(rfc, draft) + floor(random() * 3 - 1) * interval '1 microsecond'
				FROM ids
				WHERE kind IN ('rfc9562', 'draft') ORDER BY random() LIMIT $random_moments)) ts;
		ANALYZE ids, moments;
		SQL
	return;
}

# are_near(of what, [name, query, its rows as SQL, how many rows the estimate may be off]...): the planner's
# estimates are within this number, or within a factor of two
sub are_near
{
	my ($of, @cases) = @_;
	my @lines = split /\n/, ask(map { "SELECT estimate(\$q\$$_->[1]\$q\$), ($_->[2])" } @cases);
	is(scalar(@lines), scalar(@cases), "$of: a result for each query");
	foreach my $case (@cases)
	{
		my ($name, undef, undef, $rows) = @$case;
		my ($estimate, $truth) = split /\|/, shift @lines;
		ok(abs($estimate - $truth) <= $rows || $estimate >= $truth / 2 && $estimate <= $truth * 2,
			"$of, $name: $estimate rows are near $truth");
	}
	return;
}

# is_none(name, query): a query that lists what is wrong gives no rows.
sub is_none
{
	my ($name, $query) = @_;
	is(ask("SELECT * FROM ($query) wrong LIMIT 5"), '', $name);
	return;
}

1;
