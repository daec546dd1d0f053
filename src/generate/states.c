/*
 * states.c
 *	  What the session remembers of each layout and epoch.
 *
 * Pure: test/unit runs it without a server.
 */
#include "postgres.h"

#include "generate/states.h"
#include "keys/custom.h"

SequenceState uuidnew_states[LAYOUT_NUMBERS];
GenerateHook uuidnew_generate_hook = NULL;

/* Beside them, of so many layouts and epochs that the caller has chosen */
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
 *
 * Each epoch has its own, as a time that was reached with one may be none that
 * another can hold.  If there are more than there are states, the one that was
 * not used for longest makes room; when it comes back, it starts with the
 * clock.
 */
SequenceState *
uuidnew_state(const UuidLayout *layout, Tick epoch)
{
	static uint64 uses = 0;
	ChosenState *oldest = &chosen_states[0];

	if (!layout->by_numbers && epoch.sec == layout->epoch && epoch.subsec == 0)
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

/* uuidnew_forget_states - as if the session had made no UUID yet. */
void
uuidnew_forget_states(void)
{
	memset(uuidnew_states, 0, sizeof(uuidnew_states));
	memset(chosen_states, 0, sizeof(chosen_states));
}
