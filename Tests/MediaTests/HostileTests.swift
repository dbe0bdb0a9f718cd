import Base
import Glibc
import Media
import PhoneCore
import Testing

extension RealTime {
    @Suite
    struct HostileTests {
        @Test
        func wrongKeyIsCountedAndNeverHeard() throws {
            let call = try TestCall(keyHeardByB: [UInt8](repeating: 1, count: 30))
            #expect(call.a.log.wait(for: .firstVoice(TestPhone.call)), "the other direction works")
            let start = WireFile.now()
            call.a.device.mouth.say(TestSignal.speech(seconds: 0.8), at: start)
            listen(milliseconds: 1_000)
            let statistics = call.b.media.statistics
            #expect(statistics.unauthenticated > 20)
            #expect(statistics.packetsReceived == 0)
            #expect(call.b.device.ear.heard(start..<start + 40_000).allSatisfy { $0 == 0 })
            #expect(call.b.log.count { $0 == .firstVoice(TestPhone.call) } == 0)
        }

        @Test
        func garbageOnBothPortsDisturbsNothing() throws {
            let call = try TestCall()
            #expect(call.isUp())
            var random = SeededGenerator(seed: 7)
            let socket = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            defer { close(socket) }
            for round in 0..<4_000 {
                var packet = (0..<Int.random(in: 0...1_600, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                // Half of them look like RTP or RTCP.
                if round % 2 == 0, packet.count > 1 { (packet[0], packet[1]) = (0x80, round % 4 == 0 ? 111 : 200) }
                Self.send(packet, on: socket, to: call.b.port + UInt16(round / 2 % 2))
            }
            let carried = call.carry(seconds: 1)
            let match = try #require(carried)
            #expect(match.correlation > 0.8)
            let statistics = call.b.media.statistics
            #expect(statistics.unauthenticated + statistics.strangers + statistics.malformed > 1_000)
        }

        /// Keys that return keep their replay list.
        @Test
        func replayIsRefusedWhenKeyReturns() throws {
            let (phone, peer) = (try TestPhone(), try DeskPhone())
            #expect(phone.open())
            let key = [UInt8](0..<30)
            var plan = peer.plan
            plan.protection = .sdes(
                .init(suite: .aes128Tag80, sendKey: SecretBytes(key), receiveKey: SecretBytes(key)))
            #expect(phone.connect(plan))
            let reference = try ReferenceSRTP(.aes128Tag80, key: key)
            let packets = try (1...20).map { number in
                let header = [0x80, 0, 0, UInt8(number), 0, 0, UInt8(number * 160 >> 8), UInt8(number * 160 & 0xFF)]
                return try reference.protect(header + [1, 2, 3, 4] + [UInt8](repeating: 0x55, count: 160))
            }
            for packet in packets { peer.send(packet, to: phone.port) }
            listen(milliseconds: 200)
            #expect(phone.media.statistics.packetsReceived == packets.count)
            let (protection, another) = (plan.protection, [UInt8](repeating: 9, count: 28))
            for between in [
                nil,
                NegotiatedMedia.Protection.sdes(
                    .init(suite: .gcm128, sendKey: SecretBytes(another), receiveKey: SecretBytes(another))),
            ] {
                plan.protection = between
                phone.perform(.update(TestPhone.call, plan))
                plan.protection = protection
                phone.perform(.update(TestPhone.call, plan))
                listen(milliseconds: 200)
                for packet in packets { peer.send(packet, to: phone.port) }
                listen(milliseconds: 200)
            }
            #expect(phone.media.statistics.packetsReceived == packets.count)
            #expect(phone.media.statistics.replayed == 2 * packets.count)
        }

        /// Faster than any finger: the phone must still hear other peers.
        @Test
        func floodOfDigitsIsBoundedAndNextOneIsHeard() throws {
            let (phone, peer) = (try TestPhone(), try DeskPhone())
            #expect(phone.open())
            var plan = peer.plan
            plan.telephoneEvents = .init(sendPayloadType: 101, receivePayloadType: 101, clockRate: 8_000)
            #expect(phone.connect(plan))
            let start = WireFile.now()
            for number in 1...2_000 {
                peer.send(payloadType: 101, number, payload: [UInt8(number % 10), 0x8A, 0, 160], to: phone.port)
            }
            listen(milliseconds: 1_000)
            let told = { phone.log.count { if case .dtmfReceived = $0 { true } else { false } } }
            let milliseconds = Int(WireFile.now() - start) / 48
            #expect((16...16 + milliseconds / 40).contains(told()), "\(told()) in \(milliseconds) ms")
            #expect(phone.media.statistics.overflows > 100)
            peer.send(payloadType: 101, 2_001, payload: [11, 0x8A, 0, 160], to: phone.port)
            #expect(phone.log.wait(for: .dtmfReceived(TestPhone.call, .pound)))
        }

        @Test
        func portInUseIsTypedFailure() throws {
            let first = try TestPhone()
            #expect(first.open())
            let second = try TestPhone { $0.ports = first.port...first.port + 1 }
            second.perform(.open(TestPhone.call, .direct))
            let reason = second.log.wait { event -> String? in
                if case .failed(TestPhone.call, let reason) = event { reason } else { nil }
            }
            #expect(reason?.contains("Address already in use") == true)
            #expect(reason?.contains("\(first.port)") == true)
        }

        @Test(arguments: ["host.example", "::1", ""])
        func invalidPlanIsFailure(host: String) throws {
            let phone = try TestPhone()
            #expect(phone.open())
            let plan = NegotiatedMedia(
                remote: MediaAddress(host: host, port: 4_000),
                codec: .init(
                    sendPayloadType: 111, receivePayloadType: 111, packetMilliseconds: 20, farEndUsesFEC: true),
                sends: true, receives: true)
            phone.perform(.connect(TestPhone.call, plan))
            let isFailed = phone.log.wait { if case .failed(TestPhone.call, _) = $0 { true } else { nil } }
            #expect(isFailed == true)
            phone.perform(.activate(TestPhone.call), .update(TestPhone.call, plan), .release(TestPhone.call))
        }

        @Test
        func shortKeyIsFailure() throws {
            let phone = try TestPhone()
            #expect(phone.open())
            var plan = phone.plan(to: phone, milliseconds: 20, protection: nil)
            plan.protection = .sdes(
                .init(suite: .aes128Tag80, sendKey: SecretBytes([1, 2]), receiveKey: SecretBytes([3])))
            phone.perform(.connect(TestPhone.call, plan))
            let reason = phone.log.wait { if case .failed(_, let reason) = $0 { reason } else { nil } }
            #expect(reason == "cannot use the negotiated media: a key of 2 octets")
        }

        private static func send(_ packet: [UInt8], on socket: Int32, to port: UInt16) {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            _ = unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe sendto(socket, packet, packet.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
    }
}
