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

extern SequenceState *uuidnew_state(const UuidLayout *layout, Tick epoch);
extern void uuidnew_forget_states(void);

/* own_state - the state of a layout with a name, and its own epoch. */
static inline SequenceState *
own_state(const UuidLayout *layout)
{
	return &uuidnew_states[layout->number];
}

#endif							/* UUIDNEW_STATES_H */
