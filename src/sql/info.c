/*
 * info.c
 *	  uuid_info: what is certain about a UUID, likely, and only possible.
 *
 * Version and variant are certain.  For versions 1 and 6 there is one layout,
 * and for version 7 uuid_v7_layout's rule says which kind is the likely one,
 * if its time is plausible; the bits of most keys tell which of the draft's it
 * is. For all others nothing is likely: no bit tells the layouts of version 8
 * apart, and random bits may look like anything.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/xact.h"
#include "funcapi.h"
#include "utils/builtins.h"

#include "generate/machine_id.h"
#include "keys/v6.h"
#include "keys/v7.h"
#include "sql/arguments.h"
#include "sql/readings.h"

/* What UUIDs say of themselves: RFC 9562 4.1, 4.2, and 5. */

static const char *
variant_name(const pg_uuid_t *uuid)
{
	uint8		octet = uuid->data[8];

	if (octet >> 7 == 0)
		return "NCS";
	if (octet >> 6 == UUID_VARIANT_RFC)
		return "RFC 9562";
	return octet >> 5 == 6 ? "Microsoft" : "reserved";
}

static const char *
version_description(const pg_uuid_t *uuid, int version)
{
	static const char *const descriptions[] = {
		[1] = "time and node, in an order that does not sort by time",
		[2] = "DCE security",
		[3] = "MD5 hash of a name",
		[4] = "122 random bits, or what its maker put there",
		[5] = "SHA-1 hash of a name",
		[6] = "time and node, in an order that sorts by time",
		[7] = "Unix time, in one of two kinds of layout: "
		"the draft's or RFC 9562's",
		[8] = "custom: only its maker knows the layout",
	};
	pg_uuid_t	bound;

	memset(&bound, 0, sizeof(bound));
	if (memcmp(uuid, &bound, sizeof(bound)) == 0)
		return "nil UUID";
	memset(&bound, 0xFF, sizeof(bound));
	if (memcmp(uuid, &bound, sizeof(bound)) == 0)
		return "max UUID";
	if (version > 0 && version < (int) lengthof(descriptions))
		return descriptions[version];
	return "no version that RFC 9562 defines";
}

/* The time of a layout that reads one from any UUID of its version. */
static TimestampTz
time_of(const UuidLayout *layout, const pg_uuid_t *uuid)
{
	TimestampTz time = 0;
	bool		is_time PG_USED_FOR_ASSERTS_ONLY =
		layout_timestamp(layout, layout_epoch(layout), uuid, &time);

	Assert(is_time);
	return time;
}

/*
 * What is likely
 */

typedef struct Likely
{
	bool		is_likely;
	const UuidLayout *layout;	/* NULL: one of the draft's, unknown which */
	TimestampTz time;
} Likely;

/* What the bits say, if the time is one that makes sense. */
static void
set_likely(Readings *readings, Likely *likely, const char *name,
		   TimestampTz time)
{
	likely->time = time;
	likely->is_likely = time >= START_OF_1990 && time < END_OF_LIKELY;
	uuidnew_add_reading(readings, likely->is_likely ? LIKELY : POSSIBLE, name,
						time);
}

/* A key of the draft with a likely time, which all its layouts read alike. */
static void
read_draft(Readings *readings, const pg_uuid_t *uuid, Likely *likely)
{
	const char *draft = uuidnew_v7.default_layout->alias;
	StringInfoData others;
	TimestampTz time = likely->time;
	UuidFields	fields;
	uint32		looks;

	likely->layout = uuidnew_v7_tell_layout(uuid, uuidnew_machine_id,
											uuidnew_machine_id_bits, &looks);
	initStringInfo(&others);
	for (int i = 0; i < uuidnew_v7.nlayouts; i++)
	{
		const UuidLayout *layout = &uuidnew_v7.layouts[i];

		if (looks >> i & 1 && layout != likely->layout)
			appendStringInfo(&others, "%s%s", others.len > 0 ? " or " : "",
							 layout->name);
	}
	readings->n = 0;
	if (likely->layout == NULL)
	{
		uuidnew_add_reading(readings, LIKELY, others.len > 0 ?
							psprintf("%s (%s; the bits do not tell)", draft,
									 others.data) :
							psprintf("%s (a layout of another maker)", draft),
							time);
		return;
	}
	if (uuidnew_layout_fields(likely->layout, layout_epoch(likely->layout),
							  uuid, &fields))
		likely->time = fields.timestamp;
	uuidnew_add_reading(readings, LIKELY, likely->layout->name, likely->time);
	if (others.len > 0)
		uuidnew_add_reading(readings, POSSIBLE,
							psprintf("%s with another sequence and node",
									 others.data), time);
}

