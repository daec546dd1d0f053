/*
 * system_functions.c
 *	  The SQL functions for IDs of other systems: arguments, NULLs and errors.
 *
 * <system>_timestamp, <system>_fields: raise 22P02 for an invalid text, 22023
 * for another invalid value, 22008 for a time that timestamptz can't hold, but
 * return NULL for a UUID.
 * <system>_to_uuid: raises the same errors, and 22008 for a time before 1970
 * or after 10889 if the UUID is of version 8.
 * uuid_to_<system>: the inverse; raises 22023 for other UUIDs.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/inet.h"

#include "keys/v7.h"
#include "functions/system_functions.h"

/* A rule is a sentence of systemlist.h, which marks it for translation. */
#define errdetail_rule(rule)	errdetail("%s", _(rule))

/* uuidnew_invalid_text - the error for a text that breaks the rule. */
void
uuidnew_invalid_text(const char *type, const char *rule, const text *value)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
			 errmsg("invalid input syntax for %s: \"%s\"", type,
					text_to_cstring(value)),
			 errdetail_rule(rule)));
}

/* An ID of its SQL type. */

static inline bool
id_from_text(const IdSystem *system, FunctionCallInfo fcinfo, Number *id)
{
	const text *value = PG_GETARG_TEXT_PP(0);

	if (unlikely(!uuidnew_id_parse(system, VARDATA_ANY(value),
								   VARSIZE_ANY_EXHDR(value), id)))
		uuidnew_invalid_text(system->name, system->rule, value);
	return true;
}

/* Every number of the right length is valid. */
static pg_always_inline bool
id_from_bytea(const IdSystem *system, FunctionCallInfo fcinfo, Number *id)
{
	int			len = system->bits / BITS_PER_BYTE;

	*id = number_from_octets(octets_arg(fcinfo, 0, len, system->name), len);
	Assert(uuidnew_id_is_valid(system, *id));
	return true;
}

static inline bool
id_from_bigint(const IdSystem *system, FunctionCallInfo fcinfo, Number *id)
{
	int64		value = PG_GETARG_INT64(0);

	*id = number_from_words(0, (uint64) value);
	if (unlikely(!uuidnew_id_is_valid(system, *id)))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid %s: " INT64_FORMAT, system->name, value),
				 errdetail_rule(system->rule)));
	return true;
}

/* Not an error, as in readers of UUID versions */
static inline bool
id_from_uuid(const IdSystem *system, FunctionCallInfo fcinfo, Number *id)
{
	*id = number_from_octets(PG_GETARG_UUID_P(0)->data, UUID_LEN);
	return uuidnew_id_is_valid(system, *id);
}

static Datum
text_from_id(const IdSystem *system, Number id)
{
	char		buffer[ID_TEXT_MAX];
	int			len = uuidnew_text_format(&system->text, id, buffer);

	PG_RETURN_TEXT_P(cstring_to_text_with_len(buffer, len));
}

static inline Datum
bigint_from_id(const IdSystem *system, Number id)
{
	PG_RETURN_INT64((int64) number_word(&id, 0));
}

/* The optional arguments: epoch, in whole milliseconds, and unit, in them */
static inline IdScale
scale_arg(FunctionCallInfo fcinfo, const IdSystem *system)
{
	IdScale		scale = system->scale;

	if (PG_NARGS() > 1)
	{
		scale.epoch = PG_GETARG_TIMESTAMPTZ(1);
		if (TIMESTAMP_NOT_FINITE(scale.epoch) ||
			scale.epoch % USECS_PER_MSEC != 0)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("epoch must be finite and a whole number of milliseconds")));
	}
	if (PG_NARGS() > 2)
	{
		int32		msec = PG_GETARG_INT32(2);

		if (msec < 1)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("unit of %d milliseconds is out of range", msec),
					 errdetail("The unit is at least 1.")));
		scale.unit = (uint64) msec * USECS_PER_MSEC;
	}
	return scale;
}

pg_noreturn static void
id_time_out_of_range(const IdSystem *system, bool in_uuid)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
			 errmsg("timestamp of %s is out of range", system->name),
			 in_uuid ?
			 errdetail("A version 8 UUID holds times from 1970-01-01 to 10889-08-02.") : 0));
}

typedef bool (*id_from) (const IdSystem *system, FunctionCallInfo fcinfo,
						 Number *id);

