/*
 * info.c
 *	  uuid_info: what is certain about any UUID, what is likely, and what is only
 *	  possible.
 *
 * Version and variant are certain.  For versions 1 and 6 there is one layout,
 * and for version 7 uuid_v7_layout's rule says which is the likely one, if its
 * time is plausible.  For all others nothing is likely: no bit tells
 * the layouts of version 8 apart, and random bits may look like anything.
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
#include "machine_id.h"
#include "sequence.h"
#include "systems.h"
#include "v6.h"
#include "v7.h"
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
version_description(const pg_uuid_t *uuid, int version)
{
	static const char *const descriptions[] = {
		[1] = "time and node, in an order that does not sort by time",
		[2] = "DCE security",
		[3] = "MD5 hash of a name",
		[4] = "122 random bits, or what its maker put there",
		[5] = "SHA-1 hash of a name",
		[6] = "time and node, in an order that sorts by time",
		[7] = "Unix time, in one of two kinds of layout: the draft's or RFC 9562's",
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
 * Readings: a line for each way to read the UUID.  None shows a time without a
 * word for how far to trust it.
 */

#define LIKELY		"likely"
#define POSSIBLE	"possible"
#define BY_CHANCE	"by chance"

#define START_OF_1990	SINCE_1970(INT64CONST(631152000) * USECS_PER_SEC)

/* From here on (2074-07-11) the kind of a version 7 layout is not told: see v7.h. */
#define END_OF_LIKELY \
	SINCE_1970((int64) (V7_FIRST_DRAFT_SECOND << 12) * USECS_PER_MSEC)

typedef struct Readings
{
	TimestampTz tomorrow;
	StringInfoData lines;
} Readings;

static void
add_reading(Readings *readings, const char *word, const char *name, TimestampTz time)
{
	appendStringInfo(&readings->lines, "%s%s: %s, %s%s",
					 readings->lines.len > 0 ? "\n" : "", word, name,
					 timestamptz_to_str(time),
					 time < START_OF_1990 ? " (before 1990)" :
					 time > readings->tomorrow ? " (in the future)" : "");
}

/* The time of a layout that reads one from any UUID of its version. */
static TimestampTz
time_of(const UuidLayout *layout, const pg_uuid_t *uuid)
{
	TimestampTz time = 0;

	if (!layout_timestamp(layout, layout_epoch(layout), uuid, &time))
		Assert(false);
	return time;
}

static bool
is_likely(TimestampTz time)
{
	return time >= START_OF_1990 && time < END_OF_LIKELY;
}

/* Each of the following returns the likely layout, or NULL. */

static const UuidLayout *
read_v6(Readings *readings, const char *name, const pg_uuid_t *v6)
{
	const UuidLayout *layout = uuidnew_v6.default_layout;
	TimestampTz time = time_of(layout, v6);

	add_reading(readings, is_likely(time) ? LIKELY : POSSIBLE, name, time);
	return is_likely(time) ? layout : NULL;
}

/* The draft's layouts but the default one, whose times are read alike. */
static const char *
other_draft_layouts(void)
{
	StringInfoData names;

	initStringInfo(&names);
	for (int i = 0; i < uuidnew_v7.nlayouts; i++)
	{
		const UuidLayout *layout = &uuidnew_v7.layouts[i];

		if (layout != uuidnew_v7.default_layout && layout != uuidnew_v7_rfc9562)
			appendStringInfo(&names, "%s%s", names.len > 0 ? " or " : "", layout->name);
	}
	appendStringInfoString(&names, " with another sequence and node");
	return names.data;
}

static const UuidLayout *
read_v7(Readings *readings, const pg_uuid_t *uuid)
{
	const UuidLayout *draft = uuidnew_v7.default_layout;
	const UuidLayout *rfc9562 = uuidnew_v7_rfc9562;
	TimestampTz draft_time = time_of(draft, uuid);
	TimestampTz rfc9562_time = time_of(rfc9562, uuid);

	if (v7_looks_rfc9562(uuid))
	{
		bool		likely = is_likely(rfc9562_time);

		add_reading(readings, likely ? LIKELY : POSSIBLE, rfc9562->name, rfc9562_time);
		add_reading(readings, POSSIBLE, draft->alias, draft_time);
		return likely ? rfc9562 : NULL;
	}
	if (is_likely(draft_time))
	{
		add_reading(readings, LIKELY, draft->name, draft_time);
		add_reading(readings, POSSIBLE, other_draft_layouts(), draft_time);
	}
	else
		add_reading(readings, POSSIBLE, draft->alias, draft_time);
	add_reading(readings, POSSIBLE, rfc9562->name, rfc9562_time);
	return is_likely(draft_time) ? draft : NULL;
}

/*
 * Guesses: nothing in the bits marks such a UUID, so its time has to make sense.
 */

typedef struct Guess
{
	const char *name;
	TimestampTz time;
} Guess;

#define MAX_GUESSES		30

typedef struct Guesses
{
	TimestampTz tomorrow;
	int			n;
	Guess		latest_first[MAX_GUESSES];
} Guesses;

static void
insert_guess(Guesses *guesses, const char *name, TimestampTz time)
{
	Guess		new_guess = {name, time};
	int			i;

	if (time < START_OF_1990 || time > guesses->tomorrow)
		return;
	Assert(guesses->n < MAX_GUESSES);
	for (i = guesses->n++; i > 0 && guesses->latest_first[i - 1].time < time; i--)
		guesses->latest_first[i] = guesses->latest_first[i - 1];
	guesses->latest_first[i] = new_guess;
}

