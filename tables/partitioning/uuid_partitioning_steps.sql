-- The statements that partition a table in use, which becomes the first partition, and whether each is done.  To be run
-- one by one, phase by phase: prepare, swap, finish; or undo, until the last step of finish.
--
-- 2BP01 as long as the swap is not done and something stands in the way: uuid_partitioning_check says what.
CREATE FUNCTION uuid_partitioning_steps(tab regclass, width text, time_zone text DEFAULT 'UTC', layout text DEFAULT NULL)
RETURNS TABLE (step int, phase text, statement text, lock text, why text, done boolean)
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
SET jit = off	-- compiling takes longer
AS $$
DECLARE
	own CONSTANT text := @own@;
	obstacles text;
BEGIN
	IF NOT EXISTS (
		SELECT FROM pg_constraint JOIN pg_inherits ON inhrelid = conrelid
		WHERE inhparent = tab AND conname = 'uuid_partitioning')
	THEN
		EXECUTE format('SELECT string_agg(o, E''\n'') FROM %s.uuidnew_partitioning_obstacles($1, $2, $3, $4) o', own)
			INTO obstacles USING tab, width, time_zone, layout;
	END IF;
	IF obstacles IS NOT NULL THEN
		RAISE dependent_objects_still_exist USING
			MESSAGE = format('cannot partition table %s', tab), DETAIL = obstacles,
			HINT = 'Change or drop these before; what depends on the table, create again afterwards.';
	END IF;
