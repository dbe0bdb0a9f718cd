/// A question to a name server.
public enum DNSQuestion: Hashable, Sendable {
    case naptr(String)
    case srv(String)
    /// Numeric addresses, of every address family.
    case addresses(String)

    public var name: String {
        switch self {
        case .naptr(let name), .srv(let name), .addresses(let name): name
        }
    }
}

/// The answer of a name server.
public enum DNSAnswer: Equatable, Sendable {
    case naptr([NAPTRecord])
    case srv([SRVRecord])
    /// Numeric addresses, in the order in which they are to be tried.
    case addresses([String])
    /// No record of that type exists, or no name server answers.
    case nothing
}

/// Which service a domain offers over which protocol (RFC 3403 §4, RFC 3263 §4.1).
public struct NAPTRecord: Equatable, Sendable {
    public var order: UInt16
    public var preference: UInt16
    /// `s`: the replacement has SRV records.
    public var flags: String
    /// `SIP+D2U`, `SIP+D2T`, `SIPS+D2T`, or another service.
    public var service: String
    public var replacement: String

    public init(order: UInt16, preference: UInt16, flags: String, service: String, replacement: String) {
        (self.order, self.preference, self.flags) = (order, preference, flags)
        (self.service, self.replacement) = (service, replacement)
    }
}

/// A host that provides the service, with its share of the load (RFC 2782).
public struct SRVRecord: Equatable, Sendable {
    public var priority: UInt16
    public var weight: UInt16
    public var port: UInt16
    /// Empty: the domain does not offer this service (RFC 2782).
    public var target: String

    public init(priority: UInt16, weight: UInt16, port: UInt16, target: String) {
        (self.priority, self.weight, self.port, self.target) = (priority, weight, port, target)
    }
}
