/*
 * info.c
 *	  uuid_info: what any UUID is, as far as its bits tell.
 *
 * A version may have several layouts, and version 4, version 8 and UUIDs of no
 * version may be IDs of other systems: nothing in the bits says which.  So each
 * reading is shown, and the one whose time is the nearest to now is taken.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/xact.h"
#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "arguments.h"
#include "comb.h"
#include "compat.h"
#include "machine_id.h"
#include "sequence.h"
#include "systems.h"
#include "v6.h"
#include "vb.h"

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
describe(const pg_uuid_t *uuid, int version)
{
	static const char *const descriptions[] = {
		[1] = "time and node, in an order that does not sort by time",
		[2] = "DCE security",
		[3] = "MD5 hash of a name",
		[4] = "122 random bits, or what its maker put there",
		[5] = "SHA-1 hash of a name",
		[6] = "time and node, in an order that sorts by time",
		[7] = "Unix time, of the draft or of RFC 9562: nothing in it says which",
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

/* One way to read a UUID. */
typedef struct Reading
{
	const char *name;
	const UuidLayout *layout;	/* NULL: of another system */
	bool		has_time;
	TimestampTz time;
	uint64		distance;		/* from now */
} Reading;

#define MAX_READINGS	40

typedef struct Readings
{
	TimestampTz now;
	int			n;
	Reading		sorted[MAX_READINGS];	/* layouts first, the nearest to now first */
} Readings;

static void
add_reading(Readings *readings, const char *name, const UuidLayout *layout,
			bool has_time, TimestampTz time)
{
	Reading		reading = {name, layout, has_time, time, PG_UINT64_MAX};
	int			i;

	if (has_time)
		reading.distance = (uint64) Max(time, readings->now) -
			(uint64) Min(time, readings->now);
	Assert(readings->n < MAX_READINGS);
	for (i = readings->n++; i > 0; i--)
	{
		const Reading *other = &readings->sorted[i - 1];

		if (other->distance <= reading.distance || (other->layout && !layout))
			break;
		readings->sorted[i] = *other;
	}
	readings->sorted[i] = reading;
}

#define START_OF_1990	SINCE_1970(INT64CONST(631152000) * USECS_PER_SEC)

/* Nothing in the bits marks such an ID, so its time has to be plausible. */
static void
add_guess(Readings *readings, const char *name, TimestampTz time)
{
	if (time >= START_OF_1990 && time <= readings->now + USECS_PER_DAY)
		add_reading(readings, name, NULL, true, time);
}

static void
add_layouts(Readings *readings, const UuidVersion *version, const pg_uuid_t *uuid)
{
	/* of readings with the same time, the default layout's comes first */
	for (int i = -1; i < version->nlayouts; i++)
	{
		const UuidLayout *layout = i < 0 ? version->default_layout : &version->layouts[i];
		TimestampTz time = 0;
		bool		has_time;

		if (i >= 0 && layout == version->default_layout)
			continue;
		has_time = layout_timestamp(layout, layout_epoch(layout), uuid, &time);
		add_reading(readings, layout->name, layout, has_time, time);
	}
}

static void
add_systems(Readings *readings, int version, const pg_uuid_t *uuid)
{
	static const IdSystem *const systems[] = {
#define ID_SYSTEM(name, ...) &uuidnew_##name,
#include "systemlist.h"
	};
	VbFields	vb;

	/* a copy of an ID looks like any UUID */
	for (int i = 0; i < (int) lengthof(systems); i++)
	{
		Number		id;
		TimestampTz time;

		if (systems[i]->form == (version == 8 ? ID_AS_V8 : ID_RAW) &&
			uuidnew_uuid_to_id(systems[i], systems[i]->scale, uuid, &id) &&
			uuidnew_id_timestamp(systems[i], systems[i]->scale, id, &time))
			add_guess(readings, systems[i]->name, time);
	}

	if (version == 4)
	{
		for (int i = 0; i < COMB_VARIANTS; i++)
		{
			TimestampTz time;

			if (uuidnew_comb_timestamp(&uuidnew_comb_variants[i], uuid, &time))
				add_guess(readings,
						  psprintf("COMB GUID, %s", uuidnew_comb_variants[i].name), time);
		}
		add_guess(readings, "ordered UUID", uuidnew_ordered_uuid_timestamp(uuid));
	}
	if (uuidnew_vb_unpack(VB_VARIABLE, uuid, &vb))
		add_guess(readings, "Locality UUID (version b)",
				  SINCE_1970((int64) vb.msec * USECS_PER_MSEC));
}

