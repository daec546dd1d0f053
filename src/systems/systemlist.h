/*
 * systemlist.h
 *	  The ID systems, one description each: see systems.h.
 *
 * ID_SYSTEM(name, description)
 * ID_VALUE(name, type, SQL functions that read an ID of the type)
 * ID_READ(name, type, SQL functions), for IDs that do not become UUIDs here
 * ID_BACK(name, type, SQL function that returns an ID for a UUID)
 *
 * To add a system, follow src/adding.md.
 */

#ifndef ID_SYSTEM
#define ID_SYSTEM(name, ...)
#endif
#ifndef ID_VALUE
#define ID_VALUE(name, type, timestamp, fields, to_uuid)
#endif
#ifndef ID_READ
#define ID_READ(name, type, timestamp, fields)
#endif
#ifndef ID_BACK
#define ID_BACK(name, type, from_uuid)
#endif

/* Numbers of 64 bits */

/* Twitter's IdWorker.scala, 2010 */
ID_SYSTEM(snowflake,
	.name = "Snowflake ID",
	.rule = gettext_noop("A Snowflake ID is not negative."),
	.bits = 64, .time_width = 42,
	.zeros = {{0, 1}},
	.scale = {SINCE_1970(INT64CONST(1288834974657000)), USECS_PER_MSEC},
	.fields = {{42, 5}, {47, 5}, {52, 12}})
ID_VALUE(snowflake, bigint,
	snowflake_bigint_timestamp, snowflake_bigint_fields,
	snowflake_bigint_to_uuid)
ID_BACK(snowflake, bigint, uuid_to_snowflake)

/* Instagram Engineering, "Sharding & IDs at Instagram" */
ID_SYSTEM(shardingid,
	.name = "ShardingID",
	.bits = 64, .time_width = 41,
	.scale = {SINCE_1970(INT64CONST(1314220021721000)), USECS_PER_MSEC},
	.fields = {{41, 13}, {54, 10}})
ID_VALUE(shardingid, bigint,
	shardingid_bigint_timestamp, shardingid_bigint_fields,
	shardingid_bigint_to_uuid)
ID_BACK(shardingid, bigint, uuid_to_shardingid)

/* T-PWK/flake-idgen, flake-id-gen.js */
ID_SYSTEM(flakeid,
	.name = "FlakeID",
	.bits = 64, .time_width = 42,
	.scale = {SINCE_1970(0), USECS_PER_MSEC},
	.fields = {{42, 5}, {47, 5}, {52, 12}})
ID_VALUE(flakeid, bigint,
	flakeid_bigint_timestamp, flakeid_bigint_fields, flakeid_bigint_to_uuid)
ID_VALUE(flakeid, bytea,
	flakeid_bytea_timestamp, flakeid_bytea_fields, flakeid_bytea_to_uuid)
ID_BACK(flakeid, bigint, uuid_to_flakeid)

/* sony/sonyflake, sonyflake.go */
ID_SYSTEM(sonyflake,
	.name = "Sonyflake ID",
	.rule = gettext_noop("A Sonyflake ID is not negative."),
	.bits = 64, .time_width = 40,
	.zeros = {{0, 1}},
	.scale = {SINCE_1970(INT64CONST(1409529600000000)), 10 * USECS_PER_MSEC},
	.fields = {{40, 8}, {48, 16}})
ID_VALUE(sonyflake, bigint,
	sonyflake_bigint_timestamp, sonyflake_bigint_fields,
	sonyflake_bigint_to_uuid)
ID_BACK(sonyflake, bigint, uuid_to_sonyflake)

/* Mastodon's timestamp_id() */
ID_SYSTEM(mastodon,
	.name = "Mastodon ID",
	.bits = 64, .time_width = 48,
	.scale = {SINCE_1970(0), USECS_PER_MSEC},
	.fields = {{48, 16}})
ID_VALUE(mastodon, bigint,
	mastodon_bigint_timestamp, mastodon_bigint_fields, mastodon_bigint_to_uuid)
ID_BACK(mastodon, bigint, uuid_to_mastodon)

/* Numbers of 96 to 128 bits that take at most 122 as version 8 */

