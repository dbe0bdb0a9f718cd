import Base
import LineCore
import SIPCore
import Testing

/// Subscriptions to numbers at an account's server. The server is the test: it responds to each request.
@Suite("Watched numbers")
struct SubscriptionTests {
    private static func document(
        _ entries: String, version: Int = 0, state: String = "full", before: String = "<?xml version=\"1.0\"?>\r\n"
    ) -> String {
        before + "<dialog-info xmlns=\"urn:ietf:params:xml:ns:dialog-info\" version=\"\(version)\" state=\"\(state)\" "
            + "entity=\"sip:200@server.example\">\(entries)</dialog-info>"
    }

    private static func entry(_ state: String, id: String = "d1", extra: String = "", inside: String = "") -> String {
        "<dialog id=\"\(id)\" \(extra)><state>\(state)</state>\(inside)</dialog>"
    }

    private static let held = rendering("pval")

    private static func rendering(_ attribute: String, _ value: String = "no") -> String {
        "<local><target uri=\"sip:200@192.0.2.7\"><param pname=\"+sip.rendering\" \(attribute)=\"\(value)\"/></target></local>"
    }

    // MARK: The subscription

    @Test("a subscription is requested after registration with credentials, renewed in time, and ended")
    func subscriptionIsRequestedAfterRegistrationWithCredentials() throws {
        var desk = Desk()
        let first = try #require(desk.subscribes.last)
        #expect(desk.subscribes.count == 2, "the first one is challenged")
        #expect(first.headers.contains(.proxyAuthorization))
        #expect(first.headers[.event] == "dialog" && first.headers[.accept] == "application/dialog-info+xml")
        #expect(first.uri.text == "sip:200@server.example")
        desk.notify(Self.document(Self.entry("confirmed")))
        #expect(desk.states == [.busy])
        #expect(desk.answers.last == 200)
        desk.world.run(.seconds(550))
        let renewed = try #require(desk.subscribes.last)
        #expect(desk.subscribes.count >= 3 && renewed.headers[.callID] == first.headers[.callID])
        #expect(try renewed.headers.to.tag != nil && renewed.headers.cSeq.number > first.headers.cSeq.number)
        desk.world.command(0, .shutDown)
        desk.world.run(.seconds(3))
        #expect(desk.subscribes.last?.headers[.expires] == "0")
        #expect(desk.states == [.busy, .unknown])
        #expect(desk.world.outputs(0).contains(.finished))
    }

