--
-- What CREATE EXTENSION makes: names, volatility, strictness, comments.
--
SELECT p.oid::regprocedure AS function, p.prorettype::regtype AS result,
	   p.provolatile AS volatile, p.proisstrict AS strict, p.proparallel AS parallel, p.proleakproof AS leakproof
FROM pg_proc p JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
	JOIN pg_extension e ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid
WHERE e.extname = 'uuidnew' ORDER BY p.proname COLLATE "C", p.pronargs, p.oid::regprocedure::text COLLATE "C";

-- nothing else, and each with a comment
SELECT d.classid::regclass, count(*), count(obj_description(d.objid, 'pg_proc')) AS commented
FROM pg_depend d JOIN pg_extension e ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid
WHERE e.extname = 'uuidnew' AND d.deptype = 'e' GROUP BY 1;

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
