import Platform

/// Replacing the components.
extension ServiceLoop {
  /// The names of the models that are listened for.
  var keywords: [String] { generations.last.map { $0.map(\.name) } ?? [] }

  /// Continues with what a reload has prepared, once no conversation is open. The stream, its clock and the timers go on.
  ///
  /// Nothing here can fail.
  func commitReload() {
    guard let new = prepared, cycle.state == .idle, !isBusy, identifying == 0 else { return }
    prepared = nil
    let old = components
    components = new
    cycle.change(new.cycle)
    new.output.follow(old.output)
    old.recorder.finish(history)
    Log.configure(level: new.settings.logLevel, form: new.settings.log)
    if let scope = new.hermes { bridge?.change(scope) }
    replaceListeningParts(new)
    old.close()
    Log.note("the configuration is reloaded; listening for \(keywords.joined(separator: ", "))")
    supervisor.reloaded(keywords)
  }

  /// Hands the listening thread its new parts; a spotter whose models are unchanged stays.
  private func replaceListeningParts(_ new: ServiceComponents) {
    if new.modelIdentity == nil || new.modelIdentity != modelIdentity {
      spotter = new.spotter
      modelIdentity = new.modelIdentity
      generations.append(new.spotter.models.map { metrics.stream.keyword($0.name) })
      live?.use(new.spotter, new.settings)
    } else {
      live?.use(new.settings)
    }
    _ = listener.control.submit(
      ListeningChange(spotter, generation: generations.count - 1, echo: new.echo))
  }
}
