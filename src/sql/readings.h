/*
 * readings.h
 *	  A line for each way to read a UUID: see readings.c.
 */
#ifndef UUIDNEW_READINGS_H
#define UUIDNEW_READINGS_H

#include "utils/timestamp.h"

#include "keys/v7.h"

#define LIKELY		"likely"
#define POSSIBLE	"possible"
#define BY_CHANCE	"by chance"

#define START_OF_1990	SINCE_1970(INT64CONST(631152000) * USECS_PER_SEC)

/* From here on (2074-07-11) the kind of version 7 is not told: see v7.h. */
#define END_OF_LIKELY \
	SINCE_1970((int64) (V7_FIRST_DRAFT_SECOND << 12) * USECS_PER_MSEC)

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

extern void uuidnew_add_reading(Readings *readings, const char *word,
								const char *name, TimestampTz time);
extern void uuidnew_guess_v8_layout(Readings *readings,
									const pg_uuid_t *uuid);
extern void uuidnew_guess_system(Readings *readings, int version,
								 const pg_uuid_t *uuid);
extern Datum uuidnew_readings_text(const Readings *readings);

#endif							/* UUIDNEW_READINGS_H */
