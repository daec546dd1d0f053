/*
 * horizon.c
 *	  The UUID below which nothing is in flight: uuid_v7_horizon and the like.
 *
 * It is a key made now or, where keys are in flight (flight.c), the first UUID
 * of the tick that the first of them is in: what is smaller is visible, or
 * never will be.
 *
 * planner/horizon_support.c refuses a call whose statement has an older
 * snapshot.
 */
#include "postgres.h"

#include "access/xact.h"
#include "access/xlog.h"
#include "utils/snapmgr.h"

#include "keys/v7.h"
#include "order/order.h"
#include "call/arguments.h"

/* Raises an ERROR where there is no horizon, or none for the snapshot. */
static void
check_use(void)
{
	if (uuidnew_order_scope == SCOPE_SESSION)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("there is no horizon with \"uuidnew.order_scope\" = \"session\""),
				 errhint("Set it to \"server\" in the server's configuration, and restart the server.")));
	uuidnew_order_check();
	if (RecoveryInProgress())
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("there is no horizon during recovery"),
				 errhint("Ask the primary server.")));
	if (IsolationUsesXactSnapshot() && FirstSnapshotSet)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the snapshot of this transaction is older than a horizon"),
				 errdetail("Rows below the horizon may be missing in it."),
				 errhint("Use the isolation level READ COMMITTED.")));
	uuidnew_check_prepared();
}

/* ([layout [, epoch]]) -> uuid */
static Datum
horizon(FunctionCallInfo fcinfo, const UuidFamily *family)
{
	const UuidLayout *layout = layout_arg(fcinfo, 0, family);
	TimestampTz epoch_time = epoch_arg(fcinfo, 1, layout);
	Tick		epoch = epoch_tick(layout, epoch_time);
	UuidPayload payload;
	TimestampTz oldest;
	Tick		tick;
	Tick		first;
	int			holder;
	bool		fits;

	if (layout->era_secs != 0)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("layout \"%s\" has no horizon", layout->name),
				 errdetail("Its timestamps begin again with each era, below those of the one before."),
				 errhint("Use another layout, such as \"unix64\".")));
	check_use();

	/* all keys from now on are above this one */
	fits = uuidnew_order_next(layout, epoch, machine_id_prefix(), &tick,
							  &payload);
	oldest = uuidnew_oldest_in_flight(&holder);
	if (oldest != NOT_IN_FLIGHT)
	{
		first = tick_at_time(layout, oldest, 0);
		if (!tick_after(first, tick))
			fits = fits && encode_tick(layout, first, epoch, &payload);
	}
	if (!fits)
		uuidnew_time_out_of_range(layout, epoch_time, 0, NULL);
	return return_payload(payload, layout->version);
}

SQL_FUNCTION(uuid_v6_horizon, horizon(fcinfo, &uuidnew_v6))
SQL_FUNCTION(uuid_v7_horizon, horizon(fcinfo, &uuidnew_v7))
SQL_FUNCTION(uuidv7_horizon, horizon(fcinfo, &uuidnew_uuidv7_family))
SQL_FUNCTION(uuid_v8_horizon, horizon(fcinfo, &uuidnew_v8))
