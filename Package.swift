// swift-tools-version: 6.1
import PackageDescription

/// A C library that Debian packages; `make` installs what is missing.
func debian(_ name: String, package: String, pkgConfig: String? = nil) -> Target {
  .systemLibrary(
    name: name, path: "Sources/CLibraries/\(name)", pkgConfig: pkgConfig,
    providers: [.apt([package])])
}

/// A C or C++ target of our own: a thin shim over a library, or a kernel.
///
/// Other packages can depend on a release only of what has no unsafe flags: none for what `Hotword` needs.
///
/// - Parameter headers: a folder in the target with links to headers that have no place of their own in /usr/include.
func native(
  _ name: String, linking libraries: [String] = [], headers: String? = nil, defines: [String] = [],
  isFast: Bool = true
) -> Target {
  .target(
    name: name, path: "Sources/CLibraries/\(name)",
    cSettings: isFast ? [.unsafeFlags(["-O3"])] : [],
    cxxSettings: defines.map { .define($0) } + (headers.map { [.headerSearchPath($0)] } ?? []),
    linkerSettings: libraries.map { .linkedLibrary($0) })
}

func tests(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: [.target(name: name)] + dependencies,
    resources: [.copy("Fixtures")])
}

let package = Package(
  name: "hotword",
  products: [
    .executable(name: "hotword", targets: ["hotword"]),
    .executable(name: "hotword-train", targets: ["hotword-train"]),
    .library(name: "Hotword", targets: ["Hotword"]),
    // The C library: `make install` installs it as libhotword.so.
    .library(name: "HotwordC", type: .dynamic, targets: ["HotwordLibrary"]),
  ],
  targets: [
    debian("CALSA", package: "libasound2-dev", pkgConfig: "alsa"),
    debian("CSndFile", package: "libsndfile1-dev", pkgConfig: "sndfile"),
    debian("CSampleRate", package: "libsamplerate0-dev", pkgConfig: "samplerate"),
    debian("CFFTW", package: "libfftw3-dev", pkgConfig: "fftw3f"),
    debian("CYAML", package: "libyaml-dev", pkgConfig: "yaml-0.1"),
    debian("CEspeak", package: "libespeak-ng-dev", pkgConfig: "espeak-ng"),
    debian("CFlite", package: "flite1-dev"),
    native(
      "CWebRTC", linking: ["webrtc_audio_processing"], headers: "system",
      defines: ["WEBRTC_POSIX", "WEBRTC_AUDIO_PROCESSING_ONLY_BUILD"], isFast: false),
    native("CKernels", isFast: false),
    native("CHotword", isFast: false),
    native("CAllocations"),
    native("CTraining"),
    native("CPocketSphinx"),
    native("CSpeech"),
    native("CNetwork"),
    native("CMosquitto"),
    native("CAvahi"),
    native("CMicroHTTP"),

    .target(name: "Platform"),
    .target(name: "CommandLine", dependencies: ["Platform"]),
    .target(
      name: "Network", dependencies: ["Platform", "CNetwork", "CMosquitto", "CAvahi"], exclude: ["README.md"]),
    .target(name: "AudioCapture", dependencies: ["Platform", "CALSA", "CSndFile", "CSampleRate"]),
    .target(name: "FrontEnd", dependencies: ["Platform", "CWebRTC"]),
    .target(name: "Detection", dependencies: ["Platform", "FrontEnd", "CFFTW", "CKernels"]),
    .target(name: "ONNX", dependencies: ["Platform", "Detection"], exclude: ["README.md"]),
    .target(name: "Hotword", dependencies: ["Platform", "FrontEnd", "Detection"]),
    .target(name: "HotwordC", dependencies: ["Platform", "Detection", "Hotword", "CHotword"]),
    .target(
      name: "HotwordLibrary", dependencies: ["HotwordC"], exclude: ["exports.map", "hotword.pc.in"],
      linkerSettings: [
        .unsafeFlags([
          "-static-stdlib", "-Xlinker", "-soname=libhotword.so.0",
          "-Xlinker", "--version-script=\(Context.packageDirectory)/Sources/HotwordLibrary/exports.map",
        ])
      ]),
    .target(
      name: "Speakers", dependencies: ["Platform", "Detection"], exclude: ["README.md"],
      resources: [.embedInCode("Resources/metric.json")]),
    .target(name: "Assistant", dependencies: ["Platform", "FrontEnd"]),
    .target(name: "Corpora", dependencies: ["Platform"]),
    .target(name: "SoundCheck", dependencies: ["Platform"]),
    .target(name: "Monitor", dependencies: ["Platform"]),
    .target(name: "Clips", dependencies: ["Platform", "AudioCapture"]),
    .target(
      name: "Recognition", dependencies: ["Platform", "FrontEnd", "Detection", "Network", "CPocketSphinx"],
      exclude: ["README.md"]),
    .target(
      name: "Understanding", dependencies: ["Platform", "Network", "CYAML"], exclude: ["README.md"],
      resources: [
        .embedInCode("Resources/home.yaml"), .embedInCode("Resources/dialogue.yaml"),
        .embedInCode("Resources/chatter.txt"), .embedInCode("Resources/languages.txt"),
      ]),
    .target(name: "Supervision", dependencies: ["Platform", "CMicroHTTP"]),
    .target(
      name: "Configuration",
      dependencies: ["Platform", "CommandLine", "Assistant", "Clips", "Supervision", "Understanding"]),
    .target(name: "Hermes", dependencies: ["Platform", "Network", "Assistant"]),
    .target(name: "Actions", dependencies: ["Platform", "Network", "Hermes", "Understanding"]),
    .target(name: "Speech", dependencies: ["Platform", "AudioCapture", "CSpeech"]),
    .target(
      name: "Training",
      dependencies: [
        "Platform", "AudioCapture", "FrontEnd", "Detection", "Speakers", "Clips", "Corpora", "Evaluation",
        "CTraining", "CEspeak", "CFlite",
      ], exclude: ["README.md"]),
    .target(
      name: "Serving", dependencies: ["Platform", "Network", "AudioCapture", "Detection", "Assistant"]),
    .target(
      name: "Evaluation", dependencies: ["Platform", "AudioCapture", "FrontEnd", "Detection", "Corpora"]),

    .executableTarget(
      name: "hotword",
      dependencies: [
        "Platform", "CommandLine", "Network", "AudioCapture", "FrontEnd", "Detection", "Hotword", "ONNX",
        "Speakers", "Assistant", "Clips", "Recognition", "Understanding", "Actions", "Speech",
        "SoundCheck", "Monitor", "Corpora", "Serving", "Supervision", "Configuration", "Hermes",
      ]),
    .executableTarget(
      name: "hotword-train",
      dependencies: [
        "Platform", "CommandLine", "AudioCapture", "FrontEnd", "Detection", "Speakers", "Training",
        "Evaluation",
      ]),

    .target(
      name: "TestServers", dependencies: ["Platform"], path: "Tests/TestServers",
      exclude: ["Scripts", "requirements.txt"]),
    tests("Platform"),
    tests("CommandLine", ["Platform"]),
    tests("Network", ["Platform", "TestServers"]),
    tests("AudioCapture", ["Platform", "CALSA", "CSndFile", "TestServers"]),
    tests("FrontEnd", ["Platform", "CAllocations"]),
    tests("Detection", ["Platform", "FrontEnd", "CAllocations"]),
    tests("Hotword", ["Platform", "FrontEnd", "Detection", "AudioCapture", "CAllocations"]),
    tests("HotwordC", ["Platform", "Detection", "AudioCapture", "CHotword", "CAllocations"]),
    tests("ONNX", ["Platform", "AudioCapture", "FrontEnd", "Detection", "TestServers"]),
    tests("Speakers", ["Platform", "AudioCapture", "Detection"]),
    tests("Assistant", ["Platform", "FrontEnd", "AudioCapture"]),
    tests("Corpora", ["Platform"]),
    tests("SoundCheck", ["Platform"]),
    tests("Monitor", ["Platform"]),
    tests("Clips", ["Platform", "AudioCapture"]),
    tests("Recognition", ["Platform", "Network", "AudioCapture", "Detection", "TestServers"]),
    tests("Understanding", ["Platform", "Network", "TestServers"]),
    tests("Supervision", ["Platform", "TestServers"]),
    tests("Configuration", ["Platform", "CommandLine"]),
    tests("Hermes", ["Platform", "Network", "Assistant", "TestServers"]),
    tests("Actions", ["Platform", "Network", "Understanding", "TestServers"]),
    tests("Speech", ["Platform", "AudioCapture", "TestServers"]),
    tests("Training", ["Platform", "Detection", "FrontEnd", "AudioCapture", "CTraining"]),
    tests("Serving", ["Platform", "Network", "AudioCapture", "Detection", "TestServers"]),
    tests("Evaluation", ["Platform", "Detection", "FrontEnd", "AudioCapture", "Corpora"]),
    .testTarget(
      name: "ProgramTests",
      dependencies: ["Platform", "CommandLine", "AudioCapture", "Network", "TestServers"]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .gnu11,
  cxxLanguageStandard: .gnucxx17
)
