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

# In --quick a user creates the extension in one of three schemas, by lot.
my $quick = $ENV{UUIDNEW_QUICK};
my $seed = $ENV{CORE_SEED} // int(rand(3));
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
		AND (proname LIKE 'uuid%' OR proowner <> 10);
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
is(ask($new, 'shop', $state), "none\n0\n$nil", 'CREATE EXTENSION that fails leaves nothing');
like(
	($new->psql('shop', 'CREATE EXTENSION uuidnew SCHEMA public'))[2],
	qr/^psql:<stdin>:\d+: ERROR:  function "uuidv7" already exists with same argument types/,
	'the error of CREATE EXTENSION names the function');
is( ask($new, 'shop', <<~'SQL', 'boss'),
	ALTER FUNCTION public.uuidv7() RENAME TO my_uuidv7;
	CREATE EXTENSION uuidnew SCHEMA public;
	INSERT INTO own DEFAULT VALUES;
	SELECT count(DISTINCT id), count(*), public.uuidv7() > public.my_uuidv7() FROM own
	SQL
	'1|2|t', "the user's function is kept under another name");
is( ask($new, 'shop', <<~'SQL', 'boss'),
	DROP EXTENSION uuidnew;
	ALTER FUNCTION public.my_uuidv7() RENAME TO uuidv7;
	CREATE SCHEMA keys;
	CREATE EXTENSION uuidnew SCHEMA keys;
	INSERT INTO own DEFAULT VALUES;
	SELECT count(DISTINCT id), count(*), keys.uuidv7() > public.uuidv7() FROM own
	SQL
	'1|3|t', "an extension in a schema of its own lives beside the user's function");

$new->stop;
done_testing();
