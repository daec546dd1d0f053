/*
 * systems_fuzz.c
 *	  Fuzz target: IDs of other systems, as text and as UUIDs, and the texts of
 *	  MAC addresses in Locality UUIDs.
 *
 * Any input is taken as a text by every system; what is accepted has one
 * canonical text and, where its time lets it, one UUID.  Its first 16 octets
 * are a UUID, which is of an ID exactly if that becomes it again.
 */
#include "postgres.h"

#include "systems/systems.h"
#include "systems/vb.h"

#include "fuzz.h"

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

#define require(condition)	check(condition, "%s", system->name)

static bool
same(const Number *a, const Number *b)
{
	return memcmp(a->limb, b->limb, sizeof(a->limb)) == 0;
}

/* The text that the system itself would write says the same. */
static void
check_canonical(const IdSystem *system, int form, Number id)
{
	char		text[ID_TEXT_MAX];
	Number		parsed;
	int			len = system->parse
		? uuidnew_sid_format(&uuidnew_sid_forms[form], id, text)
		: uuidnew_text_format(&system->text, id, text);

	require(len > 0 && len <= ID_TEXT_MAX);
	require(uuidnew_id_parse(system, text, len, &parsed) &&
			same(&parsed, &id));
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

/* As it is and as version 8, with the system's scale and any other */
static void
check_octets(const IdSystem *system, FuzzInput input)
{
	IdScale		scale = system->scale;
	pg_uuid_t	uuid;
	pg_uuid_t	v8;
	uint32		unit;

	take(&input, &uuid, sizeof(uuid));
	uuid_pack(uuid_unpack(&uuid), 8, &v8);
	check_uuid(system, scale, &uuid);
	check_uuid(system, scale, &v8);

	/* a caller's scale, of whole milliseconds */
	if (scale.unit < USECS_PER_MSEC)
		return;
	scale.epoch = (int64) take_uint64(&input);
	scale.epoch -= scale.epoch % USECS_PER_MSEC;
	take(&input, &unit, sizeof(unit));
	scale.unit = ((uint64) (unit >> 1) + 1) * USECS_PER_MSEC;
	if (scale.epoch >= MIN_TIMESTAMP && scale.epoch < END_TIMESTAMP)
		check_uuid(system, scale, &v8);
}

int
LLVMFuzzerTestOneInput(const uint8 *data, size_t size)
{
	char		text[64] = "";
	uint32		fragment;

	for (int i = 0; i < (int) lengthof(systems); i++)
	{
		Number		id;

		if (has_text(systems[i]) &&
			uuidnew_id_parse(systems[i], (const char *) data, size, &id))
			check_id(systems[i], id);
		if (systems[i]->form != ID_NO_UUID)
			check_octets(systems[i], (FuzzInput) {data, size});
	}
	memcpy(text, data, Min(size, sizeof(text) - 1));
	(void) uuidnew_vb_parse_mac(text, &fragment);
	return 0;
}
