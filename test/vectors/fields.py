#!/usr/bin/env python3
"""Writes fields.tsv: UUIDs of every layout, and all that their bits say.

They are made and read by the words of the specifications, with exact integers and fractions,
without this extension:

  versions 1 and 6, gregorian60   RFC 9562, 5.1 and 5.6: 100 ns since 1582-10-15
  version 7                       draft-peabody-dispatch-new-uuid-format-02, 4.4, figures 3 to 5
  rfc9562                         RFC 9562, 5.7 and 6.2, method 3
  version 8                       the draft, 4.5 and figure 6; for ntp64 RFC 5905, 6
  custom(...)                     the draft, 4.5.1 and 4.5.2: unit, bits of the time, bits of the sequence

Each time that is written is compared with what is read. Two runs give the same.

usage: fields.py > fields.tsv
"""

from datetime import date
from fractions import Fraction
from hashlib import sha256
from itertools import count
from math import ceil, floor

SECOND = 10**9
DAY = 86400

counter = count()


def noise(bits):
    digest = sha256(str(next(counter)).encode()).digest()
    return int.from_bytes(digest, 'big') >> (256 - bits)


def spread(number, version):
    """128 bits as the text of a UUID, with version and variant put in."""
    number = number & ~(0xF << 76 | 3 << 62) | version << 76 | 2 << 62
    text = f'{number:032x}'
    return '-'.join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def uuid(version, payload):
    """The text of a UUID with the 122 bits that are neither version nor variant."""
    low = payload & (1 << 62) - 1
    if version == 1:  # the fields of version 6, the lowest bits of the time first
        ticks = payload >> 62
        return spread((ticks & 0xFFFFFFFF) << 96 | (ticks >> 32 & 0xFFFF) << 80 | ticks >> 48 << 64 | low, 1)
    return spread(payload >> 74 << 80 | (payload >> 62 & 0xFFF) << 64 | low, version)


# A layout writes nanoseconds since its epoch as timestamp bits, and reads them from
# the 122 bits of a UUID.


