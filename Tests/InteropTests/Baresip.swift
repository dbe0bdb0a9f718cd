import Base
import Bench
import Foundation
import Rig

/// Debian's baresip as a peer: one codec, mandatory SRTP, ALSA on a wire, driven over its control socket.
final class Baresip: PeerTelephone {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static let program = "/usr/bin/baresip"
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

    let ear: Wire
    let mouth: Wire
    let process: ChildProcess
    private let commands: BaresipCommands

    convenience init(folder: String, host: HostPair.Host, sound: SoundCard, port: UInt16) throws {
        try self.init(folder: folder, host: host, sound: sound, port: port, encryption: "srtp-mand")
    }

    /// - Parameters:
    /// - codec: The only one, by baresip's name for it.
    /// - encryption: The source of its SRTP keys, by baresip's name for it.
    /// - doesICE: Whether it uses ICE for its calls.
    init(
        folder: String, host: HostPair.Host, sound: SoundCard, port: UInt16 = 5_060, codec: String = "opus/48000/2",
        encryption: String = "srtp-mand", doesICE: Bool = false
    ) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // The control port is as far from its SIP port as that of the first baresip.
        let control = 4_444 + port - 5_060
        try Self.configuration(
            host: host, port: port, control: control, device: sound.name, sharesPort: doesICE
        )
        .write(toFile: folder + "/config", atomically: true, encoding: .utf8)
        // It adds no transport: 1.1.0 would not be found by a call over TCP, and one with ICE is too long for UDP.
        let account =
            "<sip:bench@\(host.address):\(port)>;regint=0;mediaenc=\(encryption);audio_codecs=\(codec)"
            + (doesICE ? ";medianat=ice" : "")
        try (account + ";answermode=manual\n").write(toFile: folder + "/accounts", atomically: true, encoding: .utf8)
        try "".write(toFile: folder + "/contacts", atomically: true, encoding: .utf8)
        ear = try Wire(path: sound.ear)
        mouth = try Wire(path: sound.mouth)
        process = try ChildProcess(
            host.prefix + [Self.program, "-f", folder], environment: ["ALSA_CONFIG_PATH": sound.configuration],
            log: folder + "/log")
        commands = try BaresipCommands(host: host, port: control, folder: folder)
    }

    func command(_ name: String, _ parameters: String = "") throws { try commands.send(name, parameters) }

    func answer() throws {
        try waitFor("CALL_INCOMING")
        try command("accept")
        try waitFor("CALL_ESTABLISHED")
    }

    /// Ends its call. The menu of 1.1.0 loses that call when another one ends, and answers "no active call" to
    /// `hangup`. It has a command for all calls, which 1.0.0 rejects as unknown.
    func hangUp() throws {
        for name in ["hangup", "hangupall"] { try command(name) }
    }

    func waitForEnd() throws { try waitFor("CALL_CLOSED") }

    /// Waits for an event of this type, such as `CALL_ESTABLISHED`, with this text.
    func waitFor(_ type: String, saying more: String = "", upTo limit: Duration = .seconds(10)) throws {
        let end = MonotonicTime.now + limit
        while MonotonicTime.now < end {
            guard let event = try commands.nextEvent(upTo: end - MonotonicTime.now) else { break }
            if event.contains("\"type\":\"\(type)\""), more.isEmpty || event.contains(more) { return }
        }
        throw Failure(description: "baresip: no \(type) within \(limit)")
    }

    private static func configuration(
        host: HostPair.Host, port: UInt16, control: UInt16, device: String, sharesPort: Bool
    ) -> String {
        let lines = [
            "poll_method epoll", "sip_listen \(host.address):\(port)", "call_max_calls 4",
            "audio_path /usr/share/baresip", "audio_player alsa,\(device)", "audio_source alsa,\(device)",
            "audio_alert alsa,\(device)", "audio_level no", "ausrc_srate 48000", "auplay_srate 48000",
            "ausrc_channels 1", "auplay_channels 1", "opus_stereo no", "opus_sprop_stereo no", "opus_bitrate 48000",
            // With two ports it would need two paths, which this phone does not support.
            "rtcp_mux \(sharesPort ? "yes" : "no")", "rtp_ports \(15_000 + port)-\(15_100 + port)",
            "module_path /usr/lib/baresip/modules", "module alsa.so", "module opus.so", "module g711.so",
            "module g722.so",
            "module srtp.so", "module dtls_srtp.so", "module ice.so", "module account.so", "module menu.so",
            "module ctrl_tcp.so",
            "ctrl_tcp_listen \(host.address):\(control)",
        ]
        return lines.joined(separator: "\n") + "\n"
    }
}
