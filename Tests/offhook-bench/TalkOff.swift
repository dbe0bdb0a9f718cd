import Commands
import Glibc
import SoundCore

extension OffhookBench {
    /// Speech comes in at standard input; the keys that the phone would detect in it come out.
    static var talkOff: Command {
        Command(
            "talk-off",
            "Keys that are heard in speech, which has none. Exits 0 only if there are at most as many as allowed.",
            discussion: "Reads 16-bit samples of one channel at 48 kHz from standard input.",
            Parameter.option(
                "most-an-hour", "The most keys that speech may be mistaken for, in an hour.", .number(0...1_000)
            )
            .usual(1)
        ) { mostAnHour in
            var detector = DTMFDetector()
            var (samples, keys) = (0, [UInt8]())
            var bytes = [UInt8](repeating: 0, count: 960)
            while fill(&bytes) {
                let count = bytes.count / 2
                let sound = (0..<count).map {
                    Int16(bitPattern: UInt16(bytes[2 * $0]) | UInt16(bytes[2 * $0 + 1]) << 8)
                }
                detector.hear(sound.span) { keys.append($0) }
                samples += count
            }
            let hours = Double(samples) / Double(SoundFormat.sampleRate) / 3_600
            let rate = hours > 0 ? Double(keys.count) / hours : .infinity
            print("talk-off: \(keys.count) keys in \(Int(hours * 60)) minutes of speech")
            guard rate <= Double(mostAnHour) else { throw ExitCode.failure }
        }
    }

    /// Fills the bytes from standard input. False: it has ended before.
    private static func fill(_ bytes: inout [UInt8]) -> Bool {
        var filled = 0
        while filled < bytes.count {
            let count = unsafe bytes.withUnsafeMutableBytes { room in
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: room[filled...])
                return unsafe read(STDIN_FILENO, rest.baseAddress, rest.count)
            }
            guard count > 0 else { return false }
            filled += count
        }
        return true
    }
}
