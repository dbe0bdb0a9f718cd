import Base
import HTTPClient
import Testing

@Suite("Repeated requests, in simulated time") struct RetryTests {
    private static let refused = Result<HTTPResponse, HTTPFailure>.failure(.network("refused"))

    private static func busy(_ status: Int, retryAfter: Duration? = nil) -> Result<HTTPResponse, HTTPFailure> {
        .success(HTTPResponse(status: status, retryAfter: retryAfter))
    }

    /// The pauses until it gives up, when every attempt fails at once.
    private static func pauses(
        _ result: Result<HTTPResponse, HTTPFailure>, within limit: Duration, random: Double,
        isRepeatable: Bool = true
    ) -> [Duration] {
        var (now, pauses) = (Instant.zero, [Duration]())
        var retry = Retry(deadline: now + limit, isRepeatable: isRepeatable)
        while let next = retry.next(after: result, at: now, random: random) {
            pauses.append(next - now)
            now = next
        }
        return pauses
    }

    @Test func pausesGrowAndAreFew() {
        #expect(
            Self.pauses(Self.refused, within: .seconds(60), random: 0)
                == [.milliseconds(125), .milliseconds(250), .milliseconds(500)])
        #expect(
            Self.pauses(Self.refused, within: .seconds(60), random: 1)
                == [.milliseconds(250), .milliseconds(500), .milliseconds(1_000)])
        #expect(Retry.mostAttempts == 4)
    }

    @Test func attemptDoesNotBeginAfterTheDeadline() {
        #expect(
            Self.pauses(Self.refused, within: .milliseconds(400), random: 0) == [
                .milliseconds(125), .milliseconds(250),
            ])
        #expect(Self.pauses(Self.refused, within: .milliseconds(125), random: 0) == [])
    }

    @Test(arguments: [408, 429, 502, 503, 504]) func passingStatusIsRepeated(_ status: Int) {
        #expect(Self.pauses(Self.busy(status), within: .seconds(60), random: 0).count == 3)
    }

    @Test(arguments: [200, 204, 304, 400, 401, 403, 404, 409, 500, 501]) func finalStatusIsNotRepeated(_ status: Int) {
        #expect(Self.pauses(Self.busy(status), within: .seconds(60), random: 0) == [])
    }

    @Test(arguments: [
        HTTPFailure.tls("x"), .tooLarge, .redirect("x"), .malformed("x"), .cancelled, .unavailable("x"), .overloaded,
    ])
    func finalFailureIsNotRepeated(_ failure: HTTPFailure) {
        #expect(Self.pauses(.failure(failure), within: .seconds(60), random: 0) == [])
    }

    @Test func requestWithAnEffectIsNotRepeated() {
        #expect(Self.pauses(Self.refused, within: .seconds(60), random: 0, isRepeatable: false) == [])
    }

    @Test func serverGetsTheTimeThatItAsksFor() {
        let pauses = Self.pauses(Self.busy(503, retryAfter: .seconds(10)), within: .seconds(60), random: 0.5)
        #expect(pauses.count == 3 && pauses.allSatisfy { $0 >= .seconds(10) && $0 < .seconds(11) })
        // No time is left for it: the answer is final, and nobody waits in vain.
        #expect(Self.pauses(Self.busy(503, retryAfter: .seconds(10)), within: .seconds(5), random: 0) == [])
    }
}
