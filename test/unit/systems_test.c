/*
 * systems_test.c
 *	  Unit tests of systems.c and sid.c, and of the descriptions in
 *	  systemlist.h.
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

typedef enum Form
{
	V8,
	RAW,
	LOSSY
} Form;

typedef struct Reference
{
	const char *name;
	const IdSystem *system;
	Form		form;
	int			time_bits;		/* that an ID's time may have */
	int			rest_bits;
	int			used_rest_bits;
	int64		epoch;			/* Unix milliseconds */
	uint64		unit;			/* nanoseconds */

	/* Text: a letter, digits, and zero bits that they end with. */
	const char *digits;
	bool		any_case;
	int			length;
	int			spare;
	char		prefix;
} Reference;

#define TEXT(characters, n)	.digits = characters, .length = n

static const Reference references[] = {
	{"snowflake", &uuidnew_snowflake, V8, 41, 22, 22,
	INT64CONST(1288834974657), 1000000, .digits = NULL},
	{"shardingid", &uuidnew_shardingid, V8, 41, 23, 23,
	INT64CONST(1314220021721), 1000000, .digits = NULL},
	{"flakeid", &uuidnew_flakeid, V8, 42, 22, 22, 0, 1000000, .digits = NULL},
	{"sonyflake", &uuidnew_sonyflake, V8, 39, 24, 24,
	INT64CONST(1409529600000), 10000000, .digits = NULL},
	{"mastodon", &uuidnew_mastodon, V8, 48, 16, 16, 0, 1000000,
	.digits = NULL},
	{"lexicaluuid", &uuidnew_lexicaluuid, V8, 64, 64, 64, 0, 1000,
	TEXT(DIGITS "abcdef", 32), .any_case = true},
	{"elasticflake", &uuidnew_elasticflake, V8, 48, 72, 72, 0, 1000000,
	TEXT(UPPER LOWER DIGITS "-_", 20)},
	{"pushid", &uuidnew_pushid, V8, 48, 72, 72, 0, 1000000,
	TEXT("-" DIGITS UPPER "_" LOWER, 20)},
	{"xid", &uuidnew_xid, V8, 32, 64, 64, 0, 1000000000,
	TEXT(DIGITS "abcdefghijklmnopqrstuv", 20), .spare = 4},
	{"objectid", &uuidnew_objectid, V8, 32, 64, 64, 0, 1000000000,
	TEXT(DIGITS "abcdef", 24), .any_case = true},
	{"flake", &uuidnew_flake, RAW, 64, 64, 64, 0, 1000000,
	TEXT(DIGITS UPPER LOWER, 22)},
	{"ulid", &uuidnew_ulid, RAW, 48, 80, 80, 0, 1000000,
	TEXT(DIGITS "ABCDEFGHJKMNPQRSTVWXYZ", 26), .any_case = true},
	{"sid", &uuidnew_sid, RAW, 63, 64, 63, 0, 1, .digits = NULL},
	{"ksuid", &uuidnew_ksuid, LOSSY, 32, 128, 128, INT64CONST(1400000000000),
	1000000000, TEXT(DIGITS UPPER LOWER, 27)},
	/* its time is digits, not bits */
	{"cuid", &uuidnew_cuid, RAW, 64, 64, 64, 0, 1000000,
	TEXT(DIGITS LOWER, 24), .prefix = 'c'},
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

/* Bit by bit, as number.h has another test. */
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

/* The time in nanoseconds since 1970, of any epoch and unit. */
static __int128
unix_nsec(const Reference *reference, IdScale scale, uint64 time)
{
	__int128	epoch =
		(__int128) scale.epoch + (__int128) EPOCH_POSTGRES * USECS_PER_SEC;

	if (reference->unit == 1)
		return epoch * 1000 + time;
	if (reference->system == &uuidnew_lexicaluuid)
		return (epoch + (int64) time) * 1000;
	return (epoch + (__int128) time * scale.unit) * 1000;
}

/* What the UUID should be; false if there is none. */
static bool
expected_uuid(const Reference *reference, IdScale scale, uint64 time,
			  Wide rest, pg_uuid_t *uuid)
{
	__int128	nsec = unix_nsec(reference, scale, time);
	__int128	msec = nsec / 1000000;
	int			rest_bits = reference->rest_bits;

	if (reference->form == RAW)
	{
		*uuid = octets_of((Wide) time << rest_bits | rest);
		return true;
	}
	if (nsec < 0 || msec >= (__int128) 1 << 48)
		return false;
	if (reference->form == LOSSY)
		rest &= wide_low_bits(74);
	else if (reference->system == &uuidnew_lexicaluuid)
		rest |= (Wide) (nsec / 1000 % 1000) << 64;
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

static void
scales_are_those_of_the_contract(void **state)
{
	foreach_reference(reference)
	{
		const IdSystem *system = reference->system;

		check(system->scale.epoch == SINCE_1970(reference->epoch * 1000),
			  "%s: epoch", reference->name);
		check(system->nanoseconds
			  ? reference->unit == 1
			  : system->scale.unit * 1000 == reference->unit,
			  "%s: unit", reference->name);
	}
}

static void
ids_become_uuids_and_come_back(void **state)
{
	foreach_reference(reference)
	{
		const IdSystem *system = reference->system;

		for (uint64 round = 0; round < rounds(40000); round++)
		{
			IdScale		scale = random_scale(reference);
			uint64		time = random_wide(reference->time_bits);
			Wide		rest = random_wide(reference->used_rest_bits);
			Number		id = make_id(time, rest, reference->rest_bits);
			Number		again;
			pg_uuid_t	expected;
			pg_uuid_t	uuid;
			bool		made;

			/* less than 2^124, and so than 36^24 */
			if (is_cuid(reference))
				id = make_id(time >>= 4, rest, 64);

			check(uuidnew_id_is_valid(system, id), "%s: an ID is none",
				  reference->name);
			made = uuidnew_id_to_uuid(system, scale, id, &uuid);
			check(made ==
				  expected_uuid(reference, scale, time, rest, &expected),
				  "%s: time " UINT64_FORMAT ", epoch " INT64_FORMAT
				  ", unit " UINT64_FORMAT,
				  reference->name, time, scale.epoch, scale.unit);
			if (!made)
				continue;
			check(uuid_compare(&uuid, &expected) == 0, "%s: %s is not %s",
				  reference->name, uuid_text(&uuid), uuid_text(&expected));
			if (reference->form == LOSSY)
				continue;
			check(uuidnew_uuid_to_id(system, scale, &uuid, &again) &&
				  same(&again, &id),
				  "%s: %s does not come back", reference->name,
				  uuid_text(&uuid));
		}
	}
}

/* Is the UUID one that an ID became?  By the fields that it would have. */
static bool
is_of_an_id(const Reference *reference, IdScale scale, const pg_uuid_t *uuid)
{
	Wide		wide = wide_of(uuid);
	Wide		rest = (wide >> 64 & 0xFFF) << 62 | (wide & wide_low_bits(62));
	__int128	usec = (__int128) (wide >> 80) * 1000 -
		(__int128) EPOCH_POSTGRES * USECS_PER_SEC - scale.epoch;

	if (is_cuid(reference))
	{
		Wide		limit = 1;

		for (int i = 0; i < 24; i++)
			limit *= 36;
		return wide < limit;
	}
	if (reference->form == RAW)
		return reference->system != &uuidnew_sid ||
			((wide >> 127) == 0 && (wide >> 63 & 1) == 0);
	if (uuid_version_of(uuid) != 8)
		return false;
	if (reference->system == &uuidnew_lexicaluuid)
		return rest >> 64 < 1000;
	return usec >= 0 && usec % scale.unit == 0 &&
		usec / scale.unit < (__int128) 1 << reference->time_bits &&
		(rest & wide_low_bits(74 - reference->rest_bits)) ==
		(Wide) 1 << (73 - reference->rest_bits);
}

static void
other_uuids_are_of_no_id(void **state)
{
	foreach_reference(reference)
	{
		if (reference->form == LOSSY)
			continue;
		for (uint64 round = 0; round < rounds(60000); round++)
		{
			IdScale		scale = random_scale(reference);
			uint64		time = random_wide(reference->time_bits);
			Wide		rest = random_wide(reference->used_rest_bits);
			Number		id;
			pg_uuid_t	uuid;
			pg_uuid_t	again;

			/* made and then changed in a bit; or any, of version 8 or not */
			if (unit_random_below(4) == 0 ||
				!expected_uuid(reference, scale, time, rest, &uuid))
			{
				uuid = octets_of(random_wide(128));
				if (unit_random_below(2) == 0)
					uuid_pack(uuid_unpack(&uuid), 8, &uuid);
			}
			else if (unit_random_below(4) != 0)
				uuid.data[unit_random_below(UUID_LEN)] ^=
					1 << unit_random_below(8);

			check(uuidnew_uuid_to_id(reference->system, scale, &uuid, &id) ==
				  is_of_an_id(reference, scale, &uuid),
				  "%s: %s, epoch " INT64_FORMAT ", unit " UINT64_FORMAT,
				  reference->name, uuid_text(&uuid), scale.epoch, scale.unit);
			check(!is_of_an_id(reference, scale, &uuid) ||
				  (uuidnew_id_to_uuid(reference->system, scale, id,
									  &again) &&
				   uuid_compare(&uuid, &again) == 0),
				  "%s: %s becomes %s", reference->name, uuid_text(&uuid),
				  uuid_text(&again));
		}
	}
}

static void
times_are_read(void **state)
{
	foreach_reference(reference)
	{
		for (uint64 round = 0; round < rounds(40000); round++)
		{
			IdScale		scale = random_scale(reference);
			uint64		time = random_wide(reference->time_bits);
			Wide		rest = random_wide(reference->used_rest_bits);
			__int128	expected;
			int64		timestamp = 0;
			Number		id;

			if (is_cuid(reference))
				continue;
			/* the unit at the end of timestamps, before and after */
			if (reference->form == V8 && reference->unit >= 1000000 &&
				unit_random_below(4) == 0)
			{
				time = 1 + unit_random_below(1000);
				scale.epoch = END_TIMESTAMP - (int64) (time * scale.unit);
				time += unit_random_below(3) - 1;
			}
			id = make_id(time, rest, reference->rest_bits);
			expected = unix_nsec(reference, scale, time) / 1000 -
				(__int128) EPOCH_POSTGRES * USECS_PER_SEC;
			check(uuidnew_id_timestamp(reference->system, scale, id,
									   &timestamp) ==
				  (expected >= MIN_TIMESTAMP && expected < END_TIMESTAMP),
				  "%s: time " UINT64_FORMAT ", epoch " INT64_FORMAT
				  ", unit " UINT64_FORMAT,
				  reference->name, time, scale.epoch, scale.unit);
			check(expected < MIN_TIMESTAMP || expected >= END_TIMESTAMP ||
				  timestamp == expected,
				  "%s: time " UINT64_FORMAT " is " INT64_FORMAT,
				  reference->name, time, timestamp);
		}
	}
}

static void
fields_are_bits_from_the_top(void **state)
{
	foreach_reference(reference)
	{
		int			bits = reference->form == RAW ? 128 :
			reference->rest_bits + reference->time_bits;

		bits = (bits + 7) / 8 * 8;
		if (is_cuid(reference))
			continue;
		check(reference->system->bits == bits, "%s has %d bits",
			  reference->name, reference->system->bits);
		for (uint64 round = 0; round < rounds(20000); round++)
		{
			Number		id = make_id(random_wide(reference->time_bits),
									 random_wide(reference->used_rest_bits),
									 reference->rest_bits);
			IdField		field;
			uint64		expected = 0;

			field.width = 1 + unit_random_below(64);
			if (field.width > bits)
				continue;
			field.first = unit_random_below(bits - field.width + 1);
			for (int i = 0; i < field.width; i++)
			{
				int			bit = bits - 1 - field.first - i;

				expected =
					expected << 1 | (id.limb[bit / 32] >> (bit % 32) & 1);
			}
			check(uuidnew_id_field(reference->system, id, field) == expected,
				  "%s: %d bits from %d", reference->name, field.width,
				  field.first);
		}
	}
}

/*
 * Text
 */

/* The value of a digit, -1 if it is none. */
static int
digit_value(const Reference *reference, char digit)
{
	for (int i = 0; reference->digits[i] != '\0'; i++)
	{
		char		of_value = reference->digits[i];

		if (digit == of_value)
			return i;
		if (reference->any_case &&
			((of_value >= 'a' && of_value <= 'z') ||
			 (of_value >= 'A' && of_value <= 'Z')) &&
			(digit ^ of_value) == 0x20)
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

/* What a text says, by the rules; false if it is no ID. */
static bool
expected_id(const Reference *reference, const char *text, int len, Number *id)
{
	int			base = strlen(reference->digits);
	int			bits = reference->system->bits;
	int			ndigits = 0;
	Number		number = {{0}};

	if (reference->prefix != 0 && (len-- == 0 || *text++ != reference->prefix))
		return false;
	for (int i = 0; i < len; i++)
	{
		int			value = digit_value(reference, text[i]);

		if (text[i] == '-' && reference->system == &uuidnew_lexicaluuid)
			continue;
		ndigits++;
		if (value < 0)
			return false;
		/* the last digit may have fewer bits */
		if (reference->spare > 0 && ndigits == reference->length)
		{
			if (value % (1 << reference->spare) != 0)
				return false;
			if (!push_digit(&number, base >> reference->spare,
							value >> reference->spare, bits))
				return false;
		}
		else if (!push_digit(&number, base, value, bits))
			return false;
	}
	*id = number;
	if (reference->system == &uuidnew_flake)
		return len == 1 ||
			(len > 1 && len <= reference->length && *text != '0');
	return ndigits == reference->length;
}

static void
check_text(const Reference *reference, const char *text, int len)
{
	char		copy[TEXT_MAX];
	char		canonical[ID_TEXT_MAX];
	int			canonical_len;
	Number		expected;
	Number		id;

	/* its own size, for sanitizers to see beyond */
	char	   *exact = malloc(len + 1);
	bool		parsed;

	memcpy(exact + 1, text, len);
	memcpy(copy, text, len);
	parsed = uuidnew_id_parse(reference->system, exact + 1, len, &id);
	free(exact);
	check(parsed == expected_id(reference, text, len, &expected),
		  "%s: \"%.*s\" is %s ID", reference->name, len, text,
		  parsed ? "an" : "no");
	if (!parsed)
		return;
	check(same(&id, &expected), "%s: \"%.*s\"", reference->name, len, text);
	check(uuidnew_id_is_valid(reference->system, id),
		  "%s: \"%.*s\" is not valid", reference->name, len, text);

	/* the digits as they stand in the alphabet */
	canonical_len = uuidnew_text_format(&reference->system->text, id, canonical);
	if (reference->system == &uuidnew_lexicaluuid)
	{
		int			n = 0;

		for (int i = 0; i < len; i++)
		{
			if (copy[i] == '-')
				continue;
			if (n == 8 || n == 13 || n == 18)
				check(canonical[n++] == '-', "%.*s", canonical_len, canonical);
			check(canonical[n] ==
				  reference->digits[digit_value(reference, copy[i])],
				  "%.*s is %.*s", len, copy, canonical_len, canonical);
			n++;
		}
		check(canonical_len == n && n == 35, "%.*s", canonical_len, canonical);
		return;
	}
	check(canonical_len == len, "%s: %.*s is %.*s", reference->name, len, copy,
		  canonical_len, canonical);
	for (int i = 0; i < len; i++)
		check(canonical[i] ==
			  (i == 0 && reference->prefix
			   ? reference->prefix
			   : reference->digits[digit_value(reference, copy[i])]),
			  "%s: %.*s is %.*s", reference->name, len, copy, canonical_len,
			  canonical);
}

static void
text_by_the_rules(void **state)
{
	foreach_reference(reference)
	{
		if (reference->digits == NULL)
			continue;
		for (uint64 round = 0; round < rounds(40000); round++)
		{
			const char *digits = reference->digits;
			char		text[TEXT_MAX];
			int			len = 0;
			int			ndigits = reference->length;
			int			spare = reference->spare;
			int			base = strlen(digits);
			int			first = 1 + unit_random_below(base);

			if (unit_random_below(8) == 0)
				ndigits += (int) unit_random_below(5) - 2;
			if (reference->system == &uuidnew_flake)
				ndigits = unit_random_below(25);
			if (reference->prefix != 0)
				text[len++] = reference->prefix;
			for (int i = 0; i < ndigits; i++)
			{
				int			below = i == 0 ? first : base;
				char		digit = digits[unit_random_below(below)];

				/* the ends of the alphabet are near the ends of the range */
				if (unit_random_below(4) == 0)
					digit = digits[unit_random_below(2) * (base - 1)];
				if (i == reference->length - 1 && spare > 0 &&
					unit_random_below(4) != 0)
					digit = digits[unit_random_below(base) >> spare << spare];
				if (reference->any_case && unit_random_below(4) == 0 &&
					digit >= 'A')
					digit ^= 0x20;
				if (reference->system == &uuidnew_lexicaluuid &&
					unit_random_below(16) == 0 && len < TEXT_MAX - 10)
					text[len++] = '-';
				text[len++] = digit;
			}

			if (unit_random_below(3) == 0)
			{
				/* the largest, or near it */
				const char *largest = NULL;

				if (reference->system == &uuidnew_ksuid)
					largest = "aWgEPTl1tmebfsQzFP4bxwgy80V";
				else if (reference->system == &uuidnew_flake)
					largest = "7n42DGM5Tflk9n8mt7Fhc7";
				if (largest != NULL)
					memcpy(text, largest, len = strlen(largest));
			}
			if (unit_random_below(3) == 0 && len > 0)
				text[unit_random_below(len)] = unit_random();
			else if (unit_random_below(3) == 0 && len > 0)
				text[unit_random_below(len)] += unit_random_below(3) - 1;
			check_text(reference, text, len);
		}
		check_text(reference, "", 0);
	}
}

/* What a form of SID is in the reference. */
static const struct
{
	const char *name;
	const char *digits;
	int			length;
	bool		unpadded;
}			sid_forms[] = {
	{"decimal", DIGITS, 19, true},
	{"hex", DIGITS "abcdef", 16, false},
	{"base32", DIGITS "abcdefghijklmnopqrstuv", 13, false},
	{"base64", DIGITS UPPER "_" LOWER "~", 11, false},
};

/* so many digits of a number, without zeros in front if unpadded */
static int
sid_digits(int n, uint64 value, bool unpadded, char *text)
{
	char		digits[19];
	int			base = strlen(sid_forms[n].digits);
	int			len = sid_forms[n].length;
	int			zeros = 0;

	for (int i = len - 1; i >= 0; i--)
	{
		digits[i] = sid_forms[n].digits[value % base];
		value /= base;
	}
	while (unpadded && zeros < len - 1 && digits[zeros] == '0')
		zeros++;
	memcpy(text, digits + zeros, len - zeros);
	return len - zeros;
}

/* The value of digits in a form; false if one is none, or it takes 64 bits. */
static bool
sid_value(int n, const char *digits, int len, uint64 *value)
{
	Wide		wide = 0;

	for (int i = 0; i < len; i++)
	{
		const char *digit =
			digits[i] == '\0' ? NULL : strchr(sid_forms[n].digits, digits[i]);

		if (digit == NULL)
			return false;
		wide =
			wide * strlen(sid_forms[n].digits) + (digit - sid_forms[n].digits);
	}
	*value = wide;
	return wide >> 63 == 0;
}

/* The form of a SID, -1 if the text is none. */
static int
expected_sid(const char *text, int len, Number *id)
{
	int			before = 0;

	while (before < len && text[before] != '-')
		before++;
	for (int n = 0; n < SID_FORMS; n++)
	{
		uint64		time;
		uint64		random;

		if (len - before - 1 == sid_forms[n].length &&
			(sid_forms[n].unpadded
			 ? before == 1 ||
			 (before > 1 && before <= sid_forms[n].length &&
			  text[0] != '0')
			 : before == sid_forms[n].length) &&
			sid_value(n, text, before, &time) &&
			sid_value(n, text + before + 1, sid_forms[n].length, &random))
		{
			*id = make_id(time, random, 64);
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
		/* mostly both halves in one form, padded as it is */
		int			n = unit_random_below(SID_FORMS);
		int			m = unit_random_below(8) == 0 ?
			(int) unit_random_below(SID_FORMS) : n;
		bool		padding = unit_random_below(8) != 0;
		bool		beyond = unit_random_below(8) == 0;
		char		text[TEXT_MAX];
		int			bits = beyond ? 64 : 63;
		int			len = sid_digits(n, random_wide(bits),
									 padding == sid_forms[n].unpadded, text);

		text[len++] = '-';
		len += sid_digits(m, random_wide(bits), false, text + len);
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
		cmocka_unit_test(ids_become_uuids_and_come_back),
		cmocka_unit_test(other_uuids_are_of_no_id),
		cmocka_unit_test(times_are_read),
		cmocka_unit_test(fields_are_bits_from_the_top),
		cmocka_unit_test(text_by_the_rules),
		cmocka_unit_test(sids_of_all_forms),
	};

	unit_seed();
	return cmocka_run_group_tests_name("systems", tests, NULL, NULL);
}
