/* Vectors of the compiler, which every processor has in some width. */
#pragma once

#define INLINE static inline __attribute__((always_inline))

typedef float vec __attribute__((vector_size(64), aligned(4)));

enum { lanes = 16 };

#define LOAD(pointer) (*(const vec *)(pointer))
#define STORE(pointer, value) (*(vec *)(pointer) = (value))

/* The vector with negative elements, -0.0 and NaN replaced by +0.0. */
#define RELU(value)                                                       \
  ({                                                                      \
    vec relu_value = (value);                                             \
    typedef int mask __attribute__((vector_size(64)));                    \
    (vec)((mask)relu_value & (mask)(relu_value > (vec){0}));              \
  })
