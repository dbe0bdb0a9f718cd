import AllocationWatch
import Base
import Media
import PhoneCore
import ReferenceWatch
import SoundCore
import Testing

extension RealTime {
    /// A far end may send every format of our description that its answer kept, and change between them at any time
    /// (RFC 3264 §6.1).
    @Suite
    struct FormatTests {
        private typealias Format = NegotiatedMedia.Format

        private static let all = AudioCodec.allCases.map {
            Format($0, payloadType: TestPhone.payloadType($0))
        }

        /// One end changes its codec, and the other is not informed.
        @Test(arguments: [false, true])
        func farEndMayChangeCodecUnannounced(isProtected: Bool) throws {
            let call = try TestCall(.pcmu, isProtected: isProtected)
            #expect(call.isUp())
            var heard = call.planB
            heard.otherFormats = Self.all
            call.b.perform(.update(TestPhone.call, heard))
            for codec in [AudioCodec.pcma, .g722, .opus, .pcmu] {
                var plan = call.a.plan(to: call.b, codec, milliseconds: 20, protection: call.planA.sdes)
                plan.otherFormats = Self.all
                call.a.perform(.update(TestPhone.call, plan))
                listen(milliseconds: 300)
                let carried = call.carry(seconds: 1)
                #expect(try #require(carried).correlation > 0.8, "\(codec)")
            }
            #expect(call.b.media.statistics.malformed == 0 && call.b.media.statistics.undecodable == 0)
        }

        private static let note = 440

        /// A packet of the tone in a telephone codec.
        private static func tone(_ number: Int, _ codec: TelephoneCodec, milliseconds: Int = 20) -> [UInt8] {
            let sound = TestSignal.sine(Double(note), amplitude: 8_000, seconds: 0.1)
            var encoder = TelephoneEncoder()
            encoder.use(codec)
            var packet: [UInt8] = []
            // The tone has whole periods in 50 ms, and an encoder takes up to 60 ms at a time.
            for part in 0..<milliseconds / 20 {
                let first = (number * milliseconds + part * 20) % 50 * 48
                let samples = (0..<960).map { sound[first + $0] }
                var octets = [UInt8](repeating: 0, count: 160)
                var span = octets.mutableSpan
                _ = encoder.encode(samples.span, into: &span)
                packet += octets
            }
            return packet
        }

        /// The level of the tone in the phone's last 300 ms.
        private func level(_ phone: TestPhone) -> Double {
            let end = WireFile.now()
            let heard = phone.device.ear.heard(end - 14_400..<end)
            return ToneDetector.level(of: Self.note, in: heard.span)
        }

        private func phone(_ plan: (DeskPhone) -> NegotiatedMedia) throws -> (TestPhone, DeskPhone) {
            let (phone, peer) = (try TestPhone(), try DeskPhone())
            #expect(phone.open() && phone.connect(plan(peer)))
            return (phone, peer)
        }

        /// The two laws have one clock, so nothing is lost between them.
        @Test
        func everyPacketMayChangeLaw() throws {
            let (phone, peer) = try phone { peer in
                var plan = peer.plan
                plan.otherFormats = Self.all
                return plan
            }
            var beats = Metronome(milliseconds: 20)
            for number in 0..<60 {
                let isMu = number % 2 == 0
                peer.send(
                    payloadType: isMu ? 0 : 8, number, payload: Self.tone(number, .g711(isMu ? .mu : .a)),
                    to: phone.port)
                beats.wait()
            }
            #expect(level(phone) > -20)
            #expect(phone.media.statistics.malformed == 0 && phone.media.statistics.undecodable == 0)
        }

        /// RFC 3551 §4.2 asks receivers to accept packets of up to 200 ms.
        @Test
        func longPacketsAreHeard() throws {
            let (phone, peer) = try phone(\.plan)
            var beats = Metronome(milliseconds: 200)
            for number in 0..<8 {
                var header: [UInt8] = [0x80, 0, 0, UInt8(number)]
                header.append(bigEndian: UInt32(1_600 * number))
                header += [1, 2, 3, 4]
                peer.send(header + Self.tone(number, .g711(.mu), milliseconds: 200), to: phone.port)
                beats.wait()
            }
            #expect(level(phone) > -20 && phone.media.statistics.undecodable == 0)
        }

