--
-- What all parts of the benchmark share: samples, and reports of them.
--
\set QUIET on
\set ON_ERROR_STOP on
SET client_min_messages = warning;
CREATE EXTENSION uuidnew;
SELECT current_setting('server_version_num')::int >= 180000 AS has_uuidv7 \gset

-- One measured value: of a variant, at a point x (rows, clients), in a repetition.
CREATE TABLE samples (variant text, metric text, x bigint, rep int, value float8);

-- median (least - greatest)
CREATE FUNCTION spread(samples float8[], digits int) RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT CASE WHEN count(*) > 0 THEN
		format('%s (%s – %s)',
			   round(percentile_cont(0.5) WITHIN GROUP (ORDER BY s)::numeric, digits),
			   round(min(s)::numeric, digits), round(max(s)::numeric, digits)) END
	FROM unnest(samples) s WHERE s IS NOT NULL
$$;
CREATE FUNCTION median(samples float8[]) RETURNS float8 LANGUAGE sql IMMUTABLE AS
$$ SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY s) FROM unnest(samples) s $$;

-- A ratio of medians (the least – the greatest ratio of a repetition)
CREATE FUNCTION quotient(a float8[], b float8[], digits int DEFAULT 2) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
	SELECT CASE WHEN count(*) > 0 THEN
		format('%s (%s – %s)',
			   round((median(a) / nullif(median(b), 0))::numeric, digits),
			   round(min(x / nullif(y, 0))::numeric, digits),
			   round(max(x / nullif(y, 0))::numeric, digits)) END
	FROM unnest(a, b) s(x, y)
$$;

-- What is said of a target
CREATE FUNCTION is_met(figure float8, low float8, high float8) RETURNS text
LANGUAGE sql IMMUTABLE AS
$$ SELECT CASE WHEN figure BETWEEN low AND high THEN 'met' ELSE 'MISSED' END $$;

-- A variant's values, and their ratios to those of another in the same repetition.
CREATE FUNCTION values_of(v text, m text, at bigint DEFAULT 0) RETURNS float8[]
LANGUAGE sql STABLE AS
$$ SELECT array_agg(value ORDER BY rep) FROM samples WHERE (variant, metric, x) = (v, m, at) $$;
CREATE FUNCTION ratios(v text, base text, m text, at bigint DEFAULT 0) RETURNS float8[]
LANGUAGE sql STABLE AS $$
	SELECT array_agg(s.value / nullif(b.value, 0) ORDER BY rep)
	FROM samples s JOIN samples b USING (metric, x, rep)
	WHERE (s.variant, metric, x) = (v, m, at) AND b.variant = base
$$;

-- The generators that keys are compared with, as far as the server has them.
CREATE TABLE keys (no serial, variant text, type text, expression text);
INSERT INTO keys (variant, type, expression) VALUES
	('bigint identity', 'bigint', 'identity'),
	('v4: gen_random_uuid()', 'uuid', 'gen_random_uuid()'),
	('v7: uuidv7()', 'uuid', 'public.uuidv7()'),
	('v7: PostgreSQL''s uuidv7()', 'uuid', 'pg_catalog.uuidv7()');
\if :has_uuidv7
\else
DELETE FROM keys WHERE expression = 'pg_catalog.uuidv7()';
\endif

CREATE PROCEDURE create_table(k keys) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('CREATE TABLE events (id %s %s PRIMARY KEY, payload int)', k.type,
		CASE k.expression WHEN 'identity' THEN 'GENERATED ALWAYS AS IDENTITY'
			ELSE 'DEFAULT ' || k.expression END);
END $$;

-- Reports go to a file as they are: columns separated by tabs, with a header.
\pset format unaligned
\pset fieldsep '\t'
\pset footer off
