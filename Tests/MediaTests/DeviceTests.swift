import Glibc
import Media
import PhoneCore
import SoundCore
import Testing

extension RealTime {
    @Suite
    struct DeviceTests {
        @Test
        func missingDeviceIsNamedAndCallContinues() throws {
            let call = try TestCall { settings in
                settings.devices = [.handset: .init(capture: "nosuchdevice", playback: "nosuchdevice")]
            }
            let reasons = call.a.log.wait { event -> String? in
                if case .deviceLost(.handset, let reason) = event { reason } else { nil }
            }
            let reason = try #require(reasons)
            #expect(reason.contains("nosuchdevice") && reason.contains("handset"))
            #expect(call.isUp(), "packets flow without a device")
        }

        /// ALSA's `null` transfers any amount at once. A call's packets keep their time, and the threads sleep.
        @Test(arguments: ["null", "plug:null"])
        func deviceWithoutClockDoesNotDriveCall(name: String) throws {
            let call = try TestCall { settings in
                settings.devices = [.handset: .init(capture: name, playback: name)]
            }
            #expect(call.isUp())
            listen(milliseconds: 300)
            let (sent, used) = (call.a.media.statistics.packetsSent, processorTime())
            listen(milliseconds: 1_000)
            let packets = call.a.media.statistics.packetsSent - sent
            #expect((25...100).contains(packets), "\(packets) packets of 20 ms in a second")
            #expect(processorTime() - used < .milliseconds(700), "of all threads of two phones")
        }

        private func processorTime() -> Duration {
            var time = timespec()
            unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
            return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
        }

        /// Before the handset is lifted: this test sends the phone no request.
        @Test
        func deviceMissingAtStartIsReportedBeforeAnyCall() throws {
            let phone = try TestPhone {
                $0.devices[.handset] = .init(capture: "nosuchdevice", playback: "nosuchdevice")
            }
            let reason = phone.log.wait { event -> String? in
                if case .deviceLost(.handset, let reason) = event { reason } else { nil }
            }
            #expect(try #require(reason).contains("nosuchdevice"))
            #expect(phone.log.count { if case .deviceLost = $0 { true } else { false } } == 1)
        }

        @Test
        func unconfiguredRouteIsReported() throws {
            let phone = try TestPhone()
            phone.perform(.route(.speaker), .tone(.busy))
            let expected = MediaEvent.deviceLost(.speaker, "no device is configured for the speaker")
            #expect(phone.log.wait(for: expected))
        }

        /// The phone sends only changes of the route, and a phone without a handset starts with its loudspeaker.
        @Test
        func phoneWithoutHandsetSpeaksBeforeAnyRouteOrder() throws {
            let call = try TestCall {
                $0.devices[.speaker] = $0.devices.removeValue(forKey: .handset)
                $0.firstRoute = .speaker
            }
            #expect(call.isUp())
            let carried = call.carry(seconds: 1)
            #expect(try #require(carried).correlation > 0.8)
            #expect(call.a.log.count { if case .deviceLost = $0 { true } else { false } } == 0)
        }

        @Test
        func unpluggedDeviceIsLostAndFoundDuringCall() throws {
            let call = try TestCall()
            #expect(call.isUp())
            let carried = call.carry(seconds: 1)
            let match = try #require(carried)
            #expect(match.correlation > 0.8)
            call.a.device.unplug()
            let isLost = call.a.log.wait { if case .deviceLost(.handset, _) = $0 { true } else { nil } }
            #expect(isLost == true)
            let sent = call.a.media.statistics.packetsSent
            listen(milliseconds: 500)
            #expect(call.a.media.statistics.packetsSent > sent + 15, "packets go on, by a timer")
            call.a.device.plugIn()
            #expect(call.a.log.wait(for: .deviceFound(.handset)))
            listen(milliseconds: 200)
            let carriedAgain = call.carry(seconds: 1)
            let again = try #require(carriedAgain)
            #expect(again.correlation > 0.8)
            #expect(call.a.log.count { $0 == .deviceFound(.handset) } == 1)
        }

