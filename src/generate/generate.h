/*
 * generate.h
 *	  New UUIDs: random bits, clock and sequence, in this order, as a payload.
 */
#ifndef UUIDNEW_GENERATE_H
#define UUIDNEW_GENERATE_H

#include "fmgr.h"

#include "generate/clock.h"
#include "generate/entropy.h"
#include "generate/machine_id.h"
#include "keys/sequence.h"
#include "sql/arguments.h"

/* Fewer random bits than this beside a node or machine id raise a warning. */
#define FEW_RANDOM_BITS		16

/* If set, it makes UUIDs in place of the session's own states. */
typedef Datum (*GenerateHook) (const UuidLayout *layout, Tick epoch,
							   NodePrefix prefix);

extern GenerateHook uuidnew_generate_hook;

extern Datum uuidnew_generate_default(const UuidLayout *layout);
extern Datum uuidnew_generate(const UuidLayout *layout, SequenceState *state,
							  Tick epoch, NodePrefix prefix);
extern void uuidnew_forget_states(void);
extern void uuidnew_warn_of_few_random_bits(const UuidLayout *layout, NodePrefix prefix);

/* tick_now - the tick of a layout that the clock is in. */
static inline Tick
tick_now(const UuidLayout *layout)
{
	ClockTime	now = clock_now();
	Tick		tick = {now.sec, layout->ticks(layout, now.nsec)};

	return tick;
}

/*
 * generate_for_epoch - the next UUID of a layout, with an epoch and a node that the caller may have
 * chosen.
 */
static inline Datum
generate_for_epoch(const UuidLayout *layout, Tick epoch, NodePrefix prefix)
{
	SequenceState *state;

	entropy_prepare();
	state = layout->by_numbers ? uuidnew_custom_state(layout, epoch) :
		epoch_state(layout, layout->state, epoch);
	if (unlikely(prefix.nbits > 0 && layout->node_bits - prefix.nbits < FEW_RANDOM_BITS))
		uuidnew_warn_of_few_random_bits(layout, prefix);
	return uuidnew_generate(layout, state, epoch, prefix);
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
