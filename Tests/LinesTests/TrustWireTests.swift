import Base
import Bench
import LineCore
import Lines
import NIOCore
import NIOPosix
import Rig
import SIPCore
import Testing

@Suite("An account for which DNS chooses the transport, after a restart", .timeLimit(.minutes(5)))
struct TrustWireTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()
    private let certificates: Certificates

    init() throws {
        certificates = try Certificates()
        try certificates.make("server", "URI:sip:server.example, IP:127.0.0.1")
    }

    /// Another process of the phone, with the former one's learned facts.
    private func phone(_ names: NameServer, knowing trust: LineTrust) async throws -> Phone {
        var account = LineConfiguration.Account(
            domain: "server.example", server: NextHop(host: "server.example", transport: nil))
        account.trust = trust
        let phone = try await Phone("alice", on: loop, accepts: .ownServerOnly, account: account) {
            $0.tls = TLSSettings(authorities: certificates.authority)
            $0.nameServers = [names.address]
        }
        try await phone.start()
        return phone
    }

    @Test("a server reached over TLS is never contacted in clear, whatever DNS says")
    func serverReachedOverTLSIsNeverContactedInClearWhateverDNSSays() async throws {
        let server = try await StreamServer(
            on: loop, tls: try certificates.context("server"), answer: StreamServer.registrar)
        let honest = try await NameServer(
            on: loop,
            [
                "server.example": [.naptr(order: 1, service: "SIPS+D2T", "_sips._tcp.server.example")],
                "_sips._tcp.server.example": [.srv(priority: 1, port: server.port, "a.example")],
                "a.example": [.a("127.0.0.1")],
            ])
        let first = try await phone(honest, knowing: LineTrust())
        try await first.registration(.registered)
        let trust = first.trust
        #expect(trust == LineTrust(isOverTLS: true))
        try await first.close()

        // An attacker on the path claims that the server speaks UDP, and listens there.
        let listener = try DatagramPeer()
        let forged = try await NameServer(
            on: loop,
            [
                "server.example": [.naptr(order: 1, service: "SIP+D2U", "_sip._udp.server.example")],
                "_sip._udp.server.example": [.srv(priority: 1, port: listener.port, "a.example")],
                "a.example": [.a("127.0.0.1")],
            ])
        let second = try await phone(forged, knowing: trust)
        #expect(try await second.failure() == "the name service no longer offers TLS for the server")
        #expect(listener.heardSoFar().isEmpty)
        #expect(second.reports.texts.contains { $0.contains("over which it was reached before") })
        try await second.close()
        // A phone without the facts would have gone there: the listener gets its message.
        let third = try await phone(forged, knowing: LineTrust())
        #expect(try listener.request(.register).headers[.via]?.contains("UDP") == true)
        try await third.close()
        try await server.close()
        for names in [honest, forged] { try await names.close() }
    }
}
