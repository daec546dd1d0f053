/*
 * clock.c
 *	  What happens when the system clock misbehaves.
 *
 * The clock is handed out as it is read: keeping order when it goes back is
 * the business of sequence.h.  Here a step back is only reported.
 */
#include "postgres.h"

#include "generate/clock.h"
#include "keys/sequence.h"

/* Before the first reading; the clock itself may stand before 1970. */
#define NEVER_READ		PG_INT64_MIN

#define NO_HISTORY		{.highest = {NEVER_READ, 0}}

ClockHistory uuidnew_clock = NO_HISTORY;

static double
clock_difference(ClockTime a, ClockTime b)
{
	return (double) (a.sec - b.sec) + ((double) a.nsec - b.nsec) /
		NSECS_PER_SEC;
}

/*
 * The clock is behind the highest reading.  Say so once for each step back:
 * when it is first found more than a second behind, and again if it then goes
 * back further.
 */
void
uuidnew_clock_went_back(ClockTime now)
{
	ClockHistory *history = &uuidnew_clock;
	double		behind = clock_difference(history->highest, now);

	if (behind > SET_BACK_SECS &&
		(!history->reported ||
		 clock_difference(history->last, now) > SET_BACK_SECS))
	{
		history->reported = true;
		ereport(LOG,
				(errmsg("system clock went back by %.3f seconds", behind),
				 errdetail("Generated UUIDs keep the time reached before, and their order, until the clock catches up.")));
	}
	history->last = now;
}

/*
 * A clock that can't be read doesn't stop an INSERT: the sequence goes on from
 * the last time read.
 */
ClockTime
uuidnew_clock_failed(void)
{
	const ClockHistory *history = &uuidnew_clock;

	if (history->highest.sec == NEVER_READ)
		ereport(ERROR,
				(errcode(ERRCODE_SYSTEM_ERROR),
				 errmsg("could not read the system clock: %m")));
	return history->last;
}

/* uuidnew_clock_forget - as if the clock had never been read. */
void
uuidnew_clock_forget(void)
{
	uuidnew_clock = (ClockHistory) NO_HISTORY;
}
