/*
 * systemlist.h
 *	  The ID systems, one description each: see systems.h.
 *
 * ID_SYSTEM(name, description)
 * ID_VALUE(name, type)		IDs of that SQL type have a time, fields and a UUID
 * ID_READ(name, type)		... a time and fields
 * ID_BACK(name, type)		UUIDs become IDs of that SQL type
 *
 * To add a system: an entry here, and its functions in the newest SQL script.
 *
 * There is deliberately not an #ifndef wrapped around this file.
 */

#ifndef ID_SYSTEM
#define ID_SYSTEM(name, ...)
#endif
#ifndef ID_VALUE
#define ID_VALUE(name, type)
#endif
#ifndef ID_READ
#define ID_READ(name, type)
#endif
#ifndef ID_BACK
#define ID_BACK(name, type)
#endif

/*
 * Numbers of 64 bits
 */

/* Twitter's IdWorker.scala, 2010 */
ID_SYSTEM(snowflake,
	.name = "Snowflake ID",
	.rule = gettext_noop("It is not negative."),
	.bits = 64, .time_width = 42,
	.zeros = {{0, 1}},
	.scale = {SINCE_1970(INT64CONST(1288834974657000)), USECS_PER_MSEC},
	.fields = {{42, 5}, {47, 5}, {52, 12}})
ID_VALUE(snowflake, bigint)
ID_BACK(snowflake, bigint)

/* Instagram Engineering, "Sharding & IDs at Instagram" */
ID_SYSTEM(shardingid,
	.name = "ShardingID",
	.bits = 64, .time_width = 41,
	.scale = {SINCE_1970(INT64CONST(1314220021721000)), USECS_PER_MSEC},
	.fields = {{41, 13}, {54, 10}})
ID_VALUE(shardingid, bigint)
ID_BACK(shardingid, bigint)

/* T-PWK/flake-idgen, flake-id-gen.js */
ID_SYSTEM(flakeid,
	.name = "FlakeID",
	.bits = 64, .time_width = 42,
	.scale = {SINCE_1970(0), USECS_PER_MSEC},
	.fields = {{42, 5}, {47, 5}, {52, 12}})
ID_VALUE(flakeid, bigint)
ID_VALUE(flakeid, bytea)
ID_BACK(flakeid, bigint)

/* sony/sonyflake, sonyflake.go */
ID_SYSTEM(sonyflake,
	.name = "Sonyflake ID",
	.rule = gettext_noop("It is not negative."),
	.bits = 64, .time_width = 40,
	.zeros = {{0, 1}},
	.scale = {SINCE_1970(INT64CONST(1409529600000000)), 10 * USECS_PER_MSEC},
	.fields = {{40, 8}, {48, 16}})
ID_VALUE(sonyflake, bigint)
ID_BACK(sonyflake, bigint)

/* Mastodon's timestamp_id() */
ID_SYSTEM(mastodon,
	.name = "Mastodon ID",
	.bits = 64, .time_width = 48,
	.scale = {SINCE_1970(0), USECS_PER_MSEC},
	.fields = {{48, 16}})
ID_VALUE(mastodon, bigint)
ID_BACK(mastodon, bigint)

/*
 * Numbers of 96 to 128 bits that take at most 122 as version 8
 */

/* twitter-archive/cassie, LexicalUUID.scala */
ID_SYSTEM(lexicaluuid,
	.name = "LexicalUUID",
	.rule = gettext_noop("It has 32 hexadecimal digits, usually with hyphens after digits 8, 12 and 16."),
	.bits = 128, .time_width = 64,
	.signed_time = true,
	.scale = {SINCE_1970(0), 1},
	.fields = {{64, 64}},
	.alphabet = &uuidnew_hex, .digits = 32,
	.hyphens = true)
ID_VALUE(lexicaluuid, text)
ID_VALUE(lexicaluuid, uuid)
ID_BACK(lexicaluuid, text)

/* ppearcy/elasticflake, TimeBasedUUIDGenerator.java */
ID_SYSTEM(elasticflake,
	.name = "Elasticflake ID",
	.rule = gettext_noop("It has 20 characters of A-Z, a-z, 0-9, - and _."),
	.bits = 120, .time_width = 48,
	.scale = {SINCE_1970(0), USECS_PER_MSEC},
	.fields = {{48, 48}, {96, 24}},
	.alphabet = &uuidnew_base64url, .digits = 20)
ID_VALUE(elasticflake, text)
ID_BACK(elasticflake, text)

/* firebase/firebase-js-sdk, NextPushId.ts */
ID_SYSTEM(pushid,
	.name = "pushID",
	.rule = gettext_noop("It has 20 characters of -, 0-9, A-Z, _ and a-z."),
	.bits = 120, .time_width = 48,
	.scale = {SINCE_1970(0), USECS_PER_MSEC},
	.fields = {{48, 72}},
	.alphabet = &uuidnew_base64_push, .digits = 20)
