import Base

/// Decides when the phone connects to its broker again, and with which version of MQTT.
public struct BrokerRetry: Equatable, Sendable {
    /// The raw values are those of the protocol's own version field.
    public enum Version: Int32, Sendable {
        case v311 = 4
        case v5 = 5
    }

    /// How an attempt or a connection ended.
    public enum Failure: Equatable, Sendable {
        /// The broker does not know the version.
        case version
        /// The broker closed the connection instead of answering CONNECT. Some old brokers do so for a version that they
        /// do not know.
        case silence
        /// The broker does not accept the phone's login or topic.
        case refused
        case other
    }

    public static let shortestPause = Duration.seconds(1)
    public static let longestPause = Duration.seconds(60)

    public private(set) var version = Version.v5
    /// Failures since the last connection that lasted.
    public private(set) var failures = 0
    private var connected: Instant?

    public init() {}

    public mutating func connected(at now: Instant) { connected = now }

    /// The network changed, so the next pause is short again.
    public mutating func forgetFailures() { failures = 0 }

    /// A connection that was shorter than `longestPause` counts as a failure, because a broker may accept every phone
    /// and disconnect it.
    /// - Parameter random: Any number. It spreads the phones of a fleet whose broker restarted.
    /// - Returns: The pause until the next attempt: doubled for each failure, of which the second half is random.
    public mutating func failed(_ failure: Failure, at now: Instant, random: UInt64) -> Duration {
        if let connected, now - connected >= Self.longestPause { failures = 0 }
        connected = nil
        switch failure {
        case .version where version == .v5:
            version = .v311
            // The broker is there and has answered. A second refusal counts as a failure.
            return .zero
        case .version, .silence: version = version == .v5 ? .v311 : .v5
        case .refused, .other: break
        }
        let pause = min(Self.longestPause, Self.shortestPause * (1 << min(failures, 6)))
        failures += 1
        let half = pause.nanoseconds / 2
        return .nanoseconds(half + Int64(random % UInt64(half + 1)))
    }
}
