import Bench
import Foundation

/// Debian's Twinkle on the console, as a peer that speaks G.711, GSM and Speex, and no Opus.
final class Twinkle {
    static let program = "/usr/bin/twinkle-console"
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

    let console: Console

    init(folder: String, host: HostPair.Host, sound: SoundCard) throws {
        try TextFile.makeFolder(folder + "/.twinkle")
        try TextFile.write(
            "user_name=bench\nuser_domain=\(host.address)\nregister_at_startup=no\npublish_presence=no\n",
            to: folder + "/.twinkle/bench.cfg")
        let device = "alsa:\(sound.name)"
        try TextFile.write(
            """
            dev_ringtone=\(device)
            dev_speaker=\(device)
            dev_mic=\(device)
            sip_port=5060
            rtp_port=21000

            """, to: folder + "/.twinkle/twinkle.sys")
        console = try Console(
            [Self.program, "bench.cfg"], folder: folder, host: host,
            environment: ["ALSA_CONFIG_PATH": sound.configuration])
    }
}
