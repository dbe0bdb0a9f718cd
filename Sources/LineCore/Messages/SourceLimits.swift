import Base
import SIPCore

/// Limits how many messages a line takes from each source, before a message is parsed.
///
/// An endpoint that the line talks to has a limit that no honest peer reaches. The other ports of its host have another
/// limit. All other sources share a small total, and each of them gets a part of it. Memory is constant, whatever
/// addresses a flood forges: a keyed hash maps each source to a place in a fixed table. Two sources with the same place
/// share one allowance.
public struct SourceLimits: Sendable {
    /// A burst, and after it a steady rate.
    public struct Rate: Equatable, Sendable {
        public let burst: Int
        public let perSecond: Int

        public init(burst: Int, perSecond: Int) {
            precondition(burst > 0 && (1...1_000_000).contains(perSecond), "a rate is positive")
            (self.burst, self.perSecond) = (burst, perSecond)
        }

        fileprivate var interval: Int64 { 1_000_000_000 / Int64(perSecond) }
    }

    /// How well the line knows the source of a message.
    public enum Acquaintance: Comparable, Sendable {
        case stranger
        /// A host that the line knows, but another port.
        case host
        case friend
    }

    public static let friend = Rate(burst: 2_000, perSecond: 1_000)
    public static let host = Rate(burst: 500, perSecond: 250)
    public static let strangers = Rate(burst: 100, perSecond: 50)
    public static let stranger = Rate(burst: 30, perSecond: 10)

    private static let places = 256

    private let key: UInt64
    /// When the allowance of each place is full again.
    private var friends = [Int64](repeating: .min, count: places)
    private var hosts = [Int64](repeating: .min, count: places)
    private var others = [Int64](repeating: .min, count: places)
    private var total = Int64.min

    /// - Parameter key: Random, so that an attacker cannot aim at the place of another source.
    public init(key: UInt64) { self.key = key }

    /// Whether a message from this source is to be read. If so, it is counted. Cost: one hash of the address.
    public mutating func admits(_ source: Flow.Endpoint, _ acquaintance: Acquaintance, at now: Instant) -> Bool {
        let place = place(of: source.address)
        switch acquaintance {
        case .friend: return Self.take(&friends[place], Self.friend, at: now)
        case .host: return Self.take(&hosts[place], Self.host, at: now)
        case .stranger:
            // The source's own limit is checked first, so that one source in excess does not use up the total.
            guard Self.take(&others[place], Self.stranger, at: now) else { return false }
            return Self.take(&total, Self.strangers, at: now)
        }
    }

    /// The allowance is stored as the instant at which it is full again. Each message moves that instant on. It may not
    /// be further ahead than the burst.
    private static func take(_ whole: inout Int64, _ rate: Rate, at now: Instant) -> Bool {
        let next = max(whole, now.nanoseconds) + rate.interval
        guard next - now.nanoseconds <= Int64(rate.burst) * rate.interval else { return false }
        whole = next
        return true
    }

    private func place(of host: IPAddress) -> Int {
        var hash = key
        for word in [host.high >> 32, host.high, host.low >> 32, host.low] {
            hash = (hash ^ word & 0xFFFF_FFFF) &* 0x9E37_79B9_7F4A_7C15 ^ hash >> 29
        }
        return Int(hash >> 32 & UInt64(Self.places - 1))
    }
}

/// Rate limits for what a line accepts and reports from any source.
struct AdmissionLimits: Sendable {
    var newCalls = RateLimit(burst: 10, interval: .milliseconds(500))
    /// Reports of refused calls: from anyone, and from the account's own server, whose callers a person may know.
    var refusals = RateLimit(burst: 10, interval: .seconds(1))
    var ownRefusals = RateLimit(burst: 50, interval: .milliseconds(200))
    /// Digits by INFO.
    var dtmf = RateLimit(burst: 20, interval: .milliseconds(50))
    /// Reports of messages from unknown sources. There are too many such sources to report every message.
    var strangers = RateLimit(burst: 10, interval: .seconds(30))
    /// Reports of dropped messages from known sources.
    var dropped = RateLimit(burst: 5, interval: .seconds(30))
    /// Reports that somebody offered less security than the account's server has shown.
    var breaches = RateLimit(burst: 3, interval: .seconds(60))
    /// Answers to STUN. Each of them is at most two and a half times as long as its request.
    var stun = RateLimit(burst: 20, interval: .milliseconds(50))
}
