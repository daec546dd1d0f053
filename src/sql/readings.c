/*
 * readings.c
 *	  A line for each way to read a UUID.
 *
 * None shows a time without a word for how far to trust it.
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "utils/builtins.h"

#include "sql/readings.h"
#include "systems/comb.h"
#include "systems/systems.h"
#include "systems/vb.h"

/* uuidnew_add_reading - what the bits say. */
void
uuidnew_add_reading(Readings *readings, const char *word, const char *name,
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

/* uuidnew_guess_v8_layout - layouts that would write such bits. */
void
uuidnew_guess_v8_layout(Readings *readings, const pg_uuid_t *uuid)
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

/* uuidnew_guess_system - IDs of other systems that would look so. */
void
uuidnew_guess_system(Readings *readings, int version, const pg_uuid_t *uuid)
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

/* uuidnew_readings_text - all of them as text. */
Datum
uuidnew_readings_text(const Readings *readings)
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
