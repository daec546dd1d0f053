# Where core has functions of the extension's names, as from PostgreSQL 18 on: the extension's beside
# them, and somebody else's that are in the way.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use CoreFunctions;

# In --quick a user creates the extension in one of three schemas, and two functions are in the way, by lot.
my $quick = $ENV{UUIDNEW_QUICK};
my $seed = $ENV{CORE_SEED} // int(rand(15));
note("CORE_SEED=$seed") if $quick;

my $new = start_with_core('new');
$new->safe_psql('postgres', $_)
  for 'CREATE ROLE boss LOGIN', 'CREATE DATABASE shop OWNER boss TEMPLATE template0';

# All that is said of core's functions, and by which transaction
my $of_core = <<~'SQL';
	SELECT md5(string_agg(concat_ws(' ', p.ctid, p.xmin, p::text, d.ctid, d.xmin, d::text), E'\n'
		ORDER BY p.oid, objsubid))
	FROM pg_proc p LEFT JOIN pg_description d ON classoid = 'pg_proc'::regclass AND objoid = p.oid
	WHERE pronamespace = 'pg_catalog'::regnamespace;
	SELECT count(*) FROM pg_depend WHERE deptype = 'e' AND classid = 'pg_proc'::regclass
		AND objid IN (SELECT oid FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace)
		AND refobjid IN (SELECT oid FROM pg_extension WHERE extname = 'uuidnew')
	SQL

my $database = 'shop';
for my $user ('', 'boss')
{
	my @schemas = ('public', 'keys', '"Keys of ""$do$"" %I"');
	@schemas = $schemas[ ($seed + ($user eq 'boss')) % 3 ] if $quick;
	for my $schema (@schemas)
	{
		my $name = ($user || 'a superuser') . ", schema $schema";
		my $create = "CREATE SCHEMA IF NOT EXISTS $schema; CREATE EXTENSION uuidnew SCHEMA $schema";
		my $before = $new->safe_psql($database, $of_core);

		# with pg_catalog alone in the path, regprocedure shows each schema
		my $show = "SET search_path = pg_catalog; $functions";
		is(ask($new, $database, $create, $user), '', "$name: the extension is created");
		is($new->safe_psql($database, $show),
			all_five($schema), "$name: the extension has all five functions");
		is(ask($new, $database, "DROP EXTENSION uuidnew; $create VERSION '1.0'", $user),
			'', "$name: version 1.0 is created");
		is($new->safe_psql($database, $show), '', "$name: version 1.0 makes none of the five");
		is(ask($new, $database, 'ALTER EXTENSION uuidnew UPDATE', $user),
			'', "$name: the extension is updated");
		is($new->safe_psql($database, $show),
			all_five($schema), "$name: the extension has all five functions");
		$new->safe_psql($database, 'CREATE SCHEMA elsewhere; ALTER EXTENSION uuidnew SET SCHEMA elsewhere');
		is($new->safe_psql($database, $show), all_five('elsewhere'), "$name: all five have moved");
		is( ask($new, $database, <<~'SQL'),
			GRANT USAGE ON SCHEMA elsewhere TO boss;
			SELECT elsewhere.uuid_extract_version(elsewhere.uuidv7()),
				elsewhere.uuid_extract_version(elsewhere.uuidv4()),
				   elsewhere.uuid_extract_timestamp(elsewhere.uuidv7('-1 day')) < now() - interval '23 hours'
			SQL
			'7|4|t', "$name: the functions work");
		is($new->safe_psql($database, $of_core), $before, "$name: core's are as they were");
		$new->safe_psql($database,
			'DROP EXTENSION uuidnew; DROP SCHEMA elsewhere'
			  . ($schema eq 'public' ? '' : "; DROP SCHEMA $schema"));
	}
}

#
# Somebody else's function of such a name is in the way, and is not taken over.
#
my $state = <<~'SQL';
	SELECT coalesce(max(extversion), 'none') FROM pg_extension WHERE extname = 'uuidnew';
	SELECT count(*) FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND probin IS NOT NULL
		AND (proname LIKE 'uuidv%' OR proname LIKE 'uuid_extract%' OR proname = 'uuid_v7_layout'
			OR proowner <> 10);
	SELECT id FROM own ORDER BY id
	SQL
