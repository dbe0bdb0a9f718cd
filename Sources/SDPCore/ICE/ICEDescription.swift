import Base
import ICECore

/// What one end says of ICE about its audio line (RFC 8839 §4.2.1). Candidates are the values of their attributes, in
/// the words of RFC 8839 §5.1; whoever checks paths reads them.
public struct ICEDescription: Equatable, Sendable {
    public var credentials: ICECredentials
    public var candidates: [String]
    /// Whether the end only answers checks (RFC 8445 §2.5).
    public var isLite: Bool
    /// Whether this phone says that candidates follow one by one (RFC 8838).
    public var isTrickled: Bool

    /// Candidates that are read of one line, and the bytes of each.
    private static let (candidateLimit, byteLimit) = (64, 512)

    public init(
        credentials: ICECredentials, candidates: [String], isLite: Bool = false, isTrickled: Bool = false
    ) {
        self.credentials = credentials
        self.candidates = candidates
        self.isLite = isLite
        self.isTrickled = isTrickled
    }

    /// The line's own values, else the session's. Nil for an end that does no ICE, or says that something on the way has
    /// changed addresses, so that it did not go on with it (RFC 8839 §4.2.5).
    init?(_ media: MediaDescription, in session: SessionDescription) {
        func value(_ name: String) -> String? { media.values(of: name).first ?? session.values(of: name).first }
        guard let userFragment = value("ice-ufrag"), let password = value("ice-pwd"), !media.hasFlag("ice-mismatch"),
            let credentials = ICECredentials(userFragment: userFragment, password: Redacted(password))
        else { return nil }
        self.credentials = credentials
        let all = media.values(of: "candidate").lazy.filter { $0.utf8.count <= Self.byteLimit }
        candidates = Array(all.prefix(Self.candidateLimit))
        isLite = session.attributes.contains { $0.name == "ice-lite" }
        // The word only says that the far end could (RFC 8840 §4.1.1).
        isTrickled = false
    }

    /// What our line says. `ice2`: this end follows RFC 8445 (§10).
    var attributes: [SessionDescription.Attribute] {
        [
            .init("ice-ufrag", credentials.userFragment), .init("ice-pwd", credentials.password.reveal()),
            .init("ice-options", isTrickled ? "ice2 trickle" : "ice2"),
        ] + candidates.map { .init("candidate", $0) }
    }

    /// The names of all attributes that a later description of ours writes anew.
    static let names: Set<String> = ["ice-ufrag", "ice-pwd", "ice-options", "candidate"]
}
