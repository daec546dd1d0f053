/*
 * families.c
 *	  The layouts of all versions.
 */
#include "postgres.h"

#include "keys/layout.h"

static const UuidFamily *const versions[] = {
	&uuidnew_v6, &uuidnew_v7, &uuidnew_v8
};

/* uuidnew_layout - the layouts of all versions by a number, then NULL. */
const UuidLayout *
uuidnew_layout(int n)
{
	for (int i = 0; i < (int) lengthof(versions); i++)
	{
		if (n < versions[i]->nlayouts)
			return &versions[i]->layouts[n];
		n -= versions[i]->nlayouts;
	}
	return NULL;
}
