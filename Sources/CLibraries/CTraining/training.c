#include "CTraining.h"

#include <math.h>
#include <string.h>

#pragma clang fp contract(fast)

// The loader resolves clones before a sanitizer is initialized.
#if __x86_64__ && !__has_feature(thread_sanitizer) && !__has_feature(address_sanitizer)
#define CLONES __attribute__((target_clones("avx512f", "fma", "default")))
#else
#define CLONES
#endif
#define INLINE static inline __attribute__((always_inline))

// Rows summed in float before the sum is added to a double.
enum { sumBlock = 64, lane = 16, mostTaps = 5 };

typedef float lanes __attribute__((vector_size(lane * sizeof(float)), aligned(4)));

CLONES void training_gather(
    long steps, long inputs, long kernel, long stride, long history, const float *scale,
    const float *features, float *rows) {
  for (long step = 0; step < steps; step++) {
    for (long tap = 0; tap < kernel; tap++) {
      float *restrict row = rows + (step * kernel + tap) * inputs;
      long frame = stride * (step + 1) - kernel + tap;
      if (frame < -history) {
        memset(row, 0, (size_t)inputs * sizeof(float));
        continue;
      }
      const float *restrict vector = features + frame * inputs;
      for (long i = 0; i < inputs; i++) row[i] = scale[i] * vector[i];
    }
  }
}

// output (+)= sum over m < taps of weight[-m] * input[m * step], rows of `channels`.
INLINE void taps_of(
    const long taps, long channels, const float *restrict weight, const float *restrict input, long step,
    float *restrict output, int add) {
  for (long c = 0; c < channels; c++) {
    float sum = add ? output[c] : 0;
    for (long m = 0; m < taps; m++) sum += weight[c - m * channels] * input[c + m * step];
    output[c] = sum;
  }
}

INLINE void some_taps(
    long taps, long channels, const float *weight, const float *input, long step, float *output, int add) {
  while (taps > mostTaps) {
    taps_of(mostTaps, channels, weight, input, step, output, add);
    weight -= mostTaps * channels;
    input += mostTaps * step;
    taps -= mostTaps;
    add = 1;
  }
  switch (taps) {
    case 5: taps_of(5, channels, weight, input, step, output, add); break;
    case 4: taps_of(4, channels, weight, input, step, output, add); break;
    case 3: taps_of(3, channels, weight, input, step, output, add); break;
    case 2: taps_of(2, channels, weight, input, step, output, add); break;
    default: taps_of(1, channels, weight, input, step, output, add); break;
  }
}

INLINE long at_most(long value, long limit) { return value < limit ? value : limit; }

CLONES void training_depthwise(
    long steps, long channels, long kernel, long dilation, const float *weight, const float *input,
    float *output) {
  const float *present = weight + (kernel - 1) * channels;
  for (long t = 0; t < steps; t++) {
    long taps = at_most(kernel, t / dilation + 1);
    some_taps(
        taps, channels, present, input + t * channels, -dilation * channels, output + t * channels, 0);
  }
}

CLONES void training_depthwise_input(
    long steps, long channels, long kernel, long dilation, const float *weight, const float *outer,
    float *gradient) {
  const float *present = weight + (kernel - 1) * channels;
  for (long t = 0; t < steps; t++) {
    long taps = at_most(kernel, (steps - 1 - t) / dilation + 1);
    some_taps(
        taps, channels, present, outer + t * channels, dilation * channels, gradient + t * channels, 1);
  }
}

CLONES void training_depthwise_weight(
    long steps, long channels, long kernel, long dilation, const float *input, const float *outer,
    float *gradient) {
  for (long m = 0; m < kernel; m++) {
    long delay = m * dilation;
    if (delay >= steps) break;
    float *restrict row = gradient + (kernel - 1 - m) * channels;
    const float *restrict past = input;
    const float *restrict now = outer + delay * channels;
    long count = steps - delay;
    long c = 0;
    for (; c + lane <= channels; c += lane) {
      lanes even = {0};
      lanes odd = {0};
      long t = 0;
      for (; t + 2 <= count; t += 2) {
        even += *(const lanes *)(past + t * channels + c) * *(const lanes *)(now + t * channels + c);
        odd += *(const lanes *)(past + (t + 1) * channels + c) *
               *(const lanes *)(now + (t + 1) * channels + c);
      }
      if (t < count) {
        even += *(const lanes *)(past + t * channels + c) * *(const lanes *)(now + t * channels + c);
      }
      *(lanes *)(row + c) += even + odd;
    }
    for (; c < channels; c++) {
      float sum = 0;
      for (long t = 0; t < count; t++) sum += past[t * channels + c] * now[t * channels + c];
      row[c] += sum;
    }
  }
}

CLONES void training_moments(
    long rows, long channels, const float *values, float *restrict mean, float *restrict variance) {
  double total[channels];
  float part[channels];
  memset(total, 0, sizeof total);
  for (long start = 0; start < rows; start += sumBlock) {
    memset(part, 0, sizeof part);
    for (long row = start; row < at_most(rows, start + sumBlock); row++) {
      const float *restrict value = values + row * channels;
      for (long c = 0; c < channels; c++) part[c] += value[c];
    }
    for (long c = 0; c < channels; c++) total[c] += part[c];
  }
  for (long c = 0; c < channels; c++) mean[c] = (float)(total[c] / rows);
  memset(total, 0, sizeof total);
  for (long start = 0; start < rows; start += sumBlock) {
    memset(part, 0, sizeof part);
    for (long row = start; row < at_most(rows, start + sumBlock); row++) {
      const float *restrict value = values + row * channels;
      for (long c = 0; c < channels; c++) {
        float off = value[c] - mean[c];
        part[c] += off * off;
      }
    }
    for (long c = 0; c < channels; c++) total[c] += part[c];
  }
  for (long c = 0; c < channels; c++) variance[c] = (float)(total[c] / rows);
}

