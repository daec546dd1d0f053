-- RFC 9562 version 7 UUIDs in plain SQL, for a migration on PostgreSQL 14 or later.
--
-- Copy this file into a migration, or run it; you may run it again.  It creates the functions that
-- search_path lacks, in its first schema: on PostgreSQL 18 all but uuidv7(), and with the extension
-- uuidnew none, because its functions have the same names, bits and results.
--
--   uuidv7()                  generates a key, in the order of the clock's microseconds
--   uuidv7_at(timestamptz)    generates a key for an old row; 22008 unless 1970 <= ts < 2074-07-11
--   uuidv7_timestamp(uuid)    extracts the time from a key; NULL for any other UUID
--   uuidv7_is(uuid)           true for a key: version 7, with a time before 2074-07-11
--
-- Windows are conditions on the key that use its index and prune partitions:
--
--   uuidv7_between(uuid, since, until)    since <= time < until; a NULL end is open
--   uuidv7_before(uuid, ts)               time < ts; a NULL ts matches no rows
--   uuidv7_from(uuid, ts)                 time >= ts; a NULL ts matches no rows
--   uuidv7_min(ts), uuidv7_max(ts)        smallest key at ts or later, largest at ts or earlier
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

    -- Seconds and milliseconds are added separately, because an interval is multiplied as a double.
    IF to_regprocedure('uuidv7_timestamp(uuid)') IS NULL THEN
        CREATE FUNCTION uuidv7_timestamp(id uuid) RETURNS timestamptz
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN CASE WHEN uuidv7_is(id) THEN (timestamp '1970-01-01'
            + ('x0000' || translate(left(id::text, 13), '-', ''))::bit(64)::bigint / 1000
                * interval '1 second'
            + ('x0000' || translate(left(id::text, 13), '-', ''))::bit(64)::bigint % 1000
                * interval '1 millisecond') AT TIME ZONE 'UTC' END;
    END IF;

    -- For ts out of range, it is an end of the range.  extract() from timestamptz is not IMMUTABLE.
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

    -- greatest() and least() ignore NULL.  The planner expects that "<> 0" is true for most rows.
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
