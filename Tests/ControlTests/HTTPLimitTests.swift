import Control
import JSON
import NIOCore
import PhoneCore
import Testing

/// The limits of one client over HTTP, and the phone's reaction beyond them.
@Suite struct HTTPLimitTests {
    /// A header that fills a request's headers up to a little less than `bytes`, or beyond.
    private func padding(_ bytes: Int) -> [String] { ["X-Padding: " + String(repeating: "a", count: bytes)] }

    @Test func longestBodyIsAcceptedAndOneByteMoreIsNot() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            for excess in [0, 1] {
                let browser = try phone.browser()
                browser.rpc(String(repeating: " ", count: 65_536 - HTTPTests.ping.utf8.count + excess) + HTTPTests.ping)
                let answer = try #require(try browser.answer())
                #expect(answer.status == (excess == 0 ? 200 : 413))
                #expect((answer.headers["connection"] == "close") == (excess == 1))
            }
        }
    }

    @Test func chunkedBodyHasSameLimit() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let browser = try phone.browser()
            browser.request(
                "POST", "/rpc", scope: .call, ["Content-Type: application/json", "Transfer-Encoding: chunked"])
            let chunk = String(repeating: " ", count: 4_096)
            for _ in 0..<17 { browser.send("1000\r\n\(chunk)\r\n") }
            #expect(try browser.answer()?.status == 413)
        }
    }

    @Test func expectContinueIsAnswered() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let browser = try phone.browser()
            browser.request(
                "POST", "/rpc", scope: .call,
                [
                    "Content-Type: application/json", "Expect: 100-continue",
                    "Content-Length: \(HTTPTests.ping.utf8.count)",
                ])
            #expect(try browser.answer()?.status == 100)
            browser.send(HTTPTests.ping)
            #expect(try browser.answer()?.json?["result"]?["version"] == "1.2.3")
        }
    }

    @Test func headersAreLimited() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let many = (0..<70).map { "X-\($0): a" }
            let target = "/?" + String(repeating: "a", count: 20_000)
            for (target, headers, status) in [
                ("/", padding(15_000), 200), ("/", padding(17_000), 431), ("/", padding(5_000_000), 431),
                ("/", many, 431), (target, [], 431),
            ] {
                let browser = try phone.browser()
                browser.request("GET", target, headers)
                #expect(try browser.answer()?.status == status, "\(target.count) \(headers.count)")
            }
        }
    }

    @Test func fiveHundredConnectionsAreServedAndIdlestMakesRoom() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let stream = try phone.browser()
            stream.request("GET", "/events", scope: .observe)
            #expect(try stream.answer(hasBody: false)?.status == 200)
            _ = try stream.frame()
            let browsers = try (0..<499).map { _ in try phone.browser() }
            for browser in browsers {
                browser.rpc(HTTPTests.ping)
                #expect(try browser.answer()?.status == 200)
            }
            let late = try phone.browser()
            late.rpc(HTTPTests.ping)
            #expect(try late.answer()?.status == 200)
            #expect(try browsers[0].answer() == nil, "it did nothing for the longest time")
            browsers[1].rpc(HTTPTests.ping)
            #expect(try browsers[1].answer()?.status == 200)
            try phone.perform(.notice(.muteChanged(true)))
            #expect(try stream.frame()?["event"] == "muteStateChanged", "a stream stays")
            let http = try phone.onLoop { $0.statistics.http }
            #expect(http.connections == 500 && http.displaced == 1 && http.connectionsRefused == 0)
        }
    }

    @Test func busyConnectionsMakeNoRoom() throws {
        try TestPhone.run(TestPhone.http { $0.maximumConnections = 2 }) { phone in
            let streams = try (0..<2).map { _ in try phone.browser() }
            for stream in streams {
                stream.request("GET", "/events", scope: .observe)
                #expect(try stream.answer(hasBody: false)?.status == 200)
            }
            let late = try phone.browser()
            late.request("GET", "/")
            #expect(try late.answer() == nil)
            #expect(phone.reports.take() == .tooManyConnections)
        }
    }

    @Test func silentConnectionIsClosed() throws {
        try TestPhone.run(TestPhone.http { $0.idleTime = .milliseconds(50) }) { phone in
            let (silent, used) = (try phone.browser(), try phone.browser())
            used.rpc(HTTPTests.ping)
            #expect(try used.answer()?.status == 200)
            #expect(try silent.answer() == nil && used.answer() == nil)
            #expect(try phone.onLoop { $0.statistics.http.timedOut } == 2)
        }
    }

    /// A client that sends a byte now and then is never silent.
    @Test(arguments: ["GET / HTTP/1.1\r\nHo", "POST /rpc HTTP/1.1\r\nHost: localhost\r\n"])
    func endlessRequestIsClosed(_ beginning: String) throws {
        try TestPhone.run(TestPhone.http { $0.requestTime = .milliseconds(100) }) { phone in
            let browser = try phone.browser()
            browser.send(beginning)
            while try phone.onLoop({ $0.statistics.http.timedOut }) == 0 { browser.send("x") }
            #expect(try browser.answer() == nil)
        }
    }

    @Test func endlessBodyIsClosed() throws {
        try TestPhone.run(TestPhone.http { $0.requestTime = .milliseconds(100) }) { phone in
            let browser = try phone.browser()
            browser.request("POST", "/rpc", scope: .call, ["Content-Type: application/json", "Content-Length: 60000"])
            #expect(try browser.answer() == nil)
            #expect(try phone.onLoop { $0.statistics.http.timedOut } == 1)
        }
    }

    @Test func onlyUnreadStreamIsDropped() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let (slow, quick) = (try phone.browser(), try phone.browser())
            for browser in [slow, quick] {
                browser.request("GET", "/events", scope: .observe)
                #expect(try browser.answer(hasBody: false)?.status == 200)
                _ = try browser.frame()
            }
            let ballast = JSONValue.string(String(repeating: "x", count: 60_000))
            var published = 0
            while try phone.onLoop({ $0.statistics.slowReadersDropped }) == 0, published < 5_000 {
                try phone.onLoop { $0.publish(.line, ["text": ballast]) }
                #expect(try quick.frame()?["event"] == "line")
                published += 1
            }
            #expect(try phone.comesTrue { $0.http.connections == 1 })
            #expect(phone.reports.take() == .slowReaderDropped)
        }
    }

    /// Endless requests with unread answers: the phone stops reading them, or drops the client.
    @Test func unreadAnswersDoNotPileUp() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let (greedy, other) = (try phone.browser(), try phone.browser())
            let body = #"{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}"#
            let request =
                "POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Authorization: Bearer \(TestToken.text(.observe))\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
                + body
            let all = Array(String(repeating: request, count: 50_000).utf8)
            #expect(greedy.sendWhatIsTaken(of: all) < all.count, "they were all read, or are all kept")
            other.rpc(HTTPTests.ping)
            #expect(try other.answer()?.status == 200)
        }
    }

    /// 1,000 clients that connect, ask, listen, and leave at any point: afterwards nothing of them is left.
    @Test func clientsThatLeaveFreeEverything() throws {
        try TestPhone.run(TestPhone.http(), manner: .waits) { phone in
            var generator = SystemRandomNumberGenerator()
            var open: [RawSocket] = []
            for _ in 0..<1_000 {
                let browser = try phone.browser()
                switch Int.random(in: 0..<5, using: &generator) {
                case 0: browser.request("GET", "/events", scope: .observe)
                case 1: browser.rpc(#"{"jsonrpc":"2.0","id":1,"method":"answer"}"#, scope: .call)
                case 2: browser.rpc(#"{"jsonrpc":"2.0","id":1,"method":"getSignals","params":{"wait":true}}"#)
                case 3: browser.send("POST /rpc HT")
                default: browser.request("GET", "/")
                }
                open.append(browser)
                if open.count > 50 { open.remove(at: Int.random(in: 0..<open.count, using: &generator)) }
                if Bool.random(using: &generator) { try phone.perform(.notice(.muteChanged(true))) }
            }
            open = []
            // It is accepted after all others.
            try {
                let last = try phone.browser()
                last.rpc(HTTPTests.ping)
                #expect(try last.answer()?.status == 200)
            }()
            let isEmpty = try phone.comesTrue { $0.http.connections == 0 && $0.requestsInFlight == 0 }
            #expect(isEmpty)
            // A connection that closed before it was accepted does not count.
            #expect(try phone.onLoop { $0.statistics.http.accepted } > 500)
        }
    }
}
