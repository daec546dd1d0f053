# What doc/switching.md says about coming from other UUIDs, from pg_uuidv7 or from numbers, and going on to
# PostgreSQL 18's.  The statements are those of the page.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Server;

my $page = slurp_file("$FindBin::Bin/../../doc/switching.md");
my ($start, @sections) = split /^## \d+\. /m, $page;

# The block of a section that has this in it.  Section 0 is the start of the page.
sub block
{
	my ($section, $regex) = @_;
	my $text = $section ? $sections[ $section - 1 ] : $start;
	my @found = grep { /$regex/ } $text =~ /^```sql\n(.*?)^```$/msg;

	@found == 1
	  or die "section $section has " . @found . " blocks with $regex";
	return $found[0];
}

# What stands between backticks in the text of a section
sub inline
{
	my ($section, $regex) = @_;
	my $text = $sections[ $section - 1 ] =~ s/^```.*?^```$//msgr;
	my @found = grep { /$regex/ } map { s/\s+/ /gr } $text =~ /`([^`]+)`/g;

	@found or die "section $section has no $regex";
	return $found[0];
}

my $node = start_server();
my $version = ask("SELECT current_setting('server_version_num')::int / 10000");

my $case;

# Each begins with nothing, as in a database of its own.
sub begin_case
{
	($case, my @statements) = @_;
	ask($_)
	  for 'DROP SCHEMA public CASCADE; DROP SCHEMA IF EXISTS uuidnew CASCADE; CREATE SCHEMA public',
	  @statements;
}

# The SQLSTATE of the error that the statements end with
sub failure
{
	my ($status, $stdout, $stderr) =
	  $node->psql('postgres', "\\set VERBOSITY sqlstate\n" . join(";\n", @_), on_error_stop => 0);
	return $stderr =~ /ERROR:\s+(\w{5})$/m ? $1 : "no error: $stdout $stderr";
}

# Runs what the page has, and gives what the last SELECT shows.
sub follow
{
	my ($name, @blocks) = @_;
	my ($status, $stdout, $stderr) =
	  $node->psql('postgres', join("\n", @blocks), on_error_stop => 1);
	$stderr =~ s/^\S+ NOTICE: .*\n?//mg;
	is("$status $stderr", '0 ', "$case: $name");
	return $stdout;
}

# How the page creates the extension
my $create = block(0, qr/CREATE EXTENSION/);

# 1. From random UUIDs
begin_case('random', $create);
follow('the default changes', block(1, qr/CREATE TABLE accounts/));
is( ask(<<~'SQL'),
	SELECT substr(id::text, 15, 1), left(name, 3), count(*), count(uuidv7_timestamp(id)),
		   count(*) FILTER (WHERE uuidv7_between(id, NULL, NULL)), count(account)
	FROM accounts LEFT JOIN logins ON account = id GROUP BY 1, 2 ORDER BY 1
	SQL
	"4|old|1000|0|0|1000\n7|new|100|100|100|0",
	'old rows stay, with their references and without a time; new rows have one');
my ($partial) = block(1, qr/accounts_new/);
my $newest = $partial =~ s/^CREATE INDEX.*\n//r;
my $only_index = 'SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off;';
my $removed = ask("$only_index EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) $newest");
like($removed, qr/Index .*Scan Backward using accounts_pkey/, 'pages are read by the primary key');
cmp_ok($removed =~ /Rows Removed by Filter: (\d+)/ ? $1 : 0, '<', 40, 'pages read few random keys');
is( follow('an index of the new rows', $partial),
	"new 100\nnew 99\nnew 98",
	'the query of the page gives the newest rows');
like(
	ask("$only_index EXPLAIN (COSTS OFF) $newest"),
	qr/Scan Backward using accounts_new/,
	'the query of the page uses the index');

# 2. From version 1
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

# 3. From pg_uuidv7

# These stand in for pg_uuidv7's functions.
my $stand_in = <<~'SQL';
	CREATE FUNCTION uuid_timestamptz_to_v7(timestamptz, zero bool = false) RETURNS uuid LANGUAGE sql RETURN
	    (lpad(to_hex(floor(extract(epoch FROM $1) * 1000)::bigint), 12, '0') || '7' ||
	     right(CASE WHEN zero THEN '0008000000000000000'
	         ELSE replace(gen_random_uuid()::text, '-', '') END, 19))::uuid;
	CREATE FUNCTION uuid_generate_v7() RETURNS uuid
		LANGUAGE sql RETURN uuid_timestamptz_to_v7(clock_timestamp());
	CREATE FUNCTION uuid_v7_to_timestamptz(uuid) RETURNS timestamptz STABLE LANGUAGE sql RETURN
	    to_timestamp(('x' || left(replace($1::text, '-', ''), 12))::bit(48)::bigint / 1000.0);
	SQL
my $setup = block(3, qr/CREATE TABLE orders/);
$setup =~ s/^CREATE FUNCTION uuid_generate_v7.*\n/$stand_in/m or die 'the page makes no stand-in';
$setup .= 'CREATE VIEW order_times AS SELECT id, uuid_v7_to_timestamptz(id) AS ordered FROM orders;';
begin_case('beside', $stand_in);
like(
	($node->psql('postgres', 'CREATE EXTENSION uuidnew', on_error_stop => 0))[2],
	qr/function "uuid_generate_v7" already exists with same argument types/,
	'the error has the message of the page');
like($sections[2] =~ s/\s+/ /gr, qr/\Q$_\E/, "the page has $_")
  for 'function "uuid_generate_v7" already exists with same argument types',
  'CREATE SCHEMA uuidnew', 'CREATE EXTENSION uuidnew SCHEMA uuidnew';
ask('CREATE SCHEMA uuidnew', 'CREATE EXTENSION uuidnew SCHEMA uuidnew');

begin_case('pg_uuidv7', $create);
ask(q{SET search_path = public; CREATE TABLE early (id uuid DEFAULT uuid_generate_v7('rfc9562'))});
follow('set-up', $setup);
ask(q{CREATE FUNCTION hidden() RETURNS uuid LANGUAGE sql AS 'SELECT uuid_generate_v7()'});
my $list = block(3, qr/pg_uuidv7_uses/);
is( join("\n", sort split /\n/, follow('list', $list)),
	join("\n",
		'default value for column id of table early|uuidnew|uuid_generate_v7',
		'default value for column id of table orders|public|uuid_generate_v7',
		'function uuid_generate_v7()|public|uuid_timestamptz_to_v7',
		'hidden()',
		'rule _RETURN on view order_times|public|uuid_v7_to_timestamptz'),
	'the list of the page says what is bound to which');
my $drop = block(3, qr/^DROP FUNCTION/m);
my $times_before = ask('SELECT * FROM order_times ORDER BY id');
is(scalar(split /\n/, $times_before), 1000, 'the table has rows');

# The table of functions, each row for some times
my $times = q{(VALUES ('1970-01-01 00:00:00+00'::timestamptz), ('2026-02-03 04:05:06.789012+00'),
	('2026-02-03 04:05:06.789+00'), ('2026-02-03 04:05:06.999999+00'),
	('2074-07-11 11:41:23.327999+00')) times (ts)};
my %pair = $sections[2] =~ /^\| `(\w+\(.*?\))` \| `(.*?)` \|$/mg;
is(scalar(keys %pair), 6, 'the page has six functions');
$_ = $_ =~ s/\b(?=uuidv7)/uuidnew./gr for values %pair;
is(ask(<<~SQL), "5|5|5\n10|10", 'keys for a time, and their times, are as in pg_uuidv7, to the millisecond');
	SELECT count(*),
		count(*) FILTER (WHERE left(uuid_timestamptz_to_v7(ts)::text, 15)
			= left(($pair{'uuid_timestamptz_to_v7(ts)'})::text, 15)),
		count(*) FILTER (WHERE uuid_timestamptz_to_v7(ts, true) = $pair{'uuid_timestamptz_to_v7(ts, true)'})
	FROM $times;
	SELECT count(*) FILTER (WHERE uuid_v7_to_timestamptz(id) = $pair{'uuid_v7_to_timestamptz(id)'}),
		count(*) FILTER (WHERE uuid_v7_to_timestamptz(id) = date_trunc('milliseconds', ts))
	FROM $times, LATERAL (VALUES (uuid_timestamptz_to_v7(ts)), ($pair{'uuid_timestamptz_to_v7(ts)'})) v (id)
	SQL

# pg_uuidv7 goes on after these keys' end.
my $end = q{'2074-07-11 11:41:23.328+00'::timestamptz};
is(failure("SELECT $pair{'uuid_timestamptz_to_v7(ts)'} FROM (VALUES ($end)) v (ts)"),
	'22008', 'there is no key of a time from 2074-07-11 11:41:23.328 on');
is( ask(<<~SQL),
	SELECT id, uuid_v7_to_timestamptz(id), $pair{'uuid_v7_to_timestamptz(id)'} IS NULL
	FROM uuid_timestamptz_to_v7($end, true) id
	SQL
	'03000000-0000-7000-8000-000000000000|2074-07-11 11:41:23.328+00|t',
	'a key of pg_uuidv7 from 2074-07-11 on has no time here');
is( ask(<<~SQL),
	SET TimeZone = 'America/New_York';
	SELECT $pair{'uuid_v7_to_timestamp(id)'} = '2023-01-02 04:26:40.637'::timestamp
	FROM (VALUES (uuid '018570bb-4a7d-7000-8000-000000000000')) v (id);
	SELECT left(($pair{'uuid_timestamp_to_v7(ts)'})::text, 15)
	FROM (VALUES ('2023-01-02 04:26:40.637'::timestamp)) v (ts)
	SQL
	"t\n018570bb-4a7d-7",
	'times without a zone are UTC');
is(ask("SELECT $pair{'uuid_generate_v7()'} > ALL (SELECT id FROM orders)"),
	't', 'a new key is greater than all others');
my ($switch, $check) = split /^--.*\n/m, block(3, qr/SET DEFAULT uuidnew\.uuidv7/);
follow('the default changes', $switch);
ask(<<~SQL);
	CREATE OR REPLACE VIEW order_times AS
		SELECT id, $pair{'uuid_v7_to_timestamptz(id)'} AS ordered FROM orders;
	INSERT INTO orders (item) VALUES ('new')
	SQL
is(ask(q{SELECT * FROM order_times WHERE id IN (SELECT id FROM orders WHERE item <> 'new') ORDER BY id}),
	$times_before, 'the view shows the same times');
ask(<<~'SQL');
	BEGIN;
	CREATE TABLE draft AS SELECT uuidnew.uuid_generate_v7() AS id;
	INSERT INTO orders SELECT id FROM draft;
	COMMIT
	SQL
is(ask($check =~ s/;.*//sr), '1', 'a draft key is found');
is(failure($check), '23514', 'a draft key does not pass the check');
ask(<<~'SQL');
	ALTER TABLE orders DROP CONSTRAINT orders_id_check;
	DELETE FROM orders WHERE id IN (SELECT id FROM draft)
	SQL
is(follow('the check', $check), '0', 'there is no draft key any more');
is(failure('INSERT INTO orders SELECT id FROM draft'), '23514', 'no draft key comes in');
unlike(ask($list), qr/(orders|order_times)\|public/, 'nothing of the table is bound to pg_uuidv7');
follow('the end of pg_uuidv7',
	$drop =~ s/uuid_generate_v7/uuid_generate_v7, uuid_v7_to_timestamptz, uuid_timestamptz_to_v7/r);
is( ask(<<~'SQL'),
	SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = 'orders'::regclass;
	SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'uuidnew';
	INSERT INTO orders (item) VALUES ('newer')
	RETURNING abs(extract(epoch FROM uuid_v7_timestamp(id, 'rfc9562') - now())) < 60;
	SELECT count(*) FROM order_times
	SQL
	($version >= 18 ? 'public.' : '') . "uuidv7()\npublic\nt\n1002",
	'what is bound to uuidnew went along');

# 4. From numbers; rekey has the new keys
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
my $second_key = inline(4, qr/^ADD COLUMN public_id/);
is( ask(<<~SQL),
	SELECT pg_relation_filenode('tickets') AS node \\gset
	ALTER TABLE tickets $second_key;
	SELECT pg_relation_filenode('tickets') <> :node, count(DISTINCT public_id) = count(*) FROM tickets
	SQL
	't|t',
	'a second key rewrites the table');

# 5. To PostgreSQL 18's uuidv7()
begin_case('eighteen', $create);
my $go_on = block(5, qr/CREATE TABLE notes/);
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
	SELECT count(*) FILTER (WHERE uuidv7_timestamp(id) BETWEEN now() - interval '1 minute' AND now()),
		count(*) FILTER (WHERE uuid_extract_timestamp(id) = uuidv7_timestamp(id))
	FROM notes
	SQL
	$version == 17 ? '1001|0' : '1001|1001',
	'the times of both are read, by uuid_extract_timestamp but in PostgreSQL 17');

# 6. All defaults at once
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

done_testing();
