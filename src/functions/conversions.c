/*
 * conversions.c
 *	  SQL functions that convert UUIDs of versions 7 and 8, or their bits.
 */
#include "postgres.h"

#include "utils/varbit.h"

#include "keys/v47.h"
#include "keys/v7.h"
#include "call/arguments.h"

/*
 * (uuid, from_layout, to_layout) -> uuid: keeps time and order; 22023 for a
 * UUID in another layout, 22008 for a time that to_layout cannot hold
 */
PG_FUNCTION_INFO_V1(uuid_v7_convert);
Datum
uuid_v7_convert(PG_FUNCTION_ARGS)
{
	const pg_uuid_t *uuid = uuidnew_uuid_arg(fcinfo, 0, 7);
	const UuidLayout *from =
		uuidnew_find_layout(&uuidnew_v7, PG_GETARG_TEXT_PP(1), NULL, false);
	const UuidLayout *to =
		uuidnew_find_layout(&uuidnew_v7, PG_GETARG_TEXT_PP(2), NULL, false);
	pg_uuid_t  *result = palloc(sizeof(pg_uuid_t));

	/* converting a UUID twice would change its time */
	if (!layout_has(from, uuid))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("UUID %s is not in layout \"%s\"",
						uuidnew_uuid_cstring(uuid), from->name),
				 errhint("Convert only UUIDs for which uuid_v7_layout() returns '%s'.",
						 from == uuidnew_v7_rfc9562 ? "rfc9562" : "draft")));

	if (!uuidnew_v7_convert(from, to, uuid, result))
		uuidnew_time_out_of_range(to, layout_epoch(to), 0, NULL);
	PG_RETURN_UUID_P(result);
}

/* (bytea) -> uuid: 16 octets, in which version and variant are replaced */
SQL_FUNCTION(uuid_v8_from_octets,
			 return_payload(uuid_unpack((const pg_uuid_t *)
										octets_arg(fcinfo, 0, UUID_LEN,
												   "a UUID")), 8))

#define PAYLOAD_BITS	(UUID_HI_BITS + UUID_LO_BITS)

/* (bit) -> uuid: 122 bits, to which version and variant are added */
PG_FUNCTION_INFO_V1(uuid_v8_from_bits);
Datum
uuid_v8_from_bits(PG_FUNCTION_ARGS)
{
	const VarBit *bits = PG_GETARG_VARBIT_P(0);
	Bits		halves;

	if (VARBITLEN(bits) != PAYLOAD_BITS)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("bit string for UUID version 8 must have %d bits, not %d",
						PAYLOAD_BITS, VARBITLEN(bits))));
	uuid_halves((pg_uuid_t *) VARBITS(bits), &halves.high, &halves.low);
	return return_payload(bits_payload(halves), 8);
}

/* (uuid) -> bit, or NULL: the inverse */
PG_FUNCTION_INFO_V1(uuid_v8_to_bits);
Datum
uuid_v8_to_bits(PG_FUNCTION_ARGS)
{
	const pg_uuid_t *uuid = PG_GETARG_UUID_P(0);
	VarBit	   *bits;
	Bits		halves;

	if (uuid_version_of(uuid) != 8)
		PG_RETURN_NULL();
	halves = payload_bits(uuid_unpack(uuid));
	bits = palloc0(VARBITTOTALLEN(PAYLOAD_BITS));
	SET_VARSIZE(bits, VARBITTOTALLEN(PAYLOAD_BITS));
	VARBITLEN(bits) = PAYLOAD_BITS;
	uuid_from_halves(halves.high, halves.low, (pg_uuid_t *) VARBITS(bits));
	PG_RETURN_VARBIT_P(bits);
}

/* UUIDv47: (uuid, key bytea) -> uuid; no message contains the key. */
static Datum
mask_time(FunctionCallInfo fcinfo, int from, int to)
{
	const pg_uuid_t *uuid = uuidnew_uuid_arg(fcinfo, 0, from);
	const char *key = octets_arg(fcinfo, 1, V47_KEY_LEN, "UUIDv47 key");
	pg_uuid_t  *result = palloc(sizeof(pg_uuid_t));

	uuidnew_v47_mask((const uint8 *) key, uuid, to, result);
	PG_RETURN_UUID_P(result);
}

SQL_FUNCTION(uuidv47_encode, mask_time(fcinfo, 7, 4))
SQL_FUNCTION(uuidv47_decode, mask_time(fcinfo, 4, 7))
