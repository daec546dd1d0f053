/*
 * states.c
 *	  What a session remembers of each layout and epoch.
 */
#include "postgres.h"

#include "generate/states.h"
#include "keys/custom.h"

SequenceState uuidnew_states[LAYOUT_NUMBERS];
GenerateHook uuidnew_generate_hook = NULL;

/* Of chosen layouts and epochs; the least recently used is evicted. */
#define CHOSEN_STATES	32

typedef struct ChosenState
{
	char		name[CUSTOM_NAME_SIZE]; /* of the layout */
	Tick		epoch;
	uint64		last_use;
	SequenceState state;
} ChosenState;

static ChosenState chosen_states[CHOSEN_STATES];

/*
 * uuidnew_state - the state of a layout and an epoch.
 * Each epoch has its own state, because a time that a session reached with one
 * epoch may be out of another's range.  A state that was evicted starts again
 * with the clock.
 */
SequenceState *
uuidnew_state(const UuidLayout *layout, Tick epoch)
{
	static uint64 uses = 0;
	ChosenState *oldest = &chosen_states[0];

	if (!layout->is_custom && epoch.sec == layout->epoch && epoch.subsec == 0)
		return own_state(layout);

	uses++;
	for (int i = 0; i < CHOSEN_STATES; i++)
	{
		ChosenState *state = &chosen_states[i];

		if (tick_equal(state->epoch, epoch) &&
			strcmp(state->name, layout->name) == 0)
		{
			state->last_use = uses;
			return &state->state;
		}
		if (state->last_use < oldest->last_use)
			oldest = state;
	}

	memset(oldest, 0, sizeof(*oldest));
	memcpy(oldest->name, layout->name, strlen(layout->name));
	oldest->epoch = epoch;
	oldest->last_use = uses;
	return &oldest->state;
}

/* uuidnew_forget_states - as if the session had not generated a UUID yet. */
void
uuidnew_forget_states(void)
{
	memset(uuidnew_states, 0, sizeof(uuidnew_states));
	memset(chosen_states, 0, sizeof(chosen_states));
}
