# A window needs the right to call the window, and nothing else: who may not call the functions of its
# bounds or its filter gets the same rows, and objects with windows are the same for all roles.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use lib $FindBin::RealBin;
use Kinds;

start_kinds();

ask(<<~'SQL');
	CREATE ROLE reader;
	CREATE ROLE other_reader;
	CREATE TABLE keys AS
	SELECT n, uuidv7_at(at) AS rfc, uuid_generate_v7_at(at) AS draft, uuid_generate_v6_at(at) AS v6,
		uuid_generate_v8_at(at) AS v8
	FROM generate_series(0, 99) n,
		LATERAL (SELECT timestamptz '2026-01-01 00:00+00' + n * interval '1 day' AS at) t;
	CREATE INDEX ON keys (rfc);
	CREATE INDEX ON keys (draft);
	CREATE INDEX ON keys (v6);
	CREATE INDEX ON keys (v8);
	GRANT ALL ON keys TO reader, other_reader;
	SQL

# Each window, and what it becomes
my ($a, $b) = map { "timestamptz '2026-$_ 00:00+00'" } '01-11', '01-21';
my %windows = (
	"uuidv7_between(rfc, $a, $b)" =>
	  [ 'uuidv7_since(timestamptz)', 'uuidv7_until(timestamptz)', 'uuidv7_is(uuid)' ],
	"uuid_v7_between(rfc, $a, $b, 'rfc9562')" => [
		'uuid_v7_since(timestamptz, text)',
		'uuid_v7_until(timestamptz, text)',
		'uuid_v7_is(uuid, text)',
		'uuidv7_is(uuid)',
		'uuidv7_since(timestamptz)'
	],
	"uuid_v7_between(draft, $a, $b)" =>
	  [ 'uuid_v7_since(timestamptz)', 'uuid_v7_until(timestamptz)', 'uuid_v7_is(uuid)' ],
	"uuid_v6_between(v6, $a, $b)" =>
	  [ 'uuid_v6_since(timestamptz)', 'uuid_v6_until(timestamptz)', 'uuid_v6_is(uuid)' ],
	"uuid_v8_between(v8, $a, $b)" => [
		'uuid_v8_since(timestamptz, text, timestamptz)',
		'uuid_v8_until(timestamptz, text, timestamptz)',
		'uuid_v8_is(uuid, text, timestamptz)'
	],
	"rfc >= $a AND rfc < $b" => [ 'uuidv7_min(timestamptz)', 'uuidv7_is(uuid)' ],
	"rfc > $a - interval '1 us' AND rfc <= $b - interval '1 day'" =>
	  [ 'uuidv7_min(timestamptz)', 'uuidv7_max(timestamptz)', 'uuidv7_is(uuid)' ],
	"uuid_v7_from(draft, $a) AND uuid_v7_before(draft, $b)" =>
	  [ 'uuid_v7_min(timestamptz)', 'uuid_v7_is(uuid)' ],
	"rfc <@ tstzrange($a, $b)" =>
	  [ 'uuidv7_range_since(tstzrange)', 'uuidv7_range_until(tstzrange)', 'uuidv7_is(uuid)' ]);
foreach my $window (sort keys %windows)
{
	foreach my $function (@{ $windows{$window} })
	{
		foreach my $how ('', 'SET plan_cache_mode = force_generic_plan;')
		{
			# constants, and the ends as parameters
			my $prepared = $window =~ s/\Q$a\E/\$1/gr =~ s/\Q$b\E/\$2/gr;
			is(ask(<<~SQL), "10\n10\n90", "without EXECUTE on $function, $window matches the same rows");
				BEGIN;
				REVOKE EXECUTE ON FUNCTION $function FROM PUBLIC;
				SET LOCAL ROLE reader;
				$how
				SELECT count(*) FROM keys WHERE $window;
				PREPARE q(timestamptz, timestamptz) AS SELECT count(*) FROM keys WHERE $prepared;
				EXECUTE q($a, $b);
				SELECT count(*) FROM keys WHERE NOT ($window);
				ROLLBACK;
				DEALLOCATE q
				SQL
		}
	}
}

# A plan that a session keeps is for roles with EXECUTE on the window alone, and for no other role.
foreach (
	[ 'uuidv7_between(uuid, timestamptz, timestamptz)', 'uuidv7_between(rfc, $1, NULL)' ],
	[ 'uuidv7_from(uuid, timestamptz)', 'uuidv7_from(rfc, $1)' ],
	[ 'uuidv7_from(uuid, timestamptz)', 'rfc >= $1' ],
	[ 'uuidv7_within(uuid, tstzrange)', 'rfc <@ tstzrange($1, NULL)' ],
	[ 'uuid_v7_between(uuid, timestamptz, timestamptz, text)', q{uuid_v7_between(rfc, $1, NULL, 'rfc9562')} ])
{
	my ($function, $window) = @$_;
	my ($name) = $function =~ /^(\w+)/;
	foreach my $mode ('force_generic_plan', 'auto')
	{
		my $execute = "EXECUTE q($a);";
		my $plan = <<~SQL;
			BEGIN;
			SET LOCAL plan_cache_mode = $mode;
			REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA public FROM PUBLIC;
			GRANT EXECUTE ON FUNCTION $function TO reader;
			PREPARE q(timestamptz) AS SELECT count(*) FROM keys WHERE $window;
			${\ ($execute x 7)}
			SQL
		is( ask("$plan SET ROLE reader; $execute RESET ROLE; $execute"),
			join("\n", (90) x 9),
			"$mode: $window matches the same rows for a role with EXECUTE on $name");
		like(
			error_of("$plan SET ROLE other_reader; $execute"),
			qr/permission denied for function $name$/m,
			"$mode: without EXECUTE on $name, $window is an error");
	}
}

# An index with a window serves all roles, each in sessions of its own.
foreach my $function ('uuidv7_since(timestamptz)', 'uuidv7_is(uuid)')
{
	foreach my $first ('reader', 'postgres')
	{
		my $insert = <<~SQL;
			INSERT INTO arbiter VALUES (1, uuidv7_at('2026-02-01 00:00+00'))
			ON CONFLICT (n) WHERE uuidv7_between(id, '2026-01-03 00:00+00', NULL) DO NOTHING;
			SQL
		my $as_reader = "SET ROLE reader;\n$insert RESET ROLE;";
		my ($one, $two) = $first eq 'reader' ? ($as_reader, $insert) : ($insert, $as_reader);
		is(ask( <<~SQL), '1', "without EXECUTE on $function, an index serves all roles, $first first");
			CREATE TABLE arbiter (n int, id uuid);
			CREATE UNIQUE INDEX ON arbiter (n) WHERE uuidv7_between(id, '2026-01-03 00:00+00', NULL);
			GRANT ALL ON arbiter TO reader;
			REVOKE EXECUTE ON FUNCTION $function FROM PUBLIC;
			\\c
			$one
			\\c
			$two
			SELECT count(*) FROM arbiter;
			GRANT EXECUTE ON FUNCTION $function TO PUBLIC;
			DROP TABLE arbiter;
			SQL
	}
}

done_testing();
