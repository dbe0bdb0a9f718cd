import Base
import Foundation
import HTTPClient
import HostStalls
import Rig
import Testing

/// Requests through a proxy (CONNECT, RFC 9110 §9.3.6).
@Suite(.serialized, .stallsForgiven) struct ProxyTests {
    private let certificates: Certificates
    private let server: WebServer
    private let proxy: WebServer

    init() throws {
        certificates = try Certificates()
        try certificates.make("server", "DNS:phone.example")
        server = try WebServer(certificates)
        proxy = try WebServer(more: ["--proxy", "open"])
    }

    private func settings(_ port: UInt16, user: String? = nil) -> HTTPClientSettings {
        HTTPClientSettings(
            proxy: .init(host: "127.0.0.1", port: port, user: user, password: user.map { _ in Redacted("word-1") }),
            authorities: certificates.authority)
    }

    @Test func proxyTunnelsAndSeesNoToken() throws {
        let client = HTTPClient(settings: settings(proxy.port, user: "ada"))
        let request = HTTPRequest(.get, "https://phone.example:\(server.port)/ok", bearer: Redacted("token-1"))
        let answer = try client.ask(request)
        #expect(answer.response?.status == 200 && answer.text == #"{"answer": 42}"#)
        let tunnel = try proxy.wait(for: "request")
        #expect(tunnel["method"] == "CONNECT" && tunnel["target"]?.string == "phone.example:\(server.port)")
        #expect(tunnel["headers"]?["proxy-authorization"]?.string == "Basic YWRhOndvcmQtMQ==")
        #expect(tunnel["headers"]?["authorization"] == nil && !"\(tunnel)".contains("token-1"))
        // The server gets the token, and not the proxy's password.
        let inner = try server.wait(for: "request")
        #expect(inner["headers"]?["authorization"] == "Bearer token-1")
        #expect(inner["headers"]?["proxy-authorization"] == nil)
    }

    @Test func certificateIsCheckedBehindAProxy() throws {
        let client = HTTPClient(settings: settings(proxy.port))
        #expect(try client.ask(.get, "https://other.example:\(server.port)/ok").isFailure(.tls("")))
        #expect(server.requests.isEmpty)
    }

    @Test func thisMachineIsReachedWithoutTheProxy() throws {
        let plain = try WebServer()
        #expect(try HTTPClient(settings: settings(proxy.port)).ask(.get, plain.url("/ok")).response?.status == 200)
        #expect(proxy.events("connection").isEmpty)
    }

    @Test func proxyThatRefusesIsANetworkFailure() throws {
        let refusing = try WebServer(more: ["--proxy", "refuse"])
        let answer = try HTTPClient(settings: settings(refusing.port)).ask(
            .post, "https://phone.example:\(server.port)/ok")
        #expect(answer.isFailure(.network("")) && "\(String(describing: answer.failure))".contains("407"))
    }

    /// In a separate process, because the environment belongs to all tests.
    @Test func environmentNamesNoProxy() async throws {
        let plain = try WebServer()
        let port = proxy.port
        await #expect(processExitsWith: .success) { [url = plain.url("/ok") as String, port = port as UInt16] in
            for name in ["http_proxy", "https_proxy", "HTTPS_PROXY", "ALL_PROXY"] {
                setenv(name, "http://127.0.0.1:\(port)", 1)
            }
            let client = HTTPClient(settings: HTTPClientSettings())
            let near = try client.ask(.get, url)
            // Only the proxy knows this name.
            let far = try client.ask(HTTPRequest(.post, "https://phone.invalid/"))
            try #require(near.response?.status == 200 && far.isFailure(.resolve("")))
        }
        #expect(proxy.events("connection").isEmpty && plain.requests == ["GET /ok"])
    }

    /// The rules of the web for names (RFC 9525 §6.3), which the proxy lets us try with any name.
    @Test(arguments: [
        ("DNS:*.phone.example", "a.phone.example", true), ("DNS:*.phone.example", "a.b.phone.example", false),
        ("DNS:*.phone.example", "phone.example", false), ("DNS:a*.phone.example", "ab.phone.example", false),
        ("DNS:PHONE.example", "phone.EXAMPLE", true), ("DNS:phone.example.org", "phone.example", false),
        ("email:a@phone.example", "common.example", false),
    ])
    func wildcardStandsForOneLabel(_ names: String, _ host: String, _ isBelieved: Bool) throws {
        try certificates.make("other", names)
        let server = try WebServer(certificates, "other")
        let answer = try HTTPClient(settings: settings(proxy.port)).ask(.get, "https://\(host):\(server.port)/ok")
        #expect(isBelieved ? answer.response?.status == 200 : answer.isFailure(.tls("")), "\(answer)")
    }
}
