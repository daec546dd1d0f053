/*
 * vb_test.c
 *	  Unit tests of vb.c: fields of Locality UUIDs, and the vectors.
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
time_first_and_back(void **state)
{
	for (uint64 round = 0; round < rounds(20000); round++)
	{
		pg_uuid_t	vb;
		pg_uuid_t	uuid;
		pg_uuid_t	again;

		for (int i = 0; i < UUID_LEN; i++)
			vb.data[i] = unit_random();
		uuidnew_vb_move_time(&vb, true, &uuid);
		for (int i = 0; i < UUID_LEN; i++)
			check(uuid.data[i] == vb.data[(i + 10) % 16], "%s is %s",
				  uuid_text(&vb), uuid_text(&uuid));
		uuidnew_vb_move_time(&uuid, false, &again);
		check(uuid_compare(&vb, &again) == 0, "%s comes back as %s",
			  uuid_text(&vb), uuid_text(&again));
	}
}

/* The fields of a line, and the UUID, which ends it or comes before a tab. */
static VbFields
read_fields(char *line, char **uuid)
{
	char	   *p = strchr(line, '\t');
	VbFields	fields;

	fields.counter = strtoul(p + 1, &p, 10);
	fields.process_id = strtoul(p + 1, &p, 10);
	fields.mac_fragment = strtoul(p + 1, &p, 16);
	fields.msec = strtoull(p + 1, &p, 10);
	check(*p == '\t', "%s", line);
	p[1 + 36] = '\0';
	*uuid = p + 1;
	return fields;
}

static void
check_vector(char *line)
{
	VbMode		mode = line[0] == 'v' ? VB_VARIABLE : VB_SEQUENTIAL;
	char	   *expected;
	VbFields	fields = read_fields(line, &expected);
	pg_uuid_t	uuid;

	uuidnew_vb_pack(mode, fields, &uuid);
	assert_string_equal(uuid_text(&uuid), expected);
	check_fields(mode, fields);
}

static void
vectors(void **state)
{
	read_vectors("vb.tsv", 61, check_vector);
}

/*
 * What Groupon's Java makes: in mode variable, bits 24 to 27 of a counter from
 * 2^31 on are set.
 */
static void
check_java_vector(char *line)
{
	VbMode		mode = line[0] == 'v' ? VB_JAVA : VB_SEQUENTIAL;
	char	   *expected;
	VbFields	fields = read_fields(line, &expected);
	bool		loses = mode == VB_JAVA && fields.counter >> 31;
	VbFields	again;
	pg_uuid_t	uuid;

	if (loses)
		fields.counter |= 0x0F000000;
	uuidnew_vb_pack(mode, fields, &uuid);
	assert_string_equal(uuid_text(&uuid), expected);
	check(uuidnew_vb_unpack(mode, &uuid, &again), "%s", expected);
	check(again.counter == fields.counter, "%s", expected);
	check(uuidnew_vb_counter_is_known(mode, again.counter) == !loses, "%s",
		  expected);
}

static void
java_vectors(void **state)
{
	read_vectors("vb_java.tsv", 56, check_java_vector);
}

static void
counters_that_are_known(void **state)
{
	for (uint64 round = 0; round < rounds(100000); round++)
	{
		uint32		counter =
			unit_random() | (uint32) unit_random_below(2) * 0x8F000000;
		bool		in_doubt = counter >> 31 && (counter >> 24 & 0xF) == 0xF;

		check(uuidnew_vb_counter_is_known(VB_JAVA, counter) == !in_doubt,
			  "%08x", counter);
		check(uuidnew_vb_counter_is_known(VB_VARIABLE, counter) &&
			  uuidnew_vb_counter_is_known(VB_SEQUENTIAL, counter),
			  "%08x", counter);
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
		cmocka_unit_test(time_first_and_back),
		cmocka_unit_test(vectors),
		cmocka_unit_test(java_vectors),
		cmocka_unit_test(counters_that_are_known),
		cmocka_unit_test(mac_addresses),
	};

	unit_seed();
	return cmocka_run_group_tests_name("vb", tests, NULL, NULL);
}
