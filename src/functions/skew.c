/*
 * skew.c
 *	  uuid_refuse_skew, a trigger against keys of a machine with a wrong clock.
 */
#include "postgres.h"

#include "commands/trigger.h"
#include "executor/spi.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "call/arguments.h"

enum
{
	ARG_COLUMN,
	ARG_AHEAD,
	ARG_BACK,
	NARGS
};

/* The clock and so much: operate adds, or takes away */
static TimestampTz
limit(PGFunction operate, char *length)
{
	Datum		clock = TimestampTzGetDatum(GetCurrentTimestamp());
	Datum		interval = DirectFunctionCall3(interval_in,
											   CStringGetDatum(length),
											   ObjectIdGetDatum(InvalidOid),
											   Int32GetDatum(-1));

	return DatumGetTimestampTz(DirectFunctionCall2(operate, clock, interval));
}

/*
 * uuid_refuse_skew(column, ahead, back): after each row that is inserted, or
 * whose key is changed.  After, so that INSERT ... ON CONFLICT of a row that
 * is there already passes.
 *
 * 23514 if uuid_time() of the key is later than the clock by more than ahead,
 * or earlier by more than back, which are intervals.  NULL and UUIDs without a
 * time pass.  The clock is that of new keys; now() is older than they are.
 */
PG_FUNCTION_INFO_V1(uuid_refuse_skew);
Datum
uuid_refuse_skew(PG_FUNCTION_ARGS)
{
	TriggerData *data = (TriggerData *) fcinfo->context;
	const Trigger *trigger;
	TupleDesc	desc;
	int			column;
	Datum		key;
	Datum		old_key;
	bool		isnull;
	TimestampTz time;
	int			wrong = 0;

	if (!CALLED_AS_TRIGGER(fcinfo) ||
		!TRIGGER_FIRED_AFTER(data->tg_event) ||
		!TRIGGER_FIRED_FOR_ROW(data->tg_event) ||
		TRIGGER_FIRED_BY_DELETE(data->tg_event) ||
		data->tg_trigger->tgnargs != NARGS)
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("uuid_refuse_skew() must be a trigger AFTER each row that is inserted or updated, with the arguments column, ahead and back")));
	trigger = data->tg_trigger;
	desc = RelationGetDescr(data->tg_relation);

	column = SPI_fnumber(desc, trigger->tgargs[ARG_COLUMN]);
	if (column <= 0 || getBaseType(SPI_gettypeid(desc, column)) != UUIDOID)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_COLUMN),
				 errmsg("table \"%s\" has no column \"%s\" of type uuid",
						RelationGetRelationName(data->tg_relation),
						trigger->tgargs[ARG_COLUMN])));

	key = SPI_getbinval(TRIGGER_FIRED_BY_UPDATE(data->tg_event) ?
						data->tg_newtuple : data->tg_trigtuple,
						desc, column, &isnull);
	if (isnull || !uuidnew_time(DatumGetUUIDP(key), &time))
		return PointerGetDatum(NULL);
	if (TRIGGER_FIRED_BY_UPDATE(data->tg_event))
	{
		old_key = SPI_getbinval(data->tg_trigtuple, desc, column, &isnull);
		if (!isnull && memcmp(DatumGetUUIDP(key), DatumGetUUIDP(old_key),
							  UUID_LEN) == 0)
			return PointerGetDatum(NULL);
	}

	if (time > limit(timestamptz_pl_interval, trigger->tgargs[ARG_AHEAD]))
		wrong = ARG_AHEAD;
	else if (time < limit(timestamptz_mi_interval, trigger->tgargs[ARG_BACK]))
		wrong = ARG_BACK;
	if (wrong)
		ereport(ERROR,
				(errcode(ERRCODE_CHECK_VIOLATION),
				 errmsg("the key's time, %s, is more than %s %s the server's clock",
						timestamptz_to_str(time), trigger->tgargs[wrong],
						wrong == ARG_AHEAD ? "ahead of" : "behind"),
				 errhint("Correct the clock of the machine that made the key, or widen the limits of the trigger."),
				 errtablecol(data->tg_relation, column)));
	return PointerGetDatum(NULL);
}
