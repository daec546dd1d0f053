/*
 * key_statistics.h
 *	  What a column's statistics say of the times of its keys: see
 *	  key_statistics.c.
 */
#ifndef UUIDNEW_KEY_STATISTICS_H
#define UUIDNEW_KEY_STATISTICS_H

#include "utils/lsyscache.h"
#include "utils/selfuncs.h"
#include "utils/uuid.h"

#include "layout.h"

/*
 * Keys in the order of a histogram.  Where those of another version come before
 * or after them, more of this one may lie in between: up to a bin.
 */
typedef struct KeyHistogram
{
	pg_uuid_t **values;
	int			n;
	bool		more_before;
	bool		more_after;
} KeyHistogram;

/*
 * What the statistics and the table say of a key's column.
 */
typedef struct KeyStatistics
{
	HeapTuple	tuple;			/* of pg_statistic */
	const UuidLayout *layout;
	AttStatsSlot common;		/* most common values */
	AttStatsSlot histogram;
	double		in_histogram;	/* part of all rows, the newer ones too */
	KeyHistogram of_version;	/* the histogram's keys */
	KeyHistogram others;
	double		newer;			/* part of these rows beyond the histogram */
	bool		newer_of_version;
	pg_uuid_t  *last;			/* of the histogram */
	uint64		now;			/* as decode() reads a key that is made now */
} KeyStatistics;

/* Does a key come after all that the statistics know? */
static inline bool
is_beyond(const KeyStatistics *stats, const pg_uuid_t *uuid)
{
	return stats->last != NULL && memcmp(uuid, stats->last, UUID_LEN) > 0;
}

extern void uuidnew_open_statistics(KeyStatistics *stats, PlannerInfo *root,
									VariableStatData *vardata,
									const UuidLayout *layout, int64 epoch);
extern void uuidnew_close_statistics(KeyStatistics *stats);
extern double uuidnew_rows_at_recent_rate(const KeyStatistics *stats, uint64 from,
										  uint64 to);
extern double uuidnew_newer_below(const KeyStatistics *stats, const pg_uuid_t *bound);
extern void uuidnew_rows_below(const KeyStatistics *stats, const pg_uuid_t *bound,
							   double *of_version, double *others);

#endif							/* UUIDNEW_KEY_STATISTICS_H */
