/* uuidnew--1.1--1.2.sql */

-- complain if script is sourced in psql, rather than via ALTER EXTENSION
\echo Use "ALTER EXTENSION uuidnew UPDATE TO '1.2'" to load this file. \quit

--
-- Guards without a text that could be mistyped
--

CREATE FUNCTION uuidv7_is(id uuid)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuidv7_is(uuid) IS
'is it a version 7 UUID of RFC 9562, by its first 36 bits? For CHECK constraints: the planner refuses queries that read the column as the draft''s';

CREATE FUNCTION uuid_v7_is(id uuid)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_is(uuid) IS
'is it a version 7 UUID of the draft, by its first 36 bits? For CHECK constraints: the planner refuses queries that read the column as RFC 9562''s';

--
-- An open end of a version 7 window ends at the border between the layouts.
--

COMMENT ON FUNCTION uuid_v7_between(uuid, timestamptz, timestamptz) IS
'is the time of a version 7 UUID of the draft in the window since <= time < until? NULL is open, and finds no key of RFC 9562; uses an index on the key; uuidv7_between for those of RFC 9562';
COMMENT ON FUNCTION uuid_v7_between(uuid, timestamptz, timestamptz, text) IS
'is the time of a version 7 UUID of a layout in the window since <= time < until? NULL is open, and finds no key of the other kind, the draft''s or RFC 9562''s; uses an index on the key';
COMMENT ON FUNCTION uuidv7_between(uuid, timestamptz, timestamptz) IS
'is the time of a version 7 UUID of RFC 9562 in the window since <= time < until? NULL is open, and finds no key of the draft; uses an index on the key';
COMMENT ON FUNCTION uuid_v7_since(timestamptz) IS
'where a window over keys of version 7 of the draft begins: the smallest with this time, the first above those of RFC 9562 for NULL';
COMMENT ON FUNCTION uuid_v7_since(timestamptz, text) IS
'where a window over keys of version 7 in a layout begins: the smallest with this time; for NULL, the first of its kind, the draft''s or RFC 9562''s';
COMMENT ON FUNCTION uuid_v7_until(timestamptz, text) IS
'where a window over keys of version 7 in a layout ends: the smallest with this time; for NULL, the end of its kind, the draft''s or RFC 9562''s';
COMMENT ON FUNCTION uuidv7_until(timestamptz) IS
'where a window over keys of version 7 of RFC 9562 ends: the smallest with this time, the first above them, which is the draft''s, for NULL';

--
-- Times
--

CREATE FUNCTION uuid_timestamp(id uuid)
RETURNS timestamptz
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_timestamp(uuid) IS
'creation time of a UUID of version 1, 6 or 7, of the draft or RFC 9562 by its first 36 bits; NULL for another version';

CREATE FUNCTION uuidv7_timestamp_micros(id uuid)
RETURNS timestamptz
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
SUPPORT uuid_v7_timestamp_support;
COMMENT ON FUNCTION uuidv7_timestamp_micros(uuid) IS
'creation time of a version 7 UUID of RFC 9562, to the microsecond if its maker wrote the fraction of the millisecond after it, else up to 1 ms late; NULL for another version';
COMMENT ON FUNCTION uuid_v7_timestamp_support(internal) IS
'planner support of uuid_v7_timestamp, uuidv7_timestamp, uuidv7_timestamp_micros, uuid_v7_fields and uuidv7_fields';

--
-- Keys that others may see
--

CREATE FUNCTION uuidv47_encode(id uuid, key bytea)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION uuidv47_encode(uuid, bytea) IS
'version 7 UUID as one of version 4 whose time is masked with a key of 16 octets (UUIDv47); error 22023 for another version or length';

CREATE FUNCTION uuidv47_decode(id uuid, key bytea)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION uuidv47_decode(uuid, bytea) IS
'the inverse of uuidv47_encode; with another key, or of any other UUID of version 4, a version 7 UUID that nobody made';

