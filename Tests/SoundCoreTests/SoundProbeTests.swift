import Base
import Glibc
import SoundCore
import Testing

/// The test of microphone and loudspeaker, with a room that is a sum.
@Suite struct SoundProbeTests {
    private static let quantum = 480

    /// Runs it in a room: played sound returns so much softer, 40 ms later, with noise and a hum.
    private static func outcome(
        attenuation: Double?, noise: Double = 5, hum: Double = 0, devices: (Int) -> Bool = { _ in true }
    ) -> (SoundProbe.Outcome?, quanta: Int) {
        var (check, player, random) = (SoundProbe(), ToneGenerator(), SeededGenerator(seed: 7))
        var air = [Int16](repeating: 0, count: 4 * quantum)
        for index in 0..<600 {
            var samples = (0..<quantum).map { place -> Int16 in
                let echo = attenuation.map { Double(air[place]) * Decibels.gain(-$0) } ?? 0
                let turn = sin(2 * .pi * 700 * Double(index * quantum + place) / 48_000)
                let sum = echo + hum * turn + Double.random(in: -noise...noise, using: &random)
                return Int16(max(-32_767, min(32_767, sum)))
            }
            if !devices(index) { samples = samples.map { _ in 0 } }
            switch check.hear(samples.span, isWorking: devices(index)) {
            case .goOn: break
            case .play: player.start(SoundProbe.notes)
            case .over(let outcome): return (outcome, index + 1)
            }
            var played = [Int16](repeating: 0, count: quantum)
            var span = played.mutableSpan
            player.render(into: &span)
            air = Array(air.dropFirst(quantum)) + played
        }
        return (nil, 600)
    }

    private static func clearance(_ outcome: SoundProbe.Outcome?) -> Double? {
        if case .heard(let before, let during) = outcome { during - before } else { nil }
    }

    @Test func answeringRoomIsHeard() throws {
        for attenuation in [0, 20, 30] as [Double] {
            let (outcome, quanta) = Self.outcome(attenuation: attenuation)
            let clearance = try #require(Self.clearance(outcome))
            #expect(clearance > 30, "\(attenuation) dB softer")
            #expect(quanta < 220, "in some two seconds")
            guard case .heard(_, let during) = outcome else { return }
            #expect(abs(during + 23.1 + attenuation) < 1.5, "\(during) dB for notes at -20 dBm0")
        }
    }

    @Test func deadPartIsDetected() throws {
        let silent = try #require(Self.clearance(Self.outcome(attenuation: nil).0))
        #expect(silent < 6)
        #expect(Self.clearance(Self.outcome(attenuation: nil, noise: 0).0) == 0, "not even noise")
    }

    /// One of the two notes comes from a machine.
    @Test func humIsNoLoudspeaker() throws {
        let hum = try #require(Self.clearance(Self.outcome(attenuation: nil, hum: 800).0))
        #expect(hum < 6)
        guard case .heard(let before, let during) = Self.outcome(attenuation: 40, noise: 9_000).0 else { return }
        #expect(before > -55 && during - before < 12, "noise hides it: \(before), \(during)")
    }

    @Test func unavailableDevicesAreMissing() {
        let (outcome, quanta) = Self.outcome(attenuation: 0) { _ in false }
        #expect(outcome == .noDevice && quanta == 300)
        let late = Self.outcome(attenuation: 10) { $0 > 100 }
        #expect(Self.clearance(late.0).map { $0 > 30 } == true)
        #expect(Self.outcome(attenuation: 10) { $0 % 100 > 50 }.0 == .noDevice, "nor are those that come and go")
    }
}
