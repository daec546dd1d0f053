-- A number with its noun: 1 partition, 2 partitions.
CREATE FUNCTION uuidnew_tables._counted(number bigint, noun text)
RETURNS text
LANGUAGE sql IMMUTABLE
RETURN format('%s %s%s', number, noun, CASE WHEN number <> 1 THEN 's' END);
