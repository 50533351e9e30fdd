// What both versions of the shim share: the format of a frame, and its level.
#pragma once

#include <cmath>
#include <cstdint>

namespace hotword {

constexpr int sample_rate = 16000;
constexpr int frame_length = 160;

// The root mean square in dBFS, at least -100.
inline float level(const int16_t *samples) {
  int64_t energy = 0;
  for (int i = 0; i < frame_length; i++) energy += int64_t(samples[i]) * samples[i];
  const float mean = float(energy) / (float(frame_length) * 32768.0f * 32768.0f);
  return mean > 1e-10f ? 10.0f * log10f(mean) : -100.0f;
}

}  // namespace hotword