    @Test(
        "the reason of termination decides whether it is requested again",
        arguments: [
            ("terminated;reason=deactivated", true), ("terminated;reason=timeout", true), ("terminated", true),
            ("terminated;reason=probation;retry-after=30", true), ("terminated;reason=rejected", false),
            ("terminated;reason=noresource", false), ("terminated;reason=invariant", false),
        ])
    func reasonOfTerminationDecidesWhetherItIsRequestedAgain(state: String, isBegunAgain: Bool) throws {
        var desk = Desk()
        desk.notify(Self.document(""), sequence: 1)
        let (before, callID) = (desk.subscribes.count, desk.subscribes.last?.headers[.callID])
        desk.notify("", state: state, sequence: 2)
        #expect(desk.states == [.idle, .unknown])
        desk.world.run(.seconds(3_600))
        #expect((desk.subscribes.count > before) == isBegunAgain)
        if isBegunAgain { #expect(desk.subscribes.last?.headers[.callID] != callID) }
    }

    @Test("a forgotten subscription is renewed at once, an unanswered one after growing pauses")
    func forgottenSubscriptionIsRenewedAtOnce() throws {
        var desk = Desk()
        desk.notify(Self.document(""), sequence: 1)
        desk.world.server?.refusal = 481
        let before = desk.subscribes.count
        desk.world.run(.seconds(545))
        desk.world.server?.refusal = nil
        desk.world.run(.seconds(5))
        #expect(desk.subscribes.count > before + 1, "the refusal, and another dialog")
        var silent = Desk()
        // Nothing is reported, not even again.
        silent.world.run(.seconds(60))
        let attempts = silent.subscribes.count
        silent.world.run(.seconds(600))
        #expect((1...30).contains(silent.subscribes.count - attempts))
        #expect(silent.states.isEmpty)
    }

    @Test("an unsupported subscription waits for the next registration", arguments: [489, 403, 501])
    func unsupportedSubscriptionWaitsForNextRegistration(status: Int) {
        var desk = Desk(refusal: status)
        desk.world.run(.seconds(2_000))
        #expect(desk.subscribes.count == 1)
        desk.world.command(0, .reconnect(.direct))
        desk.world.run(.seconds(2))
        #expect(desk.subscribes.count == 2)
    }

    @Test("a stranger, a foreign dialog and an old NOTIFY change no lamp")
    func strangerForeignDialogAndOldNOTIFYChangeNoLamp() throws {
        var desk = Desk()
        desk.notify(Self.document(Self.entry("early")), sequence: 5)
        desk.notify(Self.document(""), sequence: 4)
        #expect(desk.answers.last == 500)
        desk.notify(Self.document(""), sequence: 6, tag: "another")
        desk.notify(Self.document(""), sequence: 7, from: Stranger().endpoint)
        #expect(desk.world.caughtStatuses.last == 403)
        #expect(desk.states == [.ringing])
        desk.notify(Self.document(""), event: "presence", sequence: 8)
        #expect(desk.answers.last == 489)
        desk.notify(Self.document(""), type: "text/html", sequence: 9)
        #expect(desk.answers.last == 415)
        #expect(desk.states == [.ringing])
    }

    @Test("message counts are requested if configured")
    func messageCountsAreRequestedIfConfigured() throws {
        var desk = Desk(watches: [.messages])
        #expect(desk.subscribes.last?.headers[.event] == "message-summary")
        desk.notify(
            "Messages-Waiting: yes\r\nVoice-Message: 3/0\r\n", event: "message-summary",
            type: "application/simple-message-summary")
        #expect(desk.world.outputs(0).contains(.event(.messagesWaiting(.direct, 3))))
    }

    // MARK: Documents

    @Test(
        "the lamp shows the state of the number",
        arguments: [
            ("", WatchedState.idle), (entry("terminated"), .idle), (entry("confirmed"), .busy),
            (entry("early", extra: "direction=\"recipient\""), .ringing), (entry("proceeding"), .ringing),
            (entry("early", extra: "direction='initiator'"), .busy), (entry("confirmed", inside: held), .held),
            (entry("confirmed", inside: held) + entry("confirmed", id: "d2"), .busy),
            // Asterisk and FreeSWITCH; the latter writes `early` for a held call.
            (entry("confirmed", inside: rendering("pvalue")), .held),
            (entry("early", inside: rendering("pvalue")), .held),
            (entry("early", inside: rendering("pvalue", "yes")), .ringing),
            (entry("early", inside: held) + entry("early", id: "d2"), .ringing),
            (entry("confirmed") + entry("early", id: "d2"), .ringing), ("<!-- &x; --><dialog id='a&amp;b'/>", .ringing),
            // Documents that libxml2 writes, as many servers use it.
            ("<note>Jos&#xE9; &#39;&#x1F4DE;&#10;</note>" + entry("early"), .ringing),
        ])
    func lampShowsStateOfNumber(entries: String, state: WatchedState) {
        var desk = Desk()
        desk.notify(Self.document(entries))
        #expect(desk.answers.last == 200)
        #expect(desk.states == [state])
    }

    @Test(
        "an invalid document is refused, and nothing is shown",
        arguments: [
            "hello", "<dialog-info/>", document("", version: -1, state: "partial"), document("", state: "half"),
            document("<dialog id='1'>"),
            document("", before: "<!DOCTYPE x [<!ENTITY a 'b'>]>"), document("<note>&a;</note>"), document("") + "<x/>",
            document("<![CDATA[x]]>"), document(String(repeating: "<a>", count: 40)), document("<a b='1' b='2'/>"),
            document(String(repeating: "<dialog id='1'/>", count: 100)), document("<a b='<'/>"), document("</dialog>"),
            document("<note>&#0;</note>"), document("<note>&#xD800;</note>"), document("<note>&#x110000;</note>"),
            document("<note>&#;</note>"), document("<note>&#x;</note>"), document("<note>&#-1;</note>"),
            document("<note>&#X41;</note>"), document("<note>&#00000000065;</note>"), document("<note>&#65</note>"),
        ])
    func invalidDocumentIsRefusedAndNothingIsShown(body: String) {
        var desk = Desk()
        desk.notify(body)
        #expect(desk.answers.last == 400)
        #expect(desk.states.isEmpty)
    }

    @Test("partial documents are merged; old ones are dropped, and a gap requests the full state")
    func partialDocumentsAreMergedOldOnesAreDropped() {
        var desk = Desk()
        desk.notify(Self.document(Self.entry("early"), version: 3), sequence: 1)
        desk.notify(Self.document(Self.entry("confirmed"), version: 4, state: "partial"), sequence: 2)
        desk.notify(Self.document(Self.entry("terminated"), version: 4, state: "partial"), sequence: 3)
        #expect(desk.states == [.ringing, .busy])
        let before = desk.subscribes.count
        desk.notify(Self.document(Self.entry("terminated"), version: 7, state: "partial"), sequence: 5)
        desk.world.run(.seconds(1))
        #expect(desk.subscribes.count > before, "5 and 6 are missing")
        desk.notify(Self.document(Self.entry("early"), version: 8), sequence: 6)
        #expect(desk.states == [.ringing, .busy, .idle, .ringing])
    }

    @Test("a document version that restarts is accepted, because CSeq is in order")
    func documentVersionThatRestartsIsAcceptedBecauseCSeqIsInOrder() {
        var desk = Desk()
        desk.notify(Self.document(Self.entry("early"), version: 30), sequence: 1)
        desk.notify(Self.document(Self.entry("confirmed"), version: 0), sequence: 2)
        desk.notify(Self.document(Self.entry("terminated"), version: 1, state: "partial"), sequence: 3)
        #expect(desk.states == [.ringing, .busy, .idle])
        let before = desk.subscribes.count
        desk.notify(Self.document(Self.entry("early"), version: 0, state: "partial"), sequence: 4)
        desk.world.run(.seconds(1))
        #expect(desk.states == [.ringing, .busy, .idle] && desk.subscribes.count > before, "the whole is asked for")
    }

    @Test("a restarted CSeq renews the subscription, an overtaken one does not")
    func restartedCSeqRenewsSubscriptionOvertakenOneDoesNot() {
        var desk = Desk()
        desk.notify(Self.document(Self.entry("early")), sequence: 1_000)
        let (before, callID) = (desk.subscribes.count, desk.subscribes.last?.headers[.callID])
        desk.notify(Self.document(""), sequence: 999)
        desk.notify(Self.document(Self.entry("early"), version: 1), sequence: 1_001)
        desk.notify(Self.document(""), sequence: 5)
        #expect(desk.answers.suffix(3) == [500, 200, 500])
        desk.world.run(.seconds(1))
        #expect(desk.subscribes.count == before && desk.states == [.ringing])
        desk.notify(Self.document(""), sequence: 6)
        desk.world.run(.seconds(1))
        #expect(desk.answers.last == 500 && desk.subscribes.count > before)
        #expect(desk.subscribes.last?.headers[.callID] != callID)
        desk.notify(Self.document(Self.entry("confirmed")), sequence: 7)
        #expect(desk.states == [.ringing, .busy])
    }

    @Test("a NOTIFY without expiry does not delay the renewal, and one without a state is accepted")
    func notifyWithoutExpiryDoesNotDelayRenewal() {
        var desk = Desk()
        desk.notify(Self.document(Self.entry("early")), state: "active;expires=100", sequence: 1)
        let before = desk.subscribes.count
        desk.world.run(.seconds(60))
        desk.notify(Self.document(Self.entry("confirmed")), state: "active", sequence: 2)
        desk.world.run(.seconds(31))
        #expect(desk.subscribes.count > before)
        desk.notify(Self.document(""), state: nil, sequence: 3)
        #expect(desk.answers.last == 200 && desk.states == [.ringing, .busy, .idle])
    }

    @Test("every damaged document is answered, and the next valid one counts", arguments: 0..<8)
    func everyDamagedDocumentIsAnsweredAndNextValidOneCounts(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var desk = Desk()
        for number in 1...100 {
            var body = Array(Self.document(Self.entry("confirmed", inside: Self.held)).utf8)
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                body[Int.random(in: 0..<body.count, using: &generator)] = .random(in: .min ... .max, using: &generator)
            }
            desk.notify(String(decoding: body, as: UTF8.self), sequence: UInt32(number))
            #expect(desk.answers.last == 200 || desk.answers.last == 400)
        }
        desk.notify(Self.document(Self.entry("early"), version: 4_000_000_000), sequence: 200)
        #expect(desk.states.last == .ringing)
    }

