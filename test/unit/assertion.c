/*
 * assertion.c
 *	  What the headers of a PostgreSQL with assertions call where one fails.
 *
 * Without postgres.h: its arguments differ from version to version.
 */
#include <stdio.h>
#include <stdlib.h>

extern void ExceptionalCondition(const char *condition);

void
ExceptionalCondition(const char *condition)
{
	fprintf(stderr, "failed assertion: %s\n", condition);
	abort();
}
