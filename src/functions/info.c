/*
 * info.c
 *	  uuid_info: what is certain about a UUID, likely, and only possible.
 *
 * A time of version 1, 6 or 7 is likely if it is plausible (keys/verdict.c).
 * Any other is only possible, because random bits may look like anything.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/xact.h"
#include "funcapi.h"
#include "lib/stringinfo.h"
#include "utils/builtins.h"

#include "generate/machine_id.h"
#include "keys/verdict.h"
#include "call/arguments.h"
#include "systems/comb.h"
#include "systems/systems.h"
#include "systems/vb.h"

/* RFC 9562 4.1 */
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
version_description(const pg_uuid_t *uuid)
{
	static const char *const descriptions[] = {
		[1] = "time and node, in an order that does not sort by time",
		[2] = "DCE security",
		[3] = "MD5 hash of a name",
		[4] = "122 random bits, or other data of its generator",
		[5] = "SHA-1 hash of a name",
		[6] = "time and node, in an order that sorts by time",
		[7] = "Unix time, in an order that sorts by time",
		[8] = "custom: only its generator knows the layout",
	};
	int			version = uuid_version_of(uuid);
	uint64		high;
	uint64		low;

	uuid_halves(uuid, &high, &low);
	if (high == 0 && low == 0)
		return "nil UUID";
	if (high == PG_UINT64_MAX && low == PG_UINT64_MAX)
		return "max UUID";
	if (version > 0 && version < (int) lengthof(descriptions))
		return descriptions[version];
	return "no version that RFC 9562 defines";
}

/* One line per interpretation, each with how far to trust it */
#define LIKELY		"likely"
#define POSSIBLE	"possible"
#define BY_CHANCE	"by chance"

#define MAX_READINGS	40

typedef struct Reading
{
	const char *word;
	const char *name;
	TimestampTz time;
} Reading;

typedef struct Readings
{
	TimestampTz tomorrow;
	int			n;
	int			guesses;		/* from this index on, latest time first */
	Reading		list[MAX_READINGS];
} Readings;

static void
add_reading(Readings *readings, const char *word, const char *name,
			TimestampTz time)
{
	Assert(readings->n < MAX_READINGS);
	readings->list[readings->n++] = (Reading) {word, name, time};
	readings->guesses = readings->n;
}

/* No bit marks a guess, so it is added only if its time is plausible. */
static void
add_guess(Readings *readings, const char *word, const char *name,
		  TimestampTz time)
{
	int			i;

	if (time < START_OF_1990 || time > readings->tomorrow)
		return;
	Assert(readings->n < MAX_READINGS);
	for (i = readings->n++;
		 i > readings->guesses && readings->list[i - 1].time < time; i--)
		readings->list[i] = readings->list[i - 1];
	readings->list[i] = (Reading) {word, name, time};
}

/* Version 8 layouts that may have such bits */
static void
guess_v8_layout(Readings *readings, const pg_uuid_t *uuid)
{
	for (int i = 0; i < uuidnew_v8.nlayouts; i++)
	{
		const UuidLayout *layout = &uuidnew_v8.layouts[i];
		TimestampTz time;

		if (layout_timestamp(layout, layout_epoch(layout), uuid, &time) &&
			uuidnew_layout_may_be(layout, uuid))
			add_guess(readings, POSSIBLE, layout->name, time);
	}
	readings->guesses = readings->n;
}

/* IDs of other systems that may have such bits */
static void
guess_system(Readings *readings, int version, const pg_uuid_t *uuid)
{
	static const IdSystem *const systems[] = {
#define ID_SYSTEM(name, ...) &uuidnew_##name,
#include "systems/systemlist.h"
	};

	/* RFC 9562 defines versions 1 to 7 otherwise */
	const char *word = version >= 1 && version <= 7 ? BY_CHANCE : POSSIBLE;
	VbFields	vb;
	Number		id;
	TimestampTz time;

	/* the bits of a raw ID may show any version */
	for (int i = 0; i < (int) lengthof(systems); i++)
	{
		if (systems[i]->form == (version == 8 ? ID_AS_V8 : ID_RAW) &&
			uuidnew_uuid_to_id(systems[i], systems[i]->scale, uuid, &id) &&
			uuidnew_id_timestamp(systems[i], systems[i]->scale, id, &time))
			add_guess(readings, word, systems[i]->name, time);
	}
	for (int i = 0; i < COMB_VARIANTS && version == 4; i++)
	{
		const CombVariant *variant = &uuidnew_comb_variants[i];

		if (uuidnew_comb_timestamp(variant, uuid, &time))
			add_guess(readings, word,
					  psprintf("COMB GUID (%s)", variant->name), time);
	}
	if (version == 4)
		add_guess(readings, word, "ordered UUID",
				  uuidnew_ordered_uuid_timestamp(uuid));
	if (uuidnew_vb_unpack(VB_VARIABLE, uuid, &vb))
		add_guess(readings, word, "Locality UUID (version b)",
				  SINCE_1970((int64) vb.msec * USECS_PER_MSEC));
}

