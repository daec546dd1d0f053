# What doc/switching.md says about coming from other UUIDs or numbers, and going
# on to PostgreSQL 18's.  The statements are those of the page.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Switching;

start_node();

#
# 1. From random UUIDs
#
begin_case('random', $create);
follow('the default changes', block(1, qr/CREATE TABLE accounts/));
is( ask(<<~'SQL'),
	SELECT substr(id::text, 15, 1), left(name, 3), count(*), count(uuidv7_timestamp(id)),
		   count(*) FILTER (WHERE uuidv7_between(id, NULL, NULL)), count(account)
	FROM accounts LEFT JOIN logins ON account = id GROUP BY 1, 2 ORDER BY 1
	SQL
	"4|old|1000|0|0|1000\n7|new|100|100|100|0",
	'old rows stay, with their references and without a time; new rows have one');
is( ask(<<~'SQL'),
	SELECT count(*) FILTER (WHERE id <= previous) FROM
		(SELECT id, lag(id) OVER (ORDER BY substr(name, 5)::int) AS previous FROM accounts
		 WHERE name LIKE 'new%') pairs
	SQL
	'0',
	'new rows are in order');
cmp_ok(
	ask(<<~'SQL'),
		SELECT count(*) FROM accounts
		WHERE name LIKE 'old%' AND id > ALL (SELECT id FROM accounts WHERE name LIKE 'new%')
		SQL
	'>', 920,
	'nearly all random keys sort behind them');
is(ask(q{SELECT left(name, 3) FROM accounts ORDER BY id DESC LIMIT 1}), 'old', 'the last key is old');
my ($partial) = block(1, qr/accounts_new/);
my $newest = $partial =~ s/^CREATE INDEX.*\n//r;
my $only_index = 'SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off;';
is(ask($newest), "new 100\nnew 99\nnew 98", 'the newest rows in a window');
my $removed = ask("$only_index EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) $newest");
like($removed, qr/Index .*Scan Backward using accounts_pkey/, 'pages are read by the primary key');
cmp_ok($removed =~ /Rows Removed by Filter: (\d+)/ ? $1 : 0, '<', 40, 'pages read few random keys');
is( ask(<<~'SQL'),
	WITH gone AS (DELETE FROM accounts WHERE uuid_v7_between(id, NULL, now() + interval '90 days')
		RETURNING 1)
	SELECT count(*) FROM gone
	SQL
	'0', 'a window of the draft deletes none of the keys');
is( follow('an index of the new rows', $partial),
	"new 100\nnew 99\nnew 98",
	'the query of the page gives the newest rows');
like(
	ask("$only_index EXPLAIN (COSTS OFF) $newest"),
	qr/Scan Backward using accounts_new/,
	'the query of the page uses the index');

# In one schema with uuid-ossp
SKIP:
{
	skip 'uuid-ossp is not installed', 1
	  unless ask(q{SELECT count(*) FROM pg_available_extensions WHERE name = 'uuid-ossp'});
	begin_case('ossp', 'CREATE EXTENSION "uuid-ossp"', $create);
	is( ask(<<~'SQL'),
		SELECT count(*) FILTER (WHERE uuid_v6_timestamp(uuid_v1_to_v6(id)) = uuid_v1_timestamp(id)
			AND abs(extract(epoch FROM now() - uuid_v1_timestamp(id))) < 60)
		FROM (VALUES (uuid_generate_v1()), (uuid_generate_v1mc())) v1 (id)
		SQL
		'2',
		'version 1 of uuid-ossp becomes version 6');
}

#
# 2. From version 1
#
begin_case('v1', $create);
my $files = block(2, qr/CREATE TABLE files/);
follow('keys of version 1', $files);
ask(<<~'SQL');
	INSERT INTO files (name) SELECT 'file ' || n FROM generate_series(1, 10000) n;
	INSERT INTO copies SELECT id, 'attic' FROM files WHERE name LIKE 'file %';
	INSERT INTO copies VALUES (NULL, 'nowhere');
	CREATE TABLE before AS SELECT id, name, uuid_v1_timestamp(id) AS made FROM files
	SQL

