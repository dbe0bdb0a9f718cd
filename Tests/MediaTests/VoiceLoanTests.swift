import Base
import Glibc
import Media
import PhoneCore
import Testing

extension RealTime {
    /// The voice of a call goes from the network thread to the audio thread and back. Whatever happens, each packet is
    /// received once.
    @Suite
    struct VoiceLoanTests {
        private static let key = [UInt8](0..<30)
        private static let nextKey = [UInt8](30..<60)

        private static func protection(_ key: [UInt8]) -> NegotiatedMedia.Protection {
            .sdes(.init(suite: .aes128Tag80, sendKey: SecretBytes(key), receiveKey: SecretBytes(key)))
        }

        /// A packet of 5 ms with this source.
        private static func packet(_ number: Int, from source: UInt8) -> [UInt8] {
            let header = [
                0x80, 0, UInt8(number >> 8), UInt8(number & 0xFF), 0, 0, UInt8(number * 40 >> 8 & 0xFF),
                UInt8(number * 40 & 0xFF), 1, 2, 3, source,
            ]
            return header + [UInt8](repeating: 0x55, count: 40)
        }

        /// Before and after the answer, with sources that appear, alternate and return, and with other keys.
        @Test
        func everyPacketIsReceivedOnceWhileVoiceChangesThreads() throws {
            let (phone, peer) = (try TestPhone(), try DeskPhone())
            #expect(phone.open())
            var plan = peer.plan
            plan.protection = Self.protection(Self.key)
            phone.perform(.connect(TestPhone.call, plan))
            #expect(phone.log.wait(for: .ready(TestPhone.call)))
            var reference = try ReferenceSRTP(.aes128Tag80, key: Self.key)
            var beats = Metronome(milliseconds: 5)
            var sent = 0
            for number in 1...600 {
                beats.wait()
                if number == 50 { phone.perform(.activate(TestPhone.call)) }
                if number == 400 {
                    listen(milliseconds: 100)
                    plan.protection = Self.protection(Self.nextKey)
                    phone.perform(.update(TestPhone.call, plan))
                    listen(milliseconds: 100)
                    reference = try ReferenceSRTP(.aes128Tag80, key: Self.nextKey)
                    beats = Metronome(milliseconds: 5)
                }
                if number % 100 == 0 {
                    var held = plan
                    held.receives = number % 200 == 0
                    phone.perform(.update(TestPhone.call, held))
                }
                // The first source has the most packets. Others come in between, each for the first time once.
                let source = UInt8(number % 40 == 0 ? 2 + number / 120 : 1)
                peer.send(try reference.protect(Self.packet(number, from: source)), to: phone.port)
                sent += 1
            }
            listen(milliseconds: 200)
            let statistics = phone.media.statistics
            #expect(statistics.packetsReceived == sent)
            #expect(statistics.replayed == 0 && statistics.unauthenticated == 0 && statistics.strangers == 0)
            phone.perform(.release(TestPhone.call))
            listen(milliseconds: 50)
            let other = try TestPhone { $0.ports = phone.port...phone.port + 1 }
            #expect(other.open(), "the call is gone, and its port is free")
        }

        /// Calls that end at once, at every step of the loan.
        @Test
        func callEndsWhileVoiceChangesThreads() throws {
            let (phone, peer) = (try TestPhone { $0.ports = 15_010...15_011 }, try DeskPhone())
            for round in 0..<60 {
                let call = CallID(.phone, UInt32(round + 1))
                var endpoint: MediaEndpoint?
                for _ in 0..<50 where endpoint == nil {
                    phone.perform(.open(call, .direct))
                    endpoint = phone.log.wait(seconds: 0) {
                        if case .opened(call, let endpoint) = $0 { endpoint } else { nil }
                    }
                    if endpoint == nil { listen(milliseconds: 5) }
                }
                let port = try #require(endpoint).port
                phone.perform(.connect(call, peer.plan), .activate(call))
                for number in 1...3 {
                    peer.send(payloadType: 0, number, payload: [UInt8](repeating: 0x55, count: 160), to: port)
                }
                usleep(UInt32(round) * 300)
                phone.perform(.release(call))
            }
            let last = CallID(.phone, 1_000)
            var isOpen = false
            for _ in 0..<100 where !isOpen {
                phone.perform(.open(last, .direct))
                isOpen = phone.log.wait(seconds: 0) { if case .opened(last, _) = $0 { true } else { nil } } ?? false
                listen(milliseconds: 5)
            }
            #expect(isOpen, "no call is left over")
        }

        /// The audio thread receives a limited number of packets for each quantum, and the sound goes on.
        @Test
        func floodIsBoundedForEachQuantum() throws {
            let (phone, peer) = (try TestPhone(), try DeskPhone())
            #expect(phone.open())
            #expect(phone.connect(peer.plan))
            for number in 1...50 {
                peer.send(payloadType: 0, number, payload: [UInt8](repeating: 0x55, count: 160), to: phone.port)
                listen(milliseconds: 20)
            }
            let before = phone.media.statistics
            let start = WireFile.now()
            var sent = 0
            while WireFile.now() - start < 48_000 {
                sent += 1
                peer.send(
                    payloadType: 0, 50 + sent % 30_000, payload: [UInt8](repeating: 0x55, count: 160), to: phone.port)
            }
            let after = phone.media.statistics
            let quanta = after.periodsCaptured - before.periodsCaptured
            let received = after.packetsReceived - before.packetsReceived
            #expect(quanta > 80, "the microphone goes on")
            #expect(sent > 4 * received, "it was a flood: \(sent) packets, \(received) received")
            #expect(received <= 32 * 2 * (quanta + 10), "each quantum has at most two wake-ups")
            #expect(after.captureOverruns == before.captureOverruns)
        }
    }
}
