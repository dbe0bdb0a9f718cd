import Base
import Cryptography
import LineCore
import Lines
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Rig
import SIPCore
import Testing

/// Lines on loopback that speak SIP over WebSockets (RFC 7118).
@Suite("SIP over a WebSocket", .timeLimit(.minutes(5)))
struct WebSocketTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()
    private let certificates: Certificates

    init() throws {
        certificates = try Certificates()
        try certificates.make("server", "URI:sip:server.example, IP:127.0.0.1")
        try certificates.make("other", "DNS:other.example")
    }

    private func server(
        _ name: String? = nil, answer: @escaping WebSocketServer.Answer = WebSocketServer.registrar
    ) async throws -> WebSocketServer {
        try await WebSocketServer(on: loop, tls: try name.map { try certificates.context($0) }, answer: answer)
    }

    private func phone(
        _ port: UInt16, _ transport: Flow.Transport = .ws, path: String = "/", registers: Bool = true
    ) async throws -> Phone {
        let account = LineConfiguration.Account(
            domain: "server.example", server: NextHop(host: "127.0.0.1", port: port, transport: transport),
            registers: registers, instance: "urn:uuid:0")
        let authority = certificates.authority
        let phone = try await Phone("alice", on: loop, account: account) {
            $0.tls = TLSSettings(authorities: authority)
            $0.webSocketPath = path
        }
        try await phone.start()
        return phone
    }

    private func request(_ server: WebSocketServer, _ method: SIPMethod) async throws -> SIPRequest {
        try await server.first { message in
            if case .request(let request) = message, request.method == method { request } else { nil }
        }
    }

    private func response(_ server: WebSocketServer) async throws -> SIPResponse {
        try await server.first { if case .response(let response) = $0 { response } else { nil } }
    }

    private static func options(_ more: String = "") -> [UInt8] {
        Array(
            ("OPTIONS sip:alice@x.invalid SIP/2.0\r\nVia: SIP/2.0/WS 127.0.0.1;branch=z9hG4bK1\r\nMax-Forwards: 9\r\n"
                + "From: <sip:server@server.example>;tag=1\r\nTo: <sip:alice@server.example>\r\nCall-ID: 1\r\n"
                + "CSeq: 1 OPTIONS\r\n\(more)\r\n").utf8)
    }

    @Test("a phone registers in clear and over TLS, and unregisters", arguments: [Flow.Transport.ws, .wss])
    func phoneRegistersInClearAndOverTLSAndUnregisters(transport: Flow.Transport) async throws {
        let server = try await server(transport == .wss ? "server" : nil)
        let phone = try await phone(server.port, transport, path: "/sip?desk=1")
        try await phone.registration(.registered)
        let upgrade = try #require(server.upgrades.first)
        #expect(upgrade.uri == "/sip?desk=1" && upgrade.headers["Sec-WebSocket-Protocol"] == ["sip"])
        #expect(upgrade.headers["Host"] == ["127.0.0.1:\(server.port)"])
        #expect(upgrade.headers["Origin"].isEmpty && upgrade.headers["Sec-WebSocket-Extensions"].isEmpty)
        let register = try await request(server, .register)
        #expect(try register.headers.topVia.host.hasSuffix(".invalid"))
        #expect(try register.headers.topVia.transport == transport.name)
        // The phone pings its server when a busy machine lets ten seconds pass.
        #expect(server.frames.allSatisfy { [.text, .ping].contains($0.opcode) && $0.isMasked })
        #expect(try await phone.port() == 0, "nobody can connect to it")
        try await phone.perform(.shutDown)
        try await phone.finished()
        try await phone.close()
        #expect(server.connections == 1)
        try await server.close()
    }

    @Test("a message comes in one frame or fragments, as text or bytes, with or without length")
    func messageComesInOneFrameOrFragmentsAsTextOrBytes() async throws {
        let server = try await server()
        let phone = try await phone(server.port)
        try await phone.registration(.registered)
        let whole = Self.options()
        try await server.say(.text, whole)
        #expect(try await response(server).status == .ok)
        let parts = [whole.prefix(10), whole.dropFirst(10).prefix(50), whole.dropFirst(60)].map { Array($0) }
        try await server.say(.binary, parts[0], fin: false)
        try await server.say(.ping, [1])
        try await server.say(.continuation, parts[1], fin: false)
        try await server.say(.continuation, parts[2])
        #expect(try await response(server).status == .ok)
        // The WebSocket's message is the SIP message: a missing part does not come with the next one.
        try await server.say(.text, Self.options("Content-Length: 9\r\n"))
        #expect(try await response(server).status == .badRequest)
        #expect(server.frames.contains { $0.opcode == .pong && $0.isMasked })
        #expect(server.connections == 1)
        try await phone.close()
        try await server.close()
    }

    @Test("the server's line breaks are answered, and a flood of them ends the connection")
    func serverLineBreaksAreAnsweredAndFloodOfThemEndsConnection() async throws {
        let server = try await server()
        let phone = try await phone(server.port)
        try await phone.registration(.registered)
        let before = server.texts
        try await server.say(.text, SIPStreamFramer.keepAlive)
        try await server.say(.text, Self.options())
        _ = try await response(server)
        #expect(server.texts == before + 2)
        for _ in 0..<40 { try? await server.say(.text, SIPStreamFramer.keepAlive) }
        try await waitUntil { server.connections == 2 }
        try await phone.close()
        try await server.close()
    }

    @Test("a registered phone sends CRLF and pings as often as over a stream, and continues")
    func registeredPhoneSendsCRLFAndPingsAsOftenAsOverStream() async throws {
        let server = try await server()
        let phone = try await phone(server.port)
        try await phone.registration(.registered)
        // A WebSocket alone would ping after 25 s.
        try await waitUntil(seconds: 22) { server.frames.count { $0.opcode == .ping } == 2 }
        #expect(server.texts == 3, "the registration, and line breaks twice")
        #expect(server.connections == 1)
        try await phone.close()
        try await server.close()
    }

    @Test("a phone whose connection ends registers over another one", arguments: [true, false])
    func phoneWhoseConnectionEndsRegistersOverAnotherOne(isToldWhy: Bool) async throws {
        let server = try await server()
        let phone = try await phone(server.port)
        try await phone.registration(.registered)
        _ = try await request(server, .register)
        if isToldWhy { try await server.say(.connectionClose, [0x03, 0xE9]) } else { try await server.hangUp() }
        _ = try await request(server, .register)
        #expect(server.connections == 2)
        try await server.say(.text, Self.options())
        #expect(try await response(server).status == .ok)
        try await phone.close()
        try await server.close()
    }

    @Test("non-SIP data ends the connection")
    func nonSIPDataEndsConnection() async throws {
        let server = try await server()
        let phone = try await phone(server.port)
        try await phone.registration(.registered)
        try await server.say(.text, Array("{\"jsonrpc\": \"2.0\"}".utf8))
        try await waitUntil { server.connections == 2 }
        #expect(try await phone.counters().garbage == 1)
        try await phone.close()
        try await server.close()
    }

    // MARK: Rejected servers

    @Test("a server without a valid certificate gets no data, and no other way is tried")
    func serverWithoutValidCertificateGetsNoData() async throws {
        let server = try await server("other")
        let phone = try await phone(server.port, .wss)
        #expect(try await phone.failure() == "the server's certificate is for another name")
        #expect(server.connections == 1 && server.upgrades.isEmpty)
        try await phone.close()
        try await server.close()
    }

    @Test("a secure account sends nothing to a clear server")
    func secureAccountSendsNothingToClearServer() async throws {
        let server = try await server()
        let phone = try await phone(server.port, .wss)
        #expect(try await phone.failure().hasPrefix("the server is not trusted, or refuses TLS"))
        #expect(server.upgrades.isEmpty)
        try await phone.close()
        try await server.close()
    }

    struct Refusal: CustomTestStringConvertible {
        let testDescription: String
        let answer: @Sendable (String) -> [UInt8]
        let text: String

        init(_ name: String, _ text: String, _ answer: @escaping @Sendable (String) -> [UInt8]) {
            (testDescription, self.text, self.answer) = (name, text, answer)
        }
    }

    static let refusals = [
        Refusal("no WebSocket there", "the server refuses the WebSocket: 404 Not Found") { _ in
            Array("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".utf8)
        },
        Refusal("a SIP server", "the server there is not a WebSocket server") { _ in
            Array("SIP/2.0 400 Bad Request\r\n\r\n".utf8)
        },
        Refusal("another's answer", "the server's answer belongs to another WebSocket request") {
            WebSocketBytes.answer($0, accept: { _ in WebSocketBytes.accept("another") })
        },
        Refusal("no SIP", "the server did not agree to SIP over the WebSocket") {
            WebSocketBytes.answer($0, protocols: [])
        },
        Refusal("garbage without an end", "the server's answer to the WebSocket request is too long") { _ in
            Array("HTTP/1.1 101 ".utf8) + Array(repeating: 0x61, count: 100_000)
        },
        Refusal("a masked frame", "the server breaks the WebSocket protocol: it masks a frame") {
            WebSocketBytes.answer($0) + WebSocketBytes.frame(0x81, [1], masked: true)
        },
        Refusal("the end", "the server closes the connection instead of opening a WebSocket") { _ in [] },
    ]

    @Test("the reason for an unusable WebSocket is reported", arguments: refusals)
    func reasonForUnusableWebSocketIsReported(_ refusal: Refusal) async throws {
        let server = try await ScriptedWebSocketServer(on: loop, answer: refusal.answer)
        let phone = try await phone(server.port)
        #expect(try await phone.failure() == refusal.text)
        #expect(try await phone.counters().untrusted == 0)
        try await phone.close()
        try await server.close()
    }

    @Test("a server that does not answer is dropped after 5 s")
    func serverThatDoesNotAnswerIsDroppedAfter5S() async throws {
        let listener = try await ServerBootstrap(group: loop).bind(host: "127.0.0.1", port: 0).get()
        let phone = try await phone(UInt16(listener.localAddress?.port ?? 0))
        #expect(try await phone.failure() == "the server does not answer the WebSocket request")
        try await phone.close()
        try await listener.close().get()
    }

    private func waitUntil(seconds: Int = 10, _ isTrue: () -> Bool) async throws {
        for _ in 0..<100 * seconds where !isTrue() { try await Task.sleep(for: .milliseconds(10)) }
        #expect(isTrue())
    }
}
