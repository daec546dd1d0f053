-- 2BP01 if there are reasons.
CREATE FUNCTION uuidnew_tables._refuse(message text, reasons text[])
RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
	IF reasons <> '{}' THEN
		RAISE dependent_objects_still_exist USING
			MESSAGE = message, DETAIL = array_to_string(reasons, E'\n'),
			HINT = CASE WHEN reasons[1] ^@ 'still to do' THEN 'Run the phase before it to its end.'
				ELSE 'Drop what stands in the way, and create it again after the swap.' END;
	END IF;
END
$$;
