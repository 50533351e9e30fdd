// Only tests use this file. The static Swift library, with which the programs are built, does not contain Testing.
#if canImport(Testing)
  import Testing

  /// The error of type `Failure` that `body` throws. Records an issue and returns nil if it throws none or another one.
  ///
  /// `#expect(throws:)` returns the error only from Swift 6.1 on.
  public func thrown<Failure: Error>(
    _ type: Failure.Type, _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation, by body: () throws -> some Any
  ) -> Failure? {
    do {
      _ = try body()
      Issue.record(comment() ?? "no error, expected \(type)", sourceLocation: sourceLocation)
    } catch let error as Failure {
      return error
    } catch {
      Issue.record(error, comment(), sourceLocation: sourceLocation)
    }
    return nil
  }
#endif
