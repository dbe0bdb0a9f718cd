import Foundation
import Glibc
import Media
import PhoneCore
import SoundCore

/// The card of snd-aloop, if the machine has one: a kernel sound card without hardware. It is a bundle of cables:
/// sound that enters one end leaves the other. `Scripts/cards` boots a machine that has it.
enum LoopbackCard {
    static let isThere = unsafe access("/proc/asound/Loopback", F_OK) == 0
    /// Only these tests need it.
    static let mayGo = unsafe getenv("OFFHOOK_CARD_MAY_GO") != nil

    /// The end of a cable that the phone uses.
    static func phone(_ cable: Int) -> MediaSettings.Device { device(0, cable) }

    /// A person at the other end.
    /// - Parameter note: The person's note, in hertz.
    /// - Returns: The last second of the heard sound.
    static func listen(_ cable: Int, singing note: Int, seconds: Int) throws -> [Int16] {
        let trial = try SoundTrial(MediaSettings(devices: [.handset: device(1, cable)]), route: .handset)
        let song = TestSignal.sine(Double(note), amplitude: 4_000, seconds: Double(seconds))
        var heard: [Int16] = []
        try trial.run { captured, played in
            let start = heard.count
            heard += captured
            guard start + played.count <= song.count else { return false }
            for place in played.indices { played[place] = song[start + place] }
            return true
        }
        return Array(heard.suffix(SoundFormat.sampleRate))
    }

    /// A line of the kernel's information about a direction of the phone's end: `hw_params`, `status`.
    static func told(_ cable: Int, _ direction: Character, _ file: String, _ name: String) -> String? {
        let path = "/proc/asound/Loopback/pcm0\(direction)/sub\(cable)/\(file)"
        let text = try? String(contentsOfFile: path, encoding: .utf8)
        return text?.split(separator: "\n").first { $0.hasPrefix(name) }.map { line in
            String(line.drop { $0 != ":" }.drop { ": ".contains($0) })
        }
    }

    /// Removes the card, and inserts it again. The kernel waits until no process has it open.
    static func plug(_ isIn: Bool) {
        let path = "/sys/bus/platform/drivers/snd_aloop/" + (isIn ? "bind" : "unbind")
        let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
        _ = unsafe write(descriptor, "snd_aloop.0", 11)
        close(descriptor)
    }

    private static func device(_ end: Int, _ cable: Int) -> MediaSettings.Device {
        let name = "plughw:CARD=Loopback,DEV=\(end),SUBDEV=\(cable)"
        return .init(capture: name, playback: name)
    }
}
