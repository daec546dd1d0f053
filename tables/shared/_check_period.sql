-- 22008 for a partition's period that ends after the times that keys of a layout hold.
CREATE FUNCTION uuidnew_tables._check_period(since timestamptz, until timestamptz, layout text)
RETURNS void
LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	held CONSTANT record := uuidnew_tables._key_range(layout);
BEGIN
	IF until > held.until THEN
		RAISE datetime_field_overflow USING
			MESSAGE = format('partition %s is out of range',
				concat_ws(', ', 'since ' || since, 'until ' || until)),
			DETAIL = format('Keys of layout "%s" have times since %s, until %s.',
				layout, held.since, held.until);
	END IF;
END
$$;
