# From one version of the extension to the next: a database that is updated has
# what a new one has, what was defined with version 1.0 lives on, and until it is
# updated the newer library serves it.
use strict;
use warnings FATAL => 'all';

use Digest::SHA qw(sha256_hex);
use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Session;

# In --quick each user creates the extension in one of two schemas and updates it from every other
# version, and the script or the archive is restored, by lot.
my $quick = $ENV{UUIDNEW_QUICK};
my $seed = $ENV{UPDATE_SEED} // int(rand(4));
note("UPDATE_SEED=$seed") if $quick;

my $root = "$FindBin::Bin/../..";

#
# Scripts that were released
#
my %frozen = (
	'uuidnew--1.0.sql' => '87f229058844841b48893965cc19bc37fa2de50e6d90fe9636988af037e7f164',
	'uuidnew--1.0--1.1.sql' => '4d97a524cdabf1d11aa4035608a2d4512a68fb6cb048b77238424f082c5d6fa2');
for my $script (sort keys %frozen)
{
	is(sha256_hex(slurp_file("$root/$script")), $frozen{$script}, "$script is as it was released")
	  or diag("$script is frozen, as databases have what it made. What is new or "
		  . "changes goes to the newest script uuidnew--*--*.sql.");
}

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', <<~'CONF');
	timezone = 'UTC'
	jit = off
	autovacuum = off
	max_logical_replication_workers = 0
	shared_buffers = 16MB
	CONF
$node->start;
my @restored = $quick ? (qw(of_script of_archive))[ $seed / 2 ] : qw(of_script of_archive);

# all databases at once, as each script that creates one ends the sessions
$node->safe_psql(
	'postgres', join '; ',
	'CREATE ROLE boss LOGIN; CREATE ROLE clerk',
	"CREATE DATABASE shop OWNER boss",
	map { "CREATE DATABASE $_ TEMPLATE template0" } @restored);

# What psql gives, and the SQLSTATEs of errors, if any
sub ask
{
	my ($database, $query, @options) = @_;
	my ($status, $stdout, $stderr) = $node->psql(
		$database, "\\set VERBOSITY sqlstate\n$query",
		extra_params => \@options,
		on_error_stop => 1);

	return join "\n", grep { $_ ne '' } $stdout, $stderr =~ /ERROR:\s+(\w{5})$/mg;
}

#
# Versions, and the ways between them
#
my $default = ask('postgres', q{SELECT default_version FROM pg_available_extensions WHERE name = 'uuidnew'});
my @older = split /\n/, ask('postgres', <<~SQL);
	SELECT version FROM pg_available_extension_versions
	WHERE name = 'uuidnew' AND version <> '$default' ORDER BY string_to_array(version, '.')::int[]
	SQL
is($older[0], '1.0', 'version 1.0 can be created');
is( ask('postgres', <<~SQL),
	SELECT source FROM pg_extension_update_paths('uuidnew')
	WHERE target = '$default' AND path IS NOT NULL ORDER BY string_to_array(source, '.')::int[]
	SQL
	join("\n", @older),
	'each older version can be updated');
is( ask('postgres', <<~'SQL'),
	SELECT source, target FROM pg_extension_update_paths('uuidnew')
	WHERE path IS NOT NULL AND string_to_array(source, '.')::int[] > string_to_array(target, '.')::int[]
	SQL
	'',
	'no script leads back to an older version');

#
# An updated database has what a new one has.
#

