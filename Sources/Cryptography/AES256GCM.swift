import Base
import COpenSSL

/// AES-256 in Galois/Counter mode (NIST SP 800-38D), for whole messages.
package enum AES256GCM {
    package static let keyBytes = 32
    package static let nonceBytes = 12
    package static let tagBytes = 16

    /// The encrypted message, followed by its tag.
    /// - Parameters:
    ///   - nonce: 12 bytes, never used twice with the same key.
    ///   - header: Authenticated but not encrypted.
    package static func seal(
        _ message: RawSpan, key: SecretBytes, nonce: [UInt8], authenticating header: [UInt8]
    ) -> [UInt8] {
        unsafe withContext(key, nonce, encrypts: true) { context in
            var (sealed, written) = ([UInt8](repeating: 0, count: message.byteCount + tagBytes), Int32(0))
            let isSealed = unsafe message.withUnsafeBytes { message in
                unsafe sealed.withUnsafeMutableBufferPointer { sealed in
                    unsafe EVP_CipherUpdate(context, nil, &written, header, Int32(header.count)) == 1
                        && update(context, sealed.baseAddress, message)
                        && EVP_CipherFinal_ex(context, sealed.baseAddress?.advanced(by: message.count), &written) == 1
                        && EVP_CIPHER_CTX_ctrl(
                            context, EVP_CTRL_AEAD_GET_TAG, Int32(tagBytes),
                            sealed.baseAddress?.advanced(by: message.count)) == 1
                }
            }
            precondition(isSealed, "OpenSSL seals anything whose size it can count")
            return sealed
        }
    }

    /// The encrypted bytes of an array, followed by their tag.
    package static func seal(
        _ message: [UInt8], key: SecretBytes, nonce: [UInt8], authenticating header: [UInt8]
    ) -> [UInt8] {
        unsafe message.withUnsafeBytes { bytes in
            seal(unsafe RawSpan(_unsafeBytes: bytes), key: key, nonce: nonce, authenticating: header)
        }
    }

    /// The decrypted message, which the caller must wipe if it is secret. Nil if the sealed message, the header, the
    /// key or the nonce does not match.
    package static func open(
        _ sealed: ArraySlice<UInt8>, key: SecretBytes, nonce: [UInt8], authenticating header: [UInt8]
    ) -> [UInt8]? {
        guard sealed.count >= tagBytes else { return nil }
        var tag = Array(sealed.suffix(tagBytes))
        return unsafe withContext(key, nonce, encrypts: false) { context in
            var (clear, written) = ([UInt8](repeating: 0, count: sealed.count - tagBytes), Int32(0))
            let isGenuine = unsafe sealed.dropLast(tagBytes).withUnsafeBytes { body in
                unsafe clear.withUnsafeMutableBufferPointer { clear in
                    unsafe EVP_CipherUpdate(context, nil, &written, header, Int32(header.count)) == 1
                        && update(context, clear.baseAddress, body)
                        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tagBytes), &tag) == 1
                        && EVP_CipherFinal_ex(context, clear.baseAddress?.advanced(by: body.count), &written) == 1
                }
            }
            guard !isGenuine else { return clear }
            // The output of a failed decryption must not be used, so it is wiped.
            unsafe OPENSSL_cleanse(&clear, clear.count)
            ERR_clear_error()
            return nil
        }
    }

    private static func withContext<Result>(
        _ key: SecretBytes, _ nonce: [UInt8], encrypts: Bool, _ body: (OpaquePointer) -> Result
    ) -> Result {
        OpenSSL.start
        precondition(key.count == keyBytes && nonce.count == nonceBytes, "a key has 32 bytes, a nonce 12")
        guard let context = unsafe EVP_CIPHER_CTX_new() else { preconditionFailure("no memory for a cipher") }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        let isReady = unsafe key.withBytes { key in
            unsafe EVP_CipherInit_ex2(context, EVP_aes_256_gcm(), key.baseAddress, nonce, encrypts ? 1 : 0, nil) == 1
        }
        precondition(isReady, "OpenSSL has AES-256-GCM")
        return unsafe body(context)
    }

    /// Encrypts or decrypts a part. False if it is too long: OpenSSL counts bytes in a signed 32-bit integer.
    private static func update(
        _ context: OpaquePointer, _ output: UnsafeMutablePointer<UInt8>?, _ input: UnsafeRawBufferPointer
    ) -> Bool {
        guard let length = Int32(exactly: input.count) else { return false }
        guard length > 0, let output = unsafe output else { return true }
        var written: Int32 = 0
        let start = unsafe input.assumingMemoryBound(to: UInt8.self).baseAddress
        return unsafe EVP_CipherUpdate(context, output, &written, start, length) == 1
    }
}
