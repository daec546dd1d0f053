/*
 * systems_fuzz.c
 *	  Fuzz target: IDs of other systems, as text and as UUIDs.
 *
 * Any input is taken as a text by every system; what is accepted has one
 * canonical text and, where its time lets it, one UUID.  Its first 16 octets
 * are a UUID, which is of an ID exactly if that becomes it again.
 */
#include "postgres.h"

#include "systems/systems.h"

#define ID_SYSTEM(name, ...) &uuidnew_##name,
static const IdSystem *const systems[] = {
#include "systems/systemlist.h"
};

/* numbers of 64 bits have none but PostgreSQL's */
static bool
has_text(const IdSystem *system)
{
	return system->text.alphabet != NULL || system->parse != NULL;
}

#define require(condition) \
	do { \
		if (!(condition)) \
			__builtin_trap(); \
	} while (0)

extern int	LLVMFuzzerTestOneInput(const uint8 *data, size_t size);

static bool
same(const Number *a, const Number *b)
{
	return memcmp(a->limb, b->limb, sizeof(a->limb)) == 0;
}

/* The text that the system itself would write says the same, and again so. */
static void
check_canonical(const IdSystem *system, int form, Number id)
{
	char		text[ID_TEXT_MAX];
	char		again[ID_TEXT_MAX];
	Number		parsed;
	int			len = system->parse
		? uuidnew_sid_format(&uuidnew_sid_forms[form], id, text)
		: uuidnew_text_format(&system->text, id, text);

	require(len > 0 && len <= ID_TEXT_MAX);
	require(uuidnew_id_parse(system, text, len, &parsed) &&
			same(&parsed, &id));
	require((system->parse
			 ? uuidnew_sid_format(&uuidnew_sid_forms[form], parsed, again)
			 : uuidnew_text_format(&system->text, parsed, again)) == len);
	require(memcmp(text, again, len) == 0);
}

static void
check_id(const IdSystem *system, Number id)
{
	int64		timestamp;
	pg_uuid_t	uuid;
	Number		again;

	require(uuidnew_id_is_valid(system, id));
	for (int form = 0; form < (system->parse ? SID_FORMS : 1); form++)
		check_canonical(system, form, id);
	for (int i = 0; i < (int) lengthof(system->fields); i++)
	{
		if (system->fields[i].width > 0 && system->fields[i].width <= 64)
			(void) uuidnew_id_field(system, id, system->fields[i]);
	}
	if (uuidnew_id_timestamp(system, system->scale, id, &timestamp))
		require(timestamp >= MIN_TIMESTAMP && timestamp < END_TIMESTAMP);

	if (uuidnew_id_to_uuid(system, system->scale, id, &uuid))
	{
		require(system->form == ID_RAW || uuid_version_of(&uuid) == 8);
		require(system->form == ID_NO_UUID ||
				(uuidnew_uuid_to_id(system, system->scale, &uuid, &again) &&
				 same(&again, &id)));
	}
	else
		require(system->form == ID_AS_V8);
}

static void
check_uuid(const IdSystem *system, IdScale scale, const pg_uuid_t *uuid)
{
	pg_uuid_t	again;
	Number		id;

	if (!uuidnew_uuid_to_id(system, scale, uuid, &id))
		return;
	require(uuidnew_id_is_valid(system, id));
	require(uuidnew_id_to_uuid(system, scale, id, &again) &&
			memcmp(&again, uuid, sizeof(again)) == 0);
}

int
LLVMFuzzerTestOneInput(const uint8 *data, size_t size)
{
	for (int i = 0; i < (int) lengthof(systems); i++)
	{
		Number		id;

		if (has_text(systems[i]) &&
			uuidnew_id_parse(systems[i], (const char *) data, size, &id))
			check_id(systems[i], id);

		if (size >= UUID_LEN && systems[i]->form != ID_NO_UUID)
		{
			IdScale		scale = systems[i]->scale;
			pg_uuid_t	uuid;

			memcpy(&uuid, data, UUID_LEN);
			check_uuid(systems[i], scale, &uuid);
			uuid_pack(uuid_unpack(&uuid), 8, &uuid);
			check_uuid(systems[i], scale, &uuid);

			/* a scale of the caller's, of whole milliseconds */
			if (size >= UUID_LEN + 12 && scale.unit >= USECS_PER_MSEC)
			{
				int64		epoch;
				uint32		unit;

				memcpy(&epoch, data + UUID_LEN, 8);
				memcpy(&unit, data + UUID_LEN + 8, 4);
				scale.epoch = epoch / USECS_PER_MSEC * USECS_PER_MSEC;
				scale.unit = ((uint64) (unit >> 1) + 1) * USECS_PER_MSEC;
				if (scale.epoch >= MIN_TIMESTAMP &&
					scale.epoch < END_TIMESTAMP)
					check_uuid(systems[i], scale, &uuid);
			}
		}
	}
	return 0;
}
