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
	entropy_prepare();
	return generate_by_state(layout, uuidnew_state(layout, epoch), epoch,
							 prefix, uuid);
}
