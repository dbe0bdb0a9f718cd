import Glibc
import Media
import PhoneCore
import Testing

extension RealTime {
    /// Devices of sound servers: ready without data, silent because the server died, or with large steps.
    @Suite
    struct SoundServerTests {
        private func processorTime() -> Duration {
            var time = timespec()
            unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
            return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
        }

        /// A call between two phones whose devices start with this fault.
        private func call(_ fault: WireRig.Fault) throws -> (call: TestCall, devices: [WireRig.Device]) {
            let devices = [WireRig.installed.device(), WireRig.installed.device()]
            for device in devices { device.begin(fault) }
            var next = 0
            let call = try TestCall { settings in
                settings.devices = [.handset: .init(capture: devices[next].name, playback: devices[next].name)]
                next += 1
            }
            return (call, devices)
        }

        /// At real-time priority it would starve the process that has to deliver the sound.
        @Test
        func alwaysReadyDeviceDoesNotDriveThread() throws {
            let (call, devices) = try call(.eager)
            #expect(call.isUp())
            listen(milliseconds: 300)
            let used = processorTime()
            let said = TestSignal.speech(seconds: 1)
            let start = WireFile.now() + 9_600
            devices[0].mouth.say(said, at: start)
            listen(milliseconds: 1_700)
            let spent = processorTime() - used
            let match = Match(said: said, heard: devices[1].ear.heard(start..<start + said.count + 19_200))
            #expect(try #require(match).correlation > 0.8)
            print("two phones with devices that are always ready: \(spent) in 1.7 s")
            #expect(spent < .milliseconds(800))
        }

        /// The server is gone, and poll does not show it: microphone and earpiece are lost, and return with the
        /// server.
        @Test
        func readyButMotionlessDeviceIsLostBothWays() throws {
            let (call, devices) = try call(.eager)
            #expect(call.isUp())
            let used = processorTime()
            devices[0].begin(.still)
            let lost = { (part: String) -> Int in
                call.a.log.count { if case .deviceLost(.handset, let why) = $0 { why.contains(part) } else { false } }
            }
            for _ in 0..<150 where lost("microphone") == 0 || lost("earpiece") == 0 { listen(milliseconds: 20) }
            #expect(lost("microphone") > 0 && lost("earpiece") > 0)
            #expect(processorTime() - used < .milliseconds(1_500))
            devices[0].end(.still)
            #expect(call.a.log.wait(for: .deviceFound(.handset)))
        }

        @Test
        func deviceWithLargeStepsPlaysWithoutGaps() throws {
            let (call, devices) = try call(.coarse)
            #expect(call.isUp())
            let concealed = { (seconds: Int) -> Double? in
                let seen = call.b.log.count { if case .quality = $0 { true } else { false } }
                for _ in 0..<seconds * 50 {
                    let all = call.b.log.all.compactMap {
                        if case .quality(_, let quality) = $0 { quality } else { nil }
                    }
                    if all.count > seen { return all.last?.concealedPercent }
                    listen(milliseconds: 20)
                }
                return nil
            }
            devices[0].mouth.say(TestSignal.speech(seconds: 8), at: WireFile.now())
            let first = concealed(8)
            devices[0].mouth.say(TestSignal.speech(seconds: 8), at: WireFile.now())
            let second = concealed(8)
            print("concealed with a card that takes 100 ms at once: \(first ?? -1) %, then \(second ?? -1) %")
            #expect(try #require(second) < 0.2)
        }
    }
}
