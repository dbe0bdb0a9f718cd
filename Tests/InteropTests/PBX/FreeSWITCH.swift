import Base
import Bench
import Foundation
import Rig

/// FreeSWITCH with mod_sofia and mod_verto, in a separate folder.
final class FreeSWITCH: PBXServer {
    /// The port of Verto's WebSockets, without TLS.
    static let vertoPort: UInt16 = 8_081

    private let installation: String
    private let setup: PBXSetup
    private var process: ChildProcess?

    init(_ installation: String, _ setup: PBXSetup) throws {
        (self.installation, self.setup) = (installation, setup)
        for folder in ["conf", "certs"] + Self.places.values {
            try TextFile.makeFolder("\(setup.folder)/\(folder)")
        }
        try TextFile.write(document, to: setup.folder + "/conf/freeswitch.xml")
        let files = FileManager.default
        let pair = [setup.authority.certificate, setup.authority.key].compactMap(files.contents(atPath:))
        for name in ["agent.pem", "wss.pem", "dtls-srtp.pem"] {
            try Data(pair.joined()).write(to: URL(fileURLWithPath: "\(setup.folder)/certs/\(name)"))
        }
        try files.copyItem(atPath: setup.authority.authorities, toPath: setup.folder + "/certs/cafile.pem")
        try startAgain()
    }

    deinit { stop() }

    var version: String { (try? command("version")) ?? "?" }
    var said: String { (try? String(contentsOfFile: setup.folder + "/log/freeswitch.log", encoding: .utf8)) ?? "" }

    func startAgain() throws {
        let places = Self.places.flatMap { ["-\($0)", "\(setup.folder)/\($1)"] }
        let process = try ChildProcess(
            setup.host.prefix + [
                installation + "/bin/freeswitch", "-nf", "-nc", "-nonat", "-conf", setup.folder + "/conf", "-certs",
                setup.folder + "/certs", "-mod", installation + "/lib/freeswitch/mod",
            ] + places, log: setup.folder + "/console")
        self.process = process
        let end = MonotonicTime.now + .seconds(30)
        while MonotonicTime.now < end, process.poll() == nil {
            if try command("sofia status profile internal").contains("RUNNING")
                || command("sofia status").contains("RUNNING")
            {
                return
            }
            MonotonicTime.sleep(.milliseconds(200))
        }
        stop()
        throw PBXFailure(description: "FreeSWITCH did not come up: \(said.suffix(2_000))")
    }

    @discardableResult
    func command(_ line: String) throws -> String {
        try Tool(setup.host.prefix + [installation + "/bin/fs_cli", "-x", line], in: setup.folder).findings().output
    }

    func leaveMessage(for user: String) throws {
        try command("vm_inject \(user)@\(setup.host.address) \(setup.sound) 555 Caller")
    }

    func kill() {
        if let process { Glibc.kill(process.identifier, SIGKILL) }
        _ = process?.wait(upTo: .seconds(5))
        process = nil
    }

    func stop() {
        _ = process?.stop(within: .seconds(10))
        process = nil
    }

    /// Its options for folders, and their names.
    private static let places = [
        "log": "log", "run": "run", "db": "db", "storage": "storage", "temp": "temp", "recordings": "recordings",
        "scripts": "scripts", "htdocs": "htdocs", "cache": "cache", "sounds": "sounds", "grammar": "grammar",
    ]

    // MARK: Its configuration

    private static let modules = [
        "console", "logfile", "event_socket", "sofia", "loopback", "rtc", "verto", "commands", "db", "dptools", "hash",
        "valet_parking", "voicemail", "dialplan_xml", "opus", "spandsp", "sndfile", "native_file", "tone_stream",
    ]

    private static func section(_ name: String, _ parameters: [String: String], _ more: String = "") -> String {
        """
        <configuration name="\(name).conf"><settings>\(params(parameters))</settings>\(more)</configuration>

        """
    }

    private static func params(_ parameters: [String: String]) -> String {
        parameters.sorted { $0.key < $1.key }.map { "<param name=\"\($0)\" value=\"\($1)\"/>" }.joined()
    }

    private var document: String {
        let modules = Self.modules.map { "<load module=\"mod_\($0)\"/>" }.joined()
        return """
            <document type="freeswitch/xml">
            <section name="configuration">
            <configuration name="modules.conf"><modules>\(modules)</modules></configuration>
            \(Self.section("console", [:], "<mappings><map name=\"all\" value=\"console,debug\"/></mappings>"))
            <configuration name="logfile.conf"><settings/><profiles><profile name="default"><settings>
            <param name="logfile" value="\(setup.folder)/log/freeswitch.log"/></settings>
            <mappings><map name="all" value="debug,info,notice,warning,err,crit,alert"/></mappings></profile></profiles></configuration>
            \(Self.section("switch", ["rtp-start-port": "20000", "rtp-end-port": "20200", "loglevel": "debug"]))
            \(Self.section("event_socket", ["listen-ip": "127.0.0.1", "listen-port": "8021", "password": "ClueCon"]))
            \(sofia)
            \(verto)
            <configuration name="voicemail.conf"><settings/><profiles><profile name="default">
            <param name="file-extension" value="wav"/><param name="storage-dir" value="\(setup.folder)/storage"/>
            </profile></profiles></configuration>
            </section>
            <section name="dialplan"><context name="internal">\(dialplan)</context></section>
            <section name="directory">\(directory)</section>
            </document>
            """
    }

