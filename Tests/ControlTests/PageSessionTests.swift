import Base
import Control
import JSON
import PhoneCore
import Testing

/// A page that is loaded again continues its session, and nobody else does.
@Suite struct PageSessionTests {
    /// What a browser and its page keep.
    private struct Kept {
        let cookie: String
        let proof: String
        /// The whole header.
        let setting: String
    }

    private static let origin = "Origin: http://localhost"

    private static func begin(
        _ phone: TestPhone, _ scope: AccessScope = .call, _ more: [String] = [], origin: String = origin
    ) throws -> Kept {
        let browser = try phone.browser()
        browser.request("POST", "/session", scope: scope, [origin] + more)
        let answer = try #require(try browser.answer())
        #expect(answer.status == 200 && answer.headers["cache-control"] == "no-store")
        let setting = try #require(answer.headers["set-cookie"])
        return Kept(
            cookie: String(setting.prefix { $0 != ";" }), proof: try #require(answer.json?["proof"]?.string),
            setting: setting)
    }

    private static func ask(
        _ phone: TestPhone, cookie: String?, proof: String?, _ headers: [String] = [origin],
        body: String = HTTPTests.ping
    ) throws -> WebAnswer? {
        let browser = try phone.browser()
        let secrets = [cookie.map { "Cookie: other=1; \($0)" }, proof.map { "Offhook-Page: \($0)" }]
        browser.request(
            "POST", "/rpc", ["Content-Type: application/json"] + headers + secrets.compactMap(\.self), body: body)
        return try browser.answer()
    }

