import Base

/// The client's side of long-term credentials (RFC 8489 §9.2): proves our identity, and verifies a server's answers.
///
/// The proof never becomes weaker. After SHA-256, the server gets no MD5. If the nonce announces algorithms, the server
/// must list them, or somebody in between has removed them (§9.2.1).
package struct LongTermAuthentication: Sendable {
    package enum Verdict: Equatable, Sendable {
        /// The request is to be sent again, with another transaction ID.
        case retry
        /// The server rejects these credentials, or the challenge is invalid or untrustworthy.
        case refused
    }

    enum Algorithm: UInt16, Comparable, Sendable {
        case md5 = 1
        case sha256

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    private struct Session: Sendable {
        let realm: String
        var nonce: [UInt8]
        let features: SecurityFeatures
        /// The algorithms as the server wrote them. Nil: it supports only MD5.
        let algorithms: [UInt8]?
        let algorithm: Algorithm
        let key: STUNKey
    }

    /// RFC 8489 §14.9, §14.10: fewer than 128 characters, which are at most 763 bytes.
    private static let longest = 763

    private let credentials: LongTermCredentials
    private let hashes: STUNHashes
    private var session: Session?

    package init(_ credentials: LongTermCredentials, _ hashes: STUNHashes) {
        (self.credentials, self.hashes) = (credentials, hashes)
    }

    /// Whether requests carry credentials already.
    package var isEstablished: Bool { session != nil }

    private var integrity: MessageIntegrity { session?.algorithms == nil ? .sha1 : .sha256 }

    /// The request on the wire: bare until the server has asked for credentials.
    package func bytes(of request: STUNMessage) -> [UInt8] {
        guard let session else { return request.bytes }
        var request = request
        if session.features.hasUsernameAnonymity {
            let name = hashes.sha256(Array((credentials.user + ":" + session.realm).utf8))
            request.attributes.append(.init(AttributeType.userHash, name))
        } else {
            request.attributes.append(.init(AttributeType.username, credentials.user))
        }
        request.attributes.append(.init(AttributeType.realm, session.realm))
        request.attributes.append(.init(AttributeType.nonce, session.nonce))
        if let algorithms = session.algorithms {
            var chosen: [UInt8] = []
            chosen.append(bigEndian: session.algorithm.rawValue)
            request.attributes.append(.init(AttributeType.passwordAlgorithms, algorithms))
            request.attributes.append(.init(AttributeType.passwordAlgorithm, chosen + [0, 0]))
        }
        return request.bytes(provenBy: session.key, hashes, integrity: integrity)
    }

    /// The server's answer, without attributes that its integrity does not cover. Nil if it is not proven to be the
    /// server's.
    package func proven(_ answer: STUNMessage, _ bytes: [UInt8]) -> STUNMessage? {
        guard let session else { return nil }
        return answer.proven(by: session.key, in: bytes, hashes, integrity: integrity)
    }

    /// The server answered 401 or 438, which needs no proof of integrity (RFC 8489 §9.2.4).
    package mutating func challenged(_ challenge: STUNMessage) -> Verdict {
        guard let code = challenge.errorCode, code == 401 || code == 438,
            let nonce = challenge.value(AttributeType.nonce), !nonce.isEmpty, nonce.count <= Self.longest,
            let realm = challenge.text(AttributeType.realm) ?? (code == 438 ? session?.realm : nil),
            !realm.isEmpty, realm.utf8.count <= Self.longest
        else { return .refused }
        // A 401 to a request with credentials rejects them (RFC 8489 §9.2.5).
        guard (code == 401) == (session == nil), realm == session?.realm ?? realm else { return .refused }
        let features = SecurityFeatures(nonce: nonce)
        if let session {
            guard features.isSuperset(of: session.features) else { return .refused }
            self.session?.nonce = nonce
            return .retry
        }
        let offered = features.hasPasswordAlgorithms ? challenge.value(AttributeType.passwordAlgorithms) : nil
        guard offered != nil || !features.hasPasswordAlgorithms else { return .refused }
        guard let algorithm = offered.map(Self.strongest) ?? .md5 else { return .refused }
        session = Session(
            realm: realm, nonce: nonce, features: features, algorithms: offered, algorithm: algorithm,
            key: key(realm: realm, algorithm))
        return .retry
    }

    /// The strongest algorithm of PASSWORD-ALGORITHMS that we know. Nil without one, or if the value is broken.
    private static func strongest(_ value: [UInt8]) -> Algorithm? {
        guard value.count <= 64 else { return nil }
        var (best, offset): (Algorithm?, Int) = (nil, 0)
        while offset + 4 <= value.count {
            let number: UInt16 = value.span.bigEndian(at: offset)
            let parameters = Int(value.span.bigEndian(at: offset + 2) as UInt16)
            // Neither of our algorithms has parameters (RFC 8489 §18.5).
            if let algorithm = Algorithm(rawValue: number), parameters == 0 { best = max(best ?? algorithm, algorithm) }
            offset += 4 + (parameters + 3) & ~3
        }
        return offset == value.count ? best : nil
    }

    private func key(realm: String, _ algorithm: Algorithm) -> STUNKey {
        let secret = Array("\(credentials.user):\(realm):\(credentials.password.reveal())".utf8)
        switch algorithm {
        case .md5: return STUNKey(hashes.md5(secret))
        case .sha256: return STUNKey(hashes.sha256(secret))
        }
    }
}

/// A name and a password that a server knows (RFC 8489 §9.2). The password is never printed.
public struct LongTermCredentials: Equatable, Sendable {
    public let user: String
    public let password: Redacted<String>

    /// - Parameters: The strings as they are hashed: the owner prepares them (RFC 8265).
    public init(user: String, password: Redacted<String>) { (self.user, self.password) = (user, password) }
}

/// The features that a server announces in its nonce (RFC 8489 §9.2, §18.1). An attacker in between cannot remove them
/// from a challenge without changing the nonce, which the server would then reject.
struct SecurityFeatures: OptionSet, Sendable {
    let rawValue: UInt32

    /// The RFC counts bits from the left in its text, and from the right in its test vector (erratum 6290). Servers do
    /// either. No other bit has a meaning, so both are read.
    static let passwordAlgorithms = SecurityFeatures(rawValue: 0x80_0001)
    static let usernameAnonymity = SecurityFeatures(rawValue: 0x40_0002)

    private static let cookie = Array("obMatJos2".utf8)
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    init(rawValue: UInt32) { self.rawValue = rawValue }

    /// No features unless the nonce begins with the cookie and four digits of base64.
    init(nonce: [UInt8]) {
        let word = nonce.dropFirst(Self.cookie.count).prefix(4).compactMap { Self.digits.firstIndex(of: $0) }
        guard nonce.starts(with: Self.cookie), word.count == 4 else {
            self.init()
            return
        }
        self.init(rawValue: word.reduce(0) { $0 << 6 | UInt32($1) })
    }

    var hasPasswordAlgorithms: Bool { !isDisjoint(with: .passwordAlgorithms) }
    var hasUsernameAnonymity: Bool { !isDisjoint(with: .usernameAnonymity) }
}
