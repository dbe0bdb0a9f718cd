/// A challenge that we can answer (RFC 7616 §3.3).
public struct DigestChallenge: Hashable, Sendable {
    public let realm: String
    public let nonce: String
    public let opaque: String?
    public let algorithm: DigestAlgorithm
    /// The algorithm as it was written, to be given back; nil when it was left out.
    let algorithmName: String?
    /// False for a server of RFC 2069, which offers no quality of protection.
    public let hasQualityOfProtection: Bool
    /// The nonce was too old; the password was not found wrong.
    public let isStale: Bool

    /// Nil for another scheme, an unknown algorithm, a quality of protection that is not `auth`, or without
    /// realm and nonce.
    public init?(_ challenge: Authentication) {
        let parameters = challenge.parameters
        guard challenge.scheme.equalsIgnoringCase("Digest"),
            let realm = parameters["realm"], let nonce = parameters["nonce"],
            let algorithm = DigestAlgorithm(parameters["algorithm"])
        else { return nil }
        let offered = parameters["qop"].map { offer in
            offer.split(separator: ",").map { String($0.drop { $0 == " " }.prefix { $0 != " " }).asciiLowercased }
        }
        if let offered, !offered.contains("auth") { return nil }
        (self.realm, self.nonce, self.algorithm) = (realm, nonce, algorithm)
        (opaque, algorithmName) = (parameters["opaque"], parameters["algorithm"])
        hasQualityOfProtection = offered != nil
        isStale = parameters["stale"]?.equalsIgnoringCase("true") ?? false
    }
}
