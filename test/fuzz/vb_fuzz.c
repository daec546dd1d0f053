/*
 * vb_fuzz.c
 *	  Fuzz target: Locality UUIDs, and texts of MAC addresses.
 */
#include "postgres.h"

#include <ctype.h>

#include "systems/vb.h"

#include "fuzz.h"

static void
check_uuid(const pg_uuid_t *uuid)
{
	pg_uuid_t	again;
	pg_uuid_t	moved;
	VbFields	fields;

	for (VbMode mode = VB_VARIABLE; mode <= VB_JAVA; mode++)
	{
		if (!uuidnew_vb_unpack(mode, uuid, &fields))
			continue;
		check(fields.mac_fragment >> VB_MAC_BITS == 0 &&
			  fields.msec >> VB_MSEC_BITS == 0,
			  "fields are too long");
		uuidnew_vb_pack(mode, fields, &again);
		check(memcmp(uuid, &again, UUID_LEN) == 0, "mode %d: another UUID",
			  mode);
		check(mode == VB_JAVA ||
			  uuidnew_vb_counter_is_known(mode, fields.counter),
			  "mode %d: a counter is not known", mode);
	}
	uuidnew_vb_move_time(uuid, true, &moved);
	uuidnew_vb_move_time(&moved, false, &again);
	check(memcmp(uuid, &again, UUID_LEN) == 0,
		  "there and back is another UUID");
}

/* What is accepted has 12 digits, and nothing else but separators. */
static void
check_mac(const char *text)
{
	uint32		fragment;
	uint32		expected = 0;
	int			ndigits = 0;

	if (!uuidnew_vb_parse_mac(text, &fragment))
		return;
	for (const char *c = text; *c; c++)
	{
		if (*c == ':' || *c == '-' || *c == '.')
		{
			check(ndigits % 2 == 0 && ndigits > 0 && ndigits < 12,
				  "separator in \"%s\"", text);
			continue;
		}
		check(isxdigit((unsigned char) *c), "no digit in \"%s\"", text);
		expected =
			expected << 4 | (*c <= '9' ? *c - '0' : (*c | 0x20) - 'a' + 10);
		ndigits++;
	}
	check(ndigits == 12 && fragment == (expected & 0xFFFFFFF), "\"%s\"", text);
}

int
LLVMFuzzerTestOneInput(const uint8 *data, size_t size)
{
	FuzzInput	input = {data, size};
	pg_uuid_t	uuid;
	char		text[64];

	take(&input, &uuid, sizeof(uuid));
	check_uuid(&uuid);

	memset(text, 0, sizeof(text));
	memcpy(text, data, Min(size, sizeof(text) - 1));
	check_mac(text);
	return 0;
}
