# The names of PostgreSQL 18, where core has them too: the extension has all five functions beside core's, and
# a dump or pg_upgrade keeps tables.  pg_upgrade does not keep the order of a server.  On a server before 18,
# functions stand in for core's, with results that differ from the extension's.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Dumps;
use Server qw(start_server);
use Session;

my $marked = q{overlay(gen_random_uuid()::text PLACING 'c0dec0dec0de' FROM 25)};
my %core = (
	'uuidv4()' => "RETURNS uuid VOLATILE AS \$\$SELECT ${marked}::uuid\$\$",
	'uuidv7()' => "RETURNS uuid VOLATILE AS \$\$SELECT overlay($marked PLACING '7' FROM 15)::uuid\$\$",
	'uuidv7(shift interval)' =>
	  "RETURNS uuid VOLATILE STRICT AS \$\$SELECT overlay($marked PLACING '7' FROM 15)::uuid\$\$",
	'uuid_extract_timestamp(uuid)' => q{RETURNS timestamptz IMMUTABLE STRICT LEAKPROOF AS
		$$SELECT to_timestamp(978307200)$$},
	'uuid_extract_version(uuid)' => q{RETURNS smallint IMMUTABLE STRICT LEAKPROOF AS
		$$SELECT 99::smallint$$});

sub ask { return Session::answer(@_) }