        /// Chrome announces events with two clocks and sends those of 8 kHz beside Opus.
        @Test(arguments: [UInt8(110), 126])
        func digitsOfEveryEventTypeAreHeard(payloadType: UInt8) throws {
            let (phone, peer) = try phone { peer in
                var plan = peer.plan
                plan.telephoneEvents = .init(
                    sendPayloadType: 110, receivePayloadType: 110, otherPayloadTypes: [126], clockRate: 48_000)
                return plan
            }
            peer.send(payloadType: payloadType, 1, payload: [5, 0x0A, 0, 160], to: phone.port)
            #expect(phone.log.wait(for: .dtmfReceived(TestPhone.call, .five)))
            #expect(phone.media.statistics.malformed == 0)
        }

        struct Marked: Sendable {
            let suite: CryptoSuite
            /// Octets behind the key identifier.
            let tag: Int
        }

        /// Packets that name their key (RFC 3711 §3.1).
        @Test(arguments: [
            Marked(suite: .aes128Tag80, tag: 10), Marked(suite: .aes256Tag80, tag: 10),
            Marked(suite: .aes128Tag32, tag: 4), Marked(suite: .gcm128, tag: 0),
        ])
        func packetsWithMKIAreRead(_ marked: Marked) throws {
            let key = Array(TestCall.keyB.prefix(TestCall.keyLength(of: marked.suite)))
            let (phone, peer) = try phone { peer in
                var plan = peer.plan
                let own = Array(TestCall.keyA.prefix(key.count))
                plan.protection = .sdes(
                    .init(
                        suite: marked.suite, sendKey: SecretBytes(own), receiveKey: SecretBytes(key),
                        receiveKeyIdentifier: [0, 0, 0, 1]))
                return plan
            }
            let reference = try ReferenceSRTP(marked.suite, key: key)
            func packet(_ number: UInt8) throws -> [UInt8] {
                try reference.protect([0x80, 0, 0, number, 0, 0, 0, 160, 1, 2, 3, 4] + Self.tone(0, .g711(.mu)))
            }
            var named = try packet(1)
            named.insert(contentsOf: [0, 0, 0, 1], at: named.count - marked.tag)
            peer.send(named, to: phone.port)
            listen(milliseconds: 50)
            #expect(phone.media.statistics.packetsReceived == 1)
            var misnamed = try packet(2)
            misnamed.insert(contentsOf: [0, 0, 0, 2], at: misnamed.count - marked.tag)
            peer.send(misnamed, to: phone.port)
            peer.send(try packet(3), to: phone.port)
            listen(milliseconds: 50)
            #expect(phone.media.statistics.packetsReceived == 1)
        }

        /// The change needs no heap in the audio threads, and counts no reference.
        @Test(.enabled(if: !_isDebugAssertConfiguration() && allocation_watch_is_live() == 1))
        func codecChangeAllocatesNothing() throws {
            let (phone, peer) = try phone { peer in
                var plan = peer.plan
                plan.otherFormats = Self.all
                return plan
            }
            let codecs: [(UInt8, TelephoneCodec)] = [(0, .g711(.mu)), (8, .g711(.a)), (9, .g722)]
            let frames = codecs.map { (type: $0.0, frame: Self.tone(0, $0.1)) }
            var beats = Metronome(milliseconds: 20)
            func send(_ numbers: Range<Int>) {
                for number in numbers {
                    let (type, frame) = frames[number / 3 % 3]
                    peer.send(payloadType: type, number, payload: frame, to: phone.port)
                    beats.wait()
                }
            }
            send(0..<20)
            unsafe allocation_watch_begin("media-audio|media-network")
            let references = reference_watch_count()
            send(20..<60)
            let (allocations, counted) = (allocation_watch_count(), reference_watch_count() - references)
            allocation_watch_begin(nil)
            #expect(allocations == 0 && counted == 0)
            #expect(phone.log.count { $0 == .firstVoice(TestPhone.call) } == 1)
        }
    }
}