    // MARK: Picking up

    @Test("pick-up replaces the ringing call by its identifiers")
    func pickUpReplacesRingingCallByItsIdentifiers() throws {
        var desk = Desk()
        let ringing = Self.entry(
            "early", extra: "call-id=\"c1\" local-tag=\"l1\" remote-tag=\"r1\" direction=\"recipient\"",
            inside: "<remote><identity>sip:900@server.example</identity></remote>")
        desk.world.command(
            0, .pickUp(CallID(.phone, 1), WatchedNumber("200", account: .direct), MediaEndpoint(port: 4_000)))
        #expect(desk.world.ends(0, CallID(.phone, 1)) == [.invalidTarget], "nothing rings there")
        desk.notify(Self.document(ringing))
        desk.world.command(
            0, .pickUp(CallID(.phone, 2), WatchedNumber("200", account: .direct), MediaEndpoint(port: 4_000)))
        desk.world.run(.seconds(1))
        let invite = try #require(desk.world.server?.requests.last { $0.method == .invite })
        #expect(invite.uri.text == "sip:900@server.example")
        #expect(invite.headers[.replaces] == "c1;to-tag=r1;from-tag=l1;early-only")
        #expect(invite.headers[.require] == "replaces")
    }

    @Test("without identifiers pick-up dials the server's code, if configured")
    func withoutIdentifiersPickUpDialsServerCodeIfConfigured() throws {
        for (target, uri) in [
            ("sip:**200@server.example", "sip:**200@server.example"), ("sip:900@server.example", nil),
            ("sip:200@server.example", nil), ("sip:*8@server.example", nil),
        ] {
            var desk = Desk()
            let remote = "<remote><identity>sip:900@server.example</identity><target uri=\"\(target)\"/></remote>"
            desk.notify(Self.document(Self.entry("early", extra: "direction=\"recipient\"", inside: remote)))
            #expect(desk.states == [.ringing])
            desk.world.command(
                0, .pickUp(CallID(.phone, 1), WatchedNumber("200", account: .direct), MediaEndpoint(port: 4_000)))
            desk.world.run(.seconds(1))
            let invite = desk.world.server?.requests.last { $0.method == .invite }
            #expect(invite?.uri.text == uri && invite?.headers[.replaces] == nil)
            #expect(desk.world.ends(0, CallID(.phone, 1)) == (uri == nil ? [.pickupUnnamed] : []))
        }
    }
}