CREATE FUNCTION typeid_to_uuid(value text, prefix text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION typeid_to_uuid(text, text) IS
'UUID in a TypeID of a prefix; error 22P02 for one of another prefix and for another text, 22023 for a prefix that no TypeID has';

--
-- min(uuid), max(uuid): PostgreSQL has its own from 20 on
--

DO $do$
DECLARE
	aggregate record;
BEGIN
	FOR aggregate IN VALUES ('min'), ('max') LOOP
		CONTINUE WHEN pg_catalog.to_regprocedure(pg_catalog.format('pg_catalog.%I(pg_catalog.uuid)', aggregate.column1)) IS NULL
			OR NOT EXISTS (
				SELECT FROM pg_catalog.pg_depend
				WHERE classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_proc'::pg_catalog.regclass::pg_catalog.oid
					AND objid OPERATOR(pg_catalog.=) pg_catalog.to_regprocedure(
						pg_catalog.format('%I.%I(pg_catalog.uuid)', CURRENT_SCHEMA, aggregate.column1))::pg_catalog.oid
					AND deptype OPERATOR(pg_catalog.=) 'e'::"char");
		BEGIN
			EXECUTE pg_catalog.format('DROP AGGREGATE %I.%I(pg_catalog.uuid)', CURRENT_SCHEMA, aggregate.column1);
		EXCEPTION WHEN dependent_objects_still_exist THEN	-- such as a view from before pg_upgrade, which it stays for
			NULL;
		END;
	END LOOP;
END $do$;

--
-- Windows of one end, for jobs that delete: NULL matches nothing
--

CREATE FUNCTION uuidv7_before(id uuid, ts timestamptz)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE
SUPPORT uuidv7_between_support;
COMMENT ON FUNCTION uuidv7_before(uuid, timestamptz) IS
'is the time of a version 7 UUID of RFC 9562 before this one? NULL finds nothing; finds no key of the draft; uses an index on the key';

CREATE FUNCTION uuidv7_from(id uuid, ts timestamptz)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE
SUPPORT uuidv7_between_support;
COMMENT ON FUNCTION uuidv7_from(uuid, timestamptz) IS
'is the time of a version 7 UUID of RFC 9562 this one or later? NULL finds nothing; finds no key of the draft; uses an index on the key';

CREATE FUNCTION uuid_v7_before(id uuid, ts timestamptz)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE
SUPPORT uuid_v7_between_support;
COMMENT ON FUNCTION uuid_v7_before(uuid, timestamptz) IS
'is the time of a version 7 UUID of the draft before this one? NULL finds nothing; finds no key of RFC 9562; uses an index on the key';

CREATE FUNCTION uuid_v7_from(id uuid, ts timestamptz)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE
SUPPORT uuid_v7_between_support;
COMMENT ON FUNCTION uuid_v7_from(uuid, timestamptz) IS
'is the time of a version 7 UUID of the draft this one or later? NULL finds nothing; finds no key of RFC 9562; uses an index on the key';

--
-- Order
--

CREATE FUNCTION uuidnew_order_begin_at(timestamptz)
RETURNS void
AS 'MODULE_PATHNAME', 'uuidnew_order_begin_at'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION uuidnew_order_begin_at(timestamptz) IS
'with uuidnew.order_scope = session: time of the first keys when the server is next started with server';
REVOKE ALL ON FUNCTION uuidnew_order_begin_at(timestamptz) FROM PUBLIC;

COMMENT ON FUNCTION uuidnew_order() IS
'state of uuidnew.order_scope, a row for each layout that has made keys: last time, time reserved, and the transaction with the oldest key in flight';

--
-- Partitions, re-keying, and a look at all keys: plain SQL, which managed/uuidnew.sql has word for word.
--
-- Functions have a search_path of their own.  Procedures that commit cannot: they set it when a
-- transaction begins, and qualify each name until then.  All find each other in the schema of the
-- function that is their last argument, whose default was bound to it when they were created.
--

-- layout of version 7 of a column: what a CHECK constraint says, and what its default makes
CREATE FUNCTION uuidnew_column_layout(tab regclass, col int, uuid_min regprocedure, OUT guard text, OUT made text)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
SELECT (SELECT max(form.layout)
	FROM (VALUES ('rfc9562', 'draft', 'uuidv7_is'), ('draft', 'rfc9562', 'uuid_v7_is')) form(layout, other, test)
		JOIN pg_constraint c ON pg_get_constraintdef(c.oid) ~ format('^CHECK \((%5$s%3$s\(%4$s\)|\(%5$suuid_v7_layout\(%4$s\) '
			'(= ''%1$s''::text|<> ''%2$s''::text|= ANY \(ARRAY\[(''none''::text, )?''%1$s''::text(, ''none''::text)?\]\))\))\)',
			form.layout, form.other, form.test, '([[:alnum:]_]+|"([^"]|"")+")', '([[:alnum:]_]+\.|"([^"]|"")+"\.)?')
	WHERE c.conrelid = tab AND c.contype = 'c' AND c.conkey = ARRAY[col::int2]),
	(SELECT CASE WHEN call ~ '^([^(]+\.)?uuidv7\(' OR call ~ '^([^(]+\.)?uuid_generate_v7\(''rfc9562''::text\)$' THEN 'rfc9562'
		WHEN call ~ '^([^(]+\.)?(gen_random_uuid|uuidv4|uuid_generate_v4)\(' THEN 'version 4'
		-- pg_uuidv7 has a function of this name too
		WHEN call ~ '^([^(]+\.)?uuid_generate_v7\((''(draft|(milli|micro|nano)second)''::text)?\)$' AND EXISTS (
			SELECT FROM pg_depend JOIN pg_proc p ON p.oid = refobjid
			WHERE classid = 'pg_attrdef'::regclass AND objid = d.oid AND refclassid = 'pg_proc'::regclass
				AND p.pronamespace = (SELECT pronamespace FROM pg_proc WHERE oid = uuid_min)) THEN 'draft' END
	FROM pg_attrdef d, LATERAL pg_get_expr(d.adbin, d.adrelid) call
	WHERE d.adrelid = tab AND d.adnum = col)
$$;
COMMENT ON FUNCTION uuidnew_column_layout(regclass, int, regprocedure) IS 'layout of version 7 of a column, by its guard and by its default; for uuid_partitions and others';

-- what is partitioned by ranges of one uuid column, or is to be by a column: key, layout and default partition
CREATE FUNCTION uuidnew_partition_key(parent regclass, wanted text, uuid_min regprocedure, col int,
	OUT key name, OUT layout text, OUT rest regclass, OUT own name)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE known text; wrong record;
BEGIN
	SELECT a.attname, a.attnum, nullif(p.partdefid, 0::oid) INTO key, col, rest
	FROM pg_attribute a LEFT JOIN pg_partitioned_table p ON p.partrelid = a.attrelid
	WHERE a.attrelid = parent AND a.attnum = coalesce(col, CASE WHEN p.partstrat = 'r' AND p.partnatts = 1 THEN p.partattrs[0] END)
		AND a.atttypid = 'uuid'::regtype;
	IF NOT FOUND THEN
		RAISE EXCEPTION USING ERRCODE = 'wrong_object_type', MESSAGE = format('table %s is not partitioned by ranges of a uuid column', parent);
	END IF;
	own := (SELECT n.nspname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE p.oid = uuid_min);
	EXECUTE format('SELECT coalesce(guard, nullif(made, ''version 4'')) FROM %I.uuidnew_column_layout($1, $2, $3)', own)
	INTO known USING parent, col, uuid_min;

	IF wanted IS NOT NULL THEN
		EXECUTE format('SELECT %I.uuid_v7_min(now(), $1)', own) USING wanted;	-- is there such a layout?
		layout := CASE lower(wanted COLLATE "C") WHEN 'rfc9562' THEN 'rfc9562' ELSE 'draft' END;
	END IF;
	IF layout <> known THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = format('column "%s" of table %s holds layout "%s", not "%s"', key, parent, known, wanted);
	END IF;
	layout := coalesce(layout, known);

	-- The layouts of version 7 meet at this UUID: a bound is on the side of the one that it was made with.
	FOR wrong IN
		SELECT i.inhrelid::regclass AS partition, CASE WHEN bound[1]::uuid < '03000000-0000-0000-0000-000000000000'
			THEN 'rfc9562' ELSE 'draft' END AS side
		FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid,
			LATERAL regexp_matches(pg_get_expr(c.relpartbound, c.oid), '[(]''([-0-9a-f]{36})''[)]', 'g') bound
		WHERE i.inhparent = parent AND bound[1]::uuid BETWEEN '00000001-0000-0000-0000-000000000000' AND '7fffffff-0000-0000-0000-000000000000'
		ORDER BY i.inhrelid
	LOOP
		layout := coalesce(layout, wrong.side);
		IF wrong.side <> layout THEN
			RAISE EXCEPTION USING ERRCODE = 'object_not_in_prerequisite_state', MESSAGE = format('a bound of partition %s is of layout "%s", but column "%s" of table %s holds layout "%s"',
					wrong.partition, wrong.side, key, parent, layout),
				HINT = 'Detach the partition, and attach it with bounds of the right layout.';
		END IF;
	END LOOP;
	IF layout IS NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = format('cannot tell the layout of column "%s" of table %s', key, parent),
			HINT = 'Name it: layout => ''rfc9562'' or ''draft''. Better, add the guard to the table.';
	END IF;
END $$;
COMMENT ON FUNCTION uuidnew_partition_key(regclass, text, regprocedure, int) IS 'key, layout and default partition of a partitioned table; for uuid_partitions and others';

CREATE FUNCTION uuid_partitions(parent regclass, layout text DEFAULT NULL,
	uuid_min regprocedure DEFAULT 'uuid_v7_min(timestamptz, text)'::regprocedure)
RETURNS TABLE (partition regclass, since timestamptz, until timestamptz, rows bigint, bytes bigint, lower uuid, upper uuid)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET row_security = off AS $$	-- no policy hides rows
#variable_conflict use_column
DECLARE k record; has_rows boolean;
BEGIN
	EXECUTE format('SELECT * FROM %s.uuidnew_partition_key($1, $2, $3, NULL)', (
		SELECT pronamespace::regnamespace FROM pg_proc WHERE oid = uuid_min)) INTO k USING parent, layout, uuid_min;
	FOR partition, lower, upper, since, until, rows, bytes IN EXECUTE format($query$
		SELECT c.oid, nullif(b[1], 'MINVALUE')::uuid, nullif(b[2], 'MAXVALUE')::uuid,
			-- a bound written by hand may have any version
			CASE b[1] WHEN 'MINVALUE' THEN '-infinity' ELSE coalesce(%1$I.uuid_v7_timestamp(b[1]::uuid, $2),
				%1$I.uuid_v7_timestamp(overlay(overlay(b[1] PLACING '7' FROM 15) PLACING '8' FROM 20)::uuid, $2)) END,
			CASE b[2] WHEN 'MAXVALUE' THEN 'infinity' ELSE coalesce(%1$I.uuid_v7_timestamp(b[2]::uuid, $2),
				%1$I.uuid_v7_timestamp(overlay(overlay(b[2] PLACING '7' FROM 15) PLACING '8' FROM 20)::uuid, $2)) END,
			s.rows, s.bytes
		FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid,
			LATERAL (SELECT regexp_match(pg_get_expr(c.relpartbound, c.oid),
				'^FOR VALUES FROM [(]''?([^'')]+)''?[)] TO [(]''?([^'')]+)''?[)]$')) bound(b),
			LATERAL (SELECT coalesce(sum(CASE WHEN l.reltuples < 0 THEN pg_stat_get_live_tuples(l.oid) ELSE l.reltuples::bigint END), 0),
					coalesce(sum(pg_total_relation_size(l.oid)), 0)
				FROM pg_partition_tree(c.oid) t JOIN pg_class l ON l.oid = t.relid WHERE t.isleaf) s(rows, bytes)
		WHERE i.inhparent = $1
		ORDER BY b IS NULL, b[1] <> 'MINVALUE', 2, c.relname$query$, k.own) USING parent, k.layout
	LOOP
		IF partition = k.rest THEN	-- the estimate cannot tell whether it is empty
			EXECUTE format('SELECT EXISTS (SELECT FROM %s)', partition) INTO has_rows;
			rows := CASE WHEN has_rows THEN greatest(rows, 1) ELSE 0 END;
		END IF;
		RETURN NEXT;
	END LOOP;
END $$;
COMMENT ON FUNCTION uuid_partitions(regclass, text, regprocedure) IS 'partitions of a table by the time in its key, with times, bounds, rows as estimated and size; the default partition has no times, and 0 rows only if it is empty';

CREATE PROCEDURE uuid_create_partitions(parent regclass, width text, ahead interval, time_zone text DEFAULT 'UTC',
	layout text DEFAULT NULL, batch int DEFAULT 10000,
	uuid_min regprocedure DEFAULT 'uuid_v7_min(timestamptz, text)'::regprocedure)
LANGUAGE plpgsql AS $$
DECLARE
	k pg_catalog.record; p pg_catalog.record; stop pg_catalog.timestamptz := pg_catalog.now() OPERATOR(pg_catalog.+) ahead;
	step pg_catalog.interval; digits pg_catalog.text;
	done pg_catalog.timestamptz := '-infinity';	-- all before is
	since pg_catalog.timestamptz; until pg_catalog.timestamptz; low pg_catalog.uuid; high pg_catalog.uuid;
	cut pg_catalog.uuid;	-- in its place, if there are more rows than a batch
	part pg_catalog.text; unfinished CONSTANT pg_catalog.text := 'uuid_create_partitions is moving rows into this partition';
	growing pg_catalog.bool; blocked pg_catalog.text; stay pg_catalog.text; waiting pg_catalog.int8; deleted pg_catalog.int8;
	columns pg_catalog.text; fks pg_catalog.text; fks_again pg_catalog.text; triggers pg_catalog.text;
	validate pg_catalog.text[] := '{}'; before pg_catalog.text[]; statement pg_catalog.text; tries pg_catalog.int4 := 0; moved pg_catalog.int8 := 0;
	made pg_catalog.int4 := 0;
BEGIN
	PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
	SELECT w.step, w.digits INTO step, digits
	FROM (VALUES ('hour', interval '1 hour', 'YYYY_MM_DD_HH24'), ('day', '1 day', 'YYYY_MM_DD'), ('week', '1 week', 'IYYY"w"IW'),
		('month', '1 month', 'YYYY_MM'), ('quarter', '3 months', 'YYYY"q"Q'), ('year', '1 year', 'YYYY')) w(width, step, digits)
	WHERE w.width = lower(uuid_create_partitions.width);
	IF NOT FOUND OR parent IS NULL OR NOT coalesce(isfinite(stop), false) OR time_zone IS NULL OR batch IS NULL OR batch < 1 THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = format('cannot create partitions of width "%s", %s ahead, by %s rows', width, ahead, batch),
			HINT = 'Valid widths are hour, day, week, month, quarter and year.';
	END IF;

	LOOP
		PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true), pg_catalog.set_config('row_security', 'off', true);
		waiting := 0; growing := false; before := validate;
		BEGIN
			-- one at a time: writers go on while this waits
			EXECUTE format('LOCK TABLE ONLY %s IN SHARE UPDATE EXCLUSIVE MODE', parent);
			PERFORM set_config('lock_timeout', '500ms', true) WHERE current_setting('lock_timeout') = '0';	-- below deadlock_timeout, so that nobody else is ended
			EXECUTE format('SELECT * FROM %s.uuidnew_partition_key($1, $2, $3, NULL)', (
				SELECT pronamespace::regnamespace FROM pg_proc WHERE oid = uuid_min)) INTO k USING parent, layout, uuid_min;

			-- the first time from now on that has no partition, or that of a row that waits in the default one
			EXECUTE format('WITH p AS MATERIALIZED (SELECT * FROM %I.uuid_partitions($1, $2)) SELECT min(ts) FROM (SELECT $3 UNION ALL SELECT until FROM p) t(ts) '
				'WHERE ts >= $3 AND NOT EXISTS (SELECT FROM p WHERE since <= ts AND until > ts)', k.own)
			INTO since USING parent, k.layout, greatest(done, date_trunc(width, now(), time_zone));
			IF k.rest IS NOT NULL THEN
				EXECUTE format('SELECT %1$I.uuid_v7_timestamp(%2$I, $1) FROM ONLY %3$s WHERE %2$I >= %1$I.uuid_v7_min($2, $1) '
					'AND %1$I.uuid_v7_layout(%2$I) = $1 ORDER BY %2$I LIMIT 1', k.own, k.key, k.rest)
				INTO until USING k.layout, done;
				since := least(since, until);
			END IF;
			EXIT WHEN since >= stop;

			-- its period, up to its neighbours
			done := since;
			since := date_trunc(width, done - CASE WHEN date_trunc(width, done, time_zone) > done	-- midnight comes twice
				THEN interval '1 hour' ELSE '0' END, time_zone);
			until := since;
			WHILE until <= done LOOP
				until := CASE width WHEN 'hour' THEN until + step
					ELSE (date_trunc(width, until AT TIME ZONE time_zone) + step) AT TIME ZONE time_zone END;	-- there may be no midnight
			END LOOP;
			SELECT format('%I.%I', n.nspname, free.name) INTO part
			FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace, generate_series(1, 1000) i,
				LATERAL (SELECT left(c.relname, greatest(44 - octet_length(c.relname) + length(c.relname), 1)) || to_char(since AT TIME ZONE time_zone, '"_"' || digits)
					|| CASE WHEN i > 1 THEN '_' || i ELSE '' END) free(name)
			WHERE c.oid = parent AND to_regclass(format('%I.%I', n.nspname, free.name)) IS NULL
			ORDER BY i LIMIT 1;
			EXECUTE format('SELECT %1$I.uuid_v7_min($1, $3), %1$I.uuid_v7_min($2, $3)', k.own)
			INTO low, high USING since, until, k.layout;
			FOR p IN EXECUTE format('SELECT * FROM %I.uuid_partitions($1, $2)', k.own) USING parent, k.layout LOOP
				IF p.until <= done AND p.until > since THEN
					growing := obj_description(p.partition, 'pg_class') IS NOT DISTINCT FROM unfinished;
					low := CASE WHEN growing THEN p.lower ELSE p.upper END;
					since := CASE WHEN growing THEN p.since ELSE p.until END;
					part := CASE WHEN growing THEN p.partition::text ELSE part END;
				ELSIF p.since > done AND p.since < until THEN
					high := p.lower; until := p.since;
				END IF;
			END LOOP;

			IF k.rest IS NOT NULL THEN
				EXECUTE format('SELECT count(*) FROM (SELECT FROM ONLY %s WHERE %I >= $1 AND %2$I < $2 LIMIT 1) row', k.rest, k.key) INTO waiting USING low, high;
			END IF;
			SELECT min(format(	-- a foreign key that cannot be dropped and added again below: its ON DELETE would fire
				CASE WHEN f.conparentid = 0 AND f.confrelid = parent THEN 'the foreign key of partitioned table %s cannot be added again NOT VALID before PostgreSQL 18'
				ELSE 'a foreign key of table %s refers to another table of the partition tree' END, f.conrelid::regclass)) INTO blocked
			FROM pg_constraint f JOIN pg_class c ON c.oid = f.conrelid LEFT JOIN pg_constraint above ON above.oid = f.conparentid
			WHERE f.contype = 'f' AND (f.confrelid = k.rest AND f.conparentid = 0 OR f.confrelid = parent AND CASE f.conparentid
				WHEN 0 THEN c.relkind = 'p' AND current_setting('server_version_num')::int < 180000 ELSE above.confrelid <> parent END);
			IF (waiting > 0 OR growing) AND blocked IS NOT NULL THEN RAISE '%', blocked; END IF;
			cut := NULL;
			IF waiting > 0 OR growing THEN	-- Rows are moved in one transaction, in which foreign keys and triggers would take them for deleted.
				SELECT string_agg(format('ALTER TABLE %s DROP CONSTRAINT %I; ', conrelid::regclass, conname), ''),
					string_agg(format('ALTER TABLE %1$s ADD CONSTRAINT %2$I %3$s; COMMENT ON CONSTRAINT %2$I ON %1$s IS %4$L; ', conrelid::regclass, conname,
						pg_get_constraintdef(oid) || CASE WHEN convalidated THEN ' NOT VALID' ELSE '' END, obj_description(oid, 'pg_constraint')), ''),
					validate || coalesce(array_agg(format('ALTER TABLE %s VALIDATE CONSTRAINT %I', conrelid::regclass, conname))
						FILTER (WHERE convalidated), '{}')
				INTO fks, fks_again, validate
				FROM pg_constraint WHERE confrelid = parent AND contype = 'f' AND conparentid = 0;
				-- the table first, as a transaction that writes both does
				EXECUTE format('LOCK TABLE ONLY %s, ONLY %s IN ACCESS EXCLUSIVE MODE', parent, k.rest);
				EXECUTE coalesce(fks, '');
				EXECUTE format('SELECT %1$I FROM ONLY %2$s WHERE %1$I >= $1 AND %1$I < $2 ORDER BY %1$I OFFSET $3 LIMIT 1', k.key, k.rest)
				INTO cut USING low, high, batch;
				SELECT string_agg(format('%I', attname), ', ') INTO columns FROM pg_attribute
				WHERE attrelid = parent AND attnum > 0 AND NOT attisdropped AND attgenerated = '';
				SELECT string_agg(format('ALTER TABLE %s ENABLE %s TRIGGER %I; ', tgrelid::regclass,
					CASE tgenabled WHEN 'A' THEN 'ALWAYS' WHEN 'R' THEN 'REPLICA' END, tgname), '') INTO triggers
				FROM pg_trigger WHERE tgrelid = k.rest AND NOT tgisinternal AND tgenabled <> 'D';
				EXECUTE format('CREATE TEMP TABLE uuidnew_moved ON COMMIT DROP AS SELECT %s FROM ONLY %s WHERE %I >= $1 AND %3$I < $2',
					columns, k.rest, k.key) USING low, coalesce(cut, high);
				EXECUTE format('ALTER TABLE %s DISABLE TRIGGER USER', k.rest);
				EXECUTE format('DELETE FROM ONLY %s WHERE %I >= $1 AND %2$I < $2', k.rest, k.key) USING low, coalesce(cut, high);
				GET DIAGNOSTICS deleted = ROW_COUNT; EXECUTE coalesce(triggers, '');
			END IF;

			IF growing THEN
				EXECUTE format('ALTER TABLE %1$s DETACH PARTITION %2$s; ALTER TABLE %1$s ATTACH PARTITION %2$s FOR VALUES FROM (%3$L) TO (%4$L)', parent, part, low, coalesce(cut, high));
			ELSE
				EXECUTE format('CREATE TABLE %s PARTITION OF %s FOR VALUES FROM (%L) TO (%L)', part, parent, low, coalesce(cut, high));
				EXECUTE (SELECT format('ALTER TABLE %s OWNER TO %s%s%s', part, relowner::regrole, CASE relreplident WHEN 'f' THEN ', REPLICA IDENTITY FULL' END,
					CASE WHEN relrowsecurity THEN ', ENABLE ROW LEVEL SECURITY' END) FROM pg_class WHERE oid = parent);	-- only the parent's policies let anybody in
			END IF;

			IF waiting > 0 OR growing THEN
				SELECT string_agg(format('ALTER TABLE %s ENABLE %s TRIGGER %I; ', tgrelid::regclass,
					CASE tgenabled WHEN 'A' THEN 'ALWAYS' WHEN 'R' THEN 'REPLICA' END, tgname), '') INTO triggers
				FROM pg_trigger WHERE tgrelid = part::regclass AND NOT tgisinternal AND tgenabled <> 'D';
				EXECUTE format('ALTER TABLE %s DISABLE TRIGGER USER', part);
				EXECUTE format('INSERT INTO %s (%s) OVERRIDING SYSTEM VALUE SELECT * FROM pg_temp.uuidnew_moved', part, columns);
				GET DIAGNOSTICS waiting = ROW_COUNT;
				IF waiting <> deleted THEN RAISE 'of % rows of partition %, % were moved', deleted, k.rest, waiting; END IF;
				EXECUTE concat(triggers, fks_again);
				EXECUTE format('COMMENT ON TABLE %s IS %L', part, CASE WHEN cut IS NOT NULL THEN unfinished END);
			END IF;
			tries := 0;
		EXCEPTION WHEN OTHERS THEN
			validate := before;
			IF SQLSTATE IN ('55P03', '40P01', '40001') OR SQLSTATE = '23514' AND waiting = 0 AND NOT growing THEN	-- a lock, or a row that came meanwhile
				tries := tries + 1; IF tries = 20 THEN RAISE; END IF;
			ELSIF waiting > 0 OR growing THEN	-- the partitions of times to come do not wait for these
				stay := coalesce(stay, format('rows since %s stay in partition %s: %s', since, k.rest, SQLERRM)); done := until; moved := 0; tries := 0; CONTINUE;
			ELSE RAISE; END IF;
		END;
		COMMIT;
		PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
		PERFORM pg_sleep(0.5 * random()) WHERE tries > 0; CONTINUE WHEN tries > 0;
		moved := moved + waiting;
		IF cut IS NULL THEN
			made := made + 1; done := until;
			RAISE NOTICE 'created partition %: since %, until %, with % rows from the default partition', part, since, until, moved; moved := 0;
		END IF;
	END LOOP;
	IF stay IS NOT NULL THEN RAISE NOTICE '%', stay; END IF;
	COMMIT;

	FOREACH statement IN ARRAY validate LOOP EXECUTE statement; COMMIT; END LOOP;
	RAISE NOTICE 'created % partitions of %', made, parent;
END $$;
COMMENT ON PROCEDURE uuid_create_partitions(regclass, text, interval, text, text, int, regprocedure) IS 'creates the partitions that are missing from now to so far ahead, and those of rows in the default partition, which it moves';

CREATE PROCEDURE uuid_drop_partitions(parent regclass, older_than interval, dry_run boolean DEFAULT true,
	delete_children boolean DEFAULT false, detach_only boolean DEFAULT false, layout text DEFAULT NULL,
	batch int DEFAULT 10000, uuid_min regprocedure DEFAULT 'uuid_v7_min(timestamptz, text)'::regprocedure)
LANGUAGE plpgsql AS $$
DECLARE
	k pg_catalog.record; p pg_catalog.record; child pg_catalog.record;
	-- a NULL drops nothing
	reaches pg_catalog.timestamptz := pg_catalog.now() OPERATOR(pg_catalog.-) older_than; n pg_catalog.int8; name pg_catalog.text;
	path CONSTANT pg_catalog.text := pg_catalog.current_setting('search_path'); secure CONSTANT pg_catalog.text := pg_catalog.current_setting('row_security');
	children pg_catalog.text; kept pg_catalog.text; tries pg_catalog.int4; finished pg_catalog.bool;
