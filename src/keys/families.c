/*
 * families.c
 *	  The layouts of all versions.
 */
#include "postgres.h"

#include "keys/layout.h"

static const UuidFamily *const versions[] = {
	&uuidnew_v6, &uuidnew_v7, &uuidnew_v8
};

/*
 * uuidnew_nth_layout - layout n of all versions, from 0; NULL for another n.
 */
const UuidLayout *
uuidnew_nth_layout(int n)
{
	for (int i = 0; n >= 0 && i < (int) lengthof(versions); i++)
	{
		if (n < versions[i]->nlayouts)
			return &versions[i]->layouts[n];
		n -= versions[i]->nlayouts;
	}
	return NULL;
}
