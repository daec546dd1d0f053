-- The period of a width, in a time zone, that holds a time, and the end of its partition's name.
CREATE FUNCTION uuidnew_tables._period(width text, time_zone text, ts timestamptz,
	OUT since timestamptz, OUT until timestamptz, OUT suffix text)
LANGUAGE plpgsql STABLE
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
	since := least(ts, date_trunc(unit, ts, time_zone));	-- where midnight comes twice
	until := CASE unit WHEN 'hour' THEN since + step
		ELSE (date_trunc(unit, ts AT TIME ZONE time_zone) + step) AT TIME ZONE time_zone END;
	suffix := to_char(since AT TIME ZONE time_zone,
		CASE unit WHEN 'hour' THEN '_YYYY_MM_DD_HH24' ELSE '_YYYY_MM_DD' END);
END
$$;
