/*
 * conversions.c
 *	  The SQL functions that turn UUIDs of versions 7 and 8 into others, octets
 *	  or bits, and back.
 */
#include "postgres.h"

#include "utils/varbit.h"

#include "keys/v47.h"
#include "keys/v7.h"
#include "call/arguments.h"

/*
 * (uuid, from_layout, to_layout) -> uuid: the same time and order
 *
 * Raises 22023 for a UUID of another version or kind, 22008 for a time that
 * the other layout can't hold.
 */
PG_FUNCTION_INFO_V1(uuid_v7_convert);
Datum
uuid_v7_convert(PG_FUNCTION_ARGS)
{
	const pg_uuid_t *uuid = uuidnew_uuid_arg(fcinfo, 0, 7);
	const UuidLayout *from =
		uuidnew_find_layout(&uuidnew_v7, PG_GETARG_TEXT_PP(1), NULL);
	const UuidLayout *to =
		uuidnew_find_layout(&uuidnew_v7, PG_GETARG_TEXT_PP(2), NULL);
	pg_uuid_t  *result = palloc(sizeof(pg_uuid_t));

	/* a UUID that is converted twice would lose its time */
	if (!layout_has(from, uuid))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("UUID %s is not of layout \"%s\"",
						uuidnew_uuid_cstring(uuid), from->name),
				 errhint("Convert only UUIDs for which uuid_v7_layout() returns '%s'.",
						 from == uuidnew_v7_rfc9562 ? "rfc9562" : "draft")));

	if (!uuidnew_v7_convert(from, to, uuid, result))
		uuidnew_time_out_of_range(to, layout_epoch(to), 0, NULL);
	PG_RETURN_UUID_P(result);
}

/* (bytea) -> uuid: 16 octets of the caller's own */
PG_FUNCTION_INFO_V1(uuid_v8_from_octets);
Datum
uuid_v8_from_octets(PG_FUNCTION_ARGS)
{
	const bytea *octets = PG_GETARG_BYTEA_PP(0);
	pg_uuid_t	uuid;

	if (VARSIZE_ANY_EXHDR(octets) != UUID_LEN)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("a UUID needs %d octets, not %d",
						UUID_LEN, (int) VARSIZE_ANY_EXHDR(octets))));
	memcpy(uuid.data, VARDATA_ANY(octets), UUID_LEN);
	return return_payload(uuid_unpack(&uuid), 8);
}

#define PAYLOAD_BITS	(UUID_HI_BITS + UUID_LO_BITS)

/* (bit) -> uuid: 122 bits around version and variant */
PG_FUNCTION_INFO_V1(uuid_v8_from_bits);
Datum
uuid_v8_from_bits(PG_FUNCTION_ARGS)
{
	const VarBit *bits = PG_GETARG_VARBIT_P(0);
	pg_uuid_t	octets;
	Bits		halves;

	if (VARBITLEN(bits) != PAYLOAD_BITS)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("a UUID of version 8 has %d bits of its own, not %d",
						PAYLOAD_BITS, VARBITLEN(bits))));
	memcpy(octets.data, VARBITS(bits), UUID_LEN);
	uuid_halves(&octets, &halves.high, &halves.low);
	return return_payload(bits_payload(halves), 8);
}

/* (uuid) -> bit, or NULL: the same bits */
PG_FUNCTION_INFO_V1(uuid_v8_to_bits);
Datum
uuid_v8_to_bits(PG_FUNCTION_ARGS)
{
	const pg_uuid_t *uuid = PG_GETARG_UUID_P(0);
	VarBit	   *bits;
	Bits		halves;
	pg_uuid_t	octets;

	if (uuid_version_of(uuid) != 8)
		PG_RETURN_NULL();
	halves = payload_bits(uuid_unpack(uuid));
	uuid_from_halves(halves.high, halves.low, &octets);
	bits = palloc0(VARBITTOTALLEN(PAYLOAD_BITS));
	SET_VARSIZE(bits, VARBITTOTALLEN(PAYLOAD_BITS));
	VARBITLEN(bits) = PAYLOAD_BITS;
	memcpy(VARBITS(bits), octets.data, UUID_LEN);
	PG_RETURN_VARBIT_P(bits);
}

/*
 * UUIDv47: (uuid, key bytea) -> uuid of the other version
 *
 * Raises 22023 for a UUID of another version than from, and for a key of
 * another length, which no message shows.
 */
static Datum
mask_time(FunctionCallInfo fcinfo, int from, int to)
{
	const pg_uuid_t *uuid = uuidnew_uuid_arg(fcinfo, 0, from);
	const bytea *key = PG_GETARG_BYTEA_PP(1);
	pg_uuid_t  *result = palloc(sizeof(pg_uuid_t));

	if (VARSIZE_ANY_EXHDR(key) != V47_KEY_LEN)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("a key of UUIDv47 needs %d octets, not %d",
						V47_KEY_LEN, (int) VARSIZE_ANY_EXHDR(key))));
	uuidnew_v47_mask((const uint8 *) VARDATA_ANY(key), uuid, to, result);
	PG_RETURN_UUID_P(result);
}

SQL_FUNCTION(uuidv47_encode, mask_time(fcinfo, 7, 4))
SQL_FUNCTION(uuidv47_decode, mask_time(fcinfo, 4, 7))
