// swift-tools-version: 6.0
import Foundation
import PackageDescription

/// A C library that Debian packages; `make` installs what is missing.
func debian(_ name: String, package: String, pkgConfig: String? = nil) -> Target {
  .systemLibrary(
    name: name, path: "Sources/CLibraries/\(name)", pkgConfig: pkgConfig,
    providers: [.apt([package])])
}

/// A C or C++ target of this package: a shim for a library, or a kernel.
///
/// Another package can depend on a release only if it needs no unsafe flags, so the targets of the product `Hotword` have none:
/// a debug build does not optimize `CKernels`, whose matrix products then take four times as long. `CTraining`, which takes ten
/// to thirty times as long without optimization, is no part of that product.
///
/// - Parameters:
///   - headers: a folder of the target with links to headers that are not directly in /usr/include.
///   - isOptimizedInDebug: optimizes debug builds, by an unsafe flag.
func native(
  _ name: String, _ dependencies: [Target.Dependency] = [], linking libraries: [String] = [],
  headers: String? = nil, defines: [String] = [], exclude: [String] = [], isOptimizedInDebug: Bool = false
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/CLibraries/\(name)", exclude: exclude,
    cSettings: (headers.map { [.headerSearchPath($0)] } ?? [])
      + (isOptimizedInDebug ? [.unsafeFlags(["-O3"], .when(configuration: .debug))] : []),
    cxxSettings: defines.map { .define($0) } + (headers.map { [.headerSearchPath($0)] } ?? []),
    linkerSettings: libraries.map { .linkedLibrary($0) })
}

/// The shim for the WebRTC library that is installed: 1.x (Debian 13), or 0.3 (Debian 12, Ubuntu 24.04).
///
/// Without the library this file fails: SwiftPM caches its result, and would not notice that the library is installed later.
let webRTC: Target =
  if FileManager.default.fileExists(atPath: "/usr/include/webrtc-audio-processing-1") {
    native(
      "CWebRTC", linking: ["webrtc-audio-processing-1"], headers: "version1/system",
      defines: ["WEBRTC_POSIX"], exclude: ["version0"])
  } else if FileManager.default.fileExists(atPath: "/usr/include/webrtc_audio_processing") {
    native(
      "CWebRTC", linking: ["webrtc_audio_processing"], headers: "version0/system",
      defines: ["WEBRTC_POSIX", "WEBRTC_AUDIO_PROCESSING_ONLY_BUILD"], exclude: ["version1"])
  } else {
    fatalError("libwebrtc-audio-processing-dev is not installed; install it, or run `make packages`")
  }

/// A Swift module at `Sources/GROUP/NAME`: the groups show the way of the data, and imports point left or down.
func module(
  _ group: String, _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [],
  resources: [Resource] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/\(group)/\(name)", exclude: exclude,
    resources: resources)
}

/// Lets espeak-ng find the function of `CEspeak` that keeps it from the sound server.
let withoutSoundServer: LinkerSetting = .unsafeFlags([
  "-Xlinker", "--export-dynamic-symbol=create_audio_device_object",
])

/// LLVM's linker, which all toolchains have: GNU's, which Debian's Swift 6.0 would use, leaves the tables of the loader writable.
let linker: LinkerSetting = .unsafeFlags(["-use-ld=lld"])

func tests(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: [.target(name: name), "TestServers"] + dependencies,
    resources: [.copy("Fixtures")])
}

