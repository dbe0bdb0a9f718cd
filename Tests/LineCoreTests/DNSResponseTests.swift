import Base
import LineCore
import Testing

@Suite("DNS responses")
struct DNSResponseTests {
    /// A response with a question for `d.example` and answers behind it.
    private func response(_ answers: [(type: UInt16, life: UInt32, data: [UInt8])]) -> [UInt8] {
        var bytes: [UInt8] = [0, 1, 0x81, 0x80, 0, 1]
        bytes.append(bigEndian: UInt16(answers.count))
        bytes += [0, 0, 0, 0] + Self.name("d.example") + [0, 33, 0, 1]
        for answer in answers {
            // The name of the question again, as a pointer.
            bytes += [0xC0, 12]
            bytes.append(bigEndian: answer.type)
            bytes += [0, 1]
            bytes.append(bigEndian: answer.life)
            bytes.append(bigEndian: UInt16(answer.data.count))
            bytes += answer.data
        }
        return bytes
    }

    private func read(_ bytes: [UInt8]) throws(DNSResponse.Fault) -> DNSResponse { try DNSResponse(bytes.span) }

    private static func name(_ text: String) -> [UInt8] {
        text.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
    }

    @Test("server records are read with compressed names, and the shortest lifetime counts")
    func serverRecordsAreReadWithCompressedNames() throws {
        let bytes = response([
            (5, 3_600, [0xC0, 12]), (33, 300, [0, 1, 0, 2, 0x13, 0xC4, 1, 0x61, 0xC0, 12]),
            (33, 60, [0, 2, 0, 0, 0, 5] + Self.name("b.example")),
        ])
        let answer = try read(bytes)
        let expected = [
            SRVRecord(priority: 1, weight: 2, port: 5_060, target: "a.d.example"),
            SRVRecord(priority: 2, weight: 0, port: 5, target: "b.example"),
        ]
        #expect(answer.answer == .srv(expected) && answer.timeToLive == 60)
    }

    @Test("NAPTR preferences are read")
    func naptrPreferencesAreRead() throws {
        let words: [UInt8] = [1, 0x73, 8] + Array("SIPS+D2T".utf8) + [0]
        let bytes = response([(35, 9, [0, 1, 0, 2] + words + Self.name("_sips._tcp.d.example"))])
        let expected = NAPTRecord(
            order: 1, preference: 2, flags: "s", service: "SIPS+D2T", replacement: "_sips._tcp.d.example")
        #expect(try read(bytes).answer == .naptr([expected]))
        #expect(try read(response([])).answer == .nothing)
    }

    @Test("looping, forward and endless names are rejected; a name without a host has no owner")
    func loopingForwardAndEndlessNamesAreRejected() throws {
        #expect(throws: DNSResponse.Fault.name) {
            try read(response([(33, 1, [0, 1, 0, 2, 0, 5, 0xC0, 0xFF])]))
        }
        let self_: [UInt8] = [0, 1, 0, 2, 0, 5, 0xC0, 45]
        #expect(throws: DNSResponse.Fault.self) { try read(response([(33, 1, self_)])) }
        let label: [UInt8] = [63] + [UInt8](repeating: 0x61, count: 63)
        let long = [UInt8](repeating: 0, count: 6) + Array(repeatElement(label, count: 6).joined()) + [0]
        #expect(throws: DNSResponse.Fault.name) { try read(response([(33, 1, long)])) }
        let strange: [UInt8] = [0, 1, 0, 2, 0, 5, 3, 0x61, 0x0D, 0x0A, 0]
        let answer = try read(response([(33, 1, strange)]))
        #expect(answer.answer == .srv([SRVRecord(priority: 1, weight: 2, port: 5, target: "")]))
    }

    @Test("no bytes crash the reader, and every truncation is an error")
    func noBytesCrashReaderAndEveryTruncationIsError() {
        let good = response([(33, 300, [0, 1, 0, 2, 0x13, 0xC4, 1, 0x61, 0xC0, 12])])
        for count in 0..<good.count {
            #expect(throws: DNSResponse.Fault.self) { try read(Array(good.prefix(count))) }
        }
        var generator = SeededGenerator(seed: 6)
        var refused = 0
        for _ in 0..<20_000 {
            var bytes = good
            for _ in 0..<4 {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            if (try? read(bytes)) == nil { refused += 1 }
        }
        #expect(refused > 1_000)
    }
}