BEGIN
	PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
	IF older_than < '0' OR dry_run IS NULL OR delete_children IS NULL OR detach_only IS NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'an age is not negative, and dry_run, delete_children and detach_only are true or false';
	END IF;
	EXECUTE format('SELECT * FROM %s.uuidnew_partition_key($1, $2, $3, NULL)', (
		SELECT pronamespace::regnamespace FROM pg_proc WHERE oid = uuid_min)) INTO k USING parent, layout, uuid_min;
	EXECUTE format('LOCK TABLE ONLY %s IN ACCESS SHARE MODE', parent);	-- before its partitions, as others do
	FOR p IN EXECUTE format('SELECT * FROM %I.uuid_partitions($1, $2) WHERE until <= $3 ORDER BY until', k.own)
		USING parent, k.layout, reaches
	LOOP
		PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true), pg_catalog.set_config('row_security', 'off', true);
		EXECUTE format('LOCK TABLE ONLY %s IN ACCESS SHARE MODE', parent);
		CONTINUE WHEN pg_get_partition_constraintdef(p.partition) IS NULL;	-- another session was here
		name := p.partition;	-- while there is one
		kept := NULL; children := '';
		EXECUTE format('SELECT count(*) FROM (SELECT FROM %s WHERE %I.uuid_v7_layout(%I) IS DISTINCT FROM $1 LIMIT 1) other',
			p.partition, k.own, k.key) INTO n USING k.layout;
		IF n > 0 THEN
			kept := 'it holds keys of another version or layout, whose age is not known';
		ELSIF NOT detach_only THEN
			-- what DROP would refuse, but for foreign keys that refer to the parent: DETACH ends those
			WITH RECURSIVE d(classid, objid, objsubid, deptype) AS (
				SELECT 'pg_class'::regclass::oid, relid::oid, 0, 'i'::"char" FROM pg_partition_tree(p.partition)
				UNION
				SELECT e.classid, e.objid, e.objsubid, e.deptype FROM d JOIN pg_depend e ON e.refclassid = d.classid AND e.refobjid = d.objid
					LEFT JOIN pg_constraint c ON e.classid = 'pg_constraint'::regclass AND c.oid = e.objid
				WHERE d.deptype <> 'n' AND NOT (c.contype IS NOT DISTINCT FROM 'f' AND c.conparentid <> 0))
			SELECT min(replace(pg_describe_object(classid, objid, objsubid), 'rule _RETURN on ', '')) || ' depends on it' INTO kept
			FROM (SELECT * FROM d UNION ALL	-- an extension's own
				SELECT e.refclassid, e.refobjid, 0, 'n' FROM pg_partition_tree(p.partition) JOIN pg_depend e ON e.classid = 'pg_class'::regclass AND e.objid = relid WHERE e.deptype = 'e') d
			WHERE deptype = 'n' AND NOT EXISTS (SELECT FROM d own WHERE own.classid = d.classid AND own.objid = d.objid AND own.deptype <> 'n');
		END IF;

		FOR child IN
			SELECT c.conrelid::regclass AS tab, a.attname AS col, format('%s%I OPERATOR(pg_catalog.<) %L%s',
				CASE WHEN p.lower IS NOT NULL THEN format('%I OPERATOR(pg_catalog.>=) %L AND ', a.attname, p.lower) END, a.attname, p.upper,
				(SELECT string_agg(format(' AND %I IS NOT NULL', o.attname), '') FROM pg_attribute o
				 WHERE o.attrelid = c.conrelid AND o.attnum = ANY (c.conkey) AND o.attnum <> a.attnum)) AS refers
			FROM pg_constraint c JOIN pg_attribute key ON key.attrelid = c.confrelid AND key.attname = k.key
				JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[array_position(c.confkey, key.attnum)]
				LEFT JOIN pg_constraint above ON above.oid = c.conparentid	-- of a table that this one is a partition of
			WHERE c.confrelid = parent AND c.contype = 'f' AND above.confrelid IS DISTINCT FROM parent
			ORDER BY c.conrelid NOT IN (SELECT relid FROM pg_partition_ancestors(parent)), 1, 2	-- what keeps the partition first, before anything is deleted
		LOOP
			EXIT WHEN kept IS NOT NULL;
			EXECUTE format('SELECT count(*) FROM %s WHERE %s', child.tab, child.refers) INTO n;
			CONTINUE WHEN n = 0;
			children := children || format(', with %s rows of %s', n, child.tab);
			IF NOT delete_children OR child.tab IN (SELECT relid FROM pg_partition_ancestors(parent)) THEN kept := format('%s rows of %s refer to it', n, child.tab); END IF;
			WHILE n > 0 AND kept IS NULL AND NOT dry_run LOOP
				PERFORM set_config('search_path', path, true), set_config('row_security', secure, true);	-- for triggers
				EXECUTE pg_catalog.format('DELETE FROM %1$s WHERE %2$I OPERATOR(pg_catalog.=) ANY (ARRAY(SELECT %2$I FROM %1$s WHERE %3$s LIMIT $1)) AND %3$s',
					child.tab, child.col, child.refers) USING batch;
				GET DIAGNOSTICS n = ROW_COUNT; COMMIT;
				PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true), pg_catalog.set_config('row_security', 'off', true);
			END LOOP;
		END LOOP;

		tries := 0; finished := kept IS NOT NULL OR dry_run;
		WHILE NOT finished LOOP
			PERFORM set_config('lock_timeout', '500ms', true) WHERE current_setting('lock_timeout') = '0'; PERFORM set_config('row_security', 'off', true);
			BEGIN
				EXECUTE format('LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE', parent);
				IF strpos(pg_get_partition_constraintdef(p.partition), p.upper::text) > 0 THEN	-- uuid_create_partitions may have moved its end
					EXECUTE format('ALTER TABLE %s DETACH PARTITION %s%s', parent, name,
						CASE WHEN NOT detach_only THEN format('; DROP %sTABLE %s', (SELECT 'FOREIGN ' FROM pg_class WHERE oid = p.partition AND relkind = 'f'), name) END);
				ELSE
					kept := 'another session has changed it';
				END IF;
				finished := true;
			EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
				tries := tries + 1; IF tries = 20 THEN RAISE; END IF;
			WHEN foreign_key_violation OR dependent_objects_still_exist OR object_not_in_prerequisite_state THEN	-- such as a DETACH that is pending
				GET STACKED DIAGNOSTICS kept = PG_EXCEPTION_DETAIL; kept := coalesce(nullif(kept, ''), SQLERRM); finished := true;
			END;
			COMMIT;
			PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
			PERFORM pg_sleep(0.5 * random()) WHERE NOT finished;
		END LOOP;
		RAISE NOTICE '%', CASE WHEN kept IS NOT NULL THEN format('kept partition %s: %s', name, kept)
			ELSE format('%s partition %s: until %s, about %s rows, %s%s',
				(ARRAY['dropped', 'detached', 'would drop', 'would detach'])[1 + detach_only::int + 2 * dry_run::int], name, p.until, p.rows, pg_size_pretty(p.bytes), children) END;
	END LOOP;
	PERFORM set_config('search_path', path, true), set_config('row_security', secure, true);	-- a dry run may be part of a transaction
END $$;
COMMENT ON PROCEDURE uuid_drop_partitions(regclass, interval, boolean, boolean, boolean, text, int, regprocedure) IS 'drops or detaches the partitions that end before so long ago; by default only says which';

--
-- Partitioning: the table becomes the first partition of a new one of its name, where all that it has is
-- defined again in the same words, while its own goes by the name of the partition, …_first.  That a
-- CHECK constraint uuid_partitioning is on the table, or on a partition, says how far it is.
--

-- grants, instead of those by default
CREATE FUNCTION uuidnew_grants(acl aclitem[], object text, columns text DEFAULT '')
RETURNS text LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
SELECT concat(CASE WHEN columns = '' THEN (
	SELECT format('REVOKE ALL ON %s FROM %s; ', object, string_agg(DISTINCT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END, ', '))
	FROM pg_default_acl, aclexplode(defaclacl) WHERE defaclobjtype = CASE WHEN object ^@ 'SEQUENCE ' THEN 'S' ELSE 'r' END HAVING count(*) > 0) END,
	string_agg(format('GRANT %s%s ON %s TO %s%s; ', privilege_type, columns, object,
	CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END, CASE WHEN is_grantable THEN ' WITH GRANT OPTION' END), ''))
FROM aclexplode(acl)
$$;
COMMENT ON FUNCTION uuidnew_grants(aclitem[], text, text) IS 'grants as statements; for uuid_partitioning_steps and uuid_rekey_steps';

CREATE FUNCTION uuid_partitioning_steps(tab regclass, width text, time_zone text DEFAULT 'UTC', layout text DEFAULT NULL,
	uuid_min regprocedure DEFAULT 'uuid_v7_min(timestamptz, text)'::regprocedure)
RETURNS TABLE (step int, phase text, statement text, lock text, why text, done boolean)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET row_security = off AS $$
DECLARE
	brief CONSTANT text := 'DECLARE s pg_catalog.record; BEGIN PERFORM pg_catalog.set_config(''lock_timeout'', ''500ms'', true), '
		'pg_catalog.set_config(''search_path'', ''pg_catalog, pg_temp'', true), pg_catalog.set_config(''row_security'', ''off'', true); %s END';
	beside CONSTANT text := 'SHARE UPDATE EXCLUSIVE: others read and write';
	mark CONSTANT text := 'uuid_partitioning';	-- also begins the comment of a foreign key that is to be its parent's
	t record; k record; f record;
	first regclass := (SELECT conrelid FROM pg_constraint JOIN pg_inherits ON inhrelid = conrelid WHERE inhparent = tab AND conname = mark);
	swapped CONSTANT boolean := first IS NOT NULL; name CONSTANT text := tab; old text; source text; target text;
	border uuid; last uuid; until timestamptz; checked boolean; moment CONSTANT text := 'ACCESS EXCLUSIVE, for a moment';
	everything CONSTANT text := 'ACCESS EXCLUSIVE on the table, what refers to it, and views, for a moment';
	phases CONSTANT text[] := CASE WHEN swapped THEN '{finish}' ELSE '{prepare,undo}' END;
	period CONSTANT interval := replace('1 ' || substring(lower(width) FROM '^(?:hour|day|week|month|quarter|year)$'), '1 quarter', '3 months');
	locks text; drops text; indexes text; keys text; triggers text; sequences text; policies text; grants text; views text; publications text; refs text;
