import Base
import Control
import JSON
import PhoneCore
import Testing

/// The answers of a snapshot, whole or in part.
@Suite struct SnapshotTests {
    private static func ask(_ method: String, of snapshot: PhoneSnapshot) throws -> JSONValue {
        var answer = JSONValue.null
        try TestPhone.run(manner: .shows(snapshot)) { phone in
            answer = try phone.client().call(method)
            #expect(phone.asked.take()?.request == .status)
        }
        return answer
    }

    @Test func snapshotHasEveryField() throws {
        let snapshot = try Self.ask("getSnapshot", of: TextTests.snapshot)
        var members = try #require(snapshot.object)
        #expect(try #require(members.removeValue(forKey: "at")?.integer) > 0)
        #expect(try #require(members.removeValue(forKey: "clock")?.integer) > 1_700_000_000_000, "milliseconds")
        #expect(members.removeValue(forKey: "calls")?.array?.map { $0["call"] } == ["out-3", "in-3.12"])
        let registrations: JSONValue = [
            ["account": 0, "state": "notNeeded", "label": nil],
            ["account": 3, "state": "failed", "message": "no answer", "label": "Büro"],
        ]
        let missed: JSONValue = [
            [
                "call": "in-3.11", "number": "sip:eve@example.org", "name": nil, "organization": "Other Ltd",
                "account": 3, "at": 100_000_000_000, "reason": "rejectedBusy",
            ]
        ]
        let settings: JSONValue = ["doNotDisturb": true, "callVolume": 9, "ringVolume": 0, "loudest": 10]
        #expect(
            JSONValue.object(members) == [
                "conference": true, "hook": "offHook", "digits": "12", "muted": true, "route": "handset",
                "interrupted": true, "recording": "out-3",
                "playback": ["call": "out-3", "file": "menu/hello.wav"],
                "page": ["group": 2, "label": "hall"], "sentPage": nil,
                "soundTest": nil, "tone": "callWaiting", "ringing": false,
                "lamps": ["hold": "slowBlink", "line": "on", "mute": "off", "line-2": "fastBlink"],
                "settings": settings, "missed": missed, "missedMore": false, "missedCount": 5, "messagesWaiting": 2,
                "messages": [["account": 3, "label": "Büro", "count": 2]], "inputs": ["door", "tamper"],
                "relays": [1, 3], "alarms": ["tamper"], "connection": "connected", "networkKind": "wifi",
                "display": ["title": "Anna", "detail": "On hold", "notes": ["Muted"], "since": 10_000_000_000],
                "organizationSwitching": "o-8", "backend": false, "signIn": nil, "organizations": [],
                "credentialsExpireInDays": nil,
                "refusedCalls": 0, "codes": ["wrong": 0, "lockedUntil": nil], "lostDevices": [], "panelFailed": false,
                "displays": ["de": ["title": "WDJB-MJHT", "detail": "", "notes": ["Stumm"], "since": nil]],
                "faults": [], "faultParts": [],
                "network": "reconnecting", "organization": ["id": "o-7", "name": "Acme"],
                "registrations": registrations,
            ])
    }

    @Test func emptyPhoneHasEmptySnapshot() throws {
        let snapshot = try Self.ask("getSnapshot", of: Self.phone([:]))
        for name in [
            "hook", "tone", "organization", "organizationSwitching", "recording", "playback", "page", "sentPage",
            "soundTest", "display", "signIn", "credentialsExpireInDays",
        ] {
            #expect(snapshot[name] == JSONValue.null)
        }
        for name in ["calls", "missed", "registrations", "inputs", "relays", "alarms", "messages"] {
            #expect(snapshot[name] == [])
        }
    }

    private static func phone(
        _ registrations: [AccountID: RegistrationState], calls: [CallSummary] = [], network: NetworkStatus = .connected
    ) -> PhoneSnapshot {
        PhoneSnapshot(
            calls: calls, hook: nil, digits: "", muted: false, route: .handset, tone: nil,
            registrations: registrations, lamps: [:], ringing: false, network: network)
    }

    static let connections: [(registrations: [AccountID: RegistrationState], state: String)] = [
        ([:], "disconnected"), ([.direct: .notNeeded], "connected"),
        ([AccountID(1): .failed("no"), AccountID(2): .registered], "connected"),
        ([AccountID(1): .failed("no"), AccountID(2): .registering], "connecting"),
        ([AccountID(1): .failed("no")], "disconnected"),
    ]

    @Test func connectionCombinesAllLines() throws {
        for (registrations, state) in Self.connections {
            let answer = try Self.ask("getConnectionState", of: Self.phone(registrations))
            #expect(answer["state"] == .string(state))
            #expect(answer["registrations"]?.array?.count == registrations.count)
        }
    }

    @Test(arguments: NetworkStatus.allCases) func networkStatusHasItsMethod(status: NetworkStatus) throws {
        var snapshot = Self.phone([:], network: status)
        snapshot.networkKind = .wifi
        let answer = try Self.ask("getNetworkStatus", of: snapshot)
        #expect(answer == ["status": .string(status.rawValue), "kind": "wifi", "isCallActive": false])
    }

    @Test func unknownNetworkIsNotConnected() throws {
        let quiet = Self.phone([:], network: .connected)
        #expect(try Self.ask("getNetworkStatus", of: quiet) == Self.network("unknown"))
        #expect(try Self.ask("getSnapshot", of: quiet)["network"] == "unknown")
        let reached = Self.phone([AccountID(3): .registered], network: .connected)
        #expect(try Self.ask("getNetworkStatus", of: reached) == Self.network("connected"))
    }

    private static func network(_ status: JSONValue) -> JSONValue {
        ["status": status, "kind": "unknown", "isCallActive": false]
    }

    @Test(arguments: [(CallSummary.Phase.active, true), (.onHold, true), (.ringingIn, false), (.disconnecting, false)])
    func networkStatusTellsWhetherACallIsActive(_ phase: CallSummary.Phase, _ isActive: Bool) throws {
        var call = EventTests.summary(phase)
        call.answered = phase == .ringingIn ? nil : .zero
        let answer = try Self.ask("getNetworkStatus", of: Self.phone([:], calls: [call]))
        #expect(answer["isCallActive"] == .bool(isActive))
    }

    @Test func ringingCallHasItsMethod() throws {
        let active = EventTests.summary(.active)
        let ringing = EventTests.summary(.ringingIn, call: CallID(.info, 2))
        let answer = try Self.ask("getPendingIncomingCall", of: Self.phone([:], calls: [active, ringing]))
        #expect(answer["summary"]?["call"] == "info-2")
        #expect(try Self.ask("getPendingIncomingCall", of: Self.phone([:], calls: [active])) == ["summary": nil])
    }

    /// Forty calls whose names have as many marks as allowed: every answer stays small, and a client reads all of
    /// them.
    @Test func missedCallsArePaged() throws {
        var snapshot = Self.phone([:])
        let name = String(repeating: "a" + String(repeating: "\u{301}", count: 4), count: 14)
        snapshot.missed = (1...50).map { number in
            MissedCall(
                call: CallID(.line(.direct), number), number: String(repeating: "2", count: 64), name: name, at: .zero,
                reason: .timeout)
        }
        snapshot.missedCount = 50
        let answer = try Self.ask("getSnapshot", of: snapshot)
        #expect(answer["missed"]?.array?.count == 20 && answer["missedMore"] == true)
        #expect(answer.utf8.count < 16_384)
        try TestPhone.run(manner: .shows(snapshot)) { phone in
            let client = try phone.client()
            let all = try client.snapshot()["missed"]?.array?.map { $0["call"]?.string }
            #expect(all == (1...50).map { "in-0.\($0)" })
            #expect(try client.call("getMissedCalls", ["before": "in-0.99"]) == ["missed": [], "more": false])
        }
    }
}
