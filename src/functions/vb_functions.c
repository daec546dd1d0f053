/*
 * vb_functions.c
 *	  The SQL functions of Groupon's Locality UUID, version b.
 *
 * Readers give NULL for a UUID of another version, and for a counter that was
 * lost.  All raise 22023 for an unknown mode.
 *
 * The setting uuidnew.vb_mac is the address of a machine, for defaults that
 * are the same on all.
 */
#include "postgres.h"

#include "common/md5.h"
#include "utils/builtins.h"
#include "utils/datetime.h"
#include "utils/guc.h"
#include "utils/inet.h"

#include "generate/clock.h"
#include "generate/entropy.h"
#include "call/arguments.h"
#include "functions/system_functions.h"
#include "systems/vb.h"

/* What a backend counts in each mode. */
typedef struct VbState
{
	int			pid;			/* that started the counter */
	uint32		counter;		/* of the next UUID */
	uint32		mac_fragment;	/* where no address is given */
} VbState;

static VbState vb_states[VB_SEQUENTIAL + 1];

/* uuidnew.vb_mac */
static char *mac_string = NULL;
static bool mac_is_set = false;
static uint32 mac_setting = 0;	/* the last 28 bits of mac_string */

static bool
check_mac(char **newval, void **extra, GucSource source)
{
	uint32		mac_fragment;

	if ((*newval)[0] == '\0' || uuidnew_vb_parse_mac(*newval, &mac_fragment))
		return true;
	GUC_check_errdetail("It must be a MAC address of 12 hexadecimal digits, or empty.");
	return false;
}

static void
assign_mac(const char *newval, void *extra)
{
	mac_is_set = uuidnew_vb_parse_mac(newval, &mac_setting);
}

/* uuidnew_vb_define - define uuidnew.vb_mac, at the library's start. */
void
uuidnew_vb_define(void)
{
	DefineCustomStringVariable("uuidnew.vb_mac",
							   "Sets the MAC address of this machine, of which version b UUIDs hold the last 28 bits.",
							   "An empty string means random bits instead, of each session its own.",
							   &mac_string,
							   "",
							   PGC_SUSET,
							   0,
							   check_mac,
							   assign_mac,
							   NULL);
}

/* VB_JAVA only for a reader */
static VbMode
mode_arg(FunctionCallInfo fcinfo, int argno, bool reader)
{
	const text *name;

	if (PG_NARGS() <= argno)
		return VB_VARIABLE;
	name = PG_GETARG_TEXT_PP(argno);
	if (text_is(name, "variable"))
		return VB_VARIABLE;
	if (text_is(name, "sequential"))
		return VB_SEQUENTIAL;
	if (reader && text_is(name, "java"))
		return VB_JAVA;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("unknown mode \"%s\" for UUID version b", text_to_cstring(name)),
			 reader ?
			 errhint("Valid modes are \"variable\", \"sequential\", \"java\".") :
			 errhint("Valid modes are \"variable\", \"sequential\".")));
}

/*
 * Where mode sequential starts to count, so that machines that start within
 * the same ten minutes write near each other: the first four octets, the
 * lowest first, of the MD5 of the UTC time as YYYYMMDDHHM.
 */
static uint32
sequential_start(ClockTime now)
{
	int			year;
	int			month;
	int			day;
	int			minute = now.sec % SECS_PER_DAY / SECS_PER_MINUTE;
	char	   *date;
	uint8		md5[MD5_DIGEST_LENGTH];
	const char *reason;

	j2date(now.sec / SECS_PER_DAY + UNIX_EPOCH_JDATE, &year, &month, &day);
	date = psprintf("%04d%02d%02d%02d%d", year, month, day,
					minute / MINS_PER_HOUR, minute % MINS_PER_HOUR / 10);
	if (!pg_md5_binary(date, strlen(date), md5, &reason))
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not compute MD5 hash: %s", reason)));
	pfree(date);
	return (uint32) md5[3] << 24 | (uint32) md5[2] << 16 | (uint32) md5[1] <<
		8 | md5[0];
}

/*
 * The state of a mode.  The counters of the modes know nothing of each other,
 * so the modes have different MAC fragments, unless an address is given.
 */
static VbState *
vb_state(VbMode mode, ClockTime now)
{
	VbState    *state = &vb_states[mode];
	VbState    *other =
		&vb_states[mode == VB_VARIABLE ? VB_SEQUENTIAL : VB_VARIABLE];

	if (unlikely(state->pid != MyProcPid))
	{
		uint64		random = entropy_uint64();

		state->counter = mode == VB_SEQUENTIAL ? sequential_start(now) :
			(uint32) random;
		state->mac_fragment = random >> (64 - VB_MAC_BITS);
		if (state->mac_fragment == other->mac_fragment)
			state->mac_fragment ^= 1;
		state->pid = MyProcPid;
	}
	return state;
}

