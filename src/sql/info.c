/*
 * info.c
 *	  uuid_info: what is certain about any UUID, what is likely, and what is only
 *	  possible.
 *
 * Version and variant are certain.  For versions 1 and 6 there is one layout,
 * and for version 7 uuid_v7_layout's rule says which kind is the likely one, if
 * its time is plausible; the bits of most keys tell which of the draft's it is.
 * For all others nothing is likely: no bit tells the layouts of version 8 apart,
 * and random bits may look like anything.
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "access/xact.h"
#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "generate/machine_id.h"
#include "keys/sequence.h"
#include "keys/v6.h"
#include "keys/v7.h"
#include "sql/arguments.h"
#include "sql/fields.h"
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

/* What is likely.  Each of the following returns false if nothing is. */
typedef struct Likely
{
	const char *layout_name;	/* NULL: the version has only one */
	const UuidLayout *layout;	/* NULL: it can't be told */
	TimestampTz time;
} Likely;

static bool
read_v6(Readings *readings, const char *name, const pg_uuid_t *v6, Likely *likely)
{
	likely->layout = uuidnew_v6.default_layout;
	likely->time = time_of(likely->layout, v6);
	add_reading(readings, is_likely(likely->time) ? LIKELY : POSSIBLE, name, likely->time);
	return is_likely(likely->time);
}

/*
 * How often would the bits of another layout look as much like this one's?
 *
 * Besides what rounding leaves, a sequence is low in most keys, and the machine id
 * may be this server's.
 */
static double
chance_of_looks(const UuidLayout *layout, const pg_uuid_t *uuid)
{
	UuidPayload payload = uuid_unpack(uuid);
	int			bits = uuidnew_machine_id_bits;
	double		chance = ldexp(layout->ticks_per_sec, -layout->fraction_bits);

	chance *= ldexp(payload_sequence(layout, payload) + 1, -layout->sequence_bits);
	if (bits > 0 && payload_machine_id(layout, payload, bits) == uuidnew_machine_id())
		chance = ldexp(chance, -bits);
	return chance;
}

/* One layout is told from another by looks that are so much rarer. */
#define TOLD_BY		20

/*
 * Which of the draft's layouts is it?  NULL if that can't be told.  "others" gets
 * the names of those that it may be besides.
 */
static const UuidLayout *
tell_draft_layout(const pg_uuid_t *uuid, StringInfo others)
{
	const UuidLayout *told = NULL;
	double		rarest = HUGE_VAL;
	double		next = HUGE_VAL;

	for (int i = 0; i < uuidnew_v7.nlayouts; i++)
	{
		const UuidLayout *layout = &uuidnew_v7.layouts[i];
		double		chance;

		if (layout == uuidnew_v7_rfc9562 || !uuidnew_layout_may_be(layout, uuid))
			continue;
		chance = chance_of_looks(layout, uuid);
		next = Min(next, Max(chance, rarest));
		if (chance < rarest)
		{
			rarest = chance;
			told = layout;
		}
	}
	if (rarest * TOLD_BY > next)
		told = NULL;

	for (int i = 0; i < uuidnew_v7.nlayouts; i++)
	{
		const UuidLayout *layout = &uuidnew_v7.layouts[i];

		if (layout != uuidnew_v7_rfc9562 && layout != told &&
			uuidnew_layout_may_be(layout, uuid))
			appendStringInfo(others, "%s%s", others->len > 0 ? " or " : "", layout->name);
	}
	return told;
}

/* A key of the draft with a likely time, which all its layouts read alike. */
static void
read_draft(Readings *readings, const pg_uuid_t *uuid, Likely *likely)
{
	StringInfoData others;
	UuidFields	fields;

	initStringInfo(&others);
	likely->layout = tell_draft_layout(uuid, &others);
	if (likely->layout != NULL)
	{
		likely->layout_name = likely->layout->name;
		if (uuidnew_layout_fields(likely->layout, layout_epoch(likely->layout), uuid, &fields))
			likely->time = fields.timestamp;
		add_reading(readings, LIKELY, likely->layout_name, likely->time);
		if (others.len > 0)
			add_reading(readings, POSSIBLE,
						psprintf("%s with another sequence and node", others.data),
						time_of(uuidnew_v7.default_layout, uuid));
	}
	else
	{
		likely->layout_name = uuidnew_v7.default_layout->alias;
		add_reading(readings, LIKELY,
					others.len > 0 ?
					psprintf("%s (%s; the bits do not tell)", likely->layout_name, others.data) :
					psprintf("%s (a layout of another maker)", likely->layout_name),
					likely->time);
	}
}

static bool
read_v7(Readings *readings, const pg_uuid_t *uuid, Likely *likely)
{
	const UuidLayout *draft = uuidnew_v7.default_layout;
	const UuidLayout *rfc9562 = uuidnew_v7_rfc9562;
	TimestampTz draft_time = time_of(draft, uuid);
	TimestampTz rfc9562_time = time_of(rfc9562, uuid);

	if (v7_looks_rfc9562(uuid))
	{
		likely->layout = rfc9562;
		likely->layout_name = rfc9562->name;
		likely->time = rfc9562_time;
		add_reading(readings, is_likely(rfc9562_time) ? LIKELY : POSSIBLE, rfc9562->name,
					rfc9562_time);
		add_reading(readings, POSSIBLE, draft->alias, draft_time);
	}
	else
	{
		likely->time = draft_time;
		if (is_likely(draft_time))
			read_draft(readings, uuid, likely);
		else
			add_reading(readings, POSSIBLE, draft->alias, draft_time);
		add_reading(readings, POSSIBLE, rfc9562->name, rfc9562_time);
	}
	return is_likely(likely->time);
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
#include "systems/systemlist.h"
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
	Likely		likely = {0};
	bool		is_known = false;
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
		is_known = read_v6(&readings, version == 1 ? "version 1" : "version 6", &fields, &likely);
	else if (version == 7)
		is_known = read_v7(&readings, &uuid, &likely);
	else if (version == 8)
		guess_v8_layout(&readings, &uuid);

	if (!is_known)
		guess_system(&readings, version, &uuid);
	else
	{
		if (likely.layout_name != NULL)
			SET_VALUE(3, CStringGetTextDatum(likely.layout_name));
		SET_VALUE(4, TimestampTzGetDatum(likely.time));
	}
	if (is_known && likely.layout != NULL)
	{
		UuidPayload payload = uuid_unpack(&fields);
		int			bits = uuidnew_machine_id_bits;

		SET_VALUE(5, Int64GetDatum(payload_sequence(likely.layout, payload)));
		if (bits > 0 && version != 1)
			SET_VALUE(6, Int64GetDatum((int64) payload_machine_id(likely.layout, payload, bits)));
		SET_VALUE(7, uuidnew_node_datum(likely.layout, payload.lo & low_bits(likely.layout->node_bits)));
	}
	if (readings.lines.len > 0)
		SET_VALUE(8, PointerGetDatum(cstring_to_text_with_len(readings.lines.data,
															  readings.lines.len)));
	return HeapTupleGetDatum(heap_form_tuple(row, values, nulls));
}