static Datum
readings_text(const Readings *readings)
{
	StringInfoData lines;

	initStringInfo(&lines);
	for (int i = 0; i < readings->n; i++)
	{
		const Reading *reading = &readings->list[i];

		appendStringInfo(&lines, "%s%s: %s, %s%s", i > 0 ? "\n" : "",
						 reading->word, reading->name,
						 timestamptz_to_str(reading->time),
						 reading->time < START_OF_1990 ? " (before 1990)" :
						 reading->time > readings->tomorrow ?
						 " (in the future)" : "");
	}
	return CStringGetTextDatum(lines.data);
}

/* The names of draft layouts, by their indexes in a bit mask */
static char *
draft_names(uint32 mask)
{
	StringInfoData names;

	initStringInfo(&names);
	for (int i = 0; i < uuidnew_v7.nlayouts; i++)
	{
		if (mask >> i & 1)
			appendStringInfo(&names, "%s%s", names.len > 0 ? " or " : "",
							 uuidnew_v7.layouts[i].name);
	}
	return names.data;
}

/* The time of versions 1, 6 and 7 */
static void
add_verdict(Readings *readings, int version, const Verdict *verdict)
{
	const UuidLayout *layout = verdict->layout;
	const UuidLayout *draft = uuidnew_v7.default_layout;
	const char *name;

	if (layout == NULL && verdict->others == 0)
		name = psprintf("%s (a layout of another generator)", draft->alias);
	else if (layout == NULL)
		name = psprintf("%s (%s; the bits do not show which)", draft->alias,
						draft_names(verdict->others));
	else if (layout == draft && !verdict->is_likely)
		name = draft->alias;
	else
		name = version == 7 ? layout->name : psprintf("version %d", version);
	add_reading(readings, verdict->is_likely ? LIKELY : POSSIBLE, name,
				verdict->tick);
	if (layout != NULL && verdict->others != 0)
		add_reading(readings, POSSIBLE,
					psprintf("%s with another sequence and node",
							 draft_names(verdict->others)), verdict->time);
}

/* The columns, in the order of the SQL function's */
enum
{
	VERSION, VARIANT, DESCRIPTION, LAYOUT, TIMESTAMP, SEQUENCE, MACHINE_ID,
	NODE, READINGS, INFO_COLUMNS
};

/* (uuid) -> (version, ...); a column is NULL if it is missing or unlikely */
PG_FUNCTION_INFO_V1(uuid_info);
Datum
uuid_info(PG_FUNCTION_ARGS)
{
	const pg_uuid_t *uuid = PG_GETARG_UUID_P(0);
	int			version = uuid_version_of(uuid);
	int			bits = uuidnew_machine_id_bits;
	Readings	readings = {0};
	Verdict		verdict = uuidnew_judge(uuid, uuidnew_machine_id, bits);
	const UuidLayout *layout = verdict.layout;
	UuidPayload payload = uuid_unpack(uuid);
	Datum		values[INFO_COLUMNS] = {0};
	bool		nulls[INFO_COLUMNS];
	TupleDesc	row = uuidnew_result_desc(fcinfo, INFO_COLUMNS,
										  CurrentMemoryContext);

	memset(nulls, true, sizeof(nulls));
	readings.tomorrow = GetCurrentTransactionStartTimestamp() + USECS_PER_DAY;
	if (verdict.has_time)
		add_verdict(&readings, version, &verdict);
	else if (version == 8)
		guess_v8_layout(&readings, uuid);
	if (!verdict.is_likely)
		guess_system(&readings, version, uuid);

	if (version >= 0)
		SET_VALUE(VERSION, Int32GetDatum(version));
	SET_VALUE(VARIANT, CStringGetTextDatum(variant_name(uuid)));
	SET_VALUE(DESCRIPTION, CStringGetTextDatum(version_description(uuid)));
	if (verdict.is_likely)
	{
		const char *name = layout != NULL ? layout->name :
			uuidnew_v7.default_layout->alias;

		if (name != NULL)		/* versions 1 and 6 have one layout */
			SET_VALUE(LAYOUT, CStringGetTextDatum(name));
		SET_VALUE(TIMESTAMP, TimestampTzGetDatum(verdict.tick));
	}
	if (verdict.is_likely && layout != NULL)
	{
		SET_VALUE(SEQUENCE, Int64GetDatum(payload_sequence(layout, payload)));
		if (bits > 0 && version != 1)
			SET_VALUE(MACHINE_ID, Int64GetDatum(payload_machine_id(layout,
																   payload,
																   bits)));
		SET_VALUE(NODE, uuidnew_node_datum(layout, payload.lo, UUID_LEN));
	}
	if (readings.n > 0)
		SET_VALUE(READINGS, readings_text(&readings));
	return HeapTupleGetDatum(heap_form_tuple(row, values, nulls));
}
