/*
 * systems.h
 *	  IDs of other systems, and conversion to UUIDs.
 *
 * An ID is a number (number.h) with its time in the highest bits.
 * systemlist.h describes the systems.  IDs become UUIDs in one of two forms,
 * both reversible and in the order of the IDs:
 *
 * Version 8: the time in milliseconds since 1970 as in layout unix48, then 10
 * bits of microseconds if the system has them, then the other bits of the ID,
 * a one and zeros.
 *
 * Raw: an ID of more than 122 bits is copied unchanged, so version and variant
 * are arbitrary.
 */
#ifndef UUIDNEW_SYSTEMS_H
#define UUIDNEW_SYSTEMS_H

#include "keys/layout.h"
#include "systems/text.h"

typedef enum IdForm
{
	ID_AS_V8,
	ID_RAW,
	ID_NO_UUID					/* too long: version 8 loses bits */
} IdForm;

/* Bits of an ID, counted from the highest */
typedef struct IdField
{
	uint8		first;
	uint8		width;
} IdField;

typedef struct IdScale
{
	int64		epoch;			/* TimestampTz */
	uint64		unit;			/* microseconds */
} IdScale;

typedef struct IdSystem
{
	const char *name;			/* as in messages */
	const char *rule;			/* describes a valid ID; NULL: any number */
	IdForm		form;
	uint8		bits;
	uint8		time_width;		/* of the time, in the highest bits */
	bool		signed_time;	/* before the epoch it is negative */
	bool		nanoseconds;	/* the unit of the time; if not: */
	IdScale		scale;			/* unless the caller chooses another */
	IdField		zeros[2];		/* bits that are zero in every ID */
	uint64		limit[2];		/* IDs are below it: high and low word */
	IdField		fields[4];		/* after the time, as SQL columns */

	TextForm	text;
	bool		counts_digits;	/* time and fields count digits, not bits */

	/* Replaces the form of text. */
	bool		(*parse) (const char *text, int len, Number *id);
} IdSystem;

/* The forms of text that SIDs have: two numbers, with a hyphen between. */
typedef struct SidForm
{
	const char *name;
	TextForm	time;
	TextForm	random;
} SidForm;

#define SID_FORMS	4

extern const SidForm uuidnew_sid_forms[SID_FORMS];

extern bool uuidnew_sid_parse(const char *text, int len, Number *id);
extern int	uuidnew_sid_format(const SidForm *form, Number id, char *text);

#define ID_SYSTEM(name, ...) extern const IdSystem uuidnew_##name;
#include "systems/systemlist.h"

extern bool uuidnew_id_is_valid(const IdSystem *system, Number id);
extern bool uuidnew_id_parse(const IdSystem *system, const char *text, int len,
							 Number *id);
extern uint64 uuidnew_id_field(const IdSystem *system, Number id,
							   IdField field);
extern bool uuidnew_id_timestamp(const IdSystem *system, IdScale scale,
								 Number id, int64 *timestamp);
extern bool uuidnew_id_to_uuid(const IdSystem *system, IdScale scale,
							   Number id, pg_uuid_t *uuid);
extern bool uuidnew_uuid_to_id(const IdSystem *system, IdScale scale,
							   const pg_uuid_t *uuid, Number *id);

#endif							/* UUIDNEW_SYSTEMS_H */
