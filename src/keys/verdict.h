/*
 * verdict.h
 *	  The time in a UUID of version 1, 6 or 7, and its layout: see verdict.c.
 */
#ifndef UUIDNEW_VERDICT_H
#define UUIDNEW_VERDICT_H

#include "keys/v6.h"
#include "keys/v7.h"

#define START_OF_1990	SINCE_1970(INT64CONST(631152000) * USECS_PER_SEC)

typedef struct Verdict
{
	bool		has_time;		/* false: nothing else is set */
	bool		is_likely;		/* else the time is possible, but odd */
	const UuidLayout *layout;	/* NULL: a draft layout, unknown which */
	int64		time;			/* as uuid_time() returns it */
	int64		tick;			/* the same, truncated to the layout's tick */
	uint32		others;			/* other draft layouts, by index, that may
								 * have such bits */
} Verdict;

extern Verdict uuidnew_judge(const pg_uuid_t *uuid, uint64 machine_id,
							 int machine_id_bits);

/* time_in_uuid - the time of version 1, 6 or 7; false for another version. */
static inline bool
time_in_uuid(const pg_uuid_t *uuid, int64 *timestamp)
{
	int			version = uuid_version_of(uuid);
	const UuidLayout *layout = version == 6 ? uuidnew_v6.default_layout :
		v7_family(uuid)->default_layout;

	if (version == 1)
	{
		*timestamp = uuidnew_v1_timestamp(uuid);
		return true;
	}
	return layout_timestamp(layout, layout_epoch(layout), uuid, timestamp);
}

#endif							/* UUIDNEW_VERDICT_H */
