MODULE_big = uuidnew
OBJS = \
	src/arguments.o \
	src/between.o \
	src/clock.o \
	src/comb.o \
	src/entropy.o \
	src/functions.o \
	src/layout.o \
	src/machine_id.o \
	src/number.o \
	src/sid.o \
	src/system_functions.o \
	src/systems.o \
	src/uuidnew.o \
	src/v6.o \
	src/v7.o \
	src/v8.o \
	src/vb.o \
	src/vb_functions.o

EXTENSION = uuidnew
DATA = uuidnew--1.0.sql
DOCS = doc/uuidnew.md doc/time-ranges.md doc/migrating.md doc/performance.md
PGFILEDESC = "uuidnew - time-ordered UUIDs for primary keys"

REGRESS_OPTS = --load-extension=uuidnew
REGRESS = $(patsubst $(srcdir)/sql/%.sql,%,$(sort $(wildcard $(srcdir)/sql/*.sql)))

# fmgr's and the settings' conventions leave parameters unused, in PostgreSQL's
# own headers too
PG_CFLAGS = -Wno-unused-parameter
PG_CPPFLAGS = -DUUIDNEW_VERSION='"$(DISTVERSION)"'

DISTVERSION = $(shell sed -n 's/^\t"version": "\(.*\)",$$/\1/p' $(srcdir)/META.json)

PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)

$(OBJS): $(wildcard $(srcdir)/src/*.h)
