import Media
import PhoneCore
import HostStalls
import Testing

/// Tests in real time run one after the other: they share two cores and the clock.
@Suite(.serialized, .stallsForgiven)
enum RealTime {}

extension RealTime {
    @Suite
    struct CallTests {
        @Test(arguments: [(10, 5), (10, 10), (20, 5), (20, 10)])
        func voiceArrives(packet: Int, period: Int) throws {
            let call = try TestCall(milliseconds: packet) { $0.periodMilliseconds = period }
            #expect(call.isUp())
            let carried = call.carry(seconds: 1)
            let match = try #require(carried)
            print(
                "mouth to ear, \(packet) ms packets, \(period) ms periods: \(match.delayMilliseconds) ms,",
                "correlation \(match.correlation), underruns \(call.b.media.statistics.playbackUnderruns)")
            #expect(match.correlation > 0.8)
            #expect(match.delayMilliseconds < 500)
            #expect(call.b.media.statistics.unauthenticated == 0)
            #expect(call.b.log.count { $0 == .firstVoice(TestPhone.call) } == 1)
        }

        @Test(arguments: CryptoSuite.allCases.dropFirst())
        func everyProtectionWorks(suite: CryptoSuite) throws {
            let call = try TestCall(suite: suite)
            #expect(call.isUp())
            let carried = call.carry(seconds: 1)
            let match = try #require(carried)
            #expect(match.correlation > 0.8)
        }

        @Test
        func muteSendsPacketsOfSilence() throws {
            let call = try TestCall()
            #expect(call.isUp())
            call.a.perform(.microphone(TestPhone.call, open: false))
            listen(milliseconds: 200)
            let sent = call.a.media.statistics.packetsSent
            let start = WireFile.now()
            call.a.device.mouth.say(TestSignal.speech(seconds: 0.8), at: start)
            listen(milliseconds: 1_000)
            let heard = call.b.device.ear.heard(start..<start + 40_000)
            #expect(heard.allSatisfy { abs(Int($0)) < 64 })
            #expect(call.a.media.statistics.packetsSent > sent + 30)
        }

        @Test
        func holdAndResumeKeepSequenceAndKeys() throws {
            let call = try TestCall()
            #expect(call.isUp())
            var held = (call.planA, call.planB)
            (held.0.sends, held.0.receives, held.1.sends, held.1.receives) = (false, false, false, false)
            for _ in 0..<3 {
                call.a.perform(.update(TestPhone.call, held.0))
                call.b.perform(.update(TestPhone.call, held.1))
                listen(milliseconds: 150)
                let sent = call.a.media.statistics.packetsSent
                listen(milliseconds: 150)
                #expect(call.a.media.statistics.packetsSent == sent, "held, nothing is sent")
                call.a.perform(.update(TestPhone.call, call.planA))
                call.b.perform(.update(TestPhone.call, call.planB))
                listen(milliseconds: 150)
            }
            let carried = call.carry(seconds: 1)
            let match = try #require(carried)
            #expect(match.correlation > 0.8)
            for phone in [call.a, call.b] {
                #expect(phone.media.statistics.replayed == 0)
                #expect(phone.media.statistics.unauthenticated == 0)
            }
        }

        /// A far end that is silent for a while, as on hold, causes no loss.
        @Test
        func holdIsNotConcealed() throws {
            let call = try TestCall()
            #expect(call.isUp())
            var quiet = call.planA
            quiet.sends = false
            for _ in 0..<4 {
                call.a.perform(.update(TestPhone.call, quiet))
                listen(milliseconds: 500)
                call.a.perform(.update(TestPhone.call, call.planA))
                listen(milliseconds: 300)
            }
            let quality = call.b.log.quality()
            let concealed = try #require(quality?.concealedPercent)
            #expect(concealed < 6, "20 % if what was invented at first in each hold counted")
        }

        @Test
        func silenceAndItsEndAreReported() throws {
            let call = try TestCall { $0.silenceAfter = .milliseconds(400) }
            #expect(call.isUp())
            var quiet = call.planA
            quiet.sends = false
            call.a.perform(.update(TestPhone.call, quiet))
            #expect(call.b.log.wait(for: .silent(TestPhone.call)))
            call.a.perform(.update(TestPhone.call, call.planA))
            #expect(call.b.log.wait(for: .heard(TestPhone.call)))
            #expect(call.b.log.count { $0 == .silent(TestPhone.call) } == 1)
        }

        @Test
        func qualityIsReported() throws {
            let call = try TestCall()
            let quality = call.a.log.wait(seconds: 12) { event -> PhoneCore.VoiceQuality? in
                guard case .quality(_, let quality) = event, quality.roundTripMilliseconds != nil,
                    quality.farOpinionScore != nil
                else { return nil }
                return quality
            }
            let found = try #require(quality)
            print("quality on loopback:", found)
            #expect(try #require(found.lossPercent) < 5)
            #expect(try #require(found.opinionScore) > 3)
            #expect(try #require(found.roundTripMilliseconds) < 100)
            #expect(try #require(found.farOpinionScore) > 3, "by the far end's own report")
        }

        @Test
        func releasedCallFreesPortsAndReportsNothing() throws {
            let call = try TestCall()
            #expect(call.isUp())
            call.a.perform(.release(TestPhone.call))
            let sent = call.a.media.statistics.packetsSent
            listen(milliseconds: 200)
            #expect(call.a.media.statistics.packetsSent <= sent + 1)
            let second = try TestPhone { $0.ports = call.a.port...call.a.port + 1 }
            #expect(second.open(), "the port is free again")
        }

        @Test
        func onlyLastActivatedCallIsAudible() throws {
            let call = try TestCall()
            #expect(call.isUp())
            let other = CallID(.phone, 2)
            call.a.perform(.open(other, .direct), .connect(other, call.planA), .activate(other))
            listen(milliseconds: 300)
            // The second call sends to B with a source that B's keys admit; the first has fallen silent.
            let before = call.a.media.statistics.packetsSent
            listen(milliseconds: 500)
            let rate = call.a.media.statistics.packetsSent - before
            #expect((15...40).contains(rate), "one stream of 20 ms packets, not two: \(rate)")
            call.a.perform(.release(other))
            let carried = call.carry(seconds: 1)
            let match = try #require(carried)
            #expect(match.correlation > 0.8)
        }
    }
}