/*
 * (mode, macaddr or NULL) -> uuid
 *
 * Raises 22008 when the clock is before 1970 or after 10889.
 */
PG_FUNCTION_INFO_V1(uuid_generate_vb);
Datum
uuid_generate_vb(PG_FUNCTION_ARGS)
{
	pg_uuid_t  *uuid;
	VbMode		mode;
	VbState    *state;
	VbFields	fields;
	ClockTime	now;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	mode = mode_arg(fcinfo, 0, false);
	now = clock_now();
	fields.msec = now.sec * MSECS_PER_SEC + now.nsec / NSECS_PER_MSEC;
	if (unlikely(now.sec < 0 || fields.msec >> VB_MSEC_BITS != 0))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("timestamp out of range for UUID version b"),
				 errdetail("It holds times from 1970-01-01 to 10889-08-02.")));

	uuid = palloc(sizeof(pg_uuid_t));
	state = vb_state(mode, now);
	fields.process_id = (uint16) MyProcPid;
	fields.mac_fragment = mac_is_set ? mac_setting : state->mac_fragment;
	if (!PG_ARGISNULL(1))
	{
		const macaddr *mac = PG_GETARG_MACADDR_P(1);

		fields.mac_fragment =
			(uint32) (mac->c & 0xF) << 24 | mac->d << 16 | mac->e << 8 |
			mac->f;
	}
	fields.counter = state->counter;
	state->counter += mode == VB_SEQUENTIAL ? 1 : VB_INCREMENT;
	uuidnew_vb_pack(mode, fields, uuid);
	PG_RETURN_UUID_P(uuid);
}

/* (uuid [, mode]) -> bigint, 32 bits */
PG_FUNCTION_INFO_V1(uuid_vb_counter);
Datum
uuid_vb_counter(PG_FUNCTION_ARGS)
{
	VbMode		mode = mode_arg(fcinfo, 1, true);
	VbFields	fields;

	if (!uuidnew_vb_unpack(mode, PG_GETARG_UUID_P(0), &fields) ||
		!uuidnew_vb_counter_is_known(mode, fields.counter))
		PG_RETURN_NULL();
	PG_RETURN_INT64((int64) fields.counter);
}

/* The same bits in every mode: (uuid) -> a result, or NULL */
#define VB_READER(name, result) \
	PG_FUNCTION_INFO_V1(name); \
	Datum \
	name(PG_FUNCTION_ARGS) \
	{ \
		VbFields	fields; \
 \
		if (!uuidnew_vb_unpack(VB_VARIABLE, PG_GETARG_UUID_P(0), &fields)) \
			PG_RETURN_NULL(); \
		return (result); \
	}

static Datum
mac_fragment_datum(uint32 mac_fragment)
{
	uint32		octets = pg_hton32(mac_fragment);

	return PointerGetDatum(uuidnew_bytea(&octets, sizeof(octets)));
}

/* Milliseconds since 1970 to 10889; 16 bits; 28 bits in 4 octets */
VB_READER(uuid_vb_timestamp,
		  TimestampTzGetDatum(SINCE_1970((int64) fields.msec *
										 USECS_PER_MSEC)))
VB_READER(uuid_vb_process_id, Int32GetDatum(fields.process_id))
VB_READER(uuid_vb_mac_fragment, mac_fragment_datum(fields.mac_fragment))

/*
 * (uuid) -> uuid: a UUID of version b as the same bits with the time in front,
 * or back.
 *
 * Raises 22023 for one that is not of version b, or was not made from one.
 */
static Datum
move_time(FunctionCallInfo fcinfo, bool to_front)
{
	const pg_uuid_t *uuid = PG_GETARG_UUID_P(0);
	pg_uuid_t  *result = palloc(sizeof(pg_uuid_t));
	VbFields	fields;

	uuidnew_vb_move_time(uuid, to_front, result);
	if (!uuidnew_vb_unpack(VB_VARIABLE, to_front ? uuid : result, &fields))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("UUID %s is not of version b", uuidnew_uuid_cstring(uuid))));
	PG_RETURN_UUID_P(result);
}

SQL_FUNCTION(vb_to_uuid, move_time(fcinfo, true))
SQL_FUNCTION(uuid_to_vb, move_time(fcinfo, false))
