-- The keys of now and of now() + ahead, and the first after all of a layout. 22008 if the present
-- period reaches beyond the times of such keys.
CREATE FUNCTION uuidnew_tables._creation_range(width text, ahead interval, time_zone text,
	layout text, OUT present uuid, OUT future uuid, OUT past_all uuid)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	now_period record;
BEGIN
	IF isfinite(now() + ahead) IS NOT TRUE THEN
		RAISE invalid_parameter_value USING
			MESSAGE = format('cannot create partitions %s ahead', ahead);
	END IF;
	SELECT * INTO now_period FROM uuidnew_tables._period(width, time_zone, now());
	PERFORM uuidnew_tables._check_period(now_period.since, now_period.until, layout);
	present := uuidnew_tables._key_min(now_period.since, layout);
	future := uuidnew_tables._key_min(now() + ahead, layout);
	past_all := uuidnew_tables._key_min('infinity'::timestamptz, layout);
END
$$;

-- The ranges that no partition of a table holds, in their order: a lower and an upper bound each.
-- 55000 if a partition is half detached.
CREATE FUNCTION uuidnew_tables._partition_gaps(parent regclass)
RETURNS uuid[]
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	pending regclass;
BEGIN
	SELECT inhrelid INTO pending FROM pg_inherits WHERE inhparent = parent AND inhdetachpending;
	IF FOUND THEN
		RAISE object_not_in_prerequisite_state USING
			MESSAGE = format('partition %s of table %s is half detached', pending, parent),
			HINT = format('ALTER TABLE %s DETACH PARTITION %s FINALIZE', parent, pending);
	END IF;
	RETURN ARRAY(
		SELECT bound
		FROM (
			SELECT upper AS lower, lead(lower, 1, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
				OVER (ORDER BY lower, upper) AS upper
			FROM (
				SELECT lower, upper
				FROM uuidnew_tables._partition_bounds(parent)
				WHERE lower IS NOT NULL
				UNION ALL
				SELECT least, least FROM CAST('00000000-0000-0000-0000-000000000000' AS uuid) least
				) taken) gap
		CROSS JOIN LATERAL (VALUES (1, lower), (2, upper)) bounds(turn, bound)
		WHERE lower < upper
		ORDER BY lower, turn);
END
$$;
