/*
 * horizon_support.c
 *	  Planner support of horizons (order/horizon.c): refuses a call in a
 *	  statement that reads a table, as its snapshot is older than the horizon.
 */
#include "postgres.h"

#include "fmgr.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "nodes/supportnodes.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"

#include "compat.h"

/*
 * Does it read a table?  A query reads those that it joins, not all that it
 * knows: an INSERT's own and EXCLUDED are others, and OLD and NEW of a view.
 * The planner has put the parts of a UNION ALL beside it.
 */
static bool
reads_table(Node *node, void *query)
{
	if (node == NULL)
		return false;
	if (IsA(node, RangeTblRef) || IsA(node, AppendRelInfo))
		return rt_fetch(IsA(node, RangeTblRef) ?
						castNode(RangeTblRef, node)->rtindex :
						(int) castNode(AppendRelInfo, node)->child_relid,
						castNode(Query, query)->rtable)->rtekind ==
			RTE_RELATION;
	if (IsA(node, Query))
		return castNode(Query, node)->commandType == CMD_MERGE ||
			query_tree_walker(castNode(Query, node), reads_table, node, 0);
	return expression_tree_walker(node, reads_table, query);
}

PG_FUNCTION_INFO_V1(uuidnew_horizon_support);
Datum
uuidnew_horizon_support(PG_FUNCTION_ARGS)
{
	SupportRequestSimplify *request;
	PlannerInfo *root;
	bool		reads = false;
	ListCell   *cell;

	request = (SupportRequestSimplify *) PG_GETARG_POINTER(0);
	if (!IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(NULL);

	root = request->root;
	foreach(cell, root && root->glob ? root->glob->subroots : NIL)
	{
		PlannerInfo *subroot = lfirst_node(PlannerInfo, cell);

		reads |= reads_table((Node *) subroot->parse, NULL);
	}
	for (; root != NULL && !reads; root = root->parent_root)
		reads = reads_table((Node *) root->parse, NULL) ||
			reads_table((Node *) root->append_rel_list, root->parse);
	if (reads)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("%s() cannot be called in a statement that reads a table",
						get_func_name(request->fcall->funcid)),
				 errdetail("The statement would not see all rows below the horizon."),
				 errhint("Call it in a statement of its own, before.")));
	PG_RETURN_POINTER(NULL);
}
