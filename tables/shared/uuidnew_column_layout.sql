-- The layout of version 7 that a column holds, 'rfc9562' or 'draft', by what its table says.
--
-- guard: by a CHECK constraint of this column alone that is one call, as doc/two-layouts.md shows
-- them, validated or not (is_validated). made: by its default; 'version 4' for one that makes
-- random UUIDs. NULL if nothing says. Reads the catalogs only.
CREATE FUNCTION uuidnew_column_layout(tab regclass, col int, OUT guard text, OUT made text,
	OUT is_validated boolean)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	own CONSTANT regnamespace := @own@;
	name CONSTANT text := '([[:alnum:]_]+|"([^"]|"")+")';
	form CONSTANT text := $form$(?x)
		^CHECK\ \(\(? (%4$s\.)?
		( %3$s_is\(%4$s\)
		| %3$s_(between|before|from)\(%4$s (,\ [^(),]*){1,2} \)
		| uuid_v7_layout\(%4$s\)\ (
			=\ '%1$s'::text
			| <>\ '%2$s'::text
			| =\ ANY\ \(ARRAY\[ ('none'::text,\ )? '%1$s'::text (,\ 'none'::text)? \]\)
		) ) \)$form$;
	default_call text;
	is_own boolean;
BEGIN
	SELECT max(kind.layout), coalesce(bool_or(convalidated), false) INTO guard, is_validated
	FROM pg_constraint, (VALUES
		('rfc9562', 'draft', 'uuidv7'),
		('draft', 'rfc9562', 'uuid_v7')) kind(layout, other, prefix)
	WHERE conrelid = tab
		AND contype = 'c'
		AND conkey = ARRAY[col::int2]
		AND pg_get_constraintdef(oid) ~ format(form, layout, other, prefix, name);

	-- without the schema; pg_uuidv7 has a uuid_generate_v7 too
	SELECT regexp_replace(pg_get_expr(adbin, adrelid), '^[^(]+\.', ''),
		EXISTS (
			SELECT FROM pg_depend
			JOIN pg_proc ON pg_proc.oid = refobjid
			WHERE classid = 'pg_attrdef'::regclass
				AND objid = pg_attrdef.oid
				AND refclassid = 'pg_proc'::regclass
				AND pronamespace = own)
	INTO default_call, is_own
	FROM pg_attrdef
	WHERE adrelid = tab AND adnum = col;
	made := CASE
		WHEN default_call ^@ 'uuidv7(' OR default_call = 'uuid_generate_v7(''rfc9562''::text)'
			THEN 'rfc9562'
		WHEN default_call ~ '^(gen_random_uuid|uuidv4|uuid_generate_v4)\(' THEN 'version 4'
		WHEN default_call ~ '^uuid_generate_v7\((''(draft|(milli|micro|nano)second)''::text)?\)$'
			AND is_own THEN 'draft' END;
END
$$;
COMMENT ON FUNCTION uuidnew_column_layout(regclass, int) IS
'layout of version 7 of a column, by its guard and by its default';
