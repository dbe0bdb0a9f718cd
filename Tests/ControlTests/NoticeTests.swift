import Base
import Control
import JSON
import PhoneCore
import Testing

/// Notices that become events, each with its name and fields.
@Suite struct NoticeTests {
    static let call = CallID(.line(AccountID(2)), 9)
    static let code = SignInCode(
        code: "WDJB-MJHT", address: "https://id.example/device", until: Instant(nanoseconds: 9_000_000_000))
    static let acme = Organisation(id: OrganisationID("o-7"), name: "Acme")

    private static let question = TransferQuestion(cause: .redirection, target: "sip:eve:pw@x", until: .zero)

    static let rows: [(notice: Notice, name: String, fields: [String: JSONValue])] = [
        (
            .registrationChanged(AccountID(2), .registered), "registrationChanged",
            ["account": 2, "state": "registered"]
        ),
        (.registrationChanged(.direct, .notNeeded), "registrationChanged", ["account": 0, "state": "notNeeded"]),
        (
            .registrationChanged(AccountID(2), .registering), "registrationChanged",
            ["account": 2, "state": "registering"]
        ),
        (
            .registrationChanged(AccountID(2), .failed("no route")), "registrationChanged",
            ["account": 2, "state": "failed", "message": "no route"]
        ),
        (.hookChanged(.offHook), "panelChanged", ["hook": "offHook"]),
        (.keyPressed(.digit(.star)), "panelChanged", ["key": "*"]),
        (.keyPressed(.speedDial(12)), "panelChanged", ["key": "speed-12"]),
        (.inputChanged("door", active: true), "panelChanged", ["input": "door", "active": true]),
        (.relayChanged(2, on: false), "panelChanged", ["relay": 2, "on": false]),
        (.toneChanged(.ringback), "toneChanged", ["tone": "ringback"]),
        (.toneChanged(nil), "toneChanged", ["tone": nil]),
        (.ringerChanged(on: true), "ringerChanged", ["on": true]),
        (.muteChanged(true), "muteStateChanged", ["muted": true]),
        (.volumeChanged(.ring, 3), "volumeChanged", ["kind": "ring", "level": 3]),
        (.doNotDisturbChanged(true), "doNotDisturbChanged", ["on": true]),
        (.missedCallsSeen, "missedCallsSeen", [:]),
        (.messagesWaiting(AccountID(2), 4), "messagesWaiting", ["account": 2, "count": 4]),
        (.callDuration(call, seconds: 59), "callDurationUpdated", ["call": "in-2.9", "seconds": 59, "text": "00:59"]),
        (
            .callDuration(call, seconds: 3_661), "callDurationUpdated",
            ["call": "in-2.9", "seconds": 3_661, "text": "01:01:01"]
        ),
        (
            .callRefused(
                RefusedCall(
                    account: AccountID(2), number: "200", name: nil, from: "192.0.2.9", reason: .noProtection)),
            "callRefused",
            [
                "account": 2, "number": "200", "displayName": nil, "from": "192.0.2.9", "reason": "noProtection",
                "message": "the caller offers no encryption; `--protection offered` would allow it",
            ]
        ),
        (
            .transferAnswered(call, question, .expired), "transferAnswered",
            ["call": "in-2.9", "to": "sip:eve@x", "cause": "redirection", "answer": "expired"]
        ),
        (.codeTried(call, .right(relay: 2)), "codeTried", ["call": "in-2.9", "outcome": "right", "relay": 2]),
        (.codeTried(call, .wrong(left: 1)), "codeTried", ["call": "in-2.9", "outcome": "wrong", "left": 1]),
        (.codeTried(call, .locked(seconds: 60)), "codeTried", ["call": "in-2.9", "outcome": "locked", "seconds": 60]),
        (.alarmRaised("door", .called(call)), "alarmRaised", ["input": "door", "outcome": "called", "call": "in-2.9"]),
        (.alarmRaised("door", .waiting), "alarmRaised", ["input": "door", "outcome": "waiting"]),
        (.alarmRaised("door", .givenUp), "alarmRaised", ["input": "door", "outcome": "givenUp"]),
        (.firstVoice(call), "firstVoice", ["call": "in-2.9"]),
        (.dtmfReceived(call, .d), "dtmfReceived", ["call": "in-2.9", "digit": "D"]),
        (.dtmfSent(call), "dtmfSent", ["call": "in-2.9"]),
        (
            .textReceived(TextMessage(account: AccountID(2), number: "sip:ada:pw@x", name: nil, text: "one\ntwo")),
            "textReceived", ["account": 2, "from": "sip:ada@x", "displayName": nil, "text": "one\ntwo"]
        ),
        (
            .displayChanged(
                DisplayContent(title: "Ada", detail: "In call", since: Instant(nanoseconds: 5), notes: ["Muted"])),
            "displayChanged", ["title": "Ada", "detail": "In call", "since": 5, "notes": ["Muted"]]
        ),
        (
            .networkChanged(.disconnected, .none), "networkStatusChanged",
            ["status": "disconnected", "kind": "none"]
        ),
        (
            .playbackStarted(Playback(number: 1, call: call, file: "a.wav")), "playbackStarted",
            ["call": "in-2.9", "file": "a.wav"]
        ),
        (
            .playbackEnded(Playback(number: 1, call: call, file: "a.wav"), .finished), "playbackEnded",
            ["call": "in-2.9", "file": "a.wav", "reason": "finished"]
        ),
        (
            .playbackEnded(Playback(number: 1, call: call, file: "a.wav"), .stopped), "playbackEnded",
            ["call": "in-2.9", "file": "a.wav", "reason": "stopped"]
        ),
        (
            .playbackEnded(Playback(number: 1, call: call, file: "a.wav"), .failed("the disk is gone")),
            "playbackEnded", ["call": "in-2.9", "file": "a.wav", "reason": "failed", "message": "the disk is gone"]
        ),
        (.pageStarted(Page(group: 1, label: "fire")), "pageStarted", ["group": 1, "label": "fire"]),
        (.pageEnded(Page(group: 1, label: "fire")), "pageEnded", ["group": 1, "label": "fire"]),
        (
            .pageNotHeard(Page(group: 2, label: "hall"), .doNotDisturb), "pageNotHeard",
            ["group": 2, "label": "hall", "reason": "doNotDisturb"]
        ),
        (.pageSendingStarted(Page(group: 1, label: "fire")), "pageSendingStarted", ["group": 1, "label": "fire"]),
        (
            .pageSendingEnded(Page(group: 1, label: "fire"), .tooLong), "pageSendingEnded",
            ["group": 1, "label": "fire", "reason": "tooLong"]
        ),
        (
            .soundTested(SoundTestResult(route: .speaker, verdict: .missing)), "soundTested",
            [
                "route": "speaker", "result": "missing", "beforeDb": nil, "duringDb": nil,
                "message": "a sound device of the speaker is missing or does not work",
            ]
        ),
        (.recordingStarted(call, file: "a.opus"), "recordingStarted", ["call": "in-2.9", "file": "a.opus"]),
        (.recordingEnded(call, .stopped), "recordingEnded", ["call": "in-2.9", "reason": "stopped"]),
        (.recordingEnded(call, .tooLong), "recordingEnded", ["call": "in-2.9", "reason": "tooLong"]),
        (
            .recordingEnded(call, .failed("the disk is full")), "recordingEnded",
            ["call": "in-2.9", "reason": "failed", "message": "the disk is full"]
        ),
        (.networkTransition(from: .wifi, to: .wired), "networkTransition", ["from": "wifi", "to": "wired"]),
        (.networkTimeout(call), "networkTimeout", ["call": "in-2.9"]),
        (.interruptionChanged(true), "interruptionChanged", ["on": true]),
        (.organisationSwitching(acme.id), "organizationSwitching", ["organization": "o-7"]),
        (
            .organisationSwitched(acme), "organizationSwitched",
            ["organization": "o-7", "organizationName": "Acme"]
        ),
        (
            .signInCode(code), "signInCode",
            [
                "code": "WDJB-MJHT", "address": "https://id.example/device", "completeAddress": nil,
                "until": 9_000_000_000,
            ]
        ),
        (
            .signInFailed(.api(403, "no organization")), "signInFailed",
            [
                "reason": "api", "status": 403, "text": "no organization",
                "message": "the backend refused it (403): no organization",
            ]
        ),
        (
            .signInFailed(.expired), "signInFailed",
            ["reason": "expired", "message": "nobody confirmed the code in time"]
        ),
        (
            .signedIn(SignedInUser(subject: "sub-1", name: "Ada")), "signedIn",
            ["subject": "sub-1", "userName": "Ada", "email": nil]
        ),
        (.signedOut, "signedOut", [:]),
        (
            .signInNeeded(.deviceTokenRefused), "signInNeeded",
            ["reason": "deviceTokenRefused", "message": "the backend no longer accepts this phone"]
        ),
        (
            .credentialsRenewed(acme), "credentialsRenewed",
            ["organization": "o-7", "organizationName": "Acme"]
        ),
        (.credentialsExpiring(days: 3), "credentialsExpiring", ["days": 3]),
        (.trouble("no card", .soundDevice), "error", ["code": "soundDevice", "message": "no card"]),
        (.trouble("no card"), "error", ["code": "other", "message": "no card"]),
    ]

