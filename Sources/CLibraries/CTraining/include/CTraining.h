// The training network's loops over [row][channel] matrices and its matrix products.
//
// All matrices are row-major and dense. A window is `steps` rows; a shard is several consecutive windows with `rows` rows in
// total. No function allocates, and each result depends only on the arguments, summed in a fixed order.
#pragma once

// Gathers each step's `kernel` feature vectors, scaled, oldest first: rows[step][kernel][inputs].
// Step s ends at vector stride * (s + 1) - 1; `history` vectors precede `features`, and those before them are zero.
void training_gather(
    long steps, long inputs, long kernel, long stride, long history, const float *scale,
    const float *features, float *rows);

// output[t] = sum over j of weight[j] * input[t - (kernel - 1 - j) * dilation], zero before the window.
void training_depthwise(
    long steps, long channels, long kernel, long dilation, const float *weight, const float *input,
    float *output);

// Adds to `gradient` the gradient of training_depthwise with respect to its input, given that of its output, `outer`.
void training_depthwise_input(
    long steps, long channels, long kernel, long dilation, const float *weight, const float *outer,
    float *gradient);

// Adds to `gradient` ([kernel][channels]) the gradient of training_depthwise with respect to its weight.
void training_depthwise_weight(
    long steps, long channels, long kernel, long dilation, const float *input, const float *outer,
    float *gradient);

// The mean and the (biased) variance of each column.
void training_moments(long rows, long channels, const float *values, float *mean, float *variance);

// output = max(0, scale * input + shift), by column.
void training_affine_rectify(
    long rows, long channels, const float *scale, const float *shift, const float *input, float *output);

// output = max(0, carried + scale * input + shift), by column.
void training_affine_add_rectify(
    long rows, long channels, const float *scale, const float *shift, const float *input,
    const float *carried, float *output);

// Sets `gradient` to zero where `rectified` is zero, and computes for each column the sums of the gradient and of the gradient
// times (values - mean).
void training_rectify_sums(
    long rows, long channels, const float *rectified, const float *values, const float *mean,
    float *gradient, float *sums, float *products);

// values = outer * gradient + inner * values + shift, by column.
void training_combine(
    long rows, long channels, const float *outer, const float *gradient, const float *inner,
    const float *shift, float *values);

// output[t] = max(0, bias + sum over j of weight[j] * input[t - (kernel - 1 - j) * dilation]); the rows before `input` must
// exist.
void training_depthwise_rectify(
    long steps, long channels, long kernel, long dilation, const float *weight, const float *bias,
    const float *input, float *output);

// values = max(0, carried + values + bias), by column.
void training_add_rectify(
    long rows, long channels, const float *bias, const float *carried, float *values);

// output = max(0, output + bias), by column.
void training_bias_rectify(long rows, long channels, const float *bias, float *values);

// Converts IEEE half precision, given as its bits, to single precision.
void training_widen(long count, const unsigned short *half, float *single);

// One step of Adam with decoupled weight decay, and the moving average of the weights.
//
// `rate` includes Adam's bias correction of the mean, `squareScale` that of the squares; `shrink` is
// 1 - rate * decay for this range.
void training_adam(
    long count, const float *gradient, float gradientScale, float memory, float squareMemory, float rate,
    float squareScale, float shrink, float averaging, float *mean, float *square, float *weights,
    float *averaged);

// output[rows][columns] = left[rows][depth] * right[depth][columns].
void training_product(
    long rows, long columns, long depth, const float *left, const float *right, float *output);

// output[rows][columns] = the transpose of left[depth][rows] * right[depth][columns].
void training_product_of_columns(
    long rows, long columns, long depth, const float *left, const float *right, float *output);

// The kind of product for this processor: 2 with AVX-512, 1 with AVX2, 0 for all others.
int training_product_kind(void);

// The product of a kind that this processor supports; left (row, depth) is at row * rowStep + depth * depthStep.
void training_product_as(
    int kind, long rows, long columns, long depth, const float *left, long rowStep, long depthStep,
    const float *right, float *output);

// transposed[column][row] = matrix[row][column].
void training_transpose(long rows, long columns, const float *matrix, float *transposed);

// values = values + bias, by column.
void training_add_bias(long rows, long columns, const float *bias, float *values);