/* twitter-archive/cassie, LexicalUUID.scala */
ID_SYSTEM(lexicaluuid,
	.name = "LexicalUUID",
	.rule = gettext_noop("A LexicalUUID has 32 hexadecimal digits, usually with hyphens after digits 8, 12 and 16."),
	.bits = 128, .time_width = 64,
	.signed_time = true,
	.scale = {SINCE_1970(0), 1},
	.fields = {{64, 64}},
	.text = {.alphabet = &uuidnew_hex, .digits = 32, .hyphens = true})
ID_VALUE(lexicaluuid, text,
	lexicaluuid_text_timestamp, lexicaluuid_text_fields,
	lexicaluuid_text_to_uuid)
ID_VALUE(lexicaluuid, uuid,
	lexicaluuid_uuid_timestamp, lexicaluuid_uuid_fields,
	lexicaluuid_uuid_to_uuid)
ID_BACK(lexicaluuid, text, uuid_to_lexicaluuid)

/* ppearcy/elasticflake, TimeBasedUUIDGenerator.java */
ID_SYSTEM(elasticflake,
	.name = "Elasticflake ID",
	.rule = gettext_noop("An Elasticflake ID has 20 characters of A-Z, a-z, 0-9, - and _."),
	.bits = 120, .time_width = 48,
	.scale = {SINCE_1970(0), USECS_PER_MSEC},
	.fields = {{48, 48}, {96, 24}},
	.text = {.alphabet = &uuidnew_base64url, .digits = 20})
ID_VALUE(elasticflake, text,
	elasticflake_text_timestamp, elasticflake_text_fields,
	elasticflake_text_to_uuid)
ID_BACK(elasticflake, text, uuid_to_elasticflake)

/* firebase/firebase-js-sdk, NextPushId.ts */
ID_SYSTEM(pushid,
	.name = "pushID",
	.rule = gettext_noop("A pushID has 20 characters of -, 0-9, A-Z, _ and a-z."),
	.bits = 120, .time_width = 48,
	.scale = {SINCE_1970(0), USECS_PER_MSEC},
	.fields = {{48, 72}},
	.text = {.alphabet = &uuidnew_base64_push, .digits = 20})
ID_VALUE(pushid, text,
	pushid_text_timestamp, pushid_text_fields, pushid_text_to_uuid)
ID_BACK(pushid, text, uuid_to_pushid)

/* rs/xid, id.go */
ID_SYSTEM(xid,
	.name = "XID",
	.rule = gettext_noop("An XID has 20 characters of 0-9 and a-v, and the last is 0 or g."),
	.bits = 96, .time_width = 32,
	.scale = {SINCE_1970(0), USECS_PER_SEC},
	.fields = {{32, 24}, {56, 16}, {72, 24}},
	.text = {.alphabet = &uuidnew_base32hex, .digits = 20, .spare_bits = 4})
ID_VALUE(xid, text, xid_text_timestamp, xid_text_fields, xid_text_to_uuid)
ID_BACK(xid, text, uuid_to_xid)

/* mongodb/specifications, bson-objectid.md */
ID_SYSTEM(objectid,
	.name = "ObjectID",
	.rule = gettext_noop("An ObjectID has 24 hexadecimal digits."),
	.bits = 96, .time_width = 32,
	.scale = {SINCE_1970(0), USECS_PER_SEC},
	.fields = {{32, 40}, {72, 24}},
	.text = {.alphabet = &uuidnew_hex, .digits = 24})
ID_VALUE(objectid, text,
	objectid_text_timestamp, objectid_text_fields, objectid_text_to_uuid)
ID_VALUE(objectid, bytea,
	objectid_bytea_timestamp, objectid_bytea_fields, objectid_bytea_to_uuid)
ID_BACK(objectid, text, uuid_to_objectid)

/* Numbers of up to 128 bits, which leave none for version and variant */