class Ticks:
    """The timestamp counts ticks of so many nanoseconds, and zeros may follow it."""

    def __init__(self, bits, tick, zeros=0):
        self.bits = bits + zeros
        self.zeros = zeros
        self.tick = Fraction(tick)

    def write(self, nsec):
        return floor(nsec / self.tick) << self.zeros

    def read(self, payload):
        """The first nanosecond of the tick, or the first whole microsecond if one is in it."""
        stamp = payload >> 122 - self.bits + self.zeros
        first = ceil(stamp * self.tick)
        whole = -(-first // 1000) * 1000
        return whole if whole < (stamp + 1) * self.tick else first


class Draft:
    """36 bits of seconds, and a fraction that is rounded up from units."""

    def __init__(self, fraction_bits, units):
        self.bits = 36 + fraction_bits
        self.fraction_bits = fraction_bits
        self.units = units
        self.tick = SECOND // units

    def write(self, nsec):
        second, rest = divmod(nsec, SECOND)
        return second << self.fraction_bits | ceil(Fraction(rest // self.tick << self.fraction_bits, self.units))

    def read(self, payload):
        """Whatever follows, the first 38 bits of a fraction give the unit."""
        second, fraction = divmod(payload >> 122 - 36 - 38, 1 << 38)
        return second * SECOND + (fraction * self.units >> 38) * self.tick


class Unix32:
    """32 bits of seconds, and 16 bits that are not read."""

    bits = 48
    tick = SECOND

    def write(self, nsec):
        return nsec // SECOND << 16

    def read(self, payload):
        return (payload >> 90) * SECOND


class Iso8601:
    """The digits YYYYMMDDhhmmssd since the year 0, four bits each."""

    bits = 60
    tick = SECOND // 10

    def write(self, nsec):
        days, second = divmod(nsec // SECOND, DAY)
        later = 400 * (days < 146097)  # dates here begin with the year 1, and repeat after 400
        when = date.fromordinal(days + 1 - 366 + (later and 146097))
        digits = f'{when.year - later:04}{when.month:02}{when.day:02}'
        digits += f'{second // 3600:02}{second // 60 % 60:02}{second % 60:02}{nsec % SECOND // self.tick}'
        return int(digits, 16)

    def read(self, payload):
        digits = f'{payload >> 62:015x}'
        year, month, day, hour, minute, second = (int(digits[a:b]) for a, b in
            ((0, 4), (4, 6), (6, 8), (8, 10), (10, 12), (12, 14)))
        later = 400 * (year < 400)
        days = date(year + later, month, day).toordinal() - 1 + 366 - (later and 146097)
        return (days * DAY + hour * 3600 + minute * 60 + second) * SECOND + int(digits[14]) * self.tick


FIRST = -210866803200  # of timestamptz, 4714-11-24 BC
END = 9224318016000  # and the second after it, 294277-01-01
GREGORIAN = -12219292800
NTP = -2208988800
ERA = 2**32
ISO8601 = -62167219200
EPOCH_2020 = 1577836800

# version, name, layout, bits of its sequence, epoch, whole seconds that it holds
LAYOUTS = [
    (1, '', Ticks(60, 100), 14, GREGORIAN, 2**60 // 10**7),
    (6, '', Ticks(60, 100), 14, GREGORIAN, 2**60 // 10**7),
    (7, 'millisecond', Draft(12, 10**3), 12, 0, 2**36),
    (7, 'microsecond', Draft(24, 10**6), 14, 0, 2**36),
    (7, 'nanosecond', Draft(38, 10**9), 8, 0, 2**36),
    (7, 'rfc9562', Ticks(60, Fraction(10**6, 4096)), 6, 0, 2**48 // 1000),
    (8, 'unix32', Unix32(), 12, 0, 2**32),
    (8, 'unix32', Unix32(), 12, EPOCH_2020, 2**32),
    (8, 'unix48', Ticks(48, 10**6), 12, 0, 2**48 // 1000),
    (8, 'unix48', Ticks(48, 10**6), 12, EPOCH_2020, 2**48 // 1000),
    (8, 'gregorian60', Ticks(60, 100), 8, GREGORIAN, 2**60 // 10**7),
    (8, 'unix64', Ticks(60, 16), 8, 0, 2**64 // SECOND),
    (8, 'unix64', Ticks(60, 16), 8, EPOCH_2020, 2**64 // SECOND),
    (8, 'ntp64', Ticks(60, Fraction(SECOND, 1 << 28)), 8, NTP, 2**32),
    (8, 'iso8601', Iso8601(), 8, ISO8601, 3652425 * DAY),
    (8, 'julian64', Ticks(64, 1000), 8, FIRST, END - FIRST),
] + [(8, 'ntp64', Ticks(60, Fraction(SECOND, 1 << 28)), 8, NTP + era * ERA, ERA) for era in (-2, -1, 1, 2, 60)]


def by_numbers(unit, time_bits, sequence_bits):
    """A layout of the draft's general algorithm, with the epoch 1970 and the first one of timestamptz."""
    tick = Fraction(SECOND, int(unit[:-2])) if unit.endswith('/s') else Fraction(int(unit[:-1]) * SECOND)
    zeros = (48 if time_bits <= 48 else max(time_bits, 60)) - time_bits
    for epoch in (0, FIRST):
        yield (8, f'custom({unit}, {time_bits}, {sequence_bits})', Ticks(time_bits, tick, zeros), sequence_bits, epoch,
               min(floor(tick * 2**time_bits / SECOND), END - epoch))


for numbers in (('300/s', 45, 32), ('1000000000/s', 64, 26), ('999999/s', 61, 3), ('60s', 32, 12)):
    LAYOUTS += by_numbers(*numbers)


def times(layout, epoch, seconds):
    """Nanoseconds since the epoch: both ends, 2026, the last of a bigint, and any."""
    result = [0, seconds * SECOND - 1, 999]
    result += [(1770091506 - epoch) * SECOND + i for i in (0, 245, 789012345, 999999999)]
    result += [2**63 - epoch * SECOND - i for i in (0, 1)]
    result += [noise(64) * seconds * SECOND >> 64 for _ in range(3)]
    return [nsec for nsec in result if 0 <= nsec < seconds * SECOND]


def print_row(version, name, layout, sequence_bits, epoch, payload):
    nsec = epoch * SECOND + layout.read(payload)
    node_bits = 122 - layout.bits - sequence_bits
    sequence = payload >> node_bits & (1 << sequence_bits) - 1
    octets = -(-node_bits // 8)
    node = ((payload & (1 << node_bits) - 1) << octets * 8 - node_bits).to_bytes(octets, 'big')
    mac = ':'.join(f'{octet:02x}' for octet in node) if version == 1 and not node[0] & 1 else '-'
    print(version, name or '-', epoch, uuid(version, payload), nsec // 1000, nsec, sequence, node.hex(), mac, sep='\t')


def main():
    print('version', 'layout', 'epoch_unix_s', 'uuid', 'unix_us', 'unix_ns', 'sequence', 'node', 'mac', sep='\t')
    for version, name, layout, sequence_bits, epoch, seconds in LAYOUTS:
        rest_bits = 122 - layout.bits
        for i, nsec in enumerate(times(layout, epoch, seconds)):
            rest = ((1 << rest_bits) - 1, 0)[i] if i < 2 else noise(rest_bits)
            payload = layout.write(nsec) << rest_bits | rest
            read = layout.read(payload)
            assert abs(nsec - read) < layout.tick, (name, nsec, read)
            assert nsec % 1000 or layout.tick > 1000 or read == nsec, (name, nsec, read)
            print_row(version, name, layout, sequence_bits, epoch, payload)
        if name != 'iso8601':
            for _ in range(2):
                payload = noise(122)
                if epoch + layout.read(payload) // SECOND < END:
                    print_row(version, name, layout, sequence_bits, epoch, payload)


main()
