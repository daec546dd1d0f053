/*
 * key_statistics.c
 *	  What a column's statistics say of the times of its keys: how many rows are
 *	  below a bound.
 *
 * Rows that are newer than the statistics lie beyond the last value of the
 * histogram.  How many they are is told by what the table has grown since; at
 * least as many as core finds when it looks for them in the index.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/xact.h"
#include "catalog/pg_class.h"
#include "catalog/pg_statistic.h"
#include "parser/parsetree.h"
#include "utils/float.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

#include "key_statistics.h"

/* The end of the histogram that says how many rows come in a time */
#define RECENT_BINS		10

/* More than this, and new rows are taken to have the largest keys. */
#define IN_ORDER_CORRELATION	0.9

static void
add_to_histogram(KeyHistogram *histogram, KeyHistogram *other, pg_uuid_t *value)
{
	histogram->values[histogram->n++] = value;
	histogram->more_after = false;
	if (other->n == 0)
		other->more_before = true;
	else
		other->more_after = true;
}

/*
 * What part of the rows has come since the statistics were made, if new rows have
 * the largest keys.
 */
static double
newer_part(PlannerInfo *root, VariableStatData *vardata)
{
	RangeTblEntry *rte = planner_rt_fetch(vardata->rel->relid, root);
	AttStatsSlot slot;
	bool		in_order;
	HeapTuple	tuple;
	double		known;

	if (rte->rtekind != RTE_RELATION ||
		!get_attstatsslot(&slot, vardata->statsTuple, STATISTIC_KIND_CORRELATION,
						  InvalidOid, ATTSTATSSLOT_NUMBERS))
		return 0;
	in_order = slot.nnumbers == 1 && slot.numbers[0] > IN_ORDER_CORRELATION;
	free_attstatsslot(&slot);
	if (!in_order)
		return 0;

	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(rte->relid));
	if (!HeapTupleIsValid(tuple))
		return 0;
	known = ((Form_pg_class) GETSTRUCT(tuple))->reltuples;
	ReleaseSysCache(tuple);
	return known > 0 && vardata->rel->tuples > known ?
		1 - known / vardata->rel->tuples : 0;
}

/*
 * uuidnew_rows_at_recent_rate - how many rows come in a time, as part of those that the statistics know, if as
 * many come as did at the end of the histogram; infinity if that is not known.
 */
double
uuidnew_rows_at_recent_rate(const KeyStatistics *stats, uint64 from, uint64 to)
{
	const KeyHistogram *histogram = &stats->of_version;
	int			bins = Min(histogram->n - 1, RECENT_BINS);
	uint64		first;
	uint64		last;

	if (bins <= 0 || from == NO_TIME || to == NO_TIME || from >= to)
		return get_float8_infinity();
	first = layout_usecs(stats->layout, histogram->values[histogram->n - 1 - bins]);
	last = layout_usecs(stats->layout, histogram->values[histogram->n - 1]);
	if (first >= last)
		return get_float8_infinity();
	return (double) bins / stats->histogram.nvalues *
		((double) to - (double) from) / ((double) last - (double) first);
}

/* uuidnew_open_statistics - reads the statistics that were found. */
void
uuidnew_open_statistics(KeyStatistics *stats, PlannerInfo *root, VariableStatData *vardata,
						const UuidLayout *layout, int64 epoch)
{
	HeapTuple	tuple = vardata->statsTuple;
	pg_uuid_t	now;

	memset(stats, 0, sizeof(KeyStatistics));
	stats->tuple = tuple;
	stats->layout = layout;
	stats->in_histogram = 1 - ((Form_pg_statistic) GETSTRUCT(tuple))->stanullfrac;
	if (get_attstatsslot(&stats->common, tuple, STATISTIC_KIND_MCV, InvalidOid,
						 ATTSTATSSLOT_VALUES | ATTSTATSSLOT_NUMBERS))
	{
		for (int i = 0; i < stats->common.nnumbers; i++)
			stats->in_histogram -= stats->common.numbers[i];
	}
	if (get_attstatsslot(&stats->histogram, tuple, STATISTIC_KIND_HISTOGRAM,
						 InvalidOid, ATTSTATSSLOT_VALUES))
	{
		int			n = stats->histogram.nvalues;

		stats->of_version.values = palloc(n * sizeof(pg_uuid_t *));
		stats->others.values = palloc(n * sizeof(pg_uuid_t *));
		for (int i = 0; i < n; i++)
		{
			stats->last = DatumGetUUIDP(stats->histogram.values[i]);
			stats->newer_of_version = uuid_version_of(stats->last) == layout->version;
			if (stats->newer_of_version)
				add_to_histogram(&stats->of_version, &stats->others, stats->last);
			else
				add_to_histogram(&stats->others, &stats->of_version, stats->last);
		}
		stats->newer = newer_part(root, vardata);
	}
	uuidnew_layout_min(layout, epoch, GetCurrentStatementStartTimestamp(), &now);
	stats->now = layout_usecs(layout, &now);

	/* a table grows by updates too */
	if (stats->newer > 0 && stats->newer_of_version)
	{
		double		rate = uuidnew_rows_at_recent_rate(stats, layout_usecs(layout, stats->last),
													   stats->now);

		if (rate < stats->newer / (1 - stats->newer))
			stats->newer = rate / (1 + rate);
	}
}

