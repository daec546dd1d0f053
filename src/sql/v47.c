/*
 * v47.c
 *	  The SQL functions that mask the time of version 7, and bring it back.
 */
#include "postgres.h"

#include "keys/v47.h"
#include "sql/arguments.h"

/*
 * (uuid, key bytea) -> uuid of the other version
 *
 * Raises 22023 for a UUID of another version than from, and for a key of
 * another length, which no message shows.
 */
static Datum
mask_time(FunctionCallInfo fcinfo, int from, int to)
{
	const pg_uuid_t *uuid = uuidnew_uuid_arg(fcinfo, 0, from);
	const bytea *key = PG_GETARG_BYTEA_PP(1);
	const uint8 *octets = (const uint8 *) VARDATA_ANY(key);
	pg_uuid_t  *result = palloc(sizeof(pg_uuid_t));

	if (VARSIZE_ANY_EXHDR(key) != V47_KEY_LEN)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("a key of UUIDv47 needs %d octets, not %d",
						V47_KEY_LEN, (int) VARSIZE_ANY_EXHDR(key))));
	uuidnew_v47_mask(uuidnew_v47_key(octets), uuid, to, result);
	PG_RETURN_UUID_P(result);
}

SQL_FUNCTION(uuidv47_encode, mask_time(fcinfo, 7, 4))
SQL_FUNCTION(uuidv47_decode, mask_time(fcinfo, 4, 7))
