/*
 * states.c
 *	  What the session remembers of each layout and epoch.
 *
 * Pure: test/unit runs it without a server.
 */
#include "postgres.h"

#include "generate/states.h"
#include "keys/custom.h"

SequenceState uuidnew_states[LAYOUT_NUMBERS][EPOCH_STATES];

/*
 * uuidnew_epoch_state - the state of a layout with a name, and an epoch.
 *
 * Each epoch has its own, as a time that was reached with one may be none that
 * another can hold.  When all are taken, further epochs share the last: each
 * still in order, but with the latest time of any.
 */
SequenceState *
uuidnew_epoch_state(const UuidLayout *layout, Tick epoch)
{
	SequenceState *states = uuidnew_states[layout->number];
	int			i;

	if (epoch.sec == layout->epoch && epoch.subsec == 0)
		return states;
	for (i = 1; i < EPOCH_STATES - 1; i++)
	{
		if (!states[i].started || tick_equal(states[i].epoch, epoch))
			break;
	}
	return &states[i];
}

/* Of layouts by numbers, so many sets of numbers and epoch are remembered. */
#define CUSTOM_STATES	32

typedef struct CustomState
{
	char		name[CUSTOM_NAME_SIZE]; /* which gives the numbers */
	Tick		epoch;
	uint64		last_use;
	SequenceState state;
} CustomState;

static CustomState custom_states[CUSTOM_STATES];

/*
 * uuidnew_custom_state - the state of a layout given by numbers, and an epoch.
 *
 * If there are more than there are states, the one that was not used for
 * longest makes room; when it comes back, it starts with the clock.
 */
SequenceState *
uuidnew_custom_state(const UuidLayout *layout, Tick epoch)
{
	static uint64 uses = 0;
	CustomState *oldest = &custom_states[0];

	uses++;
	for (int i = 0; i < CUSTOM_STATES; i++)
	{
		CustomState *state = &custom_states[i];

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

/* uuidnew_forget_states - as if the session had made no UUID yet. */
void
uuidnew_forget_states(void)
{
	memset(uuidnew_states, 0, sizeof(uuidnew_states));
	for (int i = 0; i < CUSTOM_STATES; i++)
		memset(&custom_states[i].state, 0, sizeof(SequenceState));
}
