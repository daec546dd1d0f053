\set ECHO none
--
-- The objects that CREATE EXTENSION creates.  test/t/documentation.pl compares their names with
-- doc/reference.md, test/t/extension_schema.pl tests who may create the extension, and where.
--
\pset format unaligned
\pset tuples_only
-- Functions that newer versions of PostgreSQL have may be the extension's or not.
CREATE TEMP VIEW members AS
SELECT d.classid, d.objid, p.*
FROM pg_depend d JOIN pg_extension e
	ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid
	LEFT JOIN pg_proc p ON d.classid = 'pg_proc'::regclass AND p.oid = d.objid
WHERE e.extname = 'uuidnew' AND d.deptype = 'e'
	AND coalesce(p.proname, '') NOT IN ('uuidv4', 'uuidv7', 'uuid_extract_timestamp',
		'uuid_extract_version', 'min', 'max');

\echo '-- functions that are not IMMUTABLE, STRICT, PARALLEL SAFE and NOT LEAKPROOF'
SELECT provolatile, proisstrict, proparallel, proleakproof, oidvectortypes(proargtypes),
	string_agg(proname, ' ' ORDER BY proname COLLATE "C")
FROM members
WHERE (provolatile, proisstrict, proparallel, proleakproof) <> ('i', true, 's', false)
GROUP BY 1, 2, 3, 4, proargtypes ORDER BY 1, 2, 3, 4, oidvectortypes(proargtypes) COLLATE "C";

\echo '-- there are no other objects, and each has a comment'
SELECT classid::regclass, count(*),
	count(obj_description(objid, classid::regclass::name)) AS commented
FROM members GROUP BY classid ORDER BY classid::regclass::text COLLATE "C";

DROP VIEW members;

\echo '-- the aggregates min and max are created unless PostgreSQL (20 and later) has both'
SELECT to_regprocedure('pg_catalog.max(uuid)') IS NULL AS missing_in_core \gset
CREATE VIEW complete_aggregates AS
SELECT count(*)
FROM pg_aggregate JOIN pg_proc p ON p.oid = aggfnoid
	JOIN pg_depend ON classid = 'pg_proc'::regclass AND objid = p.oid AND deptype = 'e'
WHERE proname IN ('min', 'max')
	AND (provolatile, proisstrict, proparallel, proleakproof) = ('i', false, 's', false)
	AND (aggcombinefn, aggsortop::regoperator) = (aggtransfn,
		CASE proname WHEN 'min' THEN '<(uuid,uuid)' ELSE '>(uuid,uuid)' END::regoperator)
	AND obj_description(p.oid, 'pg_proc') IS NOT NULL;
SELECT count = CASE WHEN :'missing_in_core' THEN 2 ELSE 0 END AS created FROM complete_aggregates;
DROP EXTENSION uuidnew;
CREATE FUNCTION smaller(uuid, uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT AS 'SELECT least($1, $2)';
\if :missing_in_core
CREATE AGGREGATE pg_catalog.min(uuid) (SFUNC = smaller, STYPE = uuid);
CREATE AGGREGATE pg_catalog.max(uuid) (SFUNC = smaller, STYPE = uuid);
\endif
CREATE EXTENSION uuidnew;
SELECT count FROM complete_aggregates;
\if :missing_in_core
DROP EXTENSION uuidnew;
DROP AGGREGATE pg_catalog.min(uuid), pg_catalog.max(uuid);
CREATE EXTENSION uuidnew;
\endif
DROP VIEW complete_aggregates;
DROP FUNCTION smaller;
