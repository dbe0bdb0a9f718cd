import Base

/// One end's ICE credentials and candidates (RFC 8839). PhoneCore only passes them on.
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

extension NegotiatedMedia {
    /// Both ends' candidates. ICE finds a pair that works (RFC 8445). Other credentials than before start another
    /// session.
    public struct ICESession: Hashable, Codable, Sendable {
        public var local: ICEDescription
        public var remote: ICEDescription
        /// Whether this phone chooses the path.
        public var isControlling: Bool
        /// Whether voice and RTCP share the port that was bound for RTCP. Nil: no, they use the voice port.
        public var usesControlPort: Bool?

        public init(
            local: ICEDescription, remote: ICEDescription, isControlling: Bool, usesControlPort: Bool? = nil
        ) {
            self.local = local
            self.remote = remote
            self.isControlling = isControlling
            self.usesControlPort = usesControlPort
        }
    }
}
