/*
 * systems_test.c
 *	  Unit tests of systems.c, sid.c, text.c and number.c, and of the
 *	  descriptions in systemlist.h.
 *
 * The reference is written from the projects' documentation: an ID is a time
 * and a rest, a UUID one wide integer.
 */
#include "postgres.h"

#include "systems/systems.h"
#include "unit.h"

#define TEXT_MAX		64

#define DIGITS			"0123456789"
#define UPPER			"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define LOWER			"abcdefghijklmnopqrstuvwxyz"
#define HEX				DIGITS "abcdef"
#define BASE32			DIGITS "abcdefghijklmnopqrstuv"

typedef enum Form
{
	V8,
	RAW,
	LOSSY
} Form;

/* A text: a letter, and digits that end with zero bits. */
typedef struct TextRule
{
	const char *digits;			/* NULL if there is only a number */
	int			length;
	bool		any_case;
	bool		hyphens;		/* after 8, 12 and 16 digits, or elsewhere */
	bool		unpadded;		/* no zeros in front */
	int			spare;			/* how many bits are zero */
	char		prefix;
	const char *largest;		/* where digits hold more */
} TextRule;

typedef struct Reference
{
	const IdSystem *system;
	Form		form;
	int			time_bits;		/* that an ID's time may have */
	int			rest_bits;
	int64		epoch;			/* Unix milliseconds */
	uint64		unit;			/* nanoseconds */
	TextRule	text;
} Reference;

