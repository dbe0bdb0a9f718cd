import Base
import Bench
import LineCore
import Lines
import NIOCore
import NIOPosix
import Rig
import SIPCore
import Testing

@Suite("Clear traffic of a TLS account", .timeLimit(.minutes(5)))
struct ClearWireTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()
    private let certificates: Certificates
    private let server: StreamServer

    init() async throws {
        certificates = try Certificates()
        try certificates.make("server", "URI:sip:server.example, IP:127.0.0.1")
        server = try await StreamServer(
            on: loop, tls: try certificates.context("server"), answer: StreamServer.registrar)
    }

    /// A caller behind the server, whose messages the server forwards.
    private var caller: ScriptedCaller { ScriptedCaller(at: .init("127.0.0.1", server.port), .tls) }

    /// A phone that is registered at the server.
    /// - Parameter names: Nil: the configuration has transport and port.
    private func phone(_ names: NameServer? = nil) async throws -> Phone {
        let hop =
            names == nil
            ? NextHop(host: "127.0.0.1", port: server.port, transport: .tls)
            : NextHop(host: "server.example", transport: nil)
        let account = LineConfiguration.Account(domain: "server.example", server: hop)
        let phone = try await Phone("alice", on: loop, accepts: .ownServerOnly, account: account) {
            $0.tls = TLSSettings(authorities: certificates.authority)
            if let names { $0.nameServers = [names.address] }
        }
        try await phone.start()
        try await phone.registration(.registered)
        return phone
    }

    /// The server forwards a call, which is answered.
    /// - Returns: The answer as the server gets it.
    private func call(
        _ phone: Phone, extra: [(SIPHeaderName, String)] = []
    ) async throws -> (call: CallID, answer: SIPResponse) {
        let body = ScriptedCaller.session(at: "127.0.0.1", 7_000)
        try await server.say(caller.request(.invite, body: body, extra: extra).bytes)
        let call = try await phone.offered()
        try await phone.perform(.answer(call, MediaEndpoint(port: 5_000), awaitingACK: false))
        let answer = try await server.first { message in
            if case .response(let response) = message, response.status == .ok { response } else { nil }
        }
        let tag = try answer.headers.to.tag
        try await server.say(caller.request(.ack, branch: "ack", toTag: tag, extra: extra).bytes)
        return (call, answer)
    }

    @Test(
        "clear messages are ignored, even from the server's address and port, and no key is sent",
        arguments: [false, true])
    func clearMessagesAreIgnoredEvenFromServerAddressAndPort(isChosenByName: Bool) async throws {
        // A domain that prefers TLS and has UDP, too.
        let names = try await NameServer(
            on: loop,
            [
                "server.example": [
                    .naptr(order: 1, service: "SIPS+D2T", "_sips._tcp.server.example"),
                    .naptr(order: 2, service: "SIP+D2U", "_sip._udp.server.example"),
                ],
                "_sips._tcp.server.example": [.srv(priority: 1, port: server.port, "a.example")],
                "_sip._udp.server.example": [.srv(priority: 1, port: server.port, "a.example")],
                "a.example": [.a("127.0.0.1")],
            ])
        let phone = try await phone(isChosenByName ? names : nil)
        let port = UInt16(try await phone.port())
        #expect(try await phone.leavesDatagrams(), "there is a socket for datagrams")
        let spoofers = try [DatagramPeer(port: server.port), DatagramPeer(), DatagramPeer(host: "127.0.0.2")]
        for (number, spoofer) in spoofers.enumerated() {
            let impostor = ScriptedCaller(at: spoofer, callID: "spoofed-\(number)")
            for method in [SIPMethod.invite, .options, .message] {
                let body = method == .invite ? ScriptedCaller.session(at: "127.0.0.9", 7_000) : ""
                // Long enough for any answer: a stranger gets no more bytes than it sent.
                let padding = (SIPHeaderName.userAgent, String(repeating: "x", count: 500))
                try spoofer.say(impostor.request(method, body: body, extra: [padding]), to: port)
            }
        }
        for host in ["127.0.0.1", "127.0.0.2"] {
            #expect(throws: DeafClient.Refused.self) { try DeafClient(port: port, from: host) }
        }
        // The first offered call is the one over TLS, and its later messages are, too.
        let (call, answer) = try await call(phone)
        #expect(call == CallID(.line(Phone.account), 1))
        #expect(String(decoding: answer.body, as: UTF8.self).contains("a=crypto:"))
        #expect(spoofers.allSatisfy { $0.heardSoFar().isEmpty })
        try await phone.close()
        try await server.close()
        try await names.close()
    }

    @Test("a call that would continue in clear ends with BYE over TLS, and nothing over UDP")
    func callThatWouldContinueInClearEndsWithBYEOverTLS() async throws {
        let phone = try await phone()
        let clear = try DatagramPeer()
        let contact = "<sip:mallory@127.0.0.1:\(clear.port);transport=udp>"
        let (call, _) = try await call(phone, extra: [(.contact, contact)])
        try await phone.perform(.hold(call, true))
        // The response to a request of the server comes after all effects of the hold.
        let question = ScriptedCaller(at: caller.endpoint, .tls, callID: "question").request(.options)
        try await server.say(question.bytes)
        var byes = 0
        _ = try await server.first { message in
            switch message {
            case .request(let request): if request.method == .bye { byes += 1 }
            case .response(let response): if response.headers[.callID] == "question" { return true }
            }
            return nil
        }
        try #require(clear.heardSoFar().isEmpty && byes == 1)
        #expect(try await phone.ended() == .insecurePath)
        #expect(try await phone.leavesDatagrams(), "a far end's Contact opened a socket")
        try await phone.close()
        try await server.close()
    }
}
