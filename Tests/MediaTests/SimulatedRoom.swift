import Base
import Bench
import Foundation
import Glibc

/// A room with a loudspeaker and a microphone: a direct path, then noise that decays by 60 dB in the given time, as
/// reflections do.
struct SimulatedRoom {
    private let response: [Float]

    /// - Parameters:
    /// - reverberation: milliseconds to a millionth of the power.
    /// - delay: milliseconds of the direct path.
    /// - loudness: of the echo, relative to the played sound.
    /// - spacing: samples between reflections; the cost of a long reverberation is proportional to them.
    init(reverberation: Int = 150, delay: Int = 4, loudness: Float = 0.5, spacing: Int = 1, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let count = reverberation * 48
        var tail = (0..<count).map { place in
            let reflection = Float(Self.gauss(&random) * pow(10, -3 * Double(place) / Double(count)))
            return place.isMultiple(of: spacing) ? reflection : 0
        }
        tail[0] += 3
        let power = tail.reduce(0) { $0 + $1 * $1 }
        response = [Float](repeating: 0, count: delay * 48) + tail.map { $0 * loudness / power.squareRoot() }
    }

    /// The microphone's sound of the played samples. Cost: O(samples · reverberation).
    func echo(of played: [Int16]) -> [Float] {
        let sound = played.map(Float.init)
        var heard = [Float](repeating: 0, count: played.count)
        for (tap, weight) in response.enumerated() where weight != 0 && tap < heard.count {
            for place in 0..<heard.count - tap { heard[tap + place] += weight * sound[place] }
        }
        return heard
    }

    /// A small loudspeaker's distortion of loud sound: it limits it, and its second harmonic is audible.
    static func distorted(_ played: [Int16], drive: Float = 1.5) -> [Int16] {
        played.map { sample in
            let level = Float(sample) / 32_768 * drive
            return Int16(max(-1, min(1, (tanh(level) + 0.1 * level * level) / drive)) * 32_767)
        }
    }

    static func noise(_ count: Int, deviation: Double, seed: UInt64) -> [Float] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in Float(deviation * gauss(&random)) }
    }

    /// The converter's sum; the shorter inputs are silent at their ends.
    static func mix(_ parts: [Float]...) -> [Int16] {
        (0..<(parts.map(\.count).max() ?? 0)).map { place in
            let sum = parts.reduce(Float(0)) { $0 + (place < $1.count ? $1[place] : 0) }
            return Int16(max(-32_768, min(32_767, sum.rounded())))
        }
    }

    private static func gauss(_ random: inout SeededGenerator) -> Double {
        let (one, other) = (Double.random(in: 1e-12...1, using: &random), Double.random(in: 0...1, using: &random))
        return (-2 * log(one)).squareRoot() * cos(2 * .pi * other)
    }
}

/// Two people's speech by espeak-ng: `Scripts/speech`. At the usual level of a telephone.
struct SpokenWords {
    struct Missing: Error {}

    let alice: [Int16]
    let bob: [Int16]
    /// The version of espeak-ng, as "1.51". Another one has another voice.
    let synthesizer: String

    private static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

    static func script(_ name: String) -> String { "\(root)/Scripts/\(name)" }

    /// Synthesised once for all tests.
    static let recorded = Result { try SpokenWords() }

    private init() throws {
        let folder = "/tmp/offhook-words-\(getpid())"
        try TextFile.makeFolder(folder)
        let speech = try ChildProcess([Self.script("speech"), folder], log: folder + "/log")
        guard speech.wait(upTo: .seconds(60)) == .status(0) else { throw Missing() }
        alice = try WaveFile(path: folder + "/alice.wav").samples
        bob = try WaveFile(path: folder + "/bob.wav").samples
        let version = try ChildProcess(["espeak-ng", "--version"], log: folder + "/version")
        guard version.wait(upTo: .seconds(10)) == .status(0),
            let said = try String(contentsOfFile: folder + "/version", encoding: .utf8)
                .firstMatch(of: /text-to-speech: (\S+)/)
        else { throw Missing() }
        synthesizer = String(said.1)
        for name in ["alice.wav", "bob.wav", "log", "version"] { _ = unsafe unlink("\(folder)/\(name)") }
        _ = unsafe rmdir(folder)
    }

    /// Bob, again and again.
    func lecture(seconds: Int) -> [Int16] {
        var all: [Int16] = []
        while all.count < seconds * 48_000 { all += bob }
        return Array(all.prefix(seconds * 48_000))
    }

    static var canSpeak: Bool {
        ["espeak-ng", "sox"].allSatisfy { name in unsafe access("/usr/bin/" + name, X_OK) == 0 }
    }
}