        /// Long before the usual retry.
        @Test
        func newCardIsTriedAtOnce() throws {
            let nodes = TestFolder()
            let phone = try TestPhone {
                $0.retryInterval = .seconds(300)
                $0.cardFolder = nodes.path + "/snd"
            }
            phone.device.unplug()
            phone.perform(.tone(.busy))
            let isLost = phone.log.wait { if case .deviceLost(.handset, _) = $0 { true } else { nil } }
            #expect(isLost == true)
            // The folder comes with the first card, then the card.
            #expect(unsafe mkdir(nodes.path + "/snd", 0o755) == 0)
            listen(milliseconds: 100)
            phone.device.plugIn()
            listen(milliseconds: 300)
            #expect(phone.log.count { $0 == .deviceFound(.handset) } == 0)
            close(unsafe creat(nodes.path + "/snd/pcmC0D0p", 0))
            #expect(phone.log.wait(for: .deviceFound(.handset)))
        }

        /// A plugged-in device takes the sound each time it appears, and only then.
        @Test(arguments: [Route.headset, .bluetooth])
        func newHeadsetIsFound(route: Route) throws {
            let nodes = TestFolder()
            let headset = WireRig.installed.device()
            headset.unplug()
            let phone = try TestPhone {
                $0.devices[route] = .init(capture: headset.name, playback: headset.name)
                $0.cardFolder = nodes.path
                $0.retryInterval = route == .headset ? .seconds(300) : .milliseconds(100)
            }
            phone.perform(.tone(.busy))
            listen(milliseconds: 300)
            for times in 1...2 {
                #expect(phone.log.count { $0 == .deviceFound(route) } == times - 1)
                headset.plugIn()
                // Bluetooth devices are no kernel cards.
                if route == .headset { close(unsafe creat(nodes.path + "/pcmC\(times)D0p", 0)) }
                listen(milliseconds: 300)
                #expect(phone.log.count { $0 == .deviceFound(route) } == times)
                phone.perform(.route(route))
                listen(milliseconds: 300)
                headset.unplug()
                let lost = { phone.log.count { if case .deviceLost(route, _) = $0 { true } else { false } } }
                for _ in 0..<100 where lost() < 2 * times { listen(milliseconds: 20) }
                #expect(lost() == 2 * times, "its microphone and its ear")
                phone.perform(.route(.handset))
                listen(milliseconds: 300)
            }
            #expect(phone.log.count { $0 == .deviceFound(route) } == 2)
        }

        /// The next call has to know it. A phone at rest learns of cards from the kernel.
        @Test
        func headsetIsReportedAtRest() throws {
            let nodes = TestFolder()
            let headset = WireRig.installed.device()
            let phone = try TestPhone {
                $0.devices[.headset] = .init(capture: headset.name, playback: headset.name)
                $0.cardFolder = nodes.path
                $0.retryInterval = .milliseconds(20)
            }
            #expect(phone.log.wait(for: .devicePresent(.headset)), "it was there at the start")
            headset.unplug()
            close(unsafe creat(nodes.path + "/unplugged", 0))
            #expect(phone.log.wait(for: .deviceAbsent(.headset)))
            headset.plugIn()
            close(unsafe creat(nodes.path + "/plugged", 0))
            #expect(phone.log.wait(for: .deviceFound(.headset)))
            #expect(phone.log.all.count == 3, "\(phone.log.all)")
        }

        /// Bluetooth devices are no cards. A phone at rest does not look for them; a phone in use does so at once.
        @Test
        func bluetoothDeviceIsReportedWhenSoundStarts() throws {
            let headset = WireRig.installed.device()
            headset.unplug()
            let phone = try TestPhone {
                $0.devices[.bluetooth] = .init(capture: headset.name, playback: headset.name)
                $0.cardFolder = TestFolder().path
                $0.retryInterval = .milliseconds(20)
            }
            listen(milliseconds: 200)
            headset.plugIn()
            listen(milliseconds: 300)
            #expect(phone.log.all.isEmpty, "nobody looked: \(phone.log.all)")
            phone.perform(.tone(.busy))
            #expect(phone.log.wait(for: .devicePresent(.bluetooth)))
            #expect(phone.log.count { $0 == .deviceFound(.bluetooth) } == 0, "it did not come just now")
        }

