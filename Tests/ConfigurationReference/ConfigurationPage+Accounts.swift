extension ConfigurationPage {
    /// Settings of accounts, which are in the vault.
    static let accounts = ConfigurationPage(
        name: "accounts",
        title: "Accounts: servers, encryption, NAT",
        summary:
            "What `offhook account add` decides: how a server is found and trusted, encryption of voice, paths through NATs.",
        task: """
            Accounts are in the vault, not in the configuration. A running phone holds the vault, so stop it,
            add the account, and start it again:
            """,
        example: "",
        commands: """
            systemctl stop offhook
            runuser -u offhook -- offhook account add office --user 101 --server pbx.example.org --transport tls
            systemctl start offhook
            """,
        introduction: """
            `offhook account add --help` and [commands](../commands.md) list all options. `offhook setup` and
            [the page](../page.md) add accounts by questions, and try them first.
            """,
        tables: [],
        details: """
            ## How a server is found

            `--transport` is `udp` (default), `tcp`, `tls`, `ws`, `wss` or `auto`. The phone finds a server as
            RFC 3263 describes. A numeric address or a server with a port is used as it is. A name is looked up
            by its SRV records, then by its address; with `auto` first by its NAPTR records. If a server answers
            503, is silent or cannot be reached, the phone tries the next one. A request of more than 1,300
            bytes uses TCP if UDP is configured and TCP is available.

            An outbound proxy is `--server proxy.example --domain example.org`: messages go to the proxy, and
            the account is at the domain.

            With `auto`, DNS chooses the transport. Once the phone has reached the server over TLS, it stays
            with TLS, also after a restart. A forged answer at the first start may hide TLS. So
            `--transport tls` is better wherever the server has it.

            An account over UDP has a UDP socket, and connects over TCP for long requests. An account over TCP
            or TLS opens no port to others: calls arrive over the connection that it made. That connection
            starts at the port in its Contact. Only an account that does not register accepts connections,
            because its server knows no other.

            When the network comes back, also with another address, the line registers again within 1.5 seconds.
            With `network.watch: false` it takes up to five seconds.

            ## Passwords that do not get weaker

            The phone remembers the strongest proof of the password that a server has accepted. After SHA-256 or
            SHA-512/256 it gives no MD5, and after a proof with a client nonce (`qop`) none without.
            `offhook account trust` lists what the phone knows of each server. If a server's owner really
            changed it to something weaker, the log shows what the phone refuses. Stop the phone then, and run
            `offhook account forget-trust LABEL`.

            ## WebSockets

            `ws` and `wss` are SIP over a WebSocket (RFC 7118), for servers that are reached like web servers:
            `--server HOST[:PORT][/PATH]`. The port is 80 or 443 and the path `/` unless you give others. The
            phone looks up only the host's addresses. All messages use this one connection, whatever addresses
            others name. The phone opens no port, and its messages contain neither its address nor its port:
            they end in `.invalid`.

            `wss` has all the checks of TLS on this page and under [`sip`](sip.md#tls). The phone compares the
            certificate before it sends anything, and never uses a weaker transport for that account. It asks a
            server that is silent for half a minute whether it is alive, and a registered account asks as often
            as over TCP. Web proxies and HTTP passwords are not supported.

            ## Verto

            `--kind verto` is an account at FreeSWITCH's mod_verto, `--kind telnyx` at Telnyx
            (`--server rtc.telnyx.com`). Both use a WebSocket, `wss` unless you choose `ws`. Voice has keys from
            a handshake and [finds its path by ICE](#paths-through-nats). `--user` is the user; `--auth-user` is
            the login where the server wants another name, as FreeSWITCH wants `user@domain`.

            - The server holds calls and plays its own music, and digits go through it.
            - A call survives a lost connection if the server gives it back within a minute. If the server did
              not list it at the login, the phone waits only 5 s. Voice then has a new path and new keys.
            - The handshake ends at the server, which passes the voice on. The four words (a short
              authentication string) are those with the server, and the far end reads others. Only where the
              server lets the media of two phones bypass it are they the same.
            - FreeSWITCH transfers calls, blind and attended. Telnyx has no transfer: the key does nothing, and
              `getSnapshot` has `canTransfer: false`.
            - FreeSWITCH reports the calls of watched numbers (busy lamps) if the user's
              `jsonrpc-allowed-event-channels` has `presence`. Telnyx reports none.
            - FreeSWITCH reports waiting messages if `enable-fs-events` is on and `sip.ask_for_messages` lists
              the account.
            - After a lost connection a Telnyx account asks for the service instance that has its calls
              (`voice_sdk_id`).
            - The phone uses ICE candidates that the server trickles (`candidate`). It sends its own late
              candidates to Telnyx in the same way. FreeSWITCH has no such message, so it gets complete
              descriptions.

            A Verto login contains the password itself, so over `ws` any host on the path can read it. The phone
            sends it over `ws` only to its own machine (`127.0.0.1`, `::1`). `offhook account add` rejects other
            servers, and an account that an older version added stays *failed* with the reason. Use `wss`. On a
            network that is yours alone, `--allow-clear-password` permits it for one account. `offhook doctor`
            and `offhook account list` then warn about it.

            A Telnyx account can log in with a token in place of a user and a password:

            ```
            offhook account add desk --kind telnyx --server rtc.telnyx.com --token-file FILE
            ```

            `--token-stdin` reads it from standard input. The token is the first line, at most 4,096 visible
            characters; the vault stores it. `--user` is optional, and is then the number that calls show.
            Telnyx's tokens expire after a day. The line then reports that the server rejects it: remove the
            account, and add it with a new token.

            ## Two servers at once

            A name may lead to two hosts, and the server may say that it keeps flows apart (`Require: outbound`,
            RFC 5626). Then the line registers at both, over one connection each. The account is registered
            while one connection lives; calls and watched numbers use the first that does. A server with one
            address, or without this extension, has one flow and a list of places to try. There is nothing to
            configure.

            ## Keeping a registration

            The phone refreshes a registration after about 70 % of its time. Over UDP it does so after 90 s at
            the latest, because nothing else shows that the server has forgotten the phone. A server that
            answers keep-alives (CRLF on a connection, STUN over UDP) is asked every 8 to 9 s. If it stops
            answering, the phone notices within 20 s and registers again. A server that does not answer STUN is
            asked by OPTIONS every 24 to 29 s. A server that answers nothing gets a CRLF every 95 to 120 s on a
            connection, and every 24 to 29 s over UDP.

            After a failed registration the phone waits as long as `Retry-After` says. Without it the pauses
            double from 30 s to two minutes, or to a fifth of the registration time that the account asks for. A
            wrong password is tried more and more rarely, down to every 30 minutes. Signalling is marked CS3 for
            the network.

            ## Protection of voice

            `--protection` is `mandatory` (default), `dtls`, `offered` or `off`. For the direct line
            `sip.protection` is `mandatory` (default) or `dtls`. A call that fails for this reason is a missed
            call; the log and the event `callRefused` have the reason.

            | `--protection` | outgoing calls offer | incoming calls may have |
            |---|---|---|
            | `mandatory` | SRTP with keys in the signalling (SDES, RFC 4568) | SRTP with keys in the signalling, or from a handshake |
            | `dtls` | SRTP with keys from a handshake on the voice's path (DTLS-SRTP, RFC 5763) | the same |
            | `offered` | SDES; if the far end rejects it, the phone calls again in clear | anything |
            | `off` | voice in clear | voice in clear |

            With `offered`, anyone who can change the signalling can force the call in clear.

            Every server on the way can read keys in the signalling. Over UDP or TCP any host on the way can.
            Use `--transport tls`: then all messages of the account's calls stay on TLS. See [decision
            4](../../dev/decisions/0004-keys-in-signalling.md).

            With a handshake no server on the way has the keys. But the fingerprints of both certificates come
            through the signalling: anyone who can change it can put itself between the two. The four words show
            that.

            The phone makes its certificate at its first start and keeps it in the vault. With
            `media.certificate: call` each call shows a new one, so that nobody can tell that two calls come
            from one phone. Then a far end must compare the four words in every call, and may report that the
            key changed.

            Where a NAT is between the two, handshakes and voice need [a path through it](#paths-through-nats).
            On the direct line, a call with such keys does not follow a far end whose address changes. A
            fingerprint, unlike a key, is known to all hosts on the way, so it does not prove who moves.

            ## Paths through NATs

            `--ice` says how an account's calls use ICE (RFC 8445). For the direct line it is `sip.ice`.

            | `--ice` | calls |
            |---|---|
            | `answered` (default) | Incoming calls with ICE are answered with ICE. Outgoing calls do without. |
            | `always` | Outgoing calls offer ICE, too. A far end without ICE is spoken to without. |
            | `relayed` | Always, and only through TURN servers. Media descriptions name no address of this phone. |
            | `off` | ICE is never used. |

            With `relayed`, SIP itself still names an address in Via and Contact; over a WebSocket it names
            none. A far end without ICE is rejected, and so is a call when no server relays.

            ```
            offhook account add office --user 200 --server pbx.example --ice always --stun stun.example --turn "turns:phone@turn.example"
            ```

            `--stun` and `--turn` may each be given up to four times. A TURN server is written
            `[turn:|turns:]USER@HOST[:PORT][?transport=tcp]`. The phone reaches it over UDP, over TLS after
            `turns:`, and over TCP with `?transport=tcp`; from there to the far end it is always UDP. The vault
            stores its password, which `--turn-password-file` or a prompt supplies. `sip.tls.authorities`,
            otherwise the system's authorities, must confirm a server over TLS, and its certificate must name
            its host.

            Before an offer or an answer, the phone asks its servers for its public addresses, and waits for a
            second at most. Voice, reports and handshake share one port (RFC 5761). A far end with two ports is
            spoken to without ICE; a `relayed` account rejects it. The phone uses a path through a server only
            if it finds no direct one within 3.6 s.

            When the phone's address changes during a call, it sends its new candidates and both ends find a new
            path. Voice uses the old path as long as that works. Two other events start the same search:

            - A TURN server has forgotten the call, as after its restart. The phone asks when nothing has come
              through it for two seconds.
            - The far end has not answered on the path for 15 s.

            The log says why a TURN server does not relay. If no server relays, a `relayed` call fails, and the
            event `error` gives the reason. Candidates do not trickle over SIP (RFC 8840). The phone ignores
            `.local` names, which only multicast DNS resolves; it finds such far ends, browsers for example, by
            their own checks. An account of kind `telnyx` waits for no server unless it is `relayed`: its
            candidates follow the offer or answer one by one.
            """)
}
