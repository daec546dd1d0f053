-- Views for switching.md: what uses pg_uuidv7, defaults of keys, and functions that are no longer
-- the extension's.

-- Objects that use a function of pg_uuidv7, or of uuidnew with the same name
CREATE OR REPLACE TEMP VIEW pg_uuidv7_uses AS
SELECT pg_describe_object(classid, objid, objsubid) AS object,
       pronamespace::regnamespace AS schema, proname AS calls
FROM pg_proc p
JOIN pg_depend ON refclassid = 'pg_proc'::regclass AND refobjid = p.oid AND deptype = 'n'
WHERE proname ~ '^(uuid_generate_v7|uuid_v7_to_timestamp(tz)?|uuid_timestamp(tz)?_to_v7)$';

-- Functions whose body is a string that names such a function
CREATE OR REPLACE TEMP VIEW pg_uuidv7_bodies AS
SELECT oid::regprocedure AS function
FROM pg_proc
WHERE prosrc ~ 'uuid_generate_v7|uuid_v7_to_timestamp|uuid_timestamp(tz)?_to_v7'
    AND probin IS NULL
    AND oid NOT IN (SELECT objid FROM pg_depend WHERE deptype = 'e');

-- Each column of type uuid whose default is not uuidv7(), and the statement that sets it
CREATE OR REPLACE TEMP VIEW key_defaults AS
SELECT adrelid::regclass AS "table", attname AS "column", pg_get_expr(adbin, adrelid) AS "default",
       pronamespace::regnamespace AS schema, proowner::regrole AS owner, extname AS extension,
       format('ALTER TABLE %s ALTER %I SET DEFAULT uuidv7()', adrelid::regclass, attname)
       AS statement
FROM pg_attrdef d JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
LEFT JOIN pg_depend f ON f.classid = 'pg_attrdef'::regclass AND f.objid = d.oid
    AND f.refclassid = 'pg_proc'::regclass
LEFT JOIN pg_proc p ON p.oid = f.refobjid
LEFT JOIN pg_depend m ON m.classid = 'pg_proc'::regclass AND m.objid = p.oid AND m.deptype = 'e'
LEFT JOIN pg_extension e ON e.oid = m.refobjid
WHERE atttypid = 'uuid'::regtype AND attgenerated = ''
    AND pg_get_expr(adbin, adrelid) <> 'uuidv7()';

-- Generators of the extension that CREATE OR REPLACE FUNCTION has replaced
CREATE OR REPLACE TEMP VIEW replaced_functions AS
SELECT p.oid::regprocedure AS function
FROM pg_proc p
JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
JOIN pg_extension e ON e.oid = d.refobjid
WHERE extname = 'uuidnew' AND proname ~ '^(uuidv7|uuid_generate_v\d)$' AND probin IS NULL;
