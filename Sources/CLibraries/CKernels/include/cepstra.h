// The arithmetic of the feature extractor around its Fourier transform, without state, allocation or locks.
//
// These are loops compiled for the baseline, so that the results are equal to the bit on every x86-64 processor.
#pragma once

#include <stdint.h>

#include "CKernels.h"

// Drops the oldest `hop` of `window` samples and appends `frame`.
HOTWORD_REAL_TIME
void hotword_shift(
    int16_t *_Nonnull history, int32_t window, const int16_t *_Nonnull frame, int32_t hop);

// output[i] = samples[i] * sqrt(ratio), rounded and limited to 16 bits.
HOTWORD_REAL_TIME
void hotword_amplify(
    const int16_t *_Nonnull samples, float ratio, int16_t *_Nonnull output, int32_t count);

// output[i] = samples[i] * weights[i].
HOTWORD_REAL_TIME
void hotword_window(
    const int16_t *_Nonnull samples, const float *_Nonnull weights, float *_Nonnull output, int32_t count);

// power[i] = |spectrum[i]|^2 of `bins` interleaved complex numbers.
HOTWORD_REAL_TIME
void hotword_power(const float *_Nonnull spectrum, float *_Nonnull power, int32_t bins);

// output[b] = ln(floor[b] + sum over i of weights[offset[b] + i] * power[first[b] + i]), where band b has
// offset[b + 1] - offset[b] weights.
HOTWORD_REAL_TIME
void hotword_log_mel(
    const float *_Nonnull power, const float *_Nonnull weights, const int32_t *_Nonnull first,
    const int32_t *_Nonnull offset, const float *_Nonnull floor, float *_Nonnull output, int32_t bands);

// output = values - mean, then mean += share * output.
HOTWORD_REAL_TIME
void hotword_normalize(
    const float *_Nonnull values, float *_Nonnull mean, float share, float *_Nonnull output, int32_t count);

// output[c] = sum over b of values[b] * basis[b][c].
HOTWORD_REAL_TIME
void hotword_cosines(
    const float *_Nonnull values, const float *_Nonnull basis, float *_Nonnull output, int32_t bands,
    int32_t coefficients);

// output[i] = values[i]. They may overlap.
HOTWORD_REAL_TIME
void hotword_copy(const float *_Nonnull values, float *_Nonnull output, int32_t count);
