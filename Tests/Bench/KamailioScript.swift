extension Kamailio {
    /// Its whole configuration. A nonce is valid for one request only, as at the strictest servers: every REGISTER,
    /// call and unregister is challenged again.
    public static func script(algorithm: String, authority: TestAuthority?) -> String {
        """
        \(KamailioProcess.foundation)
        listen=udp:\(address)
        listen=tcp:\(address)

        """ + modules(algorithm) + (authority.map(listening) ?? "") + dispatch + routes
    }

    /// The server's certificate.
    public static func security(_ authority: TestAuthority) -> String {
        """
        enable_tls=yes
        loadmodule "tls.so"
        modparam("tls", "tls_method", "TLSv1.2+")
        modparam("tls", "certificate", "\(authority.certificate)")
        modparam("tls", "private_key", "\(authority.key)")

        """
    }

    private static func listening(with authority: TestAuthority) -> String {
        security(authority) + "listen=tls:127.0.0.1:\(securePort)\n\n"
    }

    /// The WebSocket part (RFC 7118), at every port for TCP and TLS. Connections that do not speak SIP are rejected.
    static var webSockets: String {
        """
        tcp_accept_no_cl=yes
        loadmodule "xhttp.so"
        loadmodule "websocket.so"
        modparam("websocket", "keepalive_timeout", 5)

        event_route[xhttp:request] {
            set_reply_close();
            set_reply_no_connect();
            if ($hu != "\(webSocketPath)" || $hdr(Sec-WebSocket-Protocol) != "sip") {
                xhttp_reply("404", "Not Found", "", "");
                exit;
            }
            if (ws_handle_handshake()) { xlog("L_ERR", "opened a WebSocket\n"); exit; }
            xhttp_reply("400", "Bad Request", "", "");
        }

        """
    }

    private static func modules(_ algorithm: String) -> String {
        """
        loadmodule "usrloc.so"
        loadmodule "registrar.so"
        loadmodule "nathelper.so"
        modparam("nathelper|registrar", "received_avp", "$avp(received)")
        loadmodule "auth.so"
        modparam("auth", "algorithm", "\(algorithm)")
        modparam("auth", "one_time_nonce", 1)

        """
    }

    private static var dispatch: String {
        """
        request_route {
            if (!mf_process_maxfwd_header("10")) { sl_send_reply("483", "Too Many Hops"); exit; }
            if (is_method("OPTIONS")) {
                if ($rU == $null || registered("location")) { sl_send_reply("200", "OK"); }
                else { sl_send_reply("404", "Not Found"); }
                exit;
            }
            if (is_method("CANCEL")) { if (t_check_trans()) { t_relay(); } exit; }
            if (has_totag()) { route(INSIDE); exit; }
            # What comes again gets the answer that was given before.
            if (t_precheck_trans()) { t_check_trans(); exit; }
            t_check_trans();
            route(WHENCE);
            if (is_method("REGISTER")) { route(REGISTER); exit; }
            if (is_method("INVITE")) { route(CALL); exit; }
            sl_send_reply("405", "Method Not Allowed");
        }

        """
    }

    private static let isElsewhere = "$(ct{nameaddr.uri}{uri.port}{s.int}) != $sp"

    private static var routes: String {
        """
        route[INSIDE] {
            if (loose_route()) {
                handle_ruri_alias();
                route(WHENCE);
                xlog("L_ERR", "relayed $rm\\n");
                t_on_reply("WHENCE");
                t_relay();
                exit;
            }
            # The ACK of a refusal.
            if (is_method("ACK")) { if (t_check_trans()) { t_relay(); } exit; }
            sl_send_reply("404", "Not Here");
        }

        route[REGISTER] {
            if (!pv_www_authenticate("kamailio", "\(password(of: "$au"))", "0") || $au != $tU) {
                www_challenge("kamailio", "1");
                exit;
            }
            save("location");
        }

        route[CALL] {
            if (!pv_proxy_authenticate("kamailio", "\(password(of: "$au"))", "0") || $au != $fU) {
                proxy_challenge("kamailio", "1");
                exit;
            }
            consume_credentials();
            record_route();
            if (!lookup("location")) { sl_send_reply("404", "Not Found"); exit; }
            t_on_reply("WHENCE");
            t_relay();
        }

        # Who came over a connection of its own making is reached over that one, and nowhere else.
        route[WHENCE] {
            force_rport();
            if (\(isElsewhere)) {
                if (is_method("REGISTER")) { fix_nated_register(); } else { set_contact_alias(); }
            }
        }

        onreply_route[WHENCE] { if (\(isElsewhere)) { set_contact_alias(); } }

        """
    }
}
