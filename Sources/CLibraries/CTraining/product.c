// Matrix products for the thin matrices of a keyword network.
//
// OpenBLAS 0.3.21 classifies processors newer than itself as a Pentium 4 and is then four times slower than these. On one
// kind of processor the order of the sums is fixed, so that results do not depend on the number of threads.
#include "CTraining.h"

#include <string.h>

#pragma clang fp contract(fast)

#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("clang loop unroll(full)")

enum { lane = 16, mostRows = 6, mostVectors = 5, depthBlock = 64 };

typedef float lanes __attribute__((vector_size(lane * sizeof(float)), aligned(4)));

// The left matrix: element (row, depth) is at base[row * rowStep + depth * depthStep].
struct left {
  const float *base;
  long rowStep;
  long depthStep;
};

// output[rows][vectors * lane] (+)= left[rows][depth] * right[depth][vectors * lane], all in registers.
INLINE void tile(
    const long rows, const long vectors, long depth, struct left left, const float *right, long rightStep,
    float *output, long outputStep, int add) {
  lanes sum[mostRows][mostVectors];
  UNROLL for (long m = 0; m < rows; m++) {
    UNROLL for (long v = 0; v < vectors; v++) {
      sum[m][v] = add ? *(const lanes *)(output + m * outputStep + v * lane) : (lanes){0};
    }
  }
  for (long k = 0; k < depth; k++) {
    lanes factor[mostVectors];
    UNROLL for (long v = 0; v < vectors; v++) factor[v] = *(const lanes *)(right + v * lane);
    UNROLL for (long m = 0; m < rows; m++) {
      float by = left.base[m * left.rowStep];
      UNROLL for (long v = 0; v < vectors; v++) sum[m][v] += by * factor[v];
    }
    left.base += left.depthStep;
    right += rightStep;
  }
  UNROLL for (long m = 0; m < rows; m++) {
    UNROLL for (long v = 0; v < vectors; v++) {
      *(lanes *)(output + m * outputStep + v * lane) = sum[m][v];
    }
  }
}

// All rows of a panel of `vectors` vectors of columns.
INLINE void panel(
    const long most, const long vectors, long rows, long depth, struct left left, const float *right,
    long rightStep, float *output, long outputStep, int add) {
  long m = 0;
  for (; m + most <= rows; m += most) {
    tile(most, vectors, depth, left, right, rightStep, output + m * outputStep, outputStep, add);
    left.base += most * left.rowStep;
  }
  for (; m < rows; m++) {
    tile(1, vectors, depth, left, right, rightStep, output + m * outputStep, outputStep, add);
    left.base += left.rowStep;
  }
}

// The last columns, fewer than a vector: computed in padded copies.
INLINE void narrow_panel(
    const long most, long columns, long rows, long depth, struct left left, const float *right,
    long rightStep, float *output, long outputStep, int add) {
  float wide[depthBlock * lane];
  float result[mostRows * lane];
  memset(wide, 0, sizeof wide);
  for (long k = 0; k < depth; k++) {
    for (long c = 0; c < columns; c++) wide[k * lane + c] = right[k * rightStep + c];
  }
  for (long m = 0; m < rows; m += most) {
    long count = rows - m < most ? rows - m : most;
    if (add) {
      for (long r = 0; r < count; r++) {
        for (long c = 0; c < columns; c++) result[r * lane + c] = output[(m + r) * outputStep + c];
      }
    }
    panel(most, 1, count, depth, left, wide, lane, result, lane, add);
    for (long r = 0; r < count; r++) {
      for (long c = 0; c < columns; c++) output[(m + r) * outputStep + c] = result[r * lane + c];
    }
    left.base += most * left.rowStep;
  }
}

// output[rows][columns] (+)= left[rows][depth] * right[depth][columns], `most` rows and `widest` vectors at a time.
INLINE void product(
    const long most, const long widest, long rows, long columns, long depth, struct left left,
    const float *right, float *output, int add) {
  for (long start = 0; start < depth; start += depthBlock) {
    long count = depth - start < depthBlock ? depth - start : depthBlock;
    const float *block = right + start * columns;
    long c = 0;
    while (c + lane <= columns) {
      long vectors = (columns - c) / lane;
      if (vectors == widest + 1 && widest > 2) vectors = (vectors + 1) / 2;
      if (vectors > widest) vectors = widest;
#define PANEL(n)                                                                                       \
  case n:                                                                                              \
    if (n <= widest) panel(most, n, rows, count, left, block + c, columns, output + c, columns, add);  \
    break
      switch (vectors) {
        PANEL(1);
        PANEL(2);
        PANEL(3);
        PANEL(4);
        PANEL(5);
      }
#undef PANEL
      c += vectors * lane;
    }
    if (c < columns) {
      narrow_panel(
          most, columns - c, rows, count, left, block + c, columns, output + c, columns, add);
    }
    left.base += count * left.depthStep;
    add = 1;
  }
}

#if __x86_64__
// 32 registers of 16, 16 registers of 8, 16 registers of 4 floats.
__attribute__((target("arch=x86-64-v4"), min_vector_width(512))) static void product_v4(
    long rows, long columns, long depth, struct left left, const float *right, float *output, int add) {
  product(4, mostVectors, rows, columns, depth, left, right, output, add);
}

__attribute__((target("arch=x86-64-v3"))) static void product_v3(
    long rows, long columns, long depth, struct left left, const float *right, float *output, int add) {
  product(6, 1, rows, columns, depth, left, right, output, add);
}

static void product_any(
    long rows, long columns, long depth, struct left left, const float *right, float *output, int add) {
  product(2, 1, rows, columns, depth, left, right, output, add);
}

// Clang 17 does not know the names of the generations here.
int training_product_kind(void) {
  const int has_v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
  const int has_v4 = has_v3 && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
                     __builtin_cpu_supports("avx512dq");
  return has_v4 ? 2 : has_v3 ? 1 : 0;
}
#else
static void product_any(
    long rows, long columns, long depth, struct left left, const float *right, float *output, int add) {
  product(6, 1, rows, columns, depth, left, right, output, add);
}

int training_product_kind(void) { return 0; }
#endif

void training_product_as(
    int kind, long rows, long columns, long depth, const float *left, long rowStep, long depthStep,
    const float *right, float *output) {
  struct left matrix = {left, rowStep, depthStep};
  switch (kind) {
#if __x86_64__
    case 2: product_v4(rows, columns, depth, matrix, right, output, 0); break;
    case 1: product_v3(rows, columns, depth, matrix, right, output, 0); break;
#endif
    default: product_any(rows, columns, depth, matrix, right, output, 0); break;
  }
}

void training_product(
    long rows, long columns, long depth, const float *left, const float *right, float *output) {
  training_product_as(training_product_kind(), rows, columns, depth, left, depth, 1, right, output);
}

void training_product_of_columns(
    long rows, long columns, long depth, const float *left, const float *right, float *output) {
  training_product_as(training_product_kind(), rows, columns, depth, left, 1, rows, right, output);
}

void training_transpose(long rows, long columns, const float *matrix, float *transposed) {
  for (long row = 0; row < rows; row++) {
    for (long c = 0; c < columns; c++) transposed[c * rows + row] = matrix[row * columns + c];
  }
}
