"""The first key of a time, as uuidv7_min() returns it, and the time of a key."""
from datetime import datetime, timedelta, timezone
from uuid import UUID

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
MS = timedelta(milliseconds=1)


def bound(time):
    return UUID(int=-((EPOCH - time) // MS) << 80 | 7 << 76 | 2 << 62)


def time_of(key):
    return EPOCH + (key.int >> 80) * MS