    @Test func reloadedPageNeedsNoToken() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let kept = try Self.begin(phone)
            #expect(try Self.ask(phone, cookie: kept.cookie, proof: kept.proof)?.status == 200)
            let stream = try phone.browser()
            stream.request("GET", "/events", ["Cookie: \(kept.cookie)", "Offhook-Page: \(kept.proof)"])
            #expect(try stream.answer(hasBody: false)?.status == 200)
            #expect(try stream.frame()?["event"] == "clientReady")
        }
    }

    @Test func sessionHasScopeOfItsToken() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let kept = try Self.begin(phone, .observe)
            let answer = try Self.ask(
                phone, cookie: kept.cookie, proof: kept.proof, body: #"{"jsonrpc":"2.0","id":1,"method":"hangup"}"#)
            #expect(answer?.json?["error"]?["data"]?["code"] == "scopeTooSmall")
        }
    }

    @Test func cookieIsOutOfReachOfScriptsAndOtherSites() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let kept = try Self.begin(phone)
            let attributes = kept.setting.split(separator: ";").dropFirst().map { String($0.drop { $0 == " " }) }
            #expect(attributes == ["Path=/", "Max-Age=604800", "HttpOnly", "SameSite=Strict"])
            #expect(!kept.setting.contains(kept.proof) && !kept.setting.contains(TestToken.text(.call)))
            let proxied = try Self.begin(phone, origin: "Origin: https://localhost")
            #expect(proxied.setting.hasSuffix("; Secure"), "a proxy speaks TLS with the browser")
        }
    }

    /// Programs at other ports of the host get the cookie, and a script of the page may read the proof.
    @Test func neitherSecretIsWorthAnythingAlone() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let (one, other) = (try Self.begin(phone), try Self.begin(phone))
            #expect(one.cookie != other.cookie && one.proof != other.proof)
            let name = String(one.cookie.prefix { $0 != "=" })
            let stranger = String(other.cookie.drop { $0 != "=" })
            for (cookie, proof) in [
                (one.cookie, nil), (nil, one.proof), (one.cookie, other.proof), (name + stranger, one.proof),
                (name + "=", one.proof), (one.cookie, ""), (one.cookie, String(repeating: "a", count: 4_000)),
            ] {
                #expect(try Self.ask(phone, cookie: cookie, proof: proof)?.status == 401, "\(cookie ?? "none")")
            }
            #expect(try Self.ask(phone, cookie: one.cookie, proof: one.proof)?.status == 200)
            #expect(try phone.onLoop { $0.statistics.http.wrongTokens } == 0, "no stale session locks a person out")
        }
    }

    /// Another port of the host is the same site, so browsers send the cookie from there, too.
    @Test func pageOfAnotherOriginCannotUseSession() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let kept = try Self.begin(phone)
            for headers in [
                [], ["Origin: http://localhost:1"], ["Origin: null"], ["Origin: http://evil.example"],
                [Self.origin, "Sec-Fetch-Site: same-site"], [Self.origin, "Sec-Fetch-Site: cross-site"],
            ] {
                let answer = try Self.ask(phone, cookie: kept.cookie, proof: kept.proof, headers)
                #expect(answer?.status == 403, "\(headers)")
            }
            let stream = try phone.browser()
            stream.request(
                "GET", "/events",
                ["Cookie: \(kept.cookie)", "Offhook-Page: \(kept.proof)", "Sec-Fetch-Site: same-site"])
            #expect(try stream.answer()?.status == 403)
        }
    }

    /// DNS rebinding: the name of a hostile page points to this phone.
    @Test func sessionOpensNothingUnderAnotherName() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let kept = try Self.begin(phone)
            let browser = try phone.browser()
            browser.send(
                "GET /events HTTP/1.1\r\nHost: evil.example\r\nCookie: \(kept.cookie)\r\n"
                    + "Offhook-Page: \(kept.proof)\r\n\r\n")
            #expect(try browser.answer()?.status == 421)
        }
    }

    @Test func onlyPageWithTokenBeginsSession() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let kept = try Self.begin(phone)
            for (headers, status) in [
                ([Self.origin], 401), ([Self.origin, "Authorization: Bearer wrong"], 401),
                ([Self.origin, "Cookie: \(kept.cookie)", "Offhook-Page: \(kept.proof)"], 401),
                (["Authorization: Bearer \(TestToken.text(.call))"], 403),
                (["Authorization: Bearer \(TestToken.text(.call))", "Origin: http://evil.example"], 403),
            ] {
                let browser = try phone.browser()
                browser.request("POST", "/session", headers)
                let answer = try #require(try browser.answer())
                #expect(answer.status == status && answer.headers["set-cookie"] == nil, "\(headers)")
            }
        }
    }

    /// Fixation: a cookie that somebody put into the browser before the sign-in never becomes a session.
    @Test func foreignCookieDoesNotBecomeSession() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let kept = try Self.begin(phone)
            let name = String(kept.cookie.prefix { $0 != "=" })
            let planted = ["Cookie: \(name)=planted", "Offhook-Page: \(kept.proof)"]
            let next = try Self.begin(phone, .call, planted)
            #expect(next.proof != kept.proof && !next.cookie.contains("planted"))
            #expect(try Self.ask(phone, cookie: name + "=planted", proof: kept.proof)?.status == 401)
            #expect(try Self.ask(phone, cookie: next.cookie, proof: next.proof)?.status == 200)
        }
    }

    /// Two tabs that share a session both go on. Another token replaces it.
    @Test func pageKeepsItsSessionUntilAnotherTokenSignsIn() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let kept = try Self.begin(phone)
            let secrets = ["Cookie: \(kept.cookie)", "Offhook-Page: \(kept.proof)"]
            let browser = try phone.browser()
            browser.request("POST", "/session", scope: .call, [Self.origin] + secrets)
            let same = try #require(try browser.answer())
            #expect(same.status == 204 && same.headers["set-cookie"] == nil)
            _ = try Self.begin(phone, .observe, secrets)
            #expect(try Self.ask(phone, cookie: kept.cookie, proof: kept.proof)?.status == 401)
        }
    }

    @Test func removedTokenEndsSessionAndItsStream() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let (kept, other) = (try Self.begin(phone), try Self.begin(phone, .observe))
            let stream = try phone.browser()
            stream.request("GET", "/events", ["Cookie: \(kept.cookie)", "Offhook-Page: \(kept.proof)"])
            #expect(try stream.answer(hasBody: false)?.status == 200)
            #expect(try stream.frame()?["event"] == "clientReady")
            try phone.onLoop { $0.answer(ActionID(.control, 9_999), .tokens([TestToken.known(.observe)], added: nil)) }
            #expect(try stream.frame() == nil)
            let stolen = try #require(try Self.ask(phone, cookie: kept.cookie, proof: kept.proof))
            #expect(stolen.status == 401)
            #expect(stolen.headers["set-cookie"]?.contains("=; Path=/; Max-Age=0;") == true, "the browser forgets it")
            #expect(try Self.ask(phone, cookie: other.cookie, proof: other.proof)?.status == 200)
            // The token comes back, and the session does not.
            try phone.onLoop { $0.answer(ActionID(.control, 9_999), TestToken.all) }
            #expect(try Self.ask(phone, cookie: kept.cookie, proof: kept.proof)?.status == 401)
        }
    }

    @Test func sessionsAreBoundedInNumberAndTime() throws {
        var sessions = PageSessions()
        let (start, token) = (Instant(nanoseconds: 0), TestToken.known(.call))
        let first = sessions.begin(for: token, at: start)
        let other = sessions.begin(for: TestToken.known(.observe), at: start)
        for _ in 0..<PageSessions.limit { _ = sessions.begin(for: token, at: start + .seconds(1)) }
        #expect(sessions.count == PageSessions.limit + 1, "the oldest of the same token has ended")
        #expect(sessions.bearer(cookie: first.cookie, proof: first.proof, at: start) == nil)
        let last = start + PageSessions.life
        #expect(sessions.bearer(cookie: other.cookie, proof: other.proof, at: last - .seconds(1))?.label == "observe")
        #expect(sessions.bearer(cookie: other.cookie, proof: other.proof, at: last) == nil)
        _ = sessions.begin(for: token, at: last + .seconds(2))
        #expect(sessions.count == 1, "ended sessions take no room")
    }

    /// Five wrong tokens delay only tokens.
    @Test func guessesOfOthersDoNotEndSession() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let kept = try Self.begin(phone)
            for _ in 0..<GuessGuard.freeGuesses {
                let browser = try phone.browser()
                browser.request("GET", "/metrics", ["Authorization: Bearer wrong"])
                #expect(try browser.answer()?.status == 401)
            }
            #expect(try Self.ask(phone, cookie: kept.cookie, proof: kept.proof)?.status == 200)
        }
    }
}
