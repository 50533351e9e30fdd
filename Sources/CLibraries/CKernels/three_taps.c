#include "three_taps.h"

#include <stdint.h>

#include "vectors.h"

#pragma clang fp contract(fast)

#define ADD_TAP(row, tap)                                                      \
  _Pragma("clang loop unroll_count(4)") for (int i = 0; i < inputs; i++) {                                           \
    const float *weights = weight + ((tap) * inputs + i) * outputs + o;        \
    const float x = (row)[i];                                                  \
    for (int v = 0; v < width; v++) sum[v] += LOAD(weights + v * lanes) * x;   \
  }

/* The larger of two vectors. */
#define LARGER(a, b)                                                                 \
  ({                                                                                \
    typedef int32_t integers __attribute__((vector_size(64)));                      \
    const vec larger_a = (a), larger_b = (b);                                       \
    const integers larger_mask = (integers)(larger_a > larger_b);                   \
    (vec)(((integers)larger_a & larger_mask) | ((integers)larger_b & ~larger_mask)); \
  })

#define LEAKY(x) LARGER(LARGER(x, (x) * 0.2f), (vec){0} - 0.4f)

/* `width` vectors of outputs, in registers. */
INLINE void block(
    const int width, int o, float *output, const float *weight, const float *bias, const float *first, const float *second,
    const float *third, int inputs, int outputs, int is_linear) {
  vec sum[6];
  for (int v = 0; v < width; v++) sum[v] = LOAD(bias + o + v * lanes);
  ADD_TAP(first, 0)
  ADD_TAP(second, 1)
  ADD_TAP(third, 2)
  for (int v = 0; v < width; v++) {
    STORE(output + o + v * lanes, is_linear ? sum[v] : LEAKY(sum[v]));
  }
}

KERNEL void hotword_three_taps(
    float *output, const float *weight, const float *bias, const float *first, const float *second, const float *third,
    int inputs, int outputs, int is_linear) {
  int o = 0;
  for (; o + 3 * lanes <= outputs; o += 3 * lanes)
    block(3, o, output, weight, bias, first, second, third, inputs, outputs, is_linear);
  for (; o + 2 * lanes <= outputs; o += 2 * lanes)
    block(2, o, output, weight, bias, first, second, third, inputs, outputs, is_linear);
  for (; o < outputs; o += lanes)
    block(1, o, output, weight, bias, first, second, third, inputs, outputs, is_linear);
}

KERNEL void hotword_scaled_leaky(float *values, const float *scale, const float *shift, int count) {
  for (int i = 0; i < count; i += lanes) {
    const vec x = RELU(LOAD(values + i)) * LOAD(scale + i) + LOAD(shift + i);
    STORE(values + i, LEAKY(x));
  }
}

KERNEL void hotword_larger(float *output, const float *a, const float *b, int count) {
  for (int i = 0; i < count; i += lanes) STORE(output + i, LARGER(LOAD(a + i), LOAD(b + i)));
}
