import Base
import Foundation
import HTTPClient
import HostStalls
import Rig
import Testing

/// Which servers the client believes.
@Suite(.serialized, .stallsForgiven) struct TrustTests {
    private let certificates: Certificates

    init() throws { certificates = try Certificates() }

    private func ask(_ server: WebServer, _ settings: HTTPClientSettings, host: String = "localhost") throws
        -> Answers.Answer
    {
        try HTTPClient(settings: settings).ask(.get, "https://\(host):\(server.port)/ok")
    }

    private var own: HTTPClientSettings { HTTPClientSettings(authorities: certificates.authority) }

    private func server(_ names: String, isSelfSigned: Bool = false, days: Int = 2, usage: String? = nil) throws
        -> WebServer
    {
        try certificates.make("server", names, isSelfSigned: isSelfSigned, days: days, usage: usage)
        return try WebServer(certificates)
    }

    @Test func ownAuthorityIsBelieved() throws {
        let server = try server("DNS:localhost, IP:127.0.0.1", usage: "serverAuth")
        #expect(try ask(server, own).response?.status == 200)
        #expect(try ask(server, own, host: "127.0.0.1").response?.status == 200)
    }

    @Test func otherAuthorityIsNotBelieved() throws {
        let server = try server("DNS:localhost")
        #expect(try ask(server, HTTPClientSettings()).isFailure(.tls("")))
        let other = try Certificates()
        #expect(try ask(server, HTTPClientSettings(authorities: other.authority)).isFailure(.tls("")))
        #expect(server.requests.isEmpty)
    }

    @Test func wrongNameIsNotBelieved() throws {
        for names in [
            "DNS:other.example", "DNS:localhost.example", "DNS:*", "DNS:*.localhost", "IP:127.0.0.1",
            "URI:sip:localhost",
        ] {
            let server = try server(names)
            #expect(try ask(server, own).isFailure(.tls("")), "\(names)")
            #expect(server.requests.isEmpty)
        }
        let named = try server("DNS:127.0.0.1")
        #expect(try ask(named, own, host: "127.0.0.1").isFailure(.tls("")))
    }

    @Test func expiredCertificateIsNotBelieved() throws {
        let server = try server("DNS:localhost", days: 0)
        let answer = try ask(server, own)
        #expect(answer.isFailure(.tls("")) && "\(String(describing: answer.failure))".contains("expired"))
    }

    @Test func certificateForClientsIsNotBelieved() throws {
        #expect(try ask(try server("DNS:localhost", usage: "clientAuth"), own).isFailure(.tls("")))
    }

    @Test func selfSignedCertificateIsNotBelieved() throws {
        #expect(try ask(try server("DNS:localhost", isSelfSigned: true), own).isFailure(.tls("")))
    }

    /// The same rule as for SIP: exactly this certificate, whatever it says.
    @Test func pinnedCertificateIsBelievedAlone() throws {
        let server = try server("DNS:other.example", isSelfSigned: true, days: 0)
        let pin = try pin("server")
        #expect(try ask(server, HTTPClientSettings(pin: pin)).response?.status == 200)
        #expect(
            try ask(server, HTTPClientSettings(authorities: certificates.authority, pin: pin)).response?.status == 200)
        var other = pin
        other[31] ^= 1
        // Even if an authority vouches for it.
        let vouched = try self.server("DNS:localhost")
        for settings in [
            HTTPClientSettings(pin: other), HTTPClientSettings(authorities: certificates.authority, pin: other),
        ] {
            #expect(
                try ask(vouched, settings).failure == .tls("the server's certificate is not the pinned one"))
        }
        #expect(vouched.requests.isEmpty)
    }

    private func pin(_ name: String) throws -> [UInt8] {
        try certificates.fingerprint(name).split(separator: ":").compactMap { UInt8($0, radix: 16) }
    }

    @Test func oldTLSIsRefused() throws {
        try certificates.make("server", "DNS:localhost")
        let server = try WebServer(certificates, more: ["--newest", "TLSv1_1"])
        #expect(try ask(server, own).isFailure(.tls("")))
        #expect(server.requests.isEmpty)
    }

    @Test func plainServerIsNotTakenForASecureOne() throws {
        let server = try WebServer()
        #expect(try ask(server, own).isFailure(.tls("")))
        #expect(server.requests.isEmpty)
    }

    /// It says nothing about the server's identity, so it is tried again.
    @Test func brokenHandshakeIsANetworkFailure() throws {
        let server = try WebServer(more: ["--hang-up"])
        #expect(try ask(server, own).isFailure(.network("")))
        #expect(server.events("connection").count == 4)
    }

    @Test func silentHandshakeEndsAtTheTimeout() throws {
        let server = try WebServer(more: ["--mute"])
        let request = HTTPRequest(.get, server.url("/", "https"), timeout: .milliseconds(500))
        #expect(try HTTPClient(settings: own).ask(request).failure == .timeout)
        // The time for a connection may be shorter than that for the request.
        let client = HTTPClient(settings: HTTPClientSettings(connectTimeout: .milliseconds(200)))
        let post = HTTPRequest(.post, server.url("/", "https"), timeout: .seconds(9))
        let (answer, taken) = try timed { try client.ask(post) }
        #expect(answer.failure == .timeout && taken < .seconds(2))
    }

    @Test func unusableFileOfAuthoritiesIsNamed() throws {
        let server = try server("DNS:localhost")
        let file = certificates.folder + "/missing.pem"
        guard case .tls(let why) = try ask(server, HTTPClientSettings(authorities: file)).failure else {
            Issue.record("no failure of TLS")
            return
        }
        #expect(why.hasPrefix("\(file) is not a usable certificate or key"))
        #expect(try ask(server, HTTPClientSettings(pin: [1, 2, 3])).isFailure(.tls("")))
    }

    /// Authorities that a person replaces count for the next connection.
    @Test func replacedAuthorityIsRead() throws {
        let server = try server("DNS:localhost")
        let file = certificates.folder + "/trusted.pem"
        try FileManager.default.copyItem(atPath: try Certificates().copiedAuthority(), toPath: file)
        let client = HTTPClient(settings: HTTPClientSettings(authorities: file))
        #expect(try client.ask(.get, server.url("/ok", "https")).isFailure(.tls("")))
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.copyItem(atPath: certificates.authority, toPath: file)
        #expect(try client.ask(.get, server.url("/ok", "https")).response?.status == 200)
    }
}

extension Certificates {
    /// A copy of the authority that outlives this value.
    fileprivate func copiedAuthority() throws -> String {
        let copy = NSTemporaryDirectory() + "oh-ca-\(UUID().uuidString.prefix(8)).pem"
        try FileManager.default.copyItem(atPath: authority, toPath: copy)
        return copy
    }
}
