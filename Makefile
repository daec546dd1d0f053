MODULE_big = uuidnew
OBJS = $(patsubst $(srcdir)/%.c,%.o,$(sort $(wildcard $(srcdir)/src/*.c $(srcdir)/src/*/*.c)))

EXTENSION = uuidnew tables/uuidnew_tables
DATA = uuidnew--1.0.sql
TABLES = uuidnew_tables--0.9.sql
DATA_built = $(TABLES)
PAGES = $(patsubst $(srcdir)/%,%,$(sort $(wildcard $(addprefix $(srcdir)/, \
	*.md doc/*.md doc/*.sql src/*.md bench/results/*.svg bench/results/*/*.svg))))
PGFILEDESC = "uuidnew - time-ordered UUIDs for primary keys"

REGRESS_OPTS = --load-extension=uuidnew
REGRESS = $(patsubst $(srcdir)/sql/%.sql,%,$(sort $(wildcard $(srcdir)/sql/*.sql)))

# fmgr functions and hooks of settings leave parameters unused, even in PostgreSQL's own headers.
PG_CFLAGS = -Wno-unused-parameter
override PG_CPPFLAGS += -I$(srcdir)/src -DUUIDNEW_VERSION='"$(DISTVERSION)"'

DISTVERSION = $(shell sed -n 's/^[[:space:]]"version": "\(.*\)",$$/\1/p' $(srcdir)/META.json)

# These tests start their own servers and run for minutes, so installcheck does not run them.
PROVE_TESTS = test/t/*.pl

PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs)
ifeq ($(wildcard $(PGXS)),)
$(error PostgreSQL's headers are not installed: install them (doc/install.md), or specify another PostgreSQL, make PG_CONFIG=/path/to/pg_config)
endif
include $(PGXS)

$(OBJS): $(wildcard $(srcdir)/src/*.h $(srcdir)/src/*/*.h)

# A function whose body is bound at creation comes after the functions that it calls.
tables_in = $(srcdir)/tables/head.sql $(foreach room,shared partitions partitioning rekey, \
	$(sort $(wildcard $(srcdir)/tables/$(room)/*.sql))) $(srcdir)/tables/settings.sql

$(TABLES): $(tables_in)
	cat $(tables_in) >$@.new && mv $@.new $@

# The pages are installed in their directories, so that links and pictures work; DOCS of PGXS would
# put them into one. The pages of an earlier version are removed first.
pagesdir := $(docdir)/extension/uuidnew
pages_in = $(foreach page,$(PAGES),$(if $(filter $(1),$(dir $(page))),$(srcdir)/$(page)))

install: install_pages

install_pages: uninstall_pages
	@$(foreach d,$(sort $(dir $(PAGES))),$(MKDIR_P) '$(DESTDIR)$(pagesdir)/$(d)' && \
		$(INSTALL_DATA) $(call pages_in,$(d)) '$(DESTDIR)$(pagesdir)/$(d)' &&) :

uninstall: uninstall_pages

uninstall_pages:
	rm -rf '$(DESTDIR)$(pagesdir)'

.PHONY: install_pages uninstall_pages

prove_installcheck:
	@test "$$(id -u)" != 0 || \
		{ echo "PostgreSQL does not run as root: run make as another user." >&2; exit 1; }
	$(prove_installcheck)

.PHONY: prove_installcheck

# the directories for the objects of a VPATH build
ifdef VPATH
$(shell mkdir -p $(sort $(dir $(OBJS))))

# A release has this file in its source tree, but make would not install that one.
.PHONY: $(TABLES)
endif

# The release for PGXN: the committed files, except those with export-ignore in .gitattributes, and
# the script of uuidnew_tables, for users who cannot build it
dist: $(TABLES)
	git -C $(srcdir) archive --format=zip --prefix=uuidnew-$(DISTVERSION)/ \
		--add-file=$(CURDIR)/$(TABLES) --output=$(CURDIR)/uuidnew-$(DISTVERSION).zip HEAD

.PHONY: dist
