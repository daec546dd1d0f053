-- Empty copies of tables, with all that they have and all views upon them (if direct: those that
-- read them, not what depends on these), for a rehearsal: to be called in a subtransaction that is
-- rolled back, so that nothing stays. They come in the order of the argument.
--
-- The copies are temporary tables with the names of the originals, so that the right to create
-- temporary tables, which all have by default, is enough, and nobody else sees them.  A foreign key
-- to a table that is not copied refers to a stand-in for it.  Definitions of copies and originals
-- are compared at the end: what a copy lacks is error 55000, with a line for each in DETAIL.  Only
-- publications are left out: no temporary table is in one.
--
-- Locks the originals, and what their views and policies read, in ACCESS SHARE mode; reads no row
-- of them.
CREATE FUNCTION uuidnew_copy_tables(originals regclass[], direct boolean DEFAULT false)
RETURNS regclass[]
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
SET jit = off	-- compiling takes longer
AS $$
DECLARE
	own CONSTANT text := @own@;
	relations CONSTANT regclass[] := ARRAY(	-- with views, after what they read
		WITH RECURSIVE rel(oid, depth) AS (
			SELECT unnest(originals)::oid, 0
			UNION
			SELECT v.oid, depth + 1
			FROM rel
				JOIN pg_depend ON refclassid = 'pg_class'::regclass AND refobjid = rel.oid
				JOIN pg_rewrite w ON classid = 'pg_rewrite'::regclass AND w.oid = objid
					AND rulename = '_RETURN'
				JOIN pg_class v ON v.oid = ev_class AND v.oid <> rel.oid AND v.relkind = 'v'
			WHERE depth = 0 OR NOT direct)
		SELECT oid FROM rel GROUP BY oid ORDER BY max(depth),
			array_position(originals, oid::regclass));
	names CONSTANT jsonb := (	-- of all that is copied
		SELECT jsonb_object_agg(format('%I.%I', schema, name), format('pg_temp.%I', name))
		FROM (
			SELECT relnamespace, relname
			FROM pg_class
			WHERE oid = ANY (relations) OR relkind = 'S' AND oid IN (
				SELECT objid FROM pg_depend WHERE refobjid = ANY (relations)
					AND deptype IN ('a', 'i'))
				OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = ANY (relations))
			UNION
			SELECT stxnamespace, stxname FROM pg_statistic_ext
				WHERE stxrelid = ANY (relations)) n(namespace, name)
			JOIN pg_namespace s(oid, schema) ON s.oid = namespace);
	stand_ins jsonb;
	statements text[];
	statement text;
	lost text;
BEGIN
	PERFORM set_config('temp_tablespaces', '', true), set_config('client_min_messages', 'warning',
		true);
	EXECUTE format('SELECT %s.uuidnew_stand_ins($1)', own) INTO stand_ins USING originals;
	EXECUTE format('SELECT %s.uuidnew_copy_statements($1, $2, $3)', own)
		INTO statements USING relations, names, stand_ins;
	FOREACH statement IN ARRAY statements LOOP
		EXECUTE statement;
	END LOOP;

	EXECUTE format('SELECT string_agg(l, %L) FROM %s.uuidnew_copies_lack($1, $2, $3) l', E'\n', own)
	INTO lost
	USING relations, names || stand_ins, direct;
	IF lost IS NOT NULL THEN
		RAISE object_not_in_prerequisite_state USING
			MESSAGE = format('cannot copy table %s with all that it has', originals[1]),
				DETAIL = lost;
	END IF;
	RETURN ARRAY(
		SELECT format('pg_temp.%I', relname)::regclass
		FROM unnest(originals) WITH ORDINALITY o(oid, number) JOIN pg_class USING (oid)
		ORDER BY number);
END
$$;
COMMENT ON FUNCTION uuidnew_copy_tables(regclass[], boolean) IS
'empty copies of tables with all that they have, for a rehearsal';
