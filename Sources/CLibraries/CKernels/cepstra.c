#include "CKernels.h"

#include <math.h>
#include <string.h>

void hotword_shift(int16_t *history, int32_t window, const int16_t *frame, int32_t hop) {
  memmove(history, history + hop, sizeof(int16_t) * (size_t)(window - hop));
  memcpy(history + window - hop, frame, sizeof(int16_t) * (size_t)hop);
}

void hotword_amplify(const int16_t *samples, float ratio, int16_t *restrict output, int32_t count) {
  const float gain = sqrtf(ratio);
  for (int32_t i = 0; i < count; i++) {
    const float sample = samples[i] * gain;
    const float limited = sample > 32767 ? 32767 : sample < -32768 ? -32768 : sample;
    output[i] = (int16_t)(int32_t)(limited + (limited < 0 ? -0.5f : 0.5f));
  }
}

void hotword_window(const int16_t *samples, const float *weights, float *restrict output, int32_t count) {
  for (int32_t i = 0; i < count; i++) output[i] = samples[i] * weights[i];
}

void hotword_power(const float *spectrum, float *restrict power, int32_t bins) {
  for (int32_t i = 0; i < bins; i++)
    power[i] = spectrum[2 * i] * spectrum[2 * i] + spectrum[2 * i + 1] * spectrum[2 * i + 1];
}

void hotword_log_mel(
    const float *power, const float *weights, const int32_t *first, const int32_t *offset,
    const float *floor, float *restrict output, int32_t bands) {
  for (int32_t b = 0; b < bands; b++) {
    const float *input = power + first[b];
    const float *band = weights + offset[b];
    const int32_t count = offset[b + 1] - offset[b];
    float sum = floor[b];
    for (int32_t i = 0; i < count; i++) sum += band[i] * input[i];
    output[b] = logf(sum);
  }
}

void hotword_normalize(
    const float *values, float *restrict mean, float share, float *restrict output, int32_t count) {
  for (int32_t i = 0; i < count; i++) {
    output[i] = values[i] - mean[i];
    mean[i] += share * output[i];
  }
}

void hotword_cosines(
    const float *values, const float *basis, float *restrict output, int32_t bands, int32_t coefficients) {
  for (int32_t c = 0; c < coefficients; c++) output[c] = 0;
  for (int32_t b = 0; b < bands; b++)
    for (int32_t c = 0; c < coefficients; c++) output[c] += values[b] * basis[b * coefficients + c];
}

void hotword_copy(const float *values, float *output, int32_t count) {
  memmove(output, values, sizeof(float) * (size_t)count);
}
