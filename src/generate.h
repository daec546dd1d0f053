/*
 * generate.h
 *	  New UUIDs: clock, sequence and random bits, in this order, as a payload.
 */
#ifndef UUIDNEW_GENERATE_H
#define UUIDNEW_GENERATE_H

#include "fmgr.h"

#include "arguments.h"
#include "clock.h"
#include "entropy.h"
#include "machine_id.h"
#include "sequence.h"

/* Is the session in the order of the server, or about to leave it? */
extern bool uuidnew_order_shared;

extern void uuidnew_order_define(void);
extern UuidPayload uuidnew_order_payload(const UuidLayout *layout, Tick epoch,
										 NodePrefix prefix);

/* tick_now - the tick of a layout that the clock is in. */
static inline Tick
tick_now(const UuidLayout *layout)
{
	ClockTime	now = clock_now();
	Tick		tick = {now.sec, layout->ticks(now.nsec)};

	return tick;
}

/*
 * generate_payload - the next UUID of a layout.
 *
 * Raises 22008 for a time that the layout can't hold.
 */
static inline UuidPayload
generate_payload(const UuidLayout *layout, Tick epoch, NodePrefix prefix)
{
	Tick		now;
	UuidPayload payload;

	if (unlikely(uuidnew_order_shared))
		return uuidnew_order_payload(layout, epoch, prefix);

	now = tick_now(layout);
	if (unlikely(!sequence_next(layout, layout->state, epoch, now, prefix,
								entropy_uint64(), &payload)))
		uuidnew_time_out_of_range(layout, SINCE_1970(epoch.sec * USECS_PER_SEC));
	return payload;
}

/*
 * generate_default_payload - the same with the layout's own epoch and the
 * machine id, if there is one.
 */
static inline UuidPayload
generate_default_payload(const UuidLayout *layout)
{
	Tick		epoch = {layout->epoch, 0};

	return generate_payload(layout, epoch, machine_id_prefix());
}

/* return_payload - a payload as the UUID that an SQL function returns. */
static inline Datum
return_payload(UuidPayload payload, int version)
{
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));

	uuid_pack(payload, version, uuid);
	return UUIDPGetDatum(uuid);
}

#endif							/* UUIDNEW_GENERATE_H */
