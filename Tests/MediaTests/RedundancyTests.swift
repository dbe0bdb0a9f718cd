import Media
import PhoneCore
import RTPCore
import Testing

extension RealTime {
    /// Packets that repeat the former one (RFC 2198), at a peer with PCMU.
    @Suite
    struct RedundancyTests {
        private static let redundant: UInt8 = 121

        private let phone: TestPhone
        private let peer: DeskPhone

        init() throws {
            phone = try TestPhone()
            peer = try DeskPhone()
            #expect(phone.open())
            var plan = peer.plan
            plan.redundancy = .init(sendPayloadType: Self.redundant, receivePayloadType: Self.redundant)
            #expect(phone.connect(plan))
        }

        private static func frame(_ number: Int) -> [UInt8] { [UInt8](repeating: UInt8(0x10 + number % 8), count: 160) }

        /// A payload of a frame and the frame before it, 160 ticks older.
        private static func repeating(_ number: Int) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: RedundantPayload.overhead)
            var span = bytes.mutableSpan
            RedundantPayload.writeHeaders(older: (0, 160, 160), newest: 0, into: &span, at: 0)
            return bytes + frame(number - 1) + frame(number)
        }

        @Test
        func redundancyRepairsLostPacket() throws {
            var beats = Metronome(milliseconds: 20)
            for number in 1..<400 {
                if number % 4 != 0 {
                    peer.send(payloadType: Self.redundant, number, payload: Self.repeating(number), to: phone.port)
                }
                beats.wait()
            }
            let quality = phone.log.quality()
            let concealed = try #require(quality?.concealedPercent)
            print("a quarter of the packets lost, each repeated: \(concealed) % concealed")
            #expect(concealed < 8, "a quarter was lost")
            #expect(phone.media.statistics.malformed == 0 && phone.media.statistics.undecodable == 0)
        }

        @Test
        func truncatedPacketIsCounted() {
            for number in 1..<20 {
                let payload = Array(Self.repeating(number).prefix(number))
                peer.send(payloadType: Self.redundant, number, payload: payload, to: phone.port)
            }
            listen(milliseconds: 100)
            #expect(phone.media.statistics.packetsReceived == 19)
            #expect(phone.media.statistics.malformed == 19)
        }

        @Test
        func redundancyIsSentWhileFarEndLosesPackets() throws {
            peer.send(payloadType: 0, 1, payload: Self.frame(1), to: phone.port)
            phone.device.mouth.say(TestSignal.speech(seconds: 4), at: WireFile.now())
            listen(milliseconds: 400)
            let calm = peer.received().filter { $0[1] & 0x7F < 72 }
            #expect(calm.count > 10 && calm.allSatisfy { $0[1] & 0x7F == 0 && $0.count == 172 })
            try report(loss: 48, about: calm)
            listen(milliseconds: 800)
            let lossy = peer.received().filter { $0[1] & 0x7F == Self.redundant }
            #expect(lossy.count > 20)
            for (packet, next) in zip(lossy, lossy.dropFirst()) where next[3] == packet[3] &+ 1 {
                let payload = Array(next[12...])
                let content = try RedundantPayload(parsing: payload.span)
                #expect(content.olderCount == 1 && content.older(0).age == 160 && content.older(0).payloadType == 0)
                #expect(payload[content.older(0).range] == packet.suffix(160), "what was sent before")
                #expect(content.newest.payloadType == 0 && content.newest.range.count == 160)
            }
            try report(loss: 0, about: calm)
            #expect(try repeats(), "one report without loss ends nothing")
            for _ in 0..<8 { try report(loss: 0, about: calm) }
            #expect(try !repeats())
            try report(loss: 128, about: calm)
            #expect(try !repeats(), "a full path needs fewer bits")
        }

        /// Whether all packets from now on repeat their predecessor, or none does.
        private func repeats() throws -> Bool {
            listen(milliseconds: 100)
            _ = peer.received()
            listen(milliseconds: 300)
            let types = Set(peer.received().map { $0[1] & 0x7F }.filter { $0 < 72 || $0 == Self.redundant })
            return try #require(types.count == 1 ? types.first : nil) == Self.redundant
        }

        /// A receiver report (RFC 3550 §6.4.2).
        private func report(loss: UInt8, about packets: [[UInt8]]) throws {
            let source = Array(try #require(packets.last)[8..<12])
            let block = source + [loss] + [UInt8](repeating: 0, count: 19)
            peer.send([0x81, 201, 0, 7, 1, 2, 3, 4] + block, to: phone.port)
        }
    }
}