static void
add_guessed_readings(Readings *readings, const char *word, const Guesses *guesses)
{
	for (int i = 0; i < guesses->n; i++)
		add_reading(readings, word, guesses->latest_first[i].name,
					guesses->latest_first[i].time);
}

/*
 * Is the time in a UUID as the layout writes it?  (unix32 leaves bits zero that
 * its reader ignores.)  Ticks shorter than a microsecond are not compared.
 */
static bool
is_as_written(const UuidLayout *layout, const pg_uuid_t *uuid, TimestampTz time)
{
	int			below = layout->sequence_bits + layout->node_bits;
	UuidPayload read = payload_fill(uuid_unpack(uuid), below);
	UuidPayload written;

	if (layout->ticks_per_sec > USECS_PER_SEC)
		return true;
	if (!uuidnew_layout_at(layout, layout_epoch(layout), time, &written))
		return false;
	written = payload_fill(written, below);
	return written.hi == read.hi && written.lo == read.lo;
}

static void
guess_v8_layout(Readings *readings, const pg_uuid_t *uuid)
{
	Guesses		guesses = {.tomorrow = readings->tomorrow};

	for (int i = 0; i < uuidnew_v8.nlayouts; i++)
	{
		const UuidLayout *layout = &uuidnew_v8.layouts[i];
		TimestampTz time;

		if (layout_timestamp(layout, layout_epoch(layout), uuid, &time) &&
			is_as_written(layout, uuid, time))
			insert_guess(&guesses, layout->name, time);
	}
	add_guessed_readings(readings, POSSIBLE, &guesses);
}

static void
guess_system(Readings *readings, int version, const pg_uuid_t *uuid)
{
	static const IdSystem *const systems[] = {
#define ID_SYSTEM(name, ...) &uuidnew_##name,
#include "systemlist.h"
	};
	Guesses		guesses = {.tomorrow = readings->tomorrow};
	VbFields	vb;

	/* a copy of an ID looks like any UUID */
	for (int i = 0; i < (int) lengthof(systems); i++)
	{
		Number		id;
		TimestampTz time;

		if (systems[i]->form == (version == 8 ? ID_AS_V8 : ID_RAW) &&
			uuidnew_uuid_to_id(systems[i], systems[i]->scale, uuid, &id) &&
			uuidnew_id_timestamp(systems[i], systems[i]->scale, id, &time))
			insert_guess(&guesses, systems[i]->name, time);
	}

	if (version == 4)
	{
		for (int i = 0; i < COMB_VARIANTS; i++)
		{
			TimestampTz time;

			if (uuidnew_comb_timestamp(&uuidnew_comb_variants[i], uuid, &time))
				insert_guess(&guesses,
							 psprintf("COMB GUID (%s)", uuidnew_comb_variants[i].name), time);
		}
		insert_guess(&guesses, "ordered UUID", uuidnew_ordered_uuid_timestamp(uuid));
	}
	if (uuidnew_vb_unpack(VB_VARIABLE, uuid, &vb))
		insert_guess(&guesses, "Locality UUID (version b)",
					 SINCE_1970((int64) vb.msec * USECS_PER_MSEC));

	/* RFC 9562 says what versions 1 to 7 are: something else */
	add_guessed_readings(readings, version >= 1 && version <= 7 ? BY_CHANCE : POSSIBLE, &guesses);
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
 * No error for any UUID: what it does not have, or what is not likely, is NULL.
 */
PG_FUNCTION_INFO_V1(uuid_info);
Datum
uuid_info(PG_FUNCTION_ARGS)
{
	pg_uuid_t	uuid = *PG_GETARG_UUID_P(0);
	pg_uuid_t	fields;			/* version 1 in the order of version 6 */
	int			version = uuid_version_of(&uuid);
	Readings	readings;
	const UuidLayout *likely = NULL;
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
	SET_VALUE(2, CStringGetTextDatum(version_description(&uuid, version)));

	readings.tomorrow = GetCurrentTransactionStartTimestamp() + USECS_PER_DAY;
	initStringInfo(&readings.lines);
	fields = uuid;
	if (version == 1)
		uuidnew_v1_to_v6(&uuid, &fields);
	if (version == 1 || version == 6)
		likely = read_v6(&readings, version == 1 ? "version 1" : "version 6", &fields);
	else if (version == 7)
		likely = read_v7(&readings, &uuid);
	else if (version == 8)
		guess_v8_layout(&readings, &uuid);

	if (likely == NULL)
		guess_system(&readings, version, &uuid);
	else
	{
		UuidPayload payload = uuid_unpack(&fields);
		int			bits = uuidnew_machine_id_bits;

		if (likely->name)
			SET_VALUE(3, CStringGetTextDatum(likely->name));
		SET_VALUE(4, TimestampTzGetDatum(time_of(likely, &fields)));
		SET_VALUE(5, Int64GetDatum(payload_sequence(likely, payload)));
		if (bits > 0 && version != 1)
			SET_VALUE(6, Int64GetDatum((int64) payload_machine_id(likely, payload, bits)));
		SET_VALUE(7, node_of(likely, payload));
	}
	if (readings.lines.len > 0)
		SET_VALUE(8, PointerGetDatum(cstring_to_text_with_len(readings.lines.data,
															  readings.lines.len)));
	return HeapTupleGetDatum(heap_form_tuple(row, values, nulls));
}