# The 60 bits of the time in order, by the digits of version 1
my $count_of_100ns =
	q{(substr(before.id::text, 16, 3) || substr(before.id::text, 10, 4) || left(before.id::text, 8))}
  . q{ COLLATE "C"};
my $converted = <<~SQL;
	SELECT count(*), count(*) FILTER (WHERE files.id = uuid_v1_to_v6(before.id)
			AND uuid_v6_to_v1(files.id) = before.id AND uuid_v6_timestamp(files.id) = made),
		   (SELECT count(*) FROM copies JOIN files ON file = id JOIN before USING (name)
		       WHERE place = 'attic'),
		   (SELECT count(*) FROM copies WHERE file IS NULL),
		   (SELECT count(*) FROM
				(SELECT $count_of_100ns < lag($count_of_100ns) OVER (ORDER BY files.id) AS wrong
				 FROM files JOIN before USING (name)) pairs WHERE wrong)
	FROM files JOIN before USING (name)
	SQL
my $foreign_key = <<~'SQL';
	SELECT conname, convalidated, confupdtype FROM pg_constraint
	WHERE conrelid = 'copies'::regclass AND contype = 'f'
	SQL
my $one_transaction = block(2, qr/^BEGIN;.*as_v6/ms);
my $back =
  $one_transaction =~ s/as_v6/uuid_v6_to_v1/gr =~ s/uuid_generate_v6\(\)/uuid_generate_v1_random()/r =~
  s/^SELECT.*//mr;

follow('in one transaction', $one_transaction);
is(ask($converted), '10001|10001|10001|1|0', 'rows, time to 100 ns, references and order are right');
is(ask($foreign_key), 'copies_file_fkey|t|a', 'the foreign key is back');
is(ask(q{INSERT INTO files (name) VALUES ('new')}, q{SELECT name FROM files ORDER BY id DESC LIMIT 1}),
	'new', 'a new row comes last');

follow('back', $back);
is( ask(<<~'SQL'),
	SELECT count(*), count(before.id), (SELECT count(*) FROM copies JOIN before ON file = id),
		   count(uuid_v1_timestamp(files.id))
	FROM files LEFT JOIN before USING (id, name)
	SQL
	'10002|10001|10001|10002',
	'old keys are as before, and the new one is a version 1'
) or diag ask('SELECT * FROM files LEFT JOIN before USING (id) WHERE before.id IS NULL');

is( ask(<<~'SQL'),
	SELECT as_v6(id) = id FROM (VALUES (gen_random_uuid()), (uuid_generate_v6()), (uuid_generate_v7()),
		(NULL), (uuid '00000000-0000-0000-0000-000000000000')) v (id)
	SQL
	"t\nt\nt\n\nt",
	'other versions are left alone');

# A column with version 4 among them
begin_case('v1_and_v4', $create);
ask($files,
	q{INSERT INTO files (name) SELECT 'file ' || n FROM generate_series(1, 10000) n},
	q{INSERT INTO copies SELECT id, 'attic' FROM files WHERE name LIKE 'file %'},
	q{INSERT INTO files VALUES ('c232ab00-9414-41ec-b3c8-9f6bdeced846', 'random')},
	q{INSERT INTO copies SELECT id FROM files WHERE name = 'random'});
is(failure('ALTER TABLE files ALTER id TYPE uuid USING uuid_v1_to_v6(id)'),
	'22023', 'uuid_v1_to_v6 stops at version 4');
follow('mixed columns', $one_transaction);
is( ask(<<~'SQL'),
	SELECT substr(id::text, 15, 1), count(*), count(DISTINCT file) FROM files JOIN copies ON file = id
	GROUP BY 1 ORDER BY 1
	SQL
	"4|1|1\n6|10001|10001",
	'as_v6 leaves version 4 alone');

