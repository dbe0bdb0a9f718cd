import Base
import Bench
import LineCore
import Lines
import NIOCore
import NIOPosix
import Rig
import SDPCore
import SIPCore
import Testing

@Suite("Attacks on a call over UDP", .timeLimit(.minutes(5)))
struct PathWireTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()
    private let call = CallID(.phone, 1)
    private let server: DatagramPeer

    init() throws { server = try DatagramPeer() }

    private func phone(password: Redacted<String>? = nil) async throws -> Phone {
        let phone = try await Phone(
            "alice", on: loop, accepts: .ownServerOnly,
            account: .init(
                domain: "server.example", server: NextHop(host: "127.0.0.1", port: server.port), password: password)
        ) {
            // A short request goes over UDP with a digest in it, too, at once (RFC 3261 §18.1.1).
            $0.configuration.media = MediaCapabilities(codecs: [.pcmu])
        }
        try await phone.start()
        return phone
    }

    /// Sends the phone a request, and gets the response: earlier messages are handled by then.
    private func settle(_ port: UInt16) throws {
        let callID = "question-\(server.transcript.count)"
        try server.say(ScriptedCaller(at: server, callID: callID).request(.options), to: port)
        _ = try server.response(.ok)
    }

    private static let methods: [SIPMethod] = [
        .invite, .update, .info, .prack, .refer, .notify, .message, .ack, .cancel, .bye,
    ]

    /// A message of the call by an attacker who has read all of it, except its key on the direct line, where the key's
    /// owner may move. A CANCEL equals the server's own, as it has to name the INVITE's transaction.
    private func forged(
        _ method: SIPMethod, of line: Line, at stranger: DatagramPeer, sequence: Int, tag: String
    ) -> SIPRequest {
        let caller = ScriptedCaller(at: stranger)
        let session = ScriptedCaller.session(at: stranger.host, stranger.port, version: 2)
        switch method {
        case .cancel: return ScriptedCaller(at: server).request(.cancel, branch: "INVITE-1")
        case .info:
            return caller.request(
                .info, sequence: UInt32(sequence), toTag: tag, body: "Signal=5\r\nDuration=100\r\n",
                extra: [(.contentType, "application/dtmf-relay")])
        default:
            return caller.request(
                method, sequence: UInt32(sequence), toTag: tag,
                body: line == .account ? session : session.replacing("inline:AAEC", with: "inline:BBEC"),
                extra: [(.referTo, "<sip:009001234567@server.example>"), (.event, "message-summary")])
        }
    }

    /// A phone that accepts a call of the server, and its port.
    private func callee(_ line: Line) async throws -> (phone: Phone, port: UInt16) {
        switch line {
        case .account:
            let phone = try await phone()
            let port = UInt16(try await phone.port())
            try server.say(StreamServer.accept(try server.request(.register)), to: port)
            try await phone.registration(.registered)
            return (phone, port)
        case .direct:
            let listed = ["127.0.0.1", "127.0.0.2", "127.0.0.3"]
            let phone = try await Phone("alice", on: loop, accepts: .listed(listed)) {
                $0.configuration.media = MediaCapabilities(codecs: [.pcmu])
            }
            try await phone.start()
            return (phone, UInt16(try await phone.port()))
        }
    }

    /// The line of the call: an account's, or the direct one, where the caller and all the others are listed peers.
    enum Line: CaseIterable { case account, direct }

    @Test(
        "a sender that knows a call's identifiers but not its path changes nothing and gains no bytes",
        arguments: Line.allCases)
    func inDialog(line: Line) async throws {
        let (phone, port) = try await callee(line)
        let caller = ScriptedCaller(at: server)
        try server.say(caller.request(.invite, body: ScriptedCaller.session(at: "127.0.0.1", 7_000)), to: port)
        let call = try await phone.offered()
        let strangers = try [
            DatagramPeer(), DatagramPeer(host: "127.0.0.2"), DatagramPeer(host: "127.0.0.3", port: server.port),
        ]
        // Before the answer it cannot be cancelled either. The server's request comes after that.
        let cancel = forged(.cancel, of: line, at: server, sequence: 1, tag: "")
        for stranger in strangers { try stranger.say(cancel, to: port) }
        try settle(port)
        try await phone.perform(.answer(call, MediaEndpoint(port: 5_000), awaitingACK: false))
        let tag = try #require(try server.response(.ok).headers.to.tag)
        try server.say(caller.request(.ack, branch: "ack", toTag: tag), to: port)
        #expect(try await phone.answered().remote == MediaAddress(host: "127.0.0.1", port: 7_000))

        let before = server.transcript.count
        for (round, stranger) in strangers.enumerated() {
            var sent = cancel.bytes.count
            for (number, method) in Self.methods.enumerated() {
                let request = forged(method, of: line, at: stranger, sequence: 20 + number, tag: tag)
                try stranger.say(request, to: port)
                sent += request.bytes.count
            }
            // The server's digit comes after all of them.
            let digit = caller.request(
                .info, sequence: UInt32(2 + round), toTag: tag, body: "Signal=1\r\nDuration=100\r\n",
                extra: [(.contentType, "application/dtmf-relay")])
            try server.say(digit, to: port)
            _ = try server.response(.ok)
            let heard = stranger.heardSoFar()
            #expect(heard.count <= Self.methods.count && heard.reduce(0) { $0 + $1.count } <= sent)
        }
        // It got the responses to its digits, and no BYE.
        _ = server.heardSoFar()
        #expect(server.transcript.count == before + strangers.count)
        try server.say(caller.request(.bye, sequence: 10, toTag: tag), to: port)
        let digits = strangers.map { _ in LineEvent.dtmfReceived(call, .one) }
        #expect(try await phone.untilEnded() == digits + [.ended(call, .hungUpThere)])
        try await phone.close()
    }

    private static let strong = "Digest realm=\"example\", nonce=\"own\", algorithm=SHA-256, qop=\"auth\""
    private static let weaker = "Digest realm=\"example\", nonce=\"evil\", algorithm=MD5"

    private func challenge(_ request: SIPRequest, _ status: SIPStatus, _ text: String) -> SIPResponse {
        var response = request.response(status, tag: "far")
        response.headers[status == .unauthorized ? .wwwAuthenticate : .proxyAuthenticate] = text
        return response
    }

    /// The server challenges with SHA-256, and gets the answer.
    private func register(_ phone: Phone) async throws -> UInt16 {
        let port = UInt16(try await phone.port())
        try server.say(challenge(try server.request(.register), .unauthorized, Self.strong), to: port)
        let proven = try server.request(.register)
        let proof = try #require(proven.headers[.authorization])
        #expect(proof.contains("algorithm=SHA-256") && proof.contains("qop=auth") && proof.contains("nonce=\"own\""))
        try server.say(StreamServer.accept(proven), to: port)
        try await phone.registration(.registered)
        return port
    }

    /// The same request with Max-Forwards 0, which was received while the phone settled.
    private func probe(after invite: SIPRequest) throws -> SIPRequest {
        let all = server.transcript.compactMap { bytes -> SIPRequest? in
            guard case .request(let request)? = try? SIPMessage(bytes.span) else { return nil }
            return request.method == .invite && request != invite ? request : nil
        }
        return try #require(all.first { $0.headers[.maxForwards] == "0" })
    }

    private func place(_ phone: Phone) async throws {
        try await phone.perform(.dial(call, target: "555", account: Phone.account, MediaEndpoint(port: 5_000)))
    }

    /// A weaker challenge than the server's own, which is not answered.
    private func challenge(_ request: SIPRequest, _ status: Int, of port: UInt16) throws {
        try server.say(challenge(request, SIPStatus(status), Self.weaker), to: port)
        try settle(port)
        try #require(!server.transcript.contains { String(decoding: $0, as: UTF8.self).contains("evil") })
    }

    @Test("a callee gets no MD5 digest for the server's realm", arguments: [401, 407])
    func calleeGetsNoMD5DigestForServerRealm(status: Int) async throws {
        let phone = try await phone(password: Redacted("sesame"))
        let port = try await register(phone)
        try await place(phone)
        // A 401 is tested with Max-Forwards 0: a server that is an end of each call sends it itself.
        let invite = try server.request(.invite)
        try challenge(invite, status, of: port)
        if status == 401 { try challenge(try probe(after: invite), status, of: port) }
        #expect(try await phone.ended() == .rejected(status))
        try await phone.close()
    }

    @Test("nor does the far end of a call, by any challenge", arguments: [401, 407])
    func norDoesFarEndOfCallByAnyChallenge(status: Int) async throws {
        let phone = try await phone(password: Redacted("sesame"))
        let port = try await register(phone)
        try await place(phone)
        let invite = try server.request(.invite)
        var answer = invite.response(.ok, tag: "far")
        answer.headers[.contact] = "<sip:far@127.0.0.1:\(server.port)>"
        answer.headers[.contentType] = "application/sdp"
        answer.body = Array(ScriptedCaller.session(at: "127.0.0.1", 7_000).utf8)
        try server.say(answer, to: port)
        _ = try await phone.answered()
        try await phone.perform(.hold(call, true))
        try challenge(try server.request(.invite), status, of: port)
        let isHeld = try await phone.first { if case .holdSettled(_, let plan) = $0 { plan != nil } else { nil } }
        #expect(!isHeld)
        try await phone.perform(.end(call))
        try challenge(try server.request(.bye), status, of: port)
        _ = try await phone.ended()
        try await phone.close()
    }
}
