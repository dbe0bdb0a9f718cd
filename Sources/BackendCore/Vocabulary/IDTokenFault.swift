/// Why an ID token is not accepted.
public enum IDTokenFault: Error, Equatable, Codable, Sendable {
    /// It is not a signed JSON Web Token (RFC 7519 §7.2).
    case malformed(BackendParseFault)
    /// The algorithm is not allowed. `none` and all HMACs are such algorithms.
    case algorithm(String)
    /// A header that must be understood is not known here (RFC 7515 §4.1.11).
    case criticalHeader
    case issuer(String)
    case audience
    case expired(seconds: Int64)
    /// It was issued in the future, by the phone's clock.
    case notYetValid(seconds: Int64)
    /// The backend publishes no key that fits.
    case unknownKey
    case signature

    /// For people.
    public var sentence: String {
        switch self {
        case .malformed(let fault): fault.sentence
        case .algorithm(let name): "its algorithm \(name.isEmpty ? "is missing" : "\(name) is not allowed")"
        case .criticalHeader: "it has a critical header that the phone does not know"
        case .issuer(let name): "its issuer is \(name)"
        case .audience: "it is for another client"
        case .expired(let seconds):
            "it expired \(seconds) seconds ago; compare the clocks of the phone and of the backend"
        case .notYetValid(let seconds):
            "it is \(seconds) seconds in the future; compare the clocks of the phone and of the backend"
        case .unknownKey: "the backend publishes no key for it"
        case .signature: "its signature is wrong"
        }
    }
}
