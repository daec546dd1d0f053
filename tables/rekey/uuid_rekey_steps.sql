CREATE FUNCTION uuid_rekey_steps(tab regclass, new_key text, new_default text DEFAULT NULL, guard text DEFAULT NULL,
	uuid_min regprocedure DEFAULT 'uuid_v7_min(timestamptz, text)'::regprocedure)
RETURNS TABLE (step int, phase text, statement text, lock text, why text, done boolean)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
	own CONSTANT regnamespace := (SELECT pronamespace FROM pg_proc WHERE oid = uuid_min);
	columns CONSTANT text := format('SELECT * FROM %s.uuidnew_rekey_columns($1)', own);
	fill CONSTANT text := format('CALL %s.uuid_rekey_fill(%L)', own, tab);
	brief CONSTANT text := 'DECLARE path CONSTANT varchar := pg_catalog.current_setting(''search_path''); '
		'BEGIN PERFORM pg_catalog.set_config(''lock_timeout'', ''500ms'', '
		'true), pg_catalog.set_config(''search_path'', ''pg_catalog, pg_temp'', true); %s END';
	callers CONSTANT text := 'PERFORM set_config(''search_path'', path, true); ';	-- for expressions of the caller
	moment CONSTANT text := 'ACCESS EXCLUSIVE, for a moment'; batch CONSTANT text := 'rows of a batch';
	beside CONSTANT text := 'SHARE UPDATE EXCLUSIVE: others read and write';
	everything CONSTANT text := 'ACCESS EXCLUSIVE on all of the tables, for a moment';
	plan jsonb[] := '{}'; later jsonb[] := '{}';	-- of each step: statement, lock, why, done
	k record; c record; r record; t text;
	cols jsonb;	-- of each table: its columns and their twins
	swapped boolean; first text; filled boolean := true; checks int := 0; tables text[] := '{}'; kept text;
	-- pieces of the swap, and of the ways out of it
	drop_fks text := ''; drop_keys text; rename text := ''; add_keys text := ''; rename_fks text := ''; swap text := '';
	untrigger text := ''; drop_twins text := ''; views text := ''; views_again text := ''; belongings text := '';
	unchecked text := ''; refusal text := ''; late text; names text[]; known text; key_words text;
