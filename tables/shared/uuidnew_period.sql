-- The period of a width, in a time zone, that holds a time, since <= ts < until, and the end of
-- the name of a partition for it. 22023 for an unknown width.
CREATE FUNCTION uuidnew_period(width text, time_zone text, ts timestamptz,
	OUT since timestamptz, OUT until timestamptz, OUT suffix text)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	unit CONSTANT text := lower(width);
	step interval;
	digits text;
BEGIN
	SELECT widths.step, widths.digits INTO step, digits
	FROM (VALUES
		('hour', interval '1 hour', '_YYYY_MM_DD_HH24'),
		('day', '1 day', '_YYYY_MM_DD'),
		('week', '1 week', '_IYYY"w"IW'),
		('month', '1 month', '_YYYY_MM'),
		('quarter', '3 months', '_YYYY"q"Q'),
		('year', '1 year', '_YYYY')) widths(name, step, digits)
	WHERE widths.name = unit AND time_zone IS NOT NULL;
	IF NOT FOUND THEN
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
	suffix := to_char(since AT TIME ZONE time_zone, digits);
END
$$;
