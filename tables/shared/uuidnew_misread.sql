-- The generated columns that read a column of version 7 as the other layout, in words.
CREATE FUNCTION uuidnew_misread(tab regclass, col name, layout text)
RETURNS text
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
SELECT string_agg(format('generated column "%s" reads the other layout', attname), '; ')
FROM pg_attribute
JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
WHERE attrelid = tab
	AND attgenerated <> ''
	AND pg_get_expr(adbin, adrelid) ~ replace(CASE layout
		WHEN 'rfc9562' THEN $re$\muuid_v7_(timestamp|fields)\(col(\)|, '(?!rfc9562))$re$
		WHEN 'draft' THEN $re$\m(uuidv7_timestamp|uuidv7_fields|uuid_extract_timestamp)\(col\)$re$
			|| $re$|\muuid_v7_(timestamp|fields)\(col, 'rfc9562$re$ END,
		'col', regexp_replace(quote_ident(col), '(\W)', '\\\1', 'g'))
$$;
COMMENT ON FUNCTION uuidnew_misread(regclass, name, text) IS
'generated columns that read the other layout; for uuid_columns';
