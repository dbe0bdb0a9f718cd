import COpenSSL

/// A public key that verifies signatures of JSON Web Tokens (RFC 7518 §3.3 and §3.4). Each key has one algorithm, so no
/// token can choose another.
package enum SignatureKey: Equatable, Sendable {
    /// RS256: RSASSA-PKCS1-v1_5 with SHA-256. Both numbers are big-endian.
    case rsa(modulus: [UInt8], exponent: [UInt8])
    /// ES256: ECDSA with P-256 and SHA-256. Each coordinate has 32 bytes.
    case p256(x: [UInt8], y: [UInt8])

    /// The sizes of RSA keys, in bits. The longest bounds the time for a signature.
    package static let modulusBits: ClosedRange<Int32> = 2_048...4_096
    /// Larger exponents would only take time.
    private static let exponentBytes = 1...4
    private static let coordinateBytes = 32

    /// Whether the signature is that of the message.
    ///
    /// False also for a key that cannot be used: an RSA key of another size or with an even exponent, a point that is
    /// not on the curve.
    /// - Parameter signature: For P-256 the two numbers r and s, 32 bytes each.
    package func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        OpenSSL.start
        defer { ERR_clear_error() }
        guard let key = unsafe makeKey() else { return false }
        defer { unsafe EVP_PKEY_free(key) }
        guard let signature = encoded(signature), let context = unsafe EVP_MD_CTX_new() else { return false }
        defer { unsafe EVP_MD_CTX_free(context) }
        return unsafe EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }

    /// The caller frees the key.
    private func makeKey() -> OpaquePointer? {
        guard let der else { return nil }
        let key = unsafe der.withUnsafeBufferPointer { der in
            var next = der.baseAddress
            return unsafe d2i_PUBKEY_ex(nil, &next, der.count, nil, nil)
        }
        guard let key = unsafe key else { return nil }
        if case .rsa = self, unsafe !Self.modulusBits.contains(EVP_PKEY_get_bits(key)) {
            unsafe EVP_PKEY_free(key)
            return nil
        }
        return unsafe key
    }

    /// The key as a SubjectPublicKeyInfo (RFC 5280 §4.1). Nil if a number has an impossible length.
    private var der: [UInt8]? {
        switch self {
        case .rsa(let modulus, let exponent):
            guard Self.exponentBytes.contains(exponent.count), let last = exponent.last, last % 2 == 1,
                exponent != [1], modulus.count <= Int(Self.modulusBits.upperBound) / 8
            else { return nil }
            let numbers = DER.sequence(DER.integer(modulus[...]) + DER.integer(exponent[...]))
            return DER.sequence(DER.rsaEncryption + DER.bits(numbers))
        case .p256(let x, let y):
            guard x.count == Self.coordinateBytes, y.count == Self.coordinateBytes else { return nil }
            // The uncompressed form of a point (SEC 1 §2.3.3). OpenSSL checks that it is on the curve.
            return DER.sequence(DER.ecPublicKeyOnP256 + DER.bits([4] + x + y))
        }
    }

    /// The signature as OpenSSL reads it: for P-256 as DER (RFC 3279 §2.2.3). Nil if it has a wrong length.
    private func encoded(_ signature: [UInt8]) -> [UInt8]? {
        switch self {
        case .rsa(let modulus, _):
            return signature.count == modulus.drop { $0 == 0 }.count ? signature : nil
        case .p256:
            guard signature.count == 2 * Self.coordinateBytes else { return nil }
            return DER.sequence(
                DER.integer(signature.prefix(Self.coordinateBytes))
                    + DER.integer(signature.suffix(Self.coordinateBytes)))
        }
    }
}

/// Writes the few ASN.1 types of keys and signatures (X.690).
private enum DER {
    /// The algorithm of RSA keys (RFC 3279 §2.3.1).
    static let rsaEncryption: [UInt8] = [
        0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
    ]
    /// The algorithm and the curve of P-256 keys (RFC 5480 §2.1).
    static let ecPublicKeyOnP256: [UInt8] = [
        0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D,
        0x03, 0x01, 0x07,
    ]

    static func sequence(_ content: [UInt8]) -> [UInt8] { value(0x30, content) }

    static func bits(_ content: [UInt8]) -> [UInt8] { value(0x03, [0] + content) }

    /// A positive number: without leading zeros, but with one if the highest bit is set.
    static func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var digits = Array(bytes.drop { $0 == 0 })
        if digits.first ?? 0x80 >= 0x80 { digits.insert(0, at: 0) }
        return value(0x02, digits)
    }

    private static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        var length: [UInt8] = []
        var rest = content.count
        while rest > 0 {
            length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        if content.count < 0x80 { return [tag, UInt8(content.count)] + content }
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }
}
