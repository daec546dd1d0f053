/*
 * horizon.c
 *	  The UUID below which nothing is in flight: uuid_v7_horizon and the like.
 *
 * It is a key made now, or the smallest of the keys in flight (horizon_keys.c):
 * what is smaller is visible, or never will be.
 */
#include "postgres.h"

#include "access/xact.h"
#include "access/xlog.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "nodes/supportnodes.h"
#include "tcop/pquery.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"

#include "arguments.h"
#include "compat.h"
#include "horizon.h"
#include "v7.h"

static void
check_use(void)
{
	if (!uuidnew_order_is_servers())
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("there is no horizon with \"uuidnew.order_scope\" = \"session\""),
				 errhint("Set it to \"server\" in the server's configuration.")));
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
}

static Datum
horizon(const UuidLayout *layout, TimestampTz epoch_time)
{
	Tick		epoch = epoch_tick(layout, epoch_time);
	LayoutLink *link;
	KeyPosition lowest;
	UuidPayload payload;
	uint32		change;

	check_use();
	link = uuidnew_order_link(layout, epoch);
	do
	{
		CHECK_FOR_INTERRUPTS();
		change = uuidnew_horizon_settle();

		/* all keys from now on are above this one */
		(void) uuidnew_order_next(link, epoch, machine_id_prefix(), false, &lowest);
	} while (!uuidnew_lower_to_first_key(link, &lowest));
	uuidnew_horizon_check_heard(change);

	if (!encode_tick(layout, lowest.tick, epoch, &payload))
		uuidnew_time_out_of_range(layout, epoch_time);
	payload.hi |= lowest.rest.hi;
	payload.lo |= lowest.rest.lo;
	return return_payload(payload, layout->version);
}

/* () -> uuid */
PG_FUNCTION_INFO_V1(uuid_v6_horizon);
Datum
uuid_v6_horizon(PG_FUNCTION_ARGS)
{
	const UuidLayout *layout = uuidnew_v6.default_layout;

	return horizon(layout, layout_epoch(layout));
}

/* ([layout]) -> uuid */
PG_FUNCTION_INFO_V1(uuid_v7_horizon);
Datum
uuid_v7_horizon(PG_FUNCTION_ARGS)
{
	const UuidLayout *layout = layout_arg(fcinfo, 0, &uuidnew_v7);

	return horizon(layout, layout_epoch(layout));
}

/* () -> uuid */
PG_FUNCTION_INFO_V1(uuidv7_horizon);
Datum
uuidv7_horizon(PG_FUNCTION_ARGS)
{
	return horizon(uuidnew_v7_rfc9562, layout_epoch(uuidnew_v7_rfc9562));
}

/* ([layout [, epoch]]) -> uuid */
PG_FUNCTION_INFO_V1(uuid_v8_horizon);
Datum
uuid_v8_horizon(PG_FUNCTION_ARGS)
{
	const UuidLayout *layout = layout_arg(fcinfo, 0, &uuidnew_v8);

	return horizon(layout, epoch_arg(fcinfo, 1, layout));
}

/*
 * Planner support: in a statement that reads a table, the snapshot is older
 * than the horizon.
 */

static bool
reads_table(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (IsA(node, Query))
	{
		Query	   *query = castNode(Query, node);
		int			target = query->commandType == CMD_INSERT ? query->resultRelation : 0;
		int			number = 0;
		ListCell   *cell;

		foreach(cell, query->rtable)
		{
			RangeTblEntry *rte = lfirst_node(RangeTblEntry, cell);

			if (++number != target && rte->rtekind == RTE_RELATION)
				return true;
		}
		return query_tree_walker(query, reads_table, context, 0);
	}
	return expression_tree_walker(node, reads_table, context);
}

/* Is it an argument of EXECUTE, whose query has the snapshot from before? */
static bool
in_execute(void)
{
	Node	   *statement;

	if (ActivePortal == NULL || list_length(ActivePortal->stmts) != 1)
		return false;
	statement = linitial_node(PlannedStmt, ActivePortal->stmts)->utilityStmt;
	while (statement != NULL && (IsA(statement, CreateTableAsStmt) || IsA(statement, ExplainStmt)))
	{
		Node	   *query = IsA(statement, ExplainStmt) ?
			castNode(ExplainStmt, statement)->query : castNode(CreateTableAsStmt, statement)->query;

		statement = castNode(Query, query)->utilityStmt;
	}
	return statement != NULL && IsA(statement, ExecuteStmt);
}

PG_FUNCTION_INFO_V1(uuid_horizon_support);
Datum
uuid_horizon_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);
	PlannerInfo *root;
	ListCell   *cell;
	bool		reads;

	if (!IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(NULL);

	root = ((SupportRequestSimplify *) request)->root;
	reads = root == NULL && in_execute();
	if (root != NULL && root->glob != NULL)
		foreach(cell, root->glob->subroots)
			reads |= reads_table((Node *) lfirst_node(PlannerInfo, cell)->parse, NULL);
	for (; root != NULL && !reads; root = root->parent_root)
		reads = reads_table((Node *) root->parse, NULL);
	if (reads)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("%s() cannot be called in a statement that reads a table",
						get_func_name(((SupportRequestSimplify *) request)->fcall->funcid)),
				 errdetail("The statement would not see all rows below the horizon."),
				 errhint("Call it in a statement of its own, before.")));
	PG_RETURN_POINTER(NULL);
}