        /// It would take the sound again and again.
        @Test
        func brokenHeadsetIsNotFound() throws {
            let headset = WireRig.installed.device()
            let phone = try TestPhone {
                $0.devices[.headset] = .init(capture: headset.name, playback: headset.name)
                $0.retryInterval = .milliseconds(50)
            }
            headset.shrink()
            phone.perform(.route(.headset), .tone(.busy))
            let isLost = phone.log.wait { if case .deviceLost(.headset, _) = $0 { true } else { nil } }
            #expect(isLost == true)
            phone.perform(.route(.handset))
            listen(milliseconds: 500)
            #expect(phone.log.count { $0 == .deviceFound(.headset) } == 0)
        }

        /// A device busy in another program interrupts only its own user.
        @Test
        func busyHeadsetIsFoundWhenFree() throws {
            let headset = WireRig.installed.device()
            headset.unplug()
            let phone = try TestPhone {
                $0.devices[.headset] = .init(capture: headset.name, playback: headset.name)
                $0.retryInterval = .milliseconds(50)
            }
            phone.perform(.tone(.busy))
            listen(milliseconds: 200)
            headset.take()
            headset.plugIn()
            listen(milliseconds: 300)
            #expect(phone.log.count { $0 == .deviceFound(.headset) || $0 == .interrupted } == 0)
            headset.release()
            #expect(phone.log.wait(for: .deviceFound(.headset)))
        }

        /// No thread looked for a second, and the device is healthy.
        @Test
        func machineStallLosesNoDevice() throws {
            let call = try TestCall()
            #expect(call.isUp())
            // The rest of a quantum at wake-up decides whether a device is polled too early: up to three times by
            // chance.
            for milliseconds in [1_300, 1_303, 1_306] {
                try AudioThreads.stall(milliseconds: milliseconds)
                listen(milliseconds: 1_600)
            }
            for phone in [call.a, call.b] {
                let reasons = phone.log.all.compactMap {
                    if case .deviceLost(_, let reason) = $0 { reason } else { nil }
                }
                #expect(phone.media.statistics.devicesLost == 0, "\(reasons)")
                #expect(phone.media.statistics.captureOverruns > 0)
            }
        }

        @Test
        func deviceWithSmallBufferIsRefused() throws {
            let device = WireRig.installed.device()
            device.shrink()
            let phone = try TestPhone {
                $0.devices = [.handset: .init(capture: device.name, playback: device.name)]
                $0.ringer = .init(device: device.name)
            }
            phone.perform(.tone(.busy))
            let isLost = phone.log.wait { if case .deviceLost(.handset, _) = $0 { true } else { nil } }
            #expect(isLost == true)
        }

        /// Another program holds the device: that is an interruption, which ends with its release.
        @Test
        func takenDeviceInterruptsAndReturns() throws {
            let call = try TestCall()
            #expect(call.isUp())
            call.a.device.take()
            call.a.device.unplug()
            let isLost = call.a.log.wait { if case .deviceLost(.handset, _) = $0 { true } else { nil } }
            #expect(isLost == true)
            #expect(call.a.log.count { $0 == .interrupted } == 0, "a missing device is busy for no program")
            call.a.device.plugIn()
            #expect(call.a.log.wait(for: .interrupted))
            call.a.device.release()
            #expect(call.a.log.wait(for: .interruptionEnded))
            listen(milliseconds: 200)
            let carried = call.carry(seconds: 1)
            let match = try #require(carried)
            #expect(match.correlation > 0.8)
            #expect(call.a.log.count { $0 == .interrupted } == 1, "told once")
        }

        /// The device is not needed any more, so nothing is waited for.
        @Test
        func interruptionEndsWithItsCall() throws {
            let phone = try TestPhone { $0.linger = .milliseconds(500) }
            phone.device.take()
            phone.perform(.tone(.busy))
            #expect(phone.log.wait(for: .interrupted))
            phone.perform(.tone(nil))
            #expect(phone.log.wait(for: .interruptionEnded))
            phone.device.release()
        }