/* An ID and its time; false if the result is NULL. */
static pg_always_inline bool
read_id(const IdSystem *system, FunctionCallInfo fcinfo, id_from argument,
		Number *id, TimestampTz *timestamp)
{
	IdScale		scale = scale_arg(fcinfo, system);

	if (!argument(system, fcinfo, id))
		return false;
	if (uuidnew_id_timestamp(system, scale, *id, timestamp))
		return true;
	if (argument == id_from_uuid)
		return false;
	id_time_out_of_range(system, false);
}

static pg_always_inline Datum
timestamp_of(const IdSystem *system, FunctionCallInfo fcinfo, id_from argument)
{
	TimestampTz timestamp;
	Number		id;

	if (!read_id(system, fcinfo, argument, &id, &timestamp))
		PG_RETURN_NULL();
	PG_RETURN_TIMESTAMPTZ(timestamp);
}

static Datum
field_value(const IdSystem *system, Number id, IdField field, Oid type)
{
	switch (type)
	{
		case INT4OID:
			return Int32GetDatum((int32) uuidnew_id_field(system, id, field));
		case INT8OID:
			return Int64GetDatum((int64) uuidnew_id_field(system, id, field));
		case TEXTOID:
			{
				char		digits[ID_TEXT_MAX];

				uuidnew_number_format(system->text.alphabet, id, digits,
									  system->text.digits);
				PG_RETURN_TEXT_P(cstring_to_text_with_len(digits + field.first,
														  field.width));
			}
		default:
			{
				int			len = field.width / BITS_PER_BYTE;
				uint8	   *octets = palloc(len);

				Assert(type == BYTEAOID ||
					   (type == MACADDROID && len == sizeof(macaddr)));
				for (int i = 0; i < len; i++)
				{
					IdField		octet = {field.first + i * 8, 8};

					octets[i] = uuidnew_id_field(system, id, octet);
				}
				return PointerGetDatum(type == BYTEAOID ?
									   (void *) uuidnew_bytea(octets, len) :
									   octets);
			}
	}
}

/* The time and the fields, in the types that the SQL function declares. */
static Datum
fields_of(const IdSystem *system, FunctionCallInfo fcinfo, id_from argument)
{
	TupleDesc	desc = fcinfo->flinfo->fn_extra;
	Datum		values[lengthof(system->fields) + 1];
	bool		nulls[lengthof(values)] = {false};
	TimestampTz timestamp;
	Number		id;

	if (desc == NULL)
	{
		desc = uuidnew_result_desc(fcinfo, lengthof(values),
								   fcinfo->flinfo->fn_mcxt);
		fcinfo->flinfo->fn_extra = desc;
	}
	if (!read_id(system, fcinfo, argument, &id, &timestamp))
		PG_RETURN_NULL();
	values[0] = TimestampTzGetDatum(timestamp);
	for (int i = 1; i < desc->natts; i++)
		values[i] = field_value(system, id, system->fields[i - 1],
								TupleDescAttr(desc, i)->atttypid);
	return HeapTupleGetDatum(heap_form_tuple(desc, values, nulls));
}

static pg_always_inline Datum
to_uuid(const IdSystem *system, FunctionCallInfo fcinfo, id_from argument)
{
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));
	IdScale		scale = scale_arg(fcinfo, system);
	Number		id;

	if (!argument(system, fcinfo, &id))
		PG_RETURN_NULL();
	if (!uuidnew_id_to_uuid(system, scale, id, uuid))
		id_time_out_of_range(system, true);
	PG_RETURN_UUID_P(uuid);
}

static Number
id_in_uuid(const IdSystem *system, FunctionCallInfo fcinfo, IdScale scale)
{
	const pg_uuid_t *uuid = PG_GETARG_UUID_P(0);
	Number		id;

	if (!uuidnew_uuid_to_id(system, scale, uuid, &id))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("cannot convert UUID %s to %s", uuidnew_uuid_cstring(uuid), system->name),
				 system->form == ID_AS_V8 && PG_NARGS() > 1 ?
				 errhint("If it was converted from such an ID, pass the epoch used then.") : 0));
	return id;
}

