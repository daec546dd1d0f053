-- The period of a width, in a time zone, that holds a time, since <= ts < until, and the end of
-- the name of a partition for it. 22023 for an unknown width.
CREATE FUNCTION uuidnew_tables._period(width text, time_zone text, ts timestamptz,
	OUT since timestamptz, OUT until timestamptz, OUT suffix text)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	unit CONSTANT text := lower(width);
	step CONSTANT interval := CASE WHEN unit = 'quarter' THEN '3 months'
		WHEN unit IN ('hour', 'day', 'week', 'month', 'year') THEN '1 ' || unit END;
BEGIN
	IF time_zone IS NULL OR step IS NULL THEN
		RAISE invalid_parameter_value USING
			MESSAGE = format('cannot partition by width "%s"', width),
			HINT = 'Valid widths are hour, day, week, month, quarter and year.';
	END IF;
	since := date_trunc(unit, ts, time_zone);
	IF since > ts THEN	-- midnight comes twice
		since := date_trunc(unit, ts - interval '1 hour', time_zone);
	END IF;
	until := since;
	WHILE until <= ts LOOP	-- there may be no midnight
		until := CASE unit
			WHEN 'hour' THEN until + step
			ELSE (date_trunc(unit, until AT TIME ZONE time_zone) + step) AT TIME ZONE time_zone END;
	END LOOP;
	suffix := to_char(since AT TIME ZONE time_zone,
		CASE unit WHEN 'hour' THEN '_YYYY_MM_DD_HH24' ELSE '_YYYY_MM_DD' END);
END
$$;