void
uuidnew_close_statistics(KeyStatistics *stats)
{
	free_attstatsslot(&stats->histogram);
	free_attstatsslot(&stats->common);

	/* with many partitions, it adds up */
	if (stats->of_version.values != NULL)
	{
		pfree(stats->of_version.values);
		pfree(stats->others.values);
	}
}

/*
 * What part of the time from low to high has passed at a bound: 0 to 1 if it
 * lies in between, more or less if it doesn't.
 */
static double
part_passed(const UuidLayout *layout, uint64 from, uint64 to, const pg_uuid_t *bound)
{
	uint64		at = layout_usecs(layout, bound);

	if (from == NO_TIME || to == NO_TIME || at == NO_TIME || from >= to)
		return 0.5;
	return ((double) at - (double) from) / ((double) to - (double) from);
}

/*
 * The part of a histogram's keys that are below a bound; between two of them by
 * time, if the layout reads them.
 */
static double
histogram_below(const KeyHistogram *histogram, const UuidLayout *layout,
				const pg_uuid_t *bound)
{
	pg_uuid_t **values = histogram->values;
	double		first = histogram->more_before ? -1 : 0;
	double		last = histogram->n - 1 + (histogram->more_after ? 1 : 0);
	int			low = 0;
	int			high = histogram->n;
	int			bin;
	double		bins;

	while (low < high)
	{
		int			middle = (low + high) / 2;

		if (memcmp(values[middle], bound, UUID_LEN) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (histogram->n < 2)
		return low > 0 ? 1 : 0;

	/* before the first and after the last as in the bin beside it */
	bin = Max(Min(low - 1, histogram->n - 2), 0);
	if (layout == NULL)
		bins = low - 0.5;
	else
		bins = bin + part_passed(layout, layout_usecs(layout, values[bin]),
								 layout_usecs(layout, values[bin + 1]), bound);

	/* the search is exact, the time of a bound may be none */
	bins = Max(Min(bins, low), low - 1);
	return (Max(Min(bins, last), first) - first) / (last - first);
}

/*
 * uuidnew_newer_below - the part of the newer rows that are below a bound: they
 * came until now.  The layout can't read the times of another version: such rows
 * are taken to lie just above the last.
 */
double
uuidnew_newer_below(const KeyStatistics *stats, const pg_uuid_t *bound)
{
	double		part;

	if (memcmp(bound, stats->last, UUID_LEN) <= 0)
		return 0;
	if (!stats->newer_of_version)
		return 1;
	part = part_passed(stats->layout, layout_usecs(stats->layout, stats->last),
					   stats->now, bound);
	return Max(Min(part, 1), 0);
}

/*
 * uuidnew_rows_below - the part of all rows whose key is below a bound: of the version, and others.
 */
void
uuidnew_rows_below(const KeyStatistics *stats, const pg_uuid_t *bound,
				   double *of_version, double *others)
{
	*of_version = *others = 0;
	for (int i = 0; i < stats->common.nvalues; i++)
	{
		pg_uuid_t  *uuid = DatumGetUUIDP(stats->common.values[i]);

		if (memcmp(uuid, bound, UUID_LEN) < 0)
			*(uuid_version_of(uuid) == stats->layout->version ? of_version : others) +=
				stats->common.numbers[i];
	}

	/* before the first key there is none, of any version */
	if (stats->histogram.nvalues > 0 &&
		memcmp(bound, DatumGetUUIDP(stats->histogram.values[0]), UUID_LEN) > 0)
	{
		double		newer = stats->in_histogram * stats->newer;
		double		value = (stats->in_histogram - newer) / stats->histogram.nvalues;

		*of_version += value * stats->of_version.n *
			histogram_below(&stats->of_version, stats->layout, bound);
		*others += value * stats->others.n *
			histogram_below(&stats->others, NULL, bound);
		*(stats->newer_of_version ? of_version : others) += newer * uuidnew_newer_below(stats, bound);
	}
}
