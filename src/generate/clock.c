/*
 * clock.c
 *	  Reports when the system clock goes back, or fails.
 *
 * sequence.h keeps the order of keys when the clock goes back, so this is only
 * logged.  A leap ahead of the steady clock is an error, because later keys
 * would keep that time.  With one order for the server, order/reserve.c checks
 * the clock for all sessions.
 */
#include "postgres.h"

#include <limits.h>

#include "utils/guc.h"

#include "generate/clock.h"
#include "generate/states.h"

/* Before the first reading, because a clock may be before 1970 */
#define NEVER_READ		PG_INT64_MIN

#define NO_HISTORY		{.highest = {NEVER_READ, 0}, .offset = NEVER_READ}

ClockHistory uuidnew_clock = NO_HISTORY;
int			uuidnew_max_clock_leap = 0;

/* uuidnew_clock_define - makes the setting known to the server. */
void
uuidnew_clock_define(void)
{
	DefineCustomIntVariable("uuidnew.max_clock_leap",
							"Sets how far the system clock may leap ahead before generating a UUID is an error.",
							"0 allows any leap.",
							&uuidnew_max_clock_leap,
							SECS_PER_HOUR,
							0,
							INT_MAX,
							PGC_SUSET,
							GUC_UNIT_S,
							NULL,
							NULL,
							NULL);
}

static double
clock_difference(ClockTime a, ClockTime b)
{
	return (double) (a.sec - b.sec) + ((double) a.nsec - b.nsec) /
		NSECS_PER_SEC;
}

/*
 * Logs once that the clock is more than a second behind the highest reading,
 * and again whenever it goes back further.
 */
static void
went_back(ClockTime now)
{
	ClockHistory *history = &uuidnew_clock;
	double		behind = clock_difference(history->highest, now);

	if (behind > MAX_SLEW_SECS &&
		(history->reported != REPORTED_BACK ||
		 clock_difference(history->last, now) > MAX_SLEW_SECS))
	{
		history->reported = REPORTED_BACK;
		ereport(LOG,
				(errmsg("system clock went back by %.3f seconds", behind),
				 errdetail("Generated UUIDs keep their order and the time reached before until the clock catches up.")));
	}
	history->last = now;
}

/*
 * uuidnew_steady_sec - seconds of a clock that cannot be set and, where the
 * system has one, that counts while the machine sleeps.
 */
int64
uuidnew_steady_sec(void)
{
	struct timespec ts;

#ifdef CLOCK_BOOTTIME
	if (clock_gettime(CLOCK_BOOTTIME, &ts) == 0)
		return ts.tv_sec;
#endif
	if (clock_gettime(CLOCK_MONOTONIC, &ts) == 0)
		return ts.tv_sec;
	ereport(ERROR,
			(errcode(ERRCODE_SYSTEM_ERROR),
			 errmsg("could not read the system's monotonic clock: %m")));
}

/*
 * uuidnew_clock_check_leap - raises an ERROR if the clock has leapt ahead by
 * too many seconds, and logs the first leap since the clock was right.
 */
void
uuidnew_clock_check_leap(int64 secs, ClockReport *reported, const char *hint)
{
	bool		is_leap = uuidnew_max_clock_leap > 0 &&
		secs > uuidnew_max_clock_leap;
	bool		report = *reported != REPORTED_LEAP;

	*reported = is_leap ? REPORTED_LEAP : NO_REPORT;
	if (!is_leap)
		return;

	/* with one order for the server, the time has become the highest */
	if (uuidnew_generate_hook != NULL)
		uuidnew_clock_forget();
	if (report)
		ereport(LOG,
				(errmsg("system clock leapt ahead by %lld seconds",
						(long long) secs),
				 errdetail("Generating UUIDs is an error until the clock is set back.")));
	ereport(ERROR,
			(errcode(ERRCODE_SYSTEM_ERROR),
			 errmsg("system clock leapt ahead by %lld seconds",
					(long long) secs),
			 errdetail("UUIDs are not generated after a leap of more than %d seconds, the value of \"uuidnew.max_clock_leap\".",
					   uuidnew_max_clock_leap),
			 errhint("Correct the clock.  If it is right now, %s.", hint)));
}

/* Raises an ERROR if the clock has leapt ahead since the last second. */
static void
check_leap(ClockTime now)
{
	ClockHistory *history = &uuidnew_clock;
	int64		offset = now.sec - uuidnew_steady_sec();

	if (history->offset != NEVER_READ && uuidnew_generate_hook == NULL)
		uuidnew_clock_check_leap(offset - history->offset, &history->reported,
								 "connect again");

	/* not if the process was stopped between the two readings */
	if (time(NULL) - now.sec <= MAX_SLEW_SECS)
		history->offset = offset;
}

/* uuidnew_clock_moved - the clock was read in another second, or went back. */
void
uuidnew_clock_moved(ClockTime now)
{
	ClockHistory *history = &uuidnew_clock;

	if (clock_before(now, history->highest))
		went_back(now);
	else
	{
		check_leap(now);
		history->highest = now;
		history->last = now;
		history->reported = NO_REPORT;
	}
}

/* An INSERT does not fail: the sequence continues from the last reading. */
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
