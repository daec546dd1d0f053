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

/* A layout and the time in it, if that makes sense */
typedef struct Finding
{
	bool		found;
	const UuidLayout *layout;	/* NULL: one of the draft's, unknown which */
	TimestampTz time;
} Finding;

static void
find_time(Readings *readings, Finding *finding, const char *name,
		  TimestampTz time)
{
	finding->time = time;
	finding->found = time >= START_OF_1990 && time < END_OF_LIKELY;
	uuidnew_add_reading(readings, finding->found ? LIKELY : POSSIBLE, name,
						time);
}

/* A key of the draft with a likely time, which all its layouts read alike. */
static void
read_draft(Readings *readings, const pg_uuid_t *uuid, Finding *finding)
{
	const char *draft = uuidnew_v7.default_layout->alias;
	StringInfoData others;
	TimestampTz time = finding->time;
	UuidFields	fields;
	uint32		looks;

	finding->layout = uuidnew_v7_tell_layout(uuid, uuidnew_machine_id,
											 uuidnew_machine_id_bits, &looks);
	initStringInfo(&others);
	for (int i = 0; i < uuidnew_v7.nlayouts; i++)
	{
		const UuidLayout *layout = &uuidnew_v7.layouts[i];

		if (looks >> i & 1 && layout != finding->layout)
			appendStringInfo(&others, "%s%s", others.len > 0 ? " or " : "",
							 layout->name);
	}
	readings->n = 0;
	if (finding->layout == NULL)
	{
		uuidnew_add_reading(readings, LIKELY, others.len > 0 ?
							psprintf("%s (%s; the bits do not tell)", draft,
									 others.data) :
							psprintf("%s (a layout of another maker)", draft),
							time);
		return;
	}
	if (uuidnew_layout_fields(finding->layout, layout_epoch(finding->layout),
							  uuid, &fields))
		finding->time = fields.timestamp;
	uuidnew_add_reading(readings, LIKELY, finding->layout->name, finding->time);
	if (others.len > 0)
		uuidnew_add_reading(readings, POSSIBLE,
							psprintf("%s with another sequence and node",
									 others.data), time);
}

static void
read_v7(Readings *readings, const pg_uuid_t *uuid, Finding *finding)
{
	const UuidLayout *draft = uuidnew_v7.default_layout;
	const UuidLayout *rfc9562 = uuidnew_v7_rfc9562;

	if (v7_looks_rfc9562(uuid))
	{
		finding->layout = rfc9562;
		find_time(readings, finding, rfc9562->name, time_of(rfc9562, uuid));
		uuidnew_add_reading(readings, POSSIBLE, draft->alias,
							time_of(draft, uuid));
	}
	else
	{
		find_time(readings, finding, draft->alias, time_of(draft, uuid));
		if (finding->found)
			read_draft(readings, uuid, finding);
		uuidnew_add_reading(readings, POSSIBLE, rfc9562->name,
							time_of(rfc9562, uuid));
	}
}

/* The likely layout of a UUID, and all readings */
static void
read_uuid(Readings *readings, int version, const pg_uuid_t *uuid,
		  Finding *finding)
{
	if (version == 1 || version == 6)
		finding->layout = uuidnew_v6.default_layout;
	if (version == 1)
		find_time(readings, finding, "version 1", uuidnew_v1_timestamp(uuid));
	else if (version == 6)
		find_time(readings, finding, "version 6",
				  time_of(finding->layout, uuid));
	else if (version == 7)
		read_v7(readings, uuid, finding);
	else if (version == 8)
		uuidnew_guess_v8_layout(readings, uuid);
	if (!finding->found)
		uuidnew_guess_system(readings, version, uuid);
}

/* The columns, in the order of the SQL function's */
enum
{
	VERSION, VARIANT, DESCRIPTION, LAYOUT, TIMESTAMP, SEQUENCE, MACHINE_ID,
	NODE, READINGS, INFO_COLUMNS
};

/*
 * (uuid) -> (version, ...); NULL: what a UUID does not have, or what is not
 * likely
 */
PG_FUNCTION_INFO_V1(uuid_info);
Datum
uuid_info(PG_FUNCTION_ARGS)
{
	const pg_uuid_t *uuid = PG_GETARG_UUID_P(0);
	int			version = uuid_version_of(uuid);
	int			bits = uuidnew_machine_id_bits;
	Readings	readings = {0};
	Finding		finding = {false};
	Datum		values[INFO_COLUMNS] = {0};
	bool		nulls[INFO_COLUMNS];
	TupleDesc	row = uuidnew_result_desc(fcinfo, INFO_COLUMNS,
										  CurrentMemoryContext);

	memset(nulls, true, sizeof(nulls));
	readings.tomorrow = GetCurrentTransactionStartTimestamp() + USECS_PER_DAY;
	read_uuid(&readings, version, uuid, &finding);

	if (version >= 0)
		SET_VALUE(VERSION, Int32GetDatum(version));
	SET_VALUE(VARIANT, CStringGetTextDatum(variant_name(uuid)));
	SET_VALUE(DESCRIPTION,
			  CStringGetTextDatum(version_description(uuid, version)));
	if (finding.found)
	{
		const char *name = finding.layout != NULL ? finding.layout->name :
			uuidnew_v7.default_layout->alias;

		if (name != NULL)		/* versions 1 and 6 have one layout */
			SET_VALUE(LAYOUT, CStringGetTextDatum(name));
		SET_VALUE(TIMESTAMP, TimestampTzGetDatum(finding.time));
	}
	if (finding.found && finding.layout != NULL)
	{
		const UuidLayout *layout = finding.layout;
		UuidPayload payload = uuid_unpack(uuid);
		uint64		node = payload.lo & low_bits(layout->node_bits);

		SET_VALUE(SEQUENCE, Int64GetDatum(payload_sequence(layout, payload)));
		if (bits > 0 && version != 1)
			SET_VALUE(MACHINE_ID, Int64GetDatum(payload_machine_id(layout,
																   payload,
																   bits)));
		SET_VALUE(NODE, uuidnew_node_datum(layout, node));
	}
	if (readings.n > 0)
		SET_VALUE(READINGS, uuidnew_readings_text(&readings));
	return HeapTupleGetDatum(heap_form_tuple(row, values, nulls));
}
