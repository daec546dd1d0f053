-- Functions that make new IDs of other systems: see other-systems.md.  They need uuidnew.
--
-- On one server, Snowflakes, Mastodon IDs, ShardingIDs, FlakeIDs, Sonyflakes and Flakes are unique
-- and in order across sessions, even if the clock is set back; those for a given time are unique
-- up to 4,096 of a millisecond (ShardingID 1,024, Sonyflake 256 in 10 ms, Mastodon and Flake
-- 65,536).  Elasticflakes are unique up to 16.8 million per millisecond, CUIDs up to 1.7 million
-- per millisecond, XIDs and ObjectIDs up to 16.8 million per second.  The others are unique by
-- their random bits: among n IDs of one unit of time, the chance of a duplicate is about
-- n^2 / 2^(bits + 1), for a million pushIDs of one millisecond 1 in 9.4 billion.
--
-- Several servers differ only by their numbers where there are no random bits; make Mastodon's IDs
-- on one.  A load that is faster than the system leaves IDs with a time ahead of the clock.

-- the counter of all IDs that have one
CREATE SEQUENCE ids;

CREATE FUNCTION units(at timestamptz, a_second numeric) RETURNS bigint
    RETURN floor(extract(epoch FROM at) * a_second);

-- up to 21 bytes; those of a version 4 UUID from the tenth on are random
CREATE FUNCTION random_bytes(n int) RETURNS bytea
    RETURN substr(
        substr(uuid_send(gen_random_uuid()), 10)
        || substr(uuid_send(gen_random_uuid()), 10)
        || substr(uuid_send(gen_random_uuid()), 10), 1, n);

CREATE FUNCTION bytes_to_uuid(bytes bytea) RETURNS uuid
    RETURN encode(bytes, 'hex')::uuid;

--
-- Numbers of 64 bits
--

-- A sequence counts time and number together.  It is set forward to the clock, never back; when
-- the numbers of a tick are used up, the next ID has the next tick.  The exception releases the
-- advisory lock at once, but does not roll the sequence back.  With the time of an old row: any
-- number.
CREATE FUNCTION next_number(
    counter regclass, at timestamptz, a_second numeric, epoch bigint, bits int) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    first bigint := (units(coalesce(at, clock_timestamp()), a_second) - epoch) << bits;
    result bigint;
BEGIN
    IF at IS NOT NULL THEN
        RETURN first | (nextval('ids') & ((1 << bits) - 1));
    END IF;
    PERFORM pg_advisory_xact_lock(counter::oid::bigint);
    result := setval(counter, greatest(nextval(counter), first));
    RAISE SQLSTATE 'UU001';
EXCEPTION WHEN SQLSTATE 'UU001' THEN
    RETURN result;
END $$;

-- datacenter 3, worker 7.  For Discord's the epoch is 1420070400000.
CREATE SEQUENCE snowflakes;
CREATE FUNCTION new_snowflake(at timestamptz DEFAULT NULL) RETURNS bigint
    RETURN (
        SELECT ((n >> 12) << 22) | (3 << 17) | (7 << 12) | (n & 4095)
        FROM next_number('snowflakes', at, 1000, 1288834974657, 12) n);

CREATE SEQUENCE mastodons;
CREATE FUNCTION new_mastodon(at timestamptz DEFAULT NULL) RETURNS bigint
    RETURN next_number('mastodons', at, 1000, 0, 16);

-- shard 1341
CREATE SEQUENCE shardingids;
CREATE FUNCTION new_shardingid(at timestamptz DEFAULT NULL) RETURNS bigint
    RETURN (
        SELECT ((n >> 10) << 23) | (1341 << 10) | (n & 1023)
        FROM next_number('shardingids', at, 1000, 1314220021721, 10) n);

-- datacenter 3, worker 7.  In bytes: int8send(new_flakeid()).
CREATE SEQUENCE flakeids;
CREATE FUNCTION new_flakeid(at timestamptz DEFAULT NULL) RETURNS bigint
    RETURN (
        SELECT ((n >> 12) << 22) | (3 << 17) | (7 << 12) | (n & 4095)
        FROM next_number('flakeids', at, 1000, 0, 12) n);

-- version 1, machine 517.  For version 2 the epoch is 173568960000.
CREATE SEQUENCE sonyflakes;
CREATE FUNCTION new_sonyflake(at timestamptz DEFAULT NULL) RETURNS bigint
    RETURN (
        SELECT (n << 16) | 517
        FROM next_number('sonyflakes', at, 100, 140952960000, 8) n);