#define ID_READ(name, type, timestamp, fields) \
	SQL_FUNCTION(timestamp, \
				 timestamp_of(&uuidnew_##name, fcinfo, id_from_##type)) \
	SQL_FUNCTION(fields, fields_of(&uuidnew_##name, fcinfo, id_from_##type))
#define ID_VALUE(name, type, timestamp, fields, uuid) \
	ID_READ(name, type, timestamp, fields) \
	SQL_FUNCTION(uuid, to_uuid(&uuidnew_##name, fcinfo, id_from_##type))
#define ID_BACK(name, type, function) \
	SQL_FUNCTION(function, \
				 type##_from_id(&uuidnew_##name, \
								id_in_uuid(&uuidnew_##name, fcinfo, \
										   scale_arg(fcinfo, &uuidnew_##name))))
#include "systems/systemlist.h"

/* (uuid, form) -> text */
PG_FUNCTION_INFO_V1(uuid_to_sid);
Datum
uuid_to_sid(PG_FUNCTION_ARGS)
{
	const text *name = PG_GETARG_TEXT_PP(1);
	char		buffer[ID_TEXT_MAX];

	for (int i = 0; i < SID_FORMS; i++)
	{
		const SidForm *form = &uuidnew_sid_forms[i];

		if (text_is(name, form->name))
		{
			Number		id = id_in_uuid(&uuidnew_sid, fcinfo,
										uuidnew_sid.scale);
			int			len = uuidnew_sid_format(form, id, buffer);

			PG_RETURN_TEXT_P(cstring_to_text_with_len(buffer, len));
		}
	}
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("unrecognized form \"%s\" of SID", text_to_cstring(name)),
			 errhint("Valid forms are \"decimal\", \"hex\", \"base32\", \"base64\".")));
}

/* (text) -> bytea */
PG_FUNCTION_INFO_V1(ksuid_to_bytea);
Datum
ksuid_to_bytea(PG_FUNCTION_ARGS)
{
	uint8		octets[NUMBER_OCTETS];
	Number		id;

	(void) id_from_text(&uuidnew_ksuid, fcinfo, &id);
	number_to_octets(&id, octets, NUMBER_OCTETS);
	PG_RETURN_BYTEA_P(uuidnew_bytea(octets, NUMBER_OCTETS));
}

/* (bytea) -> text */
PG_FUNCTION_INFO_V1(bytea_to_ksuid);
Datum
bytea_to_ksuid(PG_FUNCTION_ARGS)
{
	Number		id;

	(void) id_from_bytea(&uuidnew_ksuid, fcinfo, &id);
	return text_from_id(&uuidnew_ksuid, id);
}

SQL_FUNCTION(ksuid_text_to_uuid_lossy,
			 to_uuid(&uuidnew_ksuid, fcinfo, id_from_text))
SQL_FUNCTION(ksuid_bytea_to_uuid_lossy,
			 to_uuid(&uuidnew_ksuid, fcinfo, id_from_bytea))

/* (text) -> uuid of RFC 9562, with 74 of the 80 random bits */
PG_FUNCTION_INFO_V1(ulid_to_uuidv7);
Datum
ulid_to_uuidv7(PG_FUNCTION_ARGS)
{
	const UuidLayout *layout = uuidnew_v7_rfc9562;
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));
	Number		id;

	(void) id_from_text(&uuidnew_ulid, fcinfo, &id);
	number_to_octets(&id, uuid->data, UUID_LEN);
	uuid_pack(uuid_unpack(uuid), layout->version, uuid);
	if (!layout_has(layout, uuid))
		uuidnew_time_out_of_range(layout, layout_epoch(layout), 0, NULL);
	PG_RETURN_UUID_P(uuid);
}

/*
 * (timestamptz) -> uuid: the smallest ULID of that time or later, or the
 * largest of that time or earlier; nil or max for times out of range
 */
static Datum
ulid_bound(TimestampTz time, bool largest)
{
	uint64		usec = (uint64) time - (uint64) SINCE_1970(0);
	uint64		msec = (usec + (largest ? 0 : USECS_PER_MSEC - 1)) /
		USECS_PER_MSEC;
	uint64		random = largest ? PG_UINT64_MAX : 0;
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));

	if (time < SINCE_1970(0))
		uuid_from_halves(0, 0, uuid);
	else if (msec >> 48 != 0)
		uuid_from_halves(PG_UINT64_MAX, PG_UINT64_MAX, uuid);
	else
		uuid_from_halves(msec << 16 | (random & 0xFFFF), random, uuid);
	PG_RETURN_UUID_P(uuid);
}

SQL_FUNCTION(ulid_min, ulid_bound(PG_GETARG_TIMESTAMPTZ(0), false))
SQL_FUNCTION(ulid_max, ulid_bound(PG_GETARG_TIMESTAMPTZ(0), true))
