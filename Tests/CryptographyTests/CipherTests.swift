import Base
import Cryptography
import Testing

@Suite("Digests, sealing and derived keys, by the vectors of their standards")
struct CipherTests {
    @Test("digests match RFC 1321 §A.5 and FIPS 180-4")
    func digestsMatchRFC13215AndFIPS1804() {
        #expect(Digest.md5(Array("message digest".utf8)) == bytes("f96b697d7cb7938d525a2f31aaf161d0"))
        #expect(Digest.md5([]) == bytes("d41d8cd98f00b204e9800998ecf8427e"))
        #expect(
            Digest.sha256(Array("abc".utf8))
                == bytes("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"))
        #expect(
            Digest.sha512256(Array("abc".utf8))
                == bytes("53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"))
    }

    @Test("keyed digests match RFC 2202 §3 and RFC 4231 §4")
    func keyedDigestsMatchRFC22023AndRFC42314() {
        let (key, text) = (Array("Jefe".utf8), Array("what do ya want for nothing?".utf8))
        #expect(Digest.hmacSHA1(key: key, text) == bytes("effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"))
        #expect(
            Digest.hmacSHA256(key: key, text)
                == bytes("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"))
        #expect(
            Digest.hmacSHA1(
                key: [UInt8](repeating: 0xAA, count: 80),
                Array(
                    "Test Using Larger Than Block-Size Key - Hash Key First".utf8))
                == bytes("aa4ae5e15272d00e95705637ce8a3b55ed402112"))
        #expect(Digest.hmacSHA1(key: [], []) == bytes("fbdb1d1b18aa6c08324b7d64b71fb76370690e1d"))
    }

    /// Test case 16 of McGrew and Viega's specification of GCM.
    private let key = bytes("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308")
    private let nonce = bytes("cafebabefacedbaddecaf888")
    private let header = bytes("feedfacedeadbeeffeedfacedeadbeefabaddad2")
    private let message = bytes(
        "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
    )
    private let sealed = bytes(
        "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
            + "76fc6ece0f4e1768cddf8853bb2d551b")

    @Test("AES-256-GCM matches its specification and opens again")
    func aes256GCMMatchesItsSpecificationAndOpensAgain() {
        let key = SecretBytes(key)
        #expect(AES256GCM.seal(message.span.bytes, key: key, nonce: nonce, authenticating: header) == sealed)
        #expect(AES256GCM.open(sealed[...], key: key, nonce: nonce, authenticating: header) == message)
        let empty = AES256GCM.seal([UInt8]().span.bytes, key: key, nonce: nonce, authenticating: [])
        #expect(empty.count == AES256GCM.tagBytes)
        #expect(AES256GCM.open(empty[...], key: key, nonce: nonce, authenticating: []) == [])
    }

    @Test("one changed bit, or a missing byte, opens nothing")
    func oneChangedBitOrMissingByteOpensNothing() {
        func opens(_ sealed: [UInt8], _ key: [UInt8], _ nonce: [UInt8], _ header: [UInt8]) -> Bool {
            AES256GCM.open(sealed[...], key: SecretBytes(key), nonce: nonce, authenticating: header) != nil
        }
        #expect(opens(sealed, key, nonce, header))
        for place in sealed.indices { #expect(!opens(flipped(sealed, place), key, nonce, header)) }
        for place in key.indices { #expect(!opens(sealed, flipped(key, place), nonce, header)) }
        for place in nonce.indices { #expect(!opens(sealed, key, flipped(nonce, place), header)) }
        for place in header.indices { #expect(!opens(sealed, key, nonce, flipped(header, place))) }
        for count in sealed.indices { #expect(!opens(Array(sealed[..<count]), key, nonce, header)) }
        #expect(!opens(sealed, key, nonce, []))
    }

    private func flipped(_ bytes: [UInt8], _ place: Int) -> [UInt8] {
        var bytes = bytes
        bytes[place] ^= 0x10
        return bytes
    }

    @Test("HKDF matches RFC 5869 §A.1 and §A.3")
    func hkdfMatchesRFC58691And3() {
        let long = KeyDerivation.hkdf(
            SecretBytes([UInt8](repeating: 0x0b, count: 22)), salt: Array(0...0x0c), info: Array(0xf0...0xf9), count: 42
        )
        #expect(
            long
                == SecretBytes(
                    bytes("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865")))
        let bare = KeyDerivation.hkdf(SecretBytes([UInt8](repeating: 0x0b, count: 22)), salt: [], info: [], count: 42)
        #expect(
            bare
                == SecretBytes(
                    bytes("8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8")))
    }

    @Test("scrypt matches RFC 7914 §12")
    func scryptMatchesRFC791412() {
        let empty = KeyDerivation.scrypt(
            SecretBytes([]), salt: [], rounds: 16, blockSize: 1, parallelism: 1, count: 64)
        #expect(
            empty
                == SecretBytes(
                    bytes(
                        "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442fcd0069ded0948f8326a753a0fc81f17"
                            + "e8d3e0fb2e0d3628cf35e20c38d18906")))
        let passphrase = KeyDerivation.scrypt(
            SecretBytes(Array("pleaseletmein".utf8)), salt: Array("SodiumChloride".utf8), rounds: 16_384, blockSize: 8,
            parallelism: 1, count: 64)
        #expect(
            passphrase
                == SecretBytes(
                    bytes(
                        "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9"
                            + "e61e85dc0d651e40dfcf017b45575887")))
    }
}

private func bytes(_ digits: String) -> [UInt8] {
    let values = digits.compactMap(\.hexDigitValue)
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
}
