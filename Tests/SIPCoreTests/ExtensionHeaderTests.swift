import SIPCore
import Testing

/// The headers of SIP's extensions: their values and faults.
@Suite struct ExtensionHeaderTests {
    private func headers(_ name: SIPHeaderName, _ lines: String...) -> SIPHeaders {
        var headers = SIPHeaders()
        for line in lines { headers.append(name, line) }
        return headers
    }

    @Test func reliableResponseHeadersAreRead() throws {
        #expect(try headers(.rSeq, "988789").rSeq == RSeq(988_789))
        let ack = try headers(.rAck, "776656 \t 1 INVITE").rAck
        #expect(ack == RAck(RSeq(776_656), of: CSeq(1, .invite)))
        #expect(ack?.text == "776656 1 INVITE")
        #expect(try SIPHeaders().rSeq == nil)
    }

    @Test(arguments: ["0", "4294967296", "-1", "", "1 2"])
    func invalidResponseNumbersAreRejected(_ text: String) {
        #expect(throws: SIPParseError.self) { try RSeq(text) }
        #expect(throws: SIPParseError.self) { try RAck(text + " 1 INVITE") }
    }

    @Test(arguments: ["1", "1 ", "1 1", "1INVITE 1", "1 2147483648 INVITE", "1 1 INVITE x"])
    func invalidAcknowledgementsAreRejected(_ text: String) {
        #expect(throws: SIPParseError.self) { try RAck(text) }
    }

    @Test(
        arguments: [
            ("1800;refresher=uac", 1_800, .uac), ("90 ; REFRESHER=UAS", 90, .uas), ("99999999999", .max, nil),
            ("4000;refresher=both;x", 4_000, nil),
        ] as [(String, UInt32, SessionExpires.Refresher?)])
    func sessionTimersAreRead(_ text: String, _ seconds: UInt32, _ refresher: SessionExpires.Refresher?) throws {
        let value = try #require(try headers(.sessionExpires, text).sessionExpires)
        #expect(value.seconds == seconds)
        #expect(value.refresher == refresher)
        #expect(try SessionExpires(value.text) == value)
        #expect(try headers(.minSE, text).minSE?.seconds == seconds)
    }

    @Test func sessionTimersAreWritten() {
        #expect(SessionExpires(seconds: 1_800, refresher: .uas).text == "1800;refresher=uas")
        #expect(SessionExpires(seconds: 90).text == "90")
        #expect(MinSE(seconds: MinSE.least).text == "90")
    }

    @Test func eventsAndTheirIDsAreRead() throws {
        let event = try #require(try headers(.event, "Dialog ; ID=a1;x=y").event)
        #expect(event.package == "Dialog")
        #expect(event.id == "a1")
        #expect(event.isSame(as: SIPEvent("Dialog", id: "a1")))
        #expect(!event.isSame(as: SIPEvent("dialog", id: "a1")))
        #expect(!event.isSame(as: SIPEvent("Dialog", id: nil)))
        #expect(SIPEvent("refer", id: "93809823").text == "refer;id=93809823")
        #expect(try headers(.allowEvents, "dialog, refer", "presence.winfo").allowEvents.count == 3)
        #expect(try headers(.event, "dialog x").event == SIPEvent("dialog", id: nil))
    }

    @Test(
        arguments: [
            ("active;expires=3600", .active, nil, 3_600, nil), ("PENDING", .pending, nil, nil, nil),
            ("terminated;reason=Probation;retry-after=5", .terminated, .probation, nil, 5),
            ("terminated;reason=else;expires=x", .terminated, nil, nil, nil),
            ("asleep", .other("asleep"), nil, nil, nil),
        ] as [(String, SubscriptionState.Phase, SubscriptionState.Reason?, UInt32?, UInt32?)])
    func subscriptionStatesAreRead(
        _ text: String, _ phase: SubscriptionState.Phase, _ reason: SubscriptionState.Reason?, _ expires: UInt32?,
        _ retryAfter: UInt32?
    ) throws {
        let state = try #require(try headers(.subscriptionState, text).subscriptionState)
        #expect(state.phase == phase)
        #expect(state.reason == reason)
        #expect(state.expires == expires)
        #expect(state.retryAfter == retryAfter)
        #expect(try SubscriptionState(state.text) == state)
    }

    @Test func subscriptionsAreWritten() {
        #expect(SubscriptionState(.active, expires: 60).text == "active;expires=60")
        #expect(SubscriptionState(.terminated, reason: .noresource).text == "terminated;reason=noresource")
    }

