/// The state of a subscription (RFC 6665 §4.1.3, §8.2.3): `active;expires=600`, `terminated;reason=noresource`.
public struct SubscriptionState: SIPHeaderValue {
    public enum Phase: Hashable, Sendable {
        case active
        case pending
        case terminated
        /// An unknown state. The subscription exists (RFC 6665 §4.1.3).
        case other(String)
    }

    /// Why the subscription ended, and so whether to try again.
    public enum Reason: String, Hashable, Sendable {
        /// Subscribe again at once.
        case deactivated
        /// Subscribe again after `retryAfter`.
        case probation
        /// Do not subscribe again.
        case rejected
        /// Subscribe again at once, if it is still wanted.
        case timeout
        /// Subscribe again after `retryAfter`.
        case giveup
        /// Do not subscribe again: the resource no longer exists.
        case noresource
        /// Do not subscribe again: the state will not change any more.
        case invariant
    }

    public var phase: Phase
    public var parameters = SIPParameters()

    public init(_ phase: Phase, expires: UInt32? = nil, reason: Reason? = nil) {
        self.phase = phase
        if let expires { parameters["expires"] = "\(expires)" }
        if let reason { parameters["reason"] = reason.rawValue }
    }

    public init(from scanner: inout SIPScanner) throws(SIPParseError) {
        let word = try scanner.token()
        phase =
            switch word.asciiLowercased {
            case "active": .active
            case "pending": .pending
            case "terminated": .terminated
            default: .other(word)
            }
        parameters = try scanner.headerParameters()
    }

    /// Nil also for an unknown reason, which only says that the subscription ended.
    public var reason: Reason? { parameters["reason"].flatMap { Reason(rawValue: $0.asciiLowercased) } }
    /// In seconds.
    public var expires: UInt32? { parameters.seconds("expires") }
    /// In seconds.
    public var retryAfter: UInt32? { parameters.seconds("retry-after") }

    public var text: String {
        let word =
            switch phase {
            case .active: "active"
            case .pending: "pending"
            case .terminated: "terminated"
            case .other(let word): word
            }
        return word + parameters.text(separator: ";")
    }
}

extension SIPParameters {
    /// A time in seconds, limited to the maximum as every other one; nil when it is absent or not a number.
    func seconds(_ name: String) -> UInt32? {
        guard let text = self[name] else { return nil }
        do throws(SIPParseError) { return try SIPNumber(text).value } catch { return nil }
    }
}

extension SIPHeaders {
    public var subscriptionState: SubscriptionState? {
        get throws(SIPParseError) { try single(.subscriptionState) }
    }
}
