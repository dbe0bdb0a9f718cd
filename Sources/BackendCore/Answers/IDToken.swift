import Base
import JSON

/// An ID token, read but not yet believed (OpenID Connect Core 1.0 §2, RFC 7515 §3.1).
struct IDToken: Equatable, Sendable {
    let algorithm: IDTokenAlgorithm
    let keyID: String?
    let signed: [UInt8]
    let signature: [UInt8]
    let claims: Claims

    struct Claims: Equatable, Sendable {
        let issuer: String
        let audiences: [String]
        let authorisedParty: String?
        let subject: String
        let issuedAt: Int64
        let expiresAt: Int64
        let name: String?
        let email: String?
    }

    init(_ text: String) throws(IDTokenFault) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= BackendLimits.idTokenBytes else { throw .malformed(.init("id_token", .tooLong)) }
        guard parts.count == 3, let header = Base64URL.decode(parts[0]), let payload = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2])
        else { throw .malformed(.init("id_token", .characters)) }
        (algorithm, keyID) = try Self.readHeader(header)
        claims = try Self.readClaims(payload)
        signed = Array((parts[0] + "." + parts[1]).utf8)
        self.signature = signature
    }

    private static func readHeader(_ bytes: [UInt8]) throws(IDTokenFault) -> (IDTokenAlgorithm, String?) {
        let (name, isCritical, keyID): (String, Bool, String?)
        do throws(BackendParseFault) {
            let reader = try AnswerReader(bytes)
            name = reader.value("alg")?.string ?? ""
            isCritical = reader.value("crit") != nil
            keyID = try reader.visibleIfAny("kid", bytes: BackendLimits.fieldBytes)
        } catch {
            throw .malformed(error.inside("id_token.header"))
        }
        guard let algorithm = IDTokenAlgorithm(rawValue: name) else { throw .algorithm(name.shown(bytes: 16)) }
        guard !isCritical else { throw .criticalHeader }
        return (algorithm, keyID)
    }

    private static func readClaims(_ bytes: [UInt8]) throws(IDTokenFault) -> Claims {
        do throws(BackendParseFault) {
            let reader = try AnswerReader(bytes)
            return Claims(
                issuer: try reader.visible("iss", bytes: BackendURL.longest), audiences: try readAudiences(reader),
                authorisedParty: try reader.visibleIfAny("azp", bytes: BackendLimits.fieldBytes),
                subject: try reader.visible("sub", bytes: BackendLimits.subjectBytes),
                issuedAt: try reader.numericDate("iat"), expiresAt: try reader.numericDate("exp"),
                name: try reader.shownIfAny("name"),
                email: try reader.shownIfAny("email", bytes: BackendLimits.emailBytes))
        } catch {
            throw .malformed(error.inside("id_token"))
        }
    }

    /// `aud` is a text or an array of texts (RFC 7519 §4.1.3).
    private static func readAudiences(_ reader: AnswerReader) throws(BackendParseFault) -> [String] {
        switch reader.value("aud") {
        case nil: throw reader.fault("aud", .missing)
        case .string(let one): return [one]
        case .array(let elements):
            guard elements.count <= 16 else { throw reader.fault("aud", .tooMany) }
            let audiences = elements.compactMap(\.string)
            guard audiences.count == elements.count else { throw reader.fault("aud", .wrongType) }
            return audiences
        case .null, .bool, .integer, .unsigned, .number, .object: throw reader.fault("aud", .wrongType)
        }
    }
}

extension IDToken.Claims {
    /// Judges the claims (OpenID Connect Core 1.0 §3.1.3.7). The signature is judged apart.
    ///
    /// A device grant sends no nonce, so a nonce proves nothing here. The token comes from the provider over TLS.
    /// - Parameters:
    ///   - issuer: As the discovery document names it.
    ///   - time: This machine's time, in seconds since 1970.
    func judge(issuer expected: String, clientID: String, time: Int64) throws(IDTokenFault) {
        guard issuer == expected else { throw .issuer(issuer) }
        guard audiences.contains(clientID), authorisedParty ?? clientID == clientID,
            audiences.count == 1 || authorisedParty != nil
        else { throw .audience }
        guard issuedAt <= time + BackendLimits.clockSkew else { throw .notYetValid(seconds: issuedAt - time) }
        guard time < expiresAt + BackendLimits.clockSkew else { throw .expired(seconds: time - expiresAt) }
        guard expiresAt > issuedAt else { throw .malformed(BackendParseFault("id_token.exp", .outOfRange)) }
    }

