import Base

/// Decides which messages of the broker reach the phone, and counts the others by their reason.
public struct CallerInfoIntake: Equatable, Sendable {
    /// Why a message was dropped.
    public enum Drop: String, CaseIterable, Sendable {
        case invalid
        /// The message is longer than `longestMessage`.
        case tooLong
        /// The backend sent it too long ago.
        case stale
        /// By this machine's clock the backend has not sent it yet.
        case future
        /// It belongs to a topic that the phone has not subscribed to.
        case otherTopic
        /// Too many messages came at once.
        case flood
    }

    public enum Verdict: Equatable, Sendable {
        case take(CallerInfoMessage)
        /// - Parameter why: For a person.
        case drop(Drop, why: String)
    }

    /// The most bytes of a message.
    public static let longestMessage = 65_536
    /// A message that is older describes a call that rings no more.
    public static let longestAge = Duration.seconds(30)
    /// How far a backend's clock may be ahead of this machine's.
    public static let clockTolerance = Duration.seconds(60)
    /// How many messages may come at once, and how often one more may come. No backend has that many calls for one
    /// phone.
    public static let (burst, interval) = (40, Duration.milliseconds(50))

    public private(set) var taken = 0
    public private(set) var dropped: [Drop: Int] = [:]
    private let topic: String
    private var rate = RateLimit(burst: Self.burst, interval: Self.interval)

    /// - Parameter topic: The topic of this phone's messages.
    public init(topic: String) { self.topic = topic }

    /// Judges a message and counts it.
    /// - Parameters:
    ///   - length: The length of the whole payload, of which `payload` may be the beginning.
    ///   - time: This machine's time of day, in nanoseconds since 1970.
    ///   - now: The monotonic clock.
    public mutating func judge(
        _ payload: [UInt8], length: Int, topic: String, time: Int64, at now: Instant
    ) -> Verdict {
        let verdict = verdict(payload, length: length, topic: topic, time: time, at: now)
        switch verdict {
        case .take: taken += 1
        case .drop(let reason, _): dropped[reason, default: 0] += 1
        }
        return verdict
    }

    private mutating func verdict(
        _ payload: [UInt8], length: Int, topic: String, time: Int64, at now: Instant
    ) -> Verdict {
        guard topic == self.topic else { return .drop(.otherTopic, why: "it has another topic") }
        guard length <= Self.longestMessage else {
            return .drop(.tooLong, why: "it has \(length) bytes; \(Self.longestMessage) are the limit")
        }
        let message: CallerInfoMessage
        do throws(CallerInfoMessage.Invalid) {
            message = try CallerInfoMessage(parsing: payload)
        } catch {
            return .drop(.invalid, why: error.description)
        }
        let (age, overflow) = time.subtractingReportingOverflow(message.sent)
        guard !overflow, Duration.nanoseconds(age) <= Self.longestAge else {
            return .drop(.stale, why: "it is \(age / 1_000_000_000) s old")
        }
        guard Duration.nanoseconds(age) >= .zero - Self.clockTolerance else {
            return .drop(
                .future, why: "its timestamp is \(-age / 1_000_000_000) s ahead of this machine's clock; compare both")
        }
        // The limit protects the phone, so messages that never reach it do not use it up.
        guard rate.admit(at: now) else { return .drop(.flood, why: "more than \(Self.burst) messages came at once") }
        return .take(message)
    }
}
