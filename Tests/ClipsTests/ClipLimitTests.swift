import Clips
import TestServers
import Testing

@Suite(.limited) struct ClipLimitTests {
  @Test func countsAndSizesAreRead() {
    #expect(ClipLimit("500") == .clips(500))
    #expect(ClipLimit("200MB") == .megabytes(200))
    #expect(ClipLimit("200mb") == .megabytes(200))
    for text in ["", "0", "-1", "MB", "1.5MB", "2GB", "5 MB", "1000001", "99999999999999999999"] {
      #expect(ClipLimit(text) == nil, "\(text)")
    }
    for limit in [ClipLimit.clips(7), .megabytes(3)] { #expect(ClipLimit("\(limit)") == limit) }
  }

  @Test func theOldestMakeRoomForOneMore() {
    #expect(ClipLimit.clips(3).evictions(from: [1, 1], adding: 1) == 0)
    #expect(ClipLimit.clips(3).evictions(from: [1, 1, 1], adding: 1) == 1)
    #expect(ClipLimit.clips(3).evictions(from: [1, 1, 1, 1, 1], adding: 1) == 3)
    let sizes = [600_000, 300_000, 100_000]
    #expect(ClipLimit.megabytes(1).evictions(from: sizes, adding: 0) == 0)
    #expect(ClipLimit.megabytes(1).evictions(from: sizes, adding: 1) == 1)
    #expect(ClipLimit.megabytes(1).evictions(from: sizes, adding: 700_000) == 2)
    #expect(ClipLimit.megabytes(1).evictions(from: sizes, adding: 5_000_000) == 3)
  }
}
