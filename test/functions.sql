-- Functions that several of the SQL tests use

-- Returns what is reported of a statement's error, or the message "no error".
CREATE OR REPLACE FUNCTION error_of(statement text, OUT code text, OUT message text,
	OUT detail text, OUT hint text)
LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statement;
	message := 'no error';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS
		code = RETURNED_SQLSTATE,
		message = MESSAGE_TEXT,
		detail = PG_EXCEPTION_DETAIL,
		hint = PG_EXCEPTION_HINT;
END $$;

-- Returns the result of an expression in which $1 is the value, or the SQLSTATE of its error.
CREATE OR REPLACE FUNCTION result_of(expression text, value text DEFAULT NULL) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE 'SELECT ' || expression INTO result USING value;
	RETURN result;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE;
END $$;

-- This is exact; an interval would be multiplied as a double.
CREATE OR REPLACE FUNCTION from_unix_us(us numeric) RETURNS timestamptz
LANGUAGE sql IMMUTABLE AS $$
	SELECT timestamptz '1970-01-01 00:00:00+00'
		+ div(us, 86400000000)::int * interval '1 day'
		+ mod(us, 86400000000)::bigint / 1000000 * interval '1 second'
		+ mod(us, 1000000)::int * interval '1 microsecond'
$$;

-- Returns a UUID with another version and another variant digit.
CREATE OR REPLACE FUNCTION relabeled(id uuid, version int, variant int) RETURNS uuid
LANGUAGE sql IMMUTABLE AS $$
	SELECT overlay(overlay(id::text PLACING to_hex(version) FROM 15)
		PLACING to_hex(variant) FROM 20)::uuid
$$;

-- Returns the fields of the lines of a file in test/vectors, without its head.
CREATE OR REPLACE FUNCTION vectors_of(lines text) RETURNS TABLE (n bigint, f text[])
LANGUAGE sql IMMUTABLE AS $$
	SELECT n - 1, string_to_array(line, E'\t')
	FROM regexp_split_to_table(lines, '\n') WITH ORDINALITY t(line, n)
	WHERE n > 1 AND line <> ''
$$;
