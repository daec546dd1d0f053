-- The foreign keys that refer to a table, to one that it is a partition of, or to its default
-- partition (rest), a line each.
CREATE FUNCTION uuidnew_tables._referring(tab regclass, rest regclass)
RETURNS SETOF text
LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT format('foreign key "%s" of table %s refers to table %s: drop it, and add it again '
		'afterwards, NOT VALID, then VALIDATE it', conname, conrelid::regclass, referred)
	FROM (
		SELECT tab UNION
		SELECT relid FROM pg_partition_ancestors(tab) UNION
		SELECT relid FROM pg_partition_tree(rest)) tables(referred)
	JOIN pg_constraint ON confrelid = referred AND contype = 'f' AND conparentid = 0;
END;