# All rows of all catalogs about the extension, its objects and what depends on
# them, but for what differs from one creation to the next (in attoptions some
# servers keep a position).  The OIDs of objects are listed, to be replaced.
my $catalogs = <<~'SQL';
	SET search_path = pg_catalog;
	CREATE TEMP TABLE objects AS
	WITH RECURSIVE objects(classid, objid) AS (
		SELECT 'pg_extension'::regclass::oid, oid FROM pg_extension WHERE extname = 'uuidnew'
		UNION
		SELECT d.classid, d.objid
		FROM pg_depend d JOIN objects o ON refclassid = o.classid AND refobjid = o.objid)
	TABLE objects;
	SELECT 'OID ' || objid || ' ' || type || ' ' || identity
	FROM objects, pg_identify_object(classid, objid, 0);
	SELECT format($$SELECT %1$L || ' ' ||
		to_jsonb(t) - '{relfilenode,relfrozenxid,relminmxid,attoptions}'::text[] FROM %1$I t WHERE %2$s$$,
		catalog, string_agg(condition, ' OR '))
	FROM (
		SELECT c.oid::regclass::text, '(tableoid, t.oid) IN (TABLE objects)'
		FROM pg_class c JOIN pg_attribute ON attrelid = c.oid AND attname = 'oid'
		WHERE relkind = 'r' AND relnamespace = 'pg_catalog'::regnamespace
		UNION
		SELECT fktable::text,
			format('%I IN (SELECT objid FROM objects WHERE classid = %L::regclass)', fkcols[1], pktable)
		FROM pg_get_catalog_foreign_keys()
		WHERE pkcols = '{oid}' AND NOT is_array AND fktable <> 'pg_statistic'::regclass
		UNION VALUES
			('pg_depend', '(classid, objid) IN (TABLE objects)'),
			('pg_shdepend',
				'(classid, objid) IN (TABLE objects)
				AND dbid = (SELECT oid FROM pg_database WHERE datname = current_database())'),
			('pg_description', '(classoid, objoid) IN (TABLE objects)'),
			('pg_init_privs', '(classoid, objoid) IN (TABLE objects)'),
			('pg_seclabel', '(classoid, objoid) IN (TABLE objects)')
	) conditions(catalog, condition)
	GROUP BY catalog \gexec
	SQL

sub catalogs
{
	my ($database) = @_;
	my @lines = split /\n/, $node->safe_psql($database, $catalogs);
	my %identity = map { /^OID (\d+) (.*)/ ? ($1 => $2) : () } @lines;

	# where in the script an expression stood is not a property, and pg_depend tells of which function
	# it has the OID
	@lines = map { s/(:consttype 2202 .*?:constvalue) 4 \[[^]]*\]/$1/gr } @lines;
	@lines = map { s/:(location|stmt_location|stmt_len) -?\d+//gr } grep { !/^OID / } @lines;
	@lines = map { s/\b(\d{5,})\b/$identity{$1} \/\/ $1/ger } @lines;

	# nor is the OID of a row that is no object, such as an enum's value
	return map { s/"oid": "\d+", //r } @lines;
}

# The lines that only one of two lists has, or the first of them
sub difference
{
	my ($first, $second) = @_;
	my %count;
	$count{$_}++ for @$first;
	$count{$_}-- for @$second;
	my @lines = map { ($count{$_} > 0 ? '-' : '+') . $_ } grep { $count{$_} } sort keys %count;
	return join "\n", splice(@lines, 0, 10);
}

for my $user ('', 'boss')
{
	my $database = 'shop';
	my @as_user = $user ? ('-U', $user) : ();

	for my $schema ($quick ? (qw(public keys))[ ($seed + ($user eq 'boss')) % 2 ] : qw(public keys))
	{
		my $create = "CREATE EXTENSION uuidnew SCHEMA $schema";
		my $name = 'as ' . ($user || 'a superuser') . " in schema $schema";

		is(ask($database, "CREATE SCHEMA IF NOT EXISTS $schema; $create", @as_user),
			'', "$name: it is created");
		my @fresh = catalogs($database);
		my $members = $node->safe_psql($database, <<~'SQL');
			SELECT count(*) FROM pg_depend WHERE deptype = 'e' AND refclassid = 'pg_extension'::regclass
				AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'uuidnew')
			SQL
		is(scalar(grep { /^pg_depend .*"deptype": "e"/ } @fresh), $members, "$name: all objects are seen");

		for my $version (@older)
		{
			next if $quick && ($seed + ($user eq 'boss') + ($version eq $older[0])) % 2;
			is( ask($database, <<~SQL, @as_user),
				DROP EXTENSION uuidnew;
				$create VERSION '$version';
				SELECT extversion FROM pg_extension WHERE extname = 'uuidnew';
				ALTER EXTENSION uuidnew UPDATE;
				SELECT extversion FROM pg_extension WHERE extname = 'uuidnew'
				SQL
				"$version\n$default", "$name: it is updated from $version");
			my @updated = catalogs($database);
			is(difference(\@fresh, \@updated), '', "$name: an update gives what a new $default is");
			is( ask($database, <<~SQL, @as_user),
				ALTER EXTENSION uuidnew UPDATE; ALTER EXTENSION uuidnew UPDATE TO '$default'
				SQL
				'', "$name: it can be updated again");
			is(difference(\@updated, [ catalogs($database) ]), '', "$name: a second update changes nothing");
			is(ask($database, "ALTER EXTENSION uuidnew UPDATE TO '$version'", @as_user),
				'22023', "$name: there is no way back to $version");
		}
		$node->safe_psql($database,
			'DROP EXTENSION uuidnew' . ($schema eq 'public' ? '' : "; DROP SCHEMA $schema"));
	}
}

#
# A database of version 1.0, whose library is the newer one
#
is(ask('shop', q{CREATE EXTENSION uuidnew VERSION '1.0'}),
	'', 'the library has all C functions of version 1.0');

# Every function, called by a view: "call = result"
my @lines = grep { !/^#/ } split /\n/, slurp_file("$root/test/vectors/functions-1.0.txt");
my %results = map { /^(.*) = (.*)$/ } @lines;
is(scalar(keys %results), scalar(@lines), 'the calls of functions are read');
$node->safe_psql(
	'shop',
	<<~'SQL' . join("\nUNION ALL\n",
		CREATE FUNCTION is_now(ts timestamptz) RETURNS boolean LANGUAGE sql
		RETURN abs(extract(epoch FROM ts - now())) < 60;
		CREATE VIEW every_function AS
		SQL
		map { "SELECT \$call\$$_\$call\$ AS call, ($_)::text AS result" } sort keys %results));
is( ask('shop', <<~'SQL'),
	SELECT p.oid::regprocedure FROM pg_depend m JOIN pg_proc p ON p.oid = m.objid
	WHERE m.classid = 'pg_proc'::regclass AND deptype = 'e' AND prorettype <> 'internal'::regtype
		AND m.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'uuidnew')
		AND NOT EXISTS (SELECT
			FROM pg_depend v JOIN pg_rewrite r ON v.classid = 'pg_rewrite'::regclass AND v.objid = r.oid
						WHERE ev_class = 'every_function'::regclass AND v.refclassid = m.classid
							AND v.refobjid = m.objid)
	SQL
	'',
	'each function is called');

sub functions_work
{
	my ($database, $name) = @_;
	my @got = split /\n/, ask($database, q{SELECT concat_ws(' = ', call, result) FROM every_function});

	return is(difference(\@lines, \@got), '', $name);
}
functions_work('shop', 'the functions of version 1.0 give what they gave');
is( ask('shop', <<~'SQL'),
	CREATE TABLE epochs (id uuid, epoch timestamptz);
	INSERT INTO epochs VALUES ('ffffffff-ffff-ffff-ffff-ffffffffffff', NULL);
	SELECT count(*) FROM epochs
	WHERE NOT uuid_v8_between(id, '2026-01-20 00:00+00', '1990-03-01 00:00+00', 'unix48', epoch);
	DROP TABLE epochs
	SQL
	'0',
	'a window whose epoch is NULL is NULL in version 1.0');

$node->safe_psql('shop', <<~'SQL');
	CREATE TABLE ids (
		n serial PRIMARY KEY,
		v6 uuid DEFAULT uuid_generate_v6() CHECK (uuid_v6_timestamp(v6) IS NOT NULL),
		v7 uuid DEFAULT uuid_generate_v7() CHECK (uuid_v7_between(v7, '2020-01-01 00:00:00+00', NULL)),
		v7_layout uuid DEFAULT uuid_generate_v7('rfc9562')
			CHECK (uuid_v7_timestamp(v7_layout, 'rfc9562') IS NOT NULL),
		v8 uuid DEFAULT uuid_generate_v8('unix64', '\x0102', '2020-01-01 00:00:00+00'),
		vb uuid DEFAULT uuid_generate_vb('sequential', '08:00:2b:01:02:03'),
		pg18 uuid DEFAULT uuidv7(),
		at timestamptz GENERATED ALWAYS AS (uuid_v7_timestamp(v7)) STORED,
		node bytea GENERATED ALWAYS AS (uuid_v8_node(v8, 'unix64', 2)) STORED);

	CREATE TABLE events (
		id uuid PRIMARY KEY DEFAULT uuid_generate_v7(),
		at timestamptz GENERATED ALWAYS AS (uuid_v7_timestamp(id)) STORED,
		note int) PARTITION BY RANGE (id);
	CREATE TABLE events_2025 PARTITION OF events FOR VALUES FROM (MINVALUE) TO (uuid_v7_min('2026-01-01'));
	CREATE TABLE events_01 PARTITION OF events
		FOR VALUES FROM (uuid_v7_min('2026-01-01')) TO (uuid_v7_min('2026-02-01'));
	CREATE TABLE events_rest PARTITION OF events DEFAULT;
	INSERT INTO events (id, note)
	SELECT uuid_generate_v7_at(timestamptz '2025-12-20' + i * interval '6 hours'), i
	FROM generate_series(0, 300) i;

	CREATE TABLE documents (id uuid DEFAULT uuid_generate_v7(), note int);
	INSERT INTO documents SELECT id, note FROM events;
	INSERT INTO documents SELECT gen_random_uuid(), -i FROM generate_series(1, 100) i;
	CREATE INDEX documents_time ON documents (uuid_v7_timestamp(id));
	CREATE INDEX documents_id ON documents (id);
	CREATE INDEX documents_january ON documents (note)
		WHERE uuid_v7_between(id, '2026-01-01 00:00:00+00', '2026-02-01 00:00:00+00');
	CREATE STATISTICS documents_statistics ON (uuid_v7_timestamp(id)), (uuid_v7_min(uuid_v7_timestamp(id)))
		FROM documents;
	ALTER TABLE documents ENABLE ROW LEVEL SECURITY;
	CREATE POLICY january ON documents TO clerk
		USING (uuid_v7_between(id, '2026-01-01 00:00:00+00', '2026-02-01 00:00:00+00'));
	GRANT SELECT ON documents TO clerk;

	CREATE TABLE readings (id uuid DEFAULT uuid_generate_v8('iso8601'), note int);
	INSERT INTO readings
	SELECT uuid_generate_v8_at(timestamptz '2026-01-01' + i * interval '1 hour', 'iso8601'), i
	FROM generate_series(0, 2000) i;
	CREATE INDEX readings_time ON readings USING brin (uuid_v8_timestamp(id, 'iso8601'))
		WITH (pages_per_range = 1);

	CREATE VIEW january AS
		SELECT * FROM events WHERE uuid_v7_between(id, '2026-01-01 00:00:00+00', '2026-02-01 00:00:00+00');
	CREATE MATERIALIZED VIEW days AS SELECT date_trunc('day', uuid_v7_timestamp(id), 'UTC') AS day, count(*)
		FROM january GROUP BY 1;
	CREATE FUNCTION notes_since(since timestamptz) RETURNS SETOF int LANGUAGE sql STABLE
	BEGIN ATOMIC
		SELECT note FROM events WHERE uuid_v7_between(id, since, NULL) ORDER BY uuid_v7_timestamp(id);
	END;
	-- rights of one's own
	REVOKE EXECUTE ON FUNCTION uuid_v7_min(timestamptz) FROM PUBLIC;
	GRANT EXECUTE ON FUNCTION uuid_v7_min(timestamptz) TO clerk;
	ANALYZE
	SQL

# What is seen of it, and the names in the plans, which say that windows and
# expressions still find indexes and partitions
my $look = <<~'SQL';
	SELECT tableoid::regclass, * FROM events ORDER BY id;
	SELECT * FROM ids ORDER BY n;
	SELECT * FROM january ORDER BY id;
	SELECT * FROM days ORDER BY 1;
	SELECT string_agg(note::text, ' ') FROM notes_since('2026-02-20') note;
	SELECT proacl FROM pg_proc WHERE oid = 'uuid_v7_min(timestamptz)'::regprocedure;
	SET ROLE clerk;
	SELECT count(*) FROM documents;
	RESET ROLE;
	SQL
my %plans = (
	q{SELECT note FROM documents WHERE uuid_v7_timestamp(id) < '2025-12-21'} => 'documents documents_time',
	q{SELECT note FROM documents WHERE uuid_v7_between(id, '2025-12-20', '2025-12-21')} =>
	  'documents documents_id',
	q{SELECT note FROM documents WHERE uuid_v7_between(id, '2026-01-01 00:00:00+00', }
	  . q{'2026-02-01 00:00:00+00') ORDER BY note} => 'documents documents_january',
	q{SELECT note FROM readings WHERE uuid_v8_timestamp(id, 'iso8601') < '2026-01-02'} =>
	  'readings readings_time',
	q{SELECT note FROM january ORDER BY note} => 'events_01 events_01_pkey',
	q{EXECUTE custom('2026-01-10', '2026-01-20')} => 'events_01 events_01_pkey',
	q{SET plan_cache_mode = force_generic_plan; EXECUTE generic('2026-01-10', '2026-01-20')} =>
	  'events_01 events_01_pkey');
my $prepare = <<~'SQL';
	SET enable_seqscan = off;
	SET enable_sort = off;
	PREPARE custom(timestamptz, timestamptz) AS SELECT note FROM events WHERE uuid_v7_between(id, $1, $2)
		ORDER BY id;
	PREPARE generic(timestamptz, timestamptz) AS SELECT note FROM events WHERE uuid_v7_between(id, $1, $2)
		ORDER BY id;
	SQL
my $numbers = join "\n", 84 .. 123;    # the notes from January 10 on, for 10 days

sub plans_are_right
{
	my ($session, $when) = @_;
	for my $query (sort keys %plans)
	{
		my ($setting, $statement) = $query =~ /^(?:(SET .*); )?(.*)$/;
		my $plan =
		  $session->query(($setting // 'RESET plan_cache_mode') . "; EXPLAIN (COSTS OFF) $statement");
		my %names = map { $_ => 1 } $plan =~ /\b(?:using|on) (\w+)/g;
		is(join(' ', sort keys %names), $plans{$query}, "$when: the plan is as it should be: $query")
		  or diag($plan);
	}
	is($session->query(q{RESET plan_cache_mode; EXECUTE custom('2026-01-10', '2026-01-20')}),
		$numbers, "$when: a custom plan's rows");
	is( $session->query(
			q{SET plan_cache_mode = force_generic_plan; EXECUTE generic('2026-01-10', '2026-01-20')}),
		$numbers,
		"$when: a generic plan gives the rows");
}

# The dump without the word, drawn by lot, with which newer versions guard it
sub dump_of
{
	my ($database, $file) = @_;

	$file //= $node->basedir . "/$database.sql";
	$node->command_ok([ 'pg_dump', '--file', $file, $database ], "$database is dumped");
	return slurp_file($file) =~ s/^\\(un)?restrict .*\n//mgr;
}

is(ask('shop', <<~'SQL'), '53', q{somebody else's function with the name of a newer one is not called});
	BEGIN;
	CREATE FUNCTION uuid_v7_since(timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE
	RETURN 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid;
	SET LOCAL plan_cache_mode = force_generic_plan;
	PREPARE since(timestamptz) AS SELECT count(*) FROM events WHERE uuid_v7_between(id, $1, NULL);
	EXECUTE since('2026-02-20');
	ROLLBACK
	SQL

my $session = Session->new($node, '-d', $node->connstr('shop'));
my $make = q{INSERT INTO ids (n) SELECT nextval('ids_n_seq') FROM generate_series(1, 1000)};
is($session->query($prepare . $make), '', 'a session begins that stays');
plans_are_right($session, 'version 1.0');
my $seen = $session->query($look);
is(scalar(split /\n/, $seen), 301 + 1000 + 124 + 31 + 3, 'the session sees the rows');
like($seen, qr/^124\z/m, 'row-level security shows its rows');

my $open = Session->new($node, '-d', $node->connstr('shop'));
is($open->query(<<~'SQL'), "48\n49", 'a transaction is open in another session');
	BEGIN ISOLATION LEVEL REPEATABLE READ;
	DECLARE notes CURSOR FOR SELECT note FROM january ORDER BY uuid_v7_timestamp(id);
	FETCH 2 FROM notes
	SQL

my $script = $node->basedir . '/version_1.0.sql';
my $dump = dump_of('shop', $script);
my $archive = $node->basedir . '/version_1.0.dump';
$node->command_ok([ 'pg_dump', '-Fc', '--file', $archive, 'shop' ], 'and archived')
  if "@restored" =~ /archive/;

#
# It is updated.
#
is(ask('shop', <<~'SQL'), $default, 'the update is made');
	ALTER EXTENSION uuidnew UPDATE;
	SELECT extversion FROM pg_extension WHERE extname = 'uuidnew'
	SQL
is( $open->query(<<~'SQL'),
	FETCH 2 FROM notes;
	SELECT count(*) FROM january;
	COMMIT
	SQL
	"50\n51\n124",
	'the transaction goes on');
$open->quit;
is($session->query($look), $seen, 'the session sees all as before');
plans_are_right($session, 'updated');
functions_work('shop', 'the functions give what they gave');
is(dump_of('shop'), $dump, 'the dump is as before');

is($session->query($make), '', 'the session inserts rows');
$session->quit;
is( ask('shop', <<~'SQL'),
	SELECT count(*), count(*) FILTER (WHERE b.v6 > a.v6), count(*) FILTER (WHERE b.v7 > a.v7),
		count(*) FILTER (WHERE b.v7_layout > a.v7_layout), count(*) FILTER (WHERE b.v8 > a.v8),
		count(*) FILTER (WHERE uuid_vb_counter(b.vb, 'sequential') > uuid_vb_counter(a.vb, 'sequential')),
		count(*) FILTER (WHERE b.pg18 > a.pg18), count(*) FILTER (WHERE b.at >= a.at AND b.node = '\x0102')
	FROM ids a JOIN ids b ON b.n = a.n + 1
	SQL
	join('|', (1999) x 8), 'the session went on in order');
is(ask('shop', 'INSERT INTO ids (v6) VALUES (gen_random_uuid())'), '23514', 'a check holds');
is(ask('shop', 'INSERT INTO ids (v7) VALUES (gen_random_uuid())'), '23514', 'with a window too');
is(ask('shop', <<~'SQL'), "events_rest\nevents_01\n125", 'rows find their partitions');
	INSERT INTO events (note) VALUES (1000) RETURNING tableoid::regclass;
	INSERT INTO events (id) VALUES (uuid_generate_v7_at('2026-01-31 23:59:59'))
	RETURNING tableoid::regclass;
	REFRESH MATERIALIZED VIEW days;
	SELECT sum(count) FROM days
	SQL

#
# A dump of version 1.0 is restored where the newer one is installed.
#
like($dump, qr/^CREATE EXTENSION IF NOT EXISTS uuidnew WITH SCHEMA public;$/m, 'a dump names no version');
$node->command_ok(
	[ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('of_script'), '-f', $script ],
	'the script is restored')
  if "@restored" =~ /script/;
$node->command_ok([ 'pg_restore', '--exit-on-error', '-d', $node->connstr('of_archive'), $archive ],
	'the archive is restored')
  if "@restored" =~ /archive/;
for my $database (@restored)
{
	is(ask($database, q{SELECT extversion FROM pg_extension WHERE extname = 'uuidnew'}),
		$default, "$database: the default version");
	is(ask($database, $look), $seen, "$database: all is seen as before");
	is(dump_of($database), $dump, "$database: the dump is the same");
	functions_work($database, "$database: the functions give what they gave");
	is(ask($database, 'INSERT INTO ids (n) VALUES (0) RETURNING is_now(at)'), 't', "$database: a new row");
	is(ask($database, 'INSERT INTO ids (v6) VALUES (gen_random_uuid())'), '23514',
		"$database: a check holds");
}

$node->stop('immediate');
done_testing();