    @Test func failedTransferNamesPartyAndTarget() throws {
        let events = try EventTests.events([.transferFailed(EventTests.summary(.active), to: "sip:eve:pw@x")])
        let told = try #require(events.first)
        #expect(told.name == "transferFailed" && told.fields["call"] == "out-1" && told.fields["to"] == "sip:eve@x")
        #expect(told.fields["message"] == "transfer of 100 to sip:eve@x failed")
        #expect(told.fields["summary"]?["number"] == "100")
    }

    @Test func noticeBecomesEvent() throws {
        let told = try EventTests.events(Self.rows.map(\.notice)).filter { $0.name != "connected" }
        #expect(told.map(\.name) == Self.rows.map(\.name))
        for (event, expected) in zip(told, Self.rows) {
            #expect(event.fields == expected.fields)
            #expect(event.at > .zero)
        }
    }

    static let failures: [(failure: SwitchFailure, fields: [String: JSONValue])] = [
        (.network, ["reason": "network"]), (.noOrganisation, ["reason": "noOrganization"]),
        (.api(503), ["reason": "api", "status": 503, "text": nil]),
        (.api(403, "not a member"), ["reason": "api", "status": 403, "text": "not a member"]),
        (.parse, ["reason": "parse"]), (.timeout, ["reason": "timeout"]),
        (.credentialStore, ["reason": "credentialStore"]), (.connection, ["reason": "connection"]),
        (.abandoned, ["reason": "abandoned"]),
    ]

