#pragma once
#include <samplerate.h>

// The annotations are not checked by the compiler: src_process of a sinc converter uses only memory that src_new allocated.
#define HOTWORD_REALTIME __attribute__((swift_attr("@_noLocks"))) __attribute__((swift_attr("@_noAllocation")))

HOTWORD_REALTIME
static inline int hotword_src_process(SRC_STATE *state, SRC_DATA *data) { return src_process(state, data); }

HOTWORD_REALTIME
static inline int hotword_src_reset(SRC_STATE *state) { return src_reset(state); }
