-- The least version 7 key of a layout, rfc9562 or draft, with this time or a later one. Before the
-- layout's range, its first key; after the range, the border, or the greatest UUID for the draft.
CREATE FUNCTION uuidnew_tables._key_min(ts timestamptz, layout text)
RETURNS uuid
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (
	SELECT CASE
		WHEN ts IS NULL THEN NULL
		WHEN layout = 'rfc9562' THEN (
			lpad(to_hex(ceil(epoch * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
		WHEN layout = 'draft' AND ts >= until THEN 'ffffffff-ffff-ffff-ffff-ffffffffffff'
		-- seconds and fraction, rounded up, are 36 and 38 bits around version and variant
		WHEN layout = 'draft' THEN (
			SELECT (overlay(lpad(to_hex(div(bits, 16384)::bigint), 15, '0')
				PLACING '7' FROM 13 FOR 0)
				|| to_hex(32768 + mod(bits, 16384)::int) || '000000000000')::uuid
			FROM ceil(epoch * 274877906944) bits) END
	FROM uuidnew_tables._key_range(layout)
	CROSS JOIN extract(epoch FROM least(greatest(ts, since), until) AT TIME ZONE 'UTC') epoch);
