import Base
import Control
import JSON
import PhoneCore
import Testing

@Suite struct EventTests {
    typealias Phase = CallSummary.Phase

    static func summary(
        _ phase: Phase, number: String = "100", heldHere: Bool = false, heldThere: Bool = false,
        call: CallID = CallID(.phone, 1)
    ) -> CallSummary {
        CallSummary(
            call: call, direction: .outgoing, phase: phase, number: number, name: nil, isWithheld: false,
            account: .direct, heldHere: heldHere, heldThere: heldThere, started: Instant(nanoseconds: 5), answered: nil,
            farEndRings: false, impaired: false, announcedByInterface: false)
    }

    /// Publishes the notices and returns a subscriber's events, in order.
    static func events(_ notices: [Notice]) throws -> [ControlEvent] {
        var events: [ControlEvent] = []
        try TestPhone.run { phone in
            let client = try phone.subscriber()
            for notice in notices { try phone.perform(.notice(notice)) }
            try phone.onLoop { $0.publish(.line, at: .zero) }
            while let event = try client.nextEvent(timeout: .seconds(10)), event.name != "line" { events.append(event) }
        }
        return events
    }

    static let stories: [(phases: [Phase], names: [String])] = [
        (
            [.ringingIn, .ringingIn, .connecting, .active],
            ["incomingCall", "callDisplayUpdated", "callConnecting", "callAnswered"]
        ),
        ([.ringingOut, .ringingOut, .connecting], ["callStarted", "callDisplayUpdated", "callConnecting"]),
        ([.active, .onHold, .active], ["callAnswered", "callHeld", "callResumed"]),
        ([.active, .reconnecting, .active], ["callAnswered", "callReconnecting", "callReconnected"]),
        ([.active, .active, .disconnecting], ["callAnswered", "callDisplayUpdated", "callDisconnecting"]),
        (
            [.onHold, .reconnecting, .onHold, .active],
            ["callHeld", "callReconnecting", "callReconnected", "callResumed"]
        ),
        (
            [.connecting, .reconnecting, .active],
            ["callConnecting", "callAnswered", "callReconnecting", "callReconnected"]
        ),
        ([.ringingOut, .onHold, .active], ["callStarted", "callAnswered", "callHeld", "callResumed"]),
        ([.active, .ended], ["callAnswered"]), ([.idle, .failed], []),
    ]

    @Test func phasesBecomeEventNames() throws {
        for (phases, names) in Self.stories {
            let told = try Self.events(phases.map { .callChanged(Self.summary($0)) })
            #expect(told.map(\.name) == names)
        }
    }

    @Test func ringingOfFarEndIsReportedOnce() throws {
        var rings = Self.summary(.ringingOut)
        rings.farEndRings = true
        let told = try Self.events([Self.summary(.ringingOut), rings, rings].map { .callChanged($0) })
        #expect(told.map(\.name) == ["callStarted", "callRinging", "callDisplayUpdated"])
    }

    @Test func remoteHoldIsReported() throws {
        let told = try Self.events([
            .callChanged(Self.summary(.onHold, heldHere: true)),
            .callChanged(Self.summary(.onHold, heldHere: true, heldThere: true)),
            .callChanged(Self.summary(.onHold, number: "Anna", heldHere: true, heldThere: true)),
        ])
        #expect(told.map(\.name) == ["callHeld", "callHeld", "callDisplayUpdated"])
    }

    static let reasons: [(reason: EndReason, name: String, word: String)] = [
        (.hungUpHere, "callEnded", "hungUpHere"), (.hungUpThere, "callEnded", "hungUpThere"),
        (.declined, "callEnded", "declined"), (.refusedBusy, "callEnded", "refusedBusy"),
        (.doNotDisturb, "callEnded", "doNotDisturb"), (.blocked, "callEnded", "blocked"),
        (.noOffer, "callFailed", "noOffer"), (.notAnnounced, "callFailed", "notAnnounced"),
        (.noAnswer, "callEnded", "noAnswer"), (.busyThere, "callEnded", "busyThere"),
        (.declinedThere, "callEnded", "declinedThere"), (.cancelledThere, "callEnded", "cancelledThere"),
        (.answeredElsewhere, "callEnded", "answeredElsewhere"), (.rejected(404), "callFailed", "rejected"),
        (.unreachable, "callFailed", "unreachable"), (.lineNotReady, "callFailed", "lineNotReady"),
        (.incompatible, "callFailed", "incompatible"), (.insecurePath, "callFailed", "insecurePath"),
        (.anonymityRefused, "callFailed", "anonymityRefused"), (.pickupUnnamed, "callFailed", "pickupUnnamed"),
        (.mediaFailed, "callFailed", "mediaFailed"),
        (.mediaLost, "callFailed", "mediaLost"), (.networkLost, "callFailed", "networkLost"),
        (.timedOut, "callFailed", "timedOut"), (.organisation(.api(403)), "callFailed", "organizationSwitchFailed"),
        (.transferred, "callEnded", "transferred"), (.tooLong, "callEnded", "tooLong"),
        (.interrupted, "callFailed", "interrupted"), (.shutDown, "callEnded", "shutDown"),
    ]

    @Test func everyEndReasonHasItsWord() throws {
        let told = try Self.events(Self.reasons.map { .callEnded(Self.summary(.ended), $0.reason) })
        #expect(told.map(\.name) == Self.reasons.map(\.name))
        #expect(told.map { $0.fields["reason"]?.string } == Self.reasons.map(\.word))
        #expect(told.allSatisfy { $0.fields["call"] == "out-1" && $0.fields["summary"]?["phase"] == "ended" })
        let rejected = told.first { $0.fields["status"] == 404 }
        let switched = told.first { $0.fields["status"] == 403 }
        #expect(rejected?.fields["reason"] == "rejected" && rejected?.fields["cause"] == nil)
        #expect(switched?.fields["cause"] == "api")
    }

