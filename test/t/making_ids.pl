# The functions of doc/making-ids.sql make IDs that read back: five thousand of each
# system, different and of the current time, and IDs for a thousand times from
# 2026 to 2038.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Server;

start_server();
my $script = slurp_file("$FindBin::Bin/../../doc/making-ids.sql");
ask("CREATE EXTENSION uuidnew;\nSET TimeZone = 'UTC';\n$script");

is( ask(<<~'SQL'),
	CREATE FUNCTION works(make text, read text, unit_us int, OUT different bigint, OUT now boolean,
		OUT round_trip boolean)
	LANGUAGE plpgsql AS $$
	DECLARE
	    started timestamptz := clock_timestamp();
	BEGIN
	    EXECUTE format($q$
	        SELECT count(DISTINCT id), bool_and(%s
	            BETWEEN $1 - %s * interval '1 us' AND clock_timestamp() + interval '1 s')
	        FROM (SELECT %s() AS id FROM generate_series(1, 5000) OFFSET 0) made$q$, read, unit_us, make)
	        INTO different, now USING started;
	    EXECUTE format($q$
	        SELECT bool_and(units(%s, 1000000) = units(at, 1000000) / %2$s * %2$s)
	        FROM (SELECT at, %s(at) AS id
	            FROM (SELECT '2026-01-01'::timestamptz + n * interval '106:39:12.345678' AS at
	                FROM generate_series(1, 1000) n) t
	            OFFSET 0) made$q$, read, unit_us, make)
	        INTO round_trip;
	END $$;

	SELECT system FROM (
		SELECT *, different = 5000 AND now AND round_trip AS good
	FROM (VALUES
	    ('Snowflake',    'new_snowflake',    'snowflake_timestamp(id)', 1000),
	    ('Mastodon',     'new_mastodon',     'mastodon_timestamp(id)', 1000),
	    ('ShardingID',   'new_shardingid',   'shardingid_timestamp(id)', 1000),
	    ('FlakeID',      'new_flakeid',      'flakeid_timestamp(id)', 1000),
	    ('Sonyflake',    'new_sonyflake',    'sonyflake_timestamp(id)', 10000),
	    ('Elasticflake', 'new_elasticflake', 'elasticflake_timestamp(id)', 1000),
	    ('pushID',       'new_pushid',       'pushid_timestamp(id)', 1000),
	    ('ObjectID',     'new_objectid',     'objectid_timestamp(id)', 1000000),
	    ('XID',          'new_xid',          'xid_timestamp(id)', 1000000),
	    ('Flake',        'new_flake',        'flake_timestamp(id)', 1000),
	    ('ULID',         'new_ulid',         'ulid_timestamp(id)', 1000),
	    ('KSUID',        'new_ksuid',        'ksuid_timestamp(id)', 1000000),
	    ('SID',          'new_sid',          'sid_timestamp(id)', 1),
	    ('CUID',         'new_cuid',         'cuid_timestamp(id)', 1000),
	    ('LexicalUUID',  'new_lexicaluuid',  'lexicaluuid_timestamp(id)', 1),
	    ('ordered UUID', 'new_ordered_uuid', 'ordered_uuid_timestamp(id)', 10),
	    ('COMB GUID',    'new_comb',         'comb_timestamp(id)', 1000)) s (system, make, read, unit_us),
	    works(make, read, unit_us) w) made
	WHERE good IS NOT TRUE
	SQL
	'', 'IDs of each system are different, of now, and read back');

is( ask(<<~'SQL'),
	SET TimeZone = 'UTC';
	SELECT f.datacenter, f.worker FROM snowflake_fields(new_snowflake()) f;
	SELECT f.shard FROM shardingid_fields(new_shardingid()) f;
	SELECT f.machine FROM sonyflake_fields(new_sonyflake()) f;
	SELECT f.machine, f.pid = pg_backend_pid() % 65536 AS pid FROM xid_fields(new_xid()) f;
	SELECT f.mac FROM flake_fields(new_flake()) f;
	SELECT f.address FROM elasticflake_fields(new_elasticflake()) f;
	SELECT f.fingerprint FROM cuid_fields(new_cuid()) f;
	SQL
	"3|7\n1341\n517\n\\x60f486|t\n10:9a:dd:5e:0e:8f\n\\x50fd7c8c8db0\n0pg1",
	'IDs have the other fields that they were made with');

my %made = map { $_ => 1 } $script =~ /^CREATE FUNCTION (new_\w+)/mg;
is(keys %made, 17, 'the script has no other function');

done_testing();
