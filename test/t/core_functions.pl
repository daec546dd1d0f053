# Where core has functions of the extension's names, as from PostgreSQL 18 on: the extension has all five
# beside them, in any schema.  (search_paths has other functions that are in the way.)
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use CoreFunctions;

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

for ([ '', 'public' ], [ 'boss', 'keys' ], [ 'boss', '"Keys of ""$do$"" %I"' ])
{
	my ($user, $schema) = @$_;
	my $name = ($user || 'a superuser') . ", schema $schema";
	my $create = "CREATE SCHEMA IF NOT EXISTS $schema; CREATE EXTENSION uuidnew SCHEMA $schema";
	my $before = $new->safe_psql('shop', $of_core);

	# with pg_catalog alone in the path, regprocedure shows each schema
	my $show = "SET search_path = pg_catalog; $functions";
	is(ask($new, 'shop', $create, $user), '', "$name: the extension is created");
	is($new->safe_psql('shop', $show), all_five($schema), "$name: the extension has all five functions");
	$new->safe_psql('shop', 'CREATE SCHEMA elsewhere; ALTER EXTENSION uuidnew SET SCHEMA elsewhere');
	is($new->safe_psql('shop', $show), all_five('elsewhere'), "$name: all five have moved");
	is( ask($new, 'shop', <<~'SQL'),
		SELECT elsewhere.uuid_extract_version(elsewhere.uuidv7()),
			elsewhere.uuid_extract_version(elsewhere.uuidv4()),
			elsewhere.uuid_extract_timestamp(elsewhere.uuidv7('-1 day')) < now() - interval '23 hours'
		SQL
		'7|4|t', "$name: the functions work");
	is($new->safe_psql('shop', $of_core), $before, "$name: core's are as they were");
	$new->safe_psql('shop',
		'DROP EXTENSION uuidnew; DROP SCHEMA elsewhere'
		  . ($schema eq 'public' ? '' : "; DROP SCHEMA $schema"));
}

$new->stop;
done_testing();
