#include "three_taps.h"

#include <stdint.h>

#include "vectors.h"

#pragma clang fp contract(fast)

/* Half a vector. */
typedef float half __attribute__((vector_size(32), aligned(4)));

enum { half_lanes = 8 };

#define LOAD_HALF(pointer) (*(const half *)(pointer))
#define STORE_HALF(pointer, value) (*(half *)(pointer) = (value))

/* The larger of two vectors of a type. */
#define LARGER(type, a, b)                                                          \
  ({                                                                                \
    typedef int32_t integers __attribute__((vector_size(sizeof(type))));            \
    const type larger_a = (a), larger_b = (b);                                      \
    const integers larger_mask = (integers)(larger_a > larger_b);                   \
    (type)(((integers)larger_a & larger_mask) | ((integers)larger_b & ~larger_mask)); \
  })

#define LEAKY(type, x) LARGER(type, LARGER(type, x, (x) * 0.2f), (type){0} - 0.4f)

#define ADD_TAP(row, tap)                                                      \
  _Pragma("clang loop unroll_count(8)") for (int i = 0; i < inputs; i++) {     \
    const float *weights = weight + ((tap) * inputs + i) * outputs;            \
    const float x = (row)[i];                                                  \
    for (int v = 0; v < whole; v++) sum[v] += LOAD(weights + v * lanes) * x;   \
    if (has_half) rest += LOAD_HALF(weights + whole * lanes) * x;              \
  }

/* All positions of a row; the sums of a position are in registers. */
INLINE void row_of(
    const int outputs, float *output, const float *weight, const float *bias, const float *first, const float *second,
    const float *third, int positions, int step, int inputs, int is_linear) {
  const int whole = outputs / lanes;
  const int has_half = outputs % lanes != 0;
  for (int position = 0; position < positions; position++) {
    vec sum[6];
    half rest = {0};
    for (int v = 0; v < whole; v++) sum[v] = LOAD(bias + v * lanes);
    if (has_half) rest = LOAD_HALF(bias + whole * lanes);
    ADD_TAP(first, 0)
    ADD_TAP(second, 1)
    ADD_TAP(third, 2)
    for (int v = 0; v < whole; v++) STORE(output + v * lanes, is_linear ? sum[v] : LEAKY(vec, sum[v]));
    if (has_half) STORE_HALF(output + whole * lanes, is_linear ? rest : LEAKY(half, rest));
    output += outputs;
    first += step;
    second += step;
    third += step;
  }
}

#define ROW_OF(outputs) row_of(outputs, output, weight, bias, first, second, third, positions, step, inputs, is_linear)

KERNEL void hotword_three_taps(
    float *output, const float *weight, const float *bias, const float *first, const float *second, const float *third,
    int positions, int step, int inputs, int outputs, int is_linear) {
  switch (outputs) {
    case 24: ROW_OF(24); break;
    case 48: ROW_OF(48); break;
    case 64: ROW_OF(64); break;
    case 72: ROW_OF(72); break;
    case 96: ROW_OF(96); break;
  }
}

KERNEL void hotword_scaled_leaky(float *values, const float *scale, const float *shift, int count) {
  for (int i = 0; i < count; i += half_lanes) {
    const half x = LARGER(half, LOAD_HALF(values + i), (half){0}) * LOAD_HALF(scale + i) + LOAD_HALF(shift + i);
    STORE_HALF(values + i, LEAKY(half, x));
  }
}

KERNEL void hotword_larger(float *output, const float *a, const float *b, int count) {
  for (int i = 0; i < count; i += half_lanes)
    STORE_HALF(output + i, LARGER(half, LOAD_HALF(a + i), LOAD_HALF(b + i)));
}