# and the same by the steps of doc/rekeying.md
begin_case('v1_steps', $create, 'CREATE EXTENSION uuidnew_tables', $files);
my $key = inline(2, qr/^as_v6\(id\)$/);
my $default = inline(2, qr/^uuid_generate_v6\(\)$/);
for my $phase ('prepare', 'swap')
{
	follow("$phase by steps", <<~SQL);
		SELECT statement FROM uuidnew_tables.rekey_steps('files', '$key', '$default')
		WHERE phase = '$phase' AND NOT done ORDER BY step \\gexec
		SQL
}
ask(q{INSERT INTO files (name) VALUES ('new')});
is( ask(<<~'SQL'),
	SELECT count(*), count(*) FILTER (WHERE uuid_v6_to_v1(id) = old_id), count(uuid_v6_timestamp(id)),
		count(file)
	FROM files LEFT JOIN copies ON file = id WHERE name <> 'new';
	SELECT name FROM files ORDER BY id DESC LIMIT 1
	SQL
	"1|1|1|1\nnew",
	'keys, references and the default are right');

#
# 4. From numbers; rekey has the new keys
#
begin_case('numbers', $create);
ask('CREATE TABLE tickets AS SELECT generate_series(1::bigint, 1000) AS id');
my ($made_up) = slurp_file("$FindBin::Bin/../../doc/rekeying.md") =~ /`(uuidv7_at\('2000.*?)`/;
is( ask(<<~SQL),
	SELECT count(*) FILTER (WHERE key <= previous) FROM
		(SELECT key, lag(key) OVER (ORDER BY id) AS previous FROM
			(SELECT id, $made_up AS key FROM generate_series(1::bigint, 20000) id
			 UNION ALL SELECT id, $made_up
			     FROM generate_series(2351850073327::bigint, 2351850083327) id) made) pairs;
	SELECT $made_up < uuidv7() FROM (VALUES (10000::bigint)) numbers (id)
	SQL
	"0\nt",
	'made-up times keep the order of the numbers');
is(failure("SELECT $made_up FROM (VALUES (2351850083328::bigint)) numbers (id)"),
	'22008', 'made-up times end where RFC 9562 keys end');
my $second_key = inline(4, qr/^ADD COLUMN public_id/);
is( ask(<<~SQL),
	SELECT pg_relation_filenode('tickets') AS node \\gset
	ALTER TABLE tickets $second_key;
	SELECT pg_relation_filenode('tickets') <> :node, count(DISTINCT public_id) = count(*) FROM tickets
	SQL
	't|t',
	'a second key rewrites the table');

#
# 5. To PostgreSQL 18's uuidv7()
#
begin_case('eighteen', $create);
my $has_names = ask(q{SELECT to_regprocedure('uuidv7()') IS NOT NULL}) eq 't';
my $go_on = block(5, qr/CREATE TABLE notes/);
SKIP:
{
	skip 'no uuidv7()', 5 unless $has_names;
	follow('the default changes', $go_on);
	is( ask(<<~'SQL'),
		SELECT pronamespace::regnamespace FROM pg_attrdef a
			JOIN pg_depend d ON d.classid = 'pg_attrdef'::regclass AND d.objid = a.oid
				AND refclassid = 'pg_proc'::regclass
			JOIN pg_proc p ON p.oid = refobjid WHERE adrelid = 'notes'::regclass;
		SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = 'notes'::regclass
		SQL
		$version >= 18 ? 'uuidv7()' : "public\nuuidv7()",
		'the default is the built-in function where there is one');
	is( ask(<<~'SQL'),
		SELECT count(*),
			count(*) FILTER (WHERE uuid_v7_timestamp(id, 'rfc9562') BETWEEN now() - interval '1 minute'
				AND now())
		FROM notes
		SQL
		'1001|1001',
		'times of both are read');
	is( ask(<<~'SQL'),
		SELECT count(*) FILTER (WHERE uuid_extract_timestamp(id) = uuid_v7_timestamp(id, 'rfc9562')),
			   count(uuid_extract_timestamp(id)) FROM notes
		SQL
		$version == 17 ? '0|0' : '1001|1001',
		'uuid_extract_timestamp reads the same, but in PostgreSQL 17');
	is( ask(<<~'SQL'),
		SELECT count(*)
		FROM (SELECT uuid_v7_timestamp(id, 'rfc9562') < max(uuid_v7_timestamp(id, 'rfc9562'))
			OVER (ORDER BY coalesce(nullif(substr(line, 6), '')::int, 2000)) AS wrong FROM notes) times
				WHERE wrong
		SQL
		'0',
		'keys of both are in the order of time');
}

