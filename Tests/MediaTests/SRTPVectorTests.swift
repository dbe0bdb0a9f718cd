import Base
import Media
import PhoneCore
import Testing

/// The RFCs' vectors cover steps that a library does not expose. So the reference is compared with the vectors, and
/// the phone with the reference, packet by packet.
@Suite
struct SRTPVectorTests {
    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.filter { !$0.isWhitespace }.map { UInt8($0.hexDigitValue ?? 0) }
        return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    @Test("AES counter mode matches the vectors (RFC 3711 §B.2)")
    func aesCounterModeMatchesVectors() throws {
        let stream = try ReferenceSRTP.keyStream(
            48, key: Self.bytes("2B7E151628AED2A6ABF7158809CF4F3C"),
            start: Self.bytes("F0F1F2F3F4F5F6F7F8F9FAFBFCFD0000"))
        #expect(
            stream
                == Self.bytes(
                    """
                    E03EAD0935C95E80E166B16DD92B4EB4 D23513162B02D0F72A43A2FE4A5F97AB 41E95B3BB0A2E8DD477901E4FCA894C0
                    """))
    }

    struct Derivation: Sendable {
        let key: String
        let salt: String
        let cipherKey: String
        let cipherSalt: String
        let authentication: String
    }

    @Test(
        "session keys derive from a master key (RFC 3711 §B.3, RFC 6188 §7.2)",
        arguments: [
            Derivation(
                key: "E1F97A0D3E018BE0D64FA32C06DE4139", salt: "0EC675AD498AFEEBB6960B3AABE6",
                cipherKey: "C61E7A93744F39EE10734AFE3FF7A087", cipherSalt: "30CBBC08863D8C85D49DB34A9AE1",
                authentication: "CEBE321F6FF7716B6FD4AB49AF256A156D38BAA4"),
            Derivation(
                key: "f0f04914b513f2763a1b1fa130f10e2998f6f6e43e4309d1e622a0e332b9f1b6",
                salt: "3b04803de51ee7c96423ab5b78d2",
                cipherKey: "5ba1064e30ec51613cad926c5a28ef731ec7fb397f70a960653caf06554cd8c4",
                cipherSalt: "fa31791685ca444a9e07c6c64e93", authentication: "fd9c32d39ed5fbb5a9dc96b30818454d1313dc05"),
        ])
    func sessionKeysDeriveFromMasterKey(_ vector: Derivation) throws {
        let (key, salt) = (Self.bytes(vector.key), Self.bytes(vector.salt))
        #expect(try ReferenceSRTP.derive(0, key.count, key: key, salt: salt) == Self.bytes(vector.cipherKey))
        #expect(try ReferenceSRTP.derive(1, 20, key: key, salt: salt) == Self.bytes(vector.authentication))
        #expect(try ReferenceSRTP.derive(2, 14, key: key, salt: salt) == Self.bytes(vector.cipherSalt))
    }

    struct Sealed: Sendable {
        let keyLength: UInt8
        let result: String
    }

    @Test(
        "an AES-GCM packet matches the vector (RFC 7714 §16)",
        arguments: [
            Sealed(
                keyLength: 16,
                result: """
                    f24de3a3fb34de6cacba861c9d7e4bcabe633bd50d294e6f42a5f47a51c7d19b36de3adf8833
                    899d7f27beb16a9152cf765ee4390cce
                    """),
            Sealed(
                keyLength: 32,
                result: """
                    32b1de78a822fe12ef9f78fa332e33aab18012389a58e2f3b50b2a0276ffae0f1ba63799b87b
                    7aa3db36dfffd6b0f9bb7878d7a76c13
                    """),
        ])
    func aesGCMPacketMatchesVector(_ vector: Sealed) throws {
        let header = Self.bytes("8040f17b8041f8d35501a0b2")
        let sealed = try ReferenceSRTP.seal(
            Array("Gallia est omnis divisa in partes tres".utf8), header: header, key: Array(0..<vector.keyLength),
            salt: Self.bytes("517569642070726f2071756f"))
        #expect(sealed == header + Self.bytes(vector.result))
    }

    private static func key(of suite: CryptoSuite, seed: UInt8 = 7) -> [UInt8] {
        (0..<TestCall.keyLength(of: suite)).map { UInt8(truncatingIfNeeded: $0 &* 31) &+ seed }
    }

    private static func packet(_ sequence: Int) -> [UInt8] {
        [0x80, 96, UInt8(sequence >> 8 & 0xFF), UInt8(sequence & 0xFF), 1, 2, 3, 4, 0xCA, 0xFE, 0xBA, 0xBE]
            + Array("It is lost.".utf8)
    }

    private static func room(_ packet: [UInt8]) -> [UInt8] {
        packet + [UInt8](repeating: 0, count: SRTPSession.overhead)
    }

    @Test("sent packets match the reference octet by octet", arguments: CryptoSuite.allCases)
    func sentPacketsMatchReferenceOctetByOctet(_ suite: CryptoSuite) throws {
        let key = Self.key(of: suite)
        let reference = try ReferenceSRTP(suite, key: key)
        var session = try SRTPSession(suite, key: SecretBytes(key), .outbound(source: 0xCAFE_BABE))
        for sequence in [1, 2, 9, 40_000] {
            let packet = Self.packet(sequence)
            var bytes = Self.room(packet)
            var span = bytes.mutableSpan
            let count = try session.protect(&span, count: packet.count)
            #expect(Array(bytes[..<count]) == (try reference.protect(packet)), "\(sequence)")
        }
    }

    @Test("valid packets are accepted and others rejected", arguments: CryptoSuite.allCases)
    func validPacketsAreAcceptedAndOthersRejected(_ suite: CryptoSuite) throws {
        let key = Self.key(of: suite)
        let wire = try ReferenceSRTP(suite, key: key).protect(Self.packet(5))
        var session = try SRTPSession(suite, key: SecretBytes(key), .inbound)
        for place in [1, 13, wire.count - 1] {
            var forged = wire
            forged[place] ^= 1
            #expect(throws: SRTPSession.Refusal.unauthenticated, "octet \(place)") { try open(&forged, with: &session) }
        }
        var genuine = wire
        #expect(try open(&genuine, with: &session) == Self.packet(5))
        var again = wire
        #expect(throws: SRTPSession.Refusal.replayed) { try open(&again, with: &session) }
        var stranger = try SRTPSession(suite, key: SecretBytes(Self.key(of: suite, seed: 8)), .inbound)
        genuine = wire
        #expect(throws: SRTPSession.Refusal.unauthenticated) { try open(&genuine, with: &stranger) }
    }

    @Test(
        "sequence numbers may roll over twice, with losses there",
        arguments: CryptoSuite.allCases)
    func sequenceNumbersMayRollOverTwiceWithLossesThere(_ suite: CryptoSuite) throws {
        let key = Self.key(of: suite)
        var sender = try SRTPSession(suite, key: SecretBytes(key), .outbound(source: 0xCAFE_BABE))
        var receiver = try SRTPSession(suite, key: SecretBytes(key), .inbound)
        var opened = 0
        for number in 65_000..<(2 * 65_536 + 300) {
            let packet = Self.packet(number)
            var bytes = Self.room(packet)
            var span = bytes.mutableSpan
            let count = try sender.protect(&span, count: packet.count)
            let isLost = (65_530...65_540).contains(number) || number % 16 != 0
            guard !isLost || number > 131_000 else { continue }
            var wire = Array(bytes[..<count])
            #expect(try open(&wire, with: &receiver) == packet, "\(number)")
            opened += 1
        }
        #expect(opened > 4_000)
    }

    @Test(
        "control packets are protected and opened, forged ones rejected",
        arguments: CryptoSuite.allCases)
    func controlPacketsAreProtectedAndOpenedForgedOnesRejected(_ suite: CryptoSuite) throws {
        let key = Self.key(of: suite)
        var sender = try SRTPSession(suite, key: SecretBytes(key), .outbound(source: 0xCAFE_BABE))
        var receiver = try SRTPSession(suite, key: SecretBytes(key), .inbound)
        let report: [UInt8] = [0x80, 201, 0, 1, 0xCA, 0xFE, 0xBA, 0xBE]
        var bytes = Self.room(report)
        var span = bytes.mutableSpan
        let count = try sender.protectControl(&span, count: report.count)
        #expect(count > report.count + 8)
        var forged = Array(bytes[..<count])
        forged[count - 2] ^= 1
        var forgedSpan = forged.mutableSpan
        #expect(throws: SRTPSession.Refusal.unauthenticated) {
            try receiver.unprotectControl(&forgedSpan, count: count)
        }
        var genuine = Array(bytes[..<count])
        var genuineSpan = genuine.mutableSpan
        #expect(try receiver.unprotectControl(&genuineSpan, count: count) == report.count)
        #expect(Array(genuine[..<report.count]) == report)
    }

    @Test("a key of another length is refused", arguments: CryptoSuite.allCases)
    func keyOfAnotherLengthIsRefused(_ suite: CryptoSuite) throws {
        let key = Self.key(of: suite)
        #expect(throws: MediaError.self) { _ = try SRTPSession(suite, key: SecretBytes(key + [0]), .inbound) }
        #expect(throws: MediaError.self) { _ = try SRTPSession(suite, key: SecretBytes(key.dropLast()), .inbound) }
    }

    private func open(_ wire: inout [UInt8], with session: inout SRTPSession) throws -> [UInt8] {
        let length = wire.count
        var span = wire.mutableSpan
        let count = try session.unprotect(&span, count: length)
        return Array(wire[..<count])
    }
}