static Datum
text_of(const Readings *readings)
{
	StringInfoData lines;

	initStringInfo(&lines);
	for (int i = 0; i < readings->n; i++)
	{
		const Reading *reading = &readings->sorted[i];

		appendStringInfo(&lines, "%s%s%s%s", i > 0 ? "\n" : "",
						 reading->name ? reading->name : "", reading->name ? ": " : "",
						 reading->has_time ?
						 timestamptz_to_str(reading->time) : "no time");
	}
	return PointerGetDatum(cstring_to_text_with_len(lines.data, lines.len));
}

static Datum
node_of(const UuidLayout *layout, UuidPayload payload)
{
	int			len = (layout->node_bits + BITS_PER_BYTE - 1) / BITS_PER_BYTE;
	uint64		bits = pg_hton64(payload.lo & low_bits(layout->node_bits));

	return PointerGetDatum(uuidnew_bytea((char *) &bits + sizeof(bits) - len, len));
}

/*
 * (uuid) -> version, variant, description, layout, timestamp, sequence,
 * machine_id, node, readings
 *
 * No error for any UUID: what it does not have is NULL.
 */
PG_FUNCTION_INFO_V1(uuid_info);
Datum
uuid_info(PG_FUNCTION_ARGS)
{
	pg_uuid_t	uuid = *PG_GETARG_UUID_P(0);
	int			version = uuid_version_of(&uuid);
	Readings	readings = {.now = GetCurrentTransactionStartTimestamp()};
	const Reading *best = readings.sorted;
	Datum		values[9] = {0};
	bool		nulls[9];
	TupleDesc	row;

	if (get_call_result_type(fcinfo, NULL, &row) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	memset(nulls, true, sizeof(nulls));
#define SET_VALUE(i, datum) (values[i] = (datum), nulls[i] = false)

	if (version >= 0)
		SET_VALUE(0, Int32GetDatum(version));
	SET_VALUE(1, CStringGetTextDatum(variant_name(&uuid)));
	SET_VALUE(2, CStringGetTextDatum(describe(&uuid, version)));

	/* version 1 has what version 6 has */
	if (version == 1)
		uuidnew_v1_to_v6(&uuid, &uuid);
	if (uuidnew_version(uuid_version_of(&uuid)) != NULL)
		add_layouts(&readings, uuidnew_version(uuid_version_of(&uuid)), &uuid);
	if (readings.n == 0 || version == 8)
		add_systems(&readings, version, &uuid);

	if (readings.n > 0)
	{
		/* a random UUID may by chance look like one with a time */
		if (best->has_time && version != 4)
			SET_VALUE(4, TimestampTzGetDatum(best->time));
		SET_VALUE(8, text_of(&readings));
	}
	if (readings.n > 0 && best->layout)
	{
		UuidPayload payload = uuid_unpack(&uuid);
		int			bits = uuidnew_machine_id_bits;

		if (best->layout->name)
			SET_VALUE(3, CStringGetTextDatum(best->layout->name));
		SET_VALUE(5, Int64GetDatum(payload_sequence(best->layout, payload)));
		if (bits > 0 && version != 1)
			SET_VALUE(6, Int64GetDatum((int64) payload_machine_id(best->layout, payload, bits)));
		SET_VALUE(7, node_of(best->layout, payload));
	}
	return HeapTupleGetDatum(heap_form_tuple(row, values, nulls));
}
