# What test/unit and test/fuzz share: how to compile the code that needs no server.

.DEFAULT_GOAL = all

PG_CONFIG ?= pg_config
BUILD ?= build
CFLAGS ?= -O2 -g
RUN ?=

SRC = ../../src
PURE = $(basename $(wildcard $(SRC)/keys/*.c $(SRC)/systems/*.c)) $(SRC)/generate/states
OBJS = $(addprefix $(BUILD)/,$(addsuffix .o,$(notdir $(PURE)) $(HELPERS)))
vpath %.c $(SRC)/keys $(SRC)/systems $(SRC)/generate ../unit

SANITIZERS = -fsanitize=address,undefined -fno-sanitize-recover=all \
	-fno-omit-frame-pointer
override CFLAGS += -Wall -Wextra -Werror -Wno-unused-parameter

# The C library's calendar has to reach beyond 2038 on 32-bit machines too.
# PostgreSQL's headers are not under test.
override CPPFLAGS += -D_GNU_SOURCE -D_TIME_BITS=64 -D_FILE_OFFSET_BITS=64 -I$(SRC) \
	-isystem $(shell $(PG_CONFIG) --includedir-server)

# a leading / for those that the shell would search PATH for
run = $(if $(filter /%,$(1)),$(1),./$(1))

# changes when the compiler, its options or the PostgreSQL do
$(BUILD)/flags: force
	@mkdir -p $(BUILD)
	@echo '$(subst ','\'',$(COMPILE))' | cmp -s - $@ || echo '$(subst ','\'',$(COMPILE))' > $@

clean:
	rm -rf $(BUILD)

-include $(wildcard $(BUILD)/*.d)

.PHONY: all clean force
.SECONDARY:
