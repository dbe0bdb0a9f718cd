import Base
import SIPCore

/// Pauses between attempts to reach the account's server.
extension LineContext {
    /// The longest first pause after a failed attempt to register, in seconds. While another flow lives, it is longer
    /// (RFC 5626 §4.5).
    private static let (firstRetry, firstRetryBesideAnother): (Int64, Int64) = (30, 90)
    /// The pauses double from these, in seconds: just after a change of the network, and for a server that accepts us
    /// and then drops us.
    static let (firstHurriedRetry, firstAfterShortLife): (Int64, Int64) = (1, 2)
    /// The longest pause between two attempts, in seconds (RFC 5626 §4.5).
    private static let longestBackoff: Int64 = 1_800
    /// The longest pause between two attempts to register, in seconds, unless bindings live longer.
    private static let longestRetry: Int64 = 120
    /// The longest pauses between two searches for the server's address, in seconds: the first one and the last one.
    /// They are short, so that a name service that starts after this machine is found soon.
    private static let (firstSearch, longestSearch): (Int64, Int64) = (4, 30)
    /// The range of waiting times that we accept from a server's Retry-After, in seconds.
    private static let retryAfter: ClosedRange<Int64> = 2...longestBackoff
    /// The longest time for which a server over UDP is trusted to remember us, in seconds, whatever it granted.
    private static let longestDatagramExpires: UInt32 = 120

    /// A pause that doubles with each failed attempt. It is random, between half of the longest pause and all of it, so
    /// that two phones do not stay in step (RFC 5626 §4.5).
    /// - Parameters:
    ///   - first: The longest first pause, in seconds.
    ///   - limit: The longest pause of all, in seconds.
    mutating func backoff(from first: Int64, after failures: Int, limit: Int64 = longestBackoff) -> Duration {
        let longest = min(limit, first << min(failures, 12)) * 1_000
        return .milliseconds(Int64.random(in: longest / 2...longest, using: &generator))
    }

    /// The pause before the next REGISTER, after a failed one.
    ///
    /// If the server names a time, the phone waits that long (RFC 3261 §20.33). Otherwise the pauses double, and stay
    /// well below the life of a binding (§10.2.4 leaves them to us). A server may reject us only until its old bindings
    /// expire, for example after a power cut. A wrong password stays wrong, and some servers lock out a phone that
    /// tries it often.
    /// - Parameter isAlone: Whether no other flow to the server lives. While another flow lives, nothing is urgent.
    mutating func retryPause(after failures: Int, _ failure: RegistrationFailure, isAlone: Bool) -> Duration {
        let ofBindings = max(Self.longestRetry, Int64(configuration.account?.expires ?? 0) / 5)
        switch failure {
        case .refused(retryAfter: let seconds?):
            let named = min(max(Int64(seconds), Self.retryAfter.lowerBound), Self.retryAfter.upperBound)
            return .milliseconds(Int64.random(in: named * 1_000...named * 1_100, using: &generator))
        case _ where !isAlone: return backoff(from: Self.firstRetryBesideAnother, after: failures)
        case .unfound: return backoff(from: Self.firstSearch, after: failures, limit: Self.longestSearch)
        case .distrusted: return backoff(from: Self.firstRetry, after: failures)
        case .refused(retryAfter: nil), .silence:
            return backoff(from: Self.firstRetry, after: failures, limit: min(ofBindings, Self.longestBackoff))
        }
    }

    /// The pause before a registration is renewed. It leaves at least a quarter of the time for attempts that get lost.
    /// Its random part keeps two phones that began together from staying in step.
    ///
    /// A connection breaks when its server restarts. Over UDP nothing shows that the server has forgotten us, so the
    /// phone registers again early.
    /// - Parameter granted: How long the server keeps our binding, in seconds.
    mutating func refreshPause(of granted: UInt32, over flow: Flow) -> Duration {
        let part = Double.random(in: 0.65...0.75, using: &generator)
        let longest = flow.transport.isReliable ? Registration.longestExpires : Self.longestDatagramExpires
        return .milliseconds(Int64(max(5, Double(min(granted, longest)) * part) * 1_000))
    }
}

/// Why an attempt to register failed.
package enum RegistrationFailure: Equatable, Sendable {
    /// The server refused it. It may name the seconds until the next attempt.
    case refused(retryAfter: UInt32?)
    /// The server does not accept our proof.
    case distrusted
    /// The server does not answer.
    case silence
    /// The server's address was not found.
    case unfound

    init(_ response: SIPResponse) {
        let named = ((try? response.headers.retryAfter) ?? nil)?.seconds
        let isAboutProof = response.status == .unauthorized || response.status == .proxyAuthenticationRequired
        self = isAboutProof && named == nil ? .distrusted : .refused(retryAfter: named)
    }
}