ID_VALUE(pushid, text)
ID_BACK(pushid, text)

/* rs/xid, id.go */
ID_SYSTEM(xid,
	.name = "XID",
	.rule = gettext_noop("It has 20 characters of 0-9 and a-v, the last of them 0 or g."),
	.bits = 96, .time_width = 32,
	.scale = {SINCE_1970(0), USECS_PER_SEC},
	.fields = {{32, 24}, {56, 16}, {72, 24}},
	.alphabet = &uuidnew_base32hex, .digits = 20,
	.spare_bits = 4)
ID_VALUE(xid, text)
ID_BACK(xid, text)

/* mongodb/specifications, bson-objectid.md */
ID_SYSTEM(objectid,
	.name = "ObjectID",
	.rule = gettext_noop("It has 24 hexadecimal digits."),
	.bits = 96, .time_width = 32,
	.scale = {SINCE_1970(0), USECS_PER_SEC},
	.fields = {{32, 40}, {72, 24}},
	.alphabet = &uuidnew_hex, .digits = 24)
ID_VALUE(objectid, text)
ID_VALUE(objectid, bytea)
ID_BACK(objectid, text)

/*
 * Numbers of up to 128 bits, which leave none for version and variant
 */

/* boundary/flake, flake_util.erl */
ID_SYSTEM(flake,
	.name = "Flake ID",
	.rule = gettext_noop("It is a number of 128 bits in base 62, digits 0-9, A-Z and a-z, without zeros in front."),
	.form = ID_RAW,
	.bits = 128, .time_width = 64,
	.scale = {SINCE_1970(0), USECS_PER_MSEC},
	.fields = {{64, 48}, {112, 16}},
	.alphabet = &uuidnew_base62, .digits = 22,
	.unpadded = true)
ID_VALUE(flake, text)
ID_VALUE(flake, bytea)
ID_READ(flake, uuid)
ID_BACK(flake, text)

/* ulid/spec, README.md */
ID_SYSTEM(ulid,
	.name = "ULID",
	.rule = gettext_noop("It has 26 digits and letters, of either case but not I, L, O and U, the first at most 7."),
	.form = ID_RAW,
	.bits = 128, .time_width = 48,
	.scale = {SINCE_1970(0), USECS_PER_MSEC},
	.fields = {{48, 80}},
	.alphabet = &uuidnew_base32_crockford, .digits = 26)
ID_VALUE(ulid, text)
ID_READ(ulid, uuid)
ID_BACK(ulid, text)

/* chilts/sid, sid.go */
ID_SYSTEM(sid,
	.name = "SID",
	.rule = gettext_noop("It is two numbers of 63 bits with a hyphen between, each of 19 decimal (the first: at most 19), 16 hexadecimal, 13 base 32 or 11 base 64 digits."),
	.form = ID_RAW,
	.bits = 128, .time_width = 64,
	.nanoseconds = true,
	.scale = {SINCE_1970(0), 0},
	.zeros = {{0, 1}, {64, 1}},
	.fields = {{0, 64}, {64, 64}},
	.parse = uuidnew_sid_parse)
ID_VALUE(sid, text)
ID_READ(sid, uuid)

/* paralleldrive/cuid, index.js */
ID_SYSTEM(cuid,
	.name = "CUID",
	.rule = gettext_noop("It has 25 characters of 0-9 and a-z, the first of them c."),
	.form = ID_RAW,
	.bits = 128, .time_width = 8,
	.scale = {SINCE_1970(0), USECS_PER_MSEC},
	/* 36^24 */
	.limit = {UINT64CONST(0x10E425C56DAFFABC),
	UINT64CONST(0x35C1000000000000)},
	.fields = {{8, 4}, {12, 4}, {16, 8}},
	.alphabet = &uuidnew_base36, .digits = 24,
	.prefix = 'c',
	.counts_digits = true)
ID_VALUE(cuid, text)
ID_READ(cuid, uuid)
ID_BACK(cuid, text)

/*
 * Too long for a UUID
 */

/* segmentio/ksuid, ksuid.go */
ID_SYSTEM(ksuid,
	.name = "KSUID",
	.rule = gettext_noop("It has 27 digits and letters, at most aWgEPTl1tmebfsQzFP4bxwgy80V."),
	.form = ID_NO_UUID,
	.bits = 160, .time_width = 32,
	.scale = {SINCE_1970(INT64CONST(1400000000000000)), USECS_PER_SEC},
	.fields = {{32, 128}},
	.alphabet = &uuidnew_base62, .digits = 27)
ID_READ(ksuid, text)
ID_READ(ksuid, bytea)

#undef ID_SYSTEM
#undef ID_VALUE
#undef ID_READ
#undef ID_BACK