--
-- Texts
--

-- address 50fd7c8c8db0
CREATE FUNCTION new_elasticflake(at timestamptz DEFAULT clock_timestamp()) RETURNS text
    RETURN translate(
        encode(
            substr(int8send(units(at, 1000)), 3) || '\x50fd7c8c8db0'
            || substr(int8send(nextval('ids')), 6), 'base64'),
        '+/', '-_');

CREATE FUNCTION new_pushid(at timestamptz DEFAULT clock_timestamp()) RETURNS text
    RETURN translate(
        encode(substr(int8send(units(at, 1000)), 3) || random_bytes(9), 'base64'),
        'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
        '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz');

CREATE FUNCTION new_objectid(at timestamptz DEFAULT clock_timestamp()) RETURNS text
    RETURN encode(
        substr(int8send(units(at, 1)), 5) || random_bytes(5)
        || substr(int8send(nextval('ids')), 6), 'hex');

-- machine 60f486
CREATE FUNCTION new_xid(at timestamptz DEFAULT clock_timestamp()) RETURNS text
    RETURN uuid_to_xid(objectid_to_uuid(
        substr(int8send(units(at, 1)), 5) || '\x60f486'
        || substr(int4send(pg_backend_pid()), 3) || substr(int8send(nextval('ids')), 6)));

-- MAC address 10:9a:dd:5e:0e:8f
CREATE SEQUENCE flakes;
CREATE FUNCTION new_flake(at timestamptz DEFAULT NULL) RETURNS text
    RETURN (
        SELECT uuid_to_flake(bytes_to_uuid(
            int8send(n >> 16) || '\x109add5e0e8f' || substr(int8send(n), 7)))
        FROM next_number('flakes', at, 1000, 0, 16) n);

-- in order within a session: uuid_to_ulid(uuid_generate_v8('unix48'))
CREATE FUNCTION new_ulid(at timestamptz DEFAULT clock_timestamp()) RETURNS text
    RETURN uuid_to_ulid(bytes_to_uuid(substr(int8send(units(at, 1000)), 3) || random_bytes(10)));

CREATE FUNCTION new_ksuid(at timestamptz DEFAULT clock_timestamp()) RETURNS text
    RETURN bytea_to_ksuid(substr(int8send(units(at, 1) - 1400000000), 5) || random_bytes(16));

CREATE FUNCTION new_sid(at timestamptz DEFAULT clock_timestamp()) RETURNS text
    RETURN uuid_to_sid(
        bytes_to_uuid(
            int8send(units(at, 1000000) * 1000) || set_bit(random_bytes(8), 7, 0)),
        'base32');

CREATE FUNCTION base36(n bigint, digits int) RETURNS text
    RETURN (
        SELECT string_agg(
            substr('0123456789abcdefghijklmnopqrstuvwxyz',
                (n / (36::float8 ^ i)::bigint % 36)::int + 1, 1),
            '' ORDER BY i DESC)
        FROM generate_series(0, digits - 1) i);

-- fingerprint 0pg1
CREATE FUNCTION new_cuid(at timestamptz DEFAULT clock_timestamp()) RETURNS text
    RETURN 'c' || base36(units(at, 1000), 8) || base36(nextval('ids'), 4) || '0pg1'
        || base36(('x' || encode(random_bytes(6), 'hex'))::bit(48)::bigint, 8);

--
-- UUIDs
--

-- its text: uuid_to_lexicaluuid(lexicaluuid_to_uuid(new_lexicaluuid()))
CREATE FUNCTION new_lexicaluuid(at timestamptz DEFAULT clock_timestamp()) RETURNS uuid
    RETURN bytes_to_uuid(int8send(units(at, 1000000)) || random_bytes(8));

CREATE FUNCTION new_ordered_uuid(at timestamptz DEFAULT clock_timestamp()) RETURNS uuid
    RETURN bytes_to_uuid(overlay(uuid_send(gen_random_uuid())
        PLACING substr(int8send(units(at, 100000)), 3) FROM 1));

-- variant postgresql; to sort in SQL Server: comb_convert(new_comb(), 'postgresql', 'sql')
CREATE FUNCTION new_comb(at timestamptz DEFAULT clock_timestamp()) RETURNS uuid
    RETURN bytes_to_uuid(overlay(uuid_send(gen_random_uuid())
        PLACING substr(int8send(units(at, 1000)), 3) FROM 1));
