/// What a line has learned of its account's server. From then on the line gives no weaker proof and takes no weaker
/// transport, also in later runs of the program.
///
/// Otherwise an attacker on the path could wait for a restart of the program, or cause one, and ask for less then.
public struct LineTrust: Equatable, Sendable {
    /// How the account's password is proved.
    public struct Proof: Equatable, Sendable {
        public enum Hash: String, CaseIterable, Sendable { case md5, sha2 }

        public var hash: Hash
        /// Whether a client nonce of ours goes into the proof (`qop`, RFC 7616 §3.4).
        public var hasClientNonce: Bool

        public init(_ hash: Hash, hasClientNonce: Bool) { (self.hash, self.hasClientNonce) = (hash, hasClientNonce) }

        /// The proof in words for people.
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
    /// Whether DNS has chosen the transport, and the server was reached over TLS.
    public var isOverTLS: Bool

    public init(proof: Proof? = nil, realm: String? = nil, isOverTLS: Bool = false) {
        (self.proof, self.realm, self.isOverTLS) = (proof, realm, isOverTLS)
    }

    public var isEmpty: Bool { self == LineTrust() }

    /// What the line does because of it, for people.
    public var words: String {
        let place = realm.map { ", in the realm \"\($0)\"" } ?? ""
        let deeds = [
            proof.map { "proves the password by no less than \($0.words)\(place)" },
            isOverTLS ? "reaches the server over TLS only" : nil,
        ].compactMap(\.self)
        return deeds.isEmpty ? "has learned nothing yet" : deeds.joined(separator: "; ")
    }
}
