import Detection

/// What a page that is open shows and changes.
extension ServiceLoop {
  /// Sets a model's sensitivity; an unknown name is ignored, because a reload may have removed the model.
  func setSensitivity(_ sensitivity: Sensitivity, of name: String) {
    guard let spotter = spotter as? KeywordSpotter, let model = keywords.firstIndex(of: name) else { return }
    let levels = SensitivityLevels(sensitivity, of: model, spotter)
    guard listener.control.sensitivities.put(levels, of: model) else { return }
    live?.change(sensitivity: sensitivity.value, threshold: levels.usual.threshold, of: model)
  }
}
