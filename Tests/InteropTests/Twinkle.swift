import Bench
import Foundation
import Rig

/// Debian's Twinkle on the console, as a peer without Opus and SRTP: voice in clear.
final class Twinkle: Speaker {
    static let program = "/usr/bin/twinkle-console"
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

    let ear: Wire
    let mouth: Wire
    let console: Console

    /// - Parameter codecs: By its own names for them, best first.
    init(folder: String, host: HostPair.Host, sound: SoundCard, codecs: String) throws {
        try TextFile.makeFolder(folder + "/.twinkle")
        // Nothing between mouth and codec: its own voice processing is not compared.
        try TextFile.write(
            """
            user_name=bench
            user_domain=\(host.address)
            register_at_startup=no
            publish_presence=no
            codecs=\(codecs)
            speex_dsp_vad=no
            speex_dsp_agc=no
            speex_dsp_aec=no
            speex_dsp_nrd=no
            zrtp_enabled=no

            """, to: folder + "/.twinkle/bench.cfg")
        let device = "alsa:\(sound.name)"
        try TextFile.write(
            """
            dev_ringtone=\(device)
            dev_speaker=\(device)
            dev_mic=\(device)
            sip_port=5060
            rtp_port=21000

            """, to: folder + "/.twinkle/twinkle.sys")
        ear = try Wire(path: sound.ear)
        mouth = try Wire(path: sound.mouth)
        console = try Console(
            [Self.program, "bench.cfg"], folder: folder, host: host,
            environment: ["ALSA_CONFIG_PATH": sound.configuration])
    }

    func answer() throws {
        try console.waitFor("incoming call")
        console.type("answer")
        try console.waitFor("call established")
    }
}