        @Test
        func xrunsAreRecovered() throws {
            let call = try TestCall()
            #expect(call.isUp())
            for _ in 0..<5 {
                call.b.device.stumble()
                call.a.device.stumble()
                listen(milliseconds: 60)
            }
            let counted = [call.a, call.b].map {
                $0.media.statistics.captureOverruns + $0.media.statistics.playbackUnderruns
            }
            #expect(counted.allSatisfy { $0 >= 3 }, "the faults were real: \(counted)")
            listen(milliseconds: 500)
            let carried = call.carry(seconds: 1)
            let match = try #require(carried)
            #expect(match.correlation > 0.8)
            #expect(call.a.log.count { if case .deviceLost = $0 { true } else { false } } == 0)
        }

        @Test(arguments: [(ToneCountry.us, [350, 440]), (.gb, [350, 440]), (.de, [425])])
        func dialToneFollowsCountry(country: ToneCountry, frequencies: [Int]) throws {
            let phone = try TestPhone { $0.country = country }
            phone.perform(.tone(.dial))
            listen(milliseconds: 600)
            let end = WireFile.now() - 2_000
            let heard = phone.device.ear.heard(end - 14_400..<end)
            for frequency in frequencies {
                let level = ToneDetector.level(of: frequency, in: heard.span)
                #expect(level > -20, "\(frequency) Hz at \(level) dBm0")
            }
            let stranger = ToneDetector.level(of: 620, in: heard.span)
            #expect(stranger < -40)
            phone.perform(.tone(nil))
            listen(milliseconds: 150)
            let quiet = phone.device.ear.heard(WireFile.now() - 2_400..<WireFile.now())
            #expect(quiet.allSatisfy { $0 == 0 })
        }

        /// Ten bursts of 100 ms, then the dial tone itself. A device that is served late once leaves a gap, and then
        /// the test listens again.
        @Test
        func waitingMessagesStutterDialTone() throws {
            var parts: [Int] = []
            for _ in 0..<4 where parts.count != 11 { parts = try stutter() }
            #expect(parts.count == 11, "\(parts)")
            // A part of the first one may pass before the device is open.
            #expect(parts.dropFirst().dropLast().allSatisfy { abs($0 - 100) <= 10 }, "\(parts)")
            #expect(try #require(parts.last) > 300, "\(parts)")
        }

        /// The length of each part of the stuttering dial tone, in milliseconds.
        private func stutter() throws -> [Int] {
            let phone = try TestPhone()
            let start = WireFile.now()
            phone.perform(.tone(.stutterDial))
            listen(milliseconds: 2_900)
            let heard = phone.device.ear.heard(start..<start + 2_800 * 48)
            return ToneDetector.cadence(in: heard.span).filter(\.isOn).map(\.milliseconds)
        }

        @Test
        func idleDeviceIsClosed() throws {
            let phone = try TestPhone { $0.linger = .milliseconds(200) }
            phone.perform(.keyClick(.five))
            listen(milliseconds: 600)
            let played = phone.media.statistics.periodsPlayed
            #expect(played > 5)
            listen(milliseconds: 200)
            #expect(phone.media.statistics.periodsPlayed == played)
        }

        @Test
        func routeChangeMovesVoice() throws {
            let speaker = WireRig.installed.device()
            let call = try TestCall {
                $0.devices[.speaker] = .init(capture: speaker.name, playback: speaker.name)
            }
            #expect(call.isUp())
            call.b.perform(.route(.speaker))
            listen(milliseconds: 300)
            let said = TestSignal.speech(seconds: 1)
            let start = WireFile.now() + 4_800
            call.a.device.mouth.say(said, at: start)
            listen(milliseconds: 1_700)
            let match = try #require(Match(said: said, heard: speaker.ear.heard(start..<start + said.count + 24_000)))
            #expect(match.correlation > 0.8)
            #expect(call.b.device.ear.heard(start..<start + 24_000).allSatisfy { $0 == 0 })
        }
    }
}
