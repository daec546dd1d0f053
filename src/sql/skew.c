/*
 * skew.c
 *	  uuid_refuse_skew: a trigger against keys whose time is too far from the
 *	  server's clock, as those of a machine whose own clock is wrong.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "commands/trigger.h"
#include "executor/spi.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "sql/arguments.h"

/* This time plus or minus an interval, by PostgreSQL's operator */
static TimestampTz
moved(TimestampTz timestamp, PGFunction by, const char *interval)
{
	Datum		span = DirectFunctionCall3(interval_in,
										   CStringGetDatum(interval),
										   ObjectIdGetDatum(InvalidOid),
										   Int32GetDatum(-1));
	Datum		result = DirectFunctionCall2(by,
											 TimestampTzGetDatum(timestamp),
											 span);

	return DatumGetTimestampTz(result);
}

/*
 * A trigger BEFORE each row, with the arguments column, ahead and back: 23514
 * if uuid_time() of the key is later than the clock by more than ahead, or
 * earlier by more than back.  NULL and UUIDs without a time pass.
 *
 * The clock is clock_timestamp(), as for new keys: now() is when a transaction
 * began.
 */
PG_FUNCTION_INFO_V1(uuid_refuse_skew);
Datum
uuid_refuse_skew(PG_FUNCTION_ARGS)
{
	TriggerData *call = (TriggerData *) fcinfo->context;
	TimestampTz clock = GetCurrentTimestamp();
	TimestampTz timestamp;
	TupleDesc	desc;
	HeapTuple	row;
	char	  **args;
	int			column;
	bool		ahead;

	LOCAL_FCINFO(key, 1);

	if (!CALLED_AS_TRIGGER(fcinfo) || !TRIGGER_FIRED_BEFORE(call->tg_event) ||
		!TRIGGER_FIRED_FOR_ROW(call->tg_event) ||
		call->tg_trigger->tgnargs != 3)
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("uuid_refuse_skew() must be a trigger BEFORE each row, with the arguments column, ahead and back")));
	args = call->tg_trigger->tgargs;
	desc = RelationGetDescr(call->tg_relation);
	column = SPI_fnumber(desc, args[0]);
	if (column <= 0 || getBaseType(SPI_gettypeid(desc, column)) != UUIDOID)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_COLUMN),
				 errmsg("table \"%s\" has no column \"%s\" of type uuid",
						RelationGetRelationName(call->tg_relation), args[0])));

	row = TRIGGER_FIRED_BY_UPDATE(call->tg_event) ? call->tg_newtuple :
		call->tg_trigtuple;
	InitFunctionCallInfoData(*key, NULL, 1, InvalidOid, NULL, NULL);
	key->args[0].value = SPI_getbinval(row, desc, column, &key->isnull);
	if (!key->isnull)
		timestamp = DatumGetTimestampTz(uuid_time(key));
	if (key->isnull)
		return PointerGetDatum(row);

	ahead = timestamp > moved(clock, timestamptz_pl_interval, args[1]);
	if (ahead || timestamp < moved(clock, timestamptz_mi_interval, args[2]))
		ereport(ERROR,
				(errcode(ERRCODE_CHECK_VIOLATION),
				 errmsg("the key's time, %s, is more than %s %s the server's clock",
						timestamptz_to_str(timestamp),
						args[ahead ? 1 : 2], ahead ? "ahead of" : "behind"),
				 errhint("Correct the clock of the machine that made the key."),
				 errtablecol(call->tg_relation, column)));
	return PointerGetDatum(row);
}
