/*
 * states.h
 *	  What the session remembers of each layout and epoch: see states.c.
 *
 * Pure: test/unit runs it without a server.
 */
#ifndef UUIDNEW_STATES_H
#define UUIDNEW_STATES_H

#include "keys/sequence.h"

/* Of the layouts with names, with their own epochs */
extern SequenceState uuidnew_states[LAYOUT_NUMBERS];

/* Makes the next UUID; false if the layout can't hold the time. */
typedef bool (*GenerateHook) (const UuidLayout *layout, Tick epoch,
							  NodePrefix prefix, pg_uuid_t *uuid);

/* If set, it makes UUIDs in place of the session's own states. */
extern GenerateHook uuidnew_generate_hook;

extern SequenceState *uuidnew_state(const UuidLayout *layout, Tick epoch);
extern void uuidnew_forget_states(void);

/* own_state - the state of a layout with a name, and its own epoch. */
static inline SequenceState *
own_state(const UuidLayout *layout)
{
	return &uuidnew_states[layout->number];
}

#endif							/* UUIDNEW_STATES_H */
