import Glibc
import Platform
import TestServers
import Testing

/// The installed library as programs in C, Python and Swift use it.
@Suite(
  .limited(minutes: 20), .needsProgram,
  .enabled(if: Files.exists(Program.root + "/.build/release/libHotwordC.so"), "needs the built library"))
struct LibraryTests {
  /// What `make install` installs, in a folder of its own.
  private static let installed: String? = {
    let folder = Program.temporaryFolder()
    let outcome = try? Program.shell("make -s install DESTDIR=\(folder) PREFIX=/usr 2>&1", timeout: 120)
    return outcome?.code == 0 ? folder : nil
  }()

  private func library() throws -> String { try #require(Self.installed, "make install") + "/usr" }

  /// `detect`'s hits in the words of the examples.
  private func expected(_ models: [String]) throws -> [String] {
    let options = models.flatMap { ["--model", $0] }
    return try Program.run(["detect"] + options + [Program.recording]).objects.map { hit in
      let (start, end) = (hit["start"]?.number ?? 0, hit["end"]?.number ?? 0)
      return "\(hit["keyword"]?.string ?? "") \(twoDecimals(start)) \(twoDecimals(end))"
    }
  }

  private func twoDecimals(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    return "\(hundredths / 100)." + (hundredths % 100 < 10 ? "0" : "") + "\(hundredths % 100)"
  }

  /// Lines of an example without their scores.
  private func places(_ outcome: Program.Outcome) -> [String] {
    outcome.lines.map { $0.split(separator: " ").prefix(3).joined(separator: " ") }
  }

  @Test func onlyItsFunctionsAreExportedAndSwiftIsNotRequired() throws {
    let path = try library() + "/lib/libhotword.so.0"
    let symbols = try Program.shell(
      "nm -D --defined-only \(path) | awk '$2 ~ /[A-Z]/ && $2 != \"A\" { print $3 }'")
    let declared = try Program.shell(
      "grep -o 'hotword_[a-z_]*(' Sources/CLibraries/CHotword/include/hotword.h")
    let names = Set(symbols.lines.map { String($0.prefix { $0 != "@" }) })
    // Calls in the header's example are declared too.
    #expect(names == Set(declared.lines.map { String($0.dropLast()) }))
    let needed = try Program.shell("readelf -d \(path) | grep NEEDED")
    #expect(!needed.output.contains("swift") && !needed.output.contains("Foundation"), "\(needed.output)")
    #expect(try Program.shell("readelf -d \(path) | grep SONAME").output.contains("[libhotword.so.0]"))
    #expect(try Files.read(path).count < 12_000_000)
  }

  @Test func theExampleInCDetectsWhatDetectDetects() throws {
    let folder = try library()
    let program = "\(Program.temporaryFolder())/detect"
    let build = try Program.shell(
      """
      export PKG_CONFIG_PATH=\(folder)/lib/pkgconfig
      $(command -v cc || command -v clang) -std=c99 -pedantic -Wall -Wextra -Werror -o \(program) Examples/libhotword/detect.c \
        $(pkg-config --define-prefix --cflags --libs hotword)
      """)
    try #require(build.code == 0, "\(build.errors)")
    let run = "LD_LIBRARY_PATH=\(folder)/lib \(program)"
    let found = try Program.shell("\(run) computer alexa:0.7 -- \(Program.recording)")
    #expect(try places(found) == expected(["computer", "alexa:0.7"]) && found.errors.isEmpty)
    let raw = "tail -c +45 \(Program.recording)"
    #expect(try places(Program.shell("\(raw) | \(run) computer -- -")) == expected(["computer"]))
    #expect(
      try Program.shell("\(run) computre -- \(Program.recording)").onlyError?.contains("computer") == true)
    #expect(try Program.shell("\(run) computer -- README.md").code == 1)
  }