let package = Package(
  name: "hotword",
  products: [
    .executable(name: "hotword", targets: ["HotwordProgram"]),
    .executable(name: "hotword-train", targets: ["HotwordTrainProgram"]),
    .library(name: "Hotword", targets: ["Hotword"]),
    // The C library: `make install` installs it as libhotword.so.
    .library(name: "HotwordC", type: .dynamic, targets: ["HotwordLibrary"]),
  ],
  targets: [
    debian("CALSA", package: "libasound2-dev", pkgConfig: "alsa"),
    debian("CSndFile", package: "libsndfile1-dev", pkgConfig: "sndfile"),
    debian("CSampleRate", package: "libsamplerate0-dev", pkgConfig: "samplerate"),
    debian("CYAML", package: "libyaml-dev", pkgConfig: "yaml-0.1"),
    debian("CFlite", package: "flite1-dev"),
    webRTC,
    native("CFFTW", linking: ["fftw3f", "fftw3f_threads"]),
    native("CSystem"),
    native("CDynamicLibrary"),
    native("CKernels"),
    native("CFrameHistory"),
    native("CHotword"),
    native("CAllocations"),
    native("CTraining", isOptimizedInDebug: true),
    native("CPocketSphinx", ["CDynamicLibrary"], headers: "system/pocketsphinx"),
    native("CEspeak", ["CDynamicLibrary"]),
    native("CNetwork", ["CDynamicLibrary"]),
    native("CMosquitto", ["CDynamicLibrary"]),
    native("CAvahi", ["CDynamicLibrary"]),
    native("CMicroHTTP", ["CDynamicLibrary"]),
    native("CSodium", ["CDynamicLibrary"]),
    native("CQRCode", ["CDynamicLibrary"]),

    // Support: what every module may use.
    module("Support", "Platform", ["CSystem"]),
    module(
      "Support", "Networking", ["Platform", "CSystem", "CNetwork", "CMosquitto", "CAvahi", "CMicroHTTP"],
      exclude: ["README.md"]),
    module("Support", "YAMLFormat", ["Platform", "CYAML"]),
    module("Support", "CommandLineParsing", ["Platform"]),

    // Audio: samples in, samples out.
    module("Audio", "PCM"),
    module("Audio", "AudioCapture", ["Platform", "PCM", "CSystem", "CALSA", "CSndFile", "CSampleRate"]),
    module("Audio", "Espeak", ["Platform", "CEspeak"]),
    module("Audio", "FrontEnd", ["Platform", "PCM", "CWebRTC"], exclude: ["README.md"]),

    // Detection: from frames to hits and speakers.
    module("Detection", "Detection", ["Platform", "PCM", "FrontEnd", "CFFTW", "CKernels"]),
    module("Detection", "ONNXExport", ["Platform", "Detection"], exclude: ["README.md"]),
    module(
      "Detection", "Speakers", ["Platform", "PCM", "Detection"], exclude: ["README.md"],
      resources: [.embedInCode("Resources/metric.json")]),

    // Conversation: from a hit to an action.
    module("Conversation", "Assistant", ["Platform", "PCM", "CFrameHistory"]),
    module(
      "Conversation", "Recognition",
      ["Platform", "PCM", "Espeak", "FrontEnd", "Detection", "TextProcessing", "CPocketSphinx"],
      exclude: ["README.md"]),
    module(
      "Conversation", "TextProcessing", ["Platform"],
      resources: [.embedInCode("Resources/languages.txt")]),
    module(
      "Conversation", "Understanding", ["Platform", "YAMLFormat", "TextProcessing"], exclude: ["README.md"],
      resources: [
        .embedInCode("Resources/home.yaml"), .embedInCode("Resources/dialogue.yaml"),
        .embedInCode("Resources/chatter.txt"),
      ]),
    module("Conversation", "Dialogue", ["Platform", "YAMLFormat", "TextProcessing", "Understanding"]),
    module("Conversation", "Actions", ["Platform", "PCM", "Understanding"]),
    module("Conversation", "SpeechSynthesis", ["Platform", "PCM", "AudioCapture", "Espeak"]),

    // Integrations: other programs on the network.
    module("Integrations", "Hermes", ["Platform", "PCM", "Networking", "Assistant"]),
    module(
      "Integrations", "WyomingServer",
      [
        "Platform", "PCM", "Networking", "AudioCapture", "FrontEnd", "Detection", "Assistant", "Recognition",
        "Understanding", "Dialogue", "Actions",
      ]),
    module(
      "Integrations", "ESPHomeServer",
      ["Platform", "PCM", "Networking", "AudioCapture", "WyomingServer", "CSodium"]),
    module("Integrations", "HomeAssistant", ["Platform", "Networking", "YAMLFormat", "TextProcessing"]),
    module(
      "Integrations", "RemoteServices",
      ["Platform", "PCM", "Networking", "Recognition", "Understanding", "Dialogue", "Actions", "Hermes"]),

    // Service: what a process that runs for months needs.
    module("Service", "Clips", ["Platform", "PCM", "AudioCapture"]),
    module("Service", "Supervision", ["Platform", "PCM", "Networking"]),
    module(
      "Service", "Configuration",
      ["Platform", "Networking", "CommandLineParsing", "Assistant", "Clips", "YAMLFormat"]),
    module(
      "Service", "Service",
      [
        "Platform", "PCM", "Networking", "AudioCapture", "FrontEnd", "Detection", "Speakers", "Assistant",
        "Recognition", "Understanding", "Dialogue", "RemoteServices", "Actions", "SpeechSynthesis", "Hermes",
        "Clips", "Supervision", "Configuration",
      ]),

    // Training: from recordings to models, and how good they are.
    module("Training", "Corpora", ["Platform", "AudioCapture"]),
    module(
      "Training", "Evaluation", ["Platform", "PCM", "AudioCapture", "Detection", "Corpora"]),
    module(
      "Training", "Training",
      [
        "Platform", "PCM", "AudioCapture", "FrontEnd", "Detection", "Speakers", "Clips", "Corpora",
        "Evaluation", "Espeak", "CTraining", "CFlite",
      ], exclude: ["README.md"]),

    // Interfaces: the libraries and the command line.
    module("Interfaces", "Hotword", ["Platform", "PCM", "FrontEnd", "Detection"]),
    module("Interfaces", "HotwordC", ["Platform", "PCM", "Detection", "Hotword", "CHotword"]),
    .target(
      name: "HotwordLibrary", dependencies: ["HotwordC"], path: "Sources/Interfaces/HotwordLibrary",
      exclude: ["exports.map", "hotword.pc.in"],
      linkerSettings: [
        .unsafeFlags([
          "-static-stdlib", "-Xlinker", "-soname=libhotword.so.0",
          "-Xlinker",
          "--version-script=\(Context.packageDirectory)/Sources/Interfaces/HotwordLibrary/exports.map",
        ]), linker,
      ]),
    module("Interfaces", "TrainingCommands", ["CommandLineParsing"]),
    module("Interfaces", "SoundCheck", ["Platform", "PCM"]),
    module("Interfaces", "Monitor", ["Platform", "PCM"]),
    module(
      "Interfaces", "Web",
      [
        "Platform", "PCM", "Networking", "AudioCapture", "Detection", "Assistant", "Clips", "Configuration",
        "Service", "Corpora", "SoundCheck",
      ], resources: [.embedInCode("Pages")]),
    .executableTarget(
      name: "HotwordProgram",
      dependencies: [
        "Platform", "CommandLineParsing", "TrainingCommands", "PCM", "Networking", "AudioCapture", "FrontEnd",
        "Detection", "Hotword", "ONNXExport", "Speakers", "Assistant", "Clips", "Recognition",
        "Understanding", "Dialogue",
        "RemoteServices", "Actions", "SpeechSynthesis", "SoundCheck", "Monitor", "Corpora", "WyomingServer",
        "ESPHomeServer", "CQRCode", "HomeAssistant", "YAMLFormat",
        "Supervision", "Configuration", "Service", "Web",
      ], path: "Sources/Interfaces/HotwordProgram", linkerSettings: [withoutSoundServer, linker]),
    .executableTarget(
      name: "HotwordTrainProgram",
      dependencies: [
        "Platform", "CommandLineParsing", "TrainingCommands", "AudioCapture", "Detection", "Speakers",
        "Corpora", "Training", "Evaluation",
      ], path: "Sources/Interfaces/HotwordTrainProgram",
      linkerSettings: [withoutSoundServer, linker]),

    .target(name: "CThreadSanitizer", path: "Tests/CThreadSanitizer"),
    .target(
      name: "TestServers", dependencies: ["Platform", "CSystem", "CThreadSanitizer"],
      path: "Tests/TestServers",
      exclude: ["Scripts", "requirements.txt"]),
    tests("Platform", ["PCM"]),
    tests("CommandLineParsing", ["Platform", "Understanding", "HotwordProgram"]),
    tests("HotwordProgram", ["Platform", "PCM", "AudioCapture"]),
    tests("Networking", ["Platform", "PCM"]),
    tests("PCM"),
    .testTarget(
      name: "ListeningPathTests",
      dependencies: [
        "Platform", "PCM", "AudioCapture", "FrontEnd", "Detection", "SpeechSynthesis", "Service",
        "Supervision",
        "CAllocations", "TestServers",
      ]),
    tests("AudioCapture", ["Platform", "PCM", "CALSA", "CSndFile", "CAllocations"]),
    tests("Espeak"),
    tests("FrontEnd", ["Platform", "PCM", "CAllocations"]),
    tests("Detection", ["Platform", "PCM", "FrontEnd", "CAllocations", "CKernels"]),
    tests("Hotword", ["Platform", "PCM", "FrontEnd", "Detection", "AudioCapture", "CAllocations"]),
    tests("HotwordC", ["Platform", "PCM", "Detection", "AudioCapture", "CHotword", "CAllocations"]),
    tests("ONNXExport", ["Platform", "PCM", "AudioCapture", "FrontEnd", "Detection"]),
    tests("Speakers", ["Platform", "PCM", "AudioCapture", "Detection"]),
    tests("Assistant", ["Platform", "PCM", "FrontEnd", "AudioCapture"]),
    tests("Corpora", ["Platform", "PCM"]),
    tests("SoundCheck", ["Platform", "PCM"]),
    tests("Monitor", ["Platform", "PCM"]),
    .testTarget(
      name: "WebTests",
      dependencies: [
        "Web", "Platform", "PCM", "Networking", "AudioCapture", "Detection", "Assistant", "Clips",
        "Configuration", "Service", "YAMLFormat", "TestServers",
      ]),
    tests("Clips", ["Platform", "PCM", "AudioCapture"]),
    tests("Recognition", ["Platform", "PCM", "AudioCapture", "Detection", "TextProcessing"]),
    tests("YAMLFormat", ["Platform"]),
    tests("Understanding", ["Platform", "YAMLFormat", "TextProcessing"]),
    tests("HomeAssistant", ["Platform", "Networking", "YAMLFormat", "Understanding", "Dialogue"]),
    tests("Dialogue", ["Platform", "Understanding"]),
    tests(
      "RemoteServices",
      ["Platform", "Networking", "Recognition", "Understanding", "Dialogue", "Actions"]),
    tests("Supervision", ["Platform", "PCM", "Networking"]),
    tests("Configuration", ["Platform", "PCM", "CommandLineParsing", "HotwordProgram"]),
    tests(
      "Service",
      [
        "Platform", "PCM", "AudioCapture", "FrontEnd", "Assistant", "Recognition", "Understanding",
        "Dialogue",
        "RemoteServices", "Actions", "SpeechSynthesis", "Clips", "Supervision", "Configuration",
      ]),
    tests("Hermes", ["Platform", "PCM", "Networking", "Assistant"]),
    tests("Actions", ["Platform", "PCM", "Understanding"]),
    tests(
      "SpeechSynthesis", ["Platform", "PCM", "AudioCapture", "CAllocations"]),
    tests("Training", ["Platform", "PCM", "Detection", "FrontEnd", "AudioCapture", "Corpora", "CTraining"]),
    tests("ESPHomeServer", ["Platform", "PCM", "Networking", "AudioCapture", "WyomingServer"]),
    tests("WyomingServer", ["Platform", "PCM", "Networking", "AudioCapture", "Detection"]),
    tests("Evaluation", ["Platform", "PCM", "Detection", "FrontEnd", "AudioCapture", "Corpora"]),
    .testTarget(
      name: "ProgramTests",
      dependencies: [
        "Platform", "PCM", "CommandLineParsing", "HotwordProgram", "AudioCapture", "Networking",
        "Configuration", "Assistant", "Clips", "TextProcessing", "YAMLFormat", "TestServers",
      ]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .gnu11,
  cxxLanguageStandard: .gnucxx17
)

// `make fuzz` builds it, with a compiler that has libFuzzer.
if Context.environment["HOTWORD_FUZZING"] != nil {
  package.targets += [
    .target(name: "CFuzzing", path: "Tests/Fuzzing/CFuzzing"),
    .executableTarget(
      name: "hotword-fuzz",
      dependencies: [
        "CFuzzing", "CSystem", "Platform", "PCM", "Networking", "CommandLineParsing", "YAMLFormat",
        "AudioCapture", "FrontEnd", "Detection", "Speakers", "Corpora", "Recognition", "Understanding",
        "Dialogue", "Actions", "Assistant", "WyomingServer", "Hermes", "ESPHomeServer", "RemoteServices",
        "HomeAssistant", "Clips", "Configuration", "Web",
      ], path: "Tests/Fuzzing", exclude: ["CFuzzing", "corpus.tar.xz", "run"]),
  ]
}

// Swift before 6.2 takes atomics and computed constants for locks, so the proof that the audio thread neither allocates nor locks
// is left to newer compilers.
#if compiler(<6.2)
  for target in package.targets where [.regular, .executable, .test].contains(target.type) {
    target.swiftSettings =
      (target.swiftSettings ?? []) + [
        .unsafeFlags(["-Xllvm", "-sil-disable-pass=performance-diagnostics"])
      ]
  }
#endif
