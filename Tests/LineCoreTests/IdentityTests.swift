import Base
import LineCore
import SIPCore
import Testing

@Suite("Caller, callee and own identity")
struct IdentityTests {
    private static let asserted = SIPHeaderName.pAssertedIdentity
    private static let party = SIPHeaderName("Remote-Party-ID")
    private static let privacy = SIPHeaderName("Privacy")
    private static let diversion = SIPHeaderName("Diversion")
    private static let history = SIPHeaderName("History-Info")

    private func caller(_ extra: [(SIPHeaderName, String)], isServer: Bool = true) throws -> Caller {
        var world = World.registered { $0.accepts = .anyone }
        let peer = isServer ? Stranger(World.serverEndpoint) : Stranger()
        world.receive(peer.request(.invite, body: Stranger.body, extra: extra).bytes, from: peer)
        return try #require(world.callerIdentity(0))
    }

    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let headers: [(SIPHeaderName, String)]
        let number: String
        let name: String?
    }

    private static let rows: [Row] = [
        .init(testDescription: "From alone", headers: [], number: "mallory", name: "Mallory"),
        .init(
            testDescription: "asserted before all",
            headers: [
                (asserted, "\"Anna\" <sip:1@x>"), (party, "\"Bert\" <sip:2@x>;party=calling"),
            ], number: "1", name: "Anna"),
        .init(
            testDescription: "the other form before From", headers: [(party, "\"Bert\" <sip:2@x>;screen=yes")],
            number: "2",
            name: "Bert"),
        .init(
            testDescription: "a header of the called party has no effect", headers: [(party, "<sip:2@x>;party=called")],
            number: "mallory", name: "Mallory"),
        .init(
            testDescription: "a name of another number is not the asserted one's", headers: [(asserted, "<sip:1@x>")],
            number: "1", name: nil),
        .init(
            testDescription: "the same number may bring its name", headers: [(asserted, "<sip:mallory@elsewhere>")],
            number: "mallory", name: "Mallory"),
        .init(
            testDescription: "the second identity names the same number",
            headers: [(asserted, "<sip:+49@x>, \"Anna\" <tel:+49>")], number: "+49", name: "Anna"),
        .init(
            testDescription: "privacy", headers: [(asserted, "\"Anna\" <sip:1@x>"), (privacy, "critical; id")],
            number: "anonymous", name: nil),
        .init(testDescription: "privacy of the user", headers: [(privacy, "user")], number: "anonymous", name: nil),
        .init(
            testDescription: "privacy of the session", headers: [(privacy, "session")], number: "mallory",
            name: "Mallory"),
        .init(
            testDescription: "anonymous From",
            headers: [
                (.from, "\"Anonymous\" <sip:anonymous@anonymous.invalid>;tag=f"), (asserted, "<sip:1@x>"),
            ], number: "anonymous", name: nil),
        .init(
            testDescription: "anonymous From that does not mind",
            headers: [
                (.from, "<sip:anonymous@anonymous.invalid>;tag=f"), (asserted, "<sip:1@x>"), (privacy, "none"),
            ], number: "1", name: nil),
        .init(
            testDescription: "privacy of the other form", headers: [(party, "\"B\" <sip:2@x>;privacy=full")],
            number: "anonymous", name: nil),
    ]

    @Test("the asserted number takes precedence, with its name", arguments: rows)
    func assertedNumberTakesPrecedenceWithItsName(_ row: Row) throws {
        let caller = try caller(row.headers)
        #expect(caller.number == row.number && caller.displayName == row.name)
        #expect(caller.isWithheld == (row.number == "anonymous"))
    }

    @Test("a stranger is trusted only in its wish for privacy")
    func strangerIsTrustedOnlyInItsWishForPrivacy() throws {
        let all = [
            (Self.asserted, "<sip:1@x>"), (Self.party, "<sip:2@x>"), (Self.diversion, "<sip:3@x>"),
            (SIPHeaderName("P-Called-Party-ID"), "<sip:4@x>"),
        ]
        let caller = try caller(all, isServer: false)
        #expect(caller.number == "mallory" && caller.divertedBy == nil && caller.called == "alice")
        #expect(try self.caller([(Self.privacy, "id")], isServer: false).isWithheld)
    }

    @Test(
        "Diversion names the forwarding party",
        arguments: [
            ([(diversion, "<sip:200@x>;reason=no-answer, <sip:100@x>;reason=unconditional")], "200"),
            ([(diversion, "<tel:+4930>;privacy=full")], nil), ([(diversion, "rubbish")], nil),
            (
                [(history, "<sip:200@x?Reason=SIP%3Bcause%3D302>;index=1, <sip:alice@x>;index=1.1")], "200"
            ),
            ([(history, "<sip:200@x>;index=1, <sip:alice@x;cause=480>;index=1.1;mp=1")], "200"),
            ([(history, "<sip:200@x?Privacy=history&Reason=SIP%3Bcause%3D302>;index=1, <sip:a@x>;index=1.1")], nil),
            ([(history, "<sip:alice@x>;index=1")], nil), ([(history, "<sip:alice@x;cause=302>;index=1")], nil),
            ([], nil),
        ] as [([(SIPHeaderName, String)], String?)])
    func diversionNamesForwardingParty(_ headers: [(SIPHeaderName, String)], _ number: String?) throws {
        #expect(try caller(headers).divertedBy == number)
    }

    @Test("the called number is reported")
    func calledNumberIsReported() throws {
        #expect(try caller([]).called == "alice")
        #expect(try caller([(SIPHeaderName("P-Called-Party-ID"), "<sip:+4930123@x>")]).called == "+4930123")
    }

    @Test(
        "Answer-Mode precedes Call-Info, and Call-Info precedes Alert-Info",
        arguments: [
            ([(.answerMode, "Manual"), (.callInfo, ";answer-after=0"), (.alertInfo, "info=auto-answer")], false),
            ([(.answerMode, "Auto"), (.callInfo, ";answer-after=5")], true),
            ([(.callInfo, ";answer-after=5"), (.alertInfo, "info=auto-answer")], false),
            ([(.callInfo, "<http://x>;purpose=icon"), (.alertInfo, "info=auto-answer")], true),
        ] as [([(SIPHeaderName, String)], Bool)])
    func answerModePrecedesCallInfoAndCallInfoPrecedesAlertInfo(_ headers: [(SIPHeaderName, String)], _ isWanted: Bool)
        throws
    {
        #expect(try caller(headers).wantsAutoAnswer == isWanted)
    }

    // MARK: Dialled calls

    /// The INVITE for a number.
    private func invite(
        _ target: String, showing presentation: CallPresentation = CallPresentation(),
        _ change: (inout LineConfiguration) -> Void
    ) throws -> SIPRequest {
        var world = World()
        world.server = TestServer()
        var configuration = RegistrationTests.account()
        configuration.displayName = "Alice"
        change(&configuration)
        world.add(configuration)
        world.run(.seconds(1))
        world.command(
            0,
            .dial(
                CallID(.phone, 1), target: target, account: .direct, MediaEndpoint(port: 4_000),
                presentation: presentation))
        world.run(.seconds(1))
        return try #require(world.server?.requests.last { $0.method == .invite })
    }

    @Test("a withheld number is shown to the server only")
    func withheldNumberIsShownToServerOnly() throws {
        let request = try invite("555") { $0.withholdsNumber = true }
        #expect(request.headers[.from]?.hasPrefix("\"Anonymous\" <sip:anonymous@anonymous.invalid>;tag=") == true)
        #expect(request.headers[Self.privacy] == "id")
        #expect(request.headers[SIPHeaderName("P-Preferred-Identity")] == "\"Alice\" <sip:alice@server.example>")
        #expect(request.headers[.contact]?.contains("alice") == false)
        let text = String(decoding: request.bytes, as: UTF8.self)
        // Apart from it, only the answer to the server's challenge identifies us.
        #expect(text.split(separator: "\r\n").count { $0.lowercased().contains("alice") } == 2)
    }

    /// Asterisk finds accounts by From, unless it is configured otherwise.
    @Test("a server that hides the number itself gets the true From")
    func serverThatHidesNumberItselfGetsTrueFrom() throws {
        let request = try invite("555") {
            $0.withholdsNumber = true
            $0.account?.hidesFrom = true
        }
        #expect(request.headers[.from]?.hasPrefix("\"Alice\" <sip:alice@server.example>;tag=") == true)
        #expect(request.headers[Self.privacy] == "id")
        #expect(request.headers[SIPHeaderName("P-Preferred-Identity")] == "\"Alice\" <sip:alice@server.example>")
        #expect(request.headers[.contact]?.contains("alice") == false)
        let shown = try invite("555") { $0.account?.hidesFrom = true }
        #expect(shown.headers[Self.privacy] == nil)
    }

    @Test("a prefix inverts it for one call and is not dialled")
    func prefixInvertsItForOneCallAndIsNotDialled() throws {
        let hidden = try invite("*67555") { $0.withholdingPrefix = "*67" }
        #expect(hidden.uri.sip?.user == "555" && hidden.headers[Self.privacy] == "id")
        let shown = try invite("*67555") {
            $0.withholdingPrefix = "*67"
            $0.withholdsNumber = true
        }
        #expect(shown.uri.sip?.user == "555" && shown.headers[Self.privacy] == nil)
        #expect(shown.headers[.from]?.hasPrefix("\"Alice\" <sip:alice@server.example>") == true)
        #expect(try invite("*67") { $0.withholdingPrefix = "*67" }.uri.sip?.user == "*67")
        #expect(try invite("*67555") { _ in }.uri.sip?.user == "*67555")
    }

    @Test("a call may show another name and number and have extra headers")
    func callMayShowAnotherNameAndNumberAndHaveExtraHeaders() throws {
        let shown = CallPresentation(
            callerName: "Front \"desk\"", callerNumber: "+49 30",
            headers: [CallHeader("X-Ticket", "7; a"), CallHeader("X-Queue", "")].compactMap(\.self))
        let usual = try URI("sip:+4930123@server.example")
        let request = try invite("555", showing: shown) { $0.preferredIdentity = usual }
        // The server knows the account by its From.
        #expect(request.headers[.from]?.hasPrefix("\"Front \\\"desk\\\"\" <sip:alice@server.example>") == true)
        #expect(
            request.headers[SIPHeaderName("P-Preferred-Identity")]
                == "\"Front \\\"desk\\\"\" <sip:+49%2030@server.example>")
        #expect(request.headers[SIPHeaderName("X-Ticket")] == "7; a" && request.headers[SIPHeaderName("X-Queue")] == "")
        let hidden = try invite("555", showing: shown) { $0.withholdsNumber = true }
        #expect(hidden.headers[.from]?.hasPrefix("\"Anonymous\" <sip:anonymous@anonymous.invalid>;tag=") == true)
        var world = World()
        world.add(Calls.direct("alice"))
        let media = MediaEndpoint(port: 4_000)
        world.command(
            0, .dial(CallID(.phone, 1), target: "sip:bob@203.0.113.9", account: .direct, media, presentation: shown))
        world.run(.milliseconds(100))
        let text = String(decoding: try #require(world.caught.first).bytes, as: UTF8.self)
        #expect(text.contains("From: \"Front \\\"desk\\\"\" <sip:+49%2030@"))
    }

    @Test("P-Preferred-Identity is sent to the own server only")
    func pPreferredIdentityIsSentToOwnServerOnly() throws {
        let identity = try URI("sip:+4930123@server.example")
        let request = try invite("555") { $0.preferredIdentity = identity }
        #expect(request.headers[SIPHeaderName("P-Preferred-Identity")] == "<sip:+4930123@server.example>")
        #expect(request.headers[Self.privacy] == nil)
        var world = World()
        var direct = Calls.direct("alice")
        (direct.preferredIdentity, direct.withholdsNumber) = (identity, true)
        world.add(direct)
        world.command(
            0, .dial(CallID(.phone, 1), target: "sip:bob@203.0.113.9", account: .direct, MediaEndpoint(port: 4_000)))
        world.run(.milliseconds(100))
        let text = String(decoding: try #require(world.caught.first).bytes, as: UTF8.self)
        #expect(text.contains("Privacy: id") && !text.contains("alice") && !text.contains("4930123"))
    }
}
