import Base

/// An address for packets: a numeric host and a port.
public struct MediaAddress: Hashable, Codable, Sendable {
    public var host: String
    public var port: UInt16

    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }
}

/// The identifiers of this phone's packets in a call (RFC 3550 §3).
public struct MediaSource: Hashable, Codable, Sendable {
    public let ssrc: UInt32
    /// The CNAME.
    public let canonicalName: String

    public init(ssrc: UInt32, canonicalName: String) {
        self.ssrc = ssrc
        self.canonicalName = canonicalName
    }
}

/// Where this phone receives a call's packets. Control packets (RTCP) arrive at `port` too if they are multiplexed,
/// else at `port + 1`.
public struct MediaEndpoint: Hashable, Codable, Sendable {
    public let port: UInt16
    /// The candidates of this phone. Nil: it does no ICE in this call.
    public let ice: LocalICE?
    /// SHA-256 of the certificate that only this call shows in handshakes. Nil: it shows the phone's certificate.
    public let fingerprint: [UInt8]?
    /// Nil: the call's description does not say.
    public let source: MediaSource?

    public init(port: UInt16, ice: LocalICE? = nil, fingerprint: [UInt8]? = nil, source: MediaSource? = nil) {
        self.port = port
        self.ice = ice
        self.fingerprint = fingerprint
        self.source = source
    }
}

/// One end's ICE credentials and candidates (RFC 8839). The phone only passes them on.
public struct ICEDescription: Hashable, Codable, Sendable {
    public var userFragment: String
    public var password: SecretBytes
    /// The candidates in the syntax of RFC 8839 §5.1. The far end's are unchecked text.
    public var candidates: [String]
    /// Whether the end only answers checks (RFC 8445 §2.5).
    public var isLite: Bool

    public init(userFragment: String, password: SecretBytes, candidates: [String], isLite: Bool = false) {
        self.userFragment = userFragment
        self.password = password
        self.candidates = candidates
        self.isLite = isLite
    }

    /// Whether both are of the same ICE session: other credentials start another one (RFC 8445 §9).
    public func hasCredentials(of other: ICEDescription) -> Bool {
        userFragment == other.userFragment && password == other.password
    }
}

/// The candidates of this phone for one call.
public struct LocalICE: Hashable, Codable, Sendable {
    public var description: ICEDescription
    /// Whether an offer contains them, or only an answer to a far end that offers ICE.
    public var isOffered: Bool
    /// The only address that the far end may learn: that of a server, which hides our addresses. Nil: any.
    public var onlyAddress: MediaAddress?
    /// Whether more candidates may follow one by one (RFC 8838). Nil: these are all.
    public var isIncomplete: Bool?

    public init(
        _ description: ICEDescription, isOffered: Bool, onlyAddress: MediaAddress? = nil, isIncomplete: Bool? = nil
    ) {
        self.description = description
        self.isOffered = isOffered
        self.onlyAddress = onlyAddress
        self.isIncomplete = isIncomplete
    }
}