    @Test func everyFailedOrganizationSwitchHasReason() throws {
        let told = try EventTests.events(Self.failures.map { .organisationSwitchFailed($0.failure) })
        #expect(Set(told.map(\.name)) == ["organizationSwitchFailed"])
        let expected = Self.failures.map { failure, fields in
            fields.merging(["message": .string(failure.sentence)]) { own, _ in own }
        }
        #expect(told.map(\.fields) == expected)
        #expect(told[3].fields["message"] == "the backend refused it (403): not a member")
    }

    @Test func speakerChangeIsReported() throws {
        let routes: [Route] = [.handset, .headset, .speaker, .speaker, .bluetooth]
        let told = try EventTests.events(routes.map { .routeChanged($0, before: .handset) })
        let names = told.map { $0.name == "speakerStateChanged" ? "speaker \($0.fields["on"] == true)" : $0.name }
        #expect(
            names == [
                "audioRouteChanged", "speaker false", "audioRouteChanged", "audioRouteChanged",
                "speaker true", "audioRouteChanged", "audioRouteChanged", "speaker false",
            ])
        #expect(told.compactMap { $0.fields["route"]?.string } == routes.map(\.rawValue))
        #expect(told.compactMap { $0.fields["former"]?.string } == routes.map { _ in "handset" })
    }

    @Test func qualityHasFiguresOrNone() throws {
        let scores: [(Double?, String)] = [
            (4.0, "good"), (3.99, "fair"), (3.5, "fair"), (3.49, "poor"), (nil, "unknown"),
        ]
        let told = try EventTests.events(
            scores.map {
                .qualityUpdated(
                    Self.call, VoiceQuality(opinionScore: $0.0, jitterMilliseconds: 2.5, farOpinionScore: 4.25))
            })
        #expect(told.map { $0.fields["quality"]?["rating"]?.string } == scores.map(\.1))
        #expect(told.first?.fields["quality"]?["mos"] == 4.0)
        #expect(told.first?.fields["quality"]?["jitterMs"] == 2.5)
        #expect(told.first?.fields["quality"]?["farMos"] == 4.25)
        #expect(told.first?.fields["quality"]?["lossPercent"] == JSONValue.null)
        #expect(told.last?.fields["quality"]?["mos"] == JSONValue.null)
    }
}
