import Detection
import Platform

/// What the page needs to teach a phrase: programs, folders, and the service that listens for a model.
package struct TeachProgram: Sendable {
  /// The path of `hotword`.
  package let program: String
  /// The path of `hotword-train`.
  package let training: String
  /// The folder of the phrases with their recordings and of models that are not installed yet.
  package let folder: String
  /// The models that are found by name.
  package let store: ModelStore
  /// The folder of the user's own models.
  package let modelFolder: String
  /// Makes the service listen for the model of a file, in place of one with the same name, until it ends; nil without a service.
  package let listen: (@Sendable (_ path: String) -> Void)?

  package init(
    program: String, training: String, folder: String = UserFolders.data("phrases"),
    store: ModelStore = .standard(), modelFolder: String = ModelStore.userFolder(),
    listen: (@Sendable (_ path: String) -> Void)? = nil
  ) {
    self.program = program
    self.training = training
    self.folder = folder
    self.store = store
    self.modelFolder = modelFolder
    self.listen = listen
  }
}
