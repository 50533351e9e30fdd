import Detection

extension KeywordSpotter {
  /// The spotter of models by name or path, each with its own sensitivity (`M:0.7`) or else the common one.
  package convenience init(named names: [String], sensitivity: Double) throws {
    let common = try Sensitivity(sensitivity)
    let store = ModelStore.standard()
    try self.init(
      names.map { name in
        let reference = try ModelReference(name)
        return (try store.model(reference), reference.sensitivity ?? common)
      })
  }
}
