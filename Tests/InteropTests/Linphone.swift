import Bench
import Foundation
import Rig

/// Debian's linphonec as a peer: Opus, mandatory SRTP by SDES, ALSA on a wire.
final class Linphone: PeerTelephone {
    static let program = "/usr/bin/linphonec"
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

    let ear: Wire
    let mouth: Wire
    let console: Console

    init(folder: String, host: HostPair.Host, sound: SoundCard, port: UInt16) throws {
        // The place of its database.
        try TextFile.makeFolder(folder + "/.local/share/linphone")
        try TextFile.write(Self.configuration(host, port), to: folder + "/linphonerc")
        try TextFile.write(sound.asDefault, to: folder + "/asound.conf")
        (ear, mouth) = (try Wire(path: sound.ear), try Wire(path: sound.mouth))
        // Without --pipe it ends with its input.
        console = try Console(
            [Self.program, "--pipe", "-c", folder + "/linphonerc", "-d", "6", "-l", folder + "/log"],
            folder: folder, host: host, port: port, environment: ["ALSA_CONFIG_PATH": folder + "/asound.conf"])
    }

    func answer() throws {
        try console.waitFor("Receiving new incoming call")
        console.type("answer")
        try waitForVoice()
    }

    func hangUp() { console.type("terminate") }

    func waitForEnd() throws { try console.waitFor("ended") }

    func waitForVoice() throws { try console.waitFor("Media streams established") }

    private static func configuration(_ host: HostPair.Host, _ port: UInt16) -> String {
        """
        [sip]
        sip_port=\(port)
        sip_tcp_port=0
        sip_tls_port=0
        contact=<sip:bench@\(host.address):\(port)>
        media_encryption=srtp
        media_encryption_mandatory=1
        auto_net_state_mon=0
        guess_hostname=0

        [rtp]
        audio_rtp_port=\(port + 16_000)

        [sound]
        playback_dev_id=ALSA Unknown: default
        capture_dev_id=ALSA Unknown: default
        ringer_dev_id=ALSA Unknown: default
        echocancellation=0
        remote_ring=
        local_ring=

        [video]
        enabled=0

        [audio_codec_0]
        mime=opus
        rate=48000
        channels=2
        enabled=1

        """
    }
}

extension SoundCard {
    /// An ALSA configuration for a program that knows the default device only.
    var asDefault: String { "<\(configuration)>\npcm.!default \"\(name)\"\n" }
}