#
# 6. All defaults at once
#
begin_case('defaults', $create, <<~'SQL');
	CREATE ROLE keeper;
	CREATE SCHEMA mine;
	CREATE FUNCTION mine.uuidv7() RETURNS uuid LANGUAGE sql RETURN public.uuidv7();
	ALTER FUNCTION mine.uuidv7() OWNER TO keeper;
	CREATE TABLE mine."The keys" ("An id" uuid DEFAULT mine.uuidv7(), other uuid DEFAULT gen_random_uuid());
	CREATE TABLE ours (id uuid DEFAULT public.uuidv7());
	CREATE TABLE wanted (id uuid DEFAULT uuidv7(), made uuid GENERATED ALWAYS AS (uuid_v6_to_v1(id)) STORED);
	CREATE TABLE drafts (id uuid DEFAULT uuid_generate_v7(), n int DEFAULT 1)
	SQL
my $view = block(6, qr/FROM key_defaults;/);
my $choice = block(6, qr/\\gexec/);
my $owner = ask('SELECT current_user');
my @listed = (
	"drafts|id|uuid_generate_v7()|public|$owner|uuidnew|ALTER TABLE drafts ALTER id SET DEFAULT uuidv7()",
	'mine."The keys"|An id|mine.uuidv7()|mine|keeper||'
	  . 'ALTER TABLE mine."The keys" ALTER "An id" SET DEFAULT uuidv7()',
	'mine."The keys"|other|gen_random_uuid()||||'
	  . 'ALTER TABLE mine."The keys" ALTER other SET DEFAULT uuidv7()',
	"ours|id|public.uuidv7()|public|$owner|uuidnew|ALTER TABLE ours ALTER id SET DEFAULT uuidv7()");
pop @listed if $version < 18;
is( join("\n", sort split /\n/, follow('the view', $view)),
	join("\n", @listed),
	'the view has each other default, and whose function it calls');
follow('the statements', $view, $choice, $choice =~ s/'public\.uuidv7\(\)'/'uuid_generate_v7()'/r);
is( join("\n", sort split /\n/, follow('the view', $view)),
	join("\n", @listed[ 1, 2 ]),
	'the statements that are chosen set the default');

my $replaced = "\\i doc/switching.sql\n" . inline(6, qr/FROM replaced_functions/);
is(follow('the functions', $replaced), '', 'no function of the extension is replaced');
my ($own) = slurp_file("$FindBin::Bin/../../uuidnew--1.0.sql") =~ /^(CREATE FUNCTION uuidv7\(\)\n.*?;)/ms;
ask('CREATE OR REPLACE FUNCTION public.uuidv7() RETURNS uuid LANGUAGE sql RETURN gen_random_uuid()');
like(follow('the functions', $replaced),
	qr/^(?:public\.)?uuidv7\(\)$/, 'a function that a migration replaces is listed');
$own =~ s/^CREATE/CREATE OR REPLACE/;
ask($own =~ s/MODULE_PATHNAME/\$libdir\/uuidnew/r);
is(follow('the functions', $replaced) . ask('SELECT uuidv7_is(public.uuidv7())'),
	't', 'the statement of the script brings it back');

# upgrade_to_18 goes from a server without the built-in functions to one with them.

$node->stop;
done_testing();
