// The levels and voice flags of the last frames, held in the value itself: a copy is independent, and nothing is allocated.
//
// Swift before 6.2 has no array of a fixed size.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define FRAME_HISTORY_REALTIME \
  __attribute__((swift_attr("@_noLocks"))) __attribute__((swift_attr("@_noAllocation")))

enum { frame_history_length = 2048 };

typedef struct {
  float levels[frame_history_length];
  bool voices[frame_history_length];
} frame_history;

typedef struct {
  // dBFS.
  float level;
  bool voiced;
} frame_history_entry;

// Stores the frame `index`, counted from the start of the stream, in place of the frame `frame_history_length` before it.
FRAME_HISTORY_REALTIME
void frame_history_store(frame_history *_Nonnull history, int64_t index, frame_history_entry frame);

// Returns the frame `index`, one of the last `frame_history_length`.
FRAME_HISTORY_REALTIME
frame_history_entry frame_history_load(const frame_history *_Nonnull history, int64_t index);
