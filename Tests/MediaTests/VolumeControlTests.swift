import Media
import PhoneCore
import SoundCore
import Testing

extension RealTime {
    /// A person's settings for all calls: the volume, and the pause.
    @Suite
    struct VolumeControlTests {
        static let pitch = 500

        /// A sine from A for so long, and its start.
        private func sing(_ call: TestCall, seconds: Double, amplitude: Double = 4_000) -> Int {
            let start = WireFile.now()
            call.a.device.mouth.say(
                TestSignal.sine(Double(Self.pitch), amplitude: amplitude, seconds: seconds), at: start)
            return start
        }

        /// B's last `milliseconds` of sound. The newest of it is still on its way to the device.
        private func heard(_ phone: TestPhone, milliseconds: Int) -> [Int16] {
            let end = WireFile.now() - 30 * 48
            return phone.device.ear.heard(end - milliseconds * 48..<end)
        }

        /// The level of all sound, which is one sine: resampling bends its pitch by some hertz while two clocks
        /// converge.
        private func level(_ phone: TestPhone) -> Double {
            ToneDetector.level(in: heard(phone, milliseconds: 200).span)
        }

        private func isSilent(_ phone: TestPhone) -> Bool { heard(phone, milliseconds: 200).allSatisfy { $0 == 0 } }

        /// The level of two measurements: everything else is compared with it, so a gap in it would affect all.
        private func steadyLevel(_ phone: TestPhone) -> Double {
            var last = level(phone)
            for _ in 0..<5 {
                listen(milliseconds: 250)
                let next = level(phone)
                if abs(next - last) < 0.2 { return next }
                last = next
            }
            return last
        }

        /// The gain over before, once it is as set; a stalling machine leaves a gap in the sine, and then the test
        /// listens again.
        private func change(_ phone: TestPhone, from usual: Double, to decibels: Int) -> Double {
            for _ in 0..<3 {
                listen(milliseconds: 400)
                let change = level(phone) - usual
                if abs(change - Double(decibels)) < 1 { return change }
            }
            return level(phone) - usual
        }

        @Test
        func eachStepIsThreeDecibels() throws {
            let call = try TestCall()
            #expect(call.isUp())
            _ = sing(call, seconds: 10)
            listen(milliseconds: 700)
            let usual = steadyLevel(call.b)
            #expect(usual > -25, "the sine arrives")
            for volume in [10, 8, 6, 4, 1, 7] {
                call.b.perform(.volume(.call, volume))
                let steps = 3 * (volume - 7)
                let change = change(call.b, from: usual, to: steps)
                #expect(abs(change - Double(steps)) < 1, "volume \(volume): \(change) dB")
            }
            call.b.perform(.volume(.call, 0))
            listen(milliseconds: 400)
            #expect(isSilent(call.b))
            call.b.perform(.volume(.ring, 3), .conference(TestPhone.call, joined: true), .volume(.call, 7))
            #expect(abs(change(call.b, from: usual, to: 0)) < 1, "nothing else changes it")
        }

        @Test
        func volumeSetBeforeCallHolds() throws {
            let call = try TestCall()
            call.b.perform(.volume(.call, 0))
            #expect(call.isUp())
            _ = sing(call, seconds: 2)
            listen(milliseconds: 900)
            #expect(isSilent(call.b))
            call.b.perform(.tone(.busy))
            listen(milliseconds: 350)
            #expect(!isSilent(call.b), "tones are not calls")
        }

        /// Too loud sound is clipped, not wrapped: a sine of 500 Hz, nine decibels over full scale, still moves
        /// slowly. A device that underruns on a stalled machine leaves a gap, and then the test listens again.
        @Test
        func loudestVoiceIsClipped() throws {
            let call = try TestCall()
            call.b.perform(.volume(.call, PhoneSettings.loudest))
            #expect(call.isUp())
            _ = sing(call, seconds: 6, amplitude: 30_000)
            listen(milliseconds: 1_000)
            var steepest = Int.max
            for _ in 0..<4 where steepest >= 20_000 {
                listen(milliseconds: 600)
                let samples = heard(call.b, milliseconds: 500).map(Int.init)
                #expect(samples.count { $0 == 32_767 } > 1_000, "it was too loud")
                steepest = zip(samples, samples.dropFirst()).map { abs($0 - $1) }.max() ?? .max
            }
            #expect(steepest < 20_000, "of 65,535 for a sample that wraps round")
        }

