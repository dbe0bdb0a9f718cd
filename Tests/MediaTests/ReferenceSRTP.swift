import COpenSSL
import PhoneCore

/// SRTP for packets before the first rollover, as in RFC 3711, 6188 and 7714: for comparison, not for use.
struct ReferenceSRTP {
    enum Transform {
        case counter(tagLength: Int)
        case authenticated
    }

    private let key: [UInt8]
    private let salt: [UInt8]
    private let authentication: [UInt8]
    private let transform: Transform

    init(_ suite: CryptoSuite, key master: [UInt8]) throws {
        let (length, transform) = Self.shape(of: suite)
        let key = Array(master[..<length])
        let salt = Array(master[length...])
        self.transform = transform
        self.key = try Self.derive(0, length, key: key, salt: salt)
        authentication = try Self.derive(1, 20, key: key, salt: salt)
        self.salt = try Self.derive(2, salt.count, key: key, salt: salt)
    }

    private static func shape(of suite: CryptoSuite) -> (keyLength: Int, transform: Transform) {
        switch suite {
        case .aes128Tag80: (16, .counter(tagLength: 10))
        case .aes128Tag32: (16, .counter(tagLength: 4))
        case .aes256Tag80: (32, .counter(tagLength: 10))
        case .aes256Tag32: (32, .counter(tagLength: 4))
        case .gcm128: (16, .authenticated)
        case .gcm256: (32, .authenticated)
        }
    }

    /// RFC 3711 §4.3.1 and §4.3.3; a salt of 12 octets is padded with zeros (RFC 7714 §11).
    static func derive(_ label: UInt8, _ count: Int, key: [UInt8], salt: [UInt8]) throws -> [UInt8] {
        var start = salt + [UInt8](repeating: 0, count: 16 - salt.count)
        start[7] ^= label
        return try keyStream(count, key: key, start: start)
    }

    /// RFC 3711 §4.1.1: AES of a counter.
    static func keyStream(_ count: Int, key: [UInt8], start: [UInt8]) throws -> [UInt8] {
        unsafe try encrypt(
            [UInt8](repeating: 0, count: count), by: key.count == 16 ? EVP_aes_128_ctr() : EVP_aes_256_ctr(),
            key: key, vector: start
        ).text
    }

    /// The protected form of an RTP packet with a header of 12 octets.
    func protect(_ packet: [UInt8]) throws -> [UInt8] {
        let header = Array(packet[..<12])
        let payload = Array(packet[12...])
        switch transform {
        case .authenticated:
            return try Self.seal(payload, header: header, key: key, salt: salt)
        case .counter(let tagLength):
            var start = salt + [0, 0]
            for index in 0..<4 { start[4 + index] ^= header[8 + index] }
            for index in 0..<2 { start[12 + index] ^= header[2 + index] }
            let stream = try Self.keyStream(payload.count, key: key, start: start)
            let sealed = header + zip(payload, stream).map(^)
            // RFC 3711 §4.2: the rollover counter is signed with the packet, and not sent.
            let signed = sealed + [0, 0, 0, 0]
            var tag = [UInt8](repeating: 0, count: 20)
            _ = unsafe HMAC(
                EVP_sha1(), authentication, Int32(authentication.count), signed, signed.count, &tag, nil)
            return sealed + tag.prefix(tagLength)
        }
    }

    /// RFC 7714 §8: the nonce is the source, the rollover counter and the sequence number, over the salt.
    static func seal(_ payload: [UInt8], header: [UInt8], key: [UInt8], salt: [UInt8]) throws -> [UInt8] {
        let place = [0, 0] + header[8..<12] + [0, 0, 0, 0] + header[2..<4]
        let sealed = unsafe try encrypt(
            payload, by: key.count == 16 ? EVP_aes_128_gcm() : EVP_aes_256_gcm(), key: key,
            vector: zip(place, salt).map(^), authenticating: header)
        return header + sealed.text + sealed.tag
    }

    private struct CipherFailed: Error {}

    /// Encrypts by OpenSSL's documented steps; the tag is meaningful in Galois mode only.
    private static func encrypt(
        _ text: [UInt8], by cipher: OpaquePointer?, key: [UInt8], vector: [UInt8], authenticating header: [UInt8] = []
    ) throws -> (text: [UInt8], tag: [UInt8]) {
        let context = unsafe EVP_CIPHER_CTX_new()
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        var (output, tag, written) = (
            [UInt8](repeating: 0, count: text.count), [UInt8](repeating: 0, count: 16), Int32(0)
        )
        guard unsafe EVP_EncryptInit_ex(context, cipher, nil, key, vector) == 1,
            unsafe header.isEmpty || EVP_EncryptUpdate(context, nil, &written, header, Int32(header.count)) == 1,
            unsafe EVP_EncryptUpdate(context, &output, &written, text, Int32(text.count)) == 1,
            unsafe EVP_EncryptFinal_ex(context, &tag, &written) == 1
        else { throw CipherFailed() }
        if !header.isEmpty { _ = unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, &tag) }
        return (output, tag)
    }
}
