/*
 * comb_functions.c
 *	  The SQL functions of COMB GUIDs and Laravel's ordered UUIDs: see comb.c.
 *
 * Readers return NULL for another version, and for an invalid time.
 * Conversions raise 22023 for these, and for a time that the result can't
 * hold.  All raise 22023 for an unrecognized variant.
 */
#include "postgres.h"

#include "utils/builtins.h"

#include "call/arguments.h"
#include "systems/comb.h"

static const CombVariant *
variant_arg(FunctionCallInfo fcinfo, int argno)
{
	const text *name = PG_GETARG_TEXT_PP(argno);

	for (int i = 0; i < COMB_VARIANTS; i++)
	{
		if (text_is(name, uuidnew_comb_variants[i].name))
			return &uuidnew_comb_variants[i];
	}
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("unrecognized variant \"%s\" of COMB GUID", text_to_cstring(name)),
			 errhint("Valid variants are \"postgresql\", \"sql\", \"legacy\", \"oracle\".")));
}

static Datum
convert_comb(FunctionCallInfo fcinfo, int from_version,
			 const CombVariant *from, const CombVariant *to, int to_version)
{
	const pg_uuid_t *uuid = uuidnew_uuid_arg(fcinfo, 0, from_version);
	pg_uuid_t	result;

	if (!uuidnew_comb_convert(from, to, uuid, &result))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("cannot convert UUID %s from COMB variant \"%s\" to \"%s\"",
						uuidnew_uuid_cstring(uuid), from->name, to->name),
				 errdetail("The time is invalid, or not representable in the other variant.")));
	return return_payload(uuid_unpack(&result), to_version);
}

/* (uuid, variant) -> timestamptz, or NULL */
SQL_TIMESTAMP(comb_timestamp,
			  uuidnew_comb_timestamp(variant_arg(fcinfo, 1),
									 PG_GETARG_UUID_P(0), &time) &&
			  uuid_version_of(PG_GETARG_UUID_P(0)) == 4)

/* (uuid, variant [, variant]) -> uuid */
SQL_FUNCTION(comb_convert,
			 convert_comb(fcinfo, 4, variant_arg(fcinfo, 1),
						  variant_arg(fcinfo, 2), 4))
SQL_FUNCTION(comb_to_uuid,
			 convert_comb(fcinfo, 4, variant_arg(fcinfo, 1),
						  &uuidnew_comb_variants[0], 8))
SQL_FUNCTION(uuid_to_comb,
			 convert_comb(fcinfo, 8, &uuidnew_comb_variants[0],
						  variant_arg(fcinfo, 1), 4))

PG_FUNCTION_INFO_V1(ordered_uuid_timestamp);
Datum
ordered_uuid_timestamp(PG_FUNCTION_ARGS)
{
	const pg_uuid_t *uuid = PG_GETARG_UUID_P(0);
	int			version = uuid_version_of(uuid);

	if (version != 4 && version != 8)
		PG_RETURN_NULL();
	PG_RETURN_TIMESTAMPTZ(uuidnew_ordered_uuid_timestamp(uuid));
}

SQL_FUNCTION(ordered_uuid_to_uuid,
			 return_payload(uuid_unpack(uuidnew_uuid_arg(fcinfo, 0, 4)), 8))
SQL_FUNCTION(uuid_to_ordered_uuid,
			 return_payload(uuid_unpack(uuidnew_uuid_arg(fcinfo, 0, 8)), 4))
