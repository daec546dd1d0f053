/*
 * info.c
 *	  uuid_info: what is certain about a UUID, likely, and only possible.
 *
 * Version and variant are certain.  For versions 1 and 6 there is one layout,
 * and for version 7 one of each kind, if its time is plausible; the bits of
 * most draft keys tell which of the draft's layouts it is.  For all others
 * nothing is likely, as random bits may look like anything.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/xact.h"
#include "funcapi.h"
#include "lib/stringinfo.h"
#include "utils/builtins.h"

#include "generate/machine_id.h"
#include "keys/v6.h"
#include "keys/v7.h"
#include "call/arguments.h"
#include "systems/comb.h"
#include "systems/systems.h"
#include "systems/vb.h"

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
		[7] = "Unix time, in an order that sorts by time",
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

/*
 * A line for each way to read a UUID.  None shows a time without a word for
 * how far to trust it.
 */

#define LIKELY		"likely"
#define POSSIBLE	"possible"
#define BY_CHANCE	"by chance"

#define START_OF_1990	SINCE_1970(INT64CONST(631152000) * USECS_PER_SEC)

/* 2074-07-11, where RFC 9562's range ends */
#define END_OF_LIKELY \
	SINCE_1970((int64) (V7_BORDER_HI >> 12) * USECS_PER_MSEC)

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
	int			guesses;		/* from here on, the latest time first */
	Reading		list[MAX_READINGS];
} Readings;

/* What the bits say */
static void
add_reading(Readings *readings, const char *word, const char *name,
			TimestampTz time)
{
	Assert(readings->n < MAX_READINGS);
	readings->list[readings->n++] = (Reading) {word, name, time};
	readings->guesses = readings->n;
}

/* Nothing in the bits marks what is guessed, so its time has to make sense. */
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

/* Layouts that would write such bits */
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

/* IDs of other systems that would look so */
static void
guess_system(Readings *readings, int version, const pg_uuid_t *uuid)
{
	static const IdSystem *const systems[] = {
#define ID_SYSTEM(name, ...) &uuidnew_##name,
#include "systems/systemlist.h"
	};

	/* RFC 9562 says what versions 1 to 7 are: something else */
	const char *word = version >= 1 && version <= 7 ? BY_CHANCE : POSSIBLE;
	VbFields	vb;
	Number		id;
	TimestampTz time;

	/* a copy of an ID looks like any UUID */
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

/* All of them as text */
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

/* A draft key with a likely time, which all draft layouts read alike */
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
	if (finding->layout == NULL)
	{
		add_reading(readings, LIKELY, others.len > 0 ?
					psprintf("%s (%s; the bits do not tell)", draft,
							 others.data) :
					psprintf("%s (a layout of another maker)", draft),
					time);
		return;
	}
	if (uuidnew_layout_fields(finding->layout, layout_epoch(finding->layout),
							  uuid, &fields))
		finding->time = fields.timestamp;
	add_reading(readings, LIKELY, finding->layout->name, finding->time);
	if (others.len > 0)
		add_reading(readings, POSSIBLE,
					psprintf("%s with another sequence and node",
							 others.data), time);
}

/* The time that the bits of versions 1, 6 and 7 are for */
static void
read_time(Readings *readings, int version, const pg_uuid_t *uuid,
		  Finding *finding)
{
	const UuidLayout *layout = version == 7 ?
		v7_family(uuid)->default_layout : uuidnew_v6.default_layout;
	bool		is_draft = layout == uuidnew_v7.default_layout;

	finding->found = finding->time >= START_OF_1990 &&
		finding->time < END_OF_LIKELY;
	if (finding->found && is_draft)
		read_draft(readings, uuid, finding);
	else
	{
		finding->layout = layout;
		add_reading(readings, finding->found ? LIKELY : POSSIBLE,
					is_draft ? layout->alias : version == 7 ? layout->name :
					psprintf("version %d", version), finding->time);
	}
}

/* The likely layout of a UUID, and all readings */
static void
read_uuid(Readings *readings, int version, const pg_uuid_t *uuid,
		  Finding *finding)
{
	if (uuidnew_time(uuid, &finding->time))
		read_time(readings, version, uuid, finding);
	else if (version == 8)
		guess_v8_layout(readings, uuid);
	if (!finding->found)
		guess_system(readings, version, uuid);
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

		SET_VALUE(SEQUENCE, Int64GetDatum(payload_sequence(layout, payload)));
		if (bits > 0 && version != 1)
			SET_VALUE(MACHINE_ID, Int64GetDatum(payload_machine_id(layout,
																   payload,
																   bits)));
		SET_VALUE(NODE, uuidnew_node_datum(layout, payload.lo));
	}
	if (readings.n > 0)
		SET_VALUE(READINGS, readings_text(&readings));
	return HeapTupleGetDatum(heap_form_tuple(row, values, nulls));
}
