import Base
import Telephony

/// The ICE part of the far end's session description (RFC 8839 §4.2).
public struct RemoteDescription: Equatable, Sendable {
    public let credentials: ICECredentials
    /// Whether it only answers checks (RFC 8445 §2.5, `a=ice-lite`).
    public let isLite: Bool
    public let candidates: [RemoteCandidate]
    /// Whether no more candidates will come: it does not trickle, or has sent `end-of-candidates`.
    public let isComplete: Bool

    public init(
        credentials: ICECredentials, isLite: Bool = false, candidates: [RemoteCandidate] = [], isComplete: Bool
    ) {
        (self.credentials, self.isLite, self.candidates) = (credentials, isLite, candidates)
        self.isComplete = isComplete
    }
}

/// A candidate as the far end wrote it in SDP (RFC 8839 §5.1). Its address may be a name, which has to be resolved.
public struct RemoteCandidate: Equatable, Sendable {
    public enum Host: Hashable, Sendable {
        case address(IPAddress)
        /// Usually under `.local`: browsers hide their addresses behind such names.
        case name(String)
    }

    public enum Unusable: Error, Equatable, Sendable {
        /// It does not follow the grammar, or is longer than `limit`.
        case malformed
        /// TCP, which this phone does not use between peers (RFC 6544), or something newer.
        case transport
        /// RTCP without multiplexing.
        case component
    }

    /// Bytes of a line. The longest meaningful line has half as many.
    public static let limit = 512

    public let foundation: String
    public let priority: UInt32
    public let host: Host
    public let port: UInt16
    public let kind: CandidateKind
    /// The far end's user fragment, if trickling gives it (RFC 8838 §11). It names the candidate's session.
    public let userFragment: String?

    public init(_ candidate: Candidate) {
        (foundation, priority, kind) = (candidate.foundation, candidate.priority, candidate.kind)
        (host, port) = (.address(candidate.address.address), candidate.address.port)
        userFragment = nil
    }

    /// - Parameter text: The attribute's value, also with `candidate:` or `a=candidate:` before it.
    public init(_ text: String) throws(Unusable) {
        guard text.utf8.count <= Self.limit else { throw .malformed }
        var line = text[...]
        for prefix in ["a=", "candidate:"] where line.hasPrefix(prefix) { line = line.dropFirst(prefix.count) }
        let words = line.split(separator: " ")
        guard words.count >= 8, words[6].lowercased() == "typ", (1...32).contains(words[0].utf8.count),
            words[0].utf8.allSatisfy(\.isICECharacter), let component = UInt16(words[1]),
            let priority = UInt32(words[3]), (1...0x7FFF_FFFF).contains(priority), let port = UInt16(words[5]),
            let kind = CandidateKind(rawValue: words[7].lowercased())
        else { throw .malformed }
        guard words[2].lowercased() == "udp" else { throw .transport }
        guard component == Candidate.component else { throw .component }
        (foundation, self.priority, self.port, self.kind) = (String(words[0]), priority, port, kind)
        host = try Self.host(words[4])
        // Pairs of a name and a value follow. Unknown ones are ignored.
        let pairs = stride(from: 8, to: words.count - 1, by: 2).map { (words[$0], words[$0 + 1]) }
        userFragment = pairs.first { $0.0 == "ufrag" }.map { String($0.1) }
    }

    private static func host(_ word: Substring) throws(Unusable) -> Host {
        if let address = IPAddress(String(word)) { return .address(address) }
        let isName =
            (1...253).contains(word.utf8.count) && !word.contains(":")
            && word.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") || $0.isAlphanumeric }
            && word.utf8.contains { !$0.isDigit && $0 != UInt8(ascii: ".") }
        guard isName else { throw .malformed }
        return .name(word.lowercased())
    }

    /// Nil as long as the candidate has a name instead of an address.
    var candidate: Candidate? {
        guard case .address(let address) = host else { return nil }
        return at(address)
    }

    func at(_ address: IPAddress) -> Candidate {
        Candidate(foundation: foundation, priority: priority, address: TransportAddress(address, port), kind: kind)
    }
}

extension UInt8 {
    var isAlphanumeric: Bool { isDigit || isLetter }

    /// RFC 8839 §5.1: letters, digits, `+` and `/`.
    var isICECharacter: Bool { isAlphanumeric || self == UInt8(ascii: "+") || self == UInt8(ascii: "/") }
}

/// The user fragment and the password of one side in one ICE session (RFC 8445 §5.3). The password is never printed.
public struct ICECredentials: Equatable, Sendable {
    public let userFragment: String
    public let password: Redacted<String>

    /// Nil unless they follow RFC 8839 §5.4: 4 to 256, and 22 to 256 letters, digits, `+` and `/`.
    public init?(userFragment: String, password: Redacted<String>) {
        let secret = password.reveal().utf8
        guard (4...256).contains(userFragment.utf8.count), (22...256).contains(secret.count),
            userFragment.utf8.allSatisfy(\.isICECharacter), secret.allSatisfy(\.isICECharacter)
        else { return nil }
        (self.userFragment, self.password) = (userFragment, password)
    }

    /// 48 and 144 random bits; RFC 8445 §5.3 requires 24 and 128.
    public init(using generator: inout some RandomNumberGenerator) {
        userFragment = Self.word(8, using: &generator)
        password = Redacted(Self.word(24, using: &generator))
    }

    private static let characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private static func word(_ count: Int, using generator: inout some RandomNumberGenerator) -> String {
        String(decoding: (0..<count).map { _ in characters[Int.random(in: 0..<64, using: &generator)] }, as: UTF8.self)
    }

    var key: STUNKey { STUNKey(password: password) }
}

extension ICECredentials {
    /// Nil unless the description's credentials follow RFC 8839 §5.4.
    public init?(_ description: ICEDescription) {
        let password = unsafe description.password.withBytes { unsafe String(decoding: $0, as: UTF8.self) }
        self.init(userFragment: description.userFragment, password: Redacted(password))
    }
}

extension ICEDescription {
    /// The description of an end with valid credentials.
    public init(_ credentials: ICECredentials, candidates: [String], isLite: Bool = false) {
        self.init(
            userFragment: credentials.userFragment, password: SecretBytes(credentials.password.reveal().utf8),
            candidates: candidates, isLite: isLite)
    }
}
