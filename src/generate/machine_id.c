/*
 * machine_id.c
 *	  The settings uuidnew.machine_id and uuidnew.machine_id_bits: draft 7.
 *
 * SET checks one setting against the other.  If both are set together, in any
 * order (by a file, a role, the leader of a parallel query, or SET before the
 * library is loaded), generators check the pair.
 */
#include "postgres.h"

#include "access/parallel.h"
#include "utils/guc.h"

#include "generate/machine_id.h"

/* a string, because an int setting ends at 2^31 - 1 */
static char *machine_id_string = NULL;
int			uuidnew_machine_id_bits = 0;

uint64		uuidnew_machine_id = 0; /* the value of machine_id_string */

static bool settings_defined = false;

static bool
is_set_alone(GucSource source)
{
	return source == PGC_S_SESSION && settings_defined &&
		!InitializingParallelWorker;
}

static bool
id_fits(uint64 id, int bits)
{
	return bits == 0 || id <= low_bits(bits);
}

static bool
parse_machine_id(const char *string, uint64 *id)
{
	/* the largest number if it is too long */
	*id = strtoull(string, NULL, 10);
	return string[0] != '\0' &&
		string[strspn(string, "0123456789")] == '\0' &&
		*id <= low_bits(MACHINE_ID_MAX_BITS);
}

static bool
check_machine_id(char **newval, void **extra, GucSource source)
{
	uint64		id;

	if (!parse_machine_id(*newval, &id))
	{
		GUC_check_errdetail("The machine id must be a whole number from 0 to %u.", PG_UINT32_MAX);
		return false;
	}
	if (is_set_alone(source) && !id_fits(id, uuidnew_machine_id_bits))
	{
		GUC_check_errdetail("The machine id must fit in the %d bits of \"uuidnew.machine_id_bits\".",
							uuidnew_machine_id_bits);
		return false;
	}
	return true;
}

static void
assign_machine_id(const char *newval, void *extra)
{
	(void) parse_machine_id(newval, &uuidnew_machine_id);
}

static bool
check_machine_id_bits(int *newval, void **extra, GucSource source)
{
	if (is_set_alone(source) && !id_fits(uuidnew_machine_id, *newval))
	{
		GUC_check_errdetail("The value of \"uuidnew.machine_id\", " UINT64_FORMAT ", needs more bits.",
							uuidnew_machine_id);
		return false;
	}
	return true;
}

/* uuidnew_machine_id_define - defines the two settings. */
void
uuidnew_machine_id_define(void)
{
	DefineCustomIntVariable("uuidnew.machine_id_bits",
							"Sets how many random bits of a generated UUID hold the machine id.",
							"0 means that UUIDs hold no machine id.",
							&uuidnew_machine_id_bits,
							0,
							0,
							MACHINE_ID_MAX_BITS,
							PGC_SUSET,
							0,
							check_machine_id_bits,
							NULL,
							NULL);

	DefineCustomStringVariable("uuidnew.machine_id",
							   "Sets the number of this machine in generated UUIDs.",
							   "The number is used if \"uuidnew.machine_id_bits\" is not 0, and must fit in that many bits.",
							   &machine_id_string,
							   "0",
							   PGC_SUSET,
							   0,
							   check_machine_id,
							   assign_machine_id,
							   NULL);
	settings_defined = true;
}

/* uuidnew_machine_id_checked - raises an ERROR if it does not fit. */
NodePrefix
uuidnew_machine_id_checked(void)
{
	NodePrefix	prefix = {
		uuidnew_machine_id, uuidnew_machine_id_bits, false
	};

	if (!id_fits(uuidnew_machine_id, uuidnew_machine_id_bits))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("machine id " UINT64_FORMAT " does not fit in %d bits",
						uuidnew_machine_id, uuidnew_machine_id_bits),
				 errhint("Set \"uuidnew.machine_id\" and \"uuidnew.machine_id_bits\".")));
	return prefix;
}
