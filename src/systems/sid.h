/*
 * sid.h
 *	  The text of SIDs: two numbers with a hyphen between, in one of four bases.
 */
#ifndef UUIDNEW_SID_H
#define UUIDNEW_SID_H

#include "systems/number.h"

typedef struct SidForm
{
	const char *name;
	Alphabet   *alphabet;
	int			digits;			/* of each number */
	bool		unpadded;		/* the first has no zeros in front */
} SidForm;

#define SID_FORMS	4

/* The first is the project's own default. */
extern const SidForm uuidnew_sid_forms[SID_FORMS];

extern bool uuidnew_sid_parse(const char *text, int len, Number *id);
extern int	uuidnew_sid_format(const SidForm *form, Number id, char *text);

#endif							/* UUIDNEW_SID_H */
