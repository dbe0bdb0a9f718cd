import Base
import ICECore

/// The ICE attributes of one end's audio line (RFC 8839 §4.2.1). Candidates are the values of their attributes, as in
/// RFC 8839 §5.1. The code that checks paths parses them.
public struct ICEDescription: Equatable, Sendable {
    public var credentials: ICECredentials
    public var candidates: [String]
    /// Whether the end only answers checks (RFC 8445 §2.5).
    public var isLite: Bool
    /// Whether this phone announces that candidates follow one by one (RFC 8838).
    public var isTrickled: Bool

    /// The most candidates of a line, and the bytes of each.
    private static let (candidateLimit, byteLimit) = (64, 512)

    public init(
        credentials: ICECredentials, candidates: [String], isLite: Bool = false, isTrickled: Bool = false
    ) {
        self.credentials = credentials
        self.candidates = candidates
        self.isLite = isLite
        self.isTrickled = isTrickled
    }

    /// Reads the line's own values, else the session's. Nil for an end without ICE. Nil also for an end that stopped
    /// ICE because something on the path changed addresses (RFC 8839 §4.2.5).
    init?(_ media: MediaDescription, in session: SessionDescription) {
        func value(_ name: String) -> String? { media.values(of: name).first ?? session.values(of: name).first }
        guard let userFragment = value("ice-ufrag"), let password = value("ice-pwd"), !media.hasFlag("ice-mismatch"),
            let credentials = ICECredentials(userFragment: userFragment, password: Redacted(password))
        else { return nil }
        self.credentials = credentials
        let all = media.values(of: "candidate").lazy.filter { $0.utf8.count <= Self.byteLimit }
        candidates = Array(all.prefix(Self.candidateLimit))
        isLite = session.attributes.contains { $0.name == "ice-lite" }
        // `trickle` only means that the far end supports it (RFC 8840 §4.1.1).
        isTrickled = false
    }

    /// The attributes for our line. `ice2`: this end follows RFC 8445 (§10).
    var attributes: [SessionDescription.Attribute] {
        [
            .init("ice-ufrag", credentials.userFragment), .init("ice-pwd", credentials.password.reveal()),
            .init("ice-options", isTrickled ? "ice2 trickle" : "ice2"),
        ] + candidates.map { .init("candidate", $0) }
    }

    /// The names of all attributes that each later description writes again.
    static let names: Set<String> = ["ice-ufrag", "ice-pwd", "ice-options", "candidate"]
}
