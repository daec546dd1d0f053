# What doc/switching.md says about coming from pg_uuidv7.  The statements are those
# of the page.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Switching;

start_node();

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
is(failure('CREATE EXTENSION uuidnew'), '42723', 'not in one schema with pg_uuidv7');
like(
	($node->psql('postgres', 'CREATE EXTENSION uuidnew', on_error_stop => 0))[2],
	qr/function "uuid_generate_v7" already exists with same argument types/,
	'the error has the message of the page');
like($sections[2] =~ s/\s+/ /gr, qr/\Q$_\E/, "the page has $_")
  for 'function "uuid_generate_v7" already exists with same argument types',
  'CREATE SCHEMA uuidnew', 'CREATE EXTENSION uuidnew SCHEMA uuidnew';
ask('CREATE SCHEMA uuidnew', 'CREATE EXTENSION uuidnew SCHEMA uuidnew');

# Each reader knows its own keys only.
my $whose = <<~'SQL';
	SELECT CASE WHEN abs(extract(epoch FROM draft - now())) < 3600 AND rfc9562 IS NULL THEN 'draft'
		WHEN abs(extract(epoch FROM rfc9562 - now())) < 3600 AND draft IS NULL THEN 'rfc9562' END
	FROM (SELECT uuidnew.uuid_v7_timestamp(id) AS draft, uuidnew.uuidv7_timestamp(id) AS rfc9562
		FROM keys) times
	SQL
for my $path ('public, uuidnew', 'uuidnew, public', 'public')
{
	(my $table = "by $path") =~ s/\W+/_/g;
	my $layout = $path =~ /^uuidnew/ ? 'draft' : 'rfc9562';
	ask("SET search_path = $path", "CREATE TABLE public.$table (id uuid DEFAULT uuid_generate_v7())");
	is( ask("INSERT INTO $table DEFAULT VALUES",
			'SET search_path = uuidnew, public',
			"INSERT INTO $table DEFAULT VALUES",
			'SET search_path = public, uuidnew',
			"INSERT INTO $table DEFAULT VALUES",
			$whose =~ s/keys/$table/r),
		join("\n", ($layout) x 3),
		"search_path $path: a default is bound when it is set");
	next if $path eq 'public';
	is(ask("SET search_path = $path", $whose =~ s/keys/uuid_generate_v7('rfc9562') AS id/r),
		'rfc9562', "search_path $path: with a layout it is ours");
}

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
is( ask(<<~SQL),
	SELECT count(*), count(*) FILTER (WHERE left(uuid_timestamptz_to_v7(ts)::text, 15)
		= left(($pair{'uuid_timestamptz_to_v7(ts)'})::text, 15))
	FROM $times
	SQL
	'5|5',
	'a key of a time begins as that of pg_uuidv7');
is( ask(<<~SQL),
	SELECT count(*) FILTER (WHERE uuid_timestamptz_to_v7(ts, true)
		= $pair{'uuid_timestamptz_to_v7(ts, true)'})
	FROM $times
	SQL
	'5',
	'the first key of a time is that of pg_uuidv7');
is( ask(<<~SQL),
	SELECT count(*) FILTER (WHERE uuid_timestamptz_to_v7(ts, true) = uuidnew.uuidv7_min(ts)) FROM $times
	SQL
	'2',
	'uuidv7_min alone is that of whole milliseconds only');
is( ask(<<~SQL),
	SELECT count(*),
		count(*) FILTER (WHERE uuid_v7_to_timestamptz(id) = $pair{'uuid_v7_to_timestamptz(id)'}),
		   count(*) FILTER (WHERE uuid_v7_to_timestamptz(id) = date_trunc('milliseconds', ts))
	FROM $times, LATERAL (VALUES (uuid_timestamptz_to_v7(ts)), ($pair{'uuid_timestamptz_to_v7(ts)'})) v (id)
	SQL
	'10|10|10',
	'the time of a key is that of pg_uuidv7, to the millisecond');

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
is( ask(<<~SQL),
	SELECT uuid_v7_to_timestamptz(id) IS NULL, $pair{'uuid_v7_to_timestamptz(id)'} IS NULL
	FROM gen_random_uuid() id
	SQL
	'f|t',
	'version 4 has no time');

my ($switch, $check) = split /^--.*\n/m, block(3, qr/SET DEFAULT uuidnew\.uuidv7/);
follow('the default changes', $switch);
ask(<<~SQL);
	CREATE OR REPLACE VIEW order_times AS
		SELECT id, $pair{'uuid_v7_to_timestamptz(id)'} AS ordered FROM orders;
	INSERT INTO orders (item) VALUES ('new')
	SQL
is(ask(q{SELECT * FROM order_times WHERE id IN (SELECT id FROM orders WHERE item <> 'new') ORDER BY id}),
	$times_before, 'the view shows the same times');
is( ask(<<~'SQL'),
	SELECT count(*) FROM (SELECT id < lag(id) OVER (ORDER BY substr(item, 6)::int) AS wrong,
		ordered < lag(ordered) OVER (ORDER BY id) AS wrong_time
		FROM orders JOIN order_times USING (id) WHERE item <> 'new') pairs WHERE wrong_time;
	SELECT item FROM orders ORDER BY id DESC LIMIT 1
	SQL
	"0\nnew",
	'old and new keys are in order by the millisecond');
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

$node->stop;
done_testing();
