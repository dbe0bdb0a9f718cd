import Control
import JSON
import PhoneCore
import Testing

/// The interface over HTTP, on real sockets.
@Suite struct HTTPTests {
    static let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#

    @Test func answeredConnectionStaysOpen() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let browser = try phone.browser()
            for _ in 0..<3 {
                browser.rpc(Self.ping)
                let answer = try #require(try browser.answer())
                #expect(answer.status == 200 && answer.headers["content-type"] == "application/json")
                #expect(answer.json?["result"]?["version"] == "1.2.3")
            }
            #expect(try phone.onLoop { $0.statistics.http.accepted } == 1)
        }
    }

    @Test func answerWaitsForAction() throws {
        try TestPhone.run(TestPhone.http(), manner: .waits) { phone in
            let browser = try phone.browser()
            browser.rpc(#"{"jsonrpc":"2.0","id":7,"method":"dial","params":{"target":"100"}}"#, scope: .call)
            let asked = try #require(phone.asked.take())
            #expect(asked.request == .dial("100", account: nil))
            try phone.perform(.settled(asked.action, .failed(.noRoom)))
            let answer = try #require(try browser.answer())
            #expect(answer.json?["id"] == 7 && answer.json?["error"]?["data"]?["code"] == "noRoom")
        }
    }

    @Test func batchIsAnsweredTogetherAndNotificationsWith204() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let browser = try phone.browser()
            browser.rpc("[\(Self.ping),7,\(Self.ping)]")
            let answers = try browser.answer()?.json?.array
            #expect(answers?.count == 3)
            browser.rpc(#"[{"jsonrpc":"2.0","method":"answer"}]"#)
            let none = try #require(try browser.answer())
            #expect(none.status == 204 && none.headers["content-length"] == nil)
            #expect(phone.asked.take()?.request == .answer(nil))
            browser.rpc("{")
            #expect(try browser.answer()?.json?["error"]?["data"]?["code"] == "parseError")
        }
    }

    @Test func pipelinedRequestsAreAnsweredInOrder() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let browser = try phone.browser()
            for id in 1...20 { browser.rpc(#"{"jsonrpc":"2.0","id":\#(id),"method":"ping"}"#) }
            for id in 1...20 { #expect(try browser.answer()?.json?["id"] == .integer(Int64(id))) }
        }
    }

    @Test func clientThatLeavesIsForgotten() throws {
        try TestPhone.run(TestPhone.http(), manner: .waits) { phone in
            do {
                let browser = try phone.browser()
                browser.rpc(#"{"jsonrpc":"2.0","id":7,"method":"answer"}"#)
                #expect(phone.asked.take() != nil)
            }
            let isForgotten = try phone.comesTrue { $0.http.connections == 0 && $0.requestsInFlight == 0 }
            #expect(isForgotten)
        }
    }

    @Test func otherConnectionOfTokenMayCancel() throws {
        try TestPhone.run(TestPhone.http(), manner: .waits) { phone in
            let (one, other) = (try phone.browser(), try phone.browser())
            one.rpc(#"{"jsonrpc":"2.0","id":"a","method":"answer"}"#, scope: .call)
            #expect(phone.asked.take() != nil)
            let cancel = #"{"jsonrpc":"2.0","id":"b","method":"cancel","params":{"id":"a"}}"#
            other.rpc(cancel, scope: .configure)
            #expect(try other.answer()?.json?["error"]?["data"]?["code"] == "noSuchRequest")
            other.rpc(cancel, scope: .call)
            #expect(try other.answer()?.json?["result"] == [:])
            #expect(try one.answer()?.json?["error"]?["data"]?["code"] == "cancelled")
        }
    }

    @Test func pageNeedsNoTokenAndIsCached() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let browser = try phone.browser()
            for (path, type) in [("/", "text/html"), ("/panel.css", "text/css"), ("/panel.js", "text/javascript")] {
                browser.request("GET", path)
                let answer = try #require(try browser.answer())
                #expect(answer.status == 200 && answer.headers["content-type"] == "\(type); charset=utf-8")
                #expect(!answer.body.isEmpty && answer.headers["cache-control"] == "no-cache")
                let policy = try #require(answer.headers["content-security-policy"])
                #expect(policy.hasPrefix("default-src 'none'; script-src 'self';"))
                #expect(answer.headers["x-content-type-options"] == "nosniff" && answer.headers["set-cookie"] == nil)
                let tag = try #require(answer.headers["etag"])
                browser.request("GET", path, ["If-None-Match: \(tag)"])
                #expect(try browser.answer()?.status == 304)
                browser.request("HEAD", path)
                let head = try #require(try browser.answer(hasBody: false))
                #expect(head.status == 200 && head.headers["content-length"] == "\(answer.body.count)")
            }
        }
    }

    @Test func pageHasIconForHomeScreen() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let browser = try phone.browser()
            for (path, type) in [("/manifest.webmanifest", "application/manifest+json"), ("/icon.png", "image/png")] {
                browser.request("GET", path)
                let answer = try #require(try browser.answer())
                #expect(answer.status == 200 && answer.headers["content-type"] == type && !answer.body.isEmpty)
            }
        }
    }

    @Test func metricsNeedObserveScope() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let browser = try phone.browser()
            browser.request("GET", "/metrics", scope: .observe)
            let answer = try #require(try browser.answer())
            #expect(answer.status == 200 && answer.text == "offhook_up 1\n")
        }
    }

    @Test func disabledHTTPOpensNoPort() throws {
        try TestPhone.run { phone in
            let port = try phone.onLoop { $0.httpPort }
            #expect(port == nil)
        }
    }

    @Test func portInUseIsOpenedWhenFree() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let place = Workplace()
            var settings = TestPhone.http()
            settings.path = place.socket
            let port = try phone.port()
            settings.http?.port = port
            let other = TestPhone(settings)
            try other.start()
            let error = ControlError.address("127.0.0.1", port: port, why: "it is in use by another program")
            #expect(other.reports.take() == .notOpen(.http, error))
            #expect(try other.client().call("ping")["version"] == "1.2.3", "the socket is still open")
            try phone.close()
            #expect(other.reports.take() == .opened(.http))
            #expect(try other.port() == port)
            try other.close()
            try other.end()
        }
    }
}
