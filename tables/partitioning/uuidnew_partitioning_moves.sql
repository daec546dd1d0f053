-- Statements that move sequences and publications of a table from a relation, by its name then, to
-- the one that has the table's name then, and have views read that.
CREATE FUNCTION uuidnew_partitioning_moves(tab regclass, source text)
RETURNS text[]
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	own CONSTANT text := @own@;
	seq record;
	state record;
	drops text[] := '{}';
	adds text[];
	owned text[] := '{}';
BEGIN
	EXECUTE format($query$
		SELECT array_agg(statement) FROM %s.uuidnew_constraints($1) WHERE kind = 'identity'
		$query$, own)
		INTO adds USING tab;
	FOR seq IN
		SELECT seqrelid::regclass AS name, attname, attidentity
		FROM pg_depend d
			JOIN pg_sequence ON classid = 'pg_class'::regclass AND seqrelid = objid
			JOIN pg_attribute ON attrelid = tab AND attnum = refobjsubid
		WHERE refclassid = 'pg_class'::regclass AND refobjid = tab AND deptype IN ('a', 'i')
	LOOP
		IF seq.attidentity = '' THEN
			owned := owned || format('ALTER SEQUENCE %s OWNED BY %s.%I', seq.name, tab,
				seq.attname);
		ELSE	-- it is a new one, which goes on
			EXECUTE format('SELECT last_value, is_called FROM %s', seq.name) INTO state;
			drops := drops || format('ALTER TABLE %s ALTER %I DROP IDENTITY', source, seq.attname);
			owned := owned || format('SELECT setval(%L, %s, %L)', seq.name, state.last_value,
				state.is_called);
		END IF;
	END LOOP;
	RETURN drops || adds || owned || ARRAY(
		SELECT format('CREATE OR REPLACE VIEW %s%s AS %s', v.oid::regclass,
			' WITH (' || array_to_string(v.reloptions, ', ') || ')',
				rtrim(pg_get_viewdef(v.oid), ';'))
		FROM pg_class v
		WHERE v.relkind = 'v' AND v.oid IN (
			SELECT ev_class
			FROM pg_depend JOIN pg_rewrite r ON classid = 'pg_rewrite'::regclass AND r.oid = objid
			WHERE refclassid = 'pg_class'::regclass AND refobjid = tab)
	) || ARRAY(
		SELECT unnest(ARRAY[
			format('ALTER PUBLICATION %I DROP TABLE %s', p.pubname, source),
			format('ALTER PUBLICATION %I ADD TABLE %s%s%s', p.pubname, tab, ' (' || (
				SELECT string_agg(quote_ident(attname), ', ')
				FROM pg_attribute
				-- since 15
				WHERE attrelid = tab AND to_jsonb(r) -> 'prattrs' @> to_jsonb(attnum)) || ')',
				' WHERE (' || (to_jsonb(t) ->> 'rowfilter') || ')')])
		FROM pg_publication_rel r
			JOIN pg_publication p ON p.oid = prpubid
			JOIN pg_class c ON c.oid = prrelid
			JOIN pg_namespace n ON n.oid = relnamespace
			JOIN pg_publication_tables t ON (t.pubname, t.schemaname, t.tablename) = (p.pubname,
				n.nspname, c.relname)
		WHERE prrelid = tab);
END
$$;
COMMENT ON FUNCTION uuidnew_partitioning_moves(regclass, text) IS
'what goes with the name of a table; for uuid_partitioning_steps';
