import Base

/// Decides whether a failed request is sent once more, and when: back-off with jitter, until the request's deadline.
package struct Retry: Equatable, Sendable {
    package static let mostAttempts = 4
    private static let firstPause = Duration.milliseconds(250)
    private static let longestPause = Duration.seconds(5)

    /// Statuses that may not return a moment later: overloaded, unavailable, or a gateway's view of a restart
    /// (RFC 9110 §15.5.9, §15.6; RFC 6585 §4).
    private static let passing: Set = [408, 429, 502, 503, 504]

    private let deadline: Instant
    private let isRepeatable: Bool
    private var attempts = 1

    package init(deadline: Instant, isRepeatable: Bool) {
        (self.deadline, self.isRepeatable) = (deadline, isRepeatable)
    }

    /// Counts a failed attempt.
    /// - Parameter random: Any number from 0 up to 1, for the jitter: so phones that failed together do not return
    ///   together.
    /// - Returns: When to send the request again; nil: the result is final.
    package mutating func next(
        after result: Result<HTTPResponse, HTTPFailure>, at now: Instant, random: Double
    ) -> Instant? {
        guard isRepeatable, attempts < Self.mostAttempts, let wish = Self.wish(result) else { return nil }
        let pause = min(Self.firstPause * (1 << (attempts - 1)), Self.longestPause)
        let jitter = pause / 2 * random
        // A server that names a time gets at least that.
        let next = now + (wish > pause ? wish + jitter : pause / 2 + jitter)
        guard next < deadline else { return nil }
        attempts += 1
        return next
    }

    /// How long the server wants to be left alone; nil: another attempt would not help.
    private static func wish(_ result: Result<HTTPResponse, HTTPFailure>) -> Duration? {
        switch result {
        case .success(let response): passing.contains(response.status) ? response.retryAfter ?? .zero : nil
        // A timeout before the deadline is that of the connection.
        case .failure(.network), .failure(.resolve), .failure(.timeout): .zero
        case .failure: nil
        }
    }
}
