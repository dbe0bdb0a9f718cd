import Base
import Cryptography
import ICECore
import Testing

@Suite("Integrity of STUN messages")
struct IntegrityTests {
    private let key = STUNKey(password: Vectors.password)

    @Test(
        "the short-term messages of RFC 5769 are verified",
        arguments: [
            Vectors.request, Vectors.responseVersion4, Vectors.responseVersion6,
        ])
    func shortTermMessagesOfRFC5769AreVerified(_ vector: [UInt8]) throws {
        let message = try STUNMessage(vector.span)
        let proven = try #require(message.proven(by: key, in: vector, .real))
        #expect(proven.id == message.id && proven.attributes.count == message.attributes.count - 1)
        #expect(message.proven(by: STUNKey(password: Redacted("another")), in: vector, .real) == nil)
        #expect(message.proven(by: key, in: vector, .real, integrity: .sha256) == nil)
    }

    @Test("their values are read")
    func theirValuesAreRead() throws {
        let request = try STUNMessage(Vectors.request.span)
        #expect(request.text(AttributeType.username) == "evtj:h6vY")
        #expect(request.number(AttributeType.priority, as: UInt32.self) == 0x6E00_01FF)
        #expect(request.number(AttributeType.iceControlled, as: UInt64.self) == 0x932F_F9B1_5126_3B36)
        let response = try STUNMessage(Vectors.responseVersion6.span)
        let address = try #require(IPAddress("2001:db8:1234:5678:11:2233:4455:6677"))
        #expect(response.mappedAddress == TransportAddress(address, 32_853))
    }

    @Test("any changed or missing byte fails verification")
    func anyChangedOrMissingByteFailsVerification() {
        for index in Vectors.request.indices.dropLast(8) {
            var bytes = Vectors.request
            bytes[index] ^= 1
            // Without the fingerprint, which would detect it first.
            bytes.removeLast(8)
            bytes[3] &-= 8
            let message = try? STUNMessage(bytes.span)
            #expect(message?.proven(by: key, in: bytes, .real) == nil, "byte \(index)")
        }
    }

    @Test("attributes after the integrity are ignored")
    func attributesAfterIntegrityAreIgnored() throws {
        var generator = SeededGenerator(seed: 7)
        var message = STUNMessage(.request, id: .init(using: &generator), hasFingerprint: false)
        message.attributes = [.init(AttributeType.username, "a:b")]
        var written = message.bytes(provenBy: key, .real)
        written += [0x00, 0x25, 0x00, 0x00]
        written[3] += 4
        let heard = try STUNMessage(written.span)
        #expect(heard.value(AttributeType.useCandidate) != nil)
        #expect(heard.proven(by: key, in: written, .real)?.attributes == message.attributes)
    }

    @Test(
        "a written message is verified, whatever follows", arguments: [MessageIntegrity.sha1, .sha256], [true, false])
    func writtenMessageIsVerifiedWhateverFollows(_ integrity: MessageIntegrity, hasFingerprint: Bool) throws {
        var generator = SeededGenerator(seed: 8)
        for count in 0..<9 {
            let message = STUNMessage(
                .indication, id: .init(using: &generator),
                attributes: [.init(0x8022, [UInt8](repeating: 1, count: count))], hasFingerprint: hasFingerprint)
            let written = message.bytes(provenBy: key, .real, integrity: integrity)
            let heard = try STUNMessage(written.span)
            #expect(heard.hasFingerprint == hasFingerprint)
            #expect(heard.proven(by: key, in: written, .real, integrity: integrity) == message)
        }
    }

    @Test("keys and passwords are never printed")
    func keysAndPasswordsAreNeverPrinted() {
        let credentials = LongTermCredentials(user: "alice", password: Redacted("hush-hush"))
        for text in ["\(key)", String(reflecting: key), "\(credentials)", String(reflecting: credentials)] {
            #expect(!text.contains("hush") && !text.contains("VOk") && !text.contains("86, 79"))
        }
        var dumped = ""
        dump(LongTermAuthentication(credentials, .real), to: &dumped)
        #expect(!dumped.contains("hush"))
    }
}
