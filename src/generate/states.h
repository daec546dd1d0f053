/*
 * states.h
 *	  What a session remembers of each layout and epoch: see states.c.
 */
#ifndef UUIDNEW_STATES_H
#define UUIDNEW_STATES_H

#include "keys/sequence.h"

/* States of built-in layouts with their own epochs */
extern SequenceState uuidnew_states[LAYOUT_NUMBERS];

/* Generates the next UUID; false if the layout can't hold the time. */
typedef bool (*GenerateHook) (const UuidLayout *layout, Tick epoch,
							  NodePrefix prefix, pg_uuid_t *uuid);

/* If set, it generates UUIDs in place of the session's states. */
extern GenerateHook uuidnew_generate_hook;

extern SequenceState *uuidnew_state(const UuidLayout *layout, Tick epoch);
extern void uuidnew_forget_states(void);

/* own_state - the state of a built-in layout with its own epoch. */
static inline SequenceState *
own_state(const UuidLayout *layout)
{
	/* a sum, because gcc computes &uuidnew_states[] again for each access */
	return uuidnew_states + layout->number;
}

#endif							/* UUIDNEW_STATES_H */
