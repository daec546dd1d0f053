/*
 * time_window_estimate.c
 *	  How many rows a window of time has, by the times in the key's statistics.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"
#include "utils/uuid.h"

#include "compat.h"
#include "key_checks.h"
#include "time_window.h"

/* Rows in a window that is not known when a query is planned; as core's */
#define WINDOW_DEFAULT_SELECTIVITY	0.005

/*
 * What part of the time from low to high has passed at a bound: 0 to 1 if it
 * lies in between, more or less if it doesn't.
 */
static double
part_passed(const UuidLayout *layout, const pg_uuid_t *low,
			const pg_uuid_t *high, const pg_uuid_t *bound)
{
	uint64		from = layout->decode(uuid_unpack(low));
	uint64		to = layout->decode(uuid_unpack(high));
	uint64		at = layout->decode(uuid_unpack(bound));

	/* an open end carries no time of iso8601's */
	if (at == NO_TIME)
		return memcmp(bound, low, UUID_LEN) < 0 ? -1 : 2;
	if (from == NO_TIME || to == NO_TIME || from >= to)
		return 0.5;
	return ((double) at - (double) from) / (double) (to - from);
}

/*
 * The UUIDs of one version in a histogram.  Where UUIDs of another version come
 * before or after them, more of this one may lie in between: up to a bin.
 */
typedef struct VersionHistogram
{
	const UuidLayout *layout;
	pg_uuid_t **values;
	int			n;
	bool		more_before;
	bool		more_after;
} VersionHistogram;

/*
 * How many bins of the histogram lie below a bound, in between two of its
 * UUIDs by time; about 0 to n - 1.
 */
static double
bins_below(const VersionHistogram *histogram, const pg_uuid_t *bound)
{
	const UuidLayout *layout = histogram->layout;
	pg_uuid_t **values = histogram->values;
	int			n = histogram->n;
	double		part = 0;
	int			low = 0;
	int			high = n;

	/* how many are below */
	while (low < high)
	{
		int			middle = (low + high) / 2;

		if (memcmp(values[middle], bound, UUID_LEN) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
	{
		if (histogram->more_before)
			part = part_passed(layout, values[0], values[1], bound);
		return Max(part, -1);
	}
	if (low == n)
	{
		if (histogram->more_after)
			part = part_passed(layout, values[n - 2], values[n - 1], bound) - 1;
		return n - 1 + Min(part, 1);
	}
	return low - 1 + part_passed(layout, values[low - 1], values[low], bound);
}

/*
 * The part of a column's rows that lies in [since, until) and is of the
 * version, by the column's statistics.
 */
static double
window_selectivity(VariableStatData *vardata, const UuidLayout *layout,
				   const pg_uuid_t *since, const pg_uuid_t *until)
{
	HeapTuple	tuple = vardata->statsTuple;
	double		nulls = ((Form_pg_statistic) GETSTRUCT(tuple))->stanullfrac;
	AttStatsSlot slot;
	double		common = 0;
	double		selectivity = 0;

	if (get_attstatsslot(&slot, tuple, STATISTIC_KIND_MCV, InvalidOid,
						 ATTSTATSSLOT_VALUES | ATTSTATSSLOT_NUMBERS))
	{
		for (int i = 0; i < slot.nvalues; i++)
		{
			pg_uuid_t  *uuid = DatumGetUUIDP(slot.values[i]);

			common += slot.numbers[i];
			if (uuid_version_of(uuid) == layout->version &&
				memcmp(uuid, since, UUID_LEN) >= 0 &&
				memcmp(uuid, until, UUID_LEN) < 0)
				selectivity += slot.numbers[i];
		}
		free_attstatsslot(&slot);
	}

	if (get_attstatsslot(&slot, tuple, STATISTIC_KIND_HISTOGRAM, InvalidOid,
						 ATTSTATSSLOT_VALUES))
	{
		VersionHistogram histogram = {0};

		histogram.layout = layout;
		histogram.values = palloc(slot.nvalues * sizeof(pg_uuid_t *));
		for (int i = 0; i < slot.nvalues; i++)
		{
			pg_uuid_t  *uuid = DatumGetUUIDP(slot.values[i]);

			if (uuid_version_of(uuid) == layout->version)
			{
				histogram.values[histogram.n++] = uuid;
				histogram.more_after = false;
			}
			else if (histogram.n == 0)
				histogram.more_before = true;
			else
				histogram.more_after = true;
		}
		if (histogram.n > 1)
		{
			double		bins = bins_below(&histogram, until) -
				bins_below(&histogram, since);

			/* n of all values stand for n of all rows, and have n - 1 bins */
			selectivity += (1 - nulls - common) *
				histogram.n / slot.nvalues * Max(bins, 0) / (histogram.n - 1);
		}
		pfree(histogram.values);
		free_attstatsslot(&slot);
	}
	return selectivity;
}

/*
 * The UUID that the key is compared with in a bound, if it is known.
 */
static const pg_uuid_t *
known_bound(PlannerInfo *root, Expr *bound)
{
	Node	   *uuid = estimate_expression_value(root, get_rightop(bound));

	if (!IsA(uuid, Const) || castNode(Const, uuid)->constisnull)
		return NULL;
	return DatumGetUUIDP(castNode(Const, uuid)->constvalue);
}

/*
 * uuidnew_window_estimate - the part of the rows that a window has.
 */
void
uuidnew_window_estimate(SupportRequestSelectivity *request,
						const UuidVersion *version)
{
	VariableStatData vardata;
	const pg_uuid_t *known[] = {[ARG_SINCE] = NULL, [ARG_UNTIL] = NULL};
	List	   *bounds = NIL;
	bool		beside;

	uuidnew_refuse_other_layout(request->root, request->funcid, request->args, false);
	examine_variable(request->root, linitial(request->args), request->varRelid,
					 &vardata);
	for (int i = ARG_SINCE; i <= ARG_UNTIL; i++)
	{
		Expr	   *bound = uuidnew_window_bound(request->root,
												 linitial(request->args),
												 window_end_strategy(i), InvalidOid,
												 request->funcid, version,
												 request->args, i);

		if (bound == NULL)
			continue;
		known[i] = known_bound(request->root, bound);
		if (!window_end_is_open(request->args, i))
			bounds = lappend(bounds, bound);
	}
	beside = vardata.rel != NULL &&
		uuidnew_window_has_bounds_beside(vardata.rel, bounds);
	uuidnew_warn_of_other_layout(request->root, request->funcid,
								 uuidnew_window_layout(version, request->args),
								 &vardata);
	if (known[ARG_SINCE] != NULL && known[ARG_UNTIL] != NULL &&
		HeapTupleIsValid(vardata.statsTuple) && vardata.atttype == UUIDOID &&
		statistic_proc_security_check(&vardata, request->funcid))
	{
		double		selectivity = window_selectivity(&vardata,
													 uuidnew_window_layout(version, request->args),
													 known[ARG_SINCE],
													 known[ARG_UNTIL]);
		double		counted = 1;

		/* what simplify_window() put beside the call is counted already */
		if (beside)
			counted = clauselist_selectivity(request->root, bounds,
											 request->varRelid, request->jointype,
											 request->sjinfo);
		request->selectivity = selectivity < counted ? selectivity / counted : 1;
	}
	else
		request->selectivity = beside ? 1 : WINDOW_DEFAULT_SELECTIVITY;
	ReleaseVariableStats(vardata);
	CLAMP_PROBABILITY(request->selectivity);
}
