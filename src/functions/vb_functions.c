/*
 * vb_functions.c
 *	  The SQL functions of Groupon's Locality UUID, version b.
 *
 * Readers return NULL for another version, and for a counter that was lost.
 * All functions raise 22023 for an unrecognized mode.
 */
#include "postgres.h"

#include "common/md5.h"
#include "pgtime.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/inet.h"

#include "generate/clock.h"
#include "generate/entropy.h"
#include "functions/system_functions.h"
#include "systems/vb.h"

/* The state of a mode in this session */
typedef struct VbState
{
	int			pid;			/* of the process that started the counter */
	uint32		counter;		/* of the next UUID */
	uint32		mac_fragment;	/* if no address is given */
} VbState;

static VbState vb_states[VB_SEQUENTIAL + 1];

/* uuidnew.vb_mac, so that column defaults need not contain the address */
static char *mac_string = NULL;
static bool mac_is_set = false;
static uint32 mac_setting = 0;	/* the last 28 bits of mac_string */

static bool
check_mac(char **newval, void **extra, GucSource source)
{
	uint32		mac_fragment;

	if ((*newval)[0] == '\0' || uuidnew_vb_parse_mac(*newval, &mac_fragment))
		return true;
	GUC_check_errdetail("The setting must be a MAC address of 12 hexadecimal digits, or empty.");
	return false;
}

static void
assign_mac(const char *newval, void *extra)
{
	mac_is_set = uuidnew_vb_parse_mac(newval, &mac_setting);
}

/* uuidnew_vb_define - defines the setting uuidnew.vb_mac. */
void
uuidnew_vb_define(void)
{
	DefineCustomStringVariable("uuidnew.vb_mac",
							   "Sets the MAC address of this machine, whose last 28 bits version b UUIDs contain.",
							   "With an empty string, each session uses random bits instead.",
							   &mac_string,
							   "",
							   PGC_SUSET,
							   0,
							   check_mac,
							   assign_mac,
							   NULL);
}

static VbMode
mode_arg(FunctionCallInfo fcinfo, int argno, bool reader)
{
	static const char *const modes[] = {"variable", "sequential", "java"};
	const text *name;

	if (PG_NARGS() <= argno)
		return VB_VARIABLE;
	name = PG_GETARG_TEXT_PP(argno);
	for (int mode = VB_VARIABLE; mode <= VB_SEQUENTIAL + reader; mode++)
	{
		if (text_is(name, modes[mode]))
			return mode;
	}
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("unrecognized mode \"%s\" for UUID version b", text_to_cstring(name)),
			 reader ?
			 errhint("Valid modes are \"variable\", \"sequential\", \"java\".") :
			 errhint("Valid modes are \"variable\", \"sequential\".")));
}

/*
 * The first count of mode sequential: the first four octets, little-endian, of
 * the MD5 of the UTC time as YYYYMMDDHHM.  So machines that start within the
 * same ten minutes write near each other.
 */
static uint32
sequential_start(ClockTime now)
{
	pg_time_t	time = now.sec;
	char		date[sizeof("YYYYYYMMDDHHMM")];
	size_t		len = pg_strftime(date, sizeof(date), "%Y%m%d%H%M",
								  pg_gmtime(&time));
	uint8		md5[MD5_DIGEST_LENGTH];
	const char *reason;

	if (!pg_md5_binary(date, len - 1, md5, &reason))
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not compute MD5 hash: %s", reason)));
	return (uint32) md5[3] << 24 | (uint32) md5[2] << 16 | (uint32) md5[1] <<
		8 | md5[0];
}

/*
 * The state of a mode.  Unless an address is given, the modes have different
 * MAC fragments, because their counters are independent.
 */
static VbState *
vb_state(VbMode mode, ClockTime now)
{
	VbState    *state = &vb_states[mode];
	VbState    *other = &vb_states[VB_SEQUENTIAL - mode];

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

/* (mode, macaddr or NULL) -> uuid; raises 22008 outside of 1970 to 10889. */
PG_FUNCTION_INFO_V1(uuid_generate_vb);
Datum
uuid_generate_vb(PG_FUNCTION_ARGS)
{
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));
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
				 errdetail("Version b UUIDs hold times from 1970-01-01 to 10889-08-02.")));

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

/* (uuid) -> a field that is the same in every mode, or NULL */
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

/* (uuid) -> uuid: moves the time to the front, or back; 22023 for others */
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
				 errmsg("UUID %s is not a version b UUID", uuidnew_uuid_cstring(uuid))));
	PG_RETURN_UUID_P(result);
}

SQL_FUNCTION(vb_to_uuid, move_time(fcinfo, true))
SQL_FUNCTION(uuid_to_vb, move_time(fcinfo, false))
