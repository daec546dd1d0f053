--
-- What CREATE EXTENSION makes: names, volatility, strictness, comments.
--
-- (without the functions with names of PostgreSQL 18, see postgresql18, and without min and max,
-- see text_forms)
\set ECHO errors
\pset format unaligned
\pset tuples_only
CREATE TEMP VIEW members AS
SELECT d.classid, d.objid, p.*
FROM pg_depend d JOIN pg_extension e ON d.refclassid = 'pg_extension'::regclass AND d.refobjid
	= e.oid
	LEFT JOIN pg_proc p ON d.classid = 'pg_proc'::regclass AND p.oid = d.objid
WHERE e.extname = 'uuidnew' AND d.deptype = 'e'
  AND coalesce(p.proname, '') NOT IN ('uuidv4', 'uuidv7', 'uuid_extract_timestamp',
	'uuid_extract_version', 'min', 'max');
SELECT objid::regprocedure AS function, prorettype::regtype AS result,
	   provolatile AS volatile, proisstrict AS strict, proparallel AS parallel,
		proleakproof AS leakproof
FROM members WHERE proname IS NOT NULL ORDER BY proname COLLATE "C", pronargs,
	objid::regprocedure::text COLLATE "C";

\echo '-- nothing else, and each with a comment'
SELECT classid::regclass, count(*),
	count(obj_description(objid, classid::regclass::name)) AS commented
FROM members GROUP BY classid ORDER BY classid::regclass::text COLLATE "C";
SELECT objid::regoperator AS operator FROM members WHERE classid = 'pg_operator'::regclass
	ORDER BY objid::regoperator::text COLLATE "C";
DROP VIEW members;

-- in any schema, moved, and called from anywhere
CREATE SCHEMA keys;
CREATE SCHEMA other;
DROP EXTENSION uuidnew;
CREATE EXTENSION uuidnew SCHEMA keys;
SELECT keys.uuid_v7_timestamp(keys.uuid_v7_min('2026-01-01')) = '2026-01-01';
ALTER EXTENSION uuidnew SET SCHEMA other;
SET search_path = '';
SELECT other.uuid_v7_timestamp(other.uuid_v7_min('2026-01-01')) = '2026-01-01';
RESET search_path;
DROP EXTENSION uuidnew;

-- by the owner of a database, who is no superuser
CREATE ROLE regress_uuidnew_owner;
GRANT CREATE ON DATABASE :"DBNAME" TO regress_uuidnew_owner;
GRANT CREATE ON SCHEMA public TO regress_uuidnew_owner;
SET ROLE regress_uuidnew_owner;
CREATE EXTENSION uuidnew;
SELECT uuid_v7_timestamp(uuid_generate_v7()) IS NOT NULL;
DROP EXTENSION uuidnew;
RESET ROLE;
DROP OWNED BY regress_uuidnew_owner;
DROP ROLE regress_uuidnew_owner;
DROP SCHEMA keys, other;
CREATE EXTENSION uuidnew;
