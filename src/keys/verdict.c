/*
 * verdict.c
 *	  The layout of a UUID of version 1, 6 or 7, and how far to trust its time.
 *
 * Versions 1 and 6 have one layout, as has RFC 9562's version 7.  The bits of
 * most draft keys reveal which of the draft layouts it is.
 */
#include "postgres.h"

#include "keys/verdict.h"

/* 2074-07-11, where RFC 9562's range ends */
#define END_OF_LIKELY \
	SINCE_1970((int64) (V7_BORDER_HI >> 12) * USECS_PER_MSEC)

/* uuidnew_judge - the verdict on a UUID of any version. */
Verdict
uuidnew_judge(const pg_uuid_t *uuid, uint64 machine_id, int machine_id_bits)
{
	Verdict		verdict = {false};
	UuidFields	fields;

	verdict.has_time = time_in_uuid(uuid, &verdict.time);
	if (!verdict.has_time)
		return verdict;
	verdict.tick = verdict.time;
	verdict.is_likely = verdict.time >= START_OF_1990 &&
		verdict.time < END_OF_LIKELY;
	verdict.layout = uuid_version_of(uuid) == 7 ?
		v7_family(uuid)->default_layout : uuidnew_v6.default_layout;
	if (!verdict.is_likely || verdict.layout != uuidnew_v7.default_layout)
		return verdict;

	verdict.layout = uuidnew_v7_tell_layout(uuid, machine_id, machine_id_bits,
											&verdict.others);
	if (verdict.layout == NULL)
		return verdict;
	verdict.others &= ~(1 << (verdict.layout - uuidnew_v7.layouts));
	if (uuidnew_layout_fields(verdict.layout, layout_epoch(verdict.layout),
							  uuid, &fields))
		verdict.tick = fields.timestamp;
	return verdict;
}
