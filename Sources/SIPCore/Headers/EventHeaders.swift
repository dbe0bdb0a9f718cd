/// The subject of a subscription or of its notification (RFC 6665 §8.2.1): `dialog;id=2`.
public struct SIPEvent: SIPHeaderValue {
    /// The package with its templates, as in `presence.winfo`; compared with case (RFC 6665 §8.2.1).
    public var package: String
    public var parameters = SIPParameters()

    public init(_ package: String, id: String?) {
        self.package = package
        self.id = id
    }

    public init(from scanner: inout SIPScanner) throws(SIPParseError) {
        package = try scanner.token()
        parameters = try scanner.headerParameters()
    }

    /// Distinguishes subscriptions of one dialog. After a REFER it is the CSeq number of the REFER (RFC 3515 §2.4.6).
    public var id: String? {
        get { parameters["id"] }
        set { parameters["id"] = newValue }
    }

    /// Whether both name the same subscription within a dialog (RFC 6665 §4.5.2).
    public func isSame(as other: SIPEvent) -> Bool { package == other.package && id == other.id }

    public var text: String { package + parameters.text(separator: ";") }
}

extension SIPHeaders {
    public var event: SIPEvent? { get throws(SIPParseError) { try single(.event) } }
    public var allowEvents: [String] { get throws(SIPParseError) { try tokens(.allowEvents) } }
}

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