/* boundary/flake, flake_util.erl */
ID_SYSTEM(flake,
	.name = "Flake ID",
	.rule = gettext_noop("A Flake ID is a number of 128 bits in base 62, digits 0-9, A-Z and a-z, without leading zeros."),
	.form = ID_RAW,
	.bits = 128, .time_width = 64,
	.scale = {SINCE_1970(0), USECS_PER_MSEC},
	.fields = {{64, 48}, {112, 16}},
	.text = {.alphabet = &uuidnew_base62, .digits = 22, .unpadded = true})
ID_VALUE(flake, text,
	flake_text_timestamp, flake_text_fields, flake_text_to_uuid)
ID_VALUE(flake, bytea,
	flake_bytea_timestamp, flake_bytea_fields, flake_bytea_to_uuid)
ID_READ(flake, uuid, flake_uuid_timestamp, flake_uuid_fields)
ID_BACK(flake, text, uuid_to_flake)

/* ulid/spec, README.md */
ID_SYSTEM(ulid,
	.name = "ULID",
	.rule = gettext_noop("A ULID has 26 digits and letters of either case, except I, L, O and U, and the first is at most 7."),
	.form = ID_RAW,
	.bits = 128, .time_width = 48,
	.scale = {SINCE_1970(0), USECS_PER_MSEC},
	.fields = {{48, 80}},
	.text = {.alphabet = &uuidnew_base32_crockford, .digits = 26})
ID_VALUE(ulid, text, ulid_text_timestamp, ulid_text_fields, ulid_text_to_uuid)
ID_READ(ulid, uuid, ulid_uuid_timestamp, ulid_uuid_fields)
ID_BACK(ulid, text, uuid_to_ulid)

/* chilts/sid, sid.go */
ID_SYSTEM(sid,
	.name = "SID",
	.rule = gettext_noop("A SID is two numbers of 63 bits with a hyphen between, each of 19 decimal (the first: at most 19), 16 hexadecimal, 13 base 32 or 11 base 64 digits."),
	.form = ID_RAW,
	.bits = 128, .time_width = 64,
	.nanoseconds = true,
	.scale = {SINCE_1970(0), 0},
	.zeros = {{0, 1}, {64, 1}},
	.fields = {{0, 64}, {64, 64}},
	.parse = uuidnew_sid_parse)
ID_VALUE(sid, text, sid_text_timestamp, sid_text_fields, sid_text_to_uuid)
ID_READ(sid, uuid, sid_uuid_timestamp, sid_uuid_fields)

/* paralleldrive/cuid, index.js */
ID_SYSTEM(cuid,
	.name = "CUID",
	.rule = gettext_noop("A CUID has 25 characters of 0-9 and a-z, and the first is c."),
	.form = ID_RAW,
	.bits = 128, .time_width = 8,
	.scale = {SINCE_1970(0), USECS_PER_MSEC},
	/* 36^24 */
	.limit = {UINT64CONST(0x10E425C56DAFFABC),
	UINT64CONST(0x35C1000000000000)},
	.fields = {{8, 4}, {12, 4}, {16, 8}},
	.text = {.alphabet = &uuidnew_base36, .digits = 24, .prefix = 'c'},
	.counts_digits = true)
ID_VALUE(cuid, text, cuid_text_timestamp, cuid_text_fields, cuid_text_to_uuid)
ID_READ(cuid, uuid, cuid_uuid_timestamp, cuid_uuid_fields)
ID_BACK(cuid, text, uuid_to_cuid)

/* Too long for a UUID */

/* segmentio/ksuid, ksuid.go */
ID_SYSTEM(ksuid,
	.name = "KSUID",
	.rule = gettext_noop("A KSUID has 27 digits and letters, at most aWgEPTl1tmebfsQzFP4bxwgy80V."),
	.form = ID_NO_UUID,
	.bits = 160, .time_width = 32,
	.scale = {SINCE_1970(INT64CONST(1400000000000000)), USECS_PER_SEC},
	.fields = {{32, 128}},
	.text = {.alphabet = &uuidnew_base62, .digits = 27})
ID_READ(ksuid, text, ksuid_text_timestamp, ksuid_text_fields)
ID_READ(ksuid, bytea, ksuid_bytea_timestamp, ksuid_bytea_fields)

#undef ID_SYSTEM
#undef ID_VALUE
#undef ID_READ
#undef ID_BACK