  @Test func theManualsExampleInCFindsTheHotwords() throws {
    let folder = try library()
    let manual = try MarkdownPage("Documentation/c-and-swift-libraries.md")
    let code = try #require(manual.blocks("c").first).text
    let source = try Program.file("listen.c", Array(code.utf8))
    let program = "\(Program.temporaryFolder())/listen"
    let build = try Program.shell(
      """
      export PKG_CONFIG_PATH=\(folder)/lib/pkgconfig
      $(command -v cc || command -v clang) -std=c99 -pedantic -Wall -Wextra -Werror -o \(program) \(source) \
        $(pkg-config --define-prefix --cflags --libs hotword)
      """)
    try #require(build.code == 0, "\(build.errors)")
    let found = try Program.shell(
      "tail -c +45 \(Program.recording) | LD_LIBRARY_PATH=\(folder)/lib \(program)")
    #expect(found.output == "computer\ncomputer\n" && found.code == 0, "\(found.errors)")
  }

  @Test func theExampleInPythonDetectsWhatDetectDetects() throws {
    let run = "LIBHOTWORD=\(try library())/lib/libhotword.so.0 Examples/libhotword/detect.py"
    let found = try Program.shell("\(run) computer alexa:0.7 -- \(Program.recording)")
    #expect(try places(found) == expected(["computer", "alexa:0.7"]), "\(found.errors)")
    let raw = "tail -c +45 \(Program.recording) | dd bs=1111 status=none"
    #expect(try places(Program.shell("\(raw) | \(run) computer -- -")) == expected(["computer"]))
    #expect(
      try Program.shell("\(run) computre -- \(Program.recording)").onlyError?.contains("computer") == true)
  }

  @Test(
    .enabled(
      if: PythonServer.python(with: ["onnxruntime", "setuptools.command.bdist_wheel"]) != nil,
      "needs python3 with onnxruntime and setuptools"))
  func thePythonPackageIsInstalledByPipAndDetects() throws {
    let python = try #require(PythonServer.python(with: ["onnxruntime", "setuptools.command.bdist_wheel"]))
    let folder = Program.temporaryFolder()
    let install = try Program.shell(
      """
      cp -r Interfaces/python \(folder)/source
      \(python) -m pip install -q --no-deps --no-build-isolation --no-index --target \(folder)/lib \(folder)/source
      """, timeout: 120)
    try #require(install.code == 0, "\(install.errors)")
    #expect(Files.exists("\(folder)/lib/hotword/py.typed"))
    _ = try Program.run(["models", "export", "computer", "--output", "\(folder)/computer.onnx"])
    let library = "LIBHOTWORD=\(try library())/lib/libhotword.so.0 PYTHONPATH=\(folder)/lib"
    let tests = try Program.shell(
      "\(library) \(python) Interfaces/python/tests/test_hotword.py \(Program.recording) \(folder)/computer.onnx",
      timeout: 120)
    #expect(tests.code == 0, "\(tests.errors)")
    #expect(tests.errors.contains("\nOK\n"), "\(tests.errors)")
    let version = try Program.shell("\(library) \(python) -c 'import hotword; print(hotword.version())'")
      .output
    #expect(try Program.run(["--version"]).output == "hotword \(version)")
    let missing = try Program.shell(
      "LIBHOTWORD=nowhere.so PYTHONPATH=\(folder)/lib \(python) -c 'import hotword; hotword.version()'")
    #expect(missing.errors.contains("install the package libhotword0, or set LIBHOTWORD"))
  }

  @Test func theHeaderCompilesAsCPlusPlus() throws {
    let outcome = try Program.shell(
      """
      echo '#include <hotword.h>' \
        | $(command -v c++ || command -v clang++) -fsyntax-only -Wall -Werror -I\(try library())/include -xc++ -
      """)
    #expect(outcome.code == 0, "\(outcome.errors)")
  }

  @Test func allFilesAreInstalled() throws {
    let folder = try library()
    for path in [
      "bin/hotword", "bin/hotword-train", "bin/hotword-engine", "include/hotword.h", "lib/libhotword.so",
      "lib/pkgconfig/hotword.pc", "share/hotword/models/computer.safetensors",
      "share/hotword/models/computer.md",
    ] {
      #expect(Files.exists("\(folder)/\(path)"), "\(path)")
    }
    let version = try Program.shell("PKG_CONFIG_PATH=\(folder)/lib/pkgconfig pkg-config --modversion hotword")
      .output
    #expect(try Program.run(["--version"]).output == "hotword \(version)")
  }

  #if compiler(>=6.2)
    private static let needsNoUnsafeFlags = true
  #else
    private static let needsNoUnsafeFlags = false
  #endif

  /// Swift refuses a release of a package as a dependency where what is asked for has unsafe flags.
  @Test(.enabled(if: needsNoUnsafeFlags, "Swift before 6.2 needs unsafe flags: see Package.swift"))
  func whatHotwordNeedsHasNoUnsafeFlags() throws {
    let scratch = Program.temporaryFolder()
    let dump = try Program.shell("swift package --scratch-path \(scratch) dump-package", timeout: 120)
    let targets = try JSON(parsing: Array(dump.output.utf8), what: "the package")["targets"]?.array ?? []
    var needed = ["Hotword"]
    var seen = 0
    while seen < needed.count {
      let name = needed[seen]
      seen += 1
      let target = try #require(targets.first { $0["name"]?.string == name }, "\(name)")
      #expect(!"\(target["settings"] ?? .null)".contains("unsafeFlags"), "\(name)")
      let names = (target["dependencies"]?.array ?? []).compactMap { $0["byName"]?.array?.first?.string }
      needed += names.filter { !needed.contains($0) }
    }
    #expect(Set(needed).isSuperset(of: ["Detection", "CKernels", "CWebRTC", "CFFTW"]), "\(needed)")
  }

  @Test func theReadmeStatesTheSwiftVersionOfThePackage() throws {
    func text(_ name: String) throws -> String {
      String(decoding: try Files.read("\(Program.root)/\(name)"), as: UTF8.self)
    }
    let line = try #require(text("Package.swift").split(separator: "\n").first)
    let version = try #require(line.split(separator: " ").last)
    #expect(try text("README.md").contains("Swift \(version) or later"))
  }

  @Test func thePagesOfTheSwiftLibraryNameWhatExists() throws {
    let folder = Program.temporaryFolder()
    let outcome = try Program.shell("Documentation/docc \(folder)/docs 2>&1", timeout: 120)
    #expect(outcome.code == 0, "\(outcome.output)")
    #expect(
      outcome.lines.filter { $0.contains("exist") || $0.contains("resolve") }.isEmpty, "\(outcome.output)")
    for page in ["index", "detectinastream/index", "loadmodels/index", "hotworddetector/index"] {
      #expect(Files.exists("\(folder)/docs/documentation/hotword/\(page).html"), "\(page)")
    }
    _ = try Program.shell("rm -r \(folder)")
  }

  @Test func theManualsExampleInSwiftIsAPackageOfItsOwn() throws {
    let manual = try MarkdownPage("Documentation/c-and-swift-libraries.md")
    let code = try #require(manual.blocks("swift").first).text
    let folder = Program.temporaryFolder()
    try Files.createFolder("\(folder)/Sources/listen")
    try Files.write(Array(code.utf8), to: "\(folder)/Sources/listen/main.swift")
    let package = """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(
        name: "listen", dependencies: [.package(name: "hotword", path: "\(Program.root)")],
        targets: [
          .executableTarget(name: "listen", dependencies: [.product(name: "Hotword", package: "hotword")])
        ])
      """
    try Files.write(Array(package.utf8), to: "\(folder)/Package.swift")
    let scratch = "\(Program.root)/.build/listen"
    let build = try Program.shell(
      "swift build -c release --package-path \(folder) --scratch-path \(scratch) 2>&1", timeout: 900)
    try #require(build.code == 0, "\(build.output)")
    let found = try Program.shell("tail -c +45 \(Program.recording) | \(scratch)/release/listen")
    #expect(places(found).count == 2 && found.output.hasPrefix("computer "), "\(found.output)\(found.errors)")
  }
}
