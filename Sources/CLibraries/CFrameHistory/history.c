#include "CFrameHistory.h"

void frame_history_store(frame_history *history, int64_t index, frame_history_entry frame) {
  history->levels[index % frame_history_length] = frame.level;
  history->voices[index % frame_history_length] = frame.voiced;
}

frame_history_entry frame_history_load(const frame_history *history, int64_t index) {
  return (frame_history_entry){
      .level = history->levels[index % frame_history_length], .voiced = history->voices[index % frame_history_length]};
}
