extension ConfigurationPage {
    /// Settings of accounts, which are in the vault.
    static let accounts = ConfigurationPage(
        name: "accounts",
        title: "Accounts: servers, encryption, NAT",
        summary:
            "What `offhook account add` decides: how a server is found and trusted, encryption of voice, paths through NATs.",
        task: """
            Accounts are in the vault, not in the configuration. Add, change and remove them while the phone
            runs:
            """,
        example: "",
        commands: """
            offhook ctl account add office --user 101 --server pbx.example.org --transport tls
            offhook ctl account change office --display-name "Front desk"
            offhook ctl account remove office
            """,
        introduction: """
            `offhook ctl account add --help` and [commands](../commands.md) list all options. `offhook setup` and
            [the page](../page.md) ask questions, try the account, and add it. `offhook account add`, `change`
            and `remove` do the same to the vault of a phone that does not run.

            A change takes effect at once. Other accounts and their calls go on. An account with a call is
            neither changed nor removed, and an account that the configuration names keeps its label. Options
            that you omit keep their values, and an empty text removes one (`--display-name ""`).

            A stored password stays with its server. `--server` with another host needs the password again, and
            so does a less protected way to the server, such as from `tls` to `udp`. `--ask-password` asks for
            it. Otherwise a program that may change accounts could make the phone send the password anywhere.
            """,
        tables: [],
        details: """
            ## How a server is found

            `--transport` is `udp` (default), `tcp`, `tls`, `ws`, `wss` or `auto`. The phone finds a server as
            RFC 3263 describes. A numeric address or a server with a port is used as it is. A name is looked up
            by its SRV records, then by its address; with `auto` first by its NAPTR records. If a server answers
            503, is silent or cannot be reached, the phone tries the next one. A request of more than 1,300
            bytes uses TCP if UDP is configured and TCP is available.

            To use an outbound proxy, give `--server proxy.example --domain example.org`. Messages then go to
            the proxy, and the account is at the domain.

            With `auto`, DNS chooses the transport. Once the phone has reached the server over TLS, it stays
            with TLS, also after a restart. A forged answer at the first start may hide TLS. So
            `--transport tls` is better wherever the server has it.

            An account over UDP has a UDP socket, and connects over TCP for long requests. An account over TCP
            or TLS opens no port to others: calls arrive over the connection that it made. The local port of
            that connection is the port in the account's Contact. Only an account that does not register accepts
            connections, because its server has no other way to reach it.

            When the network comes back, even with another address, the line registers again within 1.5 seconds.
            With `network.watch: false` it takes up to five seconds.

            ## Passwords that do not get weaker

            The phone remembers the strongest proof of the password that a server has accepted. After a proof by
            SHA-256 or SHA-512/256 it gives no proof by MD5. After a proof with a client nonce (`qop`) it gives
            none without a client nonce. `offhook account trust` lists what the phone knows of each server. The
            operator may have lowered the server's security on purpose. Then the log shows what the phone
            refuses: stop the phone and run `offhook account forget-trust LABEL`.

            ## WebSockets

            `ws` and `wss` are SIP over a WebSocket (RFC 7118), for servers that are reached like web servers:
            `--server HOST[:PORT][/PATH]`. The port is 80 or 443 and the path `/` unless you give others. The
            phone looks up only the host's addresses. All messages use this one connection, even if far ends
            name other addresses. The phone opens no port. In place of its address and port, its messages
            contain a name that ends in `.invalid`.

            `wss` has all the checks of TLS on this page and under [`sip`](sip.md#tls). The phone compares the
            certificate before it sends anything, and never uses a weaker transport for that account. If the
            server is silent for half a minute, the phone pings it. A registered account pings as often as it
            would over TCP. Web proxies and HTTP passwords are not supported.

            ## Verto

            `--kind verto` is an account at FreeSWITCH's mod_verto, `--kind telnyx` at Telnyx. For Telnyx the
            phone knows the server (`rtc.telnyx.com`) and, at that server, STUN and TURN. Both use a WebSocket,
            `wss` unless you choose `ws`. Voice gets its keys from a DTLS handshake, and [finds its path by
            ICE](#paths-through-nats). `--user` is the user; `--auth-user` is the login where the server wants
            another name, as FreeSWITCH wants `user@domain`.

            - The server puts calls on hold and plays its own music. Digits go through the server.
            - A call survives a lost connection if the server gives it back within a minute. If the server did
              not list the call at the new login, the phone waits only 5 s. A call that survives has a new voice
              path and new keys.
            - The handshake ends at the server, which passes the voice on. So the four words (a short
              authentication string) are shared with the server, and the far end sees other words. The two
              phones show the same words only if the server lets their media bypass it.
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
            offhook ctl account add desk --kind telnyx --token-file FILE
            ```

            `--token-stdin` reads it from standard input. The token is the first line, at most 4,096 visible
            characters; the vault stores it. `--user` is optional with a token: it is the number that calls
            show. Telnyx's tokens expire after a day. The line then reports that the server rejects it:
            `offhook ctl account change desk --token-file FILE` gives it a new one.

            ## Two servers at once

            A server's name may lead to two hosts, and the server may support several flows
            (`Require: outbound`, RFC 5626). Then the line registers at both hosts, over one connection each.
            The account counts as registered while at least one connection works. Calls and watched numbers use
            the first connection that works. If the server has one address or lacks this extension, the line
            uses one connection and tries addresses in turn. There is nothing to configure.

            ## Keeping a registration

            The phone refreshes a registration after about 70 % of its time. Over UDP it does so after 90 s at
            the latest, because nothing else shows that the server has forgotten the phone. A server that
            answers keep-alives (CRLF on a connection, STUN over UDP) is asked every 8 to 9 s. If it stops
            answering, the phone notices within 20 s and registers again. A server that does not answer STUN is
            asked by OPTIONS every 24 to 29 s. A server that answers nothing gets a CRLF every 95 to 120 s on a
            connection, and every 24 to 29 s over UDP.

            After a failed registration the phone waits as long as `Retry-After` says. Without `Retry-After` the
            pauses double, from 30 s to two minutes. If a fifth of the requested registration time is longer
            than two minutes, they grow to that. A wrong password is tried more and more rarely, down to every
            30 minutes. Signalling packets carry the DSCP mark CS3, by which a network can give them priority.

            ## Protection of voice

            `--protection` is `mandatory` (default), `dtls`, `offered` or `off`. For the direct line
            `sip.protection` is `mandatory` (default) or `dtls`. An incoming call that fails because of its
            encryption is a missed call. The log and the event `callRefused` have the reason.

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

            With a handshake no server on the way has the keys. But the signalling carries the fingerprints of
            both certificates. Anyone who can change the signalling can get between the two phones. Comparing
            the four words reveals that.

            The phone makes its certificate at its first start and keeps it in the vault. With
            `media.certificate: call` each call shows a new one, so that nobody can tell that two calls come
            from one phone. Then a far end must compare the four words in every call, and may report that the
            key changed.

            If a NAT is between the two phones, handshakes and voice need [a path through
            it](#paths-through-nats). On the direct line, a call with keys from a handshake does not follow a
            far end whose address changes. All hosts on the way know its fingerprint, so the fingerprint does
            not prove who moves.

            ## Paths through NATs

            `--ice` says how an account's calls use ICE (RFC 8445). For the direct line it is `sip.ice`.

            | `--ice` | calls |
            |---|---|
            | `answered` (default) | Incoming calls with ICE are answered with ICE. Outgoing calls do not use ICE. |
            | `always` | Outgoing calls offer ICE, too. If the far end has no ICE, the call does not use it. |
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
            stores its password, which `--turn-password-file` or a prompt supplies. Over TLS, the TURN server's
            certificate must name its host. One of `sip.tls.authorities`, or else of the system's authorities,
            must have signed it.

            Before an offer or an answer, the phone asks its servers for its public addresses, and waits for a
            second at most. Voice, reports and handshake share one port (RFC 5761). If the far end needs two
            ports, the call does not use ICE. A `relayed` account rejects such a call. The phone uses a path
            through a server only if it finds no direct one within 3.6 s.

            When the phone's address changes during a call, it sends its new candidates and both ends find a new
            path. Voice uses the old path as long as that works. Two other events start the same search:

            - A TURN server has forgotten the call, as after its restart. The phone checks this when nothing has
              arrived through the server for two seconds.
            - The far end has not answered on the path for 15 s.

            The log says why a TURN server does not relay. If no server relays, a `relayed` call fails, and the
            event `error` gives the reason. Over SIP the phone does not trickle candidates (RFC 8840). It
            ignores candidates with `.local` names, which only multicast DNS resolves. It finds the far ends
            behind them, such as browsers, by the checks that they send. An account of kind `telnyx` waits for
            no server unless it is `relayed`: its candidates follow the offer or answer one by one.
            """)
}
