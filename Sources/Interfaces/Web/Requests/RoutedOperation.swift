/// Operations of the JSON interface that are found by method and path.
protocol RoutedOperation: CaseIterable {
  /// The method, and the path with `{}` for a name.
  var route: (method: String, path: String) { get }
}

extension RoutedOperation {
  /// The operation of a request, and the name in its path, or an empty one; nil if no operation has this path.
  ///
  /// - Throws: ``WebFault/wrongMethod(allowed:)``.
  static func find(_ method: String, _ path: String) throws(WebFault) -> (operation: Self, name: String)? {
    var allowed: [String] = []
    for operation in allCases {
      let route = operation.route
      guard let name = name(in: path, template: route.path) else { continue }
      if route.method == (method == "HEAD" ? "GET" : method) { return (operation, name) }
      allowed.append(route.method)
    }
    guard allowed.isEmpty else { throw .wrongMethod(allowed: allowed) }
    return nil
  }

  /// The name in `path` where the template has `{}`, or an empty one; nil if the path is another one.
  private static func name(in path: String, template: String) -> String? {
    let wanted = template.split(separator: "/", omittingEmptySubsequences: false)
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard wanted.count == parts.count else { return nil }
    var name = ""
    for (one, other) in zip(wanted, parts) {
      if one == "{}" { name = String(other) } else if one != other { return nil }
    }
    return name
  }
}
