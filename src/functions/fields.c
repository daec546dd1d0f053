/*
 * fields.c
 *	  SQL functions that read all fields of a UUID: uuid_v1_fields,
 *	  uuid_v6_fields, uuid_v7_fields, uuidv7_fields, uuid_v8_fields.
 *
 * The columns are those of the surveyed systems' _fields: first the time, and,
 * as in sid_fields, nanoseconds since 1970.  Some layouts hold times that a
 * bigint of nanoseconds does not, so they are numeric.
 *
 * NULL for another version or kind, or for bits that are no time of the
 * layout; 22023 for an unknown layout or a wrong epoch.
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

/* What a call site remembers, in fn_extra. */
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

/* Nanoseconds since 1970. */
static Datum
nanoseconds_datum(TimestampTz timestamp, uint32 nanoseconds)
{
	Datum		result;

	result = DirectFunctionCall2(numeric_add, numeric_datum(timestamp),
								 numeric_datum(EPOCH_POSTGRES *
											   USECS_PER_SEC));
	result = DirectFunctionCall2(numeric_mul, result,
								 numeric_datum(NSECS_PER_USEC));
	return DirectFunctionCall2(numeric_add, result,
							   numeric_datum(nanoseconds));
}

StaticAssertDecl(sizeof(macaddr) == 6, "a macaddr is its octets");

/* The address in a node of 48 bits, or NULL if it is one of a group. */
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
 * of version 1, whose fields are those of version 6, mac; or NULL
 */
static Datum
read_fields(FunctionCallInfo fcinfo, const UuidFamily *family,
			const pg_uuid_t *uuid)
{
	LayoutCache *cache = fields_cache(fcinfo, family);
	const UuidLayout *layout = layout_arg(fcinfo, 1, family);
	Datum		values[FIELDS_MAX_COLUMNS];
	bool		nulls[FIELDS_MAX_COLUMNS] = {false};
	UuidFields	fields;

	if (!uuidnew_layout_fields(layout, epoch_arg(fcinfo, 2, layout), uuid,
							   &fields))
		PG_RETURN_NULL();
	values[0] = TimestampTzGetDatum(fields.timestamp);
	values[1] = nanoseconds_datum(fields.timestamp, fields.nanoseconds);
	values[2] = Int64GetDatum(fields.sequence);
	values[3] = uuidnew_node_datum(layout, fields.node);
	if (cache->desc->natts > 4)
	{
		values[4] = PointerGetDatum(node_mac(fields.node));
		nulls[4] = DatumGetPointer(values[4]) == NULL;
	}
	return HeapTupleGetDatum(heap_form_tuple(cache->desc, values, nulls));
}

PG_FUNCTION_INFO_V1(uuid_v1_fields);
Datum
uuid_v1_fields(PG_FUNCTION_ARGS)
{
	const pg_uuid_t *v1 = PG_GETARG_UUID_P(0);
	pg_uuid_t	v6;

	if (uuid_version_of(v1) != 1)
		PG_RETURN_NULL();
	uuidnew_v1_to_v6(v1, &v6);
	return read_fields(fcinfo, &uuidnew_v6, &v6);
}

#define READ_FIELDS(name, family) \
	SQL_FUNCTION(name, read_fields(fcinfo, family, PG_GETARG_UUID_P(0)))

READ_FIELDS(uuid_v6_fields, &uuidnew_v6)
READ_FIELDS(uuid_v7_fields, &uuidnew_v7)
READ_FIELDS(uuidv7_fields, &uuidnew_uuidv7_family)
READ_FIELDS(uuid_v8_fields, &uuidnew_v8)
