#!/usr/bin/env python3
"""Writes v1_unix_ms.tsv: version 1 UUIDs as the code of "Really unique UUIDs" makes them, with
milliseconds since 1970 in a timestamp of 100 ns since 1582, and what they should have been.

It follows the article's Scala, whose Long has 64 bits and a sign, and RFC 4122; not uuidnew.
"""
import random

TICKS_TO_1970 = 0x01B21DD213814000  # RFC 4122, appendix A
END = 1 << 60


def article(time, rand):
    """new UUID(timeAndVersionFields(time), randomClockSeqAndNodeFields)"""
    time &= (1 << 64) - 1  # a Long, of which >>> takes the bits
    msb = (0x00000000FFFFFFFF & time) << 32
    msb |= (0x0000FFFF00000000 & time) >> 16
    msb |= (0x0FFF000000000000 & time) >> 48
    msb |= 0x0000000000001000
    lsb = 0x8000000000000000 | rand & 0x3FFFFFFFFFFFFFFF
    return text(msb << 64 | lsb)


def version_1(ticks, rand):
    """RFC 4122, 4.1.2: time_low, time_mid, version and time_hi"""
    low, mid, high = ticks % 2**32, ticks // 2**32 % 2**16, ticks // 2**48
    return text((low << 96) + (mid << 80) + (1 << 76) + (high << 64) + (2 << 62) + rand % 2**62)


def text(bits):
    h = f"{bits:032x}"
    return "-".join((h[:8], h[8:12], h[12:16], h[16:20], h[20:]))


random.seed(1582)
last = (END - 1 - TICKS_TO_1970) // 10000
times = [0, 1, 999, 1000, 2**32 - 1, 2**32, 1333065600000, 1350327498450, last - 1, last]
times += [random.randrange(2**random.randrange(1, 47)) for _ in range(40)]
# what version 1 can't hold, or no time that anybody means
times += [last + 1, 2**48, 2**53, END - 1, -1, -1000]

print("unix_ms", "article", "v1", sep="\t")
for time in times:
    rand = random.getrandbits(64)
    fits = 0 <= time <= last
    print(time, article(time, rand), version_1(TICKS_TO_1970 + time * 10000, rand) if fits else "", sep="\t")