# Which of the five a database lacks in core, each with the names of its arguments
sub missing_in_core
{
	my ($node, $database) = @_;
	return split /\n/,
	  $node->safe_psql(
		$database,
		join ' UNION ALL ',
		map { "SELECT '$_' WHERE to_regprocedure('pg_catalog." . s/shift //r . "') IS NULL" } sort keys %core
	  );
}

my ($old, $new) =
  map { start_server("shared_preload_libraries = 'uuidnew'\nshared_buffers = 16MB", $_) } qw(old new);

# The new server has all five in core, in the databases that are created from now on.
$new->safe_psql(
	'postgres',
	join "\n",
	'ALTER DATABASE template0 ALLOW_CONNECTIONS true;',
	'\c template0',
	(   map {
				"CREATE FUNCTION pg_catalog.$_ $core{$_} LANGUAGE sql PARALLEL SAFE;\n"
			  . "COMMENT ON FUNCTION pg_catalog."
			  . s/shift //r
			  . " IS 'stands in for core''s';"
		} missing_in_core($new, 'postgres')),
	'\c postgres',
	'ALTER DATABASE template0 ALLOW_CONNECTIONS false');

# The functions of a schema that have core's names, if they are as they should be
my $functions = <<~'SQL';
	SELECT p.oid::regprocedure, obj_description(p.oid, 'pg_proc')
	FROM pg_proc p JOIN pg_depend ON classid = 'pg_proc'::regclass AND objid = p.oid AND deptype = 'e'
		JOIN pg_extension e ON refclassid = 'pg_extension'::regclass AND refobjid = e.oid
			AND extname = 'uuidnew'
	WHERE proname IN ('uuidv4', 'uuidv7', 'uuid_extract_timestamp', 'uuid_extract_version')
		AND pronamespace = extnamespace AND proowner = 10 AND NOT prosecdef AND probin LIKE '%uuidnew'
	ORDER BY proname COLLATE "C", pronargs
	SQL

# What it gives if all are there
my @five = split /\n/, <<~'END';
	uuid_extract_timestamp(uuid)|extract timestamp from UUID
	uuid_extract_version(uuid)|extract version from RFC 9562 UUID
	uuidv4()|generate UUID version 4
	uuidv7()|generate UUID version 7
	uuidv7(interval)|generate UUID version 7 with a timestamp shifted by specified interval
	END

sub all_five
{
	my ($schema) = @_;
	return join "\n", map { "$schema.$_" } @five;
}

$old->safe_psql('postgres', "CREATE DATABASE $_ TEMPLATE template0") foreach qw(app back);
$new->safe_psql('postgres', 'CREATE DATABASE core TEMPLATE template0');
is(scalar(missing_in_core($new, 'core')), 0, 'core has all five functions there');

# Beside core's functions
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

# From a server without these functions in core to one with them

# Qualified, or with core's schema last, the names are the extension's on any server.
$old->safe_psql('app', <<~'SQL');
	CREATE SCHEMA keys;
	CREATE EXTENSION uuidnew SCHEMA keys;
	CREATE SCHEMA app;
	SET search_path = keys, pg_catalog;
	CREATE TABLE app.keys (
		id uuid PRIMARY KEY DEFAULT uuidv7(),
		early uuid DEFAULT uuidv7('-1 hour'),
		random uuid DEFAULT uuidv4(),
		made timestamptz GENERATED ALWAYS AS (uuid_extract_timestamp(id)) STORED,
		version smallint GENERATED ALWAYS AS (uuid_extract_version(id)) STORED,
		note int,
		CONSTRAINT versions
			CHECK (uuid_extract_version(id) = 7 AND uuid_extract_version(random) = 4),
		CONSTRAINT times CHECK (uuid_extract_timestamp(early) < uuid_extract_timestamp(id)));
	CREATE INDEX keys_time ON app.keys (uuid_extract_timestamp(id));
	CREATE INDEX keys_version ON app.keys (note) WHERE uuid_extract_version(random) = 4;
	CREATE VIEW app.seen AS
		SELECT note, uuid_extract_timestamp(id) AS made, uuid_extract_version(random) AS version,
			   uuid_extract_timestamp(uuidv7('1 day')) > now() + '23 hours' AS tomorrow
		FROM app.keys;
	CREATE MATERIALIZED VIEW app.stored AS TABLE app.seen;
	CREATE FUNCTION app.new_key() RETURNS uuid LANGUAGE sql BEGIN ATOMIC SELECT uuidv7(); END;
	INSERT INTO app.keys (note) SELECT generate_series(1, 1000);
	REFRESH MATERIALIZED VIEW app.stored;
	SQL

# New rows are the extension's and come after the old ones.
sub goes_on
{
	my ($node, $database) = @_;

	is( ask($node, $database, <<~'SQL'),
		LOAD 'uuidnew';
		SET uuidnew.machine_id_bits = 10;
		SET uuidnew.machine_id = 517;
		SELECT id AS newest FROM app.keys ORDER BY id DESC LIMIT 1 \gset
		INSERT INTO app.keys (note) SELECT generate_series(1001, 1100);
		SELECT count(*), bool_and(id > :'newest'),
			bool_and(keys.uuid_machine_id(id, 10, 'rfc9562') = 517),
			   bool_and(keys.uuid_machine_id(early, 10, 'rfc9562') = 517),
			   bool_and(random::text NOT LIKE '%c0dec0dec0de'), bool_and(version = 7),
			   bool_and(made = keys.uuid_v7_timestamp(id, 'rfc9562')),
			   bool_and(abs(extract(epoch FROM made - now())) < 60)
		FROM app.keys WHERE note > 1000;
		SELECT count(*)
		FROM (SELECT id, lag(id) OVER (ORDER BY note) AS before FROM app.keys WHERE note > 1000) k
		WHERE id <= before;
		SELECT keys.uuid_machine_id(app.new_key(), 10, 'rfc9562');
		SELECT count(*) FILTER (WHERE made > '2020-01-01' AND version = 4 AND tomorrow) FROM app.seen
		SQL
		"100|t|t|t|t|t|t|t\n0\n517\n1100",
		"$database on " . $node->name . ': new rows are made by the functions of the extension, in order');
	is(ask($node, $database, 'INSERT INTO app.keys (id) VALUES (gen_random_uuid())'),
		'23514', "$database on " . $node->name . ': the check holds');
}

my $dump = dump_of($old, 'app');
like($dump, qr/\bkeys\.\Q$_\E\(/, "$_ is called by its schema")
  for qw(uuidv4 uuidv7 uuid_extract_timestamp uuid_extract_version);
unlike($dump, qr/(?<!keys\.)\b(uuidv\w+|uuid_extract\w+)\(/, 'all functions are called by their schema');

restore($old, 'app', $new, 'core');
is(dump_of($new, 'core'), $dump, 'restored, the dump is the same');
goes_on($new, 'core');
$new->safe_psql('core', 'DROP SCHEMA app CASCADE; DROP EXTENSION uuidnew; DROP SCHEMA keys');

# Without the extension there: a function stands in for its own, as doc/switching.md says.
my $page = slurp_file("$FindBin::Bin/../../doc/switching.md") =~ s/\s+/ /gr;
my ($lend) = $page =~ /`(CREATE FUNCTION public\.uuidv7\(\) .*?)`/;
my ($set_default) = $page =~ /(ALTER TABLE notes ALTER id SET DEFAULT uuidv7\(\);)/;
$old->safe_psql('back', <<~'SQL');
	CREATE EXTENSION uuidnew;
	CREATE TABLE notes (id uuid PRIMARY KEY DEFAULT public.uuidv7(), line text);
	INSERT INTO notes (line) SELECT generate_series(1, 10)
	SQL
my $without = dump_of($old, 'back') =~ s/( EXTENSION (?:IF NOT EXISTS )?)uuidnew\b/$1not_there/gr;
$new->safe_psql('core', $lend);
my (undef, undef, $stderr) = $new->psql('core', $without, on_error_stop => 0);
like(
	join("\n", $stderr =~ /ERROR:  (.*)/g),
	qr/\A.*\bnot_there\b.*\nextension "not_there" does not exist\z/,
	'the restore goes on where there is no extension');
is( $new->safe_psql('core', 'SELECT * FROM notes ORDER BY id'),
	$old->safe_psql('back', 'SELECT * FROM notes ORDER BY id'),
	'the rows are the same');
is(ask($new, 'core', 'DROP FUNCTION public.uuidv7()'), '2BP01', 'the function that was lent is in use');
is( ask($new, 'core', <<~SQL),
	$set_default
	DROP FUNCTION public.uuidv7();
	INSERT INTO notes (line) VALUES (11);
	SELECT count(*) FROM notes
	SQL
	'11',
	"the lent function can be dropped when the default is core's");

# pg_upgrade, to the new server as it was at first
SKIP:
{
	chomp(my $bindir = qx(pg_config --bindir));
	skip 'there is no pg_upgrade', 1 if !-x "$bindir/pg_upgrade";

	# the old server has an order, an hour ahead of the clock
	$old->append_conf('postgresql.conf', 'uuidnew.order_scope = server');
	$old->restart;
	$old->safe_psql('back', q{SELECT uuidnew_order_begin_after(uuidv7_at(now() + interval '1 hour'))});
	$old->safe_psql('app', 'CREATE TABLE kept AS SELECT keys.uuid_generate_v7() AS id');

	$dump = dump_of($old, 'app');
	$old->safe_psql('app', "DROP DATABASE $_") foreach qw(back postgres);
	$new->safe_psql('postgres', $_) foreach 'DROP DATABASE core', 'DROP DATABASE shop', 'DROP ROLE boss';
	$_->stop for $old, $new;
	my $no_sync = qx($bindir/pg_upgrade --help) =~ /--no-sync/;    # since PostgreSQL 15
	chdir $new->basedir or die $!;                                 # where pg_upgrade may leave files
	$new->command_ok(
		[
			'pg_upgrade', '--link', '-d', $old->data_dir, '-D', $new->data_dir, '-b', $bindir, '-B', $bindir,
			'-s', $new->host, '-p', $old->port, '-P', $new->port, $no_sync ? '--no-sync' : ()
		],
		'pg_upgrade takes the databases along');
	$new->start;

	is(scalar(missing_in_core($new, 'app')), 0, 'core has the functions after pg_upgrade');
	is(dump_of($new, 'app'), $dump, 'after pg_upgrade, the dump is the same');
	is(ask($new, 'app', "SET search_path = pg_catalog; $functions"),
		all_five('keys'), 'after pg_upgrade, the extension has all five functions');
	goes_on($new, 'app');

	# pg_upgrade takes no order along: the new server begins with its clock, or where it is told to.
	is($new->safe_psql('app', 'SELECT count(*) FROM pg_replication_origin_status'),
		'0', 'pg_upgrade takes no order along');
	$new->append_conf('postgresql.conf', 'uuidnew.order_scope = server');
	$new->stop('immediate');
	$new->start;
	$new->safe_psql('app', 'SELECT keys.uuidnew_order_begin_after(id) FROM kept');
	is($new->safe_psql('app', <<~'SQL'), "0\nt\nf", 'the order begins an hour ahead where it is told to');
		SELECT count(*) FROM kept WHERE id >= (SELECT keys.uuid_generate_v7());
		SELECT ahead BETWEEN interval '59 min' AND interval '61 min' FROM keys.uuidnew_order();
		SELECT keys.uuid_v7_horizon() > keys.uuid_generate_v7()
		SQL
	$new->stop('immediate');
}

done_testing();
