import Bench
import Rig

/// Debian's Kamailio as the registrar of phones behind NATs, which connect over TCP and are reached over the same
/// connection. It carries no voice, but may have an rtpengine on the same host.
enum KamailioCrossroads {
    static let port: UInt16 = 5_060

    /// - Parameter hasVoice: Whether voice goes through an rtpengine, between a phone with ICE and DTLS, 101, and one
    ///   without either, 102.
    static func start(folder: String, host: HostPair.Host, hasVoice: Bool = false) throws -> KamailioProcess {
        let inquiry = HostedInquiry(host: host)
        return try KamailioProcess(
            folder: folder, script: script(host) + (hasVoice ? voice : noVoice), megabytes: (32, 8),
            prefix: host.prefix, isUp: { _ in inquiry.isUp })
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
                if (loose_route()) { handle_ruri_alias(); route(VOICE); t_on_reply("PHONE"); t_relay(); exit; }
                if (is_method("ACK")) { if (t_check_trans()) { t_relay(); } exit; }
                sl_send_reply("404", "Not Here");
                exit;
            }
            record_route();
            if (!lookup("location")) { sl_send_reply("404", "Not Found"); exit; }
            route(VOICE);
            t_on_reply("PHONE");
            t_relay();
        }

        onreply_route[PHONE] { set_contact_alias(); route(VOICE_BACK); }

        """
    }

    private static let noVoice = """
        route[VOICE] { return; }
        route[VOICE_BACK] { return; }

        """

    private static var voice: String {
        """
        loadmodule "rtpengine.so"
        modparam("rtpengine", "rtpengine_sock", "udp:127.0.0.1:\(RTPEngine.controlPort)")

        route[VOICE] {
            if (is_method("BYE")) { rtpengine_delete(); return; }
            if (!is_method("INVITE") || !has_body("application/sdp")) { return; }
            if ($rU == "102") {
                rtpengine_offer("replace-origin ICE=remove DTLS=off RTP/SAVP rtcp-mux-demux");
            } else {
                rtpengine_offer("replace-origin ICE=force DTLS=passive UDP/TLS/RTP/SAVP SDES-off rtcp-mux-offer");
            }
        }

        route[VOICE_BACK] {
            if (!has_body("application/sdp")) { return; }
            # Whoever is answered: the INVITE's caller.
            if ($fU == "101") { rtpengine_answer("replace-origin ICE=force"); }
            else { rtpengine_answer("replace-origin ICE=remove"); }
        }

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