CLONES void training_affine_rectify(
    long rows, long channels, const float *restrict scale, const float *restrict shift, const float *input,
    float *output) {
  for (long row = 0; row < rows; row++) {
    const float *restrict from = input + row * channels;
    float *restrict to = output + row * channels;
    for (long c = 0; c < channels; c++) {
      float value = scale[c] * from[c] + shift[c];
      to[c] = value > 0 ? value : 0;
    }
  }
}

CLONES void training_affine_add_rectify(
    long rows, long channels, const float *restrict scale, const float *restrict shift, const float *input,
    const float *carried, float *output) {
  for (long row = 0; row < rows; row++) {
    const float *restrict from = input + row * channels;
    const float *restrict past = carried + row * channels;
    float *restrict to = output + row * channels;
    for (long c = 0; c < channels; c++) {
      float value = past[c] + scale[c] * from[c] + shift[c];
      to[c] = value > 0 ? value : 0;
    }
  }
}

CLONES void training_rectify_sums(
    long rows, long channels, const float *rectified, const float *values, const float *restrict mean,
    float *gradient, float *restrict sums, float *restrict products) {
  double total[channels];
  double totalProduct[channels];
  float part[channels];
  float product[channels];
  memset(total, 0, sizeof total);
  memset(totalProduct, 0, sizeof totalProduct);
  for (long start = 0; start < rows; start += sumBlock) {
    memset(part, 0, sizeof part);
    memset(product, 0, sizeof product);
    for (long row = start; row < at_most(rows, start + sumBlock); row++) {
      const float *restrict active = rectified + row * channels;
      const float *restrict value = values + row * channels;
      float *restrict slope = gradient + row * channels;
      for (long c = 0; c < channels; c++) {
        float kept = active[c] > 0 ? slope[c] : 0;
        slope[c] = kept;
        part[c] += kept;
        product[c] += kept * (value[c] - mean[c]);
      }
    }
    for (long c = 0; c < channels; c++) total[c] += part[c];
    for (long c = 0; c < channels; c++) totalProduct[c] += product[c];
  }
  for (long c = 0; c < channels; c++) sums[c] = (float)total[c];
  for (long c = 0; c < channels; c++) products[c] = (float)totalProduct[c];
}

CLONES void training_combine(
    long rows, long channels, const float *restrict outer, const float *gradient,
    const float *restrict inner, const float *restrict shift, float *values) {
  for (long row = 0; row < rows; row++) {
    const float *restrict slope = gradient + row * channels;
    float *restrict value = values + row * channels;
    for (long c = 0; c < channels; c++) value[c] = outer[c] * slope[c] + inner[c] * value[c] + shift[c];
  }
}

CLONES void training_depthwise_rectify(
    long steps, long channels, long kernel, long dilation, const float *weight, const float *restrict bias,
    const float *input, float *output) {
  const float *present = weight + (kernel - 1) * channels;
  for (long t = 0; t < steps; t++) {
    float *restrict to = output + t * channels;
    for (long c = 0; c < channels; c++) to[c] = bias[c];
    some_taps(kernel, channels, present, input + t * channels, -dilation * channels, to, 1);
    for (long c = 0; c < channels; c++) to[c] = to[c] > 0 ? to[c] : 0;
  }
}

CLONES void training_add_rectify(
    long rows, long channels, const float *restrict bias, const float *carried, float *values) {
  for (long row = 0; row < rows; row++) {
    const float *restrict past = carried + row * channels;
    float *restrict value = values + row * channels;
    for (long c = 0; c < channels; c++) {
      float sum = past[c] + value[c] + bias[c];
      value[c] = sum > 0 ? sum : 0;
    }
  }
}

CLONES void training_widen(long count, const unsigned short *restrict half, float *restrict single) {
  for (long i = 0; i < count; i++) {
    _Float16 value;
    memcpy(&value, half + i, sizeof value);
    single[i] = (float)value;
  }
}

CLONES void training_bias_rectify(long rows, long channels, const float *restrict bias, float *values) {
  for (long row = 0; row < rows; row++) {
    float *restrict value = values + row * channels;
    for (long c = 0; c < channels; c++) {
      float sum = value[c] + bias[c];
      value[c] = sum > 0 ? sum : 0;
    }
  }
}

CLONES void training_adam(
    long count, const float *restrict gradient, float gradientScale, float memory, float squareMemory,
    float rate, float squareScale, float shrink, float averaging, float *restrict mean,
    float *restrict square, float *restrict weights, float *restrict averaged) {
  for (long i = 0; i < count; i++) {
    float slope = gradient[i] * gradientScale;
    mean[i] = memory * mean[i] + (1 - memory) * slope;
    square[i] = squareMemory * square[i] + (1 - squareMemory) * slope * slope;
    weights[i] = shrink * weights[i] - rate * mean[i] / (sqrtf(square[i] * squareScale) + 1e-8f);
    averaged[i] = averaging * averaged[i] + (1 - averaging) * weights[i];
  }
}

CLONES void training_add_bias(long rows, long columns, const float *restrict bias, float *values) {
  for (long row = 0; row < rows; row++) {
    float *restrict to = values + row * columns;
    for (long c = 0; c < columns; c++) to[c] += bias[c];
  }
}
