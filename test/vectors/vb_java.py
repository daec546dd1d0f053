#!/usr/bin/env python3
"""Writes vb_java.tsv: Locality UUIDs as Groupon's Java makes them, signs and all.

It follows com.groupon.uuid.UUID, whose int has 32 bits and a sign; not uuidnew. The first eight of
each mode are those of its README, from one of the counters that can have been theirs.
"""
import random

INCREMENT = 198491317


def java_int(x):
    x &= 0xFFFFFFFF
    return x - 0x100000000 if x >= 0x80000000 else x


def java_byte(x):
    return x & 0xFF


def variable(count):
    """The first four octets; >> keeps the sign of its int"""
    c = java_int(count)
    return bytes((
        java_byte((c & 0xF) << 4 | (c & 0xF0) >> 4),
        java_byte((c & 0xF00) >> 4 | (c & 0xF000) >> 12),
        java_byte((c & 0xF0000) >> 12 | (c & 0xF00000) >> 20),
        java_byte((c & 0xF000000) >> 20 | java_int(c & 0xF0000000) >> 28)))


def sequential(count):
    c = java_int(count)
    return bytes(java_byte(c >> shift) for shift in (24, 16, 8, 0))


def uuid(first, pid, mac, ms):
    """mac is the last 28 bits of the address"""
    octets = first + pid.to_bytes(2, "big") + (0xB << 28 | mac).to_bytes(4, "big") + ms.to_bytes(6, "big")
    h = octets.hex()
    return "-".join((h[:8], h[8:12], h[12:16], h[16:20], h[20:]))


README = {
    "variable": "c8c9cef9 14951cfa 6f5169fb ba2da6fc 06f8f3fc 51c441fd ac809efe f75cdbff".split(),
    "sequential": "f5166777 f5166778 f5166779 f516677a f516677b f516677c f516677d f516677e".split(),
}

rows = []
for n in range(8):
    rows.append(("variable", (0x9DEC9C8C + n * INCREMENT) % 2**32, 0x7A7F, 0xD537A50, 0x013E4E2AFBDE))
for n in range(8):
    rows.append(("sequential", 0xF5166777 + n, 0x7A7F, 0xD537A50, 0x013E4E2AFC26))

# others, on both sides of 2^31
random.seed(11)
counts = [0, 1, 0x0F000000, 0x7FFFFFFF, 0x80000000, 0x8F000000, 0x8EFFFFFF, 0xF0000000, 0xFFFFFFFF]
counts += [random.getrandbits(32) for _ in range(31)]
for count in counts:
    mode = random.choice(("variable", "variable", "sequential"))
    rows.append((mode, count, random.getrandbits(16), random.getrandbits(28), random.getrandbits(41)))

print("mode", "counter", "process_id", "mac28_hex", "unix_ms", "uuid", sep="\t")
for n, (mode, count, pid, mac, ms) in enumerate(rows):
    first = variable(count) if mode == "variable" else sequential(count)
    assert n >= 16 or first.hex() == README[mode][n % 8]
    print(mode, count, pid, f"{mac:07x}", ms, uuid(first, pid, mac, ms), sep="\t")
