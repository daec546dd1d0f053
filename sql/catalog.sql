\set ECHO none
--
-- The objects that CREATE EXTENSION creates.  test/t/documentation.pl compares their names with
-- doc/reference.md, test/t/extension_schema.pl tests who may create the extension, and where.
--
-- The functions with names of PostgreSQL 18 are in postgresql18.sql, min and max in text_forms.sql.
\pset format unaligned
\pset tuples_only
CREATE TEMP VIEW members AS
SELECT d.classid, d.objid, p.*
FROM pg_depend d JOIN pg_extension e
	ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid
	LEFT JOIN pg_proc p ON d.classid = 'pg_proc'::regclass AND p.oid = d.objid
WHERE e.extname = 'uuidnew' AND d.deptype = 'e'
	AND coalesce(p.proname, '') NOT IN ('uuidv4', 'uuidv7', 'uuid_extract_timestamp',
		'uuid_extract_version', 'min', 'max');

\echo '-- functions that are not IMMUTABLE, STRICT, PARALLEL SAFE and NOT LEAKPROOF'
SELECT objid::regprocedure, provolatile, proisstrict, proparallel, proleakproof
FROM members
WHERE proname IS NOT NULL
	AND (provolatile, proisstrict, proparallel, proleakproof) <> ('i', true, 's', false)
ORDER BY proname COLLATE "C", pronargs, objid::regprocedure::text COLLATE "C";

\echo '-- there are no other objects, and each has a comment'
SELECT classid::regclass, count(*),
	count(obj_description(objid, classid::regclass::name)) AS commented
FROM members GROUP BY classid ORDER BY classid::regclass::text COLLATE "C";
DROP VIEW members;
