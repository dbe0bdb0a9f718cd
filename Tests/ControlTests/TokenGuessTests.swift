import Base
import Control
import PhoneCore
import Testing

/// A client that guesses tokens over HTTP is slowed down, and locks out no valid client.
@Suite struct TokenGuessTests {
    private static func ask(_ token: String, of phone: TestPhone) throws -> WebAnswer? {
        let browser = try phone.browser()
        browser.request("GET", "/metrics", ["Authorization: Bearer \(token)"])
        return try browser.answer()
    }

    /// Makes the address of this machine wait.
    private static func guess(_ phone: TestPhone) throws {
        for _ in 0..<GuessGuard.freeGuesses { #expect(try ask("wrong", of: phone)?.status == 401) }
    }

    @Test func pausedAddressTriesNoToken() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            try Self.guess(phone)
            for token in ["wrong", TestToken.text(.observe), TestToken.text(.configure)] {
                let refused = try #require(try Self.ask(token, of: phone))
                #expect(refused.status == 429 && refused.headers["retry-after"] == "1", "right or wrong: \(token)")
            }
            #expect(try phone.onLoop { $0.statistics.http.wrongTokens } == GuessGuard.freeGuesses)
            var slowed = 0
            while let report = phone.reports.take(), slowed == 0 {
                if report == .guesserSlowed("127.0.0.1") { slowed += 1 }
            }
            #expect(slowed == 1)
        }
    }

    @Test func validClientIsUnaffectedByGuessing() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let (page, stream) = (try phone.browser(), try phone.browser())
            page.rpc(HTTPTests.ping, scope: .call)
            #expect(try page.answer()?.status == 200)
            stream.request("GET", "/events", scope: .call)
            #expect(try stream.answer(hasBody: false)?.status == 200)
            try Self.guess(phone)
            #expect(try Self.ask("wrong", of: phone)?.status == 429)
            page.rpc(HTTPTests.ping, scope: .call)
            #expect(try page.answer()?.status == 200, "on its connection")
            #expect(try Self.ask(TestToken.text(.call), of: phone)?.status == 200, "and on another one")
            #expect(try Self.ask(TestToken.text(.configure), of: phone)?.status == 429, "this one was never here")
            try phone.perform(.notice(.muteChanged(true)))
            #expect(try stream.frame()?["event"] == "clientReady")
            #expect(try stream.frame()?["event"] == "muteStateChanged")
        }
    }

    @Test func removedTokenIsUnknown() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            #expect(try Self.ask(TestToken.text(.call), of: phone)?.status == 200)
            for tokens in [[TestToken.known(.observe)], AccessScope.allCases.map(TestToken.known)] {
                try phone.onLoop { $0.answer(ActionID(.control, 9_999), .tokens(tokens, added: nil)) }
            }
            try Self.guess(phone)
            #expect(try Self.ask(TestToken.text(.call), of: phone)?.status == 429)
        }
    }

    @Test func tokenRemembersNewestAddressesOnly() {
        var used = UsedTokens()
        let (one, two): ([UInt8], [UInt8]) = ([1], [2])
        used.note(two, from: [9])
        for number in 0..<1_000 {
            used.note(one, from: [0])
            used.note(one, from: [UInt8(number >> 8), UInt8(number & 255)])
        }
        #expect(used.count == UsedTokens.addressLimit + 1)
        #expect(
            used.includes(one, from: [0]) && used.includes(one, from: [3, 231]) && !used.includes(one, from: [0, 1]))
        #expect(used.includes(two, from: [9]), "no token makes another one's forgotten")
        used.keep { $0 == two }
        #expect(used.count == 1)
    }
}
