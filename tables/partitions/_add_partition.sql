-- Creates one partition, and moves the rows of its range out of the default partition if asked to.
-- It is as PARTITION OF would make it, with the table's owner and replica identity. No other
-- role has a privilege, since default privileges may admit roles that the table does not.
--
-- LIKE and ATTACH take SHARE UPDATE EXCLUSIVE on the table, ACCESS EXCLUSIVE on the default
-- partition, which ATTACH reads, and SHARE ROW EXCLUSIVE on the tables that the table refers to,
-- and that refer to it. To move rows, ACCESS EXCLUSIVE on the table, its default partition and the
-- tables that refer to it, until the end of the transaction.
CREATE FUNCTION uuidnew_tables._add_partition(parent regclass, key name, rest regclass, lower uuid,
	upper uuid, suffix text, moving boolean, period text)
RETURNS text	-- what was created, in words
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
SET row_security = off
AS $$
DECLARE
	partition text;
	places jsonb;
	keys record;
	move record;
	script text;
	moved bigint;
BEGIN
	-- one session at a time
	CALL uuidnew_tables._briefly(array_remove(ARRAY[rest], NULL::regclass),
		ARRAY[format('LOCK TABLE ONLY %s IN SHARE UPDATE EXCLUSIVE MODE', parent)]);
	SELECT free_name, jsonb_build_object(
		'parent', parent,
		'partition', free_name,
		'owner', relowner::regrole,
		'identity', CASE relreplident WHEN 'd' THEN 'DEFAULT' WHEN 'n' THEN 'NOTHING'
			ELSE 'FULL' END,
		'lower', quote_literal(lower),
		'upper', quote_literal(upper))
	INTO partition, places
	FROM pg_class
	CROSS JOIN generate_series(1, 1000) number
	CROSS JOIN format('%s.%I', relnamespace::regnamespace, concat(
		-- of 63 octets
		left(relname, greatest(44 - octet_length(relname) + length(relname), 1)),
		suffix, '_' || nullif(number, 1))) free_name
	WHERE pg_class.oid = parent AND to_regclass(free_name) IS NULL
	ORDER BY number
	LIMIT 1;
	SELECT * INTO keys FROM uuidnew_tables._foreign_keys(parent, true);
	SELECT * INTO move FROM uuidnew_tables._move_statements(parent, rest, key, partition)
	WHERE moving;

	script := uuidnew_tables._fill(concat($sql$
		CREATE TABLE {partition} (LIKE {parent} INCLUDING ALL
			EXCLUDING COMMENTS EXCLUDING IDENTITY EXCLUDING INDEXES EXCLUDING STATISTICS);
		ALTER TABLE {partition} OWNER TO {owner};
		ALTER TABLE {partition} REPLICA IDENTITY {identity};
		$sql$, move.before, $sql$;
		ALTER TABLE {parent} ATTACH PARTITION {partition} FOR VALUES FROM ({lower}) TO ({upper});
		$sql$, move.after), places || coalesce(move.places, '{}'));
	CALL uuidnew_tables._briefly(coalesce(move.children, '{}'::regclass[]),
		coalesce(move.locks, keys.lock_others || array_remove(ARRAY['LOCK TABLE '
			|| rest::text || ' IN ACCESS EXCLUSIVE MODE'], NULL)) || script
		|| coalesce(move.add_all, ''));
	EXECUTE coalesce((
		SELECT string_agg(DISTINCT format('REVOKE ALL ON %s FROM %s', partition,
			coalesce(nullif(grantee, 0)::regrole::text, 'PUBLIC')), '; ')
		FROM pg_class
		CROSS JOIN aclexplode(relacl)
		WHERE oid = partition::regclass AND grantee <> relowner), '');
	EXECUTE format('SELECT count(*) FROM %s', partition) INTO moved;
	RETURN format('%s: %s%s', partition, period, CASE WHEN moved > 0 THEN format(
		', with %s from the default partition', uuidnew_tables._counted(moved, 'row'::text)) END);
END
$$;
