/*
 * vb_test.c
 *	  Unit tests of vb.c: fields of Locality UUIDs.
 */
#include "postgres.h"

#include "unit.h"
#include "systems/vb.h"

/* The hexadecimal digits of a value, as many as asked for. */
static char *
put_hex(char *text, uint64 value, int ndigits)
{
	for (int i = ndigits - 1; i >= 0; i--)
		*text++ = "0123456789abcdef"[value >> (4 * i) & 0xF];
	return text;
}

/* The UUID as text, digit by digit. */
static void
check_fields(VbMode mode, VbFields fields)
{
	char		counter[8];
	char		text[33];
	char		found[33];
	char	   *p = text;
	pg_uuid_t	uuid;
	VbFields	again;

	put_hex(counter, fields.counter, 8);
	for (int i = 0; i < 8; i++)
		*p++ = counter[mode == VB_VARIABLE ? 7 - i : i];
	p = put_hex(p, fields.process_id, 4);
	*p++ = 'b';
	p = put_hex(p, fields.mac_fragment, 7);
	p = put_hex(p, fields.msec, 12);
	*p = '\0';

	uuidnew_vb_pack(mode, fields, &uuid);
	p = found;
	for (int i = 0; i < UUID_LEN; i++)
		p = put_hex(p, uuid.data[i], 2);
	*p = '\0';
	assert_string_equal(found, text);

	check(uuidnew_vb_unpack(mode, &uuid, &again), "%s is not of version b",
		  text);
	check(again.counter == fields.counter &&
		  again.process_id == fields.process_id &&
		  again.mac_fragment == fields.mac_fragment &&
		  again.msec == fields.msec,
		  "%s has other fields", text);

	for (int version = 0; version < 16; version++)
	{
		uuid.data[6] = version << 4 | (uuid.data[6] & 0xF);
		check(uuidnew_vb_unpack(mode, &uuid, &again) == (version == 0xB),
			  "version %d", version);
	}
}

static void
fields_come_back(void **state)
{
	for (uint64 round = 0; round < rounds(200000); round++)
	{
		VbFields	fields = {unit_random() >> unit_random_below(64),
			unit_random() >> unit_random_below(64),
			(unit_random() >> unit_random_below(64)) &
			low_bits(28),
		unit_random() >> (16 + unit_random_below(48))};

		check_fields(unit_random_below(2) ? VB_VARIABLE : VB_SEQUENTIAL,
					 fields);
	}
}

static void
mac_addresses(void **state)
{
	static const char *const none[] = {
		"", ":", "0", "08002b01020", "08002b0102030", "08:00:2b:01:02",
		"08:00:2b:01:02:", "08:00:2b:01:02:03:", ":08:00:2b:01:02:03",
		"08::00:2b:01:02:03", "080:02b:010:203", "8:0:2b:1:2:3",
		"08:00:2b:01:02:0g", " 08002b010203", "08002b010203 ",
		"08 00 2b 01 02 03", "08:00:2b:01:02:0/", "08:00:2b:01:02:0`",
	};
	uint32		fragment;

	for (int i = 0; i < (int) lengthof(none); i++)
		check(!uuidnew_vb_parse_mac(none[i], &fragment), "\"%s\"", none[i]);
	for (uint64 round = 0; round < rounds(100000); round++)
	{
		char		text[18];
		char	   *p = text;
		uint64		address = unit_random() >> 16;

		for (int octet = 5; octet >= 0; octet--)
		{
			p = put_hex(p, address >> (8 * octet) & 0xFF, 2);
			if (octet > 0 && unit_random_below(2))
				*p++ = ":-."[unit_random_below(3)];
		}
		*p = '\0';
		for (p = text; *p; p++)
		{
			if (*p >= 'a' && unit_random_below(2))
				*p -= 'a' - 'A';
		}
		check(uuidnew_vb_parse_mac(text, &fragment), "%s", text);
		check(fragment == (address & 0xFFFFFFF), "%s", text);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_come_back),
		cmocka_unit_test(mac_addresses),
	};

	unit_seed();
	return cmocka_run_group_tests_name("vb", tests, NULL, NULL);
}
