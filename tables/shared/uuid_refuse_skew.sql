-- uuid_refuse_skew(column, ahead, back): a trigger after each row that refuses a key whose time is
-- further from the server's clock, as that of a machine whose own clock is wrong.  After, so that
-- INSERT … ON CONFLICT of a row that is there already passes.
--
-- 23514 if uuid_time() of the key is later than the clock by more than ahead, or earlier by more
-- than back.  NULL and UUIDs without a time pass.  The clock is clock_timestamp(), as for new keys:
-- now() is when a transaction began.  Takes no locks and reads no table.
CREATE FUNCTION uuid_refuse_skew()
RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp SET datestyle = 'ISO' AS $$
DECLARE
	fields jsonb;
	made timestamptz;
	ahead boolean;
BEGIN
	IF TG_WHEN <> 'AFTER' OR TG_LEVEL <> 'ROW' OR TG_NARGS <> 3 THEN
		RAISE trigger_protocol_violated USING
			MESSAGE = 'uuid_refuse_skew() must be a trigger AFTER each row, '
				'with the arguments column, ahead and back';
	END IF;
	fields := to_jsonb(NEW);
	IF NOT fields ? TG_ARGV[0] THEN
		RAISE undefined_column USING
			MESSAGE = format('table "%s" has no column "%s" of type uuid',
				TG_TABLE_NAME, TG_ARGV[0]);
	END IF;

	EXECUTE format('SELECT %s.uuid_time($1)', @own@)
	INTO made
	USING (fields ->> TG_ARGV[0])::uuid;
	ahead := made > clock_timestamp() + TG_ARGV[1]::interval;
	IF ahead OR made < clock_timestamp() - TG_ARGV[2]::interval THEN
		RAISE check_violation USING
			MESSAGE = format('the key''s time, %s, is more than %s %s the server''s clock', made,
				TG_ARGV[CASE WHEN ahead THEN 1 ELSE 2 END],
				CASE WHEN ahead THEN 'ahead of' ELSE 'behind' END),
			HINT = 'Correct the clock of the machine that made the key, '
				'or widen the limits of the trigger.',
			SCHEMA = TG_TABLE_SCHEMA,
			TABLE = TG_TABLE_NAME,
			COLUMN = TG_ARGV[0];
	END IF;
	RETURN NULL;
END $$;
COMMENT ON FUNCTION uuid_refuse_skew() IS
'trigger (column, ahead, back) that refuses keys whose time is further from the clock';
