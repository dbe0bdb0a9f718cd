import Bench
import Rig

/// Three of Debian's Kamailio as a house with two doors for a phone (RFC 5626): a registrar and two edge proxies, with
/// one name and two addresses.
final class KamailioHouse {
    static var isPossible: Bool { KamailioProcess.isInstalled && KamailioProcess.knows("outbound") }

    enum Door: UInt16, CaseIterable {
        case first = 28_062
        case second

        fileprivate var address: String { self == .first ? "127.0.0.2" : "127.0.0.3" }
    }

    enum Transport: String, CaseIterable { case tcp, tls }

    static let name = "doors.example"
    /// The port of both doors, with an address each; towards the registrar a door has another port.
    static let port: UInt16 = 28_065
    private static let registrar: UInt16 = 28_064

    private let registrar: KamailioProcess
    private var doors: [Door: KamailioProcess] = [:]
    private let workplace: Workplace
    private let transport: Transport
    private let authority: TestAuthority

    init(_ transport: Transport, in workplace: Workplace) throws {
        (self.workplace, self.transport) = (workplace, transport)
        authority = try TestAuthority(folder: workplace.path + "/authority")
            .certifying(Self.name, in: workplace.path + "/doors")
        try TextFile.write(
            Door.allCases.map { "\($0.address) \(Self.name)\n" }.joined(), to: workplace.path + "/hosts")
        registrar = try KamailioProcess(
            folder: workplace.path + "/registrar", script: Self.registrarScript,
            inquiry: Inquiry(port: Self.registrar))
        for door in Door.allCases { try open(door) }
    }

    private func open(_ door: Door) throws {
        doors[door] = try KamailioProcess(
            folder: "\(workplace.path)/\(door)-door", script: script(of: door), inquiry: Inquiry(port: door.rawValue),
            megabytes: (32, 8))
    }

    /// A phone that finds the doors by name, with its own hosts file.
    func phone(_ name: String, _ user: String, port: UInt16) throws -> RigPhone {
        try Kamailio.phone(
            name, user, transport.rawValue, port: port, in: workplace.place, server: "\(Self.name):\(Self.port)",
            prefix: [
                "unshare", "--mount", "sh", "-c",
                "mount --bind '\(workplace.path)/hosts' /etc/hosts && exec \"$0\" \"$@\"",
            ]
        ) { $0.authorities = authority.authorities }
    }

    /// How many requests of this method passed a door.
    func passed(_ door: Door, _ method: String) -> Int {
        doors[door]?.said.split(separator: "\n").count { $0.hasSuffix("passed \(method)") } ?? 0
    }

    @discardableResult
    func close(_ door: Door) -> ChildProcess.Exit? { doors.removeValue(forKey: door)?.stop() }

    func finish() -> [ChildProcess.Exit?] {
        doors.keys.sorted { $0.rawValue < $1.rawValue }.map(close) + [registrar.stop()]
    }

    // MARK: Scripts

    private func script(of door: Door) -> String {
        """
        \(KamailioProcess.foundation)
        \(transport == .tls ? Kamailio.security(authority) : "")
        listen=\(transport.rawValue):\(door.address):\(Self.port)
        listen=udp:127.0.0.1:\(door.rawValue)
        loadmodule "nathelper.so"
        loadmodule "stun.so"
        loadmodule "outbound.so"
        loadmodule "path.so"
        # It says both of its sides: the registrar's is UDP, where a closed door is silent and not refused.
        modparam("path", "enable_r2", 1)

        request_route {
            if (is_method("OPTIONS")) { sl_send_reply("200", "OK"); exit; }
            xlog("L_ERR", "passed $rm\\n");
            if (is_method("CANCEL")) { if (t_check_trans()) { t_relay(); } exit; }
            if (is_method("REGISTER")) { add_path(); route(INSIDE); exit; }
            # Inside it is UDP: whoever comes otherwise is a phone, and reached over the connection that it made.
            if ($proto != "udp") { set_contact_alias(); }
            if (loose_route()) {
                if (has_totag()) { handle_ruri_alias(); } else { record_route(); }
                t_on_reply("PHONE");
                t_relay();
                exit;
            }
            if (is_method("ACK")) { if (t_check_trans()) { t_relay(); } exit; }
            record_route();
            route(INSIDE);
        }

        onreply_route[PHONE] { if ($proto != "udp") { set_contact_alias(); } }

        route[INSIDE] {
            $du = "sip:127.0.0.1:\(Self.registrar)";
            t_relay();
        }

        """
    }

    /// The flows of a phone are tried one after the other, never both at once.
    private static var registrarScript: String {
        """
        \(KamailioProcess.foundation)
        listen=udp:127.0.0.1:\(registrar)
        loadmodule "usrloc.so"
        loadmodule "registrar.so"
        modparam("registrar", "outbound_mode", 1)
        modparam("registrar", "use_path", 1)
        # A door that does not say within a second that it tries is closed.
        modparam("tm", "fr_timer", 1000)
        modparam("tm", "contacts_avp", "contacts")
        modparam("tm", "contact_flows_avp", "flows")
        loadmodule "auth.so"
        modparam("auth", "algorithm", "SHA-256")
        modparam("auth", "one_time_nonce", 1)

        request_route {
            if (is_method("OPTIONS")) { sl_send_reply("200", "OK"); exit; }
            if (is_method("CANCEL")) { if (t_check_trans()) { t_relay(); } exit; }
            if (has_totag()) {
                if (loose_route()) { t_relay(); exit; }
                if (is_method("ACK")) { if (t_check_trans()) { t_relay(); } exit; }
                sl_send_reply("404", "Not Here");
                exit;
            }
            if (is_method("REGISTER")) {
                if (!pv_www_authenticate("kamailio", "\(Kamailio.password(of: "$au"))", "0") || $au != $tU) {
                    www_challenge("kamailio", "1");
                    exit;
                }
                save("location");
                exit;
            }
            record_route();
            if (!lookup("location")) { sl_send_reply("404", "Not Found"); exit; }
            t_load_contacts();
            t_next_contacts();
            t_on_branch_failure("FLOW");
            t_relay();
        }

        event_route[tm:branch-failure:FLOW] {
            if (t_check_status("430|408|[56]..") && t_next_contact_flow()) {
                t_on_branch_failure("FLOW");
                t_relay();
            }
        }

        """
    }
}
