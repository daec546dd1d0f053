/*
 * calendar.c
 *	  PostgreSQL's calendar functions on top of the C library's.
 *
 * The tests have no server to link with; and an implementation of another
 * origin tells more than the same one.
 */
#include "postgres.h"

#include <time.h>

#include "utils/datetime.h"

#define UNIX_JDATE	2440588		/* 1970-01-01 */

int
date2j(int year, int month, int day)
{
	struct tm	tm =
		{.tm_year = year - 1900, .tm_mon = month - 1, .tm_mday = day};

	return timegm(&tm) / SECS_PER_DAY + UNIX_JDATE;
}

void
j2date(int jd, int *year, int *month, int *day)
{
	time_t		noon =
		((time_t) jd - UNIX_JDATE) * SECS_PER_DAY + SECS_PER_DAY / 2;
	struct tm	tm;

	gmtime_r(&noon, &tm);
	*year = tm.tm_year + 1900;
	*month = tm.tm_mon + 1;
	*day = tm.tm_mday;
}
