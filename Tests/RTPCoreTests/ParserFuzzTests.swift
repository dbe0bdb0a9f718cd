import Base
import RTPCore
import Testing

/// Mutates valid packets from a seed. A trap ends the process, so reaching the end is the test; parsed fields must
/// also stay inside their bytes.
@Suite struct ParserFuzzTests {
    static let rounds = 30_000

    static var seeds: [[UInt8]] {
        let header: [UInt8] = [0xB2, 0x80 | 111, 0, 1, 0, 0, 3, 0xC0, 0xDE, 0xAD, 0xBE, 0xEF]
        let extended: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 2, 0xBE, 0xDE, 0, 1, 0x10, 0xFF, 0, 0, 1, 2, 3, 1]
        let compound = RTCPTests.compound { writer, span in
            writer.appendSenderReport(source: 1, RTCPTests.information, block: RTCPTests.block, to: &span)
            writer.appendSourceDescription(source: 1, canonicalName: [65, 66, 67].span, to: &span)
            writer.appendGoodbye(source: 1, to: &span)
        }
        return [header + extended, compound, [0x81, 203, 0, 2, 0, 0, 0, 1, 2, 65, 66, 0], [5, 0x8A, 1, 0x90]]
    }

    static func mutate(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0...Int(random.next() % 4) {
            let place = bytes.isEmpty ? 0 : Int(random.next() % UInt64(bytes.count))
            switch random.next() % 5 {
            case 0 where !bytes.isEmpty: bytes[place] = UInt8(truncatingIfNeeded: random.next())
            case 1 where !bytes.isEmpty: bytes[place] ^= 1 << (random.next() % 8)
            case 2: bytes.removeLast(min(bytes.count, Int(random.next() % 9)))
            case 3: bytes.insert([0, 0xFF, 0x7F, 0x80].randomElement(using: &random) ?? 0, at: place)
            default: bytes.append(UInt8(truncatingIfNeeded: random.next()))
            }
        }
        return bytes
    }

    @Test(arguments: 0..<4)
    func parsersNeverTrap(seedIndex: Int) {
        var random = SeededGenerator(seed: UInt64(seedIndex) + 1)
        var events = TelephoneEventReceiver()
        var parsed = 0
        for _ in 0..<Self.rounds {
            let bytes = Self.mutate(Self.seeds[seedIndex], &random)
            let whole = 0..<bytes.count
            _ = MuxedPacket(classifying: bytes.span)
            if let header = try? RTPHeader(parsing: bytes.span) {
                parsed += 1
                #expect(header.payload.clamped(to: whole) == header.payload)
                _ = events.receive(header, payload: bytes.span.extracting(header.payload), at: .zero)
            }
            var reader = RTCPReader()
            while let packet = try? reader.next(in: bytes.span) {
                parsed += 1
                Self.look(at: packet, in: bytes)
            }
        }
        #expect(seedIndex == 3 || parsed > Self.rounds / 20)
    }

    static func look(at packet: RTCPPacket, in bytes: [UInt8]) {
        switch packet {
        case .senderReport(_, _, let blocks), .receiverReport(_, let blocks):
            #expect(blocks.count <= 31)
            for index in 0..<blocks.count { _ = blocks.block(index, in: bytes.span) }
        case .sourceDescription(_, let name):
            if let name { _ = bytes[name] }
        case .goodbye(let sources, let reason):
            _ = bytes[sources]
            if let reason { _ = bytes[reason] }
        case .extendedReport(_, var blocks):
            var count = 0
            while let block = blocks.next(in: bytes.span) {
                count += 1
                if case .other(_, let body) = block { _ = bytes[body] }
            }
            #expect(count <= bytes.count / 4)
        case .other(_, let body): _ = bytes[body]
        }
    }

    /// Arbitrary sequence numbers, timestamps and times into the jitter buffer, with takes in between.
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func jitterBufferSurvivesAnyInput(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var configuration = JitterBuffer.Configuration(clockRate: [8_000, 48_000][Int(seed % 2)])
        configuration.capacity = 16
        configuration.payloadLimit = 64
        configuration.usesForwardCorrection = seed % 3 == 0
        var buffer = JitterBuffer(configuration)
        let payload = [UInt8](repeating: 1, count: 80)
        var isOwnPayload = true
        var (sequence, timestamp, now) = (UInt16.max - 3, UInt32.max - 1_000, Int64(0))
        for _ in 0..<20_000 {
            let isWild = random.next() % 20 == 0
            sequence &+= isWild ? UInt16(truncatingIfNeeded: random.next()) : UInt16(random.next() % 3)
            timestamp &+= isWild ? UInt32(truncatingIfNeeded: random.next()) : 960
            now += Int64(random.next() % 40_000_000) - (isWild ? 20_000_000 : 0)
            let header = RTPHeader(
                payloadType: 0, sequence: sequence, timestamp: timestamp,
                source: UInt32(random.next() % 40 == 0 ? 1 : 0))
            _ = buffer.insert(
                header, ticks: Int(random.next() % 1_100),
                payload: payload.span.extracting(first: Int(random.next() % 80)),
                at: Instant(nanoseconds: now))
            let asked = Instant(nanoseconds: now)
            let decision = buffer.take(Int(random.next() % 960) + 1, of: 960, at: asked)
            switch decision {
            case .decode(let frame), .recover(let frame):
                // Only inserted bytes: there are no zeros in it.
                let bytes = buffer.payload(of: frame)
                isOwnPayload = isOwnPayload && bytes.count == frame.count && bytes.indices.allSatisfy { bytes[$0] == 1 }
            case .conceal, .silence: break
            }
            if case .decode(let frame) = decision { buffer.stretched(by: frame.stretch / 2, at: asked) }
        }
        #expect(isOwnPayload)
        let counters = buffer.statistics.counters
        #expect(counters.received > 0 && counters.playedTicks > 0 && counters.restarts > 0)
    }
}
