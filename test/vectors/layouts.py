#!/usr/bin/env python3
"""Writes layouts.tsv: version 8 beyond the draft's figure 6, and numbered UUIDs.

It follows draft-peabody-dispatch-new-uuid-format-02, 4.5, and for ntp64 RFC 5905, 6, with exact
integers and fractions, without this extension. Times are microseconds since 1970. Two runs give the
same.

  time      layout, epoch, time, UUID of the time, what its reader gives, smallest and largest UUID
            of the time that the reader gives
  numbered  version, layout, time, node, number, smallest and largest UUID with this number
  bits      122 bits, UUID

usage: layouts.py > layouts.tsv
"""
from fractions import Fraction
from math import ceil, floor
from random import Random

random = Random(8)
MICRO = 10**6
FIRST = -210866803200 * MICRO           # of timestamptz: 4714-11-24 BC
END = 9224318016000 * MICRO             # and the first microsecond after it
ERA = 2**32
NTP = -2208988800


def uuid(payload, version=8):
    """The 122 bits around version and variant, as text."""
    bits = f"{payload:0122b}"
    bits = bits[:48] + f"{version:04b}" + bits[48:60] + "10" + bits[60:]
    digits = f"{int(bits, 2):032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def row(*columns):
    print(*columns, sep="\t")


class Count:
    """A layout whose time counts ticks of so many microseconds, a fraction."""

    def __init__(self, name, tick, bits, sequence):
        self.name, self.tick, self.bits, self.sequence = name, Fraction(tick), bits, sequence
        # zeros fill what a field of figure 6 has left
        self.width = 48 if bits <= 48 else max(bits, 60)

    def count(self, us):
        return floor(us / self.tick)

    def read(self, count):
        """Of a long tick the first whole microsecond, of a short one the last that begins in it."""
        if self.tick >= 1:
            return ceil(count * self.tick)
        return ceil((count + 1) * self.tick) - 1

    def payload(self, count, rest):
        rest_bits = 122 - self.width
        return count << (122 - self.bits) | rest & (1 << rest_bits) - 1

    def times(self, epoch):
        last = min(ceil(2**self.bits * self.tick), END - epoch) - 1
        near = [0, ceil(self.tick), ceil(self.tick) - 1, last]
        near += [now - epoch for now in (0, 1770091506789012, 2**32 * MICRO)]
        near += [random.randint(0, last), random.randrange(0, last) >> random.randrange(60)]
        return sorted({us for us in near if 0 <= us <= last})

    def write(self, epoch):
        for us in self.times(epoch):
            count = self.count(us)
            read = self.read(count)
            if epoch + read >= END:
                continue
            # all the ticks that are read as this microsecond
            first = last = count
            while first > 0 and self.read(first - 1) == read:
                first -= 1
            while last + 1 < 2**self.bits and self.read(last + 1) == read:
                last += 1
            ones = (1 << (122 - self.bits)) - 1
            row("time", self.name, epoch, epoch + us,
                uuid(self.payload(count, random.getrandbits(122))), epoch + read,
                uuid(first << (122 - self.bits)), uuid(last << (122 - self.bits) | ones))


def ticks(per_second, bits, sequence):
    return Count(f"custom({per_second}/s, {bits}, {sequence})", Fraction(MICRO, per_second), bits, sequence)


def seconds(each, bits, sequence):
    return Count(f"custom({each}s, {bits}, {sequence})", each * MICRO, bits, sequence)


def write_numbered(version, name, width, sequence, time_bits, us, node, number):
    """The sequence, and where it is used up half of the bits below the node."""
    node_bits = 122 - width - sequence
    free = node_bits - 4 * len(node)
    most = (1 << sequence) - 1
    payload = time_bits << (node_bits + sequence) | min(number, most) << node_bits
    payload |= int(node or "0", 16) << free
    if number >= most:
        overflow = free // 2
        free -= overflow
        assert number - most < 1 << overflow
        payload |= (number - most) << free
    row("numbered", version, name, us, "\\x" + node, number,
        uuid(payload, version), uuid(payload | (1 << free) - 1, version))


print("kind")
for layout, epochs in (
        (Count("julian64", 1, 64, 8), [FIRST]),
        (Count("ntp64", Fraction(MICRO, 2**28), 60, 8), [(NTP + n * ERA) * MICRO for n in (-2, -1, 0, 1, 2, 60)]),
        (ticks(1000, 48, 12), [0]), (ticks(62500000, 60, 8), [0]), (ticks(10**7, 60, 8), [-12219292800 * MICRO]),
        (ticks(2**28, 60, 8), [NTP * MICRO]), (ticks(10**6, 64, 8), [FIRST, 0, 1577836800123457]),
        (ticks(10**9, 64, 26), [0, -1]), (ticks(300, 45, 32), [0, -2208988800000000]), (ticks(1024, 64, 6), [0, 1]),
        (ticks(999983, 61, 3), [0]), (ticks(999999999, 64, 1), [0]), (ticks(1, 32, 12), [0]), (ticks(7, 1, 12), [0]),
        (seconds(60, 32, 12), [0, 1704067200000000]), (seconds(604800, 20, 32), [-259200 * MICRO]),
        (seconds(2147483647, 64, 26), [FIRST, 0]), (seconds(86400, 17, 12), [0])):
    for epoch in epochs:
        layout.write(epoch)

US = 1770091506789012
SECOND, REST = divmod(US, MICRO)
for version, name, width, sequence, time_bits in (
        (6, "", 60, 14, (US + 12219292800 * MICRO) * 10),
        (7, "millisecond", 48, 12, SECOND << 12 | ceil(Fraction(789 << 12, 1000))),
        (7, "microsecond", 60, 14, SECOND << 24 | ceil(Fraction(REST << 24, MICRO))),
        (7, "nanosecond", 74, 8, SECOND << 38 | ceil(Fraction(REST << 38, MICRO))),
        (7, "rfc9562", 60, 6, US // 1000 << 12 | 12 * 4096 // 1000),
        (8, "unix32", 48, 12, SECOND << 16), (8, "unix48", 48, 12, US // 1000),
        (8, "unix64", 60, 8, US * 1000 >> 4), (8, "julian64", 64, 8, US - FIRST),
        (8, "custom(300/s, 60, 30)", 60, 30, US * 300 // MICRO)):
    for node in ("", "00000000ff"):
        most = (1 << sequence) - 1
        free = 122 - width - sequence - 4 * len(node)
        if free < 0:
            continue
        for number in (0, most, most + 1, most + (1 << free // 2) - 1):
            # a number once, also where there is nothing left to count
            if number <= most + (1 << free // 2) - 1:
                write_numbered(version, name, width, sequence, time_bits, US, node, number)

for payload in [0, 2**122 - 1, 1 << 61, 1 << 62, 1 << 73, 1 << 74] + [random.getrandbits(122) for _ in range(4)]:
    row("bits", f"{payload:0122b}", uuid(payload))
