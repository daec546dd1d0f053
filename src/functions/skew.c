/*
 * skew.c
 *	  uuid_refuse_skew, a trigger that rejects keys if their clock was wrong.
 */
#include "postgres.h"

#include "commands/trigger.h"
#include "executor/spi.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/timestamp.h"

#include "keys/verdict.h"

enum
{
	ARG_COLUMN, ARG_AHEAD, ARG_BACK, NARGS
};

/* The clock plus or minus (operate) an interval */
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

/* The key of a new row; NULL if it is NULL, or an UPDATE has not changed it */
static const pg_uuid_t *
new_key(const TriggerData *data, int column)
{
	TupleDesc	desc = RelationGetDescr(data->tg_relation);
	bool		is_update = TRIGGER_FIRED_BY_UPDATE(data->tg_event);
	bool		isnull;
	Datum		old_key;
	Datum		key = SPI_getbinval(is_update ? data->tg_newtuple :
									data->tg_trigtuple, desc, column, &isnull);

	if (isnull)
		return NULL;
	if (is_update)
	{
		old_key = SPI_getbinval(data->tg_trigtuple, desc, column, &isnull);
		if (!isnull && memcmp(DatumGetUUIDP(key), DatumGetUUIDP(old_key),
							  UUID_LEN) == 0)
			return NULL;
	}
	return DatumGetUUIDP(key);
}

/*
 * Trigger (column, ahead, back): raises 23514 if a new or changed key is later
 * than the clock by more than the interval ahead, or earlier by more than the
 * interval back.  It accepts NULL and UUIDs without a time, and as an AFTER
 * trigger, INSERT ... ON CONFLICT of a row that exists already.
 */
PG_FUNCTION_INFO_V1(uuid_refuse_skew);
Datum
uuid_refuse_skew(PG_FUNCTION_ARGS)
{
	TriggerData *data = (TriggerData *) fcinfo->context;
	char	  **args;
	int			column;
	const pg_uuid_t *key;
	TimestampTz time;
	int			wrong = 0;

	if (!CALLED_AS_TRIGGER(fcinfo) ||
		!TRIGGER_FIRED_AFTER(data->tg_event) ||
		!TRIGGER_FIRED_FOR_ROW(data->tg_event) ||
		TRIGGER_FIRED_BY_DELETE(data->tg_event) ||
		data->tg_trigger->tgnargs != NARGS)
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("uuid_refuse_skew() must be an AFTER INSERT OR UPDATE trigger FOR EACH ROW with the arguments column, ahead and back")));
	args = data->tg_trigger->tgargs;

	column = SPI_fnumber(RelationGetDescr(data->tg_relation),
						 args[ARG_COLUMN]);
	if (column <= 0 ||
		getBaseType(SPI_gettypeid(RelationGetDescr(data->tg_relation),
								  column)) != UUIDOID)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_COLUMN),
				 errmsg("table \"%s\" has no column \"%s\" of type uuid",
						RelationGetRelationName(data->tg_relation),
						args[ARG_COLUMN])));

	key = new_key(data, column);
	if (key == NULL || !time_in_uuid(key, &time))
		return PointerGetDatum(NULL);
	if (time > limit(timestamptz_pl_interval, args[ARG_AHEAD]))
		wrong = ARG_AHEAD;
	else if (time < limit(timestamptz_mi_interval, args[ARG_BACK]))
		wrong = ARG_BACK;
	if (wrong)
		ereport(ERROR,
				(errcode(ERRCODE_CHECK_VIOLATION),
				 errmsg("the key's time, %s, is more than %s %s the server's clock",
						timestamptz_to_str(time), args[wrong],
						wrong == ARG_AHEAD ? "ahead of" : "behind"),
				 errhint("Correct the clock of the machine that generated the key, or widen the limits of the trigger."),
				 errtablecol(data->tg_relation, column)));
	return PointerGetDatum(NULL);
}
