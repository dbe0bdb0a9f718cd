import Base
import Media
import PhoneCore
import Testing

extension RealTime {
    @Suite
    struct CodecTests {
        static let telephones: [AudioCodec] = [.g722, .pcma, .pcmu]

        @Test(arguments: telephones, [10, 20, 60])
        func voiceArrivesWithEachCodec(codec: AudioCodec, packet: Int) throws {
            let call = try TestCall(codec, milliseconds: packet)
            #expect(call.isUp())
            let carried = call.carry(seconds: 1)
            let match = try #require(carried)
            print(
                "mouth to ear, \(codec), \(packet) ms packets: \(match.delayMilliseconds) ms,",
                "correlation \(match.correlation)")
            #expect(match.correlation > 0.8)
            #expect(match.delayMilliseconds < 500)
            for phone in [call.a, call.b] {
                #expect(phone.media.statistics.malformed == 0 && phone.media.statistics.undecodable == 0)
            }
        }

        @Test(arguments: telephones)
        func digitsUseCodecClock(codec: AudioCodec) throws {
            let call = try TestCall(codec)
            #expect(call.isUp())
            let digits: [DTMFSymbol] = [.one, .five, .five, .pound]
            call.a.perform(.dtmf(TestPhone.call, digits.map(DTMFElement.symbol), inBand: false))
            #expect(call.a.log.wait(for: .dtmfSent(TestPhone.call)))
            listen(milliseconds: 200)
            let heard = call.b.log.all.compactMap { event -> DTMFSymbol? in
                if case .dtmfReceived(TestPhone.call, let symbol) = event { symbol } else { nil }
            }
            #expect(heard == digits)
        }

        /// Another codec in the middle of a call, by one end a little before the other. Sequence and keys continue.
        @Test
        func codecMayChangeInCall() throws {
            let call = try TestCall()
            #expect(call.isUp())
            for codec in [AudioCodec.pcmu, .g722, .pcma, .opus] {
                let planA = call.a.plan(to: call.b, codec, milliseconds: 20, protection: call.planA.sdes)
                let planB = call.b.plan(to: call.a, codec, milliseconds: 20, protection: call.planB.sdes)
                call.a.perform(.update(TestPhone.call, planA))
                listen(milliseconds: 70)
                call.b.perform(.update(TestPhone.call, planB))
                listen(milliseconds: 300)
                let carried = call.carry(seconds: 1)
                let match = try #require(carried)
                #expect(match.correlation > 0.8, "\(codec)")
                let back = call.reversed.carry(seconds: 1)
                #expect(try #require(back).correlation > 0.8, "\(codec), the other way")
            }
            for phone in [call.a, call.b] {
                #expect(phone.media.statistics.replayed == 0 && phone.media.statistics.unauthenticated == 0)
            }
        }

        /// A desk phone sends comfort noise although it was not offered: the far end is there and silent.
        @Test
        func comfortNoiseIsNoFault() throws {
            let phone = try TestPhone { $0.silenceAfter = .milliseconds(400) }
            #expect(phone.open())
            let peer = try DeskPhone()
            #expect(phone.connect(peer.plan))
            for number in 0..<30 {
                peer.send(payloadType: 13, number, payload: [70], to: phone.port)
                listen(milliseconds: 20)
            }
            #expect(phone.media.statistics.packetsReceived == 30 && phone.media.statistics.malformed == 0)
            #expect(phone.log.count { $0 == .firstVoice(TestPhone.call) || $0 == .silent(TestPhone.call) } == 0)
            for number in 30..<60 {
                peer.send(payloadType: 0, number, payload: [UInt8](repeating: 0xFF, count: 160), to: phone.port)
                listen(milliseconds: 20)
            }
            #expect(phone.log.wait(for: .firstVoice(TestPhone.call)))
            peer.send(payloadType: 3, 60, payload: [1], to: phone.port)
            listen(milliseconds: 50)
            #expect(phone.media.statistics.malformed == 1, "an unagreed format is a fault")
        }

        /// The announced source is used (RFC 5576).
        @Test
        func packetsUseAnnouncedSource() throws {
            let (phone, peer) = (try TestPhone(), try DeskPhone())
            #expect(phone.open() && phone.connect(peer.plan))
            let named = try #require(phone.source)
            #expect(named.canonicalName.count == 24)
            listen(milliseconds: 300)
            // Voice, of payload type 0: reports have another second byte.
            let voice = peer.received().filter { $0[1] & 0x7F == 0 }
            #expect(!voice.isEmpty)
            var source: [UInt8] = []
            source.append(bigEndian: named.ssrc)
            #expect(voice.allSatisfy { Array($0[8..<12]) == source })
        }
    }
}
