import Foundation
import Media
import PhoneCore
import SoundCore
import Testing

extension RealTime {
    /// A sound card of the kernel, which the test's own only imitates.
    @Suite(.enabled(if: LoopbackCard.isThere, "no card of snd-aloop (Scripts/cards boots a machine that has one)"))
    struct CardTests {
        /// In hertz.
        private enum Note {
            static let person = 800
            static let farEnd = 500
        }

        /// A is at the card, B on wires. Packets flow, and the card runs.
        private func call(_ cable: Int) throws -> TestCall {
            var isFirst = true
            let call = try TestCall(.pcmu) { settings in
                if isFirst { settings.devices[.handset] = LoopbackCard.phone(cable) }
                isFirst = false
            }
            #expect(call.isUp())
            for _ in 0..<40 where !runs(cable) { listen(milliseconds: 50) }
            #expect(runs(cable))
            return call
        }

        private func runs(_ cable: Int) -> Bool {
            ("pc" as String).allSatisfy { LoopbackCard.told(cable, $0, "status", "state") == "RUNNING" }
        }

        /// Both play their notes for some seconds.
        private func expectVoice(_ call: TestCall, _ cable: Int) throws {
            let song = TestSignal.sine(Double(Note.farEnd), amplitude: 4_000, seconds: 6)
            call.b.device.mouth.say(song, at: WireFile.now())
            let here = try LoopbackCard.listen(cable, singing: Note.person, seconds: 3)
            let end = WireFile.now() - 2_400
            let there = call.b.device.ear.heard(end - 24_000..<end)
            #expect(level(Note.farEnd, in: here) > -25, "here")
            #expect(level(Note.person, in: there) > -25, "there")
        }

        /// The level of a note in most pieces of 50 ms: clocks may still converge, which bends a note.
        private func level(_ note: Int, in sound: [Int16]) -> Double {
            let levels = stride(from: 0, to: sound.count, by: 2_400).map { start in
                ToneDetector.level(of: note, in: sound.span.extracting(start..<min(sound.count, start + 2_400)))
            }
            return levels.sorted()[levels.count / 2]
        }

        @Test
        func voicePassesBothWays() throws {
            let call = try call(0)
            try expectVoice(call, 0)
            let statistics = call.a.media.statistics
            print("\(statistics.playbackUnderruns) underruns, \(statistics.captureOverruns) overruns")
        }

        @Test
        func deviceBufferIsWrittenDirectly() throws {
            let call = try call(1)
            defer { call.a.media.close() }
            for direction in "pc" as String {
                #expect(LoopbackCard.told(1, direction, "hw_params", "access") == "MMAP_INTERLEAVED")
            }
        }

        @Test
        func bothDirectionsStartTogether() throws {
            let call = try call(2)
            defer { call.a.media.close() }
            let starts = ("pc" as String).map {
                LoopbackCard.told(2, $0, "status", "trigger_time").flatMap(Double.init)
            }
            let distance = abs(try #require(starts[0]) - #require(starts[1]))
            print("both directions of a card began within \(Int(distance * 1e6)) µs")
            #expect(distance < 0.001)
        }

        /// During a stall the ear hears nothing, but the microphone loses nothing.
        @Test
        func stallLosesNoCapturedSound() throws {
            let call = try call(0)
            let (before, start) = (call.a.media.statistics, WireFile.now())
            for _ in 0..<4 {
                try AudioThreads.stall()
                listen(milliseconds: 300)
            }
            let (after, end) = (call.a.media.statistics, WireFile.now())
            // Each stall would cost the five periods in which no thread read.
            let periods = (end - start) / 480
            let captured = after.periodsCaptured - before.periodsCaptured
            print("\(captured) of \(periods) periods captured")
            #expect(captured > periods - 10)
            #expect(after.playbackUnderruns >= before.playbackUnderruns + 4, "the stalls were real")
            #expect(after.captureOverruns == before.captureOverruns)
            #expect(after.devicesLost == 0)
            try expectVoice(call, 0)
        }

        @Test(.enabled(if: LoopbackCard.mayGo, "needs a card that may go (Scripts/cards)"))
        func removedCardIsLostAndFound() throws {
            let call = try call(0)
            let isOut = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                LoopbackCard.plug(false)
                isOut.signal()
            }
            let isLost = call.a.log.wait { if case .deviceLost(.handset, _) = $0 { true } else { nil } }
            #expect(isLost == true)
            #expect(isOut.wait(timeout: .now() + 10) == .success, "the card is let go of")
            let sent = call.a.media.statistics.packetsSent
            listen(milliseconds: 500)
            #expect(call.a.media.statistics.packetsSent > sent + 15, "packets go on, by a timer")
            LoopbackCard.plug(true)
            #expect(call.a.log.wait(for: .deviceFound(.handset)))
            try expectVoice(call, 0)
        }
    }
}