    @Test func transferHeadersAreRead() throws {
        let to = try headers(.referTo, "<sip:carol@c?Replaces=1%3Bto-tag%3Da%3Bfrom-tag%3Db>").referTo
        #expect(try to?.uri.sip?.replaces == Replaces(callID: "1", toTag: "a", fromTag: "b"))
        #expect(throws: SIPParseError(.repeated, at: 0, in: .referTo)) {
            try headers(.referTo, "<sip:a@b>", "<sip:c@d>").referTo
        }
        let by = try headers(SIPHeaderName("b"), #""Bob" <sip:bob@b>;cid="1@b""#).referredBy
        #expect(by?.displayName == "Bob")
        #expect(by?.parameters["cid"] == "1@b")
        #expect(try headers(.referSub, "FALSE;x").referSub?.isWanted == false)
        #expect(ReferSub(true).text == "true")
        #expect(throws: SIPParseError(.token, at: 0, in: .referSub)) { try headers(.referSub, "maybe").referSub }
    }

    @Test func answerModesAreRead() throws {
        let mode = try #require(try headers(.answerMode, "AUTO;require").answerMode)
        #expect(mode.isAutomatic && mode.isRequired)
        #expect(mode.text == "Auto;require")
        #expect(try headers(.privAnswerMode, "Manual").privAnswerMode == AnswerMode(isAutomatic: false))
        #expect(try headers(.callInfo, "<http://a/b>;purpose=icon, ;answer-after=0").callInfos.count == 2)
        #expect(try headers(.alertInfo, "<urn:alert:service:call-waiting>").alertInfos[0].word.hasPrefix("urn:"))
    }

    @Test(
        arguments: [
            ("120", 120, nil, nil), ("18000;duration=3600", 18_000, nil, 3_600),
            (#"5 (a (nested) \) one);duration=1"#, 5, "a (nested) ) one", 1), ("7()", 7, "", nil),
        ] as [(String, UInt32, String?, UInt32?)])
    func retryAfterIsRead(_ text: String, _ seconds: UInt32, _ comment: String?, _ duration: UInt32?) throws {
        let value = try #require(try headers(.retryAfter, text).retryAfter)
        #expect(value.seconds == seconds)
        #expect(value.comment == comment)
        #expect(value.duration == duration)
        #expect(try RetryAfter(value.text) == value)
    }

    @Test(arguments: ["", "x", "5 (open", #"5 (open\"#, "5 (a) b", "5 ((a)"])
    func invalidRetryAfterIsRejected(_ text: String) { #expect(throws: SIPParseError.self) { try RetryAfter(text) } }

    @Test func warningsAreRead() throws {
        let lines = headers(.warning, #"370 example.net:5061 "a, \"b\"", 399 [2001:db8::1] "c""#)
        let warnings = try lines.warnings
        #expect(
            warnings == [
                SIPWarning(370, agent: "example.net:5061", #"a, "b""#), SIPWarning(399, agent: "[2001:db8::1]", "c"),
            ])
        #expect(warnings[0].text == #"370 example.net:5061 "a, \"b\"""#)
        for text in ["99 a \"b\"", "1000 a \"b\"", "370 \"b\"", "370 a b", "370a \"b\""] {
            #expect(throws: SIPParseError.self) { try SIPWarning(text) }
        }
    }

    @Test(
        arguments: [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Sat, 13 Nov 2010 23:29:00 GMT", 1_289_690_940),
            ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000), ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
            ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
            ("Sat, 01 Jan 0000 00:00:00 GMT", -62_167_219_200),
        ] as [(String, Int64)])
    func datesAreRead(_ text: String, _ seconds: Int64) throws {
        #expect(try headers(.date, text).date?.secondsSince1970 == seconds)
        #expect(SIPDate(secondsSince1970: seconds).text == text)
    }

    @Test(arguments: [
        "Fri, 01 Jan 2010 16:00:00 EST", "Fri, 32 Jan 2010 16:00:00 GMT", "Fri, 30 Feb 2010 16:00:00 GMT",
        "Fri, 29 Feb 2100 16:00:00 GMT", "Fri, 01 Jan 2010 24:00:00 GMT", "Fri, 01 Jan 10 16:00:00 GMT",
        "Fri, 00 Jan 2010 16:00:00 GMT", "Any, 01 Jan 2010 16:00:00 GMT", "Fri 01 Jan 2010 16:00:00 GMT", "",
        "Fri, 01 Jan 2010 16:00:61 GMT", "Fri, 01 Jan 2010 1:00:00 GMT", "Fri, 01 Jan 2010 16:00:00 GMT+1",
    ])
    func invalidDatesAreRejected(_ text: String) { #expect(throws: SIPParseError.self) { try SIPDate(text) } }
}
