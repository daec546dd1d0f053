/*
 * fields.c
 *	  SQL functions that read all fields of a UUID.
 *
 * They return NULL for another version or kind, and for bits that do not
 * encode a time; 22023 for an unrecognized layout or a wrong epoch.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/inet.h"
#include "utils/numeric.h"

#include "keys/v6.h"
#include "keys/v7.h"
#include "call/arguments.h"

#define FIELDS_MAX_COLUMNS	5

static LayoutCache *
fields_cache(FunctionCallInfo fcinfo, const UuidFamily *family)
{
	LayoutCache *cache = fcinfo->flinfo->fn_extra;

	if (cache == NULL)
	{
		cache = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt,
									   sizeof(LayoutCache));
		cache->layout = family->default_layout;
		cache->desc = uuidnew_result_desc(fcinfo, FIELDS_MAX_COLUMNS,
										  fcinfo->flinfo->fn_mcxt);
		fcinfo->flinfo->fn_extra = cache;
	}
	return cache;
}

static Datum
numeric_datum(int64 value)
{
	return NumericGetDatum(int64_to_numeric(value));
}

/* Nanoseconds since 1970: for some layouts more than a bigint holds */
static Datum
nanoseconds_datum(TimestampTz timestamp, uint32 nanoseconds)
{
	Datum		since_2000 = DirectFunctionCall2(numeric_mul,
												 numeric_datum(timestamp),
												 numeric_datum(NSECS_PER_USEC));

	return DirectFunctionCall2(numeric_add, since_2000,
							   numeric_datum(EPOCH_POSTGRES * NSECS_PER_SEC +
											 nanoseconds));
}

StaticAssertDecl(sizeof(macaddr) == 6, "a macaddr has no padding");

/* The MAC address in a 48-bit node, or NULL for a multicast address */
static macaddr *
node_mac(uint64 node)
{
	macaddr    *mac = palloc(sizeof(macaddr));
	uint64		octets = pg_hton64(node << 16);

	memcpy(mac, &octets, sizeof(macaddr));
	return mac->a & 1 ? NULL : mac;
}

/*
 * (uuid [, layout [, epoch]]) -> timestamp, nanoseconds, sequence, node, and
 * for version 1, which is read as version 6, mac
 */
static pg_always_inline Datum
read_fields(FunctionCallInfo fcinfo, const UuidFamily *family, int version)
{
	const pg_uuid_t *uuid = PG_GETARG_UUID_P(0);
	pg_uuid_t	v6;
	LayoutCache *cache = fields_cache(fcinfo, family);
	const UuidLayout *layout = layout_arg(fcinfo, 1, family);
	Datum		values[FIELDS_MAX_COLUMNS];
	bool		nulls[FIELDS_MAX_COLUMNS] = {false};
	UuidFields	fields;

	if (version == 1)
	{
		if (uuid_version_of(uuid) != 1)
			PG_RETURN_NULL();
		uuidnew_v1_to_v6(uuid, &v6);
		uuid = &v6;
	}
	if (!uuidnew_layout_fields(layout, epoch_arg(fcinfo, 2, layout), uuid,
							   &fields))
		PG_RETURN_NULL();
	values[0] = TimestampTzGetDatum(fields.timestamp);
	values[1] = nanoseconds_datum(fields.timestamp, fields.nanoseconds);
	values[2] = Int64GetDatum(fields.sequence);
	values[3] = uuidnew_node_datum(layout, fields.node, UUID_LEN);
	if (version == 1)
	{
		values[4] = PointerGetDatum(node_mac(fields.node));
		nulls[4] = DatumGetPointer(values[4]) == NULL;
	}
	return HeapTupleGetDatum(heap_form_tuple(cache->desc, values, nulls));
}

SQL_FUNCTION(uuid_v1_fields, read_fields(fcinfo, &uuidnew_v6, 1))
SQL_FUNCTION(uuid_v6_fields, read_fields(fcinfo, &uuidnew_v6, 6))
SQL_FUNCTION(uuid_v7_fields, read_fields(fcinfo, &uuidnew_v7, 7))
SQL_FUNCTION(uuidv7_fields, read_fields(fcinfo, &uuidnew_uuidv7_family, 7))
SQL_FUNCTION(uuid_v8_fields, read_fields(fcinfo, &uuidnew_v8, 8))
