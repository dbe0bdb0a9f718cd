import Media
import PhoneCore
import Testing

extension RealTime {
    /// Opus sends little during silence if the far end supports it (RFC 7587 `usedtx`).
    @Suite
    struct SilenceTests {
        @Test(arguments: [true, false])
        func discontinuousTransmissionNeedsFarEndSupport(usesDTX: Bool) throws {
            let phone = try TestPhone()
            let peer = try DeskPhone()
            #expect(phone.open())
            var plan = peer.plan
            plan.codec = .init(
                sendPayloadType: 111, receivePayloadType: 111, packetMilliseconds: 20, farEndUsesFEC: true,
                farEndUsesDTX: usesDTX)
            #expect(phone.connect(plan))
            listen(milliseconds: 1_500)
            _ = peer.received()
            listen(milliseconds: 2_000)
            let silent = Self.voice(peer).count
            #expect(usesDTX ? (1...12).contains(silent) : silent > 60, "\(silent) packets of 2 s of silence")

            phone.device.mouth.say(TestSignal.speech(seconds: 2), at: WireFile.now())
            listen(milliseconds: 1_500)
            let spoken = Self.voice(peer)
            #expect(spoken.count > 40, "\(spoken.count) packets of 1.5 s of speech")
            // The first packet after silence has the marker, and its timestamp includes the pause (RFC 3551 §4.1).
            if usesDTX { #expect(spoken.contains { $0[1] & 0x80 != 0 }) }
            for (packet, next) in zip(spoken, spoken.dropFirst()) where next[1] & 0x80 == 0 {
                #expect(Self.timestamp(next) &- Self.timestamp(packet) == 960)
            }
        }

        private static func voice(_ peer: DeskPhone) -> [[UInt8]] { peer.received().filter { $0[1] & 0x7F == 111 } }

        private static func timestamp(_ packet: [UInt8]) -> UInt32 {
            packet[4..<8].reduce(0) { $0 << 8 | UInt32($1) }
        }
    }
}
