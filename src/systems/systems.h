/*
 * systems.h
 *	  The ID systems of others, and their IDs as UUIDs.
 *
 * An ID is a number (number.h) with its time in the highest bits.  What a
 * system's IDs look like is a description in systemlist.h; all the rest is the
 * same for all of them: text to number, the time, the fields, and one of two
 * ways to a UUID and back, both exact and in the order of the IDs:
 *
 * As version 8: the time in milliseconds since 1970 as in layout unix48, then
 * every other bit of the ID in its own order, a one and zeros.
 *
 * A time in microseconds has its part below the millisecond in the first 10
 * bits of the rest.
 *
 * Raw: an ID that needs more than the 122 bits beside version and variant is
 * copied as it is, and looks like a UUID of any version or of none.
 */
#ifndef UUIDNEW_SYSTEMS_H
#define UUIDNEW_SYSTEMS_H

#include "keys/layout.h"
#include "systems/number.h"

/* The longest text of an ID: a decimal SID. */
#define ID_TEXT_MAX		39

typedef enum IdForm
{
	ID_AS_V8,
	ID_RAW,
	ID_NO_UUID					/* too long: as version 8 it is not whole */
} IdForm;

/* Where a field starts and how long it is, counted from the highest bit. */
typedef struct IdField
{
	uint8		first;
	uint8		width;
} IdField;

/* What the time of an ID counts. */
typedef struct IdScale
{
	int64		epoch;			/* TimestampTz */
	uint64		unit;			/* microseconds */
} IdScale;

typedef struct IdSystem
{
	const char *name;			/* as in messages */
	const char *rule;			/* what a valid ID is; NULL: any number */
	IdForm		form;
	uint8		bits;
	uint8		time_width;		/* of the time, in the highest bits */
	bool		signed_time;	/* before the epoch it is negative */
	bool		nanoseconds;	/* is its unit; if not: */
	IdScale		scale;			/* unless the caller says another */
	IdField		zeros[2];		/* bits that every ID has alike */
	uint64		limit[2];		/* high and low word that IDs are below */
	IdField		fields[4];		/* beside the time, in the order of the SQL
								 * function's columns */

	/* Text: so many digits of an alphabet, the highest first. */
	Alphabet   *alphabet;
	uint8		digits;
	uint8		spare_bits;		/* zeros below the number in the last digit */
	char		prefix;			/* a letter before the digits */
	bool		unpadded;		/* fewer digits, without zeros in front */
	bool		hyphens;		/* after digits 8, 12 and 16; read anywhere */
	bool		counts_digits;	/* widths of the time and fields, not bits */

	/* Text that is more than that. */
	bool		(*parse) (const char *text, int len, Number *id);
} IdSystem;

/* SIDs have four forms of text: sid.c.  The first is the project's default. */
#define SID_FORMS	4

extern const IdSystem uuidnew_sid_forms[SID_FORMS];

extern bool uuidnew_sid_parse(const char *text, int len, Number *id);
extern int	uuidnew_sid_format(const IdSystem *form, Number id, char *text);

#define ID_SYSTEM(name, ...) extern const IdSystem uuidnew_##name;
#include "systems/systemlist.h"

extern bool uuidnew_id_is_valid(const IdSystem *system, Number id);
extern bool uuidnew_id_parse(const IdSystem *system, const char *text, int len,
							 Number *id);
extern int	uuidnew_id_format(const IdSystem *system, Number id, char *text);
extern uint64 uuidnew_id_field(const IdSystem *system, Number id,
							   IdField field);
extern bool uuidnew_id_timestamp(const IdSystem *system, IdScale scale,
								 Number id, int64 *timestamp);
extern bool uuidnew_id_to_uuid(const IdSystem *system, IdScale scale,
							   Number id, pg_uuid_t *uuid);
extern bool uuidnew_uuid_to_id(const IdSystem *system, IdScale scale,
							   const pg_uuid_t *uuid, Number *id);

#endif							/* UUIDNEW_SYSTEMS_H */
