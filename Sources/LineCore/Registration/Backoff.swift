import Base
import SIPCore

/// Pauses between attempts to reach the account's server.
extension LineContext {
    /// The longest pause between two attempts, in seconds (RFC 5626 §4.5).
    private static let longestBackoff: Int64 = 1_800
    /// The longest pause between two attempts to register, in seconds, unless bindings live longer.
    private static let longestRetry: Int64 = 120
    /// The longest pauses between two searches for the server's address, in seconds: the first one and the last one. A
    /// name service that comes up after this machine is not waited for much longer than it takes to ask it.
    private static let (firstSearch, longestSearch): (Int64, Int64) = (4, 30)
    /// What a server can make us wait by Retry-After, in seconds.
    private static let retryAfter: ClosedRange<Int64> = 2...longestBackoff
    /// After how long a server that is reached by UDP is taken to have forgotten us, in seconds, whatever it granted.
    private static let longestDatagramExpires: UInt32 = 120

    /// A pause that doubles with each failed attempt. It is random, between half of the longest pause and all of it, so
    /// that two phones do not keep in step (RFC 5626 §4.5).
    /// - Parameters:
    ///   - first: The longest first pause, in seconds.
    ///   - limit: The longest pause of all, in seconds.
    mutating func backoff(from first: Int64, after failures: Int, limit: Int64 = longestBackoff) -> Duration {
        let longest = min(limit, first << min(failures, 12)) * 1_000
        return .milliseconds(Int64.random(in: longest / 2...longest, using: &generator))
    }

    /// The pause before the next REGISTER, after one that failed.
    ///
    /// A server that names a time is asked then (RFC 3261 §20.33). Otherwise the pauses double, and stay well below the
    /// life of a binding (§10.2.4 leaves them to us). What keeps the server from accepting us may end with the bindings that
    /// it holds, as after a power cut. A wrong password does not get right by waiting, and some servers lock out a phone
    /// that tries it often.
    /// - Parameter isAlone: Whether no other flow to the server lives. While one does, nothing is urgent.
    mutating func retryPause(after failures: Int, _ failure: RegistrationFailure, isAlone: Bool) -> Duration {
        let ofBindings = max(Self.longestRetry, Int64(configuration.account?.expires ?? 0) / 5)
        switch failure {
        case .refused(retryAfter: let seconds?):
            let named = min(max(Int64(seconds), Self.retryAfter.lowerBound), Self.retryAfter.upperBound)
            return .milliseconds(Int64.random(in: named * 1_000...named * 1_100, using: &generator))
        case _ where !isAlone: return backoff(from: 90, after: failures)
        case .unfound: return backoff(from: Self.firstSearch, after: failures, limit: Self.longestSearch)
        case .distrusted: return backoff(from: 30, after: failures)
        case .refused(retryAfter: nil), .silence:
            return backoff(from: 30, after: failures, limit: min(ofBindings, Self.longestBackoff))
        }
    }

    /// The pause before a registration is renewed. At least a quarter of the time is left for attempts that get lost. The
    /// random part keeps two phones that began together from staying in step.
    ///
    /// A connection breaks when its server restarts. Over UDP nothing tells that the server has forgotten us, so the
    /// phone asks again before a person waits for calls for long.
    /// - Parameter granted: For how long the server keeps our binding, in seconds.
    mutating func refreshPause(of granted: UInt32, over flow: Flow) -> Duration {
        let part = Double.random(in: 0.65...0.75, using: &generator)
        let longest = flow.transport.isReliable ? Registration.longestExpires : Self.longestDatagramExpires
        return .milliseconds(Int64(max(5, Double(min(granted, longest)) * part) * 1_000))
    }
}

/// Why an attempt to register failed.
package enum RegistrationFailure: Equatable, Sendable {
    /// The server refused it. It may say after how many seconds to come back.
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
