/*
 * uuidnew.c
 *	  What happens when PostgreSQL loads the library.
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/guc.h"

#include "compat.h"
#include "generate/clock.h"
#include "generate/machine_id.h"
#include "order/order.h"
#include "functions/system_functions.h"

UUIDNEW_MODULE_MAGIC;

void
_PG_init(void)
{
	uuidnew_machine_id_define();
	uuidnew_clock_define();
	uuidnew_order_define();
	uuidnew_vb_define();
	MarkGUCPrefixReserved("uuidnew");
}
