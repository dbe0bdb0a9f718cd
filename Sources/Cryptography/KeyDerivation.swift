import Base
import COpenSSL

/// Derives keys from other secrets.
package enum KeyDerivation {
    /// HKDF with SHA-256 (RFC 5869).
    /// - Parameter count: At most 255 × 32 bytes.
    package static func hkdf(_ material: SecretBytes, salt: [UInt8], info: [UInt8], count: Int) -> SecretBytes {
        unsafe derived(count) { output in
            let algorithm = unsafe EVP_KDF_fetch(nil, "HKDF", nil)
            let context = unsafe EVP_KDF_CTX_new(algorithm)
            defer {
                unsafe EVP_KDF_CTX_free(context)
                unsafe EVP_KDF_free(algorithm)
            }
            var (salt, info, digest) = (salt, info, Array("SHA256\0".utf8.map { CChar(bitPattern: $0) }))
            return unsafe material.withBytes { material in
                unsafe salt.withUnsafeMutableBytes { salt in
                    unsafe info.withUnsafeMutableBytes { info in
                        unsafe digest.withUnsafeMutableBufferPointer { digest in
                            let key = unsafe UnsafeMutableRawPointer(mutating: material.baseAddress)
                            let parameters = unsafe [
                                OSSL_PARAM_construct_utf8_string("digest", digest.baseAddress, 0),
                                OSSL_PARAM_construct_octet_string("key", key, material.count),
                                OSSL_PARAM_construct_octet_string("salt", salt.baseAddress, salt.count),
                                OSSL_PARAM_construct_octet_string("info", info.baseAddress, info.count),
                                OSSL_PARAM_construct_end(),
                            ]
                            return unsafe EVP_KDF_derive(context, output.baseAddress, output.count, parameters) == 1
                        }
                    }
                }
            }
        }
    }

    /// Scrypt (RFC 7914), which takes 128 × rounds × block size bytes of memory.
    /// - Parameter rounds: N, a power of two.
    package static func scrypt(
        _ passphrase: SecretBytes, salt: [UInt8], rounds: UInt64, blockSize: UInt64, parallelism: UInt64, count: Int
    ) -> SecretBytes {
        // By default OpenSSL refuses to use more than 32 MiB. It needs a little more than the formula gives.
        let memory = 128 * blockSize * (rounds + parallelism + 2)
        return unsafe derived(count) { output in
            unsafe passphrase.withBytes { passphrase in
                unsafe passphrase.withMemoryRebound(to: CChar.self) { passphrase in
                    unsafe EVP_PBE_scrypt(
                        passphrase.baseAddress, passphrase.count, salt, salt.count, rounds, blockSize, parallelism,
                        memory,
                        output.baseAddress, output.count) == 1
                }
            }
        }
    }

    private static func derived(_ count: Int, by body: (UnsafeMutableBufferPointer<UInt8>) -> Bool) -> SecretBytes {
        OpenSSL.start
        var bytes = [UInt8](repeating: 0, count: count)
        let isDerived = unsafe bytes.withUnsafeMutableBufferPointer { unsafe body($0) }
        precondition(isDerived, "OpenSSL derives keys from valid parameters")
        return SecretBytes(taking: &bytes)
    }
}
