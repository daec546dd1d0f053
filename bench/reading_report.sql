\set QUIET on
\set ON_ERROR_STOP on
\pset format unaligned
\pset fieldsep '\t'
\pset footer off
\o :results/reading.tsv
SELECT variant AS key,
	   spread(values_of(variant, 'lookup, us'), 2) AS "lookup, all in memory, µs",
	   spread(values_of(variant, 'cold lookup, us'), 2) AS "lookup after a cold start, µs",
	   spread(values_of(variant, 'cold, blocks read'), 0) AS "blocks read from disk",
	   spread(values_of(variant, 'sort, ms'), 0) AS "sort, ms",
	   spread(values_of(variant, 'merge join, ms'), 0) AS "merge join, ms",
	   quotient(values_of(variant, 'merge join, ms'),
				values_of('v4: gen_random_uuid()', 'merge join, ms'))
	   AS "merge join, ms ÷ v4's"
FROM keys ORDER BY no;
\o