BEGIN
	SELECT c.*, n.nspname, format('%I.%I', n.nspname, renamed) AS old, renamed INTO t
	FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace, LATERAL (SELECT left(c.relname, 57 - octet_length(c.relname) + length(c.relname)) || '_first') r(renamed) WHERE c.oid = tab;
	SELECT array_agg(a.attnum) AS cols INTO f FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)
	WHERE c.conrelid = tab AND c.contype = 'p' AND a.atttypid = 'uuid'::regtype;
	IF t.relkind = 'p' AND NOT swapped OR cardinality(f.cols) IS DISTINCT FROM 1 OR period IS NULL OR time_zone IS NULL THEN
		RAISE EXCEPTION USING ERRCODE = CASE WHEN t.relkind = 'p' THEN 'wrong_object_type' ELSE 'invalid_parameter_value' END,
			MESSAGE = format('cannot partition table %s by width "%s"', tab, width), HINT = CASE WHEN t.relkind = 'p' THEN 'It is partitioned.'
				ELSE 'A table needs a primary key with one uuid column. Valid widths are hour, day, week, month, quarter and year.' END;
	END IF;
	EXECUTE format('SELECT * FROM %s.uuidnew_partition_key($1, $2, $3, $4)', (
		SELECT pronamespace::regnamespace FROM pg_proc WHERE oid = uuid_min)) INTO k USING tab, layout, uuid_min, f.cols[1];
	old := coalesce(first::text, t.old);

	-- what would be lost
	IF NOT swapped THEN
		SELECT string_agg(o, E'\n') INTO drops FROM (
			SELECT 'it is foreign, unlogged, temporary, typed, a partition or inherited' AS o
			WHERE t.relkind <> 'r' OR t.relpersistence <> 'p' OR t.reloftype <> 0 OR EXISTS (SELECT FROM pg_inherits WHERE tab IN (inhrelid, inhparent))
			UNION ALL SELECT format('unique index %s lacks column "%s"', indexrelid::regclass, k.key) FROM pg_index
			WHERE indrelid = tab AND indisunique AND f.cols[1] <> ALL ((indkey::int2[])[0:indnkeyatts - 1])
			UNION ALL SELECT format('constraint "%s" is an exclusion constraint or NO INHERIT', conname) FROM pg_constraint
			WHERE conrelid = tab AND (contype = 'x' OR contype IN ('c', 'n') AND connoinherit)
			UNION ALL SELECT 'its replica identity is neither DEFAULT nor FULL' WHERE t.relreplident NOT IN ('d', 'f')
			UNION ALL SELECT 'a subscription writes to it, which would leave its partitions out' WHERE EXISTS (SELECT FROM pg_subscription_rel WHERE srrelid = tab)
			UNION ALL SELECT format('publication "%s" publishes partitions by their own names: SET (publish_via_partition_root)', pubname)
			FROM pg_publication_tables JOIN pg_publication USING (pubname) WHERE schemaname = t.nspname AND tablename = t.relname AND NOT pubviaroot
			UNION ALL SELECT DISTINCT pg_describe_object(d.classid, d.objid, d.objsubid) || ' depends on it'
			FROM pg_depend d LEFT JOIN pg_rewrite r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid LEFT JOIN pg_class v ON v.oid = r.ev_class
				LEFT JOIN pg_policy o ON d.classid = 'pg_policy'::regclass AND o.oid = d.objid	-- of another table
			WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = tab AND (d.classid = 'pg_proc'::regclass OR v.relkind <> 'v' OR r.rulename <> '_RETURN' OR o.polrelid <> tab)
				OR d.refclassid = 'pg_type'::regclass AND d.refobjid IN (t.reltype, (SELECT typarray FROM pg_type WHERE oid = t.reltype)) AND d.deptype = 'n') x;
		IF drops IS NOT NULL THEN
			RAISE EXCEPTION USING ERRCODE = 'dependent_objects_still_exist', MESSAGE = format('cannot partition table %s', tab), DETAIL = drops,
				HINT = 'Change or drop these before; what depends on the table, create again afterwards.';
		END IF;
	END IF;

	-- where the first partition ends: so late that there is a month for all of this
	SELECT (regexp_match(pg_get_constraintdef(oid), '''([-0-9a-f]{36})'''))[1], convalidated INTO border, checked
	FROM pg_constraint WHERE conrelid = coalesce(first, tab) AND conname = mark;
	EXECUTE format('SELECT %I.uuid_v7_timestamp($1, $2)', k.own) INTO until USING border, k.layout;
	IF NOT swapped AND coalesce(until < now() + interval '1 day', true) THEN
		checked := NULL;
		EXECUTE format('SELECT %I FROM %s ORDER BY 1 DESC LIMIT 1', k.key, tab) INTO last;
		EXECUTE format('SELECT greatest(now() + interval ''1 month'', %1$I.uuid_v7_timestamp($1, $2)) AS latest, %1$I.uuid_v7_layout($1) <> $2 AS wrong', k.own)
		INTO f USING last, k.layout;
		IF f.wrong THEN
			RAISE EXCEPTION USING ERRCODE = 'object_not_in_prerequisite_state', MESSAGE = format('the greatest key of table %s, %s, is not of layout "%s"', tab, last, k.layout),
				HINT = 'Give the table new keys with uuid_rekey_steps before.';
		END IF;
		until := (date_trunc(width, f.latest AT TIME ZONE time_zone) + period) AT TIME ZONE time_zone;
		EXECUTE format('SELECT %I.uuid_v7_min($1, $2)', k.own) INTO border USING until, k.layout;
	END IF;

	-- all that the table has, or the new one, in words
	source := CASE WHEN swapped THEN format('%I.%I', t.nspname, mark) ELSE old END;	-- their names when it is moved
	target := name;
	SELECT coalesce(string_agg(format('ALTER TABLE %s DROP CONSTRAINT %I; ', c.conrelid::regclass, c.conname), ''), ''),
		coalesce(string_agg((SELECT string_agg(format('ALTER TABLE %1$s ADD CONSTRAINT %2$I %3$s NOT VALID; COMMENT ON CONSTRAINT %2$I ON %1$s IS %4$L; ',
			leaf, c.conname, d.def, CASE WHEN is_own AND NOT swapped OR NOT is_own AND (r.relkind = 'p' OR d.comment ^@ mark)
				THEN mark || coalesce(d.said, '') ELSE nullif(d.said, '') END), '')
			FROM (SELECT DISTINCT CASE WHEN NOT is_own THEN l.oid::regclass::text WHEN swapped THEN name ELSE old END FROM (
				SELECT relid FROM pg_partition_tree(c.conrelid) WHERE isleaf UNION SELECT c.conrelid WHERE r.relkind <> 'p') l(oid)) l(leaf)), ''), ''),
		string_agg(DISTINCT ', ' || c.conrelid::regclass, '') FILTER (WHERE NOT is_own)
	INTO drops, refs, locks
	FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid, LATERAL (SELECT c.conrelid IN (tab, coalesce(first, tab))) o(is_own),
		LATERAL (SELECT comment, CASE WHEN comment ^@ mark THEN substr(comment, length(mark) + 1) ELSE comment END, regexp_replace(pg_get_constraintdef(c.oid), ' NOT VALID$', '') FROM obj_description(c.oid, 'pg_constraint') comment) d(comment, said, def)
	WHERE c.confrelid = tab AND c.contype = 'f' AND c.conparentid = 0;
	SELECT string_agg(format('ALTER TABLE %1$s ADD CONSTRAINT %2$I %3$s; COMMENT ON CONSTRAINT %2$I ON %1$s IS %4$L; ', name, conname, regexp_replace(pg_get_constraintdef(oid), ' NOT VALID$', ''),
		obj_description(oid, 'pg_constraint')), '') INTO keys
	FROM pg_constraint WHERE conrelid = tab AND contype = 'f' AND confrelid <> tab;
	IF swapped THEN
		SELECT string_agg(format('ALTER INDEX %I.%I RENAME TO %I; ', t.nspname, x.relname, p.relname), '') INTO indexes
		FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_inherits h ON h.inhrelid = x.oid JOIN pg_class p ON p.oid = h.inhparent WHERE i.indrelid = first;
	ELSE
		SELECT string_agg(format('ALTER INDEX %I.%I RENAME TO %I; ', t.nspname, x.relname, left(x.relname, 57 - octet_length(x.relname) + length(x.relname)) || '_first'), ''),
			string_agg(coalesce('ALTER TABLE ' || name || ' ADD CONSTRAINT ' || quote_ident(c.conname) || ' ' || pg_get_constraintdef(c.oid), pg_get_indexdef(x.oid))
				|| format('; COMMENT ON INDEX %I.%I IS %L; ', t.nspname, x.relname, obj_description(x.oid, 'pg_class'))
				|| coalesce('COMMENT ON CONSTRAINT ' || quote_ident(c.conname) || format(' ON %s IS %L; ', name, obj_description(c.oid, 'pg_constraint')), ''), '') || coalesce(keys, '')
		INTO indexes, keys
		FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid LEFT JOIN pg_constraint c ON c.conindid = x.oid AND c.conrelid = tab AND c.contype IN ('p', 'u')
		WHERE i.indrelid = tab AND i.indisvalid;
	END IF;
	SELECT string_agg(format('DROP TRIGGER %I ON %s; ', tgname, name), ''), string_agg(format('%s; ALTER TABLE %2$s %3$s TRIGGER %4$I; COMMENT ON TRIGGER %4$I ON %2$s IS %5$L; ', pg_get_triggerdef(oid), name,
		CASE tgenabled WHEN 'D' THEN 'DISABLE' WHEN 'A' THEN 'ENABLE ALWAYS' WHEN 'R' THEN 'ENABLE REPLICA' ELSE 'ENABLE' END, tgname, obj_description(oid, 'pg_trigger')), '')
	INTO sequences, triggers FROM pg_trigger WHERE tgrelid = tab AND NOT tgisinternal;
	IF NOT swapped THEN
		drops := drops || coalesce(sequences, '');
	ELSE	-- the way back leads to what the table has by then
		SELECT concat(drops, (SELECT string_agg(format('DROP POLICY %I ON %s; ', polname, old), '') FROM pg_policy WHERE polrelid = first),
			string_agg(DISTINCT format('REVOKE ALL ON %s FROM %s CASCADE; ', old, CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END), '')) INTO drops
		FROM (SELECT relacl FROM pg_class WHERE oid = first UNION ALL SELECT attacl FROM pg_attribute WHERE attrelid = first) a(acl), aclexplode(acl);
	END IF;
	SELECT string_agg(CASE WHEN a.attidentity = '' THEN format('ALTER SEQUENCE %s OWNED BY %s.%I; ', q.seqrelid::regclass, target, a.attname)
		ELSE format('SELECT last_value, is_called INTO s FROM %4$s; ALTER TABLE %1$s ALTER %3$I DROP IDENTITY; ALTER TABLE %2$s ALTER %3$I ADD GENERATED %5$s AS IDENTITY '
			'(SEQUENCE NAME %4$s START %6$s INCREMENT %7$s MINVALUE %8$s MAXVALUE %9$s CACHE %10$s %11$s); PERFORM setval(%12$L, s.last_value, s.is_called); COMMENT ON SEQUENCE %4$s IS %13$L; ',
			source, target, a.attname, q.seqrelid::regclass, CASE a.attidentity WHEN 'a' THEN 'ALWAYS' ELSE 'BY DEFAULT' END, q.seqstart, q.seqincrement, q.seqmin, q.seqmax,
			q.seqcache, CASE WHEN q.seqcycle THEN 'CYCLE' END, q.seqrelid::regclass, obj_description(q.seqrelid, 'pg_class')) END, '') INTO sequences
	FROM pg_depend d JOIN pg_sequence q ON d.classid = 'pg_class'::regclass AND q.seqrelid = d.objid JOIN pg_attribute a ON a.attrelid = tab AND a.attnum = d.refobjsubid
	WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = tab AND d.deptype IN ('a', 'i');
	EXECUTE format('SELECT concat(%1$s.uuidnew_grants($1, $2), string_agg(concat(format(''COMMENT ON COLUMN %%s.%%I IS %%L; '', $2, attname, col_description($3, attnum)), %1$s.uuidnew_grants(attacl, $2, format('' (%%I)'', attname))), ''''))
		FROM pg_attribute WHERE attrelid = $3 AND attnum > 0 AND NOT attisdropped', quote_ident(k.own)) INTO grants USING coalesce(t.relacl, acldefault('r', t.relowner)), name, tab;
	EXECUTE format('SELECT $1 || coalesce(string_agg(%I.uuidnew_grants(coalesce(relacl, acldefault(''s'', relowner)), ''SEQUENCE '' || oid::regclass), ''''), '''')
		FROM pg_class WHERE relkind = ''S'' AND oid IN (SELECT objid FROM pg_depend WHERE refobjid = $2 AND deptype = ''i'')', k.own) INTO sequences USING sequences, tab;
	SELECT string_agg(format('CREATE POLICY %I ON %s AS %s FOR %s TO %s%s%s; COMMENT ON POLICY %1$I ON %2$s IS %8$L; ', polname, name, CASE WHEN polpermissive THEN 'PERMISSIVE' ELSE 'RESTRICTIVE' END,
		CASE polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE' WHEN 'd' THEN 'DELETE' ELSE 'ALL' END,
		(SELECT string_agg(CASE role WHEN 0 THEN 'PUBLIC' ELSE role::regrole::text END, ', ') FROM unnest(polroles) role),
		' USING (' || pg_get_expr(polqual, polrelid) || ')', ' WITH CHECK (' || pg_get_expr(polwithcheck, polrelid) || ')', obj_description(oid, 'pg_policy')), '') INTO policies FROM pg_policy WHERE polrelid = tab;
	policies := concat(format('ALTER TABLE %s %s ROW LEVEL SECURITY, %s ROW LEVEL SECURITY, REPLICA IDENTITY %s; ', name, CASE WHEN t.relrowsecurity THEN 'ENABLE' ELSE 'DISABLE' END,
		CASE WHEN t.relforcerowsecurity THEN 'FORCE' ELSE 'NO FORCE' END, CASE t.relreplident WHEN 'f' THEN 'FULL' ELSE 'DEFAULT' END), policies);
	SELECT string_agg(format('CREATE OR REPLACE VIEW %s%s AS %s ', v.oid::regclass, ' WITH (' || array_to_string(v.reloptions, ', ') || ')', pg_get_viewdef(v.oid)), '') INTO views
	FROM pg_class v WHERE v.relkind = 'v' AND v.oid IN (SELECT r.ev_class FROM pg_depend d JOIN pg_rewrite r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid
		WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = tab);
	SELECT string_agg(format('ALTER PUBLICATION %1$I DROP TABLE %2$s; ALTER PUBLICATION %1$I ADD TABLE %3$s%4$s%5$s; ', p.pubname, source, target,
		' (' || (SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute WHERE attrelid = tab AND to_jsonb(r) -> 'prattrs' @> to_jsonb(attnum)) || ')',
		' WHERE (' || (to_jsonb(v) ->> 'rowfilter') || ')'), '') INTO publications	-- which PostgreSQL 14 has not
	FROM pg_publication_rel r JOIN pg_publication p ON p.oid = r.prpubid JOIN pg_publication_tables v ON v.pubname = p.pubname AND v.schemaname = t.nspname AND v.tablename = t.relname
	WHERE r.prrelid = tab;

	RETURN QUERY
		SELECT row_number() OVER (ORDER BY nr, s.phase, s.statement)::int, s.phase, CASE WHEN s.body THEN format('DO %L', format(brief, s.statement)) ELSE s.statement END, s.lock, s.why, s.done FROM (
			SELECT 1 AS nr, 'prepare' AS phase, concat((SELECT format('ALTER TABLE %s DROP CONSTRAINT %I; ', name, mark) FROM pg_constraint WHERE conrelid = tab AND conname = mark),
				format('ALTER TABLE %s ADD CONSTRAINT %I CHECK (%I < %L) NOT VALID;', name, mark, k.key, border)) AS statement, moment AS lock, format('the table is to be the partition until %s; until the swap, later keys are refused', until) AS why, checked IS NOT NULL AS done, true AS body
			WHERE NOT swapped
			UNION ALL SELECT 2, 'prepare', format('ALTER TABLE %s VALIDATE CONSTRAINT %I', name, mark), beside, 'reads the table, so that the swap need not', coalesce(checked, false), false WHERE NOT swapped
			UNION ALL SELECT 2, p, format('ALTER TABLE %s VALIDATE CONSTRAINT %I', conrelid::regclass, conname), beside, 'reads the table', false, false
			FROM pg_constraint x, unnest(phases) p WHERE tab IN (conrelid, confrelid) AND contype IN ('c', 'f', 'n') AND NOT convalidated AND to_jsonb(x) ->> 'conenforced' IS DISTINCT FROM 'false' AND conname <> mark AND (p <> 'undo' OR confrelid = tab)
			UNION ALL SELECT 3, p, format('LOCK TABLE %s IN SHARE ROW EXCLUSIVE MODE; ', name) || string_agg(format('COMMENT ON CONSTRAINT %I ON %s IS NULL; ', c.conname, c.conrelid::regclass), '')
					|| format('ALTER TABLE %1$s ADD CONSTRAINT %2$I %3$s; COMMENT ON CONSTRAINT %2$I ON %1$s IS %4$L;', root::regclass, conname, def, nullif(substr(said, length(mark) + 1), '')),
				'SHARE ROW EXCLUSIVE on both tables, for a moment', 'what partitions have becomes a foreign key of their parent', false, true
			FROM pg_constraint c, unnest(phases) p, pg_partition_root(conrelid) root, obj_description(c.oid, 'pg_constraint') said, regexp_replace(pg_get_constraintdef(c.oid), ' NOT VALID$', '') def
			WHERE confrelid = tab AND contype = 'f' AND conparentid = 0 AND said ^@ mark GROUP BY p, root, conname, def, said
			UNION ALL SELECT 4, 'swap', format('LOCK TABLE %s%s IN ACCESS EXCLUSIVE MODE; IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = %L::regclass AND conname = %L AND convalidated) '
					'THEN RAISE ''run the steps of phase prepare before''; END IF; ', name, locks, name, mark) || drops
				|| format('ALTER TABLE %1$s RENAME TO %2$I; %3$sCREATE TABLE %1$s (LIKE %4$I.%2$I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING GENERATED INCLUDING STORAGE INCLUDING COMPRESSION INCLUDING COMMENTS) '
					'PARTITION BY RANGE (%5$I); ALTER TABLE %1$s DROP CONSTRAINT %6$I; ALTER TABLE %1$s OWNER TO %7$s; COMMENT ON TABLE %1$s IS %8$L; ',
					name, t.renamed, indexes, t.nspname, k.key, mark, t.relowner::regrole, obj_description(tab, 'pg_class'))
				|| concat(sequences, keys, grants, policies, triggers) || format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (MINVALUE) TO (%L); ', name, old, border)
				|| concat(views, publications, refs), everything, 'the table becomes a partition; reads no row', false, true WHERE NOT swapped
			UNION ALL SELECT 5, 'finish', format('CALL %I.uuid_create_partitions(%L, %L, %L, %L, %L)', k.own, name, lower(width), date_trunc('day', until + 2 * period - now()) + interval '1 day', time_zone, k.layout),
				'see there', 'partitions for what comes then: call it each night', EXISTS (SELECT FROM pg_inherits WHERE inhparent = tab AND inhrelid <> first), false WHERE swapped
			UNION ALL SELECT 6, 'finish', format('ALTER TABLE %s DROP CONSTRAINT %I;', old, mark), moment, 'no way leads back from here', false, true WHERE swapped
			UNION ALL SELECT 7, 'undo', format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I;', name, mark), moment, 'the table is as before', checked IS NULL, true WHERE NOT swapped
			UNION ALL SELECT 7, 'undo', format('LOCK TABLE %s%s IN ACCESS EXCLUSIVE MODE; ', name, locks) || drops
				|| format('ALTER TABLE %1$s DETACH PARTITION %2$s; IF EXISTS (SELECT FROM %1$s) THEN RAISE %3$L USING ERRCODE = ''object_not_in_prerequisite_state''; END IF; '
					'ALTER TABLE %1$s RENAME TO %4$I; ALTER TABLE %2$s RENAME TO %5$I; ALTER TABLE %1$s OWNER TO %6$s; COMMENT ON TABLE %1$s IS %7$L; ',
					name, old, replace(format('table %s has rows in other partitions', name), '%', '%%'), mark, t.relname, t.relowner::regrole, obj_description(tab, 'pg_class'))
				|| concat(views, publications, sequences, 'DROP TABLE ' || source || '; ', indexes, grants, policies, triggers, refs), everything, 'the partition becomes the table', false, true WHERE swapped) s;
END $$;
COMMENT ON FUNCTION uuid_partitioning_steps(regclass, text, text, text, regprocedure) IS 'statements that partition a table in use by the time in its key: with the lock of each, why, and whether it is done';

--
-- Re-keying: beside the key and each column that refers to it, through foreign keys, stands a twin, new_…,
-- which triggers keep up to date.  The swap exchanges their names: then the twin is old_…, and the
-- same steps lead back.  What is done is read from the catalogs.
--

-- the key and all columns that refer to it, the key first
CREATE FUNCTION uuidnew_rekey_columns(root regclass)
RETURNS TABLE (tab regclass, col name, twin name, is_key boolean, nullable boolean, has_twin boolean, equal text, key_type text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE key int2; prefix text;
BEGIN
	SELECT c.conkey[1], CASE WHEN EXISTS (SELECT FROM pg_attribute WHERE attrelid = root AND attname = left('old_' || a.attname, 63)::name
		AND NOT attisdropped AND col_description(root, attnum) = 'uuid_rekey_steps: the twin of a key') THEN 'old_' ELSE 'new_' END
	INTO key, prefix
	FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
	WHERE c.conrelid = root AND c.contype = 'p' AND cardinality(c.conkey) = 1;
	IF (SELECT relkind FROM pg_class WHERE oid = root) = 'p' THEN
		RAISE EXCEPTION USING ERRCODE = 'feature_not_supported', MESSAGE = format('cannot re-key partitioned table %s', root),
			HINT = 'Copy its rows, with new keys, into a table that is not, and partition that with uuid_partitioning_steps.';
	ELSIF prefix IS NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'object_not_in_prerequisite_state', MESSAGE = format('table %s has no primary key of one column', root);
	END IF;
	RETURN QUERY
		WITH RECURSIVE cols(tab, att) AS (
			SELECT root::oid, key
			UNION
			SELECT c.conrelid, c.conkey[array_position(c.confkey, cols.att)]
			FROM cols JOIN pg_constraint c ON c.contype = 'f' AND c.confrelid = cols.tab AND cols.att = ANY (c.confkey) AND c.conparentid = 0)
		SELECT cols.tab::regclass, a.attname, t.twin, cols.tab = root AND a.attnum = key, NOT a.attnotnull,
			EXISTS (SELECT FROM pg_attribute WHERE attrelid = cols.tab AND attname = t.twin AND NOT attisdropped AND col_description(attrelid, attnum) = 'uuid_rekey_steps: the twin of a key'),
			coalesce((SELECT format('OPERATOR(%I.%s)', n.nspname, o.oprname)
				FROM pg_constraint c JOIN pg_operator o ON o.oid = c.conppeqop[array_position(c.confkey, key)] JOIN pg_namespace n ON n.oid = o.oprnamespace
				WHERE c.contype = 'f' AND c.confrelid = root AND key = ANY (c.confkey) LIMIT 1), 'OPERATOR(pg_catalog.=)'),
			(SELECT format_type(coalesce(nullif(y.typbasetype, 0), y.oid), greatest(y.typtypmod, k.atttypmod)) || coalesce(' COLLATE ' || nullif(k.attcollation, 0)::regcollation, '')
				FROM pg_attribute k JOIN pg_type y ON y.oid = k.atttypid WHERE k.attrelid = root AND k.attnum = key)
		FROM cols JOIN pg_attribute a ON a.attrelid = cols.tab AND a.attnum = cols.att, LATERAL (SELECT left(prefix || a.attname, 63)::name) t(twin)
		ORDER BY 4 DESC, cols.tab, a.attnum;
END $$;
COMMENT ON FUNCTION uuidnew_rekey_columns(regclass) IS 'the key of a table and all columns that refer to it; for uuid_rekey_steps and others';

-- a definition with other columns of a table
CREATE FUNCTION uuidnew_rekey_renamed(definition text, cols jsonb)
RETURNS text LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
SELECT coalesce(string_agg(CASE WHEN coalesce(before, '') NOT IN ('.', ':') AND coalesce(after, '') NOT IN ('(', '.') THEN coalesce(
	(SELECT quote_ident(twin) FROM ROWS FROM (jsonb_array_elements_text(cols -> 'cols'), jsonb_array_elements_text(cols -> 'twins')) u(col, twin) WHERE quote_ident(col) = token), token) ELSE token END, '' ORDER BY nr), '')
FROM (SELECT m[1] AS token, nr, lag(m[1]) OVER w AS before, lead(m[1]) OVER w AS after	-- texts, names, or one character
	FROM regexp_matches(definition, '''(?:[^'']|'''')*''|"(?:[^"]|"")*"|[[:alnum:]_$]+|.', 'g') WITH ORDINALITY r(m, nr) WINDOW w AS (ORDER BY nr)) t
$$;
COMMENT ON FUNCTION uuidnew_rekey_renamed(text, jsonb) IS 'a definition with other columns; for uuid_rekey_steps';

-- what depends on these columns and would stay with the old ones
CREATE FUNCTION uuidnew_rekey_obstacles(cols jsonb)
RETURNS SETOF text LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
WITH RECURSIVE c AS (SELECT a.attrelid, a.attnum, a.attname, a.attacl FROM jsonb_each(cols) t, jsonb_array_elements_text(t.value -> 'cols') col
	JOIN pg_attribute a ON a.attname = col WHERE a.attrelid = t.key::oid),
views(oid) AS (
	SELECT ev_class FROM c JOIN pg_depend ON refclassid = 'pg_class'::regclass AND refobjid = attrelid AND refobjsubid = attnum AND classid = 'pg_rewrite'::regclass
		JOIN pg_rewrite r ON r.oid = objid WHERE ev_class <> attrelid
	UNION SELECT ev_class FROM views v JOIN pg_depend ON refclassid = 'pg_class'::regclass AND refobjid = v.oid AND classid = 'pg_rewrite'::regclass JOIN pg_rewrite r ON r.oid = objid)
SELECT DISTINCT format('%s depends on column "%s"', pg_describe_object(d.classid, d.objid, d.objsubid), c.attname)
FROM c JOIN pg_depend d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = c.attrelid AND d.refobjsubid = c.attnum
	LEFT JOIN pg_class o ON d.classid = 'pg_class'::regclass AND o.oid = d.objid
	LEFT JOIN pg_attrdef def ON d.classid = 'pg_attrdef'::regclass AND def.oid = d.objid
	LEFT JOIN pg_rewrite r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid LEFT JOIN pg_class v ON v.oid = r.ev_class
WHERE d.classid <> 'pg_constraint'::regclass AND coalesce(o.relkind, ' ') NOT IN ('i', 'S')
	AND ((def.adrelid, def.adnum) IS DISTINCT FROM (c.attrelid, c.attnum) OR EXISTS (	-- that of the key goes on making old ones
		SELECT FROM pg_constraint WHERE contype = 'f' AND conrelid = c.attrelid AND c.attnum = ANY (conkey))) AND coalesce(v.relkind, ' ') <> 'v'
UNION ALL SELECT DISTINCT format('%s depends on view %s', pg_describe_object(d.classid, d.objid, d.objsubid), v.oid::regclass)
FROM views v JOIN pg_class w USING (oid) JOIN pg_depend d ON d.deptype = 'n' AND (d.refclassid, d.refobjid) IN (('pg_class'::regclass, w.oid), ('pg_type'::regclass, w.reltype))
	LEFT JOIN pg_rewrite r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid LEFT JOIN pg_class x ON x.oid = r.ev_class
WHERE w.relkind = 'v' AND coalesce(x.relkind, ' ') <> 'v'
UNION ALL SELECT format('constraint "%s" of table %s refers to another key', conname, conrelid::regclass)
FROM c JOIN pg_constraint ON conrelid = attrelid AND contype = 'f' AND attnum = ANY (conkey)
WHERE NOT EXISTS (SELECT FROM c k WHERE k.attrelid = confrelid AND k.attnum = confkey[array_position(conkey, c.attnum)])
UNION ALL SELECT DISTINCT format('trigger "%s" of table %s fires after those that set twins: rename it', tgname, tgrelid::regclass)
FROM c JOIN pg_trigger ON tgrelid = attrelid AND tgtype & 3 = 3 AND tgtype & 20 <> 0 AND tgenabled <> 'D' AND tgname > 'uuid_rekey_' AND tgname !~ '^uuid_rekey_'
UNION ALL SELECT format('column "%s" of table %s is of a re-keying that is not finished', o.attname, o.attrelid::regclass)
FROM pg_attribute o WHERE o.attrelid IN (SELECT attrelid FROM c) AND NOT o.attisdropped AND col_description(o.attrelid, o.attnum) = 'uuid_rekey_steps: the twin of a key'
	AND NOT EXISTS (SELECT FROM c WHERE c.attrelid = o.attrelid AND o.attname IN (('new_' || c.attname)::name, ('old_' || c.attname)::name))
UNION ALL SELECT format('the new key reads column "%s" of table %s, which is generated after triggers', attname, attrelid::regclass) FROM jsonb_each(cols) t
	JOIN pg_attribute ON attrelid = t.key::oid AND attgenerated <> '' AND t.value ->> 'new_key' ~ ('\m' || regexp_replace(attname, '(\W)', '\\\1', 'g') || '\M')
UNION ALL SELECT format('table %s is written by a subscription, for which triggers do not fire', srrelid::regclass) FROM pg_subscription_rel WHERE cols ? srrelid::text
UNION ALL SELECT format('there are privileges on column "%s" of table %s', attname, attrelid::regclass) FROM c WHERE attacl IS NOT NULL
UNION ALL SELECT format('constraint "%s" of table %s is an exclusion constraint', conname, conrelid::regclass)
FROM c JOIN pg_constraint ON conrelid = attrelid AND contype = 'x' AND attnum = ANY (conkey)
UNION ALL SELECT DISTINCT format('index %s is the replica identity of its table', indexrelid::regclass)
FROM c JOIN pg_index ON indrelid = attrelid AND indisreplident AND attnum = ANY (indkey)
UNION ALL SELECT DISTINCT format('table %s %s', attrelid::regclass, CASE WHEN t.relforcerowsecurity THEN 'forces row security on its owner, who would not see all rows' ELSE 'is partitioned, a partition or inherited' END)
FROM c JOIN pg_class t ON t.oid = attrelid WHERE t.relforcerowsecurity OR t.relkind <> 'r' OR t.relispartition OR EXISTS (SELECT FROM pg_inherits WHERE attrelid IN (inhrelid, inhparent))
UNION ALL SELECT format('table %s has a column "%s" of its own', o.attrelid::regclass, o.attname) FROM c JOIN pg_attribute o USING (attrelid)
WHERE o.attname IN (('new_' || c.attname)::name, ('old_' || c.attname)::name) AND NOT o.attisdropped AND col_description(attrelid, o.attnum) IS DISTINCT FROM 'uuid_rekey_steps: the twin of a key'
$$;
COMMENT ON FUNCTION uuidnew_rekey_obstacles(jsonb) IS 'what would stay with the old columns; for uuid_rekey_steps and uuid_rekey_check';

CREATE FUNCTION uuid_rekey_steps(tab regclass, new_key text, new_default text DEFAULT NULL, guard text DEFAULT NULL,
	uuid_min regprocedure DEFAULT 'uuid_v7_min(timestamptz, text)'::regprocedure)
RETURNS TABLE (step int, phase text, statement text, lock text, why text, done boolean)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
	root CONSTANT oid := tab; own CONSTANT regnamespace := (SELECT pronamespace FROM pg_proc WHERE oid = uuid_min);
	brief CONSTANT text := 'BEGIN PERFORM pg_catalog.set_config(''lock_timeout'', ''500ms'', true); %s END'; moment CONSTANT text := 'ACCESS EXCLUSIVE, for a moment';
	beside CONSTANT text := 'SHARE UPDATE EXCLUSIVE: others read and write'; c record; k record; r record;
	cols jsonb;	-- of each table: its columns and their twins
	swapped boolean; here name;	-- the schema of the functions of triggers
	label text; next_prefix text; twin_type text; filled boolean; tables text[] := '{}'; late text; unchecked text := ''; t text;
	-- pieces of the swap, and of the ways out of it
	drop_fks text := ''; drop_keys text := ''; rename text := ''; add_keys text := ''; rename_fks text := ''; swap text := '';
	untrigger text := ''; drop_twins text := ''; views text := ''; views_again text := ''; rules text := ''; body text;
	checks int := 0; refusal text := ''; known text; key_words text;	-- what a late writer would say
BEGIN
	EXECUTE format('SELECT * FROM %s.uuidnew_rekey_columns($1) WHERE is_key', own) INTO k USING tab;
	EXECUTE format('SELECT jsonb_object_agg(tab::oid, jsonb_build_object(''cols'', cols, ''twins'', twins, ''new_key'', CASE WHEN tab = $1 AND twins[1] ^@ ''new_'' THEN $2 END)) FROM (
		SELECT tab, array_agg(col) AS cols, array_agg(twin) AS twins FROM %s.uuidnew_rekey_columns($1) GROUP BY tab) t', own) INTO cols USING tab, new_key;
	swapped := k.twin ^@ 'old_'; next_prefix := CASE WHEN swapped THEN 'new_' ELSE 'old_' END;
	twin_type := coalesce((SELECT format_type(atttypid, atttypmod) || coalesce(' COLLATE ' || nullif(attcollation, 0)::regcollation, '')
		FROM pg_attribute WHERE attrelid = root AND attname = k.twin), 'uuid');
	EXECUTE format('SELECT string_agg(o, E''\n'') FROM %s.uuidnew_rekey_obstacles($1) o', own) INTO t USING cols; step := 0;
	IF t IS NOT NULL AND swapped THEN	-- such as what has been created again
		refusal := format('RAISE EXCEPTION USING ERRCODE = ''dependent_objects_still_exist'', MESSAGE = %L, DETAIL = %L; ', format('cannot undo the new keys of table %s', tab), t);
		phase := 'undo'; statement := format('DO %L', format(brief, refusal)); why := 'what stands in the way'; lock := 'none'; done := false; RETURN NEXT;
	ELSIF t IS NOT NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'dependent_objects_still_exist', MESSAGE = format('cannot re-key table %s', tab), DETAIL = t,
			HINT = 'Drop these before, and create them again after the swap.';
	END IF;
	SELECT n.nspname, CASE WHEN octet_length(p.relname::text) > 47 THEN md5(p.relname) ELSE p.relname END, regexp_replace(replace(p.relname, '"', '""'), '(\W)', '\\\1', 'g') INTO here, label, known
	FROM pg_class p JOIN pg_namespace n ON n.oid = p.relnamespace WHERE p.oid = root;

	-- columns before triggers: a trigger without its column would make every write fail
	phase := CASE WHEN swapped THEN 'undo' ELSE 'prepare' END; lock := moment;
	FOR c IN EXECUTE format('SELECT * FROM %s.uuidnew_rekey_columns($1)', own) USING tab LOOP
		step := step + 1;
		statement := format('DO %L', format(brief, format('PERFORM pg_catalog.set_config(''search_path'', ''pg_catalog, pg_temp'', true); '
			'ALTER TABLE %1$s ADD COLUMN %2$I %4$s; COMMENT ON COLUMN %1$s.%2$I IS %3$L;', c.tab, c.twin, 'uuid_rekey_steps: the twin of a key', twin_type)));
		why := 'the twin of ' || CASE WHEN c.is_key THEN 'the key' ELSE 'a column that refers to it' END; done := c.has_twin; RETURN NEXT;
		drop_twins := CASE WHEN c.has_twin THEN format('ALTER TABLE %s DROP COLUMN IF EXISTS %I; ', c.tab, c.twin) ELSE '' END || drop_twins;
	END LOOP;

	IF NOT swapped THEN
		step := step + 1; t := format('%I.%I', here, 'uuid_rekey_' || label || '_key');
		statement := format('DO %L', format(brief, format('EXECUTE %4$L; CREATE OR REPLACE FUNCTION %1$s() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS %2$L; '
			'ALTER FUNCTION %1$s() OWNER TO %5$s; CREATE TRIGGER uuid_rekey_key BEFORE INSERT OR UPDATE ON %3$s FOR EACH ROW EXECUTE FUNCTION %1$s();', t,
			format('#variable_conflict use_column BEGIN IF NEW.%1$I IS NULL OR TG_OP OPERATOR(pg_catalog.=) ''UPDATE'' AND NOT NEW.%2$I %5$s OLD.%2$I THEN '
				'NEW.%1$I := (SELECT %3$s FROM (SELECT NEW.*) %4$I); END IF; RETURN NEW; END', k.twin, k.col, new_key,
				(SELECT relname FROM pg_class WHERE oid = root), k.equal), tab,	-- an error in the key before each write has it
			format('SELECT (%s)::pg_catalog.uuid FROM ONLY %s LIMIT 0', new_key, tab), (SELECT relowner::regrole FROM pg_class WHERE oid = root))));
		why := 'the new key of each row that is written'; done := EXISTS (SELECT FROM pg_trigger WHERE tgrelid = root AND tgname = 'uuid_rekey_key'); RETURN NEXT;
		untrigger := format('DROP TRIGGER IF EXISTS uuid_rekey_key ON %s; DROP FUNCTION IF EXISTS %s(); ', tab, t);
	END IF;
	drop_keys := untrigger;

	-- from columns to twins, and (2) as it is after the swap
	FOR r IN EXECUTE format('SELECT tab, array_agg(col) AS cols, array_agg(twin) AS twins FROM %s.uuidnew_rekey_columns($1) WHERE NOT is_key GROUP BY tab', own) USING tab LOOP
		SELECT format('%I.%I', n.nspname, 'uuid_rekey_' || CASE WHEN octet_length(p.relname::text) > 47 THEN md5(p.relname) ELSE p.relname END || '_ref') INTO t
		FROM pg_class p JOIN pg_namespace n ON n.oid = p.relnamespace WHERE p.oid = r.tab;
		FOR i IN 1 .. 2 LOOP
			body := '';
			FOR j IN 1 .. cardinality(r.cols) LOOP
				-- where the twin's foreign key is before the key's own with its ON DELETE SET NULL, this goes along
				body := body || format('IF TG_OP = ''UPDATE'' AND pg_trigger_depth() > 1 AND NEW.%2$I IS NULL AND OLD.%2$I IS NOT NULL AND NEW.%1$I::text = OLD.%1$I::text THEN '
					'NEW.%1$I := NULL; ELSIF NEW.%2$I IS NULL OR TG_OP = ''INSERT'' OR NEW.%1$I::text IS DISTINCT FROM OLD.%1$I::text THEN '
					'NEW.%2$I := CASE WHEN NEW.%1$I IS NULL THEN NULL %3$sELSE (SELECT k.%4$I FROM %5$s k WHERE k.%6$I %7$s NEW.%1$I::%8$s) END; END IF; ',
					r.cols[j], CASE i WHEN 1 THEN r.twins[j] ELSE left(next_prefix || r.cols[j], 63) END,
					CASE WHEN r.tab = root THEN format('WHEN NEW.%I %s NEW.%I THEN NEW.%I ', r.cols[j], CASE i WHEN 1 THEN k.equal ELSE '=' END, k.col,
						CASE i WHEN 1 THEN k.twin ELSE left(next_prefix || k.col, 63) END) END,
					CASE i WHEN 1 THEN k.twin ELSE left(next_prefix || k.col, 63) END, tab, k.col,
					CASE i WHEN 1 THEN k.equal ELSE '=' END, CASE i WHEN 1 THEN k.key_type ELSE twin_type END);
			END LOOP;
			body := format('CREATE OR REPLACE FUNCTION %s() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS %L; ',
				t, 'BEGIN ' || body || 'RETURN NEW; END');
			IF i = 1 THEN
				step := step + 1;
				-- as the owner of the keys, whoever runs this
				statement := format('DO %L', format(brief, body || format('ALTER FUNCTION %2$s() OWNER TO %3$s; CREATE OR REPLACE TRIGGER uuid_rekey_ref BEFORE INSERT OR UPDATE ON %1$s '
					'FOR EACH ROW EXECUTE FUNCTION %2$s(); REVOKE ALL ON FUNCTION %2$s() FROM PUBLIC%4$s;', r.tab, t, (SELECT relowner::regrole FROM pg_class WHERE oid = root),
					(SELECT string_agg(DISTINCT ', ' || grantee::regrole, '') FROM pg_default_acl, aclexplode(defaclacl) WHERE defaclobjtype = 'f' AND grantee <> 0))));
				why := 'the twin in each row that is written'; done := EXISTS (SELECT FROM pg_trigger JOIN pg_proc p ON p.oid = tgfoid WHERE tgrelid = r.tab AND tgname = 'uuid_rekey_ref'
					AND NOT EXISTS (SELECT FROM unnest(r.twins) w WHERE strpos(prosrc, format('NEW.%I := ', w)) = 0)); RETURN NEXT;
				untrigger := untrigger || format('DROP TRIGGER IF EXISTS uuid_rekey_ref ON %s; DROP FUNCTION IF EXISTS %s(); ', r.tab, t);
			ELSE
				swap := swap || body;
			END IF;
		END LOOP;
	END LOOP;

	-- fill, have it checked for what is written from now on, and fill what was written meanwhile
	FOR i IN 1 .. 3 LOOP
		filled := true;
		FOR c IN EXECUTE format('SELECT *, (''uuid_rekey_'' || col)::name AS filled FROM %s.uuidnew_rekey_columns($1)', own) USING tab LOOP
			SELECT convalidated INTO done FROM pg_constraint WHERE conrelid = c.tab AND conname = c.filled; filled := filled AND coalesce(done, false);
			CONTINUE WHEN i = 1; step := step + 1;
			IF i = 2 THEN
				lock := moment; statement := format('DO %L', format(brief, format('ALTER TABLE %s ADD CONSTRAINT %I CHECK (%s%I IS NOT NULL) NOT VALID;', c.tab, c.filled,
					CASE WHEN c.nullable THEN format('%I IS NULL OR ', c.col) END, c.twin)
					-- found by the index of the old key
					|| CASE WHEN c.is_key AND swapped THEN format(' IF EXISTS (SELECT FROM %s WHERE %I IS NULL) THEN RAISE EXCEPTION USING '
						'ERRCODE = ''not_null_violation'', MESSAGE = %L, HINT = %L; END IF;', c.tab, c.twin, format('table %s has rows without an old key', c.tab),
						format('Give them one in column "%s", or delete them.', c.twin)) ELSE '' END));
				why := 'no row without it from now on'; done := done IS NOT NULL;
				checks := checks + 1; unchecked := unchecked || format('ALTER TABLE %s DROP CONSTRAINT %I; ', c.tab, c.filled);
			ELSE
				lock := beside; statement := format('ALTER TABLE %s VALIDATE CONSTRAINT %I', c.tab, c.filled);
				why := 'reads the table; an error says that a row is left, which refers to no row'; done := coalesce(done, false);
			END IF;
			RETURN NEXT;
		END LOOP;
		IF i < 3 THEN
			step := step + 1; lock := 'rows of a batch'; statement := format('CALL %s.uuid_rekey_fill(%L)', own, tab);
			why := CASE i WHEN 1 THEN 'all rows from before' ELSE 'rows of transactions that had begun before' END; done := filled; RETURN NEXT;
		END IF;
	END LOOP;

	IF guard IS NOT NULL AND NOT swapped THEN
		t := label || '_layout'; EXECUTE format('SELECT %s.uuid_v7_min(now(), $1)', own) USING guard;	-- is there such a layout?
		IF EXISTS (SELECT FROM pg_constraint WHERE conrelid = root AND conname = t	-- of the old key
			AND NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = root AND attname = k.twin AND attnum = ANY (conkey))) THEN t := t || '1'; END IF;
		SELECT convalidated INTO filled FROM pg_constraint WHERE conrelid = root AND conname = t;
		step := step + 1; lock := moment;
		statement := format('DO %L', format(brief, format('ALTER TABLE %s ADD CONSTRAINT %I CHECK (%s.%s(%I)) NOT VALID;', tab, t, own, CASE lower(guard) WHEN 'rfc9562' THEN 'uuidv7_is' ELSE 'uuid_v7_is' END, k.twin)));
		why := 'the guard'; done := filled IS NOT NULL; RETURN NEXT; step := step + 1; lock := beside;
		statement := format('ALTER TABLE %s VALIDATE CONSTRAINT %I', tab, t); done := coalesce(filled, false); RETURN NEXT;
	END IF;

	-- indexes, and one of the old key, by which it can be looked up after the swap
	FOR r IN
		SELECT i.indexrelid, i.indrelid, i.indisunique, x.relname AS name, n.nspname, con.oid AS conoid, con.conname, con.contype, con.condeferrable, con.condeferred,
			v.keep, w.twin, d.def, b.indexrelid AS built, coalesce(b.indisvalid, false) AS valid
		FROM jsonb_object_keys(cols) t JOIN pg_index i ON i.indrelid = t::oid JOIN pg_class x ON x.oid = i.indexrelid
			JOIN pg_namespace n ON n.oid = x.relnamespace
			LEFT JOIN pg_constraint con ON con.conindid = i.indexrelid AND con.contype IN ('p', 'u') AND con.conrelid = i.indrelid
			CROSS JOIN (VALUES (false), (true)) v(keep)
			CROSS JOIN LATERAL (SELECT CASE WHEN octet_length(x.relname::text) > 57 THEN md5(x.relname) ELSE x.relname END || CASE WHEN v.keep THEN '_keep' ELSE '_rekey' END) w(twin)
			CROSS JOIN LATERAL (SELECT substr(def, strpos(def, format(' ON %s USING ', i.indrelid::regclass)) + length(format(' ON %s', i.indrelid::regclass)))
				FROM pg_get_indexdef(i.indexrelid) def) d(def)
			LEFT JOIN (pg_class bx JOIN pg_index b ON b.indexrelid = bx.oid) ON bx.relnamespace = x.relnamespace AND bx.relname = w.twin
		WHERE EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = i.indrelid AND cols -> t -> 'cols' ? a.attname
				AND (a.attnum = ANY (i.indkey) OR EXISTS (SELECT FROM pg_depend	-- in an expression
					WHERE classid = 'pg_class'::regclass AND objid = i.indexrelid AND refobjid = a.attrelid AND refobjsubid = a.attnum)))
			AND (NOT v.keep OR NOT swapped AND con.contype = 'p' AND i.indrelid = root) AND x.relname IS DISTINCT FROM (
				SELECT CASE WHEN octet_length(conname::text) > 57 THEN md5(conname) ELSE conname END || '_keep' FROM pg_constraint WHERE conrelid = root AND contype = 'p')
		ORDER BY i.indexrelid, v.keep
	LOOP
		IF r.built IS NOT NULL AND NOT r.valid THEN
			step := step + 1; lock := beside; statement := format('DROP INDEX CONCURRENTLY %s', r.built::regclass);
			why := 'its creation was interrupted'; done := false; RETURN NEXT;
		END IF;
		step := step + 1; lock := beside;
		EXECUTE format('SELECT %s.uuidnew_rekey_renamed($1, $2)', own) INTO t USING r.def, CASE WHEN NOT r.keep THEN cols -> r.indrelid::text END;
		statement := format('CREATE %sINDEX CONCURRENTLY %I ON %s%s', CASE WHEN r.indisunique THEN 'UNIQUE ' END, r.twin, r.indrelid::regclass, t);
		why := CASE WHEN r.keep THEN 'the old key can be looked up after the swap' ELSE format('the twin of index %I', r.name) END; done := r.valid; RETURN NEXT;
		IF r.keep THEN
			add_keys := add_keys || format('ALTER INDEX %I.%I RENAME TO %I; ', r.nspname, r.twin, CASE WHEN octet_length(r.name::text) > 57 THEN md5(r.name) ELSE r.name END || '_rekey');
			drop_twins := drop_twins || format('DROP INDEX IF EXISTS %I.%I; ', r.nspname, r.twin);
		ELSIF r.conname IS NOT NULL THEN
			drop_keys := drop_keys || format('ALTER TABLE %s DROP CONSTRAINT %I; ', r.indrelid::regclass, r.conname);
			add_keys := add_keys || format('ALTER TABLE %s ADD CONSTRAINT %I %s USING INDEX %I%s%s; COMMENT ON CONSTRAINT %2$I ON %1$s IS %7$L; ', r.indrelid::regclass, r.conname,
				CASE r.contype WHEN 'p' THEN 'PRIMARY KEY' ELSE 'UNIQUE' END, r.twin,
				CASE WHEN r.condeferrable THEN ' DEFERRABLE' END, CASE WHEN r.condeferred THEN ' INITIALLY DEFERRED' END, obj_description(r.conoid, 'pg_constraint'));
		ELSE
			add_keys := add_keys || format('ALTER INDEX %1$I.%2$I RENAME TO uuid_rekey_swap; ALTER INDEX %1$I.%3$I RENAME TO %2$I; '
				'ALTER INDEX %1$I.uuid_rekey_swap RENAME TO %3$I; COMMENT ON INDEX %1$I.%2$I IS %4$L; ', r.nspname, r.name, r.twin, obj_description(r.indexrelid, 'pg_class'));
		END IF;
	END LOOP;

	FOR r IN
		SELECT f.conrelid, f.conname, w.twin, m, f.confrelid, n.convalidated AS valid, obj_description(f.oid, 'pg_constraint') AS comment
		FROM pg_constraint f CROSS JOIN LATERAL (SELECT CASE WHEN octet_length(f.conname::text) > 57 THEN md5(f.conname) ELSE f.conname END || '_rekey') w(twin) LEFT JOIN pg_constraint n ON n.conrelid = f.conrelid AND n.conname = w.twin,
			LATERAL regexp_match(pg_get_constraintdef(f.oid), replace('^(FOREIGN KEY \(@\)) REFERENCES (@\(@\))(.*?)( NOT VALID)?$', '@', '(?:[^"()]|"(?:[^"]|"")*")*')) m
		WHERE f.contype = 'f' AND f.conparentid = 0 AND cols ? f.confrelid::text AND EXISTS (
			SELECT FROM pg_attribute a WHERE a.attrelid = f.confrelid AND a.attnum = ANY (f.confkey) AND cols -> f.confrelid::text -> 'cols' ? a.attname)
		ORDER BY f.oid
	LOOP
		EXECUTE format('SELECT %1$s.uuidnew_rekey_renamed($1[1], $2) || '' REFERENCES '' || %1$s.uuidnew_rekey_renamed($1[2], $3) || %1$s.uuidnew_rekey_renamed($1[3], $2)', own)
		INTO t USING r.m, cols -> r.conrelid::text, cols -> r.confrelid::text;
		step := step + 1; lock := 'SHARE ROW EXCLUSIVE on both tables, for a moment';
		statement := format('DO %L', format(brief, format('ALTER TABLE %s ADD CONSTRAINT %I %s NOT VALID;', r.conrelid::regclass, r.twin, t)));
		why := format('the twin of foreign key %I', r.conname); done := r.valid IS NOT NULL; RETURN NEXT; step := step + 1; lock := beside;
		statement := format('ALTER TABLE %s VALIDATE CONSTRAINT %I', r.conrelid::regclass, r.twin);
		why := 'reads the table'; done := coalesce(r.valid, false) OR t ~ ' NOT ENFORCED$'; RETURN NEXT;
		drop_fks := drop_fks || format('ALTER TABLE %s DROP CONSTRAINT %I; ', r.conrelid::regclass, r.conname);
		rename_fks := rename_fks || format('ALTER TABLE %1$s RENAME CONSTRAINT %2$I TO %3$I; COMMENT ON CONSTRAINT %3$I ON %1$s IS %4$L; ', r.conrelid::regclass, r.twin, r.conname, r.comment);
	END LOOP;

	-- views are made again: they follow columns, not names
	FOR r IN
		WITH RECURSIVE v(oid, depth) AS (
			SELECT w.ev_class, 1 FROM jsonb_object_keys(cols) t JOIN pg_attribute a ON a.attrelid = t::oid AND cols -> t -> 'cols' ? a.attname JOIN pg_depend d
				ON d.refclassid = 'pg_class'::regclass AND d.refobjid = a.attrelid AND d.refobjsubid = a.attnum AND d.classid = 'pg_rewrite'::regclass JOIN pg_rewrite w ON w.oid = d.objid
			UNION SELECT w.ev_class, v.depth + 1 FROM v JOIN pg_depend d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = v.oid AND d.classid = 'pg_rewrite'::regclass
				JOIN pg_rewrite w ON w.oid = d.objid AND w.ev_class <> v.oid)
		SELECT x.oid::regclass AS view, max(v.depth) AS depth, x.relowner::regrole AS owner, x.reloptions, x.relacl, x.relname, obj_description(x.oid, 'pg_class') AS comment
		FROM v JOIN pg_class x ON x.oid = v.oid GROUP BY x.oid, x.relowner, x.reloptions, x.relacl ORDER BY 2, 1
	LOOP
		views := format('DROP VIEW %s; ', r.view) || views; known := known || '|' || regexp_replace(replace(r.relname, '"', '""'), '(\W)', '\\\1', 'g');
		EXECUTE format('SELECT concat(%1$s.uuidnew_grants($1, $2), string_agg(concat(%1$s.uuidnew_grants(attacl, $2, format('' (%%I)'', attname)), format(''COMMENT ON COLUMN %%s.%%I IS %%L; '', $2, attname,
			col_description(attrelid, attnum))), '''')) FROM pg_attribute WHERE attrelid = $2::regclass AND attnum > 0', own) INTO t USING coalesce(r.relacl, acldefault('r', r.owner::oid)), r.view::text;
		views_again := views_again || format('CREATE VIEW %s%s AS %s ALTER VIEW %1$s OWNER TO %4$s; ', r.view,
				' WITH (' || array_to_string(r.reloptions, ', ') || ')', pg_get_viewdef(r.view), r.owner) || t || format('COMMENT ON VIEW %s IS %L; ', r.view, r.comment);
		rules := rules || coalesce((SELECT string_agg(x, '') FROM (
			SELECT format('ALTER VIEW %s ALTER %I SET DEFAULT %s; ', r.view, attname, pg_get_expr(adbin, adrelid)) FROM pg_attrdef JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum WHERE adrelid = r.view
			UNION ALL SELECT format('%s COMMENT ON RULE %I ON %s IS %L; ', pg_get_ruledef(oid), rulename, r.view, obj_description(oid, 'pg_rewrite')) FROM pg_rewrite WHERE ev_class = r.view AND rulename <> '_RETURN'
			UNION ALL SELECT format('%s; COMMENT ON TRIGGER %I ON %s IS %L; ', pg_get_triggerdef(oid), tgname, r.view, obj_description(oid, 'pg_trigger')) FROM pg_trigger WHERE tgrelid = r.view) o(x)), '');
	END LOOP;

	FOR c IN EXECUTE format('SELECT c.*, a.attidentity, a.atthasdef, col_description(c.tab, a.attnum) AS comment
		FROM %s.uuidnew_rekey_columns($1) c JOIN pg_attribute a ON a.attrelid = c.tab AND a.attname = c.col', own) USING tab LOOP
		tables := tables || CASE WHEN c.tab::text <> ALL (tables) THEN ARRAY[c.tab::text] END; t := left(next_prefix || c.col, 63);
		rename := rename || format('ALTER TABLE %1$s RENAME COLUMN %2$I TO %4$I; ALTER TABLE %1$s RENAME COLUMN %3$I TO %2$I; ', c.tab, c.col, c.twin, t)
			|| CASE WHEN NOT c.nullable THEN format('ALTER TABLE %s ALTER COLUMN %I SET NOT NULL; ', c.tab, c.col) ELSE '' END
			-- a default goes on making old keys, so that the swap can be undone
			|| CASE WHEN c.attidentity = '' AND NOT (c.is_key AND c.atthasdef AND NOT swapped) THEN format('ALTER TABLE %s ALTER COLUMN %I DROP NOT NULL; ', c.tab, t) ELSE '' END
			|| format('COMMENT ON COLUMN %1$s.%2$I IS %3$L; COMMENT ON COLUMN %1$s.%4$I IS %5$L; ', c.tab, c.col, c.comment, t, 'uuid_rekey_steps: the twin of a key');
	END LOOP;
	key_words := regexp_replace(k.col, '(\W)', '\\\1', 'g'); late := format('%I.%I', here, 'uuid_rekey_' || label || '_late');
	body := CASE WHEN swapped THEN format('DROP TRIGGER IF EXISTS uuid_rekey_late_update ON %1$s; DROP TRIGGER IF EXISTS uuid_rekey_late_delete ON %1$s; DROP FUNCTION IF EXISTS %2$s(); ', tab, late)
		WHEN k.key_type !~ '^(uuid|text|char)' OR k.key_type <> 'uuid' AND new_key ~ ('\m' || key_words || '\M') THEN ''	-- an old key is no uuid, or becomes one
		ELSE format('CREATE OR REPLACE FUNCTION %2$s() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS %3$L; ALTER FUNCTION %2$s() OWNER TO %4$s; '
			'CREATE TRIGGER uuid_rekey_late_update AFTER UPDATE ON %1$s REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION %2$s(); '
			'CREATE TRIGGER uuid_rekey_late_delete AFTER DELETE ON %1$s REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION %2$s(); ', tab, late,
			-- said of this table, or a view of it: foreign keys of others write to it too
			format('BEGIN IF NOT EXISTS (SELECT FROM touched) AND current_query() ~* (TG_OP || %L) THEN RAISE EXCEPTION USING ERRCODE = ''no_data_found'', '
				'MESSAGE = %L, HINT = %L; END IF; RETURN NULL; END', format('\s+(?:from\s+)?(?:only\s+)?(?:(?:"(?:[^"]|"")+"|\w+)\s*\.\s*)?"?(%s)"?(?!\w)(?:\s+(?:as\s+)?"?(\w+))?'
					'.*(?:[^\w."]"?|\m(?:\1|\2)"?\s*\.\s*"?)%s"?\s*(?:=|in\M)', known, key_words),	-- not of another table
				format('no row of table %s has this key', tab), format('Its keys have changed: the old ones are in column "%s".', left('old_' || k.col, 63))),
				(SELECT relowner::regrole FROM pg_class WHERE oid = root)) END;
	step := step + 1; phase := CASE WHEN swapped THEN 'undo' ELSE 'swap' END; lock := 'ACCESS EXCLUSIVE on all of the tables, for a moment'; why := 'exchanges the names; reads no row';
	statement := format('DO %L', format(brief, refusal || format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE; IF (SELECT pg_catalog.count(*) FILTER (WHERE conname OPERATOR(pg_catalog.^@) ''uuid_rekey_'' AND convalidated) '
		'OPERATOR(pg_catalog.<>) %s OR pg_catalog.bool_or(conname OPERATOR(pg_catalog.~) ''_rekey$'' AND NOT convalidated AND pg_catalog.to_jsonb(x) OPERATOR(pg_catalog.->>) ''conenforced'' IS DISTINCT FROM ''false'') '
		'FROM pg_catalog.pg_constraint x WHERE conrelid OPERATOR(pg_catalog.=) ANY (%L::pg_catalog.regclass[])) OR EXISTS (SELECT FROM pg_catalog.pg_index JOIN pg_catalog.pg_class c '
		'ON c.oid OPERATOR(pg_catalog.=) indexrelid WHERE indrelid OPERATOR(pg_catalog.=) ANY (%3$L::pg_catalog.regclass[]) AND relname OPERATOR(pg_catalog.~) ''_rekey$'' AND NOT indisvalid) '
		'THEN RAISE ''run the steps before''; END IF; ', array_to_string(tables, ', '), checks, tables) || views || drop_fks || drop_keys || rename
		|| CASE WHEN new_default IS NOT NULL AND NOT swapped THEN format('ALTER TABLE %s ALTER COLUMN %I SET DEFAULT %s; ', tab, k.col, new_default) ELSE '' END
		|| unchecked || add_keys || rename_fks || swap || body || views_again || rules));
	done := false; RETURN NEXT;

	step := step + 1; phase := CASE WHEN swapped THEN 'finish' ELSE 'undo' END; why := CASE WHEN swapped THEN 'drops the old columns: no way leads back' ELSE 'drops the twins' END;
	statement := format('DO %L', format(brief, format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE; ', array_to_string(tables, ', ')) || untrigger || CASE WHEN swapped THEN body ELSE '' END || drop_twins));
	done := NOT k.has_twin; RETURN NEXT;
END $$;
COMMENT ON FUNCTION uuid_rekey_steps(regclass, text, text, text, regprocedure) IS 'statements that give a table new keys, and the tables that refer to it: with the lock of each, why, and whether it is done';

CREATE PROCEDURE uuid_rekey_fill(tab regclass, batch_pages int DEFAULT 100, max_lag bigint DEFAULT NULL, max_dead bigint DEFAULT NULL,
	max_rows bigint DEFAULT NULL, pause interval DEFAULT '0', uuid_min regprocedure DEFAULT 'uuid_v7_min(timestamptz, text)'::regprocedure)
LANGUAGE plpgsql AS $$
DECLARE
	c pg_catalog.record; pages pg_catalog.int8; page pg_catalog.int8; n pg_catalog.int8; filled pg_catalog.int8;
	total pg_catalog.int8 := 0; began pg_catalog.timestamptz; since pg_catalog.int8; rate pg_catalog.int8; remaining pg_catalog.interval; told pg_catalog.timestamptz := pg_catalog.clock_timestamp();
	name pg_catalog.text; lag pg_catalog.int8; dead pg_catalog.int8; state pg_catalog.text;
BEGIN
	PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
	IF batch_pages < 1 OR batch_pages IS NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'batch_pages must be at least 1';
	END IF;
	IF max_lag IS NOT NULL AND NOT pg_has_role('pg_read_all_stats', 'USAGE') THEN
		RAISE EXCEPTION USING ERRCODE = 'insufficient_privilege', MESSAGE = 'permission denied to see how far replicas are behind, as max_lag needs',
			HINT = 'Be granted the role pg_read_all_stats, or leave max_lag out.';
	END IF;
	-- a table that refers to itself is gone through twice, as a reference finds only keys that are there
	FOR c IN EXECUTE format('SELECT tab, is_key, string_agg(format(''%%I = NULL'', twin), '', '') AS setting,
			string_agg(CASE WHEN is_key THEN '''' ELSE format(''%%I IS NOT NULL AND '', col) END || format(''%%I IS NULL'', twin), '' OR '') AS missing
		FROM %s.uuidnew_rekey_columns($1) WHERE NOT (is_key AND twin ^@ ''old_'') GROUP BY tab, is_key ORDER BY is_key DESC, tab',
		(SELECT pronamespace::regnamespace FROM pg_proc WHERE oid = uuid_min)) USING tab
	LOOP
		page := 0; filled := 0; rate := 0; remaining := NULL; name := c.tab;
		pages := pg_relation_size(c.tab) / current_setting('block_size')::int8;	-- what is written later has its twin
		WHILE page < pages LOOP
			began := CASE WHEN filled > 0 THEN began ELSE clock_timestamp() END; since := CASE WHEN filled > 0 THEN since ELSE page END;	-- what is filled already takes no time
			state := format('uuid_rekey %s %s %s %s %s %s', c.tab::oid, page, pages, filled, rate, extract(epoch FROM remaining)::int8);
			LOOP
				PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
				PERFORM set_config('application_name', state, true);	-- seen by uuid_rekey_progress
				lag := (SELECT max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)) FROM pg_stat_replication); dead := pg_stat_get_dead_tuples(c.tab);
				EXIT WHEN coalesce(lag <= max_lag, true) AND coalesce(dead <= max_dead, true);
				RAISE NOTICE 'waiting for %', CASE WHEN lag > max_lag THEN format('a replica, which is %s behind', pg_size_pretty(lag))
					ELSE format('autovacuum: %s has %s dead rows', c.tab, dead) END;
				PERFORM pg_sleep(1); COMMIT;
			END LOOP;
			EXECUTE format('UPDATE ONLY %1$s SET %2$s WHERE ctid = ANY (ARRAY(SELECT ctid FROM ONLY %1$s WHERE ctid >= %3$L AND ctid < %4$L AND (%5$s) FOR NO KEY UPDATE SKIP LOCKED))',
				c.tab, c.setting, format('(%s,0)', page), format('(%s,0)', page + batch_pages), c.missing);	-- waits for nobody, so that nobody is ended
			GET DIAGNOSTICS n = ROW_COUNT; page := least(page + batch_pages, pages);
			filled := filled + n; total := total + n; rate := filled / greatest(extract(epoch FROM clock_timestamp() - began), 0.001);
			remaining := CASE WHEN filled > 0 THEN (clock_timestamp() - began) * ((pages - page)::float8 / (page - since)) END;
			IF clock_timestamp() - told >= '1 s' OR page = pages THEN
				RAISE NOTICE '%: % rows filled, % %% of its pages, % rows/s, % left', name, filled, 100 * page / pages, rate, coalesce(date_trunc('second', remaining)::text, '?');
				told := clock_timestamp();
			END IF;
			COMMIT;
			PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
			IF total >= least(max_rows, max_dead) THEN	-- statistics are sent when a call ends
				RAISE NOTICE '% rows filled: call it again to go on', total; RETURN;
			END IF;
			PERFORM set_config('application_name', state, true), pg_sleep(extract(epoch FROM pause)::float8);
		END LOOP;
	END LOOP;
END $$;
COMMENT ON PROCEDURE uuid_rekey_fill(regclass, int, bigint, bigint, bigint, interval, regprocedure) IS 'fills the twins of a table''s key and of what refers to it, in batches that are committed; call it again after an interruption';

CREATE FUNCTION uuid_rekey_progress()
RETURNS TABLE (pid int, tab regclass, pages_done bigint, pages bigint, percent numeric, rows_filled bigint, rows_per_second numeric, remaining interval)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
SELECT a.pid, c.oid::regclass, w[3]::bigint, w[4]::bigint, round(100 * w[3]::numeric / w[4]::numeric, 1), w[5]::bigint, w[6]::numeric, nullif(w[7], '')::int * interval '1 s'
FROM pg_stat_activity a, string_to_array(application_name, ' ') w JOIN pg_class c ON c.oid::text = w[2]	-- anyone can set such a name
WHERE datname = current_database() AND application_name ~ '^uuid_rekey \d+ \d{1,10} [1-9]\d{0,9} \d{1,15} \d{1,15} \d{0,9}$'
$$;
COMMENT ON FUNCTION uuid_rekey_progress() IS 'sessions that are in uuid_rekey_fill, and how far they are';

CREATE FUNCTION uuid_rekey_check(tab regclass, new_key text,
	uuid_min regprocedure DEFAULT 'uuid_v7_min(timestamptz, text)'::regprocedure)
RETURNS TABLE (kind text, finding text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
	path CONSTANT pg_catalog.text := pg_catalog.current_setting('search_path'); own pg_catalog.text; query pg_catalog.text;
	c pg_catalog.record; pages pg_catalog.int8; page pg_catalog.int8 := 0; keys pg_catalog.uuid[]; olds pg_catalog.text[];
	rows pg_catalog.int8 := 0; missing pg_catalog.text[] := '{}'; failed pg_catalog.text[] := '{}';
	layouts pg_catalog.text[] := '{}'; seen pg_catalog.text[]; first pg_catalog.timestamptz; last pg_catalog.timestamptz;
	early pg_catalog.timestamptz; late pg_catalog.timestamptz; n pg_catalog.int8; key pg_catalog.name; since pg_catalog.tid;
	until pg_catalog.tid; began pg_catalog.timestamptz := pg_catalog.clock_timestamp();
BEGIN
	PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
	own := (SELECT pronamespace::regnamespace FROM pg_proc WHERE oid = uuid_min);
	RETURN QUERY EXECUTE format('SELECT ''obstacle'', o FROM (SELECT jsonb_object_agg(tab::oid, jsonb_build_object(''cols'', cols, ''twins'', cols, ''new_key'', CASE WHEN tab = $1 THEN $2 END)) AS cols
		FROM (SELECT tab, array_agg(col) AS cols FROM %1$s.uuidnew_rekey_columns($1) GROUP BY tab) t) c, %1$s.uuidnew_rekey_obstacles(c.cols) o', own) USING tab, new_key;

	-- The expression is the caller's, and finds names as the caller does.  Where it fails, the rows
	-- of these pages are looked at one by one.
	key := (SELECT attname FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1] WHERE conrelid = tab AND contype = 'p');
	query := format('SELECT pg_catalog.array_agg((%s)::pg_catalog.uuid), pg_catalog.array_agg(%I::pg_catalog.text) FROM ONLY %s '
		'WHERE ctid OPERATOR(pg_catalog.>=) $1 AND ctid OPERATOR(pg_catalog.<) $2', new_key, key, tab);
	pages := pg_relation_size(tab) / current_setting('block_size')::int8;
	WHILE page < pages LOOP
		BEGIN
			since := format('(%s,0)', page); until := format('(%s,0)', page + 100); PERFORM set_config('search_path', path, true);
			EXECUTE query INTO keys, olds USING since, until;
			PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true); rows := rows + coalesce(cardinality(keys), 0);
			EXECUTE format('SELECT array_agg(DISTINCT l), min(ts), max(ts), array_agg(old) FILTER (WHERE key IS NULL) FROM unnest($1, $2) u(key, old),
				LATERAL (SELECT %1$s.uuid_v7_layout(key) AS l, CASE %1$s.uuid_v7_layout(key) WHEN ''rfc9562'' THEN %1$s.uuidv7_timestamp(key)
					WHEN ''draft'' THEN %1$s.uuid_v7_timestamp(key) END AS ts) r', own) INTO seen, early, late, olds USING keys, olds;
			layouts := ARRAY(SELECT DISTINCT l FROM unnest(layouts || seen) l WHERE l IS NOT NULL ORDER BY l);
			first := least(first, early); last := greatest(last, late); missing := (missing || olds)[1:10];
		EXCEPTION WHEN data_exception OR raise_exception THEN
			FOR c IN EXECUTE format('SELECT ctid AS at, %I::text AS old FROM ONLY %s WHERE ctid >= %L AND ctid < %L', key, tab, since, until) LOOP
				BEGIN
					until := format('%s,%s)', split_part(c.at::text, ',', 1), split_part(trim(')' FROM c.at::text), ',', 2)::int + 1);
					PERFORM set_config('search_path', path, true); EXECUTE query INTO keys, olds USING c.at, until;
					PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
					rows := rows + 1; missing := (missing || CASE WHEN keys[1] IS NULL THEN olds END)[1:10];
				EXCEPTION WHEN data_exception OR raise_exception THEN
					failed := (failed || format('%s, for old key %s', SQLERRM, c.old))[1:10];
				END;
			END LOOP;
		END;
		page := page + 100;
	END LOOP;
	RETURN QUERY SELECT 'error', format('the new key fails: %s', f) FROM unnest(failed) f;
	RETURN QUERY SELECT 'error', format('the new key is NULL for old key %s', m) FROM unnest(missing) m;
	IF cardinality(failed) = 0 THEN
		PERFORM set_config('search_path', path, true);
		EXECUTE pg_catalog.format('SELECT pg_catalog.count(*) FROM (SELECT FROM ONLY %s GROUP BY (%s)::pg_catalog.uuid HAVING pg_catalog.count(*) OPERATOR(pg_catalog.>) 1) d', tab, new_key) INTO n;
		PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
		RETURN QUERY SELECT 'error', format('%s new keys are the same for several rows', n) WHERE n > 0;
	END IF;
	RETURN QUERY SELECT 'error', format('the new keys are of several layouts: %s', array_to_string(layouts, ', ')) WHERE cardinality(layouts) > 1;
	RETURN QUERY SELECT 'warning', format('new keys are of the future, until %s', last) WHERE last > now();
	RETURN QUERY SELECT 'note', format('%s rows of %s, new keys of layout %s from %s to %s; computing them took %s', rows, tab,
		coalesce(layouts[1], 'unknown'), coalesce(first::text, '?'), coalesce(last::text, '?'), clock_timestamp() - began);

	FOR c IN EXECUTE format('SELECT c.*, a.attnum, a.atthasdef OR a.attidentity <> '''' AS made, k.col AS root_key FROM %1$s.uuidnew_rekey_columns($1) c JOIN pg_attribute a ON a.attrelid = c.tab AND a.attname = c.col,
		LATERAL (SELECT col FROM %1$s.uuidnew_rekey_columns($1) WHERE is_key) k', own) USING tab LOOP
		IF NOT c.is_key THEN
			EXECUTE format('SELECT count(*) FROM %s r WHERE %I IS NOT NULL AND NOT EXISTS (SELECT FROM %s k WHERE k.%I %s r.%2$I::%6$s)', c.tab, c.col, tab, c.root_key, c.equal, c.key_type) INTO n;
			RETURN QUERY SELECT CASE WHEN n > 0 THEN 'error' ELSE 'note' END, format('column "%s" of %s refers to the key%s', c.col, c.tab,
				CASE WHEN n > 0 THEN format('; %s rows to none', n) ELSE '' END);
			RETURN QUERY SELECT 'warning', format('column "%s" of %s has no index', c.col, c.tab) WHERE NOT EXISTS (SELECT FROM pg_index WHERE indrelid = c.tab AND indkey[0] = c.attnum);
		ELSIF NOT c.made THEN
			RETURN QUERY SELECT 'warning', format('column "%s" of %s has neither a default nor an identity: rows that are written after the swap have no old key, and no way leads back', c.col, c.tab);
		END IF;
		RETURN QUERY SELECT CASE contype WHEN 'c' THEN 'note' ELSE 'warning' END, format('constraint "%s" of %s %s', conname, c.tab, CASE contype WHEN 'c' THEN 'stays with the old column'
			ELSE 'is deferrable: once the triggers exist, what a row refers to has to be written first' END) FROM pg_constraint
			WHERE conrelid = c.tab AND (contype = 'c' OR contype = 'f' AND condeferrable) AND c.attnum = ANY (conkey);
		RETURN QUERY SELECT DISTINCT 'note', format('view %s is made again in the swap', r.ev_class::regclass) FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid
			WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass AND d.refobjid = c.tab AND d.refobjsubid = c.attnum;
	END LOOP;
	FOR c IN EXECUTE format('SELECT DISTINCT tab FROM %s.uuidnew_rekey_columns($1)', own) USING tab LOOP
		RETURN QUERY SELECT 'warning', format('trigger %s of %s fires for each row that is filled', tgname, c.tab) FROM pg_trigger
			WHERE tgrelid = c.tab AND NOT tgisinternal AND tgtype & 16 <> 0 AND tgname !~ '^uuid_rekey_' AND tgenabled <> 'D';
		RETURN QUERY SELECT 'warning', format('%s is published by %s: a subscriber does not get ALTER TABLE', c.tab, pubname)
			FROM pg_publication_tables WHERE format('%I.%I', schemaname, tablename) = c.tab::text;
		RETURN QUERY SELECT 'note', format('filling writes %s anew: another %s, until the table is packed, and as much WAL at least', c.tab, pg_size_pretty(pg_table_size(c.tab)));
	END LOOP;
	PERFORM set_config('search_path', path, true);
END $$;
COMMENT ON FUNCTION uuid_rekey_check(regclass, text, regprocedure) IS 'a look before re-keying, which changes nothing: obstacles, errors, warnings, notes';

CREATE FUNCTION uuid_columns(uuid_min regprocedure DEFAULT 'uuid_v7_min(timestamptz, text)'::regprocedure)
RETURNS TABLE (tab regclass, col name, type text, default_value text, guard text, keys text, index regclass, octets_per_entry numeric,
	refers_to regclass, referred_by int, problem text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	RETURN QUERY EXECUTE format($query$
		SELECT a.attrelid::regclass, a.attname, format_type(a.atttypid, a.atttypmod), pg_get_expr(d.adbin, d.adrelid), g.guard, k.keys, i.index, i.octets, f.refers, f.referred,
			nullif(concat_ws('; ',
				CASE WHEN b.type <> 'uuid'::regtype THEN 'UUIDs are stored as text' END,
				CASE WHEN k.rfc9562 AND k.draft THEN 'holds keys of both layouts of version 7' END,
				CASE WHEN g.made <> h.holds AND g.made <> 'version 4' THEN 'the default makes another layout than the keys have' END,
				(SELECT string_agg(format('generated column "%%s" reads the other layout', y.attname), '; ') FROM pg_attrdef e JOIN pg_attribute y ON y.attrelid = e.adrelid AND y.attnum = e.adnum
				WHERE e.adrelid = a.attrelid AND y.attgenerated <> '' AND pg_get_expr(e.adbin, e.adrelid) ~ format(CASE h.holds
					WHEN 'rfc9562' THEN '\muuid_v7_(timestamp|fields)\(%%1$s(\)|, ''(?!rfc9562))' WHEN 'draft' THEN '\m(uuidv7_timestamp|uuidv7_fields|uuid_extract_timestamp)\(%%1$s\)|\muuid_v7_(timestamp|fields)\(%%1$s, ''rfc9562' END,
					regexp_replace(quote_ident(a.attname), '(\W)', '\\\1', 'g'))),
				CASE WHEN g.made = 'version 4' AND (k.rfc9562 OR k.draft OR g.guard IS NOT NULL) THEN 'the default still makes version 4'
					WHEN g.made = 'version 4' AND i.is_primary THEN 'new keys are random' END,
				CASE WHEN (k.rfc9562 OR k.draft OR g.made IN ('rfc9562', 'draft')) AND g.guard IS NULL AND a.atttypid = 'uuid'::regtype THEN 'no guard' END,
				CASE WHEN f.refers IS NOT NULL AND i.index IS NULL THEN 'refers to another table, without an index' END,
				CASE WHEN s.stats IS NULL AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhparent = a.attrelid) THEN 'no statistics: ANALYZE' END), '')
		FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
			JOIN LATERAL (SELECT coalesce(nullif(typbasetype, 0), oid) FROM pg_type WHERE oid = a.atttypid) b(type) ON true
			LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
			LEFT JOIN LATERAL (SELECT coalesce(histogram_bounds::text, most_common_vals::text)::text[] AS stats FROM pg_stats
				WHERE schemaname = n.nspname AND tablename = c.relname AND attname = a.attname ORDER BY inherited DESC LIMIT 1) s ON true
			LEFT JOIN LATERAL (SELECT string_agg(format('%%s %%s %%%%', kind, round(100.0 * number / total)), ', ' ORDER BY number DESC) AS keys,
				coalesce(bool_or(kind = 'rfc9562'), false) AS rfc9562, coalesce(bool_or(kind = 'draft'), false) AS draft
				FROM (SELECT CASE WHEN substr(h, 13, 1) <> '7' THEN 'version ' || substr(h, 13, 1) WHEN h < '03' THEN 'rfc9562' ELSE 'draft' END AS kind,
					count(*) AS number, sum(count(*)) OVER () AS total
					FROM unnest(s.stats) u, LATERAL (SELECT replace(lower(u), '-', '') COLLATE "C" AS h) x
					WHERE u ~* '^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$' GROUP BY 1) z) k ON true
			LEFT JOIN LATERAL (SELECT x.indexrelid::regclass AS index, x.indisprimary AS is_primary,
				CASE WHEN ic.reltuples > 0 THEN round(pg_relation_size(ic.oid) / ic.reltuples::numeric, 1) END AS octets
				FROM pg_index x JOIN pg_class ic ON ic.oid = x.indexrelid WHERE x.indrelid = a.attrelid AND x.indkey[0] = a.attnum
				ORDER BY x.indisprimary DESC, x.indisunique DESC, x.indexrelid LIMIT 1) i ON true
			CROSS JOIN LATERAL %1$s.uuidnew_column_layout(a.attrelid, a.attnum, $1) g
			CROSS JOIN LATERAL (SELECT coalesce(g.guard, CASE WHEN k.rfc9562 AND NOT k.draft THEN 'rfc9562' WHEN k.draft AND NOT k.rfc9562 THEN 'draft' END)) h(holds)
			CROSS JOIN LATERAL (SELECT max(confrelid) FILTER (WHERE conrelid = a.attrelid AND a.attnum = ANY (conkey))::regclass,
				(count(*) FILTER (WHERE confrelid = a.attrelid AND a.attnum = ANY (confkey)))::int FROM pg_constraint
				WHERE contype = 'f' AND conparentid = 0 AND a.attrelid IN (conrelid, confrelid)) f(refers, referred)
		WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p') AND NOT c.relispartition
			AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
			AND (b.type = 'uuid'::regtype OR b.type IN ('text'::regtype, 'varchar'::regtype, 'bpchar'::regtype) AND s.stats <> '{}'
				AND (SELECT bool_and(u ~* '^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$') FROM unnest(s.stats) u))
		ORDER BY n.nspname, c.relname, a.attnum
		$query$, (SELECT pronamespace::regnamespace FROM pg_proc WHERE oid = uuid_min)) USING uuid_min;
END $$;
COMMENT ON FUNCTION uuid_columns(regprocedure) IS 'all uuid columns of the database, and texts that are UUIDs: default, guard, keys as statistics show them, index, foreign keys, and what is wrong';

-- End of what managed/uuidnew.sql has word for word.