#define TEXT(characters, n, ...) \
	{.digits = characters, .length = n, ##__VA_ARGS__}
#define NO_TEXT				TEXT(NULL, 0)

static const Reference references[] = {
	{&uuidnew_snowflake, V8, 41, 22, 1288834974657, 1000000, NO_TEXT},
	{&uuidnew_shardingid, V8, 41, 23, 1314220021721, 1000000, NO_TEXT},
	{&uuidnew_flakeid, V8, 42, 22, 0, 1000000, NO_TEXT},
	{&uuidnew_sonyflake, V8, 39, 24, 1409529600000, 10000000, NO_TEXT},
	{&uuidnew_mastodon, V8, 48, 16, 0, 1000000, NO_TEXT},
	{&uuidnew_lexicaluuid, V8, 64, 64, 0, 1000,
	TEXT(HEX, 32, .any_case = true, .hyphens = true)},
	{&uuidnew_elasticflake, V8, 48, 72, 0, 1000000,
	TEXT(UPPER LOWER DIGITS "-_", 20)},
	{&uuidnew_pushid, V8, 48, 72, 0, 1000000,
	TEXT("-" DIGITS UPPER "_" LOWER, 20)},
	{&uuidnew_xid, V8, 32, 64, 0, 1000000000, TEXT(BASE32, 20, .spare = 4)},
	{&uuidnew_objectid, V8, 32, 64, 0, 1000000000,
	TEXT(HEX, 24, .any_case = true)},
	{&uuidnew_flake, RAW, 64, 64, 0, 1000000,
		TEXT(DIGITS UPPER LOWER, 22, .unpadded = true,
			 .largest = "7n42DGM5Tflk9n8mt7Fhc7")},
	{&uuidnew_ulid, RAW, 48, 80, 0, 1000000,
	TEXT(DIGITS "ABCDEFGHJKMNPQRSTVWXYZ", 26, .any_case = true)},
	{&uuidnew_sid, RAW, 63, 64, 0, 1, NO_TEXT},
	{&uuidnew_ksuid, LOSSY, 32, 128, 1400000000000, 1000000000,
	TEXT(DIGITS UPPER LOWER, 27, .largest = "aWgEPTl1tmebfsQzFP4bxwgy80V")},
	/* its time is digits, not bits */
	{&uuidnew_cuid, RAW, 64, 64, 0, 1000000,
	TEXT(DIGITS LOWER, 24, .prefix = 'c')},
};

#define foreach_reference(reference) \
	for (const Reference *reference = references; \
		 reference < references + lengthof(references); reference++)

static bool
is_cuid(const Reference *reference)
{
	return reference->system == &uuidnew_cuid;
}

static Wide
random_wide(int bits)
{
	Wide		wide = (Wide) unit_random() << 64 | unit_random();

	switch (unit_random_below(8))
	{
		case 0:
			wide = 0;
			break;
		case 1:
			wide = ~(Wide) 0;
			break;
		case 2:
			wide >>= unit_random_below(128);
			break;
		case 3:
			wide = ~(wide >> unit_random_below(128));
			break;
	}
	return bits == 128 ? wide : wide & wide_low_bits(bits);
}

/* Bit by bit: this is also the test of number.h. */
static Number
make_id(uint64 time, Wide rest, int rest_bits)
{
	Number		id = {{0}};

	for (int i = 0; i < rest_bits; i++)
		id.limb[i / 32] |= (uint32) (rest >> i & 1) << (i % 32);
	for (int i = rest_bits; i < 160 && i < rest_bits + 64; i++)
		id.limb[i / 32] |= (uint32) (time >> (i - rest_bits) & 1) << (i % 32);
	return id;
}

static bool
same(const Number *a, const Number *b)
{
	return memcmp(a->limb, b->limb, sizeof(a->limb)) == 0;
}

static pg_uuid_t
octets_of(Wide wide)
{
	pg_uuid_t	uuid;

	for (int i = 0; i < UUID_LEN; i++)
		uuid.data[i] = wide >> (120 - 8 * i);
	return uuid;
}

static Wide
wide_of(const pg_uuid_t *uuid)
{
	Wide		wide = 0;

	for (int i = 0; i < UUID_LEN; i++)
		wide = wide << 8 | uuid->data[i];
	return wide;
}

/* 48 bits of milliseconds, 74 of all else; version 8 */
static pg_uuid_t
v8(uint64 msec, Wide rest)
{
	return octets_of((Wide) msec << 80 | (Wide) 8 << 76 | (rest >> 62) << 64 |
					 (Wide) 2 << 62 | (rest & wide_low_bits(62)));
}

/* The time in microseconds since 1970, of any epoch and unit. */
static __int128
unix_usec(const Reference *reference, IdScale scale, uint64 time)
{
	__int128	epoch =
		(__int128) scale.epoch + (__int128) EPOCH_POSTGRES * USECS_PER_SEC;

	if (reference->unit == 1)
		return epoch + time / 1000;
	if (reference->system == &uuidnew_lexicaluuid)
		return epoch + (int64) time;
	return epoch + (__int128) time * scale.unit;
}

/* What the UUID should be; false if there is none. */
static bool
expected_uuid(const Reference *reference, IdScale scale, uint64 time,
			  Wide rest, pg_uuid_t *uuid)
{
	__int128	usec = unix_usec(reference, scale, time);
	Wide		msec = (Wide) usec / 1000;
	int			rest_bits = reference->rest_bits;

	if (reference->form == RAW)
	{
		*uuid = octets_of((Wide) time << rest_bits | rest);
		return true;
	}
	if (usec < 0 || msec >= (Wide) 1 << 48)
		return false;
	if (reference->form == LOSSY)
		rest &= wide_low_bits(74);
	else if (reference->system == &uuidnew_lexicaluuid)
		rest |= ((Wide) usec % 1000) << 64;
	else
		rest = (rest << 1 | 1) << (73 - rest_bits);
	*uuid = v8(msec, rest);
	return true;
}

/*
 * A scale of the caller's, as the SQL functions let pass: whole milliseconds,
 * any finite epoch.
 */
static IdScale
random_scale(const Reference *reference)
{
	IdScale		scale = reference->system->scale;

	if (reference->form == V8 && reference->unit >= 1000000 &&
		unit_random_below(2) == 0)
	{
		int64		range = END_TIMESTAMP / 1000 - MIN_TIMESTAMP / 1000;

		scale.unit =
			(1 + (unit_random_below(PG_INT32_MAX) >> unit_random_below(32))) *
			1000;
		scale.epoch =
			(MIN_TIMESTAMP / 1000 + (int64) unit_random_below(range)) * 1000;
		if (unit_random_below(2) == 0)
			scale.epoch =
				SINCE_1970((int64) (unit_random_below(UINT64CONST(1) << 41)) *
						   1000 * (unit_random_below(4) == 0 ? -1 : 1));
		if (scale.epoch < MIN_TIMESTAMP)
			scale.epoch = MIN_TIMESTAMP;
	}
	return scale;
}

typedef struct DrawnId
{
	IdScale		scale;
	uint64		time;
	Wide		rest;
	Number		id;
} DrawnId;

static DrawnId
random_id(const Reference *reference)
{
	/* the first bit of the rest of a SID is 0 */
	int			rest_bits =
		reference->rest_bits - (reference->system == &uuidnew_sid);
	DrawnId		drawn = {
		.scale = random_scale(reference),
		.time = random_wide(reference->time_bits),
		.rest = random_wide(rest_bits)
	};

	/* less than 2^124, and so than 36^24 */
	if (is_cuid(reference))
		drawn.time >>= 4;
	/* the unit at the end of timestamps, before and after */
	if (reference->form == V8 && reference->unit >= 1000000 &&
		unit_random_below(8) == 0)
	{
		drawn.time = 1 + unit_random_below(1000);
		drawn.scale.epoch =
			END_TIMESTAMP - (int64) (drawn.time * drawn.scale.unit);
		drawn.time += unit_random_below(3) - 1;
	}
	drawn.id = make_id(drawn.time, drawn.rest, reference->rest_bits);
	return drawn;
}

/* check_drawn - check() for an ID, with which the message begins. */
#define check_drawn(reference, drawn, condition, format, ...) \
	check(condition, "%s, time " UINT64_FORMAT ", epoch " INT64_FORMAT \
		  ", unit " UINT64_FORMAT ": " format, (reference)->system->name, \
		  (drawn).time, (drawn).scale.epoch, (drawn).scale.unit, ##__VA_ARGS__)

static void
scales_are_those_of_the_contract(void **state)
{
	foreach_reference(reference)
	{
		const IdSystem *system = reference->system;

		check(system->scale.epoch == SINCE_1970(reference->epoch * 1000),
			  "%s: epoch", system->name);
		check(system->nanoseconds
			  ? reference->unit == 1
			  : system->scale.unit * 1000 == reference->unit,
			  "%s: unit", system->name);
	}
}

static void
check_uuid(const Reference *reference, DrawnId drawn)
{
	const IdSystem *system = reference->system;
	Number		again;
	pg_uuid_t	expected;
	pg_uuid_t	uuid;
	bool		fits = expected_uuid(reference, drawn.scale, drawn.time,
									 drawn.rest, &expected);

	check_drawn(reference, drawn, uuidnew_id_is_valid(system, drawn.id),
				"an ID is invalid");
	check_drawn(reference, drawn, uuidnew_id_to_uuid(system, drawn.scale,
													 drawn.id, &uuid) == fits,
				"%s", fits ? "there is no UUID" : "there is a UUID");
	if (!fits)
		return;
	check_drawn(reference, drawn, uuid_compare(&uuid, &expected) == 0,
				"%s is not %s", uuid_text(&uuid), uuid_text(&expected));
	check_drawn(reference, drawn, reference->form == LOSSY ||
				(uuidnew_uuid_to_id(system, drawn.scale, &uuid, &again) &&
				 same(&again, &drawn.id)),
				"%s does not come back", uuid_text(&uuid));
}

static void
check_time(const Reference *reference, DrawnId drawn)
{
	__int128	expected =
		SINCE_1970(unix_usec(reference, drawn.scale, drawn.time));
	bool		is_time =
		expected >= MIN_TIMESTAMP && expected < END_TIMESTAMP;
	int64		timestamp = 0;

	check_drawn(reference, drawn,
				uuidnew_id_timestamp(reference->system, drawn.scale, drawn.id,
									 &timestamp) == is_time,
				"%s", is_time ? "no timestamp" : "a timestamp");
	check_drawn(reference, drawn, !is_time || timestamp == expected,
				"the timestamp is " INT64_FORMAT, timestamp);
}

/* Fields are bits from the top. */
static void
check_field(const Reference *reference, DrawnId drawn)
{
	int			bits = reference->form == RAW ? 128 :
		(reference->rest_bits + reference->time_bits + 7) / 8 * 8;
	IdField		field = {.width = 1 + unit_random_below(Min(bits, 64))};
	uint64		expected = 0;

	assert_int_equal(reference->system->bits, bits);
	field.first = unit_random_below(bits - field.width + 1);
	for (int i = 0; i < field.width; i++)
	{
		int			bit = bits - 1 - field.first - i;

		expected =
			expected << 1 | (drawn.id.limb[bit / 32] >> (bit % 32) & 1);
	}
	check_drawn(reference, drawn,
				uuidnew_id_field(reference->system, drawn.id, field) ==
				expected,
				"%d bits from %d", field.width, field.first);
}

static void
ids_have_uuids_times_and_fields(void **state)
{
	foreach_reference(reference)
	{
		for (uint64 round = 0; round < rounds(40000); round++)
		{
			DrawnId		drawn = random_id(reference);

			check_uuid(reference, drawn);
			if (is_cuid(reference))
				continue;
			check_time(reference, drawn);
			check_field(reference, drawn);
		}
	}
}

/* Is this UUID a valid ID of a system whose IDs are UUIDs? */
static bool
is_valid_id(const Reference *reference, const pg_uuid_t *uuid)
{
	Wide		wide = wide_of(uuid);
	Wide		limit = 1;

	for (int i = 0; i < 24; i++)
		limit *= 36;
	if (is_cuid(reference))
		return wide < limit;
	return reference->system != &uuidnew_sid ||
		((wide >> 127) == 0 && (wide >> 63 & 1) == 0);
}

/* A version 8 UUID was converted from an ID if the ID becomes that UUID. */
static void
other_uuids_are_of_no_id(void **state)
{
	foreach_reference(reference)
	{
		const IdSystem *system = reference->system;

		if (reference->form == LOSSY)
			continue;
		for (uint64 round = 0; round < rounds(60000); round++)
		{
			DrawnId		drawn = random_id(reference);
			Number		id;
			pg_uuid_t	uuid;
			pg_uuid_t	again;
			bool		is_of_id;

			/* made and then changed in a bit; or any, of version 8 or not */
			if (unit_random_below(4) == 0 ||
				!expected_uuid(reference, drawn.scale, drawn.time, drawn.rest,
							   &uuid))
			{
				uuid = octets_of(random_wide(128));
				if (unit_random_below(2) == 0)
					uuid_pack(uuid_unpack(&uuid), 8, &uuid);
			}
			else if (unit_random_below(4) != 0)
				uuid.data[unit_random_below(UUID_LEN)] ^=
					1 << unit_random_below(8);

			is_of_id = uuidnew_uuid_to_id(system, drawn.scale, &uuid, &id);
			if (reference->form == RAW)
				check_drawn(reference, drawn,
							is_of_id == is_valid_id(reference, &uuid), "%s",
							uuid_text(&uuid));
			check_drawn(reference, drawn, !is_of_id ||
						(uuidnew_id_to_uuid(system, drawn.scale, id, &again) &&
						 uuid_compare(&uuid, &again) == 0),
						"%s becomes %s", uuid_text(&uuid), uuid_text(&again));
		}
	}
}

/*
 * Text
 */

/* The value of a digit, -1 if it is none. */
static int
digit_value(const TextRule *rule, char digit)
{
	for (int i = 0; rule->digits[i] != '\0'; i++)
	{
		char		of_value = rule->digits[i];
		char		lower = of_value | 0x20;

		if (digit == of_value ||
			(rule->any_case && lower >= 'a' && lower <= 'z' &&
			 (digit ^ of_value) == 0x20))
			return i;
	}
	return -1;
}

/* number = number * base + digit; false if it takes more than so many bits */
static bool
push_digit(Number *number, int base, uint64 digit, int bits)
{
	for (int i = 0; i < NUMBER_LIMBS; i++)
	{
		digit += (uint64) number->limb[i] * base;
		number->limb[i] = (uint32) digit;
		digit >>= 32;
	}
	if (digit != 0)
		return false;
	for (int i = bits; i < 160; i++)
	{
		if (number->limb[i / 32] >> (i % 32) & 1)
			return false;
	}
	return true;
}

/* What a text says, by its rule; false if it is no text of so many bits. */
static bool
expected_number(const TextRule *rule, int bits, const char *text, int len,
				Number *number)
{
	int			base = strlen(rule->digits);
	int			ndigits = 0;

	*number = (Number) {{0}};
	if (rule->prefix != 0 && (len-- == 0 || *text++ != rule->prefix))
		return false;
	for (int i = 0; i < len; i++)
	{
		int			value = digit_value(rule, text[i]);
		int			spare = ++ndigits == rule->length ? rule->spare : 0;

		if (text[i] == '-' && rule->hyphens)
		{
			ndigits--;
			continue;
		}
		/* the last digit may have fewer bits */
		if (value < 0 || value % (1 << spare) != 0 ||
			!push_digit(number, base >> spare, value >> spare, bits))
			return false;
	}
	if (rule->unpadded)
		return len == 1 ||
			(len > 1 && len <= rule->length && *text != *rule->digits);
	return ndigits == rule->length;
}

/* The text that a system writes for the same ID */
static int
canonical_text(const TextRule *rule, const char *text, int len,
			   char *canonical)
{
	int			n = 0;

	for (int i = 0; i < len; i++)
	{
		if (rule->hyphens && text[i] == '-')
			continue;
		if (rule->hyphens && (n == 8 || n == 13 || n == 18))
			canonical[n++] = '-';
		canonical[n++] = i == 0 && rule->prefix ? rule->prefix :
			rule->digits[digit_value(rule, text[i])];
	}
	return n;
}

static void
check_text(const Reference *reference, const char *text, int len)
{
	const IdSystem *system = reference->system;
	char		canonical[ID_TEXT_MAX];
	char		expected[TEXT_MAX];
	Number		number;
	Number		id;

	/* its own size, for sanitizers to see beyond */
	char	   *exact = malloc(len + 1);
	bool		parsed;

	memcpy(exact + 1, text, len);
	parsed = uuidnew_id_parse(system, exact + 1, len, &id);
	free(exact);
	check(parsed == expected_number(&reference->text, system->bits, text, len,
									&number),
		  "%s: \"%.*s\" is %s ID", system->name, len, text,
		  parsed ? "an" : "no");
	if (!parsed)
		return;
	check(same(&id, &number) && uuidnew_id_is_valid(system, id),
		  "%s: \"%.*s\"", system->name, len, text);
	len = canonical_text(&reference->text, text, len, expected);
	check(uuidnew_text_format(&system->text, id, canonical) == len &&
		  memcmp(canonical, expected, len) == 0, "%s: %.*s is %.*s",
		  system->name, len, expected, len, canonical);
}

/* Mostly as many digits as the rule has; returns the length. */
static int
random_text(const TextRule *rule, char *text)
{
	int			ndigits = rule->length;
	int			base = strlen(rule->digits);
	int			below = 1 + unit_random_below(base);
	int			len = 0;

	if (unit_random_below(8) == 0)
		ndigits += (int) unit_random_below(5) - 2;
	if (rule->unpadded)
		ndigits = unit_random_below(rule->length + 3);
	if (rule->prefix != 0)
		text[len++] = rule->prefix;

	for (int i = 0; i < ndigits; i++, below = base)
	{
		int			spare = i == rule->length - 1 ? rule->spare : 0;
		char		digit = rule->digits[unit_random_below(below)];

		/* the ends of the alphabet are near the ends of the range */
		if (unit_random_below(4) == 0)
			digit = rule->digits[unit_random_below(2) * (base - 1)];
		if (spare > 0 && unit_random_below(4) != 0)
			digit = rule->digits[unit_random_below(base) >> spare << spare];
		if (rule->any_case && unit_random_below(4) == 0 && digit >= 'A')
			digit ^= 0x20;
		if (rule->hyphens && unit_random_below(16) == 0 && len < TEXT_MAX - 10)
			text[len++] = '-';
		text[len++] = digit;
	}
	/* the largest, or near it */
	if (rule->largest && unit_random_below(3) == 0)
		memcpy(text, rule->largest, len = rule->length);
	return len;
}

static void
text_by_the_rules(void **state)
{
	foreach_reference(reference)
	{
		if (reference->text.digits == NULL)
			continue;
		for (uint64 round = 0; round < rounds(40000); round++)
		{
			char		text[TEXT_MAX];
			int			len = random_text(&reference->text, text);

			if (unit_random_below(3) == 0 && len > 0)
				text[unit_random_below(len)] = unit_random();

			else if (unit_random_below(3) == 0 && len > 0)
				text[unit_random_below(len)] += unit_random_below(3) - 1;

			check_text(reference, text, len);
		}
		check_text(reference, "", 0);
	}
}

/*
 * SIDs: two numbers of 63 bits in one of these forms, with a hyphen between
 */

static const struct
{
	const char *name;
	TextRule	time;
	TextRule	random;
}			sid_forms[] = {
	{"decimal", TEXT(DIGITS, 19, .unpadded = true), TEXT(DIGITS, 19)},
	{"hex", TEXT(HEX, 16), TEXT(HEX, 16)},
	{"base32", TEXT(BASE32, 13), TEXT(BASE32, 13)},
	{"base64", TEXT(DIGITS UPPER "_" LOWER "~", 11),
	TEXT(DIGITS UPPER "_" LOWER "~", 11)},
};

/* The form of a SID, -1 if the text is none. */
static int
expected_sid(const char *text, int len, Number *id)
{
	const char *hyphen = memchr(text, '-', len);
	int			before = hyphen ? hyphen - text : 0;

	for (int n = 0; n < SID_FORMS; n++)
	{
		Number		time;
		Number		random;

		if (hyphen &&
			expected_number(&sid_forms[n].time, 63, text, before, &time) &&
			expected_number(&sid_forms[n].random, 63, hyphen + 1,
							len - before - 1, &random))
		{
			*id = (Number)
			{
				{
					random.limb[0], random.limb[1],
						time.limb[0], time.limb[1], 0
				}
			};
			return n;
		}
	}
	return -1;
}

static void
check_sid(const char *text, int len)
{
	char		again[ID_TEXT_MAX];
	Number		expected;
	Number		id;
	int			form = expected_sid(text, len, &expected);

	check(uuidnew_id_parse(&uuidnew_sid, text, len, &id) == (form >= 0),
		  "\"%.*s\" is %s SID", len, text, form >= 0 ? "a" : "no");
	if (form < 0)
		return;
	check(same(&id, &expected), "%.*s", len, text);
	check(uuidnew_sid_format(&uuidnew_sid_forms[form], id, again) == len &&
		  memcmp(again, text, len) == 0,
		  "%.*s is not %.*s", len, again, len, text);
}

static void
sids_of_all_forms(void **state)
{
	assert_int_equal(lengthof(sid_forms), SID_FORMS);
	for (int n = 0; n < SID_FORMS; n++)
		assert_string_equal(uuidnew_sid_forms[n].name, sid_forms[n].name);

	for (uint64 round = 0; round < rounds(100000); round++)
	{
		/* mostly both halves in one form */
		int			n = unit_random_below(SID_FORMS);
		int			m = unit_random_below(SID_FORMS);
		char		text[TEXT_MAX];
		int			len = random_text(&sid_forms[n].time, text);

		if (unit_random_below(8) != 0)
			m = n;
		text[len++] = '-';
		len += random_text(&sid_forms[m].random, text + len);
		check_sid(text, len);

		/* anything in the place of a character, and cut off */
		text[unit_random_below(len)] =
			"\0 -/:@[`gw{~7890\x7f\xff"[unit_random_below(18)];
		check_sid(text, len);
		check_sid(text, unit_random_below(len + 1));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scales_are_those_of_the_contract),
		cmocka_unit_test(ids_have_uuids_times_and_fields),
		cmocka_unit_test(other_uuids_are_of_no_id),
		cmocka_unit_test(text_by_the_rules),
		cmocka_unit_test(sids_of_all_forms),
	};

	unit_seed();
	return cmocka_run_group_tests_name("systems", tests, NULL, NULL);
}