    var person: BackendPerson { BackendPerson(subject: subject, name: name, email: email) }
}

extension BackendParseFault {
    /// The same fault of a value that is part of another one.
    func inside(_ place: String) -> BackendParseFault {
        BackendParseFault(key.isEmpty ? place : place + "." + key, problem)
    }
}

/// A public key with which a backend signs ID tokens (RFC 7517).
public struct JSONWebKey: Equatable, Sendable {
    /// The numbers of a key, big-endian.
    public enum Material: Equatable, Sendable {
        case rsa(modulus: [UInt8], exponent: [UInt8])
        /// The coordinates of a point on P-256, 32 bytes each.
        case p256(x: [UInt8], y: [UInt8])
    }

    /// The sizes of RSA keys, in bytes: 2048 bits (RFC 7518 §3.3) to 4096 bits, which bounds the time of a
    /// verification.
    static let modulusBytes = 256...512

    package let id: String?
    package let algorithm: IDTokenAlgorithm
    package let material: Material

    /// Nil for a key for another purpose, or of a kind that is not used here (§5).
    private init?(_ reader: AnswerReader) throws(BackendParseFault) {
        if let use = reader.value("use"), use != "sig" { return nil }
        let material: Material
        switch reader.value("kty")?.string {
        case "RSA":
            guard let modulus = Self.number("n", reader), let exponent = Self.number("e", reader),
                Self.modulusBytes.contains(modulus.count), (1...4).contains(exponent.count),
                let last = exponent.last, last % 2 == 1, exponent != [1]
            else { return nil }
            (material, algorithm) = (.rsa(modulus: modulus, exponent: exponent), .rs256)
        case "EC":
            guard reader.value("crv") == "P-256", let x = Self.coordinate("x", reader),
                let y = Self.coordinate("y", reader)
            else { return nil }
            (material, algorithm) = (.p256(x: x, y: y), .es256)
        default: return nil
        }
        if let named = reader.value("alg"), named.string != algorithm.rawValue { return nil }
        id = try reader.visibleIfAny("kid", bytes: BackendLimits.fieldBytes)
        self.material = material
    }

    /// A positive number without leading zeros.
    private static func number(_ key: String, _ reader: AnswerReader) -> [UInt8]? {
        guard let text = reader.value(key)?.string, text.utf8.count <= 1_024, let bytes = Base64URL.decode(text) else {
            return nil
        }
        let number = Array(bytes.drop { $0 == 0 })
        return number.isEmpty ? nil : number
    }

    /// A coordinate always has its full length (RFC 7518 §6.2.1.2).
    private static func coordinate(_ key: String, _ reader: AnswerReader) -> [UInt8]? {
        guard let text = reader.value(key)?.string, text.utf8.count == 43 else { return nil }
        return Base64URL.decode(text)
    }

    /// Reads a set of keys (§5). Keys that cannot verify an ID token are left out.
    package static func set(_ body: [UInt8]) throws(BackendParseFault) -> [JSONWebKey] {
        let reader = try AnswerReader(body)
        let elements = try reader.elements("keys")
        guard elements.count <= BackendLimits.keys else { throw reader.fault("keys", .tooMany) }
        var keys: [JSONWebKey] = []
        for (place, element) in elements.enumerated() {
            if let key = try JSONWebKey(try AnswerReader(element, at: "keys[\(place)]")) { keys.append(key) }
        }
        return keys
    }
}

/// The keys of the backend as last fetched.
struct JSONWebKeySet: Equatable, Sendable {
    /// An unknown key makes the phone fetch the keys again, but not more often than this.
    static let shortestAge = Duration.seconds(10)

    let keys: [JSONWebKey]
    let source: BackendURL
    let etag: String?
    var fetchedAt: Instant

    /// The key for a token. A token without a key's identifier needs a set with one key of its algorithm.
    func key(_ id: String?, _ algorithm: IDTokenAlgorithm) -> JSONWebKey? {
        let fitting = keys.filter { $0.algorithm == algorithm && (id == nil || $0.id == id) }
        return fitting.count == 1 ? fitting[0] : nil
    }
}

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
