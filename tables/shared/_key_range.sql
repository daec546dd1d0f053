-- The times that version 7 keys of a layout hold, since <= time < until. Keys of layout rfc9562 are
-- below the border, 03000000-0000-7000-8000-000000000000, and keys of layout draft begin there.
CREATE FUNCTION uuidnew_tables._key_range(layout text, OUT since timestamptz, OUT until timestamptz)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT l.since, l.until
	FROM (VALUES
		('rfc9562', timestamptz '1970-01-01 00:00+00', timestamptz '2074-07-11 11:41:23.328+00'),
		('draft', '1995-07-09 16:12:48+00', '4147-08-20 07:32:16+00')) l(name, since, until)
	WHERE name = layout;
END;
