CREATE FUNCTION uuid_partitions(parent regclass, layout text DEFAULT NULL)
RETURNS TABLE (partition regclass, since timestamptz, until timestamptz, rows bigint, bytes bigint, lower uuid, upper uuid)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET row_security = off AS $$	-- no policy hides rows
#variable_conflict use_column
DECLARE k record; has_rows boolean;
BEGIN
	EXECUTE format('SELECT * FROM %s.uuidnew_partition_key($1, $2, NULL)', @own@) INTO k USING parent, layout;
	FOR partition, lower, upper, since, until, rows, bytes IN EXECUTE format($query$
		SELECT c.oid, nullif(b[1], 'MINVALUE')::uuid, nullif(b[2], 'MAXVALUE')::uuid, ts[1], ts[2], s.rows, s.bytes
		-- a bound written by hand may have any version
		FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid, regexp_match(pg_get_expr(c.relpartbound, c.oid),
			'^FOR VALUES FROM [(]''?([^'')]+)''?[)] TO [(]''?([^'')]+)''?[)]$') b, LATERAL (SELECT array_agg(CASE v
			WHEN 'MINVALUE' THEN '-infinity' WHEN 'MAXVALUE' THEN 'infinity' ELSE coalesce(%1$s.uuid_v7_timestamp(v::uuid, $2),
					%1$s.uuid_v7_timestamp(overlay(overlay(v PLACING '7' FROM 15) PLACING '8'
						FROM 20)::uuid, $2)) END ORDER BY nr) FROM unnest(b) WITH ORDINALITY u(v, nr)) bound(ts),
			LATERAL (SELECT coalesce(sum(CASE WHEN l.reltuples < 0 THEN pg_stat_get_live_tuples(l.oid)
				ELSE l.reltuples::bigint END), 0), coalesce(sum(pg_total_relation_size(l.oid)), 0)
				FROM pg_partition_tree(c.oid) t JOIN pg_class l ON l.oid = t.relid WHERE t.isleaf) s(rows, bytes)
		WHERE i.inhparent = $1 ORDER BY b IS NULL, b[1] <> 'MINVALUE', 2, c.relname$query$, k.own) USING parent, k.layout LOOP
		IF partition = k.rest THEN	-- the estimate cannot tell whether it is empty
			EXECUTE format('SELECT EXISTS (SELECT FROM %s)', partition) INTO has_rows;
			rows := CASE WHEN has_rows THEN greatest(rows, 1) ELSE 0 END;
		END IF;
		RETURN NEXT;
	END LOOP;
END $$;
COMMENT ON FUNCTION uuid_partitions IS 'partitions of a table by the time in its key';
