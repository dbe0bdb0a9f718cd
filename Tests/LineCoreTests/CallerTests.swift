import Base
import LineCore
import SIPCore
import Testing

@Suite("Caller information in headers")
struct CallerTests {
    /// The caller of an INVITE with these headers, from the own server or a stranger.
    private func caller(
        _ extra: [(SIPHeaderName, String)], isServer: Bool = true, callNames: [SIPHeaderName]? = nil
    ) throws -> Caller {
        var world = World.registered { configuration in
            configuration.accepts = .anyone
            if let callNames { configuration.callNames = callNames }
        }
        let peer = isServer ? Stranger(World.serverEndpoint) : Stranger()
        world.receive(peer.request(.invite, body: Stranger.body, extra: extra).bytes, from: peer)
        return try #require(world.callerIdentity(0))
    }

    @Test(
        "Alert-Info selects the ring",
        arguments: [
            ("<http://server/rings/Bellcore-dr2>", "bellcore-dr2"), ("<Bellcore-dr2>", "bellcore-dr2"),
            ("Bellcore-dr3", "bellcore-dr3"), ("<http://www.notused.com>;info=external", "external"),
            ("<http://x/a>;delay=0;info=\"Door Bell\"", "door bell"), ("info=external", "external"),
            (";info=external", "external"), ("<urn:alert:source:internal>", "urn:alert:source:internal"),
            ("<http://server/ring.wav?x=/y>", "ring.wav"), ("<http://server>", nil), ("<http://server/>", nil),
            ("<>", nil), ("<", nil), ("", nil), ("<http://x/a>;info=", nil), ("\u{1}\u{2}", nil),
            ("info=auto-answer, <Bellcore-dr4>", "bellcore-dr4"),
            ("<" + String(repeating: "r", count: 500) + ">", String(repeating: "r", count: 64)),
        ] as [(String, String?)])
    func alertInfoSelectsRing(_ written: String, _ ring: String?) throws {
        #expect(try caller([(.alertInfo, written)]).ring == ring)
        #expect(try caller([(.alertInfo, written)], isServer: false).ring == nil)
    }

    @Test(
        "a header requests an automatic answer",
        arguments: [
            (.alertInfo, "<http://x>;info=alert-autoanswer", true), (.alertInfo, "info=Auto-Answer;delay=0", true),
            (.alertInfo, "Ring Answer", true), (.alertInfo, "Auto Answer", true), (.alertInfo, "Intercom", true),
            (.alertInfo, "<intercom>", true), (.alertInfo, "<http://x>;info=RingAnswer", true),
            (SIPHeaderName("P-Auto-Answer"), "normal", true), (SIPHeaderName("P-Auto-Answer"), "none", false),
            (.alertInfo, "<http://x/answer>", false), (.alertInfo, "Ring", false),
            (.alertInfo, "<http://x>;info=external", false), (.callInfo, "<sip:server>;answer-after=0", true),
            (.callInfo, ";answer-after=0", true), (.callInfo, "answer-after=0", true),
            (.callInfo, "<http://x/p.png>;purpose=icon, <sip:s>;answer-after=0", true),
            (.callInfo, "<sip:s>;answer-after=2", false), (.callInfo, "<sip:s>;answer-after", false),
            (.callInfo, "<sip:s>;answer-after=-1", false), (.callInfo, "<sip:s;answer-after=0", false),
            (.answerMode, "Auto", true), (.answerMode, "auto;require", true), (.answerMode, "Manual", false),
            (.answerMode, "Automatic", false), (.answerMode, "", false),
        ] as [(SIPHeaderName, String, Bool)])
    func headerRequestsAutomaticAnswer(_ name: SIPHeaderName, _ written: String, _ wanted: Bool) throws {
        #expect(try caller([(name, written)]).wantsAutoAnswer == wanted)
        #expect(try !caller([(name, written)], isServer: false).wantsAutoAnswer)
    }

    @Test(
        "the verification of the number is found in every place",
        arguments: [
            ("<sip:+1555;verstat=TN-Validation-Passed@server.example;user=phone>", .passed),
            ("<sip:+1555@server.example;verstat=TN-Validation-Failed>", .failed),
            ("<sip:+1555@server.example>;verstat=No-TN-Validation", CallerVerification.none),
            ("<tel:+1555;verstat=TN-Validation-Passed-B>", .passed),
            ("<tel:+1555;VERSTAT=tn-validation-failed-a>", .failed), ("<tel:+1555;verstat=TN-Validation-Passedx>", nil),
            ("<tel:+1555;verstat>", nil), ("<sip:+1555;verstat@server.example>", nil), ("<tel:+1555>", nil),
        ] as [(String, CallerVerification?)])
    func verificationOfNumberIsFoundInEveryPlace(_ identity: String, _ verification: CallerVerification?) throws {
        for header in [SIPHeaderName.pAssertedIdentity, .from] {
            let value = header == .from ? identity + ";tag=f" : identity
            let caller = try caller([(header, value)])
            #expect(caller.verification == verification)
            #expect(caller.number == "+1555")
        }
        #expect(try caller([(.from, identity + ";tag=f")], isServer: false).verification == nil)
    }

    @Test("a name may have a semicolon; only a number has parameters")
    func nameMayHaveSemicolonOnlyNumberHasParameters() throws {
        #expect(try caller([(.from, "<sip:alice;day=tuesday@x.example>;tag=f")]).number == "alice;day=tuesday")
        #expect(try caller([(.from, "<sip:1234;phone-context=x@x.example>;tag=f")]).number == "1234")
    }

    @Test("a backend's IDs of the call are read")
    func backendIDsOfCallAreRead() throws {
        let telnyx: [(SIPHeaderName, String)] = [
            (SIPHeaderName("X-Telnyx-Session-ID"), "s-1"), (SIPHeaderName("x-telnyx-call-control-id"), "v3:abc_-="),
            (.callID, "the-call"),
        ]
        #expect(try caller(telnyx).ids == ["v3:abc_-=", "s-1"])
        #expect(try caller(telnyx, isServer: false).ids == [])
        let own = SIPHeaderName("X-Own")
        #expect(try caller(telnyx + [(own, "mine")], callNames: [.callID, SIPHeaderName("i"), own]).ids == ["mine"])
    }

    @Test("IDs that are too long, broken, repeated or too many are dropped")
    func iDsThatAreTooLongBrokenRepeatedOrTooManyAreDropped() throws {
        let names = (0..<8).map { SIPHeaderName("X-\($0)") }
        let values = [
            "", String(repeating: "x", count: 129), "a\u{7}b", "same", "same", String(repeating: "y", count: 128), "c",
            "d",
        ]
        let ids = try caller(Array(zip(names, values)), callNames: names).ids
        #expect(ids == ["same", String(repeating: "y", count: 128), "c", "d"])
        let many = try caller(names.map { ($0, $0.text) }, callNames: names).ids
        #expect(many.count == Caller.idCount)
    }

    @Test("the arrival time is reported, and a plain call has no extras")
    func arrivalTimeIsReportedAndPlainCallHasNoExtras() throws {
        let caller = try caller([])
        #expect(caller.ids.isEmpty && caller.ring == nil && !caller.wantsAutoAnswer && caller.verification == nil)
        let arrived = try #require(caller.arrived)
        #expect(arrived > .zero + .seconds(1) && arrived < .zero + .seconds(1.1))
    }
}
