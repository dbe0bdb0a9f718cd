import Base
import ICECore
import Testing

@Suite("STUN messages")
struct STUNTests {
    /// RFC 5769 §2.2: a response with software, mapped address, integrity and fingerprint.
    private static let response: [UInt8] = [
        0x01, 0x01, 0x00, 0x3C, 0x21, 0x12, 0xA4, 0x42, 0xB7, 0xE7, 0xA7, 0x01, 0xBC, 0x34, 0xD6, 0x86, 0xFA, 0x87,
        0xDF, 0xAE, 0x80, 0x22, 0x00, 0x0B, 0x74, 0x65, 0x73, 0x74, 0x20, 0x76, 0x65, 0x63, 0x74, 0x6F, 0x72, 0x20,
        0x00, 0x20, 0x00, 0x08, 0x00, 0x01, 0xA1, 0x47, 0xE1, 0x12, 0xA6, 0x43, 0x00, 0x08, 0x00, 0x14, 0x2B, 0x91,
        0xF5, 0x99, 0xFD, 0x9E, 0x90, 0xC3, 0x8C, 0x74, 0x89, 0xF9, 0x2A, 0xF9, 0xBA, 0x53, 0xF0, 0x6B, 0xE7, 0xD7,
        0x80, 0x28, 0x00, 0x04, 0xC0, 0x7D, 0x4C, 0x96,
    ]
    private static let source = TransportAddress(IPAddress(bytes: [192, 0, 2, 1])!, 32_853)

    private func request(seed: UInt64 = 1, _ attributes: [STUNMessage.Attribute] = []) -> STUNMessage {
        var generator = SeededGenerator(seed: seed)
        return STUNMessage(.request, id: .init(using: &generator), attributes: attributes)
    }

    @Test("the response of RFC 5769 is read with its fingerprint")
    func responseOfRFC5769IsReadWithItsFingerprint() throws {
        let message = try STUNMessage(Self.response.span)
        #expect(message.kind == .success && message.method == STUNMessage.binding && message.hasFingerprint)
        #expect(message.mappedAddress == Self.source)
    }

    @Test("a wrong fingerprint is rejected, whichever byte changed")
    func wrongFingerprintIsRejectedWhicheverByteChanged() {
        // Any type other than a fingerprint's would not be checked.
        for index in 20..<Self.response.count where index / 2 != (Self.response.count - 8) / 2 {
            var bytes = Self.response
            bytes[index] ^= 0x40
            #expect(throws: STUNError.self) { try read(bytes) }
        }
    }

    @Test("a binding request gets its source address", arguments: ["192.0.2.1", "2001:db8::7"])
    func bindingRequestGetsItsSourceAddress(host: String) throws {
        let source = TransportAddress(try #require(IPAddress(host)), 5_060)
        let request = request()
        let answer = try #require(try STUNMessage(request.bytes.span).answer(to: source))
        let heard = try STUNMessage(answer.bytes.span)
        #expect(heard == answer && heard.id == request.id && heard.mappedAddress == source)
        // Nothing else is answered, or two agents could answer each other forever.
        #expect(heard.answer(to: source) == nil)
        var indication = request
        indication.kind = .indication
        #expect(indication.answer(to: source) == nil)
    }

    @Test("unknown required attributes are named, optional ones skipped")
    func unknownRequiredAttributesAreNamedOptionalOnesSkipped() throws {
        let asked = request([.init(0x0777, [1, 2, 3]), .init(0x8777, [1]), .init(0x0006, [65])])
        let answer = try #require(asked.answer(to: Self.source))
        #expect(answer.kind == .failure)
        #expect(answer.attributes.map(\.type) == [0x0009, 0x000A] && answer.attributes[1].value == [0x07, 0x77])
        #expect(request([.init(0x8777, [1])]).answer(to: Self.source)?.kind == .success)
    }

    @Test("every class and method round-trips")
    func everyClassAndMethodRoundTrips() throws {
        for kind in [STUNMessage.Class.request, .indication, .success, .failure] {
            for method: UInt16 in [0, 1, 0x0F, 0x70, 0xF80, 0xFFF] {
                var message = request()
                (message.kind, message.method) = (kind, method)
                #expect(try read(message.bytes) == message)
            }
        }
    }

    /// A span made by an expectation breaks compilers up to Swift 6.3.
    private func read(_ bytes: [UInt8]) throws -> STUNMessage { try STUNMessage(bytes.span) }

    @Test("other, oversized or truncated bytes are rejected with a reason")
    func otherOversizedOrTruncatedBytesAreRejectedWithReason() throws {
        let good = request([.init(0x8022, [1, 2, 3])]).bytes
        #expect(throws: STUNError.notSTUN) { try read(Array(good.prefix(19))) }
        #expect(throws: STUNError.length) { try read(good.dropLast(4)) }
        #expect(throws: STUNError.tooLong) { try read([UInt8](repeating: 0, count: 1_281)) }
        var long = good
        long[23] = 0xFF
        #expect(throws: STUNError.attribute) { try read(long) }
        var other = good
        other[4] = 0
        #expect(throws: STUNError.notSTUN) { try read(other) }
    }

    @Test("no bytes crash the reader")
    func noBytesCrashReader() {
        var generator = SeededGenerator(seed: 3)
        var refusals = 0
        for round in 0..<20_000 {
            var bytes = request(seed: UInt64(round), [.init(0x8022, [1, 2, 3, 4, 5])]).bytes
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(
                    in: .min ... .max, using: &generator)
            }
            bytes.removeLast(Int.random(in: 0...8, using: &generator))
            if (try? STUNMessage(bytes.span)) == nil { refusals += 1 }
        }
        #expect(refusals > 10_000)
    }
}
