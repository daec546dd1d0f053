/*
 * generate.c
 *	  A new UUID, and what is seldom done on the way to it.
 */
#include "postgres.h"

#include "generate/generate.h"

GenerateHook uuidnew_generate_hook = NULL;

/*
 * generate - the next UUID of a layout and epoch, whose state it is.
 *
 * Raises 22008 for a time that the layout can't hold.
 */
static pg_always_inline Datum
generate(const UuidLayout *layout, SequenceState *state, Tick epoch, NodePrefix prefix)
{
	uint64		random;
	Tick		now;
	UuidPayload payload;

	if (unlikely(uuidnew_generate_hook != NULL))
		return uuidnew_generate_hook(layout, epoch, prefix);

	/* first, as this is where a new process forgets its parent's states */
	random = entropy_uint64();
	now = tick_now(layout);
	if (unlikely(!sequence_next(layout, state, epoch, now, prefix, random, &payload)))
		uuidnew_time_out_of_range(layout, tick_timestamp(layout, epoch));
	return return_payload(payload, layout->version);
}

Datum
uuidnew_generate(const UuidLayout *layout, SequenceState *state, Tick epoch,
				 NodePrefix prefix)
{
	return generate(layout, state, epoch, prefix);
}

/*
 * uuidnew_generate_default - the same with the layout's own epoch and the
 * machine id, if there is one.
 */
Datum
uuidnew_generate_default(const UuidLayout *layout)
{
	Tick		epoch = {layout->epoch, 0};

	return generate(layout, layout->state, epoch, machine_id_prefix());
}

/*
 * uuidnew_forget_states - start as a process that has made no UUID yet.
 *
 * A library may make UUIDs in the postmaster.  Sessions that went on from there
 * would all count the same sequence in the same tick.
 */
void
uuidnew_forget_states(void)
{
	const UuidVersion *const versions[] = {&uuidnew_v6, &uuidnew_v7, &uuidnew_v8};

	for (int v = 0; v < (int) lengthof(versions); v++)
	{
		for (int i = 0; i < versions[v]->nlayouts; i++)
		{
			const UuidLayout *layout = &versions[v]->layouts[i];

			memset(layout->state, 0, layout_states(layout) * sizeof(SequenceState));
		}
	}
	uuidnew_forget_custom_states();
	uuidnew_clock_forget();
}

/*
 * uuidnew_warn_of_few_random_bits - say once in a session that two others may
 * soon make the same UUID.
 *
 * No error, which would stop an INSERT that has worked so far.
 */
void
uuidnew_warn_of_few_random_bits(const UuidLayout *layout, NodePrefix prefix)
{
	static bool warned = false;
	int			bits = layout->node_bits - prefix.nbits;

	if (warned)
		return;
	warned = true;
	ereport(WARNING,
			(bits > 0 ?
			 errmsg("a node of %d bits leaves only %d random bits", prefix.nbits, bits) :
			 errmsg("a node of %d bits leaves no random bits", prefix.nbits),
			 bits > 0 ?
			 errdetail("Where two sessions with the same node make UUIDs in the same tick, these are the same with a chance of 1 in %d.",
					   1 << bits) :
			 errdetail("Where two sessions with the same node make UUIDs in the same tick, these are the same."),
			 errhint("Use a shorter node, or a different one in each session.")));
}
