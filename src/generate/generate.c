/*
 * generate.c
 *	  A new UUID whose epoch and node are the caller's.
 */
#include "postgres.h"

#include "generate/generate.h"

GenerateHook uuidnew_generate_hook = NULL;

/*
 * uuidnew_generate - the next UUID of any layout; false if the layout can't
 * hold the time.
 */
bool
uuidnew_generate(const UuidLayout *layout, Tick epoch, NodePrefix prefix,
				 pg_uuid_t *uuid)
{
	SequenceState *state;

	entropy_prepare();
	state = layout->by_numbers ? uuidnew_custom_state(layout, epoch) :
		uuidnew_epoch_state(layout, epoch);
	return generate_by_state(layout, state, epoch, prefix, uuid);
}
