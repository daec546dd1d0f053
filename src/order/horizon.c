/*
 * horizon.c
 *	  The UUID below which no row can appear: uuid_v7_horizon and the like.
 *
 * Each smaller key was generated in a transaction that the active snapshot
 * sees, or whose rows will never be visible.  So a statement can compare keys
 * with the horizon and misses no row.
 *
 * In a transaction, each call with the same snapshot returns the same horizon,
 * because a statement may call for each row: with a later second horizon, it
 * could return a row above the first one and miss another.
 */
#include "postgres.h"

#include "access/parallel.h"
#include "access/transam.h"
#include "access/xlog.h"
#include "common/hashfn.h"
#include "utils/snapmgr.h"

#include "keys/v7.h"
#include "order/order.h"
#include "call/arguments.h"

typedef struct KnownHorizon
{
	const UuidLayout *layout;
	Tick		epoch;
	TransactionId xmax;			/* of the snapshot */
	uint64		xids;			/* hash of its xip: an ID may be there twice */
	bool		is_found;
	UuidPayload payload;
} KnownHorizon;

static KnownHorizon known[32];	/* in the transaction */

/*
 * Returns a known horizon, or a place for it: a free one, or the place of the
 * oldest snapshot.  Raises an ERROR if the horizon may have been replaced.
 */
static KnownHorizon *
known_horizon(const UuidLayout *layout, Tick epoch, Snapshot snapshot)
{
	uint64		xids =
		hash_bytes_extended((const unsigned char *) snapshot->xip,
						snapshot->xcnt * sizeof(TransactionId),
						snapshot->takenDuringRecovery);
	KnownHorizon *place = known;

	for (int i = 0; i < uuidnew_known_horizons; i++)
	{
		KnownHorizon *horizon = &known[i];

		if (horizon->layout == layout && horizon->xmax == snapshot->xmax &&
			horizon->xids == xids && tick_equal(horizon->epoch, epoch))
			return horizon;
		if (TransactionIdPrecedes(horizon->xmax, place->xmax))
			place = horizon;
	}
	if (uuidnew_known_horizons < (int) lengthof(known))
		place = &known[uuidnew_known_horizons++];
	else if (TransactionIdPrecedesOrEquals(snapshot->xmax, place->xmax))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the transaction has requested too many horizons"),
				 errhint("Keep a horizon in a variable, or begin a new transaction.")));
	*place = (KnownHorizon) {layout, epoch, snapshot->xmax, xids, false, {0}};
	return place;
}

/* The horizon of a snapshot; false if the layout can't hold its time */
static bool
snapshot_horizon(const UuidLayout *layout, Tick epoch, Snapshot snapshot,
				 UuidPayload *payload)
{
	TimestampTz oldest;
	Tick		tick;
	Tick		first;
	int			holder;

	/* first, because keys that come into flight from now on are greater */
	if (!uuidnew_order_next(layout, epoch, machine_id_prefix(), &tick,
							payload))
		return false;
	oldest = uuidnew_oldest_in_flight(snapshot, &holder);

	/* last, because a transaction is kept there before it leaves flight */
	pg_read_barrier();
	oldest = Min(oldest, uuidnew_oldest_unseen(snapshot));
	first = tick_at_time(layout, oldest, 0);
	return tick_after(first, tick) ||
		encode_tick(layout, first, epoch, payload);
}

/* ([layout [, epoch]]) -> uuid */
static Datum
return_horizon(FunctionCallInfo fcinfo, const UuidFamily *family)
{
	const UuidLayout *layout = layout_arg(fcinfo, 0, family);
	TimestampTz epoch_time = epoch_arg(fcinfo, 1, layout);
	Tick		epoch = epoch_tick(layout, epoch_time);
	KnownHorizon *horizon;
	Snapshot	snapshot;

	if (layout->era_secs != 0)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("layout \"%s\" has no horizon", layout->name),
				 errdetail("Its timestamps begin again with each era, below the timestamps of the era before."),
				 errhint("Use another layout, such as \"unix64\".")));
	uuidnew_order_require_shared("horizon");
	if (RecoveryInProgress() || IsParallelWorker())
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("there is no horizon during recovery or in a parallel worker"),
				 errhint("Ask the primary server, and declare your functions PARALLEL RESTRICTED.")));

	snapshot = ActiveSnapshotSet() ? GetActiveSnapshot() :
		GetTransactionSnapshot();
	horizon = known_horizon(layout, epoch, snapshot);
	if (!horizon->is_found)
	{
		uuidnew_check_snapshot(snapshot);
		if (!snapshot_horizon(layout, epoch, snapshot, &horizon->payload))
			uuidnew_time_out_of_range(layout, epoch_time, 0, NULL);
		horizon->is_found = true;
	}
	return return_payload(horizon->payload, layout->version);
}

SQL_FUNCTION(uuid_v6_horizon, return_horizon(fcinfo, &uuidnew_v6))
SQL_FUNCTION(uuid_v7_horizon, return_horizon(fcinfo, &uuidnew_v7))
SQL_FUNCTION(uuidv7_horizon, return_horizon(fcinfo, &uuidnew_uuidv7_family))
SQL_FUNCTION(uuid_v8_horizon, return_horizon(fcinfo, &uuidnew_v8))