BEGIN
	EXECUTE columns || ' WHERE is_key' INTO k USING tab;
	EXECUTE format('SELECT jsonb_object_agg(tab, twins) FROM (SELECT tab::oid, jsonb_object_agg(quote_ident(col), '
		'quote_ident(twin)) AS twins FROM %s.uuidnew_rekey_columns($1) GROUP BY tab) t', own) INTO cols USING tab;
	swapped := k.twin ^@ 'old_'; first := CASE WHEN swapped THEN 'undo' ELSE 'prepare' END; names := ARRAY[k.name];
	EXECUTE format('SELECT string_agg(o, E''\n'') FROM %1$s.uuidnew_rekey_obstacles($1, $2, %1$L) o', own) INTO t USING tab, new_key;
	IF t IS NOT NULL AND swapped THEN	-- such as what has been created again
		refusal := format('RAISE dependent_objects_still_exist USING MESSAGE = %L, DETAIL = %L; ',
			format('cannot undo the new keys of table %s', tab), t);
		plan := plan || jsonb_build_array(refusal, 'none', 'what stands in the way', false);
	ELSIF t IS NOT NULL THEN
		RAISE dependent_objects_still_exist USING MESSAGE = format('cannot re-key table %s', tab),
			DETAIL = t, HINT = 'Drop these before, and create them again after the swap.';
	END IF;
	-- columns before triggers: a trigger without its column would make every write fail
	FOR c IN EXECUTE columns USING tab LOOP
		plan := plan || jsonb_build_array(format('ALTER TABLE %1$s ADD COLUMN %2$I %3$s; '
			'COMMENT ON COLUMN %1$s.%2$I IS ''uuid_rekey_steps: a twin'';', c.tab, c.twin, k.twin_type), moment,
			'the twin of ' || CASE WHEN c.is_key THEN 'the key' ELSE 'a column that refers to it' END, c.has_twin);
		drop_twins := concat(CASE WHEN c.has_twin THEN format('ALTER TABLE %s DROP COLUMN IF EXISTS %I; ', c.tab, c.twin) END, drop_twins);
		filled := filled AND coalesce(c.filled, false);
	END LOOP;

	IF NOT swapped THEN	-- a key that does not work is an error now, not in each write
		t := format('%I.%I', k.here, 'uuid_rekey_' || k.label || '_key');
		plan := plan || jsonb_build_array(callers || format('EXECUTE %L; CREATE OR REPLACE FUNCTION %2$s() RETURNS '
			'pg_catalog.trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS %3$L; ALTER FUNCTION %2$s() OWNER TO '
			'%4$s; CREATE TRIGGER uuid_rekey_key BEFORE INSERT OR UPDATE ON %5$s FOR EACH ROW EXECUTE FUNCTION %2$s();',
			format('SELECT (%s)::pg_catalog.uuid FROM ONLY %s LIMIT 0', new_key, tab), t,
			format('#variable_conflict use_column BEGIN IF NEW.%1$I IS NULL OR TG_OP OPERATOR(pg_catalog.=) ''UPDATE'' '
			'AND NOT NEW.%2$I %3$s OLD.%2$I THEN NEW.%1$I := (SELECT %4$s FROM (SELECT NEW.*) %5$I); END IF; '
			'RETURN NEW; END', k.twin, k.col, k.equal, new_key, k.name), k.owner, tab), moment, 'the new key of each '
			'row that is written', EXISTS (SELECT FROM pg_trigger WHERE tgrelid = tab AND tgname = 'uuid_rekey_key'));
		untrigger := format('DROP TRIGGER IF EXISTS uuid_rekey_key ON %s; DROP FUNCTION IF EXISTS %s(); ', tab, t);
	END IF;
	drop_keys := untrigger;
	-- from columns to twins, as it is now, and as it is after the swap
	FOR r IN EXECUTE format('SELECT tab, format(''%%I.%%I'', '
		'here, ''uuid_rekey_'' || label || ''_ref'') AS name, array_agg(col) AS cols, array_agg(twin) AS twins, '
		'array_agg(next_twin) AS nexts FROM %s.uuidnew_rekey_columns($1) WHERE NOT is_key GROUP BY 1, 2', own) USING tab LOOP
		FOR c IN SELECT w.now,
			format('CREATE OR REPLACE FUNCTION %s() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET '
			'search_path = pg_catalog, pg_temp AS %L; ', r.name, format('BEGIN %sRETURN NEW; END', string_agg(format(
				-- where the twin's foreign key is before the key's own with its ON DELETE SET NULL, this goes along
				'IF TG_OP = ''UPDATE'' AND pg_trigger_depth() > 1 AND NEW.%2$I IS NULL AND OLD.%2$I IS NOT NULL '
				'AND NEW.%1$I::text = OLD.%1$I::text THEN NEW.%1$I := NULL; '
				'ELSIF NEW.%2$I IS NULL OR TG_OP = ''INSERT'' OR NEW.%1$I::text IS DISTINCT FROM OLD.%1$I::text THEN '
				'NEW.%2$I := CASE WHEN NEW.%1$I IS NULL THEN NULL '
				|| CASE WHEN r.tab = tab THEN 'WHEN NEW.%1$I %6$s NEW.%5$I THEN NEW.%3$I ' ELSE '' END
				|| 'ELSE (SELECT k.%3$I FROM %4$s k WHERE k.%5$I %6$s NEW.%1$I::%7$s) END; END IF; ',
				u.col, CASE WHEN w.now THEN u.twin ELSE u.next END, w.twin, tab, k.col, w.equal, w.type), ''))) AS body
			FROM (VALUES (true, k.twin, k.equal, k.key_type), (false, k.next_twin, k.twin_equal, k.twin_type)) w(now,
				twin, equal, type), unnest(r.cols, r.twins, r.nexts) u(col, twin, next) GROUP BY w.now LOOP
			IF NOT c.now THEN swap := swap || c.body; CONTINUE; END IF;
			plan := plan || jsonb_build_array(c.body || format(	-- as the owner of the keys, whoever runs this
				'ALTER FUNCTION %2$s() OWNER TO %3$s; '
				'CREATE OR REPLACE TRIGGER uuid_rekey_ref BEFORE INSERT OR UPDATE ON %1$s FOR EACH ROW EXECUTE FUNCTION %2$s(); '
					'REVOKE ALL ON FUNCTION %2$s() FROM PUBLIC%4$s;', r.tab, r.name, k.owner,
				(SELECT string_agg(DISTINCT ', ' || grantee::regrole, '') FROM pg_default_acl, aclexplode(defaclacl)
				WHERE defaclobjtype = 'f' AND grantee <> 0)),
				moment, 'the twin in each row that is written', EXISTS (SELECT FROM pg_trigger
					JOIN pg_proc p ON p.oid = tgfoid WHERE tgrelid = r.tab AND tgname = 'uuid_rekey_ref'
					AND NOT EXISTS (SELECT FROM unnest(r.twins) w WHERE strpos(prosrc, format('NEW.%I := ', w)) = 0)));
		END LOOP;
		untrigger := untrigger
			|| format('DROP TRIGGER IF EXISTS uuid_rekey_ref ON %s; DROP FUNCTION IF EXISTS %s(); ', r.tab, r.name);
	END LOOP;
	-- fill, have it checked for what is written from now on, and fill what was written meanwhile
	plan := plan || jsonb_build_array(fill, batch, 'all rows from before', filled);
	FOR c IN EXECUTE columns USING tab LOOP
		t := ('uuid_rekey_' || c.col)::name; checks := checks + 1;
		plan := plan || jsonb_build_array(format('ALTER TABLE %s ADD CONSTRAINT %I CHECK (%s%I IS NOT NULL) NOT VALID;',
			c.tab, t, CASE WHEN c.nullable THEN format('%I IS NULL OR ', c.col) END, c.twin) || CASE WHEN c.is_key
			AND swapped THEN format(' IF EXISTS (SELECT FROM %s WHERE %I IS NULL) THEN RAISE not_null_violation USING '
			'MESSAGE = %L, HINT = %L; END IF;', c.tab, c.twin, format('table %s has rows without an old key', c.tab),
			format('Give them one in column "%s", or delete them.', c.twin)) ELSE '' END,
			moment, 'no row without it from now on', c.filled IS NOT NULL);
		later := later || jsonb_build_array(format('ALTER TABLE %s VALIDATE CONSTRAINT %I', c.tab, t), beside,
			'reads the table; an error says that a row is left, which refers to no row', coalesce(c.filled, false));
		unchecked := unchecked || format('ALTER TABLE %s DROP CONSTRAINT %I; ', c.tab, t);
		IF c.tab::text <> ALL (tables) THEN tables := tables || c.tab::text; END IF;
		rename := rename || format('ALTER TABLE %1$s RENAME COLUMN %2$I TO %4$I; '
			'ALTER TABLE %1$s RENAME COLUMN %3$I TO %2$I; COMMENT ON COLUMN %1$s.%2$I IS %5$L; COMMENT '
			'ON COLUMN %1$s.%4$I IS ''uuid_rekey_steps: a twin''; ', c.tab, c.col, c.twin, c.next_twin, c.comment)
			|| CASE WHEN NOT c.nullable THEN format('ALTER TABLE %s ALTER %I SET NOT NULL; ', c.tab, c.col) ELSE '' END
			-- a default goes on making old keys, so that the swap can be undone
			|| CASE WHEN NOT c.identity AND NOT (c.is_key AND c.has_default
				AND NOT swapped) THEN format('ALTER TABLE %s ALTER %I DROP NOT NULL; ', c.tab, c.next_twin) ELSE '' END;
	END LOOP;
	plan := plan || jsonb_build_array(fill, batch, 'rows of transactions that had begun before', filled) || later;

	IF guard IS NOT NULL AND NOT swapped THEN
		EXECUTE format('SELECT %s.uuid_v7_min(now(), $1)', own) USING guard;	-- is there such a layout?
		t := k.label || '_layout' || CASE WHEN EXISTS (	-- of the old key
			SELECT FROM pg_constraint
			WHERE conrelid = tab AND conname = k.label || '_layout' AND NOT EXISTS (SELECT FROM pg_attribute
				WHERE attrelid = tab AND attname = k.twin AND attnum = ANY (conkey))) THEN '1' ELSE '' END;
		filled := (SELECT convalidated FROM pg_constraint WHERE conrelid = tab AND conname = t);
		plan := plan || jsonb_build_array(format('ALTER TABLE %s ADD CONSTRAINT %I CHECK (%s.%s(%I)) NOT VALID;',
			tab, t, own, CASE lower(guard) WHEN 'rfc9562' THEN 'uuidv7_is' ELSE 'uuid_v7_is' END, k.twin), moment,
			'the guard', filled IS NOT NULL) || jsonb_build_array(format('ALTER TABLE %s VALIDATE CONSTRAINT %I',
			tab, t), beside, 'the guard', coalesce(filled, false));
	END IF;
	-- indexes, also on expressions, and one of the old key, by which it can be looked up after the swap
	SELECT CASE WHEN octet_length(conname::text) > 57 THEN md5(conname) ELSE conname END || '_keep' INTO kept
	FROM pg_constraint WHERE conrelid = tab AND contype = 'p';
	FOR r IN SELECT i.indrelid::regclass AS tab, x.relname AS name, x.relnamespace::regnamespace AS schema,
		con.conname, v.keep, w.twin, CASE con.contype WHEN 'p' THEN 'PRIMARY KEY' ELSE 'UNIQUE' END AS kind,
		cols -> i.indrelid::text AS twins, CASE WHEN con.condeferrable THEN ' DEFERRABLE' END
		|| CASE WHEN con.condeferred THEN ' INITIALLY DEFERRED' ELSE '' END AS deferrable,
		obj_description(coalesce(con.oid, x.oid), CASE WHEN con.oid IS NULL THEN 'pg_class'
		ELSE 'pg_constraint' END) AS comment, CASE WHEN i.indisunique THEN 'UNIQUE ' END AS is_unique,
		s.short, b.indexrelid::regclass AS built, coalesce(b.indisvalid, false) AS valid, substr(def, strpos(def,
		format(' ON %s USING ', i.indrelid::regclass)) + length(format(' ON %s', i.indrelid::regclass))) AS def
		FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid
		LEFT JOIN pg_constraint con ON con.conindid = x.oid AND con.contype IN ('p', 'u') AND con.conrelid = i.indrelid
		CROSS JOIN (VALUES (false), (true)) v(keep) CROSS JOIN pg_get_indexdef(i.indexrelid) def
		CROSS JOIN LATERAL (SELECT CASE WHEN octet_length(x.relname::text) > 57 THEN md5(x.relname)
		ELSE x.relname END) s(short) CROSS JOIN LATERAL (SELECT s.short || CASE WHEN v.keep THEN '_keep'
		ELSE '_rekey' END) w(twin) LEFT JOIN pg_index b ON b.indexrelid = to_regclass(format('%s.%I',
		x.relnamespace::regnamespace, w.twin)) WHERE x.relname <> kept AND (NOT v.keep
		OR NOT swapped AND con.contype = 'p' AND i.indrelid = tab) AND EXISTS (SELECT FROM pg_attribute a
		WHERE a.attrelid = i.indrelid AND cols -> i.indrelid::text ? quote_ident(a.attname)
		AND (a.attnum = ANY (i.indkey) OR EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass
		AND objid = x.oid AND refobjid = a.attrelid AND refobjsubid = a.attnum))) ORDER BY x.oid, v.keep LOOP
		IF NOT r.valid AND r.built IS NOT NULL THEN
			plan := plan || jsonb_build_array(format('DROP INDEX CONCURRENTLY %s', r.built),
				beside, 'its creation was interrupted', false);
		END IF;
		EXECUTE format('SELECT %s.uuidnew_rekey_renamed($1, $2)', own)
			INTO t USING r.def, CASE WHEN NOT r.keep THEN r.twins END;
		plan := plan || jsonb_build_array(format('CREATE %sINDEX CONCURRENTLY %I ON %s%s',
			r.is_unique, r.twin, r.tab, t), beside, CASE WHEN r.keep THEN 'the old key can be looked up after the swap'
			ELSE format('the twin of index %I', r.name) END, r.valid);
		IF r.keep THEN
			add_keys := add_keys || format('ALTER INDEX %s.%I RENAME TO %I; ', r.schema, r.twin, r.short || '_rekey');
			drop_twins := drop_twins || format('DROP INDEX IF EXISTS %s.%I; ', r.schema, r.twin);
		ELSIF r.conname IS NOT NULL THEN
			drop_keys := drop_keys || format('ALTER TABLE %s DROP CONSTRAINT %I; ', r.tab, r.conname);
			add_keys := add_keys || format('ALTER TABLE %1$s ADD CONSTRAINT %2$I %3$s USING INDEX %4$I%5$s; COMMENT '
				'ON CONSTRAINT %2$I ON %1$s IS %6$L; ', r.tab, r.conname, r.kind, r.twin, r.deferrable, r.comment);
		ELSE
			add_keys := add_keys || format('ALTER INDEX %1$s.%2$I RENAME TO uuid_rekey_swap; '
				'ALTER INDEX %1$s.%3$I RENAME TO %2$I; ALTER INDEX %1$s.uuid_rekey_swap RENAME TO %3$I; '
				'COMMENT ON INDEX %1$s.%2$I IS %4$L; ', r.schema, r.name, r.twin, r.comment);
		END IF;
	END LOOP;

	FOR r IN SELECT f.conrelid::regclass AS tab,
		f.conname AS name, w.twin, n.convalidated AS valid, m, cols -> f.conrelid::text AS own,
		cols -> f.confrelid::text AS theirs, obj_description(f.oid, 'pg_constraint') AS comment FROM pg_constraint f
		CROSS JOIN LATERAL (SELECT CASE WHEN octet_length(f.conname::text) > 57 THEN md5(f.conname) ELSE f.conname END
		|| '_rekey') w(twin) LEFT JOIN pg_constraint n ON n.conrelid = f.conrelid AND n.conname = w.twin,
		LATERAL regexp_match(pg_get_constraintdef(f.oid), replace('^(FOREIGN KEY '
		'\(@\)) REFERENCES (@\(@\))(.*?)( NOT VALID)?$', '@', '(?:[^"()]|"(?:[^"]|"")*")*')) m WHERE f.contype = 'f'
		AND f.conparentid = 0 AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = f.confrelid
		AND a.attnum = ANY (f.confkey) AND cols -> f.confrelid::text ? quote_ident(a.attname)) ORDER BY f.oid LOOP
		EXECUTE format('SELECT %1$s.uuidnew_rekey_renamed($1[1], $2) || '' '
			'REFERENCES '' || %1$s.uuidnew_rekey_renamed($1[2], $3) || %1$s.uuidnew_rekey_renamed($1[3], $2)', own)
			INTO t USING r.m, r.own, r.theirs;
		plan := plan || jsonb_build_array(format('ALTER TABLE %s ADD CONSTRAINT %I %s NOT VALID;', r.tab, r.twin, t),
			'SHARE ROW EXCLUSIVE on both tables, for a moment', format('the twin of foreign key %I', r.name),
			r.valid IS NOT NULL) || jsonb_build_array(format('ALTER TABLE %s VALIDATE CONSTRAINT %I', r.tab, r.twin),
			beside, 'reads the table', coalesce(r.valid, false) OR t ~ ' NOT ENFORCED$');
		drop_fks := drop_fks || format('ALTER TABLE %s DROP CONSTRAINT %I; ', r.tab, r.name);
		rename_fks := rename_fks || format('ALTER TABLE %1$s RENAME CONSTRAINT %2$I TO %3$I; '
			'COMMENT ON CONSTRAINT %3$I ON %1$s IS %4$L; ', r.tab, r.twin, r.name, r.comment);
	END LOOP;
	-- views are made again: they follow columns, not names
	FOR r IN EXECUTE format('WITH RECURSIVE '
		'v(oid, num, depth) AS (SELECT tab::oid, num::int, 0 FROM %s.uuidnew_rekey_columns($1)
			UNION
			SELECT ev_class, NULL, depth + 1 FROM v JOIN pg_depend ON refclassid = ''pg_class''::regclass
				AND refobjid = v.oid AND refobjsubid = coalesce(num, refobjsubid) AND classid = ''pg_rewrite''::regclass
				JOIN pg_rewrite w ON w.oid = objid AND ev_class <> v.oid)
		SELECT oid::regclass AS view, max(depth), relname, relowner::regrole AS owner, reloptions
		FROM v JOIN pg_class USING (oid) WHERE depth > 0 GROUP BY 1, 3, 4, 5 ORDER BY 2, 1', own) USING tab LOOP
		views := format('DROP VIEW %s; ', r.view) || views; names := names || r.relname::text;
		views_again := views_again || format('CREATE VIEW %1$s%2$s AS %3$s ALTER VIEW %1$s OWNER TO %4$s; ',
			r.view, ' WITH (' || array_to_string(r.reloptions, ', ') || ')', pg_get_viewdef(r.view), r.owner);
		EXECUTE format('SELECT string_agg(statement || ''; '', '''') FROM %s.uuidnew_belongings($1)', own) INTO t USING r.view;
		SELECT concat(belongings, t, string_agg(format('ALTER VIEW %s ALTER %I SET DEFAULT %s; ',
			r.view, attname, pg_get_expr(adbin, adrelid)), '')) INTO belongings
		FROM pg_attrdef JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum WHERE adrelid = r.view;
	END LOOP;

	SELECT string_agg(regexp_replace(replace(n, '"', '""'), '(\W)', '\\\1', 'g'), '|') INTO known FROM unnest(names) n;
	key_words := regexp_replace(k.col, '(\W)', '\\\1', 'g');
	t := format('%I.%I', k.here, 'uuid_rekey_' || k.label || '_late');
	late := CASE WHEN swapped THEN format('DROP TRIGGER IF EXISTS uuid_rekey_late_update ON %1$s; '
		'DROP TRIGGER IF EXISTS uuid_rekey_late_delete ON %1$s; DROP FUNCTION IF EXISTS %2$s(); ', tab, t)
		-- an old key is no uuid, or becomes one
		WHEN k.key_type !~ '^(uuid|text|char)' OR k.key_type <> 'uuid' AND new_key ~ ('\m' || key_words || '\M') THEN ''
		ELSE format('CREATE OR REPLACE FUNCTION %2$s() RETURNS trigger LANGUAGE plpgsql SET search_path '
			'= pg_catalog, pg_temp AS %3$L; ALTER FUNCTION %2$s() OWNER TO %4$s; CREATE TRIGGER uuid_rekey_late_update '
			'AFTER UPDATE ON %1$s REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION %2$s(); CREATE '
			'TRIGGER uuid_rekey_late_delete AFTER DELETE ON %1$s REFERENCING OLD TABLE AS touched FOR EACH STATEMENT '
			'EXECUTE FUNCTION %2$s(); ', tab, t, format('BEGIN IF NOT EXISTS (SELECT FROM touched) AND current_query() '
			'~* (TG_OP || %L) THEN RAISE no_data_found USING MESSAGE = %L, HINT = %L; END IF; RETURN NULL; END', format(
				-- said of this table, or a view of it, and of no other: foreign keys of others write to it too
				'\s+(?:from\s+)?(?:only\s+)?(?:(?:"(?:[^"]|"")+"|\w+)\s*\.\s*)?"?(%s)"?(?!\w)'
				'(?:\s+(?:as\s+)?"?(\w+))?.*(?:[^\w."]"?|\m(?:\1|\2)"?\s*\.\s*"?)%s"?\s*(?:=|in\M)', known, key_words),
				format('no row of table %s has this key', tab),
				format('Its keys have changed: the old ones are in column "%s".',
					left('old_' || k.col, 63))), k.owner) END;
	t := format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE; ', array_to_string(tables, ', '));
	plan := plan || jsonb_build_array(concat(refusal, t, format('IF (SELECT count(*) FILTER (WHERE '
		'conname ^@ ''uuid_rekey_'' AND convalidated) <> %s OR bool_or(conname ~ ''_rekey$'' AND NOT convalidated '
		'AND to_jsonb(x) ->> ''conenforced'' IS DISTINCT FROM ''false'') FROM pg_constraint x WHERE conrelid = ANY '
		'(%L::regclass[])) OR EXISTS (SELECT FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indrelid '
		'= ANY (%2$L::regclass[]) AND relname ~ ''_rekey$'' AND NOT indisvalid) THEN RAISE ''run the steps before''; '
		'END IF; ', checks, tables), views, drop_fks, drop_keys,
		rename, unchecked, add_keys, rename_fks, swap, late, views_again, belongings, CASE WHEN new_default IS NOT NULL
		AND NOT swapped THEN callers || format('ALTER TABLE %s ALTER %I SET DEFAULT %s;', tab, k.col, new_default) END),
		everything, 'exchanges the names; reads no row', false)
		|| jsonb_build_array(concat(t, untrigger, CASE WHEN swapped THEN late END, drop_twins), everything,
		CASE WHEN swapped THEN 'drops the old columns: no way leads back' ELSE 'drops the twins' END, NOT k.has_twin);

	RETURN QUERY	-- what holds others up is brief
		SELECT nr::int, CASE cardinality(plan) - nr WHEN 0 THEN CASE WHEN swapped THEN 'finish' ELSE 'undo' END
			WHEN 1 THEN CASE WHEN swapped THEN 'undo' ELSE 'swap' END ELSE first END, CASE WHEN s ->> 1 IN (beside,
			batch) THEN s ->> 0 ELSE format('DO %L', format(brief, s ->> 0)) END, s ->> 1, s ->> 2, (s ->> 3)::boolean
		FROM unnest(plan) WITH ORDINALITY p(s, nr);
END $$;
COMMENT ON FUNCTION uuid_rekey_steps IS 'statements that give a table new keys, and whether each is done';
