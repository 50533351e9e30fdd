import Detection
import Glibc
import Platform
import TestServers
import Testing
import Training

@Suite(.limited(minutes: 15)) struct FitTests {
  private let shape = try! NetworkShape(inputs: 8, channels: 16, kernel: 5, dilations: [1, 2, 4])

  @Test func aSyntheticKeywordIsLearned() {
    var settings = FitSettings(steps: 300, seed: 1)
    settings.warmUpSteps = 20
    settings.averaging = 0.97
    settings.peakLearningRate = 0.01
    var last: FitProgress?
    let result = Fit.run(
      shape: shape, source: SyntheticSource(seed: 2), settings: settings
    ) {
      last = $0
      return true
    }
    #expect(result.steps == 300)
    #expect(last?.step == 300 && last!.positiveLoss < 0.2 && last!.negativeLoss < 0.2)
    let right = accuracy(result.weights, on: SyntheticSource(seed: 77).batch(5))
    #expect(right > 0.95)
  }

  @Test func aNetworkLearnsTheOutputOfOthers() {
    var settings = FitSettings(steps: 150, seed: 1)
    settings.warmUpSteps = 20
    settings.peakLearningRate = 0.01
    let source = SyntheticSource(seed: 2)
    let teachers = ([1, 2] as [UInt64]).map { seed in
      settings.seed = seed
      return Fit.run(shape: shape, source: source, settings: settings).weights
    }
    settings.steps = 300
    settings.averaging = 0.97
    let wide = try! NetworkShape(inputs: 8, channels: 24, kernel: 5, dilations: [1, 2, 4])
    let student = Fit.run(
      shape: wide, source: DistillationWindows(source, teachers: teachers), settings: settings
    ).weights
    let unseen = DistillationWindows(SyntheticSource(seed: 77), teachers: teachers).batch(5)
    let size = unseen.features.count / unseen.count
    var difference: Float = 0
    var spread: Float = 0
    for (window, target) in unseen.targets.enumerated() {
      guard case .outputs(let wanted) = target else { continue }
      let logits = NetworkScorer.logits(
        student, features: Array(unseen.features[window * size..<(window + 1) * size]))
      for (one, other) in zip(logits, wanted) {
        let error = max(one, -9) - max(other, -9)
        difference += error * error
        spread += (max(other, -9) + 9) * (max(other, -9) + 9)
      }
    }
    #expect(spread > 0)
    #expect(difference < 0.1 * spread, "\(difference) of \(spread)")
  }

  @Test func aSeedProducesTheSameBitsForAnyNumberOfThreads() {
    let settings = FitSettings(steps: 12, seed: 3)
    let results = [1, 2, 3].map {
      Fit.run(shape: shape, source: SyntheticSource(seed: 4), settings: settings, threads: $0)
    }
    #expect(results[0] == results[1] && results[0] == results[2])
    var other = settings
    other.seed = 4
    let different = Fit.run(shape: shape, source: SyntheticSource(seed: 4), settings: other)
    #expect(different.weights != results[0].weights)
  }

  @Test func anInterruptedFitContinuesWithTheSameResult() throws {
    let settings = FitSettings(steps: 30, seed: 3)
    let source = SyntheticSource(seed: 4)
    let whole = Fit.run(shape: shape, source: source, settings: settings)
    var saved: FitState?
    _ = Fit.run(shape: shape, continuing: nil, source: source, settings: settings) { now, state in
      if now.step == 11 { saved = state }
      return now.step < 14
    }
    let folder = String(
      cString: mkdtemp(strdup("/tmp/hotword-checkpoint-XXXXXX")))
    defer { _ = try? Subprocess(["rm", "-r", folder]).run(timeout: 5) }
    let path = "\(folder)/\(EncoderCheckpoint.file)"
    let checkpoint = EncoderCheckpoint(teacher: whole.network, fit: saved)
    try checkpoint.write(to: path, settings: ["seed": 3])
    let read = try EncoderCheckpoint(reading: path, shape: shape, settings: ["seed": 3])
    #expect(read == checkpoint)
    let rest = Fit.run(shape: shape, continuing: read.fit, source: source, settings: settings) { _, _ in true
    }
    #expect(rest == whole)
    #expect(throws: TrainingFault.self) {
      try EncoderCheckpoint(reading: path, shape: shape, settings: ["seed": 4])
    }
    try Files.write(Array(try Files.read(path).prefix(200)), to: path)
    #expect(throws: TrainingFault.self) {
      try EncoderCheckpoint(reading: path, shape: shape, settings: ["seed": 3])
    }
  }

  @Test func aFitStopsOnRequest() {
    let result = Fit.run(
      shape: shape, source: SyntheticSource(seed: 5), settings: FitSettings(steps: 1000)
    ) { $0.step < 3 }
    #expect(result.steps == 3)
  }

  @Test func aFitContinuesFromANetworkOrFromWeights() {
    var settings = FitSettings(steps: 150, seed: 6)
    settings.averaging = 0.9
    settings.peakLearningRate = 0.01
    let first = Fit.run(shape: shape, source: SyntheticSource(seed: 7), settings: settings)
    var still = FitSettings(steps: 2)
    still.peakLearningRate = 0
    let batch = SyntheticSource(seed: 8).batch(0)
    let before = accuracy(first.weights, on: batch)
    for start in [first.network, TrainableNetwork(first.weights)] {
      let second = Fit.run(
        shape: shape, from: start, source: SyntheticSource(seed: 9), settings: still)
      #expect(abs(accuracy(second.weights, on: batch) - before) < 0.1)
    }
  }

  @Test func theRateRisesThenFalls() {
    var settings = FitSettings(steps: 1000)
    settings.warmUpSteps = 100
    let rates = (0..<1000).map { Optimizer.rate(step: $0, settings: settings) }
    #expect(abs(rates[99] - settings.peakLearningRate) < 1e-9)
    #expect(rates[0] < rates[50] && rates[50] < rates[99] && rates[100] > rates[999])
    #expect(abs(rates[999] - settings.peakLearningRate * settings.finalLearningRate) < 1e-7)
  }

  /// Returns the share of windows whose highest logit is on the correct side of zero.
  private func accuracy(_ weights: NetworkWeights, on batch: Batch) -> Double {
    let size = batch.frames * shape.inputs
    var right = 0
    for window in 0..<batch.count {
      let features = Array(batch.features[window * size..<(window + 1) * size])
      let highest = NetworkScorer.logits(weights, features: features).max()!
      if (highest > 0) == (batch.targets[window] != .background) { right += 1 }
    }
    return Double(right) / Double(batch.count)
  }
}

/// Noise with two tones in sequence: the keyword in one order, a negative in the other.
private struct SyntheticSource: BatchSource {
  let seed: UInt64

  func batch(_ index: Int) -> Batch {
    var random = RandomSource(seed: seed).stream(index)
    let count = 32
    let frames = 120
    var features = (0..<count * frames * 8).map { _ in random.uniform(-1...1) }
    var targets: [Target] = []
    for window in 0..<count {
      let isKeyword = window % 2 == 0
      let start = 10 + Int(random.uniform(0...60))
      for frame in start..<start + 24 {
        let coefficient = (frame < start + 12) == isKeyword ? 2 : 5
        features[(window * frames + frame) * 8 + coefficient] += 1.5
      }
      targets.append(
        isKeyword ? .keyword(startStep: start / 2, endStep: (start + 24) / 2) : .background)
    }
    return Batch(
      count: count, frames: frames, features: features, targets: targets,
      weights: [Float](repeating: 1, count: count))
  }
}
