/// Whether an account's server knows the address of this phone (RFC 3261 §10).
public enum RegistrationState: Equatable, Codable, Sendable {
    /// The account is configured not to register: calls work, but our address is registered nowhere.
    case notNeeded
    case registering
    case registered
    /// The phone is not reachable through this line, which keeps trying to register. The text is for people.
    case failed(String)
    /// Somebody has unregistered the line. It does not register before somebody requests it.
    case disconnected

    /// All values of `code`.
    public static let codes = ["notNeeded", "registering", "registered", "failed", "disconnected"]

    /// The stable code for programs.
    public var code: String {
        switch self {
        case .notNeeded: "notNeeded"
        case .registering: "registering"
        case .registered: "registered"
        case .failed: "failed"
        case .disconnected: "disconnected"
        }
    }

    /// Whether calls can be made and answered.
    public var isReady: Bool {
        switch self {
        case .notNeeded, .registered: true
        case .registering, .failed, .disconnected: false
        }
    }
}

/// The state of a watched number's phones (RFC 4235).
public enum WatchedState: String, CaseIterable, Codable, Sendable {
    /// The server does not report the state, or has stopped reporting it.
    case unknown
    case idle, ringing, busy
    /// There is a call, and it is on hold.
    case held

    /// One call at a watched number.
    public enum Call: Equatable, Sendable {
        /// It rings at the number.
        case ringing
        case busy, held
    }

    /// The state of a number with these calls. A ringing call wins over one that is up, and an active call over a held
    /// one.
    public init(_ calls: some Collection<Call>) {
        self =
            calls.contains(.ringing) ? .ringing : calls.contains(.busy) ? .busy : calls.isEmpty ? .idle : .held
    }
}

/// The security that a line has learned about its account's server. From then on the line gives no weaker proof and
/// uses no weaker transport, also in later runs of the program.
///
/// Otherwise an attacker on the path could wait for a restart of the program, or cause one, and then request less.
public struct LineTrust: Equatable, Sendable {
    /// How the account proves its password.
    public struct Proof: Equatable, Sendable {
        public enum Hash: String, CaseIterable, Sendable { case md5, sha2 }

        public var hash: Hash
        /// Whether our client nonce is part of the proof (`qop`, RFC 7616 §3.4).
        public var hasClientNonce: Bool

        public init(_ hash: Hash, hasClientNonce: Bool) { (self.hash, self.hasClientNonce) = (hash, hasClientNonce) }

        /// The proof as a text for people.
        public var words: String {
            let name =
                switch hash {
                case .md5: "MD5"
                case .sha2: "SHA-2"
                }
            return name + (hasClientNonce ? " with a client nonce" : " without a client nonce")
        }
    }

    /// The strongest proof that the server has accepted. It holds for every realm, because a server can name any realm.
    /// Nil: the server has accepted none.
    public var proof: Proof?
    /// The realm in which the last process gave its proof, for people.
    public var realm: String?
    /// Whether the server was reached over TLS, after DNS had chosen the transport.
    public var isOverTLS: Bool

    public init(proof: Proof? = nil, realm: String? = nil, isOverTLS: Bool = false) {
        (self.proof, self.realm, self.isOverTLS) = (proof, realm, isOverTLS)
    }

    public var isEmpty: Bool { self == LineTrust() }

    /// The resulting rules for the line, for people.
    public var words: String {
        let place = realm.map { ", in the realm \"\($0)\"" } ?? ""
        let deeds = [
            proof.map { "gives no weaker proof of the password than \($0.words)\(place)" },
            isOverTLS ? "reaches the server over TLS only" : nil,
        ].compactMap(\.self)
        return deeds.isEmpty ? "has learned nothing yet" : deeds.joined(separator: "; ")
    }
}
