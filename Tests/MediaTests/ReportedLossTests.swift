import Media
import PhoneCore
import Testing

extension RealTime {
    /// The phone's reaction to losses that a far end reports: more bits and redundancy, or fewer bits.
    @Suite
    struct ReportedLossTests {
        struct Sent {
            /// The mean length of a packet, in octets, without its header.
            var mean = 0.0
            /// Packets with their predecessor, too.
            var redundantShare = 0.0
        }

        private func opus(usesFEC: Bool = true, maximum: Int? = nil) -> NegotiatedMedia.Codec {
            .init(
                sendPayloadType: 111, receivePayloadType: 111, packetMilliseconds: 20, maximumBitrate: maximum,
                farEndUsesFEC: usesFEC)
        }

        @Test
        func reportedLossRaisesBitRate() throws {
            let (before, after) = try call(opus(), fractionLost: 13)
            #expect(before.redundantShare == 0)
            #expect(after.redundantShare > 0.7)
            #expect((95...130).contains(after.mean), "of 120, which are 48 kbit/s")
        }

        @Test
        func farEndLimitHolds() throws {
            let (_, after) = try call(opus(maximum: 32_000), fractionLost: 13)
            #expect(after.redundantShare > 0.7)
            #expect(after.mean < 88, "of 80, which are 32 kbit/s")
        }

        @Test
        func farEndWithoutRedundancyGetsNone() throws {
            let (_, after) = try call(opus(usesFEC: false), fractionLost: 13)
            #expect(after.redundantShare == 0)
            #expect(after.mean < 88, "of 80, which are 32 kbit/s")
        }

        @Test
        func overloadedPathGetsLowerBitRate() throws {
            let (before, after) = try call(opus(), fractionLost: 128)
            #expect((55...88).contains(before.mean), "of 80, which are 32 kbit/s")
            #expect(after.mean < 55, "of 40, which are 16 kbit/s")
        }

        /// - Parameter fractionLost: Of the report, in 256ths.
        /// - Returns: The packets of two seconds of speech before the report, and of two after it.
        private func call(_ codec: NegotiatedMedia.Codec, fractionLost: UInt8) throws -> (before: Sent, after: Sent) {
            let phone = try TestPhone()
            let peer = try DeskPhone()
            #expect(phone.open())
            var plan = peer.plan
            plan.codec = codec
            #expect(phone.connect(plan))
            phone.device.mouth.say(TestSignal.speech(seconds: 7), at: WireFile.now())
            listen(milliseconds: 500)
            _ = peer.received()
            listen(milliseconds: 2_000)
            let before = peer.received()
            let source = try #require(before.last { $0[1] & 0x7F == 111 })[8..<12]
            peer.send(report(about: Array(source), fractionLost: fractionLost), to: phone.port)
            listen(milliseconds: 500)
            _ = peer.received()
            listen(milliseconds: 2_000)
            return (Self.sent(before), Self.sent(peer.received()))
        }

        /// A receiver report with one block (RFC 3550 §6.4.2).
        private func report(about source: [UInt8], fractionLost: UInt8) -> [UInt8] {
            [0x81, 201, 0, 7, 1, 2, 3, 4] + source + [fractionLost, 0, 0, 9] + [UInt8](repeating: 0, count: 16)
        }

        private static func sent(_ packets: [[UInt8]]) -> Sent {
            let payloads = packets.filter { $0[1] & 0x7F == 111 }.map { $0.dropFirst(12) }
            guard !payloads.isEmpty else { return Sent() }
            let octets = payloads.reduce(0) { $0 + $1.count }
            let redundant = payloads.count { repeats(Array($0)) }
            return Sent(
                mean: Double(octets) / Double(payloads.count),
                redundantShare: Double(redundant) / Double(payloads.count))
        }

        /// The LBRR flag of a frame of 20 ms, in one channel, that has a SILK part (RFC 6716 §4.2.3).
        private static func repeats(_ payload: [UInt8]) -> Bool { payload[0] >> 3 < 16 && payload[1] & 0x40 != 0 }
    }
}
