/*
 * assertion.c
 *	  What PostgreSQL's headers make of an assertion, and of snprintf.
 *
 * Without postgres.h: the arguments differ from version to version.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

extern void ExceptionalCondition(const char *condition);
extern int	pg_snprintf(char *text, size_t size, const char *format, ...);

void
ExceptionalCondition(const char *condition)
{
	fprintf(stderr, "failed assertion: %s\n", condition);
	abort();
}

int
pg_snprintf(char *text, size_t size, const char *format, ...)
{
	va_list		args;
	int			length;

	va_start(args, format);
	length = vsnprintf(text, size, format, args);
	va_end(args);
	return length;
}
