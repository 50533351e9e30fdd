import Glibc
import Platform
import TestServers
import Testing

@Suite(.limited) struct ThreadResultTests {
  private struct Failure: Error {}

  @Test func theValueOrTheErrorOfTheOtherThreadIsReturned() throws {
    let caller = pthread_self()
    let value = try ThreadResult { (number: 7, isCaller: pthread_equal(pthread_self(), caller) != 0) }
    let failing = try ThreadResult { throw Failure() }
    let found = try value.wait()
    #expect(found.number == 7)
    #expect(!found.isCaller)
    #expect(throws: Failure.self) { try failing.wait() }
  }
}