<<<<<<< HEAD
	-- where the first partition ends: so late that there is a month for all of this
	SELECT (regexp_match(pg_get_constraintdef(oid), '''([-0-9a-f]{36})'''))[1], convalidated INTO border, checked
	FROM pg_constraint WHERE conrelid = coalesce(first, tab) AND conname = mark;
	EXECUTE format('SELECT %s.uuid_v7_timestamp($1, $2)', own) INTO until USING border, k.layout;
	IF NOT swapped AND coalesce(until < now() + interval '1 day', true) THEN
		checked := NULL;
		EXECUTE format('SELECT %I FROM %s ORDER BY 1 DESC LIMIT 1', k.key, tab) INTO last;
		EXECUTE format('SELECT greatest(now() + interval ''1 month'', %1$s.uuid_v7_timestamp($1, $2)) AS latest, %1$s.uuid_v7_layout($1) <> $2 AS wrong', own)
			INTO f USING last, k.layout;
		IF f.wrong THEN
			RAISE object_not_in_prerequisite_state USING HINT = 'Give the table new keys with uuid_rekey_steps before.',
				MESSAGE = format('the greatest key of table %s, %s, is not of layout "%s"', tab, last, k.layout);
		END IF;
		until := (date_trunc(width, f.latest AT TIME ZONE time_zone) + period) AT TIME ZONE time_zone;
		EXECUTE format('SELECT %s.uuid_v7_min($1, $2)', own) INTO border USING until, k.layout;
	END IF;
	-- all that the table has, or the new one, in words
	source := CASE WHEN swapped THEN format('%I.%I', t.nspname, mark) ELSE old END;	-- its name when it is moved
	SELECT coalesce(string_agg(format('ALTER TABLE %s DROP CONSTRAINT %I; ', c.conrelid::regclass, c.conname), ''), ''),
		coalesce(string_agg((SELECT string_agg(format('ALTER TABLE %1$s ADD CONSTRAINT %2$I %3$s NOT VALID; COMMENT ON CONSTRAINT %2$I ON %1$s IS %4$L; ', leaf, c.conname,
		d.def, CASE WHEN is_own AND NOT swapped OR NOT is_own AND (r.relkind = 'p' OR d.comment ^@ mark) THEN mark || coalesce(d.said, '') ELSE nullif(d.said, '') END), '')
		FROM (SELECT DISTINCT CASE WHEN NOT is_own THEN l.oid::regclass::text WHEN swapped THEN name ELSE old END FROM (SELECT relid FROM pg_partition_tree(c.conrelid) WHERE isleaf
		UNION SELECT c.conrelid WHERE r.relkind <> 'p') l(oid)) l(leaf)), ''), ''), string_agg(DISTINCT ', ' || c.conrelid::regclass, '') FILTER (WHERE NOT is_own)
	INTO drops, refs, locks FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid, LATERAL (SELECT c.conrelid IN (tab, coalesce(first, tab))) o(is_own),
		LATERAL (SELECT comment, CASE WHEN comment ^@ mark THEN substr(comment, length(mark) + 1) ELSE comment END, regexp_replace(pg_get_constraintdef(c.oid), ' NOT VALID$', '')
		FROM obj_description(c.oid, 'pg_constraint') comment) d(comment, said, def) WHERE c.confrelid = tab AND c.contype = 'f' AND c.conparentid = 0;
	IF swapped THEN	-- the way back leads to what the table has by then
		SELECT string_agg(format('ALTER INDEX %I.%I RENAME TO %I; ', t.nspname, x.relname, p.relname), '') INTO indexes
		FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_inherits h ON h.inhrelid = x.oid JOIN pg_class p ON p.oid = h.inhparent WHERE i.indrelid = first;
		SELECT concat(drops, (SELECT string_agg(format('DROP POLICY %I ON %s; ', polname, old), '') FROM pg_policy
			WHERE polrelid = first), string_agg(DISTINCT format('REVOKE ALL ON %s FROM %s CASCADE; ', old, coalesce(nullif(grantee, 0)::regrole::text, 'PUBLIC')), '')) INTO drops
		FROM (SELECT relacl FROM pg_class WHERE oid = first UNION ALL SELECT attacl FROM pg_attribute WHERE attrelid = first) a(acl), aclexplode(acl);
	ELSE
		SELECT string_agg(format('ALTER INDEX %I.%I RENAME TO %I; ', t.nspname, x.relname, CASE WHEN octet_length(x.relname::text) > 57 THEN md5(x.relname)
			ELSE x.relname END || '_first'), ''), string_agg(CASE WHEN c.oid IS NULL THEN pg_get_indexdef(x.oid)
			|| '; ' ELSE format('ALTER TABLE %s ADD CONSTRAINT %I %s; ', name, c.conname, pg_get_constraintdef(c.oid)) END, '') INTO indexes, keys
		FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid LEFT JOIN pg_constraint c ON c.conindid = x.oid AND c.conrelid = tab AND c.contype IN ('p', 'u')
		WHERE i.indrelid = tab AND i.indisvalid;
		SELECT concat(keys, string_agg(format('ALTER TABLE %s ADD CONSTRAINT %I %s; ', name, conname, regexp_replace(pg_get_constraintdef(oid), ' NOT VALID$', '')), ''))
		INTO keys FROM pg_constraint WHERE conrelid = tab AND contype = 'f' AND confrelid <> tab;
		SELECT concat(drops, string_agg(format('DROP TRIGGER %I ON %s; ', tgname, name), '')) INTO drops FROM pg_trigger WHERE tgrelid = tab AND NOT tgisinternal;
	END IF;
	SELECT string_agg(CASE WHEN a.attidentity = '' THEN format('ALTER SEQUENCE %s OWNED BY %s.%I; ',
		q.seqrelid::regclass, name, a.attname) ELSE format('SELECT last_value, is_called INTO s FROM %4$s; ALTER TABLE %1$s ALTER %3$I DROP IDENTITY; '
		'ALTER TABLE %2$s ALTER %3$I ADD GENERATED %5$s AS IDENTITY (SEQUENCE NAME %4$s START %6$s INCREMENT %7$s MINVALUE %8$s MAXVALUE %9$s CACHE %10$s %11$s); '
		'PERFORM setval(%12$L, s.last_value, s.is_called); ', source, name, a.attname, q.seqrelid::regclass, CASE a.attidentity WHEN 'a' THEN 'ALWAYS' ELSE 'BY DEFAULT' END,
		q.seqstart, q.seqincrement, q.seqmin, q.seqmax, q.seqcache, CASE WHEN q.seqcycle THEN 'CYCLE' END, q.seqrelid::regclass) END, '') INTO sequences
	FROM pg_depend d JOIN pg_sequence q ON d.classid = 'pg_class'::regclass AND q.seqrelid = d.objid JOIN pg_attribute a ON a.attrelid = tab AND a.attnum = d.refobjsubid
	WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = tab AND d.deptype IN ('a', 'i');
	EXECUTE format('SELECT string_agg(statement || ''; '', '''') FROM %s.uuidnew_belongings($1)', own) INTO belongings USING tab;
	SELECT string_agg(format('CREATE OR REPLACE VIEW %s%s AS %s ', v.oid::regclass, ' WITH (' || array_to_string(v.reloptions, ', ') || ')', pg_get_viewdef(v.oid)), '') INTO views
	FROM pg_class v WHERE v.relkind = 'v' AND v.oid IN (SELECT r.ev_class
		FROM pg_depend d JOIN pg_rewrite r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = tab);
	SELECT string_agg(format('ALTER PUBLICATION %1$I DROP TABLE %2$s; '
		'ALTER PUBLICATION %1$I ADD TABLE %3$s%4$s%5$s; ', p.pubname, source, name, ' (' || (SELECT string_agg(quote_ident(attname), ', ')
		FROM pg_attribute WHERE attrelid = tab AND to_jsonb(r) -> 'prattrs' @> to_jsonb(attnum)) || ')', ' WHERE (' || (to_jsonb(v) ->> 'rowfilter') || ')'), '') INTO publications
	FROM pg_publication_rel r
		JOIN pg_publication p ON p.oid = r.prpubid JOIN pg_publication_tables v ON v.pubname = p.pubname AND v.schemaname = t.nspname AND v.tablename = t.relname
	WHERE r.prrelid = tab;

	RETURN QUERY SELECT row_number() OVER (ORDER BY nr, s.phase, s.statement)::int, s.phase, CASE WHEN s.lock IN (beside, 'see there') THEN s.statement ELSE format('DO %L',
		format(brief, s.statement)) END, s.lock, s.why, s.done FROM (SELECT 1 AS nr, 'prepare' AS phase, format('ALTER TABLE %s %sADD CONSTRAINT %I CHECK (%I < %L) NOT VALID;',
		name, (SELECT format('DROP CONSTRAINT %I, ', conname) FROM pg_constraint WHERE conrelid = tab AND conname = mark), mark, k.key, border) AS statement,
		moment AS lock, format('the table is to be the partition until %s; until the swap, later keys are refused', until) AS why, checked IS NOT NULL AS done WHERE NOT swapped
			UNION ALL SELECT 2, 'prepare',
				format('ALTER TABLE %s VALIDATE CONSTRAINT %I', name, mark), beside, 'reads the table, so that the swap need not', coalesce(checked, false) WHERE NOT swapped
			UNION ALL SELECT 2, p, format('ALTER TABLE %s VALIDATE CONSTRAINT %I', conrelid::regclass, conname), beside, 'reads the table', false
			FROM pg_constraint x, unnest(phases) p WHERE tab IN (conrelid, confrelid) AND contype IN ('c', 'f', 'n')
				AND NOT convalidated AND to_jsonb(x) ->> 'conenforced' IS DISTINCT FROM 'false' AND conname <> mark AND (p <> 'undo' OR confrelid = tab)
			UNION ALL SELECT 3, p, format('LOCK TABLE %s IN SHARE ROW EXCLUSIVE MODE; ', name) || string_agg(format('COMMENT ON CONSTRAINT %I ON %s IS NULL; ', c.conname,
				c.conrelid::regclass), '') || format('ALTER TABLE %1$s ADD CONSTRAINT %2$I %3$s; COMMENT ON CONSTRAINT %2$I ON %1$s IS %4$L;', root::regclass, conname, def,
				nullif(substr(said, length(mark) + 1), '')), 'SHARE ROW EXCLUSIVE on both tables, for a moment', 'what partitions have becomes a foreign key of their parent', false
			FROM pg_constraint c, unnest(phases) p,
				pg_partition_root(conrelid) root, obj_description(c.oid, 'pg_constraint') said, regexp_replace(pg_get_constraintdef(c.oid), ' NOT VALID$', '') def
			WHERE confrelid = tab AND contype = 'f' AND conparentid = 0 AND said ^@ mark GROUP BY p, root, conname, def, said
			UNION ALL SELECT 4, 'swap', format('LOCK TABLE %s%s IN ACCESS EXCLUSIVE MODE; IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = %L::regclass AND conname = %L '
				'AND convalidated) THEN RAISE ''run the steps of phase prepare before''; END IF; ', name, locks, name, mark) || drops || format('ALTER TABLE %1$s RENAME TO %2$I; '
				'%3$sCREATE TABLE %1$s (LIKE %4$s INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING GENERATED INCLUDING STORAGE INCLUDING COMPRESSION) PARTITION BY RANGE (%5$I); '
				'ALTER TABLE %1$s DROP CONSTRAINT %6$I; ALTER TABLE %1$s OWNER TO %7$s; ', name, t.renamed, indexes, old, k.key, mark, t.relowner::regrole)
				|| concat(sequences, keys, belongings) || format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (MINVALUE) TO (%L); ', name, old, border)
				|| concat(views, publications, refs), everything, 'the table becomes a partition; reads no row', false WHERE NOT swapped
			UNION ALL SELECT 5, 'finish', format('CALL %s.uuid_create_partitions(%L, %L, %L, %L, %L)',
				own, name, lower(width), date_trunc('day', until + 2 * period - now()) + interval '1 day', time_zone, k.layout),
				'see there', 'partitions for what comes then: call it each night', EXISTS (SELECT FROM pg_inherits WHERE inhparent = tab AND inhrelid <> first) WHERE swapped
			UNION ALL SELECT 6, 'finish', format('ALTER TABLE %s DROP CONSTRAINT %I;', old, mark), moment, 'no way leads back from here', false WHERE swapped
			UNION ALL SELECT 7, 'undo', format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I;', name, mark), moment, 'the table is as before', checked IS NULL WHERE NOT swapped
			UNION ALL SELECT 7, 'undo', format('LOCK TABLE %s%s IN ACCESS EXCLUSIVE MODE; ', name, locks) || drops || format('ALTER TABLE %1$s DETACH PARTITION %2$s; '
				'IF EXISTS (SELECT FROM %1$s) THEN RAISE %3$L USING ERRCODE = ''object_not_in_prerequisite_state''; END IF; ALTER TABLE %1$s RENAME TO %4$I; '
				'ALTER TABLE %2$s RENAME TO %5$I; ALTER TABLE %1$s OWNER TO %6$s; ', name, old, replace(format('table %s has rows in other partitions', name), '%', '%%'),
				mark, t.relname, t.relowner::regrole) || concat(views, publications, sequences, 'DROP TABLE ' || source || '; ', indexes, belongings, refs),
				everything, 'the partition becomes the table', false WHERE swapped) s;
END $$;
COMMENT ON FUNCTION uuid_partitioning_steps IS 'statements that partition a table in use, and whether each is done';
=======
	RETURN QUERY EXECUTE format('SELECT * FROM %s.uuidnew_partitioning_plan($1, $2, $3, $4)', own)
		USING tab, width, time_zone, layout;
END
$$;
COMMENT ON FUNCTION uuid_partitioning_steps(regclass, text, text, text) IS
'statements that partition a table in use, and whether each is done';
>>>>>>> be3dc10a6fe63f0943a18fc51836ba7a085d4f70
