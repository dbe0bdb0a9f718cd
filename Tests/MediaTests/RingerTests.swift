import Media
import PhoneCore
import SoundCore
import Testing

extension RealTime {
    /// Ringing by a loudspeaker: its device, level and duration.
    @Suite
    struct RingerTests {
        private static let cadence = RingCadence([.milliseconds(300), .milliseconds(200)])
        private static let usual = Ring(name: nil, cadence: cadence)
        /// Long enough to be measured in the middle.
        private static let long = Ring(name: nil, cadence: .init([.seconds(5), .seconds(1)]))

        private static func phone(
            on ringer: WireRig.Device, _ change: (inout MediaSettings) -> Void = { _ in }
        ) throws -> TestPhone {
            try TestPhone {
                $0.ringer = .init(device: ringer.name)
                change(&$0)
            }
        }

        private static func heard(_ device: WireRig.Device, milliseconds: Int) -> [Int16] {
            let end = WireFile.now()
            return device.ear.heard(end - milliseconds * 48..<end)
        }

        /// The level of the ring's lower tone.
        private static func level(_ device: WireRig.Device) -> Double {
            ToneDetector.level(of: 1_000, in: heard(device, milliseconds: 200).span)
        }

        @Test
        func ringHasItsCadence() throws {
            let ringer = WireRig.installed.device()
            let phone = try Self.phone(on: ringer)
            listen(milliseconds: 100)
            let start = WireFile.now()
            phone.perform(.ring(Self.usual))
            listen(milliseconds: 2_300)
            let sound = ringer.ear.heard(start..<start + 2_200 * 48)
            let first = try #require(sound.firstIndex { abs(Int($0)) > 100 })
            print("the ring was heard after \(first / 48) ms")
            #expect(first < 100 * 48)
            var rung = Array(sound[first...])
            var parts = ToneDetector.cadence(in: rung.span)
            for _ in 0..<3 where !parts.isRing {
                listen(milliseconds: 2_200)
                rung = Self.heard(ringer, milliseconds: 2_200)
                parts = ToneDetector.cadence(in: rung.span)
            }
            #expect(parts.isRing, "\(parts)")
            let range = try #require(parts.dropFirst().first { $0.isOn }).range
            let ring = Array(rung[range].dropFirst(20 * 48).dropLast(20 * 48))
            for pitch in [1_000, 1_250] { #expect(ToneDetector.level(of: pitch, in: ring.span) > -20) }
            #expect(ToneDetector.level(of: 440, in: ring.span) < -50)
            #expect(phone.device.ear.heard(start..<start + 2_200 * 48).allSatisfy { $0 == 0 }, "not in the handset")
        }

        @Test
        func ringStopsAtOnceAndMayRestart() throws {
            let ringer = WireRig.installed.device()
            let phone = try Self.phone(on: ringer)
            for _ in 0..<3 {
                phone.perform(.ring(Self.long))
                listen(milliseconds: 400)
                #expect(Self.level(ringer) > -25)
                phone.perform(.ring(nil))
                let end = WireFile.now()
                listen(milliseconds: 300)
                let after = ringer.ear.heard(end..<end + 280 * 48)
                let last = after.lastIndex { $0 != 0 } ?? 0
                print("the ring was heard for another \(last / 48) ms")
                #expect(last < 50 * 48, "queued sound is dropped, not played")
            }
        }

        @Test
        func ringHasSeparateVolume() throws {
            let ringer = WireRig.installed.device()
            let phone = try Self.phone(on: ringer)
            phone.perform(.volume(.ring, 10), .ring(Self.long))
            listen(milliseconds: 500)
            let loudest = Self.level(ringer)
            for volume in [7, 4, 1] {
                phone.perform(.volume(.ring, volume), .volume(.call, 10 - volume))
                listen(milliseconds: 500)
                let change = Self.level(ringer) - loudest
                #expect(abs(change - Double(3 * (volume - 10))) < 1, "volume \(volume): \(change) dB")
            }
            phone.perform(.volume(.ring, 0))
            listen(milliseconds: 500)
            #expect(Self.heard(ringer, milliseconds: 200).allSatisfy { $0 == 0 })
        }

        @Test
        func missingRingerIsReportedOnce() throws {
            let phone = try TestPhone { $0.ringer = .init(device: "nosuchringer") }
            let lost = phone.log.wait { event -> String? in
                if case .ringerLost(let reason) = event { reason } else { nil }
            }
            #expect(try #require(lost).contains("nosuchringer"))
            phone.perform(.ring(Self.usual), .ring(nil), .ring(Self.usual), .tone(.busy))
            listen(milliseconds: 1_500)
            #expect(phone.log.count { if case .ringerLost = $0 { true } else { false } } == 1)
            let heard = Self.heard(phone.device, milliseconds: 200)
            #expect(ToneDetector.level(of: 480, in: heard.span) > -25, "the rest of the phone sounds")
        }

        /// Unplugged and plugged in again, while it rings and while it rests.
        @Test
        func returningRingerContinues() throws {
            let ringer = WireRig.installed.device()
            let phone = try Self.phone(on: ringer)
            phone.perform(.ring(Self.long))
            listen(milliseconds: 300)
            ringer.unplug()
            let isLost = phone.log.wait { if case .ringerLost = $0 { true } else { nil } }
            #expect(isLost == true)
            ringer.plugIn()
            #expect(phone.log.wait(for: .ringerFound))
            listen(milliseconds: 300)
            #expect(Self.level(ringer) > -25)
            phone.perform(.ring(nil))
            listen(milliseconds: 1_200)
            ringer.unplug()
            phone.perform(.ring(Self.long))
            listen(milliseconds: 300)
            #expect(phone.log.count { if case .ringerLost = $0 { true } else { false } } == 2)
            ringer.plugIn()
            listen(milliseconds: 1_300)
            #expect(Self.level(ringer) > -25)
            #expect(phone.log.count { $0 == .ringerFound } == 2)
        }

        /// Another program has it: no call needs it, so none is interrupted.
        @Test
        func takenRingerInterruptsNothing() throws {
            let ringer = WireRig.installed.device()
            ringer.take()
            let phone = try Self.phone(on: ringer)
            let isLost = phone.log.wait { if case .ringerLost = $0 { true } else { nil } }
            #expect(isLost == true)
            phone.perform(.ring(Self.long))
            ringer.release()
            #expect(phone.log.wait(for: .ringerFound))
            listen(milliseconds: 300)
            #expect(Self.level(ringer) > -25)
            #expect(phone.log.count { $0 == .interrupted } == 0)
        }

        @Test
        func xrunsAreRecovered() throws {
            let ringer = WireRig.installed.device()
            let phone = try Self.phone(on: ringer)
            phone.perform(.ring(Self.long))
            for _ in 0..<3 {
                listen(milliseconds: 150)
                ringer.stumble()
            }
            listen(milliseconds: 400)
            #expect(phone.media.statistics.playbackUnderruns >= 3, "the faults were real")
            #expect(Self.level(ringer) > -25)
        }

        /// A ring starts and ends, its device goes and comes, and the voice of a call passes undisturbed.
        @Test
        func ringDoesNotDisturbCall() throws {
            let ringer = WireRig.installed.device()
            let call = try TestCall { $0.ringer = .init(device: ringer.name) }
            #expect(call.isUp())
            for ring in [Self.usual, nil, Self.long] { call.b.perform(.ring(ring)) }
            let carried = call.carry(seconds: 1)
            #expect(try #require(carried).correlation > 0.8)
            ringer.unplug()
            let again = call.carry(seconds: 1)
            #expect(try #require(again).correlation > 0.8)
            #expect(call.b.log.count { if case .deviceLost = $0 { true } else { false } } == 0)
        }

        // MARK: A route's device as the ringer

        @Test
        func routeDeviceRingsThroughItsStream() throws {
            let speaker = WireRig.installed.device()
            let phone = try Self.phone(on: speaker) {
                $0.devices[.speaker] = .init(capture: speaker.name, playback: speaker.name)
                $0.linger = .milliseconds(200)
            }
            let start = WireFile.now()
            phone.perform(.ring(Self.long))
            listen(milliseconds: 500)
            #expect(Self.level(speaker) > -25)
            #expect(phone.device.ear.heard(start..<WireFile.now()).allSatisfy { $0 == 0 }, "not in the handset")
            phone.perform(.ring(nil))
            let end = WireFile.now()
            listen(milliseconds: 500)
            #expect(speaker.ear.heard(end + 50 * 48..<WireFile.now()).allSatisfy { $0 == 0 })
            let played = phone.media.statistics.periodsPlayed
            listen(milliseconds: 200)
            #expect(phone.media.statistics.periodsPlayed == played, "a ringer with nothing to do is closed")
        }

        /// The handset's stream may still be open from the former call: the ring must not play in an ear.
        @Test
        func ringNeverPlaysOnHandset() throws {
            let speaker = WireRig.installed.device()
            let phone = try Self.phone(on: speaker) {
                $0.devices[.speaker] = .init(capture: speaker.name, playback: speaker.name)
            }
            let start = WireFile.now()
            phone.perform(.keyClick(.five))
            listen(milliseconds: 200)
            phone.perform(.volume(.ring, 10), .ring(Self.long))
            listen(milliseconds: 500)
            #expect(Self.level(speaker) > -25)
            phone.perform(.tone(.dial))
            listen(milliseconds: 500)
            #expect(ToneDetector.level(of: 440, in: Self.heard(phone.device, milliseconds: 200).span) > -25)
            let handset = phone.device.ear.heard(start..<WireFile.now())
            #expect(handset.allSatisfy { abs(Int($0)) < 12_000 }, "a ring would be at full scale")
        }

        @Test
        func singleDeviceRings() throws {
            let device = WireRig.installed.device()
            let phone = try TestPhone { settings in
                settings.devices = [.handset: .init(capture: device.name, playback: device.name)]
                settings.ringer = .init(device: device.name)
            }
            phone.perform(.ring(Self.long))
            listen(milliseconds: 500)
            #expect(Self.level(device) > -25)
            phone.perform(.ring(nil), .tone(.dial))
            listen(milliseconds: 500)
            #expect(ToneDetector.level(of: 440, in: Self.heard(device, milliseconds: 200).span) > -25)
            #expect(Self.level(device) < -50)
            #expect(phone.log.count { if case .ringerLost = $0 { true } else { false } } == 0)
        }
    }
}
