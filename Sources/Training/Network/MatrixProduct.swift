import COpenBLAS

/// The three products of a layer `y = x wᵀ` in row-major order: OpenBLAS, on the calling thread only.
enum MatrixProduct {
  /// Keeps OpenBLAS from starting threads of its own, whose number would change the sums.
  static func useCallingThread() { openblas_set_num_threads(1) }

  /// `output[rows][out] = input[rows][in] · weight[out][in]ᵀ`.
  static func forward(
    rows: Int, inputs: Int, outputs: Int, input: UnsafePointer<Float>, weight: UnsafePointer<Float>,
    output: UnsafeMutablePointer<Float>
  ) {
    cblas_sgemm(
      CblasRowMajor, CblasNoTrans, CblasTrans, blasint(rows), blasint(outputs), blasint(inputs), 1, input,
      blasint(inputs), weight, blasint(inputs), 0, output, blasint(outputs))
  }

  /// `gradient[out][in] = outer[rows][out]ᵀ · input[rows][in]`.
  static func weightGradient(
    rows: Int, inputs: Int, outputs: Int, input: UnsafePointer<Float>, outer: UnsafePointer<Float>,
    gradient: UnsafeMutablePointer<Float>
  ) {
    cblas_sgemm(
      CblasRowMajor, CblasTrans, CblasNoTrans, blasint(outputs), blasint(inputs), blasint(rows), 1, outer,
      blasint(outputs), input, blasint(inputs), 0, gradient, blasint(inputs))
  }

  /// `gradient[rows][in] = outer[rows][out] · weight[out][in]`.
  static func inputGradient(
    rows: Int, inputs: Int, outputs: Int, outer: UnsafePointer<Float>, weight: UnsafePointer<Float>,
    gradient: UnsafeMutablePointer<Float>
  ) {
    cblas_sgemm(
      CblasRowMajor, CblasNoTrans, CblasNoTrans, blasint(rows), blasint(inputs), blasint(outputs), 1, outer,
      blasint(outputs), weight, blasint(inputs), 0, gradient, blasint(inputs))
  }

  /// `output[rows] += matrix[rows][columns] · vector[columns]`.
  static func addRows(
    rows: Int, columns: Int, matrix: UnsafePointer<Float>, vector: UnsafePointer<Float>,
    output: UnsafeMutablePointer<Float>
  ) {
    cblas_sgemv(
      CblasRowMajor, CblasNoTrans, blasint(rows), blasint(columns), 1, matrix, blasint(columns), vector, 1, 1,
      output, 1)
  }

  /// `output[columns] = matrix[rows][columns]ᵀ · vector[rows]`.
  static func columns(
    rows: Int, columns: Int, matrix: UnsafePointer<Float>, vector: UnsafePointer<Float>,
    output: UnsafeMutablePointer<Float>
  ) {
    cblas_sgemv(
      CblasRowMajor, CblasTrans, blasint(rows), blasint(columns), 1, matrix, blasint(columns), vector, 1, 0,
      output, 1)
  }
}