my $nil = '00000000-0000-0000-0000-000000000000';
is(ask($new, 'shop', <<~'SQL', 'boss'), '', 'a user has a function uuidv7()');
	CREATE FUNCTION public.uuidv7() RETURNS uuid
		LANGUAGE sql RETURN '00000000-0000-0000-0000-000000000000'::uuid;
	CREATE TABLE own (id uuid DEFAULT public.uuidv7());
	INSERT INTO own DEFAULT VALUES
	SQL
is(ask($new, 'shop', 'CREATE EXTENSION uuidnew SCHEMA public', 'boss'),
	'42723', 'CREATE EXTENSION fails in its schema');
is(ask($new, 'shop', $state), "none\n0\n$nil", 'nothing is left of the extension');
is(ask($new, 'shop', q{CREATE EXTENSION uuidnew SCHEMA public VERSION '1.0'}, 'boss'),
	'', 'version 1.0 is created');
is(ask($new, 'shop', 'ALTER EXTENSION uuidnew UPDATE', 'boss'), '42723', 'ALTER EXTENSION UPDATE fails');
is(ask($new, 'shop', $state), "1.0\n0\n$nil", 'the extension is as it was');
like(
	($new->psql('shop', 'ALTER EXTENSION uuidnew UPDATE'))[2],
	qr/^psql:<stdin>:\d+: ERROR:  function "uuidv7" already exists with same argument types/,
	'the error says why');
is( ask($new, 'shop', <<~'SQL', 'boss'),
	ALTER FUNCTION public.uuidv7() RENAME TO my_uuidv7;
	ALTER EXTENSION uuidnew UPDATE;
	INSERT INTO own DEFAULT VALUES;
	SELECT count(DISTINCT id), count(*), public.uuidv7() > public.my_uuidv7() FROM own
	SQL
	'1|2|t', "the user's function is kept under another name");
is( ask($new, 'shop', <<~'SQL', 'boss') . ask($new, 'shop', 'ALTER EXTENSION uuidnew SET SCHEMA keys')
	DROP EXTENSION uuidnew;
	ALTER FUNCTION public.my_uuidv7() RENAME TO uuidv7;
	CREATE EXTENSION uuidnew SCHEMA public VERSION '1.0';
	CREATE SCHEMA keys
	SQL
	  . ask($new, 'shop', <<~'SQL', 'boss'),
		ALTER EXTENSION uuidnew UPDATE;
		SELECT keys.uuidv7() > public.uuidv7()
		SQL
	't', "the user's function is kept where the extension moves away");
is( ask($new, 'shop', <<~'SQL', 'boss'),
	DROP EXTENSION uuidnew;
	CREATE EXTENSION uuidnew SCHEMA keys;
	INSERT INTO own DEFAULT VALUES;
	SELECT count(DISTINCT id), count(*), keys.uuidv7() > public.uuidv7() FROM own;
	DROP EXTENSION uuidnew;
	CREATE EXTENSION uuidnew SCHEMA keys VERSION '1.0';
	ALTER EXTENSION uuidnew UPDATE;
	SELECT keys.uuidv7() > public.uuidv7()
	SQL
	"1|3|t\nt", "an extension in a schema of its own lives beside the user's function");

# As a member of the extension it would be replaced, and its owner would have a function
# in C: she could have it called with NULL, which crashes the server.
for my $signature (map { $_->[0] } $quick ? @five[ $seed % 5 - 1, $seed % 5 ] : @five)
{
	my $type = $signature =~ /timestamp/ ? 'timestamptz' : $signature =~ /version/ ? 'smallint' : 'uuid';
	# that it has the text of the extension's in it makes no difference
	my $body = $signature =~ s/\(interval\)/_interval/r =~ s/\(.*//r;

	is( ask($new, 'shop', <<~SQL, 'boss'),
		DROP EXTENSION IF EXISTS uuidnew;
		DROP FUNCTION IF EXISTS public.uuidv7() CASCADE;
		CREATE EXTENSION uuidnew SCHEMA public VERSION '1.0';
		SET check_function_bodies = off;
		CREATE FUNCTION public.$signature RETURNS $type LANGUAGE sql AS 'uuidnew_$body';
		ALTER EXTENSION uuidnew ADD FUNCTION public.$signature;
		ALTER EXTENSION uuidnew UPDATE
		SQL
		'42723', "a user's $signature does not become the extension's");
	is( ask($new, 'shop', <<~'SQL'),
		SELECT extversion FROM pg_extension WHERE extname = 'uuidnew';
		SELECT count(*) FROM pg_proc WHERE probin IS NOT NULL AND proowner <> 10
		SQL
		"1.0\n0", 'no function in C is a user\'s');
}

$new->stop;
done_testing();
