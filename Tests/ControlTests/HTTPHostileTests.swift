import Control
import JSON
import PhoneCore
import Rig
import SecureTransport
import Testing

/// Bytes that two readers may parse differently, or not at all; and HTTPS.
@Suite struct HTTPHostileTests {
    private static let head =
        "POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        + "Authorization: Bearer \(TestToken.text(.configure))\r\n"

    /// A second request for a reader that counts differently.
    private static let second = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"

    @Test(arguments: [
        "Content-Length: 5\r\nContent-Length: 5\r\n", "Content-Length: 5\r\nContent-Length: 6\r\n",
        "Content-Length: 5, 5\r\n", "Content-Length: +5\r\n", "Content-Length: 0x5\r\n", "Content-Length: -1\r\n",
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
        "Transfer-Encoding: gzip\r\n", "Transfer-Encoding: chunked, identity\r\n", "Transfer-Encoding : chunked\r\n",
        "Content-Length: 99999999999999999999\r\n", "Host: localhost\r\n", "Upgrade: h2c\r\nConnection: Upgrade\r\n",
        "X: a\r\n b\r\n", "X: \u{0}\r\n",
    ])
    func ambiguousRequestIsNeverTwo(_ headers: String) throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let browser = try phone.browser()
            browser.send(Self.head + headers + "\r\n" + "0\r\n\r\n" + Self.second)
            var answers: [Int] = []
            browser.finishSending()
            while let answer = try browser.answer() { answers.append(answer.status) }
            #expect(answers.count <= 1 && answers.allSatisfy { [400, 413, 501].contains($0) }, "\(answers)")
            #expect(try phone.onLoop { $0.statistics.requests } == 0)
        }
    }

    @Test(arguments: [
        "\r\n\r\n\r\n\r\nfoo\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}\u{fc}",
        "INVITE sip:a@b SIP/2.0\r\n\r\n",
        "GET http://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n", "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "CONNECT localhost:22 HTTP/1.1\r\nHost: localhost\r\n\r\n", "GET / HTTP/1.1\nHost: localhost\n\n\u{0}",
    ])
    func malformedRequestEndsConnection(_ text: String) throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let browser = try phone.browser()
            browser.send(text)
            browser.finishSending()
            while let answer = try browser.answer() { #expect(answer.status >= 400 || answer.status == 200) }
            #expect(try phone.comesTrue { $0.http.connections == 0 })
            #expect(try phone.onLoop { $0.statistics.requests } == 0)
        }
    }

    /// Text from callers comes out as JSON, and never as a header or another event.
    @Test func farEndTextStaysInItsField() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let browser = try phone.browser()
            browser.request("GET", "/events", scope: .observe)
            _ = try browser.answer(hasBody: false)
            _ = try browser.frame()
            let evil = "a\r\n\r\ndata: {}\nevent: reset\u{2028}\u{0}<script>"
            try phone.onLoop { $0.publish(.line, ["text": .string(evil)]) }
            let frame = try #require(try browser.frame())
            #expect(frame["event"] == "line")
            #expect(try JSONValue(parsing: frame["data"] ?? "")["text"]?.string == evil)
        }
    }

    @Test func tlsPortUsesItsCertificateOnly() throws {
        let certificates = try Certificates()
        try certificates.make("phone", "DNS:phone.example, IP:127.0.0.1", isSelfSigned: true)
        let files = TLSIdentityFiles(
            certificateFile: certificates.certificate("phone"), keyFile: certificates.key("phone"))
        try TestPhone.run(TestPhone.http { $0.identity = files }) { phone in
            let port = try phone.port()
            let curl = try Shell.run(
                "/usr/bin/curl", "-s", "--cacert", certificates.certificate("phone"), "--connect-to",
                "phone.example:\(port):127.0.0.1:\(port)", "https://phone.example:\(port)/rpc", "-H",
                "Authorization: Bearer \(TestToken.text(.observe))", "-H", "Content-Type: application/json", "-H",
                "Origin: https://phone.example:\(port)", "-d", HTTPTests.ping)
            #expect(try JSONValue(parsing: curl)["result"]?["version"] == "1.2.3")
            let clear = try phone.browser()
            clear.request("GET", "/")
            #expect(try clear.answer()?.status != 200)
        }
    }

    @Test func withoutCertificateNothingIsServed() throws {
        let place = Workplace()
        var settings = TestPhone.http { $0.identity = .init(certificateFile: "/nowhere.pem", keyFile: "/nowhere.key") }
        settings.path = place.socket
        let phone = TestPhone(settings)
        try phone.start()
        guard case .notOpen(.http, .certificate(let why))? = phone.reports.take() else {
            Issue.record("it was not reported")
            return
        }
        #expect(why.contains("/nowhere.key"))
        let port = try phone.onLoop { $0.httpPort }
        #expect(port == nil, "and nothing in clear")
        try phone.close()
        try phone.end()
    }
}
