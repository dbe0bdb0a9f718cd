import Base
import Media
import PhoneCore
import SoundCore
import Testing

extension RealTime {
    /// The test of microphone and loudspeaker, with real threads and devices.
    @Suite
    struct SoundTestTests {
        /// The delay from the loudspeaker to the microphone, in samples: long, so this test may be late.
        private static let distance = 100 * 48

        /// A phone's loudspeaker in its microphone.
        private enum Room {
            /// So many decibels below the played sound, and noise.
            case answers(Double)
            case silent
            case loud
        }

        /// Lets the rooms answer until every phone has measured.
        private func measure(_ phones: [(phone: TestPhone, room: Room)]) -> [SoundTestReading?] {
            var random = SeededGenerator(seed: 3)
            let begin = WireFile.now()
            for (phone, room) in phones {
                if case .loud = room {
                    let noise = (0..<6 * 48_000).map { _ in Int16.random(in: -12_000...12_000, using: &random) }
                    phone.device.mouth.say(noise, at: begin)
                }
                phone.perform(.testSound(SoundTest(number: 7, route: .handset)))
            }
            var copied = begin
            let isOver = { phones.allSatisfy { Self.reading(of: $0.phone) != nil } }
            while !isOver(), WireFile.now() < begin + 5 * 48_000 {
                listen(milliseconds: 5)
                let now = WireFile.now() - 480
                guard now > copied else { continue }
                for (phone, room) in phones {
                    guard case .answers(let attenuation) = room else { continue }
                    let gain = Decibels.gain(-attenuation)
                    let echo = phone.device.ear.heard(copied..<now).map { sample in
                        Int16(Double(sample) * gain + Double.random(in: -8...8, using: &random))
                    }
                    phone.device.mouth.say(echo, at: copied + Self.distance)
                }
                copied = now
            }
            return phones.map { Self.reading(of: $0.phone) }
        }

        private static func reading(of phone: TestPhone) -> SoundTestReading? {
            phone.log.all.lazy.compactMap { if case .soundTested(7, let reading) = $0 { reading } else { nil } }.first
        }

        private func levels(_ reading: SoundTestReading?) -> (before: Double, during: Double) {
            if case .heard(let before, let during) = reading { (before, during) } else { (0, -200) }
        }

        @Test
        func deadPartIsFound() throws {
            let missing = try TestPhone { $0.devices = [:] }
            let phones = try [Room.answers(20), .silent, .loud].map { (phone: try TestPhone(), room: $0) }
            let readings = measure(phones + [(missing, .silent)])
            let (good, dead, loud) = (levels(readings[0]), levels(readings[1]), levels(readings[2]))
            #expect(abs(good.during + 43) < 2, "notes at -20 dBm0, 20 dB softer: \(good)")
            #expect(good.during - good.before > 25)
            #expect(dead.during == dead.before && dead.before < -95, "a microphone that is dead: \(dead)")
            #expect(loud.before > -55 && loud.during - loud.before < 12, "noise hides it: \(loud)")
            #expect(readings[3] == .noDevice)
            #expect(missing.log.count { if case .deviceLost(.handset, _) = $0 { true } else { false } } > 0)
        }

        /// A call's devices start as fast as without the test.
        @Test
        func disturbanceEndsTestAtOnce() throws {
            let phone = try TestPhone()
            phone.perform(.testSound(SoundTest(number: 7, route: .handset)))
            listen(milliseconds: 1_000)
            phone.perform(.testSound(nil), .tone(.dial))
            listen(milliseconds: 250)
            let end = WireFile.now() - 30 * 48
            let heard = phone.device.ear.heard(end - 100 * 48..<end)
            #expect(ToneDetector.level(of: 440, in: heard.span) > -20, "the dial tone")
            #expect(ToneDetector.level(of: 700, in: heard.span) < -45, "and no note")
            listen(milliseconds: 700)
            #expect(phone.log.all.isEmpty)
        }
    }
}
