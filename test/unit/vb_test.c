/*
 * vb_test.c
 *	  Unit tests of vb.c: fields of Locality UUIDs, and the vectors.
 */
#include "postgres.h"

#include <stdio.h>

#include "unit.h"
#include "vb.h"

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
		uuidnew_vb_time_first(&vb, &uuid);
		for (int i = 0; i < UUID_LEN; i++)
			check(uuid.data[i] == vb.data[(i + 10) % 16], "%s is %s",
				  uuid_text(&vb), uuid_text(&uuid));
		uuidnew_vb_time_last(&uuid, &again);
		check(uuid_compare(&vb, &again) == 0, "%s comes back as %s",
			  uuid_text(&vb), uuid_text(&again));
	}
}

static void
vectors(void **state)
{
	FILE	   *file = fopen(VECTORS "/vb.tsv", "r");
	char		line[200];
	int			n = 0;

	check(file != NULL, "no vectors in " VECTORS);
	check(fgets(line, sizeof(line), file) != NULL, "no header");
	while (fgets(line, sizeof(line), file) != NULL)
	{
		char	   *p = line;
		VbMode		mode =
			strncmp(p, "variable\t", 9) == 0 ? VB_VARIABLE : VB_SEQUENTIAL;
		VbFields	fields;
		pg_uuid_t	uuid;

		p = strchr(p, '\t');
		fields.counter = strtoul(p + 1, &p, 10);
		fields.process_id = strtoul(p + 1, &p, 10);
		fields.mac_fragment = strtoul(p + 1, &p, 16);
		fields.msec = strtoull(p + 1, &p, 10);
		check(*p == '\t', "line %d", n);
		p[1 + 36] = '\0';
		uuidnew_vb_pack(mode, fields, &uuid);
		assert_string_equal(uuid_text(&uuid), p + 1);
		check_fields(mode, fields);
		n++;
	}
	fclose(file);
	check(n > 50, "%d vectors", n);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_come_back),
		cmocka_unit_test(time_first_and_back),
		cmocka_unit_test(vectors),
	};

	unit_seed();
	return cmocka_run_group_tests_name("vb", tests, NULL, NULL);
}
