import Configuration
import Platform
import Service

/// What the page is about: the parts of the program that it shows. Any thread may call the closures.
package struct WebProgram: Sendable {
  /// A part of the page.
  package enum View: String, Sendable, CaseIterable {
    case live, clips, teach, understand, state
  }

  /// The parts that are shown.
  package let views: [View]
  /// The service; nil if only clips and sentences are shown.
  package let service: RunningService?
  /// The settings in use.
  package let settings: @Sendable () -> ServiceSettings
  /// What can be said, as `hotword intents list --json` prints it, of an intent file or of the default intents.
  package let sentences: @Sendable (_ intents: String?) throws -> JSON
  /// The lines of `hotword devices`, as objects.
  package let devices: @Sendable () throws -> [JSON]
  /// The findings of `hotword doctor`.
  package let findings: @Sendable () throws -> [JSON]
  /// The configuration file, nil if there is none, and all faults that `hotword run --check` reports.
  package let check: @Sendable () -> (file: String?, faults: [any Fault])
  /// The configuration file; nil if there is none.
  package let configuration: @Sendable () -> EditedFile?
  /// The intent file; nil for the built-in intents.
  package let intents: @Sendable () -> EditedFile?
  /// The names of the enrolled voices.
  package let voices: @Sendable () throws -> [String]

  /// What teaching needs; nil if the page does not have it.
  package let teaching: TeachProgram?

  package init(
    views: [View] = View.allCases, teaching: TeachProgram? = nil, service: RunningService?,
    settings: @escaping @Sendable () -> ServiceSettings,
    sentences: @escaping @Sendable (_ intents: String?) throws -> JSON,
    devices: @escaping @Sendable () throws -> [JSON], findings: @escaping @Sendable () throws -> [JSON],
    check: @escaping @Sendable () -> (file: String?, faults: [any Fault]),
    configuration: @escaping @Sendable () -> EditedFile? = { nil },
    intents: @escaping @Sendable () -> EditedFile? = { nil },
    voices: @escaping @Sendable () throws -> [String] = { [] }
  ) {
    self.views = views.filter { $0 != .teach || teaching != nil }
    self.teaching = teaching
    self.service = service
    self.settings = settings
    self.sentences = sentences
    self.devices = devices
    self.findings = findings
    self.check = check
    self.configuration = configuration
    self.intents = intents
    self.voices = voices
  }
}
