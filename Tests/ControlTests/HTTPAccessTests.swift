import Base
import Control
import JSON
import PhoneCore
import Testing

/// Permissions over HTTP.
@Suite struct HTTPAccessTests {
    private func status(_ browser: RawSocket) throws -> Int? { try browser.answer()?.status }

    private func code(_ answer: WebAnswer?) -> JSONValue? { answer?.json?["error"]?["data"]?["code"] }

    @Test func withoutTokenNothingIsAllowed() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let body = #"{"jsonrpc":"2.0","id":1,"method":"hangup"}"#
            let tokens = [
                nil, "Bearer", "Bearer ", "Bearer wrong", "Basic b2hrOm9oaw==", "Bearer \(TestToken.text(.call)) more",
                TestToken.text(.call), "Bearer " + String(repeating: "a", count: 4_000),
            ]
            for token in tokens {
                let browser = try phone.browser()
                browser.request(
                    "POST", "/rpc", ["Content-Type: application/json"] + (token.map { ["Authorization: \($0)"] } ?? []),
                    body: body)
                let answer = try #require(try browser.answer())
                #expect(answer.status == 401 && answer.headers["www-authenticate"] == "Bearer", "\(token ?? "none")")
                #expect(answer.headers["connection"] == "close")
                #expect(try browser.answer() == nil, "it is closed")
            }
            for path in ["/events", "/metrics"] {
                let browser = try phone.browser()
                browser.request("GET", path)
                #expect(try browser.answer()?.status == 401)
            }
            #expect(try phone.onLoop { $0.statistics.requests } == 0)
            #expect(try phone.onLoop { $0.statistics.http.wrongTokens } == 2, "text that is no token is rejected")
        }
    }

    /// Every method, with every scope.
    @Test func methodNeedsItsScope() throws {
        try TestPhone.run(TestPhone.http(), manner: .shows(TextTests.snapshot)) { phone in
            let browser = try phone.browser()
            let methods = MethodName.allCases.filter { method in
                // Methods that need more to succeed are refused in the next test, and succeed in others.
                !method.reference.parameters.contains(where: \.isRequired)
                    && ![.transfer, .addAccount, .subscribe].contains(method)
            }
            for scope in AccessScope.allCases {
                for method in methods {
                    browser.rpc(#"{"jsonrpc":"2.0","id":1,"method":"\#(method.rawValue)"}"#, scope: scope)
                    let answer = try browser.answer()
                    if method.scope <= scope {
                        #expect(answer?.json?["result"] != nil, "\(method) with \(scope)")
                    } else {
                        let error = answer?.json?["error"]
                        #expect(error?["code"] == -32002, "\(method) with \(scope)")
                        #expect(error?["data"] == ["code": "scopeTooSmall", "scope": .string(method.scope.rawValue)])
                    }
                }
            }
        }
    }

    @Test func smallScopeIsReportedBeforeParameters() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let browser = try phone.browser()
            for method in MethodName.allCases where method.scope > .observe {
                browser.rpc(
                    #"{"jsonrpc":"2.0","id":1,"method":"\#(method.rawValue)","params":{"x":1}}"#, scope: .observe)
                #expect(try code(browser.answer()) == "scopeTooSmall", "\(method)")
            }
            #expect(try phone.onLoop { $0.statistics.requestsInFlight } == 0)
        }
    }

    @Test func eventsNeedStream() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let browser = try phone.browser()
            browser.rpc(#"{"jsonrpc":"2.0","id":1,"method":"subscribe"}"#)
            #expect(try code(browser.answer()) == "notSupported")
        }
    }

    @Test(arguments: [
        "localhost", "LOCALHOST", "localhost:8088", "127.0.0.1", "127.0.0.1:80", "127.1.2.3", "[::1]", "[::1]:8088",
        "phone.example", "Phone.Example:443",
    ])
    func ownHostNamesAreAccepted(_ host: String) throws {
        #expect(try status(host: host) == 200)
    }

    @Test(arguments: [
        "evil.example", "phone.example.evil.example", "evilphone.example", "192.0.2.7", "0.0.0.0",
        "localhost.evil.example",
        "[2001:db8::7]", "[::1", "localhost:x", "127.0.0.1.evil.example", "", "localhost evil.example", "a@localhost",
    ])
    func otherHostNameIsRefused(_ host: String) throws {
        #expect(try status(host: host) == 421)
    }

    private func status(host: String) throws -> Int? {
        var status: Int?
        try TestPhone.run(TestPhone.http()) { phone in
            let browser = try phone.browser()
            browser.send("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            status = try self.status(browser)
            if status == 421, let report = phone.reports.take() {
                guard case .requestRefused(let why, from: "127.0.0.1") = report else {
                    Issue.record("\(report)")
                    return
                }
                #expect(why.contains("is no name of this phone"))
            }
        }
        return status
    }

    @Test func requestWithoutHostIsRefused() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            for request in ["GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.0\r\n\r\n"] {
                let browser = try phone.browser()
                browser.send(request)
                #expect(try status(browser) == 421)
            }
        }
    }

    @Test func otherOriginIsRefused() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let origins = [
                "http://evil.example", "null", "http://localhost:1", "https://localhost:1", "http://127.0.0.1",
                "localhost",
                "http://localhost.evil.example", "",
            ]
            for origin in origins {
                let browser = try phone.browser()
                browser.request(
                    "POST", "/rpc", scope: .configure, ["Content-Type: application/json", "Origin: \(origin)"],
                    body: HTTPTests.ping)
                #expect(try status(browser) == 403, "\(origin)")
            }
            let browser = try phone.browser()
            browser.request(
                "POST", "/rpc", scope: .configure, ["Content-Type: application/json", "Origin: http://localhost"],
                body: HTTPTests.ping)
            #expect(try status(browser) == 200)
            #expect(try phone.onLoop { $0.statistics.requests } == 1)
        }
    }

    /// A form of another page can send this without a preflight.
    @Test(arguments: [
        "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/json",
    ])
    func otherContentTypeIsRefused(_ type: String) throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let browser = try phone.browser()
            browser.request("POST", "/rpc", scope: .configure, ["Content-Type: \(type)"], body: HTTPTests.ping)
            #expect(try status(browser) == 415)
        }
    }

    @Test func otherMethodsAreRefusedByName() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            for (method, path, allowed) in [
                ("GET", "/rpc", "POST"), ("OPTIONS", "/rpc", "POST"), ("PUT", "/", "GET, HEAD"),
                ("POST", "/events", "GET"),
                ("HEAD", "/events", "GET"), ("DELETE", "/metrics", "GET, HEAD"), ("TRACE", "/", "GET, HEAD"),
            ] {
                let browser = try phone.browser()
                browser.request(method, path, scope: .configure)
                let answer = try #require(try browser.answer(hasBody: method != "HEAD"))
                #expect(answer.status == 405 && answer.headers["allow"] == allowed, "\(method) \(path)")
            }
        }
    }

    /// There is no folder; this shows that nothing decodes a path into one.
    @Test(arguments: [
        "/../../etc/passwd", "/..%2f..%2fetc/passwd", "/%2e%2e/etc/passwd", "//etc/passwd", "/panel.html",
        "/panel.css/",
        "/panel.css%00", "/./panel.js", "/rpc/", "/PANEL.CSS", "/panel.js/../../../../etc/passwd", "/etc/passwd",
    ])
    func noPathReachesFiles(_ path: String) throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let browser = try phone.browser()
            browser.request("GET", path, scope: .configure)
            let answer = try #require(try browser.answer())
            #expect(answer.status == 404 && answer.text == "there is nothing at this path\n")
        }
    }

    /// A digit may belong to a PIN or a door's code. An observer gets none, not even on resuming.
    @Test func observerGetsNoDigits() throws {
        let snapshot = TextTests.snapshot
        try TestPhone.run(TestPhone.http(), manner: .shows(snapshot)) { phone in
            let call = CallID(.phone, 3)
            let digits: [Notice] = [.dtmfReceived(call, .seven), .keyPressed(.digit(.one))]
            for (scope, hears) in [(AccessScope.observe, false), (.call, true)] {
                let stream = try phone.browser()
                stream.request("GET", "/events", scope: scope)
                #expect(try stream.answer(hasBody: false)?.status == 200)
                let position = try #require(try stream.frame()?["id"])
                for notice in digits + [.muteChanged(true)] { try phone.perform(.notice(notice)) }
                let told = hears ? ["dtmfReceived", "panelChanged", "muteStateChanged"] : ["muteStateChanged"]
                for name in told { #expect(try stream.frame()?["event"] == name) }
                let later = try phone.browser()
                later.request("GET", "/events", scope: scope, ["Last-Event-ID: \(position)"])
                #expect(try later.answer(hasBody: false)?.status == 200)
                for name in ["clientReady"] + told { #expect(try later.frame()?["event"] == name) }
                let browser = try phone.browser()
                browser.rpc(#"{"jsonrpc":"2.0","id":1,"method":"getSnapshot"}"#, scope: scope)
                let answer = try JSONValue(parsing: Array(try #require(try browser.answer()).text.utf8))
                #expect(answer["result"]?["digits"] == .string(hears ? snapshot.digits : ""))
            }
        }
    }

    @Test func fullTokenLeavesRoomForAnother() throws {
        try TestPhone.run(TestPhone.http { $0.maximumConnectionsOfToken = 3 }) { phone in
            let streams = try (0..<4).map { _ in
                let stream = try phone.browser()
                stream.request("GET", "/events", scope: .observe)
                return stream
            }
            let answers = try streams.map { try $0.answer(hasBody: false)?.status }
            #expect(answers == [200, 200, 200, 429])
            let other = try phone.browser()
            other.rpc(HTTPTests.ping, scope: .configure)
            #expect(try other.answer()?.status == 200)
        }
    }

    /// A browser that connects while the phone starts keeps its token.
    @Test func tokensWaitForVault() throws {
        try TestPhone.run(TestPhone.http(), knowsTokens: false) { phone in
            let browser = try phone.browser()
            browser.rpc(HTTPTests.ping, scope: .observe)
            let answer = try #require(try browser.answer())
            #expect(answer.status == 503 && answer.headers["retry-after"] == "1")
            #expect(try phone.onLoop { $0.statistics.http.wrongTokens } == 0)
        }
    }

    @Test func proxyMayTerminateTLS() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let browser = try phone.browser()
            browser.request(
                "POST", "/rpc", scope: .observe, ["Content-Type: application/json", "Origin: https://localhost"],
                body: HTTPTests.ping)
            #expect(try browser.answer()?.status == 200)
        }
    }

    @Test func removedTokenClosesItsConnections() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let (stream, other) = (try phone.browser(), try phone.browser())
            stream.request("GET", "/events", scope: .call)
            other.request("GET", "/events", scope: .observe)
            for browser in [stream, other] {
                #expect(try browser.answer(hasBody: false)?.status == 200)
                #expect(try browser.frame()?["event"] == "clientReady")
            }
            let rest = [TestToken.known(.observe), TestToken.known(.configure)]
            try phone.onLoop { $0.answer(ActionID(.control, 9_999), .tokens(rest, added: nil)) }
            #expect(try stream.frame() == nil)
            try phone.perform(.notice(.muteChanged(true)))
            #expect(try other.frame()?["event"] == "muteStateChanged")
            let browser = try phone.browser()
            browser.request("GET", "/metrics", scope: .call)
            #expect(try status(browser) == 401)
        }
    }

    @Test func tokensComeFromVault() throws {
        let drawn = VaultAnswer.tokens([TestToken.known(.call)], added: Redacted("ohk_new"))
        try TestPhone.run(vaultAnswer: drawn) { phone in
            let answer = try phone.client().call("addToken", ["label": "panel", "scope": "call"])
            #expect(answer == ["token": "ohk_new"])
            #expect(phone.askedOfVault.take() == .addToken(label: "panel", .call))
        }
        try TestPhone.run(vaultAnswer: TestToken.all) { phone in
            let tokens = try phone.client().call("getTokens")["tokens"]?.array
            #expect(tokens?.count == 3)
            let first: JSONValue = ["created": 1_764_000_000_000, "label": "observe", "scope": "observe"]
            #expect(tokens?.first == first)
        }
        try TestPhone.run(vaultAnswer: .noSuchToken) { phone in
            #expect { try phone.client().call("removeToken", ["label": "x"]) } throws: {
                RefusalTests.code(of: $0) == "noSuchToken"
            }
        }
    }
}
