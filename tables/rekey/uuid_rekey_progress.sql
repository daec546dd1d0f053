CREATE FUNCTION uuid_rekey_progress()
RETURNS TABLE (pid int, tab regclass, pages_done bigint, pages bigint, percent numeric, rows_filled bigint,
	rows_per_second numeric, remaining interval)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
SELECT a.pid, c.oid::regclass, w[3]::bigint, w[4]::bigint, round(100 * w[3]::numeric / w[4]::numeric, 1), w[5]::bigint, w[6]::numeric, nullif(w[7], '')::int * interval '1 s'
FROM pg_stat_activity a, string_to_array(application_name, ' ') w JOIN pg_class c ON c.oid::text = w[2]
WHERE datname = current_database()	-- anyone can set such a name
	AND application_name ~ '^uuid_rekey \d+ \d{1,10} [1-9]\d{0,9} \d{1,15} \d{1,15} \d{0,9}$'
$$;
COMMENT ON FUNCTION uuid_rekey_progress IS 'sessions that are in uuid_rekey_fill, and how far they are';