static void
read_v7(Readings *readings, const pg_uuid_t *uuid, Likely *likely)
{
	const UuidLayout *draft = uuidnew_v7.default_layout;
	const UuidLayout *rfc9562 = uuidnew_v7_rfc9562;

	if (v7_looks_rfc9562(uuid))
	{
		likely->layout = rfc9562;
		set_likely(readings, likely, rfc9562->name, time_of(rfc9562, uuid));
		uuidnew_add_reading(readings, POSSIBLE, draft->alias,
							time_of(draft, uuid));
	}
	else
	{
		set_likely(readings, likely, draft->alias, time_of(draft, uuid));
		if (likely->is_likely)
			read_draft(readings, uuid, likely);
		uuidnew_add_reading(readings, POSSIBLE, rfc9562->name,
							time_of(rfc9562, uuid));
	}
}

/*
 * (uuid) -> version, variant, description, layout, timestamp, sequence,
 * machine_id, node, readings
 *
 * No error for any UUID: what it does not have, or what is not likely, is
 * NULL.
 */
PG_FUNCTION_INFO_V1(uuid_info);
Datum
uuid_info(PG_FUNCTION_ARGS)
{
	pg_uuid_t	uuid = *PG_GETARG_UUID_P(0);
	pg_uuid_t	sorted = uuid;	/* version 1 in the order of version 6 */
	int			version = uuid_version_of(&uuid);
	int			bits = uuidnew_machine_id_bits;
	Readings	readings;
	Likely		likely = {false};
	Datum		values[9] = {0};
	bool		nulls[9];
	TupleDesc	row = uuidnew_result_desc(fcinfo, lengthof(values),
										  CurrentMemoryContext);

	readings.tomorrow = GetCurrentTransactionStartTimestamp() + USECS_PER_DAY;
	readings.n = readings.guesses = 0;
	memset(nulls, true, sizeof(nulls));

	if (version >= 0)
		SET_VALUE(0, Int32GetDatum(version));
	SET_VALUE(1, CStringGetTextDatum(variant_name(&uuid)));
	SET_VALUE(2, CStringGetTextDatum(version_description(&uuid, version)));

	if (version == 1)
		uuidnew_v1_to_v6(&uuid, &sorted);
	if (version == 1 || version == 6)
	{
		likely.layout = uuidnew_v6.default_layout;
		set_likely(&readings, &likely, version == 1 ? "version 1" :
				   "version 6", time_of(likely.layout, &sorted));
	}
	else if (version == 7)
		read_v7(&readings, &uuid, &likely);
	else if (version == 8)
		uuidnew_guess_v8_layout(&readings, &uuid);

	if (!likely.is_likely)
		uuidnew_guess_system(&readings, version, &uuid);
	else
	{
		const char *name = likely.layout != NULL ? likely.layout->name :
			uuidnew_v7.default_layout->alias;

		if (name != NULL)		/* versions 1 and 6 have one layout */
			SET_VALUE(3, CStringGetTextDatum(name));
		SET_VALUE(4, TimestampTzGetDatum(likely.time));
	}
	if (likely.is_likely && likely.layout != NULL)
	{
		UuidPayload payload = uuid_unpack(&sorted);
		uint64		node = payload.lo & low_bits(likely.layout->node_bits);

		SET_VALUE(5, Int64GetDatum(payload_sequence(likely.layout, payload)));
		if (bits > 0 && version != 1)
			SET_VALUE(6, Int64GetDatum(payload_machine_id(likely.layout,
														  payload, bits)));
		SET_VALUE(7, uuidnew_node_datum(likely.layout, node));
	}
	if (readings.n > 0)
		SET_VALUE(8, uuidnew_readings_text(&readings));
	return HeapTupleGetDatum(heap_form_tuple(row, values, nulls));
}
