-- UUIDs of version 7 (RFC 9562) for a migration, in plain SQL: PostgreSQL 14 or later.
--
-- Copy it into a migration as it is; it can be run again.  It creates what the server lacks, in the
-- first schema of search_path: on PostgreSQL 18 not uuidv7(), and nothing where the extension
-- uuidnew is in search_path, whose functions these are by name, bits and results.
--
--   uuidv7()                  a new key, in the order of the clock's microseconds
--   uuidv7_at(timestamptz)    a key for an old row; 22008 before 1970 or after 10889
--   uuidv7_min(timestamptz)   the bounds of a time:
--   uuidv7_max(timestamptz)   id >= uuidv7_min(since) AND id < uuidv7_min(until) uses the index
--   uuidv7_timestamp(uuid)    the time in a key; NULL for another version
--
-- Licence: the PostgreSQL License.
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
            IF ts < '1970-01-01 00:00+00' OR ts > '10889-08-02 05:31:50.655999+00' THEN
                RAISE datetime_field_overflow USING
                    MESSAGE = 'timestamp out of range for UUID version 7';
            END IF;
            RETURN overlay(lpad(to_hex(floor(extract(epoch FROM ts) * 4096000)::bigint), 15, '0')
                PLACING '7' FROM 13 FOR 0) || right(gen_random_uuid()::text, 18);
        END $$;
    END IF;

    -- nil or max for a time that no key has; extract() from a timestamptz is not IMMUTABLE
    IF to_regprocedure('uuidv7_min(timestamptz)') IS NULL THEN
        CREATE FUNCTION uuidv7_min(ts timestamptz) RETURNS uuid
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN CASE
            WHEN ts < '1970-01-01 00:00+00' THEN '00000000-0000-0000-0000-000000000000'
            WHEN ts > '10889-08-02 05:31:50.655+00' THEN 'ffffffff-ffff-ffff-ffff-ffffffffffff'
            ELSE (lpad(to_hex(ceil(extract(epoch FROM ts AT TIME ZONE 'UTC') * 1000)::bigint),
                12, '0') || '70008000000000000000')::uuid END;
    END IF;

    IF to_regprocedure('uuidv7_max(timestamptz)') IS NULL THEN
        CREATE FUNCTION uuidv7_max(ts timestamptz) RETURNS uuid
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN CASE
            WHEN ts < '1970-01-01 00:00+00' THEN '00000000-0000-0000-0000-000000000000'
            WHEN ts > '10889-08-02 05:31:50.655999+00' THEN 'ffffffff-ffff-ffff-ffff-ffffffffffff'
            ELSE (lpad(to_hex(floor(extract(epoch FROM ts AT TIME ZONE 'UTC') * 1000)::bigint),
                12, '0') || '7fffbfffffffffffffff')::uuid END;
    END IF;

    -- seconds and milliseconds apart: an interval is multiplied as a double
    IF to_regprocedure('uuidv7_timestamp(uuid)') IS NULL THEN
        CREATE FUNCTION uuidv7_timestamp(id uuid) RETURNS timestamptz
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN CASE WHEN id::text ~ '^.{14}7.{4}[89ab]' THEN (timestamp '1970-01-01'
            + ('x0000' || translate(left(id::text, 13), '-', ''))::bit(64)::bigint / 1000
                * interval '1 second'
            + ('x0000' || translate(left(id::text, 13), '-', ''))::bit(64)::bigint % 1000
                * interval '1 millisecond') AT TIME ZONE 'UTC' END;
    END IF;
END $migration$;
