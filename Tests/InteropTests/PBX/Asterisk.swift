import Base
import Bench
import Foundation
import Rig

/// Asterisk with PJSIP, in a separate folder.
final class Asterisk: PBXServer {
    private let program: String
    private let setup: PBXSetup
    private var process: ChildProcess?

    init(_ installation: String, _ setup: PBXSetup) throws {
        (program, self.setup) = (installation + "/sbin/asterisk", setup)
        for folder in ["etc", "db", "keys", "spool", "run", "log", "cache"] {
            try TextFile.makeFolder("\(setup.folder)/\(folder)")
        }
        for (name, text) in files(installation) { try TextFile.write(text, to: "\(setup.folder)/etc/\(name)") }
        try startAgain()
    }

    deinit { stop() }

    var version: String { (try? command("core show version")) ?? "?" }
    var said: String { (try? String(contentsOfFile: setup.folder + "/log/full.log", encoding: .utf8)) ?? "" }

    func startAgain() throws {
        let process = try ChildProcess(
            setup.host.prefix + [program, "-f", "-n", "-vvv", "-C", configuration], log: setup.folder + "/console")
        self.process = process
        let end = MonotonicTime.now + .seconds(30)
        while MonotonicTime.now < end, process.poll() == nil {
            if try command("core waitfullybooted").contains("fully booted") { return }
            MonotonicTime.sleep(.milliseconds(100))
        }
        stop()
        throw PBXFailure(description: "Asterisk did not come up: \(said.suffix(2_000))")
    }

    func command(_ line: String) throws -> String {
        let words = [program, "-C", configuration, "-n", "-rx", line]
        return try Tool(setup.host.prefix + words, in: setup.folder).findings().output
    }

    /// A message is a file: Asterisk looks at the box each second.
    func leaveMessage(for user: String) throws {
        let box = "\(setup.folder)/spool/voicemail/default/\(user)/INBOX"
        try FileManager.default.createDirectory(atPath: box, withIntermediateDirectories: true)
        try TextFile.write("[message]\norigmailbox=\(user)\ncallerid=\"A caller\" <555>\n", to: box + "/msg0000.txt")
    }

    func kill() {
        if let process { Glibc.kill(process.identifier, SIGKILL) }
        _ = process?.wait(upTo: .seconds(5))
        process = nil
    }

    func stop() {
        _ = process?.stop()
        process = nil
    }

    private var configuration: String { setup.folder + "/etc/asterisk.conf" }

    // MARK: Its files

    private func files(_ installation: String) -> [String: String] {
        let folder = setup.folder
        return [
            "asterisk.conf": """
            [directories]
            astetcdir => \(folder)/etc
            astmoddir => \(installation)/lib/asterisk/modules
            astvarlibdir => \(installation)/var/lib/asterisk
            astdatadir => \(installation)/var/lib/asterisk
            astdbdir => \(folder)/db
            astkeydir => \(folder)/keys
            astspooldir => \(folder)/spool
            astrundir => \(folder)/run
            astlogdir => \(folder)/log
            astcachedir => \(folder)/cache

            """,
            "modules.conf": "[modules]\nautoload=yes\nnoload=chan_iax2.so\nnoload=chan_unistim.so\n",
            "logger.conf": "[general]\n[logfiles]\nfull.log => notice,warning,error,verbose\n",
            "rtp.conf": "[general]\nrtpstart=20000\nrtpend=20200\n",
            "features.conf": "[general]\n",
            "res_parking.conf": """
            [general]
            [default]
            parkext => \(PBXSetup.parking)
            parkpos => \(PBXSetup.firstOrbit)-710
            context => parkedcalls
            parkingtime => 60

            """,
            "voicemail.conf": """
            [general]
            format=wav
            pollmailboxes=yes
            pollfreq=1
            [default]
            \(PBXSetup.users.map { "\($0) => 1234,\(PBXSetup.name(of: $0))\n" }.joined())
            """,
            "extensions.conf": """
            [internal]
            include => parkedcalls
            exten => \(PBXSetup.echo),1,Answer()
             same => n,Echo()
            exten => _10[1-3],1,Dial(PJSIP/${EXTEN},60)
            exten => _\(PBXSetup.pickup)X.,1,Pickup(${EXTEN:2}@internal)
            \(PBXSetup.users.map { "exten => \($0),hint,PJSIP/\($0)\n" }.joined())
            """,
            "pjsip.conf": transports + PBXSetup.users.map(endpoint).joined(),
        ]
    }

    private var transports: String {
        let address = setup.host.address
        return """
            [udp]
            type=transport
            protocol=udp
            bind=\(address):5060

            [tcp]
            type=transport
            protocol=tcp
            bind=\(address):5060

            [tls]
            type=transport
            protocol=tls
            bind=\(address):5061
            cert_file=\(setup.authority.certificate)
            priv_key_file=\(setup.authority.key)
            method=tlsv1_2


            """
    }

    private func endpoint(_ user: String) -> String {
        """
        [\(user)]
        type=endpoint
        context=internal
        allow=!all,g722,alaw,opus
        callerid="\(PBXSetup.name(of: user))" <\(user)>
        \(media)
        rtp_symmetric=yes
        rewrite_contact=yes
        direct_media=no
        media_address=\(setup.host.address)
        bind_rtp_to_media_address=yes
        send_pai=yes
        trust_id_outbound=yes
        mailboxes=\(user)@default
        auth=\(user)
        aors=\(user)

        [\(user)]
        type=auth
        username=\(user)
        password=\(PBXSetup.password(of: user))

        [\(user)]
        type=aor
        max_contacts=1
        remove_existing=yes


        """
    }

    private var media: String {
        switch setup.protection {
        case .clear: "media_encryption=no"
        case .sdes: "media_encryption=sdes"
        case .dtls: "media_encryption=dtls\ndtls_auto_generate_cert=yes"
        case .twoPorts: "media_encryption=dtls\ndtls_auto_generate_cert=yes\nice_support=yes"
        case .webrtc: "webrtc=yes\ndtls_auto_generate_cert=yes"
        }
    }
}