    @Test func endHasItsSecondsAndTheServersWords() throws {
        var summary = Self.summary(.ended)
        (summary.seconds, summary.serverEnd) = (61, ServerEnd(cause: "Q.850", code: 16, text: "Normal call clearing"))
        let told = try Self.events([
            .callEnded(summary, .hungUpThere), .callEnded(Self.summary(.failed), .unreachable),
        ])
        #expect(told.map { $0.fields["seconds"] } == [61, 0])
        let server: JSONValue = ["cause": "Q.850", "code": 16, "text": "Normal call clearing"]
        #expect(told.map { $0.fields["server"] } == [server, .null])
    }

    static let missed: [(reason: MissedReason, word: String)] = [
        (.remoteHungUp, "remoteHungUp"), (.timeout, "timeout"), (.declined, "declined"),
        (.rejectedBusy, "rejectedBusy"), (.doNotDisturb, "doNotDisturb"), (.noOffer, "noOffer"),
        (.interrupted, "interrupted"), (.failed, "failed"),
    ]

    @Test func everyMissedReasonHasItsWord() throws {
        #expect(Self.missed.map(\.reason) == MissedReason.allCases)
        let told = try Self.events(Self.missed.map { .missedCall(Self.summary(.ended), $0.reason) })
        #expect(Set(told.map(\.name)) == ["missedCall"])
        #expect(told.map { $0.fields["reason"]?.string } == Self.missed.map(\.word))
        #expect(told.first?.fields["summary"]?["number"] == "100")
    }

    @Test func callAnsweredElsewhereIsReported() throws {
        let summary = Self.summary(.ended)
        let told = try Self.events([.answeredElsewhere(summary), .callEnded(summary, .answeredElsewhere)])
        #expect(told.map(\.name) == ["answeredElsewhere", "callEnded"])
        #expect(told.first?.fields["call"] == "out-1")
    }

    @Test func reusedNumberIsNewCall() throws {
        let told = try Self.events([
            .callChanged(Self.summary(.active)), .callEnded(Self.summary(.ended), .hungUpHere),
            .callChanged(Self.summary(.active)),
        ])
        #expect(told.map(\.name) == ["callAnswered", "callEnded", "callAnswered"])
    }

    @Test func summaryHasEveryField() throws {
        var summary = Self.summary(.onHold, heldHere: true)
        summary.name = "Anna \"A\"\n"
        summary.answered = Instant(nanoseconds: 9_007_199_254_740_993)
        (summary.avatar, summary.badge, summary.verification) = ("https://a.example/1.png", "Acme", .passed)
        summary.impaired = true
        summary.sendFault = "No route to host"
        summary.canTransfer = false
        summary.announcedByInterface = true
        summary.protection = .sdes
        summary.headers = [("X-Ticket", "7"), ("X-Path", "a"), ("X-Path", "b")].compactMap { CallHeader($0, $1) }
        (summary.words, summary.key) = ("lusab babad gutih tugad", .changed)
        let told = try Self.events([.callChanged(summary)])
        #expect(told.first?.fields["call"] == "out-1")
        #expect(
            told.first?.fields["summary"] == [
                "call": "out-1", "direction": "outgoing", "phase": "onHold", "number": "100", "name": "Anna \"A\"\n",
                "account": 0, "heldHere": true, "heldThere": false, "started": 5, "answered": 9_007_199_254_740_993,
                "farEndRings": false, "impaired": true, "sendFault": "No route to host", "canTransfer": false,
                "transferRequested": nil,
                "announce": true, "protection": "sdes", "words": "lusab babad gutih tugad", "key": "changed",
                "avatar": "https://a.example/1.png",
                "badge": "Acme",
                "verification": "passed", "withheld": false, "divertedBy": nil, "called": nil,
                "headers": ["X-Ticket": "7", "X-Path": "a, b"],
            ])
    }

    @Test(arguments: [
        ("sip:anna:geheim@example.org", "sip:anna@example.org"), ("sips:a:b:c@[::1]:5061", "sips:a@[::1]:5061"),
        ("sip:anna@example.org:5060", "sip:anna@example.org:5060"), ("sip:[::1]", "sip:[::1]"), ("*21#", "*21#"),
    ]) func passwordInAddressIsNotReported(number: String, told: String) throws {
        let events = try Self.events([.callChanged(Self.summary(.ringingOut, number: number))])
        #expect(events.first?.fields["summary"]?["number"] == .string(told))
    }

    @Test func subscribersGetEventsInOrderAndOthersNone() throws {
        try TestPhone.run { phone in
            let (one, two, silent) = (try phone.subscriber(), try phone.subscriber(), try phone.client())
            _ = try silent.call("ping")
            for number in 0..<Int64(500) {
                try phone.onLoop { $0.publish(.line, ["n": .integer(number)], at: Instant(nanoseconds: number)) }
            }
            for client in [one, two] {
                for number in 0..<Int64(500) {
                    let event = try client.nextEvent(timeout: .seconds(10))
                    #expect(
                        event
                            == ControlEvent(
                                name: "line", at: Instant(nanoseconds: number), fields: ["n": .integer(number)]))
                }
            }
            #expect(try silent.call("ping")["version"] == "1.2.3")
            #expect(try silent.nextEvent(timeout: .zero) == nil)
        }
    }
}
