import Base
import JSON

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
struct KeySet: Equatable, Sendable {
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
