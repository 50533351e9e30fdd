import Detection
import PCM
import Platform

struct Listened: Equatable {
  var hits: [Hit] = []
  var scores: [[KeywordSpotter.StepScore]] = []
}

func listen(_ models: [HotwordModel], _ sound: [Int16]) throws -> Listened {
  listen(try KeywordSpotter(models.map { ($0, .standard) }), sound)
}

func listen(_ spotter: KeywordSpotter, _ sound: [Int16]) -> Listened {
  var listened = Listened(scores: spotter.keywords.map { _ in [] })
  for start in stride(from: 0, to: sound.count - 159, by: 160) {
    let count = spotter.push(Array(sound[start..<start + 160]))
    for index in 0..<count { listened.hits.append(spotter.hit(index)) }
    for index in spotter.keywords.indices {
      if let score = spotter.score(of: index) { listened.scores[index].append(score) }
    }
  }
  return listened
}

/// White noise whose level wanders.
func noise(seconds: Double, seed: UInt64) -> [Int16] {
  var random = RandomSource(seed: seed)
  var level: Float = 1000
  return (0..<AudioFormat.samples(seconds)).map { index in
    if index % 2_000 == 0 { level = random.uniform(50...8_000) }
    return Int16(random.uniform(-level...level))
  }
}

extension KeywordSpotter {
  func push(_ frame: [Int16]) -> Int { frame.withUnsafeBufferPointer { push($0) } }
}