    private var sofia: String {
        let address = setup.host.address
        let settings = [
            "context": "internal", "dialplan": "XML", "sip-ip": address, "rtp-ip": address, "sip-port": "5060",
            "auth-calls": "true", "accept-blind-reg": "false", "force-register-domain": address,
            "force-subscription-domain": address, "force-register-db-domain": address, "manage-presence": "true",
            "codec-prefs": "G722,PCMA,OPUS", "inbound-codec-negotiation": "generous", "rtp-timer-name": "soft",
            "apply-candidate-acl": "any_v4.auto", "nonce-ttl": "60", "rfc2833-pt": "101", "tls": "true",
            "tls-sip-port": "5061", "tls-cert-dir": setup.folder + "/certs", "tls-version": "tlsv1.2",
            "send-display-update": "true", "caller-id-type": "pid", "aggressive-nat-detection": "true",
            "NDLB-force-rport": "safe",
        ]
        return """
            <configuration name="sofia.conf"><global_settings/><profiles><profile name="internal">
            <domains><domain name="\(address)" alias="true" parse="false"/></domains>
            <settings>\(Self.params(settings))</settings></profile></profiles></configuration>
            """
    }

    private var verto: String {
        let settings = [
            "bind-local": "\(setup.host.address):\(Self.vertoPort)", "force-register-domain": setup.host.address,
            "userauth": setup.host.address, "context": "internal", "rtp-ip": setup.host.address,
            "apply-candidate-acl": "any_v4.auto", "outbound-codec-string": "opus,pcma",
            "inbound-codec-string": "opus,pcma",
            "timer-name": "soft",
        ]
        return """
            <configuration name="verto.conf"><settings><param name="enable-fs-events" value="true"/></settings><profiles><profile name="default">\(Self.params(settings))</profile>
            </profiles></configuration>
            """
    }

    private func extension_(_ name: String, _ expression: String, _ actions: [(String, String)]) -> String {
        let list = actions.map { "<action application=\"\($0)\" data=\"\($1)\"/>" }.joined()
        return """
            <extension name="\(name)"><condition field="destination_number" expression="\(expression)">\(list)</condition></extension>

            """
    }

    private var dialplan: String {
        let pickup = PBXSetup.pickup.replacing("*", with: "\\*")
        return extension_("echo", "^\(PBXSetup.echo)$", [("answer", ""), ("echo", "")])
            + extension_(
                "users", "^(10[1-3])$",
                [
                    ("hash", "insert/last/$1/${uuid}"), ("set", "hangup_after_bridge=true"),
                    ("set", "initial_callee_id_name=User $1"), ("set", "initial_callee_id_number=$1"),
                    ("set", "continue_on_fail=false"), ("set", "update_ignore_ua=true"),
                    ("export", "nolocal:update_ignore_ua=true"), ("bridge", "user/$1@\(setup.host.address)"),
                ])
            + extension_(
                "parking", "^\(PBXSetup.parking)$",
                [
                    ("answer", ""), ("set", "valet_announce_slot=false"),
                    ("valet_park", "lot auto in \(PBXSetup.firstOrbit) 710"),
                ])
            + extension_("orbit", "^(7[01][0-9])$", [("answer", ""), ("valet_park", "lot $1")])
            + extension_("pickup", "^\(pickup)(10[1-3])$", [("answer", ""), ("intercept", "${hash(select/last/$1)}")])
    }

    private var directory: String {
        let contacts =
            "${sofia_contact(*/${dialed_user}@${dialed_domain})},${verto_contact(${dialed_user}@${dialed_domain})}"
        let users = PBXSetup.users.map { user in
            let variables =
                [
                    "user_context": "internal", "effective_caller_id_name": PBXSetup.name(of: user),
                    "effective_caller_id_number": user, "presence_id": "\(user)@\(setup.host.address)",
                ].merging(media) { $1 }
            return """
                <user id="\(user)"><params>
                <param name="password" value="\(PBXSetup.password(of: user))"/><param name="vm-password" value="1234"/>
                </params><variables>
                \(variables.sorted { $0.key < $1.key }.map { "<variable name=\"\($0)\" value=\"\($1)\"/>" }.joined())
                </variables></user>
                """
        }
        return """
            <domain name="\(setup.host.address)"><params>
            <param name="dial-string" value="{^^:sip_invite_domain=${dialed_domain}:presence_id=${dialed_user}@${dialed_domain}\(dialled)}\(contacts)"/>
            <param name="jsonrpc-allowed-methods" value="verto"/>
            <param name="jsonrpc-allowed-event-channels" value="presence,FSevent"/>
            </params><groups><group name="all"><users>\(users.joined())</users></group></groups></domain>
            """
    }

    /// The protection of calls to a user.
    private var dialled: String {
        media.sorted { $0.key < $1.key }.map { ":\($0)=\($1)" }.joined()
    }

    private var media: [String: String] {
        switch setup.protection {
        case .clear: [:]
        case .sdes: ["rtp_secure_media": "mandatory"]
        case .dtls, .twoPorts: [:]
        case .webrtc: ["media_webrtc": "true"]
        }
    }
}