        @Test
        func pauseSilencesBothWays() throws {
            let call = try TestCall()
            #expect(call.isUp())
            let said = TestSignal.speech(seconds: 0.8)
            call.a.perform(.pause(true))
            listen(milliseconds: 300)
            let sent = [call.a, call.b].map(\.media.statistics.packetsSent)
            let start = WireFile.now()
            for phone in [call.a, call.b] { phone.device.mouth.say(said, at: start) }
            listen(milliseconds: 1_000)
            #expect(call.a.device.ear.heard(start..<start + 40_000).allSatisfy { $0 == 0 }, "no sound is heard here")
            let there = call.b.device.ear.heard(start..<start + 40_000)
            #expect(there.allSatisfy { abs(Int($0)) < 64 }, "and nobody of here there")
            for (before, phone) in zip(sent, [call.a, call.b]) {
                #expect(phone.media.statistics.packetsSent > before + 30, "packets flow")
            }
            call.a.perform(.pause(false))
            listen(milliseconds: 200)
            let carried = call.carry(seconds: 1)
            #expect(try #require(carried).correlation > 0.8)
            let back = call.reversed.carry(seconds: 1)
            #expect(try #require(back).correlation > 0.8)
            for phone in [call.a, call.b] {
                #expect(phone.log.count { if case .silent = $0 { true } else { false } } == 0)
                #expect(phone.log.count { if case .deviceLost = $0 { true } else { false } } == 0)
            }
        }

        @Test
        func pauseOutlastsCallAndAppliesToNext() throws {
            let call = try TestCall()
            #expect(call.isUp())
            let next = CallID(.phone, 2)
            call.b.perform(.pause(true), .release(TestPhone.call), .open(next, .direct))
            let opened = call.b.log.wait { event -> UInt16? in
                if case .opened(next, let endpoint) = event { endpoint.port } else { nil }
            }
            let port = try #require(opened)
            var plan = call.planA
            plan.remote = MediaAddress(host: "127.0.0.1", port: port)
            plan.remoteControl = MediaAddress(host: "127.0.0.1", port: port + 1)
            call.b.perform(.connect(next, call.planB), .activate(next))
            call.a.perform(.update(TestPhone.call, plan))
            let start = sing(call, seconds: 3)
            #expect(call.b.log.wait(for: .firstVoice(next)))
            listen(milliseconds: 1_000)
            let paused = call.b.device.ear.heard(start + 4_800..<start + 43_200)
            #expect(paused.allSatisfy { $0 == 0 })
            call.b.perform(.pause(false))
            listen(milliseconds: 400)
            #expect(level(call.b) > -25, "there was something to be heard")
        }

        /// A hard edge on a sine of amplitude 4,000 is a step of up to 4,000; the sine itself moves 262 at most. The
        /// median of many edges is used: on a busy machine a packet may be late just then.
        @Test
        func pausesDoNotClick() throws {
            let call = try TestCall()
            #expect(call.isUp())
            _ = sing(call, seconds: 8)
            listen(milliseconds: 700)
            var steps: [Int] = []
            for round in 0..<20 {
                call.b.perform(.pause(round.isMultiple(of: 2)))
                // Not a whole number of turns, so that edges come everywhere.
                listen(milliseconds: 203)
                let samples = heard(call.b, milliseconds: 200).map(Int.init)
                steps.append(zip(samples, samples.dropFirst()).map { abs($0 - $1) }.max() ?? 0)
            }
            #expect(steps.sorted()[10] < 700, "\(steps)")
            #expect(steps.sorted()[10] > 100, "there was something to be heard: \(steps)")
        }
    }
}
