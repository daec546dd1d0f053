/*
 * generate.c
 *	  What a process does not take over from the one that it was forked from.
 *
 * A library may make UUIDs in the postmaster.  Sessions that went on from
 * there would all count the same sequence in the same tick.
 */
#include "postgres.h"

#include "generate.h"

/*
 * uuidnew_forget_states - start as a process that has made no UUID yet.
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
