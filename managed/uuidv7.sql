-- UUIDs of version 7 (RFC 9562) for a migration, in plain SQL: PostgreSQL 14 or later.
--
-- Copy it into a migration as it is; it can be run again.  It creates what the server lacks, in the
-- first schema of search_path: on PostgreSQL 18 not uuidv7(), and nothing where the extension
-- uuidnew is in search_path, whose functions these are by name, bits and results.
--
--   uuidv7()                  a new key, in the order of the clock's microseconds
--   uuidv7_at(timestamptz)    a key for an old row; 22008 before 1970, and from 2074-07-11 on
--   uuidv7_timestamp(uuid)    the time in a key; NULL for any other UUID
--   uuidv7_is(uuid)           whether it is such a key: version 7, of a time before 2074-07-11
--
-- Windows of time, as bounds of the key, which use its index and prune partitions:
--
--   uuidv7_between(uuid, since, until)    since <= time < until; NULL is open
--   uuidv7_before(uuid, ts)               time < ts
--   uuidv7_from(uuid, ts)                 time >= ts
--   uuidv7_min(ts), uuidv7_max(ts)        the least and the greatest key of a time
--
-- License: the PostgreSQL License.
DO $migration$
BEGIN
    IF to_regprocedure('uuidv7()') IS NULL THEN
        CREATE FUNCTION uuidv7() RETURNS uuid
        LANGUAGE sql VOLATILE PARALLEL SAFE
        RETURN (overlay(
            lpad(to_hex(floor(extract(epoch FROM clock_timestamp()) * 4096000)::bigint), 15, '0')
            PLACING '7' FROM 13 FOR 0) || right(gen_random_uuid()::text, 18))::uuid;
    END IF;

    IF to_regprocedure('uuidv7_at(timestamptz)') IS NULL THEN
        CREATE FUNCTION uuidv7_at(ts timestamptz) RETURNS uuid
        LANGUAGE plpgsql VOLATILE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
        BEGIN
            IF ts < '1970-01-01 00:00+00' OR ts >= '2074-07-11 11:41:23.328+00' THEN
                RAISE datetime_field_overflow USING
                    MESSAGE = 'timestamp out of range for UUID version 7';
            END IF;
            RETURN overlay(lpad(to_hex(floor(extract(epoch FROM ts) * 4096000)::bigint), 15, '0')
                PLACING '7' FROM 13 FOR 0) || right(gen_random_uuid()::text, 18);
        END $$;
    END IF;

    IF to_regprocedure('uuidv7_is(uuid)') IS NULL THEN
        CREATE FUNCTION uuidv7_is(id uuid) RETURNS boolean
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN get_byte(uuid_send(id), 0) < 3 AND get_byte(uuid_send(id), 6) >> 4 = 7
            AND get_byte(uuid_send(id), 8) >> 6 = 2;
    END IF;

    -- seconds and milliseconds apart: an interval is multiplied as a double
    IF to_regprocedure('uuidv7_timestamp(uuid)') IS NULL THEN
        CREATE FUNCTION uuidv7_timestamp(id uuid) RETURNS timestamptz
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN CASE WHEN uuidv7_is(id) THEN (timestamp '1970-01-01'
            + ('x0000' || translate(left(id::text, 13), '-', ''))::bit(64)::bigint / 1000
                * interval '1 second'
            + ('x0000' || translate(left(id::text, 13), '-', ''))::bit(64)::bigint % 1000
                * interval '1 millisecond') AT TIME ZONE 'UTC' END;
    END IF;

    -- beyond the range: its ends; extract() from a timestamptz is not IMMUTABLE
    IF to_regprocedure('uuidv7_min(timestamptz)') IS NULL THEN
        CREATE FUNCTION uuidv7_min(ts timestamptz) RETURNS uuid
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN CASE
            WHEN ts < '1970-01-01 00:00+00' THEN '00000000-0000-7000-8000-000000000000'
            WHEN ts > '2074-07-11 11:41:23.327+00' THEN '03000000-0000-7000-8000-000000000000'
            ELSE (lpad(to_hex(ceil(extract(epoch FROM ts AT TIME ZONE 'UTC') * 1000)::bigint),
                12, '0') || '70008000000000000000')::uuid END;
    END IF;

    IF to_regprocedure('uuidv7_max(timestamptz)') IS NULL THEN
        CREATE FUNCTION uuidv7_max(ts timestamptz) RETURNS uuid
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN CASE
            WHEN ts < '1970-01-01 00:00+00' THEN '00000000-0000-0000-0000-000000000000'
            WHEN ts > '2074-07-11 11:41:23.327+00' THEN '02ffffff-ffff-7fff-bfff-ffffffffffff'
            ELSE (lpad(to_hex(floor(extract(epoch FROM ts AT TIME ZONE 'UTC') * 1000)::bigint),
                12, '0') || '7fffbfffffffffffffff')::uuid END;
    END IF;

    -- greatest() and least() ignore NULL; <> 0, as the planner expects that most rows pass that
    IF to_regprocedure('uuidv7_between(uuid, timestamptz, timestamptz)') IS NULL THEN
        CREATE FUNCTION uuidv7_between(id uuid, since timestamptz, until timestamptz)
        RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN id >= greatest(uuidv7_min(since), '00000000-0000-7000-8000-000000000000')
            AND id < least(uuidv7_min(until), '03000000-0000-7000-8000-000000000000')
            AND uuidv7_is(id)::int <> 0;
    END IF;

    IF to_regprocedure('uuidv7_before(uuid, timestamptz)') IS NULL THEN
        CREATE FUNCTION uuidv7_before(id uuid, ts timestamptz)
        RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN id < uuidv7_min(ts) AND uuidv7_is(id)::int <> 0;
    END IF;

    IF to_regprocedure('uuidv7_from(uuid, timestamptz)') IS NULL THEN
        CREATE FUNCTION uuidv7_from(id uuid, ts timestamptz)
        RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN id >= uuidv7_min(ts) AND id < '03000000-0000-7000-8000-000000000000'
            AND uuidv7_is(id)::int <> 0;
    END IF;
END $migration$;
