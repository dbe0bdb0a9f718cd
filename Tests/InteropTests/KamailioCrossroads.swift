import Bench
import Rig

/// Debian's Kamailio as the registrar of phones behind NATs, which come over TCP and are reached over the connection that
/// they made. It carries no voice.
enum KamailioCrossroads {
    static let port: UInt16 = 5_060

    static func start(folder: String, host: HostPair.Host) throws -> KamailioProcess {
        let inquiry = HostedInquiry(host: host)
        return try KamailioProcess(
            folder: folder, script: script(host), megabytes: (32, 8), prefix: host.prefix, isUp: { _ in inquiry.isUp })
    }

    private static func script(_ host: HostPair.Host) -> String {
        """
        \(KamailioProcess.foundation)
        listen=tcp:\(host.address):\(port)
        loadmodule "nathelper.so"
        loadmodule "usrloc.so"
        loadmodule "registrar.so"
        modparam("nathelper|registrar", "received_avp", "$avp(RECEIVED)")

        request_route {
            if (is_method("CANCEL")) { if (t_check_trans()) { t_relay(); } exit; }
            if (is_method("REGISTER")) { fix_nated_register(); save("location"); exit; }
            set_contact_alias();
            if (has_totag()) {
                if (loose_route()) { handle_ruri_alias(); t_on_reply("PHONE"); t_relay(); exit; }
                if (is_method("ACK")) { if (t_check_trans()) { t_relay(); } exit; }
                sl_send_reply("404", "Not Here");
                exit;
            }
            record_route();
            if (!lookup("location")) { sl_send_reply("404", "Not Found"); exit; }
            t_on_reply("PHONE");
            t_relay();
        }

        onreply_route[PHONE] { set_contact_alias(); }

        """
    }
}

/// Whether a server on another host takes connections.
private struct HostedInquiry {
    let host: HostPair.Host

    var isUp: Bool {
        let probe = try? ChildProcess(
            host.prefix + ["bash", "-c", "exec 3<>/dev/tcp/\(host.address)/\(KamailioCrossroads.port)"],
            log: "/dev/null")
        return probe?.wait(upTo: .seconds(2)) == .status(0)
    }
}
